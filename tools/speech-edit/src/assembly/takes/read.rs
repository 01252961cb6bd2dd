//! Pairs of lines read by espeak-ng, each at another speed and pitch. The transcripts differ in a letter or
//! a word, and the sound says whether that is another word. All words count as sure.

use crate::assembly::tests::spoken;
use crate::read_aloud::read_aloud;
use deskhand_dsp::Frames;
use deskhand_session::Word;
use deskhand_toolkit::testing::{Desk, noise};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;

/// The text read and its transcript, for two lines that are no takes of one another.
// tidy: table
const OTHERS: [[&str; 2]; 10] = [
    ["The house stood on top of the hill.", "The horse stood on top of the hill."],
    ["Then he told us the whole story.", "Then she told us the whole story."],
    ["The children want to go home.", "The children won't go home."],
    ["We found a large boat by the river.", "We found a large goat by the river."],
    ["Her hands were cold and wet.", "Her bands were cold and wet."],
    ["They could hear the bell outside.", "They could hear the bull outside."],
    ["My friend lost his coat on the train.", "My friend lost his boat on the train."],
    ["He walked across the field at noon.", "He talked across the field at noon."],
    ["We had to light all the lamps.", "We had to fight all the lamps."],
    ["The mouse ran under the table.", "The moose ran under the table."],
];

/// The text read, and two ways to write it.
// tidy: table
const RETAKES: [[&str; 3]; 10] = [
    [
        "The color of the sky was strange.",
        "The colour of the sky was strange.",
        "The color of the sky was strange.",
    ],
    [
        "I am going to tell you a story.",
        "I am going to tell you a story.",
        "I am gonna tell you a story.",
    ],
    [
        "We kept our horses behind the barn.",
        "We kept our horses behind the barn.",
        "We kept our horse behind the barn.",
    ],
    [
        "Please write your name on the box.",
        "Please write your name on the box.",
        "Please right your name on the box.",
    ],
    [
        "Their house is near the river.",
        "Their house is near the river.",
        "There house is near the river.",
    ],
    [
        "My grandmother made bread every day.",
        "My grandmother made bread every day.",
        "My grandmother maid bread every day.",
    ],
    [
        "The gray dog slept all morning.",
        "The grey dog slept all morning.",
        "The gray dog slept all morning.",
    ],
    [
        "He threw the ball over the wall.",
        "He threw the ball over the wall.",
        "He through the ball over the wall.",
    ],
    [
        "The workers organized a meeting.",
        "The workers organised a meeting.",
        "The workers organized a meeting.",
    ],
    [
        "She bought a pair of new shoes.",
        "She bought a pear of new shoes.",
        "She bought a pair of new shoes.",
    ],
];
/// Speed in words a minute, and pitch.
const MANNERS: [(&str, &str); 2] = [("150", "48"), ("162", "55")];

/// A line in one of the manners.
fn read(text: &str, (speed, pitch): (&str, &str), folder: &Path) -> Option<Vec<f32>> {
    read_aloud(&["-v", "en-us", "-s", speed, "-p", pitch], text, folder)
}

/// The words of a line, where its words end when it is read up to each of them.
fn words(
    line: &str,
    written: &str,
    manner: (&str, &str),
    from: usize,
    folder: &Path,
) -> Option<Vec<Word>> {
    let read_words: Vec<&str> = line.split(' ').collect();
    let mut ends = vec![0];
    for count in 1..=read_words.len() {
        ends.push(read(&read_words[..count].join(" "), manner, folder)?.len());
    }
    let texts: Vec<&str> = written.split(' ').collect();
    let last = ends.len() - 1;
    let place =
        |at: usize| Frames((from + ends[(at * last + texts.len() / 2) / texts.len()]) as i64);
    let word = |(at, text): (usize, &&str)| Word {
        text: (*text).into(),
        start: place(at),
        end: place(at + 1),
        confidence: Some(0.95),
    };
    Some(texts.iter().enumerate().map(word).collect())
}

/// The texts read for two lines, and the transcript of each.
type Pair<'a> = [(&'a str, &'a str); 2];

/// Whether the two are found to be takes of one another.
fn are_takes(pair: &Pair<'_>, folder: &Path) -> Option<bool> {
    let mut audio = vec![0.0f32; 24_000];
    let mut all = Vec::new();
    for ((line, written), manner) in pair.iter().zip(MANNERS) {
        let sound = read(line, manner, folder)?;
        all.push((audio.len(), sound.len(), words(line, written, manner, audio.len(), folder)?));
        audio.extend(sound);
        audio.extend(vec![0.0; 48_000]);
    }
    let room = noise(-66.0, audio.len() as f64 / 48_000.0);
    audio.iter_mut().zip(room).for_each(|(sample, room)| *sample = *sample * 0.6 + room);
    let seconds = |frames: usize| frames as f64 / 48_000.0;
    let lines: Vec<_> =
        all.iter().map(|(from, length, _)| (seconds(*from), seconds(from + length), "x")).collect();
    let mut desk: Desk = spoken(audio, &lines);
    for (segment, (.., words)) in desk.session.segments.values_mut().zip(all) {
        segment.words = words;
    }
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    assert_eq!(desk.session.assembly.order.len(), 2, "{pair:?}");
    let answer = desk.plan("tool_mark_duplicates", json!({})).answer.unwrap();
    let groups = answer["groups"].as_array().unwrap();
    let sizes: BTreeSet<usize> =
        groups.iter().map(|group| group["takes"].as_array().unwrap().len()).collect();
    Some(sizes.contains(&2))
}

#[test]
fn one_letter_makes_another_word_where_the_sound_is_another() {
    let folder = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for [a, b] in OTHERS {
        let Some(found) = are_takes(&[(a, a), (b, b)], folder.path()) else { return };
        if found {
            wrong.push([a, b]);
        }
    }
    assert!(wrong.is_empty(), "taken for one line: {wrong:#?}");
}

#[test]
fn one_letter_is_a_slip_of_the_pen_where_the_sound_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for [line, a, b] in RETAKES {
        let Some(found) = are_takes(&[(line, a), (line, b)], folder.path()) else { return };
        if !found {
            wrong.push([a, b]);
        }
    }
    assert!(wrong.is_empty(), "taken for two lines: {wrong:#?}");
}
