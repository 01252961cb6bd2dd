//! The music bed: bass and keys of the demo's band, again and again under the whole interview.

use super::sound::{MUSIC_RATE, frame, resampled, to_peak};
use crate::demo::band;

/// One round of the band without its tail, seconds.
const ROUND: f64 = 25.0;
/// The bed is dull: what it has above is left out, Hz. This also makes a smaller file.
const CUTOFF: f64 = 3_500.0;
const PEAK_DBFS: f32 = -13.0;
/// At its start and end, seconds.
const FADES: [f64; 2] = [0.5, 2.0];

/// The bed, mono, that long.
pub(super) fn play(seconds: f64) -> Vec<f32> {
    let round = round();
    let mut bed = vec![0.0; frame(seconds, MUSIC_RATE)];
    let starts = (0..).map(|number| frame(f64::from(number) * ROUND, MUSIC_RATE));
    for start in starts.take_while(|start| *start < frame(seconds, MUSIC_RATE)) {
        bed[start..].iter_mut().zip(&round).for_each(|(sample, more)| *sample += more);
    }
    to_peak(&mut bed, PEAK_DBFS);
    let [begin, end] = FADES.map(|fade| frame(fade, MUSIC_RATE));
    let length = bed.len();
    for (place, sample) in bed.iter_mut().enumerate() {
        let share = (place as f32 / begin as f32).min((length - place) as f32 / end as f32);
        *sample *= share.min(1.0);
    }
    bed
}

/// One round with its tail.
fn round() -> Vec<f32> {
    let parts = band::play();
    let of = |name: &str| parts.iter().find(|part| part.name == name);
    let [bass, keys] = ["Bass", "Keys"].map(|name| {
        let channels = of(name).map(|part| part.channels.as_slice()).unwrap_or_default();
        let frames = channels.first().map_or(0, Vec::len);
        let mut mono: Vec<f32> =
            (0..frames).map(|at| channels.iter().map(|channel| channel[at]).sum()).collect();
        to_peak(&mut mono, -6.0);
        mono
    });
    let mix: Vec<f32> = bass.iter().zip(&keys).map(|(bass, keys)| 0.5 * bass + keys).collect();
    resampled(&mix, (band::RATE, MUSIC_RATE), CUTOFF)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::sound;

    #[test]
    fn the_bed_is_as_long_as_what_is_said_and_plays_to_its_end() {
        let bed = play(60.0);
        assert_eq!(bed.len(), frame(60.0, MUSIC_RATE));
        let loud = sound::rms_db(&bed[bed.len() / 2..bed.len() * 9 / 10]);
        assert!(loud > -35.0, "{loud}");
        assert!(bed[0] == 0.0 && bed[bed.len() - 1].abs() < 0.001);
    }
}
