//! Where a command speaks: JSON or text on stdout, everything else on stderr.

use crate::exit::Failure;
use serde::Serialize;
use std::io::{IsTerminal, Write};

/// Standard output in one of its two forms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output {
    json: bool,
}

impl Output {
    pub(crate) fn new(json: bool) -> Self {
        Self { json }
    }

    pub(crate) fn is_json(self) -> bool {
        self.json
    }

    /// Whether a person can be asked: both ends are a terminal, and no program reads the output.
    pub(crate) fn can_ask(self) -> bool {
        !self.json && std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
    }

    /// Whether tables have color.
    pub(crate) fn has_color(self) -> bool {
        std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
    }

    /// One line, or several, for people. Says nothing when the output is JSON.
    pub(crate) fn say(self, text: impl AsRef<str>) {
        if !self.json {
            write_line(&mut std::io::stdout(), text.as_ref());
        }
    }

    /// The JSON of a command.
    pub(crate) fn json(self, value: &impl Serialize) {
        if self.json {
            let text = serde_json::to_string_pretty(value).unwrap_or_default();
            write_line(&mut std::io::stdout(), &text);
        }
    }

    /// Something to look at, on stderr.
    pub(crate) fn warn(self, text: impl AsRef<str>) {
        write_line(
            &mut std::io::stderr(),
            &format!("warning: {}", text.as_ref()),
        );
    }

    /// An error for people, on stderr.
    pub(crate) fn complain(self, failure: &Failure) {
        let mut stderr = std::io::stderr();
        write_line(&mut stderr, &format!("error: {}", failure.message));
        if !failure.fix.is_empty() {
            write_line(&mut stderr, &format!("  {}", failure.fix));
        }
    }

    /// Asks a question that is answered with y or n; anything but yes is no.
    pub(crate) fn ask(self, question: &str) -> bool {
        let mut stdout = std::io::stdout();
        drop(write!(stdout, "{question} [y/N] "));
        drop(stdout.flush());
        let mut answer = String::new();
        drop(std::io::stdin().read_line(&mut answer));
        matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
    }
}

/// A reader that went away (`deskhand … | head`) is no error.
fn write_line(to: &mut dyn Write, text: &str) {
    drop(writeln!(to, "{text}"));
}
