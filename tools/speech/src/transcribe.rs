//! `tool_transcribe`: the words in clips or sources, as segments.

mod confidence;
mod corrected;
mod plan;
mod progress;
mod region;
mod says;
#[cfg(test)]
mod tests;

pub(crate) use region::{Region, regions, spoken_in};

use crate::left_out;
use crate::listen::{
    Audio, EXAMPLE, Kept, ListenError, Listener, News, Phrase, Reason, SHORTEST, Wording,
};
use crate::mel::RATE;
use crate::service::{self, Order, Service, ServiceError};
use crate::voice::Voice;
use confidence::Tongues;
use deskhand_dsp::{Frames, SampleRate};
use deskhand_inference::{
    DEFAULT_TRANSCRIPTION, Library, LoadWhisperError, Network, VOICE_ACTIVITY, Whisper,
};
use deskhand_media::resampled;
use deskhand_session::{Description, Fact, ObjectId, Provisional, Segment, Session, Word};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Code, Draft, Estimate, Gesture, Offers, PlanContext, Targets, ToolEffect, ToolError,
    ToolSpec, Trust, TypedTool, program,
};
use plan::draft;
use progress::Written;
use region::joined;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

const NAME: &str = "tool_transcribe";
/// Models of transcription, the one that knows more first.
const BEST_FIRST: [&str; 2] = ["whisper-base", DEFAULT_TRANSCRIPTION];
/// Hours of speech take a while.
const LIMIT: Duration = Duration::from_secs(24 * 3600);
/// Seconds of audio that are written down in a second, roughly.
const SPEED: f64 = 8.0;

/// `tool_transcribe`.
pub(crate) struct Transcribe;

/// Whether to replace existing transcripts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Known {
    /// Existing transcripts stay and are not heard again; a stopped run continues.
    #[default]
    Keep,
    /// Existing segments are replaced; the plan waits for the person.
    Replace,
}

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// Clips, or sources by id ("src_…") or name. A clip means the region of its source that it plays. Omitted:
    /// the selection, else all that is heard.
    #[serde(default = "Targets::heard")]
    targets: Targets,
    /// The spoken language, such as "en" or "de"; omitted: detected.
    language: Option<String>,
    /// An installed model; omitted: whisper-base, else whisper-tiny. "service" sends the sound to the person's
    /// configured transcription service.
    model: Option<String>,
    /// Whether to keep or replace existing transcripts.
    #[serde(default)]
    known: Known,
    /// Transcribe every "um" and "uh" too, for tool_tighten to cut; else most are left out.
    #[serde(default)]
    verbatim: bool,
}

/// The call against the session.
pub(crate) struct Resolved {
    regions: Vec<Region>,
    language: Option<String>,
    model: String,
    known: Known,
    /// Whether an existing transcript is replaced.
    replaces: bool,
    wording: Wording,
}

/// What hears.
pub(crate) struct Ears {
    mind: Mind,
    voice: Option<Arc<dyn Network>>,
}

/// What understands.
enum Mind {
    /// A network here, and the hash of its file.
    Whisper(Arc<Whisper>, String),
    /// A service somewhere.
    Service(Service),
}

impl Mind {
    fn tongues(&self) -> Tongues {
        match self {
            Self::Whisper(whisper, _) if whisper.vocabulary.languages.is_empty() => {
                Tongues::English
            }
            Self::Whisper(..) | Self::Service(_) => Tongues::Many,
        }
    }
}

impl TypedTool for Transcribe {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            NAME,
            "Transcribe",
            "Transcribes the speech of clips or sources: segments of the source, one per phrase, with words, \
             times and confidence. Several recordings are done one after another. Phrases show as they are \
             recognized; if cancelled, they stay. Existing transcripts are kept and not heard again, unless \
             `known` is \"replace\", which waits for the person's yes; phrases of an assembly keep their place \
             and get the new words. Needs an installed model: `deskhand models install whisper-tiny` \
             (English), or with `model` \"service\" the person's configured transcription service.",
            Category::Library,
            Trust::Notify,
            vec![
                json!({"targets": "Interview*"}),
                json!({"targets": ["src_00000000a001"], "language": "en", "known": "replace"}),
            ],
        )
        .limit(LIMIT)
        .effects([ToolEffect::SendsSound, ToolEffect::Listens])
        .command("transcribe", "Transcribe the speech in recordings")
        .arg("--language CODE", "language", "")
        .arg("--model NAME", "model", "An installed model (default: whisper-base or whisper-tiny)")
        .flag("--again", "known", "replace", "Transcribe again and replace existing transcripts")
        .flag("--verbatim", "verbatim", true, "Keep every \"um\" and \"uh\", so that you can cut them")
        .offers(Offers::said("transcribe everything").by(Gesture::Transcribe))
        .says(says::says())
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let regions = to_hear(regions(session, &params.targets)?, params.known, session);
        let model = params.model.unwrap_or_else(usual);
        let wording = if params.verbatim { Wording::Verbatim } else { Wording::Clean };
        let is_written = |it: &Region| !written_down(it, Known::Keep, session).is_empty();
        let is_there = regions.iter().any(is_written);
        let (language, known) = (params.language, params.known);
        let replaces = known == Known::Replace && is_there;
        Ok(Resolved { regions, language, model, known, replaces, wording })
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.regions.iter().map(|region| region.source.into()).collect()
    }

    fn estimate(call: &Resolved, session: &Session) -> Estimate {
        let seconds = |region: &Region| region.length().seconds(session.rate).0;
        Estimate { seconds: call.regions.iter().map(seconds).sum::<f64>() / SPEED, bytes: 0 }
    }

    /// Sending audio to a service needs permission first. A replaced transcript waits for approval, because
    /// somebody may have corrected it.
    fn trust(call: &Resolved) -> Option<Trust> {
        match (call.model == service::MODEL, call.replaces) {
            (true, _) => Some(Trust::Require),
            (false, true) => Some(Trust::Suggest),
            (false, false) => None,
        }
    }

    /// A service on this machine does not count as network.
    fn network(call: &Resolved) -> program::Network {
        let is_here = || Service::of_this_user().is_ok_and(|service| service.is_here());
        match call.model == service::MODEL && !is_here() {
            true => program::Network::Open,
            false => program::Network::Closed,
        }
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let ears = ears(&call.model)?;
        transcribe(&call, &ears, context)
    }
}

/// The regions to listen to. Regions that touch are joined. When a transcript is replaced, a region grows
/// to include all of a phrase that a cut goes through.
fn to_hear(regions: Vec<Region>, known: Known, session: &Session) -> Vec<Region> {
    let regions = joined(regions);
    match known {
        Known::Keep => regions,
        Known::Replace => joined(regions.iter().map(|region| region.widened(session)).collect()),
    }
}

/// The default model: an installed one, preferably one that knows more languages.
fn usual() -> String {
    let library = Library::of_this_user().ok();
    let is_installed = |id: &&str| library.as_ref().is_some_and(|models| models.find(id).is_ok());
    BEST_FIRST.into_iter().find(is_installed).unwrap_or(DEFAULT_TRANSCRIPTION).to_owned()
}

/// The models, from this user's library.
fn ears(model: &str) -> Result<Ears, ToolError> {
    let library = Library::of_this_user().map_err(|error| missing(&error))?;
    // Without Silero the voice activity that is built in does.
    let voice = library.load(VOICE_ACTIVITY).ok();
    if model == service::MODEL {
        let service = Service::of_this_user().map_err(Stop::from)?;
        return Ok(Ears { mind: Mind::Service(service), voice });
    }
    let whisper = library.whisper(model).map_err(|error| match &error {
        LoadWhisperError::Library(error) => missing(error),
        LoadWhisperError::Kind { .. } | LoadWhisperError::Load { .. } => missing(&error),
    })?;
    let file = library.find(model).map_err(|error| missing(&error))?.record.sha256;
    Ok(Ears { mind: Mind::Whisper(whisper, file), voice })
}

pub(crate) fn missing(error: &dyn std::fmt::Display) -> ToolError {
    let fix = "a person installs models; `deskhand models list` shows what there is";
    ToolError::run(Code::Refused, error.to_string(), fix)
}

/// Why a region was not finished.
pub(crate) enum Stop {
    Tool(ToolError),
    Listen(ListenError),
    Service(ServiceError),
}

impl From<ListenError> for Stop {
    fn from(error: ListenError) -> Self {
        Self::Listen(error)
    }
}

impl From<ServiceError> for Stop {
    fn from(error: ServiceError) -> Self {
        Self::Service(error)
    }
}

impl From<Stop> for ToolError {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Tool(error) => error,
            Stop::Listen(ListenError::Read(error)) => Self::media(error),
            Stop::Listen(error @ ListenError::Language { .. }) => Self::run(
                Code::BadParams,
                error.to_string(),
                "omit `language`, name one of these, or use a model that knows it: `deskhand models install \
                 whisper-base` (99 languages)",
            ),
            Stop::Listen(error @ ListenError::Run(_)) => Self::run(
                Code::Refused,
                error.to_string(),
                "`deskhand models verify whisper-tiny` checks the model",
            ),
            Stop::Service(error) => Self::run(
                Code::Refused,
                error.to_string(),
                "omit `model` to use the installed one, or ask the person to check [transcription]",
            ),
        }
    }
}

pub(crate) fn transcribe(
    call: &Resolved,
    ears: &Ears,
    context: &PlanContext,
) -> Result<Draft, ToolError> {
    let mut written = Written { tongues: ears.mind.tongues(), ..Written::default() };
    let all: f64 = call.regions.iter().map(|region| region.length().0 as f64).sum();
    let mut done = 0.0;
    for region in &call.regions {
        written.regions += 1;
        (written.heard, written.is_known) = (region.range.start, false);
        let share = region.length().0 as f64 / all.max(1.0);
        listen(call, ears, context, region, &mut written, (done, share))?;
        // Of a recording that ends between two samples of the model, too.
        written.heard = region.range.end;
        done = (done + share).min(1.0);
    }
    Ok(draft(call, context, &written))
}

fn listen(
    call: &Resolved,
    ears: &Ears,
    context: &PlanContext,
    region: &Region,
    written: &mut Written,
    (done, share): (f64, f64),
) -> Result<(), ToolError> {
    let session = &context.session;
    let reader = context.audio.source(session, region.source).map_err(ToolError::media)?;
    let mut reader = resampled(reader, SampleRate(RATE)).map_err(ToolError::media)?;
    let range = samples(&region.range, session.rate);
    let known = written_down(region, call.known, session);
    let known = known.iter().map(|known| samples(known, session.rate)).collect();
    let end = range.end.min(reader.frames().index());
    let range = range.start.min(end)..end;
    let (start, length) = (range.start, range.len().max(1));
    let mut audio = Audio::new(reader.as_mut(), range, known);
    let mut told = |news: Option<News>| {
        let at = match &news {
            Some(News::Heard(at) | News::Known(at) | News::Listens(at)) => Some(*at),
            _ => None,
        };
        news.into_iter().for_each(|news| take(call, context, region, written, news));
        if let Some(at) = at {
            let heard = at.saturating_sub(start) as f64 / length as f64;
            let label = written.label(region, session.rate);
            context.progress.report((done + share * heard).min(1.0), &label);
        }
        *context.finished.lock() = written.finished();
        context.check().map_err(Stop::Tool)
    };
    hear(call, ears, context, region, &mut audio, &mut told)?;
    context.note_phase(region.source.into(), audio.phase());
    Ok(())
}

/// Has a region listened to by what understands.
fn hear(
    call: &Resolved,
    ears: &Ears,
    context: &PlanContext,
    region: &Region,
    audio: &mut Audio<'_>,
    told: &mut dyn FnMut(Option<News>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let mut voice = Voice::new(ears.voice.clone());
    let language = call.language.clone();
    match &ears.mind {
        Mind::Service(service) => {
            let kept = kept(call, context, region, &service.name());
            let example = (call.wording == Wording::Verbatim).then_some(EXAMPLE);
            let again = call.known == Known::Replace;
            let order = Order { service, language: language.as_deref(), example, kept, again };
            service::listen(&order, audio, &mut voice, told)
        }
        Mind::Whisper(whisper, file) => {
            let kept = kept(call, context, region, file);
            let (whisper, wording) = (whisper.as_ref(), call.wording);
            let listener = Listener { whisper, voice, language, wording, kept };
            listener.listen(audio, told)
        }
    }
}

/// The parts of a region that are not heard again, in order: transcribed ones, and those that an imported
/// transcript left out.
fn written_down(region: &Region, known: Known, session: &Session) -> Vec<Range<Frames>> {
    match known {
        Known::Keep => {
            let all = region.touched(session).chain(left_out::of(session, region));
            let mut all: Vec<_> = all.map(|(_, it)| it.start..it.end()).collect();
            all.sort_by_key(|known| (known.start, known.end));
            all
        }
        Known::Replace => Vec::new(),
    }
}

/// Where understood parts of a region's source are kept.
fn kept(call: &Resolved, context: &PlanContext, region: &Region, model: &str) -> Option<Kept> {
    let source = context.session.sources.get(&region.source)?;
    let how = (model, call.language.as_deref(), call.wording);
    let of = (&source.hash, source.channel, context.session.rate, how);
    Some(Kept::new(Arc::clone(&context.cache), &of))
}

fn take(
    call: &Resolved,
    context: &PlanContext,
    region: &Region,
    written: &mut Written,
    news: News,
) {
    match news {
        News::Heard(at) => written.heard = frames(at, context.session.rate),
        News::Known(at) => {
            (written.heard, written.is_known) = (frames(at, context.session.rate), true);
        }
        News::Listens(at) => {
            if std::mem::take(&mut written.is_known) {
                written.goes_on.push((written.regions, frames(at, context.session.rate)));
            }
        }
        News::LeftOut(range, reason) => {
            written.left_out.push(left_out(&range, reason, &region.name));
        }
        News::Phrase(phrase) => keep(call, context, region, written, &phrase),
    }
}

/// Adds a phrase, and shows it.
fn keep(
    call: &Resolved,
    context: &PlanContext,
    region: &Region,
    written: &mut Written,
    phrase: &Phrase,
) {
    let session = &context.session;
    let Some(segment) = segment(phrase, region, session) else { return };
    let label: Vec<&str> = segment.words.iter().map(|word| word.text.as_str()).collect();
    let shown = Provisional {
        target: region.shown_on,
        position: region.on_timeline(segment.start),
        length: segment.length,
        label: label.join(" "),
    };
    written.heard = written.heard.max(segment.end());
    written.segments.push(segment);
    context.provisional(&[shown], &mut || draft(call, context, written));
}

fn left_out(range: &Range<usize>, reason: Reason, name: &str) -> String {
    let at = |sample: usize| sample as f64 / f64::from(RATE);
    let why = match reason {
        Reason::Silence => "the model takes it for silence",
        Reason::Repetition => "the model only repeated itself",
    };
    format!("{name}, {:.1} to {:.1} s was left out: {why}", at(range.start), at(range.end))
}

/// A phrase as a segment of its source; `None` if none of it is in the source.
fn segment(phrase: &Phrase, region: &Region, session: &Session) -> Option<Segment> {
    let last = session.sources.get(&region.source)?.frames;
    let at = |sample: usize| frames(sample, session.rate).min(last);
    let least = shortest(session.rate).min(last);
    let start = at(phrase.range.start).min(last - least);
    let end = at(phrase.range.end).max(start + least);
    let mut words: Vec<Word> = Vec::new();
    for word in &phrase.words {
        let from = words.last().map_or(start, |word| word.start);
        let begin = at(word.range.start).clamp(from, end);
        words.push(Word {
            text: word.text.clone(),
            start: begin,
            end: at(word.range.end).clamp(begin, end),
            confidence: word.confidence.map(|share| (share * 1e3).round() / 1e3),
        });
    }
    let language =
        Fact { value: json!(phrase.language), unit: None, confidence: None, by: NAME.into() };
    let mut facts = BTreeMap::from([("language".to_owned(), language)]);
    if phrase.is_spread {
        let value = json!("estimated");
        let fact = Fact { value, unit: None, confidence: None, by: NAME.into() };
        facts.insert("word_times".to_owned(), fact);
    }
    let description = Description { facts };
    Some(Segment { description, words, ..Segment::new(region.source, start, end - start) })
}

/// Frames at `rate` as samples at 16 kHz.
pub(crate) fn samples(range: &Range<Frames>, rate: SampleRate) -> Range<usize> {
    let at = |frames: Frames| {
        let at = i128::from(frames.0) * i128::from(RATE) / i128::from(rate.0.max(1));
        usize::try_from(at).unwrap_or(0)
    };
    at(range.start)..at(range.end)
}

/// A sample at 16 kHz as frames at `rate`.
pub(crate) fn frames(sample: usize, rate: SampleRate) -> Frames {
    let at = sample as u128 * u128::from(rate.0) / u128::from(RATE);
    Frames(i64::try_from(at).unwrap_or(i64::MAX))
}

/// The shortest segment that is written: files with milliseconds cannot express shorter ones.
fn shortest(rate: SampleRate) -> Frames {
    frames(SHORTEST, rate).max(Frames(1))
}
