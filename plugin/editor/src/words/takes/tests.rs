//! Takes are distinct, on the card of their plan and side by side.

use super::*;
use crate::testing::{gain_plan, spoken, tool_of};
use crate::ui_tests::{Desk, event, harness, open_model};
use crate::words::view::Page;
use deskhand_dsp::Decibels;
use deskhand_protocol::News;
use deskhand_session::{ClipId, Edit, Fact, SegmentId};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use serde_json::Value;

/// The first phrase and the last as takes of each other.
fn takes() -> Duplicates {
    Duplicates {
        phrase: "the lamps".into(),
        takes: vec![PhraseId::new(1), PhraseId::new(4)],
        chosen: PhraseId::new(1),
        reason: String::new(),
    }
}

/// A plan that marks them, and changes a clip of the second and one of neither.
fn marks() -> Plan {
    let session = spoken();
    let mut after = session.assembly.clone();
    after.duplicates = vec![takes()];
    let gain = |clip: u64| {
        Change::SetClipGain(Edit::new(ClipId::new(clip), Decibels::UNITY, Decibels(-1.0)))
    };
    let assembly = Change::SetAssembly(Edit::new(session.id, session.assembly, after));
    let changes = [gain(2), gain(1), assembly].into_iter().zip(1..);
    let planned = |(change, number)| {
        PlannedChange::new(number, change, "The lamps and the sea".into(), String::new())
    };
    let changes = changes.map(planned).collect();
    Plan { tool: tool_of(Gesture::MarkTakes), changes, predicted: Vec::new(), ..gain_plan() }
}

fn bench(session: Session) -> Harness<'static, Desk> {
    let mut model = open_model();
    model.mirror.as_mut().unwrap().snapshot.session = session;
    (model.desk.words.is_open, model.desk.words.page) = (true, Page::Takes);
    harness(model)
}

#[test]
fn a_row_of_the_card_says_which_take_it_is_of() {
    let mut bench = bench(spoken());
    bench.state_mut().model.desk.words.is_open = false;
    let review = event(2, None, News::Review { plan: Box::new(marks()) });
    drop(bench.state_mut().model.hear(&review));
    bench.run_steps(4);
    let first =
        "Change 1: Take B · Guitar 0:04.0 · The lamps and the sea, clip gain, from 0.0 to −1.0 dB";
    assert!(bench.query_by_label(first).is_some());
    let second = "Change 2: The lamps and the sea at 0:00.000, clip gain";
    assert!(bench.query_by_label_contains(second).is_some(), "it plays neither");
}

#[test]
fn what_all_takes_have_is_not_told_of_each() {
    let mut session = spoken();
    session.assembly.duplicates = vec![takes()];
    for number in [1, 4] {
        let segment = session.segments.get_mut(&SegmentId::new(number)).unwrap();
        let of = |value: Value| Fact { value, unit: None, confidence: None, by: "tool_x".into() };
        let facts = &mut segment.description.facts;
        facts.insert("language".into(), of("en".into()));
        facts.insert("room".into(), of(format!("room {number}").into()));
    }
    let bench = bench(session);
    assert!(bench.query_by_label_contains("language").is_none());
    assert!(bench.query_by_label_contains("room: room 4").is_some());
}

#[test]
fn place_and_length_of_a_take_are_both_read_in_a_narrow_column() {
    let mut session = spoken();
    let three = [1, 2, 4].map(PhraseId::new).into();
    session.assembly.duplicates = vec![Duplicates { takes: three, ..takes() }];
    let bench = bench(session);
    let whole = |words: &str| {
        bench.output().shapes.iter().any(|it| {
            matches!(&it.shape, egui::Shape::Text(text)
                if text.galley.text() == words && !text.galley.elided)
        })
    };
    assert!(whole("Vocal 0:00.0") && whole("Guitar 0:04.0"));
    assert!(whole("3.5\u{a0}s · 90\u{a0}% sure"));
}
