//! The tree of codes: chosen by a click, folded, named in place, moved by dragging one onto another.

#[cfg(test)]
mod tests;

use super::ask::remove;
use super::edit::{Naming, may_move, set};
use super::{ask, menu};
use crate::action::{Action, Actions, Gesture, call};
use crate::coding::codebook::view::CodesView;
use crate::coding::coded::{color_of, fresh};
use crate::coding::order::key_of;
use crate::icons;
use crate::kit::controls::hint;
use crate::kit::name_field::Typed;
use crate::kit::{Cut, Cx, context};
use crate::scene::Scene;
use crate::theme::{Type, radius, space};
use deskhand_session::{CodeId, Session};
use egui::{
    EventFilter, Key, Modifiers, Pos2, Rect, Response, Role, ScrollArea, Sense, Ui, UiBuilder,
    WidgetInfo, pos2, vec2,
};
use serde_json::json;
use std::collections::BTreeSet;
use std::ops::Range;

const ROW: f32 = 28.0;
const STEP: f32 = 18.0;
/// How long a new code is waited for, seconds.
const PATIENCE: f64 = 10.0;
/// Room before a code for the arrow that folds its children.
const FOLD: f32 = 24.0;

/// The codes without those under a folded one.
pub(super) fn unfolded(
    codes: Vec<(CodeId, usize)>,
    folded: &BTreeSet<CodeId>,
) -> Vec<(CodeId, usize)> {
    let mut under = None;
    let is_left = |(id, depth): &(CodeId, usize)| {
        if under.is_some_and(|top| *depth > top) {
            return false;
        }
        under = folded.contains(id).then_some(*depth);
        true
    };
    codes.into_iter().filter(is_left).collect()
}

pub(super) fn show(
    ui: &mut Ui,
    scene: Scene<'_>,
    view: &mut CodesView,
    (codes, hits): (&[(CodeId, usize)], &BTreeSet<CodeId>),
    rect: Rect,
    out: &mut Actions,
) {
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect.pad(4.0, 4.0)).id_salt("codes"));
    child.spacing_mut().item_spacing.y = 0.0;
    let makes = view.naming.as_ref().is_some_and(|naming| naming.code.is_none());
    let count = codes.len() + usize::from(makes);
    let mut area = ScrollArea::vertical().id_salt("codes").auto_shrink(false);
    if makes && view.naming.as_ref().is_some_and(|naming| naming.field.is_new()) {
        area = area.vertical_scroll_offset((count as f32 * ROW - rect.height()).max(0.0));
    }
    area.show_rows(&mut child, ROW, count, |ui, range| {
        bring(ui, view, codes, &range);
        for index in range {
            let size = vec2(ui.available_width(), ROW);
            let (row, _) = ui.allocate_exact_size(size, Sense::hover());
            match codes.get(index) {
                Some((id, _)) => {
                    let code = (codes, index, hits.contains(id));
                    one(ui, scene, view, code, row, out);
                }
                None => field(ui, scene.session, view, row, out),
            }
        }
    });
    // A drop next to the codes moves to the top of the codebook.
    let free = Rect::from_min_max(pos2(rect.left(), rect.top() + count as f32 * ROW), rect.max);
    if free.is_positive() {
        let below = ui.interact(free, ui.scope_id().with("top of the codebook"), Sense::hover());
        if let Some(id) = below.dnd_release_payload::<CodeId>() {
            out.push(set(*id, "parent", json!("")));
        }
    }
}

/// Scrolls to the code that should get the keyboard.
fn bring(ui: &Ui, view: &mut CodesView, codes: &[(CodeId, usize)], shown: &Range<usize>) {
    let Some(wanted) = view.goes_to else { return };
    match codes.iter().position(|(id, _)| *id == wanted) {
        None => view.goes_to = None,
        Some(index) => {
            let down = (index as f32 - shown.start as f32) * ROW;
            let size = vec2(ui.available_width(), ROW);
            let row = Rect::from_min_size(ui.max_rect().left_top() + vec2(0.0, down), size);
            ui.scroll_to_rect(row, None);
        }
    }
}

fn one(
    ui: &mut Ui,
    scene: Scene<'_>,
    view: &mut CodesView,
    (codes, index, is_hit): (&[(CodeId, usize)], usize, bool),
    row: Rect,
    out: &mut Actions,
) {
    let Some((id, depth)) = codes.get(index).copied() else { return };
    if view.naming.as_ref().is_some_and(|naming| naming.code == Some(id)) {
        return field(ui, scene.session, view, row, out);
    }
    if view.removes == Some(id) {
        return ask::show(ui, scene.session, view, id, row, out);
    }
    let cx = Cx::new(ui);
    let session = scene.session;
    let response = cx.interact(row, ("code", id), Sense::click_and_drag());
    frame(&cx, session, view, id, row, &response);
    let x = row.left() + FOLD + STEP * depth as f32;
    fold(&cx, session, view, id, pos2(x - FOLD / 2.0, row.center().y));
    let middle = row.center().y;
    cx.p.circle_filled(pos2(x + 4.0, middle), 5.0, color_of(cx.t, session, id));
    let count = view.count(id).to_string();
    let number = cx.right(row.right_mid(space::M), &count, Type::SMALL, cx.t.text_3);
    let left = x + 18.0;
    // A code shown only because of its children is dimmed.
    let color = if is_hit { cx.t.text } else { cx.t.text_3 };
    let name = session.name_of(id.into());
    cx.elided(pos2(left, middle), &name, Type::BODY, color, number.left() - left - 8.0);
    if view.goes_to == Some(id) {
        view.goes_to = None;
        response.request_focus();
    }
    cx.ring(&response, row.shrink(3.0), radius::CONTROL);
    drop(cx);
    took(scene, view, id, &response, out);
    let filter =
        EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    if context::has_keys(&response, filter) && !response.gained_focus() {
        keys(ui, scene, view, (codes, index), out);
    }
    tell(session, id, &response);
    context::menu(&response, row).show(|ui| menu::show(ui, session, view, id, out));
}

/// The frame of a code: it is chosen, under the pointer, or a drop target.
fn frame(
    cx: &Cx<'_>,
    session: &Session,
    view: &CodesView,
    id: CodeId,
    row: Rect,
    response: &Response,
) {
    let is_chosen = view.chosen == Some(id);
    let words = format!("Code {}, {} coded", session.name_of(id.into()), view.count(id));
    response.widget_info(|| WidgetInfo::selected(Role::TreeItem, true, is_chosen, &words));
    let dragged = response.dnd_hover_payload::<CodeId>();
    let is_target = dragged.is_some_and(|moved| may_move(session, *moved, id));
    if is_chosen || response.hovered() {
        cx.fill(row, radius::CONTROL, if is_chosen { cx.t.control } else { cx.t.hover });
    }
    if is_target {
        cx.border(row, radius::CONTROL, cx.t.text);
    }
}

/// The arrow that hides or shows the codes under one; `at` is its middle.
fn fold(cx: &Cx<'_>, session: &Session, view: &mut CodesView, id: CodeId, at: Pos2) {
    if !has_children(session, id) {
        return;
    }
    let is_folded = view.folded.contains(&id);
    let cell = Rect::from_center_size(at, vec2(FOLD, 24.0));
    let verb = if is_folded { "Unfold" } else { "Fold" };
    let words = format!("{verb} {}", session.name_of(id.into()));
    let response = cx.button(cell, ("fold", id), &words);
    let icon = if is_folded { icons::CARET_RIGHT } else { icons::CARET_DOWN };
    let color = if response.hovered() { cx.t.text } else { cx.t.text_3 };
    cx.icon(at, icon, 10.0, color);
    cx.ring(&response, cell.shrink(3.0), radius::CONTROL);
    if response.clicked() && !view.folded.remove(&id) {
        view.folded.insert(id);
    }
}

fn has_children(session: &Session, id: CodeId) -> bool {
    session.codes.values().any(|code| code.parent == Some(id))
}

/// What a code is for, and the key that puts it on words.
fn tell(session: &Session, id: CodeId, response: &Response) {
    if !response.hovered() {
        return;
    }
    let description = session.codes.get(&id).map(|code| code.description.clone());
    let words = [description.filter(|it| !it.is_empty()), key_of(session, id)];
    let words: Vec<String> = words.into_iter().flatten().collect();
    if !words.is_empty() {
        hint(response.clone(), &words.join("\n"));
    }
}

/// Clicks and drops on a code.
fn took(
    scene: Scene<'_>,
    view: &mut CodesView,
    id: CodeId,
    response: &Response,
    out: &mut Actions,
) {
    if response.clicked() || response.secondary_clicked() {
        view.chosen = Some(id);
        response.request_focus();
    }
    if response.double_clicked() {
        view.naming = Some(Naming::of(id, scene.session));
    }
    response.dnd_set_drag_payload(id);
    if let Some(moved) = response.dnd_release_payload::<CodeId>()
        && may_move(scene.session, *moved, id)
    {
        out.push(set(*moved, "parent", json!(id)));
    }
}

/// Keys on a code: its places, its name, whether it stays, and the codes around it.
fn keys(
    ui: &Ui,
    scene: Scene<'_>,
    view: &mut CodesView,
    (codes, index): (&[(CodeId, usize)], usize),
    out: &mut Actions,
) {
    let Some((id, _)) = codes.get(index).copied() else { return };
    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    if pressed(Key::F2) {
        view.naming = Some(Naming::of(id, scene.session));
    }
    if pressed(Key::Delete) {
        remove(scene.session, view, id, out);
    }
    if pressed(Key::Enter) {
        view.about.quotes.step(scene, id, 1, out);
    }
    let is_open = has_children(scene.session, id) && !view.folded.contains(&id);
    let above = index.checked_sub(1).and_then(|above| codes.get(above));
    let next = if pressed(Key::ArrowDown) {
        codes.get(index + 1).map(|(next, _)| *next)
    } else if pressed(Key::ArrowUp) {
        above.map(|(above, _)| *above)
    } else if pressed(Key::ArrowLeft) {
        if is_open && view.folded.insert(id) { None } else { parent(codes, index) }
    } else if pressed(Key::ArrowRight) && !is_open {
        view.folded.remove(&id);
        None
    } else {
        None
    };
    if next.is_some() {
        (view.goes_to, view.chosen) = (next, next);
    }
}

fn parent(codes: &[(CodeId, usize)], index: usize) -> Option<CodeId> {
    let (_, depth) = codes.get(index)?;
    let above = codes.iter().take(index).rev().find(|(_, other)| other < depth);
    above.map(|(id, _)| *id)
}

fn field(ui: &mut Ui, session: &Session, view: &mut CodesView, row: Rect, out: &mut Actions) {
    let Some(naming) = &mut view.naming else { return };
    let typed = naming.field.show(ui, row.pad(space::S, 2.0), "Name of the code");
    if matches!(typed, Typed::Goes) {
        return;
    }
    let Some(naming) = view.naming.take() else { return };
    // The keys are for the code again, unless a click went elsewhere.
    let pressed = |key| ui.input(|input| input.key_pressed(key));
    let by_key = pressed(Key::Enter) || pressed(Key::Escape);
    if by_key {
        view.goes_to = naming.code.or(view.chosen);
        view.filters = view.goes_to.is_none();
    }
    let Typed::Set(name) = typed else { return };
    if naming.code.is_none() {
        // A new code is to be seen, whatever was looked for.
        view.filter.clear();
        let until = ui.input(|input| input.time) + PATIENCE;
        view.coming = by_key.then(|| (name.clone(), naming.parent, until));
    }
    out.push(match naming.code {
        Some(id) => set(id, "name", json!(name)),
        None => made(session, &name, naming.parent),
    });
}

/// Makes a code, in a color that few have; one of that name that is there keeps its own.
fn made(session: &Session, name: &str, parent: Option<CodeId>) -> Action {
    let under = parent.map_or_else(String::new, |id| id.to_string());
    let mut params = json!({"name": name, "parent": under});
    let mut siblings = session.codes.values().filter(|code| code.parent == parent);
    if !siblings.any(|code| code.name.to_lowercase() == name.to_lowercase()) {
        params["color"] = json!(fresh(session));
    }
    call(Gesture::SetCode, params)
}
