//! The gain stage of clips, tracks and the mix, and the gain that reaches a level.

use deskhand_dsp::Decibels;
use deskhand_dsp::loudness::LoudnessProfile;
use deskhand_session::{Change, Edit, Measure, ObjectId, Session};
use deskhand_toolkit::levels::level_of;
use std::cell::RefCell;

/// The gains that a session takes, in dB.
const LOWEST: Decibels = Decibels(-150.0);
/// See [`LOWEST`].
const HIGHEST: Decibels = Decibels(48.0);

/// Gains closer than this are the same: half of what people set by ear is a hundred times that.
const SAME_DB: f64 = 0.01;

/// A level to reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Goal {
    pub(crate) measure: Measure,
    pub(crate) value: f64,
}

/// What [`Goal::gain`] found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reach {
    /// The gain now.
    pub(crate) before: Decibels,
    /// The gain that comes nearest; `before` itself when that is as good.
    pub(crate) after: Decibels,
    /// The level now.
    pub(crate) measured: Option<f64>,
    /// The level with `after`.
    pub(crate) predicted: f64,
    /// Whether a ceiling holds the gain below what the goal needs.
    pub(crate) is_held: bool,
}

/// A ceiling of the true peak, in dBTP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ceiling(pub(crate) f64);

impl Goal {
    /// The gain that brings `profile`, whose gain is `own` now, to this level under a ceiling. `None` if
    /// the level cannot be measured: silence, below the gates, or too short.
    ///
    /// Finds the gain. The gates of integrated loudness apply after the gain, so the level does not simply
    /// move with the gain. A few steps find it.
    pub(crate) fn gain(
        self,
        profile: &LoudnessProfile,
        own: Decibels,
        ceiling: Option<Ceiling>,
    ) -> Option<Reach> {
        // The gates take a pass over the whole profile, and some gains are asked for again.
        let known: RefCell<Vec<(Decibels, Option<f64>)>> = RefCell::default();
        let level = |gain: Decibels| {
            let found = known.borrow().iter().find(|(at, _)| *at == gain).map(|(_, level)| *level);
            found.unwrap_or_else(|| {
                let level = level_of(&profile.levels(gain), self.measure);
                known.borrow_mut().push((gain, level));
                level
            })
        };
        let measured = level(own);
        let mut best =
            self.nearest(level, if measured.is_some() { own } else { Decibels::UNITY })?;
        let highest = ceiling.and_then(|ceiling| highest_under(profile, ceiling));
        let is_held = highest.is_some_and(|highest| highest < best);
        best = highest.filter(|_| is_held).unwrap_or(best);
        let stays = highest.is_none_or(|highest| own.0 <= highest.0 + SAME_DB)
            && (self.is_as_good(level, own, best) || (own - best).0.abs() < SAME_DB);
        let after = if stays { own } else { best };
        Some(Reach { before: own, after, measured, predicted: level(after)?, is_held })
    }

    fn nearest(self, level: impl Fn(Decibels) -> Option<f64>, from: Decibels) -> Option<Decibels> {
        let mut gain = from;
        let mut best = (f64::INFINITY, from);
        for _ in 0..8 {
            let Some(miss) = level(gain).map(|level| self.value - level) else {
                break;
            };
            if miss.abs() < best.0 {
                best = (miss.abs(), gain);
            }
            if miss.abs() < 0.0005 {
                break;
            }
            gain = (gain + Decibels(miss)).rounded();
        }
        best.0.is_finite().then_some(best.1)
    }

    fn is_as_good(
        self,
        level: impl Fn(Decibels) -> Option<f64>,
        own: Decibels,
        best: Decibels,
    ) -> bool {
        let miss = |gain| level(gain).map_or(f64::INFINITY, |level| (level - self.value).abs());
        miss(own) <= miss(best) + SAME_DB
    }
}

/// The highest gain that keeps the true peak under the ceiling, rounded down.
fn highest_under(profile: &LoudnessProfile, ceiling: Ceiling) -> Option<Decibels> {
    let peak = profile.levels(Decibels::UNITY).true_peak?;
    Some(Decibels(((ceiling.0 - peak.0) * 1000.0).floor() / 1000.0))
}

impl Reach {
    /// Whether there is nothing to do.
    pub(crate) fn is_there(&self) -> bool {
        self.before == self.after
    }
}

/// Whether a session takes the gain.
pub(crate) fn is_possible(gain: Decibels) -> bool {
    (LOWEST.0..=HIGHEST.0).contains(&gain.0)
}

/// The change of the gain of a clip, a track or the mix.
pub(crate) fn gain_change(session: &Session, target: ObjectId, after: Decibels) -> Option<Change> {
    let before = session.gain_of(target);
    match target {
        ObjectId::Clip(id) => Some(Change::SetClipGain(Edit::new(id, before, after))),
        ObjectId::Track(id) => Some(Change::SetTrackGain(Edit::new(id, before, after))),
        ObjectId::Session(id) => Some(Change::SetMasterGain(Edit::new(id, before, after))),
        ObjectId::Source(_)
        | ObjectId::Marker(_)
        | ObjectId::Group(_)
        | ObjectId::Insert(_)
        | ObjectId::Segment(_)
        | ObjectId::Code(_)
        | ObjectId::Phrase(_) => None,
    }
}

/// How far a level may differ from its prediction. The prediction and the check measure the same samples
/// with the same meter, a constant gain apart, so only the rounding of 32-bit samples remains. Integrated
/// loudness is promised to the 0.1 LU of EBU Tech 3341. The interpolator of the true peak is allowed 0.3
/// dB, half of its span of +0.2 to -0.4 dB there.
pub(crate) fn tolerance(measure: Measure) -> f64 {
    if measure == Measure::TruePeak { 0.3 } else { 0.1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::SampleRate;
    use deskhand_dsp::loudness::LoudnessMeter;

    fn noise(amplitude: f32, frames: usize) -> Vec<f32> {
        let mut state = 1u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 8_388_608.0 - 1.0
        };
        (0..frames).map(|_| next() * amplitude).collect()
    }

    fn profile(parts: &[(f32, usize)]) -> LoudnessProfile {
        let mut meter = LoudnessMeter::new(SampleRate(48_000), 1).unwrap();
        for (amplitude, frames) in parts {
            meter.process(&[&noise(*amplitude, *frames)]);
        }
        meter.profile()
    }

    const LOUDNESS: Goal = Goal { measure: Measure::IntegratedLoudness, value: -16.0 };

    #[test]
    fn the_gates_after_the_gain_are_met() {
        // The quiet part comes above the absolute gate only with the gain.
        let profile = profile(&[(0.003, 240_000), (0.0008, 240_000)]);
        for own in [-20.0, 0.0, 30.0] {
            let reach = LOUDNESS.gain(&profile, Decibels(own), None).unwrap();
            assert!((reach.predicted + 16.0).abs() < 0.01, "{reach:?}");
            let again = LOUDNESS.gain(&profile, reach.after, None).unwrap();
            assert!(again.is_there());
        }
    }

    #[test]
    fn a_ceiling_holds_the_gain_and_is_stable() {
        let profile = profile(&[(0.02, 240_000), (0.9, 240)]);
        let reach = LOUDNESS.gain(&profile, Decibels::UNITY, Some(Ceiling(-1.0))).unwrap();
        let peak = profile.levels(reach.after).true_peak.unwrap();
        assert!(peak.0 <= -1.0 && peak.0 > -1.01, "{peak}");
        let again = LOUDNESS.gain(&profile, reach.after, Some(Ceiling(-1.0))).unwrap();
        assert!(again.is_there());
    }

    #[test]
    fn silence_and_too_little_have_no_gain() {
        let mut meter = LoudnessMeter::new(SampleRate(48_000), 1).unwrap();
        meter.process(&[&[0.5f32; 4_800]]);
        assert_eq!(LOUDNESS.gain(&meter.profile(), Decibels::UNITY, None), None);
        assert_eq!(LOUDNESS.gain(&profile(&[(0.0, 96_000)]), Decibels::UNITY, None), None);
    }
}
