//! The chunks of WAV: RIFF, RIFX, RF64 and BW64, extensible formats, BWF time reference.
//!
//! Sources: Microsoft "Multiple channel audio data and WAVE files"; EBU Tech 3285 (BWF, `bext`)
//! and Tech 3306 (RF64, `ds64`); ITU-R BS.2088 (BW64).

use super::chunks::Chunks;
use super::convert::{Endian, Sample};
use super::{Layout, RiffAudio};
use crate::error::OpenError;
use crate::guard::check_shape;

/// The `fmt ` chunk.
struct Format {
    tag: u16,
    channels: u16,
    rate: u32,
    block_align: u16,
    bits: u16,
    mask: u32,
}

/// What is collected while walking.
#[derive(Default)]
struct Found {
    format: Option<Format>,
    data: Option<(u64, u64)>,
    /// Bytes of audio in further chunks.
    more: u64,
    data64: Option<u64>,
    origin: Option<u64>,
}

/// The layout of a WAV file; `None` when its codec is not PCM. `head` is its first 12 bytes.
pub(super) fn layout(chunks: &mut Chunks<'_>, head: [u8; 12]) -> Result<Option<Layout>, OpenError> {
    let endian = if &head[..4] == b"RIFX" { Endian::Big } else { Endian::Little };
    let found = walk(chunks, endian)?;
    let format = found.format.as_ref().ok_or_else(|| chunks.damaged("it has no fmt chunk"))?;
    check_shape(&chunks.name, format.channels.into(), format.rate.into())?;
    let Some((sample, bits)) = sample_of(format) else {
        return Ok(None);
    };
    let no_data = || OpenError::NoData { file: chunks.name.clone() };
    let (start, claimed) = found.data.ok_or_else(no_data)?;
    let frame_bytes = u64::from(format.channels) * sample.bytes() as u64;
    let extent = chunks.extent(start, claimed, endian)?.with_more(found.more);
    // All of the files are read by the reader of joined ones.
    if extent.joined() > 0 && &head[..4] == b"RIFF" && cfg!(feature = "foreign") {
        return Ok(None);
    }
    let frames = extent.bytes / frame_bytes;
    if frames == 0 {
        return Err(OpenError::NoFrames { file: chunks.name.clone() });
    }
    let mut warnings = extent.warnings(frame_bytes, format.rate.into());
    warnings.extend(extent.left_out());
    Ok(Some(Layout {
        format: if found.data64.is_some() { "RF64" } else { "WAV" },
        sample,
        bits,
        endian,
        channels: format.channels.into(),
        rate: format.rate,
        data_start: start,
        frames,
        origin: found.origin,
        channel_names: channel_names(format),
        warnings,
    }))
}

/// The audio of a WAV file whose codec is not PCM, or that other files follow.
pub(super) fn audio(chunks: &mut Chunks<'_>) -> Result<RiffAudio, OpenError> {
    let found = walk(chunks, Endian::Little)?;
    let no_data = || OpenError::NoData { file: chunks.name.clone() };
    let (start, claimed) = found.data.ok_or_else(no_data)?;
    let extent = chunks.extent(start, claimed, Endian::Little)?;
    Ok(RiffAudio {
        size_field: start - 4,
        extent: extent.with_more(found.more),
        origin: found.origin,
    })
}

fn walk(chunks: &mut Chunks<'_>, endian: Endian) -> Result<Found, OpenError> {
    let mut found = Found::default();
    let mut at = 12u64;
    for _ in 0..Chunks::MOST {
        if at + 8 > chunks.len {
            break;
        }
        if chunks.is_file_at(at)? {
            break;
        }
        let (head, _) = chunks.bytes::<8>(at)?;
        let mut size = u64::from(u32_of(&head[4..], endian));
        let body = at + 8;
        match &head[..4] {
            b"fmt " if found.format.is_none() => {
                found.format = Some(format(chunks, body, size, endian)?);
            }
            b"ds64" => found.data64 = Some(u64_of(&chunks.bytes::<16>(body)?.0[8..])),
            // Description, originator, reference, date and time come first: 338 bytes.
            b"bext" if size >= 346 => {
                let origin = u64_of(&chunks.bytes::<8>(body + 338)?.0);
                found.origin = (origin > 0).then_some(origin);
            }
            b"data" => {
                // The size in ds64 is that of the first chunk.
                let is_large = found.data.is_none() && size == u64::from(u32::MAX);
                size = found.data64.filter(|_| is_large).unwrap_or(size);
                if found.data.is_none_or(|(_, first)| first == 0) {
                    // A recorder can leave an empty chunk before the one with the audio.
                    let is_better = found.data.is_none() || size > 0;
                    found.data = if is_better { Some((body, size)) } else { found.data };
                } else {
                    found.more += size.min(chunks.len.saturating_sub(body));
                }
            }
            _ => {}
        }
        at = chunks.next_chunk(body, size, endian)?;
    }
    Ok(found)
}

fn format(
    chunks: &mut Chunks<'_>,
    body: u64,
    size: u64,
    endian: Endian,
) -> Result<Format, OpenError> {
    let (bytes, have) = chunks.bytes::<40>(body)?;
    if size < 16 || have < 16 {
        return Err(chunks.damaged("its fmt chunk is too short"));
    }
    let mut tag = u16_of(&bytes[0..], endian);
    let mut mask = 0;
    if tag == 0xFFFE && size >= 40 && have >= 40 {
        mask = u32_of(&bytes[20..], endian);
        tag = u16_of(&bytes[24..], endian);
    }
    Ok(Format {
        tag,
        channels: u16_of(&bytes[2..], endian),
        rate: u32_of(&bytes[4..], endian),
        block_align: u16_of(&bytes[12..], endian),
        bits: u16_of(&bytes[14..], endian),
        mask,
    })
}

/// The stored sample and its significant bits; `None` when this is not PCM.
fn sample_of(format: &Format) -> Option<(Sample, u16)> {
    let by_align = format.block_align / format.channels.max(1);
    let bytes = if by_align == 0 { format.bits.div_ceil(8) } else { by_align };
    let sample = match (format.tag, bytes) {
        (1, 1) => Sample::U8,
        (1, 2) => Sample::S16,
        (1, 3) => Sample::S24,
        (1, 4) => Sample::S32,
        (3, 4) => Sample::F32,
        (3, 8) => Sample::F64,
        _ => return None,
    };
    let bits = if (1..=bytes * 8).contains(&format.bits) { format.bits } else { bytes * 8 };
    Some((sample, bits))
}

/// Short names of the speaker positions, in the order of the bits of the channel mask.
const SPEAKERS: [&str; 18] = [
    "L", "R", "C", "LFE", "Lb", "Rb", "Lc", "Rc", "Cb", "Ls", "Rs", "Tc", "Tfl", "Tfc", "Tfr",
    "Tbl", "Tbc", "Tbr",
];

fn channel_names(format: &Format) -> Vec<String> {
    let set = SPEAKERS.iter().enumerate().filter(|(bit, _)| format.mask >> bit & 1 == 1);
    let names: Vec<String> = set.map(|(_, name)| (*name).to_owned()).collect();
    if names.len() == usize::from(format.channels) { names } else { Vec::new() }
}

fn u16_of(bytes: &[u8], endian: Endian) -> u16 {
    let raw = bytes.first_chunk().copied().unwrap_or_default();
    match endian {
        Endian::Little => u16::from_le_bytes(raw),
        Endian::Big => u16::from_be_bytes(raw),
    }
}

fn u32_of(bytes: &[u8], endian: Endian) -> u32 {
    let raw = bytes.first_chunk().copied().unwrap_or_default();
    match endian {
        Endian::Little => u32::from_le_bytes(raw),
        Endian::Big => u32::from_be_bytes(raw),
    }
}

fn u64_of(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.first_chunk().copied().unwrap_or_default())
}
