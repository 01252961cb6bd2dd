//! Calls that reach outside the session need permission first, whichever command makes them. If nobody can
//! be asked and nobody said yes, nothing runs.

use crate::desk::Desk;
use crate::front_ends::serve;
use crate::words::spoken;
use std::io::ErrorKind;
use std::net::TcpListener;

/// Configures a transcription service that nobody runs, and listens for connections.
fn service(desk: &Desk) -> TcpListener {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let folder = desk.path("config/deskhand");
    std::fs::create_dir_all(&folder).unwrap();
    let address = listener.local_addr().unwrap();
    let config = format!("[transcription]\nbase_url = \"http://{address}/v1\"\nmodel = \"m\"\n");
    std::fs::write(folder.join("config.toml"), config).unwrap();
    listener
}

fn nobody_came(listener: &TcpListener) {
    assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock, "nobody came");
}

#[test]
fn sound_is_sent_to_no_service_without_a_yes() {
    let desk = Desk::with_session();
    let listener = service(&desk);
    let before = desk.everything();
    let plan = ["plan", "s", "tool_transcribe", "targets=all", "model=service"];
    let transcribe = ["transcribe", "s", "--model", "service"];
    let fresh = ["transcribe", "Voice.wav", "--model", "service"];
    for door in [&plan[..], &transcribe[..], &fresh[..]] {
        let refused = desk.error(door, 3);
        assert_eq!(refused["code"], "decision_needed", "{door:?}");
        assert!(refused["fix"].as_str().unwrap().contains("--yes"), "{refused}");
        let told = desk.run(door);
        assert!(told.code == 3 && told.stderr.contains("nothing was sent"), "{}", told.stderr);
    }
    nobody_came(&listener);
    assert_eq!(desk.everything(), before);
}

#[test]
fn sound_of_a_served_session_is_not_sent_either() {
    let desk = Desk::with_session();
    let listener = service(&desk);
    let before = desk.json(&["plans", "s"]);
    let _hub = serve(&desk, "s");
    let plan = ["plan", "s", "tool_transcribe", "targets=all", "model=service"];
    assert_eq!(desk.error(&plan, 3)["code"], "decision_needed");
    nobody_came(&listener);
    assert_eq!(desk.json(&["plans", "s"]), before);
}

#[test]
fn what_cannot_work_is_told_and_not_asked() {
    let desk = Desk::with_session();
    let listener = service(&desk);
    let bad = ["plan", "s", "tool_transcribe", "targets=Banjo", "model=service"];
    assert_eq!(desk.error(&bad, 1)["code"], "no_target");
    nobody_came(&listener);
}

#[test]
fn a_file_beside_the_session_is_written_where_somebody_said_yes() {
    let desk = spoken();
    desk.ok(&["assemble", "phrases", "s", "--yes"]);
    let asked = ["ask", "s", "export the edit as csv to asked.csv"];
    let planned = ["plan", "s", "tool_export_assembly", "path=planned.csv"];
    let out = format!("path={}", desk.path("mix.wav").display());
    let rendered = ["plan", "s", "cmd_render", &out];
    let files = ["asked.csv", "planned.csv", "mix.wav"];
    for (door, file) in [&asked[..], &planned[..], &rendered[..]].into_iter().zip(files) {
        let waits = desk.run(door);
        assert_eq!(waits.code, 3, "{door:?}: {}{}", waits.stdout, waits.stderr);
        assert!(!desk.path(file).exists(), "{door:?}");
        let ran = desk.run(&[door, &["--yes"]].concat());
        assert_eq!(ran.code, 0, "{door:?}: {}{}", ran.stdout, ran.stderr);
        assert!(desk.path(file).exists(), "{door:?}");
    }
}

#[test]
fn asked_as_json_it_says_why_it_waits() {
    let desk = spoken();
    desk.ok(&["assemble", "phrases", "s", "--yes"]);
    let ran = desk.run(&["ask", "s", "export the edit as csv to cut.csv", "--json"]);
    assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
    let told = ran.json();
    let why = told["warnings"][0].as_str().unwrap();
    assert!(why.contains("files outside the session") && why.contains("--yes"), "{told}");
}
