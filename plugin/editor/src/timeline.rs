//! Timeline: ruler, markers, tracks, clips with their waveforms, and the ghosts of planned changes.

mod axis;
mod ghosts;

use crate::action::Action;
use crate::describe::hue_of;
use crate::icons;
use crate::kit::controls::icon_button;
use crate::kit::cx::{alpha, mix};
use crate::kit::scale::{signed, with_unit};
use crate::kit::{Cut, Cx, wave};
use crate::mixer::mute_solo;
use crate::model::Model;
use crate::theme::{Theme, Type, space};
use crate::waves::Waves;
use axis::Axis;
use deskhand_dsp::Frames;
use deskhand_session::{Clip, Session, Track, TrackId};
use egui::{Rect, Ui, pos2, vec2};

/// What the timeline shows.
#[derive(Default)]
pub(crate) struct TimelineView {
    /// Points per second; none shows the whole session.
    pub(crate) zoom: Option<f32>,
    /// The second at the left edge.
    pub(crate) left: f32,
    /// Points scrolled down.
    pub(crate) down: f32,
    pub(crate) hides_ghosts: bool,
    /// The range that was repeated last.
    pub(crate) last_loop: Option<(Frames, Frames)>,
}

const HEADER: f32 = 184.0;
const LANE: f32 = 76.0;
/// Points per column of a waveform.
const COLUMN: f32 = 1.0;

/// Draws the timeline.
pub(crate) fn show(
    ui: &mut Ui,
    theme: &Theme,
    model: &mut Model,
    waves: &dyn Waves,
    rect: Rect,
    out: &mut Vec<Action>,
) {
    let Some(session) = model.session().cloned() else { return };
    let cx = Cx::new(ui, theme).clip(rect);
    cx.fill(rect, 0.0, theme.well);
    let mut rest = rect;
    let tools = rest.cut_top(40.0);
    let mut ruler = rest.cut_top(44.0);
    cx.fill(ruler, 0.0, theme.panel);
    ruler.cut_left(HEADER);
    let mut lanes = rest;
    lanes.cut_left(HEADER);
    let axis = Axis::settle(ui, model, &session, lanes, rest);
    toolbar(&cx, tools, model, &axis);
    let down = model.desk.timeline.down;
    let rows = cx.clip(rest);
    for (index, (id, track)) in session.tracks_in_order().enumerate() {
        let y = rest.top() + LANE * index as f32 - down;
        let mut row = Rect::from_min_size(pos2(rest.left(), y), vec2(rest.width(), LANE));
        if !row.intersects(rest) {
            continue;
        }
        header(&rows, row.cut_left(HEADER), &session, id, track, out);
        lane(&rows, row, &session, id, &axis, waves);
        rows.hline(rect.left(), rect.right(), row.bottom() - 1.0, theme.line);
    }
    paint_ruler(&cx.clip(ruler), ruler, &session, &axis);
    if !model.desk.timeline.hides_ghosts {
        ghosts::paint(&cx, model, &session, &axis, waves, lanes, ruler);
    }
    cx.vline(lanes.left() - 1.0, ruler.top(), rect.bottom(), theme.line);
}

/// The rectangle of the `index`th lane.
fn lane_rect(lanes: Rect, index: usize, down: f32) -> Rect {
    let y = lanes.top() + LANE * index as f32 - down;
    Rect::from_min_size(pos2(lanes.left(), y), vec2(lanes.width(), LANE))
}

fn toolbar(cx: &Cx<'_>, rect: Rect, model: &mut Model, axis: &Axis) {
    cx.fill(rect, 0.0, cx.t.panel);
    cx.hline(rect.left(), rect.right(), rect.bottom() - 1.0, cx.t.line);
    cx.left(rect.left_mid(space::M), "Timeline", Type::BODY_STRONG, cx.t.text);
    if let Some(number) = model.open_plan().map(|card| card.number) {
        legend(cx, rect, model, number);
    }
    let mut x = rect.right() - space::M - 28.0;
    let mut button = |icon, name| {
        let response = icon_button(cx, rect.row_box(x, vec2(28.0, 28.0)), icon, false, name);
        x -= 32.0;
        response.clicked()
    };
    if button(icons::MAGNIFYING_GLASS_PLUS, "Zoom in") {
        axis.zoom(model, 1.5);
    }
    if button(icons::MAGNIFYING_GLASS_MINUS, "Zoom out") {
        axis.zoom(model, 1.0 / 1.5);
    }
    if button(icons::ARROWS_LEFT_RIGHT, "Show all") {
        (model.desk.timeline.zoom, model.desk.timeline.left) = (None, 0.0);
    }
}

fn legend(cx: &Cx<'_>, rect: Rect, model: &mut Model, number: usize) {
    let y = rect.center().y;
    let swatch = Rect::from_min_size(pos2(rect.left() + HEADER, y - 6.0), vec2(20.0, 12.0));
    cx.hatch(swatch, 5.0, alpha(cx.t.accent, 0.45));
    cx.dashed_border(swatch, cx.t.accent);
    let words = format!("Plan {number} preview");
    let text = cx.left(pos2(swatch.right() + 8.0, y), &words, Type::SMALL, cx.t.text_2);
    let (icon, name) = if model.desk.timeline.hides_ghosts {
        (icons::EYE_SLASH, "Show plan preview")
    } else {
        (icons::EYE, "Hide plan preview")
    };
    let rect = rect.row_box(text.right() + 4.0, vec2(28.0, 28.0));
    if icon_button(cx, rect, icon, false, name).clicked() {
        model.desk.timeline.hides_ghosts = !model.desk.timeline.hides_ghosts;
    }
}

fn paint_ruler(cx: &Cx<'_>, rect: Rect, session: &Session, axis: &Axis) {
    let mut rest = rect;
    let times = rest.cut_top(24.0);
    cx.hline(rect.left(), rect.right(), times.bottom() - 1.0, cx.t.line);
    for (second, is_major) in axis.ticks() {
        let height = if is_major { 8.0 } else { 4.0 };
        let (x, bottom) = (axis.x(second), times.bottom() - 1.0);
        cx.vline(x, bottom - height, bottom, cx.t.line_strong);
        if is_major {
            let at = pos2(x + 4.0, times.top() + 10.0);
            cx.left(at, &axis.label(second), Type::TICK, cx.t.text_3);
        }
    }
    for marker in session.markers.values() {
        let x = axis.frame_x(marker.position);
        let width = cx.width(&marker.name, Type::CAPTION_STRONG) + 12.0;
        let tag = Rect::from_min_size(pos2(x, rest.top() + 2.0), vec2(width.ceil(), 16.0));
        cx.fill(tag, 2.0, cx.t.control);
        cx.left(tag.left_mid(6.0), &marker.name, Type::CAPTION_STRONG, cx.t.text_2);
    }
    cx.hline(rect.left(), rect.right(), rect.bottom() - 1.0, cx.t.line_strong);
}

fn header(
    cx: &Cx<'_>,
    rect: Rect,
    session: &Session,
    id: TrackId,
    track: &Track,
    out: &mut Vec<Action>,
) {
    let is_selected = session.selection.tracks.contains(&id);
    cx.fill(rect, 0.0, if is_selected { cx.t.raised } else { cx.t.panel });
    let hue = cx.t.hues[hue_of(Some(id), session)];
    cx.fill(Rect::from_min_size(rect.min, vec2(4.0, rect.height() - 1.0)), 0.0, hue.strong);
    let x = rect.left() + space::M;
    let color = if session.is_audible(id) { cx.t.text } else { cx.t.text_3 };
    cx.elided(pos2(x, rect.top() + 20.0), &track.name, Type::BODY, color, HEADER - 24.0);
    let y = rect.bottom() - 30.0;
    mute_solo(cx, pos2(x, y), id, track, "timeline", out);
    let gain = format!("{}\u{a0}dB", signed(track.gain.0 as f32, 1));
    cx.right(pos2(rect.right() - space::M, y + 10.0), &gain, Type::CAPTION, cx.t.text_3);
}

fn lane(cx: &Cx<'_>, rect: Rect, session: &Session, id: TrackId, axis: &Axis, waves: &dyn Waves) {
    let cx = &cx.clip(rect);
    for (second, _) in axis.ticks().filter(|(_, is_major)| *is_major) {
        cx.vline(axis.x(second), rect.top(), rect.bottom(), alpha(cx.t.line, 0.8));
    }
    let faded = cx.faded(0.38);
    let shown = if session.is_audible(id) { cx } else { &faded };
    let hue = hue_of(Some(id), session);
    for (clip_id, clip) in session.clips_on(id) {
        let is_selected = session.selection.clips.contains(&clip_id);
        paint_clip(shown, rect, clip, hue, axis, waves, is_selected);
    }
}

/// Where a clip is drawn in its lane.
fn clip_rect(lane: Rect, position: Frames, end: Frames, axis: &Axis) -> Rect {
    let left = axis.frame_x(position);
    let right = (axis.frame_x(end) - 1.0).max(left + 2.0);
    Rect::from_min_max(pos2(left, lane.top() + 2.0), pos2(right, lane.bottom() - 3.0))
}

fn paint_clip(
    cx: &Cx<'_>,
    lane: Rect,
    clip: &Clip,
    hue: usize,
    axis: &Axis,
    waves: &dyn Waves,
    is_selected: bool,
) {
    let rect = clip_rect(lane, clip.position, clip.end(), axis);
    if !rect.intersects(cx.p.clip_rect()) {
        return;
    }
    let hue = cx.t.hues[hue];
    cx.fill(rect, 2.0, hue.soft);
    let mut body = rect;
    let title = body.cut_top(14.0);
    let gain = clip.gain.amplitude() as f32;
    let (visible, columns) = columns(cx, body, clip, axis, waves);
    match columns {
        Some(columns) => {
            let peak = mix(hue.soft, hue.strong, 0.48);
            wave::paint(&cx.clip(body), visible.pad(0.0, 2.0), &columns, gain, peak, hue.strong);
        }
        None => cx.hline(visible.left(), visible.right(), body.center().y, hue.strong),
    }
    let at = pos2(title.left().max(lane.left()) + 5.0, title.center().y);
    cx.clip(title).left(at, &clip.name, Type::TICK, hue.strong);
    if is_selected {
        cx.border(rect, 2.0, cx.t.text);
    }
}

/// The columns of the part of a clip that is in view, and where they go.
fn columns(
    cx: &Cx<'_>,
    body: Rect,
    clip: &Clip,
    axis: &Axis,
    waves: &dyn Waves,
) -> (Rect, Option<Vec<wave::Column>>) {
    let view = cx.p.clip_rect();
    let left = body.left().max(view.left().floor());
    let right = body.right().min(view.right().ceil()).max(left);
    let visible = Rect::from_min_max(pos2(left, body.top()), pos2(right, body.bottom()));
    let count = ((right - left) / COLUMN).ceil() as usize;
    if count < 2 {
        return (visible, None);
    }
    let per_column = axis.frames_per_point() * f64::from(COLUMN);
    let skipped = f64::from(left - axis.frame_x(clip.position)) * axis.frames_per_point();
    let start = Frames(clip.start.0 + skipped.max(0.0) as i64);
    (visible, waves.columns(clip.source, start, per_column, count))
}

/// The gain of a clip as words.
fn gain_words(db: f64) -> String {
    with_unit(0.0, 1, "dB").replace("0.0", &signed(db as f32, 1))
}
