//! Tests of the commands, each on the session that it changes.

use crate::testing::{Desk, SECOND, tone};
use deskhand_dsp::{Decibels, Frames};
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
    draft
        .changes
        .iter()
        .map(|planned| planned.change.op())
        .collect()
}

fn names(desk: &Desk) -> Vec<&str> {
    desk.session
        .tracks_in_order()
        .map(|(_, track)| track.name.as_str())
        .collect()
}

#[test]
fn every_change_has_its_command() {
    // `import_audio` adds sources: only it knows a file's length, hash and format.
    let exempt = ["add_source"];
    let tools = crate::all();
    let tools: BTreeSet<_> = tools.iter().map(|tool| tool.spec().name).collect();
    for op in Change::OPS.iter().filter(|op| !exempt.contains(op)) {
        assert!(tools.contains(format!("cmd_{op}").as_str()), "no cmd_{op}");
    }
    let commands = tools.iter().filter_map(|name| name.strip_prefix("cmd_"));
    for op in commands {
        assert!(Change::OPS.contains(&op), "cmd_{op} is no change");
    }
}

#[test]
fn every_example_fits_its_schema_and_every_parameter_is_described() {
    for tool in crate::all() {
        let spec = tool.spec();
        for example in &spec.examples {
            deskhand_toolkit::registry::validate(tool.as_ref(), example).unwrap();
        }
        let properties = spec.input_schema["properties"].as_object().unwrap();
        for (name, schema) in properties {
            assert!(schema["description"].is_string(), "{} {name}", spec.name);
        }
        assert_eq!(
            spec.input_schema["additionalProperties"],
            json!(false),
            "{}",
            spec.name
        );
    }
}

#[test]
fn gains_are_absolute_or_relative() {
    let mut desk = desk();
    run(
        &mut desk,
        "cmd_set_track_gain",
        json!({"targets": "Voice", "gain_db": -3.0}),
    );
    run(
        &mut desk,
        "cmd_set_track_gain",
        json!({"targets": "Voice", "change_db": -1.5}),
    );
    run(
        &mut desk,
        "cmd_set_clip_gain",
        json!({"targets": "Verse", "change_db": 2}),
    );
    run(&mut desk, "cmd_set_master_gain", json!({"gain_db": -1}));
    let voice = &desk.session.tracks[&desk.session.track_order[0]];
    assert_eq!(
        (voice.gain, desk.session.master_gain),
        (Decibels(-4.5), Decibels(-1.0))
    );
    let again = desk.plan(
        "cmd_set_track_gain",
        json!({"targets": "Voice", "gain_db": -4.5}),
    );
    assert_eq!(again.changes, []);
    let both = json!({"targets": "Voice", "gain_db": 1, "change_db": 1});
    assert!(
        desk.refusal("cmd_set_track_gain", both)
            .contains("exactly one")
    );
    let high = json!({"targets": "Voice", "change_db": 60});
    let refusal = desk.refusal("cmd_set_track_gain", high);
    assert!(
        refusal.contains("a gain of 55.5 dB is outside -150 to 48 dB"),
        "{refusal}"
    );
}

#[test]
fn a_strip_is_set() {
    let mut desk = desk();
    run(
        &mut desk,
        "cmd_set_track_mute",
        json!({"targets": "Gui*", "mute": true}),
    );
    run(
        &mut desk,
        "cmd_set_track_solo",
        json!({"targets": "Voice", "solo": true}),
    );
    run(
        &mut desk,
        "cmd_set_track_pan",
        json!({"targets": "Guitar", "pan": 0.25}),
    );
    run(
        &mut desk,
        "cmd_set_track_color",
        json!({"targets": "Guitar", "color": "#4FC5FC"}),
    );
    run(
        &mut desk,
        "cmd_set_track_output",
        json!({"targets": "Guitar", "output": "bus"}),
    );
    let order = &desk.session.track_order;
    let guitar = &desk.session.tracks[&order[2]];
    assert!(guitar.mute && desk.session.tracks[&order[0]].solo);
    assert_eq!((guitar.pan, guitar.output), (0.25, Output::Bus(order[1])));
    assert_eq!(
        guitar.color.clone().map(String::from).as_deref(),
        Some("#4fc5fc")
    );
    let wrong = desk.refusal(
        "cmd_set_track_color",
        json!({"targets": "Guitar", "color": "red"}),
    );
    assert!(wrong.contains("#rrggbb"), "{wrong}");
    let to_audio = json!({"targets": "Voice", "output": "Guitar"});
    assert!(
        desk.refusal("cmd_set_track_output", to_audio)
            .contains("no bus is called")
    );
    desk.track(Track::bus("Second"));
    run(
        &mut desk,
        "cmd_set_track_output",
        json!({"targets": "Second", "output": "Bus"}),
    );
    let loop_ = desk.refusal(
        "cmd_set_track_output",
        json!({"targets": "Bus", "output": "Second"}),
    );
    assert!(loop_.contains("that would be a loop"), "{loop_}");
}

#[test]
fn a_removed_track_takes_its_clips_and_leaves_no_loose_ends() {
    let mut desk = desk();
    run(
        &mut desk,
        "cmd_set_group",
        json!({"name": "Band", "targets": ["Voice", "Guitar"]}),
    );
    let draft = desk.plan("cmd_remove_track", json!({"targets": ["Voice", "Bus"]}));
    let ops: Vec<_> = draft
        .changes
        .iter()
        .map(|planned| planned.change.op())
        .collect();
    assert_eq!(
        ops,
        [
            "remove_clip",
            "remove_clip",
            "set_group",
            "remove_track",
            "remove_track"
        ]
    );
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
    run(
        &mut desk,
        "cmd_add_track",
        json!({"name": "Bass", "index": 1}),
    );
    run(
        &mut desk,
        "cmd_rename_track",
        json!({"targets": "Guitar", "name": "Keys"}),
    );
    assert_eq!(names(&desk), ["Voice", "Bass", "Bus", "Keys"]);
    run(
        &mut desk,
        "cmd_move_track",
        json!({"targets": ["Voice", "Bass"], "index": 2}),
    );
    assert_eq!(names(&desk), ["Bus", "Keys", "Voice", "Bass"]);
    run(
        &mut desk,
        "cmd_move_track",
        json!({"targets": ["Bass", "Bus"], "index": 1}),
    );
    assert_eq!(names(&desk), ["Keys", "Bus", "Bass", "Voice"]);
    run(
        &mut desk,
        "cmd_move_track",
        json!({"targets": "Keys", "index": 99}),
    );
    assert_eq!(names(&desk), ["Bus", "Bass", "Voice", "Keys"]);
    assert!(
        desk.refusal("cmd_add_track", json!({"name": " "}))
            .contains("1 to 200 characters")
    );
}

#[test]
fn a_track_changes_its_group_and_an_empty_list_removes_one() {
    let mut desk = desk();
    run(
        &mut desk,
        "cmd_set_group",
        json!({"name": "A", "targets": ["Voice", "Guitar"]}),
    );
    let ops = run(
        &mut desk,
        "cmd_set_group",
        json!({"name": "B", "targets": ["Guitar"]}),
    );
    assert_eq!(ops, ["set_group", "set_group"]);
    let members: Vec<_> = desk
        .session
        .groups
        .values()
        .map(|group| group.tracks.len())
        .collect();
    assert_eq!(members, [1, 1]);
    run(
        &mut desk,
        "cmd_set_group",
        json!({"name": "b", "targets": []}),
    );
    assert_eq!(desk.session.groups.len(), 1);
    let unknown = desk.refusal("cmd_set_group", json!({"name": "C", "targets": []}));
    assert!(unknown.contains("no group is called \"C\""));
}

fn clip<'a>(desk: &'a Desk, name: &str) -> &'a deskhand_session::Clip {
    desk.session
        .clips
        .values()
        .find(|clip| clip.name == name)
        .unwrap()
}

#[test]
fn clips_are_added_copied_moved_and_removed() {
    let mut desk = desk();
    let add =
        json!({"track": "guitar", "source": "Verse.wav", "at_s": 20, "start_s": 1, "name": "New"});
    run(&mut desk, "cmd_add_clip", add);
    assert_eq!(
        (clip(&desk, "New").start.0, clip(&desk, "New").length.0),
        (SECOND, 3 * SECOND)
    );
    run(
        &mut desk,
        "cmd_move_clip",
        json!({"targets": ["Verse", "Chorus"], "by_s": 1.5}),
    );
    assert_eq!(clip(&desk, "Chorus").position.0, 7 * SECOND + SECOND / 2);
    run(
        &mut desk,
        "cmd_move_clip",
        json!({"targets": ["Verse", "Chorus"], "at_s": 0, "track": "Guitar"}),
    );
    assert_eq!(clip(&desk, "Chorus").position.0, 6 * SECOND);
    assert_eq!(clip(&desk, "Chorus").track, desk.session.track_order[2]);
    run(
        &mut desk,
        "cmd_rename_clip",
        json!({"targets": "Riff", "name": "Lick"}),
    );
    run(&mut desk, "cmd_duplicate_clip", json!({"targets": "Lick"}));
    let ends: Vec<_> = desk
        .session
        .clips
        .values()
        .filter(|c| c.name == "Lick")
        .map(|c| c.end().0)
        .collect();
    assert_eq!(ends.iter().max(), Some(&(10 * SECOND)));
    run(&mut desk, "cmd_remove_clip", json!({"targets": "Lick"}));
    assert!(!desk.session.clips.values().any(|clip| clip.name == "Lick"));
    let early = desk.refusal("cmd_move_clip", json!({"targets": "Verse", "by_s": -9}));
    assert!(early.contains("position"), "{early}");
    let nowhere = desk.refusal("cmd_move_clip", json!({"targets": "Verse"}));
    assert!(nowhere.contains("exactly one of `at_s` and `by_s`"));
    let on_bus = desk.refusal("cmd_move_clip", json!({"targets": "Verse", "track": "Bus"}));
    assert!(on_bus.contains("is a bus and has no clips"));
}

#[test]
fn clips_are_trimmed_split_and_faded() {
    let mut desk = desk();
    run(
        &mut desk,
        "cmd_set_clip_fades",
        json!({"targets": "Verse", "fade_in_ms": 10, "fade_out_ms": 3000}),
    );
    let ops = run(
        &mut desk,
        "cmd_trim_clip",
        json!({"targets": "Verse", "start_s": 1, "end_s": 2}),
    );
    assert_eq!(ops, ["set_clip_fades", "trim_clip"]);
    let verse = clip(&desk, "Verse");
    assert_eq!(
        (verse.start.0, verse.position.0, verse.length.0),
        (SECOND, SECOND, SECOND)
    );
    assert_eq!(
        (verse.fade_in.length.0, verse.fade_out.length.0),
        (480, SECOND - 480)
    );
    let gone = desk.refusal("cmd_trim_clip", json!({"targets": "Verse", "start_s": 3}));
    assert!(gone.contains("nothing of \"Verse\" would be left"));
    run(
        &mut desk,
        "cmd_split_clip",
        json!({"targets": ["Voice", "Riff"], "at_s": 3}),
    );
    assert_eq!(
        desk.session
            .clips
            .values()
            .filter(|clip| clip.name == "Riff")
            .count(),
        2
    );
    assert!(
        desk.refusal("cmd_split_clip", json!({"targets": "Verse", "at_s": 5}))
            .contains("0:05.000")
    );
    let long = json!({"targets": "Verse", "fade_in_ms": 9000});
    assert!(
        desk.refusal("cmd_set_clip_fades", long)
            .contains("longer than the clip")
    );
}

#[test]
fn a_ripple_moves_the_whole_group_and_only_a_group() {
    let mut desk = desk();
    let params = json!({"targets": "Voice", "start_s": 3, "end_s": 7});
    let refusal = desk.refusal("cmd_ripple_delete", params.clone());
    assert!(refusal.contains("\"Voice\" is in no group") && refusal.contains("cmd_set_group"));
    run(
        &mut desk,
        "cmd_set_group",
        json!({"name": "Band", "targets": ["Voice", "Guitar"]}),
    );
    let draft = desk.plan("cmd_ripple_delete", params);
    assert_eq!(
        draft.warnings,
        ["\"Guitar\" of the group \"Band\" move along"]
    );
    desk.apply(&draft);
    assert_eq!(clip(&desk, "Chorus").position, Frames(3 * SECOND));
    assert_eq!(clip(&desk, "Chorus").start, Frames(SECOND));
    assert_eq!(clip(&desk, "Riff").length, Frames(SECOND));
    run(
        &mut desk,
        "cmd_ripple_insert",
        json!({"targets": "Band", "at_s": 3, "length_s": 4}),
    );
    assert_eq!(clip(&desk, "Chorus").position, Frames(7 * SECOND));
    let behind = desk.plan(
        "cmd_ripple_delete",
        json!({"targets": "Band", "start_s": 90, "end_s": 91}),
    );
    assert_eq!(behind.changes, []);
}

#[test]
fn markers_live_and_die_by_name() {
    let mut desk = desk();
    run(
        &mut desk,
        "cmd_move_marker",
        json!({"marker": "bridge", "at_s": 5, "length_s": 2}),
    );
    run(
        &mut desk,
        "cmd_set_marker_code",
        json!({"marker": "Bridge", "code": "keep"}),
    );
    run(
        &mut desk,
        "cmd_rename_marker",
        json!({"marker": "Bridge", "name": "Outro"}),
    );
    let marker = desk.session.markers.values().next().unwrap();
    assert_eq!(
        (marker.name.as_str(), marker.code.as_deref()),
        ("Outro", Some("keep"))
    );
    assert_eq!(
        (marker.position.0, marker.length.0),
        (5 * SECOND, 2 * SECOND)
    );
    run(&mut desk, "cmd_set_marker_code", json!({"marker": "Outro"}));
    assert_eq!(desk.session.markers.values().next().unwrap().code, None);
    run(&mut desk, "cmd_remove_marker", json!({"marker": "Outro"}));
    assert!(desk.session.markers.is_empty());
}

#[test]
fn the_document_is_set() {
    let mut desk = desk();
    run(
        &mut desk,
        "cmd_set_selection",
        json!({"targets": ["Voice", "Riff"], "start_s": 1, "end_s": 2}),
    );
    let selection = desk.session.selection.clone();
    assert_eq!((selection.tracks.len(), selection.clips.len()), (1, 1));
    assert!(
        desk.refusal("cmd_set_selection", json!({"start_s": 1}))
            .contains("later end")
    );
    run(&mut desk, "cmd_set_selection", json!({}));
    assert_eq!(
        desk.session.selection,
        deskhand_session::Selection::default()
    );
    run(&mut desk, "cmd_set_tempo", json!({"bpm": 140, "at_s": 8}));
    let draft = desk.plan("cmd_set_tempo", json!({"bpm": 90}));
    assert_eq!(
        draft.warnings,
        ["1 tempo change later in the session stay as they are"]
    );
    desk.apply(&draft);
    let tempo: Vec<_> = desk.session.tempo.iter().map(|point| point.bpm).collect();
    assert_eq!(tempo, [90.0, 140.0]);
    run(
        &mut desk,
        "cmd_set_meter",
        json!({"numerator": 6, "denominator": 8}),
    );
    assert!(
        desk.refusal("cmd_set_meter", json!({"numerator": 4, "denominator": 3}))
            .contains("4/3")
    );
    run(
        &mut desk,
        "cmd_set_current_source",
        json!({"source": "Riff.wav"}),
    );
    let playing = desk.refusal("cmd_remove_source", json!({"source": "Riff.wav"}));
    assert!(playing.contains("1 clips play it"), "{playing}");
    run(&mut desk, "cmd_remove_clip", json!({"targets": "Riff"}));
    let ops = run(
        &mut desk,
        "cmd_remove_source",
        json!({"source": "Riff.wav"}),
    );
    assert_eq!(ops, ["set_current_source", "remove_source"]);
}

#[test]
fn ids_of_new_things_follow_from_the_call() {
    let desk = desk();
    let call = || {
        desk.plan("cmd_add_track", json!({"name": "New"})).changes[0]
            .change
            .target()
    };
    assert_eq!(call(), call());
    let other = desk.plan("cmd_add_track", json!({"name": "Other"})).changes[0]
        .change
        .target();
    assert_ne!(call(), other);
    assert_ne!(call(), TrackId::new(0).into());
}
