//! A report as rows: as JSON objects, as a JSON file, and as CSV (RFC 4180).

use crate::files::Ending;
use serde_json::{Map, Value, json};

/// Rows under columns.
pub(super) struct Table {
    pub(super) name: &'static str,
    columns: Vec<&'static str>,
    pub(super) rows: Vec<Vec<Value>>,
    /// A sentence about it, where the number of rows does not say it.
    pub(super) headline: String,
}

impl Table {
    pub(super) fn new(name: &'static str, columns: &[&'static str]) -> Self {
        Self { name, columns: columns.to_vec(), rows: Vec::new(), headline: String::new() }
    }

    /// Adds a row, a value for each column.
    pub(super) fn push<const N: usize>(&mut self, row: [Value; N]) {
        debug_assert_eq!(N, self.columns.len(), "a value for each column of {}", self.name);
        self.rows.push(row.into());
    }

    /// The first rows as objects.
    pub(super) fn objects(&self, most: usize) -> Vec<Value> {
        let object = |row: &Vec<Value>| {
            let fields = self.columns.iter().zip(row);
            let fields = fields.map(|(name, value)| ((*name).to_owned(), value.clone()));
            Value::Object(fields.collect::<Map<_, _>>())
        };
        self.rows.iter().take(most).map(object).collect()
    }

    /// All of it as a file.
    pub(super) fn bytes(&self, ending: Ending) -> String {
        match ending {
            Ending::Csv => self.csv(),
            Ending::Json | Ending::Qdc | Ending::Qdpx => {
                let all = json!({
                    "format": "deskhand.codes/1",
                    "report": self.name,
                    "rows": self.objects(usize::MAX),
                });
                serde_json::to_string_pretty(&all).unwrap_or_default() + "\n"
            }
        }
    }

    fn csv(&self) -> String {
        let header = self.columns.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let rows = self.rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>());
        let lines = std::iter::once(header).chain(rows).map(|cells| cells.join(","));
        lines.map(|line| line + "\r\n").collect()
    }
}

/// A value in a line. What a spreadsheet would take for a formula is text to it: words of a transcript must not
/// compute anything.
fn cell(value: &Value) -> String {
    let text = match value {
        Value::Null => return String::new(),
        Value::String(text) if text.starts_with(['=', '+', '-', '@', '\t']) => format!("'{text}"),
        Value::String(text) => text.clone(),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => value.to_string(),
    };
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

/// Rounded for a report.
pub(super) fn share(value: f64) -> Value {
    json!((value * 10_000.0).round() / 10_000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_formulas_are_text() {
        let mut table = Table::new("quotes", &["text", "seconds"]);
        table.push([json!("He said \"no\", twice"), json!(1.5)]);
        table.push([json!("=cmd|' /C calc'!A0"), json!(-1)]);
        table.push([json!("two\nlines"), Value::Null]);
        let expected = "text,seconds\r\n\"He said \"\"no\"\", twice\",1.5\r\n'=cmd|' /C calc'!A0,-1\r\n\"two\nlines\",\r\n";
        assert_eq!(table.bytes(Ending::Csv), expected);
        let json: Value = serde_json::from_str(&table.bytes(Ending::Json)).unwrap();
        assert_eq!(json["rows"][1]["seconds"], -1);
    }
}
