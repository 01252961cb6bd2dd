//! Where a recording changes: a checkerboard kernel along the diagonal of its self-similarity (J. Foote, "Automatic
//! audio segmentation using a measure of audio novelty", ICME 2000), over timbre, harmony and level.

use super::super::features::{BANDS, BLOCK, CHROMA, Features};

/// How much each counts.
const TIMBRE: f32 = 1.0;
const HARMONY: f32 = 0.7;
const LEVEL: f32 = 0.6;
/// Numbers that describe half a second.
const NUMBERS: usize = BANDS + 12 + 1;

/// A description of each half second.
pub(super) type Row = [f32; NUMBERS];

/// The rows of the features: each group of numbers has a mean square equal to its weight over the
/// recording.
pub(super) fn rows(features: &Features) -> Vec<Row> {
    let per_block = BLOCK as f64 / CHROMA as f64;
    let mut rows: Vec<Row> = Vec::with_capacity(features.blocks.len());
    for (n, block) in features.blocks.iter().enumerate() {
        let mut row = [0.0; NUMBERS];
        let level = block.level.max(-80.0);
        let mean = block.bands.iter().sum::<f32>() / BANDS as f32;
        for (out, band) in row.iter_mut().zip(&block.bands) {
            // The shape of the spectrum; near silence has none.
            *out = if level > -75.0 { (band - mean).clamp(-4.0, 4.0) } else { 0.0 };
        }
        // The harmony of two seconds: single notes are no harmony.
        let middle = (n as f64 + 0.5) * per_block;
        let (from, to) = ((middle - 5.0).max(0.0) as usize, (middle + 5.0) as usize);
        for chroma in features.chroma.iter().take(to).skip(from) {
            row[BANDS..BANDS + 12].iter_mut().zip(chroma).for_each(|(sum, x)| *sum += x / 10.0);
        }
        row[NUMBERS - 1] = level;
        rows.push(row);
    }
    for (group, weight) in
        [(0..BANDS, TIMBRE), (BANDS..BANDS + 12, HARMONY), (BANDS + 12..NUMBERS, LEVEL)]
    {
        scale(&mut rows, group, weight);
    }
    rows
}

/// A row by timbre and level alone: harmony is heard over two seconds, which blurs where it changes.
pub(super) fn without_harmony(row: &Row) -> Row {
    let mut row = *row;
    row[BANDS..BANDS + 12].fill(0.0);
    row
}

fn scale(rows: &mut [Row], group: std::ops::Range<usize>, weight: f32) {
    let count = rows.len().max(1) as f32;
    let mut power = 0.0;
    for n in group.clone() {
        let mean = rows.iter().map(|row| row[n]).sum::<f32>() / count;
        rows.iter_mut().for_each(|row| row[n] -= mean);
        power += rows.iter().map(|row| row[n] * row[n]).sum::<f32>() / count;
    }
    let factor = if power > 1e-8 { weight / power.sqrt() } else { 0.0 };
    for row in rows {
        row[group.clone()].iter_mut().for_each(|x| *x *= factor);
    }
}

/// How alike two rows are: 1 the same, towards 0 nothing in common.
pub(super) fn alike(a: &Row, b: &Row) -> f32 {
    let distance: f32 = a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum();
    (-distance * 0.5).exp()
}

/// Novelty at the start of each half second, 0 to about 1, with a kernel of `half` half seconds to each side. `go_on`
/// is asked now and then; empty when it says no.
pub(super) fn novelty(rows: &[Row], half: usize, go_on: &mut dyn FnMut() -> bool) -> Vec<f32> {
    let half = half.max(2);
    let taper = |n: usize| (-2.0 * ((n as f32 + 0.5) / half as f32).powi(2)).exp();
    let taper: Vec<f32> = (0..half).map(taper).collect();
    let mut curve = Vec::with_capacity(rows.len());
    for at in 0..rows.len() {
        if at % 256 == 0 && !go_on() {
            return Vec::new();
        }
        curve.push(board(rows, at, &taper));
    }
    curve
}

/// Likeness within each side minus likeness across, at a time.
fn board(rows: &[Row], at: usize, taper: &[f32]) -> f32 {
    let before = &rows[at.saturating_sub(taper.len())..at];
    let after = &rows[at..(at + taper.len()).min(rows.len())];
    if before.len() < 2 || after.len() < 2 {
        return 0.0;
    }
    let pairs = |one: &mut dyn Iterator<Item = (usize, &Row)>, other: &[(usize, &Row)]| {
        let (mut sum, mut weights) = (0.0, 0.0);
        for (n, a) in one {
            for (m, b) in other {
                let weight = taper[n] * taper[*m];
                sum += weight * alike(a, b);
                weights += weight;
            }
        }
        sum / f32::max(weights, 1e-9)
    };
    let left: Vec<(usize, &Row)> = before.iter().rev().enumerate().collect();
    let right: Vec<(usize, &Row)> = after.iter().enumerate().collect();
    let within =
        pairs(&mut left.iter().copied(), &left) + pairs(&mut right.iter().copied(), &right);
    (0.5 * within - pairs(&mut left.iter().copied(), &right)).max(0.0)
}
