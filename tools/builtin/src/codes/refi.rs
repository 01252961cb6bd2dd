//! Codebooks and projects in the exchange format REFI-QDA 1.5 (qdasoftware.org), which programs for qualitative
//! analysis read and write: `.qdc` is a codebook, `.qdpx` a ZIP of a project with its transcripts.

mod guid;
mod project;
mod read;
mod source;
#[cfg(test)]
mod tests;
mod transcript;
mod write;

use super::files::{self, Ending};
use super::find;
use crate::about::tool;
use crate::words::count;
use deskhand_session::{Change, CodeId, Edit, ObjectId, Session};
use deskhand_toolkit::{
    Category, Code, Draft, PlanContext, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The largest codebook that is read.
const MOST_BYTES: u64 = 10_000_000;

/// `tool_import_codebook`.
pub(super) struct ImportCodebook;
/// `tool_export_codebook`.
pub(super) struct ExportCodebook;
/// `tool_export_project`.
pub(super) struct ExportProject;

/// A codebook that is read.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Import {
    /// The path of a .qdc file.
    #[schemars(length(min = 1, max = 4096))]
    file: String,
}

/// A file that is written.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Export {
    /// The file to write, ending in .qdc for a codebook and in .qdpx for a project; a relative path is taken from the
    /// folder that holds the session's. It must not exist.
    #[schemars(length(min = 5, max = 4096))]
    path: String,
}

impl TypedTool for ImportCodebook {
    type Params = Import;
    type Resolved = PathBuf;

    fn spec() -> ToolSpec {
        tool(
            "tool_import_codebook",
            "Import a codebook",
            "Reads a REFI-QDA codebook (.qdc) into this one. A code that is there already, by its path, stays as it \
             is; the others are made, with color and description. Returns {codes_created, already_there}.",
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
        let bytes = files::read(&file, MOST_BYTES)?;
        let codes = read::codebook(&bytes).map_err(|error| {
            let message = format!("{}, line {}: {}", file.display(), error.line, error.problem);
            ToolError::run(Code::Media, message, error.problem.way_out())
        })?;
        context.check()?;
        Ok(made(&codes, context))
    }
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
        (0, _) => format!("All {} are here already", count(codes.len(), "code")),
        (_, 0) => format!("Import {}", count(created, "code")),
        (_, _) => format!("Import {}; {already} here already stay as they are", count(created, "code")),
    };
    draft.answer = Some(json!({"codes_created": created, "already_there": already}));
    draft
}

impl TypedTool for ExportCodebook {
    type Params = Export;
    type Resolved = String;

    fn spec() -> ToolSpec {
        tool(
            "tool_export_codebook",
            "Export the codebook",
            "Writes the codebook as REFI-QDA (.qdc) for other programs of qualitative analysis. Writes outside the \
             session, so a model's call waits until the person lets it run. Returns {path, codes}.",
            Category::Organize,
            Trust::Require,
            vec![json!({"path": "codebook.qdc"})],
        )
    }

    fn resolve(params: Export, session: &Session) -> Result<String, ToolError> {
        Ending::of(&params.path, &[Ending::Qdc])?;
        not_empty(session)?;
        Ok(params.path)
    }

    fn targets(_: &String) -> Vec<ObjectId> {
        Vec::new()
    }

    fn run(path: String, context: &PlanContext) -> Result<Draft, ToolError> {
        let xml = write::codebook(&context.session).map_err(unwritable)?;
        let path = files::write(context, &path, &xml)?;
        let codes = context.session.codes.len();
        let told = format!("Wrote {} to {}", count(codes, "code"), path.display());
        let answer = json!({"path": path.to_string_lossy(), "codes": codes});
        Ok(Draft { answer: Some(answer), ..Draft::new(told) })
    }
}

impl TypedTool for ExportProject {
    type Params = Export;
    type Resolved = String;

    fn spec() -> ToolSpec {
        tool(
            "tool_export_project",
            "Export as a REFI-QDA project",
            "Writes codebook, transcripts, coded segments, coders and memos as a REFI-QDA project (.qdpx) for other \
             programs of qualitative analysis; the recordings are named, not copied. Writes outside the session, so \
             a model's call waits until the person lets it run. Returns {path, codes, sources, codings}.",
            Category::Organize,
            Trust::Require,
            vec![json!({"path": "interviews.qdpx"})],
        )
    }

    fn resolve(params: Export, session: &Session) -> Result<String, ToolError> {
        Ending::of(&params.path, &[Ending::Qdpx])?;
        not_empty(session)?;
        Ok(params.path)
    }

    fn targets(_: &String) -> Vec<ObjectId> {
        Vec::new()
    }

    fn run(path: String, context: &PlanContext) -> Result<Draft, ToolError> {
        let written = project::archive(context)?;
        let path = files::write(context, &path, &written.bytes)?;
        let (codes, sources) = (context.session.codes.len(), written.sources);
        let codings = written.codings;
        let told = format!(
            "Wrote {}, {} and {} to {}",
            count(codes, "code"),
            count(sources, "recording"),
            count(codings, "coding"),
            path.display()
        );
        let path = path.to_string_lossy();
        let answer = json!({"path": path, "codes": codes, "sources": sources, "codings": codings});
        Ok(Draft { answer: Some(answer), ..Draft::new(told) })
    }
}

fn not_empty(session: &Session) -> Result<(), ToolError> {
    if session.codes.is_empty() {
        let fix = "make a code with cmd_set_code";
        return Err(ToolError::prepare(Code::NoTarget, "the codebook is empty", fix));
    }
    Ok(())
}

/// Writing into memory fails only where there is none left.
fn unwritable(error: impl std::fmt::Display) -> ToolError {
    ToolError::run(Code::Write, format!("the file cannot be made: {error}"), "try it again")
}
