//! `tool_write_project`: what the session changed goes into a copy of the DAW's project, and nothing else does.

use crate::format::{self, Format};
use crate::landing::{self, Step};
use crate::link::{Link, Places};
use crate::outgoing::Outgoing;
use crate::project::Project;
use crate::{project_file, stays_behind};
use deskhand_session::intent::{Intent, Kinds};
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
    /// Write into the project file itself, with a dated copy next to it; the DAW must not have it open.
    #[serde(default)]
    in_place: bool,
}

/// How people ask for it: a copy next to the project, one by its name, or the project itself.
fn says() -> [Intent; 6] {
    let daw = "daw | of:daw | for:daw | to:daw | in:daw";
    let of_daw = "of:reaper | of:ardour | of:dawproject";
    let project = "project | of:project | for:project";
    let into = "to:project | in:project | over:project";
    let write = |verbs: &str| {
        let it = Intent::verbs(verbs).named("all", "-", Kinds::Whole).or_all_of_it();
        it.also(daw).also(
            "every | some | step | with:step | work | back | so far | here | directly | oneself",
        )
    };
    let place = |it: Intent| it.flag("in place", "in_place", true);
    [
        place(write("write").about(&[project, daw].join(" | "))),
        place(write("write back").also(project)),
        write("save copy").about(&["for:project", of_daw, daw].join(" | ")).also(project),
        write("export | save | write | save copy | write back")
            .also(&[project, into].join(" | "))
            .file("path", "rpp | ardour | dawproject"),
        write("write | write back | save | put | apply | bring").about(into).sets("in_place", true),
        write("overwrite").about(project).sets("in_place", true),
    ]
}

impl TypedTool for WriteProject {
    type Params = Params;
    type Resolved = (Params, Arc<Binding>);

    fn spec() -> ToolSpec {
        tool(
            "tool_write_project",
            "Write the DAW's project",
            "Writes what this session changed into a copy of the project it was opened from, or into the project itself: faders, pans, mutes, clips, \
             fades, markers, new tracks and new audio. All else in the project stays byte for byte, plugins too. The \
             copy is read again and compared. Nothing is written if the project changed since it was opened. Returns \
             {path, program, is_changed, stays_in_deskhand}.",
            Category::Library,
            Trust::Require,
            vec![json!({}), json!({"path": "song for REAPER.RPP"}), json!({"in_place": true})],
        )
        .writes_files()
        .offers(Gesture::WriteProject)
        .says(says())
        .command("write", "Write the changes into a copy of the DAW's project")
        .path("[FILE]", "path", "The copy; omitted: next to the project")
        .flag("--in-place", "in_place", true, "Write into the project itself, with a dated copy next to it")
        .command_examples(
            "deskhand write song.deskhand                   # song (Deskhand).RPP, next to song.RPP\n\
             deskhand write song.deskhand mixed.RPP --yes\n\
             deskhand write song.deskhand --in-place --yes   # song.RPP itself, with a dated copy next to it",
        )
    }

    fn resolve(params: Params, session: &Session) -> Result<Self::Resolved, ToolError> {
        if params.in_place && params.path.is_some() {
            let message = "the project is written into itself, or into a file";
            return Err(ToolError::prepare(Code::BadParams, message, "name only one of the two"));
        }
        Ok((params, bound(session)?))
    }

    fn targets(_: &Self::Resolved) -> Vec<ObjectId> {
        Vec::new()
    }

    fn run((params, binding): Self::Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        match params.in_place {
            true => in_place(&binding, context),
            false => copy(params.path, &binding, context),
        }
    }
}

/// Writes into the project file itself.
fn in_place(binding: &Binding, context: &PlanContext) -> Result<Draft, ToolError> {
    let name = project_file::name(Path::new(&binding.path));
    if binding.is_linked {
        return Ok(Draft::new(format!("Nothing to write: each step goes into {name}")));
    }
    let session = Arc::clone(&context.session);
    let (head, title) = (context.base, "Write the project".to_owned());
    let landed =
        landing::first(&Step { after: session, head, next: head, title }, binding, context)?;
    let is_changed = landed.is_some();
    let summary = match landed.and_then(|landed| landed.copy) {
        Some(copy) => format!("Wrote {name}; as it was before: {copy}"),
        None => format!("Nothing to write: {name} has all of it"),
    };
    Ok(told((summary, Path::new(&binding.path), is_changed), binding, &context.session))
}

/// Writes a copy of the project.
fn copy(
    path: Option<String>,
    binding: &Binding,
    context: &PlanContext,
) -> Result<Draft, ToolError> {
    let from = Path::new(&binding.path);
    let (bytes, hash) = project_file::read(from)?;
    let link = match binding.is_linked {
        true => Link::load(&context.folder, context.base),
        false => Link::newest(&context.folder),
    };
    if hash.0 != *link.as_ref().map_or(&binding.hash.0, |link| &link.token) {
        return Err(landing::changed(binding));
    }
    let names = link.map_or_else(|| binding.objects.clone(), |link| link.objects);
    let format = project_file::format_of(from, &bytes)?;
    let failed = |error: String| project_file::unwritten(from, error);
    let base = format::read(format, &bytes).map_err(|error| failed(error.to_string()))?;
    let places = Places::of(binding, context);
    let wanted = Outgoing::new(&context.session, &names, &base, &places).wanted();
    let wanted = wanted.map_err(|error| failed(error.to_string()))?.without_new_ids();
    let written =
        format::write(format, &bytes, &wanted).map_err(|error| failed(error.to_string()))?;
    let is_changed = written != bytes;
    let path = path.map_or_else(|| beside(from), |path| place(context, &path));
    check_ending(&path, format, from)?;
    compare(format, &written, &wanted).map_err(failed)?;
    places.copy_audio(&context.session, &wanted, context)?;
    write_new(&path, &written)?;
    let summary = match is_changed {
        true => format!("Wrote {}", path.display()),
        false => format!("Wrote {}: nothing in it changed", path.display()),
    };
    Ok(told((summary, &path, is_changed), binding, &context.session))
}

/// The project that a session was opened from.
pub(crate) fn bound(session: &Session) -> Result<Arc<Binding>, ToolError> {
    session.host.clone().ok_or_else(|| {
        let message = "this session was not opened from a project of a DAW";
        let fix = "open one in a new session: `deskhand open song.RPP`";
        ToolError::prepare(Code::NoTarget, message, fix)
    })
}

/// A copy for another program would not open there.
fn check_ending(path: &Path, format: Format, from: &Path) -> Result<(), ToolError> {
    if Format::of(path, b"") == Some(format) {
        return Ok(());
    }
    let (name, own) = (project_file::name(path), project_file::name(from));
    let ending = from.extension().unwrap_or_default().to_string_lossy();
    let message = format!("{name} cannot be a copy of {own}, a project of {}", format.name());
    Err(ToolError::run(Code::Invalid, message, format!("give a `path` that ends in .{ending}")))
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

fn told(
    (summary, path, is_changed): (String, &Path, bool),
    binding: &Binding,
    session: &Session,
) -> Draft {
    let behind = stays_behind::told(session, binding);
    let mut draft = Draft::new(summary);
    if !behind.is_empty() {
        let behind = behind.join(", ");
        draft.warnings.push(format!(
            "The project is without these: {behind}. They stay in Deskhand; export the tracks that need them."
        ));
    }
    draft.answer = Some(json!({
        "path": path.to_string_lossy(), "program": binding.program, "is_changed": is_changed,
        "stays_in_deskhand": behind,
    }));
    draft
}
