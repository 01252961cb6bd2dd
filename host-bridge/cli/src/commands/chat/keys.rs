//! Esc and Ctrl-C while the model works. Other keys are ignored in that time.

use crate::interrupt;
use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, poll, read};
use std::time::Duration;

/// Keys are looked for without a line being typed; the terminal is put back when it is dropped.
pub(super) struct Keys {
    #[cfg(unix)]
    before: Option<rustix::termios::Termios>,
}

impl Keys {
    /// Starts to look for keys.
    #[cfg(unix)]
    pub(super) fn watch() -> Self {
        use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
        let stdin = std::io::stdin();
        let before = tcgetattr(&stdin).ok();
        if let Some(mut now) = before.clone() {
            now.local_modes -= LocalModes::ICANON | LocalModes::ECHO;
            // Without it Esc waits for Enter; Ctrl-C works in any case.
            tcsetattr(&stdin, OptionalActions::Now, &now).unwrap_or_default();
        }
        Self { before }
    }

    /// Starts to look for keys.
    #[cfg(not(unix))]
    pub(super) fn watch() -> Self {
        Self {}
    }

    /// Waits for a key, `patience` at most.
    pub(super) fn next(&self, patience: Duration) -> Pressed {
        let key = match poll(patience) {
            Ok(true) => read().map(Some),
            Ok(false) => Ok(None),
            Err(error) => Err(error),
        };
        match key {
            _ if interrupt::take() => Pressed::Stop,
            Ok(Some(key)) if is_control(&key, 'd') => Pressed::Leave,
            Ok(Some(key)) if means_stop(&key) => Pressed::Stop,
            Ok(_) => Pressed::Nothing,
            // The terminal is gone.
            Err(_) => Pressed::Leave,
        }
    }
}

/// The pressed key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pressed {
    /// Nothing that means anything.
    Nothing,
    /// Esc or Ctrl-C.
    Stop,
    /// Ctrl-D, or the terminal is gone.
    Leave,
}

fn is_control(event: &Event, letter: char) -> bool {
    let Event::Key(key) = event else { return false };
    key.code == KeyCode::Char(letter) && key.modifiers == KeyModifiers::CONTROL
}

fn means_stop(event: &Event) -> bool {
    let Event::Key(key) = event else { return false };
    let is_esc = key.code == KeyCode::Esc && key.kind != KeyEventKind::Release;
    is_esc || is_control(event, 'c')
}

#[cfg(unix)]
impl Drop for Keys {
    fn drop(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};
        if let Some(before) = &self.before {
            // There is nobody to tell when the terminal is gone.
            tcsetattr(std::io::stdin(), OptionalActions::Now, before).unwrap_or_default();
        }
    }
}
