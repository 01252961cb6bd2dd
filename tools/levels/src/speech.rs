//! What the tools that follow speech share: the course of a track, and a gain that rides over stretches of it.

use deskhand_dsp::loudness::LoudnessProfile;
use deskhand_dsp::{Decibels, EnvelopePoint, Frames, SampleRate};
use deskhand_session::{Change, Finding, Measure, Prediction, TrackId};
use deskhand_toolkit::levels::level_of;
use deskhand_toolkit::{Draft, PlanContext, ToolError};
use std::ops::Range;

/// How far a level may be off that was measured through the same engine.
const SAME: f64 = 0.1;

/// The course of a track with its fader at 0 dB and without its own gain over time: what a tool
/// that writes that gain must listen to, or it would hear itself.
pub(crate) fn course(context: &PlanContext, track: TrackId) -> Result<LoudnessProfile, ToolError> {
    let own = context.session.tracks.get(&track);
    if own.is_none_or(|own| own.envelope.is_empty()) {
        return context.profile(track.into());
    }
    let mut session = (*context.session).clone();
    session.tracks.entry(track).and_modify(|track| {
        track.envelope.clear();
        track.gain = Decibels::UNITY;
    });
    context.measure(&session, track.into())
}

/// A gain over stretches of time and another one elsewhere, with ramps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ride {
    /// The gain outside of the stretches.
    pub(crate) rest: Decibels,
    /// How long the way into a stretch takes; it ends where the stretch begins.
    pub(crate) attack: Frames,
    /// How long the way out takes; it begins where the stretch ends.
    pub(crate) release: Frames,
}

impl Ride {
    /// The points for stretches with their gains, in order; empty if no gain differs from 0.
    pub(crate) fn points(self, stretches: &[(Range<Frames>, Decibels)]) -> Vec<EnvelopePoint> {
        self.points_between(stretches, |_, _| self.rest)
    }

    /// The same with a gain of its own between each two stretches, from the gains on both sides.
    pub(crate) fn points_between(
        self,
        stretches: &[(Range<Frames>, Decibels)],
        rest: impl Fn(Decibels, Decibels) -> Decibels,
    ) -> Vec<EnvelopePoint> {
        let mut points: Vec<EnvelopePoint> = Vec::new();
        let mut add = |position: Frames, gain: Decibels| {
            let point = EnvelopePoint { position, gain: gain.rounded(), curve: 0.0 };
            points.push(point);
        };
        for (index, (stretch, gain)) in stretches.iter().enumerate() {
            let last = index.checked_sub(1).and_then(|n| stretches.get(n));
            let follows = stretches.get(index + 1);
            let (before, next) = (last.map(|s| s.0.end), follows.map(|s| s.0.start));
            let ahead = rest(last.map_or(*gain, |s| s.1), *gain);
            let behind = rest(*gain, follows.map_or(*gain, |s| s.1));
            // Where the ways of two stretches would cross, each has half of the time.
            let half = |gap: Frames, way: Frames| way.min(Frames(gap.0 / 2));
            let attack = before.map_or(self.attack.min(stretch.start), |end| {
                half(stretch.start - end, self.attack)
            });
            let release = next.map_or(self.release, |s| half(s - stretch.end, self.release));
            if attack > Frames::ZERO {
                add(stretch.start - attack, ahead);
            }
            add(stretch.start, *gain);
            add(stretch.end, *gain);
            add(stretch.end + release, behind);
        }
        simplified(points)
    }
}

/// Without points that say nothing new.
fn simplified(points: Vec<EnvelopePoint>) -> Vec<EnvelopePoint> {
    if points.iter().all(|point| point.gain == Decibels::UNITY) {
        return Vec::new();
    }
    let mut kept: Vec<EnvelopePoint> = Vec::new();
    for (index, point) in points.iter().enumerate() {
        let same = |other: Option<&EnvelopePoint>| other.is_none_or(|o| o.gain == point.gain);
        let next = points.get(index + 1);
        if !(same(kept.last()) && same(next)) || kept.last() == Some(point) {
            kept.push(*point);
        }
    }
    kept.dedup();
    if kept.is_empty() {
        // One gain over all.
        kept.extend(points.first());
    }
    kept
}

/// Mean K-weighted loudness of the hops within `range`, in LUFS, with `gain` at each hop.
pub(crate) fn loudness(
    profile: &LoudnessProfile,
    range: &Range<Frames>,
    gain: impl Fn(Frames) -> Decibels,
) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0usize);
    for (index, energy) in profile.k_energies().iter().enumerate() {
        let at = Frames(i64::try_from(profile.hop_start(index)).unwrap_or(i64::MAX));
        if range.contains(&at) {
            sum += f64::from(*energy) * gain(at).amplitude().powi(2);
            count += 1;
        }
    }
    let energy = sum / count.max(1) as f64;
    deskhand_dsp::Lufs::from_energy(energy).map(|level| level.0)
}

/// Adds a finding with an object's current measurement, and a prediction of it after `change`.
pub(crate) fn promise(
    draft: &mut Draft,
    context: &PlanContext,
    (id, measure): (TrackId, Measure),
    change: &Change,
    from: String,
) -> Result<(), ToolError> {
    let now = level_of(&context.levels(id.into())?, measure);
    draft.findings.push(Finding::new(id, measure, now));
    let after = context.session.with([change]).map_err(ToolError::media)?;
    let then = level_of(&context.levels_in(&after, id.into())?, measure);
    let promise = then.map(|level| {
        let level = (level * 100.0).round() / 100.0 + 0.0;
        Prediction::now(id, measure, level, SAME, vec![from])
    });
    draft.predicted.extend(promise);
    Ok(())
}

/// Milliseconds as frames.
pub(crate) fn ms(milliseconds: f64, rate: SampleRate) -> Frames {
    deskhand_toolkit::find::millis(milliseconds, rate)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stretch(start: i64, end: i64, gain: f64) -> (Range<Frames>, Decibels) {
        (Frames(start)..Frames(end), Decibels(gain))
    }

    fn shown(points: &[EnvelopePoint]) -> Vec<(i64, f64)> {
        points.iter().map(|point| (point.position.0, point.gain.0)).collect()
    }

    #[test]
    fn a_ride_goes_in_ahead_of_a_stretch_and_out_behind_it() {
        let ride = Ride { rest: Decibels(0.0), attack: Frames(10), release: Frames(40) };
        let points = ride.points(&[stretch(100, 200, -12.0), stretch(260, 300, -6.0)]);
        let expected = [
            (90, 0.0),
            (100, -12.0),
            (200, -12.0),
            (230, 0.0),
            (250, 0.0),
            (260, -6.0),
            (300, -6.0),
            (340, 0.0),
        ];
        assert_eq!(shown(&points), expected);
    }

    #[test]
    fn what_changes_nothing_has_no_points() {
        let ride = Ride { rest: Decibels(0.0), attack: Frames(10), release: Frames(40) };
        assert_eq!(ride.points(&[stretch(100, 200, 0.0)]), []);
        assert_eq!(ride.points(&[]), []);
        let steady = Ride { rest: Decibels(-8.0), ..ride };
        assert_eq!(shown(&steady.points(&[stretch(100, 200, -8.0)])), [(90, -8.0)]);
    }
}
