//! How fast the meter is: `cargo run --release -p deskhand-dsp --example measure_speed [SECONDS]`.
//!
//! Measures pseudo-random audio that changes its level every 250 ms, converted block by block from
//! 16-bit samples in memory, and prints times real time per stage. A tool for work on the kernels;
//! the figures of the project come from `cargo xtask bench`.
#![expect(clippy::print_stdout, reason = "it reports to a person")]

use deskhand_dsp::loudness::LoudnessMeter;
use deskhand_dsp::peaks::PeakBuilder;
use deskhand_dsp::{Decibels, SampleRate};
use std::hint::black_box;
use std::time::Instant;

const RATE: usize = 48_000;
const BLOCK: usize = 8_192;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seconds = std::env::args().nth(1).map_or(Ok(600), |text| text.parse::<usize>())?;
    println!("{} for {seconds} s of stereo", deskhand_dsp::simd::instruction_set());
    for (name, depth) in [("steady noise", 0.0), ("programme", 18.0)] {
        let audio = noise(seconds.min(60) * RATE, depth);
        let rounds = seconds.div_ceil(60);
        time(&format!("{name}: convert"), seconds, || {
            convert(&audio, rounds, |planar| {
                black_box(planar);
            });
        });
        let mut meter = LoudnessMeter::new(SampleRate(RATE as u32), 2)?;
        time(&format!("{name}: convert + loudness"), seconds, || {
            convert(&audio, rounds, |planar| meter.process(planar));
        });
        let profile = meter.profile();
        time("  levels", seconds, || {
            println!("  {:?}", profile.levels(Decibels::UNITY));
        });
        let mut peaks = PeakBuilder::new(2);
        time(&format!("{name}: convert + peaks"), seconds, || {
            convert(&audio, rounds, |planar| peaks.push(planar));
        });
    }
    Ok(())
}

fn time(name: &str, seconds: usize, work: impl FnOnce()) {
    let start = Instant::now();
    work();
    let took = start.elapsed().as_secs_f64();
    println!("{name}: {took:.3} s, {:.0} times real time", seconds as f64 / took);
}

/// Interleaved noise around -20 dBFS whose level changes by up to `depth` dB.
fn noise(frames: usize, depth: f64) -> Vec<i16> {
    let mut state = 1u32;
    let mut random = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state) / f64::from(u32::MAX) * 2.0 - 1.0
    };
    let mut gain = 0.0;
    let mut sample = |n: usize| {
        if n.is_multiple_of(RATE / 2) {
            gain = Decibels(-20.0 + depth * random()).amplitude() * 32_767.0;
        }
        // Four uniform values: a crest factor nearer to music than one.
        ((random() + random() + random() + random()) / 2.0 * gain) as i16
    };
    (0..2 * frames).map(&mut sample).collect()
}

fn convert(audio: &[i16], rounds: usize, mut sink: impl FnMut(&[&[f32]])) {
    let (mut left, mut right) = (vec![0f32; BLOCK], vec![0f32; BLOCK]);
    for block in (0..rounds).flat_map(|_| audio.chunks(2 * BLOCK)) {
        let frames = block.len() / 2;
        let (pairs, _) = block.as_chunks::<2>();
        for ((pair, left), right) in pairs.iter().zip(&mut left).zip(&mut right) {
            *left = f32::from(pair[0]) / 32_768.0;
            *right = f32::from(pair[1]) / 32_768.0;
        }
        sink(&[&left[..frames], &right[..frames]]);
    }
}
