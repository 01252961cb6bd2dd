//! The composition: a slot for the timecode, one for each channel of a track, and one for markers.

use super::super::lanes::{Overlap, lanes};
use super::super::timeline::{Clip, Timeline, Track};
use super::definitions::{DESCRIPTION, PAN, PAN_VALUE, TIMECODE, TOP_LEVEL};
use super::media::{MobId, Parts, component, mob};
use super::object::Object;
use super::options::width;
use super::sequence::{constant, gained, operation, sequence};
use deskhand_dsp::{Decibels, Frames};
use std::time::SystemTime;

/// The composition with this id.
pub(super) fn composition(
    timeline: &Timeline,
    parts: &Parts,
    id: MobId,
    created: SystemTime,
) -> Object {
    let mut slots = vec![timecode(timeline)];
    for track in &timeline.tracks {
        for (n, lane) in lanes(&track.clips, Overlap::Crossfade).iter().enumerate() {
            let name =
                if n == 0 { track.name.clone() } else { format!("{} ({})", track.name, n + 1) };
            let width = width(timeline, track);
            for channel in 1..=width {
                let segment = segment(timeline, parts, track, lane, (channel, width));
                let name = channel_name(&name, channel, width);
                slots.push(sound_slot(timeline, slots.len(), &name, segment));
            }
        }
    }
    if !timeline.markers.is_empty() {
        slots.push(markers(timeline, slots.len()));
    }
    mob("CompositionMob", id, &timeline.name, created)
        .id("UsageCode", TOP_LEVEL)
        .vector("Slots", slots)
}

/// `Voice`; `Voice.L` and `Voice.R`; `Voice.1`, `Voice.2` …
fn channel_name(name: &str, channel: u16, width: u16) -> String {
    match (width, channel) {
        (1, _) => name.to_owned(),
        (2, 1) => format!("{name}.L"),
        (2, _) => format!("{name}.R"),
        _ => format!("{name}.{channel}"),
    }
}

fn segment(
    timeline: &Timeline,
    parts: &Parts,
    track: &Track,
    lane: &[&Clip],
    (channel, width): (u16, u16),
) -> Object {
    // A narrower file is heard on all channels that it does not have.
    let of_clip = |clip: &Clip| {
        let media = timeline.media.get(clip.media);
        let own = media.map_or(1, |m| if m.channel.is_some() { 1 } else { m.channels.max(1) });
        if channel <= own { channel } else { 1 }
    };
    let end = lane.last().map_or(Frames::ZERO, |clip| clip.end());
    let sequence = sequence(lane, of_clip, parts);
    let amplitude = if track.mute { 0.0 } else { track.gain.amplitude() };
    let is_plain = track.gain == Decibels::UNITY && !track.mute;
    let segment = if is_plain { sequence } else { gained(sequence, end, amplitude) };
    let pan = pan(track.pan, channel, width);
    if pan == 0.0 {
        return segment;
    }
    let value = constant(PAN_VALUE, f64::midpoint(pan, 1.0));
    operation(PAN, end, value).vector("InputSegments", vec![segment])
}

/// Where a channel is heard: a pan to one side brings the channel of the other side there.
fn pan(pan: f64, channel: u16, width: u16) -> f64 {
    match (width, channel) {
        (2, 1) => -1.0 + 2.0 * pan.max(0.0),
        (2, _) => 1.0 + 2.0 * pan.min(0.0),
        _ => pan,
    }
}

/// What any slot has; its number is one more than those before it.
fn slot(class: &'static str, before: usize, name: &str, segment: Object) -> Object {
    let number = u32::try_from(before + 1).unwrap_or(u32::MAX);
    Object::new(class).number("SlotID", number).text("SlotName", name).one("Segment", segment)
}

fn sound_slot(timeline: &Timeline, before: usize, name: &str, segment: Object) -> Object {
    // The timecode is before all tracks.
    let track = u32::try_from(before).unwrap_or(u32::MAX);
    slot("TimelineMobSlot", before, name, segment)
        .number("PhysicalTrackNumber", track)
        .rational("EditRate", timeline.rate.0, 1)
        .long("Origin", 0)
}

fn timecode(timeline: &Timeline) -> Object {
    let rate = timeline.frame_rate;
    let (numerator, denominator) = rate.duration();
    let small = |number: i64| u32::try_from(number).unwrap_or(1);
    let frames = Frames(rate.nearest(timeline.end(), timeline.rate) + 1);
    let segment = component("Timecode", TIMECODE, frames)
        .long("Start", timeline.start)
        .bytes("FPS", u16::try_from(rate.nominal()).unwrap_or(0).to_le_bytes())
        .flag("Drop", rate.is_drop());
    slot("TimelineMobSlot", 0, "TC1", segment)
        .number("PhysicalTrackNumber", 1)
        .rational("EditRate", small(denominator), small(numerator))
        .long("Origin", 0)
}

fn markers(timeline: &Timeline, before: usize) -> Object {
    let markers = timeline.markers.iter().map(|marker| {
        component("CommentMarker", DESCRIPTION, marker.length)
            .long("Position", marker.position.0)
            .text("Comment", &marker.name)
    });
    let ends = timeline.markers.iter().map(|marker| marker.position + marker.length);
    let end = ends.max().unwrap_or_default();
    let segment = component("Sequence", DESCRIPTION, end).vector("Components", markers.collect());
    slot("EventMobSlot", before, "Markers", segment).rational("EditRate", timeline.rate.0, 1)
}
