//! `tool_search_transcript`: where words are said, also when they were misheard a little.

#[cfg(test)]
mod tests;
mod texts;

use crate::spec::spec;
use crate::transcribe::{regions, spoken_in};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::{Clip, ObjectId, Segment, SegmentId, Session, SourceId, Word};
use deskhand_toolkit::target::nobody_called;
use deskhand_toolkit::text::is_same;
use deskhand_toolkit::{
    Category, Code, Draft, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::ops::Range;
use std::time::Duration;
use texts::{Text, Texts, is_word, plain};

/// Words alike by so much are taken for each other: 1 is the same.
const ALIKE: f64 = 0.75;
/// Letters of a short word; shorter ones must be the same.
const SHORT: usize = 3;
/// A query of so many words may have one short word that is another by any one letter.
const COMPANY: usize = 3;
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
    /// Only what this speaker says, by the whole name; omitted: what anybody says.
    #[schemars(length(min = 1, max = 200))]
    speaker: Option<String>,
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
             timeline_s, text}]}, the best first, at most 100; times are of the source, timeline_s where it \
             plays, null where it does not: cut out, another take, or on a muted track.",
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
                spoken_in(&regions, session).into_iter().map(|(_, id, it)| (id, it)).collect()
            }
            None => session.segments.iter().map(|(id, segment)| (*id, segment)).collect(),
        };
        if let Some(speaker) = &params.speaker {
            segments.retain(|(_, segment)| is_by(segment, speaker));
            if segments.is_empty() {
                return Err(nobody_called(session, speaker));
            }
        }
        // What a microphone heard of another's speaker is found at that one's own.
        segments.retain(|(_, segment)| !segment.is_bleed());
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
        // A dash that stands alone is no word.
        let heard: Vec<usize> = (0..words.len()).filter(|at| is_word(&words[*at].1.text)).collect();
        let texts = Texts::of(heard.iter().map(|at| words[*at].1.text.as_str()));
        let query = Texts::of(call.query.iter().map(String::as_str));
        let mut found: Vec<(bool, f64, Range<usize>)> = Vec::new();
        for (at, places) in heard.windows(query.len()).enumerate() {
            if at % 4096 == 0 {
                context.check()?;
            }
            let Some((score, is_other)) = alike(&texts, at, &query) else { continue };
            let (Some(first), Some(last)) = (places.first(), places.last()) else { continue };
            if in_one_source(session, &words[*first..=*last]) {
                found.push((is_other, score, *first..*last + 1));
            }
        }
        // A short word that is another by a letter is meant only where it is not said as it is written.
        let is_said = found.iter().any(|(is_other, ..)| !is_other);
        found.retain(|(is_other, ..)| !(is_said && *is_other));
        let count = found.len();
        // Equal scores stay in the order of time.
        found.sort_by(|(_, a, _), (_, b, _)| b.total_cmp(a));
        found.truncate(MOST);
        let said = |(_, score, at)| place(session, &words, at, score);
        let places: Vec<Place<'_>> = found.into_iter().filter_map(said).collect();
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

fn is_by(segment: &Segment, speaker: &str) -> bool {
    segment.speaker.as_ref().is_some_and(|own| is_same(own, speaker.trim()))
}

/// How alike the words from the `at`th on are to those of a query, and whether a short one of them is another; `None`
/// when one of them is another word.
fn alike(texts: &Texts, at: usize, query: &Texts) -> Option<(f64, bool)> {
    let (mut sum, mut others) = (0.0, 0);
    for index in 0..query.len() {
        let (have, want) = (texts.get(at + index), query.get(index));
        if have.text == want.text {
            sum += 1.0;
            continue;
        }
        let is_short = have.text.len().min(want.text.len()) <= SHORT;
        others += usize::from(is_short);
        let score = if is_short { likeness_short(have, want) } else { likeness(have, want) };
        let is_in_company = is_short && query.len() >= COMPANY;
        if score == 0.0 || others > 1 || (score < ALIKE && !is_in_company) {
            return None;
        }
        sum += score;
    }
    Some((sum / query.len() as f64, others > 0))
}

/// A word of three letters, and one of three or four that is another by one letter or by two that are swapped; else 0.
fn likeness_short(have: Text<'_>, want: Text<'_>) -> f64 {
    let letters = |text: Text<'_>| text.text.chars().count();
    let (long, short) = (letters(have).max(letters(want)), letters(have).min(letters(want)));
    if short != SHORT || long > SHORT + 1 || least_edits(have, want) > 1 {
        return 0.0;
    }
    match strsim::damerau_levenshtein(have.text, want.text) {
        1 => 1.0 - 1.0 / long as f64,
        _ => 0.0,
    }
}

/// Of words of four letters and more: lengths that differ much, or letters that the other has not, cannot be alike.
fn likeness(have: Text<'_>, want: Text<'_>) -> f64 {
    let (long, short) =
        (have.text.len().max(want.text.len()), have.text.len().min(want.text.len()));
    if short * 4 < long * 3 {
        return 0.0;
    }
    if f64::from(least_edits(have, want)) > (1.0 - ALIKE) * long as f64 {
        return 0.0;
    }
    strsim::normalized_damerau_levenshtein(have.text, want.text)
}

/// Each letter that only one of them has takes an edit of its own, and an edit mends one of each at most.
fn least_edits(have: Text<'_>, want: Text<'_>) -> u32 {
    let only = |a: Text<'_>, b: Text<'_>| (a.letters & !b.letters).count_ones();
    only(have, want).max(only(want, have))
}

/// Whether these words are of one source.
fn in_one_source(session: &Session, words: &[(SegmentId, &Word)]) -> bool {
    let source_of = |(id, _): &(SegmentId, &Word)| session.segments.get(id).map(|one| one.source);
    words.first().and_then(source_of) == words.last().and_then(source_of)
}

/// A place in one source.
fn place<'a>(
    session: &Session,
    words: &'a [(SegmentId, &'a Word)],
    at: Range<usize>,
    score: f64,
) -> Option<Place<'a>> {
    let found = words.get(at.clone())?;
    let source_of = |(id, _): &(SegmentId, &Word)| session.segments.get(id).map(|one| one.source);
    let first = found.first()?;
    let source = source_of(first)?;
    let near = words.get(at.start.saturating_sub(AROUND)..(at.end + AROUND).min(words.len()))?;
    let near = near.iter().filter(|word| source_of(word) == Some(source));
    let around: Vec<&str> = near.map(|(_, word)| word.text.as_str()).collect();
    Some(Place { score, segment: first.0, source, words: found, around: around.join(" ") })
}

fn told(session: &Session, place: &Place<'_>) -> Value {
    let start = place.words.first().map_or(Frames::ZERO, |(_, word)| word.start);
    let end = place.words.last().map_or(start, |(_, word)| word.end);
    let timeline = place.words.iter().find_map(|(_, word)| played(session, place.source, word));
    json!({
        "score": (place.score * 1e3).round() / 1e3,
        "segment_id": place.segment,
        "source_id": place.source,
        "source": session.sources.get(&place.source).map(|source| &source.name),
        "start_s": seconds(start, session.rate),
        "end_s": seconds(end, session.rate),
        "timeline_s": timeline.map(|at| seconds(at, session.rate)),
        "text": place.around,
    })
}

/// Where a word plays first, by the larger part of it; `None` where no clip on a track that is not muted plays it.
fn played(session: &Session, source: SourceId, word: &Word) -> Option<Frames> {
    let end = word.end.max(word.start + Frames(1));
    let sounds = |clip: &&Clip| session.tracks.get(&clip.track).is_some_and(|track| !track.mute);
    let plays = |clip: &&Clip| {
        let part = end.min(clip.start + clip.length) - word.start.max(clip.start);
        clip.source == source && part.0 * 2 > (end - word.start).0
    };
    let clips = session.clips.values().filter(plays).filter(sounds);
    clips.map(|clip| clip.position + (word.start.max(clip.start) - clip.start)).min()
}

fn seconds(at: Frames, rate: SampleRate) -> f64 {
    (at.seconds(rate).0 * 1e3).round() / 1e3
}
