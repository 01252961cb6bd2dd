//! The audio of the benches, made once under `target/bench` and kept for the next run.

use crate::demo::band;
use crate::shell;
use crate::wav::{Depth, WavWriter};
use anyhow::{Context, Result};
use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a workload needs: our program, the folder it may fill, the audio.
pub(super) struct Bench {
    pub(super) deskhand: PathBuf,
    pub(super) folder: PathBuf,
    pub(super) inputs: Inputs,
}

const RATE: u32 = band::RATE;
const HOUR: u32 = 3600;
pub(super) const TRACKS: u32 = 64;

/// The folder with the inputs; each is made when it is first asked for.
pub(super) struct Inputs {
    folder: PathBuf,
    band: OnceCell<Vec<[f32; 2]>>,
}

impl Inputs {
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.join("inputs"), band: OnceCell::new() }
    }

    /// 60 minutes, 48 kHz, 16 bit, stereo.
    pub(super) fn hour(&self) -> Result<PathBuf> {
        self.made("hour.wav", |path| self.write_programme(path, HOUR, 1))
    }

    pub(super) fn hour_flac(&self) -> Result<PathBuf> {
        let wav = self.hour()?;
        self.made("hour.flac", |path| {
            let mut flac = Command::new("flac");
            shell::run(flac.args(["--silent", "--force", "-o"]).arg(path).arg(&wav))
        })
    }

    /// The same hour as MP3.
    pub(super) fn hour_mp3(&self) -> Result<PathBuf> {
        let wav = self.hour()?;
        self.made("hour.mp3", |path| {
            let mut lame = Command::new("lame");
            shell::run(lame.args(["--silent", "-b", "192"]).arg(&wav).arg(path))
        })
    }

    /// 64 stereo tracks of 60 s; the first letter of a name puts it in one of four groups.
    pub(super) fn tracks(&self) -> Result<Vec<PathBuf>> {
        let track = |number: u32| {
            let group = char::from(b'A' + (number % 4) as u8);
            let name = format!("{group} track {number:02}.wav");
            self.made(&name, |path| self.write_programme(path, 60, u64::from(number) + 2))
        };
        (0..TRACKS).map(track).collect()
    }

    /// The file `name`, made under another name first so that a half-made one is never used.
    fn made(&self, name: &str, make: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
        let path = self.folder.join(name);
        if path.exists() {
            return Ok(path);
        }
        println!("   making {name}");
        std::fs::create_dir_all(&self.folder)?;
        let part = self.folder.join(format!("part-{name}"));
        make(&part)?;
        std::fs::rename(&part, &path).with_context(|| format!("cannot name {}", path.display()))?;
        Ok(path)
    }

    /// Something between speech and music: bursts of filtered noise over the band, never twice the same.
    fn write_programme(&self, path: &Path, seconds: u32, seed: u64) -> Result<()> {
        let loops = self.band.get_or_init(mixed_band);
        let mut voice = Voice::new(seed);
        let frames = seconds * RATE;
        let mut wav = WavWriter::create(path, Depth::Sixteen, RATE, 2, frames)?;
        let start = (seed as usize * 7_919) % loops.len();
        for frame in 0..frames as usize {
            let [left, right] = loops[(start + frame) % loops.len()];
            let voice = voice.sample();
            wav.sample(left + voice)?;
            wav.sample(right + 0.9 * voice)?;
        }
        wav.finish()
    }
}

/// The band in stereo, at a level that leaves room for the voice.
fn mixed_band() -> Vec<[f32; 2]> {
    let band = band::play();
    let frames = band.first().map_or(0, |track| track.channels[0].len());
    let mut mix = vec![[0.0; 2]; frames];
    for track in &band {
        let (left, right) = (&track.channels[0], &track.channels[track.channels.len() - 1]);
        for (frame, (left, right)) in mix.iter_mut().zip(left.iter().zip(right)) {
            frame[0] += 0.4 * left;
            frame[1] += 0.4 * right;
        }
    }
    mix
}

/// Noise with the rhythm of speech: syllables, words, pauses.
struct Voice {
    state: u64,
    low: [f32; 2],
    level: f32,
    target: f32,
    left: u32,
}

impl Voice {
    fn new(seed: u64) -> Self {
        let state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        Self { state, low: [0.0; 2], level: 0.0, target: 0.0, left: 0 }
    }

    fn random(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }

    fn sample(&mut self) -> f32 {
        if self.left == 0 {
            let pick = self.random();
            self.left = 3_000 + (pick % 12_000) as u32;
            self.target = [0.0, 0.2, 0.5, 0.9][(pick >> 32) as usize % 4];
        }
        self.left -= 1;
        self.level += (self.target - self.level) * 0.002;
        let white = (self.random() >> 40) as f32 / (1u32 << 23) as f32 - 1.0;
        self.low[0] += 0.15 * (white - self.low[0]);
        self.low[1] += 0.02 * (self.low[0] - self.low[1]);
        (self.low[0] - self.low[1]) * self.level
    }
}
