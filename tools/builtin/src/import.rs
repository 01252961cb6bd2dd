//! `import_audio`: files become sources in the library, tracks and clips.

mod file;
mod place;

use crate::about::tool;
use crate::words::count;
use deskhand_session::{Change, Edit, ObjectId, Session, SourceId};
use deskhand_toolkit::{Category, Code, Draft, PlanContext, ToolError, ToolSpec, Trust, TypedTool};
use file::Found;
use place::{Placing, Start};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::path::PathBuf;

/// `import_audio`.
pub(crate) struct Import;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// Audio files, as absolute paths.
    #[schemars(length(min = 1, max = 10_000))]
    files: Vec<PathBuf>,
    /// Put all files on this track, one after the other; it is made if it does not exist. Omitted: one
    /// track for each file.
    track: Option<String>,
    /// Where the first clip starts, in seconds. Omitted: at 0, or behind the last clip of `track`.
    #[schemars(range(min = 0.0, max = 1e7))]
    at_s: Option<f64>,
    /// Place each clip where the time stamp in its file says (BWF).
    #[serde(default)]
    origin: bool,
    /// One track and source for each channel.
    #[serde(default)]
    split_channels: bool,
    /// Only into the library, without tracks and clips.
    #[serde(default)]
    library: bool,
}

/// The call against the session.
pub(crate) struct Resolved {
    files: Vec<PathBuf>,
    placing: Placing,
    split_channels: bool,
}

impl TypedTool for Import {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "import_audio",
            "Import audio",
            "Brings audio files into the library and places them on tracks. WAV and AIFF at the session \
             rate are used where they are; anything else is conformed once into the session's media \
             folder, in the background. A file that is in the library already is used again. If one \
             file cannot be used, nothing is imported and the error names it.",
            Category::Library,
            Trust::Require,
            vec![json!({"files": ["/music/drums.wav", "/music/bass.flac"]})],
        )
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        if let Some(file) = params.files.iter().find(|file| !file.is_absolute()) {
            let message = format!("{} is not an absolute path", file.display());
            return Err(ToolError::prepare(
                Code::BadParams,
                message,
                "give the whole path",
            ));
        }
        if params.split_channels && params.track.is_some() {
            let message =
                "split_channels makes a track for each channel, and track names one track";
            return Err(ToolError::prepare(
                Code::BadParams,
                message,
                "give one of them",
            ));
        }
        let start = match (params.at_s, params.origin) {
            (Some(_), true) => {
                let fix = "give one of them";
                let message = "at_s and origin contradict each other";
                return Err(ToolError::prepare(Code::BadParams, message, fix));
            }
            (Some(seconds), false) => Start::At(deskhand_dsp::Seconds(seconds)),
            (None, true) => Start::Origin,
            (None, false) => Start::Free,
        };
        let placing = Placing::new(session, params.track, start, params.library)?;
        let split_channels = params.split_channels;
        Ok(Resolved {
            files: params.files,
            placing,
            split_channels,
        })
    }

    fn targets(_: &Resolved) -> Vec<ObjectId> {
        // New things: no other call can be working on them.
        Vec::new()
    }

    fn run(resolved: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let Resolved {
            files,
            placing,
            split_channels,
        } = resolved;
        let mut run = Run {
            context,
            ids: context.ids(),
            draft: Draft::default(),
            placing,
        };
        let all = files.len();
        for (done, path) in files.iter().enumerate() {
            context.step(done, all, &path.display().to_string())?;
            let found = Found::look(path, context)?;
            run.file(&found, split_channels);
        }
        run.draft.summary = summary(&run.draft, all);
        Ok(run.draft)
    }
}

struct Run<'a> {
    context: &'a PlanContext,
    ids: deskhand_session::IdSeed,
    draft: Draft,
    placing: Placing,
}

impl Run<'_> {
    fn file(&mut self, found: &Found, split: bool) {
        let split = split && found.channels > 1;
        let channels = if split { found.channels } else { 1 };
        for channel in 0..channels {
            let (id, name) = self.source(found, split.then_some(channel));
            let session = &self.context.session;
            self.placing
                .clip(session, &mut self.ids, &mut self.draft, found, id, &name);
        }
        let warnings = found
            .warnings
            .iter()
            .map(|w| format!("{}: {w}", found.name));
        self.draft.warnings.extend(warnings);
    }

    /// The source of a file or of one of its channels: the one in the library, or a new one.
    fn source(&mut self, found: &Found, channel: Option<u16>) -> (SourceId, String) {
        let source = found.source(channel);
        let same = |known: &deskhand_session::Source| {
            known.hash == source.hash && known.channel == channel
        };
        let sources = &self.context.session.sources;
        if let Some((id, known)) = sources.iter().find(|(_, known)| same(known)) {
            return (*id, known.name.clone());
        }
        let planned = self
            .draft
            .changes
            .iter()
            .find_map(|planned| match &planned.change {
                Change::AddSource(Edit {
                    target,
                    after: Some(made),
                    ..
                }) if same(made) => Some(*target),
                _ => None,
            });
        let name = source.name.clone();
        if let Some(id) = planned {
            return (id, name);
        }
        let id = SourceId::new(self.ids.next_bits());
        let reason = found.describe();
        self.draft.change(
            Change::AddSource(Edit::create(id, source)),
            name.clone(),
            reason,
        );
        (id, name)
    }
}

fn summary(draft: &Draft, files: usize) -> String {
    let made = |op: &str| draft.changes.iter().filter(|c| c.change.op() == op).count();
    let parts = [
        ("add_source", "source"),
        ("add_track", "track"),
        ("add_clip", "clip"),
    ];
    let parts = parts.map(|(op, noun)| (made(op), noun));
    let parts = parts.iter().filter(|(number, _)| *number > 0);
    let parts: Vec<_> = parts.map(|(number, noun)| count(*number, noun)).collect();
    if parts.is_empty() {
        return format!("{} in the library already", count(files, "file"));
    }
    format!("Import {}: {}", count(files, "file"), parts.join(", "))
}
