//! Ghosts of time: insertions and removals, tempo and meter.

use super::Pen;
use super::flags::Flag;
use crate::kit::cx::alpha;
use crate::kit::scale::num;
use deskhand_dsp::Frames;
use deskhand_session::{Edit, GroupId, MeterPoint, Ripple, SessionId, TempoPoint, TrackId};
use egui::{Rect, pos2};
use std::collections::BTreeMap;

impl Pen<'_, '_> {
    pub(super) fn time_goes(&self, edit: &Edit<GroupId, Ripple>) {
        let gone = &edit.before;
        for band in self.bands(&gone.tracks, gone.at, gone.end()) {
            let seen = band.intersect(self.all.lanes);
            self.cx.hatch(seen, 8.0, alpha(self.cx.t.danger, 0.3));
            self.edge(band, self.cx.t.danger);
            self.label(band, "Close time");
        }
    }

    /// Draws inserted time at its full length. What is there now continues after it.
    pub(super) fn time_comes(&self, edit: &Edit<GroupId, Ripple>) {
        let new = &edit.after;
        let seconds = (new.length - edit.before.length).seconds(self.all.session.rate).0;
        let words = format!("Insert {}\u{a0}s", num(seconds as f32, 1));
        for band in self.bands(&new.tracks, new.at, new.end()) {
            let seen = band.intersect(self.all.lanes);
            self.cx.fill(seen, 0.0, alpha(self.cx.t.accent_soft, 0.6));
            self.cx.hatch(seen, 8.0, alpha(self.cx.t.accent, 0.13));
            self.edge(band, self.cx.t.accent);
            self.label(band, &words);
        }
    }

    /// A stretch of time on some tracks; lanes that touch make up one band.
    fn bands(&self, tracks: &[TrackId], at: Frames, end: Frames) -> Vec<Rect> {
        let (left, right) = (self.all.axis.frame_x(at), self.all.axis.frame_x(end));
        let mut lanes: Vec<Rect> =
            tracks.iter().filter_map(|track| self.all.rows.lane_of(*track)).collect();
        lanes.sort_by(|a, b| a.top().total_cmp(&b.top()));
        let mut bands: Vec<Rect> = Vec::new();
        for lane in lanes {
            match bands.last_mut().filter(|band| lane.top() - band.bottom() < 1.0) {
                Some(band) => band.max.y = lane.bottom(),
                None => {
                    let from = pos2(left, lane.top());
                    bands
                        .push(Rect::from_min_max(from, pos2(right.max(left + 2.0), lane.bottom())));
                }
            }
        }
        bands
    }

    pub(super) fn tempo(&self, edit: &Edit<SessionId, Vec<TempoPoint>>) {
        let words =
            |bpm: f64| format!("{}\u{a0}bpm", num(bpm as f32, usize::from(bpm.fract() != 0.0)));
        let points = |side: &[TempoPoint]| {
            side.iter().map(|point| (point.position, words(point.bpm))).collect()
        };
        self.points(points(&edit.before), points(&edit.after));
    }

    pub(super) fn meter(&self, edit: &Edit<SessionId, Vec<MeterPoint>>) {
        let points = |side: &[MeterPoint]| {
            let words = |point: &MeterPoint| {
                format!("{}/{}", point.meter.numerator, point.meter.denominator)
            };
            side.iter().map(|point| (point.position, words(point))).collect()
        };
        self.points(points(&edit.before), points(&edit.after));
    }

    /// A flag among the times wherever the points of two maps differ.
    fn points(&self, before: BTreeMap<Frames, String>, mut after: BTreeMap<Frames, String>) {
        let mut sides: Vec<(Frames, String, String)> = before
            .into_iter()
            .map(|(at, was)| (at, was, after.remove(&at).unwrap_or_default()))
            .collect();
        sides.extend(after.into_iter().map(|(at, is)| (at, String::new(), is)));
        for (at, was, is) in sides.into_iter().filter(|(_, was, is)| was != is) {
            let flag = Flag { x: self.all.axis.frame_x(at), rows: vec![self.row], was, is };
            self.all.times.borrow_mut().push(flag);
        }
    }
}
