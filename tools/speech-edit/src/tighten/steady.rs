//! How steady a voice is: pitch and sound that stay as they are from one 10 ms to the next.
//!
//! The sound is compared by the first autocorrelations of the signal, which say what the shape of the spectrum is
//! whatever the level (linear prediction begins from them as well).

use deskhand_dsp::downmix::Downmix;
use deskhand_dsp::{SampleRate, Seconds};
use std::ops::Range;

/// The rate of the analysis, Hz, roughly; voices and their first formants are below 4 kHz.
const RATE: u32 = 8_000;
/// Window and step, in s.
const WINDOW: f64 = 0.040;
const STEP: f64 = 0.010;
/// Pitch of voices, Hz.
const PITCH: (f64, f64) = (65.0, 400.0);
/// How alike the periods of a voiced sound are.
const VOICED: f64 = 0.55;
/// How much the shape of a steady spectrum changes within three steps.
const SAME_SHAPE: f64 = 0.30;
/// How much a steady pitch moves within three steps, in octaves.
const SAME_PITCH: f64 = 0.09;
/// The number of steps in a run that may be unsteady: "um" goes from a vowel to a nasal.
const PARDON: usize = 4;
/// The number of autocorrelations that are compared.
const SHAPE: usize = 12;

/// How much the shape of a held sound changes within three steps. Its pitch does not matter, since creaking
/// voices have none.
const HELD: f64 = 0.16;
/// The first autocorrelation of voices is over this, creaking ones too; hiss is below.
const DARK: f64 = 0.3;
/// How far it is above the quiet of its surroundings, in dB, and how much of those is quiet.
const ABOVE: f64 = 3.0;
const QUIET: f64 = 0.1;

/// Sounds that are held, in order, in seconds from the start of the audio: one plane a channel, all as long.
pub(super) fn held(planes: &[Vec<f32>], rate: SampleRate) -> Vec<Range<f64>> {
    let every = (rate.0 / RATE).max(1) as usize;
    let audio = mono(planes, every);
    let rate = f64::from(rate.0) / every as f64;
    let (window, step) = ((WINDOW * rate) as usize, (STEP * rate).max(1.0) as usize);
    let starts = (0..).map(|n| n * step).take_while(|start| start + window <= audio.len());
    let frames: Vec<([f64; SHAPE], f64)> = starts
        .map(|start| {
            let audio = centered(&audio[start..start + window]);
            (shape(&audio), power(&audio))
        })
        .collect();
    let mut levels: Vec<f64> = frames.iter().map(|frame| frame.1).collect();
    levels.sort_by(f64::total_cmp);
    let quiet = levels.get((levels.len() as f64 * QUIET) as usize).copied().unwrap_or(0.0);
    let least = quiet * 10f64.powf(ABOVE / 10.0);
    let is_held = |at: usize| {
        let near = [at.checked_sub(3), Some(at + 3)].into_iter().flatten();
        let mut near = near.filter_map(|other| frames.get(other));
        frames.get(at).is_some_and(|own| {
            own.1 > least && own.0[0] >= DARK && near.any(|other| apart(&own.0, &other.0) <= HELD)
        })
    };
    runs((0..frames.len()).map(is_held))
}

/// Stretches in which steps are good, with few that are not among them, in seconds.
fn runs(steps: impl Iterator<Item = bool>) -> Vec<Range<f64>> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, _) in steps.enumerate().filter(|(_, good)| *good) {
        match runs.last_mut() {
            Some((_, last)) if at - *last <= PARDON + 1 => *last = at,
            _ => runs.push((at, at)),
        }
    }
    let seconds = |(first, last)| first as f64 * STEP..last as f64 * STEP + WINDOW;
    runs.into_iter().map(seconds).collect()
}

/// The steadiness of a stretch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Steadiness {
    /// The longest run that is steady.
    pub(super) longest: Seconds,
    /// Share of the stretch that is, 0 to 1.
    pub(super) share: f64,
}

/// 10 ms of sound.
struct Frame {
    /// Octaves above 1 Hz, where it is voiced.
    pitch: Option<f64>,
    shape: [f64; SHAPE],
}

impl Steadiness {
    /// Of a few seconds of audio: one plane a channel, all as long.
    pub(super) fn of(planes: &[Vec<f32>], rate: SampleRate) -> Self {
        let every = (rate.0 / RATE).max(1) as usize;
        let audio = mono(planes, every);
        let rate = f64::from(rate.0) / every as f64;
        let (window, step) = ((WINDOW * rate) as usize, (STEP * rate).max(1.0) as usize);
        let starts = (0..).map(|n| n * step).take_while(|start| start + window <= audio.len());
        let frames: Vec<Frame> =
            starts.map(|start| frame(&audio[start..start + window], rate)).collect();
        let steady: Vec<bool> = (0..frames.len()).map(|at| is_steady(&frames, at)).collect();
        let (mut longest, mut run, mut bad) = (0usize, 0usize, 0usize);
        for good in &steady {
            bad = if *good { 0 } else { bad + 1 };
            run = if bad > PARDON { 0 } else { run + 1 };
            longest = longest.max(run.saturating_sub(bad));
        }
        let share = steady.iter().filter(|good| **good).count() as f64 / steady.len().max(1) as f64;
        // A run of n steps covers its windows.
        let covered = if longest == 0 { 0.0 } else { longest as f64 * STEP + WINDOW - STEP };
        Self { longest: Seconds(covered), share }
    }
}

/// Mixes all channels, and averages each group of this many frames to one.
fn mono(planes: &[Vec<f32>], every: usize) -> Vec<f64> {
    let planes: Vec<&[f32]> = planes.iter().map(Vec::as_slice).collect();
    let mixed = Downmix::default().mix(&planes);
    let sum = |part: &[f32]| part.iter().map(|sample| f64::from(*sample)).sum::<f64>();
    mixed.chunks_exact(every).map(sum).collect()
}

fn centered(audio: &[f64]) -> Vec<f64> {
    let mean = audio.iter().sum::<f64>() / audio.len().max(1) as f64;
    audio.iter().map(|sample| sample - mean).collect()
}

fn power(part: &[f64]) -> f64 {
    part.iter().map(|sample| sample * sample).sum()
}

/// How alike audio is to itself `lag` later. Normalized by both stretches, so that a period counts fully however few fit
/// into the window.
fn alike(audio: &[f64], lag: usize) -> f64 {
    let (a, b) = (&audio[..audio.len() - lag], &audio[lag..]);
    let sum: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    sum / (power(a) * power(b)).sqrt().max(1e-12)
}

fn shape(audio: &[f64]) -> [f64; SHAPE] {
    let mut shape = [0.0; SHAPE];
    for (lag, value) in shape.iter_mut().enumerate() {
        *value = alike(audio, lag + 1);
    }
    shape
}

/// How far two shapes are apart.
fn apart(a: &[f64; SHAPE], b: &[f64; SHAPE]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
    (squares / SHAPE as f64).sqrt()
}

fn frame(audio: &[f64], rate: f64) -> Frame {
    let audio = centered(audio);
    let shape = shape(&audio);
    let (first, last) = ((rate / PITCH.1) as usize, (rate / PITCH.0) as usize);
    let lags = first..=last.min(audio.len() / 2 + audio.len() / 4);
    let values: Vec<(usize, f64)> = lags.map(|lag| (lag, alike(&audio, lag))).collect();
    let best = values.iter().map(|(_, value)| *value).fold(0.0, f64::max);
    // The shortest lag nearly as good as the best: a multiple of the period is as alike as the period.
    let lag = values.iter().find(|(_, value)| *value >= best * 0.9).map_or(1, |(lag, _)| *lag);
    let lag = peak(&values, lag);
    Frame { pitch: (best >= VOICED).then(|| (rate / lag as f64).log2()), shape }
}

/// The top of the hill that begins at `lag`.
fn peak(values: &[(usize, f64)], lag: usize) -> usize {
    let mut top = (lag, f64::MIN);
    for (at, value) in values.iter().filter(|(at, _)| *at >= lag) {
        if *value < top.1 {
            break;
        }
        top = (*at, *value);
    }
    top.0
}

/// Whether a frame is voiced and much like those three steps away.
fn is_steady(frames: &[Frame], at: usize) -> bool {
    let Some(own) = frames.get(at) else { return false };
    let near = [at.checked_sub(3), Some(at + 3)];
    let near = near.into_iter().flatten().filter_map(|other| frames.get(other));
    own.pitch.is_some()
        && near.clone().next().is_some()
        && near.into_iter().any(|other| is_like(own, other))
}

fn is_like(a: &Frame, b: &Frame) -> bool {
    let pitch = a.pitch.zip(b.pitch).is_some_and(|(a, b)| (a - b).abs() <= SAME_PITCH);
    pitch && apart(&a.shape, &b.shape) <= SAME_SHAPE
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_toolkit::testing::{RATE, noise};

    /// A buzz with two resonances at a pitch that moves by `octaves` a second.
    fn voice(seconds: f64, octaves: f64, formants: [f64; 2]) -> Vec<f32> {
        let mut phase = 0.0f64;
        let rate = f64::from(RATE.0);
        let sample = |n: usize| {
            let time = n as f64 / rate;
            let hz = 120.0 * (octaves * time).exp2();
            phase += hz / rate;
            let tone = |k: f64| {
                let near = |f: f64| 1.0 / (1.0 + ((k * hz - f) / 150.0).powi(2));
                (std::f64::consts::TAU * phase * k).sin() * (near(formants[0]) + near(formants[1]))
            };
            (1..25).map(|k| tone(f64::from(k))).sum::<f64>() as f32 * 0.1
        };
        (0..(seconds * rate) as usize).map(sample).collect()
    }

    #[test]
    fn a_held_vowel_is_steady_and_noise_and_glides_are_not() {
        let held = Steadiness::of(&[voice(0.5, 0.0, [500.0, 1500.0])], RATE);
        assert!(held.longest.0 > 0.4 && held.share > 0.9, "{held:?}");
        let hiss = Steadiness::of(&[noise(-20.0, 0.5)], RATE);
        assert!(hiss.longest.0 < 0.1, "{hiss:?}");
        let glide = Steadiness::of(&[voice(0.5, 5.0, [500.0, 1500.0])], RATE);
        assert!(glide.share < 0.5, "{glide:?}");
        assert_eq!(Steadiness::of(&[Vec::new()], RATE).share, 0.0);
    }

    #[test]
    fn a_held_sound_is_found_with_its_edges_in_a_room() {
        let mut audio: Vec<f32> = noise(-70.0, 3.0);
        let from = RATE.0 as usize;
        let sound = voice(0.5, 0.0, [500.0, 1500.0]);
        audio[from..].iter_mut().zip(sound).for_each(|(sample, more)| *sample += more);
        let found = held(&[audio], RATE);
        let longest = found.iter().max_by(|a, b| (a.end - a.start).total_cmp(&(b.end - b.start)));
        let longest = longest.unwrap();
        assert!(
            (longest.start - 1.0).abs() < 0.05 && (longest.end - 1.5).abs() < 0.05,
            "{found:?}"
        );
        assert!(held(&[Vec::new()], RATE).is_empty());
    }

    #[test]
    fn level_does_not_count() {
        let held = voice(0.4, 0.0, [600.0, 1100.0]);
        let soft: Vec<f32> = held.iter().map(|sample| sample * 0.01).collect();
        assert_eq!(Steadiness::of(&[held], RATE), Steadiness::of(&[soft], RATE));
    }
}
