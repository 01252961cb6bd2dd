//! `deskhand tools`: what can be called, with schemas.

mod check;
pub(super) mod manifests;

use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::table;
use crate::tool_folder;
use comfy_table::Cell;
use deskhand_toolkit::ToolSpec;
use serde_json::Value;

/// Lists the tools, or shows one.
pub(crate) fn run(name: Option<&str>, output: Output) -> Result<Exit, Failure> {
    let registry = tool_folder::known(None).told(output);
    if let Some(name) = name {
        let spec = deskhand_bridge::spec(&registry, name)?;
        output.json(&spec);
        output.say(describe(&spec));
        return Ok(Exit::Done);
    }
    let specs = deskhand_bridge::specs(&registry);
    output.json(&specs);
    let mut table = table::new(output, &["tool", "category", "trust", "title"]);
    for spec in specs {
        let trust = word(&spec.trust);
        table.add_row([
            Cell::new(spec.name),
            Cell::new(word(&spec.category)),
            Cell::new(trust),
            Cell::new(spec.title),
        ]);
    }
    output.say(table.to_string());
    Ok(Exit::Done)
}

fn word(value: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}

fn describe(spec: &ToolSpec) -> String {
    let mut text = format!(
        "{}: {}\n{}, trust {}\n\n{}\n\nParameters:\n",
        spec.name,
        spec.title,
        word(&spec.category),
        word(&spec.trust),
        spec.description
    );
    let properties = spec.input_schema.get("properties").and_then(Value::as_object);
    for (name, schema) in properties.into_iter().flatten() {
        let about = schema.get("description").and_then(Value::as_str).unwrap_or_default();
        text += &format!("  {name}\n      {}\n", about.replace('\n', "\n      "));
    }
    for example in &spec.examples {
        text += &format!("\nExample:\n  deskhand plan DIR {} --params '{example}'\n", spec.name);
    }
    text
}
