//! Comparing by transients: where the level rises, not what sounds.

use super::delay::Alignment;
use deskhand_dsp::correlation::ReadMono;

/// Frames of a step of the level.
pub(super) const HOP: usize = 32;

/// How late `b` is against `a` by the rises of their levels; reads as [`super::delay::align`] does.
pub(super) fn align<E>(
    a: &mut ReadMono<'_, E>,
    b: &mut ReadMono<'_, E>,
    length: usize,
    most: usize,
) -> Result<Option<Alignment>, E> {
    let reach = most.div_ceil(HOP) + 2;
    let first = rises(a, 0, length / HOP)?;
    let second = rises(b, -((reach * HOP) as i64), length / HOP + 2 * reach)?;
    let power = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
    let likeness = |lag: usize| {
        let part = second.get(lag..lag + first.len())?;
        let scale = (power(&first) * power(part)).sqrt();
        let product: f64 = first.iter().zip(part).map(|(x, y)| x * y).sum();
        (scale > 1e-9).then(|| product / scale)
    };
    let lags: Vec<f64> = (0..=2 * reach).map(|lag| likeness(lag).unwrap_or(0.0)).collect();
    let Some((best, correlation)) =
        lags.iter().copied().enumerate().max_by(|x, y| x.1.total_cmp(&y.1))
    else {
        return Ok(None);
    };
    if correlation <= 0.0 {
        return Ok(None);
    }
    let get = |index: Option<usize>| index.and_then(|i| lags.get(i)).copied().unwrap_or(0.0);
    let (left, right) = (get(best.checked_sub(1)), get(Some(best + 1)));
    let bend = left - 2.0 * correlation + right;
    let part = if bend == 0.0 { 0.0 } else { (0.5 * (left - right) / bend).clamp(-0.5, 0.5) };
    let delay = (best as f64 + part - reach as f64) * HOP as f64;
    Ok(Some(Alignment { delay: delay.round(), drift: 0.0, correlation, agreement: 1.0 }))
}

/// How far the level of each hop rises above the one before it, in dB, smoothed over three hops.
pub(super) fn rises<E>(read: &mut ReadMono<'_, E>, from: i64, hops: usize) -> Result<Vec<f64>, E> {
    const PART: usize = 4096;
    let mut levels = Vec::with_capacity(hops);
    while levels.len() < hops {
        let count = PART.min(hops - levels.len());
        let samples = read(from + (levels.len() * HOP) as i64, count * HOP)?;
        levels.extend(samples.chunks(HOP).map(|hop| {
            let power: f64 = hop.iter().map(|x| f64::from(*x).powi(2)).sum();
            10.0 * (power / HOP as f64 + 1e-6).log10()
        }));
    }
    let smooth = |n: usize| -> f64 {
        let near = levels.get(n.saturating_sub(4)..(n + 1).min(levels.len())).unwrap_or_default();
        near.iter().sum::<f64>() / near.len().max(1) as f64
    };
    Ok((0..hops).map(|n| (smooth(n) - smooth(n.saturating_sub(8))).max(0.0)).collect())
}
