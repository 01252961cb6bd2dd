//! `tool_export_project`: codebook, transcripts, coded segments, coders and memos as a REFI-QDA project.

use super::{Export, not_empty, project};
use crate::files::Ending;
use deskhand_session::intent::{Intent, Kinds};
use deskhand_session::text::{count, names};
use deskhand_session::{ObjectId, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{Category, Draft, PlanContext, ToolError, ToolSpec, Trust, TypedTool};
use serde_json::json;

/// `tool_export_project`.
pub(crate) struct ExportProject;

fn says() -> [Intent; 2] {
    let export = || Intent::verbs("export | save").named("all", "-", Kinds::Whole).or_left_out();
    let format = "refi | for:refi | as:refi | to:refi";
    [
        export()
            .about(format)
            .also("session | code | coding | file")
            .sets("path", "project.qdpx")
            .sets("or_next_free", true),
        export().also("session | code | coding").also(format).file("path", "qdpx"),
    ]
}

impl TypedTool for ExportProject {
    type Params = Export;
    type Resolved = Export;

    fn spec() -> ToolSpec {
        tool(
            "tool_export_project",
            "Export as a REFI-QDA project",
            "Writes codebook, transcripts, coded segments, coders and memos as a REFI-QDA project (.qdpx) for \
             other qualitative analysis programs. Recordings are named, not copied. Writes outside the \
             session, so a model's call waits until the person lets it run. Returns {path, codes, sources, \
             codings}.",
            Category::Organize,
            Trust::Require,
            vec![json!({"path": "interviews.qdpx"})],
        )
        .writes_files()
        .command("codes export", "Export the codebook (.qdc) or whole project (.qdpx) as REFI-QDA")
        .path("FILE", "path", "The file, ending in .qdc or .qdpx")
        .endings(&["qdpx"])
        .says(says())
    }

    fn resolve(params: Export, session: &Session) -> Result<Export, ToolError> {
        Ending::of(&params.path, &[Ending::Qdpx])?;
        not_empty(session)?;
        Ok(params)
    }

    fn targets(_: &Export) -> Vec<ObjectId> {
        Vec::new()
    }

    fn run(call: Export, context: &PlanContext) -> Result<Draft, ToolError> {
        let written = project::archive(context)?;
        let path = call.write(context, &written.bytes)?;
        let (codes, sources) = (context.session.codes.len(), written.sources.len());
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
        let warnings = not_copied(&written.sources).into_iter().collect();
        Ok(Draft { answer: Some(answer), warnings, ..Draft::new(told) })
    }
}

/// The warning that the file only names the recordings, as if they were next to it.
fn not_copied(sources: &[String]) -> Option<String> {
    let what = match sources.len() {
        0 => return None,
        1 => "1 recording is named in it and not copied; put it next to the file".to_owned(),
        more => {
            format!("{more} recordings are named in it and not copied; put them next to the file")
        }
    };
    Some(format!("{what}: {}", names(sources)))
}
