//! `deskhand chat`: the conversation with a model, in the terminal or line by line.

mod editor;
mod keys;
mod lines;
mod story;
mod terminal;
mod windows;

pub(crate) use story::Story;

use crate::desk::Guest;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::output::Output;
use crate::serving::{Place, Serving, Wishes, arrive};
use std::path::{Path, PathBuf};
use terminal::Terminal;

/// How to talk.
pub(crate) struct ChatOptions {
    pub(crate) provider: Option<String>,
    pub(crate) policy: Option<PathBuf>,
    pub(crate) local_only: bool,
}

/// Talks about the session in `dir`: at the hub that serves it, or at one of our own.
pub(crate) fn run(dir: &Path, options: ChatOptions, output: Output) -> Result<Exit, Failure> {
    let ChatOptions { provider, policy, local_only } = options;
    interrupt::listen();
    let wishes = Wishes { policy, linger: None, local_only, on_sent: Box::new(|_| {}) };
    let Place { guest, own } = arrive(dir, wishes, output)?;
    let result = if output.can_ask() {
        in_terminal(guest, provider, output)
    } else {
        lines::run(guest, provider, output)
    };
    let closed = own.map_or(Ok(()), Serving::stop);
    let exit = result?;
    closed.map(|()| exit)
}

fn in_terminal(guest: Guest, provider: Option<String>, output: Output) -> Result<Exit, Failure> {
    let mut terminal = Terminal::new(guest, provider, output)?;
    terminal.run().map(|()| Exit::Done)
}
