//! Which manifests are tools, and which do nothing.

use crate::desk::Desk;
use deskhand_external::{Candidate, State};
use serde_json::json;
use std::fs;

pub(crate) const TESTS: &[(&str, fn())] = &[
    ("a_strangers_manifest_does_nothing", a_strangers_manifest_does_nothing),
    ("what_was_approved_and_changed_does_nothing", what_was_approved_and_changed_does_nothing),
    ("what_changes_while_a_session_is_open_does_not_run", what_changes_while_open),
    ("names_are_had_once", names_are_had_once),
    ("damage_is_named", damage_is_named),
];

const TOUCH: &str = "echo ran >&2; echo '{\"result\": {\"summary\": \"ran\"}}'";

fn a_strangers_manifest_does_nothing() {
    let desk = Desk::new();
    for folder in ["session", "session/tools"] {
        let file = desk.write(folder, "evil", "gives = \"nothing\"", TOUCH);
        let loaded = desk.load();
        assert_eq!((loaded.tools.len(), loaded.entries.len()), (0, 1));
        let entry = &loaded.entries[0];
        assert_eq!((entry.name.as_deref(), &entry.state), (Some("tool_evil"), &State::Inert));
        let warning = entry.warning().unwrap();
        assert!(warning.contains("does nothing until you approve it") && warning.contains("evil"));
        assert_eq!(warning.lines().count(), 1);
        fs::remove_file(file).unwrap();
    }
}

fn what_was_approved_and_changed_does_nothing() {
    let desk = Desk::new();
    let file = desk.write("session/tools", "guest", "gives = \"nothing\"", TOUCH);
    desk.approvals().approve(&Candidate::read(&file).unwrap()).unwrap();
    assert_eq!(desk.state(&file), State::Active);
    assert_eq!(desk.call("guest", json!({})).unwrap().summary, "guest: ran");
    fs::write(file.with_file_name("guest.sh"), "echo other").unwrap();
    assert_eq!(desk.state(&file), State::Changed);
    fs::write(file.with_file_name("guest.sh"), TOUCH).unwrap();
    assert_eq!(desk.state(&file), State::Active, "as it was approved");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("/bin/sh", "/bin/cat")).unwrap();
    assert_eq!(desk.state(&file), State::Changed, "another program");
    assert!(desk.approvals().forget(&file).unwrap());
    assert!(!desk.approvals().forget(&file).unwrap());
    assert_eq!(desk.state(&file), State::Inert);
}

fn what_changes_while_open() {
    let desk = Desk::new();
    let file = desk.write("tools", "own", "gives = \"nothing\"", TOUCH);
    let tool = desk.tool("own");
    assert_eq!(desk.run(tool.as_ref(), json!({})).unwrap().summary, "own: ran");
    fs::write(file.with_file_name("own.sh"), format!("{TOUCH}; true")).unwrap();
    let said = desk.run(tool.as_ref(), json!({})).unwrap_err().to_string();
    assert!(said.contains("tool_own was changed since the session was opened"), "{said}");
}

fn names_are_had_once() {
    let desk = Desk::new();
    let refused = |file: &std::path::Path| match desk.state(file) {
        State::Refused(why) => why,
        other => panic!("{other:?}"),
    };
    let shadow = desk.write("tools", "normalize", "", TOUCH);
    assert!(refused(&shadow).contains("tool_normalize is a tool of Deskhand itself"));
    let first = desk.write("tools", "twin", "", TOUCH);
    let text = fs::read_to_string(&first).unwrap();
    let second = first.with_file_name("other.deskhand-tool.toml");
    fs::write(&second, text).unwrap();
    for file in [&first, &second] {
        assert!(refused(file).contains("another manifest there is called tool_twin too"));
    }
    fs::remove_file(&second).unwrap();
    let guest = desk.write("session/tools", "twin", "", TOUCH);
    desk.approvals().approve(&Candidate::read(&guest).unwrap()).unwrap();
    let loaded = desk.load();
    assert_eq!(loaded.tools.len(), 1, "the person's own stays");
    let last = loaded.entries.last().unwrap();
    assert!(last.warning().unwrap().contains("tool_twin is a tool in your own folder already"));
}

fn damage_is_named() {
    let desk = Desk::new();
    let write = |name: &str, bytes: &[u8]| {
        let file = desk.path(&format!("tools/{name}.deskhand-tool.toml"));
        fs::write(&file, bytes).unwrap();
        file
    };
    let good = fs::read_to_string(desk.write("tools", "good", "", TOUCH)).unwrap();
    let cases = [
        (write("a", b"\xff\xfe"), "valid UTF-8"),
        (write("b", b"name = "), "line 1"),
        (write("c", good.replace("\"/bin/sh\"", "\"no-such-thing\"").as_bytes()), "is not here"),
        (write("d", good.replace("good.sh", "gone.sh").as_bytes()), "gone.sh"),
        (write("e", "#".repeat(300_000).as_bytes()), "larger than"),
    ];
    for (file, told) in cases {
        let State::Refused(why) = desk.state(&file) else { panic!("{file:?}") };
        assert!(why.contains(told) && why.lines().count() == 1, "{why}");
    }
    assert_eq!(desk.load().tools.len(), 1, "the good one stands");
    fs::create_dir(desk.path("config")).unwrap();
    fs::write(desk.path("config/approved-tools.toml"), "[[[").unwrap();
    let guest = desk.write("session", "guest", "", TOUCH);
    let State::Refused(why) = desk.state(&guest) else { panic!() };
    assert!(why.contains("approved-tools.toml"), "{why}");
}
