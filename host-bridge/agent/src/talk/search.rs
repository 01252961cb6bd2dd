//! Tools beyond the core set: found by words, called by name.

use crate::provider::ToolDefinition;
use deskhand_protocol::ToolInfo;
use serde_json::{Value, json};

/// The name of the tool that finds tools.
pub(super) const SEARCH: &str = "search_tools";
/// The name of the tool that calls one.
pub(super) const CALL: &str = "call_tool";

/// The most tools that are found at once.
const MOST: usize = 5;

/// The two tools, as a model sees them.
pub(super) fn definitions() -> [ToolDefinition; 2] {
    let search = ToolDefinition {
        name: SEARCH.into(),
        description: "Find more tools by words, such as \"split clip\" or \"marker\". Gives name, description, \
            trust and input schema of the nearest. Call one with call_tool."
            .into(),
        input_schema: json!({"type": "object", "required": ["query"], "additionalProperties": false,
            "properties": {"query": {"type": "string", "description": "What it should do"}}}),
    };
    let call = ToolDefinition {
        name: CALL.into(),
        description: "Call a tool that search_tools found.".into(),
        input_schema: json!({"type": "object", "required": ["tool", "params"], "additionalProperties": false,
            "properties": {"tool": {"type": "string"}, "params": {"type": "object"}}}),
    };
    [search, call]
}

/// Answers a search: `{tools: [{name, description, trust, input_schema, example}], more}`.
pub(super) fn search(tools: &[ToolInfo], params: &Value) -> Value {
    let query = params.get("query").and_then(Value::as_str).unwrap_or_default();
    let words: Vec<String> =
        query.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect();
    let mut found: Vec<(usize, &ToolInfo)> = tools
        .iter()
        .map(|tool| (score(tool, &words), tool))
        .filter(|(score, _)| *score > 0)
        .collect();
    found.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.name.cmp(&b.1.name)));
    let shown: Vec<_> = found.iter().take(MOST).map(|(_, tool)| describe(tool)).collect();
    if shown.is_empty() {
        let names: Vec<_> = tools.iter().map(|tool| &tool.name).collect();
        return json!({"status": "ok", "summary": "no tool has these words", "all_names": names});
    }
    json!({"status": "ok", "tools": shown, "more": found.len() - shown.len()})
}

fn describe(tool: &ToolInfo) -> Value {
    json!({"name": tool.name, "description": tool.description, "trust": tool.trust,
        "input_schema": tool.input_schema, "example": tool.examples.first()})
}

/// How many of the words a tool has; its name and title count more.
fn score(tool: &ToolInfo, words: &[String]) -> usize {
    let name = format!("{} {}", tool.name, tool.title).to_lowercase();
    let text = tool.description.to_lowercase();
    let worth = |word: &String| {
        // "clips" finds "clip".
        let stem = word.strip_suffix('s').unwrap_or(word);
        if stem.len() < 2 {
            0
        } else if name.contains(stem) {
            3
        } else {
            usize::from(text.contains(stem))
        }
    };
    words.iter().map(worth).sum()
}
