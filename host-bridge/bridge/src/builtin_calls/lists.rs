//! `list_tracks`, `list_clips` and `list_markers`.

use super::answers::{Listed, Page, rounded, seconds};
use super::tool::{About, HouseTool, reads};
use crate::bridge::Bridge;
use deskhand_session::tool_error::ToolError;
use deskhand_session::{
    Clip, ClipId, Marker, MarkerId, Output, Session, Track, TrackId, TrackKind,
};
use deskhand_toolkit::{Category, Targets, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;

pub(super) fn tools() -> Vec<HouseTool> {
    vec![
        list_tracks_tool().and(ToolSpec::core),
        list_clips_tool().and(ToolSpec::core),
        list_markers_tool(),
    ]
}

/// A track or bus.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct TrackRow {
    id: String,
    name: String,
    /// "audio" or "bus".
    kind: &'static str,
    /// Fader in dB.
    gain_db: f64,
    /// -1 left, 0 center, 1 right.
    pan: f64,
    mute: bool,
    solo: bool,
    /// "master", or the id of the bus it plays to.
    output: String,
    /// The id of the group it is in.
    group: Option<String>,
    /// Number of clips on it.
    clip_count: usize,
}

/// Number of clips on each track that has any.
pub(super) fn clip_counts(session: &Session) -> BTreeMap<TrackId, usize> {
    let mut counts = BTreeMap::new();
    session.clips.values().for_each(|clip| *counts.entry(clip.track).or_default() += 1);
    counts
}

pub(super) fn track_row(
    session: &Session,
    counts: &BTreeMap<TrackId, usize>,
    id: TrackId,
    track: &Track,
) -> TrackRow {
    TrackRow {
        id: id.to_string(),
        name: track.name.clone(),
        kind: match track.kind {
            TrackKind::Audio => "audio",
            TrackKind::Bus => "bus",
        },
        gain_db: rounded(track.gain.0),
        pan: rounded(track.pan),
        mute: track.mute,
        solo: track.solo,
        output: match track.output {
            Output::Master => "master".into(),
            Output::Bus(bus) => bus.to_string(),
        },
        group: session.group_of(id).map(|(group, _)| group.to_string()),
        clip_count: counts.get(&id).copied().unwrap_or_default(),
    }
}

/// A clip.
#[derive(Debug, Serialize, JsonSchema)]
struct ClipRow {
    id: String,
    name: String,
    /// The id of its track.
    track: String,
    /// The id of its source.
    source: String,
    /// Where it starts on the timeline, in seconds.
    position_s: f64,
    length_s: f64,
    /// Where it starts in its source, in seconds.
    source_start_s: f64,
    /// Clip gain in dB.
    gain_db: f64,
    fade_in_s: f64,
    fade_out_s: f64,
}

/// A marker.
#[derive(Debug, Serialize, JsonSchema)]
struct MarkerRow {
    id: String,
    name: String,
    position_s: f64,
    /// 0 for a point in time.
    length_s: f64,
    /// Its code, if it has one.
    code: Option<String>,
}

/// Which clips.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ClipParams {
    /// Only these clips, or the clips of these tracks and groups; omitted: all.
    targets: Option<Targets>,
    /// Most rows to return; omitted: 100.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<u32>,
    /// Rows to skip first.
    offset: Option<u32>,
}

fn list_tracks_tool() -> HouseTool {
    let about = About::read(
        "list_tracks",
        "List tracks",
        "Tracks and buses in their order, with ids, names, kind, fader, pan, mute, solo, output, group \
         and number of clips.",
        Category::Organize,
        json!({"limit": 50}),
    );
    reads(about, list_tracks)
}

fn list_tracks(page: Page, bridge: &Bridge) -> Result<(String, Listed<TrackRow>), ToolError> {
    let session = bridge.session();
    let counts = clip_counts(session);
    let tracks = session.tracks_in_order();
    let list = page.of(tracks, |(id, track)| track_row(session, &counts, id, track));
    Ok((list.said("track"), list))
}

fn list_clips_tool() -> HouseTool {
    let about = About::read(
        "list_clips",
        "List clips",
        "Clips by track and time, with ids, names, track, source, position, length, gain and fades.",
        Category::Edit,
        json!({"targets": "all", "limit": 50}),
    );
    reads(about, list_clips)
}

fn list_clips(params: ClipParams, bridge: &Bridge) -> Result<(String, Listed<ClipRow>), ToolError> {
    let ClipParams { targets, limit, offset } = params;
    let (session, page) = (bridge.session(), Page { limit, offset });
    let row = |(id, clip): (ClipId, &Clip)| clip_row(session, id, clip);
    let list = match targets {
        Some(targets) => {
            let ids = targets.clips(session)?.into_iter();
            page.of(ids.filter_map(|id| session.clips.get(&id).map(|clip| (id, clip))), row)
        }
        None => page.of(in_order(session), row),
    };
    Ok((list.said("clip"), list))
}

/// All clips by the order of tracks, then time.
fn in_order(session: &Session) -> Vec<(ClipId, &Clip)> {
    let places = session.track_order.iter().enumerate().map(|(place, id)| (*id, place));
    let places: BTreeMap<TrackId, usize> = places.collect();
    let mut clips: Vec<_> = session.clips.iter().map(|(id, clip)| (*id, clip)).collect();
    clips.sort_by_key(|(id, clip)| (places.get(&clip.track).copied(), clip.position, *id));
    clips
}

fn clip_row(session: &Session, id: ClipId, clip: &Clip) -> ClipRow {
    let s = |frames| seconds(frames, session.rate);
    ClipRow {
        id: id.to_string(),
        name: clip.name.clone(),
        track: clip.track.to_string(),
        source: clip.source.to_string(),
        position_s: s(clip.position),
        length_s: s(clip.length),
        source_start_s: s(clip.start),
        gain_db: rounded(clip.gain.0),
        fade_in_s: s(clip.fade_in.length),
        fade_out_s: s(clip.fade_out.length),
    }
}

fn list_markers_tool() -> HouseTool {
    let about = About::read(
        "list_markers",
        "List markers",
        "Markers by time: named points (length 0) and ranges, with their codes.",
        Category::Navigate,
        json!({"limit": 50}),
    );
    reads(about, list_markers)
}

fn list_markers(page: Page, bridge: &Bridge) -> Result<(String, Listed<MarkerRow>), ToolError> {
    let session = bridge.session();
    let mut markers: Vec<_> = session.markers.iter().collect();
    markers.sort_by_key(|(id, marker)| (marker.position, **id));
    let list = page.of(markers, |(id, marker)| marker_row(session, *id, marker));
    Ok((list.said("marker"), list))
}

fn marker_row(session: &Session, id: MarkerId, marker: &Marker) -> MarkerRow {
    MarkerRow {
        id: id.to_string(),
        name: marker.name.clone(),
        position_s: seconds(marker.position, session.rate),
        length_s: seconds(marker.length, session.rate),
        code: marker.code.clone(),
    }
}
