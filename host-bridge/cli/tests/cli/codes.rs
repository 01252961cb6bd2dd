//! Codes on the command line: what is wrong is told in the words of the command, and memos and coders are named.

use crate::words::spoken;

#[test]
fn a_range_that_is_none_is_told_in_the_words_of_the_command() {
    let desk = spoken();
    let message = |args: &[&str]| {
        let error = desk.error(&[&["codes"][..], args].concat(), 1);
        assert_eq!(error["code"], "bad_params", "{error}");
        error["message"].as_str().unwrap().to_owned()
    };
    assert_eq!(message(&["region", "s", "X", "Talk", "4", "2"]), "TO is 2 s, and FROM is 4 s");
    let outside = message(&["region", "s", "X", "Talk", "1.5", "90"]);
    assert!(outside.starts_with("1.5 to 90 s is no stretch of"), "{outside}");
    let upside_down = message(&["spectral", "s", "X", "Talk", "1", "3", "120", "40"]);
    assert_eq!(upside_down, "HIGH is 40 Hz, and LOW is 120 Hz");
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
