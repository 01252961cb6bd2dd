//! Units, kernels, meters and peaks: the signal mathematics that the engine and the tools share.
//!
//! Thread: any. Nothing here starts a thread or does I/O; the kernels allocate only in constructors.
//!
//! Does not know: sessions, files, plans, devices.

#![warn(missing_docs)]

mod bytes;
pub mod correlation;
pub mod dither;
pub mod downmix;
pub mod effects;
pub mod envelope;
pub mod fade;
pub mod gain;
pub mod level;
pub mod loudness;
pub mod pan;
pub mod peaks;
pub mod phrases;
pub mod reader;
pub mod silence;
pub mod simd;
pub mod spectrum;
pub mod stored;
pub mod subnormal;
pub mod sum;
pub mod units;
pub mod volume;

pub use fade::{Fade, FadeCurve};
pub use gain::{ClipEnvelope, GainRamp, Polarity};
pub use pan::pan_gains;
pub use reader::{FrameReader, ReadError};
pub use units::{Decibels, Frames, Lufs, SampleRate, Seconds};
pub use volume::EnvelopePoint;
