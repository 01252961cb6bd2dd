//! The limits of a header's claims, checked before anything is allocated or decoded.

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
        return Err(OpenError::Damaged { file, problem: "its header says 0 channels".into() });
    }
    if !RATES.contains(&rate) {
        return Err(OpenError::RateOutOfRange { file, rate });
    }
    Ok(())
}

/// Longest compressed file in hours.
const MAX_HOURS: u64 = 48;
/// Most frames of one packet.
const MAX_PACKET: u64 = 65_536;
/// No packet of any codec is shorter than this many bytes.
const LEAST_PACKET_BYTES: u64 = 4;

/// Refuses packets that would need absurd memory.
pub(crate) fn check_packet(file: &str, frames: u64) -> Result<(), OpenError> {
    if frames > MAX_PACKET {
        return Err(OpenError::PacketTooLarge { file: file.to_owned(), frames });
    }
    Ok(())
}

/// Refuses more audio than is opened, or than `bytes` can hold.
pub(crate) fn check_length(
    file: &str,
    frames: u64,
    rate: u64,
    bytes: u64,
) -> Result<(), OpenError> {
    let file = file.to_owned();
    let hours = frames / rate.max(1) / 3600;
    if frames / MOST_FRAMES_PER_BYTE > bytes {
        return Err(OpenError::Implausible { file, frames, bytes });
    }
    if hours >= MAX_HOURS {
        return Err(OpenError::TooLong { file, hours });
    }
    Ok(())
}

/// The most frames that one byte can encode.
const MOST_FRAMES_PER_BYTE: u64 = MAX_PACKET / LEAST_PACKET_BYTES;
