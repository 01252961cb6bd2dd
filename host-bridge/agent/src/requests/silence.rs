//! "strip silence from the dialogue", "add 10 ms fades", "fade out the music over five seconds".

use super::{Built, Draft};
use crate::clause_reader::{OBJECT, RECIPIENT, Reader};
use crate::levels::Unit;
use crate::resolve::{Context, Trouble};
use crate::times::rounded;
use crate::vocab::{Noun, Prep, Verb};
use deskhand_session::{Clip, ClipId};
use serde_json::{Value, json};

/// The length of crossfades where none is said, in milliseconds: the tool's own.
const CROSSFADE_MS: f64 = 10.0;

/// Removes silence.
pub(super) fn strip(reader: &mut Reader, context: &Context<'_>) -> Built {
    let phrase = reader.take_phrase(OBJECT);
    if !reader.has_noun(Noun::Silence) {
        return Err(Trouble::new(
            "it does not say what to strip",
            ["strip silence from the dialogue"],
        ));
    }
    reader.drop_nouns(&[Noun::Silence]);
    let mut params = Vec::new();
    let below = Some(Prep::Below);
    let level = reader.take_level(|level, prep| {
        let stands = prep == below || prep == Some(Prep::At) && level.value < 0.0;
        matches!(level.unit, Unit::Db | Unit::Dbfs | Unit::Rms) && stands
    });
    let threshold =
        level.map(|(level, _)| level.value).or_else(|| Some(reader.take_number(&[below])?.value));
    if let Some(threshold) = threshold {
        if threshold > 0.0 {
            return Err(Trouble::new(
                "a threshold is below full scale",
                [format!("below -{threshold} dBFS")],
            ));
        }
        params.push(("threshold_dbfs", json!(threshold)));
    }
    if let Some(time) = reader.take_time(&[Some(Prep::AtLeast), Some(Prep::Over)]) {
        params.push(("min_silence_ms", milliseconds(time.seconds)));
    }
    params.extend(gaps(reader)?);
    Ok(vec![Draft::on("tool_strip_silence", context.resolve_or_all(phrase)?, params)])
}

fn gaps(reader: &mut Reader) -> Result<Option<(&'static str, Value)>, Trouble> {
    let (close, keep) = (reader.take_verb(Verb::CloseGaps), reader.take_verb(Verb::KeepGaps));
    match (close, keep) {
        (true, true) => Err(Trouble::new(
            "it says both to close and to keep the gaps",
            ["close the gaps", "keep the gaps"],
        )),
        (false, false) => Ok(None),
        (close, _) => Ok(Some(("close_gaps", json!(close)))),
    }
}

fn milliseconds(seconds: f64) -> Value {
    json!(rounded(seconds * 1000.0))
}

/// Default fades and crossfades, or the fades of certain clips.
pub(super) fn fades(reader: &mut Reader, context: &Context<'_>) -> Built {
    for verb in [Verb::Add, Verb::Set, Verb::Bring, Verb::Give] {
        reader.take_verb(verb);
    }
    if [Noun::FadeIn, Noun::FadeOut, Noun::FadeInOut].iter().any(|noun| reader.has_noun(*noun)) {
        return clip_fades(reader, context);
    }
    let phrase = reader.take_phrase(RECIPIENT);
    let short = &[None, Some(Prep::Of), Some(Prep::With)];
    let mut params = Vec::new();
    let crossfade = reader.take_noun(Noun::Crossfade);
    let time = reader.take_time(short).map(|time| milliseconds(time.seconds));
    let fade = reader.take_noun(Noun::Fade);
    reader.drop_nouns(&[Noun::Overlap]);
    match (crossfade, fade, time) {
        (true, true, Some(_)) => {
            return Err(Trouble::new(
                "it does not say which fades are that long",
                ["10 ms fades", "crossfades of 20 ms"],
            ));
        }
        (true, false, time) => {
            let time = time.unwrap_or_else(|| json!(CROSSFADE_MS));
            params.push(("crossfade_ms", time));
        }
        (_, _, Some(time)) => params.push(("length_ms", time)),
        (_, _, None) => {}
    }
    Ok(vec![Draft::on("tool_fades", context.resolve_or_all(phrase)?, params)])
}

fn clip_fades(reader: &mut Reader, context: &Context<'_>) -> Built {
    let phrase = reader.take_phrase(RECIPIENT);
    let params = fade_lengths(reader)?;
    // A track is faded in by its first clip, and out by its last.
    let edge = |clips: &[(ClipId, &Clip)]| {
        let found = match params[..] {
            [("fade_in_ms", _)] => clips.iter().min_by_key(|(_, clip)| clip.position),
            [("fade_out_ms", _)] => clips.iter().max_by_key(|(_, clip)| clip.end()),
            _ => None,
        };
        found.map(|(id, _)| *id)
    };
    let resolved = context.clip_of_each(phrase, edge)?;
    Ok(vec![Draft::on("cmd_set_clip_fades", resolved, params)])
}

/// The length of each fade that is named; two fades need two lengths unless both are named as one.
fn fade_lengths(reader: &mut Reader) -> Result<Vec<(&'static str, Value)>, Trouble> {
    let both = reader.take_noun(Noun::FadeInOut);
    let inward = reader.place_of(Noun::FadeIn);
    let outward = reader.place_of(Noun::FadeOut);
    reader.drop_nouns(&[Noun::FadeIn, Noun::FadeOut, Noun::Fade]);
    let mut preps = vec![None];
    preps.extend([Prep::Of, Prep::Over, Prep::With, Prep::For].map(Some));
    preps.extend(inward.is_some().then_some(Some(Prep::OverFirst)));
    preps.extend(outward.is_some().then_some(Some(Prep::OverLast)));
    let mut length = || {
        let time = reader.take_time(&preps);
        let missing = || no_length(both || inward.is_some(), both || outward.is_some());
        time.map(|time| milliseconds(time.seconds)).ok_or_else(missing)
    };
    let first = length()?;
    Ok(match (both, inward, outward) {
        (true, ..) => vec![("fade_in_ms", first.clone()), ("fade_out_ms", first)],
        (false, Some(a), Some(b)) if a < b => {
            vec![("fade_in_ms", first), ("fade_out_ms", length()?)]
        }
        (false, Some(_), Some(_)) => vec![("fade_out_ms", first), ("fade_in_ms", length()?)],
        (false, Some(_), None) => vec![("fade_in_ms", first)],
        (false, None, _) => vec![("fade_out_ms", first)],
    })
}

/// What is offered fades the way that was asked for.
fn no_length(inward: bool, outward: bool) -> Trouble {
    let fade = match (inward, outward) {
        (true, false) => "fade in take 1 over 2 seconds",
        (false, _) => "fade out take 1 over 2 seconds",
        (true, true) => "fade in and out take 1 over 2 seconds",
    };
    let reason = "it does not say how long each fade is";
    Trouble::new(reason, [fade, "add 10 ms fades to take 1"])
}
