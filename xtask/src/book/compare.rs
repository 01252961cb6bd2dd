//! Compares the output that a page shows with what a command wrote. Ids and hashes may differ, but one on the page
//! is one everywhere on that page. The home folder `~/` may be left out. A line that starts with `…` is for any number of lines.

use std::collections::BTreeMap;

/// The ids of a page, and those of this run.
#[derive(Default)]
pub(super) struct Ids {
    real: BTreeMap<String, String>,
    shown: BTreeMap<String, String>,
}

impl Ids {
    /// `command` of the page with the ids of this run.
    pub(super) fn real(&self, command: &str) -> String {
        replaced(command, &self.real)
    }

    /// An id in `command` that no output above it shows.
    pub(super) fn unknown<'a>(&self, command: &'a str) -> Option<&'a str> {
        words(command).find(|word| id_kind(word).is_some() && !self.real.contains_key(*word))
    }

    /// `output` of this run with the ids of the page, as far as they are known.
    pub(super) fn shown(&self, output: &str) -> String {
        replaced(output, &self.shown)
    }

    /// Notes that `shown` on the page is `real` in this run.
    fn note(&mut self, shown: &str, real: &str) -> Result<(), String> {
        let known = self.real.get(shown).is_none_or(|known| known == real)
            && self.shown.get(real).is_none_or(|known| known == shown);
        if !known {
            return Err(format!("`{shown}` is not the same as elsewhere on this page"));
        }
        self.real.insert(shown.to_owned(), real.to_owned());
        self.shown.insert(real.to_owned(), shown.to_owned());
        Ok(())
    }
}

/// Compares `shown` with `real` and notes their ids.
///
/// # Errors
/// What differs.
pub(super) fn compare(shown: &str, real: &str, ids: &mut Ids) -> Result<(), String> {
    let (shown, real) = (lines(shown), lines(real));
    let pairs = matched(&shown, &real).ok_or("the output differs")?;
    for (shown, real) in pairs {
        for (shown, real) in shown.ids.iter().zip(&real.ids) {
            ids.note(shown, real)?;
        }
    }
    Ok(())
}

/// What a row of a plan starts with, before its number.
const ROW: &str = " c";

/// A line without its ids.
struct Line {
    text: String,
    ids: Vec<String>,
}

/// The lines of `text` without blank ones at both ends.
fn lines(text: &str) -> Vec<Line> {
    let lines = text.trim_matches('\n').lines().map(str::trim_end);
    let mut lines: Vec<Line> = lines.map(|line| without_ids(without_number(line))).collect();
    for block in lines.chunk_by_mut(|a, b| is_unordered(&a.text) && is_unordered(&b.text)) {
        block.sort_by(|a, b| a.text.cmp(&b.text));
    }
    lines
}

/// What a plan changes and predicts on several tracks comes in the order of their ids, which are random.
fn is_unordered(line: &str) -> bool {
    line.starts_with("  predicted: ") || line.starts_with(ROW)
}

/// A row of a plan, ` c12  gain …`, without its number; other lines as they are.
fn without_number(line: &str) -> String {
    let row =
        line.strip_prefix(ROW).map(|row| row.trim_start_matches(|c: char| c.is_ascii_digit()));
    match row {
        Some(row) if row.starts_with("  ") => format!("{ROW}{row}"),
        _ => line.to_owned(),
    }
}

/// The pairs of equal lines; `None` if the texts differ.
fn matched<'a>(shown: &'a [Line], real: &'a [Line]) -> Option<Vec<(&'a Line, &'a Line)>> {
    let mut parts = shown.split(|line| line.text.trim_start().starts_with('…'));
    let first = parts.next().unwrap_or_default();
    let mut pairs = pairs(first, real)?;
    let mut rest = &real[first.len()..];
    let mut is_whole = true;
    for part in parts {
        let at = (0..=rest.len()).find(|at| self::pairs(part, &rest[*at..]).is_some())?;
        pairs.extend(self::pairs(part, &rest[at..])?);
        rest = &rest[at + part.len()..];
        is_whole = !part.is_empty();
    }
    (rest.is_empty() || !is_whole).then_some(pairs)
}

/// The lines of `part` with those at the start of `real`, if they are equal.
fn pairs<'a>(part: &'a [Line], real: &'a [Line]) -> Option<Vec<(&'a Line, &'a Line)>> {
    let start = real.get(..part.len())?;
    let pairs: Vec<_> = part.iter().zip(start).collect();
    pairs.iter().all(|(shown, real)| shown.text == real.text).then_some(pairs)
}

fn without_ids(line: String) -> Line {
    let mut found = Line { text: String::new(), ids: Vec::new() };
    for word in words(&line.replace("~/", "")) {
        match id_kind(word) {
            Some(kind) => {
                found.text.push_str(kind);
                found.ids.push(word.to_owned());
            }
            None => found.text.push_str(word),
        }
    }
    found
}

fn replaced(text: &str, ids: &BTreeMap<String, String>) -> String {
    words(text).map(|word| ids.get(word).map_or(word, String::as_str)).collect()
}

/// `text` cut into words (letters, digits, `_`) and the text between them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = text;
    std::iter::from_fn(move || {
        let is_first_word = is_word(rest.chars().next()?);
        let end = rest.find(|c| is_word(c) != is_first_word).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        rest = after;
        Some(word)
    })
}

/// The kind of an id: `plan_` of `plan_8843f47663e6`, empty for a hash.
fn id_kind(word: &str) -> Option<&str> {
    let is_hex = |text: &str| text.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'));
    let kind = word.rfind('_').map(|at| &word[..=at]);
    match kind {
        Some(kind) if word.len() == kind.len() + 12 && is_hex(&word[kind.len()..]) => Some(kind),
        None if word.len() >= 16 && is_hex(word) => Some(""),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(shown: &str, real: &str) -> bool {
        compare(shown, real, &mut Ids::default()).is_ok()
    }

    #[test]
    fn ids_and_hashes_may_differ() {
        let shown = "plan_8843f47663e6 waits  \nmedia/made/x-19921d4c153ebf16.wav\n\n";
        let real = "plan_0000000000aa waits\nmedia/made/x-ffff1d4c153ebf16.wav";
        assert!(same(shown, real));
        assert!(!same(shown, &real.replace("plan_", "clip_")));
        assert!(!same("20 dB", "21 dB"));
    }

    #[test]
    fn an_id_is_one_on_the_whole_page() {
        let mut ids = Ids::default();
        compare("plan_8843f47663e6", "plan_00000000000a", &mut ids).unwrap();
        assert_eq!(ids.real("apply plan_8843f47663e6"), "apply plan_00000000000a");
        assert_eq!(ids.shown("plan_00000000000a"), "plan_8843f47663e6");
        assert_eq!(ids.unknown("apply plan_8843f47663e6"), None);
        assert_eq!(ids.unknown("apply plan_8843f4766300"), Some("plan_8843f4766300"));
        assert!(compare("plan_8843f47663e6", "plan_00000000000b", &mut ids).is_err());
        assert!(compare("plan_8843f4766300", "plan_00000000000a", &mut ids).is_err());
    }

    #[test]
    fn the_home_folder_may_be_left_out() {
        assert!(same("wrote show.srt", "wrote ~/show.srt"));
    }

    #[test]
    fn lines_may_be_left_out() {
        let real = "a\nb\nc\nd";
        assert!(same("a\n…\nd", real) && same("a\nb\n  … more\n", real) && same("…\nd", real));
        assert!(!same("a\n…\nc", real) && !same("b\n…\nd", real) && !same("a\nb\nc", real));
    }

    #[test]
    fn rows_and_predictions_of_a_plan_may_come_in_any_order() {
        let (one, two) = ("  predicted: peak of a\n", "  predicted: peak of b\n");
        assert!(same(&format!("x\n{one}{two}y"), &format!("x\n{two}{one}y")));
        assert!(!same(&format!("x\n{one}{two}y"), &format!("{two}x\n{one}y")));
        assert!(same(" c1  gain of a\n c2  gain of b", " c1  gain of b\n c2  gain of a"));
        assert!(!same(" c1  gain of a\n c2  gain of b", " c1  gain of a\n c2  gain of c"));
    }
}
