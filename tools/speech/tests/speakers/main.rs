//! Voices of people, one after another in known turns: finds who spoke when by their sound.
//!
//! The voices come from Debian's asterisk-core-sounds packages (real people, one a language) and from
//! pocketsphinx-testdata. All of them are cut to telephone bandwidth so that it does not tell them apart.
//! If they or the models are missing, the test prints a message and ends.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test")]

mod mixed;
#[path = "../shared/models.rs"]
mod models;

use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};
use deskhand_inference::{Library, SPEAKERS, VOICE_ACTIVITY};
use deskhand_media::{open_at, resampled};
use deskhand_speech::listen::{Audio, ListenError};
use deskhand_speech::mel::RATE;
use deskhand_speech::turns::{Count, Speakers, Turn};
use deskhand_speech::voice::Voice;
use std::ops::Range;
use std::path::{Path, PathBuf};

const ALLISON: &str = "/usr/share/asterisk/sounds/en_US_f_Allison";
const JUNE: &str = "/usr/share/asterisk/sounds/fr_CA_f_June";
const CARLO: &str = "/usr/share/asterisk/sounds/it_IT_m_Carlo";
const RUSSIAN: &str = "/usr/share/asterisk/sounds/ru_RU_f_IvrvoiceRU";
const AUSTEN: &str = "/usr/share/pocketsphinx/test/data/librivox";
/// Clips that are shorter are no turns, in bytes of a wave file.
const SHORTEST: u64 = 50_000;
/// Around a change of speakers nothing is counted, in samples: 0.25 s.
const COLLAR: usize = RATE as usize / 4;
/// Samples that are counted as one: 10 ms.
const TICK: usize = 160;

/// Voices, the longest turn in seconds, and the diarization error rate in percent that it stays below, with the number of
/// voices given and found: what docs/figures.md says and two points more.
// tidy: table
const CASES: [(&[&str], usize, [f64; 2]); 8] = [
    (&[AUSTEN], 12, [2.0, 2.0]),
    (&[AUSTEN], 4, [2.0, 2.0]),
    (&[ALLISON, CARLO], 12, [3.6, 3.6]),
    (&[ALLISON, CARLO], 4, [3.1, 3.1]),
    (&[AUSTEN, ALLISON, JUNE], 12, [2.3, 2.3]),
    (&[AUSTEN, ALLISON, JUNE], 4, [2.4, 2.4]),
    (&[ALLISON, JUNE, CARLO, RUSSIAN, AUSTEN], 12, [2.4, 2.4]),
    (&[ALLISON, JUNE, CARLO, RUSSIAN, AUSTEN], 4, [3.7, 3.7]),
];

/// Clips of a voice, in the order of their names.
fn clips(folder: &str) -> Option<Vec<PathBuf>> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        eprintln!(
            "SKIPPED: no {folder}; install asterisk-core-sounds-en-wav, -fr-wav, -it-wav, -ru-wav and \
             pocketsphinx-testdata"
        );
        return None;
    };
    let is_long = |path: &PathBuf| path.metadata().is_ok_and(|data| data.len() > SHORTEST);
    let is_wave = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "wav");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    // Monkeys scream in one of them, the same ones in each language.
    let is_said = |path: &PathBuf| !path.ends_with("tt-monkeys.wav");
    paths.retain(|path| is_wave(path) && is_long(path) && is_said(path));
    paths.sort();
    Some(paths)
}

/// A clip at -23 dBFS and telephone bandwidth, of `longest` samples at most.
fn said(path: &Path, longest: usize) -> Vec<f32> {
    let narrow = open_at(path, SampleRate(8_000)).unwrap();
    let mut reader = resampled(narrow, SampleRate(RATE)).unwrap();
    let mut sound = vec![0.0; reader.frames().index().min(longest)];
    reader.read(Frames::ZERO, &mut [&mut sound]).unwrap();
    let level = (sound.iter().map(|v| v * v).sum::<f32>() / sound.len() as f32).sqrt();
    sound.iter_mut().for_each(|value| *value *= 0.07 / level);
    sound
}

/// A recording in memory at 16 kHz.
#[derive(Default)]
struct Talk {
    sound: Vec<f32>,
    turns: Vec<(Range<usize>, usize)>,
}

impl FrameReader for Talk {
    fn channels(&self) -> usize {
        1
    }

    fn frames(&self) -> Frames {
        Frames::from_index(self.sound.len())
    }

    fn rate(&self) -> SampleRate {
        SampleRate(RATE)
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let rest = self.sound.get(at.index()..).unwrap_or_default();
        let count = out[0].len().min(rest.len());
        out[0][..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

impl Talk {
    /// Voices in turn, eight times, a tenth of a second apart, at -23 dBFS, each turn of `longest` samples at
    /// most.
    fn of(voices: &[&str], longest: usize) -> Option<Self> {
        let clips: Vec<Vec<PathBuf>> =
            voices.iter().map(|voice| clips(voice)).collect::<Option<_>>()?;
        let mut talk = Self::default();
        // Not in a fixed order: the sequence of voices changes from round to round.
        for round in 0..8 {
            for place in 0..voices.len() {
                let speaker = (place * (round % 2 + 1) + round) % voices.len();
                let of = &clips[speaker];
                talk.say(speaker, &of[(7 * round + 1) % of.len()], longest);
            }
        }
        Some(talk)
    }

    /// One more turn, of `longest` samples at most.
    fn say(&mut self, speaker: usize, path: &Path, longest: usize) {
        let sound = said(path, longest);
        self.sound.extend(vec![0.0; RATE as usize / 10]);
        let start = self.sound.len();
        self.sound.extend(sound);
        self.turns.push((start..self.sound.len(), speaker));
    }

    /// The speaker at each tick that is loud enough to be speech: within 40 dB of the usual level, and in
    /// the pauses of 0.3 s between.
    fn truth(&self) -> Vec<Option<usize>> {
        let ticks = self.sound.len() / TICK;
        let is_loud = |tick: usize| {
            let part = &self.sound[tick * TICK..(tick + 1) * TICK];
            part.iter().map(|value| value * value).sum::<f32>() / TICK as f32 > 0.0007f32.powi(2)
        };
        let loud: Vec<bool> = (0..ticks).map(is_loud).collect();
        let near =
            |tick: usize| loud[tick.saturating_sub(15)..(tick + 15).min(ticks)].contains(&true);
        let who = |tick: usize| {
            let turn = self.turns.iter().find(|(range, _)| range.contains(&(tick * TICK)));
            turn.filter(|_| near(tick)).map(|(_, speaker)| *speaker)
        };
        (0..ticks).map(who).collect()
    }

    /// Ticks that are not counted.
    fn is_border(&self, tick: usize) -> bool {
        let near = |border: usize| (tick * TICK).abs_diff(border) < COLLAR;
        self.turns.iter().any(|(range, _)| near(range.start) || near(range.end))
    }
}

/// Shares of the speech, in percent.
#[derive(Debug, Default)]
struct Errors {
    missed: f64,
    invented: f64,
    confused: f64,
}

impl Errors {
    fn all(&self) -> f64 {
        self.missed + self.invented + self.confused
    }
}

/// The diarization error rate by the best pairing of speakers (NIST's definition, collar 0.25 s).
fn errors(talk: &Talk, turns: &[Turn]) -> Errors {
    let truth = talk.truth();
    let said = |tick: usize| {
        turns.iter().find(|turn| turn.range.contains(&(tick * TICK))).map(|turn| turn.speaker)
    };
    let pairs: Vec<(Option<usize>, Option<usize>)> = (0..truth.len())
        .filter(|tick| !talk.is_border(*tick))
        .map(|tick| (truth[tick], said(tick)))
        .collect();
    let most = 1 + turns.iter().map(|turn| turn.speaker).max().unwrap_or(0);
    let real = 1 + talk.turns.iter().map(|turn| turn.1).max().unwrap_or(0);
    let together =
        |real, said| pairs.iter().filter(|pair| **pair == (Some(real), Some(said))).count();
    let right =
        best(&(0..real).map(|r| (0..most).map(|s| together(r, s)).collect()).collect::<Vec<_>>());
    let count =
        |is: fn(&(Option<usize>, Option<usize>)) -> bool| pairs.iter().filter(|p| is(p)).count();
    let speech = count(|(real, _)| real.is_some()) as f64;
    let both = count(|(real, said)| real.is_some() && said.is_some());
    Errors {
        missed: 100.0 * count(|(real, said)| real.is_some() && said.is_none()) as f64 / speech,
        invented: 100.0 * count(|(real, said)| real.is_none() && said.is_some()) as f64 / speech,
        confused: 100.0 * (both - right) as f64 / speech,
    }
}

/// The most that can be had by giving each row a column of its own.
fn best(rows: &[Vec<usize>]) -> usize {
    let Some((row, rest)) = rows.split_first() else { return 0 };
    let without = |column: usize| -> Vec<Vec<usize>> {
        let mut rest = rest.to_vec();
        rest.iter_mut().for_each(|row| row[column] = 0);
        rest
    };
    let own = (0..row.len()).map(|column| row[column] + best(&without(column)));
    own.max().unwrap_or(0)
}

fn turns(library: &Library, talk: &mut Talk, count: Count) -> Vec<Turn> {
    let mut speakers = Speakers::new(library.load(SPEAKERS).unwrap());
    let mut voice = Voice::new(Some(library.load(VOICE_ACTIVITY).unwrap()));
    let range = 0..talk.sound.len();
    let mut audio = Audio::new(talk, range, Vec::new());
    speakers.hear::<ListenError>(0, &mut audio, &mut voice, &mut |_| Ok(())).unwrap();
    speakers.turns(count)
}

/// The number of speakers found, and how often the speaker is wrong.
fn found(library: &Library, talk: &mut Talk) -> (usize, Errors) {
    let turns = turns(library, talk, Count::Found);
    let count = 1 + turns.iter().map(|turn| turn.speaker).max().unwrap_or(0);
    (count, errors(talk, &turns))
}

#[test]
fn as_many_speakers_are_found_as_there_are() {
    let Some(library) = models::with(&[SPEAKERS, VOICE_ACTIVITY]) else { return };
    let (mut counts, mut confused) = (Vec::new(), 0.0);
    for voices in mixed::VOICES {
        for (at, (seconds, room)) in mixed::MANNERS.into_iter().enumerate() {
            let Some(mut talk) = mixed::talk(voices, seconds, room, at) else { return };
            let (count, errors) = found(&library, &mut talk);
            eprintln!(
                "{} voices, turns of {seconds:?} s, {room:?}: {count} found, {:.1} % confused",
                voices.len(),
                errors.confused
            );
            counts.push((voices.len(), count));
            confused += errors.confused / (mixed::VOICES.len() * mixed::MANNERS.len()) as f64;
        }
    }
    let right = counts.iter().filter(|(real, found)| real == found).count();
    eprintln!("{right} of {} counted right, {confused:.1} % confused", counts.len());
    assert!(counts.iter().all(|(real, found)| *real > 1 || *found == 1), "one alone: {counts:?}");
    assert!(counts.iter().all(|(real, found)| real.abs_diff(*found) <= 1), "{counts:?}");
    assert!(right * 10 >= counts.len() * 9, "{right}: {counts:?}");
    assert!(confused < 3.0, "{confused}");
}

#[test]
fn voices_in_known_turns_are_told_apart() {
    let Some(library) = models::with(&[SPEAKERS, VOICE_ACTIVITY]) else { return };
    for (voices, seconds, most) in CASES {
        let Some(mut talk) = Talk::of(voices, seconds * RATE as usize) else { return };
        for (count, most) in [Count::Given(voices.len()), Count::Found].into_iter().zip(most) {
            let turns = turns(&library, &mut talk, count);
            let found = 1 + turns.iter().map(|turn| turn.speaker).max().unwrap_or(0);
            let errors = errors(&talk, &turns);
            eprintln!(
                "{} voices, turns up to {seconds} s, {count:?}: {found} speakers, DER {:.1} % (missed {:.1}, \
                 invented {:.1}, confused {:.1})",
                voices.len(),
                errors.all(),
                errors.missed,
                errors.invented,
                errors.confused
            );
            assert!(errors.all() < most, "{} voices, {count:?}: {errors:?}", voices.len());
        }
    }
}
