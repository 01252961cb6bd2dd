//! Integrated loudness while audio passes, in a fixed amount of memory.

use super::gating::{ABSOLUTE, energy_at};
use crate::Lufs;

/// Energies of 100 ms in a gating block.
const BLOCK: usize = 4;
/// Bins of 0.1 LU from the absolute gate to +30 LUFS.
const BINS: usize = 1000;

/// BS.1770-5 with its gates, from the K-weighted energy of each 100 ms.
///
/// Blocks of 400 ms are sorted by loudness into bins of 0.1 LU that keep exact sums; only the bin
/// at the relative gate, 10 LU below the rest, is taken or left as a whole.
#[derive(Clone, Debug)]
pub struct LiveIntegrated {
    /// The last 400 ms; the newest last.
    last: [f64; BLOCK],
    tens: usize,
    bins: Vec<Bin>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Bin {
    blocks: u64,
    energy: f64,
}

impl Bin {
    fn joined(self, other: &Self) -> Self {
        Self { blocks: self.blocks + other.blocks, energy: self.energy + other.energy }
    }

    fn mean(self) -> Option<f64> {
        (self.blocks > 0).then(|| self.energy / self.blocks as f64)
    }
}

impl Default for LiveIntegrated {
    fn default() -> Self {
        Self { last: [0.0; BLOCK], tens: 0, bins: vec![Bin::default(); BINS] }
    }
}

impl LiveIntegrated {
    /// Takes the mean energy of the next 100 ms; see [`StripLoudness::hop`](super::StripLoudness).
    pub fn push(&mut self, energy: f32) {
        self.last.rotate_left(1);
        self.last[BLOCK - 1] = f64::from(energy);
        self.tens += 1;
        let block = self.last.iter().sum::<f64>() / BLOCK as f64;
        if self.tens < BLOCK || block <= energy_at(ABSOLUTE) {
            return;
        }
        let above = Lufs::from_energy(block).map_or(0.0, |Lufs(lufs)| lufs - ABSOLUTE);
        let bin = &mut self.bins[((above * 10.0) as usize).min(BINS - 1)];
        *bin = bin.joined(&Bin { blocks: 1, energy: block });
    }

    /// Loudness of everything so far; `None` when nothing was above the gates.
    #[must_use]
    pub fn loudness(&self) -> Option<Lufs> {
        let all = self.bins.iter().fold(Bin::default(), Bin::joined);
        let gate = all.mean()? / 10.0;
        let heard = self.bins.iter().filter(|bin| bin.mean().is_some_and(|mean| mean > gate));
        Lufs::from_energy(heard.fold(Bin::default(), Bin::joined).mean()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loudness::gating::Windows;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_agrees_with_the_measure_of_a_whole_file(
            levels in prop::collection::vec((-80f64..0.0, 1usize..60), 1..30),
        ) {
            let mut live = LiveIntegrated::default();
            let mut hops = Vec::new();
            for (lufs, tens) in levels {
                let energy = energy_at(lufs) as f32;
                for _ in 0..tens {
                    live.push(energy);
                    hops.extend([energy; 10]);
                }
            }
            let whole = Windows::new(&hops, 1.0).integrated();
            // The bin at the gate counts completely or not at all: the gate is accurate to a bin.
            let ends = [-0.1, 0.1].map(|off| gated(&hops, off));
            match (live.loudness(), whole, ends) {
                (Some(Lufs(live)), Some(Lufs(whole)), [Some(low), Some(high)]) => {
                    let least = low.min(high).min(whole) - 0.001;
                    let most = low.max(high).max(whole) + 0.001;
                    prop_assert!((least..=most).contains(&live), "{live} of {least} to {most}");
                }
                (live, whole, _) => prop_assert_eq!(live, whole),
            }
        }
    }

    /// BS.1770-5 of energies of 10 ms, with the relative gate `off` LU from its place.
    fn gated(hops: &[f32], off: f64) -> Option<f64> {
        let blocks = hops.windows(400 / 10).step_by(100 / 10);
        let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
        let blocks: Vec<f64> = blocks
            .map(|block| block.iter().map(|hop| f64::from(*hop)).sum::<f64>() / block.len() as f64)
            .filter(|energy| *energy > energy_at(ABSOLUTE))
            .collect();
        let gate = mean(&blocks) * 10f64.powf((off - 10.0) / 10.0);
        let above: Vec<f64> = blocks.into_iter().filter(|energy| *energy > gate).collect();
        Lufs::from_energy(mean(&above)).map(|Lufs(lufs)| lufs)
    }

    #[test]
    fn silence_and_less_than_a_block_have_no_loudness() {
        let mut live = LiveIntegrated::default();
        (0..100).for_each(|_| live.push(0.0));
        assert_eq!(live.loudness(), None);
        let mut short = LiveIntegrated::default();
        (0..3).for_each(|_| short.push(1.0));
        assert_eq!(short.loudness(), None);
        short.push(1.0);
        assert!(short.loudness().is_some_and(|Lufs(lufs)| (lufs + 0.691).abs() < 1e-6));
    }
}
