//! Tests of the written files.

use crate::assembly::tests::{Line, alone, clips_on, ids, interview};
use deskhand_dsp::Frames;
use deskhand_session::{Clip, ClipId};
use deskhand_toolkit::testing::{Desk, RATE};
use serde_json::{Value, json};
use std::process::Command;

const HOST: [Line; 3] =
    [(0.5, 1.5, "Welcome, Anna."), (4.0, 5.0, "= Tell us."), (8.0, 9.0, "Thank you <all>.")];
const GUEST: [Line; 2] = [(1.8, 2.8, "Hello there."), (5.4, 7.0, "I am Anna, \"the\" guest.")];

fn desk() -> Desk {
    let (mut desk, tracks) = interview(11.0, &HOST, &GUEST);
    for segment in
        desk.session.segments.values_mut().filter(|s| s.speaker.as_deref() == Some("Guest"))
    {
        segment.speaker = Some("Anna Berg".into());
    }
    assert_eq!(tracks.len(), 2);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let wanted = [
        "Welcome, Anna.",
        "Hello there.",
        "I am Anna, \"the\" guest.",
        "= Tell us.",
        "Thank you <all>.",
    ];
    desk.settle("tool_reorder_segments", &json!({"ordered_group_ids": ids(&desk, &wanted)}));
    desk.settle("tool_remove_segments", &json!({"group_ids": ids(&desk, &["Hello there."])}));
    desk
}

/// The file that a call writes, its text and the folder that is removed with it.
fn written(desk: &Desk, params: &Value) -> (String, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let mut params = params.clone();
    let path = folder.path().join(params["path"].as_str().unwrap());
    params["path"] = json!(path);
    let draft = desk.plan("tool_export_assembly", params.clone());
    assert_eq!(draft.changes, []);
    assert_eq!(draft.answer.unwrap()["phrases"], 4);
    let again = desk.refusal("tool_export_assembly", params);
    assert!(again.ends_with("exists already; give another `path`"), "{again}");
    (std::fs::read_to_string(path).unwrap(), folder)
}

#[test]
fn a_name_that_is_taken_gets_the_next_number_where_that_is_asked_for() {
    let (desk, folder) = (desk(), tempfile::tempdir().unwrap());
    let params = json!({"path": folder.path().join("edit.csv"), "or_next_free": true});
    let write = || desk.plan("tool_export_assembly", params.clone()).answer.unwrap();
    for name in ["edit.csv", "edit-2.csv", "edit-3.csv"] {
        assert_eq!(write()["path"], json!(folder.path().join(name)));
    }
}

#[test]
fn the_edited_transcript_names_speakers_by_pseudonyms() {
    let desk = desk();
    let params = json!({"path": "a.txt", "format": "transcript"});
    insta::assert_snapshot!(written(&desk, &params).0, @r#"
    [00:00:00.160] Host: Welcome, Anna.

    [00:00:01.523] Anna Berg: I am Anna, "the" guest.

    [00:00:03.548] Host: = Tell us. Thank you <all>.
    "#);
    let params = json!({"path": "a.txt", "format": "transcript", "pseudonyms": true});
    let hidden = written(&desk, &params).0;
    assert!(hidden.contains("Speaker 2: I am Speaker 2, \"the\" guest."), "{hidden}");
    assert!(!hidden.contains("Anna") && !hidden.contains("Berg"), "{hidden}");
    let params =
        json!({"path": "a.txt", "format": "transcript", "pseudonyms": {"Anna Berg": "P7"}});
    let hidden = written(&desk, &params).0;
    assert!(hidden.contains("Host: Welcome, P7.") && hidden.contains("P7: I am P7,"), "{hidden}");
    let unknown = json!({"path": "a.srt", "pseudonyms": {"Bert": "P7"}});
    let told = desk.refusal("tool_export_assembly", unknown);
    assert_eq!(told, "no speaker is called \"Bert\"; give names for \"Host\", \"Anna Berg\"");
}

#[test]
fn names_are_hidden_however_they_are_written_and_what_stays_is_told() {
    let host: [Line; 2] =
        [(0.5, 2.5, "anna, will you ask BOB or Anna-Maria?"), (4.0, 5.5, "Anne Berg said it.")];
    let (mut desk, _) = interview(9.0, &host, &[(6.5, 8.0, "It is Bob's brother, and Wills.")]);
    for (segment, name) in desk.session.segments.values_mut().zip(["Anna Berg", "Anna Berg", "Bob"])
    {
        segment.speaker = Some(name.into());
    }
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let folder = tempfile::tempdir().unwrap();
    let to = |name: &str, format: &str| {
        let names = json!({"Anna Berg": "P1", "Bob": "P2"});
        let path = folder.path().join(name);
        json!({"path": path, "format": format, "pseudonyms": names})
    };
    let draft = desk.plan("tool_export_assembly", to("a.txt", "transcript"));
    let text = std::fs::read_to_string(folder.path().join("a.txt")).unwrap();
    assert!(text.contains("P1, will you ask P2 or P1-Maria?"), "{text}");
    assert!(text.contains("P2's brother, and Wills."), "{text}");
    let left = "\"Anne\": looks like the name of a speaker, and is in it as it is";
    assert_eq!(draft.warnings, [left]);
    let table = desk.plan("tool_export_assembly", to("a.csv", "csv"));
    assert!(table.warnings[0].starts_with("names of files are in it"), "{:?}", table.warnings);
    assert_eq!(table.warnings[1], left);
}

#[test]
fn no_word_that_was_corrected_stands_in_a_file() {
    let mut desk = desk();
    // As an import writes them, which knows nothing of clips and markers.
    for word in desk.session.segments.values_mut().flat_map(|segment| &mut segment.words) {
        word.text = word.text.replace("Welcome", "Greetings").replace("Hello", "Goodbye");
    }
    let folder = tempfile::tempdir().unwrap();
    for format in ["otio", "audacity", "csv", "transcript", "srt", "vtt"] {
        let path = folder.path().join(format);
        let params = json!({"path": path, "format": format, "pseudonyms": true});
        desk.plan("tool_export_assembly", params);
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.contains("Greetings"), "{format}: {text}");
        assert!(!text.contains("Welcome") && !text.contains("Hello"), "{format}: {text}");
    }
}

#[test]
fn a_name_is_hidden_with_its_accent_in_the_letter_or_behind_it() {
    let said: [Line; 1] = [(0.5, 2.5, "I am Jose\u{301}, jos\u{e9}'s me.")];
    let (mut desk, _) = interview(4.0, &said, &[]);
    for segment in desk.session.segments.values_mut() {
        segment.speaker = Some("Jos\u{e9}".into());
    }
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    let params = json!({"path": path, "format": "transcript", "pseudonyms": true});
    desk.plan("tool_export_assembly", params);
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains("I am Speaker 1, Speaker 1's me."), "{text}");
}

#[test]
fn subtitles_labels_and_tables_say_what_plays() {
    let desk = desk();
    let srt = written(&desk, &json!({"path": "a.srt"})).0;
    assert!(srt.starts_with("1\n00:00:00,160 --> "), "{srt}");
    assert!(srt.contains("\nAnna Berg: I am Anna, \"the\" guest.\n"), "{srt}");
    let vtt = written(&desk, &json!({"path": "a.vtt"})).0;
    assert!(vtt.starts_with("WEBVTT\n\n00:00:00.160 --> "), "{vtt}");
    assert!(vtt.contains("<v Host>Thank you &lt;all&gt;."), "{vtt}");
    let labels = written(&desk, &json!({"path": "a.txt", "format": "audacity"})).0;
    let rows: Vec<Vec<&str>> = labels.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows.len(), 5);
    assert!(rows.iter().all(|row| row.len() == 3 && row[0].parse::<f64>().is_ok()));
    let removed = rows.iter().find(|row| row[2] == "removed: Hello there.").unwrap();
    assert_eq!(removed[0], removed[1]);
    let csv = written(&desk, &json!({"path": "a.csv"})).0;
    assert_eq!(csv.lines().count(), 6);
    assert!(csv.contains("\"'= Tell us.\""), "no formula: {csv}");
    assert!(
        csv.contains("\"I am Anna, \"\"the\"\" guest.\"") && csv.contains(",removed,phr_"),
        "{csv}"
    );
}

/// A guest who contradicts over a long sentence of the host; both microphones heard the last sentence.
fn over() -> Desk {
    let host: [Line; 2] =
        [(0.5, 5.5, "I told you the whole long story."), (7.0, 8.0, "Goodbye to you.")];
    let guest: [Line; 2] = [(2.0, 4.0, "No, it was mine."), (7.02, 7.98, "Goodbye to you.")];
    let (mut desk, _) = interview(10.0, &host, &guest);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    desk
}

#[test]
fn what_is_said_over_a_longer_phrase_is_listed_and_written_with_it() {
    let mut desk = over();
    let list = |desk: &Desk| desk.plan("tool_list_phrases", json!({})).answer.unwrap();
    let first = &list(&desk)["phrases"][0];
    assert_eq!(first["along"][0]["text"], "No, it was mine.");
    assert_eq!(first["along"][0]["speaker"], "Guest");
    assert_eq!(list(&desk)["phrases"][1].get("along"), None, "it is the same, heard twice");
    let folder = tempfile::tempdir().unwrap();
    let text = |desk: &Desk, name: &str, format: &str| {
        let path = folder.path().join(name);
        desk.plan("tool_export_assembly", json!({"path": path, "format": format}));
        std::fs::read_to_string(path).unwrap()
    };
    for format in ["transcript", "srt", "vtt", "audacity", "csv"] {
        let text = text(&desk, format, format);
        assert_eq!(text.matches("No, it was mine.").count(), 1, "{text}");
        assert_eq!(text.matches("Goodbye to you.").count(), 1, "{text}");
    }
    let srt = text(&desk, "a.srt", "srt");
    assert!(srt.starts_with("1\n00:00:00,"), "{srt}");
    assert!(srt.contains("\n2\n00:00:01,66") && srt.contains("\nGuest: No, it was mine."), "{srt}");
    let story = json!({"group_ids": ids(&desk, &["I told you the whole long story."])});
    desk.settle("tool_remove_segments", &story);
    assert_eq!(list(&desk)["phrases"][1]["along"][0]["text"], "No, it was mine.");
    let csv = text(&desk, "b.csv", "csv");
    assert!(csv.contains(",\"Guest: No, it was mine.\"\r\n"), "{csv}");
    assert!(!text(&desk, "b.txt", "transcript").contains("mine"));
}

#[test]
fn what_was_cut_out_of_a_phrase_stands_in_no_list_or_table() {
    let mut desk = alone(6.0, &[(0.5, 2.5, "Um, we begin here."), (4.0, 5.0, "And end.")]);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let start = clips_on(&desk, "Voice (assembly)")[0].1.start.seconds(RATE).0;
    let um = json!({"targets": "Voice (assembly)", "start_s": 0.5 - start, "end_s": 1.0 - start});
    desk.settle_once("cmd_ripple_delete", um);
    let list = desk.plan("tool_list_phrases", json!({})).answer.unwrap();
    let first = &list["phrases"][0];
    assert_eq!((&first["text"], &first["start_s"]), (&json!("we begin here."), &json!(1.0)));
    assert_eq!((&first["end_s"], &first["length_s"]), (&json!(2.5), &json!(1.5)));
    assert_eq!(first["whole_text"], "Um, we begin here.");
    assert_eq!(list["phrases"][1].get("whole_text"), None);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    desk.plan("tool_export_assembly", json!({"path": path}));
    let csv = std::fs::read_to_string(path).unwrap();
    let row = ",1.000,2.500,\"1.000-2.500\",\"Host\",0.90,\"we begin here.\",";
    assert!(csv.contains(row), "{csv}");
    assert!(!csv.contains("Um,"), "{csv}");
}

#[test]
fn a_table_tells_what_plays_of_a_phrase_that_is_cut_in_its_middle() {
    let mut desk = alone(6.0, &[(0.5, 2.5, "We all begin here."), (4.0, 5.0, "And end.")]);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let start = clips_on(&desk, "Voice (assembly)")[0].1.start.seconds(RATE).0;
    let all = json!({"targets": "Voice (assembly)", "start_s": 1.0 - start, "end_s": 1.5 - start});
    desk.settle_once("cmd_ripple_delete", all);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    desk.plan("tool_export_assembly", json!({"path": path}));
    let csv = std::fs::read_to_string(path).unwrap();
    // The crossfade over the cut plays 5 ms of each side of it.
    assert!(csv.contains(",0.500,2.500,\"0.500-1.005; 1.495-2.500\","), "{csv}");
    assert!(csv.contains(",4.000,5.000,\"4.000-5.000\","), "{csv}");
}

#[test]
fn a_name_of_two_letters_is_hidden_where_it_is_written_large() {
    let (mut desk, _) = interview(4.0, &[(0.5, 2.5, "Thank you, Jo, ho jo.")], &[]);
    for segment in desk.session.segments.values_mut() {
        segment.speaker = Some("Jo".into());
    }
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    let params = json!({"path": path, "format": "transcript", "pseudonyms": true});
    let draft = desk.plan("tool_export_assembly", params);
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains("Speaker 1: Thank you, Speaker 1, ho jo."), "{text}");
    assert!(draft.warnings[0].starts_with("\"jo\": looks like the name"), "{:?}", draft.warnings);
}

#[test]
fn who_speaks_over_others_alone_and_is_named_at_the_end_of_the_work_is_hidden_as_well() {
    let mut desk = over();
    for segment in desk.session.segments.values_mut() {
        if segment.speaker.as_deref() == Some("Guest") {
            segment.speaker = Some("Berta Klein".into());
        }
    }
    desk.settle_once("cmd_finish", json!({"summary": "Berta's objection stays."}));
    let folder = tempfile::tempdir().unwrap();
    for format in ["transcript", "srt", "vtt", "csv", "audacity", "otio"] {
        let path = folder.path().join(format);
        let params = json!({"path": path, "format": format, "pseudonyms": true});
        desk.plan("tool_export_assembly", params);
        let text = std::fs::read_to_string(path).unwrap();
        assert!(format == "otio" || text.contains("mine."), "{format}: {text}");
        assert!(!text.contains("Berta") && !text.contains("Klein"), "{format}: {text}");
    }
}

#[test]
fn an_edit_without_a_phrase_is_not_written() {
    let mut desk = desk();
    let order = desk.session.assembly.order.clone();
    desk.settle("tool_remove_segments", &json!({"group_ids": order}));
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.otio", "a.csv", "a.srt"] {
        let path = folder.path().join(name);
        let told = desk.refusal("tool_export_assembly", json!({"path": path}));
        let way = "put phrases back: tool_restore_segments";
        assert_eq!(told, format!("nothing is in the edit: no phrase of it plays; {way}"));
        assert!(!path.exists());
    }
}

#[test]
fn a_path_says_what_to_write_or_the_format_does() {
    let told = desk().refusal("tool_export_assembly", json!({"path": "a.doc"}));
    let fix = "give `format`: otio, audacity, csv, transcript, srt or vtt";
    assert_eq!(told, format!("\"a.doc\" does not say what to write; {fix}"));
}

/// Duration of each track and the end of the assembly, all at one rate.
#[test]
fn the_timeline_of_otio_is_as_long_as_the_assembly() {
    let desk = desk();
    let json: Value = serde_json::from_str(&written(&desk, &json!({"path": "a.otio"})).0).unwrap();
    assert_eq!(json["OTIO_SCHEMA"], "Timeline.1");
    let tracks = json["tracks"]["children"].as_array().unwrap();
    assert_eq!(tracks.len(), 2);
    let blocks = deskhand_edit::assembly::block::standing(&desk.session);
    let end = blocks.last().map(|last| last.start + last.block.length).unwrap();
    for track in tracks {
        let items = track["children"].as_array().unwrap();
        let lengths =
            items.iter().filter_map(|item| item["source_range"]["duration"]["value"].as_f64());
        assert_eq!(lengths.sum::<f64>(), end.0 as f64);
        let crossfades = items.iter().filter(|item| item["OTIO_SCHEMA"] == "Transition.1").count();
        assert_eq!(crossfades, 3);
    }
    assert_eq!(json["tracks"]["markers"][0]["name"], "removed: Hello there.");
}

#[test]
fn phrases_that_go_on_from_one_another_are_a_clip_each() {
    let lines: [Line; 3] =
        [(0.5, 1.5, "We begin."), (1.8, 2.8, "Yes, Leeds."), (3.1, 4.1, "Yes, Leeds.")];
    let mut desk = alone(5.0, &lines);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.otio");
    let draft = desk.plan("tool_export_assembly", json!({"path": path}));
    assert_eq!(draft.answer.unwrap()["phrases"], 3);
    let json: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let items = json["tracks"]["children"][0]["children"].as_array().unwrap();
    let written = items.iter().map(|item| {
        let frames = |name: &str| item["source_range"][name]["value"].as_f64().unwrap();
        let name = item["name"].as_str().unwrap().to_owned();
        (name, frames("start_time"), frames("duration"))
    });
    let clips = clips_on(&desk, "Voice (assembly)");
    let own = |clip: &Clip| (clip.name.clone(), clip.start.0 as f64, clip.length.0 as f64);
    let laid: Vec<_> = clips.iter().map(|(_, clip)| own(clip)).collect();
    assert_eq!(written.collect::<Vec<_>>(), laid);
    assert_eq!(clips.len(), 3);
}

#[test]
fn what_lies_under_another_clip_is_told_by_name() {
    let mut desk = desk();
    let folder = tempfile::tempdir().unwrap();
    let warnings = |desk: &Desk, name: &str| {
        let path = folder.path().join(name);
        desk.plan("tool_export_assembly", json!({"path": path})).warnings
    };
    assert_eq!(warnings(&desk, "a.otio"), Vec::<String>::new());
    let tracks = deskhand_edit::assembly::tracks(&desk.session);
    let on = |clip: &&Clip| tracks.contains(&clip.track);
    let over = desk.session.clips.values().filter(on).max_by_key(|clip| clip.length).unwrap();
    let quarter = Frames(over.length.0 / 4);
    let (position, track) = (over.position + quarter, over.track);
    let cough = Clip { name: "Cough".into(), position, length: quarter, ..over.clone() };
    desk.session.clips.insert(ClipId::new(77), cough);
    let told = warnings(&desk, "b.otio");
    let place = format!(" on {} lies under another clip", desk.session.name_of(track.into()));
    assert!(told.len() == 1 && told[0].starts_with("\"Cough\" at 0:"), "{told:?}");
    assert!(told[0].contains(&place), "{told:?}");
    let text = std::fs::read_to_string(folder.path().join("b.otio")).unwrap();
    assert!(!text.contains("Cough"));
    assert_eq!(warnings(&desk, "b.csv"), Vec::<String>::new());
}

#[test]
fn what_was_tightened_is_whole_clips_with_crossfades() {
    let mut desk = desk();
    let params = json!({"targets": "all", "pauses_longer_than_s": 0.3, "pause_to_s": 0.1});
    let draft = desk.settle_once("tool_tighten", params);
    let cuts = draft.changes.iter().filter(|c| c.change.op() == "ripple_delete").count();
    assert_eq!(cuts, 3, "{}", draft.summary);
    let folder = tempfile::tempdir().unwrap();
    let file = json!({"path": folder.path().join("a.otio")});
    assert_eq!(desk.plan("tool_export_assembly", file).warnings, Vec::<String>::new());
    let json: Value = serde_json::from_str(&written(&desk, &json!({"path": "a.otio"})).0).unwrap();
    let all = json["tracks"]["children"].as_array().unwrap().iter().map(|track| {
        let items = track["children"].as_array().unwrap().iter();
        let frames = |value: &Value| value["value"].as_f64().unwrap();
        let clips = items.clone().filter(|item| item["OTIO_SCHEMA"] == "Clip.2").map(|clip| {
            let range = &clip["source_range"];
            (frames(&range["start_time"]), frames(&range["duration"]))
        });
        let transitions = items.filter(|item| item["OTIO_SCHEMA"] == "Transition.1");
        let overlaps = transitions.map(|it| frames(&it["in_offset"]) + frames(&it["out_offset"]));
        (clips.collect::<Vec<_>>(), overlaps.collect::<Vec<_>>())
    });
    let all: Vec<_> = all.collect();
    assert_eq!(all[0], all[1], "both microphones alike");
    let (clips, overlaps) = &all[0];
    // Four phrases, three cuts over their borders: a clip each, and nothing between them but the crossfades.
    assert_eq!((clips.len(), overlaps.len()), (4, 3), "{all:?}");
    assert!(overlaps.iter().all(|frames| *frames == 480.0), "{all:?}");
    assert!(clips.iter().all(|(_, length)| *length > 10_000.0), "{all:?}");
    let blocks = deskhand_edit::assembly::block::standing(&desk.session);
    let end = blocks.last().map(|last| last.start + last.block.length).unwrap();
    assert_eq!(clips.iter().map(|(_, length)| length).sum::<f64>(), end.0 as f64);
}

/// Reads the file with OpenTimelineIO itself and tells what it found.
const READ: &str = "
import sys, opentimelineio as otio
t = otio.adapters.read_from_file(sys.argv[1])
n = len(list(t.find_clips()))
d = [track.duration().value for track in t.tracks]
o = all(c.source_range.start_time >= c.available_range().start_time and
        c.source_range.end_time_exclusive() <= c.available_range().end_time_exclusive()
        for c in t.find_clips())
print(n, len(t.tracks.markers), sorted(set(d)), o)
";

#[test]
fn opentimelineio_reads_it() {
    let room = tempfile::tempdir().unwrap();
    let library = room.path().join("otio");
    let pip = Command::new("python3")
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target"])
        .arg(&library)
        .arg("opentimelineio==0.18.1")
        .output();
    if !pip.is_ok_and(|done| done.status.success()) {
        eprintln!("SKIPPED: opentimelineio 0.18.1 cannot be installed by pip here");
        return;
    }
    let desk = desk();
    let (_, folder) = written(&desk, &json!({"path": "a.otio"}));
    let read = Command::new("python3")
        .args(["-c", READ])
        .arg(folder.path().join("a.otio"))
        .env("PYTHONPATH", &library)
        .output()
        .unwrap();
    let (out, error) =
        (String::from_utf8_lossy(&read.stdout), String::from_utf8_lossy(&read.stderr));
    assert!(read.status.success(), "{error}");
    let blocks = deskhand_edit::assembly::block::standing(&desk.session);
    let end = blocks.last().map(|last| last.start + last.block.length).unwrap();
    assert_eq!(out.trim(), format!("8 1 [{:?}] True", end.0 as f64));
}
