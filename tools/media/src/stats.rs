//! Counters of a reader: the samples that it had to replace.

use std::sync::atomic::{AtomicU64, Ordering};

/// What a reader replaced so far. Shared: the reader counts, its opener looks.
#[derive(Debug, Default)]
pub struct ReadStats {
    nonfinite: AtomicU64,
    damaged: AtomicU64,
}

impl ReadStats {
    /// Samples that were NaN or infinite and were read as 0.
    #[must_use]
    pub fn nonfinite(&self) -> u64 {
        self.nonfinite.load(Ordering::Relaxed)
    }

    /// Compressed packets, or runs of them, that could not be decoded and were read as silence.
    #[must_use]
    pub fn damaged(&self) -> u64 {
        self.damaged.load(Ordering::Relaxed)
    }

    pub(crate) fn add_nonfinite(&self, count: u64) {
        if count > 0 {
            self.nonfinite.fetch_add(count, Ordering::Relaxed);
        }
    }

    /// Takes over the totals that another process counted.
    pub(crate) fn raise(&self, nonfinite: u64, damaged: u64) {
        self.nonfinite.fetch_max(nonfinite, Ordering::Relaxed);
        self.damaged.fetch_max(damaged, Ordering::Relaxed);
    }

    pub(crate) fn add_damaged(&self, count: u64) {
        if count > 0 {
            self.damaged.fetch_add(count, Ordering::Relaxed);
        }
    }
}

/// The replaced parts, in words.
pub(crate) fn silenced(nonfinite: u64, damaged: u64) -> Vec<String> {
    let nonfinite = match nonfinite {
        0 => None,
        1 => Some("1 sample was no number and counts as silence".into()),
        n => Some(format!("{n} samples were no numbers and count as silence")),
    };
    let damaged = match damaged {
        0 => None,
        1 => Some("1 place is damaged and counts as silence".into()),
        n => Some(format!("{n} places are damaged and count as silence")),
    };
    nonfinite.into_iter().chain(damaged).collect()
}

/// Replaces every NaN and infinity by 0; returns how many there were.
pub(crate) fn make_finite(samples: &mut [f32]) -> u64 {
    let mut bad = 0u64;
    for sample in samples {
        let broken = !sample.is_finite();
        bad += u64::from(broken);
        *sample = if broken { 0.0 } else { *sample };
    }
    bad
}
