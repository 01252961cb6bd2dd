//! The words of a part with their times, laid out as phrases: each has time, and what nobody said is left out.

use super::align::{Aligned, word_spans, word_times};
use super::cut::Cut;
use super::decode::Decoded;
use super::phrase::{HeardWord, Phrase};
use super::repetitions::echoes;
use super::skipped_words::share;
use super::split::{fit, joined, split};
use super::words::Tokens;
use crate::mel::RATE;
use std::iter::{repeat, repeat_n};
use std::ops::Range;

/// What a part says.
pub(super) struct Text<'a> {
    decoded: &'a Decoded,
    cut: &'a Cut,
    part: &'a Range<usize>,
    language: &'a str,
    /// Which of the decoded tokens are text.
    indexes: Vec<usize>,
}

impl<'a> Text<'a> {
    pub(super) fn new(
        decoded: &'a Decoded,
        cut: &'a Cut,
        part: &'a Range<usize>,
        language: &'a str,
    ) -> Self {
        let indexes = cut.phrases.iter().flat_map(|phrase| phrase.tokens.clone()).collect();
        Self { decoded, cut, part, language, indexes }
    }

    /// Its tokens, without times.
    pub(super) fn tokens(&self) -> Vec<u32> {
        self.indexes.iter().filter_map(|at| self.decoded.tokens.get(*at).copied()).collect()
    }

    /// The phrases made of `words`, without those that only repeat `told` or this text itself.
    pub(super) fn phrases(
        &self,
        mut words: Vec<Tokens>,
        aligned: &Aligned,
        told: &str,
    ) -> Vec<Phrase> {
        // A space is no word.
        words.retain(|word| !word.text.trim().is_empty());
        let spans = word_spans(&words, &aligned.times);
        let heard = self.laid_out(&words, &spans);
        let of_each = |(phrase, is_echo): (&Phrase, bool)| repeat_n(!is_echo, phrase.words.len());
        let is_said = heard.iter().zip(echoes(&heard, told)).flat_map(of_each);
        let said = words.into_iter().zip(spans).zip(is_said.chain(repeat(true)));
        let (words, mut spans): (Vec<Tokens>, Vec<Range<f64>>) =
            said.filter_map(|(word, is_said)| is_said.then_some(word)).unzip();
        share(&words, &mut spans, aligned);
        joined(self.laid_out(&words, &spans))
    }

    /// Words with what they span, in frames, as phrases.
    fn laid_out(&self, words: &[Tokens], spans: &[Range<f64>]) -> Vec<Phrase> {
        let mut phrases: Vec<Phrase> = self
            .cut
            .phrases
            .iter()
            .map(|phrase| Phrase {
                range: phrase.range.start + self.part.start..phrase.range.end + self.part.start,
                words: Vec::new(),
                language: self.language.to_owned(),
                likelihood: self.decoded.likelihood,
                silence: self.decoded.silence,
                is_spread: false,
            })
            .collect();
        for (word, time) in words.iter().zip(word_times(words, spans)) {
            let first = self.indexes.get(word.range.start).copied().unwrap_or(0);
            let owner = self.cut.phrases.iter().position(|phrase| phrase.tokens.contains(&first));
            if let Some(phrase) = owner.and_then(|owner| phrases.get_mut(owner)) {
                phrase.words.push(self.heard(word, &time));
            }
        }
        phrases.retain(|phrase| !phrase.words.is_empty());
        phrases.iter_mut().for_each(fit);
        phrases.into_iter().flat_map(split).collect()
    }

    /// A word in samples of the recording, as sure as its tokens are on average; its time is in seconds.
    fn heard(&self, word: &Tokens, time: &Range<f64>) -> HeardWord {
        let probabilities = word.range.clone().filter_map(|at| {
            self.decoded.probabilities.get(*self.indexes.get(at)?).map(|share| f64::from(*share))
        });
        let confidence = probabilities.sum::<f64>() / word.range.len().max(1) as f64;
        let sample = |seconds: f64| {
            self.part.start + ((seconds * f64::from(RATE)).round() as usize).min(self.part.len())
        };
        HeardWord {
            text: word.text.trim().to_owned(),
            range: sample(time.start)..sample(time.end),
            confidence: Some(confidence.clamp(0.0, 1.0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cut::Piece;
    use super::*;

    const SECOND: usize = RATE as usize;

    /// Phrases of words of a token each that begin in these frames, the last of `frames`; no word is heard anywhere.
    fn phrases(said: &[(&str, usize)], frames: usize, told: &str) -> Vec<Phrase> {
        let tokens = said.len();
        let decoded = Decoded {
            tokens: vec![7; tokens],
            probabilities: vec![0.9; tokens],
            likelihood: -0.2,
            silence: 0.0,
            compression: 1.0,
            temperature: 0.0,
        };
        let part = SECOND..SECOND + frames * SECOND / 50;
        let piece = Piece { tokens: 0..tokens, range: 0..part.len() };
        let cut = Cut { phrases: vec![piece], heard: part.len() };
        let word = |(n, (text, _)): (usize, &(&str, usize))| Tokens {
            text: format!(" {text}"),
            range: n..n + 1,
        };
        let words = said.iter().enumerate().map(word).collect();
        let mut times: Vec<usize> = said.iter().map(|(_, at)| *at).collect();
        times.push(frames - 1);
        let aligned = Aligned { rows: vec![0.0; frames * times.len()], times, frames };
        Text::new(&decoded, &cut, &part, "en").phrases(words, &aligned, told)
    }

    fn text(phrase: &Phrase) -> String {
        phrase.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_the_network_only_says_again_is_left_out_and_its_time_is_that_of_the_words_behind_it() {
        let said = [
            ("Had", 0),
            ("he", 27),
            ("been", 36),
            ("made", 36),
            ("amiable", 36),
            ("himself.", 36),
            ("And", 36),
            ("Mr.", 36),
            ("John", 56),
            ("Dashwood", 76),
        ];
        let told = " He might even have been made amiable himself.";
        let heard = phrases(&said, 110, told);
        let texts: Vec<String> = heard.iter().map(text).collect();
        assert_eq!(texts, ["And Mr. John Dashwood"]);
        let first = &heard[0].words[0].range;
        assert!(first.len() >= SECOND / 20 && first.start >= SECOND, "{first:?}");
        assert_eq!(phrases(&said, 110, " Something else.").len(), 2, "it was not said before");
    }

    #[test]
    fn a_word_that_the_alignment_passes_by_has_time_in_its_phrase() {
        let said = [("enter", 0), ("the", 20), ("number,", 30), ("starting", 83), ("with", 83)];
        let heard = phrases(&said, 100, "");
        let words: Vec<&HeardWord> = heard.iter().flat_map(|phrase| &phrase.words).collect();
        assert_eq!(words.len(), 5);
        assert!(words[3].range.len() >= SECOND * 3 / 10, "{words:?}");
        assert!(words.windows(2).all(|two| two[0].range.end <= two[1].range.start), "{words:?}");
        assert_eq!(words[0].range, SECOND..SECOND + SECOND * 20 / 50, "others stay");
        let of_phrase = |phrase: &Phrase| phrase.range.clone();
        assert_eq!(heard.iter().map(of_phrase).map(|at| at.start).min(), Some(SECOND));
    }
}
