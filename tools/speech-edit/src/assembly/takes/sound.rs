//! Compares the sound of two takes where their words differ. A word that was recognized wrongly is written
//! in two ways and sounds the same.

use super::differ::{Doubt, Reading};
use deskhand_dsp::Frames;
use deskhand_dsp::spectrum::{Forward, hann};
use deskhand_session::{PhraseId, SourceId};
use deskhand_toolkit::{PlanContext, ToolError};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// The spectrum is taken 50 times a second, over 40 ms or a little more.
const PER_SECOND: i64 = 50;
const WINDOW_S: f64 = 0.04;
/// Its bands, evenly spaced by ear between these, in Hz.
const BANDS: usize = 18;
const RANGE_HZ: (f64, f64) = (150.0, 7_000.0);
/// Parts this far below a spectrum's sum are inaudible, as a ratio of power.
const UNHEARD: f64 = 1e-4;
/// Nothing is compared beyond this, in seconds.
const LONGEST_S: i64 = 30;
/// Words are the same up to this many times the difference that the rest of two takes has.
const MOST: f64 = 1.3;
/// The same for words that read alike, "pear" and "pair": two takes of one vowel differ by 1.6 times,
/// "bell" and "bull" by 1.8 and more.
const MOST_READ_ALIKE: f64 = 1.7;
/// Takes are never nearer than this, in dB.
const LEAST_DB: f64 = 1.5;
/// So much around a word may be part of it, in spectra.
const AROUND: usize = 2;

/// How phrases sound, each listened to once.
pub(super) struct Sounds<'a> {
    context: &'a PlanContext,
    known: BTreeMap<PhraseId, Rc<Sound>>,
}

impl<'a> Sounds<'a> {
    pub(super) fn new(context: &'a PlanContext) -> Self {
        Self { context, known: BTreeMap::new() }
    }

    /// Whether two phrases sound the same at `words` of the first.
    ///
    /// # Errors
    /// When audio cannot be read, or the run is stopped.
    pub(super) fn agree(
        &mut self,
        first: PhraseId,
        second: PhraseId,
        words: &[Doubt<Frames>],
    ) -> Result<bool, ToolError> {
        if words.is_empty() {
            return Ok(true);
        }
        let (Some(own), Some(other)) = (self.of(first)?, self.of(second)?) else { return Ok(true) };
        Ok(own.agrees(&other, words))
    }

    fn of(&mut self, phrase: PhraseId) -> Result<Option<Rc<Sound>>, ToolError> {
        if let Some(known) = self.known.get(&phrase) {
            return Ok(Some(Rc::clone(known)));
        }
        let Some(spoken) = self.context.session.spoken(phrase) else { return Ok(None) };
        let sound = Sound::of(self.context, spoken.source, &(spoken.start..spoken.end))?;
        let sound = Rc::new(sound);
        self.known.insert(phrase, Rc::clone(&sound));
        Ok(Some(sound))
    }
}

/// The shape of the spectrum over time: how loud it is does not count.
struct Sound {
    start: Frames,
    hop: i64,
    shapes: Vec<[f64; BANDS]>,
}

impl Sound {
    /// Of a stretch of a source, all channels together.
    ///
    /// # Errors
    /// When audio cannot be read, or the run is stopped.
    fn of(
        context: &PlanContext,
        source: SourceId,
        range: &Range<Frames>,
    ) -> Result<Self, ToolError> {
        context.check()?;
        let rate = context.session.rate;
        let hop = i64::from(rate.0) / PER_SECOND;
        let size = ((f64::from(rate.0) * WINDOW_S) as usize).next_power_of_two();
        let mut reader =
            context.audio.source(&context.session, source).map_err(ToolError::media)?;
        let length = (range.end - range.start).0.min(LONGEST_S * i64::from(rate.0)).max(0);
        let planes =
            deskhand_toolkit::audio::stretch(&mut *reader, range.start, length as usize + size)?;
        let window = (0..size).map(|n| hann(n as f64, size)).collect();
        let (mut transform, mut shapes) = (Forward::<f64>::windowed(window), Vec::new());
        for at in (0..length).step_by(hop.max(1) as usize) {
            let mut power = vec![0.0; transform.bins()];
            for plane in &planes {
                let bins = transform.of(plane.iter().skip(at as usize).map(|x| f64::from(*x)));
                power.iter_mut().zip(bins).for_each(|(sum, bin)| *sum += bin.norm_sqr());
            }
            shapes.push(shape(&power, f64::from(rate.0) / size as f64));
        }
        Ok(Self { start: range.start, hop, shapes })
    }

    /// The spectra that a stretch of the source is in.
    fn spectra(&self, range: &Range<Frames>) -> Range<usize> {
        let at = |time: Frames| {
            (((time - self.start).0 / self.hop.max(1)).max(0) as usize).min(self.shapes.len())
        };
        at(range.start).saturating_sub(AROUND)..(at(range.end) + AROUND).min(self.shapes.len())
    }

    /// Whether another take sounds like this one at all of `words`, stretches of the source, as it does elsewhere.
    fn agrees(&self, other: &Self, words: &[Doubt<Frames>]) -> bool {
        let off = self.differences(other);
        let words: Vec<(Range<usize>, Reading)> =
            words.iter().map(|word| (self.spectra(&word.words), word.reading)).collect();
        let is_doubtful = |at: &usize| words.iter().any(|(word, _)| word.contains(at));
        let rest = off.iter().enumerate().filter(|(at, _)| !is_doubtful(at));
        let mut rest: Vec<f64> = rest.map(|(_, off)| *off).collect();
        rest.sort_by(f64::total_cmp);
        let Some(usual) = rest.get(rest.len() / 2) else { return false };
        words.iter().all(|(word, reading)| {
            let most = match reading {
                Reading::Alike => MOST_READ_ALIKE,
                Reading::Otherwise => MOST,
            };
            let own = off.get(word.clone()).unwrap_or_default();
            let mean = own.iter().sum::<f64>() / own.len().max(1) as f64;
            mean <= most * usual.max(LEAST_DB)
        })
    }

    /// The distance of each spectrum from those of the other take that it is matched with, when both are
    /// stretched onto each other as well as possible, in dB.
    fn differences(&self, other: &Self) -> Vec<f64> {
        let (rows, columns) = (self.shapes.len(), other.shapes.len());
        let width = columns + 1;
        let mut sums = vec![f64::INFINITY; (rows + 1) * width];
        if let Some(first) = sums.first_mut() {
            *first = 0.0;
        }
        let sum = |sums: &[f64], row: usize, column: usize| {
            sums.get(row * width + column).copied().unwrap_or(f64::INFINITY)
        };
        for (row, own) in self.shapes.iter().enumerate() {
            for (column, shape) in other.shapes.iter().enumerate() {
                let before = sum(&sums, row, column).min(sum(&sums, row, column + 1)).min(sum(
                    &sums,
                    row + 1,
                    column,
                ));
                if let Some(cell) = sums.get_mut((row + 1) * width + column + 1) {
                    *cell = before + distance(own, shape);
                }
            }
        }
        let mut off = vec![(0.0, 0usize); rows];
        let (mut row, mut column) = (rows, columns);
        while row > 0 && column > 0 {
            let pair = self.shapes.get(row - 1).zip(other.shapes.get(column - 1));
            if let (Some(own), Some((a, b))) = (off.get_mut(row - 1), pair) {
                *own = (own.0 + distance(a, b), own.1 + 1);
            }
            let (both, up, left) = (
                sum(&sums, row - 1, column - 1),
                sum(&sums, row - 1, column),
                sum(&sums, row, column - 1),
            );
            row -= usize::from(both <= left || up <= left);
            column -= usize::from(both <= up || left < up);
        }
        off.into_iter().map(|(sum, count)| sum / count.max(1) as f64).collect()
    }
}

/// The level of each band, in dB around their mean.
fn shape(power: &[f64], bin_hz: f64) -> [f64; BANDS] {
    let (low, high) = RANGE_HZ;
    let edge = |band: usize| low * (high / low).powf(band as f64 / BANDS as f64);
    let bin = |hz: f64| ((hz / bin_hz) as usize).min(power.len());
    let mut bands = [0.0; BANDS];
    for (n, band) in bands.iter_mut().enumerate() {
        let from = bin(edge(n));
        let to = bin(edge(n + 1)).max(from + 1).min(power.len());
        *band = power.get(from.min(to)..to).unwrap_or_default().iter().sum();
    }
    let all: f64 = bands.iter().sum();
    bands = bands.map(|band| 10.0 * (band + all * UNHEARD + 1e-12).log10());
    let mean = bands.iter().sum::<f64>() / BANDS as f64;
    bands.map(|band| band - mean)
}

fn distance(a: &[f64; BANDS], b: &[f64; BANDS]) -> f64 {
    let squares: f64 = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum();
    (squares / BANDS as f64).sqrt()
}
