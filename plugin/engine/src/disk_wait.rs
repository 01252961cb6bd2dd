//! Waiting for a disk thread in a host's offline render.
//!
//! Thread: audio, but never in real time: this waits.

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

use std::time::Duration;

/// How long one look at the disk thread's progress takes.
const LOOK: Duration = Duration::from_millis(1);
/// Looks before it is spent: ten seconds.
const LOOKS: usize = 10_000;

/// Patience for a disk thread. It is spent once: a disk that hangs costs a render ten seconds, not ten seconds for each
/// of its blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// How often it looks.
    looks: usize,
    /// Looks that are left.
    left: usize,
}

impl Default for Patience {
    fn default() -> Self {
        Self::of(LOOKS)
    }
}

impl Patience {
    /// Spent after this many checks.
    pub(crate) fn of(looks: usize) -> Self {
        Self { looks, left: looks }
    }

    /// A render starts over.
    pub(crate) fn renew(&mut self) {
        self.left = self.looks;
    }

    /// Whether a wait was in vain since the render began.
    pub(crate) fn is_spent(self) -> bool {
        self.left == 0
    }

    /// Waits until it is so; false when it does not become so in time. Once spent it looks and does not wait.
    pub(crate) fn wait(&mut self, mut is_so: impl FnMut() -> bool) -> bool {
        while !is_so() {
            let Some(left) = self.left.checked_sub(1) else { return false };
            self.left = left;
            std::thread::park_timeout(LOOK);
        }
        if !self.is_spent() {
            self.renew();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_spent_once_and_then_looks_without_waiting_until_it_is_renewed() {
        let mut patience = Patience::of(3);
        let mut looked = 0;
        let mut look_until = |patience: &mut Patience, end: usize| {
            looked = 0;
            let found = patience.wait(|| {
                looked += 1;
                looked > end
            });
            (found, looked)
        };
        assert_eq!(look_until(&mut patience, 2), (true, 3));
        assert_eq!(look_until(&mut patience, 2), (true, 3), "what came in time costs nothing");
        assert_eq!(look_until(&mut patience, 9), (false, 4));
        assert!(patience.is_spent());
        assert_eq!(look_until(&mut patience, 9), (false, 1));
        assert_eq!(look_until(&mut patience, 0), (true, 1), "what is there is taken");
        assert_eq!(look_until(&mut patience, 9), (false, 1));
        patience.renew();
        assert_eq!(look_until(&mut patience, 9), (false, 4));
    }
}
