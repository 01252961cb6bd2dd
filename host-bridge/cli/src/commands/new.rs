//! `deskhand new`: an empty session folder, or one with the example interview.

mod example;

use crate::desk::Desk;
use crate::exit::{Exit, Failure};
use crate::output::Output as Told;
use deskhand_dsp::{Decibels, SampleRate};
use deskhand_protocol::clean::clean;
use deskhand_session::change::Edit;
use deskhand_session::track::PlacedTrack;
use deskhand_session::{Change, Output, Session, SessionId, Track, TrackId, TrackKind};
use serde::Deserialize;
use serde_json::json;
use std::hash::{BuildHasher, Hasher};
use std::path::Path;

/// The rates a session may have.
const RATES: std::ops::RangeInclusive<u32> = 8_000..=192_000;

/// What a new session begins with.
#[derive(Clone, Copy)]
pub(crate) enum Content<'a> {
    Nothing,
    /// The example interview.
    Example,
    /// What a host's project kept of it, as JSON.
    Seed(&'a str),
}

/// Makes a session.
pub(crate) fn run(
    dir: &Path,
    rate: u32,
    content: Content<'_>,
    output: Told,
) -> Result<Exit, Failure> {
    let session = match content {
        Content::Seed(json) => seeded(empty(rate)?, json)?,
        Content::Nothing | Content::Example => empty(rate)?,
    };
    let mut desk = Desk::create(dir, &session)?;
    if matches!(content, Content::Example) {
        example::fill(&mut desk, dir, output)?;
    }
    desk.close()?;
    output.json(&json!({"session": session.id, "dir": dir, "sample_rate": rate}));
    output.say(format!("made {} at {rate} Hz", dir.display()));
    Ok(Exit::Done)
}

/// An empty session with an id of its own.
pub(crate) fn empty(rate: u32) -> Result<Session, Failure> {
    if !RATES.contains(&rate) {
        let message = format!("a session rate of {rate} Hz is outside 8000 to 192000 Hz");
        return Err(Failure::new(
            "bad_params",
            message,
            "choose another rate, such as 48000 or 44100",
        ));
    }
    Ok(Session::new(SessionId::new(random()), SampleRate(rate)))
}

/// The part of a session that a host's project stores: gains and layout, without audio.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Seed {
    session: SessionId,
    tracks: Vec<SeedTrack>,
}

/// A track of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeedTrack {
    id: TrackId,
    name: String,
    gain: f64,
    pan: f64,
    #[serde(default)]
    kind: TrackKind,
    #[serde(default)]
    output: Output,
}

/// The session that a host's project belongs to, as far as the project knows it: the same id, so that all of its
/// instances find it, and their tracks.
fn seeded(empty: Session, json: &str) -> Result<Session, Failure> {
    let refused = |why: String| {
        let message = format!("the seed of the session cannot be used: {why}");
        Failure::new("bad_params", message, "make an empty session, without --seed")
    };
    let seed: Seed = serde_json::from_str(json).map_err(|error| refused(error.to_string()))?;
    // A bus may come after the tracks that play through it.
    let outputs: Vec<Change> =
        seed.tracks.iter().filter(|track| track.output != Output::Master).map(output_of).collect();
    let tracks = seed.tracks.into_iter().enumerate().map(|(index, seed)| {
        let SeedTrack { id, name, gain, pan, kind, .. } = seed;
        let gain = Decibels(gain).rounded();
        let track = Track { kind, gain, pan, ..Track::audio(clean(&name, 100)) };
        Change::AddTrack(Edit::create(id, PlacedTrack { index, track }))
    });
    let changes: Vec<Change> = tracks.chain(outputs).collect();
    let session = Session { id: seed.session, ..empty };
    session.with(&changes).map_err(|error| refused(error.to_string()))
}

fn output_of(seed: &SeedTrack) -> Change {
    Change::SetTrackOutput(Edit::new(seed.id, Output::Master, seed.output))
}

/// Bits that differ each time: the standard library seeds its hasher from the system.
fn random() -> u64 {
    let mut hasher = std::collections::hash_map::RandomState::new().build_hasher();
    hasher.write_u32(std::process::id());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_that_is_not_here_is_made_of_what_the_project_kept() {
        let json = json!({"session": "session_00000000002a", "tracks": [
            {"id": "track_000000000002", "name": "Drums\u{7}", "gain": -3.5, "pan": 0.25},
            {"id": "track_000000000001", "name": "Bass", "gain": 1.0, "pan": 0.0}]});
        let session = seeded(empty(44_100).ok().unwrap(), &json.to_string()).ok().unwrap();
        assert_eq!((session.id, session.rate), (SessionId::new(0x2a), SampleRate(44_100)));
        let tracks = session.track_order.iter().map(|id| &session.tracks[id]);
        let told: Vec<_> = tracks.map(|it| (it.name.as_str(), it.gain.0, it.pan)).collect();
        assert_eq!(told, [("Drums", -3.5, 0.25), ("Bass", 1.0, 0.0)]);
    }

    #[test]
    fn a_bus_comes_back_as_one_with_what_plays_through_it() {
        let bus = "track_000000000002";
        let json = json!({"session": "session_00000000002a", "tracks": [
            {"id": "track_000000000001", "name": "Snare", "gain": 0.0, "pan": 0.0, "output": {"bus": bus}},
            {"id": bus, "name": "Drums", "gain": -2.0, "pan": 0.0, "kind": "bus"}]});
        let session = seeded(empty(48_000).ok().unwrap(), &json.to_string()).ok().unwrap();
        let [snare, drums] = [1, 2].map(TrackId::new);
        assert_eq!(session.tracks[&drums].kind, TrackKind::Bus);
        assert_eq!(session.tracks[&snare].output, Output::Bus(drums));
    }

    #[test]
    fn a_seed_that_cannot_be_is_refused() {
        let track = json!({"id": "track_000000000002", "name": "a", "gain": -3.5, "pan": 7.0});
        let bad_pan = json!({"session": "session_00000000002a", "tracks": [track]}).to_string();
        for seed in ["", "{}", bad_pan.as_str()] {
            let refused = seeded(empty(48_000).ok().unwrap(), seed).err().unwrap();
            assert!(refused.message.contains("the seed of the session cannot be used"));
        }
    }
}
