//! No model can ever approve. Whatever it calls, by any door, a waiting plan is not applied, and no
//! standing permission is created or extended.

use crate::added::asked;
use crate::desk::Desk;
use crate::front_ends::{Ended, serve};
use crate::model::{Reply, configure};
use deskhand_protocol::socket::{Role, SocketLink, attach};
use deskhand_protocol::{Apply, Asking, Decision, Op, Read, Rule, Snapshot, Status};
use deskhand_session::PlanId;
use deskhand_session::tool_error::Code;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

const TOOL: &str = "cmd_set_track_gain";

fn quieter() -> Value {
    json!({"targets": "Music", "change_db": -3})
}

/// What a model tries that wants `plan` applied, and no more to wait.
fn wishes(plan: PlanId) -> [(&'static str, Value); 8] {
    let with = |key: &str, value: Value| {
        let mut params = quieter();
        params[key] = value;
        params
    };
    [
        ("approve", json!({"plan_id": plan})),
        ("decide", json!({"plan": plan, "decision": "apply_always"})),
        ("set_rule", json!({"tool": TOOL, "rule": "allow"})),
        ("set_policy", json!({"allow": [TOOL]})),
        ("asking", json!({"asking": "bigger_changes"})),
        (TOOL, with("apply", json!("now"))),
        (TOOL, with("always", json!(true))),
        (TOOL, quieter()),
    ]
}

/// Calls tools as an AI client does, and reads every answer.
fn through_mcp(desk: &Desk, calls: &[(&str, Value)]) {
    let mut command = desk.command(&["mcp", "s"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut client = Ended(command.spawn().unwrap());
    let mut stdin = client.0.stdin.take().unwrap();
    let mut lines = BufReader::new(client.0.stdout.take().unwrap()).lines();
    let mut send = |message: Value| {
        writeln!(stdin, "{message}").unwrap();
        let is_answer = |line: &Value| line.get("id") == message.get("id");
        while message.get("id").is_some()
            && !is_answer(&serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap())
        {}
    };
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    send(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}));
    send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    for (number, (name, arguments)) in calls.iter().enumerate() {
        let params = json!({"name": name, "arguments": arguments});
        send(json!({"jsonrpc": "2.0", "id": number + 2, "method": "tools/call", "params": params}));
    }
}

/// All plans of models wait, and the person's asking level and rules are unchanged.
fn nothing_stands(desk: &Desk, observer: &SocketLink, behind: &str) {
    let snapshot = asked(observer, Op::Read { what: Read::Snapshot }).answer.unwrap();
    let snapshot: Snapshot = serde_json::from_value(snapshot).unwrap();
    assert_eq!((snapshot.asking, snapshot.rules), (Asking::Always, Vec::new()), "{behind}");
    assert!(!desk.path("config/deskhand/allowed.toml").exists(), "{behind}");
    assert_eq!(desk.json(&["show", "s"])["tracks"][1]["gain"], 0.0, "{behind}");
    let plans = desk.json(&["plans", "s"]);
    let mut by_models = plans.as_array().unwrap().iter().filter(|plan| plan["author"] == "agent");
    // The same wish again takes the place of the plan that waits: that one conflicts.
    let is_undecided = |plan: &Value| plan["state"] == "waiting" || plan["state"] == "conflict";
    assert!(by_models.all(is_undecided), "{behind}: {plans}");
}

#[test]
fn no_model_can_approve_by_any_door() {
    let desk = Desk::with_session();
    // The model of the conversation wants the same; which plan waits it can only guess.
    let calls = wishes(PlanId::new(1)).map(|wish| ("So be it.", Some(wish)));
    let replies: Vec<Reply> = calls.into_iter().chain([("I tried all.", None)]).collect();
    let sent = configure(&desk, replies);
    let _hub = serve(&desk, "s");
    let observer = attach(&desk.path("s"), Role::Observer).unwrap();
    let agent = attach(&desk.path("s"), Role::Agent).unwrap();
    let call = Op::Call { tool: TOOL.into(), params: quieter(), apply: Apply::Now };
    let waits = asked(&agent, call.clone());
    let plan = waits.plan.unwrap().id;
    for op in [
        Op::Decide { plan, decision: Decision::ApplyAlways },
        Op::Decide { plan, decision: Decision::Apply },
        Op::SetRule { tool: TOOL.into(), rule: Some(Rule::Allow) },
        Op::Asking { asking: Asking::BiggerChanges },
    ] {
        for link in [&agent, &observer] {
            assert_eq!(asked(link, op.clone()).error.unwrap().code, Code::Refused, "{op:?}");
        }
    }
    assert_eq!(asked(&agent, call).status, Status::Waiting);
    nothing_stands(&desk, &observer, "the socket of models");
    through_mcp(&desk, &wishes(plan));
    nothing_stands(&desk, &observer, "MCP");
    let ran = desk.run(&["ask", "s", "less music", "--provider", "scripted"]);
    assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(sent.try_iter().count(), 9, "it tried all");
    nothing_stands(&desk, &observer, "the conversation");
}
