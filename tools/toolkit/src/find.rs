//! Finding the one object that a parameter names, by id or by name.

use crate::target::none_called;
use crate::text::is_same;
use crate::{Code, ToolError};
use deskhand_dsp::{Frames, SampleRate, Seconds};
use deskhand_session::{MarkerId, Session, SourceId, TrackId, TrackKind};
use std::fmt::Display;

/// The one object whose id or name (in any case) is `wanted`.
fn one<'a, Id: Copy + Display>(
    wanted: &str,
    noun: &str,
    known: impl Iterator<Item = (Id, &'a str)>,
) -> Result<Id, ToolError> {
    let known: Vec<_> = known.collect();
    let found: Vec<Id> = known
        .iter()
        .filter(|(id, name)| id.to_string() == wanted || is_same(name, wanted))
        .map(|(id, _)| *id)
        .collect();
    match found.as_slice() {
        [id] => Ok(*id),
        [] => {
            let names = known.iter().map(|(_, name)| *name);
            Err(none_called(noun, wanted, names, &format!("the session has no {noun}")))
        }
        several => Err(ambiguous(wanted, noun, several)),
    }
}

fn ambiguous<Id: Display>(wanted: &str, noun: &str, found: &[Id]) -> ToolError {
    let ids: Vec<_> = found.iter().map(ToString::to_string).collect();
    let message = format!("{} {noun}s are called \"{wanted}\"", found.len());
    ToolError::prepare(Code::NoTarget, message, format!("give an id: {}", ids.join(", ")))
}

/// The track named `wanted`.
pub fn track(session: &Session, wanted: &str) -> Result<TrackId, ToolError> {
    let tracks = session.tracks_in_order();
    one(wanted, "track", tracks.map(|(id, track)| (id, track.name.as_str())))
}

/// The bus named `wanted`.
pub fn bus(session: &Session, wanted: &str) -> Result<TrackId, ToolError> {
    let buses = session.tracks_in_order().filter(|(_, track)| track.kind == TrackKind::Bus);
    one(wanted, "bus", buses.map(|(id, track)| (id, track.name.as_str())))
}

/// The source named `wanted`.
pub fn source(session: &Session, wanted: &str) -> Result<SourceId, ToolError> {
    one(wanted, "source", session.sources.iter().map(|(id, s)| (*id, s.name.as_str())))
}

/// The marker named `wanted`.
pub fn marker(session: &Session, wanted: &str) -> Result<MarkerId, ToolError> {
    one(wanted, "marker", session.markers.iter().map(|(id, m)| (*id, m.name.as_str())))
}

/// Seconds of a parameter as frames of the session.
pub fn frames(seconds: f64, rate: SampleRate) -> Frames {
    Seconds(seconds).frames(rate)
}

/// Milliseconds of a parameter as frames of the session.
pub fn millis(milliseconds: f64, rate: SampleRate) -> Frames {
    frames(milliseconds / 1000.0, rate)
}

/// Frames of the session as seconds of an answer, rounded to the millisecond.
pub fn seconds(frames: Frames, rate: SampleRate) -> f64 {
    (frames.seconds(rate).0 * 1000.0).round() / 1000.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Desk;
    use deskhand_session::Track;

    #[test]
    fn names_are_found_in_any_case_and_ambiguity_is_told() {
        let mut desk = Desk::new(Vec::new());
        let bass = desk.track(Track::audio("Bass"));
        desk.track(Track::bus("Drums"));
        desk.track(Track::audio("drums"));
        assert_eq!(track(&desk.session, "BASS"), Ok(bass));
        assert_eq!(track(&desk.session, &bass.to_string()), Ok(bass));
        let two = track(&desk.session, "Drums").unwrap_err().to_string();
        let expected =
            "2 tracks are called \"Drums\"; give an id: track_000000000002, track_000000000003";
        assert_eq!(two, expected);
        let none = bus(&desk.session, "Drms").unwrap_err().to_string();
        assert_eq!(none, "no bus is called \"Drms\"; give an id or a name such as \"Drums\"");
        let empty = marker(&desk.session, "Verse").unwrap_err().to_string();
        assert_eq!(empty, "no marker is called \"Verse\"; the session has no marker");
    }
}
