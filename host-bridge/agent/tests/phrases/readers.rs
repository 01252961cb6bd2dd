//! The reader with the tools' declarations, compared with the grammar without them: how many sentences of each set
//! they read right, leave unclear, or read wrong.

use crate::{expected, fixture, of_variant, show};
use deskhand_agent::{Reading, Vocabulary, read_words, understand};
use deskhand_session::Session;
use std::fmt::Write as _;

/// How a set was read.
#[derive(Default)]
struct Tally {
    right: usize,
    unclear: Vec<String>,
    wrong: Vec<String>,
}

impl Tally {
    fn add(&mut self, words: &str, want: &str, reading: &Reading, session: &Session) {
        let got = show(reading, session);
        let is_unclear = !reading.unclear.is_empty();
        if got == want || is_unclear && want.contains("unclear") {
            self.right += 1;
        } else if is_unclear {
            let reason = &reading.unclear[0].reason;
            self.unclear.push(format!("{words}\n  want {want}\n  said {reason}"));
        } else {
            self.wrong.push(format!("{words}\n  want {want}\n  got  {got}"));
        }
    }
}

/// The sentences of a set: session, words and what is expected.
fn sentences(table: &str) -> Vec<(Session, String, String)> {
    let lines = table.lines().filter(|line| !line.starts_with('#') && line.contains("=>"));
    let sentence = |line: &str| {
        let (left, right) = line.split_once("=>").unwrap();
        let variant = left.strip_prefix('{').and_then(|rest| rest.split_once("} "));
        let (session, words) = match variant {
            Some((name, words)) => (fixture::variant(name), words),
            None => (fixture::session(), left),
        };
        (session, words.trim().to_owned(), expected(right).0)
    };
    lines.map(sentence).collect()
}

/// How a way to read reads a set.
fn tally(table: &str, read: &dyn Fn(&str, &Session) -> Reading) -> Tally {
    let mut tally = Tally::default();
    for (session, words, want) in sentences(table) {
        tally.add(&words, &want, &read(&words, &session), &session);
    }
    tally
}

/// What the declarations alone explain.
fn declared(words: &str, session: &Session) -> Reading {
    let nothing = || read_words("", session, &Vocabulary::default());
    understand(words, session, &fixture::VOCABULARY).unwrap_or_else(nothing)
}

/// The two parts of a set: what was tuned on, and what was opened once.
fn halves(table: &str) -> (&str, &str) {
    table.split_once("## opened once").unwrap()
}

#[test]
fn the_declarations_use_words_and_parameters_that_there_are() {
    assert_eq!(fixture::VOCABULARY.mistakes(), [""; 0]);
}

/// Each set of sentences with its name.
fn sets() -> Vec<(&'static str, String)> {
    let (mixing, mixing_once) = halves(include_str!("../reader/mixing.txt"));
    let (cleaning, cleaning_once) = halves(include_str!("../reader/cleaning.txt"));
    let (cleaning_once, cleaning_again) = cleaning_once.split_once("## a second").unwrap();
    let (delivery, delivery_once) = halves(include_str!("../reader/delivery.txt"));
    vec![
        ("mixing", mixing.to_owned()),
        ("mixing, opened once", mixing_once.to_owned()),
        ("cleaning", cleaning.to_owned()),
        ("cleaning, opened once", cleaning_once.to_owned()),
        ("cleaning, second part opened once", cleaning_again.to_owned()),
        ("delivery", delivery.to_owned()),
        ("delivery, opened once", delivery_once.to_owned()),
        ("projects", include_str!("../reader/projects.txt").to_owned()),
        ("written first", include_str!("written_first.txt").to_owned()),
        ("held out", include_str!("held_out.txt").to_owned()),
        ("everyday", include_str!("everyday.txt").to_owned()),
        ("sound", include_str!("sound.txt").to_owned()),
        ("desk", include_str!("desk.txt").to_owned()),
        ("asked", include_str!("asked.txt").to_owned()),
        ("plain", include_str!("plain.txt").to_owned()),
        ("danger", include_str!("danger.txt").to_owned()),
        ("paraphrases", of_variant("none", include_str!("../reader/paraphrases.txt"))),
        ("words", of_variant("spoken", include_str!("words.txt"))),
        ("edit", of_variant("laid", include_str!("edit.txt"))),
    ]
}

#[test]
fn both_readers_on_every_set() {
    let mut report =
        String::from("set: right, unclear, WRONG: before | now | by declarations alone\n");
    let mut wrong = Vec::new();
    for (name, table) in sets() {
        let before =
            tally(&table, &|words, session| read_words(words, session, &Vocabulary::default()));
        let now = tally(&table, &|words, session| read_words(words, session, &fixture::VOCABULARY));
        let alone = tally(&table, &declared);
        let numbers = |it: &Tally| format!("{} {} {}", it.right, it.unclear.len(), it.wrong.len());
        writeln!(report, "{name}: {} | {} | {}", numbers(&before), numbers(&now), numbers(&alone))
            .unwrap();
        if std::env::var_os("SHOW_UNCLEAR").is_some() {
            println!("{}", now.unclear.join("\n"));
        }
        let new = now.wrong.into_iter().filter(|line| !before.wrong.contains(line));
        wrong.extend(new.map(|line| format!("{name}: {line}")));
    }
    println!("{report}");
    assert!(wrong.is_empty(), "{report}\n{}", wrong.join("\n"));
}
