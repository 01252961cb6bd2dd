//! `get_session` and `get_selection`: the session at a glance.

use super::answers::{Listed, Named, Page, Span, rounded, seconds};
use super::lists::{TrackRow, track_row};
use super::tool::{About, HouseTool, Look, Nothing};
use crate::bridge::Bridge;
use deskhand_session::tool_error::ToolError;
use deskhand_session::{ObjectId, Session};
use deskhand_toolkit::Category;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

pub(super) fn tools() -> Vec<HouseTool> {
    vec![GetSession::tool(), GetSelection::tool()]
}

struct GetSession;
struct GetSelection;

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
    tempo: Vec<TempoRow>,
    /// Meter over time.
    meter: Vec<MeterRow>,
    /// What is selected.
    selection: SelectionAnswer,
    /// Tracks and buses in their order.
    tracks: Listed<TrackRow>,
    /// Groups of tracks that are edited together.
    groups: Vec<GroupRow>,
    /// Number of clips.
    clips: usize,
    /// Number of sources in the library.
    sources: usize,
    /// Number of markers.
    markers: usize,
    /// Plans that wait for a person.
    plans_waiting: Vec<String>,
}

/// A tempo from a time on.
#[derive(Debug, Serialize, JsonSchema)]
struct TempoRow {
    at_s: f64,
    /// Quarter notes a minute.
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

/// What is selected.
#[derive(Debug, Serialize, JsonSchema)]
struct SelectionAnswer {
    /// Selected tracks.
    tracks: Vec<Named>,
    /// Selected clips.
    clips: Vec<Named>,
    /// Selected time.
    range: Option<Span>,
    /// The source that is worked on in the library.
    current_source: Option<Named>,
}

impl Look for GetSession {
    type Params = Page;
    type Answer = SessionAnswer;

    fn about() -> About {
        About::read(
            "get_session",
            "The session",
            "The session at a glance: its tracks and buses with ids, names, kind, fader, pan, mute, solo, \
             output and number of clips (`limit` and `offset` page through them), groups, selection, \
             tempo, sample rate, length and revision. Call it first, and after something changed. \
             list_clips, list_sources and list_markers say more.",
            Category::Organize,
            json!({}),
        )
    }

    fn look(page: Page, bridge: &Bridge) -> Result<(String, SessionAnswer), ToolError> {
        let session = bridge.session();
        let rate = session.rate;
        let tracks =
            page.of(session.tracks_in_order(), |(id, track)| track_row(session, id, track));
        let groups = session.groups.iter().map(|(id, group)| GroupRow {
            id: id.to_string(),
            name: group.name.clone(),
            tracks: group.tracks.iter().map(ToString::to_string).collect(),
        });
        let answer = SessionAnswer {
            id: session.id.to_string(),
            revision: bridge.history().head().0,
            rate: rate.0,
            length_s: seconds(session.end(), rate),
            master_gain_db: rounded(session.master_gain.0),
            tempo: tempo(session),
            meter: meter(session),
            selection: selection(session),
            tracks,
            groups: groups.collect(),
            clips: session.clips.len(),
            sources: session.sources.len(),
            markers: session.markers.len(),
            plans_waiting: bridge.waiting_plans().map(|id| id.to_string()).collect(),
        };
        let summary = format!("{} at revision {}", answer.tracks.said("track"), answer.revision);
        Ok((summary, answer))
    }
}

impl Look for GetSelection {
    type Params = Nothing;
    type Answer = SelectionAnswer;

    fn about() -> About {
        About::read(
            "get_selection",
            "What is selected",
            "The selected tracks, clips and time, and the current source of the library. Tools that are \
             called without targets work on it. cmd_set_selection changes it.",
            Category::Navigate,
            json!({}),
        )
    }

    fn look(_: Nothing, bridge: &Bridge) -> Result<(String, SelectionAnswer), ToolError> {
        let answer = selection(bridge.session());
        let range = if answer.range.is_some() { " and a range of time" } else { "" };
        let (tracks, clips) = (answer.tracks.len(), answer.clips.len());
        Ok((format!("selected: tracks {tracks}, clips {clips}{range}"), answer))
    }
}

/// What it names and what is still there.
fn selection(session: &Session) -> SelectionAnswer {
    let selection = &session.selection;
    let named = |object: ObjectId| Named::new(session, object);
    let tracks = selection.tracks.iter().filter(|id| session.tracks.contains_key(id));
    let clips = selection.clips.iter().filter(|id| session.clips.contains_key(id));
    let range = selection.range.map(|range| Span {
        start_s: seconds(range.start, session.rate),
        end_s: seconds(range.end, session.rate),
    });
    SelectionAnswer {
        tracks: tracks.map(|id| named((*id).into())).collect(),
        clips: clips.map(|id| named((*id).into())).collect(),
        range,
        current_source: session.current_source.map(|id| named(id.into())),
    }
}

fn tempo(session: &Session) -> Vec<TempoRow> {
    let row = |point: &deskhand_session::TempoPoint| TempoRow {
        at_s: seconds(point.position, session.rate),
        bpm: rounded(point.bpm),
    };
    session.tempo.iter().map(row).collect()
}

fn meter(session: &Session) -> Vec<MeterRow> {
    let row = |point: &deskhand_session::MeterPoint| MeterRow {
        at_s: seconds(point.position, session.rate),
        meter: format!("{}/{}", point.meter.numerator, point.meter.denominator),
    };
    session.meter.iter().map(row).collect()
}
