//! The problems of parameters, in words for people: the parameter, the allowed values, and the given one.

use crate::target::nearest;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

/// Longest part of a value that is shown.
const SHOWN: usize = 60;

/// Every violation as a sentence. `schema` is the whole schema, for suggestions.
pub(super) fn told(error: &ValidationError<'_>, schema: &Value) -> String {
    let name = name(error);
    let not = format!("not {}", shown(error.instance()));
    match error.kind() {
        Kind::Required { property } => format!("{} is missing", inside(&name, &text(property))),
        Kind::AdditionalProperties { unexpected } => unknown(&name, unexpected, schema),
        Kind::Minimum { limit } => format!("{name} is at least {limit}, {not}"),
        Kind::Maximum { limit } => format!("{name} is at most {limit}, {not}"),
        Kind::ExclusiveMinimum { limit } => format!("{name} is more than {limit}, {not}"),
        Kind::ExclusiveMaximum { limit } => format!("{name} is less than {limit}, {not}"),
        Kind::MinItems { limit } => format!("{name} has at least {limit} entries, {not}"),
        Kind::MinLength { limit } => format!("{name} has at least {limit} characters, {not}"),
        Kind::MaxLength { limit } => format!("{name} has at most {limit} characters, {not}"),
        Kind::MaxItems { limit } => format!("{name} has at most {limit} entries, {not}"),
        Kind::Type { .. } | Kind::Constant { .. } | Kind::Enum { .. } => wanted(&name, error, &not),
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => match nearer(error, context) {
            Some(branch) => branch.iter().map(|e| told(e, schema)).collect::<Vec<_>>().join("; "),
            None => wanted(&name, error, &not),
        },
        // What the schemas of tools do not use yet.
        _ => format!("{name}: {error}"),
    }
}

/// The likeliest branch of several: one that fails further inside, or by a limit.
fn nearer<'a>(
    error: &ValidationError<'_>,
    branches: &'a [Vec<ValidationError<'static>>],
) -> Option<&'a [ValidationError<'static>]> {
    let kind_only = |inner: &ValidationError<'_>| {
        inner.instance_path() == error.instance_path()
            && matches!(
                inner.kind(),
                Kind::Type { .. }
                    | Kind::Constant { .. }
                    | Kind::Enum { .. }
                    | Kind::AnyOf { .. }
                    | Kind::OneOfNotValid { .. }
            )
    };
    let meant = branches.iter().find(|branch| !branch.is_empty() && !branch.iter().any(kind_only));
    meant.map(Vec::as_slice)
}

fn wanted(name: &str, error: &ValidationError<'_>, not: &str) -> String {
    let mut choices = choices(error);
    choices.dedup();
    let all_are_values = choices.len() > 1 && choices.iter().all(|choice| choice.starts_with('"'));
    let one_of = if all_are_values { "one of " } else { "" };
    format!("{name} is {one_of}{}, {not}", either(&choices))
}

/// The allowed values. That it may be omitted does not help a caller who gave one.
fn choices(error: &ValidationError<'_>) -> Vec<String> {
    match error.kind() {
        Kind::Type { kind: TypeKind::Single(one) } => words(*one).into_iter().collect(),
        Kind::Type { kind: TypeKind::Multiple(several) } => {
            (*several).into_iter().filter_map(words).collect()
        }
        Kind::Constant { expected_value } => vec![expected_value.to_string()],
        Kind::Enum { options } => {
            let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
            options.iter().filter(|option| !option.is_null()).map(Value::to_string).collect()
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            context.iter().flat_map(|branch| branch_choices(branch)).collect()
        }
        _ => Vec::new(),
    }
}

/// A branch for certain values says their type too, which the values tell already.
fn branch_choices(branch: &[ValidationError<'_>]) -> Vec<String> {
    let is_value = |error: &&ValidationError<'_>| {
        matches!(error.kind(), Kind::Constant { .. } | Kind::Enum { .. })
    };
    match branch.iter().find(is_value) {
        Some(value) => choices(value),
        None => branch.iter().flat_map(choices).collect(),
    }
}

fn words(kind: JsonType) -> Option<String> {
    let words = match kind {
        JsonType::Null => return None,
        JsonType::Boolean => "true or false",
        JsonType::Integer => "a whole number",
        JsonType::Number => "a number",
        JsonType::String => "text",
        JsonType::Array => "a list",
        JsonType::Object => "an object",
    };
    Some(words.into())
}

/// "a", "a or b", "a, b or c".
fn either(choices: &[String]) -> String {
    match choices {
        [] => "left out".into(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// Where a value is: `target_lufs`, `targets[0]`, `clip.gain_db`.
fn name(error: &ValidationError<'_>) -> String {
    let path = error.instance_path().to_string();
    let mut name = String::new();
    for part in path.split('/').skip(1) {
        match part.parse::<usize>() {
            Ok(index) => name += &format!("[{index}]"),
            Err(_) => name = inside(&name, part),
        }
    }
    if name.is_empty() { "all parameters together".into() } else { name }
}

fn inside(outer: &str, part: &str) -> String {
    match outer {
        "" | "all parameters together" => part.to_owned(),
        outer => format!("{outer}.{part}"),
    }
}

fn unknown(name: &str, unexpected: &[String], schema: &Value) -> String {
    let known = schema["properties"].as_object().filter(|_| inside(name, "").is_empty());
    let tell = |wrong: &String| {
        let message = format!("there is no parameter \"{}\"", inside(name, wrong));
        match known {
            Some(known) if !known.is_empty() => {
                let near = nearest(wrong, known.keys().map(String::as_str));
                format!("{message}, did you mean {near}?")
            }
            _ => message,
        }
    };
    unexpected.iter().map(tell).collect::<Vec<_>>().join("; ")
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= SHOWN {
        return text;
    }
    text.chars().take(SHOWN).chain("…".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Targets;
    use schemars::JsonSchema;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    enum Per {
        Clip,
        Track,
        Mix,
    }

    #[derive(Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only its schema is used")]
    struct Params {
        #[schemars(range(min = -70.0, max = 0.0))]
        target_lufs: Option<f64>,
        gain_db: f64,
        count: Option<u32>,
        per: Option<Per>,
        kind: Option<Shape>,
        #[serde(default)]
        targets: Targets,
        #[serde(default)]
        together: bool,
        #[schemars(length(min = 2, max = 100))]
        text: Option<String>,
    }

    #[derive(Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only its schema is used")]
    struct Shape {
        curve: f64,
    }

    fn said(params: Value) -> String {
        let schema = schemars::schema_for!(Params).to_value();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let told: Vec<_> = validator.iter_errors(&params).map(|e| told(&e, &schema)).collect();
        told.join("; ")
    }

    #[test]
    fn wrong_parameters_are_told_plainly() {
        let cases = [
            (json!({"target_lufs": "abc"}), "target_lufs is a number, not \"abc\""),
            (json!({"target_lufs": 3.5}), "target_lufs is at most 0.0, not 3.5"),
            (json!({"target_lufs": -80}), "target_lufs is at least -70.0, not -80"),
            (json!({"gain_db": [1, 2]}), "gain_db is a number, not [1,2]"),
            (json!({"count": 1.5}), "count is a whole number, not 1.5"),
            (json!({"count": -1}), "count is at least 0, not -1"),
            (json!({"together": "yes"}), "together is true or false, not \"yes\""),
            (json!({"targets": 5}), "targets is text or a list, not 5"),
            (json!({"targets": ["Voice", 7]}), "targets[1] is text, not 7"),
            (json!({"per": "song"}), "per is one of \"clip\", \"track\" or \"mix\", not \"song\""),
            (json!({"per": 3}), "per is one of \"clip\", \"track\" or \"mix\", not 3"),
            (json!({"kind": {"curve": "x"}}), "kind.curve is a number, not \"x\""),
            (json!({"kind": {}}), "kind.curve is missing"),
            (json!({"kind": {"curve": 1, "x": 1}}), "there is no parameter \"kind.x\""),
            (json!({"kind": "x"}), "kind is an object, not \"x\""),
        ];
        for (mut params, expected) in cases {
            let given = params.as_object_mut().unwrap();
            given.entry("gain_db").or_insert(json!(0));
            assert_eq!(said(params.clone()), expected, "{params}");
        }
    }

    #[test]
    fn what_is_missing_unknown_or_no_object_is_told() {
        assert_eq!(said(json!({})), "gain_db is missing");
        assert_eq!(said(json!([1])), "all parameters together is an object, not [1]");
        let told = said(json!({"gain_db": 0, "target_lfus": 1}));
        assert!(
            told.starts_with("there is no parameter \"target_lfus\", did you mean \"target_lufs\"")
        );
        let long = said(json!({"gain_db": "x".repeat(500)}));
        assert!(long.len() < 120 && long.ends_with('…'), "{long}");
        let long = said(json!({"gain_db": 0, "text": "x".repeat(50_000)}));
        assert!(long.starts_with("text has at most 100 characters, not \"xxx"), "{long}");
        assert!(long.len() < 120 && long.ends_with('…'), "{long}");
        let short = said(json!({"gain_db": 0, "text": "x"}));
        assert_eq!(short, "text has at least 2 characters, not \"x\"");
        let both = said(json!({"gain_db": "x", "together": 1}));
        assert_eq!(both, "gain_db is a number, not \"x\"; together is true or false, not 1");
    }
}
