//! `tool_import_codebook`: the codes of a REFI-QDA codebook that are not here yet.

use super::opened;
use super::read::{self, Book};
use crate::about::tool;
use crate::codes::find;
use crate::words::{count, names};
use deskhand_session::{Change, CodeId, Edit, ObjectId, Session};
use deskhand_toolkit::{Category, Code, Draft, PlanContext, ToolError, ToolSpec, Trust, TypedTool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// `tool_import_codebook`.
pub(in crate::codes) struct ImportCodebook;

/// A codebook that is read.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::codes) struct Import {
    /// The path of a .qdc file, or of a .qdpx file.
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
            "Reads a REFI-QDA codebook (.qdc) into this one, or that of a project (.qdpx), of which nothing else is \
             read. A code that is there already, by its path, stays as it is; the others are made, with color and \
             description. Sets of codes are named and left out. Returns {codes_created, already_there}.",
            Category::Organize,
            Trust::Suggest,
            vec![json!({"file": "/studies/interviews.qdc"})],
        )
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
        let opened = opened::open(&file)?;
        context.check()?;
        let book = read::codebook(&opened.xml).map_err(|error| {
            let message = format!("{}, line {}: {}", file.display(), error.line, error.problem);
            ToolError::run(Code::Media, message, error.problem.way_out())
        })?;
        context.check()?;
        Ok(Draft { warnings: left_out(&book, opened.is_project), ..made(&book.codes, context) })
    }
}

/// What the file has and is not taken over.
fn left_out(book: &Book, is_project: bool) -> Vec<String> {
    let mut told = Vec::new();
    if is_project {
        told.push(
            "the codes of a project are read; its sources, codings and notes are not".to_owned(),
        );
    }
    if !book.sets.is_empty() {
        let (sets, called) = (count(book.sets.len(), "set"), names(&book.sets));
        told.push(format!("{sets} left out, since codes are in no sets here: {called}"));
    }
    told
}

/// The codes that are not there yet.
fn made(codes: &[read::ReadCode], context: &PlanContext) -> Draft {
    let session = &*context.session;
    let mut ids = context.ids();
    let known = session.codes.keys().rev();
    let mut paths: BTreeMap<Vec<String>, CodeId> =
        known.map(|id| (find::folded(&find::path(session, *id)), *id)).collect();
    let mut changes: BTreeMap<CodeId, String> = BTreeMap::new();
    let mut draft = Draft::default();
    // What each code of the file is here, and its path.
    let mut here: Vec<(CodeId, Vec<String>)> = Vec::with_capacity(codes.len());
    for code in codes {
        let above = code.parent.and_then(|parent| here.get(parent)).cloned();
        let mut path = above.as_ref().map(|(_, path)| path.clone()).unwrap_or_default();
        path.extend(find::folded(std::slice::from_ref(&code.code.name)));
        let id = paths.get(&path).copied().unwrap_or_else(|| {
            let id = CodeId::new(ids.next_bits());
            let parent = above.as_ref().map(|(id, _)| *id);
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
        here.push((id, path));
    }
    let (created, already) = (changes.len(), codes.len() - changes.len());
    draft.summary = match (created, already) {
        (0, 1) => "The code is here already".into(),
        (0, _) => format!("All {} are here already", count(codes.len(), "code")),
        (_, 0) => format!("Import {}", count(created, "code")),
        (_, _) => {
            format!("Import {}; {already} here already stay as they are", count(created, "code"))
        }
    };
    draft.answer = Some(json!({"codes_created": created, "already_there": already}));
    draft
}
