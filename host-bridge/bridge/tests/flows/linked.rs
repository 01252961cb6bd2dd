//! A session that is linked to the project of a DAW: each step goes into the project file first.

use crate::desk::{Desk, Who, call};
use deskhand_dsp::Decibels;
use deskhand_media::{BitDepth, WavWriter};
use deskhand_protocol::{Apply, Op, Rule, Status};
use deskhand_session::{Author, PlanState, TrackId};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const PROJECT: &str = r#"<REAPER_PROJECT 0.1 "7.06/linux-x86_64" 1700000000
  SAMPLERATE 48000 1 0
  MARKER 1 0.5 Verse 0
  <TRACK {11111111-1111-1111-1111-111111111111}
    NAME Host
    VOLPAN 1 0 -1 -1 1
    MUTESOLO 0 0 0
    ISBUS 0 0
    TRACKID {11111111-1111-1111-1111-111111111111}
    <FXCHAIN
      <VST "VST: ReaComp (Cockos)" reacomp.vst.so 0 "" 1919247213
        bWNlciDgAAA=
      >
    >
    <ITEM
      POSITION 0.25
      LENGTH 0.5
      IGUID {AAAAAAAA-0000-0000-0000-000000000001}
      NAME "host take"
      VOLPAN 1 0 1 -1
      SOFFS 0.1
      GUID {BBBBBBBB-0000-0000-0000-000000000001}
      <SOURCE WAVE
        FILE "take.wav"
      >
    >
  >
  <TRACK {22222222-2222-2222-2222-222222222222}
    NAME Guest
    VOLPAN 1 0 -1 -1 1
    MUTESOLO 0 0 0
    ISBUS 0 0
    TRACKID {22222222-2222-2222-2222-222222222222}
  >
>
"#;

/// A session that was opened from a project in `music`.
fn opened() -> (Desk, TempDir, PathBuf) {
    let music = tempfile::tempdir().unwrap();
    let project = music.path().join("song.RPP");
    std::fs::write(&project, PROJECT).unwrap();
    let rate = deskhand_dsp::SampleRate(48_000);
    let mut wav =
        WavWriter::create(&music.path().join("take.wav"), rate, 1, BitDepth::F32).unwrap();
    let sound: Vec<f32> = (0..48_000).map(|at| (at as f32 * 0.05).sin() * 0.25).collect();
    wav.write(&[&sound]).unwrap();
    wav.finish().unwrap();
    let empty = deskhand_session::Session::new(deskhand_session::SessionId::new(9), rate);
    let folder = music.path().join("song.deskhand");
    let mut desk = Desk::create_with(&folder, &empty);
    let opened = desk.now("tool_open_project", json!({"path": project.to_string_lossy()}));
    assert_eq!(opened.status, Status::Applied, "{opened:#?}");
    (desk, music, project)
}

fn linked() -> (Desk, TempDir, PathBuf) {
    let (mut desk, music, project) = opened();
    let linked = desk.now("tool_link_project", json!({}));
    assert_eq!(linked.status, Status::Applied, "{linked:#?}");
    (desk, music, project)
}

fn text(project: &Path) -> String {
    std::fs::read_to_string(project).unwrap()
}

fn gain(track: &str, db: f64) -> Value {
    json!({"targets": track, "gain_db": db})
}

fn track(desk: &Desk, name: &str) -> TrackId {
    let mut tracks = desk.session().tracks.iter();
    *tracks.find(|(_, track)| track.name == name).unwrap().0
}

fn fader(desk: &Desk, name: &str) -> Decibels {
    desk.session().tracks[&track(desk, name)].gain
}

/// What the DAW saves after somebody moved the fader of the first track.
fn save_in_daw(project: &Path, linear: f64) {
    let text = text(project);
    let (head, tail) = text.split_once("VOLPAN ").unwrap();
    let (_, tail) = tail.split_once(' ').unwrap();
    std::fs::write(project, format!("{head}VOLPAN {linear} {tail}")).unwrap();
}

#[test]
fn what_was_changed_before_goes_into_the_project_with_the_link() {
    let (mut desk, music, project) = opened();
    desk.now("cmd_set_track_gain", gain("Host", -6.0));
    assert_eq!(text(&project), PROJECT, "not linked yet");
    let linked = desk.now("tool_link_project", json!({}));
    let landed = linked.receipt.unwrap().landed.unwrap();
    assert_eq!(
        (landed.program.as_str(), landed.path.as_str()),
        ("REAPER", project.to_str().unwrap())
    );
    let copy = landed.copy.unwrap();
    assert_eq!(Path::new(&copy).parent().unwrap(), music.path(), "the first copy is next to it");
    assert_eq!(std::fs::read_to_string(copy).unwrap(), PROJECT);
    assert_ne!(text(&project), PROJECT);
    assert_eq!(text(&project).lines().count(), PROJECT.lines().count());
}

#[test]
fn a_step_goes_into_the_project_and_undo_brings_back_each_byte() {
    let (mut desk, _music, project) = linked();
    let softer = desk.now("cmd_set_track_gain", gain("Guest", -6.0));
    assert!(softer.receipt.unwrap().landed.is_some());
    let after = text(&project);
    assert_ne!(after, PROJECT);
    let split = desk.now("cmd_split_clip", json!({"targets": "host take", "at_s": 0.5}));
    assert_eq!(split.status, Status::Applied, "{split:#?}");
    let parts = text(&project);
    assert_eq!(parts.matches("<ITEM").count(), 2);
    desk.undo();
    assert_eq!(text(&project), after);
    desk.undo();
    assert_eq!((text(&project), fader(&desk, "Guest")), (PROJECT.into(), Decibels(0.0)));
    desk.redo();
    desk.redo();
    let items = |text: &str| text.matches("<ITEM").count();
    assert_eq!((items(&text(&project)), desk.session().clips.len()), (2, 2));
    // The new clip is known by its name there.
    desk.now("cmd_set_clip_gain", json!({"targets": "all", "gain_db": -3.0}));
    assert_eq!(items(&text(&project)), 2);
}

#[test]
fn a_model_changes_nothing_in_the_project_without_the_person() {
    let (mut desk, _music, project) = linked();
    let rename = json!({"targets": "Host", "name": "Presenter"});
    let renamed = desk.ask_as_agent(call("cmd_rename_track", rename, Apply::ByPolicy));
    assert_eq!(renamed.status, Status::Waiting, "{renamed:#?}");
    assert_eq!(text(&project), PROJECT);
    let plan = renamed.plan.unwrap();
    let note =
        "goes into song.RPP too, of which a copy is kept: close it in the DAW before you apply";
    assert_eq!(plan.notes, [note]);
    desk.apply(plan.id);
    assert!(text(&project).contains("NAME Presenter"));
}

#[test]
fn what_the_daw_saved_comes_in_and_a_plan_on_the_same_value_is_a_conflict() {
    let (mut desk, _music, project) = linked();
    let plan = desk.plan("cmd_set_track_gain", gain("Host", -3.0));
    let other = desk.plan("cmd_set_track_gain", gain("Guest", -3.0));
    save_in_daw(&project, 0.5);
    let saved = text(&project);
    let result = desk.apply(plan);
    assert_eq!(result.status, Status::Conflict, "{result:#?}");
    let conflict = &result.conflicts[0];
    assert_eq!((conflict.name.as_str(), &conflict.expected), ("Host", &json!(0.0)));
    assert!((conflict.found.as_f64().unwrap() + 6.0206).abs() < 1e-3);
    assert_eq!((text(&project), desk.state(plan)), (saved, PlanState::Conflict));
    let newest = desk.bridge.history().iter().last().unwrap();
    assert_eq!(
        (newest.author, newest.label.as_str()),
        (Author::Host, "REAPER changed track \"Host\"")
    );
    // A plan on something else is applied.
    assert_eq!(desk.apply(other).status, Status::Applied);
    assert!(text(&project).contains("VOLPAN 0.5 "), "the fader of the person stays");
    // Undo takes back the step of ours, not the DAW's.
    desk.undo();
    assert_eq!((fader(&desk, "Guest"), fader(&desk, "Host").0.round()), (Decibels(0.0), -6.0));
}

#[test]
fn the_session_follows_the_project_and_also_after_it_was_opened_again() {
    let (mut desk, _music, project) = linked();
    save_in_daw(&project, 0.5);
    desk.until(|desk| fader(desk, "Host").0 < -6.0);
    let Desk { .. } = &desk;
    let mut desk = desk.reopened();
    save_in_daw(&project, 0.25);
    desk.until(|desk| fader(desk, "Host").0 < -12.0);
    desk.undo();
    assert_eq!(text(&project).lines().count(), PROJECT.lines().count());
}

#[test]
fn clips_and_markers_that_the_daw_adds_moves_and_removes_come_in() {
    let (mut desk, _music, project) = linked();
    let moved = text(&project)
        .replace("POSITION 0.25", "POSITION 1")
        .replace("MARKER 1 0.5 Verse", "MARKER 1 0.75 Chorus");
    let item = &moved[moved.find("    <ITEM").unwrap()..moved.find("  <TRACK {2222").unwrap() - 4];
    let second = item.replace("00000001}", "00000002}").replace("POSITION 1", "POSITION 3");
    let added = moved.replace(item, &format!("{item}{second}"));
    std::fs::write(&project, &added).unwrap();
    desk.until(|desk| desk.session().clips.len() == 2);
    let mut starts: Vec<i64> = desk.session().clips.values().map(|clip| clip.position.0).collect();
    starts.sort_unstable();
    assert_eq!(starts, [48_000, 144_000]);
    let marker = desk.session().markers.values().next().unwrap().clone();
    assert_eq!((marker.name.as_str(), marker.position.0), ("Chorus", 36_000));
    std::fs::write(&project, &moved).unwrap();
    desk.until(|desk| desk.session().clips.len() == 1);
    assert_eq!(desk.now("cmd_set_track_gain", gain("Host", -6.0)).status, Status::Applied);
    assert_eq!(text(&project).matches("<ITEM").count(), 1);
}

#[test]
fn where_the_project_is_gone_nothing_changes_here_and_the_link_can_end() {
    let (mut desk, _music, project) = linked();
    std::fs::remove_file(&project).unwrap();
    let refused = desk.now("cmd_set_track_gain", gain("Host", -6.0));
    assert_eq!((refused.status, fader(&desk, "Host")), (Status::Error, Decibels(0.0)));
    assert!(refused.summary.contains("song.RPP"), "{}", refused.summary);
    assert_eq!(desk.now("tool_link_project", json!({"on": false})).status, Status::Applied);
    assert_eq!(desk.now("cmd_set_track_gain", gain("Host", -6.0)).status, Status::Applied);
}

#[test]
fn a_step_that_the_session_lost_comes_in_from_the_project_by_its_name() {
    let (desk, music, project) = linked();
    let folder = desk.folder().to_owned();
    desk.bridge.close().unwrap();
    // The program ends after the project has the step, before the session has it.
    let kept = music.path().join("kept");
    copy(&folder, &kept);
    let mut desk = Desk::open(&folder);
    desk.now("cmd_set_track_gain", gain("Guest", -6.0));
    let state = std::fs::read(folder.join("project.json")).unwrap();
    desk.bridge.close().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    copy(&kept, &folder);
    std::fs::write(folder.join("project.json"), state).unwrap();
    let mut desk = Desk::open(&folder);
    desk.until(|desk| (fader(desk, "Guest").0 + 6.0).abs() < 1e-3);
    let newest = desk.bridge.history().iter().last().unwrap();
    assert_eq!(newest.author, Author::Host);
    assert!(newest.label.starts_with("From song.RPP: "), "{}", newest.label);
    assert!(text(&project).contains("VOLPAN 0.5"));
}

#[test]
fn what_a_project_does_not_get_is_told_with_the_plan() {
    let (mut desk, _music, project) = linked();
    let gate = json!({"on": "Guest", "effect": {"kind": "gate"}});
    let plan = desk.plan("cmd_set_insert", gate);
    let note = "processors stay in Deskhand: song.RPP does not get them";
    assert_eq!(desk.stored(plan).plan.notes, [note]);
    assert_eq!(desk.apply(plan).receipt.unwrap().landed, None);
    assert_eq!(text(&project), PROJECT);
}

#[test]
fn a_track_that_the_daw_removed_does_not_come_back() {
    let (mut desk, _music, project) = linked();
    let group = json!({"name": "Talk", "targets": ["Host", "Guest"]});
    assert_eq!(desk.now("cmd_set_group", group).status, Status::Applied);
    let gate = json!({"on": "Guest", "effect": {"kind": "gate"}});
    assert_eq!(desk.now("cmd_set_insert", gate).status, Status::Applied);
    let text = text(&project);
    let without = text.split("  <TRACK {2222").next().unwrap().to_owned() + ">\n";
    std::fs::write(&project, &without).unwrap();
    desk.until(|desk| desk.session().tracks.len() == 1);
    assert_eq!(desk.now("cmd_set_track_gain", gain("Host", -6.0)).status, Status::Applied);
    assert_eq!(self::text(&project).matches("<TRACK").count(), 1);
}

#[test]
fn a_step_that_was_undone_before_the_link_can_be_linked_again() {
    let (mut desk, _music, project) = opened();
    desk.now("cmd_set_track_gain", gain("Host", -6.0));
    desk.now("tool_link_project", json!({}));
    desk.undo();
    assert_ne!(text(&project), PROJECT, "the link ended, and the project stays");
    desk.undo();
    assert_eq!(desk.now("tool_link_project", json!({})).status, Status::Applied);
    assert!(!text(&project).contains("VOLPAN 0.5"), "the session has it undone");
}

#[test]
fn undo_works_without_the_copies() {
    let (mut desk, _music, project) = linked();
    desk.now("cmd_set_track_gain", gain("Guest", -6.0));
    desk.now("cmd_set_track_gain", gain("Host", -6.0));
    std::fs::remove_dir_all(desk.folder().join("project copies")).unwrap();
    let undone = desk.undo();
    assert_eq!(undone.status, Status::Ok, "{undone:#?}");
    assert_eq!(text(&project).matches("VOLPAN 0.5").count(), 1);
    assert_eq!(fader(&desk, "Host"), Decibels(0.0));
}

#[test]
fn no_rule_lets_a_model_change_the_project() {
    let (mut desk, _music, project) = linked();
    for tool in ["cmd_set_track_gain", "cmd_undo"] {
        desk.ask(Op::SetRule { tool: tool.into(), rule: Some(Rule::Allow) });
    }
    let asked = call("cmd_set_track_gain", gain("Host", -6.0), Apply::ByPolicy);
    let waits = desk.ask_as_agent(asked);
    assert_eq!((waits.status, text(&project)), (Status::Waiting, PROJECT.into()));
    desk.apply(waits.plan.unwrap().id);
    let kept = text(&project);
    let undo = desk.ask_as_agent(call("cmd_undo", json!({}), Apply::ByPolicy));
    assert_eq!((undo.status, text(&project)), (Status::Waiting, kept));
}

#[test]
fn steps_that_come_at_once_are_made_one_after_another() {
    let (mut desk, _music, project) = linked();
    let now = |desk: &mut Desk, gain: Value| {
        desk.person.submit(call("cmd_set_track_gain", gain, Apply::Now))
    };
    let calls = [
        now(&mut desk, gain("Host", -6.0)),
        now(&mut desk, gain("Guest", -12.0)),
        now(&mut desk, json!({"targets": "all", "change_db": -1.0})),
    ];
    for call in calls {
        assert_ne!(desk.answer(Who::Person, call).status, Status::Error);
    }
    let mut desk = desk.reopened();
    desk.until(|desk| !desk.bridge.is_working());
    let text = text(&project);
    let linear = text.lines().filter_map(|line| line.strip_prefix("    VOLPAN "));
    let linear = linear.map(|line| line.split(' ').next().unwrap().parse::<f64>().unwrap());
    for (linear, name) in linear.zip(["Host", "Guest"]) {
        let there = 20.0 * linear.log10();
        assert!((fader(&desk, name).0 - there).abs() < 1e-3, "{name} {there}");
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(std::fs::copy(entry.path(), to).unwrap()),
        }
    }
}
