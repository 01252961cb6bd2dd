//! "normalize the dialogue to -16 LUFS", "gain-stage the music to -18".

use super::{Built, Draft};
use crate::clause_reader::{OBJECT, Reader};
use crate::in_time;
use crate::levels::{Level, Unit};
use crate::part::Thing;
use crate::resolve::{Context, Phrase, Resolved, Trouble, Want};
use crate::vocab::{Dir, Noun, Per, Prep, Verb, Word};
use serde_json::{Value, json};

const TARGET: &[Option<Prep>] =
    &[None, Some(Prep::To), Some(Prep::At), Some(Prep::For), Some(Prep::With), Some(Prep::Of)];

/// Bare numbers in this range are LUFS: "normalize the dialogue to minus sixteen".
const BARE_LUFS: std::ops::RangeInclusive<f64> = -40.0..=-9.0;

/// Normalizes to a loudness or a peak, with an optional true-peak ceiling.
pub(super) fn normalize(verb: Option<Verb>, reader: &mut Reader, context: &Context<'_>) -> Built {
    let phrase = reader.take_phrase(OBJECT).or_else(|| all_tracks(reader, context));
    let together = reader.take_word(Word::Together);
    let per = reader.take_as(|word| match word {
        Word::Per(per) => Some(per),
        _ => None,
    });
    if verb != Some(Verb::Normalize) {
        reader.take_dir(&[Dir::Up, Dir::Down]);
    }
    let standard = reader.take_standard();
    let mut ceiling = take_ceiling(reader)?;
    let mut params = match standard {
        Some(standard) => {
            ceiling = ceiling.or(Some(standard.dbtp));
            reader.drop_nouns(&[Noun::Level, Noun::Loudness]);
            vec![("target_lufs", json!(standard.lufs))]
        }
        None => {
            let target = target(reader, ceiling.is_some());
            let by_name = |it| in_time::normalized_by_name(it, phrase.as_ref(), context);
            vec![target.map_err(by_name)?]
        }
    };
    if let Some(dbtp) = ceiling {
        params.push(("ceiling_dbtp", json!(dbtp)));
        reader.drop_nouns(&[Noun::TruePeak, Noun::Peak]);
    }
    if together {
        params.push(("together", json!(true)));
    }
    let (resolved, per) = targets(phrase, per, context)?;
    params.extend(per.map(|per| ("per", json!(per))));
    Ok(vec![Draft::on("tool_normalize", resolved, params)])
}

/// The targets, and what is brought to the level on its own where it is not the clip.
fn targets(
    phrase: Option<Phrase>,
    per: Option<Per>,
    context: &Context<'_>,
) -> Result<(Resolved, Option<&'static str>), Trouble> {
    if phrase.as_ref().is_some_and(Phrase::is_mix) {
        context.may_touch_all()?;
        let ids = vec![context.scope.session.id.into()];
        return Ok((Resolved { param: json!("all"), ids }, Some("mix")));
    }
    let tracks = phrase.as_ref().is_some_and(|phrase| phrase.is_all(Thing::Tracks));
    let per = match per {
        Some(Per::Track) => Some("track"),
        None if tracks => Some("track"),
        Some(Per::Clip) | None => None,
    };
    // A level alone, "to -16 LUFS", is an answer and asks for nothing by itself.
    let resolved = match context.verb {
        Some(_) => context.resolve_or_all(phrase)?,
        None => context.resolve(phrase, Want::Sound)?,
    };
    Ok((resolved, per))
}

/// "with a ceiling of -1 dBTP", "peaks no higher than -1", "and -1 dBTP" next to a loudness.
fn take_ceiling(reader: &mut Reader) -> Result<Option<f64>, Trouble> {
    let loud = reader.clone().take_level(|level, _| level.unit == Unit::Lufs).is_some()
        || reader.clone().take_standard().is_some();
    let peak = reader.has_noun(Noun::TruePeak);
    let limit = |level: Level, prep| match level.unit {
        Unit::Dbtp => prep == Some(Prep::AtMost) || loud,
        Unit::Db => prep == Some(Prep::AtMost) || loud && peak,
        Unit::Lufs | Unit::Lu | Unit::Dbfs | Unit::Rms => false,
    };
    let bare =
        |reader: &mut Reader| reader.take_number(&[Some(Prep::AtMost)]).map(|number| number.value);
    let value = reader.take_level(limit).map(|(level, _)| level.value).or_else(|| bare(reader));
    match value {
        Some(dbtp) if dbtp > 0.0 => Err(Trouble::new(
            "a true-peak ceiling is below 0 dBTP",
            [format!("a ceiling of -{dbtp} dBTP")],
        )),
        other => Ok(other),
    }
}

/// The one target, as parameter and value.
fn target(reader: &mut Reader, has_ceiling: bool) -> Result<(&'static str, Value), Trouble> {
    let absolute = |level: Level, prep| level.unit != Unit::Lu && TARGET.contains(&prep);
    let taken = reader.take_level(absolute).map(|(level, _)| (level.value, Some(level.unit)));
    let taken = taken.or_else(|| Some((reader.take_number(TARGET)?.value, None)));
    let Some((value, unit)) = taken else {
        let offers = ["to -16 LUFS", "to -23 LUFS", "to -14 LUFS", "to -1 dBTP"];
        return Err(Trouble::new("it does not say to which level", offers));
    };
    let name = parameter(reader, value, unit, has_ceiling).ok_or_else(|| no_unit(value))?;
    match value > 0.0 {
        true => Err(Trouble::new("levels below full scale are negative", with_units(-value))),
        false => Ok((name, json!(value))),
    }
}

/// Which level is meant, from the unit and the words around it. Takes those words.
fn parameter(
    reader: &mut Reader,
    value: f64,
    unit: Option<Unit>,
    has_ceiling: bool,
) -> Option<&'static str> {
    let said = |noun| reader.has_noun(noun);
    let (name, nouns): (_, &[Noun]) = match unit {
        Some(Unit::Lufs) => ("target_lufs", &[Noun::Loudness]),
        Some(Unit::Dbtp) => ("target_dbtp", &[Noun::TruePeak, Noun::Peak]),
        Some(Unit::Rms) => ("target_rms_dbfs", &[Noun::Rms]),
        Some(Unit::Dbfs | Unit::Db) | None if said(Noun::Rms) => ("target_rms_dbfs", &[Noun::Rms]),
        Some(Unit::Dbfs) => ("target_dbfs", &[Noun::SamplePeak, Noun::Peak]),
        Some(Unit::Db) | None if said(Noun::TruePeak) && !has_ceiling => {
            ("target_dbtp", &[Noun::TruePeak])
        }
        Some(Unit::Db) | None if said(Noun::SamplePeak) => ("target_dbfs", &[Noun::SamplePeak]),
        Some(Unit::Db) | None if said(Noun::Peak) && !has_ceiling => ("target_dbfs", &[Noun::Peak]),
        None if BARE_LUFS.contains(&value) => ("target_lufs", &[Noun::Loudness]),
        Some(Unit::Db | Unit::Lu) | None => return None,
    };
    reader.drop_nouns(nouns);
    reader.drop_nouns(&[Noun::Level]);
    Some(name)
}

fn no_unit(value: f64) -> Trouble {
    let value = if value > 0.0 { -value } else { value };
    Trouble::new("it does not say which kind of level that is", with_units(value))
}

fn with_units(value: f64) -> Vec<String> {
    vec![format!("{value} LUFS"), format!("{value} dBTP"), format!("{value} dBFS RMS")]
}

/// Brings tracks to a working level.
pub(super) fn gain_stage(reader: &mut Reader, context: &Context<'_>) -> Built {
    let phrase = reader.take_phrase(OBJECT).or_else(|| all_tracks(reader, context));
    let peak = reader.take_noun(Noun::Peak) || reader.take_noun(Noun::SamplePeak);
    reader.drop_nouns(&[Noun::Rms, Noun::Level]);
    let taken = reader.take_level(|level, prep| {
        !matches!(level.unit, Unit::Lu | Unit::Dbtp) && TARGET.contains(&prep)
    });
    let taken = taken.map(|(level, _)| (level.value, level.unit));
    let taken = taken.or_else(|| Some((reader.take_number(TARGET)?.value, Unit::Db)));
    let mut params = Vec::new();
    if let Some((value, unit)) = taken {
        if value > 0.0 {
            return Err(Trouble::new(
                "a working level is below full scale",
                [format!("gain-stage to -{value} dBFS RMS")],
            ));
        }
        let name = match unit {
            Unit::Lufs => "target_lufs",
            Unit::Db | Unit::Dbfs if peak => "target_peak_dbfs",
            Unit::Db | Unit::Dbfs | Unit::Rms | Unit::Lu | Unit::Dbtp => "target_rms_dbfs",
        };
        params.push((name, json!(value)));
    } else if peak {
        return Err(Trouble::new(
            "it does not say how high the peaks may be",
            ["gain-stage the drums to peaks at -10 dBFS"],
        ));
    }
    Ok(vec![Draft::on("tool_gain_stage", staged(phrase, context)?, params)])
}

/// Gain staging the mix is gain staging its tracks.
fn staged(phrase: Option<Phrase>, context: &Context<'_>) -> Result<Resolved, Trouble> {
    let mix = phrase.as_ref().is_some_and(Phrase::is_mix);
    context.resolve(if mix { Some(every_track()) } else { phrase }, Want::Tracks)
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
