//! Runs the folders in `tests/scenarios`: a session with synthesized audio, one call, and the expected
//! result.
//!
//! `session.json` describes tracks, the audio of their clips, and calls that set the session up.
//! `call.json` is the call. `expected/plan.json` is the plan or the error, with ids, paths and digests
//! replaced. A call that writes files names them (`writes`); their content is expected too. A call that
//! `needs` a missing model is skipped with a message. Every plan is also applied: its predictions are
//! measured through the engine, undo gives the session as it was, and a tool that plans again finds nothing
//! to change. `BLESS=1 cargo test -p deskhand-tests --test scenarios` writes what is found.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "all of this crate is a test"
)]

mod cancel;
#[path = "../shared/compare.rs"]
mod compare;
mod desk;
mod files;
mod mutations;
#[path = "../shared/normal.rs"]
mod normal;
mod sound;

use desk::Desk;
use deskhand_inference::{Library, install_missing};
use deskhand_session::Change;
use deskhand_toolkit::Draft;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let entries = std::fs::read_dir(&root).unwrap_or_else(|e| panic!("{}: {e}", root.display()));
    let mut folders: Vec<_> =
        entries.map(|entry| entry.unwrap().path()).filter(|p| p.is_dir()).collect();
    folders.sort();
    folders
}

fn read(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn every_scenario_gives_the_plan_that_is_expected() {
    let failed: Vec<String> = folders().iter().filter_map(|folder| run(folder).err()).collect();
    assert!(failed.is_empty(), "\n{}", failed.join("\n"));
}

#[test]
fn every_tool_and_every_change_has_a_scenario_in_which_it_works() {
    let works = |folder: &PathBuf| {
        let plan = folder.join("expected/plan.json");
        !plan.exists() || read(&plan)["error"].is_null()
    };
    let setups = folders().into_iter().map(|folder| read(&folder.join("session.json")));
    let calls = folders().into_iter().filter(works).map(|folder| read(&folder.join("call.json")));
    let called: Vec<String> = setups.chain(calls).map(|json| json.to_string()).collect();
    for tool in deskhand_bridge::all_tools() {
        let name = format!("\"{}\"", tool.spec().name);
        assert!(called.iter().any(|call| call.contains(&name)), "no scenario calls {name}");
    }
}

#[test]
fn no_id_is_shown_to_a_person() {
    let shown = folders().into_iter().flat_map(|folder| {
        let expected = folder.join("expected/plan.json");
        let mut texts = Vec::new();
        if expected.exists() {
            for_people(&read(&expected), "", &mut texts);
        }
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        texts.into_iter().filter(|text| has_id(text)).map(move |text| (name.clone(), text))
    });
    assert_eq!(shown.collect::<Vec<_>>(), Vec::<(String, String)>::new());
}

/// Whether a text has an id in it, as it is or replaced by a number.
fn has_id(text: &str) -> bool {
    normal::KINDS.iter().any(|kind| {
        let prefix = format!("{kind}_");
        let behind = text.match_indices(&prefix).map(|(at, found)| (at, at + found.len()));
        let mut found = behind.filter_map(|(at, end)| Some((text.get(..at)?, text.get(end..)?)));
        found.any(|(before, behind)| {
            !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
                && behind.starts_with(|c: char| c.is_ascii_digit())
        })
    })
}

/// What a person reads of a plan or an error.
fn for_people(json: &Value, key: &str, texts: &mut Vec<String>) {
    let keys = ["summary", "reason", "name", "warnings", "notes", "message", "fix"];
    match json {
        Value::String(text) if keys.contains(&key) => texts.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| for_people(item, key, texts)),
        Value::Object(fields) => {
            fields.iter().for_each(|(key, value)| for_people(value, key, texts));
        }
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Runs one scenario. The error names it and the difference.
fn run(folder: &Path) -> Result<(), String> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let call = read(&folder.join("call.json"));
    if let Some(why) = missing(&call) {
        eprintln!("SKIPPED: {name}: {why}");
        return Ok(());
    }
    let mut desk = Desk::new(&read(&folder.join("session.json")));
    let tool = call["tool"].as_str().expect("call.json names the tool");
    let params = desk.with_paths(&call["params"]);
    let found = match desk.call(tool, &params) {
        // Called again it would refuse to write over what it wrote.
        Ok(draft) if call["writes"].is_array() => written(&desk, &call["writes"], &draft),
        Ok(draft) if call["needs"].is_string() => {
            check(&mut desk, tool, &params, &draft).map_err(|why| format!("{name}: {why}"))?;
            said(&draft)
        }
        Ok(draft) => {
            cancel::at_any_moment(&desk, tool, &params, &name)
                .map_err(|why| format!("{name}: {why}"))?;
            check(&mut desk, tool, &params, &draft).map_err(|why| format!("{name}: {why}"))?;
            plan(&draft)
        }
        Err(error) => json!({ "error": error }),
    };
    compare::with_file(&folder.join("expected/plan.json"), &normal::of(&found, &desk.audio))
        .map_err(|why| format!("{name}: {why}"))
}

/// Why a call cannot be made here: the model that it needs is not installed. A folder for models that is named, as `cargo
/// xtask test` does, is filled; nothing is put into the person's own.
fn missing(call: &Value) -> Option<String> {
    let model = call["needs"].as_str()?;
    let library = match Library::of_this_user() {
        Ok(library) => library,
        Err(error) => return Some(error.to_string()),
    };
    if std::env::var_os("DESKHAND_MODELS").is_some() {
        return install_missing(&library, model).err().map(|error| error.to_string());
    }
    library.find(model).err().map(|error| error.to_string())
}

/// A plan, and the content of the files that it wrote.
fn written(desk: &Desk, names: &Value, draft: &Draft) -> Value {
    let mut found = plan(draft);
    found["files"] = files::written(&desk.audio, names);
    found
}

/// What a network heard: the words alone, since times and confidences differ a little from processor to processor.
fn said(draft: &Draft) -> Value {
    let segments = draft.changes.iter().filter_map(|planned| match &planned.change {
        Change::SetSegment(edit) => edit.after.as_ref(),
        _ => None,
    });
    let texts: Vec<String> = segments.map(deskhand_session::Segment::text).collect();
    json!({"said": texts.join(" "), "warnings": draft.warnings})
}

/// A plan without its identity.
fn plan(draft: &Draft) -> Value {
    json!({
        "summary": draft.summary,
        "changes": draft.changes,
        "reads": draft.reads,
        "findings": draft.findings,
        "predicted": draft.predicted,
        "warnings": draft.warnings,
        "answer": draft.answer,
    })
}

/// Applies a plan and checks all that must hold of any plan.
fn check(desk: &mut Desk, tool: &str, params: &Value, draft: &Draft) -> Result<(), String> {
    let before = desk.session.clone();
    desk.apply(draft)?;
    desk.check_promises(draft)?;
    if desk.taken_back(draft)? != before {
        return Err("taking the plan back does not give the session as it was".into());
    }
    if !tool.starts_with("tool_") {
        return Ok(());
    }
    let again = desk.call(tool, params).map_err(|error| format!("planning again: {error}"))?;
    if again.changes.is_empty() {
        Ok(())
    } else {
        Err(format!("planning again still changes something: {}", again.summary))
    }
}
