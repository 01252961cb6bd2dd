//! OpenTimelineIO: the assembly tracks as a markers, written by the published schema
//! (<https://opentimelineio.readthedocs.io>, "Serialized data").

use super::names::Names;
use super::runs::{Piece, Run, crossed, seen};
use crate::assembly::called;
use deskhand_dsp::Frames;
use deskhand_edit::assembly::{ids, markers};
use deskhand_session::text::clock;
use deskhand_session::{Clip, ClipId, Marker, PhraseId, Session, TrackId};
use deskhand_toolkit::file_url;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ops;

/// `Timeline.1`.
#[derive(Serialize)]
#[serde(tag = "OTIO_SCHEMA", rename = "Timeline.1")]
struct Timeline {
    name: String,
    metadata: Value,
    global_start_time: Option<Time>,
    tracks: Stack,
}

/// `Stack.1`: tracks that play together.
#[derive(Serialize)]
#[serde(tag = "OTIO_SCHEMA", rename = "Stack.1")]
struct Stack {
    name: &'static str,
    source_range: Option<Range>,
    effects: [Value; 0],
    markers: Vec<Mark>,
    enabled: bool,
    metadata: Value,
    children: Vec<Track>,
}

/// `Track.1`: things one after another.
#[derive(Serialize)]
#[serde(tag = "OTIO_SCHEMA", rename = "Track.1")]
struct Track {
    name: String,
    kind: &'static str,
    source_range: Option<Range>,
    effects: [Value; 0],
    markers: [Value; 0],
    enabled: bool,
    metadata: Value,
    children: Vec<Item>,
}

/// What a track consists of.
#[derive(Serialize)]
#[serde(tag = "OTIO_SCHEMA")]
enum Item {
    /// Silence.
    #[serde(rename = "Gap.1")]
    Gap {
        name: &'static str,
        source_range: Range,
        effects: [Value; 0],
        markers: [Value; 0],
        enabled: bool,
        metadata: Value,
    },
    /// A region of a recording.
    #[serde(rename = "Clip.2")]
    Clip {
        name: String,
        source_range: Range,
        effects: [Value; 0],
        markers: [Value; 0],
        enabled: bool,
        metadata: Value,
        media_references: Map<String, Value>,
        active_media_reference_key: &'static str,
    },
    /// A crossfade of the clips on both sides.
    #[serde(rename = "Transition.1")]
    Transition {
        name: &'static str,
        transition_type: &'static str,
        in_offset: Time,
        out_offset: Time,
        metadata: Value,
    },
}

/// `RationalTime.1`.
#[derive(Clone, Copy, Serialize)]
#[serde(tag = "OTIO_SCHEMA", rename = "RationalTime.1")]
struct Time {
    rate: f64,
    value: f64,
}

/// `TimeRange.1`.
#[derive(Clone, Copy, Serialize)]
#[serde(tag = "OTIO_SCHEMA", rename = "TimeRange.1")]
struct Range {
    start_time: Time,
    duration: Time,
}

/// `Marker.2`.
#[derive(Serialize)]
#[serde(tag = "OTIO_SCHEMA", rename = "Marker.2")]
struct Mark {
    name: String,
    color: &'static str,
    comment: &'static str,
    marked_range: Range,
    metadata: Value,
}

/// The assembly of a session as OTIO JSON, and the clips that it cannot hold, each in a sentence.
pub(super) fn write(session: &Session, names: &Names) -> (String, Vec<String>) {
    let originals = ids::originals(session);
    let firsts = |phrase| originals.values().map(move |track| ids::clip(phrase, *track, 0));
    let firsts = session.phrases.keys().flat_map(|phrase| firsts(*phrase)).collect();
    let writer = Writer { session, names, called: called::clips(session), firsts };
    let tracks = session.track_order.iter().filter(|id| originals.contains_key(id));
    let mut under = Vec::new();
    let children = tracks.map(|id| writer.track(*id, &mut under)).collect();
    let markers = session.phrases.keys().filter_map(|id| writer.mark(*id)).collect();
    let finished = session.assembly.finished.as_deref().map(|summary| names.text(summary));
    let timeline = Timeline {
        name: "Assembly".into(),
        metadata: json!({"deskhand": {"finished": finished}}),
        global_start_time: None,
        tracks: Stack {
            name: "tracks",
            source_range: None,
            effects: [],
            markers,
            enabled: true,
            metadata: json!({}),
            children,
        },
    };
    let text = serde_json::to_string_pretty(&timeline).unwrap_or_default();
    (text + "\n", under)
}

struct Writer<'a> {
    session: &'a Session,
    names: &'a Names,
    /// The current names of phrase clips, so that the file has no word that was corrected later.
    called: BTreeMap<ClipId, String>,
    /// The clips with which phrases begin.
    firsts: BTreeSet<ClipId>,
}

impl Writer<'_> {
    fn time(&self, at: Frames) -> Time {
        Time { rate: f64::from(self.session.rate.0), value: at.0 as f64 }
    }

    fn range(&self, start: Frames, duration: Frames) -> Range {
        Range { start_time: self.time(start), duration: self.time(duration) }
    }

    /// A track. Clips hidden under others are noted in `under`.
    fn track(&self, id: TrackId, under: &mut Vec<String>) -> Track {
        let track = self.session.tracks.get(&id);
        let clips = self.session.clips_on(id).into_iter();
        let pieces: Vec<Piece> = clips.map(|clip| self.named(clip)).collect();
        let (runs, hidden) = seen(&pieces);
        under.extend(hidden.iter().flat_map(|run| self.hidden(run)));
        Track {
            name: track.map_or_else(String::new, |track| track.name.clone()),
            kind: "Audio",
            source_range: None,
            effects: [],
            markers: [],
            enabled: track.is_some_and(|track| !track.mute),
            metadata: json!({"deskhand": {"track": id}}),
            children: self.items(&runs),
        }
    }

    /// A clip by the name that it has in the file.
    fn named(&self, (id, clip): (ClipId, &Clip)) -> Piece {
        let name = self.called.get(&id).unwrap_or(&clip.name).clone();
        let clip = Clip { name, ..clip.clone() };
        Piece { clip, begins_phrase: self.firsts.contains(&id) }
    }

    /// The texts about the phrases that are not in the file.
    fn hidden(&self, run: &Run) -> Vec<String> {
        let track = self.session.name_of(run.clip.track.into());
        let told = |(part, name): (ops::Range<Frames>, &str)| {
            let name = self.names.text(name);
            let at = clock(run.clip.position + part.start, self.session.rate);
            format!(
                "\"{name}\" at {at} on {track} lies under another clip and is not in the file, where clips of a track \
                 play one after another; move it, or trim the other, to have it there"
            )
        };
        run.whole().into_iter().map(told).collect()
    }

    /// Clips in their order with the gaps between them, one for each phrase. Where two lie over each other the cut is in
    /// the middle, with a transition as long as they do.
    fn items(&self, runs: &[Run]) -> Vec<Item> {
        let mut items = Vec::new();
        let mut at = Frames::ZERO;
        for (n, run) in runs.iter().enumerate() {
            let (clip, (ahead, behind)) = (&run.clip, crossed(runs, n));
            let first = Frames(ahead.0 / 2);
            let (cut_in, cut_out) = (first, behind - Frames(behind.0 / 2));
            if ahead > Frames::ZERO {
                items.push(self.transition(first, ahead - first));
            }
            let start = clip.position + cut_in;
            if start > at {
                items.push(self.gap(start - at));
            }
            let stretch = cut_in..clip.length - cut_out;
            let parts = run.parts(&stretch, [ahead - first, behind - cut_out]);
            items.extend(parts.into_iter().map(|(part, name)| self.clip(clip, &part, name)));
            at = clip.position + stretch.end;
        }
        items
    }

    fn gap(&self, length: Frames) -> Item {
        Item::Gap {
            name: "",
            source_range: self.range(Frames::ZERO, length),
            effects: [],
            markers: [],
            enabled: true,
            metadata: json!({}),
        }
    }

    fn transition(&self, before: Frames, behind: Frames) -> Item {
        Item::Transition {
            name: "Crossfade",
            transition_type: "SMPTE_Dissolve",
            in_offset: self.time(before),
            out_offset: self.time(behind),
            metadata: json!({}),
        }
    }

    /// A part of a clip, by frames from its start.
    fn clip(&self, clip: &Clip, part: &ops::Range<Frames>, name: &str) -> Item {
        let media = ("DEFAULT_MEDIA".to_owned(), self.media(clip));
        Item::Clip {
            name: self.names.text(name),
            source_range: self.range(clip.start + part.start, part.end - part.start),
            effects: [],
            markers: [],
            enabled: !clip.mute,
            metadata: json!({"deskhand": {"gain_db": clip.gain, "source": clip.source}}),
            media_references: [media].into_iter().collect(),
            active_media_reference_key: "DEFAULT_MEDIA",
        }
    }

    /// `ExternalReference.1`; times count at the rate of the session, whatever the file's.
    fn media(&self, clip: &Clip) -> Value {
        let source = self.session.sources.get(&clip.source);
        let frames = source.map_or(Frames::ZERO, |source| source.frames);
        json!({
            "OTIO_SCHEMA": "ExternalReference.1",
            "name": source.map(|source| source.name.as_str()).unwrap_or_default(),
            "target_url": source.map_or_else(String::new, |source| file_url::of_path(&source.path)),
            "available_range": self.range(Frames::ZERO, frames),
            "available_image_bounds": null,
            "metadata": {"deskhand": {"channel": source.and_then(|source| source.channel)}},
        })
    }

    fn mark(&self, id: PhraseId) -> Option<Mark> {
        let marker: &Marker = self.session.markers.get(&ids::marker(id))?;
        Some(Mark {
            name: self.names.text(&markers::marker_name(self.session, id, marker)),
            color: "RED",
            comment: "",
            marked_range: self.range(marker.position, marker.length),
            metadata: json!({"deskhand": {"group_id": id}}),
        })
    }
}
