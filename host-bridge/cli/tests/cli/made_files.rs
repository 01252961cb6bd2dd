//! Files that tools make: drawn when they are taken, and reported in one line if they cannot be written.

use crate::desk::Desk;

#[test]
fn what_a_plan_made_is_drawn_like_what_was_imported() {
    let desk = Desk::with_session();
    let split = ["plan", "s", "tool_separate_stems", "targets=Voice", "method=harmonic_percussive"];
    let plan = desk.json(&split);
    desk.ok(&["apply", "s", plan["id"].as_str().unwrap(), "--yes"]);
    let shown = desk.ok(&["show", "s"]).stdout;
    let is_drawn = |line: &str| line.chars().any(|c| ('▁'..='█').contains(&c));
    let stem = |line: &&str| line.contains("clip_") && line.contains("Voice harmonic");
    assert!(shown.lines().find(stem).is_some_and(is_drawn), "{shown}");
}

/// A limit on the size of files simulates a full disk: a file over it fails in the middle of writing.
#[cfg(unix)]
#[test]
fn a_disk_without_room_is_told_with_what_helps() {
    let desk = Desk::with_session();
    for call in ["tool_denoise targets=Voice", "tool_separate_stems targets=Voice method=mid_side"]
    {
        let program = env!("CARGO_BIN_EXE_deskhand");
        let script = format!("trap '' XFSZ; ulimit -f 1000; exec '{program}' plan s {call}");
        let mut command = std::process::Command::new("sh");
        command.args(["-c", &script]).current_dir(desk.path(""));
        let output = command.env("XDG_CONFIG_HOME", desk.path("config")).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        let lines: Vec<&str> = told.lines().collect();
        assert_eq!((output.status.code(), lines.len()), (Some(1), 2), "{told}");
        assert!(lines[0].ends_with("nothing was kept"), "{told}");
        assert!(lines[1].contains("free some space"), "{told}");
        assert_eq!(desk.path("s/media/made").read_dir().unwrap().count(), 0, "{call}");
    }
}
