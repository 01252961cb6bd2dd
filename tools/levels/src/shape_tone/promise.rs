//! The changes of one target in a plan, with what is measured before and after them.

use super::direction::Direction;
use super::sound::{Planned, Sound};
use crate::bands::{CENTERS, Spectrum};
use crate::eq_balance::band;
use crate::eq_balance::moves::Move;
use crate::mix_peak;
use deskhand_dsp::effects::Equalizer;
use deskhand_session::text::trimmed;
use deskhand_session::{Finding, InsertOwner, Measure, ObjectId, Prediction, Read};
use deskhand_toolkit::levels::level_of;
use deskhand_toolkit::{Draft, PlanContext, ToolError};

/// How far a level may be off that was measured through the same engine.
const SAME: f64 = 0.1;
/// A third octave that changes by less is no finding, in dB.
const LEAST: f64 = 0.25;

/// Adds the changes of one target, and what is measured once they are applied.
pub(super) fn add(
    draft: &mut Draft,
    context: &PlanContext,
    sound: &Sound<'_>,
    planned: Vec<Planned>,
    direction: Direction,
) -> Result<(), ToolError> {
    let target = sound.target;
    let planned: Vec<Planned> = sound.limiter_last().into_iter().chain(planned).collect();
    let after = sound.session.with(planned.iter().map(|it| &it.change));
    let after = after.map_err(ToolError::media)?;
    let (now, then) = (context.levels(target)?, context.levels_in(&after, target)?);
    draft.reads.push(Read::audio(sound.session, target));
    let mut from: Vec<String> = Vec::new();
    for Planned { change, name, why } in planned {
        from.push(draft.dependent(change, name, why, from.clone()));
        // Tone is judged by ear.
        if let Some(planned) = draft.changes.last_mut() {
            planned.to_hear = true;
        }
    }
    for measure in measures(direction) {
        draft.findings.push(Finding::new(target, *measure, level_of(&now, *measure)));
        let value = level_of(&then, *measure).map(|value| (value * 100.0).round() / 100.0 + 0.0);
        let promise = |value| Prediction::now(target, *measure, value, SAME, from.clone());
        draft.predicted.extend(value.map(promise));
    }
    let loudness = |levels| level_of(levels, Measure::IntegratedLoudness);
    if let Some((now, then)) = loudness(&now).zip(loudness(&then)) {
        draft.notes.push(louder(&sound.name, then - now));
    }
    if sound.on == InsertOwner::Master {
        draft.warnings.extend(mix_peak::warning(&now, &then));
    }
    Ok(())
}

/// Punch is how far the peaks are above the rest.
fn measures(direction: Direction) -> &'static [Measure] {
    match direction {
        Direction::Punchier => {
            &[Measure::IntegratedLoudness, Measure::SamplePeak, Measure::ActiveRms]
        }
        _ => &[Measure::IntegratedLoudness],
    }
}

/// How the loudness changes, so that nobody takes louder for better.
fn louder(name: &str, lu: f64) -> String {
    let size = trimmed(lu.abs(), 1);
    match size.as_str() {
        "0" => format!("the loudness of {name} stays the same"),
        _ if lu > 0.0 => format!("the loudness of {name} rises by {size} LU"),
        _ => format!("the loudness of {name} falls by {size} LU"),
    }
}

/// The third octaves that change, before and after.
pub(super) fn bands(target: ObjectId, now: &Spectrum, moves: &[Move]) -> Vec<Finding> {
    let then = now.through(&Equalizer { bands: moves.iter().map(|it| it.band).collect() });
    let levels = CENTERS.into_iter().map(|hz| (hz, now.band(hz), then.band(hz)));
    let changed = levels.filter(|(_, now, then)| (then - now).abs() >= LEAST);
    changed
        .flat_map(|(hz, now, then)| {
            [band(target, hz, "now", now), band(target, hz, "with the plan", then)]
        })
        .collect()
}
