//! A talk with two microphones, and its speakers.

use super::tests::{calls, model, word};
use crate::action::Gesture;
use crate::live::Motion;
use crate::testing::{UserInput as _, spoken};
use crate::ui_tests::harness;
use deskhand_dsp::Frames;
use deskhand_session::{BLEED_OF, Fact, SegmentId, Session};
use egui_kittest::kittest::Queryable as _;
use serde_json::json;

/// Bleed from the first microphone's speaker on the second microphone.
const HEARD: &str = "Ben: that the tide won't take away.";

fn with_bleed() -> Session {
    let mut session = spoken();
    let fact = json!({"value": "Ben", "by": "tool_mark_speakers"});
    let fact: Fact = serde_json::from_value(fact).unwrap();
    let segment = session.segments.get_mut(&SegmentId::new(4)).unwrap();
    segment.description.facts.insert(BLEED_OF.into(), fact);
    session
}

#[test]
fn what_another_microphone_heard_is_left_out_until_it_is_asked_for() {
    let mut bench = harness(model(with_bleed()));
    assert!(bench.query_by_label_contains(HEARD).is_none());
    assert!(bench.query_by_label("1 phrase left out: bleed from other speakers").is_some());
    bench.click_on("Show bleed");
    assert!(bench.query_by_label(&format!("{HEARD}, bleed")).is_some(), "it says what it is");
    bench.click_on("Leave out");
    assert!(bench.query_by_label_contains(HEARD).is_none());
}

#[test]
fn where_nobody_told_the_speakers_apart_the_way_to_it_is_offered() {
    let mut session = spoken();
    let words = session.segments[&SegmentId::new(1)].words.clone();
    let twin = session.segments.get_mut(&SegmentId::new(3)).unwrap();
    (twin.words, twin.length) = (words, Frames(192_000));
    let named = harness(model(session.clone()));
    assert!(named.query_by_label("Mark who speaks").is_none(), "it was done");
    session.segments.values_mut().for_each(|segment| segment.speaker = None);
    let mut bench = harness(model(session));
    bench.click_on("Mark who speaks");
    let params = json!({"targets": "all", "speaker_format": "track"});
    assert_eq!(calls(&bench), [(Gesture::MarkSpeakers, params)]);
}

#[test]
fn takes_of_a_line_that_begin_at_once_and_drift_apart_are_no_bleed() {
    let mut session = spoken();
    let mut words = session.segments[&SegmentId::new(1)].words.clone();
    for word in &mut words {
        // A fifth slower.
        (word.start, word.end) = (Frames(word.start.0 * 6 / 5), Frames(word.end.0 * 6 / 5));
    }
    let take = session.segments.get_mut(&SegmentId::new(3)).unwrap();
    (take.words, take.length) = (words, Frames(230_400));
    session.segments.values_mut().for_each(|segment| segment.speaker = None);
    let bench = harness(model(session));
    assert!(bench.query_by_label("Mark who speaks").is_none());
}

#[test]
fn other_words_at_once_are_no_bleed() {
    let mut session = spoken();
    session.segments.values_mut().for_each(|segment| segment.speaker = None);
    let bench = harness(model(session));
    assert!(bench.query_by_label("Mark who speaks").is_none());
}

/// How the names of two speakers are shown, and where the words begin.
fn shown(names: [&str; 2]) -> ([String; 2], f32) {
    let mut session = spoken();
    let spoken = session.segments.values_mut().filter(|segment| segment.speaker.is_some());
    for (segment, name) in spoken.zip(names.into_iter().cycle()) {
        segment.speaker = Some(name.to_owned());
    }
    let bench = harness(model(session));
    let made = bench.state().model.desk.words.transcript.made.as_ref().unwrap();
    (names.map(|name| made.names.shown(name).to_owned()), made.left)
}

#[test]
fn speakers_whose_names_differ_at_their_end_stay_apart() {
    let (names, narrow) = shown(["Speaker 1", "Speaker 2"]);
    assert_eq!(names, ["Speaker 1", "Speaker 2"], "there is room for all of it");
    let long = ["Interviewer of the northern hall 1", "Interviewer of the northern hall 2"];
    let ([first, second], wide) = shown(long);
    assert!(first.starts_with("Inter") && first.ends_with(" 1"), "{first}");
    assert!(second.ends_with(" 2") && second.contains('…'), "{second}");
    assert!(narrow < wide && wide < 240.0, "the words keep most of the room: {wide}");
}

#[test]
fn of_two_microphones_the_one_in_which_somebody_speaks_is_followed() {
    let mut bench = harness(model(spoken()));
    // The first one's last word began at 3.5 s, the second one's phrase at 4 s.
    let live = &mut bench.state_mut().model.live;
    (live.position, live.motion) = (Frames(200_000), Motion::Playing);
    bench.run_steps(3);
    let view = &bench.state().model.desk.words.transcript;
    let script = &view.made.as_ref().unwrap().script;
    let begun = script.parts.iter().find(|part| part.id == SegmentId::new(4)).unwrap().first;
    assert_eq!(view.followed, script.line_of(begun));
    assert!(word(&bench, begun).height() > 0.0, "it is in view");
}
