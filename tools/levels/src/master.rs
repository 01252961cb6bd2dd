//! `tool_master`: drives the mix into a true-peak limiter, up to the loudness of a delivery target.

#[cfg(test)]
mod tests;

use crate::targets::Delivery;
use deskhand_dsp::Decibels;
use deskhand_dsp::effects::{Effect, Limiter};
use deskhand_dsp::loudness::Levels;
use deskhand_session::intent::{Intent, Kinds, Slot, Unit};
use deskhand_session::text::trimmed;
use deskhand_session::{
    Change, Edit, Finding, InsertId, InsertOwner, Measure, ObjectId, PlacedInsert, Prediction,
    Read, Session, Switch,
};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Code, Draft, Offers, PlanContext, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// How near the loudness has to come, in LU, and in how many renders at most.
const NEAR: f64 = 0.05;
const RENDERS: usize = 6;
/// How far the measured level may differ from the prediction.
const LOUDNESS_TOLERANCE: f64 = 0.2;
const PEAK_TOLERANCE: f64 = 0.3;
/// The range of the gain in front of a limiter, in dB.
const MOST_GAIN: f64 = 30.0;
/// From here on peaks are cut so much that it is heard, in dB.
const HARD: f64 = 6.0;

/// `tool_master`.
pub(crate) struct Master;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The delivery target.
    #[serde(rename = "for")]
    delivery: Delivery,
    /// Another integrated loudness than the target's, in LUFS.
    #[schemars(range(min = -40.0, max = -4.0))]
    target_lufs: Option<f64>,
    /// Another highest true peak than the target's, in dBTP.
    #[schemars(range(min = -12.0, max = 0.0))]
    ceiling_dbtp: Option<f64>,
}

/// How people ask for it.
fn says() -> [Intent; 3] {
    let limit = Slot::of("ceiling_dbtp").unit(Unit::Dbtp).unit(Unit::Db).bare(-12.0, 0.0);
    let master = Delivery::said(Intent::verbs("master")).needs("for");
    let master = master.slot(limit.clone().nouns("ceiling | true peak | peak"));
    let master = master.slot(limit.preps("at most | below")).slot(Slot::of("target_lufs"));
    let louder = Intent::verbs("make | get | turn | bring | raise | push").about("louder");
    let louder = louder.about("without clipping").also("up | a lot | a bit");
    let of_mix = |it: Intent| it.named("mix", "-", Kinds::AllOfMix);
    [
        of_mix(master).lacks(
            "it does not say for which delivery",
            "master the mix for streaming | master the mix for podcasts",
        ),
        of_mix(louder.sets("for", "streaming")),
        of_mix(Delivery::said(Intent::verbs("prepare")).also("standard").needs("for")),
    ]
}

/// The call against the session.
pub(crate) struct Resolved {
    delivery: Delivery,
    loudness: f64,
    ceiling: f64,
    /// The loudness is RMS, as the target has it.
    is_rms: bool,
}

impl Resolved {
    fn level(&self, levels: &Levels) -> Option<f64> {
        if self.is_rms { self.delivery.measured(levels) } else { levels.integrated.map(|it| it.0) }
    }

    fn unit(&self) -> &'static str {
        if self.is_rms { "dBFS RMS" } else { "LUFS" }
    }
}

impl TypedTool for Master {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_master",
            "Master",
            "Brings the mix to the loudness of a delivery target (streaming, podcast, broadcast, CD) with a \
             gain into a true-peak limiter at the end of the master, found by rendering the mix. The predicted \
             loudness and true peak are measured after applying. An existing limiter is used; a mix that fits \
             already stays unchanged.",
            Category::Level,
            Trust::Suggest,
            vec![json!({"for": "streaming"}), json!({"for": "podcast", "target_lufs": -18})],
        )
        .offers(Offers::said("master for streaming"))
        .says(says())
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        if session.clips.is_empty() {
            let fix = "import audio first: import_audio";
            return Err(ToolError::prepare(Code::NoTarget, "the session has no clips", fix));
        }
        let delivery = params.delivery;
        Ok(Resolved {
            delivery,
            loudness: params.target_lufs.unwrap_or(delivery.level()),
            ceiling: params.ceiling_dbtp.unwrap_or(delivery.ceiling()),
            is_rms: delivery.is_rms() && params.target_lufs.is_none(),
        })
    }

    fn targets(_: &Resolved) -> Vec<ObjectId> {
        Vec::new()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let mix: ObjectId = context.session.id.into();
        let now = context.levels(mix)?;
        let Some(loudness) = call.level(&now) else {
            let message = "the mix has no loudness: silent, below the gate or too short";
            return Err(ToolError::run(Code::Invalid, message, "unmute what shall sound"));
        };
        let mut draft = Draft::default();
        let integrated = now.integrated.map(|level| level.0);
        draft.findings.push(Finding::new(mix, Measure::IntegratedLoudness, integrated));
        let peak = now.true_peak.map(|level| level.0);
        draft.findings.push(Finding::new(mix, Measure::TruePeak, peak));
        let title = call.delivery.title();
        let (want, most) = (trimmed(call.loudness, 1), trimmed(call.ceiling, 1));
        if fits(&now, &call) {
            draft.summary =
                format!("Nothing to change: the mix fits {title} at {loudness:.1} {}", call.unit());
            return Ok(draft);
        }
        let found = search(&call, context, loudness)?;
        let change = Change::SetInsert(found.edit.clone());
        draft.reads.push(Read::audio(&context.session, mix));
        let reason = format!(
            "measured {loudness:.1} {}; {} dB of gain into a ceiling of {most} dBTP",
            call.unit(),
            trimmed(found.gain, 2)
        );
        let id = draft.change(change, "Limiter of the mix".into(), reason);
        promise(&mut draft, mix, &found.levels, id);
        warn(&mut draft, &call, &found, peak);
        draft.summary = format!(
            "Master the mix for {title}: {want} {}, true peak at most {most} dBTP",
            call.unit()
        );
        Ok(draft)
    }
}

/// What a search found.
struct Found {
    edit: Edit<InsertId, Option<PlacedInsert>>,
    gain: f64,
    levels: Levels,
}

/// Whether the mix needs nothing.
fn fits(levels: &Levels, call: &Resolved) -> bool {
    let loudness = call.level(levels).is_some_and(|level| (level - call.loudness).abs() <= 0.15);
    loudness && levels.true_peak.is_none_or(|peak| peak.0 <= call.ceiling + 0.15)
}

/// The gain at which the limited mix has the loudness, by rendering it: what the limiter takes away is
/// added to the gain, as often as needed.
fn search(call: &Resolved, context: &PlanContext, loudness: f64) -> Result<Found, ToolError> {
    let session = &context.session;
    let (id, before) =
        limiter(session).unwrap_or_else(|| (InsertId::new(context.ids().next_bits()), None));
    let start = before.as_ref().map_or(0.0, gain_of);
    let mut gain = (start + call.loudness - loudness).clamp(-MOST_GAIN, MOST_GAIN);
    let mut best: Option<Found> = None;
    for pass in 0..RENDERS {
        context.step(pass, RENDERS, "rendering through the limiter")?;
        let edit = edit(session, id, before.clone(), call, gain);
        let after = session.with([&Change::SetInsert(edit.clone())]).map_err(ToolError::media)?;
        let levels = context.levels_in(&after, session.id.into())?;
        let off = call.level(&levels).map_or(0.0, |level| call.loudness - level);
        let distance = |found: &Found| {
            call.level(&found.levels).map_or(f64::MAX, |level| (call.loudness - level).abs())
        };
        let found = Found { edit, gain, levels };
        if best.as_ref().is_none_or(|best| distance(&found) < distance(best)) {
            best = Some(found);
        }
        let next = (gain + off).clamp(-MOST_GAIN, MOST_GAIN);
        if off.abs() <= NEAR || (next - gain).abs() < 0.005 {
            break;
        }
        gain = next;
    }
    best.ok_or_else(|| ToolError::media("the mix could not be rendered"))
}

/// The last limiter of the master.
fn limiter(session: &Session) -> Option<(InsertId, Option<PlacedInsert>)> {
    let inserts = session.inserts_on(InsertOwner::Master);
    let found = inserts.into_iter().rev().find(|(_, i)| matches!(i.effect, Effect::Limiter(_)));
    found.map(|(id, insert)| (id, Some(insert.clone())))
}

fn gain_of(insert: &PlacedInsert) -> f64 {
    match (&insert.effect, insert.switch) {
        (Effect::Limiter(limiter), Switch::On) => limiter.gain.0,
        _ => 0.0,
    }
}

fn edit(
    session: &Session,
    id: InsertId,
    before: Option<PlacedInsert>,
    call: &Resolved,
    gain: f64,
) -> Edit<InsertId, Option<PlacedInsert>> {
    // The master gain comes after the limiter.
    let ceiling = Decibels((call.ceiling - session.master_gain.0).clamp(-30.0, 0.0)).rounded();
    let last = session.inserts_on(InsertOwner::Master).iter().map(|(_, i)| i.index).max();
    let (index, release_ms) = match before.as_ref().map(|insert| (insert.index, &insert.effect)) {
        Some((index, Effect::Limiter(limiter))) => (index, limiter.release_ms),
        Some((index, _)) => (index, 100.0),
        None => (last.map_or(0, |last| last + 1), 100.0),
    };
    let limiter = Limiter { gain: Decibels(gain).rounded(), ceiling, release_ms };
    let effect = Effect::Limiter(limiter);
    let after = PlacedInsert { on: InsertOwner::Master, index, switch: Switch::On, effect };
    Edit { target: id, before, after: Some(after) }
}

fn promise(draft: &mut Draft, mix: ObjectId, levels: &Levels, id: String) {
    let promised = [
        (Measure::IntegratedLoudness, levels.integrated.map(|level| level.0), LOUDNESS_TOLERANCE),
        (Measure::TruePeak, levels.true_peak.map(|level| level.0), PEAK_TOLERANCE),
    ];
    for (measure, value, tolerance) in promised {
        let value = value.map(|value| (value * 100.0).round() / 100.0 + 0.0);
        let promise = value.map(|v| Prediction::now(mix, measure, v, tolerance, vec![id.clone()]));
        draft.predicted.extend(promise);
    }
}

fn warn(draft: &mut Draft, call: &Resolved, found: &Found, peak: Option<f64>) {
    let off = call.level(&found.levels).map_or(0.0, |level| level - call.loudness);
    if off.abs() > LOUDNESS_TOLERANCE {
        let side = if off < 0.0 { "below" } else { "above" };
        let (miss, want) = (trimmed(off.abs(), 1), trimmed(call.loudness, 1));
        let unit = call.unit();
        draft.warnings.push(format!("the limiter holds it {miss} LU {side} {want} {unit}"));
    }
    let cut = peak.map_or(0.0, |peak| peak + found.gain - call.ceiling);
    if cut > HARD {
        let cut = trimmed(cut, 1);
        draft.warnings.push(format!(
            "the highest peaks are cut by {cut} dB, which is heard: compress or lower single tracks first"
        ));
    }
}
