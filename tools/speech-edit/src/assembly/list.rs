//! `tool_list_phrases`: the phrases of the assembly and what became of each.

use super::says::list as says;
use super::state;
use deskhand_session::text::count;
use deskhand_session::{
    Assembly, Duplicates, ObjectId, PhraseId, Playing, Segment, SegmentId, Session,
};
use deskhand_toolkit::about::{COMMAND_LIMIT, tool};
use deskhand_toolkit::find;
use deskhand_toolkit::{
    Category, Draft, Offers, PlanContext, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// `tool_list_phrases`.
pub(super) struct ListPhrases;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// Only these phrases (`phr_…`).
    #[serde(default)]
    group_ids: Vec<String>,
    /// Only phrases that play before this one.
    before: Option<String>,
    /// Only phrases that play after this one.
    after: Option<String>,
    /// Phrases to skip, for the next page.
    #[serde(default)]
    from: usize,
    /// Phrases to list.
    #[serde(default = "page")]
    #[schemars(range(min = 1, max = 1000))]
    count: usize,
}

fn page() -> usize {
    200
}

impl Params {
    /// The phrases that are asked about; `None` if it is all of them.
    fn meant(&self, session: &Session) -> Result<Option<Vec<PhraseId>>, ToolError> {
        let named = state::named(session, &self.group_ids)?;
        let beyond = state::beyond(session, self.before.as_ref(), self.after.as_ref())?;
        let is_part = self.before.is_some() || self.after.is_some() || !named.is_empty();
        Ok(is_part.then(|| [named, beyond].concat()))
    }
}

impl TypedTool for ListPhrases {
    type Params = Params;
    type Resolved = Params;

    fn spec() -> ToolSpec {
        tool(
            "tool_list_phrases",
            "List phrases",
            "Lists the phrases of the assembly, or some of them: playing phrases in order, then removed phrases and unused \
             takes. Returns {total, playing, finished, phrases: [{group_id, source, segment_ids, text, \
             speaker, start_s and end_s in the source, length_s: without its cuts, whole_text: with cut words, \
             if any, confidence, state: plays | cut | removed | take, take_of, known: facts of each segment, \
             along: speech over it on another track, which goes with it}]}.",
            Category::Edit,
            Trust::Autonomous,
            vec![json!({}), json!({"from": 200})],
        )
        .says(says())
        .command("assemble list", "List the phrases")
        .offers(Offers::used("the page Assembly of Words"))
        .limit(COMMAND_LIMIT)
    }

    fn resolve(params: Params, session: &Session) -> Result<Params, ToolError> {
        state::begun(session)?;
        params.meant(session)?;
        Ok(params)
    }

    fn targets(_: &Params) -> Vec<ObjectId> {
        Vec::new()
    }

    fn run(call: Params, context: &PlanContext) -> Result<Draft, ToolError> {
        let session = &*context.session;
        let playing = Playing::of(session);
        let mut all = all(session, &playing);
        if let Some(meant) = call.meant(session)? {
            all.retain(|(id, _)| meant.contains(id));
        }
        let (takes, along) = (takes(&session.assembly), session.along());
        let shown = all.iter().skip(call.from).take(call.count);
        let phrases: Vec<Value> = shown
            .filter_map(|(id, state)| {
                let mut row = one(session, &playing, (*id, *state), takes.get(id))?;
                let known = known(session, *id);
                if !known.is_empty() {
                    row["known"] = known.into();
                }
                if let Some(segments) = along.get(id) {
                    row["along"] = segments.iter().map(|id| beside(session, *id)).collect();
                }
                Some(row)
            })
            .collect();
        let many = all.iter().filter(|(_, state)| *state == PLAYS).count();
        let mut draft = Draft::new(format!("{many} of {} play", count(all.len(), "phrase")));
        draft.answer = Some(json!({
            "total": all.len(), "playing": many, "finished": session.assembly.finished,
            "phrases": phrases,
        }));
        Ok(draft)
    }
}

/// The state of a phrase that plays.
const PLAYS: &str = "plays";
/// The state of a phrase in the order that has no words left.
pub(super) const CUT: &str = "cut";

/// Every phrase with its state: first the order, in which some may have all words cut, then the phrases
/// that do not play.
pub(super) fn all(session: &Session, playing: &Playing) -> Vec<(PhraseId, &'static str)> {
    let assembly = &session.assembly;
    let state = |id| if playing.is_gone(session, id) { CUT } else { PLAYS };
    let plays = assembly.order.iter().map(|id| (*id, state(*id)));
    let removed = assembly.removed.iter().map(|id| (*id, "removed"));
    let others = assembly.duplicates.iter().flat_map(Duplicates::others).map(|id| (id, "take"));
    plays.chain(removed).chain(others).collect()
}

/// The chosen take of each take.
fn takes(assembly: &Assembly) -> BTreeMap<PhraseId, PhraseId> {
    let pairs = |group: &Duplicates| {
        let chosen = group.chosen;
        group.takes.iter().map(move |take| (*take, chosen)).collect::<Vec<_>>()
    };
    assembly.duplicates.iter().flat_map(pairs).collect()
}

fn one(
    session: &Session,
    playing: &Playing,
    (id, state): (PhraseId, &str),
    take_of: Option<&PhraseId>,
) -> Option<Value> {
    let (spoken, whole) = (playing.spoken(session, id)?, session.spoken(id)?.text);
    let seconds = |at| find::seconds(at, session.rate);
    let confidence = spoken.confidence.map(|sure| (sure * 100.0).round() / 100.0);
    let mut row = json!({
        "group_id": id,
        "source": spoken.source,
        "segment_ids": session.phrases.get(&id)?.segments,
        "text": spoken.text,
        "speaker": spoken.speaker,
        "start_s": seconds(spoken.start),
        "end_s": seconds(spoken.end),
        "length_s": playing.length(session, id).map(seconds),
        "confidence": confidence,
        "state": state,
        "take_of": take_of,
    });
    if row["text"] != whole {
        row["whole_text"] = whole.into();
    }
    Some(row)
}

/// The facts about the segments of a phrase, as they are on the segments. Pictures and lists are left out,
/// and segments without facts.
fn known(session: &Session, id: PhraseId) -> Vec<Value> {
    let segments = session.phrases.get(&id).map(|phrase| phrase.segments.as_slice());
    let own = segments.unwrap_or_default().iter().filter_map(|id| session.segments.get(id));
    let facts = own.map(|segment| {
        let facts = segment.description.facts.iter();
        let plain = facts.filter(|(_, fact)| !fact.value.is_array() && !fact.value.is_object());
        plain.map(|(name, fact)| (name.clone(), fact.value.clone())).collect::<Map<_, _>>()
    });
    facts.filter(|facts| !facts.is_empty()).map(Value::Object).collect()
}

/// A segment said along with a phrase.
fn beside(session: &Session, id: SegmentId) -> Value {
    let segment = session.segments.get(&id);
    json!({
        "segment_id": id,
        "speaker": segment.and_then(|segment| segment.speaker.as_ref()),
        "text": segment.map(Segment::text),
    })
}
