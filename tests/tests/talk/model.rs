//! A model that follows a script, on a local server that speaks both wire formats.
//!
//! It is as strict as the real ones: a history that they would refuse is answered with 400.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// What the model answers.
#[derive(Clone, Debug)]
pub(crate) enum Say {
    /// Words.
    Text(String),
    /// A call: its id, its name, and the text of its arguments.
    Call(String, String, String),
    /// The connection breaks here.
    Disconnect,
    /// Nothing more comes, and the connection stays open.
    Hang,
}

/// A call.
pub(crate) fn call(id: &str, name: &str, arguments: &Value) -> Say {
    Say::Call(id.into(), name.into(), arguments.to_string())
}

/// Words.
pub(crate) fn text(words: &str) -> Say {
    Say::Text(words.into())
}

/// Which format is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wire {
    Anthropic,
    OpenAi,
}

type Script = dyn FnMut(&Seen) -> Vec<Say> + Send;

/// One request, as the model reads it.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// How many there were before.
    pub(crate) number: usize,
    /// The key that came with it.
    pub(crate) key: String,
    pub(crate) body: Value,
    /// The texts of tool results in the last message, in order.
    pub(crate) results: Vec<Value>,
    /// Every word in it, results too.
    pub(crate) text: String,
}

/// A server on this machine.
pub(crate) struct Model {
    pub(crate) address: SocketAddr,
    pub(crate) wire: Wire,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Model {
    /// Serves a script: it is asked with each request.
    pub(crate) fn serve(
        wire: Wire,
        script: impl FnMut(&Seen) -> Vec<Say> + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let script: Arc<Mutex<Box<Script>>> = Arc::new(Mutex::new(Box::new(script)));
        let noted = Arc::clone(&seen);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (script, noted) = (Arc::clone(&script), Arc::clone(&noted));
                thread::spawn(move || drop(serve_one(stream.unwrap(), wire, &script, &noted)));
            }
        });
        Self { address, wire, seen }
    }

    /// A model that says each of these in turn, and then "done".
    pub(crate) fn scripted(wire: Wire, answers: Vec<Vec<Say>>) -> Self {
        let mut answers = answers.into_iter();
        Self::serve(wire, move |_| answers.next().unwrap_or_else(|| vec![text("done")]))
    }

    /// The same with a key, kept in a file.
    pub(crate) fn config_with_key(&self, file: &std::path::Path) -> String {
        format!("{}api_key_file = {:?}\n", self.config(), file.display().to_string())
    }

    /// The configuration that names it `test`.
    pub(crate) fn config(&self) -> String {
        let (kind, path) = match self.wire {
            Wire::Anthropic => ("anthropic", ""),
            Wire::OpenAi => ("openai", "/v1"),
        };
        format!(
            "default = \"test\"\n[providers.test]\nkind = \"{kind}\"\nbase_url = \"http://{}{path}\"\nmodel = \"m\"\n\
             turn_budget = 60\n",
            self.address
        )
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

fn serve_one(
    stream: TcpStream,
    wire: Wire,
    script: &Mutex<Box<Script>>,
    noted: &Mutex<Vec<Seen>>,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let (mut length, mut key) = (0, String::new());
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line == "\r\n" {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if let Some((name, value)) = line.split_once(':')
            && ["x-api-key", "authorization"].contains(&name.to_lowercase().as_str())
        {
            key = value.trim().trim_start_matches("Bearer ").to_owned();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let body: Value = serde_json::from_slice(&body).unwrap();
    let mut stream = stream;
    if let Err(why) = strict(&body, wire) {
        let error = json!({"error": {"type": "invalid_request_error", "message": why}}).to_string();
        write!(
            stream,
            "HTTP/1.1 400 Bad Request\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{error}",
            error.len()
        )?;
        return Ok(());
    }
    let number = noted.lock().unwrap().len();
    let seen = Seen { number, key, results: results_of(&body, wire), text: body.to_string(), body };
    noted.lock().unwrap().push(seen.clone());
    let answer = (script.lock().unwrap())(&seen);
    send(&mut stream, wire, &answer, number)
}

/// Sends an answer as a stream, cut at places that follow no pattern.
fn send(stream: &mut TcpStream, wire: Wire, answer: &[Say], seed: usize) -> std::io::Result<()> {
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
    )?;
    let events = match wire {
        Wire::Anthropic => anthropic(answer),
        Wire::OpenAi => openai(answer),
    };
    let bytes = events.as_bytes();
    let (mut at, mut state) = (0, seed as u64 + 1);
    while at < bytes.len() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let size = 1 + (state >> 33) as usize % 97;
        let end = (at + size).min(bytes.len());
        stream.write_all(&bytes[at..end])?;
        stream.flush()?;
        at = end;
    }
    if answer.iter().any(|say| matches!(say, Say::Hang)) {
        // Until the other side gives up.
        let mut rest = [0; 1];
        drop(stream.read(&mut rest));
    }
    Ok(())
}

fn event(value: &Value) -> String {
    format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap_or("message"))
}

fn is_cut(answer: &[Say]) -> bool {
    answer.iter().any(|say| matches!(say, Say::Disconnect | Say::Hang))
}

fn anthropic(answer: &[Say]) -> String {
    let mut out = event(
        &json!({"type": "message_start", "message": {"id": "m", "usage": {"input_tokens": 9, "output_tokens": 1}}}),
    );
    let mut stop = "end_turn";
    for (index, say) in answer.iter().enumerate() {
        let (block, delta) = match say {
            Say::Text(text) => {
                (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": text}))
            }
            Say::Call(id, name, arguments) => {
                stop = "tool_use";
                (
                    json!({"type": "tool_use", "id": id, "name": name, "input": {}}),
                    json!({"type": "input_json_delta", "partial_json": arguments}),
                )
            }
            Say::Disconnect | Say::Hang => return out,
        };
        out +=
            &event(&json!({"type": "content_block_start", "index": index, "content_block": block}));
        out += &event(&json!({"type": "content_block_delta", "index": index, "delta": delta}));
        out += &event(&json!({"type": "content_block_stop", "index": index}));
    }
    out += &event(
        &json!({"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 5}}),
    );
    out + &event(&json!({"type": "message_stop"}))
}

fn openai(answer: &[Say]) -> String {
    let mut out = String::new();
    let chunk = |delta: Value, finish: Value| {
        format!(
            "data: {}\n\n",
            json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
        )
    };
    let mut calls = 0;
    for say in answer {
        match say {
            Say::Text(text) => out += &chunk(json!({"content": text}), Value::Null),
            Say::Call(id, name, arguments) => {
                let call = json!({"index": calls, "id": id, "type": "function", "function": {"name": name, "arguments": arguments}});
                out += &chunk(json!({"tool_calls": [call]}), Value::Null);
                calls += 1;
            }
            Say::Disconnect | Say::Hang => {}
        }
    }
    if is_cut(answer) {
        return out;
    }
    let finish = if calls > 0 { "tool_calls" } else { "stop" };
    out += &chunk(json!({}), json!(finish));
    out + "data: [DONE]\n\n"
}

/// The rules by which the real services refuse a history.
fn strict(body: &Value, wire: Wire) -> Result<(), String> {
    let messages = body["messages"].as_array().ok_or("no messages")?;
    match wire {
        Wire::Anthropic => strict_anthropic(messages),
        Wire::OpenAi => strict_openai(messages),
    }
}

fn blocks<'a>(message: &'a Value, kind: &str) -> Vec<&'a Value> {
    let blocks = message["content"].as_array();
    blocks.into_iter().flatten().filter(|block| block["type"] == kind).collect()
}

fn strict_anthropic(messages: &[Value]) -> Result<(), String> {
    let mut last = "assistant";
    let mut open: Vec<&Value> = Vec::new();
    for message in messages {
        let role = message["role"].as_str().unwrap_or_default();
        if role == last {
            return Err(format!("roles do not alternate: {role}"));
        }
        last = role;
        let results: Vec<&Value> =
            blocks(message, "tool_result").iter().map(|b| &b["tool_use_id"]).collect();
        if results != open {
            return Err(format!("tool_use without tool_result: {open:?}, {results:?}"));
        }
        open = blocks(message, "tool_use").iter().map(|block| &block["id"]).collect();
    }
    if open.is_empty() && last == "user" {
        Ok(())
    } else {
        Err("it does not end with the user".into())
    }
}

fn strict_openai(messages: &[Value]) -> Result<(), String> {
    let mut open: Vec<&Value> = Vec::new();
    for message in messages {
        if message["role"] == "tool" {
            let id = &message["tool_call_id"];
            if open.first() != Some(&id) {
                return Err(format!("a result for {id} where {open:?} are open"));
            }
            open.remove(0);
        } else if !open.is_empty() {
            return Err(format!("no results for {open:?}"));
        }
        let calls = message["tool_calls"].as_array();
        open.extend(calls.into_iter().flatten().map(|call| &call["id"]));
    }
    if open.is_empty() { Ok(()) } else { Err("calls are open at the end".into()) }
}

/// The results of the calls that were made last.
fn results_of(body: &Value, wire: Wire) -> Vec<Value> {
    let messages = body["messages"].as_array().unwrap();
    let texts: Vec<String> = match wire {
        Wire::Anthropic => blocks(messages.last().unwrap(), "tool_result")
            .iter()
            .map(|block| match &block["content"] {
                Value::String(text) => text.clone(),
                other => other[0]["text"].as_str().unwrap_or_default().to_owned(),
            })
            .collect(),
        Wire::OpenAi => {
            let tail = messages.iter().rev().take_while(|m| m["role"] == "tool");
            let mut texts: Vec<_> =
                tail.map(|m| m["content"].as_str().unwrap_or_default().to_owned()).collect();
            texts.reverse();
            texts
        }
    };
    texts.iter().map(|text| serde_json::from_str(text).unwrap_or_else(|_| json!(text))).collect()
}
