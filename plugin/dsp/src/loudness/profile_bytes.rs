//! The compact form of a profile, for a cache.
//!
//! Little-endian: `DHLP`, version u16, channels u16, rate u32, frames u64, non-finite u64, sum of
//! squares f64, power and opposed power f64, three peaks f32, hops u32, K energies f32 each, mean squares f32 each, variances
//! f32 each, means f32 each of each channel, checksum u64 over all before.

use super::LoudnessProfile;
use super::profile::Peaks;
use crate::SampleRate;
use crate::bytes::{Reader, Writer};
use crate::downmix::Phase;

const MAGIC: &[u8; 4] = b"DHLP";

/// Raise it whenever the same audio would give other numbers: a cache then measures again.
const VERSION: u16 = 3;

/// Why bytes are not a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// Something else, cut short, or changed.
    #[error("the stored loudness measurement is damaged: delete it and measure again")]
    Damaged,
    /// Another version of the meter.
    #[error(
        "the stored loudness measurement is of version {0}, this program reads version {VERSION}: measure again"
    )]
    Version(u16),
}

impl LoudnessProfile {
    /// The compact form; see [`LoudnessProfile::from_bytes`].
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new(MAGIC, VERSION);
        out.put(&self.channels.to_le_bytes());
        out.put(&self.rate.0.to_le_bytes());
        out.put(&self.frames.to_le_bytes());
        out.put(&self.non_finite.to_le_bytes());
        out.put(&self.sum_of_squares.to_le_bytes());
        out.put(&self.phase.all.to_le_bytes());
        out.put(&self.phase.turned.to_le_bytes());
        out.put_floats(&[self.peaks.sample, self.peaks.inner, self.peaks.if_last]);
        out.put(&(self.k_energies.len() as u32).to_le_bytes());
        out.put_floats(&self.k_energies);
        out.put_floats(&self.rms_energies);
        out.put_floats(&self.variances);
        out.put_floats(&self.means);
        out.sealed()
    }

    /// Reads what [`LoudnessProfile::to_bytes`] wrote.
    ///
    /// # Errors
    /// When the bytes are damaged or of another version: measure again.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ProfileError> {
        let (version, mut input) = Reader::open(bytes, MAGIC).ok_or(ProfileError::Damaged)?;
        if version != VERSION {
            return Err(ProfileError::Version(version));
        }
        let profile = Self::read(&mut input).ok_or(ProfileError::Damaged)?;
        input.is_empty().then_some(profile).ok_or(ProfileError::Damaged)
    }

    fn read(input: &mut Reader<'_>) -> Option<Self> {
        let channels = u16::from_le_bytes(input.take()?);
        let rate = SampleRate(u32::from_le_bytes(input.take()?));
        let frames = u64::from_le_bytes(input.take()?);
        let non_finite = u64::from_le_bytes(input.take()?);
        let sum_of_squares = f64::from_le_bytes(input.take()?);
        let all = f64::from_le_bytes(input.take()?);
        let turned = f64::from_le_bytes(input.take()?);
        let [sample, inner, if_last] = input.floats(3)?.try_into().ok()?;
        let hops = u32::from_le_bytes(input.take()?) as usize;
        Some(Self {
            rate,
            channels,
            frames,
            k_energies: input.floats(hops)?,
            rms_energies: input.floats(hops)?,
            variances: input.floats(hops)?,
            means: input.floats(hops.checked_mul(usize::from(channels))?)?,
            sum_of_squares,
            non_finite,
            phase: Phase { all, turned },
            peaks: Peaks { sample, inner, if_last },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loudness::LoudnessMeter;

    fn profile() -> LoudnessProfile {
        let mut meter = LoudnessMeter::new(SampleRate(8_000), 1).unwrap();
        meter.process(&[&[0.5f32; 900]]);
        meter.profile()
    }

    #[test]
    fn bytes_come_back_equal() {
        assert_eq!(LoudnessProfile::from_bytes(&profile().to_bytes()), Ok(profile()));
    }

    #[test]
    fn every_changed_byte_and_every_cut_is_noticed() {
        let bytes = profile().to_bytes();
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x10;
            assert!(LoudnessProfile::from_bytes(&changed).is_err(), "byte {at}");
            assert!(LoudnessProfile::from_bytes(&bytes[..at]).is_err(), "cut at {at}");
        }
    }
}
