//! The shape of every `--json`, which programs rely on.

use crate::desk::{Desk, settings};
use serde_json::Value;

fn snapshot(name: &str, value: &Value) {
    settings().bind(|| insta::assert_json_snapshot!(name, value));
}

#[test]
fn measure() {
    let desk = Desk::new();
    desk.tone("tone.wav", 1000.0, -23.0, 4.0);
    desk.tone("silence.wav", 1000.0, -200.0, 1.0);
    snapshot("measure", &desk.json(&["measure", "tone.wav", "silence.wav"]));
}

#[test]
fn session() {
    let desk = Desk::new();
    snapshot("new", &desk.json(&["new", "s"]));
    desk.tone("Voice.wav", 440.0, -30.0, 3.0);
    snapshot("import", &desk.json(&["import", "s", "Voice.wav"]));
    snapshot("show", &desk.json(&["show", "s"]));
}

#[test]
fn plan_apply_reject_and_history() {
    let desk = Desk::with_session();
    let plan = desk.json(&["plan", "s", "tool_normalize", "targets=Voice", "target_lufs=-16"]);
    snapshot("plan", &plan);
    let id = plan["id"].as_str().unwrap();
    snapshot("apply", &desk.json(&["apply", "s", id, "--yes"]));
    snapshot("undo", &desk.json(&["undo", "s"]));
    snapshot("redo", &desk.json(&["redo", "s"]));
    let other = desk.json(&["plan", "s", "cmd_rename_track", "targets=Music", "name=Bed"]);
    let other = other["id"].as_str().unwrap();
    snapshot("reject", &desk.json(&["reject", "s", other, "--reason", "keep the name"]));
    snapshot("plans", &desk.json(&["plans", "s"]));
    snapshot("log", &desk.json(&["log", "s"]));
    snapshot("doctor", &desk.json(&["doctor", "s"]));
}

#[test]
fn render() {
    let desk = Desk::with_session();
    let args = ["render", "s", "out.wav", "--stems", "stems", "--range", "0.5..1.5"];
    snapshot("render", &desk.json(&args));
}

#[test]
fn errors_are_json_on_stdout() {
    let desk = Desk::with_session();
    let plan = desk.json(&["plan", "s", "cmd_set_track_gain", "targets=Voice", "gain_db=-3"]);
    let other = desk.json(&["plan", "s", "cmd_set_track_gain", "targets=Voice", "gain_db=-6"]);
    desk.ok(&["apply", "s", plan["id"].as_str().unwrap(), "--yes"]);
    let other = other["id"].as_str().unwrap();
    snapshot("error_conflict", &desk.error(&["apply", "s", other, "--yes"], 4));
    snapshot("error_decision", &desk.error(&["apply", "s", other], 3));
    snapshot("error_no_target", &desk.error(&["plan", "s", "cmd_set_track_mute", "mute=true"], 1));
}

#[test]
fn tools_show_their_schemas() {
    let tools = Desk::new().json(&["tools"]);
    for tool in tools.as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        for key in ["title", "description", "category", "trust"] {
            assert!(tool[key].as_str().is_some_and(|text| !text.is_empty()), "{name}: {key}");
        }
        for key in ["input_schema", "output_schema"] {
            assert!(tool[key].is_object(), "{name}: {key}");
        }
    }
    snapshot("tool", &Desk::new().json(&["tools", "tool_normalize"]));
}
