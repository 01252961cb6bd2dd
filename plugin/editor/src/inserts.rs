//! Processors of a track or of the mix: a window with their chain, and a page for the one that is chosen.

mod chain;
mod dynamics;
mod equalizer;
mod figures;
mod graph;
mod header;
mod history;
mod plot;
mod settings;
#[cfg(test)]
pub(crate) mod tests;
mod transfer;
pub(crate) mod view;

use crate::action::{Action, Actions, Gesture, call};
use crate::describe::hue_of;
use crate::inserts::view::InsertsView;
use crate::kit::controls::hint;
use crate::kit::number::Turned;
use crate::kit::{Cut, Cx};
use crate::model::Model;
use crate::scene::Scene;
use crate::settings::Preset;
use crate::theme::{Theme, Type, radius};
use deskhand_dsp::effects::{Effect, EffectReading};
use deskhand_session::{InsertId, InsertOwner, PlacedInsert, Session, Switch};
use egui::{Color32, Frame, Rect, Sense, Ui, UiBuilder, Vec2, vec2};
pub(crate) use graph::response;
use serde_json::json;

/// The kinds, as commands and people call them.
const KINDS: [(&str, &str); 5] = [
    ("equalizer", "Equalizer"),
    ("compressor", "Compressor"),
    ("de_esser", "De-esser"),
    ("gate", "Gate"),
    ("limiter", "Limiter"),
];

/// The window where there is room, points, and the least room around it.
const SIZE: Vec2 = vec2(880.0, 680.0);
const EDGE: f32 = 12.0;
const HEAD: f32 = 40.0;
const CHAIN: f32 = 184.0;
/// The row with the title of a page.
const TITLE: f32 = 44.0;

fn parameter(owner: InsertOwner) -> String {
    match owner {
        InsertOwner::Master => "master".into(),
        InsertOwner::Track(id) => id.to_string(),
    }
}

fn name_of(session: &Session, owner: InsertOwner) -> String {
    match owner {
        InsertOwner::Master => "the mix".into(),
        InsertOwner::Track(id) => session.name_of(id.into()),
    }
}

/// How a person calls a kind.
fn title_of(effect: &Effect) -> &'static str {
    let [equalizer, compressor, de_esser, gate, limiter] = KINDS.map(|(_, title)| title);
    match effect {
        Effect::Equalizer(_) => equalizer,
        Effect::Compressor(_) => compressor,
        Effect::DeEsser(_) => de_esser,
        Effect::Gate(_) => gate,
        Effect::Limiter(_) => limiter,
    }
}

/// The same for each of a chain, with numbers where there are more of a kind.
fn titles<'a>(effects: impl Iterator<Item = &'a Effect>) -> Vec<String> {
    let kinds: Vec<&str> = effects.map(title_of).collect();
    let count = |kinds: &[&str], title: &str| kinds.iter().filter(|it| **it == title).count();
    let title = |(at, title): (usize, &&str)| match count(&kinds, title) {
        1 => (*title).to_owned(),
        _ => format!("{title} {}", count(&kinds[..=at], title)),
    };
    kinds.iter().enumerate().map(title).collect()
}

/// What the parts of the window read in a frame.
#[derive(Clone, Copy)]
struct Place<'a> {
    scene: Scene<'a>,
    theme: &'a Theme,
    owner: InsertOwner,
    /// The track's hue; the mix has none.
    hue: Color32,
    /// What a person saved, where that is kept.
    presets: Option<&'a [Preset]>,
}

impl<'a> Place<'a> {
    /// What was measured of a processor; `None` without a player of our own.
    fn reading(&self, id: InsertId) -> Option<&'a EffectReading> {
        let watched = self.scene.live.watched.as_ref().filter(|it| it.insert == id);
        watched.map(|it| &it.reading).filter(|it| !it.columns.is_empty())
    }

    /// What a processor is called among those of its strip.
    fn title(&self, id: InsertId) -> String {
        let placed = self.scene.session.inserts_on(self.owner);
        let titles = titles(placed.iter().map(|(_, placed)| &placed.effect));
        let mut all = placed.iter().zip(titles);
        all.find(|((it, _), _)| *it == id).map(|(_, title)| title).unwrap_or_default()
    }

    fn moves(&self) -> bool {
        self.scene.live.motion == crate::Motion::Playing
    }
}

/// The edit of settings in this frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Touch {
    #[default]
    Untouched,
    /// They move.
    Held,
    /// They are to be set.
    Done,
}

impl Touch {
    /// The edit of a number; its value goes to `to`.
    fn of(turned: Option<Turned>, to: &mut f64) -> Self {
        let Some(Turned { value, is_set }) = turned else { return Self::Untouched };
        *to = value;
        if is_set { Self::Done } else { Self::Held }
    }
}

/// The button of a strip that opens its processors, with how many there are.
pub(crate) fn button(
    cx: &Cx<'_>,
    session: &Session,
    view: &mut InsertsView,
    owner: InsertOwner,
    rect: Rect,
) {
    let count = session.inserts_on(owner).len();
    let name = format!("Processors of {}", name_of(session, owner));
    let is_open = view.open == Some(owner);
    let response = cx.interact(rect.expand(2.0), ("inserts", owner), Sense::click());
    let told = || egui::WidgetInfo::selected(egui::Role::Button, true, is_open, &name);
    response.widget_info(told);
    cx.fill(rect, 3.0, if is_open { cx.t.text_3 } else { cx.t.control });
    let words = if count == 0 { "FX".to_owned() } else { format!("FX {count}") };
    let color = match (is_open, count) {
        (true, _) => cx.t.panel,
        (false, 0) => cx.t.text_3,
        (false, _) => cx.t.text,
    };
    cx.center(rect.center(), &words, Type::TICK, color);
    if response.has_focus() {
        cx.focus_ring(rect, 3.0);
    }
    if hint(response, &name).clicked() {
        view.open = if is_open { None } else { Some(owner) };
        view.known = session.inserts_on(owner).iter().map(|(id, _)| *id).collect();
        view.shown = view.known.first().copied();
    }
}

pub(crate) fn id() -> egui::Id {
    egui::Id::unique("inserts")
}

/// Draws the window, if it is open, over `area`.
pub(crate) fn show(ui: &Ui, theme: &Theme, model: &mut Model, area: Rect, out: &mut Actions) {
    let Some(owner) = model.desk.inserts.open else { return };
    let presets = model.settings.as_ref().and_then(|settings| settings.presets.clone());
    let Some((scene, desk)) = model.scene() else { return };
    let view = &mut desk.inserts;
    let track = match owner {
        InsertOwner::Master => None,
        InsertOwner::Track(id) if scene.session.tracks.contains_key(&id) => Some(id),
        InsertOwner::Track(_) => {
            view.open = None;
            return;
        }
    };
    let own = |track| theme.hues[hue_of(Some(track), scene.session)].strong;
    let hue = track.map_or(theme.text_2, own);
    let place = Place { scene, theme, owner, hue, presets: presets.as_deref() };
    let size = SIZE.min(area.size() - Vec2::splat(2.0 * EDGE));
    let frame = Frame::window(&ui.ctx().global_style()).fill(theme.panel).inner_margin(0);
    egui::Window::new(format!("Processors of {}", name_of(scene.session, owner)))
        .id(id())
        .frame(frame)
        .title_bar(false)
        .resizable(false)
        .default_pos(area.center() - size / 2.0)
        .show(ui.ctx(), |ui| {
            let (whole, _) = ui.allocate_exact_size(size, Sense::hover());
            window(&mut ui.new_child(UiBuilder::new().max_rect(whole)), place, view, whole, out);
        });
}

fn window(ui: &mut Ui, place: Place<'_>, view: &mut InsertsView, whole: Rect, out: &mut Actions) {
    follow(place, view);
    let mut body = whole;
    let head = body.cut_top(HEAD);
    let cx = Cx::new(ui, place.theme);
    // A drag in the pages moves no window.
    cx.interact(body, "body", Sense::DRAG);
    let mut page = body;
    let side = page.cut_left(CHAIN);
    cx.hline(whole.left(), whole.right(), head.bottom() - 1.0, cx.t.line);
    cx.vline(side.right() - 1.0, side.top(), side.bottom(), cx.t.line);
    drop(cx);
    header::show(ui, place, view, head, out);
    chain::show(ui, place, view, side, out);
    let shown = view.shown.and_then(|id| Some((id, place.scene.session.inserts.get(&id)?)));
    let Some((id, placed)) = shown else { return empty(ui, place, page) };
    match view.effect(id, placed, place.scene) {
        Effect::Equalizer(equalizer) => {
            equalizer::show(ui, place, view, (id, equalizer), page, out);
        }
        effect => dynamics::show(ui, place, view, (id, effect), page, out),
    }
}

/// Keeps showing a processor that is there. A new one is shown next.
fn follow(place: Place<'_>, view: &mut InsertsView) {
    let placed = place.scene.session.inserts_on(place.owner);
    let ids: Vec<InsertId> = placed.iter().map(|(id, _)| *id).collect();
    if let Some(new) = ids.iter().rev().find(|id| !view.known.contains(id)) {
        view.choose(*new);
    }
    if !ids.iter().any(|id| view.shown == Some(*id)) {
        view.shown = ids.last().copied();
        view.band = 0;
    }
    view.known = ids;
}

fn empty(ui: &Ui, place: Place<'_>, page: Rect) {
    let cx = Cx::new(ui, place.theme);
    let middle = page.center();
    let title = "No processors yet";
    cx.center(middle - vec2(0.0, 12.0), title, Type::TITLE, cx.t.text);
    let words = "Add one at the left. They work before the fader, from top to bottom.";
    cx.center(middle + vec2(0.0, 12.0), words, Type::SMALL, cx.t.text_3);
    cx.label(
        Rect::from_center_size(middle, vec2(320.0, 48.0)),
        "empty",
        format!("{title}. {words}"),
    );
}

/// The title of a page, and the switch that lets the sound pass it by. Returns the room between them.
fn page_title(
    cx: &Cx<'_>,
    place: Place<'_>,
    (id, placed): (InsertId, &PlacedInsert),
    page: &mut Rect,
    out: &mut Actions,
) -> Rect {
    let mut row = page.cut_top(TITLE).pad(16.0, 0.0);
    let title = place.title(id);
    let words = cx.left(row.left_mid(0.0), &title, Type::BODY_STRONG, cx.t.text);
    let node = cx.interact(words, "title", Sense::hover());
    node.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Heading, true, &title));
    let works = placed.switch == Switch::On;
    let rect = row.row_box(row.right() - 72.0, vec2(72.0, 28.0));
    let response = cx.interact(rect, "bypass", Sense::click());
    let told = || egui::WidgetInfo::selected(egui::Role::Button, true, !works, "Bypass");
    response.widget_info(told);
    let (fill, color) = match (works, response.hovered()) {
        (false, _) => (cx.t.text_2, cx.t.panel),
        (true, true) => (cx.t.hover, cx.t.text),
        (true, false) => (cx.t.control, cx.t.text),
    };
    cx.fill(rect, radius::CONTROL, fill);
    cx.center(rect.center(), "Bypass", Type::SMALL_STRONG, color);
    if response.has_focus() {
        cx.focus_ring(rect, radius::CONTROL);
    }
    if response.clicked() {
        out.push(switch(id, placed.switch));
    }
    row.max.x = rect.left() - 12.0;
    row.min.x = words.right() + 12.0;
    row
}

/// Turns a processor to its other state.
fn switch(id: InsertId, now: Switch) -> Action {
    let to = match now {
        Switch::On => "off",
        Switch::Off => "on",
    };
    call(Gesture::SwitchInsert, json!({"insert": id, "switch": to}))
}
