//! What Whisper may say next: the rules of its reference decoder.
//!
//! Times come in pairs around each phrase, never go back, and the first one is at most 1 s; symbols for
//! sounds are not written. Source: `whisper/decoding.py`.

use deskhand_inference::{Vocabulary, Whisper};

/// The latest first time, in units of 20 ms.
const LATEST_START: u32 = 50;
/// What no token can have.
const NEVER: f32 = f32::NEG_INFINITY;

/// The rules for one model.
pub(super) struct Rules<'a> {
    vocabulary: &'a Vocabulary,
    suppressed: &'a [u32],
    suppressed_first: &'a [u32],
}

impl<'a> Rules<'a> {
    pub(super) fn new(whisper: &'a Whisper) -> Self {
        Self {
            vocabulary: &whisper.vocabulary,
            suppressed: &whisper.suppressed,
            suppressed_first: &whisper.suppressed_first,
        }
    }

    /// Takes away the scores of what may not follow `said`.
    pub(super) fn apply(&self, scores: &mut [f32], said: &[u32]) {
        let vocabulary = self.vocabulary;
        forbid(scores, self.suppressed);
        forbid(scores, &[vocabulary.without_times]);
        if said.is_empty() {
            forbid(scores, self.suppressed_first);
            // It begins with a time.
            silence(scores, 0, vocabulary.first_time);
            silence(scores, vocabulary.first_time + LATEST_START + 1, u32::MAX);
        }
        self.pair(scores, said);
        self.prefer_times(scores);
    }

    /// Times come in pairs and never go back.
    fn pair(&self, scores: &mut [f32], said: &[u32]) {
        let first = self.vocabulary.first_time;
        let is_time = |token: Option<&u32>| token.is_some_and(|token| *token >= first);
        let is_last = is_time(said.last());
        let is_before = said.len() < 2 || is_time(said.iter().rev().nth(1));
        match (is_last, is_before) {
            (true, true) => silence(scores, first, u32::MAX),
            (true, false) => silence(scores, 0, self.vocabulary.end),
            (false, _) => {}
        }
        if let Some(latest) = said.iter().rev().find(|token| **token >= first) {
            let after = if is_last && !is_before { *latest } else { latest + 1 };
            silence(scores, first, after);
        }
    }

    /// A time follows when all times together are likelier than the likeliest word.
    fn prefer_times(&self, scores: &mut [f32]) {
        let first = self.vocabulary.first_time as usize;
        let Some((words, times)) = scores.split_at_mut_checked(first) else { return };
        let word = words.iter().copied().fold(NEVER, f32::max);
        let time = times.iter().copied().fold(NEVER, f32::max);
        if time == NEVER {
            return;
        }
        let sum: f32 = times.iter().map(|score| (score - time).exp()).sum();
        if time + sum.ln() > word {
            words.fill(NEVER);
        }
    }
}

fn forbid(scores: &mut [f32], tokens: &[u32]) {
    for token in tokens {
        if let Some(score) = scores.get_mut(*token as usize) {
            *score = NEVER;
        }
    }
}

/// Takes away the scores of the tokens `from..to`.
fn silence(scores: &mut [f32], from: u32, to: u32) {
    let end = (to as usize).min(scores.len());
    if let Some(part) = scores.get_mut((from as usize).min(end)..end) {
        part.fill(NEVER);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tokens 0..3 are words, 3 ends, 4..9 commands, 10.. times.
    fn vocabulary() -> Vocabulary {
        let mut tokens: Vec<String> =
            ["a", "b", "c", "<|endoftext|>", "<|startoftranscript|>"].map(String::from).to_vec();
        for command in ["translate", "transcribe", "startofprev", "nospeech", "notimestamps"] {
            tokens.push(format!("<|{command}|>"));
        }
        tokens.extend((0..80).map(|at| format!("<|{:.2}|>", f64::from(at) * 0.02)));
        Vocabulary::read(tokens.join("\n").as_bytes(), tokens.len()).unwrap()
    }

    fn allowed(said: &[u32]) -> Vec<usize> {
        let vocabulary = vocabulary();
        let rules = Rules {
            vocabulary: &vocabulary,
            suppressed: &[1, 4, 5, 6, 7, 8],
            suppressed_first: &[],
        };
        let mut scores = vec![0.0; 90];
        // A word as likely as all times together.
        scores[0] = 10.0;
        scores[3] = 10.0;
        rules.apply(&mut scores, said);
        (0..90).filter(|at| scores[*at] > NEVER).collect()
    }

    #[test]
    fn it_begins_with_an_early_time_and_then_a_word() {
        assert_eq!(allowed(&[]), (10..=60).collect::<Vec<_>>());
        assert_eq!(allowed(&[12]), [0, 2, 3]);
    }

    #[test]
    fn times_are_paired_and_never_go_back() {
        let behind_word = allowed(&[12, 0]);
        assert!(
            behind_word.contains(&0) && behind_word.contains(&13) && !behind_word.contains(&12)
        );
        let behind_time = allowed(&[12, 0, 20]);
        assert_eq!(behind_time, [[3].as_slice(), &(20..90).collect::<Vec<_>>()].concat());
        assert_eq!(allowed(&[12, 0, 20, 20]), [0, 2, 3]);
    }

    #[test]
    fn many_likely_times_outweigh_a_word() {
        let vocabulary = vocabulary();
        let rules = Rules { vocabulary: &vocabulary, suppressed: &[], suppressed_first: &[] };
        let mut scores = vec![0.0; 90];
        scores[2] = 1.0;
        rules.apply(&mut scores, &[12, 0]);
        assert!(scores[..10].iter().all(|score| *score == NEVER));
    }
}
