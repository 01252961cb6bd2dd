//! `get_session` and `get_selection`: the session at a glance.

use super::answers::{Listed, Named, Page, Span, rounded, seconds};
use super::lists::{TrackRow, clip_counts, track_row};
use super::tool::{About, HouseTool, reads};
use crate::bridge::Bridge;
use deskhand_session::tool_error::ToolError;
use deskhand_session::{
    Group, GroupId, InsertId, InsertOwner, Meter, MeterPoint, ObjectId, PlacedInsert, Session,
    Switch, TempoPoint,
};
use deskhand_toolkit::{Category, ToolSpec};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

pub(super) fn tools() -> Vec<HouseTool> {
    vec![get_session_tool().and(ToolSpec::core), get_selection_tool().and(ToolSpec::core)]
}

/// The session at a glance.
#[derive(Debug, Serialize, JsonSchema)]
struct SessionAnswer {
    /// Its id.
    id: String,
    /// The revision it is at.
    revision: u64,
    /// Sample rate of the session in Hz.
    rate: u32,
    /// End of the last clip in seconds.
    length_s: f64,
    /// Gain of the mix in dB.
    master_gain_db: f64,
    /// Tempo over time.
    tempo: Listed<TempoRow>,
    /// Meter over time.
    meter: Listed<MeterRow>,
    /// The selection.
    selection: SelectionAnswer,
    /// Tracks and buses in their order.
    tracks: Listed<TrackRow>,
    /// Groups of tracks that are edited together.
    groups: Listed<GroupRow>,
    /// Processors of tracks, buses and the mix, each owner's in their order.
    inserts: Listed<InsertRow>,
    /// Number of clips.
    clips: usize,
    /// Number of sources in the library.
    sources: usize,
    /// Number of markers.
    markers: usize,
    /// Plans that wait for a person.
    plans_waiting: Listed<String>,
}

/// A tempo from a time on.
#[derive(Debug, Serialize, JsonSchema)]
struct TempoRow {
    at_s: f64,
    /// Quarter notes per minute.
    bpm: f64,
}

/// A meter from a time on.
#[derive(Debug, Serialize, JsonSchema)]
struct MeterRow {
    at_s: f64,
    /// Such as "4/4".
    meter: String,
}

/// A group.
#[derive(Debug, Serialize, JsonSchema)]
struct GroupRow {
    id: String,
    name: String,
    /// Ids of its tracks.
    tracks: Vec<String>,
}

/// A processor before a fader.
#[derive(Debug, Serialize, JsonSchema)]
struct InsertRow {
    id: String,
    /// Id of its track or bus, or `master`.
    on: String,
    /// Whether it is switched on.
    works: bool,
    /// Its kind and settings.
    effect: Value,
}

/// The selection.
#[derive(Debug, Serialize, JsonSchema)]
struct SelectionAnswer {
    /// Selected tracks.
    tracks: Listed<Named>,
    /// Selected clips.
    clips: Listed<Named>,
    /// Selected time.
    range: Option<Span>,
    /// The current source of the library.
    current_source: Option<Named>,
}

fn get_session_tool() -> HouseTool {
    let about = About::read(
        "get_session",
        "The session",
        "Overview of the session: tracks and buses with ids, names, kind, fader, pan, mute, solo, output \
         and number of clips, processors, groups, selection, tempo, sample rate, length and revision; \
         `limit` and `offset` page its lists. Call it first, and after changes. list_clips, list_sources \
         and list_markers have more.",
        Category::Organize,
        json!({}),
    );
    reads(about, get_session)
}

fn get_session(page: Page, bridge: &Bridge) -> Result<(String, SessionAnswer), ToolError> {
    let session = bridge.session();
    let counts = clip_counts(session);
    let tracks = session.tracks_in_order();
    let answer = SessionAnswer {
        id: session.id.to_string(),
        revision: bridge.history().head().0,
        rate: session.rate.0,
        length_s: seconds(session.end(), session.rate),
        master_gain_db: rounded(session.master_gain.0),
        tempo: page.of(&session.tempo, |point| tempo(session, point)),
        meter: page.of(&session.meter, |point| meter(session, point)),
        selection: selection(session, page),
        tracks: page.of(tracks, |(id, track)| track_row(session, &counts, id, track)),
        groups: page.of(&session.groups, group),
        inserts: page.of(inserts(session), insert),
        clips: session.clips.len(),
        sources: session.sources.len(),
        markers: session.markers.len(),
        plans_waiting: page.of(bridge.plans.waiting(), |id| id.to_string()),
    };
    let summary = format!("{} at revision {}", answer.tracks.said("track"), answer.revision);
    Ok((summary, answer))
}

fn get_selection_tool() -> HouseTool {
    let about = About::read(
        "get_selection",
        "The selection",
        "The selected tracks, clips and time, and the current source of the library. Tools without targets \
         work on the selection. cmd_set_selection changes it.",
        Category::Navigate,
        json!({}),
    );
    reads(about, get_selection)
}

fn get_selection(page: Page, bridge: &Bridge) -> Result<(String, SelectionAnswer), ToolError> {
    let answer = selection(bridge.session(), page);
    let range = if answer.range.is_some() { " and a range of time" } else { "" };
    let (tracks, clips) = (answer.tracks.said("track"), answer.clips.said("clip"));
    Ok((format!("selected: {tracks}, {clips}{range}"), answer))
}

/// The selected objects that still exist.
fn selection(session: &Session, page: Page) -> SelectionAnswer {
    let selection = &session.selection;
    let named = |object: ObjectId| Named::new(session, object);
    let tracks = selection.tracks.iter().filter(|id| session.tracks.contains_key(id));
    let clips = selection.clips.iter().filter(|id| session.clips.contains_key(id));
    let range = selection.range.map(|range| Span {
        start_s: seconds(range.start, session.rate),
        end_s: seconds(range.end, session.rate),
    });
    SelectionAnswer {
        tracks: page.of(tracks, |id| named((*id).into())),
        clips: page.of(clips, |id| named((*id).into())),
        range,
        current_source: session.current_source.map(|id| named(id.into())),
    }
}

/// The mix's last, as its sound comes last.
fn inserts(session: &Session) -> Vec<(InsertId, &PlacedInsert)> {
    let tracks = session.track_order.iter().map(|id| InsertOwner::Track(*id));
    let owners = tracks.chain([InsertOwner::Master]);
    owners.flat_map(|owner| session.inserts_on(owner)).collect()
}

fn insert((id, placed): (InsertId, &PlacedInsert)) -> InsertRow {
    InsertRow {
        id: id.to_string(),
        on: match placed.on {
            InsertOwner::Master => "master".into(),
            InsertOwner::Track(track) => track.to_string(),
        },
        works: placed.switch == Switch::On,
        effect: serde_json::to_value(&placed.effect).unwrap_or_default(),
    }
}

fn group((id, group): (&GroupId, &Group)) -> GroupRow {
    GroupRow {
        id: id.to_string(),
        name: group.name.clone(),
        tracks: group.tracks.iter().map(ToString::to_string).collect(),
    }
}

fn tempo(session: &Session, point: &TempoPoint) -> TempoRow {
    TempoRow { at_s: seconds(point.position, session.rate), bpm: rounded(point.bpm) }
}

fn meter(session: &Session, point: &MeterPoint) -> MeterRow {
    let Meter { numerator, denominator } = point.meter;
    let meter = format!("{numerator}/{denominator}");
    MeterRow { at_s: seconds(point.position, session.rate), meter }
}
