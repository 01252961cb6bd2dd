//! The rows of a card as it lists them: filtered, scrolled, and gone to.

use super::cuts::Cuts;
use super::lines::Lines;
use deskhand_session::{Plan, Session};
use egui::Ui;

#[derive(Clone, Debug, Default)]
pub(crate) struct RowList {
    pub(crate) lines: Lines,
    pub(crate) filter: String,
    /// The row that was stepped to.
    pub(crate) current: Option<usize>,
    /// The row to bring into view.
    pub(super) wanted: Option<usize>,
    /// The row whose change the timeline should show.
    pub(crate) shown: Option<usize>,
    /// The row under the pointer, and the frame in which it was.
    under: Option<(usize, u64)>,
    /// Lines drawn in the last frame.
    pub(crate) drawn: usize,
}

impl RowList {
    /// Brings the lines up to date; `height` is that of a row.
    pub(super) fn settle(&mut self, plan: &Plan, cuts: &Cuts, session: &Session, height: f32) {
        self.lines.settle(plan, cuts, session, &self.filter, height);
    }

    /// Chooses a row and brings it into view, whatever the rows are filtered by.
    pub(crate) fn go_to(&mut self, row: usize) {
        (self.current, self.wanted) = (Some(row), Some(row));
        if !self.lines.has(row) {
            self.filter.clear();
        }
    }

    /// The row under the pointer, in this frame or the last. A card over the desk is drawn after it.
    pub(crate) fn pointed(&self, ui: &Ui) -> Option<usize> {
        let now = ui.ctx().cumulative_frame_nr();
        self.under.filter(|(_, frame)| frame + 1 >= now).map(|(row, _)| row)
    }

    pub(super) fn point_at(&mut self, ui: &Ui, row: usize) {
        let now = ui.ctx().cumulative_frame_nr();
        if self.pointed(ui) != Some(row) {
            ui.ctx().request_repaint();
        }
        self.under = Some((row, now));
    }
}
