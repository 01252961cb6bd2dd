//! The sound processing of an instance: polarity, low cut, mono, gain, and the bypass.
//!
//! Thread: audio. No latency: neutral settings give back the same bits.

// The modules below inherit it.
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

mod low_cut;
mod ramp;

pub(crate) use ramp::Ramp;

use low_cut::LowCut;

/// How long every change takes, in seconds.
pub(crate) const CHANGE: f32 = 0.01;

/// The settings for the sound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Settings {
    /// Trim, plus the gain of a plan being heard, in dB.
    pub(crate) gain: f32,
    /// Whether the sign is turned.
    pub(crate) inverts: bool,
    /// Whether both sides become their mean.
    pub(crate) is_mono: bool,
    /// Corner of the low cut in Hz.
    pub(crate) low_cut: Option<f32>,
    /// Whether sound goes around all of it.
    pub(crate) is_bypassed: bool,
}

/// The state of one instance, for one or two channels.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    rate: f32,
    gain: Ramp,
    mono: Ramp,
    /// 1 is processed, 0 goes around.
    wet: Ramp,
    low_cut: LowCut,
    starts: bool,
}

impl Kernel {
    /// At `rate` Hz.
    pub(crate) fn new(rate: f32) -> Self {
        Self {
            rate,
            gain: Ramp::at(1.0),
            mono: Ramp::at(0.0),
            wet: Ramp::at(1.0),
            low_cut: LowCut::new(rate),
            starts: true,
        }
    }

    /// Clears the audio state: the next settings hold from the first frame on.
    pub(crate) fn reset(&mut self) {
        self.starts = true;
        self.low_cut.reset();
    }

    /// The amplitude factor from input to output at this moment, low cut aside.
    pub(crate) fn factor(&self) -> f32 {
        1.0 + self.wet.value() * (self.gain.value() - 1.0)
    }

    /// Where everything moves to.
    pub(crate) fn set(&mut self, settings: &Settings) {
        let frames = if std::mem::take(&mut self.starts) { 0.0 } else { self.rate * CHANGE };
        let sign = if settings.inverts { -1.0 } else { 1.0 };
        self.gain.go(sign * amplitude(settings.gain), frames);
        self.mono.go(f32::from(u8::from(settings.is_mono)), frames);
        self.wet.go(f32::from(u8::from(!settings.is_bypassed)), frames);
        self.low_cut.go(settings.low_cut, frames);
    }

    /// Processes a block in place.
    pub(crate) fn run(&mut self, channels: &mut [&mut [f32]]) {
        if self.wet.rests_at(0.0) {
            self.pass(channels.first().map_or(0, |side| side.len()));
            return;
        }
        match channels {
            [only] => self.run_mono(only),
            [left, right] => self.run_stereo(left, right),
            _ => {}
        }
    }

    /// Time passes while sound goes around.
    fn pass(&mut self, frames: usize) {
        self.gain.skip(frames);
        self.mono.skip(frames);
        self.low_cut.skip(frames);
    }

    fn run_mono(&mut self, side: &mut [f32]) {
        if self.is_constant() {
            scale(side, self.gain.value());
            return;
        }
        for sample in side {
            let dry = f64::from(*sample);
            let [cut, _] = self.low_cut.next([dry, dry]);
            self.mono.next();
            let wet = cut * f64::from(self.gain.next());
            *sample = blend(dry, wet, self.wet.next());
        }
    }

    fn run_stereo(&mut self, left: &mut [f32], right: &mut [f32]) {
        if self.is_constant() && self.mono.rests_at(0.0) {
            scale(left, self.gain.value());
            scale(right, self.gain.value());
            return;
        }
        for (l, r) in left.iter_mut().zip(right) {
            let dry = [f64::from(*l), f64::from(*r)];
            let [cut_l, cut_r] = self.low_cut.next(dry);
            let mono = f64::from(self.mono.next());
            let [mixed_l, mixed_r] = toward_middle([cut_l, cut_r], mono);
            let (gain, wet) = (f64::from(self.gain.next()), self.wet.next());
            *l = blend(dry[0], mixed_l * gain, wet);
            *r = blend(dry[1], mixed_r * gain, wet);
        }
    }

    /// Whether all that is left to do is one multiplication.
    fn is_constant(&self) -> bool {
        self.gain.rests() && self.wet.rests_at(1.0) && self.low_cut.is_off() && self.mono.rests()
    }
}

/// `10^(dB / 20)`.
fn amplitude(decibels: f32) -> f32 {
    deskhand_dsp::Decibels(f64::from(decibels)).amplitude() as f32
}

fn scale(side: &mut [f32], factor: f32) {
    if factor.to_bits() != 1f32.to_bits() {
        side.iter_mut().for_each(|sample| *sample *= factor);
    }
}

/// Moves both sides toward their mean by `amount`. A value that is no number stays in its own side: it
/// counts as silence in the mean.
#[inline]
fn toward_middle([left, right]: [f64; 2], amount: f64) -> [f64; 2] {
    let is_audio = left.is_finite() && right.is_finite();
    if is_audio {
        let middle = 0.5 * (left + right);
        return [left, right].map(|side| side + amount * (middle - side));
    }
    let heard = |side: f64| if side.is_finite() { side } else { 0.0 };
    let middle = 0.5 * (heard(left) + heard(right));
    [left, right].map(|side| {
        if amount == 0.0 { side } else { heard(side) + amount * (middle - heard(side)) }
    })
}

#[inline]
fn blend(dry: f64, wet: f64, amount: f32) -> f32 {
    (dry + f64::from(amount) * (wet - dry)) as f32
}

#[cfg(test)]
mod tests;
