//! Times that a file does not give, estimated from the speech and from the lengths of words.

use super::Micros;
use super::phrases::TimedWord;
use std::ops::Range;

/// Places words over stretches of speech by their lengths, in the unit of the stretches. The stretches are
/// in order. No word is drawn over a pause. Empty if there is no speech.
pub(crate) fn over(speech: &[Range<u64>], lengths: &[u64]) -> Vec<Range<u64>> {
    let length = |stretch: &Range<u64>| stretch.end.saturating_sub(stretch.start);
    let spoken: u128 = speech.iter().map(|stretch| u128::from(length(stretch))).sum();
    let all: u128 = lengths.iter().map(|length| u128::from(*length)).sum::<u128>().max(1);
    let at = |part: u128| u64::try_from(spoken * part / all).unwrap_or(u64::MAX);
    // The stretch of the word, and how much speech comes before that stretch.
    let (mut index, mut ahead, mut before) = (0, 0, 0);
    let mut placed = Vec::with_capacity(lengths.len());
    for word in lengths {
        let (start, end) = (at(before), at(before + u128::from(*word)));
        before += u128::from(*word);
        while let (Some(stretch), Some(_)) = (speech.get(index), speech.get(index + 1))
            && ahead + length(stretch) <= start.midpoint(end)
        {
            ahead += length(stretch);
            index += 1;
        }
        let Some(stretch) = speech.get(index) else { break };
        let place = |spoken: u64| stretch.start + spoken.saturating_sub(ahead).min(length(stretch));
        placed.push(place(start)..place(end));
    }
    placed
}

/// Where what begins at `from` ends when nothing follows it: with the speech.
pub(super) fn last_end<E>(
    from: Micros,
    speech: &mut dyn FnMut() -> Result<Vec<Range<Micros>>, E>,
) -> Result<Micros, E> {
    /// It lasts so long at least, in us: speech is not always heard.
    const LEAST: u64 = 500_000;
    let last = speech()?.last().map_or(from, |last| last.end);
    Ok(last.max(Micros(from.0.saturating_add(LEAST))))
}

/// Words spread over a time by their lengths.
pub(super) fn spread(text: &str, start: Micros, end: Micros) -> Vec<TimedWord> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let weight = |word: &&str| word.chars().count() as u64 + 1;
    let all: u64 = words.iter().map(weight).sum();
    let mut before = 0;
    let length = end.0.saturating_sub(start.0);
    let at = |part: u64| {
        let moved = u128::from(length) * u128::from(part) / u128::from(all.max(1));
        Micros(start.0.saturating_add(u64::try_from(moved).unwrap_or(length)))
    };
    let timed = words.iter().map(|word| {
        let from = at(before);
        before += weight(word);
        TimedWord { text: (*word).into(), start: from, end: at(before), confidence: None }
    });
    timed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_where_somebody_talks() {
        let speech = [100..140, 200..240];
        assert_eq!(over(&speech, &[4, 4]), [100..140, 200..240]);
        assert_eq!(
            over(&[100..140, 200..224], &[11, 2]),
            [100..140, 214..224],
            "not over the pause"
        );
        assert_eq!(over(&[], &[4]), []);
        assert_eq!(over(&speech, &[]), []);
    }
}
