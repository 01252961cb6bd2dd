//! What a part of the bridge wants done. Parts do not know each other: the bridge carries out what they return.

use crate::commits::{NewRevision, Then};
use crate::ids::{Asker, HOUSE};
use crate::input::Input;
use crate::jobs::Jobs;
use crate::partial_undo::Walk;
use deskhand_protocol::News;
use deskhand_protocol::desk::{Notice, NoticeKind, Which, Window};
use deskhand_session::tool_error::ToolError;
use deskhand_session::{Author, Change, HeadMove, Plan, Said, Session};
use deskhand_store::PlanDecided;
use serde_json::Value;
use std::sync::Arc;

/// Something to do for a part.
pub(crate) enum Effect {
    /// Tells every front end. The call is named on the connection that made it.
    Tell(Author, Option<Asker>, News),
    /// Answers a submission with a summary, and a value if there is one. Every front end hears it.
    Answer(Asker, String, Option<Value>),
    /// Answers the asker alone.
    Reply(Asker, &'static str),
    /// Answers a submission with an error.
    Fail(Asker, ToolError),
    /// Shows words that nobody answers. They are dropped if too many are shown already.
    Notify(Author, Notice),
    /// Shows a notice that has its id. The asker waits for its answer, if there is one.
    Notice(Author, Option<Asker>, Notice),
    /// Shows a window, and tells every front end.
    OpenWindow(Asker, Window),
    /// Closes the window with this id, and tells every front end.
    CloseWindow(Asker, String),
    /// Plays a side of a plan in hosts. The session is what the plan makes of it.
    Hear(Asker, Box<Plan>, Which, Box<Session>),
    /// Stores a message of the conversation, then tells it and the news that follows it. The summary answers the
    /// submission.
    Said(Asker, Said, Option<News>, Option<&'static str>),
    /// Makes a step of these changes if they still fit the session.
    Step(Asker, Author, String, Vec<Change>),
    /// Stores a plan's new state. The session stays.
    Decide(Asker, PlanDecided, Then),
    /// Makes a revision that the author proposed.
    Grow(Asker, Author, NewRevision, Then),
    /// Moves along the history to this session. The plan gets a new state.
    Go(Asker, Author, HeadMove, Arc<Session>, PlanDecided, Then),
    /// Goes a step of the history. The plans that it passes get new states.
    Walk(Asker, Author, Walk, Then),
    /// Hands work to the workers.
    Work(Box<dyn FnOnce(&Jobs)>),
}

impl Effect {
    /// Answers a submission with words alone.
    pub(crate) fn done(asker: Asker, summary: impl Into<String>) -> Self {
        Self::Answer(asker, summary.into(), None)
    }

    /// Shows that something went wrong that belongs to no call.
    pub(crate) fn error(message: String) -> Self {
        Self::Notify(HOUSE, Notice::new(String::new(), NoticeKind::Error, message, 0))
    }

    /// Runs short work. What `input` makes of its outcome comes back to the bridge.
    pub(crate) fn ask_short<T: 'static>(
        work: impl FnOnce() -> T + Send + 'static,
        input: impl FnOnce(Result<T, String>) -> Input + Send + 'static,
    ) -> Self {
        Self::Work(Box::new(move |jobs| jobs.ask_short(work, input)))
    }

    /// Runs short work of which nobody needs to know the end.
    pub(crate) fn run_short<T: 'static>(work: impl FnOnce() -> T + Send + 'static) -> Self {
        Self::Work(Box::new(move |jobs| jobs.run_short(work)))
    }
}
