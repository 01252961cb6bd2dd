//! Mute, solo, pan, output and color.

use super::{Built, Draft};
use crate::clause_reader::{OBJECT, Reader};
use crate::names::words_of;
use crate::part::Pick;
use crate::resolve::{Context, Phrase, Resolved, Trouble, Want, list};
use crate::vocab::{Noun, Prep, Verb};
use deskhand_session::{ObjectId, TrackKind};
use serde_json::json;

/// "left" without more; documented in the crate's docs.
const PLAIN_SIDE: f64 = 0.5;
/// Why a track is not placed.
const NOWHERE: &str = "it does not say where to pan";
/// Of so many tracks it is offered.
const MOST_NAMED: usize = 3;

/// A place between left and right is what the declarations explain; without one, the sides of a pair go apart.
pub(super) fn pan(reader: &mut Reader, context: &Context<'_>) -> Built {
    let phrase = reader.take_phrase(OBJECT);
    reader.take_verb(Verb::Pan);
    let Some(phrase) = phrase else {
        return Err(Trouble::new(NOWHERE, ["pan the guitar 30% left"]));
    };
    panned_apart(&context.resolve(Some(phrase), Want::Tracks)?.ids, context)
}

/// "pan the guitars": of two tracks the one that is called left goes to the left.
pub(crate) fn panned_apart(ids: &[ObjectId], context: &Context<'_>) -> Built {
    let session = context.scope.session;
    let side = |id: &ObjectId| {
        let words = words_of(&session.name_of(*id));
        let is = |side: [&str; 2]| words.iter().any(|word| side.contains(&word.as_str()));
        match (is(["l", "left"]), is(["r", "right"])) {
            (true, false) => Some(-PLAIN_SIDE),
            (false, true) => Some(PLAIN_SIDE),
            _ => None,
        }
    };
    let sides: Option<Vec<f64>> = ids.iter().map(side).collect();
    match sides.as_deref() {
        Some([first, second]) if first != second => {
            let placed = |(id, pan): (&ObjectId, &f64)| {
                let found = Resolved { param: list(&[*id]), ids: vec![*id] };
                Draft::on("cmd_set_track_pan", found, vec![("pan", json!(pan))])
            };
            Ok(ids.iter().zip([first, second]).map(placed).collect())
        }
        _ => Err(nowhere(ids, context)),
    }
}

/// Why tracks are not placed, with places for the first of them.
fn nowhere(ids: &[ObjectId], context: &Context<'_>) -> Trouble {
    let names = ids.iter().take(MOST_NAMED).map(|id| context.scope.session.name_of(*id));
    let offers =
        names.flat_map(|name| ["left", "right"].map(|side| format!("pan {name} 30% {side}")));
    Trouble::new(NOWHERE, offers)
}

/// Routes tracks to a bus or the master.
pub(super) fn route(reader: &mut Reader, context: &Context<'_>) -> Built {
    let destination = reader.take_phrase(&[Some(Prep::To), Some(Prep::Through)]);
    let Some(destination) = destination else {
        return Err(Trouble::new(
            "it does not say where to",
            ["route the drums to the drum bus", "route the drums to the master"],
        ));
    };
    let output = match destination.is_mix() {
        true => "master".to_owned(),
        false => bus_id(destination, context)?,
    };
    let resolved = context.resolve(reader.take_phrase(OBJECT), Want::Tracks)?;
    Ok(vec![Draft::on("cmd_set_track_output", resolved, vec![("output", json!(output))])])
}

fn bus_id(destination: Phrase, context: &Context<'_>) -> Result<String, Trouble> {
    let session = context.scope.session;
    let is_bus = |id: &ObjectId| matches!(id, ObjectId::Track(track) if session.tracks.get(track).is_some_and(|track| track.kind == TrackKind::Bus));
    let found = match &destination.parts[..] {
        [part] => match &part.pick {
            Pick::Objects(ids) => ids.iter().find(|id| ids.len() == 1 && is_bus(id)).copied(),
            _ => None,
        },
        _ => None,
    };
    let buses = session.tracks_in_order().filter(|(_, track)| track.kind == TrackKind::Bus);
    let offers = buses.map(|(_, track)| track.name.clone()).chain(["the master".to_owned()]);
    found
        .map(|id| id.to_string())
        .ok_or_else(|| Trouble::new("a track plays to one bus or to the master", offers))
}

/// Colors tracks.
pub(super) fn color(reader: &mut Reader, context: &Context<'_>) -> Built {
    let phrase = reader.take_phrase(OBJECT);
    reader.take_noun(Noun::Color);
    let Some(hex) = reader.take_color() else {
        return Err(Trouble::new(
            "it does not say which color",
            ["color the drums red", "color the drums #4fc5fc"],
        ));
    };
    let resolved = context.resolve(phrase, Want::Tracks)?;
    Ok(vec![Draft::on("cmd_set_track_color", resolved, vec![("color", json!(hex))])])
}
