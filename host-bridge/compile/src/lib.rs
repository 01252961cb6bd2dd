//! Session to [`Schedule`]: what the engine plays, wherever a copy of the session lives.
//!
//! Thread: message, or a worker. A pure function.
//!
//! Does not know: files, decoders, the bridge. Which file a [`SourceKey`] means is told by
//! [`source_of`].

#![forbid(unsafe_code)]

use deskhand_dsp::ClipEnvelope;
use deskhand_engine as engine;
use deskhand_engine::{
    Audible, Level, Schedule, ScheduleError, SourceKey, Strip, StripKey, Voice, VoiceKey,
};
use deskhand_session::{Clip, ClipId, Output, Session, SourceId, Track, TrackId};
use std::collections::BTreeSet;

/// The mix of the session: every track, with mute and solo.
///
/// # Errors
/// When the engine refuses the result; a valid session gives a valid schedule.
pub fn mix(session: &Session) -> Result<Schedule, ScheduleError> {
    let level = |id: TrackId, track: &Track| level(track, session.is_audible(id));
    let tracks = session.tracks_in_order().collect::<Vec<_>>();
    let strips = tracks.iter().map(|(id, track)| strip(session, *id, level(*id, track)));
    let master = Level { gain: session.master_gain, ..Level::UNITY };
    Schedule::new(session.rate, master, strips.collect())
}

/// One track or bus behind its fader and pan, as if it alone played to a master at 0 dB. Its own mute and
/// every solo are ignored, muted tracks that play into a bus are not.
///
/// # Errors
/// As [`mix`].
pub fn track(session: &Session, what: TrackId) -> Result<Schedule, ScheduleError> {
    let heard: BTreeSet<TrackId> = session
        .track_order
        .iter()
        .copied()
        .filter(|id| session.path_of(*id).any(|step| step == what))
        .collect();
    let inside = session.tracks_in_order().filter(|(id, _)| heard.contains(id));
    let strips = inside.map(|(id, track)| {
        let mut strip = strip(session, id, level(track, id == what || !track.mute));
        if id == what {
            strip.output = engine::Output::Master;
        }
        strip
    });
    Schedule::new(session.rate, Level::UNITY, strips.collect())
}

/// The key of a track's strip in meters and stems.
#[must_use]
pub fn strip_key(id: TrackId) -> StripKey {
    StripKey(id.bits())
}

/// The source that a key of a schedule means.
#[must_use]
pub fn source_of(key: SourceKey) -> SourceId {
    SourceId::new(key.0)
}

fn level(track: &Track, audible: bool) -> Level {
    let audible = if audible { Audible::Yes } else { Audible::No };
    Level { gain: track.gain, pan: track.pan, audible }
}

fn strip(session: &Session, id: TrackId, level: Level) -> Strip {
    let output = match session.tracks.get(&id).map(|track| track.output) {
        Some(Output::Bus(bus)) => engine::Output::Strip(strip_key(bus)),
        Some(Output::Master) | None => engine::Output::Master,
    };
    let voices = session.clips_on(id).into_iter().map(|(id, clip)| voice(id, clip)).collect();
    Strip { key: strip_key(id), level, output, voices }
}

fn voice(id: ClipId, clip: &Clip) -> Voice {
    Voice {
        key: VoiceKey(id.bits()),
        source: SourceKey(clip.source.bits()),
        source_start: clip.start,
        position: clip.position,
        envelope: ClipEnvelope {
            gain: clip.gain,
            fade_in: clip.fade_in,
            fade_out: clip.fade_out,
            length: clip.length,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::SampleRate;
    use deskhand_session::{Change, Edit, SessionId};

    fn add(number: u64, index: usize, track: Track) -> Change {
        let placed = deskhand_session::track::PlacedTrack { index, track };
        Change::AddTrack(Edit::create(TrackId::new(number), placed))
    }

    fn session() -> Session {
        let bus = Track::bus("Drums");
        let kick = Track { output: Output::Bus(TrackId::new(1)), ..Track::audio("Kick") };
        let muted = Track { mute: true, ..kick.clone() };
        let empty = Session::new(SessionId::new(1), SampleRate(48_000));
        empty.with(&[add(1, 0, bus), add(2, 1, kick), add(3, 2, muted)]).unwrap()
    }

    #[test]
    fn a_bus_plays_behind_what_feeds_it() {
        let schedule = mix(&session()).unwrap();
        let keys: Vec<_> = schedule.strips().iter().map(|strip| strip.key.0).collect();
        assert_eq!(keys, [2, 3, 1]);
    }

    #[test]
    fn a_single_track_ignores_its_own_mute_but_not_that_of_its_inputs() {
        let audible = |what: u64| {
            let schedule = track(&session(), TrackId::new(what)).unwrap();
            schedule.strips().iter().map(|s| (s.key.0, s.level.audible)).collect::<Vec<_>>()
        };
        assert_eq!(audible(3), [(3, Audible::Yes)]);
        assert_eq!(audible(1), [(2, Audible::Yes), (3, Audible::No), (1, Audible::Yes)]);
    }
}
