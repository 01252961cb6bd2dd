//! Ranges of the parameters.
//!
//! Thread: any

/// The lowest trim in dB.
pub const LEAST_TRIM: f32 = -60.0;
/// The highest trim in dB.
pub const MOST_TRIM: f32 = 24.0;
/// Hz; the low cut is off at this end of its range.
pub const LOW_CUT_OFF: f32 = 20.0;
/// The highest corner of the low cut in Hz.
pub const MOST_LOW_CUT: f32 = 400.0;
