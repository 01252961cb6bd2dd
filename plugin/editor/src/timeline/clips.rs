//! Clips: body, waveform, fades, gain, and what a drag would make of them.

use super::drag::Drag;
use super::hit::{HANDLE, handles};
use super::rows::{Row, Rows};
use super::tiles::Picture;
use super::{Axis, TimelineView, samples};
use crate::describe::{clock, hue_of};
use crate::files::Lost;
use crate::kit::cx::{alpha, mix};
use crate::kit::scale::signed;
use crate::kit::{Cut, Cx};
use crate::model::Scene;
use crate::theme::{Hue, Type};
use crate::waves::Waves;
use crate::words::coded::{Coded, Slots, bar, color_of};
use deskhand_dsp::{Fade, Frames};
use deskhand_session::{Clip, ClipId, TrackId};
use egui::{Rect, Sense, pos2, vec2};
use std::collections::BTreeMap;

/// Height of the name.
pub(super) const TITLE: f32 = 14.0;

/// Where a clip is drawn in its lane.
pub(super) fn clip_rect(lane: Rect, position: Frames, end: Frames, axis: &Axis) -> Rect {
    let left = axis.frame_x(position);
    let right = (axis.frame_x(end) - 1.0).max(left + 2.0);
    Rect::from_min_max(pos2(left, lane.top() + 2.0), pos2(right, lane.bottom() - 3.0))
}

/// Where the words of a clip's gain are, if there is room for them.
pub(super) fn gain_badge(rect: Rect) -> Option<Rect> {
    // The number of a plan's change stands to its left.
    let at = pos2(rect.left() + 28.0, rect.bottom() - 16.0);
    (rect.width() > 94.0 && rect.height() > 40.0).then(|| Rect::from_min_size(at, vec2(48.0, 14.0)))
}

/// The edge of a clip that is chosen, or that is hard to tell from its lane.
fn edge(cx: &Cx<'_>, rect: Rect, hue: Hue, is_chosen: bool) {
    let color = if is_chosen { Some(cx.t.text) } else { cx.t.clip_edge(hue) };
    if let Some(color) = color {
        cx.border(rect, 2.0, color);
    }
}

/// What clips are drawn with.
pub(super) struct Brush<'a> {
    pub(super) cx: &'a Cx<'a>,
    pub(super) scene: Scene<'a>,
    pub(super) axis: &'a Axis,
    pub(super) rows: &'a Rows<'a>,
    pub(super) waves: &'a dyn Waves,
    pub(super) drag: Option<&'a Drag>,
    /// Of all tracks: each is counted among all.
    pub(super) hues: &'a BTreeMap<TrackId, usize>,
    pub(super) hovered: Option<ClipId>,
}

impl Brush<'_> {
    /// The clips of a lane.
    pub(super) fn lane(&self, row: &Row<'_>, view: &mut TimelineView) {
        let cx = self.cx.clip(row.lane);
        for (second, _) in self.axis.ticks().filter(|(_, is_major)| *is_major) {
            let x = self.axis.x(second);
            cx.vline(x, row.lane.top(), row.lane.bottom(), alpha(cx.t.line, 0.8));
        }
        for (id, clip) in &row.clips {
            let changed = self.drag.and_then(|drag| drag.changed(*id, clip));
            let stays = self.drag.is_some_and(Drag::leaves);
            match &changed {
                Some(changed) if !stays => self.clip(&cx, row.lane, *id, changed, false, view),
                Some(_) | None => self.clip(&cx, row.lane, *id, clip, false, view),
            }
        }
    }

    /// Clips that a move would bring somewhere else.
    pub(super) fn moved(&self, lanes: Rect, view: &mut TimelineView) {
        let Some(drag @ Drag::Move { clips, .. }) = self.drag else { return };
        let cx = self.cx.clip(lanes);
        for id in clips {
            let changed = self.scene.session.clips.get(id).and_then(|clip| drag.changed(*id, clip));
            let Some(changed) = changed else { continue };
            if let Some(lane) = self.rows.lane_of(changed.track) {
                self.clip(&cx, lane, *id, &changed, true, view);
            }
        }
    }

    /// A bar along the foot of clips for each stretch that is coded.
    pub(super) fn codes(&self, coded: &Coded, lanes: Rect) {
        let session = self.scene.session;
        for row in &self.rows.rows {
            let cx = self.cx.clip(row.lane.intersect(lanes));
            for (_, clip) in &row.clips {
                let mut slots = Slots::default();
                let rect = clip_rect(row.lane, clip.position, clip.end(), self.axis);
                let cx = cx.clip(rect);
                for stretch in coded.over(clip.source, clip.start, clip.start + clip.length) {
                    let Some(slot) = slots.of(stretch.code) else { continue };
                    let x = |at: Frames| self.axis.frame_x(clip.position + (at - clip.start));
                    let color = color_of(cx.t, session, stretch.code);
                    bar(&cx, x(stretch.from), x(stretch.to), rect.bottom() - 2.0, slot, color);
                }
            }
        }
    }

    fn tones(&self, id: ClipId, clip: &Clip, is_preview: bool, view: &TimelineView) -> Hue {
        let session = self.scene.session;
        let known = self.hues.get(&clip.track).copied();
        let hue = self.cx.t.hues[known.unwrap_or_else(|| hue_of(Some(clip.track), session))];
        let is_pale = !session.is_audible(clip.track) || view.clipboard.cuts(id);
        if !is_pale || is_preview {
            return hue;
        }
        // Mixed instead of faded, so that the waveform's mesh can stay as it is.
        let well = self.cx.t.well;
        Hue { strong: mix(well, hue.strong, 0.38), soft: mix(well, hue.soft, 0.38) }
    }

    fn clip(
        &self,
        cx: &Cx<'_>,
        lane: Rect,
        id: ClipId,
        clip: &Clip,
        is_preview: bool,
        view: &mut TimelineView,
    ) {
        let rect = clip_rect(lane, clip.position, clip.end(), self.axis);
        let shown = rect.intersect(cx.p.clip_rect());
        if shown.width() <= 0.0 || shown.height() <= 0.0 {
            return;
        }
        let hue = self.tones(id, clip, is_preview, view);
        cx.fill(rect, 2.0, hue.soft);
        let mut body = rect;
        let title = body.cut_top(TITLE);
        let picture = Picture {
            id,
            clip,
            is_preview,
            rect: body.pad(0.0, 2.0),
            left: self.axis.exact_x(clip.position).round(),
            frames_per_point: self.axis.frames_per_point(),
            tones: [mix(hue.soft, hue.strong, 0.48), hue.strong],
        };
        match self.scene.live.lost.get(&clip.source) {
            Some(lost) => self.lost(cx, lost, body),
            None => self.wave(cx, &picture, body, view),
        }
        if rect.width() > 16.0 {
            let at = pos2(title.left().max(lane.left()) + 5.0, title.center().y);
            let room = (title.right() - 4.0 - at.x).max(8.0);
            cx.clip(title).elided(at, &clip.name, Type::TICK, hue.strong, room);
        }
        let is_selected = self.scene.session.selection.clips.contains(&id);
        self.fades(cx, rect, clip, is_selected || self.hovered == Some(id));
        edge(cx, rect, hue, is_selected || is_preview);
        if !is_preview {
            self.node(cx, shown, id, clip);
        }
        let is_live = is_selected || self.hovered == Some(id) || clip.gain.0 != 0.0;
        if let Some(badge) = gain_badge(rect).filter(|_| is_live) {
            cx.fill(badge, 3.0, alpha(cx.t.panel, 0.8));
            let words = format!("{}\u{a0}dB", signed(clip.gain.0 as f32, 1));
            cx.clip(body).center(badge.center(), &words, Type::TICK, cx.t.text_2);
        }
    }

    fn wave(&self, cx: &Cx<'_>, picture: &Picture<'_>, body: Rect, view: &mut TimelineView) {
        let painter = cx.clip(body).p;
        if samples::are_seen(self.axis) && samples::paint(&painter, picture, self.axis, self.waves)
        {
            return;
        }
        if !view.tiles.paint(&painter, picture, self.waves) {
            let line = body.intersect(cx.p.clip_rect());
            cx.hline(line.left(), line.right(), body.center().y, picture.tones[1]);
        }
    }

    /// A clip that is silent, for its file is not there.
    fn lost(&self, cx: &Cx<'_>, lost: &Lost, body: Rect) {
        let seen = body.intersect(cx.p.clip_rect());
        cx.clip(seen).hatch(seen, 8.0, alpha(cx.t.danger, 0.3));
        let label = lost.loss.label();
        let width = cx.width(label, Type::TICK) + 12.0;
        if seen.width() > width + 8.0 && seen.height() > 16.0 {
            let plate = Rect::from_center_size(seen.center(), vec2(width, 16.0));
            cx.fill(plate, 3.0, cx.t.danger_soft);
            cx.center(plate.center(), label, Type::TICK, cx.t.danger);
        }
    }

    fn fades(&self, cx: &Cx<'_>, rect: Rect, clip: &Clip, has_handles: bool) {
        let cx = &cx.clip(rect);
        let wide = |fade: Fade| (fade.length.0 as f64 / self.axis.frames_per_point()) as f32;
        for (fade, from, sign) in
            [(clip.fade_in, rect.left(), 1.0), (clip.fade_out, rect.right(), -1.0)]
        {
            let width = wide(fade);
            if width < 2.0 {
                continue;
            }
            let point = |step: u8| {
                let share = f32::from(step) / 12.0;
                let gain = fade.curve.gain(f64::from(share)) as f32;
                pos2(from + sign * width * share, rect.bottom() - gain * (rect.height() - TITLE))
            };
            cx.path((0..=12).map(point).collect(), 1.0, alpha(cx.t.text, 0.7));
        }
        if has_handles && rect.width() > 20.0 {
            for at in handles(rect, clip, self.axis) {
                cx.fill(Rect::from_center_size(at, vec2(HANDLE, HANDLE)), 1.0, cx.t.text);
            }
        }
    }

    /// A clip for those who cannot see it.
    fn node(&self, cx: &Cx<'_>, rect: Rect, id: ClipId, clip: &Clip) {
        let response = cx.interact(rect, ("clip", id), Sense::hover());
        let lost = self.scene.live.lost.get(&clip.source);
        response.widget_info(|| {
            let at = clock(clip.position.seconds(self.scene.session.rate).0);
            let state = lost.map_or_else(String::new, |lost| format!(". {}", lost.loss.label()));
            let words = format!("Clip {} at {at}{state}", clip.name);
            egui::WidgetInfo::labeled(egui::Role::Label, true, words)
        });
        if let Some(lost) = lost {
            response.on_hover_text(&lost.why);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TITLE;
    use crate::desk_tests::{desk, session};
    use crate::ui_tests::open_model;
    use deskhand_dsp::Frames;
    use deskhand_session::ClipId;
    use egui::{Shape, vec2};
    use egui_kittest::kittest::Queryable as _;

    #[test]
    fn the_handles_of_fades_stand_below_the_name() {
        let mut model = open_model();
        let clip = ClipId::new(1);
        session(&mut model).selection.clips = vec![clip];
        let faded = session(&mut model).clips.get_mut(&clip).unwrap();
        faded.fade_in.length = Frames(9_600);
        let desk = desk(model);
        let rect = desk.get_by_label("Clip Vocal take at 0:00.000").rect();
        let shapes = desk.output().shapes.iter();
        let handles: Vec<_> = shapes
            .filter_map(|it| match &it.shape {
                Shape::Rect(shape) => Some(shape.rect),
                _ => None,
            })
            .filter(|it| (it.size() - vec2(6.0, 6.0)).abs().max_elem() < 0.1)
            .filter(|handle| rect.expand(1.0).contains_rect(*handle))
            .collect();
        assert_eq!(handles.len(), 2, "one for each fade");
        for handle in handles {
            assert!(handle.top() >= rect.top() + TITLE - 0.5, "{handle} covers the name of {rect}");
        }
    }
}
