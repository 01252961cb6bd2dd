//! Which of several takes is the best, and why: each measured by itself.

use super::alike::tokens;
use super::common_words::common;
use super::token::Token;
use crate::assembly::talk::{begun_again, is_cut_off, is_filler, repeated};
use deskhand_dsp::envelope::Envelope;
use deskhand_dsp::level::{ActivityGate, active_rms};
use deskhand_dsp::{Decibels, Frames, SampleRate};
use deskhand_session::{Finding, Measure, PhraseId, Session, SourceId, Word};
use deskhand_toolkit::{PlanContext, ToolError};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// How much each measurement counts.
const COMPLETENESS: f64 = 0.45;
const FLUENCY: f64 = 0.25;
const CONFIDENCE: f64 = 0.10;
const LEVEL: f64 = 0.10;
const NOISE: f64 = 0.10;
/// A pause inside a take counts from here, in seconds.
const LONG_PAUSE: f64 = 0.6;
/// A pace that differs by this share from the middle of the takes counts like one slip.
const PACE: f64 = 0.3;
/// A level this far from the middle of the takes counts nothing, in dB.
const FAR: f64 = 12.0;
/// From the first to the second, in dB, distance to the noise goes from bad to good.
const CLEAR: (f64, f64) = (10.0, 45.0);
/// Share of the 10 ms blocks of a recording that lie below its noise floor.
const FLOOR_SHARE: f64 = 0.1;
/// The noise of a take is that of the pauses next to it: this many blocks of 10 ms on each side, from this
/// many nearest ones. Measured inside the take, a take that hesitates would seem quieter than one that does
/// not.
const PAUSE_BLOCKS: usize = 30;
const NEAREST: usize = 200;
/// Less of a pause tells nothing, in blocks.
const LEAST_BLOCKS: usize = 10;
/// Share of the blocks of these pauses that lie below their noise: the times of words are a little off.
const PAUSE_SHARE: f64 = 0.25;
/// So much around each word may be part of it, in blocks.
const AROUND_WORD: usize = 5;
/// Takes whose scores differ by less are about as good, of 1: their slips decide.
pub(super) const NEAR: f64 = 0.03;
/// The confidence assumed for words without one.
const UNKNOWN: f64 = 0.7;

/// A take, measured.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rated {
    pub(super) id: PhraseId,
    /// Share of the fullest take's words, 0 to 1.
    completeness: f64,
    /// 1 without any slip.
    fluency: f64,
    /// Slips by kind: fillers, repetitions and cut-off words, long pauses.
    slips: [usize; 3],
    /// Words a second.
    pace: f64,
    /// dBFS.
    level: Option<f64>,
    /// dBFS.
    noise: Option<f64>,
    confidence: Option<f64>,
    /// All together, 0 to 1.
    score: f64,
}

/// Listens to takes, once to each source.
pub(super) struct Judge<'a> {
    context: &'a PlanContext,
    known: BTreeMap<SourceId, Rc<Heard>>,
}

/// A source in blocks of 10 ms.
struct Heard {
    envelope: Envelope,
    /// Whether a word is said there.
    spoken: Vec<bool>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(context: &'a PlanContext) -> Self {
        Self { context, known: BTreeMap::new() }
    }

    /// The takes in their order, each measured against the others.
    ///
    /// # Errors
    /// When audio cannot be read, or the run is stopped.
    pub(super) fn rated(&mut self, takes: &[PhraseId]) -> Result<Vec<Rated>, ToolError> {
        let session = &*self.context.session;
        let said: Vec<Vec<Token>> = takes.iter().map(|id| tokens(session, *id)).collect();
        let fullest = said.iter().max_by_key(|tokens| tokens.len()).cloned().unwrap_or_default();
        let mut rated = Vec::with_capacity(takes.len());
        for (id, tokens) in takes.iter().zip(&said) {
            let share = common(tokens, &fullest) as f64 / fullest.len().max(1) as f64;
            rated.push(self.one(*id, share)?);
        }
        let paces = middle(rated.iter().map(|take| take.pace));
        let levels = middle(rated.iter().filter_map(|take| take.level));
        for take in &mut rated {
            take.judge(paces, levels);
        }
        Ok(rated)
    }

    fn one(&mut self, id: PhraseId, completeness: f64) -> Result<Rated, ToolError> {
        let session = &*self.context.session;
        let words = words(session, id);
        let seconds = |frames: Frames| frames.seconds(session.rate).0;
        let pauses = words.windows(2).map(|pair| seconds(pair[1].start - pair[0].end));
        let fillers = words.iter().filter(|word| is_filler(&word.text)).count();
        let again = (0..words.len()).filter(|at| {
            repeated(&words, *at) > 0 || begun_again(&words, *at) || is_cut_off(&words[*at].text)
        });
        let slips = [fillers, again.count(), pauses.filter(|pause| *pause > LONG_PAUSE).count()];
        let spoken = session.spoken(id);
        let length = spoken.as_ref().map_or(0.0, |spoken| seconds(spoken.end - spoken.start));
        let (level, noise) = match &spoken {
            Some(spoken) => self.levels(spoken.source, spoken.start, spoken.end)?,
            None => (None, None),
        };
        Ok(Rated {
            id,
            completeness,
            fluency: 1.0 - slips.iter().sum::<usize>() as f64 / words.len().max(1) as f64,
            slips,
            pace: words.len() as f64 / length.max(0.1),
            level,
            noise,
            confidence: spoken.and_then(|spoken| spoken.confidence),
            score: 0.0,
        })
    }

    /// Level of the active parts of a stretch of a source and the noise floor around it, in dBFS.
    fn levels(
        &mut self,
        source: SourceId,
        start: Frames,
        end: Frames,
    ) -> Result<(Option<f64>, Option<f64>), ToolError> {
        let heard = match self.known.get(&source) {
            Some(heard) => Rc::clone(heard),
            None => Rc::new(Heard::new(self.context, source)?),
        };
        self.known.insert(source, Rc::clone(&heard));
        let rate = self.context.session.rate;
        let all = heard.envelope.energies();
        let hop = |at: Frames| block(at, rate).min(all.len());
        let own = all.get(hop(start)..hop(end)).unwrap_or_default();
        let level = active_rms(own, ActivityGate::DEFAULT).map(|level| level.0);
        Ok((level, heard.noise(hop(start)..hop(end)).map(|floor| floor.0)))
    }
}

/// The block of 10 ms at a time.
fn block(at: Frames, rate: SampleRate) -> usize {
    (at.seconds(rate).0 * 100.0).max(0.0) as usize
}

impl Heard {
    fn new(context: &PlanContext, source: SourceId) -> Result<Self, ToolError> {
        let session = &*context.session;
        let envelope = context.envelope(source.into())?;
        let mut spoken = vec![false; envelope.energies().len()];
        let said = session.transcript_of(source);
        for word in said.iter().flat_map(|(_, segment)| &segment.words) {
            let from = block(word.start, session.rate).saturating_sub(AROUND_WORD);
            let to = (block(word.end, session.rate) + AROUND_WORD).min(spoken.len());
            spoken.get_mut(from.min(to)..to).unwrap_or_default().fill(true);
        }
        Ok(Self { envelope, spoken })
    }

    /// The noise floor in the pauses next to some blocks; that of the whole source if there are none.
    fn noise(&self, own: Range<usize>) -> Option<Decibels> {
        let all = self.envelope.energies();
        let pause = |at: &usize| self.spoken.get(*at) == Some(&false);
        let ahead = (0..own.start).rev().take(NEAREST).filter(pause).take(PAUSE_BLOCKS);
        let behind = (own.end..all.len()).take(NEAREST).filter(pause).take(PAUSE_BLOCKS);
        let near: Vec<f32> = ahead.chain(behind).filter_map(|at| all.get(at)).copied().collect();
        if near.len() < LEAST_BLOCKS {
            return self.envelope.noise_floor(FLOOR_SHARE);
        }
        Envelope::new(SampleRate(100), 100, Frames::from_index(near.len()), near)
            .noise_floor(PAUSE_SHARE)
    }
}

fn words(session: &Session, id: PhraseId) -> Vec<Word> {
    let segments = session.phrases.get(&id).map_or(&[][..], |phrase| &phrase.segments);
    let segments = segments.iter().filter_map(|id| session.segments.get(id));
    segments.flat_map(|segment| segment.words.iter().cloned()).collect()
}

/// The value in the middle.
fn middle(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

impl Rated {
    fn judge(&mut self, pace: Option<f64>, level: Option<f64>) {
        let off = pace.map_or(0.0, |middle| (self.pace / middle.max(0.1)).ln().abs());
        let hurried = (off / (1.0 + PACE).ln()).min(1.0) * 0.05;
        self.fluency = (self.fluency - hurried).clamp(0.0, 1.0);
        let near = self
            .level
            .zip(level)
            .map_or(0.0, |(own, middle)| 1.0 - ((own - middle).abs() / FAR).min(1.0));
        let clear = self.level.zip(self.noise).map_or(0.5, |(level, noise)| {
            ((level - noise - CLEAR.0) / (CLEAR.1 - CLEAR.0)).clamp(0.0, 1.0)
        });
        self.score = COMPLETENESS * self.completeness
            + FLUENCY * self.fluency
            + CONFIDENCE * self.confidence.unwrap_or(UNKNOWN)
            + LEVEL * near
            + NOISE * clear;
    }

    /// All that was measured of it.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let percent = |share: f64| Some(share * 100.0);
        let all = [
            (Measure::Completeness, percent(self.completeness)),
            (Measure::Fluency, percent(self.fluency)),
            (Measure::ActiveRms, self.level),
            (Measure::NoiseFloor, self.noise),
            (Measure::WordConfidence, self.confidence.and_then(percent)),
        ];
        all.into_iter().map(|(measure, value)| Finding::new(self.id, measure, value)).collect()
    }

    /// Why it would be chosen.
    pub(super) fn reason(&self) -> String {
        let [fillers, again, pauses] = self.slips;
        let slips = match fillers + again + pauses {
            0 => "no slips".to_owned(),
            _ => format!(
                "{fillers} fillers, {again} repeated or cut-off words, {pauses} long pauses"
            ),
        };
        let level = |what: &str, value: Option<f64>| {
            value.map_or(String::new(), |value| format!(", {what} {value:.1} dBFS"))
        };
        let sure = self
            .confidence
            .map_or(String::new(), |sure| format!(", words sure to {:.0} %", sure * 100.0));
        format!(
            "says {:.0} % of the words, {slips}{}{}{sure}",
            self.completeness * 100.0,
            level("level", self.level),
            level("noise around it", self.noise),
        )
    }

    pub(super) fn card(&self, session: &Session) -> Value {
        let tenth = |value: f64| (value * 10.0).round() / 10.0 + 0.0;
        json!({
            "group_id": self.id,
            "text": session.spoken(self.id).map(|spoken| spoken.text),
            "score": tenth(self.score * 100.0),
            "completeness": tenth(self.completeness * 100.0),
            "fluency": tenth(self.fluency * 100.0),
            "words_per_s": tenth(self.pace),
            "level_dbfs": self.level.map(tenth),
            "noise_dbfs": self.noise.map(tenth),
            "confidence": self.confidence.map(|sure| tenth(sure * 100.0)),
        })
    }
}

/// The best of them: of those that are nearly as good and no less complete the one with the fewest slips, and of equal
/// ones the last, since people repeat until they are content.
pub(super) fn best(rated: &[Rated]) -> Option<&Rated> {
    let key = |take: &Rated| (take.score * 1000.0).round() as i64;
    let top = rated.iter().max_by_key(|take| key(take))?;
    let near = rated
        .iter()
        .filter(|take| top.score - take.score < NEAR && take.completeness >= top.completeness);
    near.max_by_key(|take| (Reverse(take.slips.iter().sum::<usize>()), key(take)))
}
