//! The conversation, with the planner that needs no network: `chat` line by line, and `ask --provider`.

use crate::desk::{Desk, settings};
use serde_json::Value;

#[test]
fn chat_without_a_terminal_says_lines_and_decides_nothing() {
    let desk = Desk::with_session();
    let words = "what's loudest?\n\nnormalize the voice to -16 LUFS\n";
    let ran = desk.run_with(&["chat", "s"], words);
    assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
    settings().bind(|| insta::assert_snapshot!("chat_lines", ran.stdout));
    let plans = desk.json(&["plans", "s"]);
    let last = plans.as_array().unwrap().last().unwrap();
    assert_eq!(last["state"], "waiting");
    assert_eq!(last["author"], "agent");
    let id = last["plan"]["id"].as_str().unwrap();
    desk.ok(&["apply", "s", id, "--yes"]);
}

#[test]
fn a_conversation_is_remembered_and_goes_on_elsewhere() {
    let desk = Desk::with_session();
    let ran = desk.run_with(&["chat", "s", "--json"], "mute the music\n");
    let end: Value = serde_json::from_str(ran.stdout.trim()).unwrap();
    assert_eq!(end["reason"], "finished");
    let ran = desk.run_with(&["chat", "s"], "");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn ask_a_provider() {
    let desk = Desk::with_session();
    let args = ["ask", "s", "normalize the voice to -16 LUFS", "--provider", "offline", "--json"];
    let ran = desk.run(&args);
    assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
    settings().bind(|| insta::assert_json_snapshot!("ask_provider", ran.json()));
    let ran = desk.run(&[&args[..], &["--yes"]].concat());
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let said = ran.json();
    assert_eq!(said["pending"], serde_json::json!([]));
    assert_eq!(said["receipts"][0]["state"], "applied");
}

#[test]
fn ask_a_provider_about_a_file() {
    let desk = Desk::new();
    desk.tone("talk.wav", 300.0, -30.0, 3.0);
    let ran = desk.ok(&["ask", "talk.wav", "how loud is it?", "--provider", "offline"]);
    assert!(ran.stdout.contains("-30."), "{}", ran.stdout);
}

#[test]
fn a_provider_that_is_not_configured_is_a_clear_error() {
    let desk = Desk::with_session();
    let error = desk.error(&["ask", "s", "make it louder", "--provider", "claudia"], 1);
    let text = format!("{} {}", error["message"], error["fix"]);
    assert!(text.contains("claudia"), "{text}");
    let ran = desk.run_with(&["chat", "s", "--provider", "claudia"], "hello\n");
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("claudia"), "{}", ran.stdout);
}

#[test]
fn a_configuration_that_cannot_be_read_is_a_clear_error() {
    let desk = Desk::with_session();
    std::fs::create_dir_all(desk.path("config/deskhand")).unwrap();
    std::fs::write(desk.path("config/deskhand/config.toml"), "defualt = \"x\"\n").unwrap();
    let error = desk.error(&["ask", "s", "hello", "--provider", "x"], 1);
    let text = format!("{} {}", error["message"], error["fix"]);
    assert!(text.contains("defualt") && text.contains("default"), "{text}");
}
