//! Samples as files store them, interleaved, to planar `f32`.
//!
//! Integers are scaled by a power of two, so 8 to 24 bits convert exactly.

use crate::simd::{Lanes, dispatch};

/// How one sample is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sample {
    /// Unsigned, 128 is silence.
    U8,
    /// Signed, 1 byte.
    S8,
    /// Signed, 2 bytes.
    S16,
    /// Signed, 3 bytes.
    S24,
    /// Signed, 4 bytes.
    S32,
    /// Floating point, 4 bytes.
    F32,
    /// Floating point, 8 bytes.
    F64,
}

impl Sample {
    /// Bytes that one sample takes.
    #[must_use]
    pub fn bytes(self) -> usize {
        match self {
            Self::U8 | Self::S8 => 1,
            Self::S16 => 2,
            Self::S24 => 3,
            Self::S32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

/// Byte order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Endian {
    /// The lowest byte first.
    Little,
    /// The highest byte first.
    Big,
}

dispatch! {
    /// Converts the whole frames of `bytes` into `out`, one slice per channel, over the shortest
    /// of them. Floats are taken as they are, NaN and infinities too. Bit-equal on every
    /// instruction set.
    pub fn to_planar(bytes: &[u8], sample: Sample, endian: Endian, out: &mut [&mut [f32]])
        = to_planar_kernel
}

const S16: f32 = 1.0 / 32_768.0;
const S32: f32 = 1.0 / 2_147_483_648.0;

#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "f64 audio is read as f32")]
fn to_planar_kernel<L: Lanes>(
    simd: L,
    bytes: &[u8],
    sample: Sample,
    endian: Endian,
    out: &mut [&mut [f32]],
) {
    use Endian::{Big, Little};
    match (sample, endian) {
        (Sample::U8, _) => spread(bytes, out, |[b]| (f32::from(b) - 128.0) / 128.0),
        (Sample::S8, _) => spread(bytes, out, |b| f32::from(i8::from_le_bytes(b)) / 128.0),
        (Sample::S16, Little) => match out {
            [left, right] => pairs(bytes, left, right),
            _ => spread(bytes, out, |b| f32::from(i16::from_le_bytes(b)) * S16),
        },
        (Sample::S16, Big) => spread(bytes, out, |b| f32::from(i16::from_be_bytes(b)) * S16),
        (Sample::S24, Little) => match out {
            [left, right] => pairs_of_24(simd, bytes, left, right),
            _ => spread(bytes, out, s24),
        },
        (Sample::S24, Big) => {
            spread(bytes, out, |[a, b, c]| i32::from_be_bytes([a, b, c, 0]) as f32 * S32);
        }
        (Sample::S32, Little) => spread(bytes, out, |b| i32::from_le_bytes(b) as f32 * S32),
        (Sample::S32, Big) => spread(bytes, out, |b| i32::from_be_bytes(b) as f32 * S32),
        (Sample::F32, Little) => spread(bytes, out, f32::from_le_bytes),
        (Sample::F32, Big) => spread(bytes, out, f32::from_be_bytes),
        (Sample::F64, Little) => spread(bytes, out, |b| f64::from_le_bytes(b) as f32),
        (Sample::F64, Big) => spread(bytes, out, |b| f64::from_be_bytes(b) as f32),
    }
}

/// Stereo of 16 bits: a frame is one word, so that taking it apart needs no shuffle.
#[inline(always)]
fn pairs(bytes: &[u8], left: &mut [f32], right: &mut [f32]) {
    let (frames, _) = bytes.as_chunks::<4>();
    for ((left, right), frame) in left.iter_mut().zip(right).zip(frames) {
        let word = i32::from_le_bytes(*frame);
        *left = ((word << 16) >> 16) as f32 * S16;
        *right = (word >> 16) as f32 * S16;
    }
}

#[inline(always)]
fn s24([a, b, c]: [u8; 3]) -> f32 {
    i32::from_le_bytes([0, a, b, c]) as f32 * S32
}

/// Stereo of 24 bits, four frames at a time: compilers find no vectors for groups of three bytes.
#[inline(always)]
fn pairs_of_24<L: Lanes>(simd: L, bytes: &[u8], left: &mut [f32], right: &mut [f32]) {
    const FRAMES: usize = 4;
    let mut done = 0;
    let (lefts, _) = left.as_chunks_mut::<FRAMES>();
    let (rights, _) = right.as_chunks_mut::<FRAMES>();
    for (left, right) in lefts.iter_mut().zip(rights) {
        let Some(frames) = bytes.get(done * 6..).and_then(<[u8]>::first_chunk) else {
            break;
        };
        let both = simd.store_floats(simd.mul_floats(simd.stereo_of_24(frames), simd.floats(S32)));
        let (halves, _) = both.as_chunks::<FRAMES>();
        if let [l, r] = halves {
            (*left, *right) = (*l, *r);
        }
        done += FRAMES;
    }
    let rest = bytes.get(done * 6..).unwrap_or_default();
    spread(rest, &mut [&mut left[done..], &mut right[done..]], s24);
}

/// Deinterleaves and converts. One and two channels are the loops that compilers vectorize.
#[inline(always)]
fn spread<const N: usize>(
    bytes: &[u8],
    out: &mut [&mut [f32]],
    convert: impl Fn([u8; N]) -> f32 + Copy,
) {
    let (samples, _) = bytes.as_chunks::<N>();
    match out {
        [mono] => {
            for (to, from) in mono.iter_mut().zip(samples) {
                *to = convert(*from);
            }
        }
        [left, right] => {
            let (frames, _) = samples.as_chunks::<2>();
            for ((l, r), [a, b]) in left.iter_mut().zip(right.iter_mut()).zip(frames) {
                *l = convert(*a);
                *r = convert(*b);
            }
        }
        many => {
            let channels = many.len();
            for (index, channel) in many.iter_mut().enumerate() {
                let from = samples.iter().skip(index).step_by(channels);
                for (to, from) in channel.iter_mut().zip(from) {
                    *to = convert(*from);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Portable;
    use proptest::prelude::*;

    const KINDS: [Sample; 7] =
        [Sample::U8, Sample::S8, Sample::S16, Sample::S24, Sample::S32, Sample::F32, Sample::F64];

    type Convert = fn(&[u8], Sample, Endian, &mut [&mut [f32]]);

    fn portable(bytes: &[u8], sample: Sample, endian: Endian, out: &mut [&mut [f32]]) {
        to_planar_kernel(Portable, bytes, sample, endian, out);
    }

    /// Bits of all channels, so that NaN compares too.
    fn planes(
        convert: Convert,
        bytes: &[u8],
        sample: Sample,
        endian: Endian,
        channels: usize,
    ) -> Vec<Vec<u32>> {
        let frames = bytes.len() / sample.bytes() / channels;
        let mut planes = vec![vec![0f32; frames]; channels];
        let mut out: Vec<&mut [f32]> = planes.iter_mut().map(Vec::as_mut_slice).collect();
        convert(bytes, sample, endian, &mut out);
        planes.iter().map(|plane| plane.iter().map(|sample| sample.to_bits()).collect()).collect()
    }

    proptest! {
        #[test]
        fn every_path_gives_the_same_bits(
            bytes in prop::collection::vec(any::<u8>(), 0..900),
            channels in 1usize..4,
        ) {
            for sample in KINDS {
                for endian in [Endian::Little, Endian::Big] {
                    let wide = planes(to_planar, &bytes, sample, endian, channels);
                    let plain =
                        planes(portable, &bytes, sample, endian, channels);
                    prop_assert_eq!(&wide, &plain, "{:?} {:?}", sample, endian);
                    let mono = planes(to_planar, &bytes, sample, endian, 1);
                    for (index, plane) in wide.iter().enumerate() {
                        let expected: Vec<u32> =
                            mono[0].iter().copied().skip(index).step_by(channels).collect();
                        prop_assert_eq!(&plane[..], &expected[..plane.len()]);
                    }
                }
            }
        }
    }

    #[test]
    fn full_scale_and_byte_order_are_as_stored() {
        let one = |bytes: &[u8], sample, endian| {
            f32::from_bits(planes(to_planar, bytes, sample, endian, 1)[0][0])
        };
        assert_eq!(one(&[0], Sample::U8, Endian::Little), -1.0);
        assert_eq!(one(&[0x80], Sample::S8, Endian::Little), -1.0);
        assert_eq!(one(&[0x00, 0x80], Sample::S16, Endian::Little), -1.0);
        assert_eq!(one(&[0x40, 0x00], Sample::S16, Endian::Big), 0.5);
        assert_eq!(one(&[0, 0, 0x40], Sample::S24, Endian::Little), 0.5);
        assert_eq!(one(&[0xFF, 0xFF, 0xFF], Sample::S24, Endian::Big), -1.0 / 8_388_608.0);
        assert_eq!(one(&[0, 0, 0, 0x80], Sample::S32, Endian::Little), -1.0);
        assert_eq!(one(&0.25f32.to_be_bytes(), Sample::F32, Endian::Big), 0.25);
        assert_eq!(one(&0.25f64.to_le_bytes(), Sample::F64, Endian::Little), 0.25);
    }
}
