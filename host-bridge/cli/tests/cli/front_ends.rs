//! One request through three doors: the command line, the chat and MCP. The plan is the same to its digest, and
//! whoever looks on hears the same.

use crate::desk::Desk;
use deskhand_protocol::socket::{Role, SocketLink, attach};
use deskhand_protocol::{Link, News, Op, Read};
use deskhand_session::{PlanId, StoredPlan};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

/// A program of the test, ended whatever happens.
pub(crate) struct Ended(pub(crate) Child);

impl Drop for Ended {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// Serves the session in `dir`.
pub(crate) fn serve(desk: &Desk, dir: &str) -> Ended {
    let mut command = desk.command(&["serve", dir, "--json"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut ready = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut ready).unwrap();
    assert!(ready.contains("serving"), "{ready}");
    Ended(child)
}

/// What an observer hears up to the next waiting plan: the plan, and the kinds of news in order. Messages
/// of the conversation and progress are left out.
fn overheard(observer: &SocketLink) -> (PlanId, Vec<&'static str>) {
    let mut kinds = Vec::new();
    loop {
        let event = observer.events().recv_timeout(PATIENCE).unwrap();
        match event.news {
            News::Planning { .. } => kinds.push("planning"),
            News::Moved { .. } => kinds.push("moved"),
            News::Decided { .. } => kinds.push("decided"),
            News::Review { plan } => {
                kinds.push("review");
                return (plan.id, kinds);
            }
            _ => {}
        }
    }
}

fn stored(observer: &SocketLink, plan: PlanId) -> StoredPlan {
    let call = observer.submit(Op::Read { what: Read::Plan { plan } });
    loop {
        let event = observer.events().recv_timeout(PATIENCE).unwrap();
        if let (Some(of), News::Done { result }) = (event.call, event.news)
            && of == call
        {
            return serde_json::from_value(result.answer.unwrap()).unwrap();
        }
    }
}

/// Calls a tool as an AI client does. The server ends with its input.
fn ask_over_mcp(desk: &Desk, tool: &str, params: &Value) -> (Ended, ChildStdin) {
    let mut command = desk.command(&["mcp", "s"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = Ended(command.spawn().unwrap());
    let mut stdin = child.0.stdin.take().unwrap();
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    for message in [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": tool, "arguments": params}}),
    ] {
        writeln!(stdin, "{message}").unwrap();
    }
    (child, stdin)
}

/// Calls a tool as an AI client does, and waits until the plan waits.
fn through_mcp(
    desk: &Desk,
    tool: &str,
    params: &Value,
    observer: &SocketLink,
) -> (PlanId, Vec<&'static str>) {
    let _client = ask_over_mcp(desk, tool, params);
    overheard(observer)
}

#[test]
fn command_line_chat_and_mcp_make_the_same_plan_and_are_heard_alike() {
    let desk = Desk::with_session();
    let _hub = serve(&desk, "s");
    let observer = attach(&desk.path("s"), Role::Observer).unwrap();
    let asked = desk.run(&[
        "ask",
        "s",
        "normalize everything to -16 LUFS",
        "--provider",
        "offline",
        "--json",
    ]);
    assert_eq!(asked.code, 3, "it waits: {}{}", asked.stdout, asked.stderr);
    let chat = overheard(&observer);
    let first = stored(&observer, chat.0);
    let (tool, params) = (first.plan.tool.as_str(), &first.plan.params);
    desk.run(&["plan", "s", tool, "--params", &params.to_string()]);
    let line = overheard(&observer);
    let mcp = through_mcp(&desk, tool, params, &observer);
    for (plan, kinds) in [line, mcp] {
        assert_eq!(stored(&observer, plan).plan.digest, first.plan.digest);
        assert_eq!(kinds, chat.1);
    }
    assert_eq!(chat.1, ["planning", "review"]);
}

/// What an AI client is answered to a call.
fn answer_of_mcp(desk: &Desk, tool: &str, params: &Value) -> Value {
    let (mut child, _stdin) = ask_over_mcp(desk, tool, params);
    let lines = BufReader::new(child.0.stdout.take().unwrap()).lines();
    let mut answers = lines.map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
    answers.find(|answer| answer["id"] == 2).unwrap()["result"]["structuredContent"].clone()
}

#[test]
fn what_a_person_is_warned_of_is_the_list_of_the_plan_at_every_door() {
    let desk = Desk::with_session();
    let _hub = serve(&desk, "s");
    let (tool, start, end) = ("cmd_ripple_delete", "start_s=1", "end_s=2");
    let call = ["plan", "s", tool, "targets=Voice", start, end, "sync=named"];
    let told = desk.ok(&[&call[..], &["--json"]].concat());
    let for_programs: Value = serde_json::from_str(&told.stdout).unwrap();
    let warnings = for_programs["warnings"].as_array().unwrap();
    assert_eq!(warnings[0], "\"Music\" stays, and will not be in sync with \"Voice\" any more.");
    let params = json!({"targets": "Voice", "start_s": 1, "end_s": 2, "sync": "named"});
    let for_models = answer_of_mcp(&desk, tool, &params);
    for list in ["warnings", "notes", "offers"] {
        assert_eq!(for_models["plan"][list], for_programs[list], "{list}: {for_models}");
    }
    let for_people = desk.ok(&call);
    let shown: Vec<&str> =
        for_people.stderr.lines().filter_map(|line| line.strip_prefix("warning: ")).collect();
    assert_eq!(json!(shown), json!(warnings));
    let group = "Group and keep in sync: `deskhand plan DIR cmd_set_group \
                 'name=Voice, Music' 'targets=[\"Voice\",\"Music\"]'`";
    assert!(for_people.stderr.contains(group), "{}", for_people.stderr);
    // The offer works as typed, and the warning is gone.
    let group =
        ["plan", "s", "cmd_set_group", "name=Voice, Music", "targets=[\"Voice\",\"Music\"]"];
    let made = desk.ok(&[&group[..], &["--json"]].concat());
    let made: Value = serde_json::from_str(&made.stdout).unwrap();
    desk.ok(&["apply", "s", made["id"].as_str().unwrap(), "--yes"]);
    let again = desk.ok(&[&call[..], &["--json"]].concat());
    let again: Value = serde_json::from_str(&again.stdout).unwrap();
    assert_eq!(again["warnings"], json!([]));
}
