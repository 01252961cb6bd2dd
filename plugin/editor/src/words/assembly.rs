//! The assembly: phrases in playing order, moved by dragging. Removed phrases, and takes that do not play,
//! are folded.

#[cfg(test)]
mod looked_tests;
mod picked;
mod row;
#[cfg(test)]
mod row_tests;
#[cfg(test)]
mod tests;
pub(crate) mod view;

use super::empty_page;
use crate::action::{Action, Actions, Gesture, call};
use crate::file_call::{AssemblyFile, FileCall};
use crate::icons;
use crate::kit::controls::{Button, Kind, State, icon_button, whole_name};
use crate::kit::{Cut, Cx, menu};
use crate::scene::Scene;
use crate::theme::{Type, space};
use crate::words::assembly::view::{AssemblyView, Made, ROW};
use crate::words::view::Page;
use deskhand_session::text::{self, count};
use deskhand_session::{ClipId, PhraseId, Session, SourceId};
use egui::{Rect, ScrollArea, Sense, Ui, UiBuilder, vec2};
use serde_json::json;
use std::collections::BTreeSet;

/// A line of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// A phrase that plays, by its place.
    Plays(usize, PhraseId),
    /// The fold of removed phrases.
    Fold(usize),
    Removed(PhraseId),
}

impl Line {
    /// What tells it from the others, wherever it is moved to.
    fn salt(self) -> Option<PhraseId> {
        match self {
            Self::Plays(_, id) | Self::Removed(id) => Some(id),
            Self::Fold(_) => None,
        }
    }
}

/// Draws it in `rect`. Returns the page to go to, if one was requested, with the phrase whose takes to
/// show.
pub(crate) fn show(
    ui: &mut Ui,
    scene: Scene<'_>,
    view: &mut AssemblyView,
    rect: Rect,
    out: &mut Actions,
) -> Option<(Page, Option<PhraseId>)> {
    let made = view.made.take().filter(|made| made.head == scene.head);
    let made = made.unwrap_or_else(|| Made::new(ui, scene));
    if view.sent.as_ref().is_some_and(|(head, _)| *head != scene.head) {
        view.sent = None;
    }
    let session = scene.session;
    if session.assembly.is_empty() {
        let (words, first) = first_step(session);
        let said = ("Nothing is assembled yet", words);
        let page = first.show(&Cx::new(ui), scene, said, rect, out);
        return page.map(|page| (page, None));
    }
    let order = view.sent.as_ref().map(|(_, order)| order).unwrap_or(&session.assembly.order);
    let order = order.clone();
    let mut rest = rect;
    if !view.picked.is_empty() {
        let there: BTreeSet<&PhraseId> = order.iter().collect();
        view.picked.retain(|id| there.contains(id));
    }
    let (from, picked) = (view.chosen, view.picked.len());
    head(&Cx::new(ui), scene, &made, (&order, from, picked), rest.cut_top(40.0), out);
    let removed = &session.assembly.removed;
    let mut lines: Vec<Line> =
        order.iter().enumerate().map(|(place, id)| Line::Plays(place, *id)).collect();
    if !removed.is_empty() {
        lines.push(Line::Fold(removed.len()));
        if view.shows_removed {
            lines.extend(removed.iter().map(|id| Line::Removed(*id)));
        }
    }
    let asked = list(ui, scene, view, &made, (&order, &lines), rest, out);
    view.made = Some(made);
    asked.map(|(page, phrase)| (page, Some(phrase)))
}

/// The first step to phrases.
pub(super) enum First {
    /// Something is to be written down, on another page.
    Transcribe,
    /// It is to be placed on a track, by the pointer.
    Place,
    /// The call that finds them; its plan waits.
    Find(Action),
}

impl First {
    /// Draws an empty page with the text `said`. Returns the page where the next step is.
    pub(super) fn show(
        self,
        cx: &Cx<'_>,
        scene: Scene<'_>,
        said: (&str, &str),
        rect: Rect,
        out: &mut Actions,
    ) -> Option<Page> {
        let step = match &self {
            Self::Transcribe => Some(("Go to the transcript", false)),
            Self::Place => None,
            Self::Find(_) => Some(("Find phrases", scene.runs(&[Gesture::FindPhrases]))),
        };
        let (_, is_taken) = empty_page::show(cx, rect, said, step);
        match self {
            Self::Transcribe if is_taken => return Some(Page::Transcript),
            Self::Find(find) if is_taken => out.push(find),
            Self::Transcribe | Self::Place | Self::Find(_) => {}
        }
        None
    }
}

/// How to come to phrases, in words, and the first step to it.
pub(super) fn first_step(session: &Session) -> (&'static str, First) {
    let transcribed = session.sources.keys().filter(|id| !session.transcript_of(**id).is_empty());
    let transcribed: BTreeSet<&SourceId> = transcribed.collect();
    let clips = session.clips.iter().filter(|(_, clip)| transcribed.contains(&clip.source));
    let clips: Vec<ClipId> = clips.map(|(id, _)| *id).collect();
    if transcribed.is_empty() {
        let words = "An assembly puts phrases of transcripts into an order. Transcribe first, on the page Transcript.";
        return (words, First::Transcribe);
    }
    if clips.is_empty() {
        let words = "An assembly is made of clips, and none plays what is written down: drag it from the library to a \
                     track.";
        return (words, First::Place);
    }
    let words = "Find the phrases of what was said: they are listed here in order, to move, remove and play.";
    let (gesture, params) = (Gesture::FindPhrases, json!({"targets": clips}));
    (words, First::Find(Action::Plan { gesture, params }))
}

const TIGHTENED: &str =
    "Cut fillers and false starts and shorten long pauses; each can be heard and left in";

/// The number of phrases, their playing time, whether the work is done, and the button that removes fillers
/// and long pauses.
fn head(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    made: &Made,
    (order, from, picked): (&[PhraseId], Option<PhraseId>, usize),
    mut rect: Rect,
    out: &mut Actions,
) {
    cx.hline(rect.left(), rect.right(), rect.bottom() - 1.0, cx.t.line);
    let runs = scene.runs(&[Gesture::Tighten]);
    let state = if runs { State::Disabled } else { State::Normal };
    let button = Button::new(Kind::Secondary, "Tighten").icon(icons::SCISSORS).state(state);
    let cell = rect.cut_right(button.width(cx) + space::M).pad(0.0, 6.0);
    let cell = Rect::from_min_max(cell.min, cell.max - vec2(space::M, 0.0));
    let told = if runs { "It is being done" } else { TIGHTENED };
    if button.show(cx, cell).on_hover_text(told).clicked() && !runs {
        // The plan waits: each filler is heard before it is removed.
        let (gesture, params) = (Gesture::Tighten, json!({"targets": "all"}));
        out.push(Action::Plan { gesture, params });
    }
    hear_and_export(cx, scene, made, (order, from), &mut rect, out);
    let gone = order.iter().filter(|id| made.is_cut(**id)).count();
    let cut = if gone > 0 { format!(", {gone} cut") } else { String::new() };
    let length = text::tenths(made.length);
    let picked = if picked > 1 { format!(" · {picked} picked") } else { String::new() };
    let words = format!("{}{cut} · {length}{picked}", count(order.len(), "phrase"));
    let room = rect.width() - 2.0 * space::M;
    let left = cx.elided(rect.left_mid(space::M), &words, Type::SMALL, cx.t.text_2, room);
    let node = cx.label(left, "length", &words);
    whole_name(cx, node, &words, (Type::SMALL, room));
    let room = rect.right() - left.right() - 48.0;
    if let Some(finished) = scene.session.assembly.finished.as_ref().filter(|_| room > 24.0) {
        let at = egui::pos2(left.right() + 36.0, rect.center().y);
        cx.icon_fill(at - vec2(12.0, 0.0), icons::CHECK_CIRCLE, 14.0, cx.t.ok);
        cx.elided(at, finished, Type::SMALL, cx.t.text_2, room);
    }
}

/// Plays the edit from the phrase that is chosen, else from the first; and writes it to files.
fn hear_and_export(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    made: &Made,
    (order, from): (&[PhraseId], Option<PhraseId>),
    rect: &mut Rect,
    out: &mut Actions,
) {
    let button = Button::new(Kind::Secondary, "Export…");
    let cell = rect.cut_right(button.width(cx) + space::S).pad(0.0, 6.0);
    let cell = Rect::from_min_max(cell.min, cell.max - vec2(space::S, 0.0));
    let export = button.show(cx, cell);
    menu::of(&export).show(|ui| {
        let mut write = |ui: &mut Ui, file: FileCall| {
            if menu::entry(ui, format!("{}…", file.title())) {
                out.push(Action::File(file));
            }
        };
        write(ui, FileCall::ExportMix);
        menu::line(ui);
        for file in AssemblyFile::ALL {
            write(ui, FileCall::ExportAssembly(file));
        }
    });
    let cell = rect.cut_right(28.0 + space::S);
    let cell = cell.row_box(cell.left(), vec2(28.0, 28.0));
    let from = from.filter(|id| order.contains(id)).or(order.first().copied());
    let play = icon_button(cx, cell, icons::PLAY, "Play from the chosen phrase");
    if let Some(from) = from.filter(|_| play.clicked()) {
        row::hear(scene, made, from, out);
    }
}

fn list(
    ui: &mut Ui,
    scene: Scene<'_>,
    view: &mut AssemblyView,
    made: &Made,
    (order, lines): (&[PhraseId], &[Line]),
    rect: Rect,
    out: &mut Actions,
) -> Option<(Page, PhraseId)> {
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect.pad(4.0, 4.0)).id_salt("assembly"));
    child.spacing_mut().item_spacing.y = 0.0;
    let mut area = ScrollArea::vertical().id_salt("assembly").auto_shrink(false);
    if let Some(line) = view.wanted.take() {
        area = area.vertical_scroll_offset((line as f32 * ROW - rect.height() / 2.0).max(0.0));
    }
    let now = made.heard(scene);
    let mut wish = None;
    view.target = None;
    let is_shown = |id: &PhraseId| order.contains(id) && made.spoken.contains_key(id);
    view.takes_keyboard = view.takes_keyboard.filter(is_shown);
    area.show_rows(&mut child, ROW, lines.len(), |ui, range| {
        row::scroll(ui, rect);
        bring(ui, view.takes_keyboard, lines, range.start);
        for line in range.filter_map(|index| lines.get(index)) {
            let size = vec2(ui.available_width(), ROW);
            let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
            // Two phrases may say the same: each has ids of its own.
            let own = UiBuilder::new().max_rect(rect).id_salt(line.salt());
            let own = ui.new_child(own);
            let cx = Cx::new(&own);
            match line {
                Line::Plays(place, _) => {
                    let wished = row::plays(&cx, scene, view, made, (order, *place), rect, &now);
                    wish = wished.or(wish.take());
                }
                Line::Fold(count) => row::fold(&cx, view, *count, rect),
                Line::Removed(id) => row::removed(&cx, scene, made, *id, rect, out),
            }
        }
    });
    let wish = wish?;
    grant(ui, scene, view, made, order, wish, out);
    match wish {
        row::Wish::Takes(id) => Some((Page::Takes, id)),
        _ => None,
    }
}

/// Carries out a row's request, unless it is another page.
fn grant(
    ui: &Ui,
    scene: Scene<'_>,
    view: &mut AssemblyView,
    made: &Made,
    order: &[PhraseId],
    wish: row::Wish,
    out: &mut Actions,
) {
    match wish {
        row::Wish::Hear(id) => row::hear(scene, made, id, out),
        row::Wish::Go(id) => {
            view.takes_keyboard = Some(id);
            ui.ctx().request_repaint();
        }
        row::Wish::Remove(id) => remove(view, order, (id, vec![id]), out),
        row::Wish::RemoveAll(id) => {
            let all = view.all_with(order, id);
            remove(view, order, (id, all), out);
        }
        row::Wish::Mark => picked::mark(scene, view, order, out),
        row::Wish::Move(id, to) => reorder(scene, view, order, id, to, out),
        row::Wish::Takes(_) => {}
    }
}

/// Scrolls to the phrase that should get the keyboard. `first` is the first drawn line.
fn bring(ui: &Ui, wanted: Option<PhraseId>, lines: &[Line], first: usize) {
    let is_it = |line: &Line| matches!(line, Line::Plays(_, id) if Some(*id) == wanted);
    let Some(place) = lines.iter().position(is_it) else { return };
    let at = ui.max_rect().left_top() + vec2(0.0, (place as f32 - first as f32) * ROW);
    ui.scroll_to_rect(Rect::from_min_size(at, vec2(ui.available_width(), ROW)), None);
}

/// Removes phrases, one of them focused. The phrase next to it gets the keyboard.
fn remove(
    view: &mut AssemblyView,
    order: &[PhraseId],
    (id, gone): (PhraseId, Vec<PhraseId>),
    out: &mut Actions,
) {
    let next = beside(order, &gone, id);
    (view.takes_keyboard, view.chosen) = (next, next.or(view.chosen));
    out.push(call(Gesture::RemovePhrases, json!({"group_ids": gone})));
}

/// The next phrase in the order that stays, or else the last one before it.
fn beside(order: &[PhraseId], gone: &[PhraseId], id: PhraseId) -> Option<PhraseId> {
    let place = order.iter().position(|known| *known == id)?;
    let stays = |known: &&PhraseId| !gone.contains(known);
    let behind = order.iter().skip(place).find(stays);
    behind.or_else(|| order.iter().take(place).rev().find(stays)).copied()
}

/// Moves a phrase, and those picked with it, before the one that is at `to` now.
fn reorder(
    scene: Scene<'_>,
    view: &mut AssemblyView,
    order: &[PhraseId],
    id: PhraseId,
    to: usize,
    out: &mut Actions,
) {
    let moved = moved(order, &view.all_with(order, id), to);
    if moved == order {
        return;
    }
    view.wanted = moved.iter().position(|known| *known == id).filter(|_| view.target.is_none());
    out.push(call(Gesture::ReorderPhrases, json!({"ordered_group_ids": moved})));
    view.sent = Some((scene.head, moved));
}

/// The order with some of its phrases, in sequence, before the one that is at `to` now.
fn moved(order: &[PhraseId], some: &[PhraseId], to: usize) -> Vec<PhraseId> {
    let stays = |known: &&PhraseId| !some.contains(known);
    let ahead = order.iter().take(to).filter(stays).count();
    let rest: Vec<PhraseId> = order.iter().filter(stays).copied().collect();
    let (head, tail) = rest.split_at(ahead);
    [head, some, tail].concat()
}
