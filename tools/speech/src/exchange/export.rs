//! `tool_export_transcript`: the transcript of clips or sources, as a file.

use super::micros;
use super::played_parts::{Span, spans};
use crate::transcribe::{Region, regions, spoken_in};
use crate::transcript::{self, LEAST, Micros, Place, Said, TimedWord, Times, Written, apart};
use crate::without_words;
use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::intent::{Intent, Kinds, TextKind};
use deskhand_session::text::count;
use deskhand_session::{ObjectId, Segment, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::files::{next_free, place, write_new};
use deskhand_toolkit::{
    Category, Code, Draft, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::path::Path;
use std::time::Duration;

/// `tool_export_transcript`.
pub(crate) struct ExportTranscript;

/// The zero of the times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum From {
    /// The start of the source, for one recording.
    Source,
    /// The start of the timeline, for the words that clips play.
    Timeline,
}

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The file to write, .srt, .vtt, .json or .txt; it must not exist. A relative path starts at the session's
    /// parent folder.
    #[schemars(length(min = 5, max = 4096))]
    path: String,
    /// If `path` exists, write to the next free name, such as talk-2.srt; omitted: refuse.
    #[serde(default)]
    or_next_free: bool,
    /// Clips or sources. Omitted: the selection.
    #[serde(default)]
    targets: Targets,
    /// The zero of the times.
    #[serde(default)]
    #[schemars(with = "From")]
    from: Option<From>,
    /// Whether to write speaker names; omitted: yes.
    #[serde(default = "yes")]
    speakers: bool,
}

fn yes() -> bool {
    true
}

/// The call against the session.
pub(crate) struct Resolved {
    path: String,
    or_next_free: bool,
    format: Written,
    heard: Heard,
    speakers: bool,
}

/// The content to write.
enum Heard {
    /// The words in regions of a source.
    Source(Vec<Region>),
    /// What clips play.
    Timeline(Vec<Span>),
}

impl Heard {
    /// # Errors
    /// When there are no words in it, of these regions.
    fn may_be_written(&self, session: &Session, regions: &[Region]) -> Result<(), ToolError> {
        let none = |message: &str, fix: &str| Err(ToolError::prepare(Code::NoTarget, message, fix));
        let has_words = match self {
            Self::Source(regions) => own(regions, session).next().is_some(),
            Self::Timeline(spans) => spans.iter().any(|it| it.said(session).next().is_some()),
        };
        match self {
            _ if has_words => Ok(()),
            Self::Timeline(spans) if spans.is_empty() => {
                none("no clip plays it", "set `from` to source, or lay it on a track")
            }
            Self::Timeline(_) if is_any_written(regions, session) => none(
                "nothing is written down there that is played",
                "transcribe it first: tool_transcribe, or set `from` to source",
            ),
            Self::Timeline(_) | Self::Source(_) => Err(without_words::refusal(session, regions)),
        }
    }
}

/// How people ask for it: all that is written down, if nothing is named.
fn says() -> Vec<Intent> {
    let give = "export | save | make | create | give | get | want";
    let format = |intent: Intent| {
        intent
            .flag("srt", "path", "transcript.srt")
            .flag("vtt", "path", "transcript.vtt")
            .flag("json", "path", "transcript.json")
            .flag("without speakers", "speakers", false)
            .also("file")
            .on(Kinds::Sound)
            .or_all()
    };
    let by_usual_name = |intent: Intent| {
        let intent = format(intent).said("path", "to | as | called", TextKind::Stem);
        intent.sets("or_next_free", true)
    };
    let text = |intent: Intent| intent.flag("text", "path", "transcript.txt");
    let words = Intent::verbs(give).about("transcript | subtitle");
    vec![
        by_usual_name(text(Intent::verbs("export | save").about("transcript")).flag(
            "subtitle",
            "path",
            "transcript.srt",
        ))
        .sets("path", "transcript.txt"),
        by_usual_name(Intent::verbs(give).about("subtitle").also("transcript"))
            .sets("path", "transcript.srt"),
        by_usual_name(Intent::verbs(give).also("subtitle | with:subtitle | transcript"))
            .needs("path"),
        by_usual_name(Intent::verbs("subtitle")).sets("path", "transcript.srt"),
        format(words).file("path", "srt | vtt | json | txt"),
    ]
}

impl TypedTool for ExportTranscript {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_export_transcript",
            "Export a transcript",
            "Writes the transcripts of clips or sources as SRT, WebVTT, Whisper's JSON (with the times of \
             words) or plain text with speakers. Writes outside the session, so a model's call waits until the \
             person lets it run. Returns {path, phrases, words}.",
            Category::Library,
            Trust::Require,
            vec![json!({"path": "interview.srt", "targets": "Interview"})],
        )
        .limit(Duration::from_secs(600))
        .writes_files()
        .command("words export", "Export transcripts to a file: SRT, WebVTT, Whisper's JSON or text")
        .path("FILE", "path", "The file, ending in .srt, .vtt, .json or .txt")
        .arg("[TARGETS...]", "targets", "Clips or sources (default: all clips)")
        .or("all")
        .arg("--from FROM", "from", "Where times count from (default: source; timeline for several)")
        .flag("--no-speakers", "speakers", false, "Leave out the names of speakers")
        .says(says())
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let bad = |message: String, fix: &str| ToolError::prepare(Code::BadParams, message, fix);
        let format = Written::of(Path::new(&params.path)).ok_or_else(|| {
            let message = format!("{:?} does not say what to write", params.path);
            bad(message, "let `path` end in .srt, .vtt, .json or .txt")
        })?;
        let regions = regions(session, &params.targets)?;
        let several =
            regions.iter().any(|region| Some(region.source) != regions.first().map(|r| r.source));
        let from = params.from.unwrap_or(if several { From::Timeline } else { From::Source });
        if several && from == From::Source {
            let message = "several recordings have no common start".to_owned();
            return Err(bad(message, "export one at a time, or set `from` to timeline"));
        }
        let heard = match from {
            From::Source => Heard::Source(regions.clone()),
            From::Timeline => Heard::Timeline(spans(&params.targets, session)),
        };
        heard.may_be_written(session, &regions)?;
        let Params { path, or_next_free, speakers, .. } = params;
        Ok(Resolved { path, or_next_free, format, heard, speakers })
    }

    fn targets(_: &Resolved) -> Vec<ObjectId> {
        Vec::new()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let said = said(&call, &context.session);
        let before = said.len();
        let (said, _) = apart(said.into_iter().map(|one| (Place::default(), one)).collect());
        let said: Vec<Said> = said.into_iter().map(|(_, one)| one).collect();
        let joined = before - said.len();
        let path = place(context, &call.path);
        let path = if call.or_next_free { next_free(path) } else { path };
        write_new(&path, transcript::write(&said, call.format).as_bytes())?;
        let words: usize = said.iter().map(|one| one.words.len()).sum();
        let mut draft = Draft::new(format!("Wrote {} phrases to {}", said.len(), path.display()));
        if joined > 0 {
            draft.warnings.push(format!(
                "{} said at once with another of the same speaker, or of nobody by name, and written as one with it; \
                 name the speakers: tool_mark_speakers",
                count(joined, "phrase")
            ));
        }
        draft.answer = Some(json!({
            "path": path.to_string_lossy(), "phrases": said.len(), "words": words,
        }));
        Ok(draft)
    }
}

/// Whether something is written down of the recordings of regions, wherever in them.
fn is_any_written(regions: &[Region], session: &Session) -> bool {
    let is_of = |it: &Segment| regions.iter().any(|region| region.source == it.source);
    session.segments.values().any(|it| !it.words.is_empty() && is_of(it))
}

/// The segments in regions, without bleed.
fn own<'a>(
    regions: &[Region],
    session: &'a Session,
) -> impl Iterator<Item = &'a Segment> + use<'a> {
    let segments = spoken_in(regions, session).into_iter().map(|(.., segment)| segment);
    segments.filter(|segment| !segment.is_bleed())
}

/// The phrases in order of time.
fn said(call: &Resolved, session: &Session) -> Vec<Said> {
    let one = |segment: &Segment, later| one(segment, later, session.rate, call.speakers);
    let mut said: Vec<Said> = match &call.heard {
        Heard::Source(regions) => {
            own(regions, session).map(|segment| one(segment, Frames::ZERO)).collect()
        }
        Heard::Timeline(spans) => {
            let said = |span: &Span| {
                let later = span.later;
                span.said(session).map(|segment| one(&segment, later)).collect::<Vec<_>>()
            };
            spans.iter().flat_map(said).collect()
        }
    };
    said.sort_by_key(|one| (one.start, one.end));
    said
}

fn one(segment: &Segment, moved: Frames, rate: SampleRate, speakers: bool) -> Said {
    let at = |frame: Frames| micros((frame + moved).max(Frames::ZERO), rate);
    let start = at(segment.start);
    let word = |word: &deskhand_session::Word| TimedWord {
        text: word.text.clone(),
        start: at(word.start),
        end: at(word.end),
        confidence: word.confidence,
    };
    let is_spread = segment.description.facts.contains_key("word_times");
    Said {
        start,
        end: at(segment.end()).max(Micros(start.0 + LEAST)),
        speaker: segment.speaker.clone().filter(|_| speakers),
        words: segment.words.iter().map(word).collect(),
        times: if is_spread { Times::Spread } else { Times::Given },
    }
}
