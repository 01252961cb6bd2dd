//! Tools that take one thing out of whole recordings: what they share is everything but the thing.

use crate::processed_clips::{Changeover, estimate};
use deskhand_session::text::names;
use deskhand_session::{ClipId, ObjectId, Session, Source, SourceId};
use deskhand_toolkit::{Draft, Estimate, PlanContext, Targets, ToolError, ToolSpec, TypedTool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::marker::PhantomData;

/// A cleaning process.
pub(crate) trait Clean: Send + Sync + 'static {
    /// Its name in a summary: "the hum".
    const WHAT: &'static str;
    /// How fast it is taken out, times real time.
    const SPEED: f64;
    /// What the caller sends.
    type Params: CleanParams;

    /// As in [`TypedTool::spec`].
    fn spec() -> ToolSpec;

    /// The text for recordings that stay unchanged: "no hum above -80 dBFS".
    fn none() -> String;

    /// Plans one source; `false` when there is nothing in it that is worth the work.
    fn remove(
        plan: &mut Changeover<'_>,
        params: &Self::Params,
        id: SourceId,
        source: &Source,
        clips: &[ClipId],
    ) -> Result<bool, ToolError>;
}

/// The parameters of a cleaning process.
pub(crate) trait CleanParams: DeserializeOwned + JsonSchema + Send + 'static {
    /// The clips whose recordings are cleaned.
    fn targets(&self) -> &Targets;
}

/// The tool that takes it out.
pub(crate) struct Cleaner<T>(PhantomData<T>);

/// Nothing but what is cleaned.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The clips whose recordings are cleaned.
    #[serde(default = "Targets::heard")]
    targets: Targets,
}

impl CleanParams for Params {
    fn targets(&self) -> &Targets {
        &self.targets
    }
}

impl<T: Clean> TypedTool for Cleaner<T> {
    type Params = T::Params;
    type Resolved = (T::Params, Vec<ClipId>);

    fn spec() -> ToolSpec {
        T::spec()
    }

    fn resolve(params: T::Params, session: &Session) -> Result<Self::Resolved, ToolError> {
        let clips = params.targets().clips(session)?;
        Ok((params, clips))
    }

    fn targets((_, clips): &Self::Resolved) -> Vec<ObjectId> {
        clips.iter().map(|id| (*id).into()).collect()
    }

    fn estimate((_, clips): &Self::Resolved, session: &Session) -> Estimate {
        estimate(session, clips, T::SPEED)
    }

    fn run(call: Self::Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let (params, clips) = call;
        let mut plan = Changeover::new(context);
        let clean = plan.each_source(&clips, |plan, id, source, clips| {
            T::remove(plan, &params, id, source, clips)
        })?;
        let nothing = format!("{} in {}", T::none(), names(&clean));
        Ok(plan.finish(|clips| format!("Remove {} of {clips}", T::WHAT), &nothing))
    }
}
