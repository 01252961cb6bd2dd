//! `tool_reduce_bleed`: lowers each microphone while its owner is silent.

#[cfg(test)]
mod tests;

use crate::speech::{Ride, course, ms, promise};
use deskhand_dsp::envelope::Envelope;
use deskhand_dsp::level::{ActivityGate, active_rms};
use deskhand_dsp::silence::union;
use deskhand_dsp::{Decibels, EnvelopePoint, Frames, SampleRate};
use deskhand_session::intent::{Intent, Kinds, Slot};
use deskhand_session::text::{names, subject, trimmed};
use deskhand_session::{Change, Edit, Measure, ObjectId, Read, Session, TrackId};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Code, Draft, Offers, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::ops::Range;

/// Below the level of its own owner's speech, where a microphone hears nobody of its own, in dB.
const BELOW_OWN: f64 = 16.0;
/// How much louder the owner of another microphone must be, against their own speech, to be the current
/// speaker, in dB.
const AHEAD: f64 = 6.0;
/// Hops of 10 ms over which levels are smoothed.
const SMOOTH: usize = 8;
/// A microphone opens this long before its owner speaks, and takes this long to open, in ms.
const AHEAD_MS: f64 = 60.0;
const ATTACK_MS: f64 = 30.0;
/// The way down, in ms.
const RELEASE_MS: f64 = 150.0;
/// Shorter sounds open nothing, in ms.
const LEAST_MS: f64 = 80.0;

/// `tool_reduce_bleed`.
pub(crate) struct ReduceBleed;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The microphones, two or more tracks of one conversation.
    #[serde(default = "Targets::heard")]
    targets: Targets,
    /// How far to lower a microphone while its owner is silent, in dB.
    #[serde(default = "twelve")]
    #[schemars(range(min = 1.0, max = 60.0))]
    depth_db: f64,
    /// How long a microphone stays open after its owner speaks, in ms.
    #[serde(default = "hold")]
    #[schemars(range(min = 50.0, max = 5000.0))]
    hold_ms: f64,
}

fn twelve() -> f64 {
    12.0
}

fn hold() -> f64 {
    400.0
}

/// The call against the session.
pub(crate) struct Resolved {
    tracks: Vec<TrackId>,
    depth: f64,
    hold_ms: f64,
}

impl TypedTool for ReduceBleed {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_reduce_bleed",
            "Reduce bleed",
            "Lowers each microphone of a conversation while its owner is silent and somebody else is heard in \
             it, as editable points of the track's gain envelope. Compares each level with the microphone's \
             own speech to find the speaker; if two speak at once, both stay open. Replaces existing envelopes \
             of the tracks.",
            Category::Level,
            Trust::Suggest,
            vec![json!({"targets": ["Host", "Guest"], "depth_db": 12})],
        )
        .on_the_whole()
        .offers(Offers::default().dial("depth_db", "Lower by", "dB"))
        .says([Intent::verbs("remove | lower | cut")
            .about("bleed")
            .slot(Slot::of("depth_db").preps("by | -"))
            .named("targets", "- | on | of | in | for | from | between", Kinds::Sound)])
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let tracks = params.targets.tracks(session)?;
        if tracks.len() < 2 {
            let message = "bleed is found by comparing microphones, and there is only one";
            let fix = "name all microphones of the conversation in `targets`";
            return Err(ToolError::prepare(Code::BadParams, message, fix));
        }
        Ok(Resolved { tracks, depth: params.depth_db, hold_ms: params.hold_ms })
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.tracks.iter().map(|id| (*id).into()).collect()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let mut microphones = Vec::new();
        for (index, id) in call.tracks.iter().enumerate() {
            context.step(index, call.tracks.len(), &context.session.name_of((*id).into()))?;
            microphones.push(Microphone::of(context, *id)?);
        }
        let mut draft = Draft::default();
        let mut silent = Vec::new();
        for microphone in &microphones {
            if microphone.relative.is_empty() {
                silent.push(context.session.name_of(microphone.id.into()));
            } else {
                let open = microphone.open(&microphones, &call, context.session.rate);
                lower(&mut draft, &call, context, microphone.id, &open)?;
            }
        }
        if !silent.is_empty() {
            draft.warnings.push(format!("{}: silent; passed over", names(&silent)));
        }
        draft.summary = if draft.changes.is_empty() {
            let all: Vec<String> =
                call.tracks.iter().map(|id| context.session.name_of((*id).into())).collect();
            format!("Nothing to change: no bleed to lower in {}", subject(&all, "track"))
        } else {
            let (tracks, depth) = (draft.subject("track"), trimmed(call.depth, 1));
            format!("Lower {tracks} by {depth} dB while the owner is silent")
        };
        Ok(draft)
    }
}

/// A microphone with the course of its level against its owner's speech.
struct Microphone {
    id: TrackId,
    /// dB per hop of 10 ms; empty for silence.
    relative: Vec<f64>,
    length: Frames,
}

impl Microphone {
    fn of(context: &PlanContext, id: TrackId) -> Result<Self, ToolError> {
        let profile = course(context, id)?;
        context.note_faults(id.into(), &profile);
        let envelope = Envelope::from(&profile);
        let gate = ActivityGate { floor: Decibels(-90.0), ..ActivityGate::DEFAULT };
        let own = own_speech(envelope.energies(), gate);
        let smooth = |hop: usize| {
            let near =
                hop.saturating_sub(SMOOTH / 2)..(hop + SMOOTH / 2).min(envelope.energies().len());
            let near = envelope.energies().get(near).unwrap_or_default();
            let mean = near.iter().map(|e| f64::from(*e)).sum::<f64>() / near.len().max(1) as f64;
            10.0 * mean.max(1e-12).log10()
        };
        let level =
            |own: f64| (0..envelope.energies().len()).map(|hop| smooth(hop) - own).collect();
        let length = envelope.frames();
        Ok(Self { id, relative: own.map(level).unwrap_or_default(), length })
    }

    /// Where its owner speaks, or nobody is louder in another microphone.
    fn open(&self, all: &[Self], call: &Resolved, rate: SampleRate) -> Vec<Range<Frames>> {
        let others = |hop: usize| {
            let each = all.iter().filter(|m| m.id != self.id);
            each.filter_map(|m| m.relative.get(hop)).copied().fold(-200.0, f64::max)
        };
        let is_own = |hop: usize, level: f64| level > -BELOW_OWN && level > others(hop) - AHEAD;
        let mut runs: Vec<Range<usize>> = Vec::new();
        for (hop, level) in self.relative.iter().enumerate() {
            match runs.last_mut() {
                Some(run) if is_own(hop, *level) && run.end == hop => run.end = hop + 1,
                _ if is_own(hop, *level) => runs.push(hop..hop + 1),
                _ => {}
            }
        }
        let frames = |hops: usize| Frames((hops as i64) * i64::from(rate.0) / 100);
        let (before, behind) = (ms(AHEAD_MS, rate), ms(call.hold_ms, rate));
        let least = ms(LEAST_MS, rate);
        let long = runs.into_iter().map(|run| frames(run.start)..frames(run.end));
        let long = long.filter(|run| run.end - run.start >= least);
        union(
            long.map(|run| {
                (run.start - before).max(Frames::ZERO)..(run.end + behind).min(self.length)
            }),
        )
    }
}

/// The level of a microphone's own speech: of the loudest quarter of its active parts, since bleed is
/// active too.
fn own_speech(energies: &[f32], gate: ActivityGate) -> Option<f64> {
    active_rms(energies, gate)?;
    let threshold = gate.threshold(energies)?;
    let mut active: Vec<f64> =
        energies.iter().map(|e| f64::from(*e)).filter(|e| *e >= threshold).collect();
    active.sort_by(|a, b| b.total_cmp(a));
    let loudest = active.get(..active.len().div_ceil(4))?;
    let mean = loudest.iter().sum::<f64>() / loudest.len().max(1) as f64;
    Some(10.0 * mean.max(1e-12).log10())
}

/// Plans one microphone.
fn lower(
    draft: &mut Draft,
    call: &Resolved,
    context: &PlanContext,
    id: TrackId,
    open: &[Range<Frames>],
) -> Result<(), ToolError> {
    let Some(track) = context.session.tracks.get(&id) else {
        return Ok(());
    };
    let (points, is_open) = points(call, context, open);
    let end = context.session.clips_on(id).iter().map(|(_, clip)| clip.end()).max();
    let whole = end.unwrap_or(Frames::ZERO).0.max(1) as f64;
    let share = (100.0 - is_open.0 as f64 * 100.0 / whole).max(0.0);
    let edit = Edit { target: id, before: track.envelope.clone(), after: points };
    let change = Change::SetTrackEnvelope(edit);
    if change.is_identity() || share < 1.0 {
        return Ok(());
    }
    if !track.envelope.is_empty() {
        draft.warnings.push(format!("\"{}\": the gain line that it has is replaced", track.name));
    }
    draft.reads.push(Read::audio(&context.session, id));
    let reason = format!("its owner is silent {} % of the time", trimmed(share, 0));
    let changed = draft.change(change.clone(), track.name.clone(), reason);
    promise(draft, context, (id, Measure::Rms), &change, changed)
}

/// The gain line of a microphone, and how long it is open.
fn points(
    call: &Resolved,
    context: &PlanContext,
    open: &[Range<Frames>],
) -> (Vec<EnvelopePoint>, Frames) {
    let rate = context.session.rate;
    let (attack, release) = (ms(ATTACK_MS, rate), ms(RELEASE_MS, rate));
    let ride = Ride { rest: Decibels(-call.depth), attack, release };
    // Not worth a dip: shorter than the way down and up.
    let mut joined: Vec<Range<Frames>> = Vec::new();
    for stretch in open {
        match joined.last_mut() {
            Some(last) if stretch.start - last.end <= attack + release => last.end = stretch.end,
            _ => joined.push(stretch.clone()),
        }
    }
    let is_open = joined.iter().fold(Frames::ZERO, |sum, s| sum + (s.end - s.start));
    let stretches: Vec<_> = joined.into_iter().map(|s| (s, Decibels::UNITY)).collect();
    (ride.points(&stretches), is_open)
}
