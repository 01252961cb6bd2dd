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
use deskhand_session::intent::{Intent, TextKind};
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
    /// The takes (`phr_…`), at least two; with each come the takes that it has already. Omitted: search all playing
    /// phrases for takes.
    group_ids: Option<Vec<String>>,
    /// Phrases (`phr_…`) that the recommended take plays in place of: they become its takes.
    instead_of: Option<Vec<String>>,
    /// Mark only takes of these phrases (`phr_…`), to apply some sets of a plan; marked ones are compared again. Not
    /// together with `group_ids`.
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
    /// The sets of takes that are known.
    known: Vec<Vec<PhraseId>>,
    /// Phrases that may be takes of one another by their words.
    related: Vec<Vec<PhraseId>>,
    /// Of those, only the sets with one of these phrases.
    among: Option<Vec<PhraseId>>,
}

/// What the caller says of its takes.
#[derive(Default)]
struct Given {
    phrase: Option<String>,
    chosen: Option<PhraseId>,
    reason: Option<String>,
}

/// Phrases with the takes that each of them has already; those keep their order, so that their numbers stay.
fn with_known(assembly: &Assembly, takes: Vec<PhraseId>) -> Vec<PhraseId> {
    let sets = assembly.duplicates.iter();
    let known = sets.filter(|set| set.takes.iter().any(|take| takes.contains(take)));
    let mut all: Vec<PhraseId> = known.flat_map(|set| &set.takes).copied().collect();
    let new = takes.into_iter().filter(|take| !all.contains(take));
    all.extend(new.collect::<Vec<_>>());
    all
}

/// Words that ask about takes, and what they ask about.
const ASKING: &str = "ask | which | is it | list | how many | how often | does | is anything | where | why | display | compare | who";
const TAKEN: &str = "retake | take | twice | says:twice | same";
/// Words that choose one of several takes.
const CHOOSING: &str =
    "choose | keep | use | make | give | want | select | put | bring | swap | find";

/// How people ask for takes to be found; where some are marked, a question about takes is answered instead.
fn says_find() -> [Intent; 5] {
    let of = |intent: Intent, preps: &str| intent.said("among", preps, TextKind::TakesOf);
    let also = "anyone | says:anyone | oneself | says | is | have | same | recorded | read | phrase | sentence | several | \
                another | every | loop | choose | use | in use | again | side by side | where";
    let find = Intent::verbs("find | mark").about(TAKEN);
    let best = Intent::verbs(&format!("{CHOOSING} | which | ask")).about("best").about("take");
    [
        of(Intent::verbs(&format!("{ASKING} | find")).about(TAKEN).also(also), "of | for | from")
            .last(),
        of(Intent::verbs("how often").about("read | recorded").also("anyone"), "-")
            .needs("among")
            .last(),
        of(
            find.also("several | another | every | phrase | sentence | where | anyone | says | is"),
            "of | for | from",
        ),
        Intent::verbs("remove").about("retake").also("every"),
        best.also("take | every | phrase | sentence | of:phrase | of:sentence | of:every | is")
            .last(),
    ]
}

/// A set of takes without its words.
fn trial(takes: &[PhraseId], chosen: PhraseId) -> Duplicates {
    Duplicates { phrase: String::new(), takes: takes.to_vec(), chosen, reason: String::new() }
}

/// How people ask for one of several takes: the best, or one that they name.
// tidy: table
fn says_choose() -> [Intent; 8] {
    let said = |intent: Intent, param: &str, preps: &str, kind: TextKind| {
        intent.said(param, preps, kind).needs(param)
    };
    let chosen =
        |intent: Intent, preps: &str, kind| said(intent, "recommended_group_id", preps, kind);
    let over = |intent: Intent, preps: &str, kind| said(intent, "instead_of", preps, kind);
    let choose = || Intent::verbs(&format!("{CHOOSING} | take"));
    let best =
        |words: &str| Intent::verbs(&format!("{CHOOSING} | which | ask | {words}")).about("best");
    let best_of = best("is it").about("take").also("is | in | another | instead | recorded | take");
    [
        said(best_of, "among", "of | for | from | in", TextKind::TakesOf),
        said(best("take").also("instead | in | is"), "among", "- | to", TextKind::MarkedTakes),
        chosen(
            choose().also("in | instead | again | is | anyone | more | another | some"),
            "- | to | with",
            TextKind::Takes,
        ),
        chosen(
            Intent::default().about("best | in use").also("is | anyone | says | sound"),
            "- | like",
            TextKind::Takes,
        ),
        over(chosen(choose(), "-", TextKind::Phrase), "instead of | not | over", TextKind::Phrases),
        chosen(
            over(Intent::verbs("replace"), "-", TextKind::OnlyPhrases),
            "by | with",
            TextKind::Phrase,
        ),
        said(
            Intent::default()
                .about("is | says")
                .about("take | retake | same | says:same")
                .also("every | of:same | of:phrase | of:sentence"),
            "group_ids",
            "-",
            TextKind::OnlyPhrases,
        ),
        said(
            Intent::verbs("mark").about("as:take | as:retake | as:same").also("of:same"),
            "group_ids",
            "-",
            TextKind::OnlyPhrases,
        ),
    ]
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
        .says(says_find())
        .says(says_choose())
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let before = state::begun(session)?;
        let named = |ids: &Vec<String>| state::named(session, ids);
        let chosen = params.recommended_group_id.map(|id| named(&vec![id])).transpose()?;
        let given = params.group_ids.as_ref().map(named).transpose()?;
        let over = params.instead_of.as_ref().map(named).transpose()?;
        let chosen = chosen.and_then(|ids| ids.first().copied());
        let bad = |message: &str, fix: &str| ToolError::prepare(Code::BadParams, message, fix);
        let takes = match (given, over, chosen) {
            (None, Some(over), Some(take)) => Some([vec![take], over].concat()),
            (_, Some(_), _) => {
                let fix = "give `recommended_group_id` with `instead_of`, and no `group_ids`";
                return Err(bad("it does not say which take plays instead", fix));
            }
            (None, None, Some(take)) => Some(vec![take]),
            (given, None, _) => given,
        };
        let Some(takes) = takes.map(|takes| with_known(&before, takes)) else {
            if params.phrase.is_some() {
                let fix = "give `group_ids` as well, or nothing to have takes found";
                return Err(bad("no takes were given", fix));
            }
            let among = params.among.map(|ids| named(&ids)).transpose()?;
            return Ok(found_among(session, &before, among));
        };
        if params.among.is_some() {
            let fix = "give `among` to have takes found, or `group_ids` to name them";
            return Err(bad("takes are found or named", fix));
        }
        if let ([alone], Some(_), None) = (&takes[..], chosen, &params.group_ids) {
            let name = session.name_of((*alone).into());
            let message = format!("\"{name}\" is not a take of another phrase");
            return Err(bad(&message, "name all its takes in `group_ids`"));
        }
        // What cannot be marked is refused before anything is measured.
        if let Some(any) = chosen.or(takes.first().copied()) {
            state::marked(&before, trial(&takes, any))?;
        }
        let given = Given { phrase: params.phrase, chosen, reason: params.reason };
        Ok(Resolved { given, known: vec![takes], related: Vec::new(), among: None })
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.known.iter().chain(&call.related).flatten().map(|id| (*id).into()).collect()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let session = &*context.session;
        let mut sets = found(context, &call.related, call.among.as_deref())?;
        sets.extend(call.known);
        let order = &session.assembly.order;
        sets.sort_by_key(|set| order.iter().position(|id| set.contains(id)));
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

/// The call that finds takes: among these phrases, marked ones are compared again.
fn found_among(session: &Session, before: &Assembly, among: Option<Vec<PhraseId>>) -> Resolved {
    let has = |takes: &[PhraseId]| {
        among.as_ref().is_some_and(|among| takes.iter().any(|take| among.contains(take)))
    };
    let known = before.duplicates.iter().filter(|set| has(&set.takes));
    let known = known.map(|set| set.takes.clone()).collect();
    let mut related = alike::related(session, before);
    related.retain(|takes| among.is_none() || has(takes));
    Resolved { given: Given::default(), known, related, among }
}

/// The sets of takes among `related` phrases: all, or those with a phrase of `among`.
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
