//! Windows and gates over energies of 10 ms: BS.1770-5 annex 1, Tech 3341, Tech 3342.

use crate::Lufs;

/// Hops of 10 ms in a gating block of 400 ms, in its step, and in a short-term window of 3 s.
const BLOCK: usize = 40;
const STEP: usize = 10;
const SHORT_TERM: usize = 300;

/// The absolute gate, in LUFS.
pub(super) const ABSOLUTE: f64 = -70.0;

/// The energy that reads as `lufs`: the inverse of [`Lufs::from_energy`].
pub(super) fn energy_at(lufs: f64) -> f64 {
    10f64.powf((lufs + 0.691) / 10.0)
}

/// The loudness of the last `hops` energies, with silence before the first.
pub(super) fn window_loudness(energies: &[f32], hops: usize) -> Option<Lufs> {
    let window = &energies[energies.len().saturating_sub(hops)..];
    Lufs::from_energy(window.iter().map(|e| f64::from(*e)).sum::<f64>() / hops as f64)
}

/// Energies of 10 ms with a gain, summed up for all the windows that are cut from them.
pub(super) struct Windows {
    /// `sums[n]` is the sum of the first `n` energies.
    sums: Vec<f64>,
    /// Sums of ten: 100 ms, as many as are complete.
    tens: Vec<f64>,
}

impl Windows {
    /// `power` is the gain as a power factor; it comes before every gate.
    pub(super) fn new(energies: &[f32], power: f64) -> Self {
        let mut sum = 0.0;
        let scaled = energies.iter().map(|energy| {
            sum += f64::from(*energy) * power;
            sum
        });
        let sums = std::iter::once(0.0).chain(scaled).collect();
        let tens = energies.chunks_exact(STEP);
        let ten = |ten: &[f32]| ten.iter().map(|e| f64::from(*e) * power).sum();
        Self { sums, tens: tens.map(ten).collect() }
    }

    /// The loudest window of `hops`, at each 10 ms; audio shorter than the window is taken with
    /// silence around it, as a meter shows it that starts and ends in silence.
    fn loudest(&self, hops: usize) -> Option<Lufs> {
        let last = self.sums.len().saturating_sub(1);
        let windows = (1..=last).map(|end| self.sums[end] - self.sums[end.saturating_sub(hops)]);
        Lufs::from_energy(windows.fold(0.0, f64::max) / hops as f64)
    }

    /// Maximum momentary loudness (400 ms).
    pub(super) fn max_momentary(&self) -> Option<Lufs> {
        self.loudest(BLOCK)
    }

    /// Maximum short-term loudness (3 s).
    pub(super) fn max_short_term(&self) -> Option<Lufs> {
        self.loudest(SHORT_TERM)
    }

    /// Mean energies of the complete windows of `hops`, one per 100 ms.
    fn stepped(&self, hops: usize) -> impl Iterator<Item = f64> {
        let windows = self.tens.windows(hops / STEP);
        windows.map(move |tens| tens.iter().sum::<f64>() / hops as f64)
    }

    /// Integrated loudness. Takes blocks of 400 ms every 100 ms, keeps those above -70 LUFS, then those
    /// above the mean of these less 10 LU. `None` if no block is left.
    pub(super) fn integrated(&self) -> Option<Lufs> {
        let blocks: Vec<f64> = self.stepped(BLOCK).collect();
        let heard = mean_above(&blocks, energy_at(ABSOLUTE))?;
        let gate = (heard / 10.0).max(energy_at(ABSOLUTE));
        Lufs::from_energy(mean_above(&blocks, gate)?)
    }

    /// Loudness range, Tech 3342: windows of 3 s each 100 ms, above -70 LUFS and above their mean
    /// less 20 LU; from the 10th to the 95th percentile. `None` when no window is left.
    pub(super) fn range(&self) -> Option<f64> {
        let windows: Vec<f64> = self.stepped(SHORT_TERM).collect();
        let gate = (mean_above(&windows, energy_at(ABSOLUTE))? / 100.0).max(energy_at(ABSOLUTE));
        let mut heard: Vec<f64> = windows.into_iter().filter(|e| *e > gate).collect();
        heard.sort_by(f64::total_cmp);
        let last = heard.len().checked_sub(1)?;
        let low = heard[(last as f64 * 0.10).round() as usize];
        let high = heard[(last as f64 * 0.95).round() as usize];
        Some(10.0 * (high / low).log10())
    }
}

fn mean_above(energies: &[f64], gate: f64) -> Option<f64> {
    let mut heard = (0.0, 0u64);
    for energy in energies.iter().filter(|energy| **energy > gate) {
        heard = (heard.0 + energy, heard.1 + 1);
    }
    (heard.1 > 0).then(|| heard.0 / heard.1 as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_has_no_loudness() {
        let empty = Windows::new(&[], 1.0);
        assert_eq!(empty.max_momentary(), None);
        assert_eq!(empty.integrated(), None);
        assert_eq!(empty.range(), None);
        assert_eq!(window_loudness(&[], 40), None);
    }

    #[test]
    fn audio_shorter_than_a_block_has_a_momentary_value_only() {
        let short = Windows::new(&[1.0; 20], 1.0);
        assert_eq!(short.integrated(), None);
        let momentary = short.max_momentary().unwrap();
        assert!((momentary.0 - (-0.691 - 3.0103)).abs() < 1e-3);
    }

    #[test]
    fn the_absolute_gate_stands_after_the_gain() {
        let quiet = [energy_at(-75.0) as f32; 100];
        assert_eq!(Windows::new(&quiet, 1.0).integrated(), None);
        let louder = Windows::new(&quiet, 10.0).integrated().unwrap();
        assert!((louder.0 + 65.0).abs() < 1e-3);
    }
}
