//! The engine of an instance whose output is the session: it follows the copy of the session.
//!
//! Thread: hub's link; the engine's disk thread opens the files

use crate::clock::Place;
use crate::port::HubPort;
use deskhand_compile::{Player, source_of};
use deskhand_dsp::{Decibels, FrameReader, Frames, ReadError, SampleRate};
use deskhand_engine::{DiskThread, EngineConfig, Side, SourceKey, engine};
use deskhand_media::Opener;
use deskhand_session::{
    Change, InsertId, InsertOwner, Media, Output, RevisionId, Session, Source, SourceId, TrackId,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::UNIX_EPOCH;

type Known = Arc<Mutex<BTreeMap<SourceId, Source>>>;

/// An engine and its disk thread.
pub(super) struct Playing {
    player: Player,
    known: Known,
    _disk: DiskThread,
    shown: Option<(RevisionId, TrackId)>,
    /// The plan that is compared, and whether its side is heard.
    compared: Option<(Vec<Change>, Side)>,
    /// A comparison that ends when the host is behind this frame, of its own, or has stopped.
    closing: Option<i64>,
}

impl Playing {
    /// An engine for the rate of `port`, sent there; none when it cannot be made.
    pub(super) fn start(port: &mut HubPort, dir: &Path) -> Option<Self> {
        let known = Known::default();
        let config = EngineConfig::at(SampleRate(port.rate as u32));
        let open = opening(Arc::clone(&known), dir.to_owned(), config.rate);
        let (controller, processor, disk) = engine(config, open).ok()?;
        let disk = disk.spawn().ok()?;
        port.send(Box::new(processor)).then(|| Self {
            player: Player::new(controller),
            known,
            _disk: disk,
            shown: None,
            compared: None,
            closing: None,
        })
    }

    /// Plays `track` of `session` from now on.
    pub(super) fn follow(&mut self, session: &Session, head: RevisionId, track: TrackId) {
        if self.shown != Some((head, track)) {
            self.shown = Some((head, track));
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.extend(session.sources.iter().map(|(id, source)| (*id, source.clone())));
            drop(known);
            // A session that cannot be played leaves what plays as it is.
            self.player.follow(&only(session, track)).ok();
            // What it is compared with stands on the same session.
            if let Some((changes, side)) = self.compared.take() {
                self.compare(session, track, &changes, side, None);
            }
        }
        self.player.pump();
    }

    /// Compares the session with what `changes` make of it from frame `at` of the session on, and hears `side`.
    pub(super) fn compare(
        &mut self,
        session: &Session,
        track: TrackId,
        changes: &[Change],
        side: Side,
        at: Option<Frames>,
    ) {
        let Ok(planned) = session.with(changes) else { return };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.extend(planned.sources.iter().map(|(id, source)| (*id, source.clone())));
        drop(known);
        // A plan that cannot be played leaves what plays as it is.
        if self.player.hear_at(Some((&only(&planned, track), side)), at).is_ok() {
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
                self.player.listen(Side::Current, at).ok();
                self.closing = Some(own);
            }
            None => self.close(),
        }
    }

    /// What processors took away since this was asked last, dB.
    pub(super) fn reductions(&mut self) -> BTreeMap<InsertId, f32> {
        let mut told = BTreeMap::new();
        self.player.reductions(&mut |insert, taken| {
            let most = told.entry(insert).or_insert(0_f32);
            *most = most.max(taken);
        });
        told
    }

    /// Ends a comparison of which nothing is heard any more; the host is at `place`.
    pub(super) fn tidy(&mut self, place: Place) {
        // The crossfade behind the frame takes 10 ms.
        let is_over = |own: i64| !place.moves || place.at > own + (place.rate / 20.0) as i64;
        if self.closing.is_some_and(is_over) {
            self.close();
        }
    }

    fn close(&mut self) {
        self.closing = None;
        self.player.hear(None).ok();
    }
}

/// The session with nothing but `track`, ahead of its fader, which is the instance's trim and desk gain;
/// the host pans and mutes.
fn only(session: &Session, track: TrackId) -> Session {
    let mut alone = session.clone();
    alone.clips.retain(|_, clip| clip.track == track);
    alone.track_order.retain(|id| *id == track);
    alone.tracks.retain(|id, _| *id == track);
    // Those of buses and of the mix are not heard in a track of the host.
    alone.inserts.retain(|_, placed| placed.on == InsertOwner::Track(track));
    alone.master_gain = Decibels::UNITY;
    for track in alone.tracks.values_mut() {
        (track.gain, track.pan) = (Decibels::UNITY, 0.0);
        (track.mute, track.solo) = (false, false);
        track.output = Output::Master;
    }
    alone
}

fn opening(
    known: Known,
    dir: PathBuf,
    rate: SampleRate,
) -> impl Fn(SourceKey) -> Result<Box<dyn FrameReader>, ReadError> + Send + 'static {
    move |key| {
        let id = source_of(key);
        let source = known.lock().unwrap_or_else(PoisonError::into_inner).get(&id).cloned();
        let source = source.ok_or_else(|| ReadError(format!("{id} is not in the library")))?;
        open(&source, &dir, rate)
    }
}

fn open(source: &Source, dir: &Path, rate: SampleRate) -> Result<Box<dyn FrameReader>, ReadError> {
    let conformed = match &source.media {
        Media::Conformed(file) => Some(dir.join(file)).filter(|file| file.is_file()),
        Media::InPlace => None,
    };
    let path = match conformed {
        Some(file) => file,
        None => unchanged(source)?,
    };
    let reader = Opener::in_process().open_at(&path, rate);
    let reader = reader.map_err(|error| ReadError(error.to_string()))?;
    Ok(match source.channel {
        Some(channel) => Box::new(Pick { reader, channel: usize::from(channel) }),
        None => reader,
    })
}

/// The original, if it is still what was imported.
fn unchanged(source: &Source) -> Result<PathBuf, ReadError> {
    let path = &source.path;
    let found = std::fs::metadata(path).map_err(|why| ReadError(format!("{path}: {why}")))?;
    let since = found.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let modified = since.and_then(|since| i64::try_from(since.as_nanos()).ok());
    if found.len() == source.size && modified == Some(source.modified_ns) {
        return Ok(PathBuf::from(path));
    }
    Err(ReadError(format!("{path} changed since it was imported; import it again")))
}

/// One channel of a file.
struct Pick {
    reader: Box<dyn FrameReader>,
    channel: usize,
}

impl FrameReader for Pick {
    fn channels(&self) -> usize {
        1
    }

    fn frames(&self) -> Frames {
        self.reader.frames()
    }

    fn rate(&self) -> SampleRate {
        self.reader.rate()
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let Some(wanted) = out.first_mut() else { return Ok(0) };
        let mut all = vec![vec![0.0; wanted.len()]; self.reader.channels()];
        let mut planes: Vec<&mut [f32]> = all.iter_mut().map(Vec::as_mut_slice).collect();
        let count = self.reader.read(at, &mut planes)?;
        if let Some(plane) = all.get(self.channel) {
            wanted.iter_mut().zip(plane).for_each(|(sample, found)| *sample = *found);
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::Decibels;
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
