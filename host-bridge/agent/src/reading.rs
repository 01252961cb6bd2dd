//! What the planner answers: the requests it understood and the parts it did not.

use deskhand_session::{Measure, ObjectId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The answer to a person's words. If `unclear` is not empty, a caller applies nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Reading {
    /// What was understood, in the order in which it was said.
    pub understood: Vec<Request>,
    /// What was not understood or cannot be done, each with the nearest things that can be done.
    pub unclear: Vec<Unclear>,
}

/// One request. In JSON: `{"text", "kind", …of the kind, "targets"}`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Request {
    /// The words it was read from.
    pub text: String,
    #[serde(flatten)]
    pub kind: RequestKind,
    /// What it works on, for people; empty for undo, redo and questions about the whole session.
    pub targets: Vec<Target>,
}
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RequestKind {
    Call { tool: String, params: Value },
    Question(Question),
    Undo,
    Redo,
}
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Target {
    /// Its id; the session's id stands for the mix.
    pub id: ObjectId,
    pub name: String,
}

/// Words that were not understood, or ask for what cannot be done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unclear {
    pub text: String,
    /// Why, as a sentence.
    pub reason: String,
    /// Whether it is told what they ask for; then that is incomplete, or cannot be done as the session is now.
    pub is_understood: bool,
    /// What could be said instead, as whole requests.
    pub suggestions: Vec<String>,
    /// Where in the text something else could stand, in bytes.
    #[serde(skip)]
    pub(crate) open: Vec<(usize, usize)>,
}

/// A question about the session. It is about the request's targets; without targets, about the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "question", rename_all = "snake_case")]
pub enum Question {
    /// Which of the targets has the highest or lowest level: "what's loudest?"
    Extreme {
        measure: Measure,
        rank: Rank,
        among: Among,
    },
    /// A level of each target: "how loud is the vocal?"
    Level {
        measure: Measure,
    },
    /// Whose true peak is above 0 dBTP: "is anything clipping?"
    Clipping,
    /// Which tracks are in a state: "which tracks are muted?" With targets: are these?
    State {
        state: TrackState,
    },
    /// Names: "list the tracks".
    List {
        what: Listing,
    },
    /// A number of things: "how many clips are there?"
    Count {
        what: Listing,
    },
    /// A mixer setting of each target: "where is the bass panned?"
    Setting {
        setting: Setting,
    },
    /// How long each target, or the session, is.
    Length,
    /// How long an edit of phrases is, to where its last track ends.
    EditLength,
    /// Where each target (a clip or marker) starts.
    Position,
    Tempo,
    Meter,
    /// Who speaks when, in what is transcribed: "who speaks when?"
    Turns,
    /// What is said: "show the transcript".
    Transcript,
    /// The takes of an edit, and which of each plays: "which takes repeat?"
    Takes,
    /// What was taken out of an edit: "which phrases were removed?"
    Removed,
    /// What was done last.
    History,
    /// What can be asked for.
    Help,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rank {
    Highest,
    Lowest,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Among {
    Tracks,
    Clips,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TrackState {
    Muted,
    Soloed,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Listing {
    /// Tracks and buses.
    Tracks,
    Buses,
    /// Clips; with targets, these clips or those on these tracks.
    Clips,
    Sources,
    Markers,
    Groups,
    Selection,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Setting {
    /// Gain of a track, a clip or the mix, in dB.
    Gain,
    /// Pan, -1 to 1.
    Pan,
    Output,
    Color,
}
