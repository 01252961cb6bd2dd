//! Measuring in parts and on threads gives what one pass gives.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod support;

use deskhand_dsp::loudness::{LoudnessMeter, LoudnessProfile};
use deskhand_dsp::{Decibels, FrameReader, Frames, ReadError, SampleRate};
use deskhand_media::{BitDepth, MeasureError, Opener, build_peaks, measure_counted};
use deskhand_media::{measure_profile, open};
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use support::{encode, read_all, signal, wav};

const RATE: u32 = 44_100;
const FRAMES: usize = 70 * RATE as usize + 123;

fn measured(path: &Path, range: Range<Frames>, threads: usize) -> LoudnessProfile {
    let threads = NonZeroUsize::new(threads).unwrap();
    let mut heard = Vec::new();
    let mut progress = |share: f64| {
        heard.push(share);
        ControlFlow::Continue(())
    };
    let again = || Ok(open(path)?);
    let profile = measure_profile(&again, range, threads, &mut progress).unwrap();
    assert!(heard.is_sorted() && heard.len() > 10);
    profile
}

fn check(path: &Path) {
    let range = Frames(RATE.into())..Frames::from_index(FRAMES);
    let samples = read_all(open(path).unwrap().as_mut(), 10_000);
    let mut meter = LoudnessMeter::new(SampleRate(RATE), 2).unwrap();
    meter.process(&[&samples[0][RATE as usize..], &samples[1][RATE as usize..]]);
    let (one, many) = (meter.profile(), measured(path, range.clone(), 3));
    assert_eq!(one.frames(), many.frames());
    let (a, b) = (one.levels(Decibels::UNITY), many.levels(Decibels::UNITY));
    assert!((a.integrated.unwrap().0 - b.integrated.unwrap().0).abs() < 1e-6);
    assert!((a.range_lu.unwrap() - b.range_lu.unwrap()).abs() < 1e-6);
    assert_eq!((a.sample_peak, a.true_peak), (b.sample_peak, b.true_peak));
    let worst = one.k_energies().iter().zip(many.k_energies());
    let worst = worst.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(worst < 1e-9, "{worst}");
    assert_eq!(many, measured(path, range, 1));
}

#[test]
fn parts_join_to_the_whole() {
    let dir = tempfile::tempdir().unwrap();
    let from = dir.path().join("x.wav");
    wav(&from, &signal(2, FRAMES, RATE), RATE, BitDepth::S16);
    check(&from);
    for (name, args) in [("x.flac", ["-c:a", "flac"]), ("x.mp3", ["-c:a", "libmp3lame"])] {
        if let Some(file) = encode(&from, &dir.path().join(name), &args) {
            check(&file);
        }
    }
}

#[test]
fn a_stop_and_an_error_end_all_threads() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.wav");
    wav(&path, &signal(1, FRAMES, RATE), RATE, BitDepth::S16);
    let threads = NonZeroUsize::new(2).unwrap();
    let whole = Frames::ZERO..Frames(i64::MAX);
    let again = || Ok(open(&path)?);
    let stopped = measure_profile(&again, whole.clone(), threads, &mut |_| ControlFlow::Break(()));
    assert_eq!(stopped, Err(MeasureError::Cancelled));
    let gone = || Ok(open(&dir.path().join("gone.wav"))?);
    let failed = measure_profile(&gone, whole, threads, &mut |_| ControlFlow::Continue(()));
    assert!(matches!(failed, Err(MeasureError::Read(_))));
}

#[test]
fn peaks_cover_the_whole_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.wav");
    let audio = signal(2, 100_000, RATE);
    wav(&path, &audio, RATE, BitDepth::F32);
    let mut reader = open(&path).unwrap();
    let peaks = build_peaks(reader.as_mut(), &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!((peaks.channels(), peaks.frames()), (2, Frames(100_000)));
    let column = peaks.columns(1, Frames::ZERO..Frames(100_000), 1)[0];
    let highest = audio[1].iter().copied().fold(0.0, f32::max);
    assert_eq!(column.max, highest);
}

#[test]
fn each_sample_that_is_no_number_counts_once() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.wav");
    let audio = signal(1, 48_000 * 65, 48_000);
    wav(&path, &audio, 48_000, BitDepth::F32);
    let header = std::fs::metadata(&path).unwrap().len() as usize - audio[0].len() * 4;
    let mut bytes = std::fs::read(&path).unwrap();
    // The second one is where the second chunk warms its filters.
    for at in [5, 48_000 * 20 - 100, 48_000 * 20, 48_000 * 65 - 1] {
        let byte = header + at * 4;
        bytes[byte..byte + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    }
    std::fs::write(&path, bytes).unwrap();
    let open = || Ok(Opener::in_process().open_counted(&path)?);
    let (two, mut go_on) = (NonZeroUsize::new(2).unwrap(), |_| ControlFlow::Continue(()));
    let whole = Frames::ZERO..Frames(i64::MAX);
    let measured = measure_counted(&open, whole, two, &mut go_on).unwrap();
    assert_eq!((measured.nonfinite, measured.damaged), (4, 0));
}

/// Nine hours of silence. From the second block on, it waits until the first was reported.
struct Long {
    reads: Arc<AtomicUsize>,
    told: Arc<AtomicBool>,
}

impl FrameReader for Long {
    fn channels(&self) -> usize {
        1
    }

    fn frames(&self) -> Frames {
        Frames(i64::from(RATE) * 3_600 * 9)
    }

    fn rate(&self) -> SampleRate {
        SampleRate(RATE)
    }

    fn read(&mut self, _: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let read = self.reads.fetch_add(1, Ordering::SeqCst);
        let patience = Instant::now() + Duration::from_secs(60);
        while read > 0 && !self.told.load(Ordering::SeqCst) {
            if Instant::now() > patience {
                return Err(ReadError("nobody was told of the first block".into()));
            }
            std::thread::yield_now();
        }
        out.iter_mut().for_each(|plane| plane.fill(0.0));
        Ok(out[0].len())
    }
}

#[test]
fn a_stop_is_asked_for_after_each_block_however_long_the_audio_is() {
    let (reads, told): (Arc<AtomicUsize>, Arc<AtomicBool>) = Default::default();
    let open = || -> Result<Box<dyn FrameReader>, ReadError> {
        Ok(Box::new(Long { reads: Arc::clone(&reads), told: Arc::clone(&told) }))
    };
    let mut stop = |_| {
        told.store(true, Ordering::SeqCst);
        ControlFlow::Break(())
    };
    let whole = Frames::ZERO..Frames(i64::MAX);
    let stopped = measure_profile(&open, whole, NonZeroUsize::MIN, &mut stop);
    assert_eq!(stopped, Err(MeasureError::Cancelled));
    let (read, all) = (reads.load(Ordering::SeqCst), RATE as usize * 3_600 * 9 / 8_192);
    assert!(read < all / 100, "{read} of {all} blocks were read");
}
