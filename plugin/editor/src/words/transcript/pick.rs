//! The pointer and the keys on the words: a click hears, a drag picks.

use super::menu;
use super::picked::{exact, hear, selected, text, write};
use crate::action::{Action, Actions};
use crate::coding::code_menu;
use crate::kit::context;
use crate::live::Motion;
use crate::scene::Scene;
use crate::words::calls;
use crate::words::lines::Line;
use crate::words::transcript::view::{Made, Picked, ROW, TranscriptView};
use deskhand_protocol::desk::Play;
use egui::{
    Event, EventFilter, Key, Modifiers, PointerButton, Pos2, Rect, Response, Role, Sense, Ui,
    WidgetInfo,
};

/// Handles the pointer and the keys. It is below the lines, which are drawn later.
pub(super) fn take(
    ui: &Ui,
    scene: Scene<'_>,
    view: &mut TranscriptView,
    made: &Made,
    rect: Rect,
    out: &mut Actions,
) -> Response {
    let response = ui.interact(rect, ui.scope_id().with("words"), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo {
        current_text_value: view.about.as_ref().map(|about| about.read.clone()),
        ..WidgetInfo::labeled(Role::List, true, "Transcript")
    });
    view.list = Some(response.id);
    pointer(ui, scene, view, made, &response, out);
    menu::show(ui, scene, view, made, &response, out);
    let filter = EventFilter {
        horizontal_arrows: true,
        vertical_arrows: true,
        escape: true,
        ..EventFilter::default()
    };
    if context::has_keys(&response, filter) {
        keys(ui, scene, view, made, out);
    }
    response
}

fn pointer(
    ui: &Ui,
    scene: Scene<'_>,
    view: &mut TranscriptView,
    made: &Made,
    response: &Response,
    out: &mut Actions,
) {
    let extends = ui.input(|input| input.modifiers.shift);
    if egui::Popup::is_any_open(ui.ctx()) {
        // Open menus are about the picked words: a press outside closes them and picks nothing.
        if response.drag_started() {
            egui::Popup::close_all(ui.ctx());
        }
        view.picks = false;
        return;
    }
    // The other buttons pick nothing: the picked words have a menu.
    if response.drag_started_by(PointerButton::Primary)
        && let Some(from) = ui.input(|input| input.pointer.press_origin())
        && let Some(word) = nearest(view, from)
    {
        response.request_focus();
        let anchor = view.picked.filter(|_| extends).map_or(word, |picked| picked.anchor);
        view.picked = Some(Picked { anchor, head: word });
        view.picks = true;
    }
    if let (true, Some(at)) = (view.picks, response.interact_pointer_pos())
        && response.dragged()
    {
        drag(view, made, response.rect, at);
        ui.ctx().request_repaint();
    }
    if response.drag_stopped() && std::mem::take(&mut view.picks) {
        out.extend(selected(scene, view, made));
    }
    let under = response.interact_pointer_pos().and_then(|at| exact(view, at));
    if response.double_clicked()
        && let Some(word) = under
    {
        write(scene, view, made, word);
    } else if response.clicked() {
        response.request_focus();
        // Enter and Space act on the picked words.
        if response.clicked_by(PointerButton::Primary) {
            clicked(scene, view, made, under, extends, out);
        }
    }
}

fn drag(view: &mut TranscriptView, made: &Made, rect: Rect, at: Pos2) {
    if let (Some(word), Some(picked)) = (nearest(view, at), &mut view.picked) {
        picked.head = word;
    }
    // Beyond the edge it scrolls, a line at a time.
    let edge = view.picked.and_then(|picked| made.script.line_of(picked.head));
    let Some(line) = edge else { return };
    let third = (rect.height() / 3.0 / ROW) as usize;
    // The wanted line goes a third from the top: from there to the edge are one or two thirds.
    if at.y > rect.bottom() {
        view.wanted = Some((line + 2).saturating_sub(2 * third));
    } else if at.y < rect.top() {
        view.wanted = Some(line.saturating_sub(1) + third);
    }
}

fn clicked(
    scene: Scene<'_>,
    view: &mut TranscriptView,
    made: &Made,
    under: Option<usize>,
    extends: bool,
    out: &mut Actions,
) {
    let Some(word) = under else {
        view.picked = None;
        return;
    };
    match view.picked {
        Some(picked) if extends => {
            view.picked = Some(Picked { head: word, ..picked });
            out.extend(selected(scene, view, made));
        }
        Some(_) | None => {
            view.picked = Some(Picked { anchor: word, head: word });
            hear(scene, made, word, out);
        }
    }
}

/// The word nearest to a point: on its line first.
fn nearest(view: &TranscriptView, at: Pos2) -> Option<usize> {
    let away = |cell: &Rect| {
        let across = (cell.left() - at.x).max(at.x - cell.right()).max(0.0);
        (cell.center().y - at.y).abs().max(ROW / 2.0) * 1_000.0 + across
    };
    let best = view.cells.iter().min_by(|(_, a), (_, b)| away(a).total_cmp(&away(b)));
    best.map(|(word, _)| *word)
}

fn keys(ui: &Ui, scene: Scene<'_>, view: &mut TranscriptView, made: &Made, out: &mut Actions) {
    let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
    walk(ui, scene, view, made, out);
    if pressed(Modifiers::COMMAND, Key::F) {
        view.searches = true;
        ui.ctx().request_repaint();
    }
    if pressed(Modifiers::NONE, Key::Space) && scene.live.has_transport() {
        let stands = scene.live.motion == Motion::Stopped;
        out.push(Action::Play(if stands { Play::Start } else { Play::Stop }));
    }
    // If a host has the transport, no other key ends an audition.
    if scene.live.audition.is_some() && pressed(Modifiers::NONE, Key::Escape) {
        out.push(Action::Audition(None));
    }
    if view.picked.is_some() && pressed(Modifiers::NONE, Key::Escape) {
        view.picked = None;
    }
    done(ui, scene, view, made, out);
}

/// The keys that go from word to word, and that pick several.
fn walk(ui: &Ui, scene: Scene<'_>, view: &mut TranscriptView, made: &Made, out: &mut Actions) {
    let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
    for (key, ways) in [
        (Key::ArrowLeft, Way::Back),
        (Key::ArrowRight, Way::On),
        (Key::ArrowUp, Way::Up),
        (Key::ArrowDown, Way::Down),
        (Key::Home, Way::First),
        (Key::End, Way::Last),
    ] {
        if pressed(Modifiers::SHIFT, key) {
            step(view, made, ways, true);
            out.extend(selected(scene, view, made));
        } else if pressed(Modifiers::NONE, key) {
            step(view, made, ways, false);
        }
    }
    let last = made.script.count.checked_sub(1);
    if let (true, Some(head)) = (pressed(Modifiers::COMMAND, Key::A), last) {
        view.picked = Some(Picked { anchor: 0, head });
        out.extend(selected(scene, view, made));
    }
}

/// The keys that do something with the picked words.
fn done(ui: &Ui, scene: Scene<'_>, view: &mut TranscriptView, made: &Made, out: &mut Actions) {
    let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
    let Some(picked) = view.picked else { return };
    if copies(ui) {
        ui.ctx().copy_text(text(scene, made, picked));
    }
    if pressed(Modifiers::NONE, Key::Enter) {
        hear(scene, made, picked.words().start, out);
    }
    if scene.has_coding {
        let region = || made.script.region(scene.session, picked.words());
        out.extend(code_menu::keys(ui, scene.session, &mut view.codes, region));
    }
    if pressed(Modifiers::NONE, Key::F2) {
        write(scene, view, made, picked.words().start);
    }
    if (pressed(Modifiers::NONE, Key::Delete) || pressed(Modifiers::NONE, Key::Backspace))
        && let Some(region) = made.script.region(scene.session, picked.words())
    {
        out.extend(calls::cut(scene.session, &made.script.places, &region));
    }
}

/// Whether the picked words are copied in this frame.
fn copies(ui: &Ui) -> bool {
    ui.input_mut(|input| {
        let count = input.events.len();
        input.events.retain(|event| *event != Event::Copy);
        input.events.len() < count
    })
}

#[derive(Clone, Copy)]
enum Way {
    Back,
    On,
    Up,
    Down,
    First,
    Last,
}

/// Goes to another word, and scrolls to its line if that is out of view.
fn step(view: &mut TranscriptView, made: &Made, way: Way, extends: bool) {
    let first = view.cells.first().map_or(0, |(word, _)| *word);
    let Some(picked) = view.picked else {
        view.picked = (made.script.count > 0).then_some(Picked { anchor: first, head: first });
        return;
    };
    let head = match way {
        Way::Back => picked.head.saturating_sub(1),
        Way::On => (picked.head + 1).min(made.script.count - 1),
        Way::Up => beside(made, picked.head, -1).unwrap_or(picked.head),
        Way::Down => beside(made, picked.head, 1).unwrap_or(picked.head),
        Way::First => edges(made, picked.head).map_or(picked.head, |(first, _)| first),
        Way::Last => edges(made, picked.head).map_or(picked.head, |(_, last)| last),
    };
    let head = drawn(made, head, way).unwrap_or(picked.head);
    let anchor = if extends { picked.anchor } else { head };
    view.picked = Some(Picked { anchor, head });
    if !view.cells.iter().any(|(word, _)| *word == head) {
        view.wanted = made.script.line_of(head);
    }
}

/// The next word that is drawn, from one on.
fn drawn(made: &Made, from: usize, way: Way) -> Option<usize> {
    let is_drawn = |word: &usize| !made.script.hidden.contains(word);
    match way {
        Way::Back | Way::Last => (0..=from).rev().find(is_drawn),
        Way::On | Way::Up | Way::Down | Way::First => (from..made.script.count).find(is_drawn),
    }
}

/// The first and the last word of a word's line.
fn edges(made: &Made, word: usize) -> Option<(usize, usize)> {
    let line = made.script.line_of(word)?;
    let Line::Words { part, first, last } = *made.script.lines.get(line)? else { return None };
    let begun = made.script.parts.get(part)?.first;
    Some((begun + first, begun + last.checked_sub(1)?))
}

/// The word at the same place of the next line with words, `by` lines on.
fn beside(made: &Made, word: usize, by: isize) -> Option<usize> {
    let line = made.script.line_of(word)?;
    let number = |part: usize, place: usize| made.script.parts[part].first + place;
    let Line::Words { part, first, .. } = made.script.lines[line] else { return None };
    let across = word - number(part, first);
    let mut at = line.checked_add_signed(by)?;
    loop {
        match made.script.lines.get(at)? {
            Line::Words { part, first, last } => {
                return Some(number(*part, (*first + across).min(*last - 1)));
            }
            Line::Source(_) | Line::Head { .. } => at = at.checked_add_signed(by)?,
        }
    }
}
