//! Whisper's tokens: the text of each, and which ones are commands.
//!
//! A token of text is a run of bytes, written with one printable character a byte, as GPT-2 does
//! (`bytes_to_unicode`). Commands look like `<|transcribe|>`.

use super::error::WhisperError;
use std::collections::HashMap;

/// The longest list of tokens that is read, in bytes.
const MOST_BYTES: usize = 64 << 20;

/// The tokens of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    /// The text of each token: bytes of UTF-8, and nothing for a command.
    bytes: Vec<Vec<u8>>,
    /// The end of the text, and the first command: every token below is text.
    pub end: u32,
    pub start: u32,
    /// Asks for words in the language that is spoken.
    pub transcribe: u32,
    /// Opens words that were said before.
    pub previous: u32,
    /// The token for the absence of speech.
    pub silence: u32,
    /// Asks for no times.
    pub without_times: u32,
    /// The time 0.00 s; each token from here on is 0.02 s later than the one before.
    pub first_time: u32,
    /// The languages by their code: "en"; empty for a model that knows English alone.
    pub languages: Vec<(String, u32)>,
}

impl Vocabulary {
    /// Reads a list of tokens: one a line, or a JSON array. `count` is how many the network has.
    ///
    /// # Errors
    /// When it is no list of this many tokens, or lacks a command.
    pub fn read(file: &[u8], count: usize) -> Result<Self, WhisperError> {
        let wrong = |problem: String| WhisperError::Vocabulary { problem };
        if file.len() > MOST_BYTES {
            return Err(wrong(format!("it has {} bytes", file.len())));
        }
        let text = std::str::from_utf8(file).map_err(|error| wrong(error.to_string()))?;
        let tokens: Vec<String> = match text.trim_start().starts_with('[') && text.contains("\",") {
            true => serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?,
            false => text.lines().map(Into::into).collect(),
        };
        if tokens.len() != count {
            return Err(wrong(format!("it has {} tokens, the network {count}", tokens.len())));
        }
        Self::of(&tokens)
    }

    fn of(tokens: &[String]) -> Result<Self, WhisperError> {
        let ids: HashMap<&str, u32> =
            tokens.iter().zip(0..).map(|(token, id)| (token.as_str(), id)).collect();
        let find = |names: &[&str]| {
            let found = names.iter().find_map(|name| ids.get(name).copied());
            let problem = format!("it has no {}", names.first().unwrap_or(&""));
            found.ok_or(WhisperError::Vocabulary { problem })
        };
        let end = find(&["<|endoftext|>"])?;
        let first_time = find(&["<|0.00|>"])?;
        let start = find(&["<|startoftranscript|>"])?;
        let transcribe = find(&["<|transcribe|>"])?;
        let translate = find(&["<|translate|>"])?;
        let is_multilingual = end != 50_256;
        let languages = tokens.iter().zip(0..).filter(|(_, id)| *id > start && *id < translate);
        let languages = languages.filter_map(|(token, id)| {
            let code = token.strip_prefix("<|")?.strip_suffix("|>")?;
            is_multilingual.then(|| (code.to_owned(), id))
        });
        let byte_of = byte_of();
        let bytes = tokens.iter().zip(0..).map(|(token, id)| match id < end {
            true => token.chars().filter_map(|c| byte_of.get(&c).copied()).collect(),
            false => Vec::new(),
        });
        Ok(Self {
            bytes: bytes.collect(),
            end,
            start,
            transcribe,
            previous: find(&["<|startofprev|>"])?,
            silence: find(&["<|nospeech|>", "<|nocaptions|>"])?,
            without_times: find(&["<|notimestamps|>"])?,
            first_time,
            languages: languages.collect(),
        })
    }

    /// How many tokens there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.bytes.len()
    }

    /// The text of a token; empty for a command. It may be a part of a character.
    #[must_use]
    pub fn bytes(&self, token: u32) -> &[u8] {
        self.bytes.get(token as usize).map_or(&[], Vec::as_slice)
    }

    /// The text of tokens; invalid UTF-8 becomes `U+FFFD`.
    #[must_use]
    pub fn text(&self, tokens: &[u32]) -> String {
        let bytes: Vec<u8> = tokens.iter().flat_map(|token| self.bytes(*token)).copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The time of a token, in units of 0.02 s.
    #[must_use]
    pub fn time(&self, token: u32) -> Option<u32> {
        token.checked_sub(self.first_time)
    }
}

/// The byte of each printable character.
fn byte_of() -> HashMap<char, u8> {
    let is_plain = |byte: u8| matches!(byte, 33..=126 | 161..=172 | 174..=255);
    let mut others = 0u32..;
    let character = |byte: u8| match is_plain(byte) {
        true => Some(char::from(byte)),
        false => others.next().and_then(|other| char::from_u32(256 + other)),
    };
    let characters: Vec<_> = (0..=u8::MAX).map(character).collect();
    characters.into_iter().zip(0..=u8::MAX).filter_map(|(c, byte)| Some((c?, byte))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens() -> Vec<&'static str> {
        vec![
            "He",
            "Ġwas",
            "Ã",
            "©",
            "Ċ",
            "<|endoftext|>",
            "<|startoftranscript|>",
            "<|en|>",
            "<|de|>",
            "<|translate|>",
            "<|transcribe|>",
            "<|startoflm|>",
            "<|startofprev|>",
            "<|nospeech|>",
            "<|notimestamps|>",
            "<|0.00|>",
            "<|0.02|>",
        ]
    }

    #[test]
    fn a_byte_is_one_character_and_a_character_may_be_two_tokens() {
        let list = tokens().join("\n");
        let vocabulary = Vocabulary::read(list.as_bytes(), 17).unwrap();
        assert_eq!(vocabulary.text(&[0, 1, 2, 3, 4, 5]), "He wasé\n");
        assert_eq!(vocabulary.text(&[2]), "\u{fffd}");
        assert_eq!(vocabulary.languages, [("en".into(), 7), ("de".into(), 8)]);
        assert_eq!((vocabulary.time(16), vocabulary.time(5)), (Some(1), None));
        let json = serde_json::to_string_pretty(&tokens()).unwrap();
        assert_eq!(Vocabulary::read(json.as_bytes(), 17).unwrap(), vocabulary);
    }

    #[test]
    fn a_list_of_another_model_is_refused() {
        let list = tokens().join("\n");
        let error = Vocabulary::read(list.as_bytes(), 18).unwrap_err().to_string();
        assert!(error.contains("it has 17 tokens, the network 18"), "{error}");
        let error = Vocabulary::read(list.replace("<|0.00|>", "x").as_bytes(), 17).unwrap_err();
        assert!(error.to_string().contains("it has no <|0.00|>"), "{error}");
        assert!(Vocabulary::read(&[0xff; 9], 17).is_err());
    }

    #[test]
    fn all_bytes_have_a_character() {
        let all = byte_of();
        assert_eq!(all.len(), 256);
        assert_eq!((all[&'Ġ'], all[&'Ċ'], all[&'é']), (b' ', b'\n', 0xe9));
    }
}
