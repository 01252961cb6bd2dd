//! Tools that anyone adds, from the manifest to the clip: written, checked, called by a person and by a
//! model, and those that came with a session.

use crate::desk::Desk;
use deskhand_protocol::socket::{Role, SocketLink, attach};
use deskhand_protocol::{Apply, Link, News, Op, Status, ToolResult};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

/// Writes a manifest and a shell script into a folder.
fn manifest(desk: &Desk, folder: &str, name: &str, script: &str) -> PathBuf {
    fs::create_dir_all(desk.path(folder)).unwrap();
    fs::write(desk.path(&format!("{folder}/{name}.sh")), script).unwrap();
    let file = desk.path(&format!("{folder}/{name}.deskhand-tool.toml"));
    let text = format!(
        "format = \"deskhand.tool/1\"\nname = \"{name}\"\ntitle = \"{name}\"\ndescription = \"{name}.\"\n\
         category = \"edit\"\ncommand = \"/bin/sh\"\nargs = [\"{name}.sh\"]\nfiles = [\"{name}.sh\"]\n\
         gives = \"nothing\"\nnetwork = false\n"
    );
    fs::write(&file, text).unwrap();
    file
}

#[test]
fn a_new_tool_works_as_it_is_written() {
    let desk = Desk::with_session();
    let made = desk.json(&["tools", "new", "my_gain"]);
    assert_eq!(made["tool"], "tool_my_gain");
    let file = made["manifest"].as_str().unwrap();
    assert!(file.ends_with("config/deskhand/tools/my_gain.deskhand-tool.toml"), "{file}");
    let checked = desk.ok(&["tools", "check", file]).stdout;
    for told in [
        "starts     ",
        "network    no",
        "Tone",
        "2 channels, peak -12.0 dBFS",
        "ok         My gain",
    ] {
        assert!(checked.contains(told), "{told}: {checked}");
    }
    let checked = desk.json(&["tools", "check", file, "--params", "{\"gain_db\": 0}"]);
    assert_eq!(checked["changes"], json!(["add_source", "remove_clip", "add_clip"]));
    let known = desk.json(&["tools", "tool_my_gain"]);
    assert_eq!((&known["trust"], &known["category"]), (&json!("require"), &json!("edit")));
    let call = ["plan", "s", "tool_my_gain", "targets=Voice", "gain_db=20"];
    let asked = desk.error(&call, 3);
    assert!(asked["message"].as_str().unwrap().contains("starts a program: /"), "{asked}");
    assert!(!desk.path("s/media/made").exists(), "nothing ran");
    let plan = desk.json(&[&call[..], &["--yes"]].concat());
    assert_eq!(plan["changes"].as_array().unwrap().len(), 3);
    desk.ok(&["apply", "s", plan["id"].as_str().unwrap(), "--yes"]);
    desk.ok(&["render", "s", "out.wav", "--stems", "stems"]);
    let peak = desk.json(&["measure", "stems/01 Voice.wav"])[0]["sample_peak_dbfs"].clone();
    assert!((peak.as_f64().unwrap() + 10.0).abs() < 0.1, "{peak}");
    assert!(desk.ok(&["undo", "s"]).stdout.contains("My gain"));
    let again = desk.error(&["tools", "new", "my_gain"], 1);
    assert!(again["message"].as_str().unwrap().contains("is there already"));
    assert!(desk.json(&["tools", "list", "s"])[0]["state"] == "active");
}

#[test]
fn what_a_tool_hears_becomes_markers_and_facts_and_is_undone() {
    let desk = Desk::with_session();
    let script = r#"clip=$(grep -o '"clip_[^"]*"' request.json | head -1)
        breath='{"name": "breath", "at_s": 0.5, "length_s": 0.25, "clip": '$clip'}'
        pitch='{"clip": '$clip', "name": "pitch", "value": 440.5, "unit": "Hz"}'
        echo '{"result": {"markers": ['"$breath"'], "findings": ['"$pitch"']}}'"#;
    manifest(&desk, "config/deskhand/tools", "ears", script);
    let plan = desk.json(&["plan", "s", "tool_ears", "targets=Music", "--yes"]);
    assert_eq!(plan["summary"], "ears: 1 marker, 1 finding");
    let after = |n: usize| &plan["changes"][n]["after"];
    let fact = json!({"by": "tool_ears", "unit": "Hz", "value": 440.5});
    assert_eq!(after(0)["description"]["pitch"], fact, "{plan}");
    desk.ok(&["apply", "s", plan["id"].as_str().unwrap(), "--yes"]);
    let markers = || desk.json(&["show", "s"])["markers"].clone();
    assert_eq!(markers()[0]["name"], "breath");
    let known = desk.json(&["plan", "s", "tool_ears", "targets=Music", "--yes"]);
    assert_eq!(known["changes"], json!([]), "the same is known already");
    assert!(desk.ok(&["undo", "s"]).stdout.contains("ears: 1 marker, 1 finding"));
    assert_eq!(markers(), json!([]));
}

#[test]
fn what_came_with_a_session_does_nothing_until_it_is_approved() {
    let desk = Desk::with_session();
    let file = manifest(&desk, "s/tools", "guest", "echo '{\"result\": {\"summary\": \"ran\"}}'");
    let file = file.to_str().unwrap();
    let shown = desk.ok(&["show", "s"]);
    assert!(
        shown.stderr.contains("guest.deskhand-tool.toml came with the session"),
        "{}",
        shown.stderr
    );
    assert_eq!(desk.error(&["plan", "s", "tool_guest"], 1)["code"], "unknown_tool");
    for refused in [["tools", "check", file], ["tools", "approve", file]] {
        assert_eq!(desk.run(&refused).code, 3, "nobody was there to say yes");
        assert_eq!(desk.error(&refused, 3)["code"], "decision_needed");
    }
    assert_eq!(desk.json(&["tools", "list", "s"])[0]["state"], "not approved");
    assert_eq!(desk.json(&["tools", "approve", file, "--yes"])["approved"], true);
    let ran = desk.ok(&["plan", "s", "tool_guest", "targets=all", "-y"]);
    assert!(
        ran.stdout.contains("guest: ran") && ran.stderr.is_empty(),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    fs::write(desk.path("s/tools/guest.sh"), "echo '{\"result\": {\"summary\": \"other\"}}'")
        .unwrap();
    let shown = desk.ok(&["show", "s"]);
    assert!(shown.stderr.contains("was changed since you approved it"), "{}", shown.stderr);
    assert_eq!(desk.error(&["plan", "s", "tool_guest"], 1)["code"], "unknown_tool");
    assert_eq!(desk.json(&["tools", "forget", file])["forgotten"], true);
    assert_eq!(desk.json(&["tools", "list", "s"])[0]["state"], "not approved");
}

#[test]
fn bad_manifests_and_bad_tools_are_one_line_each() {
    let desk = Desk::with_session();
    let tools = "config/deskhand/tools";
    let bad = manifest(&desk, tools, "bad", "echo what >&2; exit 137");
    let said = desk.error(&["tools", "check", bad.to_str().unwrap()], 1);
    let message = said["message"].as_str().unwrap();
    assert!(
        message.contains("exit code 137") && message.contains("it wrote: \"what\""),
        "{message}"
    );
    manifest(&desk, tools, "normalize", "true");
    fs::write(desk.path(&format!("{tools}/odd.deskhand-tool.toml")), "name = 3").unwrap();
    let shown = desk.ok(&["show", "s"]);
    let lines: Vec<_> = shown.stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].contains("tool_normalize is a tool of Deskhand itself"), "{lines:?}");
    assert!(lines[1].contains("odd.deskhand-tool.toml"), "{lines:?}");
    assert_eq!(desk.json(&["tools", "tool_normalize"])["trust"], "suggest", "nothing was shadowed");
    for name in ["../x", "tool_x"] {
        assert!(
            desk.error(&["tools", "new", name], 1)["message"].as_str().unwrap().contains("`name`")
        );
    }
}

/// A program of the test, ended whatever happens.
pub(crate) struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

pub(crate) fn serve(desk: &Desk) -> Ended {
    let mut command = desk.command(&["serve", "s", "--json"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut ready = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut ready).unwrap();
    assert!(ready.contains("serving"), "{ready}");
    Ended(child)
}

pub(crate) fn asked(link: &SocketLink, op: Op) -> ToolResult {
    let call = link.submit(op);
    loop {
        let event = link.events().recv_timeout(PATIENCE).unwrap();
        if let (Some(of), News::Done { result }) = (event.call, event.news)
            && of == call
        {
            return *result;
        }
    }
}

fn called(link: &SocketLink, tool: &str, params: Value) -> ToolResult {
    asked(link, Op::Call { tool: tool.into(), params, apply: Apply::Now })
}

#[test]
fn a_models_call_waits_for_leave_to_run_and_then_for_its_plan() {
    let desk = Desk::with_session();
    desk.ok(&["tools", "new", "my_gain"]);
    let _hub = serve(&desk);
    let agent = attach(&desk.path("s"), Role::Agent).unwrap();
    let waits = called(&agent, "tool_my_gain", json!({"targets": "Voice", "gain_db": -6}));
    assert_eq!(waits.status, Status::Waiting);
    let plan = waits.plan.unwrap();
    assert!(
        plan.changes.is_empty() && plan.warnings[0].contains("tool_my_gain starts a program: /")
    );
    assert!(!desk.path("s/media/made").exists(), "nothing ran");
    let ran = desk.run(&["apply", "s", &plan.id.to_string(), "--yes", "--json"]);
    assert_eq!(
        (ran.code, &ran.json()["status"]),
        (3, &json!("waiting")),
        "the plan waits in its turn"
    );
    assert!(desk.path("s/media/made").is_dir());
    let plans = desk.json(&["plans", "s"]);
    let states: Vec<_> = plans.as_array().unwrap().iter().map(|plan| &plan["state"]).collect();
    assert_eq!(states.iter().filter(|state| **state == "waiting").count(), 1, "{states:?}");
}

#[test]
fn a_cancelled_tool_answers_at_once_and_nothing_of_it_is_left() {
    let desk = Desk::with_session();
    let script = "echo '{\"progress\": 0.1}'; exec sleep 600";
    manifest(&desk, "config/deskhand/tools", "slow", script);
    let _hub = serve(&desk);
    let person = attach(&desk.path("s"), Role::Person).unwrap();
    let params = json!({"targets": "Voice"});
    let call = person.submit(Op::Call { tool: "tool_slow".into(), params, apply: Apply::Never });
    let progress = |news: &News| matches!(news, News::Progress { fraction, .. } if *fraction > 0.1);
    while !progress(&person.events().recv_timeout(PATIENCE).unwrap().news) {}
    // It sleeps for longer than any answer is waited for.
    assert_eq!(asked(&person, Op::Cancel { call }).summary, "cancelling");
    let quick = called(&person, "cmd_set_track_mute", json!({"targets": "Music", "mute": true}));
    assert_eq!(quick.status, Status::Applied, "the host goes on");
    let plans = desk.json(&["plans", "s"]);
    assert!(plans.as_array().unwrap().iter().all(|plan| plan["state"] != "waiting"), "{plans}");
    assert!(!desk.path("s/media/made").exists(), "nothing was made");
}
