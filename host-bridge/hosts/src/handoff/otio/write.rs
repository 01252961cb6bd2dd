//! Writes each lane of a track as a track, with a transition where two clips cross. Times count frames of audio.

use super::super::lanes::{Overlap, lanes, shared};
use super::super::timeline::{Clip, Marker, Timeline, Track};
use deskhand_dsp::Frames;
use deskhand_toolkit::file_url;
use serde_json::{Value, json};

/// A timeline as OTIO. [`super::super::losses()`] says what is not in it.
#[must_use]
pub fn write(timeline: &Timeline) -> String {
    let tracks = timeline.tracks.iter().flat_map(|track| {
        let lanes = lanes(&track.clips, Overlap::Crossfade);
        lanes.into_iter().map(|lane| lane_track(timeline, track, &lane)).collect::<Vec<_>>()
    });
    let (numerator, denominator) = timeline.frame_rate.duration();
    let start = json!({
        "OTIO_SCHEMA": "RationalTime.1",
        "rate": denominator as f64 / numerator as f64,
        "value": timeline.start as f64,
    });
    let document = json!({
        "OTIO_SCHEMA": "Timeline.1",
        "name": timeline.name,
        "metadata": {},
        "global_start_time": start,
        "tracks": {
            "OTIO_SCHEMA": "Stack.1",
            "name": "tracks",
            "source_range": null,
            "effects": [],
            "markers": timeline.markers.iter().map(|m| marker(timeline, m)).collect::<Vec<_>>(),
            "enabled": true,
            "metadata": {},
            "children": tracks.collect::<Vec<_>>(),
        },
    });
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

fn lane_track(timeline: &Timeline, track: &Track, lane: &[&Clip]) -> Value {
    json!({
        "OTIO_SCHEMA": "Track.1",
        "name": track.name,
        "kind": "Audio",
        "source_range": null,
        "effects": [],
        "markers": [],
        "enabled": !track.mute,
        "metadata": {"deskhand": {"gain_db": track.gain, "pan": track.pan}},
        "children": items(timeline, lane),
    })
}

/// Clips and gaps. Where two clips cross, the cut is in the middle.
fn items(timeline: &Timeline, lane: &[&Clip]) -> Vec<Value> {
    let mut items = Vec::new();
    let mut at = Frames::ZERO;
    for (n, clip) in lane.iter().enumerate() {
        let before = n.checked_sub(1).and_then(|n| lane.get(n));
        let crossed = before.map_or(Frames::ZERO, |before| shared(before, clip));
        let next = lane.get(n + 1).map_or(Frames::ZERO, |next| shared(clip, next));
        let (cut_in, cut_out) = (Frames(crossed.0 / 2), next - Frames(next.0 / 2));
        if crossed > Frames::ZERO {
            items.push(transition(timeline, cut_in, crossed - cut_in));
        }
        let from = clip.position + cut_in;
        if from > at {
            let gap = object("Gap.1", "", true, range(timeline, Frames::ZERO, from - at));
            items.push(gap);
        }
        items.push(clip_item(timeline, clip, (cut_in, clip.length - cut_out)));
        at = clip.end() - cut_out;
    }
    items
}

fn clip_item(timeline: &Timeline, clip: &Clip, (from, to): (Frames, Frames)) -> Value {
    let range = range(timeline, clip.start + from + origin(timeline, clip), to - from);
    let mut item = object("Clip.2", &clip.name, !clip.mute, range);
    item["metadata"] = json!({"deskhand": {
        "gain_db": clip.gain, "fade_in": clip.fade_in, "fade_out": clip.fade_out,
    }});
    item["media_references"] = json!({"DEFAULT_MEDIA": media(timeline, clip)});
    item["active_media_reference_key"] = "DEFAULT_MEDIA".into();
    item
}

fn origin(timeline: &Timeline, clip: &Clip) -> Frames {
    timeline.media.get(clip.media).map_or(Frames::ZERO, |media| media.origin)
}

fn media(timeline: &Timeline, clip: &Clip) -> Value {
    let Some(media) = timeline.media.get(clip.media) else {
        return json!({"OTIO_SCHEMA": "MissingReference.1"});
    };
    let whole = range(timeline, media.origin, media.frames);
    json!({
        "OTIO_SCHEMA": "ExternalReference.1",
        "name": media.name,
        "target_url": file_url::of_path(&media.path),
        "available_range": if media.frames > Frames::ZERO { whole } else { Value::Null },
        "available_image_bounds": null,
        "metadata": {"deskhand": {"channel": media.channel}},
    })
}

/// What clips and gaps share.
fn object(schema: &str, name: &str, is_enabled: bool, range: Value) -> Value {
    json!({
        "OTIO_SCHEMA": schema,
        "name": name,
        "source_range": range,
        "effects": [],
        "markers": [],
        "enabled": is_enabled,
        "metadata": {},
    })
}

fn transition(timeline: &Timeline, before: Frames, after: Frames) -> Value {
    json!({
        "OTIO_SCHEMA": "Transition.1",
        "name": "Crossfade",
        "transition_type": "SMPTE_Dissolve",
        "in_offset": time(timeline, before),
        "out_offset": time(timeline, after),
        "metadata": {},
    })
}

fn marker(timeline: &Timeline, marker: &Marker) -> Value {
    json!({
        "OTIO_SCHEMA": "Marker.2",
        "name": marker.name,
        "color": "RED",
        "comment": "",
        "marked_range": range(timeline, marker.position, marker.length),
        "metadata": {},
    })
}

fn time(timeline: &Timeline, at: Frames) -> Value {
    let rate = f64::from(timeline.rate.0);
    json!({"OTIO_SCHEMA": "RationalTime.1", "rate": rate, "value": at.0 as f64})
}

fn range(timeline: &Timeline, start: Frames, duration: Frames) -> Value {
    json!({
        "OTIO_SCHEMA": "TimeRange.1",
        "start_time": time(timeline, start),
        "duration": time(timeline, duration),
    })
}
