//! The decode child: the same samples as in process, and an end of the child is an error, not ours.
//!
//! This test has its own `main`: it starts itself as the child.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

mod support;

use deskhand_dsp::Frames;
use deskhand_media::{BitDepth, ChildCommand, OpenError, Opener, child, open, probe};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use support::{encode, positions, read_all, read_at, signal, wav};

fn main() -> ExitCode {
    if let Some(code) = child::run_if_asked() {
        return code;
    }
    let dir = tempfile::tempdir().unwrap();
    let from = dir.path().join("from.wav");
    wav(&from, &signal(2, 100_000, 44_100), 44_100, BitDepth::S16);
    let opener = Opener::with_child(ChildCommand::this_program().unwrap());
    refusals_cross_the_pipe(&opener, dir.path());
    a_program_that_is_no_child_is_an_error(dir.path());
    a_child_that_dies_is_an_error(dir.path());
    let strange = dir.path().join("-a name\nwith ünusual parts.flac");
    if let Some(file) = encode(&from, &strange, &["-c:a", "flac"]) {
        the_same_samples(&opener, &file);
        the_child_limits_itself(&file);
        a_cut_file_is_told(&opener, &file, dir.path());
        println!("child: ok");
    }
    ExitCode::SUCCESS
}

fn the_same_samples(opener: &Opener, file: &Path) {
    assert_eq!(opener.probe(file).unwrap(), probe(file).unwrap());
    let whole = read_all(open(file).unwrap().as_mut(), 10_000);
    let mut reader = opener.open(file).unwrap();
    assert_eq!(read_all(reader.as_mut(), 90_000), whole);
    for at in positions(100_000, 5) {
        assert_eq!(read_at(reader.as_mut(), at, 100)[1], whole[1][at..(at + 100).min(100_000)]);
    }
}

fn refusals_cross_the_pipe(opener: &Opener, dir: &Path) {
    let text = dir.join("text.mp3");
    std::fs::write(&text, "this is no audio\n".repeat(100)).unwrap();
    assert!(matches!(opener.open(&text).err(), Some(OpenError::NotAudio { .. })));
    let missing = opener.open(&dir.join("missing.flac")).err();
    assert!(matches!(missing, Some(OpenError::NotFound { .. })));
}

fn a_cut_file_is_told(opener: &Opener, file: &Path, dir: &Path) {
    let cut = dir.join("cut.flac");
    let bytes = std::fs::read(file).unwrap();
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
    let known = opener.probe(&cut).unwrap();
    assert!(known.warnings[0].starts_with("It is cut off: its header promises 2.3 s"));
    assert_eq!(known, probe(&cut).unwrap());
}

fn a_program_that_is_no_child_is_an_error(dir: &Path) {
    let file = dir.join("x.flac");
    std::fs::write(&file, b"fLaC and nothing else").unwrap();
    let open_with = |program: &str| {
        let command = ChildCommand { program: PathBuf::from(program), args: Vec::new() };
        Opener::with_child(command).open(&file).err().unwrap()
    };
    let missing = open_with("/no/such/program").to_string();
    assert!(missing.contains("did not start"), "{missing}");
    let silent = open_with("true").to_string();
    assert!(silent.contains("it ended early (exit status: 0)"), "{silent}");
    let garbled = open_with("echo").to_string();
    assert!(garbled.contains("decoding"), "{garbled}");
}

/// A child that opens and then runs `script` on the first request.
fn scripted(dir: &Path, script: &str) -> String {
    let file = dir.join("x.flac");
    std::fs::write(&file, b"fLaC and nothing else").unwrap();
    let opened = r#"{"answer":"opened","probe":{"format":"FLAC","sample_format":"x","channels":2,
        "rate":48000,"frames":100,"origin":null,"channel_names":[],"placement":"convert","warnings":[]}}"#;
    let line = opened.replace('\n', " ");
    let script = format!("echo '{line}'; read request; {script}");
    let args = vec!["-c".into(), script.into()];
    let opener = Opener::with_child(ChildCommand { program: PathBuf::from("sh"), args });
    let mut reader = opener.open(&file).unwrap();
    let (mut l, mut r) = ([0.0; 50], [0.0; 50]);
    let first = reader.read(Frames::ZERO, &mut [&mut l, &mut r]).unwrap_err();
    assert_eq!(reader.read(Frames::ZERO, &mut [&mut l, &mut r]), Err(first.clone()));
    first.0
}

fn a_child_that_dies_is_an_error(dir: &Path) {
    let error = scripted(dir, "kill -ABRT $$");
    assert!(error.contains("it asked for more memory than audio needs"), "{error}");
    let error = scripted(dir, "kill -XCPU $$");
    assert!(error.contains("it took more processor time than audio needs"), "{error}");
    let error = scripted(dir, "exit 7");
    assert!(error.contains("it ended early (exit status: 7)"), "{error}");
    let block = r#"{"answer":"block","frames":60,"nonfinite":0,"damaged":0}"#;
    let error = scripted(dir, &format!("echo '{block}'; head -c 480 /dev/zero"));
    assert!(error.contains("it sent a block of the wrong size"), "{error}");
}

#[cfg(not(target_os = "linux"))]
fn the_child_limits_itself(_: &Path) {}

#[cfg(target_os = "linux")]
fn the_child_limits_itself(file: &Path) {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let command = ChildCommand::this_program().unwrap();
    let mut child = Command::new(command.program)
        .args(command.args)
        .arg(file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("opened"), "{line}");
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", child.id())).unwrap();
    let limit = |name: &str| {
        let line = limits.lines().find(|line| line.starts_with(name)).unwrap();
        line[name.len()..].split_whitespace().next().unwrap().to_owned()
    };
    assert_eq!(limit("Max address space"), (2u64 << 30).to_string());
    assert!(limit("Max cpu time").parse::<u64>().unwrap() < 120);
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
}
