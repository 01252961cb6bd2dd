//! The hub: a bridge on a thread of its own, and the sockets on which front ends come to it.
//!
//! Thread: the message thread (one), one that accepts for each socket, two for each connection.

#[cfg(unix)]
mod leftover;
mod sockets;

use crate::bridge::Bridge;
use crate::front::{AgentFront, ConversationFront, Line, ObserverFront, PersonFront};
use crate::input::Input;
use crate::policy::Authority;
use crossbeam_channel::{Receiver, Sender, bounded};
use deskhand_session::SessionId;
use deskhand_store::{Spot, StoreError};
use sockets::Sockets;
use std::io;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long a new connection waits for the message thread.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often a hub without front ends looks whether its folder is still there.
const GLANCE: Duration = Duration::from_millis(500);

/// A bridge that runs.
#[derive(Debug)]
pub struct Hub {
    door: Door,
    folder: PathBuf,
    spot: Spot,
    message: JoinHandle<Result<(), StoreError>>,
    sockets: Option<Sockets>,
}

/// Lets front ends in. Cheap to clone; works until the hub ends.
#[derive(Clone, Debug)]
pub struct Door {
    inbox: Sender<Input>,
    session: SessionId,
}

/// Why a hub did not start or is not reached.
#[derive(Debug, thiserror::Error)]
pub enum HubError {
    /// The system gave no thread or no socket.
    #[error("the hub did not start: {why}; check the limits of this machine")]
    System {
        /// What the system said.
        why: String,
    },
    /// The message thread does not answer.
    #[error("the hub does not answer; end it, and start it again")]
    Gone,
}

impl From<io::Error> for HubError {
    fn from(error: io::Error) -> Self {
        Self::System { why: error.to_string() }
    }
}

impl Hub {
    /// Runs `bridge` on a thread of its own. With `linger`, the hub ends that long after its last front end
    /// left. Without a front end it also ends once its folder was moved or removed, so that the next one
    /// opens what is there then.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(bridge: Bridge, linger: Option<Duration>) -> Result<Self, HubError> {
        let door = Door { inbox: bridge.inbox.0.clone(), session: bridge.session().id };
        let (folder, spot) = (bridge.files.folder.clone(), bridge.commits.store.spot());
        let message = thread::Builder::new()
            .name("deskhand-message".into())
            .spawn(move || run(bridge, linger))?;
        Ok(Self { door, folder, spot, message, sockets: None })
    }

    /// Accepts front ends of other processes on the sockets of the session's folder, as long as the folder
    /// is in place. If it moved, later front ends look for the session that is there now, which has a hub
    /// of its own.
    ///
    /// # Errors
    /// When the sockets cannot be made.
    pub fn listen(&mut self) -> Result<(), HubError> {
        self.sockets = Some(Sockets::open(&self.folder, &self.door, &self.spot)?);
        Ok(())
    }

    /// The way in.
    #[must_use]
    pub fn door(&self) -> &Door {
        &self.door
    }

    /// The session folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Ends it: everything is stored, and the session is closed.
    ///
    /// # Errors
    /// When the last steps could not be stored.
    pub fn stop(self) -> Result<(), StoreError> {
        drop(self.door.inbox.send(Input::Stop));
        self.wait()
    }

    /// Waits until it ends by itself.
    ///
    /// # Errors
    /// When the last steps could not be stored.
    pub fn wait(self) -> Result<(), StoreError> {
        let ended = self.message.join();
        drop(self.sockets);
        ended
            .unwrap_or_else(|_| Err(StoreError::Failed { why: "the message thread failed".into() }))
    }

    /// Whether it still runs.
    #[must_use]
    pub fn is_running(&self) -> bool {
        !self.message.is_finished()
    }
}

impl Door {
    /// A connection with a person's authority.
    ///
    /// # Errors
    /// When the hub is gone.
    pub fn person(&self) -> Result<PersonFront, HubError> {
        self.enter(Authority::Person).map(PersonFront)
    }

    /// A connection with a model's authority.
    ///
    /// # Errors
    /// When the hub is gone.
    pub fn agent(&self) -> Result<AgentFront, HubError> {
        self.enter(Authority::Agent).map(AgentFront)
    }

    /// A connection for the model that answers in the conversation.
    ///
    /// # Errors
    /// When the hub is gone.
    pub fn conversation(&self) -> Result<ConversationFront, HubError> {
        self.enter(Authority::Conversation).map(ConversationFront)
    }

    /// A connection that only reads.
    ///
    /// # Errors
    /// When the hub is gone.
    pub fn observer(&self) -> Result<ObserverFront, HubError> {
        self.enter(Authority::Observer).map(ObserverFront)
    }

    /// The session that is served.
    #[must_use]
    pub fn session(&self) -> SessionId {
        self.session
    }

    /// Ends the hub.
    pub fn stop(&self) {
        drop(self.inbox.send(Input::Stop));
    }

    fn enter(&self, authority: Authority) -> Result<Line, HubError> {
        let (reply, answer): (_, Receiver<Line>) = bounded(1);
        let asked = self.inbox.send(Input::Connecting { authority, reply });
        asked.map_err(|_| HubError::Gone)?;
        answer.recv_timeout(PATIENCE).map_err(|_| HubError::Gone)
    }
}

fn run(mut bridge: Bridge, linger: Option<Duration>) -> Result<(), StoreError> {
    bridge.sweep_captures();
    let (mut alone, mut looked) = (Instant::now(), Instant::now());
    while !bridge.is_stopping() {
        bridge.pump_next();
        if bridge.connections.has_visitors() {
            alone = Instant::now();
        } else if looked.elapsed() > GLANCE {
            // Only now: while somebody works here, a disk that hangs must not hold up the message thread.
            looked = Instant::now();
            if !bridge.commits.store.spot().is_in_place() {
                break;
            }
        }
        if linger.is_some_and(|linger| alone.elapsed() > linger) {
            break;
        }
    }
    bridge.close()
}
