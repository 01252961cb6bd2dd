//! Tests of coding words.

use super::pattern::{Case, Ends, Pattern};
use super::{MatchType, simpler, stretches, talks};
use crate::testing::{code, seconds, spoken, talk_over};
use deskhand_dsp::Frames;
use deskhand_session::{BLEED_OF, CodeId, Fact, Track};
use deskhand_toolkit::Stopped;
use deskhand_toolkit::testing::{Desk, SECOND};
use proptest::prelude::*;
use serde_json::{Value, json};

const TALK: [&str; 4] = [
    "Anna: What about the money? Mr. Bean had money,",
    "Anna: and the Moneybags. No money!",
    "Ben: Money is not everything. In no time",
    "Ben: we spent 20 euros, then 300 dollars.",
];

fn desk() -> (Desk, CodeId) {
    let mut desk = Desk::new(crate::all());
    spoken(&mut desk, "talk.wav", &TALK);
    let id = code(&mut desk, "Budget");
    (desk, id)
}

/// What a call codes, as seconds, which are words here.
fn coded(params: Value) -> Vec<(i64, i64)> {
    let (mut desk, id) = desk();
    let mut call = json!({"code_id": id});
    call.as_object_mut().unwrap().extend(params.as_object().unwrap().clone());
    desk.settle("tool_code_exact", &call);
    seconds(&desk, id)
}

#[test]
fn words_are_found_whole_begun_ended_and_inside() {
    let one = |second: i64| (second, second + 1);
    assert_eq!(coded(json!({"text": "money"})), [3, 7, 12, 13].map(one));
    assert_eq!(coded(json!({"text": "money", "ignore_case": false})), [3, 7, 12].map(one));
    let begun = json!({"text": "money", "match_type": "startswith"});
    assert_eq!(coded(begun), [3, 7, 10, 12, 13].map(one));
    let whole = json!({"text": "money", "match_type": "startswith", "whole_word": true});
    assert_eq!(coded(whole), [3, 7, 12, 13].map(one));
    assert_eq!(coded(json!({"text": "bags", "match_type": "endswith"})), [one(10)]);
    assert_eq!(
        coded(json!({"text": "eyba", "match_type": "contains", "whole_word": false})),
        [one(10)]
    );
    let cut = json!({"text": "oney", "match_type": "contains", "whole_word": true});
    assert_eq!(coded(cut), []);
    assert_eq!(coded(json!({"text": "?", "match_type": "contains"})), [one(3)]);
}

#[test]
fn a_word_is_no_other_word_without_its_signs() {
    let said =
        "We’ll say I'll go, she'll, U.S. e-mail; 'well' ill us. dogs' were wont won't cafe\u{301}";
    let words: Vec<&str> = said.split(' ').collect();
    let mut desk = Desk::new(crate::all());
    spoken(&mut desk, "talk.wav", &[&format!("-: {said}")]);
    let found = |text: &str| {
        let draft = desk.plan("tool_code_exact", json!({"code": "X", "text": text}));
        let places = draft.answer.unwrap()["places"].as_array().unwrap().clone();
        places.iter().map(|place| place["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for (text, at) in [
        ("ill", vec![8]),
        ("I’ll", vec![2]),
        ("we'll", vec![0]),
        ("well", vec![7]),
        ("us", vec![9]),
        ("u.s.", vec![5]),
        ("shell", vec![]),
        ("email", vec![6]),
        ("e mail", vec![6]),
        ("mail", vec![]),
        ("E‑mail", vec![6]),
        ("dogs", vec![10]),
        ("we're", vec![]),
        ("wont", vec![12]),
        ("cafe", vec![]),
    ] {
        let expected: Vec<&str> = at.iter().map(|at: &usize| words[*at]).collect();
        assert_eq!(found(text), expected, "{text}");
    }
}

#[test]
fn words_with_hyphens_are_found_in_one_and_in_several() {
    let said = "A cold-hearted man, cold hearted – and coldhearted, too; a T-shirt of 2-3 or 23";
    let mut desk = Desk::new(crate::all());
    spoken(&mut desk, "talk.wav", &[&format!("-: {said}")]);
    let found = |text: &str, kind: &str| {
        let call = json!({"code": "X", "text": text, "match_type": kind});
        let answer = desk.plan("tool_code_exact", call).answer.unwrap();
        let places = answer["places"].as_array().unwrap().iter();
        places.map(|place| place["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let (joined, apart, one) = ("cold-hearted", "cold hearted", "coldhearted,");
    assert_eq!(found("cold hearted", "exact"), [joined, apart]);
    assert_eq!(found("cold-hearted", "exact"), [joined, apart, one]);
    assert_eq!(found("Coldhearted", "exact"), [joined, one]);
    assert_eq!(found("a cold hearted man", "exact"), ["A cold-hearted man,"]);
    assert_eq!(found("too a t shirt", "exact"), ["too; a T-shirt"]);
    assert_eq!(found("cold", "exact"), ["cold"], "a word of its own");
    assert_eq!([found("23", "exact"), found("2-3", "exact")], [["23"], ["2-3"]]);
    for text in ["cold heart", "shirt", "old hearted"] {
        assert_eq!(found(text, "exact"), Vec::<String>::new(), "{text}");
    }
    assert_eq!(found("cold hear", "startswith"), [joined, apart]);
    assert_eq!(found("hearted", "endswith"), [joined, "hearted", one]);
}

#[test]
fn everyday_regular_expressions_are_taken_and_larger_ones_told_what_to_do() {
    let mut desk = Desk::new(crate::all());
    spoken(&mut desk, "talk.wav", &["-: The money that we had for the yearly rent went"]);
    for (text, place) in [
        (r"\w{6,}", "yearly"),
        (r"money(\W+\w+){0,10}\W+rent", "money that we had for the yearly rent"),
        (r"\bmoney\b(\W+\w+){0,30}?\W+(rent|went)\b", "money that we had for the yearly rent"),
    ] {
        let call = json!({"code": "X", "text": text, "match_type": "regex"});
        let answer = desk.plan("tool_code_exact", call).answer.unwrap();
        assert_eq!(answer["places"][0]["text"], place, "{text}");
    }
    let call = json!({"code": "X", "text": r"(\w{900}){900}", "match_type": "regex"});
    let refusal = desk.refusal("tool_code_exact", call);
    assert!(refusal.contains("too big") && refusal.contains("repeat less often"), "{refusal}");
    assert!(!refusal.contains("look-around"), "{refusal}");
}

#[test]
fn several_words_are_found_across_segments_and_turns() {
    assert_eq!(
        coded(json!({"text": "money and the money", "match_type": "startswith"})),
        [(7, 11)]
    );
    assert_eq!(coded(json!({"text": "in no time we"})), [(17, 21)]);
    assert_eq!(coded(json!({"text": "no money, money is"})), [(11, 15)]);
    assert_eq!(coded(json!({"text": "me we spent", "match_type": "endswith"})), [(19, 22)]);
    let across = json!({"text": "money! money", "match_type": "contains"});
    assert_eq!(coded(across), [(12, 14)]);
}

#[test]
fn the_sentence_or_the_turn_around_a_match_is_coded_once() {
    let sentences = json!({"text": "money", "unit": "sentence"});
    assert_eq!(coded(sentences), [(0, 4), (4, 11), (11, 13), (13, 17)]);
    assert_eq!(coded(json!({"text": "money", "unit": "turn"})), [(0, 13), (13, 27)]);
}

#[test]
fn regular_expressions_are_found_line_by_line_of_turns() {
    let amounts = json!({"text": r"\d+ (euro|dollar)s?", "match_type": "regex"});
    assert_eq!(coded(amounts), [(22, 24), (25, 27)]);
    assert_eq!(coded(json!({"text": "^money", "match_type": "regex"})), [(13, 14)]);
    let case = json!({"text": "^money", "match_type": "regex", "ignore_case": false});
    assert_eq!(coded(case), []);
    assert_eq!(coded(json!({"text": "x*", "match_type": "regex"})), [], "nothing is no match");
    let across = json!({"text": r"money!\sMoney", "match_type": "regex"});
    assert_eq!(coded(across), [(12, 14)]);
}

#[test]
fn the_answer_tells_the_batch_and_what_was_coded_before() {
    let (mut desk, _) = desk();
    let first = desk.plan("tool_code_exact", json!({"code": "Budget", "text": "no money"}));
    desk.apply(&first);
    let answer = first.answer.unwrap();
    assert_eq!(answer["segments_created"], 1);
    assert_eq!(answer["places"][0]["text"], "No money!");
    assert_eq!(first.summary, "Code 1 place of \"no money\" as \"Budget\"");
    let again = desk.plan("tool_code_exact", json!({"code": "Budget", "text": "No money"}));
    assert_eq!(again.summary, "1 place of \"No money\" is coded as \"Budget\" already");
    assert_eq!(again.answer.unwrap()["batch_id"], Value::Null);
    let other = desk.plan("tool_code_exact", json!({"code": "Mood", "text": "no money"}));
    desk.apply(&other);
    let coded: Vec<_> = desk.session.segments.values().filter(|s| !s.codings.is_empty()).collect();
    assert_eq!((coded.len(), coded[0].codings.len()), (1, 2), "one place, two codes");
    let batch = coded[0].codings[1].batch.clone().unwrap();
    assert_eq!(other.answer.unwrap()["batch_id"], json!(batch));
    let undo = desk.plan("tool_uncode", json!({"batch_id": batch}));
    desk.apply(&undo);
    assert_eq!(undo.summary, "Take \"Mood\" off \"No money!\"");
    assert_eq!(undo.changes[0].name, "No money!");
}

#[test]
fn a_new_code_is_made_with_its_codings_and_not_for_nothing() {
    let (mut desk, _) = desk();
    let draft = desk.settle("tool_code_exact", &json!({"code": "Time", "text": "time"}));
    assert_eq!(draft.summary, "Code 1 place of \"time\" as the new code \"Time\"");
    assert_eq!(draft.changes[1].needs, ["c1"]);
    let none = desk.plan("tool_code_exact", json!({"code": "Space", "text": "space"}));
    assert_eq!((none.changes.len(), none.summary.as_str()), (0, "\"space\" is not said there"));
    let unknown = desk.refusal("tool_code_exact", json!({"code_id": "Space", "text": "space"}));
    assert!(unknown.contains("no code is called \"Space\""), "{unknown}");
}

#[test]
fn what_cannot_be_looked_for_is_refused() {
    let (desk, _) = desk();
    let nested = "(".repeat(200) + &")".repeat(200);
    for (params, why) in [
        (json!({"text": "x"}), "exactly one of `code_id` and `code`"),
        (json!({"code": "B", "code_id": "B", "text": "x"}), "exactly one"),
        (json!({"code": "Budget", "text": "?!"}), "holds no words"),
        (json!({"code": "Budget", "text": "(a", "match_type": "regex"}), "unclosed group"),
        (json!({"code": "Budget", "text": r"(\w{900}){900}", "match_type": "regex"}), "too big"),
        (json!({"code": "Budget", "text": nested, "match_type": "regex"}), "regular expression"),
        (json!({"code": "Budget", "text": "(?=a)b", "match_type": "regex"}), "look-around"),
        (json!({"code": "Budget", "text": "x", "targets": "Nobody"}), "nothing is called"),
        (json!({"code": "Budget", "text": ""}), "text"),
    ] {
        let refusal = desk.refusal("tool_code_exact", params.clone());
        assert!(refusal.contains(why), "{params}: {refusal}");
        assert!(!refusal.contains('\n'), "{refusal}");
    }
}

#[test]
fn a_search_stops_where_its_time_is_up_and_says_what_to_do() {
    let mut desk = Desk::new(crate::all());
    let line = format!("-: {}", "aaaaaaaaaaaaaaaaaaaaaaaa ".repeat(2_000));
    spoken(&mut desk, "a.wav", &[&line]);
    let context = desk.context("tool_code_exact", &json!({}));
    let talks = talks(&context.session, &stretches(&context.session, None).unwrap());
    let pattern = Pattern::new("a.*b|a", MatchType::Regex, Case::Ignored, Ends::Anywhere).unwrap();
    let mut looks = 0;
    let stopped = pattern.find(&talks[0], &mut || {
        looks += 1;
        if looks < 100 { Ok(()) } else { Err(simpler(Stopped::TimedOut.with_finished(""))) }
    });
    let told = stopped.unwrap_err().to_string();
    assert_eq!(looks, 100, "no match is looked for behind the end of the time");
    assert!(told.contains("time limit") && told.contains("repeat less"), "{told}");
}

#[test]
fn a_list_that_is_longer_than_a_text_may_be_is_refused() {
    let desk = Desk::new(crate::all());
    let list = (0..10_000).map(|n| format!("word{n}")).collect::<Vec<_>>().join("|");
    let call = json!({"code": "X", "text": list, "match_type": "regex"});
    let refusal = desk.refusal("tool_code_exact", call);
    assert!(
        refusal.contains("text") && refusal.contains("500") && refusal.len() < 1_000,
        "{refusal}"
    );
}

#[test]
fn a_pattern_that_would_backtrack_does_not() {
    let mut desk = Desk::new(crate::all());
    let line = format!("-: {}", "aaaaaaaaaaaaaaaaaaaaaaaa ".repeat(2_000));
    spoken(&mut desk, "a.wav", &[&line]);
    let params = json!({"code": "A", "text": r"((a+)+ )*b", "match_type": "regex"});
    assert_eq!(desk.plan("tool_code_exact", params).changes, []);
}

proptest! {
    #[test]
    fn an_exact_match_says_the_text_and_units_hold_matches(
        words in prop::collection::vec("[ab]{1,2}[.?]?", 3..30),
        text in "[ab]{1,2}( [ab]{1,2})?",
    ) {
        let mut desk = Desk::new(crate::all());
        let lines: Vec<String> =
            words.chunks(4).zip(["A", "B"].iter().cycle()).map(|(said, who)| format!("{who}: {}", said.join(" "))).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        spoken(&mut desk, "talk.wav", &lines);
        let plain: Vec<String> = words.iter().map(|word| word.trim_end_matches(['.', '?']).to_owned()).collect();
        let wanted: Vec<&str> = text.split(' ').collect();
        let expected: Vec<(i64, i64)> = plain.windows(wanted.len()).enumerate()
            .filter(|(_, window)| window.iter().eq(&wanted))
            .map(|(at, _)| (at as i64, (at + wanted.len()) as i64))
            .collect();
        let draft = desk.plan("tool_code_exact", json!({"code": "X", "text": text}));
        desk.apply(&draft);
        let id = desk.session.codes.keys().next().copied();
        let found = id.map(|id| seconds(&desk, id)).unwrap_or_default();
        prop_assert_eq!(&found, &expected);
        for unit in ["sentence", "turn"] {
            let draft = desk.plan("tool_code_exact", json!({"code": "Y", "text": text, "unit": unit}));
            let mut other = Desk::new(crate::all());
            other.session = desk.session.clone();
            let mut desk = other;
            desk.apply(&draft);
            let around = desk.session.codes.iter().find(|(_, code)| code.name == "Y").map(|(id, _)| seconds(&desk, *id));
            let around = around.unwrap_or_default();
            prop_assert!(found.iter().all(|(s, e)| around.iter().any(|(a, b)| a <= s && e <= b)));
        }
    }
}

/// Letters with precomposed and with combining accents, and one that has only the combining form.
const LETTERS: [[&str; 2]; 5] = [
    ["\u{e9}", "e\u{301}"],
    ["\u{d6}", "O\u{308}"],
    ["\u{1ecd}\u{302}", "o\u{302}\u{323}"],
    ["a", "a"],
    ["x\u{302}", "x\u{302}"],
];

/// Words of those letters, each with its accents one way or the other.
fn accented() -> impl Strategy<Value = Vec<Vec<(usize, usize)>>> {
    prop::collection::vec(prop::collection::vec((0..LETTERS.len(), 0..2_usize), 1..3), 1..12)
}

fn text_of(words: &[Vec<(usize, usize)>], form: Option<usize>) -> String {
    let letter = |(letter, own): &(usize, usize)| LETTERS[*letter][form.unwrap_or(*own)];
    let word = |word: &Vec<_>| word.iter().map(letter).collect::<String>();
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn an_accent_counts_the_same_in_its_letter_and_behind_it(
        said in accented(), wanted in accented(), from in 0..12_usize, length in 1..3_usize,
    ) {
        let from = from.min(said.len() - 1);
        let own = &said[from..(from + length).min(said.len())];
        for wanted in [own, &wanted[..length.min(wanted.len())]] {
            for kind in ["exact", "startswith", "endswith", "contains", "regex"] {
                let found = |said: String, wanted: String| {
                    let mut desk = Desk::new(crate::all());
                    spoken(&mut desk, "talk.wav", &[&format!("-: {said}")]);
                    let draft = desk.settle("tool_code_exact", &json!({"code": "X", "text": wanted, "match_type": kind}));
                    drop(draft);
                    let id = desk.session.codes.keys().next().copied();
                    id.map(|id| seconds(&desk, id)).unwrap_or_default()
                };
                let mixed = found(text_of(&said, None), text_of(wanted, None));
                for form in [[0, 1], [1, 0], [0, 0]] {
                    let one = found(text_of(&said, Some(form[0])), text_of(wanted, Some(form[1])));
                    prop_assert_eq!(&one, &mixed, "{} {:?}", kind, form);
                }
                prop_assert!(!std::ptr::eq(wanted, own) || !mixed.is_empty(), "{} is said", text_of(own, None));
            }
        }
    }
}

#[test]
fn what_a_microphone_heard_of_another_is_coded_once() {
    let mut desk = Desk::new(crate::all());
    spoken(&mut desk, "ann.wav", &["Ann: my garden"]);
    spoken(&mut desk, "bob.wav", &["Ann: my garden", "Bob: a house"]);
    let fact = Fact { value: json!("Ann"), unit: None, confidence: None, by: "test".into() };
    let bleed = desk.session.segments.values_mut().nth(1).unwrap();
    bleed.description.facts.insert(BLEED_OF.into(), fact);
    let draft = desk.plan("tool_code_exact", json!({"code": "Home", "text": "garden"}));
    assert_eq!(draft.answer.unwrap()["segments_created"], 1);
}

#[test]
fn a_word_is_found_in_a_clip_that_plays_the_larger_part_of_it() {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Voice"));
    let clip = desk.clip(track, "Talk", 0, vec![0.0; 4 * SECOND as usize]);
    let source = desk.session.clips[&clip].source;
    talk_over(&mut desk, source, 0, "Ann: money is not money");
    for (from, to, found) in [(0.4, 4.0, 2), (0.6, 4.0, 1), (0.4, 3.6, 2), (0.4, 3.4, 1)] {
        let frames = |at: f64| Frames((at * SECOND as f64) as i64);
        let own = desk.session.clips.get_mut(&clip).unwrap();
        (own.start, own.length) = (frames(from), frames(to) - frames(from));
        let call = json!({"code": "Budget", "text": "money", "targets": "Talk"});
        let answer = desk.plan("tool_code_exact", call).answer.unwrap();
        assert_eq!(answer["segments_created"], found, "{from} to {to} s");
    }
}
