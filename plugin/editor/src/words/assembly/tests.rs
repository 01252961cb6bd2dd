//! The assembly and the takes used as a person uses them.

use super::{head, moved};
use crate::action::{Action, Gesture};
use crate::kit::Cx;
use crate::live::SoundOutput;
use crate::testing::{UserInput as _, spoken, tool_of};
use crate::ui_tests::{Desk, event, harness, open_model};
use crate::words::assembly::view::{Made, length};
use crate::words::place::Places;
use crate::words::transcript::tests::wide;
use crate::words::view::Page;
use deskhand_dsp::Frames;
use deskhand_protocol::{Decision, News};
use deskhand_session::*;
use egui::{Key, Modifiers, Pos2, Rect, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use proptest::prelude::*;
use serde_json::{Value, json};

pub(super) fn ids(numbers: &[u64]) -> Vec<PhraseId> {
    numbers.iter().map(|number| PhraseId::new(*number)).collect()
}

pub(super) fn bench(page: Page, session: Session) -> Harness<'static, Desk> {
    let mut model = open_model();
    model.mirror.as_mut().unwrap().snapshot.session = session;
    model.live.output = SoundOutput::Device { name: "Speakers".into() };
    (model.desk.words.is_open, model.desk.words.page) = (true, page);
    harness(model)
}

pub(super) fn last(bench: &Harness<'static, Desk>) -> (Gesture, Value) {
    match bench.state().actions.last() {
        Some(Action::Call { gesture, params }) => (*gesture, params.clone()),
        other => panic!("{other:?}"),
    }
}

pub(super) const FIRST: &str = "Phrase 1: Anna: We left the lamps on in the harbour,";
const THIRD: &str = "Phrase 3: Anna: And every window has a story";

#[test]
fn a_phrase_is_dragged_to_another_place_and_the_whole_order_is_asked_for() {
    let mut bench = bench(Page::Assembly, spoken());
    let from = bench.get_by_label(THIRD).rect().center();
    let to = bench.get_by_label(FIRST).rect().center() - egui::vec2(0.0, 8.0);
    bench.drag(from, to);
    let wanted = json!({"ordered_group_ids": ids(&[3, 1, 2, 4])});
    assert_eq!(last(&bench), (Gesture::ReorderPhrases, wanted));
    // It stays there while the answer is on its way.
    assert!(bench.query_by_label("Phrase 1: Anna: And every window has a story").is_some());
    // The keys go on with it.
    bench.press(Key::Delete);
    assert_eq!(last(&bench), (Gesture::RemovePhrases, json!({"group_ids": ids(&[3])})));
}

#[test]
fn how_much_there_is_does_not_run_under_the_buttons() {
    let mut model = open_model();
    model.mirror.as_mut().unwrap().snapshot.session = spoken();
    let (order, mut is_installed) = (ids(&[1, 2, 3, 4]), false);
    let mut bench = Harness::builder().with_size(vec2(400.0, 40.0)).build_ui(|ui| {
        if !std::mem::replace(&mut is_installed, true) {
            return crate::install(ui.ctx());
        }
        let scene = model.look().unwrap();
        let made = Made::new(ui, scene);
        let rect = Rect::from_min_size(Pos2::ZERO, vec2(330.0, 40.0));
        let cx = Cx::new(ui);
        head(&cx, scene, &made, (&order, None, 4), rect, &mut Vec::new());
    });
    bench.run_steps(2);
    let words = bench.get_by_label_contains("4 picked").rect();
    let button = bench.get_by_label("Play from the chosen phrase").rect();
    assert!(words.right() <= button.left(), "{words:?} under {button:?}");
}

#[test]
fn a_drag_from_below_the_list_moves_nothing() {
    let mut bench = bench(Page::Assembly, spoken());
    let low = bench.get_by_label_contains("Phrase 4: ").rect();
    let from = low.center_bottom() + egui::vec2(0.0, 3.0);
    let to = bench.get_by_label(FIRST).rect().center();
    bench.drag(from, to);
    assert_eq!(bench.state().actions, []);
}

#[test]
fn the_edit_plays_from_the_chosen_phrase_and_is_written_to_a_file() {
    let mut bench = bench(Page::Assembly, spoken());
    bench.click_on("Play from the chosen phrase");
    let seek = deskhand_protocol::desk::Play::Seek { at: Frames::ZERO };
    assert_eq!(bench.state().actions[0], Action::Play(seek), "none is chosen: from the first");
    bench.click_on("Export…");
    let before = bench.state().actions.len();
    bench.press(Key::M);
    assert_eq!(bench.state().actions.len(), before, "keys do not go through the open menu");
    bench.click_on("Export subtitles (SRT)…");
    let file = crate::FileCall::ExportAssembly(crate::AssemblyFile::Srt);
    assert_eq!(bench.state().actions.last(), Some(&Action::File(file)));
    bench.click_on("Export…");
    bench.click_on("Export the mix…");
    assert!(bench.query_by_label("Export 1 file").is_some(), "the export sheet opens");
}

#[test]
fn a_phrase_whose_cut_lies_behind_its_start_is_heard_where_it_plays() {
    let mut session = spoken();
    let clip = session.clips.get_mut(&ClipId::new(1)).unwrap();
    (clip.start, clip.length) = (Frames(480), Frames(432_000));
    let mut bench = bench(Page::Assembly, session);
    bench.click_on(FIRST);
    let seek = deskhand_protocol::desk::Play::Seek { at: Frames::ZERO };
    assert_eq!(bench.state().actions[0], Action::Play(seek));
}

#[test]
fn the_edit_is_as_long_as_it_plays() {
    let mut session = spoken();
    let clip = session.clips[&ClipId::new(1)].clone();
    session.clips.clear();
    // A second of the first phrase, a pause, then half a second of the last.
    let cuts = [(1, 24_000, 48_000, 480_000), (2, 192_000, 24_000, 576_000)];
    for (number, (source, start, length, position)) in (1..).zip(cuts) {
        let mut cut = Clip { source: SourceId::new(source), ..clip.clone() };
        (cut.start, cut.length) = (Frames(start), Frames(length));
        cut.position = Frames(position);
        session.clips.insert(ClipId::new(number), cut);
    }
    let spoken = session.phrases.keys().map(|id| (*id, session.spoken(*id).unwrap())).collect();
    assert_eq!(length(&session, &Places::new(&session), &spoken), 2.5);
    session.clips.clear();
    assert_eq!(length(&session, &Places::new(&session), &spoken), 0.0);
}

#[test]
fn a_phrase_that_is_cut_short_is_read_whole_by_pointing_at_it() {
    let mut session = spoken();
    let words = &mut session.segments.get_mut(&SegmentId::new(1)).unwrap().words;
    let last = words.last().cloned().unwrap();
    words.extend(std::iter::repeat_n(last, 40));
    let text = session.spoken(PhraseId::new(1)).unwrap().text;
    let mut bench = bench(Page::Assembly, session);
    let at = bench.get_by_label_contains("Phrase 1: ").rect().center();
    bench.hover_at(at);
    bench.run_steps(30);
    assert!(bench.query_by_label(&text).is_some());
}

#[test]
fn the_edit_is_tightened_by_a_button() {
    let mut bench = bench(Page::Assembly, spoken());
    bench.click_on("Tighten");
    let (gesture, params) = (Gesture::Tighten, json!({"targets": "all"}));
    let waits = Action::Plan { gesture, params };
    assert_eq!(bench.state().actions.last(), Some(&waits), "each is heard before it is taken");
    let model = &mut bench.state_mut().model;
    let op = model.op(waits).unwrap();
    model.sent(deskhand_protocol::CallId(4), &op);
    bench.run_steps(2);
    bench.click_on("Tighten");
    assert_eq!(bench.state().actions.len(), 1, "it is being done");
}

#[test]
fn the_keys_move_and_remove_a_phrase() {
    let mut bench = bench(Page::Assembly, spoken());
    bench.focus_on(FIRST);
    bench.press_with(Modifiers::ALT, Key::ArrowDown);
    let wanted = json!({"ordered_group_ids": ids(&[2, 1, 3, 4])});
    assert_eq!(last(&bench), (Gesture::ReorderPhrases, wanted));
    bench.press(Key::Delete);
    assert_eq!(last(&bench), (Gesture::RemovePhrases, json!({"group_ids": ids(&[1])})));
}

#[test]
fn what_was_removed_is_folded_and_comes_back() {
    let mut session = spoken();
    session.assembly.order.retain(|id| *id != PhraseId::new(2));
    session.assembly.removed = ids(&[2]);
    let mut bench = bench(Page::Assembly, session);
    let restore = "Restore: so the boats could find their way.";
    assert!(bench.query_by_label(restore).is_none());
    bench.click_on("Removed: 1");
    bench.click_on(restore);
    assert_eq!(last(&bench), (Gesture::RestorePhrases, json!({"group_ids": ids(&[2])})));
}

fn takes(chosen: u64) -> Duplicates {
    Duplicates {
        phrase: "the lamps".into(),
        takes: ids(&[1, 3]),
        chosen: PhraseId::new(chosen),
        reason: "it is fluent".into(),
    }
}

fn with_takes() -> Session {
    let mut session = spoken();
    session.assembly.order = ids(&[1, 2, 4]);
    session.assembly.duplicates = vec![takes(1)];
    session
}

#[test]
fn takes_are_heard_each_by_itself_and_another_is_chosen() {
    let mut bench = bench(Page::Assembly, with_takes());
    bench.click_on("2 takes");
    let only = "We left the lamps on in the harbour,. Only here: We, left, the, lamps, on, in, the, harbour,";
    assert!(bench.query_by_label(only).is_some());
    bench.click_on("Hear B");
    let stretch = (SourceId::new(2), Frames::ZERO, Frames(144_000));
    assert_eq!(bench.state().actions, [Action::Audition(Some(stretch))]);
    let host = SoundOutput::Host { name: "REAPER".into() };
    bench.state_mut().model.live.output = host;
    bench.run_steps(2);
    bench.click_on("Hear A");
    assert!(matches!(bench.state().actions.last(), Some(Action::Audition(Some(_)))));
    bench.click_on("Choose B");
    let (gesture, params) = last(&bench);
    assert_eq!(
        (gesture, &params["recommended_group_id"]),
        (Gesture::MarkTakes, &json!(PhraseId::new(3)))
    );
    assert_eq!(params["group_ids"], json!(ids(&[1, 3])));
}

#[test]
fn three_takes_stand_beside_each_other_with_sound_and_buttons_on_the_page() {
    let mut session = with_takes();
    session.assembly.order = ids(&[1, 4]);
    session.assembly.duplicates = vec![Duplicates { takes: ids(&[1, 2, 3]), ..takes(1) }];
    let mut bench = bench(Page::Takes, session);
    bench.state_mut().model.settings = Some(wide());
    bench.run_steps(3);
    let page = bench.get_by_label("Words area").rect();
    for name in ['A', 'B', 'C'] {
        let labels = ["Waveform of take", "Hear", "Choose"].map(|what| format!("{what} {name}"));
        let [wave, hear, choose] = labels.each_ref().map(|label| bench.get_by_label(label).rect());
        for rect in [wave, hear, choose] {
            assert!(page.contains_rect(rect), "{name}: {rect:?} of {page:?}");
        }
        assert!(wave.width() > 100.0 && wave.bottom() <= hear.top(), "{name}: {wave:?}");
        assert!(hear.right() < choose.left() && hear.center().y == choose.center().y, "{name}");
    }
}

#[test]
fn a_take_that_plays_is_as_long_as_it_plays() {
    let mut session = with_takes();
    // A second of the first take was cut out.
    let clip = session.clips.get_mut(&ClipId::new(1)).unwrap();
    (clip.start, clip.length) = (Frames(48_000), Frames(432_000));
    let bench = bench(Page::Takes, session);
    let told = |words: &'static str| bench.query_by_label_contains(words).is_some();
    assert!(told("Take A plays, Vocal 0:00.0 · 3.0\u{a0}s"));
    assert!(told("Take B, Guitar 0:00.0 · 3.0\u{a0}s"));
}

#[test]
fn before_there_are_phrases_the_page_of_takes_finds_them_once() {
    let mut session = spoken();
    session.assembly = Assembly::default();
    session.phrases.clear();
    let mut bench = bench(Page::Takes, session);
    bench.click_on("Find phrases");
    let waits = bench.state().actions.last().cloned().unwrap();
    let is_plan = matches!(&waits, Action::Plan { gesture: Gesture::FindPhrases, .. });
    assert!(is_plan, "its plan waits: {waits:?}");
    let model = &mut bench.state_mut().model;
    let op = model.op(waits).unwrap();
    model.sent(deskhand_protocol::CallId(4), &op);
    bench.run_steps(2);
    bench.click_on("Find phrases");
    assert_eq!(bench.state().actions.len(), 1, "it is being done");
}

pub(super) fn waiting() -> Plan {
    let session = spoken();
    let mut after = session.assembly.clone();
    after.order = ids(&[1, 2, 4]);
    after.duplicates = vec![takes(1)];
    let edit = Edit::new(session.id, session.assembly, after);
    let change = Change::SetAssembly(edit);
    Plan {
        tool: tool_of(Gesture::MarkTakes),
        changes: vec![PlannedChange::new(1, change, "the lamps".into(), String::new())],
        predicted: Vec::new(),
        findings: Vec::new(),
        ..crate::testing::gain_plan()
    }
}

#[test]
fn takes_of_a_plan_that_waits_are_applied_or_sent_back_with_the_reason() {
    let mut bench = bench(Page::Takes, spoken());
    let review = event(2, None, News::Review { plan: Box::new(waiting()) });
    drop(bench.state_mut().model.hear(&review));
    bench.run_steps(4);
    bench.click_on("Choose A");
    let plan = waiting().id;
    let apply = Action::Decide { plan, decision: Decision::Apply };
    assert_eq!(bench.state().actions, [apply]);
    bench.click_on("Choose B");
    let actions = &bench.state().actions;
    let reason = "of \"the lamps\" take B is the better one".into();
    let reject = Action::Decide { plan, decision: Decision::Reject { reason } };
    assert_eq!(actions[1], reject);
    assert_eq!(last(&bench).0, Gesture::MarkTakes);
}

#[test]
fn the_card_of_a_plan_that_marks_takes_leads_to_them() {
    let mut bench = bench(Page::Transcript, spoken());
    bench.state_mut().model.desk.words.is_open = false;
    let review = event(2, None, News::Review { plan: Box::new(waiting()) });
    drop(bench.state_mut().model.hear(&review));
    bench.run_steps(4);
    bench.click_on("Compare the takes");
    assert!(bench.query_by_label("Choose B").is_some(), "they stand beside each other");
}

#[test]
fn of_a_plan_for_two_phrases_one_is_decided_and_the_other_is_asked_for_again() {
    let mut bench = bench(Page::Takes, spoken());
    let mut plan = waiting();
    let boats = Duplicates {
        phrase: "the boats".into(),
        takes: ids(&[2, 4]),
        chosen: PhraseId::new(4),
        reason: "it is louder".into(),
    };
    let Change::SetAssembly(edit) = &mut plan.changes[0].change else { panic!("{plan:?}") };
    edit.after.duplicates.push(boats);
    let review = event(2, None, News::Review { plan: Box::new(plan.clone()) });
    drop(bench.state_mut().model.hear(&review));
    bench.run_steps(4);
    bench.click_on("Choose A");
    let reason = "of \"the lamps\" take A is kept; the others are asked for again".into();
    let reject = Action::Decide { plan: plan.id, decision: Decision::Reject { reason } };
    assert_eq!(bench.state().actions[0], reject);
    assert_eq!(last(&bench).1["recommended_group_id"], json!(PhraseId::new(1)));
    assert_eq!(bench.state().actions.len(), 2, "nothing is measured on what will be another");
    let decided = News::Decided {
        plan: plan.id,
        state: PlanState::Rejected,
        reason: None,
        receipt: None,
        follows: None,
        time_ms: None,
    };
    let model = &mut bench.state_mut().model;
    drop(model.hear(&event(3, None, decided)));
    model.mirror.as_mut().unwrap().snapshot.session.assembly.duplicates = vec![takes(1)];
    bench.run_steps(3);
    let (gesture, params) = (Gesture::MarkTakes, json!({"among": ids(&[4])}));
    assert_eq!(bench.state().actions.last(), Some(&Action::Plan { gesture, params }));
}

proptest! {
    #[test]
    fn a_move_loses_no_phrase_and_puts_it_where_it_was_wanted(
        count in 1usize..12, from in 0usize..12, to in 0usize..14,
    ) {
        let order: Vec<PhraseId> = (0..count as u64).map(PhraseId::new).collect();
        let id = order[from % count];
        let moved = moved(&order, &[id], to);
        let mut sorted = moved.clone();
        sorted.sort();
        prop_assert_eq!(&sorted, &order);
        // What was before the place is still before it.
        let place = moved.iter().position(|known| *known == id).unwrap();
        let ahead: Vec<PhraseId> =
            order.iter().take(to).copied().filter(|known| *known != id).collect();
        prop_assert_eq!(&moved[..place], ahead.as_slice());
    }
}

#[test]
fn phrases_are_found_in_the_clips_that_play_what_is_written_down() {
    let mut session = spoken();
    session.assembly = Assembly::default();
    session.phrases.clear();
    session.segments.retain(|_, segment| segment.source == SourceId::new(1));
    let mut bench = bench(Page::Assembly, session);
    bench.click_on("Find phrases");
    let (gesture, params) = (Gesture::FindPhrases, json!({"targets": [ClipId::new(1)]}));
    assert_eq!(bench.state().actions.last(), Some(&Action::Plan { gesture, params }));
}
