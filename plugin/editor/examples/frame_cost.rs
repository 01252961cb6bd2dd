//! The cost of a frame with 64 tracks, 1,000 clips, all meters moving, and words, mixer and processors open. Prints
//! milliseconds of CPU per frame, layout and tessellation together. With `--json` prints the median at the larger size
//! as `{"frame_s"}`.

#![expect(clippy::print_stdout, reason = "the figure is what it is for")]
#![expect(clippy::expect_used, reason = "an example may stop")]

mod opened;

use deskhand_dsp::effects::{Effect, Equalizer};
use deskhand_dsp::{Fade, Frames, SampleRate};
use deskhand_editor::{Column, Levels, Motion, SoundOutput, Waves};
use deskhand_session::{
    Clip, ClipId, ContentHash, InsertId, InsertOwner, PlacedInsert, Segment, SegmentId, Session,
    SessionId, Source, SourceId, Switch, Track, TrackId, Word,
};
use opened::Screen;
use std::time::Duration;

struct Tones;

impl Waves for Tones {
    fn columns(&self, _: SourceId, start: Frames, _: f64, count: usize) -> Option<Vec<Column>> {
        let column = |index: usize| {
            let peak = ((start.0 as f32 + index as f32) * 0.37).sin().abs();
            Column { peak, rms: peak / 2.0 }
        };
        Some((0..count).map(column).collect())
    }
}

fn session() -> Session {
    let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
    for number in 1..=64 {
        session.track_order.push(TrackId::new(number));
        session.tracks.insert(TrackId::new(number), Track::audio(format!("Track {number}")));
    }
    for number in 0..1000_u32 {
        let clip = Clip {
            start: Frames(i64::from(number) * 1000),
            position: Frames(480_000 * i64::from(number / 64)),
            fade_in: Fade { length: Frames(24_000), ..Fade::default() },
            fade_out: Fade { length: Frames(24_000), ..Fade::default() },
            ..Clip::new(
                format!("Clip {number}"),
                TrackId::new(1 + u64::from(number % 64)),
                SourceId::new(1),
                Frames(400_000),
            )
        };
        session.clips.insert(ClipId::new(u64::from(number) + 1), clip);
    }
    session
}

/// A recording with 2,000 words, and processors on the first track.
fn with_words(mut session: Session) -> Session {
    let source = SourceId::new(1);
    let length = Frames(2_000 * 24_000);
    let recording = Source {
        name: "talk.wav".into(),
        hash: ContentHash("0".repeat(64)),
        size: 1,
        format: "WAV 24 bit".into(),
        ..Source::in_place("/talk.wav", session.rate, 1, length)
    };
    session.sources.insert(source, recording);
    for number in 0..200 {
        let start = Frames(number * 240_000);
        let word = |at: i64| Word {
            text: "thequickbrownfox"[..3 + (at * 37 % 11) as usize].to_owned(),
            start: start + Frames(at * 24_000),
            end: start + Frames(at * 24_000 + 12_000),
            confidence: Some(0.9),
        };
        let words = (0..10).map(word).collect();
        let segment = Segment { words, ..Segment::new(source, start, Frames(240_000)) };
        session.segments.insert(SegmentId::new(number.unsigned_abs() + 1), segment);
    }
    let effect = Effect::Equalizer(Equalizer::default());
    let on = InsertOwner::Track(TrackId::new(1));
    let insert = PlacedInsert { on, index: 0, switch: Switch::On, effect };
    session.inserts.insert(InsertId::new(1), insert);
    session
}

fn frame(screen: &mut Screen<'_>, number: u32) -> Duration {
    let level = (f64::from(number) * 0.21).sin().abs() as f32;
    let levels = Levels { peak: [level; 2], rms: [level / 2.0; 2], ..Levels::default() };
    let live = &mut screen.model.live;
    live.tracks = (1..=64).map(|track| (TrackId::new(track), levels)).collect();
    live.master = levels;
    live.position = Frames(i64::from(number) * 800);
    screen.frame(Vec::new()).0
}

fn main() {
    let sizes = [egui::vec2(1440.0, 900.0), egui::vec2(2560.0, 1440.0)];
    if std::env::args().any(|word| word == "--json") {
        let median = measure(sizes[1]).0;
        println!("{{\"frame_s\":{:.6}}}", median.as_secs_f64());
        return;
    }
    println!("64 tracks, 1,000 clips, meters moving, all panes open, CPU of one frame:");
    for size in sizes {
        let (median, slow) = measure(size);
        let ms = |took: Duration| took.as_secs_f64() * 1000.0;
        let (width, height) = (size.x, size.y);
        println!("{width} x {height}: median {:.2} ms, 95 % {:.2} ms", ms(median), ms(slow));
    }
}

/// The median, and what 95 of 100 frames stay under.
fn measure(size: egui::Vec2) -> (Duration, Duration) {
    let mut screen = Screen::new(with_words(session()), &Tones, size);
    screen.model.live.output = SoundOutput::Device { name: "Speakers".into() };
    screen.model.live.motion = Motion::Playing;
    screen.press("Words");
    screen.press("Processors of Track 1");
    let warm: u32 = 30;
    for number in 0..warm {
        frame(&mut screen, number);
    }
    let frames = warm..warm + 300;
    let mut took: Vec<Duration> = frames.map(|number| frame(&mut screen, number)).collect();
    took.sort();
    (took[150], took[285])
}
