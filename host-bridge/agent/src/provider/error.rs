//! Why a turn gave no reply: one line, and the way out. No line holds a key.
//!
//! Thread: any.

use super::secret::WrongHost;
use std::fmt;
use std::time::Duration;

/// The provider and its host, as every message names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The provider's name in the configuration.
    pub provider: String,
    /// Host, and the port if it is not the scheme's own.
    pub host: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "provider {} ({})", self.provider, self.host)
    }
}

/// Why a turn gave no reply. The history stays as it was; nothing of the reply is to be kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// No connection.
    #[error(
        "{place} cannot be reached: {why}; \
         check its address and the network, or that the server runs"
    )]
    Unreachable {
        /// Which.
        place: Place,
        /// What the system says.
        why: String,
    },
    /// 401 or 403 that names no other reason.
    #[error("{place} refuses the key ({status}); check {source_of_key}")]
    WrongKey {
        /// Which.
        place: Place,
        /// The HTTP status.
        status: u16,
        /// Where the key comes from: a variable or a file.
        source_of_key: String,
    },
    /// The model does not exist there.
    #[error("{place} has no model {model:?}: {said}; choose one that it has")]
    NoModel {
        /// Which.
        place: Place,
        /// The configured model.
        model: String,
        /// What the server says.
        said: String,
    },
    /// Any other refusal of the request.
    #[error("{place} refuses the request ({status}): {said}; check its address and its model")]
    Refused {
        /// Which.
        place: Place,
        /// The HTTP status; 200 for a refusal inside a stream.
        status: u16,
        /// What the server says.
        said: String,
    },
    /// Overloaded, rate limited or failing, after all attempts.
    #[error("{place} is busy or failing ({status}): {said}; try again later, or another provider")]
    Busy {
        /// Which.
        place: Place,
        /// The HTTP status; 200 for a failure inside a stream.
        status: u16,
        /// What the server says.
        said: String,
    },
    /// It took too long.
    #[error("{place} gave {what} within {} s; try again, or a smaller model", seconds(.limit))]
    Slow {
        /// Which.
        place: Place,
        /// What did not come.
        what: &'static str,
        /// How long was waited.
        limit: Duration,
    },
    /// The answer ended too early.
    #[error("{place} broke off in the middle of its answer: {why}; say it again")]
    BrokenOff {
        /// Which.
        place: Place,
        /// What is known.
        why: String,
    },
    /// The answer is not in the wire format.
    #[error(
        "{place} answered what cannot be read: {why}; check its address, and what kind it is of"
    )]
    Unreadable {
        /// Which.
        place: Place,
        /// What is wrong.
        why: String,
    },
    /// The answer is larger than may be.
    #[error("{place} answered more than {limit} bytes; ask for less at a time")]
    TooLong {
        /// Which.
        place: Place,
        /// The limit in bytes.
        limit: usize,
    },
    /// A redirect: never followed, so that the key stays with its host.
    #[error(
        "{place} redirects to {to}, and redirects are not followed; give it the address where it is"
    )]
    Redirected {
        /// Which.
        place: Place,
        /// The other host.
        to: String,
    },
    /// The key belongs to another host.
    #[error("provider {provider}: {error}")]
    Key {
        /// The provider's name.
        provider: String,
        /// What is wrong.
        error: WrongHost,
    },
}

fn seconds(limit: &Duration) -> String {
    let seconds = limit.as_secs_f64();
    if seconds < 10.0 { format!("{seconds:.1}") } else { format!("{seconds:.0}") }
}

/// The longest piece of a server's words that is quoted, in characters.
const LONGEST_QUOTE: usize = 300;

/// A server's words on one short line: no controls, no characters that turn the direction of writing.
pub(super) fn quoted(words: &str) -> String {
    let turns = |letter: char| matches!(letter, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let line: String = words
        .chars()
        .filter(|letter| !turns(*letter))
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .take(4 * LONGEST_QUOTE)
        .collect();
    let words: Vec<&str> = line.split_whitespace().collect();
    let line = words.join(" ");
    if line.is_empty() {
        return "no reason given".to_owned();
    }
    if line.chars().count() <= LONGEST_QUOTE {
        return line;
    }
    line.chars().take(LONGEST_QUOTE).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_server_become_one_short_line() {
        assert_eq!(quoted("no\r\n\u{1b}[31mroom\u{202e}"), "no [31mroom");
        assert_eq!(quoted("\u{7}"), "no reason given");
        assert_eq!(quoted(&"é".repeat(5_000)).chars().count(), 301);
    }
}
