//! Changes that are well-formed, hold now, and yet must not be: each could not be undone, or would leave
//! a session that no other change could.

use crate::build::{Dice, base, change};
use deskhand_dsp::Frames;
use deskhand_session::change::Edit;
use deskhand_session::track::PlacedTrack;
use deskhand_session::*;

/// A session, and the parts of it that the tests forge with.
fn session() -> (Session, ClipId, Clip) {
    let session = base(3);
    let longest = session.clips.iter().max_by_key(|(_, clip)| clip.length);
    let (id, clip) = longest.map(|(id, clip)| (*id, clip.clone())).unwrap();
    (session, id, clip)
}

fn refused(session: &Session, change: Change, why: &str) {
    match session.with([&change]) {
        Err(ApplyError::Invalid(invalid)) => {
            let text = invalid.to_string();
            assert!(text.contains(why), "{text} does not say {why:?}");
        }
        other => panic!("{other:?} of {change:?}"),
    }
}

#[test]
fn adding_and_removing_do_what_they_say() {
    let (session, id, clip) = session();
    let shorter = Clip { length: Frames(1), fade_in: Default::default(), ..clip.clone() };
    let shorter = Clip { fade_out: Default::default(), ..shorter };
    let replace = Edit::new(id, Some(clip.clone()), Some(shorter));
    refused(&session, Change::AddClip(replace.clone()), "before is null");
    refused(&session, Change::RemoveClip(replace.clone()), "after is null");
    refused(&session, Change::DuplicateClip(replace), "before is null");
    refused(&session, Change::AddClip(Edit::remove(id, clip.clone())), "before is null");
    let new = Edit::create(ClipId::new(9), clip);
    refused(&session, Change::RemoveClip(new), "after is null");
    let nothing = Edit::new(MarkerId::new(9), None, None);
    refused(&session, Change::AddMarker(nothing), "before is null");
}

#[test]
fn a_source_that_clips_play_cannot_be_shortened() {
    let (session, _, clip) = session();
    let source = session.sources[&clip.source].clone();
    let short = Source { frames: Frames(1), ..source.clone() };
    let edit = Edit::new(clip.source, Some(source), Some(short));
    refused(&session, Change::AddSource(edit), "before is null");
}

#[test]
fn a_track_with_clips_cannot_become_a_bus() {
    let (session, _, clip) = session();
    let index = session.track_order.iter().position(|id| *id == clip.track).unwrap();
    let track = session.tracks[&clip.track].clone();
    let bus = Track { kind: TrackKind::Bus, ..track.clone() };
    let [before, after] = [track, bus].map(|track| Some(PlacedTrack { index, track }));
    let edit = Edit::new(clip.track, before, after);
    refused(&session, Change::AddTrack(edit), "before is null");
}

#[test]
fn a_split_uses_the_id_that_it_checked() {
    let (session, id, clip) = session();
    let other = *session.clips.keys().find(|other| **other != id).unwrap();
    let whole = SplitState::Whole { clip: clip.clone(), right_id: ClipId::new(9) };
    let onto = SplitState::parts(&clip, other, Frames(1));
    refused(&session, Change::SplitClip(Edit::new(id, whole, onto)), "the same id");
    let itself = SplitState::Parts { left: clip.clone(), right_id: id, right: clip.clone() };
    let whole = SplitState::Whole { clip, right_id: id };
    refused(&session, Change::SplitClip(Edit::new(id, itself, whole)), "another id");
}

#[test]
fn a_split_and_a_join_keep_the_audio() {
    let (session, id, clip) = session();
    let whole = SplitState::Whole { clip: clip.clone(), right_id: ClipId::new(9) };
    let mut parts = SplitState::parts(&clip, ClipId::new(9), Frames(1));
    let SplitState::Parts { right, .. } = &mut parts else { panic!("{parts:?}") };
    right.length -= Frames(1);
    refused(&session, Change::SplitClip(Edit::new(id, whole, parts)), "make up the whole");
}

/// A group of one track, with a clip of 100 frames at 1000.
fn grouped() -> (Session, GroupId, Clip) {
    let (mut session, id, clip) = session();
    session.groups.clear();
    session.clips.clear();
    let group = Group { name: "Group".into(), tracks: vec![clip.track] };
    session.groups.insert(GroupId::new(1), group);
    let clip = Clip {
        position: Frames(1000),
        length: Frames(1).max(Frames(clip.length.0.min(100))),
        fade_in: Default::default(),
        fade_out: Default::default(),
        ..clip
    };
    session.clips.insert(id, clip.clone());
    assert_eq!(session.validate(), Ok(()));
    (session, GroupId::new(1), clip)
}

fn side(clip: &Clip, at: i64, length: i64) -> Ripple {
    let tracks = vec![clip.track];
    Ripple { tracks, at: Frames(at), length: Frames(length), ..Ripple::default() }
}

#[test]
fn a_ripple_cannot_push_clips_out_of_reach() {
    let (session, group, clip) = grouped();
    let edit = Edit::new(group, side(&clip, 0, 0), side(&clip, 0, 1 << 41));
    refused(&session, Change::RippleInsert(edit), "position");
}

#[test]
fn absurd_times_are_refused_before_they_are_added_up() {
    let (session, group, clip) = grouped();
    for (at, length) in [(5, i64::MAX), (i64::MAX, 5), (5, i64::MIN), (-1, 5)] {
        let edit = Edit::new(group, side(&clip, at, length), side(&clip, at, 0));
        assert!(session.with([&Change::RippleDelete(edit)]).is_err(), "{at} {length}");
        let edit = Edit::new(group, side(&clip, at, 0), side(&clip, at, length));
        assert!(session.with([&Change::RippleInsert(edit)]).is_err(), "{at} {length}");
    }
}

#[test]
fn a_ripple_leaves_other_tracks_alone() {
    let (mut session, group, clip) = grouped();
    let other = TrackId::new(99);
    session.tracks.insert(other, Track::audio("Other"));
    session.track_order.push(other);
    let bystander = Clip { track: other, ..clip.clone() };
    session.clips.insert(ClipId::new(98), bystander.clone());
    let mut before = side(&clip, 0, 10);
    before.clips.insert(ClipId::new(98), bystander);
    let edit = Edit::new(group, before, side(&clip, 0, 0));
    refused(&session, Change::RippleDelete(edit), "not in the group");
}

#[test]
fn a_conformed_file_stays_in_the_session_folder() {
    let (session, _, clip) = session();
    for path in ["../x.wav", "/etc/x.wav", "media/../../x", "", "media//x", "C:\\x", "media/./x"] {
        let media = Media::Conformed(path.into());
        let source = Source { media, ..session.sources[&clip.source].clone() };
        let edit = Edit::create(SourceId::new(9), source);
        refused(&session, Change::AddSource(edit), "inside the session folder");
    }
}

#[test]
fn names_of_codes_are_names() {
    let (session, ..) = session();
    let add = change(&session, "add_marker", &mut Dice(1)).unwrap();
    let Change::AddMarker(Edit { target, .. }) = add else { panic!("{add:?}") };
    let session = session.with([&add]).unwrap();
    let edit = Edit::new(target, None, Some("\u{1b}[31m".to_owned()));
    refused(&session, Change::SetMarkerCode(edit), "control characters");
}

#[test]
fn a_selected_range_goes_forward() {
    let (session, ..) = session();
    for (start, end) in [(5, 4), (-1, 4), (0, i64::MAX)] {
        let range = Some(TimeRange { start: Frames(start), end: Frames(end) });
        let after = Selection { range, ..Selection::default() };
        let edit = Edit::new(session.id, session.selection.clone(), after);
        assert!(session.with([&Change::SetSelection(edit)]).is_err(), "{start}..{end}");
    }
}

#[test]
fn changes_of_the_session_name_this_session() {
    let (session, ..) = session();
    let edit = Edit::new(SessionId::new(77), session.master_gain, deskhand_dsp::Decibels(-1.0));
    refused(&session, Change::SetMasterGain(edit), "another session");
}

/// A new phrase is nowhere at first, and the change that gives it a place can be taken back.
#[test]
fn a_phrase_can_be_added_to_an_assembly_and_taken_back() {
    let start = base(3);
    let source = *start.sources.keys().next().unwrap();
    let segment = Segment::new(source, Frames(0), Frames(1));
    let made = Change::SetSegment(Edit::create(SegmentId::new(1), segment));
    let phrase = Phrase { segments: vec![SegmentId::new(1)] };
    let [old, new] =
        [1, 2].map(|n| Change::SetPhrase(Edit::create(PhraseId::new(n), phrase.clone())));
    let play = |ids: &[u64]| Assembly {
        order: ids.iter().map(|id| PhraseId::new(*id)).collect(),
        ..Assembly::default()
    };
    let first = Change::SetAssembly(Edit::new(start.id, Assembly::default(), play(&[1])));
    let second = Change::SetAssembly(Edit::new(start.id, play(&[1]), play(&[1, 2])));
    let before = start.with([&made, &old, &first, &new]).unwrap();
    assert_eq!(before.validate(), Ok(()));
    let after = before.with([&second]).unwrap();
    assert_eq!(after.with([&second.inverse()]).unwrap(), before);
    let twice = Change::SetAssembly(Edit::new(start.id, play(&[1]), play(&[1, 1])));
    assert!(before.with([&twice]).unwrap_err().to_string().contains("in the assembly twice"));
}
