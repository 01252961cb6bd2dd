//! "normalize the dialogue to -16 LUFS", "gain-stage the music to -18".

use super::Built;
use crate::clause_reader::{OBJECT, Reader};
use crate::in_time;
use crate::levels::Unit;
use crate::part::Thing;
use crate::resolve::{Context, Phrase, Trouble};
use crate::vocab::{Noun, Prep};

const TARGET: &[Option<Prep>] =
    &[None, Some(Prep::To), Some(Prep::At), Some(Prep::For), Some(Prep::With), Some(Prep::Of)];

/// A level that no declaration explains: what is left over is told, or that it does not say to which level.
pub(super) fn unexplained(reader: &mut Reader, context: &Context<'_>) -> Built {
    let phrase = reader.take_phrase(OBJECT).or_else(|| all_tracks(reader, context));
    let by_name = |it| in_time::normalized_by_name(it, phrase.as_ref(), context);
    let level = reader.take_level(|level, prep| TARGET.contains(&prep) && level.unit == Unit::Db);
    let value = level.map(|(level, _)| level.value);
    let value = value.or_else(|| Some(reader.take_number(TARGET)?.value));
    if !reader.leftovers().is_empty() {
        return Ok(Vec::new());
    }
    let offers = ["to -16 LUFS", "to -23 LUFS", "to -14 LUFS", "to -1 dBTP"];
    let trouble = match value {
        Some(value) => no_unit(value),
        None => Trouble::new("it does not say to which level", offers),
    };
    Err(by_name(trouble))
}

fn no_unit(value: f64) -> Trouble {
    let value = if value > 0.0 { -value } else { value };
    Trouble::new("it does not say which kind of level that is", with_units(value))
}

fn with_units(value: f64) -> Vec<String> {
    vec![format!("{value} LUFS"), format!("{value} dBTP"), format!("{value} dBFS RMS")]
}

fn every_track() -> Phrase {
    let all = crate::part::whole(crate::part::Pick::All(Thing::Tracks));
    Phrase { parts: vec![all], except: Vec::new() }
}

/// "the tracks", where nothing else is named.
fn all_tracks(reader: &mut Reader, context: &Context<'_>) -> Option<Phrase> {
    let is_plural = context.scope.tokens.iter().any(|token| token.is("tracks"));
    (is_plural && reader.take_noun(Noun::Track)).then(every_track)
}
