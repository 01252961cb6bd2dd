//! A manifest as a tool: prepared like every other, run by its program.

use crate::candidate::Candidate;
use crate::launch::Launcher;
use crate::manifest::Takes;
use crate::results;
use crate::run_folder::{Part, Room};
use deskhand_session::ObjectId;
use deskhand_toolkit::registry::validate;
use deskhand_toolkit::{
    CallRequest, Code, Draft, PlanContext, PlanTask, Prepared, Program, Targets, Tool, ToolError,
    ToolSpec, Trust,
};
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// Prevents a run from going to the worker for short calls.
const SHORTEST: Duration = Duration::from_secs(11);
/// How much longer than its program a call may take: audio is written before and read after it.
const AROUND: Duration = Duration::from_secs(120);

/// A tool whose work a program does.
pub struct External {
    spec: ToolSpec,
    program: Program,
    inner: Arc<Inner>,
}

/// What every run of it needs.
struct Inner {
    candidate: Candidate,
    launcher: Launcher,
}

impl External {
    /// The tool of a manifest. That it may be used at all was decided before.
    #[must_use]
    pub fn new(candidate: Candidate, launcher: Launcher) -> Self {
        let version: String = candidate.fingerprint.chars().take(12).collect();
        let command = format!("{} (version {version})", candidate.shown_command());
        let program = Program { command, network: candidate.manifest.network };
        let spec = spec(&candidate);
        Self { spec, program, inner: Arc::new(Inner { candidate, launcher }) }
    }
}

fn spec(candidate: &Candidate) -> ToolSpec {
    let manifest = &candidate.manifest;
    let file = candidate.file.file_name().map(|name| name.to_string_lossy().into_owned());
    let description = format!(
        "{} (The person's own tool, from {}; it starts a program, and the person is asked before each run.)",
        manifest.description,
        file.unwrap_or_default()
    );
    let [name, title] = [&manifest.name, &manifest.title].map(|text| for_ever(text));
    let examples = &manifest.examples;
    ToolSpec {
        input_schema: manifest.input_schema.clone(),
        output_schema: crate::schema::result(),
        examples: if examples.is_empty() { vec![json!({})] } else { examples.clone() },
        timeout: manifest.timeout.saturating_add(AROUND).max(SHORTEST),
        ..ToolSpec::new(name, title, description, manifest.category, Trust::Require)
    }
}

/// A text for as long as this process lives, as names of tools are. Each text is kept once, however often
/// sessions are opened.
fn for_ever(text: &str) -> &'static str {
    static KEPT: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut kept = KEPT.lock();
    if let Some(known) = kept.get(text) {
        return known;
    }
    let text: &'static str = Box::leak(text.to_owned().into_boxed_str());
    kept.insert(text);
    text
}

impl Tool for External {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn prepare(&self, request: &CallRequest<'_>) -> Result<Prepared, ToolError> {
        validate(self.spec(), request.params)?;
        let clips = match self.inner.candidate.manifest.takes {
            Takes::Clips => targets(request.params)?.clips(request.session)?,
            Takes::Nothing => Vec::new(),
        };
        let targets: Vec<ObjectId> = clips.iter().map(|id| (*id).into()).collect();
        let parts = Part::all(request.session, &clips);
        let mut params = request.params.clone();
        if let Some(own) = params.as_object_mut() {
            own.remove("targets");
        }
        let task = Run { tool: Arc::clone(&self.inner), parts, params };
        Ok(Prepared::new(Box::new(task), targets))
    }

    fn program(&self) -> Option<&Program> {
        Some(&self.program)
    }
}

fn targets(params: &Value) -> Result<Targets, ToolError> {
    match params.get("targets") {
        None => Ok(Targets::default()),
        Some(given) => serde_json::from_value(given.clone()).map_err(|error| {
            let fix = "give `targets`: all, selection, an id, or a name";
            ToolError::prepare(Code::BadParams, format!("targets: {error}"), fix)
        }),
    }
}

struct Run {
    tool: Arc<Inner>,
    parts: Vec<Part>,
    /// The parameters without `targets`, which the program gets as files.
    params: Value,
}

impl PlanTask for Run {
    fn run(self: Box<Self>, context: &PlanContext) -> Result<Draft, ToolError> {
        let candidate = &self.tool.candidate;
        unchanged(candidate)?;
        let room = Room::make(candidate, &self.parts, &self.params, context)?;
        let outcome = room.run(candidate, &self.tool.launcher, context)?;
        results::draft(candidate, &room, &self.parts, outcome, context)
    }
}

/// Checks that the program is the one that a person approved.
fn unchanged(candidate: &Candidate) -> Result<(), ToolError> {
    let now = Candidate::read(&candidate.file)
        .map_err(|error| ToolError::run(Code::Refused, error.to_string(), "nothing was started"))?;
    if now.fingerprint == candidate.fingerprint {
        return Ok(());
    }
    let name = &candidate.manifest.name;
    let message = format!("{name} was changed since the session was opened; nothing was started");
    let fix = "look at it (`deskhand tools check`), approve it if it came with the session \
               (`deskhand tools approve`), and open the session again";
    Err(ToolError::run(Code::Refused, message, fix))
}
