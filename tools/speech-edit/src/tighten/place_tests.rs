//! Tests of which sounds count as fillers.

use super::tests::{HOST, end, ops, reasons};
use crate::assembly::tests::{Line, recording, written};
use deskhand_session::{BLEED_OF, Fact, Segment, SourceId, Track};
use deskhand_toolkit::Draft;
use deskhand_toolkit::testing::{Desk, SECOND, noise, tone};
use serde_json::{Value, json};

#[test]
fn a_number_is_never_taken_for_a_filler() {
    // Said in two seconds, and written down too late and too short.
    let said: [Line; 4] =
        [(0.5, 1.0, "We paid"), (1.6, 2.9, "$250,000"), (3.0, 3.5, "for it."), (4.0, 4.4, "Um,")];
    let sounds: [Line; 4] = [(0.5, 1.0, ""), (1.1, 2.98, ""), (3.0, 3.5, ""), (4.0, 4.4, "")];
    for (written_down, cuts) in [(&said[..3], 0), (&said[..], 1)] {
        let mut desk = Desk::new(crate::testing::tools());
        let track = desk.track(Track::audio("Voice"));
        let sounds = &sounds[..written_down.len()];
        let clip = desk.clip(track, "Talk", 0, recording(6.0, sounds, 140.0));
        let source = desk.session.clips[&clip].source;
        written(&mut desk, source, "Host", written_down);
        let draft = desk.plan("tool_tighten", json!({"targets": "all", "fillers": true}));
        assert_eq!(reasons(&draft).len(), cuts, "{:?}", reasons(&draft));
    }
}

/// Two microphones of a group; each hears the other's speaker 18 dB softer. Also the guest's source.
fn bleeding() -> (Desk, SourceId) {
    let guest = [(4.2, 5.6, "Tell me all of it.")];
    let mut desk = Desk::new(crate::testing::tools());
    let voices = [recording(14.0, &HOST, 220.0), recording(14.0, &guest, 330.0)];
    for (n, (name, lines)) in [("Host", &HOST[..]), ("Guest", &guest[..])].iter().enumerate() {
        let track = desk.track(Track::audio(*name));
        let pairs = voices[n].iter().zip(&voices[1 - n]);
        let clip =
            desk.clip(track, name, 0, pairs.map(|(own, other)| own + other * 0.126).collect());
        let source = desk.session.clips[&clip].source;
        written(&mut desk, source, name, lines);
    }
    desk.apply(&desk.plan("cmd_set_group", json!({"name": "Talk", "targets": "all"})));
    (desk, SourceId::new(2))
}

#[test]
fn a_filler_is_cut_though_the_other_microphone_hears_it() {
    let (desk, _) = bleeding();
    let draft = desk.plan("tool_tighten", json!({"targets": "all", "fillers": true}));
    let found = reasons(&draft);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("\"um,\" at 0:01"), "{found:?}");
    assert_eq!(draft.warnings, Vec::<String>::new());
}

#[test]
fn what_is_written_down_of_another_speaker_is_no_filler_that_is_left_in() {
    let (mut desk, guest) = bleeding();
    written(&mut desk, guest, "Host", &HOST);
    let fact = Fact { value: json!("Host"), unit: None, confidence: None, by: "test".into() };
    let is_copy = |it: &&mut Segment| it.source == guest && it.speaker.as_deref() == Some("Host");
    for copy in desk.session.segments.values_mut().filter(is_copy) {
        copy.description.facts.insert(BLEED_OF.into(), fact.clone());
    }
    let params = json!({"targets": "all", "fillers": true, "false_starts": true});
    let draft = desk.plan("tool_tighten", params);
    assert_eq!(reasons(&draft).len(), 2, "{:?}", reasons(&draft));
    assert_eq!(draft.warnings, Vec::<String>::new(), "they are cut, and not left in");
}

#[test]
fn a_filler_is_heard_where_no_word_is() {
    let mut desk = Desk::new(crate::testing::tools());
    let track = desk.track(Track::audio("Voice"));
    let lines: [Line; 2] = [(0.5, 1.5, "So we went"), (3.0, 4.0, "to the sea.")];
    let mut audio = recording(5.0, &lines, 220.0);
    let add = |audio: &mut Vec<f32>, at: f64, sound: Vec<f32>| {
        let from = (at * SECOND as f64) as usize;
        audio[from..].iter_mut().zip(sound).for_each(|(sample, more)| *sample += more);
    };
    add(&mut audio, 1.7, tone(140.0, -20.0, 0.4));
    add(&mut audio, 2.4, noise(-24.0, 0.4));
    let clip = desk.clip(track, "Talk", 0, audio);
    let source = desk.session.clips[&clip].source;
    written(&mut desk, source, "Host", &lines);
    let draft = desk.settle("tool_tighten", &json!({"targets": "all", "fillers": true}));
    let found = reasons(&draft);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("a filler that is not written down at 0:01.6"), "{found:?}");
    let gone = 5.0 - end(&desk, track);
    assert!((0.38..0.55).contains(&gone), "{gone}");
}

#[test]
fn a_filler_without_length_is_cut_where_it_sounds() {
    // As Whisper writes it: at the start of the next word, without any length.
    let said: [Line; 3] = [(0.5, 1.5, "So we went"), (2.59, 2.6, "um,"), (2.6, 3.6, "to the sea.")];
    let mut desk = Desk::new(crate::testing::tools());
    let track = desk.track(Track::audio("Voice"));
    let sounds: [Line; 3] = [(0.5, 1.5, ""), (2.0, 2.45, ""), (2.6, 3.6, "")];
    let clip = desk.clip(track, "Talk", 0, recording(5.0, &sounds, 220.0));
    let source = desk.session.clips[&clip].source;
    written(&mut desk, source, "Host", &said);
    let draft = desk.settle("tool_tighten", &json!({"targets": "all", "fillers": true}));
    let found = reasons(&draft);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("\"um,\" at 0:0"), "{found:?}");
    let cut = serde_json::to_value(&ops(&draft, "ripple_delete")[0].change).unwrap();
    let at = |frames: &Value| frames.as_i64().unwrap() as f64 / SECOND as f64;
    let (start, length) = (at(&cut["before"]["at"]), at(&cut["before"]["length"]));
    assert!(start < 2.03 && (2.43..2.6).contains(&(start + length)), "{start} {length}");
}

/// The plan that cuts the fillers of a talk, given the transcript and the sounds.
fn drafted(said: &[Line], sounds: &[Line]) -> Draft {
    let mut desk = Desk::new(crate::testing::tools());
    let track = desk.track(Track::audio("Voice"));
    let clip = desk.clip(track, "Talk", 0, recording(6.0, sounds, 220.0));
    let source = desk.session.clips[&clip].source;
    written(&mut desk, source, "Host", said);
    desk.plan("tool_tighten", json!({"targets": "all", "fillers": true}))
}

/// Where the one filler of a talk is cut, in s, given the transcript and the sounds.
fn cut_of(said: &[Line], sounds: &[Line]) -> (f64, f64) {
    let draft = drafted(said, sounds);
    let found = ops(&draft, "ripple_delete");
    assert_eq!(found.len(), 1, "{:?}", reasons(&draft));
    let cut = serde_json::to_value(&found[0].change).unwrap();
    let at = |name: &str| cut["before"][name].as_i64().unwrap() as f64 / SECOND as f64;
    (at("at"), at("at") + at("length"))
}

#[test]
fn a_filler_that_is_written_over_the_pause_behind_it_is_cut_and_no_word_is() {
    // As a better network writes it: it begins in time and ends where the next word begins; so does the
    // previous word.
    let said: [Line; 4] = [
        (0.5, 1.0, "the main"),
        (1.0, 1.92, "problem,"),
        (1.93, 2.63, "um,"),
        (2.63, 3.6, "is that"),
    ];
    let sounds: [Line; 3] = [(0.5, 1.62, ""), (1.95, 2.32, ""), (2.68, 3.6, "")];
    let (start, end) = cut_of(&said, &sounds);
    assert!((1.6..1.97).contains(&start) && (2.3..2.7).contains(&end), "{start} {end}");
    // Late, after its sound, with the previous word stretched over it.
    let late: [Line; 4] = [
        (0.5, 1.0, "the main"),
        (1.0, 2.4, "problem,"),
        (2.4, 2.63, "um,"),
        (2.63, 3.6, "is that"),
    ];
    let (start, end) = cut_of(&late, &sounds);
    assert!((1.6..1.97).contains(&start) && (2.3..2.7).contains(&end), "{start} {end}");
}

#[test]
fn the_word_ahead_of_a_filler_keeps_a_sound_of_its_own() {
    // A small network writes short words after their sounds, in the pause before the filler.
    let late: [Line; 4] = [
        (0.3, 1.5, "It was good."),
        (2.9, 3.13, "So,"),
        (3.13, 3.8, "um,"),
        (3.8, 5.0, "I took it"),
    ];
    let sounds: [Line; 4] = [(0.3, 1.5, ""), (2.43, 2.84, ""), (3.05, 3.39, ""), (3.6, 5.0, "")];
    let (start, end) = cut_of(&late, &sounds);
    assert!((2.8..3.1).contains(&start) && (3.35..3.65).contains(&end), "{start} {end}");
    // Or far too early, over the pause, its own sound and the filler's.
    let early: [Line; 4] = [
        (0.3, 1.5, "It was good"),
        (1.72, 3.34, "and,"),
        (3.34, 3.94, "uh,"),
        (3.94, 5.0, "we never"),
    ];
    let sounds: [Line; 4] = [(0.3, 1.45, ""), (2.8, 3.06, ""), (3.28, 3.51, ""), (3.72, 5.0, "")];
    let (start, end) = cut_of(&early, &sounds);
    assert!((3.02..3.32).contains(&start) && (3.45..3.8).contains(&end), "{start} {end}");
}

#[test]
fn a_filler_that_is_written_far_too_late_is_cut_once_and_where_it_sounds() {
    let said: [Line; 5] = [
        (0.3, 0.8, "So we"),
        (2.0, 2.8, "went out"),
        (3.0, 3.8, "to sea,"),
        (3.9, 4.0, "um,"),
        (4.0, 4.6, "and came"),
    ];
    let sounds: [Line; 5] =
        [(0.3, 0.8, ""), (1.2, 1.6, ""), (2.0, 2.8, ""), (3.0, 3.8, ""), (4.0, 4.6, "")];
    let (start, end) = cut_of(&said, &sounds);
    assert!((0.8..1.25).contains(&start) && (1.55..1.8).contains(&end), "{start} {end}");
}

#[test]
fn a_short_filler_is_cut_from_its_pause_to_the_next_word() {
    let said: [Line; 3] = [(0.5, 1.5, "So we went"), (2.39, 2.4, "um,"), (2.4, 3.2, "and came")];
    let mut desk = Desk::new(crate::testing::tools());
    let track = desk.track(Track::audio("Voice"));
    let mut audio = recording(5.0, &said[..1], 220.0);
    // Only its middle is held; the part before it and the next word are breathed.
    for (at, sound) in [(2.0, noise(-22.0, 1.2)), (2.13, tone(140.0, -18.0, 0.2))] {
        let from = (at * SECOND as f64) as usize;
        audio[from..].iter_mut().zip(sound).for_each(|(sample, more)| *sample += more);
    }
    let clip = desk.clip(track, "Talk", 0, audio);
    let source = desk.session.clips[&clip].source;
    written(&mut desk, source, "Host", &said);
    let draft = desk.plan("tool_tighten", json!({"targets": "all", "fillers": true}));
    let found = ops(&draft, "ripple_delete");
    assert_eq!(found.len(), 1, "{:?}", reasons(&draft));
    let cut = serde_json::to_value(&found[0].change).unwrap();
    let at = |name: &str| cut["before"][name].as_i64().unwrap() as f64 / SECOND as f64;
    let (start, end) = (at("at"), at("at") + at("length"));
    assert!(start < 2.02 && (2.3..2.47).contains(&end), "{start} {end}");
}

#[test]
fn a_cut_ends_where_the_next_word_begins() {
    for next in [3.31, 3.29] {
        let said: [Line; 3] =
            [(0.5, 1.5, "So we went"), (2.88, 3.25, "um,"), (next, 3.9, "and came")];
        let (start, end) = cut_of(&said, &said.map(|(from, to, _)| (from, to, "")));
        assert!(start > 1.5 && (3.23..next + 0.006).contains(&end), "{start} {end}");
    }
}

#[test]
fn a_filler_is_found_where_each_word_is_written_at_the_sound_of_the_next() {
    let late: [Line; 3] =
        [(0.56, 1.24, "Well,"), (1.24, 1.4, "um,"), (1.4, 2.92, "the harvest was good.")];
    let sounds: [Line; 3] = [(0.05, 0.38, ""), (0.59, 0.93, ""), (1.16, 2.47, "")];
    let (start, end) = cut_of(&late, &sounds);
    assert!((0.36..0.62).contains(&start) && (0.9..1.18).contains(&end), "{start} {end}");
    // After another sentence.
    let late: [Line; 4] = [
        (0.3, 1.5, "It was fine."),
        (2.96, 3.44, "So,"),
        (3.44, 3.78, "uh,"),
        (3.78, 5.4, "we left the village."),
    ];
    let sounds: [Line; 4] = [(0.3, 1.5, ""), (2.5, 2.97, ""), (3.15, 3.45, ""), (3.63, 5.4, "")];
    let (start, end) = cut_of(&late, &sounds);
    assert!((2.95..3.18).contains(&start) && (3.42..3.65).contains(&end), "{start} {end}");
    // The word after it begins just where it is written.
    let late: [Line; 4] = [
        (0.3, 1.9, "In the end nobody paid."),
        (3.27, 3.79, "They,"),
        (3.79, 4.17, "um,"),
        (4.17, 5.0, "closed the factory."),
    ];
    let sounds: [Line; 4] = [(0.3, 1.87, ""), (2.74, 3.09, ""), (3.23, 3.55, ""), (3.74, 4.88, "")];
    let (start, end) = cut_of(&late, &sounds);
    assert!((3.07..3.26).contains(&start) && (3.5..3.76).contains(&end), "{start} {end}");
}

#[test]
fn a_filler_that_may_be_one_of_two_sounds_is_left_in_and_told() {
    // The words before the filler fit as many sounds if they are late as if all are in time.
    let said: [Line; 4] = [
        (0.3, 1.9, "In the end nobody paid."),
        (3.17, 3.69, "They,"),
        (3.69, 4.07, "um,"),
        (4.07, 5.3, "closed the factory."),
    ];
    let sounds: [Line; 6] = [
        (0.3, 1.87, ""),
        (2.74, 3.09, ""),
        (3.23, 3.55, ""),
        (3.74, 4.11, ""),
        (4.19, 4.52, ""),
        (4.65, 4.88, ""),
    ];
    let draft = drafted(&said, &sounds);
    assert_eq!(draft.changes, [], "{:?}", reasons(&draft));
    let told = "\"um,\" at 0:03.690: could not be placed among the sounds there, left in; listen \
                and cut by hand";
    assert_eq!(draft.warnings, [told]);
}

#[test]
fn a_filler_in_a_sound_that_goes_on_is_placed_by_its_time() {
    // Nothing is between two pauses that the words could be laid along.
    let said: [Line; 3] = [(0.5, 1.5, "So we went"), (1.5, 1.9, "um,"), (1.9, 3.2, "to the sea.")];
    let sounds: [Line; 1] = [(0.5, 3.2, "")];
    let (start, end) = cut_of(&said, &sounds);
    assert!(start > 1.4 && end < 2.0, "{start} {end}");
}

/// How many fillers that are not written down are found in a talk.
fn unwritten(said: &[Line], sounds: &[Line]) -> usize {
    let found = reasons(&drafted(said, sounds));
    found.iter().filter(|it| it.starts_with("a filler that is not written down")).count()
}

#[test]
fn a_word_of_no_time_has_the_sound_that_it_lacks_and_what_is_more_is_a_filler() {
    let said: [Line; 3] = [(0.5, 1.5, "So we went."), (4.58, 4.6, "He"), (4.6, 5.3, "was not old")];
    for (start, found) in [(4.19, 0), (3.7, 1)] {
        let sounds: [Line; 2] = [(0.5, 1.5, ""), (start, 5.3, "")];
        assert_eq!(unwritten(&said, &sounds), found, "{start}");
    }
}

#[test]
fn the_last_word_of_a_sentence_ends_where_its_sound_does() {
    for (last, found) in [("representatives.", 0), ("representatives", 1)] {
        let said: [Line; 3] =
            [(0.5, 1.5, "by the next"), (1.5, 2.1, last), (3.6, 4.6, "He might even")];
        let sounds: [Line; 2] = [(0.5, 2.46, ""), (3.6, 4.6, "")];
        assert_eq!(unwritten(&said, &sounds), found, "{last}");
    }
}

#[test]
fn the_first_word_of_a_sentence_begins_where_its_sound_does() {
    for (ahead, found) in [("It was so.", 0), ("It was so", 1)] {
        let said: [Line; 3] =
            [(0.5, 1.5, ahead), (3.324, 3.724, "Weasels"), (3.724, 4.6, "have eaten")];
        let sounds: [Line; 2] = [(0.5, 1.5, ""), (2.95, 4.6, "")];
        assert_eq!(unwritten(&said, &sounds), found, "{ahead}");
    }
    // A filler that is written from far before it on begins with it all the same.
    let said: [Line; 2] = [(0.68, 1.9, "Hello,"), (1.9, 2.84, "world.")];
    assert_eq!(unwritten(&said, &[(1.08, 2.23, "")]), 0);
}
