//! The two voices. Each part of a sentence is spoken by espeak-ng by itself and put after the last one.
//!
//! The times of parts are exact. Words inside of one are placed by how long the rest is when it is spoken alone.

use super::script::Line;
use super::sound::{RATE, add_noise, frame, resampled, seconds, to_peak};
use anyhow::{Context, Result, bail};
use std::process::Command;

/// The first word, seconds.
const START: f64 = 1.0;
/// Between parts of a sentence, and between sentences, seconds.
const COMMA: f64 = 0.16;
const STOP: f64 = 0.38;
/// The shortest word, seconds.
const LEAST: f64 = 0.04;
/// What is quieter is not the voice.
const SILENT: f32 = 0.004;
/// The rate of espeak-ng, Hz.
const ESPEAK: u32 = 22_050;
/// Voices have little above, Hz.
const CUTOFF: f64 = 7_200.0;
/// The noise of the guest's microphone, RMS.
const NOISE_DBFS: f32 = -73.0;

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voice {
    Host,
    Guest,
}

impl Voice {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Host => "Host",
            Self::Guest => "Guest",
        }
    }

    /// Voice, words in a minute and pitch of espeak-ng.
    fn options(self) -> [&'static str; 6] {
        match self {
            Self::Host => ["-v", "en-us+f3", "-s", "172", "-p", "48"],
            Self::Guest => ["-v", "en-gb+m3", "-s", "160", "-p", "38"],
        }
    }

    /// The guest's microphone was turned down, and is noisy.
    fn peak_dbfs(self) -> f32 {
        match self {
            Self::Host => -5.0,
            Self::Guest => -14.0,
        }
    }
}

/// A word and when it is heard, seconds on the timeline.
#[derive(Debug)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) start: f64,
    pub(super) end: f64,
}

/// A line that was spoken.
pub(super) struct Spoken {
    pub(super) voice: Voice,
    pub(super) text: &'static str,
    pub(super) words: Vec<Word>,
    /// Its sound, and where on the timeline it begins.
    parts: Vec<(f64, Vec<f32>)>,
}

impl Spoken {
    pub(super) fn start(&self) -> f64 {
        self.words.first().map_or(0.0, |word| word.start)
    }

    pub(super) fn end(&self) -> f64 {
        self.words.last().map_or(0.0, |word| word.end)
    }
}

/// Speaks all lines, one after another.
pub(super) fn speak(script: &[Line]) -> Result<Vec<Spoken>> {
    let mut at = START;
    let mut all = Vec::new();
    for (voice, text, pause) in script {
        let spoken = line(*voice, text, at)?;
        at = spoken.end() + pause;
        all.push(spoken);
    }
    Ok(all)
}

/// The track of a voice: what it says where it says it, and its noise.
pub(super) fn track(spoken: &[Spoken], voice: Voice, length: f64) -> Vec<f32> {
    let mut track = vec![0.0; frame(length, RATE)];
    let parts = spoken.iter().filter(|it| it.voice == voice).flat_map(|it| &it.parts);
    for (at, sound) in parts {
        let place = &mut track[frame(*at, RATE)..];
        place.iter_mut().zip(sound).for_each(|(sample, more)| *sample += more);
    }
    to_peak(&mut track, voice.peak_dbfs());
    if voice == Voice::Guest {
        add_noise(&mut track, NOISE_DBFS);
    }
    track
}

fn line(voice: Voice, text: &'static str, mut at: f64) -> Result<Spoken> {
    let mut spoken = Spoken { voice, text, words: Vec::new(), parts: Vec::new() };
    for part in text.split_inclusive([',', '.', '?']).map(str::trim) {
        let sound = said(voice, part)?;
        spoken.words.extend(words(voice, part, at, seconds(&sound, RATE))?);
        let length = seconds(&sound, RATE);
        spoken.parts.push((at, sound));
        at += length + if part.ends_with(',') { COMMA } else { STOP };
    }
    Ok(spoken)
}

/// The words of a part that is heard from `at` on for `length`. A word begins where the rest of the part would begin
/// that is spoken without the words before it.
fn words(voice: Voice, part: &str, at: f64, length: f64) -> Result<Vec<Word>> {
    let all: Vec<&str> = part.split(' ').collect();
    let mut starts = vec![at];
    for first in 1..all.len() {
        let rest = seconds(&said(voice, &all[first..].join(" "))?, RATE);
        starts.push((at + length - rest).max(starts[first - 1] + LEAST));
    }
    let ends = starts.iter().skip(1).copied().chain([at + length]);
    let word = |((text, start), end): ((&&str, &f64), f64)| Word {
        text: (*text).to_owned(),
        start: *start,
        end,
    };
    Ok(all.iter().zip(&starts).zip(ends).map(word).collect())
}

/// The sound of some words, without the silence around it.
fn said(voice: Voice, words: &str) -> Result<Vec<f32>> {
    let spelled: Vec<String> = words.split(' ').map(spelled).collect();
    let mut espeak = Command::new("espeak-ng");
    let output = espeak.args(voice.options()).args(["--stdout", "--", &spelled.join(" ")]).output();
    let output = output.context("is espeak-ng installed? `apt install espeak-ng`")?;
    let Some(data) = output.stdout.get(44..).filter(|_| output.status.success()) else {
        bail!("espeak-ng: {}", String::from_utf8_lossy(&output.stderr));
    };
    let sample = |it: &[u8; 2]| f32::from(i16::from_le_bytes(*it)) / 32_768.0;
    let samples: Vec<f32> = data.as_chunks().0.iter().map(sample).collect();
    let samples = resampled(&samples, (ESPEAK, RATE), CUTOFF);
    let is_voice = |sample: &f32| sample.abs() > SILENT;
    let first = samples.iter().position(is_voice).unwrap_or(0);
    let last = samples.iter().rposition(is_voice).unwrap_or(0);
    Ok(samples.get(first..=last).unwrap_or_default().to_vec())
}

/// A word as espeak-ng should read it: fillers are long.
fn spelled(word: &str) -> String {
    match word.trim_end_matches([',', '.']) {
        "uh" => word.replace("uh", "[[V:]]"),
        "um" => word.replace("um", "[[V:m]]"),
        _ => word.to_owned(),
    }
}
