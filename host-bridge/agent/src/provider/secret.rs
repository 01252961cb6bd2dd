//! A provider's key: bound to its host, shown by nothing.
//!
//! Thread: any. `Debug` and `Display` say `[key]`; there is no `Serialize`. The key leaves through
//! `expose_for` alone, and [`Secret::redact`] takes it out of what a server says.

use super::address::{host_of, is_loopback};
use std::fmt;
use url::Url;
use zeroize::Zeroizing;

/// What stands where a key was.
const SHOWN: &str = "[key]";

/// Keys shorter than this are words like `ollama` or `none`, and a reply may hold such words.
const SHORTEST_REAL: usize = 16;

/// The shortest piece of a key that is taken for the key: servers echo `sk-abcd***wxyz`.
const TELLING: usize = 7;

/// A key, and the one host it may be sent to.
#[derive(Clone)]
pub struct Secret {
    key: Zeroizing<String>,
    /// Host and port.
    host: String,
}

/// A key was about to be sent where it does not belong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the key for {belongs} may not be sent to {asked}; give that provider a key of its own")]
pub struct WrongHost {
    belongs: String,
    asked: String,
}

impl Secret {
    /// A key for the host of `url`.
    #[must_use]
    pub fn new(key: String, url: &Url) -> Self {
        Self { key: Zeroizing::new(key), host: host_of(url) }
    }

    /// The key, for a request to `url`.
    ///
    /// # Errors
    ///
    /// [`WrongHost`] if `url` is on another host or port, or is neither https nor loopback.
    pub fn expose_for(&self, url: &Url) -> Result<&str, WrongHost> {
        let asked = host_of(url);
        let safe = url.scheme() == "https" || is_loopback(url);
        if asked == self.host && safe {
            return Ok(&self.key);
        }
        Err(WrongHost { belongs: self.host.clone(), asked })
    }

    /// The text without the key and without words that hold the beginning or the end of it.
    #[must_use]
    pub fn redact(&self, text: &str) -> String {
        if self.key.is_empty() {
            return text.to_owned();
        }
        let text = text.replace(self.key.as_str(), SHOWN);
        let Some((begins, ends)) = self.telling_pieces() else { return text };
        let word_ends = |letter: char| letter.is_whitespace() || "\"'`,;<>()[]{}".contains(letter);
        let shown = |word: &str| {
            let letters = word.trim_end_matches(word_ends);
            if letters.contains(begins) || letters.contains(ends) {
                format!("{SHOWN}{}", &word[letters.len()..])
            } else {
                word.to_owned()
            }
        };
        text.split_inclusive(word_ends).map(shown).collect()
    }

    /// The words of a reply without the key. Shorter keys are left: they are placeholders for servers that
    /// need none.
    #[must_use]
    pub fn redact_reply(&self, text: &str) -> String {
        if self.key.len() < SHORTEST_REAL {
            return text.to_owned();
        }
        text.replace(self.key.as_str(), SHOWN)
    }

    /// How many bytes at the end of a text may begin the key.
    fn begun_at_the_end(&self, text: &str) -> usize {
        if self.key.len() < SHORTEST_REAL {
            return 0;
        }
        let longest = (self.key.len() - 1).min(text.len());
        let begins = |length: &usize| {
            text.get(text.len() - length..).is_some_and(|end| self.key.starts_with(end))
        };
        (1..=longest).rev().find(begins).unwrap_or(0)
    }

    /// The first and the last letters, when the key is long enough that they are not all of it.
    fn telling_pieces(&self) -> Option<(&str, &str)> {
        let from_end = self.key.len().checked_sub(TELLING).filter(|rest| *rest >= TELLING)?;
        Some((self.key.get(..TELLING)?, self.key.get(from_end..)?))
    }
}

/// Takes the key out of words that come in pieces: a piece that may begin the key waits for the next.
pub(super) struct Sieve<'s> {
    secret: Option<&'s Secret>,
    held: String,
}

impl<'s> Sieve<'s> {
    /// For the words of one answer.
    pub(super) const fn new(secret: Option<&'s Secret>) -> Self {
        Self { secret, held: String::new() }
    }

    /// Takes more words; gives those that can be told.
    pub(super) fn push(&mut self, words: &str) -> String {
        let Some(secret) = self.secret else { return words.to_owned() };
        self.held.push_str(words);
        let mut told = secret.redact_reply(&self.held);
        self.held = told.split_off(told.len() - secret.begun_at_the_end(&told));
        told
    }

    /// The words that still wait, at the end of the answer.
    pub(super) fn rest(&mut self) -> String {
        std::mem::take(&mut self.held)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secret({SHOWN} for {})", self.host)
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(SHOWN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "sk-canary-0123456789";

    fn url(text: &str) -> Url {
        text.parse().unwrap()
    }

    fn secret() -> Secret {
        Secret::new(KEY.to_owned(), &url("https://api.example.com/v1"))
    }

    #[test]
    fn nothing_shows_it() {
        let shown = format!("{:?} {:#?} {}", secret(), secret(), secret());
        assert!(!shown.contains("canary"), "{shown}");
    }

    #[test]
    fn words_in_pieces_lose_the_key_and_nothing_else() {
        let text = format!("sk- {KEY}sk-can é {KEY}sk-canary-");
        let secret = secret();
        for size in 1..30 {
            let mut sieve = Sieve::new(Some(&secret));
            let letters: Vec<char> = text.chars().collect();
            let pieces = letters.chunks(size).map(|piece| piece.iter().collect::<String>());
            let mut told: String = pieces.map(|piece| sieve.push(&piece)).collect();
            told += &sieve.rest();
            assert_eq!(told, "sk- [key]sk-can é [key]sk-canary-");
        }
        assert_eq!(Sieve::new(None).push("sk"), "sk");
    }

    #[test]
    fn it_goes_to_its_host_only() {
        let secret = secret();
        assert_eq!(secret.expose_for(&url("https://api.example.com/other")), Ok(KEY));
        for other in [
            "http://api.example.com/v1",
            "https://example.com",
            "https://api.example.com.evil.org",
            "https://api.example.com:444/v1",
            "https://user@evil.org/api.example.com",
        ] {
            let refused = secret.expose_for(&url(other)).unwrap_err().to_string();
            assert!(!refused.contains("canary"), "{refused}");
        }
    }

    #[test]
    fn echoes_of_it_are_taken_out() {
        let echo = format!("bad \"{KEY}\", Bearer {KEY}; sk-cana*****6789 or ...3456789. é");
        assert_eq!(secret().redact(&echo), "bad \"[key]\", Bearer [key]; [key] or [key] é");
        let short = Secret::new("abc".into(), &url("https://a.b"));
        assert_eq!(short.redact("x abc x"), "x [key] x");
        assert_eq!(Secret::new(String::new(), &url("https://a.b")).redact("x"), "x");
        assert_eq!(Secret::new("ééééééééé".into(), &url("https://a.b")).redact("é"), "é");
    }
}
