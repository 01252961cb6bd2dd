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

use crate::meter::Meter;
use crate::program::{BoundStrip, BoundVoice, Program};
use crate::stereo::{Sound, Stereo};
use deskhand_dsp::Frames;

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
    span: Span,
    feed: &mut impl Feed,
    meters: &mut [Meter],
) {
    for strip in &mut program.strips {
        strip.buffer.clear();
    }
    let mut rest = &mut program.strips[..];
    while let Some((strip, outputs)) = std::mem::take(&mut rest).split_first_mut() {
        let voices = program.voices.get(strip.voices.clone()).unwrap_or_default();
        sound(strip, voices, span, feed, &mut program.scratch);
        finish(strip, span);
        if let Some(meter) = meters.get_mut(strip.slot.index) {
            meter.measure(&strip.buffer, span.frames);
        }
        pass_on(strip, outputs, span.frames);
        strip.buffer.settle();
        rest = outputs;
    }
}

/// Adds a finished strip to its output.
pub(crate) fn pass_on(strip: &BoundStrip, outputs: &mut [BoundStrip], frames: usize) {
    let output = strip.hop.checked_sub(1).and_then(|place| outputs.get_mut(place));
    if let Some(output) = output {
        output.buffer.add(0, &strip.buffer, frames);
    }
}

/// Applies fader and pan to what the strip's buffer holds.
pub(crate) fn finish(strip: &mut BoundStrip, span: Span) {
    if strip.buffer.sound() == Sound::Silent {
        return;
    }
    let sides = strip.buffer.write(0, span.frames);
    for (side, ramp) in sides.into_iter().zip(&strip.ramps) {
        ramp.apply(Frames(span.clock), side);
    }
}

/// Adds the voices that sound in `span` to the strip's buffer, unless the strip is silent.
pub(crate) fn sound(
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
        voice.envelope.apply(Frames(from - voice.position), &mut [left, right]);
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
