//! Stored samples to planar `f32`: the inner loops of reading uncompressed audio.
//!
//! Integers are scaled by a power of two, so 8 to 24 bits convert exactly.

use crate::stats::make_finite;

/// How one sample is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sample {
    U8,
    S8,
    S16,
    S24,
    S32,
    F32,
    F64,
}

/// Byte order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Endian {
    Little,
    Big,
}

impl Sample {
    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::U8 | Self::S8 => 1,
            Self::S16 => 2,
            Self::S24 => 3,
            Self::S32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// Name for a person, with the significant bits of integers.
    pub(crate) fn name(self, bits: u16) -> String {
        match self {
            Self::F32 => "32-bit float".into(),
            Self::F64 => "64-bit float".into(),
            _ => format!("{bits}-bit"),
        }
    }
}

/// Converts whole interleaved frames into `out[channel][offset..]`.
///
/// Returns how many samples were NaN or infinite (written as 0). `bytes` holds at most as many
/// frames as fit behind `offset`.
pub(crate) fn to_planar(
    bytes: &[u8],
    sample: Sample,
    endian: Endian,
    out: &mut [&mut [f32]],
    offset: usize,
) -> u64 {
    const S16: f32 = 1.0 / 32_768.0;
    const S32: f32 = 1.0 / 2_147_483_648.0;
    match (sample, endian) {
        (Sample::U8, _) => spread(bytes, out, offset, |[b]| (f32::from(b) - 128.0) / 128.0),
        (Sample::S8, _) => {
            spread(bytes, out, offset, |b| f32::from(i8::from_le_bytes(b)) / 128.0);
        }
        (Sample::S16, Endian::Little) => {
            spread(bytes, out, offset, |b| f32::from(i16::from_le_bytes(b)) * S16);
        }
        (Sample::S16, Endian::Big) => {
            spread(bytes, out, offset, |b| f32::from(i16::from_be_bytes(b)) * S16);
        }
        (Sample::S24, Endian::Little) => {
            spread(bytes, out, offset, |[a, b, c]| i32::from_le_bytes([0, a, b, c]) as f32 * S32);
        }
        (Sample::S24, Endian::Big) => {
            spread(bytes, out, offset, |[a, b, c]| i32::from_be_bytes([a, b, c, 0]) as f32 * S32);
        }
        (Sample::S32, Endian::Little) => {
            spread(bytes, out, offset, |b| i32::from_le_bytes(b) as f32 * S32);
        }
        (Sample::S32, Endian::Big) => {
            spread(bytes, out, offset, |b| i32::from_be_bytes(b) as f32 * S32);
        }
        (Sample::F32 | Sample::F64, _) => return floats(bytes, sample, endian, out, offset),
    }
    0
}

#[expect(clippy::cast_possible_truncation, reason = "f64 audio is read as f32")]
fn floats(
    bytes: &[u8],
    sample: Sample,
    endian: Endian,
    out: &mut [&mut [f32]],
    offset: usize,
) -> u64 {
    match (sample, endian) {
        (Sample::F32, Endian::Little) => spread(bytes, out, offset, f32::from_le_bytes),
        (Sample::F32, Endian::Big) => spread(bytes, out, offset, f32::from_be_bytes),
        (_, Endian::Little) => spread(bytes, out, offset, |b| f64::from_le_bytes(b) as f32),
        (_, Endian::Big) => spread(bytes, out, offset, |b| f64::from_be_bytes(b) as f32),
    }
    let frames = bytes.len() / (sample.bytes() * out.len().max(1));
    out.iter_mut()
        .filter_map(|channel| channel.get_mut(offset..offset + frames))
        .map(make_finite)
        .sum()
}

/// Deinterleaves and converts. One and two channels are the loops that compilers vectorise.
fn spread<const N: usize>(
    bytes: &[u8],
    out: &mut [&mut [f32]],
    offset: usize,
    convert: impl Fn([u8; N]) -> f32 + Copy,
) {
    let (samples, _) = bytes.as_chunks::<N>();
    match out {
        [mono] => {
            for (to, from) in mono.iter_mut().skip(offset).zip(samples) {
                *to = convert(*from);
            }
        }
        [left, right] => {
            let (frames, _) = samples.as_chunks::<2>();
            let targets = left.iter_mut().skip(offset).zip(right.iter_mut().skip(offset));
            for ((l, r), [a, b]) in targets.zip(frames) {
                *l = convert(*a);
                *r = convert(*b);
            }
        }
        many => {
            let channels = many.len();
            for (index, channel) in many.iter_mut().enumerate() {
                let from = samples.iter().skip(index).step_by(channels);
                for (to, from) in channel.iter_mut().skip(offset).zip(from) {
                    *to = convert(*from);
                }
            }
        }
    }
}
