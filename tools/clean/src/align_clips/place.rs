//! Where corrected audio lies in its source: the straight line that undoes delay and drift.

use super::delay::Alignment;
use super::warp::{REACH, warp};
use deskhand_dsp::{FrameReader, Frames};
use deskhand_session::Clip;
use deskhand_toolkit::ToolError;
use deskhand_toolkit::audio::stretch;

/// Fractions below this many frames are left as they are.
const LEAST_FRACTION: f64 = 0.05;

/// Frame `n` of corrected audio is what the source has at `n * step + first`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    pub(super) first: f64,
    pub(super) step: f64,
    /// 1, or -1 where polarity is turned.
    pub(super) sign: f32,
}

/// How a clip is corrected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Correction {
    /// How far the clip moves to the left, in whole frames.
    pub(super) shift: Frames,
    /// What is resampled; `None` where moving is enough.
    pub(super) line: Option<Line>,
}

/// The correction of `clip`, whose alignment was measured from `from` on the timeline on.
pub(super) fn correction(clip: &Clip, from: Frames, found: Alignment) -> Correction {
    let at_start = found.shift((clip.position - from).0 as f64);
    let shift = Frames(at_start.round() as i64);
    let over_all = found.drift.abs() * clip.length.0 as f64;
    let drift = if over_all < 2.0 * LEAST_FRACTION { 0.0 } else { found.drift };
    let rest = at_start - shift.0 as f64;
    let sign = if found.correlation < 0.0 { -1.0 } else { 1.0 };
    let is_whole = rest.abs() < LEAST_FRACTION && drift == 0.0 && sign > 0.0;
    let rest = if rest.abs() < LEAST_FRACTION { 0.0 } else { rest * (1.0 + drift) };
    let first = rest - drift * clip.start.0 as f64;
    let line = Line { first, step: 1.0 + drift, sign };
    Correction { shift, line: (!is_whole).then_some(line) }
}

impl Line {
    /// How long a source of `frames` becomes.
    pub(super) fn length(self, frames: Frames) -> Frames {
        Frames(((frames.0 as f64 - self.first) / self.step).ceil() as i64).max(Frames(1))
    }

    /// Where a frame of the source is once it is corrected.
    pub(super) fn place_of(self, frame: Frames) -> Frames {
        Frames(((frame.0 as f64 - self.first) / self.step).round() as i64)
    }

    /// Corrected audio from `at` on.
    pub(super) fn read(
        self,
        source: &mut dyn FrameReader,
        at: Frames,
        count: usize,
    ) -> Result<Vec<Vec<f32>>, ToolError> {
        let place = at.0 as f64 * self.step + self.first;
        let from = Frames(place.floor() as i64 - REACH as i64);
        let needed = (count as f64 * self.step) as usize + 2 * REACH + 2;
        let planes = stretch(source, from, needed)?;
        let one = |plane: &Vec<f32>| {
            let mut out = warp(plane, place - from.0 as f64, self.step, count);
            out.iter_mut().for_each(|sample| *sample *= self.sign);
            out
        };
        Ok(planes.iter().map(one).collect())
    }
}
