//! What every reader checks of a request before it reads.

use deskhand_dsp::{Frames, ReadError};

/// Checks a read request; returns its first frame and how many frames can be delivered.
pub(crate) fn check(
    at: Frames,
    total: Frames,
    channels: usize,
    out: &[&mut [f32]],
) -> Result<(u64, usize), ReadError> {
    let wanted = out.first().map_or(0, |channel| channel.len());
    if out.len() != channels || out.iter().any(|channel| channel.len() != wanted) {
        return Err(ReadError(format!(
            "a read asked for {} channels of audio that has {channels}; this is a fault in \
             Deskhand, please report it",
            out.len()
        )));
    }
    let Ok(start) = u64::try_from(at.0) else {
        return Err(ReadError(format!("a read asked for frame {}, before the start", at.0)));
    };
    let left = u64::try_from(total.0).unwrap_or(0).saturating_sub(start);
    Ok((start, wanted.min(usize::try_from(left).unwrap_or(usize::MAX))))
}
