//! `deskhand codes list`: the codebook.

use crate::desk::Desk;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::table;
use comfy_table::Cell;
use deskhand_session::{CodeId, Session};
use serde_json::{Value, json};
use std::path::Path;

/// Lists the codes.
pub(crate) fn list(dir: &Path, output: Output) -> Result<Exit, Failure> {
    let desk = Desk::look(dir, output)?;
    let session = desk.session();
    output.json(&to_json(session));
    output.say(match session.codes.is_empty() {
        true => "no codes yet; make one with `deskhand codes add`".into(),
        false => to_text(session, output),
    });
    desk.close()?;
    Ok(Exit::Done)
}

fn to_json(session: &Session) -> Value {
    let one = |id: &CodeId| {
        let mut value = json!(session.codes.get(id));
        value["id"] = json!(id);
        value["segments"] = json!(segments_of(session, *id));
        value["memo"] = json!(session.memos.get(&(*id).into()));
        value
    };
    in_order(session).iter().map(|(id, _)| one(id)).collect()
}

fn to_text(session: &Session, output: Output) -> String {
    let mut rows = table::new(output, &["code", "id", "color", "segments", "description", "memo"]);
    for (id, depth) in in_order(session) {
        let Some(code) = session.codes.get(&id) else {
            continue;
        };
        let memo = session.memos.get(&id.into()).map(|memo| beginning(memo));
        rows.add_row([
            Cell::new(format!("{}{}", "  ".repeat(depth), code.name)),
            Cell::new(id),
            Cell::new(code.color.clone().map(String::from).unwrap_or_default()),
            table::number(segments_of(session, id).to_string()),
            Cell::new(&code.description),
            Cell::new(memo.unwrap_or_default()),
        ]);
    }
    rows.to_string()
}

/// The beginning of a memo in one line; all of it is in the JSON.
fn beginning(memo: &str) -> String {
    const CHARS: usize = 40;
    let line = memo.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(CHARS) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default().trim_end()),
        None => line,
    }
}

fn segments_of(session: &Session, code: CodeId) -> usize {
    let is_on = |segment: &&deskhand_session::Segment| {
        segment.codings.iter().any(|coding| coding.code == code)
    };
    session.segments.values().filter(is_on).count()
}

/// Codes by name with their depth, each before its children.
fn in_order(session: &Session) -> Vec<(CodeId, usize)> {
    let mut found = Vec::new();
    below(session, None, &mut found);
    found
}

fn below(session: &Session, parent: Option<CodeId>, found: &mut Vec<(CodeId, usize)>) {
    let depth = parent
        .and_then(|parent| found.iter().find(|(id, _)| *id == parent))
        .map_or(0, |(_, depth)| depth + 1);
    let mut children: Vec<_> =
        session.codes.iter().filter(|(_, code)| code.parent == parent).collect();
    children.sort_by_key(|(id, code)| (code.name.to_lowercase(), **id));
    for (id, _) in children {
        found.push((*id, depth));
        below(session, Some(*id), found);
    }
}
