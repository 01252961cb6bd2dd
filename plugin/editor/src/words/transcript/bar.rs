//! The field that searches, above the words; what can be done with picked words, below them.

use super::view::{About, NARROW};
use super::{import, picked};
use crate::action::{Action, Actions};
use crate::card::view::Card;
use crate::coding::code_menu;
use crate::icons;
use crate::kit::choice::switch;
use crate::kit::controls::{Button, Kind, State, hint, icon_button, icon_button_in, icon_toggle};
use crate::kit::{Cut, Cx, field, menu};
use crate::scene::Scene;
use crate::theme::{Type, radius, space};
use crate::words::lines::Cuts;
use crate::words::lines::Piece;
use crate::words::transcript::view::{Made, Picked, TranscriptView};
use crate::words::{calls, picker};
use deskhand_dsp::Frames;
use deskhand_session::SourceId;
use egui::{Align2, Key, Rect, Response, Role, TextEdit, Ui, WidgetInfo, pos2, vec2};

/// Width of the choice of a source.
const SOURCES: f32 = 132.0;

/// The height of the bar below the words: in a narrow panel the buttons have a row of their own.
pub(super) fn picked_height(width: f32) -> f32 {
    if width < NARROW { 68.0 } else { 44.0 }
}

/// Search, the number of matches, next and previous, and the shown source.
pub(super) fn search(
    ui: &mut Ui,
    scene: Scene<'_>,
    view: &mut TranscriptView,
    made: &Made,
    rect: Rect,
    out: &mut Actions,
) {
    let mut rest = rect.pad(space::S, 6.0);
    let follow = rest.cut_right(28.0);
    let brings = rest.cut_right(32.0);
    // Where there is little room, what was found takes the place of the sources while somebody searches.
    let (is_narrow, searches) = (rect.width() < NARROW, !view.search.is_empty());
    let has_sources = !(made.is_one() || is_narrow && searches);
    let cell = rest.cut_right(if has_sources { SOURCES.min(rest.width() / 2.0) } else { 0.0 });
    sources(ui, scene, view, &made.sources, cell);
    let steps = rest.cut_right(if is_narrow && !searches { 0.0 } else { 64.0 });
    let response = field(ui, view, rest);
    if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape)) {
        view.search.clear();
    }
    look(scene, view, made, out);
    let by_key = ui.input(|input| (input.key_pressed(Key::Enter), input.modifiers.shift));
    if let (true, (true, back)) = (response.lost_focus(), by_key) {
        go(scene, view, made, if back { -1 } else { 1 }, out);
        response.request_focus();
    }
    let cx = Cx::new(ui);
    let both = [
        (steps.left() + 4.0, icons::CARET_UP, "Place before", -1),
        (steps.left() + 34.0, icons::CARET_DOWN, "Next place", 1),
    ];
    for (left, icon, name, by) in both.into_iter().filter(|_| steps.is_positive()) {
        let state = if view.found.is_empty() { State::Disabled } else { State::Normal };
        let cell = steps.row_box(left, vec2(28.0, 28.0));
        if icon_button_in(&cx, cell, icon, false, name, state).clicked() {
            go(scene, view, made, by, out);
        }
    }
    let name = "Follow what is heard";
    if icon_toggle(&cx, follow, icons::HAND_POINTING, !view.stays, name).clicked() {
        view.stays = !view.stays;
    }
    let cell = brings.row_box(brings.left() + 2.0, vec2(28.0, 28.0));
    let brings = icon_button(&cx, cell, icons::PLUS, import::NAME);
    import::hang(&brings, scene, view.only, out);
    cx.hline(rect.left(), rect.right(), rect.bottom() - 1.0, cx.t.line);
}

/// Searches for the typed text, and goes to the first place.
fn look(scene: Scene<'_>, view: &mut TranscriptView, made: &Made, out: &mut Actions) {
    if view.looked_for == view.search {
        return;
    }
    view.looked_for.clone_from(&view.search);
    view.found = made.find(scene.session, &view.search);
    view.hit = None;
    go(scene, view, made, 1, out);
}

/// What the keys do in the field that searches.
const SEARCHES: &str =
    "Enter and Shift+Enter go from place to place, Esc clears; Ctrl+F comes here from the words";

fn field(ui: &mut Ui, view: &mut TranscriptView, rect: Rect) -> Response {
    let cx = Cx::new(ui);
    cx.fill(rect, radius::CONTROL, cx.t.input);
    cx.border(rect, radius::CONTROL, cx.t.line_strong);
    if !view.search.is_empty() {
        let words = match (view.found.len(), view.hit) {
            (0, _) => "not said".to_owned(),
            (count, Some(hit)) => format!("{} of {count}", hit + 1),
            (count, None) => format!("{count}"),
        };
        let text = cx.right(rect.right_mid(space::S), &words, Type::CAPTION, cx.t.text_3);
        cx.label(text, "found", &words);
    }
    drop(cx);
    let edit = TextEdit::singleline(&mut view.search);
    let edit = edit.hint_text("Search what is said").font(Type::SMALL.font());
    let room = Rect::from_min_max(rect.min, pos2(rect.right() - 64.0, rect.bottom()));
    let response = field::put(ui, room, egui::Align::Min, edit);
    response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Search the transcript"));
    if std::mem::take(&mut view.searches) {
        response.request_focus();
    }
    hint(response, SEARCHES)
}

/// Which source is shown, where there are several.
fn sources(ui: &mut Ui, scene: Scene<'_>, view: &mut TranscriptView, all: &[SourceId], rect: Rect) {
    if rect.width() < 1.0 {
        return;
    }
    let session = scene.session;
    let name = view.only.map_or_else(|| "All sources".into(), |id| session.name_of(id.into()));
    let cx = Cx::new(ui);
    let cell = rect.pad(4.0, 0.0);
    let response = picker::show(&cx, cell, "Shown", &name);
    menu::of(&response).show(|ui| {
        let mut only = |ui: &mut Ui, name: &str, only: Option<SourceId>| {
            if menu::choice(ui, view.only == only, name).clicked() {
                view.only = only;
            }
        };
        only(ui, "All sources", None);
        all.iter().for_each(|id| only(ui, &session.name_of((*id).into()), Some(*id)));
    });
}

/// Goes to the next match, or to the previous one.
fn go(scene: Scene<'_>, view: &mut TranscriptView, made: &Made, by: isize, out: &mut Actions) {
    let count = view.found.len();
    if count == 0 {
        return;
    }
    let step = |hit: usize| (hit + count).saturating_add_signed(by) % count;
    let hit = view.hit.map_or(0, step);
    view.hit = Some(hit);
    let Some(words) = view.found.get(hit).cloned() else { return };
    view.wanted = made.script.line_of(words.start);
    view.picked = Some(Picked { anchor: words.start, head: words.end - 1 });
    out.extend(picked::selected(scene, view, made));
}

/// What cutting does.
const CUTS: &str = "Take them out of the sound, and close the gap: Del";
/// Why picked words cannot be cut.
pub(super) const UNHEARD: &str = "No clip plays them";

/// The picked words, and the actions on them.
pub(super) fn picked(
    ui: &mut Ui,
    scene: Scene<'_>,
    view: &mut TranscriptView,
    made: &Made,
    about: Option<&About>,
    rect: Rect,
    out: &mut Actions,
) {
    let cx = Cx::new(ui);
    cx.hline(rect.left(), rect.right(), rect.top(), cx.t.line);
    let Some(about) = about else { return nothing(&cx, scene, view, made, rect) };
    let mut rest = rect;
    let own = (rect.width() < NARROW).then(|| rest.cut_top(28.0));
    let rect = rest;
    let mut x = rect.right() - space::M;
    let mut button = |button: Button<'_>| {
        let width = button.width(&cx);
        x -= width + 4.0;
        button.show(&cx, rect.row_box(x, vec2(width, 28.0)))
    };
    let code = scene.has_coding.then(|| {
        let code = button(Button::new(Kind::Secondary, "Code").icon(icons::CARET_DOWN));
        code.on_hover_text("Label them with a code: C")
    });
    let (region, cuts) = (&about.region, &about.cuts);
    let state = if cuts.is_empty() { State::Disabled } else { State::Normal };
    let cut = button(Button::new(Kind::Secondary, "Cut").icon(icons::SCISSORS).state(state));
    let told = if cuts.is_empty() { UNHEARD } else { CUTS };
    if cut.on_hover_text(told).clicked() {
        out.extend(cuts.iter().cloned());
    }
    let is_heard = scene.live.audition.is_some();
    let (label, icon, key) =
        if is_heard { ("Stop", icons::STOP, "Esc") } else { ("Hear", icons::PLAY, "Enter") };
    if button(Button::new(Kind::Secondary, label).icon(icon)).on_hover_text(key).clicked() {
        hear(scene, made, region.pieces[0], out);
    }
    let write = region.words.len() == 1
        && button(Button::new(Kind::Secondary, "Write")).on_hover_text("F2").clicked();
    if write {
        picked::write(scene, view, made, region.words.start);
    }
    told_of(&cx, about, own.unwrap_or(rect.with_max_x(x - 8.0)));
    drop(cx);
    if let Some(code) = code {
        let known = (&made.coded, &made.script.places);
        code_menu::show(scene, &mut view.codes, known, (region, view.list), &code, out);
    }
}

/// Plays the picked words, or stops what plays alone.
fn hear(scene: Scene<'_>, made: &Made, piece: Piece, out: &mut Actions) {
    if scene.live.audition.is_some() {
        out.push(Action::Audition(None));
    } else {
        let Piece { source, from, to } = piece;
        calls::hear(scene, &made.script.places, source, (from, to), out);
    }
}

/// What can be done with words.
const HANDS: &str = "Click a word to hear it, drag to pick words, double-click to correct one.";

/// While no word is picked: what was cut, what the open plan would cut, and whether it is shown. Without cuts a hint.
fn nothing(cx: &Cx<'_>, scene: Scene<'_>, view: &mut TranscriptView, made: &Made, rect: Rect) {
    let planned = scene.plan.map(planned).unwrap_or_default();
    let (struck, rate) = (made.struck, scene.session.rate);
    if (struck.places, planned.0) == (0, 0) {
        return hands(cx, rect);
    }
    let seconds = |length: Frames| format!("{:.1}\u{a0}s", length.seconds(rate).0);
    let cut =
        (struck.places > 0).then(|| format!("{} cut, {}", struck.places, seconds(struck.length)));
    let coming = (planned.0 > 0).then(|| format!("{} planned, {}", planned.0, seconds(planned.1)));
    let dot = if cut.is_some() && coming.is_some() { " · " } else { "" };
    let (cut, coming) = (cut.unwrap_or_default(), coming.unwrap_or_default());
    let runs = [(cut.as_str(), cx.t.text_2), (dot, cx.t.text_3), (coming.as_str(), cx.t.accent)];
    let runs = runs.map(|(words, color)| (words, Type::SMALL, color));
    let text = cx.runs(rect.left_mid(space::M), Align2::LEFT_CENTER, &runs);
    cx.label(text, "cuts", format!("{cut}{dot}{coming}")).on_hover_text(HANDS);
    if struck.places == 0 {
        return;
    }
    let place = rect.row_box(rect.right() - space::M - 28.0, vec2(28.0, 16.0));
    let name = "Show cuts";
    if place.left() - text.right() > 80.0 {
        cx.right(place.left_mid(-space::S), name, Type::SMALL, cx.t.text_2);
    }
    let is_on = view.cuts == Cuts::Struck;
    if hint(switch(cx, place, is_on, name), SHOWS).clicked() {
        view.cuts = if is_on { Cuts::Hidden } else { Cuts::Struck };
    }
}

/// What the switch does.
const SHOWS: &str = "Words that were cut stay here, struck through";

/// How many cuts of a plan have a tick, and how long they are together.
fn planned(card: &Card) -> (usize, Frames) {
    let cuts = card.ticked().filter_map(|planned| planned.cut.as_ref());
    cuts.fold((0, Frames::ZERO), |(count, sum), cut| (count + 1, sum + cut.length))
}

/// The hint where nothing was cut.
fn hands(cx: &Cx<'_>, rect: Rect) {
    let words = HANDS;
    let wide = (rect.width() - 24.0, 2);
    let text = Rect::from_center_size(
        rect.center(),
        vec2(wide.0, cx.lines_height(words, Type::SMALL, wide)),
    );
    cx.lines(text.min, words, Type::SMALL, cx.t.text_3, wide);
    cx.label(text, "nothing picked", words);
}

/// How many words are picked, when they are heard and how long; pointing at it tells when that is in the source.
fn told_of(cx: &Cx<'_>, about: &About, rect: Rect) {
    let room = rect.width() - space::M;
    let text = cx.elided(rect.left_mid(space::M), &about.told, Type::SMALL, cx.t.text_2, room);
    let node = cx.label(text, "picked", &about.told);
    node.on_hover_text(&about.said);
}

impl Made {
    /// Whether one source is all there is.
    fn is_one(&self) -> bool {
        self.of.only.is_none() && self.script.sources() < 2
    }
}
