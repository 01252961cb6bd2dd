//! An advance yes takes nothing that a person must hear first, whichever command gets the yes.

use crate::desk::{Desk, Ran};
use crate::words::spoken;

const FIRST: &str = "left out because nobody has heard";

/// How many plans of cuts were applied, parts of them too.
fn applied(desk: &Desk) -> usize {
    let plans = desk.json(&["plans", "s"]).as_array().unwrap().clone();
    let own = plans.iter().filter(|it| it["plan"]["tool"] == "tool_tighten");
    own.filter(|it| it["state"] == "applied").count()
}

/// Nothing was cut, and the output says how to hear and to take.
fn left_out(desk: &Desk, ran: &Ran, way: &str) {
    let Ran { code, stdout, stderr } = ran;
    assert_eq!(*code, 3, "{stdout}{stderr}");
    assert!(stderr.contains(FIRST) && stderr.contains("--unheard"), "{stderr}");
    assert!(stderr.contains(way), "{stderr}");
    assert_eq!(applied(desk), 0);
}

#[test]
fn tightening_cuts_no_filler_that_nobody_heard() {
    let desk = spoken();
    let tighten = ["assemble", "tighten", "s", "--keep-pauses", "--keep-false-starts", "-y"];
    left_out(&desk, &desk.run(&tighten), "--only c");
    desk.ok(&[&tighten[..], &["--unheard"]].concat());
    assert_eq!(applied(&desk), 1);
    assert_eq!(desk.run(&["assemble", "tighten", "s", "--unheard"]).code, 2, "without --yes");
}

#[test]
fn asking_in_words_cuts_no_filler_that_nobody_heard() {
    let desk = spoken();
    let ask = ["ask", "s", "cut the ums", "-y"];
    left_out(&desk, &desk.run(&ask), "--only c");
    let told = desk.run(&[&ask[..], &["--json"]].concat());
    assert!(told.json()["warnings"][0].as_str().unwrap().contains(FIRST), "{}", told.stdout);
    desk.ok(&[&ask[..], &["--unheard"]].concat());
    assert_eq!(applied(&desk), 1);
    assert_eq!(desk.run(&["ask", "s", "cut the ums", "--unheard"]).code, 2, "without --yes");
}

#[test]
fn a_turn_of_the_conversation_cuts_no_filler_that_nobody_heard() {
    let desk = spoken();
    let ask = ["ask", "s", "cut the ums", "--provider", "offline", "-y"];
    left_out(&desk, &desk.run(&ask), "plan again");
    let plans = desk.json(&["plans", "s"]);
    assert_eq!(plans.as_array().unwrap().last().unwrap()["state"], "rejected", "{plans}");
    desk.ok(&[&ask[..], &["--unheard"]].concat());
    assert_eq!(applied(&desk), 1);
}

#[test]
fn applying_cuts_no_filler_that_nobody_heard_unless_it_is_named() {
    let desk = spoken();
    desk.run(&["ask", "s", "cut the ums"]);
    left_out(&desk, &desk.run(&["apply", "s", "-y"]), "--only c");
    let plans = desk.json(&["plans", "s"]);
    let waits = &plans.as_array().unwrap().last().unwrap()["plan"];
    let changes = waits["changes"].as_array().unwrap();
    let first = changes.iter().find(|it| it["to_hear"] == true).unwrap()["id"].as_str().unwrap();
    desk.ok(&["apply", "s", waits["id"].as_str().unwrap(), "--only", first, "-y"]);
    assert!(applied(&desk) > 0, "who names it has heard it");
    desk.ok(&["undo", "s"]);
    desk.ok(&["apply", "s", waits["id"].as_str().unwrap(), "-y", "--unheard"]);
    assert!(applied(&desk) > 0);
}
