//! What a tool found, for people: values in lines, lists in tables.

use crate::output::Output;
use crate::table;
use comfy_table::Cell;
use serde_json::{Map, Value};

/// Rows of a list that are shown; the rest is counted.
const SHOWN: usize = 60;
/// Values of a plain list that are shown, alone and in a cell.
const LISTED: usize = 20;
const IN_CELL: usize = 8;

/// Prints the content of a value; nothing for an empty one.
pub(crate) fn print(found: &Value, output: Output) {
    let text = to_text(found, output);
    if !text.is_empty() {
        output.say(format!("\n{text}"));
    }
}

fn to_text(found: &Value, output: Output) -> String {
    match found {
        Value::Object(fields) => of_object(fields, output),
        Value::Array(items) => of_list(items, output),
        Value::Null => String::new(),
        plain => said(plain),
    }
}

/// Plain values first, then each list under its name.
fn of_object(fields: &Map<String, Value>, output: Output) -> String {
    let is_plain = |value: &Value| !value.is_array() && !value.is_object();
    let mut parts = Vec::new();
    let plain = fields.iter().filter(|(_, value)| is_plain(value) && !value.is_null());
    let lines: Vec<_> =
        plain.map(|(name, value)| format!("  {}: {}", title(name), said(value))).collect();
    if !lines.is_empty() {
        parts.push(lines.join("\n"));
    }
    for (name, value) in fields.iter().filter(|(_, value)| !is_plain(value)) {
        let text = to_text(value, output);
        if !text.is_empty() {
            parts.push(format!("{}:\n{text}", title(name)));
        }
    }
    parts.join("\n\n")
}

fn of_list(items: &[Value], output: Output) -> String {
    let rows: Vec<_> = items.iter().filter_map(Value::as_object).collect();
    if rows.len() < items.len() {
        let listed: Vec<_> = items.iter().take(LISTED).map(said).collect();
        let more = items.len().saturating_sub(LISTED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        return format!("  {}{more}", listed.join(", "));
    }
    if rows.is_empty() { String::new() } else { of_rows(&rows, output) }
}

/// A table of what fits into cells, then a table for each list of things in a row.
fn of_rows(rows: &[&Map<String, Value>], output: Output) -> String {
    let is_inner = |name: &str| rows.iter().any(|row| row.get(name).is_some_and(is_table));
    let mut columns: Vec<&str> = Vec::new();
    for name in rows.iter().take(SHOWN).flat_map(|row| row.keys()) {
        if !columns.contains(&name.as_str()) && !is_inner(name) {
            columns.push(name);
        }
    }
    let titles: Vec<_> = columns.iter().map(|name| title(name)).collect();
    let titles: Vec<_> = titles.iter().map(String::as_str).collect();
    let mut table = table::new(output, &titles);
    for row in rows.iter().take(SHOWN) {
        table.add_row(columns.iter().map(|name| cell(row.get(*name))));
    }
    let more = rows.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!("\nand {more} more") } else { String::new() };
    let inner = rows.iter().take(SHOWN).flat_map(|row| inner(row, output));
    std::iter::once(format!("{table}{more}")).chain(inner).collect::<Vec<_>>().join("\n\n")
}

/// Whether a value is a list of things that have fields.
fn is_table(value: &Value) -> bool {
    value.as_array().and_then(|items| items.first()).is_some_and(Value::is_object)
}

/// The lists in a row, each under the row's name.
fn inner(row: &Map<String, Value>, output: Output) -> Vec<String> {
    let of = ["name", "title", "id"].iter().find_map(|key| row.get(*key)?.as_str());
    let lists = row.iter().filter(|(_, value)| is_table(value));
    let told = lists.map(|(name, value)| {
        let of = of.map(|of| format!(" of {of}")).unwrap_or_default();
        format!("{}{of}:\n{}", title(name), to_text(value, output))
    });
    told.collect()
}

fn cell(value: Option<&Value>) -> Cell {
    match value {
        Some(Value::Number(_)) => table::number(value.map(said).unwrap_or_default()),
        _ => Cell::new(value.map(said).unwrap_or_default()),
    }
}

/// A value in a few words.
fn said(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Bool(is) => if *is { "yes" } else { "no" }.into(),
        Value::Number(number) => match number.as_f64().filter(|it| it.fract() != 0.0) {
            Some(fraction) => format!("{fraction:.3}").trim_end_matches('0').to_owned(),
            None => number.to_string(),
        },
        Value::Array(items) => in_cell(items),
        Value::Object(fields) => {
            let known = fields.iter().filter(|(_, value)| !value.is_null());
            let pairs = known.map(|(name, value)| format!("{} {}", title(name), said(value)));
            pairs.collect::<Vec<_>>().join(", ")
        }
    }
}

/// The first values of a list, with pairs separated from one another.
fn in_cell(items: &[Value]) -> String {
    let between = if items.iter().any(Value::is_array) { "; " } else { ", " };
    let shown: Vec<_> = items.iter().take(IN_CELL).map(said).collect();
    let more = items.len().saturating_sub(IN_CELL);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    shown.join(between) + &more
}

fn title(name: &str) -> String {
    name.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_lines_and_lists_are_tables() {
        let found = json!({
            "segments_created": 2,
            "is_whole": true,
            "batch_id": "batch_0123456789ab",
            "codes": [{"code": "Budget", "count": 2, "kappa": 0.5}, {"code": "Time", "quote": "soon"}],
            "left_out": ["a", "b"],
            "empty": [],
        });
        let text = to_text(&found, Output::new(false));
        for line in ["  segments created: 2", "  is whole: yes", "left out:\n  a, b", "codes:\n"] {
            assert!(text.contains(line), "{line}: {text}");
        }
        let row = text.lines().find(|line| line.contains("Budget")).unwrap_or_default();
        assert!(row.contains('2') && row.contains("0.5"), "{text}");
        assert!(!text.contains("empty"), "{text}");
    }

    #[test]
    fn lists_in_a_row_are_tables_of_their_own_and_long_ones_are_cut() {
        let region =
            |content: &str, or: Option<&str>| json!({"content": content, "end_s": 2.5, "or": or});
        let bands: Vec<_> = (0..31).map(|n| json!([n * 100, -60.5])).collect();
        let found = json!([{
            "name": "Host", "mostly": "speech", "bands": bands,
            "hum": {"hz": 50.0, "harmonics": null},
            "regions": [region("speech", None), region("music", Some("noise"))],
        }]);
        let text = to_text(&found, Output::new(false));
        let lines: Vec<_> = text.lines().map(str::trim).collect();
        let told = |part: &str| lines.iter().any(|line| line.contains(part));
        assert!(told("regions of Host:") && told("0, -60.5; 100, -60.5"), "{text}");
        assert!(told("and 23 more") && !told("harmonics"), "{text}");
        let row =
            |all: &[&str]| lines.iter().any(|line| all.iter().all(|part| line.contains(part)));
        assert!(row(&["speech", "2.5"]) && row(&["music", "2.5", "noise"]), "{text}");
    }

    #[test]
    fn nothing_is_no_line() {
        assert_eq!(to_text(&Value::Null, Output::new(false)), "");
        assert_eq!(to_text(&json!({"none": []}), Output::new(false)), "");
    }
}
