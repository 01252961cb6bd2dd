//! The assembly: phrases in the order in which they play, moved by dragging; what was removed, and takes that do not
//! play, folded.

mod row;
#[cfg(test)]
mod tests;

use super::Page;
use super::blank;
use super::calls::call;
use super::place::Places;
use crate::action::Action;
use crate::file_call::{AssemblyFile, FileCall};
use crate::icons;
use crate::kit::controls::{Button, Kind, State, icon_button};
use crate::kit::{Cut, Cx};
use crate::model::Scene;
use crate::theme::{Theme, Type, space};
use deskhand_dsp::Frames;
use deskhand_session::{ClipId, PhraseId, Playing, RevisionId, Session, SourceId, Spoken};
use egui::{Popup, Rect, ScrollArea, Sense, Ui, UiBuilder, vec2};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

const ROW: f32 = 32.0;

/// What the assembly keeps between frames.
#[derive(Default)]
pub(crate) struct AssemblyView {
    made: Option<Made>,
    chosen: Option<PhraseId>,
    shows_removed: bool,
    /// An order that is on its way to the session.
    sent: Option<(RevisionId, Vec<PhraseId>)>,
    /// Where a phrase that is dragged would go.
    target: Option<usize>,
    /// The row to bring into view.
    wanted: Option<usize>,
}

/// What is made once for a revision.
struct Made {
    head: RevisionId,
    places: Places,
    spoken: BTreeMap<PhraseId, Spoken>,
    /// How much of each plays.
    lengths: BTreeMap<PhraseId, Frames>,
    /// How many takes the phrase has that do not play.
    others: BTreeMap<PhraseId, usize>,
    /// How long it plays, pauses and all, in seconds.
    length: f64,
}

impl Made {
    fn new(scene: Scene<'_>) -> Self {
        let session = scene.session;
        let spoken = session.phrases.keys().filter_map(|id| Some((*id, session.spoken(*id)?)));
        let groups = session.assembly.duplicates.iter();
        let (places, spoken) = (Places::new(session), spoken.collect());
        let playing = Playing::of(session);
        let lengths =
            session.phrases.keys().filter_map(|id| Some((*id, playing.length(session, *id)?)));
        Self {
            head: scene.head,
            lengths: lengths.collect(),
            length: length(session, &places, &spoken),
            places,
            spoken,
            others: groups.map(|group| (group.chosen, group.takes.len() - 1)).collect(),
        }
    }

    /// What is heard now: each source with its frame.
    fn heard(&self, scene: Scene<'_>) -> Vec<(SourceId, Frames)> {
        match scene.live.audition {
            Some(alone) => vec![(alone.source, alone.at)],
            None => self.places.at(scene.live.position),
        }
    }
}

/// From where the first of its phrases is heard to where the last ends, in seconds.
fn length(session: &Session, places: &Places, spoken: &BTreeMap<PhraseId, Spoken>) -> f64 {
    let order = session.assembly.order.iter().filter_map(|id| spoken.get(id));
    let heard = order.flat_map(|it| places.stretches(it.source, it.start, it.end));
    let span = heard.map(|it| (it.from, it.to)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    span.map_or(0.0, |(from, to)| (to - from).seconds(session.rate).0)
}

/// A line of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// A phrase that plays, by its place.
    Plays(usize, PhraseId),
    /// The fold of what was removed.
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

/// Draws it in `rect`; gives the page to go to, if one was asked for, with the phrase whose takes it shows.
pub(crate) fn show(
    ui: &mut Ui,
    theme: &Theme,
    scene: Scene<'_>,
    view: &mut AssemblyView,
    rect: Rect,
    out: &mut Vec<Action>,
) -> Option<(Page, PhraseId)> {
    let made = view.made.take().filter(|made| made.head == scene.head);
    let made = made.unwrap_or_else(|| Made::new(scene));
    if view.sent.as_ref().is_some_and(|(head, _)| *head != scene.head) {
        view.sent = None;
    }
    let session = scene.session;
    if session.assembly.is_empty() {
        nothing(&Cx::new(ui, theme), scene, rect, out);
        return None;
    }
    let order = view.sent.as_ref().map(|(_, order)| order).unwrap_or(&session.assembly.order);
    let order = order.clone();
    let mut rest = rect;
    let from = view.chosen;
    head(&Cx::new(ui, theme), scene, &made, (&order, from), rest.cut_top(40.0), out);
    let removed = &session.assembly.removed;
    let mut lines: Vec<Line> =
        order.iter().enumerate().map(|(place, id)| Line::Plays(place, *id)).collect();
    if !removed.is_empty() {
        lines.push(Line::Fold(removed.len()));
        if view.shows_removed {
            lines.extend(removed.iter().map(|id| Line::Removed(*id)));
        }
    }
    let asked = list(ui, theme, scene, view, &made, (&order, &lines), rest, out);
    view.made = Some(made);
    asked
}

/// What to do before there is an assembly.
fn nothing(cx: &Cx<'_>, scene: Scene<'_>, rect: Rect, out: &mut Vec<Action>) {
    let (words, find) = first_step(scene.session);
    let step = find.is_some().then(|| (FIND, scene.runs(&[FINDS])));
    let (_, is_taken) = blank::show(cx, rect, ("Nothing is assembled yet", words), step);
    out.extend(find.filter(|_| is_taken));
}

/// What finds the phrases: what its button says, and the tool.
pub(super) const FIND: &str = "Find phrases";
pub(super) const FINDS: &str = "tool_find_phrases";

/// How to come to phrases, in words, and the call that finds them; none where something is to be done before.
pub(super) fn first_step(session: &Session) -> (&'static str, Option<Action>) {
    let transcribed = session.sources.keys().filter(|id| !session.transcript_of(**id).is_empty());
    let transcribed: BTreeSet<&SourceId> = transcribed.collect();
    let clips = session.clips.iter().filter(|(_, clip)| transcribed.contains(&clip.source));
    let clips: Vec<ClipId> = clips.map(|(id, _)| *id).collect();
    let words = if transcribed.is_empty() {
        "An assembly puts phrases of transcripts into an order. Transcribe first, on the page Transcript."
    } else if clips.is_empty() {
        "An assembly is made of clips, and none plays what is written down: drag it from the library to a track."
    } else {
        "Find the phrases of what was said: they stand here in their order, to be moved, removed and played."
    };
    (words, (!clips.is_empty()).then(|| call(FINDS, json!({"targets": clips}))))
}

/// What takes fillers and long pauses out: the tool, and what it does.
const TIGHTENS: &str = "tool_tighten";
const TIGHTENED: &str =
    "Cut fillers and false starts and shorten long pauses; each can be heard and left in";

/// How many phrases, how long they play, whether the work is done, and what takes fillers and long pauses out.
fn head(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    made: &Made,
    (order, from): (&[PhraseId], Option<PhraseId>),
    mut rect: Rect,
    out: &mut Vec<Action>,
) {
    cx.hline(rect.left(), rect.right(), rect.bottom() - 1.0, cx.t.line);
    let runs = scene.runs(&[TIGHTENS]);
    let state = if runs { State::Disabled } else { State::Normal };
    let button = Button::new(Kind::Secondary, "Tighten").icon(icons::SCISSORS).state(state);
    let cell = rect.cut_right(button.width(cx) + space::M).pad(0.0, 6.0);
    let cell = Rect::from_min_max(cell.min, cell.max - vec2(space::M, 0.0));
    let told = if runs { "It is being done" } else { TIGHTENED };
    if button.show(cx, cell).on_hover_text(told).clicked() && !runs {
        // It waits: each filler is heard before it is taken.
        let (tool, params) = (TIGHTENS.into(), json!({"targets": "all"}));
        out.push(Action::Measure { tool, params });
    }
    hear_and_export(cx, scene, made, (order, from), &mut rect, out);
    let count =
        if order.len() == 1 { "1 phrase".into() } else { format!("{} phrases", order.len()) };
    let words = format!("{count} · {}", crate::describe::brief(made.length));
    let left = cx.left(rect.left_mid(space::M), &words, Type::SMALL, cx.t.text_2);
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
    out: &mut Vec<Action>,
) {
    let button = Button::new(Kind::Secondary, "Export…");
    let cell = rect.cut_right(button.width(cx) + space::S).pad(0.0, 6.0);
    let cell = Rect::from_min_max(cell.min, cell.max - vec2(space::S, 0.0));
    let export = button.show(cx, cell);
    Popup::menu(&export).show(|ui| {
        let mut write = |ui: &mut Ui, file: FileCall| {
            if ui.button(format!("{}…", file.title())).clicked() {
                out.push(Action::File(file));
            }
        };
        write(ui, FileCall::ExportMix);
        ui.separator();
        for file in AssemblyFile::ALL {
            write(ui, FileCall::ExportAssembly(file));
        }
    });
    let cell = rect.cut_right(28.0 + space::S);
    let cell = cell.row_box(cell.left(), vec2(28.0, 28.0));
    let from = from.filter(|id| order.contains(id)).or(order.first().copied());
    let play = icon_button(cx, cell, icons::PLAY, false, "Play from the chosen phrase");
    if let Some(from) = from.filter(|_| play.clicked()) {
        row::hear(scene, made, from, out);
    }
}

#[expect(clippy::too_many_arguments, reason = "the list reads all of the page")]
fn list(
    ui: &mut Ui,
    theme: &Theme,
    scene: Scene<'_>,
    view: &mut AssemblyView,
    made: &Made,
    (order, lines): (&[PhraseId], &[Line]),
    rect: Rect,
    out: &mut Vec<Action>,
) -> Option<(Page, PhraseId)> {
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect.pad(4.0, 4.0)).id_salt("assembly"));
    child.spacing_mut().item_spacing.y = 0.0;
    let mut area = ScrollArea::vertical().id_salt("assembly").auto_shrink(false);
    if let Some(line) = view.wanted.take() {
        area = area.vertical_scroll_offset((line as f32 * ROW - rect.height() / 2.0).max(0.0));
    }
    let now = made.heard(scene);
    let (mut asked, mut wish) = (None, None);
    view.target = None;
    area.show_rows(&mut child, ROW, lines.len(), |ui, range| {
        for line in range.filter_map(|index| lines.get(index)) {
            let size = vec2(ui.available_width(), ROW);
            let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
            // Two phrases may say the same: each has ids of its own.
            let own = UiBuilder::new().max_rect(rect).id_salt(line.salt());
            let own = ui.new_child(own);
            let cx = Cx::new(&own, theme);
            match line {
                Line::Plays(place, id) => {
                    let wished = row::plays(&cx, scene, view, made, (*place, *id), rect, &now);
                    wish = wished.or(wish.take());
                }
                Line::Fold(count) => row::fold(&cx, view, *count, rect),
                Line::Removed(id) => row::removed(&cx, scene, made, *id, rect, out),
            }
        }
    });
    match wish {
        Some(row::Wish::Hear(id)) => row::hear(scene, made, id, out),
        Some(row::Wish::Remove(id)) => {
            out.push(call("tool_remove_segments", json!({"group_ids": [id]})));
        }
        Some(row::Wish::Takes(id)) => asked = Some((Page::Takes, id)),
        Some(row::Wish::Move(id, to)) => reorder(scene, view, order, id, to, out),
        None => {}
    }
    asked
}

/// A phrase goes ahead of the one that is at `to` now.
fn reorder(
    scene: Scene<'_>,
    view: &mut AssemblyView,
    order: &[PhraseId],
    id: PhraseId,
    to: usize,
    out: &mut Vec<Action>,
) {
    let moved = moved(order, id, to);
    if moved == order {
        return;
    }
    view.wanted = moved.iter().position(|known| *known == id).filter(|_| view.target.is_none());
    out.push(call("tool_reorder_segments", json!({"ordered_group_ids": moved})));
    view.sent = Some((scene.head, moved));
}

fn moved(order: &[PhraseId], id: PhraseId, to: usize) -> Vec<PhraseId> {
    let Some(from) = order.iter().position(|known| *known == id) else { return order.to_vec() };
    let mut moved = order.to_vec();
    moved.remove(from);
    let to = if to > from { to - 1 } else { to };
    moved.insert(to.min(moved.len()), id);
    moved
}
