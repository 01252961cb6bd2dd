//! Tools with typed parameters: the schema comes from the type, and so does the parsing.

use crate::program::Network;
use crate::registry::validate;
use crate::spec::ToolSpec;
use crate::task::{
    CallRequest, Draft, Estimate, HostInputs, PlanContext, PlanTask, Prepared, Tool,
};
use crate::unheard;
use deskhand_session::digest::canonical;
use deskhand_session::tool_error::{Code, Phase, ToolError};
use deskhand_session::{IdSeed, ObjectId, Session, Trust};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::marker::PhantomData;
use std::path::PathBuf;
use std::sync::Arc;

/// A tool with typed parameters and two steps: resolve against the session, then run.
pub trait TypedTool: Send + Sync + 'static {
    /// What the caller sends.
    type Params: DeserializeOwned + JsonSchema;
    /// The request against the session: targets found, contradictions refused.
    type Resolved: Send + 'static;

    /// Name, title, description, category, trust, examples; schemas are filled in.
    fn spec() -> ToolSpec;

    /// Resolves targets and refuses what cannot work.
    ///
    /// # Errors
    /// When the parameters or the targets cannot work.
    fn resolve(params: Self::Params, session: &Session) -> Result<Self::Resolved, ToolError>;

    /// The same where hosts play tracks by themselves.
    ///
    /// # Errors
    /// As [`TypedTool::resolve`].
    fn resolve_in_hosts(
        params: Self::Params,
        session: &Session,
        _: &HostInputs,
    ) -> Result<Self::Resolved, ToolError> {
        Self::resolve(params, session)
    }

    /// The objects to work on.
    fn targets(resolved: &Self::Resolved) -> Vec<ObjectId>;

    /// Files that are read and that the session does not name yet.
    fn outside(_: &Self::Resolved) -> Vec<PathBuf> {
        Vec::new()
    }

    /// What a run will cost; a tool that writes audio or works long says so.
    fn estimate(_: &Self::Resolved, _: &Session) -> Estimate {
        Estimate::default()
    }

    /// How far the plan of this call is trusted, where its parameters decide; else as the spec says.
    fn trust(_: &Self::Resolved) -> Option<Trust> {
        None
    }

    /// Whether this call talks to another machine.
    fn network(_: &Self::Resolved) -> Network {
        Network::Closed
    }

    /// Measures and plans.
    ///
    /// # Errors
    /// When audio cannot be read, or the run is stopped.
    fn run(resolved: Self::Resolved, context: &PlanContext) -> Result<Draft, ToolError>;

    /// The tool as an object.
    fn tool() -> Arc<dyn Tool>
    where
        Self: Sized,
    {
        Arc::new(Typed::<Self> {
            spec: with_input_schema::<Self::Params>(Self::spec()),
            kind: PhantomData,
        })
    }
}

struct Typed<T> {
    spec: ToolSpec,
    kind: PhantomData<fn() -> T>,
}

impl<T: TypedTool> Tool for Typed<T> {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn prepare(&self, request: &CallRequest<'_>) -> Result<Prepared, ToolError> {
        let params = read::<T::Params>(request.params, &self.spec)?;
        let resolved = T::resolve_in_hosts(params, request.session, request.inputs)?;
        let targets = T::targets(&resolved);
        let (outside, trust) = (T::outside(&resolved), T::trust(&resolved));
        let estimate = T::estimate(&resolved, request.session);
        let network = T::network(&resolved);
        let task = Box::new(TypedTask::<T> { resolved });
        Ok(Prepared { outside, estimate, trust, network, ..Prepared::new(task, targets) })
    }
}

struct TypedTask<T: TypedTool> {
    resolved: T::Resolved,
}

impl<T: TypedTool> PlanTask for TypedTask<T> {
    fn run(self: Box<Self>, context: &PlanContext) -> Result<Draft, ToolError> {
        let mut draft = T::run(self.resolved, context)?;
        draft.warnings.extend(std::mem::take(&mut *context.faults.lock()));
        draft.check(&context.session, Phase::Run)?;
        draft.warnings.extend(unheard::told(&context.session, &draft));
        Ok(draft)
    }
}

/// A command: a tool that needs no audio, so that its draft follows from the session alone.
pub trait Command: Send + Sync + 'static {
    /// What the caller sends.
    type Params: DeserializeOwned + JsonSchema;

    /// Name, title, description, category, trust, examples; the input schema is filled in.
    fn spec() -> ToolSpec;

    /// Plans.
    ///
    /// # Errors
    /// When the parameters or the targets cannot work.
    fn plan(params: Self::Params, call: &mut CommandCall<'_>) -> Result<Draft, ToolError>;

    /// The command as a tool.
    fn tool() -> Arc<dyn Tool>
    where
        Self: Sized,
    {
        Arc::new(CommandTool::<Self> {
            spec: with_input_schema::<Self::Params>(Self::spec()),
            kind: PhantomData,
        })
    }
}

/// What a command may see.
pub struct CommandCall<'a> {
    /// The current session.
    pub session: &'a Session,
    /// Makes ids that derive from this call.
    pub ids: IdSeed,
}

struct CommandTool<C> {
    spec: ToolSpec,
    kind: PhantomData<fn() -> C>,
}

impl<C: Command> Tool for CommandTool<C> {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn prepare(&self, request: &CallRequest<'_>) -> Result<Prepared, ToolError> {
        let params = read::<C::Params>(request.params, &self.spec)?;
        let ids = IdSeed::new(self.spec.name, &canonical(request.params), request.base.0);
        let draft = C::plan(params, &mut CommandCall { session: request.session, ids })?;
        draft.check(request.session, Phase::Prepare)?;
        let task = Box::new(Ready(draft));
        // Commands are instant: they never block each other.
        Ok(Prepared::new(task, Vec::new()))
    }
}

struct Ready(Draft);

impl PlanTask for Ready {
    fn run(self: Box<Self>, _: &PlanContext) -> Result<Draft, ToolError> {
        Ok(self.0)
    }
}

/// The parameters of a call. The schema finds all that is wrong with them, the type what no schema says.
fn read<P: DeserializeOwned>(params: &Value, spec: &ToolSpec) -> Result<P, ToolError> {
    validate(spec, params)?;
    P::deserialize(params).map_err(|error| {
        let fix = format!("see deskhand://tools/{} for its parameters", spec.name);
        ToolError::prepare(Code::BadParams, error.to_string(), fix)
    })
}

fn with_input_schema<P: JsonSchema>(mut spec: ToolSpec) -> ToolSpec {
    spec.input_schema = schemars::schema_for!(P).to_value();
    spec
}
