//! A line of a transcript: time, speaker, words, the codes under them, and a star.

use super::facts;
use super::typing::{Typing, What};
use crate::action::Actions;
use crate::clip_facts;
use crate::coding::coded::{Slots, bar, color_of};
use crate::coding::remove_codes;
use crate::kit::controls::whole_name;
use crate::kit::{Cut, Cx, menu, star};
use crate::scene::Scene;
use crate::theme::{Type, radius};
use crate::words::lines::Part;
use crate::words::transcript::view::{GAP, Made, NAME, STAR, TranscriptView};
use crate::words::{calls, distinct_names, names};
use deskhand_dsp::Frames;
use deskhand_protocol::transcript_tables::standing_out;
use deskhand_session::text::tenths;
use deskhand_session::{Segment, SourceId, Word};
use egui::{Rect, Role, Sense, WidgetInfo, pos2, vec2};

/// So many words tell a phrase from others that begin at once.
const BEGINS: usize = 4;

/// Less sure than this, a word is marked.
const UNSURE: f64 = 0.4;

/// Words of a part.
pub(super) struct Words<'a> {
    pub(super) part: &'a Part,
    pub(super) first: usize,
    pub(super) last: usize,
}

/// The name of a source above its words.
pub(super) fn source(cx: &Cx<'_>, scene: Scene<'_>, row: Rect, id: SourceId) {
    let name = distinct_names::source_name(scene.session, id);
    cx.elided(row.left_mid(8.0), &name, Type::CAPTION_STRONG, cx.t.text_2, row.width() - 24.0);
    cx.hline(row.left(), row.right(), row.bottom() - 1.0, cx.t.line);
    cx.label(row, ("source", id), format!("Transcript of {name}"));
}

#[expect(clippy::too_many_arguments, reason = "a line is among all of it")]
pub(super) fn show(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    view: &mut TranscriptView,
    made: &Made,
    words: &Words<'_>,
    row: Rect,
    now: &[(SourceId, Frames)],
    out: &mut Actions,
) {
    let Some(segment) = scene.session.segments.get(&words.part.id) else { return };
    let shown = &segment.words[words.first..words.last];
    let (Some(begin), Some(end)) = (shown.first(), shown.last()) else { return };
    let (from, to) = (begin.start, end.end.max(begin.start));
    let is_now = |at: &Frames| from <= *at && *at < to;
    let heard = now.iter().find(|(source, at)| *source == segment.source && is_now(at));
    let is_hovered = cx.ui.rect_contains_pointer(row.intersect(cx.ui.clip_rect()));
    if heard.is_some() {
        cx.fill(row.pad(4.0, 0.0), 3.0, cx.t.control);
    }
    // The words and what belongs to them; below them is room for codes.
    let text = Rect::from_min_size(row.min, vec2(row.width(), 24.0));
    node(cx, scene, made, words, segment, row);
    if words.first == 0 && made.left > GAP {
        time(cx, scene, view, made, (words.part, segment), text, out);
        speaker(cx, view, made, words.part, segment, text);
        star(cx, words.part, segment, text, is_hovered, out);
    }
    let mut x = row.left() + made.left;
    let space = cx.ui.ctx().fonts_mut(|fonts| fonts.glyph_width(&Type::BODY.font(), ' '));
    let is_bleed = segment.is_bleed();
    let mut cells = Vec::new();
    for (place, word) in shown.iter().enumerate() {
        let number = words.part.first + words.first + place;
        if made.script.hidden.contains(&number) {
            cells.push(Rect::from_min_size(pos2(x, row.top() + 2.0), vec2(0.0, 20.0)));
            continue;
        }
        let is_heard = heard.is_some_and(|(_, at)| lit(shown, place, *at));
        let look = Look { is_heard, is_bleed, space };
        let cell =
            one(cx, view, made, segment.source, number, word, pos2(x, row.top() + 12.0), look);
        view.cells.push((number, cell));
        cells.push(cell);
        x = cell.right() + space;
    }
    if words.last == segment.words.len() {
        tags(cx, segment, text, x);
    }
    codes(cx, scene, made, segment.source, shown, &cells, row);
}

/// The time and the speaker of a part in a line of their own.
pub(super) fn head(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    view: &mut TranscriptView,
    made: &Made,
    part: &Part,
    row: Rect,
    out: &mut Actions,
) {
    let Some(segment) = scene.session.segments.get(&part.id) else { return };
    let is_hovered = cx.ui.rect_contains_pointer(row.intersect(cx.ui.clip_rect()));
    // Nearer to its words than to those before it.
    let text = row.with_min_y(row.bottom() - 22.0);
    time(cx, scene, view, made, (part, segment), text, out);
    speaker(cx, view, made, part, segment, text);
    star(cx, part, segment, text, is_hovered, out);
}

/// Whether a word is the one that is heard: until the next begins, so that the light does not flicker.
fn lit(words: &[Word], place: usize, at: Frames) -> bool {
    let next = words.get(place + 1).map_or(words[place].end, |next| next.start);
    words[place].start <= at && at < next.max(words[place].end)
}

#[derive(Clone, Copy)]
struct Look {
    is_heard: bool,
    /// Another's microphone is where it is said.
    is_bleed: bool,
    space: f32,
}

/// Draws a word, and returns its rectangle.
#[expect(clippy::too_many_arguments, reason = "a word is drawn in many ways")]
fn one(
    cx: &Cx<'_>,
    view: &TranscriptView,
    made: &Made,
    source: SourceId,
    number: usize,
    word: &Word,
    at: egui::Pos2,
    look: Look,
) -> Rect {
    let is_picked = view.picked.is_some_and(|picked| picked.words().contains(&number));
    let plays = made.script.places.plays(source, word);
    let width = cx.width(&word.text, Type::BODY);
    let cell = Rect::from_min_size(pos2(at.x, at.y - 10.0), vec2(width, 20.0));
    let around = cell.expand2(vec2(look.space / 2.0, 0.0));
    if is_picked {
        cx.fill(around, 0.0, cx.t.zone);
    }
    if look.is_heard {
        cx.fill(around, 3.0, cx.t.text);
    }
    let found = view.found.partition_point(|place| place.end <= number);
    if view.found.get(found).is_some_and(|place| place.contains(&number)) {
        let is_shown = view.hit == Some(found);
        cx.border(around, 3.0, if is_shown { cx.t.text } else { cx.t.outline });
    }
    let color = match (look.is_heard, plays) {
        (true, _) => cx.t.panel,
        (false, true) if !look.is_bleed => cx.t.text,
        (false, _) => cx.t.text_3,
    };
    cx.left(at, &word.text, Type::BODY, color);
    if !plays {
        cx.hline(cell.left(), cell.right(), at.y.round(), color);
    } else if word.confidence.is_some_and(|sure| sure < UNSURE) {
        let y = cell.bottom() - 2.0;
        cx.dashes(&[pos2(cell.left(), y), pos2(cell.right(), y)], 1.0, cx.t.text_3);
    }
    cell
}

/// The line for screen readers.
fn node(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    made: &Made,
    words: &Words<'_>,
    segment: &Segment,
    row: Rect,
) {
    let response = cx.interact(row, ("line", words.part.id, words.first), Sense::hover());
    response.widget_info(|| {
        let shown = &segment.words[words.first..words.last];
        let numbered = shown.iter().zip(words.part.first + words.first..);
        let drawn = numbered.filter(|(_, number)| !made.script.hidden.contains(number));
        let text: Vec<&str> = drawn.map(|(word, _)| word.text.as_str()).collect();
        let (from, to) = (shown[0].start, shown[shown.len() - 1].end);
        let mut codes: Vec<String> = Vec::new();
        for stretch in made.coded.over(segment.source, from, to) {
            let name = scene.session.name_of(stretch.code.into());
            if !codes.contains(&name) {
                codes.push(name);
            }
        }
        let coded =
            if codes.is_empty() { String::new() } else { format!(", coded {}", codes.join(", ")) };
        let who = segment.speaker.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
        let tags = standing_out(segment).into_iter().map(|tag| format!(", {tag}"));
        let tags = tags.collect::<String>();
        WidgetInfo::labeled(Role::Label, true, format!("{who}{}{coded}{tags}", text.join(" ")))
    });
}

/// The time of a phrase. Its hint shows the facts, and a click edits them.
fn time(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    view: &mut TranscriptView,
    made: &Made,
    (part, segment): (&Part, &Segment),
    row: Rect,
    out: &mut Actions,
) {
    let placed = made.script.places.first_word(segment.source, &segment.words);
    let at = placed.unwrap_or(segment.words[0].start);
    let words = tenths(at.seconds(scene.session.rate).0);
    let color = if placed.is_some() { cx.t.text_3 } else { cx.t.disabled };
    let cell = cx.left(row.left_mid(8.0), &words, Type::SMALL, color);
    let response = cx.interact(cell, ("facts", part.id), Sense::click());
    let begins = segment.words.iter().take(BEGINS).map(|word| word.text.as_str());
    let name = format!("Describe {words}, {}", begins.collect::<Vec<_>>().join(" "));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    if response.has_focus() {
        cx.focus_ring(cell, radius::CONTROL);
    }
    let field = Rect::from_min_size(cell.left_top(), vec2(220.0, cell.height()));
    menu::of(&response).show(|ui| {
        view.typing = facts::menu(ui, part.id, segment, field, out).or(view.typing.take());
    });
    let known = clip_facts::of_segment(segment);
    if !known.is_empty() {
        response.on_hover_text(known.join("\n"));
    }
}

/// Notable facts of a phrase, at the right if there is room. The hint of its time has all of them.
fn tags(cx: &Cx<'_>, segment: &Segment, row: Rect, from: f32) {
    let right = row.right() - STAR;
    let tags = standing_out(segment).join(" · ");
    if !tags.is_empty() && from + cx.width(&tags, Type::CAPTION) + 12.0 <= right {
        cx.right(pos2(right, row.center().y), &tags, Type::CAPTION, cx.t.text_3);
    }
}

/// The speaker. A double click renames the speaker everywhere; the menu gives this phrase another speaker.
fn speaker(
    cx: &Cx<'_>,
    view: &mut TranscriptView,
    made: &Made,
    part: &Part,
    segment: &Segment,
    row: Rect,
) {
    let Some(name) = &segment.speaker else { return };
    let room = made.names.width;
    let at = pos2(row.left() + NAME - 4.0, row.top() + 2.0);
    let cell = Rect::from_min_size(at, vec2(room + 8.0, 20.0));
    let response = cx.interact(cell, ("speaker", part.id), Sense::click());
    let words = format!("Speaker {name}");
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &words));
    if response.hovered() {
        cx.fill(cell, radius::CONTROL, cx.t.hover);
    }
    cx.left(cell.left_mid(4.0), made.names.shown(name), names::FONT, cx.t.text_2);
    let response = whole_name(cx, response, name, (names::FONT, room));
    if response.has_focus() {
        cx.focus_ring(cell, radius::CONTROL);
    }
    let everywhere = || Typing::new(What::Name { from: name.clone() }, name, cell);
    if response.double_clicked() {
        view.typing = Some(everywhere());
    }
    menu::of(&response).show(|ui| {
        if menu::entry(ui, format!("Rename {name} everywhere…")) {
            view.typing = Some(everywhere());
        }
        if menu::entry(ui, "Somebody else says this…") {
            view.typing = Some(Typing::new(What::Speaker { segment: part.id }, name, cell));
        }
    });
}

fn star(
    cx: &Cx<'_>,
    part: &Part,
    segment: &Segment,
    row: Rect,
    is_hovered: bool,
    out: &mut Actions,
) {
    let cell = row.row_box(row.right() - STAR + 4.0, vec2(24.0, 24.0));
    let name = if segment.important { "Important" } else { "Mark as important" };
    let response = cx.interact(cell, ("star", part.id), Sense::click());
    let told = || WidgetInfo::selected(Role::Button, true, segment.important, name);
    response.widget_info(told);
    if segment.important || is_hovered || response.has_focus() {
        let color = if response.hovered() { cx.t.text } else { cx.t.text_2 };
        star::paint(cx, cell.center(), 6.5, color, segment.important);
    }
    if response.has_focus() {
        cx.focus_ring(cell, radius::CONTROL);
    }
    if response.on_hover_text(name).clicked() {
        out.push(calls::importance(part.id, !segment.important));
    }
}

/// A bar under the words that are coded, one for each code.
fn codes(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    made: &Made,
    source: SourceId,
    words: &[Word],
    cells: &[Rect],
    row: Rect,
) {
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return };
    let mut slots = Slots::default();
    let mut drawn = Vec::new();
    for stretch in made.coded.over(source, first.start, last.end) {
        let begin = words.partition_point(|word| word.end <= stretch.from);
        let end = words.partition_point(|word| word.start < stretch.to);
        let covered = cells.get(begin..end).unwrap_or_default();
        let (Some(left), Some(right)) = (covered.first(), covered.last()) else { continue };
        if let Some(slot) = slots.of(stretch.code) {
            let color = color_of(cx.t, scene.session, stretch.code);
            bar(cx, left.left(), right.right(), row.bottom(), slot, color);
        }
        drawn.push((left.left()..=right.right(), stretch.code));
    }
    remove_codes::tell(cx, scene.session, row, &drawn);
}
