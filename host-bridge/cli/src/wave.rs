//! Waveforms in a line of text, from the peaks that were built when a source came in.

use deskhand_dsp::peaks::{Peak, PeakPyramid};
use deskhand_session::{Clip, Session, SourceId};
use deskhand_toolkit::{MeasurementCache, peaks};
use std::collections::BTreeMap;

/// Columns of a waveform.
const COLUMNS: usize = 32;
/// The bottom of the picture.
const FLOOR_DB: f64 = -48.0;
const BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Draws clips; each source's peaks are read once.
pub(crate) struct Waves<'a> {
    cache: &'a dyn MeasurementCache,
    known: BTreeMap<SourceId, Option<PeakPyramid>>,
}

impl<'a> Waves<'a> {
    pub(crate) fn new(cache: &'a dyn MeasurementCache) -> Self {
        Self { cache, known: BTreeMap::new() }
    }

    /// The peaks of a clip through its gain, from -48 dBFS to full scale; empty while not built yet.
    pub(crate) fn draw(&mut self, session: &Session, clip: &Clip) -> String {
        let Some(source) = session.sources.get(&clip.source) else {
            return String::new();
        };
        let cache = self.cache;
        let known = self.known.entry(clip.source).or_insert_with(|| peaks::known(cache, source));
        let Some(pyramid) = known else {
            return String::new();
        };
        let range = clip.start..clip.start + clip.length;
        let mut columns = vec![0f32; COLUMNS];
        for channel in 0..pyramid.channels() {
            let peaks = pyramid.columns(channel, range.clone(), COLUMNS);
            columns
                .iter_mut()
                .zip(&peaks)
                .for_each(|(column, peak)| *column = column.max(size(peak)));
        }
        columns.into_iter().map(|peak| bar(peak, clip.gain.0)).collect()
    }
}

fn size(peak: &Peak) -> f32 {
    peak.max.max(-peak.min)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share of eight, clamped"
)]
fn bar(peak: f32, gain_db: f64) -> char {
    let level = 20.0 * f64::from(peak).log10() + gain_db;
    let share = ((level - FLOOR_DB) / -FLOOR_DB).clamp(0.0, 1.0);
    let bar = (share * (BARS.len() - 1) as f64).round() as usize;
    BARS.get(bar).copied().unwrap_or(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_span_the_scale() {
        assert_eq!(bar(0.0, 0.0), ' ');
        assert_eq!(bar(1.0, 0.0), '█');
        assert_eq!(bar(1.0, -24.0), '▄');
        assert_eq!(bar(4.0, 12.0), '█');
    }
}
