//! What a frame costs while a transcript of 100,000 words with 10,000 phrases and as many codings is scrolled: layout and tessellation together, in CPU time of
//! this thread. It prints one JSON object in seconds: `{"words", "frame_s", "frame_p95_s", "first_s"}`, where the
//! first frame is the one in which the transcript is opened.

#![expect(clippy::print_stdout, reason = "the figures are what it is for")]
#![expect(clippy::expect_used, reason = "an example may stop")]

mod opened;

use deskhand_dsp::{Frames, SampleRate};
use deskhand_editor::NoWaves;
use deskhand_session::{
    Code, CodeId, Coding, ContentHash, Phrase, PhraseId, Segment, SegmentId, Session, SessionId,
    Source, SourceId, Word,
};
use egui::{Vec2, vec2};
use opened::Screen;
use std::collections::BTreeSet;

const WORDS: i64 = 100_000;
const SEGMENT: i64 = 10;
/// From one word to the next, in frames.
const STEP: i64 = 17_280;
const SIZE: Vec2 = vec2(1440.0, 900.0);
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

fn main() {
    let mut screen = Screen::new(session(), &NoWaves, SIZE);
    let first = screen.press("Words");
    let over = screen.place("Search the transcript") + vec2(0.0, 300.0);
    let (mut took, mut looks) = (Vec::with_capacity(FRAMES), BTreeSet::new());
    for _ in 0..FRAMES {
        let scroll = egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: vec2(0.0, -700.0),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Wheel,
            modifiers: egui::Modifiers::NONE,
        };
        let (frame, corners) = screen.frame(vec![egui::Event::PointerMoved(over), scroll]);
        took.push(frame.as_secs_f64());
        looks.insert(corners);
    }
    assert!(looks.len() > FRAMES / 20, "it does not scroll: {} looks", looks.len());
    took.sort_by(f64::total_cmp);
    println!(
        "{{\"words\":{WORDS},\"frame_s\":{:.6},\"frame_p95_s\":{:.6},\"first_s\":{:.6}}}",
        took[FRAMES / 2],
        took[FRAMES * 95 / 100],
        first.as_secs_f64()
    );
}
