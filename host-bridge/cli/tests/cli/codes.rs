//! Codes on the command line: errors use the words of the command, and memos and coders are named.

use crate::words::spoken;
use serde_json::json;
use std::process::Command;

#[test]
fn a_range_that_is_none_is_told_in_the_words_of_the_command() {
    let desk = spoken();
    let message = |args: &[&str]| {
        let error = desk.error(&[&["codes"][..], args].concat(), 1);
        assert_eq!(error["code"], "bad_params", "{error}");
        error["message"].as_str().unwrap().to_owned()
    };
    let upside_down = message(&["region", "s", "X", "Talk", "4", "2"]);
    assert!(upside_down.starts_with("4 to 2 s is no stretch of"), "{upside_down}");
    let outside = message(&["region", "s", "X", "Talk", "1.5", "90"]);
    assert!(outside.starts_with("1.5 to 90 s is no stretch of"), "{outside}");
    let upside_down = message(&["spectral", "s", "X", "Talk", "1", "3", "120", "40"]);
    assert_eq!(upside_down, "HIGH is 40, and LOW is 120");
    let nameless = message(&["exact", "s", "", "money", "--yes"]);
    assert_eq!(nameless, "\"\" is no name of a code");
}

#[test]
fn the_codebook_shows_the_beginning_of_a_memo() {
    let desk = spoken();
    desk.ok(&["codes", "add", "s", "Budget", "--yes"]);
    let memo = "Not salaries.\nOnly what the show itself has to pay for.";
    desk.ok(&["codes", "memo", "s", "Budget", memo]);
    let text = desk.ok(&["codes", "list", "s"]).stdout;
    assert!(text.contains("Not salaries. Only what the show itself…"), "{text}");
}

#[test]
fn codings_of_a_coder_are_taken_off_by_name() {
    let desk = spoken();
    let put = desk.json(&["codes", "region", "s", "Bell", "Talk", "1", "2"]);
    let segment = put["answer"]["segment_id"].as_str().unwrap();
    let unknown = desk.error(&["codes", "uncode", "s", segment, "--coder", "Eve"], 1);
    assert_eq!(unknown["message"], "no coder is called \"Eve\"");
    desk.ok(&["codes", "uncode", "s", segment, "--coder", "this session", "--yes"]);
    assert_eq!(desk.json(&["codes", "list", "s"])[0]["segments"], 0);
}

#[test]
fn taking_off_more_than_one_coding_waits_for_a_yes() {
    let desk = spoken();
    let put = |name: &str| {
        let put = desk.json(&["codes", "region", "s", name, "Talk", "1", "2"]);
        put["answer"]["segment_id"].as_str().unwrap().to_owned()
    };
    let counts = || {
        let codes = desk.json(&["codes", "list", "s"]);
        [codes[0]["segments"].clone(), codes[1]["segments"].clone()]
    };
    desk.ok(&["codes", "uncode", "s", &put("Bell")]);
    put("Bell");
    let both = put("Chime");
    let waits = desk.run(&["codes", "uncode", "s", &both]);
    assert_eq!(waits.code, 3, "{}", waits.stdout);
    assert_eq!(counts(), [json!(1), json!(1)]);
    desk.ok(&["codes", "uncode", "s", &both, "--yes"]);
    assert_eq!(counts(), [json!(0), json!(0)]);
}

#[test]
fn taking_off_what_another_coded_waits_for_a_yes() {
    let desk = spoken();
    let copied = Command::new("cp").args(["-r", "s", "t"]).current_dir(desk.path("")).status();
    assert!(copied.unwrap().success());
    desk.ok(&["codes", "region", "t", "Bell", "Talk", "1", "2"]);
    let merged = desk.json(&["codes", "codings", "s", "t", "Berta", "--yes"]);
    let changes = merged["plan"]["changes"].as_array().unwrap();
    let coded = changes.iter().find(|change| change["op"] == "set_segment").unwrap();
    let uncode = ["codes", "uncode", "s", coded["target"].as_str().unwrap()];
    let waits = desk.run(&uncode);
    assert_eq!(waits.code, 3, "{}", waits.stdout);
    desk.ok(&[&uncode[..], &["--coder", "Berta", "--yes"]].concat());
    let own = desk.error(&["codes", "codings", "s", "./s", "Berta"], 1);
    assert!(own["message"].as_str().unwrap().ends_with("s is this session itself"), "{own}");
}

#[test]
fn a_code_that_is_moved_under_a_kind_of_it_is_told_by_name() {
    let desk = spoken();
    desk.ok(&["codes", "add", "s", "Topic", "--yes"]);
    desk.ok(&["codes", "add", "s", "Bell", "--parent", "Topic", "--yes"]);
    let circle = desk.error(&["codes", "move", "s", "Topic", "--under", "Bell", "--yes"], 1);
    let message = circle["message"].as_str().unwrap();
    assert!(message.starts_with("\"Topic\" cannot be under \"Bell\""), "{circle}");
    assert!(circle["fix"].as_str().unwrap().contains("deskhand codes list"), "{circle}");
}
