//! What the caller of an export sends, and the call against the session.

use super::encode::Format;
use super::sound::Sound;
use super::tags::{Chapter, Tags, chapters};
use crate::targets::Delivery;
use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::Session;
use deskhand_toolkit::{PlanContext, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use std::ops::Range;

/// A codec raises peaks: a limiter in front of one leaves it this much room, in dB.
const CODEC_ROOM: f64 = 0.5;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The file to write, .wav, .flac, .opus or .mp3; it must not exist. A relative path starts at the
    /// session's parent folder.
    #[schemars(length(min = 5, max = 4096))]
    pub(super) path: String,
    /// If `path` exists, write to the next free name, such as mix-2.wav; omitted: refuse.
    #[serde(default)]
    pub(super) or_next_free: bool,
    /// The delivery target that the report checks. Omitted: none, except a true peak of at most -1 dBTP for
    /// Opus and MP3, since codecs raise peaks.
    #[serde(rename = "for")]
    pub(super) delivery: Option<Delivery>,
    /// Apply one gain to reach the target's loudness, as far as its true-peak limit allows.
    #[serde(default)]
    pub(super) adjust: bool,
    /// Limit true peaks to this level in dBTP; a target's own limit holds where it is lower. With `adjust` the gain
    /// goes into the limiter, so that peaks do not hold the loudness back. Omitted: no limiter.
    #[schemars(range(min = -12.0, max = 0.0))]
    pub(super) limit_dbtp: Option<f64>,
    /// Where the file begins on the timeline, in seconds; omitted: at the start.
    #[schemars(range(min = 0.0, max = 1e7))]
    pub(super) from_s: Option<f64>,
    /// Where the file ends on the timeline, in seconds; omitted: at the end of the audio.
    #[schemars(range(min = 0.0, max = 1e7))]
    pub(super) to_s: Option<f64>,
    /// Write a file for each track that is heard instead of the mix; each is named after `path` and its track,
    /// such as "song - Bass.wav".
    #[serde(default)]
    pub(super) each_track: bool,
    /// Bits per sample of WAV and FLAC, 16 or 24; omitted: 24, or 16 for CD.
    pub(super) bits: Option<Bits>,
    /// Bit rate of Opus and MP3 in kbit/s; omitted: 128 for Opus, 192 for MP3.
    #[schemars(range(min = 16, max = 320))]
    pub(super) kbps: Option<u32>,
    /// Title, artist and so on.
    #[serde(default)]
    pub(super) tags: Tags,
    /// Markers without a code become chapters; omitted: yes.
    #[serde(default = "yes")]
    pub(super) chapters: bool,
    /// The markers that become chapters, by id or name; omitted: all without a code.
    #[schemars(length(max = 1000))]
    pub(super) chapter_markers: Option<Vec<String>>,
}

fn yes() -> bool {
    true
}

/// Bits of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
pub(super) enum Bits {
    #[serde(rename = "16")]
    B16,
    #[serde(rename = "24")]
    B24,
}

/// The call against the session.
pub(crate) struct Resolved {
    pub(super) params: Params,
    pub(super) format: Format,
    /// What each file is made of, before any limiter.
    pub(super) sounds: Vec<Sound>,
    pub(super) range: Range<Frames>,
    /// Where the audio of the session ends.
    pub(super) end: Frames,
}

impl Resolved {
    pub(super) fn is_whole(&self) -> bool {
        self.range == (Frames::ZERO..self.end)
    }

    /// The rate of the file, for a session of `rate`.
    pub(super) fn rate(&self, rate: SampleRate) -> SampleRate {
        let wanted = match self.params.delivery {
            Some(Delivery::Cd | Delivery::Acx) => SampleRate(44_100),
            Some(Delivery::Streaming | Delivery::Podcast | Delivery::Broadcast) | None => rate,
        };
        self.format.rate(wanted)
    }

    /// The highest true peak that the limiter leaves, in dBTP; `None` without a limiter.
    pub(super) fn limit(&self) -> Option<f64> {
        let target = self.params.delivery.map_or(0.0, Delivery::ceiling);
        let room = if self.format.is_lossy() { CODEC_ROOM } else { 0.0 };
        Some(self.params.limit_dbtp?.min(target) - room)
    }

    /// A sound through the limiter, if there is one. `report` hears how far that is, 0 to 1.
    pub(super) fn limited(
        &self,
        sound: &Sound,
        context: &PlanContext,
        report: &dyn Fn(f64),
    ) -> Result<Sound, ToolError> {
        let wanted = self.params.delivery.filter(|_| self.params.adjust);
        match self.limit() {
            Some(ceiling) => sound.clone().limited(context, (wanted, ceiling), report),
            None => Ok(sound.clone()),
        }
    }

    pub(super) fn chapters(&self, session: &Session) -> Vec<Chapter> {
        match self.params.chapters {
            true => chapters(session, self.range.clone(), self.params.chapter_markers.as_deref()),
            false => Vec::new(),
        }
    }
}
