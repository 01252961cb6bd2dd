//! The card of a plan that cuts two fillers, with a split that serves both.

use super::*;
use crate::card::lines::{Line, Lines};
use crate::card::view::CardView;
use crate::live::SoundOutput;
use crate::testing::prelude::*;
use crate::testing::session;
use deskhand_protocol::desk::Play;
use deskhand_session::{Group, GroupId, Ripple, SplitState};

const UM: &str = "Change 1: \"um,\" at 0:01.000, cut, 0.30 s";
const UH: &str = "Change 2: \"uh\" at 0:05.000, cut, 0.50 s";

/// The cuts, the last first.
fn cut_outs() -> [CutOut; 2] {
    let out = |what: &str, at: i64, length: i64, before: &str, after: Option<&str>| CutOut {
        kind: CutKind::Filler,
        what: what.into(),
        at: Frames(at),
        length: Frames(length),
        before: Some(before.into()),
        after: after.map(str::to_owned),
    };
    [
        out("\"uh\"", 240_000, 24_000, "sea.", None),
        out("\"um,\"", 48_000, 14_400, "went", Some("to")),
    ]
}

/// A group, a split of the clip of the vocal at 2 s, then the cuts, the last first.
fn plan() -> Plan {
    let mut plan = Plan { tool: "tool_tighten".into(), changes: Vec::new(), ..gain_plan() };
    (plan.findings, plan.predicted) = (Vec::new(), Vec::new());
    let mut now = session();
    let tracks = vec![TrackId::new(1)];
    let mut add = |change: Change, cut: Option<CutOut>, needs: &[&str], now: &mut Session| {
        let number = plan.changes.len() + 1;
        let reason = if cut.is_some() { "it goes" } else { "a cut needs it" };
        let mut planned = PlannedChange::new(number, change, "Vocal".into(), reason.into());
        planned.cut = cut;
        planned.needs = needs.iter().map(|id| (*id).to_owned()).collect();
        planned.to_hear = matches!(planned.change, Change::RippleDelete(_));
        let alone = Plan { changes: vec![planned.clone()], ..gain_plan() };
        *now = alone.applied_to(now).unwrap();
        plan.changes.push(planned);
    };
    let group = Group { name: "Vocal".into(), tracks: tracks.clone() };
    let group = Change::SetGroup(Edit::create(GroupId::new(1), group));
    add(group, None, &[], &mut now);
    let (clip, right_id) = (now.clips[&ClipId::new(1)].clone(), ClipId::new(11));
    let parts = SplitState::parts(&clip, right_id, Frames(96_000));
    let split = Edit::new(ClipId::new(1), SplitState::Whole { clip, right_id }, parts);
    add(Change::SplitClip(split), None, &[], &mut now);
    for (number, out) in (12..).zip(cut_outs()) {
        let before = Ripple::now(&now, &tracks, out.at, out.length);
        let after = before.closed(|| ClipId::new(number));
        let cut = Change::RippleDelete(Edit::new(GroupId::new(1), before, after));
        add(cut, Some(out), &["c1", "c2"], &mut now);
    }
    plan
}

fn opened() -> Harness<'static, Desk> {
    let mut model = open_model();
    model.live.output = SoundOutput::Device { name: "Speakers".into() };
    assert_eq!(model.hear(&event(2, None, News::Review { plan: Box::new(plan()) })), []);
    harness(model)
}

fn view<'h>(harness: &'h Harness<'_, Desk>) -> &'h CardView {
    &harness.state().model.cards[&gain_plan().id].view
}

fn off(harness: &Harness<'_, Desk>) -> Vec<String> {
    view(harness).ticks.off.iter().cloned().collect()
}

#[test]
fn each_cut_is_one_row_the_first_in_time_first_and_its_splits_follow_its_tick() {
    let mut harness = opened();
    assert!(harness.query_by_label_contains("split").is_none());
    assert_eq!(off(&harness), ["c1", "c2", "c3", "c4"], "nothing is taken unheard");
    harness.click_on(&format!("{UM}, not heard yet"));
    assert_eq!(off(&harness), ["c3"]);
    let plays = |action: &&Action| **action == Action::Play(Play::Start);
    assert_eq!(harness.state().actions.iter().filter(plays).count(), 1, "it is heard in place");
    harness.click_on(&format!("{UH}, not heard yet"));
    assert_eq!(off(&harness), [""; 0]);
    harness.click_on(&format!("{UM}, heard"));
    assert_eq!(off(&harness), ["c4"], "the other one needs the split as well");
    harness.click_on("Apply 1 cut");
    let only = Some(["c1", "c2", "c3"].map(String::from).into());
    let (plan, decision) = (gain_plan().id, Decision::ApplyPart { only, set: Vec::new() });
    assert_eq!(harness.state().actions.last(), Some(&Action::Decide { plan, decision }));
}

#[test]
fn stepping_goes_from_cut_to_cut_in_time() {
    let mut harness = opened();
    let id = gain_plan().id;
    harness.state_mut().model.cards.get_mut(&id).unwrap().view.focus.takes_keyboard = true;
    harness.run_steps(3);
    for (key, row) in [(Key::J, 3), (Key::J, 2), (Key::J, 2), (Key::K, 3)] {
        harness.press(key);
        assert_eq!(view(&harness).list.current, Some(row), "{key:?}");
    }
    assert!(harness.query_by_label(&format!("{UH}, heard")).is_some());
}

#[test]
fn ghosts_have_the_numbers_of_the_rows() {
    let mut harness = opened();
    harness.click_on("Tick all");
    let [um, uh] =
        [1, 2].map(|number| harness.get_by_label(&format!("Ghost of change {number}")).rect());
    assert!(um.right() < uh.left(), "{um:?} {uh:?}");
    let all = harness.query_all_by_label_contains("Ghost").count();
    assert_eq!(all, 2, "what only prepares them has none");
}

#[test]
fn a_cut_whose_split_is_stale_is_measured_again_and_comes_back_without_a_tick_that_it_had_not() {
    let mut harness = opened();
    let mut sets = |from: f64, to: f64, (head, next): (u64, u64)| {
        let gain = Edit::new(ClipId::new(1), Decibels(from), Decibels(to));
        let (from, to) = (RevisionId(head), RevisionId(next));
        let (label, changes) = ("Clip gain".into(), vec![Change::SetClipGain(gain)]);
        let moved = News::Moved { from, to, label, changes, at: None };
        drop(harness.state_mut().model.hear(&event(next + 1, None, moved)));
        harness.run_steps(4);
        harness.query_all_by_label("Measure all again").count()
    };
    assert_eq!(sets(0.0, 1.0, (1, 2)), 1, "the split is of the clip as it was");
    assert_eq!(sets(1.0, 0.0, (2, 3)), 0);
    assert_eq!(off(&harness), ["c1", "c2", "c3", "c4"]);
}

#[test]
fn what_a_row_says_of_a_cut_is_the_data_of_its_plan() {
    let (mut plan, session) = (plan(), session());
    let told = |plan: &Plan| Cuts::of(plan).told(&plan.changes[3], &session);
    let row = told(&plan);
    assert_eq!((row.name.as_str(), row.after.as_str()), ("\"um,\" at 0:01.000", "0.30"));
    let beside = "Vocal, between \"went\" and \"to\"";
    assert_eq!((row.unit.as_str(), row.reason.as_str()), ("s", beside));
    // A plan of an older version: the text is in its reason.
    (plan.changes[3].cut, plan.changes[3].reason) = (None, "\"um,\" at 0:01.000, 0.30 s".into());
    let row = told(&plan);
    assert_eq!((row.name.as_str(), row.after.as_str()), ("\"um,\" at 0:01.000, 0.30 s", ""));
}

#[test]
fn cuts_are_found_by_their_kind() {
    let mut plan = plan();
    plan.changes[3].cut.as_mut().unwrap().kind = CutKind::FalseStart;
    let found = |words: &str| {
        let mut lines = Lines::default();
        lines.settle(&plan, &Cuts::of(&plan), &session(), words, 40.0);
        lines.lines
    };
    assert_eq!(found("false start"), [Line::Row(3)]);
    assert_eq!(found("filler"), [Line::Row(2)]);
}

/// A gain plan in which one recording is in three pieces.
fn pieces() -> Plan {
    let gain = gain_plan().changes[0].clone();
    let piece = |number: u64| {
        let edit = Edit::new(ClipId::new(number), Decibels::UNITY, Decibels(4.5));
        let needs = vec![format!("c{}", if number == 1 { 3 } else { number - 1 })];
        let id = format!("c{number}");
        PlannedChange { id, change: Change::SetClipGain(edit), needs, ..gain.clone() }
    };
    let other = PlannedChange { id: "c4".into(), ..gain_plan().changes[1].clone() };
    let changes = vec![piece(1), piece(2), piece(3), other];
    Plan { changes, predicted: Vec::new(), findings: Vec::new(), ..gain_plan() }
}

#[test]
fn one_gain_for_several_pieces_is_one_row_which_is_ticked_and_edited_as_one() {
    let plan = pieces();
    let mut view = CardView::of(&plan);
    assert_eq!(view.ticks.cuts.rows(4), [0, 3]);
    assert_eq!(view.ticks.cuts.ghost(2), Some(0), "each piece has the ghost of the row");
    let told = view.ticks.cuts.told(&plan.changes[0], &session());
    assert_eq!(told.name, "Vocal take, 3 clips");
    assert_eq!(view.ticks.count(&plan), 2);
    view.ticks.tick(&plan, "c1");
    assert_eq!((view.ticks.count(&plan), view.ticks.off.len()), (1, 3));
    view.ticks.tick(&plan, "c1");
    view.values.editing = Some(crate::card::values::Editing::of("c1", 4.5));
    view.values.editing.as_mut().unwrap().text = "3.0".into();
    assert!(view.values.settle(&plan, &session()));
    let edits: Vec<_> = view.values.edits.iter().map(|(id, db)| (id.as_str(), *db)).collect();
    assert_eq!(edits, [("c1", 3.0), ("c2", 3.0), ("c3", 3.0)]);
}
