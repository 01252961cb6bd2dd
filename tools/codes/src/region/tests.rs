//! Tests of coding one place.

use crate::testing::{at_once, code, say, spoken};
use deskhand_dsp::Frames;
use deskhand_session::{Coding, FrequencyBand, Phrase, PhraseId, Segment, SegmentId, Track};
use deskhand_toolkit::testing::{Desk, SECOND, tone};
use serde_json::{Value, json};

fn coded(desk: &Desk) -> Vec<&Segment> {
    desk.session.segments.values().filter(|segment| !segment.codings.is_empty()).collect()
}

#[test]
fn a_region_counts_from_the_start_of_its_clip() {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Voice"));
    let clip = desk.clip(track, "Talk", 90 * SECOND, tone(200.0, -20.0, 10.0));
    let clip = desk.session.clips.get_mut(&clip).unwrap();
    (clip.start, clip.length) = (Frames(2 * SECOND), Frames(5 * SECOND));
    code(&mut desk, "Laughter");
    let params = json!({"code": "laughter", "target": "Talk", "start_ms": 1000, "end_ms": 5000, "transcript": "Ha ha"});
    let draft = desk.settle("tool_code_region", &params);
    assert_eq!(draft.summary, "Code 1:31.000 to 1:35.000 of \"Talk\" as \"Laughter\"");
    let segment = coded(&desk)[0];
    assert_eq!((segment.start, segment.end()), (Frames(3 * SECOND), Frames(7 * SECOND)));
    assert_eq!(segment.description.facts["transcript"].value, "Ha ha");
    let again = desk.plan("tool_code_region", params);
    assert_eq!(again.answer.unwrap()["already_coded"], true);
    let id = desk.session.segments.keys().next().unwrap().to_string();
    let off = desk.plan("tool_uncode", json!({"segment_id": id, "code": "Laughter"}));
    assert_eq!(off.changes[0].name, "Ha ha");
    desk.apply(&off);
    assert!(desk.session.segments.is_empty(), "what was noted with the code goes with it");
    let none = desk.plan("tool_uncode", json!({"segment_id": [id.clone()]}));
    assert_eq!(none.summary, "That segment is not coded so");
}

#[test]
fn without_a_target_a_region_is_on_the_timeline() {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Voice"));
    desk.clip(track, "Talk", 90 * SECOND, tone(200.0, -20.0, 10.0));
    desk.clip(track, "More", 100 * SECOND, tone(200.0, -20.0, 10.0));
    code(&mut desk, "Laughter");
    let on = |from: u32, to: u32| json!({"code": "Laughter", "start_ms": from, "end_ms": to});
    let draft = desk.settle("tool_code_region", &on(101_000, 103_000));
    assert_eq!(draft.summary, "Code 1:41.000 to 1:43.000 of \"More\" as \"Laughter\"");
    let across = desk.refusal("tool_code_region", on(99_000, 101_000));
    assert!(across.contains("none plays from there to there"), "{across}");
    let other = desk.track(Track::audio("Other"));
    desk.clip(other, "Also", 100 * SECOND, tone(300.0, -20.0, 10.0));
    let two = desk.refusal("tool_code_region", on(101_000, 103_000));
    assert!(two.contains("2 play there"), "{two}");
}

#[test]
fn what_is_coded_where_something_is_said_is_taken_off_there() {
    let mut desk = Desk::new(crate::all());
    spoken(&mut desk, "garden.wav", &["-: listen to the birds", "-: the price went up"]);
    for name in ["Bird", "Price"] {
        code(&mut desk, name);
        let text = if name == "Bird" { "birds" } else { "price" };
        desk.settle("tool_code_exact", &json!({"code": name, "text": text}));
    }
    let said = |desk: &Desk, word: &str| -> String {
        let holds = |segment: &Segment| segment.codings.is_empty() && segment.text().contains(word);
        let found = desk.session.segments.iter().find(|(_, segment)| holds(segment));
        found.unwrap().0.to_string()
    };
    let birds = said(&desk, "birds");
    desk.settle("tool_uncode", &json!({"segment_id": birds}));
    assert_eq!(coded(&desk).len(), 1);
    desk.settle("tool_uncode", &json!({"code": "Price", "everywhere": true}));
    assert!(coded(&desk).is_empty());
    let bare = desk.refusal("tool_uncode", json!({"everywhere": true}));
    assert!(bare.contains("does not say what to take codes off"), "{bare}");
}

#[test]
fn a_rectangle_on_the_spectrogram_has_a_band() {
    let mut desk = Desk::new(crate::all());
    spoken(&mut desk, "garden.wav", &["-: listen to the birds"]);
    code(&mut desk, "Bird");
    let params = json!({"code": "Bird", "target": "garden.wav", "x": 500, "y": 3000, "width": 250, "height": 2500.5});
    let draft = desk.settle("tool_code_spectral", &params);
    assert_eq!(
        draft.summary,
        "Code \"listen\" at 0:00.500 to 0:00.750 of the recording \"garden.wav\", 3000 to 5500.5 Hz \
         as \"Bird\""
    );
    let band = FrequencyBand { low_hz: 3000.0, high_hz: 5500.5 };
    assert_eq!(coded(&desk)[0].band, Some(band));
    let time = json!({"code": "Bird", "target": "garden.wav", "start_ms": 500, "end_ms": 750});
    desk.settle("tool_code_region", &time);
    assert_eq!(coded(&desk).len(), 2, "the same time in all frequencies is another place");
}

#[test]
fn places_outside_the_target_are_refused() {
    let mut desk = Desk::new(crate::all());
    spoken(&mut desk, "talk.wav", &["-: three words here"]);
    code(&mut desk, "X");
    let region = |start: Value, end: Value| json!({"code": "X", "target": "talk.wav", "start_ms": start, "end_ms": end});
    for params in [
        region(json!(0), json!(3002)),
        region(json!(2000), json!(2000)),
        region(json!(2000), json!(1000)),
        region(json!(1e300), json!(1e301)),
    ] {
        let refusal = desk.refusal("tool_code_region", params);
        assert!(refusal.contains("it begins at 0 and ends at 3 s, 3000 ms"), "{refusal}");
    }
    let wrong = desk.refusal("tool_code_region", region(json!(2500), json!(1000.7)));
    assert!(wrong.contains("2.5 to 1.001 s is no stretch of \"talk.wav\""), "{wrong}");
    let band = |y: f64, height: f64| json!({"code": "X", "target": "talk.wav", "x": 0, "y": y, "width": 100, "height": height});
    for params in [band(0.0, 24_001.0), band(100.0, 0.0), band(1e308, 1e308)] {
        let refusal = desk.refusal("tool_code_spectral", params);
        assert!(refusal.contains("ends at 24000 Hz or lower"), "{refusal}");
    }
    let unknown = json!({"code_id": "Y", "target": "talk.wav", "start_ms": 0, "end_ms": 1});
    assert!(desk.refusal("tool_code_region", unknown).contains("no code is called \"Y\""));
    let long = "x".repeat(201);
    for name in [" ", "a\u{7}", long.as_str()] {
        let nameless = json!({"code": name, "target": "talk.wav", "start_ms": 0, "end_ms": 1});
        let refusal = desk.refusal("tool_code_region", nameless);
        assert!(refusal.contains("is no name of a code"), "{refusal}");
        assert!(refusal.contains("1 to 200 characters") && !refusal.contains('\u{7}'), "{refusal}");
    }
}

#[test]
fn a_code_that_is_not_there_is_made_in_the_same_step() {
    let mut desk = Desk::new(crate::all());
    spoken(&mut desk, "talk.wav", &["-: three words here"]);
    let draft = desk.settle(
        "tool_code_region",
        &json!({"code": "Laughter", "target": "talk.wav", "start_ms": 0, "end_ms": 500}),
    );
    assert_eq!(
        draft.summary,
        "Code 0:00.000 to 0:00.500 of the recording \"talk.wav\" as the new code \"Laughter\""
    );
    let rectangle = json!({"code": "Bird", "target": "talk.wav", "x": 0, "y": 3000, "width": 250, "height": 2500});
    desk.settle("tool_code_spectral", &rectangle);
    let codes: Vec<&str> = desk.session.codes.values().map(|code| code.name.as_str()).collect();
    assert_eq!((coded(&desk).len(), codes.len()), (2, 2), "{codes:?}");
}

#[test]
fn importance_is_a_mark_that_comes_and_goes() {
    let mut desk = Desk::new(crate::all());
    spoken(&mut desk, "talk.wav", &["-: three words here"]);
    let id = desk.session.segments.keys().next().unwrap().to_string();
    let mark = |importance: u8| json!({"segment_id": id, "importance": importance});
    let draft = desk.settle("tool_set_importance", &mark(1));
    assert_eq!(
        (draft.summary.as_str(), draft.answer),
        ("Mark \"three words here\" as important", Some(json!({"success": true})))
    );
    desk.settle("tool_set_importance", &mark(0));
    assert!(desk.refusal("tool_set_importance", mark(2)).contains("importance is at most 1"));
    let none = desk
        .refusal("tool_set_importance", json!({"segment_id": "seg_00000000000f", "importance": 1}));
    assert!(none.contains("does not exist"), "{none}");
}

#[test]
fn what_is_heard_in_a_time_is_important() {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Voice"));
    let clip = desk.clip(track, "Talk", 10 * SECOND, tone(200.0, -20.0, 10.0));
    let source = desk.session.clips[&clip].source;
    say(&mut desk, source, &["-: one two", "-: three four", "-: five"]);
    let times = |from: f64, to: f64| json!({"from_s": from, "to_s": to, "importance": 1});
    let draft = desk.settle("tool_set_importance", &times(11.5, 12.5));
    assert_eq!(draft.summary, "Mark 2 segments as important");
    let marked = desk.session.segments.values().filter(|segment| segment.important);
    assert_eq!(marked.map(Segment::text).collect::<Vec<_>>(), ["one two", "three four"]);
    let none = desk.refusal("tool_set_importance", times(1.0, 2.0));
    assert!(none.starts_with("no words are known there"), "{none}");
    let back = desk.refusal("tool_set_importance", times(2.0, 1.0));
    assert!(back.starts_with("it does not say what"), "{back}");
}

#[test]
fn a_phrase_is_coded_as_a_region_of_its_recording() {
    let mut desk = Desk::new(crate::all());
    spoken(&mut desk, "talk.wav", &["-: one two", "-: three four"]);
    let segments = vec![*desk.session.segments.keys().nth(1).unwrap()];
    desk.session.phrases.insert(PhraseId::new(1), Phrase { segments });
    let params = json!({"code": "Money", "phrase": PhraseId::new(1)});
    desk.settle("tool_code_region", &params);
    let segment = coded(&desk)[0];
    assert_eq!((segment.start, segment.end()), (Frames(2 * SECOND), Frames(4 * SECOND)));
    let both = json!({"code": "Money", "phrase": PhraseId::new(1), "start_ms": 0, "end_ms": 500});
    assert!(desk.refusal("tool_code_region", both).starts_with("it does not say from when"));
}

#[test]
fn of_people_who_talk_at_once_one_is_named() {
    let mut desk = Desk::new(crate::all());
    at_once(&mut desk);
    let draft = desk.settle("tool_code_exact", &json!({"code": "Rent", "text": "awful"}));
    let id = draft.changes[1].change.target().to_string();
    let draft = desk.settle("tool_set_importance", &json!({"segment_id": id, "importance": 1}));
    assert_eq!(draft.summary, "Mark \"awful.\" as important");
}

#[test]
fn a_note_is_kept_where_another_code_is_already() {
    let mut desk = Desk::new(crate::all());
    spoken(&mut desk, "talk.wav", &["-: three words here"]);
    let region =
        |code: &str| json!({"code": code, "target": "talk.wav", "start_ms": 0, "end_ms": 500});
    desk.settle("tool_code_region", &region("Laughter"));
    let mut noted = region("Loud");
    noted["transcript"] = json!("she laughs");
    desk.settle("tool_code_region", &noted);
    let [segment] = coded(&desk)[..] else { panic!("one place") };
    assert_eq!(segment.codings.len(), 2);
    assert_eq!(segment.description.facts["transcript"].value, "she laughs");
}

#[test]
fn codings_of_one_coder_are_taken_off_and_others_stay() {
    let mut desk = Desk::new(crate::all());
    spoken(&mut desk, "talk.wav", &["-: three words here"]);
    let region = json!({"code": "X", "target": "talk.wav", "start_ms": 0, "end_ms": 500});
    let draft = desk.settle("tool_code_region", &region);
    let id = draft.answer.as_ref().unwrap()["segment_id"].as_str().unwrap().to_owned();
    let key: SegmentId = id.parse().unwrap();
    let segment = desk.session.segments.get_mut(&key).unwrap();
    let bea = Coding::new(segment.codings[0].code, Some("Bea".into()));
    segment.codings.push(bea);
    let unknown = desk.refusal("tool_uncode", json!({"segment_id": id, "coder": "Eve"}));
    assert!(unknown.contains("no coder is called \"Eve\""), "{unknown}");
    let batch = &draft.answer.as_ref().unwrap()["batch_id"];
    let none = desk.plan("tool_uncode", json!({"batch_id": batch, "coder": "Bea"}));
    assert_eq!(none.summary, "Nothing of that batch is coded so");
    let off = desk.settle_once("tool_uncode", json!({"segment_id": id, "coder": "bea"}));
    let told = "Take \"X\" by Bea off 0:00.000 to 0:00.500 of the recording \"talk.wav\"";
    assert_eq!(off.summary, told);
    assert_eq!(off.answer.as_ref().unwrap()["codings_removed"], 1);
    let left: Vec<_> = coded(&desk)[0].codings.iter().map(|coding| &coding.coder).collect();
    assert_eq!(left, [&None::<String>]);
    desk.settle_once("tool_uncode", json!({"segment_id": id, "coder": "this session"}));
    assert!(coded(&desk).is_empty());
}
