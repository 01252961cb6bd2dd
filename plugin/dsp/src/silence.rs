//! Where audio sounds and where it is silent.

use crate::downmix::Downmix;
use crate::envelope::Envelope;
use crate::{Decibels, Frames};
use std::ops::Range;

/// What counts as silence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SilenceSettings {
    /// Sound begins where a hop's RMS reaches this, in dBFS.
    pub open: Decibels,
    /// Sound goes on until a hop's RMS falls below this; at most `open`, or `open` holds.
    pub close: Decibels,
    /// Shorter silences between sounds are part of the sound.
    pub min_silence: Frames,
    /// Shorter sounds (clicks) are part of the silence.
    pub min_sound: Frames,
    /// Kept before each sound.
    pub pre_roll: Frames,
    /// Kept after each sound.
    pub post_roll: Frames,
}

/// The stretches that sound, in order, without overlaps, inside the audio.
///
/// Threshold with hysteresis on the hops; then sounds shorter than `min_sound` fall out, gaps
/// shorter than `min_silence` close, pre- and post-roll are added, and what touches joins.
#[must_use]
pub fn active_ranges(envelope: &Envelope, settings: SilenceSettings) -> Vec<Range<Frames>> {
    let sounds = loud_hops(envelope.energies(), settings).into_iter();
    let sounds = sounds.map(|hops| envelope.frames_of(hops));
    let sounds = sounds.filter(|sound| sound.end - sound.start >= settings.min_sound);
    let mut joined: Vec<Range<Frames>> = Vec::new();
    for sound in sounds {
        match joined.last_mut() {
            Some(last) if sound.start - last.end < settings.min_silence => last.end = sound.end,
            _ => joined.push(sound),
        }
    }
    let (before, behind) =
        (settings.pre_roll.max(Frames::ZERO), settings.post_roll.max(Frames::ZERO));
    union(joined.into_iter().map(|sound| {
        (sound.start - before).max(Frames::ZERO)..(sound.end + behind).min(envelope.frames())
    }))
}

/// Runs of hops from `open` until below `close`.
fn loud_hops(energies: &[f32], settings: SilenceSettings) -> Vec<Range<usize>> {
    let energy = |level: Decibels| level.amplitude().powi(2);
    let open = energy(settings.open);
    let close = energy(settings.close).min(open);
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut sounding = false;
    for (hop, level) in energies.iter().map(|e| f64::from(*e)).enumerate() {
        sounding = level > 0.0 && level >= if sounding { close } else { open };
        match runs.last_mut() {
            Some(run) if sounding && run.end == hop => run.end = hop + 1,
            _ if sounding => runs.push(hop..hop + 1),
            _ => {}
        }
    }
    runs
}

/// The union of ranges, sorted; ranges that touch become one, empty ones vanish.
///
/// For a group of tracks: the union of their sounding ranges. All tracks are silent only outside it.
#[must_use]
pub fn union(ranges: impl IntoIterator<Item = Range<Frames>>) -> Vec<Range<Frames>> {
    let mut sorted: Vec<_> = ranges.into_iter().filter(|range| range.start < range.end).collect();
    sorted.sort_by_key(|range| (range.start, range.end));
    let mut joined: Vec<Range<Frames>> = Vec::with_capacity(sorted.len());
    for range in sorted {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

/// The stretches of `whole` that no range covers; `ranges` as from [`union`].
#[must_use]
pub fn gaps(ranges: &[Range<Frames>], whole: Range<Frames>) -> Vec<Range<Frames>> {
    let starts = std::iter::once(whole.start).chain(ranges.iter().map(|range| range.end));
    let ends = ranges.iter().map(|range| range.start).chain(std::iter::once(whole.end));
    let gaps = starts.zip(ends).map(|(start, end)| start.max(whole.start)..end.min(whole.end));
    gaps.filter(|gap| gap.start < gap.end).collect()
}

/// The zero crossing nearest to `near`, at most `reach` frames away: an index `n` where the
/// [downmix](Downmix) of all channels changes its sign between frames `n - 1` and `n`, or is zero at `n`.
///
/// `None` if there is no crossing. Of two equally near ones, the earlier.
#[must_use]
pub fn zero_crossing(planar: &[&[f32]], near: usize, reach: usize) -> Option<usize> {
    let mixed = Downmix::default().mix(planar);
    let is_turn = |n: usize| mixed[n] == 0.0 || n > 0 && mixed[n - 1] * mixed[n] < 0.0;
    let crosses = |n: usize| n < mixed.len() && is_turn(n);
    let candidates = (0..=reach).flat_map(|d| [near.checked_sub(d), near.checked_add(d)]);
    candidates.flatten().find(|n| crosses(*n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SampleRate;
    use proptest::prelude::*;

    const PLAIN: SilenceSettings = SilenceSettings {
        open: Decibels(-40.0),
        close: Decibels(-50.0),
        min_silence: Frames::ZERO,
        min_sound: Frames::ZERO,
        pre_roll: Frames::ZERO,
        post_roll: Frames::ZERO,
    };

    /// 1 kHz rate and 100 hops per second: a hop is 10 frames.
    fn envelope(levels: &[f64]) -> Envelope {
        let energies = levels.iter().map(|db| 10f64.powf(db / 10.0) as f32).collect();
        let frames = Frames::from_index(levels.len() * 10);
        Envelope::new(SampleRate(1000), 100, frames, energies)
    }

    fn ranges(levels: &[f64], settings: SilenceSettings) -> Vec<(i64, i64)> {
        let found = active_ranges(&envelope(levels), settings);
        found.into_iter().map(|range| (range.start.0, range.end.0)).collect()
    }

    #[test]
    fn sound_opens_high_and_closes_low() {
        let levels = [-60.0, -45.0, -30.0, -45.0, -49.0, -60.0, -45.0, -20.0];
        assert_eq!(ranges(&levels, PLAIN), [(20, 50), (70, 80)]);
    }

    #[test]
    fn short_gaps_close_clicks_fall_out_and_rolls_stay_inside() {
        let levels = [-10.0, -90.0, -10.0, -90.0, -90.0, -90.0, -10.0, -90.0];
        let gap = SilenceSettings { min_silence: Frames(20), ..PLAIN };
        assert_eq!(ranges(&levels, gap), [(0, 30), (60, 70)]);
        let click = SilenceSettings { min_sound: Frames(11), ..PLAIN };
        assert_eq!(ranges(&levels, click), []);
        let roll = SilenceSettings { pre_roll: Frames(5), post_roll: Frames(30), ..PLAIN };
        assert_eq!(ranges(&levels, roll), [(0, 80)]);
    }

    #[test]
    fn digital_silence_never_sounds() {
        let silent = Envelope::new(SampleRate(1000), 100, Frames(30), vec![0.0; 3]);
        let settings = SilenceSettings { open: Decibels(f64::NEG_INFINITY), ..PLAIN };
        assert_eq!(active_ranges(&silent, settings), []);
    }

    proptest! {
        #[test]
        fn sounds_and_gaps_tile_the_audio(levels in prop::collection::vec(-80f64..0.0, 0..60)) {
            let envelope = envelope(&levels);
            let sounds = active_ranges(&envelope, SilenceSettings { pre_roll: Frames(7), ..PLAIN });
            let gaps = gaps(&sounds, Frames::ZERO..envelope.frames());
            let tiled = union(sounds.iter().chain(&gaps).cloned());
            let whole = Frames::ZERO..envelope.frames();
            prop_assert_eq!(tiled, if levels.is_empty() { vec![] } else { vec![whole] });
            let length = |ranges: &[Range<Frames>]| ranges.iter().map(|r| r.end.0 - r.start.0).sum::<i64>();
            prop_assert_eq!(length(&sounds) + length(&gaps), envelope.frames().0);
        }
    }

    #[test]
    fn cuts_move_to_the_nearest_zero_crossing() {
        let wave = [1.0, 0.5, -0.5, -1.0, -0.5, 0.5, 1.0];
        assert_eq!(zero_crossing(&[&wave], 3, 3), Some(2));
        assert_eq!(zero_crossing(&[&wave], 4, 3), Some(5));
        assert_eq!(zero_crossing(&[&wave], 0, 1), None);
        assert_eq!(zero_crossing(&[&wave], 99, 98), Some(5));
        assert_eq!(zero_crossing(&[], 0, 5), None);
    }

    #[test]
    fn channels_out_of_phase_cross_zero_where_each_does() {
        let wave: Vec<f32> = (0..480).map(|n| ((n as f32 + 0.5) * 0.05).sin()).collect();
        let turned: Vec<f32> = wave.iter().map(|sample| -sample).collect();
        let alone = zero_crossing(&[&wave], 100, 80);
        assert!(alone.is_some_and(|found| found != 100));
        assert_eq!(zero_crossing(&[&wave, &turned], 100, 80), alone);
    }
}
