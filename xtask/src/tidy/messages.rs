//! Words that a message to a person does without: the everyday word says the same to everybody.

use super::tool_names::TESTS;
use super::tree::{Tree, TreeFile};
use super::violation::Violation;
use crate::hard_words::HARD;

/// The file that lists them, and tests that are lines somebody says.
const WITH_THEM: [&str; 3] = [
    "xtask/src/hard_words.rs",
    "tools/speech-edit/src/assembly/takes/lines.rs",
    "tools/speech-edit/src/assembly/takes/read.rs",
];

/// A violation for each hard word in a literal of more than one word, outside of tests.
pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    said(tree).flat_map(|(file, said)| hard_words(file, said)).collect()
}

/// Prints every message with its place, to read them all.
pub(super) fn print(tree: &Tree) {
    for (file, said) in said(tree) {
        said.iter().for_each(|(line, text)| println!("{}:{line}: {text}", file.path));
    }
}

/// The literals of more than one word of each file, outside of tests, with their lines.
fn said(tree: &Tree) -> impl Iterator<Item = (&TreeFile, Vec<(usize, &str)>)> {
    let is_test = |path: &str| TESTS.iter().any(|part| format!("/{path}").contains(part));
    let is_meant =
        move |file: &&TreeFile| !is_test(&file.path) && !WITH_THEM.contains(&file.path.as_str());
    tree.rust().filter(is_meant).map(|file| {
        let program = file.text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let mut said = literals(program);
        // What people may say is written with bars between the ways.
        said.retain(|(_, text)| text.trim().contains(' ') && !text.contains('|'));
        (file, said)
    })
}

fn hard_words(file: &TreeFile, said: Vec<(usize, &str)>) -> Vec<Violation> {
    let hard = |(line, text): (usize, &str)| {
        let words = plain(text);
        let found = HARD.iter().filter(move |hard| words.contains(&format!(" {hard} ")));
        let message = |hard: &&str| format!("a plainer word for \"{hard}\" in a message");
        found.map(|hard| Violation::new(&file.path, line, message(hard))).collect::<Vec<_>>()
    };
    said.into_iter().flat_map(hard).collect()
}

/// Words in lower case, each between spaces, without what is quoted and what is put in.
fn plain(text: &str) -> String {
    let outside = |(index, part)| if index % 2 == 0 { part } else { "" };
    let unquoted: String = text.split("\\\"").enumerate().map(outside).collect();
    let mut depth = 0_usize;
    let mut words = String::new();
    for letter in unquoted.chars() {
        match letter {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            letter if letter.is_alphanumeric() => words.extend(letter.to_lowercase()),
            _ => words.push(' '),
        }
    }
    format!(" {} ", words.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The string literals of a program with the lines they begin in, as they are written.
fn literals(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let (skipped, literal) = next(rest);
        if let Some((from, to)) = literal {
            let line = text[..at].matches('\n').count() + 1;
            found.push((line, &rest[from..to]));
        }
        at += skipped;
    }
    found
}

/// How far the next token reaches, and where in it the text of a literal is.
fn next(rest: &str) -> (usize, Option<(usize, usize)>) {
    let until = |from: usize, end: &str| rest[from..].find(end).map_or(rest.len(), |at| from + at);
    if rest.starts_with("//") {
        return (until(0, "\n"), None);
    }
    if let Some(begun) = rest.strip_prefix("r#\"") {
        let end = until(rest.len() - begun.len(), "\"#");
        return ((end + 2).min(rest.len()), Some((3, end)));
    }
    for quote in ["'\"'", "'\\\"'"] {
        if rest.starts_with(quote) {
            return (quote.len(), None);
        }
    }
    if !rest.starts_with('"') {
        return (rest.chars().next().map_or(1, char::len_utf8), None);
    }
    let mut is_escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return (at + 1, Some((1, at))),
            _ => {}
        }
    }
    (rest.len(), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<usize> {
        let tree = Tree::planted(&[("tools/edit/src/a.rs", text)]);
        check(&tree).iter().map(|violation| violation.line).collect()
    }

    #[test]
    fn a_hard_word_in_a_message_is_found_in_its_line() {
        assert_eq!(found("fn a() {}\nconst A: &str = \"it stands there\";\n"), [2]);
        assert_eq!(found("const A: &str = \"the clip \\\n    behind it\";\n"), [1]);
        assert_eq!(found("const A: char = '\"';\nconst B: &str = \"put it Anew.\";\n"), [2]);
        assert_eq!(found("const A: &str = r#\"a \"b\" ahead of c\"#;\n"), [1]);
    }

    #[test]
    fn comments_names_what_people_say_and_tests_may_have_them() {
        for text in [
            "// it stands \"there is it beside\"\n",
            "const A: &str = \"behind\";\n",
            "const A: &str = \"push back | put behind\";\n",
            "fn a() { format!(\"after {behind} it\"); }\n",
            "const A: &str = \"write \\\"beside\\\" or nothing\";\n",
            "#[cfg(test)]\nmod tests { const A: &str = \"it stands there\"; }\n",
        ] {
            assert_eq!(found(text), [0; 0], "{text}");
        }
    }
}
