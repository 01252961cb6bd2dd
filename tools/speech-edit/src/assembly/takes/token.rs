//! Words in a form for comparison.

use super::near::written_out;
use crate::assembly::talk::plain;
use deskhand_dsp::Frames;
use deskhand_session::Word;
use std::ops::Range;

/// Below this confidence, of 1, a word may be misheard. Words that Whisper tiny gets wrong implausibly were
/// all below it, and nine in ten of its right words are above.
const SURE: f64 = 0.7;

/// A word of a phrase in a form for comparison; a number is one word.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    /// In lower case, letters and digits alone.
    pub(super) text: String,
    /// When it is said, in the source.
    pub(super) time: Range<Frames>,
    /// Whether it is hardly heard wrongly; of a word that a person wrote nothing else is known.
    pub(super) is_sure: bool,
}

impl Token {
    /// A word, or those that it is short for.
    pub(super) fn of(word: &Word) -> Vec<Self> {
        let is_sure = word.confidence.is_none_or(|sure| sure >= SURE);
        let text = plain(&word.text);
        let token = |text: &str| Self { text: text.into(), time: word.start..word.end, is_sure };
        written_out(&text).split(' ').map(token).collect()
    }

    /// Several words in a row as one that reads `text`; `None` without words.
    pub(super) fn joined(text: String, words: &[Self]) -> Option<Self> {
        let time = words.first()?.time.start..words.last()?.time.end;
        Some(Self { text, time, is_sure: words.iter().all(|word| word.is_sure) })
    }

    /// The words of a text, in order, all of them sure.
    #[cfg(test)]
    pub(super) fn all(text: &str) -> Vec<Self> {
        let token = |text: &str| Self {
            text: text.to_owned(),
            time: Frames::ZERO..Frames(1),
            is_sure: true,
        };
        text.split(' ').map(token).collect()
    }
}
