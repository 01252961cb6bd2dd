//! Clips as a whole: add, remove, duplicate, move, rename.

use super::overlaps;
use crate::about::command;
use crate::find::{self, clock, frames};
use crate::words::{subject, trimmed};
use deskhand_dsp::{Decibels, Fade, Frames};
use deskhand_session::{Change, Clip, ClipId, ClipPlace, Edit, Selection, Session, TrackId};
use deskhand_toolkit::{
    Category, Code, Command, CommandCall, Draft, Targets, ToolError, ToolSpec, Trust,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;

/// `cmd_add_clip`.
pub(super) struct AddClip;
/// `cmd_remove_clip`.
pub(super) struct RemoveClip;
/// `cmd_duplicate_clip`.
pub(super) struct DuplicateClip;
/// `cmd_move_clip`.
pub(super) struct MoveClip;
/// `cmd_rename_clip`.
pub(super) struct RenameClip;

/// A new clip.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewClip {
    /// Id or name of the audio track.
    track: String,
    /// Id or name of the source in the library.
    source: String,
    /// Where it starts on the timeline, in seconds.
    #[schemars(range(min = 0.0))]
    at_s: f64,
    /// Where it starts in the source, in seconds; omitted: the start.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    start_s: f64,
    /// Its length in seconds; omitted: up to the end of the source.
    #[schemars(range(min = 0.0))]
    length_s: Option<f64>,
    /// Its name; omitted: that of the source.
    name: Option<String>,
}

/// Which clips.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Which {
    /// The clips; a track stands for its clips.
    #[serde(default)]
    targets: Targets,
}

/// Which clips, and where their copies go.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Copies {
    /// The clips; several keep their distances.
    #[serde(default)]
    targets: Targets,
    /// Where the first copy starts on the timeline, in seconds; omitted: right behind the last original.
    #[schemars(range(min = 0.0))]
    at_s: Option<f64>,
    /// Id or name of the audio track the copies are on; omitted: that of each original.
    track: Option<String>,
    /// Fade where a copy lies over a neighbor.
    #[serde(default)]
    crossfade: bool,
    /// Select the copies afterwards.
    #[serde(default)]
    select: bool,
}

/// Which clips, and where to.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Place {
    /// The clips; several keep their distances.
    #[serde(default)]
    targets: Targets,
    /// Where the first of them starts afterwards, in seconds. Give this or `by_s`, or only `track`.
    #[schemars(range(min = 0.0))]
    at_s: Option<f64>,
    /// How much later (positive) or earlier (negative), in seconds.
    by_s: Option<f64>,
    /// Id or name of the audio track they are on afterwards; omitted: their own.
    track: Option<String>,
    /// Fade where they then lie over a neighbor, and no more where they did.
    #[serde(default)]
    crossfade: bool,
}

/// Which clips, and their name.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Name {
    /// The clips.
    #[serde(default)]
    targets: Targets,
    /// The name, 1 to 200 characters.
    name: String,
}

impl Command for AddClip {
    type Params = NewClip;

    fn spec() -> ToolSpec {
        command(
            "cmd_add_clip",
            "Add a clip",
            "Places a region of a source from the library on an audio track.",
            Category::Edit,
            Trust::Suggest,
            json!({"track": "Voice", "source": "Interview", "at_s": 12.5, "length_s": 30.0}),
        )
    }

    fn plan(params: NewClip, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let session = call.session;
        let track = find::track(session, &params.track)?;
        let source = find::source(session, &params.source)?;
        let total = session.sources.get(&source).map_or(Frames::ZERO, |source| source.frames);
        let start = frames(params.start_s, session.rate);
        let length = params.length_s.map_or(total - start, |s| frames(s, session.rate));
        let name = params.name.unwrap_or_else(|| session.name_of(source.into()));
        let clip = Clip {
            name: name.clone(),
            track,
            source,
            start,
            length,
            position: frames(params.at_s, session.rate),
            gain: Decibels::UNITY,
            fade_in: Fade::default(),
            fade_out: Fade::default(),
            envelope: Vec::new(),
        };
        let (at, on) = (clock(clip.position, session.rate), session.name_of(track.into()));
        let mut draft = Draft::new(format!("Add \"{name}\" on \"{on}\" at {at}"));
        let id = ClipId::new(call.ids.next_bits());
        draft.change(Change::AddClip(Edit::create(id, clip)), name, "as asked");
        Ok(draft)
    }
}

/// The clips that are meant, with their values.
pub(super) fn clips(
    session: &Session,
    targets: &Targets,
) -> Result<Vec<(ClipId, Clip)>, ToolError> {
    let ids = targets.clips(session)?.into_iter();
    Ok(ids.filter_map(|id| Some((id, session.clips.get(&id)?.clone()))).collect())
}

/// The clips as a summary says them.
pub(super) fn said(clips: &[(ClipId, Clip)]) -> String {
    let names: Vec<String> = clips.iter().map(|(_, clip)| clip.name.clone()).collect();
    subject(&names, "clip")
}

impl Command for RemoveClip {
    type Params = Which;

    fn spec() -> ToolSpec {
        command(
            "cmd_remove_clip",
            "Remove clips",
            "Removes clips; their sources stay in the library, and other clips stay where they are.",
            Category::Edit,
            Trust::Suggest,
            json!({"targets": "selection"}),
        )
    }

    fn plan(params: Which, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let clips = clips(call.session, &params.targets)?;
        let mut draft = Draft::new(format!("Remove {}", said(&clips)));
        for (id, clip) in clips {
            let name = clip.name.clone();
            draft.change(Change::RemoveClip(Edit::remove(id, clip)), name, "as asked");
        }
        Ok(draft)
    }
}

impl Command for DuplicateClip {
    type Params = Copies;

    fn spec() -> ToolSpec {
        command(
            "cmd_duplicate_clip",
            "Duplicate clips",
            "Copies clips with their gain and fades: right behind the originals, or at a time, on the same \
             tracks or on another. Several keep their distances.",
            Category::Edit,
            Trust::Suggest,
            json!({"targets": "Chorus", "at_s": 64.0}),
        )
    }

    fn plan(params: Copies, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let session = call.session;
        let clips = clips(session, &params.targets)?;
        let track = params.track.as_deref().map(|name| find::track(session, name)).transpose()?;
        let first = earliest(&clips);
        let behind = clips.iter().map(|(_, clip)| clip.end()).max().unwrap_or(first);
        let at = params.at_s.map_or(behind, |at| frames(at, session.rate));
        let on = track.map(|track| format!(" on \"{}\"", session.name_of(track.into())));
        let place = format!("{}{}", clock(at, session.rate), on.unwrap_or_default());
        let mut draft = Draft::new(format!("Duplicate {} to {place}", said(&clips)));
        let (mut copies, mut selected) = (BTreeMap::new(), Selection::default());
        for (original, clip) in clips {
            let name = clip.name.clone();
            let track = track.unwrap_or(clip.track);
            let copy = Clip { position: clip.position + (at - first), track, ..clip };
            let id = ClipId::new(call.ids.next_bits());
            let change = Change::DuplicateClip(Edit::create(id, copy));
            copies.insert(id, draft.change(change, name, format!("a copy of {original}")));
            selected.clips.push(id);
            if !selected.tracks.contains(&track) {
                selected.tracks.push(track);
            }
        }
        if params.crossfade {
            crossfade(session, &copies, &mut draft);
        }
        if params.select {
            let change =
                Change::SetSelection(Edit::new(session.id, session.selection.clone(), selected));
            let needs = copies.into_values().collect();
            draft.dependent(change, "the selection".into(), "the copies", needs);
        }
        Ok(draft)
    }
}

/// Fades where the clips that a draft brings to their places lie over neighbors; `moves` is the change of each.
fn crossfade(session: &Session, moves: &BTreeMap<ClipId, String>, draft: &mut Draft) {
    let changes: Vec<Change> = draft.changes.iter().map(|planned| planned.change.clone()).collect();
    // What cannot be applied is refused where the plan is checked.
    if let Ok(after) = session.with(&changes) {
        overlaps::fade(session, &after, moves, draft);
    }
}

fn earliest(clips: &[(ClipId, Clip)]) -> Frames {
    clips.iter().map(|(_, clip)| clip.position).min().unwrap_or(Frames::ZERO)
}

impl Command for MoveClip {
    type Params = Place;

    fn spec() -> ToolSpec {
        command(
            "cmd_move_clip",
            "Move clips",
            "Moves clips to a time, by an amount of time, or to another audio track.",
            Category::Edit,
            Trust::Suggest,
            json!({"targets": "Take 2", "at_s": 8.0, "track": "Comp"}),
        )
    }

    fn plan(params: Place, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let session = call.session;
        let clips = clips(session, &params.targets)?;
        let shift = shift(&params, session, earliest(&clips))?;
        let track = params.track.as_deref().map(|name| find::track(session, name)).transpose()?;
        let mut draft = Draft::new(move_summary(session, &said(&clips), shift, track));
        let mut moves = BTreeMap::new();
        for (id, clip) in clips {
            let track = track.unwrap_or(clip.track);
            let after = ClipPlace { track, position: clip.position + shift };
            let change = Change::MoveClip(Edit::new(id, clip.place(), after));
            if !change.is_identity() {
                moves.insert(id, draft.change(change, clip.name, "as asked"));
            }
        }
        if params.crossfade {
            crossfade(session, &moves, &mut draft);
        }
        Ok(draft)
    }
}

fn shift(params: &Place, session: &Session, first: Frames) -> Result<Frames, ToolError> {
    match (params.at_s, params.by_s) {
        (Some(at), None) => Ok(frames(at, session.rate) - first),
        (None, Some(by)) => Ok(frames(by, session.rate)),
        (None, None) if params.track.is_some() => Ok(Frames::ZERO),
        (None, None) | (Some(_), Some(_)) => Err(ToolError::prepare(
            Code::BadParams,
            "a move is to a time or by an amount of time",
            "give exactly one of `at_s` and `by_s`, or `track` alone",
        )),
    }
}

fn move_summary(session: &Session, what: &str, shift: Frames, track: Option<TrackId>) -> String {
    let seconds = shift.seconds(session.rate).0;
    let time = match seconds {
        later if later > 0.0 => format!(" {} s later", trimmed(later, 3)),
        earlier if earlier < 0.0 => format!(" {} s earlier", trimmed(-earlier, 3)),
        _ => String::new(),
    };
    let to = track.map(|track| format!(" to \"{}\"", session.name_of(track.into())));
    format!("Move {what}{}{time}", to.unwrap_or_default())
}

impl Command for RenameClip {
    type Params = Name;

    fn spec() -> ToolSpec {
        command(
            "cmd_rename_clip",
            "Rename clips",
            "Names clips.",
            Category::Organize,
            Trust::Notify,
            json!({"targets": "selection", "name": "Verse 1"}),
        )
    }

    fn plan(params: Name, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let clips = clips(call.session, &params.targets)?;
        let mut draft = Draft::new(format!("Name {} \"{}\"", said(&clips), params.name));
        for (id, clip) in clips {
            let edit = Edit::new(id, clip.name.clone(), params.name.clone());
            if edit.before != edit.after {
                draft.change(Change::RenameClip(edit), clip.name, "as asked");
            }
        }
        Ok(draft)
    }
}
