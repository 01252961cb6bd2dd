//! `list_sources`: the library.

use super::answers::{Listed, Page, seconds};
use super::tool::{About, HouseTool, reads};
use crate::bridge::Bridge;
use crate::passes::Take;
use deskhand_session::tool_error::ToolError;
use deskhand_session::{Session, Source, SourceId};
use deskhand_toolkit::{Category, ToolSpec};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;

pub(super) fn tools() -> Vec<HouseTool> {
    vec![list_sources_tool().and(ToolSpec::core)]
}

/// A source.
#[derive(Debug, Serialize, JsonSchema)]
struct SourceRow {
    source_id: String,
    name: String,
    duration_s: f64,
    /// Sample rate of the file in Hz.
    sample_rate: u32,
    channels: u16,
    /// Number of clips that play it.
    clip_count: usize,
    /// Format and sample format: "WAV 24 bit".
    format: String,
    /// Whether it is the current source.
    is_current: bool,
    /// Where a plugin instance recorded it. A take stays here when a newer take covers it.
    #[serde(skip_serializing_if = "Option::is_none")]
    take: Option<TakeRow>,
}

/// Where a take was recorded.
#[derive(Debug, Serialize, JsonSchema)]
struct TakeRow {
    /// The id of its track.
    track: String,
    /// Where it began, in seconds.
    at_s: f64,
}

fn list_sources_tool() -> HouseTool {
    let about = About::read(
        "list_sources",
        "List the library",
        "The sources: all audio files of the session, with or without clips; `take` is where a recording \
         began. select_source makes one current, cmd_add_clip places one on a track, import_audio adds \
         files.",
        Category::Library,
        json!({"limit": 50}),
    );
    reads(about, list_sources)
}

fn list_sources(page: Page, bridge: &Bridge) -> Result<(String, Listed<SourceRow>), ToolError> {
    let session = bridge.session();
    let mut counts = BTreeMap::new();
    session.clips.values().for_each(|clip| *counts.entry(clip.source).or_default() += 1);
    let takes = bridge.commits.takes();
    let take = |id| takes.get(&id).copied();
    let list =
        page.of(&session.sources, |(id, source)| row(session, &counts, (*id, source), take(*id)));
    Ok((list.said("source"), list))
}

fn row(
    session: &Session,
    counts: &BTreeMap<SourceId, usize>,
    (id, source): (SourceId, &Source),
    take: Option<Take>,
) -> SourceRow {
    SourceRow {
        source_id: id.to_string(),
        name: source.name.clone(),
        duration_s: seconds(source.frames, session.rate),
        sample_rate: source.rate.0,
        channels: source.channels,
        clip_count: counts.get(&id).copied().unwrap_or_default(),
        format: source.format.clone(),
        is_current: session.current_source == Some(id),
        take: take.map(|Take { track, at }| TakeRow {
            track: track.to_string(),
            at_s: seconds(at, session.rate),
        }),
    }
}
