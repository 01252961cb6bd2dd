//! Whether a project that was written reads as it was wanted.

use crate::ardour::CLICK;
use crate::format::Format;
use crate::project::{Project, ProjectClip, ProjectFade, ProjectMarker, ProjectTrack};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// How far times may be off, in seconds: less than half a frame at 192 kHz. And levels, in dB.
const TIME: f64 = 2.6e-6;
const LEVEL: f64 = 1e-3;

/// How a format holds fades.
#[derive(Clone, Copy)]
struct Fades {
    has_shapes: bool,
    /// A fade of at most this many seconds reads as no fade.
    none: f64,
}

/// The first object that is not as it was wanted, with its name.
pub(crate) fn difference(format: Format, wanted: &Project, read: &Project) -> Option<String> {
    let none = match format {
        Format::Ardour => (CLICK + 0.5) / f64::from(wanted.rate.unwrap_or(48_000)),
        Format::Reaper | Format::DawProject => 0.0,
    };
    let fades = Fades { has_shapes: format != Format::DawProject, none };
    if !level(wanted.master_gain_db, read.master_gain_db) {
        return Some("the master's fader".into());
    }
    if wanted.tracks.len() != read.tracks.len() || wanted.markers.len() != read.markers.len() {
        return Some("the number of tracks or markers".into());
    }
    let tracks = wanted.tracks.iter().zip(&read.tracks);
    let [wanted_markers, read_markers] = [wanted, read].map(markers_in_order);
    let markers = wanted_markers.into_iter().zip(read_markers);
    tracks.filter_map(|(wanted, read)| track(wanted, read, fades)).next().or_else(|| {
        let mut wrong = markers.filter(|(wanted, read)| !marker(wanted, read));
        wrong.next().map(|(wanted, _)| format!("marker \"{}\"", wanted.name))
    })
}

fn track(wanted: &ProjectTrack, read: &ProjectTrack, fades: Fades) -> Option<String> {
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
    let wrong = clips.find(|(wanted, read)| !clip(wanted, read, fades));
    wrong.map(|(clip, _)| format!("clip \"{}\" on \"{}\"", clip.name, wanted.name))
}

/// What the objects of `wanted` are called in `read`, the same project as it was read back, where that is not the same:
/// new ones, and those that a format calls by their places.
pub(crate) fn names(wanted: &Project, read: &Project) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    let mut name = |wanted: &Option<String>, read: &Option<String>| {
        if let (Some(wanted), Some(read)) = (wanted, read)
            && wanted != read
        {
            names.insert(wanted.clone(), read.clone());
        }
    };
    for (wanted, read) in wanted.tracks.iter().zip(&read.tracks) {
        name(&wanted.id, &read.id);
        let [wanted, read] = [wanted, read].map(in_order);
        wanted.iter().zip(read).for_each(|(wanted, read)| name(&wanted.id, &read.id));
    }
    let [wanted, read] = [wanted, read].map(markers_in_order);
    wanted.iter().zip(read).for_each(|(wanted, read)| name(&wanted.id, &read.id));
    names
}

fn in_order(track: &ProjectTrack) -> Vec<&ProjectClip> {
    let mut clips: Vec<&ProjectClip> = track.clips.iter().collect();
    let place = |clip: &ProjectClip| ((clip.position / TIME).round(), (clip.start / TIME).round());
    clips.sort_by(|one, other| place(one).partial_cmp(&place(other)).unwrap_or(Ordering::Equal));
    clips
}

/// New markers may be anywhere in the file as well.
fn markers_in_order(project: &Project) -> Vec<&ProjectMarker> {
    let mut markers: Vec<&ProjectMarker> = project.markers.iter().collect();
    let place = |it: &ProjectMarker| ((it.position / TIME).round(), (it.length / TIME).round());
    markers.sort_by(|one, other| {
        let by_place = place(one).partial_cmp(&place(other)).unwrap_or(Ordering::Equal);
        by_place.then_with(|| one.name.cmp(&other.name))
    });
    markers
}

fn clip(wanted: &ProjectClip, read: &ProjectClip, fades: Fades) -> bool {
    wanted.name == read.name
        && wanted.file == read.file
        && time(wanted.position, read.position)
        && time(wanted.start, read.start)
        && time(wanted.length, read.length)
        && level(wanted.gain_db, read.gain_db)
        && (wanted.mute, wanted.is_inverted) == (read.mute, read.is_inverted)
        && fade(wanted.fade_in, read.fade_in, fades)
        && fade(wanted.fade_out, read.fade_out, fades)
}

fn fade(wanted: ProjectFade, read: ProjectFade, fades: Fades) -> bool {
    let is_none = wanted.length <= fades.none && read.length <= fades.none;
    let is_shaped = wanted.shape == read.shape || !fades.has_shapes;
    is_none || time(wanted.length, read.length) && is_shaped
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
