//! `tool_import_transcript`: a file of a transcript as segments of a source.

use super::{frame, micros};
use crate::follow::{self, assembled, follow};
use crate::left_out;
use crate::listen::{Audio, Found};
use crate::mel::RATE;
use crate::retranscribe::{Anew, Why};
use crate::transcribe::{Region, Stop, regions};
use crate::transcript::{
    self, Format, MOST_BYTES, Micros, Said, Times, Transcript, TranscriptError, by_ending, endings,
    listed,
};
use crate::voice::Voice;
use deskhand_dsp::{Frames, SampleRate};
use deskhand_inference::{Library, VOICE_ACTIVITY};
use deskhand_media::resampled;
use deskhand_session::intent::{Intent, Kinds};
use deskhand_session::text::count;
use deskhand_session::{Description, Fact, ObjectId, Segment, SegmentId, Session, Word};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Code, Draft, Gesture, Offers, PlanContext, Targets, ToolError, ToolSpec, Trust,
    TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

const NAME: &str = "tool_import_transcript";

/// `tool_import_transcript`.
pub(crate) struct ImportTranscript;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The path of the file.
    #[schemars(length(min = 1, max = 4096))]
    file: String,
    /// The recording: a source by id or name, or a clip of it. Times count from the start of the source.
    /// Omitted: the selection.
    #[serde(default)]
    target: Targets,
    #[schemars(description = format!("The format; omitted: by the ending ({}).", endings()))]
    format: Option<Format>,
    /// Replace existing segments of the source that differ from the file.
    #[serde(default)]
    replace: bool,
}

/// The call against the session.
pub(crate) struct Resolved {
    file: PathBuf,
    format: Format,
    region: Region,
    replace: bool,
}

impl TypedTool for ImportTranscript {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            NAME,
            "Import a transcript",
            "Imports a transcript (SRT, WebVTT, SubStation, SBV, LRC, TTML, SAMI, Whisper's JSON, or plain text \
             with times and speakers) as \
             segments of a source, with speakers and words. If the file has no word times, they are spread \
             over each phrase and its description says so. Phrases that overlap, are out of order or leave the \
             recording are joined, sorted, shortened or left out, and listed by line. Existing segments stay.",
            Category::Library,
            Trust::Suggest,
            vec![json!({"file": "/recordings/interview.srt", "target": "Interview"})],
        )
        .limit(Duration::from_secs(600))
        .reads_files()
        .command("words import", "Import a transcript: SRT, WebVTT, Whisper's JSON or timed text")
        .path("FILE", "file", "The transcript")
        .arg("--of TARGET", "target", "The recording, a clip or source (default: the only one)")
        .or("all")
        .arg("--format FORMAT", "format", "")
        .flag("--replace", "replace", true, "")
        .offers(Offers::used("\"Import a transcript…\" in Words").by(Gesture::ImportTranscript))
        .says([Intent::verbs("import | add | bring+in | read | use")
            .about("transcript | as:transcript | subtitle")
            .file("file", "srt | vtt | json | txt | ass | ssa | sbv | sub | lrc | ttml | smi")
            .named("target", "of | for | on | to", Kinds::Sound)])
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let file = PathBuf::from(&params.file);
        let bad = |message: String, fix: &str| ToolError::prepare(Code::BadParams, message, fix);
        let format = params.format.or_else(|| Format::of(&file)).ok_or_else(|| {
            if let Some((name, way_out)) = by_ending(&file) {
                return bad(format!("Deskhand does not read {name}: {:?}", params.file), way_out);
            }
            let message = format!("{:?} does not say what it is", params.file);
            let fix = "give `format`: srt, vtt, json, text, ass, sbv, lrc, ttml or smi";
            bad(message, fix)
        })?;
        let mut found = regions(session, &params.target)?;
        let first = found.remove(0);
        if found.iter().any(|other| other.source != first.source) {
            let message = "a transcript is of one recording, and several are meant".to_owned();
            return Err(bad(message, "give one source or clip as `target`"));
        }
        let frames =
            session.sources.get(&first.source).map_or(Frames::ZERO, |source| source.frames);
        let mut region = first;
        region.range = Frames::ZERO..frames;
        Ok(Resolved { file, format, region, replace: params.replace })
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        vec![call.region.source.into()]
    }

    fn outside(call: &Resolved) -> Vec<PathBuf> {
        vec![call.file.clone()]
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let bytes = file(&call.file)?;
        // Listened to once, however many phrases end with the speech.
        let mut heard = None;
        let mut speech = || match &heard {
            Some(known) => Ok(Vec::clone(known)),
            None => speech(&call, context)
                .inspect(|found| heard = Some(found.clone()))
                .map_err(Wrong::Tool),
        };
        let last = micros(call.region.range.end, context.session.rate);
        let read = transcript::read_of(&bytes, call.format, last, &mut speech);
        let transcript = read.map_err(|wrong| wrong.told(&call.file))?;
        if transcript.phrases.is_empty() {
            let message = format!("{} has no phrases", call.file.display());
            return Err(ToolError::run(Code::Media, message, "is it the right file?"));
        }
        context.check()?;
        draft(&call, context, transcript)
    }
}

/// Why a file is not read.
enum Wrong {
    File(TranscriptError),
    Tool(ToolError),
}

impl From<TranscriptError> for Wrong {
    fn from(error: TranscriptError) -> Self {
        Self::File(error)
    }
}

impl Wrong {
    fn told(self, file: &Path) -> ToolError {
        match self {
            Self::Tool(error) => error,
            Self::File(error) => {
                let message = format!("{}, {}: {}", file.display(), error.place, error.problem);
                ToolError::run(Code::Media, message, error.way_out)
            }
        }
    }
}

/// Where somebody talks in the recording; all of it where nobody is heard.
fn speech(call: &Resolved, context: &PlanContext) -> Result<Vec<Range<Micros>>, ToolError> {
    let session = &context.session;
    let reader = context.audio.source(session, call.region.source).map_err(ToolError::media)?;
    let mut reader = resampled(reader, SampleRate(RATE)).map_err(ToolError::media)?;
    let range = 0..reader.frames().index();
    let mut audio = Audio::new(reader.as_mut(), range, Vec::new());
    let library = Library::of_this_user().ok();
    let mut voice = Voice::new(library.and_then(|models| models.load(VOICE_ACTIVITY).ok()));
    let at = |sample: usize| Micros(sample as u64 * 1_000_000 / u64::from(RATE));
    let mut speech = Vec::new();
    audio.stretches::<Stop>(&mut voice, &mut |_, found| {
        if let Found::Stretch(stretch) = found {
            speech.push(at(stretch.start)..at(stretch.end));
        }
        context.check().map_err(Stop::Tool)
    })?;
    if speech.is_empty() {
        speech.push(Micros::default()..micros(call.region.range.end, session.rate));
    }
    Ok(speech)
}

/// The bytes of the file, not more than there may be.
fn file(path: &Path) -> Result<Vec<u8>, ToolError> {
    let failed = |cause: String| {
        let message = format!("{} cannot be read: {cause}", path.display());
        ToolError::run(Code::Media, message, "check the path and the permissions")
    };
    // Check the file type before opening: opening a pipe would block.
    let metadata = std::fs::metadata(path).map_err(|error| failed(error.to_string()))?;
    if !metadata.is_file() {
        return Err(failed("it is no file".into()));
    }
    let file = std::fs::File::open(path).map_err(|error| failed(error.to_string()))?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| failed(error.to_string()))?;
    Ok(bytes)
}

fn draft(
    call: &Resolved,
    context: &PlanContext,
    transcript: Transcript,
) -> Result<Draft, ToolError> {
    let session = &context.session;
    let Transcript { phrases, warnings, problems, is_timeless } = transcript;
    let segments = phrases.iter().map(|(_, said)| segment(call, session, said));
    let segments: Vec<Segment> = segments.collect();
    let times = left_out::joined(segments.iter().map(|it| it.start..it.end()).collect());
    let difference = Difference::new(call, session, segments);
    difference.may_be(call)?;
    let mut draft = Draft::default();
    let difference = difference.followed(session, &mut draft);
    draft.summary = difference.told(&call.region.name);
    write(call, context, difference, &times, &mut draft);
    draft.warnings.extend(warnings);
    draft.warnings.extend(listed(&problems));
    let is_spread = phrases.iter().any(|(_, said)| said.times == Times::Spread);
    if !draft.changes.is_empty() && is_spread && !is_timeless {
        draft
            .warnings
            .push("the file has times of phrases only; those of words are estimated".into());
    }
    Ok(draft)
}

/// Plans what the file, whose phrases are said at these times, says otherwise and what it leaves out.
fn write<'a>(
    call: &Resolved,
    context: &'a PlanContext,
    difference: Difference<'a>,
    times: &[Range<Frames>],
    draft: &mut Draft,
) {
    let (session, mut ids) = (&context.session, context.ids());
    let Difference { mut gone, new, .. } = difference;
    gone.extend(left_out::said_after_all(session, &call.region, times));
    let left = left_out::stretches(&gone, times, session.rate);
    let name = |_| call.region.name.clone();
    let why = Why { name: &name, said: "it is in the file", gone: "the file takes its place" };
    Anew::new(session, &mut ids, gone, new).plan(draft, &why);
    let file = call.file.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
    left_out::plan(draft, &mut ids, session, left, (&*file, call.region.name.as_str()));
}

/// How a file differs from the transcript. A segment in both stays, with its facts.
struct Difference<'a> {
    /// What only the session has.
    gone: Vec<(SegmentId, &'a Segment)>,
    /// What only the file has.
    new: Vec<Segment>,
    /// How many segments both have.
    same: usize,
}

impl<'a> Difference<'a> {
    fn new(call: &Resolved, session: &'a Session, file: Vec<Segment>) -> Self {
        let mut there: BTreeMap<Frames, Vec<(SegmentId, &Segment)>> = BTreeMap::new();
        for (id, segment) in call.region.segments(session) {
            there.entry(segment.start).or_default().push((id, segment));
        }
        let mut same = 0;
        let mut is_new = |one: &Segment| {
            let here = there.get_mut(&one.start);
            let found = here.and_then(|here| {
                let at = here.iter().position(|(_, other)| is_same(one, other))?;
                Some(here.swap_remove(at))
            });
            same += usize::from(found.is_some());
            found.is_none()
        };
        let new = file.into_iter().filter(|one| is_new(one)).collect();
        Self { gone: there.into_values().flatten().collect(), new, same }
    }

    /// # Errors
    /// When a transcript exists and nobody asked to replace it.
    fn may_be(&self, call: &Resolved) -> Result<(), ToolError> {
        let is_written = self.same + self.gone.len() > 0;
        if !call.replace && is_written && !(self.gone.is_empty() && self.new.is_empty()) {
            let message = format!("something is written down of {} already", call.region.name);
            let fix = "set `replace` to put the file in its place";
            return Err(ToolError::run(Code::BadParams, message, fix));
        }
        Ok(())
    }

    /// The same, but that phrases of the assembly keep their place and take the words of the file.
    fn followed(self, session: &Session, draft: &mut Draft) -> Self {
        let assembled = assembled(session);
        let (held, others): (Vec<_>, Vec<_>) =
            self.gone.into_iter().partition(|(id, _)| assembled.contains(id));
        let followed = follow(&held, self.new);
        let unheard = followed.unheard.iter().map(|(id, _)| *id).collect();
        draft.warnings.extend(follow::told(session, &unheard));
        let (mut gone, mut new) = (Vec::new(), Vec::new());
        let mut same = self.same + followed.unheard.len();
        for (id, before, now) in followed.renewed {
            if is_same(&now, before) {
                same += 1;
            } else {
                gone.push((id, before));
                new.push(now);
            }
        }
        gone.extend(others);
        new.extend(followed.rest);
        Self { gone, new, same }
    }

    fn told(&self, name: &str) -> String {
        let phrases = count(self.new.len(), "phrase");
        let mut told = match (self.new.len(), self.gone.len()) {
            (0, 0) if self.same == 1 => return format!("The phrase of {name} is here already"),
            (0, 0) => return format!("All {} phrases of {name} are here already", self.same),
            (0, gone) => {
                format!("Take out {} of {name} that the file does not have", count(gone, "segment"))
            }
            (_, 0) => format!("Import {phrases} of {name}"),
            (_, gone) => {
                format!("Import {phrases} of {name}, in place of {}", count(gone, "segment"))
            }
        };
        if self.same > 0 {
            told += &format!("; {} here already", self.same);
        }
        told
    }
}

/// Whether the same is said by the same person at the same time, whatever else is known of it.
fn is_same(one: &Segment, other: &Segment) -> bool {
    (one.length, &one.words, &one.speaker) == (other.length, &other.words, &other.speaker)
}

/// A phrase as a segment.
fn segment(call: &Resolved, session: &Session, said: &Said) -> Segment {
    let (rate, last) = (session.rate, call.region.range.end);
    let start = frame(said.start, rate).min(last - Frames(1)).max(Frames::ZERO);
    let end = frame(said.end, rate);
    let end = end.min(last).max(start + Frames(1));
    let word = |word: &transcript::TimedWord| {
        let from = frame(word.start, rate).clamp(start, end);
        let to = frame(word.end, rate).clamp(from, end);
        Word { text: word.text.clone(), start: from, end: to, confidence: word.confidence }
    };
    let mut facts = std::collections::BTreeMap::new();
    if said.times == Times::Spread {
        let fact =
            Fact { value: json!("estimated"), unit: None, confidence: None, by: NAME.into() };
        facts.insert("word_times".to_owned(), fact);
    }
    Segment {
        description: Description { facts },
        words: said.words.iter().map(word).collect(),
        speaker: said.speaker.clone(),
        ..Segment::new(call.region.source, start, end - start)
    }
}
