//! `tool_import_transcript` and `tool_export_transcript`: transcripts from files, and into them.

mod export;
mod import;
mod played_parts;
#[cfg(test)]
mod tests;

pub(crate) use export::ExportTranscript;
pub(crate) use import::ImportTranscript;

use crate::transcript::Micros;
use deskhand_dsp::{Frames, SampleRate};

/// A frame's time, rounded to a microsecond.
fn micros(at: Frames, rate: SampleRate) -> Micros {
    let at = u128::try_from(at.0).unwrap_or(0) * 1_000_000 + u128::from(rate.0) / 2;
    Micros(u64::try_from(at / u128::from(rate.0.max(1))).unwrap_or(u64::MAX))
}

/// The frame nearest to a time.
fn frame(at: Micros, rate: SampleRate) -> Frames {
    let at = u128::from(at.0) * u128::from(rate.0) + 500_000;
    Frames(i64::try_from(at / 1_000_000).unwrap_or(i64::MAX))
}
