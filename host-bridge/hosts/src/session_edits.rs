//! Random edits of a session, and the session as a person sees it. For the tests of sessions that came from a project.

use deskhand_dsp::{Decibels, Fade, FadeCurve, Frames};
use deskhand_session::clip::{ClipPlace, ClipWindow};
use deskhand_session::track::PlacedTrack;
use deskhand_session::{
    Change, Clip, ClipId, Edit, Fades, Marker, MarkerId, MarkerSpan, Output, Session, SplitState,
    Track, TrackId, TrackKind,
};
use std::collections::BTreeMap;

/// A track as a person sees it: values, and where it plays to.
pub(crate) type Seen =
    (String, TrackKind, i64, i64, [bool; 2], Option<String>, String, Vec<String>);

pub(crate) fn seen(session: &Session) -> Vec<Seen> {
    let name = |id: TrackId| session.tracks[&id].name.clone();
    let track = |(id, track): (TrackId, &Track)| {
        let output = match track.output {
            Output::Master => String::new(),
            Output::Bus(bus) => name(bus),
        };
        let clips = session.clips_on(id).into_iter().map(|(_, clip)| {
            let Clip { name, start, length, position, mute, polarity, .. } = clip;
            let (gain, fades) = ((clip.gain.0 * 1e3).round() as i64, heard(clip.fades()));
            format!("{name} {start:?} {length:?} {position:?} {gain} {fades:?} {mute} {polarity:?}")
        });
        let mut clips: Vec<String> = clips.collect();
        clips.sort();
        let color = track.color.clone().map(String::from);
        let round = |value: f64| (value * 1e3).round() as i64;
        let values = (round(track.gain.0), round(track.pan), [track.mute, track.solo]);
        (track.name.clone(), track.kind, values.0, values.1, values.2, color, output, clips)
    };
    let all = session.tracks_in_order().map(track);
    // A bus without clips needs no track for them.
    all.filter(|(name, kind, .., output, clips)| {
        *kind == TrackKind::Bus || name != output || !clips.is_empty()
    })
    .collect()
}

/// A fade without a length has no shape.
fn heard(Fades { fade_in, fade_out }: Fades) -> [Option<Fade>; 2] {
    [fade_in, fade_out].map(|fade| Some(fade).filter(|fade| fade.length > Frames::ZERO))
}

pub(crate) fn markers(session: &Session) -> Vec<(String, Frames, Frames)> {
    let marker = |it: &Marker| (it.name.clone(), it.position, it.length);
    let mut all: Vec<_> = session.markers.values().map(marker).collect();
    all.sort();
    all
}

/// One edit by a person or a plan, out of random numbers.
// tidy: table
pub(crate) fn edit(session: &Session, [kind, object, amount]: [usize; 3]) -> Option<Change> {
    /// In the order of their content: the order of ids depends on the temporary folder.
    fn pick<I: Copy, T: std::fmt::Debug>(all: &BTreeMap<I, T>, object: usize) -> Option<(&I, &T)> {
        let mut all: Vec<(&I, &T)> = all.iter().collect();
        all.sort_by_cached_key(|(_, it)| without_ids(it));
        all.get(object % all.len().max(1)).copied()
    }
    let share = amount as f64 / 1e4;
    let (track, of_track) = pick(&session.tracks, object)?;
    // What a bus has clips on is one track in the project.
    if is_half(session, of_track) && (kind == 4 || kind < 4 && of_track.kind == TrackKind::Audio) {
        return None;
    }
    let db = Decibels((share * 40.0 - 30.0).round());
    let clips = session.clips.len();
    let clip = pick(&session.clips, object);
    let within = |length: Frames| Frames((share * length.0 as f64) as i64);
    let new = ClipId::new((kind * 7_919 + object * 104_729 + amount + clips * 31) as u64 + 1_000);
    Some(match kind {
        0 => Change::SetTrackGain(Edit::new(*track, of_track.gain, db)),
        1 => Change::SetTrackPan(Edit::new(
            *track,
            of_track.pan,
            ((share * 2.0 - 1.0) * 100.0).round() / 100.0,
        )),
        2 => Change::SetTrackMute(Edit::new(*track, of_track.mute, !of_track.mute)),
        3 => Change::SetTrackSolo(Edit::new(*track, of_track.solo, !of_track.solo)),
        4 => Change::RenameTrack(Edit::new(*track, of_track.name.clone(), format!("T {amount}"))),
        5 => {
            let (id, now) = clip?;
            let after = ClipPlace { position: within(Frames(480_000)), ..now.place() };
            Change::MoveClip(Edit::new(*id, now.place(), after))
        }
        6 => {
            let (id, now) = clip?;
            let audio = session.tracks.iter().filter(|(_, it)| it.kind == TrackKind::Audio);
            let mut audio: Vec<(&String, TrackId)> =
                audio.map(|(id, it)| (&it.name, *id)).collect();
            audio.sort();
            let after = ClipPlace { track: audio[amount % audio.len()].1, ..now.place() };
            Change::MoveClip(Edit::new(*id, now.place(), after))
        }
        7 => {
            let (id, now) = clip?;
            let cut = within(now.length - Frames(1));
            let after = ClipWindow {
                start: now.start + cut,
                length: now.length - cut,
                position: now.position + cut,
            };
            if now.fades().fitted(after.length) != now.fades() {
                return None;
            }
            Change::TrimClip(Edit::new(*id, now.window(), after))
        }
        8 => {
            let (id, now) = clip.filter(|(_, clip)| clip.length > Frames(2))?;
            let at = Frames(1) + within(now.length - Frames(2));
            let whole = SplitState::Whole { clip: now.clone(), right_id: new };
            Change::SplitClip(Edit::new(*id, whole, SplitState::parts(now, new, at)))
        }
        9 => {
            let (id, now) = clip?;
            let fade = Fade { length: within(Frames(now.length.0 / 2)), curve: FadeCurve::Linear };
            Change::SetClipFades(Edit::new(
                *id,
                now.fades(),
                Fades { fade_in: fade, fade_out: fade },
            ))
        }
        10 => Change::SetClipGain(Edit::new(*clip?.0, clip?.1.gain, db)),
        11 => Change::SetClipMute(Edit::new(*clip?.0, clip?.1.mute, !clip?.1.mute)),
        12 => {
            let polarity = clip?.1.polarity;
            Change::SetClipPolarity(Edit::new(*clip?.0, polarity, polarity.reversed()))
        }
        13 => Change::RemoveClip(Edit::remove(*clip?.0, clip?.1.clone())),
        14 => {
            let copy = Clip { position: within(Frames(480_000)), ..clip?.1.clone() };
            Change::DuplicateClip(Edit::create(new, copy))
        }
        15 => {
            let marker = Marker {
                name: format!("M {amount}"),
                position: within(Frames(480_000)),
                length: Frames((object % 2) as i64 * 48_000),
                code: None,
            };
            Change::AddMarker(Edit::create(MarkerId::new(new_bits(amount, object)), marker))
        }
        16 => {
            let (id, now) = pick(&session.markers, object)?;
            let after = MarkerSpan { position: within(Frames(480_000)), ..now.span() };
            Change::MoveMarker(Edit::new(*id, now.span(), after))
        }
        17 => {
            let (id, now) = pick(&session.markers, object)?;
            Change::RemoveMarker(Edit::remove(*id, now.clone()))
        }
        18 => {
            let id = TrackId::new(new_bits(amount, object));
            let (index, track) = (session.track_order.len(), Track::audio(format!("New {amount}")));
            Change::AddTrack(Edit::create(id, PlacedTrack { index, track }))
        }
        19 => Change::SetMasterGain(Edit::new(session.id, session.master_gain, db)),
        _ => Change::RenameClip(Edit::new(
            *clip?.0,
            clip?.1.name.clone(),
            format!("C \"{amount}\"'"),
        )),
    })
}

/// Whether a track is a bus of the project, or what it has clips on.
fn is_half(session: &Session, track: &Track) -> bool {
    let plays_into = |one: &Track, other: &Track| match one.output {
        Output::Bus(bus) => one.name == other.name && session.tracks.get(&bus) == Some(other),
        Output::Master => false,
    };
    session.tracks.values().any(|it| plays_into(it, track) || plays_into(track, it))
}

/// How an object is written, without the ids of others.
fn without_ids(object: &impl std::fmt::Debug) -> String {
    let text = format!("{object:?}");
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.filter(|word| !["track_", "src_"].iter().any(|id| word.starts_with(id))).collect()
}

fn new_bits(amount: usize, object: usize) -> u64 {
    (amount * 65_537 + object * 257) as u64 + 5_000
}
