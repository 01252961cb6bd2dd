//! From novelty to parts: where they begin, to the nearest onset, and which of them sound alike.

use super::super::features::{BLOCK, Features};
use super::novelty::{Row, alike, novelty, rows, without_harmony};
use deskhand_dsp::Frames;

/// The kernel reaches this many seconds to each side at sensitivity 1, and proportionally more above.
const REACH_S: f64 = 3.0;
/// Novelty that makes a part, at sensitivity 1 and for each step.
const FINEST: f32 = 0.10;
const STEP: f32 = 0.012;
/// Parts are alike from this likeness of their means on.
const ALIKE: f32 = 0.72;

/// A part of a region.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    /// First frame of it in the region.
    pub(crate) start: Frames,
    pub(crate) length: Frames,
    /// A letter; parts that sound alike share it.
    pub(crate) label: String,
    /// How plainly it begins, 0 to 1; the first one does.
    pub(crate) confidence: f64,
}

/// The parts of the audio; one, if it does not change.
pub(crate) fn parts(
    features: &Features,
    sensitivity: f64,
    go_on: &mut dyn FnMut() -> bool,
) -> Vec<Part> {
    let rows = rows(features);
    let half = (REACH_S * sensitivity / features.block_s()).round() as usize;
    let half = half.clamp(2, (rows.len() / 4).max(2));
    let curve = novelty(&rows, half, go_on);
    let above = FINEST + STEP * (sensitivity as f32 - 1.0);
    let cuts: Vec<usize> = exact(&rows, cuts(&curve, half, above));
    let mut edges = vec![0];
    edges.extend(&cuts);
    edges.push(rows.len());
    let labels = labels(&rows, &edges);
    let mut starts = vec![Frames::ZERO];
    starts.extend(cuts.iter().map(|cut| refined(features, *cut)));
    starts.push(Frames::from_index(features.frames));
    let part = |n: usize| Part {
        start: starts[n],
        length: starts[n + 1] - starts[n],
        label: labels[n].clone(),
        confidence: if n == 0 { 1.0 } else { f64::from(curve[edges[n]] / 0.4).min(1.0) },
    };
    let found = (0..starts.len() - 1).map(part);
    found.filter(|part| part.length > Frames::ZERO).collect()
}

/// Half seconds where the curve peaks.
fn cuts(curve: &[f32], half: usize, above: f32) -> Vec<usize> {
    let near = (half / 2).max(2);
    let is_peak = |n: &usize| {
        let value = curve[*n];
        let part = &curve[n.saturating_sub(near)..(n + near + 1).min(curve.len())];
        value >= above && part.iter().all(|other| *other <= value)
    };
    // Nearer to an end there is too little on one side to say that it changed.
    let mut cuts: Vec<usize> = (near..curve.len().saturating_sub(near)).filter(is_peak).collect();
    cuts.dedup_by(|later, first| *later - *first < near);
    cuts
}

/// Cuts moved to where the change is sharpest nearby.
fn exact(rows: &[Row], cuts: Vec<usize>) -> Vec<usize> {
    let plain: Vec<Row> = rows.iter().map(without_harmony).collect();
    let sharp = novelty(&plain, 3, &mut || true);
    let moved = cuts.into_iter().map(|cut| {
        let near = cut.saturating_sub(3).max(1)..(cut + 4).min(rows.len());
        near.max_by(|a, b| sharp[*a].total_cmp(&sharp[*b])).unwrap_or(cut)
    });
    let mut moved: Vec<usize> = moved.collect();
    moved.sort_unstable();
    moved.dedup();
    moved
}

/// The strongest onset near the start of a half second; without one, that start.
fn refined(features: &Features, cut: usize) -> Frames {
    let middle = cut * BLOCK;
    let from = middle.saturating_sub(BLOCK * 3 / 4).min(features.flux.len());
    let to = (middle + BLOCK * 3 / 4).min(features.flux.len());
    let near = features.flux[from..to].iter().enumerate();
    let strongest = near.max_by(|a, b| a.1.total_cmp(b.1));
    let at = match strongest {
        Some((n, strength)) if *strength > 0.05 => from + n,
        Some(_) | None => middle,
    };
    features.frame(at as f64)
}

/// A letter for each stretch between edges.
fn labels(rows: &[Row], edges: &[usize]) -> Vec<String> {
    let mut kinds: Vec<Row> = Vec::new();
    let mut labels = Vec::new();
    for pair in edges.windows(2) {
        let mean = mean(&rows[pair[0]..pair[1]]);
        let known = kinds
            .iter()
            .enumerate()
            .map(|(kind, other)| (kind, alike(other, &mean)))
            .filter(|(_, alike)| *alike > ALIKE)
            .max_by(|a, b| a.1.total_cmp(&b.1));
        let kind = known.map_or(kinds.len(), |(kind, _)| kind);
        if kind == kinds.len() {
            kinds.push(mean);
        }
        labels.push(letter(kind));
    }
    labels
}

fn mean(rows: &[Row]) -> Row {
    let mut mean = rows.first().copied().unwrap_or([0.0; _]);
    mean.iter_mut().enumerate().for_each(|(n, out)| {
        *out = rows.iter().map(|row| row[n]).sum::<f32>() / rows.len().max(1) as f32;
    });
    mean
}

/// A, B, …, Z, A2, B2, …
fn letter(kind: usize) -> String {
    let letter = char::from(b'A' + (kind % 26) as u8);
    match kind / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{}", round + 1),
    }
}
