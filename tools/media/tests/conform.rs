//! Resampling and conforming: nothing moves, and no file remains.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests")]

mod support;

use deskhand_dsp::{Frames, SampleRate};
use deskhand_media::{
    BitDepth, ConformError, Opener, WavWriter, WriteError, conform, open, open_at, probe,
};
use std::ops::ControlFlow;
use support::{positions, read_all, read_at, signal, wav};

/// A sine of `hz` that starts at frame 0.
fn sine(hz: f64, frames: usize, rate: u32) -> Vec<f32> {
    let step = std::f64::consts::TAU * hz / f64::from(rate);
    (0..frames).map(|n| (0.5 * (step * n as f64).sin()) as f32).collect()
}

#[test]
fn a_sine_stays_where_it_was_to_a_fraction_of_a_sample() {
    let dir = tempfile::tempdir().unwrap();
    for (from, to) in [
        (44_100, 48_000),
        (48_000, 44_100),
        (96_000, 48_000),
        (8_000, 48_000),
        (48_000, 192_000),
        (44_101, 48_000),
    ] {
        let path = dir.path().join("x.wav");
        wav(&path, &[sine(997.0, from as usize, from)], from, BitDepth::F32);
        let mut reader = open_at(&path, SampleRate(to)).unwrap();
        assert_eq!(reader.frames().0, i64::from(to));
        let out = read_all(reader.as_mut(), 1000);
        let expected = sine(997.0, to as usize, to);
        let middle = to as usize / 4..to as usize * 3 / 4;
        let worst = out[0][middle.clone()]
            .iter()
            .zip(&expected[middle])
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f32::max);
        assert!(worst < 2e-5, "{from} to {to}: {worst}");
    }
}

#[test]
fn one_opening_tells_what_a_file_is_and_reads_it_at_another_rate() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.wav");
    wav(&path, &[sine(997.0, 44_100, 44_100)], 44_100, BitDepth::F32);
    for rate in [44_100, 48_000].map(SampleRate) {
        let (found, mut reader) = Opener::in_process().probe_and_open_at(&path, rate).unwrap();
        assert_eq!(found, probe(&path).unwrap());
        assert_eq!((found.frames.0, reader.frames().0), (44_100, rate.0.into()));
        let apart = read_all(open_at(&path, rate).unwrap().as_mut(), 999);
        assert_eq!(read_all(reader.as_mut(), 999), apart);
    }
}

#[test]
fn an_impulse_stays_on_its_frame() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.wav");
    let mut impulse = vec![0.0; 44_100];
    impulse[14_700] = 1.0;
    wav(&path, &[impulse], 44_100, BitDepth::F32);
    let out = read_all(open_at(&path, SampleRate(48_000)).unwrap().as_mut(), 4096);
    let loudest =
        out[0].iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).unwrap().0;
    assert_eq!(loudest, 16_000);
}

#[test]
fn a_seek_gives_the_very_samples_of_sequential_reading() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.wav");
    wav(&path, &signal(2, 50_001, 44_100), 44_100, BitDepth::S24);
    let mut reader = open_at(&path, SampleRate(48_000)).unwrap();
    let total = reader.frames().index();
    let whole = read_all(reader.as_mut(), 777);
    for at in positions(total, 30) {
        let piece = read_at(reader.as_mut(), at, 3000);
        for (whole, piece) in whole.iter().zip(&piece) {
            assert_eq!(&whole[at..(at + 3000).min(total)], piece.as_slice());
        }
    }
}

#[test]
fn one_frame_survives() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.wav");
    wav(&path, &[vec![0.5]], 8_000, BitDepth::S16);
    assert_eq!(probe(&path).unwrap().frames.0, 1);
    let out = read_all(open_at(&path, SampleRate(48_000)).unwrap().as_mut(), 64);
    assert_eq!(out[0].len(), 6);
    assert!(out[0].iter().all(|s| s.is_finite()));
}

#[test]
fn conforming_writes_what_the_reader_reads() {
    let dir = tempfile::tempdir().unwrap();
    let (source, dest) = (dir.path().join("x.wav"), dir.path().join("y.wav"));
    wav(&source, &signal(3, 60_000, 44_100), 44_100, BitDepth::S16);
    let opener = Opener::in_process();
    let mut heard = Vec::new();
    let mut progress = |share: f64| {
        heard.push(share);
        ControlFlow::Continue(())
    };
    let made = conform(&opener, &source, SampleRate(48_000), &dest, &mut progress).unwrap();
    assert_eq!((made.channels, made.nonfinite, made.damaged), (3, 0, 0));
    assert_eq!(heard.last(), Some(&1.0));
    assert!(heard.is_sorted());
    let expected = read_all(open_at(&source, SampleRate(48_000)).unwrap().as_mut(), 5000);
    assert_eq!(read_all(open(&dest).unwrap().as_mut(), 3000), expected);
    assert_eq!(probe(&dest).unwrap().sample_format, "32-bit float");
}

#[test]
fn a_stop_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (source, dest) = (dir.path().join("x.wav"), dir.path().join("y.wav"));
    wav(&source, &signal(1, 100_000, 44_100), 44_100, BitDepth::S16);
    let mut stop = |share: f64| {
        if share > 0.3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let result = conform(&Opener::in_process(), &source, SampleRate(48_000), &dest, &mut stop);
    assert_eq!(result, Err(ConformError::Cancelled));
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
}

/// A folder on a disk of `kilobytes`; `None`, with a message, if mounting is not allowed.
#[cfg(target_os = "linux")]
fn small_disk(at: &std::path::Path, kilobytes: u32) -> Option<()> {
    let size = format!("size={kilobytes}k");
    let mount = std::process::Command::new("mount")
        .args(["-t", "tmpfs", "-o", &size, "deskhand-test"])
        .arg(at)
        .output();
    if mount.is_ok_and(|output| output.status.success()) {
        return Some(());
    }
    println!("skipped: no right to mount a small disk");
    None
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("x.wav");
    wav(&source, &signal(2, 100_000, 44_100), 44_100, BitDepth::S16);
    let disk = tempfile::tempdir().unwrap();
    let Some(()) = small_disk(disk.path(), 300) else {
        return;
    };
    let dest = disk.path().join("y.wav");
    let mut on = |_: f64| ControlFlow::Continue(());
    let result = conform(&Opener::in_process(), &source, SampleRate(48_000), &dest, &mut on);
    let left = std::fs::read_dir(disk.path()).unwrap().count();
    let unmounted = std::process::Command::new("umount").arg(disk.path()).status();
    assert!(unmounted.is_ok_and(|status| status.success()));
    let error = result.unwrap_err();
    assert!(matches!(error, ConformError::Write(WriteError::DiskFull { .. })), "{error}");
    assert_eq!(left, 0);
}

#[cfg(target_os = "linux")]
#[test]
fn of_what_is_recorded_until_the_disk_is_full_all_that_fits_is_kept() {
    let disk = tempfile::tempdir().unwrap();
    let Some(()) = small_disk(disk.path(), 1_200) else {
        return;
    };
    let path = disk.path().join("take.wav");
    let mut writer = WavWriter::create(&path, SampleRate(48_000), 1, BitDepth::F32).unwrap();
    let tone: Vec<f32> = (0..4_096).map(|n| n as f32 / 4_096.0).collect();
    let refused = (0..200).find_map(|_| writer.write(&[&tone]).err()).unwrap();
    assert!(matches!(refused, WriteError::DiskFull { .. }), "{refused}");
    let kept = writer.keep().map(|kept| {
        let mut out = vec![0.0; kept.frames.index()];
        let mut reader = Opener::in_process().open(&path).unwrap();
        assert_eq!(reader.read(Frames::ZERO, &mut [&mut out]).unwrap(), out.len());
        assert!(out.iter().enumerate().all(|(n, sample)| *sample == tone[n % 4_096]));
        out.len()
    });
    let unmounted = std::process::Command::new("umount").arg(disk.path()).status();
    assert!(unmounted.is_ok_and(|status| status.success()));
    assert!(kept.unwrap() * 4 > 1_100_000);
}
