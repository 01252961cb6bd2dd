//! Mixer: a strip for each track, then the master. A moving value is audible at once, and is set once, when
//! the move ends.

mod knob;
mod master;
mod planned;
mod strip;
#[cfg(test)]
mod tests;
mod value_field;
pub(crate) mod view;

use crate::action::{Actions, call};
use crate::kit::controls::whole_name;
use crate::kit::scroll::{THICK, thumb};
use crate::kit::{Cut, Cx, fader, menu};
use crate::mixer::view::{MixerView, NARROW_MASTER, NUMBERED, STRIP, fader_area};
use crate::model::Model;
use crate::theme::Type;
use crate::track_menu;
use deskhand_session::{Track, TrackId};
use egui::{Rect, Sense, Ui, pos2, vec2};
pub(crate) use knob::header_knob;
pub(crate) use strip::mute_solo;

/// A narrow strip, used when few fit. It leaves pan to the track header and shows levels without their
/// scale.
const NARROW: f32 = 84.0;
const MASTER: f32 = 356.0;
/// The master where that would take more than half: levels, and integrated loudness and true peak below them.
const SLIM_MASTER: f32 = 124.0;

/// Draws the strips, scrolled sideways where they do not fit; the master stays.
pub(crate) fn show(ui: &mut Ui, model: &mut Model, rect: Rect, out: &mut Actions) {
    let Some((scene, desk)) = model.scene() else { return };
    let cx = Cx::new(ui).clip(rect);
    cx.fill(rect, 0.0, cx.t.panel);
    let mut rest = rect;
    let master_rect = rest.cut_right(master_width(rect.width()));
    let scale = rest.cut_left(32.0);
    knob::tick(&cx, scene, &mut desk.mixer, out);
    fader::ticks(&cx, Rect::from_min_max(scale.min, scale.max - vec2(4.0, 0.0)), fader_area(scale));
    let at = pos2(scale.right() - 4.0, scale.bottom() - 20.0);
    cx.right(at, "dB", Type::TICK, cx.t.text_3);
    let tracks: Vec<(TrackId, &Track)> = scene.session.tracks_in_order().collect();
    let wide = strip_width(rest.width(), tracks.len());
    let whole = wide * tracks.len() as f32;
    scroll(ui, &mut desk.mixer, rest, whole);
    let inner = cx.clip(rest);
    for (index, (id, track)) in tracks.into_iter().enumerate() {
        let x = rest.left() + wide * index as f32 - desk.mixer.left;
        let cell = Rect::from_min_size(pos2(x, rest.top()), vec2(wide, rest.height()));
        if cell.intersects(rest) {
            let response = inner.interact(cell.intersect(rest), ("strip", id), Sense::CLICK);
            let cut = (Type::SMALL_STRONG, strip::name_room(wide));
            let response = whole_name(&inner, response, &track.name, cut);
            menu::on(&response, |ui| track_menu::show(ui, scene, &mut desk.timeline, id, out));
            strip::show(&inner, scene, desk, id, track, cell, out);
        }
    }
    bar(&inner, &mut desk.mixer, rest, whole);
    master::show(&cx, scene, desk, master_rect, out);
    drop((cx, inner));
    typing(ui, model, out);
}

/// The mixer while it is hidden: values can also be set on the headers of the timeline.
pub(crate) fn put_away(ui: &mut Ui, model: &mut Model, out: &mut Actions) {
    let Some((scene, desk)) = model.scene() else { return };
    knob::tick(&Cx::new(ui), scene, &mut desk.mixer, out);
    typing(ui, model, out);
}

/// Draws the field of a value that is typed.
fn typing(ui: &mut Ui, model: &mut Model, out: &mut Actions) {
    let Some((scene, desk)) = model.scene() else { return };
    if desk.mixer.typing.is_some() {
        value_field::show(ui, scene, &mut desk.mixer, out);
    }
}

fn strip_width(room: f32, count: usize) -> f32 {
    let has_room = STRIP * count as f32 <= room || room >= 3.0 * STRIP;
    if has_room { STRIP } else { NARROW }
}

fn master_width(room: f32) -> f32 {
    match room * 0.5 {
        half if half >= NUMBERED => half.min(MASTER),
        half if half >= NARROW_MASTER => NARROW_MASTER,
        _ => SLIM_MASTER,
    }
}

/// The wheel scrolls the strips, which are so wide as a whole, unless it is over a fader.
fn scroll(ui: &Ui, view: &mut MixerView, rect: Rect, whole: f32) {
    let most = (whole - rect.width()).max(0.0);
    if ui.rect_contains_pointer(rect) && !view.is_over_knob {
        let delta = ui.input(egui::InputState::smooth_scroll_delta);
        let before = view.left;
        view.left = (before - delta.x - delta.y).clamp(0.0, most);
        if view.left != before {
            view.scrolled_at = ui.input(|input| input.pointer.latest_pos());
        }
    }
    view.is_over_knob = false;
    view.left = view.left.clamp(0.0, most);
}

/// A bar where there are strips out of view.
fn bar(cx: &Cx<'_>, view: &mut MixerView, rect: Rect, whole: f32) {
    if whole <= rect.width() {
        return;
    }
    let per_point = whole / rect.width();
    let at = pos2(rect.left() + view.left / per_point, rect.bottom() - THICK);
    let place = Rect::from_min_size(at, vec2(rect.width() / per_point, THICK));
    view.left += thumb(cx, place, "Scroll the mixer").drag_delta().x * per_point;
}
