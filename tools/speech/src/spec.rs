//! What the tools of this crate say of themselves alike.

use deskhand_toolkit::{Category, ToolSpec, Trust};
use serde_json::Value;
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
    ToolSpec { examples, timeout, ..ToolSpec::new(name, title, description, category, trust) }
}
