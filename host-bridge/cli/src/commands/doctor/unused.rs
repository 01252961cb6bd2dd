//! `deskhand doctor --remove-unused`: sessions that a DAW made by itself and nobody worked in.

use crate::exit::{Exit, Failure};
use crate::output::Output;
use deskhand_protocol::helper;
use deskhand_session::Author;
use deskhand_store::{Loaded, Store};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

/// Lists the unused sessions among those of the plugin, and removes them once the person agrees.
pub(crate) fn remove(is_agreed: bool, output: Output) -> Result<Exit, Failure> {
    let unused = unused_sessions();
    let bytes: u64 = unused.iter().map(|(_, bytes)| bytes).sum();
    let found: Vec<_> =
        unused.iter().map(|(dir, bytes)| json!({"dir": dir, "bytes": bytes})).collect();
    if unused.is_empty() {
        output.json(&json!({"found": found, "removed": 0}));
        output.say("no session is unused");
        return Ok(Exit::Done);
    }
    for (dir, bytes) in &unused {
        output.say(format!("{}  {}", megabytes(*bytes), dir.display()));
    }
    let question = format!(
        "Remove {} unused {}, {} in all? Nobody worked in them; what a DAW played into them goes too.",
        unused.len(),
        if unused.len() == 1 { "session" } else { "sessions" },
        megabytes(bytes)
    );
    if !is_agreed && !output.can_ask() {
        return Err(Failure::decision(question, "add --yes, or answer on a terminal"));
    }
    if !is_agreed && !output.ask(&question) {
        output.say("nothing was changed");
        return Ok(Exit::Done);
    }
    let removed = unused.iter().filter(|(dir, _)| remove_one(dir)).count();
    output.json(&json!({"found": found, "removed": removed}));
    output.say(format!("removed {removed} of {}", unused.len()));
    Ok(if removed == unused.len() { Exit::Done } else { Exit::Failed })
}

/// The folders of unused sessions with their sizes in bytes, in order. Open and unreadable ones are not
/// included.
fn unused_sessions() -> Vec<(PathBuf, u64)> {
    let folder = helper::data_folder().map(|data| data.join("sessions"));
    let entries = folder.and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten();
    let mut dirs: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    dirs.sort();
    dirs.retain(|dir| Store::look(dir).is_ok_and(|look| is_unused(&look.loaded)));
    dirs.into_iter().map(|dir| (dir.clone(), size_of(&dir))).collect()
}

/// Whether every step comes from a DAW or its playback, and there was no plan or message.
fn is_unused(loaded: &Loaded) -> bool {
    let is_of_host = |author: Author| matches!(author, Author::Host | Author::Capture);
    loaded.history.iter().all(|revision| is_of_host(revision.author))
        && loaded.plans.is_empty()
        && loaded.conversation.is_empty()
}

/// Removes a session while its lock is held, so that nobody can attach meanwhile.
fn remove_one(dir: &Path) -> bool {
    match Store::open(dir) {
        Ok((store, loaded)) if is_unused(&loaded) => {
            let is_gone = fs::remove_dir_all(dir).is_ok();
            drop(store.close());
            // Some systems keep open files, and closing writes once more.
            is_gone && (!dir.exists() || fs::remove_dir_all(dir).is_ok())
        }
        Ok(_) | Err(_) => false,
    }
}

fn size_of(path: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(path) else {
        return fs::symlink_metadata(path).map_or(0, |file| file.len());
    };
    entries.filter_map(Result::ok).map(|entry| size_of(&entry.path())).sum()
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
