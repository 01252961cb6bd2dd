//! Names of codecs and containers that are not decoded here, so that a refusal can name them.
//!
//! Sources: Apple's AIFF-C and QuickTime (four characters); the registration authority of MPEG-4 (object types).

use super::input::Input;
use super::{mp4, ogg, wav_tags};
use crate::chunks::Kind;
use std::io::{Read, Seek, SeekFrom};

/// The four characters of a codec in AIFF-C, QuickTime and MP4, without regard to case.
// tidy: table
const FOUR: [(&[u8; 4], &str); 34] = [
    (b"ulaw", "mu-law"),
    (b"alaw", "A-law"),
    (b"ima4", "IMA ADPCM"),
    (b"mac3", "MACE 3:1"),
    (b"mac6", "MACE 6:1"),
    (b"qdmc", "QDesign"),
    (b"qdm2", "QDesign 2"),
    (b"qclp", "Qualcomm PureVoice"),
    (b"qclq", "Qualcomm PureVoice"),
    (b"gsm ", "GSM 6.10"),
    (b"agsm", "GSM 6.10"),
    (b"g722", "G.722"),
    (b"g726", "G.726"),
    (b"g728", "G.728"),
    (b"dwvw", "DWVW"),
    (b"rt24", "RT24"),
    (b"rt29", "RT29"),
    (b".mp3", "MP3"),
    (b"mp4a", "AAC or another MPEG-4 codec"),
    (b"alac", "ALAC"),
    (b"opus", "Opus"),
    (b"flac", "FLAC"),
    (b"ac-3", "AC-3"),
    (b"ec-3", "E-AC-3"),
    (b"ac-4", "AC-4"),
    (b"dtsc", "DTS"),
    (b"dtsh", "DTS-HD"),
    (b"dtsl", "DTS-HD Lossless"),
    (b"dtse", "DTS Express"),
    (b"samr", "AMR"),
    (b"sawb", "AMR wideband"),
    (b"sevc", "EVRC"),
    (b"mha1", "MPEG-H 3D audio"),
    (b"mhm1", "MPEG-H 3D audio"),
];

/// What a file begins with whose container is not read.
// tidy: table
const CONTAINERS: [(&[u8], &str); 24] = [
    (b"\x30\x26\xB2\x75\x8E\x66\xCF\x11", "Windows Media audio (WMA)"),
    (b"#!AMR", "AMR audio"),
    (b"caff", "a Core Audio file (CAF)"),
    (b"riff\x2E\x91\xCF\x11", "a Wave64 file (W64)"),
    (b".snd", "a Sun audio file (AU)"),
    (b"DSD ", "DSD audio (DSF)"),
    (b"FRM8", "DSD audio (DFF)"),
    (b"MAC ", "Monkey's Audio (APE)"),
    (b"wvpk", "WavPack audio"),
    (b"TTA1", "True Audio (TTA)"),
    (b"TTA2", "True Audio (TTA)"),
    (b"MPCK", "Musepack audio"),
    (b"MP+", "Musepack audio"),
    (b"OFR ", "OptimFROG audio"),
    (b"ajkg", "Shorten audio"),
    (b".RMF", "RealMedia"),
    (b".ra\xFD", "RealAudio"),
    (b"FLV\x01", "Flash video (FLV)"),
    (b"Creative Voice File\x1A", "a Creative voice file (VOC)"),
    (b"MThd", "MIDI notes and no sound"),
    (b"\x0B\x77", "AC-3"),
    (b"\x7F\xFE\x80\x01", "DTS"),
    (b"\x00\x00\x01\xBA", "an MPEG program stream (MPG)"),
    (b"ADIF", "AAC in an ADIF container"),
];

/// The name of what the file holds, where it says so and Deskhand knows it.
pub(super) fn of(input: &Input) -> Option<String> {
    let (mut file, _) = input.open().ok()?;
    let mut head = Vec::new();
    (&mut file).take(132).read_to_end(&mut head).ok()?;
    file.seek(SeekFrom::Start(0)).ok()?;
    match (head.get(..4)?, head.get(8..12)) {
        (b"RIFF", Some(b"AVI ")) => return Some("an AVI video".into()),
        (_, Some(b"WAVE" | b"AIFC")) => return riff(&mut file),
        (b"OggS", _) => return ogg::tracks(input).into_iter().next()?.codec,
        _ if head.get(4..8) == Some(b"ftyp") => {
            return mp4::tracks(input).into_iter().next()?.codec;
        }
        // After the header of a file of old Macintoshes (MacBinary).
        _ if head.get(65..69) == Some(b"FSSD") && head.ends_with(b"HCOM") => {
            return Some("HCOM audio".into());
        }
        _ => {}
    }
    let known = CONTAINERS.iter().find(|(begin, _)| head.starts_with(begin));
    known.map(|(_, name)| (*name).to_owned())
}

/// The codec of a WAV or AIFF-C file.
fn riff(file: &mut (impl Read + Seek)) -> Option<String> {
    let kind = Kind::of(file)?;
    let is_wav = &kind.form == b"WAVE";
    let size = kind.find(file, if is_wav { *b"fmt " } else { *b"COMM" })?;
    let mut body = Vec::new();
    file.take(size.min(40)).read_to_end(&mut body).ok()?;
    if !is_wav {
        return Some(four(*body.get(18..22)?.first_chunk()?));
    }
    let number = |at: usize| Some(kind.u16(*body.get(at..)?.first_chunk()?));
    let tag = match number(0)? {
        // Extensible: the codec comes at the end.
        0xFFFE => number(24)?,
        tag => tag,
    };
    Some(wav_tags::named(tag, number(14).unwrap_or(0)))
}

/// The codec with this number in MPEG-4 in words.
pub(super) fn object_type(number: u8) -> String {
    let name = match number {
        0x40 | 0x66..=0x68 => "AAC",
        0x69 | 0x6B => "MPEG",
        0xA0 => "EVRC",
        0xA1 => "SMV",
        0xA5 => "AC-3",
        0xA6 => "E-AC-3",
        0xA9 => "DTS",
        0xAA => "DTS-HD",
        0xAB => "DTS-HD Lossless",
        0xAC => "DTS Express",
        0xAD => "Opus",
        0xAE => "AC-4",
        0xDD => "Vorbis",
        0xE1 => "Qualcomm PureVoice",
        _ => return format!("audio in MPEG-4 codec 0x{number:02X}"),
    };
    format!("{name} audio")
}

/// The codec with these four characters in words.
pub(super) fn four(code: [u8; 4]) -> String {
    // QuickTime puts a WAV tag after "ms".
    if let [b'm', b's', high, low] = code {
        return wav_tags::named(u16::from_be_bytes([high, low]), 0);
    }
    let known = FOUR.iter().find(|(name, _)| name.eq_ignore_ascii_case(&code));
    match known {
        Some((_, name)) => format!("{name} audio"),
        None => format!("audio in codec \"{}\"", code.escape_ascii()),
    }
}
