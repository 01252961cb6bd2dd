//! `tool_open_project`: a project of a DAW becomes this session, with its audio where it is.

use crate::format::{self, Format};
use crate::opening::Opening;
use crate::project::Project;
use crate::project_file;
use crate::{audio_files, dawproject};
use deskhand_edit::source_of_file;
use deskhand_session::intent::Intent;
use deskhand_session::text::{count, names};
use deskhand_session::{Artifact, Binding, ObjectId, Session, Source};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::files::place;
use deskhand_toolkit::{Category, Code, Draft, PlanContext, ToolError, ToolSpec, Trust, TypedTool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// `tool_open_project`.
pub(crate) struct OpenProject;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The project file. A relative path starts at the session's parent folder.
    #[schemars(length(min = 1, max = 4096))]
    path: String,
}

/// How people ask for it: the ending of the file tells that it is a project.
fn says() -> [Intent; 2] {
    let daw = "project | session | production | of:project | daw | of:daw | from:daw | in:daw | as:create | in:create | create";
    let which =
        Intent::verbs("open | import").about("project | daw").also("session | from:daw | of:daw");
    [
        Intent::verbs("open | import | use").also(daw).file("path", "rpp | ardour | dawproject"),
        which.needs("path").lacks("it does not name the file of the project", "open song.RPP"),
    ]
}

impl TypedTool for OpenProject {
    type Params = Params;
    type Resolved = Params;

    fn spec() -> ToolSpec {
        tool(
            "tool_open_project",
            "Open a DAW's project",
            "Makes this empty session from the project file of a DAW: REAPER (.RPP), Ardour (.ardour), or a DAWproject (.dawproject) of \
             Bitwig, Studio One or Cubase. Tracks, buses, clips with gain and fades, markers and tempo come in; audio \
             files stay where they are. What Deskhand does not model, such \
             as plugins and MIDI, is listed and stays untouched in the project. tool_write_project writes changes \
             into a copy of the project. Returns {program, tracks, clips, markers, missing, left}.",
            Category::Library,
            Trust::Require,
            vec![json!({"path": "/music/song/song.RPP"})],
        )
        .reads_files()
        .command("open", "Open a DAW's project in a new session")
        .path("FILE", "path", "The project file")
        .says(says())
    }

    fn resolve(params: Params, session: &Session) -> Result<Params, ToolError> {
        let is_its_own = |host: &Binding| {
            project_file::name(Path::new(&host.path)) == project_file::name(Path::new(&params.path))
        };
        if session.host.as_deref().map_or(session.tracks.is_empty(), is_its_own) {
            return Ok(params);
        }
        Err(has_tracks())
    }

    fn targets(_: &Params) -> Vec<ObjectId> {
        Vec::new()
    }

    fn outside(call: &Params) -> Vec<PathBuf> {
        let path = PathBuf::from(&call.path);
        path.parent().map(Path::to_path_buf).into_iter().chain([path.clone()]).collect()
    }

    fn run(call: Params, context: &PlanContext) -> Result<Draft, ToolError> {
        let path = place(context, &call.path);
        let (bytes, hash) = project_file::read(&path)?;
        let name = project_file::name(&path);
        if let Some(host) = &context.session.host {
            let told = format!("Nothing to change: this session was opened from {name}");
            return if Path::new(&host.path) == path {
                Ok(Draft::new(told))
            } else {
                Err(has_tracks())
            };
        }
        let format = project_file::format_of(&path, &bytes)?;
        let project = format::read(format, &bytes)
            .map_err(|error| project_file::unreadable(&path, error.to_string()))?;
        let mut unpacked = Vec::new();
        let (sources, missing) = audio(&project, (&path, format, &bytes), &mut unpacked, context)?;
        let opening = Opening::new(&context.session, context.ids()).all(&project, &sources);
        let binding = Binding {
            program: format.name().into(),
            path: path.to_string_lossy().into_owned(),
            hash,
            objects: BTreeMap::new(),
            left: project.left.clone(),
            is_linked: false,
        };
        let mut draft = opening.bound(binding, &name);
        draft.artifacts = unpacked;
        draft.check(&context.session, deskhand_session::tool_error::Phase::Run)?;
        Ok(told(draft, (format, &name), &project, &missing))
    }
}

fn has_tracks() -> ToolError {
    let message = "this session has tracks already, and a project becomes a session of its own";
    let fix = "make a new session, and open the project there";
    ToolError::prepare(Code::Invalid, message, fix)
}

/// The plan with what a person should know.
fn told(
    mut draft: Draft,
    (format, name): (Format, &str),
    project: &Project,
    missing: &[String],
) -> Draft {
    let clips: usize = project.tracks.iter().map(|track| track.clips.len()).sum();
    let tracks = project.tracks.len();
    draft.summary = format!("Open {name}: {}, {}", count(tracks, "track"), count(clips, "clip"));
    if !missing.is_empty() {
        draft.warnings.push(format!(
            "{} cannot be found, so clips of this audio stay out of the session. Put the audio next to the project, \
             and open the project in a new session.",
            names(missing)
        ));
    }
    if !project.left.is_empty() {
        let left = project.left.join(", ");
        draft.notes.push(format!("Deskhand leaves as they are: {left}."));
    }
    draft.answer = Some(json!({
        "program": format.name(), "tracks": tracks, "clips": clips,
        "markers": project.markers.len(), "missing": missing, "left": project.left,
    }));
    draft
}

/// The project's audio files by what it calls them, and those that are nowhere.
///
/// # Errors
/// When the run is stopped.
fn audio(
    project: &Project,
    (path, format, bytes): (&Path, Format, &[u8]),
    unpacked: &mut Vec<Artifact>,
    context: &PlanContext,
) -> Result<(BTreeMap<String, Source>, Vec<String>), ToolError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let clips = project.tracks.iter().flat_map(|track| &track.clips);
    let files: BTreeSet<&str> = clips.map(|clip| clip.file.as_str()).collect();
    let (mut sources, mut missing) = (BTreeMap::new(), Vec::new());
    for (done, file) in files.iter().enumerate() {
        context.step(done, files.len(), &format!("Reading {file}"))?;
        let found = match format {
            Format::DawProject => unpack(bytes, file, unpacked, context)?,
            _ => None,
        };
        let found = found.or_else(|| audio_files::find(folder, file));
        let read = found.map(|found| source_of_file(&found.to_string_lossy(), context));
        match read {
            Some(Ok(source)) => {
                sources.insert((*file).to_owned(), source);
            }
            Some(Err(error)) if error.code != Code::Media => return Err(error),
            Some(Err(_)) | None => missing.push((*file).to_owned()),
        }
    }
    Ok((sources, missing))
}

/// A file that the project holds itself, in the session folder.
fn unpack(
    bytes: &[u8],
    file: &str,
    unpacked: &mut Vec<Artifact>,
    context: &PlanContext,
) -> Result<Option<PathBuf>, ToolError> {
    let folder = audio_files::unpacked(&context.folder);
    let path = dawproject::unpack(bytes, file, &folder).map_err(|error| {
        let message = format!("{file} cannot be unpacked: {error}");
        ToolError::run(Code::Write, message, "make room on the disk, and open the project again")
    })?;
    if let Some(inside) = path.as_deref().and_then(|path| path.strip_prefix(&context.folder).ok()) {
        let bytes = path.as_deref().and_then(|path| path.metadata().ok()).map_or(0, |it| it.len());
        unpacked.push(Artifact { path: inside.to_string_lossy().into_owned(), bytes });
    }
    Ok(path)
}
