//! A key that tells when it gets out: the server says it back wherever it can, and it is found nowhere.

use crate::desk::Desk;
use crate::model::{Model, Wire, call, text};
use serde_json::json;
use std::io::Write;

const CANARY: &str = "sk-canary-51c0ffee8d2b";

#[cfg(unix)]
#[test]
fn the_key_appears_in_no_file_log_event_or_message() {
    use std::os::unix::fs::OpenOptionsExt;
    for wire in [Wire::Anthropic, Wire::OpenAi] {
        let model = Model::serve(wire, |seen| match seen.number {
            0 => vec![
                text(&format!("Your key is {}.", seen.key)),
                call("a", "cmd_add_marker", &json!({"name": seen.key, "at_s": 1})),
                call(&seen.key, "no_such_tool", &json!({"said": seen.key})),
            ],
            _ => vec![text(&format!("I told {} everything.", seen.key))],
        });
        let keys = tempfile::tempdir().unwrap();
        let file = keys.path().join("key");
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true).mode(0o600);
        options.open(&file).unwrap().write_all(CANARY.as_bytes()).unwrap();
        let mut desk = Desk::new(&model, &["Host"]).configured(&model.config_with_key(&file));
        desk.say("what is my key?");
        let end = desk.end();
        assert_eq!(end.turns, 2, "{end:?}");
        assert!(model.seen().iter().all(|seen| seen.key == CANARY), "the host got its key");
        assert!(!model.seen()[1].text.contains(CANARY), "what is said back is not said again");
        let heard = serde_json::to_string(&desk.heard).unwrap();
        assert!(!heard.contains(CANARY), "{heard}");
        let sent = desk.sent.lock().unwrap().join("\n");
        assert!(!sent.contains(CANARY) && !sent.is_empty());
        let (bytes, _tmp) = desk.left_behind();
        assert!(!bytes.windows(CANARY.len()).any(|window| window == CANARY.as_bytes()));
    }
}
