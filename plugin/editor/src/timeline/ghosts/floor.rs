//! The floor of a planned gain over time. A drag up or down turns the dial of the plan that says how deep it goes; Esc gives
//! it back.

use super::Pen;
use super::link::{Deepened, FloorDrag};
use crate::card::dials::Depth;
use crate::kit::number::Turned;
use crate::kit::scale::signed;
use crate::timeline::gain_curve::Curve;
use deskhand_dsp::volume::gain_at;
use deskhand_session::ObjectId;
use egui::{CursorIcon, Key, Modifiers, Pos2, Rect, Response, Sense, WidgetInfo, pos2, vec2};

/// How near to the floor the pointer is on it, points.
const NEAR: f32 = 5.0;
/// The steps of a drag, and of one with Shift, dB.
const STEPS: (f64, f64) = (0.5, 0.1);
/// How much finer a drag with Shift is.
const FINE: f64 = 0.1;

impl Pen<'_, '_> {
    /// Takes the pointer on the floor of a curve, which is drawn as deep as the dial is turned.
    pub(super) fn floor(&self, curve: &Curve, depth: &Depth, (place, of): (Rect, ObjectId)) {
        let ctx = self.cx.ui.ctx();
        let id = ("floor", of);
        let whole = self.cx.ui.scope_id().with(id);
        let is_held = [ctx.dragged_id(), ctx.drag_stopped_id()].contains(&Some(whole));
        let pointer = self.cx.ui.input(|input| input.pointer.latest_pos());
        let y = curve.y(depth.shown());
        let Some(at) = pointer.filter(|at| is_held || self.is_on(curve, depth, *at, place)) else {
            return;
        };
        let spot = Rect::from_center_size(pos2(at.x, y), vec2(4.0, 2.0 * NEAR));
        let response = self.cx.interact(spot, id, Sense::DRAG);
        let gain = depth.shown();
        let name = format!("Floor of change {}, {} dB", self.row + 1, signed(gain as f32, 1));
        response.widget_info(|| WidgetInfo::slider(true, gain, &name));
        let response = response.on_hover_and_drag_cursor(CursorIcon::ResizeVertical);
        self.dragged(curve, depth, &response);
    }

    fn is_on(&self, curve: &Curve, depth: &Depth, at: Pos2, place: Rect) -> bool {
        let gain = gain_at(&curve.points, self.all.axis.frame_at(at.x)).0;
        let is_deep = (gain - depth.shown()).abs() < 0.05;
        let seen = place.intersect(self.all.lanes);
        is_deep && seen.contains(at) && (at.y - curve.y(gain)).abs() <= NEAR
    }

    fn dragged(&self, curve: &Curve, depth: &Depth, response: &Response) {
        let mut held = self.all.floor.borrow_mut();
        if response.drag_started() && depth.is_free {
            *held = Some(FloorDrag { value: depth.value, is_cancelled: false });
        }
        let Some(drag) = held.as_mut() else { return };
        let (is_fine, is_over) =
            self.cx.ui.input(|input| (input.modifiers.shift, response.drag_stopped()));
        let escape = |input: &mut egui::InputState| input.consume_key(Modifiers::NONE, Key::Escape);
        let to = if drag.is_cancelled {
            None
        } else if self.cx.ui.input_mut(escape) {
            drag.is_cancelled = true;
            Some(None)
        } else {
            let (step, fine) = if is_fine { (STEPS.1, FINE) } else { (STEPS.0, 1.0) };
            let by = curve.per_point() * f64::from(-response.drag_delta().y) * fine;
            drag.value = depth.raised(drag.value, by);
            let value = ((drag.value / step).round() * step * 10.0).round() / 10.0;
            Some(Some(Turned { value, is_set: is_over }))
        };
        if is_over {
            *held = None;
        }
        if let Some(to) = to {
            let (plan, param) = (self.all.card.stored.plan.id, depth.param().to_owned());
            self.all.deepened.set(Some(Deepened { plan, param, to }));
            self.cx.ui.ctx().request_repaint();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Action;
    use crate::testing::{UserInput as _, gain_plan, tool};
    use crate::tools::Tools;
    use crate::ui_tests::{Desk, event, harness, open_model};
    use deskhand_dsp::{Decibels, EnvelopePoint, Frames};
    use deskhand_protocol::{News, ToolInfo};
    use deskhand_session::offers::Offers;
    use deskhand_session::{Change, Edit, Plan, PlannedChange, TrackId};
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;
    use serde_json::json;

    const FLOOR: &str = "Floor of change 1, −12.0 dB";

    fn line() -> Vec<EnvelopePoint> {
        let points = [(0, 0.0), (24_000, -12.0), (240_000, -12.0), (264_000, 0.0)];
        let point =
            |(at, gain)| EnvelopePoint { position: Frames(at), gain: Decibels(gain), curve: 0.0 };
        points.map(point).into()
    }

    /// A plan that lowers the guitar, with a dial in a unit.
    fn ducked(unit: &str) -> Harness<'static, Desk> {
        let mut model = open_model();
        let input_schema = json!({"properties": {"depth_db": {"minimum": 0.0, "maximum": 30.0}}});
        let offers = Offers::default().dial("depth_db", "Lower by", unit);
        let tool = ToolInfo { input_schema, ..tool("tool_duck", &[], offers) };
        model.tools = Tools::new(vec![tool]);
        let change = Change::SetTrackEnvelope(Edit::new(TrackId::new(2), Vec::new(), line()));
        let plan = Plan {
            tool: "tool_duck".into(),
            params: json!({"depth_db": 12.0}),
            changes: vec![PlannedChange::new(1, change, "Guitar".into(), "under speech".into())],
            predicted: Vec::new(),
            findings: Vec::new(),
            ..gain_plan()
        };
        assert_eq!(model.hear(&event(2, None, News::Review { plan: Box::new(plan) })), []);
        harness(model)
    }

    /// The middle of the floor of the guitar's lane, and the points of a dB.
    fn floor(harness: &Harness<'static, Desk>) -> (Pos2, f32) {
        let (axis, tall) = harness.state().model.desk.timeline.placed.unwrap();
        let top = axis.rect.top() + tall;
        let lane = Rect::from_x_y_ranges(axis.rect.x_range(), top..=top + tall);
        let curve = Curve::of_track(&line(), lane);
        let middle = EnvelopePoint { position: Frames(120_000), ..line()[1] };
        (curve.at(&axis, &middle), 1.0 / curve.per_point() as f32)
    }

    fn held(harness: &Harness<'static, Desk>) -> Option<f64> {
        let card = &harness.state().model.cards[&gain_plan().id];
        card.view.turned.as_ref().map(|(_, value)| *value)
    }

    #[test]
    fn a_floor_that_is_dragged_turns_the_dial_and_plans_again_when_it_is_let_go() {
        let mut harness = ducked("dB");
        let (from, decibel) = floor(&harness);
        let to = from + vec2(0.0, 6.0 * decibel);
        harness.hold(from, to);
        let value = held(&harness).unwrap();
        assert!((17.5..=18.5).contains(&value) && value % 0.5 == 0.0, "{value}");
        let name = format!("Floor of change 1, −{value:.1} dB");
        assert!(harness.query_by_label(&name).is_some(), "the curve follows");
        let ghost = format!("Ghost of change 1: −{value:.1} dB");
        assert!(harness.query_by_label(&ghost).is_some(), "its number too");
        assert_eq!(harness.state().actions, []);
        harness.drop_at(to);
        harness.run_steps(4);
        let (tool, params) = ("tool_duck".to_owned(), json!({"depth_db": value}));
        assert_eq!(harness.state().actions, [Action::Measure { tool, params }]);
        assert!(harness.query_by_label(&ghost).is_some(), "until the new plan is there");
        harness.drag(to, from);
        assert_eq!(harness.state().actions.len(), 1, "it is planned already");
    }

    #[test]
    fn esc_gives_a_dragged_floor_back() {
        let mut harness = ducked("dB");
        let (from, decibel) = floor(&harness);
        let to = from - vec2(0.0, 6.0 * decibel);
        harness.hold(from, to);
        assert!(held(&harness).is_some_and(|value| value < 7.0));
        harness.press(Key::Escape);
        assert_eq!(held(&harness), None);
        harness.hover_at(to + vec2(0.0, 8.0));
        harness.run_steps(2);
        harness.drop_at(to);
        harness.run_steps(4);
        assert_eq!((held(&harness), harness.state().actions.as_slice()), (None, &[][..]));
        assert!(harness.query_by_label("Ghost of change 1: −12.0 dB").is_some());
    }

    #[test]
    fn the_pointer_says_what_can_be_dragged() {
        let mut harness = ducked("dB");
        let (at, decibel) = floor(&harness);
        harness.hover_at(at);
        harness.run_steps(3);
        assert!(harness.query_by_label(FLOOR).is_some());
        let cursor = harness.output().platform_output.cursor_icon;
        assert_eq!(cursor, CursorIcon::ResizeVertical);
        harness.hover_at(at - vec2(0.0, 10.0 * decibel));
        harness.run_steps(3);
        assert!(harness.query_by_label(FLOOR).is_none(), "above the floor");
        let mut other = ducked("LU");
        other.hover_at(at);
        other.run_steps(3);
        assert!(other.query_by_label(FLOOR).is_none(), "no dial says how deep it is");
    }
}
