//! QuickTime and MP4 without AAC: raw samples of every kind, and ALAC.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod support;

use deskhand_media::{BitDepth, open, probe};
use support::boxes::{Raw, boxed, film};
use support::{encode, read_all, read_by_ffmpeg_and_here, signal, wav};

#[test]
fn samples_have_the_byte_order_that_the_file_means() {
    let dir = tempfile::tempdir().unwrap();
    let from = dir.path().join("from.wav");
    wav(&from, &signal(2, 48_000, 48_000), 48_000, BitDepth::S16);
    let original = read_all(open(&from).unwrap().as_mut(), 1000);
    let kinds = ["s16", "s24", "s32", "f32", "f64"];
    for codec in
        kinds.iter().flat_map(|kind| ["be", "le"].map(|order| format!("pcm_{kind}{order}")))
    {
        let to = dir.path().join(format!("{codec}.mov"));
        let Some(file) = encode(&from, &to, &["-c:a", &codec]) else {
            return;
        };
        assert!(read_all(open(&file).unwrap().as_mut(), 4096) == original, "{codec}");
    }
}

#[test]
fn alac_and_samples_of_any_size_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let from = dir.path().join("from.wav");
    for (codec, channels, format) in [
        ("alac", 2, "ALAC 16-bit"),
        ("alac", 6, "ALAC 16-bit"),
        ("pcm_s8", 2, "PCM 8-bit"),
        ("pcm_u8", 1, "PCM 8-bit"),
        ("pcm_alaw", 2, "A-law"),
        ("pcm_mulaw", 1, "mu-law"),
        ("pcm_s16le", 4, "PCM 16-bit"),
        ("pcm_s24be", 6, "PCM 24-bit"),
    ] {
        wav(&from, &signal(channels, 20_000, 48_000), 48_000, BitDepth::S16);
        let to = dir.path().join("a.mov");
        let Some(file) = encode(&from, &to, &["-c:a", codec]) else {
            return;
        };
        let known = probe(&file).unwrap();
        assert_eq!((known.sample_format.as_str(), known.channels), (format, channels), "{codec}");
        let [expected, found] = read_by_ffmpeg_and_here(&file, dir.path());
        assert_eq!(known.frames.index(), 20_000, "{codec}");
        assert!(found == expected, "{codec}");
    }
}

/// A kind of samples, the bits and boxes of its entry, and a sample of 0.25.
type Case<'a> = (&'a [u8; 4], u16, Vec<u8>, &'a [u8]);

#[test]
fn what_a_sample_entry_says_is_believed() {
    let dir = tempfile::tempdir().unwrap();
    let little = boxed(b"wave", &[&boxed(b"enda", &[&[0, 1]])]);
    let config = |little: u8, bits: u8| boxed(b"pcmC", &[&[0, 0, 0, 0, little, bits]]);
    let quarter = 0.25f32.to_be_bytes();
    let cases: [Case<'_>; 9] = [
        (b"raw ", 8, Vec::new(), &[0xA0]),
        (b"NONE", 16, Vec::new(), &[0x20, 0]),
        (b"twos", 8, Vec::new(), &[0x20]),
        (b"sowt", 16, Vec::new(), &[0, 0x20]),
        (b"in24", 24, little, &[0, 0, 0x20]),
        (b"in24", 16, Vec::new(), &[0x20, 0, 0]),
        (b"ipcm", 16, config(1, 24), &[0, 0, 0x20]),
        (b"ipcm", 16, config(0, 16), &[0x20, 0]),
        (b"fpcm", 16, config(0, 32), &quarter),
    ];
    for (kind, bits, boxes, sample) in cases {
        // Old programs write 1 for the bytes of a frame of any size.
        for frame in [2 * sample.len() as u32, 1] {
            let path = dir.path().join("a.mov");
            let raw = Raw { kind, channels: 2, bits, boxes: boxes.clone(), frame };
            std::fs::write(&path, film(&raw, 600, &sample.repeat(1200))).unwrap();
            let told = kind.escape_ascii();
            let found = read_all(open(&path).unwrap().as_mut(), 99);
            assert_eq!(found, vec![vec![0.25; 600]; 2], "{told} {bits} {frame}");
        }
    }
}
