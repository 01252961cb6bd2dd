//! The text of a file by its lines, and as errors show it.

/// The lines of a text with their numbers.
pub(super) fn lines(text: &str) -> Vec<(usize, &str)> {
    text.lines().enumerate().map(|(index, line)| (index + 1, line)).collect()
}

/// A text of a file in the form for an error: short, and without control characters.
pub(super) fn shown(text: &str) -> String {
    let safe = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    text.chars().take(30).map(safe).collect()
}

/// The number of the line that follows these bytes.
pub(super) fn line_behind(bytes: &[u8]) -> usize {
    1 + bytes.iter().filter(|byte| **byte == b'\n').count()
}
