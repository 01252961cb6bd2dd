//! The window without tracks: at the first start the example, the last sessions and the ways in, in a new session the
//! ways to its first track.

mod drop_area;
mod example_card;
mod recent;

use crate::action::{Action, Actions};
use crate::icons;
use crate::kit::controls::{Button, Kind};
use crate::kit::{Cut, Cx};
use crate::model::Model;
use crate::theme::{Theme, Type, radius, size, space};
use deskhand_session::offers::Menu;
use egui::{Pos2, Rect, ScrollArea, Ui, UiBuilder, pos2, vec2};

/// Most width of the content.
const WIDTH: f32 = 900.0;
const MARGIN: f32 = 60.0;
/// The column of the ways in, where there is room for two.
const WAYS: f32 = 392.0;
const TWO_COLUMNS: f32 = 760.0;
/// Between parts, points.
const GAP: f32 = 36.0;
/// Above and below all, points.
const EDGE: f32 = 32.0;

pub(crate) fn show(ui: &mut Ui, model: &Model, rect: Rect, out: &mut Actions) {
    Cx::new(ui).clip(rect).fill(rect, 0.0, Theme::of(ui.visuals()).panel);
    let tall = height(model, width(rect));
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt("start"));
    child.set_clip_rect(rect);
    ScrollArea::vertical().auto_shrink(false).show(&mut child, |ui| {
        let room = vec2(rect.width(), tall.max(rect.height()));
        let (all, _) = ui.allocate_exact_size(room, egui::Sense::hover());
        let cx = Cx::new(ui);
        let left = (all.left() + MARGIN.min((rect.width() - width(rect)) / 2.0)).round();
        let top = (all.top() + (all.height() - tall).max(0.0) * 0.25).round();
        let place = Rect::from_min_size(pos2(left, top), vec2(width(rect), tall));
        content(&cx, model, place.pad(0.0, EDGE), out);
    });
}

fn width(rect: Rect) -> f32 {
    (rect.width() - 48.0).min(WIDTH)
}

/// The height of the headline and of the text below it, which may need two lines.
fn head_height(width: f32) -> f32 {
    if width < TWO_COLUMNS { 96.0 } else { 80.0 }
}

/// The height of all with its margins.
fn height(model: &Model, width: f32) -> f32 {
    let content = if model.mirror.is_some() {
        drop_area::HEIGHT + 24.0 + 32.0
    } else {
        example_card::height(width) + GAP + below(model, width)
    };
    head_height(width) + content + 2.0 * EDGE
}

/// The height of what is below the example.
fn below(model: &Model, width: f32) -> f32 {
    let (recent, ways) = (recent::height(model), START + space::M + drop_area::HEIGHT);
    match (width >= TWO_COLUMNS, recent > 0.0) {
        (true, true) => recent.max(ways),
        (true, false) => START,
        (false, true) => recent + GAP + ways,
        (false, false) => ways,
    }
}

fn content(cx: &Cx<'_>, model: &Model, mut rest: Rect, out: &mut Actions) {
    let mut head = rest.cut_top(head_height(rest.width()));
    let title = head.cut_top(32.0).left_mid(0.0);
    cx.left(title, "Ask. Check the plan. Then apply.", Type::HERO, cx.t.text);
    let words = "Deskhand measures your session, shows each change with its numbers, and lets you hear it first.";
    cx.para(head.min + vec2(0.0, 6.0), words, Type::BODY, cx.t.text_2, rest.width());
    if model.mirror.is_some() {
        drop_area::show(cx, model, rest.cut_top(drop_area::HEIGHT), out);
        rest.cut_top(24.0);
        return first_tracks(cx, model, rest.min, out);
    }
    example_card::show(cx, rest.cut_top(example_card::height(rest.width())), out);
    rest.cut_top(GAP);
    let (recent, is_wide) = (recent::height(model), rest.width() >= TWO_COLUMNS);
    let mut ways = rest;
    if is_wide {
        ways = rest.cut_right(WAYS);
        rest.cut_right(28.0);
        if recent == 0.0 {
            start(cx, rest.cut_top(START), out);
            return drop_area::show(cx, model, ways.cut_top(drop_area::HEIGHT), out);
        }
        recent::show(cx, model, rest, out);
    }
    start(cx, ways.cut_top(START), out);
    if !is_wide && recent > 0.0 {
        ways.cut_top(GAP);
        recent::show(cx, model, ways.cut_top(recent), out);
    }
    ways.cut_top(space::M);
    drop_area::show(cx, model, ways.cut_top(drop_area::HEIGHT), out);
}

const ROW: f32 = 40.0;
const START: f32 = 3.0 * ROW;

/// The ways to a session of one's own, a row each.
fn start(cx: &Cx<'_>, rect: Rect, out: &mut Actions) {
    cx.fill(rect, radius::CARD, cx.t.raised);
    cx.border(rect, radius::CARD, cx.t.line_strong);
    let ways = [
        (icons::PLUGS, "Open a project…", "REAPER, Ardour, DAWproject", Action::OpenProject),
        (icons::FOLDER_OPEN, "Open a session…", "Ctrl O", Action::OpenSession),
        (icons::PLUS, "New session…", "Ctrl N", Action::NewSession),
    ];
    let mut rest = rect;
    for (icon, words, note, action) in ways {
        let row = rest.cut_top(ROW);
        if row.top() > rect.top() {
            cx.hline(row.left() + 1.0, row.right() - 1.0, row.top(), cx.t.line);
        }
        let inner = row.shrink(4.0);
        let response = cx.button(inner, words, &format!("{words} {note}"));
        if response.hovered() {
            cx.fill(inner, radius::CONTROL, cx.t.control);
        }
        cx.ring(&response, inner, radius::CONTROL);
        cx.icon(row.left_mid(24.0), icon, size::ICON, cx.t.text_2);
        cx.left(row.left_mid(44.0), words, Type::BODY_STRONG, cx.t.text);
        cx.right(row.right_mid(space::L), note, Type::CAPTION, cx.t.text_3);
        if response.clicked() {
            out.push(action);
        }
    }
}

fn first_tracks(cx: &Cx<'_>, model: &Model, at: Pos2, out: &mut Actions) {
    let import = (Kind::Primary, "Import audio…", icons::FILE_AUDIO, Action::Import);
    let entries = model.tools.entries(Menu::EmptyDesk, &());
    let others = entries.map(|(label, _, call)| (Kind::Secondary, label, icons::PLUS, call));
    buttons(cx, std::iter::once(import).chain(others), at, out);
}

fn buttons<'a>(
    cx: &Cx<'_>,
    ways: impl IntoIterator<Item = (Kind, &'a str, char, Action)>,
    at: Pos2,
    out: &mut Actions,
) {
    let mut x = at.x;
    for (kind, words, icon, action) in ways {
        let button = Button::new(kind, words).icon(icon);
        let width = button.width(cx) + 8.0;
        let cell = Rect::from_min_size(pos2(x, at.y), vec2(width, 32.0));
        if button.show(cx, cell).clicked() {
            out.push(action);
        }
        x += width + space::S;
    }
}

#[cfg(test)]
mod tests;
