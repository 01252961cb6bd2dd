//! `import_timeline`: a timeline of another program as new tracks of this session, with its audio where it is.

use crate::handoff::{FrameRate, Imported, Target, edl, fcpxml, otio};
use crate::imported_tracks::ImportedTracks;
use crate::{audio_files, project_file};
use deskhand_dsp::SampleRate;
use deskhand_edit::source_of_file;
use deskhand_session::intent::Intent;
use deskhand_session::text::names;
use deskhand_session::{ObjectId, Session, Source};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::files::place;
use deskhand_toolkit::{Category, Code, Draft, PlanContext, ToolError, ToolSpec, Trust, TypedTool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// `import_timeline`.
pub(crate) struct ImportTimeline;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The timeline, ending in .edl, .fcpxml or .otio. A relative path starts at the session's parent folder.
    #[schemars(length(min = 1, max = 4096))]
    path: String,
    /// How an EDL counts timecode, in frames a second; omitted: 25. The other formats name their rate.
    frame_rate: Option<FrameRate>,
}

/// The call against the session.
pub(crate) struct Resolved {
    path: String,
    format: Format,
}

/// A format that is read.
enum Format {
    Edl(Option<FrameRate>),
    Fcpxml,
    Otio,
}

/// How people ask for it: the ending of the file tells that it is a timeline.
fn says() -> [Intent; 2] {
    let what = "timeline | edl | fcpxml | otio | csv | as:create | create | track | as:track";
    let other = "from:final cut | from:resolve | from:foreign file";
    let import = Intent::verbs("open | import | add | read | use").also(what).also(other);
    [
        import.file("path", "edl | fcpxml | otio"),
        Intent::verbs("import")
            .about("timeline | edl | fcpxml | otio")
            .also(other)
            .needs("path")
            .lacks(
                "it does not name the file of the timeline",
                "import cut.edl | import cut.fcpxml",
            ),
    ]
}

impl TypedTool for ImportTimeline {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "import_timeline",
            "Import a timeline",
            "Adds the timeline of another program to this session: EDL, FCPXML (Final Cut Pro, DaVinci Resolve) or \
             OpenTimelineIO. Its audio tracks become new tracks after the others, with clips, gains, fades and \
             markers; picture is left out. Audio files stay where they are, and missing ones are named. For audio \
             files use import_audio. Returns {tracks, clips, markers, missing}.",
            Category::Library,
            Trust::Require,
            vec![
                json!({"path": "/films/cut.fcpxml"}),
                json!({"path": "/films/cut.edl", "frame_rate": "29.97"}),
            ],
        )
        .reads_files()
        .command("timeline", "Import the timeline of another program")
        .path("FILE", "path", "The timeline, ending in .edl, .fcpxml or .otio")
        .arg("--frame-rate RATE", "frame_rate", "")
        .says(says())
        .command_examples("deskhand timeline film.deskhand cut.fcpxml")
    }

    fn resolve(params: Params, _: &Session) -> Result<Resolved, ToolError> {
        let Params { path, frame_rate } = params;
        let format = match Target::of(Path::new(&path)) {
            Some(Target::Edl) => Format::Edl(frame_rate),
            Some(Target::Fcpxml) => Format::Fcpxml,
            Some(Target::Otio) => Format::Otio,
            Some(Target::Aaf) => return Err(bad("Deskhand writes AAF files, and reads none")),
            None => return Err(bad(&format!("{path:?} is no timeline that Deskhand reads"))),
        };
        if frame_rate.is_some() && !matches!(format, Format::Edl(_)) {
            let message = "this timeline names its own frame rate";
            return Err(ToolError::prepare(Code::BadParams, message, "leave out `frame_rate`"));
        }
        Ok(Resolved { path, format })
    }

    fn targets(_: &Resolved) -> Vec<ObjectId> {
        Vec::new()
    }

    fn outside(call: &Resolved) -> Vec<PathBuf> {
        let path = PathBuf::from(&call.path);
        path.parent().map(Path::to_path_buf).into_iter().chain([path.clone()]).collect()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let path = place(context, &call.path);
        let (bytes, _) = project_file::read(&path)?;
        let imported = read(&call.format, &String::from_utf8_lossy(&bytes), context.session.rate)
            .map_err(|error| project_file::unreadable(&path, error))?;
        let (sources, missing) = audio(&imported, &path, context)?;
        if sources.iter().all(Option::is_none) {
            let message = format!("none of the audio can be found: {}", names(&missing));
            let fix = "put the audio next to the timeline, and import it again";
            return Err(ToolError::run(Code::Media, message, fix));
        }
        let name = project_file::name(&path);
        let tracks = ImportedTracks::new(&context.session, context.ids(), &imported.timeline);
        let draft = tracks.all(&sources, &name);
        Ok(told(draft, &call.format, &imported, &missing))
    }
}

fn bad(message: &str) -> ToolError {
    let fix = "export the timeline as .edl, .fcpxml or .otio from the other program";
    ToolError::prepare(Code::BadParams, message, fix)
}

fn read(format: &Format, text: &str, rate: SampleRate) -> Result<Imported, String> {
    match format {
        Format::Edl(frame_rate) => {
            edl::read(text, frame_rate.unwrap_or_default(), rate).map_err(|it| it.to_string())
        }
        Format::Fcpxml => fcpxml::read(text, rate).map_err(|it| it.to_string()),
        Format::Otio => otio::read(text, rate).map_err(|it| it.to_string()),
    }
}

/// The source of each of the timeline's media, and what those that are nowhere are called.
///
/// # Errors
/// When the run is stopped.
fn audio(
    imported: &Imported,
    path: &Path,
    context: &PlanContext,
) -> Result<(Vec<Option<Source>>, Vec<String>), ToolError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let all = &imported.timeline.media;
    let mut read: BTreeMap<PathBuf, Option<Source>> = BTreeMap::new();
    let (mut sources, mut missing) = (Vec::new(), Vec::new());
    let clips = imported.timeline.tracks.iter().flat_map(|track| &track.clips);
    let used: BTreeSet<usize> = clips.map(|clip| clip.media).collect();
    for (done, media) in all.iter().enumerate() {
        // A file of which single channels are used is no source itself.
        if !used.contains(&done) {
            sources.push(None);
            continue;
        }
        let called = if media.path.is_empty() { &media.name } else { &media.path };
        context.step(done, all.len(), &format!("Reading {called}"))?;
        // A list may have only the name of the file, or not even its ending.
        let names = [media.path.clone(), media.name.clone(), format!("{}.wav", media.name)];
        let found = names.iter().find_map(|name| audio_files::find(folder, name));
        let whole = match found {
            None => None,
            Some(file) => match read.get(&file) {
                Some(known) => known.clone(),
                None => {
                    let source = usable(source_of_file(&file.to_string_lossy(), context))?;
                    read.insert(file, source.clone());
                    source
                }
            },
        };
        let source = whole.and_then(|whole| of_channel(whole, media.channel));
        if source.is_none() && !missing.contains(called) {
            missing.push(called.clone());
        }
        sources.push(source);
    }
    Ok((sources, missing))
}

/// `None` for a file that cannot be used.
fn usable(source: Result<Source, ToolError>) -> Result<Option<Source>, ToolError> {
    match source {
        Ok(source) => Ok(Some(source)),
        Err(error) if error.code == Code::Media => Ok(None),
        Err(error) => Err(error),
    }
}

/// A source of one channel of its file, if only that plays.
fn of_channel(whole: Source, channel: Option<u16>) -> Option<Source> {
    let Some(channel) = channel.filter(|_| whole.channels > 1) else { return Some(whole) };
    let name = format!("{} {}", whole.name, channel + 1);
    (channel < whole.channels).then_some(Source {
        name,
        channels: 1,
        channel: Some(channel),
        ..whole
    })
}

/// The plan with what a person should know.
fn told(mut draft: Draft, format: &Format, imported: &Imported, missing: &[String]) -> Draft {
    if !missing.is_empty() {
        draft.warnings.push(format!(
            "{} cannot be found or read, so clips of this audio are left out. Put the audio next to the timeline, \
             and import it again.",
            names(missing)
        ));
    }
    if let Format::Edl(None) = format {
        draft.notes.push("An EDL names no frame rate: it is read at 25 frames a second.".into());
    }
    draft.notes.extend(imported.notes.iter().cloned());
    if let Some(answer) = &mut draft.answer {
        answer["missing"] = json!(missing);
    }
    draft
}
