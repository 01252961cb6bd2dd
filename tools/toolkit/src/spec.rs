//! What a tool says of itself.

use deskhand_session::intent::Intent;
use deskhand_session::offers::Offers;
use deskhand_session::{Category, Trust};
use serde::Serialize;
use serde_json::Value;
use std::time::Duration;

/// What a tool says of itself to people and models.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToolSpec {
    /// `tool_…` or `cmd_…`.
    pub name: &'static str,
    /// A few words.
    pub title: &'static str,
    /// What it does, when to use it, what it returns.
    pub description: String,
    /// Its category in lists.
    pub category: Category,
    /// How far it is trusted.
    pub trust: Trust,
    /// JSON Schema of the parameters.
    pub input_schema: Value,
    /// JSON Schema of the result.
    pub output_schema: Value,
    /// Parameters that work, for help texts.
    pub examples: Vec<Value>,
    /// How people ask for it in plain words; what front ends need of it comes by the tool list.
    #[serde(skip)]
    pub says: Vec<Intent>,
    /// Where the window offers it.
    #[serde(skip)]
    pub offers: Offers,
    /// How long a run may take.
    #[serde(skip)]
    pub timeout: Duration,
}

impl ToolSpec {
    /// The same, with how people ask for it.
    #[must_use]
    pub fn says(mut self, intents: impl IntoIterator<Item = Intent>) -> Self {
        self.says.extend(intents);
        self
    }

    /// The same, with where the window offers it.
    #[must_use]
    pub fn offers(mut self, offers: impl Into<Offers>) -> Self {
        self.offers = offers.into();
        self
    }
}
