//! `tool_import_codebook`: the codes of a REFI-QDA codebook that are not here yet, and the memos on them.

use super::opened;
use super::read::{self, Book, Counted, TEXT_BYTES};
use crate::find;
use deskhand_session::intent::Intent;
use deskhand_session::text::{count, names};
use deskhand_session::{Change, CodeId, Edit, ObjectId, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Code, Draft, Gesture, PlanContext, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// `tool_import_codebook`.
pub(crate) struct ImportCodebook;

/// A codebook that is read.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Import {
    /// Path of a .qdc or .qdpx file.
    #[schemars(length(min = 1, max = 4096))]
    file: String,
}

impl TypedTool for ImportCodebook {
    type Params = Import;
    type Resolved = PathBuf;

    fn spec() -> ToolSpec {
        tool(
            "tool_import_codebook",
            "Import a codebook",
            "Imports a REFI-QDA codebook (.qdc), or the codebook of a project (.qdpx) with its memos on codes. \
             Codes with a known path stay unchanged; new codes are made with color and description. Code sets, \
             and a project's sources, codings and other notes, are counted, named and left out. Returns \
             {codes_created, already_there, memos}.",
            Category::Organize,
            Trust::Suggest,
            vec![json!({"file": "/studies/interviews.qdc"})],
        )
        .reads_files()
        .command("codes import", "Import the codebook of a .qdc or .qdpx file")
        .path("FILE", "file", "The file")
        .offers(Gesture::ImportCodebook)
        .says([Intent::verbs("import").about("codebook").file("file", "qdc | qdpx")])
    }

    fn resolve(params: Import, _: &Session) -> Result<PathBuf, ToolError> {
        Ok(PathBuf::from(params.file))
    }

    fn targets(_: &PathBuf) -> Vec<ObjectId> {
        Vec::new()
    }

    fn outside(file: &PathBuf) -> Vec<PathBuf> {
        vec![file.clone()]
    }

    fn run(file: PathBuf, context: &PlanContext) -> Result<Draft, ToolError> {
        let mut opened = opened::open(&file)?;
        context.check()?;
        let mut book = read::codebook(&opened.xml).map_err(|error| {
            let message = format!("{}, line {}: {}", file.display(), error.line, error.problem);
            ToolError::run(Code::Media, message, error.problem.way_out())
        })?;
        book.read_texts(&mut |path, most| opened.text(path, most));
        context.check()?;
        let mut draft = made(&book, context);
        draft.warnings.extend(left_out(&book));
        Ok(draft)
    }
}

/// What the file has and is not taken over, but for notes.
fn left_out(book: &Book) -> Vec<String> {
    let mut told = Vec::new();
    let rest = &book.rest;
    if rest.sources.count > 0 {
        let (sources, named) = (count(rest.sources.count, "source"), rest.sources.named());
        let codings = count(rest.codings, "coding");
        let ahead = "the codes of a project are read; left out";
        told.push(format!("{ahead}: {sources} with {codings}, {named}"));
    }
    if !book.sets.is_empty() {
        let (sets, called) = (count(book.sets.len(), "set"), names(&book.sets));
        told.push(format!("{sets} left out, since codes are in no sets here: {called}"));
    }
    told
}

/// A code of the file, and its counterpart here.
#[derive(Clone)]
struct Here {
    id: CodeId,
    path: Vec<String>,
}

/// The codes that are not there yet.
fn made(book: &Book, context: &PlanContext) -> Draft {
    let session = &*context.session;
    let mut ids = context.ids();
    let known = session.codes.keys().rev();
    let mut paths: BTreeMap<Vec<String>, CodeId> =
        known.map(|id| (find::folded(&find::path(session, *id)), *id)).collect();
    let mut changes: BTreeMap<CodeId, String> = BTreeMap::new();
    let mut draft = Draft::default();
    let mut here: Vec<Here> = Vec::with_capacity(book.codes.len());
    for code in &book.codes {
        let above = code.parent.and_then(|parent| here.get(parent)).cloned();
        let mut path = above.as_ref().map(|above| above.path.clone()).unwrap_or_default();
        path.extend(find::folded(std::slice::from_ref(&code.code.name)));
        let id = paths.get(&path).copied().unwrap_or_else(|| {
            let id = CodeId::new(ids.next_bits());
            let parent = above.as_ref().map(|above| above.id);
            let value = deskhand_session::Code { parent, ..code.code.clone() };
            let needs = parent.and_then(|parent| changes.get(&parent).cloned());
            let change = Change::SetCode(Edit::create(id, value));
            let needs = needs.into_iter().collect();
            let change =
                draft.dependent(change, code.code.name.clone(), "it is in the codebook", needs);
            changes.insert(id, change);
            paths.insert(path.clone(), id);
            id
        });
        here.push(Here { id, path });
    }
    let (created, already) = (changes.len(), book.codes.len() - changes.len());
    let memos = memos(&mut draft, book, session, (here.as_slice(), &changes));
    draft.summary = summary(created, already, memos);
    draft.answer =
        Some(json!({"codes_created": created, "already_there": already, "memos": memos}));
    draft
}

fn summary(created: usize, already: usize, memos: usize) -> String {
    let codes = count(created, "code");
    let made = if memos > 0 { format!("{codes} and {}", count(memos, "memo")) } else { codes };
    match (created, already) {
        (0, 1) => "The code is here already".into(),
        (0, _) => format!("All {} are here already", count(already, "code")),
        (_, 0) => format!("Import {made}"),
        (_, _) => format!("Import {made}; {already} here already stay as they are"),
    }
}

/// Writes the notes on created codes as their memos and returns their number. Notes on anything else are
/// reported.
fn memos(
    draft: &mut Draft,
    book: &Book,
    session: &Session,
    (here, changes): (&[Here], &BTreeMap<CodeId, String>),
) -> usize {
    let mut written: BTreeSet<CodeId> = BTreeSet::new();
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for (code, Here { id, .. }) in book.codes.iter().zip(here) {
        let text = |guid: &String| Some(book.rest.notes.get(guid)?.text.as_str());
        let texts = code.notes.iter().filter_map(text).filter(|text| !text.is_empty());
        let memo = joined(&texts.collect::<Vec<&str>>());
        let on = ObjectId::from(*id);
        let is_here = session.memos.get(&on) == Some(&memo);
        let change = changes.get(id).filter(|_| !memo.is_empty());
        if let Some(needs) = change.filter(|_| written.insert(*id)) {
            let change = Change::SetMemo(Edit::new(on, None, Some(memo)));
            let name = code.code.name.clone();
            draft.dependent(change, name, "it is in the project", vec![needs.clone()]);
        } else if !is_here {
            continue;
        }
        used.extend(code.notes.iter().map(String::as_str));
    }
    let mut left = Counted::default();
    for (guid, note) in &book.rest.notes {
        if note.text.is_empty() || !used.contains(guid.as_str()) {
            left.add(&note.name);
        }
    }
    if left.count > 0 {
        let (notes, named) = (count(left.count, "note"), left.named());
        let why = "only plain ones on codes that are made here become memos";
        draft.warnings.push(format!("{notes} left out, {why}: {named}"));
    }
    written.len()
}

/// Notes as one memo; "" where that would be too long.
fn joined(notes: &[&str]) -> String {
    const BETWEEN: &str = "\n\n";
    // Checked first: one long note may be on a code any number of times.
    let bytes: usize = notes.iter().map(|note| note.len() + BETWEEN.len()).sum();
    if bytes > TEXT_BYTES + BETWEEN.len() { String::new() } else { notes.join(BETWEEN) }
}
