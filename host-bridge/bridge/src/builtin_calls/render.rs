//! `cmd_render`: the mix as a WAV file, of the session or of a plan's result.

use super::answers::seconds;
use super::tool::{About, Act, HouseTool, parsed};
use crate::bridge::Bridge;
use crate::errors::no_plan;
use crate::renderer::{RenderOrder, RenderedFile, Renderer};
use deskhand_dsp::{Frames, Seconds};
use deskhand_media::BitDepth;
use deskhand_session::intent::{Intent, Kinds, Slot};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{PlanId, Session};
use deskhand_toolkit::{Category, Draft, Offers, PlanContext, PlanTask, Prepared, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Hours of audio with many tracks.
const LIMIT: Duration = Duration::from_secs(3_600);

/// What to render.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RenderParams {
    /// The WAV file to write; it must not exist. A relative path starts at the session's parent folder.
    #[schemars(length(min = 1, max = 4096))]
    path: String,
    /// A waiting plan to render. Omitted: the session now.
    #[schemars(with = "Option<String>")]
    plan_id: Option<PlanId>,
    /// The part of the timeline; omitted: all of it.
    range: Option<RangeParams>,
    /// Bits per sample; omitted: 24.
    #[serde(default)]
    bits: Bits,
}

/// A part of the timeline.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RangeParams {
    /// Start in seconds.
    #[schemars(range(min = 0.0, max = 1e7))]
    start_s: f64,
    /// End in seconds.
    #[schemars(range(min = 0.0, max = 1e7))]
    end_s: f64,
}

/// How samples are stored.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
enum Bits {
    /// 16 bit.
    #[serde(rename = "16")]
    B16,
    /// 24 bit.
    #[default]
    #[serde(rename = "24")]
    B24,
    /// 32 bit float; does not clip.
    #[serde(rename = "32f")]
    F32,
}

/// What was rendered.
#[derive(Debug, Serialize, JsonSchema)]
struct RenderAnswer {
    /// The file.
    path: String,
    duration_s: f64,
    /// Samples over full scale that were clipped.
    clipped_samples: u64,
    /// Invalid samples (NaN) replaced with silence.
    nonfinite_samples: u64,
}

pub(super) fn tool() -> HouseTool {
    let about = About {
        name: "cmd_render",
        title: "Render the mix",
        description: "Renders the mix, or a part of it, to a new WAV file; with `plan_id` as if that plan were \
                      applied, to hear it before deciding. Writes outside the session, so a model's call waits \
                      until the person lets it run. Returns {path, duration_s, clipped_samples, \
                      nonfinite_samples}.",
        category: Category::Library,
        trust: Trust::Require,
        example: json!({"path": "mix.wav", "bits": "24"}),
    };
    let mut spec = about.spec::<RenderParams, RenderAnswer>();
    spec.timeout = LIMIT;
    let spec = spec.core().writes_files().command("render", "Render the mix to a WAV file");
    let spec = spec.path("FILE", "path", "").arg("--plan PLAN", "plan_id", "");
    let spec = spec.offers(Offers::used("`deskhand render` in a terminal"));
    let spec = spec.says([Intent::verbs("export | bounce")
        .slot(Slot::place("range.start_s").preps("from | between | -"))
        .slot(Slot::place("range.end_s").preps("to | until | -"))
        .needs("range.start_s")
        .needs("range.end_s")
        .also("float")
        .named("mix", "- | of", Kinds::AllOfMix)
        .file("path", "wav")]);
    HouseTool { spec, act: Act::Work(prepared) }
}

/// The work of one call.
struct RenderTask {
    renderer: Arc<dyn Renderer>,
    /// The session with the plan; `None` without one.
    planned: Option<Session>,
    order: RenderOrder,
}

fn prepared(bridge: &Bridge, params: Value) -> Result<Prepared, ToolError> {
    let params: RenderParams = parsed(params)?;
    let planned = match params.plan_id {
        Some(id) => {
            let stored = bridge.plans.get(id).ok_or_else(|| no_plan(id))?;
            Some(bridge.planned_session(stored)?)
        }
        None => None,
    };
    let range = range(params.range, planned.as_ref().unwrap_or(bridge.session()))?;
    let path = bridge.new_path(&params.path)?;
    let depth = match params.bits {
        Bits::B16 => BitDepth::S16,
        Bits::B24 => BitDepth::S24,
        Bits::F32 => BitDepth::F32,
    };
    let renderer = Arc::clone(&bridge.renderer);
    let task = RenderTask { renderer, planned, order: RenderOrder { path, range, depth } };
    Ok(Prepared::new(Box::new(task), Vec::new()))
}

fn range(wanted: Option<RangeParams>, session: &Session) -> Result<Range<Frames>, ToolError> {
    let end = session.heard_end();
    let range = match wanted {
        Some(RangeParams { start_s, end_s }) => {
            Seconds(start_s).frames(session.rate)..Seconds(end_s).frames(session.rate)
        }
        None => Frames::ZERO..end,
    };
    if end <= Frames::ZERO && !session.clips.is_empty() {
        let fix = "unmute a track or a clip, or restore phrases: tool_restore_segments";
        let message = "nothing plays: every clip or its track is muted";
        return Err(ToolError::prepare(Code::NoTarget, message, fix));
    }
    if end <= Frames::ZERO {
        let fix = "import audio first: import_audio";
        return Err(ToolError::prepare(Code::NoTarget, "the session has no clips to render", fix));
    }
    if range.start >= range.end || range.start >= end {
        let message = format!("the range is no part of 0 to {} s", seconds(end, session.rate));
        let fix = "give a `start_s` inside of it and a later `end_s`";
        return Err(ToolError::prepare(Code::BadParams, message, fix));
    }
    Ok(range)
}

impl Bridge {
    /// Where something new is written: nothing that exists is written over.
    pub(super) fn new_path(&self, text: &str) -> Result<PathBuf, ToolError> {
        let folder = &self.files.folder;
        let path = folder.parent().unwrap_or(folder).join(Path::new(text));
        if path.symlink_metadata().is_ok() {
            let message = format!("{} exists already", path.display());
            return Err(ToolError::prepare(Code::Write, message, "give another `path`"));
        }
        Ok(path)
    }
}

impl PlanTask for RenderTask {
    fn run(self: Box<Self>, context: &PlanContext) -> Result<Draft, ToolError> {
        let Self { renderer, planned, order } = *self;
        let session = planned.as_ref().unwrap_or(&context.session);
        let mut go_on = |done: f64| {
            context.progress.report(done.clamp(0.0, 1.0), "rendering");
            match context.check() {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        };
        let rendered = renderer.render(session, &order, &mut go_on);
        let rendered = rendered.map_err(|error| context.check().err().unwrap_or(error))?;
        let RenderedFile { path, frames, clipped, nonfinite } = rendered;
        let duration_s = seconds(frames, session.rate);
        let mut draft = Draft::new(format!("Rendered {duration_s:.1} s to {}", path.display()));
        draft.answer = Some(json!(RenderAnswer {
            path: path.display().to_string(),
            duration_s,
            clipped_samples: clipped,
            nonfinite_samples: nonfinite,
        }));
        Ok(draft)
    }
}
