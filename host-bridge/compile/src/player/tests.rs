//! The player with an engine that is stepped by hand: nothing depends on time.

use super::*;
use deskhand_dsp::{FrameReader, ReadError, SampleRate};
use deskhand_engine::clicks::click_score;
use deskhand_engine::{Disk, EngineConfig, Processor, SourceKey, Worked, engine};
use deskhand_session::{Change, Clip, ClipId, Edit, SessionId, SourceId, Track};

const RATE: SampleRate = SampleRate(48_000);

/// A sine of 3 kHz, at any rate.
struct Tone(SampleRate);

impl FrameReader for Tone {
    fn channels(&self) -> usize {
        2
    }
    fn frames(&self) -> Frames {
        Frames(1 << 40)
    }
    fn rate(&self) -> SampleRate {
        self.0
    }
    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let step = std::f64::consts::TAU * 3000.0 / f64::from(self.0.0);
        for channel in out.iter_mut() {
            for (n, sample) in (at.0..).zip(channel.iter_mut()) {
                *sample = (0.25 * (step * n as f64).sin()) as f32;
            }
        }
        Ok(out[0].len())
    }
}

/// A player whose device and disk thread are function calls.
pub(super) struct Rig {
    pub(super) player: Player,
    processor: Processor,
    disk: Disk,
    pub(super) left: Vec<f32>,
}

impl Rig {
    pub(super) fn at(rate: SampleRate) -> Self {
        let open = move |_: SourceKey| -> Result<Box<dyn FrameReader>, ReadError> {
            Ok(Box::new(Tone(rate)))
        };
        let (controller, processor, disk) = engine(EngineConfig::at(rate), open).unwrap();
        Self { player: Player::new(controller), processor, disk, left: Vec::new() }
    }

    pub(super) fn playing(session: &Session) -> Self {
        let mut rig = Self::at(session.rate);
        rig.player.follow(session).unwrap();
        rig.player.play().unwrap();
        rig
    }

    pub(super) fn run(&mut self, frames: usize) {
        let end = self.left.len() + frames;
        while self.left.len() < end {
            while self.disk.step() == Worked::Yes {}
            let mut block = [[0f32; 64]; 2];
            let [left, right] = &mut block;
            let length = (end - self.left.len()).min(64);
            self.processor.process([&mut left[..length], &mut right[..length]]);
            self.left.extend_from_slice(&block[0][..length]);
            self.player.pump();
        }
    }

    /// The peak of the last 10 ms.
    pub(super) fn level(&self) -> f32 {
        self.left[self.left.len() - 480..].iter().fold(0f32, |peak, it| peak.max(it.abs()))
    }

    #[track_caller]
    pub(super) fn assert_clean(&self) {
        let tone: Vec<f32> =
            (0..4800).map(|n| 0.25 * (n as f32 * std::f32::consts::FRAC_PI_8).sin()).collect();
        let score = click_score(&self.left, &tone);
        assert!(score < 1.1, "a click of {score}");
        assert_eq!(self.player.trouble().missing_frames, 0);
    }
}

/// A track with a clip of `length` frames.
pub(super) fn session(length: i64) -> Session {
    let mut session = Session::new(SessionId::new(1), RATE);
    let track = TrackId::new(1);
    session.track_order.push(track);
    session.tracks.insert(track, Track::audio("Tone"));
    session.clips.insert(ClipId::new(1), clip(track, 0, length));
    session
}

fn clip(track: TrackId, position: i64, length: i64) -> Clip {
    Clip {
        start: Frames(position),
        position: Frames(position),
        ..Clip::new("tone", track, SourceId::new(1), Frames(length))
    }
}

fn gain(session: &Session, after: f64) -> Session {
    let id = TrackId::new(1);
    let edit = Edit::new(id, session.tracks[&id].gain, Decibels(after));
    session.with(&[Change::SetTrackGain(edit)]).unwrap()
}

#[test]
fn a_fader_moves_and_a_clip_comes_and_goes_without_a_click() {
    let song = session(480_000);
    let mut rig = Rig::playing(&song);
    rig.run(3000);
    assert!((rig.level() - 0.25).abs() < 1e-3);
    let quiet = gain(&song, -6.0);
    rig.player.follow(&quiet).unwrap();
    rig.run(2000);
    assert!((rig.level() - 0.1253).abs() < 1e-3);
    let mut second = quiet.clone();
    second.clips.insert(ClipId::new(2), clip(TrackId::new(1), 240_000, 100));
    rig.player.follow(&second).unwrap();
    rig.run(2000);
    rig.player.follow(&Session::new(SessionId::new(1), RATE)).unwrap();
    rig.run(2000);
    assert_eq!(rig.level(), 0.0);
    rig.assert_clean();
}

#[test]
fn a_drag_is_heard_at_once_and_the_next_session_takes_it_back() {
    let song = session(480_000);
    let mut rig = Rig::playing(&song);
    rig.run(3000);
    rig.player.preview(Some(TrackId::new(1)), Decibels(-20.0), 0.0).unwrap();
    rig.run(2000);
    assert!((rig.level() - 0.025).abs() < 1e-3);
    rig.player.preview(None, Decibels(-6.0), 0.0).unwrap();
    rig.run(2000);
    assert!((rig.level() - 0.0125).abs() < 1e-3);
    rig.player.follow(&song).unwrap();
    rig.run(2000);
    assert!((rig.level() - 0.25).abs() < 1e-3);
    rig.assert_clean();
    let nobody = rig.player.preview(Some(TrackId::new(9)), Decibels::UNITY, 0.0);
    assert!(matches!(nobody, Err(PlayerError::Control(ControlError::Level(_)))));
}

#[test]
fn a_plan_is_heard_beside_the_session_and_taken_without_a_click() {
    let song = session(480_000);
    let quiet = gain(&song, -20.0);
    let mut rig = Rig::playing(&song);
    rig.run(3000);
    let sides = [
        (Side::Other { gain: Decibels::UNITY }, 0.025),
        (Side::Current, 0.25),
        (Side::Other { gain: Decibels(20.0) }, 0.25),
        (Side::Other { gain: Decibels::UNITY }, 0.025),
    ];
    for (side, level) in sides {
        rig.player.hear(Some((&quiet, side))).unwrap();
        rig.run(2000);
        assert!((rig.level() - level).abs() < 1e-3, "{} at {side:?}", rig.level());
    }
    // It is applied while it is heard.
    rig.player.follow(&quiet).unwrap();
    rig.run(1000);
    rig.player.hear(None).unwrap();
    rig.run(1000);
    assert!((rig.level() - 0.025).abs() < 1e-3);
    rig.assert_clean();
    assert_eq!(rig.player.place().motion, Motion::Playing);
}

#[test]
fn it_goes_where_it_is_told_and_loops() {
    let song = session(480_000);
    let mut rig = Rig::playing(&song);
    rig.run(3000);
    rig.player.seek(Frames(100_000)).unwrap();
    rig.run(5000);
    let place = rig.player.place();
    assert_eq!(place.motion, Motion::Playing);
    assert!(place.at > Frames(104_000) && place.at < Frames(105_000), "{place:?}");
    rig.player.set_loop(Some(Frames(106_000)..Frames(116_000))).unwrap();
    rig.run(40_000);
    assert!((106_000..116_000).contains(&rig.player.place().at.0));
    rig.player.stop().unwrap();
    rig.run(1000);
    assert_eq!((rig.player.place().motion, rig.level()), (Motion::Stopped, 0.0));
    rig.assert_clean();
    assert!(rig.player.seek(Frames(-1)).is_err());
    assert!(rig.player.set_loop(Some(Frames(5)..Frames(6))).is_err());
}

#[test]
fn meters_name_their_track() {
    let mut rig = Rig::playing(&session(480_000));
    rig.run(9600);
    let mut peaks = std::collections::BTreeMap::new();
    rig.player.levels(&mut |track, reading| {
        peaks.insert(track, reading.peak[0]);
    });
    let tracks: Vec<_> = peaks.keys().copied().collect();
    assert_eq!(tracks, [None, Some(TrackId::new(1))]);
    assert!(peaks.values().all(|peak| (peak - 0.25).abs() < 1e-3));
}

#[test]
fn an_engine_of_another_rate_plays_the_same_music_in_the_same_time() {
    let mut song = session(96_000);
    let track = TrackId::new(1);
    // The two halves of a clip that was cut: one piece of audio, at any rate.
    song.clips.insert(ClipId::new(1), clip(track, 0, 10_007));
    song.clips.insert(ClipId::new(2), clip(track, 10_007, 60_000));
    let mut rig = Rig::at(SampleRate(44_100));
    rig.player.follow(&song).unwrap();
    rig.player.play().unwrap();
    rig.run(44_100);
    let at = rig.player.place().at.0;
    assert!((47_000..=48_000).contains(&at), "{at}");
    let start = 1000;
    for n in start..40_000usize {
        let phase = std::f64::consts::TAU * 3000.0 / 44_100.0;
        let wanted = (0.25 * (phase * n as f64).sin()) as f32;
        assert!((rig.left[n] - wanted).abs() < 1e-5, "frame {n}");
    }
}
