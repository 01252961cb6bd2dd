//! Phrases that can be read again: none is said while the same speaker, or somebody who is not named, says another.

use crate::transcript::{Micros, Said, Times};

/// The shortest phrase: files count milliseconds.
pub(super) const LEAST: u64 = 1_000;

/// Phrases in order of time that do not overlap where a file could not say who says what, and how many were joined for
/// that. One that only ends too late is shortened.
pub(super) fn apart(mut said: Vec<Said>) -> (Vec<Said>, usize) {
    let before = said.len();
    loop {
        let count = said.len();
        said = joined(said);
        if said.len() == count {
            return (said, before - count);
        }
    }
}

/// One pass: a phrase that was joined to another may overlap a third, which the next pass finds.
fn joined(said: Vec<Said>) -> Vec<Said> {
    let mut apart: Vec<Said> = Vec::with_capacity(said.len());
    // Which of those are still said.
    let mut open: Vec<usize> = Vec::new();
    for one in said {
        open.retain(|at| apart.get(*at).is_some_and(|before| before.end > one.start));
        let clash = open.iter().copied().find(|at| {
            apart
                .get_mut(*at)
                .is_some_and(|before| is_clash(before, &one) && !shorten(before, &one))
        });
        match clash.and_then(|at| apart.get_mut(at)) {
            Some(before) => join(before, one),
            None => {
                open.push(apart.len());
                apart.push(one);
            }
        }
    }
    apart
}

/// Whether a file could not tell that two speak at once.
fn is_clash(before: &Said, one: &Said) -> bool {
    let is_named = before.speaker.is_some() && one.speaker.is_some();
    !is_named || before.speaker == one.speaker
}

/// Ends a phrase where the next begins, if all of its words begin ahead of that.
fn shorten(before: &mut Said, next: &Said) -> bool {
    let fits = |at: Micros| at.0.saturating_add(LEAST) <= next.start.0;
    let is_ahead = fits(before.start) && before.words.iter().all(|word| fits(word.start));
    if is_ahead {
        before.end = next.start;
        before.words.iter_mut().for_each(|word| word.end = word.end.min(next.start));
    }
    is_ahead
}

/// Makes one phrase of two; whose words are said when is not kept.
fn join(before: &mut Said, next: Said) {
    before.end = before.end.max(next.end);
    before.words.extend(next.words);
    before.times = Times::Spread;
    if before.speaker != next.speaker {
        before.speaker = None;
    }
}
