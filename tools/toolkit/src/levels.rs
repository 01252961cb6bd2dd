//! Measuring clips, tracks and the mix, each before its own gain, once per audio.

use crate::audio::ClipReader;
use crate::task::PlanContext;
use deskhand_dsp::loudness::{Levels, LoudnessProfile};
use deskhand_dsp::{Decibels, FrameReader, Frames, ReadError};
use deskhand_session::digest::digest;
use deskhand_session::tool_error::ToolError;
use deskhand_session::{Measure, ObjectId, Read, Session};
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

/// Part of every cache key: change it when a measurement would give other numbers.
const ALGORITHM: u32 = 1;

impl PlanContext {
    /// The loudness profile of `target` (clip, track, bus, or session for the mix) before its own gain: for
    /// a clip its region with fades at 0 dB, for a track its clips with the fader at 0 dB, for the mix with
    /// the master gain at 0 dB. It comes from the cache if the same audio was measured before. The plan
    /// says if channels are out of phase.
    ///
    /// # Errors
    /// When audio cannot be read, or the run is stopped.
    pub fn profile(&self, target: ObjectId) -> Result<LoudnessProfile, ToolError> {
        let profile = self.profile_in(&self.session, target)?;
        self.note_phase(target, profile.phase());
        Ok(profile)
    }

    /// The same, in another state of the session.
    ///
    /// # Errors
    /// As [`PlanContext::profile`].
    pub fn profile_in(
        &self,
        session: &Session,
        target: ObjectId,
    ) -> Result<LoudnessProfile, ToolError> {
        let key = digest(&(ALGORITHM, Read::audio(session, target).digest));
        let key = key.trim_start_matches("blake3:");
        let known = self.cache.get(key).and_then(|bytes| LoudnessProfile::from_bytes(&bytes).ok());
        if let Some(profile) = known {
            return Ok(profile);
        }
        let neutral = at_unity(session, target);
        let profile = self.measure(&neutral, target)?;
        self.cache.put(key, &profile.to_bytes());
        Ok(profile)
    }

    /// The levels of `target` as they are, through its own gain.
    ///
    /// # Errors
    /// As [`PlanContext::profile`].
    pub fn levels(&self, target: ObjectId) -> Result<Levels, ToolError> {
        Ok(self.profile(target)?.levels(self.session.gain_of(target)))
    }

    /// The levels of `target` in another state of the session, through its own gain; from the cache
    /// where the same audio was measured before.
    ///
    /// # Errors
    /// As [`PlanContext::profile`].
    pub fn levels_in(&self, session: &Session, target: ObjectId) -> Result<Levels, ToolError> {
        Ok(self.profile_in(session, target)?.levels(session.gain_of(target)))
    }

    /// Measures `target` in `session` through all of its gain, never from the cache: what a receipt
    /// does.
    ///
    /// # Errors
    /// As [`PlanContext::profile`].
    pub fn measure(
        &self,
        session: &Session,
        target: ObjectId,
    ) -> Result<LoudnessProfile, ToolError> {
        self.measure_within(session, target, Frames::ZERO..Frames(i64::MAX))
    }

    /// The same, of a stretch of it.
    ///
    /// # Errors
    /// As [`PlanContext::profile`].
    pub fn measure_within(
        &self,
        session: &Session,
        target: ObjectId,
        range: Range<Frames>,
    ) -> Result<LoudnessProfile, ToolError> {
        let open = || self.open(session, target);
        let threads = threads_for(session, target);
        let mut go_on = |_| match self.check() {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        };
        let profile = deskhand_media::measure_profile(&open, range, threads, &mut go_on);
        profile.map_err(|error| self.check().err().unwrap_or_else(|| ToolError::media(error)))
    }

    fn open(&self, session: &Session, target: ObjectId) -> Result<Box<dyn FrameReader>, ReadError> {
        match target {
            ObjectId::Clip(id) => {
                let clip = session.clips.get(&id).ok_or_else(|| gone(target))?;
                let source = self.audio.source(session, clip.source)?;
                Ok(Box::new(ClipReader::new(source, clip)))
            }
            ObjectId::Source(id) => self.audio.source(session, id),
            ObjectId::Session(_) | ObjectId::Track(_) => self.audio.render(session, target),
            ObjectId::Marker(_)
            | ObjectId::Group(_)
            | ObjectId::Insert(_)
            | ObjectId::Segment(_)
            | ObjectId::Code(_)
            | ObjectId::Phrase(_) => Err(gone(target)),
        }
    }
}

/// How many threads may measure `target`, each a part of it. What a processor does depends on what it
/// heard before, so that audio which goes through any is heard from its start, by one.
fn threads_for(session: &Session, target: ObjectId) -> NonZeroUsize {
    let is_rendered = matches!(target, ObjectId::Session(_) | ObjectId::Track(_));
    if is_rendered && !session.inserts.is_empty() {
        return NonZeroUsize::MIN;
    }
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

fn at_unity(session: &Session, target: ObjectId) -> Session {
    let mut session = session.clone();
    match target {
        ObjectId::Clip(id) => {
            session.clips.entry(id).and_modify(|clip| clip.gain = Decibels::UNITY);
        }
        ObjectId::Track(id) => {
            session.tracks.entry(id).and_modify(|track| track.gain = Decibels::UNITY);
        }
        ObjectId::Session(_) => session.master_gain = Decibels::UNITY,
        // Nothing else has a gain, see `Session::gain_of`.
        _ => {}
    }
    session
}

/// The value of a measure among levels.
#[must_use]
pub fn level_of(levels: &Levels, measure: Measure) -> Option<f64> {
    match measure {
        Measure::IntegratedLoudness => levels.integrated.map(|level| level.0),
        Measure::LoudnessRange => levels.range_lu,
        Measure::MaxMomentary => levels.max_momentary.map(|level| level.0),
        Measure::MaxShortTerm => levels.max_short_term.map(|level| level.0),
        Measure::TruePeak => levels.true_peak.map(|level| level.0),
        Measure::SamplePeak => levels.sample_peak.map(|level| level.0),
        Measure::Rms => levels.rms.map(|level| level.0),
        Measure::ActiveRms => levels.active_rms.map(|level| level.0),
        Measure::NoiseFloor
        | Measure::Silence
        | Measure::DcOffset
        | Measure::HumFrequency
        | Measure::HumLevel
        | Measure::Delay
        | Measure::Correlation
        | Measure::ClockDrift
        | Measure::BandLevel
        | Measure::PhraseSpread
        | Measure::Completeness
        | Measure::Fluency
        | Measure::WordConfidence => None,
    }
}

fn gone(target: ObjectId) -> ReadError {
    ReadError(format!("{target} has no audio"))
}
