//! The resources that can be read by their handles: the session and its parts, its words, plans, tools,
//! events, and files of the session folder that can be heard or seen.

use crate::connection::Line;
use crate::desk::Desk;
use crate::file;
use crate::words::{self, Found, Words};
use deskhand_protocol::clean::{clean, clean_json};
use deskhand_protocol::transcript_tables::is_unfinished;
use deskhand_protocol::{Read, Snapshot};
use deskhand_session::handle::{Handle, ParseHandleError, SCHEME};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{PlanId, PlanState, StoredPlan, TrackId};
use rmcp::model::{ErrorData, Resource, ResourceContents, ResourceTemplate};
use serde_json::{Value, json};
use std::sync::Arc;

/// Where the last events are.
const EVENTS: &str = "deskhand://events";

/// The type of everything but files and text.
const JSON: &str = "application/json";
const PLAIN: &str = "text/plain";

/// Tracks and plans that are listed; the others are reached by their handles.
const LISTED: usize = 100;

/// Clips of a track that are shown.
const CLIPS: usize = 1_000;

/// What can be read, with the names of tracks and of plans that wait.
pub(crate) async fn list(desk: &Desk) -> Result<Vec<Resource>, ToolError> {
    let Ok(line) = desk.line().await else {
        return Ok(Vec::new());
    };
    let fixed = [
        ("session", "Session", "The session at a glance"),
        ("history", "History", "Its revisions"),
        ("events", "Events", "What happened last"),
    ];
    let mut found: Vec<Resource> = fixed
        .iter()
        .map(|(path, name, words)| {
            let uri = format!("{SCHEME}{path}");
            Resource::new(uri, *name).with_description(*words).with_mime_type(JSON)
        })
        .collect();
    let snapshot: Snapshot = line.read(Read::Snapshot).await?;
    for (id, track) in snapshot.session.tracks_in_order().take(LISTED) {
        let name = clean(&track.name, 200);
        let title = format!("Track {name}");
        let uri = Handle::Track(id).to_string();
        found.push(Resource::new(uri, name).with_title(title).with_mime_type(JSON));
    }
    for (uri, name, words) in words::listed(&snapshot.session, LISTED) {
        let title = format!("{name}: {}", words.to_lowercase());
        let resource = Resource::new(uri, name).with_title(title).with_description(words);
        found.push(resource.with_mime_type(JSON));
    }
    let waiting = snapshot.plans.iter().filter(|(_, state)| **state == PlanState::Waiting);
    for (id, _) in waiting.take(LISTED) {
        let resource = Resource::new(Handle::Plan(*id).to_string(), id.to_string());
        found.push(resource.with_title("A plan that waits").with_mime_type(JSON));
    }
    Ok(found)
}

/// Resources that can be read by id or path.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let all = [
        ("tracks/{id}", "track", "A track or bus with its clips"),
        ("clips/{id}", "clip", "A clip"),
        ("sources/{id}", "source", "A source of the library"),
        ("markers/{id}", "marker", "A marker"),
        ("plans/{id}", "plan", "A plan: changes, findings, predicted, state, receipt"),
        (
            "transcripts/{id}",
            "transcript",
            "What is said in a source; ?from=N for the rest of a long one",
        ),
        ("transcripts/{id}/text", "transcript_text", "What is said in a source, as lines of text"),
        (
            "transcripts/{id}/words",
            "transcript_words",
            "What is said in a source, with the time of each word; ?from=N for the rest of a long one",
        ),
        ("codes/{id}", "code", "A code, with what is coded with it; ?from=N for the rest of many"),
        ("segments/{id}", "segment", "A segment: its words with their times, its codes, its memo"),
        ("phrases/{id}", "phrase", "A phrase of the assembly"),
        ("tools/{name}", "tool", "A tool: parameters, trust, examples"),
        ("files/{+path}", "file", "Audio or a picture inside the session folder, at most 8 MB"),
    ];
    all.iter()
        .map(|(path, name, words)| {
            let template = ResourceTemplate::new(format!("{SCHEME}{path}"), *name);
            let template = template.with_title(*words).with_description(*words);
            match *name {
                "file" => template,
                "transcript_text" => template.with_mime_type(PLAIN),
                _ => template.with_mime_type(JSON),
            }
        })
        .collect()
}

/// Whether a client may get notices when this changes.
pub(crate) fn can_be_watched(uri: &str) -> bool {
    uri == EVENTS || Words::of(uri).is_some() || uri.parse::<Handle>().is_ok()
}

pub(crate) async fn read(desk: &Desk, uri: &str) -> Result<ResourceContents, ErrorData> {
    let missing = |error: ToolError| {
        let message = clean(&error.to_string(), 500);
        ErrorData::resource_not_found(message, Some(json!({"uri": clean(uri, 500)})))
    };
    let line = desk.line().await.map_err(missing)?;
    if let Some(words) = Words::of(uri) {
        let snapshot: Snapshot = line.read(Read::Snapshot).await.map_err(missing)?;
        let found = words.read(&snapshot).ok_or_else(|| missing(nothing(&clean(uri, 500))))?;
        let found = match words.is_transcript() {
            true => with_what_is_left(&line, &snapshot, found).await.map_err(missing)?,
            false => found,
        };
        return Ok(match found {
            Found::Json(value) => {
                let text = clean_json(value).to_string();
                ResourceContents::text(text, uri).with_mime_type(JSON)
            }
            // Each of its lines is clean already.
            Found::Plain(text) => ResourceContents::text(text, uri).with_mime_type(PLAIN),
        });
    }
    let value = if uri == EVENTS {
        json!({"events": line.events()})
    } else {
        let handle = uri.parse::<Handle>().map_err(|error| missing(unknown(uri, &error)))?;
        if let Handle::File(path) = &handle {
            return file::read(&line.dir, path, uri).await.map_err(missing);
        }
        value_of(&line, &handle).await.map_err(missing)?
    };
    let text = clean_json(value).to_string();
    Ok(ResourceContents::text(text, uri).with_mime_type(JSON))
}

/// The words, with a note about an unfinished transcription, if there is one: then the words are
/// incomplete.
async fn with_what_is_left(
    line: &Arc<Line>,
    snapshot: &Snapshot,
    found: Found,
) -> Result<Found, ToolError> {
    let waiting = snapshot.plans.iter().filter(|(_, state)| **state == PlanState::Waiting);
    let waiting: Vec<PlanId> = waiting.map(|(id, _)| *id).collect();
    let tools = if waiting.is_empty() { Vec::new() } else { line.tools().await? };
    for id in waiting {
        let stored: StoredPlan = line.read(Read::Plan { plan: id }).await?;
        let tool = tools.iter().find(|tool| tool.name == stored.plan.tool);
        if tool.is_some_and(|tool| is_unfinished(&stored, &tool.effects)) {
            return Ok(found.unfinished(id, snapshot.running.get(&id).copied()));
        }
    }
    Ok(found)
}

/// Names and ids that fit a template and begin like `typed`, as far as the protocol takes them.
pub(crate) async fn complete(desk: &Desk, template: &str, typed: &str) -> Vec<String> {
    let Ok(line) = desk.line().await else {
        return Vec::new();
    };
    let mut found: Vec<String> = match template.strip_prefix(SCHEME) {
        Some("tools/{name}") => {
            let tools = line.tools().await.unwrap_or_default();
            tools.into_iter().map(|info| info.name).collect()
        }
        Some(path) => match line.read::<Snapshot>(Read::Snapshot).await {
            Ok(snapshot) => ids(&snapshot, path),
            Err(_) => Vec::new(),
        },
        None => Vec::new(),
    };
    found.retain(|id| id.starts_with(typed));
    found.truncate(100);
    found
}

fn ids(snapshot: &Snapshot, path: &str) -> Vec<String> {
    let session = &snapshot.session;
    match path {
        "tracks/{id}" => session.track_order.iter().map(ToString::to_string).collect(),
        "clips/{id}" => session.clips.keys().map(ToString::to_string).collect(),
        "sources/{id}" => session.sources.keys().map(ToString::to_string).collect(),
        "markers/{id}" => session.markers.keys().map(ToString::to_string).collect(),
        "transcripts/{id}" | "transcripts/{id}/text" | "transcripts/{id}/words" => {
            words::transcribed(session).iter().map(ToString::to_string).collect()
        }
        "codes/{id}" => session.codes.keys().map(ToString::to_string).collect(),
        "segments/{id}" => session.segments.keys().map(ToString::to_string).collect(),
        "phrases/{id}" => session.phrases.keys().map(ToString::to_string).collect(),
        "plans/{id}" => snapshot.plans.keys().map(ToString::to_string).collect(),
        _ => Vec::new(),
    }
}

async fn value_of(line: &Arc<Line>, handle: &Handle) -> Result<Value, ToolError> {
    match handle {
        Handle::Session => line.ask("get_session").await,
        Handle::History => line.ask("get_history").await,
        Handle::Plan(plan) => {
            let stored: StoredPlan = line.read(Read::Plan { plan: *plan }).await?;
            Ok(json!(stored))
        }
        Handle::Tool(name) => {
            let tools = line.tools().await?;
            let info = tools.into_iter().find(|info| info.name == *name);
            info.map(|info| json!(info)).ok_or_else(|| nothing(handle))
        }
        Handle::Track(_) | Handle::Clip(_) | Handle::Source(_) | Handle::Marker(_) => {
            let snapshot: Snapshot = line.read(Read::Snapshot).await?;
            part_of(&snapshot, handle).ok_or_else(|| nothing(handle))
        }
        // Words have been read already.
        Handle::Talk(_) | Handle::File(_) => Err(nothing(handle)),
    }
}

fn part_of(snapshot: &Snapshot, handle: &Handle) -> Option<Value> {
    let session = &snapshot.session;
    match handle {
        Handle::Track(id) => track(snapshot, *id),
        Handle::Clip(id) => session.clips.get(id).map(|clip| json!({"id": id, "clip": clip})),
        Handle::Source(id) => {
            session.sources.get(id).map(|source| json!({"id": id, "source": source}))
        }
        Handle::Marker(id) => {
            session.markers.get(id).map(|marker| json!({"id": id, "marker": marker}))
        }
        Handle::Session
        | Handle::Plan(_)
        | Handle::History
        | Handle::Talk(_)
        | Handle::Tool(_)
        | Handle::File(_) => None,
    }
}

fn track(snapshot: &Snapshot, id: TrackId) -> Option<Value> {
    let track = snapshot.session.tracks.get(&id)?;
    let clips = snapshot.session.clips_on(id);
    let shown: Vec<_> =
        clips.iter().take(CLIPS).map(|(id, clip)| json!({"id": id, "clip": clip})).collect();
    Some(json!({
        "id": id, "revision": snapshot.head, "track": track,
        "clips": shown, "clips_left_out": clips.len().saturating_sub(CLIPS),
    }))
}

/// Handles with the id of a code or of a segment are read here alone, so the list in `error` does not have them.
fn unknown(uri: &str, error: &ParseHandleError) -> ToolError {
    const ALSO: &str = "here also codes/ID and segments/ID: see resources/templates/list";
    let (message, fix) = match (words::wrong_id(uri), error) {
        (Some((error, list)), _) => {
            (error, format!("read {SCHEME}{list} for the ids that are there"))
        }
        (None, ParseHandleError::Unknown(_)) => (error.to_string(), ALSO.into()),
        (None, _) => (error.to_string(), "see resources/templates/list".into()),
    };
    ToolError::prepare(Code::NoTarget, message, fix)
}

fn nothing(handle: &impl std::fmt::Display) -> ToolError {
    let message = format!("there is nothing at {handle}");
    ToolError::prepare(Code::NoTarget, message, "call get_session for the ids that are there")
}

#[cfg(test)]
mod tests;
