//! What front ends know of a tool.

use deskhand_session::intent::Intent;
use deskhand_session::offers::Offers;
use deskhand_session::{Category, ToolEffect, Trust};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A tool as front ends, models and MCP clients see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolInfo {
    /// `tool_…`, `cmd_…`, `get_…`.
    pub name: String,
    /// A few words.
    pub title: String,
    /// The function of the tool, when to use it, and its result.
    pub description: String,
    /// Its category in lists.
    pub category: Category,
    /// How far it is trusted.
    pub trust: Trust,
    /// JSON Schema (2020-12) of the parameters.
    pub input_schema: Value,
    /// JSON Schema (2020-12) of the answer.
    pub output_schema: Value,
    /// Parameters that work.
    pub examples: Vec<Value>,
    /// How people ask for it in plain words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub says: Vec<Intent>,
    /// What a call does besides its plan.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<ToolEffect>,
    /// Whether lists that must be short have it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_core: bool,
    /// Where the window offers it.
    #[serde(default, skip_serializing_if = "Offers::is_empty")]
    pub offers: Offers,
    /// The program that it starts, when it is a tool that a person added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
}
