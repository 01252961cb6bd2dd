//! Every tool of the program but those that anyone adds: the one list, for applications and tests.

use crate::codings::MergeCodings;
use deskhand_toolkit::{Tool, TypedTool};
use std::sync::Arc;

/// Every tool of the tool crates, and those of the bridge that plan on a worker.
#[must_use]
pub fn all_tools() -> Vec<Arc<dyn Tool>> {
    let listens = deskhand_listen::all_with_words(deskhand_speech::words());
    [
        deskhand_levels::all(),
        deskhand_clean::all(),
        listens,
        deskhand_edit::all(),
        deskhand_speech_edit::all(),
        deskhand_codes::all(),
        deskhand_stems::all(),
        deskhand_speech::all(),
        deskhand_hosts::all(),
        vec![MergeCodings::tool()],
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::all_tools;
    use deskhand_session::Change;
    use deskhand_toolkit::ToolSpec;
    use serde_json::{Value, json};
    use std::collections::BTreeSet;

    /// Name, trust and category, description, and parameters with the required ones marked.
    fn card(spec: &ToolSpec) -> String {
        let schema = &spec.input_schema;
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let properties = schema["properties"].as_object().cloned().unwrap_or_default();
        let mark = |name: &String| {
            if required.contains(&Value::from(name.as_str())) { "!" } else { "" }
        };
        let names: Vec<_> = properties.keys().map(|name| format!("{name}{}", mark(name))).collect();
        let kind = format!("{:?} {:?}", spec.trust, spec.category).to_lowercase();
        let ToolSpec { name, title, description, .. } = spec;
        format!("{name} ({kind}) {title}\n  {description}\n  {}\n", names.join(", "))
    }

    #[test]
    fn the_tools_as_a_model_sees_them() {
        let mut tools = all_tools();
        tools.sort_by_key(|tool| tool.spec().name);
        let cards: Vec<_> = tools.iter().map(|tool| card(tool.spec())).collect();
        insta::assert_snapshot!(cards.join("\n"));
    }

    #[test]
    fn every_change_has_its_command() {
        // `import_audio` adds sources: only it knows a file's length, hash and format. What a segment is,
        // is found by listening. Importance is set by a tool, which other programs know by its name. Only
        // opening a project binds a session to it.
        let exempt = [
            "add_source",
            "set_segment",
            "set_description",
            "set_importance",
            "set_phrase",
            "set_assembly",
            "set_binding",
        ];
        // Parts of one change that have a name of their own.
        let parts = [
            "remove_insert",
            "switch_insert",
            "remove_code",
            "merge_codes",
            "set_words",
            "set_speaker",
            "restore_words",
            "finish",
        ];
        let tools = all_tools();
        let tools: BTreeSet<_> = tools.iter().map(|tool| tool.spec().name).collect();
        for op in Change::OPS.iter().filter(|op| !exempt.contains(op)) {
            assert!(tools.contains(format!("cmd_{op}").as_str()), "no cmd_{op}");
        }
        let commands = tools.iter().filter_map(|name| name.strip_prefix("cmd_"));
        for op in commands {
            assert!(Change::OPS.contains(&op) || parts.contains(&op), "cmd_{op} is no change");
        }
    }

    #[test]
    fn every_example_fits_its_schema_and_every_parameter_is_described() {
        for tool in all_tools() {
            let spec = tool.spec();
            for example in &spec.examples {
                deskhand_toolkit::registry::validate(tool.spec(), example).unwrap();
            }
            let properties = spec.input_schema["properties"].as_object().unwrap();
            for (name, schema) in properties {
                assert!(schema["description"].is_string(), "{} {name}", spec.name);
            }
            assert_eq!(spec.input_schema["additionalProperties"], json!(false), "{}", spec.name);
        }
    }
}
