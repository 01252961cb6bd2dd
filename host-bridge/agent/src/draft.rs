//! A request without its words: what every reader makes.

use crate::reading::RequestKind;
use crate::resolve::Resolved;
use deskhand_session::ObjectId;
use serde_json::{Map, Value};

/// A request without its words.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Draft {
    pub kind: RequestKind,
    pub targets: Vec<ObjectId>,
}

impl Draft {
    /// A call on targets.
    pub(crate) fn on(tool: &str, resolved: Resolved, params: Vec<(&str, Value)>) -> Self {
        let mut draft = Self::call(tool, params);
        if let RequestKind::Call { params: Value::Object(map), .. } = &mut draft.kind {
            map.insert("targets".into(), resolved.param);
        }
        Self { targets: resolved.ids, ..draft }
    }

    /// A call without targets.
    pub(crate) fn call(tool: &str, params: Vec<(&str, Value)>) -> Self {
        let params: Map<String, Value> =
            params.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let kind = RequestKind::Call { tool: tool.into(), params: Value::Object(params) };
        Self { kind, targets: Vec::new() }
    }
}
