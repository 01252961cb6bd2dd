//! `tool_code_similar`: a code on every place where something like a text is said.

mod meaning;
mod nearest;
#[cfg(test)]
mod tests;
mod trigrams;

use super::coding::{Wanted, wanted};
use super::exact::{Found, Unit};
use super::places::{Stretches, stretches};
use super::says::coded;
use super::text::{Talk, talks};
use deskhand_session::intent::{Intent, TextKind};
use deskhand_session::{ObjectId, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Code, Draft, Estimate, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use meaning::Near;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::ops::Range;
use trigrams::{Query, Trigrams};

/// The default similarity: a few letters of a sentence may differ.
const ALIKE: f64 = 0.5;
/// The same for meaning. Tested with 13 words and sentences about money, family, music, work, weather and
/// health among 38 sentences of talk. At 0.3, 84 in 100 places are about the same; 0.4 finds a quarter as
/// many; 0.2 finds as many wrong as right ones. Nothing is coded before a person has seen it.
const ALIKE_IN_MEANING: f64 = 0.3;
/// How many units are looked at between two looks at whether to stop.
const LOOK: usize = 4_096;

/// `tool_code_similar`.
pub(super) struct CodeSimilar;

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
    /// The text to compare with.
    #[schemars(length(min = 1, max = 500))]
    text: String,
    /// The unit to compare and code: the same number of words (match), sentences or turns.
    #[serde(default)]
    unit: Unit,
    /// The least similarity, 0 to 1 (1 is the same); omitted: 0.5 by letters, 0.3 by meaning.
    #[schemars(range(min = 0.0, max = 1.0))]
    similarity_threshold: Option<f64>,
    /// letters: shared letters; meaning: by a model (English, `deskhand models install minilm`). Omitted:
    /// meaning if that model is installed, else letters.
    measure: Option<Measure>,
}

/// How to compare texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Measure {
    /// Shared trigrams.
    Letters,
    /// The angle between a model's embeddings.
    Meaning,
}

/// The call against the session.
pub(super) struct Resolved {
    code: Wanted,
    stretches: Stretches,
    text: String,
    unit: Unit,
    threshold: f64,
    measure: Measure,
}

impl TypedTool for CodeSimilar {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_code_similar",
            "Code similar words",
            "Codes every place in transcripts that is similar to a text: by shared letter trigrams, which \
             finds misheard, changed and reordered words, or by meaning if the model minilm is installed. One \
             batch to undo. Returns {code_id, batch_id, segments_created, already_coded, measure: letters | \
             meaning, places: [{segment_id, source, start_s, end_s, text, similarity}]}, the first 20 places; \
             if none is similar enough, nearest: {source, start_s, text, similarity}.",
            Category::Organize,
            Trust::Suggest,
            vec![
                json!({"code": "Promise", "text": "I will never do that again", "similarity_threshold": 0.6}),
            ],
        )
        .command("codes similar", "Code every place where a speaker says something similar")
        .arg("CODE", "code", "The code: name or id")
        .arg("TEXT", "text", "The words to compare with")
        .arg("--in TARGET...", "targets", "")
        .arg("--threshold 0..1", "similarity_threshold", "")
        .arg("--measure MEASURE", "measure", "")
        .arg("--unit UNIT", "unit", "How much of the text to code")
        .or("sentence")
        .says([coded(
            Intent::verbs("code | mark | label")
                .also("every | sentence")
                .said("text", "like", TextKind::Words)
                .needs("text")
                .sets("unit", "sentence"),
        )])
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let code = wanted(session, params.code_id.as_deref(), params.code.as_deref())?;
        if Trigrams::of(&params.text).is_empty() {
            let message = format!("{:?} holds no words", params.text);
            return Err(ToolError::prepare(Code::BadParams, message, "give words"));
        }
        let stretches = stretches(session, params.targets.as_ref())?;
        let measure = match params.measure {
            Some(measure) => measure,
            None if meaning::is_installed() => Measure::Meaning,
            None => Measure::Letters,
        };
        let usual = match measure {
            Measure::Letters => ALIKE,
            Measure::Meaning => {
                meaning::check()?;
                ALIKE_IN_MEANING
            }
        };
        let threshold = params.similarity_threshold.unwrap_or(usual);
        Ok(Resolved { code, stretches, text: params.text, unit: params.unit, threshold, measure })
    }

    fn estimate(call: &Resolved, session: &Session) -> Estimate {
        let seconds = match call.measure {
            Measure::Letters => 0.0,
            Measure::Meaning => meaning::seconds(&talks(session, &call.stretches), call.unit),
        };
        Estimate { seconds, bytes: 0 }
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.code.targets()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let talks = talks(&context.session, &call.stretches);
        let query = Query::new(&call.text);
        let mut near = match call.measure {
            Measure::Letters => None,
            Measure::Meaning => Some(Near::to(&call.text)?),
        };
        let mut found = Found::new(context, &call.code);
        let mut is_any = false;
        for (index, talk) in talks.iter().enumerate() {
            context.step(index, talks.len(), &context.session.name_of(talk.source.into()))?;
            let (places, how) = match &mut near {
                None => (alike(talk, &query, &call, call.threshold, context)?, "alike"),
                Some(near) => (near.places(talk, &call, context)?, "alike in meaning"),
            };
            is_any |= !places.is_empty();
            for (range, score) in places {
                let score = rounded(score);
                let reason = format!("{score:.2} {how}: \"{}\"", call.text);
                found.put(context, talk, &range, &reason, json!(score));
            }
        }
        let mut draft = found.finish(context, &format!("what is like \"{}\"", call.text));
        if let Some(answer) = &mut draft.answer {
            answer["measure"] = json!(call.measure);
        }
        if !is_any
            && let Some(nearest) = nearest::of(&talks, &query, near.as_mut(), &call, context)?
        {
            nearest.tell(&mut draft, &context.session);
        }
        Ok(draft)
    }
}

fn rounded(score: f64) -> f64 {
    (score * 1000.0).round() / 1000.0
}

/// The units of a talk that are at least so much alike, in order, and how much.
fn alike(
    talk: &Talk<'_>,
    query: &Query,
    call: &Resolved,
    least: f64,
    context: &PlanContext,
) -> Result<Vec<(Range<usize>, f64)>, ToolError> {
    let words: Vec<Trigrams> = talk.words().iter().map(|word| Trigrams::of(&word.text)).collect();
    let units = match call.unit {
        Unit::Sentence => talk.sentences.clone(),
        Unit::Turn => talk.turns.clone(),
        Unit::Match => {
            let mut windows = windows(0..words.len(), &call.text);
            windows.retain(|range| talk.goes_on(range));
            windows
        }
    };
    let mut found = Vec::new();
    for (index, unit) in units.into_iter().enumerate() {
        if index % LOOK == 0 {
            context.check()?;
        }
        let own = words.get(unit.clone()).unwrap_or_default();
        let score = query.similarity(own, least);
        found.extend(score.map(|score| (unit, score)));
    }
    Ok(if call.unit == Unit::Match { best_apart(found) } else { found })
}

/// As many words in a row as `text` has, wherever they begin in `words`.
fn windows(words: Range<usize>, text: &str) -> Vec<Range<usize>> {
    let length = text.split_whitespace().count().max(1);
    let last = words.end.saturating_sub(length).max(words.start);
    (words.start..=last).map(|start| start..(start + length).min(words.end)).collect()
}

/// Of windows that share words the one that is most alike, the first of equal ones.
fn best_apart(mut found: Vec<(Range<usize>, f64)>) -> Vec<(Range<usize>, f64)> {
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.start.cmp(&b.0.start)));
    let mut kept: std::collections::BTreeMap<usize, (usize, f64)> = Default::default();
    for (range, score) in found {
        let before = kept.range(..range.end).next_back();
        if before.is_none_or(|(_, (end, _))| *end <= range.start) {
            kept.insert(range.start, (range.end, score));
        }
    }
    kept.into_iter().map(|(start, (end, score))| (start..end, score)).collect()
}
