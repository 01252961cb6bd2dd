//! Whether a project that was written reads as it was wanted.

use crate::format::Format;
use crate::project::{FadeShape, Project, ProjectClip, ProjectFade, ProjectMarker, ProjectTrack};
use std::cmp::Ordering;

/// How far times may be off, in seconds: less than half a frame at 192 kHz. And levels, in dB.
const TIME: f64 = 2.6e-6;
const LEVEL: f64 = 1e-3;

/// Whether two shapes of fades are the same for a format.
type Same = fn(FadeShape, FadeShape) -> bool;

/// The first object that is not as it was wanted, with its name.
pub(crate) fn difference(format: Format, wanted: &Project, read: &Project) -> Option<String> {
    // A DAWproject has no shapes of fades.
    let is_same: Same = match format {
        Format::DawProject => |_, _| true,
        Format::Reaper | Format::Ardour => |one, other| one == other,
    };
    if !level(wanted.master_gain_db, read.master_gain_db) {
        return Some("the master's fader".into());
    }
    if wanted.tracks.len() != read.tracks.len() || wanted.markers.len() != read.markers.len() {
        return Some("the number of tracks or markers".into());
    }
    let tracks = wanted.tracks.iter().zip(&read.tracks);
    let markers = wanted.markers.iter().zip(&read.markers);
    tracks.filter_map(|(wanted, read)| track(wanted, read, is_same)).next().or_else(|| {
        let mut wrong = markers.filter(|(wanted, read)| !marker(wanted, read));
        wrong.next().map(|(wanted, _)| format!("marker \"{}\"", wanted.name))
    })
}

fn track(wanted: &ProjectTrack, read: &ProjectTrack, is_same: Same) -> Option<String> {
    let is_alike = wanted.name == read.name
        && level(wanted.gain_db, read.gain_db)
        && (wanted.pan - read.pan).abs() <= LEVEL
        && (wanted.mute, wanted.solo, wanted.color, wanted.is_bus)
            == (read.mute, read.solo, read.color, read.is_bus)
        && wanted.clips.len() == read.clips.len();
    if !is_alike {
        return Some(format!("track \"{}\"", wanted.name));
    }
    // New clips may be anywhere in the file.
    let [wanted_clips, read_clips] = [wanted, read].map(in_order);
    let mut clips = wanted_clips.into_iter().zip(read_clips);
    let wrong = clips.find(|(wanted, read)| !clip(wanted, read, is_same));
    wrong.map(|(clip, _)| format!("clip \"{}\" on \"{}\"", clip.name, wanted.name))
}

fn in_order(track: &ProjectTrack) -> Vec<&ProjectClip> {
    let mut clips: Vec<&ProjectClip> = track.clips.iter().collect();
    let place = |clip: &ProjectClip| ((clip.position / TIME).round(), (clip.start / TIME).round());
    clips.sort_by(|one, other| place(one).partial_cmp(&place(other)).unwrap_or(Ordering::Equal));
    clips
}

fn clip(wanted: &ProjectClip, read: &ProjectClip, is_same: Same) -> bool {
    wanted.name == read.name
        && wanted.file == read.file
        && time(wanted.position, read.position)
        && time(wanted.start, read.start)
        && time(wanted.length, read.length)
        && level(wanted.gain_db, read.gain_db)
        && (wanted.mute, wanted.is_inverted) == (read.mute, read.is_inverted)
        && fade(wanted.fade_in, read.fade_in, is_same)
        && fade(wanted.fade_out, read.fade_out, is_same)
}

fn fade(wanted: ProjectFade, read: ProjectFade, is_same: Same) -> bool {
    let is_none = wanted.length == 0.0 && read.length == 0.0;
    is_none || time(wanted.length, read.length) && is_same(wanted.shape, read.shape)
}

fn marker(wanted: &ProjectMarker, read: &ProjectMarker) -> bool {
    wanted.name == read.name
        && time(wanted.position, read.position)
        && time(wanted.length, read.length)
}

fn time(wanted: f64, read: f64) -> bool {
    (wanted - read).abs() <= TIME
}

fn level(wanted: f64, read: f64) -> bool {
    wanted == read || (wanted - read).abs() <= LEVEL
}
