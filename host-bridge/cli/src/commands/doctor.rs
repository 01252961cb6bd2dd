//! `deskhand doctor`: is the history whole, is the media there? And which sessions nobody worked in.

mod unused;

pub(crate) use unused::remove as remove_unused;

use crate::exit::{Exit, Failure};
use crate::output::Output;
use deskhand_store::doctor::{Repair, Report, repair_to, verify};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Verifies a session, or saves its intact part.
pub(crate) fn run(dir: &Path, target: Option<&Path>, output: Output) -> Result<Exit, Failure> {
    let failed = |error| Failure::plain("doctor", error);
    match target {
        None => {
            let report = verify(dir).map_err(failed)?;
            output.json(&json!({"sound": report.is_sound(), "report": report}));
            output.say(describe(&report));
            Ok(if report.is_sound() { Exit::Done } else { Exit::Failed })
        }
        Some(target) => {
            let repair = repair_to(dir, target).map_err(failed)?;
            output.json(&repair);
            output.say(describe_repair(&repair, target));
            Ok(Exit::Done)
        }
    }
}

/// Verifies this folder, or each session in it.
pub(crate) fn here(output: Output) -> Result<Exit, Failure> {
    let here = Path::new(".");
    let is_session = |dir: &Path| dir.join("session.db").exists();
    if is_session(here) {
        return run(here, None, output);
    }
    let entries = here.read_dir().map_err(|error| Failure::plain("io", error))?;
    let folders = entries.filter_map(|entry| entry.ok().map(|entry| entry.file_name()));
    let mut folders: Vec<PathBuf> =
        folders.map(PathBuf::from).filter(|dir| is_session(dir)).collect();
    folders.sort();
    if folders.is_empty() {
        let fix = "name a session folder: `deskhand doctor DIR`";
        return Err(Failure::new("no_target", "this folder has no session", fix));
    }
    let mut is_sound = true;
    let found = folders.iter().map(|dir| match verify(dir) {
        Ok(report) => {
            output.say(format!("{}: {}", dir.display(), describe(&report)));
            is_sound &= report.is_sound();
            json!({"dir": dir, "sound": report.is_sound(), "report": report})
        }
        // An unreadable session does not stop the report on the others.
        Err(error) => {
            output.say(format!("{}: {error}", dir.display()));
            is_sound = false;
            json!({"dir": dir, "sound": false, "error": error.to_string()})
        }
    });
    output.json(&found.collect::<Vec<_>>());
    Ok(if is_sound { Exit::Done } else { Exit::Failed })
}

fn describe(report: &Report) -> String {
    let mut text = format!(
        "{} events, {} revisions (at {}), {} plans, {} sources\n",
        report.events, report.revisions, report.head, report.plans, report.sources
    );
    for what in report.damage.iter().chain(&report.media) {
        text += &format!("  {what}\n");
    }
    text + if report.is_sound() { "no problems found" } else { "problems found" }
}

fn describe_repair(repair: &Repair, target: &Path) -> String {
    let mut text = format!("saved into {}: {}", target.display(), describe(&repair.saved));
    for what in &repair.lost {
        text += &format!("\n  lost: {what}");
    }
    text
}
