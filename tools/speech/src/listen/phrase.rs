//! What is heard: words and phrases, and what a listener reports while it runs.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A word with its time in samples at 16 kHz.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeardWord {
    /// As written, with its punctuation.
    pub text: String,
    /// Where it is said.
    pub range: Range<usize>,
    /// How probable it is, 0 to 1, where that is known.
    pub confidence: Option<f64>,
}

/// A phrase with its time in samples at 16 kHz.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Phrase {
    /// Where it is said.
    pub range: Range<usize>,
    pub words: Vec<HeardWord>,
    pub language: String,
    /// The mean logarithm of its tokens' probabilities.
    pub likelihood: f64,
    /// How probable it is that nobody speaks, 0 to 1.
    pub silence: f64,
    /// Whether the times of its words are estimated.
    #[serde(default)]
    pub is_spread: bool,
}

/// What a listener reports while it runs.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    Phrase(Phrase),
    /// All before this sample was heard.
    Heard(usize),
    /// The same, but the last part was saved by an earlier run: it was not heard again.
    Known(usize),
    /// From this sample on it is listened to.
    Listens(usize),
    /// A stretch was left out: it was no speech, or only repetition.
    LeftOut(Range<usize>, Reason),
}

/// Why a stretch was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    /// The network says that nobody speaks.
    Silence,
    /// The network said the same again and again.
    Repetition,
}
