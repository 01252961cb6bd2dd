//! The host's next pass against the prediction of a plan for its tracks.

use crate::captures::{captured, joined};
use crate::desk::Desk;
use crate::instances::{Plugin, instance};
use crate::sound::{BASS, DRUMS};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_media::{BitDepth, WavWriter};
use deskhand_protocol::{Decision, News, Op, Status};
use deskhand_session::{Measured, PlanId, PlanState, Receipt, Verify};
use serde_json::json;
use std::path::{Path, PathBuf};

/// A pass whose samples are all as loud.
pub(crate) fn pass_at(folder: &Path, name: &str, frames: usize, level: f32) -> PathBuf {
    let file = folder.join(name);
    let mut writer = WavWriter::create(&file, SampleRate(48_000), 2, BitDepth::F32).unwrap();
    let tone = |at: usize| (at as f32 * 0.13).sin() * level;
    let plane: Vec<f32> = (0..frames).map(tone).collect();
    writer.write(&[&plane, &plane]).unwrap();
    writer.finish().unwrap();
    file
}

/// A track of a host with a recorded pass, and a plan for its gain that was applied.
struct Staged {
    desk: Desk,
    plugin: Plugin,
    folder: PathBuf,
    plan: PlanId,
}

impl Staged {
    /// With a pass of 4 s from the start.
    fn new() -> Self {
        Self::edited(|_| ())
    }

    /// With a recording that is edited before the plan.
    fn edited(edit: impl FnOnce(&mut Desk)) -> Self {
        let mut desk = Desk::new();
        let (mut plugin, folder) = joined(&mut desk);
        let file = pass_at(&folder, "one.wav", 192_000, 0.25);
        captured(&mut desk, &mut plugin, file, 0);
        edit(&mut desk);
        let plan = desk.plan("tool_normalize", drums());
        let applied = desk.apply(plan);
        assert_eq!(applied.status, Status::Applied, "{applied:#?}");
        Self { desk, plugin, folder, plan }
    }

    /// A pass that the host plays, until it is taken in.
    fn pass(&mut self, name: &str, frames: usize, level: f32, at: i64) {
        let file = pass_at(&self.folder, name, frames, level);
        captured(&mut self.desk, &mut self.plugin, file, at);
    }

    /// A pass that the host plays, until nothing is left to do for it.
    fn played_next(&mut self, name: &str, frames: usize, level: f32, at: i64) {
        self.pass(name, frames, level, at);
        quiet(&mut self.desk);
    }

    /// Another pass is played, and `meanwhile` happens while it is compared.
    fn compared_while(&mut self, level: f32, meanwhile: impl FnOnce(&mut Self)) {
        self.desk.sound.close_gate();
        self.pass("meanwhile.wav", 150_000, level, 24_000);
        self.desk.until(|desk| desk.sound.waiting() > 0);
        meanwhile(self);
        self.desk.sound.open_gate();
        quiet(&mut self.desk);
    }

    fn found(&self) -> Vec<(bool, f64)> {
        played(&self.desk, self.plan)
    }

    /// Words that were shown to the person.
    fn notices(&self) -> Vec<&str> {
        let notices = self.desk.heard.iter().filter_map(|event| match &event.news {
            News::Notice { notice } => Some(notice.message.as_str()),
            _ => None,
        });
        notices.collect()
    }
}

fn drums() -> serde_json::Value {
    json!({"targets": ["Drums"], "target_lufs": -20.0, "per": "track"})
}

/// Until no worker has anything left to do.
fn quiet(desk: &mut Desk) {
    desk.until(|desk| !desk.bridge.is_working());
}

/// How the plan played: its compared level minus the promised one, dB; empty if it was not compared.
fn played(desk: &Desk, plan: PlanId) -> Vec<(bool, f64)> {
    let receipt = desk.stored(plan).receipt.clone().unwrap();
    let off = |it: &Measured| it.measured.unwrap() - it.predicted;
    receipt.played.iter().map(|it| (it.measured.within, off(&it.measured))).collect()
}

#[test]
fn what_a_host_plays_next_is_compared_with_what_was_promised() {
    for (level, is_kept, by) in [(0.25, true, 0.0), (0.5, false, 6.02)] {
        let mut it = Staged::new();
        let promised = &it.desk.stored(it.plan).plan.predicted;
        assert!(promised.iter().all(|it| it.verify == Verify::Playback));
        assert_eq!(it.found(), []);
        let gain = it.desk.session().tracks[&DRUMS].gain;
        it.played_next("two.wav", 150_000, level, 24_000);
        let found = it.found();
        assert!(!found.is_empty());
        for (within, off) in &found {
            assert_eq!(*within, is_kept, "{off}");
            assert!((off - by).abs() < 0.05, "{off}");
        }
        let receipt = it.desk.stored(it.plan).receipt.clone().unwrap();
        assert_eq!(
            (receipt.played[0].start, receipt.played[0].end),
            (Frames(24_000), Frames(174_000))
        );
        assert_eq!(receipt.plays_as_promised(), Some(is_kept));
        assert_eq!(it.desk.state(it.plan), PlanState::Applied, "live sound takes nothing back");
        assert_eq!(it.desk.session().tracks[&DRUMS].gain, gain);
        // It was heard: a third pass is compared with nothing.
        it.played_next("three.wav", 192_000, 0.1, 0);
        assert_eq!(it.found(), found);
        it.desk.undo();
        assert_ne!(it.desk.session().tracks[&DRUMS].gain, gain, "and undo is one step");
        let desk = it.desk.reopened();
        assert_eq!(desk.stored(it.plan).receipt, Some(receipt), "it is stored");
    }
}

#[test]
fn a_person_and_a_model_are_told_how_it_played() {
    let told = |level| {
        let mut it = Staged::new();
        it.played_next("two.wav", 192_000, level, 0);
        let said = it.desk.now("get_receipt", json!({"plan_id": it.plan})).summary;
        [it.notices(), vec![said.as_str()]].concat().join("\n")
    };
    insta::assert_snapshot!(told(0.25), @"revision 2; 1 measured, 0 missed; the host plays it as promised");
    insta::assert_snapshot!(told(0.5), @r#"
    "Drums" plays other than "Bring Drums to -20 LUFS" promised: -14.0 LUFS in place of -20.0. Something before Deskhand in the host's chain changed since; measure again
    revision 2; 1 measured, 0 missed; the host plays other than promised: something before Deskhand in its chain changed
    "#);
}

#[test]
fn what_plays_as_promised_after_all_settles_what_did_not() {
    let mut it = Staged::new();
    it.played_next("two.wav", 150_000, 0.5, 24_000);
    let plays =
        |it: &Staged| it.desk.stored(it.plan).receipt.as_ref().and_then(Receipt::plays_as_promised);
    let missed = it.found();
    assert_eq!((plays(&it), it.notices().len()), (Some(false), 1));
    // As wrong as before is nothing new.
    it.played_next("three.wav", 150_000, 1.0, 24_000);
    assert_eq!((it.found(), it.notices().len()), (missed.clone(), 1));
    it.played_next("four.wav", 192_000, 0.25, 0);
    assert_eq!((plays(&it), it.found().len()), (Some(true), missed.len()));
    insta::assert_snapshot!(it.notices()[1], @r#""Drums" plays as "Bring Drums to -20 LUFS" promised now"#);
    // And that holds.
    it.played_next("five.wav", 192_000, 0.5, 0);
    assert_eq!((plays(&it), it.notices().len()), (Some(true), 2));
}

#[test]
fn a_pass_that_says_nothing_of_the_promise_leaves_it_open() {
    let mut it = Staged::new();
    // Too short; apart from the recording; there again, over a newer recording; silence.
    for (name, frames, level, at) in [
        ("a.wav", 96_000, 0.5, 0),
        ("b.wav", 192_000, 0.25, 400_000),
        ("c.wav", 192_000, 0.5, 400_000),
        ("d.wav", 192_000, 0.0, 0),
    ] {
        it.played_next(name, frames, level, at);
        assert_eq!(it.found(), [], "{name}");
    }
    assert_eq!(it.notices(), Vec::<&str>::new());
    // What it was measured on counts, whatever covered it since.
    it.played_next("e.wav", 192_000, 0.25, 0);
    let found = it.found();
    assert!(found.iter().all(|(within, _)| *within) && !found.is_empty(), "{found:?}");
}

const EDITS: [(&str, f64); 2] = [("cmd_set_clip_gain", -6.0), ("cmd_move_clip", 0.5)];

fn edited(desk: &mut Desk, (tool, by): (&str, f64)) {
    let name = if tool == "cmd_move_clip" { "by_s" } else { "gain_db" };
    let done = desk.now(tool, json!({"targets": "Drums take 1", name: by}));
    assert_eq!(done.status, Status::Applied, "{done:#?}");
}

#[test]
fn what_was_edited_ahead_of_the_plan_is_not_what_the_host_plays() {
    for edit in EDITS {
        let mut it = Staged::edited(|desk| edited(desk, edit));
        it.played_next("two.wav", 192_000, 0.25, 0);
        assert_eq!(it.found(), [], "{edit:?}");
    }
}

#[test]
fn what_was_edited_since_was_not_promised() {
    for edit in EDITS {
        let mut it = Staged::new();
        edited(&mut it.desk, edit);
        it.played_next("two.wav", 192_000, 0.25, 0);
        let found = it.found();
        assert!(found.iter().all(|(within, _)| *within) && !found.is_empty(), "{found:?}");
    }
    // With another gain it is another thing.
    let mut it = Staged::new();
    it.desk.now("cmd_set_track_gain", json!({"targets": "Drums", "gain_db": -3.0}));
    it.played_next("two.wav", 192_000, 0.25, 0);
    assert_eq!(it.found(), []);
}

#[test]
fn a_plan_that_was_undone_is_compared_with_nothing() {
    let mut it = Staged::new();
    it.desk.undo();
    it.played_next("two.wav", 150_000, 0.5, 24_000);
    assert_eq!(it.found(), []);
}

#[test]
fn what_is_undone_while_it_is_compared_is_left_alone() {
    let mut it = Staged::new();
    it.compared_while(0.5, |it| drop(it.desk.undo()));
    assert_eq!((it.found(), it.desk.state(it.plan)), (vec![], PlanState::Undone));
    assert_eq!(it.notices(), Vec::<&str>::new());
    // Redone meanwhile: then it is applied again, and plays.
    let mut it = Staged::new();
    it.compared_while(0.25, |it| {
        it.desk.undo();
        it.desk.redo();
    });
    assert_eq!(it.desk.state(it.plan), PlanState::Applied);
    assert!(!it.found().is_empty());
}

const REMOVED: &str =
    "not compared with what the host played next: the recording was removed to make room";

impl Staged {
    /// Deletes all takes that no clip plays.
    fn make_room(&mut self) {
        let takes =
            |desk: &Desk| desk.session().sources.values().filter(|it| it.origin.is_some()).count();
        let before = takes(&self.desk);
        let result = self.plugin.ask(&mut self.desk, Op::MakeRoom { most_bytes: 0, held_bytes: 0 });
        assert_eq!(result.status, Status::Ok, "{result:#?}");
        self.desk.until(|desk| takes(desk) < before);
        let gone = self.folder.join("one.wav");
        self.desk.until(|_| !gone.exists());
    }

    /// How often the plan says that its recording was removed.
    fn removed(&self) -> usize {
        let reason = self.desk.stored(self.plan).reason.clone();
        reason.map_or(0, |reason| reason.matches(REMOVED).count())
    }
}

#[test]
fn a_take_that_is_removed_while_it_is_compared_is_said_to_be_and_nothing_is_compared() {
    let mut it = Staged::new();
    it.desk.sound.close_gate();
    it.pass("two.wav", 192_000, 0.5, 0);
    it.desk.until(|desk| desk.sound.waiting() > 0);
    assert_eq!(it.removed(), 0);
    it.make_room();
    it.desk.sound.open_gate();
    quiet(&mut it.desk);
    assert_eq!((it.found(), it.removed()), (vec![], 1));
    assert_eq!(it.desk.state(it.plan), PlanState::Applied, "the plan itself stands");
    assert_eq!(it.notices(), Vec::<&str>::new());
    // The next pass says it no second time, and it is stored.
    it.played_next("three.wav", 192_000, 0.5, 0);
    assert_eq!((it.found(), it.removed()), (vec![], 1));
    let desk = it.desk.reopened();
    assert!(desk.stored(it.plan).reason.as_deref().is_some_and(|it| it.contains(REMOVED)));
}

#[test]
fn a_take_that_is_removed_before_the_next_pass_is_said_to_be() {
    let mut it = Staged::new();
    // Each is too short to be compared; together they cover the measured part.
    for (n, name) in (0..).zip(["a.wav", "b.wav", "c.wav", "d.wav"]) {
        it.played_next(name, 48_000, 0.5, 48_000 * n);
    }
    it.make_room();
    assert_eq!(it.removed(), 0);
    it.played_next("two.wav", 192_000, 0.5, 0);
    assert_eq!((it.found(), it.removed()), (vec![], 1));
}

#[test]
fn of_two_passes_at_once_the_first_counts() {
    let mut it = Staged::new();
    it.compared_while(0.25, |it| it.pass("two.wav", 192_000, 0.5, 0));
    let promised = it.desk.stored(it.plan).plan.predicted.len();
    assert_eq!(it.found().len(), promised);
}

#[test]
fn a_part_that_is_heard_leaves_the_plan_it_is_of_as_it_is() {
    let mut desk = Desk::new();
    let (mut one, folder) = joined(&mut desk);
    let mut two = Plugin::new(&mut desk);
    two.join(&mut desk, instance("b", Some(BASS)));
    for (name, plugin) in [("one.wav", &mut one), ("two.wav", &mut two)] {
        captured(&mut desk, plugin, pass_at(&folder, name, 192_000, 0.25), 0);
    }
    let params = json!({"targets": ["Drums", "Bass"], "target_lufs": -20.0, "per": "track"});
    let plan = desk.plan("tool_normalize", params);
    let mut take = |only: &str| {
        let only = Some(vec![only.to_owned()]);
        desk.decide(plan, Decision::ApplyPart { only, set: Vec::new() }).plan.unwrap().id
    };
    let first = take("c1");
    take("c2");
    let whole = desk.stored(plan).clone();
    captured(&mut desk, &mut one, pass_at(&folder, "next.wav", 192_000, 0.25), 0);
    quiet(&mut desk);
    let receipt = desk.stored(first).receipt.clone().unwrap();
    assert_eq!(receipt.plays_as_promised(), Some(true));
    assert_eq!(desk.stored(plan), &whole);
}

#[test]
fn only_tracks_that_a_host_plays_are_compared() {
    let mut desk = Desk::new();
    let _host = joined(&mut desk);
    let params = json!({"targets": ["Drums", "Bass"], "target_lufs": -20.0, "per": "track"});
    let plan = desk.plan("tool_normalize", params);
    for prediction in &desk.stored(plan).plan.predicted {
        let is_played = prediction.target == DRUMS.into();
        assert_eq!(prediction.verify == Verify::Playback, is_played, "{prediction:?}");
    }
    insta::assert_snapshot!(desk.stored(plan).plan.notes.join("\n"), @"
    gain of 1 track in Ardour 8: its own undo does not show this while it is a desk gain; where the window of an instance was open it shows as a change of trim, which an undo there takes back only where it moves the parameter: where it loads the plugin's state, the session's gain stays. Deskhand's undo takes all of it back in one step
    measured at once on what was recorded; when Ardour 8 plays the same passage next, that is compared with it, and the receipt says so
    ");
}
