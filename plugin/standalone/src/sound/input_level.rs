//! The input level, from the input's callback to the window.
//!
//! Thread: audio writes, window reads; nobody waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The largest absolute sample of both sides since somebody looked.
#[derive(Clone, Debug, Default)]
pub struct Incoming(Arc<[AtomicU32; 2]>);

impl Incoming {
    pub(super) fn note(&self, side: usize, peak: f32) {
        if let Some(known) = self.0.get(side).filter(|_| peak.is_finite()) {
            // The bits of numbers from 0 on are in their order.
            known.fetch_max(peak.abs().to_bits(), Ordering::Relaxed);
        }
    }

    /// Takes both values and resets them.
    #[must_use]
    pub fn take(&self) -> [f32; 2] {
        self.0.each_ref().map(|known| f32::from_bits(known.swap(0, Ordering::Relaxed)))
    }
}
