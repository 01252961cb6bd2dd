//! Runs the folders in `tests/loops`: a conversation of calls and decisions, through the chat, the command line
//! and MCP. Each door must make the same plans to their digests, and whoever looks on must hear the same.
//!
//! `steps.json` lists the steps; `expected.json` has the events of each, and the final levels. `BLESS=1
//! cargo test -p deskhand --test cli loops` writes what is found. "Always allow" and stopping a turn are
//! keys of the terminal: `terminal.rs`.

use crate::desk::{Desk, Ran};
use crate::front_ends::{Ended, serve};
use crate::model::{Reply, configure};
use deskhand_protocol::socket::{Role, SocketLink, attach};
use deskhand_protocol::{Event, Link, News, Op, Read};
use deskhand_session::{Author, PlanId};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Stdio};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Door {
    Chat,
    CommandLine,
    Mcp,
}

const DOORS: [Door; 3] = [Door::Chat, Door::CommandLine, Door::Mcp];

#[test]
fn every_loop_is_the_same_through_every_door() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/loops");
    let entries = std::fs::read_dir(root).unwrap();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    assert!(!folders.is_empty());
    for folder in folders {
        let steps = read(&folder.join("steps.json"));
        let desk = Desk::with_session();
        let copies = DOORS.map(|door| copied(&desk, door));
        let all: Vec<Heard> =
            DOORS.iter().zip(&copies).map(|(door, dir)| go(&desk, *door, dir, &steps)).collect();
        for (door, heard) in DOORS.iter().zip(&all) {
            assert_eq!(heard.steps, all[0].steps, "{door:?} in {}", folder.display());
            assert_eq!(heard.digests, all[0].digests, "{door:?} in {}", folder.display());
            assert_eq!(heard.end, all[0].end, "{door:?} in {}", folder.display());
        }
        let found = json!({"steps": all[0].steps, "end": all[0].end});
        let file = folder.join("expected.json");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&file, format!("{found:#}\n")).unwrap();
        }
        assert_eq!(found, read(&file), "{}", folder.display());
    }
}

fn read(file: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

/// The session once more, so that each door begins with the same.
fn copied(desk: &Desk, door: Door) -> String {
    let name = format!("s{door:?}");
    copy(&desk.path("s"), &desk.path(&name));
    name
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let (entry, to) = (entry.unwrap(), to.to_owned());
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// The results of the steps.
struct Heard {
    steps: Vec<Value>,
    digests: Vec<String>,
    end: Value,
}

fn go(desk: &Desk, door: Door, dir: &str, steps: &Value) -> Heard {
    let steps = steps.as_array().unwrap();
    if door == Door::Chat {
        configure(desk, replies(steps));
    }
    let _hub = serve(desk, dir);
    let mut caller = Caller::at(desk, door, dir);
    let observer = attach(&desk.path(dir), Role::Observer).unwrap();
    let (mut heard, mut digests, mut plan) = (Vec::new(), Vec::new(), None);
    for step in steps {
        if let Some(tool) = step["call"].as_str() {
            caller.call(desk, dir, tool, &step["params"]);
        } else {
            decide(desk, dir, step, plan);
        }
        let events = overheard(&observer);
        for event in &events {
            if let News::Review { plan: reviewed } = &event.news {
                plan = Some(reviewed.id);
                digests.push(reviewed.digest.clone());
                let own = if door == Door::CommandLine { Author::User } else { Author::Agent };
                assert!(step["call"].is_null() || event.author == own, "{:?}", event.author);
            }
        }
        caller.learns(step, plan);
        heard.push(
            json!({"step": step, "heard": events.iter().filter_map(told).collect::<Vec<_>>()}),
        );
    }
    Heard { steps: heard, digests, end: levels(&desk.json(&["show", dir])) }
}

/// The model's replies that make the calls, each in its own turn.
fn replies(steps: &[Value]) -> Vec<Reply> {
    let turn = |step: &Value| -> Option<[Reply; 2]> {
        let tool: &'static str = step["call"].as_str()?.to_owned().leak();
        Some([("Like this?", Some((tool, step["params"].clone()))), ("It waits.", None)])
    };
    steps.iter().filter_map(turn).flatten().collect()
}

/// The person decides, at a terminal.
fn decide(desk: &Desk, dir: &str, step: &Value, plan: Option<PlanId>) {
    let (word, value) = step.as_object().unwrap().iter().next().unwrap();
    let (plan, value) = (plan.unwrap().to_string(), value.as_str().unwrap());
    match word.as_str() {
        "reject" => desk.ok(&["reject", dir, &plan, "--reason", value]),
        "apply" => desk.ok(&["apply", dir, &plan, "--yes"]),
        "only" => desk.ok(&["apply", dir, &plan, "--yes", "--only", value]),
        "set" => desk.ok(&["apply", dir, &plan, "--yes", "--set", value]),
        "undo" => desk.ok(&["undo", dir]),
        other => panic!("{other} is no decision"),
    };
}

/// Everything up to now.
fn overheard(observer: &SocketLink) -> Vec<Event> {
    let call = observer.submit(Op::Read { what: Read::Snapshot });
    let mut events = Vec::new();
    loop {
        let event = observer.events().recv_timeout(PATIENCE).unwrap();
        if event.call == Some(call) && matches!(event.news, News::Done { .. }) {
            return events;
        }
        events.push(event);
    }
}

/// An event for comparison. Messages of the conversation and progress are left out.
fn told(event: &Event) -> Option<Value> {
    Some(match &event.news {
        News::Planning { tool } => json!({"planning": tool}),
        News::Review { plan } => {
            let changes: Vec<_> = plan.changes.iter().map(|change| &change.id).collect();
            json!({"review": plan.summary, "changes": changes})
        }
        News::Decided { state, reason, receipt, follows, .. } => json!({
            "decided": state,
            "reason": reason.as_deref().map(unnamed),
            "measured": receipt.as_ref().map(|receipt| receipt.measured.len()),
            "goes_on": follows.is_some(),
        }),
        News::Moved { from, to, label, .. } => json!({"moved": [from, to], "label": label}),
        _ => return None,
    })
}

/// Words without the ids of plans, which differ from run to run.
fn unnamed(words: &str) -> String {
    let mut pieces = words.split("plan_");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |all, piece| all + "plan_ID" + &piece[12..])
}

/// Gains at the end, by name.
fn levels(shown: &Value) -> Value {
    let of = |list: &str| -> Vec<Value> {
        let rows = shown[list].as_array().unwrap().iter();
        let mut rows: Vec<_> = rows.map(|row| json!([row["name"], row["gain"]])).collect();
        rows.sort_by_key(Value::to_string);
        rows
    };
    json!({"tracks": of("tracks"), "clips": of("clips"), "revision": shown["revision"]})
}

/// The caller of tools at a door.
enum Caller {
    Chat,
    CommandLine,
    Mcp(Box<Client>),
}

impl Caller {
    fn at(desk: &Desk, door: Door, dir: &str) -> Self {
        match door {
            Door::CommandLine => Self::CommandLine,
            Door::Mcp => Self::Mcp(Box::new(Client::of(desk, dir))),
            Door::Chat => Self::Chat,
        }
    }

    fn call(&mut self, desk: &Desk, dir: &str, tool: &str, params: &Value) {
        let waits = |ran: Ran| assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
        match self {
            Self::CommandLine => {
                drop(desk.ok(&["plan", dir, tool, "--params", &params.to_string()]));
            }
            Self::Chat => waits(desk.run(&["ask", dir, "go on", "--provider", "scripted"])),
            Self::Mcp(client) => assert_eq!(client.call(tool, params)["status"], "waiting"),
        }
    }

    /// An AI client learns what the person decided.
    fn learns(&mut self, step: &Value, plan: Option<PlanId>) {
        let Self::Mcp(client) = self else {
            return;
        };
        let word = step.as_object().unwrap().keys().next().unwrap();
        let state = match word.as_str() {
            "reject" => "rejected",
            "apply" | "only" | "set" => "applied",
            _ => return,
        };
        let told = client.call("wait_for_decision", &json!({"plan_id": plan, "wait_s": 0}));
        assert_eq!(told["status"], state, "{told}");
        assert!(state != "rejected" || told["reason"] == step["reject"], "{told}");
    }
}

/// An AI client over stdin and stdout.
struct Client {
    stdin: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
    number: u64,
    _child: Ended,
}

impl Client {
    fn of(desk: &Desk, dir: &str) -> Self {
        let mut command = desk.command(&["mcp", dir, "--no-window"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = Ended(command.spawn().unwrap());
        let stdin = child.0.stdin.take().unwrap();
        let lines = BufReader::new(child.0.stdout.take().unwrap()).lines();
        let mut client = Self { stdin, lines, number: 0, _child: child };
        let info = json!({"name": "t", "version": "1"});
        let hello =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info});
        client.ask("initialize", &hello);
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        writeln!(client.stdin, "{ready}").unwrap();
        client
    }

    fn call(&mut self, tool: &str, params: &Value) -> Value {
        let found = self.ask("tools/call", &json!({"name": tool, "arguments": params}));
        found["result"]["structuredContent"].clone()
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.number += 1;
        let request =
            json!({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params});
        writeln!(self.stdin, "{request}").unwrap();
        loop {
            let line = self.lines.next().unwrap().unwrap();
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == self.number {
                return message;
            }
        }
    }
}
