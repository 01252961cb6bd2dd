//! The target places of files that are dropped on the lanes.

use super::calls::seconds;
use super::snap::Snap;
use crate::timeline::view::TimelineView;
use deskhand_session::{Session, TrackId, TrackKind};
use egui::Pos2;

impl TimelineView {
    /// The second at a point of the lanes as drawn last, and the audio track there; no track below the
    /// last. `None` outside the lanes.
    pub(crate) fn place_at(&self, session: &Session, at: Pos2) -> Option<(f64, Option<TrackId>)> {
        let (axis, lane) = self.placed.filter(|(axis, _)| axis.rect.contains(at))?;
        let snap = Snap {
            session,
            axis: &axis,
            playhead: self.playhead,
            without: &[],
            is_on: !self.is_loose,
        };
        let at_s = seconds(session, snap.at(axis.frame_at(at.x)));
        let row = ((at.y - axis.rect.top() + self.down) / lane).floor().max(0.0) as usize;
        let is_audio = |id: &&TrackId| {
            session.tracks.get(*id).is_some_and(|track| track.kind == TrackKind::Audio)
        };
        Some((at_s, session.track_order.get(row).filter(is_audio).copied()))
    }
}

#[cfg(test)]
mod tests {
    use crate::desk_tests::desk;
    use crate::testing::prelude::*;
    use egui::{pos2, vec2};

    #[test]
    fn a_file_is_dropped_at_the_time_and_on_the_track_under_the_pointer() {
        let desk = desk(open_model());
        let clip = desk.get_by_label("Clip Guitar take at 0:00.000").rect();
        let model = &desk.state().model;
        let (at_s, track) = model.place_at(clip.center()).unwrap();
        assert!((at_s - 5.0).abs() < 0.1, "{at_s}");
        assert_eq!(track, Some(TrackId::new(2)));
        let (_, below) = model.place_at(clip.center() + vec2(0.0, 90.0)).unwrap();
        assert_eq!(below, None, "on tracks of their own");
        assert_eq!(model.place_at(pos2(2.0, clip.center().y)), None, "beside the lanes");
    }
}
