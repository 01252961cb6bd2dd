//! The conversation scrolled, the composer with many lines, and a question of the model.

use crate::Settings;
use crate::card::view::CardView;
use crate::model::Entry;
use crate::testing::prelude::*;
use crate::testing::tool_of;
use deskhand_protocol::desk::{Notice, NoticeKind, TurnEnd, TurnReason};
use deskhand_protocol::{Asking, Rule, ToolRule};
use deskhand_session::{Author, PlanId, PlanState, PlannedChange, Said};
use egui::vec2;
use serde_json::Value;

fn said(role: &str, parts: Value) -> News {
    let message = json!({"role": role, "parts": parts});
    News::Said { said: Said { author: Author::Agent, message, time_ms: 1 } }
}

/// Much was said, and the person looks at the first of it.
fn scrolled_up() -> Harness<'static, Desk> {
    let mut model = open_model();
    model.entries.extend((0..80).map(|line| Entry::Told(format!("Line {line}"))));
    let mut harness = harness(model);
    let above = harness.get_by_label("Ask").rect().center() - vec2(0.0, 300.0);
    harness.hover_at(above);
    harness.run_steps(1);
    harness.input_mut().events.push(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: vec2(0.0, 200.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    });
    harness.run_steps(8);
    assert!(harness.query_by_label("Newest").is_some(), "there is a way back");
    harness
}

/// Types a wish, sends it, and hears that it was said.
fn asks(harness: &mut Harness<'_, Desk>) {
    harness.focus_on("Ask");
    harness.type_into("Ask", "make it louder");
    harness.press(Key::Enter);
    let words = said("user", json!([{"type": "text", "text": "make it louder"}]));
    drop(harness.state_mut().model.hear(&event(2, None, words)));
    harness.run_steps(6);
}

#[test]
fn words_that_are_being_said_call_plans_by_their_numbers() {
    let mut model = with_plan();
    model.saying = format!("See {}.", gain_plan().id);
    let harness = harness(model);
    assert!(harness.query_by_label("See plan 1.").is_some());
}

#[test]
fn a_button_leads_back_to_what_is_newest() {
    let mut harness = scrolled_up();
    harness.get_by_label("Newest").click();
    harness.run_steps(6);
    assert!(harness.query_by_label("Newest").is_none());
}

#[test]
fn who_sends_something_sees_it() {
    let mut harness = scrolled_up();
    asks(&mut harness);
    assert!(harness.query_by_label("Newest").is_none());
}

#[test]
fn who_is_at_the_newest_sees_the_card_that_comes() {
    let mut harness = scrolled_up();
    harness.get_by_label("Newest").click();
    harness.run_steps(6);
    asks(&mut harness);
    let review = News::Review { plan: Box::new(gain_plan()) };
    drop(harness.state_mut().model.hear(&event(3, None, review)));
    harness.run_steps(6);
    assert!(harness.query_by_label("Newest").is_none());
    let apply = harness.get_by_label("Apply 2 changes").rect();
    assert!(apply.bottom() < harness.get_by_label("Ask").rect().top(), "{apply:?}");
}

#[test]
fn what_the_model_says_stands_there_piece_by_piece_before_it_ends() {
    let mut harness = harness(open_model());
    let before = harness.state().model.entries.len();
    let hears = |harness: &mut Harness<'_, Desk>, number: u64, news: News| {
        drop(harness.state_mut().model.hear(&event(number, None, news)));
        harness.run_steps(3);
    };
    hears(&mut harness, 2, News::Saying { text: "The vocal".into() });
    assert!(harness.query_by_label("The vocal").is_some());
    hears(&mut harness, 3, News::Saying { text: " is **6 dB** too loud.".into() });
    let whole = "The vocal is 6 dB too loud.";
    assert!(harness.query_by_label("The vocal").is_none());
    assert!(harness.query_by_label(whole).is_some());
    assert_eq!(harness.state().model.entries.len(), before, "nothing was said to its end yet");
    // The whole takes the place of its pieces.
    let text = "The vocal is **6 dB** too loud.";
    hears(&mut harness, 4, said("assistant", json!([{"type": "text", "text": text}])));
    assert_eq!(harness.query_all_by_label(whole).count(), 1);
    assert_eq!(harness.state().model.entries.len(), before + 1);
}

#[test]
fn the_composer_grows_with_its_text_to_a_few_lines() {
    let mut harness = harness(open_model());
    let top = |harness: &Harness<'_, Desk>| harness.get_by_label("Ask").rect().top();
    let least = top(&harness);
    harness.state_mut().model.draft = ["words"; 6].join("\n");
    harness.run_steps(3);
    let six = harness.get_by_label("Ask").rect();
    assert!(least - six.top() > 40.0, "{six:?}, of one line at {least}");
    assert!(six.bottom() <= harness.get_by_label("Send").rect().top());
    harness.state_mut().model.draft = ["words"; 12].join("\n");
    harness.run_steps(3);
    let twelve = top(&harness);
    harness.state_mut().model.draft = ["words"; 40].join("\n");
    harness.run_steps(3);
    assert!((top(&harness) - twelve).abs() < 1.0, "what has no room is scrolled to");
}

#[test]
fn that_the_model_is_at_work_is_told_for_a_moment() {
    let mut model = open_model();
    let asked = News::TurnAsked { provider: None, attended: true };
    drop(model.hear(&event(2, None, asked)));
    model.draft = "and the bass".into();
    let mut harness = harness(model);
    harness.focus_on("Ask");
    harness.press(Key::Enter);
    assert!(harness.query_by_label_contains("still at work").is_some());
    harness.run_steps(40);
    assert!(harness.query_by_label_contains("still at work").is_none());
}

#[test]
fn a_question_of_the_model_leads_to_the_field_for_the_answer() {
    let mut model = open_model();
    let arguments = json!({"type": "query", "message": "Which take?"});
    let asks = tool_of(Gesture::TellPerson);
    let call = json!([{"type": "tool_call", "id": "a", "name": asks, "arguments": arguments}]);
    drop(model.hear(&event(2, None, said("assistant", call))));
    let (notice_id, message) = ("notice_1".into(), "Which take?".into());
    let notice = Notice::new(notice_id, NoticeKind::Query, message, 0);
    drop(model.hear(&event(3, None, News::Notice { notice })));
    let mut harness = harness(model);
    harness.click_on("Waits for your answer: Which take?");
    assert!(harness.get_by_label("Your answer").is_focused());
}

/// A waiting plan, followed by another, in a turn that goes on.
fn two_plans() -> Model {
    let mut model = with_plan();
    let other = Plan { id: PlanId::new(8), ..gain_plan() };
    let asked = News::TurnAsked { provider: None, attended: true };
    for (number, news) in (3..).zip([asked, News::Review { plan: Box::new(other) }]) {
        drop(model.hear(&event(number, None, news)));
    }
    model
}

#[test]
fn a_plan_taken_with_another_value_has_one_receipt_in_its_place_and_the_next_one_is_awaited() {
    let (plan, part) = (gain_plan(), PlanId::new(70));
    let ids = ["c1".to_owned(), "c2".to_owned()];
    let edit = deskhand_session::plan::ValueEdit { change: "c1".into(), after: json!(3.0) };
    let taken = Plan { id: part, ..plan.derived(&ids, &[edit]).unwrap() };
    let decided = |plan| News::Decided {
        plan,
        state: PlanState::Applied,
        reason: None,
        receipt: None,
        follows: None,
        time_ms: None,
    };
    let mut model = two_plans();
    let news = [News::Review { plan: Box::new(taken) }, decided(part), decided(plan.id)];
    for (number, news) in (5..).zip(news) {
        drop(model.hear(&event(number, None, news)));
    }
    let awaited = model.awaited_plan().map(|card| card.stored.plan.id);
    assert_eq!(awaited, Some(PlanId::new(8)));
    let wanted = [part, plan.id, PlanId::new(8)].map(Entry::Plan);
    assert_eq!(model.entries, wanted);
    let harness = harness(model);
    assert!(harness.query_by_label("Waits for your decision on plan 2").is_some());
    assert!(harness.query_by_label("Plan 3 applied, as set by hand, of plan 1").is_some());
    assert!(harness.query_by_label_contains("Plan 1 applied").is_none());
}

#[test]
fn the_ghosts_are_of_the_plan_that_came_last_until_the_person_is_at_another_one() {
    let [first, second, third] = [gain_plan().id, PlanId::new(8), PlanId::new(9)];
    let mut harness = harness(with_plan());
    let hears = |harness: &mut Harness<'_, Desk>, number: u64, id: PlanId| {
        let review = News::Review { plan: Box::new(Plan { id, ..gain_plan() }) };
        drop(harness.state_mut().model.hear(&event(number, None, review)));
        harness.run_steps(4);
        harness.state().model.waiting()
    };
    harness.state_mut().model.go_to_row(first, 0, true);
    harness.run_steps(3);
    harness.focus_on("Ask");
    assert_eq!(harness.state().model.waiting(), Some(first));
    assert_eq!(hears(&mut harness, 3, second), Some(second), "nobody is at the first any more");
    harness.focus_on("Card of plan 1");
    assert_eq!(harness.state().model.waiting(), Some(first));
    assert_eq!(hears(&mut harness, 4, third), Some(first), "the person is at it");
}

#[test]
fn a_failed_turn_is_answered_without_its_model() {
    let wish = said("user", json!([{"type": "text", "text": "make it louder"}]));
    let end = TurnEnd {
        reason: TurnReason::Failed,
        message: "provider cloud (example.org) cannot be reached: refused".into(),
        reply: String::new(),
        turns: 1,
        input_tokens: 0,
        output_tokens: 0,
        pending: Vec::new(),
    };
    let mut harness = in_turn(vec![wish, News::TurnEnded { end }]);
    assert!(harness.query_by_label("Answer offline").is_none(), "no model was chosen");
    let settings = Settings { provider: Some("cloud".into()), ..Settings::default() };
    harness.state_mut().model.settings = Some(settings);
    harness.run_steps(2);
    assert!(harness.query_by_label("Ask again").is_some());
    harness.click_on("Answer offline");
    let [said] = &harness.state().actions[..] else { panic!("{:?}", harness.state().actions) };
    let text = "make it louder".to_owned();
    let offline = Op::Say { text, provider: Some("offline".into()), attended: true };
    let said = said.clone();
    assert_eq!(harness.state_mut().model.op(said), Some(offline));
}

#[test]
fn what_is_always_allowed_stands_at_the_composer_and_leads_to_its_rule() {
    let mut model = open_model();
    model.settings = Some(Settings::default());
    let rule = |tool: &str| ToolRule { tool: tool.into(), rule: Rule::Allow, is_here: true };
    let denied = ToolRule { rule: Rule::Deny, ..rule("cmd_import") };
    let rules = vec![rule("tool_normalize"), rule("tool_fades"), denied];
    let policy = News::Policy { asking: Asking::Always, rules };
    drop(model.hear(&event(2, None, policy)));
    let mut harness = harness(model);
    assert!(harness.query_by_label("Ask for all else").is_some(), "not all is asked");
    harness.click_on("Allowed: Normalize, Fades");
    assert!(harness.query_by_label_contains("except those that a rule below allows").is_some());
    assert!(harness.query_by_label("Remove the rule for Normalize").is_some());
    let many = (0..40).map(|number| rule(&format!("tool_number_{number}"))).collect();
    let policy = News::Policy { asking: Asking::Always, rules: many };
    drop(harness.state_mut().model.hear(&event(3, None, policy)));
    harness.run_steps(3);
    let chip = harness.get_by_label_contains("Allowed: Number 0, Number 1").rect();
    assert!(chip.right() < 1440.0, "{chip:?}");
    let none = News::Policy { asking: Asking::Always, rules: Vec::new() };
    drop(harness.state_mut().model.hear(&event(4, None, none)));
    harness.run_steps(3);
    assert!(harness.query_by_label_contains("Allowed: ").is_none());
    assert!(harness.query_by_label("Ask for all else").is_none());
}

#[test]
fn a_card_that_is_not_in_view_comes_into_view_by_its_key_and_is_taken_by_the_next() {
    let plan = gain_plan().id;
    let mut model = with_plan();
    model.entries.extend((0..80).map(|line| Entry::Told(format!("Line {line}"))));
    model.cards.get_mut(&plan).unwrap().view.focus.takes_keyboard = true;
    let mut harness = harness(model);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Enter);
    harness.run_steps(20);
    assert_eq!(harness.state().actions, [], "nobody saw it");
    harness.press_with(Modifiers::COMMAND, Key::Enter);
    let decision = Decision::Apply;
    assert_eq!(harness.state().actions, [Action::Decide { plan, decision }]);
}

/// A turn in which these things happened.
fn in_turn(news: Vec<News>) -> Harness<'static, Desk> {
    let mut model = open_model();
    let asked = News::TurnAsked { provider: None, attended: true };
    for (number, news) in (2..).zip(std::iter::once(asked).chain(news)) {
        drop(model.hear(&event(number, None, news)));
    }
    harness(model)
}

#[test]
fn a_call_whose_plan_waits_says_so_and_nothing_looks_as_if_it_ran() {
    let arguments = json!({"targets": "all"});
    let call =
        json!([{"type": "tool_call", "id": "a", "name": "tool_normalize", "arguments": arguments}]);
    let goes_on =
        vec![said("assistant", call), News::Progress { fraction: 0.75, what: "Measuring".into() }];
    let running = in_turn(goes_on.clone());
    assert!(running.query_by_label("Normalize").is_some());
    assert!(running.query_by_label("Cancel").is_some());
    let review = News::Review { plan: Box::new(gain_plan()) };
    let waits = in_turn(goes_on.into_iter().chain([review]).collect());
    assert!(waits.query_by_label("Normalize: waits for your decision on plan 1").is_some());
    assert!(waits.query_by_label("Cancel").is_none());
}

#[test]
fn plans_that_wait_at_once_belong_to_their_calls_and_what_still_runs_can_be_stopped() {
    let call = |id: &str| {
        let call =
            json!({"type": "tool_call", "id": id, "name": "tool_normalize", "arguments": {}});
        said("assistant", json!([call]))
    };
    let review = |id: u64| {
        let plan = Plan { id: PlanId::new(id), ..gain_plan() };
        News::Review { plan: Box::new(plan) }
    };
    let mut harness = in_turn(vec![call("a"), review(7), call("b")]);
    assert!(harness.query_by_label("Normalize: waits for your decision on plan 1").is_some());
    assert!(harness.query_by_label("Normalize").is_some(), "the other is planned yet");
    assert!(harness.query_by_label("Stop").is_some());
    drop(harness.state_mut().model.hear(&event(20, None, review(8))));
    let words =
        json!([{"type": "text", "text": "\"mute it\" waits: it plans when the rest is decided."}]);
    drop(harness.state_mut().model.hear(&event(21, None, said("assistant", words))));
    harness.run_steps(3);
    for number in [1, 2] {
        let waits = format!("Normalize: waits for your decision on plan {number}");
        assert!(harness.query_by_label(&waits).is_some(), "{waits}");
    }
    assert!(harness.query_by_label("Stop").is_none(), "nothing runs");
    assert!(harness.query_by_label("Send").is_some());
}

#[test]
fn a_turn_that_ended_early_leads_on() {
    let end = |message: &str| {
        let (reason, message) = (TurnReason::Budget, message.to_owned());
        let (turns, input_tokens, output_tokens, pending) = (1, 0, 0, Vec::new());
        let reply = String::new();
        News::TurnEnded {
            end: TurnEnd { reason, message, reply, turns, input_tokens, output_tokens, pending },
        }
    };
    let mut harness = in_turn(vec![end("the budget is used up; say \"go on\", or raise it")]);
    harness.click_on("Go on");
    assert_eq!(harness.state().actions, [Action::Say("go on".into())]);
    let mut harness = in_turn(vec![end("there is no key")]);
    let (id, needs_key) = ("cloud".to_owned(), true);
    let provider = Some(id.clone());
    let providers = vec![crate::Provider { id, needs_key, ..Default::default() }];
    harness.state_mut().model.settings =
        Some(Settings { provider, providers, ..Settings::default() });
    harness.run_steps(2);
    harness.click_on("Add the key");
    harness.run_steps(2);
    assert!(harness.query_by_label("Key of the provider").is_some());
}

#[test]
fn a_call_whose_plan_waits_on_has_no_tick_until_it_is_applied() {
    let plan = gain_plan().id;
    let content = json!({"status": "waiting", "summary": "Bring 2 clips", "plan": {"id": plan}});
    let call = json!([{"type": "tool_call", "id": "a", "name": "tool_normalize", "arguments": {}}]);
    let result = json!([{"type": "tool_result", "id": "a", "content": content, "is_error": false}]);
    let review = News::Review { plan: Box::new(gain_plan()) };
    let mut harness = in_turn(vec![said("assistant", call), review, said("user", result)]);
    assert!(harness.query_by_label("Bring 2 clips: planned").is_some());
    let states = [
        (PlanState::Applied, "Bring 2 clips"),
        (PlanState::Undone, "Bring 2 clips: undone"),
        (PlanState::Rejected, "Bring 2 clips: rejected"),
        (PlanState::Conflict, "Bring 2 clips: not applied"),
    ];
    for (number, (state, words)) in (20..).zip(states) {
        let (reason, receipt, follows, time_ms) = (None, None, None, None);
        let decided = News::Decided { plan, state, reason, receipt, follows, time_ms };
        drop(harness.state_mut().model.hear(&event(number, None, decided)));
        harness.run_steps(3);
        assert!(harness.query_by_label(words).is_some(), "{words}");
    }
}

#[test]
fn what_runs_without_a_call_in_the_conversation_is_told_and_can_be_stopped() {
    let wish = said("user", json!([{"type": "text", "text": "analyze everything"}]));
    let progress = News::Progress { fraction: 0.25, what: "Analyzing Interview".into() };
    let mut harness = in_turn(vec![wish, progress]);
    assert!(harness.query_by_label("Analyzing Interview").is_some());
    harness.click_on("Cancel");
    assert_eq!(harness.state().actions, [Action::StopTurn]);
}

#[test]
fn what_could_be_said_is_said_by_a_click() {
    let mut model = open_model();
    let offers = ["solo Host mic", "denoise Host mic"].map(str::to_owned);
    model.entries.push(Entry::Offers(offers.into()));
    let mut harness = harness(model);
    harness.click_on("denoise Host mic");
    assert_eq!(harness.state().actions, [Action::Say("denoise Host mic".into())]);
}

#[test]
fn the_wheel_in_a_card_moves_nothing_around_it() {
    let mut plan = gain_plan();
    let one = plan.changes[0].clone();
    plan.changes = (0..60)
        .map(|number| PlannedChange {
            id: format!("c{number}"),
            name: format!("Take {number}"),
            ..one.clone()
        })
        .collect();
    let mut model = with_plan();
    let card = model.cards.get_mut(&plan.id).unwrap();
    (card.stored.plan, card.view) = (plan.clone(), CardView::of(&plan));
    model.entries.splice(0..0, (0..80).map(|line| Entry::Told(format!("Line {line}"))));
    let mut harness = harness(model);
    let top = |harness: &Harness<'_, Desk>| harness.get_by_label("Line 79").rect().top();
    let before = top(&harness);
    let inside = harness.get_by_label("Line 79").rect().center() + vec2(0.0, 200.0);
    harness.hover_at(inside);
    harness.run_steps(1);
    for _ in 0..3 {
        harness.input_mut().events.push(egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Line,
            delta: vec2(0.0, 20.0),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Wheel,
            modifiers: Modifiers::NONE,
        });
        harness.run_steps(8);
    }
    assert_eq!(top(&harness), before);
}
