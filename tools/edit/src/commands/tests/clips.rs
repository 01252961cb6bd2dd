//! Tests of the commands for clips.

use super::{desk, run};
use deskhand_dsp::{Decibels, EnvelopePoint, Frames};
use deskhand_toolkit::testing::{Desk, SECOND};
use serde_json::json;

fn clip<'a>(desk: &'a Desk, name: &str) -> &'a deskhand_session::Clip {
    desk.session.clips.values().find(|clip| clip.name == name).unwrap()
}

#[test]
fn clips_are_added_copied_moved_and_removed() {
    let mut desk = desk();
    let add =
        json!({"track": "guitar", "source": "Verse.wav", "at_s": 20, "start_s": 1, "name": "New"});
    run(&mut desk, "cmd_add_clip", add);
    assert_eq!((clip(&desk, "New").start.0, clip(&desk, "New").length.0), (SECOND, 3 * SECOND));
    run(&mut desk, "cmd_move_clip", json!({"targets": ["Verse", "Chorus"], "by_s": 1.5}));
    assert_eq!(clip(&desk, "Chorus").position.0, 7 * SECOND + SECOND / 2);
    run(
        &mut desk,
        "cmd_move_clip",
        json!({"targets": ["Verse", "Chorus"], "at_s": 0, "track": "Guitar"}),
    );
    assert_eq!(clip(&desk, "Chorus").position.0, 6 * SECOND);
    assert_eq!(clip(&desk, "Chorus").track, desk.session.track_order[2]);
    run(&mut desk, "cmd_move_clip", json!({"targets": "Verse", "after": "Chorus"}));
    assert_eq!(clip(&desk, "Verse").position, clip(&desk, "Chorus").end());
    run(&mut desk, "cmd_rename_clip", json!({"targets": "Riff", "name": "Lick"}));
    run(&mut desk, "cmd_duplicate_clip", json!({"targets": "Lick"}));
    let ends: Vec<_> =
        desk.session.clips.values().filter(|c| c.name == "Lick").map(|c| c.end().0).collect();
    assert_eq!(ends.iter().max(), Some(&(10 * SECOND)));
    run(&mut desk, "cmd_remove_clip", json!({"targets": "Lick"}));
    assert!(!desk.session.clips.values().any(|clip| clip.name == "Lick"));
}

#[test]
fn a_clip_that_is_moved_over_its_neighbor_fades_into_it_and_no_more_once_it_is_moved_away() {
    let mut desk = desk();
    let before = desk.session.clone();
    let fades = |desk: &Desk, name: &str| {
        let clip = clip(desk, name);
        (clip.fade_in.length.0, clip.fade_out.length.0)
    };
    let chorus = json!({"targets": "Chorus", "by_s": -2.5, "crossfade": true});
    let ops = run(&mut desk, "cmd_move_clip", chorus);
    assert_eq!(ops, ["move_clip", "set_clip_fades", "set_clip_fades"]);
    let overlap = clip(&desk, "Verse").end().0 - clip(&desk, "Chorus").position.0;
    assert_eq!(overlap, SECOND / 2);
    assert_eq!((fades(&desk, "Verse"), fades(&desk, "Chorus")), ((0, overlap), (overlap, 0)));
    // Further over it, both fades grow along; both clips together keep theirs.
    let further = json!({"targets": "Chorus", "by_s": -0.25, "crossfade": true});
    run(&mut desk, "cmd_move_clip", further);
    assert_eq!(fades(&desk, "Verse").1, overlap + SECOND / 4);
    let both = json!({"targets": ["Verse", "Chorus"], "by_s": 10, "crossfade": true});
    assert_eq!(run(&mut desk, "cmd_move_clip", both), ["move_clip", "move_clip"]);
    let back = json!({"targets": ["Verse", "Chorus"], "by_s": -10, "crossfade": true});
    run(&mut desk, "cmd_move_clip", back);
    let away = json!({"targets": "Chorus", "by_s": 2.75, "crossfade": true});
    run(&mut desk, "cmd_move_clip", away);
    assert_eq!(desk.session.clips, before.clips, "as they were");
}

#[test]
fn a_move_leaves_fades_of_the_persons_own_and_clips_that_lie_within_others() {
    let mut desk = desk();
    let own = json!({"targets": "Verse", "fade_out_ms": 250});
    run(&mut desk, "cmd_set_clip_fades", own);
    let apart = json!({"targets": "Chorus", "by_s": 1, "crossfade": true});
    assert_eq!(run(&mut desk, "cmd_move_clip", apart), ["move_clip"]);
    let onto = json!({"targets": "Chorus", "at_s": 0, "crossfade": true});
    assert_eq!(
        run(&mut desk, "cmd_move_clip", onto),
        ["move_clip"],
        "neither lies behind the other"
    );
    assert_eq!(clip(&desk, "Verse").fade_out.length.0, SECOND / 4);
}

#[test]
fn copies_go_to_another_track_fade_into_their_neighbors_and_are_selected() {
    let mut desk = desk();
    let before = desk.session.clone();
    let params = json!({
        "targets": "Verse", "at_s": 5, "track": "Guitar", "crossfade": true, "select": true,
    });
    let draft = desk.plan("cmd_duplicate_clip", params);
    assert_eq!(draft.summary, "Duplicate Verse to 0:05.000 on \"Guitar\"");
    let ops: Vec<_> = draft.changes.iter().map(|planned| planned.change.op()).collect();
    assert_eq!(ops, ["duplicate_clip", "set_clip_fades", "set_clip_fades", "set_selection"]);
    let needs = &draft.changes[3].needs;
    assert_eq!(needs, &[draft.changes[0].id.clone()], "nothing is selected that is not there");
    desk.apply(&draft);
    let guitar = desk.session.track_order[2];
    let is_new = |id: &&deskhand_session::ClipId| !before.clips.contains_key(*id);
    let copy = *desk.session.clips.keys().find(is_new).unwrap();
    let clip = &desk.session.clips[&copy];
    assert_eq!((clip.track, clip.position.0), (guitar, 5 * SECOND));
    // The riff ends at 6 s.
    assert_eq!(clip.fade_in.length.0, SECOND);
    let riff = desk.session.clips.values().find(|it| it.name == "Riff").unwrap();
    assert_eq!(riff.fade_out.length.0, SECOND);
    let selection = &desk.session.selection;
    assert_eq!((&selection.tracks, &selection.clips), (&vec![guitar], &vec![copy]));
}

#[test]
fn what_is_duplicated_twice_lies_one_behind_the_other() {
    let mut desk = desk();
    for (targets, start) in [("Riff", 6), ("selection", 10)] {
        let params = json!({"targets": targets, "select": true});
        run(&mut desk, "cmd_duplicate_clip", params);
        let at = Frames(start * SECOND);
        assert!(desk.session.clips.values().any(|it| it.name == "Riff" && it.position == at));
    }
    let on_bus = json!({"targets": "Verse", "track": "Bus"});
    assert!(desk.refusal("cmd_duplicate_clip", on_bus).contains("is a bus and has no clips"));
}

#[test]
fn clips_go_down_by_a_number_of_audio_tracks_and_none_leaves_the_desk() {
    let mut desk = desk();
    let [voice, _, guitar] = desk.session.track_order[..] else { panic!("three tracks") };
    let draft = desk.plan("cmd_move_clip", json!({"targets": ["Verse", "Chorus"], "down": 1}));
    assert_eq!(draft.summary, "Move Verse and Chorus 1 track down", "the bus between has no clips");
    desk.apply(&draft);
    assert_eq!((clip(&desk, "Verse").track, clip(&desk, "Chorus").track), (guitar, guitar));
    assert_eq!(clip(&desk, "Chorus").position.0, 6 * SECOND);
    let up = json!({"targets": "Riff", "at_s": 20, "down": -1});
    run(&mut desk, "cmd_duplicate_clip", up);
    let copy = desk.session.clips.values().find(|it| it.name == "Riff" && it.track == voice);
    assert_eq!(copy.unwrap().position.0, 20 * SECOND);
    let off = desk.refusal("cmd_move_clip", json!({"targets": "all", "down": 1}));
    assert!(off.contains("no audio track lies 1 below \"Guitar\""), "{off}");
    let both = json!({"targets": "Verse", "down": -1, "track": "Voice"});
    assert!(desk.refusal("cmd_move_clip", both).contains("not both"));
}

#[test]
fn a_stretch_of_clips_is_taken_out_moved_and_copied() {
    let start = desk();
    let spans = |desk: &Desk, track: usize| {
        let clips = desk.session.clips_on(desk.session.track_order[track]);
        clips.iter().map(|(_, it)| (it.position.0, it.end().0, it.start.0)).collect::<Vec<_>>()
    };
    let (second, half) = (SECOND, SECOND / 2);
    let stretch = |mut params: serde_json::Value| {
        params["targets"] = json!("Voice");
        params["start_s"] = json!(1.5);
        params["end_s"] = json!(7.0);
        params
    };
    let mut removed = desk();
    let ops = run(&mut removed, "cmd_remove_clip", stretch(json!({})));
    assert_eq!(ops, ["split_clip", "split_clip", "remove_clip", "remove_clip"]);
    let left = [(0, 3 * half, 0), (7 * second, 10 * second, second)];
    assert_eq!(spans(&removed, 0), left);
    let mut moved = desk();
    run(&mut moved, "cmd_move_clip", stretch(json!({"at_s": 21.5, "down": 1})));
    assert_eq!(spans(&moved, 0), left);
    let there = [(43 * half, 24 * second, 3 * half), (26 * second, 27 * second, 0)];
    assert_eq!(spans(&moved, 2)[1..], there);
    let mut copied = desk();
    run(&mut copied, "cmd_duplicate_clip", stretch(json!({"at_s": 21.5, "down": 1})));
    assert_eq!(spans(&copied, 0), spans(&start, 0), "the originals stay whole");
    assert_eq!(spans(&copied, 2)[1..], there);
    let beside = json!({"targets": "Voice", "start_s": 40, "end_s": 50});
    assert!(start.refusal("cmd_remove_clip", beside).contains("no clip that is meant"));
    let turned = json!({"targets": "Voice", "start_s": 5, "end_s": 4});
    assert!(start.refusal("cmd_remove_clip", turned).contains("a later end"));
}

#[test]
fn clips_are_split_at_two_times_in_one_step() {
    let mut desk = desk();
    let draft = desk.plan("cmd_split_clip", json!({"targets": "all", "at_s": 3, "also_at_s": 2.5}));
    assert_eq!(draft.changes.len(), 4, "verse and riff, twice");
    assert_eq!(draft.changes[1].needs, [draft.changes[0].id.clone()]);
    desk.apply(&draft);
    let halves = desk.session.clips.values().map(|it| it.end().0 * 2 / SECOND);
    let mut ends: Vec<i64> = halves.collect();
    ends.sort_unstable();
    assert_eq!(ends, [5, 5, 6, 6, 8, 12, 20]);
}

#[test]
fn a_clip_cannot_be_moved_anywhere() {
    let desk = desk();
    let early = desk.refusal("cmd_move_clip", json!({"targets": "Verse", "by_s": -9}));
    assert!(early.contains("position"), "{early}");
    let nowhere = desk.refusal("cmd_move_clip", json!({"targets": "Verse"}));
    assert!(nowhere.contains("exactly one of `at_s`, `by_s` and `after`"));
    let on_bus = desk.refusal("cmd_move_clip", json!({"targets": "Verse", "track": "Bus"}));
    assert!(on_bus.contains("is a bus and has no clips"));
}

#[test]
fn a_trim_shortens_fades() {
    let mut desk = desk();
    run(
        &mut desk,
        "cmd_set_clip_fades",
        json!({"targets": "Verse", "fade_in_ms": 10, "fade_out_ms": 3000}),
    );
    let ops =
        run(&mut desk, "cmd_trim_clip", json!({"targets": "Verse", "start_s": 1, "end_s": 2}));
    assert_eq!(ops, ["set_clip_fades", "trim_clip"]);
    let verse = clip(&desk, "Verse");
    assert_eq!((verse.start.0, verse.position.0, verse.length.0), (SECOND, SECOND, SECOND));
    assert_eq!((verse.fade_in.length.0, verse.fade_out.length.0), (480, SECOND - 480));
    let gone = desk.refusal("cmd_trim_clip", json!({"targets": "Verse", "start_s": 3}));
    assert!(gone.contains("nothing of \"Verse\" would be left"));
}

#[test]
fn a_length_is_taken_off_an_edge() {
    let mut desk = desk();
    let off = json!({"targets": "Verse", "start_by_s": 1, "end_by_s": 0.5});
    assert_eq!(
        desk.plan("cmd_trim_clip", off.clone()).summary,
        "Trim Verse, 1 s off the start, 0.5 s off the end"
    );
    let before = clip(&desk, "Verse").clone();
    run(&mut desk, "cmd_trim_clip", off);
    let verse = clip(&desk, "Verse");
    assert_eq!(verse.position, before.position + Frames(SECOND));
    assert_eq!(verse.end(), before.end() - Frames(SECOND / 2));
    let refused = |params| desk.refusal("cmd_trim_clip", params);
    assert!(refused(json!({"targets": "Verse", "end_by_s": 95})).contains("would be left"));
    let twice = json!({"targets": "Verse", "start_s": 1, "start_by_s": 1});
    assert!(refused(twice).contains("an edge was given twice"));
}

#[test]
fn a_trim_and_a_fade_say_from_where_to_where() {
    let desk = desk();
    let said = |tool: &str, params| desk.plan(tool, params).summary;
    assert_eq!(
        said("cmd_trim_clip", json!({"targets": "Verse", "start_s": 0, "end_s": 2.5})),
        "Trim Verse, end from 0:04.000 to 0:02.500"
    );
    assert_eq!(
        said("cmd_trim_clip", json!({"targets": ["Verse", "Riff"], "end_s": 3})),
        "Trim Verse and Riff, end to 0:03.000"
    );
    assert_eq!(
        said("cmd_set_clip_fades", json!({"targets": "Verse", "fade_in_ms": 10})),
        "Fade Verse, in 10 ms"
    );
}

#[test]
fn clips_are_split_and_faded() {
    let mut desk = desk();
    run(&mut desk, "cmd_split_clip", json!({"targets": ["Voice", "Riff"], "at_s": 3}));
    assert_eq!(desk.session.clips.values().filter(|clip| clip.name == "Riff").count(), 2);
    assert!(
        desk.refusal("cmd_split_clip", json!({"targets": "Verse", "at_s": 5})).contains("0:05.000")
    );
    let long = json!({"targets": "Verse", "fade_in_ms": 9000});
    assert!(desk.refusal("cmd_set_clip_fades", long).contains("longer than the clip"));
}

#[test]
fn a_ripple_of_tracks_without_a_group_leaves_none_behind() {
    let mut desk = desk();
    let before = desk.session.clone();
    let params =
        json!({"targets": "Voice", "start_s": 3, "end_s": 7, "crossfade_ms": 0, "sync": "named"});
    let ops = ["set_group", "ripple_delete", "set_group"];
    assert_eq!(run(&mut desk, "cmd_ripple_delete", params), ops);
    assert_eq!(desk.session.groups, before.groups);
    assert_eq!(clip(&desk, "Chorus").position, Frames(3 * SECOND));
    let riff = before.clips.values().find(|it| it.name == "Riff").unwrap();
    assert_eq!(clip(&desk, "Riff"), riff, "the other track stays");
    let params = json!({"targets": "Voice", "at_s": 3, "length_s": 4, "sync": "named"});
    run(&mut desk, "cmd_ripple_insert", params);
    assert_eq!(clip(&desk, "Chorus").position, Frames(7 * SECOND));
}

#[test]
fn a_ripple_of_all_tracks_moves_groups_and_tracks_beside_them() {
    let mut desk = desk();
    run(&mut desk, "cmd_set_group", json!({"name": "Voices", "targets": ["Voice"]}));
    let params = json!({"targets": "all", "start_s": 3, "end_s": 3.5, "crossfade_ms": 0});
    let draft = desk.plan("cmd_ripple_delete", params);
    assert!(draft.summary.contains("\"Voices\", \"Guitar\""), "{}", draft.summary);
    desk.apply(&draft);
    assert_eq!(clip(&desk, "Chorus").position.0, 11 * SECOND / 2);
    let behind = |it: &deskhand_session::Clip| it.position.0 == 3 * SECOND;
    assert!(desk.session.clips.values().any(behind), "the guitar closed up too");
}

#[test]
fn a_ripple_moves_the_whole_group() {
    let mut desk = desk();
    let params = json!({"targets": "Voice", "start_s": 3, "end_s": 7, "crossfade_ms": 0});
    run(&mut desk, "cmd_set_group", json!({"name": "Band", "targets": ["Voice", "Guitar"]}));
    let draft = desk.plan("cmd_ripple_delete", params);
    assert_eq!(draft.warnings, Vec::<String>::new(), "who grouped them knows");
    desk.apply(&draft);
    assert_eq!(clip(&desk, "Chorus").position, Frames(3 * SECOND));
    assert_eq!(clip(&desk, "Chorus").start, Frames(SECOND));
    assert_eq!(clip(&desk, "Riff").length, Frames(SECOND));
    run(&mut desk, "cmd_ripple_insert", json!({"targets": "Band", "at_s": 3, "length_s": 4}));
    assert_eq!(clip(&desk, "Chorus").position, Frames(7 * SECOND));
    let behind =
        desk.plan("cmd_ripple_delete", json!({"targets": "Band", "start_s": 90, "end_s": 91}));
    assert_eq!(behind.changes, []);
}

#[test]
fn an_edge_that_ripples_moves_what_lies_behind_and_opens_again_what_it_closed() {
    let mut desk = desk();
    run(&mut desk, "cmd_set_group", json!({"name": "Voices", "targets": ["Voice"]}));
    let before = desk.session.clone();
    let closes = json!({"targets": "Verse", "end_s": 2.5, "ripple": true});
    assert_eq!(run(&mut desk, "cmd_trim_clip", closes), ["ripple_delete"]);
    assert_eq!(clip(&desk, "Verse").length.0, 5 * SECOND / 2);
    assert_eq!(clip(&desk, "Chorus").position.0, 9 * SECOND / 2);
    let opens = json!({"targets": "Verse", "end_s": 4, "ripple": true});
    let draft = desk.plan("cmd_trim_clip", opens);
    assert_eq!(draft.summary, "Trim Verse, end from 0:02.500 to 0:04.000 and make room for it");
    assert_eq!(draft.changes[1].needs, [draft.changes[0].id.clone()], "no trim without its room");
    desk.apply(&draft);
    assert_eq!(clip(&desk, "Verse").end().0, 4 * SECOND);
    assert_eq!(
        clip(&desk, "Chorus"),
        before.clips.values().find(|it| it.name == "Chorus").unwrap()
    );
    let starts = json!({"targets": "Chorus", "start_s": 7, "ripple": true});
    run(&mut desk, "cmd_trim_clip", starts);
    let chorus = clip(&desk, "Chorus");
    assert_eq!((chorus.position.0, chorus.start.0), (6 * SECOND, SECOND));
    let again = json!({"targets": "Chorus", "start_s": 5.5, "ripple": true});
    assert_eq!(run(&mut desk, "cmd_trim_clip", again), ["ripple_insert", "trim_clip"]);
    let chorus = clip(&desk, "Chorus");
    assert_eq!(
        (chorus.position.0, chorus.start.0),
        (6 * SECOND, SECOND / 2),
        "it stays at its place"
    );
}

#[test]
fn a_ripple_of_two_edges_or_of_nothing_is_refused() {
    let mut desk = desk();
    let alone = json!({"targets": "Verse", "end_s": 2, "ripple": true, "sync": "named"});
    let ops = desk.plan("cmd_trim_clip", alone).changes;
    assert_eq!(ops.len(), 3, "a track of no group ripples by itself");
    run(&mut desk, "cmd_set_group", json!({"name": "Band", "targets": ["Voice", "Guitar"]}));
    let both = json!({"targets": "Verse", "start_s": 1, "end_s": 2, "ripple": true});
    assert!(desk.refusal("cmd_trim_clip", both).contains("one edge"));
    let apart = json!({"targets": ["Verse", "Riff"], "end_s": 3, "ripple": true});
    assert!(desk.refusal("cmd_trim_clip", apart).contains("different times"));
    let gone = json!({"targets": "Riff", "end_s": 1, "ripple": true});
    assert!(desk.refusal("cmd_trim_clip", gone).contains("nothing of \"Riff\""));
}

#[test]
fn time_that_no_clip_touches_goes_once() {
    for (tool, params) in [
        ("cmd_ripple_delete", json!({"targets": "Voice", "start_s": 4.5, "end_s": 4.75})),
        ("cmd_ripple_insert", json!({"targets": "Voice", "at_s": 4.5, "length_s": 2})),
    ] {
        let mut desk = desk();
        run(&mut desk, "cmd_set_group", json!({"name": "Voices", "targets": ["Voice"]}));
        let draft = desk.plan(tool, params);
        let before = clip(&desk, "Chorus").position;
        desk.apply(&draft);
        assert_ne!(clip(&desk, "Chorus").position, before);
        let again = desk.session.with([&draft.changes[0].change]).unwrap_err();
        assert!(again.to_string().contains("Voices"), "{again}");
    }
}

#[test]
fn the_gain_over_time_of_a_clip_stays_with_its_sound() {
    let mut desk = desk();
    let point = |at: i64, gain: f64| EnvelopePoint {
        position: Frames(at * SECOND),
        gain: Decibels(gain),
        curve: 0.0,
    };
    let drawn = vec![point(0, -3.0), point(2, 3.0)];
    let chorus = desk.session.clips.values_mut().find(|clip| clip.name == "Chorus").unwrap();
    chorus.envelope.clone_from(&drawn);
    run(&mut desk, "cmd_move_clip", json!({"targets": "Chorus", "at_s": 20}));
    run(&mut desk, "cmd_trim_clip", json!({"targets": "Chorus", "start_s": 21, "end_s": 23}));
    assert_eq!(clip(&desk, "Chorus").envelope, drawn);
    run(&mut desk, "cmd_split_clip", json!({"targets": "Chorus", "at_s": 22}));
    let halves = desk.session.clips.values().filter(|clip| clip.position.0 >= 21 * SECOND);
    let halves: Vec<_> = halves.map(|clip| clip.envelope.clone()).collect();
    assert_eq!(halves, [drawn.clone(), drawn]);
}
