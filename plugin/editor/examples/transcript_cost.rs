//! What a frame costs while a transcript of 100,000 words with 10,000 phrases and as many codings is scrolled: layout and tessellation together, in CPU time of
//! this thread. It prints one JSON object in seconds: `{"words", "frame_s", "frame_p95_s", "first_s"}`, where the
//! first frame is the one in which the transcript is opened.

#![expect(clippy::print_stdout, reason = "the figures are what it is for")]
#![expect(clippy::expect_used, reason = "an example may stop")]

mod opened;

use deskhand_dsp::{Frames, SampleRate};
use deskhand_editor::{Model, NoWaves, install, show};
use deskhand_session::{
    Code, CodeId, Coding, ContentHash, Phrase, PhraseId, Segment, SegmentId, Session, SessionId,
    Source, SourceId, Word,
};
use egui::{PointerButton, Pos2, Vec2, pos2, vec2};
use opened::opened;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

const WORDS: i64 = 100_000;
const SEGMENT: i64 = 10;
/// From one word to the next, in frames.
const STEP: i64 = 17_280;
const SIZE: Vec2 = vec2(1440.0, 900.0);
/// A point inside the transcript, which opens next to the conversation.
const OVER: Pos2 = pos2(720.0, 420.0);
const FRAMES: usize = 300;

fn session() -> Session {
    let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
    let source = SourceId::new(1);
    let recording = Source {
        name: "talk.wav".into(),
        hash: ContentHash("0".repeat(64)),
        size: 1,
        format: "WAV 24 bit".into(),
        ..Source::in_place("/talk.wav", session.rate, 1, Frames(WORDS * STEP))
    };
    session.sources.insert(source, recording);
    let word = |at: i64| Word {
        text: "thequickbrownfox"[..3 + (at * 37 % 11) as usize].to_owned(),
        start: Frames(at * STEP),
        end: Frames(at * STEP + STEP / 2),
        confidence: Some(0.9),
    };
    for (number, first) in (1..).zip((0..WORDS).step_by(SEGMENT as usize)) {
        let words: Vec<Word> = (first..first + SEGMENT).map(word).collect();
        let start = Frames(first * STEP);
        let speaker = if number / 20 % 2 == 0 { "Ann" } else { "Ben" };
        let segment = Segment {
            words,
            speaker: Some(speaker.into()),
            ..Segment::new(source, start, Frames(SEGMENT * STEP))
        };
        let phrase = Phrase { segments: vec![SegmentId::new(number)] };
        session.segments.insert(SegmentId::new(number), segment);
        session.phrases.insert(PhraseId::new(number), phrase);
        session.assembly.order.push(PhraseId::new(number));
        code(&mut session, number, start);
    }
    session
}

/// Codes the first half of a segment, by turns with three codes.
fn code(session: &mut Session, number: u64, start: Frames) {
    let code = CodeId::new(number % 3 + 1);
    session.codes.entry(code).or_insert_with(|| Code::new(format!("Code {}", number % 3)));
    let coding = Coding::new(code, None);
    let place = Segment::new(SourceId::new(1), start, Frames(SEGMENT / 2 * STEP));
    let coded = Segment { codings: vec![coding], ..place };
    session.segments.insert(SegmentId::new(1_000_000 + number), coded);
}

/// A window without a screen.
struct Screen {
    context: egui::Context,
    model: Model,
    number: u32,
}

/// The time a frame took, the number of corners it drew, and the place of the "Words" button.
struct Drawn {
    took: Duration,
    corners: usize,
    button: Option<Pos2>,
}

impl Screen {
    fn frame(&mut self, events: Vec<egui::Event>) -> Drawn {
        self.number += 1;
        let input = egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(Pos2::ZERO, SIZE)),
            time: Some(f64::from(self.number) / 60.0),
            events,
            ..egui::RawInput::default()
        };
        let model = &mut self.model;
        let started = Instant::now();
        let mut output = self.context.run_ui(input, |ui| {
            drop(show(ui, model, &NoWaves));
        });
        let shapes = std::mem::take(&mut output.shapes);
        let meshes = self.context.tessellate(shapes, output.pixels_per_point);
        let took = started.elapsed();
        let corners = |mesh: &egui::ClippedPrimitive| match &mesh.primitive {
            egui::epaint::Primitive::Mesh(mesh) => mesh.vertices.len(),
            egui::epaint::Primitive::Callback(_) => 0,
        };
        let corners = meshes.iter().map(corners).sum();
        let button = output.platform_output.accesskit_update.and_then(|tree| {
            let named = tree.nodes.into_iter().find(|(_, node)| node.label() == Some("Words"));
            let at = named.and_then(|(_, node)| node.bounds())?;
            Some(pos2(((at.x0 + at.x1) / 2.0) as f32, ((at.y0 + at.y1) / 2.0) as f32))
        });
        Drawn { took, corners, button }
    }

    fn click(&mut self, pos: Pos2, pressed: bool) -> Drawn {
        let (button, modifiers) = (PointerButton::Primary, egui::Modifiers::NONE);
        let press = egui::Event::PointerButton { pos, button, pressed, modifiers };
        self.frame(vec![egui::Event::PointerMoved(pos), press])
    }
}

fn main() {
    let context = egui::Context::default();
    install(&context);
    context.enable_accesskit();
    let mut screen = Screen { context, model: opened(session()), number: 0 };
    let mut button = None;
    for _ in 0..30 {
        button = screen.frame(Vec::new()).button.or(button);
    }
    let button = button.expect("there is a button that opens the words");
    screen.click(button, true);
    let first = screen.click(button, false).took.max(screen.frame(Vec::new()).took);
    screen.context.disable_accesskit();
    let (mut took, mut looks) = (Vec::with_capacity(FRAMES), BTreeSet::new());
    for _ in 0..FRAMES {
        let scroll = egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: vec2(0.0, -700.0),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Wheel,
            modifiers: egui::Modifiers::NONE,
        };
        let drawn = screen.frame(vec![egui::Event::PointerMoved(OVER), scroll]);
        took.push(drawn.took.as_secs_f64());
        looks.insert(drawn.corners);
    }
    assert!(looks.len() > FRAMES / 10, "it does not scroll: {} looks", looks.len());
    took.sort_by(f64::total_cmp);
    println!(
        "{{\"words\":{WORDS},\"frame_s\":{:.6},\"frame_p95_s\":{:.6},\"first_s\":{:.6}}}",
        took[FRAMES / 2],
        took[FRAMES * 95 / 100],
        first.as_secs_f64()
    );
}
