//! Where a clip and its parts are drawn in a lane.

use crate::timeline::Axis;
use deskhand_dsp::Frames;
use egui::{Rect, Vec2, pos2, vec2};

/// Height of the name.
pub(crate) const TITLE: f32 = 14.0;

/// Where a clip is drawn in its lane.
pub(crate) fn clip_rect(lane: Rect, position: Frames, end: Frames, axis: &Axis) -> Rect {
    let left = axis.frame_x(position);
    let right = (axis.frame_x(end) - 1.0).max(left + 2.0);
    Rect::from_min_max(pos2(left, lane.top() + 2.0), pos2(right, lane.bottom() - 3.0))
}

/// The foot of a clip holds its codes and the handles of crossfades.
pub(super) const FOOT: f32 = 14.0;

/// Size of the words of a clip's gain.
pub(super) const GAIN: Vec2 = Vec2::new(48.0, 14.0);

/// Width of the number alone, where the clip is too narrow for its unit.
pub(super) const BARE: f32 = 32.0;

/// Where the words of a clip's gain are, if there is room for them: above the foot.
pub(crate) fn gain_badge(rect: Rect) -> Option<Rect> {
    // The number of a plan's change is to its left.
    let (left, wide) = match rect.width() {
        room if room >= 28.0 + GAIN.x + 8.0 => (28.0, GAIN.x),
        _ => (22.0, BARE),
    };
    let at = pos2(rect.left() + left, rect.bottom() - FOOT - GAIN.y);
    let has_room = rect.width() >= left + wide + 2.0 && rect.height() > 40.0;
    has_room.then(|| Rect::from_min_size(at, vec2(wide, GAIN.y)))
}
