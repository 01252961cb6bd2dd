//! The transcript: words in lines, lit while they play. A click plays a word, a drag picks words, and
//! picked words can be coded, cut or corrected. Only visible lines are laid out.

mod about;
mod bar;
mod bleed;
#[cfg(test)]
mod bleed_tests;
#[cfg(test)]
mod cuts_tests;
mod facts;
mod import;
#[cfg(test)]
mod keys_tests;
mod line;
mod menu;
mod pick;
mod picked;
#[cfg(test)]
mod picked_tests;
mod provisional;
#[cfg(test)]
pub(crate) mod tests;
mod typing;
pub(crate) mod view;

use super::empty_page;
use super::lines::{Line, Script};
use super::names::Names;
use super::struck::Struck;
use crate::action::{Action, Actions, Gesture, call};
use crate::coding::code_menu;
use crate::coding::coded::Coded;
use crate::kit::controls::{Button, Kind};
use crate::kit::{Cut, Cx};
use crate::scene::Scene;
use crate::theme::{Type, space};
use deskhand_dsp::Frames;
use deskhand_session::{Session, SourceId};
use egui::{Rect, ScrollArea, Ui, UiBuilder, vec2};
use serde_json::json;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use view::{GAP, Made, NAME, NARROW, Of, Picked, ROW, STAR, TranscriptView};

/// The smallest and the largest width of speaker names.
const NAMES: (f32, f32) = (56.0, 160.0);

/// Draws it in `rect`.
pub(crate) fn show(
    ui: &mut Ui,
    scene: Scene<'_>,
    view: &mut TranscriptView,
    rect: Rect,
    out: &mut Actions,
) {
    let mut rest = rect;
    let head = rest.cut_top(40.0);
    let made = settle(ui, scene, view, rest.width());
    let so_far = provisional::found(scene);
    let is_empty = made.script.parts.is_empty() && made.struck.places == 0;
    if is_empty && !so_far.is_empty() {
        provisional::show(ui, scene, &so_far, rect);
        view.made = Some(made);
        return;
    }
    if is_empty {
        nothing(&Cx::new(ui), scene, view.only, rect, out);
        view.made = Some(made);
        return;
    }
    code_menu::came(ui, scene.session, &mut view.codes, out);
    bar::search(ui, scene, view, &made, head, out);
    if let Some(strip) = bleed::strip(view, &made) {
        bleed::show(ui, scene, view, &strip, rest.cut_top(32.0), out);
    }
    let foot = rest.cut_bottom(bar::picked_height(rest.width()));
    if !so_far.is_empty() {
        let strip = rest.cut_bottom(provisional::height(so_far.len()));
        provisional::show(ui, scene, &so_far, strip);
    }
    follow(scene, view, &made);
    lines(ui, scene, view, &made, rest, out);
    about::settle(scene, view, &made);
    let about = view.about.take();
    bar::picked(ui, scene, view, &made, about.as_ref(), foot, out);
    view.about = about;
    typing::show(ui, &mut view.typing, view.list, out);
    view.made = Some(made);
}

/// The lines in their current state. They are laid out again when the session, the width or the source
/// changes.
fn settle(ui: &Ui, scene: Scene<'_>, view: &mut TranscriptView, width: f32) -> Made {
    let of = Of {
        head: scene.head,
        only: view.only,
        shown: (view.bleed, view.cuts),
        width: width.round() as u32,
    };
    let earlier = view.made.take();
    if earlier.as_ref().is_some_and(|made| made.of.only != of.only) {
        (view.picked, view.hit, view.followed) = (None, None, None);
    }
    let earlier = match earlier {
        Some(made) if made.of == of => return made,
        earlier => earlier.unwrap_or_default(),
    };
    let session = scene.session;
    let (names, left) = speakers(ui, session, width);
    let ruler = Ruler::new(ui);
    let mut wide = |word: &str| ruler.width(word);
    let script = Script::new(session, (view.only, of.shown), width - left - STAR, &mut wide);
    let script = if width < NARROW { script.with_heads() } else { script };
    // Words may have moved: the same ones stay picked.
    let same = |it: Picked| Some(it.from(script.same(&earlier.script, it.words())?));
    view.picked = view.picked.and_then(same);
    let (plain, coded) = (OnceCell::new(), Coded::new(session));
    let twins = bleed::twins(session, &script);
    let sources = transcribed(session);
    let struck = Struck::of(session, view.only);
    let made = Made { of, script, struck, sources, plain, coded, names, left, twins };
    // In lines of another width words have the numbers that they had.
    if earlier.of != (Of { width: earlier.of.width, ..of }) {
        view.found = made.find(session, &view.looked_for);
        view.hit = view.hit.filter(|hit| *hit < view.found.len());
    }
    made
}

/// The sources in which anything is said, in the order of the timeline.
fn transcribed(session: &Session) -> Vec<SourceId> {
    let spoken = session.segments.values().filter(|segment| !segment.words.is_empty());
    let spoken: BTreeSet<SourceId> = spoken.map(|segment| segment.source).collect();
    let mut sources = import::in_order(session);
    sources.retain(|source| spoken.contains(source));
    sources
}

/// The names of the speakers, and where the words begin after them.
fn speakers(ui: &Ui, session: &Session, width: f32) -> (Names, f32) {
    let said = session.segments.values().filter(|segment| !segment.words.is_empty());
    let speakers = said.filter_map(|segment| segment.speaker.as_deref());
    // Most of the room is for the words.
    let names = Names::new(ui, speakers, (NAMES.0, NAMES.1.min(width * 0.3)));
    let left = match names.width {
        _ if width < NARROW => GAP,
        names if names > 0.0 => NAME + names + GAP,
        _ => NAME,
    };
    (names, left)
}

/// The widths of words, letter by letter. Common letters are looked up once.
struct Ruler<'a> {
    ui: &'a Ui,
    font: egui::FontId,
    ascii: Vec<f32>,
}

impl<'a> Ruler<'a> {
    fn new(ui: &'a Ui) -> Self {
        let font = Type::BODY.font();
        let known = (0u8..128).map(|byte| if byte < 32 { ' ' } else { char::from(byte) });
        let ascii = ui.ctx().fonts_mut(|fonts| {
            known.map(|letter| fonts.glyph_width(&font, letter)).collect::<Vec<f32>>()
        });
        Self { ui, font, ascii }
    }

    fn width(&self, word: &str) -> f32 {
        word.chars().map(|letter| self.letter(letter)).sum()
    }

    fn letter(&self, letter: char) -> f32 {
        let other = || self.ui.ctx().fonts_mut(|fonts| fonts.glyph_width(&self.font, letter));
        self.ascii.get(letter as usize).copied().unwrap_or_else(other)
    }
}

/// The instructions before the first transcription.
fn nothing(cx: &Cx<'_>, scene: Scene<'_>, only: Option<SourceId>, rect: Rect, out: &mut Actions) {
    const TITLE: &str = "Nothing is written down yet";
    let sources: Vec<SourceId> = scene.session.sources.keys().copied().collect();
    if sources.is_empty() && scene.live.is_hosted() {
        let words = "Play what is said once: Deskhand records it, and it can be transcribed then.";
        empty_page::show(cx, rect, (TITLE, words), None);
        return;
    }
    if sources.is_empty() {
        let words = "Import the recording of what is said first.";
        if empty_page::show(cx, rect, (TITLE, words), Some(("Import audio…", false))).1 {
            out.push(Action::Import);
        }
        return;
    }
    let words = "Transcribe what is said, or import a transcript: SRT, WebVTT, Whisper JSON or text. Then a \
                 click on a word is heard, and words that are cut are cut from the sound.";
    let step = Some(("Transcribe", scene.runs(&[Gesture::Transcribe])));
    let (cell, is_taken) = empty_page::show(cx, rect, (TITLE, words), step);
    if is_taken {
        out.push(call(Gesture::Transcribe, json!({"targets": sources})));
    }
    let button = Button::new(Kind::Secondary, import::NAME);
    let size = vec2(button.width(cx), 28.0);
    let cell = Rect::from_min_size(cell.right_top() + vec2(space::S, 0.0), size);
    import::hang(&button.show(cx, cell), scene, only, out);
}

/// What plays now: each source with its frame.
fn heard(scene: Scene<'_>, made: &Made) -> Vec<(SourceId, Frames)> {
    match scene.live.audition {
        Some(alone) => vec![(alone.source, alone.at)],
        None => made.script.places.at(scene.live.position),
    }
}

/// Brings the words that are heard into view when they come to another line.
fn follow(scene: Scene<'_>, view: &mut TranscriptView, made: &Made) {
    let now = heard(scene, made);
    // Of several microphones the one in which something was said last.
    let begun = now.iter().filter_map(|(source, at)| {
        let word = made.script.word_at(scene.session, *source, *at)?;
        Some((*at - made.script.start_of(scene.session, word)?, word))
    });
    let word = begun.min_by_key(|(ago, _)| *ago).map(|(_, word)| word);
    let line = word.and_then(|word| made.script.line_of(word));
    let plays = scene.live.motion != crate::live::Motion::Stopped;
    if line != view.followed {
        view.followed = line;
        if plays && !view.stays && view.typing.is_none() {
            view.wanted = line;
        }
    }
}

fn lines(
    ui: &mut Ui,
    scene: Scene<'_>,
    view: &mut TranscriptView,
    made: &Made,
    rect: Rect,
    out: &mut Actions,
) {
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt("transcript"));
    child.spacing_mut().item_spacing.y = 0.0;
    let mut area = ScrollArea::vertical().id_salt("lines").auto_shrink(false);
    if let Some(line) = view.wanted.take() {
        // A third from the top, so that the next lines are in view.
        let top = line as f32 * ROW - (rect.height() / 3.0).round();
        area = area.vertical_scroll_offset(top.max(0.0));
    }
    let now = heard(scene, made);
    area.show_rows(&mut child, ROW, made.script.lines.len(), |ui, range| {
        let shown = ui.clip_rect().intersect(rect);
        let list = pick::take(ui, scene, view, made, shown, out);
        view.cells.clear();
        view.drawn = range.len();
        for index in range {
            let size = vec2(ui.available_width(), ROW);
            let (row, _) = ui.allocate_exact_size(size, egui::Sense::hover());
            match made.script.lines[index] {
                Line::Source(id) => line::source(&Cx::new(ui), scene, row, id),
                Line::Head { part } => {
                    let part = &made.script.parts[part];
                    line::head(&Cx::new(ui), scene, view, made, part, row, out);
                }
                Line::Words { part, first, last } => {
                    let words = line::Words { part: &made.script.parts[part], first, last };
                    line::show(&Cx::new(ui), scene, view, made, &words, row, &now, out);
                }
            }
        }
        if list.has_focus() {
            let cx = Cx::new(ui);
            cx.stroke(shown.shrink(1.0), 3.0, 2.0, cx.t.focus);
        }
    });
}
