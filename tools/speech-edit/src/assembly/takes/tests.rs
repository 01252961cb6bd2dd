//! Tests of finding, ranking and marking takes.

use crate::assembly::tests::{Line, alone, ids, phrase, plays, recording, written};
use deskhand_dsp::Decibels;
use deskhand_session::{BLEED_OF, Fact, Measure, Track};
use deskhand_toolkit::Draft;
use deskhand_toolkit::testing::Desk;
use serde_json::json;

const TAKES: [Line; 7] = [
    (0.5, 2.5, "Welcome to the um show about radios."),
    (3.5, 4.5, "Welcome to the"),
    (5.5, 7.5, "Welcome to the show about radios."),
    (8.5, 10.5, "Welcome to the the show about radio."),
    (11.5, 12.5, "We begin with tubes."),
    (13.5, 14.5, "Thank you."),
    (15.5, 16.5, "Thank you."),
];

fn desk() -> Desk {
    let mut desk = alone(18.0, &TAKES);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    desk
}

#[test]
fn retakes_are_found_and_the_best_one_plays() {
    let mut desk = desk();
    let draft = desk.settle("tool_mark_duplicates", &json!({}));
    assert!(
        draft.summary.starts_with("Keep one of 4 takes of \"Welcome to the show"),
        "{}",
        draft.summary
    );
    let expected =
        ["Welcome to the show about radios.", "We begin with tubes.", "Thank you.", "Thank you."];
    assert_eq!(plays(&desk), expected);
    let group = &desk.session.assembly.duplicates[0];
    assert_eq!(
        (group.takes.len(), group.phrase.as_str()),
        (4, "Welcome to the show about radios.")
    );
    assert!(
        group.reason.starts_with("says 100 % of the words, no slips, level -2"),
        "{}",
        group.reason
    );
    let of = |measure| {
        draft
            .findings
            .iter()
            .filter(|f| f.measure == measure)
            .map(|f| f.value.unwrap())
            .collect::<Vec<_>>()
    };
    let (full, free) = (of(Measure::Completeness), of(Measure::Fluency));
    assert!(full[1] < 60.0 && full[2] == 100.0, "{full:?}");
    assert!(free[0] < free[2] && free[3] < free[2], "{free:?}");
    assert_eq!(of(Measure::NoiseFloor).len(), 4);
    assert_eq!(of(Measure::WordConfidence), [90.0; 4]);
    assert_eq!(desk.session.markers.len(), 3);
    assert!(desk.session.markers.values().all(|marker| marker.name.starts_with("other take: ")));
}

#[test]
fn some_sets_of_takes_are_marked_and_others_not() {
    let lines: [Line; 5] = [
        (0.5, 2.5, "Welcome to the show about radios."),
        (3.5, 5.5, "Welcome to the show about radios."),
        (6.5, 8.5, "We begin with the tubes."),
        (9.5, 11.5, "We begin with the tubes."),
        (12.5, 13.5, "Thank you."),
    ];
    let mut desk = alone(15.0, &lines);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let order = desk.session.assembly.order.clone();
    let groups = |draft: &Draft| draft.answer.as_ref().unwrap()["groups"].as_array().unwrap().len();
    let both = desk.plan("tool_mark_duplicates", json!({}));
    assert_eq!(groups(&both), 2);
    let parts: Vec<_> = both.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(
        parts,
        [
            "\"Welcome to the show about radios.\", take 2 of 2",
            "\"We begin with the tubes.\", take 2 of 2"
        ]
    );
    let alone = desk.plan("tool_mark_duplicates", json!({"among": both.parts[1].params["among"]}));
    assert_eq!((groups(&alone), alone.parts.len()), (1, 0));
    let last = json!({"among": [order[4]]});
    assert_eq!(groups(&desk.plan("tool_mark_duplicates", last)), 0);
    let draft = desk.settle("tool_mark_duplicates", &json!({"among": [order[2]]}));
    assert_eq!(groups(&draft), 1);
    assert_eq!(plays(&desk)[..2], [lines[0].2, lines[1].2], "they are not marked");
    assert_eq!(plays(&desk)[2..], [lines[2].2, lines[4].2]);
    let both = json!({"among": [order[0]], "group_ids": [order[0], order[1]]});
    assert!(desk.refusal("tool_mark_duplicates", both).contains("found or named"));
    let unknown = json!({"among": ["phr_000000000000"]});
    assert!(desk.refusal("tool_mark_duplicates", unknown).contains("not a phrase"));
}

#[test]
fn a_take_that_begins_twice_is_not_the_fullest() {
    let lines: [Line; 3] = [
        (0.5, 2.5, "Welcome to the garden show."),
        (3.5, 6.5, "Welcome to the, uh, welcome to the garden show."),
        (7.5, 8.5, "We begin with tubes."),
    ];
    let mut desk = alone(10.0, &lines);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let draft = desk.settle("tool_mark_duplicates", &json!({}));
    assert_eq!(plays(&desk), ["Welcome to the garden show.", "We begin with tubes."]);
    let full = draft.findings.iter().filter(|it| it.measure == Measure::Completeness);
    assert_eq!(full.map(|it| it.value).collect::<Vec<_>>(), [Some(100.0); 2]);
}

#[test]
fn given_takes_are_marked_as_given_and_a_restored_one_plays_again() {
    let mut desk = desk();
    let takes =
        ids(&desk, &["Welcome to the um show about radios.", "Welcome to the show about radios."]);
    let best = phrase(&desk, "Welcome to the um show about radios.");
    let params = json!({"phrase": "Hello", "group_ids": takes, "recommended_group_id": best, "reason": "livelier"});
    desk.settle("tool_mark_duplicates", &params);
    let group = &desk.session.assembly.duplicates[0];
    assert_eq!(
        (group.phrase.as_str(), group.reason.as_str(), group.chosen),
        ("Hello", "livelier", best)
    );
    assert_eq!(plays(&desk)[0], "Welcome to the um show about radios.");
    let back = json!({"group_ids": ids(&desk, &["Welcome to the show about radios."])});
    desk.settle("tool_restore_segments", &back);
    assert_eq!(plays(&desk).len(), 7);
    assert!(desk.session.assembly.duplicates.is_empty() && desk.session.markers.is_empty());
}

#[test]
fn a_quiet_noisy_take_is_worse_than_a_clear_one() {
    let lines: [Line; 3] = [
        (0.5, 2.0, "This is the very same sentence."),
        (3.5, 5.0, "This is the very same sentence."),
        (6.5, 8.0, "This is the very same sentence."),
    ];
    let mut desk = Desk::new(crate::testing::tools());
    let track = desk.track(deskhand_session::Track::audio("Voice"));
    let mut audio = crate::assembly::tests::recording(10.0, &lines, 220.0);
    let hiss = deskhand_toolkit::testing::noise(-40.0, 10.0);
    for at in 6 * 48_000..9 * 48_000 {
        audio[at] = audio[at] * Decibels(-9.0).amplitude() as f32 + hiss[at];
    }
    let clip = desk.clip(track, "Talk", 0, audio);
    let source = desk.session.clips[&clip].source;
    crate::assembly::tests::written(&mut desk, source, "Host", &lines);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let order = desk.session.assembly.order.clone();
    let draft = desk.settle("tool_mark_duplicates", &json!({}));
    assert_eq!(desk.session.assembly.order, [order[1]], "of equal ones the later, never the noisy");
    assert!(
        draft.warnings[0].ends_with("two takes are about as good, listen to both"),
        "{:?}",
        draft.warnings
    );
}

/// A take that hesitates has pauses inside, in which only the room is heard.
#[test]
fn a_take_with_a_slip_is_not_the_quieter_one() {
    let lines: [Line; 3] = [
        (0.5, 2.5, "The first rule is water in the morning."),
        (4.0, 5.5, "The first rule is um"),
        (5.9, 6.9, "water in the morning."),
    ];
    let mut desk = alone(8.0, &lines);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let order = desk.session.assembly.order.clone();
    let draft = desk.settle("tool_mark_duplicates", &json!({}));
    assert_eq!(desk.session.assembly.order, [order[0]], "{:?}", draft.answer);
    let noise = draft.findings.iter().filter(|found| found.measure == Measure::NoiseFloor);
    let noise: Vec<f64> = noise.filter_map(|found| found.value).collect();
    assert!(noise.len() == 2 && (noise[0] - noise[1]).abs() < 1.0 && noise[0] < -65.0, "{noise:?}");
}

#[test]
fn of_takes_that_are_about_as_good_the_one_without_a_slip_plays() {
    let lines: [Line; 2] = [
        (
            0.5,
            4.5,
            "The first rule of growing tomatoes in a garden by the sea is water in the morning and none at night.",
        ),
        (
            5.5,
            9.5,
            "The first rule of growing tomatoes in a garden by the sea is um water in the morning and none at night.",
        ),
    ];
    let mut desk = alone(11.0, &lines);
    for segment in desk.session.segments.values_mut() {
        let sure = if segment.text().contains("um") { 1.0 } else { 0.8 };
        segment.words.iter_mut().for_each(|word| word.confidence = Some(sure));
    }
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    desk.settle("tool_mark_duplicates", &json!({}));
    assert_eq!(plays(&desk), [lines[0].2]);
}

/// A voice whose words have distinct sounds; each line has the sounding text in place of the written one.
fn voiced(lines: &[(&'static str, &'static str)]) -> Desk {
    const WORD: f64 = 0.3;
    let place = |n: usize, said: &str| {
        let start = 0.5 + n as f64 * 3.5;
        (start, start + WORD * said.split(' ').count() as f64)
    };
    let mut audio = deskhand_toolkit::testing::noise(-60.0, 1.0 + lines.len() as f64 * 3.5);
    for (n, (_, said)) in lines.iter().enumerate() {
        for (at, word) in said.split(' ').enumerate() {
            let from = ((place(n, said).0 + at as f64 * WORD) * 48_000.0) as usize;
            for (part, letter) in word.bytes().take(3).enumerate() {
                let hz = 200.0 * 1.17f64.powi(i32::from(letter - b'a'));
                let voice = deskhand_toolkit::testing::tone(hz, -20.0, WORD / 3.0);
                for (sample, voice) in audio[from + part * voice.len()..].iter_mut().zip(&voice) {
                    *sample += voice;
                }
            }
        }
    }
    let written: Vec<Line> = lines
        .iter()
        .enumerate()
        .map(|(n, (text, said))| (place(n, said).0, place(n, said).1, *text))
        .collect();
    crate::assembly::tests::spoken(audio, &written)
}

#[test]
fn a_word_that_is_written_otherwise_and_sounds_the_same_is_the_same() {
    let heard = "we have grown old tomatoes in the yard";
    let mut desk = voiced(&[
        ("We have grown old tomatoes in the yard.", heard),
        ("We have grown old potatoes in the yard.", heard),
        ("We have grown old zucchini in the yard.", "we have grown old zucchini in the yard"),
    ]);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let draft = desk.plan("tool_mark_duplicates", json!({}));
    let group = &draft.answer.unwrap()["groups"];
    let texts: Vec<_> =
        group[0]["takes"].as_array().unwrap().iter().map(|take| take["text"].as_str()).collect();
    assert_eq!((group.as_array().unwrap().len(), texts.len()), (1, 2), "{group}");
    assert!(!texts.contains(&Some("We have grown old zucchini in the yard.")), "{texts:?}");
}

/// The texts of the takes of each set that is found, in the order in which they play.
fn found(desk: &Desk) -> Vec<Vec<String>> {
    let answer = desk.plan("tool_mark_duplicates", json!({})).answer.unwrap();
    let texts = |group: &serde_json::Value| -> Vec<String> {
        let takes = group["takes"].as_array().unwrap().iter();
        takes.map(|take| take["text"].as_str().unwrap().to_owned()).collect()
    };
    answer["groups"].as_array().unwrap().iter().map(texts).collect()
}

/// Makes the transcript unsure of some words.
fn doubt(desk: &mut Desk, words: &[&str]) {
    let all = desk.session.segments.values_mut().flat_map(|segment| &mut segment.words);
    for word in all.filter(|word| words.contains(&word.text.as_str())) {
        word.confidence = Some(0.5);
    }
}

/// The first is the fullest, is like the others by its words, and is said in other words.
#[test]
fn takes_with_a_misheard_word_are_found_beside_a_line_that_is_worded_anew() {
    let heard = "crops were good so we sold everything here";
    let mut desk = voiced(&[
        ("Crops were good so we sold all of it.", "crops were good so we sold all of it"),
        ("Crops were gone so we sold everything here.", heard),
        ("Crops were good so we sold everything here.", heard),
    ]);
    doubt(&mut desk, &["gone", "of"]);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let takes = [
        "Crops were gone so we sold everything here.",
        "Crops were good so we sold everything here.",
    ];
    assert_eq!(found(&desk), [takes]);
}

#[test]
fn an_unsure_word_that_sounds_otherwise_is_no_take() {
    let mut desk = voiced(&[
        ("Crops were gone so we sold everything.", "crops were gone so we sold everything"),
        ("Crops were fine so we sold everything.", "crops were fine so we sold everything"),
    ]);
    doubt(&mut desk, &["gone", "fine"]);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    assert!(found(&desk).is_empty(), "{:?}", found(&desk));
}

#[test]
fn sentences_that_share_a_frame_are_no_takes() {
    let lines: [Line; 6] = [
        (0.5, 2.0, "Please take the first train to the city."),
        (3.0, 4.5, "Please take the second train to the city."),
        (5.5, 7.0, "The winner of the prize this year is Anna."),
        (8.0, 9.5, "The winner of the prize this year is Berta."),
        (10.5, 12.0, "We had dinner with my mother in the garden."),
        (13.0, 14.5, "We had dinner with my teacher in the garden."),
    ];
    let mut desk = alone(16.0, &lines);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    assert!(found(&desk).is_empty(), "{:?}", found(&desk));
}

#[test]
fn what_says_something_else_is_no_take() {
    let lines: [Line; 10] = [
        (0.5, 2.0, "The first question is about your mother."),
        (3.0, 4.5, "The second question is about your father."),
        (5.5, 7.0, "It costs ten dollars a day."),
        (8.0, 9.5, "It costs twenty dollars a night."),
        (10.5, 12.0, "On Monday we went to the market."),
        (13.0, 14.5, "On Tuesday we went to the market."),
        (15.5, 17.0, "I did not do that."),
        (18.0, 19.5, "I did do that."),
        (20.5, 22.0, "Yes I think so too."),
        (23.0, 24.5, "No I think so too."),
    ];
    let mut desk = alone(26.0, &lines);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let draft = desk.plan("tool_mark_duplicates", json!({}));
    assert_eq!(draft.answer.unwrap()["groups"], json!([]));
}

#[test]
fn what_another_speaker_says_is_no_take() {
    let line = "Thank you very much for having me.";
    let (mut desk, _) =
        crate::assembly::tests::interview(6.0, &[(0.5, 2.0, line)], &[(3.0, 4.5, line)]);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let groups = |desk: &Desk| desk.plan("tool_mark_duplicates", json!({})).answer.unwrap();
    assert_eq!(groups(&desk)["groups"], json!([]));
    desk.session.segments.values_mut().for_each(|segment| segment.speaker = None);
    assert_eq!(groups(&desk)["groups"], json!([]), "two microphones of one group");
    desk.session.segments.values_mut().for_each(|segment| segment.speaker = Some("Ann".into()));
    assert_eq!(groups(&desk)["groups"].as_array().unwrap().len(), 1);
}

/// Each track was marked as a speaker of its own, called as the track.
#[test]
fn takes_on_tracks_of_their_own_are_takes_and_those_who_talk_with_each_other_are_not() {
    let fact = Fact { value: json!("other"), unit: None, confidence: None, by: "test".into() };
    let groups = |others: [&'static str; 2], are_heard: bool| {
        let (mut desk, named) =
            (Desk::new(crate::testing::tools()), [("First", 220.0), ("Second", 230.0)]);
        let harvest = "The harvest was good this year.";
        for (n, (name, hz)) in named.into_iter().enumerate() {
            let track = desk.track(Track::audio(name));
            let lines: [Line; 2] = [(0.5, 2.5, harvest), (3.5, 5.5, others[n])];
            // As long as each other they would count as recorded together.
            let clip = desk.clip(track, name, 0, recording(6.0 + n as f64, &lines, hz));
            let source = desk.session.clips[&clip].source;
            written(&mut desk, source, name, &lines);
            if are_heard {
                written(&mut desk, source, named[1 - n].0, &[(3.5, 5.5, others[1 - n])]);
                let (_, copy) = desk.session.segments.iter_mut().next_back().unwrap();
                copy.description.facts.insert(BLEED_OF.into(), fact.clone());
            }
        }
        desk.settle("tool_find_phrases", &json!({"targets": "all"}));
        found(&desk).len()
    };
    assert_eq!(groups(["We sold it at the market."; 2], false), 2);
    let talk = ["And how did you bring it to the market?", "Ask my old neighbor, who has a car."];
    for are_heard in [false, true] {
        assert_eq!(groups(talk, are_heard), 0, "by the other microphone: {are_heard}");
    }
}

#[test]
fn what_cannot_be_marked_is_refused() {
    let desk = desk();
    let refusal = |desk: &Desk, params| desk.refusal("tool_mark_duplicates", params);
    let one = ids(&desk, &["Thank you."]);
    let told = refusal(&desk, json!({"group_ids": one}));
    let fix = "give at least two `group_ids`, or leave them out to have takes found";
    assert_eq!(told, format!("one phrase alone is no take of another; {fix}"));
    let told = refusal(&desk, json!({"group_ids": []}));
    assert_eq!(told, format!("no phrases are given; {fix}"));
    let tubes = phrase(&desk, "We begin with tubes.");
    let takes = ids(&desk, &["Welcome to the", "Welcome to the show about radios."]);
    let told = refusal(&desk, json!({"group_ids": takes, "recommended_group_id": tubes}));
    assert!(
        told.starts_with(&format!("{tubes} is recommended and is not among the takes")),
        "{told}"
    );
    let told = refusal(&desk, json!({"phrase": "Hello"}));
    assert_eq!(
        told,
        "no takes were given; give `group_ids` as well, or nothing to have takes found"
    );
    let told = refusal(&desk, json!({"instead_of": takes}));
    assert!(told.starts_with("it does not say which take plays instead"), "{told}");
}

#[test]
fn phrases_bring_the_takes_that_they_have_and_one_may_play_in_place_of_others() {
    let mut desk = desk();
    desk.settle("tool_mark_duplicates", &json!({}));
    let takes = desk.session.assembly.duplicates[0].takes.clone();
    let tubes = phrase(&desk, "We begin with tubes.");
    let over = json!({"recommended_group_id": tubes, "instead_of": [takes[1]]});
    desk.settle("tool_mark_duplicates", &over);
    let set = &desk.session.assembly.duplicates[0];
    assert_eq!((set.takes.len(), set.chosen), (takes.len() + 1, tubes), "all four, and this one");
    assert_eq!(plays(&desk)[0], "We begin with tubes.");
    desk.settle("tool_mark_duplicates", &json!({"among": [takes[1]]}));
    let set = &desk.session.assembly.duplicates[0];
    assert_ne!(set.chosen, tubes, "marked takes are compared again where they are asked for");
    assert_eq!(set.takes.len(), takes.len() + 1);
}
