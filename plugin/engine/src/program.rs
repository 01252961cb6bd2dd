//! A schedule bound to slots: what the audio side reads.
//!
//! Thread: any. Built on the message side (or by a bounce), read and written on the audio side,
//! dropped where it was built.

use crate::inserts::{Insert, LateStems, NewChain, Rack};
use crate::schedule::{self, Schedule, SourceKey, Strip, StripKey, Voice};
use crate::slots::{Slot, SlotMap};
use crate::stereo::Stereo;
use deskhand_dsp::effects::Unit;
use deskhand_dsp::{ClipEnvelope, EnvelopePoint, Frames, GainRamp, SampleRate};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

/// The properties that a voice's audio depends on, except its gain. While they stay the same, the slot
/// stays too, and its stream plays on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct StreamKey {
    voice: u64,
    source: SourceKey,
    /// Source frame at timeline frame 0; may be negative.
    offset: i64,
}

/// The slots that all programs of one engine share.
#[derive(Debug, Default)]
pub(crate) struct Binding {
    pub(crate) strips: SlotMap<StripKey>,
    pub(crate) streams: SlotMap<StreamKey>,
}

/// One clip on the audio side.
#[derive(Clone, Debug)]
pub(crate) struct BoundVoice {
    pub(crate) slot: Slot,
    pub(crate) source: SourceKey,
    pub(crate) position: i64,
    /// The frame after the last on the timeline.
    pub(crate) end: i64,
    /// The latest end of this and all earlier voices of the strip, to find a block's first voice.
    pub(crate) latest_end: i64,
    /// Source frame at timeline frame 0.
    pub(crate) offset: i64,
    pub(crate) envelope: ClipEnvelope,
    /// Gain along the source.
    pub(crate) volume: Arc<[EnvelopePoint]>,
}

/// One strip on the audio side; the master is the last.
#[derive(Debug)]
pub(crate) struct BoundStrip {
    pub(crate) slot: Slot,
    pub(crate) voices: Range<usize>,
    /// Gain along the timeline.
    pub(crate) volume: Arc<[EnvelopePoint]>,
    /// Left and right factor, by the engine's clock.
    pub(crate) ramps: [GainRamp; 2],
    /// The distance in strips to its output; 0 for the master.
    pub(crate) hop: usize,
    pub(crate) buffer: Stereo,
}

/// Everything that the audio side needs to play one schedule.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) voices: Arc<[BoundVoice]>,
    pub(crate) strips: Box<[BoundStrip]>,
    /// Index into `strips` by strip slot.
    pub(crate) strip_of_slot: Box<[usize]>,
}

/// Buffers whose content means nothing from one strip to the next.
#[derive(Debug)]
pub(crate) struct Scratch {
    /// Where a voice is rendered before it is added to its strip.
    pub(crate) voice: Stereo,
    /// Lent to strips that have no buffer of their own.
    pub(crate) strip: Stereo,
    block: usize,
}

impl Scratch {
    /// Buffers of `block` frames.
    pub(crate) fn new(block: usize) -> Self {
        Self { voice: Stereo::new(block), strip: Stereo::new(block), block }
    }

    /// The most frames that are rendered in one go.
    pub(crate) fn block(&self) -> usize {
        self.block
    }
}

/// Which strips of a program have buffers, each of this many frames.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Buffers {
    /// Every strip has its own, which can be read when a block is done.
    Own(usize),
    /// Only strips that others send to; the others borrow one, which then stays in cache.
    Shared(usize),
}

impl Buffers {
    fn of(self, receives: bool) -> Stereo {
        match self {
            Self::Shared(_) if !receives => Stereo::nothing(),
            Self::Own(block) | Self::Shared(block) => Stereo::new(block),
        }
    }
}

impl Program {
    /// Binds `schedule` to slots of `binding`.
    pub(crate) fn bind(schedule: &Schedule, binding: &mut Binding, buffers: Buffers) -> Self {
        let mut voices = Vec::new();
        let mut strips = Vec::new();
        let order: Vec<StripKey> = schedule.levels().map(|(key, _)| key).collect();
        let places: Places = order.iter().enumerate().map(|(place, key)| (*key, place)).collect();
        let receivers = receivers(schedule);
        for (place, (key, level)) in schedule.levels().enumerate() {
            let strip = schedule.strips().get(place);
            let first = voices.len();
            bind_voices(strip, &mut binding.streams, &mut voices);
            strips.push(BoundStrip {
                slot: binding.strips.hold(key),
                voices: first..voices.len(),
                volume: strip.map(|strip| Arc::clone(&strip.volume)).unwrap_or_default(),
                ramps: level.amplitudes().map(GainRamp::constant),
                hop: strip.map_or(0, |strip| hop(strip, place, &places)),
                buffer: buffers.of(receivers.contains(&key)),
            });
        }
        Self {
            voices: voices.into(),
            strip_of_slot: by_slot(&strips, binding.strips.len()),
            strips: strips.into(),
        }
    }

    /// Returns the slots of a program that has come home; slots of streams that nobody holds any more are
    /// free.
    pub(crate) fn release(&self, binding: &mut Binding) {
        for strip in &self.strips {
            binding.strips.release(strip.slot);
        }
        for voice in self.voices.iter() {
            binding.streams.release(voice.slot);
        }
    }
}

/// The place of every strip in the processing order.
type Places = HashMap<StripKey, usize>;

impl Rack {
    /// The processors of `schedule`, at rest, in the places of its program.
    pub(crate) fn of(schedule: &Schedule, stems: LateStems) -> Self {
        let order = schedule.levels().map(|(key, _)| key);
        let places: Places = order.enumerate().map(|(place, key)| (key, place)).collect();
        let rate = schedule.rate();
        let chains = schedule.inserts().enumerate().map(|(place, inserts)| NewChain {
            units: inserts.iter().map(|insert| unit(insert, rate)).collect(),
            latency: inserts.iter().map(|it| Frames::from_index(it.effect.latency(rate)).0).sum(),
            output: place + schedule.strips().get(place).map_or(0, |it| hop(it, place, &places)),
        });
        Self::new(chains, stems)
    }
}

fn unit(insert: &schedule::Insert, rate: SampleRate) -> Insert {
    Insert { key: insert.key, unit: Unit::new(&insert.effect, insert.power, rate) }
}

/// The strips that others send to, and the master.
fn receivers(schedule: &Schedule) -> HashSet<StripKey> {
    let outputs = schedule.strips().iter().filter_map(crate::schedule::receiver);
    outputs.chain([StripKey::MASTER]).collect()
}

fn hop(strip: &Strip, place: usize, places: &Places) -> usize {
    let output = crate::schedule::receiver(strip).unwrap_or(StripKey::MASTER);
    places.get(&output).map_or(0, |output| output.saturating_sub(place))
}

fn by_slot(strips: &[BoundStrip], slots: usize) -> Box<[usize]> {
    let mut places = vec![usize::MAX; slots];
    for (place, strip) in strips.iter().enumerate() {
        if let Some(entry) = places.get_mut(strip.slot.index) {
            *entry = place;
        }
    }
    places.into()
}

fn bind_voices(
    strip: Option<&Strip>,
    streams: &mut SlotMap<StreamKey>,
    voices: &mut Vec<BoundVoice>,
) {
    let mut latest_end = i64::MIN;
    for voice in strip.map_or(&[][..], |strip| &strip.voices) {
        latest_end = latest_end.max(voice.end().0);
        voices.push(bind_voice(voice, streams, latest_end));
    }
}

fn bind_voice(voice: &Voice, streams: &mut SlotMap<StreamKey>, latest_end: i64) -> BoundVoice {
    let Frames(offset) = voice.source_start - voice.position;
    let key = StreamKey { voice: voice.key.0, source: voice.source, offset };
    BoundVoice {
        slot: streams.hold(key),
        source: voice.source,
        position: voice.position.0,
        end: voice.end().0,
        latest_end,
        offset,
        envelope: voice.envelope,
        volume: Arc::clone(&voice.volume),
    }
}
