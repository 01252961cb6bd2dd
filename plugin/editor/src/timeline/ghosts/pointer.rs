//! The pointer on ghosts: it highlights the rows of their card, and a click goes there.

use super::Ghosts;
use super::link::{Asked, GhostLink};
use super::numbers::numbers;
use crate::kit::Cx;
use egui::{Id, Rect, Role, Sense, Ui, WidgetInfo};

/// The most rows that one number's hint lists.
const TOLD: usize = 4;

/// A number of rows that is drawn.
pub(super) struct Handle {
    pub(super) rect: Rect,
    /// By their numbers, from 0.
    pub(super) rows: Vec<usize>,
    pub(super) words: String,
}

impl GhostLink {
    /// Takes the pointer of this frame.
    pub(super) fn take(
        &mut self,
        cx: &Cx<'_>,
        ghosts: &Ghosts<'_>,
        handles: &[Handle],
        lanes: Option<Id>,
    ) {
        let card = ghosts.card;
        let plan = card.stored.plan.id;
        let mut rows = Vec::new();
        for (place, handle) in handles.iter().enumerate() {
            let response =
                cx.interact(handle.rect, ("ghost", handle.rows.first(), place), Sense::CLICK);
            let name = handle.name();
            response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
            if response.hovered() {
                rows = ghosts.rows_of(&handle.rows);
            }
            if response.on_hover_ui(|ui| handle.tell(ui, ghosts)).clicked() {
                let number = handle.next(ghosts.current);
                let row = number.map(|number| card.view.ticks.cuts.row(number));
                self.asked = row.map(|row| Asked { plan, row, is_number: true });
            }
        }
        let on_lanes = lanes.and_then(|id| cx.ui.ctx().read_response(id));
        if let Some(response) = on_lanes.filter(|_| rows.is_empty())
            && let Some(at) = response.hover_pos()
            && let Some(row) = ghosts.at(at).map(|number| card.view.ticks.cuts.row(number))
        {
            rows.push(row);
            if response.clicked() {
                self.asked = Some(Asked { plan, row, is_number: false });
            }
        }
        let pointed = (!rows.is_empty()).then_some((plan, rows));
        if self.pointed != pointed {
            // The card was drawn before this.
            cx.ui.ctx().request_repaint();
            self.pointed = pointed;
        }
    }
}

impl Handle {
    fn name(&self) -> String {
        let what = if self.rows.len() == 1 { "Ghost of change" } else { "Ghosts of changes" };
        let words = if self.words.is_empty() { "" } else { ": " };
        format!("{what} {}{words}{}", numbers(&self.rows), self.words)
    }

    /// What its first rows say.
    fn tell(&self, ui: &mut Ui, ghosts: &Ghosts<'_>) {
        let changes = &ghosts.card.stored.plan.changes;
        let cuts = &ghosts.card.view.ticks.cuts;
        let rows = self.rows.iter();
        let rows = rows.filter_map(|number| Some((number, changes.get(cuts.row(*number))?)));
        for (number, planned) in rows.take(TOLD) {
            let words = cuts.told(planned, ghosts.session).in_full();
            ui.label(format!("{}. {words}", number + 1));
        }
        if self.rows.len() > TOLD {
            ui.label(format!("and {} more", self.rows.len() - TOLD));
        }
    }

    /// The one that a click chooses: the first, then the next.
    fn next(&self, chosen: Option<usize>) -> Option<usize> {
        let at = self.rows.iter().position(|row| chosen == Some(*row));
        let next = at.and_then(|at| self.rows.get((at + 1) % self.rows.len()));
        next.or(self.rows.first()).copied()
    }
}

impl Ghosts<'_> {
    /// The rows of some numbers, by their places in the plan.
    fn rows_of(&self, numbers: &[usize]) -> Vec<usize> {
        numbers.iter().map(|number| self.card.view.ticks.cuts.row(*number)).collect()
    }

    /// The number of the row whose ghost is at a point; of several the smallest one.
    fn at(&self, at: egui::Pos2) -> Option<usize> {
        let spots = self.spots.borrow();
        let here = spots.iter().filter(|(rect, _)| rect.contains(at));
        here.min_by(|(a, _), (b, _)| a.area().total_cmp(&b.area())).map(|(_, row)| *row)
    }
}

#[cfg(test)]
mod tests;
