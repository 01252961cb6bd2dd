//! Tests of the commands that correct words and speakers.

use crate::testing::tools;
use deskhand_dsp::Frames;
use deskhand_session::{BLEED_OF, Fact, Phrase, PhraseId, Segment, SegmentId, SourceId, Word};
use deskhand_toolkit::testing::{Desk, voice_and_guitar};
use serde_json::json;

/// A desk with three segments of two speakers.
fn spoken() -> Desk {
    let mut desk = voice_and_guitar(tools());
    let source = *desk.session.sources.keys().next().unwrap();
    for (number, speaker, text) in
        [(1, "A", "mister dash would"), (2, "B", "who"), (3, "A", "the same")]
    {
        let own = segment(source, number * 20_000, text);
        let segment = Segment { speaker: Some(speaker.into()), ..own };
        desk.session.segments.insert(SegmentId::new(number as u64), segment);
    }
    desk
}

/// Words from a frame of a source on.
fn segment(source: SourceId, start: i64, text: &str) -> Segment {
    let word = |(place, text): (i64, &str)| {
        let start = Frames(start + place * 4_000);
        Word { text: text.into(), start, end: start + Frames(3_000), confidence: Some(0.5) }
    };
    let words = (0..).zip(text.split(' ')).map(word).collect();
    Segment { words, ..Segment::new(source, Frames(start), Frames(16_000)) }
}

fn words(desk: &Desk, id: u64) -> &[Word] {
    &desk.session.segments[&SegmentId::new(id)].words
}

#[test]
fn words_are_written_anew_in_their_time() {
    let mut desk = spoken();
    let id = SegmentId::new(1);
    desk.ops("cmd_set_words", json!({"segment_id": id, "first": 0, "count": 1, "text": "Mr"}));
    let one = &words(&desk, 1)[0];
    assert_eq!((one.text.as_str(), one.start.0, one.end.0), ("Mr", 20_000, 23_000));
    assert_eq!(one.confidence, None, "somebody wrote it");
    let two = json!({"segment_id": id, "first": 1, "count": 2, "text": "Dashwood"});
    desk.ops("cmd_set_words", two);
    let said: Vec<_> =
        words(&desk, 1).iter().map(|word| (word.text.as_str(), word.start.0, word.end.0)).collect();
    assert_eq!(said, [("Mr", 20_000, 23_000), ("Dashwood", 24_000, 31_000)]);
    let split = json!({"segment_id": id, "first": 1, "count": 1, "text": "Dash wood"});
    desk.ops("cmd_set_words", split);
    let ends: Vec<_> = words(&desk, 1).iter().map(|word| word.end.0).collect();
    assert_eq!(ends, [23_000, 27_500, 31_000], "by their letters");
    desk.ops("cmd_set_words", json!({"segment_id": id, "first": 2, "text": ""}));
    assert_eq!(words(&desk, 1).len(), 2);
}

#[test]
fn what_another_microphone_heard_is_written_anew_with_the_words() {
    let mut desk = voice_and_guitar(tools());
    let source = |name: &str| {
        desk.session.clips.values().find(|clip| clip.name == name).map(|clip| clip.source).unwrap()
    };
    // The riff begins 2 s after the verse, so its frames count from there.
    let (verse, riff) = (source("Verse"), source("Riff"));
    let fact = Fact { value: json!("A"), unit: None, confidence: None, by: "test".into() };
    let heard = [
        (1, verse, 100_000, false),
        (2, riff, 5_000, true),
        (3, riff, 60_000, true),
        (4, riff, 5_000, false),
    ];
    for (number, source, start, is_bleed) in heard {
        let mut segment = segment(source, start, "mister dash would");
        if is_bleed {
            segment.description.facts.insert(BLEED_OF.into(), fact.clone());
        }
        desk.session.segments.insert(SegmentId::new(number), segment);
    }
    let call = json!({"segment_id": SegmentId::new(1), "first": 1, "count": 2, "text": "Dashwood"});
    let draft = desk.settle_once("cmd_set_words", call);
    let said = [1, 2, 3, 4].map(|id| desk.session.segments[&SegmentId::new(id)].text());
    let [new, old] = ["mister Dashwood", "mister dash would"];
    assert_eq!(said, [new, new, old, old], "not at another time, and not what is another's");
    assert_eq!(draft.changes[1].needs, [draft.changes[0].id.clone()]);
    assert_eq!(words(&desk, 2)[1].start, Frames(9_000), "in its own time");
}

#[test]
fn misheard_words_are_found_where_they_are_said() {
    let mut desk = spoken();
    let one = json!({"old": "DASH would", "text": "Dashwood"});
    let draft = desk.settle_once("cmd_set_words", one);
    assert_eq!(draft.summary, "Write \"Dashwood\" for \"dash would\"");
    let both = desk.session.segments.get_mut(&SegmentId::new(2)).unwrap();
    *both = segment(both.source, 40_000, "Mister, who? Mister!");
    let several = json!({"old": "mister", "text": "mr"});
    let told = desk.refusal("cmd_set_words", several);
    assert!(told.starts_with("\"mister\" is said 3 times"), "{told}");
    let draft = desk
        .settle_once("cmd_set_words", json!({"old": "mister", "text": "mr", "everywhere": true}));
    assert_eq!(draft.summary, "Write \"mr\" for \"mister\" in 3 places");
    let said = [1, 2].map(|id| desk.session.segments[&SegmentId::new(id)].text());
    assert_eq!(said, ["mr Dashwood", "Mr, who? Mr!"], "marks and capitals stay");
}

#[test]
fn words_are_corrected_in_a_phrase_or_all_of_it() {
    let mut desk = spoken();
    let id = PhraseId::new(1);
    desk.session.phrases.insert(id, Phrase { segments: vec![SegmentId::new(3)] });
    desk.settle_once("cmd_set_words", json!({"old": "same", "text": "other", "phrase": id}));
    assert_eq!(desk.session.segments[&SegmentId::new(3)].text(), "the other");
    desk.settle_once("cmd_set_words", json!({"text": "that one", "phrase": id}));
    assert_eq!(desk.session.segments[&SegmentId::new(3)].text(), "that one");
    let told = desk.refusal("cmd_set_words", json!({"old": "boat", "text": "goat", "phrase": id}));
    assert!(told.starts_with("\"that one\" does not say \"boat\""), "{told}");
    let phrase = desk.session.phrases.get_mut(&id).unwrap();
    phrase.segments.push(SegmentId::new(2));
    let told = desk.refusal("cmd_set_words", json!({"text": "all", "phrase": id}));
    assert!(told.starts_with("the phrase has 2 segments of the transcript"), "{told}");
}

#[test]
fn words_that_are_not_there_are_refused() {
    let desk = spoken();
    let refused = |params| desk.refusal("cmd_set_words", params);
    let id = SegmentId::new(2);
    let none = refused(json!({"segment_id": id, "first": 1, "count": 1, "text": "x"}));
    assert!(none.contains("has 1 word"), "{none}");
    let all = refused(json!({"segment_id": id, "text": " "}));
    assert!(all.contains("no word of the segment"), "{all}");
    let gone = refused(json!({"segment_id": SegmentId::new(77), "text": "x"}));
    assert!(gone.contains("there is no segment"), "{gone}");
    let nobody = refused(json!({"old": "boat", "text": "goat"}));
    assert!(nobody.starts_with("nobody says \"boat\""), "{nobody}");
    assert!(refused(json!({"text": "x"})).starts_with("it does not say which words"));
}

#[test]
fn a_speaker_has_another_name_everywhere_or_in_one_place() {
    let mut desk = spoken();
    desk.ops("cmd_set_speaker", json!({"speaker": "A", "name": "Anna"}));
    let who = |desk: &Desk| -> Vec<Option<String>> {
        desk.session.segments.values().map(|segment| segment.speaker.clone()).collect()
    };
    let named = |names: [&str; 3]| names.map(|name| Some(name.to_owned()));
    assert_eq!(who(&desk), named(["Anna", "B", "Anna"]));
    let one = json!({"segment_ids": [SegmentId::new(3)], "name": "B"});
    desk.ops("cmd_set_speaker", one);
    assert_eq!(who(&desk), named(["Anna", "B", "B"]));
    // A later segment has the lower id here; a plan follows the recording.
    let late = desk.session.segments.get_mut(&SegmentId::new(2)).unwrap();
    late.start += Frames(100_000);
    for word in &mut late.words {
        (word.start, word.end) = (word.start + Frames(100_000), word.end + Frames(100_000));
    }
    let draft = desk.plan("cmd_set_speaker", json!({"speaker": "B", "name": "Ben"}));
    let targets: Vec<_> = draft.changes.iter().map(|planned| planned.change.target()).collect();
    assert_eq!(targets, [SegmentId::new(3).into(), SegmentId::new(2).into()]);
    let nobody = desk.refusal("cmd_set_speaker", json!({"speaker": "C", "name": "D"}));
    assert!(nobody.contains("no speaker is called"), "{nobody}");
    let both = json!({"speaker": "B", "segment_ids": [SegmentId::new(3)], "name": "D"});
    assert!(desk.refusal("cmd_set_speaker", both).contains("whose name"));
}

#[test]
fn who_is_said_to_speak_in_a_segment_was_heard_by_their_own_microphone() {
    let mut desk = spoken();
    let sources: Vec<SourceId> = desk.session.sources.keys().copied().collect();
    let cid = Segment { speaker: Some("Cid".into()), ..segment(sources[1], 0, "so") };
    desk.session.segments.insert(SegmentId::new(9), cid);
    let three = SegmentId::new(3);
    let fact = Fact { value: json!("A"), unit: None, confidence: None, by: "test".into() };
    desk.session.segments.get_mut(&three).unwrap().description.facts.insert(BLEED_OF.into(), fact);
    let bleed_of = |desk: &Desk| {
        let known = desk.session.segments[&three].description.facts.get(BLEED_OF);
        known.map(|fact| fact.value.clone())
    };
    desk.ops("cmd_set_speaker", json!({"speaker": "A", "name": "Anna"}));
    assert_eq!(bleed_of(&desk), Some(json!("Anna")), "by another name");
    // Another microphone is Cid's, and this one is B's.
    for (name, expected) in [("Cid", Some(json!("Cid"))), ("B", None)] {
        desk.ops("cmd_set_speaker", json!({"segment_ids": [three], "name": name}));
        assert_eq!(bleed_of(&desk), expected, "{name}");
    }
}

#[test]
fn what_is_known_of_segments_is_written_by_hand() {
    let mut desk = spoken();
    let (one, two) = (SegmentId::new(1), SegmentId::new(2));
    let pace = Fact {
        value: json!(140),
        unit: Some("words/min".into()),
        confidence: Some(0.4),
        by: "tool_x".into(),
    };
    let facts = &mut desk.session.segments.get_mut(&one).unwrap().description.facts;
    facts.insert("pace".into(), pace);
    let facts = json!({"pace": 150, "mood": "excited", "off_mic": true});
    desk.ops("cmd_set_description", json!({"segment_ids": [two, one], "facts": facts}));
    let known = |desk: &Desk, id: SegmentId| desk.session.segments[&id].description.facts.clone();
    let pace = &known(&desk, one)["pace"];
    assert_eq!(
        (&pace.value, pace.unit.as_deref(), pace.confidence),
        (&json!(150), Some("words/min"), None)
    );
    assert_eq!(known(&desk, two)["mood"].by, "cmd_set_description");
    let none = json!({"segment_ids": [one], "facts": {"mood": null}});
    let draft = desk.plan("cmd_set_description", none.clone());
    assert_eq!(draft.summary, "Describe 1 segment: without mood");
    desk.ops("cmd_set_description", none);
    assert_eq!(known(&desk, one).keys().collect::<Vec<_>>(), ["off_mic", "pace"]);
}

#[test]
fn a_description_that_is_none_is_refused() {
    let desk = spoken();
    let refused = |facts: serde_json::Value| {
        let params = json!({"segment_ids": [SegmentId::new(1)], "facts": facts});
        desk.call("cmd_set_description", params).unwrap_err().to_string()
    };
    assert!(refused(json!({"mood": ["a"]})).contains("\"mood\" is a list"));
    assert!(refused(json!({})).contains("nothing to describe"));
    assert!(refused(json!({"": 1})).contains("1 to 60 characters"));
}
