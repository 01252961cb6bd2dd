//! The slider of a number: a thin track with a mark at the default, and a cap.

use super::{Number, Turned};
use crate::kit::Cx;
use crate::theme::radius;
use egui::{EventFilter, Rect, Role, Sense, pos2, vec2};

/// The cap, points.
const CAP: egui::Vec2 = vec2(8.0, 14.0);

impl Number<'_> {
    /// Draws it in the middle of `rect`; `now` is its value. A click moves the cap there.
    pub(crate) fn slider(&self, cx: &Cx<'_>, rect: Rect, now: f64) -> Option<Turned> {
        let response = cx.interact(rect, ("slider", self.name), Sense::click_and_drag());
        response.widget_info(|| self.info(Role::Slider, now));
        let travel = rect.shrink2(vec2(CAP.x / 2.0, 0.0));
        let x = |value: f64| travel.left() + travel.width() * self.place(value) as f32;
        cx.ring(&response, rect, radius::CONTROL);
        let along = response.drag_delta().x / travel.width();
        let arrows = EventFilter {
            horizontal_arrows: true,
            vertical_arrows: true,
            ..EventFilter::default()
        };
        let turned = self.dragged(&response, now, along);
        let turned = turned.or_else(|| self.set(cx, &response, now, arrows));
        let shown = turned.map_or(now, |turned| turned.value);
        self.paint_slider(cx, rect, (x(shown), x(self.usual)), response.hovered());
        if turned.is_some() {
            return turned;
        }
        let at = response.interact_pointer_pos().filter(|_| response.clicked())?;
        let is_on_cap = (at.x - x(now)).abs() <= CAP.x;
        let place = f64::from((at.x - travel.left()) / travel.width());
        (!is_on_cap).then(|| Turned { value: self.value(place), is_set: true })
    }

    fn paint_slider(&self, cx: &Cx<'_>, rect: Rect, (now, usual): (f32, f32), is_hovered: bool) {
        let y = rect.center().y.round();
        let track = Rect::from_center_size(pos2(rect.center().x, y), vec2(rect.width(), 4.0));
        cx.fill(track, 2.0, if is_hovered { cx.t.hover } else { cx.t.control });
        cx.vline(usual.round(), y - 6.0, y + 6.0, cx.t.text_3);
        let cap = Rect::from_center_size(pos2(now.round(), y), CAP);
        cx.fill(cap, 2.0, if cx.t.dark { cx.t.text_2 } else { cx.t.raised });
        cx.border(cap, 2.0, cx.t.outline);
    }
}
