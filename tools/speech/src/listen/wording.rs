//! How closely the text follows the speech.
//!
//! Asks Whisper for filler words. Whisper was trained on subtitles, which leave "um" out. If the prompt
//! already has such words, Whisper continues to write them.

use deskhand_inference::Vocabulary;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Text that counts as already written if every "um" is wanted.
pub(crate) const EXAMPLE: &str =
    "Um, so, uh, I was, um, thinking that, uh, we could, um, go, uh, there. Uh, yeah, um, okay.";

/// How closely the text follows the speech.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Wording {
    /// As it reads well; most fillers are left out.
    #[default]
    Clean,
    /// With "um" and "uh" where they are heard.
    Verbatim,
}

impl Wording {
    /// The example text before every window, as tokens.
    pub(super) fn example(self, vocabulary: &Vocabulary) -> Vec<u32> {
        match self {
            Self::Clean => Vec::new(),
            Self::Verbatim => tokens(vocabulary, &format!(" {EXAMPLE}")),
        }
    }
}

/// A text in tokens, each the longest that fits: for everyday words those that the network's own tokenizer takes.
fn tokens(vocabulary: &Vocabulary, text: &str) -> Vec<u32> {
    let known: HashMap<&[u8], u32> =
        (0..vocabulary.end).map(|token| (vocabulary.bytes(token), token)).collect();
    let longest = known.keys().map(|bytes| bytes.len()).max().unwrap_or(0);
    let (mut rest, mut tokens) = (text.as_bytes(), Vec::new());
    while !rest.is_empty() {
        let lengths = (1..=longest.min(rest.len())).rev();
        let fits = |length: usize| {
            let (head, tail) = rest.split_at_checked(length)?;
            Some((*known.get(head)?, tail))
        };
        match lengths.into_iter().find_map(fits) {
            Some((token, tail)) => {
                tokens.push(token);
                rest = tail;
            }
            // A vocabulary without that byte: it goes without saying.
            None => rest = rest.get(1..).unwrap_or_default(),
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_told_in_the_longest_tokens_there_are() {
        let mut words: Vec<String> =
            ["U", "m", "Um", "Ġlet", "l", "Ġ", ","].map(String::from).to_vec();
        for command in ["endoftext", "startoftranscript", "translate", "transcribe"] {
            words.push(format!("<|{command}|>"));
        }
        for command in ["startofprev", "nospeech", "notimestamps", "0.00"] {
            words.push(format!("<|{command}|>"));
        }
        let vocabulary = Vocabulary::read(words.join("\n").as_bytes(), words.len()).unwrap();
        assert_eq!(tokens(&vocabulary, "Umm, let?"), [2, 1, 6, 3], "what is not known is left out");
        assert!(Wording::Clean.example(&vocabulary).is_empty());
        let told = Wording::Verbatim.example(&vocabulary);
        assert_eq!(vocabulary.text(&told[..3]), " Um,", "{told:?}");
    }
}
