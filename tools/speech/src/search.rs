//! `tool_search_transcript`: where words are said, also when they were misheard a little.

#[cfg(test)]
mod tests;

use crate::spec::spec;
use crate::transcribe::regions;
use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::{ObjectId, Segment, SegmentId, Session, SourceId, Word};
use deskhand_toolkit::{
    Category, Code, Draft, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;

/// Words alike by so much are taken for each other: 1 is the same.
const ALIKE: f64 = 0.75;
/// The most places that are returned, the best first.
const MOST: usize = 100;
/// Words that are shown ahead of and behind a place.
const AROUND: usize = 6;

/// `tool_search_transcript`.
pub(crate) struct SearchTranscript;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The words, in their order; case and punctuation do not count.
    #[schemars(length(min = 1, max = 500))]
    query: String,
    /// Where: clips or sources; omitted: all that is written down.
    targets: Option<Targets>,
}

/// The call against the session.
pub(crate) struct Resolved {
    query: Vec<String>,
    segments: Vec<SegmentId>,
}

/// A place where the words are said.
struct Place<'a> {
    /// How alike, up to 1.
    score: f64,
    segment: SegmentId,
    source: SourceId,
    words: &'a [(SegmentId, &'a Word)],
    around: String,
}

impl TypedTool for SearchTranscript {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        spec(
            "tool_search_transcript",
            "Search what is said",
            "Finds where words are said in transcripts, also with small mistakes (\"Dashwod\" finds \
             Dashwood). Returns {count, places: [{score, segment_id, source_id, source, start_s, end_s, \
             timeline_s, text}]}, the best first, at most 100; times are of the source, timeline_s where a \
             clip plays it.",
            (Category::Navigate, Trust::Autonomous),
            vec![json!({"query": "how much there might be"})],
            Duration::from_secs(60),
        )
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let query: Vec<String> = params.query.split_whitespace().map(plain).collect();
        let query: Vec<String> = query.into_iter().filter(|word| !word.is_empty()).collect();
        if query.is_empty() {
            let message = format!("{:?} holds no words", params.query);
            return Err(ToolError::prepare(Code::BadParams, message, "give a word or more"));
        }
        let mut segments: Vec<(SegmentId, &Segment)> = match params.targets {
            Some(targets) => {
                let regions = regions(session, &targets)?;
                regions.iter().flat_map(|region| region.segments(session)).collect()
            }
            None => session.segments.iter().map(|(id, segment)| (*id, segment)).collect(),
        };
        segments.sort_by_key(|(id, segment)| (segment.source, segment.start, *id));
        Ok(Resolved { query, segments: segments.into_iter().map(|(id, _)| id).collect() })
    }

    fn targets(_: &Resolved) -> Vec<ObjectId> {
        Vec::new()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let session = &context.session;
        let segments = call.segments.iter().filter_map(|id| Some((*id, session.segments.get(id)?)));
        let words: Vec<(SegmentId, &Word)> =
            segments.flat_map(|(id, one)| one.words.iter().map(move |word| (id, word))).collect();
        let texts: Vec<String> = words.iter().map(|(_, word)| plain(&word.text)).collect();
        let mut places = Vec::new();
        for (at, found) in texts.windows(call.query.len()).enumerate() {
            if at % 4096 == 0 {
                context.check()?;
            }
            let Some(score) = alike(found, &call.query) else { continue };
            places.extend(place(session, &words, at..at + call.query.len(), score));
        }
        let count = places.len();
        // Equal scores stay in the order of time.
        places.sort_by(|a, b| b.score.total_cmp(&a.score));
        places.truncate(MOST);
        let mut draft = Draft::new(match count {
            0 => "It is not said anywhere".to_owned(),
            1 => "It is said once".to_owned(),
            count => format!("It is said {count} times"),
        });
        let places: Vec<Value> = places.iter().map(|place| told(session, place)).collect();
        draft.answer = Some(json!({"count": count, "places": places}));
        Ok(draft)
    }
}

/// A word without case and punctuation.
fn plain(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// How alike words are to those of a query; `None` when one of them is another word.
fn alike(found: &[String], query: &[String]) -> Option<f64> {
    let mut sum = 0.0;
    for (have, want) in found.iter().zip(query) {
        let score = if have == want { 1.0 } else { likeness(have, want) };
        if score < ALIKE {
            return None;
        }
        sum += score;
    }
    Some(sum / query.len() as f64)
}

/// Short words must be the same; lengths that differ much cannot be alike.
fn likeness(have: &str, want: &str) -> f64 {
    let (long, short) = (have.len().max(want.len()), have.len().min(want.len()));
    if short < 4 || short * 4 < long * 3 {
        return 0.0;
    }
    strsim::normalized_damerau_levenshtein(have, want)
}

/// A place in one source.
fn place<'a>(
    session: &Session,
    words: &'a [(SegmentId, &'a Word)],
    at: std::ops::Range<usize>,
    score: f64,
) -> Option<Place<'a>> {
    let found = words.get(at.clone())?;
    let source_of = |(id, _): &(SegmentId, &Word)| session.segments.get(id).map(|one| one.source);
    let (first, last) = (found.first()?, found.last()?);
    let source = source_of(first)?;
    if source_of(last)? != source {
        return None;
    }
    let near = words.get(at.start.saturating_sub(AROUND)..(at.end + AROUND).min(words.len()))?;
    let near = near.iter().filter(|word| source_of(word) == Some(source));
    let around: Vec<&str> = near.map(|(_, word)| word.text.as_str()).collect();
    Some(Place { score, segment: first.0, source, words: found, around: around.join(" ") })
}

fn told(session: &Session, place: &Place<'_>) -> Value {
    let start = place.words.first().map_or(Frames::ZERO, |(_, word)| word.start);
    let end = place.words.last().map_or(start, |(_, word)| word.end);
    let clip = session.clips.values().find(|clip| {
        clip.source == place.source && clip.start <= start && start < clip.start + clip.length
    });
    json!({
        "score": (place.score * 1e3).round() / 1e3,
        "segment_id": place.segment,
        "source_id": place.source,
        "source": session.sources.get(&place.source).map(|source| &source.name),
        "start_s": seconds(start, session.rate),
        "end_s": seconds(end, session.rate),
        "timeline_s": clip.map(|clip| seconds(clip.position + (start - clip.start), session.rate)),
        "text": place.around,
    })
}

fn seconds(at: Frames, rate: SampleRate) -> f64 {
    (at.seconds(rate).0 * 1e3).round() / 1e3
}
