//! `tool_export_codebook`: the codebook as a REFI-QDA file.

use super::{Export, not_empty, unwritable, write};
use crate::files::Ending;
use deskhand_session::intent::Intent;
use deskhand_session::text::{count, names};
use deskhand_session::{ObjectId, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Draft, Gesture, PlanContext, ToolError, ToolSpec, Trust, TypedTool,
};
use serde_json::json;

/// `tool_export_codebook`.
pub(crate) struct ExportCodebook;

fn says() -> [Intent; 2] {
    let export = Intent::verbs("export | save")
        .about("codebook")
        .also("as:refi | to:refi | qdc | to:qdc | as:qdc");
    let named = export.clone().file("path", "qdc");
    [export.sets("path", "codebook.qdc").sets("or_next_free", true), named]
}

impl TypedTool for ExportCodebook {
    type Params = Export;
    type Resolved = Export;

    fn spec() -> ToolSpec {
        tool(
            "tool_export_codebook",
            "Export the codebook",
            "Writes the codebook as REFI-QDA (.qdc) for other qualitative analysis programs. The format has no \
             memos, so they are left out. Writes outside the session, so a model's call waits until the person \
             lets it run. Returns {path, codes}.",
            Category::Organize,
            Trust::Require,
            vec![json!({"path": "codebook.qdc"})],
        )
        .writes_files()
        .command("codes export", "Export the codebook (.qdc) or whole project (.qdpx) as REFI-QDA")
        .path("FILE", "path", "The file, ending in .qdc or .qdpx")
        .endings(&["qdc"])
        .offers(Gesture::ExportCodebook)
        .says(says())
    }

    fn resolve(params: Export, session: &Session) -> Result<Export, ToolError> {
        Ending::of(&params.path, &[Ending::Qdc])?;
        not_empty(session)?;
        Ok(params)
    }

    fn targets(_: &Export) -> Vec<ObjectId> {
        Vec::new()
    }

    fn run(call: Export, context: &PlanContext) -> Result<Draft, ToolError> {
        let xml = write::codebook(&context.session).map_err(unwritable)?;
        let path = call.write(context, &xml)?;
        let codes = context.session.codes.len();
        let told = format!("Wrote {} to {}", count(codes, "code"), path.display());
        let answer = json!({"path": path.to_string_lossy(), "codes": codes});
        let warnings = memos_left(&context.session).into_iter().collect();
        Ok(Draft { answer: Some(answer), warnings, ..Draft::new(told) })
    }
}

/// That memos are not in a codebook: the format has no place for them.
fn memos_left(session: &Session) -> Option<String> {
    let noted = session.codes.iter().filter(|(id, _)| {
        let on = ObjectId::from(**id);
        session.memos.contains_key(&on)
    });
    let mut noted: Vec<String> = noted.map(|(_, code)| code.name.clone()).collect();
    noted.sort();
    let memos = count(noted.len(), "memo");
    let why = "a .qdc file holds none, tool_export_project writes them";
    (!noted.is_empty()).then(|| format!("{memos} left out, {why}: {}", names(&noted)))
}
