//! Where waveforms come from: the application reads the peaks, the views draw them.

use deskhand_dsp::Frames;
use deskhand_session::SourceId;

/// What one column of pixels shows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Column {
    /// Largest absolute sample, 1.0 is full scale.
    pub peak: f32,
    /// Root of the mean square.
    pub rms: f32,
}

/// Gives columns of the waveform of a source.
pub trait Waves {
    /// `count` columns of `per_column` session frames each, from `start` in the source; none while they are
    /// not there yet. It must not wait: it is asked while a picture is drawn.
    fn columns(
        &self,
        source: SourceId,
        start: Frames,
        per_column: f64,
        count: usize,
    ) -> Option<Vec<Column>>;
}

/// No waveform at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWaves;

impl Waves for NoWaves {
    fn columns(&self, _: SourceId, _: Frames, _: f64, _: usize) -> Option<Vec<Column>> {
        None
    }
}
