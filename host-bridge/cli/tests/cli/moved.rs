//! Session folders that were moved are found by the session's id: the way of hosts' projects back to them.

use crate::desk::Desk;
use crate::front_ends::serve;
use serde_json::Value;
use std::fs;

/// Where the session is by `deskhand locate`, which looked last in `music/album/song`.
fn located(desk: &Desk, session: &str) -> Value {
    let was = desk.path("music/album/song");
    let mut command = desk.command(&["locate", session, "--was", was.to_str().unwrap(), "--json"]);
    for name in ["HOME", "XDG_DATA_HOME", "LOCALAPPDATA"] {
        command.env(name, desk.path("home"));
    }
    let ran = command.output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    serde_json::from_slice::<Value>(&ran.stdout).unwrap()["dir"].clone()
}

#[test]
fn a_session_is_found_where_people_move_folders_to_and_other_sessions_are_not_taken_for_it() {
    let desk = Desk::new();
    for folder in ["music/album", "music/other", "home/deskhand/sessions", "far/away/deep"] {
        fs::create_dir_all(desk.path(folder)).unwrap();
    }
    let made = desk.json(&["new", "music/album/song"]);
    let session = made["session"].as_str().unwrap();
    desk.ok(&["new", "music/album/stranger"]);
    desk.ok(&["new", "home/deskhand/sessions/stranger"]);
    fs::write(desk.path("music/album/a file"), "no folder").unwrap();
    let mut at = desk.path("music/album/song");
    for place in [
        "music/album/tune",
        "music/other/tune",
        "home/deskhand/sessions/tune",
        "far/away/deep/tune",
    ] {
        let to = desk.path(place);
        fs::rename(&at, &to).unwrap();
        at = to;
        if place.starts_with("far") {
            assert_eq!(located(&desk, session), Value::Null, "nobody ever opened it there");
            let kept = format!("zoom = 1.5\nrecent = [\"/nothing\", {:?}]\n", at.to_str().unwrap());
            fs::write(desk.path("home/deskhand/window.toml"), kept).unwrap();
        }
        assert_eq!(located(&desk, session), at.to_str().unwrap());
    }
    let hub = serve(&desk, "far/away/deep/tune");
    assert_eq!(located(&desk, session), at.to_str().unwrap(), "whoever has it open");
    drop(hub);
    assert_eq!(located(&desk, "session_00000000002a"), Value::Null);
    fs::write(desk.path("home/deskhand/window.toml"), "no toml").unwrap();
    assert_eq!(located(&desk, session), Value::Null);
}
