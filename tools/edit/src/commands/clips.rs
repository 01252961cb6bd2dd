//! Clips as a whole: add, remove, duplicate, move, rename.

use super::landing::Landing;
use super::names::says_rename;
use super::overlaps;
use super::stretch::{Piece, Stretch};
use crate::assembly;
use deskhand_dsp::{Decibels, Fade, Frames, Polarity};
use deskhand_session::intent::{Intent, Kinds, Slot, TextKind};
use deskhand_session::text::{clock, subject, trimmed};
use deskhand_session::{Change, Clip, ClipId, ClipPlace, Edit, Selection, Session};
use deskhand_toolkit::about::command;
use deskhand_toolkit::find::{self, frames};
use deskhand_toolkit::{
    Category, Code, Command, CommandCall, Draft, Gesture, Offers, Targets, ToolError, ToolSpec,
    Trust,
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
    /// Start on the timeline, in seconds.
    #[schemars(range(min = 0.0))]
    at_s: f64,
    /// Start in the source, in seconds; omitted: the start.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    start_s: f64,
    /// Length in seconds; omitted: to the end of the source.
    #[schemars(range(min = 0.0))]
    length_s: Option<f64>,
    /// Name; omitted: the source's name.
    name: Option<String>,
}

/// Which clips.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Which {
    /// The clips; a track means its clips.
    #[serde(default)]
    targets: Targets,
    /// Start in seconds, to remove only a part of the clips.
    #[schemars(range(min = 0.0))]
    start_s: Option<f64>,
    /// End of that part, in seconds.
    #[schemars(range(min = 0.0))]
    end_s: Option<f64>,
}

/// Which clips, and where their copies go.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Copies {
    /// The clips; several clips keep their distances.
    #[serde(default)]
    targets: Targets,
    /// Start of the first copy (or copied part) on the timeline, in seconds; omitted: right after the last
    /// original.
    #[schemars(range(min = 0.0))]
    at_s: Option<f64>,
    /// Start on the timeline in seconds, to copy only a part of the clips.
    #[schemars(range(min = 0.0))]
    start_s: Option<f64>,
    /// End of that part, in seconds.
    #[schemars(range(min = 0.0))]
    end_s: Option<f64>,
    /// Id or name of the audio track for the copies; omitted: each original's track.
    track: Option<String>,
    /// Audio tracks to go down from each original; negative is up. Instead of `track`.
    down: Option<i64>,
    /// Crossfade where a copy overlaps a neighbor.
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
    /// The clips; several clips keep their distances.
    #[serde(default)]
    targets: Targets,
    /// New start of the first clip (or moved part), in seconds. Give this or `by_s`, or only `track` or `down`.
    #[schemars(range(min = 0.0))]
    at_s: Option<f64>,
    /// Seconds to move later (positive) or earlier (negative).
    by_s: Option<f64>,
    /// The clips after which they start. Instead of `at_s` or `by_s`.
    after: Option<Targets>,
    /// Start on the timeline in seconds, to move only a part: the clips are split there.
    #[schemars(range(min = 0.0))]
    start_s: Option<f64>,
    /// End of that part, in seconds.
    #[schemars(range(min = 0.0))]
    end_s: Option<f64>,
    /// Id or name of the new audio track; omitted: their own.
    track: Option<String>,
    /// Audio tracks to move each clip down; negative is up. Instead of `track`.
    down: Option<i64>,
    /// Crossfade new overlaps with neighbors, and remove crossfades of old ones.
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
        .offers(Gesture::AddClip)
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
            polarity: Polarity::Normal,
            mute: false,
        };
        let (at, on) = (clock(clip.position, session.rate), session.name_of(track.into()));
        let mut draft = Draft::new(format!("Add \"{name}\" on \"{on}\" at {at}"));
        let id = ClipId::new(call.ids.next_bits());
        draft.change(Change::AddClip(Edit::create(id, clip)), name, "as asked");
        Ok(draft)
    }
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
        .says([
            Intent::verbs("remove")
                .also("clip")
                .named("targets", "-", Kinds::LooseClips)
                .only_named(),
            Intent::verbs("remove | cut | drop | ripple delete")
                .about("keep gaps")
                .also("part")
                .slot(Slot::place("start_s").preps("from | between | -"))
                .slot(Slot::place("end_s").preps("to | until | -"))
                .needs("start_s")
                .needs("end_s")
                .on(Kinds::Sound)
                .only_named(),
        ])
        .cuts()
        .offers(Offers::used("Delete").by(Gesture::RemoveClip))
    }

    fn plan(params: Which, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let rate = call.session.rate;
        let stretch = Stretch::asked(params.start_s, params.end_s, rate)?;
        let clips = stretch.touched(params.targets.clips_with_values(call.session)?)?;
        let mut draft = Draft::new(format!("Remove {}{}", stretch.words(rate), said(&clips)));
        for Piece { id, clip, needs } in stretch.cut(clips, &mut call.ids, &mut draft) {
            let name = clip.name.clone();
            draft.dependent(Change::RemoveClip(Edit::remove(id, clip)), name, "as asked", needs);
        }
        assembly::left_out(call.session, &mut draft);
        Ok(draft)
    }
}

/// How people ask for clips somewhere else: at a time, on a track, or both.
fn says_places(verbs: &str, times: &str) -> [Intent; 3] {
    let at = Slot::place("at_s").preps(times);
    let clips = || {
        Intent::verbs(verbs).also("moment").only_named().named("targets", "- | of", Kinds::Clips)
    };
    let on_track = || clips().named("track", "on | to", Kinds::OneTrack);
    [clips().slot(at.clone()).needs("at_s"), on_track(), on_track().slot(at).needs("at_s")]
}

/// How people ask for clips later or earlier, behind another one, and for the one clip of a track at a time, at a phrase or
/// behind it.
fn says_moves() -> [Intent; 7] {
    let clips = |verbs: &str| {
        Intent::verbs(verbs).only_named().named("targets", "- | of", Kinds::ClipOfTrack)
    };
    let by = |preps: &str| Slot::of("by_s").preps(preps);
    let sideways = by("- | by").signed_by("later", "earlier | back");
    // As the timeline runs, left is earlier.
    let drawn = by("- | by").signed_by("right", "left");
    [
        clips("move | put").also("moment").slot(Slot::place("at_s").preps("to | at")).needs("at_s"),
        clips("move | nudge | push | put | pull").slot(sideways).needs("by_s"),
        clips("move | nudge | push | put | pull").slot(drawn).needs("by_s"),
        clips("move | nudge").slot(by("by")).needs("by_s"),
        // Of phrases the edit knows more.
        Intent::verbs("move | put")
            .named("targets", "- | of", Kinds::LooseClips)
            .named("after", "after", Kinds::OneClip)
            .only_named()
            .last(),
        clips("move | put | bring+in | make | start | use")
            .said("at_s", "to | at | with", TextKind::PhraseStart)
            .needs("at_s"),
        clips("move | put | bring+in | start")
            .said("at_s", "after", TextKind::PhraseEnd)
            .needs("at_s"),
    ]
}

impl Command for DuplicateClip {
    type Params = Copies;

    fn spec() -> ToolSpec {
        command(
            "cmd_duplicate_clip",
            "Duplicate clips",
            "Copies clips with their gain and fades: right after the originals, or to a time, on the same \
             tracks or another. Several clips keep their distances.",
            Category::Edit,
            Trust::Suggest,
            json!({"targets": "Chorus", "at_s": 64.0}),
        )
        .offers(Gesture::DuplicateClip)
        .says(says_places("duplicate", "on | to | at"))
        .says([Intent::verbs("duplicate").named("targets", "- | of", Kinds::Clips)])
    }

    fn plan(params: Copies, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let session = call.session;
        let stretch = Stretch::asked(params.start_s, params.end_s, session.rate)?;
        let clips = stretch.touched(params.targets.clips_with_values(session)?)?;
        let landing = Landing::asked(session, params.track.as_deref(), params.down)?;
        let (what, first) = (said(&clips), stretch.first(&clips));
        let clips = stretch.inside(clips, &mut call.ids);
        let behind = clips.iter().map(|(_, clip)| clip.end()).max().unwrap_or(first);
        let at = params.at_s.map_or(behind, |at| frames(at, session.rate));
        let place = format!("{}{}", clock(at, session.rate), landing.words(session, "on"));
        let part = stretch.words(session.rate);
        let mut draft = Draft::new(format!("Duplicate {part}{what} to {place}"));
        let mut copies = Copied::default();
        for (_, clip) in clips {
            let track = landing.of(session, clip.track)?;
            let copy = Clip { position: clip.position + (at - first), track, ..clip };
            copies.add(&mut draft, ClipId::new(call.ids.next_bits()), copy);
        }
        if params.crossfade {
            crossfade(session, session, &copies.changes, &mut draft);
        }
        if params.select {
            let before = session.selection.clone();
            let change = Change::SetSelection(Edit::new(session.id, before, copies.selected));
            let needs = copies.changes.into_values().collect();
            draft.dependent(change, "the selection".into(), "the copies", needs);
        }
        Ok(draft)
    }
}

/// Copies that a draft makes.
#[derive(Default)]
struct Copied {
    /// The change that makes each.
    changes: BTreeMap<ClipId, String>,
    /// They, and their tracks.
    selected: Selection,
}

impl Copied {
    fn add(&mut self, draft: &mut Draft, id: ClipId, clip: Clip) {
        let (name, track) = (clip.name.clone(), clip.track);
        let change = Change::DuplicateClip(Edit::create(id, clip));
        let reason = format!("a copy of \"{name}\"");
        self.changes.insert(id, draft.change(change, name, reason));
        self.selected.clips.push(id);
        if !self.selected.tracks.contains(&track) {
            self.selected.tracks.push(track);
        }
    }
}

/// Adds fades where moved clips overlap their neighbors. `before` is the session before the moves, `moves`
/// the change of each.
fn crossfade(
    session: &Session,
    before: &Session,
    moves: &BTreeMap<ClipId, String>,
    draft: &mut Draft,
) {
    let changes: Vec<Change> = draft.changes.iter().map(|planned| planned.change.clone()).collect();
    // What cannot be applied is refused where the plan is checked.
    if let Ok(after) = session.with(&changes) {
        overlaps::fade(before, &after, moves, draft);
    }
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
        .offers(Gesture::MoveClip)
        .says(says_places("move | put", "to | at"))
        .says(says_moves())
    }

    fn plan(params: Place, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let session = call.session;
        let stretch = Stretch::asked(params.start_s, params.end_s, session.rate)?;
        let clips = stretch.touched(params.targets.clips_with_values(session)?)?;
        let shift = shift(&params, session, stretch.first(&clips))?;
        let landing = Landing::asked(session, params.track.as_deref(), params.down)?;
        let what = format!("{}{}", stretch.words(session.rate), said(&clips));
        let mut draft = Draft::new(move_summary(session, &what, shift, &landing));
        let pieces = stretch.cut(clips, &mut call.ids, &mut draft);
        let splits: Vec<Change> = draft.changes.iter().map(|it| it.change.clone()).collect();
        let mut moves = BTreeMap::new();
        for Piece { id, clip, needs } in pieces {
            let track = landing.of(session, clip.track)?;
            let after = ClipPlace { track, position: clip.position + shift };
            let change = Change::MoveClip(Edit::new(id, clip.place(), after));
            if !change.is_identity() {
                moves.insert(id, draft.dependent(change, clip.name, "as asked", needs));
            }
        }
        if params.crossfade && stretch.is_all() {
            crossfade(session, session, &moves, &mut draft);
        } else if params.crossfade
            && let Ok(cut) = session.with(&splits)
        {
            crossfade(session, &cut, &moves, &mut draft);
        }
        Ok(draft)
    }
}

fn shift(params: &Place, session: &Session, first: Frames) -> Result<Frames, ToolError> {
    match (params.at_s, params.by_s, &params.after) {
        (Some(at), None, None) => Ok(frames(at, session.rate) - first),
        (None, Some(by), None) => Ok(frames(by, session.rate)),
        (None, None, Some(after)) => {
            let ends = after.clips_with_values(session)?.into_iter().map(|(_, clip)| clip.end());
            Ok(ends.max().map_or(Frames::ZERO, |end| end - first))
        }
        (None, None, None) if params.track.is_some() || params.down.is_some() => Ok(Frames::ZERO),
        _ => Err(ToolError::prepare(
            Code::BadParams,
            "a move is to a time, by an amount of time, or after other clips",
            "give exactly one of `at_s`, `by_s` and `after`, or `track` or `down` alone",
        )),
    }
}

fn move_summary(session: &Session, what: &str, shift: Frames, landing: &Landing) -> String {
    let seconds = shift.seconds(session.rate).0;
    let time = match seconds {
        later if later > 0.0 => format!(" {} s later", trimmed(later, 3)),
        earlier if earlier < 0.0 => format!(" {} s earlier", trimmed(-earlier, 3)),
        _ => String::new(),
    };
    format!("Move {what}{}{time}", landing.words(session, "to"))
}

impl Command for RenameClip {
    type Params = Name;

    fn spec() -> ToolSpec {
        command(
            "cmd_rename_clip",
            "Rename clips",
            "Renames clips.",
            Category::Organize,
            Trust::Notify,
            json!({"targets": "selection", "name": "Verse 1"}),
        )
        .says(says_rename("targets", Kinds::OneClip))
        .sets()
        .offers(Gesture::RenameClip)
    }

    fn plan(params: Name, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let clips = params.targets.clips_with_values(call.session)?;
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
