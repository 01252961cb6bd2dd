//! Tests of the commands, each on the session that it changes.

mod clips;
mod document;

use deskhand_dsp::effects::{Effect, Equalizer};
use deskhand_session::{InsertId, InsertOwner, PlacedInsert, Switch, TrackId};
use deskhand_toolkit::testing::{Desk, voice_and_guitar};
use serde_json::{Value, json};

/// A voice track with two clips, a bus that it plays to, a guitar, and a marker.
fn desk() -> Desk {
    voice_and_guitar(crate::all())
}

fn run(desk: &mut Desk, tool: &str, params: Value) -> Vec<&'static str> {
    desk.ops(tool, params)
}

fn names(desk: &Desk) -> Vec<&str> {
    desk.session.tracks_in_order().map(|(_, track)| track.name.as_str()).collect()
}

#[test]
fn a_removed_track_takes_its_clips_and_leaves_no_loose_ends() {
    let mut desk = desk();
    run(&mut desk, "cmd_set_group", json!({"name": "Band", "targets": ["Voice", "Guitar"]}));
    let draft = desk.plan("cmd_remove_track", json!({"targets": ["Voice", "Bus"]}));
    let ops: Vec<_> = draft.changes.iter().map(|planned| planned.change.op()).collect();
    assert_eq!(ops, ["remove_clip", "remove_clip", "set_group", "remove_track", "remove_track"]);
    assert_eq!(draft.changes[3].needs, ["c1", "c2", "c3"]);
    desk.apply(&draft);
    assert_eq!(names(&desk), ["Guitar"]);

    let mut desk = self::desk();
    let ops = run(&mut desk, "cmd_remove_track", json!({"targets": "Bus"}));
    assert_eq!(ops, ["set_track_output", "remove_track"]);
}

#[test]
fn tracks_are_added_named_and_moved() {
    let mut desk = desk();
    run(&mut desk, "cmd_add_track", json!({"name": "Bass", "index": 1}));
    run(&mut desk, "cmd_rename_track", json!({"targets": "Guitar", "name": "Keys"}));
    assert_eq!(names(&desk), ["Voice", "Bass", "Bus", "Keys"]);
    run(&mut desk, "cmd_move_track", json!({"targets": ["Voice", "Bass"], "index": 2}));
    assert_eq!(names(&desk), ["Bus", "Keys", "Voice", "Bass"]);
    run(&mut desk, "cmd_move_track", json!({"targets": ["Bass", "Bus"], "index": 1}));
    assert_eq!(names(&desk), ["Keys", "Bus", "Bass", "Voice"]);
    run(&mut desk, "cmd_move_track", json!({"targets": "Keys", "index": 99}));
    assert_eq!(names(&desk), ["Bus", "Bass", "Voice", "Keys"]);
    run(&mut desk, "cmd_move_track", json!({"targets": "Keys", "above": "Bass"}));
    assert_eq!(names(&desk), ["Bus", "Keys", "Bass", "Voice"]);
    run(&mut desk, "cmd_move_track", json!({"targets": ["Bus", "Keys"], "below": "Bass"}));
    assert_eq!(names(&desk), ["Bass", "Bus", "Keys", "Voice"]);
    run(&mut desk, "cmd_move_track", json!({"targets": "Bass"}));
    assert_eq!(names(&desk), ["Bus", "Keys", "Voice", "Bass"]);
    let itself = json!({"targets": "Bass", "above": "Bass"});
    assert!(desk.refusal("cmd_move_track", itself).contains("above or below itself"));
    assert!(desk.refusal("cmd_add_track", json!({"name": " "})).contains("1 to 200 characters"));
}

#[test]
fn a_track_changes_its_group_and_an_empty_list_removes_one() {
    let mut desk = desk();
    run(&mut desk, "cmd_set_group", json!({"name": "A", "targets": ["Voice", "Guitar"]}));
    let ops = run(&mut desk, "cmd_set_group", json!({"name": "B", "targets": ["Guitar"]}));
    assert_eq!(ops, ["set_group", "set_group"]);
    let members: Vec<_> = desk.session.groups.values().map(|group| group.tracks.len()).collect();
    assert_eq!(members, [1, 1]);
    run(&mut desk, "cmd_set_group", json!({"name": "b", "targets": []}));
    assert_eq!(desk.session.groups.len(), 1);
    let unknown = desk.refusal("cmd_set_group", json!({"name": "C", "targets": []}));
    assert!(unknown.contains("no group is called \"C\""));
}

#[test]
fn ids_of_new_things_follow_from_the_call() {
    let desk = desk();
    let call = || desk.plan("cmd_add_track", json!({"name": "New"})).changes[0].change.target();
    assert_eq!(call(), call());
    let other = desk.plan("cmd_add_track", json!({"name": "Other"})).changes[0].change.target();
    assert_ne!(call(), other);
    assert_ne!(call(), TrackId::new(0).into());
}
#[test]
fn summaries_name_what_they_are_about() {
    let desk = desk();
    let said = [
        ("cmd_remove_track", json!({"targets": "Guitar"}), "Remove Guitar"),
        ("cmd_move_clip", json!({"targets": "Riff", "by_s": 1}), "Move Riff 1 s later"),
        ("tool_rename_tracks", json!({"targets": "Guitar"}), "Rename Guitar after its clips"),
    ];
    for (tool, params, summary) in said {
        assert_eq!(desk.plan(tool, params).summary, summary, "{tool}");
    }
}

#[test]
fn a_track_goes_with_its_processors() {
    let mut desk = desk();
    let on = InsertOwner::Track(desk.session.track_order[2]);
    let effect = Effect::Equalizer(Equalizer::default());
    let placed = PlacedInsert { on, index: 0, switch: Switch::On, effect };
    desk.session.inserts.insert(InsertId::new(1), placed);
    let ops = run(&mut desk, "cmd_remove_track", json!({"targets": "Guitar"}));
    assert_eq!(ops, ["remove_clip", "set_insert", "remove_track"]);
    assert!(desk.session.inserts.is_empty());
}
