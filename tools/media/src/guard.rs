//! What a header may claim before anything is allocated or decoded on its word.

use crate::error::OpenError;

/// Most channels of a file.
pub(crate) const MAX_CHANNELS: u64 = 32;
/// Lowest and highest sample rate in Hz.
pub(crate) const RATES: std::ops::RangeInclusive<u64> = 8_000..=768_000;

/// Refuses channel counts and sample rates that nothing real has.
pub(crate) fn check_shape(file: &str, channels: u64, rate: u64) -> Result<(), OpenError> {
    let file = file.to_owned();
    if channels > MAX_CHANNELS {
        return Err(OpenError::TooManyChannels { file, channels });
    }
    if channels == 0 {
        return Err(OpenError::Damaged {
            file,
            problem: "its header says 0 channels".into(),
        });
    }
    if !RATES.contains(&rate) {
        return Err(OpenError::RateOutOfRange { file, rate });
    }
    Ok(())
}
