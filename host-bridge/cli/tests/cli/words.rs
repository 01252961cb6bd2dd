//! Words and takes on the command line: a transcript is imported, coded, counted and put in order.

use crate::desk::Desk;
use serde_json::{Value, json};

const SAID: [(&str, &str); 4] = [
    ("Ann", "Welcome to the show."),
    ("Ann", "Today we talk about money."),
    ("Bob", "There is no money."),
    ("Ann", "Goodbye."),
];

/// A session with a recording of tones in which this is said, a second each.
pub(crate) fn spoken() -> Desk {
    let desk = Desk::new();
    desk.tone("Talk.wav", 440.0, -20.0, 8.0);
    let segments: Vec<Value> = (0..)
        .zip(SAID)
        .map(|(n, (who, text))| {
            json!({"start": f64::from(n) * 2.0, "end": f64::from(n) * 2.0 + 1.0, "text": text, "speaker": who})
        })
        .collect();
    std::fs::write(desk.path("talk.json"), json!({"segments": segments}).to_string()).unwrap();
    desk.ok(&["new", "s"]);
    desk.ok(&["import", "s", "Talk.wav"]);
    desk.ok(&["words", "import", "s", "talk.json", "--yes"]);
    desk
}

#[test]
fn words_are_imported_shown_searched_and_written() {
    let desk = Desk::new();
    desk.tone("Talk.wav", 440.0, -20.0, 8.0);
    desk.ok(&["new", "s"]);
    desk.ok(&["import", "s", "Talk.wav"]);
    assert!(desk.ok(&["words", "show", "s"]).stdout.contains("there is no transcript yet"));
    let none = desk.error(&["words", "show", "s", "Talk"], 1);
    assert_eq!(none["code"], "no_target", "{none}");
    let lines = "[00:00:01.000 --> 00:00:02.000] Ann: The money went.\n";
    std::fs::write(desk.path("talk.txt"), lines).unwrap();
    let waits = desk.run(&["words", "import", "s", "talk.txt", "--of", "Talk"]);
    assert_eq!(waits.code, 3, "{}", waits.stderr);
    desk.ok(&["words", "import", "s", "talk.txt", "-y"]);
    let again = desk.ok(&["words", "import", "s", "talk.txt"]).stdout;
    assert!(again.contains("The phrase of Talk is here already"), "{again}");
    std::fs::write(desk.path("other.txt"), lines.replace("went", "came")).unwrap();
    let other = desk.error(&["words", "import", "s", "other.txt"], 1);
    assert!(other["message"].as_str().unwrap().contains("written down of Talk already"), "{other}");
    desk.ok(&["words", "import", "s", "other.txt", "--format", "text", "--replace", "-y"]);
    let shown = desk.ok(&["words", "show", "s"]).stdout;
    assert!(shown.contains("0:01.000  Ann: The money came."), "{shown}");
    assert_eq!(desk.json(&["words", "show", "s", "talk"])["transcripts"][0]["name"], "Talk");
    let found = desk.json(&["words", "search", "s", "the", "mony", "--in", "Talk"]);
    assert_eq!(found["answer"]["places"][0]["timeline_s"], 1.0, "{found}");
    let by_none = desk.error(&["words", "search", "s", "money", "--speaker", "Bob"], 1);
    assert!(by_none["message"].as_str().unwrap().contains("Bob"), "{by_none}");
    let by_ann = desk.json(&["words", "search", "s", "money", "--speaker", "Ann"]);
    assert_eq!(by_ann["answer"]["places"][0]["timeline_s"], 1.25, "{by_ann}");
    let told = desk.ok(&["words", "search", "s", "the mony"]).stdout;
    assert!(told.contains("It is said once") && told.contains("The money came."), "{told}");
    desk.ok(&["words", "export", "s", "out.srt", "--no-speakers"]);
    let written = std::fs::read_to_string(desk.path("out.srt")).unwrap();
    assert_eq!(written, "1\n00:00:01,000 --> 00:00:02,000\nThe money came.\n\n");
    assert_eq!(desk.run(&["words", "export", "s", "out.srt", "-y"]).code, 1, "it exists");
    desk.ok(&["words", "export", "s", "played.srt", "--no-speakers", "--from", "timeline"]);
    assert_eq!(std::fs::read_to_string(desk.path("played.srt")).unwrap(), written);
}

#[test]
fn words_that_hide_or_turn_text_around_reach_no_terminal() {
    let desk = Desk::new();
    desk.tone("Talk.wav", 440.0, -20.0, 4.0);
    desk.ok(&["new", "s"]);
    desk.ok(&["import", "s", "Talk.wav"]);
    let hostile = "[00:00:01.000 --> 00:00:02.000] Ann: Pay\u{202e} to\u{200b} me now.\n";
    std::fs::write(desk.path("talk.txt"), hostile).unwrap();
    let imported = desk.ok(&["words", "import", "s", "talk.txt", "-y"]).stdout;
    let shown = desk.ok(&["words", "show", "s"]).stdout;
    let found = desk.ok(&["words", "search", "s", "pay"]).stdout;
    for told in [imported, shown.clone(), found] {
        assert!(!told.contains(['\u{202e}', '\u{200b}']), "{told:?}");
    }
    assert!(shown.contains("Pay to me now."), "{shown:?}");
    let kept = desk.json(&["words", "show", "s"]).to_string();
    assert!(kept.contains('\u{202e}'), "programs get what was said: {kept}");
}

#[test]
fn speakers_are_marked_and_renamed() {
    let desk = spoken();
    let waits = desk.run(&["words", "speakers", "s", "Talk", "--by", "track"]);
    assert_eq!(waits.code, 3, "{}", waits.stderr);
    let marked = desk.json(&["words", "speakers", "s", "--by", "track", "--codes", "-y"]);
    assert_eq!(marked["answer"]["speakers_detected"], json!(["Talk"]), "{marked}");
    assert!(!marked["answer"]["codes_created"].as_array().unwrap().is_empty(), "{marked}");
    desk.ok(&["words", "rename", "s", "Talk", "Anna", "--yes"]);
    let shown = desk.ok(&["words", "show", "s"]).stdout;
    assert_eq!(shown.matches("Anna: ").count(), 4, "{shown}");
    let nobody = desk.error(&["words", "rename", "s", "Talk", "Ben"], 1);
    assert_eq!(nobody["code"], "no_target", "{nobody}");
    let by_sound = desk.error(&["words", "speakers", "s", "--by", "sound", "--count", "2"], 1);
    assert!(by_sound["message"].as_str().unwrap().contains("resemblyzer"), "{by_sound}");
}

#[test]
fn codebooks_and_projects_are_written_and_read() {
    let desk = spoken();
    desk.ok(&["codes", "add", "s", "Budget", "--yes"]);
    desk.ok(&["codes", "exact", "s", "Budget", "money", "--yes"]);
    let other = desk.error(&["codes", "export", "s", "book.foo"], 1);
    let fix = other["fix"].as_str().unwrap();
    assert!(fix.contains(".qdc") && fix.contains(".qdpx"), "{other}");
    desk.ok(&["codes", "export", "s", "book.QDC", "-y"]);
    desk.ok(&["codes", "export", "s", "all.qdpx", "-y"]);
    desk.ok(&["new", "t"]);
    let read = desk.ok(&["codes", "import", "t", "all.qdpx", "-y"]).stderr;
    assert!(read.contains("the codes of a project are read"), "{read}");
    assert_eq!(desk.json(&["codes", "list", "t"])[0]["name"], "Budget");
    let again = desk.ok(&["codes", "import", "t", "book.QDC"]).stdout;
    assert!(again.contains("The code is here already"), "{again}");
}

#[test]
fn codes_are_made_put_on_words_counted_and_merged() {
    let desk = spoken();
    assert!(desk.ok(&["codes", "list", "s"]).stdout.contains("no codes yet"));
    desk.ok(&["codes", "add", "s", "Topic", "--yes"]);
    desk.ok(&["codes", "add", "s", "Budget", "--parent", "Topic", "--color", "#40a060", "--yes"]);
    let waits = desk.run(&["codes", "exact", "s", "Budget", "money"]);
    assert_eq!(waits.code, 3, "text-wide coding waits: {}", waits.stdout);
    assert!(waits.stdout.contains("segments created: 2"), "plan and data: {}", waits.stdout);
    assert!(waits.stdout.contains("waits for a decision"), "{}", waits.stdout);
    for how in ["exact", "startswith", "contains", "endswith", "regex"] {
        let waits = desk.run(&["codes", "exact", "s", "Budget", "money", "--match", how]);
        assert_eq!(waits.code, 3, "{how}: {}", waits.stderr);
    }
    let coded = desk.json(&["codes", "exact", "s", "Budget", "money", "--yes"]);
    assert_eq!(
        (&coded["status"], &coded["answer"]["segments_created"]),
        (&json!("applied"), &json!(2))
    );
    let batch = coded["answer"]["batch_id"].as_str().unwrap();
    let codes = desk.json(&["codes", "list", "s"]);
    assert_eq!((&codes[0]["name"], &codes[1]["name"]), (&json!("Topic"), &json!("Budget")));
    assert_eq!((&codes[1]["segments"], &codes[1]["color"]), (&json!(2), &json!("#40a060")));
    let text = desk.ok(&["codes", "list", "s"]).stdout;
    assert!(text.contains("\n   Budget"), "a kind of topic: {text}");
    assert!(desk.ok(&["codes", "report", "s"]).stdout.contains("Budget"));
    desk.ok(&["codes", "memo", "s", "Budget", "Not salaries."]);
    assert_eq!(desk.json(&["codes", "list", "s"])[1]["memo"], "Not salaries.");
    desk.ok(&["codes", "uncode", "s", batch, "--yes"]);
    assert_eq!(desk.json(&["codes", "list", "s"])[1]["segments"], 0);
    desk.ok(&["codes", "merge", "s", "Budget", "Topic", "--yes"]);
    assert_eq!(desk.json(&["codes", "list", "s"]).as_array().unwrap().len(), 1);
    assert_eq!(desk.error(&["codes", "remove", "s", "Rent", "--yes"], 1)["code"], "no_target");
    assert_eq!(
        desk.error(&["codes", "uncode", "s", batch, "seg_000000000001"], 1)["code"],
        "bad_params"
    );
}

#[test]
fn a_region_gets_a_new_code_in_one_step() {
    let desk = spoken();
    let asked = desk.run(&["ask", "s", "code 0s to 1s as Applause"]);
    assert_eq!(asked.code, 3, "the code waits, with what it is put on: {}", asked.stderr);
    assert!(asked.stdout.contains("coded Applause"), "by its name: {}", asked.stdout);
    desk.ok(&["apply", "s", "--yes"]);
    desk.ok(&["ask", "s", "code 2s to 3s as Applause", "--yes"]);
    desk.ok(&["codes", "region", "s", "Bell", "Talk", "1", "2"]);
    let codes = desk.json(&["codes", "list", "s"]);
    let counts = [&codes[0], &codes[1]].map(|code| (code["name"].as_str(), &code["segments"]));
    assert_eq!(counts, [(Some("Applause"), &json!(2)), (Some("Bell"), &json!(1))]);
}

#[test]
fn codes_are_renamed_moved_and_put_on_rectangles_and_segments_marked() {
    let desk = spoken();
    for name in ["Topic", "Bell"] {
        desk.ok(&["codes", "add", "s", name, "--yes"]);
    }
    let put = desk.json(&["codes", "spectral", "s", "Bell", "Talk", "1", "2", "200", "900"]);
    let segment = put["answer"]["segment_id"].as_str().unwrap();
    desk.ok(&["codes", "important", "s", segment]);
    desk.ok(&["codes", "rename", "s", "Bell", "Chime", "--yes"]);
    desk.ok(&["codes", "move", "s", "Chime", "--under", "Topic", "--yes"]);
    assert!(desk.ok(&["codes", "list", "s"]).stdout.contains("\n   Chime"), "a kind of topic");
    desk.ok(&["codes", "move", "s", "Topic/Chime", "--yes"]);
    assert!(!desk.ok(&["codes", "list", "s"]).stdout.contains("\n   Chime"));
    let twin = desk.error(&["codes", "rename", "s", "Chime", "topic", "--yes"], 1);
    assert!(twin["message"].as_str().unwrap().contains("already"), "{twin}");
    let like = ["codes", "similar", "s", "Topic", "talk about money", "--measure", "letters"];
    assert_eq!(desk.run(&like).code, 3);
    let far = desk.run(&[&like[..], &["--threshold", "0.99"]].concat());
    assert!(far.stderr.contains("`--threshold` 0."), "{}", far.stderr);
    let wrong = desk.error(&[&like[..], &["--threshold", "2"]].concat(), 1);
    assert!(wrong["message"].as_str().unwrap().starts_with("--threshold is at most"), "{wrong}");
}

#[test]
fn a_part_of_a_plan_is_planned_alone_and_takes_its_place() {
    let desk = spoken();
    desk.ok(&["assemble", "phrases", "s", "--yes"]);
    let waits = desk.run(&["assemble", "remove", "s", "1", "2", "4"]);
    assert_eq!(waits.code, 3);
    assert!(
        waits.stdout.contains("parts; apply some of them with --only p1,p2:"),
        "{}",
        waits.stdout
    );
    assert!(waits.stdout.contains("  p3  Goodbye."), "{}", waits.stdout);
    let unknown = desk.error(&["apply", "s", "--only", "p1,p4", "--yes"], 1);
    assert!(unknown["message"].as_str().unwrap().contains("it has p1, p2, p3"), "{unknown}");
    assert_eq!(desk.error(&["apply", "s", "--only", "p1,c1", "--yes"], 1)["code"], "bad_params");
    let set = ["apply", "s", "--only", "p1,p3", "--set", "c1=-3", "--yes"];
    assert_eq!(desk.error(&set, 1)["code"], "bad_params", "c1 would be another change there");
    let applied = desk.ok(&["apply", "s", "--only", "p1,p3", "--yes"]);
    assert!(applied.stdout.contains("Remove "), "{}", applied.stdout);
    let rows = desk.json(&["assemble", "list", "s"])["phrases"].as_array().unwrap().clone();
    let removed: Vec<_> = rows.iter().filter(|row| row["state"] == "removed").collect();
    assert_eq!(removed.len(), 2);
    assert_eq!(removed[1]["text"], "Goodbye.");
    let plans = desk.ok(&["plans", "s"]).stdout;
    assert!(
        plans.contains("planned again with 2 of its 3 parts"),
        "the whole is rejected: {plans}"
    );
    let stored = desk.json(&["plans", "s"]);
    let whole = stored.as_array().unwrap().iter().find(|it| it["state"] == "rejected").unwrap();
    let whole = whole["plan"]["id"].as_str().unwrap().to_owned();
    let again = desk.error(&["apply", "s", &whole, "--only", "p2", "--yes"], 1);
    assert!(again["message"].as_str().unwrap().contains("was rejected"), "{again}");
    assert!(!desk.ok(&["plans", "s"]).stdout.contains("waiting"), "nothing of it waits");
    desk.ok(&["undo", "s"]);
    let rows = desk.json(&["assemble", "list", "s"])["phrases"].as_array().unwrap().clone();
    assert!(rows.iter().all(|row| row["state"] == "plays"), "one step");
}

#[test]
fn phrases_are_found_ordered_removed_and_written() {
    let desk = spoken();
    assert!(desk.ok(&["assemble", "list", "s"]).stdout.contains("no phrases yet"));
    assert_eq!(desk.run(&["assemble", "phrases", "s"]).code, 3);
    desk.ok(&["assemble", "phrases", "s", "--yes"]);
    let texts = |desk: &Desk| -> Vec<String> {
        let listed = desk.json(&["assemble", "list", "s"]);
        let rows = listed["phrases"].as_array().unwrap().clone();
        rows.iter()
            .map(|row| {
                format!("{} {}", row["state"].as_str().unwrap(), row["text"].as_str().unwrap())
            })
            .collect()
    };
    assert_eq!(texts(&desk)[3], "plays Goodbye.");
    let listed = desk.json(&["assemble", "list", "s"]);
    let second = |name: &str| listed["phrases"][0][name].as_f64().unwrap();
    let (length, whole) = (second("length_s"), second("end_s") - second("start_s"));
    assert!(length > 0.0 && length < whole + 0.001, "{listed}");
    let alone = desk.json(&["assemble", "duplicates", "s", "--of", "2", "--of", "3"]);
    assert_eq!(alone["answer"]["groups"], json!([]), "no phrase is said twice: {alone}");
    assert_eq!(desk.run(&["assemble", "duplicates", "s", "1", "2", "--of", "3"]).code, 2);
    desk.ok(&["assemble", "order", "s", "4", "1", "2", "3", "--yes"]);
    assert_eq!(texts(&desk)[0], "plays Goodbye.");
    desk.ok(&["assemble", "remove", "s", "1", "--yes"]);
    assert_eq!(texts(&desk)[3], "removed Goodbye.");
    phrases_are_named_that_are_missing_or_unknown(&desk);
    desk.ok(&["assemble", "finish", "s", "Three phrases of four."]);
    the_edit_is_written(&desk);
}

fn phrases_are_named_that_are_missing_or_unknown(desk: &Desk) {
    let short = desk.run(&["assemble", "order", "s", "2", "1"]);
    assert_eq!(short.code, 1, "phrase 3 is missing: {}", short.stdout);
    assert!(short.stderr.contains("missing: 3 \"There is no money.\""), "{}", short.stderr);
    let unknown = desk.error(&["assemble", "order", "s", "2", "9", "x", "1"], 1);
    let named = unknown["message"].as_str().unwrap();
    assert!(named.starts_with("there is no phrase 9") && named.contains("\"x\""), "{named}");
    assert_eq!(desk.error(&["assemble", "remove", "s", "9"], 1)["code"], "no_target");
    assert_eq!(desk.error(&["assemble", "remove", "s", "x"], 1)["code"], "no_target");
}

fn the_edit_is_written(desk: &Desk) {
    assert!(desk.ok(&["assemble", "list", "s"]).stdout.contains("finished: Three phrases"));
    desk.ok(&["assemble", "export", "s", "edit.srt", "-y"]);
    desk.ok(&["render", "s", "edit.wav", "-y"]);
    let written = std::fs::read_to_string(desk.path("edit.srt")).unwrap();
    assert!(written.contains("Welcome to the show") && !written.contains("Goodbye"), "{written}");
    assert_eq!(desk.error(&["assemble", "export", "s", "edit.doc"], 1)["code"], "bad_params");
    desk.ok(&["assemble", "remove", "s", "1", "2", "3", "--yes"]);
    let nothing = desk.error(&["render", "s", "mix.wav"], 1);
    assert_eq!(nothing["message"], "nothing plays: every clip or its track is muted", "{nothing}");
    assert!(!desk.path("mix.wav").exists());
    let nothing = desk.error(&["assemble", "export", "s", "none.srt", "-y"], 1);
    assert_eq!(nothing["message"], "nothing is in the edit: no phrase of it plays", "{nothing}");
    assert!(nothing["fix"].as_str().unwrap().contains("deskhand assemble restore"), "{nothing}");
    assert!(!desk.path("none.srt").exists());
}

#[test]
fn the_mix_of_an_edit_is_written_like_its_other_files() {
    let desk = spoken();
    let early = desk.error(&["assemble", "export", "s", "edit.wav"], 1);
    assert_eq!(early["message"], "there is no assembly yet", "{early}");
    desk.ok(&["assemble", "phrases", "s", "--yes"]);
    desk.ok(&["assemble", "remove", "s", "1", "--yes"]);
    let hidden = desk.error(&["assemble", "export", "s", "edit.wav", "--pseudonyms"], 1);
    assert_eq!(hidden["code"], "bad_params", "{hidden}");
    desk.ok(&["assemble", "export", "s", "edit.wav", "-y"]);
    desk.ok(&["render", "s", "mix.wav"]);
    let length = |file: &str| desk.json(&["measure", file])[0]["duration_s"].as_f64().unwrap();
    assert!((length("edit.wav") - length("mix.wav")).abs() < 0.001, "what plays, and no more");
    let there = desk.run(&["assemble", "export", "s", "edit.wav", "--format", "mix", "-y"]);
    assert_eq!(there.code, 1, "it exists: {}", there.stderr);
}

#[test]
fn an_edit_is_shown_with_the_times_at_which_it_is_heard() {
    let desk = spoken();
    desk.ok(&["assemble", "phrases", "s", "--yes"]);
    desk.ok(&["assemble", "order", "s", "4", "1", "2", "3", "--yes"]);
    let all = desk.ok(&["words", "show", "s"]).stdout;
    assert!(all.contains("0:06.000  Ann: Goodbye.") && all.contains("--edit"), "{all}");
    let edit = desk.ok(&["words", "show", "s", "--edit"]).stdout;
    assert!(edit.lines().next().unwrap().ends_with("  Ann: Goodbye."), "{edit}");
    let lines = desk.json(&["words", "show", "s", "--edit"])["edit"].as_array().unwrap().clone();
    let at: Vec<f64> = lines.iter().map(|line| line["at_s"].as_f64().unwrap()).collect();
    assert!(at.len() == 4 && at[0] < 3.0 && at.is_sorted(), "{at:?}");
}

#[test]
fn what_was_cut_out_of_a_phrase_is_not_listed_with_it() {
    let desk = spoken();
    desk.ok(&["assemble", "phrases", "s", "--yes"]);
    let edit = desk.json(&["words", "show", "s", "--edit"]);
    let at = edit["edit"][0]["at_s"].as_f64().unwrap();
    let [start, end] = [format!("start_s={at}"), format!("end_s={}", at + 0.5)];
    let on = "targets=Talk (assembly)";
    desk.ok(&["plan", "s", "cmd_ripple_delete", on, start.as_str(), end.as_str()]);
    desk.ok(&["apply", "s", "--yes"]);
    let first = desk.json(&["assemble", "list", "s"])["phrases"][0].clone();
    let text = first["text"].as_str().unwrap();
    assert_eq!(first["whole_text"], "Welcome to the show.", "{first}");
    assert!(text.ends_with("show.") && !text.contains("Welcome"), "{first}");
    assert!(first["start_s"].as_f64().unwrap() > 0.2, "{first}");
    assert!(!desk.ok(&["assemble", "list", "s"]).stdout.contains("Welcome"));
}

#[test]
fn takes_are_chosen_by_their_numbers() {
    let desk = spoken();
    desk.ok(&["assemble", "phrases", "s", "--yes"]);
    let refused = |words: &[&str]| {
        let told = desk.error(&[&["assemble", "duplicates", "s"], words].concat(), 1);
        told["message"].as_str().unwrap().to_owned()
    };
    assert!(refused(&["--keep", "2"]).ends_with("is not a take of another phrase"));
    assert_eq!(refused(&["--keep", "2.1"]), "phrase 2 has no other takes");
    assert_eq!(refused(&["2", "--keep", "2"]), "one phrase alone is no take of another");
    desk.ok(&["assemble", "duplicates", "s", "2", "3", "--keep", "2", "--yes"]);
    let take = |desk: &Desk| {
        let listed = desk.json(&["assemble", "list", "s"]);
        let rows = listed["phrases"].as_array().unwrap().clone();
        let taken = rows.into_iter().filter(|row| row["take"].is_string());
        taken.map(|row| format!("{} {}", row["take"], row["text"])).collect::<Vec<_>>()
    };
    let before = take(&desk);
    assert!(before.len() == 1 && before[0].starts_with("\"2.2\""), "{before:?}");
    assert!(desk.ok(&["assemble", "list", "s"]).stdout.contains(" 2.2  phr_"));
    assert_eq!(refused(&["--keep", "2.3"]), "phrase 2 has 2 takes, and no take 3");
    desk.ok(&["assemble", "duplicates", "s", "--keep", "2.2", "--yes"]);
    let after = take(&desk);
    assert!(after.len() == 1 && after[0].starts_with("\"2.1\""), "{after:?}");
    assert_ne!(before, after);
}

#[test]
fn what_an_edit_plays_is_written_once_and_in_its_order() {
    let desk = spoken();
    desk.ok(&["assemble", "phrases", "s", "--yes"]);
    desk.ok(&["assemble", "order", "s", "4", "1", "2", "3", "--yes"]);
    desk.ok(&["words", "export", "s", "edit.txt", "--from", "timeline", "-y"]);
    let text = std::fs::read_to_string(desk.path("edit.txt")).unwrap();
    assert_eq!(text.lines().count(), 4, "{text}");
    assert!(text.lines().next().unwrap().ends_with("Ann: Goodbye."), "{text}");
}

#[test]
fn names_that_stay_in_what_is_written_are_warned_of() {
    let desk = spoken();
    desk.ok(&["assemble", "phrases", "s", "--yes"]);
    let export = |file| ["assemble", "export", "s", file, "--pseudonyms", "-y"];
    let told = desk.ok(&export("edit.csv")).stderr;
    assert!(told.contains("warning: names of files are in it"), "{told}");
    let told = &desk.json(&export("again.csv"))["warnings"];
    assert!(told[0].as_str().unwrap().starts_with("names of files"), "{told}");
}

#[test]
fn fillers_alone_are_cut_and_room_tone_stands_in_their_place() {
    let desk = spoken();
    let tighten = ["assemble", "tighten", "s", "--keep-pauses", "--keep-false-starts"];
    let alone = desk.run(&tighten).stdout;
    assert!(alone.contains("filler") && !alone.contains("pause"), "{alone}");
    // The time stays the same.
    let filled = desk.run(&[&tighten[..], &["--room-tone"]].concat()).stdout;
    assert!(filled.contains("Tighten by 0.0 s"), "{filled}");
    let none = desk.error(&[&tighten[..], &["--keep-fillers"]].concat(), 1);
    assert_eq!(none["code"], "bad_params", "{none}");
}

#[test]
fn one_speaker_a_track_is_assembled_in_the_order_of_time_without_a_group() {
    let desk = spoken();
    desk.tone("Guest.wav", 330.0, -20.0, 8.0);
    desk.ok(&["import", "s", "Guest.wav"]);
    let said: Vec<Value> = (0..3)
        .map(|n| {
            let start = f64::from(n) * 2.0 + 1.0;
            json!({"start": start, "end": start + 1.0, "text": "Yes, I see.", "speaker": "Guest"})
        })
        .collect();
    let file = desk.path("guest.json");
    std::fs::write(&file, json!({"segments": said}).to_string()).unwrap();
    desk.ok(&["words", "import", "s", "guest.json", "--of", "Guest", "-y"]);
    let told = desk.run(&["assemble", "phrases", "s"]);
    let all = format!("{}{}", told.stdout, told.stderr);
    let plays = |text: &str| all.find(&format!("{text}: add clip")).unwrap();
    let order = ["Welcome to the show.", "Yes, I see.", "Today we talk about money."].map(plays);
    assert!(order.is_sorted(), "{all}");
    assert!(!all.contains("cmd_set_group"), "{all}");
}

#[test]
fn what_cannot_be_transcribed_is_one_line() {
    let desk = Desk::with_session();
    let none = desk.error(&["transcribe", "s", "Banjo"], 1);
    assert_eq!(none["code"], "no_target", "{none}");
    let missing = desk.error(&["transcribe", "nowhere.wav"], 1);
    assert!(missing["message"].as_str().unwrap().contains("nowhere.wav"), "{missing}");
    // There is no model in the folder of the test.
    let model = desk.error(&["transcribe", "s", "--yes"], 1);
    assert!(model["fix"].as_str().unwrap().contains("models"), "{model}");
    let two = desk.error(&["transcribe", "Voice.wav", "Music.wav", "-o", "both.srt"], 1);
    assert_eq!(two["code"], "bad_params");
}

#[test]
fn a_transcription_that_was_left_is_told_of_with_the_way_on() {
    let desk = Desk::with_session();
    assert!(!desk.ok(&["words", "show", "s"]).stdout.contains("was left"));
    let folder = desk.path("s/cache");
    std::fs::create_dir_all(&folder).unwrap();
    let call = json!({"tool": "tool_transcribe", "params": {"targets": "all"}, "author": "user"});
    std::fs::write(folder.join("unfinished.json"), json!([call]).to_string()).unwrap();
    let told = desk.ok(&["words", "show", "s"]).stdout;
    assert!(told.contains("there is no transcript yet"), "{told}");
    let plan = desk.json(&["words", "show", "s"])["unfinished"].as_str().unwrap().to_owned();
    assert!(told.contains(&format!("`deskhand apply DIR {plan} --yes` continues it")), "{told}");
}

#[test]
fn asked_in_words_a_plan_shows_what_was_found() {
    let desk = spoken();
    let waits = desk.run(&["ask", "s", "mark everything about money as Budget"]);
    assert_eq!(waits.code, 3, "{}", waits.stdout);
    assert!(waits.stdout.contains("segments created: 2"), "{}", waits.stdout);
    let turns = desk.ok(&["ask", "s", "who speaks when?"]).stdout;
    assert!(turns.contains("0:00.000 to 0:03.000: Ann") && turns.contains(": Bob"), "{turns}");
    let found = desk.json(&["ask", "s", "find where he says money"]);
    assert_eq!(found["answers"][0]["values"]["count"], 2, "{found}");
    let shown = desk.ok(&["ask", "s", "find where he says money"]).stdout;
    assert!(shown.contains("It is said 2 times") && shown.contains("start s"), "{shown}");
    let talk = desk.ok(&["ask", "s", "find where he says money", "--provider", "offline"]).stdout;
    let places = talk.lines().filter(|line| line.starts_with("  0:"));
    assert_eq!(places.count(), 2, "a conversation says where: {talk}");
    let read = desk.ok(&["ask", "s", "show the transcript"]).stdout;
    assert!(read.contains("Ann: ") && read.contains("Bob: "), "{read}");
}

#[test]
fn a_wish_that_is_understood_and_comes_too_early_is_not_called_otherwise() {
    let desk = spoken();
    let early = desk.run(&["ask", "s", "put the intro last"]);
    assert_eq!(early.code, 3, "{}", early.stderr);
    let told = early.stdout;
    assert!(told.starts_with("cannot be done: \"put the intro last\": "), "{told}");
    assert!(told.contains("find the phrases"), "{told}");
    let told = desk.run(&["ask", "s", "frobnicate the flanger", "--json"]).json();
    assert_eq!(told["unclear"][0]["is_understood"], false, "{told}");
}
