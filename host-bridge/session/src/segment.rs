//! Segments: pieces of a source with what is known of them, and the words that are said there.

use crate::ids::SourceId;
use deskhand_dsp::Frames;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The smallest described piece of a source. All frames of the source, at the session rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Segment {
    /// Where it is from.
    pub source: SourceId,
    /// First frame in the source.
    pub start: Frames,
    /// Length, at least 1.
    pub length: Frames,
    /// What is known of it.
    #[serde(default)]
    pub description: Description,
    /// What is said, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<Word>,
    /// Who says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
}

impl Segment {
    /// The first frame behind it.
    #[must_use]
    pub fn end(&self) -> Frames {
        self.start + self.length
    }
}

/// What is known of a segment: facts by their name, such as `content`, `level`, `speaker`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Description {
    /// Each fact by its name.
    pub facts: BTreeMap<String, Fact>,
}

/// One thing that is known, and who says so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// A number, a text, or a list of them.
    pub value: Value,
    /// The unit of a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// How sure it is, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The tool that measured it, or "user" or "agent".
    pub by: String,
}

/// A word with its time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Word {
    /// As it is written, with its punctuation.
    pub text: String,
    /// First frame in the source.
    pub start: Frames,
    /// First frame behind it.
    pub end: Frames,
    /// How sure it is, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}
