//! Fades of clips: "fade out the music over five seconds".

use super::{Built, Draft};
use crate::clause_reader::{RECIPIENT, Reader};
use crate::resolve::{Context, Trouble};
use crate::times::rounded;
use crate::vocab::{Noun, Prep, Verb};
use deskhand_session::{Clip, ClipId};
use serde_json::{Value, json};

fn milliseconds(seconds: f64) -> Value {
    json!(rounded(seconds * 1000.0))
}

/// The fades of certain clips.
pub(super) fn fades(reader: &mut Reader, context: &Context<'_>) -> Built {
    for verb in [Verb::Add, Verb::Set, Verb::Bring, Verb::Give] {
        reader.take_verb(verb);
    }
    match [Noun::FadeIn, Noun::FadeOut, Noun::FadeInOut].iter().any(|it| reader.has_noun(*it)) {
        true => clip_fades(reader, context),
        false => super::unexplained(reader, context),
    }
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
