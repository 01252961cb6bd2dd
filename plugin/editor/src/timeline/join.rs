//! Where two clips meet: a handle that makes a crossfade, and makes it longer or shorter.

use super::Axis;
use super::calls::{seconds, with_group};
use super::clips::Brush;
use super::rows::{Row, Rows};
use crate::action::{Action, Gesture, call};
use crate::kit::Cx;
use crate::kit::cx::alpha;
use crate::kit::scale::num;
use crate::theme::Type;
use crate::timeline::clip_rect::clip_rect;
use crate::timeline::view::{Drag, Join};
use deskhand_dsp::Frames;
use deskhand_session::{Clip, ClipId, Crossing, Session};
use egui::{Pos2, Rect, Role, Sense, WidgetInfo, pos2, vec2};
use serde_json::json;

/// The side of a handle, points.
const SIZE: f32 = 12.0;
/// A narrower clip has none: its edges would be hidden.
const NARROW: f32 = 28.0;
/// The longest crossfade that can be asked for, seconds.
const LONGEST: i64 = 60;

impl Join {
    pub(super) fn start(session: &Session, held: Crossing, grabbed: Frames) -> Self {
        let mut clips = with_group(session, held.first);
        clips.extend(with_group(session, held.second));
        let mut all = Crossing::among(session, &clips).into_iter();
        let together = all.find(|some| some.contains(&held)).unwrap_or_else(|| vec![held]);
        let curve = held.curve(session);
        Self { after: together.clone(), together, curve, grabbed }
    }

    /// With the pointer at `frame`: the dragged end follows it, and the other end moves the opposite way.
    pub(super) fn follow(self, session: &Session, frame: Frames) -> Self {
        let Some(held) = self.together.first() else { return self };
        let by = frame - self.grabbed;
        let half = match (held.from.0 + held.to.0) / 2 {
            _ if held.length() == Frames::ZERO => Frames(by.0.abs()),
            middle if self.grabbed.0 >= middle => Frames(held.length().0 / 2 + by.0),
            _ => Frames(held.length().0 / 2 - by.0),
        };
        let most = Frames(LONGEST * i64::from(session.rate.0));
        let length = Frames(half.0 * 2).max(Frames::ZERO).min(most);
        let after = Crossing::resized(session, &self.together, length);
        Self { after, ..self }
    }

    /// The one call of the drag; `None` if nothing changes.
    pub(super) fn finish(&self, session: &Session) -> Option<Action> {
        let clips = self.together.iter().flat_map(|one| [one.first, one.second]);
        let length = self.after.first()?.length();
        let params = json!({
            "targets": clips.collect::<Vec<ClipId>>(),
            "crossfade_ms": seconds(session, length) * 1000.0,
            "resize": true,
        });
        (self.after != self.together).then(|| call(Gesture::Crossfade, params))
    }

    /// The changed clip; `None` if it is not part of the drag.
    pub(super) fn changed(&self, id: ClipId, clip: &Clip) -> Option<Clip> {
        let ends = self.after.iter().find(|one| one.first == id);
        let begins = self.after.iter().find(|one| one.second == id);
        ends.map(|one| one.ending(clip, self.curve))
            .or_else(|| begins.map(|one| one.beginning(clip, self.curve)))
    }
}

/// The crossings of a lane whose clips are wide enough for a handle.
fn crossings<'a>(
    row: &'a Row<'_>,
    session: &'a Session,
    axis: &'a Axis,
) -> impl Iterator<Item = Crossing> + 'a {
    let is_wide =
        |clip: &Clip| clip_rect(row.lane, clip.position, clip.end(), axis).width() >= NARROW;
    row.clips.iter().enumerate().flat_map(move |(place, (first, clip))| {
        let later = row.clips.iter().skip(place + 1);
        let near = later.take_while(|(_, other)| other.position <= clip.end());
        let wide = near.filter(move |(_, other)| is_wide(clip) && is_wide(other));
        wide.filter_map(|(second, _)| Crossing::of(session, *first, *second))
    })
}

/// The rectangles of the handles: at both ends, or one in the middle if two do not fit.
fn handles(lane: Rect, crossing: &Crossing, axis: &Axis) -> Vec<Rect> {
    let (left, right) = (axis.frame_x(crossing.from), axis.frame_x(crossing.to));
    let y = lane.bottom() - 4.0 - SIZE / 2.0;
    let xs = if right - left < 2.0 * SIZE { vec![(left + right) / 2.0] } else { vec![left, right] };
    xs.into_iter().map(|x| Rect::from_center_size(pos2(x, y), vec2(SIZE, SIZE))).collect()
}

/// The crossing whose handle lies at a point.
pub(super) fn at(rows: &Rows<'_>, session: &Session, axis: &Axis, at: Pos2) -> Option<Crossing> {
    let row = rows.rows.iter().find(|row| row.lane.y_range().contains(at.y))?;
    let is_held = |one: &Crossing| handles(row.lane, one, axis).iter().any(|it| it.contains(at));
    crossings(row, session, axis).find(is_held)
}

/// A length as a person reads it.
fn words(session: &Session, length: Frames) -> String {
    let ms = length.seconds(session.rate).0 as f32 * 1000.0;
    format!("{}\u{a0}ms", num(ms, usize::from(ms < 10.0)))
}

/// What the handle of a crossing is called.
pub(super) fn name(session: &Session, crossing: &Crossing) -> String {
    let clip = |id: ClipId| session.clips.get(&id).map_or("", |clip| clip.name.as_str());
    let (first, second) = (clip(crossing.first), clip(crossing.second));
    if crossing.length() == Frames::ZERO {
        return format!("Drag for a crossfade of {first} and {second}");
    }
    let length = words(session, crossing.length());
    format!("Crossfade of {first} and {second}, {length}: drag to change its length")
}

impl Brush<'_> {
    /// The handles of the crossings in view, and how long the one becomes that is dragged.
    pub(super) fn joins(&self, lanes: Rect) {
        let session = self.scene.session;
        for row in &self.rows.rows {
            let cx = self.cx.clip(row.lane.intersect(lanes));
            for one in crossings(row, session, self.axis) {
                if !self.is_in_view(&one, lanes) {
                    continue;
                }
                self.ends(&cx, row.lane, &one);
                for (place, rect) in handles(row.lane, &one, self.axis).into_iter().enumerate() {
                    let salt = ("join", one.first, one.second, place);
                    let response = cx.interact(rect, salt, Sense::hover());
                    let name = || WidgetInfo::labeled(Role::Label, true, name(session, &one));
                    response.widget_info(name);
                    if self.drag.is_none() && self.shows(&one) {
                        handle(&cx, rect);
                    }
                }
            }
        }
        if let Some(Drag::Join(join)) = self.drag {
            self.join_length(join, lanes);
        }
    }

    /// Shows the clip that ends in a crossfade, under the one that begins there; not while a drag moves them.
    fn ends(&self, cx: &Cx<'_>, lane: Rect, crossing: &Crossing) {
        if crossing.length() == Frames::ZERO || self.drag.is_some() {
            return;
        }
        if let Some(clip) = self.scene.session.clips.get(&crossing.first) {
            self.end_below(cx, lane, clip);
        }
    }

    /// Whether something of it and of its handles lies in the lanes: of an edit of a thousand clips few do.
    fn is_in_view(&self, crossing: &Crossing, lanes: Rect) -> bool {
        let (from, to) = (self.axis.frame_x(crossing.from), self.axis.frame_x(crossing.to));
        from - SIZE < lanes.right() && to + SIZE > lanes.left()
    }

    /// Whether the handle is in sight: a crossfade has it always, clips that touch where the pointer is near.
    fn shows(&self, crossing: &Crossing) -> bool {
        let chosen = &self.scene.session.selection.clips;
        let is_near = |id| self.hovered == Some(id) || chosen.contains(&id);
        crossing.length() > Frames::ZERO || is_near(crossing.first) || is_near(crossing.second)
    }

    fn join_length(&self, join: &Join, lanes: Rect) {
        let session = self.scene.session;
        let cx = self.cx.clip(lanes);
        for one in &join.after {
            let track = session.clips.get(&one.first).map(|clip| clip.track);
            let Some(lane) = track.and_then(|id| self.rows.lane_of(id)) else { continue };
            let rect = clip_rect(lane, one.from, one.to, self.axis);
            cx.border(rect, 2.0, cx.t.text);
            handles(lane, one, self.axis).into_iter().for_each(|rect| handle(&cx, rect));
            let words = words(session, one.length());
            let size = vec2(cx.width(&words, Type::CAPTION_STRONG) + 12.0, 18.0);
            let plate = Rect::from_center_size(rect.center(), size);
            cx.fill(plate, 3.0, cx.t.panel);
            cx.center(plate.center(), &words, Type::CAPTION_STRONG, cx.t.text);
        }
    }
}

fn handle(cx: &Cx<'_>, rect: Rect) {
    cx.fill(rect, 3.0, alpha(cx.t.panel, 0.9));
    cx.border(rect, 3.0, cx.t.text_2);
    let inner = rect.shrink(3.5);
    for ends in [[inner.left_top(), inner.right_bottom()], [inner.left_bottom(), inner.right_top()]]
    {
        cx.path(ends.to_vec(), 1.0, cx.t.text);
    }
}

#[cfg(test)]
mod tests;
