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

use crate::meter::Meters;
use crate::program::{BoundStrip, BoundVoice, Program, Scratch};
use crate::stereo::{Sound, Stereo};
use deskhand_dsp::{Frames, volume};
use std::ops::Range;

/// A stretch of the timeline that is rendered in one go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// Timeline frame of the first sample.
    pub(crate) at: i64,
    /// The engine's clock at the first sample; ramps go by it.
    pub(crate) clock: i64,
    /// How many frames.
    pub(crate) frames: usize,
}

impl Span {
    pub(crate) fn end(&self) -> i64 {
        self.at.saturating_add(Frames::from_index(self.frames).0)
    }
}

/// Where the audio of voices comes from: streams in real time, readers offline.
pub(crate) trait Feed {
    /// Writes the raw audio of `voice` from timeline frame `at` on over all of `out`.
    ///
    /// `Silent`: there is none, and what stands in `out` means nothing.
    fn fill(&mut self, voice: &BoundVoice, at: i64, out: [&mut [f32]; 2]) -> Sound;

    /// `voice` is in the block but not heard (its strip is silent): what was read ahead for the
    /// time before the block is not needed any more.
    fn pass(&mut self, voice: &BoundVoice);
}

/// Renders `span` of the whole program; the last strip's buffer then holds the mix.
pub(crate) fn render(
    program: &mut Program,
    scratch: &mut Scratch,
    span: Span,
    feed: &mut impl Feed,
    meters: &mut Meters<'_>,
) {
    render_part(program, 0..program.strips.len(), scratch, span, feed, meters);
}

/// Renders the strips at the places `part`, in their order; all parts of a program one after the
/// other render the whole.
pub(crate) fn render_part(
    program: &mut Program,
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
    for _ in part {
        let Some((strip, outputs)) = std::mem::take(&mut rest).split_first_mut() else {
            return;
        };
        let voices = program.voices.get(strip.voices.clone()).unwrap_or_default();
        let borrows = strip.buffer.is_nothing();
        if borrows {
            std::mem::swap(&mut strip.buffer, &mut scratch.strip);
            strip.buffer.clear();
        }
        sound(strip, voices, span, feed, &mut scratch.voice);
        finish(strip, outputs, span);
        meters.measure(strip.slot, &strip.buffer, span.frames);
        if borrows {
            std::mem::swap(&mut strip.buffer, &mut scratch.strip);
        } else {
            strip.buffer.settle();
        }
        rest = outputs;
    }
}

/// Applies the strip's gain over time, fader and pan to what the strip's buffer holds, and adds it to the strip's output.
fn finish(strip: &mut BoundStrip, outputs: &mut [BoundStrip], span: Span) {
    let BoundStrip { buffer, ramps, hop, volume: points, .. } = strip;
    if buffer.sound() == Sound::Silent {
        return;
    }
    if !points.is_empty() {
        volume::apply(points, Frames(span.at), &mut buffer.write(0, span.frames));
    }
    match hop.checked_sub(1).and_then(|place| outputs.get_mut(place)) {
        Some(output) => buffer.level_into(ramps, span.clock, span.frames, &mut output.buffer),
        None => buffer.level(ramps, span.clock, span.frames),
    }
}

/// Adds the voices that sound in `span` to the strip's buffer, unless the strip is silent.
fn sound(
    strip: &mut BoundStrip,
    voices: &[BoundVoice],
    span: Span,
    feed: &mut impl Feed,
    scratch: &mut Stereo,
) {
    let shut = is_shut(strip, span.clock);
    let first = voices.partition_point(|voice| voice.latest_end <= span.at);
    let near = voices.get(first..).unwrap_or_default();
    for voice in near.iter().take_while(|voice| voice.position < span.end()) {
        let from = voice.position.max(span.at);
        let to = voice.end.min(span.end());
        if from >= to {
            continue;
        }
        if shut {
            feed.pass(voice);
            continue;
        }
        let at = Frames(from - span.at).index();
        let place = Place { at, frames: Frames(to - from).index(), block: span.frames };
        add_voice(voice, from, place, &mut strip.buffer, feed, scratch);
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
    from: i64,
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

fn fill_voice(voice: &BoundVoice, from: i64, out: [&mut [f32]; 2], feed: &mut impl Feed) -> Sound {
    let [left, right] = out;
    let sound = feed.fill(voice, from, [&mut *left, &mut *right]);
    if sound == Sound::Heard {
        let mut sides = [left, right];
        voice.envelope.apply(Frames(from - voice.position), &mut sides);
        volume::apply(&voice.volume, Frames(from + voice.offset), &mut sides);
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
