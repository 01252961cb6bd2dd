//! Undo and redo of edits that a later recording covered: the uncovered rest is taken back, and the other
//! parts are named.

use crate::captures::{captured, joined, pass};
use crate::desk::Desk;
use crate::instances::Plugin;
use crate::sound::{BASS, DRUMS, RIFF};
use deskhand_dsp::{Decibels, Frames};
use deskhand_protocol::{Op, Status};
use deskhand_session::{Clip, ClipId, PlanState};
use serde_json::{Value, json};
use std::path::PathBuf;

/// The drums on a captured passage, and the means to record it again.
struct Rig {
    desk: Desk,
    plugin: Plugin,
    folder: PathBuf,
    passes: usize,
}

impl Rig {
    fn new() -> Self {
        let mut desk = Desk::new();
        let (plugin, folder) = joined(&mut desk);
        let mut rig = Self { desk, plugin, folder, passes: 0 };
        rig.play(0, 48_000);
        rig
    }

    /// Records the drums, and gives the clip.
    fn play(&mut self, at: i64, frames: usize) -> ClipId {
        self.passes += 1;
        let file = pass(&self.folder, &format!("{}.wav", self.passes), frames, 48_000);
        let result = captured(&mut self.desk, &mut self.plugin, file, at);
        assert_eq!(result.status, Status::Ok, "{result:#?}");
        serde_json::from_value(result.answer.unwrap()["clip"].clone()).unwrap()
    }

    /// The one clip of the drums.
    fn take(&self) -> ClipId {
        let clips = self.clips();
        assert_eq!(clips.len(), 1);
        clips[0].0
    }

    fn clips(&self) -> Vec<(ClipId, Clip)> {
        let clips = self.desk.session().clips_on(DRUMS).into_iter();
        clips.map(|(id, clip)| (id, clip.clone())).collect()
    }

    fn gain(&self, clip: ClipId) -> f64 {
        self.desk.session().clips[&clip].gain.0
    }

    fn does(&mut self, tool: &str, params: Value) {
        let done = self.desk.now(tool, params);
        assert!(matches!(done.status, Status::Applied | Status::Ok), "{done:#?}");
    }

    fn undo(&mut self) -> String {
        let undone = self.desk.undo();
        assert_eq!(undone.status, Status::Ok, "{undone:#?}");
        undone.summary
    }

    fn redo(&mut self) -> String {
        let redone = self.desk.redo();
        assert_eq!(redone.status, Status::Ok, "{redone:#?}");
        redone.summary
    }

    fn stays_after_a_restart(self) {
        let (session, history) = (self.desk.session().clone(), self.desk.bridge.history().clone());
        let again = self.desk.reopened();
        assert_eq!((again.session(), again.bridge.history()), (&session, &history));
    }
}

#[test]
fn a_pass_of_a_loop_leaves_no_sliver_of_the_one_before() {
    let mut rig = Rig::new();
    let newest = rig.play(48, 47_904);
    assert_eq!(rig.take(), newest, "a millisecond at either end is not left");
    rig.play(24_000, 24_000);
    let lengths: Vec<_> = rig.clips().iter().map(|(_, clip)| clip.length.0).collect();
    assert_eq!(lengths, [23_952, 24_000], "half a second is");
}

#[test]
fn an_edit_of_a_clip_that_was_recorded_over_is_stepped_past_and_named() {
    for (tool, params) in [
        ("cmd_set_clip_gain", json!({"gain_db": -5.0})),
        ("cmd_split_clip", json!({"at_s": 0.5})),
        ("cmd_trim_clip", json!({"end_s": 0.75})),
        ("cmd_set_clip_fades", json!({"fade_in_ms": 100, "fade_out_ms": 200})),
    ] {
        let mut rig = Rig::new();
        rig.does("cmd_set_track_gain", json!({"targets": "Drums", "gain_db": -3.0}));
        let mut params = params;
        params["targets"] = json!(rig.take());
        rig.does(tool, params);
        rig.play(0, 60_000);
        let recorded = rig.clips();
        let said = rig.undo();
        assert!(said.starts_with("undone: ") && said.contains("(0 of 1 changes)"), "{said}");
        let why = "left as it is, for this came since: Drums take 1 (Captured Drums take 2 at 0 s)";
        assert!(said.ends_with(why), "{tool}: {said}");
        assert_eq!(rig.clips(), recorded, "{tool}: nothing recorded is lost");
        rig.undo();
        assert_eq!(
            rig.desk.session().tracks[&DRUMS].gain,
            Decibels::UNITY,
            "{tool}: what is below"
        );
        rig.redo();
        assert_eq!(rig.desk.session().tracks[&DRUMS].gain, Decibels(-3.0));
        let said = rig.redo();
        assert!(said.starts_with("done again: ") && said.contains("(0 of 1 changes)"), "{said}");
        assert_eq!(rig.clips(), recorded, "{tool}: nothing recorded is lost");
        rig.undo();
        assert_eq!(rig.desk.session().tracks[&DRUMS].gain, Decibels::UNITY);
        rig.stays_after_a_restart();
    }
}

#[test]
fn of_a_plan_what_was_not_recorded_over_is_taken_back() {
    let mut rig = Rig::new();
    let take = rig.take();
    let plan = json!({"targets": [take, RIFF], "gain_db": -5.0});
    let plan = rig.desk.now("cmd_set_clip_gain", plan).plan.unwrap().id;
    rig.play(0, 60_000);
    let recorded = rig.clips();
    let said = rig.undo();
    assert!(said.contains("(1 of 2 changes)") && said.contains("Drums take 1"), "{said}");
    assert_eq!((rig.gain(RIFF), rig.desk.state(plan)), (0.0, PlanState::Undone));
    rig.redo();
    assert_eq!((rig.gain(RIFF), rig.desk.state(plan)), (-5.0, PlanState::Applied));
    rig.undo();
    assert_eq!((rig.gain(RIFF), rig.desk.state(plan)), (0.0, PlanState::Undone));
    assert_eq!(rig.clips(), recorded);
    rig.stays_after_a_restart();
}

#[test]
fn what_a_recording_left_of_a_clip_is_edited_back_on_both_sides() {
    let mut rig = Rig::new();
    let take = rig.take();
    rig.does("cmd_set_clip_gain", json!({"targets": take, "gain_db": -5.0}));
    let new = rig.play(20_000, 10_000);
    let gains = |rig: &Rig| rig.clips().iter().map(|(_, clip)| clip.gain.0).collect::<Vec<_>>();
    assert_eq!(gains(&rig), [-5.0, 0.0, -5.0]);
    let said = rig.undo();
    assert!(!said.contains("left as it is"), "{said}");
    assert_eq!(gains(&rig), [0.0, 0.0, 0.0]);
    rig.redo();
    assert_eq!(gains(&rig), [-5.0, 0.0, -5.0]);
    assert_eq!(rig.clips()[1].0, new);
    rig.undo();
    // Without its left part too.
    rig.redo();
    rig.play(0, 25_000);
    rig.undo();
    assert!(gains(&rig).iter().all(|gain| *gain == 0.0), "{:?}", rig.clips());
    rig.stays_after_a_restart();
}

#[test]
fn nothing_is_laid_over_what_was_recorded() {
    let mut rig = Rig::new();
    let take = rig.take();
    rig.does("cmd_trim_clip", json!({"targets": take, "end_s": 0.5}));
    let new = rig.play(24_000, 24_000);
    let recorded = rig.clips();
    assert_eq!(recorded.len(), 2);
    let said = rig.undo();
    assert!(said.contains("Drums take 1 (Captured Drums take 2 at 0.5 s)"), "{said}");
    assert_eq!(rig.clips(), recorded);
    rig.does("cmd_remove_clip", json!({"targets": take}));
    rig.play(0, 12_000);
    let recorded = rig.clips();
    let said = rig.undo();
    assert!(said.contains("left as it is"), "{said}");
    assert_eq!(rig.clips(), recorded);
    assert!(recorded.iter().any(|(id, _)| *id == new));
}

#[test]
fn a_gain_that_the_host_moved_since_is_left_to_the_host() {
    let mut rig = Rig::new();
    rig.does("cmd_set_track_gain", json!({"targets": "Bass", "gain_db": -9.0}));
    rig.does("cmd_set_track_gain", json!({"targets": "Drums", "gain_db": -3.0}));
    rig.plugin.ask(&mut rig.desk, Op::HostGain { gain: Decibels(-1.0), is_loaded: false });
    let said = rig.undo();
    assert!(said.ends_with("Drums (Drums to -1.00 dB in the host)"), "{said}");
    assert_eq!(rig.desk.session().tracks[&DRUMS].gain, Decibels(-1.0));
    rig.undo();
    assert_eq!(rig.desk.session().tracks[&BASS].gain, Decibels::UNITY);
}

#[test]
fn a_model_s_undo_names_what_it_leaves_and_is_taken() {
    let mut rig = Rig::new();
    let take = rig.take();
    rig.does("cmd_set_clip_gain", json!({"targets": take, "gain_db": -5.0}));
    rig.play(0, 60_000);
    let head = rig.desk.bridge.history().head();
    let proposed = rig.desk.ask_as_agent(Op::Undo);
    assert_eq!(proposed.status, Status::Waiting, "{proposed:#?}");
    let plan = proposed.plan.unwrap();
    assert!(plan.changes.is_empty() && plan.warnings[0].contains("Drums take 1"), "{plan:#?}");
    let taken = rig.desk.apply(plan.id);
    assert_eq!(taken.status, Status::Applied, "{taken:#?}");
    assert!(rig.desk.bridge.history().head() > head);
    assert!(
        rig.desk.session().clips_on(DRUMS).iter().all(|(_, clip)| clip.length == Frames(60_000))
    );
}
