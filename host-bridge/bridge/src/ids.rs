//! The numbers by which the bridge knows connections, jobs and commits, and who asked for something.

use deskhand_protocol::CallId;
use deskhand_session::Author;

/// The author under which the bridge itself does things that a person asked for earlier.
pub(crate) const HOUSE: Author = Author::User;

/// Names a connection; the bridge keeps its authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionId(pub(crate) u64);

/// Names a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub(crate) u64);

/// Names a commit that the storage thread works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommitId(pub(crate) u64);

/// The connection that asked, and the number of its call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Asker {
    pub(crate) connection: ConnectionId,
    pub(crate) call: CallId,
    pub(crate) author: Author,
}

impl Asker {
    /// No connection waits for the answer.
    pub(crate) fn nobody(author: Author) -> Self {
        Self { connection: ConnectionId(0), call: CallId(0), author }
    }

    /// Whether it is this call of this connection.
    pub(crate) fn is_call(&self, connection: ConnectionId, call: CallId) -> bool {
        self.connection == connection && self.call == call
    }
}
