//! The row above the timeline: tools, switches, the selected time, zoom.

use super::Axis;
use crate::action::{Actions, Gesture, call};
use crate::icons;
use crate::kit::controls::{icon_button, icon_toggle};
use crate::kit::cx::alpha;
use crate::kit::link::link;
use crate::kit::{Cut, Cx, menu};
use crate::scene::Scene;
use crate::theme::{Type, space};
use crate::timeline::view::{TimelineView, Tool};
use crate::track_menu::fresh_name;
use deskhand_session::text::clock_of;
use egui::{Align2, Rangef, Rect, pos2, vec2};
use serde_json::json;

const BUTTON: f32 = 32.0;

pub(super) fn show(
    cx: &Cx<'_>,
    rect: Rect,
    scene: Scene<'_>,
    view: &mut TimelineView,
    axis: &Axis,
    out: &mut Actions,
) {
    cx.fill(rect, 0.0, cx.t.panel);
    cx.hline(rect.left(), rect.right(), rect.bottom() - 1.0, cx.t.line);
    let x = tools(cx, rect, view);
    let add = rect.row_box(x, vec2(28.0, 28.0));
    add_track(cx, add, scene, out);
    let right = rect.right() - space::M - 3.0 * BUTTON + 4.0;
    if right < add.right() + 4.0 {
        // Keys zoom as well.
        return;
    }
    let room = Rangef::new(add.right() + 16.0, right - 8.0);
    let left = legend(cx, rect, room, scene, view);
    zoom(cx, right, rect, view, axis);
    selected(cx, scene, rect, left, right);
}

/// Draws the tools and switches. Returns the x position of the next button.
fn tools(cx: &Cx<'_>, rect: Rect, view: &mut TimelineView) -> f32 {
    let mut x = rect.left() + space::M;
    let mut button = |icon, is_on, name| {
        let cell = rect.row_box(x, vec2(28.0, 28.0));
        x += BUTTON;
        icon_toggle(cx, cell, icon, is_on, name).clicked()
    };
    let tools = [
        (Tool::Select, icons::CURSOR, "Select and move (V)"),
        (Tool::Split, icons::SCISSORS, "Split where you click (C)"),
        (Tool::Range, icons::SELECTION, "Select time (T)"),
    ];
    for (tool, icon, name) in tools {
        if button(icon, view.tool == tool, name) {
            view.tool = tool;
        }
    }
    if button(icons::MAGNET, !view.is_loose, "Snap (N); Alt bypasses it") {
        view.is_loose = !view.is_loose;
    }
    if button(
        icons::ARROWS_LEFT_RIGHT,
        view.ripples,
        "Ripple: later clips of the group follow a delete or a trim",
    ) {
        view.ripples = !view.ripples;
    }
    if button(icons::HAND_POINTING, !view.stays, "Follow the playhead (F)") {
        view.stays = !view.stays;
    }
    x
}

fn add_track(cx: &Cx<'_>, cell: Rect, scene: Scene<'_>, out: &mut Actions) {
    let response = icon_button(cx, cell, icons::PLUS, "Add a track or bus");
    menu::of(&response).show(|ui| {
        for (words, kind, name) in [("Audio track", "audio", "Audio"), ("Bus", "bus", "Bus")] {
            if menu::entry(ui, words) {
                let name = fresh_name(scene.session, name);
                let params = json!({"kind": kind, "name": name});
                out.push(call(Gesture::AddTrack, params));
            }
        }
    });
}

/// The zoom at the right, from left to right, as Tab goes through it.
fn zoom(cx: &Cx<'_>, left: f32, rect: Rect, view: &mut TimelineView, axis: &Axis) {
    let mut x = left;
    let mut button = |icon, name| {
        let response = icon_button(cx, rect.row_box(x, vec2(28.0, 28.0)), icon, name);
        x += BUTTON;
        response.clicked()
    };
    if button(icons::ARROWS_OUT_SIMPLE, "Show all (0)") {
        view.show_all();
    }
    if button(icons::MAGNIFYING_GLASS_MINUS, "Zoom out (−)") {
        axis.zoom(view, 1.0 / 1.5);
    }
    if button(icons::MAGNIFYING_GLASS_PLUS, "Zoom in (+)") {
        axis.zoom(view, 1.5);
    }
}

/// The legend of the ghosts, and the eye that hides them, in `room`. A narrow room has the eye only, or
/// neither.
fn legend(cx: &Cx<'_>, rect: Rect, room: Rangef, scene: Scene<'_>, view: &mut TimelineView) -> f32 {
    let Some(card) = scene.plan else { return room.min };
    let (y, mut x) = (rect.center().y, room.min);
    let words = format!("Plan {} preview", card.number);
    let whole = 20.0 + 8.0 + cx.width(&words, Type::SMALL) + 4.0 + 28.0;
    if room.span() < 28.0 {
        return x;
    }
    if room.span() >= whole {
        let swatch = Rect::from_min_size(pos2(x, y - 6.0), vec2(20.0, 12.0));
        cx.hatch(swatch, 5.0, alpha(cx.t.accent, 0.45));
        cx.dashed_border(swatch, cx.t.accent);
        let response = link(cx, pos2(swatch.right() + 8.0, y), &words, Type::SMALL);
        if response.clicked() {
            view.card = Some(card.stored.plan.id);
        }
        x = response.rect.right() + 4.0;
    }
    let (icon, name) = if view.hides_ghosts {
        (icons::EYE_SLASH, "Show plan preview")
    } else {
        (icons::EYE, "Hide plan preview")
    };
    let cell = rect.row_box(x, vec2(28.0, 28.0));
    if icon_button(cx, cell, icon, name).clicked() {
        view.hides_ghosts = !view.hides_ghosts;
    }
    cell.right()
}

/// The selected time in words.
fn selected(cx: &Cx<'_>, scene: Scene<'_>, rect: Rect, left: f32, right: f32) {
    let Some(range) = scene.session.selection.range else { return };
    if right - left < 230.0 {
        return;
    }
    let rate = scene.session.rate;
    let (start, end) = (range.start.seconds(rate).0, range.end.seconds(rate).0);
    let length = format!("   {:.1}\u{a0}s", end - start);
    let (from, to) = (clock_of(start), clock_of(end));
    let runs = [
        (from.as_str(), Type::SMALL, cx.t.text_2),
        (" to ", Type::SMALL, cx.t.text_3),
        (to.as_str(), Type::SMALL, cx.t.text_2),
        (length.as_str(), Type::SMALL, cx.t.text_3),
    ];
    cx.runs(pos2(right - space::M, rect.center().y), Align2::RIGHT_CENTER, &runs);
}
