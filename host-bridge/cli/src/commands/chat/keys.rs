//! Esc and Ctrl-C while the model works: what else is typed meanwhile is left out.

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

    /// Waits for a key, `patience` at most: whether it means stop.
    pub(super) fn is_stop(&self, patience: Duration) -> bool {
        let key = if poll(patience).unwrap_or_default() { read().ok() } else { None };
        interrupt::take() || key.is_some_and(|key| means_stop(&key))
    }
}

fn means_stop(event: &Event) -> bool {
    let Event::Key(key) = event else { return false };
    let is_ctrl_c = key.code == KeyCode::Char('c') && key.modifiers == KeyModifiers::CONTROL;
    key.kind != KeyEventKind::Release && (key.code == KeyCode::Esc || is_ctrl_c)
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
