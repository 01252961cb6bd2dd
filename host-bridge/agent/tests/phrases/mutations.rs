//! Sentences that are understood, changed so that they ask for no edit, or for another: none may plan what was not asked.

use crate::{expected, fixture, show};
use deskhand_session::Session;

/// What is read from words: nothing where any of it is unclear.
fn plan(words: &str, session: &Session) -> Option<String> {
    let reading = fixture::plan_words(words, session);
    reading.unclear.is_empty().then(|| show(&reading, session))
}

/// The sentences of the sets that are understood as they should be, with their plans.
fn understood(session: &Session) -> Vec<(String, String)> {
    let sets = [
        include_str!("../reader/mixing.txt"),
        include_str!("../reader/cleaning.txt"),
        include_str!("../reader/delivery.txt"),
    ];
    let lines = sets.iter().flat_map(|set| set.lines()).filter(|line| line.contains("=>"));
    let pair = |line: &str| {
        let (words, want) = line.split_once("=>").unwrap();
        let want = expected(want).0;
        let is_read = plan(words.trim(), session).is_some_and(|plan| plan == want);
        is_read.then(|| (words.trim().to_owned(), want))
    };
    lines.filter(|line| !line.starts_with('#')).filter_map(pair).collect()
}

fn swapped(words: &[&str], word: &str, other: &str) -> String {
    let words = words.iter().copied();
    words.map(|it| if it == word { other } else { it }).collect::<Vec<_>>().join(" ")
}

/// Forms of a sentence that ask for no edit.
fn spoiled(words: &str) -> Vec<String> {
    let split: Vec<&str> = words.split(' ').collect();
    let junk = (0..=split.len()).flat_map(|at| {
        ["wobbly", "tomorrow", "not"].map(|junk| {
            let mut with = split.clone();
            with.insert(at, junk);
            with.join(" ")
        })
    });
    let framed = [
        format!("don't {words}"),
        format!("if it helps, {words}"),
        format!("{words} if it helps"),
        format!("{words} but"),
        format!("{words} except"),
        format!("should I {words}?"),
        format!("maybe {words}"),
        format!("what if I {words}"),
        format!("did you {words}?"),
        format!("{words} or not"),
        format!("{words} unless it clips"),
    ];
    let units =
        ["dB", "LUFS", "dBTP", "dBFS", "percent", "%", "seconds", "second", "ms", "decibels"];
    let other = units
        .iter()
        .filter(|unit| split.contains(unit))
        .map(|unit| swapped(&split, unit, "bananas"));
    let names = ["kick", "snare", "bass", "overheads", "guitars", "mics", "dialogue", "vocals"];
    let strangers =
        names.iter().filter(|name| split.contains(name)).map(|name| swapped(&split, name, "tubas"));
    junk.chain(framed).chain(other).chain(strangers).collect()
}

#[test]
fn a_spoiled_sentence_plans_no_edit() {
    let session = fixture::session();
    let mut wrong = Vec::new();
    let mut count = 0;
    for (words, _) in understood(&session) {
        for spoiled in spoiled(&words) {
            count += 1;
            // "not" in front of a name takes it out, which is an edit that was asked for.
            let is_exception = spoiled.contains(" not ");
            let planned = plan(&spoiled, &session).filter(|_| !is_exception);
            wrong.extend(planned.map(|plan| format!("{spoiled} => {plan}")));
        }
    }
    println!("{count} spoiled sentences");
    assert!(count > 1500, "{count}");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn without_its_articles_a_sentence_means_the_same_or_nothing() {
    let session = fixture::session();
    let mut wrong = Vec::new();
    for (words, want) in understood(&session) {
        let split: Vec<&str> = words.split(' ').collect();
        let articles = (0..split.len()).filter(|at| split[*at] == "the");
        for at in articles {
            let mut without = split.clone();
            without.remove(at);
            let got = plan(&without.join(" "), &session).filter(|got| *got != want);
            wrong.extend(
                got.map(|got| format!("{}\n  want {want}\n  got  {got}", without.join(" "))),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
