//! Tests of the library as a person uses it: the facts of each source, search, the current source, a
//! window.

use crate::desk_tests::{call, desk, session};
use crate::testing::prelude::*;
use crate::testing::spoken;
use deskhand_dsp::SampleRate;
use deskhand_session::{ContentHash, Fact, Media, Segment, SegmentId, Source};
use egui::Shape;
use egui::accesskit::Toggled;

/// An open library of two sources that are played and transcribed, and a third.
fn shelf() -> Model {
    let mut model = open_model();
    let bells = Source {
        name: "Bells".into(),
        hash: ContentHash("Bells".into()),
        format: "AIFF 24 bit".into(),
        channels: 1,
        frames: Frames(48_000 * 83),
        media: Media::InPlace,
        ..session(&mut model).sources[&SourceId::new(1)].clone()
    };
    *session(&mut model) = spoken();
    session(&mut model).sources.insert(SourceId::new(9), bells);
    model.desk.library.is_open = true;
    model
}

#[test]
fn of_each_source_length_format_transcript_and_what_was_found_out_are_told() {
    let desk = desk(shelf());
    let told = [
        "Vocal: 1:00 · stereo · 48 kHz · WAV 16 bit; 1 clip · in place · 15 words · 1 coded; 2 speakers · not analyzed here",
        "Guitar: 1:00 · stereo · 48 kHz · WAV 16 bit; 1 clip · in place · 12 words; 2 speakers · not analyzed here",
        "Bells: 1:23 · mono · 48 kHz · AIFF 24 bit; unused · in place · no transcript; not analyzed here",
    ];
    for facts in told {
        assert!(desk.query_by_label(facts).is_some(), "{facts}");
    }
}

#[test]
fn a_take_that_was_recorded_here_is_not_called_converted() {
    let files =
        [("media/captures/armed-1.wav", "recorded here"), ("media/conformed/1.wav", "converted")];
    for (file, state) in files {
        let mut model = shelf();
        let bells = session(&mut model).sources.get_mut(&SourceId::new(9)).unwrap();
        bells.media = Media::Conformed(file.into());
        let told = format!("Bells: 1:23 · mono · 48 kHz · AIFF 24 bit; unused · {state} ·");
        assert!(desk(model).query_by_label_contains(&told).is_some(), "{told}");
    }
}

#[test]
fn what_was_listened_for_is_named() {
    let mut model = shelf();
    let vocal = SourceId::new(1);
    for (n, by) in
        ["tool_detect_key", "tool_analyze_spectrum", "cmd_set_description"].iter().enumerate()
    {
        let fact = Fact { value: json!("C"), unit: None, confidence: None, by: (*by).into() };
        let mut segment = Segment::new(vocal, Frames(n as i64), Frames(1));
        segment.description.facts.insert("it".into(), fact);
        session(&mut model).segments.insert(SegmentId::new(9_000 + n as u64), segment);
    }
    let desk = desk(model);
    let told = "Vocal: 1:00 · stereo · 48 kHz · WAV 16 bit; 1 clip · in place · 15 words · 1 coded; 2 speakers · analyzed: key, spectrum";
    assert!(desk.query_by_label(told).is_some());
}

#[test]
fn what_is_searched_for_is_left_and_nothing_found_is_said() {
    let mut desk = desk(shelf());
    desk.focus_on("Search library");
    desk.type_into("Search library", "bel");
    assert!(desk.query_by_label("Source Bells").is_some());
    assert!(desk.query_by_label("Source Vocal").is_none());
    desk.type_into("Search library", "fry");
    assert!(desk.query_by_label("Source Bells").is_none());
    assert!(desk.query_by_label("No source has this in its name.").is_some());
    desk.click_on("Clear the search");
    assert!(desk.query_by_label("Source Vocal").is_some());
    assert!(desk.query_by_label("Clear the search").is_none(), "there is nothing to clear");
}

#[test]
fn of_what_is_short_tenths_of_a_second_are_told() {
    let mut model = shelf();
    session(&mut model).sources.get_mut(&SourceId::new(9)).unwrap().frames = Frames(24_000);
    let desk = desk(model);
    assert!(desk.query_by_label_contains("Bells: 0:00.5").is_some());
}

#[test]
fn a_click_makes_a_source_the_current_one_and_another_does_nothing() {
    let mut desk = desk(shelf());
    let bells = SourceId::new(9);
    desk.click_on("Source Bells");
    assert_eq!(call(&desk), (Gesture::ChooseSource, json!({"source": bells})));
    session(&mut desk.state_mut().model).current_source = Some(bells);
    desk.run_steps(2);
    desk.click_on("Source Bells");
    assert_eq!(desk.state().actions.len(), 1, "it is that one");
    let is_current = |name: &str| desk.get_by_label(name).accesskit_node().toggled();
    assert_eq!(
        ["Source Bells", "Source Vocal"].map(is_current),
        [Some(Toggled::True), Some(Toggled::False)]
    );
}

#[test]
fn the_menu_of_a_source_shows_it_in_a_window() {
    let mut desk = desk(shelf());
    desk.get_by_label("Source Bells").click_secondary();
    desk.run_steps(3);
    desk.get_by_label_contains("Show in a window").click();
    desk.run_steps(4);
    desk.click_on("Spectrogram");
    let params = json!({
        "handle": "deskhand://sources/src_000000000009", "viewer": "spectrogram",
    });
    assert_eq!(call(&desk), (Gesture::OpenWindow, params));
}

#[test]
fn a_line_that_is_too_long_is_written_shorter_and_told_whole() {
    let mut model = shelf();
    let bells = session(&mut model).sources.get_mut(&SourceId::new(9)).unwrap();
    (bells.format, bells.channels) = ("WAV 32-bit float".into(), 2);
    (bells.rate, bells.frames) = (SampleRate(44_100), Frames(48_000 * 3_683));
    let desk = desk(model);
    let whole = "61:23 · stereo · 44.1 kHz · WAV 32-bit float";
    assert!(desk.query_by_label_contains(&format!("Bells: {whole};")).is_some());
    let drawn = |words: &str| {
        let is_it = |shape: &Shape| matches!(shape, Shape::Text(it) if it.galley.text() == words);
        desk.output().shapes.iter().filter(|it| is_it(&it.shape)).count()
    };
    let short = ["WAV 32 float", "WAV 32f"].map(|it| whole.replace("WAV 32-bit float", it));
    assert_eq!(drawn(&short[0]) + drawn(&short[1]), 1, "and nothing of it is cut");
    assert_eq!(drawn(whole), 0);
}
