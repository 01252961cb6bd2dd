//! Which bands of a track are lowered, and why.

use crate::bands::{CENTERS, Peak, Spectrum, bell, low_cut};
use crate::roles::Role;
use deskhand_dsp::effects::Band;
use deskhand_session::text::trimmed;

/// A lower peak than this is part of the sound, in dB above its surroundings.
const RESONANT: f64 = 9.0;
/// The level of a treated resonance, in dB above its surroundings.
const LEFT: f64 = 5.0;
/// The most resonances and covered bands that are lowered.
const MOST_PEAKS: usize = 3;
const MOST_COVERED: usize = 3;
/// Where resonances and covering are looked for, in Hz.
const FROM_HZ: f64 = 120.0;
const TO_HZ: f64 = 8000.0;
/// Bands of the other track that matter lie this near to its strongest, in dB.
const MATTERS: f64 = 15.0;
/// A track covers another from this level against it on, in dB.
const COVERS: f64 = -3.0;
/// Sound below an instrument is cut if it is at least this loud, and at most that, against the whole, in
/// dB.
const RUMBLE: f64 = -40.0;
const CONTENT: f64 = -14.0;

/// What may be done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// dB.
    pub(crate) most: f64,
    pub(crate) resonances: bool,
    pub(crate) low_cuts: bool,
}

/// One band, with its reason.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Move {
    pub(crate) band: Band,
    pub(crate) why: String,
}

/// All moves for a track; `room` is the spectrum of the track that it makes room for.
pub(crate) fn moves(
    own: &Spectrum,
    role: Role,
    room: Option<&Spectrum>,
    limits: Limits,
) -> Vec<Move> {
    let mut moves = Vec::new();
    if limits.low_cuts {
        moves.extend(cut_below(own, role));
    }
    if limits.resonances {
        let peaks = own.peaks(FROM_HZ, TO_HZ, RESONANT);
        let mut kept: Vec<Peak> = Vec::new();
        for peak in peaks {
            let apart = |other: &Peak| (other.hz / peak.hz).log2().abs() > 0.5;
            if kept.len() < MOST_PEAKS && kept.iter().all(apart) {
                kept.push(peak);
            }
        }
        moves.extend(kept.into_iter().map(|peak| damped(peak, limits.most)));
    }
    if let Some(room) = room {
        moves.extend(relieved(own, room, limits.most));
    }
    moves
}

fn cut_below(own: &Spectrum, role: Role) -> Option<Move> {
    let hz = role.low_cut()?;
    let (below, whole) = (own.between(20.0, hz * 0.8), own.between(20.0, 20_000.0));
    let share = below - whole;
    let why = format!(
        "low cut at {} Hz ({}): {} dB below the whole lies there",
        trimmed(hz, 0),
        role.title(),
        trimmed(-share, 0)
    );
    (RUMBLE..CONTENT).contains(&share).then(|| Move { band: low_cut(hz), why })
}

fn damped(peak: Peak, most: f64) -> Move {
    let cut = (peak.above - LEFT).min(most);
    let (hz, above) = (trimmed(peak.hz, 0), trimmed(peak.above, 1));
    let why = format!(
        "resonance at {hz} Hz, {above} dB above what is around it: -{} dB",
        trimmed(cut, 1)
    );
    Move { band: bell(peak.hz, -cut, 6.0), why }
}

/// Lowers the bands in which `own` covers what matters of `room` most.
fn relieved(own: &Spectrum, room: &Spectrum, most: f64) -> Vec<Move> {
    let centers = CENTERS.into_iter().filter(|hz| (FROM_HZ..TO_HZ).contains(hz));
    let strongest = CENTERS.iter().map(|hz| room.band(*hz)).fold(f64::MIN, f64::max);
    let mut covered: Vec<(f64, f64)> = centers
        .map(|hz| (hz, own.band(hz) - room.band(hz), strongest - room.band(hz)))
        .filter(|(_, over, below)| *over >= COVERS && *below <= MATTERS)
        .map(|(hz, over, _)| (hz, over))
        .collect();
    covered.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for (hz, over) in covered {
        let apart = |other: &(f64, f64)| (other.0 / hz).log2().abs() > 0.9;
        if kept.len() < MOST_COVERED && kept.iter().all(apart) {
            kept.push((hz, over));
        }
    }
    kept.sort_by(|a, b| a.0.total_cmp(&b.0));
    let relief = |(hz, over): (f64, f64)| {
        let cut = ((over - COVERS) / 2.0 + 1.0).min(most);
        let side = if over < 0.0 { "below" } else { "above" };
        let why = format!(
            "covers it around {} Hz ({} dB {side} it): -{} dB",
            trimmed(hz, 0),
            trimmed(over.abs(), 1),
            trimmed(cut, 1)
        );
        Move { band: bell(hz, -cut, 1.4), why }
    };
    kept.into_iter().map(relief).collect()
}
