//! `tool_duck`: lowers music while someone speaks.

#[cfg(test)]
mod tests;

use crate::speech::{Ride, course, loudness, ms, promise};
use deskhand_dsp::envelope::Envelope;
use deskhand_dsp::loudness::LoudnessProfile;
use deskhand_dsp::phrases::{Phrasing, phrases};
use deskhand_dsp::silence::union;
use deskhand_dsp::volume::gain_at;
use deskhand_dsp::{Decibels, EnvelopePoint, Frames};
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

/// `tool_duck`.
pub(crate) struct Duck;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The tracks to lower: music, atmosphere.
    #[serde(default)]
    targets: Targets,
    /// The speech tracks.
    under: Targets,
    /// How far to lower, in dB.
    #[serde(default = "twelve")]
    #[schemars(range(min = 1.0, max = 60.0))]
    depth_db: f64,
    /// Length of the fade down in ms; it ends where speech begins.
    #[serde(default = "attack")]
    #[schemars(range(min = 5.0, max = 5000.0))]
    attack_ms: f64,
    /// How long the music stays low after speech, in ms; shorter pauses do not raise it.
    #[serde(default = "hold")]
    #[schemars(range(min = 0.0, max = 20000.0))]
    hold_ms: f64,
    /// Length of the fade up in ms.
    #[serde(default = "release")]
    #[schemars(range(min = 5.0, max = 20000.0))]
    release_ms: f64,
}

fn twelve() -> f64 {
    12.0
}

fn attack() -> f64 {
    200.0
}

fn hold() -> f64 {
    700.0
}

fn release() -> f64 {
    900.0
}

/// The call against the session.
pub(crate) struct Resolved {
    music: Vec<TrackId>,
    speech: Vec<TrackId>,
    params: Params,
}

/// How people ask for it.
fn says() -> [Intent; 3] {
    let depth = || Slot::of("depth_db").preps("- | by");
    let of = |it: Intent| it.slot(depth()).named("targets", "-", Kinds::Tracks);
    let under = of(Intent::verbs("duck").also("talking"))
        .slot(Slot::of("attack_ms").nouns("attack"))
        .slot(Slot::of("release_ms").nouns("release"));
    let lacks =
        |it: Intent| it.lacks("it does not say under what", "duck the music under the dialogue");
    let down = "duck | turn+down | bring+down | pull+down | lower";
    [
        lacks(under.named("under", "below | while", Kinds::OtherTracks)),
        lacks(of(Intent::verbs("duck")).named("under", "to | with | for | by", Kinds::OtherTracks)),
        // "turn the music down by 9 dB while the host talks".
        of(Intent::verbs(down).also("talking")).named("under", "while", Kinds::OtherTracks),
    ]
}

impl TypedTool for Duck {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_duck",
            "Duck music under speech",
            "Lowers music tracks while speech tracks sound, as editable points of the music's gain envelope. \
             The fade down ends where speech begins; short pauses do not raise the music. The distance of \
             speech above music is measured before and after. Replaces existing envelopes of the music tracks.",
            Category::Level,
            Trust::Suggest,
            vec![json!({"targets": "Music", "under": "Host", "depth_db": 12})],
        )
        .on_the_whole()
        .offers(Offers::default().dial("depth_db", "Lower by", "dB"))
        .says(says())
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let (music, speech) = (params.targets.tracks(session)?, params.under.tracks(session)?);
        if let Some(both) = music.iter().find(|track| speech.contains(track)) {
            let name = session.name_of((*both).into());
            let message = format!("\"{name}\" cannot be lowered under itself");
            return Err(ToolError::prepare(
                Code::BadParams,
                message,
                "name music in `targets` and speech in `under`",
            ));
        }
        Ok(Resolved { music, speech, params })
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.music.iter().map(|id| (*id).into()).collect()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let all = call.music.len() + call.speech.len();
        let mut draft = Draft::default();
        let (mut spoken, mut voices) = (Vec::new(), Vec::new());
        for (index, id) in call.speech.iter().enumerate() {
            context.step(index, all, &context.session.name_of((*id).into()))?;
            let profile = context.profile((*id).into())?;
            context.note_faults((*id).into(), &profile);
            spoken.extend(phrases(&Envelope::from(&profile), phrasing(context)));
            draft.reads.push(Read::audio(&context.session, *id));
            voices.push((*id, profile));
        }
        let stretches = held(union(spoken), ms(call.params.hold_ms, context.session.rate));
        for (index, id) in call.music.iter().enumerate() {
            let name = context.session.name_of((*id).into());
            context.step(call.speech.len() + index, all, &name)?;
            lower(&mut draft, &call, context, *id, &stretches, &voices)?;
        }
        Ok(finish(draft, &call, &context.session, stretches.len()))
    }
}

fn phrasing(context: &PlanContext) -> Phrasing {
    let rate = context.session.rate;
    Phrasing { pause: ms(250.0, rate), least: ms(120.0, rate), around: ms(30.0, rate) }
}

/// Phrases whose pauses are shorter than `hold` become one.
fn held(phrases: Vec<Range<Frames>>, hold: Frames) -> Vec<Range<Frames>> {
    let mut joined: Vec<Range<Frames>> = Vec::new();
    for phrase in phrases {
        match joined.last_mut() {
            Some(last) if phrase.start - last.end <= hold => last.end = phrase.end,
            _ => joined.push(phrase),
        }
    }
    joined
}

/// Plans one track of music.
fn lower(
    draft: &mut Draft,
    call: &Resolved,
    context: &PlanContext,
    id: TrackId,
    stretches: &[Range<Frames>],
    voices: &[(TrackId, LoudnessProfile)],
) -> Result<(), ToolError> {
    let Some(track) = context.session.tracks.get(&id) else {
        return Ok(());
    };
    let music = course(context, id)?;
    let points = points(call, context, stretches);
    let above = |points: &[EnvelopePoint]| above(context, stretches, voices, (id, &music), points);
    let (now, then) = (above(&track.envelope), above(&points));
    let edit = Edit { target: id, before: track.envelope.clone(), after: points };
    let change = Change::SetTrackEnvelope(edit);
    if change.is_identity() {
        return Ok(());
    }
    if !track.envelope.is_empty() {
        draft.warnings.push(format!("\"{}\": the gain line that it has is replaced", track.name));
    }
    let reason = how_far(now, then);
    let changed = draft.change(change.clone(), track.name.clone(), reason);
    promise(draft, context, (id, Measure::IntegratedLoudness), &change, changed)
}

/// "speech is 8.2 LU below it now, then 3.8 LU above".
fn how_far(now: Option<f64>, then: Option<f64>) -> String {
    let side = |lu: f64| if lu < 0.0 { "below" } else { "above" };
    let told = |lu: Option<f64>| lu.map_or("?".into(), |lu| format!("{} LU", trimmed(lu.abs(), 1)));
    let sides = (now.map_or("above", side), then.map_or("above", side));
    let turned = if sides.0 == sides.1 { String::new() } else { format!(" {}", sides.1) };
    format!("speech is {} {} it now, then {}{turned}", told(now), sides.0, told(then))
}

/// The music's own gain line.
fn points(
    call: &Resolved,
    context: &PlanContext,
    stretches: &[Range<Frames>],
) -> Vec<EnvelopePoint> {
    let rate = context.session.rate;
    let (attack, release) = (ms(call.params.attack_ms, rate), ms(call.params.release_ms, rate));
    let ride = Ride { rest: Decibels::UNITY, attack, release };
    let depth = Decibels(-call.params.depth_db);
    // Where the way down has no time between two stretches, the music stays down.
    let apart = held(stretches.to_vec(), attack + release);
    let lowered: Vec<_> = apart.into_iter().map(|stretch| (stretch, depth)).collect();
    ride.points(&lowered)
}

/// How far speech is above the music where both sound, in LU, after their faders.
fn above(
    context: &PlanContext,
    stretches: &[Range<Frames>],
    voices: &[(TrackId, LoudnessProfile)],
    (id, music): (TrackId, &LoudnessProfile),
    points: &[EnvelopePoint],
) -> Option<f64> {
    let fader = |id: &TrackId| context.session.tracks.get(id).map_or(Decibels::UNITY, |t| t.gain);
    let power = |level: f64| 10f64.powf(level / 10.0);
    let (mut speech, mut lowered) = (0.0, 0.0);
    for stretch in stretches {
        let length = (stretch.end - stretch.start).0 as f64;
        for (voice, profile) in voices {
            speech += loudness(profile, stretch, |_| fader(voice)).map_or(0.0, power) * length;
        }
        let gain = |at| fader(&id) + gain_at(points, at);
        lowered += loudness(music, stretch, gain).map_or(0.0, power) * length;
    }
    (speech > 0.0 && lowered > 0.0).then(|| 10.0 * (speech / lowered).log10())
}

fn finish(mut draft: Draft, call: &Resolved, session: &Session, stretches: usize) -> Draft {
    let named = |ids: &[TrackId]| -> Vec<String> {
        ids.iter().map(|id| session.name_of((*id).into())).collect()
    };
    let speech = named(&call.speech);
    draft.summary = if stretches == 0 && draft.changes.is_empty() {
        format!("Nothing to change: no speech found on {}", names(&speech))
    } else if draft.changes.is_empty() {
        let music = subject(&named(&call.music), "track");
        format!("Nothing to change: {music} lowered already")
    } else {
        let (music, depth) = (draft.subject("track"), trimmed(call.params.depth_db, 1));
        format!("Lower {music} by {depth} dB under {}", subject(&speech, "track"))
    };
    draft
}
