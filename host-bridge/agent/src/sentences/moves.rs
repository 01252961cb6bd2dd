//! Sentences about clips and tracks: where they go, to a phrase, sideways by a length of time, up and down the list of
//! tracks; and what is done to the clips that play a phrase.

use super::clip_edges::Edge;
use super::order::Way;
use super::placed::clips_of;
use super::said::{Built, One, Said};
use super::spoken::Among;
use super::tone::SOME;
use super::{balance, hear};
use crate::draft::Draft;
use crate::names::words_of;
use crate::resolve::{Context, Resolved, Trouble, Want, list};
use crate::times::rounded;
use deskhand_session::{ObjectId, TrackId};
use serde_json::json;

/// "left" without more; documented in the crate's docs.
const PLAIN_SIDE: f64 = 0.5;
/// Of so many tracks a place is offered.
const MOST_NAMED: usize = 3;

fn clips(said: &Said<'_>) -> Result<Resolved, Trouble> {
    let names = || Trouble::new("it does not say which clips", said.context.scope.track_names());
    said.sound("on", Want::Clips)?.ok_or_else(names)
}

/// "start the music at phrase 2": the clip begins where the phrase begins or ends.
pub(super) fn to_phrase(said: &Said<'_>, edge: Edge) -> One {
    let span = hear::span(said, "plain")?;
    let clips = clips(said)?;
    let [ObjectId::Clip(_)] = clips.ids[..] else {
        let reason = "it does not say which one clip";
        return Err(Trouble::new(reason, said.context.scope.track_names()));
    };
    let at = if edge == Edge::Start { span.start } else { span.end };
    Ok(Draft::on("cmd_move_clip", clips, vec![("at_s", json!(rounded(at)))]))
}

/// The clips that play the phrases of the sentence.
fn playing(said: &Said<'_>) -> Result<Resolved, Trouble> {
    let session = said.session();
    let phrases = said.phrases("plain", Among::Playing)?;
    let clips = phrases.iter().flat_map(|id| clips_of(session, *id));
    let ids: Vec<ObjectId> = clips.map(|(id, _)| id.into()).collect();
    match ids.is_empty() {
        false => Ok(Resolved { param: list(&ids), ids }),
        true => Err(Trouble::new("no clip plays that phrase any more", ["show the phrases"])),
    }
}

/// "turn phrase 5 up by 2 dB".
pub(super) fn phrase_gain(said: &Said<'_>, way: balance::Way) -> One {
    let by = balance::amount(said).unwrap_or(SOME);
    Ok(Draft::on("cmd_set_clip_gain", playing(said)?, vec![("change_db", json!(way.of(by)))]))
}

/// "pan the guitars apart".
pub(super) fn apart(said: &Said<'_>) -> Built {
    let unsaid = || Trouble::new("it does not say on what", said.context.scope.track_names());
    let found = said.sound("on", Want::Tracks)?.ok_or_else(unsaid)?;
    panned_apart(&found.ids, said.context)
}

/// "select phrase 2".
pub(super) fn select_phrase(said: &Said<'_>) -> One {
    Ok(Draft::on("cmd_set_selection", playing(said)?, Vec::new()))
}

/// "move the music 2 seconds to the left": as the timeline runs, left is earlier.
pub(super) fn sideways(said: &Said<'_>, way: Way) -> One {
    let by = said.time("len").unwrap_or_default();
    let by = if way == Way::Up { -by } else { by };
    Ok(Draft::on("cmd_move_clip", clips(said)?, vec![("by_s", json!(by))]))
}

/// "trim the music to 0:10-0:20".
pub(super) fn trim_to(said: &Said<'_>) -> Built {
    let times = said.time("from").zip(said.time("to")).filter(|(from, to)| from < to);
    let Some((from, to)) = times else {
        let offer = "trim take 1 from 5 seconds to 20 seconds";
        return Err(Trouble::new("it does not say from when to when", [offer]));
    };
    let params = vec![("start_s", json!(from)), ("end_s", json!(to))];
    Ok(vec![Draft::on("cmd_trim_clip", clips(said)?, params)])
}

/// "move the music track above the host mic", "… to the top of the list".
pub(super) fn in_list(said: &Said<'_>, way: Way) -> One {
    let (id, targets) = one_track(said, "on")?;
    let order = said.session().track_order.iter().copied();
    let rest: Vec<TrackId> = order.filter(|other| *other != id).collect();
    let index = match (said.tokens("ref"), way) {
        (None, Way::Up) => 0,
        (None, Way::Down) => rest.len(),
        (Some(_), way) => {
            let (other, _) = one_track(said, "ref")?;
            let place = rest.iter().position(|id| *id == other);
            let itself = "a track cannot be put beside itself";
            let names = || Trouble::new(itself, said.context.scope.track_names());
            place.ok_or_else(names)? + usize::from(way == Way::Down)
        }
    };
    Ok(Draft::on("cmd_move_track", targets, vec![("index", json!(index))]))
}

/// The one track of a slot.
fn one_track(said: &Said<'_>, slot: &str) -> Result<(TrackId, Resolved), Trouble> {
    let found = said.sound(slot, Want::Tracks)?;
    let track = found.and_then(|found| match found.ids[..] {
        [ObjectId::Track(id)] => Some((id, found)),
        _ => None,
    });
    track.ok_or_else(|| {
        Trouble::new("it does not say which one track", said.context.scope.track_names())
    })
}

/// "pan the guitars": of two tracks the one that is called left goes to the left.
fn panned_apart(ids: &[ObjectId], context: &Context<'_>) -> Built {
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
    Trouble::new("it does not say where to pan", offers)
}
