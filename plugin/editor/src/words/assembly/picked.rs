//! Phrases that are picked besides the chosen one. Ctrl and a click, or Space, picks one. Shift with a
//! click or the arrows picks all up to one. Picked phrases move together, are removed together, or are
//! marked as takes of one another.

use crate::action::{Actions, Gesture};
use crate::kit::menu;
use crate::scene::Scene;
use crate::words::assembly::view::AssemblyView;
use crate::words::calls::find_takes;
use deskhand_session::PhraseId;
use egui::{Key, Modifiers, Response, Ui};
use serde_json::json;

const HOW: &str = "Pick the other takes first: one more by Ctrl+click or Space, all up to one by \
                   Shift+click or Shift and the arrows";
const MARK: &str = "Takes of one another";

impl AssemblyView {
    /// Whether a phrase is one of several that are picked.
    pub(super) fn is_picked(&self, id: PhraseId) -> bool {
        self.picked.len() > 1 && self.picked.contains(&id)
    }

    /// A phrase, and all that are picked with it, in their order.
    pub(super) fn all_with(&self, order: &[PhraseId], id: PhraseId) -> Vec<PhraseId> {
        order.iter().copied().filter(|known| self.goes_with(id, *known)).collect()
    }

    /// The places of the first and of the last of these.
    pub(super) fn ends(&self, order: &[PhraseId], id: PhraseId) -> (usize, usize) {
        let goes = |known: &PhraseId| self.goes_with(id, *known);
        let (first, last) = (order.iter().position(goes), order.iter().rposition(goes));
        (first.unwrap_or(0), last.unwrap_or(0))
    }

    fn goes_with(&self, id: PhraseId, other: PhraseId) -> bool {
        other == id || self.is_picked(id) && self.picked.contains(&other)
    }

    /// A row was clicked; says whether that was for it alone.
    pub(super) fn pick(
        &mut self,
        order: &[PhraseId],
        id: PhraseId,
        response: &Response,
        modifiers: Modifiers,
    ) -> bool {
        if response.secondary_clicked() {
            self.take_up(id);
        } else if modifiers.shift && self.anchor(order).is_some() {
            self.pick_to(order, id);
            return false;
        } else if modifiers.command {
            self.toggle(order, id);
            return false;
        } else {
            self.picked.clear();
            self.chosen = Some(id);
        }
        true
    }

    /// The next action applies to all picked phrases, or to a phrase outside them.
    pub(super) fn take_up(&mut self, id: PhraseId) {
        if !self.is_picked(id) {
            self.picked.clear();
        }
        self.chosen = Some(id);
    }

    /// The one that is chosen, where it plays.
    fn anchor(&self, order: &[PhraseId]) -> Option<PhraseId> {
        self.chosen.filter(|chosen| order.contains(chosen))
    }

    /// Picks all from the chosen phrase to another one.
    fn pick_to(&mut self, order: &[PhraseId], id: PhraseId) {
        let place = |of: PhraseId| order.iter().position(|known| *known == of).unwrap_or(0);
        let (from, to) = (place(self.anchor(order).unwrap_or(id)), place(id));
        let all = order.iter().take(from.max(to) + 1).skip(from.min(to));
        self.picked = all.copied().collect();
    }

    /// Adds a phrase to the picked ones, or removes it.
    fn toggle(&mut self, order: &[PhraseId], id: PhraseId) {
        if self.picked.is_empty() {
            let anchor = self.anchor(order);
            self.picked.extend(anchor);
        }
        if !self.picked.remove(&id) {
            self.picked.insert(id);
        }
        let is_in = self.picked.contains(&id);
        self.chosen = if is_in { Some(id) } else { self.picked.last().copied() };
    }

    /// The keys that pick where the keyboard is, and stay there; whether one did.
    pub(super) fn pick_by_key(&mut self, ui: &Ui, order: &[PhraseId], id: PhraseId) -> bool {
        let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
        if pressed(Modifiers::NONE, Key::Space) || pressed(Modifiers::COMMAND, Key::Space) {
            self.toggle(order, id);
        } else if pressed(Modifiers::COMMAND, Key::A) {
            self.chosen = self.anchor(order).or(Some(id));
            self.picked = order.iter().copied().collect();
        } else if !self.picked.is_empty() && pressed(Modifiers::NONE, Key::Escape) {
            self.picked.clear();
        } else {
            return false;
        }
        true
    }

    /// The keyboard moves from a phrase to another one, and selects all between.
    pub(super) fn pick_on(&mut self, order: &[PhraseId], from: PhraseId, to: PhraseId) {
        if !self.is_picked(from) {
            self.take_up(from);
        }
        self.pick_to(order, to);
    }
}

/// The entry of the menu of a phrase; whether it was chosen.
pub(super) fn entry(ui: &mut Ui, picked: usize) -> bool {
    let is_on = picked > 1;
    let words = if is_on { format!("{MARK} ({picked})") } else { MARK.to_owned() };
    menu::entry_unless(ui, words, "", (!is_on).then_some(HOW))
}

/// Asks for a plan that marks the picked phrases as takes of one another; the best one plays.
pub(super) fn mark(
    scene: Scene<'_>,
    view: &mut AssemblyView,
    order: &[PhraseId],
    out: &mut Actions,
) {
    if scene.runs(&[Gesture::MarkTakes]) {
        return;
    }
    let ids: Vec<PhraseId> = order.iter().copied().filter(|id| view.picked.contains(id)).collect();
    view.picked.clear();
    let params = json!({"group_ids": ids});
    out.push(find_takes(params));
}
