//! The surroundings of a half second: whether a voice is there at all, and whether it sings, shows only
//! over a few seconds.
//!
//! The voice network hears a voice in strings, pads and organs too. A person differs in that the pitches
//! never stay: the pitch classes of one fifth of a second differ from those of the next. Notes of
//! instruments last. If instruments change as fast, they are hit, or several sound at once.

use super::super::features::{BLOCK, Block, CHROMA, Features};

/// Blocks to each side that are heard: 3 s.
const REACH: usize = 6;
/// Blocks so far below the loudest, or below this level, say nothing, in dB and dBFS.
const BELOW: f32 = 40.0;
const FLOOR: f32 = -60.0;
/// Of fewer blocks than this, as of a single word, the one that is most like a voice counts.
const FEW: usize = 8;
/// Noise has fewer peaks than this and, where it is steady, a level that swings less, in dB.
const NOISE: (f32, f32) = (0.1, 1.5);

/// The surroundings of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Around {
    /// The probability of a voice that the upper fifth of the blocks reaches, of few the highest.
    pub(super) voice: f32,
    /// Median share of the pitch classes that are others 0.2 s later.
    pub(super) wander: f32,
    /// Median entropy of the pitch classes, in bits: how many sound at once.
    pub(super) many: f32,
    /// Median of the largest onset strengths.
    pub(super) accent: f32,
    /// Mean share of the power in spectral peaks, loud blocks more than soft ones.
    pub(super) tonal: f32,
}

/// The surroundings of each block.
pub(super) fn around(features: &Features) -> Vec<Around> {
    let blocks = &features.blocks;
    let loudest = blocks.iter().map(|block| block.level).fold(FLOOR, f32::max);
    let is_heard = |n: &usize| {
        let block = &blocks[*n];
        // The pitches of steady noise wander too.
        let is_noise = block.tonal < NOISE.0 && block.swing < NOISE.1;
        block.level > (loudest - BELOW).max(FLOOR) && !is_noise
    };
    let one = |n: usize| {
        let near = n.saturating_sub(REACH)..(n + REACH + 1).min(blocks.len());
        let heard: Vec<usize> = near.filter(is_heard).collect();
        summary(features, &heard)
    };
    (0..blocks.len()).map(one).collect()
}

fn summary(features: &Features, heard: &[usize]) -> Around {
    let of = |what: fn(&Block) -> f32| heard.iter().map(|n| what(&features.blocks[*n])).collect();
    let amplitude = |n: &usize| 10f32.powf(features.blocks[*n].level / 20.0);
    let loud: f32 = heard.iter().map(amplitude).sum();
    let tonal: f32 = heard.iter().map(|n| amplitude(n) * features.blocks[*n].tonal).sum();
    let (wander, many) = pitches(features, heard);
    Around {
        voice: at(of(|block| block.voice), if heard.len() < FEW { 1.0 } else { 0.8 }),
        wander: at(wander, 0.5),
        many: at(many, 0.5),
        accent: at(of(|block| block.accent), 0.5),
        tonal: if loud > 0.0 { tonal / loud } else { 0.0 },
    }
}

/// How much the pitch classes change, and how many there are, wherever there are any.
fn pitches(features: &Features, heard: &[usize]) -> (Vec<f32>, Vec<f32>) {
    let chroma = &features.chroma;
    let has = |classes: &[f32; 12]| classes.iter().any(|x| *x > 0.0);
    let (mut wander, mut many) = (Vec::new(), Vec::new());
    for block in heard {
        for n in block * BLOCK / CHROMA..(block + 1) * BLOCK / CHROMA {
            let (Some(now), next) = (chroma.get(n), chroma.get(n + 1)) else { break };
            if let Some(next) = next.filter(|next| has(now) || has(next)) {
                wander.push(now.iter().zip(next).map(|(a, b)| (a - b).abs()).sum::<f32>() / 2.0);
            }
            if has(now) {
                many.push(-now.iter().map(|x| x * x.max(1e-9).log2()).sum::<f32>());
            }
        }
    }
    (wander, many)
}

/// The value that `share` of the others are below; 0 if there are none.
fn at(mut values: Vec<f32>, share: f32) -> f32 {
    values.sort_by(f32::total_cmp);
    let last = values.len().saturating_sub(1);
    values.get((share * last as f32).round() as usize).copied().unwrap_or(0.0)
}
