//! The conversation with a model: the person's words come as events, the model's calls go to the bridge, and
//! what came of them goes back.
//!
//! Thread: net. One thread per hub, with a runtime of its own for the network.
//!
//! Does not know: the bridge, the store, the audio. What it may do is its connection's: it can call and speak,
//! and decides nothing.

mod calls;
mod compound;
mod desk;
mod edits;
mod found;
mod half;
mod later;
mod offline;
mod progress;
mod prompt;
mod refusals;
mod result;
mod search;
mod selection;
mod still_to_come;
mod turn;

pub use half::words_ahead;
pub use offline::OFFLINE_CALL;
pub use prompt::{PROMPT_BYTES, Prompt};

use crate::provider::{Config, Sent};
use desk::{Desk, Heard};
use deskhand_protocol::{Link, News};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use still_to_come::StillToCome;

/// What the conversation needs from its application.
pub struct Settings {
    /// Providers and budgets.
    pub config: Config,
    /// Whether nothing may be sent off this machine; may change at any time.
    pub local_only: Arc<AtomicBool>,
    /// Told of everything that is sent, before it is sent.
    pub on_sent: Box<dyn FnMut(&Sent) + Send>,
}

/// A conversation that runs until its hub ends.
#[derive(Debug)]
pub struct Talk {
    thread: JoinHandle<()>,
}

impl Talk {
    /// Starts to listen on `link`, a connection of the conversation.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(link: Box<dyn Link>, settings: Settings) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let mut desk = Desk::over(link)?;
        let mut settings = settings;
        let mut still = StillToCome::default();
        let thread = thread::Builder::new().name("deskhand-talk".into()).spawn(move || {
            while let Ok(heard) = desk.next() {
                let Heard::News(news) = heard else { continue };
                if let News::TurnAsked { provider, attended } = *news {
                    let asked = turn::Asked { provider: provider.as_deref(), attended };
                    turn::answer(&mut desk, &runtime, &mut settings, asked, &mut still);
                }
            }
        })?;
        Ok(Self { thread })
    }

    /// Whether it still listens.
    #[must_use]
    pub fn is_running(&self) -> bool {
        !self.thread.is_finished()
    }
}

impl Settings {
    pub(crate) fn is_local_only(&self) -> bool {
        self.local_only.load(Ordering::Relaxed)
    }
}
