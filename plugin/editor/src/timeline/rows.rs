//! The lanes in view and the clips on them.

use super::Axis;
use crate::timeline::clip_rect::clip_rect;
use deskhand_session::{Clip, ClipId, Session, Track, TrackId};
use egui::{Rect, pos2, vec2};

pub(super) struct Row<'a> {
    pub(super) index: usize,
    pub(super) id: TrackId,
    pub(super) track: &'a Track,
    /// Its lane, without the header.
    pub(super) lane: Rect,
    /// Clips in view, by position; a later one lies on top.
    pub(super) clips: Vec<(ClipId, &'a Clip)>,
}

/// A track that the open plan would make.
pub(crate) struct NewTrack<'a> {
    pub(super) id: TrackId,
    pub(super) track: &'a Track,
}

pub(super) struct Rows<'a> {
    pub(super) rows: Vec<Row<'a>>,
    session: &'a Session,
    /// The new tracks of a plan, below the others.
    new: Vec<NewTrack<'a>>,
    lanes: Rect,
    height: f32,
    down: f32,
}

impl<'a> Rows<'a> {
    pub(super) fn new(
        session: &'a Session,
        new: Vec<NewTrack<'a>>,
        axis: &Axis,
        lanes: Rect,
        height: f32,
        down: f32,
    ) -> Self {
        let mut all = Self { rows: Vec::new(), session, new, lanes, height, down };
        for (index, (id, track)) in session.tracks_in_order().enumerate() {
            let lane = all.lane(index);
            if lane.intersects(lanes) {
                all.rows.push(Row { index, id, track, lane, clips: Vec::new() });
            }
        }
        let (from, to) = axis.shown();
        for (id, clip) in &session.clips {
            if clip.position <= to
                && clip.end() >= from
                && let Some(row) = all.rows.iter_mut().find(|row| row.id == clip.track)
            {
                row.clips.push((*id, clip));
            }
        }
        for row in &mut all.rows {
            row.clips.sort_by_key(|(id, clip)| (clip.position, *id));
        }
        all
    }

    pub(super) fn lane(&self, index: usize) -> Rect {
        let y = self.lanes.top() + self.height * index as f32 - self.down;
        Rect::from_min_size(pos2(self.lanes.left(), y), vec2(self.lanes.width(), self.height))
    }

    /// The lane of a track, also of a plan's new track.
    pub(super) fn lane_of(&self, track: TrackId) -> Option<Rect> {
        let order = &self.session.track_order;
        let index = order.iter().position(|known| *known == track);
        let new = || Some(order.len() + self.new.iter().position(|new| new.id == track)?);
        Some(self.lane(index.or_else(new)?))
    }

    /// The name of a track, also of a plan's new track.
    pub(super) fn name_of(&self, track: TrackId) -> String {
        match self.new.iter().find(|new| new.id == track) {
            Some(new) => new.track.name.clone(),
            None => self.session.name_of(track.into()),
        }
    }

    /// The place in the list at a height, within the list.
    pub(super) fn index_at(&self, y: f32) -> usize {
        let index = ((y - self.lanes.top() + self.down) / self.height).floor().max(0.0) as usize;
        index.min(self.session.track_order.len().saturating_sub(1))
    }

    pub(super) fn track_at(&self, y: f32) -> Option<(TrackId, &'a Track)> {
        let row = self.rows.iter().find(|row| row.lane.y_range().contains(y))?;
        Some((row.id, row.track))
    }

    /// Clips that a rectangle touches, in view or not.
    pub(super) fn clips_in(&self, band: Rect, axis: &Axis) -> Vec<ClipId> {
        let touched = self.session.clips.iter().filter(|(_, clip)| {
            let lane = self.lane_of(clip.track);
            lane.is_some_and(|lane| {
                clip_rect(lane, clip.position, clip.end(), axis).intersects(band)
            })
        });
        touched.map(|(id, _)| *id).collect()
    }
}
