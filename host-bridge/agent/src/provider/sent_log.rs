//! What was sent where: one readable line per request, for the person who asks.
//!
//! Thread: any but the message and the window thread: a line is appended to a file.
//!
//! ```text
//! 2026-11-22T10:20:30Z sent 18432 bytes to api.anthropic.com (provider claude): 7 messages, 24 tools; \
//! system prompt, tool list, person's words, model's words, tool calls, tool results
//! ```

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// The log's file, beside the configuration.
const FILE: &str = "sent.log";

/// A kind of content that left the machine, or went to a local server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ContentKind {
    /// What the model is told about Deskhand.
    SystemPrompt,
    /// Names, descriptions and schemas of tools.
    ToolList,
    /// What the person said, and reports of the application in the same place.
    PersonsWords,
    /// What a model said before.
    ModelsWords,
    /// Calls a model made before.
    ToolCalls,
    /// Results of calls: names and measurements of the session.
    ToolResults,
}

impl fmt::Display for ContentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SystemPrompt => "system prompt",
            Self::ToolList => "tool list",
            Self::PersonsWords => "person's words",
            Self::ModelsWords => "model's words",
            Self::ToolCalls => "tool calls",
            Self::ToolResults => "tool results",
        })
    }
}

/// One request that was sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Sent {
    /// When.
    pub time: SystemTime,
    /// The provider's name in the configuration.
    pub provider: String,
    /// Host, and the port if it is not the scheme's own.
    pub host: String,
    /// Bytes of the request's body.
    pub bytes: usize,
    /// Messages in it.
    pub messages: usize,
    /// Tools in it.
    pub tools: usize,
    /// What kinds of content it holds; sorted, each once.
    pub kinds: Vec<ContentKind>,
}

impl Sent {
    /// Adds its line to the log beside the configuration file `config`. A log that cannot be written stops nobody.
    pub fn keep_beside(&self, config: &Path) {
        let opened = open_private(&config.with_file_name(FILE));
        drop(opened.and_then(|mut file| writeln!(file, "{self}")));
    }
}

/// Opens a file to add to it; a new one is for its owner alone.
///
/// # Errors
/// When it cannot be opened or made.
pub fn open_private(file: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.append(true).create(true).open(file)
}

impl fmt::Display for Sent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_time(f, self.time)?;
        let Self { provider, host, bytes, messages, tools, .. } = self;
        write!(f, " sent {bytes} bytes to {host} (provider {provider}): ")?;
        write!(f, "{messages} messages, {tools} tools; ")?;
        let kinds: Vec<String> = self.kinds.iter().map(ToString::to_string).collect();
        f.write_str(&kinds.join(", "))
    }
}

/// UTC to the second, RFC 3339. The date by Howard Hinnant's `civil_from_days`.
fn write_time(f: &mut fmt::Formatter<'_>, time: SystemTime) -> fmt::Result {
    let seconds = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let days = seconds / 86_400 + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn sent(seconds: u64, kinds: Vec<ContentKind>) -> String {
        Sent {
            time: UNIX_EPOCH + Duration::from_secs(seconds),
            provider: "claude".into(),
            host: "api.anthropic.com".into(),
            bytes: 18_432,
            messages: 7,
            tools: 24,
            kinds,
        }
        .to_string()
    }

    #[test]
    fn a_line_as_it_is_read() {
        insta::assert_snapshot!(
            sent(1_795_342_830, vec![ContentKind::SystemPrompt, ContentKind::PersonsWords]),
            @"2026-11-22T10:20:30Z sent 18432 bytes to api.anthropic.com (provider claude): 7 messages, 24 tools; system prompt, person's words"
        );
        assert!(sent(0, Vec::new()).starts_with("1970-01-01T00:00:00Z "));
        assert!(sent(951_827_696, Vec::new()).starts_with("2000-02-29T12:34:56Z "));
    }
}
