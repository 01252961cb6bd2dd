//! Change rows and the heads of their groups: tick, number, name, property, reason, before and after.

use super::lines::Line;
use super::place::{Place, types};
use super::row_words::row_words;
use super::{label, listen_first, measure_again, thumbnails, value};
use crate::action::Actions;
use crate::card::view::Card;
use crate::describe::{Told, hue_of, track_of};
use crate::icons;
use crate::kit::controls::{Button, Kind, State, arrow, hint, row_tag, row_tag_width, tick};
use crate::kit::cx::alpha;
use crate::kit::scale::signed;
use crate::kit::{Cut, Cx};
use crate::theme::{Type, size, space};
use egui::{Pos2, Rect, Sense, Ui, pos2, vec2};

/// Room for both values of a row in a wide card, left of the number edge.
const VALUES: f32 = 176.0;

/// The most room for both values next to the name. Longer values go to the second line.
const BESIDE: f32 = 168.0;

/// Draws the lines between two heights of `rect`. Returns whether one of them has the keyboard.
pub(super) fn show(
    ui: &mut Ui,
    place: &Place<'_>,
    card: &mut Card,
    rect: Rect,
    seen: (f32, f32),
    out: &mut Actions,
) -> bool {
    let lines = card.view.list.lines.between(seen.0, seen.1);
    card.view.list.drawn = lines.len();
    let mut focused = false;
    for (line, top, bottom) in lines {
        let from = pos2(rect.left(), rect.top() + top);
        let cell = Rect::from_min_max(from, pos2(rect.right(), rect.top() + bottom));
        focused |= match line {
            Line::Group(index) => group(ui, card, index, cell),
            Line::Row(index) => row(ui, place, card, index, cell, out),
        };
    }
    focused
}

fn group(ui: &Ui, card: &mut Card, index: usize, rect: Rect) -> bool {
    let cx = Cx::new(ui);
    let Some(group) = card.view.list.lines.groups.get(index).cloned() else { return false };
    let changes = &card.stored.plan.changes;
    let ids = group.rows.iter().map(|row| changes[*row].id.clone());
    // Applied rows are not counted.
    let ids: Vec<String> = ids.filter(|id| !card.view.ticks.taken.rows.contains(id)).collect();
    let ticked = ids.iter().filter(|id| !card.view.ticks.off.contains(*id)).count();
    cx.fill(rect.pad(1.0, 0.0), 0.0, alpha(cx.t.control, 0.45));
    let center = pos2(rect.left() + space::M + 8.0, rect.center().y);
    let box_rect = Rect::from_center_size(center, vec2(size::TICK, size::TICK));
    let name = format!("All of {}", group.name);
    if ids.is_empty() {
        applied(&cx, box_rect, &name);
    } else if tick(&cx, box_rect, ticked == ids.len(), State::Normal, &name).clicked() {
        card.view.focus.takes_keyboard = true;
        card.view.ticks.toggle_all(&card.stored.plan, &ids);
    }
    if ticked > 0 && ticked < ids.len() {
        let dash = Rect::from_center_size(center, vec2(8.0, 2.0));
        cx.fill(dash, 1.0, cx.t.accent);
    }
    fold(&cx, card, index, rect, (ticked, ids.len()));
    cx.focused.get()
}

/// The name of a group, which folds it, and how many of those that wait have a tick.
fn fold(cx: &Cx<'_>, card: &mut Card, index: usize, rect: Rect, (ticked, all): (usize, usize)) {
    let Some(group) = card.view.list.lines.groups.get(index) else { return };
    let mut fold = rect;
    fold.cut_left(44.0);
    let is_closed = card.view.list.lines.is_closed(index);
    let words = format!("{}, {ticked} of {all}", group.name);
    let open = !is_closed;
    let response = cx.toggle(fold, ("fold", index), open, &words);
    let caret = if is_closed { icons::CARET_RIGHT } else { icons::CARET_DOWN };
    cx.icon(fold.left_mid(4.0), caret, 10.0, cx.t.text_3);
    let color = cx.t.hues[group.hue].strong;
    cx.elided(fold.left_mid(16.0), &group.name, Type::SMALL_STRONG, color, fold.width() - 120.0);
    let count = if all == 0 { "applied".to_owned() } else { format!("{ticked} of {all}") };
    cx.right(fold.right_mid(space::M), &count, Type::CAPTION, cx.t.text_3);
    cx.ring(&response, fold.shrink(3.0), 3.0);
    if response.clicked() {
        card.view.focus.takes_keyboard = true;
        card.view.list.lines.toggle(index);
    }
}

// tidy: painting
fn row(
    ui: &mut Ui,
    place: &Place<'_>,
    card: &mut Card,
    index: usize,
    rect: Rect,
    out: &mut Actions,
) -> bool {
    let Some(mut told) = row_words(card, index, place.session) else { return false };
    let planned = &card.stored.plan.changes[index];
    let heard = card.view.hearing.was_heard(planned);
    let id = planned.id.clone();
    let is_taken = card.view.ticks.taken.rows.contains(&id);
    told.reason = if is_taken { "Applied".into() } else { heard_reason(&told.reason, heard) };
    let needed = card.view.ticks.needed(&card.stored.plan, planned).map(|row| row + 1);
    if let Some(needed) = needed {
        told.reason = format!("Needs row {needed}. {}", told.reason).trim_end().to_owned();
    }
    let hue = hue_of(track_of(&planned.change, place.session), place.session);
    let is_stale = card.view.ticks.stale.rows.contains(&id);
    let is_on = !card.view.ticks.off.contains(&id);
    let y = rect.top() + if place.is_wide { 18.0 } else { 12.0 };
    let cx = Cx::new(ui);
    let response = cx.interact(rect, ("row", index), Sense::CLICK);
    point(&cx, place, card, index, rect, &response);
    response.on_hover_text(told.in_full());
    let center = pos2(rect.left() + space::M + 8.0, y);
    let box_rect = Rect::from_center_size(center, vec2(size::TICK, size::TICK));
    let number = card.view.ticks.cuts.number(index) + 1;
    let name = accessible_name(number, &told, (heard, needed));
    if is_taken {
        applied(&cx, box_rect, &name);
    } else {
        ticks(&cx, card, box_rect, (index, is_on, is_stale), &name);
    }
    let tag = pos2(box_rect.right() + space::S, y);
    row_tag(&cx, tag, number, is_on);
    // All names of a card begin below each other.
    let left = tag.x + row_tag_width(&cx, card.view.ticks.rows(&card.stored.plan)) + space::S;
    let values = values_width(&cx, &told);
    let is_beside = values <= BESIDE || told.number.is_some();
    let mut words = Rect::from_min_max(pos2(left, rect.top()), rect.max);
    if is_beside && place.is_wide {
        words.max.x = drawn(&cx, place, card, index, rect) - 20.0;
    } else if is_beside {
        words.max.x -= values + 20.0;
    }
    labels(&cx, place.is_wide, words.with_min_y(y - 12.0), &told, hue, is_on);
    let mut room = rect.right() - left - space::M;
    if is_stale {
        room -= again(&cx, card, index, rect, out);
    }
    let mut below = Rect::from_min_size(pos2(left, y + 8.0), vec2(room, 16.0));
    if place.is_wide {
        below = below.translate(vec2(0.0, 4.0)).with_max_x(words.right());
    }
    match card
        .view
        .values
        .editing
        .as_ref()
        .filter(|it| it.row == id)
        .and_then(|it| it.problem.as_ref())
    {
        Some(problem) => value::wrong(&cx, below, problem),
        None => why(&cx, below, &told, is_beside),
    }
    let edge = rect.right() - place.number_edge();
    if is_beside {
        before(&cx, place.is_wide, pos2(edge, y), &told, is_on);
    }
    if is_beside && place.is_wide {
        difference(&cx, pos2(edge, y + 20.0), card, index, &told);
    }
    let focused = cx.focused.get();
    drop(cx);
    is_beside && value::show(ui, place, card, &id, &told, pos2(edge, y), is_on) || focused
}

fn ticks(
    cx: &Cx<'_>,
    card: &mut Card,
    rect: Rect,
    (index, is_on, is_stale): (usize, bool, bool),
    name: &str,
) {
    let state = if is_stale { State::Disabled } else { State::Normal };
    let ticked = tick(cx, rect, is_on, state, name);
    if ticked.clicked() {
        card.view.focus.takes_keyboard = true;
        if !is_stale {
            let id = card.stored.plan.changes[index].id.clone();
            listen_first::tick(card, &id);
        }
    }
    if ticked.gained_focus() {
        // The keys of a row go to the one that Tab reaches.
        card.view.list.current = Some(index);
    }
}

/// The sign that replaces the tick of an applied row.
fn applied(cx: &Cx<'_>, rect: Rect, name: &str) {
    cx.icon(rect.center(), icons::CHECK, 14.0, cx.t.text_3);
    let words = format!("{name}, applied");
    cx.label(rect, ("applied", name), &words);
}

/// Links a row and its ghost: both light up under the pointer, and a click on one goes to the other.
fn point(
    cx: &Cx<'_>,
    place: &Place<'_>,
    card: &mut Card,
    index: usize,
    rect: Rect,
    response: &egui::Response,
) {
    if response.contains_pointer() {
        card.view.list.point_at(cx.ui, index);
    }
    if response.clicked() {
        (card.view.list.current, card.view.list.shown) = (Some(index), Some(index));
        card.view.focus.takes_keyboard = true;
        if card.stored.plan.changes.get(index).is_some_and(|change| change.to_hear) {
            listen_first::ask_to_hear(card, index);
        }
    }
    if place.link.pointed(card.stored.plan.id).contains(&index) {
        cx.fill(rect.pad(1.0, 0.0), 0.0, alpha(cx.t.hover, 0.9));
    } else if card.view.list.current == Some(index) {
        cx.fill(rect.pad(1.0, 0.0), 0.0, alpha(cx.t.control, 0.55));
    }
}

/// The second line: values that have no room in the first, then the reason.
fn why(cx: &Cx<'_>, rect: Rect, told: &Told, is_beside: bool) {
    let mut rest = rect;
    if !is_beside {
        let values = match told.before.as_str() {
            "" => format!("{} {}", told.after, told.unit),
            before => format!("{before} → {} {}", told.after, told.unit),
        };
        let at = rect.left_mid(0.0);
        let drawn = cx.elided(at, values.trim_end(), Type::CAPTION, cx.t.text_2, rect.width());
        rest.min.x = drawn.right() + space::S;
    }
    let reason = match &told.was {
        Some(was) => format!("was {was}. {}", told.reason),
        None => told.reason.clone(),
    };
    if rest.width() > 24.0 {
        cx.elided(rest.left_mid(0.0), &reason, Type::CAPTION, cx.t.text_3, rest.width());
    }
}

/// Draws a change; gives where that begins.
fn drawn(cx: &Cx<'_>, place: &Place<'_>, card: &Card, index: usize, rect: Rect) -> f32 {
    let left = rect.right() - place.number_edge() - VALUES - thumbnails::SIZE.x;
    let planned = &card.stored.plan.changes[index];
    let edited = card.view.values.edits.get(&planned.id).copied();
    let cell = Rect::from_min_size(pos2(left, rect.top() + 8.0), thumbnails::SIZE);
    let is_on = !card.view.ticks.off.contains(&planned.id);
    thumbnails::show(cx, place, cell, planned, (is_on, edited));
    left
}

/// How far a gain moves, where the two values do not say it already.
fn difference(cx: &Cx<'_>, at: Pos2, card: &Card, index: usize, told: &Told) {
    let (Some(after), "dB") = (told.number, told.unit.as_str()) else { return };
    let json = serde_json::to_value(&card.stored.plan.changes[index].change).unwrap_or_default();
    let Some(before) = json["before"].as_f64().filter(|before| *before != 0.0) else { return };
    cx.left(pos2(at.x + 4.0, at.y), "dB", Type::CAPTION, cx.t.text_3);
    cx.right(at, &signed((after - before) as f32, 1), Type::CAPTION, cx.t.text_3);
}

/// The fix of a stale row: the same call again; its plan waits like any other. If several rows are stale,
/// the head has one button for all.
fn again(cx: &Cx<'_>, card: &mut Card, index: usize, rect: Rect, out: &mut Actions) -> f32 {
    if card.view.ticks.stale_rows(&card.stored.plan) > 1 {
        let at = pos2(rect.right() - space::M - 6.0, rect.top() + 29.0);
        cx.icon_fill(at, icons::WARNING, 12.0, cx.t.warn);
        let words =
            format!("Change {} is to be measured again", card.view.ticks.cuts.number(index) + 1);
        let cell = Rect::from_center_size(at, vec2(20.0, 20.0));
        let node = cx.label(cell, ("stale", index), &words);
        hint(node, &words);
        return 12.0 + space::S;
    }
    let button = Button::new(Kind::Quiet, "Measure again").salt(index as u64);
    let width = button.width(cx) - 8.0;
    let at = pos2(rect.right() - width - 4.0, rect.top() + 19.0);
    let cell = Rect::from_min_size(at, vec2(width, 20.0));
    cx.icon_fill(pos2(at.x - 4.0, cell.center().y), icons::WARNING, 12.0, cx.t.warn);
    if button.show(cx, cell).clicked() {
        measure_again::same(card, out);
    }
    width + space::M
}

fn accessible_name(
    number: usize,
    told: &Told,
    (heard, needed): (Option<bool>, Option<usize>),
) -> String {
    let needed = needed.map_or_else(String::new, |row| format!(", needs row {row}"));
    let heard = match heard {
        Some(true) => ", heard",
        Some(false) => ", not heard yet",
        None => "",
    };
    format!("Change {number}: {}{heard}{needed}", told.words())
}

/// The reason, after a note that says whether the person heard the change where they must.
fn heard_reason(reason: &str, heard: Option<bool>) -> String {
    let state = match heard {
        Some(true) => "Heard",
        Some(false) => "Not heard yet",
        None => return reason.to_owned(),
    };
    if reason.is_empty() { state.to_owned() } else { format!("{state}: {reason}") }
}

fn labels(cx: &Cx<'_>, is_wide: bool, rect: Rect, told: &Told, hue: usize, is_on: bool) {
    let y = rect.top() + 12.0;
    let strong = if is_on { cx.t.hues[hue].strong } else { cx.t.text_2 };
    let plain = if is_on { cx.t.text } else { cx.t.text_2 };
    let (plain_type, strong_type) = types(is_wide);
    let (types, colors) = ([strong_type, plain_type], [strong, plain]);
    let room = rect.width() - space::M;
    label::show(cx, pos2(rect.left(), y), (&told.name, &told.what), types, colors, room);
}

fn values_width(cx: &Cx<'_>, told: &Told) -> f32 {
    let width = |text: &str| cx.width(text, Type::SMALL_STRONG);
    width(&told.before) + width(&told.after) + 48.0
}

fn before(cx: &Cx<'_>, is_wide: bool, at: Pos2, told: &Told, is_on: bool) {
    if told.before.is_empty() {
        // A cut or a new object has one value.
        return;
    }
    let color = if is_on { cx.t.text_2 } else { cx.t.text_3 };
    let (plain, strong) = types(is_wide);
    // In a wide card all arrows line up.
    let least = if is_wide { 54.0 } else { 34.0 };
    let after = cx.width(&told.after, strong).max(least);
    let x = at.x - after - 10.0;
    arrow(cx, pos2(x, at.y), cx.t.text_3);
    cx.right(pos2(x - 10.0, at.y), &told.before, plain, color);
}
