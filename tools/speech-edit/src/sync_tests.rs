//! Whatever closes or opens time, all tracks of a set stay in sync to the sample: pips that lay at one time do so still.

use crate::assembly::tests::{Line, recording, track, written};
use deskhand_dsp::Frames;
use deskhand_edit::group_offer;
use deskhand_edit::sync::{Sync, Why, sets};
use deskhand_session::apply::inverses;
use deskhand_session::{OfferStep, PhraseId, Session, Track, TrackId};
use deskhand_toolkit::testing::{Desk, SECOND, joined, noise, tone};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Frames from one pip to the next.
const EVERY: usize = 2_400;
/// The length of a session, in slots of half a second; somebody may speak in each.
const SLOTS: usize = 20;

/// What two microphones are to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Relation {
    Group,
    Recorded,
    Nothing,
}

/// An edit of the time of a session; numbers choose tracks, places and phrases.
#[derive(Clone, Debug)]
enum Act {
    Delete(usize, f64, f64),
    Insert(usize, f64, f64),
    Trim(usize, f64, bool),
    Strip(usize, bool),
    Tighten(usize),
    Find,
    Cut(usize),
    Restore(usize),
    Remove(usize),
    Reorder(Vec<usize>),
}

/// A host and a guest who speak in some slots, and longer music.
fn desk(relation: Relation, slots: &[u8]) -> Desk {
    let mut desk = Desk::new(crate::testing::tools());
    let line = |(slot, says): (usize, &'static str)| -> Line {
        let at = slot as f64 / 2.0;
        (at + 0.02, at + 0.45, says)
    };
    let said = |who: u8| -> Vec<Line> {
        let own = slots.iter().enumerate().filter(|(_, speaks)| **speaks & who != 0);
        own.map(|(slot, speaks)| line((slot, if speaks & 4 == 0 { "Well said." } else { "Um." })))
            .collect()
    };
    let shorter = if relation == Relation::Nothing { 3.0 } else { 0.0 };
    let (host, guest) = (said(1), said(2));
    let whole = SLOTS as f64 / 2.0 + 4.0;
    for (name, lines, seconds) in [("Host", host, whole), ("Guest", guest, whole - shorter)] {
        let track = desk.track(Track::audio(name));
        let clip = desk.clip(track, name, 0, recording(seconds, &lines, 220.0));
        let source = desk.session.clips[&clip].source;
        written(&mut desk, source, name, &lines);
    }
    let music = desk.track(Track::audio("Music"));
    desk.clip(
        music,
        "Music",
        0,
        joined(&[noise(-70.0, 3.0), tone(300.0, -20.0, 1.0), noise(-70.0, 20.0)]),
    );
    if relation == Relation::Group {
        let group = json!({"name": "Talk", "targets": ["Host", "Guest"]});
        desk.apply(&desk.plan("cmd_set_group", group));
    }
    desk
}

/// The call of an act; `None` if the session has nothing for it.
fn call(session: &Session, act: &Act) -> Option<(&'static str, Value)> {
    let tracks: Vec<TrackId> = session.track_order.clone();
    let on = |number: usize| tracks[number % tracks.len()].to_string();
    let phrases = &session.assembly.order;
    Some(match act {
        Act::Delete(number, at, length) => (
            "cmd_ripple_delete",
            json!({"targets": on(*number), "start_s": at, "end_s": at + length}),
        ),
        Act::Insert(number, at, length) => {
            ("cmd_ripple_insert", json!({"targets": on(*number), "at_s": at, "length_s": length}))
        }
        Act::Trim(number, share, is_start) => {
            let (id, clip) = session.clips.iter().nth(number % session.clips.len())?;
            let at = clip.position.0 as f64 + clip.length.0 as f64 * share;
            let edge = if *is_start { "start_s" } else { "end_s" };
            ("cmd_trim_clip", json!({"targets": id, edge: at / SECOND as f64, "ripple": true}))
        }
        Act::Strip(number, closes) => {
            let params =
                json!({"targets": on(*number), "close_gaps": closes, "min_silence_ms": 200});
            ("tool_strip_silence", params)
        }
        Act::Tighten(number) => {
            let params = json!({"targets": on(*number), "fillers": true, "pauses_longer_than_s": 0.3, "pause_to_s": 0.2});
            ("tool_tighten", params)
        }
        Act::Find => ("tool_find_phrases", json!({"targets": ["Host", "Guest"]})),
        Act::Cut(number) => cut(session, *number)?,
        Act::Restore(number) => {
            let id = session.segments.keys().nth(number % session.segments.len().max(1))?;
            ("cmd_restore_words", json!({"segment_id": id}))
        }
        Act::Remove(number) => {
            let id = phrases.get(number % phrases.len().max(1))?;
            ("tool_remove_segments", json!({"group_ids": [id]}))
        }
        Act::Reorder(keys) => {
            ("tool_reorder_segments", json!({"ordered_group_ids": in_order(phrases, keys)}))
        }
    })
}

/// A phrase of a transcript is cut out of a track that plays it, and the rest moves up.
fn cut(session: &Session, number: usize) -> Option<(&'static str, Value)> {
    let segment = session.segments.values().nth(number % session.segments.len().max(1))?;
    let (_, clip) = session.clips.iter().find(|(_, clip)| clip.source == segment.source)?;
    let seconds = |at: Frames| (clip.position + at - clip.start).0 as f64 / SECOND as f64;
    let (start, end) = (seconds(segment.start), seconds(segment.end()));
    let params = json!({"targets": clip.track, "start_s": start, "end_s": end});
    (start >= 0.0).then_some(("cmd_ripple_delete", params))
}

/// Phrases in the order of keys.
fn in_order(phrases: &[PhraseId], keys: &[usize]) -> Vec<PhraseId> {
    let mut order: Vec<_> = phrases.iter().zip(keys.iter().cycle()).enumerate().collect();
    order.sort_by_key(|(place, (_, key))| (**key, *place));
    order.into_iter().map(|(_, (id, _))| *id).collect()
}

/// Where a track plays the pip that was at a time of all recordings.
fn pips(session: &Session, track: TrackId, pip: Frames) -> BTreeSet<Frames> {
    let clips = session.clips_on(track).into_iter().map(|(_, clip)| clip);
    let playing = clips.filter(|clip| clip.start <= pip && pip < clip.start + clip.length);
    playing.map(|clip| clip.position + (pip - clip.start)).collect()
}

/// No pip that two tracks play is at different times on them.
fn in_sync(session: &Session, names: [&str; 2]) -> Result<(), String> {
    let by_name = |name: &str| session.tracks.iter().find(|(_, track)| track.name == name);
    let [Some((first, _)), Some((second, _))] = names.map(by_name) else { return Ok(()) };
    for pip in (37..SLOTS * SECOND as usize).step_by(EVERY).map(Frames::from_index) {
        let (a, b) = (pips(session, *first, pip), pips(session, *second, pip));
        if !a.is_empty() && !b.is_empty() && a.is_disjoint(&b) {
            return Err(format!("{names:?}: the pip at {pip:?} is at {a:?} and {b:?}"));
        }
    }
    Ok(())
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let (number, at) = (0usize..12, 0.0f64..12.0);
    let act = prop_oneof![
        (number.clone(), at.clone(), 0.1f64..2.0)
            .prop_map(|(n, at, long)| Act::Delete(n, at, long)),
        (number.clone(), at, 0.1f64..2.0).prop_map(|(n, at, long)| Act::Insert(n, at, long)),
        (number.clone(), 0.1f64..0.9, any::<bool>())
            .prop_map(|(n, share, start)| Act::Trim(n, share, start)),
        (number.clone(), any::<bool>()).prop_map(|(n, closes)| Act::Strip(n, closes)),
        number.clone().prop_map(Act::Tighten),
        Just(Act::Find),
        number.clone().prop_map(Act::Cut),
        number.clone().prop_map(Act::Restore),
        number.clone().prop_map(Act::Remove),
        prop::collection::vec(0usize..9, 4).prop_map(Act::Reorder),
    ];
    prop::collection::vec(act, 1..6)
}

fn relations() -> impl Strategy<Value = Relation> {
    prop_oneof![Just(Relation::Group), Just(Relation::Recorded), Just(Relation::Nothing)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn all_tracks_of_a_set_stay_in_sync_to_the_sample(
        relation in relations(),
        slots in prop::collection::vec(0u8..8, SLOTS),
        acts in acts(),
    ) {
        let mut desk = desk(relation, &slots);
        for act in &acts {
            let Some((tool, params)) = call(&desk.session, act) else { continue };
            // What finds nothing to work on is refused.
            let Ok(draft) = desk.call(tool, params) else { continue };
            let before = desk.session.clone();
            desk.apply(&draft);
            let changes: Vec<_> = draft.changes.iter().map(|planned| planned.change.clone()).collect();
            prop_assert_eq!(&desk.session.with(&inverses(&changes)).unwrap(), &before);
            let all = [["Host", "Guest"], ["Host", "Music"], ["Guest", "Music"], ["Host (assembly)", "Guest (assembly)"]];
            // The originals of an assembly stay as recorded, whatever plays next to the assembly.
            let own = match relation {
                Relation::Nothing if desk.session.assembly.is_empty() => &all[..3],
                Relation::Nothing => &all[..1],
                Relation::Group | Relation::Recorded => &[all[0], all[3]],
            };
            for names in own {
                let found = in_sync(&desk.session, *names);
                prop_assert!(found.is_ok(), "{act:?}: {}", found.unwrap_err());
            }
        }
    }
}

#[test]
fn pips_that_two_microphones_heard_at_once_stay_at_once() {
    let mut desk = Desk::new(crate::testing::tools());
    // Both hear each pip; the second a room that is louder, so that its silences would be others.
    let heard = |floor: f64| {
        joined(
            &(0..6)
                .flat_map(|n| [tone(220.0, -12.0, 0.2), noise(floor, 1.0 + f64::from(n) / 7.0)])
                .collect::<Vec<_>>(),
        )
    };
    for (name, floor) in [("Host", -70.0), ("Guest", -50.0)] {
        let track = desk.track(Track::audio(name));
        desk.clip(track, name, 0, heard(floor));
    }
    let draft = desk.settle("tool_strip_silence", &json!({"targets": "all", "close_gaps": true}));
    assert!(desk.session.end() < Frames(5 * SECOND), "{}", draft.summary);
    assert_eq!(in_sync(&desk.session, ["Host", "Guest"]), Ok(()));
    assert!(desk.session.groups.is_empty(), "the group was for the step alone");
}

#[test]
fn gaps_that_stay_touch_only_the_tracks_that_are_named() {
    let mut desk = desk(Relation::Group, &[1; SLOTS]);
    let guest = track(&desk, "Guest");
    let before: Vec<_> =
        desk.session.clips_on(guest).into_iter().map(|(_, it)| it.clone()).collect();
    let draft =
        desk.settle("tool_strip_silence", &json!({"targets": "Host", "min_silence_ms": 200}));
    assert!(!draft.changes.is_empty() && draft.warnings.is_empty(), "{:?}", draft.warnings);
    let after: Vec<_> =
        desk.session.clips_on(guest).into_iter().map(|(_, it)| it.clone()).collect();
    assert_eq!(after, before);
}

#[test]
fn the_set_is_the_group_else_what_was_recorded_together_else_all() {
    let found = |relation: Relation, name: &str, sync: Sync| {
        let desk = desk(relation, &[1; SLOTS]);
        let sets = sets(&desk.session, &[track(&desk, name)], sync);
        let [set] = &sets[..] else { panic!("{sets:?}") };
        let names = set.tracks.iter().map(|id| desk.session.name_of((*id).into()));
        (names.collect::<Vec<_>>().join(" "), set.why)
    };
    let (names, why) = found(Relation::Group, "Host", Sync::Set);
    assert!(names == "Host Guest" && matches!(why, Why::Group(_)), "{names} {why:?}");
    assert_eq!(found(Relation::Recorded, "Host", Sync::Set), ("Host Guest".into(), Why::Recorded));
    assert_eq!(found(Relation::Nothing, "Host", Sync::Set), ("Host Guest Music".into(), Why::All));
    assert_eq!(found(Relation::Group, "Music", Sync::Set), ("Host Guest Music".into(), Why::All));
    assert_eq!(found(Relation::Nothing, "Host", Sync::Named), ("Host".into(), Why::Named));
    assert_eq!(
        found(Relation::Group, "Host", Sync::Named).0,
        "Host Guest",
        "a group is never parted"
    );
}

#[test]
fn what_moves_along_is_told_with_the_way_to_move_one_alone() {
    let told = |relation: Relation, more: Value| {
        let mut params = json!({"targets": "Host", "start_s": 3, "end_s": 4});
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        desk(relation, &[1; SLOTS]).plan("cmd_ripple_delete", params).warnings
    };
    let recorded = "\"Guest\" moves along: recorded together with \"Host\".";
    assert_eq!(told(Relation::Recorded, json!({})), [recorded]);
    let all = "\"Guest\", \"Music\" move along, so that all tracks stay in sync.";
    assert_eq!(told(Relation::Nothing, json!({})), [all]);
    let left = "\"Guest\" stays, and will not be in sync with \"Host\" any more.";
    assert_eq!(told(Relation::Recorded, json!({"sync": "named"})), [left]);
}

#[test]
fn where_tracks_would_not_be_in_sync_any_more_a_group_is_offered_and_keeps_them() {
    let mut desk = desk(Relation::Recorded, &[1; SLOTS]);
    let params = json!({"targets": "Host", "start_s": 3, "end_s": 4, "sync": "named"});
    let plan = desk.plan("cmd_ripple_delete", params.clone());
    let [offer] = &plan.offers[..] else { panic!("{:?}", plan.offers) };
    assert_eq!(
        (&offer.warning, offer.label.as_str()),
        (&plan.warnings[0], "Group and keep in sync")
    );
    assert_eq!(offer.params, json!({"name": "Host, Guest", "targets": ["Host", "Guest"]}));
    let group = desk.plan(&offer.tool, offer.params.clone());
    desk.apply(&group);
    let again = desk.plan("cmd_ripple_delete", params);
    assert_eq!((again.warnings, again.offers), (Vec::<String>::new(), Vec::new()), "all move");
    let alike =
        desk.plan("cmd_ripple_delete", json!({"targets": "Host", "start_s": 3, "end_s": 4}));
    assert!(alike.offers.is_empty());
}

#[test]
fn what_moves_along_may_stay_by_the_same_call_for_the_named_tracks() {
    let params = json!({"targets": "Host", "start_s": 3, "end_s": 4});
    let desk = desk(Relation::Recorded, &[1; SLOTS]);
    let plan = desk.plan("cmd_ripple_delete", params.clone());
    let [offer] = &plan.offers[..] else { panic!("{:?}", plan.offers) };
    assert_eq!((&offer.warning, offer.step), (&plan.warnings[0], OfferStep::Instead));
    let alone = offer.clone().of_call("cmd_ripple_delete", &params).params;
    let alone = desk.plan("cmd_ripple_delete", alone);
    assert!(alone.warnings[0].starts_with("\"Guest\" stays"), "{:?}", alone.warnings);
}

#[test]
fn a_group_that_is_offered_is_the_one_that_is_there_or_has_a_name_of_its_own() {
    let mut desk = desk(Relation::Nothing, &[1; SLOTS]);
    let [host, guest, music] = ["Host", "Guest", "Music"].map(|name| track(&desk, name));
    let offered = |desk: &Desk, tracks: &[TrackId]| {
        group_offer(&desk.session, tracks, "w").map(|offer| offer.params)
    };
    let group = |desk: &mut Desk, name: &str, targets: &[&str]| {
        let plan = desk.plan("cmd_set_group", json!({"name": name, "targets": targets}));
        desk.apply(&plan);
    };
    group(&mut desk, "guest, music", &["Host"]);
    let taken = json!({"name": "Guest, Music 2", "targets": ["Guest", "Music"]});
    assert_eq!(offered(&desk, &[guest, music]), Some(taken));
    let joined = json!({"name": "guest, music", "targets": ["Host", "Guest"]});
    assert_eq!(offered(&desk, &[guest, host]), Some(joined), "it joins the group of the other");
    group(&mut desk, "Other", &["Guest"]);
    assert_eq!(offered(&desk, &[guest, host]), None, "they are of two groups");
}
