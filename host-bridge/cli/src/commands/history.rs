//! `deskhand undo`, `redo` and `log`.

use crate::desk::Desk;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::table;
use comfy_table::Cell;
use deskhand_protocol::ToolResult;
use deskhand_session::{Author, Revision, RevisionId};
use serde_json::{Value, json};
use std::path::Path;

/// Takes back the last step.
pub(crate) fn undo(dir: &Path, output: Output) -> Result<Exit, Failure> {
    step(dir, output, "undone", Desk::undo)
}

/// Does the last undone step again.
pub(crate) fn redo(dir: &Path, output: Output) -> Result<Exit, Failure> {
    step(dir, output, "redone", Desk::redo)
}

fn step(
    dir: &Path,
    output: Output,
    verb: &str,
    take: fn(&mut Desk) -> Result<ToolResult, Failure>,
) -> Result<Exit, Failure> {
    let mut desk = Desk::open(dir, output)?;
    let result = take(&mut desk);
    if let Ok(result) = &result {
        let label = result.summary.split_once(": ").map_or("", |(_, label)| label);
        output.json(&json!({"revision": result.revision, verb: label}));
        output.say(format!("{}; now at revision {}", result.summary, result.revision));
    }
    desk.close()?;
    result.map(|_| Exit::Done)
}

/// Lists every revision; the head is marked.
pub(crate) fn log(dir: &Path, output: Output) -> Result<Exit, Failure> {
    let mut desk = Desk::look(dir, output)?;
    let (head, revisions) = (desk.head(), desk.revisions()?);
    let all: Vec<_> = revisions.iter().map(|revision| to_json(revision, head)).collect();
    output.json(&json!({"head": head, "revisions": all}));
    let mut rows = table::new(output, &["", "revision", "on", "author", "changes", "what"]);
    for revision in revisions.iter().rev() {
        rows.add_row([
            Cell::new(if revision.id == head { ">" } else { "" }),
            table::number(revision.id.to_string()),
            table::number(revision.parent.to_string()),
            Cell::new(author(revision.author)),
            table::number(revision.changes.len().to_string()),
            Cell::new(&revision.label),
        ]);
    }
    let start = if head == RevisionId(0) { "> the empty session" } else { "  the empty session" };
    output.say(format!("{rows}\n{start}"));
    desk.close()?;
    Ok(Exit::Done)
}

fn author(author: Author) -> &'static str {
    match author {
        Author::User => "you",
        Author::Agent => "agent",
        Author::Host => "host",
        Author::Capture => "capture",
    }
}

fn to_json(revision: &Revision, head: RevisionId) -> Value {
    json!({
        "revision": revision.id,
        "parent": revision.parent,
        "author": revision.author,
        "label": revision.label,
        "plan": revision.plan,
        "changes": revision.changes,
        "time_ms": revision.time_ms,
        "is_head": revision.id == head,
    })
}
