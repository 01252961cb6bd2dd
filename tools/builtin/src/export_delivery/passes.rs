//! Encoding until the file has the level that is meant. Encoders change it (lame lowers its input at low rates, filters
//! take highs away), and how much shows only in the file: it is decoded, measured, and written again with another gain.

use super::report::SLACK;
use crate::words::trimmed;
use deskhand_dsp::Decibels;
use deskhand_dsp::loudness::Levels;

/// How often a file is written again.
pub(super) const MOST: usize = 4;
/// How near is near enough, in dB: half of what is promised.
const CLOSE: f64 = 0.05;
/// How far the loudness may be off without a word, in LU.
const PROMISED: f64 = 0.1;
/// How far below a ceiling a correction aims, and how much farther with each pass: the peaks that a codec makes are other
/// ones each time.
const MARGIN: f64 = 0.03;
const MORE_MARGIN: f64 = 0.3;

/// The level that a file is to have.
pub(super) struct Goal {
    /// LUFS; none for silence.
    pub(super) loudness: Option<f64>,
    /// What has this loudness, in words.
    pub(super) of: &'static str,
    /// The highest true peak, dBTP; none where nothing is asked of it.
    pub(super) ceiling: Option<f64>,
    /// Whether the loudness gives way where the peaks come over the ceiling.
    pub(super) may_lower: bool,
    /// The highest sample of what goes in at a gain of 0 dB, dBFS.
    pub(super) peak: f64,
}

impl Goal {
    /// How much more gain the next pass needs, in dB; none where the file is as near as can be. `gain` is what this one
    /// was written with, as number `pass` from 0 on.
    pub(super) fn step(&self, file: &Levels, gain: Decibels, pass: usize) -> Option<Decibels> {
        let off = self.off(file)?;
        let over = self.over(file);
        let step = if self.may_lower && over > SLACK {
            off.min(-over - MARGIN - MORE_MARGIN * pass as f64)
        } else {
            off.min(self.room(file, gain).max(0.0))
        };
        (step.abs() > CLOSE).then_some(Decibels(step))
    }

    /// What a person should know of the level: what was `moved` against the plain gain, in dB, and what is missing.
    pub(super) fn notes(&self, file: &Levels, moved: f64, is_lossy: bool) -> Vec<String> {
        let Some(off) = self.off(file) else {
            return Vec::new();
        };
        let decibels = |value: f64| trimmed(value.abs(), 1);
        let mut notes = Vec::new();
        if is_lossy && moved >= CLOSE {
            notes.push(format!(
                "the encoder lowers the level, so Deskhand raised its input by {} dB",
                decibels(moved)
            ));
        }
        if off.abs() > PROMISED {
            let side = if off > 0.0 { "below" } else { "above" };
            let why = match (off > 0.0, self.ceiling) {
                (true, Some(ceiling)) => format!("its true peak may not be over {ceiling} dBTP"),
                (true, None) => "its peaks are at full scale".to_owned(),
                (false, _) => "the encoder does not follow its input".to_owned(),
            };
            notes.push(format!("the file is {} LU {side} {}: {why}", decibels(off), self.of));
        }
        notes
    }

    /// How much quieter than meant the file is, in LU.
    fn off(&self, file: &Levels) -> Option<f64> {
        Some(self.loudness? - file.integrated?.0)
    }

    /// How far the true peak is over the ceiling, in dB.
    fn over(&self, file: &Levels) -> f64 {
        let peak = file.true_peak.map_or(f64::MIN, |peak| peak.0);
        self.ceiling.map_or(f64::MIN, |ceiling| peak - ceiling)
    }

    /// How much more gain the ceiling and the samples that go in allow, in dB.
    fn room(&self, file: &Levels, gain: Decibels) -> f64 {
        (-self.over(file) - MARGIN).min(-(self.peak + gain.0))
    }
}
