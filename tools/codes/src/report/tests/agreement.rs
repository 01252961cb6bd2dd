//! Cohen's kappa against tables that are worked out by hand.

use super::{put, rows};
use crate::testing::{code, spoken};
use deskhand_session::{CodeId, SourceId};
use deskhand_toolkit::testing::Desk;
use serde_json::{Value, json};

/// Ten sentences of two words, and so of two seconds.
fn desk() -> (Desk, SourceId, CodeId) {
    let mut desk = Desk::new(crate::all());
    let source = spoken(&mut desk, "talk.wav", &[&format!("Ann: {}", "It rained. ".repeat(10))]);
    let rain = code(&mut desk, "Rain");
    (desk, source, rain)
}

/// Codes sentences, by their numbers.
fn sentences(desk: &mut Desk, source: SourceId, code: CodeId, coder: Option<&str>, all: &[i64]) {
    for one in all {
        put(desk, source, code, coder, [one * 2, one * 2 + 2]);
    }
}

fn told(row: &Value) -> [f64; 7] {
    let keys = ["units", "both", "only_a", "only_b", "neither", "agreement", "kappa"];
    keys.map(|key| row[key].as_f64().unwrap())
}

#[test]
fn kappa_is_as_it_is_worked_out_by_hand() {
    let (mut desk, source, rain) = desk();
    // Bea, who is a, gives it to 0 to 4, this session to 2 to 7: 3 both, 2 only a, 3 only b, 2 neither.
    sentences(&mut desk, source, rain, Some("Bea"), &[0, 1, 2, 3, 4]);
    sentences(&mut desk, source, rain, None, &[2, 3, 4, 5, 6, 7]);
    let found = rows(&desk, json!({"report": "agreement"}));
    // By chance 0.5 x 0.6 + 0.5 x 0.4 = 0.5; observed 0.5; kappa (0.5 - 0.5) / 0.5 = 0.
    assert_eq!(told(&found[0]), [10.0, 3.0, 2.0, 3.0, 2.0, 0.5, 0.0]);
    sentences(&mut desk, source, rain, None, &[0, 1]);
    let found = rows(&desk, json!({"report": "agreement"}));
    // 5 both, 3 only b, 2 neither. By chance 0.5 x 0.8 + 0.5 x 0.2 = 0.5; observed 0.7; kappa 0.2 / 0.5.
    assert_eq!(told(&found[0]), [10.0, 5.0, 0.0, 3.0, 2.0, 0.7, 0.4]);
}

#[test]
fn where_a_coder_never_varies_kappa_is_what_chance_gives_or_one() {
    let (mut desk, source, rain) = desk();
    let all: Vec<i64> = (0..10).collect();
    sentences(&mut desk, source, rain, Some("Bea"), &all);
    sentences(&mut desk, source, rain, None, &all[..5]);
    let found = rows(&desk, json!({"report": "agreement"}));
    // Bea always says yes: agreement is by chance alone, 0.5 of it.
    assert_eq!(told(&found[0]), [10.0, 5.0, 5.0, 0.0, 0.0, 0.5, 0.0]);
    sentences(&mut desk, source, rain, None, &all[5..]);
    let found = rows(&desk, json!({"report": "agreement"}));
    // Both always say yes: 0 / 0 by the formula, and they agree in everything.
    assert_eq!(told(&found[0]), [10.0, 10.0, 0.0, 0.0, 0.0, 1.0, 1.0]);
}

#[test]
fn what_two_coders_began_with_is_left_out_on_both_sides() {
    let (mut desk, source, rain) = desk();
    sentences(&mut desk, source, rain, None, &[0, 1]);
    for segment in desk.session.segments.values_mut() {
        let begun = segment.codings.iter_mut().filter(|coding| coding.code == rain);
        begun.for_each(|coding| coding.shared_with.push("Bea".into()));
    }
    sentences(&mut desk, source, rain, Some("Bea"), &[2, 3, 4, 5]);
    sentences(&mut desk, source, rain, None, &[3, 4, 5, 6]);
    // Carl coded nothing that the others had from the start.
    sentences(&mut desk, source, rain, Some("Carl"), &[0, 1]);
    let draft = desk.plan("tool_report_codes", json!({"report": "agreement"}));
    let found = draft.answer.unwrap()["rows"].as_array().unwrap().clone();
    let of = |a: &str, b: &str| {
        let is_meant = |row: &&Value| (&row["coder_a"], &row["coder_b"]) == (&json!(a), &json!(b));
        told(found.iter().find(is_meant).unwrap())
    };
    // Of the sentences 2 to 9: 3 both, 1 each apart, 3 neither. By chance 0.5 x 0.5 + 0.5 x 0.5 = 0.5; observed 0.75;
    // kappa 0.25 / 0.5.
    assert_eq!(of("Bea", "this session"), [8.0, 3.0, 1.0, 1.0, 3.0, 0.75, 0.5]);
    // Carl had nothing of it: of ten, 2 both, 4 only this session, 4 neither. By chance 0.2 x 0.6 + 0.8 x 0.4 = 0.44;
    // observed 0.6; kappa 0.16 / 0.56.
    assert_eq!(of("Carl", "this session"), [10.0, 2.0, 0.0, 4.0, 4.0, 0.6, 0.2857]);
    // Compared with Carl it is Bea's too: of ten, 2 both, 4 only Bea, 4 neither. As above.
    assert_eq!(of("Bea", "Carl"), [10.0, 2.0, 4.0, 0.0, 4.0, 0.6, 0.2857]);
    let left = "; 2 codings from before the session was copied left out on both sides";
    assert!(draft.summary.contains(left), "{}", draft.summary);
}

#[test]
fn agreement_is_written_as_csv_and_as_json() {
    let (mut desk, source, rain) = desk();
    sentences(&mut desk, source, rain, Some("Bea"), &[0, 1, 2, 3, 4]);
    sentences(&mut desk, source, rain, None, &[0, 1, 2, 3, 4, 5, 6, 7]);
    let folder = tempfile::tempdir().unwrap();
    let written = |name: &str| {
        let path = folder.path().join(name).to_string_lossy().into_owned();
        let draft = desk.plan("tool_report_codes", json!({"report": "agreement", "path": path}));
        assert!(draft.summary.starts_with("Bea and this session: kappa 0.40; written to"));
        std::fs::read_to_string(path).unwrap()
    };
    let rows = "Rain,Bea,this session,10,5,0,3,2,0.7,0.4\r\n\
                (all codes),Bea,this session,10,5,0,3,2,0.7,0.4\r\n";
    let head = "code,coder_a,coder_b,units,both,only_a,only_b,neither,agreement,kappa\r\n";
    assert_eq!(written("a.csv"), format!("{head}{rows}"));
    let json: Value = serde_json::from_str(&written("a.json")).unwrap();
    assert_eq!(json["format"], "deskhand.codes/1");
    assert_eq!(json["report"], "agreement");
    let found = json["rows"].as_array().unwrap();
    assert_eq!(found.len(), 2);
    for row in found {
        assert_eq!(told(row), [10.0, 5.0, 0.0, 3.0, 2.0, 0.7, 0.4]);
        assert_eq!((&row["coder_a"], &row["coder_b"]), (&json!("Bea"), &json!("this session")));
    }
}
