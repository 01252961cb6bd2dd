//! Which gain a file is encoded with. Encoders change the level (lame lowers its input at low rates, filters take highs
//! away) and the peaks, and how much shows only in the file. So the file is decoded and measured, and encoded again with
//! another gain until no better one is likely; the best file is kept.

use super::report::SLACK;
use super::sound::Measured;
use deskhand_dsp::Decibels;
use deskhand_dsp::loudness::Levels;
use deskhand_session::text::trimmed;

/// How often a file is encoded at most.
const MOST: usize = 8;
/// Gains nearer than this make the same file, in dB: half of the promised accuracy.
const CLOSE: f64 = 0.05;
/// How far the loudness may be off without a note, in LU.
const PROMISED: f64 = 0.1;
/// How far below a ceiling a correction aims, in dB; more after each file that was over it, since a codec makes other
/// peaks each time.
const MARGIN: f64 = 0.03;

/// The target level of a file.
pub(super) struct Goal {
    /// LUFS, or dBFS of RMS for a target that names that; `None` for silence.
    pub(super) loudness: Option<f64>,
    /// What the loudness of a file is.
    pub(super) measure: fn(&Levels) -> Option<f64>,
    /// The object with this loudness, in words.
    pub(super) of: &'static str,
    /// The highest true peak, dBTP; `None` if there is no limit.
    pub(super) ceiling: Option<f64>,
    /// Whether the loudness gives way where the peaks come over the ceiling.
    pub(super) may_lower: bool,
    /// The highest sample of the input at a gain of 0 dB, dBFS.
    pub(super) peak: f64,
}

/// An encoded file: the gain of the input, and the levels of the output.
pub(super) struct Encoded {
    pub(super) gain: Decibels,
    pub(super) measured: Measured,
}

impl Goal {
    /// The gain to encode with after `tried`; `None` if no other gain is likely to be better.
    pub(super) fn next(&self, tried: &[Encoded]) -> Option<Decibels> {
        let best = self.best(tried).and_then(|best| tried.get(best))?;
        let wanted = best.gain.0 + self.off(best)?;
        let limit = if !self.may_lower {
            best.gain.0 + self.room(best).max(0.0)
        } else if self.is_over(best) {
            self.below_all(tried)
        } else if let Some(over) = self.lowest_over(tried) {
            best.gain.0.midpoint(over.gain.0)
        } else {
            best.gain.0 + self.room(best)
        };
        let next = wanted.min(limit);
        let is_new = tried.iter().all(|tried| (tried.gain.0 - next).abs() > CLOSE);
        (is_new && tried.len() < MOST).then_some(Decibels(next))
    }

    /// Which of the files is the best: under the ceiling if the loudness may give way to it, then nearest in loudness.
    pub(super) fn best(&self, tried: &[Encoded]) -> Option<usize> {
        let misses = |tried: &Encoded| match self.may_lower && self.is_over(tried) {
            true => (1, self.over(tried)),
            false => (0, self.off(tried).map_or(0.0, f64::abs)),
        };
        let order = |a: &(usize, (u8, f64)), b: &(usize, (u8, f64))| {
            a.1.0.cmp(&b.1.0).then(a.1.1.total_cmp(&b.1.1))
        };
        tried.iter().map(misses).enumerate().min_by(order).map(|(at, _)| at)
    }

    /// Notes for a person on the kept file, number `best` of `tried`.
    pub(super) fn notes(&self, tried: &[Encoded], best: usize, is_lossy: bool) -> Vec<String> {
        let (Some(first), Some(kept)) = (tried.first(), tried.get(best)) else {
            return Vec::new();
        };
        let decibels = |value: f64| trimmed(value.abs(), 1);
        let mut notes = Vec::new();
        let moved = kept.gain.0 - first.gain.0;
        if is_lossy && moved >= CLOSE {
            let moved = decibels(moved);
            notes.push(format!(
                "the encoder lowers the level, so Deskhand raised its input by {moved} dB"
            ));
        }
        if let Some(off) = self.off(kept).filter(|off| off.abs() > PROMISED) {
            let side = if off > 0.0 { "below" } else { "above" };
            let why = self.why(tried, kept, off);
            notes.push(format!("the file is {} LU {side} {}: {why}", decibels(off), self.of));
        }
        notes
    }

    /// Why the loudness of a file is `off`.
    fn why(&self, tried: &[Encoded], kept: &Encoded, off: f64) -> String {
        let is_held = self.lowest_over(tried).is_some() || -self.over(kept) - MARGIN < off;
        match self.ceiling {
            Some(ceiling) if off > 0.0 && is_held => {
                format!("its true peak may not be over {ceiling} dBTP")
            }
            _ if off > 0.0 && self.headroom(kept) < off => "its peaks are at full scale".into(),
            _ => "the encoder does not follow its input".into(),
        }
    }

    /// A gain below all that came out over the ceiling.
    fn below_all(&self, tried: &[Encoded]) -> f64 {
        let lowest = tried.iter().min_by(|a, b| a.gain.0.total_cmp(&b.gain.0));
        let margin = MARGIN * tried.len() as f64;
        lowest.map_or(0.0, |lowest| lowest.gain.0 - self.over(lowest) - margin)
    }

    fn lowest_over<'a>(&self, tried: &'a [Encoded]) -> Option<&'a Encoded> {
        let over = tried.iter().filter(|tried| self.is_over(tried));
        over.min_by(|a, b| a.gain.0.total_cmp(&b.gain.0))
    }

    /// How much quieter than intended a file is, in LU.
    fn off(&self, file: &Encoded) -> Option<f64> {
        Some(self.loudness? - (self.measure)(&file.measured.levels)?)
    }

    fn is_over(&self, file: &Encoded) -> bool {
        self.over(file) > SLACK
    }

    /// How far the true peak is over the ceiling, in dB.
    fn over(&self, file: &Encoded) -> f64 {
        let peak = file.measured.levels.true_peak.map_or(f64::MIN, |peak| peak.0);
        self.ceiling.map_or(f64::MIN, |ceiling| peak - ceiling)
    }

    /// How much more gain the ceiling and the samples that go in allow, in dB.
    fn room(&self, file: &Encoded) -> f64 {
        (-self.over(file) - MARGIN).min(self.headroom(file))
    }

    /// How much more gain keeps the samples that go in below full scale, in dB.
    fn headroom(&self, file: &Encoded) -> f64 {
        -(self.peak + file.gain.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::Lufs;

    const GOAL: Goal = Goal {
        loudness: Some(-16.0),
        measure: |levels| levels.integrated.map(|level| level.0),
        of: "the target",
        ceiling: Some(-1.0),
        may_lower: true,
        peak: -20.0,
    };

    /// Encodes until the search ends. `file` makes loudness and peak of a gain.
    fn search(goal: &Goal, file: impl Fn(f64) -> (f64, f64)) -> (Vec<Encoded>, usize) {
        let mut tried = Vec::new();
        let mut gain = Some(Decibels(0.0));
        while let Some(now) = gain {
            let (loudness, peak) = file(now.0);
            let levels = Levels {
                integrated: Some(Lufs(loudness)),
                true_peak: Some(Decibels(peak)),
                ..Levels::default()
            };
            tried.push(Encoded { gain: now, measured: Measured { levels, floor: None } });
            gain = goal.next(&tried);
        }
        let best = goal.best(&tried).unwrap();
        (tried, best)
    }

    /// How a codec moves a peak from one gain to the next, in dB: not foreseeable, up to `most`.
    fn moved(gain: f64, most: f64) -> f64 {
        (gain * 7919.0).sin() * most
    }

    #[test]
    fn what_an_encoder_takes_away_is_added() {
        let (tried, best) = search(&GOAL, |gain| (-16.4 + gain, -9.0 + gain));
        assert_eq!(tried.len(), 2);
        let off = GOAL.off(&tried[best]).unwrap();
        assert!(off.abs() < 0.05, "{off}");
        assert_eq!(GOAL.notes(&tried, best, true).len(), 1);
    }

    #[test]
    fn a_file_that_can_be_under_its_ceiling_is_and_as_loud_as_that_allows() {
        for most in [0.0, 0.2, 0.6, 1.2] {
            let peak = |gain: f64| 1.5 + gain + moved(gain, most);
            let (tried, best) = search(&GOAL, |gain| (-16.0 + gain, peak(gain)));
            let kept = &tried[best];
            assert!(!GOAL.is_over(kept), "{most}: {}", GOAL.over(kept));
            assert!(kept.gain.0 > -2.5 - 2.0 * most - 0.2, "{most}: {}", kept.gain.0);
            let notes = GOAL.notes(&tried, best, true);
            assert!(notes[0].ends_with("its true peak may not be over -1 dBTP"), "{notes:?}");
        }
    }

    #[test]
    fn the_best_file_is_kept_and_not_the_last_one() {
        let (tried, best) = search(&GOAL, |gain| (-16.0 + gain, (gain * 3.0).sin() * 4.0));
        let kept = GOAL.over(&tried[best]);
        assert!(tried.iter().all(|tried| GOAL.is_over(tried) >= (kept > SLACK)));
        assert!(tried.len() <= MOST);
    }

    #[test]
    fn what_does_not_follow_its_input_is_not_blamed_on_the_peaks() {
        let goal = Goal { peak: -60.0, ..GOAL };
        let (tried, best) = search(&goal, |gain| (-19.0 + gain * 0.01, -9.0));
        let notes = goal.notes(&tried, best, true);
        assert!(notes.last().unwrap().ends_with("does not follow its input"), "{notes:?}");
    }
}
