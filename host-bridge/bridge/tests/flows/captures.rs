//! Recordings of instances: takes on a track, and undo that steps over them.

use crate::desk::{Desk, Who, code};
use crate::instances::{Plugin, instance};
use crate::sound::{BASS, DRUMS, KICK};
use deskhand_dsp::{Decibels, Frames, SampleRate};
use deskhand_media::{BitDepth, WavWriter};
use deskhand_protocol::{CaptureKind, News, Op, Status, ToolResult};
use deskhand_session::tool_error::Code;
use deskhand_session::{Author, Clip, Media, PlanState, RevisionId, TrackId};
use serde_json::json;
use std::path::{Path, PathBuf};

pub(crate) fn pass(folder: &Path, name: &str, frames: usize, rate: u32) -> PathBuf {
    let file = folder.join(name);
    let mut writer = WavWriter::create(&file, SampleRate(rate), 2, BitDepth::F32).unwrap();
    let plane = vec![0.25f32; frames];
    writer.write(&[&plane, &plane]).unwrap();
    writer.finish().unwrap();
    file
}

pub(crate) fn captured(desk: &mut Desk, plugin: &mut Plugin, file: PathBuf, at: i64) -> ToolResult {
    let (at, kind) = (Frames(at), CaptureKind::Rolling);
    plugin.ask(desk, Op::Captured { file, at, kind, most_bytes: None })
}

/// Position and length of the clips on the drums, with where they begin in their sources.
fn drums(desk: &Desk) -> Vec<(i64, i64, i64)> {
    let clips = desk.session().clips_on(DRUMS);
    clips.into_iter().map(|(_, clip)| (clip.position.0, clip.length.0, clip.start.0)).collect()
}

pub(crate) fn joined(desk: &mut Desk) -> (Plugin, PathBuf) {
    let mut plugin = Plugin::new(desk);
    let captures = plugin.join(desk, instance("a", Some(DRUMS))).captures;
    (plugin, captures)
}

#[test]
fn a_pass_becomes_a_clip_and_covers_what_stood_there() {
    let mut desk = Desk::new();
    let (mut plugin, folder) = joined(&mut desk);
    let file = pass(&folder, "one.wav", 10_000, 48_000);
    let result = captured(&mut desk, &mut plugin, file.clone(), 20_000);
    assert_eq!(result.status, Status::Ok, "{result:#?}");
    assert_eq!(drums(&desk), [(0, 20_000, 0), (20_000, 10_000, 0), (30_000, 18_000, 30_000)]);
    let revision = desk.bridge.history().iter().last().unwrap();
    assert_eq!((revision.author, revision.id), (Author::Capture, result.revision));
    assert_eq!(revision.label, "Captured Drums take 1 at 0.4 s");
    let take = desk.session().sources.values().find(|source| source.name == "Drums take 1");
    let take = take.unwrap().clone();
    assert_eq!(take.media, Media::Conformed("media/captures/one.wav".into()), "it moves along");
    assert_eq!((take.origin, take.channels), (Some(Frames(20_000)), 2));
    // A second recording over the end of the first, past the end of the next clip.
    let file = pass(&folder, "two.wav", 30_000, 48_000);
    captured(&mut desk, &mut plugin, file, 25_000);
    assert_eq!(drums(&desk), [(0, 20_000, 0), (20_000, 5_000, 0), (25_000, 30_000, 0)]);
    // A third over all of it.
    let file = pass(&folder, "three.wav", 60_000, 48_000);
    captured(&mut desk, &mut plugin, file, 0);
    assert_eq!(drums(&desk), [(0, 60_000, 0)]);
    assert!(!desk.session().clips.contains_key(&KICK));
    let listed = desk.now("list_sources", json!({})).answer.unwrap();
    let takes: Vec<_> = listed["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| !row["take"].is_null())
        .map(|row| (row["take"]["track"].clone(), row["clip_count"].clone()))
        .collect();
    assert_eq!(takes.len(), 3, "{listed:#}");
    assert!(takes.iter().all(|(track, _)| *track == json!(DRUMS)));
    assert_eq!(
        takes.iter().filter(|(_, clips)| *clips == json!(0)).count(),
        2,
        "covered takes stay"
    );
}

#[test]
fn what_was_recorded_ahead_of_the_timeline_is_left_out_of_the_clip() {
    let mut desk = Desk::new();
    let (mut plugin, folder) = joined(&mut desk);
    let file = pass(&folder, "early.wav", 48_000, 48_000);
    let result = captured(&mut desk, &mut plugin, file, -880);
    assert_eq!(result.status, Status::Ok, "{result:#?}");
    assert_eq!(drums(&desk), [(0, 47_120, 880), (47_120, 880, 47_120)]);
    let file = pass(&folder, "before.wav", 800, 48_000);
    let result = captured(&mut desk, &mut plugin, file, -880);
    assert!(result.error.unwrap().message.contains("before the start"));
}

#[test]
fn a_pass_at_another_rate_is_conformed() {
    let mut desk = Desk::new();
    let (mut plugin, folder) = joined(&mut desk);
    let file = pass(&folder, "slow.wav", 44_100, 44_100);
    assert_eq!(captured(&mut desk, &mut plugin, file, 100_000).status, Status::Ok);
    assert_eq!(drums(&desk), [(0, 48_000, 0), (100_000, 48_000, 0)]);
    let sources = desk.session().sources.values();
    let take = sources.rev().find(|source| source.name.contains("take")).unwrap();
    assert!(matches!(&take.media, Media::Conformed(file) if !file.contains("captures")));
    assert!(Path::new(&take.path).is_file());
}

#[test]
fn only_files_in_the_folder_for_captures_are_taken_in() {
    let mut desk = Desk::new();
    let (mut plugin, folder) = joined(&mut desk);
    let before = desk.session().clone();
    let elsewhere = pass(desk.folder(), "mine.wav", 100, 48_000);
    std::os::unix::fs::symlink(&elsewhere, folder.join("link.wav")).unwrap();
    std::fs::write(folder.join("noise.wav"), "no audio").unwrap();
    let files = [
        elsewhere,
        folder.join("link.wav"),
        folder.join("noise.wav"),
        folder.join("gone.wav"),
        folder.join("../../mine.wav"),
    ];
    for file in files {
        let refused = captured(&mut desk, &mut plugin, file.clone(), 0);
        assert_eq!(code(&refused), Code::Media, "{file:?}");
    }
    assert_eq!(desk.session(), &before);
}

#[test]
fn undo_steps_over_recordings_by_a_person_and_by_an_agent() {
    let mut desk = Desk::new();
    let (mut plugin, folder) = joined(&mut desk);
    let plan = desk.now("cmd_set_track_gain", json!({"targets": "Bass", "gain_db": -3.0}));
    let plan = plan.plan.unwrap().id;
    let file = pass(&folder, "one.wav", 10_000, 48_000);
    captured(&mut desk, &mut plugin, file, 20_000);
    let recorded = drums(&desk);
    let gain = |desk: &Desk| desk.session().tracks[&BASS].gain;
    let undone = desk.undo();
    assert!(undone.summary.starts_with("undone: "), "{}", undone.summary);
    assert_eq!((gain(&desk), desk.state(plan)), (Decibels::UNITY, PlanState::Undone));
    assert_eq!(drums(&desk), recorded, "nothing captured is lost");
    let last = desk.bridge.history().iter().last().unwrap();
    assert!(last.label.starts_with("Undo: ") && last.author == Author::User, "{last:?}");
    let history = desk.now("get_history", json!({})).answer.unwrap();
    assert_eq!(history["revisions"]["items"][0]["takes_back"], json!(1));
    desk.redo();
    assert_eq!((gain(&desk), desk.state(plan)), (Decibels(-3.0), PlanState::Applied));
    assert_eq!(drums(&desk), recorded);
    // A model's undo names the same step, and waits.
    let proposed = desk.ask_as_agent(Op::Undo);
    assert_eq!(proposed.status, Status::Waiting);
    desk.apply(proposed.plan.unwrap().id);
    assert_eq!((gain(&desk), desk.state(plan)), (Decibels::UNITY, PlanState::Undone));
    assert_eq!(drums(&desk), recorded);
    let nothing = desk.undo();
    assert_eq!(code(&nothing), Code::NoTarget, "what was recorded is no step: {}", nothing.summary);
    // All of it is there again after a restart.
    let (session, history) = (desk.session().clone(), desk.bridge.history().clone());
    let again = desk.reopened();
    assert_eq!((again.session(), again.bridge.history()), (&session, &history));
}

#[test]
fn what_a_person_recorded_in_the_app_is_a_step_of_theirs() {
    let mut desk = Desk::new();
    let (_plugin, folder) = joined(&mut desk);
    let (before, sources) = (drums(&desk), desk.session().sources.len());
    let file = pass(&folder, "armed-one.wav", 10_000, 48_000);
    let at = Frames(20_000);
    let recorded = Op::Recorded { track: DRUMS, file: file.clone(), at, tracks: 1 };
    assert_eq!(desk.ask(recorded.clone()).status, Status::Ok);
    assert_eq!(desk.bridge.history().iter().last().unwrap().author, Author::User);
    let with = drums(&desk);
    assert_ne!(with, before);
    let undone = desk.undo();
    assert!(undone.summary.contains("Recorded"), "{}", undone.summary);
    assert_eq!((drums(&desk), desk.session().sources.len()), (before, sources));
    assert!(file.exists(), "so that redo has it");
    assert_eq!(desk.ask(recorded).summary, "that was taken in already");
    desk.redo();
    assert_eq!(drums(&desk), with);
}

/// A pass on a track of a recording on two.
fn one_of_two(track: TrackId, file: PathBuf) -> Op {
    Op::Recorded { track, file, at: Frames(20_000), tracks: 2 }
}

#[test]
fn a_recording_on_several_tracks_in_the_app_is_one_step() {
    let mut desk = Desk::new();
    let (_plugin, folder) = joined(&mut desk);
    let before = desk.session().clone();
    let steps = desk.bridge.history().iter().count();
    // Both recorded the same, and are two takes all the same.
    let calls = [(DRUMS, "armed-one.wav"), (BASS, "armed-two.wav")].map(|(track, name)| {
        let file = pass(&folder, name, 10_000, 48_000);
        desk.person.submit(one_of_two(track, file))
    });
    let answers = calls.map(|call| desk.answer(Who::Person, call));
    assert!(answers.iter().all(|answer| answer.status == Status::Ok), "{answers:#?}");
    assert_ne!(answers[0].answer, answers[1].answer, "each names its own clip");
    assert_eq!(desk.bridge.history().iter().count(), steps + 1, "one step");
    let last = desk.bridge.history().iter().last().unwrap();
    assert_eq!(last.author, Author::User);
    let (drums, bass) = ("Drums take 1", "Bass take 1");
    let is_either = last.label == format!("Recorded {drums} and {bass} at 0.4 s")
        || last.label == format!("Recorded {bass} and {drums} at 0.4 s");
    assert!(is_either, "{}", last.label);
    let listed = desk.now("list_sources", json!({})).answer.unwrap();
    let rows = listed["items"].as_array().unwrap();
    assert_eq!(rows.iter().filter(|row| !row["take"].is_null()).count(), 2, "{listed:#}");
    let with = desk.session().clone();
    let undone = desk.undo();
    assert!(undone.summary.contains(drums) && undone.summary.contains(bass), "{undone:#?}");
    assert_eq!(desk.session(), &before);
    desk.redo();
    assert_eq!(desk.session(), &with);
}

#[test]
fn a_track_that_waits_for_another_of_its_recording_is_taken_in_before_it_is_undone_or_left() {
    let mut desk = Desk::new();
    let (_plugin, folder) = joined(&mut desk);
    let before = drums(&desk);
    let waits = |desk: &mut Desk, name: &str| {
        let file = pass(&folder, name, 10_000, 48_000);
        let call = desk.person.submit(one_of_two(DRUMS, file));
        desk.until(|desk| desk.bridge.is_working());
        desk.until(|desk| !desk.bridge.is_working());
        assert!(desk.answers(Who::Person, call).is_empty(), "the other one may come yet");
        call
    };
    let call = waits(&mut desk, "armed-one.wav");
    let undone = desk.undo();
    assert!(undone.summary.contains("Recorded Drums take 1"), "{}", undone.summary);
    assert_eq!(desk.answer(Who::Person, call).status, Status::Ok);
    assert_eq!(drums(&desk), before);
    // In words as well as by the key.
    waits(&mut desk, "armed-two.wav");
    let said = desk.now("cmd_undo", json!({}));
    assert!(said.summary.contains("Recorded Drums take 2"), "{}", said.summary);
    assert_eq!(drums(&desk), before);
    waits(&mut desk, "armed-three.wav");
    let desk = desk.reopened();
    assert!(drums(&desk).contains(&(20_000, 10_000, 0)), "{:?}", drums(&desk));
}

#[test]
fn one_plan_for_all_instances_is_taken_at_one_frame_and_measured() {
    let mut desk = Desk::new();
    let (mut one, _) = joined(&mut desk);
    let mut two = Plugin::new(&mut desk);
    two.join(&mut desk, instance("b", Some(BASS)));
    one.ask(&mut desk, Op::HostGain { gain: Decibels(-6.0), is_loaded: false });
    one.ask(&mut desk, Op::Clock { at: Frames(480_000), moves: true });
    let params = json!({"targets": ["Drums", "Bass"], "target_lufs": -20.0, "per": "track"});
    let plan = desk.plan("tool_normalize", params);
    let notes = desk.stored(plan).plan.notes.join("\n");
    insta::assert_snapshot!(notes, @"
    gain of 2 tracks in Ardour 8: its own undo does not show this while it is a desk gain; where the window of an instance was open it shows as a change of trim, which an undo there takes back only where it moves the parameter: where it loads the plugin's state, the session's gain stays. Deskhand's undo takes all of it back in one step
    measured at once on what was recorded; when Ardour 8 plays the same passage next, that is compared with it, and the receipt says so
    ");
    // However long that took: a clock without reports has stopped.
    one.ask(&mut desk, Op::Clock { at: Frames(480_000), moves: true });
    let applied = desk.apply(plan);
    assert_eq!(applied.status, Status::Applied, "{applied:#?}");
    let measured = applied.receipt.unwrap().measured;
    assert!(measured.len() == 2 && measured.iter().all(|one| one.within), "{measured:#?}");
    let moved = desk.heard.iter().rev().find_map(|event| match &event.news {
        News::Moved { at, changes, .. } => Some((*at, changes.len())),
        _ => None,
    });
    let (at, changes) = moved.unwrap();
    assert_eq!(changes, 2, "one step for both");
    assert!(at.unwrap() >= Frames(489_600));
    desk.undo();
    assert_eq!(desk.session().tracks[&DRUMS].gain, Decibels(-6.0), "and one step back");
}

#[test]
fn clips_and_time_of_a_host_are_warned_about() {
    let mut desk = Desk::new();
    let quiet = desk.plan("cmd_set_clip_gain", json!({"targets": "Kick", "gain_db": -3.0}));
    assert!(desk.stored(quiet).plan.notes.is_empty(), "no host, no words about it");
    let (_plugin, _) = joined(&mut desk);
    let clip = desk.plan("cmd_set_clip_gain", json!({"targets": "Kick", "gain_db": -4.0}));
    let warnings = desk.stored(clip).plan.warnings.join("\n");
    assert!(warnings.contains("clip gains on \"Drums\" are not heard in Ardour 8"), "{warnings}");
    let heard = "clips, gain lines and processors on 1 track: Ardour 8 plays its own input";
    let other = desk.plan("cmd_set_track_gain", json!({"targets": "Bass", "gain_db": -4.0}));
    assert!(desk.stored(other).plan.notes.is_empty(), "a track that no instance is");
    let pan = desk.plan("cmd_set_track_pan", json!({"targets": "Drums", "pan": -0.3}));
    let notes = desk.stored(pan).plan.notes.join("\n");
    assert!(notes.contains("pan, mute, solo and output of 1 track are Ardour 8's own"), "{notes}");
    let effect = json!({"kind": "compressor", "threshold": -24, "ratio": 3});
    let limiter = desk.plan("cmd_set_insert", json!({"on": "Drums", "effect": effect}));
    let notes = desk.stored(limiter).plan.notes.join("\n");
    assert!(notes.contains(heard), "{notes}");
    let master = desk.plan("cmd_set_master_gain", json!({"gain_db": -1.0}));
    let warnings = desk.stored(master).plan.warnings.join("\n");
    assert!(warnings.contains("the mix of Ardour 8 is its own"), "{warnings}");
    let time = desk.plan("fake_close_time", json!({}));
    let warnings = desk.stored(time).plan.warnings.join("\n");
    assert!(warnings.contains("tracks of Ardour 8 without Deskhand will not move"), "{warnings}");
}

#[test]
fn what_was_recorded_or_came_from_the_host_leaves_a_saved_project_as_it_was() {
    let mut desk = Desk::new();
    desk.now("cmd_set_track_gain", json!({"targets": "Bass", "gain_db": -3.0}));
    let (mut plugin, folder) = joined(&mut desk);
    captured(&mut desk, &mut plugin, pass(&folder, "one.wav", 1_000, 48_000), 0);
    plugin.ask(&mut desk, Op::HostGain { gain: Decibels(-1.0), is_loaded: false });
    let saved =
        deskhand_protocol::Instance { revision: Some(RevisionId(1)), ..instance("a", Some(DRUMS)) };
    let joined = plugin.join(&mut desk, saved.clone());
    assert!(joined.head > RevisionId(1));
    assert_eq!(joined.saved, None, "nobody edited");
    desk.now("cmd_set_track_gain", json!({"targets": "Bass", "gain_db": -4.0}));
    assert_eq!(plugin.join(&mut desk, saved).saved.unwrap().revision, RevisionId(1));
}

#[test]
fn loading_tells_where_the_session_went_on_and_edits_nothing() {
    let mut desk = Desk::new();
    desk.now("fake_mute", json!({}));
    desk.now("cmd_set_track_gain", json!({"targets": "Bass", "gain_db": -3.0}));
    let before = desk.session().clone();
    let mut plugin = Plugin::new(&mut desk);
    let saved = |revision| deskhand_protocol::Instance {
        revision: Some(RevisionId(revision)),
        ..instance("a", Some(DRUMS))
    };
    assert_eq!(plugin.join(&mut desk, saved(2)).saved, None, "it is the head");
    let behind = plugin.join(&mut desk, saved(1)).saved.unwrap();
    assert_eq!((behind.revision.0, behind.can_branch), (1, true));
    assert_eq!(
        behind.choices,
        ["continue here, at revision 2", "branch from the saved revision 1"]
    );
    let unknown = plugin.join(&mut desk, saved(99)).saved.unwrap();
    assert_eq!((unknown.can_branch, unknown.choices.len()), (false, 1));
    assert_eq!(desk.session(), &before);
}

/// What became of the plans, oldest first.
fn states(desk: &Desk) -> Vec<PlanState> {
    desk.bridge.plans().iter().map(|stored| stored.state).collect()
}

#[test]
fn a_person_goes_to_any_revision_and_branches_there() {
    let mut desk = Desk::new();
    desk.now("fake_mute", json!({}));
    desk.now("cmd_set_track_gain", json!({"targets": "Bass", "gain_db": -3.0}));
    let before = desk.session().clone();
    let went = desk.ask(Op::GoTo { revision: RevisionId(1) });
    assert_eq!((went.status, went.revision), (Status::Ok, RevisionId(1)));
    assert_eq!(desk.session().tracks[&BASS].gain, Decibels::UNITY);
    assert_eq!(states(&desk), [PlanState::Applied, PlanState::Undone]);
    desk.now("cmd_set_track_gain", json!({"targets": "Bass", "gain_db": -9.0}));
    assert_eq!(desk.bridge.history().iter().last().unwrap().parent.0, 1, "a branch");
    // And over to the other branch, and to the beginning.
    desk.ask(Op::GoTo { revision: RevisionId(2) });
    assert_eq!(desk.session(), &before);
    assert_eq!(states(&desk), [PlanState::Applied, PlanState::Applied, PlanState::Undone]);
    desk.ask(Op::GoTo { revision: RevisionId(0) });
    assert!(!desk.session().tracks[&DRUMS].mute);
    assert_eq!(code(&desk.ask(Op::GoTo { revision: RevisionId(50) })), Code::NoTarget);
    assert_eq!(code(&desk.ask_as_agent(Op::GoTo { revision: RevisionId(1) })), Code::Refused);
    let (session, history) = (desk.session().clone(), desk.bridge.history().clone());
    let again = desk.reopened();
    assert_eq!((again.session(), again.bridge.history()), (&session, &history));
}

#[test]
fn a_clip_keeps_fades_that_fit_when_it_is_covered() {
    let mut desk = Desk::new();
    let (mut plugin, folder) = joined(&mut desk);
    desk.now(
        "cmd_set_clip_fades",
        json!({"targets": "Kick", "fade_in_ms": 500, "fade_out_ms": 500}),
    );
    let file = pass(&folder, "one.wav", 46_000, 48_000);
    assert_eq!(captured(&mut desk, &mut plugin, file, 1_000).status, Status::Ok);
    let fades: Vec<_> = desk
        .session()
        .clips_on(DRUMS)
        .into_iter()
        .map(|(_, Clip { fade_in, fade_out, length, .. })| {
            (length.0, fade_in.length.0, fade_out.length.0)
        })
        .collect();
    assert_eq!(fades, [(1_000, 1_000, 0), (46_000, 0, 0), (1_000, 0, 1_000)]);
}
