//! Ghosts of clips: new ones, removed ones, and those with changed sound.

use super::Pen;
use super::earlier_rows::Placed;
use crate::kit::cx::alpha;
use crate::kit::scale::signed;
use crate::kit::{Cut, wave};
use crate::timeline::clip_rect::{TITLE, clip_rect};
use deskhand_dsp::{Decibels, Frames};
use deskhand_session::{Clip, ClipId, ClipPlace, ClipWindow, Edit, Fades, SplitState, TrackId};
use egui::{Rect, pos2};

/// A ghost narrower than this is a bar: dashes and hatches would smear.
const NARROW: f32 = 8.0;

impl Pen<'_, '_> {
    /// The contour of the new peak.
    pub(super) fn gain(&self, edit: &Edit<ClipId, Decibels>, after: f64) {
        let Some(clip) = self.clip(edit.target) else { return };
        let Some(rect) = self.rect(clip.track, clip.position, clip.end()) else { return };
        let mut body = rect;
        body.cut_top(TITLE);
        let (visible, columns) = self.columns(body, clip);
        if let Some(columns) = columns {
            let contour: Vec<_> = columns
                .chunks(3)
                .map(|few| wave::Column {
                    peak: few.iter().map(|column| column.peak).fold(0.0, f32::max),
                    rms: 0.0,
                })
                .collect();
            let gain = Decibels(after).amplitude() as f32;
            let (cx, visible) = (self.cx.clip(body), visible.pad(0.0, 2.0));
            wave::outline(&cx, visible, &contour, gain, cx.t.accent);
        }
        self.edge(rect, self.cx.t.accent);
        self.label(rect, &gain_words(after - edit.before.0));
    }

    pub(super) fn comes(&self, clip: &Clip) {
        self.place(Placed::of(clip), &clip.name);
    }

    pub(super) fn leaves(&self, clip: &Clip) {
        if let Some(rect) = self.goes(clip.track, clip.position, clip.end()) {
            self.label(rect, "Remove");
        }
    }

    /// Draws a moved clip at its new place. Its old place is faint, with a line between them.
    pub(super) fn moved(&self, edit: &Edit<ClipId, ClipPlace>) {
        let Some(clip) = self.clip(edit.target) else { return };
        let (was, now) = (clip.at(edit.before), clip.at(edit.after));
        let from = self.rect(was.track, was.position, was.end());
        let to = self.rect(now.track, now.position, now.end());
        if let Some(from) = from {
            self.cx.fill(from, 2.0, alpha(self.cx.t.well, 0.55));
            self.cx.dashed_border(from, self.cx.t.outline);
            self.spot(from);
        }
        if let (Some(from), Some(to)) = (from, to) {
            self.cx.seg(from.left_center(), to.left_center(), self.cx.t.accent);
        }
        let name = || self.all.rows.name_of(now.track);
        let is_elsewhere = was.track != now.track;
        let words = if is_elsewhere { format!("To {}", name()) } else { "Move".into() };
        self.place(now, &words);
    }

    /// A clip in an empty place: its edges and its waveform.
    fn place(&self, clip: Placed<'_>, words: &str) {
        let Some(rect) = self.stretch(clip.track, clip.position, clip.end(), words) else { return };
        let mut body = rect;
        body.cut_top(TITLE);
        let (visible, columns) = self.columns(body, clip);
        if let Some(columns) = columns {
            let (cx, visible) = (self.cx.clip(body), visible.pad(0.0, 2.0));
            let gain = clip.clip.gain.amplitude() as f32;
            let tone = alpha(cx.t.accent, 0.35);
            wave::paint(&cx, visible, &columns, gain, tone, tone);
        }
    }

    /// A stretch of a lane that is new.
    fn stretch(&self, track: TrackId, at: Frames, end: Frames, words: &str) -> Option<Rect> {
        let rect = self.rect(track, at, end)?;
        let cx = &self.cx;
        if rect.width() < NARROW {
            cx.fill(rect, 1.0, alpha(cx.t.accent, 0.5));
            self.spot(rect);
        } else {
            cx.fill(rect, 2.0, alpha(cx.t.accent_soft, 0.6));
            cx.hatch(rect.intersect(self.all.lanes), 8.0, alpha(cx.t.accent, 0.13));
            self.edge(rect, cx.t.accent);
        }
        self.label(rect, words);
        Some(rect)
    }

    /// A stretch of a lane that falls silent.
    fn goes(&self, track: TrackId, at: Frames, end: Frames) -> Option<Rect> {
        let rect = self.rect(track, at, end)?;
        let cx = &self.cx;
        if rect.width() < NARROW {
            cx.fill(rect, 1.0, alpha(cx.t.danger, 0.5));
            self.spot(rect);
        } else {
            cx.hatch(rect.intersect(self.all.lanes), 8.0, alpha(cx.t.danger, 0.3));
            self.edge(rect, cx.t.danger);
        }
        Some(rect)
    }

    /// Draws a trim with its label on the kept part: other clips of the plan may come to the removed part.
    pub(super) fn trim(&self, edit: &Edit<ClipId, ClipWindow>) {
        let Some(track) = self.clip(edit.target).map(|clip| clip.track) else { return };
        let (before, after) = (edit.before, edit.after);
        let end = |window: ClipWindow| window.position + window.length;
        if after.position <= before.position && end(after) >= end(before) {
            self.stretch(track, after.position, end(after), "Trim");
            return;
        }
        if after.position > before.position {
            self.goes(track, before.position, after.position.min(end(before)));
        }
        if end(after) < end(before) {
            self.goes(track, end(after).max(before.position), end(before));
        }
        if let Some(rect) = self.rect(track, after.position, end(after)) {
            self.label(rect, "Trim");
        }
    }

    /// The cut where a clip is split, or the one that is healed.
    pub(super) fn split(&self, edit: &Edit<ClipId, SplitState>) {
        let (left, right, words) = match (&edit.before, &edit.after) {
            (_, SplitState::Parts { left, right, .. }) => (left, right, "Split"),
            (SplitState::Parts { left, right, .. }, SplitState::Whole { .. }) => {
                (left, right, "Join")
            }
            (SplitState::Whole { .. }, SplitState::Whole { .. }) => return,
        };
        let Some(rect) = self.rect(left.track, left.position, right.position) else { return };
        let x = self.all.axis.frame_x(right.position);
        let ends = [pos2(x, rect.top()), pos2(x, rect.bottom())];
        self.cx.dashes(&ends, 2.0, self.cx.t.accent);
        self.spot(Rect::from_x_y_ranges(x - 4.0..=x + 4.0, rect.y_range()));
        self.label(rect, words);
    }

    /// The new lines of both fades.
    pub(super) fn fades(&self, edit: &Edit<ClipId, Fades>) {
        let Some(clip) = self.clip(edit.target) else { return };
        let Some(rect) = self.rect(clip.track, clip.position, clip.end()) else { return };
        let cx = self.cx.clip(rect);
        let points = |fade: deskhand_dsp::Fade| {
            (fade.length.0 as f64 / self.all.axis.frames_per_point()) as f32
        };
        let both =
            [(edit.after.fade_in, rect.left(), 1.0), (edit.after.fade_out, rect.right(), -1.0)];
        for (fade, from, sign) in both {
            let width = points(fade);
            let point = |step: u8| {
                let share = f32::from(step) / 12.0;
                let gain = fade.curve.gain(f64::from(share)) as f32;
                let y = rect.bottom() - gain * (rect.height() - TITLE);
                pos2(from + sign * width * share, y)
            };
            if width >= 2.0 {
                cx.path((0..=12).map(point).collect(), 1.5, cx.t.accent);
            }
        }
        self.spot(rect);
        self.label(rect, "Fades");
    }

    fn rect(&self, track: TrackId, at: Frames, end: Frames) -> Option<Rect> {
        Some(clip_rect(self.all.rows.lane_of(track)?, at, end, self.all.axis))
    }

    /// The columns of the part of a clip that is in view, and where they go.
    fn columns(&self, body: Rect, clip: Placed<'_>) -> (Rect, Option<Vec<wave::Column>>) {
        let (axis, view) = (self.all.axis, self.cx.p.clip_rect());
        let left = body.left().max(view.left().floor());
        let right = body.right().min(view.right().ceil()).max(left);
        let visible = Rect::from_min_max(pos2(left, body.top()), pos2(right, body.bottom()));
        let count = (right - left).ceil() as usize;
        if count < 2 || !view.intersects(body) {
            return (visible, None);
        }
        let per_column = axis.frames_per_point();
        let skipped = f64::from(left - axis.frame_x(clip.position)) * per_column;
        let start = Frames(clip.start.0 + skipped.max(0.0) as i64);
        (visible, self.all.waves.columns(clip.clip.source, start, per_column, count))
    }
}

fn gain_words(db: f64) -> String {
    format!("{}\u{a0}dB", signed(db as f32, 1))
}
