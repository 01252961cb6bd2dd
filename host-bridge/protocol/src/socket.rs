//! The hub's sockets: where they are, and a connection to one.
//!
//! There is one socket for each authority. The socket that a front end connects to decides its rights; no
//! message can change them. The sockets are in a folder that only their user can enter.

mod attach;
mod endpoint;
mod half;
pub mod lines;

pub use attach::{AttachError, SocketLink, attach, socket_name};
pub use endpoint::{Role, endpoint};
pub use half::Half;

use deskhand_session::SessionId;
use serde::{Deserialize, Serialize};

/// Version of the lines on the socket.
pub const VERSION: u32 = 2;

/// The first line a hub sends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Welcome {
    /// [`VERSION`].
    pub deskhand: u32,
    /// The session.
    pub session: SessionId,
    /// What this connection may do.
    pub role: Role,
}

/// The line that ends a connection from either side.
pub const BYE: &str = "bye";
