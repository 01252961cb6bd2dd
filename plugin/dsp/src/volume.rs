//! Gain over time: the points of a volume envelope, on the timeline or along a source.

use crate::{Decibels, Frames};
use serde::{Deserialize, Serialize};

/// A point of a volume envelope. Ahead of the first point its gain holds, behind the last one that one's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnvelopePoint {
    /// Where it is; points follow one another in order, two at one place are a step.
    pub position: Frames,
    /// The gain there.
    pub gain: Decibels,
    /// How the way to the next point bends, -1 (late) to 1 (early); 0 is a straight line in dB.
    #[serde(default, skip_serializing_if = "is_straight")]
    pub curve: f64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_straight(curve: &f64) -> bool {
    *curve == 0.0
}

/// The gain of an envelope at `at`; unity where there are no points. The way between two points goes
/// straight in dB over `t^(2^(-2 curve))`, where `t` is the part of the way from 0 to 1.
#[must_use]
pub fn gain_at(points: &[EnvelopePoint], at: Frames) -> Decibels {
    let behind = points.partition_point(|point| point.position <= at);
    match (behind.checked_sub(1).and_then(|index| points.get(index)), points.get(behind)) {
        (None, None) => Decibels::UNITY,
        (None, Some(only)) | (Some(only), None) => only.gain,
        (Some(from), Some(to)) => between(from, to, at),
    }
}

fn between(from: &EnvelopePoint, to: &EnvelopePoint, at: Frames) -> Decibels {
    let way = (to.position - from.position).0 as f64;
    let part = (at - from.position).0 as f64 / way;
    let bent = if from.curve == 0.0 { part } else { part.powf((-2.0 * from.curve).exp2()) };
    Decibels(from.gain.0 + (to.gain.0 - from.gain.0) * bent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(position: i64, gain: f64, curve: f64) -> EnvelopePoint {
        EnvelopePoint { position: Frames(position), gain: Decibels(gain), curve }
    }

    #[test]
    fn the_gain_goes_straight_in_db_from_point_to_point() {
        let points = [point(100, -6.0, 0.0), point(200, 0.0, 0.0), point(200, -12.0, 0.0)];
        let expected =
            [(0, -6.0), (100, -6.0), (150, -3.0), (199, -0.06), (200, -12.0), (900, -12.0)];
        for (at, gain) in expected {
            assert!((gain_at(&points, Frames(at)).0 - gain).abs() < 1e-9, "at {at}");
        }
        assert_eq!(gain_at(&[], Frames(5)), Decibels::UNITY);
    }

    #[test]
    fn a_bend_goes_early_or_late_and_meets_both_ends() {
        let at = |curve, frame| {
            gain_at(&[point(0, 0.0, curve), point(100, -10.0, 0.0)], Frames(frame)).0
        };
        assert!(at(1.0, 25) < at(0.0, 25) && at(0.0, 25) < at(-1.0, 25));
        for curve in [-1.0, -0.3, 0.0, 1.0] {
            assert_eq!((at(curve, 0), at(curve, 100)), (0.0, -10.0));
        }
    }
}
