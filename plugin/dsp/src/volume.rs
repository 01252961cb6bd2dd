//! Gain over time: the points of a volume envelope, on the timeline or along a source.

use crate::sum::apply_gain;
use crate::{Decibels, Frames};
use serde::{Deserialize, Serialize};
use std::f64::consts::LN_10;
use std::ops::Range;

/// A point of a volume envelope. Before the first point its gain holds; after the last point, the last gain
/// does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnvelopePoint {
    /// The position. Points are in order; two points at one position are a step.
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

/// Multiplies `out` (one slice per channel), whose first frame is at `at`, by the gain of an envelope.
/// Every factor is a closed form of its frame, so audio is bit-equal for any split into blocks.
pub fn apply(points: &[EnvelopePoint], at: Frames, out: &mut [&mut [f32]]) {
    let length = out.iter().map(|channel| channel.len()).max().unwrap_or(0);
    if points.is_empty() {
        return;
    }
    let mut done = 0;
    while done < length {
        let from = at + Frames::from_index(done);
        let behind = points.partition_point(|point| point.position <= from);
        let (last, next) = (behind.checked_sub(1).and_then(|i| points.get(i)), points.get(behind));
        let left = next.map_or(usize::MAX, |next| (next.position - from).index());
        let end = done.saturating_add(left).min(length);
        match (last, next) {
            (Some(last), Some(next)) if last.gain != next.gain => {
                move_over(last, next, from, done..end, out);
            }
            (Some(flat), _) | (None, Some(flat)) => {
                let gain = flat.gain.amplitude() as f32;
                for channel in out.iter_mut() {
                    let end = end.min(channel.len());
                    apply_gain(channel.get_mut(done..end).unwrap_or_default(), gain);
                }
            }
            (None, None) => return,
        }
        done = end;
    }
}

/// How many factors are computed at once, for all channels.
const GROUP: usize = 64;

fn move_over(
    last: &EnvelopePoint,
    next: &EnvelopePoint,
    at: Frames,
    range: Range<usize>,
    out: &mut [&mut [f32]],
) {
    let mut factors = [0f32; GROUP];
    for first in range.clone().step_by(GROUP) {
        let length = GROUP.min(range.end - first);
        let frame = at.0 + Frames::from_index(first - range.start).0;
        for (n, factor) in (frame..).zip(&mut factors[..length]) {
            // As `Decibels::amplitude`, but several times as fast, for it is asked once a frame.
            *factor = (between(last, next, Frames(n)).0 * (LN_10 / 20.0)).exp() as f32;
        }
        for channel in out.iter_mut() {
            let part = channel.get_mut(first..).unwrap_or_default();
            for (sample, factor) in part.iter_mut().zip(&factors[..length]) {
                *sample *= factor;
            }
        }
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
    use proptest::prelude::*;

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

    proptest! {
        #[test]
        fn audio_is_multiplied_by_the_gain_of_its_frame_for_any_split(
            gaps in prop::collection::vec((0i64..200, -60f64..12.0, -1f64..1.0), 0..8),
            at in -50i64..400,
            cut in 0usize..300,
        ) {
            let mut position = 0;
            let points: Vec<_> = gaps
                .into_iter()
                .map(|(gap, gain, curve)| {
                    position += gap;
                    point(position, gain, curve)
                })
                .collect();
            let mut whole = [vec![1f32; 300], vec![-0.5; 300]];
            let mut parts = whole.clone();
            let [left, right] = &mut whole;
            apply(&points, Frames(at), &mut [left, right]);
            let [left, right] = &mut parts;
            apply(&points, Frames(at), &mut [&mut left[..cut], &mut right[..cut]]);
            let behind = Frames(at) + Frames::from_index(cut);
            apply(&points, behind, &mut [&mut left[cut..], &mut right[cut..]]);
            prop_assert_eq!(&whole, &parts);
            for (n, sample) in (at..).zip(&whole[0]) {
                let expected = gain_at(&points, Frames(n)).amplitude();
                prop_assert!((f64::from(*sample) - expected).abs() <= 1e-6 * expected);
            }
        }
    }
}
