//! A front end's end of a connection, in this process or over a socket.

use crate::event::{CallId, Event};
use crate::submission::Op;
use crossbeam_channel::Receiver;

/// A connection to the bridge. What it may do was settled when it was made.
pub trait Link: Send + Sync {
    /// Sends a submission and gives its number. When the hub is gone nothing answers it any more:
    /// [`Link::events`] is then closed.
    fn submit(&self, op: Op) -> CallId;

    /// The events. Closed when the hub is gone.
    fn events(&self) -> &Receiver<Event>;
}
