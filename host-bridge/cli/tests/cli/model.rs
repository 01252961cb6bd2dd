//! A scripted model on the chat completions API that many servers speak: what `ask` and `chat` do with it.

use crate::desk::{Desk, settings};
use crossbeam_channel::{Receiver, unbounded};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

/// A reply: its text, and perhaps a call of a tool with parameters.
pub(crate) type Reply = (&'static str, Option<(&'static str, Value)>);

/// A model named "scripted" in the folder's configuration; its requests come here.
pub(crate) fn listen(desk: &Desk) -> TcpListener {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let folder = desk.path("config/deskhand");
    std::fs::create_dir_all(&folder).unwrap();
    let config = format!(
        "[providers.scripted]\nkind = \"openai\"\nmodel = \"m\"\nbase_url = \"http://127.0.0.1:{port}/v1\"\n"
    );
    std::fs::write(folder.join("config.toml"), config).unwrap();
    listener
}

/// Makes the model send `replies`, one per request. Returns the requests.
pub(crate) fn configure(desk: &Desk, replies: Vec<Reply>) -> Receiver<String> {
    let listener = listen(desk);
    let (sender, sent) = unbounded();
    thread::spawn(move || {
        for (number, (reply, stream)) in replies.iter().zip(listener.incoming()).enumerate() {
            let stream = stream.unwrap();
            // Not every test reads it.
            drop(sender.send(request(&stream)));
            answer(stream, number, reply);
        }
    });
    sent
}

/// Reads a request to its end; gives its body.
pub(crate) fn request(stream: &TcpStream) -> String {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    String::from_utf8(body).unwrap()
}

/// The beginning of an answer that streams.
pub(crate) const HEAD: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

fn answer(mut stream: TcpStream, number: usize, (text, call): &Reply) {
    let mut events = vec![json!({"choices": [{"index": 0, "delta": {"content": text}}]})];
    if let Some((name, arguments)) = call {
        let function = json!({"name": name, "arguments": arguments.to_string()});
        let id = format!("call_{number}");
        let calls = json!([{"index": 0, "id": id, "type": "function", "function": function}]);
        events.push(json!({"choices": [{"index": 0, "delta": {"tool_calls": calls}}]}));
    }
    let reason = if call.is_some() { "tool_calls" } else { "stop" };
    events.push(json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}));
    events.push(json!({"choices": [], "usage": {"prompt_tokens": 1000, "completion_tokens": 10}}));
    let body: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    stream.write_all(format!("{HEAD}{body}data: [DONE]\n\n").as_bytes()).unwrap();
}

fn quieter() -> Vec<Reply> {
    let call = ("cmd_set_track_gain", json!({"targets": "Music", "change_db": -3}));
    vec![("I will turn it down.", Some(call)), ("That is what I did.", None)]
}

#[test]
fn what_a_model_plans_waits_for_a_person() {
    let desk = Desk::with_session();
    configure(&desk, quieter());
    let args = ["ask", "s", "less music", "--provider", "scripted", "--json"];
    let ran = desk.run(&args);
    assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
    let said = ran.json();
    assert_eq!(said["reply"], "I will turn it down.\nThat is what I did.");
    assert_eq!(said["turns"], 2);
    assert_eq!(said["usage"], json!({"input_tokens": 2000, "output_tokens": 20}));
    assert_eq!(said["pending"][0], said["plans"][0]["id"]);
    assert_eq!(desk.json(&["show", "s"])["tracks"][1]["gain"], 0.0);
    let sent = std::fs::read_to_string(desk.path("config/deskhand/sent.log")).unwrap();
    assert_eq!(sent.lines().count(), 2, "{sent}");
}

#[test]
fn yes_takes_what_changes_the_session_and_nothing_that_reaches_outside() {
    let desk = Desk::with_session();
    let out = desk.path("out.wav");
    let mut replies = quieter();
    replies.insert(1, ("And render it.", Some(("cmd_render", json!({"path": out})))));
    configure(&desk, replies);
    let ran = desk.run(&["ask", "s", "less music", "--provider", "scripted", "--yes", "--json"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.json()["receipts"][0]["state"], "applied");
    assert_eq!(desk.json(&["show", "s"])["tracks"][1]["gain"], -3.0);
    let plans = desk.json(&["plans", "s"]);
    let rendering = plans.as_array().unwrap().last().unwrap();
    assert_eq!(rendering["plan"]["tool"], "cmd_render");
    assert_eq!(rendering["state"], "rejected");
    assert!(!out.exists());
}

#[test]
fn chat_shows_words_once_calls_and_what_waits() {
    let desk = Desk::with_session();
    configure(&desk, quieter());
    let ran = desk.run_with(&["chat", "s", "--provider", "scripted"], "less music\n");
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    settings().bind(|| insta::assert_snapshot!("chat_model", ran.stdout));
}

#[test]
fn local_only_still_reaches_this_machine() {
    let desk = Desk::with_session();
    configure(&desk, vec![("Hello.", None)]);
    let args = ["chat", "s", "--provider", "scripted", "--local-only"];
    let ran = desk.run_with(&args, "hello\n");
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.starts_with("Hello."), "{}", ran.stdout);
}

#[test]
fn why_there_is_no_answer_is_told_once_with_the_way_out() {
    let desk = Desk::with_session();
    let config =
        "[providers.keyless]\nkind = \"anthropic\"\nmodel = \"m\"\napi_key_env = \"NO_SUCH_KEY\"\n";
    std::fs::create_dir_all(desk.path("config/deskhand")).unwrap();
    std::fs::write(desk.path("config/deskhand/config.toml"), config).unwrap();
    for (provider, out) in [("nobody", "keyless"), ("keyless", "NO_SUCH_KEY")] {
        let ran = desk.run(&["ask", "s", "hello", "--provider", provider]);
        assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{}", ran.stderr);
        assert!(ran.stderr.contains(out) && ran.stderr.lines().count() <= 2, "{}", ran.stderr);
    }
    let listener = listen(&desk);
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        request(&stream);
        let half = json!({"choices": [{"index": 0, "delta": {"content": "half an ans"}}]});
        stream.write_all(format!("{HEAD}data: {half}\n\n").as_bytes()).unwrap();
    });
    let ran = desk.run(&["ask", "s", "hello", "--provider", "scripted"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, "half an ans\n"), "{}", ran.stderr);
    assert_eq!(ran.stderr.lines().count(), 2, "{}", ran.stderr);
}
