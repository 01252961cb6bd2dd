//! Switches, exclusive choices, chips and key caps.

use crate::kit::Cx;
use crate::kit::controls::hint;
use crate::theme::{Type, radius};
use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{Align2, Color32, Pos2, Rect, Response, Role, Sense, WidgetInfo, pos2, vec2};

/// On or off, 28 x 16.
pub(crate) fn switch(cx: &Cx<'_>, rect: Rect, on: bool, name: &str) -> Response {
    let response = cx.interact(rect.expand(4.0), ("switch", name), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Switch, true, on, name));
    let track = if on { cx.t.text_2 } else { cx.t.line_strong };
    let knob = if on { cx.t.panel } else { cx.t.text_2 };
    cx.fill(rect, 8.0, track);
    let x = if on { rect.right() - 8.0 } else { rect.left() + 8.0 };
    cx.p.circle_filled(pos2(x, rect.center().y), 5.5, knob);
    cx.ring(&response, rect, 8.0);
    response
}

/// One of several choices, 16 x 16 in the middle of `rect`. All of `rect` takes the click, and arrow keys go to
/// the next one.
pub(crate) fn radio(cx: &Cx<'_>, rect: Rect, at: Pos2, on: bool, name: &str) -> Response {
    let response = cx.interact(rect, ("radio", name), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, on, name));
    let edge = if on || response.hovered() { cx.t.text } else { cx.t.outline };
    cx.p.circle_stroke(at, 7.0, egui::Stroke::new(1.5, edge));
    if on {
        cx.p.circle_filled(at, 3.5, cx.t.text);
    }
    cx.ring(&response, Rect::from_center_size(at, vec2(16.0, 16.0)), 8.0);
    response
}

/// One of the choices in a frame: its label and the key that takes it.
pub(crate) struct SegmentedChoice<'s> {
    pub(crate) label: &'s str,
    pub(crate) key: &'s str,
    /// The choice is the plan's side, drawn in accent while chosen.
    pub(crate) is_planned: bool,
    /// Why it cannot be chosen now.
    pub(crate) why_not: Option<&'s str>,
}

/// Exclusive choices in one frame. Returns the clicked one. `salt` tells frames apart.
pub(crate) fn segmented(
    cx: &Cx<'_>,
    rect: Rect,
    items: &[SegmentedChoice<'_>],
    chosen: Option<usize>,
    salt: &str,
) -> Option<usize> {
    cx.fill(rect, radius::CONTROL, cx.t.well);
    let width = rect.width() / items.len().max(1) as f32;
    let mut clicked = None;
    for (index, item) in items.iter().enumerate() {
        let left = rect.left() + width * index as f32;
        let cell = Rect::from_min_size(pos2(left, rect.top()), vec2(width, rect.height()));
        let cell = cell.shrink(2.0);
        let is_on = chosen == Some(index);
        let is_free = item.why_not.is_none();
        let sense = if is_free { Sense::click() } else { Sense::hover() };
        let response = cx.interact(cell, ("segment", salt, item.label), sense);
        let named = || WidgetInfo::selected(Role::RadioButton, is_free, is_on, item.label);
        response.widget_info(named);
        segment(cx, cell, item, is_on, is_free && response.hovered());
        cx.ring(&response, cell, 3.0);
        if response.clicked() {
            clicked = Some(index);
        }
        if let Some(why) = item.why_not {
            hint(response, why);
        }
    }
    clicked
}

fn segment(cx: &Cx<'_>, cell: Rect, item: &SegmentedChoice<'_>, is_on: bool, is_hovered: bool) {
    let (bg, fg) = match (is_on, item.is_planned) {
        _ if item.why_not.is_some() => (Color32::TRANSPARENT, cx.t.disabled),
        (true, true) => (cx.t.accent_soft, cx.t.accent),
        (true, false) => (cx.t.hover, cx.t.text),
        (false, _) if is_hovered => (cx.t.control, cx.t.text),
        (false, _) => (Color32::TRANSPARENT, cx.t.text_2),
    };
    cx.fill(cell, 3.0, bg);
    let label = (item.label, Type::SMALL_STRONG, fg);
    let key = (item.key, Type::CAPTION, fg);
    let runs = [label, ("  ", Type::SMALL, fg), key];
    let runs = if item.key.is_empty() { &runs[..1] } else { &runs[..] };
    cx.runs(cell.center(), Align2::CENTER_CENTER, runs);
}

/// A 20-point label that can be clicked; `at` is its left middle. `state` is whether it is on, of one that is on or off.
pub(crate) fn chip(
    cx: &Cx<'_>,
    at: Pos2,
    icon: Option<char>,
    label: &str,
    state: Option<bool>,
) -> Response {
    let is_on = state == Some(true);
    let (bg, fg) = if is_on { (cx.t.text_2, cx.t.panel) } else { (cx.t.control, cx.t.text_2) };
    let icon_width = if icon.is_some() { 16.0 } else { 0.0 };
    let width = (cx.width(label, Type::CAPTION_STRONG) + icon_width + 12.0).ceil();
    let rect = Rect::from_min_size(pos2(at.x, at.y - 10.0), vec2(width, 20.0));
    let response = cx.interact(rect.expand2(vec2(0.0, 2.0)), ("chip", label), Sense::click());
    response.widget_info(|| WidgetInfo {
        selected: state,
        ..WidgetInfo::labeled(Role::Button, true, label)
    });
    let bg = if response.hovered() && !is_on { cx.t.hover } else { bg };
    cx.fill(rect, radius::CONTROL, bg);
    if let Some(icon) = icon {
        cx.icon(pos2(rect.left() + 12.0, rect.center().y), icon, 14.0, fg);
    }
    let at = pos2(rect.left() + 6.0 + icon_width, rect.center().y);
    cx.left(at, label, Type::CAPTION_STRONG, fg);
    cx.ring(&response, rect, radius::CONTROL);
    response
}

/// A key as drawn on a keyboard; `at` is its left middle.
pub(crate) fn key_cap(cx: &Cx<'_>, at: Pos2, key: &str) -> Rect {
    let width = (cx.width(key, Type::CAPTION) + 10.0).max(20.0).ceil();
    let rect = Rect::from_min_size(pos2(at.x, at.y - 9.0), vec2(width, 18.0));
    cx.border(rect, 3.0, cx.t.line_strong);
    cx.center(rect.center(), key, Type::CAPTION, cx.t.text_2);
    rect
}

/// Selects the whole text of a field, so that typing replaces it.
pub(crate) fn select_all(ui: &egui::Ui, field: egui::Id, text: &str) {
    let all = CCursorRange::two(CCursor::new(0), CCursor::new(text.chars().count()));
    let mut state = TextEditState::load(ui.ctx(), field).unwrap_or_default();
    state.cursor.set_char_range(Some(all));
    state.store(ui.ctx(), field);
}
