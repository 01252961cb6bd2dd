//! Fields of lines that change, and names for new objects, for the writers of a project.

use super::lines::Document;
use crate::splice::Splices;

/// Sets fields of a line: `values` by field number, `missing` where the line ends before them.
pub(super) fn set_fields(
    document: &Document<'_>,
    splices: &mut Splices,
    line: usize,
    values: &[(usize, String)],
    missing: &[&str],
) {
    if values.is_empty() {
        return;
    }
    let fields = document.fields(line).collect::<Vec<_>>();
    for (number, value) in values {
        if let Some(field) = fields.get(*number) {
            splices.replace(field.whole.clone(), value.as_str());
        }
    }
    let last = values.iter().map(|(number, _)| *number).max().unwrap_or_default();
    let value = |number| match values.iter().find(|(wanted, _)| *wanted == number) {
        Some((_, value)) => value.as_str(),
        None => missing.get(number - 1).copied().unwrap_or("0"),
    };
    let added = (fields.len()..=last).map(|number| format!(" {}", value(number)));
    splices.insert(document.line(line).content.end, added.collect::<String>());
}

/// A line that a chunk may not have: then it comes after the line `after`.
pub(super) struct Anchored {
    pub(super) line: Option<usize>,
    pub(super) tag: &'static str,
    pub(super) after: usize,
}

impl Anchored {
    pub(super) fn set(
        &self,
        document: &Document<'_>,
        splices: &mut Splices,
        values: &[(usize, String)],
        missing: &[&str],
    ) {
        if values.is_empty() {
            return;
        }
        if let Some(line) = self.line {
            return set_fields(document, splices, line, values, missing);
        }
        let mut fields = missing.iter().map(|field| (*field).to_owned()).collect::<Vec<_>>();
        for (number, value) in values {
            if let Some(field) = fields.get_mut(number - 1) {
                field.clone_from(value);
            }
        }
        let (indent, end) = (document.indent(self.after), document.line_end());
        let inside = if document.tag(self.after) == b"TAKE" { "" } else { "  " };
        let line = format!("{indent}{inside}{} {}{end}", self.tag, fields.join(" "));
        splices.insert(document.line(self.after).next, line);
    }
}

/// New names for new objects: the same for the same file and order.
pub(super) struct Guids {
    file: blake3::Hash,
    count: u64,
}

impl Guids {
    pub(super) fn of(file: &[u8]) -> Self {
        Self { file: blake3::hash(file), count: 0 }
    }

    pub(super) fn next(&mut self) -> String {
        self.count += 1;
        let hash = blake3::keyed_hash(self.file.as_bytes(), &self.count.to_le_bytes());
        let hex = hash.to_hex().to_uppercase();
        let part = |range| hex.get(range).unwrap_or_default();
        let [a, b, c, d, e] = [part(0..8), part(8..12), part(12..16), part(16..20), part(20..32)];
        format!("{{{a}-{b}-{c}-{d}-{e}}}")
    }
}
