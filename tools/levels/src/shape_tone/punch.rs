//! A compressor that lets the start of each hit through and lowers what rings on: the peaks stand out more.

use super::direction::Amount;
use super::sound::{COMPRESSOR, Sound};
use deskhand_dsp::Decibels;
use deskhand_dsp::effects::{Compressor, Detector, Effect};
use deskhand_dsp::loudness::Levels;
use deskhand_session::text::trimmed;
use deskhand_session::{Change, Edit, InsertId, PlacedInsert, Session, Switch};
use deskhand_toolkit::{PlanContext, ToolError};

/// Long enough for the start of a hit, in ms; and back before the next one.
const ATTACK_MS: f64 = 30.0;
const RELEASE_MS: f64 = 120.0;
const KNEE_DB: f64 = 6.0;
/// The threshold is this far below the level while it sounds, in dB.
const BELOW: f64 = 2.0;
/// Peaks that stand out this far are punch enough, in dB.
const ENOUGH: f64 = 22.0;
/// They must stand out by this much more, in dB.
const GAINED: f64 = 0.5;
/// The highest ratio, and the most make-up gain in dB.
const MOST_RATIO: f64 = 6.0;
const MOST_MAKEUP: f64 = 6.0;

/// A compressor, with its reason.
pub(super) struct Punch {
    pub(super) compressor: Compressor,
    pub(super) why: String,
}

/// The compressor for a sound; `None` if it has punch, or would not gain any. `session` has the rest of the plan.
pub(super) fn compressor(
    context: &PlanContext,
    session: &Session,
    sound: &Sound<'_>,
    amount: Amount,
) -> Result<Option<Punch>, ToolError> {
    let own = sound.compressor();
    let mut without = session.clone();
    if let Some((id, _)) = &own {
        without.inserts.remove(id);
    }
    let levels = |session: &Session| {
        context.profile_in(session, sound.target).map(|it| it.levels(Decibels::UNITY))
    };
    let (bare, now) = (levels(&without)?, levels(sound.session)?);
    let Some((active, crest)) = bare.active_rms.zip(crest(&now)) else { return Ok(None) };
    if crest >= ENOUGH {
        return Ok(None);
    }
    let ratio = match own.as_ref().map(|(_, insert)| &insert.effect) {
        Some(Effect::Compressor(own)) => (own.ratio + 1.0).min(MOST_RATIO),
        _ => amount.ratio(),
    };
    let plain = settings(active.0, ratio);
    let with = |compressor: Compressor| {
        let id = own.as_ref().map_or(InsertId::new(u64::MAX), |(id, _)| *id);
        let (on, index, switch) = (sound.on, COMPRESSOR, Switch::On);
        let after = PlacedInsert { on, index, switch, effect: Effect::Compressor(compressor) };
        let change = Change::SetInsert(Edit::new(id, None, Some(after)));
        levels(&without.with([&change]).map_err(ToolError::media)?)
    };
    let loudness = |levels: &Levels| levels.integrated.map_or(0.0, |level| level.0);
    let lost = loudness(&now) - loudness(&with(plain)?);
    let makeup = Decibels((lost.clamp(0.0, MOST_MAKEUP) * 10.0).round() / 10.0);
    let compressor = Compressor { makeup, ..plain };
    let then = self::crest(&with(compressor)?);
    let then = then.filter(|then| *then >= crest + GAINED);
    Ok(then.map(|then| Punch { compressor, why: why(&compressor, crest, then) }))
}

/// A slow compressor for a sound with this level while it sounds, in dBFS.
fn settings(active: f64, ratio: f64) -> Compressor {
    Compressor {
        threshold: Decibels((active - BELOW).round().clamp(-80.0, 0.0)),
        ratio,
        knee_db: KNEE_DB,
        attack_ms: ATTACK_MS,
        release_ms: RELEASE_MS,
        makeup: Decibels::UNITY,
        detector: Detector::Rms,
    }
}

/// How far the highest peak is above the level while it sounds, in dB.
fn crest(levels: &Levels) -> Option<f64> {
    Some(levels.sample_peak?.0 - levels.active_rms?.0)
}

fn why(it: &Compressor, now: f64, then: f64) -> String {
    let number = |value: f64| trimmed(value, 1);
    format!(
        "peaks are {} dB above the rest, {} dB with it: an attack of {} ms lets each hit through, {}:1 above {} \
         dBFS lowers what rings on, and +{} dB keeps the loudness",
        number(now),
        number(then),
        number(it.attack_ms),
        number(it.ratio),
        number(it.threshold.0),
        number(it.makeup.0),
    )
}
