//! Files that hold several recordings one after another: all of them come in.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests")]

mod support;

use deskhand_dsp::Frames;
use deskhand_media::{BitDepth, Opener, probe};
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{best_lag, encode, positions, read_all, read_at, signal, wav};

/// A recording: seconds, rate, channels.
type Shape = (usize, u32, usize);

struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A recording, encoded by ffmpeg.
    fn part(&self, (seconds, rate, channels): Shape, name: &str, args: &[&str]) -> Option<Vec<u8>> {
        let from = self.path("from.wav");
        wav(&from, &signal(channels, seconds * rate as usize, rate), rate, BitDepth::S16);
        let encoded = encode(&from, &self.path(name), args)?;
        Some(std::fs::read(encoded).unwrap())
    }

    fn joined(&self, name: &str, parts: &[&[u8]]) -> PathBuf {
        let path = self.path(&format!("joined {name}"));
        std::fs::write(&path, parts.concat()).unwrap();
        path
    }
}

/// Everything of the file at its own rate, and that seeks agree with it.
fn whole(path: &Path) -> Vec<Vec<f32>> {
    let (mut reader, stats) = Opener::in_process().open_counted(path).unwrap();
    let whole = read_all(reader.as_mut(), 7777);
    assert_eq!(stats.damaged(), 0, "{path:?}");
    for at in positions(whole[0].len(), 4) {
        let piece = read_at(reader.as_mut(), at, 500);
        let expected = &whole[0][at..(at + 500).min(whole[0].len())];
        let worst = expected.iter().zip(&piece[0]).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(worst < 2e-3, "{path:?}: seek to {at} differs by {worst}");
    }
    whole
}

/// The second recording sounds where it should, to a frame.
fn sounds_at(whole: &[f32], at: usize, (seconds, rate, _): Shape) {
    let expected = &signal(1, seconds * rate as usize, rate)[0];
    let (a, b) = (&expected[20_000..36_000], &whole[at + 20_000..at + 36_000]);
    let (lag, likeness) = best_lag(a, b, 1400);
    assert!(lag.abs() <= 1 && likeness > 0.9, "lag {lag}, likeness {likeness}");
}

#[test]
fn all_parts_of_every_codec_are_read() {
    let cases: [(&str, &[&str], u32); 6] = [
        ("a.mp3", &["-c:a", "libmp3lame", "-b:a", "128k"], 44_100),
        ("a.ogg", &["-c:a", "libvorbis"], 44_100),
        ("a.opus", &["-c:a", "libopus"], 48_000),
        ("a.flac", &["-c:a", "flac"], 44_100),
        ("a.oga", &["-c:a", "flac", "-f", "ogg"], 44_100),
        ("a.m4a", &["-c:a", "aac", "-b:a", "192k", "-aac_pns", "0"], 44_100),
    ];
    for (name, args, rate) in cases {
        let desk = Desk::new();
        let (short, long) = ((5, rate, 2), (7, rate, 2));
        let (Some(one), Some(two)) = (desk.part(short, name, args), desk.part(long, name, args))
        else {
            continue;
        };
        for (parts, seconds) in [(vec![&one[..], &two], 12), (vec![&two, &one, &one, &two], 24)] {
            let joined = desk.joined(name, &parts);
            let known = probe(&joined).unwrap();
            assert_eq!(known.frames.index(), seconds * rate as usize, "{name}");
            assert_eq!(known.warnings, Vec::<String>::new(), "{name}");
            let first = if parts.len() == 2 { 5 } else { 7 };
            let next = if parts.len() == 2 { long } else { short };
            sounds_at(&whole(&joined)[0], first * rate as usize, next);
        }
    }
}

#[test]
fn mp3_parts_without_an_encoders_note_are_read() {
    let desk = Desk::new();
    let shape = (3, 44_100, 2);
    let tagged = ["-c:a", "libmp3lame", "-b:a", "128k"];
    let bare = [&tagged[..], &["-write_xing", "0", "-id3v2_version", "0"]].concat();
    let (Some(one), Some(two)) =
        (desk.part(shape, "a.mp3", &tagged), desk.part(shape, "b.mp3", &bare))
    else {
        return;
    };
    let picture = [&b"ID3\x04\0\0\0\0\x07\x7F"[..], &[0xFF, 0xFB, 0x90, 0x64].repeat(255), &[0; 3]];
    let picture = picture.concat();
    for parts in
        [vec![&one[..], &two], vec![&two, &one], vec![&two, &two], vec![&one, &picture, &two]]
    {
        let joined = desk.joined("bare.mp3", &parts);
        let frames = probe(&joined).unwrap().frames.index();
        assert!((264_600..264_600 + 6 * 1152).contains(&frames), "{frames}");
        whole(&joined);
    }
}

#[test]
fn lame_writes_files_that_can_be_joined() {
    let desk = Desk::new();
    let lame = |seconds: usize, name: &str| {
        let from = desk.path("from.wav");
        wav(&from, &signal(2, seconds * 44_100, 44_100), 44_100, BitDepth::S16);
        let to = desk.path(name);
        let run =
            Command::new("lame").args(["--quiet", "--tt", "Title"]).arg(&from).arg(&to).status();
        run.ok().filter(std::process::ExitStatus::success).map(|_| std::fs::read(to).unwrap())
    };
    let (Some(one), Some(two)) = (lame(5, "one.mp3"), lame(7, "two.mp3")) else {
        println!("skipped: lame missing");
        return;
    };
    let joined = desk.joined("lame.mp3", &[&one, &two]);
    assert_eq!(probe(&joined).unwrap().frames.index(), 12 * 44_100);
    sounds_at(&whole(&joined)[0], 5 * 44_100, (7, 44_100, 2));
}

#[test]
fn parts_of_other_rates_and_channels_are_brought_together() {
    let cases: [(&str, &[&str]); 4] = [
        ("a.mp3", &["-c:a", "libmp3lame", "-b:a", "128k"]),
        ("a.ogg", &["-c:a", "libvorbis"]),
        ("a.flac", &["-c:a", "flac"]),
        ("a.aac", &["-c:a", "aac", "-b:a", "192k", "-aac_pns", "0"]),
    ];
    for (name, args) in cases {
        let desk = Desk::new();
        let (Some(one), Some(two)) =
            (desk.part((2, 44_100, 1), name, args), desk.part((3, 48_000, 2), name, args))
        else {
            continue;
        };
        let joined = desk.joined(name, &[&one, &two]);
        let known = probe(&joined).unwrap();
        assert_eq!((known.rate.0, known.channels), (48_000, 2), "{name}");
        let seconds = known.frames.0 as f64 / 48_000.0;
        assert!((seconds - 5.0).abs() < 0.1, "{name}: {seconds}");
        assert!(known.warnings[0].contains("2 joined recordings of different rates"));
        let whole = whole(&joined);
        assert_eq!(whole[0][..90_000], whole[1][..90_000], "{name}: mono sounds on both sides");
        assert!(whole[1][200_000..].iter().any(|sample| sample.abs() > 0.1), "{name}");
    }
}

#[test]
fn different_formats_in_one_file_are_read() {
    let desk = Desk::new();
    let shape = (2, 44_100, 2);
    let (Some(mp3), Some(flac), Some(ogg)) = (
        desk.part(shape, "a.mp3", &["-c:a", "libmp3lame"]),
        desk.part(shape, "a.flac", &["-c:a", "flac"]),
        desk.part(shape, "a.ogg", &["-c:a", "libvorbis"]),
    ) else {
        return;
    };
    for parts in [[&mp3, &ogg, &flac], [&ogg, &mp3, &flac]] {
        let parts: Vec<&[u8]> = parts.iter().map(|part| part.as_slice()).collect();
        let joined = desk.joined("mixed", &parts);
        assert_eq!(probe(&joined).unwrap().frames.index(), 6 * 44_100);
        whole(&joined);
    }
}

#[test]
fn a_part_that_cannot_be_read_is_named() {
    let desk = Desk::new();
    let (Some(stereo), Some(surround)) = (
        desk.part((2, 48_000, 2), "a.ogg", &["-c:a", "libvorbis"]),
        desk.part((2, 48_000, 6), "b.ogg", &["-ac", "6", "-c:a", "libvorbis"]),
    ) else {
        return;
    };
    let known = probe(&desk.joined("a.ogg", &[&stereo, &surround])).unwrap();
    assert_eq!(known.frames.index(), 96_000);
    let told = format!("Deskhand left out {} kB after 2.0 s: ", (surround.len() + 500) / 1000);
    assert!(known.warnings[0].starts_with(&told), "{:?}", known.warnings);
    assert!(known.warnings[0].contains("surround"), "{:?}", known.warnings);
}

#[test]
fn a_flac_header_that_does_not_know_the_length_hides_nothing() {
    let desk = Desk::new();
    let Some(bytes) = desk.part((4, 44_100, 2), "a.flac", &["-c:a", "flac"]) else {
        return;
    };
    // The number of frames: the last 36 bits of bytes 10 to 17 of the header, after 8 bytes.
    for frames in [0u32, 88_200, 176_400] {
        let mut bytes = bytes.clone();
        bytes[21] &= 0xF0;
        bytes[22..26].copy_from_slice(&frames.to_be_bytes());
        let path = desk.joined("x.flac", &[&bytes]);
        let known = probe(&path).unwrap();
        assert_eq!(known.frames.index(), 176_400, "{frames}: {:?}", known.warnings);
        let told = "Its header says 2.0 s, but it holds 4.0 s. Deskhand read all of it.";
        assert_eq!(known.warnings.first().map(String::as_str), (frames == 88_200).then_some(told));
        whole(&path);
    }
}

#[test]
fn a_wav_before_another_file_keeps_its_time_stamp() {
    let desk = Desk::new();
    let recorded = |rate: u32, stamp: Option<u64>| {
        let from = desk.path("from.wav");
        wav(&from, &signal(1, rate as usize, rate), rate, BitDepth::S16);
        let mut bytes = std::fs::read(from).unwrap();
        if let Some(stamp) = stamp {
            let mut bext = [&b"bext"[..], &602u32.to_le_bytes(), &[0; 602]].concat();
            bext[8 + 338..8 + 346].copy_from_slice(&stamp.to_le_bytes());
            bytes.splice(12..12, bext);
            let size = u32::try_from(bytes.len() - 8).unwrap();
            bytes[4..8].copy_from_slice(&size.to_le_bytes());
        }
        bytes
    };
    let first = recorded(48_000, Some(480_000));
    for (second, rate) in [(48_000, 48_000), (96_000, 96_000)] {
        let joined = desk.joined("a.wav", &[&first, &recorded(second, Some(7))]);
        let known = probe(&joined).unwrap();
        assert_eq!(known.origin, Some(Frames(10 * rate)), "{second}: the first one's");
        assert_eq!(known.frames, Frames(2 * rate));
    }
    let joined = desk.joined("a.wav", &[&recorded(48_000, None), &first]);
    assert_eq!(probe(&joined).unwrap().origin, None);
}

/// A WAV or AIFF file of 2 s before each of `others`: both are read.
#[test]
fn uncompressed_audio_before_another_file_is_no_noise() {
    let desk = Desk::new();
    let shape = (2, 44_100, 2);
    let others: [(&str, &[&str]); 8] = [
        ("b.mp3", &["-c:a", "libmp3lame", "-metadata", "title=Second"]),
        ("bare.mp3", &["-c:a", "libmp3lame", "-id3v2_version", "0", "-write_xing", "0"]),
        ("b.aac", &["-c:a", "aac"]),
        ("b.m4a", &["-c:a", "aac"]),
        ("b.mka", &["-c:a", "libopus"]),
        ("b.flac", &["-c:a", "flac"]),
        ("b.wav", &[]),
        ("b.aiff", &[]),
    ];
    for (first, args) in [("a.wav", &[][..]), ("a.aiff", &[]), ("law.wav", &["-c:a", "pcm_mulaw"])]
    {
        let args = [args, &["-bitexact"]].concat();
        let Some(one) = desk.part(shape, first, &args) else {
            return;
        };
        for (name, args) in others {
            let Some(two) = desk.part(shape, name, args) else {
                continue;
            };
            let joined = desk.joined(first, &[&one, &two]);
            let known = probe(&joined).unwrap();
            let seconds = known.frames.0 as f64 / f64::from(known.rate.0);
            assert!((seconds - 4.0).abs() < 0.1, "{first} {name}: {seconds} {:?}", known.warnings);
            if known.rate.0 == 44_100 {
                assert_eq!(known.warnings, Vec::<String>::new(), "{first} {name}");
                let sound = read_all(Opener::in_process().open(&joined).unwrap().as_mut(), 7777);
                let plain = read_all(
                    Opener::in_process().open(&desk.joined("x.wav", &[&one])).unwrap().as_mut(),
                    7777,
                );
                assert!(sound[0][..88_200] == plain[0][..], "{first} {name}");
            }
        }
    }
}

#[test]
fn what_comes_after_uncompressed_audio_and_is_no_file_is_named() {
    let desk = Desk::new();
    for first in ["a.wav", "a.aiff"] {
        let Some(one) = desk.part((2, 44_100, 2), first, &["-bitexact"]) else {
            return;
        };
        // A tag at the end is no other file, and hides nothing after it.
        let tag = [&b"ID3\x04\0\0\0\0\0\x14"[..], &[b't'; 20]].concat();
        let known = probe(&desk.joined(first, &[&one, &tag])).unwrap();
        assert_eq!((known.frames.index(), known.warnings), (88_200, Vec::new()), "{first}");
        let known = probe(&desk.joined(first, &[&one, &tag, &[7; 5000]])).unwrap();
        assert_eq!(known.frames.index(), 88_200, "{first}");
        assert!(known.warnings[0].contains("come 5 kB that"), "{first}: {:?}", known.warnings);
    }
}

/// A recording of 2 s whose recorder never finished it, or that was cut off, before another file.
#[test]
fn a_wav_without_its_size_ends_where_another_file_begins() {
    let desk = Desk::new();
    let from = desk.path("from.wav");
    wav(&from, &signal(2, 88_200, 44_100), 44_100, BitDepth::S16);
    let whole = std::fs::read(&from).unwrap();
    let size = whole.windows(4).position(|id| id == b"data").unwrap() + 4;
    let mut parts = Vec::new();
    for claimed in [0, u32::MAX] {
        let mut bytes = whole.clone();
        bytes[4..8].copy_from_slice(&claimed.to_le_bytes());
        bytes[size..size + 4].copy_from_slice(&claimed.to_le_bytes());
        parts.push((bytes, 2.0, "Deskhand read 2.0 s of audio from it."));
    }
    let half = whole[..size + 4 + 176_400].to_vec();
    parts.push((half, 1.0, "It is cut off: its header promises 2.0 s, 1.0 s are there."));
    let others: [(&str, &[&str]); 5] = [
        ("b.wav", &[]),
        ("b.mp3", &["-c:a", "libmp3lame"]),
        ("bare.mp3", &["-c:a", "libmp3lame", "-id3v2_version", "0", "-write_xing", "0"]),
        ("b.aac", &["-c:a", "aac"]),
        ("b.mka", &["-c:a", "flac"]),
    ];
    for (name, args) in others {
        let Some(two) = desk.part((2, 44_100, 2), name, args) else {
            continue;
        };
        for (one, first, told) in &parts {
            let joined = desk.joined("a.wav", &[one, &two]);
            let known = probe(&joined).unwrap();
            let seconds = known.frames.0 as f64 / 44_100.0;
            assert!((seconds - first - 2.0).abs() < 0.1, "{name}: {seconds}");
            assert_eq!(known.warnings.len(), 1, "{name}: {:?}", known.warnings);
            assert!(known.warnings[0].ends_with(told), "{name}: {:?}", known.warnings);
            let sound = read_all(Opener::in_process().open(&joined).unwrap().as_mut(), 7777);
            let second = (first * 44_100.0) as usize;
            assert!(sound[0][second + 20_000..].iter().any(|sample| sample.abs() > 0.1), "{name}");
        }
    }
}

#[test]
fn a_matroska_file_that_is_cut_off_hides_no_file_after_it() {
    let desk = Desk::new();
    for (name, args) in [
        ("a.mka", &["-c:a", "flac"][..]),
        ("a.webm", &["-c:a", "libopus"]),
        ("pcm.mka", &["-c:a", "pcm_s16le"]),
    ] {
        let Some(one) = desk.part((4, 48_000, 2), name, args) else {
            return;
        };
        for part in [2, 3] {
            let joined = desk.joined(name, &[&one[..one.len() / part], &one]);
            let known = probe(&joined).unwrap();
            let seconds = known.frames.0 as f64 / 48_000.0;
            let expected = 4.0 + 4.0 / part as f64;
            assert!((seconds - expected).abs() < 0.5, "{name} 1/{part}: {seconds}");
            let told = "Its end is missing, it was probably cut off.";
            assert!(known.warnings[0].starts_with(told), "{name}: {:?}", known.warnings);
        }
    }
}

/// Bytes that look like nothing: numbers that follow from a seed.
fn noise(length: usize) -> Vec<u8> {
    let mut seed = 7u64;
    std::iter::repeat_with(|| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 56) as u8
    })
    .take(length)
    .collect()
}

#[test]
fn unknown_bytes_after_compressed_audio_are_named() {
    let desk = Desk::new();
    let cases: [(&str, &[&str]); 8] = [
        ("a.ogg", &["-c:a", "libvorbis"]),
        ("a.oga", &["-c:a", "flac", "-f", "ogg"]),
        ("a.mp3", &["-c:a", "libmp3lame"]),
        ("bare.mp3", &["-c:a", "libmp3lame", "-id3v2_version", "0", "-write_xing", "0"]),
        ("a.aac", &["-c:a", "aac"]),
        ("a.flac", &["-c:a", "flac"]),
        ("a.m4a", &["-c:a", "aac"]),
        ("a.mka", &["-c:a", "flac"]),
    ];
    for (name, args) in cases {
        let Some(one) = desk.part((2, 44_100, 2), name, args) else {
            continue;
        };
        let alone = probe(&desk.joined(name, &[&one])).unwrap();
        assert_eq!(alone.warnings, Vec::<String>::new(), "{name}");
        for (rest, size) in [(noise(20_000), "20 kB"), (vec![7; 600], "600 bytes")] {
            let known = probe(&desk.joined(name, &[&one, &rest])).unwrap();
            assert_eq!(known.frames, alone.frames, "{name}: {:?}", known.warnings);
            let told = format!("After its audio come {size} that are neither audio");
            assert!(known.warnings.concat().starts_with(&told), "{name}: {:?}", known.warnings);
        }
        // Padding is nothing that a person should know of. In Matroska it has a form of its own.
        if name == "a.mka" {
            continue;
        }
        let known = probe(&desk.joined(name, &[&one, &[0; 600]])).unwrap();
        assert_eq!((known.frames, known.warnings), (alone.frames, Vec::new()), "{name}");
    }
}

#[test]
fn further_chunks_of_audio_are_named_and_an_empty_one_hides_nothing() {
    let desk = Desk::new();
    let from = desk.path("from.wav");
    wav(&from, &signal(1, 44_100, 44_100), 44_100, BitDepth::S16);
    let one = std::fs::read(&from).unwrap();
    let data = one.windows(4).position(|id| id == b"data").unwrap();
    let known = probe(&desk.joined("two.wav", &[&one, &one[data..]])).unwrap();
    assert_eq!(known.frames.index(), 44_100);
    let told = "Its audio is in several chunks. Deskhand read the first, 1.0 s, and left out 1.0 s \
                after it.";
    assert_eq!(known.warnings, [told]);
    let empty = [&one[..data], &b"data\0\0\0\0"[..], &one[data..]];
    let known = probe(&desk.joined("empty.wav", &empty)).unwrap();
    assert_eq!((known.frames.index(), known.warnings), (44_100, Vec::new()));
}

#[test]
fn matroska_and_webm_go_on_in_their_second_part() {
    let desk = Desk::new();
    let cases: [(&str, &[&str]); 5] = [
        ("a.webm", &["-c:a", "libopus"]),
        ("a.mka", &["-c:a", "libopus"]),
        ("pcm.mka", &["-c:a", "pcm_s16le"]),
        ("flac.mka", &["-c:a", "flac"]),
        // A live stream: the sizes of its segment and clusters are not known.
        ("live.mka", &["-c:a", "pcm_s16le", "-f", "matroska", "-live", "1"]),
    ];
    for (name, args) in cases {
        let parts = (desk.part((5, 48_000, 2), name, args), desk.part((7, 48_000, 2), name, args));
        let (Some(one), Some(two)) = parts else {
            return;
        };
        let joined = desk.joined(name, &[&one, &two]);
        let known = probe(&joined).unwrap();
        let seconds = known.frames.0 as f64 / 48_000.0;
        assert!((seconds - 12.0).abs() < 0.1, "{name}: {seconds}");
        assert_eq!(known.warnings, Vec::<String>::new(), "{name}");
        let sound = read_all(Opener::in_process().open(&joined).unwrap().as_mut(), 7777);
        assert!(sound[0][6 * 48_000..].iter().any(|sample| sample.abs() > 0.1), "{name}");
    }
}

/// Every container before every other: all of it is read, or the left-out part is named.
#[test]
fn any_file_after_any_other_is_read_or_named() {
    let desk = Desk::new();
    let cases: [(&str, &[&str]); 10] = [
        ("a.m4a", &["-c:a", "aac"]),
        ("a.mka", &["-c:a", "flac"]),
        ("a.flac", &["-c:a", "flac"]),
        ("a.ogg", &["-c:a", "libvorbis"]),
        ("a.mp3", &["-c:a", "libmp3lame", "-metadata", "title=One"]),
        ("bare.mp3", &["-c:a", "libmp3lame", "-id3v2_version", "0"]),
        ("a.aac", &["-c:a", "aac"]),
        ("a.wav", &[]),
        ("a.aiff", &[]),
        ("law.wav", &["-c:a", "pcm_mulaw"]),
    ];
    let files: Vec<_> = cases
        .iter()
        .filter_map(|(name, args)| Some((*name, desk.part((2, 44_100, 2), name, args)?)))
        .collect();
    let mut wrong = Vec::new();
    for (first, one) in &files {
        for (second, two) in &files {
            let known = probe(&desk.joined(first, &[one, two])).unwrap();
            let seconds = known.frames.0 as f64 / f64::from(known.rate.0);
            let is_read = (seconds - 4.0).abs() < 0.15 && known.warnings.is_empty();
            let is_named = (seconds - 2.0).abs() < 0.15 && !known.warnings.is_empty();
            if !is_read && !is_named {
                wrong.push(format!("{first} + {second}: {seconds} s, {:?}", known.warnings));
            }
        }
        let known = probe(&desk.joined(first, &[one, &[7; 5000]])).unwrap();
        if known.warnings.is_empty() && (first.ends_with("m4a") || first.ends_with("mka")) {
            wrong.push(format!("{first} + noise: no warning"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
