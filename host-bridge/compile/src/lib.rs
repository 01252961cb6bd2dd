//! Session to [`Schedule`]: the playable form for the engine, wherever a copy of the session is; and the
//! [`Player`], which keeps an engine in step with such a copy.
//!
//! Thread: message, or a worker.
//!
//! Does not know: files, decoders, devices, the bridge. [`source_of`] gives the file of a [`SourceKey`].

#![forbid(unsafe_code)]

mod audition;
mod player;
mod rates;

pub use audition::Alone;
pub use player::{Place, Player, PlayerError};
pub use rates::Rates;

use deskhand_dsp::effects::Power;
use deskhand_dsp::{ClipEnvelope, EnvelopePoint, Fade, Frames, SampleRate};
use deskhand_engine as engine;
use deskhand_engine::{
    Audible, Insert, InsertKey, Level, Schedule, ScheduleError, SourceKey, Strip, StripKey, Voice,
    VoiceKey,
};
use deskhand_session::{
    Clip, ClipId, InsertId, InsertOwner, Output, PlacedInsert, Session, SourceId, Switch, Track,
    TrackId,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The mix of the session: every track, with mute and solo.
///
/// # Errors
/// When the engine refuses the result; a valid session gives a valid schedule.
pub fn mix(session: &Session) -> Result<Schedule, ScheduleError> {
    mix_at(session, session.rate)
}

/// The audible part of the mix, for rendering only: silent tracks have no clips, so it ends with the last
/// audible clip. If nothing is audible, it is the whole mix, which is silent.
pub fn heard_mix(session: &Session) -> Result<Schedule, ScheduleError> {
    let is_any_heard = session.clips.values().any(|clip| session.is_clip_audible(clip));
    mix_of(session, session.rate, |id| !is_any_heard || session.is_audible(id))
}

/// The mix of the session for an engine that plays at `rate`: every position is moved to the nearest
/// frame there, and sources are to be read at that rate.
///
/// # Errors
/// As [`mix`], and when the engine cannot play at `rate`.
pub fn mix_at(session: &Session, rate: SampleRate) -> Result<Schedule, ScheduleError> {
    mix_of(session, rate, |_| true)
}

/// The mix with the clips of those tracks that `plays` holds for.
fn mix_of(
    session: &Session,
    rate: SampleRate,
    plays: impl Fn(TrackId) -> bool,
) -> Result<Schedule, ScheduleError> {
    let rates = Rates { session: session.rate, engine: rate };
    let level = |id: TrackId, track: &Track| level(track, session.is_audible(id));
    let tracks = session.tracks_in_order().collect::<Vec<_>>();
    let strips = tracks.iter().map(|(id, track)| {
        let mut strip = strip(session, *id, level(*id, track), rates);
        strip.voices.retain(|_| plays(*id));
        strip
    });
    let master = Level { gain: session.master_gain, ..Level::UNITY };
    let inserts = inserts(session, InsertOwner::Master);
    Schedule::new(rate, master, strips.collect())?.with_master_inserts(inserts)
}

/// One track or bus after its fader and pan, as if it alone played to a master at 0 dB without inserts. Its
/// own mute and every solo are ignored, but the mute of tracks that play into a bus counts.
pub fn track(session: &Session, what: TrackId) -> Result<Schedule, ScheduleError> {
    let heard: BTreeSet<TrackId> = session
        .track_order
        .iter()
        .copied()
        .filter(|id| session.path_of(*id).any(|step| step == what))
        .collect();
    let inside = session.tracks_in_order().filter(|(id, _)| heard.contains(id));
    let rates = Rates { session: session.rate, engine: session.rate };
    let strips = inside.map(|(id, track)| {
        let mut strip = strip(session, id, level(track, id == what || !track.mute), rates);
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

/// The key of an insert in a schedule and in the gain reduction readings.
#[must_use]
pub fn insert_key(id: InsertId) -> InsertKey {
    InsertKey(id.bits())
}

/// The insert that a key of a schedule means.
#[must_use]
pub fn insert_of(key: InsertKey) -> InsertId {
    InsertId::new(key.0)
}

/// An insert as the engine plays it.
#[must_use]
pub fn insert(id: InsertId, placed: &PlacedInsert) -> Insert {
    let power = match placed.switch {
        Switch::On => Power::On,
        Switch::Off => Power::Off,
    };
    Insert { key: insert_key(id), power, effect: placed.effect.clone() }
}

fn inserts(session: &Session, owner: InsertOwner) -> Vec<Insert> {
    session.inserts_on(owner).into_iter().map(|(id, placed)| insert(id, placed)).collect()
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

fn strip(session: &Session, id: TrackId, level: Level, rates: Rates) -> Strip {
    let track = session.tracks.get(&id);
    let output = match track.map(|track| track.output) {
        Some(Output::Bus(bus)) => engine::Output::Strip(strip_key(bus)),
        Some(Output::Master) | None => engine::Output::Master,
    };
    let clips = session.clips_on(id).into_iter().filter(|(_, clip)| !clip.mute);
    let voices = clips.map(|(id, clip)| voice(id, clip, rates)).collect();
    let points = track.map_or(&[][..], |track| &track.envelope);
    let volume = points_at(points, |position| rates.to_engine(position));
    let inserts = inserts(session, InsertOwner::Track(id));
    Strip { volume, inserts, ..Strip::new(strip_key(id), level, output, voices) }
}

/// An envelope with its points at the engine's frames.
fn points_at(points: &[EnvelopePoint], place: impl Fn(Frames) -> Frames) -> Arc<[EnvelopePoint]> {
    points.iter().map(|it| EnvelopePoint { position: place(it.position), ..*it }).collect()
}

fn voice(id: ClipId, clip: &Clip, rates: Rates) -> Voice {
    let position = rates.to_engine(clip.position);
    let end = rates.to_engine(clip.position + clip.length);
    // The distance is mapped, so two halves of a cut clip stay one piece of audio.
    let distance = rates.to_engine(clip.start - clip.position);
    let fade = |fade: Fade| Fade { length: rates.to_engine(fade.length), ..fade };
    Voice {
        key: VoiceKey(id.bits()),
        source: SourceKey(clip.source.bits()),
        source_start: (position + distance).max(Frames::ZERO),
        position,
        envelope: ClipEnvelope {
            gain: clip.gain,
            polarity: clip.polarity,
            fade_in: fade(clip.fade_in),
            fade_out: fade(clip.fade_out),
            length: (end - position).max(Frames(1)),
        },
        // By way of the timeline, as the audio itself.
        volume: points_at(&clip.envelope, |at| {
            rates.to_engine(at - clip.start + clip.position) + distance
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::{Decibels, SampleRate};
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

    #[test]
    fn a_muted_clip_does_not_play() {
        let mut session = session();
        let clip = |name: &str| Clip::new(name, TrackId::new(2), SourceId::new(1), Frames(10));
        session.clips.insert(ClipId::new(1), clip("Kick"));
        session.clips.insert(ClipId::new(2), Clip { mute: true, ..clip("Cough") });
        let schedule = mix(&session).unwrap();
        let voices = schedule.strips().iter().flat_map(|strip| strip.voices.iter());
        assert_eq!(voices.map(|voice| voice.key.0).collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn processors_and_gain_over_time_reach_the_engine() {
        let point = |at| deskhand_dsp::EnvelopePoint {
            position: Frames(at),
            gain: Decibels(-3.0),
            curve: 0.0,
        };
        let gate = deskhand_dsp::effects::DeEsser {
            frequency_hz: 6000.0,
            threshold: Decibels(-30.0),
            range_db: 6.0,
        };
        let placed = |on| PlacedInsert {
            on,
            index: 0,
            switch: Switch::Off,
            effect: deskhand_dsp::effects::Effect::DeEsser(gate),
        };
        let track = InsertOwner::Track(TrackId::new(2));
        let session = session()
            .with(&[
                Change::SetInsert(Edit::create(InsertId::new(1), placed(track))),
                Change::SetInsert(Edit::create(InsertId::new(2), placed(InsertOwner::Master))),
                Change::SetTrackEnvelope(Edit::new(TrackId::new(2), vec![], vec![point(48_000)])),
            ])
            .unwrap();
        let schedule = mix_at(&session, SampleRate(96_000)).unwrap();
        let kick = &schedule.strips()[0];
        assert_eq!(kick.inserts[0].key, insert_key(InsertId::new(1)));
        assert_eq!(kick.inserts[0].power, Power::Off);
        assert_eq!(kick.volume[0].position, Frames(96_000));
        assert_eq!(schedule.master_inserts()[0].key, insert_key(InsertId::new(2)));
    }
}
