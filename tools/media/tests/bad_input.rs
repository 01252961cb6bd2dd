//! Files that are missing, wrong, cut, broken or made to do harm: a clear error, never a panic.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod support;

use deskhand_dsp::{Frames, SampleRate};
use deskhand_media::{BitDepth, OpenError, Opener, conform, measure_counted, open, open_at, probe};
use proptest::prelude::*;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use support::{encode, read_all, signal, wav};

fn error(path: &Path) -> OpenError {
    let error = open(path).err().unwrap();
    assert_eq!(probe(path).unwrap_err(), error);
    error
}

/// The name is in the message; a way out follows.
fn assert_told(error: &OpenError, name: &str) {
    let text = error.to_string();
    assert!(text.contains(name), "{text}");
    assert!(text.contains("; ") || text.contains(", "), "{text}");
}

#[test]
fn what_is_no_audio_file_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| -> PathBuf {
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let missing = error(&dir.path().join("missing 🎺.wav"));
    assert!(matches!(missing, OpenError::NotFound { .. }));
    assert_told(&missing, "missing 🎺.wav");
    let folder = error(dir.path());
    assert!(matches!(folder, OpenError::IsDirectory { .. }), "{folder}");
    let empty = error(&file("empty.wav", b""));
    assert!(matches!(empty, OpenError::Empty { .. }), "{empty}");
    assert_told(&empty, "empty.wav");
    let text = "Dear diary, today I recorded nothing at all.\n".repeat(500);
    for name in ["text.wav", "text.mp3", "text.flac", "text.m4a", "text.txt", "text"] {
        let text = error(&file(name, text.as_bytes()));
        assert!(matches!(text, OpenError::NotAudio { .. }), "{text}");
        assert_told(&text, name);
    }
    for bytes in [&b"R"[..], b"RIFF", b"RIFF\0\0\0\0WAVE", b"fLaC", b"OggS", b"ID3", b"\xff\xfb"] {
        error(&file("stub.bin", bytes));
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_refused_without_waiting() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("pipe.wav");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    if made.is_ok_and(|status| status.success()) {
        assert!(matches!(error(&path), OpenError::NotAFile { .. }));
    }
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_says_so() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.wav");
    wav(&path, &signal(1, 100, 48_000), 48_000, BitDepth::S16);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    // The superuser reads everything.
    if std::fs::File::open(&path).is_err() {
        assert!(matches!(error(&path), OpenError::Unreadable { .. }));
    }
}

#[test]
fn of_a_cut_file_comes_in_what_is_there_with_a_warning() {
    let dir = tempfile::tempdir().unwrap();
    let from = dir.path().join("from.wav");
    wav(&from, &signal(2, 200_000, 44_100), 44_100, BitDepth::S16);
    let cases: [(&str, &[&str]); 4] = [
        ("a.flac", &["-c:a", "flac"]),
        ("a.mp3", &["-c:a", "libmp3lame"]),
        ("a.m4a", &["-c:a", "aac", "-movflags", "+faststart"]),
        ("alac.m4a", &["-c:a", "alac", "-movflags", "+faststart"]),
    ];
    for (name, args) in cases {
        let Some(whole) = encode(&from, &dir.path().join(name), args) else {
            continue;
        };
        let bytes = std::fs::read(&whole).unwrap();
        for share in [0.3, 0.6, 0.95] {
            let cut = dir.path().join(format!("cut {name}"));
            std::fs::write(&cut, &bytes[..(bytes.len() as f64 * share) as usize]).unwrap();
            assert_cut(&cut, name, 200_000.0 * share);
        }
    }
}

fn assert_cut(cut: &Path, name: &str, expected: f64) {
    match probe(cut) {
        Ok(known) => {
            let present = known.frames.index();
            assert!((present as f64 - expected).abs() < 30_000.0, "{name}: {present}");
            assert!(known.warnings[0].starts_with("It is cut off: "), "{:?}", known.warnings);
            assert!(known.warnings[0].contains("4.5 s"), "{:?}", known.warnings);
            let (mut reader, stats) = Opener::in_process().open_counted(cut).unwrap();
            assert_eq!(read_all(reader.as_mut(), 5000)[0].len(), present);
            assert!(stats.damaged() <= 1, "{name}: {}", stats.damaged());
        }
        // symphonia does not open an MP4 whose boxes end after its end.
        Err(OpenError::Damaged { problem, .. }) => {
            assert!(problem.contains("it is cut off"), "{problem}");
        }
        Err(other) => panic!("{name}: {other}"),
    }
}

#[test]
fn extreme_but_honest_files_open() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("192k\n7.1 🎛.wav");
    wav(&path, &signal(8, 1000, 192_000), 192_000, BitDepth::S24);
    let known = probe(&path).unwrap();
    assert_eq!((known.channels, known.rate, known.frames), (8, SampleRate(192_000), Frames(1000)));
    assert_eq!(known.channel_names, ["L", "R", "C", "LFE", "Lb", "Rb", "Ls", "Rs"]);
    assert_eq!(read_all(open_at(&path, SampleRate(48_000)).unwrap().as_mut(), 99)[7].len(), 250);
    let one = dir.path().join("one.wav");
    wav(&one, &[vec![0.5]], 8_000, BitDepth::S16);
    let sample = read_all(open(&one).unwrap().as_mut(), 99)[0][0];
    assert!((sample - 0.5).abs() <= 1.0 / 32_768.0, "{sample}");
}

#[test]
fn a_wav_that_is_shorter_than_it_says_has_a_warning() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.wav");
    let whole = signal(2, 1000, 48_000);
    wav(&path, &whole, 48_000, BitDepth::S16);
    assert!(probe(&path).unwrap().warnings.is_empty());
    let bytes = std::fs::read(&path).unwrap();
    for cut in [1, 4, 1999] {
        std::fs::write(&path, &bytes[..bytes.len() - cut]).unwrap();
        let known = probe(&path).unwrap();
        let left = (4000 - cut) / 4;
        assert_eq!(known.frames, Frames::from_index(left));
        let told = "It is cut off: less than 0.1 s of its 0.0 s is missing.";
        assert_eq!(known.warnings, [told]);
        assert_eq!(read_all(open(&path).unwrap().as_mut(), 99)[0].len(), left);
    }
}

/// The place of the bytes a frame in a header.
fn block_align(bytes: &[u8]) -> std::ops::Range<usize> {
    let body = bytes.windows(4).position(|name| name == b"fmt ").unwrap() + 8;
    body + 12..body + 14
}

#[test]
fn a_wav_whose_bytes_a_frame_are_a_lie_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("lie.wav");
    for (depth, honest, lies) in [
        (BitDepth::S16, 4, [1, 2, 3, 5, 6, 8, 400]),
        (BitDepth::S24, 6, [1, 2, 3, 4, 5, 7, 9]),
        (BitDepth::F32, 8, [1, 2, 4, 6, 9, 12, 16]),
    ] {
        wav(&path, &signal(2, 1000, 48_000), 48_000, depth);
        let mut bytes = std::fs::read(&path).unwrap();
        let place = block_align(&bytes);
        assert_eq!(bytes[place.clone()], u16::to_le_bytes(honest));
        let original = read_all(open(&path).unwrap().as_mut(), 99);
        for lie in lies {
            bytes[place.clone()].copy_from_slice(&u16::to_le_bytes(lie));
            std::fs::write(&path, &bytes).unwrap();
            let error = error(&path);
            assert!(matches!(error, OpenError::Damaged { .. }), "{lie}: {error}");
            assert!(error.to_string().contains(&format!("says {lie}")), "{error}");
            assert_told(&error, "lie.wav");
        }
        // Nothing at all is no lie.
        bytes[place].fill(0);
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(read_all(open(&path).unwrap().as_mut(), 99), original);
    }
}

#[test]
fn surround_that_would_decode_wrongly_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let from = dir.path().join("from.wav");
    wav(&from, &signal(6, 50_000, 48_000), 48_000, BitDepth::S16);
    for (name, codec) in [("a.ogg", "libvorbis"), ("a.opus", "libopus")] {
        let to = dir.path().join(name);
        if let Some(file) = encode(&from, &to, &["-ac", "6", "-c:a", codec]) {
            let error = error(&file).to_string();
            assert!(error.contains("surround"), "{error}");
            assert!(error.contains("6 channels"), "{error}");
        }
    }
}

#[test]
fn an_ogg_file_without_its_end_has_a_warning() {
    let dir = tempfile::tempdir().unwrap();
    let from = dir.path().join("from.wav");
    wav(&from, &signal(2, 200_000, 48_000), 48_000, BitDepth::S16);
    for (name, codec) in [("a.ogg", "libvorbis"), ("a.opus", "libopus")] {
        let Some(file) = encode(&from, &dir.path().join(name), &["-c:a", codec]) else {
            continue;
        };
        assert!(probe(&file).unwrap().warnings.is_empty());
        let bytes = std::fs::read(&file).unwrap();
        std::fs::write(&file, &bytes[..bytes.len() * 2 / 3]).unwrap();
        let warnings = probe(&file).unwrap().warnings;
        assert!(warnings[0].starts_with("Its end is missing"), "{warnings:?}");
    }
}

#[test]
fn damage_inside_a_flac_file_is_counted() {
    let dir = tempfile::tempdir().unwrap();
    let from = dir.path().join("from.wav");
    wav(&from, &signal(2, 3_000_000, 48_000), 48_000, BitDepth::S16);
    let to = dir.path().join("a.flac");
    let Some(file) = encode(&from, &to, &["-c:a", "flac"]) else {
        return;
    };
    let bytes = std::fs::read(&file).unwrap();
    let damaged = |share: f64| {
        let mut bytes = bytes.clone();
        let at = (bytes.len() as f64 * share) as usize;
        bytes[at..at + 10].fill(0x55);
        std::fs::write(&file, bytes).unwrap();
        let (mut reader, stats) = Opener::in_process().open_counted(&file).unwrap();
        read_all(reader.as_mut(), 5000);
        let open = || Ok(Opener::in_process().open_counted(&file)?);
        let (two, mut go_on) = (NonZeroUsize::new(2).unwrap(), |_| ControlFlow::Continue(()));
        let whole = Frames::ZERO..Frames(i64::MAX);
        let measured = measure_counted(&open, whole, two, &mut go_on).unwrap();
        assert_eq!(measured.damaged, stats.damaged());
        assert_eq!(measured.silenced(), ["1 place is damaged and counts as silence"]);
        for rate in [48_000, 44_100].map(SampleRate) {
            let dest = dir.path().join("conformed.wav");
            let made = conform(&Opener::in_process(), &file, rate, &dest, &mut go_on).unwrap();
            assert_eq!(made.silenced(), measured.silenced());
        }
        stats.damaged()
    };
    for share in [0.1, 0.33, 0.5, 0.9999] {
        assert_eq!(damaged(share), 1, "{share}");
    }
}

#[test]
fn a_codec_that_is_not_decoded_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let from = dir.path().join("from.wav");
    wav(&from, &signal(2, 50_000, 48_000), 48_000, BitDepth::S16);
    if let Some(file) = encode(&from, &dir.path().join("a.mp4"), &["-c:a", "ac3"]) {
        let error = error(&file);
        assert!(matches!(error, OpenError::UnsupportedCodec { .. }), "{error}");
        assert_told(&error, "AC-3");
    }
    if let Some(file) = encode(&from, &dir.path().join("a.mp2"), &["-c:a", "mp2"]) {
        let text = error(&file).to_string();
        assert!(
            text.ends_with("a.mp2\" -c:a pcm_s16le out.wav")
                && text.contains("holds MP2 audio, which Deskhand cannot decode"),
            "{text}"
        );
    }
}

/// A WAV file of `tag` with audio that is no PCM.
fn foreign_wav(tag: u16) -> Vec<u8> {
    let mut bytes = b"RIFF\0\x10\0\0WAVEfmt \x14\0\0\0".to_vec();
    bytes.extend(tag.to_le_bytes());
    bytes.extend([1, 0, 0x40, 0x1F, 0, 0, 0x59, 6, 0, 0, 65, 0, 0, 0, 2, 0, 64, 1]);
    bytes.extend(b"data\0\x10\0\0");
    bytes.extend([0xD5; 4096]);
    bytes
}

#[test]
fn a_codec_in_a_known_container_is_named_with_the_way_out() {
    let dir = tempfile::tempdir().unwrap();
    let aifc = |codec: &[u8; 4]| {
        let mut bytes = b"FORM\0\0\x08\0AIFCCOMM\0\0\0\x18\0\x01\0\0\x04\0\0\x10".to_vec();
        bytes.extend([0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend(codec);
        bytes.extend(b"\0\0SSND\0\0\x04\x08\0\0\0\0\0\0\0\0");
        bytes.extend([0xD5; 1024]);
        bytes
    };
    let cases: [(&str, Vec<u8>, &str); 10] = [
        ("gsm.wav", foreign_wav(0x31), "GSM 6.10 audio"),
        ("ac3.wav", foreign_wav(0x2000), "AC-3 audio"),
        ("g723.wav", foreign_wav(0x14), "G.723 ADPCM audio"),
        ("wma.wav", foreign_wav(0x161), "Windows Media Audio 2 audio"),
        ("odd.wav", foreign_wav(0x7777), "audio in codec 0x7777"),
        ("mace.aifc", aifc(b"MAC6"), "MACE 6:1 audio"),
        ("gsm.aifc", aifc(b"GSM "), "GSM 6.10 audio"),
        ("odd.aifc", aifc(b"Zz9\x01"), "audio in codec \"Zz9\\x01\""),
        ("a.wma", b"\x30\x26\xB2\x75\x8E\x66\xCF\x11 and more".to_vec(), "Windows Media"),
        ("a.amr", b"#!AMR\n and the rest of it".to_vec(), "AMR audio"),
    ];
    for (name, bytes, codec) in cases {
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let text = error(&path).to_string();
        assert!(text.contains(codec), "{name}: {text}");
        assert!(text.contains("ffmpeg -i ") && text.ends_with("-c:a pcm_s16le out.wav"), "{text}");
    }
}

#[test]
fn samples_of_absurd_size_are_resampled_to_numbers() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("loud.wav");
    wav(&path, &[[f32::MAX, f32::MIN, 0.5].repeat(10_000)], 44_100, BitDepth::F32);
    let out = read_all(open_at(&path, SampleRate(48_000)).unwrap().as_mut(), 999);
    assert!(out[0].iter().all(|sample| sample.is_finite()));
}

#[test]
fn mp3_inside_of_wav_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let from = dir.path().join("from.wav");
    wav(&from, &signal(2, 88_200, 44_100), 44_100, BitDepth::S16);
    if let Some(file) = encode(&from, &dir.path().join("a.wav"), &["-c:a", "libmp3lame"]) {
        let known = probe(&file).unwrap();
        assert!((88_200..88_200 + 4 * 1152).contains(&known.frames.index()), "{:?}", known.frames);
        assert_eq!(known.sample_format, "MP3");
    }
}

#[test]
fn an_mp4_whose_recorder_never_finished_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let from = dir.path().join("from.wav");
    wav(&from, &signal(2, 88_200, 44_100), 44_100, BitDepth::S16);
    let Some(file) = encode(&from, &dir.path().join("a.mp4"), &["-c:a", "aac"]) else {
        return;
    };
    let mut bytes = std::fs::read(&file).unwrap();
    let index = bytes.windows(4).position(|name| name == b"moov").unwrap() - 4;
    bytes.truncate(index);
    std::fs::write(&file, bytes).unwrap();
    let text = error(&file).to_string();
    assert!(text.contains("the recorder never finished it"), "{text}");
}

/// Everything that can be done with a file, without a panic and in bounded time.
fn use_it(path: &Path) {
    let Ok(mut reader) = open(path) else { return };
    let total = reader.frames();
    let channels = reader.channels();
    let mut block = vec![vec![0.0f32; 2048]; channels];
    for at in [0, total.0 / 2, total.0 - 1, 1, total.0 / 3] {
        let mut planes: Vec<&mut [f32]> = block.iter_mut().map(Vec::as_mut_slice).collect();
        if reader.read(Frames(at), &mut planes).is_ok() {
            assert!(block.iter().flatten().all(|sample| sample.is_finite()));
        }
    }
}

fn fixtures(dir: &Path) -> Vec<Vec<u8>> {
    let from = dir.join("from.wav");
    wav(&from, &signal(2, 12_000, 44_100), 44_100, BitDepth::S16);
    let cases: [(&str, &[&str]); 8] = [
        ("a.flac", &["-c:a", "flac"]),
        ("a.mp3", &["-c:a", "libmp3lame"]),
        ("a.m4a", &["-c:a", "aac"]),
        ("b.m4a", &["-c:a", "alac"]),
        ("a.ogg", &["-c:a", "libvorbis"]),
        ("a.opus", &["-c:a", "libopus"]),
        ("a.aac", &["-c:a", "aac"]),
        ("adpcm.wav", &["-c:a", "adpcm_ms"]),
    ];
    let made = cases.iter().filter_map(|(name, args)| encode(&from, &dir.join(name), args));
    let mut all: Vec<Vec<u8>> = made.map(|path| std::fs::read(path).unwrap()).collect();
    all.push(std::fs::read(&from).unwrap());
    all
}

#[test]
fn mutated_files_never_panic() {
    let dir = tempfile::tempdir().unwrap();
    let fixtures = fixtures(dir.path());
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(250));
    let change = (
        0..fixtures.len(),
        prop::collection::vec((any::<u32>(), any::<u8>()), 1..20),
        any::<bool>(),
    );
    let path = dir.path().join("mutant");
    runner
        .run(&change, |(which, changes, at_the_head)| {
            let mut bytes = fixtures[which].clone();
            let reach = if at_the_head { bytes.len().min(600) } else { bytes.len() };
            for (at, byte) in changes {
                bytes[at as usize % reach] = byte;
            }
            std::fs::write(&path, &bytes).unwrap();
            use_it(&path);
            Ok(())
        })
        .unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]
    #[test]
    fn random_bytes_never_panic(
        head in prop::sample::select(vec![&b"RIFF\x10\0\0\0WAVE"[..], b"FORM\0\0\0\x20AIFFCOMM", b"fLaC\0\0\0\x22",
            b"OggS\0\x02", b"\0\0\0\x20ftypM4A ", b"\xff\xfb\x90\x64", b"\xff\xf1\x50\x80", b"ID3\x04\0\0\0\0\0\0"]),
        body in prop::collection::vec(any::<u8>(), 0..3000),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        std::fs::write(&path, [head, &body].concat()).unwrap();
        use_it(&path);
    }
}
