//! Makes connections, which may take seconds: a hub may have to be started first.
//!
//! Thread: dialer. Nobody waits for it: it may hang in a program that does not come up.

use super::session_choice::{self, MeetingError, Place, Wanted};
use super::session_places;
use crate::capturing::Capturing;
use crossbeam_channel::{Receiver, Sender, unbounded};
use deskhand_protocol::helper;
use deskhand_protocol::socket::{Role, SocketLink};
use deskhand_session::SessionId;
use std::path::{Path, PathBuf};
use std::thread;

/// How long the hub runs after its last front end, in seconds.
const LINGER: u32 = 30;

/// The user of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum For {
    Instance(u64),
    Window(u64),
}

pub(super) enum Request {
    Decide(Wanted),
    /// The person chose one for the project of an instance.
    Use {
        seat: u64,
        dir: PathBuf,
        new_at: Option<u32>,
    },
    /// A connection to its hub.
    Attach {
        dir: PathBuf,
        whom: For,
    },
    /// Whether the person opened the folder that `dir` replaces.
    Look {
        dir: PathBuf,
        session: SessionId,
    },
    /// Store the person's capture settings.
    Keep(Capturing),
}

pub(super) enum Reply {
    /// Where the session is that projects name so.
    Decided {
        session: Option<SessionId>,
        /// `None` if nobody needs one yet.
        place: Result<Option<Place>, String>,
    },
    /// It did: all go there.
    Moved {
        from: PathBuf,
        to: PathBuf,
    },
    Used {
        seat: u64,
        dir: Result<PathBuf, String>,
    },
    Attached {
        whom: For,
        dir: PathBuf,
        link: Result<Box<SocketLink>, String>,
    },
}

/// The other thread's ends.
pub(super) struct Dialer {
    pub(super) requests: Sender<Request>,
    pub(super) replies: Receiver<Reply>,
}

impl Dialer {
    pub(super) fn start() -> Self {
        let (requests, asked) = unbounded();
        let (answers, replies) = unbounded();
        let body = move || serve(&asked, &answers);
        // Without the thread every request waits, and sound passes as it would without a session.
        drop(thread::Builder::new().name("deskhand-dial".into()).spawn(body));
        Self { requests, replies }
    }
}

fn serve(asked: &Receiver<Request>, answers: &Sender<Reply>) {
    let beside = session_choice::beside();
    let beside = beside.as_deref();
    for request in asked {
        let reply = match request {
            Request::Keep(wanted) => {
                // It holds in this process all the same.
                drop(wanted.write());
                continue;
            }
            Request::Decide(wanted) => {
                let place =
                    session_choice::decide(&wanted, beside).map_err(|error| error.to_string());
                Reply::Decided { session: wanted.session, place }
            }
            Request::Use { seat, dir, new_at } => {
                let dir = std::path::absolute(&dir).unwrap_or(dir);
                let used = choose(&dir, new_at, beside);
                Reply::Used { seat, dir: used.map(|()| dir).map_err(|error| error.to_string()) }
            }
            Request::Look { dir, session } => match moved_to(&dir, session) {
                Some(to) => Reply::Moved { from: dir, to },
                None => continue,
            },
            Request::Attach { dir, whom } => {
                let link = helper::attach_or_start(&dir, Role::Person, beside, LINGER);
                if let (Ok(link), Ok(data)) = (&link, session_choice::data()) {
                    session_places::came_to(&data, link.session(), &dir);
                }
                let link = link.map(Box::new).map_err(|error| error.to_string());
                Reply::Attached { whom, dir, link }
            }
        };
        if answers.send(reply).is_err() {
            return;
        }
    }
}

/// Where the session is by now, if that is another folder than `dir`.
fn moved_to(dir: &Path, session: SessionId) -> Option<PathBuf> {
    let data = session_choice::data().ok()?;
    session_places::last(&data, session).filter(|to| to != dir && session_places::is_session(to))
}

/// Makes the session that the person chose where it is to be made, and remembers that it was chosen.
fn choose(dir: &Path, new_at: Option<u32>, beside: Option<&Path>) -> Result<(), MeetingError> {
    if let Some(rate) = new_at {
        session_choice::create_at(dir, rate, beside)?;
    }
    // Nobody leaves a session for a folder without one.
    let link = helper::attach_or_start(dir, Role::Person, beside, LINGER)?;
    session_places::choose(&session_choice::data()?, link.session(), dir);
    session_choice::use_session(dir)
}
