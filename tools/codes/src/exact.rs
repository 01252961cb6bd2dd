//! `tool_code_exact`: a code on every place where a text is said.

mod pattern;
#[cfg(test)]
mod tests;

use super::coding::{Coder, Place, Put, Wanted, wanted};
use super::places::{Stretches, stretches};
use super::says::coded;
use super::text::{Talk, talks};
use deskhand_session::intent::{Intent, Kinds, TextKind};
use deskhand_session::text::{count, cut};
use deskhand_session::{Description, ObjectId, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::find;
use deskhand_toolkit::{
    Category, Code, Draft, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use pattern::Pattern;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ops::Range;
use std::time::Duration;

/// The most characters of a place in a plan.
const QUOTED: usize = 80;
/// A regex that takes longer is not worth waiting for.
const LIMIT: Duration = Duration::from_secs(60);
/// The places that an answer shows.
const SHOWN: usize = 20;

/// `tool_code_exact`.
pub(super) struct CodeExact;

/// How the text matches words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum MatchType {
    /// The same words in the same order. Punctuation counts only inside a word: "ill" is not "I'll". A hyphen
    /// matches a space or, except between digits, nothing: "cold hearted" is "cold-hearted".
    #[default]
    Exact,
    /// Words that start with the text; of several words, the last.
    #[serde(rename = "startswith")]
    StartsWith,
    /// The text anywhere, also inside words; punctuation counts.
    Contains,
    /// Words that end with the text; of several words, the first.
    #[serde(rename = "endswith")]
    EndsWith,
    /// A regular expression (Rust's: no look-around, no back references). `^` and `$` match at turns of
    /// speakers.
    Regex,
}

/// How much to code around a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Unit {
    /// Its words.
    #[default]
    Match,
    /// Its sentence or sentences.
    Sentence,
    /// The speaker's whole turn.
    Turn,
}

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// The code: id, name or path ("Money/Rent"). Or give `code`.
    code_id: Option<String>,
    /// The code's name, instead of `code_id`; a new code is made if needed.
    code: Option<String>,
    /// Tracks, clips or sources to search. Omitted: every source with a transcript.
    targets: Option<Targets>,
    /// The text to find.
    #[schemars(length(min = 1, max = 500))]
    text: String,
    /// How the text matches words.
    #[serde(default)]
    match_type: MatchType,
    /// How much to code around a match.
    #[serde(default)]
    unit: Unit,
    /// Whether to ignore upper and lower case; omitted: yes.
    #[serde(default = "yes")]
    ignore_case: bool,
    /// Whether a match must be whole words; exact matches always are.
    #[serde(default)]
    whole_word: bool,
}

fn yes() -> bool {
    true
}

/// The call against the session.
pub(super) struct Resolved {
    code: Wanted,
    stretches: Stretches,
    pattern: Pattern,
    text: String,
    unit: Unit,
}

fn says() -> Vec<Intent> {
    let verb = || Intent::verbs("code | mark | label");
    let text =
        |intent: Intent, preps: &str| intent.said("text", preps, TextKind::Words).needs("text");
    let with = |intent: Intent, how: &str, unit: &str| {
        coded(intent.sets("match_type", how).sets("unit", unit))
    };
    let words = |intent: Intent| with(text(intent.also("every"), "- | of"), "exact", "match");
    let sentences =
        |intent: Intent, how: &str| with(intent.also("every | anyone"), how, "sentence");
    vec![
        words(Intent::verbs("code").also("word | mention")),
        words(Intent::verbs("mark | label").about("mention")),
        sentences(text(verb(), "everything about"), "exact"),
        sentences(text(verb().about("sentence | mention"), "about | containing | with"), "exact"),
        sentences(text(verb().about("where"), "says"), "exact"),
        sentences(text(verb().about("what is said"), "-"), "exact"),
        sentences(
            verb().about("question").sets("text", "?").named("them", "-", Kinds::Any),
            "contains",
        ),
        with(text(verb().about("word").also("every"), "starting with"), "startswith", "match"),
        with(text(verb().about("word").also("every"), "ending with"), "endswith", "match"),
    ]
}

impl TypedTool for CodeExact {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_code_exact",
            "Code words",
            "Codes every place where a transcript contains a text: the words, their sentence or the speaker's \
             whole turn. One batch to undo. Returns {code_id, batch_id, segments_created, already_coded, \
             places: [{segment_id, source, start_s, end_s, text}]}, the first 20 places; segments_created \
             counts all newly coded places.",
            Category::Organize,
            Trust::Suggest,
            vec![
                json!({"code": "Budget", "text": "money", "match_type": "startswith", "unit": "sentence"}),
                json!({"code": "Price", "text": "\\d+ (euros?|dollars?)", "match_type": "regex"}),
            ],
        )
        .command("codes exact", "Code every place where a speaker says these words")
        .arg("CODE", "code", "The code: name or id")
        .arg("TEXT", "text", "The words, or a regular expression with --match regex")
        .arg("--in TARGET...", "targets", "")
        .arg("--match TYPE", "match_type", "How to compare the words")
        .or("exact")
        .arg("--unit UNIT", "unit", "How much of the text to code")
        .or("match")
        .flag("--case", "ignore_case", false, "Match upper and lower case exactly")
        .flag("--whole-word", "whole_word", true, "Match whole words only")
        .says(says())
        .limit(LIMIT)
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let code = wanted(session, params.code_id.as_deref(), params.code.as_deref())?;
        let pattern = Pattern::new(
            &params.text,
            params.match_type,
            pattern::Case::of(params.ignore_case),
            pattern::Ends::of(params.whole_word),
        )?;
        let stretches = stretches(session, params.targets.as_ref())?;
        Ok(Resolved { code, stretches, pattern, text: params.text, unit: params.unit })
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.code.targets()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let talks = talks(&context.session, &call.stretches);
        let mut found = Found::new(context, &call.code);
        for (index, talk) in talks.iter().enumerate() {
            context.step(index, talks.len(), &context.session.name_of(talk.source.into()))?;
            let matches = call.pattern.find(talk, &mut || context.check().map_err(simpler))?;
            let reason = format!("\"{}\" is said", call.text);
            for range in units(talk, matches, call.unit) {
                context.check()?;
                found.put(context, talk, &range, &reason, Value::Null);
            }
        }
        Ok(found.finish(context, &format!("\"{}\"", call.text)))
    }
}

/// What to do where a text was looked for too long: only regular expressions are.
fn simpler(error: ToolError) -> ToolError {
    match error.code {
        Code::TimedOut => ToolError {
            fix: "repeat less in the regular expression, or call it on fewer targets".into(),
            ..error
        },
        _ => error,
    }
}

/// The ranges to code: the matches, or their surroundings; each once, in order.
pub(super) fn units(
    talk: &Talk<'_>,
    matches: impl IntoIterator<Item = Range<usize>>,
    unit: Unit,
) -> Vec<Range<usize>> {
    let around = |found: Range<usize>, all: &[Range<usize>]| {
        let first = all.partition_point(|range| range.end <= found.start);
        let last = all.partition_point(|range| range.end < found.end);
        let start = all.get(first).map_or(found.start, |range| range.start);
        start..all.get(last).map_or(found.end, |range| range.end)
    };
    let widened = matches.into_iter().map(|found| match unit {
        Unit::Match => found,
        Unit::Sentence => around(found, &talk.sentences),
        Unit::Turn => around(found, &talk.turns),
    });
    let once: BTreeSet<(usize, usize)> = widened.map(|range| (range.start, range.end)).collect();
    once.into_iter().map(|(start, end)| start..end).collect()
}

/// The codings of a search, as in the answer.
pub(super) struct Found<'a> {
    coder: Coder<'a>,
    code: String,
    places: Vec<Value>,
}

impl<'a> Found<'a> {
    pub(super) fn new(context: &'a PlanContext, code: &Wanted) -> Self {
        let coder = Coder::new(context, code);
        let code = match code {
            Wanted::Known(id) => context.session.name_of((*id).into()),
            Wanted::New(name) => name.clone(),
        };
        Self { coder, code, places: Vec::new() }
    }

    /// Codes a range of words; `similarity` is null where the words are the very ones.
    pub(super) fn put(
        &mut self,
        context: &PlanContext,
        talk: &Talk<'_>,
        range: &Range<usize>,
        reason: &str,
        similarity: Value,
    ) {
        let session = &context.session;
        let frames = talk.frames(range);
        let (source, start) = (talk.source, frames.start);
        let speaker = talk.amid_others(range).map(str::to_owned);
        let place = Place { source, start, length: frames.end - start, band: None, speaker };
        let text = talk.text(range);
        let put = self.coder.put(&place, Description::default(), cut(&text, QUOTED), reason);
        let Put::Coded(segment) = put else { return };
        if self.places.len() < SHOWN {
            let seconds = |at| find::seconds(at, session.rate);
            let mut place = json!({
                "segment_id": segment,
                "source": session.name_of(source.into()),
                "start_s": seconds(frames.start),
                "end_s": seconds(frames.end),
                "text": text,
            });
            if !similarity.is_null() {
                place["similarity"] = similarity;
            }
            self.places.push(place);
        }
    }

    /// The draft; `what` is the search.
    pub(super) fn finish(self, context: &PlanContext, what: &str) -> Draft {
        let Self { coder, code, places } = self;
        let (id, batch) = (coder.code(), coder.batch().to_owned());
        let (coded, already) = (coder.coded, coder.already);
        let mut draft = coder.draft;
        if coded == 0 {
            // A code is not made for nothing.
            draft.changes.clear();
        }
        let is_new = !context.session.codes.contains_key(&id);
        let kind = if is_new { "the new code " } else { "" };
        draft.summary = match (coded, already) {
            (0, 0) => format!("{what} is not said there"),
            (0, already) => {
                format!("{} of {what} is coded as \"{code}\" already", count(already, "place"))
            }
            (coded, 0) => format!("Code {} of {what} as {kind}\"{code}\"", count(coded, "place")),
            (coded, already) => format!(
                "Code {} of {what} as \"{code}\"; {already} coded so already",
                count(coded, "place")
            ),
        };
        let made = coded > 0;
        draft.answer = Some(json!({
            "code_id": Some(id).filter(|_| made || !is_new),
            "batch_id": Some(batch).filter(|_| made),
            "segments_created": coded,
            "already_coded": already,
            "places": places,
        }));
        draft
    }
}
