//! Mute, solo, pan, output and color.

use super::{Built, Draft};
use crate::clause_reader::{OBJECT, Reader};
use crate::names::words_of;
use crate::part::{Pick, Thing, whole};
use crate::resolve::{Context, Phrase, Resolved, Trouble, Want, list};
use crate::vocab::{Noun, Prep, Side, Verb, Word};
use deskhand_session::{ObjectId, TrackKind};
use serde_json::json;

/// "left" without more; documented in the crate's docs.
const PLAIN_SIDE: f64 = 0.5;
/// "a bit to the left".
const SLIGHT_SIDE: f64 = 0.25;
/// Larger amounts than "a bit" say nothing about a place.
const LARGEST_SLIGHT: f64 = 1.5;

/// Why a track is not placed.
const NOWHERE: &str = "it does not say where to pan";
/// Of so many tracks it is offered.
const MOST_NAMED: usize = 3;

fn tool_of(verb: Verb) -> (&'static str, &'static str, bool) {
    match verb {
        Verb::Mute => ("cmd_set_track_mute", "mute", true),
        Verb::Unmute | Verb::ClearMutes => ("cmd_set_track_mute", "mute", false),
        Verb::Unsolo | Verb::ClearSolos => ("cmd_set_track_solo", "solo", false),
        _ => ("cmd_set_track_solo", "solo", true),
    }
}

/// Mutes, unmutes, solos or unsolos.
pub(super) fn switch(verb: Verb, reader: &mut Reader, context: &Context<'_>) -> Built {
    let phrase = reader.take_phrase(OBJECT);
    let resolved = context.resolve(phrase, Want::Tracks)?;
    let (tool, name, on) = tool_of(verb);
    Ok(vec![Draft::on(tool, resolved, vec![(name, json!(on))])])
}

/// "clear all solos".
pub(super) fn clear(verb: Verb, context: &Context<'_>) -> Built {
    let all = Phrase { parts: vec![whole(Pick::All(Thing::Everything))], except: Vec::new() };
    let (tool, name, on) = tool_of(verb);
    Ok(vec![Draft::on(tool, context.resolve(Some(all), Want::Tracks)?, vec![(name, json!(on))])])
}

/// Places tracks between left and right.
pub(super) fn pan(reader: &mut Reader, context: &Context<'_>) -> Built {
    let phrase = reader.take_phrase(OBJECT);
    reader.take_verb(Verb::Pan);
    let Some(place) = place(reader) else {
        let Some(phrase) = phrase else {
            return Err(Trouble::new(NOWHERE, ["pan the guitar 30% left"]));
        };
        return panned_apart(&context.resolve(Some(phrase), Want::Tracks)?.ids, context);
    };
    let resolved = context.resolve(phrase, Want::Tracks)?;
    Ok(vec![Draft::on("cmd_set_track_pan", resolved, vec![("pan", json!(place))])])
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

/// A place from -1 to 1.
fn place(reader: &mut Reader) -> Option<f64> {
    if let Some(place) = reader.take_pan() {
        return Some(place);
    }
    let side = reader.take_as(|word| if let Word::Side(side) = word { Some(side) } else { None });
    let Some(side) = side else {
        let number = reader.take_number(&[Some(Prep::To), Some(Prep::At)])?;
        return (number.value.abs() <= 1.0).then_some(number.value);
    };
    let how_far = how_far(reader)?;
    match side {
        Side::Center => Some(0.0),
        Side::Left => Some(-how_far),
        Side::Right => Some(how_far),
    }
}

fn how_far(reader: &mut Reader) -> Option<f64> {
    if let Some(extent) =
        reader.take_as(|word| if let Word::Extent(extent) = word { Some(extent) } else { None })
    {
        return Some(extent);
    }
    let slight = |word| {
        matches!(word, Word::Amount(amount) if amount <= LARGEST_SLIGHT).then_some(SLIGHT_SIDE)
    };
    if let Some(amount) = reader.take_as(slight) {
        return Some(amount);
    }
    let by = &[None, Some(Prep::By), Some(Prep::To), Some(Prep::At)];
    let percent = reader.take_percent().or_else(|| Some(reader.take_number(by)?.value));
    match percent {
        Some(percent) => (0.0..=100.0).contains(&percent).then_some(percent / 100.0),
        None => Some(PLAIN_SIDE),
    }
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
