//! Words without times, over where somebody talks.

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
