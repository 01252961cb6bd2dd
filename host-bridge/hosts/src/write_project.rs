//! `tool_write_project`: what the session changed goes into a copy of the DAW's project, and nothing else does.

use crate::format::{self, Format};
use crate::outgoing::Outgoing;
use crate::project::Project;
use crate::{audio_files, project_file, stays_behind};
use deskhand_session::{Binding, ObjectId, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::files::{next_free, place, write_new};
use deskhand_toolkit::{
    Category, Code, Draft, Gesture, PlanContext, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// `tool_write_project`.
pub(crate) struct WriteProject;

/// What the caller sends.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The file to write; it must not exist. A relative path starts at the session's parent folder. Omitted: next to
    /// the project, such as "song (Deskhand).RPP".
    #[schemars(length(min = 1, max = 4096))]
    path: Option<String>,
}

impl TypedTool for WriteProject {
    type Params = Params;
    type Resolved = (Params, Arc<Binding>);

    fn spec() -> ToolSpec {
        tool(
            "tool_write_project",
            "Write the DAW's project",
            "Writes what this session changed into a copy of the project it was opened from: faders, pans, mutes, clips, \
             fades, markers, new tracks and new audio. All else in the project stays byte for byte, plugins too. The \
             copy is read again and compared. Nothing is written if the project changed since it was opened. Returns \
             {path, program, is_changed, stays_in_deskhand}.",
            Category::Library,
            Trust::Require,
            vec![json!({}), json!({"path": "song for REAPER.RPP"})],
        )
        .writes_files()
        .offers(Gesture::WriteProject)
        .command("write", "Write the changes into a copy of the DAW's project")
        .path("[FILE]", "path", "The copy; omitted: next to the project")
        .command_examples(
            "deskhand write song.deskhand                   # song (Deskhand).RPP, next to song.RPP\n\
             deskhand write song.deskhand mixed.RPP --yes",
        )
    }

    fn resolve(params: Params, session: &Session) -> Result<Self::Resolved, ToolError> {
        let Some(binding) = session.host.clone() else {
            let message = "this session was not opened from a project of a DAW";
            let fix = "open one in a new session: `deskhand open song.RPP`";
            return Err(ToolError::prepare(Code::NoTarget, message, fix));
        };
        Ok((params, binding))
    }

    fn targets(_: &Self::Resolved) -> Vec<ObjectId> {
        Vec::new()
    }

    fn run((params, binding): Self::Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let session = &*context.session;
        let from = Path::new(&binding.path);
        let (bytes, hash) = project_file::read(from)?;
        if hash != binding.hash {
            return Err(changed(&binding));
        }
        let format = project_file::format_of(from, &bytes)?;
        let failed = |error: String| project_file::unwritten(from, error);
        let base = format::read(format, &bytes).map_err(|error| failed(error.to_string()))?;
        let unpacked = audio_files::unpacked(&context.folder);
        let folder = from.parent().unwrap_or(Path::new("."));
        let wanted = Outgoing::new(session, &binding, &base, (folder, unpacked)).wanted();
        let written =
            format::write(format, &bytes, &wanted).map_err(|error| failed(error.to_string()))?;
        let is_changed = written != bytes;
        let path = params.path.map_or_else(|| beside(from), |path| place(context, &path));
        compare(format, &written, &wanted).map_err(failed)?;
        write_new(&path, &written)?;
        Ok(told(&path, &binding, is_changed, session))
    }
}

fn changed(binding: &Binding) -> ToolError {
    let name = project_file::name(Path::new(&binding.path));
    let message = format!("{name} changed since it was opened, so nothing is written");
    let fix = "open the project again in a new session, and make the changes there";
    ToolError::run(Code::Conflict, message, fix)
}

/// "song (Deskhand).RPP" next to song.RPP, or the next free name.
fn beside(project: &Path) -> PathBuf {
    let text =
        |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let (stem, ending) = (text(project.file_stem()), text(project.extension()));
    next_free(project.with_file_name(format!("{stem} (Deskhand).{ending}")))
}

/// Whether what would be written reads as it was wanted.
fn compare(format: Format, written: &[u8], wanted: &Project) -> Result<(), String> {
    let read = format::read(format, written).map_err(|error| error.to_string())?;
    match crate::compare::difference(format, wanted, &read) {
        None => Ok(()),
        Some(what) => Err(format!("{what} would not be as planned, so nothing is written")),
    }
}

fn told(path: &Path, binding: &Binding, is_changed: bool, session: &Session) -> Draft {
    let behind = stays_behind::told(session, binding);
    let mut draft = Draft::new(match is_changed {
        true => format!("Wrote {}", path.display()),
        false => format!("Wrote {}: nothing in it changed", path.display()),
    });
    if !behind.is_empty() {
        let behind = behind.join(", ");
        draft.warnings.push(format!(
            "The copy is without these: {behind}. They stay in Deskhand; export the tracks that need them."
        ));
    }
    draft.answer = Some(json!({
        "path": path.to_string_lossy(), "program": binding.program, "is_changed": is_changed,
        "stays_in_deskhand": behind,
    }));
    draft
}
