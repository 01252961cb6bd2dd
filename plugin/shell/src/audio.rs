//! The audio side of an instance: the kernel, guarded against panics, and the fallback after one.
//!
//! Thread: audio. It allocates, frees, locks and waits for nothing.

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

use crate::declick::{Landing, frame};
use crate::guard::{Entry, Faults, caught};
use crate::kernel::{CHANGE, Kernel, Settings};
use std::ops::Range;

/// Frames processed at a time; their input is kept until they came through.
const PIECE: usize = 64;

/// Processes blocks of one instance.
pub(crate) struct Audio {
    kernel: Kernel,
    rate: f32,
    /// The input of the piece in work.
    dry: [[f32; PIECE]; 2],
    /// Frames of it.
    kept: usize,
    /// Frames of the block that came through.
    done: usize,
    /// The last frame that came through, as it came in and as it went out.
    last: [[f32; 2]; 2],
    escape: Option<Escape>,
    landing: Landing,
}

/// After a panic: from the last factor to the sound as it came, in 10 ms, and so it stays.
#[derive(Clone, Copy)]
struct Escape {
    factor: f32,
    step: f32,
    left: u32,
}

impl Escape {
    fn from(factor: f32, rate: f32) -> Self {
        let left = (rate * CHANGE) as u32 + 1;
        Self { factor, step: (1.0 - factor) / left as f32, left }
    }

    fn next(&mut self) -> Option<f32> {
        self.left = self.left.checked_sub(1)?;
        self.factor += self.step;
        Some(self.factor)
    }
}

impl Audio {
    pub(crate) fn new(rate: f32) -> Self {
        Self {
            kernel: Kernel::new(rate),
            rate,
            dry: [[0.0; PIECE]; 2],
            kept: 0,
            done: 0,
            last: [[0.0; 2]; 2],
            escape: None,
            landing: Landing::new(rate),
        }
    }

    /// Clears the audio state, and tries again after a panic.
    pub(crate) fn reset(&mut self) {
        if self.escape.take().is_some() {
            self.kernel = Kernel::new(self.rate);
        }
        self.kernel.reset();
    }

    /// Processes the frames `part` of `channels` (one or two, of equal length) in place.
    pub(crate) fn process(
        &mut self,
        channels: &mut [&mut [f32]],
        part: Range<usize>,
        settings: &Settings,
        faults: &Faults,
    ) {
        (self.done, self.kept) = (part.start, 0);
        if self.escape.is_none() {
            let body = || self.work(channels, part.end, settings);
            if caught(Entry::Process, faults, body).is_some() {
                return;
            }
            self.put_back(channels);
            self.break_off();
        }
        self.go_around(channels, part.end);
    }

    /// Returns a gain to one along a ramp. The rest of what low cut and mono did fades out.
    fn break_off(&mut self) {
        let factor = self.kernel.factor();
        let [came, went] = self.last;
        self.escape = Some(Escape::from(factor, self.rate));
        self.landing.break_off([went[0] - factor * came[0], went[1] - factor * came[1]]);
    }

    fn work(&mut self, channels: &mut [&mut [f32]], end: usize, settings: &Settings) {
        self.kernel.set(settings);
        let frames = end.min(channels.first().map_or(0, |side| side.len()));
        while self.done < frames {
            let end = frames.min(self.done + PIECE);
            self.keep(channels, end);
            match channels {
                [only] => self.kernel.run(&mut [piece(only, self.done, end)]),
                [left, right] => {
                    let pieces = [piece(left, self.done, end), piece(right, self.done, end)];
                    let mut pieces = pieces;
                    self.kernel.run(&mut pieces);
                }
                _ => {}
            }
            #[cfg(feature = "test-probes")]
            crate::planted_faults::trip(Entry::Process);
            self.remember(channels, end);
            (self.done, self.kept) = (end, 0);
        }
    }

    fn keep(&mut self, channels: &[&mut [f32]], end: usize) {
        self.kept = end - self.done;
        for (side, dry) in channels.iter().zip(&mut self.dry) {
            let input = side.get(self.done..end).unwrap_or_default();
            dry.iter_mut().zip(input).for_each(|(kept, sample)| *kept = *sample);
        }
    }

    fn remember(&mut self, channels: &[&mut [f32]], end: usize) {
        let dry = |side: &[f32; PIECE]| side.get(end - self.done - 1).copied().unwrap_or(0.0);
        let [left, right] = &self.dry;
        self.last = [[dry(left), dry(right)], frame(channels, end - 1)];
    }

    /// The input of the piece in which it happened.
    fn put_back(&self, channels: &mut [&mut [f32]]) {
        for (side, dry) in channels.iter_mut().zip(&self.dry) {
            let rest = side.get_mut(self.done..).unwrap_or_default();
            rest.iter_mut().zip(dry).take(self.kept).for_each(|(sample, kept)| *sample = *kept);
        }
    }

    fn go_around(&mut self, channels: &mut [&mut [f32]], end: usize) {
        let Some(from) = &mut self.escape else { return };
        let start = *from;
        for side in channels.iter_mut() {
            let mut escape = start;
            for sample in side.iter_mut().take(end).skip(self.done) {
                let Some(factor) = escape.next() else { break };
                *sample *= factor;
            }
            *from = escape;
        }
        self.landing.add(channels, self.done, end);
    }
}

fn piece(side: &mut [f32], from: usize, to: usize) -> &mut [f32] {
    side.get_mut(from..to).unwrap_or_default()
}
