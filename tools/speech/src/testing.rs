//! For tests: a session to call the tools of this crate in, and what a call shows while it runs.

use deskhand_dsp::SampleRate;
use deskhand_session::Provisional;
use deskhand_toolkit::testing::Desk;
use deskhand_toolkit::{Draft, Progress};
use parking_lot::Mutex;

/// An empty session at this rate, in Hz.
pub(crate) fn desk_at(rate: u32) -> Desk {
    Desk::at(SampleRate(rate), crate::all())
}

/// Keeps the shown findings.
#[derive(Default)]
pub(crate) struct Shown(pub(crate) Mutex<Vec<Provisional>>);

impl Progress for Shown {
    fn report(&self, fraction: f64, _: &str) {
        assert!((0.0..=1.0).contains(&fraction));
    }

    fn provisional(&self, found: &[Provisional], _: &mut dyn FnMut() -> Draft) {
        self.0.lock().extend(found.iter().cloned());
    }
}
