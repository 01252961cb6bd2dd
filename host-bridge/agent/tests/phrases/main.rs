//! Tables of phrases with the readings that the planner must give.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod fixture;
mod generated;
mod mutations;
mod offers;
mod readers;
mod unseen;

use deskhand_agent::{Reading, Request, RequestKind};
use deskhand_dsp::Frames;
use deskhand_session::{ObjectId, Segment, SegmentId, Session, SourceId, TrackId, Word};
use fixture::plan_words;
use serde_json::Value;

/// A reading in the notation of the tables, with names for ids.
fn show(reading: &Reading, session: &Session) -> String {
    let understood = reading.understood.iter().map(|request| show_request(request, session));
    let unclear = reading.unclear.iter().map(|_| "unclear".to_owned());
    understood.chain(unclear).collect::<Vec<_>>().join(" ; ")
}

fn show_request(request: &Request, session: &Session) -> String {
    match &request.kind {
        RequestKind::Call { tool, params } => format!("{tool}{}", show_params(params, session)),
        RequestKind::Question(question) => {
            let value = serde_json::to_value(question).unwrap();
            let kind = value["question"].as_str().unwrap().to_owned();
            let mut rest = value.as_object().unwrap().clone();
            rest.remove("question");
            let words: String = rest
                .iter()
                .map(|(key, value)| format!(" {key}={}", value.as_str().unwrap()))
                .collect();
            let names: Vec<&str> =
                request.targets.iter().map(|target| target.name.as_str()).collect();
            let about = if names.is_empty() {
                String::new()
            } else {
                format!(" targets=[{}]", names.join(","))
            };
            format!("ask {kind}{words}{about}")
        }
        RequestKind::Undo => "undo".into(),
        RequestKind::Redo => "redo".into(),
    }
}

fn show_params(params: &Value, session: &Session) -> String {
    let map = params.as_object().unwrap();
    let targets = map.get("targets").map(|targets| match targets {
        Value::String(word) => format!(" targets={word}"),
        list => format!(" targets=[{}]", names(list, session)),
    });
    let mut keys: Vec<&String> = map.keys().filter(|key| *key != "targets").collect();
    keys.sort();
    let rest =
        keys.into_iter().map(|key| format!(" {key}={}", show_value(key, &map[key], session)));
    targets.into_iter().chain(rest).collect()
}

/// The number in an id.
fn number(id: &Value) -> String {
    let digits = id.as_str().unwrap().rsplit('_').next().unwrap();
    digits.trim_start_matches('0').to_owned()
}

fn names(list: &Value, session: &Session) -> String {
    let ids =
        list.as_array().unwrap().iter().map(|id| id.as_str().unwrap().parse::<ObjectId>().unwrap());
    ids.map(|id| session.name_of(id)).collect::<Vec<_>>().join(",")
}

fn show_value(key: &str, value: &Value, session: &Session) -> String {
    match value {
        Value::String(id) if matches!(key, "output" | "track" | "marker" | "reference") => {
            match id.parse::<ObjectId>() {
                Ok(id) => session.name_of(id),
                Err(_) => id.clone(),
            }
        }
        Value::String(word) if matches!(key, "per") => word.clone(),
        Value::Number(number) => {
            let value = number.as_f64().unwrap();
            format!("{value}")
        }
        Value::Array(_) if matches!(key, "under" | "reference" | "room_for") => {
            format!("[{}]", names(value, session))
        }
        // Phrases by their numbers, codes by their names: ids say nothing to who reads the table.
        Value::Array(ids)
            if key.ends_with("group_ids")
                || matches!(key, "among" | "between" | "instead_of" | "segment_id") =>
        {
            let numbers: Vec<_> = ids.iter().map(number).collect();
            format!("[{}]", numbers.join(","))
        }
        Value::Array(ids) if key == "codes" => {
            format!("[{}]", names(&Value::from(ids.clone()), session))
        }
        Value::String(id) if id.starts_with("phr_") || id.starts_with("seg_") => number(value),
        Value::String(id)
            if ["code_", "track_", "clip_", "src_"].iter().any(|it| id.starts_with(it)) =>
        {
            id.parse().map_or_else(|_| id.clone(), |id| session.name_of(id))
        }
        other => other.to_string(),
    }
}

/// What one line of a table expects: the readings, and words that the unclear parts must contain.
fn expected(text: &str) -> (String, Vec<String>) {
    let mut hints = Vec::new();
    let items = text.trim().split(" ; ").map(|item| match item.strip_prefix("unclear(") {
        Some(hint) => {
            hints.push(hint.trim_end_matches(')').to_owned());
            "unclear".to_owned()
        }
        None => item.trim().to_owned(),
    });
    let items: Vec<String> = items.collect();
    (items.join(" ; "), hints)
}

/// The mistakes in a table, and how many phrases it has.
fn mistakes(table: &str) -> (Vec<String>, usize) {
    let lines = table.lines().filter(|line| !line.starts_with('#') && line.contains("=>"));
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in lines {
        count += 1;
        let (left, right) = line.split_once("=>").unwrap();
        let (variant, words) = match left.strip_prefix('{').and_then(|rest| rest.split_once("} ")) {
            Some((name, words)) => (Some(name), words),
            None => (None, left),
        };
        let session = variant.map_or_else(fixture::session, fixture::variant);
        let reading = plan_words(words.trim(), &session);
        let (want, hints) = expected(right);
        let got = show(&reading, &session);
        let said = format!("{:?}", reading.unclear);
        let missing: Vec<&String> =
            hints.iter().filter(|hint| !said.contains(hint.as_str())).collect();
        if got != want || !missing.is_empty() {
            wrong.push(format!(
                "{}\n  want {want} {hints:?}\n  got  {got}\n  said {said}",
                left.trim()
            ));
        }
    }
    (wrong, count)
}

/// A table whose lines are about one variant where they name none.
fn of_variant(name: &str, table: &str) -> String {
    let lines = table.lines().filter(|line| line.contains("=>") && !line.starts_with('#'));
    let named = |line: &str| match line.starts_with('{') {
        true => format!("{line}\n"),
        false => format!("{{{name}}} {line}\n"),
    };
    lines.map(named).collect()
}

#[test]
fn phrases_written_before_the_parser() {
    let (wrong, count) = mistakes(include_str!("written_first.txt"));
    assert!(count >= 170, "{count} phrases");
    assert!(wrong.is_empty(), "{} of {count} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn phrases_about_sound() {
    let (wrong, count) = mistakes(include_str!("sound.txt"));
    assert!(count >= 70, "{count} phrases");
    assert!(wrong.is_empty(), "{} of {count} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn phrases_about_words_and_takes() {
    let (wrong, count) = mistakes(&of_variant("spoken", include_str!("words.txt")));
    assert!(count >= 80, "{count} phrases");
    assert!(wrong.is_empty(), "{} of {count} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn phrases_about_an_edit() {
    let (wrong, count) = mistakes(&of_variant("laid", include_str!("edit.txt")));
    assert!(count >= 200, "{count} phrases");
    assert!(wrong.is_empty(), "{} of {count} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn phrases_about_projects_and_timelines() {
    let (wrong, count) = mistakes(include_str!("../reader/projects.txt"));
    assert!(count >= 45, "{count} phrases");
    assert!(wrong.is_empty(), "{} of {count} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn phrases_about_processors_and_deliveries() {
    let (wrong, count) = mistakes(include_str!("desk.txt"));
    assert!(count >= 30, "{count} phrases");
    assert!(wrong.is_empty(), "{} of {count} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn phrases_about_tone() {
    let (wrong, count) = mistakes(include_str!("tone.txt"));
    assert!(count >= 80, "{count} phrases");
    assert!(wrong.is_empty(), "{} of {count} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn phrases_of_a_trial() {
    let (wrong, count) = mistakes(include_str!("asked.txt"));
    assert!(count >= 70, "{count} phrases");
    assert!(wrong.is_empty(), "{} of {count} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn phrases_of_everyday() {
    let (wrong, count) = mistakes(include_str!("everyday.txt"));
    assert!(count >= 100, "{count} phrases");
    assert!(wrong.is_empty(), "{} of {count} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn phrases_in_other_words() {
    let (wrong, count) = mistakes(include_str!("plain.txt"));
    assert!(count >= 100, "{count} phrases");
    assert!(wrong.is_empty(), "{} of {count} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn where_no_phrases_are_in_order_it_says_so_and_how_to_find_them() {
    let session = fixture::variant("single");
    for words in ["put the intro last", "please put the intro last"] {
        let reading = plan_words(words, &session);
        assert!(reading.understood.is_empty(), "{words}: {:?}", reading.understood);
        let unclear = &reading.unclear[0];
        assert!(unclear.reason.contains("no assembly yet"), "{words}: {unclear:?}");
        assert!(unclear.is_understood, "{words}: nothing is wrong with the words");
        assert_eq!(unclear.suggestions, ["find the phrases"], "{words}");
    }
    let other = plan_words("put the tuba last", &session);
    assert!(!other.unclear[0].reason.contains("no assembly"), "{:?}", other.unclear);
}

#[test]
fn the_dialogue_is_what_is_heard_of_those_who_speak_whatever_their_tracks_are_called() {
    let mut session = fixture::session();
    for number in [9, 10] {
        let (track, source) = (TrackId::new(number), SourceId::new(100 + number));
        session.tracks.get_mut(&track).unwrap().name = format!("Track {number}");
        for clip in session.clips.values_mut().filter(|clip| clip.track == track) {
            clip.source = source;
        }
        let (start, end) = (Frames(0), Frames(9_000));
        let word = Word { text: "Hello".into(), start, end, confidence: None };
        let said = Segment { words: vec![word], ..Segment::new(source, start, end) };
        session.segments.insert(SegmentId::new(900 + number), said);
    }
    let meant = |words: &str, session: &Session| -> Vec<String> {
        let understood = plan_words(words, session).understood;
        understood[0].targets.iter().map(|target| target.name.clone()).collect()
    };
    let words = "normalize the dialogue to -16 LUFS";
    assert_eq!(meant(words, &session), ["Track 9", "Track 10"]);
    session.tracks.get_mut(&TrackId::new(10)).unwrap().mute = true;
    assert_eq!(meant(words, &session), ["Track 9"], "what is muted is meant where it is named");
    assert_eq!(meant("unmute the dialogue", &session).len(), 2);
}

#[test]
fn a_track_that_was_renamed_keeps_who_speaks_on_it() {
    let mut session = fixture::variant("single-said");
    session.segments.values_mut().for_each(|segment| segment.speaker = Some("Guest".into()));
    let down = "cmd_set_track_gain targets=[Talk] change_db=-3";
    for words in ["turn the guest down by 3 dB", "turn Guest down by 3 dB"] {
        assert_eq!(show(&plan_words(words, &session), &session), down, "{words}");
    }
    let then = "turn the guest down by 3 dB and mute it";
    let both = format!("{down} ; cmd_set_track_mute targets=[Talk] mute=true");
    assert_eq!(show(&plan_words(then, &session), &session), both);
    let taken = plan_words("remove the guest", &session).understood;
    assert!(taken.is_empty(), "nothing is removed that was not named: {taken:?}");
    let talk = session.track_order.iter().copied().find(|id| session.tracks[id].name == "Talk");
    session.tracks.get_mut(&talk.unwrap()).unwrap().mute = true;
    let muted = plan_words("turn the guest down by 3 dB", &session);
    assert!(muted.understood.is_empty(), "what is not heard is meant where it is named");
}

#[test]
fn what_is_understood_and_cannot_be_done_is_told_from_what_is_not_understood() {
    let is_understood = |words: &str, session: &Session| {
        let unclear = plan_words(words, session).unclear;
        assert_eq!(unclear.len(), 1, "{words}: {unclear:?}");
        unclear[0].is_understood
    };
    let here = fixture::session();
    let meant = ["move phrase 1 up", "play phrase 12", "export the edit"];
    for words in meant.into_iter().chain(["align the guest mic", "put a flanger on the bass"]) {
        assert!(is_understood(words, &here), "{words}");
    }
    for words in ["mute the tuba", "make it nicer", "xyzzy", ""] {
        assert!(!is_understood(words, &here), "{words}");
    }
}

#[test]
fn nothing_here_becomes_an_edit() {
    let table = include_str!("danger.txt");
    let mut edits = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let words = line.split("=>").next().unwrap().trim();
        let reading = plan_words(words, &fixture::session());
        if reading.unclear.is_empty() {
            edits.push(format!("{words} => {}", show(&reading, &fixture::session())));
        }
    }
    assert!(edits.is_empty(), "{}", edits.join("\n"));
}

#[test]
fn phrases_written_after_the_parser() {
    let (wrong, count) = mistakes(include_str!("held_out.txt"));
    assert!(wrong.is_empty(), "{} of {count} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// A session with the names that recordings have in practice.
#[test]
fn phrases_about_another_session() {
    let table = include_str!("another_session.txt");
    let mut wrong = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let (left, want) = line.split_once("=>").unwrap();
        let (session, words) = match left.strip_prefix("{letters} ") {
            Some(words) => (fixture::letters(), words),
            None => (fixture::band(), left),
        };
        let reading = plan_words(words.trim(), &session);
        let got = show(&reading, &session);
        if got != want.trim() {
            wrong
                .push(format!("{words}\n  want{want}\n  got  {got}\n  said {:?}", reading.unclear));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Readings in a session of which a track is called "show", each as it is shown.
fn reads(table: &[(&str, &str)]) {
    let session = fixture::verbs();
    for (words, want) in table {
        let reading = plan_words(words, &session);
        assert_eq!(show(&reading, &session), *want, "{words}: {:?}", reading.unclear);
    }
}

#[test]
fn a_track_may_be_called_like_a_word_that_asks() {
    let boosted = "cmd_set_insert effect={\"bands\":[{\"frequency_hz\":120.0,\"gain\":2.0,\"q\":0.7,\
                   \"shape\":\"low_shelf\"}],\"kind\":\"equalizer\"} on=show";
    reads(&[
        ("mute the show", "cmd_set_track_mute targets=[show] mute=true"),
        ("turn the show down by 3 dB", "cmd_set_track_gain targets=[show] change_db=-3"),
        ("normalize my show to -16 LUFS", "tool_normalize targets=[show] target_lufs=-16"),
        ("cut the ums in show", "tool_tighten targets=[show] false_starts=false fillers=true"),
        ("boost the lows on show by 2 dB", boosted),
        ("split the show into stems", "tool_separate_stems targets=[show]"),
        ("show me the tracks", "ask list what=tracks"),
        ("clean up the guest's audio", "tool_denoise targets=[guest]"),
        ("mute loop", "cmd_set_track_mute targets=[loop] mute=true"),
        ("find the tempo of loop", "tool_detect_beats targets=[loop]"),
        ("turn the gate up by 2 dB", "cmd_set_track_gain targets=[Gate] change_db=2"),
        ("compress the voice", "cmd_set_insert effect={\"kind\":\"compressor\"} on=voice"),
        ("loop from 0:10 to 0:20", "cmd_set_loop from_s=10 to_s=20"),
        ("gate the voice", "cmd_set_insert effect={\"kind\":\"gate\"} on=voice"),
    ]);
}

#[test]
fn a_place_may_be_said_first() {
    reads(&[
        ("in micA, cut the ums", "tool_tighten targets=[micA] false_starts=false fillers=true"),
        ("on micA, mute.", "cmd_set_track_mute targets=[micA] mute=true"),
        ("in micA, mark 0:01 as Intro", "cmd_add_marker at_s=1 name=\"Intro\" ; unclear"),
        (
            "in micA, cut the ums and mute bass",
            "tool_tighten targets=[micA] false_starts=false fillers=true ; cmd_set_track_mute targets=[bass] mute=true",
        ),
    ]);
}

#[test]
fn a_path_is_whole_without_quotes() {
    let named = "tool_import_transcript file=\"/tmp/show and guest/show.srt\" target=[\"track_000000000001\"]";
    let plain = named.replace(" and guest", "");
    reads(&[
        ("import the transcript \"/tmp/show and guest/show.srt\" onto show", named),
        ("import the transcript /tmp/show/show.srt onto show", plain.as_str()),
        ("load the transcript /tmp/show/show.srt for the show", plain.as_str()),
    ]);
}
