//! `tool_auto_mix`: a first balance by measurement: buses, levels, pan positions, and room for the lead.

mod balance;
mod buses;
mod plan;
#[cfg(test)]
mod tests;

use crate::roles::{Role, role_of};
use balance::Style;
use deskhand_session::{ObjectId, Session, TrackId, TrackKind};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Code, Draft, Estimate, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use plan::Mixing;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// Times real time, for one track.
const SPEED: f64 = 60.0;

/// `tool_auto_mix`.
pub(crate) struct AutoMix;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The tracks to mix.
    #[serde(default = "Targets::heard")]
    targets: Targets,
    /// The balance in words, such as "lead up front" or "podcast with music under". Known words: podcast,
    /// speech, interview; lead or vocal with up, front, forward, loud, back, down or "behind"; drums, bass,
    /// guitars, keys or music with up, loud, down, soft or under.
    #[schemars(length(max = 500))]
    describe: Option<String>,
    /// The track that leads; omitted: lead vocal or speech by its role, else the loudest.
    lead: Option<Targets>,
    /// The largest fader move, in dB.
    #[serde(default = "twelve")]
    #[schemars(range(min = 1.0, max = 24.0))]
    max_db: f64,
    /// Group tracks of one kind on buses; omitted: yes.
    #[serde(default = "yes")]
    buses: bool,
    /// Pan tracks of one kind left and right; omitted: yes.
    #[serde(default = "yes")]
    pan: bool,
    /// Cut lows by role and make room for the lead; omitted: yes.
    #[serde(default = "yes")]
    eq: bool,
}

fn twelve() -> f64 {
    12.0
}

fn yes() -> bool {
    true
}

/// The call against the session.
pub(crate) struct Resolved {
    tracks: Vec<Part>,
    lead: Option<TrackId>,
    style: Style,
    most: f64,
    buses: bool,
    pan: bool,
    eq: bool,
}

/// A track and its part.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    id: TrackId,
    role: Role,
    /// How the role is known.
    known: &'static str,
}

impl TypedTool for AutoMix {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_auto_mix",
            "Propose a mix",
            "Proposes a first mix: finds the role of each track by name or classified content, groups tracks \
             on buses (existing buses are used), sets faders by measured loudness after the buses against the \
             lead, pans doubles left and right, cuts lows by role and makes room for the lead where others \
             cover it. Every move has a reason; none is larger than `max_db`. Pans and equalizers set by a \
             person stay. The loudness of each track and of the mix is predicted and measured.",
            Category::Level,
            Trust::Suggest,
            vec![
                json!({"targets": "all", "describe": "lead up front"}),
                json!({"targets": "all", "describe": "podcast with music under", "max_db": 15}),
            ],
        )
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let bad = |message: String, fix: &str| ToolError::prepare(Code::BadParams, message, fix);
        let tracks = params.targets.tracks(session)?.into_iter();
        let has_clips = |id: &TrackId| {
            let is_audio = session.tracks.get(id).is_some_and(|t| t.kind == TrackKind::Audio);
            is_audio && !session.clips_on(*id).is_empty()
        };
        let part = |id| {
            let (role, known) = role_of(session, id);
            Part { id, role, known }
        };
        let tracks: Vec<Part> = tracks.filter(has_clips).map(part).collect();
        if tracks.len() < 2 {
            let message = "a balance needs two tracks with clips or more".to_owned();
            return Err(bad(message, "name more tracks in `targets`, or all"));
        }
        let lead = match &params.lead {
            None => None,
            Some(lead) => match lead.tracks(session)?.as_slice() {
                [one] => Some(*one),
                several => {
                    let message = format!("one track leads, and {} are meant", several.len());
                    return Err(bad(message, "name one track in `lead`"));
                }
            },
        };
        let style = Style::of(params.describe.as_deref().unwrap_or_default(), &tracks);
        let Params { max_db, buses, pan, eq, .. } = params;
        Ok(Resolved { tracks, lead, style, most: max_db, buses, pan, eq })
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.tracks.iter().map(|part| part.id.into()).collect()
    }

    fn estimate(call: &Resolved, session: &Session) -> Estimate {
        let seconds = session.end().seconds(session.rate).0;
        Estimate { seconds: seconds * call.tracks.len() as f64 / SPEED, bytes: 0 }
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let mut mixing = Mixing::new(&call, context);
        mixing.equalize()?;
        // First the buses: a track's loudness counts at the output of its bus.
        mixing.group()?;
        mixing.measure()?;
        mixing.faders()?;
        mixing.places()?;
        mixing.finish()
    }
}
