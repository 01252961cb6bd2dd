//! Undo, redo, and what an interruption left open.

use crate::bridge::{Bridge, now_ms};
use crate::commit::Then;
use crate::decide::apply_error;
use crate::front::{Asker, ConnectionId};
use crate::jobs::HOUSE;
use deskhand_protocol::CallId;
use deskhand_session::tool_error::Code;
use deskhand_session::{HeadMove, PlanState};
use deskhand_store::PlanDecided;

impl Bridge {
    /// Takes back the last step and says which.
    pub(crate) fn undo(&mut self, asker: Asker) {
        match self.history.undo() {
            Some(step) => self.step(asker, &step, PlanState::Undone, "undone"),
            None => self.nothing(asker, "there is nothing to undo"),
        }
    }

    /// Does the last undone step again and says which.
    pub(crate) fn redo(&mut self, asker: Asker) {
        match self.history.redo() {
            Some(step) => self.step(asker, &step, PlanState::Applied, "done again"),
            None => self.nothing(asker, "there is nothing to redo"),
        }
    }

    fn nothing(&mut self, asker: Asker, message: &str) {
        let fix = "see the history with `deskhand log DIR`";
        self.fail(asker, apply_error(Code::NoTarget, message.into(), fix));
    }

    fn step(&mut self, asker: Asker, step: &HeadMove, state: PlanState, verb: &str) {
        let session = match self.session.with(&step.changes) {
            Ok(session) => session,
            Err(error) => {
                let fix = "check the session with `deskhand doctor DIR`";
                return self.fail(asker, apply_error(Code::Invalid, error.to_string(), fix));
            }
        };
        let plan = step.plan.filter(|id| self.plans.get(*id).is_some());
        let decided = plan.map(|plan| PlanDecided {
            plan,
            state,
            reason: None,
            receipt: None,
            time_ms: now_ms(),
        });
        let mut result = self.ok(format!("{verb}: {}", step.label));
        result.revision = step.to;
        self.commit_head(
            asker,
            step,
            session,
            decided,
            Then::Answer(Box::new(result)),
        );
    }

    /// A plan that was applied when the program ended before its receipt: it stands, unmeasured.
    pub(crate) fn settle_interrupted(&mut self) {
        let open = self
            .plans
            .all()
            .iter()
            .filter(|s| s.state == PlanState::Applying);
        let open: Vec<_> = open.map(|stored| stored.plan.id).collect();
        for plan in open {
            let decided = PlanDecided {
                plan,
                state: PlanState::Applied,
                reason: Some("not measured: the program ended first".into()),
                receipt: None,
                time_ms: now_ms(),
            };
            let asker = Asker {
                connection: ConnectionId(0),
                call: CallId(0),
                author: HOUSE,
            };
            self.commit_state(asker, decided, Then::Rest);
        }
    }
}
