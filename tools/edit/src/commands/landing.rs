//! On which audio track clips come to lie.

use deskhand_session::{Session, TrackId, TrackKind};
use deskhand_toolkit::find;
use deskhand_toolkit::{Code, ToolError};

/// On which audio track a clip comes to lie.
pub(super) enum Landing {
    Own,
    On(TrackId),
    /// This many audio tracks down; a negative number goes up.
    Down(i64),
}

impl Landing {
    /// The one that two parameters name.
    pub(super) fn asked(
        session: &Session,
        track: Option<&str>,
        down: Option<i64>,
    ) -> Result<Self, ToolError> {
        match (track, down) {
            (None, None) => Ok(Self::Own),
            (Some(name), None) => Ok(Self::On(find::track(session, name)?)),
            (None, Some(down)) => Ok(Self::Down(down)),
            (Some(_), Some(_)) => Err(ToolError::prepare(
                Code::BadParams,
                "clips go to one track, or each by a number of tracks",
                "give `track` or `down`, not both",
            )),
        }
    }

    /// Where a clip comes to lie that is on `home`.
    pub(super) fn of(&self, session: &Session, home: TrackId) -> Result<TrackId, ToolError> {
        let down = match self {
            Self::Own => return Ok(home),
            Self::On(track) => return Ok(*track),
            Self::Down(down) => *down,
        };
        let is_audio = |id: &&TrackId| {
            session.tracks.get(*id).is_some_and(|track| track.kind == TrackKind::Audio)
        };
        let audio: Vec<TrackId> = session.track_order.iter().filter(is_audio).copied().collect();
        let place = audio.iter().position(|id| *id == home);
        let there = place.zip(isize::try_from(down).ok());
        let there = there.and_then(|(place, down)| place.checked_add_signed(down));
        there.and_then(|place| audio.get(place).copied()).ok_or_else(|| {
            let name = session.name_of(home.into());
            let message = format!("no audio track lies {down} below \"{name}\"");
            let fix = "give `down` so that every clip stays among the audio tracks; up is negative";
            ToolError::prepare(Code::BadParams, message, fix)
        })
    }

    /// " to \"Guitar\"" with `to` as the word before a name, or " 2 tracks down"; empty if clips stay on
    /// their tracks.
    pub(super) fn words(&self, session: &Session, to: &str) -> String {
        match self {
            Self::Own | Self::Down(0) => String::new(),
            Self::On(track) => format!(" {to} \"{}\"", session.name_of((*track).into())),
            Self::Down(down) => {
                let tracks = if down.abs() == 1 { "track" } else { "tracks" };
                let way = if *down > 0 { "down" } else { "up" };
                format!(" {} {tracks} {way}", down.unsigned_abs())
            }
        }
    }
}
