//! "turn the vocals up 3 dB", "a bit louder", "half as loud", "set the fader to -6 dB".

use super::{Built, Draft};
use crate::clause_reader::{OBJECT, RECIPIENT, Reader};
use crate::levels::{Level, Unit};
use crate::part::Thing;
use crate::resolve::{Context, Phrase, Resolved, Trouble, Want, list};
use crate::vocab::{Dir, Noun, Prep, SOME, Verb, Word};
use deskhand_session::{ObjectId, TrackKind};
use serde_json::json;

/// The largest bare number that is read as decibels: "up by 3".
const LARGEST_BARE: f64 = 24.0;

/// Larger signed amounts without a verb could be levels: "everything -16 dB".
const LARGEST_PLAIN: f64 = 12.0;

const AMOUNT: &[Option<Prep>] = &[None, Some(Prep::By), Some(Prep::Of)];
const POSITION: &[Option<Prep>] = &[Some(Prep::To), Some(Prep::At)];

/// What happens to a gain.
enum Gain {
    /// It changes by so many dB.
    By(f64),
    /// It becomes so many dB.
    To(f64),
}

/// Changes or sets the gain of tracks, clips or the mix.
pub(super) fn change(verb: Option<Verb>, reader: &mut Reader, context: &Context<'_>) -> Built {
    let receives = matches!(verb, Some(Verb::Add | Verb::Give));
    let phrase = reader.take_phrase(if receives { RECIPIENT } else { OBJECT });
    reader.take_word(Word::Off);
    let clip_gain = reader.take_noun(Noun::ClipGain);
    let fader = reader.take_noun(Noun::Gain) || clip_gain;
    let direction = direction(verb, reader)?;
    let gain = match absolute(verb, fader, direction, reader) {
        Some(gain) => Gain::To(gain?),
        None => Gain::By(
            of_everything(verb, phrase.as_ref(), reader)
                .or_else(|| relative(verb, direction, reader))
                .unwrap_or_else(|| Err(what(phrase.as_ref(), context)))?,
        ),
    };
    if matches!(gain, Gain::By(_)) {
        reader.drop_nouns(&[Noun::Level, Noun::Loudness]);
    }
    call(&gain, phrase, clip_gain, context)
}

/// Neither a verb nor an amount says what to do.
fn what(phrase: Option<&Phrase>, context: &Context<'_>) -> Trouble {
    let resolved = phrase.and_then(|phrase| context.resolve(Some(phrase.clone()), Want::Any).ok());
    let name = resolved
        .and_then(|resolved| resolved.ids.first().map(|id| context.scope.session.name_of(*id)));
    let name = name.unwrap_or_else(|| "the vocals".into());
    let offers = [
        format!("turn {name} down by 2 dB"),
        format!("mute {name}"),
        format!("normalize {name} to -16 LUFS"),
    ];
    Trouble::not_understood("it does not say what to do", offers)
}

/// Up or down, from the verb or from its own word; both must agree.
fn direction(verb: Option<Verb>, reader: &mut Reader) -> Result<Option<Dir>, Trouble> {
    let said = reader.take_dir(&[Dir::Up, Dir::Down]);
    let in_verb = match verb {
        Some(Verb::Raise | Verb::Add | Verb::Give) => Some(Dir::Up),
        Some(Verb::Lower | Verb::Knock | Verb::Cut | Verb::Drop) => Some(Dir::Down),
        _ => None,
    };
    let gives = verb == Some(Verb::Give);
    match (said, in_verb) {
        (Some(a), Some(b)) if a != b && !gives => Err(Trouble::new(
            "it says both louder and quieter",
            ["turn it up by 2 dB", "turn it down by 2 dB"],
        )),
        _ => Ok(said.or(in_verb)),
    }
}

/// "to -6 dB": a fader position. Only where the words speak of one.
fn absolute(
    verb: Option<Verb>,
    fader: bool,
    direction: Option<Dir>,
    reader: &mut Reader,
) -> Option<Result<f64, Trouble>> {
    let speaks_of_it = fader
        || matches!(verb, Some(Verb::Set | Verb::Turn | Verb::Change | Verb::Raise | Verb::Lower));
    if speaks_of_it && reader.take_noun(Noun::Unity) {
        return Some(Ok(0.0));
    }
    let position =
        |level: Level, prep: Option<Prep>| level.unit == Unit::Db && POSITION.contains(&prep);
    let level = match speaks_of_it {
        true => reader.take_level(position).map(|(level, _)| level),
        false => None,
    };
    let bare = |reader: &mut Reader| {
        let number = fader.then(|| reader.take_number(POSITION))??;
        Some(Level { value: number.value, signed: number.signed, unit: Unit::Db })
    };
    let level = level.or_else(|| bare(reader))?;
    let odd = level.value > 0.0 && !level.signed && direction == Some(Dir::Down);
    Some(match odd {
        true => Err(above_or_below(level.value)),
        false => Ok(level.value),
    })
}

fn above_or_below(value: f64) -> Trouble {
    let offers = [format!("to -{value} dB"), format!("down by {value} dB")];
    Trouble::new("it is not clear whether that is above or below 0 dB", offers)
}

/// "everything -3 dB": nobody puts every fader at one level without saying so, so it is a change.
fn of_everything(
    verb: Option<Verb>,
    phrase: Option<&Phrase>,
    reader: &mut Reader,
) -> Option<Result<f64, Trouble>> {
    let all = phrase
        .is_some_and(|phrase| phrase.is_all(Thing::Everything) || phrase.is_all(Thing::Tracks));
    let signed = |level: Level, prep: Option<Prep>| {
        let small = level.signed && level.value.abs() <= LARGEST_PLAIN;
        level.unit == Unit::Db && small && prep.is_none()
    };
    let (level, _) = (all && verb.is_none()).then(|| reader.take_level(signed)).flatten()?;
    Some(Ok(level.value))
}

/// A change in dB, with its sign.
fn relative(
    verb: Option<Verb>,
    direction: Option<Dir>,
    reader: &mut Reader,
) -> Option<Result<f64, Trouble>> {
    if let Some(change) =
        reader.take_as(|word| if let Word::Factor(change) = word { Some(change) } else { None })
    {
        return Some(Ok(change));
    }
    let said = reader.take_level(|level, prep| {
        matches!(level.unit, Unit::Db | Unit::Lu) && AMOUNT.contains(&prep)
    });
    let said = said.or_else(|| bare_amount(direction, reader));
    if let (Some((level, prep)), None) = (said, direction) {
        return (prep == Some(Prep::By) && verb.is_some()).then_some(Ok(level.value));
    }
    let sign = if direction? == Dir::Down { -1.0 } else { 1.0 };
    let amount =
        reader.take_as(|word| if let Word::Amount(amount) = word { Some(amount) } else { None });
    Some(match (said, amount) {
        (Some((level, _)), None) if level.signed => Err(signed(level.value)),
        (Some((level, _)), None) => Ok(sign * level.value),
        (None, amount) => Ok(sign * amount.unwrap_or(SOME)),
        (Some(_), Some(_)) => {
            Err(Trouble::new("it says two amounts", ["2 dB louder", "a bit louder"]))
        }
    })
}

fn bare_amount(direction: Option<Dir>, reader: &mut Reader) -> Option<(Level, Option<Prep>)> {
    let number = direction.and_then(|_| reader.clone().take_number(AMOUNT))?;
    let level = Level { value: number.value, signed: number.signed, unit: Unit::Db };
    (number.value.abs() <= LARGEST_BARE).then(|| reader.take_number(AMOUNT)).map(|_| (level, None))
}

fn signed(value: f64) -> Trouble {
    let size = value.abs();
    Trouble::new(
        format!("\"up\" or \"down\" with a sign ({value} dB) could mean either"),
        [
            format!("up by {size} dB"),
            format!("down by {size} dB"),
            format!("change the gain by {value} dB"),
        ],
    )
}

fn call(gain: &Gain, phrase: Option<Phrase>, clip_gain: bool, context: &Context<'_>) -> Built {
    let param = match gain {
        Gain::By(change) => ("change_db", json!(change)),
        Gain::To(position) => ("gain_db", json!(position)),
    };
    if phrase.as_ref().is_some_and(Phrase::is_mix) {
        context.may_touch_all()?;
        let draft = Draft::call("cmd_set_master_gain", vec![param]);
        return Ok(vec![Draft { targets: vec![context.scope.session.id.into()], ..draft }]);
    }
    if clip_gain {
        let resolved = context.resolve(phrase, Want::Clips)?;
        return Ok(vec![Draft::on("cmd_set_clip_gain", resolved, vec![param])]);
    }
    let phrase = match gain {
        Gain::By(_) => phrase.map(|phrase| context.or_all(phrase)),
        Gain::To(_) => phrase,
    };
    let resolved = context.resolve(phrase, Want::Sound)?;
    Ok(vec![Draft::on(tool_for(&resolved.ids)?, without_buses(resolved, context), vec![param])])
}

fn tool_for(ids: &[ObjectId]) -> Result<&'static str, Trouble> {
    let clips = ids.iter().filter(|id| matches!(id, ObjectId::Clip(_))).count();
    match clips {
        0 => Ok("cmd_set_track_gain"),
        count if count == ids.len() => Ok("cmd_set_clip_gain"),
        _ => Err(Trouble::new(
            "it is about tracks and clips at once",
            ["the selected clips", "the selected tracks"],
        )),
    }
}

/// With buses, "all" would turn down a track and the bus it plays to.
fn without_buses(resolved: Resolved, context: &Context<'_>) -> Resolved {
    let buses = context.scope.session.tracks.values().any(|track| track.kind == TrackKind::Bus);
    let tracks = resolved.ids.iter().all(|id| matches!(id, ObjectId::Track(_)));
    let all = resolved.param == "all";
    match buses && all && tracks {
        true => Resolved { param: list(&resolved.ids), ..resolved },
        false => resolved,
    }
}
