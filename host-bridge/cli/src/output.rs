//! Where a command speaks: JSON or text on stdout, everything else on stderr.

use crate::exit::Failure;
use deskhand_protocol::clean::{is_unseen, plain_text};
use serde::Serialize;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a question waits for its answer: then Ctrl-C means no, and nothing has changed.
static ASKING: AtomicBool = AtomicBool::new(false);
/// Whether something could not be written to stdout.
static LOST: AtomicBool = AtomicBool::new(false);

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

    /// Whether a person reads it on a terminal, as it comes.
    pub(crate) fn is_read_live(self) -> bool {
        !self.json && std::io::stdout().is_terminal() && std::io::stderr().is_terminal()
    }

    /// Whether tables have color.
    pub(crate) fn has_color(self) -> bool {
        std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
    }

    /// One line, or several, for people. Says nothing when the output is JSON.
    pub(crate) fn say(self, text: impl AsRef<str>) {
        if !self.json {
            print_line(&seen(text.as_ref()));
        }
    }

    /// A piece of a line for people.
    pub(crate) fn piece(self, text: &str) {
        if !self.json {
            let mut stdout = std::io::stdout();
            note_lost(write!(stdout, "{}", seen(text)).and_then(|()| stdout.flush()));
        }
    }

    /// Dimmed text, if there is color.
    pub(crate) fn dim(self, text: &str) -> String {
        if self.has_color() { format!("\x1b[2m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// The JSON of a command.
    pub(crate) fn json(self, value: &impl Serialize) {
        if self.json {
            let text = serde_json::to_string_pretty(value).unwrap_or_default();
            print_line(&text);
        }
    }

    /// The JSON of a command that goes on: one line.
    pub(crate) fn json_line(self, value: &impl Serialize) {
        if self.json {
            print_line(&serde_json::to_string(value).unwrap_or_default());
        }
    }

    /// A line of a log, on stderr.
    pub(crate) fn note(self, text: impl AsRef<str>) {
        complain_line(&plain_text(text.as_ref()));
    }

    /// Something to look at, on stderr.
    pub(crate) fn warn(self, text: impl AsRef<str>) {
        complain_line(&format!("warning: {}", plain_text(text.as_ref())));
    }

    /// An error for people, on stderr.
    pub(crate) fn complain(self, failure: &Failure) {
        complain_line(&format!("error: {}", plain_text(failure.words())));
        if !failure.fix.is_empty() {
            complain_line(&format!("  {}", plain_text(&failure.fix)));
        }
    }

    /// Asks a question that is answered with y or n; anything but yes is no.
    pub(crate) fn ask(self, question: &str) -> bool {
        let mut stdout = std::io::stdout();
        drop(write!(stdout, "{question} [y/N] "));
        drop(stdout.flush());
        let mut answer = String::new();
        ASKING.store(true, Ordering::Relaxed);
        drop(std::io::stdin().read_line(&mut answer));
        ASKING.store(false, Ordering::Relaxed);
        if !answer.ends_with('\n') {
            // The input ended instead of an answer: the next text gets a line of its own.
            print_line("");
        }
        matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
    }
}

/// Whether a question waits for its answer.
pub(crate) fn is_asking() -> bool {
    ASKING.load(Ordering::Relaxed)
}

/// Says that a question ends without an answer, on a line of its own.
pub(crate) fn leave_question() {
    print_line("\nNothing was changed.");
}

/// Whether output was lost, as on a full disk.
pub(crate) fn was_lost() -> bool {
    LOST.load(Ordering::Relaxed)
}

/// The text for people, without characters that reorder or hide text.
fn seen(text: &str) -> String {
    text.chars().filter(|c| !is_unseen(*c)).collect()
}

/// A reader that went away (`deskhand … | head`) is no error.
fn print_line(text: &str) {
    note_lost(writeln!(std::io::stdout(), "{text}"));
}

fn note_lost(written: std::io::Result<()>) {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => LOST.store(true, Ordering::Relaxed),
        Ok(()) | Err(_) => {}
    }
}

fn complain_line(text: &str) {
    drop(writeln!(std::io::stderr(), "{text}"));
}
