//! `tool_analyze_all`: runs every analysis in turn on given clips, as one step. If one fails, the plan has
//! the results of the others.

mod words;

pub(super) use words::with_words;

use super::beats::DetectBeats;
use super::classify::ClassifyContent;
use super::key::DetectKey;
use super::onsets::DetectOnsets;
use super::problems::FindProblems;
use super::segments::DetectSegments;
use super::spectrum::AnalyzeSpectrum;
use deskhand_session::intent::{Intent, Kinds};
use deskhand_session::text::{count, subject};
use deskhand_session::tool_error::Code;
use deskhand_session::{ClipId, ObjectId, Provisional, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Draft, PlanContext, Progress, Request, Targets, Tool, ToolError, ToolSpec, Trust,
    TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// `tool_analyze_all`.
pub(super) struct AnalyzeAll;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// The clips.
    #[serde(default = "Targets::heard")]
    targets: Targets,
}

/// The tools in order, each with its parameters other than the targets.
fn steps() -> Vec<(Arc<dyn Tool>, Value)> {
    vec![
        (ClassifyContent::tool(), json!({})),
        (FindProblems::tool(), json!({})),
        (AnalyzeSpectrum::tool(), json!({})),
        (DetectOnsets::tool(), json!({"as": "answer"})),
        (DetectBeats::tool(), json!({"as": "answer"})),
        (DetectKey::tool(), json!({})),
        (DetectSegments::tool(), json!({"as": "answer"})),
    ]
}

impl TypedTool for AnalyzeAll {
    type Params = Params;
    type Resolved = Vec<ClipId>;

    fn spec() -> ToolSpec {
        tool(
            "tool_analyze_all",
            "Analyze everything",
            "Runs every analysis on clips: content, words and speech description (if there is a voice, and a \
             transcript or a transcription model), problems, spectrum, onsets, beats, key, parts. The results \
             are kept as facts of segments, in one step. If one analysis fails, the others still count. The \
             answer is {summary: [one line a tool], failed: {tool: why}, left_out: {tool: why}, results: \
             {tool: its answer}}.",
            Category::Organize,
            Trust::Notify,
            vec![json!({"targets": "all"})],
        )
        .says([Intent::verbs("analyze all").or_everything().on(Kinds::Sound)])
    }

    fn resolve(params: Params, session: &Session) -> Result<Vec<ClipId>, ToolError> {
        params.targets.clips(session)
    }

    fn targets(clips: &Vec<ClipId>) -> Vec<ObjectId> {
        clips.iter().map(|id| (*id).into()).collect()
    }

    fn run(clips: Vec<ClipId>, context: &PlanContext) -> Result<Draft, ToolError> {
        in_turn(&clips, &steps(), &[], context)
    }
}

/// `voiced` are the tools that only work where there is a voice.
fn in_turn(
    clips: &[ClipId],
    steps: &[(Arc<dyn Tool>, Value)],
    voiced: &[&str],
    context: &PlanContext,
) -> Result<Draft, ToolError> {
    let mut all = Sum::new(&context.session);
    for (index, (tool, params)) in steps.iter().enumerate() {
        let name = tool.spec().name;
        context.step(index, steps.len(), tool.spec().title)?;
        let part = Part {
            outer: Arc::clone(&context.progress),
            before: all.draft.clone(),
            index,
            of: steps.len(),
        };
        let mut on = clips.to_vec();
        on.retain(|id| !voiced.contains(&name) || has_voice(&all.session, *id));
        if on.is_empty() {
            all.leave_out(name, "no voice was found");
            continue;
        }
        match run(context, &all.session, tool.as_ref(), params, &on, part) {
            Ok(draft) => all.add(name, draft),
            // A stop ends all of it.
            Err(error) if matches!(error.code, Code::Cancelled | Code::TimedOut) => {
                return Err(error);
            }
            // Such as a model that nobody installed, and words that nobody could write down.
            Err(error) if matches!(error.code, Code::Refused | Code::NoTarget) => {
                all.leave_out(name, &error.to_string());
            }
            Err(error) => all.fail(name, &error),
        }
    }
    all.finish(clips)
}

/// Whether a voice is known to be in what a clip plays.
fn has_voice(session: &Session, id: ClipId) -> bool {
    let Some(clip) = session.clips.get(&id) else {
        return false;
    };
    let end = clip.start + clip.length;
    session.segments.values().any(|segment| {
        let is_inside =
            segment.source == clip.source && segment.start < end && segment.end() > clip.start;
        let content = segment.description.facts.get("content").map(|fact| &fact.value);
        is_inside && content.is_some_and(|content| content == "speech" || content == "singing")
    })
}

/// Runs one tool on the session as the earlier ones leave it.
fn run(
    context: &PlanContext,
    session: &Session,
    tool: &dyn Tool,
    params: &Value,
    clips: &[ClipId],
    part: Part,
) -> Result<Draft, ToolError> {
    let mut params = params.clone();
    params["targets"] = json!(clips);
    let inner = PlanContext {
        session: Arc::new(session.clone()),
        base: context.base,
        tool: tool.spec().name,
        params: context.params.clone(),
        mix_is_heard: context.mix_is_heard,
        audio: Arc::clone(&context.audio),
        cache: Arc::clone(&context.cache),
        opener: context.opener.clone(),
        folder: context.folder.clone(),
        cancel: context.cancel.clone(),
        progress: Arc::new(part),
        made_ms: Arc::clone(&context.made_ms),
        author: context.author,
        finished: Default::default(),
        faults: Default::default(),
    };
    let request = Request { session, base: context.base, params: &params };
    let work = || tool.prepare(&request).and_then(|prepared| prepared.task.run(&inner));
    // A bug in one of them is no reason to lose the others.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let message = format!("{} failed inside", tool.spec().name);
        Err(ToolError::run(Code::Panicked, message, "please report it"))
    })
}

/// What the tools found so far.
struct Sum {
    session: Session,
    draft: Draft,
    lines: Vec<String>,
    results: Map<String, Value>,
    failed: Map<String, Value>,
    left_out: Map<String, Value>,
}

impl Sum {
    fn new(session: &Session) -> Self {
        Self {
            session: session.clone(),
            draft: Draft::default(),
            lines: Vec::new(),
            results: Map::new(),
            failed: Map::new(),
            left_out: Map::new(),
        }
    }

    fn add(&mut self, tool: &str, draft: Draft) {
        let next = self.session.with(draft.changes.iter().map(|planned| &planned.change));
        match next {
            Ok(next) => self.session = next,
            Err(error) => return self.fail(tool, &error),
        }
        self.lines.push(draft.summary.clone());
        self.results.insert(tool.into(), draft.answer.clone().unwrap_or_default());
        self.draft = joined(std::mem::take(&mut self.draft), draft);
    }

    fn fail(&mut self, tool: &str, error: &dyn std::fmt::Display) {
        self.draft.warnings.push(format!("{tool} failed: {error}"));
        self.failed.insert(tool.into(), error.to_string().into());
    }

    fn leave_out(&mut self, tool: &str, why: &str) {
        self.left_out.insert(tool.into(), why.into());
    }

    fn finish(self, clips: &[ClipId]) -> Result<Draft, ToolError> {
        if self.results.is_empty() {
            let why = self.draft.warnings.join("; ");
            return Err(ToolError::run(Code::Media, why, "look at the clips' sources"));
        }
        let names: Vec<String> =
            clips.iter().map(|id| self.session.name_of((*id).into())).collect();
        let failed = match self.failed.len() {
            0 => String::new(),
            number => {
                format!(", {} failed", count(number, "analysis").replace("analysiss", "analyses"))
            }
        };
        let mut draft = self.draft;
        draft.summary =
            format!("Analyzed {}{failed}: {}", subject(&names, "clip"), self.lines.join(". "));
        draft.answer =
            Some(json!({"summary": self.lines, "failed": self.failed, "results": self.results}));
        if let Some(answer) = draft.answer.as_mut().filter(|_| !self.left_out.is_empty()) {
            answer["left_out"] = self.left_out.into();
        }
        Ok(draft)
    }
}

/// Appends a draft to another; its changes get new numbers.
fn joined(mut all: Draft, next: Draft) -> Draft {
    for planned in next.changes {
        all.change(planned.change, planned.name, planned.reason);
    }
    all.reads.extend(next.reads);
    all.findings.extend(next.findings);
    all.artifacts.extend(next.artifacts);
    // Several tools may say the same of a recording.
    let is_new = |warning: &String| !all.warnings.contains(warning);
    let new: Vec<String> = next.warnings.into_iter().filter(is_new).collect();
    all.warnings.extend(new);
    all.summary = next.summary;
    all
}

/// The progress of one tool as a part of the whole. Findings of the earlier tools come before its own.
struct Part {
    outer: Arc<dyn Progress>,
    before: Draft,
    index: usize,
    of: usize,
}

impl Progress for Part {
    fn report(&self, fraction: f64, what: &str) {
        let whole = (self.index as f64 + fraction.clamp(0.0, 1.0)) / self.of as f64;
        self.outer.report(whole.min(1.0), what);
    }

    fn provisional(&self, found: &[Provisional], partial: &mut dyn FnMut() -> Draft) {
        self.outer.provisional(found, &mut || joined(self.before.clone(), partial()));
    }
}
