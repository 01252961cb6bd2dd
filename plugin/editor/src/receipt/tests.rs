//! The text of a receipt.

use super::table::{LISTED, rows_of};
use super::*;
use crate::card::view::CardView;
use crate::testing;
use crate::testing::prelude::*;
use deskhand_protocol::Read;
use deskhand_session::{Author, Played, Receipt, Revision, StoredPlan};

/// The receipt of the plan, measured so far off what it predicted.
fn received(state: PlanState, off: f64) -> Card {
    let plan = gain_plan();
    let it = &plan.predicted[0];
    let measured = Measured {
        target: it.target,
        name: "Vocal take".into(),
        measure: it.measure,
        predicted: it.value,
        measured: Some(it.value + off),
        tolerance: it.tolerance,
        unit: it.unit.clone(),
        within: off.abs() <= it.tolerance,
    };
    let receipt = Receipt {
        revision: plan.base_revision,
        plan: plan.id,
        state,
        applied: Vec::new(),
        skipped: Vec::new(),
        measured: vec![measured],
        played: Vec::new(),
        rolled_back: state == PlanState::RolledBack,
        undo_label: String::new(),
        rule: None,
        landed: None,
    };
    let (author, reason, follows) = (Author::Agent, None, None);
    let receipt = Some(receipt);
    let stored =
        StoredPlan { plan, state, author, reason, receipt, follows, time_ms: 0, decided_ms: None };
    Card { stored, number: 7, view: CardView::default() }
}

/// Where the verdict of a receipt is drawn in a room of this width, and whether it is cut.
fn verdict_drawn(card: &Card, width: f32) -> (f32, bool) {
    let mut is_installed = false;
    let builder = egui_kittest::Harness::builder().with_size(vec2(700.0, 200.0));
    let mut harness = builder.build_ui(|ui| {
        if !std::mem::replace(&mut is_installed, true) {
            return crate::install(ui.ctx());
        }
        let cx = Cx::new(ui);
        let head = Head::of(&cx, card, (Stands::Else, None), width);
        let size = vec2(width, head.height());
        head.show(&cx, Rect::from_min_size(pos2(10.0, 10.0), size), &mut Vec::new());
    });
    harness.run_steps(2);
    let said = harness.output().shapes.iter().find_map(|clipped| match &clipped.shape {
        egui::Shape::Text(text) if text.galley.text() == "as predicted, not played yet" => {
            Some((text.pos.y, text.galley.elided))
        }
        _ => None,
    });
    said.unwrap()
}

#[test]
fn a_verdict_without_room_beside_the_title_stands_whole_below_it() {
    let mut card = received(PlanState::Applied, 0.0);
    card.stored.plan.predicted[0].verify = Verify::Playback;
    let (beside, is_cut) = verdict_drawn(&card, 600.0);
    assert!(!is_cut);
    let (below, is_cut) = verdict_drawn(&card, 240.0);
    assert!(!is_cut && below > beside + 8.0, "{below} below {beside}");
}

#[test]
fn no_title_runs_under_the_button_beside_it() {
    let mut card = received(PlanState::Conflict, 0.0);
    for (number, width) in [(4, 366.0), (1_234, 190.0)] {
        card.number = number;
        let mut is_installed = false;
        let builder = egui_kittest::Harness::builder().with_size(vec2(700.0, 200.0));
        let mut harness = builder.build_ui(|ui| {
            if !std::mem::replace(&mut is_installed, true) {
                return crate::install(ui.ctx());
            }
            let cx = Cx::new(ui);
            let head = Head::of(&cx, &card, (Stands::Else, Some(864_000_000)), width);
            let size = vec2(width, head.height());
            head.show(&cx, Rect::from_min_size(pos2(10.0, 10.0), size), &mut Vec::new());
        });
        harness.run_steps(2);
        let drawn = |words: &str| {
            let text = harness.output().shapes.iter().find_map(|clipped| match &clipped.shape {
                egui::Shape::Text(text) if text.galley.text().starts_with(words) => Some(text),
                _ => None,
            });
            let text = text.unwrap();
            (text.galley.rect.translate(text.pos.to_vec2()), text.galley.elided)
        };
        let (title, is_cut) = drawn(&format!("Plan {number} not applied 1970"));
        let (button, _) = drawn("Plan again");
        assert!(title.right() <= button.left(), "{title:?} under {button:?}");
        assert_eq!(is_cut, width < 200.0, "where there is room for all of it nothing is cut");
    }
}

#[test]
fn why_a_plan_was_not_applied_stands_below_it_in_full() {
    let card = received(PlanState::Conflict, 0.0);
    assert_eq!(because(&card, ""), "the session moved on");
    let mut model = with_plan();
    let moved = "the session moved on since the plan was made: Vocal take (verse)";
    let (id, rest) = (ClipId::new(1), "moved on: expected 0.0, found -3.0; and 2 more");
    let (why, told) =
        (format!("{moved} ({id}) {rest}"), format!("{moved} {rest}").replace('-', "−"));
    model.cards.get_mut(&gain_plan().id).unwrap().stored =
        StoredPlan { reason: Some(why), ..card.stored };
    let harness = harness(model);
    let drawn = harness.output().shapes.iter().find_map(|clipped| match &clipped.shape {
        egui::Shape::Text(text) if text.galley.text() == told => Some(text),
        _ => None,
    });
    assert!(drawn.is_some_and(|text| text.galley.rows.len() > 1 && !text.galley.elided));
}

#[test]
fn of_a_part_that_was_taken_the_card_says_so_and_that_the_rest_does_not_fit() {
    let mut card = received(PlanState::Conflict, 0.0);
    card.view.ticks.taken.rows.insert("c1".into());
    assert_eq!((in_part(&card), &*because(&card, "")), (Some((1, 2)), NO_FIT));
}

#[test]
fn the_numbers_of_the_mix_come_first_and_a_click_lists_the_others() {
    let mut model = with_plan();
    let card = model.cards.get_mut(&gain_plan().id).unwrap();
    card.stored = received(PlanState::Applied, 0.0).stored;
    let receipt = card.stored.receipt.as_mut().unwrap();
    let first = receipt.measured[0].clone();
    let other = |number: usize| Measured { name: format!("Clip {number}"), ..first.clone() };
    let target = ObjectId::Session(deskhand_session::SessionId::new(1));
    receipt.measured = (0..12).map(other).collect();
    receipt.measured.push(Measured { name: "The mix".into(), target, ..first.clone() });
    assert_eq!(rows_of(card)[0].0, "The mix: integrated loudness");
    let mut harness = harness(model);
    assert!(harness.query_by_label_contains("The mix: integrated loudness").is_some());
    assert!(harness.query_by_label_contains("Clip 11: ").is_none());
    harness.click_on("and 5 more measured of plan 1");
    assert!(harness.query_by_label_contains("Clip 11: ").is_some());
    assert!(harness.query_by_label("Show fewer measured of plan 1").is_some());
}

#[test]
fn amber_is_what_stands_though_it_missed_and_red_what_was_taken_back() {
    let look = |card: &Card| look(&Theme::DARK, card.stored.state, verdict(card)).1;
    let kept = received(PlanState::Applied, 0.05);
    assert_eq!((verdict(&kept), look(&kept)), (Verdict::Kept, Theme::DARK.ok));
    let missed = received(PlanState::Applied, 0.5);
    assert_eq!((verdict(&missed), look(&missed)), (Verdict::Missed, Theme::DARK.warn));
    let back = received(PlanState::RolledBack, 0.5);
    assert_eq!((verdict(&back), look(&back)), (Verdict::None, Theme::DARK.danger));
    let mut later = received(PlanState::Applied, 0.0);
    later.stored.plan.predicted[0].verify = Verify::Playback;
    assert_eq!((verdict(&later), look(&later)), (Verdict::Later, Theme::DARK.ok));
    for (off, said, color) in
        [(0.05, Verdict::Played, Theme::DARK.ok), (0.5, Verdict::PlayedOther, Theme::DARK.warn)]
    {
        let measured = received(PlanState::Applied, off).stored.receipt.unwrap().measured.remove(0);
        let (start, end) = (Frames::ZERO, Frames(48_000));
        later.stored.receipt.as_mut().unwrap().played = vec![Played { start, end, measured }];
        assert_eq!((verdict(&later), look(&later)), (said, color));
        assert_eq!(rows_of(&later)[1].0, "Vocal take: integrated loudness, as it played next");
        assert_eq!(because(&later, ""), if off > 0.1 { AHEAD } else { "" });
        assert_eq!(because(&later, "said by others"), "said by others");
    }
    let mut unmeasured = received(PlanState::Applied, 0.0);
    unmeasured.stored.plan.predicted[0].verify = Verify::Playback;
    unmeasured.stored.receipt.as_mut().unwrap().measured.clear();
    assert_eq!(verdict(&unmeasured), Verdict::None, "nothing is known yet");
}

#[test]
fn what_was_predicted_of_a_part_once_it_was_taken_is_said_of_that_part() {
    let mut card = received(PlanState::Applied, 0.05);
    card.stored.plan.derived_from = Some(gain_plan().id);
    let (words, color) = verdict_words(&Theme::DARK, verdict(&card));
    assert_eq!((words, color), ("as predicted for this part", Theme::DARK.ok));
}

#[test]
fn a_true_peak_over_full_scale_is_told_though_it_is_as_predicted() {
    let mut model = with_plan();
    let card = model.cards.get_mut(&gain_plan().id).unwrap();
    card.stored = received(PlanState::Applied, 0.0).stored;
    let receipt = card.stored.receipt.as_mut().unwrap();
    let first = receipt.measured[0].clone();
    let peak = |name: &str, value: f64| Measured {
        name: name.into(),
        measure: deskhand_session::Measure::TruePeak,
        predicted: value,
        measured: Some(value),
        unit: "dBTP".into(),
        ..first.clone()
    };
    let other = |number: usize| Measured { name: format!("Clip {number}"), ..first.clone() };
    receipt.measured.extend((0..LISTED).map(other));
    receipt.measured.extend([peak("Guitar take", 0.4), peak("Vocal take", 0.84)]);
    let harness = harness(model);
    let told = "Plan 1 applied, as predicted. Peaks of Vocal take reach +0.8 dBTP: over 0";
    assert!(harness.query_by_label(told).is_some());
    let row = "Vocal take: true peak: predicted +0.8 dBTP, measured +0.8 dBTP, difference 0.0";
    assert!(harness.query_by_label(row).is_some());
}

#[test]
fn of_more_than_are_listed_what_missed_comes_first() {
    let mut card = received(PlanState::Applied, 0.0);
    let of = |off| received(PlanState::Applied, off).stored.receipt.unwrap().measured.remove(0);
    let (start, end) = (Frames::ZERO, Frames(48_000));
    let receipt = card.stored.receipt.as_mut().unwrap();
    receipt.measured = vec![of(0.0); LISTED];
    receipt.played = vec![Played { start, end, measured: of(0.5) }];
    let rows = rows_of(&card);
    assert_eq!((rows.len(), rows[0].1.within), (LISTED + 1, false));
    assert_eq!(rows[0].0, "Vocal take: integrated loudness, as it played next");
}

#[test]
fn what_plays_otherwise_is_read_out_with_its_reason_and_its_row() {
    let mut model = with_plan();
    let card = model.cards.get_mut(&gain_plan().id).unwrap();
    let (now, played) = (received(PlanState::Applied, 0.05), received(PlanState::Applied, 6.0));
    let measured = played.stored.receipt.unwrap().measured.remove(0);
    card.stored = now.stored;
    card.stored.plan.predicted[0].verify = Verify::Playback;
    let (start, end) = (Frames::ZERO, Frames(192_000));
    card.stored.receipt.as_mut().unwrap().played = vec![Played { start, end, measured }];
    let harness = harness(model);
    let head = format!("Plan 1 applied, plays other than predicted, {AHEAD}");
    assert!(harness.query_by_label(&head).is_some());
    let row = "Vocal take: integrated loudness, as it played next: predicted −16.0 LUFS, measured −10.0 LUFS, difference +6.0";
    assert!(harness.query_by_label(row).is_some());
}

#[test]
fn a_plan_that_was_rejected_says_when_and_still_shows_what_it_would_have_changed() {
    let mut model = with_plan();
    let id = gain_plan().id;
    let now = chrono::Utc::now().timestamp_millis();
    let decided = News::Decided {
        plan: id,
        state: PlanState::Rejected,
        reason: Some("too loud".into()),
        receipt: None,
        follows: None,
        time_ms: Some(now),
    };
    drop(model.hear(&event(9, None, decided)));
    let mut harness = harness(model);
    let head = format!("Plan 1 rejected {}, too loud", wall_clock(now).unwrap());
    assert!(harness.query_by_label(&head).is_some());
    let row = "1: Vocal take, clip gain, from 0.0 to +4.5 dB";
    assert!(harness.query_by_label(row).is_none());
    harness.click_on("2 changes of plan 1");
    assert!(harness.query_by_label(row).is_some());
    harness.click_on("2 changes of plan 1");
    assert!(harness.query_by_label(row).is_none());
}

#[test]
fn of_a_plan_that_was_taken_in_part_what_was_left_out_is_told() {
    let mut card = received(PlanState::Applied, 0.0);
    let planned = card.stored.plan.changes[0].clone();
    assert!(!changes::is_left_out(&card, &planned));
    card.stored.receipt.as_mut().unwrap().skipped = vec![planned.id.clone()];
    assert!(changes::is_left_out(&card, &planned));
}

/// The plan in a state, measured so far off, as revision 2 of a history; with what undo and redo take next.
fn in_history(state: PlanState, off: f64, undo: &[u64], redo: &[u64]) -> Model {
    let mut model = with_plan();
    model.cards.get_mut(&gain_plan().id).unwrap().stored = received(state, off).stored;
    let step = |id: u64| Revision {
        plan: (id == 2).then_some(gain_plan().id),
        ..testing::revision(id, Vec::new())
    };
    let revisions: Vec<Revision> = (1..5).map(step).collect();
    let answer = json!({"head": 4, "revisions": revisions, "undo": undo, "redo": redo});
    let result = ToolResult::new(Status::Ok, "read", RevisionId(4));
    let result = Box::new(ToolResult { answer: Some(answer), ..result });
    model.sent(CallId(5), &Op::Read { what: Read::History });
    assert_eq!(model.hear(&event(3, Some(CallId(5)), News::Done { result })), []);
    model
}

#[test]
fn a_receipt_offers_what_undo_or_redo_would_take_next_whatever_came_since() {
    let step = |gesture, revision: u64| call(gesture, json!({"revision": revision}));
    // Later selections and recordings are not named by undo.
    let last = in_history(PlanState::Applied, 0.0, &[2, 1], &[]);
    let undone = in_history(PlanState::Undone, 0.0, &[1], &[2]);
    let earlier = in_history(PlanState::Undone, 0.0, &[], &[1, 2, 3]);
    let missed = in_history(PlanState::Applied, 0.5, &[4, 3, 2, 1], &[]);
    for (model, label, actions) in [
        (last, "Undo", vec![step(Gesture::UndoStep, 2)]),
        (undone, "Redo", vec![step(Gesture::RedoStep, 2)]),
        (earlier, "Redo 2 steps", [1, 2].map(|id| step(Gesture::RedoStep, id)).into()),
        (missed, "Undo 3 steps", [4, 3, 2].map(|id| step(Gesture::UndoStep, id)).into()),
    ] {
        let mut harness = harness(model);
        harness.get_all_by_label(label).last().unwrap().click();
        harness.run_steps(2);
        assert_eq!(harness.state().actions, actions, "{label}");
    }
}

#[test]
fn a_plan_that_kept_its_promise_leaves_later_steps_alone() {
    let harness = harness(in_history(PlanState::Applied, 0.0, &[4, 3, 2, 1], &[]));
    assert!(harness.query_by_label("Undo 3 steps").is_none());
}

#[test]
fn a_plan_that_was_redone_says_when_it_was_applied_as_the_history_does() {
    let mut model = in_history(PlanState::Applied, 0.0, &[2, 1], &[]);
    let (id, applied, redone) = (gain_plan().id, 1_700_000_000_000, 1_700_000_600_000);
    model.history.iter_mut().for_each(|step| step.time_ms = applied);
    model.cards.get_mut(&id).unwrap().stored.decided_ms = Some(redone);
    assert_eq!(model.decided_at(id), Some(applied));
    model.cards.get_mut(&id).unwrap().stored.state = PlanState::Undone;
    assert_eq!(model.decided_at(id), Some(redone), "that it was undone is no step of the history");
}
