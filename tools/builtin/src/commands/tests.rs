//! Tests of the commands, each on the session that it changes.

mod clips;
mod document;
mod envelopes;
mod inserts;
mod spoken;

use crate::testing::{Desk, SECOND, tone};
use deskhand_dsp::Decibels;
use deskhand_session::{Change, Output, Track, TrackId};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A voice track with two clips, a bus that it plays to, a guitar, and a marker.
fn desk() -> Desk {
    let mut desk = Desk::new();
    let voice = desk.track(Track::audio("Voice"));
    let bus = desk.track(Track::bus("Bus"));
    let guitar = desk.track(Track::audio("Guitar"));
    desk.session.tracks.get_mut(&voice).unwrap().output = Output::Bus(bus);
    desk.clip(voice, "Verse", 0, tone(200.0, -20.0, 4.0));
    desk.clip(voice, "Chorus", 6 * SECOND, tone(200.0, -20.0, 4.0));
    desk.clip(guitar, "Riff", 2 * SECOND, tone(200.0, -20.0, 4.0));
    desk.apply(&desk.plan("cmd_add_marker", json!({"name": "Bridge", "at_s": 3.0})));
    desk
}

fn run(desk: &mut Desk, tool: &str, params: Value) -> Vec<&'static str> {
    let draft = desk.plan(tool, params);
    desk.apply(&draft);
    draft.changes.iter().map(|planned| planned.change.op()).collect()
}

fn names(desk: &Desk) -> Vec<&str> {
    desk.session.tracks_in_order().map(|(_, track)| track.name.as_str()).collect()
}

#[test]
fn every_change_has_its_command() {
    // `import_audio` adds sources: only it knows a file's length, hash and format. What a segment is,
    // is found by listening. Importance is set by a tool, which other programs know by its name.
    let exempt = [
        "add_source",
        "set_segment",
        "set_description",
        "set_importance",
        "set_phrase",
        "set_assembly",
    ];
    // Parts of one change that have a name of their own.
    let parts = [
        "remove_insert",
        "switch_insert",
        "remove_code",
        "merge_codes",
        "set_words",
        "set_speaker",
        "restore_words",
        "finish",
    ];
    let tools = crate::all();
    let tools: BTreeSet<_> = tools.iter().map(|tool| tool.spec().name).collect();
    for op in Change::OPS.iter().filter(|op| !exempt.contains(op)) {
        assert!(tools.contains(format!("cmd_{op}").as_str()), "no cmd_{op}");
    }
    let commands = tools.iter().filter_map(|name| name.strip_prefix("cmd_"));
    for op in commands {
        assert!(Change::OPS.contains(&op) || parts.contains(&op), "cmd_{op} is no change");
    }
}

#[test]
fn every_example_fits_its_schema_and_every_parameter_is_described() {
    for tool in crate::all() {
        let spec = tool.spec();
        for example in &spec.examples {
            deskhand_toolkit::registry::validate(tool.spec(), example).unwrap();
        }
        let properties = spec.input_schema["properties"].as_object().unwrap();
        for (name, schema) in properties {
            assert!(schema["description"].is_string(), "{} {name}", spec.name);
        }
        assert_eq!(spec.input_schema["additionalProperties"], json!(false), "{}", spec.name);
    }
}

#[test]
fn gains_are_absolute_or_relative() {
    let mut desk = desk();
    run(&mut desk, "cmd_set_track_gain", json!({"targets": "Voice", "gain_db": -3.0}));
    run(&mut desk, "cmd_set_track_gain", json!({"targets": "Voice", "change_db": -1.5}));
    run(&mut desk, "cmd_set_clip_gain", json!({"targets": "Verse", "change_db": 2}));
    run(&mut desk, "cmd_set_master_gain", json!({"gain_db": -1}));
    let voice = &desk.session.tracks[&desk.session.track_order[0]];
    assert_eq!((voice.gain, desk.session.master_gain), (Decibels(-4.5), Decibels(-1.0)));
    let again = desk.plan("cmd_set_track_gain", json!({"targets": "Voice", "gain_db": -4.5}));
    assert_eq!(again.changes, []);
    let both = json!({"targets": "Voice", "gain_db": 1, "change_db": 1});
    assert!(desk.refusal("cmd_set_track_gain", both).contains("exactly one"));
    let high = json!({"targets": "Voice", "change_db": 60});
    let refusal = desk.refusal("cmd_set_track_gain", high);
    assert!(refusal.contains("a gain of 55.5 dB is outside -150 to 48 dB"), "{refusal}");
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
        (
            "cmd_set_track_mute",
            json!({"targets": ["Voice", "Guitar"], "mute": true}),
            "Mute Voice and Guitar",
        ),
        (
            "cmd_set_track_mute",
            json!({"targets": "Voice", "mute": false}),
            "Unmute Voice: that way already",
        ),
        ("cmd_set_track_pan", json!({"targets": "Guitar", "pan": 0.25}), "Pan Guitar to 0.25"),
        (
            "cmd_set_track_color",
            json!({"targets": "Guitar", "color": "#4fc5fc"}),
            "Color Guitar #4fc5fc",
        ),
        (
            "cmd_set_track_output",
            json!({"targets": "Guitar", "output": "Bus"}),
            "Route Guitar to \"Bus\"",
        ),
        (
            "cmd_set_track_gain",
            json!({"targets": "Voice", "change_db": -12}),
            "Turn Voice down by 12 dB",
        ),
        ("cmd_set_clip_gain", json!({"targets": "all", "gain_db": -3}), "Set 3 clips to -3 dB"),
        ("cmd_set_master_gain", json!({"gain_db": -1}), "Set the mix to -1 dB"),
        ("cmd_set_master_gain", json!({"gain_db": 0}), "the mix: the gain is that already"),
        ("cmd_remove_track", json!({"targets": "Guitar"}), "Remove Guitar"),
        ("cmd_move_clip", json!({"targets": "Riff", "by_s": 1}), "Move Riff 1 s later"),
        ("tool_rename_tracks", json!({"targets": "Guitar"}), "Rename Guitar after its clips"),
    ];
    for (tool, params, summary) in said {
        assert_eq!(desk.plan(tool, params).summary, summary, "{tool}");
    }
}

#[test]
fn a_strip_is_set() {
    let mut desk = desk();
    run(&mut desk, "cmd_set_track_mute", json!({"targets": "Gui*", "mute": true}));
    run(&mut desk, "cmd_set_track_solo", json!({"targets": "Voice", "solo": true}));
    run(&mut desk, "cmd_set_track_pan", json!({"targets": "Guitar", "pan": 0.25}));
    run(&mut desk, "cmd_set_track_color", json!({"targets": "Guitar", "color": "#4FC5FC"}));
    run(&mut desk, "cmd_set_track_output", json!({"targets": "Guitar", "output": "bus"}));
    let order = &desk.session.track_order;
    let guitar = &desk.session.tracks[&order[2]];
    assert!(guitar.mute && desk.session.tracks[&order[0]].solo);
    assert_eq!((guitar.pan, guitar.output), (0.25, Output::Bus(order[1])));
    assert_eq!(guitar.color.clone().map(String::from).as_deref(), Some("#4fc5fc"));
}

#[test]
fn a_strip_refuses_what_makes_no_sense() {
    let mut desk = desk();
    let wrong = desk.refusal("cmd_set_track_color", json!({"targets": "Guitar", "color": "red"}));
    assert!(wrong.contains("#rrggbb"), "{wrong}");
    let to_audio = json!({"targets": "Voice", "output": "Guitar"});
    assert!(desk.refusal("cmd_set_track_output", to_audio).contains("no bus is called"));
    desk.track(Track::bus("Second"));
    run(&mut desk, "cmd_set_track_output", json!({"targets": "Second", "output": "Bus"}));
    let loop_ = desk.refusal("cmd_set_track_output", json!({"targets": "Bus", "output": "Second"}));
    assert!(loop_.contains("that would be a loop"), "{loop_}");
}

#[test]
fn a_route_names_the_buses() {
    let mut desk = desk();
    let route = |output| json!({"targets": "Guitar", "output": output});
    let draft = desk.plan("cmd_set_track_output", route("bus"));
    let reason = &draft.changes[0].reason;
    assert_eq!(reason, "from the master to \"Bus\", as asked");
    desk.apply(&draft);
    let draft = desk.plan("cmd_set_track_output", route("master"));
    let reason = &draft.changes[0].reason;
    assert_eq!(reason, "from \"Bus\" to the master, as asked");
}
