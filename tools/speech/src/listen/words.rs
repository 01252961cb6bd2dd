//! Tokens as words: where one begins, and which punctuation belongs to which.
//!
//! Source: `whisper/tokenizer.py` and `merge_punctuations` of `whisper/timing.py`.

use deskhand_inference::Vocabulary;
use std::ops::Range;

/// Punctuation that belongs to the word after it.
const OPENING: &str = "\"'“¿([{-";
/// Punctuation that belongs to the word before it.
const CLOSING: &str = "\"'.。,，!！?？:：”)]}、";
/// Languages that write no spaces.
const WITHOUT_SPACES: [&str; 6] = ["zh", "ja", "th", "lo", "my", "yue"];

/// A word and the tokens that it is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tokens {
    /// With the space before it, if there is one.
    pub(super) text: String,
    pub(super) range: Range<usize>,
}

/// The words of `tokens`, which are text alone.
pub(super) fn words(vocabulary: &Vocabulary, tokens: &[u32], language: &str) -> Vec<Tokens> {
    let pieces = characters(vocabulary, tokens);
    let words = match WITHOUT_SPACES.contains(&language) {
        true => pieces,
        false => joined(pieces),
    };
    let words = with_punctuation(words);
    match WITHOUT_SPACES.contains(&language) {
        true => words,
        false => spaced(words),
    }
}

/// Joins a piece without a leading space to the word before it: "ill" and "-disposed".
fn spaced(pieces: Vec<Tokens>) -> Vec<Tokens> {
    let mut words: Vec<Tokens> = Vec::new();
    for piece in pieces {
        match words.last_mut() {
            Some(word) if !piece.text.starts_with(' ') => append(word, piece),
            _ => words.push(piece),
        }
    }
    words
}

/// Tokens together until they are whole characters.
fn characters(vocabulary: &Vocabulary, tokens: &[u32]) -> Vec<Tokens> {
    let mut pieces = Vec::new();
    let (mut bytes, mut start) = (Vec::new(), 0);
    for (index, token) in tokens.iter().enumerate() {
        bytes.extend_from_slice(vocabulary.bytes(*token));
        let is_last = index + 1 == tokens.len();
        // A character has at most four bytes. More bytes without valid text never become one.
        let is_whole = std::str::from_utf8(&bytes).is_ok() || bytes.len() > 64 || is_last;
        if is_whole {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            pieces.push(Tokens { text, range: start..index + 1 });
            (bytes, start) = (Vec::new(), index + 1);
        }
    }
    pieces
}

/// Pieces together up to the next space.
fn joined(pieces: Vec<Tokens>) -> Vec<Tokens> {
    let mut words: Vec<Tokens> = Vec::new();
    for piece in pieces {
        let trimmed = piece.text.trim();
        let is_mark =
            trimmed.chars().count() == 1 && trimmed.chars().all(|c| c.is_ascii_punctuation());
        match words.last_mut() {
            Some(word) if !piece.text.starts_with(' ') && !is_mark => append(word, piece),
            _ => words.push(piece),
        }
    }
    words
}

fn append(word: &mut Tokens, piece: Tokens) {
    word.text.push_str(&piece.text);
    word.range.end = piece.range.end;
}

fn with_punctuation(pieces: Vec<Tokens>) -> Vec<Tokens> {
    let is_of = |text: &str, marks: &str| !text.is_empty() && marks.contains(text);
    let mut words: Vec<Tokens> = Vec::new();
    for piece in pieces {
        let opens = words
            .last()
            .is_some_and(|last| last.text.starts_with(' ') && is_of(last.text.trim(), OPENING));
        let closes = is_of(&piece.text, CLOSING);
        match words.last_mut() {
            Some(last) if opens || (closes && !last.text.ends_with(' ')) => append(last, piece),
            _ => words.push(piece),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary(text: &[&str]) -> Vocabulary {
        let mut tokens: Vec<String> = text.iter().map(|token| (*token).to_owned()).collect();
        for command in [
            "endoftext",
            "startoftranscript",
            "translate",
            "transcribe",
            "startofprev",
            "nospeech",
            "notimestamps",
            "0.00",
        ] {
            tokens.push(format!("<|{command}|>"));
        }
        Vocabulary::read(tokens.join("\n").as_bytes(), tokens.len()).unwrap()
    }

    fn split(text: &[&str], language: &str) -> Vec<(String, Range<usize>)> {
        let all: Vec<u32> = (0..text.len() as u32).collect();
        let words = words(&vocabulary(text), &all, language);
        words.into_iter().map(|word| (word.text, word.range)).collect()
    }

    #[test]
    fn pieces_join_to_words_and_marks_to_their_words() {
        let pieces = ["ĠHe", "Ġsaid", ",", "Ġ\"", "am", "iable", ".\"", "ĠYes", "!"];
        let pieces = &pieces[..];
        let words = split(pieces, "en");
        let texts: Vec<&str> = words.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(texts, [" He", " said,", " \"amiable.\"", " Yes!"]);
        assert_eq!(words[2].1, 3..7);
        let ranges: Vec<usize> = words.iter().flat_map(|(_, range)| range.clone()).collect();
        assert_eq!(ranges, (0..pieces.len()).collect::<Vec<_>>(), "no token is lost");
    }

    #[test]
    fn a_character_of_two_tokens_stays_whole() {
        assert_eq!(split(&["Ġcaf", "Ã", "©"], "fr"), [(" café".into(), 0..3)]);
        assert_eq!(split(&["ä½ł", "å¥½"], "zh").len(), 2);
        assert_eq!(split(&["Ã"], "en"), [("\u{fffd}".into(), 0..1)]);
        assert_eq!(split(&["Ġill", "-", "dis", "posed"], "en"), [(" ill-disposed".into(), 0..4)]);
    }
}
