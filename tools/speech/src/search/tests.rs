//! Words that are found, misheard and across phrases.

use crate::testing::desk_at;
use deskhand_dsp::Frames;
use deskhand_session::{BLEED_OF, Fact, Segment, SegmentId, SourceId, Word};
use deskhand_toolkit::testing::Desk;
use serde_json::{Value, json};

const SECOND: i64 = 48_000;

/// A word a second, three to a phrase.
fn speak(desk: &mut Desk, source: SourceId, text: &str) {
    let words: Vec<Word> = text
        .split(' ')
        .zip(0..)
        .map(|(text, at)| Word {
            text: text.into(),
            start: Frames(at * SECOND),
            end: Frames((at + 1) * SECOND),
            confidence: None,
        })
        .collect();
    for phrase in words.chunks(3) {
        let (start, end) = (phrase[0].start, phrase[phrase.len() - 1].end);
        let segment =
            Segment { words: phrase.to_vec(), ..Segment::new(source, start, end - start) };
        desk.session
            .segments
            .insert(SegmentId::new(desk.session.segments.len() as u64 + 1), segment);
    }
}

fn search(desk: &Desk, query: &str) -> Value {
    desk.call("tool_search_transcript", json!({"query": query})).unwrap().answer.unwrap()
}

#[test]
fn words_are_found_misheard_and_across_phrases() {
    let mut desk = desk_at(48_000);
    let source = desk.recording("talk.wav", 100 * SECOND);
    desk.clip_of("Talk", source, [2 * SECOND, 90 * SECOND, 50 * SECOND]);
    speak(&mut desk, source, "And Mr. John Dashwood had then leisure to consider how much");
    let found = search(&desk, "john DASHWOD had");
    assert_eq!(found["count"], 1);
    let place = &found["places"][0];
    assert_eq!((&place["start_s"], &place["end_s"]), (&json!(2.0), &json!(5.0)));
    assert_eq!((&place["timeline_s"], &place["source"]), (&json!(50.0), &json!("talk.wav")));
    assert_eq!(place["text"], "And Mr. John Dashwood had then leisure to consider how much");
    assert_eq!(search(&desk, "leisure")["places"][0]["score"], 1.0);
    assert_eq!(search(&desk, "hat")["count"], 0, "a short word by itself is no other");
    assert_eq!(search(&desk, "dashwood leisure")["count"], 0);
    let error = desk.call("tool_search_transcript", json!({"query": "?!"})).unwrap_err();
    assert!(error.to_string().contains("holds no words"), "{error}");
}

#[test]
fn what_is_not_transcribed_is_not_called_unsaid() {
    let mut desk = desk_at(48_000);
    let said = desk.recording("talk.wav", 10 * SECOND);
    let other = desk.recording("guest.wav", 10 * SECOND);
    let fails = |desk: &Desk, params: Value| {
        desk.call("tool_search_transcript", params).unwrap_err().to_string()
    };
    let nothing = fails(&desk, json!({"query": "rope"}));
    assert!(nothing.starts_with("nothing is transcribed yet"), "{nothing}");
    speak(&mut desk, said, "the price of rope");
    let nothing = fails(&desk, json!({"query": "rope", "targets": other}));
    assert!(nothing.starts_with("nothing is transcribed there"), "{nothing}");
}

/// The matches in a text: how alike, and from which second on.
fn found(text: &str, query: &str) -> Vec<(f64, f64)> {
    let mut desk = desk_at(48_000);
    let source = desk.recording("talk.wav", 100 * SECOND);
    speak(&mut desk, source, text);
    let places = search(&desk, query)["places"].as_array().unwrap().clone();
    let number = |place: &Value, name: &str| place[name].as_f64().unwrap();
    places.iter().map(|place| (number(place, "score"), number(place, "start_s"))).collect()
}

#[test]
fn a_short_word_may_be_another_by_a_letter_where_it_is_not_said_as_it_is_written() {
    let mill = "the old mill burned and the mile of them then";
    assert_eq!(found(mill, "the old mil burned"), [(0.938, 0.0)]);
    assert_eq!(found(mill, "mil"), [(0.75, 2.0), (0.75, 6.0)], "mill and mile");
    assert_eq!(found(mill, "the"), [(1.0, 0.0), (1.0, 5.0)], "not them, nor then");
    assert_eq!(found(mill, "tje old mill"), [(0.889, 0.0)], "one letter of one word of three");
    assert_eq!(found(mill, "hte old mill"), [(0.889, 0.0)], "two that are swapped");
    assert_eq!(found(mill, "tje odl mill"), [], "one short word, not two");
    assert_eq!(found(mill, "tje old"), []);
    assert_eq!(found(mill, "odd mill"), [], "of two words both are as they are written");
    assert_eq!(found(mill, "on"), [], "two letters are themselves");
    assert_eq!(found("we had a hut", "hat"), []);
}

#[test]
fn a_dash_alone_and_an_accent_by_itself_do_not_hide_words() {
    let mut desk = desk_at(48_000);
    let source = desk.recording("talk.wav", 100 * SECOND);
    speak(&mut desk, source, "hello \u{2014} world of caf\u{e9}s");
    let found = search(&desk, "hello world");
    assert_eq!(found["count"], 1);
    assert_eq!(found["places"][0]["end_s"], 3.0);
    assert_eq!(found["places"][0]["text"], "hello \u{2014} world of caf\u{e9}s");
    assert_eq!(search(&desk, "hello \u{2013} world")["count"], 1);
    assert_eq!(search(&desk, "cafe\u{301}s")["places"][0]["score"], 1.0);
}

#[test]
fn words_are_found_however_a_dash_joins_them() {
    let joined = "to be rather cold-hearted and rather selfish";
    for query in ["cold hearted", "cold-hearted", "coldhearted", "Cold\u{2013}hearted"] {
        assert_eq!(found(joined, query), [(1.0, 3.0)], "{query}");
    }
    assert_eq!(found(joined, "hearted and rather"), [(1.0, 3.0)]);
    assert_eq!(found(joined, "rather cold harted and"), [(0.964, 2.0)], "one letter is missing");
    assert_eq!(found("a cold hearted man", "cold-hearted"), [(1.0, 1.0)]);
    assert_eq!(found("ha-ha-ha he said", "ha ha"), [(1.0, 0.0)], "one place, once");
    assert_eq!(found(joined, "hearted"), [], "a part by itself is another word");
}

#[test]
fn where_words_are_not_said_the_nearest_are_told() {
    let mut desk = desk_at(48_000);
    let (one, two) = (desk.recording("a.wav", 100 * SECOND), desk.recording("b.wav", 100 * SECOND));
    speak(&mut desk, one, "so weasels have eaten our phone system");
    speak(&mut desk, two, "they have eaten");
    let found = search(&desk, "weezels have eaten our phone");
    assert_eq!((&found["count"], &found["places"]), (&json!(0), &json!([])));
    let nearest = &found["nearest"][0];
    let times = (&nearest["start_s"], &nearest["end_s"], &nearest["source"]);
    assert_eq!(times, (&json!(1.0), &json!(6.0), &json!("a.wav")));
    assert_eq!(search(&desk, "weezels")["nearest"][0]["start_s"], 1.0);
    assert_eq!(search(&desk, "a wholly other thing").get("nearest"), None);
    assert_eq!(search(&desk, "system they have").get("nearest"), None, "over two recordings");
    assert_eq!(search(&desk, "weasels").get("nearest"), None, "it is said");
}

#[test]
fn recordings_do_not_run_together_and_the_best_comes_first() {
    let mut desk = desk_at(48_000);
    let (one, two) = (desk.recording("a.wav", 100 * SECOND), desk.recording("b.wav", 100 * SECOND));
    speak(&mut desk, one, "the amiabel woman");
    speak(&mut desk, two, "amiable and kind");
    let found = search(&desk, "amiable");
    assert_eq!(found["places"][0]["source"], "b.wav");
    assert_eq!(found["count"], 2);
    assert_eq!(search(&desk, "woman amiable")["count"], 0);
}

proptest::proptest! {
    #[test]
    fn no_word_that_is_alike_is_passed_over_for_its_letters(have in "[abcé]{4,9}", want in "[abcé]{4,9}") {
        let texts = super::texts::Texts::of([have.as_str(), want.as_str()].into_iter());
        let exact = strsim::normalized_damerau_levenshtein(&have, &want);
        let quick = super::find::likeness(texts.get(0), texts.get(1));
        let (long, short) = (have.len().max(want.len()), have.len().min(want.len()));
        if short * 4 >= long * 3 && exact >= super::find::ALIKE {
            proptest::prop_assert_eq!(quick, exact);
        }
    }
}

#[test]
fn a_word_is_found_where_it_is_heard_and_not_where_another_microphone_heard_it() {
    let mut desk = desk_at(48_000);
    let [own, other] = ["ann.wav", "bob.wav"].map(|name| desk.recording(name, 10 * SECOND));
    let muted = desk.clip_of("Recording", own, [0, 10 * SECOND, 0]);
    let track = desk.session.clips[&muted].track;
    desk.session.tracks.get_mut(&track).unwrap().mute = true;
    desk.clip_of("Laid out", own, [0, 10 * SECOND, 60 * SECOND]);
    speak(&mut desk, own, "my garden grows");
    speak(&mut desk, other, "my garden grows");
    let fact = Fact { value: json!("Ann"), unit: None, confidence: None, by: "test".into() };
    let bleed = desk.session.segments.values_mut().find(|one| one.source == other).unwrap();
    bleed.description.facts.insert(BLEED_OF.into(), fact);
    let found = search(&desk, "garden");
    assert_eq!((&found["count"], &found["places"][0]["timeline_s"]), (&json!(1), &json!(61.0)));
}

#[test]
fn what_does_not_play_has_no_time_on_the_timeline() {
    let mut desk = desk_at(48_000);
    let source = desk.recording("talk.wav", 10 * SECOND);
    speak(&mut desk, source, "my garden grows well");
    let at = |desk: &Desk, query: &str| search(desk, query)["places"][0]["timeline_s"].clone();
    assert_eq!(at(&desk, "garden"), Value::Null, "no clip plays it");
    let recording = desk.clip_of("Talk", source, [0, 10 * SECOND, 0]);
    assert_eq!(at(&desk, "garden"), json!(1.0));
    let track = desk.session.clips[&recording].track;
    desk.session.tracks.get_mut(&track).unwrap().mute = true;
    // "garden" is cut out of the edit; a tenth of it fades into the cut.
    desk.clip_of("Edit", source, [0, SECOND + SECOND / 10, 60 * SECOND]);
    desk.clip_of("Edit", source, [2 * SECOND - SECOND / 10, 2 * SECOND, 61 * SECOND]);
    assert_eq!(at(&desk, "garden"), Value::Null);
    assert_eq!(at(&desk, "my garden"), json!(60.0));
    assert_eq!(at(&desk, "grows"), json!(61.1));
    assert_eq!(at(&desk, "garden grows"), json!(61.1), "from its first word that plays");
}

#[test]
fn a_phrase_whose_first_word_was_cut_is_found_in_what_is_left_of_it() {
    let mut desk = desk_at(48_000);
    let source = desk.recording("talk.wav", 10 * SECOND);
    speak(&mut desk, source, "my garden grows well");
    let count = |desk: &Desk, query: &str, targets: Value| {
        let params = json!({"query": query, "targets": targets});
        desk.call("tool_search_transcript", params).unwrap().answer.unwrap()["count"].clone()
    };
    desk.clip_of("Left", source, [SECOND, SECOND, 0]);
    desk.clip_of("Right", source, [3 * SECOND, 7 * SECOND, SECOND]);
    assert_eq!(count(&desk, "garden", json!("Left")), 1);
    assert_eq!(count(&desk, "well", json!("Right")), 1);
    assert_eq!(count(&desk, "my", json!("Left")), 0, "what was cut is not there");
    assert_eq!(count(&desk, "my garden grows", json!("talk.wav")), 1);
    assert_eq!(count(&desk, "garden", json!(["Left", "Right"])), 1, "once, though both play of it");
    desk.clip_of("Behind", source, [5 * SECOND, SECOND, 20 * SECOND]);
    assert_eq!(count(&desk, "garden", json!("Behind")), 0);
}

#[test]
fn what_one_speaker_says_is_found_alone() {
    let mut desk = desk_at(48_000);
    let [own, other] = ["ann.wav", "bob.wav"].map(|name| desk.recording(name, 10 * SECOND));
    speak(&mut desk, own, "my garden grows");
    speak(&mut desk, other, "no garden here");
    let one = desk.session.segments.values_mut().find(|one| one.source == other).unwrap();
    one.speaker = Some("Bob".into());
    let by = |speaker: &str| {
        let params = json!({"query": "garden", "speaker": speaker});
        desk.call("tool_search_transcript", params)
    };
    let found = by("bob").unwrap().answer.unwrap();
    assert_eq!((&found["count"], &found["places"][0]["source"]), (&json!(1), &json!("bob.wav")));
    let one = desk.session.segments.values_mut().find(|one| one.source == own).unwrap();
    one.speaker = Some("Jose\u{301}".into());
    let by = |speaker: &str| {
        let params = json!({"query": "garden", "speaker": speaker});
        desk.call("tool_search_transcript", params)
    };
    assert_eq!(by("JOS\u{c9}").unwrap().answer.unwrap()["count"], 1, "an accent behind its letter");
    let error = by("Anna").unwrap_err().to_string();
    assert!(
        error.contains("no speaker is called \"Anna\"") && error.contains("such as \"Bob\""),
        "{error}"
    );
}
