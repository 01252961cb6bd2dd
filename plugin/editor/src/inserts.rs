//! Processors of a track or of the mix: their chain, and a page for the one that is chosen, in the place of the
//! mixer or in a window.

mod added;
mod chain;
mod dynamics;
mod equalizer;
mod figures;
mod graph;
mod header;
mod history;
mod page_title;
mod place;
mod planned;
mod plot;
mod settings;
#[cfg(test)]
pub(crate) mod tests;
mod transfer;
pub(crate) mod view;

use crate::action::{Action, Actions};
use crate::describe::hue_of;
use crate::inserts::view::InsertsView;
use crate::kit::controls::hint;
use crate::kit::{Cut, Cx, floating};
use crate::model::Model;
use crate::settings::SettingsChange;
use crate::theme::{Theme, Type};
use deskhand_dsp::effects::Effect;
use deskhand_session::{InsertId, InsertOwner, Session};
use egui::{Rect, Sense, Ui, UiBuilder, Vec2, vec2};
pub(crate) use graph::response;
use header::Chosen;
use place::{Frame, Place, name_of};

/// The window where there is room, points, and the least room around it.
const SIZE: Vec2 = vec2(880.0, 680.0);
const EDGE: f32 = 12.0;
const HEAD: f32 = 40.0;
const CHAIN: f32 = 184.0;

impl Model {
    /// The processor whose sound is shown: the player measures it.
    #[must_use]
    pub fn watched_insert(&self) -> Option<InsertId> {
        let view = &self.desk.inserts;
        view.shown.filter(|_| view.open.is_some())
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

/// Draws the processors in a window of their own, unless they are closed or in the place of the mixer.
pub(crate) fn show(ui: &Ui, model: &mut Model, out: &mut Actions) {
    if let Some((scene, desk)) = model.scene() {
        desk.inserts.leave_solo(scene, out);
    }
    if model.desk.inserts.is_docked {
        return;
    }
    let area = ui.ctx().content_rect();
    let size = SIZE.min(area.size() - Vec2::splat(2.0 * EDGE));
    let theme = Theme::of(ui.visuals());
    let chosen = opened(theme, model, |place, view| {
        let title = format!("Processors of {}", name_of(place.scene.session, place.owner));
        let shown = floating::window(ui.ctx(), id(), title, theme.panel)
            .resizable(false)
            .default_pos(area.center() - size / 2.0)
            .show(ui.ctx(), |ui| {
                let (whole, _) = ui.allocate_exact_size(size, Sense::hover());
                let inside = UiBuilder::new().max_rect(whole);
                contents(&mut ui.new_child(inside), place, view, whole, out)
            });
        shown.and_then(|shown| shown.inner).unwrap_or_default()
    });
    turn(model, chosen, out);
}

/// Draws the processors where the mixer is.
pub(crate) fn show_docked(ui: &mut Ui, model: &mut Model, rect: Rect, out: &mut Actions) {
    let theme = Theme::of(ui.visuals());
    Cx::new(ui).fill(rect, 0.0, theme.panel);
    let mut inner = ui.new_child(UiBuilder::new().max_rect(rect).id_salt("processors"));
    inner.set_clip_rect(rect);
    let chosen = opened(theme, model, |place, view| contents(&mut inner, place, view, rect, out));
    turn(model, chosen, out);
}

/// Calls `draw` for the strip whose processors are open. They close with their track.
fn opened(
    theme: &Theme,
    model: &mut Model,
    draw: impl FnOnce(Place<'_>, &mut InsertsView) -> Chosen,
) -> Chosen {
    let settings = model.settings.as_ref().filter(|_| model.desk.inserts.open.is_some());
    let presets = settings.and_then(|settings| settings.presets.clone());
    let floats = settings.is_some_and(|settings| settings.layout.floats_processors);
    let Some((scene, desk)) = model.scene() else { return Chosen::Nothing };
    let view = &mut desk.inserts;
    let Some(owner) = view.open else { return Chosen::Nothing };
    let track = match owner {
        InsertOwner::Master => None,
        InsertOwner::Track(id) if scene.session.tracks.contains_key(&id) => Some(id),
        InsertOwner::Track(_) => {
            view.open = None;
            return Chosen::Nothing;
        }
    };
    let own = |track| theme.hues[hue_of(Some(track), scene.session)].strong;
    let hue = track.map_or(theme.text_2, own);
    let frame = match (view.is_docked, floats) {
        (true, _) => Frame::Docked,
        (false, true) => Frame::Floating,
        (false, false) => Frame::Fixed,
    };
    draw(Place { scene, owner, hue, frame, presets: presets.as_deref() }, view)
}

/// Does what the person chose in the head.
fn turn(model: &mut Model, chosen: Chosen, out: &mut Actions) {
    match (chosen, &mut model.settings) {
        (Chosen::Close, _) => model.desk.inserts.open = None,
        (Chosen::Turn, Some(settings)) => {
            settings.layout.floats_processors ^= true;
            out.push(Action::Settings(SettingsChange::Layout(settings.layout)));
        }
        (Chosen::Turn | Chosen::Nothing, _) => {}
    }
}

fn contents(
    ui: &mut Ui,
    place: Place<'_>,
    view: &mut InsertsView,
    whole: Rect,
    out: &mut Actions,
) -> Chosen {
    follow(place, view);
    let mut body = whole;
    let head = body.cut_top(HEAD);
    let cx = Cx::new(ui);
    // A drag in the pages moves no window.
    cx.interact(body, "body", Sense::DRAG);
    let mut page = body;
    let side = page.cut_left(CHAIN);
    cx.hline(whole.left(), whole.right(), head.bottom() - 1.0, cx.t.line);
    cx.vline(side.right() - 1.0, side.top(), side.bottom(), cx.t.line);
    drop(cx);
    let chosen = header::show(ui, place, view, head, out);
    chain::show(ui, place, view, side, out);
    page_of(ui, place, view, page, out);
    chosen
}

/// The page of the processor that is shown.
fn page_of(ui: &mut Ui, place: Place<'_>, view: &mut InsertsView, page: Rect, out: &mut Actions) {
    let placed = view.shown.and_then(|id| Some((id, place.scene.session.inserts.get(&id)?)));
    match placed.map(|(id, placed)| (id, view.effect(id, placed, place.scene))) {
        Some((id, Effect::Equalizer(equalizer))) => {
            equalizer::show(ui, place, view, (id, equalizer), page, out);
        }
        Some((id, effect)) => dynamics::show(ui, place, view, (id, effect), page, out),
        None => match added::all(place).into_iter().find(|added| view.shown == Some(added.id)) {
            Some(added) => added::page(ui, place, view, &added, page),
            None => empty(ui, page),
        },
    }
}

/// Keeps showing a processor that is there. A new one is shown next.
fn follow(place: Place<'_>, view: &mut InsertsView) {
    let placed = place.scene.session.inserts_on(place.owner);
    let mut ids: Vec<InsertId> = placed.iter().map(|(id, _)| *id).collect();
    ids.extend(added::all(place).iter().map(|added| added.id));
    if let Some(new) = ids.iter().rev().find(|id| !view.known.contains(id)) {
        view.choose(*new);
    }
    if !ids.iter().any(|id| view.shown == Some(*id)) {
        view.shown = ids.last().copied();
        view.band = 0;
    }
    view.known = ids;
}

fn empty(ui: &Ui, page: Rect) {
    let cx = Cx::new(ui);
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
