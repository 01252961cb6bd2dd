//! The state of notices between frames.

use std::collections::BTreeMap;

/// What notices keep between frames.
#[derive(Default)]
pub(crate) struct ToastsView {
    /// Answers that are being typed.
    pub(super) answers: BTreeMap<String, String>,
    /// When notices that disappear by themselves were first shown, s.
    pub(super) since: BTreeMap<String, f64>,
    /// The answer field of the first question should get the keyboard.
    pub(crate) goes_to_question: bool,
    /// How tall all of them were in the last frame.
    pub(super) tall: f32,
}

impl ToastsView {
    /// Restarts the time of a notice that comes again, so that it stays as long as a new one.
    pub(crate) fn begins_anew(&mut self, notice_id: &str) {
        self.since.remove(notice_id);
    }
}
