//! Tables, as rows of letters of one width.

/// Letters between two columns.
const GAP: usize = 2;

/// The number of lines, from the first, that form a table; 0 if there is none.
pub(super) fn rows(lines: &[&str]) -> usize {
    let is_row = |line: &&&str| line.trim().starts_with('|') && line.trim().len() > 1;
    let rows = lines.iter().take_while(is_row).count();
    let has_rule = lines.get(1).is_some_and(|line| is_rule(line));
    if rows >= 2 && has_rule { rows } else { 0 }
}

/// The line between head and rows.
fn is_rule(line: &str) -> bool {
    line.contains('-') && line.trim().chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

/// The rows with aligned columns.
pub(super) fn drawn(lines: &[&str]) -> Vec<String> {
    let rows: Vec<Vec<String>> =
        lines.iter().filter(|line| !is_rule(line)).map(|line| cells(line)).collect();
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(width).collect();
    rows.iter().map(|row| line(row, &widths)).collect()
}

fn cells(line: &str) -> Vec<String> {
    let inner = line.trim().trim_start_matches('|').trim_end_matches('|');
    inner.split('|').map(|cell| super::text_of(cell.trim())).collect()
}

fn line(row: &[String], widths: &[usize]) -> String {
    let mut line = String::new();
    for (cell, width) in row.iter().zip(widths) {
        let fill = width.saturating_sub(cell.chars().count()) + GAP;
        line.push_str(cell);
        line.push_str(&" ".repeat(fill));
    }
    line.trim_end().to_owned()
}
