//! Where waveforms come from: the application reads the peaks, the views draw them.

use deskhand_dsp::Frames;
use deskhand_session::SourceId;

/// The values of one column of pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Column {
    /// Largest absolute sample, 1.0 is full scale.
    pub peak: f32,
    /// Root of the mean square.
    pub rms: f32,
}

/// Gives columns of the waveform of a source.
pub trait Waves {
    /// `count` columns of `per_column` session frames each, from `start` in the source; `None` while they
    /// are not there yet. It must not wait: it is called while a picture is drawn.
    fn columns(
        &self,
        source: SourceId,
        start: Frames,
        per_column: f64,
        count: usize,
    ) -> Option<Vec<Column>>;

    /// Whether columns are as fine as they are asked for by now. Those that are not are asked for again when they
    /// are.
    fn are_fine(&self, _source: SourceId, _start: Frames, _per_column: f64, _count: usize) -> bool {
        true
    }

    /// `count` samples of each channel from `start` in the source, at the session's rate. `None` if there
    /// are none, or not yet. It must not wait either.
    fn samples(&self, _source: SourceId, _start: Frames, _count: usize) -> Option<Vec<Vec<f32>>> {
        None
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct NoWaves;

impl Waves for NoWaves {
    fn columns(&self, _: SourceId, _: Frames, _: f64, _: usize) -> Option<Vec<Column>> {
        None
    }
}
