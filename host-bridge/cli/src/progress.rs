//! Progress bars on a terminal, nothing elsewhere.

use deskhand_protocol::{Event, News};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;

const STEPS: u64 = 1000;

/// A bar on stderr that goes away when the work is done.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    /// A bar, invisible where stderr is no terminal.
    pub(crate) fn new(what: &str) -> Self {
        let bar = ProgressBar::new(STEPS);
        if !std::io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let style = ProgressStyle::with_template("{msg:40!} {bar:30} {percent:>3} %");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        bar.set_message(what.to_owned());
        Self(bar)
    }

    /// `fraction` (0 to 1) is done.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of 1000, clamped"
    )]
    pub(crate) fn set(&self, fraction: f64) {
        self.0
            .set_position((fraction.clamp(0.0, 1.0) * STEPS as f64) as u64);
    }

    /// Shows progress of the bridge.
    pub(crate) fn hear(&self, event: &Event) {
        if let News::Progress { fraction, what } = &event.news {
            self.0.set_message(what.clone());
            self.set(*fraction);
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
