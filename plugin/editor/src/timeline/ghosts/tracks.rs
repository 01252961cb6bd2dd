//! Ghosts of whole tracks: new and removed lanes, and the new place of a moved track.

use super::Pen;
use super::numbers::Corner;
use crate::kit::cx::alpha;
use crate::scene::Scene;
use crate::theme::{Type, space};
use crate::timeline::rows::NewTrack;
use deskhand_session::track::PlacedTrack;
use deskhand_session::{Change, Edit, Group, TrackId, TrackKind};
use egui::{Rect, pos2};

/// The tracks that ticked rows of the open plan make.
pub(crate) fn new_tracks(scene: Scene<'_>) -> Vec<NewTrack<'_>> {
    let Some(card) = scene.plan else { return Vec::new() };
    let made = card.ticked().filter_map(|planned| match &planned.change {
        Change::AddTrack(Edit { target, after: Some(placed), .. }) => {
            Some(NewTrack { id: *target, track: &placed.track })
        }
        _ => None,
    });
    made.filter(|new| !scene.session.tracks.contains_key(&new.id)).collect()
}

impl Pen<'_, '_> {
    /// A lane below those there are, with its name where theirs is.
    pub(super) fn new_track(&self, edit: &Edit<TrackId, Option<PlacedTrack>>) {
        let Some(lane) = self.all.rows.lane_of(edit.target) else { return };
        let Some(PlacedTrack { track, .. }) = &edit.after else { return };
        let cx = self.all.toned(self.all.area, &[self.row]);
        let whole = Rect::from_min_max(pos2(self.all.area.left(), lane.top()), lane.max);
        let head = Rect::from_min_max(whole.min, pos2(lane.left(), lane.bottom()));
        cx.fill(head, 0.0, cx.t.panel);
        cx.fill(lane, 0.0, alpha(cx.t.accent_soft, 0.25));
        cx.dashed_border(whole.shrink(1.0), cx.t.accent);
        let at = pos2(head.left() + space::M, head.top() + 20.0);
        cx.elided(at, &track.name, Type::BODY, cx.t.accent, head.width() - 24.0);
        let words = if track.kind == TrackKind::Bus { "New bus" } else { "New track" };
        cx.left(pos2(at.x, at.y + 16.0), words, Type::TICK, cx.t.text_3);
        self.spot(lane);
        self.tag(lane, words, Corner::BottomLeft);
    }

    pub(super) fn lost_track(&self, track: TrackId) {
        let Some(lane) = self.all.rows.lane_of(track) else { return };
        let seen = lane.shrink(2.0).intersect(self.all.lanes);
        self.cx.hatch(seen, 8.0, alpha(self.cx.t.danger, 0.3));
        self.edge(lane.shrink(2.0), self.cx.t.danger);
        self.tag(lane, "Remove", Corner::BottomLeft);
    }

    /// A line at the new place of the track.
    pub(super) fn track_order(&self, edit: &Edit<TrackId, usize>) {
        let Some(lane) = self.all.rows.lane_of(edit.target) else { return };
        // Tracks that the plan makes have their lanes below, wherever they will go.
        let below = self.all.ahead.borrow().below(edit);
        let below = below.and_then(|track| self.all.rows.lane_of(track));
        let last = self.all.session.track_order.len().saturating_sub(1);
        let y = below.map_or_else(|| self.all.rows.lane(last).bottom(), |lane| lane.top());
        let cx = self.all.toned(self.all.area, &[self.row]);
        let line = Rect::from_x_y_ranges(self.all.area.left()..=lane.right(), y - 1.0..=y + 1.0);
        cx.fill(line, 0.0, cx.t.accent);
        self.spot(line.expand(3.0));
        self.tag(lane, "Move", Corner::BottomLeft);
    }

    /// A number on each lane of a group.
    pub(super) fn group(&self, edit: &Edit<deskhand_session::GroupId, Option<Group>>) {
        let group = edit.after.as_ref().or(edit.before.as_ref());
        for track in group.iter().flat_map(|group| &group.tracks) {
            self.of_track(*track, "");
        }
    }

    /// The row's number at the left of the lane, next to the numbers already there.
    pub(super) fn of_track(&self, track: TrackId, words: &str) {
        if let Some(lane) = self.all.rows.lane_of(track) {
            self.tag(lane, words, Corner::BottomLeft);
        }
    }
}
