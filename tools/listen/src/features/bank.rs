//! The filter banks: triangles a quarter tone apart, and bands of a quarter octave for the timbre.

use super::BANDS;

/// Lowest and highest center of the quarter-tone filters, Hz.
const LOW_HZ: f64 = 30.0;
const HIGH_HZ: f64 = 16_000.0;
/// Filters an octave.
const PER_OCTAVE: f64 = 24.0;
/// Lowest edge of the timbre bands, Hz.
const TIMBRE_HZ: f64 = 40.0;

/// A filter: its first bin and its weights.
struct Filter {
    first: usize,
    weights: Vec<f32>,
}

/// Triangular filters, and how many of them lie below 160 Hz.
pub(super) struct Bank {
    filters: Vec<Filter>,
    pub(super) low: usize,
}

impl Bank {
    /// Filters for spectra of `bins` bins that are `bin_hz` apart. Centers that fall on one bin are one filter.
    pub(super) fn new(bins: usize, bin_hz: f64) -> Self {
        let count = (PER_OCTAVE * (HIGH_HZ / LOW_HZ).log2()) as usize;
        let hz = |i: usize| LOW_HZ * (i as f64 / PER_OCTAVE).exp2();
        let mut centers: Vec<usize> =
            (0..=count).map(|i| (hz(i) / bin_hz).round() as usize).collect();
        centers.retain(|bin| *bin > 0 && *bin < bins);
        centers.dedup();
        let filters: Vec<Filter> = centers.windows(3).map(triangle).collect();
        let low = centers.iter().filter(|bin| (**bin as f64 * bin_hz) < 160.0).count();
        Self { low: low.saturating_sub(1).min(filters.len()), filters }
    }

    /// The number of filters.
    pub(super) fn len(&self) -> usize {
        self.filters.len()
    }

    /// The magnitude in each filter.
    pub(super) fn apply(&self, magnitudes: &[f32], out: &mut [f32]) {
        for (filter, out) in self.filters.iter().zip(out) {
            let bins = magnitudes.get(filter.first..).unwrap_or_default();
            *out = bins.iter().zip(&filter.weights).map(|(m, w)| m * w).sum();
        }
    }
}

fn triangle(edges: &[usize]) -> Filter {
    let (start, center, end) = (edges[0], edges[1], edges[2]);
    let up = (start + 1..=center).map(|bin| (bin - start) as f32 / (center - start) as f32);
    let down = (center + 1..end).map(|bin| (end - bin) as f32 / (end - center) as f32);
    Filter { first: start + 1, weights: up.chain(down).collect() }
}

/// First bin of each timbre band, and the end of the last.
pub(super) fn timbre_edges(bins: usize, bin_hz: f64) -> Vec<usize> {
    let edge = |i: usize| (TIMBRE_HZ * (i as f64 / 4.0).exp2() / bin_hz).round() as usize;
    (0..=BANDS).map(|i| edge(i).clamp(1, bins)).collect()
}
