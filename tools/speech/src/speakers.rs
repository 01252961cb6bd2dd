//! `tool_mark_speakers`: finds the speaker of each phrase from names in the text, from the microphones, or
//! from the voices.

mod codes;
pub(crate) mod levels;
mod louder;
mod names;
mod shared;
mod sound;
#[cfg(test)]
mod tests;

use crate::transcribe::{Region, regions, spoken_in};
use crate::turns::Count;
use crate::without_words;
use deskhand_session::intent::{Intent, Kinds};
use deskhand_session::{
    BLEED_OF, Change, Edit, Fact, IdSeed, ObjectId, Segment, SegmentId, Session,
};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::text::folded;
use deskhand_toolkit::{
    Category, Code, Draft, Estimate, Gesture, Offers, PlanContext, Targets, ToolError, ToolSpec,
    Trust, TypedTool,
};
use levels::Placing;
use names::Convention;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

const NAME: &str = "tool_mark_speakers";
/// A naming convention is accepted if at least `LEAST` phrases, and one in `SHARE`, follow it.
const LEAST: usize = 2;
const SHARE: usize = 5;

/// `tool_mark_speakers`.
pub(crate) struct MarkSpeakers;

/// Where names come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SpeakerFormat {
    /// By track if the phrases are on two or more tracks, else the notation of most phrases (at least two and a
    /// fifth of them). Known speakers stay; if all are known, nothing is named.
    #[default]
    Auto,
    /// `Name: text`.
    Colon,
    /// `[Name] text`.
    Bracket,
    /// `{Name} text`.
    Brace,
    /// Each track is one speaker with the track's name; a phrase belongs to the microphone that hears it
    /// loudest. An edit's track is not a microphone.
    Track,
    /// Similar voices are one speaker: "Speaker 1", "Speaker 2" in order of first speech. Needs the model
    /// resemblyzer.
    Sound,
}

/// Whether to make codes of speakers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SpeakerCodes {
    /// Only speakers, no codes.
    #[default]
    None,
    /// Each speaker also becomes a code under "Speakers", and each turn gets it.
    Make,
}

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// Transcribed clips or sources. Omitted: the selection, else all that is heard.
    #[serde(default = "Targets::heard")]
    targets: Targets,
    /// Where names come from.
    #[serde(default)]
    speaker_format: SpeakerFormat,
    /// With `sound`: the number of speakers, 1 to 20; omitted: detected.
    #[schemars(range(min = 1, max = 20))]
    speakers: Option<usize>,
    /// Whether to make a code for each speaker, under "Speakers".
    #[serde(default)]
    codes: SpeakerCodes,
}

/// The call against the session.
pub(crate) struct Resolved {
    regions: Vec<Region>,
    segments: Vec<SegmentId>,
    by: By,
    named: Named,
    codes: SpeakerCodes,
}

/// What becomes of phrases that have a speaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    /// They keep it.
    Stay,
    /// They get new names.
    Anew,
}

/// The chosen method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Text(Convention),
    Track,
    Sound(Count),
}

impl TypedTool for MarkSpeakers {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            NAME,
            "Mark speakers",
            "Names the speaker of each transcribed phrase: from the text (\"Name: …\", \"[Name] …\", \"{Name} \
             …\"; the name is removed from the words, and phrases without a name keep the speaker before), by \
             track (each microphone is one speaker, and a phrase belongs to the microphone that hears it \
             loudest), or by sound (similar voices are one speaker, and a phrase of two speakers is cut \
             between them; needs `deskhand models install resemblyzer`; `speakers` is their number). Returns \
             {speakers_detected, phrases, codes_created, batch_id}.",
            Category::Organize,
            Trust::Suggest,
            vec![
                json!({"targets": ["Host", "Guest"], "speaker_format": "track"}),
                json!({"targets": "Talk", "speaker_format": "sound", "speakers": 2, "codes": "make"}),
            ],
        )
        .command("words speakers", "Mark speakers by track, by names in the text, or by voice")
        .arg("[TARGETS...]", "targets", "Clips or sources (default: all clips)")
        .or("all")
        .arg("--by HOW", "speaker_format", "How to find speakers")
        .or("auto")
        .arg("--count 1..20", "speakers", "With --by sound: how many speakers (default: detected)")
        .flag("--codes", "codes", "make", "")
        .offers(Offers::said("mark the speakers").by(Gesture::MarkSpeakers))
        .says([
            Intent::verbs("mark speakers")
                .flag("by track | mark speakers by track", "speaker_format", "track")
                .flag("by sound", "speaker_format", "sound")
                .flag("by text", "speaker_format", "auto")
                .on(Kinds::Sound)
                .or_all(),
            Intent::verbs("mark speakers by track").sets("speaker_format", "track").on(Kinds::Sound).or_all(),
        ])
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let regions = regions(session, &params.targets)?;
        let found = spoken_in(&regions, session).into_iter();
        let segments: Vec<SegmentId> = found.map(|(_, id, _)| id).collect();
        let none = |message: &str, fix: &str| ToolError::prepare(Code::NoTarget, message, fix);
        if segments.is_empty() {
            return Err(without_words::refusal(session, &regions));
        }
        let by = match params.speaker_format {
            SpeakerFormat::Colon => Some(By::Text(Convention::Colon)),
            SpeakerFormat::Bracket => Some(By::Text(Convention::Bracket)),
            SpeakerFormat::Brace => Some(By::Text(Convention::Brace)),
            SpeakerFormat::Track => Some(By::Track),
            SpeakerFormat::Sound => {
                Some(By::Sound(params.speakers.map_or(Count::Found, Count::Given)))
            }
            SpeakerFormat::Auto => guess(session, &segments),
        };
        let by = by.ok_or_else(|| {
            let named = speakers(segments.iter().filter_map(|id| session.segments.get(id)));
            let message = match named.as_str() {
                "" => "the phrases are of one track, and their text names no speakers".to_owned(),
                names => format!("some speakers are named already ({names}), and the text of the others names none"),
            };
            none(&message, "give `speaker_format`, or put each speaker on a track of their own; \"sound\" tells voices apart")
        })?;
        let named = match params.speaker_format {
            SpeakerFormat::Auto => Named::Stay,
            _ => Named::Anew,
        };
        Ok(Resolved { regions, segments, by, named, codes: params.codes })
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.segments.iter().map(|id| (*id).into()).collect()
    }

    fn estimate(call: &Resolved, session: &Session) -> Estimate {
        let length = |region: &Region| region.length().seconds(session.rate).0;
        let seconds = match call.by {
            By::Sound(_) => call.regions.iter().map(length).sum::<f64>() / sound::SPEED,
            By::Text(_) | By::Track => 0.0,
        };
        Estimate { seconds, bytes: 0 }
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let mut ids = context.ids();
        let mut marked = match call.by {
            By::Text(convention) => named(&call, &context.session, convention),
            By::Track => by_track(&call, context)?,
            By::Sound(count) => sound::by_sound(&call.regions, count, context, &mut ids)?,
        };
        if call.named == Named::Stay {
            keep_named(&context.session, &mut marked);
        }
        if marked.iter().all(|(_, segment)| segment.speaker.is_none()) {
            let message = "no phrase begins with a name in that way, so nobody is named";
            let fix = "\"colon\" is Name:, \"bracket\" [Name], \"brace\" {Name}; \"sound\" tells voices apart";
            return Err(ToolError::run(Code::NoTarget, message, fix));
        }
        let alone = one_voice(call.by, &marked);
        let mut draft = draft(context, marked, call.codes, ids);
        draft.warnings.extend(alone);
        Ok(draft)
    }
}

/// Voices that are much alike are found to be one, which whoever heard them can tell.
fn one_voice(by: By, marked: &[(SegmentId, Segment)]) -> Option<String> {
    let speakers: BTreeSet<_> =
        marked.iter().filter_map(|(_, segment)| segment.speaker.as_deref()).collect();
    let is_alone = by == By::Sound(Count::Found) && marked.len() > 1 && speakers.len() == 1;
    is_alone.then(|| {
        "only one voice was found; if more people speak, say how many: `speakers`, on the command line `--count 2`"
            .to_owned()
    })
}

/// The speakers of segments, at most eight.
fn speakers<'a>(segments: impl Iterator<Item = &'a Segment>) -> String {
    let names: BTreeSet<&str> = segments.filter_map(|one| one.speaker.as_deref()).collect();
    names.into_iter().take(8).collect::<Vec<_>>().join(", ")
}

/// By track where there are several, else the commonest convention.
fn guess(session: &Session, segments: &[SegmentId]) -> Option<By> {
    let of = |id: &SegmentId| session.segments.get(id);
    // Names came with the words, as from a file: nothing is to be found out.
    if segments.iter().filter_map(of).all(|segment| segment.speaker.is_some()) {
        return Some(By::Text(Convention::Colon));
    }
    let placing = Placing::new(session);
    let tracks: BTreeSet<_> = segments
        .iter()
        .filter_map(of)
        .filter_map(|segment| Some(placing.place(segment)?.track))
        .collect();
    if tracks.len() > 1 {
        return Some(By::Track);
    }
    let unnamed = segments.iter().filter_map(of).filter(|segment| segment.speaker.is_none());
    let all = unnamed.clone().count();
    let count = |convention: Convention| {
        let words = unnamed.clone().map(|segment| &segment.words);
        words.filter(|words| names::taken(words, convention).is_some()).count()
    };
    let counted = Convention::ALL.into_iter().map(|convention| (count(convention), convention));
    let (most, convention) = counted.max_by_key(|(count, _)| *count)?;
    (most >= LEAST && most * SHARE >= all).then_some(By::Text(convention))
}

/// Gives phrases that have a speaker back as they are.
fn keep_named(session: &Session, marked: &mut [(SegmentId, Segment)]) {
    for (id, after) in marked {
        let before = session.segments.get(id).filter(|before| before.speaker.is_some());
        if let Some(before) = before {
            after.clone_from(before);
        }
    }
}

/// Segments with names from their text, sorted by time for each source. A segment with its own speaker and
/// no name in front does not continue the speaker before.
fn named(call: &Resolved, session: &Session, convention: Convention) -> Vec<(SegmentId, Segment)> {
    let mut speakers: BTreeMap<_, String> = BTreeMap::new();
    // "ANNA" is "Anna".
    let known = call.segments.iter().filter_map(|id| session.segments.get(id)?.speaker.clone());
    let mut spelled: BTreeMap<String, String> = known.map(|name| (folded(&name), name)).collect();
    let mut marked = Vec::new();
    for id in &call.segments {
        let Some(segment) = session.segments.get(id) else { continue };
        let mut after = segment.clone();
        let stays = call.named == Named::Stay && segment.speaker.is_some();
        match names::taken(&segment.words, convention).filter(|_| !stays) {
            Some((name, words)) => {
                let name = spelled.entry(folded(&name)).or_insert(name);
                (after.speaker, after.words) = (Some(name.clone()), words);
            }
            None => {
                let by_track = || speakers.get(&segment.source).cloned();
                after.speaker = after.speaker.or_else(by_track);
            }
        }
        if let Some(name) = &after.speaker {
            speakers.insert(segment.source, name.clone());
        }
        marked.push((*id, after));
    }
    marked
}

/// Segments with the tracks that hear them loudest.
fn by_track(
    call: &Resolved,
    context: &PlanContext,
) -> Result<Vec<(SegmentId, Segment)>, ToolError> {
    let session = &context.session;
    let placing = Placing::new(session);
    let placed = call.segments.iter().filter_map(|id| {
        let segment = session.segments.get(id)?;
        Some(((*id, segment), placing.place(segment)?))
    });
    let (segments, places): (Vec<_>, Vec<_>) = placed.unzip();
    let mut step = |at| context.step(at, places.len(), "listening to the microphones");
    let owners = levels::owners(context, &places, &mut step)?;
    let mut marked = Vec::new();
    for (((id, segment), place), owner) in segments.into_iter().zip(places).zip(owners) {
        let name = |track| session.tracks.get(&track).map(|track| track.name.clone());
        let mut after = segment.clone();
        after.speaker = name(owner);
        if owner != place.track {
            let value = json!(name(owner));
            let fact = Fact { value, unit: None, confidence: None, by: NAME.into() };
            after.description.facts.insert(BLEED_OF.into(), fact);
        } else {
            after.description.facts.remove(BLEED_OF);
        }
        marked.push((id, after));
    }
    Ok(marked)
}

/// Makes the last change, a part of a split phrase, and those of the other parts need each other: a phrase
/// without its parts would lose words.
fn tie(draft: &mut Draft, change: String) {
    let Some((last, rest)) = draft.changes.split_last_mut() else { return };
    let is_first = |change: &Change| match change {
        Change::SetSegment(edit) => edit.before.is_some(),
        _ => false,
    };
    let first = rest.iter().rposition(|planned| is_first(&planned.change));
    let Some(ahead) = rest.last().map(|planned| planned.id.clone()) else { return };
    last.needs = vec![ahead];
    if let Some(first) = first.and_then(|first| rest.get_mut(first)) {
        first.needs = vec![change];
    }
}

fn draft(
    context: &PlanContext,
    marked: Vec<(SegmentId, Segment)>,
    codes: SpeakerCodes,
    ids: IdSeed,
) -> Draft {
    let session = &*context.session;
    let mut draft = Draft::default();
    let speakers: BTreeSet<String> =
        marked.iter().filter_map(|(_, segment)| segment.speaker.clone()).collect();
    let mut phrases = 0;
    for (id, after) in &marked {
        let before = session.segments.get(id);
        if before == Some(after) {
            continue;
        }
        let name = after.speaker.clone().unwrap_or_default();
        let edit = Edit::new(*id, before.cloned(), Some(after.clone()));
        let is_part = before.is_none();
        let change = draft.change(Change::SetSegment(edit), name, "who says it");
        if is_part {
            tie(&mut draft, change);
        }
        phrases += 1;
    }
    let names = self::speakers(marked.iter().map(|(_, segment)| segment));
    draft.summary = match phrases {
        0 => format!("The speakers are named already: {names}"),
        1 => format!("Name the speaker of 1 phrase: {names}"),
        _ => format!("Name the speakers of {phrases} phrases: {names}"),
    };
    let mut answer =
        json!({"speakers_detected": speakers, "phrases": phrases, "codes_created": []});
    if codes == SpeakerCodes::Make {
        let coded = codes::code(&mut draft, context, ids, &marked);
        draft.summary.push_str(", and code their turns");
        answer["codes_created"] = json!(coded.created);
        answer["batch_id"] = json!(coded.batch);
    }
    draft.answer = Some(answer);
    draft
}
