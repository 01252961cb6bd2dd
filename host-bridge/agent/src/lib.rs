//! The conversation: the offline planner, which turns plain English into tool calls.
//!
//! Thread: any. [`plan_words`] is a pure function of the words and a session snapshot.
//!
//! Does not know: the tool registry (it emits tool names and parameters as JSON), the bridge, files, the
//! network. It never guesses at an edit: words that could change the meaning and are not understood
//! make the request unclear.

#![forbid(unsafe_code)]

mod reading;

pub use reading::{
    Among, Listing, Question, Rank, Reading, Request, RequestKind, Setting, Target, TrackState,
    Unclear,
};

use deskhand_session::Session;

/// Reads a person's words against a session.
#[must_use]
pub fn plan_words(words: &str, session: &Session) -> Reading {
    let unclear = Unclear {
        text: words.to_owned(),
        reason: format!(
            "nothing in a session of {} tracks answers to this yet",
            session.tracks.len()
        ),
        suggestions: Vec::new(),
    };
    Reading {
        understood: Vec::new(),
        unclear: vec![unclear],
    }
}
