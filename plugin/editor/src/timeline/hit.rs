//! The part of the lanes under the pointer.

use super::Axis;
use super::rows::Rows;
use crate::timeline::clip_rect::{TITLE, clip_rect, gain_badge};
use deskhand_dsp::{Fade, Frames};
use deskhand_session::{Clip, ClipId, Session, TrackId};
use egui::{CursorIcon, Pos2, Rect};

/// How near an edge counts as the edge, points.
const NEAR: f32 = 5.0;
/// The side of the handle of a fade, points.
pub(super) const HANDLE: f32 = 6.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    Left,
    Right,
}

impl Edge {
    pub(super) fn of(self, clip: &Clip) -> Frames {
        match self {
            Self::Left => clip.position,
            Self::Right => clip.end(),
        }
    }

    pub(super) fn fade(self, clip: &Clip) -> Fade {
        match self {
            Self::Left => clip.fade_in,
            Self::Right => clip.fade_out,
        }
    }

    /// How much longer a clip becomes when the edge goes from `was` to `to`.
    pub(super) fn grows(self, was: Frames, to: Frames) -> Frames {
        match self {
            Self::Left => was - to,
            Self::Right => to - was,
        }
    }

    pub(super) fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Body,
    Edge(Edge),
    /// The handle at the end of a fade, below the title.
    Fade(Edge),
    Gain,
}

/// The part of the lanes under the pointer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Hit {
    Clip(ClipId, Part),
    Lane(TrackId),
    #[default]
    Nothing,
}

impl Hit {
    pub(super) fn clip(self) -> Option<ClipId> {
        match self {
            Self::Clip(id, _) => Some(id),
            Self::Lane(_) | Self::Nothing => None,
        }
    }

    /// The track under the pointer, also if a clip is there.
    pub(super) fn track(self, session: &Session) -> Option<TrackId> {
        match self {
            Self::Clip(id, _) => session.clips.get(&id).map(|clip| clip.track),
            Self::Lane(track) => Some(track),
            Self::Nothing => None,
        }
    }

    pub(super) fn cursor(self) -> Option<CursorIcon> {
        match self {
            Self::Clip(_, Part::Edge(_)) => Some(CursorIcon::ResizeHorizontal),
            Self::Clip(_, Part::Fade(_)) => Some(CursorIcon::PointingHand),
            Self::Clip(_, Part::Gain) => Some(CursorIcon::ResizeVertical),
            Self::Clip(_, Part::Body) | Self::Lane(_) | Self::Nothing => None,
        }
    }
}

/// The part at a point of the lanes; the topmost clip.
pub(super) fn hit(rows: &Rows<'_>, axis: &Axis, at: Pos2) -> Hit {
    let Some(row) = rows.rows.iter().find(|row| row.lane.y_range().contains(at.y)) else {
        return Hit::Nothing;
    };
    let rect = |clip: &Clip| clip_rect(row.lane, clip.position, clip.end(), axis);
    let found = row.clips.iter().rev().find(|(_, clip)| rect(clip).expand(1.0).contains(at));
    let Some((id, clip)) = found else { return Hit::Lane(row.id) };
    Hit::Clip(*id, part(rect(clip), clip, axis, at))
}

fn part(rect: Rect, clip: &Clip, axis: &Axis, at: Pos2) -> Part {
    if rect.width() < 4.0 * NEAR {
        return Part::Body;
    }
    let [left, right] = handles(rect, clip, axis);
    let is_high = at.y < left.y + NEAR;
    match at.x {
        x if is_high && (x - left.x).abs() <= NEAR => Part::Fade(Edge::Left),
        x if is_high && (x - right.x).abs() <= NEAR => Part::Fade(Edge::Right),
        x if x - rect.left() <= NEAR => Part::Edge(Edge::Left),
        x if rect.right() - x <= NEAR => Part::Edge(Edge::Right),
        _ if gain_badge(rect).is_some_and(|badge| badge.contains(at)) => Part::Gain,
        _ => Part::Body,
    }
}

/// Where the handles of both fades are: below the name, where a fade ends.
pub(super) fn handles(rect: Rect, clip: &Clip, axis: &Axis) -> [Pos2; 2] {
    let y = rect.top() + TITLE + HANDLE / 2.0;
    let wide = |fade: Fade| (fade.length.0 as f64 / axis.frames_per_point()) as f32;
    let left = rect.left() + wide(clip.fade_in).clamp(NEAR, rect.width() - NEAR);
    let right = rect.right() - wide(clip.fade_out).clamp(NEAR, rect.width() - NEAR);
    [egui::pos2(left, y), egui::pos2(right, y)]
}
