//! Output on the command line: in its own words, before long work, and with everything that a person should
//! know.

use crate::desk::Desk;
use crate::words::spoken;
use serde_json::json;
use std::fs::{File, FileTimes};
use std::time::{Duration, SystemTime};

#[test]
fn parameters_are_called_what_they_are_called_on_the_command_line() {
    let desk = spoken();
    let fix = |args: &[&str]| {
        let error = desk.error(args, 1);
        error["fix"].as_str().unwrap().to_owned()
    };
    std::fs::write(desk.path("talk.foo"), "Hello.").unwrap();
    assert!(fix(&["words", "import", "s", "talk.foo"]).starts_with("give --format"));
    desk.ok(&["assemble", "phrases", "s", "--yes"]);
    let exports: [&[&str]; 4] = [
        &["words", "export", "s", "out.srt", "-y"],
        &["codes", "export", "s", "book.qdc", "-y"],
        &["assemble", "export", "s", "edit.csv", "-y"],
        &["assemble", "export", "s", "edit.wav", "-y"],
    ];
    desk.ok(&["codes", "add", "s", "Topic", "--yes"]);
    for export in exports {
        desk.ok(export);
        assert_eq!(fix(export), "give another FILE", "{export:?}");
    }
    let far = fix(&["codes", "similar", "s", "Topic", "money", "--threshold", "2"]);
    assert_eq!(far, "see `--help` for its options");
    let many = desk.run(&["words", "speakers", "s", "--by", "sound", "--count", "40"]);
    assert_eq!(many.code, 2, "{}", many.stderr);
    assert!(many.stderr.contains("--count"), "{}", many.stderr);
}

#[test]
fn a_name_that_another_speaker_has_is_told_of() {
    let desk = spoken();
    let waits = desk.run(&["words", "rename", "s", "Bob", "Ann"]);
    assert_eq!(waits.code, 3, "{}", waits.stdout);
    assert!(waits.stderr.contains("the two become one"), "{}", waits.stderr);
    let told = desk.json(&["words", "rename", "s", "Bob", "Ann", "--yes"]);
    let told = told["plan"]["warnings"][0].as_str().unwrap_or_default().to_owned();
    assert!(told.contains("the two become one"), "{told}");
    let alone = desk.run(&["words", "rename", "s", "Ann", "Anna", "--yes"]);
    assert!(!alone.stderr.contains("become one"), "{}", alone.stderr);
}

#[test]
fn all_that_is_wrong_with_an_order_is_named_at_once() {
    let desk = spoken();
    desk.ok(&["assemble", "phrases", "s", "--yes"]);
    let wrong = desk.error(&["assemble", "order", "s", "1", "1", "99"], 1);
    let message = wrong["message"].as_str().unwrap();
    let all = "there is no phrase 99: 4 play; given more than once: 1; missing: 2, 3, 4";
    assert_eq!(message, all, "{wrong}");
}

#[test]
fn what_cannot_be_written_is_told_before_anything_is_listened_to() {
    let desk = Desk::with_session();
    std::fs::write(desk.path("there.srt"), "mine").unwrap();
    let told = |file: &str| {
        let error = desk.error(&["transcribe", "s", "-o", file], 1);
        error["message"].as_str().unwrap().to_owned()
    };
    assert_eq!(told("there.srt"), "there.srt exists already");
    assert_eq!(told("nowhere/new.srt"), "there is no folder nowhere");
    assert_eq!(told("new.docx"), "the ending of new.docx is not known");
    assert_eq!(std::fs::read_to_string(desk.path("there.srt")).unwrap(), "mine");
}

#[test]
fn a_render_ends_with_what_plays_and_says_what_it_replaced() {
    let desk = Desk::with_session();
    let part = ["render", "s", "part.wav", "--range", "1..60"];
    let first = desk.ok(&part);
    assert!(!first.stdout.contains("replacing"), "{}", first.stdout);
    assert!(first.stderr.contains("nothing plays after 3"), "{}", first.stderr);
    assert!(desk.ok(&part).stdout.contains("replacing the existing file"));
    assert_eq!(desk.json(&part)["duration_s"], 2.0);
    let outside = desk.error(&["render", "s", "part.wav", "--range", "12.5..60"], 1);
    assert!(outside["fix"].as_str().unwrap().starts_with("write --range 0..3"), "{outside}");
}

#[test]
fn what_a_killed_export_left_goes_with_a_later_one() {
    let desk = spoken();
    desk.ok(&["assemble", "phrases", "s", "--yes"]);
    let [old, new] = [".deskhand-aB3xY9", ".deskhand-bB3xY9"].map(|name| desk.path(name));
    for folder in [&old, &new] {
        std::fs::create_dir(folder).unwrap();
        std::fs::write(folder.join("part.wav"), "1").unwrap();
    }
    let two_days = Duration::from_secs(2 * 24 * 60 * 60);
    let times = FileTimes::new().set_modified(SystemTime::now() - two_days);
    File::open(&old).unwrap().set_times(times).unwrap();
    desk.ok(&["assemble", "export", "s", "edit.wav", "-y"]);
    assert!(!old.exists() && new.exists(), "another one may be at work in a new one");
}

#[test]
fn an_edit_comes_with_a_transcription_that_was_left() {
    let desk = Desk::with_session();
    std::fs::create_dir_all(desk.path("s/cache")).unwrap();
    let call = json!({"tool": "tool_transcribe", "params": {"targets": "all"}, "author": "user"});
    std::fs::write(desk.path("s/cache/unfinished.json"), json!([call]).to_string()).unwrap();
    let show = ["words", "show", "s", "--edit"];
    let told = desk.ok(&show).stdout;
    let plan = desk.json(&show)["unfinished"].as_str().unwrap().to_owned();
    assert!(told.contains(&format!("`deskhand apply DIR {plan} --yes` continues it")), "{told}");
}

#[test]
fn an_order_and_a_cut_of_the_help_work_where_nothing_plays_sound() {
    let desk = spoken();
    desk.ok(&["assemble", "phrases", "s", "--yes"]);
    let words = "move phrase 3 up, then remove phrase 4";
    assert!(desk.ok(&["ask", "--help"]).stdout.contains(words));
    desk.ok(&["ask", "s", words, "--yes"]);
    let listed = desk.json(&["assemble", "list", "s"]);
    let row = |n: usize| {
        let row = &listed["phrases"][n];
        format!("{} {}", row["state"], row["text"])
    };
    assert_eq!(row(1), "\"plays\" \"There is no money.\"");
    assert_eq!(row(3), "\"removed\" \"Goodbye.\"");
}
