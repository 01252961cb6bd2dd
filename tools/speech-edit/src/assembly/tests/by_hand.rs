//! Cuts and removals on the timeline itself: every phrase stays accounted for by its remaining clips.

use super::properties::{Act, LINES, Steps, accounted, acts, assembled};
use super::{Line, alone, clips_on, ids, interview, phrase, plays, recording, written};
use deskhand_dsp::Frames;
use deskhand_edit::assembly::block::standing;
use deskhand_edit::assembly::tracks;
use deskhand_session::{Change, PhraseId, Track};
use deskhand_toolkit::testing::{Desk, RATE, SECOND};
use proptest::prelude::*;
use serde_json::{Value, json};

const STORY: [Line; 4] = [
    (0.5, 2.5, "There was a fox."),
    (3.0, 4.0, "It was red."),
    (7.0, 8.0, "It ran."),
    (9.5, 10.5, "Far away."),
];

fn story() -> Desk {
    let mut desk = alone(12.0, &STORY);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    desk
}

/// From a time in the recording to the time on the timeline where the edit as it was found plays it, in s.
fn heard(desk: &Desk, name: &str, at: f64) -> f64 {
    let clips = clips_on(desk, "Voice (assembly)");
    let clip = &clips.iter().find(|(_, clip)| clip.name == name).unwrap().1;
    at + (clip.position - clip.start).seconds(RATE).0
}

fn standing_phrases(desk: &Desk) -> Vec<PhraseId> {
    standing(&desk.session).iter().map(|placed| placed.block.phrase).collect()
}

fn is_whole(desk: &Desk) {
    accounted(&desk.session);
    assert_eq!(standing_phrases(desk), desk.session.assembly.order);
}

#[test]
fn a_phrase_whose_clip_is_removed_by_hand_is_a_removed_one_and_comes_back() {
    let mut desk = story();
    let (clip, red) = clips_on(&desk, "Voice (assembly)").remove(1);
    let draft = desk.settle_once("cmd_remove_clip", json!({"targets": [clip]}));
    is_whole(&desk);
    assert_eq!(plays(&desk), ["There was a fox.", "It ran.", "Far away."]);
    assert_eq!(desk.session.assembly.removed, [phrase(&desk, "It was red.")]);
    let marker = desk.session.markers.values().next().unwrap();
    assert_eq!((marker.name.as_str(), marker.position), ("removed: It was red.", red.position));
    assert!(draft.changes.iter().all(|planned| planned.needs.len() == 1), "all or nothing");
    let back = json!({"group_ids": ids(&desk, &["It was red."])});
    desk.settle_once("tool_restore_segments", back);
    is_whole(&desk);
    assert_eq!(plays(&desk), STORY.map(|(_, _, text)| text));
    assert!(desk.session.markers.is_empty());
}

#[test]
fn a_phrase_over_which_time_is_deleted_is_a_removed_one_and_markers_go_along() {
    let mut desk = story();
    desk.settle("tool_remove_segments", &json!({"group_ids": ids(&desk, &["It ran."])}));
    desk.settle_once("cmd_finish", json!({"summary": "Done."}));
    let before = desk.session.clone();
    let at = |second: f64| heard(&desk, "It was red.", second);
    let words = json!({"targets": "Voice (assembly)", "start_s": at(3.0), "end_s": at(4.0)});
    let draft = desk.settle_once("cmd_ripple_delete", words);
    is_whole(&desk);
    assert_eq!(plays(&desk), ["There was a fox.", "Far away."]);
    assert_eq!(desk.session.assembly.finished, None);
    let far = clips_on(&desk, "Voice (assembly)").into_iter().find(|it| it.1.name == "Far away.");
    let mut marks: Vec<_> = desk.session.markers.values().collect();
    marks.sort_by_key(|marker| marker.position);
    let names: Vec<&str> = marks.iter().map(|marker| marker.name.as_str()).collect();
    assert_eq!(names, ["removed: It was red.", "removed: It ran."]);
    assert_eq!(Some(marks[1].position), far.map(|(_, clip)| clip.position), "still ahead of it");
    let changes: Vec<_> = draft.changes.iter().map(|planned| planned.change.clone()).collect();
    let back = deskhand_session::apply::inverses(&changes);
    assert_eq!(desk.session.with(&back).unwrap(), before);
    let all = json!({"group_ids": ids(&desk, &["It was red.", "It ran."])});
    desk.settle_once("tool_restore_segments", all);
    is_whole(&desk);
    assert_eq!(plays(&desk), STORY.map(|(_, _, text)| text));
}

#[test]
fn markers_go_along_where_what_lies_behind_a_trimmed_edge_follows_it() {
    let mut desk = story();
    desk.settle("tool_remove_segments", &json!({"group_ids": ids(&desk, &["It ran."])}));
    let (fox, clip) = clips_on(&desk, "Voice (assembly)").remove(0);
    let end = clip.end().seconds(RATE).0 - 0.2;
    desk.settle_once("cmd_trim_clip", json!({"targets": [fox], "end_s": end, "ripple": true}));
    is_whole(&desk);
    let far = clips_on(&desk, "Voice (assembly)").pop().unwrap().1;
    let marker = desk.session.markers.values().next().unwrap();
    assert_eq!((far.name.as_str(), far.position), ("Far away.", marker.position));
}

/// The place of the only marker, before "Far away.".
fn stands_ahead(desk: &Desk, track: &str) -> Frames {
    let far = clips_on(desk, track).into_iter().find(|(_, clip)| clip.name == "Far away.");
    let markers: Vec<Frames> = desk.session.markers.values().map(|it| it.position).collect();
    assert_eq!(markers, [far.unwrap().1.position]);
    markers[0]
}

#[test]
fn a_marker_inside_of_what_a_trimmed_edge_closes_stands_where_it_begins() {
    let mut desk = story();
    desk.settle("tool_remove_segments", &json!({"group_ids": ids(&desk, &["It ran."])}));
    let (fox, clip) = clips_on(&desk, "Voice (assembly)").remove(0);
    let marker = desk.session.markers.values_mut().next().unwrap();
    marker.position = clip.end() - Frames(4_800);
    let end = (clip.end() - Frames(9_600)).seconds(RATE).0;
    desk.settle_once("cmd_trim_clip", json!({"targets": [fox], "end_s": end, "ripple": true}));
    let marker = desk.session.markers.values().next().unwrap();
    assert_eq!(marker.position, clip.end() - Frames(9_600));
}

#[test]
fn markers_go_along_where_time_is_opened() {
    let mut desk = story();
    desk.settle("tool_remove_segments", &json!({"group_ids": ids(&desk, &["It ran."])}));
    let (track, begun) = ("Voice (assembly)", desk.session.clone());
    let at = stands_ahead(&desk, track);
    let into = heard(&desk, "It was red.", 3.5);
    let insert = json!({"targets": track, "at_s": into, "length_s": 1.0});
    let draft = desk.settle_once("cmd_ripple_insert", insert);
    assert_eq!(stands_ahead(&desk, track), at + Frames(SECOND));
    let changes: Vec<_> = draft.changes.iter().map(|planned| planned.change.clone()).collect();
    let back = deskhand_session::apply::inverses(&changes);
    assert_eq!(desk.session.with(&back).unwrap(), begun);
    let far = clips_on(&desk, track).pop().unwrap();
    let earlier = (far.1.position - Frames(4_800)).seconds(RATE).0;
    let opens = json!({"targets": [far.0], "start_s": earlier, "ripple": true});
    desk.settle_once("cmd_trim_clip", opens);
    assert_eq!(stands_ahead(&desk, track), far.1.position, "the clip stays where it is");
}

#[test]
fn markers_go_along_once_where_two_groups_of_an_assembly_close_up() {
    let (mut desk, _) = interview(12.0, &STORY[..2], &STORY[2..]);
    let lines: [Line; 2] = [(0.5, 2.0, "We begin here."), (3.0, 4.5, "And so we end.")];
    let voice = desk.track(Track::audio("Voice"));
    let clip = desk.clip(voice, "Voice", 0, recording(6.0, &lines, 440.0));
    let source = desk.session.clips[&clip].source;
    written(&mut desk, source, "Voice", &lines);
    desk.settle_once("tool_find_phrases", json!({"targets": "all"}));
    desk.settle_once("tool_remove_segments", json!({"group_ids": ids(&desk, &["It ran."])}));
    let at = stands_ahead(&desk, "Guest (assembly)");
    let both = ["Host (assembly)", "Voice (assembly)"];
    let time = json!({"targets": both, "start_s": 0.5, "end_s": 0.7});
    let draft = desk.settle_once("cmd_ripple_delete", time);
    let ripples = draft.changes.iter().filter(|it| matches!(it.change, Change::RippleDelete(_)));
    assert_eq!(ripples.count(), 2);
    let moved = Frames(SECOND / 5);
    assert_eq!(stands_ahead(&desk, "Guest (assembly)"), at - moved);
}

#[test]
fn what_is_left_of_a_phrase_whose_beginning_is_removed_stays_its_own() {
    let mut desk = story();
    let params = json!({
        "targets": "Voice (assembly)", "start_s": 0.0, "end_s": heard(&desk, "There was a fox.", 1.5),
    });
    desk.settle_once("cmd_remove_clip", params);
    is_whole(&desk);
    assert_eq!(plays(&desk).len(), 4, "half of it is there");
    let order = ["It was red.", "It ran.", "Far away.", "There was a fox."];
    let params = json!({"ordered_group_ids": ids(&desk, &order)});
    desk.settle_once("tool_reorder_segments", params);
    is_whole(&desk);
    let last = clips_on(&desk, "Voice (assembly)").pop().unwrap().1;
    assert_eq!(last.name, "There was a fox.");
}

#[test]
fn phrases_of_a_track_that_is_removed_do_not_play() {
    let mut desk = story();
    desk.settle_once("cmd_remove_track", json!({"targets": "Voice (assembly)"}));
    is_whole(&desk);
    assert!(desk.session.assembly.order.is_empty());
    let told = desk.refusal("tool_export_assembly", json!({"path": "a.srt"}));
    assert!(told.starts_with("nothing is in the edit"), "{told}");
}

#[test]
fn phrases_play_on_where_their_original_is_removed() {
    let mut desk = story();
    let order = desk.session.assembly.order.clone();
    desk.settle_once("cmd_remove_track", json!({"targets": "Voice"}));
    assert_eq!(desk.session.tracks.len(), 1);
    assert_eq!(clips_on(&desk, "Voice (assembly)").len(), STORY.len());
    assert_eq!(desk.session.assembly.order, order);
    assert!(desk.session.markers.is_empty());
}

/// An action: a step, or an edit of the assembly tracks.
#[derive(Clone, Debug)]
enum Hand {
    Step(Act),
    /// One clip is removed.
    Clip(usize),
    /// Removes or closes this many seconds from a part of the edit on, in 1.
    Remove(f64, f64),
    Close(f64, f64),
}

fn hands() -> impl Strategy<Value = Vec<Hand>> {
    let hand = prop_oneof![
        (0usize..64).prop_map(Hand::Clip),
        (0.0..1.0f64, 0.1..2.0f64).prop_map(|(at, length)| Hand::Remove(at, length)),
        (0.0..1.0f64, 0.1..2.0f64).prop_map(|(at, length)| Hand::Close(at, length)),
    ];
    (acts(), prop::collection::vec(hand, 9)).prop_map(|(acts, hands)| {
        let pairs = acts.into_iter().zip(hands);
        pairs.flat_map(|(act, hand)| [hand, Hand::Step(act)]).collect()
    })
}

/// The call of a hand, where there is something to be taken.
fn call(desk: &Desk, hand: &Hand) -> Option<(&'static str, Value)> {
    let on = tracks(&desk.session);
    let clips = on.iter().flat_map(|track| desk.session.clips_on(*track));
    let clips: Vec<_> = clips.map(|(id, clip)| (id, clip.end())).collect();
    let end = clips.iter().map(|(_, end)| *end).max()?.seconds(RATE).0;
    let stretch = |at: f64, length: f64| json!({"targets": on, "start_s": at * end, "end_s": at * end + length});
    Some(match hand {
        Hand::Clip(number) => {
            ("cmd_remove_clip", json!({"targets": [clips[number % clips.len()].0]}))
        }
        Hand::Remove(at, length) => ("cmd_remove_clip", stretch(*at, *length)),
        Hand::Close(at, length) => ("cmd_ripple_delete", stretch(*at, *length)),
        Hand::Step(_) => return None,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_phrase_is_accounted_for_by_its_clips(hands in hands()) {
        let mut desk = assembled(&LINES[..5], &LINES[5..]);
        let begun = desk.session.clone();
        let mut steps = Steps::default();
        for hand in &hands {
            // A stretch may lie in a gap, where there is nothing to be taken.
            let draft = call(&desk, hand).and_then(|(tool, params)| desk.call(tool, params).ok());
            match (hand, draft) {
                (Hand::Step(act), _) => steps.act(&mut desk, act),
                (_, Some(draft)) => steps.take(&mut desk, &draft),
                (_, None) => {}
            }
            is_whole(&desk);
        }
        steps.undo_all(&mut desk);
        prop_assert_eq!(desk.session, begun);
    }
}
