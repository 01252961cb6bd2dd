//! Ghosts of words and descriptions: a line under the clips that play them.

use super::Pen;
use super::numbers::Corner;
use crate::timeline::clip_rect::clip_rect;
use deskhand_session::{Segment, SegmentId};
use egui::Rect;

/// Of the line, points.
const LINE: f32 = 3.0;

impl Pen<'_, '_> {
    pub(super) fn segment(&self, id: SegmentId) {
        if let Some(segment) = self.all.session.segments.get(&id) {
            self.stretch_of(segment);
        }
    }

    /// Where the clips in view play a piece of a source.
    pub(super) fn stretch_of(&self, segment: &Segment) {
        for &(track, clip) in self.all.playing(segment.source) {
            let from = segment.start.max(clip.start);
            let to = segment.end().min(clip.start + clip.length);
            let Some(lane) = self.all.rows.lane_of(track).filter(|_| from < to) else { continue };
            let at = |frame| clip.position + (frame - clip.start);
            let rect = clip_rect(lane, at(from), at(to), self.all.axis);
            let line = Rect::from_x_y_ranges(rect.x_range(), rect.bottom() - LINE..=rect.bottom());
            self.cx.fill(line, 0.0, self.cx.t.accent);
            self.spot(rect);
            self.tag(Rect::from_x_y_ranges(rect.x_range(), lane.y_range()), "", Corner::BottomLeft);
        }
    }
}
