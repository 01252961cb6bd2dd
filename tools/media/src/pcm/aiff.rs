//! The chunks of AIFF and AIFF-C. Source: Apple "Audio Interchange File Format AIFF-C" (1991).

use super::chunks::Chunks;
use super::convert::{Endian, Sample};
use super::{Layout, RiffAudio};
use crate::duration_words;
use crate::error::OpenError;
use crate::guard::check_shape;

/// The `COMM` chunk.
struct Common {
    channels: u16,
    frames: u32,
    bits: u16,
    rate: u64,
    codec: [u8; 4],
}

/// The layout of an AIFF file; `None` when its codec is not PCM.
pub(super) fn layout(
    chunks: &mut Chunks<'_>,
    compressed: bool,
) -> Result<Option<Layout>, OpenError> {
    let (common, data, more) = walk(chunks, compressed)?;
    let common = common.ok_or_else(|| chunks.damaged("it has no COMM chunk"))?;
    check_shape(&chunks.name, common.channels.into(), common.rate)?;
    let Some((sample, endian)) = sample_of(&common) else {
        return Ok(None);
    };
    let no_data = || OpenError::NoData { file: chunks.name.clone() };
    let (start, claimed) = data.ok_or_else(no_data)?;
    let frame_bytes = u64::from(common.channels) * sample.bytes() as u64;
    let extent = chunks.extent(start, claimed, Endian::Big)?.with_more(more);
    // All of the files are read by the reader of joined ones.
    if extent.joined() > 0 && extent.is_right() && cfg!(feature = "foreign") {
        return Ok(None);
    }
    let present = extent.bytes / frame_bytes;
    let promised = u64::from(common.frames);
    if present == 0 {
        return Err(OpenError::NoFrames { file: chunks.name.clone() });
    }
    // One frame more is the padding of the chunk.
    let frames = if promised + 1 == present { promised } else { present };
    let mut warnings = extent.warnings(frame_bytes, common.rate);
    if warnings.is_empty() {
        warnings.extend(by_count(promised, present, common.rate));
    }
    warnings.extend(extent.left_out());
    Ok(Some(Layout {
        format: "AIFF",
        sample,
        bits: common.bits,
        endian,
        channels: common.channels.into(),
        rate: u32::try_from(common.rate).unwrap_or(u32::MAX),
        data_start: start,
        frames,
        origin: None,
        channel_names: Vec::new(),
        warnings,
    }))
}

/// What a person should know of a number of frames that is not the one that is there.
fn by_count(promised: u64, present: u64, rate: u64) -> Option<String> {
    match promised {
        0 => Some(duration_words::unfinished("0", present, rate)),
        _ if promised > present => Some(duration_words::cut_off(promised, present, rate)),
        // One frame more is the padding of the chunk.
        _ if promised + 1 < present => Some(duration_words::more(promised, present, rate)),
        _ => None,
    }
}

pub(super) fn audio(chunks: &mut Chunks<'_>, compressed: bool) -> Result<RiffAudio, OpenError> {
    let (_, data, more) = walk(chunks, compressed)?;
    let no_data = || OpenError::NoData { file: chunks.name.clone() };
    let (start, claimed) = data.ok_or_else(no_data)?;
    let extent = chunks.extent(start, claimed, Endian::Big)?.with_more(more);
    Ok(RiffAudio { size_field: start - 12, extent, origin: None })
}

/// The last number is the bytes of audio in further chunks.
type Walked = (Option<Common>, Option<(u64, u64)>, u64);

fn walk(chunks: &mut Chunks<'_>, compressed: bool) -> Result<Walked, OpenError> {
    let (mut common, mut data, mut more) = (None, None, 0);
    let mut at = 12u64;
    for _ in 0..Chunks::MOST {
        if at + 8 > chunks.len {
            break;
        }
        if chunks.is_file_at(at)? {
            break;
        }
        let (head, _) = chunks.bytes::<8>(at)?;
        let size = u64::from(u32_of(&head[4..]));
        let body = at + 8;
        match &head[..4] {
            b"COMM" => common = Some(comm(chunks, body, size, compressed)?),
            b"SSND" => {
                let offset = u64::from(u32_of(&chunks.bytes::<8>(body)?.0));
                let skip = 8 + offset;
                let claimed = size.saturating_sub(skip);
                if data.is_none_or(|(_, first)| first == 0 && claimed > 0) {
                    data = Some((body + skip, claimed));
                } else {
                    more += claimed.min(chunks.len.saturating_sub(body + skip));
                }
            }
            _ => {}
        }
        at = chunks.next_chunk(body, size, Endian::Big)?;
    }
    Ok((common, data, more))
}

fn comm(
    chunks: &mut Chunks<'_>,
    body: u64,
    size: u64,
    compressed: bool,
) -> Result<Common, OpenError> {
    let (bytes, have) = chunks.bytes::<22>(body)?;
    let needed = if compressed { 22 } else { 18 };
    if size < needed || (have as u64) < needed {
        return Err(chunks.damaged("its COMM chunk is too short"));
    }
    let codec = if compressed { [bytes[18], bytes[19], bytes[20], bytes[21]] } else { *b"NONE" };
    Ok(Common {
        channels: u16::from_be_bytes([bytes[0], bytes[1]]),
        frames: u32_of(&bytes[2..]),
        bits: u16::from_be_bytes([bytes[6], bytes[7]]),
        rate: extended(&bytes[8..18]),
        codec,
    })
}

/// The stored sample; `None` when this is not PCM.
fn sample_of(common: &Common) -> Option<(Sample, Endian)> {
    let integer = match common.bits {
        1..=8 => Sample::S8,
        9..=16 => Sample::S16,
        17..=24 => Sample::S24,
        25..=32 => Sample::S32,
        _ => return float_of(common),
    };
    match &common.codec {
        b"NONE" | b"twos" | b"in24" | b"in32" => Some((integer, Endian::Big)),
        b"sowt" => Some((integer, Endian::Little)),
        b"raw " if integer == Sample::S8 => Some((Sample::U8, Endian::Big)),
        _ => float_of(common),
    }
}

fn float_of(common: &Common) -> Option<(Sample, Endian)> {
    match &common.codec {
        b"fl32" | b"FL32" => Some((Sample::F32, Endian::Big)),
        b"fl64" | b"FL64" => Some((Sample::F64, Endian::Big)),
        _ => None,
    }
}

/// The whole part of an 80-bit IEEE 754 extended number; 0 when it is negative or not a number.
fn extended(bytes: &[u8]) -> u64 {
    let Some((exponent, mantissa)) = bytes.split_first_chunk::<2>() else {
        return 0;
    };
    let exponent = u16::from_be_bytes(*exponent);
    let mantissa = u64::from_be_bytes(mantissa.first_chunk().copied().unwrap_or_default());
    let shift = 16_383u32 + 63;
    match shift.checked_sub(u32::from(exponent)) {
        Some(down) if exponent < 0x8000 => mantissa.checked_shr(down).unwrap_or(0),
        _ => 0,
    }
}

fn u32_of(bytes: &[u8]) -> u32 {
    u32::from_be_bytes(bytes.first_chunk().copied().unwrap_or_default())
}
