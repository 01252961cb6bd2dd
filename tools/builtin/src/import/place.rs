//! Where imported clips go.

use super::file::Found;
use deskhand_dsp::{Decibels, Fade, Frames, Seconds};
use deskhand_session::track::PlacedTrack;
use deskhand_session::{
    Change, Clip, ClipId, Edit, IdSeed, Session, SourceId, Track, TrackId, TrackKind,
};
use deskhand_toolkit::{Code, Draft, ToolError};

/// Where clips start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Start {
    /// At a time.
    At(Seconds),
    /// Where each file's time stamp says.
    Origin,
    /// At 0, or behind what is on the track.
    Free,
}

/// Which tracks clips go to.
#[derive(Clone, Debug, PartialEq)]
enum Lane {
    /// No clips at all.
    Library,
    /// A track for each source.
    Each,
    /// One track that exists or is made for the first clip.
    One {
        name: String,
        track: Option<TrackId>,
    },
}

/// Places one clip after the other.
pub(super) struct Placing {
    lane: Lane,
    start: Start,
    /// Where the next file on one track goes.
    next: Frames,
    /// Change that makes the one track.
    made_by: Option<String>,
}

impl Placing {
    /// Finds the track by name.
    pub(super) fn new(
        session: &Session,
        track: Option<String>,
        start: Start,
        library: bool,
    ) -> Result<Self, ToolError> {
        let lane = match track {
            _ if library => Lane::Library,
            None => Lane::Each,
            Some(name) => Lane::One {
                track: existing(session, &name)?,
                name,
            },
        };
        let behind = match &lane {
            Lane::One {
                track: Some(id), ..
            } => session
                .clips_on(*id)
                .iter()
                .map(|(_, clip)| clip.end())
                .max(),
            Lane::One { track: None, .. } | Lane::Each | Lane::Library => None,
        };
        let next = match start {
            Start::At(seconds) => seconds.frames(session.rate),
            Start::Origin | Start::Free => behind.unwrap_or(Frames::ZERO),
        };
        Ok(Self {
            lane,
            start,
            next,
            made_by: None,
        })
    }

    /// Adds a clip of the whole source, and its track where there is none.
    pub(super) fn clip(
        &mut self,
        session: &Session,
        ids: &mut IdSeed,
        draft: &mut Draft,
        found: &Found,
        source: SourceId,
        name: &str,
    ) {
        let Some((track, made_by)) = self.track(session, ids, draft, name) else {
            return;
        };
        let position = match self.start {
            Start::Origin => self.at_origin(draft, found),
            Start::At(_) | Start::Free => self.next,
        };
        if matches!(self.lane, Lane::One { .. }) {
            self.next = position + found.frames;
        }
        let clip = Clip {
            name: name.into(),
            track,
            source,
            start: Frames::ZERO,
            length: found.frames,
            position,
            gain: Decibels::UNITY,
            fade_in: Fade::default(),
            fade_out: Fade::default(),
        };
        let added_by = draft
            .changes
            .iter()
            .find(|c| c.change.target() == source.into());
        let needs = added_by
            .map(|change| change.id.clone())
            .into_iter()
            .chain(made_by)
            .collect();
        let change = Change::AddClip(Edit::create(ClipId::new(ids.next_bits()), clip));
        let seconds = position.seconds(session.rate).0;
        draft.dependent(change, name.into(), format!("at {seconds:.3} s"), needs);
    }

    fn at_origin(&self, draft: &mut Draft, found: &Found) -> Frames {
        found.origin.unwrap_or_else(|| {
            let what = format!("{} has no time stamp and is placed at 0", found.name);
            draft.warnings.push(what);
            Frames::ZERO
        })
    }

    /// The track of the next clip, and the change that makes it.
    fn track(
        &mut self,
        session: &Session,
        ids: &mut IdSeed,
        draft: &mut Draft,
        name: &str,
    ) -> Option<(TrackId, Option<String>)> {
        let name = match &self.lane {
            Lane::Library => return None,
            Lane::One {
                track: Some(id), ..
            } => return Some((*id, self.made_by.clone())),
            Lane::One { name, track: None } => name.clone(),
            Lane::Each => name.to_owned(),
        };
        let id = TrackId::new(ids.next_bits());
        let new = draft
            .changes
            .iter()
            .filter(|c| c.change.op() == "add_track")
            .count();
        let index = session.track_order.len() + new;
        let placed = PlacedTrack {
            index,
            track: Track::audio(name.clone()),
        };
        let change = Change::AddTrack(Edit::create(id, placed));
        let made_by = draft.change(change, name, "a track for the file");
        if let Lane::One { track, .. } = &mut self.lane {
            *track = Some(id);
            self.made_by = Some(made_by.clone());
        }
        Some((id, Some(made_by)))
    }
}

fn existing(session: &Session, name: &str) -> Result<Option<TrackId>, ToolError> {
    let found = session
        .tracks_in_order()
        .find(|(_, track)| track.name == name);
    match found {
        Some((_, track)) if track.kind == TrackKind::Bus => {
            let message = format!("\"{name}\" is a bus and has no clips");
            Err(ToolError::prepare(
                Code::BadParams,
                message,
                "name an audio track, or a new one",
            ))
        }
        found => Ok(found.map(|(id, _)| id)),
    }
}
