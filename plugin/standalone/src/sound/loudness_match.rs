//! How loud two sessions are, for hearing them at the same loudness: measured offline, on a thread.

use crossbeam_channel::{Receiver, Sender, unbounded};
use deskhand_bounce::SessionAudio;
use deskhand_dsp::{Decibels, Frames};
use deskhand_media::measure_profile;
use deskhand_session::{ObjectId, Session};
use deskhand_toolkit::Audio;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Further than this nothing is moved: it would be noise, or silence.
const FURTHEST: f64 = 24.0;

/// Measures on its own thread, one comparison at a time. A new comparison stops the previous one.
pub(crate) struct Matcher {
    told: Sender<(u64, Result<Decibels, String>)>,
    results: Receiver<(u64, Result<Decibels, String>)>,
    newest: Arc<AtomicU64>,
}

impl Matcher {
    pub(crate) fn new() -> Self {
        let (told, results) = unbounded();
        Self { told, results, newest: Arc::default() }
    }

    /// Asks for the gain that makes `planned` as loud as `current` over `range`; the answer has this number.
    pub(crate) fn ask(
        &self,
        audio: &SessionAudio,
        current: Session,
        planned: Session,
        range: Option<Range<Frames>>,
        wake: impl Fn() + Send + 'static,
    ) -> u64 {
        let number = self.newest.fetch_add(1, Ordering::Relaxed) + 1;
        let (told, newest, audio) = (self.told.clone(), Arc::clone(&self.newest), audio.clone());
        let work = move || {
            let is_wanted = || newest.load(Ordering::Relaxed) == number;
            let gain = offset(&audio, &current, &planned, range, &is_wanted);
            drop(told.send((number, gain)));
            wake();
        };
        let thread = std::thread::Builder::new().name("level match".into()).spawn(work);
        if let Err(error) = thread {
            drop(self.told.send((number, Err(error.to_string()))));
        }
        number
    }

    pub(crate) fn answer(&self) -> Option<(u64, Result<Decibels, String>)> {
        self.results.try_recv().ok()
    }

    /// Stops the current measurement.
    pub(crate) fn stop(&self) {
        self.newest.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for Matcher {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The gain that makes `planned` as loud as `current`: the difference of their integrated loudness over
/// `range`, or over everything without a range; 0 if one of them is silent.
fn offset(
    audio: &SessionAudio,
    current: &Session,
    planned: &Session,
    range: Option<Range<Frames>>,
    is_wanted: &dyn Fn() -> bool,
) -> Result<Decibels, String> {
    let range = range.unwrap_or(Frames::ZERO..Frames(i64::MAX));
    let of = |session: &Session| loudness(audio, session, range.clone(), is_wanted);
    Ok(match (of(current)?, of(planned)?) {
        (Some(now), Some(then)) => Decibels((now - then).clamp(-FURTHEST, FURTHEST)),
        (Some(_), None) | (None, Some(_)) | (None, None) => Decibels::UNITY,
    })
}

fn loudness(
    audio: &SessionAudio,
    session: &Session,
    range: Range<Frames>,
    is_wanted: &dyn Fn() -> bool,
) -> Result<Option<f64>, String> {
    let open = || audio.render(session, ObjectId::Session(session.id));
    let step = |_| if is_wanted() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    let profile = measure_profile(&open, range, NonZeroUsize::MIN, &mut { step });
    let levels = profile.map_err(|error| error.to_string())?.levels(Decibels::UNITY);
    Ok(levels.integrated.map(|loudness| loudness.0))
}
