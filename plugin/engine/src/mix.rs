//! Renders one block of a program: the one path of sound, in real time and offline.
//!
//! Thread: audio (and the threads of a bounce)

#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_types,
        clippy::disallowed_methods,
        clippy::disallowed_macros,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable
    )
)]

use crate::insert_tap::InsertTap;
use crate::inserts::{Chain, Rack};
use crate::meter::Meters;
use crate::program::{BoundStrip, BoundVoice, Program, Scratch};
use crate::roll::Roll;
use crate::stereo::{Sound, Stereo};
use deskhand_dsp::{Frames, subnormal, volume};
use std::ops::Range;

/// A stretch of the timeline that is rendered in one go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// Timeline frame of the first sample of the mix.
    pub(crate) at: i64,
    /// The engine's clock at the first sample; ramps go by it.
    pub(crate) clock: i64,
    /// How many frames.
    pub(crate) frames: usize,
    /// The run, at the first sample.
    pub(crate) roll: Roll,
    /// Run frame before which nothing is read.
    pub(crate) floor: i64,
}

impl Span {
    /// `frames` from where `roll` is.
    pub(crate) fn new(roll: Roll, clock: i64, frames: usize) -> Self {
        Self { at: roll.position(roll.ran), clock, frames, roll, floor: roll.ran }
    }

    /// Whether it only fills the lead of limiters.
    pub(crate) fn is_lead_in(&self) -> bool {
        self.roll.ran < self.floor
    }

    /// The parts of the timeline that sound in it for a strip that is `ahead` frames before the playhead.
    pub(crate) fn stretches(self, ahead: i64) -> impl Iterator<Item = Stretch> {
        let (first, end) = (self.roll.ran + ahead, Frames::from_index(self.frames).0);
        let mut done = (self.floor - first).clamp(0, end);
        std::iter::from_fn(move || {
            let ran = first + done;
            let frames = (end - done).min(self.roll.until_jump(ran));
            let (into, at) = (Frames(done).index(), self.roll.position(ran));
            done += frames;
            let frames = Frames(frames).index();
            (frames > 0).then_some(Stretch { at, ran, into, frames, block: self.frames })
        })
    }

    /// The frame after the last timeline frame of the mix.
    pub(crate) fn end(&self) -> i64 {
        self.at.saturating_add(Frames::from_index(self.frames).0)
    }
}

/// A piece of the timeline within a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    /// Its first timeline frame.
    pub(crate) at: i64,
    /// The run frame there.
    pub(crate) ran: i64,
    /// Where in the block it begins.
    pub(crate) into: usize,
    pub(crate) frames: usize,
    /// Frames of the whole block.
    block: usize,
}

impl Stretch {
    fn end(&self) -> i64 {
        self.at.saturating_add(Frames::from_index(self.frames).0)
    }

    /// The run frame at timeline frame `at` of it.
    fn ran_at(&self, at: i64) -> i64 {
        self.ran + at - self.at
    }
}

/// A place in the audio of a voice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    /// Timeline frame.
    pub(crate) at: i64,
    /// Run frame.
    pub(crate) ran: i64,
}

/// Where the audio of voices comes from: streams in real time, readers offline.
pub(crate) trait Feed {
    /// Writes the raw audio of `voice` from `spot` on over all of `out`.
    ///
    /// `Silent`: there is no sound, and the content of `out` means nothing.
    fn fill(&mut self, voice: &BoundVoice, spot: Spot, out: [&mut [f32]; 2]) -> Sound;

    /// `voice` is in the block but not heard (its strip is silent): frames that were read for the time up
    /// to the end of the block are not needed any more.
    fn pass(&mut self, voice: &BoundVoice);
}

/// Renders `span` of the whole program; the last strip's buffer then holds the mix.
pub(crate) fn render(
    program: &mut Program,
    rack: &mut Rack,
    scratch: &mut Scratch,
    span: Span,
    feed: &mut impl Feed,
    meters: &mut Meters<'_>,
) {
    render_part(program, rack, 0..program.strips.len(), scratch, span, feed, meters);
}

/// Renders the strips at the places `part`, in their order; all parts of a program one after the
/// other render the whole.
pub(crate) fn render_part(
    program: &mut Program,
    rack: &mut Rack,
    part: Range<usize>,
    scratch: &mut Scratch,
    span: Span,
    feed: &mut impl Feed,
    meters: &mut Meters<'_>,
) {
    if part.start == 0 {
        program.strips.iter_mut().for_each(|strip| strip.buffer.clear());
    }
    let mut rest = program.strips.get_mut(part.start..).unwrap_or_default();
    for place in part {
        let Some((strip, outputs)) = std::mem::take(&mut rest).split_first_mut() else {
            return;
        };
        let Some(chain) = rack.chain(place) else {
            return;
        };
        let voices = program.voices.get(strip.voices.clone()).unwrap_or_default();
        let borrows = strip.buffer.is_nothing();
        if borrows {
            std::mem::swap(&mut strip.buffer, &mut scratch.strip);
            strip.buffer.clear();
        }
        sound(strip, chain, voices, span, feed, &mut scratch.voice, meters.tap());
        finish(strip, chain, outputs, span);
        meters.measure(strip.slot, &strip.buffer, span.frames);
        chain.finish(&mut strip.buffer, span.frames);
        if borrows {
            std::mem::swap(&mut strip.buffer, &mut scratch.strip);
        } else {
            strip.buffer.settle();
        }
        rest = outputs;
    }
}

/// Applies the strip's gain over time, fader and pan to what the strip's buffer holds, and adds it to the strip's output.
fn finish(strip: &mut BoundStrip, chain: &Chain, outputs: &mut [BoundStrip], span: Span) {
    let BoundStrip { buffer, ramps, hop, volume: points, .. } = strip;
    if buffer.sound() == Sound::Silent {
        return;
    }
    if !points.is_empty() {
        for stretch in span.stretches(chain.behind) {
            let mut sides = buffer.write(stretch.into, stretch.frames);
            volume::apply(points, Frames(stretch.at), &mut sides);
        }
    }
    match hop.checked_sub(1).and_then(|place| outputs.get_mut(place)) {
        Some(output) => buffer.level_into(ramps, span.clock, span.frames, &mut output.buffer),
        None => buffer.level(ramps, span.clock, span.frames),
    }
}

/// Brings into the strip's buffer what sounds in `span`, through its processors.
fn sound(
    strip: &mut BoundStrip,
    chain: &mut Chain,
    voices: &[BoundVoice],
    span: Span,
    feed: &mut impl Feed,
    scratch: &mut Stereo,
    tap: Option<&mut InsertTap>,
) {
    let shut = is_shut(strip, span.clock);
    for stretch in span.stretches(chain.ahead) {
        add_voices(strip, voices, stretch, shut, feed, scratch);
    }
    if shut && strip.buffer.sound() == Sound::Silent {
        chain.rest();
    } else {
        chain.process(&mut strip.buffer, &span, tap);
    }
}

/// Adds the voices that sound in `stretch` to the strip's buffer, unless the strip is silent.
fn add_voices(
    strip: &mut BoundStrip,
    voices: &[BoundVoice],
    stretch: Stretch,
    shut: bool,
    feed: &mut impl Feed,
    scratch: &mut Stereo,
) {
    let first = voices.partition_point(|voice| voice.latest_end <= stretch.at);
    let near = voices.get(first..).unwrap_or_default();
    for voice in near.iter().take_while(|voice| voice.position < stretch.end()) {
        let from = voice.position.max(stretch.at);
        let to = voice.end.min(stretch.end());
        if from >= to {
            continue;
        }
        if shut {
            feed.pass(voice);
            continue;
        }
        let place = Place {
            at: stretch.into + Frames(from - stretch.at).index(),
            frames: Frames(to - from).index(),
            block: stretch.block,
        };
        let spot = Spot { at: from, ran: stretch.ran_at(from) };
        add_voice(voice, spot, place, &mut strip.buffer, feed, scratch);
    }
}

/// Whether the strip has come to rest at silence: its voices need not be read.
fn is_shut(strip: &BoundStrip, clock: i64) -> bool {
    strip.ramps.iter().all(|ramp| ramp.to.abs() <= 0.0 && ramp.end().0 <= clock)
}

/// Where in a strip's buffer a voice goes.
#[derive(Clone, Copy)]
struct Place {
    at: usize,
    frames: usize,
    /// Frames of the whole block.
    block: usize,
}

fn add_voice(
    voice: &BoundVoice,
    from: Spot,
    place: Place,
    buffer: &mut Stereo,
    feed: &mut impl Feed,
    scratch: &mut Stereo,
) {
    if buffer.sound() == Sound::Silent {
        // The first voice needs no scratch: everything around it is zero already.
        let part = buffer.overwrite(place.at, place.frames, place.block);
        if fill_voice(voice, from, part, feed) == Sound::Silent {
            buffer.clear();
        }
    } else if fill_voice(voice, from, scratch.write(0, place.frames), feed) == Sound::Heard {
        buffer.add(place.at, scratch, place.frames);
    }
}

fn fill_voice(voice: &BoundVoice, from: Spot, out: [&mut [f32]; 2], feed: &mut impl Feed) -> Sound {
    let [left, right] = out;
    let sound = feed.fill(voice, from, [&mut *left, &mut *right]);
    if sound == Sound::Heard {
        let mut sides = [left, right];
        // A file may hold subnormal numbers; faders and fades make none of what this leaves.
        sides.iter_mut().for_each(|side| subnormal::flush(side));
        voice.envelope.apply(Frames(from.at - voice.position), &mut sides);
        volume::apply(&voice.volume, Frames(from.at + voice.offset), &mut sides);
    }
    sound
}

/// Replaces samples that are no numbers by silence; how many there were.
pub(crate) fn guard(out: &mut [f32]) -> usize {
    const EXPONENT: u32 = 0x7f80_0000;
    let is_bad = |sample: &f32| sample.to_bits() & EXPONENT == EXPONENT;
    // Branch-free over the block first: almost always there is nothing to do.
    if !out.iter().fold(false, |bad, sample| bad | is_bad(sample)) {
        return 0;
    }
    let bad = out.iter_mut().filter(|sample| is_bad(sample));
    bad.map(|sample| *sample = 0.0).count()
}
