//! What can be done with a code, as a menu.

use super::ask::remove;
use super::edit::{Naming, may_move, set};
use crate::action::{Action, Actions, Gesture, call};
use crate::coding::codebook::view::CodesView;
use crate::coding::coded::{color_of, stored};
use crate::coding::order::{in_order, indent};
use crate::kit::menu::{entry, entry_with_key, line, submenu};
use crate::theme::Theme;
use deskhand_session::{CodeId, Session};
use egui::{RichText, ScrollArea, Ui};
use serde_json::json;

pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    view: &mut CodesView,
    id: CodeId,
    out: &mut Actions,
) {
    if entry_with_key(ui, "Rename…", "F2") {
        view.naming = Some(Naming::of(id, session));
    }
    if entry(ui, "Describe…") {
        (view.chosen, view.about.description.is_wanted) = (Some(id), true);
    }
    if entry(ui, "Write a memo…") {
        (view.chosen, view.about.memo.is_wanted) = (Some(id), true);
    }
    if entry(ui, "New code under it…") {
        view.folded.remove(&id);
        view.naming = Some(Naming::under(id));
    }
    submenu(ui, "Color", |ui| color(ui, id, out));
    submenu(ui, "Move under", |ui| {
        if entry(ui, "Nothing: the top") {
            out.push(set(id, "parent", json!("")));
        }
        others(ui, session, |other| {
            may_move(session, id, other).then(|| set(id, "parent", json!(other)))
        })
        .into_iter()
        .for_each(|action| out.push(action));
    });
    submenu(ui, "Merge into", |ui| {
        let into = |other| {
            (other != id).then(|| call(Gesture::MergeCodes, json!({"from": id, "into": other})))
        };
        out.extend(others(ui, session, into));
    });
    line(ui);
    if entry_with_key(ui, "Remove", "Del") {
        remove(session, view, id, out);
    }
}

/// The codes to ask about. Returns the chosen question.
fn others(
    ui: &mut Ui,
    session: &Session,
    asked: impl Fn(CodeId) -> Option<Action>,
) -> Option<Action> {
    let theme = Theme::of(ui.visuals());
    let mut done = None;
    ScrollArea::vertical().max_height(280.0).show(ui, |ui| {
        for (other, depth) in in_order(session) {
            let Some(action) = asked(other) else { continue };
            let name = format!("{}{}", indent(depth), session.name_of(other.into()));
            let words = RichText::new(name).color(color_of(theme, session, other));
            if entry(ui, words) {
                done = Some(action);
            }
        }
    });
    done
}

fn color(ui: &mut Ui, id: CodeId, out: &mut Actions) {
    let names = ["Rose", "Lilac", "Clay", "Steel", "Sage", "Sand", "Mauve"];
    for (index, name) in names.into_iter().enumerate() {
        let theme = Theme::of(ui.visuals());
        if entry(ui, RichText::new(name).color(theme.hues[index].strong)) {
            out.push(set(id, "color", json!(stored(index))));
        }
    }
    if entry(ui, "As it comes") {
        out.push(set(id, "color", json!("")));
    }
}
