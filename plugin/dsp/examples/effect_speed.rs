//! What each built-in processor costs: nanoseconds for a stereo block of 64 frames at 48 kHz, and the
//! share of the block's time on one core.
//!
//! Thread: any

use deskhand_dsp::effects::{
    Band, BandShape, Compressor, DeEsser, Detector, Effect, Equalizer, Gate, Limiter, Power, Unit,
};
use deskhand_dsp::{Decibels, SampleRate};
use std::hint::black_box;
use std::time::Instant;

const RATE: SampleRate = SampleRate(48_000);
const FRAMES: usize = 64;
const BLOCKS: u32 = 200_000;

fn equalizer(bands: usize) -> Effect {
    let band = |n: usize| Band {
        shape: BandShape::Bell,
        frequency_hz: 80.0 * 2f64.powi(i32::try_from(n).unwrap_or(0)),
        gain: Decibels(3.0),
        q: 1.0,
    };
    Effect::Equalizer(Equalizer { bands: (0..bands).map(band).collect() })
}

fn compressor() -> Effect {
    Effect::Compressor(Compressor {
        threshold: Decibels(-30.0),
        ratio: 4.0,
        knee_db: 6.0,
        attack_ms: 5.0,
        release_ms: 100.0,
        makeup: Decibels(3.0),
        detector: Detector::Rms,
    })
}

fn gate() -> Effect {
    Effect::Gate(Gate {
        threshold: Decibels(-40.0),
        ratio: 10.0,
        range_db: 60.0,
        hysteresis_db: 6.0,
        attack_ms: 1.0,
        hold_ms: 50.0,
        release_ms: 50.0,
    })
}

fn limiter(ceiling: f64) -> Effect {
    let (gain, ceiling) = (Decibels(0.0), Decibels(ceiling));
    Effect::Limiter(Limiter { gain, ceiling, release_ms: 50.0 })
}

#[expect(clippy::print_stdout, reason = "the figures are its output")]
fn main() {
    let de_esser = DeEsser { frequency_hz: 6000.0, threshold: Decibels(-40.0), range_db: 12.0 };
    let rows = [
        ("equalizer, 4 bands", vec![equalizer(4)]),
        ("equalizer, 8 bands", vec![equalizer(8)]),
        ("compressor", vec![compressor()]),
        ("de-esser", vec![Effect::DeEsser(de_esser)]),
        ("gate", vec![gate()]),
        ("limiter, idle", vec![limiter(0.0)]),
        ("limiter, at work", vec![limiter(-12.0)]),
        ("a track: 4 bands and compressor", vec![equalizer(4), compressor()]),
    ];
    for (name, effects) in rows {
        let nanoseconds = cost(&effects);
        let block = FRAMES as f64 / f64::from(RATE.0) * 1e9;
        println!("{name:34} {nanoseconds:8.0} ns  {:6.3} % of a core", nanoseconds / block * 100.0);
    }
}

/// Nanoseconds for a block of noise at -12 dBFS.
fn cost(effects: &[Effect]) -> f64 {
    let mut units: Vec<Unit> =
        effects.iter().map(|effect| Unit::new(effect, Power::On, RATE)).collect();
    let hash = |n: u32| n.wrapping_mul(0x9E37_79B9).rotate_left(13) & 0xFFFF;
    let noise: Vec<f32> = (0..).take(FRAMES).map(|n| hash(n) as f32 / 131_072.0 - 0.25).collect();
    let (mut left, mut right) = (noise.clone(), noise.clone());
    let since = Instant::now();
    for _ in 0..BLOCKS {
        left.copy_from_slice(&noise);
        right.copy_from_slice(&noise);
        for unit in &mut units {
            unit.process(black_box(&mut left), black_box(&mut right));
        }
    }
    since.elapsed().as_nanos() as f64 / f64::from(BLOCKS)
}
