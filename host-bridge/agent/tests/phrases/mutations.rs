//! Sentences of all sets that are understood, changed so that they ask for no edit, or for another one: none may plan
//! what was not asked for.

use crate::{expected, fixture, of_variant, show};
use deskhand_session::Session;
use std::collections::HashMap;

/// So many mutations are read.
const MUTATIONS: usize = 5_000;

/// A word that no set knows.
const JUNK: &str = "wobbly";

/// Names of the session, and names of nothing.
const NAMES: [&str; 12] = [
    "kick",
    "snare",
    "bass",
    "overheads",
    "guitars",
    "drums",
    "mics",
    "dialogue",
    "vocals",
    "vocal",
    "harmony",
    "music",
];

const UNITS: [&str; 12] = [
    "dB", "LUFS", "dBTP", "dBFS", "LU", "percent", "%", "seconds", "second", "ms", "decibels", "s",
];

/// Calls that change nothing of the session.
const HARMLESS: [&str; 7] = [
    "ask ",
    "tool_measure",
    "tool_find_problems",
    "tool_search_transcript",
    "cmd_play",
    "cmd_stop",
    "tool_list",
];

/// A sentence, the session it is about, and its plan.
struct Sentence {
    variant: Option<String>,
    words: String,
    plan: String,
}

/// How a sentence is changed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mutation {
    /// A word that nobody knows, at a place.
    Junk(usize),
    Forbidden,
    /// A frame that makes it a condition, a question or a musing.
    Framed(&'static str),
    OtherUnit(&'static str),
    Stranger(&'static str),
    Swapped(&'static str, &'static str),
    /// Without the article at a place.
    WithoutArticle(usize),
}

/// Frames around a sentence.
const FRAMES: [&str; 12] = [
    "if it helps, {}",
    "{} if it helps",
    "{} but",
    "{} except",
    "should I {}?",
    "maybe {}",
    "what if I {}",
    "did you {}?",
    "{} or not",
    "{} unless it clips",
    "would it help to {}?",
    "I wonder whether to {}",
];

/// What a reading plans; nothing where any of it is unclear.
fn plan(words: &str, session: &Session) -> Option<String> {
    let reading = deskhand_agent::read_words(words, session, &fixture::VOCABULARY);
    reading.unclear.is_empty().then(|| show(&reading, session))
}

/// Every request of a reading, those beside unclear ones as well.
fn requests(words: &str, session: &Session) -> Vec<String> {
    let reading = deskhand_agent::read_words(words, session, &fixture::VOCABULARY);
    reading.understood.iter().map(|request| crate::show_request(request, session)).collect()
}

/// All sentences that ask for edits and need no more than they say.
fn sentences() -> Vec<Sentence> {
    let sets = [
        include_str!("../reader/mixing.txt").to_owned(),
        include_str!("../reader/cleaning.txt").to_owned(),
        include_str!("../reader/delivery.txt").to_owned(),
        include_str!("written_first.txt").to_owned(),
        include_str!("held_out.txt").to_owned(),
        include_str!("everyday.txt").to_owned(),
        include_str!("sound.txt").to_owned(),
        include_str!("desk.txt").to_owned(),
        include_str!("tone.txt").to_owned(),
        include_str!("asked.txt").to_owned(),
        include_str!("plain.txt").to_owned(),
        of_variant("spoken", include_str!("words.txt")),
        of_variant("laid", include_str!("edit.txt")),
        include_str!("../reader/projects.txt").to_owned(),
    ];
    let lines = sets.iter().flat_map(|set| set.lines()).filter(|line| line.contains("=>"));
    lines.filter(|line| !line.starts_with('#')).filter_map(sentence).collect()
}

fn sentence(line: &str) -> Option<Sentence> {
    let (left, right) = line.split_once("=>")?;
    let (variant, words) = match left.strip_prefix('{').and_then(|rest| rest.split_once("} ")) {
        Some((name, words)) => (Some(name.to_owned()), words),
        None => (None, left),
    };
    let plan = expected(right).0;
    let is_edit = plan.split(" ; ").all(|it| it != "unclear" && !is_harmless(it));
    is_edit.then(|| Sentence { variant, words: words.trim().to_owned(), plan })
}

fn is_harmless(call: &str) -> bool {
    HARMLESS.iter().any(|start| call.starts_with(start)) || call == "undo" || call == "redo"
}

/// Every way to change a sentence.
fn mutations(words: &str) -> Vec<Mutation> {
    let split: Vec<&str> = words.split(' ').collect();
    let has = |word: &str| split.iter().any(|it| it.eq_ignore_ascii_case(word));
    let named: Vec<&'static str> = NAMES.into_iter().filter(|name| has(name)).collect();
    let swapped = match named[..] {
        [one, other] => Some(Mutation::Swapped(one, other)),
        _ => None,
    };
    let articles = (0..split.len()).filter(|at| split[*at] == "the");
    let junk = (0..=split.len()).map(Mutation::Junk);
    junk.chain([Mutation::Forbidden])
        .chain(FRAMES.map(Mutation::Framed))
        .chain(UNITS.into_iter().filter(|unit| split.contains(unit)).map(Mutation::OtherUnit))
        .chain(named.iter().map(|name| Mutation::Stranger(name)))
        .chain(swapped)
        .chain(articles.map(Mutation::WithoutArticle))
        .collect()
}

fn mutated(words: &str, mutation: Mutation) -> String {
    let mut split: Vec<&str> = words.split(' ').collect();
    let is = |word: &str, other: &str| word.eq_ignore_ascii_case(other);
    match mutation {
        Mutation::Junk(at) => split.insert(at, JUNK),
        Mutation::Forbidden => split.insert(0, "don't"),
        Mutation::Framed(frame) => return frame.replace("{}", words),
        Mutation::OtherUnit(unit) => {
            split.iter_mut().filter(|it| **it == unit).for_each(|it| *it = "bananas");
        }
        Mutation::Stranger(name) => {
            split.iter_mut().filter(|it| is(it, name)).for_each(|it| *it = "tubas");
        }
        Mutation::Swapped(one, other) => {
            for it in &mut split {
                *it = if is(it, one) {
                    other
                } else if is(it, other) {
                    one
                } else {
                    it
                };
            }
        }
        Mutation::WithoutArticle(at) => {
            split.remove(at);
        }
    }
    split.join(" ")
}

/// What a changed sentence plans that was not asked for.
fn wrong(sentence: &Sentence, mutation: Mutation, session: &Session) -> Option<String> {
    let words = mutated(&sentence.words, mutation);
    let edits = || requests(&words, session).into_iter().filter(|it| !is_harmless(it));
    let found = match mutation {
        // What is kept as a name, or as words that were said, is not lost.
        Mutation::Junk(_) => plan(&words, session).filter(|it| !it.to_lowercase().contains(JUNK)),
        Mutation::OtherUnit(_) => plan(&words, session).filter(|it| !it.contains("bananas")),
        Mutation::Stranger(_) => plan(&words, session).filter(|it| !it.contains("tubas")),
        Mutation::Forbidden => edits().find(|it| sentence.plan.starts_with(it)),
        Mutation::Framed(_) => plan(&words, session).and_then(|_| edits().next()),
        // Words that are kept as they are said lose the article as well.
        Mutation::WithoutArticle(_) => {
            let without = |plan: &str| plan.replace("the ", "").replace("word ", "").to_lowercase();
            plan(&words, session).filter(|it| without(it) != without(&sentence.plan))
        }
        // In one list the order says nothing.
        Mutation::Swapped(..) => {
            let is_list = |it: &str| it.contains(',') || it.contains("stems=");
            plan(&words, session).filter(|it| *it == sentence.plan && !is_list(it))
        }
    };
    found.map(|it| format!("{mutation:?}: {words}\n  was {}\n  got {it}", sentence.plan))
}

#[test]
fn no_mutation_plans_another_edit() {
    let sentences = sentences();
    let mut sessions: HashMap<Option<String>, Session> = HashMap::new();
    let all: Vec<(&Sentence, Mutation)> = sentences
        .iter()
        .flat_map(|sentence| mutations(&sentence.words).into_iter().map(move |it| (sentence, it)))
        .collect();
    let step = std::env::var("MUTATIONS").map_or(MUTATIONS, |all| all.parse().unwrap());
    let step = (all.len() / step).max(1);
    let mut wrongs = Vec::new();
    let mut count = 0;
    for (sentence, mutation) in all.iter().step_by(step) {
        count += 1;
        let session = sessions.entry(sentence.variant.clone()).or_insert_with_key(|variant| {
            variant.as_deref().map_or_else(fixture::session, fixture::variant)
        });
        wrongs.extend(wrong(sentence, *mutation, session));
    }
    println!("{count} of {} mutations of {} sentences", all.len(), sentences.len());
    assert!(count >= MUTATIONS, "{count}");
    assert!(wrongs.is_empty(), "{} of {count}:\n{}", wrongs.len(), wrongs.join("\n"));
}

#[test]
fn swapped_names_swap_what_is_done() {
    let session = fixture::session();
    let cases = [
        ("match the guest mic to the host mic", "match the host mic to the guest mic"),
        (
            "pan the kick 10 left and the snare 20 right",
            "pan the snare 10 left and the kick 20 right",
        ),
        ("mute the kick and solo the snare", "mute the snare and solo the kick"),
        ("mute the drums except the kick", "mute the kick except the drums"),
    ];
    for (one, other) in cases {
        let (one, other) = (plan(one, &session).unwrap(), plan(other, &session));
        assert_ne!(Some(one), other);
    }
}
