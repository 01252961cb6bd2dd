//! Turns without a model: calls are reported as a model's are, the rest of a wish is kept, and codings
//! belong to the person.

use crate::desk::{Desk, write_parts};
use crate::model::{Model, Wire, call};
use deskhand_protocol::desk::TurnReason;
use deskhand_protocol::{Decision, News, Op, Read};
use deskhand_session::Coding;
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn say(text: &str) -> Op {
    Op::Say { text: text.into(), provider: Some("offline".into()), attended: true }
}

/// The parts of this kind in the messages so far.
fn told(desk: &Desk, kind: &str) -> Vec<Value> {
    let messages = desk.heard.iter().filter_map(|event| match &event.news {
        News::Said { said } => said.message["parts"].as_array(),
        _ => None,
    });
    messages.flatten().filter(|part| part["type"] == kind).cloned().collect()
}

/// The same once there are this many: messages appear when they are stored.
fn told_once_stored(desk: &mut Desk, kind: &str, count: usize) -> Vec<Value> {
    while told(desk, kind).len() < count {
        desk.until(|event| matches!(event.news, News::Said { .. }).then_some(()));
    }
    told(desk, kind)
}

#[test]
fn a_call_is_told_when_it_begins_and_when_it_is_over() {
    let mut desk = Desk::new(&Model::scripted(Wire::Anthropic, Vec::new()), &["Host"]);
    desk.ask(say("turn the host down by 3 dB"));
    let plan = desk.review();
    let begun = told_once_stored(&mut desk, "tool_call", 1);
    assert_eq!((begun.len(), &begun[0]["name"]), (1, &json!("cmd_set_track_gain")));
    assert_eq!(told(&desk, "tool_result").len(), 0, "it waits for the person");
    desk.decide(plan.id, Decision::Apply);
    desk.end();
    let over = told_once_stored(&mut desk, "tool_result", 1);
    assert_eq!((over.len(), &over[0]["id"]), (1, &begun[0]["id"]));
    assert_eq!(over[0]["content"]["status"], "applied");
    desk.ask(say("what's loudest?"));
    desk.end();
    let calls = told_once_stored(&mut desk, "tool_call", 2);
    assert_eq!(calls[1]["name"], "tool_measure", "what a question measures is told as well");
    assert_ne!(calls[1]["id"], calls[0]["id"]);
}

/// "…: it plans when …" in what was told so far.
fn told_to_wait(desk: &mut Desk) -> String {
    loop {
        let texts = told(desk, "text");
        let mut texts = texts.iter().filter_map(|part| part["text"].as_str());
        if let Some(text) = texts.rfind(|text| text.contains("waits: it plans when")) {
            return text.to_owned();
        }
        desk.until(|event| matches!(event.news, News::Said { .. }).then_some(()));
    }
}

/// What was told with these words and with something to say next.
fn offered(desk: &mut Desk, words: &str) -> Value {
    loop {
        let texts = told(desk, "text");
        let is_it = |part: &&Value| part["text"].as_str().is_some_and(|it| it.contains(words));
        if let Some(part) = texts.iter().filter(is_it).find(|part| part["offers"].is_array()) {
            return part.clone();
        }
        desk.until(|event| matches!(event.news, News::Said { .. }).then_some(()));
    }
}

#[test]
fn plans_that_do_not_depend_on_one_another_wait_at_once_and_are_decided_in_any_order() {
    let tracks = ["Host", "Guest", "Band"];
    let mut desk = Desk::new(&Model::scripted(Wire::Anthropic, Vec::new()), &tracks);
    let wish = "turn the host down by 3 dB, then turn the guest down by 6 dB, then mute the band";
    desk.ask(say(wish));
    let (first, second) = (desk.review(), desk.review());
    let muted = |desk: &mut Desk| desk.session().tracks.values().any(|track| track.mute);
    while !muted(&mut desk) {}
    assert_eq!((desk.gain("Host"), desk.gain("Guest")), (0.0, 0.0), "nobody decided");
    desk.decide(second.id, Decision::Apply);
    assert_eq!((desk.gain("Host"), desk.gain("Guest")), (0.0, -6.0));
    desk.decide(first.id, Decision::Reject { reason: "too much".into() });
    let end = desk.end();
    assert_eq!((end.reason, &end.pending[..]), (TurnReason::Finished, &[][..]));
    assert!(end.reply.contains("Rejected: too much. Nothing was changed."), "{}", end.reply);
    assert_eq!((desk.gain("Host"), desk.gain("Guest")), (0.0, -6.0));
}

#[test]
fn what_depends_on_an_earlier_plan_is_planned_by_itself_when_that_is_decided() {
    let mut desk = Desk::new(&Model::scripted(Wire::Anthropic, Vec::new()), &["Host", "Guest"]);
    let wish =
        "turn the host down by 3 dB, turn the guest down by 6 dB, then turn the host down by 2 dB";
    desk.ask(say(wish));
    let (first, second) = (desk.review(), desk.review());
    let waits = "\"turn the host down by 2 dB\" waits: it plans when \"turn the host down by 3 dB\" is decided.";
    assert_eq!(told_to_wait(&mut desk), waits);
    desk.decide(first.id, Decision::Apply);
    let third = desk.review();
    let change = serde_json::to_value(&third.changes[0]).unwrap();
    assert_eq!((&change["before"], &change["after"]), (&json!(-3.0), &json!(-5.0)));
    desk.decide(third.id, Decision::Apply);
    desk.decide(second.id, Decision::Apply);
    let end = desk.end();
    assert_eq!(end.reason, TurnReason::Finished);
    assert_eq!((desk.gain("Host"), desk.gain("Guest")), (-5.0, -6.0));
}

#[test]
fn what_was_selected_when_it_was_said_is_meant_although_something_else_is_selected_since() {
    let mut desk = Desk::new(&Model::scripted(Wire::Anthropic, Vec::new()), &["Host", "Guest"]);
    desk.now("cmd_set_selection", json!({"targets": "Host"}));
    desk.ask(say("turn this down by 3 dB, then turn this down by 2 dB"));
    let first = desk.review();
    desk.now("cmd_set_selection", json!({"targets": "Guest"}));
    desk.decide(first.id, Decision::Apply);
    let second = desk.review();
    desk.decide(second.id, Decision::Apply);
    desk.end();
    assert_eq!((desk.gain("Host"), desk.gain("Guest")), (-5.0, 0.0));
}

#[test]
fn a_plan_that_the_session_moved_away_from_is_refused_and_can_be_asked_for_again() {
    let mut desk = Desk::new(&Model::scripted(Wire::Anthropic, Vec::new()), &["Host", "Guest"]);
    desk.ask(say("turn the host down by 3 dB and turn the guest down by 6 dB"));
    let (first, second) = (desk.review(), desk.review());
    desk.now("cmd_set_track_gain", json!({"targets": "Host", "gain_db": -1.0}));
    desk.decide(first.id, Decision::Apply);
    desk.decide(second.id, Decision::Apply);
    desk.end();
    assert_eq!((desk.gain("Host"), desk.gain("Guest")), (-1.0, -6.0));
    let refused = offered(&mut desk, "Not applied");
    assert_eq!(refused["offers"], json!(["turn the host down by 3 dB"]));
}

#[test]
fn what_is_left_of_a_wish_when_something_else_is_said_is_still_to_come() {
    let mut desk = Desk::new(&Model::scripted(Wire::Anthropic, Vec::new()), &["Host", "Guest"]);
    desk.ask(say("turn the host down by 3 dB, then turn the host down by 2 dB"));
    let first = desk.review();
    desk.ask(Op::StopTurn);
    let end = desk.end();
    assert_eq!((end.reason, &end.pending[..]), (TurnReason::Stopped, &[first.id][..]));
    let left = "Still to come: \"turn the host down by 2 dB\".";
    assert!(end.reply.contains(left), "{}", end.reply);
    desk.ask(say("which tracks are muted?"));
    let end = desk.end();
    assert!(end.reply.contains(left), "{}", end.reply);
    desk.decide(first.id, Decision::Apply);
    desk.ask(say("go on"));
    let second = desk.review();
    desk.decide(second.id, Decision::Apply);
    let end = desk.end();
    assert!(!end.reply.contains("Still to come"), "{}", end.reply);
    assert_eq!(desk.gain("Host"), -5.0);
}

#[test]
fn what_is_still_to_come_can_be_forgotten() {
    let mut desk = Desk::new(&Model::scripted(Wire::Anthropic, Vec::new()), &["Host"]);
    desk.ask(say("turn the host down by 3 dB, then turn the host down by 2 dB"));
    desk.review();
    desk.ask(Op::StopTurn);
    desk.end();
    desk.ask(say("forget it"));
    let end = desk.end();
    assert_eq!(end.reply, "Forgotten: \"turn the host down by 2 dB\".");
    desk.ask(say("go on"));
    let end = desk.end();
    assert!(end.reply.contains("is not understood"), "nothing is left: {}", end.reply);
}

#[test]
fn what_cannot_be_done_leads_on() {
    let mut desk = Desk::new(&Model::scripted(Wire::Anthropic, Vec::new()), &["Host"]);
    for (wish, words) in [
        ("make it wobble", "is not understood"),
        ("who speaks when?", "nothing is transcribed yet"),
        ("help", "ask for levels"),
        ("align everything", "align everything"),
    ] {
        desk.ask(say(wish));
        desk.end();
        let offers = offered(&mut desk, words)["offers"].clone();
        assert!(offers.as_array().is_some_and(|it| !it.is_empty()), "{wish}");
    }
}

#[test]
fn what_is_understood_ahead_of_what_is_not_is_planned_and_waits() {
    let mut desk = Desk::new(&Model::scripted(Wire::Anthropic, Vec::new()), &["Guest", "Host"]);
    desk.ask(say("turn the host down by 3 dB, then wobble the host"));
    let plan = desk.review();
    desk.decide(plan.id, Decision::Apply);
    let end = desk.end();
    assert!(end.reply.starts_with("\"wobble the host\" is not understood"), "{}", end.reply);
    let ahead = "Only this is planned, and waits for you: \"turn the host down by 3 dB\".";
    assert!(end.reply.contains(ahead), "{}", end.reply);
    assert_eq!(desk.gain("Host"), -3.0);
}

#[test]
fn what_is_understood_behind_what_is_not_or_may_be_restricted_is_named_and_not_done() {
    let mut desk = Desk::new(&Model::scripted(Wire::Anthropic, Vec::new()), &["Host"]);
    for wish in [
        "wobble the host, then turn the host down by 3 dB",
        "turn the host down by 3 dB, then don't wobble the host",
    ] {
        desk.ask(say(wish));
        let end = desk.end();
        let understood =
            "Understood, and not done because of that: \"turn the host down by 3 dB\".";
        assert!(end.reply.contains(understood), "{wish}: {}", end.reply);
        assert!(end.reply.contains("try: turn the host down by 3 dB\nNothing"), "{}", end.reply);
        assert!(end.reply.ends_with("Nothing was changed."), "{wish}: {}", end.reply);
    }
    assert_eq!(desk.gain("Host"), 0.0);
}

#[test]
fn what_words_are_taken_for_is_said_where_they_do_not_name_it() {
    let mut desk = Desk::new(&Model::scripted(Wire::Anthropic, Vec::new()), &["Host", "Guest"]);
    desk.ask(say("mute everything"));
    let end = desk.end();
    let taken = "Understood: \"mute everything\" on Host, Guest.";
    assert!(end.reply.starts_with(taken), "{}", end.reply);
    desk.ask(say("unmute the host"));
    let end = desk.end();
    assert!(end.reply.starts_with("Done: "), "it names the host itself: {}", end.reply);
}

/// Codes the words about `text` and returns the author of the plan.
fn code(desk: &mut Desk, op: Op) -> Value {
    desk.ask(op);
    let plan = desk.review();
    desk.decide(plan.id, Decision::Apply);
    desk.end();
    let plans = desk.read(Read::Plans);
    plans.as_array().unwrap().last().unwrap()["author"].clone()
}

#[test]
fn who_codes_in_words_is_the_person_and_who_codes_by_calls_is_the_model() {
    let by_model = json!({"code": "Water", "text": "water"});
    let script = vec![vec![call("a", "tool_code_exact", &by_model)]];
    let mut desk = Desk::new(&Model::scripted(Wire::Anthropic, script), &[]);
    let audio = desk.folder().with_file_name("talk.wav");
    write_parts(&audio, &[(3.0, 440.0)]);
    desk.now("import_audio", json!({"files": [audio]}));
    let segment = json!({"start": 0.0, "end": 2.0, "text": "The budget of water."});
    let file = desk.folder().with_file_name("talk.json");
    std::fs::write(&file, json!({"segments": [segment]}).to_string()).unwrap();
    desk.now("tool_import_transcript", json!({"file": file, "target": "talk"}));
    let asked = code(&mut desk, say("code every \"budget\" as Money"));
    assert_eq!(asked, "agent", "the plan waited for the person all the same");
    code(&mut desk, Op::Say { text: "code water".into(), provider: None, attended: true });
    let session = desk.session();
    let codings = session.segments.values().flat_map(|segment| &segment.codings);
    let named = |it: &Coding| (session.codes[&it.code].name.clone(), it.coder.clone());
    let coders: BTreeSet<_> = codings.map(named).collect();
    let water = ("Water".to_owned(), Some(Coding::MODEL.to_owned()));
    assert_eq!(coders, BTreeSet::from([("Money".to_owned(), None), water]));
}
