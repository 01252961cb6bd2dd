//! A session in a folder that cannot be written: it is shown and rendered, and nothing else.

#![cfg(unix)]

use crate::desk::Desk;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;

fn permit(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Runs a command as a user who owns nothing here, since root may write everywhere. `None` if that is
/// impossible.
fn run(desk: &Desk, args: &[&str]) -> Option<(i32, String, String)> {
    let mut command = desk.command(args);
    if fs::metadata("/proc/self").is_ok_and(|found| found.uid() == 0) {
        command.uid(65_534).gid(65_534);
    }
    let output = command.env("XDG_RUNTIME_DIR", desk.path("out")).output().ok()?;
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Some((output.status.code().unwrap(), text(output.stdout), text(output.stderr)))
}

#[test]
fn what_cannot_be_written_is_shown_as_it_was_stored() {
    let desk = Desk::with_session();
    let plan = desk.json(&["plan", "s", "cmd_set_track_gain", "targets=Music", "gain_db=-3"]);
    let plan = plan["id"].as_str().unwrap();
    let shown = ["show", "log", "plans"].map(|name| desk.ok(&[name, "s"]).stdout);
    fs::create_dir(desk.path("out")).unwrap();
    permit(&desk.path("out"), 0o777);
    permit(&desk.path(""), 0o755);
    for file in ["s/session.db", "s/session.lock"] {
        permit(&desk.path(file), 0o444);
    }
    permit(&desk.path("s"), 0o555);
    let Some(ran) = run(&desk, &["show", "s"]) else {
        eprintln!(
            "SKIPPED what_cannot_be_written_is_shown_as_it_was_stored: others cannot run this"
        );
        return;
    };
    // Waveforms are in files that only their owner reads.
    let names = |text: &str| text.lines().take(5).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!((ran.0, names(&ran.1)), (0, names(&shown[0])), "{}", ran.2);
    assert!(ran.2.contains("cannot be written") && ran.2.contains("as it was stored"), "{}", ran.2);
    for (name, shown) in [("log", &shown[1]), ("plans", &shown[2])] {
        let ran = run(&desk, &[name, "s"]).unwrap();
        assert_eq!((ran.0, &ran.1), (0, shown), "{}", ran.2);
    }
    let ran = run(&desk, &["render", "s", "out/planned.wav", "--plan", plan]).unwrap();
    assert_eq!(ran.0, 0, "{}", ran.2);
    let ran = run(&desk, &["apply", "s", plan, "--yes"]).unwrap();
    assert_eq!(ran.0, 1);
    assert!(ran.2.contains("copy it to a folder that you may write to"), "{}", ran.2);
    permit(&desk.path("s"), 0o755);
}
