//! The engine of an instance whose output is the session: it follows the copy of the session.
//!
//! Thread: hub's link; the engine's disk thread opens the files

use super::engine::Engine;
use crate::clock::Place;
use crate::port::HubPort;
use deskhand_dsp::{Decibels, Frames};
use deskhand_engine::Side;
use deskhand_session::{Change, InsertId, InsertOwner, Output, RevisionId, Session, TrackId};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a comparison that ended is kept at most: the hub names a frame that comes well within it.
const LONGEST: Duration = Duration::from_secs(2);

/// An engine that follows the host.
pub(super) struct Playing {
    engine: Engine,
    shown: Option<(RevisionId, TrackId)>,
    /// The plan that is compared, and whether its side is heard.
    compared: Option<(Vec<Change>, Side)>,
    /// When a comparison ends: after this frame of the host, when the host stops, or after a while. A host
    /// that loops may never reach the frame.
    closing: Option<(i64, Instant)>,
}

impl Playing {
    /// An engine for the rate of `port` that plays `track` of `session`, sent there; `None` if it cannot be
    /// made.
    pub(super) fn start(
        port: &mut HubPort,
        dir: &Path,
        session: &Session,
        track: TrackId,
    ) -> Option<Self> {
        let engine = Engine::start(port, dir, |engine| play(engine, session, track))?;
        Some(Self { engine, shown: None, compared: None, closing: None })
    }

    /// Plays `track` of `session` from now on.
    pub(super) fn follow(&mut self, session: &Session, head: RevisionId, track: TrackId) {
        if self.shown != Some((head, track)) {
            self.shown = Some((head, track));
            play(&mut self.engine, session, track);
            // Both sides of the comparison use the same session.
            if let Some((changes, side)) = self.compared.take() {
                self.compare(session, track, &changes, side, None);
            }
        }
        self.engine.player.pump();
    }

    /// Compares the session with the result of `changes` from frame `at` of the session on, and plays
    /// `side`.
    pub(super) fn compare(
        &mut self,
        session: &Session,
        track: TrackId,
        changes: &[Change],
        side: Side,
        at: Option<Frames>,
    ) {
        let Ok(planned) = session.with(changes) else { return };
        self.engine.know(&planned);
        // If a plan cannot be played, the old sound continues.
        if self.engine.player.hear_at(Some((&only(&planned, track), side)), at).is_ok() {
            (self.compared, self.closing) = (Some((changes.to_vec(), side)), None);
        }
    }

    /// Hears the session alone from frame `at` of the session on, which is frame `own` of the host.
    pub(super) fn compare_no_more(&mut self, at: Option<Frames>, own: Option<i64>) {
        if self.compared.take().is_none() {
            return;
        }
        match own {
            Some(own) => {
                self.engine.player.listen(Side::Current, at).ok();
                self.closing = Some((own, Instant::now()));
            }
            None => self.close(),
        }
    }

    /// What processors took away since this was asked last, dB.
    pub(super) fn reductions(&mut self) -> BTreeMap<InsertId, f32> {
        let mut told = BTreeMap::new();
        self.engine.player.reductions(&mut |insert, taken| {
            let most = told.entry(insert).or_insert(0_f32);
            *most = most.max(taken);
        });
        told
    }

    /// Ends a comparison that is no longer heard; the host is at `place`.
    pub(super) fn tidy(&mut self, place: Place) {
        // The crossfade after the frame takes 10 ms.
        let is_behind = |own: i64| place.at > own + (place.rate / 20.0) as i64;
        let is_over = |(own, since): (i64, Instant)| {
            !place.moves || is_behind(own) || since.elapsed() > LONGEST
        };
        if self.closing.is_some_and(is_over) {
            self.close();
        }
    }

    fn close(&mut self) {
        self.closing = None;
        self.engine.player.hear(None).ok();
    }
}

fn play(engine: &mut Engine, session: &Session, track: TrackId) {
    engine.know(session);
    // If a session cannot be played, the old sound continues.
    engine.player.follow(&only(session, track)).ok();
}

/// The session with nothing but `track`, before its fader, which is the instance's trim;
/// the host pans and mutes.
fn only(session: &Session, track: TrackId) -> Session {
    let mut alone = session.clone();
    alone.clips.retain(|_, clip| clip.track == track);
    alone.track_order.retain(|id| *id == track);
    alone.tracks.retain(|id, _| *id == track);
    // Processors of buses and of the mix are not heard in a track of the host.
    alone.inserts.retain(|_, placed| placed.on == InsertOwner::Track(track));
    alone.master_gain = Decibels::UNITY;
    for track in alone.tracks.values_mut() {
        (track.gain, track.pan) = (Decibels::UNITY, 0.0);
        (track.mute, track.solo) = (false, false);
        track.output = Output::Master;
    }
    alone
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::SampleRate;
    use deskhand_dsp::effects::{Effect, Limiter};
    use deskhand_session::{PlacedInsert, SessionId, Switch, Track};

    #[test]
    fn a_track_alone_goes_through_its_own_processors_only() {
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        let track = TrackId::new(1);
        session.track_order.push(track);
        session.tracks.insert(track, Track::audio("Vocal"));
        for (number, on) in [(1, InsertOwner::Track(track)), (2, InsertOwner::Master)] {
            let limiter =
                Limiter { gain: Decibels(0.0), ceiling: Decibels(-1.0), release_ms: 50.0 };
            let effect = Effect::Limiter(limiter);
            let placed = PlacedInsert { on, index: 0, effect, switch: Switch::On };
            session.inserts.insert(InsertId::new(number), placed);
        }
        let alone = only(&session, track);
        assert_eq!(alone.inserts.into_keys().collect::<Vec<_>>(), [InsertId::new(1)]);
    }
}
