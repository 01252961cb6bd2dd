//! Tokens of BERT: words in lower case without accents, cut into the longest pieces that are known.
//!
//! A tokenizer of its own, as the crate for all kinds of tokenizers would bring some forty others along for these few
//! lines. Source: `tokenization.py` of the reference code of BERT. Accents are characters with a class of combining.

use icu_normalizer::DecomposingNormalizerBorrowed;
use icu_normalizer::properties::CanonicalCombiningClassMapBorrowed;
use serde::Deserialize;
use std::collections::HashMap;

/// What a piece within a word begins with.
const WITHIN: &str = "##";
/// A longer word is not cut into pieces, in characters.
const LONGEST: usize = 100;
/// Less makes no list of tokens.
const LEAST: usize = 100;

/// The pieces that are known.
#[derive(Debug)]
pub(super) struct WordPieces {
    pieces: HashMap<String, i32>,
    unknown: i32,
    begin: i32,
    end: i32,
}

#[derive(Deserialize)]
struct Written {
    model: WrittenModel,
}

#[derive(Deserialize)]
struct WrittenModel {
    vocab: HashMap<String, i32>,
}

impl WordPieces {
    /// Reads a `tokenizer.json`.
    pub(super) fn read(file: &[u8]) -> Result<Self, String> {
        let written: Written = serde_json::from_slice(file).map_err(|error| error.to_string())?;
        Self::known(written.model.vocab)
    }

    fn known(pieces: HashMap<String, i32>) -> Result<Self, String> {
        let count = pieces.len();
        let is_sound = count >= LEAST
            && pieces.values().all(|id| usize::try_from(*id).is_ok_and(|id| id < count));
        if !is_sound {
            return Err(format!("its list of {count} tokens is none of a BERT"));
        }
        let find = |name: &str| {
            pieces.get(name).copied().ok_or_else(|| format!("its list of tokens has no {name}"))
        };
        let (unknown, begin, end) = (find("[UNK]")?, find("[CLS]")?, find("[SEP]")?);
        Ok(Self { pieces, unknown, begin, end })
    }

    /// The tokens of `text` between a beginning and an end, `most` at most together.
    pub(super) fn of(&self, text: &str, most: usize) -> Vec<i32> {
        let mut tokens = vec![self.begin];
        for word in words(text) {
            if tokens.len() + 1 >= most {
                break;
            }
            self.cut(&word, &mut tokens);
        }
        tokens.truncate(most.saturating_sub(1));
        tokens.push(self.end);
        tokens
    }

    /// Adds the pieces of a word, the longest first; one that cannot be cut wholly is unknown.
    fn cut(&self, word: &str, tokens: &mut Vec<i32>) {
        let before = tokens.len();
        let ends: Vec<usize> = word.char_indices().map(|(at, c)| at + c.len_utf8()).collect();
        let mut start = 0;
        while start < word.len() && ends.len() <= LONGEST {
            let found = ends.iter().rev().take_while(|end| **end > start).find_map(|end| {
                let part = word.get(start..*end)?;
                let id = match start {
                    0 => self.pieces.get(part),
                    _ => self.pieces.get(&format!("{WITHIN}{part}")),
                };
                id.map(|id| (*id, *end))
            });
            let Some((id, end)) = found else { break };
            tokens.push(id);
            start = end;
        }
        if start < word.len() {
            tokens.truncate(before);
            tokens.push(self.unknown);
        }
    }
}

fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let plain = DecomposingNormalizerBorrowed::new_nfd().normalize(&lower);
    let classes = CanonicalCombiningClassMapBorrowed::new();
    let mut words = vec![String::new()];
    for c in plain.chars() {
        if c.is_whitespace() {
            words.push(String::new());
        } else if c.is_control() || c == '\u{fffd}' || classes.get_u8(c) != 0 {
        } else if is_mark(c) || is_ideograph(c) {
            words.extend([c.to_string(), String::new()]);
        } else if let Some(word) = words.last_mut() {
            word.push(c);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// ASCII that is no letter or digit, and the punctuation of Unicode that is met in transcripts.
fn is_mark(c: char) -> bool {
    c.is_ascii_punctuation()
        || matches!(c, '¡' | '§' | '«' | '¶' | '·' | '»' | '¿')
        || matches!(u32::from(c), 0x2010..=0x2027 | 0x2030..=0x205e | 0x3001..=0x3003 | 0x3008..=0x3011)
}

/// Each is a word of its own.
fn is_ideograph(c: char) -> bool {
    matches!(u32::from(c), 0x4e00..=0x9fff | 0x3400..=0x4dbf | 0xf900..=0xfaff | 0x20000..=0x2ceaf)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pieces() -> WordPieces {
        let known = [
            "[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "naive", ",", "it", "'", "s", "鳥",
        ];
        let filling = (known.len()..LEAST).map(|at| format!("filling{at}"));
        let all = known.iter().map(ToString::to_string).chain(filling);
        WordPieces::known(all.zip(0..).collect()).unwrap()
    }

    #[test]
    fn words_are_cut_into_the_longest_pieces() {
        let tokens = |text: &str| pieces().of(text, 256);
        assert_eq!(tokens("Unaffable, NAÏVE\u{0} it's"), [1, 3, 4, 5, 7, 6, 8, 9, 10, 2]);
        assert_eq!(tokens("unx 鳥鳥"), [1, 0, 11, 11, 2]);
        assert_eq!(tokens(""), [1, 2]);
        assert_eq!(tokens(&"un".repeat(60)), [1, 0, 2], "too long a word");
    }

    #[test]
    fn a_list_of_something_else_is_refused() {
        assert!(WordPieces::read(b"{}").is_err());
        let error = WordPieces::known(HashMap::from([("a".into(), 0)])).unwrap_err();
        assert!(error.contains("1 tokens"), "{error}");
    }

    proptest! {
        #[test]
        fn there_are_never_more_than_asked_for(text in "\\PC{0,60}", most in 2usize..20) {
            let tokens = pieces().of(&text, most);
            prop_assert!(tokens.len() <= most.max(2));
            prop_assert_eq!((tokens[0], *tokens.last().unwrap()), (1, 2));
        }
    }
}
