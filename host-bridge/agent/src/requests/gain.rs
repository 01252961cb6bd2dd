//! What is left of requests for a gain where the tools' declarations explain none: "everything -3 dB", and what is told.

use super::{Built, Draft};
use crate::clause_reader::{RECIPIENT, Reader};
use crate::levels::{Level, Unit};
use crate::part::Thing;
use crate::resolve::{Context, Phrase, Trouble, Want, list};
use crate::vocab::{Prep, Verb};
use serde_json::json;

/// Larger signed amounts without a verb could be levels: "everything -16 dB".
const LARGEST_PLAIN: f64 = 12.0;

/// A request that no declaration explains: what is left over is told, or that it does not say what to do.
pub(super) fn unexplained(verb: Option<Verb>, reader: &mut Reader, context: &Context<'_>) -> Built {
    let phrase = reader.take_phrase(RECIPIENT);
    if let Some(change) = of_everything(verb, phrase.as_ref(), reader) {
        let ids = context.resolve(phrase, Want::Tracks)?.ids;
        // With buses, "all" would turn down a track and the bus it plays to.
        let found = crate::resolve::Resolved { param: list(&ids), ids };
        return Ok(vec![Draft::on(
            "cmd_set_track_gain",
            found,
            vec![("change_db", json!(change))],
        )]);
    }
    match reader.leftovers().is_empty() {
        true => Err(what(phrase, context)),
        false => Ok(Vec::new()),
    }
}

/// Neither a verb nor an amount says what to do.
fn what(phrase: Option<Phrase>, context: &Context<'_>) -> Trouble {
    let resolved = phrase.map(|phrase| context.resolve(Some(phrase), Want::Any));
    let name = match resolved {
        Some(Err(trouble)) => return trouble,
        Some(Ok(found)) => found.ids.first().map(|id| context.scope.session.name_of(*id)),
        None => None,
    };
    let name = name.unwrap_or_else(|| "the vocals".into());
    let offers = [
        format!("turn {name} down by 2 dB"),
        format!("mute {name}"),
        format!("normalize {name} to -16 LUFS"),
    ];
    Trouble::not_understood("it does not say what to do", offers)
}

/// "everything -3 dB": nobody puts every fader at one level without saying so, so it is a change.
fn of_everything(verb: Option<Verb>, phrase: Option<&Phrase>, reader: &mut Reader) -> Option<f64> {
    let all = phrase
        .is_some_and(|phrase| phrase.is_all(Thing::Everything) || phrase.is_all(Thing::Tracks));
    let signed = |level: Level, prep: Option<Prep>| {
        let small = level.signed && level.value.abs() <= LARGEST_PLAIN;
        level.unit == Unit::Db && small && prep.is_none()
    };
    let (level, _) = (all && verb.is_none()).then(|| reader.take_level(signed)).flatten()?;
    Some(level.value)
}
