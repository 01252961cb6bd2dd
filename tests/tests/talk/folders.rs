//! Runs the folders in `tests/talks`: the whole loop over a recording of tones, with a scripted model and a
//! person who decides. `tests/talks/README.md` describes the files of a folder.
//!
//! After each decision the mix is rendered: what is heard is what the assembly plays, in its order.
//! Each folder is a test. `BLESS=1 cargo test -p deskhand-tests --test talk folders` writes what is found.

use crate::desk::Desk;
use crate::recording::{Recording, playing};
use crate::script::{Script, Turn, list};
use crate::{claims, mix};
use deskhand_protocol::desk::TurnEnd;
use deskhand_session::{Assembly, Duplicates, Marker, PhraseId, Session};
use deskhand_tests::{compare, normal};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The folder of a name in `tests/talks`.
pub(crate) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("talks").join(name)
}

/// A test for each folder: `talk_` and its name.
macro_rules! talks {
    ($($test:ident)*) => {
        const TALKS: &[&str] = &[$(stringify!($test)),*];
        $(
            #[test]
            fn $test() {
                run(stringify!($test)).unwrap_or_else(|why| panic!("{why}"));
            }
        )*
    };
}

talks! {
    talk_001_import_find_parts_and_analyze_all
    talk_002_five_retakes_two_rejections_a_reorder_and_the_end
    talk_003_a_wrong_order_is_told_and_mended
    talk_004_one_filler_of_two_is_cut
}

#[test]
fn every_folder_has_its_test() {
    let entries = std::fs::read_dir(folder("")).unwrap().map(|entry| entry.unwrap());
    let folders = entries.filter(|entry| entry.path().is_dir());
    let mut tests: Vec<String> =
        folders.map(|folder| format!("talk_{}", folder.file_name().display())).collect();
    tests.sort();
    assert_eq!(tests, TALKS);
}

/// Runs the talk of a test. The error names the difference.
fn run(test: &str) -> Result<(), String> {
    let folder = &folder(test.trim_start_matches("talk_"));
    let (recording, script) = (Recording::of(folder), Script::of(folder));
    let model = script.serve();
    let mut desk = Desk::new(&model, &[]);
    recording.put(&mut desk);
    let Turn { steps, end } = script.play(&mut desk, &mut |desk| heard(&recording, desk))?;
    let told = script.told(&model.seen())?;
    let session = desk.session();
    claims::check(&folder.join("claims.json"), &session, &told)?;
    let went = json!({"steps": steps, "turn": turn(&end), "session": left(&session)});
    let told: Vec<Value> = told.into_iter().map(brief).collect();
    let files = desk.folder().parent().unwrap();
    let expected = folder.join("expected");
    compare::with_file(&expected.join("loop.json"), &went)?;
    compare::with_file(&expected.join("told.json"), &normal::of(&told.into(), files))
}

/// The sound of the current assembly; null while there is none.
fn heard(recording: &Recording, desk: &mut Desk) -> Result<Value, String> {
    let session = desk.session();
    if session.assembly.order.is_empty() {
        return Ok(Value::Null);
    }
    let heard = recording.heard(&mix::rendered(&session, desk.folder()));
    let plays = playing(&session);
    if heard == plays { Ok(json!(heard)) } else { Err(format!("{plays:?} plays as {heard:?}")) }
}

/// How the turn ended.
fn turn(end: &TurnEnd) -> Value {
    json!({
        "reason": end.reason, "message": end.message, "reply": end.reply, "answers": end.turns,
        "pending": end.pending.len(),
    })
}

/// The remaining state of the session.
fn left(session: &Session) -> Value {
    let mut markers: Vec<&Marker> = session.markers.values().collect();
    markers.sort_by_key(|marker| (marker.position, &marker.name, marker.length));
    let seconds = |frames: deskhand_dsp::Frames| frames.seconds(session.rate).0;
    let markers = markers.iter().map(|marker| {
        let (at, length) = (seconds(marker.position), seconds(marker.length));
        json!({"name": marker.name, "at_s": at, "length_s": length})
    });
    json!({
        "sources": session.sources.len(), "clips": session.clips.len(),
        "markers": markers.collect::<Vec<_>>(), "phrases": session.phrases.len(),
        "assembly": assembly(session),
    })
}

/// The assembly with the texts of its phrases.
pub(crate) fn assembly(session: &Session) -> Value {
    let text = |id: &PhraseId| session.spoken(*id).map(|spoken| spoken.text);
    let texts = |ids: &[PhraseId]| ids.iter().map(text).collect::<Vec<_>>();
    let takes = |group: &Duplicates| {
        json!({
            "phrase": group.phrase, "takes": texts(&group.takes), "chosen": text(&group.chosen),
            "reason": group.reason,
        })
    };
    let Assembly { order, duplicates, removed, finished } = &session.assembly;
    json!({
        "order": texts(order), "takes": duplicates.iter().map(takes).collect::<Vec<_>>(),
        "removed": texts(removed), "finished": finished,
    })
}

/// What the model got, with one line for each change of a plan: the scenarios expect them whole. They are
/// sorted, as some follow ids that derive from the paths of the files.
fn brief(mut row: Value) -> Value {
    if let Some(plan) = row["told"].get_mut("plan") {
        let mut changes: Vec<String> = list(&plan["changes"]).iter().map(line).collect();
        changes.sort();
        *plan = json!({
            "summary": plan["summary"], "changes": changes, "warnings": plan["warnings"],
        });
    }
    row
}

fn line(change: &Value) -> String {
    let word = |key: &str| change[key].as_str();
    match (word("op"), word("name"), word("reason")) {
        (Some(op), Some(name), Some(reason)) => format!("{op} {name}: {reason}"),
        // The last row of many says how many there are more.
        _ => change.to_string(),
    }
}
