//! `tool_level_speech`: rides the gain of speech phrase by phrase.

#[cfg(test)]
mod tests;

use crate::speech::{Ride, loudness, ms};
use deskhand_dsp::envelope::Envelope;
use deskhand_dsp::loudness::LoudnessProfile;
use deskhand_dsp::phrases::{Phrasing, phrases};
use deskhand_dsp::volume::gain_at;
use deskhand_dsp::{Decibels, EnvelopePoint, Frames};
use deskhand_session::intent::{Intent, Kinds, Slot};
use deskhand_session::text::{count, names, subject, trimmed};
use deskhand_session::{
    Change, Clip, ClipId, Edit, Finding, Measure, ObjectId, Prediction, Read, Session,
};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Draft, Offers, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::ops::Range;

/// How far a level may be off that was measured on the very samples.
const SAME: f64 = 0.1;
/// How long a change of gain takes, in ms.
const RAMP_MS: f64 = 80.0;
/// Shorter pauses do not end a phrase, and shorter sounds do not count, in ms.
const PAUSE_MS: f64 = 350.0;
const LEAST_MS: f64 = 200.0;

/// `tool_level_speech`.
pub(crate) struct LevelSpeech;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The clips with speech.
    #[serde(default = "Targets::heard")]
    targets: Targets,
    /// Allowed distance of a phrase from the target, in LU.
    #[serde(default = "two")]
    #[schemars(range(min = 0.2, max = 12.0))]
    within_lu: f64,
    /// Target loudness of phrases, in LUFS. Omitted: the median of all phrases, which evens voices out too.
    #[schemars(range(min = -60.0, max = 0.0))]
    target_lufs: Option<f64>,
    /// The largest gain change of a phrase, in dB.
    #[serde(default = "twelve")]
    #[schemars(range(min = 0.5, max = 24.0))]
    max_db: f64,
}

fn two() -> f64 {
    2.0
}

fn twelve() -> f64 {
    12.0
}

/// The call against the session.
pub(crate) struct Resolved {
    clips: Vec<ClipId>,
    within: f64,
    target: Option<f64>,
    most: f64,
}

/// A phrase of a clip, in frames of its source.
struct Phrase {
    range: Range<Frames>,
    /// After the clip gain, in LUFS.
    loudness: f64,
    gain: Decibels,
}

impl TypedTool for LevelSpeech {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_level_speech",
            "Level speech",
            "Levels speech: each phrase comes within some LU of a target, as editable points of the clip's \
             gain envelope. Gain changes only from the start to the end of a phrase: pauses, breaths and room \
             tone are never raised. The loudness of phrases is measured before and after. Replaces the clip's \
             existing envelope.",
            Category::Level,
            Trust::Suggest,
            vec![
                json!({"targets": "Interview*", "within_lu": 2}),
                json!({"targets": "Host", "target_lufs": -18, "within_lu": 1}),
            ],
        )
        .on_the_whole()
        .offers(Offers::default().dial("within_lu", "Stay within", "LU"))
        .says([Intent::verbs("even out | ride | level | smooth+out")
            .also("level | loudness | volume | speech | out")
            .slot(Slot::of("target_lufs").preps("to | at"))
            .slot(Slot::of("within_lu").preps("in"))
            .or_everything()
            .on(Kinds::Sound)])
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        Ok(Resolved {
            clips: params.targets.clips(session)?,
            within: params.within_lu,
            target: params.target_lufs,
            most: params.max_db,
        })
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.clips.iter().map(|id| (*id).into()).collect()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let (mut draft, mut number, mut quiet) = (Draft::default(), 0, Vec::new());
        let call = Resolved { target: target(&call, context)?, ..call };
        for (index, id) in call.clips.iter().enumerate() {
            let Some(clip) = context.session.clips.get(id) else {
                continue;
            };
            context.step(index, call.clips.len(), &clip.name)?;
            let found = level(&mut draft, &call, context, *id, clip)?;
            if found == 0 {
                quiet.push(clip.name.clone());
            }
            number += found;
        }
        if !quiet.is_empty() {
            draft.warnings.push(format!("{}: no speech found; passed over", names(&quiet)));
        }
        let within = trimmed(call.within, 2);
        draft.summary = if draft.changes.is_empty() {
            let all: Vec<String> =
                call.clips.iter().map(|id| context.session.name_of((*id).into())).collect();
            format!("Nothing to change: {} within {within} LU", subject(&all, "clip"))
        } else {
            let phrases = count(number, "phrase");
            format!("Level {phrases} of {} to within {within} LU", draft.subject("clip"))
        };
        Ok(draft)
    }
}

/// The loudness that is asked for, else that of all phrases together; `None` if there are none.
fn target(call: &Resolved, context: &PlanContext) -> Result<Option<f64>, ToolError> {
    if call.target.is_some() {
        return Ok(call.target);
    }
    let mut all = Vec::new();
    for clip in call.clips.iter().filter_map(|id| context.session.clips.get(id)) {
        context.check()?;
        all.extend(heard(&context.profile(clip.source.into())?, clip, context));
    }
    Ok(middle(&all))
}

/// Plans one clip; the number of its phrases.
fn level(
    draft: &mut Draft,
    call: &Resolved,
    context: &PlanContext,
    id: ClipId,
    clip: &Clip,
) -> Result<usize, ToolError> {
    let profile = context.profile(clip.source.into())?;
    context.note_faults(clip.source.into(), &profile);
    let mut phrases = heard(&profile, clip, context);
    let Some(target) = call.target.filter(|_| !phrases.is_empty()) else { return Ok(0) };
    for phrase in &mut phrases {
        phrase.gain = Decibels(ride(target - phrase.loudness, call));
    }
    let points = points(&phrases, context);
    let now = spread(&profile, &phrases, |at| clip.gain + gain_at(&clip.envelope, at));
    let then = spread(&profile, &phrases, |at| clip.gain + gain_at(&points, at));
    draft.findings.push(Finding::new(id, Measure::PhraseSpread, now));
    let edit = Edit { target: id, before: clip.envelope.clone(), after: points };
    let change = Change::SetClipEnvelope(edit);
    if change.is_identity() {
        return Ok(phrases.len());
    }
    if !clip.envelope.is_empty() {
        draft.warnings.push(format!("\"{}\": the gain line that it has is replaced", clip.name));
    }
    let reason = reason(&phrases, target, (now, then));
    draft.reads.push(Read::audio(&context.session, ObjectId::Source(clip.source)));
    let changed = draft.change(change.clone(), clip.name.clone(), reason);
    promise(draft, context, id, &change, vec![changed])?;
    outside(draft, call, clip, &phrases, target);
    Ok(phrases.len())
}

/// How far the loudest and the softest phrase lie apart with a gain over time.
fn spread(
    profile: &LoudnessProfile,
    phrases: &[Phrase],
    gain: impl Fn(Frames) -> Decibels,
) -> Option<f64> {
    let levels = phrases.iter().filter_map(|p| loudness(profile, &p.range, &gain));
    let most = |(least, most): (f64, f64), level: f64| (least.min(level), most.max(level));
    let (least, most) = levels.fold((f64::MAX, f64::MIN), most);
    (most >= least).then_some(most - least)
}

fn reason(phrases: &[Phrase], target: f64, (now, then): (Option<f64>, Option<f64>)) -> String {
    let told = |spread: Option<f64>| spread.map_or("?".into(), |lu| trimmed(lu, 1));
    let ridden = phrases.iter().filter(|p| p.gain != Decibels::UNITY).count();
    let (ridden, all, target) = (count(ridden, "phrase"), phrases.len(), trimmed(target, 1));
    format!("{ridden} of {all} to {target} LUFS: apart by {} LU, then {} LU", told(now), told(then))
}

/// The phrases that a clip shows of its source.
fn heard(profile: &LoudnessProfile, clip: &Clip, context: &PlanContext) -> Vec<Phrase> {
    let rate = context.session.rate;
    let phrasing =
        Phrasing { pause: ms(PAUSE_MS, rate), least: ms(LEAST_MS, rate), around: ms(20.0, rate) };
    let window = clip.start..clip.start + clip.length;
    let found = phrases(&Envelope::from(profile), phrasing).into_iter();
    let inside = found.map(|p| p.start.max(window.start)..p.end.min(window.end));
    let phrase = |range: Range<Frames>| {
        let loudness = loudness(profile, &range, |_| clip.gain)?;
        Some(Phrase { range, loudness, gain: Decibels::UNITY })
    };
    inside.filter(|p| p.end - p.start >= phrasing.least).filter_map(phrase).collect()
}

/// The loudness that half of the time is above and half below.
fn middle(phrases: &[Phrase]) -> Option<f64> {
    let mut levels: Vec<(f64, i64)> =
        phrases.iter().map(|p| (p.loudness, (p.range.end - p.range.start).0)).collect();
    levels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = levels.iter().map(|level| level.1).sum::<i64>() / 2;
    let mut passed = 0;
    let found = levels.iter().find(|level| {
        passed += level.1;
        passed >= half
    });
    found.map(|level| level.0)
}

/// The gain of a phrase that is `off` below the target: within the tolerance it is 0, otherwise it brings
/// the phrase to the inner half of the tolerance.
fn ride(off: f64, call: &Resolved) -> f64 {
    if off.abs() <= call.within {
        return 0.0;
    }
    (off - off.signum() * call.within / 2.0).clamp(-call.most, call.most)
}

/// Gain over each phrase. Between phrases it is never above either side, nor above 0.
fn points(phrases: &[Phrase], context: &PlanContext) -> Vec<EnvelopePoint> {
    let ramp = ms(RAMP_MS, context.session.rate);
    let ride = Ride { rest: Decibels::UNITY, attack: ramp, release: ramp };
    let stretches: Vec<_> = phrases.iter().map(|p| (p.range.clone(), p.gain)).collect();
    let lowest = |a: Decibels, b: Decibels| Decibels(a.0.min(b.0).min(0.0));
    ride.points_between(&stretches, lowest)
}

/// What the clip will measure.
fn promise(
    draft: &mut Draft,
    context: &PlanContext,
    id: ClipId,
    change: &Change,
    from: Vec<String>,
) -> Result<(), ToolError> {
    let after = context.session.with([change]).map_err(ToolError::media)?;
    let levels = context.levels_in(&after, id.into())?;
    let promised = [
        (Measure::IntegratedLoudness, levels.integrated.map(|level| level.0)),
        (Measure::TruePeak, levels.true_peak.map(|level| level.0)),
    ];
    for (measure, value) in promised {
        let value = value.map(|value| (value * 100.0).round() / 100.0 + 0.0);
        let promise = value.map(|value| Prediction::now(id, measure, value, SAME, from.clone()));
        draft.predicted.extend(promise);
    }
    Ok(())
}

/// Warns about phrases that even the most gain does not bring near enough.
fn outside(draft: &mut Draft, call: &Resolved, clip: &Clip, phrases: &[Phrase], target: f64) {
    let off = |p: &&Phrase| (p.loudness + p.gain.0 - target).abs() > call.within + 1e-9;
    let left = phrases.iter().filter(off).count();
    if left > 0 {
        let most = trimmed(call.most, 1);
        draft.warnings.push(format!(
            "\"{}\": {} would need more than {most} dB",
            clip.name,
            count(left, "phrase")
        ));
    }
}
