//! Times in seconds as FCPXML writes them: `1001/30000s`, `5s`.

use super::super::timecode::{FrameRate, divide};
use deskhand_dsp::{Frames, SampleRate};

/// A number of seconds, exact.
pub(super) fn seconds(numerator: i64, denominator: i64) -> String {
    let common = greatest_common_divisor(numerator.unsigned_abs(), denominator.unsigned_abs());
    let common = i64::try_from(common).unwrap_or(1).max(1);
    let (numerator, denominator) = (numerator / common, denominator / common);
    if denominator == 1 { format!("{numerator}s") } else { format!("{numerator}/{denominator}s") }
}

/// The time of a frame of picture.
pub(super) fn picture(frame: i64, rate: FrameRate) -> String {
    let (numerator, denominator) = rate.duration();
    seconds(frame.saturating_mul(numerator), denominator)
}

/// The time of a frame of audio.
pub(super) fn audio(at: Frames, rate: SampleRate) -> String {
    seconds(at.0, rate.0.into())
}

/// The numerator and the denominator of a time.
pub(super) fn parse(text: &str) -> Option<(i64, i64)> {
    let text = text.trim().strip_suffix('s')?;
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let (numerator, denominator) = (numerator.parse().ok()?, denominator.parse().ok()?);
    // No timeline lasts a hundred years, and no clock ticks faster: sums of times stay far from overflow.
    let most = 3_155_760_000_i64;
    let is_clock = (1..=most).contains(&denominator);
    let most = most.saturating_mul(denominator);
    (is_clock && (-most..=most).contains(&numerator)).then_some((numerator, denominator))
}

/// The frame of audio nearest to a time.
pub(super) fn samples((numerator, denominator): (i64, i64), rate: SampleRate) -> Frames {
    Frames(divide(numerator, rate.0.into(), denominator, 1))
}

/// The frame of audio nearest to the end of what lasts `length` from `from`: rounded once, as its neighbor's start is.
pub(super) fn end(from: (i64, i64), length: (i64, i64), rate: SampleRate) -> Frames {
    let wide = |(a, b): (i64, i64)| (i128::from(a), i128::from(b));
    let ((a, b), (c, d)) = (wide(from), wide(length));
    let twice = 2 * (a * d + c * b) * i128::from(rate.0);
    let nearest = (twice + b * d).div_euclid(2 * b * d);
    Frames(i64::try_from(nearest).unwrap_or(i64::MAX))
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_exact() {
        assert_eq!(seconds(48_000, 48_000), "1s");
        assert_eq!(seconds(0, 30_000), "0s");
        assert_eq!(picture(7, FrameRate::Fps2997Drop), "7007/30000s");
        assert_eq!(audio(Frames(-24_000), SampleRate(48_000)), "-1/2s");
        assert_eq!(parse("1001/30000s"), Some((1001, 30_000)));
        for bad in ["", "5", "1/0s", "1/-2s", "1.5s", "9999999999999s", "1/4000000000s", "a/bs"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
        assert_eq!(samples((1001, 30_000), SampleRate(48_000)), Frames(1602));
        assert_eq!(end((1001, 30_000), (1001, 30_000), SampleRate(48_000)), Frames(3203));
    }
}
