//! A value that is set by drag, wheel, double click or typing: heard while it moves, one call at its end.

use super::call;
use super::value_field::as_typed;
use crate::action::{Action, Actions, Gesture};
use crate::kit::{Cx, fader};
use crate::mixer::view::{Knob, MixerView, Moving, Phase, name_of};
use crate::scene::Scene;
use crate::theme::radius;
use deskhand_dsp::Decibels;
use deskhand_session::TrackId;
use egui::{Key, Modifiers, Rect, Response, Sense};
use serde_json::json;
use std::ops::RangeInclusive;

/// How long after the last turn of the wheel a value is set, s.
const WHEEL: f64 = 0.4;
/// How long a value stays shown while its call is running, s.
const SETTLE: f64 = 1.0;

pub(super) fn now(scene: Scene<'_>, knob: Knob) -> f64 {
    let track = |id| scene.session.tracks.get(&id);
    match knob {
        Knob::Gain(id) => track(id).map_or(0.0, |track| track.gain.0),
        Knob::Pan(id) => track(id).map_or(0.0, |track| track.pan),
        Knob::Master => scene.session.master_gain.0,
    }
}

/// The range of a drag: the scale. A value beyond an end stays until it is moved inward.
fn reach(knob: Knob, now: f64) -> RangeInclusive<f64> {
    let (low, high) = match knob {
        Knob::Gain(_) | Knob::Master => (f64::from(fader::LOWEST), f64::from(fader::HIGHEST)),
        Knob::Pan(_) => (-1.0, 1.0),
    };
    low.min(now)..=high.max(now)
}

fn rounded(knob: Knob, value: f64, now: f64) -> f64 {
    let steps = match knob {
        Knob::Gain(_) | Knob::Master => 10.0,
        Knob::Pan(_) => 100.0,
    };
    let reach = reach(knob, now);
    ((value * steps).round() / steps).clamp(*reach.start(), *reach.end())
}

fn set(knob: Knob, value: f64) -> Action {
    match knob {
        Knob::Gain(id) => call(Gesture::SetTrackGain, json!({"targets": id, "gain_db": value})),
        Knob::Pan(id) => call(Gesture::SetTrackPan, json!({"targets": id, "pan": value})),
        Knob::Master => call(Gesture::SetMasterGain, json!({"gain_db": value})),
    }
}

fn preview(scene: Scene<'_>, knob: Knob, value: f64) -> Action {
    let of = |id: TrackId| scene.session.tracks.get(&id).map_or((0.0, 0.0), |t| (t.gain.0, t.pan));
    let (track, gain, pan) = match knob {
        Knob::Gain(id) => (Some(id), value, of(id).1),
        Knob::Pan(id) => (Some(id), of(id).0, value),
        Knob::Master => (None, value, 0.0),
    };
    Action::Preview { track, gain: Decibels(gain), pan }
}

/// Ends a gesture that is over: a wheel that stopped, a call that returned. Runs once each frame.
pub(super) fn tick(cx: &Cx<'_>, scene: Scene<'_>, view: &mut MixerView, out: &mut Actions) {
    let Some(moving) = view.moving else { return };
    let time = cx.ui.input(|input| input.time);
    let held = matches!(moving.phase, Phase::Held(_) | Phase::Turned(_));
    let escaped = held && cx.ui.input_mut(|it| it.consume_key(Modifiers::NONE, Key::Escape));
    match moving.phase {
        Phase::Held(_) | Phase::Turned(_) if escaped => {
            out.push(preview(scene, moving.knob, now(scene, moving.knob)));
            view.moving = None;
        }
        Phase::Held(_) => {}
        Phase::Turned(at) if time - at >= WHEEL => {
            send(cx, scene, view, (moving.knob, moving.value), out);
        }
        Phase::Sent(head, at) if head != scene.head || time - at >= SETTLE => view.moving = None,
        Phase::Turned(_) | Phase::Sent(..) => {
            cx.ui.ctx().request_repaint_after_secs(0.1);
        }
    }
}

/// Sets a value, as one call. It stays shown while the call is running.
pub(super) fn send(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    view: &mut MixerView,
    (knob, value): (Knob, f64),
    out: &mut Actions,
) {
    view.moving = None;
    if value != now(scene, knob) {
        let time = cx.ui.input(|input| input.time);
        view.moving = Some(Moving { knob, value, phase: Phase::Sent(scene.head, time) });
        out.push(set(knob, value));
    }
}

/// The travel of a knob: its line, and the value for a place on it.
pub(super) struct Travel<'a> {
    pub(super) place: &'a dyn Fn(f64) -> f32,
    pub(super) value: &'a dyn Fn(f32) -> f64,
    pub(super) is_upright: bool,
    /// Where it is, when the mixer has it too; the wheel scrolls there.
    pub(super) elsewhere: &'static str,
}

/// Takes pointer, wheel and keys for a knob in `area`; gives the response and the value to show.
pub(super) fn knob(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    view: &mut MixerView,
    knob: Knob,
    area: Rect,
    travel: &Travel<'_>,
    out: &mut Actions,
) -> (Response, f64) {
    let name = format!("{}{}", name_of(scene, knob), travel.elsewhere);
    let response = cx.interact(area, ("knob", knob, travel.elsewhere), Sense::click_and_drag());
    let value = now(scene, knob);
    let (fine, command) = cx.ui.input(|it| (it.modifiers.shift, it.modifiers.command));
    if response.double_clicked() {
        send(cx, scene, view, (knob, 0.0), out);
    } else if response.clicked() && command {
        view.typing = Some((knob, as_typed(knob, value), area));
    } else if response.drag_started() {
        let phase = Phase::Held((travel.place)(value));
        view.moving = Some(Moving { knob, value, phase });
    }
    if response.dragged() {
        drag(&response, scene, view, knob, travel, fine, out);
    } else if response.hovered() && travel.elsewhere.is_empty() && !view.is_scrolling(cx) {
        view.is_over_knob = true;
        wheel(cx, scene, view, knob, fine, out);
    }
    if response.drag_stopped()
        && let Some(moving) = view.moving.filter(|moving| moving.knob == knob)
        && let Phase::Held(_) = moving.phase
    {
        send(cx, scene, view, (knob, moving.value), out);
    }
    arrows(cx, scene, view, knob, &response, out);
    let shown = view.shown(knob, value);
    response.widget_info(|| egui::WidgetInfo::slider(true, shown, &name));
    cx.ring(&response, area, radius::CONTROL);
    (response, shown)
}

/// Points of a drag along a header for a decibel, and from the middle to a side.
const POINTS: (f64, f64) = (2.0, 60.0);

/// The gain or the pan of a track where it is a number: a drag along it moves it, a double click sets it to 0.
pub(crate) fn header_knob(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    view: &mut MixerView,
    of: Knob,
    area: Rect,
    out: &mut Actions,
) -> f64 {
    let points = match of {
        Knob::Gain(_) | Knob::Master => POINTS.0,
        Knob::Pan(_) => POINTS.1,
    };
    let travel = Travel {
        place: &|value| (value * points) as f32,
        value: &|x| f64::from(x) / points,
        is_upright: false,
        elsewhere: " in the header",
    };
    let (response, shown) = knob(cx, scene, view, of, area, &travel, out);
    if response.hovered() || response.dragged() {
        cx.ui.ctx().set_cursor_icon(egui::CursorIcon::ResizeHorizontal);
    }
    shown
}

fn drag(
    response: &Response,
    scene: Scene<'_>,
    view: &mut MixerView,
    knob: Knob,
    travel: &Travel<'_>,
    fine: bool,
    out: &mut Actions,
) {
    let Some(moving) = view.moving.as_mut().filter(|moving| moving.knob == knob) else { return };
    let Phase::Held(place) = &mut moving.phase else { return };
    let delta = response.drag_delta();
    let step = if travel.is_upright { delta.y } else { delta.x };
    *place += if fine { step * 0.2 } else { step };
    let value = rounded(knob, (travel.value)(*place), now(scene, knob));
    if value != moving.value {
        moving.value = value;
        out.push(preview(scene, knob, value));
    }
}

fn step_of(knob: Knob, fine: bool) -> f64 {
    match (knob, fine) {
        (Knob::Gain(_) | Knob::Master, false) => 0.5,
        (Knob::Gain(_) | Knob::Master, true) => 0.1,
        (Knob::Pan(_), false) => 0.05,
        (Knob::Pan(_), true) => 0.01,
    }
}

/// A notch of the wheel is half a decibel, a tenth with Shift.
fn wheel(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    view: &mut MixerView,
    knob: Knob,
    fine: bool,
    out: &mut Actions,
) {
    let notches = cx.ui.input(|input| view.wheel.turned(input));
    if notches != 0.0 {
        turn(cx, scene, view, knob, f64::from(notches) * step_of(knob, fine), out);
    }
}

fn turn(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    view: &mut MixerView,
    knob: Knob,
    by: f64,
    out: &mut Actions,
) {
    let now = now(scene, knob);
    let value = rounded(knob, view.shown(knob, now) + by, now);
    let phase = Phase::Turned(cx.ui.input(|input| input.time));
    view.moving = Some(Moving { knob, value, phase });
    out.push(preview(scene, knob, value));
    cx.ui.ctx().request_repaint_after_secs(WHEEL as f32);
}

/// The arrow keys move a knob that has the keyboard; Enter types its value.
fn arrows(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    view: &mut MixerView,
    knob: Knob,
    response: &Response,
    out: &mut Actions,
) {
    if !response.has_focus() {
        return;
    }
    let id = response.id;
    let filter = egui::EventFilter {
        horizontal_arrows: true,
        vertical_arrows: true,
        ..egui::EventFilter::default()
    };
    cx.ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
    let pressed = |key| cx.ui.input(|input| input.key_pressed(key));
    let fine = cx.ui.input(|input| input.modifiers.shift);
    if pressed(Key::ArrowUp) || pressed(Key::ArrowRight) {
        turn(cx, scene, view, knob, step_of(knob, fine), out);
    } else if pressed(Key::ArrowDown) || pressed(Key::ArrowLeft) {
        turn(cx, scene, view, knob, -step_of(knob, fine), out);
    } else if pressed(Key::Enter) {
        view.typing = Some((knob, as_typed(knob, now(scene, knob)), response.rect));
    }
}

/// The fader of a strip or the master.
pub(super) fn fader_knob(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    view: &mut MixerView,
    which: Knob,
    slot: Rect,
    planned: Option<fader::Planned>,
    out: &mut Actions,
) -> f64 {
    fader::tick_marks(cx, slot);
    let now = now(scene, which);
    let travel = Travel {
        place: &|db| fader::y_at(slot, db as f32),
        value: &|y| match fader::db_at(slot, y) {
            end if end <= fader::LOWEST => now.min(end.into()),
            end if end >= fader::HIGHEST => now.max(end.into()),
            db => db.into(),
        },
        is_upright: true,
        elsewhere: "",
    };
    let (_, shown) = knob(cx, scene, view, which, slot, &travel, out);
    fader::fader(cx, slot, shown as f32, planned);
    shown
}
