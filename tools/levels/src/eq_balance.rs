//! `tool_eq_balance`: resonances, rumble below an instrument, and room for one track in another.

pub(crate) mod moves;
#[cfg(test)]
mod tests;

use crate::bands::{CENTERS, Spectrum};
use crate::feeding::feeds;
use crate::roles::role_of;
use deskhand_dsp::effects::{Effect, Equalizer};
use deskhand_session::intent::{Intent, Kinds, Slot};
use deskhand_session::text::{names, trimmed};
use deskhand_session::{
    Change, Edit, Finding, IdSeed, InsertId, InsertOwner, Measure, ObjectId, PlacedInsert,
    Prediction, Read, Session, Switch, TrackId,
};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Code, Draft, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use moves::{Limits, Move};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// The place of the equalizer that this tool sets, by which it is known again.
pub(crate) const PLACE: u32 = 90;
/// How far a level may be off that was measured through the same engine.
const SAME: f64 = 0.1;

/// `tool_eq_balance`.
pub(crate) struct EqBalance;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The tracks to equalize.
    #[serde(default)]
    targets: Targets,
    /// A track to make room for: the targets are lowered where both are strong.
    room_for: Option<Targets>,
    /// The largest cut, in dB.
    #[serde(default = "six")]
    #[schemars(range(min = 0.5, max = 18.0))]
    max_db: f64,
    /// Lower narrow peaks; omitted: yes.
    #[serde(default = "yes")]
    resonances: bool,
    /// Cut lows below the instrument, by its role; omitted: yes.
    #[serde(default = "yes")]
    low_cuts: bool,
}

fn six() -> f64 {
    6.0
}

fn yes() -> bool {
    true
}

/// The call against the session.
pub(crate) struct Resolved {
    tracks: Vec<TrackId>,
    /// Buses among the targets that others of them play into.
    fed: Vec<TrackId>,
    room_for: Option<TrackId>,
    limits: Limits,
}

/// How people ask for it.
fn says() -> [Intent; 4] {
    let on = |it: Intent, preps: &str| {
        let it = it.slot(Slot::of("max_db").preps("at most | by"));
        it.named("targets", preps, Kinds::Tracks)
    };
    let balance = Intent::verbs("balance | tame | even out | fix").about("equalizer | resonance");
    let room = Intent::verbs("make room").named("room_for", "for", Kinds::Tracks);
    let low_cuts = Intent::verbs("put | add | use | give | apply").about("low cut");
    let low_cuts = low_cuts.named("targets", "- | on | to", Kinds::AllFaders);
    [
        on(balance, "- | of | on | in").or_everything(),
        on(Intent::verbs("eq"), "- | of | on | in"),
        on(room, "in | -").or_the_whole(),
        low_cuts.only_named().sets("low_cuts", true).sets("resonances", false),
    ]
}

impl TypedTool for EqBalance {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_eq_balance",
            "Balance by EQ",
            "Sets an equalizer on tracks from their measured spectra: lowers narrow resonances, cuts lows \
             below an instrument (by its role, from name or classified content), and lowers bands where a \
             track covers the track it makes room for. It only lowers, by at most `max_db`. A bus that other \
             targets play into gets no equalizer; its inputs do. Third-octave spectra before and after are \
             findings. Other equalizers stay.",
            Category::Level,
            Trust::Suggest,
            vec![
                json!({"targets": "Guitar*", "room_for": "Lead Vocal"}),
                json!({"targets": "all", "max_db": 4}),
            ],
        )
        .on_the_whole()
        .says(says())
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let bad = |message: String, fix: &str| ToolError::prepare(Code::BadParams, message, fix);
        let room_for = match &params.room_for {
            None => None,
            Some(targets) => match targets.tracks(session)?.as_slice() {
                [one] => Some(*one),
                several => {
                    let message =
                        format!("room is made for one track, and {} are meant", several.len());
                    return Err(bad(message, "name one track in `room_for`, or a bus"));
                }
            },
        };
        let all = params.targets.tracks(session)?;
        let tracks: Vec<_> = all.into_iter().filter(|id| Some(*id) != room_for).collect();
        // A cut on a track would be made again on its bus.
        let is_fed = |bus: &TrackId| tracks.iter().any(|id| feeds(session, *id, *bus));
        let (fed, tracks): (Vec<_>, Vec<_>) = tracks.iter().copied().partition(is_fed);
        if tracks.is_empty() {
            let message = "a track cannot make room for itself".to_owned();
            return Err(bad(message, "name other tracks in `targets`"));
        }
        let limits = Limits {
            most: params.max_db,
            resonances: params.resonances,
            low_cuts: params.low_cuts,
        };
        Ok(Resolved { tracks, fed, room_for, limits })
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.tracks.iter().map(|id| (*id).into()).collect()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let mut draft = Draft::default();
        let mut ids = context.ids();
        let room = match call.room_for {
            Some(id) => spectrum(context, id)?,
            None => None,
        };
        let (mut silent, mut even) = (Vec::new(), Vec::new());
        for (index, id) in call.tracks.iter().enumerate() {
            let name = context.session.name_of((*id).into());
            context.step(index, call.tracks.len(), &name)?;
            let Some(own) = spectrum(context, *id)? else {
                silent.push(name);
                continue;
            };
            let (role, _) = role_of(&context.session, *id);
            let moves = moves::moves(&own, role, room.as_ref(), call.limits);
            if !set(&mut draft, context, &mut ids, *id, &own, &moves)? {
                even.push(name);
            }
        }
        if !silent.is_empty() {
            draft.warnings.push(format!("{}: silent; passed over", names(&silent)));
        }
        draft.warnings.extend(told_fed(&context.session, &call.fed));
        draft.summary = if draft.changes.is_empty() {
            format!("Nothing to change: {} balanced as it can be", names(&even))
        } else {
            let room = call.room_for.map_or(String::new(), |id| {
                format!(", making room for {}", context.session.name_of(id.into()))
            });
            format!("Equalize {}{room}", draft.subject("track"))
        };
        Ok(draft)
    }
}

/// The text about buses that are left out.
fn told_fed(session: &Session, fed: &[TrackId]) -> Option<String> {
    let fed: Vec<String> = fed.iter().map(|id| session.name_of((*id).into())).collect();
    let told = "heard through the equalizers of what plays into it; none of its own is set";
    (!fed.is_empty()).then(|| format!("{}: {told}", names(&fed)))
}

/// The spectrum of a track without the equalizer that this tool sets.
pub(crate) fn spectrum(context: &PlanContext, id: TrackId) -> Result<Option<Spectrum>, ToolError> {
    let mut session = (*context.session).clone();
    if let Some((own, _)) = own_insert(&session, id) {
        session.inserts.remove(&own);
    }
    let reader = context.audio.render(&session, id.into());
    Spectrum::of(context, reader.map_err(ToolError::media)?.as_mut())
}

/// The equalizer that this tool sets.
fn own_insert(session: &Session, id: TrackId) -> Option<(InsertId, PlacedInsert)> {
    let inserts = session.inserts_on(InsertOwner::Track(id));
    let is_own = |insert: &PlacedInsert| {
        insert.index == PLACE && matches!(insert.effect, Effect::Equalizer(_))
    };
    let found = inserts.into_iter().find(|(_, insert)| is_own(insert));
    found.map(|(id, insert)| (id, insert.clone()))
}

/// The change that sets the equalizer of a track; `None` if it is right already.
pub(crate) fn change(
    session: &Session,
    ids: &mut IdSeed,
    id: TrackId,
    moves: &[Move],
) -> Option<Change> {
    let own = own_insert(session, id);
    let equalizer = Equalizer { bands: moves.iter().map(|m| m.band).collect() };
    let after = (!moves.is_empty()).then_some(PlacedInsert {
        on: InsertOwner::Track(id),
        index: PLACE,
        switch: Switch::On,
        effect: Effect::Equalizer(equalizer),
    });
    let (target, before) = match own {
        Some((target, before)) => (target, Some(before)),
        None => (InsertId::new(ids.next_bits()), None),
    };
    let change = Change::SetInsert(Edit { target, before, after });
    (!change.is_identity()).then_some(change)
}

/// Plans the equalizer of one track; whether it changes.
fn set(
    draft: &mut Draft,
    context: &PlanContext,
    ids: &mut IdSeed,
    id: TrackId,
    own: &Spectrum,
    moves: &[Move],
) -> Result<bool, ToolError> {
    let session = &context.session;
    let Some(change) = change(session, ids, id, moves) else {
        return Ok(false);
    };
    let why: Vec<&str> = moves.iter().map(|m| m.why.as_str()).collect();
    let reason = if why.is_empty() { "nothing is left to lower".into() } else { why.join("; ") };
    draft.reads.push(Read::audio(session, id));
    let name = session.name_of(id.into());
    let after = session.with([&change]).map_err(ToolError::media)?;
    let changed = draft.change(change, name, reason);
    let equalizer = Equalizer { bands: moves.iter().map(|m| m.band).collect() };
    let then = own.through(&equalizer);
    for center in CENTERS {
        draft.findings.push(band(id, center, "now", own.band(center)));
        draft.findings.push(band(id, center, "with the plan", then.band(center)));
    }
    let level = context.levels_in(&after, id.into())?.integrated.map(|level| level.0);
    let promise = level.map(|level| {
        let level = (level * 100.0).round() / 100.0 + 0.0;
        Prediction::now(id, Measure::IntegratedLoudness, level, SAME, vec![changed])
    });
    draft.predicted.extend(promise);
    Ok(true)
}

/// The level of a third octave, as a finding.
pub(crate) fn band(id: impl Into<ObjectId>, center: f64, when: &str, level: f64) -> Finding {
    let method = format!("third octave around {} Hz, {when}", trimmed(center, 1));
    Finding { method, ..Finding::new(id, Measure::BandLevel, Some(level.max(-120.0))) }
}
