//! Tests of the commands for markers and the session itself.

use super::{desk, run};
use deskhand_toolkit::testing::{Desk, SECOND};
use serde_json::json;

#[test]
fn markers_live_and_die_by_name() {
    let mut desk = desk();
    run(&mut desk, "cmd_move_marker", json!({"marker": "bridge", "at_s": 5, "length_s": 2}));
    run(&mut desk, "cmd_set_marker_code", json!({"marker": "Bridge", "code": "keep"}));
    run(&mut desk, "cmd_rename_marker", json!({"marker": "Bridge", "name": "Outro"}));
    let marker = desk.session.markers.values().next().unwrap();
    assert_eq!((marker.name.as_str(), marker.code.as_deref()), ("Outro", Some("keep")));
    assert_eq!((marker.position.0, marker.length.0), (5 * SECOND, 2 * SECOND));
    run(&mut desk, "cmd_set_marker_code", json!({"marker": "Outro"}));
    assert_eq!(desk.session.markers.values().next().unwrap().code, None);
    run(&mut desk, "cmd_remove_marker", json!({"marker": "Outro"}));
    assert!(desk.session.markers.is_empty());
}

#[test]
fn a_selection_is_set_and_cleared() {
    let mut desk = desk();
    run(
        &mut desk,
        "cmd_set_selection",
        json!({"targets": ["Voice", "Riff"], "start_s": 1, "end_s": 2}),
    );
    let selection = desk.session.selection.clone();
    assert_eq!((selection.tracks.len(), selection.clips.len()), (1, 1));
    assert!(desk.refusal("cmd_set_selection", json!({"start_s": 1})).contains("later end"));
    run(&mut desk, "cmd_set_selection", json!({}));
    assert_eq!(desk.session.selection, deskhand_session::Selection::default());
}

#[test]
fn a_selection_says_what_it_holds() {
    let desk = desk();
    let said = |params| desk.plan("cmd_set_selection", params).summary;
    assert_eq!(
        said(json!({"targets": ["Voice", "Riff"], "start_s": 1, "end_s": 2})),
        "Select Voice and Riff and 0:01.000 to 0:02.000"
    );
    let mut desk = self::desk();
    run(&mut desk, "cmd_set_selection", json!({"targets": "Riff"}));
    assert_eq!(desk.plan("cmd_set_selection", json!({})).summary, "Select nothing");
}

#[test]
fn a_selected_track_and_a_clip_of_its_name_are_told_apart() {
    let mut desk = desk();
    let said = |desk: &Desk| {
        let ids = |it: &deskhand_session::Session| {
            let tracks = it.tracks.iter().filter(|(_, track)| track.name == "host");
            let clips = it.clips.iter().filter(|(_, clip)| clip.name == "host");
            let tracks = tracks.map(|(id, _)| id.to_string());
            tracks.chain(clips.map(|(id, _)| id.to_string())).collect::<Vec<_>>()
        };
        desk.plan("cmd_set_selection", json!({"targets": ids(&desk.session)})).summary
    };
    let riff = desk.session.clips.iter_mut().find(|(_, clip)| clip.name == "Riff").unwrap().1;
    riff.name = "host".into();
    let (own, other) = (riff.track, desk.session.track_order[0]);
    desk.session.tracks.get_mut(&own).unwrap().name = "host".into();
    assert_eq!(said(&desk), "Select track host and its clip");
    desk.session.tracks.get_mut(&own).unwrap().name = "Guitar".into();
    desk.session.tracks.get_mut(&other).unwrap().name = "host".into();
    assert_eq!(said(&desk), "Select track host and clip host");
}

#[test]
fn tempo_and_meter_are_set_from_a_time_on() {
    let mut desk = desk();
    run(&mut desk, "cmd_set_tempo", json!({"bpm": 140, "at_s": 8}));
    let draft = desk.plan("cmd_set_tempo", json!({"bpm": 90}));
    assert_eq!(draft.warnings, ["1 tempo change later in the session stays as it is"]);
    desk.apply(&draft);
    let tempo: Vec<_> = desk.session.tempo.iter().map(|point| point.bpm).collect();
    assert_eq!(tempo, [90.0, 140.0]);
    run(&mut desk, "cmd_set_meter", json!({"numerator": 6, "denominator": 8}));
    assert!(
        desk.refusal("cmd_set_meter", json!({"numerator": 4, "denominator": 3})).contains("4/3")
    );
}

#[test]
fn a_source_leaves_the_library_when_nothing_plays_it() {
    let mut desk = desk();
    run(&mut desk, "cmd_set_current_source", json!({"source": "Riff.wav"}));
    let playing = desk.refusal("cmd_remove_source", json!({"source": "Riff.wav"}));
    assert!(playing.contains("1 clip plays it: remove it first"), "{playing}");
    run(&mut desk, "cmd_remove_clip", json!({"targets": "Riff"}));
    let ops = run(&mut desk, "cmd_remove_source", json!({"source": "Riff.wav"}));
    assert_eq!(ops, ["set_current_source", "remove_source"]);
}
