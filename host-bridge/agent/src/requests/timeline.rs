//! Markers, tempo, meter, ripple edits, undo and redo.

use super::clips::range;
use super::naming::fitting;
use super::{Built, Draft};
use crate::clause_reader::{OBJECT, Reader};
use crate::in_time::{self, Stretch};
use crate::reading::RequestKind;
use crate::resolve::{Context, Resolved, Trouble, Want};
use crate::times::{Time, rounded};
use crate::vocab::{Noun, Prep, Verb, Word};
use deskhand_session::ObjectId;
use serde_json::{Value, json};

/// Most undo steps in one request.
const MOST_STEPS: f64 = 20.0;

/// Undo or redo, once or a number of times.
pub(super) fn history(verb: Verb, reader: &mut Reader) -> Built {
    let times = reader
        .take_as(|word| if let Word::Times(times) = word { Some(f64::from(times)) } else { None });
    let said =
        reader.take_number(&[None, Some(Prep::Of), Some(Prep::By)]).map(|number| number.value);
    reader.drop_nouns(&[Noun::Step]);
    reader.take_verb(Verb::Change);
    reader.take_pronoun();
    if !reader.leftovers().is_empty() {
        let offers = match verb {
            Verb::Redo => ["redo", "what did you just do?", "redo the last two changes"],
            _ => ["undo", "what did you just do?", "undo the last two changes"],
        };
        return Err(Trouble::new(
            "steps are taken back and made again one after another, and none out of the middle",
            offers,
        ));
    }
    let steps = times.or(said).unwrap_or(1.0);
    if !(1.0..=MOST_STEPS).contains(&steps) || steps.fract() != 0.0 {
        return Err(Trouble::new(
            "that is no number of steps",
            ["undo", "undo the last two changes"],
        ));
    }
    let kind = if verb == Verb::Undo { RequestKind::Undo } else { RequestKind::Redo };
    let count = (1..=20).take_while(|step| f64::from(*step) <= steps).count();
    Ok(vec![Draft { kind, targets: Vec::new() }; count])
}

/// Adds a marker at a time or over a range.
pub(super) fn marker(reader: &mut Reader, context: &Context<'_>) -> Built {
    reader.take_noun(Noun::Marker);
    let name = reader.take_name();
    let example = "add a marker called \"Chorus\" at 1:30";
    let name = name.map(|name| fitting(context, name, example)).transpose()?;
    let (start, length) = span(context.verb.filter(|_| name.is_some()), reader)?;
    let count = context.scope.session.markers.len();
    let name = name.unwrap_or_else(|| format!("Marker {}", count + 1));
    let mut params = vec![("name", json!(name)), ("at_s", json!(start.seconds))];
    params.extend(length.map(|length| ("length_s", json!(length))));
    Ok(vec![Draft::call("cmd_add_marker", params)])
}

/// "mark 5 seconds as chorus" is a place; behind other verbs, or without a name, a bare length is none.
fn span(verb: Option<Verb>, reader: &mut Reader) -> Result<(Time, Option<f64>), Trouble> {
    if let Some(start) = reader.take_time(&[Some(Prep::From)]) {
        let Some(end) = reader.take_time(&[Some(Prep::To), Some(Prep::Until)]) else {
            return Err(Trouble::new(
                "it does not say where the marker ends",
                ["add a marker from 1:00 to 1:15 called Break"],
            ));
        };
        range(Some(start), Some(end))?;
        return Ok((start, Some(rounded(end.seconds - start.seconds))));
    }
    let bare: &[Option<Prep>] = if verb == Some(Verb::Mark) { &[None] } else { &[] };
    let at = reader
        .take_time(&[Some(Prep::At)])
        .or_else(|| reader.take_place())
        .or_else(|| reader.take_time(bare));
    at.map(|time| (time, None)).ok_or_else(|| {
        Trouble::new("it does not say where the marker is", ["add a marker at 1:30 called Solo"])
    })
}

/// Sets the tempo.
pub(super) fn tempo(reader: &mut Reader) -> Built {
    reader.drop_nouns(&[Noun::Tempo, Noun::Bpm]);
    reader.take_pronoun();
    let number = reader.take_number(&[None, Some(Prep::To), Some(Prep::At), Some(Prep::Of)]);
    match number {
        Some(number) if (10.0..=999.0).contains(&number.value) => {
            Ok(vec![Draft::call("cmd_set_tempo", vec![("bpm", json!(number.value))])])
        }
        Some(_) => Err(Trouble::new("a tempo is 10 to 999 bpm", ["set the tempo to 96 bpm"])),
        None => Err(Trouble::new("it does not say which tempo", ["set the tempo to 96 bpm"])),
    }
}

/// Sets the meter.
pub(super) fn meter(reader: &mut Reader) -> Built {
    reader.drop_nouns(&[Noun::Meter]);
    reader.take_pronoun();
    let any = &[None, Some(Prep::To), Some(Prep::In), Some(Prep::At)];
    let ratio = reader
        .take_ratio()
        .or_else(|| Some((reader.take_number(any)?.value, reader.take_number(any)?.value)));
    let fits = |(above, below): &(f64, f64)| {
        (1.0..=64.0).contains(above)
            && above.fract() == 0.0
            && [1.0, 2.0, 4.0, 8.0, 16.0, 32.0].contains(below)
    };
    let Some((numerator, denominator)) = ratio.filter(fits) else {
        return Err(Trouble::new(
            "that is no meter",
            ["set the meter to 3/4", "set the time signature to 6/8"],
        ));
    };
    Ok(vec![Draft::call(
        "cmd_set_meter",
        vec![("numerator", whole(numerator)), ("denominator", whole(denominator))],
    )])
}

/// A number without a fraction, as JSON writes counts.
#[expect(clippy::cast_possible_truncation, reason = "a meter's numbers are small and whole")]
fn whole(number: f64) -> Value {
    json!(number as i64)
}

/// Removes or inserts time in a group or a track.
pub(super) fn ripple(verb: Verb, reader: &mut Reader, context: &Context<'_>) -> Built {
    let phrase = reader.take_phrase(OBJECT);
    let example = [
        "ripple delete from 1:00 to 1:30 on all tracks",
        "ripple insert 5 seconds at 0:30 on all tracks",
    ];
    if phrase.is_none() {
        return Err(Trouble::new("it does not say on which tracks", example));
    }
    let selected = Stretch::selected(context.scope.session);
    let selected = selected.filter(|_| context.is_selection(phrase.as_ref()));
    let (tool, params) = if verb == Verb::RippleDelete {
        let start = reader.take_time(&[Some(Prep::From), None]);
        let end = reader.take_time(&[Some(Prep::To), Some(Prep::Until)]);
        let params = match (start, end) {
            (Some(_), Some(_)) => range(start, end)?,
            (None, None) => selected.map(Stretch::edges).unwrap_or_default(),
            _ => Vec::new(),
        };
        ("cmd_ripple_delete", params)
    } else {
        let at = reader.take_time(&[Some(Prep::At)]);
        let length = reader.take_time(&[None, Some(Prep::Of)]).filter(|time| !time.place);
        let params = at.zip(length).map(|(at, length)| {
            vec![("at_s", json!(at.seconds)), ("length_s", json!(length.seconds))]
        });
        ("cmd_ripple_insert", params.unwrap_or_default())
    };
    if params.is_empty() {
        return Err(Trouble::new("it does not say which time", example));
    }
    let mut resolved = context.resolve(phrase, Want::Any)?;
    if selected.is_some() {
        resolved = in_time::on_tracks(&resolved, context.scope.session);
    }
    Ok(vec![Draft::on(tool, groups_or_tracks(resolved, context)?, params)])
}

fn groups_or_tracks(resolved: Resolved, context: &Context<'_>) -> Result<Resolved, Trouble> {
    let fits = resolved.ids.iter().all(|id| matches!(id, ObjectId::Group(_) | ObjectId::Track(_)));
    match fits {
        true => Ok(resolved),
        false => Err(Trouble::new(
            "ripple edits work on tracks and groups of tracks",
            context.scope.track_names(),
        )),
    }
}
