//! Captions that roll, as YouTube writes them: a cue shows the line before once more above its own, and between two cues
//! one of a moment holds that line by itself.

use super::super::Format;
use super::super::markup::plain;
use super::cue::Raw;

/// A cue with no new text that is not longer than this, in us, only keeps the text on screen.
const MOMENT: u64 = 50_000;
/// The most lines of a cue that are read: nobody reads more at once.
const MOST_LINES: usize = 16;

/// Takes out the lines that are shown again, and the cues that have no others. Where no cue holds a line, all stays:
/// people repeat themselves.
pub(super) fn once(mut cues: Vec<Raw<'_>>, format: Format) -> Vec<Raw<'_>> {
    let shown: Vec<Vec<String>> = cues.iter().map(|cue| shown(cue, format)).collect();
    let pairs = shown.windows(2).map(|pair| match pair {
        [before, now] => again(before, now),
        _ => 0,
    });
    let again: Vec<usize> = std::iter::once(0).chain(pairs).collect();
    let holds = |(cue, again): (&Raw<'_>, &usize)| {
        let moment = cue.times.as_ref().map_or(0, |it| it.end.0.saturating_sub(it.start.0));
        *again > 0 && *again == cue.lines.len() && (1..=MOMENT).contains(&moment)
    };
    if !cues.iter().zip(&again).any(holds) {
        return cues;
    }
    for (cue, again) in cues.iter_mut().zip(again) {
        // A cue with impossible times is reported elsewhere.
        if cue.times.as_ref().is_some_and(|times| times.start < times.end) {
            cue.lines.drain(..again);
        }
    }
    cues.retain(|cue| !cue.lines.is_empty());
    cues
}

/// The lines of a cue as they are seen.
fn shown(cue: &Raw<'_>, format: Format) -> Vec<String> {
    let seen = |line: &&str| {
        let (_, plain) = plain(line, format);
        plain.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    cue.lines.iter().map(seen).collect()
}

/// With how many of the last lines of the cue before one begins.
fn again(before: &[String], now: &[String]) -> usize {
    let most = before.len().min(now.len()).min(MOST_LINES);
    let is_same = |count: &usize| before.get(before.len() - count..) == now.get(..*count);
    (1..=most).rev().find(is_same).unwrap_or(0)
}
