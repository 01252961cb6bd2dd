//! Ticks, edits and the decision that they make.

use super::cuts::Cuts;
use super::lines::Lines;
use super::view::CardView;
use super::*;
use crate::live::{Motion, SoundOutput};
use crate::testing::prelude::*;
use deskhand_protocol::desk::Play;
use deskhand_session::plan::ValueEdit;
use deskhand_session::track::PlacedTrack;
use deskhand_session::{
    Clip, Finding, Marker, MarkerId, Measure, PlannedChange, SplitState, Track,
};

#[test]
fn a_row_takes_what_needs_it_along() {
    let mut plan = gain_plan();
    plan.changes[1].needs = vec!["c1".into()];
    let mut view = CardView::default();
    view.ticks.tick(&plan, "c1");
    assert_eq!(view.ticks.count(&plan), 0);
    assert_eq!(view.decision(&plan), None);
    view.ticks.tick(&plan, "c2");
    assert_eq!(view.ticks.count(&plan), 2);
    assert_eq!(view.decision(&plan), Some(Decision::Apply));
}

#[test]
fn a_row_that_lost_its_tick_with_another_one_says_which() {
    let mut model = with_plan();
    let plan = &mut model.cards.get_mut(&gain_plan().id).unwrap().stored.plan;
    plan.changes[1].needs = vec!["c1".into()];
    let mut harness = harness(model);
    let second = "Change 2: Guitar take, clip gain, from 0.0 to −3.0 dB";
    assert!(harness.query_by_label(second).is_some());
    harness.click_on("Change 1: Vocal take, clip gain, from 0.0 to +4.5 dB");
    let hint = format!("{second}, needs row 1");
    let texts = |harness: &Harness<'_, Desk>| {
        harness.output().shapes.iter().any(|clipped| {
            matches!(&clipped.shape, egui::Shape::Text(text)
                if text.galley.text().starts_with("Needs row 1. measured"))
        })
    };
    assert!(texts(&harness), "it is drawn");
    harness.click_on(&hint);
    assert!(harness.query_by_label(second).is_some(), "both have their ticks again");
    assert!(!texts(&harness));
}

#[test]
fn where_a_row_is_stale_the_box_of_all_still_takes_the_ticks_of_the_others() {
    let (plan, ids) = (gain_plan(), ["c1", "c2"].map(str::to_owned));
    let mut view = CardView::default();
    for set in [&mut view.ticks.stale.rows, &mut view.ticks.stale.ticked, &mut view.ticks.off] {
        set.insert("c1".into());
    }
    view.ticks.toggle_all(&plan, &ids);
    assert_eq!(view.ticks.unticked(), ids.clone().into(), "the person took both");
    view.ticks.toggle_all(&plan, &ids);
    assert_eq!(view.ticks.off, ["c1".to_owned()].into(), "the stale one cannot have one");
    view.ticks.stale.rows = ids.clone().into();
    (view.ticks.stale.ticked, view.ticks.off) = (ids.clone().into(), ids.clone().into());
    view.ticks.toggle_all(&plan, &ids);
    assert!(view.ticks.unticked().is_empty(), "there was nothing to take");
}

#[test]
fn an_edited_value_goes_with_the_decision() {
    let plan = gain_plan();
    let mut view = CardView::default();
    view.values.edits.insert("c2".into(), -2.5);
    let set = vec![ValueEdit { change: "c2".into(), after: (-2.5).into() }];
    assert_eq!(view.decision(&plan), Some(Decision::ApplyPart { only: None, set }));
    view.ticks.tick(&plan, "c2");
    let only = Some(vec!["c1".to_owned()]);
    assert_eq!(view.decision(&plan), Some(Decision::ApplyPart { only, set: Vec::new() }));
}

#[test]
fn a_card_counts_as_seen_after_half_a_second_in_view() {
    let mut view = CardView::default();
    assert!(!view.focus.is_seen(true, 1.0));
    assert!(!view.focus.is_seen(true, 1.4));
    assert!(view.focus.is_seen(true, 1.5));
    assert!(!view.focus.is_seen(false, 1.6));
    assert!(!view.focus.is_seen(true, 1.7));
}

#[test]
fn a_decision_that_went_with_who_would_have_answered_can_be_made_again() {
    let plan = gain_plan().id;
    let mut model = with_plan();
    let decision = Decision::Apply;
    let card = model.cards.get_mut(&plan).unwrap();
    (card.view.deciding.was_sent, card.view.deciding.progress) = (true, 0.5);
    model.sent(CallId(8), &Op::Decide { plan, decision: decision.clone() });
    (model.saying, model.says_next) = ("Meas".into(), Some("and pan it".into()));
    drop(model.found());
    assert_eq!((model.saying.as_str(), model.draft.as_str()), ("", "and pan it"));
    let mut harness = harness(model);
    harness.click_on("Apply 2 changes");
    assert_eq!(harness.state().actions, [Action::Decide { plan, decision }]);
}

#[test]
fn a_rule_for_the_tool_is_made_with_the_plan_as_it_came_and_not_with_a_part_of_it() {
    let plan = gain_plan().id;
    let mut harness = harness(with_plan());
    let row = "Change 2: Guitar take, clip gain, from 0.0 to −3.0 dB";
    harness.click_on(row);
    harness.click_on("Always allow");
    assert_eq!(harness.state().actions, [], "a row is left out");
    harness.click_on(row);
    harness
        .state_mut()
        .model
        .cards
        .get_mut(&plan)
        .unwrap()
        .view
        .values
        .edits
        .insert("c2".into(), -2.5);
    harness.run_steps(2);
    harness.click_on("Always allow");
    assert_eq!(harness.state().actions, [], "a value is another");
    harness.state_mut().model.cards.get_mut(&plan).unwrap().view.values.edits.clear();
    harness.run_steps(2);
    harness.click_on("Always allow");
    let decision = Decision::ApplyAlways;
    assert_eq!(harness.state().actions, [Action::Decide { plan, decision }]);
}

#[test]
fn the_rule_for_the_tool_is_offered_however_many_changes_there_are() {
    for count in [2, 12, 300, 50_000] {
        let mut model = with_plan();
        let first = gain_plan().changes[0].clone();
        let change = |index| PlannedChange { id: format!("c{index}"), ..first.clone() };
        let changes = (1..=count).map(change).collect();
        let card = model.cards.get_mut(&gain_plan().id).unwrap();
        card.stored.plan = Plan { changes, ..gain_plan() };
        let harness = harness(model);
        let foot = harness.get_by_label("Always allow").rect();
        assert!(foot.right() < 1440.0 - space::M, "{count}: {foot:?}");
    }
}

#[test]
fn what_repeated_before_a_step_repeats_again_once_no_change_is_stepped_to() {
    let plan = gain_plan().id;
    let before = (Frames(10), Frames(20));
    let mut model = with_plan();
    model.live.output = SoundOutput::Device { name: "Speakers".into() };
    model.live.cycle = Some(before);
    let card = model.cards.get_mut(&plan).unwrap();
    let fader = Edit::new(TrackId::new(2), Decibels(0.0), Decibels(-3.0));
    card.stored.plan.changes[1].change = Change::SetTrackGain(fader);
    card.view.focus.takes_keyboard = true;
    let mut harness = harness(model);
    let loops = |harness: &egui_kittest::Harness<'_, crate::ui_tests::Desk>| {
        let actions = harness.state().actions.iter();
        let ranges = actions.filter_map(|action| match action {
            Action::Play(Play::Loop { range }) => Some(*range),
            _ => None,
        });
        ranges.collect::<Vec<_>>()
    };
    let here = Some((Frames(0), Frames(96_000)));
    harness.press(Key::J);
    assert_eq!(loops(&harness), [here]);
    harness.press(Key::J);
    assert_eq!(loops(&harness), [here, Some(before)], "a fader has no place in time");
    harness.press(Key::K);
    harness.click_on("Apply 2 changes");
    assert_eq!(loops(&harness), [here, Some(before), here, Some(before)]);
    let decided = Action::Decide { plan, decision: Decision::Apply };
    assert_eq!(harness.state().actions.last(), Some(&decided));
}

/// A card with the keyboard, where there is something to hear with.
fn stepping() -> Harness<'static, Desk> {
    let plan = gain_plan().id;
    let mut model = with_plan();
    model.live.output = SoundOutput::Device { name: "Speakers".into() };
    model.cards.get_mut(&plan).unwrap().view.focus.takes_keyboard = true;
    harness(model)
}

fn stepping_to_a_fader(change: Change) -> Harness<'static, Desk> {
    let mut harness = stepping();
    let card = harness.state_mut().model.cards.get_mut(&gain_plan().id).unwrap();
    card.stored.plan.changes[1].change = change;
    card.view.list.current = Some(0);
    harness.run_steps(2);
    harness.press(Key::J);
    harness
}

fn heard() -> [Action; 2] {
    let (plan, which) = (gain_plan().id, deskhand_protocol::desk::Which::LevelMatched);
    [Action::Play(Play::Hear { plan, which }), Action::Play(Play::Start)]
}

#[test]
fn a_fader_is_heard_from_where_the_player_is_and_what_changes_no_sound_says_so() {
    let fader = Edit::new(TrackId::new(2), Decibels(0.0), Decibels(-3.0));
    let mut harness = stepping_to_a_fader(Change::SetTrackGain(fader));
    assert_eq!(harness.state().actions, heard());
    // The clips are 10 s long: nothing plays where the player is.
    harness.state_mut().model.live.position = Frames(48_000 * 60);
    harness.state_mut().actions.clear();
    harness.press(Key::J);
    let [plan, start] = heard();
    let seek = Action::Play(Play::Seek { at: Frames(0) });
    assert_eq!(harness.state().actions, [seek, plan, start], "the last is heard again");
    let name = Edit::new(TrackId::new(2), "Guitar".to_owned(), "Lead".to_owned());
    let harness = stepping_to_a_fader(Change::RenameTrack(name));
    assert_eq!(harness.state().actions, []);
    let why = "Change 2 is not heard: it changes no sound";
    assert!(harness.query_by_label_contains(why).is_some());
}

#[test]
fn without_sound_a_step_says_why_nothing_is_heard() {
    let mut harness = stepping();
    harness.state_mut().model.live.output = SoundOutput::None { why: "no device".into() };
    harness.press(Key::J);
    assert!(harness.query_by_label_contains("Change 1 is not heard: no device").is_some());
}

#[test]
fn the_one_change_of_a_line_is_heard_by_the_same_keys() {
    let mut model = with_plan();
    model.live.output = SoundOutput::Device { name: "Speakers".into() };
    let card = model.cards.get_mut(&gain_plan().id).unwrap();
    card.stored.plan.changes.truncate(1);
    card.stored.plan.warnings.clear();
    card.view.focus.takes_keyboard = true;
    let mut harness = harness(model);
    assert!(harness.query_by_label("Reject…").is_none(), "it is one line");
    for key in [Key::J, Key::K] {
        harness.state_mut().actions.clear();
        harness.press(key);
        let range = Some((Frames(0), Frames(96_000)));
        let place = [Play::Seek { at: Frames(0) }, Play::Loop { range }].map(Action::Play);
        let wanted: Vec<Action> = place.into_iter().chain(heard()).collect();
        assert_eq!(harness.state().actions, wanted, "{key:?}");
    }
    harness.focus_on("Ask");
    let last = Action::Play(Play::Loop { range: None });
    assert_eq!(harness.state().actions.last(), Some(&last), "it repeats no more");
}

#[test]
fn a_long_change_is_heard_where_it_begins_then_where_it_ends_and_again() {
    let mut harness = stepping();
    // The clip of the first change is 10 s long.
    harness.press(Key::J);
    harness.state_mut().model.live.motion = Motion::Playing;
    let (begins, ends) = ((Frames(0), Frames(96_000)), (Frames(384_000), Frames(576_000)));
    let mut goes_to = |positions: &[i64], range: (Frames, Frames)| {
        harness.state_mut().actions.clear();
        for (place, at) in positions.iter().enumerate() {
            let actions = &harness.state().actions;
            assert!(actions.is_empty(), "{place}: {actions:?}");
            harness.state_mut().model.live.position = Frames(*at);
            harness.step();
        }
        let [looped, seeks] = [Play::Loop { range: Some(range) }, Play::Seek { at: range.0 }];
        assert_eq!(harness.state().actions, [Action::Play(looped), Action::Play(seeks)]);
    };
    goes_to(&[0, 48_000, 95_000], ends);
    // It takes a moment until the player is there.
    goes_to(&[95_500, 384_000, 480_000, 574_000], begins);
    // A frame came late, so the stretch started over.
    goes_to(&[574_500, 100, 90_000, 50], ends);
    // The person moves the player elsewhere, and the card leaves it there.
    let player = &mut harness.state_mut().model.live;
    player.position = Frames(200_000);
    harness.state_mut().actions.clear();
    harness.run_steps(3);
    assert_eq!(harness.state().actions, []);
}

#[test]
fn the_arrows_step_in_a_card_and_leave_the_keyboard_there() {
    let mut harness = stepping();
    for row in [0, 1, 1] {
        harness.press(Key::ArrowDown);
        let view = &harness.state().model.cards[&gain_plan().id].view;
        assert_eq!((view.list.current, view.focus.whole.is_some()), (Some(row), true));
    }
}

#[test]
fn a_change_is_heard_whole_while_that_is_short() {
    let heard = |from: i64, to: i64| {
        let rate = deskhand_dsp::SampleRate(48_000);
        let all = step::stretches(Frames(from * 48_000), Frames(to * 48_000), rate);
        all.iter().map(|(from, to)| (from.0 / 48_000, to.0 / 48_000)).collect::<Vec<_>>()
    };
    assert_eq!(heard(10, 10), [(8, 12)]);
    assert_eq!(heard(10, 14), [(8, 16)]);
    assert_eq!(heard(10, 15), [(8, 12), (13, 17)]);
    assert_eq!(heard(1, 30), [(0, 3), (28, 32)]);
}

#[test]
fn a_split_is_heard_with_the_change_that_needs_it() {
    let mut harness = stepping();
    let model = &mut harness.state_mut().model;
    let clip = model.session().unwrap().clips[&ClipId::new(1)].clone();
    let right_id = ClipId::new(9);
    let parts = SplitState::parts(&clip, right_id, Frames(96_000));
    let card = model.cards.get_mut(&gain_plan().id).unwrap();
    let changes = &mut card.stored.plan.changes;
    let whole = SplitState::Whole { clip, right_id };
    changes[0].change = Change::SplitClip(Edit::new(ClipId::new(1), whole, parts));
    changes[1].needs = vec!["c1".into()];
    let mut goes_to = |key| {
        harness.press(key);
        harness.state().model.cards[&gain_plan().id].view.list.current
    };
    assert_eq!(goes_to(Key::J), Some(1));
    assert_eq!(goes_to(Key::K), Some(1), "ahead of it there is only the split");
    assert_eq!(goes_to(Key::ArrowUp), Some(0), "it can be looked at");
}

#[test]
fn a_step_is_over_when_the_card_loses_the_keyboard() {
    let mut harness = stepping();
    harness.press(Key::J);
    harness.focus_on("Ask");
    let last = Action::Play(Play::Loop { range: None });
    assert_eq!(harness.state().actions.last(), Some(&last));
}

#[test]
fn what_a_call_asks_for_is_shown_to_its_end_before_it_may_run() {
    let mut model = with_plan();
    let card = model.cards.get_mut(&gain_plan().id).unwrap();
    let params = serde_json::json!({"text": "x".repeat(1_000)});
    let length = params.to_string().len();
    card.stored.plan = Plan { changes: Vec::new(), params, ..gain_plan() };
    let mut harness = harness(model);
    let more = format!("Show {} more characters", length - 600);
    harness.click_on(&more);
    assert!(harness.query_by_label_contains("more characters").is_none());
}

#[test]
fn a_finding_says_of_which_band_it_is() {
    let mut model = with_plan();
    let plan = &mut model.cards.get_mut(&gain_plan().id).unwrap().stored.plan;
    let method = "third octave around 100 Hz, now".to_owned();
    let found = Finding::new(TrackId::new(1), Measure::BandLevel, Some(-30.0));
    plan.findings.push(Finding { method, ..found });
    let harness = harness(model);
    let words = "Vocal, third octave around 100 Hz, now −30.0 dBFS";
    assert!(harness.query_by_label(words).is_some());
    assert!(harness.query_by_label("Vocal take, integrated loudness −20.5 LUFS").is_some());
}

/// A track, a clip and a marker that a plan makes: of the track it gives the id, of the others no name.
fn making() -> Plan {
    let track = TrackId::new(9);
    let placed = PlacedTrack { index: 2, track: Track::audio("Choir") };
    let clip = crate::testing::session().clips[&ClipId::new(1)].clone();
    let clip = |name: &str| Clip { name: name.into(), track, ..clip.clone() };
    let marker =
        Marker { name: "Refrain".into(), position: Frames(96_000), length: Frames(0), code: None };
    let change = |number: usize, change: Change, name: String| {
        PlannedChange::new(number, change, name, String::new())
    };
    let add_clip =
        |number, name: &str| Change::AddClip(Edit::create(ClipId::new(number), clip(name)));
    let add_marker = Change::AddMarker(Edit::create(MarkerId::new(5), marker));
    let changes = vec![
        change(1, Change::AddTrack(Edit::create(track, placed)), track.to_string()),
        change(2, add_clip(90, "Choir, take 1"), String::new()),
        change(3, add_clip(91, ""), String::new()),
        change(4, add_marker, String::new()),
    ];
    Plan { changes, ..gain_plan() }
}

#[test]
fn what_a_plan_makes_has_the_name_that_it_is_made_with() {
    let mut model = with_plan();
    model.cards.get_mut(&gain_plan().id).unwrap().stored.plan = making();
    let harness = harness(model);
    for row in [
        "Change 1: Choir, new track, Choir",
        "Change 2: Choir, take 1, new clip at 0:00, 10.0 s",
        "Change 3: Vocal, new clip at 0:00, 10.0 s",
        "Change 4: Refrain, new marker, 0:02.000, 0.0\u{a0}s",
    ] {
        assert!(harness.query_by_label(row).is_some(), "{row}");
    }
    let mut lines = Lines::default();
    lines.settle(&making(), &Cuts::default(), &crate::testing::session(), "", lines::ROW);
    let groups: Vec<&str> = lines.groups.iter().map(|group| group.name.as_str()).collect();
    let wanted =
        ["Choir, new track", "Choir, take 1, new clip", "Vocal, new clip", "Refrain, new marker"];
    assert_eq!(groups, wanted);
}

#[test]
fn where_each_group_would_be_one_row_there_are_no_heads() {
    let named = |count: usize, kinds: usize| {
        let change = |number: usize| {
            let name = format!("Phrase {}", number % kinds);
            let marker = Marker { name, position: Frames(0), length: Frames(0), code: None };
            let edit = Edit::create(MarkerId::new(number as u64), marker);
            PlannedChange::new(number, Change::AddMarker(edit), String::new(), String::new())
        };
        let changes = (1..=count).map(change).collect();
        let mut lines = Lines::default();
        let plan = Plan { changes, ..gain_plan() };
        lines.settle(&plan, &Cuts::default(), &crate::testing::session(), "", lines::ROW);
        lines
    };
    for count in [14, 60] {
        let flat = named(count, 1_000);
        assert_eq!(flat.lines, (0..count).map(lines::Line::Row).collect::<Vec<_>>());
        assert_eq!(flat.step(Some(2), true), Some(3));
    }
    let grouped = named(14, 13);
    assert_eq!(grouped.lines.len(), 14 + 13, "two are of one kind");
}

#[test]
fn a_number_of_four_digits_stands_beside_its_tick() {
    let mut model = with_plan();
    let first = gain_plan().changes[0].clone();
    let change = |index| PlannedChange { id: format!("c{index}"), ..first.clone() };
    let changes = (1..=1_300).map(change).collect();
    let card = model.cards.get_mut(&gain_plan().id).unwrap();
    card.stored.plan = Plan { changes, ..gain_plan() };
    model.go_to_row(gain_plan().id, 1_208, false);
    let mut harness = harness(model);
    harness.run_steps(6);
    let tick = harness.get_by_label_contains("Change 1209: ").rect();
    let numbers = harness.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
        egui::Shape::Text(text) if text.galley.text() == "1209" => Some(text.pos.x),
        _ => None,
    });
    let beside: Vec<f32> = numbers.filter(|left| *left > tick.left()).collect();
    assert!(!beside.is_empty() && beside.iter().all(|left| *left > tick.right()), "{beside:?}");
}
