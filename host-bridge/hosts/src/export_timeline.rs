//! `tool_export_timeline`: the tracks and clips of the session as a timeline that another program opens.

use crate::handed_files::{handed, is_wave};
use crate::handoff::aaf::{self, AafAudio, AafError, AafOptions};
use crate::handoff::{FrameRate, Settings, Target, Timeline, edl, fcpxml, losses, otio};
use crate::project_file;
use deskhand_session::intent::{Intent, Kinds, TextKind};
use deskhand_session::text::{count, names};
use deskhand_session::{ObjectId, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::files::{next_free, place, sweep, write_new};
use deskhand_toolkit::{Category, Code, Draft, PlanContext, ToolError, ToolSpec, Trust, TypedTool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::fs::File;
use std::io::{self, Cursor};
use std::path::Path;
use std::time::SystemTime;

/// `tool_export_timeline`.
pub(crate) struct ExportTimeline;

/// Seconds of audio on both sides of a clip, for an editor to open it up.
const HANDLES: f64 = 2.0;
/// Timelines begin at this hour by custom.
const START: &str = "01:00:00:00";

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The file to write; it must not exist. A relative path starts at the session's parent folder.
    #[schemars(length(min = 1, max = 4096))]
    path: String,
    /// If `path` exists, write to the next free name, such as cut-2.edl; omitted: refuse.
    #[serde(default)]
    or_next_free: bool,
    /// The format; omitted: by the ending .aaf, .edl, .fcpxml or .otio.
    format: Option<Target>,
    /// How timecode counts, in frames a second; omitted: 25.
    #[serde(default)]
    frame_rate: FrameRate,
    /// Timecode at the start of the session; omitted: 01:00:00:00.
    #[schemars(length(min = 11, max = 11))]
    start: Option<String>,
    /// Put the audio into the AAF. Omitted: the AAF names the files.
    #[serde(default)]
    embed: bool,
    /// Seconds of audio that an AAF keeps on both sides of each clip; omitted: 2.
    #[schemars(range(min = 0.0, max = 3600.0))]
    handles_s: Option<f64>,
}

/// The call against the session.
pub(crate) struct Resolved {
    path: String,
    or_next_free: bool,
    target: Target,
    audio: AafAudio,
    settings: Settings,
}

/// A format as it is said and as files end in it, and the programs that open it.
const FORMATS: [(&str, &str); 3] =
    [("aaf", "media composer | pro tools"), ("edl", ""), ("fcpxml", "final cut | resolve")];

/// How people ask for a timeline. Other tools write OTIO too, so there the timeline must be named.
fn says() -> [Intent; 5] {
    let programs =
        "media composer | pro tools | final cut | resolve | daw | foreign file".split(" | ");
    let programs = programs.map(|it| format!("for:{it} | to:{it} | in:{it}"));
    let programs = programs.collect::<Vec<_>>().join(" | ");
    let give = |it: Intent| {
        let it = it.flag("embedded", "embed", true).named("all", "- | of", Kinds::Whole);
        it.also("session | project | of:session | of:project | create | recording").or_all_of_it()
    };
    let verbs = || {
        give(Intent::verbs(
            "export | save | make | create | give | get | want | send | hand on | hand+on",
        ))
    };
    let of_timeline = "timeline | of:timeline | as:timeline";
    let set = |it: Intent, words: &str, format: &str| {
        it.flags(words, &[("format", json!(format)), ("path", json!(format!("timeline.{format}")))])
    };
    let named = |it: Intent| {
        let it = it.said("path", "to | as | called", TextKind::Stem).needs("format");
        it.sets("or_next_free", true)
    };
    let formats =
        || FORMATS.iter().fold(verbs().also(&programs), |it, (format, _)| set(it, format, format));
    let of_programs = FORMATS.iter().filter(|it| !it.1.is_empty());
    [
        named(formats().also(of_timeline)),
        named(
            of_programs.fold(verbs().also(of_timeline), |it, (format, all)| set(it, all, format)),
        ),
        named(set(verbs().about(of_timeline), "otio", "otio")),
        formats().also(of_timeline).file("path", "aaf | edl | fcpxml"),
        verbs().also(&programs).also("otio | as:otio").about(of_timeline).file("path", "otio"),
    ]
}

impl TypedTool for ExportTimeline {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_export_timeline",
            "Export the timeline",
            "Writes the session's tracks, clips, gains, fades and markers as a timeline for another program: AAF \
             (Media Composer, Pro Tools), EDL, FCPXML (Final Cut Pro, DaVinci Resolve) or OpenTimelineIO. It does \
             not write the edit of phrases: for that use tool_export_assembly. Warnings name what the format \
             cannot hold. Writes outside the session, so a model's call waits until the person lets it run. \
             Returns {path, clips, tracks, losses}.",
            Category::Library,
            Trust::Require,
            vec![
                json!({"path": "talk.aaf", "embed": true}),
                json!({"path": "talk.edl", "frame_rate": "29.97 drop", "start": "10:00:00;00"}),
            ],
        )
        .writes_files()
        .command("export", "Export the timeline for another program")
        .path("FILE", "path", "The file, ending in .aaf, .edl, .fcpxml or .otio")
        .arg("--frame-rate RATE", "frame_rate", "")
        .arg("--start TIMECODE", "start", "")
        .flag("--embed", "embed", true, "Put the audio into the AAF")
        .arg("--handles SECONDS", "handles_s", "")
        .says(says())
        .command_examples(
            "deskhand export talk.deskhand talk.aaf --embed   # for Media Composer and Pro Tools\n\
             deskhand export talk.deskhand talk.edl --frame-rate 24\n\
             deskhand export talk.deskhand talk.fcpxml        # for Final Cut and Resolve",
        )
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        if session.clips.is_empty() {
            let fix = "import audio first: import_audio";
            return Err(ToolError::prepare(Code::NoTarget, "the session has no clips", fix));
        }
        let Some(target) = params.format.or_else(|| Target::of(Path::new(&params.path))) else {
            let message = format!("{:?} does not say what to write", params.path);
            return Err(bad(&message, "let `path` end in .aaf, .edl, .fcpxml or .otio"));
        };
        if target != Target::Aaf && (params.embed || params.handles_s.is_some()) {
            let message = "only an AAF holds audio with handles";
            return Err(bad(message, "write an .aaf, or leave out `embed` and `handles_s`"));
        }
        let label = params.start.as_deref().unwrap_or(START);
        let start = params.frame_rate.frame(label).ok_or_else(|| {
            let rate = params.frame_rate.nominal();
            let message = format!("\"{label}\" is no timecode at {rate} frames a second");
            bad(&message, "give hours, minutes, seconds and frames, such as 10:00:00:00")
        })?;
        let audio = if params.embed { AafAudio::Embedded } else { AafAudio::Linked };
        let handles = Some(params.handles_s.unwrap_or(HANDLES));
        let settings =
            Settings { name: String::new(), frame_rate: params.frame_rate, start, handles };
        let Params { path, or_next_free, .. } = params;
        Ok(Resolved { path, or_next_free, target, audio, settings })
    }

    fn targets(_: &Resolved) -> Vec<ObjectId> {
        Vec::new()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let path = place(context, &call.path);
        let path = if call.or_next_free { next_free(path) } else { path };
        let timeline = timeline(&call, context);
        match call.target {
            Target::Aaf => write_aaf(&timeline, call.audio, &path)?,
            Target::Edl => write_new(&path, edl::write(&timeline).as_bytes())?,
            Target::Fcpxml => write_new(&path, fcpxml::write(&timeline).as_bytes())?,
            Target::Otio => write_new(&path, otio::write(&timeline).as_bytes())?,
        }
        Ok(told(&timeline, call.target, &path))
    }
}

fn bad(message: &str, fix: &str) -> ToolError {
    ToolError::prepare(Code::BadParams, message, fix)
}

/// The timeline, with the files that this target can play.
fn timeline(call: &Resolved, context: &PlanContext) -> Timeline {
    let mut session = (*context.session).clone();
    for source in session.sources.values_mut() {
        *source = handed(source, &context.folder, session.rate, call.target);
    }
    let name = Path::new(&call.path).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let settings = Settings { name, ..call.settings.clone() };
    let path_of = |id| session.sources.get(&id).map_or_else(String::new, |it| it.path.clone());
    Timeline::of(&session, settings, path_of)
}

fn write_aaf(timeline: &Timeline, audio: AafAudio, path: &Path) -> Result<(), ToolError> {
    let options = AafOptions { audio, created: SystemTime::now() };
    match audio {
        AafAudio::Linked => {
            let file = aaf::write(timeline, options, Cursor::new(Vec::new()));
            write_new(path, file.map_err(|error| not_written(path, &error))?.get_ref())
        }
        AafAudio::Embedded => {
            embedded(timeline, options, path).map_err(|error| not_written(path, &error))
        }
    }
}

/// Audio may be larger than the memory, so it goes to a file that gets its name when it is whole.
fn embedded(timeline: &Timeline, options: AafOptions, path: &Path) -> Result<(), AafError> {
    if path.symlink_metadata().is_ok() {
        return Err(io::Error::from(io::ErrorKind::AlreadyExists).into());
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    sweep(folder, SystemTime::now());
    let room = tempfile::Builder::new().prefix(".deskhand-").tempdir_in(folder)?;
    let part = room.path().join("part.aaf");
    let file = File::options().read(true).write(true).create_new(true).open(&part)?;
    aaf::write(timeline, options, file)?.sync_all()?;
    let part = tempfile::TempPath::try_from_path(part)?;
    Ok(part.persist_noclobber(path).map_err(|error| error.error)?)
}

fn not_written(path: &Path, error: &AafError) -> ToolError {
    match error {
        AafError::Io(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let message = format!("{} exists already", path.display());
            ToolError::run(Code::Write, message, "give another `path`")
        }
        other => {
            let fix = "nothing was written; repair what is named, and export again";
            ToolError::run(Code::Write, other.to_string(), fix)
        }
    }
}

fn told(timeline: &Timeline, target: Target, path: &Path) -> Draft {
    let losses = losses(timeline, target);
    let (tracks, clips) = (timeline.tracks.len(), timeline.clips().count());
    let written = format!("{}, {}", count(tracks, "track"), count(clips, "clip"));
    let mut draft = Draft::new(format!("Wrote {written} to {}", path.display()));
    if !losses.is_empty() {
        draft.summary += "; the format does not hold all of the session";
    }
    draft.warnings.clone_from(&losses);
    draft.warnings.extend(unplayable(timeline, target));
    draft.answer = Some(json!({
        "path": path.to_string_lossy(), "clips": clips, "tracks": tracks, "losses": losses,
    }));
    draft
}

/// Files that the other program will not find, or not play.
fn unplayable(timeline: &Timeline, target: Target) -> Vec<String> {
    let named = |is_so: &dyn Fn(&Path) -> bool| {
        let all = timeline.media.iter().map(|media| Path::new(&media.path));
        let mut all: Vec<String> = all.filter(|path| is_so(path)).map(project_file::name).collect();
        all.dedup();
        (!all.is_empty()).then(|| names(&all))
    };
    let away = named(&|path| !path.is_file());
    let away =
        away.map(|files| format!("{files} cannot be found. Put the audio back where it was."));
    let other = named(&|path| target == Target::Aaf && path.is_file() && !is_wave(path));
    let other = other.map(|files| {
        format!(
            "{files}: an AAF names WAV files. Convert this audio to WAV, or write another format."
        )
    });
    away.into_iter().chain(other).collect()
}
