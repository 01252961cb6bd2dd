//! Tests of taking a part of a plan on an assembly.

use crate::assembly::tests::{Line, alone, clips_on, ids, interview, plays};
use deskhand_dsp::volume::gain_at;
use deskhand_dsp::{Decibels, EnvelopePoint, Frames};
use deskhand_session::{Assembly, Change, Clip, Marker, MarkerId, PlannedChange};
use deskhand_toolkit::testing::{Desk, RATE, plan_of};
use proptest::prelude::*;
use serde_json::json;

const HOST: [Line; 7] = [
    (0.5, 1.5, "So we went."),
    (2.4, 2.9, "Um."),
    (3.8, 4.8, "To the sea."),
    (7.4, 8.4, "It was cold."),
    (9.2, 9.7, "Um."),
    (10.6, 11.6, "We came back."),
    (14.4, 15.4, "And so we did."),
];
const GUEST: [Line; 2] = [(5.8, 6.6, "Oh dear."), (12.6, 13.4, "And then what?")];
const ALL: [&str; 9] = [
    "So we went.",
    "Um.",
    "To the sea.",
    "Oh dear.",
    "It was cold.",
    "Um.",
    "We came back.",
    "And then what?",
    "And so we did.",
];

/// An edit of two voices, from which two phrases were taken.
fn desk() -> Desk {
    let (mut desk, _) = interview(16.0, &HOST, &GUEST);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    assert_eq!(plays(&desk), ALL);
    let out = ids(&desk, &["To the sea.", "And so we did."]);
    desk.settle("tool_remove_segments", &json!({"group_ids": out}));
    desk
}

fn cuts(changes: &[PlannedChange]) -> Vec<PlannedChange> {
    changes.iter().filter(|planned| planned.change.op() == "ripple_delete").cloned().collect()
}

/// Where each clip on a track begins, and where its audio is from.
fn offsets(desk: &Desk, name: &str) -> Vec<(Frames, Frames)> {
    let clips = clips_on(desk, name).into_iter();
    let mut offsets: Vec<_> =
        clips.map(|(_, clip)| (clip.position, clip.position - clip.start)).collect();
    offsets.sort_unstable();
    offsets
}

/// Checks the pieces on a track: whole ones in sequence, overlapping only by crossfades.
fn assert_no_slivers(desk: &Desk) {
    for name in ["Host (assembly)", "Guest (assembly)"] {
        let mut clips: Vec<Clip> = clips_on(desk, name).into_iter().map(|(_, clip)| clip).collect();
        clips.sort_by_key(|clip| clip.position);
        // A cut that is left in leaves its splits, which nobody hears.
        clips.dedup_by(|next, clip| {
            let goes_on = clip.end() == next.position
                && clip.start + clip.length == next.start
                && clip.source == next.source;
            clip.length += if goes_on { next.length } else { Frames::ZERO };
            goes_on
        });
        let ms = |frames: Frames| frames.seconds(RATE).0 * 1000.0;
        for clip in &clips {
            assert!(ms(clip.length) > 60.0, "{}: {} ms", clip.name, ms(clip.length));
        }
        for pair in clips.windows(2) {
            let over = ms(pair[0].end() - pair[1].position);
            assert!(over <= 10.0, "{} lies {over} ms over {}", pair[0].name, pair[1].name);
        }
    }
}

/// Everything that was taken out comes back to where it was said.
fn put_back(desk: &mut Desk) {
    let removed = desk.session.assembly.removed.clone();
    desk.settle("tool_restore_segments", &json!({"group_ids": removed}));
    assert_eq!(plays(desk), ALL);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn any_part_leaves_the_edit_whole(taken in prop::collection::vec(any::<bool>(), 12), finished: bool) {
        let mut desk = desk();
        desk.session.assembly.finished = finished.then(|| "Done.".to_owned());
        let params = json!({"targets": "all", "fillers": true, "pauses_longer_than_s": 0.4, "pause_to_s": 0.2});
        let draft = desk.plan("tool_tighten", params);
        let all = cuts(&draft.changes);
        prop_assert!(all.len() >= 4, "{draft:?}");
        let ums = all.iter().filter(|cut| cut.reason.contains("Um."));
        prop_assert_eq!(ums.count(), 2);
        let only = all.iter().zip(&taken).filter(|(_, taken)| **taken);
        let only: Vec<String> = only.map(|(cut, _)| cut.id.clone()).collect();
        let closure = plan_of(&draft.changes).closure(&only).unwrap();
        let part: Vec<Change> = draft
            .changes
            .iter()
            .filter(|planned| closure.contains(&planned.id))
            .map(|planned| planned.change.clone())
            .collect();
        let before = desk.session.clone();
        desk.session = before.with(&part).unwrap();
        let back: Vec<Change> = part.iter().rev().cloned().map(Change::inverse).collect();
        prop_assert_eq!(&desk.session.with(&back).unwrap(), &before);
        // Everything that does not play was cut or removed before.
        let gone = all.iter().filter(|cut| cut.reason.contains("Um.") && closure.contains(&cut.id)).count();
        let Assembly { order, removed, .. } = &desk.session.assembly;
        prop_assert_eq!((order.len(), removed.len()), (ALL.len() - 2 - gone, 2 + gone));
        prop_assert_eq!(desk.session.markers.len(), 2 + gone);
        let end = |desk: &Desk| desk.session.clips.values().map(Clip::end).max().unwrap();
        prop_assert!(desk.session.markers.values().all(|marker| marker.position <= end(&desk)));
        prop_assert_eq!(offsets(&desk, "Host (assembly)"), offsets(&desk, "Guest (assembly)"));
        assert_no_slivers(&desk);
        put_back(&mut desk);
    }
}

#[test]
fn a_marker_stays_ahead_of_what_it_stood_ahead_of() {
    let mut desk = desk();
    let draft = desk.plan("tool_tighten", json!({"targets": "all", "fillers": true}));
    let first = cuts(&draft.changes).pop().unwrap();
    let closure = plan_of(&draft.changes).closure(&[first.id]).unwrap();
    let part = draft.changes.iter().filter(|planned| closure.contains(&planned.id));
    desk.session = desk.session.with(part.map(|planned| &planned.change)).unwrap();
    let marked = |desk: &Desk, text: &str| {
        let mut all = desk.session.markers.values();
        all.find(|marker| marker.name.ends_with(text)).unwrap().position
    };
    let host = clips_on(&desk, "Host (assembly)").into_iter();
    let starts = host.filter(|(_, clip)| clip.name == "Oh dear.").map(|(_, clip)| clip.position);
    assert_eq!(marked(&desk, "To the sea."), starts.min().unwrap());
    assert!(marked(&desk, "Um.") < marked(&desk, "To the sea."));
}

#[test]
fn a_cut_over_the_border_of_two_phrases_gets_no_second_crossfade() {
    let (mut desk, _) = interview(16.0, &HOST, &GUEST);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let params = json!({"targets": "all", "pauses_longer_than_s": 0.4, "pause_to_s": 0.2});
    desk.settle_once("tool_tighten", params);
    let host = |desk: &Desk| -> Vec<_> {
        clips_on(desk, "Host (assembly)")
            .into_iter()
            .map(|(_, clip)| (clip.position, clip.length))
            .collect()
    };
    let before = host(&desk);
    // A step on the last phrase alone.
    let last = ids(&desk, &["And so we did."]);
    let draft = desk.plan("tool_remove_segments", json!({"group_ids": last}));
    desk.apply(&draft);
    let after = host(&desk);
    let kept = after.iter().filter(|place| before.contains(place)).count();
    assert_eq!(kept, after.len(), "nothing ahead of it moves: {after:?} {before:?}");
}

#[test]
fn phrases_of_tracks_without_a_group_close_up_together() {
    let (mut desk, _) = interview(16.0, &HOST, &GUEST);
    desk.session.groups.clear();
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let order = |desk: &Desk| {
        let names = ["Host (assembly)", "Guest (assembly)"];
        let all = names.iter().flat_map(|name| clips_on(desk, name));
        let mut all: Vec<_> = all.collect();
        all.sort_by_key(|(_, clip)| (clip.position, clip.end()));
        let mut names: Vec<String> = all.into_iter().map(|(_, clip)| clip.name).collect();
        names.dedup();
        names
    };
    let before = order(&desk);
    let draft = desk.plan("tool_tighten", json!({"targets": "all", "pauses_longer_than_s": 0.4}));
    desk.apply(&draft);
    assert!(desk.session.groups.is_empty(), "the group was for the step alone");
    assert_eq!(order(&desk), before);
    let voices = desk.session.clips.values().filter(|clip| clip.position > Frames::ZERO);
    assert!(voices.count() > before.len());
}

#[test]
fn what_little_is_left_of_a_phrase_goes_with_the_filler_beside_it() {
    let said =
        [(0.5, 1.5, "So we went."), (2.0, 3.5, "To the sea, um."), (3.75, 5.0, "It was cold.")];
    let mut desk = alone(6.0, &said);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let before = clips_on(&desk, "Voice (assembly)").len();
    let draft = desk.settle_once("tool_tighten", json!({"targets": "all", "fillers": true}));
    assert_eq!(cuts(&draft.changes).len(), 1, "{draft:?}");
    let clips = clips_on(&desk, "Voice (assembly)");
    assert_eq!(clips.len(), before, "the phrase is one clip still: {clips:?}");
}

#[test]
fn gain_over_time_and_markers_stay_with_what_is_said_whichever_cuts_are_taken() {
    let (mut desk, tracks) = interview(16.0, &HOST, &GUEST);
    let at = |seconds: f64| Frames((seconds * f64::from(RATE.0)) as i64);
    let point =
        |s: f64, gain: f64| EnvelopePoint { position: at(s), gain: Decibels(gain), curve: 0.0 };
    let line = vec![point(1.0, -12.0), point(11.0, 0.0), point(14.8, -3.0), point(15.2, 0.0)];
    for track in tracks {
        desk.session.tracks.get_mut(&track).unwrap().envelope.clone_from(&line);
    }
    for (number, (from, to)) in (1..).zip([(2.6, 2.6), (1.0, 15.0), (14.5, 15.0), (2.6, 12.8)]) {
        let (position, length) = (at(from), at(to) - at(from));
        let marker = Marker { name: "Part".into(), position, length, code: None };
        desk.session.markers.insert(MarkerId::new(number), marker);
    }
    let draft = desk.plan("tool_tighten", json!({"targets": "Host"}));
    let (plan, all) = (plan_of(&draft.changes), cuts(&draft.changes));
    assert!(all.len() > 1, "{all:#?}");
    for cut in &all {
        let taken = plan.closure(std::slice::from_ref(&cut.id)).unwrap();
        let part = draft.changes.iter().filter(|it| taken.contains(&it.id)).map(|it| &it.change);
        assert!(desk.session.with(part).is_ok(), "{} alone", cut.reason);
    }
    let gone = all.iter().map(|planned| match &planned.change {
        Change::RippleDelete(edit) if edit.before.at < at(14.4) => edit.before.length.0,
        _ => 0,
    });
    let gone = Frames(gone.sum());
    desk.apply(&draft);
    let markers = &desk.session.markers;
    assert_eq!(markers[&MarkerId::new(3)].position, at(14.5) - gone);
    assert_eq!(markers[&MarkerId::new(2)].length, at(15.0) - at(1.0) - gone);
    let now = &desk.session.tracks[&tracks[0]].envelope;
    for (then, moved) in [(at(1.2), at(1.2)), (at(14.9), at(14.9) - gone)] {
        let [was, is] = [gain_at(&line, then).0, gain_at(now, moved).0];
        assert!((was - is).abs() < 1e-6, "{then:?}: {was} and {is} dB");
    }
}
