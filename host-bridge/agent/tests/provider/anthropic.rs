//! The Messages API: the request as it is sent, and streams as they come.

use crate::ask::{CANARY, SEEDS, ask};
use crate::server::Answer;
use deskhand_agent::provider::{Arguments, Part, StopReason, Usage};
use serde_json::{Value, json};

fn start() -> Value {
    json!({ "type": "message_start", "message": { "id": "m", "usage": {
        "input_tokens": 10, "cache_read_input_tokens": 5, "output_tokens": 1 } } })
}

fn block(index: u64, block: Value) -> Value {
    json!({ "type": "content_block_start", "index": index, "content_block": block })
}

fn words(index: u64, text: &str) -> Value {
    json!({ "type": "content_block_delta", "index": index,
        "delta": { "type": "text_delta", "text": text } })
}

fn input(index: u64, piece: &str) -> Value {
    json!({ "type": "content_block_delta", "index": index,
        "delta": { "type": "input_json_delta", "partial_json": piece } })
}

fn close(index: u64) -> Value {
    json!({ "type": "content_block_stop", "index": index })
}

fn text(index: u64, text: &str) -> Vec<Value> {
    vec![block(index, json!({ "type": "text", "text": "" })), words(index, text), close(index)]
}

fn tool(index: u64, id: &str, pieces: &[&str]) -> Vec<Value> {
    let start = json!({ "type": "tool_use", "id": id, "name": "get_session", "input": {} });
    let mut events = vec![block(index, start)];
    events.extend(pieces.iter().map(|piece| input(index, piece)));
    events.push(close(index));
    events
}

fn stop(reason: &str) -> Vec<Value> {
    vec![
        json!({ "type": "message_delta", "delta": { "stop_reason": reason },
            "usage": { "output_tokens": 7 } }),
        json!({ "type": "message_stop" }),
    ]
}

fn answer(parts: &[Vec<Value>], reason: &str) -> Answer {
    Answer::anthropic(&[&[vec![start()]], parts, &[stop(reason)]].concat().concat())
}

#[tokio::test]
async fn the_request_as_it_is_sent() {
    let (outcome, server) = ask("anthropic", vec![answer(&[text(0, "ok")], "end_turn")], 1).await;
    let seen = &server.seen()[0];
    assert!(seen.head.starts_with("POST /v1/messages HTTP/1.1\r\n"), "{}", seen.head);
    assert!(seen.head.contains(&format!("x-api-key: {CANARY}\r\n")));
    assert!(seen.head.contains("anthropic-version: 2023-06-01\r\n"));
    assert!(!seen.head.to_lowercase().contains("authorization"));
    insta::assert_json_snapshot!(seen.body);
    let sent = &outcome.sent[0];
    assert_eq!((sent.messages, sent.tools, sent.kinds.len()), (3, 1, 6));
    assert_eq!(sent.bytes, seen.body.to_string().len());
    assert_eq!(sent.host, format!("127.0.0.1:{}", server.port));
}

#[tokio::test]
async fn words_stream_as_they_come() {
    for seed in SEEDS {
        let parts = [
            vec![block(0, json!({ "type": "text", "text": "" })), words(0, "Ich hö")],
            vec![json!({ "type": "ping" }), words(0, ""), words(0, "re 🥁."), close(0)],
        ];
        let (outcome, _) = ask("anthropic", vec![answer(&parts, "end_turn")], seed).await;
        assert_eq!(outcome.text, "Ich höre 🥁.");
        let reply = outcome.reply();
        assert_eq!(reply.parts, [Part::text("Ich höre 🥁.")]);
        assert_eq!(reply.stop, StopReason::EndTurn);
        assert_eq!(reply.usage, Usage { input_tokens: 15, output_tokens: 7 });
    }
}

#[tokio::test]
async fn parallel_calls_keep_order_ids_and_arguments() {
    for seed in SEEDS {
        let mut mixed = tool(1, "toolu_a", &["", "{\"track\":", "\"dr", "ums\"}"]);
        // Deltas of two blocks may be mixed.
        mixed.splice(2..2, tool(2, "toolu_b", &["{\"n\":[1,", "2]}"]));
        let parts = [text(0, "Both."), mixed, tool(3, "toolu_c", &[])];
        let (outcome, _) = ask("anthropic", vec![answer(&parts, "tool_use")], seed).await;
        let calls = outcome.calls();
        let ids: Vec<_> = calls.iter().map(|(id, ..)| id.as_str()).collect();
        assert_eq!(ids, ["toolu_a", "toolu_b", "toolu_c"]);
        let arguments: Vec<_> = calls.iter().map(|call| call.2.as_object()).collect();
        assert_eq!(arguments, [json!({ "track": "drums" }), json!({ "n": [1, 2] }), json!({})]);
        assert_eq!(outcome.reply().stop, StopReason::ToolUse);
        assert_eq!(outcome.text, "Both.");
    }
}

#[tokio::test]
async fn arguments_that_are_no_object_are_kept_as_they_are() {
    let parts = [
        tool(0, "a", &["{\"gain\": -3"]),
        tool(1, "b", &["[1, 2]"]),
        tool(2, "c", &["\"loud\""]),
        vec![block(3, json!({ "type": "tool_use", "id": "d", "name": "x", "input": { "n": 1 } }))],
        vec![block(4, json!({ "type": "tool_use", "id": 7, "name": null, "input": 3 }))],
    ];
    let (outcome, _) = ask("anthropic", vec![answer(&parts, "tool_use")], 3).await;
    let arguments: Vec<_> = outcome.calls().into_iter().map(|call| call.2).collect();
    let malformed = |raw: &str| Arguments::Malformed(raw.to_owned());
    let whole = Arguments::read("{\"n\":1}");
    assert_eq!(
        arguments,
        [
            malformed("{\"gain\": -3"),
            malformed("[1, 2]"),
            malformed("\"loud\""),
            whole,
            malformed("3")
        ]
    );
}

#[tokio::test]
async fn arguments_may_come_in_the_start_or_as_an_object() {
    let start = |index, n: u64| {
        let input = json!({ "n": n });
        block(index, json!({ "type": "tool_use", "id": "a", "name": "x", "input": input }))
    };
    let object = json!({ "type": "content_block_delta", "index": 2,
        "delta": { "type": "input_json_delta", "partial_json": { "n": 3 } } });
    let parts = [
        vec![start(0, 1), input(0, ""), close(0)],
        vec![start(1, 2), input(1, "{\"n\""), input(1, ":2}"), close(1)],
        vec![block(2, json!({ "type": "tool_use", "name": "x", "input": null })), object],
    ];
    let (outcome, _) = ask("anthropic", vec![answer(&parts, "tool_use")], 3).await;
    let calls = outcome.calls();
    let numbers: Vec<_> = calls.iter().map(|call| call.2.as_object()["n"].clone()).collect();
    assert_eq!(numbers, [1, 2, 3]);
}

#[tokio::test]
async fn ids_that_are_missing_or_used_become_our_own() {
    let parts = ["", "toolu_a", "toolu_a", "call_1"].map(|id| tool(0, id, &["{}"]));
    let (outcome, _) = ask("anthropic", vec![answer(&parts, "tool_use")], 4).await;
    let ids: Vec<_> = outcome.calls().into_iter().map(|call| call.0).collect();
    assert_eq!(ids.len(), 4);
    assert_eq!(ids[1], "toolu_a");
    // `call_1` stands in the history.
    assert!(!ids.contains(&"call_1".to_owned()));
    assert_eq!(ids.iter().collect::<std::collections::HashSet<_>>().len(), 4);
}

#[tokio::test]
async fn reasons_to_stop() {
    for (reason, parts, stop, left) in [
        ("end_turn", vec![], StopReason::EndTurn, 0),
        ("pause_turn", vec![text(0, "hm")], StopReason::Paused, 1),
        ("stop_sequence", vec![text(0, "hm")], StopReason::EndTurn, 1),
        ("new_reason", vec![tool(0, "a", &["{}"])], StopReason::ToolUse, 1),
        ("refusal", vec![text(0, "I"), tool(1, "a", &["{}"])], StopReason::Refusal, 1),
        ("max_tokens", vec![tool(0, "a", &["{\"a\":1}"])], StopReason::MaxTokens, 1),
    ] {
        let (outcome, _) = ask("anthropic", vec![answer(&parts, reason)], 5).await;
        assert_eq!((outcome.reply().stop, outcome.reply().parts.len()), (stop, left), "{reason}");
    }
}

#[tokio::test]
async fn a_call_cut_before_its_arguments_is_not_a_call_without_arguments() {
    let parts = [tool(0, "a", &[]), tool(1, "b", &[])];
    let (outcome, _) = ask("anthropic", vec![answer(&parts, "max_tokens")], 6).await;
    let arguments: Vec<_> = outcome.calls().into_iter().map(|call| call.2).collect();
    assert_eq!(arguments, [Arguments::read("{}"), Arguments::Malformed(String::new())]);
}

#[tokio::test]
async fn blocks_and_events_that_are_not_known_are_passed_over() {
    let thinking = vec![
        block(0, json!({ "type": "thinking", "thinking": "" })),
        json!({ "type": "content_block_delta", "index": 0,
            "delta": { "type": "thinking_delta", "thinking": "hm" } }),
        json!({ "type": "content_block_delta", "index": 0,
            "delta": { "type": "signature_delta", "signature": "x" } }),
        json!({ "type": "something_new", "index": [] }),
    ];
    let (outcome, _) =
        ask("anthropic", vec![answer(&[thinking, text(1, "ok")], "end_turn")], 7).await;
    assert_eq!(outcome.reply().parts, [Part::text("ok")]);
}

#[tokio::test]
async fn overload_is_tried_again() {
    let error =
        |kind: &str| json!({ "type": "error", "error": { "type": kind, "message": "Busy" } });
    let script = vec![
        Answer::status(529, error("overloaded_error").to_string()),
        Answer::anthropic(&[start(), error("overloaded_error")]),
        answer(&[text(0, "ok")], "end_turn"),
    ];
    let (outcome, server) = ask("anthropic", script, 8).await;
    assert_eq!(outcome.text, "ok");
    let attempts: Vec<_> = outcome.retries.iter().map(|retry| retry.0).collect();
    assert_eq!((attempts, server.seen().len(), outcome.sent.len()), (vec![2, 3], 3, 3));
}

#[tokio::test]
async fn an_error_after_words_is_not_tried_again() {
    let error =
        json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Busy" } });
    let events = [vec![start()], text(0, "half"), vec![error]].concat();
    let (outcome, server) = ask("anthropic", vec![Answer::anthropic(&events)], 9).await;
    insta::assert_snapshot!(
        outcome.error().replace(&server.port.to_string(), "PORT"), @"provider test (127.0.0.1:PORT) is busy or failing (200): overloaded_error: Busy; try again later, or another provider");
    assert_eq!((outcome.text.as_str(), server.seen().len()), ("half", 1));
}

#[tokio::test]
async fn a_whole_message_is_read_too() {
    let message = json!({ "type": "message", "role": "assistant", "stop_reason": "tool_use",
        "content": [{ "type": "text", "text": "Look:" },
            { "type": "tool_use", "id": "toolu_a", "name": "get_session", "input": { "a": 1 } }],
        "usage": { "input_tokens": 3, "output_tokens": 4 } });
    for seed in SEEDS {
        let script = vec![Answer::raw(format!(" \n{message:#}\n"))];
        let (outcome, _) = ask("anthropic", script, seed).await;
        assert_eq!(outcome.text, "Look:");
        assert_eq!(outcome.calls()[0].2.as_object(), json!({ "a": 1 }));
        assert_eq!(outcome.reply().usage.total(), 7);
    }
}
