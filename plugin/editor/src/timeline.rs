//! Timeline: ruler, markers, tracks, clips with their waveforms, the ghosts of planned changes, and every
//! edit that a mouse can make. Each edit is one call of a command.

mod axis;
mod calls;
mod clipboard;
mod clips;
mod drag;
mod file_drops;
mod follow;
mod gains;
mod ghosts;
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

use crate::action::Actions;
use crate::coding::coded::Coded;
use crate::describe::hues;
use crate::desk::DeskView;
use crate::kit::{Cut, Cx};
use crate::model::Model;
use crate::saved_view::Seen;
use crate::scene::Scene;
use crate::theme::Theme;
use crate::waves::Waves;
use axis::Axis;
pub(crate) use calls::unselect_time;
use clips::Brush;
use deskhand_dsp::Frames;
use deskhand_session::{ClipId, MarkerId, PlanId, RevisionId, TrackId};
use drag::Drag;
use egui::{Id, Rect, Ui};
pub(crate) use gains::begun as begin_gains;
pub(crate) use ghosts::{GhostLink, Place};
use hit::Hit;
pub(crate) use keys::deselect;
use naming::Naming;
use rows::{NewTrack, Rows};
use ruler::Pull;

/// Sizes that differ between the app and the plugin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Density {
    pub(crate) header: f32,
    pub(crate) lane: f32,
    pub(crate) has_toolbar: bool,
}

impl Density {
    pub(crate) const WINDOW: Self = Self { header: 184.0, lane: 76.0, has_toolbar: true };
    pub(crate) const PLUGIN: Self = Self { header: 112.0, lane: 52.0, has_toolbar: false };
}

/// What a click and a drag on the lanes do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tool {
    #[default]
    Select,
    Split,
    Range,
}

/// Something with a name that can be typed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Named {
    Track(TrackId),
    Clip(ClipId),
    Marker(MarkerId),
    /// A new group of these tracks.
    Group(Vec<TrackId>),
}

/// A drag whose call is running: its preview stays until the session answers.
struct Sent {
    drag: Drag,
    head: RevisionId,
    time: f64,
}

/// The state that the timeline keeps between frames.
pub(crate) struct TimelineView {
    /// Points per second; `None` shows the whole session.
    pub(crate) zoom: Option<f64>,
    /// The seconds of the whole session when all of it is shown; `None` fits it again.
    fitted: Option<f64>,
    /// The second at the left edge.
    pub(crate) left: f64,
    /// Points scrolled down.
    pub(crate) down: f32,
    pub(crate) hides_ghosts: bool,
    /// The range that was repeated last.
    pub(crate) last_loop: Option<(Frames, Frames)>,
    pub(crate) tool: Tool,
    /// Without snapping.
    pub(crate) is_loose: bool,
    /// Deleting closes the gap.
    pub(crate) ripples: bool,
    /// The view does not follow the playhead.
    pub(crate) stays: bool,
    pub(crate) tiles: tiles::Tiles,
    pub(crate) lanes: Option<Id>,
    /// Where the lanes were drawn last, and how tall each is.
    placed: Option<(Axis, f32)>,
    pub(crate) link: ghosts::GhostLink,
    /// The plan whose card is to be brought into view.
    card: Option<PlanId>,
    shown: Option<Place>,
    drag: Option<Drag>,
    sent: Option<Sent>,
    pull: Option<Pull>,
    reorder: Option<(TrackId, usize)>,
    /// Where a track that is dragged would go.
    line: Option<Rect>,
    naming: Option<Naming>,
    marker: Option<MarkerId>,
    /// A line of gain that is drawn.
    gains: Option<gains::Draft>,
    clipboard: clipboard::Clipboard,
    /// The current recording.
    take: Option<recording::Take>,
    menu_hit: Hit,
    menu_frame: Frames,
    playhead: Frames,
    /// The playhead ran in the last frame.
    runs: bool,
    /// The codings of the shown revision.
    coded: Option<(RevisionId, Coded)>,
}

impl Default for TimelineView {
    fn default() -> Self {
        Self {
            zoom: None,
            fitted: None,
            left: 0.0,
            down: 0.0,
            hides_ghosts: false,
            last_loop: None,
            tool: Tool::default(),
            is_loose: false,
            ripples: false,
            stays: false,
            tiles: tiles::Tiles::default(),
            lanes: None,
            placed: None,
            link: ghosts::GhostLink::default(),
            card: None,
            shown: None,
            drag: None,
            sent: None,
            pull: None,
            reorder: None,
            line: None,
            naming: None,
            marker: None,
            gains: None,
            clipboard: clipboard::Clipboard::default(),
            take: None,
            menu_hit: Hit::Nothing,
            menu_frame: Frames::ZERO,
            playhead: Frames::ZERO,
            runs: false,
            coded: None,
        }
    }
}

pub(crate) fn show(
    ui: &mut Ui,
    theme: &Theme,
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
    paint(&Cx::new(ui, theme).clip(rect), scene, desk, waves, rect, density, out);
    naming::show(ui, theme, &mut desk.timeline, rect, out);
    let (asked, card) = (desk.timeline.link.take_asked(), desk.timeline.card.take());
    if let Some(asked) = asked {
        model.desk.library.gives_way |= asked.is_number;
        model.go_to_row(asked.plan, asked.row, asked.is_number);
    }
    if let Some(plan) = card {
        model.desk.library.gives_way = true;
        model.show_plan_again(plan);
    }
}

/// Where the parts are.
struct Parts {
    toolbar: Rect,
    ruler: Rect,
    /// Headers and lanes.
    area: Rect,
    lanes: Rect,
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
    desk.timeline.codes(&brush, lanes);
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

impl TimelineView {
    /// Restores an earlier view; the view does not go to the playhead.
    pub(crate) fn look_again(&mut self, seen: &Seen) {
        (self.zoom, self.left, self.down) = (seen.zoom, seen.left, seen.down);
        (self.last_loop, self.playhead) = (seen.last_loop, seen.position);
    }

    /// Shows exactly the whole session.
    fn show_all(&mut self) {
        (self.zoom, self.fitted, self.left) = (None, None, 0.0);
    }

    /// Draws the codings on the clips that play them.
    fn codes(&mut self, brush: &Brush<'_>, lanes: Rect) {
        let head = brush.scene.head;
        if self.coded.as_ref().is_none_or(|(known, _)| *known != head) {
            self.coded = Some((head, Coded::new(brush.scene.session)));
        }
        if let Some((_, coded)) = &self.coded {
            brush.codes(coded, lanes);
        }
    }

    /// The drag to show: the current one, or the one whose call is running.
    fn shown_drag(&mut self, head: RevisionId, time: f64) -> Option<Drag> {
        if self.sent.as_ref().is_some_and(|sent| sent.head != head || time - sent.time > 1.0) {
            self.sent = None;
        }
        self.drag.clone().or_else(|| self.sent.as_ref().map(|sent| sent.drag.clone()))
    }
}
