//! The numbers of a request: to which parameter each belongs, with which sign, and within which bounds.

use super::clause::{Heritage, Miss, Taking};
use super::items::{Item, Kind};
use super::quantity::Quantity;
use super::vocabulary::Way;
use crate::resolve::Trouble;
use crate::times::rounded;
use deskhand_dsp::Frames;
use deskhand_session::Session;
use deskhand_session::intent::{Slot, Unit};
use serde_json::{Value, json};

/// What else is known of the request.
#[derive(Clone, Copy)]
pub(super) struct Said<'a> {
    pub way: Way<'a>,
    pub inherited: Option<&'a Heritage>,
    pub session: &'a Session,
}

/// Larger signed amounts without a verb could be levels: "everything -16 dB".
const LARGEST_PLAIN: f64 = 12.0;

/// Directions that speak against a positive level without a sign: "down to 6 dB".
const DOWNWARDS: [&str; 3] = ["down", "lower", "quieter"];

/// Takes what a slot is said to be.
pub(super) fn take(slot: &Slot, said: Said<'_>, taking: &mut Taking<'_>) -> Result<(), Miss> {
    let noun = slot.nouns.iter().find_map(|noun| taking.word(noun, true));
    if noun.is_none() && !slot.nouns.is_empty() {
        return Ok(());
    }
    let sign = sign(slot, said, taking)?;
    if let Some((at, quantity)) = number(slot, said, noun, taking) {
        taking.used[at] = true;
        taking.score += if quantity.unit.is_some() { 3 } else { 1 };
        let is_plain = said.way.intent.verbs.is_empty() && quantity.value.abs() <= LARGEST_PLAIN;
        let is_change = taking.items[at].prep == Some("by") || is_plain;
        let own = slot.own_sign && quantity.is_signed && is_change;
        let is_time = matches!(quantity.unit, Some(Unit::Seconds | Unit::Clock));
        let is_place = !is_time && matches!(taking.items[at].prep, Some("to" | "at"));
        let value = signed(slot, (quantity, is_place), sign, own, taking)?;
        let is_share = slot.of_amplitude && quantity.unit == Some(Unit::Percent);
        let value = if is_share { decibels(value).ok_or(Miss::Other)? } else { value };
        return set(slot, said, taking, |param| value * scale(slot, param));
    }
    let sign = sign.or((slot.up.is_empty() && slot.down.is_empty()).then_some(1.0));
    match word_value(slot, taking).or(slot.unsaid).zip(sign) {
        Some((value, sign)) => set(slot, said, taking, |_| sign * value),
        // A noun without its number, or a direction without an amount.
        None if noun.is_some() || sign.is_some() && !slot.up.is_empty() => Err(Miss::Other),
        None => Ok(()),
    }
}

/// Sets the parameters of a slot; what is out of range is told.
fn set(
    slot: &Slot,
    Said { way, session, .. }: Said<'_>,
    taking: &mut Taking<'_>,
    value: impl Fn(&str) -> f64,
) -> Result<(), Miss> {
    let end = session.end().seconds(session.rate).0;
    let placed = |value: f64| if slot.before_end { (end - value).max(0.0) } else { value };
    for param in &slot.params {
        let start =
            slot.since.as_ref().map(|start| taking.params.get(start).and_then(Value::as_f64));
        let start = start.map_or(Some(0.0), |start| start).ok_or(Miss::Other)?;
        let value = rounded(placed(value(param)) - start);
        if let Err(trouble) = within(way, param, value) {
            taking.trouble.get_or_insert(trouble);
        }
        let said =
            if way.is_whole(param) { whole(value).ok_or(Miss::Other)? } else { json!(value) };
        if taking.params.insert(param.clone(), said).is_some() {
            return Err(Miss::Other);
        }
        if let Some(unit) = unit_of(slot, param) {
            taking.units.push((param.clone(), unit));
        }
    }
    Ok(())
}

/// A percentage of the amplitude, in dB.
fn decibels(percent: f64) -> Option<f64> {
    (percent > 0.0).then(|| (20.0 * (percent / 100.0).log10() * 10.0).round() / 10.0)
}

/// A count, as JSON writes it; none with a fraction.
#[expect(clippy::cast_possible_truncation, reason = "larger counts are out of every range")]
pub(super) fn whole(value: f64) -> Option<Value> {
    (value.fract() == 0.0).then(|| json!(value as i64))
}

/// Up or down, where the slot is told so: by a word, or by the request before.
fn sign(slot: &Slot, said: Said<'_>, taking: &mut Taking<'_>) -> Result<Option<f64>, Miss> {
    let mut has = |words: &[String]| {
        let found = words.iter().filter(|word| taking.word(word, false).is_some()).count();
        found > 0 || words.iter().any(|word| taking.words.contains(word))
    };
    match (has(&slot.up), has(&slot.down)) {
        (true, true) => Err(Miss::Other),
        (true, false) => Ok(Some(1.0)),
        (false, true) => Ok(Some(-1.0)),
        (false, false) => Ok(said.inherited.and_then(|heritage| {
            let had = |words: &[String]| words.iter().any(|word| heritage.words.contains(word));
            match (had(&slot.up), had(&slot.down)) {
                (true, false) => Some(1.0),
                (false, true) => Some(-1.0),
                _ => None,
            }
        })),
    }
}

/// The number that belongs to a slot: directly in front of its noun, else behind it, else anywhere.
fn number(
    slot: &Slot,
    said: Said<'_>,
    noun: Option<usize>,
    taking: &Taking<'_>,
) -> Option<(usize, Quantity)> {
    let found: Vec<(usize, Quantity)> = taking
        .left()
        .filter_map(|(at, item)| Some((at, fitting(slot, said, item)?)))
        .filter(|(at, _)| !belongs_to_other(*at, noun, said, taking))
        .collect();
    let Some(noun) = noun else { return found.first().copied() };
    let ahead = found.iter().find(|(at, _)| at + 1 == noun && is_in_front(*at, taking));
    let behind = found.iter().find(|(at, _)| *at > noun);
    ahead.or(behind).or(found.last()).copied()
}

/// Whether a number is directly before the noun of another slot.
fn belongs_to_other(at: usize, noun: Option<usize>, said: Said<'_>, taking: &Taking<'_>) -> bool {
    let Some(next) = taking.items.get(at + 1).filter(|_| noun != Some(at + 1)) else {
        return false;
    };
    let mut nouns = said.way.intent.slots.iter().flat_map(|slot| &slot.nouns);
    is_in_front(at, taking) && nouns.any(|noun| next.is(noun))
}

/// Whether an item is directly before the next one, without even "and a" between them.
fn is_in_front(at: usize, taking: &Taking<'_>) -> bool {
    let next = taking.items.get(at + 1);
    next.is_some_and(|next| next.prep.is_none() && next.tokens.0 == taking.items[at].tokens.1)
}

/// The number of an item, if it can be that of a slot.
fn fitting(slot: &Slot, said: Said<'_>, item: &Item) -> Option<Quantity> {
    let prep = item.prep.unwrap_or("-");
    let is_placed = slot.preps.is_empty() || slot.preps.iter().any(|it| it == prep);
    let quantity = match &item.kind {
        Kind::Quantity(quantity) => *quantity,
        _ if prep == "-" && !is_placed_alone(slot) => return None,
        _ => named_place(item, said.session)?,
    };
    let units: Vec<Unit> = slot.params.iter().filter_map(|param| unit_of(slot, param)).collect();
    let fits = match quantity.unit {
        Some(unit) => units.contains(&unit) || slot.units.contains(&unit),
        None => is_bare(slot, quantity) || said.inherited.is_some_and(|it| takes_over(slot, it)),
    };
    (is_placed && fits).then_some(quantity)
}

/// Whether a place may be named without a preposition: "play the chorus".
fn is_placed_alone(slot: &Slot) -> bool {
    slot.units.contains(&Unit::Clock) && slot.preps.iter().any(|prep| prep == "-")
}

/// A place that is said by name: a marker, the start or the end.
fn named_place(item: &Item, session: &Session) -> Option<Quantity> {
    let at = match &item.kind {
        Kind::Names(phrase) => phrase.marker(session)?.position,
        _ if item.is("start") => Frames::ZERO,
        _ if item.is("end") => session.end(),
        _ => return None,
    };
    let value = rounded(at.seconds(session.rate).0);
    Some(Quantity { value, is_signed: false, unit: Some(Unit::Clock) })
}

fn is_bare(slot: &Slot, quantity: Quantity) -> bool {
    let value = if slot.up.is_empty() { quantity.value } else { quantity.value.abs() };
    slot.bare.is_some_and(|(least, most)| (least..=most).contains(&value))
}

/// Whether the request before said the unit: "the vocals to -18 LUFS and the drums to -20".
fn takes_over(slot: &Slot, heritage: &Heritage) -> bool {
    slot.params.iter().any(|param| heritage.units.iter().any(|(it, _)| it == param))
}

fn unit_of(slot: &Slot, param: &str) -> Option<Unit> {
    slot.units.first().copied().or_else(|| Some(Unit::of_param(param)?.0))
}

fn scale(slot: &Slot, param: &str) -> f64 {
    slot.scale.unwrap_or_else(|| Unit::of_param(param).map_or(1.0, |(_, scale)| scale))
}

/// The value with its sign; a sign against a direction is told.
fn signed(
    slot: &Slot,
    (quantity, is_place): (Quantity, bool),
    sign: Option<f64>,
    own: bool,
    taking: &mut Taking<'_>,
) -> Result<f64, Miss> {
    let value = quantity.value;
    let goes_down = || DOWNWARDS.iter().any(|word| taking.words.iter().any(|it| it == word));
    let trouble = match sign {
        Some(_) if quantity.is_signed => two_signs(value),
        Some(sign) => return Ok(sign * value),
        None if own => return Ok(value),
        None if !slot.up.is_empty() => return Err(Miss::Other),
        None if is_place && goes_down() && value > 0.0 && !quantity.is_signed => {
            above_or_below(value)
        }
        None => return Ok(value),
    };
    taking.trouble.get_or_insert(trouble);
    Ok(value)
}

/// A word for a value: "a bit".
fn word_value(slot: &Slot, taking: &mut Taking<'_>) -> Option<f64> {
    let (_, value) = slot.values.iter().find(|(word, _)| taking.word(word, false).is_some())?;
    taking.score += 1;
    Some(*value)
}

fn above_or_below(value: f64) -> Trouble {
    let offers = [format!("to -{value} dB"), format!("down by {value} dB")];
    Trouble::new("it is not clear whether that is above or below 0 dB", offers)
}

fn two_signs(value: f64) -> Trouble {
    let size = value.abs();
    let reason = format!("\"up\" or \"down\" with a sign ({value} dB) could mean either");
    let change = format!("change the gain by {value} dB");
    Trouble::new(reason, [format!("up by {size} dB"), format!("down by {size} dB"), change])
}

/// Values out of the range of a parameter are refused.
pub(super) fn within(way: Way<'_>, param: &str, value: f64) -> Result<(), Trouble> {
    let (least, most) = way.bounds(param);
    if (least..=most).contains(&value) {
        return Ok(());
    }
    let unit = Unit::of_param(param).map(|(unit, _)| word_of(unit)).unwrap_or_default();
    let offers: Vec<String> = match (least..=most).contains(&-value) {
        true => vec![format!("{} {unit}", -value).trim().to_owned()],
        false => Vec::new(),
    };
    let reason = format!("{value} {unit} is out of range: it goes from {least} to {most}");
    Err(Trouble::new(reason, offers))
}

fn word_of(unit: Unit) -> &'static str {
    match unit {
        Unit::Db => "dB",
        Unit::Lufs => "LUFS",
        Unit::Lu => "LU",
        Unit::Dbtp => "dBTP",
        Unit::Dbfs => "dBFS",
        Unit::Rms => "dBFS RMS",
        Unit::Percent => "%",
        Unit::Seconds => "s",
        Unit::Hertz => "Hz",
        Unit::Clock => "s",
        Unit::Bpm => "bpm",
        Unit::Ratio => ": 1",
    }
}
