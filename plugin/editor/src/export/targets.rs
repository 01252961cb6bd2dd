//! The delivery targets, as the tool that exports declares them.

use crate::kit::scale::minus;
use crate::tools::Tools;
use deskhand_session::offers::Gesture;
use serde_json::Value;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) key: String,
    pub(super) name: String,
    pub(super) asks: String,
}

/// All of them, in the order of the tool.
pub(super) fn targets(tools: &Tools) -> Vec<Target> {
    let tool = tools.of(Gesture::ExportMix);
    let tool = tool.and_then(|name| tools.all().find(|tool| tool.name == name));
    let Some(schema) = tool.map(|tool| &tool.input_schema) else { return Vec::new() };
    choices(schema, &schema["properties"]["for"]).iter().filter_map(|it| target(it)).collect()
}

/// The values of a choice, wherever its schema holds them.
fn choices<'a>(schema: &'a Value, node: &'a Value) -> Vec<&'a Value> {
    if let Some(all) = node["oneOf"].as_array() {
        return all.iter().collect();
    }
    if let Some(path) = node["$ref"].as_str() {
        let named = schema.pointer(path.trim_start_matches('#'));
        return named.map(|named| choices(schema, named)).unwrap_or_default();
    }
    let any = node["anyOf"].as_array().into_iter().flatten();
    any.flat_map(|one| choices(schema, one)).collect()
}

fn target(value: &Value) -> Option<Target> {
    let about = value["description"].as_str()?.trim_end_matches('.');
    let (name, asks) = about.split_once(": ").unwrap_or((about, ""));
    let key = value["const"].as_str()?.to_owned();
    Some(Target { key, name: name.to_owned(), asks: minus(asks) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_target_has_the_name_and_the_limits_that_its_tool_declares() {
        let schema = json!({
            "properties": {"for": {"anyOf": [{"$ref": "#/$defs/Delivery"}, {"type": "null"}]}},
            "$defs": {"Delivery": {"oneOf": [
                {"const": "podcast", "description": "Podcast: -16 LUFS ±1, true peak -1 dBTP."},
            ]}},
        });
        let all = choices(&schema, &schema["properties"]["for"]);
        let podcast = target(all[0]).unwrap();
        assert_eq!((podcast.key.as_str(), podcast.name.as_str()), ("podcast", "Podcast"));
        assert_eq!(podcast.asks, "−16 LUFS ±1, true peak −1 dBTP");
    }
}
