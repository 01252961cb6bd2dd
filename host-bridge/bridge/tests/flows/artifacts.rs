//! Files that plans made: removed with a rejected plan, and nothing else.

use crate::desk::Desk;
use deskhand_protocol::{Apply, Decision, Op, Status};
use deskhand_session::{Artifact, Plan, PlanId};
use serde_json::json;
use std::path::PathBuf;

fn made(desk: &Desk, path: &str) -> PathBuf {
    let file = desk.folder().join(path);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, "x").unwrap();
    file
}

fn plan_with(desk: &mut Desk, paths: &[&str]) -> PlanId {
    desk.plan("fake_files", json!({"paths": paths}))
}

fn reject(desk: &mut Desk, plan: PlanId) -> String {
    let reason = "not what I meant".into();
    let result = desk.decide(plan, Decision::Reject { reason });
    assert_eq!(result.status, Status::Rejected);
    result.summary
}

#[test]
fn the_files_of_a_rejected_plan_are_removed_and_counted() {
    let mut desk = Desk::new();
    let (one, two) = (made(&desk, "media/one.wav"), made(&desk, "media/two.wav"));
    let plan = plan_with(&mut desk, &["media/one.wav", "media/two.wav", "media/gone.wav"]);
    let summary = reject(&mut desk, plan);
    assert!(!one.exists() && !two.exists());
    assert!(summary.contains("2 files"), "{summary}");
}

#[test]
fn the_files_of_a_cancelled_call_that_comes_too_late_are_removed() {
    let mut desk = Desk::new();
    let (late, kept) = (made(&desk, "media/late.wav"), made(&desk, "media/kept.wav"));
    plan_with(&mut desk, &["media/kept.wav"]);
    desk.sound.close_gate();
    let params = json!({"paths": ["media/late.wav", "media/kept.wav"]});
    let running = desk.person.call("fake_late_files", params, Apply::Never);
    desk.until(|desk| desk.sound.waiting() == 1);
    assert_eq!(desk.ask(Op::Cancel { call: running }).status, Status::Ok);
    assert!(late.exists(), "it is not done yet");
    desk.sound.open_gate();
    desk.until(|_| !late.exists());
    assert!(kept.exists(), "a plan that waits needs it");
    assert_eq!(desk.bridge.plans().len(), 1);
}

#[test]
fn nothing_outside_the_media_folder_is_removed() {
    let mut desk = Desk::new();
    let outside = desk.folder().parent().unwrap().join("mine.wav");
    std::fs::write(&outside, "mine").unwrap();
    std::os::unix::fs::symlink(outside.parent().unwrap(), desk.folder().join("media/link"))
        .unwrap();
    let absolute = outside.to_str().unwrap().to_owned();
    let paths = [
        "../mine.wav",
        "media/../../mine.wav",
        "media/link/mine.wav",
        &absolute,
        "session.db",
        "media",
    ];
    let plan = plan_with(&mut desk, &paths);
    let summary = reject(&mut desk, plan);
    assert!(outside.exists() && desk.folder().join("session.db").exists());
    assert!(!summary.contains("file"), "{summary}");
    // It can still be written and opened.
    assert_eq!(desk.now("fake_mute", json!({})).status, Status::Applied);
    desk.reopened();
}

#[test]
fn a_file_that_another_plan_needs_stays() {
    let mut desk = Desk::new();
    let file = made(&desk, "media/stem.wav");
    let plan = plan_with(&mut desk, &["media/stem.wav"]);
    let equal = plan_with(&mut desk, &["media/stem.wav"]);
    let all = Decision::ApplyPart { only: None, set: Vec::new() };
    assert_eq!(desk.decide(plan, all).status, Status::Applied);
    reject(&mut desk, equal);
    assert!(file.exists(), "the part that was applied plays it");
}

#[test]
fn a_file_that_redo_needs_stays() {
    let mut desk = Desk::new();
    let file = made(&desk, "media/stem.wav");
    let plan = plan_with(&mut desk, &["media/stem.wav"]);
    desk.apply(plan);
    desk.undo();
    reject(&mut desk, plan);
    assert!(file.exists());
    assert_eq!(desk.redo().status, Status::Ok);
}

#[test]
fn a_plan_from_a_file_cannot_name_the_audio_of_the_session() {
    let mut desk = Desk::new();
    let file = made(&desk, "media/riff.flac.wav");
    desk.now("fake_import", json!({"file": "media/riff.flac.wav"}));
    // Not even when the source is gone: undo brings it back.
    desk.undo();
    let plan = plan_with(&mut desk, &[]);
    let mut forged: Plan = desk.stored(plan).plan.clone();
    forged.artifacts = vec![Artifact { path: "media/riff.flac.wav".into(), bytes: 1 }];
    let known = desk.ask(Op::AddPlan { plan: Box::new(forged.sealed()) });
    reject(&mut desk, known.plan.unwrap().id);
    assert!(file.exists());
}
