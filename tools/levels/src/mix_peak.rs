//! The true peak of the mix under a plan of gains. The targets of such a plan for clips and tracks do not
//! cover their sum.

use crate::commands::{SetInsert, SetMasterGain};
use crate::gain::tolerance;
use deskhand_dsp::effects::Effect;
use deskhand_dsp::loudness::Levels;
use deskhand_dsp::{Decibels, Frames, pan_gains};
use deskhand_session::text::{level, trimmed};
use deskhand_session::{
    Change, Clip, Finding, InsertOwner, Measure, ObjectId, OfferStep, PlanOffer, Prediction, Read,
    Session, TrackId,
};
use deskhand_toolkit::levels::level_of;
use deskhand_toolkit::{Command, Draft, PlanContext, ToolError};
use serde_json::json;
use std::collections::BTreeMap;

/// From here on a true peak is over full scale, dBTP: lower values read as 0.0.
pub(crate) const OVER: f64 = 0.05;
/// The true peak that is offered, dBTP: the most that EBU R 128 and streaming services take.
pub(crate) const OFFERED: f64 = -1.0;
/// The most clips whose peaks are added up; with more, the mix is measured.
const MOST_CLIPS: usize = 1000;
/// Frames around an edge in which a true peak may lie: the reach of the interpolator, and more.
const EDGE: Frames = Frames(64);

/// True peaks of clips with the gains that are planned, dBTP.
pub(crate) type Peaks = BTreeMap<ObjectId, Decibels>;

/// If the changes of a draft take the true peak of the mix over full scale, or further over it, the draft
/// says so first and predicts it, with the loudness of the mix. The mix is measured once, and its current
/// state once more if it goes over. It is not measured if no gain is raised, or if `peaks` show that it
/// stays below.
///
/// # Errors
/// When the run is stopped. If the mix cannot be read, the plan is about other clips, so there is no
/// warning.
pub(crate) fn tell(
    context: &PlanContext,
    draft: &mut Draft,
    peaks: &Peaks,
) -> Result<(), ToolError> {
    if !context.mix_is_heard || !draft.changes.iter().any(|planned| raises(&planned.change)) {
        return Ok(());
    }
    let changes = draft.changes.iter().map(|planned| &planned.change);
    let after = context.session.with(changes).map_err(ToolError::media)?;
    if at_most(&after, peaks).is_some_and(|peak| peak.0 < OVER) {
        return Ok(());
    }
    let all = draft.changes.len();
    context.step(all, all + 1, "the mix")?;
    let Some(then) = measured(context, &after)? else { return Ok(()) };
    let Some(peak) = level_of(&then, Measure::TruePeak).filter(|peak| *peak >= OVER) else {
        return Ok(());
    };
    let Some(now) = measured(context, &context.session)? else { return Ok(()) };
    let Some(warning) = warning(&now, &then) else { return Ok(()) };
    warn(&context.session, draft, warning, peak);
    promise(&context.session, draft, &now, &then);
    Ok(())
}

/// Puts the warning about a mix with this true peak first, because it is audible, with its ways out.
pub(crate) fn warn(session: &Session, draft: &mut Draft, warning: String, peak: f64) {
    draft.offers.extend(ways_out(session, &warning, peak));
    draft.warnings.insert(0, warning);
}

/// A limiter on the mix, if it has none, and a lower fader of the mix.
fn ways_out(session: &Session, warning: &str, peak: f64) -> Vec<PlanOffer> {
    let down = ((peak - OFFERED) * 10.0).ceil() / 10.0;
    let lower = (SetMasterGain::spec().name, json!({"change_db": -down}));
    let label = format!("Lower the mix {} dB", trimmed(down, 1));
    // The fader of the mix comes after the limiter.
    let ceiling = (OFFERED - session.master_gain.0).clamp(-30.0, 0.0);
    let limiter = json!({"kind": "limiter", "ceiling": ceiling});
    let limit = (SetInsert::spec().name, json!({"on": "master", "effect": limiter}));
    let beside = |label: &str, call| PlanOffer::new(warning, label, OfferStep::Beside, call);
    let mut all = vec![beside(&label, lower)];
    let inserts = session.inserts_on(InsertOwner::Master);
    if !inserts.iter().any(|(_, it)| matches!(it.effect, Effect::Limiter(_))) {
        all.insert(0, beside("Add a limiter", limit));
    }
    all
}

/// The warning about a mix that goes over full scale; `None` if it does not, or was as far over before.
pub(crate) fn warning(now: &Levels, then: &Levels) -> Option<String> {
    let peak = level_of(then, Measure::TruePeak).filter(|peak| *peak >= OVER)?;
    if level_of(now, Measure::TruePeak).is_some_and(|was| peak < was + OVER) {
        return None;
    }
    let change = |measure| {
        let told = |levels: &Levels| {
            level_of(levels, measure).map_or("silence".into(), |value| level(measure, value))
        };
        format!("{} (now {})", told(then), told(now))
    };
    let [peaks, loudness] = [Measure::TruePeak, Measure::IntegratedLoudness].map(change);
    Some(format!(
        "the mix would peak at {peaks} and come to {loudness}: over full scale, which clips"
    ))
}

/// Adds the levels of the mix now, and the prediction for the mix with the whole draft applied.
fn promise(session: &Session, draft: &mut Draft, now: &Levels, then: &Levels) {
    let mix = ObjectId::from(session.id);
    let from: Vec<String> = draft.changes.iter().map(|planned| planned.id.clone()).collect();
    draft.reads.push(Read::audio(session, mix));
    for measure in [Measure::IntegratedLoudness, Measure::TruePeak] {
        draft.findings.push(Finding::new(mix, measure, level_of(now, measure)));
        let value = level_of(then, measure).map(|value| (value * 100.0).round() / 100.0 + 0.0);
        draft.predicted.extend(
            value.map(|value| {
                Prediction::now(mix, measure, value, tolerance(measure), from.clone())
            }),
        );
    }
}

fn measured(context: &PlanContext, session: &Session) -> Result<Option<Levels>, ToolError> {
    match context.levels_in(session, session.id.into()) {
        Ok(levels) => Ok(Some(levels)),
        Err(_) => context.check().map(|()| None),
    }
}

fn raises(change: &Change) -> bool {
    match change {
        Change::SetClipGain(edit) => edit.after > edit.before,
        Change::SetTrackGain(edit) => edit.after > edit.before,
        _ => true,
    }
}

/// The highest possible true peak of the mix, as far as it follows from those of the clips: nothing
/// processes them, and every playing clip is among `peaks`.
fn at_most(session: &Session, peaks: &Peaks) -> Option<Decibels> {
    let is_still = session.tracks.values().all(|track| track.envelope.is_empty());
    if !is_still || !session.inserts.is_empty() || session.clips.len() > MOST_CLIPS {
        return None;
    }
    let heard = session.clips.iter().filter(|(_, clip)| session.is_clip_audible(clip));
    let heard = heard.map(|(id, clip)| {
        // A down-mix of more channels adds them up.
        let is_plain = session.sources.get(&clip.source)?.channels <= 2;
        let peak = peaks.get(&ObjectId::Clip(*id)).filter(|_| is_plain)?;
        Some((clip, peak.amplitude() * to_the_mix(session, clip.track)))
    });
    let heard = heard.collect::<Option<Vec<_>>>()?;
    let at = |start: Frames| {
        let plays = |clip: &Clip| clip.position <= start + EDGE && start <= clip.end() + EDGE;
        heard.iter().filter(|(clip, _)| plays(clip)).map(|(_, peak)| peak).sum::<f64>()
    };
    let most = heard.iter().map(|(clip, _)| at(clip.position)).fold(0.0, f64::max);
    Some(Decibels::from_amplitude(most).unwrap_or(Decibels(f64::NEG_INFINITY)))
}

/// The amplitude factor from a track's clips to the mix, on the louder side.
fn to_the_mix(session: &Session, track: TrackId) -> f64 {
    let strip = |id: TrackId| {
        session.tracks.get(&id).map_or(1.0, |track| {
            let (left, right) = pan_gains(track.pan);
            track.gain.amplitude() * f64::from(left.max(right))
        })
    };
    session.path_of(track).map(strip).product::<f64>() * session.master_gain.amplitude()
}

#[cfg(test)]
mod tests;
