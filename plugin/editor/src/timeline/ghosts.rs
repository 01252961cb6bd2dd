//! Ghosts: what the open plan would change, each with the number of its row.

mod clips;
mod earlier_rows;
mod envelopes;
mod flags;
mod floor;
pub(crate) mod link;
mod markers;
mod numbers;
pub(crate) mod place;
mod pointer;
mod time;
mod tracks;
mod words;

use super::Axis;
use super::rows::Rows;
use super::ruler::TIMES;
use crate::card::view::Card;
use crate::describe::{span_of, track_of};
use crate::kit::Cx;
use crate::scene::Scene;
use crate::timeline::view::{Parts, TimelineView};
use crate::tools::Tools;
use crate::waves::Waves;
use deskhand_dsp::Frames;
use deskhand_session::{Change, Clip, ClipId, MarkerId, PlannedChange, Session, SourceId, TrackId};
use earlier_rows::{Ahead, Flagged, Placed};
use egui::{Color32, Rect};
use flags::Flag;
use link::{Deepened, FloorDrag};
use numbers::{Corner, Numbers};
use pointer::Handle;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
pub(crate) use tracks::new_tracks;

struct Ghosts<'a> {
    cx: &'a Cx<'a>,
    card: &'a Card,
    tools: &'a Tools,
    session: &'a Session,
    axis: &'a Axis,
    rows: &'a Rows<'a>,
    waves: &'a dyn Waves,
    lanes: Rect,
    ruler: Rect,
    /// Headers and lanes.
    area: Rect,
    /// The number of the row of the card under the pointer, from 0.
    pointed: Option<usize>,
    /// The number of the row that was stepped to, from 0.
    current: Option<usize>,
    /// Clips as the rows so far leave them.
    ahead: RefCell<Ahead<'a>>,
    /// Clips in view by what they play.
    playing: OnceCell<BTreeMap<SourceId, Vec<(TrackId, &'a Clip)>>>,
    /// Numbers and words, drawn over all ghosts.
    numbers: RefCell<Numbers>,
    times: RefCell<Vec<Flag>>,
    markers: RefCell<Vec<Flag>>,
    /// Where the ghosts of rows are.
    spots: RefCell<Vec<(Rect, usize)>>,
    floor: RefCell<Option<FloorDrag>>,
    deepened: Cell<Option<Deepened>>,
}

/// The ghost of one row, while it is drawn.
struct Pen<'g, 'a> {
    all: &'g Ghosts<'a>,
    cx: Cx<'g>,
    /// Its number, from 0: its place in the plan, or among the cuts of one.
    row: usize,
}

/// The strength of ghosts of rows without a tick, and of all but the row under the pointer.
const FAINT: f32 = 0.4;

/// Draws a ghost for each row of the open plan, a faint one for a row without a tick, and handles the
/// pointer on them.
pub(super) fn paint(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    axis: &Axis,
    rows: &Rows<'_>,
    waves: &dyn Waves,
    parts: &Parts,
    view: &mut TimelineView,
) {
    let Some(card) = scene.plan.filter(|_| !view.hides_ghosts) else { return view.link.clear() };
    let ghosts = Ghosts {
        cx,
        card,
        tools: scene.tools,
        session: scene.session,
        axis,
        rows,
        waves,
        lanes: parts.lanes,
        ruler: parts.ruler,
        area: parts.area,
        pointed: card.view.list.pointed(cx.ui).map(|row| card.view.ticks.cuts.number(row)),
        current: card.view.list.current.map(|row| card.view.ticks.cuts.number(row)),
        ahead: RefCell::new(Ahead::new(scene.session)),
        playing: OnceCell::new(),
        numbers: RefCell::new(Numbers::new(cx)),
        times: RefCell::default(),
        markers: RefCell::default(),
        spots: RefCell::default(),
        floor: RefCell::new(view.link.floor.take()),
        deepened: Cell::default(),
    };
    for (place, planned) in card.stored.plan.changes.iter().enumerate() {
        if let Some(row) = card.view.ticks.cuts.ghost(place) {
            let edited = card.view.values.edits.get(&planned.id).copied();
            let cx = ghosts.toned(parts.lanes, &[row]);
            Pen { all: &ghosts, cx, row }.change(planned, edited);
        }
        if !card.view.ticks.off.contains(&planned.id) {
            ghosts.ahead.borrow_mut().take(&planned.change);
        }
    }
    (view.link.floor, view.link.deepened) = (ghosts.floor.take(), ghosts.deepened.take());
    let handles = ghosts.handles();
    view.link.take(cx, &ghosts, &handles, view.lanes);
}

/// The frame after the last one that a ticked row of the open plan affects.
pub(super) fn end(scene: Scene<'_>) -> Frames {
    let Some(card) = scene.plan else { return Frames::ZERO };
    let ends = card.ticked().filter_map(|planned| Some(span_of(&planned.change, scene.session)?.1));
    ends.max().unwrap_or_default()
}

impl<'a> Ghosts<'a> {
    /// A painter on a part of the timeline: faint if the pointer is on another row of the card, or if none
    /// of the rows has a tick.
    fn toned(&self, rect: Rect, rows: &[usize]) -> Cx<'a> {
        let mut cx = self.cx.clip(rect);
        let is_elsewhere = self.pointed.is_some_and(|pointed| !rows.contains(&pointed));
        if is_elsewhere || !rows.iter().any(|row| self.is_ticked(*row)) {
            cx.p.multiply_opacity(FAINT);
        }
        cx
    }

    fn is_ticked(&self, row: usize) -> bool {
        let planned = self.card.stored.plan.changes.get(self.card.view.ticks.cuts.row(row));
        planned.is_some_and(|planned| !self.card.view.ticks.off.contains(&planned.id))
    }

    /// Draws flags and numbers over all ghosts; gives where they are.
    fn handles(&self) -> Vec<Handle> {
        let mut handles = Vec::new();
        for (flags, top) in [(&self.times, 4.0), (&self.markers, TIMES + 2.0)] {
            let flags = flags::placed(self.cx, flags.take(), self.ruler.top() + top);
            for (rect, flag) in flags {
                flag.paint(&self.toned(self.ruler, &flag.rows), rect);
                let words = flag.words();
                handles.push(Handle { rect: rect.intersect(self.ruler), rows: flag.rows, words });
            }
        }
        let numbers = self.numbers.replace(Numbers::new(self.cx));
        for tag in numbers.settled(self.lanes) {
            tag.paint(&self.toned(self.lanes, &tag.rows));
            let rect = tag.rect().intersect(self.lanes);
            handles.push(Handle { rect, rows: tag.rows, words: tag.words });
        }
        handles.retain(|handle| handle.rect.is_positive());
        handles
    }

    /// The clips in view that play a source, and their tracks.
    fn playing(&self, source: SourceId) -> &[(TrackId, &'a Clip)] {
        let playing = self.playing.get_or_init(|| {
            let mut all: BTreeMap<SourceId, Vec<(TrackId, &'a Clip)>> = BTreeMap::new();
            for row in &self.rows.rows {
                for (_, clip) in &row.clips {
                    all.entry(clip.source).or_default().push((row.id, *clip));
                }
            }
            all
        });
        playing.get(&source).map_or(&[], Vec::as_slice)
    }
}

impl<'a> Pen<'_, 'a> {
    // tidy: table
    fn change(&self, planned: &PlannedChange, edited: Option<f64>) {
        match &planned.change {
            Change::AddTrack(edit) => self.new_track(edit),
            Change::RemoveTrack(edit) => self.lost_track(edit.target),
            Change::MoveTrack(edit) => self.track_order(edit),
            Change::RenameTrack(edit) => self.of_track(edit.target, &edit.after),
            Change::SetGroup(edit) => self.group(edit),
            Change::SetClipGain(edit) => self.gain(edit, edited.unwrap_or(edit.after.0)),
            Change::AddClip(edit) | Change::DuplicateClip(edit) => {
                edit.after.iter().for_each(|clip| self.comes(clip));
            }
            Change::RemoveClip(edit) => edit.before.iter().for_each(|clip| self.leaves(clip)),
            Change::MoveClip(edit) => self.moved(edit),
            Change::TrimClip(edit) => self.trim(edit),
            Change::SplitClip(edit) => self.split(edit),
            Change::SetClipFades(edit) => self.fades(edit),
            Change::AddMarker(edit) => edit.after.iter().for_each(|it| self.marker_comes(it)),
            Change::RemoveMarker(edit) => edit.before.iter().for_each(|it| self.marker_goes(it)),
            Change::MoveMarker(edit) => self.marker_moves(edit),
            Change::RenameMarker(edit) => self.marker_name(edit),
            Change::SetMarkerCode(edit) => self.marker_code(edit),
            Change::RippleDelete(edit) => self.time_goes(edit),
            Change::RippleInsert(edit) => self.time_comes(edit),
            Change::SetTempo(edit) => self.tempo(edit),
            Change::SetMeter(edit) => self.meter(edit),
            Change::SetClipPolarity(edit) => self.on_clip(edit.target, "Ø"),
            Change::SetClipMute(edit) => {
                self.on_clip(edit.target, if edit.after { "Mute" } else { "Unmute" });
            }
            Change::RenameClip(edit) => self.on_clip(edit.target, &edit.after),
            Change::SetTrackEnvelope(edit) => self.track_curve(edit),
            Change::SetClipEnvelope(edit) => self.clip_curve(edit),
            Change::SetSegment(edit) => {
                edit.after.iter().chain(&edit.before).take(1).for_each(|it| self.stretch_of(it));
            }
            Change::SetDescription(edit) => self.segment(edit.target),
            Change::SetImportance(edit) => self.segment(edit.target),
            // Changes of the mix have no lane: the mixer shows them.
            Change::SetTrackGain(_)
            | Change::SetTrackPan(_)
            | Change::SetTrackMute(_)
            | Change::SetTrackSolo(_)
            | Change::SetTrackColor(_)
            | Change::SetTrackOutput(_)
            | Change::SetInsert(_) => {
                let track = track_of(&planned.change, self.all.session);
                track.iter().for_each(|track| self.of_track(*track, ""));
            }
            // They have no place in time and on no track.
            Change::AddSource(_)
            | Change::RemoveSource(_)
            | Change::SetSelection(_)
            | Change::SetCurrentSource(_)
            | Change::SetMasterGain(_)
            | Change::SetCode(_)
            | Change::SetMemo(_)
            | Change::SetPhrase(_)
            | Change::SetAssembly(_)
            | Change::SetBinding(_) => {}
        }
    }

    /// A change of how a clip sounds or is called: its number at the left of the clip.
    fn on_clip(&self, id: ClipId, words: &str) {
        let Some(clip) = self.clip(id) else { return };
        let Some(lane) = self.all.rows.lane_of(clip.track) else { return };
        let [from, to] = [clip.position, clip.end()].map(|at| self.all.axis.frame_x(at));
        let place = Rect::from_x_y_ranges(from..=to, lane.y_range());
        self.spot(place);
        self.tag(place, words, Corner::BottomLeft);
    }

    /// A clip as the earlier rows leave it.
    fn clip(&self, id: ClipId) -> Option<Placed<'a>> {
        self.all.ahead.borrow().clip(id)
    }

    /// A marker as the earlier rows leave it.
    fn marker(&self, id: MarkerId) -> Option<Flagged<'a>> {
        self.all.ahead.borrow().marker(id)
    }

    fn on_ruler(&self) -> Cx<'_> {
        self.all.toned(self.all.ruler, &[self.row])
    }

    /// Dashed; of the row that was stepped to a whole line.
    fn edge(&self, rect: Rect, color: Color32) {
        if self.all.current == Some(self.row) {
            self.cx.border(rect, 2.0, color);
        } else {
            self.cx.dashed_border(rect, color);
        }
        self.spot(rect);
    }

    /// The row is here.
    fn spot(&self, rect: Rect) {
        let seen = rect.intersect(self.all.lanes);
        if seen.is_positive() {
            self.all.spots.borrow_mut().push((seen, self.row));
        }
    }

    /// Number and words of a ghost at its top right.
    fn label(&self, rect: Rect, words: &str) {
        self.tag(rect, words, Corner::TopRight);
    }

    /// Draws the row number in the visible part of the ghost.
    fn tag(&self, rect: Rect, words: &str, corner: Corner) {
        let seen = rect.intersect(self.all.lanes);
        if seen.is_negative() || seen.height() < 8.0 {
            return;
        }
        let y = match corner {
            Corner::TopRight => seen.top() + 12.0,
            Corner::BottomLeft => rect.bottom().min(self.all.lanes.bottom() + 4.0) - 14.0,
        };
        let mut numbers = self.all.numbers.borrow_mut();
        numbers.add(self.all.cx, (seen, y), self.row, words, corner);
    }
}

#[cfg(test)]
mod every_op;
#[cfg(test)]
mod tests;
