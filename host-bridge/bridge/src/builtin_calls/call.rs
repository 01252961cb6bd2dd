//! Calls of the bridge's own tools. They ask the same questions as every tool: may it run, and who is told.

use super::history::StepParams;
use super::tool::{Act, HouseTool, parsed};
use crate::bridge::Bridge;
use crate::ids::Asker;
use crate::jobs::Leave;
use crate::partial_undo::Direction;
use crate::permission::Outcome;
use crate::policy::Verdict;
use deskhand_protocol::{Apply, ToolResult};
use deskhand_session::RevisionId;
use deskhand_session::tool_error::ToolError;
use serde_json::Value;

impl Bridge {
    /// Runs a house tool, or keeps the call until a person lets it run.
    pub(crate) fn call_house(
        &mut self,
        asker: Asker,
        tool: &'static HouseTool,
        params: Value,
        wish: Apply,
    ) -> Result<(), ToolError> {
        let spec = &tool.spec;
        match &tool.act {
            Act::Look(_) => return self.run_house(asker, tool, params, Leave::NotNeeded),
            Act::Step(way) => return self.step_as_asked(asker, *way, params, wish),
            // A call that cannot work is refused at once, before a person has to think about it.
            Act::Work(prepare) => drop(prepare(self, params.clone())?),
            Act::Do(_) => {}
        }
        let authority = self.authority_of(asker.connection);
        match self.permissions.policy.shall_apply(authority, spec.name, spec.trust, wish) {
            Verdict::Apply => self.run_house(asker, tool, params, Leave::NotNeeded),
            Verdict::Wait => {
                let why = format!("{} runs only when a person lets it", spec.name);
                self.park_call(asker, spec, params, why);
                Ok(())
            }
        }
    }

    /// Runs a house tool that may run.
    pub(crate) fn run_house(
        &mut self,
        asker: Asker,
        tool: &'static HouseTool,
        params: Value,
        leave: Leave,
    ) -> Result<(), ToolError> {
        match &tool.act {
            Act::Look(look) => {
                let (summary, answer) = look(self, params)?;
                let result = ToolResult { answer: Some(answer), ..self.ok(summary) };
                // A read answer is no news to other front ends.
                self.reply(asker, result);
            }
            Act::Do(act) => {
                let effects = act(self, asker, params)?;
                self.carry_out(leave.settled(asker, Outcome::Done(tool.spec.title.into())));
                self.carry_out(effects);
            }
            Act::Work(prepare) => {
                let prepared = prepare(self, params.clone())?;
                self.start(asker, &tool.spec, prepared, params, Apply::ByPolicy, leave);
            }
            Act::Step(way) => self.step_as_asked(asker, *way, params, Apply::Now)?,
        }
        Ok(())
    }

    fn step_as_asked(
        &mut self,
        asker: Asker,
        way: Direction,
        params: Value,
        wish: Apply,
    ) -> Result<(), ToolError> {
        let StepParams { revision } = parsed(params)?;
        self.next_step(asker, way, revision.map(RevisionId), wish)
    }
}
