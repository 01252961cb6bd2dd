//! The title bar: whose processors, presets, the sides A and B, and a cross.

use super::place::{Frame, Place, name_of, title_of};
use super::view::{InsertsView, Letter, OtherSide};
use crate::action::{Action, Actions};
use crate::icons;
use crate::kit::choice::{SegmentedChoice, segmented};
use crate::kit::controls::{Button, Kind, State, hint, icon_button};
use crate::kit::name_field::{NameField, Typed};
use crate::kit::select::Select;
use crate::kit::{Cut, Cx, menu};
use crate::settings::{Preset, SettingsChange};
use crate::theme::Type;
use deskhand_dsp::effects::Effect;
use deskhand_session::InsertId;
use egui::{Rect, Ui, pos2, vec2};

/// What a person chose in the head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Chosen {
    #[default]
    Nothing,
    Close,
    /// Out of the place of the mixer, or back.
    Turn,
}

/// What a person chose from the presets.
enum FromPresets {
    Take(Effect),
    Save,
    Remove(String),
}

pub(super) fn show(
    ui: &mut Ui,
    place: Place<'_>,
    view: &mut InsertsView,
    mut head: Rect,
    out: &mut Actions,
) -> Chosen {
    let cx = Cx::new(ui);
    let (chosen, left) = frame(&cx, place.frame, &mut head);
    drop(cx);
    let shown = view.shown.and_then(|id| Some((id, place.scene.session.inserts.get(&id)?)));
    if let Some((id, placed)) = shown {
        let effect = view.effect(id, placed, place.scene);
        sides(ui, place, view, (id, &effect), &mut head, out);
        presets(ui, place, view, (id, &effect), &mut head, out);
    }
    let at = pos2(left + 10.0, head.center().y);
    let (name, room) = (name_of(place.scene.session, place.owner), head.right() - at.x - 8.0);
    Cx::new(ui).elided(at, &name, Type::BODY, place.hue, room);
    chosen
}

/// The buttons that close the processors or take them elsewhere, and their title. Returns the right edge of the title.
fn frame(cx: &Cx<'_>, frame: Frame, head: &mut Rect) -> (Chosen, f32) {
    let mut button = |icon, name| {
        let rect = head.cut_right(32.0).row_box(head.right(), vec2(28.0, 28.0));
        icon_button(cx, rect, icon, name).clicked()
    };
    let mut chosen = Chosen::Nothing;
    if button(icons::X, "Close the processors") {
        chosen = Chosen::Close;
    }
    let other = match frame {
        Frame::Docked => Some((icons::ARROWS_OUT_SIMPLE, "Show the processors in a window")),
        Frame::Floating => Some((icons::PUSH_PIN, "Show the processors below the timeline")),
        Frame::Fixed => None,
    };
    if other.is_some_and(|(icon, name)| button(icon, name)) {
        chosen = Chosen::Turn;
    }
    if frame != Frame::Docked {
        cx.icon(head.left_mid(20.0), icons::EQUALIZER, 16.0, cx.t.text);
        let title = cx.left(head.left_mid(36.0), "Processors", Type::BODY_STRONG, cx.t.text);
        return (chosen, title.right());
    }
    let tabs = head.row_box(head.left() + 8.0, vec2(176.0, 28.0));
    let tab = |label| SegmentedChoice { label, key: "", is_planned: false, why_not: None };
    if segmented(cx, tabs, &[tab("Mixer"), tab("Processors")], Some(1), "lower") == Some(0) {
        chosen = Chosen::Close;
    }
    (chosen, tabs.right())
}

/// Two sides of the same processor: one is heard, the other waits.
fn sides(
    ui: &Ui,
    place: Place<'_>,
    view: &mut InsertsView,
    (id, effect): (InsertId, &Effect),
    head: &mut Rect,
    out: &mut Actions,
) {
    let cx = Cx::new(ui);
    let shown = view.sides.get(&id).map_or(Letter::A, |side| side.shown);
    let (words, name) = match shown {
        Letter::A => ("A to B", "Copy A to B"),
        Letter::B => ("B to A", "Copy B to A"),
    };
    let copy = head.cut_right(76.0).row_box(head.right() + 4.0, vec2(68.0, 28.0));
    let is_same = view.sides.get(&id).is_none_or(|side| side.effect == *effect);
    let state = if is_same { State::Disabled } else { State::Normal };
    let response = Button::new(Kind::Quiet, words).state(state).show(&cx, copy);
    if hint(response, name).clicked() {
        view.sides.insert(id, OtherSide { shown, effect: effect.clone() });
    }
    let frame = head.cut_right(68.0).row_box(head.right() + 4.0, vec2(64.0, 28.0));
    let side = |label| SegmentedChoice { label, key: "", is_planned: false, why_not: None };
    let is_on = Some(usize::from(shown == Letter::B));
    let chosen = segmented(&cx, frame, &[side("A"), side("B")], is_on, "sides");
    let chosen = chosen.map(|index| if index == 0 { Letter::A } else { Letter::B });
    let Some(letter) = chosen.filter(|letter| *letter != shown) else { return };
    let before = OtherSide { shown: letter, effect: effect.clone() };
    // The second side begins as the first one is.
    if let Some(other) = view.sides.insert(id, before) {
        view.send(id, other.effect, place.scene, out);
    }
}

fn presets(
    ui: &mut Ui,
    place: Place<'_>,
    view: &mut InsertsView,
    (id, effect): (InsertId, &Effect),
    head: &mut Rect,
    out: &mut Actions,
) {
    let Some(presets) = place.presets else { return };
    let rect = head.cut_right(184.0).row_box(head.right() + 4.0, vec2(172.0, 28.0));
    if let Some(naming) = &mut view.naming {
        let typed = naming.show(ui, rect, "Name of the preset");
        let name = match typed {
            Typed::Goes => return,
            Typed::Left => None,
            Typed::Set(name) => Some(name),
        };
        view.naming = None;
        let preset = name.map(|name| Preset { name, effect: effect.clone() });
        let kept = preset.map(|it| Action::Settings(SettingsChange::KeepPreset(it)));
        out.extend(kept);
        return;
    }
    let cx = Cx::new(ui);
    match menu_of(&cx, rect, presets, effect) {
        Some(FromPresets::Take(effect)) => view.send(id, effect, place.scene, out),
        Some(FromPresets::Save) => view.naming = Some(NameField::new("")),
        Some(FromPresets::Remove(name)) => {
            let preset = Preset { name, effect: effect.clone() };
            out.push(Action::Settings(SettingsChange::RemovePreset(preset)));
        }
        None => {}
    }
}

/// Those of the same kind as `effect`; the one that it is has a check, and can be removed.
fn menu_of(cx: &Cx<'_>, rect: Rect, presets: &[Preset], effect: &Effect) -> Option<FromPresets> {
    let is_kind = |preset: &&Preset| title_of(&preset.effect) == title_of(effect);
    let current = presets.iter().find(|preset| preset.effect == *effect);
    let shown = current.map_or("Presets", |preset| preset.name.as_str());
    let select = Select { name: "Presets", shown };
    let chosen = select.with(cx, rect, |ui| {
        let mut chosen = None;
        for preset in presets.iter().filter(is_kind) {
            let is_on = preset.effect == *effect;
            if menu::choice(ui, is_on, &preset.name).clicked() {
                chosen = Some(FromPresets::Take(preset.effect.clone()));
            }
        }
        if presets.iter().any(|preset| is_kind(&preset)) {
            menu::line(ui);
        }
        if menu::entry(ui, "Save as…") {
            chosen = Some(FromPresets::Save);
        }
        if let Some(preset) = current
            && menu::entry(ui, format!("Delete {}", preset.name))
        {
            chosen = Some(FromPresets::Remove(preset.name.clone()));
        }
        chosen
    });
    chosen.flatten()
}
