//! What a call of a tool does besides its plan. Tools declare it; policies, warnings and hints for clients follow from
//! it.

use serde::{Deserialize, Serialize};

/// One thing that a call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolEffect {
    /// It is a command: it listens to nothing, and follows from the session alone or acts on the program.
    Command,
    /// It gives values: a second call changes nothing.
    Sets,
    /// It takes sound, objects or words away.
    Cuts,
    /// It works on the whole of tracks or clips, whatever time is selected.
    Whole,
    /// It reads files that the session does not name yet.
    ReadsFiles,
    /// It writes files outside of the session.
    WritesFiles,
    /// It may send sound to another machine.
    SendsSound,
    /// It listens to speech and writes down the words while it runs.
    Listens,
}
