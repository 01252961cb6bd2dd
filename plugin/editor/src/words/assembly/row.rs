//! The rows of the assembly: a phrase that plays, one that was removed, and the fold between them.

use super::picked;
use crate::action::{Actions, Gesture, call};
use crate::icons;
use crate::kit::choice::chip;
use crate::kit::controls::{hint, icon_button, whole_name};
use crate::kit::menu::{entry, entry_with_key};
use crate::kit::{Cut, Cx, context};
use crate::scene::Scene;
use crate::theme::{Type, radius};
use crate::words::assembly::view::{AssemblyView, Made, NAME, ROW};
use crate::words::{calls, names};
use deskhand_dsp::Frames;
use deskhand_session::{PhraseId, SourceId, Spoken};
use egui::{
    CursorIcon, DragAndDrop, EventFilter, Key, Modifiers, PointerButton, Rect, Response, Role,
    Sense, WidgetInfo, pos2, vec2,
};
use serde_json::json;

/// What a row asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Wish {
    Hear(PhraseId),
    /// The keyboard goes to it.
    Go(PhraseId),
    Remove(PhraseId),
    RemoveAll(PhraseId),
    Takes(PhraseId),
    /// Mark the picked phrases as takes of one another.
    Mark,
    /// With all picked phrases, before the one at this place.
    Move(PhraseId, usize),
}

/// A dragged phrase this near to an edge of the list scrolls it, and by how much a frame; points.
const EDGE: f32 = 24.0;
const STEP: f32 = 8.0;

/// What tells a phrase from others of the same words is drawn so wide at most, points.
const TOLD: f32 = 120.0;

/// A phrase of the assembly that is dragged.
#[derive(Clone, Copy)]
struct Dragged(PhraseId);

pub(super) fn plays(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    view: &mut AssemblyView,
    made: &Made,
    (order, place): (&[PhraseId], usize),
    row: Rect,
    now: &[(SourceId, Frames)],
) -> Option<Wish> {
    let id = *order.get(place)?;
    let spoken = made.spoken.get(&id)?;
    let response = cx.interact(row, ("phrase", id), Sense::click_and_drag());
    let is_chosen = view.chosen == Some(id) || view.is_picked(id);
    let is_heard = now
        .iter()
        .any(|(source, at)| *source == spoken.source && spoken.start <= *at && *at < spoken.end);
    let is_cut = made.is_cut(id);
    let said = said(made, (id, spoken), text(made, spoken, id));
    node(&response, is_chosen, (place, is_cut), &said);
    if is_heard || is_chosen || response.hovered() {
        let color = if is_heard || is_chosen { cx.t.control } else { cx.t.hover };
        cx.fill(row, radius::CONTROL, color);
    }
    if is_heard {
        let mark = Rect::from_min_size(row.min + vec2(0.0, 6.0), vec2(3.0, ROW - 12.0));
        cx.fill(mark, 1.0, cx.t.text);
    }
    let length = if is_cut { "cut".to_owned() } else { length(scene, made, id) };
    let mut right = words(cx, made, (id, spoken), &format!("{}", place + 1), &length, row);
    let mut wish = None;
    if let Some(others) = made.others.get(&id) {
        let label =
            if *others == 1 { "2 takes".to_owned() } else { format!("{} takes", others + 1) };
        right -= cx.width(&label, Type::CAPTION_STRONG) + 24.0;
        if chip(cx, pos2(right, row.center().y), None, &label, None).clicked() {
            wish = Some(Wish::Takes(id));
        }
    }
    let response = line(cx, made, (id, spoken), row.with_max_x(right), response);
    let cell = row.row_box(row.right() - 32.0, vec2(24.0, 24.0));
    let label = format!("Remove phrase {}", place + 1);
    if icon_button(cx, cell, icons::X, &label).clicked() {
        wish = Some(Wish::Remove(id));
    }
    if response.has_focus() {
        cx.focus_ring(row.shrink(3.0), radius::CONTROL);
    }
    let own = took(cx, view, (order, place), &response);
    wish.or(own).or_else(|| dropped(cx, view, place, row, &response))
}

/// The row for screen readers: its text, and whether it is picked.
fn node(response: &Response, is_chosen: bool, (place, is_cut): (usize, bool), said: &str) {
    let cut = if is_cut { ", cut" } else { "" };
    let name = format!("Phrase {}{cut}: {said}", place + 1);
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, is_chosen, &name));
    response.ctx.accesskit_node_builder(response.id, |node| node.set_selected(is_chosen));
}

/// The playing words of a phrase; pointing at them shows all words.
fn line(
    cx: &Cx<'_>,
    made: &Made,
    (id, spoken): (PhraseId, &Spoken),
    row: Rect,
    response: Response,
) -> Response {
    let room = row.width() - made.left() - 8.0;
    let is_cut = made.is_cut(id);
    let color = if is_cut { cx.t.text_3 } else { cx.t.text };
    let said = text(made, spoken, id);
    let drawn = cx.elided(row.left_mid(made.left()), said, Type::BODY, color, room);
    if is_cut {
        cx.hline(drawn.left(), drawn.right(), row.center().y.round(), color);
    }
    match made.cut.get(&id) {
        Some(it) => hint(response, &format!("{}\nCut out of it: {}", spoken.text, it.cut)),
        None => whole_name(cx, response, &spoken.text, (Type::BODY, room)),
    }
}

/// Number, speaker and length, and a suffix if other phrases have the same words. Returns the left edge of
/// the suffix.
fn words(
    cx: &Cx<'_>,
    made: &Made,
    (id, spoken): (PhraseId, &Spoken),
    number: &str,
    length: &str,
    row: Rect,
) -> f32 {
    cx.right(row.left_mid(28.0), number, Type::SMALL, cx.t.text_3);
    let speaker = spoken.speaker.as_deref().unwrap_or_default();
    cx.left(row.left_mid(NAME), made.names.shown(speaker), names::FONT, cx.t.text_2);
    let at = pos2(row.right() - 40.0, row.center().y);
    let left = cx.right(at, length, Type::SMALL, cx.t.text_3).left();
    let Some(told) = made.told.get(&id) else { return left };
    let width = cx.width(told, Type::CAPTION).min(TOLD);
    let at = pos2(left - 8.0 - width, row.center().y);
    cx.elided(at, told, Type::CAPTION, cx.t.text_3, TOLD).left()
}

/// How long a phrase plays.
fn length(scene: Scene<'_>, made: &Made, id: PhraseId) -> String {
    let length = made.lengths.get(&id).copied().unwrap_or(Frames::ZERO);
    format!("{:.1}\u{a0}s", length.seconds(scene.session.rate).0)
}

/// The playing words of a phrase; all of them if none plays.
fn text<'m>(made: &'m Made, spoken: &'m Spoken, id: PhraseId) -> &'m str {
    let plays = made.cut.get(&id).map(|it| it.plays.as_str());
    plays.filter(|plays| !plays.is_empty()).unwrap_or(&spoken.text)
}

/// A phrase in words, with what tells it from others of the same.
fn said(made: &Made, (id, spoken): (PhraseId, &Spoken), text: &str) -> String {
    let who = spoken.speaker.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
    let told = made.told.get(&id).map(|told| format!(", {told}")).unwrap_or_default();
    format!("{who}{text}{told}")
}

/// Clicks and keys of the phrase at `place`.
fn took(
    cx: &Cx<'_>,
    view: &mut AssemblyView,
    (order, place): (&[PhraseId], usize),
    response: &Response,
) -> Option<Wish> {
    let id = *order.get(place)?;
    taken_up(cx, view, id, response);
    if view.takes_keyboard == Some(id) {
        view.takes_keyboard = None;
        response.request_focus();
    }
    let has_keys = has_keys(response, !view.picked.is_empty());
    if has_keys && view.pick_by_key(cx.ui, order, id) {
        return None;
    }
    let mut is_alone = true;
    if response.clicked() || response.secondary_clicked() {
        is_alone = view.pick(order, id, response, cx.ui.input(|input| input.modifiers));
        response.request_focus();
    }
    let picked = if view.is_picked(id) { view.picked.len() } else { 1 };
    let of = Of { ends: view.ends(order, id), count: order.len(), picked };
    let menu = context::menu(response, response.rect).show(|ui| menu(ui, of, id));
    if let Some(wish) = menu.and_then(|shown| shown.inner) {
        return Some(wish);
    }
    if response.clicked() {
        return is_alone.then_some(Wish::Hear(id));
    }
    if has_keys { keys(cx, view, (order, place), of.ends) } else { None }
}

/// The keys of a row: move the phrase and those picked with it, go to the next row, and remove.
fn keys(
    cx: &Cx<'_>,
    view: &mut AssemblyView,
    (order, place): (&[PhraseId], usize),
    (first, last): (usize, usize),
) -> Option<Wish> {
    let id = *order.get(place)?;
    let pressed = |modifiers, key| cx.ui.input_mut(|input| input.consume_key(modifiers, key));
    if pressed(Modifiers::ALT, Key::ArrowUp) {
        return first.checked_sub(1).map(|to| Wish::Move(id, to));
    }
    if pressed(Modifiers::ALT, Key::ArrowDown) {
        return Some(Wish::Move(id, last + 2));
    }
    for (key, to) in [(Key::ArrowUp, place.checked_sub(1)), (Key::ArrowDown, Some(place + 1))] {
        let next = to.and_then(|to| order.get(to).copied());
        if pressed(Modifiers::SHIFT, key) {
            view.pick_on(order, id, next?);
            return next.map(Wish::Go);
        }
        if next.is_some() && (pressed(Modifiers::NONE, key) || pressed(Modifiers::COMMAND, key)) {
            return next.map(Wish::Go);
        }
    }
    walk(cx);
    pressed(Modifiers::NONE, Key::Delete).then_some(Wish::RemoveAll(id))
}

/// Whether keys are for a row, the arrows too, and Esc where `takes_escape`.
fn has_keys(response: &Response, takes_escape: bool) -> bool {
    let filter =
        EventFilter { vertical_arrows: true, escape: takes_escape, ..EventFilter::default() };
    context::has_keys(response, filter)
}

/// At the first and last phrase the arrows go to the neighboring control.
fn walk(cx: &Cx<'_>) {
    for (key, way) in
        [(Key::ArrowUp, egui::FocusDirection::Up), (Key::ArrowDown, egui::FocusDirection::Down)]
    {
        if cx.ui.input_mut(|input| input.consume_key(Modifiers::NONE, key)) {
            cx.ui.memory_mut(|memory| memory.move_focus(way));
        }
    }
}

/// A phrase that is dragged to an edge of the list, which is `shown`, scrolls it.
pub(super) fn scroll(ui: &egui::Ui, shown: Rect) {
    if !DragAndDrop::has_payload_of_type::<Dragged>(ui.ctx()) {
        return;
    }
    let Some(at) = ui.input(|input| input.pointer.latest_pos()) else { return };
    let by = match at.y {
        y if y < shown.top() + EDGE => STEP,
        y if y > shown.bottom() - EDGE => -STEP,
        _ => return,
    };
    ui.scroll_with_delta_animation(vec2(0.0, by), egui::style::ScrollAnimation::none());
    ui.ctx().request_repaint();
}

/// A drag begins in the row.
fn taken_up(cx: &Cx<'_>, view: &mut AssemblyView, id: PhraseId, response: &Response) {
    // A press next to the row is not part of it, however near: below the list nothing is dragged.
    let began = cx.ui.input(|input| input.pointer.press_origin());
    let is_begun = response.drag_started_by(PointerButton::Primary);
    if is_begun && began.is_some_and(|at| response.rect.contains(at)) {
        response.dnd_set_drag_payload(Dragged(id));
        view.take_up(id);
        // The keys go on with it where it is dropped.
        response.request_focus();
    }
    if response.dragged() {
        cx.ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    }
}

/// The data for the menu of a phrase: the places of the first and last picked phrase, how many phrases
/// play, and how many are picked.
#[derive(Clone, Copy)]
struct Of {
    ends: (usize, usize),
    count: usize,
    picked: usize,
}

/// The menu of a phrase, which is for all that are picked with it.
fn menu(ui: &mut egui::Ui, of: Of, id: PhraseId) -> Option<Wish> {
    let Of { ends: (first, last), count, picked } = of;
    let is_last = last + 1 == count;
    let entry = |ui: &mut egui::Ui, words: &str, key: &str| {
        let words = if picked > 1 { format!("{words} ({picked})") } else { words.to_owned() };
        entry_with_key(ui, words, key)
    };
    if entry_with_key(ui, "Hear", "Enter") {
        return Some(Wish::Hear(id));
    }
    if first > 0 && entry(ui, "Move up", "Alt+Up") {
        return Some(Wish::Move(id, first - 1));
    }
    if !is_last && entry(ui, "Move down", "Alt+Down") {
        return Some(Wish::Move(id, last + 2));
    }
    if first > 0 && entry(ui, "To the start", "") {
        return Some(Wish::Move(id, 0));
    }
    if !is_last && entry(ui, "To the end", "") {
        return Some(Wish::Move(id, usize::MAX));
    }
    if count > 1 && picked::entry(ui, picked) {
        return Some(Wish::Mark);
    }
    entry(ui, "Remove", "Del").then_some(Wish::RemoveAll(id))
}

/// A phrase dropped on this one goes before it or after it.
fn dropped(
    cx: &Cx<'_>,
    view: &mut AssemblyView,
    place: usize,
    row: Rect,
    response: &Response,
) -> Option<Wish> {
    response.dnd_hover_payload::<Dragged>()?;
    let at = cx.ui.input(|input| input.pointer.latest_pos())?;
    let is_behind = at.y > row.center().y;
    let target = place + usize::from(is_behind);
    let y = if is_behind { row.bottom() } else { row.top() };
    cx.fill(
        Rect::from_min_max(pos2(row.left(), y - 1.0), pos2(row.right(), y + 1.0)),
        0.0,
        cx.t.text,
    );
    view.target = Some(target);
    let dragged = response.dnd_release_payload::<Dragged>()?;
    Some(Wish::Move(dragged.0, target))
}

/// The folded list of removed phrases.
pub(super) fn fold(cx: &Cx<'_>, view: &mut AssemblyView, count: usize, row: Rect) {
    let response = cx.interact(row, "removed", Sense::click());
    let name = format!("Removed: {count}");
    let is_open = view.shows_removed;
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_open, &name));
    let icon = if is_open { icons::CARET_DOWN } else { icons::CARET_RIGHT };
    cx.icon(row.left_mid(20.0), icon, 12.0, cx.t.text_3);
    cx.left(row.left_mid(36.0), &name, Type::SMALL_STRONG, cx.t.text_2);
    if response.has_focus() {
        cx.focus_ring(row.shrink(3.0), radius::CONTROL);
    }
    if response.clicked() {
        view.shows_removed = !is_open;
    }
}

/// A phrase that was removed: it can be heard and brought back.
pub(super) fn removed(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    made: &Made,
    id: PhraseId,
    row: Rect,
    out: &mut Actions,
) {
    let Some(spoken) = made.spoken.get(&id) else { return };
    let response = cx.interact(row, ("removed", id), Sense::click());
    let name = format!("Removed: {}", said(made, (id, spoken), &spoken.text));
    response.widget_info(|| WidgetInfo::labeled(Role::ListItem, true, &name));
    if response.hovered() {
        cx.fill(row, radius::CONTROL, cx.t.hover);
    }
    let right = words(cx, made, (id, spoken), "", &length(scene, made, id), row);
    let room = right - row.left() - made.left() - 8.0;
    let text = cx.elided(row.left_mid(made.left()), &spoken.text, Type::BODY, cx.t.text_3, room);
    cx.hline(text.left(), text.right(), row.center().y.round(), cx.t.text_3);
    let response = whole_name(cx, response, &spoken.text, (Type::BODY, room));
    if response.has_focus() {
        cx.focus_ring(row.shrink(3.0), radius::CONTROL);
    }
    if has_keys(&response, false) {
        walk(cx);
    }
    let cell = row.row_box(row.right() - 32.0, vec2(24.0, 24.0));
    let label = format!("Restore: {}", spoken.text);
    let by_button = icon_button(cx, cell, icons::ARROW_U_UP_LEFT, &label).clicked();
    let menu = context::menu(&response, row).show(|ui| [entry(ui, "Hear"), entry(ui, "Restore")]);
    let [hears, restores] = menu.map_or([false; 2], |shown| shown.inner);
    if by_button || restores {
        out.push(call(Gesture::RestorePhrases, json!({"group_ids": [id]})));
    } else if hears || response.clicked() {
        hear(scene, made, id, out);
    }
}

/// A phrase is heard where it plays, else by itself.
pub(super) fn hear(scene: Scene<'_>, made: &Made, id: PhraseId, out: &mut Actions) {
    let Some(spoken) = made.spoken.get(&id) else { return };
    let stretch = (spoken.start, spoken.end);
    calls::hear(scene, &made.places, spoken.source, stretch, out);
}
