//! Recording from the input: which tracks are armed, whether the person records, and the passes that come of it.
//!
//! Thread: window.

use crate::open::Wake;
use crate::sound::{Choice, Input, InputOrder, RecordNews, Running, SoundError, place_of};
use crossbeam_channel::{TryRecvError, unbounded};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_editor::{InputChannels, Live};
use deskhand_media::{open, recover};
use deskhand_protocol::{CallId, CaptureKind, Op};
use deskhand_session::text;
use deskhand_session::{Session, TrackId};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Where captures lie in a session folder; the hub takes in files from there alone.
const CAPTURES: [&str; 2] = ["media", "captures"];

/// What happened since the last look.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Recorded {
    /// Passes, to be submitted.
    pub(crate) passes: Vec<Op>,
    /// The error; an empty text removes the previous one.
    pub(crate) said: Option<String>,
    /// A useful remark.
    pub(crate) informs: Option<String>,
    back: Vec<Back>,
    /// How many channels the input has.
    channels: Option<usize>,
}

impl Recorded {
    /// One trouble does not hide another.
    fn say(&mut self, why: String) {
        match &mut self.said {
            Some(before) if !before.is_empty() => {
                before.push_str("; ");
                before.push_str(&why);
            }
            Some(_) | None => self.said = Some(why),
        }
    }
}

/// A pass that a killed program was recording.
#[derive(Debug, PartialEq)]
struct Back {
    track: TrackId,
    at: Frames,
    seconds: Option<f64>,
}

impl Back {
    /// "2.0 s on "Take" at 0:01.500".
    fn words(&self, session: &Session) -> String {
        let length = self.seconds.map_or_else(String::new, |it| format!("{it:.1}\u{a0}s "));
        let name = session.name_of(self.track.into());
        let at = text::clock(self.at, session.rate);
        format!("{length}on \"{name}\" at {at}")
    }
}

/// What an input is opened by.
#[derive(Clone, Copy)]
pub(crate) struct Desk<'a> {
    pub(crate) choice: &'a Choice,
    pub(crate) running: &'a Running,
    pub(crate) session: SampleRate,
}

/// The recording of a window.
pub(crate) struct Recording {
    folder: PathBuf,
    armed: BTreeSet<TrackId>,
    /// Channels that the person chose.
    inputs: BTreeMap<TrackId, InputChannels>,
    /// How many the input has, once one was open.
    channels: usize,
    open: Option<Input>,
    /// Inputs that were let go, and may have something to tell.
    ending: Vec<Input>,
    /// Recordings that were reported to the hub and not answered.
    handed_in: Vec<(CallId, Op)>,
    /// Restored recordings that were not reported yet: their tracks have no names before the session is
    /// there.
    back: Vec<Back>,
    is_on: bool,
    wake: Wake,
}

impl Recording {
    pub(crate) fn new(dir: &Path, wake: Wake) -> Self {
        let folder = CAPTURES.iter().fold(dir.to_owned(), |dir, part| dir.join(part));
        Self {
            folder,
            armed: BTreeSet::new(),
            inputs: BTreeMap::new(),
            channels: 0,
            open: None,
            ending: Vec::new(),
            handed_in: Vec::new(),
            back: Vec::new(),
            is_on: false,
            wake,
        }
    }

    /// Shows the armed tracks.
    pub(crate) fn show(&self, live: &mut Live) {
        live.armed.clone_from(&self.armed);
        live.inputs.clone_from(&self.inputs);
        live.input_channels = self.channels;
        live.incoming = self.open.as_ref().map(Input::levels).unwrap_or_default();
        live.records = self.is_on;
    }

    /// Whether the person records.
    pub(crate) fn is_on(&self) -> bool {
        self.is_on
    }

    /// Arms a track in addition to the others. The input is reopened for all of them, and a running
    /// recording ends.
    pub(crate) fn arm(&mut self, track: TrackId, desk: Desk<'_>) -> Result<(), SoundError> {
        self.armed.insert(track);
        self.reopen(desk)
    }

    /// A track is armed no more.
    pub(crate) fn disarm(&mut self, track: TrackId, desk: Desk<'_>) -> Result<(), SoundError> {
        self.armed.remove(&track);
        self.reopen(desk)
    }

    /// Takes other channels of the input to a track.
    pub(crate) fn take(
        &mut self,
        track: TrackId,
        channels: InputChannels,
        desk: Desk<'_>,
    ) -> Result<(), SoundError> {
        self.inputs.insert(track, channels);
        if self.armed.contains(&track) { self.reopen(desk) } else { Ok(()) }
    }

    /// The channels that the person chose when these tracks were recorded to earlier.
    pub(crate) fn remember(&mut self, inputs: BTreeMap<TrackId, InputChannels>) {
        self.inputs = inputs;
    }

    fn reopen(&mut self, desk: Desk<'_>) -> Result<(), SoundError> {
        self.close();
        if self.armed.is_empty() {
            return Ok(());
        }
        let tracks: Vec<TrackId> = self.armed.iter().copied().collect();
        let taken = |track: &TrackId| (*track, self.inputs.get(track).copied().unwrap_or_default());
        let order = InputOrder {
            choice: desk.choice.clone(),
            anchor: desk.running.anchor.clone(),
            rate: desk.running.player.rates().engine,
            session: desk.session,
            folder: self.folder.clone(),
            takers: tracks.iter().map(taken).collect(),
        };
        let wake = Arc::clone(&self.wake);
        match Input::open(order, move || wake()) {
            Ok(input) => self.open_with(&tracks, input),
            Err(error) => {
                self.armed.clear();
                return Err(error);
            }
        }
        Ok(())
    }

    pub(crate) fn open_with(&mut self, tracks: &[TrackId], input: Input) {
        self.close();
        self.armed = tracks.iter().copied().collect();
        self.open = Some(input);
    }

    /// No track is armed any more.
    pub(crate) fn disarm_all(&mut self) {
        self.armed.clear();
        self.close();
    }

    fn close(&mut self) {
        self.record(false);
        if let Some(mut input) = self.open.take() {
            input.close();
            self.ending.push(input);
        }
    }

    /// Records while the timeline moves, or does not any more.
    pub(crate) fn record(&mut self, is_on: bool) {
        self.is_on = is_on && self.open.is_some();
        if let Some(input) = &self.open {
            input.record(self.is_on);
        }
    }

    /// Ends the recording, and waits for its result. Returns the recordings that the hub does not know.
    pub(crate) fn finish(&mut self, until: Instant) -> Vec<Op> {
        self.disarm_all();
        let mut recorded = Recorded::default();
        for input in std::mem::take(&mut self.ending) {
            while let Ok(news) = input.wait(until) {
                note(news, input.tracks(), &mut recorded);
            }
        }
        recorded.passes
    }

    /// Takes up what a window or host that was killed was recording, on a thread, which may have to wait for a disk: it
    /// comes by [`Self::look`].
    pub(crate) fn take_up(&mut self) -> std::io::Result<()> {
        let (found, news) = unbounded();
        let (folder, wake) = (self.folder.clone(), Arc::clone(&self.wake));
        let work = move || {
            for file in recover(&folder, CaptureKind::Armed.prefix()) {
                // Nobody listens where the window is closed meanwhile; the file is complete by now.
                let Some((track, at)) = place_of(&file) else {
                    let why = format!("{} was cut off with its host; import it", file.display());
                    drop(found.send(RecordNews::Trouble(why)));
                    continue;
                };
                drop(found.send(RecordNews::Back { track, at, seconds: seconds(&file) }));
                drop(found.send(RecordNews::Pass { track, file, at }));
            }
            drop(found);
            wake();
        };
        std::thread::Builder::new().name("take up".into()).spawn(work)?;
        self.ending.push(Input::elsewhere(news, Arc::default()));
        Ok(())
    }

    /// A recording was reported to the hub.
    pub(crate) fn handed_in(&mut self, call: CallId, pass: Op) {
        self.handed_in.push((call, pass));
    }

    pub(crate) fn answered(&mut self, call: CallId) {
        self.handed_in.retain(|(known, _)| *known != call);
    }

    /// Recordings that the hub did not answer; they are reported to the next one.
    pub(crate) fn take_unanswered(&mut self) -> Vec<Op> {
        std::mem::take(&mut self.handed_in).into_iter().map(|(_, pass)| pass).collect()
    }

    /// Whether the hub has not answered all passes.
    pub(crate) fn awaits_answer(&self) -> bool {
        !self.handed_in.is_empty()
    }

    /// Takes the news of the inputs. Without the session, news that names its tracks waits.
    pub(crate) fn look(&mut self, session: Option<&Session>) -> Recorded {
        let mut recorded = Recorded::default();
        let mut is_lost = false;
        if let Some(input) = &self.open {
            is_lost = hear(input, &mut recorded).1;
        }
        if is_lost {
            if let (true, Some(said), Some(session)) = (self.is_on, &mut recorded.said, session) {
                said.push_str(&self.kept(session));
            }
            self.disarm_all();
        }
        self.ending.retain(|input| hear(input, &mut recorded).0);
        self.channels = recorded.channels.unwrap_or(self.channels);
        self.back.append(&mut recorded.back);
        recorded.informs = session.and_then(|session| self.told_back(session));
        recorded
    }

    /// Where the recording is, once the input went away.
    fn kept(&self, session: &Session) -> String {
        let name = |track: &TrackId| format!("\"{}\"", session.name_of((*track).into()));
        let names: Vec<String> = self.armed.iter().map(name).collect();
        format!("; what was recorded is kept on {}", names.join(", "))
    }

    /// The message about restored recordings, once.
    fn told_back(&mut self, session: &Session) -> Option<String> {
        let back: Vec<String> = self.back.drain(..).map(|one| one.words(session)).collect();
        let what = "What was being recorded when Deskhand was killed is back";
        (!back.is_empty()).then(|| format!("{what}: {}", back.join(", ")))
    }
}

/// The length of a file; `None` if it cannot be read.
fn seconds(file: &Path) -> Option<f64> {
    let reader = open(file).ok()?;
    Some(reader.frames().seconds(reader.rate()).0)
}

/// Whether there may be more, and whether the input is unusable now.
fn hear(input: &Input, recorded: &mut Recorded) -> (bool, bool) {
    let mut is_lost = false;
    loop {
        match input.next() {
            Ok(news) => is_lost |= note(news, input.tracks(), recorded),
            Err(TryRecvError::Empty) => return (true, is_lost),
            Err(TryRecvError::Disconnected) => return (false, true),
        }
    }
}

/// Notes the news of an input with this many tracks. Returns whether it is unusable now.
fn note(news: RecordNews, tracks: u32, recorded: &mut Recorded) -> bool {
    match news {
        RecordNews::Ready { channels, .. } => {
            (recorded.said, recorded.channels) = (Some(String::new()), Some(channels));
        }
        RecordNews::Pass { track, file, at } => {
            recorded.passes.push(Op::Recorded { track, file, at, tracks });
        }
        RecordNews::Back { track, at, seconds } => {
            recorded.back.push(Back { track, at, seconds });
        }
        RecordNews::Trouble(why) => recorded.say(why),
        RecordNews::Failed(why) => {
            recorded.say(why);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_session::{SessionId, Track};
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    #[test]
    fn a_pass_belongs_to_the_track_that_was_armed_when_it_began() {
        let mut recording = Recording::new(Path::new("session"), Arc::new(|| {}));
        recording.record(true);
        assert!(!recording.is_on(), "nothing is armed");
        let earlier = BTreeMap::from([(TrackId::new(1), InputChannels::One(3))]);
        recording.remember(earlier.clone());
        let (told, news) = unbounded();
        let switch = Arc::new(AtomicBool::new(false));
        let [first, second, third] = [1, 2, 3].map(TrackId::new);
        let input = Input::elsewhere(news, Arc::clone(&switch));
        recording.open_with(&[first, second], input);
        recording.record(true);
        assert!(recording.is_on() && switch.load(Ordering::Relaxed));
        let (other, news) = unbounded();
        recording.open_with(&[third], Input::elsewhere(news, Arc::default()));
        assert!(!recording.is_on() && !switch.load(Ordering::Relaxed));
        let file = PathBuf::from("a.wav");
        let pass = |track| RecordNews::Pass { track, file: file.clone(), at: Frames(9) };
        told.send(pass(second)).unwrap();
        told.send(pass(first)).unwrap();
        drop(told);
        let (at, tracks) = (Frames(9), 1);
        let expected =
            [second, first].map(|track| Op::Recorded { track, file: file.clone(), at, tracks });
        assert_eq!(recording.look(None).passes, expected);
        assert!(recording.ending.is_empty());
        let ready = RecordNews::Ready { name: "card".into(), channels: 8 };
        other.send(ready).unwrap();
        other.send(RecordNews::Failed("no input was found".into())).unwrap();
        assert_eq!(recording.look(None).said.as_deref(), Some("no input was found"));
        let mut live = Live::default();
        recording.show(&mut live);
        assert!(live.armed.is_empty());
        assert_eq!((live.input_channels, live.inputs), (8, earlier));
    }

    #[test]
    fn who_loses_the_input_while_recording_and_who_gets_a_take_back_is_told_the_track() {
        let mut recording = Recording::new(Path::new("session"), Arc::new(|| {}));
        let track = TrackId::new(1);
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        session.tracks.insert(track, Track::audio("Take"));
        let (told, news) = unbounded();
        recording.open_with(&[track], Input::elsewhere(news, Arc::default()));
        recording.record(true);
        told.send(RecordNews::Failed("the input went away: unplugged".into())).unwrap();
        let said = recording.look(Some(&session)).said.unwrap();
        let wanted = "the input went away: unplugged; what was recorded is kept on \"Take\"";
        assert_eq!(said, wanted);
        let (found, news) = unbounded();
        recording.ending.push(Input::elsewhere(news, Arc::default()));
        let back = RecordNews::Back { track, at: Frames(72_000), seconds: Some(2.0) };
        found.send(back).unwrap();
        assert_eq!(recording.look(None).informs, None, "it has no name yet");
        let told = recording.look(Some(&session));
        let informs = told.informs.unwrap();
        assert!(informs.ends_with("is back: 2.0\u{a0}s on \"Take\" at 0:01.500"), "{informs}");
        assert_eq!(told.said, None, "nothing went wrong");
        assert_eq!(recording.look(Some(&session)).informs, None, "it is told once");
    }

    #[test]
    fn every_trouble_of_several_tracks_is_told() {
        let mut recording = Recording::new(Path::new("session"), Arc::new(|| {}));
        let (told, news) = unbounded();
        recording.open_with(&[TrackId::new(1)], Input::elsewhere(news, Arc::default()));
        let ready = RecordNews::Ready { name: "card".into(), channels: 2 };
        let troubles = ["the disk is full", "0.1 s were not recorded"];
        let troubles = troubles.map(|why| RecordNews::Trouble(why.into()));
        told.send(ready).unwrap();
        troubles.into_iter().for_each(|trouble| told.send(trouble).unwrap());
        let said = recording.look(None).said;
        assert_eq!(said.as_deref(), Some("the disk is full; 0.1 s were not recorded"));
    }

    #[test]
    fn what_is_recorded_when_the_window_closes_is_waited_for() {
        let mut recording = Recording::new(Path::new("session"), Arc::new(|| {}));
        let (told, news) = unbounded();
        let switch = Arc::new(AtomicBool::new(true));
        let track = TrackId::new(1);
        recording.open_with(&[track], Input::elsewhere(news, Arc::clone(&switch)));
        recording.record(true);
        let file = PathBuf::from("a.wav");
        let pass = RecordNews::Pass { track, file: file.clone(), at: Frames(9) };
        let writer = std::thread::spawn(move || {
            while switch.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            told.send(pass).unwrap();
        });
        let passes = recording.finish(Instant::now() + Duration::from_secs(60));
        writer.join().unwrap();
        assert_eq!(passes, [Op::Recorded { track, file, at: Frames(9), tracks: 1 }]);
        recording.handed_in(CallId(1), passes[0].clone());
        recording.answered(CallId(2));
        assert!(recording.awaits_answer(), "another call was answered");
        assert_eq!(recording.take_unanswered(), passes, "another hub is told anew");
        recording.handed_in(CallId(3), passes[0].clone());
        recording.answered(CallId(3));
        assert!(!recording.awaits_answer());
        let (_open, news) = unbounded();
        recording.open_with(&[track], Input::elsewhere(news, Arc::default()));
        assert_eq!(recording.finish(Instant::now()), [], "nothing is waited for for ever");
    }
}
