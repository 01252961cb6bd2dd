//! `tool_search_transcript`: where words are said, also when they were misheard a little.

mod find;
#[cfg(test)]
mod tests;
mod texts;

use crate::transcribe::{Region, regions, spoken_in};
use deskhand_dsp::Frames;
use deskhand_session::intent::{Intent, Kinds, TextKind};
use deskhand_session::{Clip, ObjectId, Segment, SegmentId, Session, SourceId, Word};
use deskhand_toolkit::Reads;
use deskhand_toolkit::about::tool;
use deskhand_toolkit::find::seconds;
use deskhand_toolkit::target::{nobody_called, nothing_transcribed};
use deskhand_toolkit::text::is_same;
use deskhand_toolkit::{
    Category, Code, Draft, Offers, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use find::{Found, Search};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::ops::Range;
use std::time::Duration;
use texts::plain;

/// The most places that are returned, the best first.
const MOST: usize = 100;
/// The number of words that are shown before and after a match.
const AROUND: usize = 6;

/// `tool_search_transcript`.
pub(crate) struct SearchTranscript;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The words in order; case, punctuation and hyphens do not count.
    #[schemars(length(min = 1, max = 500))]
    query: String,
    /// Clips or sources to search; omitted: all transcripts.
    targets: Option<Targets>,
    /// Only words of this speaker (full name); omitted: all speakers.
    #[schemars(length(min = 1, max = 200))]
    speaker: Option<String>,
}

/// The call against the session.
pub(crate) struct Resolved {
    query: Vec<String>,
    segments: Vec<SegmentId>,
    /// Where alone, if that is said: a cut may go through a segment.
    regions: Option<Vec<Region>>,
}

impl Resolved {
    /// The words of a segment to search: those that lie mostly in the regions asked for.
    fn meant<'a>(&self, segment: &'a Segment) -> Vec<&'a Word> {
        let Some(regions) = &self.regions else { return segment.words.iter().collect() };
        let is_near = |region: &&Region| {
            let Region { source, range, .. } = region;
            *source == segment.source && range.start < segment.end() && segment.start < range.end
        };
        let near: Vec<&Region> = regions.iter().filter(is_near).collect();
        let is_meant = |word: &&Word| near.iter().any(|it| it.range.contains(&word.middle()));
        segment.words.iter().filter(is_meant).collect()
    }
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

fn says() -> Vec<Intent> {
    let search = |intent: Intent, preps: &str, kind: TextKind| {
        intent
            .said("query", preps, kind)
            .needs("query")
            .said("speaker", "- | by | from", TextKind::Speaker)
            .named("targets", "- | in | on | of | from", Kinds::Sound)
            .or_left_out()
    };
    let words = |intent: Intent, preps: &str| search(intent, preps, TextKind::Words);
    let where_said =
        "where | every | anyone | while:anyone | mention | does | do | part | moment | everywhere";
    vec![
        words(
            Intent::verbs("find | list | where | does | who | ask | which | play").also(where_said),
            "says",
        ),
        words(
            Intent::verbs("search").also("word | transcript | every | mention | phrase"),
            "- | for | of",
        ),
        words(
            Intent::verbs("find | list").about("word | mention | transcript").also("every"),
            "- | for | of",
        ),
        words(Intent::verbs("find | list | play").about("part | moment"), "about"),
        words(Intent::verbs("what is said"), "-"),
        words(Intent::verbs("how many").about("word | mention"), "- | of"),
        words(
            Intent::verbs("where | how often | is it | how many")
                .about("says | says:everywhere")
                .also("word | anyone | everywhere"),
            "-",
        ),
        words(Intent::verbs("how often").also("anyone | word"), "says"),
        search(Intent::verbs("find | list").also("every"), "- | of", TextKind::Quote),
    ]
}

impl TypedTool for SearchTranscript {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_search_transcript",
            "Search transcripts",
            "Searches transcripts for words, with small mistakes allowed (\"Dashwod\" finds Dashwood). Returns \
             {count, places: [{score, segment_id, source_id, source, start_s, end_s, timeline_s, text}]}, the \
             best first, at most 100. Times are of the source; timeline_s is where it plays, null if it does \
             not (cut out, another take, or a muted track). If nothing matches, `nearest` has the nearest \
             place, if any.",
            Category::Navigate,
            Trust::Autonomous,
            vec![json!({"query": "how much there might be"})],
        )
        .limit(Duration::from_secs(60))
        .command("words search", "Search transcripts for words; small mishearings match too")
        .reads(Reads::Words, "TEXT...", "query", "The words in order")
        .arg("--in TARGET...", "targets", "")
        .arg("--speaker NAME", "speaker", "")
        .offers(Offers::used("the search of Words"))
        .says(says())
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let query = params.query.split_whitespace().filter(|word| !plain(word).is_empty());
        let query: Vec<String> = query.map(str::to_owned).collect();
        if query.is_empty() {
            let message = format!("{:?} holds no words", params.query);
            return Err(ToolError::prepare(Code::BadParams, message, "give a word or more"));
        }
        let regions = params.targets.map(|targets| regions(session, &targets)).transpose()?;
        let is_meant = |segment: &Segment| {
            regions.as_ref().is_none_or(|all| all.iter().any(|it| it.source == segment.source))
        };
        if !session.segments.values().any(is_meant) {
            return Err(nothing_transcribed(session.segments.is_empty()));
        }
        let mut segments: Vec<(SegmentId, &Segment)> = match &regions {
            Some(regions) => {
                spoken_in(regions, session).into_iter().map(|(_, id, it)| (id, it)).collect()
            }
            None => session.segments.iter().map(|(id, segment)| (*id, segment)).collect(),
        };
        if let Some(speaker) = &params.speaker {
            segments.retain(|(_, segment)| is_by(segment, speaker));
            if segments.is_empty() {
                return Err(nobody_called(session, speaker));
            }
        }
        // Bleed is found at its speaker's own microphone.
        segments.retain(|(_, segment)| !segment.is_bleed());
        segments.sort_by_key(|(id, segment)| (segment.source, segment.start, *id));
        let segments = segments.into_iter().map(|(id, _)| id).collect();
        Ok(Resolved { query, segments, regions })
    }

    fn targets(_: &Resolved) -> Vec<ObjectId> {
        Vec::new()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let session = &context.session;
        let segments = call.segments.iter().filter_map(|id| Some((*id, session.segments.get(id)?)));
        let words: Vec<(SegmentId, &Word)> = segments
            .flat_map(|(id, one)| call.meant(one).into_iter().map(move |word| (id, word)))
            .collect();
        let is_of_one = |at: &Range<usize>| {
            words.get(at.clone()).is_some_and(|words| in_one_source(session, words))
        };
        let check = || context.check();
        let search = Search {
            words: words.iter().map(|(_, word)| word.text.as_str()).collect(),
            query: &call.query,
            is_of_one: &is_of_one,
            check: &check,
        };
        let (mut found, nearest) = search.found()?;
        let count = found.len();
        // Equal scores stay in the order of time.
        found.sort_by(|one, other| other.score.total_cmp(&one.score));
        found.truncate(MOST);
        let shown = |found: Found| {
            place(session, &words, found.words, found.score).map(|place| told(session, &place))
        };
        let mut draft = Draft::new(match count {
            0 if nearest.is_some() => "It is not said anywhere; the nearest is told".to_owned(),
            0 => "It is not said anywhere".to_owned(),
            1 => "It is said once".to_owned(),
            count => format!("It is said {count} times"),
        });
        let places: Vec<Value> = found.into_iter().filter_map(shown).collect();
        let mut answer = json!({"count": count, "places": places});
        if let Some(nearest) = nearest.and_then(shown) {
            answer["nearest"] = json!([nearest]);
        }
        draft.answer = Some(answer);
        Ok(draft)
    }
}

fn is_by(segment: &Segment, speaker: &str) -> bool {
    segment.speaker.as_ref().is_some_and(|own| is_same(own, speaker.trim()))
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

/// Where the larger part of a word plays first; `None` if no unmuted clip plays it.
fn played(session: &Session, source: SourceId, word: &Word) -> Option<Frames> {
    let end = word.end.max(word.start + Frames(1));
    let sounds = |clip: &&Clip| !session.is_clip_muted(clip);
    let plays = |clip: &&Clip| {
        let part = end.min(clip.start + clip.length) - word.start.max(clip.start);
        clip.source == source && part.0 * 2 > (end - word.start).0
    };
    let clips = session.clips.values().filter(plays).filter(sounds);
    clips.map(|clip| clip.position + (word.start.max(clip.start) - clip.start)).min()
}
