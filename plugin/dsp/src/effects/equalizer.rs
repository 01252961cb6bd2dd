//! The parametric equalizer at work.

use super::{Band, Bands, Biquad, Equalizer, MOST_BANDS};
use crate::subnormal::{settled, to_sample};
use crate::{Decibels, SampleRate};

/// Frames that are worked on in double precision at a time.
const GROUP: usize = 64;

impl Equalizer {
    /// What it does to a tone of `hertz`.
    #[must_use]
    pub fn response(&self, hertz: f64, rate: SampleRate) -> Decibels {
        let bands = self.bands.iter().map(|band| Biquad::of(band, rate).magnitude(hertz, rate));
        Decibels(20.0 * bands.product::<f64>().max(1e-12).log10())
    }
}

/// A filter with its past: as signals, not as sums, so that other coefficients go on from the same.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Filter {
    biquad: Biquad,
    inputs: [[f64; 2]; 2],
    outputs: [[f64; 2]; 2],
}

impl Filter {
    fn new(biquad: Biquad) -> Self {
        Self { biquad, inputs: [[0.0; 2]; 2], outputs: [[0.0; 2]; 2] }
    }

    #[inline(always)]
    fn next(&mut self, input: [f64; 2]) -> [f64; 2] {
        let Biquad { b: [b0, b1, b2], a: [a1, a2] } = self.biquad;
        let ([x1, x2], [y1, y2]) = (self.inputs, self.outputs);
        let side = |n: usize| {
            let ahead = b0 * input[n] + b1 * x1[n] + b2 * x2[n];
            ahead - a2 * y2[n] - a1 * y1[n]
        };
        let output = [side(0), side(1)];
        (self.inputs, self.outputs) = ([input, x1], [output, y1]);
        output
    }

    /// Comes to rest after the sound has, each side by itself.
    fn settle(&mut self) {
        for [newer, older] in [&mut self.inputs, &mut self.outputs] {
            for (newer, older) in newer.iter_mut().zip(older) {
                [*newer, *older] = settled([*newer, *older]);
            }
        }
    }
}

/// One band: what sounds, and what fades in.
#[derive(Clone, Copy, Debug)]
struct Voice {
    now: Filter,
    next: Filter,
    /// The last request.
    wanted: Biquad,
    /// Frames of the fade that are left.
    left: u32,
}

impl Voice {
    fn new(biquad: Biquad) -> Self {
        let filter = Filter::new(biquad);
        Self { now: filter, next: filter, wanted: biquad, left: 0 }
    }

    fn passes(&self) -> bool {
        self.left == 0 && self.now.biquad == Biquad::PASS && self.wanted == Biquad::PASS
    }

    fn run(&mut self, block: &mut [[f64; 2]], fade: u32) {
        let mut rest = block;
        while !rest.is_empty() {
            if self.left == 0 && self.wanted != self.now.biquad {
                self.next = Filter { biquad: self.wanted, ..self.now };
                self.left = fade;
            }
            if self.left == 0 {
                rest.iter_mut().for_each(|frame| *frame = self.now.next(*frame));
                return;
            }
            let (part, behind) = rest.split_at_mut(rest.len().min(self.left as usize));
            part.iter_mut().for_each(|frame| *frame = self.fade(*frame, fade));
            rest = behind;
        }
    }

    fn settle(&mut self) {
        self.now.settle();
        if self.left > 0 {
            self.next.settle();
        }
    }

    /// One frame of the fade from one filter to the next.
    fn fade(&mut self, frame: [f64; 2], fade: u32) -> [f64; 2] {
        let (now, next) = (self.now.next(frame), self.next.next(frame));
        let share = f64::from(self.left) / f64::from(fade);
        self.left -= 1;
        if self.left == 0 {
            self.now = self.next;
        }
        [next[0] + (now[0] - next[0]) * share, next[1] + (now[1] - next[1]) * share]
    }
}

/// An equalizer's bands with their state.
#[derive(Clone, Debug)]
pub(super) struct EqualizerKernel {
    voices: [Voice; MOST_BANDS],
    rate: SampleRate,
}

impl EqualizerKernel {
    pub(super) fn new(bands: &Bands, rate: SampleRate) -> Self {
        let voice = |n| Voice::new(filter(bands, n, rate));
        Self { voices: std::array::from_fn(voice), rate }
    }

    pub(super) fn set(&mut self, bands: &Bands) {
        for (n, voice) in self.voices.iter_mut().enumerate() {
            voice.wanted = filter(bands, n, self.rate);
        }
    }

    /// Reaches the settings at once, with the sound that it knows.
    pub(super) fn arrive(&mut self) {
        for voice in &mut self.voices {
            voice.now.biquad = voice.wanted;
            voice.left = 0;
        }
    }

    pub(super) fn reset(&mut self) {
        for voice in &mut self.voices {
            *voice = Voice::new(voice.wanted);
        }
    }

    pub(super) fn adopt(&mut self, other: &Self) {
        for (voice, other) in self.voices.iter_mut().zip(&other.voices) {
            *voice = Voice { wanted: voice.wanted, ..*other };
        }
    }

    /// `fade` is how many frames a change of settings takes.
    pub(super) fn process(&mut self, left: &mut [f32], right: &mut [f32], fade: u32) {
        let mut block = [[0f64; 2]; GROUP];
        for (left, right) in left.chunks_mut(GROUP).zip(right.chunks_mut(GROUP)) {
            let block = &mut block[..left.len().min(right.len())];
            for ((frame, left), right) in block.iter_mut().zip(&*left).zip(&*right) {
                *frame = [f64::from(*left), f64::from(*right)];
            }
            for voice in self.voices.iter_mut().filter(|voice| !voice.passes()) {
                voice.run(block, fade);
                voice.settle();
            }
            for ((frame, left), right) in block.iter().zip(left).zip(right) {
                (*left, *right) = (to_sample(frame[0]), to_sample(frame[1]));
            }
        }
    }
}

fn filter(bands: &Bands, index: usize, rate: SampleRate) -> Biquad {
    let band: Option<&Band> = bands.get().get(index);
    band.map_or(Biquad::PASS, |band| Biquad::of(band, rate))
}
