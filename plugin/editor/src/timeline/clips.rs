//! Clips: body, waveform, fades, gain, and the preview of a drag.

use super::hit::{Edge, HANDLE, handles};
use super::rows::{Row, Rows};
use super::tiles::Picture;
use super::{Axis, samples};
use crate::coding::coded::{Coded, Slots, bar, color_of};
use crate::describe::hue_of;
use crate::files::Lost;
use crate::kit::cx::{alpha, mix};
use crate::kit::scale::signed;
use crate::kit::{Cut, Cx};
use crate::scene::Scene;
use crate::theme::{Hue, Type};
use crate::timeline::clip_rect::{GAIN, TITLE, clip_rect, gain_badge};
use crate::timeline::view::{Drag, TimelineView};
use crate::waves::Waves;
use deskhand_dsp::{Fade, Frames};
use deskhand_session::text::clock;
use deskhand_session::{Clip, ClipId, TrackId};
use egui::{Rect, Sense, pos2, vec2};
use std::collections::BTreeMap;

/// The words of a clip's gain, where there is room for them.
fn gain(cx: &Cx<'_>, rect: Rect, clip: &Clip) {
    let Some(badge) = gain_badge(rect) else { return };
    cx.fill(badge, 3.0, alpha(cx.t.panel, 0.8));
    let gain = signed(clip.gain.0 as f32, 1);
    let words = if badge.width() < GAIN.x { gain } else { format!("{gain}\u{a0}dB") };
    cx.center(badge.center(), &words, Type::TICK, cx.t.text_2);
}

/// The edge of a clip that is chosen, or that is hard to tell from its lane.
fn edge(cx: &Cx<'_>, rect: Rect, hue: Hue, is_chosen: bool) {
    let color = if is_chosen { Some(cx.t.text) } else { cx.t.clip_edge(hue) };
    if let Some(color) = color {
        cx.border(rect, 2.0, color);
    }
}

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
        let goes = self.goes(id) || view.clipboard.cuts(id);
        let is_pale = goes || !session.is_clip_audible(clip);
        if !is_pale || is_preview {
            return hue;
        }
        // Mixed instead of faded, so that the waveform's mesh can stay as it is.
        let well = self.cx.t.well;
        Hue { strong: mix(well, hue.strong, 0.38), soft: mix(well, hue.soft, 0.38) }
    }

    /// Whether a drag moves this clip. Its old place is drawn faintly.
    fn goes(&self, id: ClipId) -> bool {
        match self.drag {
            Some(Drag::Move { clips, copies, .. }) => !copies && clips.contains(&id),
            Some(_) | None => false,
        }
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
        let stays = is_preview || !self.goes(id);
        let is_selected = stays && self.scene.session.selection.clips.contains(&id);
        let is_near = is_selected || stays && self.hovered == Some(id);
        self.fades(cx, rect, clip, is_near);
        edge(cx, rect, hue, is_selected || is_preview);
        if !is_preview {
            self.node(cx, shown, id, clip);
        }
        if is_near || stays && clip.gain.0 != 0.0 {
            gain(&cx.clip(body), rect, clip);
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
        for edge in [Edge::Left, Edge::Right] {
            self.fade(cx, rect, edge.fade(clip), edge);
        }
        if has_handles && rect.width() > 20.0 {
            for at in handles(rect, clip, self.axis) {
                cx.fill(Rect::from_center_size(at, vec2(HANDLE, HANDLE)), 1.0, cx.t.text);
            }
        }
    }

    fn fade(&self, cx: &Cx<'_>, rect: Rect, fade: Fade, edge: Edge) {
        let width = (fade.length.0 as f64 / self.axis.frames_per_point()) as f32;
        if width < 2.0 {
            return;
        }
        let (from, sign) = match edge {
            Edge::Left => (rect.left(), 1.0),
            Edge::Right => (rect.right(), -1.0),
        };
        let point = |step: u8| {
            let share = f32::from(step) / 12.0;
            let gain = fade.curve.gain(f64::from(share)) as f32;
            pos2(from + sign * width * share, rect.bottom() - gain * (rect.height() - TITLE))
        };
        cx.path((0..=12).map(point).collect(), 1.0, alpha(cx.t.text, 0.7));
    }

    /// The part of a clip under the next clip of a crossfade: its end, and its fade-out.
    pub(super) fn end_below(&self, cx: &Cx<'_>, lane: Rect, clip: &Clip) {
        let rect = clip_rect(lane, clip.position, clip.end(), self.axis);
        let cx = &cx.clip(rect);
        self.fade(cx, rect, clip.fade_out, Edge::Right);
        cx.vline(rect.right() - 1.0, rect.top() + TITLE, rect.bottom(), alpha(cx.t.text, 0.4));
    }

    /// A clip for screen readers.
    fn node(&self, cx: &Cx<'_>, rect: Rect, id: ClipId, clip: &Clip) {
        let response = cx.interact(rect, ("clip", id), Sense::hover());
        let lost = self.scene.live.lost.get(&clip.source);
        response.widget_info(|| {
            let at = clock(clip.position, self.scene.session.rate);
            let state = lost.map_or_else(String::new, |lost| format!(". {}", lost.loss.label()));
            let mute = if clip.mute { ". Muted" } else { "" };
            let words = format!("Clip {} at {at}{mute}{state}", clip.name);
            egui::WidgetInfo::labeled(egui::Role::Label, true, words)
        });
        if let Some(lost) = lost {
            response.on_hover_text(&lost.why);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::desk_tests::{Desk, desk, session};
    use crate::testing::prelude::*;
    use crate::timeline::clip_rect::{FOOT, TITLE, gain_badge};
    use egui::{Color32, Pos2, Rect, Shape, vec2};

    fn drawn(desk: &Desk, words: &str) -> usize {
        let is_it = |shape: &Shape| matches!(shape, Shape::Text(it) if it.galley.text() == words);
        desk.output().shapes.iter().filter(|it| is_it(&it.shape)).count()
    }

    #[test]
    fn every_clip_of_a_lane_that_has_a_gain_tells_it_also_a_narrow_one() {
        let mut model = open_model();
        let known = session(&mut model);
        let clip = known.clips[&ClipId::new(2)].clone();
        known.clips.retain(|_, clip| clip.track != TrackId::new(2));
        // Side by side: two that are narrow on the screen, and a wide one.
        let mut at = Frames::ZERO;
        for (number, length) in [(11, 38_400), (12, 38_400), (13, 240_000)] {
            let length = Frames(length);
            let clip = deskhand_session::Clip {
                name: format!("Part {number}"),
                position: at,
                length,
                gain: Decibels(5.0),
                ..clip.clone()
            };
            known.clips.insert(ClipId::new(number), clip);
            at += length;
        }
        let mut desk = desk(model);
        desk.run_steps(2);
        let wide = |number: u64, at: &str| {
            desk.get_by_label(&format!("Clip Part {number} at {at}")).rect().width()
        };
        let widths = [wide(11, "0:00.000"), wide(12, "0:00.800"), wide(13, "0:01.600")];
        assert!(widths[0] < 84.0 && widths[0] > 56.0 && widths[2] > 84.0, "{widths:?}");
        assert_eq!((drawn(&desk, "+5.0"), drawn(&desk, "+5.0\u{a0}dB")), (2, 1));
    }

    #[test]
    fn the_gain_of_a_clip_stands_above_its_codes_and_the_handles_of_crossfades() {
        for size in [vec2(60.0, 47.0), vec2(90.0, 71.0), vec2(500.0, 115.0)] {
            let clip = Rect::from_min_size(Pos2::new(100.0, 100.0), size);
            let badge = gain_badge(clip).unwrap();
            assert!(clip.bottom() - badge.bottom() >= FOOT && clip.contains_rect(badge));
            assert!(badge.top() > clip.top() + TITLE, "{badge} covers the name of {clip}");
        }
        assert_eq!(gain_badge(Rect::from_min_size(Pos2::ZERO, vec2(55.0, 71.0))), None);
    }

    fn boxes(desk: &Desk) -> Vec<(Rect, Color32)> {
        let shapes = desk.output().shapes.iter();
        let boxes = shapes.filter_map(|it| match &it.shape {
            Shape::Rect(shape) => Some((shape.rect, shape.fill)),
            _ => None,
        });
        boxes.collect()
    }

    fn handles_in(desk: &Desk, lane: Rect) -> Vec<Rect> {
        let is_one = |it: &Rect| {
            let off = (it.size() - vec2(6.0, 6.0)).abs().max_elem();
            off < 0.1 && lane.y_range().expand(1.0).contains(it.center().y)
        };
        boxes(desk).into_iter().map(|(rect, _)| rect).filter(is_one).collect()
    }

    #[test]
    fn a_clip_that_is_dragged_is_faint_where_it_stands_yet() {
        let mut desk = desk(open_model());
        let clip = desk.get_by_label("Clip Vocal take at 0:00.000").rect();
        let fills = |desk: &Desk| -> Vec<Color32> {
            let is_it = |rect: &Rect| (rect.min - clip.min).length() < 1.5 && rect.height() > 40.0;
            let same = boxes(desk).into_iter().filter(|(rect, fill)| is_it(rect) && fill.a() > 0);
            same.map(|(_, fill)| fill).collect()
        };
        let before = fills(&desk);
        desk.hold(clip.center(), clip.center() + vec2(120.0, 0.0));
        let during = fills(&desk);
        assert!(!during.is_empty() && !during.contains(&before[0]), "{before:?} {during:?}");
        assert_eq!(handles_in(&desk, clip).len(), 2, "of what moves alone");
    }

    #[test]
    fn the_handles_of_fades_stand_below_the_name() {
        let mut model = open_model();
        let clip = ClipId::new(1);
        session(&mut model).selection.clips = vec![clip];
        let faded = session(&mut model).clips.get_mut(&clip).unwrap();
        faded.fade_in.length = Frames(9_600);
        let desk = desk(model);
        let rect = desk.get_by_label("Clip Vocal take at 0:00.000").rect();
        let handles = handles_in(&desk, rect);
        assert_eq!(handles.len(), 2, "one for each fade");
        for handle in handles {
            assert!(handle.top() >= rect.top() + TITLE - 0.5, "{handle} covers the name of {rect}");
        }
    }
}
