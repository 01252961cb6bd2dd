//! Snapping: to the grid, markers, edges of clips, the playhead and the start.

use super::Axis;
use crate::tempo;
use deskhand_dsp::Frames;
use deskhand_session::{ClipId, Session};

/// How near a place must be, points.
const REACH: f32 = 8.0;

/// Finds the places that a drag may land on.
pub(super) struct Snap<'a> {
    pub(super) session: &'a Session,
    pub(super) axis: &'a Axis,
    pub(super) playhead: Frames,
    /// Clips whose edges move themselves.
    pub(super) without: &'a [ClipId],
    pub(super) is_on: bool,
}

impl Snap<'_> {
    /// The nearest place in reach, else the frame itself.
    pub(super) fn at(&self, frame: Frames) -> Frames {
        self.nearest(frame).unwrap_or(frame)
    }

    fn nearest(&self, frame: Frames) -> Option<Frames> {
        if !self.is_on {
            return None;
        }
        let reach = self.axis.frames_of(REACH).0.max(1);
        let clips = self.session.clips.iter().filter(|(id, _)| !self.without.contains(id));
        let edges = clips.flat_map(|(_, clip)| [clip.position, clip.end()]);
        let markers = self.session.markers.values();
        let markers = markers.flat_map(|it| [it.position, it.position + it.length]);
        let range = self.session.selection.range.iter().flat_map(|it| [it.start, it.end]);
        let things = edges.chain(markers).chain(range).chain([self.playhead, Frames::ZERO]);
        let distance = |place: &Frames| (place.0 - frame.0).abs();
        let found = things.min_by_key(distance).filter(|place| distance(place) <= reach);
        // A thing in reach wins over the grid, which is everywhere.
        found.or_else(|| Some(self.grid(frame)).filter(|place| distance(place) <= reach / 2))
    }

    fn grid(&self, frame: Frames) -> Frames {
        if tempo::is_set(self.session) {
            tempo::nearest_beat(self.session, frame)
        } else {
            self.axis.nearest_tick(frame)
        }
    }

    /// How far to move so that the nearest of `edges` lands on a place.
    pub(super) fn shift(&self, edges: &[Frames], by: Frames) -> Frames {
        let landed = edges.iter().filter_map(|edge| {
            let place = self.nearest(*edge + by)?;
            Some((place - *edge, (place.0 - (*edge + by).0).abs()))
        });
        landed.min_by_key(|(_, distance)| *distance).map_or(by, |(shift, _)| shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::session;
    use egui::{Rect, pos2, vec2};

    #[test]
    fn an_edge_lands_on_the_frame_of_another() {
        let mut session = session();
        if let Some(clip) = session.clips.get_mut(&ClipId::new(2)) {
            clip.position = Frames(481_237);
        }
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(1000.0, 100.0));
        let axis = Axis::new(rect, 0.0, 50.0, 48_000.0);
        let without = [ClipId::new(2)];
        let mut snap = Snap {
            session: &session,
            axis: &axis,
            playhead: Frames(7),
            without: &without,
            is_on: true,
        };
        // The end of the other clip is 480,000; 8 points are 7,680 frames.
        assert_eq!(snap.at(Frames(484_000)), Frames(480_000));
        assert_eq!(snap.shift(&[Frames(481_237), Frames(961_237)], Frames(3000)), Frames(-1237));
        assert_eq!(snap.at(Frames(5000)), Frames(7));
        // The grid of 0.5 s holds within 4 points.
        assert_eq!(snap.at(Frames(240_000 + 900)), Frames(240_000));
        snap.is_on = false;
        assert_eq!(snap.at(Frames(484_000)), Frames(484_000));
    }
}
