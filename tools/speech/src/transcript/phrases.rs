//! What a transcript file holds: phrases, their words and times.

use super::problems::Problem;
use super::{Micros, Place};

#[derive(Clone, Debug, PartialEq)]
pub struct TimedWord {
    pub text: String,
    pub start: Micros,
    pub end: Micros,
    /// How sure it is, 0 to 1.
    pub confidence: Option<f64>,
}

/// Where the times of words come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// The file has them.
    Given,
    /// The file has times of phrases only; words are spread over them by their length.
    Spread,
}

/// The text of one speaker without a longer pause.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    pub start: Micros,
    /// The end; always after the beginning.
    pub end: Micros,
    pub speaker: Option<String>,
    pub words: Vec<TimedWord>,
    /// Where the times of the words come from.
    pub times: Times,
}

impl Said {
    /// The words with spaces between them.
    #[must_use]
    pub fn text(&self) -> String {
        let words: Vec<&str> = self.words.iter().map(|word| word.text.as_str()).collect();
        words.join(" ")
    }
}

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transcript {
    /// The phrases and their places in the file.
    pub phrases: Vec<(Place, Said)>,
    /// How it was read, where that is not plain.
    pub warnings: Vec<String>,
    /// What was corrected or left out.
    pub problems: Vec<Problem>,
    /// Whether no phrase had a time.
    pub is_timeless: bool,
}
