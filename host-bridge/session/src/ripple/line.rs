//! Gain over time when time is removed or inserted: what is heard keeps its gain.

use super::Ripple;
use crate::change::Edit;
use crate::ids::{GroupId, TrackId};
use crate::session::Session;
use deskhand_dsp::volume::gain_at;
use deskhand_dsp::{Decibels, EnvelopePoint, Frames};
use std::ops::Range;

/// Gains that are closer than this are one, in dB.
const SAME_DB: f64 = 1e-9;

impl Ripple {
    /// A change of time, extended by the gain over time of `tracks`. What is heard keeps its gain. If two
    /// gains meet at a cut, one changes to the other over `ramp` after it. If a bend begins before a cut
    /// and ends after it, the rest is bent so that its middle and its end stay the same.
    #[must_use]
    pub fn with_lines(
        session: &Session,
        mut ripple: Edit<GroupId, Self>,
        tracks: &[TrackId],
        ramp: Frames,
    ) -> Edit<GroupId, Self> {
        let Edit { before, after, .. } = &mut ripple;
        (before.ramp, after.ramp) = (ramp, ramp);
        for id in tracks {
            let Some(track) = session.tracks.get(id) else { continue };
            let line = &track.envelope;
            if line.last().is_some_and(|last| last.position >= before.at) {
                let (named, then) = (before.named_of(line), before.on_side_of(line, after.length));
                before.lines.insert(*id, named);
                after.lines.insert(*id, then);
            }
        }
        if before.lines.is_empty() {
            (before.ramp, after.ramp) = (Frames::ZERO, Frames::ZERO);
        }
        ripple
    }

    /// Gain over time after `time` is removed: later sound keeps its gain, with a step where two gains
    /// meet.
    #[must_use]
    pub fn line_closed(line: &[EnvelopePoint], time: &Range<Frames>) -> Vec<EnvelopePoint> {
        let (at, length) = (time.start, time.end - time.start);
        let side = |length: Frames| Self { at, length, ..Self::default() };
        let (open, closed) = (side(length), side(Frames::ZERO));
        open.line_on(line, &closed, &open.on_side_of(line, Frames::ZERO))
    }

    /// The last frame at which this side names points of lines.
    fn line_end(&self) -> Frames {
        self.end() + self.ramp
    }

    /// The points of a line that this side names.
    pub(crate) fn named_of(&self, line: &[EnvelopePoint]) -> Vec<EnvelopePoint> {
        let is_named =
            |point: &&EnvelopePoint| self.at <= point.position && point.position <= self.line_end();
        line.iter().filter(is_named).copied().collect()
    }

    /// The points that replace this side's points of a line, if it has `length` of time.
    fn on_side_of(&self, line: &[EnvelopePoint], length: Frames) -> Vec<EnvelopePoint> {
        let named = self.named_of(line);
        if named.is_empty() && !is_sloped(line, self.at) {
            return Vec::new();
        }
        let (start, end) = (gain_ahead(line, self.at), gain_at(line, self.end()));
        let is_joint = length == Frames::ZERO && (start.0 - end.0).abs() < SAME_DB;
        let closes = length == Frames::ZERO && !is_joint;
        let goes_on = if closes { self.line_end() } else { self.end() };
        let shifted = |at: Frames| at + length - self.length;
        let first = EnvelopePoint { position: self.at, gain: start, curve: 0.0 };
        let second = EnvelopePoint {
            position: shifted(goes_on),
            gain: gain_at(line, goes_on),
            curve: rest_of_bend(line, goes_on),
        };
        let rest = named.into_iter().filter(|point| point.position > goes_on);
        let rest = rest.map(|it| EnvelopePoint { position: shifted(it.position), ..it });
        let first = (!is_joint).then_some(first);
        first.into_iter().chain([second]).chain(rest).collect()
    }

    /// A line after the change: the points of `after` replace this side's points, and later ones shift.
    pub(crate) fn line_on(
        &self,
        line: &[EnvelopePoint],
        after: &Self,
        named: &[EnvelopePoint],
    ) -> Vec<EnvelopePoint> {
        let shift = after.length - self.length;
        let ahead = line.iter().filter(|point| point.position < self.at);
        let behind = line.iter().filter(|point| point.position > self.line_end());
        let behind = behind.map(|it| EnvelopePoint { position: it.position + shift, ..*it });
        ahead.chain(named).copied().chain(behind).collect()
    }

    /// Whether all points of its lines are where this side may have them.
    pub(crate) fn holds_its_lines(&self) -> bool {
        let mut points = self.lines.values().flatten();
        points.all(|point| self.at <= point.position && point.position <= self.line_end())
    }
}

/// The gain that a line reaches from the left.
fn gain_ahead(line: &[EnvelopePoint], at: Frames) -> Decibels {
    let first = line.get(line.partition_point(|point| point.position < at));
    first.filter(|point| point.position == at).map_or_else(|| gain_at(line, at), |it| it.gain)
}

/// Whether the gain is between two points with different gains at this frame, without a point of its own.
fn is_sloped(line: &[EnvelopePoint], at: Frames) -> bool {
    let behind = line.partition_point(|point| point.position < at);
    let last = behind.checked_sub(1).and_then(|index| line.get(index));
    last.zip(line.get(behind)).is_some_and(|(last, next)| last.gain != next.gain)
}

/// The bend of the rest of the way to the next point: through the middle of it.
fn rest_of_bend(line: &[EnvelopePoint], from: Frames) -> f64 {
    let behind = line.partition_point(|point| point.position <= from);
    let last = behind.checked_sub(1).and_then(|index| line.get(index));
    let Some((last, next)) = last.zip(line.get(behind)) else { return 0.0 };
    if last.curve == 0.0 || last.position == from {
        return last.curve;
    }
    let (start, way) = (gain_at(line, from).0, next.position - from);
    let middle = gain_at(line, from + Frames(way.0 / 2)).0;
    let part = (middle - start) / (next.gain.0 - start);
    // In its middle a bend has gone 0.5^(2^(-2 curve)) of its way.
    let curve = -(-part.log2()).log2() / 2.0;
    if curve.is_finite() { curve.clamp(-1.0, 1.0) } else { 0.0 }
}
