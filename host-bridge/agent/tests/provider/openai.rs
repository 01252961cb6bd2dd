//! Chat completions: the request as it is sent, and streams as servers send them.

use crate::ask::{CANARY, SEEDS, ask, ask_within, limits};
use crate::server::{Answer, Ending};
use deskhand_agent::provider::{Arguments, Limits, Part, StopReason, Usage};
use serde_json::{Value, json};
use std::time::Duration;

fn chunk(delta: &Value) -> Value {
    json!({ "id": "c", "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] })
}

fn words(text: &str) -> Value {
    chunk(&json!({ "content": text }))
}

fn calls(calls: Value) -> Value {
    chunk(&json!({ "content": null, "tool_calls": calls }))
}

fn stop(reason: &str) -> Value {
    json!({ "id": "c", "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] })
}

/// The calls of a stream of tool-call deltas: id, name, arguments as JSON.
async fn read_calls(deltas: &[Value]) -> Vec<(String, String, Value)> {
    let mut chunks: Vec<Value> = deltas.iter().map(|delta| calls(delta.clone())).collect();
    chunks.push(stop("tool_calls"));
    let mut read = Vec::new();
    for seed in SEEDS {
        let (outcome, _) = ask("openai", vec![Answer::openai(&chunks)], seed).await;
        assert_eq!(outcome.reply().stop, StopReason::ToolUse);
        let calls = outcome.calls();
        read = calls.into_iter().map(|(id, name, args)| (id, name, args.as_object())).collect();
    }
    read
}

fn named(calls: &[(String, String, Value)]) -> Vec<(&str, Value)> {
    calls.iter().map(|(_, name, arguments)| (name.as_str(), arguments.clone())).collect()
}

#[tokio::test]
async fn the_request_as_it_is_sent() {
    let script = vec![Answer::openai(&[words("ok"), stop("stop")])];
    let (_, server) = ask("openai", script, 1).await;
    let seen = &server.seen()[0];
    assert!(seen.head.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"), "{}", seen.head);
    assert!(seen.head.contains(&format!("authorization: Bearer {CANARY}\r\n")));
    insta::assert_json_snapshot!(seen.body);
}

#[tokio::test]
async fn words_empty_deltas_and_usage_in_a_last_chunk() {
    let usage = json!({ "id": "c", "choices": [], "usage": {
        "prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13 } });
    let chunks = [
        chunk(&json!({ "role": "assistant", "content": "" })),
        json!({ "id": "c", "choices": [] }),
        chunk(&json!({})),
        chunk(&json!({ "content": null, "reasoning_content": "hm" })),
        words("Ich hö"),
        chunk(&Value::Null),
        words("re 🥁."),
        stop("stop"),
        usage,
    ];
    for seed in SEEDS {
        let (outcome, _) = ask("openai", vec![Answer::openai(&chunks)], seed).await;
        assert_eq!(outcome.text, "Ich höre 🥁.");
        assert_eq!(outcome.reply().parts, [Part::text("Ich höre 🥁.")]);
        assert_eq!(outcome.reply().usage, Usage { input_tokens: 9, output_tokens: 4 });
        assert_eq!(outcome.reply().stop, StopReason::EndTurn);
    }
}

#[tokio::test]
async fn without_usage_it_is_estimated() {
    let script = vec![Answer::openai(&[words("twelve bytes"), stop("stop")])];
    let (outcome, _) = ask("openai", script, 1).await;
    let usage = outcome.reply().usage;
    assert_eq!(usage.output_tokens, 3);
    assert_eq!(usage.input_tokens, (outcome.sent[0].bytes as u64).div_ceil(4));
}

#[tokio::test]
async fn parallel_calls_by_index_in_pieces() {
    let calls = read_calls(&[
        json!([{ "index": 0, "id": "a", "type": "function",
            "function": { "name": "one", "arguments": "" } }]),
        json!([{ "index": 1, "id": "b", "function": { "name": "two", "arguments": "{\"x\"" } }]),
        json!([{ "index": 0, "function": { "arguments": "{\"t\":\"dr" } },
            { "index": 1, "function": { "arguments": ":1}" } }]),
        json!([{ "index": 0, "function": { "arguments": "ums\"}" } }]),
        json!([]),
        json!([{ "index": 2, "id": "c", "function": { "name": "three" } }]),
    ])
    .await;
    let ids: Vec<_> = calls.iter().map(|call| call.0.as_str()).collect();
    assert_eq!(ids, ["a", "b", "c"]);
    assert_eq!(
        named(&calls),
        [("one", json!({ "t": "drums" })), ("two", json!({ "x": 1 })), ("three", json!({}))]
    );
}

#[tokio::test]
async fn all_calls_at_index_0_with_ids_of_their_own() {
    let call = |id: &str, name: &str, n: u64| json!([{ "index": 0, "id": id, "function": { "name": name, "arguments": format!("{{\"n\":{n}}}") } }]);
    let calls = read_calls(&[call("a", "one", 1), call("b", "one", 2), call("c", "two", 3)]).await;
    assert_eq!(
        named(&calls),
        [("one", json!({ "n": 1 })), ("one", json!({ "n": 2 })), ("two", json!({ "n": 3 }))]
    );
}

#[tokio::test]
async fn calls_without_ids_and_without_index() {
    let call = |name: &str, arguments: Value| json!([{ "function": { "name": name, "arguments": arguments } }]);
    let calls = read_calls(&[
        call("one", json!({ "n": 1 })),
        call("one", json!({ "n": 2 })),
        call("two", json!("{\"n\":")),
        json!([{ "function": { "arguments": "3}" } }]),
        json!([{ "index": 0, "id": "", "function": { "name": "two", "arguments": "{\"n\":4}" } }]),
    ])
    .await;
    let numbers: Vec<_> = calls.iter().map(|call| call.2["n"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 2, 3, 4]);
    let ids: std::collections::HashSet<_> = calls.iter().map(|call| &call.0).collect();
    assert_eq!(ids.len(), 4);
    assert!(ids.iter().all(|id| id.starts_with("call_")));
}

#[tokio::test]
async fn an_id_that_is_used_twice_and_a_name_that_comes_again() {
    let calls = read_calls(&[
        json!([{ "index": 0, "id": "a", "function": { "name": "one", "arguments": "{\"n\"" } }]),
        json!([{ "index": 0, "id": "a", "function": { "name": "one", "arguments": ":1}" } }]),
        json!([{ "index": 0, "id": "a", "function": { "name": "one", "arguments": "" } }]),
        json!([{ "index": 0, "id": "a", "function": { "name": "one", "arguments": "{\"n\":2}" } }]),
        json!([{ "index": 1, "id": "a", "function": { "name": "two", "arguments": "{}" } }]),
    ])
    .await;
    assert_eq!(
        named(&calls),
        [("one", json!({ "n": 1 })), ("one", json!({ "n": 2 })), ("two", json!({}))]
    );
    assert_eq!(calls[0].0, "a");
    assert!(calls[1].0 != "a" && calls[2].0 != calls[1].0);
}

#[tokio::test]
async fn arguments_of_other_types_are_kept_as_they_are() {
    let arguments =
        [json!([1]), json!(3), json!(true), json!("{\"n\":"), json!(null), json!("null")];
    let deltas: Vec<Value> = arguments
        .iter()
        .enumerate()
        .map(|(index, arguments)| {
            json!([{ "index": index, "id": format!("i{index}"),
                "function": { "name": "one", "arguments": arguments } }])
        })
        .collect();
    let chunks: Vec<Value> = deltas.into_iter().map(calls).chain([stop("stop")]).collect();
    let (outcome, _) = ask("openai", vec![Answer::openai(&chunks)], 2).await;
    let malformed = |raw: &str| Arguments::Malformed(raw.to_owned());
    let none = Arguments::read("");
    let read: Vec<_> = outcome.calls().into_iter().map(|call| call.2).collect();
    assert_eq!(
        read,
        [
            malformed("[1]"),
            malformed("3"),
            malformed("true"),
            malformed("{\"n\":"),
            none.clone(),
            none
        ]
    );
    // `stop` was said, and calls were made.
    assert_eq!(outcome.reply().stop, StopReason::ToolUse);
}

#[tokio::test]
async fn reasons_to_stop() {
    for (reason, stopped) in [
        ("stop", StopReason::EndTurn),
        ("eos", StopReason::EndTurn),
        ("length", StopReason::MaxTokens),
        ("content_filter", StopReason::Refusal),
        ("tool_calls", StopReason::EndTurn),
    ] {
        let (outcome, _) =
            ask("openai", vec![Answer::openai(&[words("a"), stop(reason)])], 3).await;
        assert_eq!(outcome.reply().stop, stopped, "{reason}");
    }
    let call = calls(json!([{ "index": 0, "id": "a", "function": { "name": "one" } }]));
    let refusal = chunk(&json!({ "refusal": "I cannot." }));
    let (outcome, _) = ask("openai", vec![Answer::openai(&[call, refusal, stop("stop")])], 4).await;
    assert_eq!(outcome.reply().stop, StopReason::Refusal);
    assert_eq!(outcome.reply().parts, [Part::text("I cannot.")]);
}

#[tokio::test]
async fn the_end_may_be_missing() {
    let body = format!("data: {}\n\ndata: {}", words("ok"), stop("stop"));
    for ending in [Ending::Chunked, Ending::Closed, Ending::CutOff, Ending::Open] {
        let body = if ending == Ending::Open { format!("{body}\n\n") } else { body.clone() };
        // A body that breaks off in the middle of an event has not said its last.
        let body = if ending == Ending::CutOff { format!("{body}\n\n") } else { body };
        let limits = Limits { idle: Duration::from_secs(1), ..limits() };
        let script = vec![Answer::raw(body).ending(ending)];
        let (outcome, _) = ask_within("openai", script, 5, limits).await;
        assert_eq!(outcome.reply().parts, [Part::text("ok")], "{ending:?}");
    }
    // `[DONE]` without a reason is an end as well.
    let (outcome, _) = ask("openai", vec![Answer::openai(&[words("ok")])], 6).await;
    assert_eq!(outcome.reply().stop, StopReason::EndTurn);
}

#[tokio::test]
async fn a_whole_completion_is_read_too() {
    let call = |n: u64| json!({ "type": "function", "function": { "name": "one", "arguments": { "n": n } } });
    let completion = json!({ "choices": [{ "finish_reason": "tool_calls", "message": {
            "role": "assistant", "content": "Look:", "tool_calls": [call(1), call(2)] } }],
        "usage": { "prompt_tokens": 3, "completion_tokens": 4 } });
    for seed in SEEDS {
        let script = vec![Answer::raw(completion.to_string()).ending(Ending::Closed)];
        let (outcome, _) = ask("openai", script, seed).await;
        assert_eq!(outcome.text, "Look:");
        let arguments: Vec<_> = outcome.calls().iter().map(|call| call.2.as_object()).collect();
        assert_eq!(arguments, [json!({ "n": 1 }), json!({ "n": 2 })]);
        assert_eq!(outcome.reply().usage.total(), 7);
    }
}

#[tokio::test]
async fn errors_inside_the_stream() {
    let busy =
        json!({ "error": { "message": "The server is overloaded", "type": "server_error" } });
    let script = vec![
        Answer::raw(format!("data: {busy}\n\n")),
        Answer::openai(&[words("ok"), stop("stop")]),
    ];
    let (outcome, _) = ask("openai", script, 7).await;
    assert_eq!((outcome.text.as_str(), outcome.retries.len()), ("ok", 1));
    let said = json!({ "error": format!("no, {CANARY}") });
    let (outcome, server) = ask("openai", vec![Answer::raw(format!("data: {said}\n\n"))], 8).await;
    let error = outcome.error().replace(&server.port.to_string(), "PORT");
    insta::assert_snapshot!(error, @"provider test (127.0.0.1:PORT) refuses the request (200): no, [key]; check its address and its model");
}
