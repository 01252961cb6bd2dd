//! Codes: the labels of a codebook, qualitative or editorial.

use crate::ids::CodeId;
use crate::track::Color;
use serde::{Deserialize, Serialize};

/// A label that segments are coded with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Code {
    /// Display name.
    pub name: String,
    /// Display color.
    #[serde(default)]
    pub color: Option<Color>,
    /// When to use it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The code it is a kind of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<CodeId>,
}

impl Code {
    /// A code without color, description or parent.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), color: None, description: String::new(), parent: None }
    }
}
