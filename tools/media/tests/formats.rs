//! Files of foreign encoders: exact length, alignment to the sample, and seek equals sequential.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod support;

use deskhand_media::{BitDepth, Opener, open, probe};
use std::path::{Path, PathBuf};
use support::{best_lag, encode, positions, read_all, read_at, signal, wav};

const FRAMES: usize = 150_001;

/// The expectations for one format.
struct Case {
    name: &'static str,
    args: &'static [&'static str],
    rate: u32,
    channels: usize,
    format: &'static str,
    sample_format: &'static str,
    /// Largest difference between a seek and sequential reading.
    seek: f32,
    /// Least correlation with the original.
    likeness: f64,
}

fn check(case: &Case) {
    let dir = tempfile::tempdir().unwrap();
    let source = signal(case.channels, FRAMES, case.rate);
    let from = dir.path().join("from.wav");
    wav(&from, &source, case.rate, BitDepth::S16);
    let to = dir.path().join(case.name);
    let Some(file) = encode(&from, &to, case.args) else {
        return;
    };
    let probe = probe(&file).unwrap();
    assert_eq!(
        (probe.format.as_str(), probe.sample_format.as_str()),
        (case.format, case.sample_format)
    );
    assert_eq!((probe.channels, probe.rate.0), (case.channels, case.rate), "{}", case.name);
    assert_eq!(probe.frames.index(), FRAMES, "{}: length", case.name);
    let (mut reader, stats) = Opener::in_process().open_counted(&file).unwrap();
    let decoded = read_all(reader.as_mut(), 4096);
    assert_eq!((stats.nonfinite(), stats.damaged()), (0, 0), "{}", case.name);
    for (a, b) in source.iter().zip(&decoded) {
        let (lag, likeness) = best_lag(&a[20_000..36_000], &b[20_000..36_000], 1400);
        assert_eq!(lag, 0, "{}: delay", case.name);
        assert!(likeness > case.likeness, "{}: likeness {likeness}", case.name);
    }
    if case.likeness == EXACT {
        let original = read_all(open(&from).unwrap().as_mut(), 1000);
        assert_eq!(original, decoded, "{}: lossless", case.name);
    }
    seeks_equal_reading(&file, &decoded, case);
}

fn seeks_equal_reading(file: &Path, decoded: &[Vec<f32>], case: &Case) {
    let mut reader = open(file).unwrap();
    for at in positions(FRAMES, 12) {
        let piece = read_at(reader.as_mut(), at, 3000);
        for (whole, piece) in decoded.iter().zip(&piece) {
            let expected = &whole[at..(at + 3000).min(FRAMES)];
            assert_eq!(expected.len(), piece.len());
            let worst = expected.iter().zip(piece).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(worst <= case.seek, "{}: seek to {at} differs by {worst}", case.name);
        }
    }
}

const EXACT: f64 = 0.999_999;

#[test]
fn flac() {
    check(&Case {
        name: "a.flac",
        args: &["-c:a", "flac"],
        rate: 48_000,
        channels: 2,
        format: "FLAC",
        sample_format: "FLAC 16-bit",
        seek: 0.0,
        likeness: EXACT,
    });
}

#[test]
fn alac_in_mp4() {
    check(&Case {
        name: "a.m4a",
        args: &["-c:a", "alac"],
        rate: 44_100,
        channels: 2,
        format: "MP4",
        sample_format: "ALAC 16-bit",
        seek: 0.0,
        likeness: EXACT,
    });
}

#[test]
fn mp3_with_a_tag() {
    check(&Case {
        name: "a.mp3",
        args: &["-c:a", "libmp3lame", "-q:a", "2"],
        rate: 44_100,
        channels: 2,
        format: "MP3",
        sample_format: "MP3",
        seek: 0.0,
        likeness: 0.95,
    });
}

#[test]
fn mp3_at_a_low_bit_rate_reaches_far_back() {
    check(&Case {
        name: "low.mp3",
        args: &["-c:a", "libmp3lame", "-b:a", "16k"],
        rate: 16_000,
        channels: 1,
        format: "MP3",
        sample_format: "MP3",
        seek: 0.0,
        likeness: 0.9,
    });
}

#[test]
fn aac_in_m4a() {
    check(&Case {
        name: "a.m4a",
        args: &["-c:a", "aac", "-b:a", "192k", "-aac_pns", "0"],
        rate: 48_000,
        channels: 2,
        format: "MP4",
        sample_format: "AAC",
        seek: 0.0,
        likeness: 0.95,
    });
}

#[test]
fn aac_in_mov() {
    check(&Case {
        name: "a.mov",
        args: &["-c:a", "aac", "-b:a", "192k", "-aac_pns", "0"],
        rate: 48_000,
        channels: 1,
        format: "MP4",
        sample_format: "AAC",
        seek: 0.0,
        likeness: 0.95,
    });
}

#[test]
fn ogg_vorbis() {
    check(&Case {
        name: "a.ogg",
        args: &["-c:a", "libvorbis", "-q:a", "5"],
        rate: 44_100,
        channels: 2,
        format: "Ogg",
        sample_format: "Vorbis",
        seek: 0.0,
        likeness: 0.95,
    });
}

#[test]
fn opus() {
    check(&Case {
        name: "a.opus",
        args: &["-c:a", "libopus", "-b:a", "128k"],
        rate: 48_000,
        channels: 2,
        format: "Ogg",
        sample_format: "Opus",
        seek: 2e-3,
        likeness: 0.9,
    });
}

#[test]
fn mp3_without_a_tag_is_counted() {
    let dir = tempfile::tempdir().unwrap();
    let from: PathBuf = dir.path().join("from.wav");
    wav(&from, &signal(2, FRAMES, 44_100), 44_100, BitDepth::S16);
    let args = ["-c:a", "libmp3lame", "-q:a", "5", "-write_xing", "0", "-id3v2_version", "0"];
    let Some(file) = encode(&from, &dir.path().join("bare.mp3"), &args) else {
        return;
    };
    let frames = probe(&file).unwrap().frames.index();
    assert_eq!(frames % 1152, 0);
    assert!((FRAMES..FRAMES + 3 * 1152).contains(&frames), "{frames}");
    let (mut reader, stats) = Opener::in_process().open_counted(&file).unwrap();
    let whole = read_all(reader.as_mut(), 5000);
    assert_eq!(stats.damaged(), 0);
    for at in positions(frames, 8) {
        let piece = read_at(reader.as_mut(), at, 500);
        assert_eq!(whole[0][at..(at + 500).min(frames)], piece[0]);
    }
}

#[test]
fn the_audio_of_a_film() {
    check(&Case {
        name: "film.mp4",
        args: &[
            "-f",
            "lavfi",
            "-i",
            "testsrc=d=3:s=64x64:r=10",
            "-map",
            "1:v",
            "-map",
            "0:a",
            "-c:v",
            "mpeg4",
            "-c:a",
            "aac",
            "-b:a",
            "192k",
            "-aac_pns",
            "0",
        ],
        rate: 48_000,
        channels: 2,
        format: "MP4",
        sample_format: "AAC",
        seek: 0.0,
        likeness: 0.95,
    });
}

/// Formats that do not say where their audio ends: whole packets, and seeks that agree.
fn whole_packets(name: &str, args: &[&str], packet: usize, kind: (&str, &str)) {
    let dir = tempfile::tempdir().unwrap();
    let from = dir.path().join("from.wav");
    wav(&from, &signal(2, FRAMES, 44_100), 44_100, BitDepth::S16);
    let Some(file) = encode(&from, &dir.path().join(name), args) else {
        return;
    };
    let probe = probe(&file).unwrap();
    assert_eq!((probe.format.as_str(), probe.sample_format.as_str()), kind);
    let frames = probe.frames.index();
    assert!((FRAMES..FRAMES + 4 * packet).contains(&frames), "{name}: {frames}");
    let (mut reader, stats) = Opener::in_process().open_counted(&file).unwrap();
    let whole = read_all(reader.as_mut(), 5000);
    assert_eq!(stats.damaged(), 0);
    for at in positions(frames, 8) {
        let piece = read_at(reader.as_mut(), at, 500);
        assert_eq!(whole[0][at..(at + 500).min(frames)], piece[0], "{name}: {at}");
    }
}

#[test]
fn aac_without_a_container() {
    let args = ["-c:a", "aac", "-b:a", "192k", "-aac_pns", "0"];
    whole_packets("a.aac", &args, 1024, ("AAC", "AAC"));
}

#[test]
fn adpcm_in_wav() {
    whole_packets("a.wav", &["-c:a", "adpcm_ms"], 2048, ("WAV", "ADPCM"));
}

#[test]
fn surround_has_names_and_keeps_its_order() {
    let dir = tempfile::tempdir().unwrap();
    let surround = ["L", "R", "C", "LFE", "Ls", "Rs"];
    let wide = ["L", "R", "C", "LFE", "Lb", "Rb", "Ls", "Rs"];
    let cases: [(&str, &[&str], &[&str]); 4] = [
        ("a.flac", &["-c:a", "flac"], &surround),
        ("a.m4a", &["-c:a", "alac"], &surround),
        ("a.aiff", &["-c:a", "pcm_s16be"], &surround),
        ("wide.flac", &["-c:a", "flac"], &wide),
    ];
    for (name, args, names) in cases {
        let channels = if name.starts_with("wide") { 8 } else { 6 };
        let from = dir.path().join("from.wav");
        wav(&from, &signal(channels, 20_000, 48_000), 48_000, BitDepth::S16);
        let Some(file) = encode(&from, &dir.path().join(name), args) else {
            continue;
        };
        let original = read_all(open(&from).unwrap().as_mut(), 999);
        let (probe, mut reader) = Opener::in_process()
            .probe_and_open_at(&file, deskhand_dsp::SampleRate(48_000))
            .unwrap();
        assert_eq!(read_all(reader.as_mut(), 999), original, "{name}");
        assert_eq!(probe.channel_names, names, "{name}");
    }
}

#[test]
fn adpcm_and_mu_law_whose_size_is_not_known_are_read_to_the_end() {
    let dir = tempfile::tempdir().unwrap();
    let from = dir.path().join("from.wav");
    wav(&from, &signal(2, 88_200, 44_100), 44_100, BitDepth::S16);
    for (name, codec) in [("a.wav", "adpcm_ms"), ("b.wav", "pcm_mulaw"), ("c.wav", "pcm_alaw")] {
        let Some(file) = encode(&from, &dir.path().join(name), &["-c:a", codec]) else {
            continue;
        };
        let bytes = std::fs::read(&file).unwrap();
        let size = bytes.windows(4).position(|id| id == b"data").unwrap() + 4;
        let right = probe(&file).unwrap();
        assert_eq!(right.warnings, Vec::<String>::new());
        for (riff, data) in [(36, 0), (u32::MAX, u32::MAX), (0x7FFF_F024, 0x7FFF_F000)] {
            let mut bytes = bytes.clone();
            bytes[4..8].copy_from_slice(&u32::to_le_bytes(riff));
            bytes[size..size + 4].copy_from_slice(&u32::to_le_bytes(data));
            std::fs::write(&file, bytes).unwrap();
            let known = probe(&file).unwrap();
            let told = "The recorder never finished this file";
            assert!(known.warnings[0].starts_with(told), "{:?}", known.warnings);
            assert!(known.warnings[0].contains("2.0 s"), "{:?}", known.warnings);
            assert!((known.frames.0 - right.frames.0).abs() < 2048, "{name}: {:?}", known.frames);
        }
    }
}

#[test]
fn a_film_in_fragments_that_was_cut_off_is_read_as_far_as_it_goes() {
    let dir = tempfile::tempdir().unwrap();
    let from = dir.path().join("from.wav");
    wav(&from, &signal(2, 441_000, 44_100), 44_100, BitDepth::S16);
    let args =
        ["-c:a", "aac", "-movflags", "empty_moov+default_base_moof", "-frag_duration", "500000"];
    let Some(file) = encode(&from, &dir.path().join("a.mp4"), &args) else {
        return;
    };
    let seconds = |file: &Path| {
        let known = probe(file).unwrap();
        let mut reader = open(file).unwrap();
        assert_eq!(read_all(reader.as_mut(), 5000)[0].len(), known.frames.index());
        known.frames.0 as f64 / 44_100.0
    };
    assert!((seconds(&file) - 10.0).abs() < 0.1);
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    let half = seconds(&file);
    assert!((4.0..6.0).contains(&half), "{half}");
}

#[test]
fn two_streams_in_ogg_are_read_and_sought_in() {
    let dir = tempfile::tempdir().unwrap();
    let from = dir.path().join("from.wav");
    wav(&from, &signal(1, 480_000, 48_000), 48_000, BitDepth::S16);
    for codec in ["libvorbis", "libopus", "flac"] {
        let to = dir.path().join(format!("{codec}.ogg"));
        let Some(file) = encode(&from, &to, &["-map", "0", "-map", "0", "-c:a", codec]) else {
            return;
        };
        assert_eq!(probe(&file).unwrap().tracks.len(), 2, "{codec}");
        let mut reader = open(&file).unwrap();
        let whole = read_all(reader.as_mut(), 4096);
        assert_eq!(whole[0].len(), 480_000, "{codec}");
        for at in [300_000, 100_000, 470_000] {
            let piece = read_at(reader.as_mut(), at, 3000);
            assert_eq!(piece[0], whole[0][at..at + 3000], "{codec} at {at}");
        }
    }
}
