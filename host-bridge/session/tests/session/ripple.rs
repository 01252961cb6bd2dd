//! Time that is cut from, or put into, a group: its tracks stay in sync to the frame.

use crate::build::{Dice, base, change};
use deskhand_dsp::volume::gain_at;
use deskhand_dsp::{Decibels, EnvelopePoint, Frames};
use deskhand_session::change::Edit;
use deskhand_session::*;
use proptest::prelude::*;

/// What sounds on a track at a frame: each source with its frame, sorted.
fn sounding(session: &Session, track: TrackId, at: Frames) -> Vec<(SourceId, Frames, String)> {
    let clips = session.clips_on(track).into_iter().map(|(_, clip)| clip);
    let there = clips.filter(|clip| clip.position <= at && at < clip.end());
    let mut there: Vec<_> = there
        .map(|clip| (clip.source, clip.start + (at - clip.position), format!("{:?}", clip.gain)))
        .collect();
    there.sort();
    there
}

/// Frames where something could change, and their neighbors.
fn edges(session: &Session, ripple: &Ripple) -> Vec<Frames> {
    let ends = session.clips.values().flat_map(|clip| [clip.position, clip.end()]);
    let all = ends.chain([Frames::ZERO, ripple.at, ripple.end()]);
    all.flat_map(|at| [at - Frames(1), at, at + Frames(1)]).filter(|at| at.0 >= 0).collect()
}

fn check_sync(before: &Session, after: &Session, edit: &Edit<GroupId, Ripple>) {
    let (at, gone, new) = (edit.before.at, edit.before.length, edit.after.length);
    for track in before.tracks.keys() {
        for frame in edges(before, &edit.before) {
            let member = edit.before.tracks.contains(track);
            if !member || frame < at {
                assert_eq!(sounding(before, *track, frame), sounding(after, *track, frame));
            } else if frame >= at + gone {
                let moved = frame - gone + new;
                assert_eq!(sounding(before, *track, frame), sounding(after, *track, moved));
            }
        }
        for inside in [at, at + Frames(new.0 / 2), at + new - Frames(1)] {
            if edit.before.tracks.contains(track) && inside >= at && inside < at + new {
                assert_eq!(sounding(after, *track, inside), []);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn groups_stay_in_sync(seed: u64, dice: u64, delete: bool) {
        let session = base(seed);
        let op = if delete { "ripple_delete" } else { "ripple_insert" };
        let Some(change) = change(&session, op, &mut Dice(dice)) else { return Ok(()) };
        let after = session.with([&change]).unwrap();
        let (Change::RippleDelete(edit) | Change::RippleInsert(edit)) = &change else {
            return Err(TestCaseError::fail("not a ripple"));
        };
        check_sync(&session, &after, edit);
        prop_assert_eq!(after.with([&change.clone().inverse()]), Ok(session));
    }
}

/// Ripples as tools make them, of a group of the session.
fn ripple_now(session: &Session, at: i64, length: i64, delete: bool) -> Option<Change> {
    let (group, members) = session.groups.first_key_value()?;
    let mut id = 1000;
    let new_id = || {
        id += 1;
        ClipId::new(id)
    };
    let (at, length) = (Frames(at), Frames(length));
    Some(if delete {
        let before = Ripple::now(session, &members.tracks, at, length);
        let after = before.closed(new_id);
        Change::RippleDelete(Edit::new(*group, before, after))
    } else {
        let before = Ripple::now(session, &members.tracks, at, Frames::ZERO);
        let after = before.opened(length, new_id);
        Change::RippleInsert(Edit::new(*group, before, after))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn time_is_taken_or_put_in_once(seed: u64, at in 0i64..6000, length in 1i64..900, delete: bool) {
        let session = base(seed);
        let Some(change) = ripple_now(&session, at, length, delete) else { return Ok(()) };
        let after = session.with([&change]).unwrap();
        let (Change::RippleDelete(edit) | Change::RippleInsert(edit)) = &change else {
            return Err(TestCaseError::fail("not a ripple"));
        };
        check_sync(&session, &after, edit);
        prop_assert_eq!(after.with([&change.clone().inverse()]), Ok(session.clone()));
        let again = after.with([&change]);
        if after == session {
            prop_assert!(edit.before.clips.is_empty(), "nothing is there to move");
        } else {
            prop_assert!(matches!(again, Err(ApplyError::Conflict(_))), "{:?}", change);
        }
    }
}

#[test]
fn a_clip_that_was_added_meanwhile_is_a_conflict() {
    let mut checked = 0;
    for seed in 0..30 {
        let session = base(seed);
        let Some(change) = change(&session, "ripple_delete", &mut Dice(seed)) else {
            continue;
        };
        let Change::RippleDelete(edit) = &change else { panic!("{change:?}") };
        let Some((_, clip)) = edit.before.clips.first_key_value() else {
            continue;
        };
        let more = Change::AddClip(Edit::create(ClipId::new(77), clip.clone()));
        let error = session.with([&more, &change]).unwrap_err();
        assert!(matches!(error, ApplyError::Conflict(_)), "{error}");
        checked += 1;
    }
    assert!(checked > 3, "{checked}");
}

/// A session with a group, a playing phrase, and markers before, inside and after 100 to 150.
fn with_phrase() -> (Session, GroupId, PhraseId, [MarkerId; 3]) {
    let mut session = base(3);
    let group = GroupId::new(1);
    let track = *session.tracks.keys().next().unwrap();
    session.groups = [(group, Group { name: "Talk".into(), tracks: vec![track] })].into();
    session.clips.clear();
    let source = *session.sources.keys().next().unwrap();
    let segment = Segment::new(source, Frames(0), Frames(1));
    session.segments.insert(SegmentId::new(1), segment);
    let [first, second] = [1, 2].map(PhraseId::new);
    for id in [first, second] {
        session.phrases.insert(id, Phrase { segments: vec![SegmentId::new(1)] });
    }
    session.assembly = Assembly { order: vec![first, second], ..Assembly::default() };
    let markers = [1, 2, 3].map(MarkerId::new);
    for (id, at) in markers.iter().zip([90, 120, 150]) {
        let (name, position) = ("removed".into(), Frames(at));
        let marker = Marker { name, position, length: Frames::ZERO, code: None };
        session.markers.insert(*id, marker);
    }
    (session, group, first, markers)
}

#[test]
fn markers_and_phrases_go_along_with_the_time() {
    let (mut session, group, phrase, markers) = with_phrase();
    let tracks = session.groups[&group].tracks.clone();
    let open = Ripple {
        at: Frames(100),
        length: Frames(50),
        tracks,
        markers: markers.into(),
        phrases: [(phrase, 0)].into(),
        ..Ripple::default()
    };
    let closed = Ripple { length: Frames::ZERO, phrases: Default::default(), ..open.clone() };
    let change = Change::RippleDelete(Edit::new(group, open, closed));
    assert!(session.with([&change]).is_err(), "a marker inside has nowhere to go");
    session.markers.remove(&markers[1]);
    let after = session.with([&change]).unwrap();
    assert_eq!(
        markers.map(|id| after.markers.get(&id).map(|it| it.position.0)),
        [Some(90), None, Some(100)]
    );
    assert_eq!(
        (&after.assembly.order[..], &after.assembly.removed[..]),
        (&[PhraseId::new(2)][..], &[phrase][..])
    );
    assert_eq!(after.with([&change.clone().inverse()]), Ok(session));
    assert!(after.with([&change]).is_err(), "it does not play any more");
}

/// Gain over time, with steps.
fn line(dice: &mut Dice) -> Vec<EnvelopePoint> {
    let mut at = 0;
    let mut points = Vec::new();
    for _ in 0..dice.range(0, 8) {
        at += if dice.coin() { 0 } else { dice.range(0, 1_500) };
        let gain = Decibels(dice.range(-600, 60) as f64 / 10.0);
        points.push(EnvelopePoint { position: Frames(at), gain, curve: 0.0 });
    }
    points
}

/// A ripple as tools make them, with the gain over time of all tracks.
fn with_lines(session: &Session, change: Change, ramp: Frames) -> (Change, Edit<GroupId, Ripple>) {
    let tracks: Vec<TrackId> = session.tracks.keys().copied().collect();
    match change {
        Change::RippleDelete(edit) => {
            let edit = Ripple::with_lines(session, edit, &tracks, ramp);
            (Change::RippleDelete(edit.clone()), edit)
        }
        Change::RippleInsert(edit) => {
            let edit = Ripple::with_lines(session, edit, &tracks, Frames::ZERO);
            (Change::RippleInsert(edit.clone()), edit)
        }
        other => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_heard_keeps_its_gain_over_time(
        seed: u64,
        at in 0i64..6000,
        length in 1i64..900,
        ramp in 0i64..300,
        delete: bool,
    ) {
        let (mut session, mut dice) = (base(seed), Dice(seed));
        session.tracks.values_mut().for_each(|track| track.envelope = line(&mut dice));
        let Some(change) = ripple_now(&session, at, length, delete) else { return Ok(()) };
        let (change, edit) = with_lines(&session, change, Frames(ramp));
        let after = session.with([&change]).unwrap();
        let (at, shift) = (edit.before.at, edit.after.length - edit.before.length);
        let goes_on = edit.before.end() + edit.before.ramp;
        let beside = [at, goes_on].into_iter().flat_map(|it| [it - Frames(1), it, it + Frames(1)]);
        let all: Vec<Frames> = (0..9_000).step_by(13).map(Frames).chain(beside).collect();
        for (id, track) in &session.tracks {
            for frame in all.iter().copied().filter(|frame| *frame < at || *frame >= goes_on) {
                let moved = if frame < at { frame } else { frame + shift };
                let was = gain_at(&track.envelope, frame).0;
                let is = gain_at(&after.tracks[id].envelope, moved).0;
                prop_assert!((was - is).abs() < 1e-6, "{frame:?}: {was} and {is}");
            }
        }
        prop_assert_eq!(after.with([&change.inverse()]), Ok(session));
    }
}

/// The session of [`with_phrase`] without the time from 100 to 150, and the change.
fn closed(session: &Session, group: GroupId, across: &[MarkerId]) -> (Session, Change) {
    let tracks = session.groups[&group].tracks.clone();
    let across = across.iter().copied().collect();
    let open = Ripple::now(session, &tracks, Frames(100), Frames(50));
    let open = Ripple { across, ..open };
    let shut = Ripple { length: Frames::ZERO, ..open.clone() };
    let edit = Edit::new(group, open, shut);
    let edit = Ripple::with_lines(session, edit, &tracks, Frames::ZERO);
    let change = Change::RippleDelete(edit);
    (session.with([&change]).unwrap(), change)
}

#[test]
fn a_bend_that_is_cut_is_as_it_was_ahead_and_close_to_it_behind() {
    let (mut session, group, ..) = with_phrase();
    let track = session.groups[&group].tracks[0];
    for curve in [-1.0, -0.4, 0.7, 1.0] {
        let point = |at: i64, gain: f64| EnvelopePoint {
            position: Frames(at),
            gain: Decibels(gain),
            curve,
        };
        let line = vec![point(20, -12.0), point(400, 0.0)];
        session.tracks.get_mut(&track).unwrap().envelope = line.clone();
        let (after, change) = closed(&session, group, &[]);
        let now = &after.tracks[&track].envelope;
        for at in (0..100).chain(150..500).map(Frames) {
            let moved = if at < Frames(100) { at } else { at - Frames(50) };
            let off = (gain_at(&line, at).0 - gain_at(now, moved).0).abs();
            let most = if at < Frames(100) { 1e-9 } else { 0.5 };
            assert!(off < most, "{curve}, {at:?}: {off} dB");
        }
        assert_eq!(after.with([&change.inverse()]).as_ref(), Ok(&session));
    }
}

#[test]
fn a_marker_over_all_of_the_time_is_shorter_by_it() {
    let (mut session, group, _, markers) = with_phrase();
    for (id, end) in markers.iter().zip([140, 150, 300]) {
        let marker = session.markers.get_mut(id).unwrap();
        (marker.position, marker.length) = (Frames(50), Frames(end - 50));
    }
    let (after, change) = closed(&session, group, &markers[1..]);
    assert_eq!(markers.map(|id| after.markers[&id].length.0), [90, 50, 200]);
    assert_eq!(after.with([&change.inverse()]), Ok(session.clone()));
    let tracks = session.groups[&group].tracks.clone();
    let open = Ripple::now(&session, &tracks, Frames(100), Frames(50));
    let open = Ripple { across: markers.into(), ..open };
    let shut = Ripple { length: Frames::ZERO, ..open.clone() };
    let inside = session.with([&Change::RippleDelete(Edit::new(group, open, shut))]);
    assert!(inside.is_err(), "one ends inside");
}

#[test]
fn gain_that_somebody_else_set_meanwhile_is_a_conflict() {
    let (mut session, group, ..) = with_phrase();
    let track = session.groups[&group].tracks[0];
    let point = |at: i64| EnvelopePoint { position: Frames(at), gain: Decibels(-3.0), curve: 0.0 };
    session.tracks.get_mut(&track).unwrap().envelope = vec![point(120), point(300)];
    let (_, change) = closed(&session, group, &[]);
    session.tracks.get_mut(&track).unwrap().envelope = vec![point(121), point(300)];
    let error = session.with([&change]).unwrap_err();
    assert!(error.to_string().contains("its lines changed"), "{error}");
}

#[test]
fn a_ripple_that_names_neither_gain_nor_markers_is_written_as_it_ever_was() {
    let old = serde_json::json!({"tracks": [], "at": 100, "length": 50, "clips": {}});
    let read: Ripple = serde_json::from_value(old.clone()).unwrap();
    let (at, length) = (Frames(100), Frames(50));
    assert_eq!(read, Ripple { at, length, ..Ripple::default() });
    assert_eq!(serde_json::to_value(&read).unwrap(), old);
}
