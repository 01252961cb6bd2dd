//! What the tools of this crate say of themselves alike.

use deskhand_toolkit::{Category, Offers, ToolSpec, Trust};
use serde_json::{Value, json};
use std::time::Duration;

/// The spec of a tool; the input schema is filled in from its parameters.
pub(crate) fn spec(
    name: &'static str,
    title: &'static str,
    description: &str,
    (category, trust): (Category, Trust),
    examples: Vec<Value>,
    timeout: Duration,
) -> ToolSpec {
    ToolSpec {
        name,
        title,
        description: description.into(),
        category,
        trust,
        input_schema: Value::Null,
        output_schema: json!({"type": "object"}),
        examples,
        says: Vec::new(),
        offers: Offers::default(),
        timeout,
    }
}
