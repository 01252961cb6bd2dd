//! `import_audio`: files into the library, onto tracks of their own or onto one track.

mod files;
mod folder;
mod stamps;
#[cfg(test)]
mod tests;
mod together;

use crate::names::{cleaned, file_name, numbered};
use crate::source_facts::facts;
use deskhand_dsp::{Decibels, Fade, Frames, Polarity};
use deskhand_session::intent::{Intent, Slot};
use deskhand_session::text::{clock, count, subject};
use deskhand_session::track::PlacedTrack;
use deskhand_session::{
    Change, Clip, ClipId, Edit, IdSeed, ObjectId, Session, Source, SourceId, Track, TrackId,
    TrackKind,
};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::find::{self, frames};
use deskhand_toolkit::{
    Category, Code, Draft, Gesture, PlanContext, ToolError, ToolSpec, Trust, TypedTool,
};
use files::{Incoming, Known, Wanted, read_all};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use together::note_same_sound;

/// `import_audio`.
pub(crate) struct ImportAudio;

/// One file as a source, with all its channels. It is decoded a little, and hashed whole.
///
/// # Errors
/// When it cannot be used, or the run was stopped.
pub fn source_of_file(file: &str, context: &PlanContext) -> Result<Source, ToolError> {
    let read = read_all(&[file.to_owned()], &Wanted::ALL, context)?;
    let first = read.incoming.into_iter().next().map(|incoming| incoming.source);
    first.ok_or_else(|| {
        ToolError::run(Code::Media, format!("{file:?} holds nothing"), "record it again")
    })
}

/// One file or several.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Files {
    /// One path.
    One(String),
    /// Several paths.
    Many(Vec<String>),
}

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// Paths of audio files, or of folders: a folder means the audio in it.
    files: Files,
    /// Name or id of one track for all files, one after another; a new name makes the track. Omitted: one track
    /// per file.
    track: Option<String>,
    /// Start on the timeline, in seconds; omitted: 0, or after the last clip of `track`. Files on tracks of their own
    /// that were recorded at the same time, by their time stamps (BWF), keep their distance.
    #[schemars(range(min = 0.0))]
    at_s: Option<f64>,
    /// Place each file at its recording time stamp (BWF).
    #[serde(default)]
    origin: bool,
    /// Make a source and a track for each channel of a file.
    #[serde(default)]
    split_channels: bool,
    /// Audio tracks of a film to import, by number from 1. Omitted: all but silent ones.
    #[serde(default)]
    audio_tracks: Vec<u16>,
    /// Only into the library, without tracks and clips.
    #[serde(default)]
    library: bool,
}

/// Where the files go.
#[derive(Clone, Debug)]
enum Goal {
    Library,
    OwnTracks,
    OneTrack(String),
}

/// When they start.
#[derive(Clone, Copy, Debug)]
enum Start {
    /// At 0, or behind what is there.
    Next,
    At(Frames),
    Origin,
}

/// The call against the session.
pub(crate) struct Resolved {
    files: Vec<String>,
    goal: Goal,
    start: Start,
    wanted: Wanted,
}

/// Endings of files that people name when they ask for an import.
const SAID: &str = "wav | wave | bwf | w64 | rf64 | aif | aiff | aifc | caf | flac | mp3 | opus | ogg | oga | m4a | \
                    aac | mp4 | m4b | mov | mkv | webm";

impl TypedTool for ImportAudio {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "import_audio",
            "Import audio files",
            "Adds audio files, or folders of them, to the library and, unless `library` is set, as clips: each on its own track, or \
             one after another on `track`. WAV and AIFF at the session rate are used in place; other files are \
             converted into the session folder in the background and play meanwhile. A file already in the \
             library is not added again: the answer gives its id. Unusable files are skipped with a warning. \
             Each audio track of a film becomes a source on its own track; silent ones are skipped with a \
             warning. A model's call for a file outside the folders that the person opened waits until the \
             person lets it run. The answer is {sources: [{source_id, name, duration_s, sample_rate, channels, \
             clip_count, is_known}]}.",
            Category::Library,
            Trust::Suggest,
            vec![
                json!({"files": ["/recordings/host.wav", "/recordings/guest.wav"]}),
                json!({"files": "/music/bed.mp3", "track": "Music", "at_s": 12.0}),
            ],
        )
        .core()
        .reads_files()
        .command("import", "Import audio files or folders")
        .path("FILE", "files", "Audio files")
        .offers(Gesture::ImportAudio)
        .says([Intent::verbs("import | add | get | bring+in")
            .also("recording | moment")
            .files("files", SAID)
            .slot(Slot::place("at_s").preps("at"))])
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        refuse_contradictions(&params)?;
        let files = match params.files {
            Files::One(file) => vec![file],
            Files::Many(files) => files,
        };
        if files.is_empty() {
            return Err(bad("no file was given", "give the paths of audio files as `files`"));
        }
        let goal = match params.track {
            Some(name) => Goal::OneTrack(name),
            None if params.library => Goal::Library,
            None => Goal::OwnTracks,
        };
        let start = match params.at_s {
            Some(at) => Start::At(frames(at, session.rate)),
            None if params.origin => Start::Origin,
            None => Start::Next,
        };
        let wanted = Wanted { split: params.split_channels, tracks: params.audio_tracks };
        Ok(Resolved { files, goal, start, wanted })
    }

    fn targets(_: &Resolved) -> Vec<ObjectId> {
        Vec::new()
    }

    fn outside(call: &Resolved) -> Vec<PathBuf> {
        call.files.iter().map(PathBuf::from).collect()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let Known { mut incoming, files, refused } = read_all(&call.files, &call.wanted, context)?;
        if !matches!(call.goal, Goal::Library) {
            note_same_sound(&mut incoming, context)?;
        }
        let mut import = Import::new(context);
        let left_out = refused.iter().map(|why| format!("not imported: {why}"));
        import.draft.warnings.extend(left_out);
        for file in &incoming {
            let source = import.source(file);
            import.found.push(source);
        }
        match call.goal.clone() {
            Goal::Library => {}
            Goal::OwnTracks => import.own_tracks(&incoming, call.start),
            Goal::OneTrack(name) => {
                Import::refuse_several(&incoming)?;
                import.one_track(&name, &incoming, call.start)?;
            }
        }
        Ok(import.finish(&incoming, &files))
    }
}

fn bad(message: &str, fix: &str) -> ToolError {
    ToolError::prepare(Code::BadParams, message, fix)
}

fn refuse_contradictions(params: &Params) -> Result<(), ToolError> {
    let places = params.track.is_some() || params.at_s.is_some() || params.origin;
    if params.library && places {
        return Err(bad(
            "files that go only into the library have no track and no time",
            "leave out `library`, or `track`, `at_s` and `origin`",
        ));
    }
    if params.at_s.is_some() && params.origin {
        return Err(bad("a file has one place", "give `at_s` or `origin`, not both"));
    }
    if params.split_channels && params.track.is_some() {
        return Err(bad(
            "channels that are split sound at the same time, each on its own track",
            "leave out `track` or `split_channels`",
        ));
    }
    Ok(())
}

/// The plan while it grows.
struct Import<'a> {
    session: &'a Session,
    draft: Draft,
    ids: IdSeed,
    /// Source of each incoming file, with the change that adds it, if one does.
    found: Vec<Found>,
    /// Sources that this plan adds, by what makes them the same.
    added: BTreeMap<(String, String, Option<u16>), Found>,
}

#[derive(Clone)]
struct Found {
    id: SourceId,
    change: Option<String>,
}

impl<'a> Import<'a> {
    fn new(context: &'a PlanContext) -> Self {
        Self {
            session: &context.session,
            draft: Draft::default(),
            ids: context.ids(),
            found: Vec::new(),
            added: BTreeMap::new(),
        }
    }

    /// The source of a file: one of the library, one this plan adds already, or a new one.
    fn source(&mut self, file: &Incoming) -> Found {
        let source = &file.source;
        let same = |known: &Source| {
            known.hash == source.hash
                && known.path == source.path
                && known.channel == source.channel
        };
        if let Some((id, _)) = self.session.sources.iter().find(|(_, known)| same(known)) {
            return Found { id: *id, change: None };
        }
        let key = (source.hash.0.clone(), source.path.clone(), source.channel);
        if let Some(found) = self.added.get(&key) {
            return found.clone();
        }
        let id = SourceId::new(self.ids.next_bits());
        let change = Change::AddSource(Edit::create(id, source.clone()));
        let change = self.draft.change(change, source.name.clone(), file.description());
        let found = Found { id, change: Some(change) };
        self.added.insert(key, found.clone());
        found
    }

    /// A new track for each file.
    fn own_tracks(&mut self, incoming: &[Incoming], start: Start) {
        let names: Vec<String> = incoming.iter().map(Incoming::track_name).collect();
        let taken = self.session.tracks.values().map(|track| track.name.clone());
        let names = numbered(&names, &taken.collect::<Vec<_>>());
        let later = self.later(incoming, start);
        for (index, ((file, name), later)) in incoming.iter().zip(names).zip(later).enumerate() {
            let position = self.position(file, start, Frames::ZERO) + file.offset + later;
            let (track, change) = self.add_track(name, index);
            self.add_clip(index, file, track, position, Some(change));
        }
    }

    /// How much later than the first each file begins, by their time stamps, where they were recorded at the same time
    /// and no place is given.
    fn later(&mut self, incoming: &[Incoming], start: Start) -> Vec<Frames> {
        let Start::Next = start else {
            return vec![Frames::ZERO; incoming.len()];
        };
        let files = incoming.iter().map(|file| (file.source.origin, file.source.frames));
        let later = stamps::offsets(&files.collect::<Vec<_>>());
        if later.iter().flatten().any(|later| *later > Frames::ZERO) {
            self.draft.warnings.push(
                "The files were recorded at the same time and begin at their time stamps. To start all of them \
                 together, set `at_s` to 0"
                    .into(),
            );
        }
        later.into_iter().map(Option::unwrap_or_default).collect()
    }

    /// Refuses to put audio tracks that sound at the same time one after another.
    fn refuse_several(incoming: &[Incoming]) -> Result<(), ToolError> {
        let several = |pair: &&[Incoming]| match pair {
            [one, next] => next.is_one_of_several() && one.source.path == next.source.path,
            _ => false,
        };
        let Some([file, ..]) = incoming.windows(2).find(several) else {
            return Ok(());
        };
        let message = format!("{} has audio tracks that sound at the same time", file.shown());
        let fix = "leave out `track`, so that each gets a track of its own, or choose one by `audio_tracks`";
        Err(ToolError::run(Code::BadParams, message, fix))
    }

    /// All files on one track, which is made when there is none of that name.
    fn one_track(
        &mut self,
        name: &str,
        incoming: &[Incoming],
        start: Start,
    ) -> Result<(), ToolError> {
        let exists = name.parse::<TrackId>().is_ok()
            || self.session.tracks.values().any(|track| track.name.eq_ignore_ascii_case(name));
        let (track, change, mut next) = if exists {
            let id = find::track(self.session, name)?;
            self.refuse_bus(id)?;
            let clips = self.session.clips_on(id);
            let end = clips.iter().map(|(_, clip)| clip.end()).max();
            (id, None, end.unwrap_or(Frames::ZERO))
        } else {
            let (id, change) = self.add_track(name.to_owned(), 0);
            (id, Some(change), Frames::ZERO)
        };
        if let Start::At(at) = start {
            next = at;
        }
        for (index, file) in incoming.iter().enumerate() {
            let position = match start {
                Start::Origin => self.position(file, start, next),
                Start::Next | Start::At(_) => next,
            };
            self.add_clip(index, file, track, position, change.clone());
            next = position + file.source.frames;
        }
        Ok(())
    }

    fn refuse_bus(&self, id: TrackId) -> Result<(), ToolError> {
        match self.session.tracks.get(&id) {
            Some(track) if track.kind == TrackKind::Bus => {
                let message = format!("\"{}\" is a bus and has no clips", track.name);
                let fix = "name an audio track, or a new one";
                Err(ToolError::run(Code::BadParams, message, fix))
            }
            _ => Ok(()),
        }
    }

    fn position(&mut self, file: &Incoming, start: Start, next: Frames) -> Frames {
        match start {
            Start::Next => next,
            Start::At(at) => at,
            Start::Origin => file.source.origin.unwrap_or_else(|| {
                let shown = file.shown();
                let warning = format!("{shown} has no time stamp and is placed at 0");
                self.draft.warnings.push(warning);
                Frames::ZERO
            }),
        }
    }

    fn add_track(&mut self, name: String, offset: usize) -> (TrackId, String) {
        let id = TrackId::new(self.ids.next_bits());
        let index = self.session.track_order.len() + offset;
        let track = Track::audio(name.clone());
        let change = Change::AddTrack(Edit::create(id, PlacedTrack { index, track }));
        (id, self.draft.change(change, name, "a track for the file"))
    }

    fn add_clip(
        &mut self,
        index: usize,
        file: &Incoming,
        track: TrackId,
        position: Frames,
        track_change: Option<String>,
    ) {
        let Some(found) = self.found.get(index).cloned() else {
            return;
        };
        let name = cleaned(&file.source.name);
        let clip = Clip {
            name: file.source.name.clone(),
            track,
            source: found.id,
            start: Frames::ZERO,
            length: file.source.frames,
            position,
            gain: Decibels::UNITY,
            fade_in: Fade::default(),
            fade_out: Fade::default(),
            envelope: Vec::new(),
            polarity: Polarity::Normal,
            mute: false,
        };
        let reason = format!("at {}", clock(position, self.session.rate));
        let needs: Vec<String> = found.change.into_iter().chain(track_change).collect();
        let id = ClipId::new(self.ids.next_bits());
        self.draft.dependent(Change::AddClip(Edit::create(id, clip)), name, reason, needs);
    }

    fn finish(mut self, incoming: &[Incoming], files: &[String]) -> Draft {
        let warnings = incoming.iter().flat_map(Incoming::warnings);
        self.draft.warnings.extend(warnings);
        self.draft.answer = Some(self.answer(incoming));
        let known = self.found.iter().filter(|found| found.change.is_none()).count();
        let known = if known > 0 {
            format!("; {} in the library already", count(known, "source"))
        } else {
            String::new()
        };
        self.draft.summary = if self.draft.changes.is_empty() {
            format!("Nothing to change{known}")
        } else {
            let files: Vec<String> = files.iter().map(|path| file_name(path).into()).collect();
            format!("Import {}{known}", subject(&files, "file"))
        };
        self.draft
    }

    /// What the caller may want to go on with: each source once, as it is when the plan is applied.
    fn answer(&self, incoming: &[Incoming]) -> Value {
        let mut told = BTreeSet::new();
        let pairs = self.found.iter().zip(incoming).filter(|(found, _)| told.insert(found.id));
        let one = |(found, file): (&Found, &Incoming)| {
            let source = self.session.sources.get(&found.id).unwrap_or(&file.source);
            let mut fields = facts(found.id, source, self.session.rate, self.clips_of(found.id));
            fields.insert("is_known".into(), json!(found.change.is_none()));
            Value::Object(fields)
        };
        json!({"sources": pairs.map(one).collect::<Vec<_>>()})
    }

    fn clips_of(&self, source: SourceId) -> usize {
        let added = self.draft.changes.iter().filter_map(|planned| {
            if let Change::AddClip(edit) = &planned.change { edit.after.as_ref() } else { None }
        });
        self.session.clips.values().chain(added).filter(|clip| clip.source == source).count()
    }
}
