//! Cards and conversation used as a person uses them.

use crate::SoundOutput;
use crate::testing::prelude::*;
use deskhand_protocol::desk::{Play, TurnEnd, Which};
use deskhand_session::plan::ValueEdit;
use deskhand_session::{Clip, PlanState, PlannedChange};

fn reviewed(mut model: Model, plan: Plan) -> Model {
    assert_eq!(model.hear(&event(2, None, News::Review { plan: Box::new(plan) })), []);
    model
}

fn audible(mut model: Model) -> Model {
    model.live.output = SoundOutput::Device { name: "Speakers".into() };
    model
}

/// A plan of new clips, one a second, on two tracks.
fn cuts(count: u64) -> Plan {
    let change = |index: u64| {
        let clip = Clip {
            position: Frames(index as i64 * 48_000),
            ..Clip::new(
                format!("Cut {index}"),
                TrackId::new(1 + index % 2),
                SourceId::new(1),
                Frames(24_000),
            )
        };
        let edit = Edit::create(ClipId::new(100 + index), clip.clone());
        let number = index as usize + 1;
        PlannedChange::new(number, Change::AddClip(edit), clip.name, "silence".into())
    };
    let changes = (0..count).map(change).collect();
    Plan { changes, predicted: Vec::new(), findings: Vec::new(), ..gain_plan() }
}

fn card(harness: &Harness<'_, Desk>) -> crate::card::view::CardView {
    harness.state().model.cards[&gain_plan().id].view.clone()
}

#[test]
fn of_5000_changes_a_screenful_is_drawn_and_the_list_is_made_once() {
    let mut harness = harness(reviewed(open_model(), cuts(5_000)));
    let view = card(&harness);
    assert!(view.list.drawn <= 4, "two closed groups: {} lines", view.list.drawn);
    harness.get_by_label("Vocal, new clip, 2500 of 2500").click();
    harness.run_steps(10);
    let view = card(&harness);
    assert!((8..=20).contains(&view.list.drawn), "{} of 2502 lines drawn", view.list.drawn);
    assert_eq!(view.list.lines.lines.len(), 2_502);
    assert_eq!(view.list.lines.built, 1, "no frame goes through all changes");
    harness.click_on("Apply 5000 changes");
    let plan = gain_plan().id;
    assert_eq!(harness.state().actions, [Action::Decide { plan, decision: Decision::Apply }]);
}

#[test]
fn a_group_is_ticked_as_one_and_a_filter_leaves_what_matches() {
    let mut harness = harness(reviewed(open_model(), cuts(60)));
    harness.click_on("All of Vocal, new clip");
    assert!(harness.query_by_label("Apply 30 changes").is_some());
    harness.focus_on("Filter changes");
    harness.type_into("Filter changes", "cut 17");
    let view = card(&harness);
    assert_eq!(view.list.lines.lines.len(), 2, "one group with one row");
    assert_eq!(view.list.lines.built, 2);
    harness.type_into("Filter changes", "x");
    assert!(harness.query_by_label("Nothing matches \"cut 17x\"").is_some());
    harness.click_on("Show all");
    assert_eq!(card(&harness).list.lines.lines.len(), 2 + 60, "two groups with all their rows");
}

#[test]
fn a_click_on_a_head_or_a_tick_of_a_card_gives_it_the_keyboard() {
    let mut harness = harness(reviewed(open_model(), cuts(20)));
    for label in ["Vocal, new clip, 10 of 10", "All of Vocal, new clip"] {
        harness.state_mut().model.wants_composer = true;
        harness.run_steps(3);
        assert!(card(&harness).focus.whole.is_none(), "{label}");
        harness.click_on(label);
        assert!(card(&harness).focus.whole.is_some(), "{label}");
    }
    let mut harness = self::harness(with_plan());
    harness.click_on("Change 1: Vocal take, clip gain, from 0.0 to +4.5 dB");
    assert!(card(&harness).focus.whole.is_some());
}

#[test]
fn a_step_goes_to_the_change_and_lets_it_be_heard() {
    let mut harness = harness(audible(reviewed(open_model(), cuts(20))));
    harness.focus_on("All of Vocal, new clip");
    for _ in 0..3 {
        harness.press(Key::J);
    }
    // The third of the first track is at 4 s.
    assert_eq!(card(&harness).list.current, Some(4));
    let actions = &harness.state().actions;
    let plan = gain_plan().id;
    let range = Some((Frames(96_000), Frames(192_000 + 24_000 + 96_000)));
    let last = [
        Action::Play(Play::Seek { at: Frames(96_000) }),
        Action::Play(Play::Loop { range }),
        Action::Play(Play::Hear { plan, which: Which::LevelMatched }),
        Action::Play(Play::Start),
    ];
    assert_eq!(actions[actions.len() - 4..], last);
}

#[test]
fn a_value_is_edited_by_keys() {
    let mut harness = harness(with_plan());
    harness.click_on("Edit the value of c1");
    harness.press(Key::ArrowUp);
    harness.press_with(egui::Modifiers::SHIFT, Key::ArrowDown);
    harness.press(Key::Enter);
    assert_eq!(card(&harness).values.edits["c1"], 3.6);
    assert!(card(&harness).focus.whole.is_some(), "the card has the keyboard again");
    harness.click_on("Apply 2 changes");
    let set = vec![ValueEdit { change: "c1".into(), after: json!(3.6) }];
    let decision = Decision::ApplyPart { only: None, set };
    let plan = gain_plan().id;
    assert_eq!(harness.state().actions, [Action::Decide { plan, decision }]);
}

#[test]
fn escape_leaves_a_value_as_it_was() {
    let mut harness = harness(with_plan());
    harness.click_on("Edit the value of c1");
    harness.press(Key::ArrowUp);
    harness.press(Key::Escape);
    assert!(card(&harness).values.edits.is_empty());
    assert!(card(&harness).values.editing.is_none());
    assert!(card(&harness).focus.whole.is_some(), "the card has the keyboard again");
}

#[test]
fn backspace_on_a_card_asks_for_the_reason_and_escape_takes_that_back() {
    for plan in [gain_plan(), small()] {
        let mut harness = harness(reviewed(open_model(), plan.clone()));
        harness.state_mut().model.cards.get_mut(&plan.id).unwrap().view.focus.takes_keyboard = true;
        harness.run_steps(2);
        for (key, is_asking) in
            [(Key::Backspace, true), (Key::Escape, false), (Key::Backspace, true)]
        {
            harness.press(key);
            assert_eq!(card(&harness).deciding.rejecting.is_some(), is_asking, "{key:?}");
        }
        assert_eq!(harness.state().actions, []);
        harness.type_into("Reason", "too loud");
        harness.press(Key::Enter);
        let decision = Decision::Reject { reason: "too loud".into() };
        assert_eq!(harness.state().actions, [Action::Decide { plan: plan.id, decision }]);
    }
}

#[test]
fn what_was_rejected_is_planned_again() {
    let mut model = with_plan();
    model.cards.get_mut(&gain_plan().id).unwrap().stored.state = PlanState::Rejected;
    let mut harness = harness(model);
    harness.click_on("Plan again");
    let Plan { tool, params, .. } = gain_plan();
    assert_eq!(harness.state().actions, [Action::Measure { tool, params }]);
}

#[test]
fn a_warning_offers_a_way_out_and_a_note_is_only_told() {
    let note = "gain of 1 track in Ardour: its own undo does not show this";
    let plan = Plan { warnings: Vec::new(), notes: vec![note.into()], ..gain_plan() };
    let harness = harness(reviewed(open_model(), plan));
    assert!(harness.query_by_label(note).is_some());
    assert!(harness.query_by_label("Fix…").is_none());
    let mut harness = self::harness(with_plan());
    harness.click_on("Fix…");
    assert!(harness.state().model.draft.starts_with("Revise plan 1"));
}

#[test]
fn a_row_whose_value_moved_on_is_measured_again_and_the_rest_stays() {
    let mut model = with_plan();
    let clip = Edit::new(ClipId::new(1), Decibels::UNITY, Decibels(1.0));
    let moved = News::Moved {
        from: RevisionId(1),
        to: RevisionId(2),
        label: "Clip gain".into(),
        changes: vec![Change::SetClipGain(clip)],
        at: None,
    };
    drop(model.hear(&event(3, None, moved)));
    let mut harness = harness(model);
    assert!(harness.query_by_label("Apply 1 change").is_some());
    harness.click_on("Measure again");
    let measure = Action::Measure { tool: "tool_normalize".into(), params: json!({}) };
    assert_eq!(harness.state().actions, [measure]);
}

#[test]
fn both_sides_are_heard_and_level_match_can_be_off() {
    let mut harness = harness(audible(with_plan()));
    harness.click_on("Plan");
    harness.click_on("Level match");
    harness.click_on("Hear the plan");
    let plan = gain_plan().id;
    let hear = |which| Action::Play(Play::Hear { plan, which });
    let all = [hear(Which::LevelMatched), hear(Which::Plan), Action::Play(Play::Start)];
    assert_eq!(harness.state().actions, all);
}

#[test]
fn without_sound_a_card_says_so_and_has_no_dead_controls() {
    let harness = harness(with_plan());
    assert!(harness.query_by_label("Hear the plan").is_none());
    assert!(harness.query_by_label("Level match").is_none());
}

#[test]
fn a_call_that_asks_to_run_is_allowed_or_refused() {
    let plan = Plan { changes: Vec::new(), warnings: vec!["It takes 4 GB.".into()], ..cuts(0) };
    let mut harness = harness(reviewed(open_model(), plan));
    assert!(harness.query_by_label("Always allow").is_none(), "no rule lowers this");
    harness.click_on("Allow and run");
    let plan = gain_plan().id;
    assert_eq!(harness.state().actions, [Action::Decide { plan, decision: Decision::Apply }]);
}

fn small() -> Plan {
    let changes = vec![gain_plan().changes.remove(0)];
    Plan { changes, warnings: Vec::new(), ..gain_plan() }
}

#[test]
fn one_number_is_one_line_and_enter_applies_it_once_it_was_seen() {
    let mut harness = harness(reviewed(open_model(), small()));
    let line = harness.get_by_label_contains("Plan 1: Vocal take, clip gain, from 0.0 to +4.5 dB");
    assert!(line.rect().height() < 44.0);
    let at = line.rect().left_center() + egui::vec2(120.0, 0.0);
    harness.hover_at(at);
    harness.drag_at(at);
    harness.run_steps(1);
    harness.drop_at(at);
    harness.run_steps(1);
    assert_eq!(harness.state().actions, [], "a click is no yes");
    harness.run_steps(4);
    harness.press(Key::Enter);
    let plan = gain_plan().id;
    assert_eq!(harness.state().actions, [Action::Decide { plan, decision: Decision::Apply }]);
}

#[test]
fn a_line_opens_to_the_whole_card() {
    let mut harness = harness(reviewed(open_model(), small()));
    assert!(harness.query_by_label("Reject…").is_none());
    harness.click_on("All of plan 1");
    assert!(harness.query_by_label("Reject…").is_some());
    assert!(harness.query_by_label("Apply 1 change").is_some());
}

#[test]
fn a_card_goes_to_a_window_of_its_own_and_comes_back() {
    let mut harness = harness(with_plan());
    harness.click_on("Plan 1 in a window of its own");
    let back = "Plan 1 is in its own window. Bring it back";
    assert!(harness.query_by_label(back).is_some());
    let row = "Change 2: Guitar take, clip gain, from 0.0 to −3.0 dB";
    harness.click_on(row);
    harness.click_on("Apply 1 change");
    let only = Some(vec!["c1".to_owned()]);
    let decision = Decision::ApplyPart { only, set: Vec::new() };
    assert_eq!(harness.state().actions, [Action::Decide { plan: gain_plan().id, decision }]);
    harness.click_on(back);
    assert!(harness.query_by_label(back).is_none());
}

#[test]
fn a_plan_is_heard_by_keys_wherever_the_keyboard_is_but_in_a_field_or_control() {
    let mut model = audible(with_plan());
    model.live.motion = crate::Motion::Stopped;
    let mut harness = harness(model);
    let plan = gain_plan().id;
    harness.press(Key::Num2);
    let heard = |which| Action::Play(Play::Hear { plan, which });
    assert_eq!(harness.state().actions, [heard(Which::LevelMatched)], "nothing has the keyboard");
    let title = harness.get_by_label_contains("Plan 1: ").rect().center();
    harness.hover_at(title);
    harness.drag_at(title);
    harness.run_steps(1);
    harness.drop_at(title);
    harness.run_steps(2);
    harness.press(Key::Space);
    harness.press(Key::Num1);
    let then = [Action::Play(Play::Start), heard(Which::Current)];
    assert_eq!(harness.state().actions[1..], then, "a card has it as a whole");
    harness.focus_on("Ask");
    harness.key_press(Key::Num1);
    harness.press(Key::Space);
    assert_eq!(harness.state().actions.len(), 3, "a field takes its keys");
    harness.focus_on("Change 1: Vocal take, clip gain, from 0.0 to +4.5 dB");
    harness.press(Key::Space);
    assert_eq!(harness.state().actions.len(), 3, "Space ticks");
    assert_eq!(card(&harness).ticks.off.len(), 1);
}

fn asking(mut model: Model) -> Model {
    let asked = News::TurnAsked { provider: None, attended: true };
    let next = if model.waiting().is_some() { 3 } else { 2 };
    assert_eq!(model.hear(&event(next, None, asked)), []);
    model
}

fn stopped() -> News {
    let (message, reply) = ("stopped".into(), String::new());
    let reason = deskhand_protocol::desk::TurnReason::Stopped;
    let (turns, input_tokens, output_tokens, pending) = (1, 0, 0, Vec::new());
    News::TurnEnded {
        end: TurnEnd { reason, message, reply, turns, input_tokens, output_tokens, pending },
    }
}

fn type_and_send(harness: &mut Harness<'_, Desk>, text: &str) {
    harness.focus_on("Ask");
    harness.type_into("Ask", text);
    harness.press(Key::Enter);
}

#[test]
fn a_turn_that_waits_for_a_decision_gives_way_to_new_words() {
    let mut harness = harness(asking(with_plan()));
    type_and_send(&mut harness, "quieter instead");
    assert_eq!(harness.state().actions, [Action::StopTurn]);
    let model = &mut harness.state_mut().model;
    let (text, provider) = ("quieter instead".to_owned(), None);
    let said = Op::Say { text, provider, attended: true };
    assert_eq!(model.hear(&event(4, None, stopped())), [said]);
    assert_eq!(model.hear(&event(5, None, stopped())), [], "once");
    harness.run_steps(2);
    assert!(harness.query_by_label("Apply 2 changes").is_some(), "the plan goes on waiting");
}

#[test]
fn words_for_a_model_at_work_stay_where_they_are() {
    let mut harness = harness(asking(open_model()));
    type_and_send(&mut harness, "and the bass");
    assert_eq!(harness.state().actions, []);
    assert_eq!(harness.state().model.draft.trim(), "and the bass");
    assert!(harness.query_by_label_contains("still at work").is_some());
}

#[test]
fn a_click_into_the_composer_and_a_key_that_one_slow_frame_hears_belong_to_it() {
    let mut harness = harness(open_model());
    let pos = harness.get_by_label("Ask").rect().center();
    let modifiers = egui::Modifiers::NONE;
    let button = |pressed| egui::Event::PointerButton {
        pos,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers,
    };
    let key = egui::Event::Key {
        key: Key::M,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers,
    };
    let events = [egui::Event::PointerMoved(pos), button(true), button(false), key];
    harness.input_mut().events.extend(events);
    harness.run_steps(2);
    assert_eq!(harness.state().actions, [], "M makes no marker");
}

#[test]
fn a_value_without_a_unit_leaves_its_room_to_the_name() {
    let pan = Change::SetTrackPan(Edit::new(TrackId::new(2), 0.0, 0.6));
    let change = PlannedChange::new(1, pan, "Guitar".into(), String::new());
    let plan = Plan { changes: vec![change], warnings: Vec::new(), ..gain_plan() };
    let harness = harness(reviewed(open_model(), plan));
    let apply = harness.get_by_label("Apply").rect();
    let is_near = |text: &egui::epaint::TextShape| {
        let drawn = text.galley.rect.translate(text.pos.to_vec2());
        text.galley.text() == "60 R" && (0.0..24.0).contains(&(apply.left() - drawn.right()))
    };
    let near = harness
        .output()
        .shapes
        .iter()
        .any(|clipped| matches!(&clipped.shape, egui::Shape::Text(text) if is_near(text)));
    assert!(near, "it ends beside the button");
}
