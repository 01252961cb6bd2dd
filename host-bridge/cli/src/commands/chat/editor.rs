//! The line that a person types, with history; news interrupt it without losing it.

use crate::exit::Failure;
use reedline::{
    Emacs, FileBackedHistory, KeyCode, KeyModifiers, Prompt, PromptEditMode, PromptHistorySearch,
    Reedline, ReedlineEvent, Signal, default_emacs_keybindings,
};
#[cfg(unix)]
use rustix::event::{PollFd, PollFlags, poll};
#[cfg(unix)]
use rustix::io::Errno;
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Lines that are kept.
const KEPT: usize = 1_000;

/// The exit code of a program whose terminal was closed, as for SIGHUP.
#[cfg(unix)]
const HUNG_UP: i32 = 128 + 1;

/// Reads lines.
pub(super) struct Editor {
    reedline: Reedline,
}

/// The result of reading a line.
#[derive(Debug, PartialEq)]
pub(super) enum Typed {
    /// A line.
    Line(String),
    /// Esc or Ctrl-C.
    Stop,
    /// Ctrl-D.
    Leave,
    /// There is news; the text typed so far returns with the next line.
    News,
}

impl Editor {
    /// Reads lines until `flag` is raised. They are kept in `history`. When the terminal is closed, the program ends.
    pub(super) fn new(history: Option<PathBuf>, flag: Arc<AtomicBool>) -> Self {
        #[cfg(unix)]
        std::thread::spawn(end_with_terminal);
        let mut keys = default_emacs_keybindings();
        keys.add_binding(KeyModifiers::NONE, KeyCode::Esc, ReedlineEvent::CtrlC);
        let reedline =
            Reedline::create().with_edit_mode(Box::new(Emacs::new(keys))).with_break_signal(flag);
        // Without a file the lines are remembered until the end.
        let kept = history.and_then(|file| FileBackedHistory::with_file(KEPT, file).ok());
        let reedline = match kept {
            Some(kept) => reedline.with_history(Box::new(kept)),
            None => reedline,
        };
        Self { reedline }
    }

    /// Reads a line after `prompt`.
    pub(super) fn read(&mut self, prompt: &str) -> Result<Typed, Failure> {
        let signal = self.reedline.read_line(&Line(prompt));
        let signal = signal.map_err(|error| Failure::plain("terminal", error))?;
        Ok(match signal {
            Signal::Success(line) => Typed::Line(line),
            Signal::CtrlC => Typed::Stop,
            Signal::CtrlD => Typed::Leave,
            _ => Typed::News,
        })
    }
}

/// Ends the program when its terminal is closed: crossterm 0.29 keeps reading a closed terminal forever.
/// Acknowledged work is stored, and plans still wait.
#[cfg(unix)]
fn end_with_terminal() {
    let stdin = std::io::stdin();
    let mut terminal = [PollFd::new(&stdin, PollFlags::empty())];
    loop {
        match poll(&mut terminal, None) {
            Ok(_) if terminal[0].revents().intersects(PollFlags::HUP | PollFlags::ERR) => {
                std::process::exit(HUNG_UP);
            }
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return,
        }
    }
}

/// A prompt of one word.
struct Line<'a>(&'a str);

impl Prompt for Line<'_> {
    fn render_prompt_left(&self) -> Cow<'_, str> {
        self.0.into()
    }

    fn render_prompt_right(&self) -> Cow<'_, str> {
        "".into()
    }

    fn render_prompt_indicator(&self, _: PromptEditMode) -> Cow<'_, str> {
        "› ".into()
    }

    fn render_prompt_multiline_indicator(&self) -> Cow<'_, str> {
        "  ".into()
    }

    fn render_prompt_history_search_indicator(&self, search: PromptHistorySearch) -> Cow<'_, str> {
        format!("(search {}) ", search.term).into()
    }
}
