//! Progress bars on a terminal, nothing elsewhere.

use deskhand_dsp::{Frames, SampleRate};
use deskhand_protocol::clean::plain_text;
use deskhand_protocol::{Event, News};
use deskhand_session::Provisional;
use deskhand_session::text;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::cell::RefCell;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

const STEPS: u64 = 1000;

/// Work that is done sooner shows no bar.
const PATIENCE: Duration = Duration::from_millis(300);

/// A bar on stderr that goes away when the work is done.
pub(crate) struct Bar {
    bar: ProgressBar,
    started: Instant,
    told: RefCell<Vec<String>>,
}

impl Bar {
    /// A bar, invisible at first, and for good where stderr is no terminal.
    pub(crate) fn new(what: &str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(STEPS), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{msg:40!} {bar:30} {percent:>3} %");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        bar.set_message(what.to_owned());
        Self { bar, started: Instant::now(), told: RefCell::default() }
    }

    fn appear(&self) {
        let is_due = self.bar.is_hidden() && self.started.elapsed() > PATIENCE;
        if is_due && std::io::stderr().is_terminal() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// `fraction` (0 to 1) is done.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of 1000, clamped"
    )]
    pub(crate) fn set(&self, fraction: f64) {
        self.appear();
        self.bar.set_position((fraction.clamp(0.0, 1.0) * STEPS as f64) as u64);
    }

    /// `fraction` (0 to 1) is done, and `what` is being worked on.
    pub(crate) fn show(&self, fraction: f64, what: &str) {
        self.bar.set_message(what.to_owned());
        self.set(fraction);
    }

    /// Shows progress of the bridge, and above it the findings, such as phrases of a transcription.
    pub(crate) fn hear(&self, event: &Event, rate: SampleRate) {
        match &event.news {
            News::Progress { fraction, what } => self.show(*fraction, what),
            News::Provisional { found } => self.found(found, rate),
            _ => {}
        }
    }

    /// Lines above the bar for findings with a length and a name; points are counted in the plan.
    pub(crate) fn found(&self, found: &[Provisional], rate: SampleRate) {
        let is_told = |one: &&Provisional| one.length > Frames::ZERO && !one.label.is_empty();
        for one in found.iter().filter(is_told) {
            let label = plain_text(&one.label).replace('\n', " ");
            self.bar.println(format!("  {}  {label}", text::clock(one.position, rate)));
            // Keep the line only if the bar is visible: nobody reads the lines of a hidden bar.
            if !self.bar.is_hidden() {
                self.told.borrow_mut().push(label);
            }
        }
    }

    /// The lines above the bar so far.
    pub(crate) fn told(&self) -> Vec<String> {
        self.told.take()
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
