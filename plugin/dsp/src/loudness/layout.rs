//! Which channel counts how much.

/// 1.5 dB as a power factor, for channels at the side: BS.1770-5, azimuth 60° to 120°.
const SIDE: f64 = 1.41;
const FULL: f64 = 1.0;
/// The low-frequency effects channel is not measured.
const LFE: f64 = 0.0;

/// The loudness weights of a file of `channels` channels, as factors of power, after the positions
/// of ITU-R BS.1770-5.
///
/// The order is that of WAV and FLAC: mono; L R; L R C; L R Ls Rs; L R C Ls Rs; L R C LFE Ls Rs; L R C LFE
/// Cs Ls Rs; L R C LFE Lb Rb Ls Rs. Sides count 1.41, backs (beyond 120°) and fronts 1.0, the LFE nothing.
/// In files of up to 6 channels the only surround pair counts as sides, also when the file calls it "back".
/// More than 8 channels have no agreed layout: all count 1.0. A mono file counts once: played on two
/// loudspeakers at full level it is 3 LU louder.
#[must_use]
pub fn channel_weights(channels: usize) -> Vec<f64> {
    let known: &[f64] = match channels {
        4 => &[FULL, FULL, SIDE, SIDE],
        5 => &[FULL, FULL, FULL, SIDE, SIDE],
        6 => &[FULL, FULL, FULL, LFE, SIDE, SIDE],
        7 => &[FULL, FULL, FULL, LFE, FULL, SIDE, SIDE],
        8 => &[FULL, FULL, FULL, LFE, FULL, FULL, SIDE, SIDE],
        _ => &[],
    };
    (0..channels).map(|channel| known.get(channel).copied().unwrap_or(FULL)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_lfe_is_left_out() {
        for channels in 1..=32 {
            let weights = channel_weights(channels);
            let silent: Vec<usize> = (0..channels).filter(|n| weights[*n] < 0.5).collect();
            assert_eq!(weights.len(), channels);
            assert_eq!(silent, if (6..=8).contains(&channels) { vec![3] } else { vec![] });
        }
    }
}
