//! Waveform peaks of sources, kept with the measurements.

use crate::cache::MeasurementCache;
use deskhand_dsp::FrameReader;
use deskhand_dsp::peaks::PeakPyramid;
use deskhand_media::MeasureError;
use deskhand_session::Source;
use deskhand_session::digest::digest;
use std::ops::ControlFlow;

/// Part of every key: change it when peaks would come out differently.
const ALGORITHM: u32 = 1;

/// The peaks of a source, if they were built before.
#[must_use]
pub fn known(cache: &dyn MeasurementCache, source: &Source) -> Option<PeakPyramid> {
    PeakPyramid::from_bytes(&cache.get(&key(source))?).ok()
}

/// Builds the peaks of a source that `reader` reads at the session rate, and keeps them.
///
/// # Errors
/// When the audio cannot be read, or `progress` stops it.
pub fn build(
    cache: &dyn MeasurementCache,
    source: &Source,
    reader: &mut dyn FrameReader,
    progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<(), MeasureError> {
    let peaks = deskhand_media::build_peaks(reader, progress)?;
    cache.put(&key(source), &peaks.to_bytes());
    Ok(())
}

/// Content, channel and length decide: the same file at another rate has other frames.
fn key(source: &Source) -> String {
    let of = ("peaks", ALGORITHM, &source.hash, source.channel, source.frames);
    digest(&of).trim_start_matches("blake3:").to_owned()
}
