//! Stretches of speech, and the windows that they fill.

use crate::mel::RATE;
use std::ops::Range;

/// Adds a stretch to the window, or gives the window that has no room for it: `most` samples.
pub(crate) fn extend(
    window: &mut Option<Range<usize>>,
    stretch: Range<usize>,
    most: usize,
) -> Option<Range<usize>> {
    match window {
        Some(open) if stretch.end - open.start <= most => {
            open.end = stretch.end;
            None
        }
        _ => window.replace(stretch),
    }
}

/// How many samples of a part lie in stretches.
pub(super) fn inside(stretches: &[Range<usize>], part: &Range<usize>) -> usize {
    let inside =
        |one: &Range<usize>| one.end.min(part.end).saturating_sub(one.start.max(part.start));
    stretches.iter().map(inside).sum()
}

/// The first stretch of a part that has more than one.
pub(super) fn first_of_many(
    stretches: &[Range<usize>],
    part: &Range<usize>,
) -> Option<Range<usize>> {
    let mut inside = stretches
        .iter()
        .map(|one| one.start.max(part.start)..one.end.min(part.end))
        .filter(|one| one.start < one.end);
    let first = inside.next()?;
    inside.next().map(|_| first)
}

/// The most audio of a stretch to hear if it cannot be heard well as a whole, in samples, and the least.
const SHORT: Range<usize> = 2 * RATE as usize..6 * RATE as usize;
/// The window in which the quietest place is measured, in samples: 0.1 s.
const QUIET: usize = RATE as usize / 10;

/// The first samples of a part, up to its quietest point within 2 to 6 s: about a sentence. `None` if the
/// part is not longer.
pub(super) fn first_few(samples: &[f32], part: &Range<usize>) -> Option<Range<usize>> {
    let within = samples.get(SHORT.start..SHORT.end).filter(|_| part.len() > SHORT.end)?;
    let energy = |block: &[f32]| block.iter().map(|value| value * value).sum::<f32>();
    let blocks = within.windows(QUIET).step_by(QUIET / 4).map(energy).enumerate();
    let (quietest, _) = blocks.min_by(|a, b| a.1.total_cmp(&b.1))?;
    let cut = SHORT.start + quietest * (QUIET / 4) + QUIET / 2;
    Some(part.start..part.start + cut)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listen::window::WINDOW;

    #[test]
    fn stretches_fill_windows() {
        let mut window = None;
        assert_eq!(extend(&mut window, 0..10, WINDOW), None);
        assert_eq!(extend(&mut window, 20..WINDOW, WINDOW), None);
        assert_eq!(extend(&mut window, WINDOW + 5..WINDOW + 9, WINDOW), Some(0..WINDOW));
        assert_eq!(window, Some(WINDOW + 5..WINDOW + 9));
    }

    #[test]
    fn of_many_stretches_the_first_stands_alone() {
        assert_eq!(first_of_many(&[0..10, 20..30], &(0..40)), Some(0..10));
        assert_eq!(first_of_many(&[0..10, 20..30], &(5..40)), Some(5..10));
        assert_eq!(first_of_many(&[0..10, 20..30], &(10..40)), None);
        assert_eq!(first_of_many(&[0..10, 20..30], &(0..20)), None);
    }

    #[test]
    fn a_long_stretch_is_cut_at_its_quietest_point() {
        let second = RATE as usize;
        let mut sound = vec![0.5; 10 * second];
        sound[4 * second..4 * second + 3200].fill(0.01);
        let first = first_few(&sound, &(second..11 * second)).unwrap();
        assert_eq!(first.start, second);
        assert!((5 * second..5 * second + 3200).contains(&first.end), "{first:?}");
        assert_eq!(first_few(&sound[..6 * second], &(0..6 * second)), None);
    }
}
