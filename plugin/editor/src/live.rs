//! The values that move while sound plays. The application writes them before each frame; the views only
//! read them.

use crate::files::AllLost;
use deskhand_dsp::effects::EffectReading;
use deskhand_dsp::{Decibels, Frames};
use deskhand_protocol::desk::Which;
use deskhand_session::{InsertId, PlanId, SourceId, TrackId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Motion {
    #[default]
    Stopped,
    Playing,
    /// It would play, and waits for the disk.
    Waiting,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SoundOutput {
    None {
        /// Why, and the way out.
        why: String,
    },
    Device {
        name: String,
    },
    /// Into a host, which has the transport.
    Host {
        name: String,
    },
}

impl Default for SoundOutput {
    fn default() -> Self {
        Self::None { why: "no player".into() }
    }
}

/// The values on the meters of one strip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels {
    /// Largest absolute sample since the last frame, as an amplitude, left and right.
    pub peak: [f32; 2],
    /// Root of the mean square since the last frame, as an amplitude, left and right.
    pub rms: [f32; 2],
    /// Loudness of the last 0.4 s, LUFS; negative infinity for silence.
    pub momentary: f32,
    /// Loudness of the last 3 s, LUFS.
    pub short_term: f32,
    /// Gated loudness since the meters were reset, LUFS.
    pub integrated: f32,
    /// True peak since the last frame, as an amplitude, left and right.
    pub true_peak: [f32; 2],
}

impl Default for Levels {
    fn default() -> Self {
        Self {
            peak: [0.0; 2],
            rms: [0.0; 2],
            momentary: f32::NEG_INFINITY,
            short_term: f32::NEG_INFINITY,
            integrated: f32::NEG_INFINITY,
            true_peak: [0.0; 2],
        }
    }
}

/// What an instance in a host plays now.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// Its track, whose meters are among [`Live::tracks`].
    pub track: TrackId,
    /// The gain that it adds to the sound, dB.
    pub gain: Decibels,
    /// Levels over frequency, dBFS of a sine: equal steps of the logarithm of frequency over [`Self::HERTZ`]. Empty where
    /// nothing is known.
    pub spectrum: Vec<f32>,
    /// Whether a person can let it learn the song.
    pub learning: Option<Learning>,
}

impl Instance {
    /// The lower edge of the first step of a spectrum and the upper edge of the last.
    pub const HERTZ: (f32, f32) = (40.0, 20_000.0);
}

/// Recording a passage on request, before anything was captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learning {
    /// It waits for a person to ask.
    Offered,
    /// It records while the host plays.
    Listening {
        /// Seconds of playback that are left.
        left: u32,
    },
}

/// A stretch of a source that is heard by itself. All in frames of the source at the session rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Audition {
    pub source: SourceId,
    /// The first frame of the stretch.
    pub from: Frames,
    /// The frame after its last.
    pub to: Frames,
    pub at: Frames,
}

/// Channels of the input that go to one track, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum InputChannels {
    /// This one and the next, as left and right.
    Pair(usize),
    /// This one alone.
    One(usize),
}

impl Default for InputChannels {
    fn default() -> Self {
        Self::Pair(0)
    }
}

impl InputChannels {
    /// The choices for an input with this many channels; with two, if the number is not known yet.
    #[must_use]
    pub fn all(channels: usize) -> Vec<Self> {
        let count = if channels == 0 { 2 } else { channels };
        let pairs = (0..count / 2).map(|pair| Self::Pair(pair * 2));
        pairs.chain((0..count).map(Self::One)).collect()
    }

    /// The first channel that is needed.
    #[must_use]
    pub fn first(self) -> usize {
        match self {
            Self::Pair(first) | Self::One(first) => first,
        }
    }

    /// The channel after the last that is needed.
    #[must_use]
    pub fn end(self) -> usize {
        match self {
            Self::Pair(first) => first + 2,
            Self::One(channel) => channel + 1,
        }
    }

    /// As people count them.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::Pair(first) => format!("input {} + {}", first + 1, first + 2),
            Self::One(channel) => format!("input {}", channel + 1),
        }
    }
}

/// The sound before and after a processor.
#[derive(Clone, Debug, PartialEq)]
pub struct Watched {
    pub insert: InsertId,
    pub reading: EffectReading,
}

/// What moves while sound plays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Live {
    /// The position of the player, frames at the session rate.
    pub position: Frames,
    pub motion: Motion,
    /// The loop: its first frame and the frame after its last.
    pub cycle: Option<(Frames, Frames)>,
    /// The plan that is compared, and which side of it is heard.
    pub hearing: Option<(PlanId, Which)>,
    /// The stretch that plays alone, in place of the timeline.
    pub audition: Option<Audition>,
    /// The gain that level match puts on the planned side.
    pub match_gain: Option<Decibels>,
    /// Meters of tracks and buses, after fader and pan.
    pub tracks: BTreeMap<TrackId, Levels>,
    /// What processors take away, in dB, 0 or more.
    pub reductions: BTreeMap<InsertId, f32>,
    /// The sound of the processor that [`Model::watched_insert`](crate::Model::watched_insert) names.
    pub watched: Option<Watched>,
    pub master: Levels,
    /// In a host, the instance whose window this is.
    pub instance: Option<Instance>,
    /// Tracks that the input is recorded to.
    pub armed: BTreeSet<TrackId>,
    /// Which channels of the input are a track's, where the person chose others than the first two.
    pub inputs: BTreeMap<TrackId, InputChannels>,
    /// The number of channels of the input; 0 while none was open.
    pub input_channels: usize,
    /// The largest absolute input sample for a track since the last frame, left and right.
    pub incoming: BTreeMap<TrackId, [f32; 2]>,
    pub records: bool,
    pub output: SoundOutput,
    /// Sources whose files are gone or changed.
    pub lost: Arc<AllLost>,
}

impl Live {
    /// Whether there is a player of our own: not without sound, and not where a host has the transport.
    #[must_use]
    pub fn has_transport(&self) -> bool {
        match &self.output {
            SoundOutput::Device { .. } => true,
            SoundOutput::None { .. } | SoundOutput::Host { .. } => false,
        }
    }

    /// Whether a host has the transport: nothing here starts it or moves it.
    #[must_use]
    pub fn is_hosted(&self) -> bool {
        matches!(self.output, SoundOutput::Host { .. })
    }

    /// What the numbers of loudness are of: the instance in a host, else the mix.
    #[must_use]
    pub fn measured(&self) -> Levels {
        match &self.instance {
            Some(instance) => self.tracks.get(&instance.track).copied().unwrap_or_default(),
            None => self.master,
        }
    }

    /// Whether something can be heard by itself: a host has the transport, but an instance has a voice.
    #[must_use]
    pub fn has_voice(&self) -> bool {
        !matches!(self.output, SoundOutput::None { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_is_taken_in_pairs_and_one_by_one() {
        let words: Vec<String> =
            InputChannels::all(3).into_iter().map(InputChannels::words).collect();
        assert_eq!(words, ["input 1 + 2", "input 1", "input 2", "input 3"]);
        assert_eq!(InputChannels::all(0).len(), 3);
        assert_eq!((InputChannels::Pair(2).end(), InputChannels::One(2).end()), (4, 3));
        assert_eq!((InputChannels::Pair(2).first(), InputChannels::One(3).first()), (2, 3));
    }

    #[test]
    fn only_a_device_gives_a_transport() {
        let mut live = Live::default();
        assert!(!live.has_transport());
        live.output = SoundOutput::Device { name: "Speakers".into() };
        assert!(live.has_transport());
        assert!(live.has_voice());
        live.output = SoundOutput::Host { name: "REAPER".into() };
        assert!(!live.has_transport());
        assert!(live.is_hosted());
        assert!(live.has_voice());
        assert!(!Live::default().has_voice());
    }
}
