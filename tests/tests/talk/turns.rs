//! Turns: reads, plans, decisions of every kind, stops and failures.

use crate::desk::Desk;
use crate::model::{Model, Say, Wire, call, text};
use deskhand_protocol::desk::TurnReason;
use deskhand_protocol::{Decision, News, Op, Read};
use deskhand_session::PlanState;
use serde_json::{Value, json};

const BOTH: [Wire; 2] = [Wire::Anthropic, Wire::OpenAi];

fn louder(id: &str, db: f64) -> Say {
    call(id, "cmd_set_track_gain", &json!({"targets": "Host", "gain_db": db}))
}

#[test]
fn ask_plan_reject_with_a_reason_new_plan_and_apply() {
    for wire in BOTH {
        let model = Model::scripted(
            wire,
            vec![
                vec![text("I will look."), call("a", "tool_measure", &json!({"targets": "all"}))],
                vec![louder("b", 6.0)],
                vec![louder("c", 3.0)],
                vec![text("It is 3 dB louder.")],
            ],
        );
        let mut desk = Desk::new(&model, &["Host"]);
        desk.say("make the host louder");
        let first = desk.review();
        desk.decide(first.id, Decision::Reject { reason: "only half of that".into() });
        let second = desk.review();
        desk.decide(second.id, Decision::Apply);
        let end = desk.end();
        assert_eq!(end.reason, TurnReason::Finished, "{end:?}");
        assert_eq!((end.turns, end.reply.as_str()), (4, "I will look.\nIt is 3 dB louder."));
        let seen = model.seen();
        assert!(
            seen[1].results[0]["answer"][0]["integrated_lufs"].is_number(),
            "{:?}",
            seen[1].results
        );
        assert_eq!(seen[2].results[0]["status"], "rejected");
        assert_eq!(seen[2].results[0]["reason"], "only half of that");
        assert_eq!(seen[3].results[0]["status"], "applied");
        if let Wire::Anthropic = wire {
            let is_error = |number: usize| {
                let result = seen[number].body["messages"].as_array().unwrap().last().unwrap();
                result["content"][0]["is_error"].clone()
            };
            assert_eq!((is_error(2), is_error(3)), (json!(true), json!(false)));
        }
        assert!((desk.gain("Host") - 3.0).abs() < 1e-9);
        assert!(desk.sent.lock().unwrap()[0].contains("person's words"));
    }
}

#[test]
fn a_part_and_an_edited_value_are_told_as_they_were_taken() {
    let gains = json!({"targets": ["Host", "Guest"], "gain_db": 4.0});
    let model = Model::scripted(
        Wire::Anthropic,
        vec![vec![call("a", "cmd_set_track_gain", &gains)], vec![text("ok")]],
    );
    let mut desk = Desk::new(&model, &["Host", "Guest"]);
    desk.say("louder");
    let plan = desk.review();
    let only = Some(vec![plan.changes[0].id.clone()]);
    desk.decide(plan.id, Decision::ApplyPart { only, set: Vec::new() });
    assert_eq!(desk.end().reason, TurnReason::Finished);
    let told = &model.seen()[1].results[0];
    assert_eq!(told["status"], "applied", "{told}");
    assert_eq!((desk.gain("Host"), desk.gain("Guest")), (4.0, 0.0));
}

#[test]
fn parallel_calls_keep_their_order_and_each_gets_one_result() {
    for wire in BOTH {
        let model = Model::scripted(
            wire,
            vec![vec![
                call("one", "tool_measure", &json!({"targets": "Host"})),
                Say::Call("two".into(), "cmd_set_track_gain".into(), "{\"targets\": ".into()),
                call("two", "no_such_tool", &json!({})),
                call("", "cmd_set_track_gain", &json!({"targets": "Host", "gain_db": "loud"})),
                call("five", "cmd_set_track_mute", &json!({"targets": "Host", "mute": true})),
            ]],
        );
        let mut desk = Desk::new(&model, &["Host"]);
        desk.say("do five things");
        assert_eq!(desk.end().reason, TurnReason::Finished);
        let results = &model.seen()[1].results;
        let status: Vec<_> =
            results.iter().map(|result| result["status"].as_str().unwrap()).collect();
        assert_eq!(status, ["ok", "error", "error", "error", "applied"], "{results:#?}");
        assert_eq!(results[2]["code"], "unknown_tool");
        assert_eq!(results[3]["code"], "bad_params");
    }
}

#[test]
fn without_a_person_a_plan_waits_and_is_decided_later() {
    let model =
        Model::scripted(Wire::OpenAi, vec![vec![louder("a", 2.0)], vec![text("It waits.")]]);
    let mut desk = Desk::new(&model, &["Host"]);
    desk.say_as("louder", false);
    let end = desk.end();
    assert_eq!(end.pending.len(), 1);
    assert_eq!(model.seen()[1].results[0]["status"], "waiting");
    let mut desk = desk.reopened(&model);
    let said = desk.read(Read::Conversation);
    assert_eq!(
        said.as_array().unwrap().len(),
        4,
        "the person, the call, its result, the answer: {said}"
    );
    desk.decide(end.pending[0], Decision::Apply);
    assert_eq!(desk.gain("Host"), 2.0);
    desk.say("what now?");
    desk.end();
    assert!(model.seen()[2].text.contains("It waits."), "the conversation goes on");
    let since = &results(&model, 2)[0]["decided_since"];
    assert_eq!(
        (&since["status"], &since["receipt"]["state"]),
        (&json!("applied"), &json!("applied"))
    );
}

/// The results of all calls in a request, oldest first.
fn results(model: &Model, request: usize) -> Vec<Value> {
    let body = model.seen()[request].body.clone();
    let messages = body["messages"].as_array().unwrap().clone();
    let results = messages.into_iter().filter(|message| message["role"] == "tool");
    results.map(|it| serde_json::from_str(it["content"].as_str().unwrap()).unwrap()).collect()
}

#[test]
fn what_is_decided_and_edited_later_reaches_the_model_through_any_hub() {
    let model = Model::scripted(
        Wire::OpenAi,
        vec![vec![louder("a", 9.0)], vec![text("It waits.")], vec![text("I see.")]],
    );
    let mut desk = Desk::new(&model, &["Host"]);
    desk.say_as("louder", false);
    let plan = desk.end().pending[0];
    let mut desk = desk.reopened(&model);
    desk.decide(plan, Decision::Reject { reason: "only half of that".into() });
    desk.now("cmd_set_track_gain", json!({"targets": "Host", "gain_db": -4.0}));
    let mut desk = desk.reopened(&model);
    for turn in [2, 3] {
        desk.say_as("what now?", false);
        desk.end();
        let since = &results(&model, turn)[0]["decided_since"];
        assert_eq!(
            (&since["status"], &since["reason"]),
            (&json!("rejected"), &json!("only half of that"))
        );
        let text = &model.seen()[turn].text;
        assert_eq!(text.contains("edits_since_you_last_looked"), turn == 2, "{text}");
    }
}

#[test]
fn stop_ends_a_turn_that_waits_for_a_decision_and_leaves_a_history_that_goes_on() {
    for wire in BOTH {
        let model = Model::scripted(
            wire,
            vec![vec![louder("a", 2.0), louder("b", 1.0)], vec![text("I am here.")]],
        );
        let mut desk = Desk::new(&model, &["Host"]);
        desk.say("louder");
        let plan = desk.review();
        desk.ask(Op::StopTurn);
        let end = desk.end();
        assert_eq!((end.reason, end.pending), (TurnReason::Stopped, vec![plan.id]));
        desk.say("go on");
        assert_eq!(desk.end().reason, TurnReason::Finished, "the server refuses a bad history");
        assert_eq!(desk.gain("Host"), 0.0);
    }
}

#[test]
fn stop_ends_an_answer_that_hangs() {
    let model = Model::scripted(Wire::Anthropic, vec![vec![text("thinking"), Say::Hang]]);
    let mut desk = Desk::new(&model, &["Host"]);
    desk.say("hello");
    desk.until(|event| matches!(event.news, News::Saying { .. }).then_some(()));
    desk.ask(Op::StopTurn);
    assert_eq!(desk.end().reason, TurnReason::Stopped);
    desk.say("and now?");
    assert_eq!(desk.end().reason, TurnReason::Finished);
}

#[test]
fn a_broken_stream_is_one_clear_line_and_the_next_turn_works() {
    for wire in BOTH {
        let model = Model::scripted(
            wire,
            vec![vec![text("half an ans"), Say::Disconnect], vec![text("whole")]],
        );
        let mut desk = Desk::new(&model, &["Host"]);
        desk.say("hello");
        let end = desk.end();
        assert_eq!(end.reason, TurnReason::Failed);
        assert!(end.message.contains("test") && !end.message.contains('\n'), "{}", end.message);
        desk.say("again");
        assert_eq!(desk.end().reply, "whole");
    }
}

#[test]
fn what_is_rejected_again_and_again_is_not_planned_any_more() {
    let model = Model::serve(Wire::Anthropic, |seen| {
        if seen.number < 50 {
            vec![louder(&format!("call_{}", seen.number), 6.0)]
        } else {
            vec![text("I give up.")]
        }
    });
    let mut desk = Desk::new(&model, &["Host"]);
    desk.say("louder");
    for _ in 0..2 {
        let plan = desk.review();
        desk.decide(plan.id, Decision::Reject { reason: "no".into() });
    }
    assert_eq!(desk.end().reason, TurnReason::Finished);
    let seen = model.seen();
    assert_eq!(seen.len(), 51);
    assert!(seen[3..].iter().all(|seen| seen.results[0]["code"] == "refused"));
    let plans = desk.read(Read::Plans);
    assert_eq!(
        plans.as_array().unwrap().iter().filter(|plan| plan["state"] == "rejected").count(),
        2
    );
}

#[test]
fn the_persons_edits_since_the_model_last_looked_are_told() {
    let model = Model::scripted(Wire::OpenAi, vec![vec![text("hello")], vec![text("I see.")]]);
    let mut desk = Desk::new(&model, &["Host"]);
    desk.say("hello");
    desk.end();
    desk.now("cmd_set_track_gain", json!({"targets": "Host", "gain_db": -4.0}));
    desk.say("what did I do?");
    desk.end();
    let second = &model.seen()[1].text;
    assert!(
        second.contains("edits_since_you_last_looked") && second.contains("set_track_gain"),
        "{second}"
    );
}

#[test]
fn the_prompt_with_its_tools_is_small_and_the_rest_is_found() {
    let model = Model::scripted(
        Wire::Anthropic,
        vec![
            vec![call("a", "search_tools", &json!({"query": "split a clip in two"}))],
            vec![call(
                "b",
                "call_tool",
                &json!({"tool": "cmd_set_track_mute", "params": {"targets": "Host", "mute": true}}),
            )],
        ],
    );
    let mut desk = Desk::new(&model, &["Host"]);
    desk.say("mute the host");
    desk.end();
    let seen = model.seen();
    let sent = seen[0].body["system"].to_string().len() + seen[0].body["tools"].to_string().len();
    assert!(sent < 24_000, "{sent} bytes with the words of the format");
    let found: Vec<&Value> =
        seen[1].results[0]["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert!(found.contains(&&json!("cmd_split_clip")), "{found:?}");
    assert_eq!(seen[2].results[0]["status"], "applied");
}

#[test]
fn a_key_that_is_missing_or_a_host_that_is_away_is_one_clear_line() {
    let model = Model::scripted(Wire::Anthropic, Vec::new());
    let mut desk = Desk::new(&model, &["Host"]);
    desk.ask(Op::Say { text: "hello".into(), provider: Some("nobody".into()), attended: true });
    let end = desk.end();
    assert_eq!(end.reason, TurnReason::Failed);
    assert!(end.message.contains("nobody") && end.message.contains("test"), "{}", end.message);
    desk.local_only(true);
    desk.say("hello");
    assert_eq!(desk.end().reason, TurnReason::Finished, "this machine is local");
}

#[test]
fn local_only_is_turned_at_any_front_end_and_reaches_the_next_turn() {
    let model = Model::scripted(Wire::Anthropic, Vec::new());
    let far = "default = \"far\"\n[providers.far]\nkind = \"openai\"\nmodel = \"m\"\n\
               base_url = \"https://models.invalid/v1\"\n";
    let mut desk = Desk::new(&model, &["Host"]).configured(far);
    desk.local_only(true);
    desk.say("hello");
    let end = desk.end();
    assert_eq!(end.reason, TurnReason::Failed);
    assert!(end.message.contains("this session is local only"), "{}", end.message);
    assert!(desk.sent.lock().unwrap().is_empty(), "nothing was sent");
    desk.local_only(false);
    desk.say("hello");
    let end = desk.end();
    assert!(!end.message.contains("local only"), "{}", end.message);
}

#[test]
fn the_offline_planner_talks_as_well() {
    let model = Model::scripted(Wire::Anthropic, Vec::new());
    let mut desk = Desk::new(&model, &["Host"]);
    let say = |text: &str| Op::Say {
        text: text.into(),
        provider: Some("offline".into()),
        attended: true,
    };
    desk.ask(say("turn the host down by 3 dB"));
    let plan = desk.review();
    desk.decide(plan.id, Decision::Apply);
    let end = desk.end();
    assert!(end.reply.starts_with("Done: "), "{}", end.reply);
    desk.ask(say("what's loudest?"));
    let end = desk.end();
    assert!(end.reply.contains("Host"), "{}", end.reply);
    desk.ask(say("make it wobblier"));
    let end = desk.end();
    assert!(end.reply.contains("is not understood"), "{}", end.reply);
    assert_eq!(model.seen().len(), 0, "nothing was sent");
    let plans = desk.read(Read::Plans);
    let states: Vec<_> =
        plans.as_array().unwrap().iter().map(|plan| plan["state"].clone()).collect();
    assert!(states.contains(&json!(PlanState::Applied)));
    assert!(desk.folder().join("session.db").is_file());
}
