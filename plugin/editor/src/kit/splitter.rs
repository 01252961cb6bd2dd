//! The edge between two areas: it is dragged, moved by the arrow keys, and back where it was by a double click.

use super::Cx;
use egui::{CursorIcon, EventFilter, Key, Rect, Response, Role, Sense, WidgetInfo, vec2};

/// How far an arrow key moves it, points.
const STEP: f32 = 8.0;
/// The pointer grabs the splitter from this far away, points.
const BESIDE: f32 = 1.0;

/// The edge before an area, which sets the size of the area.
#[derive(Clone, Copy)]
pub(crate) struct Splitter<'s> {
    pub(crate) name: &'s str,
    /// It lies above its area; else at the left of it.
    pub(crate) is_above: bool,
    /// Smallest and largest size of the area, points.
    pub(crate) ends: (f32, f32),
    /// The size that a double click gives back.
    pub(crate) usual: f32,
}

/// What became of the size of an area.
pub(crate) struct Moved {
    pub(crate) size: f32,
    pub(crate) is_set: bool,
}

impl Splitter<'_> {
    /// Draws the splitter in the gap before `area`. Draws nothing if it cannot move.
    pub(crate) fn show(&self, cx: &Cx<'_>, gap: Rect, area: Rect) -> Option<Moved> {
        let (least, most) = self.ends;
        if least >= most {
            return None;
        }
        let (wide, now, cursor) = if self.is_above {
            (gap.expand2(vec2(0.0, BESIDE)), area.height(), CursorIcon::ResizeVertical)
        } else {
            (gap.expand2(vec2(BESIDE, 0.0)), area.width(), CursorIcon::ResizeHorizontal)
        };
        let response = cx.interact(wide, ("splitter", self.name), Sense::click_and_drag());
        response.widget_info(|| {
            let mut info = WidgetInfo::labeled(Role::Splitter, true, self.name);
            info.value = Some(now.into());
            info
        });
        let is_held = response.hovered() || response.dragged();
        if is_held {
            cx.ui.ctx().set_cursor_icon(cursor);
        }
        if response.has_focus() {
            cx.fill(gap, 0.0, cx.t.focus);
        } else if is_held {
            cx.fill(gap, 0.0, cx.t.outline);
        }
        let moved = self.moved(cx, &response, (gap, area), now)?;
        Some(Moved { size: moved.size.clamp(least, most), ..moved })
    }

    fn moved(
        &self,
        cx: &Cx<'_>,
        response: &Response,
        (gap, area): (Rect, Rect),
        now: f32,
    ) -> Option<Moved> {
        if response.double_clicked() {
            return Some(Moved { size: self.usual, is_set: true });
        }
        if response.drag_stopped() {
            return Some(Moved { size: now, is_set: true });
        }
        if response.dragged() {
            let at = response.interact_pointer_pos()?;
            let size = if self.is_above {
                area.bottom() - at.y - gap.height() / 2.0
            } else {
                area.right() - at.x - gap.width() / 2.0
            };
            return Some(Moved { size: size.round(), is_set: false });
        }
        let by = self.arrows(cx, response)?;
        Some(Moved { size: now + by, is_set: true })
    }

    /// By how much an arrow key moves it that has the keyboard.
    fn arrows(&self, cx: &Cx<'_>, response: &Response) -> Option<f32> {
        if !response.has_focus() {
            return None;
        }
        let filter = EventFilter {
            horizontal_arrows: true,
            vertical_arrows: true,
            ..EventFilter::default()
        };
        cx.ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        let (more, less) = if self.is_above {
            (Key::ArrowUp, Key::ArrowDown)
        } else {
            (Key::ArrowLeft, Key::ArrowRight)
        };
        let pressed = |key| cx.ui.input(|input| input.key_pressed(key));
        match (pressed(more), pressed(less)) {
            (true, _) => Some(STEP),
            (_, true) => Some(-STEP),
            (false, false) => None,
        }
    }
}
