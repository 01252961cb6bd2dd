//! Ghosts: what the open plan would change, each with the number of its row.

use super::Axis;
use super::clips::clip_rect;
use super::rows::Rows;
use crate::describe::{span_of, track_of};
use crate::kit::controls::plan_tag;
use crate::kit::cx::alpha;
use crate::kit::scale::signed;
use crate::kit::{Cut, Cx, wave};
use crate::model::Scene;
use crate::theme::Type;
use crate::waves::Waves;
use deskhand_dsp::{Decibels, Frames};
use deskhand_session::{Change, Clip, ClipWindow, PlannedChange, Session};
use egui::{Rect, pos2, vec2};
use std::cell::RefCell;
use std::collections::BTreeMap;

struct Ghosts<'a> {
    cx: &'a Cx<'a>,
    session: &'a Session,
    axis: &'a Axis,
    waves: &'a dyn Waves,
    lanes: Rect,
    ruler: Rect,
    rows: &'a Rows<'a>,
    /// Numbers and words, drawn over all ghosts.
    labels: RefCell<Vec<(Rect, usize, String)>>,
    /// Where the next number without a place in time stands, by lane and where the first did.
    beside: RefCell<BTreeMap<(i32, i32), f32>>,
    /// Where numbers stand, by the height of their lane: one that would cover another is left to its row.
    taken: RefCell<BTreeMap<i32, Vec<(f32, f32)>>>,
}

/// A ghost narrower than this is a bar: dashes and hatches would smear.
const NARROW: f32 = 8.0;

/// Draws a ghost for each ticked row of the open plan.
pub(super) fn paint(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    axis: &Axis,
    rows: &Rows<'_>,
    waves: &dyn Waves,
    lanes: Rect,
    ruler: Rect,
) {
    let Some(card) = scene.plan else { return };
    let cx = &cx.clip(lanes.union(ruler));
    let ghosts = Ghosts {
        cx,
        session: scene.session,
        axis,
        waves,
        lanes,
        ruler,
        rows,
        labels: RefCell::default(),
        beside: RefCell::default(),
        taken: RefCell::default(),
    };
    for (index, planned) in card.stored.plan.changes.iter().enumerate() {
        if !card.view.off.contains(&planned.id) {
            let edited = card.view.edits.get(&planned.id).copied();
            ghosts.change(index + 1, planned, edited);
        }
    }
    for (rect, number, words) in ghosts.labels.take() {
        ghosts.plate(rect, number, &words);
    }
}

impl Ghosts<'_> {
    fn lane(&self, planned: &PlannedChange) -> Option<Rect> {
        let track = track_of(&planned.change, self.session)?;
        self.rows.lane_of(track)
    }

    fn change(&self, number: usize, planned: &PlannedChange, edited: Option<f64>) {
        match &planned.change {
            Change::SetClipGain(edit) => {
                let Some(clip) = self.session.clips.get(&edit.target) else { return };
                self.gain(number, planned, clip, edited.unwrap_or(edit.after.0));
            }
            Change::AddClip(edit) | Change::DuplicateClip(edit) => {
                if let Some(clip) = &edit.after {
                    self.place(number, planned, clip.position, clip.end(), &clip.name);
                    self.contents(planned, clip);
                }
            }
            Change::RemoveClip(edit) => {
                if let Some(clip) = self.session.clips.get(&edit.target) {
                    self.removed(number, planned, clip.position, clip.end());
                }
            }
            Change::MoveClip(edit) => {
                if let Some(clip) = self.session.clips.get(&edit.target) {
                    let at = edit.after.position;
                    self.place(number, planned, at, at + clip.length, "Move");
                }
            }
            Change::TrimClip(edit) => self.trim(number, planned, edit.before, edit.after),
            Change::AddMarker(edit) => {
                if let Some(marker) = &edit.after {
                    self.marker(number, marker.position, &marker.name);
                }
            }
            Change::RippleDelete(edit) => {
                self.time(number, edit.before.at, edit.before.end());
            }
            // The rest has no place in time. What is of the mix has no lane either: the mixer shows it.
            _ => self.on_lane(number, planned),
        }
    }

    fn gain(&self, number: usize, planned: &PlannedChange, clip: &Clip, db: f64) {
        let Some(lane) = self.lane(planned) else { return };
        let rect = clip_rect(lane, clip.position, clip.end(), self.axis);
        let mut body = rect;
        body.cut_top(14.0);
        let cx = self.cx.clip(self.lanes);
        let (visible, columns) = columns(&cx, body, clip, self.axis, self.waves);
        if let Some(columns) = columns {
            let contour: Vec<_> = columns
                .chunks(3)
                .map(|few| wave::Column {
                    peak: few.iter().map(|column| column.peak).fold(0.0, f32::max),
                    rms: 0.0,
                })
                .collect();
            let gain = Decibels(db).amplitude() as f32;
            wave::outline(&cx.clip(body), visible.pad(0.0, 2.0), &contour, gain, cx.t.accent);
        }
        cx.dashed_border(rect, cx.t.accent);
        self.label(rect, number, &gain_words(db - clip.gain.0));
    }

    fn place(&self, number: usize, planned: &PlannedChange, at: Frames, end: Frames, label: &str) {
        let Some(lane) = self.lane(planned) else { return };
        let cx = self.cx.clip(self.lanes);
        let rect = clip_rect(lane, at, end, self.axis);
        if rect.width() < NARROW {
            cx.fill(rect, 1.0, alpha(cx.t.accent, 0.5));
            return self.label(rect, number, label);
        }
        cx.fill(rect, 2.0, alpha(cx.t.accent_soft, 0.6));
        cx.hatch(rect.intersect(self.lanes), 8.0, alpha(cx.t.accent, 0.13));
        cx.dashed_border(rect, cx.t.accent);
        self.label(rect, number, label);
    }

    /// The waveform of a clip that would be new.
    fn contents(&self, planned: &PlannedChange, clip: &Clip) {
        let Some(lane) = self.lane(planned) else { return };
        let mut body = clip_rect(lane, clip.position, clip.end(), self.axis);
        body.cut_top(14.0);
        let cx = self.cx.clip(self.lanes);
        let (visible, columns) = columns(&cx, body, clip, self.axis, self.waves);
        let gain = clip.gain.amplitude() as f32;
        let tone = alpha(cx.t.accent, 0.35);
        if let Some(columns) = columns {
            wave::paint(&cx.clip(body), visible.pad(0.0, 2.0), &columns, gain, tone, tone);
        }
    }

    fn removed(&self, number: usize, planned: &PlannedChange, at: Frames, end: Frames) {
        if let Some(rect) = self.goes(planned, at, end) {
            self.label(rect, number, "Remove");
        }
    }

    /// A stretch of a lane that falls silent.
    fn goes(&self, planned: &PlannedChange, at: Frames, end: Frames) -> Option<Rect> {
        let cx = self.cx.clip(self.lanes);
        let rect = clip_rect(self.lane(planned)?, at, end, self.axis);
        if rect.width() < NARROW {
            cx.fill(rect, 1.0, alpha(cx.t.danger, 0.5));
        } else {
            cx.hatch(rect.intersect(self.lanes), 8.0, alpha(cx.t.danger, 0.3));
            cx.dashed_border(rect, cx.t.danger);
        }
        Some(rect)
    }

    /// The words stand on what is kept: what goes may be where other clips of the plan come.
    fn trim(&self, number: usize, planned: &PlannedChange, before: ClipWindow, after: ClipWindow) {
        let end = |window: ClipWindow| window.position + window.length;
        if after.position <= before.position && end(after) >= end(before) {
            return self.place(number, planned, after.position, end(after), "Trim");
        }
        if after.position > before.position {
            self.goes(planned, before.position, after.position.min(end(before)));
        }
        if end(after) < end(before) {
            self.goes(planned, end(after).max(before.position), end(before));
        }
        if let Some(lane) = self.lane(planned) {
            self.label(clip_rect(lane, after.position, end(after), self.axis), number, "Trim");
        }
    }

    fn marker(&self, number: usize, at: Frames, name: &str) {
        let x = self.axis.frame_x(at);
        let width = self.cx.width(name, Type::CAPTION_STRONG) + 32.0;
        let tag = Rect::from_min_size(pos2(x, self.ruler.bottom() - 18.0), vec2(width, 16.0));
        let cx = self.cx.clip(self.ruler);
        cx.fill(tag, 2.0, cx.t.panel);
        cx.dashed_border(tag, cx.t.accent);
        cx.left(tag.left_mid(6.0), name, Type::CAPTION_STRONG, cx.t.accent);
        plan_tag(&cx, pos2(tag.right() - 9.0, tag.center().y), number, true);
    }

    /// Time that goes on every lane.
    fn time(&self, number: usize, at: Frames, end: Frames) {
        let cx = self.cx.clip(self.lanes);
        let (left, right) = (self.axis.frame_x(at), self.axis.frame_x(end));
        let lanes = self.lanes;
        let rect = Rect::from_min_max(pos2(left, lanes.top()), pos2(right, lanes.bottom()));
        cx.hatch(rect.intersect(lanes), 8.0, alpha(cx.t.danger, 0.3));
        cx.dashed_border(rect, cx.t.danger);
        self.label(rect, number, "Close time");
    }

    /// A change of a whole track or of how a clip sounds: its number at the left of the lane or of the clip, beside
    /// those that stand there.
    fn on_lane(&self, number: usize, planned: &PlannedChange) {
        let Some(lane) = self.lane(planned) else { return };
        let span = span_of(&planned.change, self.session);
        let (from, to) = span.map_or((lane.left(), lane.right()), |(start, end)| {
            (self.axis.frame_x(start).max(lane.left()), self.axis.frame_x(end).min(lane.right()))
        });
        let mut beside = self.beside.borrow_mut();
        let next =
            beside.entry((lane.top().round() as i32, from.round() as i32)).or_insert(from + 12.0);
        if *next < to.max(from + 16.0) {
            plan_tag(&self.cx.clip(self.lanes), pos2(*next, lane.bottom() - 14.0), number, true);
            *next += 18.0;
        }
    }

    /// Whether a number has the room from `left` to `right` in its lane; then it takes it.
    fn takes(&self, top: f32, left: f32, right: f32) -> bool {
        let mut taken = self.taken.borrow_mut();
        let lane = taken.entry(top.round() as i32).or_default();
        let is_free = lane.iter().all(|(from, to)| right < *from || left > *to);
        if is_free {
            lane.push((left, right));
        }
        is_free
    }

    /// Number and words of a ghost that is in view.
    fn label(&self, rect: Rect, number: usize, words: &str) {
        if rect.right() > self.lanes.left() && rect.left() < self.lanes.right() {
            self.labels.borrow_mut().push((rect, number, words.to_owned()));
        }
    }

    /// They stand at the top right, on a plate; only the number where the words do not fit.
    fn plate(&self, rect: Rect, number: usize, words: &str) {
        let cx = self.cx.clip(self.lanes);
        let right = rect.right().min(self.lanes.right()) - 3.0;
        let width = cx.width(words, Type::CAPTION_STRONG) + 28.0;
        let plate = Rect::from_min_size(pos2(right - width, rect.top() + 3.0), vec2(width, 18.0));
        if plate.left() < rect.left() + 4.0 {
            if !self.takes(rect.top(), right - 17.0, right + 1.0) {
                return;
            }
            plan_tag(&cx, pos2(right - 8.0, plate.center().y), number, true);
            return;
        }
        if !self.takes(rect.top(), plate.left(), plate.right()) {
            return;
        }
        cx.fill(plate, 3.0, cx.t.panel);
        cx.left(plate.left_mid(6.0), words, Type::CAPTION_STRONG, cx.t.accent);
        plan_tag(&cx, pos2(plate.right() - 9.0, plate.center().y), number, true);
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
    let count = (right - left).ceil() as usize;
    if count < 2 {
        return (visible, None);
    }
    let per_column = axis.frames_per_point();
    let skipped = f64::from(left - axis.frame_x(clip.position)) * per_column;
    let start = Frames(clip.start.0 + skipped.max(0.0) as i64);
    (visible, waves.columns(clip.source, start, per_column, count))
}

/// The gain of a clip as words.
fn gain_words(db: f64) -> String {
    format!("{}\u{a0}dB", signed(db as f32, 1))
}

#[cfg(test)]
mod tests;
