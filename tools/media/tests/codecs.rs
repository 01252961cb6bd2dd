//! Codecs inside of containers that hold many: read where Deskhand can, or refused by name.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod support;

use deskhand_media::{BitDepth, probe};
use support::{encode, read_by_ffmpeg_and_here, signal, wav};

/// The page of Ogg with which a stream starts.
fn first_page(serial: u8, packet: &[u8]) -> Vec<u8> {
    let mut page = b"OggS\0\x02".to_vec();
    page.extend([0; 8]);
    page.extend([serial, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, packet.len() as u8]);
    page.extend(packet);
    let sum = checksum(&page).to_le_bytes();
    page[22..26].copy_from_slice(&sum);
    page
}

/// The checksum of a page (RFC 3533 section 6).
fn checksum(page: &[u8]) -> u32 {
    page.iter().fold(0, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte) << 24, |sum, _| {
            if sum >> 31 == 1 { sum << 1 ^ 0x04C1_1DB7 } else { sum << 1 }
        })
    })
}

/// A WAV file with this tag, whose audio is no PCM; `inner` is the tag inside an extensible one.
fn tagged(tag: u16, inner: u16) -> Vec<u8> {
    let mut bytes = b"RIFF\x44\x10\0\0WAVEfmt \x28\0\0\0".to_vec();
    bytes.extend(tag.to_le_bytes());
    bytes.extend([1, 0, 0x40, 0x1F, 0, 0, 0x59, 6, 0, 0, 65, 0, 0, 0, 22, 0, 64, 1, 0, 0, 0, 0]);
    bytes.extend(inner.to_le_bytes());
    bytes.extend([0; 14]);
    bytes.extend(b"data\0\x10\0\0");
    bytes.extend([0xD5; 4096]);
    bytes
}

#[test]
fn a_codec_that_is_not_decoded_has_its_name_in_every_container() {
    let dir = tempfile::tempdir().unwrap();
    let mut hcom = vec![0; 200];
    hcom[1..7].copy_from_slice(b"\x05drums");
    hcom[65..69].copy_from_slice(b"FSSD");
    hcom[128..132].copy_from_slice(b"HCOM");
    let speex = [&b"Speex   1.2.0"[..], &[0; 67]].concat();
    let video = first_page(1, b"\x80theora and more of it");
    let cases: [(&str, Vec<u8>, &str); 8] = [
        ("a.ogg", first_page(2, &speex), "Speex audio"),
        ("film.ogg", [video, first_page(2, &speex)].concat(), "Speex audio"),
        ("celt.ogg", first_page(2, b"CELT    0.11.1 and more of it"), "CELT audio"),
        ("g722.wav", tagged(0x028F, 0), "G.722 audio"),
        ("flash.wav", tagged(0x5346, 0), "Flash ADPCM audio"),
        ("extensible.wav", tagged(0xFFFE, 0xA109), "Speex audio"),
        ("odd.wav", tagged(0x7778, 0), "audio in codec 0x7778"),
        ("drums.hcom", hcom, "HCOM audio"),
    ];
    for (name, bytes, codec) in cases {
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let text = probe(&path).unwrap_err().to_string();
        let told = format!("holds {codec}, which Deskhand cannot decode; convert it first: ffmpeg");
        assert!(text.contains(&told), "{name}: {text}");
    }
}

#[test]
fn mpeg_4_and_matroska_name_what_they_hold() {
    let dir = tempfile::tempdir().unwrap();
    let from = dir.path().join("from.wav");
    wav(&from, &signal(1, 32_000, 16_000), 16_000, BitDepth::S16);
    let cases: [(&str, &str, &str); 8] = [
        ("mp2.mp4", "mp2", "MP2 audio"),
        ("mp2.mkv", "mp2", "MP2 audio"),
        ("vorbis.mp4", "libvorbis", "Vorbis audio"),
        ("g722.mka", "g722", "G.722 audio"),
        ("speex.mka", "libspeex", "Speex audio"),
        ("adpcm.mka", "adpcm_ms", "Microsoft ADPCM audio"),
        ("adpcm.mov", "adpcm_ms", "Microsoft ADPCM audio"),
        ("ima.mov", "adpcm_ima_qt", "IMA ADPCM audio"),
    ];
    for (name, codec, told) in cases {
        if let Some(file) = encode(&from, &dir.path().join(name), &["-c:a", codec]) {
            let text = probe(&file).unwrap_err().to_string();
            assert!(text.contains(&format!("holds {told}, which")), "{name}: {text}");
        }
    }
}

#[test]
fn samples_of_windows_in_matroska_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let from = dir.path().join("from.wav");
    for (codec, channels, format) in [
        ("pcm_alaw", 2, "A-law"),
        ("pcm_mulaw", 1, "mu-law"),
        ("pcm_u8", 2, "PCM 8-bit"),
        ("pcm_s24le", 4, "PCM 24-bit"),
    ] {
        wav(&from, &signal(channels, 48_000, 48_000), 48_000, BitDepth::S16);
        let Some(file) = encode(&from, &dir.path().join("a.mka"), &["-c:a", codec]) else {
            return;
        };
        let known = probe(&file).unwrap();
        assert_eq!((known.sample_format.as_str(), known.channels), (format, channels), "{codec}");
        let [expected, found] = read_by_ffmpeg_and_here(&file, dir.path());
        // Matroska tells lengths to the millisecond.
        for (expected, found) in expected.iter().zip(&found) {
            assert!(expected.len().abs_diff(found.len()) <= 48, "{codec}: {}", found.len());
            let both = expected.len().min(found.len());
            assert!(expected[..both] == found[..both], "{codec}");
        }
    }
}
