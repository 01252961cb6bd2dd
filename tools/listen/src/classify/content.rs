//! What a recording is made of, half second by half second: evidence from the voice network and the features, as
//! likelihoods of six kinds, smoothed over time.

use super::super::features::{Block, Features};
use super::voice_context::{Around, around};

/// What sounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Content {
    /// A voice that speaks.
    Speech,
    /// A voice that sings, alone or in front.
    Singing,
    /// Instruments with pitches.
    Music,
    /// Drums and other hits without pitch.
    Drums,
    /// Steady noise.
    Noise,
    /// Nothing that can be heard.
    Silence,
}

/// Every kind.
pub(crate) const ALL: [Content; 6] = [
    Content::Speech,
    Content::Singing,
    Content::Music,
    Content::Drums,
    Content::Noise,
    Content::Silence,
];

impl Content {
    /// As a fact names it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Speech => "speech",
            Self::Singing => "singing",
            Self::Music => "music",
            Self::Drums => "drums",
            Self::Noise => "noise",
            Self::Silence => "silence",
        }
    }
}

/// A stretch of one kind.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stretch {
    /// First block and the one after the last.
    pub(crate) blocks: std::ops::Range<usize>,
    pub(crate) content: Content,
    /// How likely it is, 0 to 1.
    pub(crate) confidence: f64,
    /// The next likely.
    pub(crate) or: Content,
}

impl Stretch {
    /// Whether the next likely kind is nearly as likely.
    pub(crate) fn is_unsure(&self) -> bool {
        self.confidence < 0.5
    }
}

type Likely = [f64; 6];

/// Blocks to each side that have a say.
const SMOOTH: usize = 3;
/// The shortest stretch, in blocks.
const SHORTEST: usize = 4;

/// The stretches of the recording.
pub(crate) fn stretches(features: &Features) -> Vec<Stretch> {
    let loudest = features.blocks.iter().map(|block| block.level).fold(-120.0, f32::max);
    let blocks = features.blocks.iter().zip(around(features));
    let likely: Vec<Likely> =
        blocks.map(|(block, around)| normal(evidence(block, loudest, &around))).collect();
    let smooth: Vec<Likely> = (0..likely.len()).map(|n| smoothed(&likely, n)).collect();
    let best: Vec<usize> = smooth.iter().map(best).collect();
    let runs = merged(best);
    runs.into_iter().map(|(range, kind)| stretch(&smooth, range, kind)).collect()
}

/// How steeply `x` passes from 0 at `low` to 1 at `high`.
fn ramp(x: f32, low: f32, high: f32) -> f64 {
    f64::from(((x - low) / (high - low)).clamp(0.0, 1.0))
}

/// The evidence for each kind. The numbers were tuned on stems, read and sung voices, prompts in five
/// languages, music rendered from MIDI, and solo instruments. Hits have no pitch and are isolated; noise is
/// steady and flat. A voice wanders (see [`around`]), and a sung one has pitch nearly all of the time.
fn evidence(block: &Block, loudest: f32, around: &Around) -> Likely {
    let silent = ramp(block.level, -55.0, -70.0).max(ramp(block.level - loudest, -45.0, -60.0));
    let heard = 1.0 - silent;
    let person = person(around);
    let sung = ramp(around.tonal, 0.58, 0.72);
    let tonal = ramp(block.tonal, 0.1, 0.6);
    let uneven = ramp(block.swing, 2.5, 5.5);
    let pauses = ramp(block.pauses, 0.06, 0.24);
    let hits = ramp(block.accent, 0.15, 0.4);
    let drums = (1.0 - ramp(block.tonal, 0.1, 0.35)) * hits * (0.3 + 0.7 * uneven);
    let flat = ramp(block.flatness, 0.01, 0.1);
    let noise = (1.0 - tonal) * (1.0 - uneven) * (1.0 - hits) * flat;
    [
        heard * person * (1.0 - sung),
        heard * person * sung,
        heard * (1.0 - person) * tonal * (1.0 - 0.7 * uneven * pauses),
        heard * drums * (1.0 - 0.9 * person),
        heard * noise * (1.0 - 0.7 * person),
        silent,
    ]
}

/// How much speaks for a person: the network hears one, the pitches wander, they are not many at once, and either not
/// hit or one at a time.
fn person(around: &Around) -> f64 {
    let voice = ramp(around.voice, 0.76, 0.9) * ramp(around.wander, 0.28, 0.42);
    let not_hit = 1.0 - ramp(around.accent, 0.2, 0.32);
    let alone = 1.0 - ramp(around.many, 1.1, 1.5);
    voice * f64::max(not_hit, alone) * (1.0 - ramp(around.many, 2.3, 2.6))
}

fn normal(likely: Likely) -> Likely {
    let sum: f64 = likely.iter().sum::<f64>() + 0.06;
    likely.map(|x| (x + 0.01) / sum)
}

fn smoothed(likely: &[Likely], n: usize) -> Likely {
    let (from, to) = (n.saturating_sub(SMOOTH), (n + SMOOTH + 1).min(likely.len()));
    let mut sum = [0.0; 6];
    let mut weights = 0.0;
    for (m, other) in likely.iter().enumerate().take(to).skip(from) {
        // Silence is exact in time: it does not affect its neighbors, nor they it.
        let here = likely[n][5] > 0.5;
        if here != (other[5] > 0.5) {
            continue;
        }
        let weight = 1.0 / (1.0 + n.abs_diff(m) as f64);
        weights += weight;
        sum.iter_mut().zip(other).for_each(|(sum, x)| *sum += weight * x);
    }
    sum.map(|x| x / f64::max(weights, 1e-9))
}

fn best(likely: &Likely) -> usize {
    (0..6).max_by(|a, b| likely[*a].total_cmp(&likely[*b])).unwrap_or(5)
}

/// Runs of one kind; those that are too short go to the longer neighbor.
fn merged(kinds: Vec<usize>) -> Vec<(std::ops::Range<usize>, usize)> {
    let mut runs: Vec<(std::ops::Range<usize>, usize)> = Vec::new();
    for (n, kind) in kinds.into_iter().enumerate() {
        match runs.last_mut() {
            Some((range, last)) if *last == kind => range.end = n + 1,
            Some(_) | None => runs.push((n..n + 1, kind)),
        }
    }
    while let Some(short) =
        (0..runs.len()).filter(|n| runs[*n].0.len() < SHORTEST).min_by_key(|n| runs[*n].0.len())
    {
        if runs.len() == 1 {
            break;
        }
        let length = |n: Option<usize>| n.and_then(|n| runs.get(n)).map_or(0, |run| run.0.len());
        let to_left = length(short.checked_sub(1)) >= length(Some(short + 1));
        let (range, _) = runs.remove(short);
        let into = if to_left { short - 1 } else { short };
        let run = &mut runs[into].0;
        *run = run.start.min(range.start)..run.end.max(range.end);
        join(&mut runs);
    }
    runs
}

fn join(runs: &mut Vec<(std::ops::Range<usize>, usize)>) {
    runs.dedup_by(|next, run| {
        let same = next.1 == run.1;
        if same {
            run.0.end = next.0.end;
        }
        same
    });
}

fn stretch(smooth: &[Likely], blocks: std::ops::Range<usize>, kind: usize) -> Stretch {
    let mut mean = [0.0; 6];
    for likely in &smooth[blocks.clone()] {
        mean.iter_mut().zip(likely).for_each(|(sum, x)| *sum += x / blocks.len() as f64);
    }
    let next = (0..6).filter(|other| *other != kind);
    let next = next.max_by(|a, b| mean[*a].total_cmp(&mean[*b])).unwrap_or(kind);
    Stretch { blocks, content: ALL[kind], confidence: mean[kind], or: ALL[next] }
}
