//! An AAF file read back by a reader of its own.

mod reader;

use super::super::testing::{clip, small};
use super::super::timecode::FrameRate;
use super::super::timeline::{Clip, Timeline, Track};
use super::{AafAudio, AafOptions, write};
use deskhand_dsp::{Decibels, Frames, SampleRate};
use reader::Aaf;
use std::io::Cursor;
use std::time::{Duration, SystemTime};

/// What is written, read again.
fn written(timeline: &Timeline, audio: AafAudio) -> Aaf {
    let created = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let file = write(timeline, AafOptions { audio, created }, Cursor::new(Vec::new())).unwrap();
    Aaf::open(file.into_inner())
}

#[test]
fn a_small_timeline_is_this_composition() {
    let mut timeline = small(FrameRate::Fps2997Drop);
    timeline.handles = Some(2.0);
    let expected = "\
Episode 1
1 TC1 30000/1001: timecode 107892 30 drop, 331
2 Host 48000/1: silence 96000, fade 48000 cut 0 linear, Host talk from 0 for 240000 at -3.0 dB, \
fade 48000 cut 24000 linear, Host talk from 960000 for 192000 = 432000
3 Guest.L 48000/1: pan 0.00, gain -6.0 dB, silence 96000, Guest & friend from 96000 for 144000, \
silence 144000, Guest & friend from 96000 for 144000 muted = 528000
4 Guest.R 48000/1: gain -6.0 dB, silence 96000, Guest & friend from 96000 for 144000, \
silence 144000, Guest & friend from 96000 for 144000 muted = 528000
5 Markers 48000/1: Intro at 48000 for 0, A < B at 288000 for 96000
Guest & friend: /audio/Guest%20%26%20friend.wav 44100 Hz, 26460000 frames, 2 channels; 0 to 336000
Host talk: /audio/Host%20talk.wav 48000 Hz, 28800000 frames, 1 channels; 0 to 336000
Host talk: /audio/Host%20talk.wav 48000 Hz, 28800000 frames, 1 channels; 864000 to 1248000
";
    let told = written(&timeline, AafAudio::Linked).told();
    assert_eq!(told, expected, "\n{told}");
}

#[test]
fn every_reference_leads_to_an_object_of_the_table() {
    written(&small(FrameRate::Fps25), AafAudio::Linked).check();
}

#[test]
fn the_same_timeline_is_the_same_file() {
    let bytes = |timeline: &Timeline| written(timeline, AafAudio::Linked).mob_ids();
    let timeline = small(FrameRate::Fps25);
    let mut other = timeline.clone();
    other.tracks[0].clips[0].gain = Decibels(1.0);
    assert_eq!(bytes(&timeline), bytes(&timeline));
    let same = bytes(&timeline).intersection(&bytes(&other)).count();
    // Files stay what they are, the composition is another one.
    assert_eq!((bytes(&timeline).len(), same), (5, 4));
}

/// A WAV file of 16 bits whose samples count up, with a chunk before them.
fn wave(rate: u32, channels: u16, frames: u16) -> Vec<u8> {
    let mut file = b"RIFF\0\0\0\0WAVEjunk\x03\0\0\0abc\0fmt \x10\0\0\0\x01\0".to_vec();
    file.extend(channels.to_le_bytes());
    file.extend(rate.to_le_bytes());
    file.extend((rate * 2 * u32::from(channels)).to_le_bytes());
    file.extend((2 * channels).to_le_bytes());
    file.extend(b"\x10\0data");
    file.extend((u32::from(frames) * 2 * u32::from(channels)).to_le_bytes());
    for frame in 0..frames {
        (0..channels).for_each(|channel| file.extend((frame + channel).to_le_bytes()));
    }
    file
}

#[test]
fn what_plays_is_embedded_with_its_handles() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.wav");
    std::fs::write(&path, wave(44_100, 2, 50_000)).unwrap();
    let mut timeline = small(FrameRate::Fps25);
    timeline.handles = Some(0.1);
    timeline.media.truncate(1);
    timeline.media[0].path = path.to_string_lossy().into_owned();
    timeline.media[0].frames = Frames(54_422);
    let first = Clip { start: Frames(10_000), ..clip(0, 1000) };
    let second = Clip { start: Frames(40_000), ..clip(1000, 14_422) };
    timeline.tracks = vec![Track { clips: vec![first, second], ..Track::default() }];
    timeline.tracks[0].clips[0].media = 0;
    let mut aaf = written(&timeline, AafAudio::Embedded);
    aaf.check();
    // 4800 frames of handle, and then to where 160 frames of the timeline are 147 of the file.
    let expected = [(5120 * 147 / 160, 15_840 * 147 / 160), (35_200 * 147 / 160, 50_000)];
    let essence = aaf.essence();
    assert_eq!(essence.len(), 2);
    for (wave, (from, to)) in essence.iter().zip(expected) {
        let first = u16::from_le_bytes([wave[44], wave[45]]);
        assert_eq!((i64::from(first), (wave.len() as i64 - 44) / 4), (from, to - from));
    }
    assert!(aaf.told().contains("Host talk from 4880 for 1000, Host talk from 4800 for 14422"));
}

#[test]
fn a_file_that_cannot_be_embedded_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.wav");
    let whole = wave(48_000, 1, 100);
    let mut timeline = small(FrameRate::Fps25);
    timeline.media.iter_mut().for_each(|m| m.path = path.to_string_lossy().into_owned());
    let options = AafOptions { audio: AafAudio::Embedded, created: SystemTime::UNIX_EPOCH };
    let failed = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        write(&timeline, options, Cursor::new(Vec::new())).err().map(|error| error.to_string())
    };
    for end in 0..48 {
        let message = failed(&whole[..end]).unwrap();
        assert!(message.contains("a.wav: this is no WAV file"), "{message}");
    }
    // A header that promises more than there is.
    assert!(failed(&whole[..whole.len() - 1]).unwrap().contains("check that the file is there"));
    let mut of_another_kind = whole.clone();
    of_another_kind[32] = 85;
    assert!(failed(&of_another_kind).unwrap().contains("this is no WAV file"));
    std::fs::remove_file(&path).unwrap();
    let missing = write(&timeline, options, Cursor::new(Vec::new())).err().unwrap().to_string();
    assert!(missing.contains("check that the file is there"), "{missing}");
}

#[test]
fn rates_of_files_are_kept() {
    let mut timeline = small(FrameRate::Fps25);
    timeline.rate = SampleRate(96_000);
    let told = written(&timeline, AafAudio::Linked).told();
    assert!(told.contains("2 Host 96000/1"), "{told}");
    assert!(told.contains("44100 Hz, 13230000 frames"), "{told}");
}
