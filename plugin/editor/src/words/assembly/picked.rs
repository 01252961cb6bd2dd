//! Phrases that are picked beside the chosen one, by Ctrl and a click, or all up to one by Shift: they are said to be
//! takes of one another.

use super::AssemblyView;
use crate::action::Action;
use crate::model::Scene;
use crate::words::takes;
use deskhand_session::PhraseId;
use egui::{Button, Modifiers, Response, Ui};
use serde_json::json;

/// How several are picked.
const HOW: &str = "Ctrl+click the other takes first, or Shift+click the last of them";
const MARK: &str = "Takes of one another";

impl AssemblyView {
    /// Whether a phrase is one of several that are picked.
    pub(super) fn is_picked(&self, id: PhraseId) -> bool {
        self.picked.len() > 1 && self.picked.contains(&id)
    }

    /// A row was clicked; says whether that was for it alone.
    pub(super) fn pick(
        &mut self,
        order: &[PhraseId],
        id: PhraseId,
        response: &Response,
        modifiers: Modifiers,
    ) -> bool {
        let chosen = self.chosen.filter(|chosen| order.contains(chosen));
        if response.secondary_clicked() {
            // The menu is for all of them, or for the row that it is opened on.
            if !self.is_picked(id) {
                self.picked.clear();
            }
            self.chosen = Some(id);
        } else if let (true, Some(chosen)) = (modifiers.shift, chosen) {
            let place = |of: PhraseId| order.iter().position(|known| *known == of).unwrap_or(0);
            let (from, to) = (place(chosen), place(id));
            let all = order.iter().take(from.max(to) + 1).skip(from.min(to));
            self.picked = all.copied().collect();
            return false;
        } else if modifiers.command {
            if self.picked.is_empty() {
                self.picked.extend(chosen);
            }
            if !self.picked.remove(&id) {
                self.picked.insert(id);
            }
            let is_in = self.picked.contains(&id);
            self.chosen = if is_in { Some(id) } else { self.picked.last().copied() };
            return false;
        } else {
            self.picked.clear();
            self.chosen = Some(id);
        }
        true
    }
}

/// The entry of the menu of a phrase; whether it was chosen.
pub(super) fn entry(ui: &mut Ui, picked: usize) -> bool {
    let is_on = picked > 1;
    let words = if is_on { format!("{MARK} ({picked})") } else { MARK.to_owned() };
    let response = ui.add_enabled(is_on, Button::new(words)).on_disabled_hover_text(HOW);
    if response.clicked() {
        ui.close();
    }
    response.clicked()
}

/// Asks for a plan that marks what is picked as takes of one another, of which the best plays.
pub(super) fn mark(
    scene: Scene<'_>,
    view: &mut AssemblyView,
    order: &[PhraseId],
    out: &mut Vec<Action>,
) {
    if scene.runs(&[takes::TOOL]) {
        return;
    }
    let ids: Vec<PhraseId> = order.iter().copied().filter(|id| view.picked.contains(id)).collect();
    view.picked.clear();
    let params = json!({"group_ids": ids});
    out.push(Action::Measure { tool: takes::TOOL.into(), params });
}
