//! Signals, fixtures made by foreign encoders, and readers for the tests.

#![allow(dead_code, reason = "each test binary uses its own part")]
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests")]

pub(crate) mod boxes;

use deskhand_dsp::{FrameReader, Frames, SampleRate};
use deskhand_media::{BitDepth, WavWriter};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A planar signal that nothing repeats in: two sines per channel and a little noise.
pub(crate) fn signal(channels: usize, frames: usize, rate: u32) -> Vec<Vec<f32>> {
    (0..channels).map(|channel| voice(channel, frames, rate)).collect()
}

fn voice(channel: usize, frames: usize, rate: u32) -> Vec<f32> {
    let mut noise = 0x1234_5678u32.wrapping_add(channel as u32 * 7919);
    let step = |hz: f64| std::f64::consts::TAU * hz / f64::from(rate);
    let (low, high) = (step(220.0 + 55.0 * channel as f64), step(1234.5));
    (0..frames)
        .map(|n| {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let hiss = f64::from(noise >> 8) / 16_777_216.0 - 0.5;
            let sweep = (low * n as f64 * (1.0 + n as f64 / 400_000.0)).sin();
            (0.3 * sweep + 0.2 * (high * n as f64).sin() + 0.1 * hiss) as f32
        })
        .collect()
}

pub(crate) fn wav(path: &Path, signal: &[Vec<f32>], rate: u32, depth: BitDepth) {
    let mut writer = WavWriter::create(path, SampleRate(rate), signal.len(), depth).unwrap();
    let planes: Vec<&[f32]> = signal.iter().map(Vec::as_slice).collect();
    writer.write(&planes).unwrap();
    writer.finish().unwrap();
}

/// Reads everything in blocks of `block` frames.
pub(crate) fn read_all(reader: &mut dyn FrameReader, block: usize) -> Vec<Vec<f32>> {
    let total = reader.frames().index();
    let mut out = vec![vec![0.0; total]; reader.channels()];
    let mut at = 0;
    while at < total {
        let count = block.min(total - at);
        let mut planes: Vec<&mut [f32]> = out.iter_mut().map(|c| &mut c[at..at + count]).collect();
        assert_eq!(reader.read(Frames::from_index(at), &mut planes).unwrap(), count);
        at += count;
    }
    out
}

/// What ffmpeg reads from a file, through a WAV of 16 bits in `folder`, and what Deskhand reads.
pub(crate) fn read_by_ffmpeg_and_here(file: &Path, folder: &Path) -> [Vec<Vec<f32>>; 2] {
    let plain = folder.join("plain.wav");
    encode(file, &plain, &["-c:a", "pcm_s16le"]).unwrap();
    [&plain, file].map(|path| read_all(deskhand_media::open(path).unwrap().as_mut(), 999))
}

pub(crate) fn read_at(reader: &mut dyn FrameReader, at: usize, count: usize) -> Vec<Vec<f32>> {
    let mut out = vec![vec![9.0; count]; reader.channels()];
    let mut planes: Vec<&mut [f32]> = out.iter_mut().map(Vec::as_mut_slice).collect();
    let read = reader.read(Frames::from_index(at), &mut planes).unwrap();
    out.iter_mut().for_each(|plane| plane.truncate(read));
    out
}

/// Encodes `from` with ffmpeg; `None`, with a message, if there is no ffmpeg or it lacks the encoder.
pub(crate) fn encode(from: &Path, to: &Path, args: &[&str]) -> Option<PathBuf> {
    let mut command = Command::new("ffmpeg");
    command.args(["-v", "error", "-y", "-i"]).arg(from).args(args).arg(to);
    match command.output() {
        Ok(output) if output.status.success() => Some(to.to_owned()),
        Ok(output) => {
            println!(
                "skipped: ffmpeg cannot do {args:?}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            None
        }
        Err(_) => {
            println!("skipped: ffmpeg missing");
            None
        }
    }
}

/// Lag (in frames) at which `b` correlates best with `a`, and the correlation there (1 = equal).
pub(crate) fn best_lag(a: &[f32], b: &[f32], most: i64) -> (i64, f64) {
    let length = a.len().min(b.len()) as i64;
    let energy = |x: &[f32]| x.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>();
    let norm = (energy(a) * energy(b)).sqrt().max(1e-30);
    let at = |lag: i64| {
        let range = (0.max(-lag))..(length.min(length - lag));
        let sum: f64 =
            range.map(|n| f64::from(a[n as usize]) * f64::from(b[(n + lag) as usize])).sum();
        sum / norm
    };
    (-most..=most).map(|lag| (lag, at(lag))).max_by(|x, y| x.1.total_cmp(&y.1)).unwrap()
}

/// Positions for random seeks: edges, and pseudo-random ones.
pub(crate) fn positions(total: usize, count: usize) -> Vec<usize> {
    let mut seed = 99u64;
    let mut out = vec![0, total - 1, total / 2, 1, total.saturating_sub(2000)];
    for _ in 0..count {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        out.push((seed >> 33) as usize % total);
    }
    out
}
