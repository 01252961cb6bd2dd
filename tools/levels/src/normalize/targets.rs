//! What gets the gain: clips, tracks or the mix. Where a host plays its own input, tracks do.

use crate::feeding::feeders_first;
use deskhand_session::text::names;
use deskhand_session::{ClipId, ObjectId, Session, TrackId, TrackKind};
use deskhand_toolkit::{Code, HostInputs, Targets, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

/// The gain to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Per {
    /// Each clip, by its clip gain.
    Clip,
    /// Each track or bus, by its fader.
    Track,
    /// The mix, by the master gain.
    Mix,
}

/// A call where hosts play. They follow no gain of a clip, so a gain whose place was left open goes to the tracks.
pub(crate) struct ByTrack {
    pub(crate) targets: Targets,
    pub(crate) per: Option<Per>,
    /// That clips were named and their tracks get the gain, where it is so.
    pub(crate) note: Option<String>,
}

impl ByTrack {
    pub(crate) fn of(
        targets: Targets,
        per: Option<Per>,
        session: &Session,
        inputs: &HostInputs,
    ) -> Self {
        let meant = match (targets.is_mix(), per) {
            (false, None | Some(Per::Track)) => targets.tracks(session).unwrap_or_default(),
            (true, _) | (false, Some(Per::Clip | Per::Mix)) => Vec::new(),
        };
        let Some(host) = meant.iter().find_map(|track| inputs.get(track)) else {
            return Self { targets, per, note: None };
        };
        let named = targets.objects(session).unwrap_or_default();
        let are_clips = named.iter().all(|id| matches!(id, ObjectId::Clip(_)));
        let note = (are_clips && !named.is_empty()).then(|| {
            format!(
                "clips were named, and their tracks get the gain: {host} plays its own input, which follows no gain \
                 of a clip"
            )
        });
        let targets = if per.is_none() { without_buses(targets, &meant, session) } else { targets };
        Self { targets, per: Some(Per::Track), note }
    }
}

/// The call was for clips, and buses have none.
fn without_buses(targets: Targets, meant: &[TrackId], session: &Session) -> Targets {
    let is_bus = |id: &&TrackId| is_bus(session, **id);
    if meant.iter().any(|id| is_bus(&id)) {
        let tracks = meant.iter().filter(|id| !is_bus(id));
        return Targets::Many(tracks.map(TrackId::to_string).collect());
    }
    targets
}

fn is_bus(session: &Session, id: TrackId) -> bool {
    session.tracks.get(&id).is_some_and(|track| track.kind == TrackKind::Bus)
}

/// The objects that get the gain, and what they are called.
pub(super) fn objects(
    targets: &Targets,
    per: Option<Per>,
    session: &Session,
) -> Result<(Vec<ObjectId>, &'static str), ToolError> {
    Ok(match chosen(per, targets)? {
        Per::Clip => (ids(clips(targets, session)?), "clip"),
        Per::Track => (ids(tracks(targets, session)?), "track"),
        Per::Mix => (vec![session.id.into()], "mix"),
    })
}

fn ids<Id: Into<ObjectId>>(ids: Vec<Id>) -> Vec<ObjectId> {
    ids.into_iter().map(Into::into).collect()
}

/// The chosen clips. A bus has none; the error says what works for it.
fn clips(targets: &Targets, session: &Session) -> Result<Vec<ClipId>, ToolError> {
    targets.clips(session).map_err(|error| {
        let tracks = targets.tracks(session).unwrap_or_default();
        if tracks.is_empty() || !tracks.iter().all(|id| is_bus(session, *id)) {
            return error;
        }
        let called: Vec<_> = tracks.iter().map(|id| session.name_of((*id).into())).collect();
        let message = match called.len() {
            1 => format!("{} is a bus and has no clips", names(&called)),
            _ => format!("{} are buses and have no clips", names(&called)),
        };
        let fix = "normalize it per track (`per=track`)";
        ToolError::prepare(Code::NoTarget, message, fix)
    })
}

/// The chosen tracks and buses, each after those that feed it.
fn tracks(targets: &Targets, session: &Session) -> Result<Vec<TrackId>, ToolError> {
    let mut tracks = targets.tracks(session)?;
    feeders_first(session, &mut tracks);
    Ok(tracks)
}

/// The objects that get the gain. If `per` is not given, targets that are the mix decide it.
fn chosen(per: Option<Per>, targets: &Targets) -> Result<Per, ToolError> {
    match (per, targets.is_mix()) {
        (Some(Per::Mix), _) | (None, true) => Ok(Per::Mix),
        (Some(per), false) => Ok(per),
        (None, false) => Ok(Per::Clip),
        (Some(Per::Clip | Per::Track), true) => Err(ToolError::prepare(
            Code::BadParams,
            "the mix is neither a clip nor a track",
            "leave out `per`, or set it to \"mix\"",
        )),
    }
}
