//! What a phrase sounds like: its level and the noise around it by the measurement of the whole recording, its laughter and
//! how sounds die down by listening to it once more.

use super::laughter::{is_written, laughs};
use crate::mel::{HOP, Mel, RATE};
use crate::transcribe::{frames, samples};
use crate::voice::Voice;
use deskhand_dsp::downmix::Downmix;
use deskhand_dsp::loudness::{HOPS_PER_SECOND, LoudnessProfile};
use deskhand_dsp::{FrameReader, Frames, Lufs, SampleRate};
use deskhand_media::resampled;
use deskhand_session::{Segment, SourceId, Word};
use deskhand_toolkit::{PlanContext, ToolError};
use std::ops::Range;

const BANDS: usize = 24;
/// Listened to at once, in samples at 16 kHz: 30 s.
const AT_ONCE: usize = 30 * RATE as usize;
/// How long laughter may go on after a phrase, and how far around a phrase noise is measured, in s.
const BEHIND_S: f64 = 2.0;
const AROUND_S: f64 = 1.0;
/// Share of 10 ms blocks that count as noise: the softest ones.
const NOISE_SHARE: f64 = 0.1;
/// Less words than these have no pace.
const LEAST_WORDS: usize = 3;
/// A sound that dies down is measured if it begins at most this far below the loudest, in dB.
const LOUD: f64 = 12.0;
/// Steps of 10 ms over which the fall of a sound is measured.
const STEPS: usize = 6;
/// The share of the measured falls that are slower than the result.
const FALL_SHARE: f64 = 0.9;
/// The least number of falls that give a result.
const LEAST_STEPS: usize = 30;

/// Laughter has at least this mean probability of a voice.
const VOICE: f32 = 0.35;

/// 10 ms of sound.
pub(super) struct Ten {
    /// dBFS; -120 for silence.
    pub(super) level: f32,
    /// Power by band, dB.
    pub(super) bands: [f32; BANDS],
}

/// The measurements of a phrase's sound.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Heard {
    /// Mean K-weighted loudness from its first word to its last, LUFS.
    pub(super) level: Option<f64>,
    /// Words a minute.
    pub(super) pace: Option<f64>,
    /// RMS of the softest tenth of the phrase and its surroundings, dBFS.
    pub(super) noise: Option<f64>,
    /// How long somebody laughs during the phrase or right after it, in s.
    pub(super) laughter: f64,
    /// How its sounds die down.
    pub(super) fall: Option<Fall>,
}

/// How loud sounds die down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fall {
    /// By how much within 60 ms where that is fastest, dB.
    pub(super) by: f64,
    /// From what level on average, dBFS.
    pub(super) from: f64,
}

/// Analyzes phrases, one source after another.
pub(super) struct Ears<'a> {
    context: &'a PlanContext,
    mel: Mel,
    /// The source that was listened to last, its measurement and a reader of it.
    open: Option<Open>,
}

struct Open {
    source: SourceId,
    profile: LoudnessProfile,
    /// Of each 10 ms, without a DC offset.
    energies: Vec<f32>,
    reader: Box<dyn FrameReader>,
    /// Where phrases begin, in order.
    starts: Vec<Frames>,
}

impl<'a> Ears<'a> {
    pub(super) fn new(context: &'a PlanContext) -> Self {
        Self { context, mel: Mel::new(BANDS), open: None }
    }

    pub(super) fn hear(&mut self, segment: &Segment) -> Result<Heard, ToolError> {
        let rate = self.context.session.rate;
        let mut open = match self.open.take().filter(|open| open.source == segment.source) {
            Some(open) => open,
            None => Open::new(self.context, segment.source)?,
        };
        let spoken = spoken(segment);
        let behind = open.behind(segment, rate);
        let sound = self.listen(open.reader.as_mut(), &(segment.start..behind), rate)?;
        let heard = Heard {
            level: loudness(&open.profile, &spoken, rate),
            pace: pace(segment, rate),
            noise: noise(&open.energies, segment, rate),
            laughter: laughter(segment, &sound.laughs, rate),
            fall: fall(sound.levels_to(segment.end() - segment.start, rate)),
        };
        self.open = Some(open);
        Ok(heard)
    }

    /// All of a stretch, a part at a time.
    fn listen(
        &self,
        reader: &mut dyn FrameReader,
        range: &Range<Frames>,
        rate: SampleRate,
    ) -> Result<Sound, ToolError> {
        let range = samples(range, rate);
        let mut sound = Sound { levels: Vec::new(), laughs: Vec::new() };
        let mut at = range.start;
        while at < range.end {
            self.context.check()?;
            let audio = mono(reader, at, AT_ONCE.min(range.end - at))?;
            if audio.len() < HOP {
                break;
            }
            let tens = tens(&self.mel, &audio);
            for laugh in laughs(&tens) {
                let part = laugh.start * HOP..(laugh.end * HOP).min(audio.len());
                if is_voice(audio.get(part.clone()).unwrap_or_default())? {
                    sound.laughs.push(at + part.start..at + part.end);
                }
            }
            sound.levels.extend(tens.iter().map(|ten| ten.level));
            at += audio.len();
        }
        Ok(sound)
    }
}

impl Open {
    fn new(context: &PlanContext, source: SourceId) -> Result<Self, ToolError> {
        let session = &context.session;
        let reader = context.audio.source(session, source).map_err(ToolError::media)?;
        let reader = resampled(reader, SampleRate(RATE)).map_err(ToolError::media)?;
        let said = session.transcript_of(source).into_iter();
        let mut starts: Vec<Frames> = said.map(|(_, segment)| segment.start).collect();
        starts.sort_unstable();
        let profile = context.profile(source.into())?;
        context.note_faults(source.into(), &profile);
        let energies = profile.sound_energies();
        Ok(Self { source, profile, energies, reader, starts })
    }

    /// The end of the audio to analyze for a phrase: the next phrase, or a little after its own end.
    fn behind(&self, segment: &Segment, rate: SampleRate) -> Frames {
        let next = self.starts.partition_point(|start| *start <= segment.start);
        let most = segment.end() + span(BEHIND_S, rate);
        let next = self.starts.get(next).copied().unwrap_or(most);
        next.clamp(segment.end(), most)
    }
}

/// A stretch that was listened to.
struct Sound {
    /// Of each 10 ms, dBFS.
    levels: Vec<f32>,
    /// In samples at 16 kHz.
    laughs: Vec<Range<usize>>,
}

impl Sound {
    fn levels_to(&self, length: Frames, rate: SampleRate) -> &[f32] {
        let steps = samples(&(Frames::ZERO..length), rate).end / HOP;
        self.levels.get(..steps.min(self.levels.len())).unwrap_or_default()
    }
}

fn span(seconds: f64, rate: SampleRate) -> Frames {
    Frames((seconds * f64::from(rate.0)) as i64)
}

/// From the first word to the last.
fn spoken(segment: &Segment) -> Range<Frames> {
    let start = segment.words.first().map_or(segment.start, |word| word.start);
    let end = segment.words.last().map_or(segment.end(), |word| word.end);
    start..end.max(start + Frames(1))
}

/// Samples at 16 kHz, all channels as one; fewer at the end.
fn mono(reader: &mut dyn FrameReader, at: usize, count: usize) -> Result<Vec<f32>, ToolError> {
    let channels = reader.channels().max(1);
    let mut planes = vec![vec![0.0f32; count]; channels];
    let mut out: Vec<&mut [f32]> = planes.iter_mut().map(Vec::as_mut_slice).collect();
    let read = reader.read(Frames::from_index(at), &mut out).map_err(ToolError::media)?;
    let planes: Vec<&[f32]> = planes.iter().filter_map(|plane| plane.get(..read)).collect();
    Ok(Downmix::default().mix(&planes))
}

fn tens(mel: &Mel, audio: &[f32]) -> Vec<Ten> {
    let count = audio.len() / HOP;
    let power = mel.power(audio, count);
    let decibels = |value: f32| 10.0 * value.max(1e-12).log10();
    let ten = |(step, part): (usize, &[f32])| {
        let squares: f32 = part.iter().map(|value| value * value).sum();
        let mut bands = [0.0; BANDS];
        for (band, row) in bands.iter_mut().zip(power.chunks(count)) {
            *band = decibels(row.get(step).copied().unwrap_or(0.0));
        }
        Ten { level: decibels(squares / HOP as f32), bands }
    };
    audio.chunks_exact(HOP).enumerate().map(ten).collect()
}

/// Whether it is a voice: knocks, beeps and ticking clocks are as regular as laughter.
fn is_voice(audio: &[f32]) -> Result<bool, ToolError> {
    let shares = Voice::new(None).hear(audio).map_err(ToolError::media)?;
    Ok(shares.iter().sum::<f32>() >= VOICE * shares.len() as f32)
}

/// The hops of a measurement that lie in a range.
fn hops<'a>(energies: &'a [f32], range: &Range<Frames>, rate: SampleRate) -> &'a [f32] {
    let hop = |at: Frames| {
        (at.index() as u64 * u64::from(HOPS_PER_SECOND) / u64::from(rate.0.max(1))) as usize
    };
    let last = energies.len();
    energies.get(hop(range.start).min(last)..(hop(range.end) + 1).min(last)).unwrap_or_default()
}

fn loudness(profile: &LoudnessProfile, range: &Range<Frames>, rate: SampleRate) -> Option<f64> {
    let hops = hops(profile.k_energies(), range, rate);
    let sum: f64 = hops.iter().map(|energy| f64::from(*energy)).sum();
    Lufs::from_energy(sum / hops.len().max(1) as f64).map(|level| level.0)
}

/// Digital silence is no noise.
fn noise(energies: &[f32], segment: &Segment, rate: SampleRate) -> Option<f64> {
    let around = span(AROUND_S, rate);
    let range = (segment.start - around).max(Frames::ZERO)..segment.end() + around;
    let mut heard: Vec<f32> = hops(energies, &range, rate).to_vec();
    heard.retain(|energy| *energy > 0.0);
    heard.sort_by(f32::total_cmp);
    let energy = heard.get((heard.len() as f64 * NOISE_SHARE) as usize)?;
    Some(10.0 * f64::from(*energy).log10())
}

/// Words by the time from the first to the end of the last; laughter is no word.
fn pace(segment: &Segment, rate: SampleRate) -> Option<f64> {
    let words: Vec<&Word> = words(segment).collect();
    let (first, last) = (words.first()?, words.last()?);
    let minutes = (last.end - first.start).seconds(rate).0 / 60.0;
    (words.len() >= LEAST_WORDS && minutes > 0.0).then(|| words.len() as f64 / minutes)
}

fn words(segment: &Segment) -> impl Iterator<Item = &Word> {
    let all = segment.words.iter().enumerate();
    all.filter(|(at, _)| !is_written(&segment.words, *at)).map(|(_, word)| word)
}

/// Seconds of laughter: sounds like it that are mostly no word, and written laughter.
fn laughter(segment: &Segment, found: &[Range<usize>], rate: SampleRate) -> f64 {
    let cover = |range: &Range<Frames>| -> i64 {
        let over = |word: &Word| (word.end.min(range.end) - word.start.max(range.start)).0.max(0);
        words(segment).map(over).sum()
    };
    let heard = found.iter().map(|it| frames(it.start, rate)..frames(it.end, rate));
    let mut laughs: Vec<Range<Frames>> =
        heard.filter(|it| 2 * cover(it) < (it.end - it.start).0).collect();
    let written = segment.words.iter().enumerate();
    let written = written.filter(|(at, _)| is_written(&segment.words, *at));
    laughs.extend(written.map(|(_, word)| word.start..word.end));
    laughs.sort_by_key(|it| it.start);
    let (mut sum, mut at) = (Frames::ZERO, Frames::ZERO);
    for laugh in laughs {
        let from = laugh.start.max(at);
        if from < laugh.end {
            sum += laugh.end - from;
            at = laugh.end;
        }
    }
    // Written laughter may take no time at all.
    sum.seconds(rate).0
}

/// How loud sounds die down where that is fastest: in a room everything lingers.
fn fall(levels: &[f32]) -> Option<Fall> {
    let smooth: Vec<f64> = levels
        .windows(3)
        .map(|near| near.iter().map(|level| f64::from(*level)).sum::<f64>() / 3.0)
        .collect();
    let mut sorted = smooth.clone();
    sorted.sort_by(f64::total_cmp);
    let loud = sorted.get(sorted.len() * 95 / 100)? - LOUD;
    let pairs = smooth.iter().zip(smooth.iter().skip(STEPS));
    let mut falls: Vec<(f64, f64)> =
        pairs.filter(|(now, _)| **now > loud).map(|(now, then)| (now - then, *now)).collect();
    falls.sort_by(|a, b| a.0.total_cmp(&b.0));
    let fastest = falls.get((falls.len() as f64 * FALL_SHARE) as usize..)?;
    let from = fastest.iter().map(|(_, from)| from).sum::<f64>() / fastest.len().max(1) as f64;
    let by = fastest.first()?.0;
    (falls.len() >= LEAST_STEPS).then_some(Fall { by, from })
}
