//! Stored samples to planar `f32`, made finite.

use crate::stats::make_finite;
use deskhand_dsp::stored::to_planar;
pub(crate) use deskhand_dsp::stored::{Endian, Sample};

/// Name for a person, with the significant bits of integers.
pub(crate) fn name(sample: Sample, bits: u16) -> String {
    match sample {
        Sample::F32 => "32-bit float".into(),
        Sample::F64 => "64-bit float".into(),
        Sample::U8 | Sample::S8 | Sample::S16 | Sample::S24 | Sample::S32 => {
            format!("{bits}-bit")
        }
    }
}

/// Converts whole interleaved frames into `out`, one slice per channel and all as long as the
/// frames.
///
/// Returns how many samples were NaN or infinite (written as 0).
pub(crate) fn to_finite_planar(
    bytes: &[u8],
    sample: Sample,
    endian: Endian,
    out: &mut [&mut [f32]],
) -> u64 {
    to_planar(bytes, sample, endian, out);
    match sample {
        Sample::F32 | Sample::F64 => out.iter_mut().map(|channel| make_finite(channel)).sum(),
        Sample::U8 | Sample::S8 | Sample::S16 | Sample::S24 | Sample::S32 => 0,
    }
}
