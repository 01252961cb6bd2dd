//! Where the phrases of a window begin and end, by the times among its tokens.

use super::window::TICK;
use std::ops::Range;

/// The phrases of a part, by their tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) phrases: Vec<Piece>,
    /// How many samples were heard: where to go on.
    pub(super) heard: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// Which tokens, without times.
    pub(super) tokens: Range<usize>,
    /// Samples from the start of the part.
    pub(super) range: Range<usize>,
}

/// Cuts the tokens between two adjacent time tokens. If there `is_more` audio, a last phrase that the
/// window cuts off is left for the next window. If a second time token promises more text, the rest is
/// heard again.
pub(super) fn cut(tokens: &[u32], first_time: u32, length: usize, is_more: bool) -> Cut {
    let sample = |token: u32| (token.saturating_sub(first_time) as usize * TICK).min(length);
    let mut pieces: Vec<Piece> = Vec::new();
    let (mut start, mut open) = (0, 0);
    let mut last_time = None;
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| **token >= first_time) {
        if open < at {
            pieces.push(Piece { tokens: open..at, range: start..sample(*token).max(start) });
            last_time = Some(sample(*token));
        }
        (start, open) = (sample(*token), at + 1);
    }
    let is_open = open < tokens.len();
    // One time at the end: all is said, and silence follows.
    let ends_single = tokens.last().is_some_and(|token| *token >= first_time)
        && tokens.iter().rev().nth(1).is_none_or(|token| *token < first_time);
    let heard = match last_time {
        Some(time) if (is_more || !is_open) && !ends_single && time > 0 => time,
        _ => length,
    };
    if is_open && heard == length {
        pieces.push(Piece { tokens: open..tokens.len(), range: start..length });
    }
    Cut { phrases: pieces, heard: heard.max(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T: u32 = 100;

    fn tick(n: usize) -> usize {
        n * TICK
    }

    #[test]
    fn phrases_are_cut_at_pairs_of_times() {
        let tokens = [T, 1, 2, T + 50, T + 60, 3, T + 90];
        let all = cut(&tokens, T, tick(100), true);
        assert_eq!(all.phrases.len(), 2);
        assert_eq!(all.phrases[1], Piece { tokens: 5..6, range: tick(60)..tick(90) });
        assert_eq!(all.heard, tick(100), "one time at the end: the rest is silent");
    }

    #[test]
    fn a_phrase_that_is_cut_off_is_heard_again() {
        let tokens = [T, 1, T + 50, T + 50, 3, 4];
        let more = cut(&tokens, T, tick(100), true);
        assert_eq!((more.phrases.len(), more.heard), (1, tick(50)));
        let last = cut(&tokens, T, tick(100), false);
        assert_eq!((last.phrases.len(), last.heard), (2, tick(100)));
        assert_eq!(last.phrases[1], Piece { tokens: 4..6, range: tick(50)..tick(100) });
        let announced = cut(&[T, 1, T + 50, T + 50], T, tick(100), false);
        assert_eq!((announced.phrases.len(), announced.heard), (1, tick(50)), "more was to follow");
        let untimed = cut(&[T, 1, 2], T, tick(100), true);
        assert_eq!((untimed.phrases.len(), untimed.heard), (1, tick(100)));
        assert_eq!(cut(&[], T, tick(9), true), Cut { phrases: vec![], heard: tick(9) });
    }
}
