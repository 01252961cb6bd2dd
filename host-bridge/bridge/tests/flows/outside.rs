//! Calls that reach outside the session: rendering, copies, files from elsewhere.

use crate::desk::{Desk, Who, call, code};
use deskhand_bridge::{Policy, Rule};
use deskhand_dsp::SampleRate;
use deskhand_media::{BitDepth, WavWriter};
use deskhand_protocol::{Apply, Decision, News, Op, Read, Status, ToolResult};
use deskhand_session::tool_error::Code;
use deskhand_session::{PlanId, PlanState};
use deskhand_store::Store;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn around(desk: &Desk) -> PathBuf {
    desk.folder().parent().unwrap().to_owned()
}

fn permitted(desk: &mut Desk, waits: &ToolResult) -> (ToolResult, PlanId) {
    assert_eq!(waits.status, Status::Waiting, "{waits:#?}");
    let plan = waits.plan.as_ref().unwrap();
    assert_eq!(plan.changes, [], "it waits for leave to run");
    let ran = desk.ask(Op::Decide { plan: plan.id, decision: Decision::Apply });
    (ran, plan.id)
}

#[test]
fn rendering_waits_for_leave_and_then_writes_one_file() {
    let mut desk = Desk::new();
    let file = around(&desk).join("mix.wav");
    let params =
        json!({"path": "mix.wav", "range": {"start_s": 0.25, "end_s": 0.75}, "bits": "16"});
    let waits = desk.ask_as_agent(call("cmd_render", params.clone(), Apply::Now));
    assert!(!file.exists());
    let (ran, plan) = permitted(&mut desk, &waits);
    assert_eq!(ran.status, Status::Ok, "{ran:#?}");
    assert!(file.is_file());
    desk.until(|desk| desk.state(plan) == PlanState::Applied);
    assert!(
        desk.stored(plan).reason.as_ref().unwrap().contains("Rendered 0.5 s"),
        "told to the model"
    );
    let again = desk.ask_as_agent(call("cmd_render", params, Apply::ByPolicy));
    assert_eq!(code(&again), Code::Write, "nothing is written over");
    let rule = [("cmd_render".to_owned(), Rule::Allow)];
    desk.bridge.set_policy(Policy::new(rule), None);
    let other = desk.ask_as_agent(call("cmd_render", json!({"path": "b.wav"}), Apply::Now));
    assert_eq!(other.status, Status::Waiting, "no rule lowers it");
}

#[test]
fn a_person_renders_at_once_also_what_a_plan_would_make() {
    let mut desk = Desk::new();
    let plan = desk.plan("cmd_set_master_gain", json!({"gain_db": -20.0}));
    let now = desk.now("cmd_render", json!({"path": "now.wav", "bits": "32f"}));
    assert_eq!(now.answer.unwrap()["duration_s"], 1.0);
    let then = desk.now("cmd_render", json!({"path": "then.wav", "plan_id": plan, "bits": "32f"}));
    assert_eq!(then.status, Status::Ok, "{then:#?}");
    let bytes = |name: &str| std::fs::read(around(&desk).join(name)).unwrap();
    assert_eq!(bytes("now.wav").len(), bytes("then.wav").len());
    assert_ne!(bytes("now.wav"), bytes("then.wav"));
    assert_eq!(desk.state(plan), PlanState::Waiting);
}

#[test]
fn a_cancelled_rendering_leaves_no_file() {
    let mut desk = Desk::new();
    desk.sound.close_gate();
    let running = desk.person.call("cmd_render", json!({"path": "mix.wav"}), Apply::Now);
    desk.until(|desk| desk.sound.waiting() == 1);
    desk.person.cancel(running);
    desk.until(|desk| {
        desk.heard.iter().any(
            |event| matches!(&event.news, News::Done { result } if result.summary == "cancelling"),
        )
    });
    desk.sound.open_gate();
    assert_eq!(code(&desk.answer(Who::Person, running)), Code::Cancelled);
    assert!(!around(&desk).join("mix.wav").exists());
}

#[test]
fn what_runs_already_is_not_let_run_again() {
    let mut desk = Desk::new();
    let waits = desk.ask_as_agent(call("cmd_render", json!({"path": "mix.wav"}), Apply::ByPolicy));
    let plan = waits.plan.unwrap().id;
    desk.sound.close_gate();
    let running = desk.person.decide(plan, Decision::Apply);
    desk.until(|desk| desk.sound.waiting() == 1);
    for decision in [Decision::Apply, Decision::Reject { reason: "no".into() }] {
        assert_eq!(code(&desk.decide(plan, decision)), Code::InProgress);
    }
    assert!(let_run(&mut desk)[plan.to_string()].is_number(), "who comes hears that it runs");
    desk.sound.open_gate();
    assert_eq!(desk.answer(Who::Person, running).status, Status::Ok);
    desk.until(|desk| desk.state(plan) == PlanState::Applied);
    assert_eq!(let_run(&mut desk), json!({}));
}

/// The plans whose calls run, as in a snapshot.
fn let_run(desk: &mut Desk) -> Value {
    let read = desk.ask(Op::Read { what: Read::Snapshot });
    read.answer.unwrap()["running"].clone()
}

#[test]
fn a_copy_is_a_session_of_its_own() {
    let mut desk = Desk::new();
    desk.now("cmd_set_track_gain", json!({"targets": "Drums", "change_db": 3.0}));
    std::fs::write(desk.folder().join("media/a.wav"), [0; 9]).unwrap();
    let waits = desk.ask_as_agent(call("cmd_save_copy", json!({"path": "copy"}), Apply::ByPolicy));
    let target = around(&desk).join("copy");
    assert!(!target.exists());
    let (ran, _) = permitted(&mut desk, &waits);
    let answer = ran.answer.unwrap();
    assert_eq!(
        (&answer["media_files"], &answer["missing"]),
        (&json!(4), &json!([])),
        "its own file, and the originals of three sources"
    );
    let kick = desk.session().sources.values().next().unwrap();
    let kept = target.join(kick.kept().unwrap());
    assert_eq!(std::fs::read(kept).unwrap(), std::fs::read(&kick.path).unwrap());
    let (_store, loaded) = Store::open(&target).unwrap();
    assert_eq!(&loaded.session, desk.session());
    assert_eq!(loaded.history.head().0, 1);
    let again = desk.now("cmd_save_copy", json!({"path": "copy"}));
    assert_eq!(code(&again), Code::Write);
}

pub(crate) fn wav(path: &Path) -> String {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut writer = WavWriter::create(path, SampleRate(48_000), 1, BitDepth::F32).unwrap();
    writer.write(&[&[0.25; 4_800]]).unwrap();
    writer.finish().unwrap();
    path.to_str().unwrap().to_owned()
}

fn import(desk: &mut Desk, file: &str) -> ToolResult {
    let params = json!({"files": file, "library": true});
    desk.ask_as_agent(call("import_audio", params, Apply::ByPolicy))
}

#[test]
fn a_model_imports_from_opened_folders_and_asks_for_others() {
    let mut desk = Desk::new();
    let elsewhere = tempfile::tempdir().unwrap();
    let inside = wav(&around(&desk).join("takes/one.wav"));
    let waits = import(&mut desk, &inside);
    let plan = waits.plan.clone().unwrap();
    assert_eq!((waits.status, plan.changes.len()), (Status::Waiting, 1), "it is planned");
    let source = &waits.answer.unwrap()["sources"][0];
    assert_eq!((&source["name"], &source["is_known"]), (&json!("one"), &json!(false)));
    // The person takes it: that folder was opened before, and theirs it is not.
    desk.apply(plan.id);
    let known = import(&mut desk, &inside);
    assert_eq!(known.status, Status::Ok);
    assert_eq!(known.answer.unwrap()["sources"][0]["source_id"], source["source_id"]);
    let outside = wav(&elsewhere.path().join("a.wav"));
    let also = wav(&elsewhere.path().join("b.wav"));
    let up = format!("{}/../../{outside}", around(&desk).display());
    for path in [&outside, &up] {
        let waits = import(&mut desk, path);
        let plan = waits.plan.unwrap();
        assert_eq!(plan.changes, [], "{path}: nothing was read");
        assert!(plan.warnings[0].contains("outside of the folders"), "{:?}", plan.warnings);
    }
    desk.now("import_audio", json!({"files": outside, "library": true}));
    assert_eq!(import(&mut desk, &also).plan.unwrap().changes.len(), 1, "the person opened it");
}

#[test]
fn folders_that_were_opened_at_the_start_need_no_leave() {
    let elsewhere = tempfile::tempdir().unwrap();
    let file = wav(&elsewhere.path().join("a.wav"));
    let mut desk = Desk::with_opened(elsewhere.path());
    assert_eq!(import(&mut desk, &file).plan.unwrap().changes.len(), 1);
}

#[test]
fn no_rule_takes_in_what_lies_outside() {
    let mut desk = Desk::new();
    let elsewhere = tempfile::tempdir().unwrap();
    let rule = [("import_audio".to_owned(), Rule::Allow)];
    desk.bridge.set_policy(Policy::new(rule), None);
    let inside = wav(&around(&desk).join("one.wav"));
    assert_eq!(import(&mut desk, &inside).status, Status::Applied);
    let outside = wav(&elsewhere.path().join("a.wav"));
    let waits = import(&mut desk, &outside);
    let (ran, _) = permitted(&mut desk, &waits);
    assert_eq!(ran.status, Status::Waiting, "what it plans waits as well");
    #[cfg(unix)]
    {
        let link = around(&desk).join("link.wav");
        std::os::unix::fs::symlink(&outside, &link).unwrap();
        let waits = import(&mut desk, link.to_str().unwrap());
        assert_eq!(waits.plan.unwrap().changes, [], "a link is where it leads");
    }
}

#[test]
fn a_source_is_selected_and_told() {
    let mut desk = Desk::new();
    let chosen =
        desk.ask_as_agent(call("select_source", json!({"source": "Kick.wav"}), Apply::ByPolicy));
    assert_eq!(chosen.status, Status::Applied, "{chosen:#?}");
    let answer = chosen.answer.unwrap();
    assert_eq!((&answer["duration_s"], &answer["clip_count"]), (&json!(1.0), &json!(1)));
    let current = desk.session().current_source.unwrap();
    assert_eq!(desk.session().sources[&current].name, "Kick.wav");
    let known =
        desk.ask_as_agent(call("select_source", json!({"source": "Kick.wav"}), Apply::ByPolicy));
    assert_eq!((known.status, known.answer), (Status::Ok, Some(answer)));
}

#[test]
fn a_call_that_was_let_run_and_planned_what_cannot_be_is_said_to_have_failed() {
    let mut desk = Desk::new();
    let waits = desk.ask_as_agent(call("fake_reach_too_far", json!({}), Apply::ByPolicy));
    assert_eq!(waits.status, Status::Waiting, "{waits:#?}");
    let asked = waits.plan.unwrap().id;
    // The person makes the very call, and so lets it run.
    let made = desk.now("fake_reach_too_far", json!({}));
    assert_eq!(code(&made), Code::Invalid);
    let stored = desk.stored(asked);
    assert_eq!((stored.state, stored.follows), (PlanState::Conflict, None), "{stored:#?}");
}
