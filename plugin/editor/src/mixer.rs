//! Mixer: a strip for each track, then the master. A drag sets a value once, when it ends.

use crate::action::Action;
use crate::describe::hue_of;
use crate::kit::fader::{self, Planned};
use crate::kit::scale::signed;
use crate::kit::{Cut, Cx};
use crate::model::Model;
use crate::theme::{Theme, Type, space};
use deskhand_session::{Change, Session, Track, TrackId};
use egui::{Rect, Response, Sense, Ui, pos2, vec2};
use serde_json::json;

/// Something with a value that is set by a drag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Knob {
    Gain(TrackId),
    Pan(TrackId),
    Master,
}

/// What the mixer shows.
#[derive(Default)]
pub(crate) struct MixerView {
    pub(crate) left: f32,
    /// The fader or pan that is being moved, and where it is.
    pub(crate) moving: Option<(Knob, f64)>,
}

const STRIP: f32 = 88.0;
const MASTER: f32 = 112.0;

/// Draws the strips, scrolled sideways where they do not fit.
pub(crate) fn show(
    ui: &mut Ui,
    theme: &Theme,
    model: &mut Model,
    rect: Rect,
    out: &mut Vec<Action>,
) {
    let cx = Cx::new(ui, theme).clip(rect);
    cx.fill(rect, 0.0, theme.panel);
    let Some(session) = model.session().cloned() else { return };
    let mut rest = rect;
    let master_rect = rest.cut_right(MASTER);
    let scale = rest.cut_left(32.0);
    fader::ticks(&cx, Rect::from_min_max(scale.min, scale.max - vec2(4.0, 0.0)), fader_area(scale));
    let tracks: Vec<(TrackId, &Track)> = session.tracks_in_order().collect();
    scroll(ui, model, rest, tracks.len());
    let inner = cx.clip(rest);
    for (index, (id, track)) in tracks.into_iter().enumerate() {
        let x = rest.left() + STRIP * index as f32 - model.desk.mixer.left;
        let strip_rect = Rect::from_min_size(pos2(x, rest.top()), vec2(STRIP, rest.height()));
        if strip_rect.intersects(rest) {
            strip(&inner, model, &session, id, track, strip_rect, out);
        }
    }
    master(&cx, model, &session, master_rect, out);
}

fn scroll(ui: &Ui, model: &mut Model, rect: Rect, count: usize) {
    let most = (STRIP * count as f32 - rect.width()).max(0.0);
    if ui.rect_contains_pointer(rect) {
        let delta = ui.input(egui::InputState::smooth_scroll_delta);
        model.desk.mixer.left -= delta.x + delta.y;
    }
    model.desk.mixer.left = model.desk.mixer.left.clamp(0.0, most);
}

fn fader_area(strip: Rect) -> Rect {
    let top_left = pos2(strip.left(), strip.top() + 64.0);
    Rect::from_min_max(top_left, pos2(strip.right(), strip.bottom() - 40.0))
}

fn strip(
    cx: &Cx<'_>,
    model: &mut Model,
    session: &Session,
    id: TrackId,
    track: &Track,
    rect: Rect,
    out: &mut Vec<Action>,
) {
    cx.vline(rect.left(), rect.top(), rect.bottom(), cx.t.line);
    let hue = cx.t.hues[hue_of(Some(id), session)];
    let top = Rect::from_min_size(rect.min + vec2(1.0, 0.0), vec2(rect.width() - 1.0, 3.0));
    cx.fill(top, 0.0, hue.strong);
    let color = if session.is_audible(id) { cx.t.text } else { cx.t.text_3 };
    let at = pos2(rect.left() + space::M, rect.top() + 18.0);
    cx.elided(at, &track.name, Type::SMALL_STRONG, color, rect.width() - 20.0);
    pan(cx, model, id, track, rect, out);
    gain(cx, model, id, track, rect, out);
    let at = pos2(rect.left() + space::S, rect.bottom() - 30.0);
    mute_solo(cx, at, id, track, "mixer", out);
}

fn pan(
    cx: &Cx<'_>,
    model: &mut Model,
    id: TrackId,
    track: &Track,
    rect: Rect,
    out: &mut Vec<Action>,
) {
    let at = pos2(rect.left() + space::S, rect.top() + 36.0);
    let area = Rect::from_min_size(at, vec2(rect.width() - 16.0, 16.0));
    let name = format!("Pan {}", track.name);
    let response = cx.interact(area.expand(4.0), ("pan", id), Sense::click_and_drag());
    let knob = Knob::Pan(id);
    let mut bar = area;
    bar.cut_right(32.0);
    let at = |x: f32| f64::from(((x - bar.center().x) / (bar.width() / 2.0)).clamp(-1.0, 1.0));
    let at = |x| (at(x) * 100.0).round() / 100.0;
    let now = response.interact_pointer_pos().map(|pos| at(pos.x));
    if let Some(pan) = settled(model, knob, &response, now, 0.0) {
        out.push(call("cmd_set_track_pan", json!({"targets": id, "pan": pan})));
    }
    let shown = shown(model, knob, track.pan);
    response.widget_info(|| egui::WidgetInfo::slider(true, shown, &name));
    fader::pan(cx, area, (shown * 100.0) as f32);
}

fn gain(
    cx: &Cx<'_>,
    model: &mut Model,
    id: TrackId,
    track: &Track,
    rect: Rect,
    out: &mut Vec<Action>,
) {
    let area = fader_area(rect);
    let slot = Rect::from_min_size(area.min + vec2(12.0, 0.0), vec2(32.0, area.height()));
    let planned = planned(model, id);
    let (knob, now) = (Knob::Gain(id), track.gain.0);
    let name = format!("Fader {}", track.name);
    if let Some(db) = fader_drag(cx, model, knob, slot, &name, now, planned) {
        out.push(call("cmd_set_track_gain", json!({"targets": id, "gain_db": db})));
    }
    let shown = signed(shown(model, knob, now) as f32, 1);
    let at = pos2(rect.right() - space::S, rect.bottom() - 20.0);
    cx.right(at, &shown, Type::CAPTION_STRONG, cx.t.text_2);
}

fn master(cx: &Cx<'_>, model: &mut Model, session: &Session, rect: Rect, out: &mut Vec<Action>) {
    cx.fill(rect, 0.0, cx.t.raised);
    cx.vline(rect.left(), rect.top(), rect.bottom(), cx.t.line_strong);
    cx.left(rect.min + vec2(space::M, 18.0), "Master", Type::BODY_STRONG, cx.t.text);
    let area = fader_area(rect);
    let slot = Rect::from_center_size(area.center(), vec2(32.0, area.height()));
    let now = session.master_gain.0;
    if let Some(db) = fader_drag(cx, model, Knob::Master, slot, "Fader Master", now, None) {
        out.push(call("cmd_set_master_gain", json!({"gain_db": db})));
    }
    let text = format!("{}\u{a0}dB", signed(shown(model, Knob::Master, now) as f32, 1));
    let at = pos2(rect.center().x, rect.bottom() - 20.0);
    cx.center(at, &text, Type::SMALL_STRONG, cx.t.text_2);
}

/// A fader: the value to set when a drag ended or a double click asked for 0 dB.
fn fader_drag(
    cx: &Cx<'_>,
    model: &mut Model,
    knob: Knob,
    slot: Rect,
    name: &str,
    value: f64,
    planned: Option<Planned>,
) -> Option<f64> {
    fader::tick_marks(cx, slot);
    let response = cx.interact(slot, ("fader", name), Sense::click_and_drag());
    let at = response.interact_pointer_pos();
    let now = at.map(|pos| (f64::from(fader::db_at(slot, pos.y)) * 10.0).round() / 10.0);
    let set = settled(model, knob, &response, now, 0.0);
    let shown = shown(model, knob, value);
    response.widget_info(|| egui::WidgetInfo::slider(true, shown, name));
    fader::fader(cx, slot, shown as f32, planned);
    set
}

/// Follows a drag; gives the value at its end, or `reset` on a double click.
fn settled(
    model: &mut Model,
    knob: Knob,
    response: &Response,
    now: Option<f64>,
    reset: f64,
) -> Option<f64> {
    if response.double_clicked() {
        model.desk.mixer.moving = None;
        return Some(reset);
    }
    if response.dragged()
        && let Some(now) = now
    {
        model.desk.mixer.moving = Some((knob, now));
    }
    if !response.drag_stopped() {
        return None;
    }
    let last = model.desk.mixer.moving.take().filter(|(moved, _)| *moved == knob);
    last.map(|(_, value)| value)
}

fn shown(model: &Model, knob: Knob, value: f64) -> f64 {
    let moving = model.desk.mixer.moving.filter(|(moved, _)| *moved == knob);
    moving.map_or(value, |(_, value)| value)
}

/// The move of this fader in the open plan.
fn planned(model: &Model, track: TrackId) -> Option<Planned> {
    let card = model.open_plan()?;
    let mut changes = card.stored.plan.changes.iter().enumerate();
    changes.find_map(|(index, planned)| match &planned.change {
        Change::SetTrackGain(edit) if edit.target == track => {
            let db = card.view.edits.get(&planned.id).copied().unwrap_or(edit.after.0) as f32;
            Some(Planned { db, tag: index + 1, on: !card.view.off.contains(&planned.id) })
        }
        _ => None,
    })
}

fn call(tool: &'static str, params: serde_json::Value) -> Action {
    Action::Call { tool, params }
}

/// Mute and solo, shared by timeline and mixer. Latched mute is amber, solo is green.
pub(crate) fn mute_solo(
    cx: &Cx<'_>,
    at: egui::Pos2,
    id: TrackId,
    track: &Track,
    place: &str,
    out: &mut Vec<Action>,
) {
    let cells = [
        ("M", track.mute, cx.t.warn, "Mute", "cmd_set_track_mute", "mute"),
        ("S", track.solo, cx.t.ok, "Solo", "cmd_set_track_solo", "solo"),
    ];
    for (index, (letter, is_on, color, word, tool, key)) in cells.into_iter().enumerate() {
        let rect = Rect::from_min_size(pos2(at.x + index as f32 * 24.0, at.y), vec2(20.0, 20.0));
        let name = format!("{word} {}", track.name);
        let response = cx.interact(rect.expand(2.0), (word, id, place), Sense::click());
        response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_on, &name));
        cx.fill(rect, 3.0, if is_on { color } else { cx.t.control });
        let on_color = if cx.t.dark { cx.t.void } else { cx.t.raised };
        let text = if is_on { on_color } else { cx.t.text_2 };
        cx.center(rect.center(), letter, Type::CAPTION_STRONG, text);
        if response.has_focus() {
            cx.focus_ring(rect, 3.0);
        }
        if response.on_hover_text(&name).clicked() {
            out.push(call(tool, json!({"targets": id, key: !is_on})));
        }
    }
}
