//! Every kind of uncompressed file, made byte by byte.

use super::*;
use crate::stats::ReadStats;
use deskhand_dsp::FrameReader;
use proptest::prelude::*;
use std::sync::Arc;

/// A chunk: id, size, body, padding.
fn chunk(id: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let mut out = id.to_vec();
    out.extend(u32::try_from(body.len()).unwrap().to_le_bytes());
    out.extend(body);
    out.resize(out.len() + body.len() % 2, 0);
    out
}

fn fmt(tag: u16, channels: u16, rate: u32, bytes: u16) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend(tag.to_le_bytes());
    out.extend(channels.to_le_bytes());
    out.extend(rate.to_le_bytes());
    out.extend((rate * u32::from(channels * bytes)).to_le_bytes());
    out.extend((channels * bytes).to_le_bytes());
    out.extend((bytes * 8).to_le_bytes());
    out
}

fn riff(chunks: &[Vec<u8>]) -> Vec<u8> {
    let body = chunks.concat();
    let mut out = b"RIFF".to_vec();
    out.extend(u32::try_from(body.len() + 4).unwrap().to_le_bytes());
    out.extend(b"WAVE");
    out.extend(body);
    out
}

fn opened(bytes: &[u8]) -> Result<(Probe, Vec<Vec<f32>>, u64), OpenError> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.wav");
    std::fs::write(&path, bytes).unwrap();
    let stats = Arc::new(ReadStats::default());
    let Some(mut reader) = PcmReader::open(&path, Arc::clone(&stats))? else {
        return Err(OpenError::NotAudio { file: shown(&path) });
    };
    let mut out = vec![vec![9.0; reader.frames().index()]; reader.channels()];
    let mut planes: Vec<&mut [f32]> = out.iter_mut().map(Vec::as_mut_slice).collect();
    let read = reader.read(Frames::ZERO, &mut planes).unwrap();
    assert_eq!(read, reader.frames().index());
    Ok((reader.probe(), out, stats.nonfinite()))
}

fn simple(tag: u16, channels: u16, bytes: u16, data: &[u8]) -> Vec<u8> {
    riff(&[chunk(b"fmt ", &fmt(tag, channels, 48_000, bytes)), chunk(b"data", data)])
}

#[test]
fn every_stored_kind_converts_exactly() {
    type Case<'a> = (u16, u16, &'a [u8], &'a [f32], &'a str);
    let cases: [Case<'_>; 6] = [
        (1, 1, &[0, 128, 255], &[-1.0, 0.0, 127.0 / 128.0], "8-bit"),
        (1, 2, &[0, 0x80, 0, 0, 0xFF, 0x7F], &[-1.0, 0.0, 32767.0 / 32768.0], "16-bit"),
        (1, 3, &[0, 0, 0x80, 1, 0, 0], &[-1.0, 1.0 / 8_388_608.0], "24-bit"),
        (1, 4, &[0, 0, 0, 0x80, 0, 0, 0, 0x40], &[-1.0, 0.5], "32-bit"),
        (3, 4, &0.25f32.to_le_bytes(), &[0.25], "32-bit float"),
        (3, 8, &(-0.125f64).to_le_bytes(), &[-0.125], "64-bit float"),
    ];
    for (tag, bytes, data, expected, name) in cases {
        let (probe, out, _) = opened(&simple(tag, 1, bytes, data)).unwrap();
        assert_eq!(out, [expected]);
        assert_eq!(probe.sample_format, name);
        assert_eq!((probe.format.as_str(), probe.rate.0), ("WAV", 48_000));
    }
}

#[test]
fn channels_are_taken_apart() {
    for channels in [1u16, 2, 3, 8] {
        let samples: Vec<i16> = (0..channels as i16 * 5).collect();
        let data: Vec<u8> = samples.iter().flat_map(|s| s.to_le_bytes()).collect();
        let (probe, out, _) = opened(&simple(1, channels, 2, &data)).unwrap();
        assert_eq!(probe.channels, usize::from(channels));
        for (c, plane) in out.iter().enumerate() {
            let expected: Vec<f32> =
                (0..5).map(|n| f32::from(n * channels as i16 + c as i16) / 32768.0).collect();
            assert_eq!(*plane, expected);
        }
    }
}

#[test]
fn extensible_names_its_channels() {
    let mut body = fmt(0xFFFE, 6, 192_000, 3);
    body.extend(22u16.to_le_bytes());
    body.extend(20u16.to_le_bytes());
    body.extend(0x60Fu32.to_le_bytes());
    body.extend(1u16.to_le_bytes());
    body.extend([0; 14]);
    let bytes = riff(&[chunk(b"fmt ", &body), chunk(b"data", &[0; 36])]);
    let (probe, ..) = opened(&bytes).unwrap();
    assert_eq!(probe.channel_names, ["L", "R", "C", "LFE", "Ls", "Rs"]);
    assert_eq!((probe.frames.0, probe.rate.0), (2, 192_000));
}

#[test]
fn broadcast_wave_knows_when() {
    let mut bext = vec![0u8; 602];
    bext[338..346].copy_from_slice(&5_000_000_000u64.to_le_bytes());
    let odd = chunk(b"LIST", b"odd");
    let fmt = chunk(b"fmt ", &fmt(1, 1, 48_000, 2));
    let bytes = riff(&[chunk(b"bext", &bext), odd, fmt, chunk(b"data", &[0; 4])]);
    let (probe, ..) = opened(&bytes).unwrap();
    assert_eq!(probe.origin, Some(Frames(5_000_000_000)));
    assert_eq!(probe.frames.0, 2);
}

#[test]
fn rf64_takes_its_size_from_ds64() {
    let mut ds64 = Vec::new();
    ds64.extend(0u64.to_le_bytes());
    ds64.extend(8u64.to_le_bytes());
    ds64.extend(4u64.to_le_bytes());
    ds64.extend(0u32.to_le_bytes());
    let mut data = chunk(b"data", &[1, 0, 2, 0, 3, 0, 4, 0]);
    data[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
    let fmt = chunk(b"fmt ", &fmt(1, 1, 48_000, 2));
    let mut bytes = riff(&[chunk(b"ds64", &ds64), fmt, data, chunk(b"LIST", &[9; 40])]);
    bytes[..4].copy_from_slice(b"RF64");
    let (probe, out, _) = opened(&bytes).unwrap();
    assert_eq!((probe.format.as_str(), probe.frames.0), ("RF64", 4));
    assert_eq!(out[0][3], 4.0 / 32768.0);
    assert_eq!(probe.warnings, Vec::<String>::new());
}

#[test]
fn a_lying_header_is_clamped_and_told() {
    let mut bytes = simple(1, 2, 2, &[1; 48_000]);
    set_data_size(&mut bytes, 48_000, 192_000);
    let (probe, ..) = opened(&bytes).unwrap();
    assert_eq!(probe.frames.0, 12_000);
    assert_eq!(probe.warnings, ["It is cut off: its header promises 1.0 s, 0.2 s are there."]);
}

/// Makes the size field before `length` bytes of audio at the end say `size`.
fn set_data_size(bytes: &mut [u8], length: usize, size: u32) {
    let at = bytes.len() - length - 4;
    bytes[at..at + 4].copy_from_slice(&size.to_le_bytes());
}

/// Mono samples of 16 bits at 48 kHz, all nonzero.
fn noise(frames: usize) -> Vec<u8> {
    (0..frames as u32).flat_map(|n| [(n.wrapping_mul(2_654_435_761) >> 24) as u8, 1]).collect()
}

#[test]
fn an_unfinished_recording_is_read_to_its_end() {
    for (riff, size, field) in [
        (36, 0, "0"),
        (0, 0, "0"),
        (u32::MAX, 0, "0"),
        (u32::MAX, u32::MAX, "a placeholder"),
        (0x7FFF_F024, 0x7FFF_F000, "a placeholder"),
        (36, 0x8000_0000, "a placeholder"),
    ] {
        let data = noise(96_000);
        let mut bytes = simple(1, 1, 2, &data);
        bytes[4..8].copy_from_slice(&u32::to_le_bytes(riff));
        set_data_size(&mut bytes, data.len(), size);
        let (probe, ..) = opened(&bytes).unwrap();
        assert_eq!(probe.frames.0, 96_000);
        let told = format!(
            "The recorder never finished this file (its size field is {field}). Deskhand read 2.0 s of \
             audio from it."
        );
        assert_eq!(probe.warnings, [told]);
    }
}

#[test]
fn audio_behind_the_end_that_the_header_says_is_read() {
    let data = noise(96_000);
    let mut bytes = simple(1, 1, 2, &data);
    set_data_size(&mut bytes, data.len(), 96_000);
    let (probe, out, _) = opened(&bytes).unwrap();
    assert_eq!((probe.frames.0, out[0].len()), (96_000, 96_000));
    let told = "Its header says 1.0 s, but it holds 2.0 s. Deskhand read all of it.";
    assert_eq!(probe.warnings, [told]);
}

#[test]
fn what_is_behind_the_audio_is_named_and_no_noise() {
    let data = noise(48_000);
    let second = simple(1, 1, 2, &data);
    let with = |rest: &[u8]| opened(&[&simple(1, 1, 2, &data), rest].concat()).unwrap().0;
    let list = chunk(b"LIST", b"INFO");
    for silent in [&[][..], &[0; 3], &[0; 9000], &list, b"TAG and a title of 128 bytes"] {
        let probe = with(silent);
        assert_eq!((probe.frames.0, probe.warnings), (48_000, Vec::new()));
    }
    // The reader of joined files reads them all, except those that begin with RF64.
    let mut first = simple(1, 1, 2, &data);
    assert!(opened(&[&first[..], &second].concat()).is_err() == cfg!(feature = "foreign"));
    first[..4].copy_from_slice(b"RF64");
    let joined = opened(&[&first[..], &second].concat()).unwrap().0;
    assert_eq!(joined.frames.0, 48_000);
    let told = "Another file of 96 kB is joined to its end";
    assert!(joined.warnings[0].starts_with(told), "{:?}", joined.warnings);
    let odd = with(&[7; 100]);
    assert!(odd.warnings[0].starts_with("After its audio come 100 bytes"), "{:?}", odd.warnings);
    let behind_a_chunk = with(&[&list[..], &[7; 5000]].concat());
    assert_eq!(behind_a_chunk.frames.0, 48_000);
    assert!(behind_a_chunk.warnings[0].contains("come 5 kB"), "{:?}", behind_a_chunk.warnings);
}

#[test]
fn an_odd_chunk_without_its_pad_byte_hides_nothing() {
    let format = chunk(b"fmt ", &fmt(1, 1, 48_000, 2));
    let mut odd = chunk(b"LIST", b"INFOodd");
    for pad in [true, false] {
        let bytes = riff(&[format.clone(), odd.clone(), chunk(b"data", &noise(500))]);
        let (probe, out, _) = opened(&bytes).unwrap();
        assert_eq!((probe.frames.0, probe.warnings), (500, Vec::new()), "pad {pad}");
        assert_eq!(out[0][1], 1.0 / 128.0 + 158.0 / 32_768.0);
        odd.pop();
    }
    // After the audio, whose own size is odd.
    let mut data = chunk(b"data", &[&noise(500)[..], &[1]].concat());
    data.pop();
    let bytes = riff(&[format, data, chunk(b"LIST", b"INFO")]);
    assert_eq!(opened(&bytes).unwrap().0.warnings, Vec::<String>::new());
}

#[test]
fn a_missing_part_and_an_empty_one_are_told_apart() {
    let format = chunk(b"fmt ", &fmt(1, 1, 48_000, 2));
    let list = chunk(b"LIST", b"INFO");
    let missing = opened(&riff(&[format.clone(), list.clone()])).unwrap_err();
    assert!(missing.to_string().contains("no data chunk"), "{missing}");
    let empty = opened(&riff(&[format, chunk(b"data", b""), list])).unwrap_err();
    assert!(empty.to_string().contains("its length is 0"), "{empty}");
}

#[test]
fn a_large_file_whose_ds64_was_never_written_is_read() {
    let data = noise(48_000);
    for size in [0, u64::MAX] {
        let ds64 = [0u64.to_le_bytes(), size.to_le_bytes(), [0; 8]].concat();
        let format = chunk(b"fmt ", &fmt(1, 1, 48_000, 2));
        let mut bytes = riff(&[chunk(b"ds64", &ds64), format, chunk(b"data", &data)]);
        bytes[..4].copy_from_slice(b"RF64");
        set_data_size(&mut bytes, data.len(), u32::MAX);
        let (probe, ..) = opened(&bytes).unwrap();
        assert_eq!(probe.frames.0, 48_000);
        assert!(
            probe.warnings[0].starts_with("The recorder never finished"),
            "{:?}",
            probe.warnings
        );
    }
}

#[test]
fn aiff_whose_sizes_are_wrong_is_read_to_its_end() {
    let data = noise(88_200);
    let whole = aiff(None, 16, 88_200, &data);
    let sound = whole.len() - data.len() - 12;
    let sized = |frames: u32, size: u32| {
        let mut bytes = aiff(None, 16, frames, &data);
        bytes[sound..sound + 4].copy_from_slice(&size.to_be_bytes());
        let (probe, ..) = opened(&bytes).unwrap();
        assert_eq!(probe.frames.0, 88_200, "{frames} {size}");
        probe.warnings.first().cloned().unwrap_or_default()
    };
    assert_eq!(sized(88_200, 176_408), "");
    for (frames, size) in [(0, 0), (0, 8), (0, 176_408), (0x3F80_0000, 0x7F00_0008), (0, u32::MAX)]
    {
        assert!(sized(frames, size).starts_with("The recorder never finished this file"));
    }
    let more = "Its header says 1.0 s, but it holds 2.0 s. Deskhand read all of it.";
    assert_eq!(sized(44_100, 88_208), more);
    assert_eq!(sized(44_100, 176_408), more);
}

#[test]
fn impossible_headers_are_refused() {
    let error = |bytes: &[u8]| opened(bytes).unwrap_err();
    assert!(matches!(error(&simple(1, 2, 2, &[])), OpenError::NoFrames { .. }));
    assert!(matches!(error(&simple(1, 2, 2, &[1, 2, 3])), OpenError::NoFrames { .. }));
    assert!(matches!(error(&simple(1, 33, 2, &[0; 66])), OpenError::TooManyChannels { .. }));
    assert!(matches!(error(&simple(1, 0, 2, &[0; 66])), OpenError::Damaged { .. }));
    let slow = riff(&[chunk(b"fmt ", &fmt(1, 1, 7999, 2)), chunk(b"data", &[0; 4])]);
    assert!(matches!(error(&slow), OpenError::RateOutOfRange { .. }));
    assert!(matches!(error(&riff(&[chunk(b"data", &[0; 4])])), OpenError::Damaged { .. }));
}

#[test]
fn what_is_not_a_number_becomes_silence_and_is_counted() {
    let samples = [f32::NAN, 0.5, f32::INFINITY, -0.5];
    let data: Vec<u8> = samples.iter().flat_map(|s| s.to_le_bytes()).collect();
    let (_, out, bad) = opened(&simple(3, 2, 4, &data)).unwrap();
    assert_eq!((out, bad), (vec![vec![0.0, 0.0], vec![0.5, -0.5]], 2));
    let huge = 1e300f64.to_le_bytes();
    assert_eq!(opened(&simple(3, 1, 8, &huge)).unwrap().2, 1);
}

/// An AIFF chunk: sizes are big-endian.
fn aiff_chunk(id: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let mut out = chunk(id, body);
    out[4..8].copy_from_slice(&u32::try_from(body.len()).unwrap().to_be_bytes());
    out
}

fn aiff(codec: Option<&[u8; 4]>, bits: u16, frames: u32, data: &[u8]) -> Vec<u8> {
    let mut comm = 1u16.to_be_bytes().to_vec();
    comm.extend(frames.to_be_bytes());
    comm.extend(bits.to_be_bytes());
    comm.extend([0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0]);
    comm.extend(codec.into_iter().flatten());
    let mut body = if codec.is_some() { b"AIFC".to_vec() } else { b"AIFF".to_vec() };
    body.extend(aiff_chunk(b"COMM", &comm));
    body.extend(aiff_chunk(b"SSND", &[&[0; 8], data].concat()));
    aiff_chunk(b"FORM", &body)
}

#[test]
fn aiff_in_all_kinds() {
    type Case<'a> = (Option<&'a [u8; 4]>, u16, &'a [u8], f32);
    let cases: [Case<'_>; 7] = [
        (None, 8, &[0x40], 0.5),
        (None, 16, &[0x40, 0], 0.5),
        (None, 24, &[0x40, 0, 0], 0.5),
        (None, 32, &[0x40, 0, 0, 0], 0.5),
        (Some(b"sowt"), 16, &[0, 0x40], 0.5),
        (Some(b"fl32"), 32, &0.5f32.to_be_bytes(), 0.5),
        (Some(b"fl64"), 64, &0.5f64.to_be_bytes(), 0.5),
    ];
    for (codec, bits, data, expected) in cases {
        let (probe, out, _) = opened(&aiff(codec, bits, 1, data)).unwrap();
        assert_eq!((probe.format.as_str(), probe.rate.0), ("AIFF", 44_100));
        assert_eq!(out, [[expected]]);
    }
    let (probe, ..) = opened(&aiff(None, 16, 50, &[0; 20])).unwrap();
    assert_eq!(probe.warnings, ["It is cut off: less than 0.1 s of its 0.0 s is missing."]);
}

#[test]
fn a_file_that_changed_is_not_played() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.wav");
    std::fs::write(&path, simple(1, 1, 2, &vec![1; 400_000])).unwrap();
    let mut reader = PcmReader::open(&path, Arc::default()).unwrap().unwrap();
    let mut block = [0.0; 16];
    reader.read(Frames::ZERO, &mut [&mut block]).unwrap();
    std::fs::write(&path, simple(1, 1, 2, &vec![2; 300_000])).unwrap();
    let error = reader.read(Frames(150_000), &mut [&mut block]).unwrap_err();
    assert!(error.0.contains("was changed by another program"), "{error}");
}

#[test]
fn requests_out_of_shape_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.wav");
    std::fs::write(&path, simple(1, 1, 2, &[1; 10])).unwrap();
    let mut reader = PcmReader::open(&path, Arc::default()).unwrap().unwrap();
    let (mut a, mut b) = ([9.0; 4], [9.0; 4]);
    assert!(reader.read(Frames(-1), &mut [&mut a]).is_err());
    assert!(reader.read(Frames(0), &mut [&mut a, &mut b]).is_err());
    assert_eq!(reader.read(Frames(3), &mut [&mut a]).unwrap(), 2);
    assert_eq!(reader.read(Frames(5), &mut [&mut a]).unwrap(), 0);
    assert_eq!(reader.read(Frames(i64::MAX), &mut [&mut a]).unwrap(), 0);
}

proptest! {
    #[test]
    fn any_split_reads_the_same(at in 0usize..3000, sizes in prop::collection::vec(1usize..900, 1..6)) {
        let data: Vec<u8> = (0..12_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.wav");
        std::fs::write(&path, simple(1, 2, 2, &data)).unwrap();
        let (_, whole, _) = opened(&simple(1, 2, 2, &data)).unwrap();
        let mut reader = PcmReader::open(&path, Arc::default()).unwrap().unwrap();
        let mut at = at;
        for size in sizes {
            let (mut l, mut r) = (vec![9.0; size], vec![9.0; size]);
            let read = reader.read(Frames::from_index(at), &mut [&mut l, &mut r]).unwrap();
            let end = (at + size).min(3000);
            prop_assert_eq!(read, end.saturating_sub(at));
            prop_assert_eq!(&l[..read], &whole[0][at.min(end)..end]);
            prop_assert_eq!(&r[..read], &whole[1][at.min(end)..end]);
            at = end;
        }
    }

    #[test]
    fn broken_headers_never_panic(
        place in 0usize..80,
        bytes in prop::collection::vec(any::<u8>(), 1..12),
        cut in 1usize..200,
        big in any::<bool>(),
    ) {
        let mut file = if big { aiff(Some(b"sowt"), 16, 40, &[3; 80]) } else { simple(1, 2, 2, &[3; 80]) };
        let end = (place + bytes.len()).min(file.len());
        let place = place.min(end);
        file[place..end].copy_from_slice(&bytes[..end - place]);
        file.truncate(cut);
        if let Ok((probe, out, _)) = opened(&file) {
            prop_assert_eq!(probe.frames.index(), out[0].len());
        }
    }
}
