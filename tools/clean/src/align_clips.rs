//! `tool_align_clips`: lines takes up with a reference, to a fraction of a sample.

mod delay;
mod place;
mod plan;
mod search;
#[cfg(test)]
mod tests;
mod transients;
mod warp;

use crate::processed_clips::estimate;
use deskhand_dsp::Frames;
use deskhand_session::intent::{Intent, Kinds};
use deskhand_session::{ClipId, ObjectId, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Code, Draft, Estimate, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use plan::Lining;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeSet;

/// Times real time.
const SPEED: f64 = 40.0;

/// `tool_align_clips`.
pub(crate) struct AlignClips;

/// How to compare recordings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum By {
    /// The sound itself: two microphones on one source, to a fraction of a sample, with polarity and
    /// clock drift.
    #[default]
    Waveform,
    /// Starts of notes and hits: different sounds played together, to about a millisecond.
    Transients,
}

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The clips to align.
    #[serde(default)]
    targets: Targets,
    /// The clip or track that stays. Each target is compared with its clip that overlaps most, or is nearest.
    reference: Targets,
    /// How to compare them.
    #[serde(default)]
    by: By,
    /// Refuse longer shifts, in ms. Omitted: search within 50 ms, then within 10 minutes.
    #[schemars(range(min = 1.0, max = 600000.0))]
    max_shift_ms: Option<f64>,
    /// Refuse a lower correlation after aligning, in %.
    #[serde(default = "fifth")]
    #[schemars(range(min = 1.0, max = 99.0))]
    min_correlation: f64,
}

fn fifth() -> f64 {
    20.0
}

/// The call against the session.
pub(crate) struct Resolved {
    /// Each clip with the clip that it is compared with.
    pairs: Vec<(ClipId, ClipId)>,
    by: By,
    most: Option<Frames>,
    /// 0 to 1.
    least: f64,
}

impl TypedTool for AlignClips {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_align_clips",
            "Align clips",
            "Aligns clips with a reference (another microphone on the same source, or another player). \
             Measures delay, polarity and, from 10 s on, clock drift in ppm along the take. Whole frames move \
             the clip; a fraction of a frame, drift or inverted polarity is corrected by resampling into a new \
             file. Searches within 50 ms, then within 10 minutes. Larger shifts, or recordings with too little \
             in common, are refused with their correlation.",
            Category::Edit,
            Trust::Suggest,
            vec![
                json!({"targets": "Room mic", "reference": "Close mic"}),
                json!({"targets": "Double*", "reference": "Lead", "by": "transients"}),
            ],
        )
        .says([Intent::verbs("align | line+up")
            .named("targets", "-", Kinds::Sound)
            .named("reference", "to | with", Kinds::Sound)
            .or_everything()
            .lacks(
                "it does not say what they are lined up with",
                "align the guest mic to the host mic",
            )])
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let references: BTreeSet<ClipId> = params.reference.clips(session)?.into_iter().collect();
        let targets = params.targets.clips(session)?;
        let targets = targets.into_iter().filter(|id| !references.contains(id));
        let pairs: Vec<(ClipId, ClipId)> =
            targets.filter_map(|id| Some((id, partner(session, id, &references)?))).collect();
        if pairs.is_empty() {
            let message = "there is nothing to line up: all targets are the reference";
            return Err(ToolError::prepare(Code::NoTarget, message, "name another `reference`"));
        }
        let most =
            params.max_shift_ms.map(|most| deskhand_toolkit::find::millis(most, session.rate));
        let least = params.min_correlation / 100.0;
        Ok(Resolved { pairs, by: params.by, most, least })
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.pairs.iter().map(|(id, _)| (*id).into()).collect()
    }

    fn estimate(call: &Resolved, session: &Session) -> Estimate {
        let clips: Vec<ClipId> = call.pairs.iter().map(|(id, _)| *id).collect();
        estimate(session, &clips, SPEED)
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let mut lining = Lining::new(context, call.by, call.most, call.least);
        for (index, (id, reference)) in call.pairs.iter().enumerate() {
            let name = context.session.name_of((*id).into());
            context.step(index, call.pairs.len(), &name)?;
            lining.line_up(*id, *reference)?;
        }
        lining.finish()
    }
}

/// The clip of the reference that overlaps `id` the longest; where none does, the nearest one.
fn partner(session: &Session, id: ClipId, references: &BTreeSet<ClipId>) -> Option<ClipId> {
    let clip = session.clips.get(&id)?;
    // Negative where a gap is between them.
    let overlap = |other: &ClipId| {
        let other = session.clips.get(other)?;
        Some(clip.end().min(other.end()) - clip.position.max(other.position))
    };
    let found = references.iter().filter_map(|other| Some((overlap(other)?, *other)));
    found.max().map(|(_, other)| other)
}
