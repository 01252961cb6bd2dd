//! Runs the folders in `tests/scenarios`: a session with synthesized audio, one call, and the expected
//! result.
//!
//! `session.json` describes tracks, the audio of their clips, and calls that set the session up.
//! `call.json` is the call. `expected/plan.json` is the plan or the error, with ids, paths and digests
//! replaced. A call that writes files names them (`writes`); their content is expected too. A call that
//! `needs` a missing model is skipped with a message. Every plan is also applied: its predictions are
//! measured through the engine, undo gives the session as it was, and a tool that plans again finds nothing
//! to change. `BLESS=1 cargo test -p deskhand-tests --test scenarios` writes what is found.
//!
//! Each folder is a test with its name: `cargo test -p deskhand-tests --test scenarios 014` runs one.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "all of this crate is a test"
)]

mod all_folders;
mod cancel;
mod desk;
mod mutations;
mod sound;

use desk::Desk;
use deskhand_inference::{Library, install_missing};
use deskhand_session::Change;
use deskhand_tests::{compare, normal, written_files};
use deskhand_toolkit::Draft;
use libtest_mimic::{Arguments, Completion, Trial};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut tests: Vec<Trial> = folders().into_iter().map(scenario).collect();
    tests.push(mutations::test());
    if !compare::is_blessing() {
        tests.extend(all_folders::tests());
    }
    libtest_mimic::run(&Arguments::from_args(), tests).exit_code()
}

/// The test of one folder.
fn scenario(folder: PathBuf) -> Trial {
    Trial::ignorable_test(name(&folder), move || Ok(run(&folder)?))
}

/// A test that panics where it fails.
fn check(name: &str, test: fn()) -> Trial {
    Trial::test(name, move || {
        test();
        Ok(())
    })
}

fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let entries = std::fs::read_dir(&root).unwrap_or_else(|e| panic!("{}: {e}", root.display()));
    let mut folders: Vec<_> =
        entries.map(|entry| entry.unwrap().path()).filter(|p| p.is_dir()).collect();
    folders.sort();
    folders
}

fn name(folder: &Path) -> String {
    folder.file_name().unwrap().to_string_lossy().into_owned()
}

fn read(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Runs one scenario. The error says what differs.
fn run(folder: &Path) -> Result<Completion, String> {
    let call = read(&folder.join("call.json"));
    if let Some(why) = missing(&call) {
        return Ok(Completion::ignored_with(format!("SKIPPED: {}: {why}", name(folder))));
    }
    let mut desk = Desk::new(&read(&folder.join("session.json")));
    let tool = call["tool"].as_str().expect("call.json names the tool");
    let params = desk.with_paths(&call["params"]);
    let found = match desk.call(tool, &params) {
        // Called again it would refuse to write over what it wrote.
        Ok(draft) if call["writes"].is_array() => written(&desk, &call["writes"], &draft),
        Ok(draft) if call["needs"].is_string() => {
            holds(&mut desk, tool, &params, &draft)?;
            said(&draft)
        }
        Ok(draft) => {
            cancel::at_any_moment(&desk, tool, &params, &name(folder))?;
            holds(&mut desk, tool, &params, &draft)?;
            plan(&draft)
        }
        Err(error) => json!({ "error": error }),
    };
    let found = normal::of(&found, &desk.audio);
    compare::with_file(&folder.join("expected/plan.json"), &found)?;
    Ok(Completion::Completed)
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
    found["files"] = written_files::shown(&desk.audio, names);
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
fn holds(desk: &mut Desk, tool: &str, params: &Value, draft: &Draft) -> Result<(), String> {
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
