//! Hearing a plan from the window: the hub tells all instances.
//!
//! Thread: window

use super::App;
use deskhand_editor::{Action, Gesture};
use deskhand_protocol::desk::Which;
use deskhand_session::PlanId;
use serde_json::{Map, Value, json};

impl App {
    /// Asks the hub to play a side of a plan, with its ticks, in every instance.
    pub(super) fn hear_plan(&mut self, plan: PlanId, which: Which) {
        let mut params = json!({"plan_id": plan, "which": which});
        // For the session side, ticks do not matter.
        let ticks = self.model.ticks(plan).filter(|_| which != Which::Current);
        if let Some((only, set)) = ticks {
            let set: Map<String, Value> =
                set.into_iter().map(|edit| (edit.change, edit.after)).collect();
            (params["only"], params["set"]) = (json!(only), Value::Object(set));
        }
        if let Some(op) = self.model.op(Action::Call { gesture: Gesture::HearPlan, params }) {
            self.submit(op);
        }
    }

    /// Makes the plan being heard follow its current ticks.
    pub(super) fn follow_ticks(&mut self) {
        let heard = self.model.live.hearing.filter(|(_, which)| *which != Which::Current);
        let ticks = heard.and_then(|(plan, _)| Some((plan, self.model.ticks_of(plan)?)));
        let changed = ticks
            .zip(self.ticks)
            .is_some_and(|(now, before)| now.0 == before.0 && now.1 != before.1);
        self.ticks = ticks;
        // Without ticks the card goes back to the session.
        let is_bare = |plan| self.model.ticks(plan).is_some_and(|(only, _)| only.is_empty());
        let heard = heard.filter(|(plan, _)| changed && !is_bare(*plan));
        if let Some((plan, which)) = heard {
            self.hear_plan(plan, which);
        }
    }
}
