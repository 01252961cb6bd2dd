//! Laughter: bursts of the same sound, "ha ha ha", one after another as regularly as nothing that is said.
//!
//! Laughs have 4 to 8 bursts a second that are alike (J.-A. Bachorowski, M. J. Smoski, M. J. Owren, "The acoustic
//! features of human laughter", JASA 110, 2001); syllables come as fast, but one is another sound than the next.

use super::sound::Ten;
use deskhand_session::Word;
use std::ops::Range;

/// A burst rises by this much above the dip before it and falls by as much, in dB.
const DIP: f32 = 4.0;
/// Bursts more than this below the loudest, in dB, or softer than this, in dBFS, do not count.
const BELOW: f32 = 30.0;
const SOFTEST: f32 = -60.0;
/// From one burst to the next, in steps of 10 ms.
const APART: std::ops::RangeInclusive<usize> = 9..=32;
/// How far the spectra of neighbors are apart at most, in dB.
const ALIKE: f32 = 6.0;
/// The least number of bursts that make a laugh.
const LEAST: usize = 4;
/// How regular they are: the standard deviation of the gaps divided by their mean.
const REGULAR: f64 = 0.35;
/// What belongs to a laugh around the peaks of its bursts, in steps.
const AROUND: (usize, usize) = (6, 10);

/// Laughs in a stretch, in steps of 10 ms.
pub(super) fn laughs(sound: &[Ten]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut run: Vec<usize> = Vec::new();
    for peak in bursts(sound) {
        let goes_on = run.last().is_some_and(|last| {
            APART.contains(&(peak - last))
                && apart(&shape(sound, *last), &shape(sound, peak)) < ALIKE
        });
        if !goes_on {
            found.extend(laugh(&run, sound.len()));
            run.clear();
        }
        run.push(peak);
    }
    found.extend(laugh(&run, sound.len()));
    found
}

/// The peaks of the level.
fn bursts(sound: &[Ten]) -> Vec<usize> {
    let level = |at: usize| {
        let near = sound.get(at.saturating_sub(1)..(at + 2).min(sound.len())).unwrap_or_default();
        near.iter().map(|ten| ten.level).sum::<f32>() / near.len().max(1) as f32
    };
    let levels: Vec<f32> = (0..sound.len()).map(level).collect();
    let loudest = levels.iter().copied().fold(f32::MIN, f32::max);
    let mut peaks: Vec<(usize, f32)> = Vec::new();
    let (mut top, mut low) = (None::<(usize, f32)>, f32::MAX);
    for (at, level) in levels.into_iter().enumerate() {
        match top {
            None => {
                low = low.min(level);
                top = (level >= low + DIP).then_some((at, level));
            }
            Some((_, highest)) if level > highest => top = Some((at, level)),
            Some(peak) if level <= peak.1 - DIP => {
                peaks.push(peak);
                (top, low) = (None, level);
            }
            Some(_) => {}
        }
    }
    peaks.extend(top);
    let least = (loudest - BELOW).max(SOFTEST);
    peaks.into_iter().filter(|(_, level)| *level > least).map(|(at, _)| at).collect()
}

/// The spectrum around a peak without its level.
fn shape(sound: &[Ten], at: usize) -> Vec<f32> {
    let near = sound.get(at.saturating_sub(2)..(at + 3).min(sound.len())).unwrap_or_default();
    let bands = near.first().map_or(0, |ten| ten.bands.len());
    let mean = |band: usize| {
        near.iter().map(|ten| ten.bands[band]).sum::<f32>() / near.len().max(1) as f32
    };
    let means: Vec<f32> = (0..bands).map(mean).collect();
    let level = means.iter().sum::<f32>() / bands.max(1) as f32;
    means.into_iter().map(|value| value - level).collect()
}

fn apart(a: &[f32], b: &[f32]) -> f32 {
    let squares: f32 = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum();
    (squares / a.len().max(1) as f32).sqrt()
}

/// Bursts as a laugh, where they are enough and regular.
fn laugh(peaks: &[usize], end: usize) -> Option<Range<usize>> {
    let (first, last) = (*peaks.first()?, *peaks.last()?);
    let steps: Vec<f64> = peaks.windows(2).map(|two| (two[1] - two[0]) as f64).collect();
    let mean = steps.iter().sum::<f64>() / steps.len().max(1) as f64;
    let spread = steps.iter().map(|step| (step - mean).powi(2)).sum::<f64>();
    let spread = (spread / steps.len().max(1) as f64).sqrt();
    let is_laugh = peaks.len() >= LEAST && spread < REGULAR * mean;
    is_laugh.then(|| first.saturating_sub(AROUND.0)..(last + AROUND.1).min(end))
}

/// Whether a transcript writes laughter here: "Haha", "(laughs)", "[laughter]", or "ha" next to another
/// "ha".
pub(super) fn is_written(words: &[Word], at: usize) -> bool {
    let plain = |at: usize| {
        let text = words.get(at).map(|word| word.text.to_lowercase()).unwrap_or_default();
        text.chars().filter(|letter| letter.is_alphabetic()).collect::<String>()
    };
    let Some(word) = words.get(at) else { return false };
    let own = plain(at);
    let is_marked = word.text.contains(['[', '(', '*', ']', ')']);
    let is_named = ["laugh", "chuckl", "giggl"].iter().any(|start| own.starts_with(start));
    let is_one = matches!(own.as_str(), "ha" | "hah" | "heh" | "hee" | "ho");
    let mut beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
    is_marked && is_named || repeats(&own) || is_one && beside.any(|other| plain(other) == own)
}

/// "haha", "hehehe", "hahah".
fn repeats(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    let vowel = letters.get(1).copied().filter(|letter| "aeio".contains(*letter));
    let is_same = |(at, letter): (usize, &char)| match at % 2 {
        0 => *letter == 'h',
        _ => Some(*letter) == vowel,
    };
    letters.len() >= 4 && vowel.is_some() && letters.iter().enumerate().all(is_same)
}
