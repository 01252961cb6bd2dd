//! Any history, repaired, is one that both wire formats accept; any stream is read, however it is cut.

use super::draft::{CallDraft, Draft, Fault};
use super::history::tests::any_history;
use super::history::{repair, say, trimmed};
use super::message::Message;
use super::openai::LimitField;
use super::stream::{Intake, Reader};
use super::turn::TurnRequest;
use super::{anthropic, openai};
use proptest::prelude::*;
use serde_json::{Value, json};

/// What the Messages API refuses with status 400.
fn anthropic_accepts(body: &Value) -> Result<(), String> {
    let mut ids = std::collections::HashSet::new();
    let mut waiting: Vec<&str> = Vec::new();
    for (place, message) in body["messages"].as_array().unwrap().iter().enumerate() {
        let role = if place % 2 == 0 { "user" } else { "assistant" };
        let content = message["content"].as_array().unwrap();
        let of = |kind: &'static str| content.iter().filter(move |block| block["type"] == kind);
        let results: Vec<&str> =
            of("tool_result").map(|block| block["tool_use_id"].as_str().unwrap()).collect();
        let first = &content[..results.len().min(content.len())];
        let good = message["role"] == role
            && !content.is_empty()
            && of("text").all(|block| !block["text"].as_str().unwrap().trim().is_empty())
            && first.iter().all(|block| block["type"] == "tool_result")
            && results == waiting
            && of("tool_result").all(|block| block["content"].is_string())
            && (role == "assistant" || of("tool_use").count() == 0);
        if !good {
            return Err(format!("message {place}: {message}"));
        }
        waiting = of("tool_use").map(|block| block["id"].as_str().unwrap()).collect();
        for block in of("tool_use") {
            let fits = ids.insert(block["id"].clone())
                && letters(&block["id"], 64)
                && letters(&block["name"], 64)
                && block["input"].is_object();
            if !fits {
                return Err(format!("call {block}"));
            }
        }
    }
    if waiting.is_empty() { Ok(()) } else { Err("calls at the end".into()) }
}

/// What chat completions refuse with status 400.
fn openai_accepts(body: &Value) -> Result<(), String> {
    let mut waiting: Vec<Value> = Vec::new();
    for message in body["messages"].as_array().unwrap() {
        let words = message["content"].as_str().unwrap().trim();
        let good = match message["role"].as_str().unwrap() {
            "tool" => {
                let id = &message["tool_call_id"];
                let place = waiting.iter().position(|waits| waits == id);
                place.map(|place| waiting.remove(place)).is_some()
            }
            "user" | "system" => waiting.is_empty() && !words.is_empty(),
            "assistant" => {
                let calls = message["tool_calls"].as_array().cloned().unwrap_or_default();
                let fits = |call: &Value| {
                    let arguments = call["function"]["arguments"].as_str().unwrap();
                    call["type"] == "function"
                        && letters(&call["id"], 40)
                        && letters(&call["function"]["name"], 64)
                        && serde_json::from_str::<Value>(arguments).unwrap().is_object()
                };
                let good = waiting.is_empty() && calls.iter().all(fits);
                waiting = calls.iter().map(|call| call["id"].clone()).collect();
                good && !(words.is_empty() && calls.is_empty())
                    && message.get("tool_calls") != Some(&json!([]))
            }
            _ => false,
        };
        if !good {
            return Err(message.to_string());
        }
    }
    if waiting.is_empty() { Ok(()) } else { Err("calls at the end".into()) }
}

fn letters(text: &Value, longest: usize) -> bool {
    let text = text.as_str().unwrap();
    (1..=longest).contains(&text.len())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter))
}

fn accepted(messages: &[Message]) -> Result<(), String> {
    let request = TurnRequest { system: "s", messages, tools: &[], max_tokens: 9 };
    anthropic_accepts(&anthropic::body("m", &request))?;
    openai_accepts(&openai::body("m", LimitField::MaxTokens, &request))
}

/// Any JSON, small.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        Just(json!({})),
        any::<bool>().prop_map(Value::from),
        (0_u64..3).prop_map(Value::from),
        prop::sample::select(vec!["", "a", "{}", "{\"a\":1}", "{\"a\"", "é"]).prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            (prop::sample::select(vec!["text", "id", "index", "arguments", "name"]), inner)
                .prop_map(|(key, value)| json!({ key: value })),
        ]
    })
}

/// Events of both formats with anything in their fields.
fn any_event() -> impl Strategy<Value = String> {
    let kinds = vec![
        "message_start",
        "content_block_start",
        "content_block_delta",
        "message_delta",
        "ping",
        "message",
        "error",
        "new",
        "",
    ];
    let inner = vec!["text", "tool_use", "text_delta", "input_json_delta", "thinking", ""];
    let kinds = prop::sample::select(kinds);
    let inner = prop::sample::select(inner);
    (kinds, inner, prop::collection::vec(any_json(), 8)).prop_map(|(kind, inner, any)| {
        let [a, b, c, d, e, f, g, h] = &any[..] else { unreachable!() };
        let block = json!({ "type": inner, "text": a, "id": b, "name": c, "input": d,
            "partial_json": e, "stop_reason": g });
        let call = json!({ "index": f, "id": b, "function": { "name": c, "arguments": e } });
        let said = json!({ "content": a, "tool_calls": [call, g], "refusal": h });
        json!({ "type": kind, "index": f, "content_block": block, "delta": block,
            "content": [block, h], "message": { "usage": g }, "usage": h,
            "choices": [{ "delta": said, "message": d, "finish_reason": g }] })
        .to_string()
    })
}

fn read(reader: Reader, chunks: &[&[u8]]) -> (Result<Draft, Fault>, String) {
    let mut text = String::new();
    let mut intake = Intake::new(reader);
    for chunk in chunks {
        if let Err(fault) = intake.push(chunk, &mut |words| text += words) {
            return (Err(fault), text);
        }
    }
    (intake.finish(&mut |words| text += words), text)
}

fn readers() -> [Reader; 2] {
    [Reader::Anthropic(anthropic::Reader::default()), Reader::OpenAi(openai::Reader::default())]
}

proptest! {
    #[test]
    fn both_formats_accept_any_repaired_history(
        mut history in any_history(),
        budget in 0_usize..4_000,
    ) {
        repair(&mut history);
        say(&mut history, "and now?");
        prop_assert_eq!(accepted(&history), Ok(()));
        prop_assert_eq!(accepted(&trimmed(&history, budget).messages), Ok(()));
    }

    #[test]
    fn any_stream_is_read_the_same_however_it_is_cut(
        events in prop::collection::vec(any_event(), 0..6),
        size in 1_usize..60,
    ) {
        let stream: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
        for (whole, pieces) in readers().into_iter().zip(readers()) {
            let chunks: Vec<&[u8]> = stream.as_bytes().chunks(size).collect();
            let whole = read(whole, &[stream.as_bytes()]);
            prop_assert_eq!(format!("{:?}", &whole), format!("{:?}", read(pieces, &chunks)));
            let history = [Message::user("x")];
            let request =
                TurnRequest { system: "", messages: &history, tools: &[], max_tokens: 1 };
            if let (Ok(draft), _) = whole {
                let reply = draft.into_reply(&request, 0, &str::to_owned);
                let mut history = vec![Message::user("x"), Message::assistant(reply.parts)];
                repair(&mut history);
                say(&mut history, "and now?");
                prop_assert_eq!(accepted(&history), Ok(()));
            }
        }
    }

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for reader in readers() {
            let (_, text) = read(reader, &[&bytes]);
            prop_assert!(text.len() <= 3 * bytes.len());
        }
    }
}

#[test]
fn a_flood_of_calls_is_refused() {
    let mut draft = Draft::default();
    let calls = (0..1_000).map(|_| draft.begin_call(CallDraft::default()));
    assert!(calls.filter(Result::is_err).count() > 0);
    let call = json!({ "function": { "name": "a", "arguments": {} } });
    let chunk = json!({ "choices": [{ "delta": { "tool_calls": vec![call; 300] } }] });
    let stream = format!("data: {chunk}\n\n");
    let (fault, _) = read(Reader::OpenAi(openai::Reader::default()), &[stream.as_bytes()]);
    assert_eq!(fault.unwrap_err(), Fault::Unreadable("more than 256 tool calls".to_owned()));
}
