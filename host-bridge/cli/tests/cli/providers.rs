//! Providers chosen, keyed and refused at the command line, as in the window of a plugin.

use crate::desk::{Desk, Ran};
use serde_json::Value;

fn key(desk: &Desk, id: &str, key: &str) -> Ran {
    desk.run_with(&["--json", "providers", "key", id], key)
}

fn read(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|why| panic!("{why}: {}", ran.stdout))
}

#[test]
fn a_provider_is_chosen_with_its_model_and_its_key() {
    let desk = Desk::new();
    let before = read(&desk.run(&["--json", "providers", "list"]));
    assert_eq!(before["default"], Value::Null);
    assert_eq!(before["providers"][0]["id"], "claude");
    let used = desk.run(&["--json", "providers", "use", "claude", "--model", "a-new-one"]);
    assert_eq!((used.code, &read(&used)["default"]), (0, &"claude".into()));
    assert_eq!(read(&used)["providers"][0]["model"], "a-new-one");
    assert_eq!(read(&used)["providers"][0]["has_key"], false);
    let kept = key(&desk, "claude", "sk-canary-7\n");
    assert_eq!(read(&kept)["providers"][0]["has_key"], true);
    assert!(!kept.stdout.contains("canary") && !kept.stderr.contains("canary"));
    let listed = desk.run(&["providers", "list"]);
    assert!(listed.stdout.contains("a-new-one") && listed.stdout.contains("kept"));
    let offline = read(&desk.run(&["--json", "providers", "use", "offline"]));
    assert_eq!(offline["default"], Value::Null);
}

#[test]
fn a_server_of_ones_own_is_added_and_one_that_cannot_be_is_refused() {
    let desk = Desk::new();
    let add = |address| desk.run(&["--json", "providers", "add", "--", address, "qwen3"]);
    let refused = add("http://example.org/v1");
    assert_eq!(refused.code, 1);
    let message = read(&refused)["error"]["message"].to_string();
    assert!(message.contains("example.org"), "{message}");
    let added = add("http://127.0.0.1:9/v1");
    assert_eq!((added.code, &read(&added)["default"]), (0, &"server".into()));
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let desk = Desk::new();
    let unknown = desk.run(&["--json", "providers", "use", "nobody"]);
    assert_eq!(unknown.code, 1);
    let error = &read(&unknown)["error"];
    assert!(error["message"].as_str().unwrap().contains("nobody"), "{error}");
    assert!(error["fix"].as_str().unwrap().contains("claude"), "{error}");
    assert!(key(&desk, "claude", " \n").code == 1, "an empty key");
    let said = |desk: &Desk| {
        let tested = desk.run(&["--json", "providers", "test", "openai", "--local-only"]);
        assert_eq!(tested.code, 1);
        read(&tested)["said"].as_str().unwrap().to_owned()
    };
    assert!(said(&desk).contains("has no key yet"));
    assert_eq!(key(&desk, "openai", "k").code, 0);
    assert!(said(&desk).contains("local only"));
}

#[test]
fn a_provider_that_is_offered_and_has_no_key_says_how_it_gets_one() {
    let desk = Desk::with_session();
    let ask = ["ask", "s", "what is loudest?", "--provider", "claude"];
    let error = desk.error(&ask, 1);
    assert_eq!(error["message"], "claude has no key yet", "{error}");
    let fix = error["fix"].as_str().unwrap();
    assert!(fix.contains("`deskhand providers key claude`"), "{error}");
}
