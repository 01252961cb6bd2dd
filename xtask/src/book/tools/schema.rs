//! The parameters of a tool in words, from their JSON Schema.

use serde_json::Value;

/// A row of the table of parameters.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Parameter {
    pub(super) name: String,
    /// What it takes, with unit and range.
    pub(super) takes: String,
    pub(super) default: String,
    pub(super) meaning: String,
}

/// What the ends of names say about units.
const UNITS: [(&str, &str); 12] = [
    ("_dbtp", "dBTP"),
    ("_dbfs", "dBFS"),
    ("_lufs", "LUFS"),
    ("_per_s", "a second"),
    ("_db", "dB"),
    ("_lu", "LU"),
    ("_khz", "kHz"),
    ("_hz", "Hz"),
    ("_ms", "ms"),
    ("_s", "s"),
    ("_percent", "%"),
    ("_bpm", "BPM"),
];
/// The type of what a tool works on; the overview explains it.
const TARGETS: &str = "#/$defs/Targets";

/// The parameters of the tool with this schema: those that are required first.
pub(super) fn parameters(schema: &Value) -> Vec<Parameter> {
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = schema["properties"].as_object();
    let row = |(name, property): (&String, &Value)| Parameter {
        name: name.clone(),
        takes: takes(schema, name, property),
        default: default(property, required.contains(&name.as_str())),
        meaning: meaning(schema, property),
    };
    let mut found: Vec<Parameter> = properties.into_iter().flatten().map(row).collect();
    found.sort_by_key(|parameter| parameter.default != "required");
    found
}

fn takes(schema: &Value, name: &str, property: &Value) -> String {
    let kind = kind(schema, property);
    let is_number = kind.contains("number");
    let unit = UNITS.iter().find(|(end, _)| is_number && name.ends_with(end));
    let unit = unit.map(|(_, unit)| (*unit).to_owned());
    [Some(kind), unit, range(property)].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn kind(schema: &Value, property: &Value) -> String {
    if property["$ref"] == TARGETS {
        return "[targets](README.md#targets)".to_owned();
    }
    let property = resolved(schema, property);
    for choice in ["anyOf", "oneOf"] {
        if let Some(variants) = property[choice].as_array() {
            return any(variants.iter().map(|variant| kind(schema, variant)));
        }
    }
    if let Some(value) = property.get("const") {
        return code(value);
    }
    if let Some(values) = property["enum"].as_array() {
        return any(values.iter().map(code));
    }
    match &property["type"] {
        Value::Array(kinds) => any(kinds.iter().map(|kind| plain(schema, property, kind))),
        kind => plain(schema, property, kind),
    }
}

fn plain(schema: &Value, property: &Value, kind: &Value) -> String {
    match kind.as_str().unwrap_or_default() {
        "string" => "text".to_owned(),
        "boolean" => "`true` or `false`".to_owned(),
        "integer" => "whole number".to_owned(),
        "array" => format!("list: {}", self::kind(schema, &property["items"])),
        "object" => object(property),
        "null" => String::new(),
        other => other.to_owned(),
    }
}

fn object(property: &Value) -> String {
    let names: Vec<String> = property["properties"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| format!("`{name}`"))
        .collect();
    if names.is_empty() { "object".to_owned() } else { format!("object: {}", names.join(", ")) }
}

/// The choices, each once, without the empty one.
fn any(choices: impl Iterator<Item = String>) -> String {
    let mut found: Vec<String> = Vec::new();
    for choice in choices.filter(|choice| !choice.is_empty()) {
        if !found.contains(&choice) {
            found.push(choice);
        }
    }
    match found.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => found.concat(),
    }
}

fn range(property: &Value) -> Option<String> {
    let end = |name: &str| property[name].as_f64();
    match (end("minimum"), end("maximum")) {
        (Some(low), Some(high)) => Some(format!("{low} to {high}")),
        (Some(low), None) => Some(format!("at least {low}")),
        (None, Some(high)) => Some(format!("at most {high}")),
        (None, None) => None,
    }
}

fn default(property: &Value, is_required: bool) -> String {
    match property.get("default") {
        _ if is_required => "required".to_owned(),
        None | Some(Value::Null | Value::Object(_)) => "-".to_owned(),
        Some(value) => code(value),
    }
}

fn code(value: &Value) -> String {
    match (value.as_str(), value.as_f64()) {
        (Some(text), _) => format!("`{text}`"),
        (None, Some(number)) => format!("`{number}`"),
        (None, None) => format!("`{value}`"),
    }
}

/// The description with the text of each value, in one line.
fn meaning(schema: &Value, property: &Value) -> String {
    let own = property["description"].as_str();
    let definition = resolved(schema, property);
    let mut parts: Vec<String> =
        own.or(definition["description"].as_str()).into_iter().map(str::to_owned).collect();
    for variant in values(schema, definition) {
        if let Some(description) = variant["description"].as_str() {
            parts.push(format!("{}: {description}", code(&variant["const"])));
        }
    }
    parts.join(" ").replace('\n', " ")
}

/// The values with a description of their own.
fn values<'a>(schema: &'a Value, definition: &'a Value) -> Vec<&'a Value> {
    let variants = ["anyOf", "oneOf"].iter().filter_map(|choice| definition[choice].as_array());
    let inner = |variant: &'a Value| match variant.get("$ref") {
        Some(_) => values(schema, resolved(schema, variant)),
        None if variant.get("const").is_some() => vec![variant],
        None => Vec::new(),
    };
    variants.flatten().flat_map(inner).collect()
}

fn resolved<'a>(schema: &'a Value, property: &'a Value) -> &'a Value {
    let name = property["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/"));
    name.map_or(property, |name| &schema["$defs"][name])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn schema() -> Value {
        json!({
            "$defs": {
                "Per": {"description": "D.", "oneOf": [
                    {"const": "clip", "description": "Each clip.", "type": "string"},
                    {"const": "mix", "description": "The mix.", "type": "string"},
                ]},
                "Targets": {"anyOf": [{"type": "string"}]},
            },
            "properties": {
                "level_db": {"type": ["number", "null"], "minimum": -60.0, "maximum": 6.5,
                             "description": "Level,\nin dB."},
                "per": {"anyOf": [{"$ref": "#/$defs/Per"}, {"type": "null"}], "description": "What."},
                "stems": {"type": "array", "items": {"type": "string"}},
                "targets": {"$ref": "#/$defs/Targets", "default": "selection"},
            },
            "required": ["stems"],
        })
    }

    #[test]
    fn parameters_are_told_with_unit_range_and_values() {
        let found = parameters(&schema());
        let rows: Vec<[&str; 4]> = found
            .iter()
            .map(|row| [&*row.name, &*row.takes, &*row.default, &*row.meaning])
            .collect();
        let expected = [
            ["stems", "list: text", "required", ""],
            ["level_db", "number, dB, -60 to 6.5", "-", "Level, in dB."],
            ["per", "`clip` or `mix`", "-", "What. `clip`: Each clip. `mix`: The mix."],
            ["targets", "[targets](README.md#targets)", "`selection`", ""],
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn what_has_no_parameters_has_no_rows() {
        assert_eq!(parameters(&json!({"type": "object"})), []);
    }
}
