//! Which bands change for each direction, and by how much. The regions are those of engineers' charts: body from 100 Hz,
//! boom to 200, mud to 400, box to 800, nose to 1600, presence and harshness from 2.5 to 5 kHz, air above.

use super::direction::{Amount, Direction};
use super::reference::Reference;
use crate::bands::{CENTERS, Spectrum};
use crate::eq_balance::moves::Move;
use deskhand_dsp::Decibels;
use deskhand_dsp::effects::{Band, BandShape, Effect, MOST_BANDS};
use deskhand_session::text::trimmed;

/// The most that a band may raise or lower, and the step of its gain, in dB.
const MOST: f64 = 3.0;
const STEP: f64 = 0.5;
/// A part of the sound that lies this far below its strongest third octave is noise: it is not raised, in dB.
const NOTHING: f64 = 55.0;
/// Bands of one shape are one if they are this near, in octaves.
const NEAR: f64 = 0.2;

/// A band that may change.
struct Part {
    shape: BandShape,
    /// `None`: where it stands out most.
    hz: Option<f64>,
    q: f64,
    /// The third octaves that are compared, in Hz.
    region: (f64, f64),
    /// 1 raises, -1 lowers.
    sign: f64,
    /// How much of the amount is asked for.
    share: f64,
    /// How much of what lacks, or is too much, is set right.
    follows: f64,
}

/// What is planned, and whether any of it was at its limit before.
pub(super) struct Found {
    pub(super) moves: Vec<Move>,
    pub(super) is_full: bool,
}

/// The bands of a direction.
fn parts(direction: Direction) -> Vec<Part> {
    let part =
        |shape, hz, q, region| Part { shape, hz, q, region, sign: 1.0, share: 1.0, follows: 0.5 };
    let at = |hz, q, region| part(BandShape::Bell, Some(hz), q, region);
    let lower = |part: Part| Part { sign: -1.0, ..part };
    let half = |part: Part| Part { share: 0.5, follows: 0.25, ..part };
    let top = |q, region| lower(part(BandShape::Bell, None, q, region));
    let shelf = |hz, region| part(BandShape::HighShelf, Some(hz), 0.7, region);
    let mud = (200.0, 400.0);
    match direction {
        Direction::Warmer => {
            vec![at(200.0, 0.7, (125.0, 315.0)), half(lower(shelf(8000.0, (8000.0, 12_500.0))))]
        }
        Direction::Brighter => vec![shelf(6000.0, (5000.0, 12_500.0))],
        Direction::Clearer => vec![at(3500.0, 0.9, (2500.0, 5000.0)), half(top(1.0, mud))],
        Direction::Punchier => {
            let presence = half(at(3500.0, 0.9, (2500.0, 5000.0)));
            vec![presence, Part { share: 0.0, ..top(1.0, mud) }]
        }
        Direction::Fuller => {
            vec![part(BandShape::LowShelf, Some(150.0), 0.7, (80.0, 200.0))]
        }
        Direction::Darker => vec![lower(shelf(6000.0, (5000.0, 12_500.0)))],
        Direction::LessBoomy => vec![top(1.0, (80.0, 200.0))],
        Direction::LessMuddy => vec![top(1.0, mud)],
        Direction::LessBoxy => vec![top(1.2, (315.0, 800.0))],
        Direction::LessNasal => vec![top(1.4, (800.0, 1600.0))],
        Direction::LessHarsh => vec![top(1.2, (2500.0, 5000.0))],
    }
}

/// What changes in a sound that goes through the bands in `had` already.
pub(super) fn moves(
    direction: Direction,
    amount: Amount,
    sound: &Spectrum,
    reference: Reference,
    had: &[Band],
) -> Found {
    let strongest = CENTERS.iter().map(|hz| sound.band(*hz)).fold(f64::MIN, f64::max);
    let mut found = Found { moves: Vec::new(), is_full: false };
    for part in parts(direction) {
        let above = reference.above(sound, part.region);
        let (hz, over) = match part.hz {
            Some(hz) => (hz, above.mean),
            None => (above.top_hz, above.top),
        };
        let is_noise = sound.between(part.region.0, part.region.1) < strongest - NOTHING;
        let wanted = part.share * amount.decibels() - part.follows * part.sign * over;
        if rounded(wanted) < STEP || part.sign > 0.0 && is_noise {
            continue;
        }
        let band = Band { shape: part.shape, frequency_hz: hz, gain: Decibels::UNITY, q: part.q };
        let before = had.iter().find(|it| is_one(it, &band)).map_or(0.0, |it| it.gain.0);
        let size = rounded(wanted.min(MOST - part.sign * before));
        if size < STEP {
            found.is_full = true;
            continue;
        }
        let band = Band { gain: Decibels(part.sign * size), ..band };
        found.moves.push(Move { band, why: why(&band, over, reference) });
    }
    found
}

fn rounded(decibels: f64) -> f64 {
    (decibels / STEP).round() * STEP
}

fn is_one(one: &Band, other: &Band) -> bool {
    let octaves = (one.frequency_hz / other.frequency_hz).log2().abs();
    one.shape == other.shape && octaves < NEAR
}

/// "+2 dB at 200 Hz: 1.6 dB below average speech".
fn why(band: &Band, over: f64, reference: Reference) -> String {
    let side = if over < 0.0 { "below" } else { "above" };
    let (off, title) = (trimmed(over.abs(), 1), reference.title());
    match off.as_str() {
        "0" => format!("{}: as in {title}", said(band)),
        _ => format!("{}: {off} dB {side} {title}", said(band)),
    }
}

/// "+2 dB at 200 Hz".
fn said(band: &Band) -> String {
    let place = match band.shape {
        BandShape::LowShelf => "below",
        BandShape::HighShelf => "above",
        _ => "at",
    };
    let sign = if band.gain.0 > 0.0 { "+" } else { "" };
    let (gain, hz) = (trimmed(band.gain.0, 1), trimmed(band.frequency_hz, 0));
    format!("{sign}{gain} dB {place} {hz} Hz")
}

/// The bands that were there, with these changes.
pub(super) fn merged(had: &[Band], moves: &[Move]) -> Vec<Band> {
    let mut bands = had.to_vec();
    for Move { band, .. } in moves {
        if let Some(own) = bands.iter_mut().find(|it| is_one(it, band)) {
            own.gain = Decibels(own.gain.0 + band.gain.0);
        } else if bands.len() < MOST_BANDS {
            bands.push(*band);
        }
    }
    bands.retain(|band| band.gain != Decibels::UNITY);
    bands
}

/// What a processor of this tool does that it did not do before, in short.
pub(super) fn done(before: Option<&Effect>, after: &Effect) -> Option<String> {
    match (before, after) {
        (_, Effect::Compressor(it)) => Some(format!("compressor {}:1", trimmed(it.ratio, 1))),
        (before, Effect::Equalizer(after)) => {
            let had = match before {
                Some(Effect::Equalizer(before)) => before.bands.as_slice(),
                _ => &[],
            };
            let added = after.bands.iter().filter_map(|band| {
                let before = had.iter().find(|it| is_one(it, band)).map_or(0.0, |it| it.gain.0);
                let gain = Decibels(band.gain.0 - before);
                (gain != Decibels::UNITY).then(|| said(&Band { gain, ..*band }))
            });
            Some(added.collect::<Vec<_>>().join(", ")).filter(|it| !it.is_empty())
        }
        _ => None,
    }
}
