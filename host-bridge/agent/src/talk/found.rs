//! What a tool found, for people without a model that would tell them: places with what is said there, and codes with
//! their counts. The rest of an answer is for models; its summary says it.

use deskhand_session::text::tenths;
use serde_json::{Map, Value};

/// Rows of a list that are told; the rest is counted.
const TOLD: usize = 12;
/// Numbers of a row that has no place.
const NUMBERS: usize = 3;

/// The lists of an answer, a line a row; nothing where there is none to tell.
pub(super) fn lines(answer: &Value) -> String {
    let lists: Vec<(&str, &Value)> = match answer {
        Value::Object(fields) => fields.iter().map(|(name, list)| (name.as_str(), list)).collect(),
        list => vec![("", list)],
    };
    let told = |(name, list): (&str, &Value)| {
        let rows = list.as_array()?.iter().filter_map(Value::as_object);
        let rows: Vec<String> = rows.filter_map(row).collect();
        (!rows.is_empty()).then(|| (name.replace('_', " "), rows))
    };
    let lists: Vec<(String, Vec<String>)> = lists.into_iter().filter_map(told).collect();
    let is_alone = lists.len() == 1;
    let mut text = String::new();
    for (name, rows) in &lists {
        if !is_alone {
            text.push_str(&format!("\n{name}:"));
        }
        rows.iter().take(TOLD).for_each(|row| text.push_str(&format!("\n  {row}")));
        if rows.len() > TOLD {
            text.push_str(&format!("\n  and {} more", rows.len() - TOLD));
        }
    }
    text
}

/// What can be asked for about what was found: the `fixes` of each row, none twice.
pub(super) fn fixes(answer: &Value) -> Vec<String> {
    let rows = answer.as_array().into_iter().flatten();
    let fixes = rows.filter_map(|row| row.get("fixes")?.as_array()).flatten();
    let mut all: Vec<String> = Vec::new();
    for fix in fixes.filter_map(Value::as_str) {
        if !all.iter().any(|known| known == fix) {
            all.push(fix.to_owned());
        }
    }
    all
}

/// "0:02.0  so it is", or "Budget: codings 3".
fn row(fields: &Map<String, Value>) -> Option<String> {
    let text = |names: &[&str]| names.iter().find_map(|name| fields.get(*name)?.as_str());
    let time = ["timeline_s", "start_s"].iter().find_map(|name| fields.get(*name)?.as_f64());
    if let (Some(seconds), Some(said)) = (time, text(&["text", "quote"])) {
        return Some(format!("{}  {said}", tenths(seconds)));
    }
    if !fields.keys().any(|name| name.starts_with("code")) {
        return None;
    }
    let is_id = |name: &str| name == "id" || name.ends_with("_id");
    let words = fields.iter().filter(|(name, _)| !is_id(name));
    let words: Vec<&str> = words.filter_map(|(_, value)| value.as_str()).collect();
    let number = |(name, value): (&String, &Value)| {
        value.is_number().then(|| format!("{} {value}", name.replace('_', " ")))
    };
    let numbers: Vec<String> = fields.iter().filter_map(number).take(NUMBERS).collect();
    Some(format!("{}: {}", words.join(" and "), numbers.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn places_and_counts_are_told_and_the_rest_is_not() {
        let place = json!({"id": "seg_1", "start_s": 62.04, "text": "so it is"});
        let told = lines(&json!({"phrases": 7, "laughter": [place], "off_mic": []}));
        assert_eq!(told, "\n  1:02.0  so it is");
        let rows = json!([{"code": "Budget", "codings": 3, "code_id": "code_1"}]);
        assert_eq!(lines(&json!({"rows": rows})), "\n  Budget: codings 3");
        let pair = json!({"rows": [{"code_a": "Rent", "code_b": "Money", "places": 2}]});
        assert_eq!(lines(&pair), "\n  Rent and Money: places 2");
        let both = lines(&json!({"laughter": [place], "overlap": [place]}));
        assert_eq!(both, "\nlaughter:\n  1:02.0  so it is\noverlap:\n  1:02.0  so it is");
        let many: Vec<&Value> = std::iter::repeat_n(&place, 15).collect();
        assert!(lines(&json!({"places": many})).ends_with("\n  and 3 more"));
        assert_eq!(lines(&json!([{"name": "Take 1", "thirds": [[20, -60]]}])), "");
        assert_eq!(lines(&Value::Null), "");
    }
}
