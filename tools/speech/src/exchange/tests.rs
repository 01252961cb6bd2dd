//! Files in and out again, through the tools.

use super::{frame, micros};
use crate::testing::desk_at;
use crate::transcript::Micros;
use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::{BLEED_OF, Fact, Phrase, PhraseId};
use deskhand_toolkit::testing::Desk;
use proptest::prelude::*;
use serde_json::json;

const SRT: &str = "1\n00:00:01,000 --> 00:00:02,501\nAnn: Good morning everyone.\n\n\
                   2\n00:00:02,501 --> 00:00:04,000\nHello there\n\n";

fn desk(rate: u32) -> Desk {
    let mut desk = desk_at(rate);
    let source = desk.recording("talk.wav", i64::from(rate) * 10);
    let second = i64::from(rate);
    desk.clip_of("Talk", source, [second, 8 * second, 20 * second]);
    desk
}

fn written(desk: &Desk, name: &str, text: &str) -> String {
    let path = desk.folder().join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_file_comes_out_as_it_went_in_at_any_rate() {
    for rate in [44_100, 48_000, 96_000] {
        let mut desk = desk(rate);
        let file = written(&desk, "in.srt", SRT);
        let draft =
            desk.call("tool_import_transcript", json!({"file": file, "target": "talk.wav"}));
        let draft = draft.unwrap();
        assert_eq!(draft.summary, "Import 2 phrases of talk.wav");
        assert!(draft.warnings[0].contains("are estimated"), "{:?}", draft.warnings);
        desk.apply(&draft);
        let params = json!({"path": "out.srt", "targets": "talk.wav"});
        let answer = desk.call("tool_export_transcript", params).unwrap().answer.unwrap();
        assert_eq!((&answer["phrases"], &answer["words"]), (&json!(2), &json!(5)));
        assert_eq!(std::fs::read_to_string(desk.folder().join("out.srt")).unwrap(), SRT);
    }
}

#[test]
fn a_phrase_of_almost_no_length_comes_out_as_one_that_can_be_read_again() {
    let mut spoken = desk(48_000);
    let file = written(&spoken, "in.srt", SRT);
    let params = json!({"file": file, "target": "talk.wav"});
    spoken.apply(&spoken.call("tool_import_transcript", params).unwrap());
    for segment in spoken.session.segments.values_mut() {
        segment.length = Frames(3);
        for word in &mut segment.words {
            (word.start, word.end) = (segment.start, segment.start);
        }
    }
    for name in ["out.srt", "out.vtt", "out.txt"] {
        let params = json!({"path": name, "targets": "talk.wav"});
        spoken.call("tool_export_transcript", params).unwrap();
        let file = spoken.folder().join(name);
        let params = json!({"file": file, "target": "talk.wav"});
        let read = desk(48_000).call("tool_import_transcript", params).unwrap();
        assert_eq!(read.summary, "Import 2 phrases of talk.wav", "{name}");
    }
}

#[test]
fn what_a_microphone_heard_of_another_is_not_written_twice() {
    let mut desk = desk_at(48_000);
    let [ann, ben] = ["ann.wav", "ben.wav"].map(|name| desk.recording(name, 480_000));
    desk.clip_of("Ann", ann, [0, 480_000, 0]);
    desk.clip_of("Ben", ben, [0, 480_000, 0]);
    let file = written(&desk, "in.srt", SRT);
    for of in ["Ann", "Ben"] {
        let params = json!({"file": file, "target": of});
        let draft = desk.call("tool_import_transcript", params).unwrap();
        desk.apply(&draft);
    }
    let fact = Fact { value: json!("Ann"), unit: None, confidence: None, by: "test".into() };
    for segment in desk.session.segments.values_mut().filter(|segment| segment.source == ben) {
        segment.description.facts.insert(BLEED_OF.into(), fact.clone());
    }
    let export = |path: &str, targets: &[&str]| json!({"path": path, "targets": targets, "from": "timeline"});
    desk.call("tool_export_transcript", export("out.srt", &["Ann", "Ben"])).unwrap();
    assert_eq!(std::fs::read_to_string(desk.folder().join("out.srt")).unwrap(), SRT);
    let error = desk.call("tool_export_transcript", export("ben.srt", &["Ben"])).unwrap_err();
    assert!(error.to_string().contains("nothing is written down there"), "{error}");
}

#[test]
fn a_transcript_takes_the_next_free_name_where_it_is_asked_to() {
    let mut desk = desk(48_000);
    let file = written(&desk, "talk.srt", SRT);
    let import = desk.call("tool_import_transcript", json!({"file": file, "target": "talk.wav"}));
    desk.apply(&import.unwrap());
    std::fs::write(&file, "of somebody else").unwrap();
    let mut params = json!({"path": "talk.srt", "targets": "talk.wav"});
    let refusal = desk.call("tool_export_transcript", params.clone()).unwrap_err().to_string();
    assert!(refusal.contains("exists already"), "{refusal}");
    params["or_next_free"] = json!(true);
    for name in ["talk-2.srt", "talk-3.srt"] {
        let draft = desk.call("tool_export_transcript", params.clone()).unwrap();
        let path = desk.folder().join(name);
        assert_eq!(draft.answer.unwrap()["path"], json!(path));
        assert_eq!(std::fs::read_to_string(path).unwrap(), SRT);
    }
    assert_eq!(std::fs::read_to_string(file).unwrap(), "of somebody else");
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_transcript() {
    let desk = desk(48_000);
    let pipe = desk.folder().join("pipe.srt");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let params = json!({"file": pipe, "target": "Talk"});
    let error = desk.call("tool_import_transcript", params).unwrap_err().to_string();
    assert!(error.contains("it is no file"), "{error}");
}

#[test]
fn segments_that_take_no_time_are_told_of() {
    let desk = desk(48_000);
    let json = r#"{"segments": [{"start": 1, "end": 2, "text": "Hi"}, {"start": 2, "end": 2, "text": "ok"}]}"#;
    let file = written(&desk, "in.json", json);
    let draft = desk.call("tool_import_transcript", json!({"file": file, "target": "Talk"}));
    let draft = draft.unwrap();
    assert_eq!(
        (draft.changes.len(), draft.warnings[0].as_str()),
        (1, "1 phrase takes no time and is left out: line 1, segment 2 (\"ok\")")
    );
}

#[test]
fn what_is_put_right_is_listed_and_the_rest_comes_in() {
    let desk = desk(48_000);
    let srt = "1\n00:00:01,000 --> 00:00:02,000\nOne\n\n2\n00:00:09,000 --> 00:00:11,900\n{\\an8}Nine\\Nten\n\n\
               3\n00:00:03,000 --> 00:00:03,000\nThree\n";
    let file = written(&desk, "in.srt", srt);
    let draft =
        desk.call("tool_import_transcript", json!({"file": file, "target": "Talk"})).unwrap();
    assert_eq!(draft.summary, "Import 2 phrases of Talk");
    let list = [
        "1 phrase takes no time and is left out: line 10 (\"Three\")",
        "1 phrase reaches out of the recording and is shortened to it: line 6 (\"Nine ten\")",
    ];
    assert_eq!(draft.warnings[..2], list);
}

#[test]
fn on_the_timeline_times_count_from_its_start() {
    let mut desk = desk(48_000);
    let file = written(&desk, "in.srt", SRT);
    let draft =
        desk.call("tool_import_transcript", json!({"file": file, "target": "Talk"})).unwrap();
    desk.apply(&draft);
    let params =
        json!({"path": "out.txt", "targets": "Talk", "from": "timeline", "speakers": false});
    desk.call("tool_export_transcript", params).unwrap();
    let text = std::fs::read_to_string(desk.folder().join("out.txt")).unwrap();
    assert_eq!(
        text,
        "[00:00:20.000 --> 00:00:21.501] Good morning everyone.\n\
         [00:00:21.501 --> 00:00:23.000] Hello there\n"
    );
}

#[test]
fn what_cannot_be_is_refused_with_the_way_out() {
    let mut desk = desk(48_000);
    let late = written(&desk, "late.srt", "1\n00:00:11,000 --> 00:00:12,000\nx\n");
    let lie = written(&desk, "lie.srt", "1\n00:00:09,000 --> 00:00:08,000\nx\n");
    let good = written(&desk, "in.srt", SRT);
    let import = |desk: &Desk, params| desk.call("tool_import_transcript", params);
    let mut told = Vec::new();
    let mut tell = |error: String| told.push(error.replace(desk.folder().to_str().unwrap(), "…"));
    tell(import(&desk, json!({"file": late, "target": "Talk"})).unwrap_err().to_string());
    tell(import(&desk, json!({"file": lie, "target": "Talk"})).unwrap_err().to_string());
    tell(import(&desk, json!({"file": "x.doc", "target": "Talk"})).unwrap_err().to_string());
    tell(import(&desk, json!({"file": "x.abc", "target": "Talk"})).unwrap_err().to_string());
    tell(import(&desk, json!({"file": "gone.srt", "target": "Talk"})).unwrap_err().to_string());
    let export = json!({"path": "o.srt", "targets": "Talk"});
    tell(desk.call("tool_export_transcript", export.clone()).unwrap_err().to_string());
    let draft = import(&desk, json!({"file": good, "target": "Talk"})).unwrap();
    let folder = desk.folder().to_str().unwrap().to_owned();
    desk.apply(&draft);
    let mut tell = |error: String| told.push(error.replace(&folder, "…"));
    let other = written(&desk, "other.srt", &SRT.replace("morning", "evening"));
    tell(import(&desk, json!({"file": other, "target": "Talk"})).unwrap_err().to_string());
    desk.call("tool_export_transcript", export.clone()).unwrap();
    tell(desk.call("tool_export_transcript", export).unwrap_err().to_string());
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn what_is_here_already_stays_with_all_that_is_known_of_it() {
    let mut desk = desk(48_000);
    let good = written(&desk, "in.srt", SRT);
    let import = |desk: &Desk, params| desk.call("tool_import_transcript", params);
    let draft = import(&desk, json!({"file": good, "target": "Talk"})).unwrap();
    desk.apply(&draft);
    let once = desk.session.clone();
    for replace in [false, true] {
        let params = json!({"file": good, "target": "Talk", "replace": replace});
        let again = import(&desk, params).unwrap();
        assert_eq!(again.summary, "All 2 phrases of Talk are here already");
        assert!(again.changes.is_empty() && again.warnings.is_empty(), "{again:?}");
    }
    let other = written(&desk, "other.srt", &SRT.replace("Hello there", "Ben: Hello there"));
    let params = json!({"file": other, "target": "Talk", "replace": true});
    let changed = import(&desk, params.clone()).unwrap();
    let told = "Import 1 phrase of Talk, in place of 1 segment; 1 here already";
    assert_eq!(changed.summary, told);
    desk.apply(&changed);
    assert!(once.segments.keys().eq(desk.session.segments.keys()), "both begin where they did");
    assert!(import(&desk, params).unwrap().changes.is_empty());
    let less = written(&desk, "less.srt", SRT.split("2\n00").next().unwrap());
    let less = import(&desk, json!({"file": less, "target": "Talk", "replace": true})).unwrap();
    let told = "Take out 1 segment of Talk that the file does not have; 1 here already";
    assert_eq!(less.summary, told);
}

#[test]
fn phrases_of_the_assembly_take_the_words_of_the_file() {
    let mut desk = desk(48_000);
    let good = written(&desk, "in.srt", SRT);
    let import = |desk: &Desk, params| desk.call("tool_import_transcript", params);
    let draft = import(&desk, json!({"file": good, "target": "Talk"})).unwrap();
    desk.apply(&draft);
    let mut segments: Vec<_> = desk.session.segments.keys().copied().collect();
    segments.sort_by_key(|id| desk.session.segments[id].start);
    desk.session.phrases.insert(PhraseId::new(1), Phrase { segments });
    let replace = |desk: &Desk, name: &str, text: &str| {
        let file = written(desk, name, text);
        import(desk, json!({"file": file, "target": "Talk", "replace": true})).unwrap()
    };
    let same = replace(&desk, "same.srt", SRT);
    assert!(same.changes.is_empty());
    let corrected = SRT.replace("morning", "evening").replace("Ann", "Anne");
    let draft = replace(&desk, "other.srt", &corrected.replace("01,000 --> ", "01,050 --> "));
    assert_eq!(draft.summary, "Import 1 phrase of Talk, in place of 1 segment; 1 here already");
    desk.apply(&draft);
    let said = desk.session.spoken(PhraseId::new(1)).unwrap();
    assert_eq!(said.text, "Good evening everyone. Hello there");
    let again = replace(&desk, "again.srt", &corrected.replace("01,000 --> ", "01,050 --> "));
    assert_eq!(again.summary, "All 2 phrases of Talk are here already");
    assert!(desk.session.segments.values().any(|it| it.speaker.as_deref() == Some("Anne")));
    let less = replace(&desk, "less.srt", corrected.split("2\n00").next().unwrap());
    assert!(less.warnings[0].contains("nothing is said there now"), "{:?}", less.warnings);
    desk.apply(&less);
    assert_eq!(desk.session.spoken(PhraseId::new(1)), Some(said));
}

#[test]
fn a_file_without_phrases_takes_nothings_place() {
    let mut desk = desk(48_000);
    let good = written(&desk, "in.srt", SRT);
    let import = |desk: &Desk, params| desk.call("tool_import_transcript", params);
    let draft = import(&desk, json!({"file": good, "target": "Talk"})).unwrap();
    desk.apply(&draft);
    for (name, text) in [("a.srt", ""), ("b.vtt", "WEBVTT\n\n"), ("c.json", "{\"segments\":[]}")] {
        let file = written(&desk, name, text);
        let params = json!({"file": file, "target": "Talk", "replace": true});
        let error = import(&desk, params).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("has no phrases"), "{error}");
    }
}

/// Words of JSON, half a second each from a second on.
fn spoken(desk: &Desk, name: &str, from: f64, text: &str) -> String {
    let at = |index: usize| from + 0.5 * index as f64;
    let words = text.split(' ').enumerate();
    let words: Vec<_> = words
        .map(|(index, word)| json!({"word": word, "start": at(index), "end": at(index + 1)}))
        .collect();
    let end = at(words.len());
    let segment = json!({"start": from, "end": end, "text": text, "words": words});
    written(desk, name, &json!({"segments": [segment]}).to_string())
}

#[test]
fn the_timeline_has_the_words_that_clips_play_and_no_others() {
    let mut desk = desk_at(1_000);
    let source = desk.recording("talk.wav", 10_000);
    desk.recording("mix.wav", 20_000);
    // 3.0 to 4.0 s is cut out; a split at 2.0 s is no cut; the first second of speech comes again at 15 s.
    desk.clip_of("a", source, [0, 2_000, 0]);
    desk.clip_of("b", source, [2_000, 1_000, 2_000]);
    desk.clip_of("c", source, [4_000, 6_000, 3_000]);
    desk.clip_of("again", source, [1_000, 1_000, 15_000]);
    let file = spoken(&desk, "in.json", 1.0, "this is what they do not want to hear");
    let import = |desk: &Desk, file: &str, target: &str| {
        desk.call("tool_import_transcript", json!({"file": file, "target": target}))
    };
    let draft = import(&desk, &file, "talk.wav").unwrap();
    desk.apply(&draft);
    let export = |desk: &Desk, path: &str, targets: &str| {
        let params = json!({"path": path, "targets": targets, "from": "timeline"});
        desk.call("tool_export_transcript", params).unwrap();
        std::fs::read_to_string(desk.folder().join(path)).unwrap()
    };
    let told = export(&desk, "out.txt", "all");
    assert_eq!(
        told,
        "[00:00:01.000 --> 00:00:03.000] this is what they\n\
         [00:00:03.000 --> 00:00:04.500] want to hear\n\
         [00:00:15.000 --> 00:00:16.000] this is\n"
    );
    assert_eq!(export(&desk, "source.txt", "talk.wav"), told, "a source means what plays it");
    assert_eq!(export(&desk, "one.txt", "c"), told.lines().nth(1).unwrap().to_owned() + "\n");
    export(&desk, "out.json", "all");
    for name in ["out.txt", "out.json"] {
        let file = desk.folder().join(name);
        import(&desk, file.to_str().unwrap(), "mix.wav").unwrap();
    }
    desk.session.clips.clear();
    let params = json!({"path": "none.srt", "targets": "talk.wav", "from": "timeline"});
    let error = desk.call("tool_export_transcript", params).unwrap_err().to_string();
    assert!(error.contains("no clip plays it"), "{error}");
}

#[test]
fn a_recording_is_listened_to_once_however_many_phrases_end_with_the_speech() {
    let mut desk = desk_at(1_000);
    desk.recording("talk.wav", 10_000);
    let file = written(&desk, "in.txt", &"[00:00:05] and so\n[00:00:02] it goes\n".repeat(40));
    let params = json!({"file": file, "target": "talk.wav"});
    desk.call("tool_import_transcript", params).unwrap();
    assert_eq!(desk.opened(), 1);
}

#[test]
fn the_recordings_behind_an_edit_are_not_written_beside_it() {
    let mut desk = desk_at(1_000);
    let [ann, ben] = ["ann.wav", "ben.wav"].map(|name| desk.recording(name, 10_000));
    for (name, source, from, text) in
        [("Ann", ann, 1.0, "hello there"), ("Ben", ben, 4.0, "good day")]
    {
        desk.clip_of(name, source, [0, 10_000, 0]);
        let file = spoken(&desk, "in.json", from, text);
        let draft = desk.call("tool_import_transcript", json!({"file": file, "target": name}));
        desk.apply(&draft.unwrap());
    }
    // As an assembly leaves them: muted, with the phrases in their new order on tracks of their own.
    desk.session.tracks.values_mut().for_each(|track| track.mute = true);
    desk.clip_of("First", ben, [3_900, 1_200, 0]);
    desk.clip_of("Second", ann, [900, 1_200, 1_200]);
    let export = |path: &str, targets: &str| {
        let params = json!({"path": path, "targets": targets, "from": "timeline"});
        let draft = desk.call("tool_export_transcript", params).unwrap();
        assert_eq!(draft.warnings, Vec::<String>::new());
        std::fs::read_to_string(desk.folder().join(path)).unwrap()
    };
    let edit =
        "[00:00:00.100 --> 00:00:01.100] good day\n[00:00:01.300 --> 00:00:02.300] hello there\n";
    assert_eq!(export("all.txt", "all"), edit);
    let source = "[00:00:01.300 --> 00:00:02.300] hello there\n";
    assert_eq!(export("source.txt", "ann.wav"), source);
    let named = "[00:00:01.000 --> 00:00:02.000] hello there\n";
    assert_eq!(export("named.txt", "Ann"), named, "what is meant by name is written, muted or not");
}

#[test]
fn phrases_of_nobody_that_overlap_are_one() {
    let mut desk = desk_at(1_000);
    for (at, name) in ["ann.wav", "ben.wav", "mix.wav"].into_iter().enumerate() {
        let source = desk.recording(name, 10_000);
        desk.clip_of(["Ann", "Ben", "Mix"][at], source, [0, 10_000, 0]);
    }
    for (target, from, text) in [("Ann", 1.0, "one two three four"), ("Ben", 2.0, "yes")] {
        let file = spoken(&desk, "in.json", from, text);
        let draft = desk.call("tool_import_transcript", json!({"file": file, "target": target}));
        desk.apply(&draft.unwrap());
    }
    for name in ["out.srt", "out.vtt", "out.json", "out.txt"] {
        let params = json!({"path": name, "targets": ["Ann", "Ben"], "from": "timeline"});
        let draft = desk.call("tool_export_transcript", params).unwrap();
        assert_eq!(draft.warnings.len(), 1, "{:?}", draft.warnings);
        assert!(draft.warnings[0].contains("tool_mark_speakers"), "{:?}", draft.warnings);
        let file = desk.folder().join(name);
        let params = json!({"file": file.to_str().unwrap(), "target": "Mix"});
        let again = desk.call("tool_import_transcript", params).unwrap();
        assert_eq!(again.changes.len(), 1, "{name}");
    }
    let told = std::fs::read_to_string(desk.folder().join("out.txt")).unwrap();
    assert_eq!(told, "[00:00:01.000 --> 00:00:03.000] one two three four yes\n");
}

/// The imported phrases of a text: time, speaker and words.
fn imported(desk: &Desk, text: &str) -> (Vec<String>, Vec<String>) {
    let file = written(desk, "plain.txt", text);
    let mut desk = desk_at(1_000);
    let source = desk.recording("talk.wav", 20_000);
    desk.clip_of("Talk", source, [0, 20_000, 0]);
    let draft = desk.call("tool_import_transcript", json!({"file": file, "target": "Talk"}));
    let draft = draft.unwrap();
    desk.apply(&draft);
    let mut segments: Vec<_> = desk.session.segments.values().collect();
    segments.sort_by_key(|segment| segment.start);
    let told = segments.into_iter().map(|one| {
        assert_eq!(one.description.facts["word_times"].value, json!("estimated"));
        let speaker = one.speaker.as_deref().unwrap_or("-");
        format!("{} {} {speaker}: {}", one.start.0, one.end().0, one.text())
    });
    (told.collect(), draft.warnings)
}

#[test]
fn a_start_alone_ends_at_the_next() {
    let desk = desk(48_000);
    let text =
        "[00:00:01] Anna: Hello\n[0:04] Ben: Hi\n[0:04] Anna: So\n\n(00:00:06.500) Ben: Bye now\n";
    let (told, warnings) = imported(&desk, text);
    let phrases = [
        "1000 4000 Anna: Hello",
        "4000 5250 Ben: Hi",
        "5250 6500 Anna: So",
        "6500 20000 Ben: Bye now",
    ];
    assert_eq!(told, phrases);
    assert!(warnings.iter().any(|told| told.contains("ends at the next")), "{warnings:?}");
}

#[test]
fn text_without_times_is_spread_over_the_recording() {
    let desk = desk(48_000);
    let (told, warnings) = imported(&desk, "Anna: Hello\nBen: Hi and\n\nAnna: Hello\n");
    // Nobody is heard in silence, so it is spread over all of it.
    let phrases = ["0 6316 Anna: Hello", "6316 13684 Ben: Hi and", "13684 20000 Anna: Hello"];
    assert_eq!(told.len(), 3, "{told:?}");
    assert_eq!(told, phrases);
    assert!(warnings.iter().any(|told| told.contains("has no times")), "{warnings:?}");
}

proptest! {
    #[test]
    fn frames_survive_microseconds(at in 0i64..1 << 40, rate in prop::sample::select(vec![8_000u32, 44_100, 48_000, 192_000])) {
        let rate = SampleRate(rate);
        prop_assert_eq!(frame(micros(Frames(at), rate), rate), Frames(at));
    }

    #[test]
    fn milliseconds_survive_frames(at in 0u64..1 << 34, rate in prop::sample::select(vec![8_000u32, 44_100, 48_000, 192_000])) {
        let rate = SampleRate(rate);
        let back = micros(frame(Micros(at * 1000), rate), rate);
        prop_assert_eq!((back.0 + 500) / 1000, at);
    }
}
