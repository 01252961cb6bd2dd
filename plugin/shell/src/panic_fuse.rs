//! A part of an instance that stops working after it panicked.
//!
//! Thread: audio

#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_types,
        clippy::disallowed_methods,
        clippy::disallowed_macros,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable
    )
)]

use crate::guard::{Entry, Faults, caught};

/// A part that panicked would panic again in every block, and the audio thread cannot free it. So it stops
/// until the host starts playback again. It is rebuilt when the host activates the instance.
#[derive(Debug)]
pub(crate) struct Fused<T> {
    part: Option<T>,
    is_blown: bool,
}

impl<T> Default for Fused<T> {
    fn default() -> Self {
        Self::new(None)
    }
}

impl<T> Fused<T> {
    /// A part, or nothing.
    pub(crate) fn new(part: Option<T>) -> Self {
        Self { part, is_blown: false }
    }

    /// Runs it where it is there and whole; false where it panicked just now.
    pub(crate) fn run(&mut self, faults: &Faults, body: impl FnOnce(&mut T)) -> bool {
        let Some(part) = self.part.as_mut().filter(|_| !self.is_blown) else { return true };
        self.is_blown = caught(Entry::Process, faults, || body(part)).is_none();
        !self.is_blown
    }

    /// Whether it is there and was not broken.
    pub(crate) fn is_whole(&self) -> bool {
        self.part.is_some() && !self.is_blown
    }

    /// It is tried again.
    pub(crate) fn mend(&mut self) {
        self.is_blown = false;
    }

    /// Gives it back, to be freed elsewhere.
    pub(crate) fn take(&mut self) -> Option<T> {
        self.is_blown = false;
        self.part.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_panicked_is_left_alone_until_it_is_made_anew() {
        let faults = Faults::default();
        let mut part = Fused::new(Some(0));
        assert!(part.run(&faults, |count| *count += 1) && part.is_whole());
        assert!(!part.run(&faults, |_| panic!("planted")));
        assert_eq!(faults.latest(), Some(Entry::Process));
        assert!(part.run(&faults, |count| *count += 1), "it is not run again");
        assert!(!part.is_whole());
        part.mend();
        assert!(part.run(&faults, |count| *count += 1) && part.is_whole());
        assert_eq!(part.take(), Some(2));
        assert!(!part.is_whole());
    }
}
