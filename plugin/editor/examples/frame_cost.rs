//! The cost of a frame with 64 tracks, 1,000 clips and all meters moving. Prints milliseconds of CPU per
//! frame, layout and tessellation together. With `--json` prints the median at the larger size as
//! `{"frame_s"}`.

#![expect(clippy::print_stdout, reason = "the figure is what it is for")]
#![expect(clippy::expect_used, reason = "an example may stop")]

mod opened;

use deskhand_dsp::{Fade, Frames, SampleRate};
use deskhand_editor::{Column, Levels, Model, Motion, SoundOutput, Waves, install, show};
use deskhand_session::{Clip, ClipId, Session, SessionId, SourceId, Track, TrackId};
use opened::opened;
use std::time::{Duration, Instant};

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

fn model() -> Model {
    let mut model = opened(session());
    model.live.output = SoundOutput::Device { name: "Speakers".into() };
    model.live.motion = Motion::Playing;
    model
}

fn frame(context: &egui::Context, model: &mut Model, size: egui::Vec2, number: u32) -> Duration {
    let level = (f64::from(number) * 0.21).sin().abs() as f32;
    let levels = Levels { peak: [level; 2], rms: [level / 2.0; 2], ..Levels::default() };
    model.live.tracks = (1..=64).map(|track| (TrackId::new(track), levels)).collect();
    model.live.master = levels;
    model.live.position = Frames(i64::from(number) * 800);
    let input = egui::RawInput {
        screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, size)),
        time: Some(f64::from(number) / 60.0),
        ..egui::RawInput::default()
    };
    let started = Instant::now();
    let mut output = context.run_ui(input, |ui| {
        drop(show(ui, model, &Tones));
    });
    let meshes = context.tessellate(std::mem::take(&mut output.shapes), output.pixels_per_point);
    let took = started.elapsed();
    drop(meshes);
    output.textures_delta.clear();
    took
}

fn main() {
    let sizes = [egui::vec2(1440.0, 900.0), egui::vec2(2560.0, 1440.0)];
    if std::env::args().any(|word| word == "--json") {
        let median = measure(sizes[1]).0;
        println!("{{\"frame_s\":{:.6}}}", median.as_secs_f64());
        return;
    }
    println!("64 tracks, 1,000 clips, meters moving, CPU of one frame:");
    for size in sizes {
        let (median, slow) = measure(size);
        let ms = |took: Duration| took.as_secs_f64() * 1000.0;
        let (width, height) = (size.x, size.y);
        println!("{width} x {height}: median {:.2} ms, 95 % {:.2} ms", ms(median), ms(slow));
    }
}

/// The median, and what 95 of 100 frames stay under.
fn measure(size: egui::Vec2) -> (Duration, Duration) {
    let context = egui::Context::default();
    install(&context);
    let mut model = model();
    let warm: u32 = 30;
    for number in 0..warm {
        frame(&context, &mut model, size, number);
    }
    let frames = warm..warm + 300;
    let mut took: Vec<Duration> =
        frames.map(|number| frame(&context, &mut model, size, number)).collect();
    took.sort();
    (took[150], took[285])
}
