//! Builds changes of processors, envelopes and segments, from dice.

use super::build::Dice;
use deskhand_dsp::effects::{Band, BandShape, Effect, Equalizer, Limiter};
use deskhand_dsp::{Decibels, EnvelopePoint, Frames};
use deskhand_session::change::Edit;
use deskhand_session::*;

/// A valid change with the given op; `None` if there is nothing to change or the op belongs to another
/// builder.
pub(crate) fn change(s: &Session, op: &str, dice: &mut Dice) -> Option<Change> {
    Some(match op {
        "set_track_envelope" => {
            let id = dice.pick(s.tracks.keys().copied())?;
            Change::SetTrackEnvelope(Edit::new(id, s.tracks[&id].envelope.clone(), points(dice)))
        }
        "set_clip_envelope" => {
            let id = dice.pick(s.clips.keys().copied())?;
            Change::SetClipEnvelope(Edit::new(id, s.clips[&id].envelope.clone(), points(dice)))
        }
        "set_insert" => {
            let (id, before) = some_or_new(&s.inserts, dice, InsertId::new);
            let keep = before.is_none() || dice.coin();
            let after = if keep { Some(insert(s, dice)?) } else { None };
            Change::SetInsert(Edit::new(id, before, after))
        }
        "set_segment" => {
            let (id, before) = some_or_new(&s.segments, dice, SegmentId::new);
            let keep = before.is_none() || dice.coin();
            let after = if keep { Some(segment(s, dice)?) } else { None };
            if s.phrases.values().any(|phrase| phrase.segments.contains(&id)) {
                return None;
            }
            Change::SetSegment(Edit::new(id, before, after))
        }
        "set_description" => {
            let id = dice.pick(s.segments.keys().copied())?;
            let before = s.segments[&id].description.clone();
            Change::SetDescription(Edit::new(id, before, description(dice)))
        }
        _ => return None,
    })
}

pub(crate) fn some_or_new<K: Ord + Copy, V: Clone>(
    map: &std::collections::BTreeMap<K, V>,
    dice: &mut Dice,
    new: impl Fn(u64) -> K,
) -> (K, Option<V>) {
    match dice.pick(map.iter()).filter(|_| dice.coin()) {
        Some((id, value)) => (*id, Some(value.clone())),
        None => (new(dice.bits()), None),
    }
}

fn points(dice: &mut Dice) -> Vec<EnvelopePoint> {
    let count = dice.range(0, 4);
    let point = |n: i64| EnvelopePoint {
        position: Frames(n * 100),
        gain: Decibels(dice.range(-60, 12) as f64),
        curve: if dice.coin() { 0.0 } else { 0.5 },
    };
    (0..count).map(point).collect()
}

fn insert(s: &Session, dice: &mut Dice) -> Option<PlacedInsert> {
    let on = match dice.coin() {
        true => InsertOwner::Master,
        false => InsertOwner::Track(dice.pick(s.tracks.keys().copied())?),
    };
    let band = Band { shape: BandShape::Bell, frequency_hz: 440.0, gain: Decibels(-3.0), q: 1.0 };
    let effect = match dice.coin() {
        true => Effect::Equalizer(Equalizer { bands: vec![band] }),
        false => Effect::Limiter(Limiter {
            gain: Decibels(2.0),
            ceiling: Decibels(-1.0),
            release_ms: 80.0,
        }),
    };
    let switch = if dice.coin() { Switch::On } else { Switch::Off };
    Some(PlacedInsert { on, index: dice.range(0, 3) as u32, switch, effect })
}

fn segment(s: &Session, dice: &mut Dice) -> Option<Segment> {
    let (source, frames) = dice.pick(s.sources.iter().map(|(id, source)| (*id, source.frames)))?;
    let start = Frames(dice.range(0, frames.0 - 1));
    let length = Frames(dice.range(1, (frames - start).0));
    let word = Word { text: "so,".into(), start, end: start + length, confidence: Some(0.5) };
    let words = if dice.coin() { vec![word] } else { Vec::new() };
    let speaker = dice.coin().then(|| "Ada".to_owned());
    let description = description(dice);
    Some(Segment { description, words, speaker, ..Segment::new(source, start, length) })
}

fn description(dice: &mut Dice) -> Description {
    let fact = Fact {
        value: serde_json::json!(dice.range(-60, 0)),
        unit: Some("LUFS".into()),
        confidence: dice.coin().then_some(0.9),
        by: "tool_classify_content".into(),
    };
    Description { facts: [("level".to_owned(), fact)].into() }
}
