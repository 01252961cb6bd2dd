//! Content of windows from the model's own data: the history, and the description of a tool.

use crate::model::Model;
use crate::resources::Resource;
use crate::tools::Tools;
use deskhand_protocol::ToolInfo;
use deskhand_protocol::desk::Window;
use deskhand_session::Handle;
use serde_json::Value;
use std::sync::Arc;

/// Whether a window shows the steps of the session.
pub(super) fn is_history(window: &Window) -> bool {
    matches!(window.resource.parse(), Ok(Handle::History))
}

/// What a window shows without asking anybody for it.
pub(super) fn resource(model: &Model, window: &Window) -> Option<Resource> {
    match window.resource.parse::<Handle>().ok()? {
        // Its steps are drawn as in the panel.
        Handle::History => Some(Resource::Table(Arc::default())),
        Handle::Tool(name) => model.about_tools.get(&name).cloned().map(Resource::Text),
        _ => None,
    }
}

/// The description of a tool, and its parameters.
pub(crate) fn about(tools: &Tools, tool: &ToolInfo) -> Arc<str> {
    let mut told = format!("{}\n\n{}", tool.title, tools.for_person(&tool.description));
    let needed = tool.input_schema["required"].as_array().into_iter().flatten();
    let needed: Vec<&str> = needed.filter_map(Value::as_str).collect();
    let all = tool.input_schema["properties"].as_object();
    for (place, (name, of)) in all.into_iter().flatten().enumerate() {
        told.push_str(if place == 0 { "\n\nIt takes:\n" } else { "\n" });
        let must = if needed.contains(&name.as_str()) { ", which must be given" } else { "" };
        told.push_str(&format!("• {}{must}", name.replace('_', " ")));
        if let Some(words) = of["description"].as_str() {
            told.push_str(&format!(": {}", tools.for_person(words)));
        }
    }
    told.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::prelude::*;
    use deskhand_protocol::Read;
    use deskhand_protocol::desk::Viewer;

    fn read(model: &mut Model, call: u64, what: Read, answer: Value) {
        model.sent(CallId(call), &Op::Read { what });
        let result = ToolResult {
            answer: Some(answer),
            ..ToolResult::new(Status::Ok, "read", RevisionId(1))
        };
        let done = News::Done { result: Box::new(result) };
        drop(model.hear(&event(call, Some(CallId(call)), done)));
    }

    fn open(model: &mut Model, number: u64, resource: &str) {
        let window = Window {
            window_id: format!("window_{number}"),
            viewer: Viewer::Auto,
            resource: resource.into(),
            title: format!("Window {number}"),
        };
        drop(model.hear(&event(number, None, News::Window { window })));
    }

    #[test]
    fn a_window_on_the_history_has_its_steps() {
        let mut model = open_model();
        let step = json!({
            "id": 1, "parent": 0, "author": "user", "label": "Louder", "changes": [], "time_ms": 0,
        });
        let answer = json!({"revisions": [step], "undo": [1], "redo": []});
        read(&mut model, 4, Read::History, answer);
        assert_eq!(model.history.len(), 1);
        open(&mut model, 5, "deskhand://history");
        let harness = harness(model);
        assert!(harness.query_by_label_contains("The start").is_some());
        assert!(harness.query_by_label_contains("Louder").is_some());
    }

    #[test]
    fn a_window_on_a_tool_tells_what_it_is_for_and_what_it_takes() {
        let mut model = open_model();
        let tool = json!({
            "name": "tool_fades", "title": "Fades", "description": "Fades clips in and out.",
            "category": "level", "trust": "suggest", "output_schema": {}, "examples": [],
            "input_schema": {
                "properties": {"in_ms": {"description": "How long."}}, "required": ["in_ms"],
            },
        });
        read(&mut model, 4, Read::Tools, json!([tool]));
        open(&mut model, 5, "deskhand://tools/tool_fades");
        let harness = harness(model);
        let told = "Fades\n\nFades clips in and out.\n\nIt takes:\n• in ms, which must be given: How long.";
        assert!(harness.query_by_label(told).is_some());
    }
}
