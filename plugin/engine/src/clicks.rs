//! A number for clicks: what an edit adds to the second difference of a steady tone.
//!
//! Thread: any (for tests)
//!
//! The first difference misses a mute at a zero crossing; the second does not.

/// The largest second difference of `audio`, as a multiple of that of `probe`: a part of the same tone that
/// is known to be clean.
///
/// With a tone of rate / 16 (3 kHz at 48 kHz), a step scores 2 or more, a ramp of 5 ms at most
/// 1.03. A probe without any movement gives infinity.
#[must_use]
pub fn click_score(audio: &[f32], probe: &[f32]) -> f64 {
    f64::from(roughness(audio)) / f64::from(roughness(probe))
}

fn roughness(audio: &[f32]) -> f32 {
    let bends = audio.windows(3).filter_map(|three| match three {
        [a, b, c] => Some((a - 2.0 * b + c).abs()),
        _ => None,
    });
    bends.fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::{Frames, GainRamp};

    #[test]
    fn a_step_is_heard_and_a_ramp_is_not() {
        let tone: Vec<f32> =
            (0..4800).map(|n| (n as f32 * std::f32::consts::FRAC_PI_8).sin()).collect();
        for at in 1000..1016 {
            let mut cut = tone.clone();
            cut[at..].fill(0.0);
            assert!(click_score(&cut, &tone) > 2.0, "a cut at {at}");
            let ramp =
                GainRamp { from: 1.0, to: 0.0, start: Frames::from_index(at), length: Frames(240) };
            let mut faded = tone.clone();
            ramp.apply(Frames::ZERO, &mut faded);
            assert!(click_score(&faded, &tone) < 1.03, "a ramp at {at}");
        }
    }
}
