//! Every op has a ghost on the timeline, or a reason to have none.

use super::tests::{drawn_in, marker, places};
use crate::describe::{self, Made};
use crate::desk_tests;
use crate::testing::spoken;
use crate::ui_tests::open_model;
use deskhand_dsp::{Decibels, EnvelopePoint, Fade, Frames};
use deskhand_session::track::PlacedTrack;
use deskhand_session::*;
use egui_kittest::kittest::Queryable as _;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Ops without a place on the timeline, and why.
const ELSEWHERE: [(&str, &str); 10] = [
    ("set_binding", "the project of a DAW is named in the menu of the session"),
    ("add_source", "a source is in the library; a clip that plays it has its own row"),
    ("remove_source", "it has no clips any more"),
    ("set_selection", "what is selected is shown as selected, and is not heard"),
    ("set_current_source", "the library shows what is worked on"),
    ("set_master_gain", "the master's fader shows it: the mix has no lane"),
    ("set_code", "the codebook is in the words"),
    ("set_memo", "a note is read in the words"),
    ("set_phrase", "phrases are in the assembly; the clips that play them have their own rows"),
    ("set_assembly", "the order is in the assembly; its clips have their own rows"),
];

/// A session in which each op has something to work on.
fn session() -> Session {
    let mut session = spoken();
    let spare = TrackId::new(3);
    session.track_order.push(spare);
    session.tracks.insert(spare, Track::audio("Spare"));
    let unused = Source { name: "Unused".into(), ..session.sources[&SourceId::new(1)].clone() };
    session.sources.insert(SourceId::new(3), unused);
    session.markers.insert(MarkerId::new(1), marker("Verse", 96_000));
    let group = Group { name: "Band".into(), tracks: vec![TrackId::new(2)] };
    session.groups.insert(GroupId::new(1), group);
    session
}

fn limiter(on: InsertOwner) -> PlacedInsert {
    let placed = json!({"on": on, "index": 0, "switch": "on",
        "effect": {"kind": "limiter", "gain": 0.0, "ceiling": -1.0, "release_ms": 50.0}});
    serde_json::from_value(placed).unwrap()
}

fn ripple(s: &Session, is_put_in: bool) -> Change {
    let (group, tracks, at) = (GroupId::new(1), [TrackId::new(2)], Frames(96_000));
    let new_id = || ClipId::new(77);
    if is_put_in {
        let before = Ripple::now(s, &tracks, at, Frames::ZERO);
        let after = before.opened(Frames(48_000), new_id);
        return Change::RippleInsert(Edit::new(group, before, after));
    }
    let before = Ripple::now(s, &tracks, at, Frames(48_000));
    let after = before.closed(new_id);
    Change::RippleDelete(Edit::new(group, before, after))
}

/// A change of an op that fits the session.
// tidy: table
fn sample(s: &Session, op: &str) -> Change {
    let (id, clip_id, spare) = (TrackId::new(2), ClipId::new(2), TrackId::new(3));
    let (clip, new_clip, verse) = (s.clips[&clip_id].clone(), ClipId::new(9), MarkerId::new(1));
    let later = Clip { position: Frames(240_000), ..clip.clone() };
    let source = s.sources[&SourceId::new(3)].clone();
    let (said, coded) = (SegmentId::new(3), SegmentId::new(50));
    let line = vec![EnvelopePoint { position: Frames(0), gain: Decibels(-3.0), curve: 0.0 }];
    match op {
        "add_track" => {
            let placed = PlacedTrack { index: 0, track: Track::audio("Choir") };
            Change::AddTrack(Edit::create(TrackId::new(9), placed))
        }
        "remove_track" => {
            let placed = PlacedTrack { index: 2, track: s.tracks[&spare].clone() };
            Change::RemoveTrack(Edit::remove(spare, placed))
        }
        "move_track" => Change::MoveTrack(Edit::new(id, 1, 0)),
        "rename_track" => Change::RenameTrack(Edit::new(id, "Guitar".into(), "Gtr".into())),
        "set_track_gain" => Change::SetTrackGain(Edit::new(id, Decibels(0.0), Decibels(-3.0))),
        "set_track_pan" => Change::SetTrackPan(Edit::new(id, 0.0, 0.5)),
        "set_track_mute" => Change::SetTrackMute(Edit::new(id, false, true)),
        "set_track_solo" => Change::SetTrackSolo(Edit::new(id, false, true)),
        "set_track_color" => {
            let color = Color::try_from("#4fc5fc".to_owned()).unwrap();
            Change::SetTrackColor(Edit::new(id, None, Some(color)))
        }
        "set_track_output" => {
            // To where it plays already: there is no bus.
            Change::SetTrackOutput(Edit::new(id, Output::Master, Output::Master))
        }
        "set_group" => {
            let (group, tracks) = (GroupId::new(1), vec![id, spare]);
            let after = Group { name: "Band".into(), tracks };
            Change::SetGroup(Edit::new(group, s.groups.get(&group).cloned(), Some(after)))
        }
        "add_clip" => Change::AddClip(Edit::create(new_clip, later)),
        "remove_clip" => Change::RemoveClip(Edit::remove(clip_id, clip)),
        "duplicate_clip" => Change::DuplicateClip(Edit::create(new_clip, later)),
        "move_clip" => Change::MoveClip(Edit::new(clip_id, clip.place(), later.place())),
        "trim_clip" => {
            let after = ClipWindow { length: Frames(96_000), ..clip.window() };
            Change::TrimClip(Edit::new(clip_id, clip.window(), after))
        }
        "split_clip" => {
            let whole = SplitState::Whole { clip: clip.clone(), right_id: new_clip };
            let parts = SplitState::parts(&clip, new_clip, Frames(96_000));
            Change::SplitClip(Edit::new(clip_id, whole, parts))
        }
        "rename_clip" => Change::RenameClip(Edit::new(clip_id, clip.name, "Riff".into())),
        "set_clip_gain" => Change::SetClipGain(Edit::new(clip_id, clip.gain, Decibels(-3.0))),
        "set_clip_polarity" => {
            let after = clip.polarity.reversed();
            Change::SetClipPolarity(Edit::new(clip_id, clip.polarity, after))
        }
        "set_clip_mute" => Change::SetClipMute(Edit::new(clip_id, false, true)),
        "set_clip_fades" => {
            let fade_in = Fade { length: Frames(48_000), ..Fade::default() };
            let after = Fades { fade_in, ..Fades::default() };
            Change::SetClipFades(Edit::new(clip_id, clip.fades(), after))
        }
        "ripple_delete" => ripple(s, false),
        "ripple_insert" => ripple(s, true),
        "add_marker" => Change::AddMarker(Edit::create(MarkerId::new(9), marker("Solo", 0))),
        "remove_marker" => Change::RemoveMarker(Edit::remove(verse, s.markers[&verse].clone())),
        "move_marker" => {
            let spans = [96_000, 192_000].map(|at| marker("", at).span());
            Change::MoveMarker(Edit::new(verse, spans[0], spans[1]))
        }
        "rename_marker" => Change::RenameMarker(Edit::new(verse, "Verse".into(), "Verse 1".into())),
        "set_marker_code" => Change::SetMarkerCode(Edit::new(verse, None, Some("keep".into()))),
        "add_source" => Change::AddSource(Edit::create(SourceId::new(9), source)),
        "remove_source" => Change::RemoveSource(Edit::remove(SourceId::new(3), source)),
        "set_selection" => {
            let after = Selection { tracks: vec![id], ..Selection::default() };
            Change::SetSelection(Edit::new(s.id, s.selection.clone(), after))
        }
        "set_current_source" => {
            Change::SetCurrentSource(Edit::new(s.id, None, Some(SourceId::new(3))))
        }
        "set_master_gain" => Change::SetMasterGain(Edit::new(s.id, Decibels(0.0), Decibels(-1.0))),
        "set_tempo" => {
            let after = vec![TempoPoint { position: Frames::ZERO, bpm: 96.0 }];
            Change::SetTempo(Edit::new(s.id, s.tempo.clone(), after))
        }
        "set_meter" => {
            let meter = Meter { numerator: 3, denominator: 4 };
            let after = vec![MeterPoint { position: Frames::ZERO, meter }];
            Change::SetMeter(Edit::new(s.id, s.meter.clone(), after))
        }
        "set_track_envelope" => Change::SetTrackEnvelope(Edit::new(id, Vec::new(), line)),
        "set_clip_envelope" => Change::SetClipEnvelope(Edit::new(clip_id, Vec::new(), line)),
        "set_insert" => {
            let placed = limiter(InsertOwner::Track(id));
            Change::SetInsert(Edit::create(InsertId::new(1), placed))
        }
        "set_segment" => {
            let before = s.segments[&said].clone();
            let after = Segment { speaker: Some("Ben".into()), ..before.clone() };
            Change::SetSegment(Edit::new(said, Some(before), Some(after)))
        }
        "set_description" => {
            let before = s.segments[&said].description.clone();
            Change::SetDescription(Edit::new(said, before.clone(), before))
        }
        "set_importance" => Change::SetImportance(Edit::new(said, false, true)),
        "set_code" => Change::SetCode(Edit::create(CodeId::new(9), Code::new("Sea"))),
        "set_memo" => Change::SetMemo(Edit::create(coded.into(), "look again".into())),
        "set_phrase" => {
            let phrase = Phrase { segments: vec![said] };
            Change::SetPhrase(Edit::create(PhraseId::new(9), phrase))
        }
        "set_assembly" => {
            let mut after = s.assembly.clone();
            after.order.reverse();
            Change::SetAssembly(Edit::new(s.id, s.assembly.clone(), after))
        }
        "set_binding" => {
            let binding = Binding {
                program: "REAPER".into(),
                path: "/music/song.RPP".into(),
                hash: ContentHash(String::new()),
                objects: BTreeMap::new(),
                left: Vec::new(),
                is_linked: false,
            };
            Change::SetBinding(Edit::new(s.id, None, Some(Arc::new(binding))))
        }
        op => panic!("{op} is new: give it a ghost and a sample, or a reason why it has none"),
    }
}

#[test]
fn every_op_has_a_ghost_or_a_reason_to_have_none() {
    for op in Change::OPS {
        let session = session();
        let change = sample(&session, op);
        assert_eq!(change.op(), *op);
        session.with([&change]).unwrap_or_else(|error| panic!("{op}: {error}"));
        let mut model = open_model();
        *desk_tests::session(&mut model) = session;
        let harness = drawn_in(model, vec![change]);
        let bottom = harness.get_by_label("Lanes").rect().bottom();
        let has_ghost = places(&harness, "1").iter().any(|at| at.y < bottom);
        let reason = ELSEWHERE.iter().find(|(known, _)| known == op).map(|(_, why)| why);
        assert_eq!(has_ghost, reason.is_none(), "{op}: {reason:?}");
    }
    for (op, _) in ELSEWHERE {
        assert!(Change::OPS.contains(&op), "there is no {op} any more");
    }
}

#[test]
fn no_op_is_told_by_an_id() {
    let session = session();
    for op in Change::OPS {
        for change in [sample(&session, op), sample(&session, op).inverse()] {
            let target = change.target().to_string();
            // An object that is not in the session only has the facts of the change.
            for session in [&session, &Session::new(session.id, session.rate)] {
                for name in ["", &target] {
                    let reason = format!("as {target} was");
                    let planned = PlannedChange::new(1, change.clone(), name.into(), reason);
                    let words = describe::told(&planned, session, &Made::default()).in_full();
                    let mut parts = words.split(|c: char| !c.is_alphanumeric() && c != '_');
                    let id = parts.find(|part| part.parse::<ObjectId>().is_ok());
                    assert_eq!(id, None, "{op}: {words}");
                }
            }
        }
    }
}
