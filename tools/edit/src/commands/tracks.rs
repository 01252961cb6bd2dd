//! The list of tracks: add, remove, move, rename, group.

use super::group::without;
use super::names::says_rename;
use crate::assembly;
use deskhand_session::intent::{Intent, Kinds};
use deskhand_session::text;
use deskhand_session::track::PlacedTrack;
use deskhand_session::{Change, Edit, InsertOwner, Output, Session, Track, TrackId, TrackKind};
use deskhand_toolkit::about::command;
use deskhand_toolkit::find;
use deskhand_toolkit::growing_draft::Sketch;
use deskhand_toolkit::{
    Category, Code, Command, CommandCall, Draft, Gesture, Menu, Offers, Targets, ToolError,
    ToolSpec, Trust,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `cmd_add_track`.
pub(super) struct AddTrack;
/// `cmd_remove_track`.
pub(super) struct RemoveTrack;
/// `cmd_move_track`.
pub(super) struct MoveTrack;
/// `cmd_rename_track`.
pub(super) struct RenameTrack;

/// What a new track is.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    /// Plays clips.
    #[default]
    Audio,
    /// Sums its input tracks.
    Bus,
}

/// A new track.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewTrack {
    /// Its name, 1 to 200 characters; omitted: "Track" or "Bus" with a number.
    name: Option<String>,
    /// Audio (the default) or bus.
    #[serde(default)]
    kind: Kind,
    /// Its position in the list, from 0; omitted: the end.
    index: Option<usize>,
}

/// Which tracks.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Which {
    /// The tracks or buses.
    #[serde(default)]
    targets: Targets,
}

/// Which tracks, and where to.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Place {
    /// The tracks or buses; several keep their order.
    #[serde(default)]
    targets: Targets,
    /// The new position of the first track in the list, from 0; omitted: the end.
    index: Option<usize>,
    /// The track that they are moved above, instead of `index`.
    above: Option<String>,
    /// The track that they are moved below, instead of `index`.
    below: Option<String>,
}

/// How people say where in the list.
fn says_moves() -> [Intent; 4] {
    let moved = || {
        let it = Intent::verbs("move | put | bring").also("track").only_named();
        it.named("targets", "-", Kinds::Tracks)
    };
    [
        moved().about("top of list | to:top of list").sets("index", 0),
        moved().about("bottom of list | to:bottom of list"),
        moved().named("above", "above", Kinds::OneTrack),
        moved().named("below", "below", Kinds::OneTrack),
    ]
}

/// Which tracks, and their name.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Name {
    /// The tracks or buses.
    #[serde(default)]
    targets: Targets,
    /// The name, 1 to 200 characters.
    name: String,
}

impl Command for AddTrack {
    type Params = NewTrack;

    fn spec() -> ToolSpec {
        command(
            "cmd_add_track",
            "Add a track",
            "Adds an empty audio track or a bus.",
            Category::Organize,
            Trust::Suggest,
            json!({"name": "Drum bus", "kind": "bus"}),
        )
        .says([("track", "audio"), ("bus", "bus")].map(|(noun, kind)| {
            let verbs = Intent::verbs("add | make | create").about(noun).also("another");
            verbs.name("called | as | -").sets("kind", kind)
        }))
        .offers(Offers::from(Gesture::AddTrack).entry(
            Menu::EmptyDesk,
            "Add a track to record on",
            "",
            json!({"kind": "audio", "name": "Audio 1"}),
        ))
    }

    fn plan(params: NewTrack, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let number = call.session.tracks.len() + 1;
        let named = |noun: &str| params.name.clone().unwrap_or_else(|| format!("{noun} {number}"));
        let track = match params.kind {
            Kind::Audio => Track::audio(named("Track")),
            Kind::Bus => Track::bus(named("Bus")),
        };
        let noun = if track.kind == TrackKind::Bus { "bus" } else { "track" };
        let mut draft = Draft::new(format!("Add the {noun} \"{}\"", track.name));
        let name = track.name.clone();
        let index = params.index.unwrap_or(call.session.track_order.len());
        let id = TrackId::new(call.ids.next_bits());
        let change = Change::AddTrack(Edit::create(id, PlacedTrack { index, track }));
        draft.change(change, name, "as asked");
        Ok(draft)
    }
}

impl Command for RemoveTrack {
    type Params = Which;

    fn spec() -> ToolSpec {
        command(
            "cmd_remove_track",
            "Remove tracks",
            "Removes tracks or buses with their clips. Sources stay in the library; inputs of a removed bus go \
             to the bus's output; groups lose the track.",
            Category::Organize,
            Trust::Suggest,
            json!({"targets": "Scratch"}),
        )
        .says([Intent::verbs("remove")
            .also("track")
            .named("targets", "-", Kinds::NamedTracks)
            .only_named()])
        .cuts()
        .offers(
            Offers::default()
                .entry(Menu::Track, "Remove track with its clips", "", json!({}))
                .entry(Menu::Bus, "Remove bus", "", json!({})),
        )
    }

    fn plan(params: Which, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let ids = params.targets.tracks(call.session)?;
        let mut sketch =
            Sketch::new(call.session, format!("Remove {}", text::tracks(call.session, &ids)));
        for id in ids {
            remove(&mut sketch, id)?;
        }
        assembly::left_out(call.session, &mut sketch.draft);
        Ok(sketch.draft)
    }
}

/// Empties a track, takes it out of its group and out of every route, and removes it.
fn remove(sketch: &mut Sketch, id: TrackId) -> Result<(), ToolError> {
    let Some((index, track)) = placed(&sketch.session, id) else {
        return Ok(());
    };
    let clips: Vec<_> = sketch.session.clips_on(id).into_iter().map(cloned).collect();
    let clips = clips.into_iter().map(|(id, clip)| Change::RemoveClip(Edit::remove(id, clip)));
    let mut needs = sketch.add(clips, "its track is removed", &[])?;
    let feeds = sketch.session.tracks.iter();
    let feeds = feeds.filter(|(_, track)| track.output == Output::Bus(id));
    let reroute = |(feed, _): (&TrackId, &Track)| {
        Change::SetTrackOutput(Edit::new(*feed, Output::Bus(id), track.output))
    };
    let routes: Vec<_> = feeds.map(reroute).collect();
    needs.extend(sketch.add(routes, "it plays into a removed bus", &[])?);
    let group = sketch.session.group_of(id).map(cloned);
    let left = group.map(|(group_id, group)| without(group_id, group, &[id]));
    needs.extend(sketch.add(left, "a track of it is removed", &[])?);
    let inserts = sketch.session.inserts_on(InsertOwner::Track(id)).into_iter().map(cloned);
    let inserts: Vec<_> =
        inserts.map(|(id, insert)| Change::SetInsert(Edit::remove(id, insert))).collect();
    needs.extend(sketch.add(inserts, "its track is removed", &[])?);
    let change = Change::RemoveTrack(Edit::remove(id, PlacedTrack { index, track }));
    sketch.add([change], "as asked", &needs)?;
    Ok(())
}

fn placed(session: &Session, id: TrackId) -> Option<(usize, Track)> {
    let index = place_of(&session.track_order, id)?;
    Some((index, session.tracks.get(&id)?.clone()))
}

fn cloned<Id, T: Clone>((id, value): (Id, &T)) -> (Id, T) {
    (id, value.clone())
}

impl Command for MoveTrack {
    type Params = Place;

    fn spec() -> ToolSpec {
        command(
            "cmd_move_track",
            "Reorder tracks",
            "Moves tracks or buses to another place in the list.",
            Category::Organize,
            Trust::Suggest,
            json!({"targets": "Lead Vocal", "index": 0}),
        )
        .offers(Gesture::MoveTrack)
        .says(says_moves())
    }

    fn plan(params: Place, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let ids = params.targets.tracks(call.session)?;
        let index = place_asked(&params, &ids, call.session)?;
        let order = reordered(&call.session.track_order, &ids, index);
        let summary = format!("Move {} to place {}", text::tracks(call.session, &ids), index + 1);
        let mut sketch = Sketch::new(call.session, summary);
        for (id, after) in moves(&call.session.track_order, &order, &ids) {
            let now = place_of(&sketch.session.track_order, id);
            let change = now.map(|now| Change::MoveTrack(Edit::new(id, now, after)));
            sketch.add(change, "as asked", &[])?;
        }
        Ok(sketch.draft)
    }
}

/// The place among the tracks that stay where they are.
fn place_asked(params: &Place, moved: &[TrackId], session: &Session) -> Result<usize, ToolError> {
    let bad = |message: &str, fix: &str| ToolError::prepare(Code::BadParams, message, fix);
    let is_other = |id: &&TrackId| !moved.contains(id);
    let rest: Vec<TrackId> = session.track_order.iter().filter(is_other).copied().collect();
    let place_of_other = |wanted: &str| {
        let itself = || bad("a track cannot be moved above or below itself", "name another track");
        place_of(&rest, find::track(session, wanted)?).ok_or_else(itself)
    };
    match (params.index, params.above.as_deref(), params.below.as_deref()) {
        (Some(index), None, None) => Ok(index),
        (None, None, None) => Ok(rest.len()),
        (None, Some(above), None) => place_of_other(above),
        (None, None, Some(below)) => Ok(place_of_other(below)? + 1),
        _ => Err(bad("the place was given twice", "give one of `index`, `above` and `below`")),
    }
}

fn place_of(order: &[TrackId], id: TrackId) -> Option<usize> {
    order.iter().position(|other| *other == id)
}

/// The moves that make `order` from `now`, in a sequence where no move disturbs an earlier one: first the
/// tracks that go back, the last first, then those that go forward.
fn moves(now: &[TrackId], order: &[TrackId], moved: &[TrackId]) -> Vec<(TrackId, usize)> {
    let after = moved.iter().filter_map(|id| Some((*id, place_of(order, *id)?)));
    let is_back =
        |(id, after): &(TrackId, usize)| place_of(now, *id).is_some_and(|now| now < *after);
    let (mut back, forward): (Vec<_>, Vec<_>) = after.partition(is_back);
    back.reverse();
    back.extend(forward);
    back
}

/// The order with `moved` together at `index`, as far back as there are others before it.
fn reordered(order: &[TrackId], moved: &[TrackId], index: usize) -> Vec<TrackId> {
    let mut others: Vec<_> = order.iter().filter(|id| !moved.contains(id)).copied().collect();
    let at = index.min(others.len());
    others.splice(at..at, moved.iter().copied());
    others
}

impl Command for RenameTrack {
    type Params = Name;

    fn spec() -> ToolSpec {
        command(
            "cmd_rename_track",
            "Rename tracks",
            "Renames tracks or buses.",
            Category::Organize,
            Trust::Notify,
            json!({"targets": "Audio 1", "name": "Lead Vocal"}),
        )
        .says(says_rename("targets", Kinds::OneTrack))
        .sets()
        .offers(Gesture::RenameTrack)
    }

    fn plan(params: Name, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let ids = params.targets.tracks(call.session)?;
        let mut draft =
            Draft::new(format!("Name {} \"{}\"", text::tracks(call.session, &ids), params.name));
        for id in ids {
            let before = call.session.name_of(id.into());
            let change = Change::RenameTrack(Edit::new(id, before.clone(), params.name.clone()));
            if !change.is_identity() {
                draft.change(change, before, "as asked");
            }
        }
        Ok(draft)
    }
}
