//! Timeline: ruler, markers, tracks, clips with their waveforms, the ghosts of planned changes, and every
//! edit that a mouse can make. Each edit is one call of a command.

mod axis;
mod calls;
mod clip_rect;
mod clipboard;
mod clips;
mod drag;
mod file_drops;
mod follow;
mod gain_curve;
mod gains;
pub(crate) mod ghosts;
mod header;
mod hit;
mod join;
mod keys;
mod lanes;
mod live_findings;
mod marker_names;
mod menu;
mod naming;
mod range;
mod recording;
mod rows;
mod ruler;
mod samples;
mod scrollbar;
mod snap;
mod step;
mod tiles;
mod toolbar;
mod track_shift;
pub(crate) mod view;
mod zoom_scroll;

use crate::action::Actions;
use crate::card::dials;
use crate::coding::coded::Coded;
use crate::describe::hues;
use crate::desk::DeskView;
use crate::kit::{Cut, Cx};
use crate::model::Model;
use crate::scene::Scene;
use crate::timeline::view::{Density, Parts, TimelineView};
use crate::waves::Waves;
use axis::Axis;
pub(crate) use calls::unselect_time;
use clips::Brush;
use egui::{Rect, Ui};
pub(crate) use gains::begun as begin_gains;
use ghosts::link::Deepened;
pub(crate) use ghosts::place::Place;
pub(crate) use keys::deselect;
use rows::{NewTrack, Rows};

pub(crate) fn show(
    ui: &mut Ui,
    model: &mut Model,
    waves: &dyn Waves,
    rect: Rect,
    density: Density,
    out: &mut Actions,
) {
    let shown = model.take_shown();
    let Some((scene, desk)) = model.scene() else { return };
    desk.timeline.shown = shown.or(desk.timeline.shown);
    desk.timeline.tiles.begin();
    // Headers that are scrolled out of it in part take no pointer outside of it.
    let whole = ui.clip_rect();
    ui.set_clip_rect(whole.intersect(rect));
    paint(&Cx::new(ui), scene, desk, waves, rect, density, out);
    ui.set_clip_rect(whole);
    naming::show(ui, &mut desk.timeline, rect, out);
    let (asked, card) = (desk.timeline.link.take_asked(), desk.timeline.card.take());
    let deepened = desk.timeline.link.take_deepened();
    if let Some(asked) = asked {
        model.desk.library.gives_way |= asked.is_number;
        model.go_to_row(asked.plan, asked.row, asked.is_number);
    }
    if let Some(Deepened { plan, param, to }) = deepened
        && let Some(card) = model.cards.get_mut(&plan)
    {
        dials::turn_to(&model.tools, card, (&param, to), out);
    }
    if let Some(plan) = card {
        model.desk.library.gives_way = true;
        model.show_plan_again(plan);
    }
}

fn parts(rect: Rect, density: Density) -> Parts {
    let mut rest = rect;
    let toolbar = rest.cut_top(if density.has_toolbar { 40.0 } else { 0.0 });
    let mut ruler = rest.cut_top(44.0);
    ruler.cut_left(density.header);
    let mut lanes = rest;
    lanes.cut_left(density.header);
    Parts { toolbar, ruler, area: rest, lanes }
}

// tidy: painting
fn paint(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    desk: &mut DeskView,
    waves: &dyn Waves,
    rect: Rect,
    density: Density,
    out: &mut Actions,
) {
    let parts = parts(rect, density);
    let Parts { toolbar, ruler, area, lanes } = parts;
    cx.fill(rect, 0.0, cx.t.well);
    let session = scene.session;
    let new = if desk.timeline.hides_ghosts { Vec::new() } else { ghosts::new_tracks(scene) };
    let height = density.lane * (session.track_order.len() + new.len()) as f32;
    let axis = settle(cx, scene, &mut desk.timeline, &parts, (density.lane, &new));
    desk.timeline.placed = Some((axis, density.lane));
    let rows = Rows::new(session, new, &axis, lanes, density.lane, desk.timeline.down);
    let under = lanes::take(cx, scene, &mut desk.timeline, &axis, &rows, lanes, out);
    keys::take(cx.ui, scene, &mut desk.timeline, &axis, under, out);
    lanes::library(cx, scene, &mut desk.timeline, &axis, &rows, lanes, out);
    let drag = desk.timeline.shown_drag(scene.head, cx.ui.input(|input| input.time));
    let hovered = under.and_then(|(hit, _)| hit.clip());
    let hues = hues(session);
    let (drag, hues) = (drag.as_ref(), &hues);
    let brush = Brush { cx, scene, axis: &axis, rows: &rows, waves, drag, hues, hovered };
    let column = cx.clip(Rect::from_min_max(area.min, egui::pos2(lanes.left(), area.bottom())));
    for row in &rows.rows {
        let mut head = row.lane;
        head.min.x = area.left();
        head.max.x = lanes.left();
        header::show(&column, scene, desk, row, head, density, out);
        brush.lane(row, &mut desk.timeline);
        cx.clip(area).hline(area.left(), area.right(), row.lane.bottom() - 1.0, cx.t.line);
    }
    codes(&mut desk.timeline, &brush, lanes);
    lanes::overlay(&brush, lanes, &axis);
    brush.moved(lanes, &mut desk.timeline);
    brush.joins(lanes);
    recording::paint(&brush, &desk.timeline, lanes);
    gains::show(cx, scene, &mut desk.timeline.gains, &axis, &rows, lanes, out);
    // Ruler and headers cover the content that scrolls under them.
    let band = Rect::from_min_max(egui::pos2(rect.left(), ruler.top()), ruler.max);
    cx.fill(band, 0.0, cx.t.panel);
    ruler::show(&cx.clip(ruler), scene, &mut desk.timeline, ruler, &axis, out);
    ruler::playhead(cx, scene, &axis, ruler, lanes);
    ghosts::paint(cx, scene, &axis, &rows, waves, &parts, &mut desk.timeline);
    live_findings::paint(cx, scene, &axis, &rows, lanes, ruler);
    cx.vline(lanes.left() - 1.0, ruler.top(), rect.bottom(), cx.t.line);
    if let Some(line) = desk.timeline.line {
        cx.fill(line, 0.0, cx.t.text);
    }
    scrollbar::show(cx, &mut desk.timeline, &axis, lanes, height);
    if density.has_toolbar {
        toolbar::show(cx, toolbar, scene, &mut desk.timeline, &axis, out);
    }
}

/// Zoom and scroll of this frame: by hand, to a change that is to be shown, and along with the playhead.
fn settle(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    view: &mut TimelineView,
    parts: &Parts,
    (lane, new): (f32, &[NewTrack<'_>]),
) -> Axis {
    let session = scene.session;
    view.note_take(scene.live);
    let end = session.end().max(ghosts::end(scene)).max(recording::end(scene));
    let extent = (session.rate, end);
    let height = lane * (session.track_order.len() + new.len()) as f32;
    let settled = |view: &mut TimelineView| {
        Axis::settle(cx.ui, view, extent, parts.lanes, parts.area, height)
    };
    let axis = settled(view);
    if let Some(place) = view.shown.take() {
        if let Some(span) = place.span {
            axis.bring(view, span);
        }
        let order = session.track_order.iter().copied().chain(new.iter().map(|new| new.id));
        let index = order.into_iter().position(|id| place.track == Some(id));
        if let Some(top) = index.map(|index| lane * index as f32) {
            view.down = view.down.min(top).max(top + lane - parts.lanes.height());
        }
        return settled(view);
    }
    if follow::follow(scene, view, &axis) { settled(view) } else { axis }
}

/// Draws the codings on the clips that play them.
fn codes(view: &mut TimelineView, brush: &Brush<'_>, lanes: Rect) {
    let head = brush.scene.head;
    if view.coded.as_ref().is_none_or(|(known, _)| *known != head) {
        view.coded = Some((head, Coded::new(brush.scene.session)));
    }
    if let Some((_, coded)) = &view.coded {
        brush.codes(coded, lanes);
    }
}
