//! Whether a card has the keyboard, and how long it has been in view.

use egui::{Id, Ui};

/// How long a card must have been in full view before its key applies, seconds.
const SEEN: f64 = 0.5;

/// Whether a card has the keyboard, and how long it has been in view.
#[derive(Clone, Debug, Default)]
pub(crate) struct Focus {
    /// The card should get the keyboard, because the control that had it is gone.
    pub(crate) takes_keyboard: bool,
    /// The card or one of its controls has the keyboard: the person is at it.
    pub(crate) had_focus: bool,
    /// The card itself, when it has the keyboard.
    pub(crate) whole: Option<Id>,
    /// The frame in which it was drawn last.
    drawn_in: Option<u64>,
    in_view_since: Option<f64>,
}

impl Focus {
    /// Whether the card itself has the keyboard, and not one of its controls.
    pub(super) fn is_focused(&self, ui: &Ui) -> bool {
        self.whole.is_some() && self.whole == ui.memory(egui::Memory::focused)
    }

    /// Whether the card was drawn in the last frame too. If not, the known focus and time in view are out
    /// of date.
    pub(super) fn stands(&mut self, ui: &Ui) -> bool {
        let now = ui.ctx().cumulative_frame_nr();
        let last = self.drawn_in.replace(now);
        last.is_none_or(|last| last + 1 >= now)
    }

    /// Whether the card has been in full view long enough.
    pub(super) fn is_seen(&mut self, is_in_view: bool, now: f64) -> bool {
        if !is_in_view {
            self.in_view_since = None;
            return false;
        }
        now - *self.in_view_since.get_or_insert(now) >= SEEN
    }
}
