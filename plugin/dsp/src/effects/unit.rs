//! A processor with its switch, as used in a strip.

use super::compressor::CompressorKernel;
use super::deesser::DeEsserKernel;
use super::equalizer::EqualizerKernel;
use super::gate::GateKernel;
use super::glide::Glide;
use super::limiter::{Delay, LimiterKernel, latency};
use super::{Effect, Settings};
use crate::SampleRate;
use crate::subnormal::is_sound;

/// Frames that are blended at a time.
const GROUP: usize = 64;

/// How long a change of settings takes, and the switch.
const CHANGE_MS: u32 = 10;

/// Whether a unit works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Power {
    /// It works.
    On,
    /// The sound passes unchanged, as late as it would if it worked.
    Off,
}

/// How a change of settings happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Within 10 ms, without a click.
    Smooth,
    /// At once, where nothing is heard.
    AtOnce,
}

/// A built-in processor that runs on a stereo signal. Creating it allocates, nothing else does. The output
/// does not depend on how the signal is cut into blocks.
#[derive(Clone, Debug)]
pub struct Unit {
    settings: Settings,
    kernel: Kernel,
    /// 1 where it works, 0 where the sound passes.
    share: Glide<1>,
    power: Power,
    /// The input as late as the output.
    dry: Delay,
    /// Frames of a change.
    change: u32,
}

#[derive(Clone, Debug)]
enum Kernel {
    Equalizer(Box<EqualizerKernel>),
    Compressor(CompressorKernel),
    DeEsser(DeEsserKernel),
    Gate(GateKernel),
    Limiter(Box<LimiterKernel>),
}

impl Effect {
    /// How many frames later its output comes, whatever its settings are.
    #[must_use]
    pub fn latency(&self, rate: SampleRate) -> usize {
        match self {
            Self::Limiter(_) => latency(rate),
            Self::Equalizer(_) | Self::Compressor(_) | Self::DeEsser(_) | Self::Gate(_) => 0,
        }
    }
}

impl Kernel {
    fn new(settings: &Settings, rate: SampleRate) -> Self {
        match settings {
            Settings::Equalizer(it) => Self::Equalizer(Box::new(EqualizerKernel::new(it, rate))),
            Settings::Compressor(it) => Self::Compressor(CompressorKernel::new(it, rate)),
            Settings::DeEsser(it) => Self::DeEsser(DeEsserKernel::new(it, rate)),
            Settings::Gate(it) => Self::Gate(GateKernel::new(it, rate)),
            Settings::Limiter(it) => Self::Limiter(Box::new(LimiterKernel::new(it, rate))),
        }
    }

    fn reset(&mut self) {
        match self {
            Self::Equalizer(it) => it.reset(),
            Self::Compressor(it) => it.reset(),
            Self::DeEsser(it) => it.reset(),
            Self::Gate(it) => it.reset(),
            Self::Limiter(it) => it.reset(),
        }
    }

    /// Takes over the state of another one; returns whether it is of the same kind.
    fn adopt(&mut self, other: &Self) -> bool {
        match (self, other) {
            (Self::Equalizer(it), Self::Equalizer(other)) => it.adopt(other),
            (Self::Compressor(it), Self::Compressor(other)) => *it = *other,
            (Self::DeEsser(it), Self::DeEsser(other)) => *it = *other,
            (Self::Gate(it), Self::Gate(other)) => *it = *other,
            (Self::Limiter(it), Self::Limiter(other)) => it.adopt(other),
            _ => return false,
        }
        true
    }

    /// Whether the settings are of its kind.
    fn set(&mut self, settings: &Settings, frames: u32) -> bool {
        match (self, settings) {
            (Self::Equalizer(it), Settings::Equalizer(settings)) => {
                it.set(settings);
                if frames == 0 {
                    it.arrive();
                }
            }
            (Self::Compressor(it), Settings::Compressor(settings)) => it.set(settings, frames),
            (Self::DeEsser(it), Settings::DeEsser(settings)) => it.set(settings, frames),
            (Self::Gate(it), Settings::Gate(settings)) => it.set(settings, frames),
            (Self::Limiter(it), Settings::Limiter(settings)) => it.set(settings, frames),
            _ => return false,
        }
        true
    }

    fn process(&mut self, left: &mut [f32], right: &mut [f32], change: u32) {
        match self {
            Self::Equalizer(it) => it.process(left, right, change),
            Self::Compressor(it) => it.process(left, right),
            Self::DeEsser(it) => it.process(left, right),
            Self::Gate(it) => it.process(left, right),
            Self::Limiter(it) => it.process(left, right),
        }
    }

    fn take_reduction(&mut self) -> f32 {
        match self {
            Self::Equalizer(_) => 0.0,
            Self::Compressor(it) => it.take_reduction(),
            Self::DeEsser(it) => it.take_reduction(),
            Self::Gate(it) => it.take_reduction(),
            Self::Limiter(it) => it.take_reduction(),
        }
    }
}

fn share_of(power: Power) -> [f32; 1] {
    match power {
        Power::On => [1.0],
        Power::Off => [0.0],
    }
}

impl Unit {
    /// A processor at rest, for audio of `rate`.
    #[must_use]
    pub fn new(effect: &Effect, power: Power, rate: SampleRate) -> Self {
        let settings = Settings::of(effect);
        Self {
            kernel: Kernel::new(&settings, rate),
            settings,
            share: Glide::at(share_of(power)),
            power,
            dry: Delay::new(effect.latency(rate)),
            change: (rate.0 * CHANGE_MS / 1000).max(1),
        }
    }

    /// Takes other settings of the same kind, and the switch; `false` when they are of another.
    pub fn set(&mut self, settings: &Settings, power: Power, pace: Pace) -> bool {
        let frames = match pace {
            Pace::Smooth => self.change,
            Pace::AtOnce => 0,
        };
        if *settings != self.settings {
            if !self.kernel.set(settings, frames) {
                return false;
            }
            self.settings = *settings;
        }
        self.switch(power, frames);
        true
    }

    fn switch(&mut self, power: Power, frames: u32) {
        if power == self.power {
            return;
        }
        if self.is_asleep() {
            self.kernel.reset();
        }
        self.power = power;
        self.share.go(share_of(power), frames);
    }

    /// Off for good, so that the kernel need not run; one with a delay runs on, to be there at once.
    fn is_asleep(&self) -> bool {
        self.power == Power::Off && self.share.rests() && self.dry.is_none()
    }

    /// Forgets all sound; the settings stay, and are reached at once.
    pub fn reset(&mut self) {
        self.kernel.reset();
        self.share.arrive();
        self.dry.reset();
    }

    /// Takes over the state of `other`, if that is of the same kind, and moves smoothly to its own
    /// settings.
    pub fn adopt(&mut self, other: &Self) {
        let (settings, power) = (self.settings, self.power);
        if !self.kernel.adopt(&other.kernel) {
            return;
        }
        self.dry.adopt(&other.dry);
        (self.settings, self.share, self.power) = (other.settings, other.share, other.power);
        // Of its own kind, so it takes them.
        let _ = self.set(&settings, power, Pace::Smooth);
    }

    /// Works on the next frames in place; both sides are of one length.
    pub fn process(&mut self, left: &mut [f32], right: &mut [f32]) {
        for side in [&mut *left, &mut *right] {
            silence_what_is_no_audio(side);
        }
        if self.share.rests() && self.power == Power::On && self.dry.is_none() {
            return self.kernel.process(left, right, self.change);
        }
        if self.is_asleep() {
            return;
        }
        for (left, right) in left.chunks_mut(GROUP).zip(right.chunks_mut(GROUP)) {
            self.blend(left, right);
        }
    }

    /// Blends at most [`GROUP`] frames of input and output.
    fn blend(&mut self, left: &mut [f32], right: &mut [f32]) {
        let mut dry = [[0f32; 2]; GROUP];
        for ((dry, left), right) in dry.iter_mut().zip(&*left).zip(&*right) {
            *dry = self.dry.next([*left, *right]);
        }
        self.kernel.process(left, right, self.change);
        if self.share.rests() && self.power == Power::On {
            return;
        }
        for ((dry, left), right) in dry.iter().zip(left).zip(right) {
            let [share] = self.share.next();
            *left = dry[0] + (*left - dry[0]) * share;
            *right = dry[1] + (*right - dry[1]) * share;
        }
    }

    /// How much it took away at most since the last call, in dB, 0 or more.
    pub fn take_reduction(&mut self) -> f32 {
        let reduction = self.kernel.take_reduction();
        if self.power == Power::On { reduction } else { 0.0 }
    }
}

/// Nothing that a filter would never forget gets into one: samples that are no numbers, +180 dB and
/// more, or less than -360 dB, become silence.
fn silence_what_is_no_audio(side: &mut [f32]) {
    const MOST: f32 = 1e9;
    if side.iter().fold(true, |all, sample| all & is_sound(*sample, MOST)) {
        return;
    }
    side.iter_mut().filter(|sample| !is_sound(**sample, MOST)).for_each(|sample| *sample = 0.0);
}
