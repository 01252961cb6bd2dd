//! Pairs of lines: retakes that were heard or said a little otherwise, and lines that differ in one word only. All of them
//! sound the same here, so that their words alone decide.

use crate::assembly::tests::{Line, spoken};
use deskhand_toolkit::testing::{Desk, noise};
use serde_json::json;
use std::collections::BTreeSet;

/// Marks a word that its writer was not sure of.
const UNSURE: char = '~';
/// From one line to the next, and how long each takes, in seconds.
const EVERY: f64 = 2.0;
const LASTS: f64 = 1.5;

/// Lines of one speaker that are no takes of one another.
// tidy: table
const OTHERS: [[&str; 2]; 26] = [
    ["My mother told me.", "My father told me."],
    ["It cost ten thousand dollars.", "It cost two thousand dollars."],
    ["We moved to London in spring.", "We moved to Paris in spring."],
    ["The door was open all night.", "The door was closed all night."],
    ["I love the summer here.", "I love the winter here."],
    ["She was born in nineteen eighty-four.", "She was born in nineteen ninety-four."],
    ["The left side is broken.", "The right side is broken."],
    ["A hundred people came to see us.", "A thousand people came to see us."],
    ["My brother works at the bank.", "My sister works at the bank."],
    ["Turn the volume up a little.", "Turn the volume down a little."],
    ["He arrived before the war.", "He arrived after the war."],
    ["The red wire goes to the battery.", "The black wire goes to the battery."],
    ["Chapter five is about rivers.", "Chapter twenty five is about rivers."],
    ["You always come home late.", "You never come home late."],
    ["I sold the car last week.", "I bought the car last week."],
    ["Cats sleep on every chair.", "Dogs sleep on every chair."],
    ["Begin at the top of the hill.", "Begin at the bottom of the hill."],
    ["What did you eat for breakfast?", "What did you eat for dinner?"],
    ["The north gate is locked.", "The south gate is locked."],
    ["He told the judge everything.", "She told the judge everything."],
    ["The first prize is a bicycle.", "The second prize is a bicycle."],
    ["It rains more in October.", "It rains more in April."],
    ["Our company made a profit.", "Our company made a loss."],
    ["Press the green button again.", "Press the yellow button again."],
    ["There were four of us inside.", "There were 40 of us inside."],
    ["Then the king spoke to them.", "Then the queen spoke to them."],
];
/// Takes of one line. The first eight are transcripts by Whisper tiny of one recording: plain, and with
/// noise, echo, through a telephone, faster or slower.
// tidy: table
const RETAKES: [[&str; 2]; 30] = [
    ["He was not an ill-disposed young man.", "He was not an oldsposed young man."],
    ["He was not an ill disposed young man.", "He was not an ~illsoul young man."],
    ["Unless to be rather cold hearted.", "Unless to be rather cold-hearted."],
    ["And rather selfish is to be ill-disposed.", "And rather selfish is to be able ~to ~suppose."],
    ["If cold hearted and rather selfish.", "If cold ~hard and rather selfish."],
    ["Prudently in his power to do for them.", "Prudently in its power to do for them."],
    ["He might have been made amiable himself.", "He might have been made ~any ~a ~bull himself."],
    ["How much there might be to consider.", "How much ~their might be to consider."],
    ["We have grown old tomatoes outside.", "We have grown old potatoes outside."],
    ["Welcome to the garden show.", "Welcome to the, uh, garden show."],
    ["The budget is four hundred dollars a month.", "The budget is $400 a month."],
    ["I am going to tell you a story.", "I'm gonna tell you a story."],
    ["The rule of plants is water at dawn.", "The rule of plants is water."],
    ["We could not hear the whole concert.", "We couldn't hear the hole concert."],
    ["Their house stood by a river.", "There house stood by a river."],
    ["Please write this address on boxes.", "Please right this address on boxes."],
    ["It is easy to recognize speech.", "It is easy to wreck a nice speech."],
    ["The gardener waters some roses.", "The gardener watered some roses."],
    ["We walked along shores until noon.", "We walked along sandy shores until noon."],
    ["So the the question is who pays.", "So the question is who pays."],
    ["In two thousand and twenty they opened.", "In 2020 they opened."],
    ["Thank you for listening to our program.", "Thank you for listening to our programme."],
    ["Dr. Smith lives across town.", "Doctor Smith lives across town."],
    ["I think we knew all answers.", "I think we new all answers."],
    ["The colour of skies changed.", "The color of skies changed."],
    ["Grandma kept bees behind her ho-.", "Grandma kept bees behind her house."],
    ["They brought a small gift to Mary.", "They brought a small gift to ~marry."],
    ["Nobody asked about money before.", "Nobody asked about ~honey before."],
    ["This is the end of part one.", "This is the end of part 1."],
    ["It happened on the twenty-first floor.", "It happened on the 21st floor."],
];

/// A recording in which all lines sound the same.
fn desk(lines: &[&'static str]) -> Desk {
    let at = |n: usize| 0.5 + n as f64 * EVERY;
    let said: Vec<Line> =
        lines.iter().enumerate().map(|(n, text)| (at(n), at(n) + LASTS, *text)).collect();
    let mut audio = noise(-70.0, at(lines.len()));
    let tone = deskhand_toolkit::testing::tone(220.0, -18.0, LASTS);
    for (start, ..) in &said {
        let from = (start * 48_000.0) as usize;
        audio[from..].iter_mut().zip(&tone).for_each(|(sample, tone)| *sample += tone);
    }
    let mut desk = spoken(audio, &said);
    let segments = desk.session.segments.values_mut();
    for word in segments.flat_map(|segment| &mut segment.words) {
        if let Some(text) = word.text.strip_prefix(UNSURE) {
            (word.text, word.confidence) = (text.to_owned(), Some(0.5));
        }
    }
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    desk
}

/// The pairs that are not, or are, in one set of takes as they should.
fn wrong(pairs: &[[&'static str; 2]], are_takes: bool) -> Vec<[&'static str; 2]> {
    let lines: Vec<&'static str> = pairs.iter().flatten().copied().collect();
    let answer = desk(&lines).plan("tool_mark_duplicates", json!({})).answer.unwrap();
    let groups = answer["groups"].as_array().unwrap();
    let texts = |group: &serde_json::Value| -> BTreeSet<String> {
        let takes = group["takes"].as_array().unwrap().iter();
        takes.map(|take| take["text"].as_str().unwrap().to_owned()).collect()
    };
    let sets: Vec<BTreeSet<String>> = groups.iter().map(texts).collect();
    let together = |pair: &[&str; 2]| {
        let pair = pair.map(|text| text.replace(UNSURE, ""));
        sets.iter().any(|set| pair.iter().all(|text| set.contains(text)))
    };
    pairs.iter().filter(|pair| together(pair) != are_takes).copied().collect()
}

#[test]
fn lines_that_differ_in_one_word_are_no_takes() {
    let wrong = wrong(&OTHERS, false);
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), OTHERS.len());
}

#[test]
fn takes_that_were_heard_or_said_a_little_otherwise_are_found() {
    let wrong = wrong(&RETAKES, true);
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), RETAKES.len());
}
