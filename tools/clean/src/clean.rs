//! Tools that take one thing out of whole recordings: what they share is everything but the thing.

use crate::made::{Changeover, estimate};
use deskhand_session::text::names;
use deskhand_session::{ClipId, ObjectId, Session, Source, SourceId};
use deskhand_toolkit::{Draft, Estimate, PlanContext, Targets, ToolError, ToolSpec, TypedTool};
use schemars::JsonSchema;
use serde::Deserialize;
use std::marker::PhantomData;

/// A cleaning process.
pub(crate) trait Clean: Send + Sync + 'static {
    /// Its name in a summary: "the hum".
    const WHAT: &'static str;
    /// How fast it is taken out, times real time.
    const SPEED: f64;

    /// As in [`TypedTool::spec`].
    fn spec() -> ToolSpec;

    /// The text for recordings that stay unchanged: "no hum above -80 dBFS".
    fn none() -> String;

    /// Plans one source; `false` when there is nothing in it that is worth the work.
    fn remove(
        plan: &mut Changeover<'_>,
        id: SourceId,
        source: &Source,
        clips: &[ClipId],
    ) -> Result<bool, ToolError>;
}

/// The tool that takes it out.
pub(crate) struct Cleaner<T>(PhantomData<T>);

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The clips whose recordings are cleaned.
    #[serde(default = "Targets::heard")]
    targets: Targets,
}

impl<T: Clean> TypedTool for Cleaner<T> {
    type Params = Params;
    type Resolved = Vec<ClipId>;

    fn spec() -> ToolSpec {
        T::spec()
    }

    fn resolve(params: Params, session: &Session) -> Result<Vec<ClipId>, ToolError> {
        params.targets.clips(session)
    }

    fn targets(clips: &Vec<ClipId>) -> Vec<ObjectId> {
        clips.iter().map(|id| (*id).into()).collect()
    }

    fn estimate(clips: &Vec<ClipId>, session: &Session) -> Estimate {
        estimate(session, clips, T::SPEED)
    }

    fn run(clips: Vec<ClipId>, context: &PlanContext) -> Result<Draft, ToolError> {
        let mut plan = Changeover::new(context);
        let clean = plan.each_source(&clips, T::remove)?;
        let nothing = format!("{} in {}", T::none(), names(&clean));
        Ok(plan.finish(|clips| format!("Remove {} of {clips}", T::WHAT), &nothing))
    }
}
