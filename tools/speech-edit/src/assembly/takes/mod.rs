//! `tool_mark_duplicates`: several takes of one phrase; one of them plays.

mod alike;
mod common_words;
mod differ;
#[cfg(test)]
mod lines;
mod near;
mod numbers;
mod rank;
#[cfg(test)]
mod read;
mod sound;
#[cfg(test)]
mod tests;
mod token;

pub(super) use common_words::same;

use super::state;
use super::steps::{Resolved as Step, told};
use deskhand_dsp::Frames;
use deskhand_session::intent::Intent;
use deskhand_session::text::{count, names};
use deskhand_session::{Assembly, Duplicates, ObjectId, PhraseId, PlanPart, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Code, Draft, Gesture, PlanContext, Reads, ToolError, ToolSpec, Trust, TypedTool,
};
use differ::Doubt;
use rank::{Judge, Rated};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use sound::Sounds;

/// `tool_mark_duplicates`.
pub(super) struct MarkDuplicates;

/// The parameters: all of them for known takes, none to find takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// The approximate text of the takes; omitted: the text of the playing take.
    #[schemars(length(max = 20000))]
    phrase: Option<String>,
    /// All takes (`phr_…`), at least two; omitted: search all playing phrases for takes.
    group_ids: Option<Vec<String>>,
    /// Mark only takes of these phrases (`phr_…`), to apply some sets of a plan. Not together with `group_ids`.
    #[schemars(length(min = 1))]
    among: Option<Vec<String>>,
    /// The take to play; omitted: the best by completeness, fluency, level, noise and confidence.
    recommended_group_id: Option<String>,
    /// The reason for this take.
    #[schemars(length(max = 20000))]
    reason: Option<String>,
}

/// The call against the session.
pub(super) struct Resolved {
    /// The facts about the one set of takes that is given.
    given: Given,
    /// The sets of takes; where they are found, of phrases that may be takes by their words.
    sets: Vec<Vec<PhraseId>>,
    /// Where they are from.
    origin: Origin,
}

/// How takes are known.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Origin {
    /// The caller names them.
    Given,
    /// By their words and sound: all, or the sets with one of these phrases.
    Found(Option<Vec<PhraseId>>),
}

/// What the caller says of its takes.
#[derive(Default)]
struct Given {
    phrase: Option<String>,
    chosen: Option<PhraseId>,
    reason: Option<String>,
}

/// The takes that one of them is marked with.
fn known_takes(
    session: &Session,
    assembly: &Assembly,
    take: PhraseId,
) -> Result<Vec<PhraseId>, ToolError> {
    let set = assembly.duplicates.iter().find(|set| set.takes.contains(&take));
    set.map(|set| set.takes.clone()).ok_or_else(|| {
        let name = session.name_of(take.into());
        let message = format!("\"{name}\" is not a take of another phrase");
        ToolError::prepare(Code::BadParams, message, "name all its takes in `group_ids`")
    })
}

/// "Where did she say the same thing twice?"
fn says() -> [Intent; 1] {
    [Intent::verbs("find | where | ask | who")
        .about("twice | says:twice")
        .also("anyone | says | where | is")]
}

impl TypedTool for MarkDuplicates {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_mark_duplicates",
            "Mark takes of one phrase",
            "Marks phrases as takes of one another: the recommended take plays, the others stay as takes with \
             markers. Without parameters it finds retakes among all playing phrases, by words and sound: one \
             speaker, the same numbers, days and negations; a differing word must sound alike. It recommends \
             one take per set by completeness, fluency (fillers, repetitions, breaks, pace), level, noise and \
             confidence, measured for every take. One plan for all sets, or for sets with a phrase of `among`. \
             Returns {groups: [{phrase, recommended, reason, takes: [{group_id, text, score, …}]}]}.",
            Category::Edit,
            Trust::Suggest,
            vec![
                json!({}),
                json!({
                    "phrase": "Welcome to the show", "group_ids": ["phr_0123456789ab", "phr_ba9876543210"],
                    "recommended_group_id": "phr_ba9876543210", "reason": "no slip of the tongue",
                }),
            ],
        )
        .command("assemble duplicates", "Find takes of the same phrase, or name them")
        .reads(Reads::Phrases, "[TAKES...]", "group_ids", "")
        .reads(Reads::Phrases, "--of PHRASE...", "among", "Find takes of this phrase only")
        .excludes(&["TAKES"])
        .reads(Reads::Phrases, "--keep PHRASE", "recommended_group_id", "The take to play, such as 3.2")
        .excludes(&["of"])
        .arg("--reason WORDS", "reason", "Why you choose this take")
        .offers(Gesture::MarkTakes)
        .says(says())
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let before = state::begun(session)?;
        let chosen = params.recommended_group_id.map(|id| state::named(session, &[id]));
        let chosen = chosen.transpose()?.and_then(|ids| ids.first().copied());
        let given = params.group_ids.as_ref().map(|ids| state::named(session, ids)).transpose()?;
        let known =
            chosen.filter(|_| given.is_none()).map(|take| known_takes(session, &before, take));
        let Some(takes) = given.or(known.transpose()?) else {
            if params.phrase.is_some() {
                let fix = "give `group_ids` as well, or nothing to have takes found";
                return Err(ToolError::prepare(Code::BadParams, "no takes were given", fix));
            }
            let among = params.among.map(|ids| state::named(session, &ids)).transpose()?;
            let is_meant = |set: &Vec<PhraseId>| {
                among.as_ref().is_none_or(|among| set.iter().any(|take| among.contains(take)))
            };
            let mut sets = alike::related(session, &before);
            sets.retain(is_meant);
            let origin = Origin::Found(among);
            return Ok(Resolved { given: Given::default(), sets, origin });
        };
        if params.among.is_some() {
            let fix = "give `among` to have takes found, or `group_ids` to name them";
            return Err(ToolError::prepare(Code::BadParams, "takes are found or named", fix));
        }
        // What cannot be marked is refused before anything is measured.
        if let Some(any) = chosen.or(takes.first().copied()) {
            let trial = Duplicates {
                phrase: String::new(),
                takes: takes.clone(),
                chosen: any,
                reason: String::new(),
            };
            state::marked(&before, trial)?;
        }
        let given = Given { phrase: params.phrase, chosen, reason: params.reason };
        Ok(Resolved { given, sets: vec![takes], origin: Origin::Given })
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.sets.iter().flatten().map(|id| (*id).into()).collect()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let session = &*context.session;
        let sets = match call.origin {
            Origin::Given => call.sets,
            Origin::Found(among) => found(context, &call.sets, among.as_deref())?,
        };
        if sets.is_empty() {
            let mut draft = Draft::new("No phrase that plays is said twice");
            draft.answer = Some(json!({ "groups": [] }));
            return Ok(draft);
        }
        let mut judge = Judge::new(context);
        let mut after = session.assembly.clone();
        let (mut groups, mut parts, mut findings) = (Vec::new(), Vec::new(), Vec::new());
        for (done, takes) in sets.iter().enumerate() {
            context.step(done, sets.len(), "takes")?;
            let rated = judge.rated(takes)?;
            let group = group(session, &call.given, takes, &rated);
            findings.extend(rated.iter().flat_map(Rated::findings));
            groups.push(card(session, &group, &rated));
            parts.push(part(&group));
            after = same_or_marked(after, group)?;
        }
        let number: usize = sets.iter().map(Vec::len).sum();
        let summary = match sets.as_slice() {
            [one] => {
                format!("Keep one of {} of {}", count(one.len(), "take"), phrase(&after, session))
            }
            many => {
                format!("Keep one take each of {} ({number} takes)", count(many.len(), "phrase"))
            }
        };
        let step = Step::new(session, after, summary, "a better take plays, or makes room");
        let step = Step { parts: PlanPart::each("among", parts), ..step };
        let mut draft = step.run(context)?;
        draft.findings = findings;
        draft.answer = Some(json!({ "groups": groups }));
        if call.given.chosen.is_none() {
            draft.warnings.extend(close(session, &groups));
        }
        Ok(draft)
    }
}

/// The sets of takes among `related` phrases, as they play: all, or those with a phrase of `among`.
fn found(
    context: &PlanContext,
    related: &[Vec<PhraseId>],
    among: Option<&[PhraseId]>,
) -> Result<Vec<Vec<PhraseId>>, ToolError> {
    let session = &*context.session;
    let mut sounds = Sounds::new(context);
    let mut sets: Vec<Vec<PhraseId>> = Vec::new();
    for phrases in related {
        let agree = |lead, other, words: &[Doubt<Frames>]| sounds.agree(lead, other, words);
        sets.extend(alike::sets(session, phrases, agree)?);
    }
    if let Some(among) = among {
        sets.retain(|set| set.iter().any(|take| among.contains(take)));
    }
    let order = &session.assembly.order;
    sets.sort_by_key(|set| order.iter().position(|id| Some(id) == set.first()));
    Ok(sets)
}

/// The assembly with a set of takes; the same where it has just that already.
fn same_or_marked(before: Assembly, group: Duplicates) -> Result<Assembly, ToolError> {
    if before.duplicates.contains(&group) {
        return Ok(before);
    }
    Ok(state::marked(&before, group)?)
}

fn group(session: &Session, given: &Given, takes: &[PhraseId], rated: &[Rated]) -> Duplicates {
    let best = rank::best(rated);
    let chosen = given.chosen.or(best.map(|best| best.id)).or(takes.first().copied());
    let chosen = chosen.unwrap_or(PhraseId::new(0));
    let said = || session.spoken(chosen).map(|spoken| spoken.text).unwrap_or_default();
    let measured = || rated.iter().find(|one| one.id == chosen).map(Rated::reason);
    let reason = match (&given.reason, given.chosen) {
        (Some(reason), _) => reason.clone(),
        (None, Some(_)) => "as asked".into(),
        (None, None) => measured().unwrap_or_default(),
    };
    let phrase = given.phrase.clone().unwrap_or_else(said);
    Duplicates { phrase, takes: takes.to_vec(), chosen, reason }
}

/// A set of takes that can be asked for alone: the name of the chosen take, and its id.
fn part(group: &Duplicates) -> (String, Value) {
    let place = group.takes.iter().position(|take| *take == group.chosen).unwrap_or(0);
    let name = format!("\"{}\", take {} of {}", group.phrase, place + 1, group.takes.len());
    (name, json!(group.chosen))
}

fn phrase(after: &Assembly, session: &Session) -> String {
    let chosen = after.duplicates.last().map(|group| group.chosen);
    chosen.map_or_else(String::new, |chosen| told(session, &[chosen]))
}

fn card(session: &Session, group: &Duplicates, rated: &[Rated]) -> Value {
    let takes: Vec<Value> = rated.iter().map(|rated| rated.card(session)).collect();
    json!({
        "phrase": group.phrase, "recommended": group.chosen, "reason": group.reason, "takes": takes,
    })
}

/// The sets with two takes of nearly equal quality: a person should listen to both.
fn close(session: &Session, groups: &[Value]) -> Option<String> {
    let is_close = |group: &&Value| {
        let takes = group["takes"].as_array();
        let scores = takes.into_iter().flatten().filter_map(|take| take["score"].as_f64());
        let mut scores: Vec<f64> = scores.collect();
        scores.sort_by(|a, b| b.total_cmp(a));
        matches!(scores.as_slice(), [first, second, ..] if first - second < rank::NEAR * 100.0)
    };
    let ids = groups.iter().filter(is_close).filter_map(|group| group["recommended"].as_str());
    let close: Vec<String> = ids
        .filter_map(|id| id.parse().ok())
        .map(|id: PhraseId| session.name_of(id.into()))
        .collect();
    let told = "two takes are about as good, listen to both";
    (!close.is_empty()).then(|| format!("{}: {told}", names(&close)))
}
