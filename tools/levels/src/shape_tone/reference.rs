//! What a spectrum is compared with: the average of speech, or the slope of music.

use crate::bands::{CENTERS, Spectrum};
use crate::roles::{Role, role_of};
use deskhand_session::{InsertOwner, Session, TrackId};
use std::ops::RangeInclusive;

/// Third octaves of [`CENTERS`] below 63 Hz, which speech does not have and rooms do.
const BELOW: usize = 3;

/// The long-term average speech spectrum from 63 Hz to 16 kHz, in dB SPL for a third octave: men and women of 12
/// languages, 70 dB in all. D. Byrne et al., "An international comparison of long-term average speech spectra",
/// JASA 96 (1994), table 2.
const SPEECH: [f64; CENTERS.len() - BELOW] = [
    38.6, 43.5, 54.4, 57.7, 56.8, 60.2, 60.3, 59.0, 62.1, 62.1, 60.5, 56.8, 53.7, 53.0, 52.0, 48.7,
    48.1, 46.8, 45.6, 44.5, 44.3, 43.7, 43.4, 41.3, 40.7,
];
/// Popular recordings fall by about 5 dB an octave in density from 100 Hz on, 2 dB in third octaves. P. D. Pestana et
/// al., "Spectral characteristics of popular commercial recordings 1950-2010", AES 135 (2013).
const MUSIC_SLOPE: f64 = 2.0;
const MUSIC_FROM_HZ: f64 = 100.0;
/// The rest of a sound, with which a part of it is compared, in Hz.
const WHOLE: RangeInclusive<f64> = 100.0..=8000.0;
/// A single instrument need not be like either: the comparison says less, in dB.
const MOST: f64 = 6.0;
const MOST_OF_OTHER: f64 = 2.0;

/// What a sound is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reference {
    Speech,
    Music,
    /// Music, loosely.
    Other,
}

impl Reference {
    /// For a track, a bus or the mix.
    pub(super) fn of(session: &Session, on: InsertOwner) -> Self {
        match on {
            InsertOwner::Track(id) => Self::of_track(session, id),
            InsertOwner::Master => {
                let heard: Vec<TrackId> = session.clips.values().map(|clip| clip.track).collect();
                let heard = session.unmuted(heard, |id| (*id).into());
                let of_speech = |id: &&TrackId| Self::of_track(session, **id) == Self::Speech;
                let speech = heard.iter().filter(of_speech).count();
                if speech * 2 > heard.len() { Self::Speech } else { Self::Music }
            }
        }
    }

    fn of_track(session: &Session, id: TrackId) -> Self {
        match role_of(session, id).0 {
            Role::LeadVocal | Role::Backing | Role::Speech => Self::Speech,
            Role::Music => Self::Music,
            _ => Self::Other,
        }
    }

    /// How people call it.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Speech => "average speech",
            Self::Music | Self::Other => "average music",
        }
    }

    /// The level of the third octave around one of [`CENTERS`], in dB above any.
    pub(super) fn level(self, number: usize, hz: f64) -> f64 {
        match self {
            Self::Speech => SPEECH.get(number.saturating_sub(BELOW)).copied().unwrap_or(SPEECH[0]),
            Self::Music | Self::Other => -MUSIC_SLOPE * (hz / MUSIC_FROM_HZ).log2().max(0.0),
        }
    }

    /// How far the third octaves from `from` to `to` Hz are above the reference, against the rest of the sound: their
    /// mean, and the one that stands out most with its center. In dB.
    pub(super) fn above(self, sound: &Spectrum, (from, to): (f64, f64)) -> Above {
        let all = CENTERS.into_iter().enumerate();
        let off: Vec<(f64, f64)> =
            all.map(|(at, hz)| (hz, sound.band(hz) - self.level(at, hz))).collect();
        let is_inside = |hz: f64| (from..=to).contains(&hz);
        let rest = off.iter().filter(|(hz, _)| WHOLE.contains(hz) && !is_inside(*hz));
        let rest = mean(rest.map(|it| it.1));
        let inside: Vec<(f64, f64)> =
            off.iter().filter(|it| is_inside(it.0)).map(|(hz, off)| (*hz, off - rest)).collect();
        let middle = (from * to).sqrt();
        let top = inside.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
        let (top_hz, top) = top.unwrap_or((middle, 0.0));
        Above { mean: self.held(mean(inside.iter().map(|it| it.1))), top: self.held(top), top_hz }
    }

    fn held(self, decibels: f64) -> f64 {
        let most = if self == Self::Other { MOST_OF_OTHER } else { MOST };
        decibels.clamp(-most, most)
    }
}

/// How far a part of a sound is above its reference, in dB.
#[derive(Clone, Copy, Debug)]
pub(super) struct Above {
    pub(super) mean: f64,
    pub(super) top: f64,
    pub(super) top_hz: f64,
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), it| (sum + it, count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}
