//! Time taken out of, or put into, all tracks of a group at once.

use crate::about::command;
use crate::find::{clock, frames};
use crate::words::{names, trimmed};
use deskhand_dsp::Frames;
use deskhand_session::{Change, ClipId, Edit, Group, GroupId, IdSeed, Ripple, Session, TrackId};
use deskhand_toolkit::{
    Category, Code, Command, CommandCall, Draft, Targets, ToolError, ToolSpec, Trust,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `cmd_ripple_delete`.
pub(super) struct RippleDelete;
/// `cmd_ripple_insert`.
pub(super) struct RippleInsert;

/// Which group, and which time.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Deleted {
    /// A group, or tracks of one group.
    #[serde(default)]
    targets: Targets,
    /// First moment that goes, in seconds.
    #[schemars(range(min = 0.0))]
    start_s: f64,
    /// First moment that stays, in seconds.
    #[schemars(range(min = 0.0))]
    end_s: f64,
}

/// Which group, and how much time where.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Inserted {
    /// A group, or tracks of one group.
    #[serde(default)]
    targets: Targets,
    /// Where the time goes in, in seconds.
    #[schemars(range(min = 0.0))]
    at_s: f64,
    /// How much, in seconds.
    #[schemars(range(min = 0.0))]
    length_s: f64,
}

/// The one group that all targets are in.
fn group<'a>(session: &'a Session, targets: &Targets) -> Result<(GroupId, &'a Group), ToolError> {
    group_of(session, &targets.tracks(session)?)
}

/// The one group that all tracks are in.
pub(super) fn group_of<'a>(
    session: &'a Session,
    tracks: &[TrackId],
) -> Result<(GroupId, &'a Group), ToolError> {
    let mut found: Option<(GroupId, &Group)> = None;
    for &track in tracks {
        let name = session.name_of(track.into());
        let group = session.group_of(track).ok_or_else(|| ungrouped(&name))?;
        match found {
            Some((id, first)) if id != group.0 => return Err(several(first, group.1)),
            _ => found = Some(group),
        }
    }
    found.ok_or_else(|| ungrouped("it"))
}

fn ungrouped(track: &str) -> ToolError {
    let message = format!("\"{track}\" is in no group, and a ripple moves the tracks of one group");
    let fix = "group the tracks first with cmd_set_group";
    ToolError::prepare(Code::NoTarget, message, fix)
}

fn several(first: &Group, second: &Group) -> ToolError {
    let message = format!("the targets are in \"{}\" and in \"{}\"", first.name, second.name);
    ToolError::prepare(Code::NoTarget, message, "call it once for each group")
}

/// Makes ids for the second pieces of clips.
pub(crate) fn clip_ids(ids: &mut IdSeed) -> impl FnMut() -> ClipId {
    || ClipId::new(ids.next_bits())
}

pub(super) fn is_behind_everything(session: &Session, group: &Group, at: Frames) -> bool {
    let mut clips = session.clips.values().filter(|clip| group.tracks.contains(&clip.track));
    clips.all(|clip| clip.end() <= at)
}

/// A draft of one ripple that tells which other tracks move along.
fn draft(session: &Session, group: &Group, targets: &Targets, summary: String) -> Draft {
    let mut draft = Draft::new(summary);
    let meant = targets.tracks(session).unwrap_or_default();
    draft.warnings.extend(moves_along(session, group, &meant));
    draft
}

/// Which tracks of the group move along without being meant.
pub(super) fn moves_along(session: &Session, group: &Group, meant: &[TrackId]) -> Option<String> {
    let others = group.tracks.iter().filter(|track| !meant.contains(track));
    let others: Vec<String> = others.map(|track| session.name_of((*track).into())).collect();
    let along = || format!("{} of the group \"{}\" move along", names(&others), group.name);
    (!others.is_empty()).then(along)
}

/// Takes the time from `start` to `end` out of the group.
pub(super) fn close(
    session: &Session,
    (id, group): (GroupId, &Group),
    (start, end): (Frames, Frames),
    ids: &mut IdSeed,
) -> Change {
    let before = Ripple::now(session, &group.tracks, start, end - start);
    let after = before.closed(clip_ids(ids));
    Change::RippleDelete(Edit::new(id, before, after))
}

/// Puts `length` frames of time into the group at `at`.
pub(super) fn open(
    session: &Session,
    (id, group): (GroupId, &Group),
    (at, length): (Frames, Frames),
    ids: &mut IdSeed,
) -> Change {
    let before = Ripple::now(session, &group.tracks, at, Frames::ZERO);
    let after = before.opened(length, clip_ids(ids));
    Change::RippleInsert(Edit::new(id, before, after))
}

impl Command for RippleDelete {
    type Params = Deleted;

    fn spec() -> ToolSpec {
        command(
            "cmd_ripple_delete",
            "Delete time",
            "Removes a stretch of time from all tracks of a group and closes the gap: the tracks stay \
             in sync.",
            Category::Edit,
            Trust::Suggest,
            json!({"targets": "Interview group", "start_s": 61.0, "end_s": 75.5}),
        )
    }

    fn plan(params: Deleted, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let (id, group) = group(call.session, &params.targets)?;
        let rate = call.session.rate;
        let (start, end) = (frames(params.start_s, rate), frames(params.end_s, rate));
        if start >= end {
            let message = format!("the time ends at {} s, before it starts", params.end_s);
            return Err(ToolError::prepare(
                Code::BadParams,
                message,
                "give `end_s` after `start_s`",
            ));
        }
        if is_behind_everything(call.session, group, start) {
            return Ok(Draft::new(format!("Nothing of \"{}\" is there to delete", group.name)));
        }
        let (from, to) = (clock(start, rate), clock(end, rate));
        let summary = format!("Delete {from} to {to} from \"{}\" and close the gap", group.name);
        let mut draft = draft(call.session, group, &params.targets, summary);
        let change = close(call.session, (id, group), (start, end), &mut call.ids);
        draft.change(change, group.name.clone(), "as asked");
        Ok(draft)
    }
}

impl Command for RippleInsert {
    type Params = Inserted;

    fn spec() -> ToolSpec {
        command(
            "cmd_ripple_insert",
            "Insert time",
            "Inserts a stretch of silence into all tracks of a group; clips across it are split, the \
             tracks stay in sync.",
            Category::Edit,
            Trust::Suggest,
            json!({"targets": "Interview group", "at_s": 61.0, "length_s": 5.0}),
        )
    }

    fn plan(params: Inserted, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let (id, group) = group(call.session, &params.targets)?;
        let rate = call.session.rate;
        let (at, length) = (frames(params.at_s, rate), frames(params.length_s, rate));
        if length <= Frames::ZERO || is_behind_everything(call.session, group, at) {
            return Ok(Draft::new(format!("No clip of \"{}\" would move", group.name)));
        }
        let summary = format!(
            "Insert {} s at {} into \"{}\"",
            trimmed(params.length_s, 3),
            clock(at, rate),
            group.name
        );
        let mut draft = draft(call.session, group, &params.targets, summary);
        let change = open(call.session, (id, group), (at, length), &mut call.ids);
        draft.change(change, group.name.clone(), "as asked");
        Ok(draft)
    }
}
