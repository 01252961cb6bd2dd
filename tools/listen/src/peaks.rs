//! Picks the peaks of a curve: values that stand out from their neighborhood.

/// What a peak must be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picking {
    /// It is the largest value within this many values on each side.
    pub(super) largest: usize,
    /// It is at least `above` over the mean within this many values on each side.
    pub(super) mean: usize,
    /// How far over the mean.
    pub(super) above: f32,
    /// It is at least this many values after the previous peak.
    pub(super) apart: usize,
}

/// The peaks of a curve, in order. O(n).
pub(super) fn pick(curve: &[f32], picking: Picking) -> Vec<usize> {
    let sums: Vec<f64> = std::iter::once(0.0)
        .chain(curve.iter().scan(0.0, |sum, value| {
            *sum += f64::from(*value);
            Some(*sum)
        }))
        .collect();
    let mut peaks: Vec<usize> = Vec::new();
    for (n, value) in curve.iter().enumerate() {
        let from = n.saturating_sub(picking.mean);
        let to = (n + picking.mean + 1).min(curve.len());
        let mean = ((sums[to] - sums[from]) / (to - from) as f64) as f32;
        let is_apart = peaks.last().is_none_or(|last| n - last >= picking.apart);
        if *value >= mean + picking.above && is_apart && is_largest(curve, n, picking.largest) {
            peaks.push(n);
        }
    }
    peaks
}

/// Whether no value near `n` is larger, and none before it is equal.
fn is_largest(curve: &[f32], n: usize, near: usize) -> bool {
    let value = curve[n];
    let (before, after) = (&curve[n.saturating_sub(near)..n], &curve[n + 1..]);
    let after = &after[..near.min(after.len())];
    before.iter().all(|other| *other < value) && after.iter().all(|other| *other <= value)
}

/// Where the top of the peak at `n` lies, in values.
pub(super) fn top(curve: &[f32], n: usize) -> f64 {
    let Some([left, middle, right]) = n
        .checked_sub(1)
        .and_then(|from| curve.get(from..n + 2))
        .and_then(|near| near.try_into().ok())
        .map(|near: [f32; 3]| near.map(f64::from))
    else {
        return n as f64;
    };
    let bend: f64 = left - 2.0 * middle + right;
    let shift =
        if bend.abs() < 1e-12 { 0.0 } else { (0.5 * (left - right) / bend).clamp(-0.5, 0.5) };
    n as f64 + shift
}
