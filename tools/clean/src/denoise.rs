//! `tool_denoise`: takes steady noise out of speech.

mod reader;
#[cfg(test)]
mod tests;

use crate::processed_clips::{Changeover, clips_of, estimate};
use deskhand_session::intent::{Intent, Kinds, Slot, Unit};
use deskhand_session::text::{names, trimmed};
use deskhand_session::{ClipId, Finding, Measure, ObjectId, Session, Source, SourceId};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::audio::{each_block, stretch};
use deskhand_toolkit::generated_audio::{Order, steps};
use deskhand_toolkit::{
    Category, Draft, Estimate, Offers, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use reader::TakenAway;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// Part of a made file's identity: change it when the samples would come out differently.
const ALGORITHM: u32 = 1;
/// The word for it in the names of made files.
const STEP: &str = "denoise";
/// Share of the 10 ms blocks that lie below the noise floor.
const FLOOR_SHARE: f64 = 0.1;
/// Times real time for one channel.
const SPEED: f64 = 30.0;

/// `tool_denoise`.
pub(crate) struct Denoise;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The clips to clean.
    #[serde(default = "Targets::heard")]
    targets: Targets,
    /// How much noise to remove, in %: 100 removes all of it, 50 lowers it by 6 dB.
    #[serde(default = "most")]
    #[schemars(range(min = 1.0, max = 100.0))]
    strength: f64,
}

fn most() -> f64 {
    80.0
}

/// How people ask for it.
fn says() -> [Intent; 3] {
    let strength = Slot::of("strength").unit(Unit::Percent).bare(1.0, 100.0);
    let named = strength.clone().nouns("strength");
    let both = |it: Intent| it.slot(strength.clone().preps("- | by | at | to")).slot(named.clone());
    let remove = "remove | lower | clean | cut | take+out | get+out | fix";
    let recording = Intent::verbs("clean").about("recording");
    [Intent::verbs("denoise | clean"), Intent::verbs(remove).about("noise").also("out"), recording]
        .map(|it| both(it).also("gently").or_everything().on(Kinds::Sound))
}

/// The call against the session.
pub(crate) struct Resolved {
    clips: Vec<ClipId>,
    strength: f64,
}

impl TypedTool for Denoise {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_denoise",
            "Denoise",
            "Removes steady noise (hiss, fans, rooms) from recordings of speech with a built-in neural network \
             (RNNoise). Made for voices: music loses its quiet parts. Timing stays to the sample. Writes a new \
             file into the session and lets the clips play it; the old recording stays. Noise floors before \
             and after are measured.",
            Category::Edit,
            Trust::Suggest,
            vec![json!({"targets": "Interview*"}), json!({"targets": "Host", "strength": 60})],
        )
        .on_the_whole()
        .offers(Offers::default().dial("strength", "Remove", "%"))
        .says(says())
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        Ok(Resolved { clips: params.targets.clips(session)?, strength: params.strength })
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.clips.iter().map(|id| (*id).into()).collect()
    }

    fn estimate(call: &Resolved, session: &Session) -> Estimate {
        estimate(session, &call.clips, SPEED)
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let mut plan = Changeover::new(context);
        let done = plan.each_source(&call.clips, |plan, id, source, clips| {
            let is_new = !steps(source).contains(&STEP);
            if is_new {
                clean(plan, id, source, clips, call.strength)?;
            }
            Ok(is_new)
        })?;
        let nothing =
            format!("{} was denoised before; undo that to do it differently", names(&done));
        Ok(plan.finish(|clips| format!("Denoise {clips}"), &nothing))
    }
}

fn clean(
    plan: &mut Changeover<'_>,
    id: SourceId,
    source: &Source,
    clips: &[ClipId],
    strength: f64,
) -> Result<(), ToolError> {
    let context = plan.context;
    let before = context.envelope(id.into())?.noise_floor(FLOOR_SHARE);
    plan.draft.findings.push(Finding::new(id, Measure::NoiseFloor, before.map(|floor| floor.0)));
    let name = format!("{}, denoised", source.name);
    let channels = usize::from(source.channels);
    let channels = if source.channel.is_some() { 1 } else { channels };
    let order = Order { step: STEP, name: &name, of: source, channels };
    let told = trimmed(strength, 0);
    let reason = format!("{told} % of the noise in {}", clips_of(source, clips));
    let ready = plan.make(order, &(ALGORITHM, strength), &reason, |write| {
        fill(context, id, (strength / 100.0) as f32, write)
    })?;
    let mut envelope = deskhand_dsp::envelope::EnvelopeBuilder::new(context.session.rate, 100);
    each_block(context, plan.open(&ready)?.as_mut(), |_, block| {
        envelope.push(block);
        Ok(())
    })?;
    let after = envelope.finish().noise_floor(FLOOR_SHARE);
    plan.found(&ready, Measure::NoiseFloor, after.map(|floor| floor.0));
    let level = |floor: Option<deskhand_dsp::Decibels>| {
        floor.map_or("silence".into(), |floor| format!("{:.1} dBFS", floor.0))
    };
    let why = format!("noise floor from {} to {}", level(before), level(after));
    for clip in clips {
        plan.replace(*clip, &ready, ("denoised", &why), |_| ())?;
    }
    Ok(())
}

/// Writes the source less what the network takes away. Only the difference goes through the
/// network's rate, so that what stays, stays exactly.
fn fill(
    context: &PlanContext,
    id: SourceId,
    share: f32,
    write: &mut crate::processed_clips::Write<'_>,
) -> Result<(), ToolError> {
    let open = || context.audio.source(&context.session, id).map_err(ToolError::media);
    let at_rate = |reader, rate| deskhand_media::resampled(reader, rate).map_err(ToolError::media);
    let noise = TakenAway::new(at_rate(open()?, reader::RATE)?);
    let mut noise = at_rate(Box::new(noise), context.session.rate)?;
    let mut whole = open()?;
    each_block(context, whole.as_mut(), |at, block| {
        let frames = block.first().map_or(0, |plane| plane.len());
        let mut planes = stretch(noise.as_mut(), at, frames)?;
        for (plane, dry) in planes.iter_mut().zip(block) {
            for (sample, dry) in plane.iter_mut().zip(*dry) {
                *sample = dry - share * *sample;
            }
        }
        write(&planes.iter().map(Vec::as_slice).collect::<Vec<_>>())
    })
}
