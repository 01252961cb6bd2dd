//! Harmonic and percussive parts by medians over time and over frequency, and rough drums and bass from them.
//!
//! Source: Fitzgerald, "Harmonic/percussive separation using median filtering" (DAFx 2010); soft masks of
//! power 2. One mask for both channels, so that the image stays where it is.

use crate::stft::{Analysis, Bin, Spectrum, Stft, Synthesis};
use crate::stream::{Step, drop_lead};
use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};
use std::collections::VecDeque;
use std::sync::Arc;

/// Frames of the median over time and bins of the one over frequency, odd.
const WIDTH: usize = 31;
/// Below this all of the harmonic part is bass, above the next nothing is, in Hz.
const BASS: [f32; 2] = [150.0, 300.0];
/// Keeps the ratio of nothing to nothing at a half.
const EPSILON: f32 = 1e-20;

/// The result of the two masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parts {
    /// The percussive part; the rest is harmonic.
    Percussive,
    /// The percussive part as drums, the low end of the harmonic part as bass; the rest is other.
    DrumsAndBass,
}

impl Parts {
    fn count(self) -> usize {
        match self {
            Self::Percussive => 1,
            Self::DrumsAndBass => 2,
        }
    }
}

/// A split by medians: two channels a part.
pub(crate) struct Medians {
    analysis: Analysis,
    synthesis: Vec<Synthesis>,
    parts: Parts,
    /// Frames around the one that is split, and their magnitudes.
    around: VecDeque<(Spectrum, Vec<f32>)>,
    stft: Arc<Stft>,
    lead: usize,
    length: Frames,
    rate: SampleRate,
}

impl Medians {
    /// Splits `mix`, which is stereo at any rate.
    pub(crate) fn new(mix: Box<dyn FrameReader>, parts: Parts) -> Self {
        // 46 ms, for which the medians' widths are chosen.
        let size = (mix.rate().0 as usize / 22).next_power_of_two().max(256);
        let (length, rate) = (mix.frames(), mix.rate());
        let stft = Stft::new(size, size / 4, size);
        let new_synthesis = || Synthesis::new(Arc::clone(&stft), 2);
        let silence = (stft.silence(2), vec![0.0; stft.bins()]);
        Self {
            synthesis: std::iter::repeat_with(new_synthesis).take(parts.count()).collect(),
            around: VecDeque::from(vec![silence; WIDTH / 2 + 1]),
            lead: stft.lead + WIDTH / 2 * stft.hop,
            analysis: Analysis::new(mix, Arc::clone(&stft)),
            stft,
            parts,
            length,
            rate,
        }
    }

    /// The gains of percussion for the frame in the middle.
    fn percussive(&self) -> Vec<f32> {
        let middle = self.around.get(WIDTH / 2).map_or(&[][..], |(_, level)| level);
        let mut window = [0f32; WIDTH];
        let gain = |bin: usize| {
            for (to, (_, level)) in window.iter_mut().zip(&self.around) {
                *to = level.get(bin).copied().unwrap_or_default();
            }
            let over_time = median(&mut window);
            for (offset, to) in window.iter_mut().enumerate() {
                // Mirrored at both ends.
                let last = middle.len() - 1;
                let at = (bin + offset).abs_diff(WIDTH / 2).min(2 * last);
                *to = middle.get(at.min(2 * last - at)).copied().unwrap_or_default();
            }
            let over_bins = median(&mut window);
            let (p, h) = (over_bins * over_bins, over_time * over_time);
            (p + EPSILON / 2.0) / (p + h + EPSILON)
        };
        (0..middle.len()).map(gain).collect()
    }

    fn gains(&self) -> Vec<Vec<f32>> {
        let drums = self.percussive();
        match self.parts {
            Parts::Percussive => vec![drums],
            Parts::DrumsAndBass => {
                let width = self.rate.0 as f32 / self.stft.size as f32;
                let low = |bin: usize| {
                    let [from, to] = BASS;
                    ((to - bin as f32 * width) / (to - from)).clamp(0.0, 1.0)
                };
                let bass = drums.iter().enumerate().map(|(bin, d)| (1.0 - d) * low(bin)).collect();
                vec![drums, bass]
            }
        }
    }
}

fn median(values: &mut [f32; WIDTH]) -> f32 {
    *values.select_nth_unstable_by(WIDTH / 2, f32::total_cmp).1
}

impl Step for Medians {
    fn channels(&self) -> usize {
        2 * self.parts.count()
    }

    fn frames(&self) -> Frames {
        self.length
    }

    fn rate(&self) -> SampleRate {
        self.rate
    }

    fn step(&mut self, out: &mut [Vec<f32>]) -> Result<(), ReadError> {
        let spectrum = self.analysis.next()?;
        let level = level(&spectrum);
        self.around.push_back((spectrum, level));
        if self.around.len() > WIDTH {
            self.around.pop_front();
        } else if self.around.len() < WIDTH {
            // The lead counts a frame for each of these.
            let hop = self.stft.hop;
            out.iter_mut().for_each(|plane| plane.extend(std::iter::repeat_n(0.0, hop)));
            let old = out.first().map_or(0, Vec::len) - hop;
            drop_lead(out, old, &mut self.lead);
            return Ok(());
        }
        let gains = self.gains();
        let old = out.first().map_or(0, Vec::len);
        let middle = self.around.get(WIDTH / 2).map(|(spectrum, _)| spectrum);
        let each = gains.iter().zip(&mut self.synthesis).zip(out.chunks_mut(2));
        for ((gains, synthesis), out) in each {
            let weigh = |bins: &Vec<Bin>| bins.iter().zip(gains).map(|(b, g)| b * g).collect();
            let spectrum: Spectrum = middle.into_iter().flatten().map(weigh).collect();
            synthesis.push(&spectrum, out);
        }
        drop_lead(out, old, &mut self.lead);
        Ok(())
    }
}

/// Magnitudes of the channels together.
fn level(spectrum: &Spectrum) -> Vec<f32> {
    let bins = spectrum.first().map_or(0, Vec::len);
    let sum = |bin: usize| spectrum.iter().filter_map(|c| c.get(bin)).map(|b| b.norm()).sum();
    (0..bins).map(sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::Stream;
    use crate::testing::{Memory, clicks, read_all, sdr, tone};

    fn split(audio: &[Vec<f32>], rate: u32, parts: Parts) -> Vec<Vec<f32>> {
        read_all(Stream::boxed(Medians::new(Memory::boxed(audio, rate), parts)).as_mut(), 10_000)
    }

    fn mix(parts: &[&[f32]]) -> Vec<f32> {
        (0..parts[0].len()).map(|n| parts.iter().map(|part| part[n]).sum()).collect()
    }

    #[test]
    fn clicks_are_percussive_and_a_tone_is_not_at_any_rate_and_in_place() {
        for rate in [8_000, 44_100, 48_000, 96_000] {
            let length = 3 * rate as usize + 123;
            let (click, tone) = (clicks(rate as usize / 3, length), tone(440.0, rate, length));
            let both = mix(&[&click, &tone]);
            let found = split(&[both.clone(), both.clone()], rate, Parts::Percussive);
            assert_eq!((found.len(), found[0].len()), (2, length));
            assert_eq!(found[0], found[1]);
            let harmonic: Vec<f32> = both.iter().zip(&found[0]).map(|(a, b)| a - b).collect();
            let inner = rate as usize / 2..length - rate as usize / 2;
            let (truth, found) = (&click[inner.clone()], &found[0][inner.clone()]);
            assert!(sdr(truth, found) > 6.0, "{rate}: clicks {}", sdr(truth, found));
            let (truth, found) = (&tone[inner.clone()], &harmonic[inner]);
            assert!(sdr(truth, found) > 15.0, "{rate}: tone {}", sdr(truth, found));
        }
    }

    #[test]
    fn a_low_tone_is_rough_bass_and_a_high_one_is_not() {
        let length = 3 * 44_100;
        let (low, high) = (tone(60.0, 44_100, length), tone(2000.0, 44_100, length));
        let click = clicks(14_700, length);
        let both = mix(&[&low, &high, &click]);
        let found = split(&[both.clone(), both], 44_100, Parts::DrumsAndBass);
        let inner = 22_050..length - 22_050;
        assert!(sdr(&low[inner.clone()], &found[2][inner.clone()]) > 12.0);
        assert!(sdr(&click[inner.clone()], &found[0][inner]) > 6.0);
    }
}
