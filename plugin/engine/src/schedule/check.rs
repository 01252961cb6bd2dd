//! What a schedule may not hold.
//!
//! Thread: message

use super::{Insert, InsertKey, LAST_FRAME, Level, Strip, StripKey, Voice, VoiceKey};
use deskhand_dsp::effects::EffectError;
use deskhand_dsp::{Decibels, EnvelopePoint, Frames, SampleRate};
use std::collections::HashSet;

/// Why a schedule cannot be played.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ScheduleError {
    /// The rate is out of range.
    #[error("a rate of {0} cannot be played; use 8000 to 768000 Hz")]
    Rate(SampleRate),
    /// A strip key occurs twice, or is the master's.
    #[error("strip {} is there twice; give every track its own key", .0.0)]
    DuplicateStrip(StripKey),
    /// A voice key occurs twice.
    #[error("voice {} is there twice; give every clip its own key", .0.0)]
    DuplicateVoice(VoiceKey),
    /// An insert key occurs twice.
    #[error("insert {} is there twice; give every processor its own key", .0.0)]
    DuplicateInsert(InsertKey),
    /// An insert that is not in the schedule, or has another kind there.
    #[error("insert {} is not in the schedule as this kind of processor; use the key of one that is", .0.0)]
    UnknownInsert(InsertKey),
    /// A setting out of range.
    #[error("insert {} cannot be played: {error}", .insert.0)]
    Effect {
        /// Whose.
        insert: InsertKey,
        /// Which.
        error: EffectError,
    },
    /// A strip that is not in the schedule.
    #[error("strip {} is not in the schedule; use the key of one of its tracks", .0.0)]
    UnknownStrip(StripKey),
    /// A strip sends to a strip that is not there.
    #[error("strip {} sends to strip {}, which is not there; send it to the master", .strip.0, .output.0)]
    UnknownOutput {
        /// The sender.
        strip: StripKey,
        /// Where to.
        output: StripKey,
    },
    /// A strip's output leads back to itself.
    #[error("the output of strip {} leads back to itself; send it to the master", .0.0)]
    Cycle(StripKey),
    /// A gain that is not a number or above +60 dB, or a pan outside -1 to 1.
    #[error("strip {} has a gain of {} dB and a pan of {pan}; use at most +60 dB and -1 to 1", .strip.0, .gain.0)]
    Level {
        /// Whose level.
        strip: StripKey,
        /// Its gain.
        gain: Decibels,
        /// Its pan.
        pan: f64,
    },
    /// An envelope that goes back in time, or has a gain that is no number or above +60 dB, or a
    /// bend outside -1 to 1.
    #[error("strip {} has an envelope that cannot be played; use points in order of time, gains up to +60 dB and bends of -1 to 1", .0.0)]
    Volume(StripKey),
    /// A voice is empty, or starts before frame 0 of its source or of the timeline, or ends too late.
    #[error("voice {} has position {}, source start {} and length {}; none may be negative, and the length not 0", .voice.0, .position.0, .source_start.0, .length.0)]
    Bounds {
        /// Which voice.
        voice: VoiceKey,
        /// Its timeline position.
        position: Frames,
        /// Its start in the source.
        source_start: Frames,
        /// Its length.
        length: Frames,
    },
}

pub(super) fn check_level(strip: StripKey, level: &Level) -> Result<(), ScheduleError> {
    if level.is_valid() {
        return Ok(());
    }
    Err(ScheduleError::Level { strip, gain: level.gain, pan: level.pan })
}

pub(super) fn check_strips(strips: &[Strip]) -> Result<(), ScheduleError> {
    let mut keys = HashSet::from([StripKey::MASTER]);
    let mut voices = HashSet::new();
    for strip in strips {
        if !keys.insert(strip.key) {
            return Err(ScheduleError::DuplicateStrip(strip.key));
        }
        check_level(strip.key, &strip.level)?;
        check_volume(strip.key, &strip.volume)?;
        for voice in &strip.voices {
            if !voices.insert(voice.key) {
                return Err(ScheduleError::DuplicateVoice(voice.key));
            }
            check_bounds(voice)?;
            check_volume(strip.key, &voice.volume)?;
        }
    }
    Ok(())
}

pub(super) fn check_inserts<'a>(
    inserts: impl IntoIterator<Item = &'a Insert>,
) -> Result<(), ScheduleError> {
    let mut keys = HashSet::new();
    for Insert { key, effect, .. } in inserts {
        if !keys.insert(*key) {
            return Err(ScheduleError::DuplicateInsert(*key));
        }
        effect.check().map_err(|error| ScheduleError::Effect { insert: *key, error })?;
    }
    Ok(())
}

fn check_volume(strip: StripKey, points: &[EnvelopePoint]) -> Result<(), ScheduleError> {
    let fits = |point: &EnvelopePoint| {
        point.gain.0.is_finite() && point.gain.0 <= 60.0 && (-1.0..=1.0).contains(&point.curve)
    };
    let in_order = points.is_sorted_by_key(|point| point.position);
    let usable = in_order && points.iter().all(fits);
    usable.then_some(()).ok_or(ScheduleError::Volume(strip))
}

fn check_bounds(voice: &Voice) -> Result<(), ScheduleError> {
    let length = voice.envelope.length;
    let fits = |frames: Frames| frames >= Frames::ZERO && frames < LAST_FRAME;
    if fits(voice.position) && fits(voice.source_start) && fits(length) && length > Frames::ZERO {
        return Ok(());
    }
    Err(ScheduleError::Bounds {
        voice: voice.key,
        position: voice.position,
        source_start: voice.source_start,
        length,
    })
}
