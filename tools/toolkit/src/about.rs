//! How tools introduce themselves: what all specs have in common.

use crate::{Category, ToolSpec, Trust};
use serde_json::{Value, json};
use std::time::Duration;

/// A command follows from the session alone.
pub const COMMAND_LIMIT: Duration = Duration::from_secs(10);

/// A tool reads audio, at worst a hundred hours of it.
const TOOL_LIMIT: Duration = Duration::from_secs(3600);

/// The spec of a command; `example` is a set of parameters that works.
pub fn command(
    name: &'static str,
    title: &'static str,
    description: &str,
    category: Category,
    trust: Trust,
    example: Value,
) -> ToolSpec {
    ToolSpec {
        output_schema: result_schema(),
        examples: vec![example],
        timeout: COMMAND_LIMIT,
        ..ToolSpec::new(name, title, description, category, trust)
    }
}

/// The spec of a tool that reads audio.
pub fn tool(
    name: &'static str,
    title: &'static str,
    description: &str,
    category: Category,
    trust: Trust,
    examples: Vec<Value>,
) -> ToolSpec {
    ToolSpec {
        examples,
        timeout: TOOL_LIMIT,
        ..command(name, title, description, category, trust, Value::Null)
    }
}

/// What every call results in.
fn result_schema() -> Value {
    let states =
        ["ok", "planned", "running", "waiting", "applied", "rejected", "conflict", "error"];
    json!({
        "type": "object",
        "properties": {
            "status": { "enum": states, "description": "State of the call" },
            "summary": { "type": "string", "description": "One sentence for people" },
            "plan": { "type": "object", "description": "The plan, in the form deskhand.plan/1" },
            "answer": { "description": "The answer of a tool that only reads" },
            "receipt": { "type": "object", "description": "The receipt of applying" },
            "error": {
                "type": "object",
                "properties": {
                    "phase": { "enum": ["prepare", "run", "apply"] },
                    "code": { "type": "string" },
                    "message": { "type": "string", "description": "What failed" },
                    "fix": { "type": "string", "description": "How to fix it" }
                },
                "required": ["phase", "code", "message", "fix"]
            }
        },
        "required": ["status", "summary"]
    })
}
