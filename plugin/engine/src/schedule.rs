//! What the engine plays, as plain data: strips with their clips, in processing order.
//!
//! Thread: message
//!
//! A [`Schedule`] names everything by key. The [`Controller`](crate::Controller) gives every key a slot on
//! the audio side and keeps it across schedules, so that unchanged parts play on.

mod check;

pub use check::ScheduleError;

use check::{check_inserts, check_level, check_strips};
use deskhand_dsp::effects::{Effect, Power};
use deskhand_dsp::{ClipEnvelope, Decibels, EnvelopePoint, Frames, SampleRate};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The rates that the engine plays at, in Hz.
pub const RATES: RangeInclusive<u32> = 8_000..=768_000;

/// The last timeline frame that a voice may reach; far beyond any session, far below overflow.
pub const LAST_FRAME: Frames = Frames(1 << 48);

/// Names a strip: the same track has the same key in every schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StripKey(pub u64);

/// Names a voice: the same clip has the same key in every schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VoiceKey(pub u64);

/// Names a source of audio. The function that opens it knows its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceKey(pub u64);

/// Names an insert: the same one has the same key in every schedule, on whatever strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InsertKey(pub u64);

/// A processor before a strip's fader.
#[derive(Clone, Debug, PartialEq)]
pub struct Insert {
    /// Which.
    pub key: InsertKey,
    /// Whether it works.
    pub power: Power,
    /// What it is and how it is set.
    pub effect: Effect,
}

impl Insert {
    /// Whether it differs from `other` in nothing but settings and power.
    fn same_structure(&self, other: &Self) -> bool {
        let kind = |insert: &Self| std::mem::discriminant(&insert.effect);
        self.key == other.key && kind(self) == kind(other)
    }
}

fn same_inserts(one: &[Insert], other: &[Insert]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a.same_structure(b))
}

impl StripKey {
    /// The master strip, in [`Controller::set_level`](crate::Controller::set_level) and in meters.
    pub const MASTER: Self = Self(u64::MAX);
}

/// Where a strip sends its sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// To the master.
    Master,
    /// To another strip (a bus) of the same schedule.
    Strip(StripKey),
}

/// Whether a strip is heard, mute and solo of the whole session considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audible {
    /// It is heard.
    Yes,
    /// It is silent, by its own mute or another's solo.
    No,
}

/// The scalar settings of a strip: what a fader, a pan knob and a mute button set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Fader; `Decibels(f64::NEG_INFINITY)` is silence, at most +60 dB.
    pub gain: Decibels,
    /// -1 left, 0 center, 1 right.
    pub pan: f64,
    /// Mute and solo.
    pub audible: Audible,
}

impl Level {
    /// Unity gain, center, heard.
    pub const UNITY: Self = Self { gain: Decibels::UNITY, pan: 0.0, audible: Audible::Yes };

    /// The amplitude factors of the left and the right channel.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "amplitudes are f32 in the engine")]
    pub fn amplitudes(&self) -> [f32; 2] {
        if self.audible == Audible::No {
            return [0.0; 2];
        }
        let (left, right) = deskhand_dsp::pan_gains(self.pan);
        let gain = self.gain.amplitude();
        [(gain * f64::from(left)) as f32, (gain * f64::from(right)) as f32]
    }

    fn is_valid(&self) -> bool {
        !self.gain.0.is_nan() && self.gain.0 <= 60.0 && (-1.0..=1.0).contains(&self.pan)
    }
}

/// One clip on a strip: a stretch of a source at a place on the timeline.
#[derive(Clone, Debug, PartialEq)]
pub struct Voice {
    /// The clip.
    pub key: VoiceKey,
    /// Where its audio comes from; mono to 7.1 sources are mixed down to stereo.
    pub source: SourceKey,
    /// First frame of the source that is heard, at the schedule's rate, 0 or more.
    pub source_start: Frames,
    /// Timeline frame at which it starts, 0 or more.
    pub position: Frames,
    /// Clip gain, fades and length (1 or more).
    pub envelope: ClipEnvelope,
    /// Gain along the source, at frames of the source; empty: unity.
    pub volume: Arc<[EnvelopePoint]>,
}

impl Voice {
    /// The timeline frame after the last one.
    #[must_use]
    pub fn end(&self) -> Frames {
        self.position + self.envelope.length
    }
}

/// A track or a bus.
#[derive(Clone, Debug, PartialEq)]
pub struct Strip {
    /// The track.
    pub key: StripKey,
    /// Fader, pan, mute and solo.
    pub level: Level,
    /// Where it sends its sound.
    pub output: Output,
    /// The processors that its sound goes through, one after the other.
    pub inserts: Vec<Insert>,
    /// Gain along the timeline, between inserts and fader; empty: unity.
    pub volume: Arc<[EnvelopePoint]>,
    /// Its clips in any order; overlapping clips sound together.
    pub voices: Vec<Voice>,
}

impl Strip {
    /// A strip that plays `voices` as they are, through `level`.
    #[must_use]
    pub fn new(key: StripKey, level: Level, output: Output, voices: Vec<Voice>) -> Self {
        Self { key, level, output, inserts: Vec::new(), volume: Arc::default(), voices }
    }

    /// Whether it differs from `other` in nothing but its level.
    fn same_structure(&self, other: &Self) -> bool {
        self.key == other.key
            && self.output == other.output
            && self.volume == other.volume
            && same_inserts(&self.inserts, &other.inserts)
            && self.voices == other.voices
    }
}

/// Everything the engine plays: valid, and in processing order.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    rate: SampleRate,
    master: Level,
    master_inserts: Vec<Insert>,
    strips: Vec<Strip>,
}

impl Schedule {
    /// Checks the strips, sorts each one's voices by position, and puts the strips in processing order:
    /// every strip before its target, otherwise in the given order.
    ///
    /// # Errors
    /// When a key occurs twice, an output is unknown or leads back to its strip, or a number is
    /// out of range.
    pub fn new(
        rate: SampleRate,
        master: Level,
        mut strips: Vec<Strip>,
    ) -> Result<Self, ScheduleError> {
        if !RATES.contains(&rate.0) {
            return Err(ScheduleError::Rate(rate));
        }
        check_level(StripKey::MASTER, &master)?;
        check_strips(&strips)?;
        for strip in &mut strips {
            strip.voices.sort_by_key(|voice| (voice.position, voice.key));
        }
        check_inserts(strips.iter().flat_map(|strip| &strip.inserts))?;
        let strips = in_processing_order(strips)?;
        Ok(Self { rate, master, master_inserts: Vec::new(), strips })
    }

    /// The same, with processors before the master's fader.
    ///
    /// # Errors
    /// When a key occurs twice, or a setting is out of range.
    pub fn with_master_inserts(self, inserts: Vec<Insert>) -> Result<Self, ScheduleError> {
        let all = self.strips.iter().flat_map(|strip| &strip.inserts);
        check_inserts(all.chain(&inserts))?;
        Ok(Self { master_inserts: inserts, ..self })
    }

    /// Nothing to play, at `rate`.
    ///
    /// # Errors
    /// When the rate is out of range.
    pub fn empty(rate: SampleRate) -> Result<Self, ScheduleError> {
        Self::new(rate, Level::UNITY, Vec::new())
    }

    /// The rate of all positions, and of the audio.
    #[must_use]
    pub fn rate(&self) -> SampleRate {
        self.rate
    }

    /// The settings of the master.
    #[must_use]
    pub fn master(&self) -> Level {
        self.master
    }

    /// The processors before the master's fader.
    #[must_use]
    pub fn master_inserts(&self) -> &[Insert] {
        &self.master_inserts
    }

    /// The strips in processing order; the master is not among them.
    #[must_use]
    pub fn strips(&self) -> &[Strip] {
        &self.strips
    }

    /// The timeline frame after the last voice; 0 if there is none.
    #[must_use]
    pub fn end(&self) -> Frames {
        let voices = self.strips.iter().flat_map(|strip| &strip.voices);
        voices.map(Voice::end).max().unwrap_or(Frames::ZERO)
    }

    /// Whether it differs from `other` in nothing but levels, so that no swap is needed.
    #[must_use]
    pub fn same_structure(&self, other: &Self) -> bool {
        self.rate == other.rate
            && same_inserts(&self.master_inserts, &other.master_inserts)
            && self.strips.len() == other.strips.len()
            && self.strips.iter().zip(&other.strips).all(|(a, b)| a.same_structure(b))
    }

    /// The levels of all strips, the master's last.
    pub(crate) fn levels(&self) -> impl Iterator<Item = (StripKey, Level)> + '_ {
        let strips = self.strips.iter().map(|strip| (strip.key, strip.level));
        strips.chain([(StripKey::MASTER, self.master)])
    }

    /// The inserts of all strips, each strip's in its place among [`levels`](Self::levels).
    pub(crate) fn inserts(&self) -> impl Iterator<Item = &[Insert]> + '_ {
        let strips = self.strips.iter().map(|strip| &strip.inserts[..]);
        strips.chain([&self.master_inserts[..]])
    }

    /// Replaces an insert by one of the same kind and key.
    pub(crate) fn set_insert(&mut self, insert: Insert) -> Result<(), ScheduleError> {
        check_inserts([&insert])?;
        let own = self.strips.iter_mut().flat_map(|strip| &mut strip.inserts);
        let place = own.chain(&mut self.master_inserts).find(|it| it.same_structure(&insert));
        let place = place.ok_or(ScheduleError::UnknownInsert(insert.key))?;
        *place = insert;
        Ok(())
    }

    /// Replaces the level of one strip or the master.
    pub(crate) fn set_level(&mut self, key: StripKey, level: Level) -> Result<(), ScheduleError> {
        check_level(key, &level)?;
        if key == StripKey::MASTER {
            self.master = level;
            return Ok(());
        }
        let strip = self.strips.iter_mut().find(|strip| strip.key == key);
        strip.ok_or(ScheduleError::UnknownStrip(key))?.level = level;
        Ok(())
    }
}

/// Strips that nothing is sent to come first, as given; then the buses, the deepest first.
fn in_processing_order(strips: Vec<Strip>) -> Result<Vec<Strip>, ScheduleError> {
    let depths = depths(&strips)?;
    let receivers: HashSet<StripKey> = strips.iter().filter_map(receiver).collect();
    let place = |strip: &Strip| match receivers.contains(&strip.key) {
        true => Reverse(depths.get(&strip.key).copied().unwrap_or(0)),
        false => Reverse(usize::MAX),
    };
    let mut ordered = strips;
    ordered.sort_by_key(place);
    Ok(ordered)
}

pub(crate) fn receiver(strip: &Strip) -> Option<StripKey> {
    match strip.output {
        Output::Master => None,
        Output::Strip(key) => Some(key),
    }
}

/// How many strips each strip passes on its way to the master.
fn depths(strips: &[Strip]) -> Result<HashMap<StripKey, usize>, ScheduleError> {
    let outputs: HashMap<StripKey, Option<StripKey>> =
        strips.iter().map(|strip| (strip.key, receiver(strip))).collect();
    strips.iter().map(|strip| Ok((strip.key, depth(strip, &outputs)?))).collect()
}

fn depth(
    strip: &Strip,
    outputs: &HashMap<StripKey, Option<StripKey>>,
) -> Result<usize, ScheduleError> {
    let mut from = strip.key;
    let mut next = receiver(strip);
    let mut passed = 0;
    while let Some(output) = next {
        let Some(beyond) = outputs.get(&output) else {
            return Err(ScheduleError::UnknownOutput { strip: from, output });
        };
        passed += 1;
        if passed > outputs.len() {
            return Err(ScheduleError::Cycle(strip.key));
        }
        (from, next) = (output, *beyond);
    }
    Ok(passed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{strip, voice};

    const RATE: SampleRate = SampleRate(48_000);

    fn bus(key: u64, output: Output) -> Strip {
        Strip { output, ..strip(key, Vec::new()) }
    }

    fn order(strips: Vec<Strip>) -> Result<Vec<u64>, ScheduleError> {
        let schedule = Schedule::new(RATE, Level::UNITY, strips)?;
        Ok(schedule.strips().iter().map(|strip| strip.key.0).collect())
    }

    #[test]
    fn every_strip_comes_before_its_output_and_leaves_come_first() {
        let to = |key| Output::Strip(StripKey(key));
        let strips = vec![
            bus(9, Output::Master),
            bus(8, to(9)),
            bus(1, to(8)),
            bus(2, Output::Master),
            bus(3, to(9)),
        ];
        assert_eq!(order(strips), Ok(vec![1, 2, 3, 8, 9]));
    }

    #[test]
    fn a_wrong_output_is_named() {
        let to = |key| Output::Strip(StripKey(key));
        let circle = vec![bus(1, to(2)), bus(2, to(1))];
        assert_eq!(order(circle), Err(ScheduleError::Cycle(StripKey(1))));
        let lost = ScheduleError::UnknownOutput { strip: StripKey(1), output: StripKey(7) };
        assert_eq!(order(vec![bus(1, to(7))]), Err(lost.clone()));
        assert_eq!(
            lost.to_string(),
            "strip 1 sends to strip 7, which is not there; send it to the master"
        );
    }

    #[test]
    fn bad_numbers_and_doubled_keys_are_refused() {
        let doubled = vec![bus(1, Output::Master), bus(1, Output::Master)];
        assert_eq!(order(doubled), Err(ScheduleError::DuplicateStrip(StripKey(1))));
        let mut loud = bus(1, Output::Master);
        loud.level.gain = Decibels(f64::NAN);
        assert!(matches!(order(vec![loud]), Err(ScheduleError::Level { .. })));
        let empty = strip(1, vec![voice(1, 0, 0)]);
        assert!(matches!(order(vec![empty]), Err(ScheduleError::Bounds { .. })));
        let twice = strip(1, vec![voice(1, 0, 10), voice(1, 20, 10)]);
        assert_eq!(order(vec![twice]), Err(ScheduleError::DuplicateVoice(VoiceKey(1))));
        let slow = Schedule::empty(SampleRate(1));
        assert_eq!(slow, Err(ScheduleError::Rate(SampleRate(1))));
    }

    #[test]
    fn a_fader_does_not_change_the_structure() {
        let strips = vec![strip(1, vec![voice(1, 0, 10)])];
        let before = Schedule::new(RATE, Level::UNITY, strips).unwrap();
        let mut after = before.clone();
        let level = Level { gain: Decibels(-6.0), ..Level::UNITY };
        after.set_level(StripKey(1), level).unwrap();
        assert!(after.same_structure(&before));
        assert_ne!(after, before);
        assert!(after.set_level(StripKey(5), level).is_err());
    }
}
