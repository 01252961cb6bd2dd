//! Schemas as every client can read them: JSON Schema 2020-12 without the corners that some trip over
//! (`true` for a schema, lists of types, schemas that say nothing).

use serde_json::{Map, Value, json};

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// What can become of a call, or of a plan that is asked about.
const STATUS: [&str; 11] = [
    "ok",
    "planned",
    "running",
    "waiting",
    "applying",
    "applied",
    "rolled_back",
    "rejected",
    "undone",
    "conflict",
    "error",
];

/// Keywords that hold one schema.
const ONE: [&str; 8] =
    ["items", "not", "if", "then", "else", "contains", "propertyNames", "additionalProperties"];

/// Keywords that hold a list of schemas.
const LISTS: [&str; 4] = ["anyOf", "oneOf", "allOf", "prefixItems"];

/// Keywords that hold schemas by name.
const MAPS: [&str; 4] = ["properties", "patternProperties", "$defs", "definitions"];

/// Keywords that only describe.
const WORDS: [&str; 6] = ["description", "title", "default", "examples", "$comment", "deprecated"];

/// The schema of a tool's parameters.
pub(crate) fn input(schema: &Value) -> Map<String, Value> {
    let mut fields = match portable(schema) {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    fields.retain(|key, _| key != "anyOf" || schema.get("anyOf").is_some());
    fields.insert("$schema".into(), DIALECT.into());
    fields.insert("type".into(), "object".into());
    fields.entry("properties").or_insert_with(|| json!({}));
    fields
}

/// The schema of a session tool's result; `answer` is the schema of its answer when it only reads. Given a
/// schema of the whole result, it uses its `answer`.
pub(crate) fn output(answer: &Value) -> Map<String, Value> {
    let whole = answer.pointer("/properties/status").and(answer.pointer("/properties/answer"));
    let mut answer = portable(whole.unwrap_or(answer));
    let defs = answer.as_object_mut().and_then(|fields| {
        fields.remove("$schema");
        fields.remove("$defs")
    });
    let mut schema = result(answer);
    if let Some(defs) = defs {
        schema.insert("$defs".into(), defs);
    }
    schema
}

/// The schema of a result with these fields in addition to the usual ones.
pub(crate) fn own_output(fields: &Value) -> Map<String, Value> {
    let mut schema = result(anything("What was found"));
    let own = portable(&json!({"type": "object", "properties": fields}));
    if let (Some(Value::Object(all)), Some(Value::Object(own))) =
        (schema.get_mut("properties"), own.get("properties"))
    {
        all.extend(own.clone());
    }
    schema
}

/// The schema of every result. The list repeats it for each tool, so it is short.
fn result(answer: Value) -> Map<String, Value> {
    let text = || json!({"type": "string"});
    let object = |words: &str| json!({"type": "object", "description": words});
    let properties = json!({
        "status": {"type": "string", "enum": STATUS},
        "summary": text(),
        "answer": answer,
        "warnings": {"type": "array", "items": text()},
        "plan_id": text(),
        "plan": object("Changes with before and after, findings, predicted, warnings"),
        "decide": object("How a person decides on the plan that waits"),
        "receipt": object("Predicted and measured values"),
        "revision": {"type": "integer"},
        "conflicts": {"type": "array", "items": {"type": "object"}},
        "job_id": text(),
        "progress": {"type": "number", "description": "0 to 1"},
        "doing": text(),
        "phase": text(),
        "code": text(),
        "message": {"type": "string", "description": "Why it failed"},
        "fix": {"type": "string", "description": "How to fix it"},
    });
    Map::from_iter([
        ("$schema".to_owned(), DIALECT.into()),
        ("type".to_owned(), "object".into()),
        ("properties".to_owned(), properties),
        ("required".to_owned(), json!(["status", "summary"])),
    ])
}

/// `schema` in the portable subset.
pub(crate) fn portable(schema: &Value) -> Value {
    let Value::Object(fields) = schema else {
        return match schema {
            Value::Bool(false) => json!({"not": anything("")}),
            _ => anything(""),
        };
    };
    let mut fields = fields.clone();
    for (key, value) in &mut fields {
        let key = key.as_str();
        if MAPS.contains(&key) {
            if let Value::Object(named) = value {
                named.values_mut().for_each(|schema| *schema = portable(schema));
            }
        } else if LISTS.contains(&key) {
            if let Value::Array(list) = value {
                list.iter_mut().for_each(|schema| *schema = portable(schema));
            }
        } else if ONE.contains(&key) && !(key == "additionalProperties" && value.is_boolean()) {
            *value = portable(value);
        }
    }
    split_types(&mut fields);
    if fields.keys().all(|key| WORDS.contains(&key.as_str())) {
        fields.insert("anyOf".into(), types(&EVERY));
    }
    Value::Object(fields)
}

const EVERY: [&str; 6] = ["object", "array", "string", "number", "boolean", "null"];

/// A list of types becomes a choice of schemas.
fn split_types(fields: &mut Map<String, Value>) {
    let Some(Value::Array(names)) = fields.get("type") else {
        return;
    };
    let choice: Value = names.iter().map(|name| json!({"type": name})).collect();
    fields.remove("type");
    match fields.remove("anyOf") {
        None => fields.insert("anyOf".into(), choice),
        Some(other) => fields.insert("allOf".into(), json!([{"anyOf": other}, {"anyOf": choice}])),
    };
}

fn types(names: &[&str]) -> Value {
    names.iter().map(|name| json!({"type": name})).collect()
}

fn anything(words: &str) -> Value {
    let mut schema = json!({"anyOf": types(&EVERY)});
    if !words.is_empty() {
        schema["description"] = words.into();
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_become_plain() {
        let schema = json!({
            "type": "object",
            "properties": {
                "a": true,
                "b": {"type": ["number", "null"], "minimum": 0},
                "c": {"description": "anything"},
                "d": {"type": "array", "items": true},
                "properties": {"type": "string"}
            },
            "additionalProperties": false
        });
        let found = portable(&schema);
        let p = &found["properties"];
        assert_eq!(p["a"]["anyOf"].as_array().unwrap().len(), 6);
        assert_eq!(p["b"], json!({"anyOf": [{"type": "number"}, {"type": "null"}], "minimum": 0}));
        assert_eq!(p["c"]["description"], "anything");
        assert!(p["c"]["anyOf"].is_array() && p["d"]["items"]["anyOf"].is_array());
        assert_eq!(p["properties"], json!({"type": "string"}));
        assert_eq!(found["additionalProperties"], json!(false));
    }

    #[test]
    fn definitions_of_an_answer_stay_reachable() {
        let answer = json!({"$defs": {"T": {"type": "string"}}, "$ref": "#/$defs/T"});
        let schema = output(&answer);
        assert_eq!(schema["$defs"]["T"], json!({"type": "string"}));
        assert_eq!(schema["properties"]["answer"], json!({"$ref": "#/$defs/T"}));
    }

    #[test]
    fn a_schema_of_the_whole_result_is_taken_for_its_answer() {
        let whole = json!({"properties": {"status": {}, "answer": {"type": "array"}}});
        assert_eq!(output(&whole)["properties"]["answer"], json!({"type": "array"}));
    }

    #[test]
    fn parameters_are_always_an_object() {
        for schema in [Value::Null, json!({}), json!({"type": "object"})] {
            let found = input(&schema);
            assert_eq!((&found["type"], &found["properties"]), (&json!("object"), &json!({})));
            assert!(!found.contains_key("anyOf"));
        }
    }
}
