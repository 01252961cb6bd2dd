//! All tools by name, and the check of parameters against their schema.

mod plain;

use crate::spec::ToolSpec;
use crate::task::Tool;
use deskhand_session::tool_error::{Code, ToolError};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// All tools by name.
#[derive(Clone, Default)]
pub struct Registry {
    tools: BTreeMap<&'static str, Arc<dyn Tool>>,
}

impl Registry {
    /// A registry of these tools.
    pub fn new(tools: impl IntoIterator<Item = Arc<dyn Tool>>) -> Self {
        Self { tools: tools.into_iter().map(|tool| (tool.spec().name, tool)).collect() }
    }

    /// Every tool, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Tool>> {
        self.tools.values()
    }

    /// The tool of that name.
    ///
    /// # Errors
    /// When there is no such tool; the message names the nearest ones.
    pub fn get(&self, name: &str) -> Result<&Arc<dyn Tool>, ToolError> {
        let by_its_name = self.tools.get(name);
        let also_called = || self.iter().find(|tool| tool.spec().also_called.contains(&name));
        by_its_name.or_else(also_called).ok_or_else(|| {
            let near = crate::target::nearest(name, self.tools.keys().copied());
            let message = format!("there is no tool \"{name}\"");
            ToolError::prepare(Code::UnknownTool, message, format!("did you mean {near}?"))
        })
    }
}

/// Checks parameters against the input schema of a spec. A tool with typed parameters does so when it prepares.
///
/// # Errors
/// Every violation: the parameter, the allowed values, and the given one.
pub fn validate(spec: &ToolSpec, params: &Value) -> Result<(), ToolError> {
    let bad = |message: String| {
        let fix = format!("see deskhand://tools/{} for its parameters", spec.name);
        ToolError::prepare(Code::BadParams, message, fix)
    };
    let schema = &spec.input_schema;
    let validator = jsonschema::validator_for(schema)
        .map_err(|error| bad(format!("the schema of {} is not valid: {error}", spec.name)))?;
    let wrong: Vec<_> =
        validator.iter_errors(params).map(|error| plain::told(&error, schema)).collect();
    if wrong.is_empty() { Ok(()) } else { Err(bad(wrong.join("; "))) }
}
