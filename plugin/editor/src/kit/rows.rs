//! The rows of a page of settings: titles, notes, groups in a frame, and a name with its control.

use super::{Cut, Cx};
use crate::theme::{Theme, Type, radius, size, space};
use egui::{
    Color32, Frame, Margin, Rect, Response, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, vec2,
};

/// A row without and with a note, points.
const ROW: f32 = 32.0;
const NOTED: f32 = 44.0;

/// The title of a page, or of a part of it, with a `note` below it that may be empty.
pub(crate) fn heading(ui: &mut Ui, words: &str, note: &str) {
    let theme = Theme::of(ui.visuals());
    let (rect, node) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    node.widget_info(|| WidgetInfo::labeled(Role::Heading, true, words));
    Cx::new(ui).left(rect.left_mid(0.0), words, Type::PAGE, theme.text);
    ui.add_space(4.0);
    if !note.is_empty() {
        para(ui, note, (Type::BODY, theme.text_2));
    }
    ui.add_space(space::M);
}

/// The small title of a group of rows.
pub(crate) fn section(ui: &mut Ui, words: &str) {
    let theme = Theme::of(ui.visuals());
    ui.add_space(space::S);
    let (rect, node) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), Sense::hover());
    node.widget_info(|| WidgetInfo::labeled(Role::Heading, true, words));
    Cx::new(ui).left(rect.left_mid(0.0), words, Type::CAPTION_STRONG, theme.text_2);
}

/// Words over the whole width, in as many lines as they need.
pub(crate) fn para(ui: &mut Ui, words: &str, (ty, color): (Type, Color32)) -> Response {
    let width = ui.available_width();
    let tall = Cx::new(ui).para_height(words, ty, width);
    let (rect, node) = ui.allocate_exact_size(vec2(width, tall), Sense::hover());
    Cx::new(ui).para(rect.min, words, ty, color, width);
    node.widget_info(|| WidgetInfo::labeled(Role::Label, true, words));
    node
}

/// A row: its name and a note, which may be empty, at the left. Returns the place of its control, `wide` points
/// at the right.
pub(crate) fn setting(ui: &mut Ui, name: &str, note: &str, wide: f32) -> Rect {
    let width = ui.available_width();
    let room = width - wide - space::L;
    let cx = Cx::new(ui);
    let lines = if note.is_empty() { 0.0 } else { cx.para_height(note, Type::CAPTION, room) };
    let tall = if note.is_empty() { ROW } else { (lines + 28.0).max(NOTED) };
    drop(cx);
    let (rect, _) = ui.allocate_exact_size(vec2(width, tall), Sense::hover());
    let cx = Cx::new(ui);
    let top = rect.center().y - (16.0 + lines) / 2.0;
    let at = egui::pos2(rect.left(), top + 8.0);
    cx.elided(at, name, Type::SMALL_STRONG, cx.t.text, room);
    if !note.is_empty() {
        let at = egui::pos2(rect.left(), top + 16.0);
        let place = cx.para(at, note, Type::CAPTION, cx.t.text_3, room);
        cx.label(place, ("note", name), note);
    }
    rect.row_box(rect.right() - wide, vec2(wide, size::CONTROL_H))
}

/// A hairline between rows.
pub(crate) fn line(ui: &mut Ui) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 1.0), Sense::hover());
    Cx::new(ui).hline(rect.left(), rect.right(), rect.top(), Theme::of(ui.visuals()).line);
}

/// Rows in a frame, without gaps.
pub(crate) fn group<T>(ui: &mut Ui, content: impl FnOnce(&mut Ui) -> T) -> T {
    let theme = Theme::of(ui.visuals());
    let edge = Stroke::new(1.0, theme.line_strong);
    let frame = Frame::NONE.fill(theme.panel).stroke(edge).corner_radius(radius::CARD);
    let frame = frame.inner_margin(Margin::symmetric(space::L as i8 - 1, 0));
    frame
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing = Vec2::ZERO;
            content(ui)
        })
        .inner
}
