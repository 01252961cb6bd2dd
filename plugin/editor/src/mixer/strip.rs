//! One strip: pan, fader, meter, mute and solo.

use super::knob::{Travel, fader_knob, knob};
use super::{call, planned};
use crate::action::{Actions, Gesture};
use crate::describe::hue_of;
use crate::desk::DeskView;
use crate::inserts;
use crate::kit::controls::hint;
use crate::kit::scale::signed;
use crate::kit::{Cut, Cx, fader, meter};
use crate::mixer::view::{Knob, STRIP, fader_area};
use crate::scene::Scene;
use crate::theme::{Type, space};
use deskhand_session::{InsertOwner, Output, Track, TrackId, TrackKind};
use egui::{Rect, pos2, vec2};
use serde_json::json;

/// Whether a strip of this width leaves out what other places show too.
fn is_narrow(wide: f32) -> bool {
    wide < STRIP
}

/// Room for the name. The processors are next to it, or below it in a narrow strip.
pub(super) fn name_room(wide: f32) -> f32 {
    wide - if is_narrow(wide) { 2.0 * space::M } else { 56.0 }
}

/// The place of the processors button.
fn processors_cell(strip: Rect, is_narrow: bool) -> Rect {
    let at = match is_narrow {
        true => pos2(strip.left() + space::M, strip.top() + 32.0),
        false => pos2(strip.right() - 42.0, strip.top() + 10.0),
    };
    Rect::from_min_size(at, vec2(34.0, 16.0))
}

pub(super) fn show(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    desk: &mut DeskView,
    id: TrackId,
    track: &Track,
    rect: Rect,
    out: &mut Actions,
) {
    cx.vline(rect.left(), rect.top(), rect.bottom(), cx.t.line);
    let hue = cx.t.hues[hue_of(Some(id), scene.session)];
    let top = Rect::from_min_size(rect.min + vec2(1.0, 0.0), vec2(rect.width() - 1.0, 3.0));
    cx.fill(top, 0.0, hue.strong);
    let color = if scene.session.is_audible(id) { cx.t.text } else { cx.t.text_3 };
    let at = pos2(rect.left() + space::M, rect.top() + 18.0);
    cx.elided(at, &track.name, Type::SMALL_STRONG, color, name_room(rect.width()));
    let owner = InsertOwner::Track(id);
    let is_narrow = is_narrow(rect.width());
    let cell = processors_cell(rect, is_narrow);
    // In a plugin's window no bus is audible, and a host's own processing is set in the host.
    let is_hosted = scene.live.is_hosted();
    if !is_hosted || track.kind == TrackKind::Audio {
        inserts::button(cx, scene.session, &mut desk.inserts, owner, cell);
    }
    if !is_hosted && !is_narrow {
        pan(cx, scene, desk, id, rect, out);
    }
    if let Output::Bus(bus) = track.output {
        let name = format!("to {}", scene.session.name_of(bus.into()));
        let at = pos2(rect.left() + space::M, rect.top() + 58.0);
        cx.elided(at, &name, Type::TICK, cx.t.text_3, rect.width() - 24.0);
    }
    let area = fader_area(rect);
    let slot = Rect::from_min_size(area.min + vec2(12.0, 0.0), vec2(32.0, area.height()));
    let planned = planned::fader(scene, owner);
    planned::processors(cx, scene, owner, pos2(rect.right() - 20.0, rect.top() + 58.0));
    let shown = fader_knob(cx, scene, &mut desk.mixer, Knob::Gain(id), slot, planned, out);
    strip_meter(cx, desk, id, track, area, is_narrow);
    let at = pos2(rect.left() + space::M, rect.bottom() - 30.0);
    if !is_hosted {
        mute_solo(cx, at, id, track, "mixer", out);
    }
    let (edge, size) = if is_narrow { (4.0, Type::TICK) } else { (space::M, Type::SMALL_STRONG) };
    let at = pos2(rect.right() - edge, rect.bottom() - 20.0);
    cx.right(at, &signed(shown as f32, 1), size, cx.t.text_2);
}

fn strip_meter(
    cx: &Cx<'_>,
    desk: &mut DeskView,
    id: TrackId,
    track: &Track,
    area: Rect,
    is_narrow: bool,
) {
    let levels = desk.meters.shown(id);
    // In a narrow strip it stays clear of the number next to the fader.
    let right = area.right() - if is_narrow { 5.0 } else { space::M };
    let top_left = pos2(right - 13.0, area.top() + 6.0);
    let meter = Rect::from_min_max(top_left, pos2(right, area.bottom() - 6.0));
    meter::stereo(cx, meter, levels);
    let labels = Rect::from_min_max(
        pos2(meter.left() - 24.0, meter.top()),
        pos2(meter.left() - 1.0, meter.bottom()),
    );
    if !is_narrow {
        meter::dbfs_ticks(cx, labels, meter, &meter::STRIP_TICKS);
    }
    let name = format!("Meter {}", track.name);
    if meter::over(cx, meter, levels, Some(id), &name) {
        desk.meters.clear(Some(id));
    }
}

fn pan(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    desk: &mut DeskView,
    id: TrackId,
    rect: Rect,
    out: &mut Actions,
) {
    let at = pos2(rect.left() + space::M, rect.top() + 36.0);
    let area = Rect::from_min_size(at, vec2(rect.width() - 24.0, 16.0));
    let mut bar = area;
    bar.cut_right(32.0);
    let half = bar.width() / 2.0;
    let travel = Travel {
        place: &|pan| bar.center().x + pan as f32 * half,
        value: &|x| f64::from((x - bar.center().x) / half),
        is_upright: false,
        elsewhere: "",
    };
    let (response, shown) =
        knob(cx, scene, &mut desk.mixer, Knob::Pan(id), area.expand(4.0), &travel, out);
    drop(response);
    fader::pan(cx, area, (shown * 100.0) as f32);
}

/// Mute and solo, shared by timeline and mixer. Latched mute is amber, solo is green.
pub(crate) fn mute_solo(
    cx: &Cx<'_>,
    at: egui::Pos2,
    id: TrackId,
    track: &Track,
    place: &str,
    out: &mut Actions,
) {
    let cells = [
        ("M", track.mute, cx.t.warn, "Mute", Gesture::MuteTrack, "mute"),
        ("S", track.solo, cx.t.ok, "Solo", Gesture::SoloTrack, "solo"),
    ];
    for (index, (letter, is_on, color, word, gesture, key)) in cells.into_iter().enumerate() {
        let rect = Rect::from_min_size(pos2(at.x + index as f32 * 24.0, at.y), vec2(20.0, 20.0));
        let name = format!("{word} {}", track.name);
        let response = cx.toggle(rect.expand(2.0), (word, id, place), is_on, &name);
        cx.fill(rect, 3.0, if is_on { color } else { cx.t.control });
        let on_color = if cx.t.dark { cx.t.void } else { cx.t.raised };
        let text = if is_on { on_color } else { cx.t.text_2 };
        cx.center(rect.center(), letter, Type::CAPTION_STRONG, text);
        cx.ring(&response, rect, 3.0);
        if hint(response, &name).clicked() {
            out.push(call(gesture, json!({"targets": id, key: !is_on})));
        }
    }
}
