//! Commands that correct words and speakers by hand.

mod misheard;

use super::copies;
use crate::assembly;
use deskhand_dsp::Frames;
use deskhand_session::intent::{Intent, TextKind};
use deskhand_session::text::count;
use deskhand_session::{BLEED_OF, Change, Edit, Segment, SegmentId, Session, SourceId, Word};
use deskhand_toolkit::about::command;
use deskhand_toolkit::target::nobody_called;
use deskhand_toolkit::text::is_same;
use deskhand_toolkit::{
    Category, Code, Command, CommandCall, Draft, Gesture, Offers, ToolError, ToolSpec, Trust,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeSet;
use std::ops::Range;

/// `cmd_set_words`.
pub(super) struct SetWords;
/// `cmd_set_speaker`.
pub(super) struct SetSpeaker;

/// Words of a transcript, and their new text.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    /// The segment of the transcript; omitted: `old` or `phrase` say where.
    segment_id: Option<String>,
    /// The misheard words; punctuation and capitals do not count. They must be said once, unless `phrase` or
    /// `everywhere` says where.
    #[schemars(length(min = 1, max = 1000))]
    old: Option<String>,
    /// A phrase of the assembly (`phr_…`): where `old` is said in it, or all its words.
    phrase: Option<String>,
    /// Correct `old` wherever it is said.
    #[serde(default)]
    everywhere: bool,
    /// The first word, counted from 0; omitted: 0.
    #[serde(default)]
    first: usize,
    /// Number of words; omitted: all from `first`.
    #[schemars(range(min = 1))]
    count: Option<usize>,
    /// The new text. The same number of words keeps its times; otherwise the time is shared by length. ""
    /// removes the words from the transcript, not from the sound.
    #[schemars(length(max = 10_000))]
    text: String,
}

/// The speaker of segments.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Speaks {
    /// A speaker's current name: all their segments. Give this or `segment_ids`.
    speaker: Option<String>,
    /// The segments.
    segment_ids: Option<Vec<String>>,
    /// The new name, up to 200 characters; "" for unknown.
    name: String,
}

pub(super) fn refuse(code: Code, message: impl Into<String>, fix: &str) -> ToolError {
    ToolError::prepare(code, message.into(), fix)
}

pub(super) fn segment<'s>(
    session: &'s Session,
    id: &str,
) -> Result<(SegmentId, &'s Segment), ToolError> {
    let found = id.trim().parse::<SegmentId>().ok();
    let found = found.and_then(|id| Some((id, session.segments.get(&id)?)));
    found.ok_or_else(|| {
        let fix = "see tool_search_transcript for the ids of segments";
        refuse(Code::NoTarget, "there is no segment with that id".to_owned(), fix)
    })
}

/// How people ask for words to be corrected. Words of their own are told from tracks by quotes, by "word" or by a phrase.
fn says_words() -> [Intent; 10] {
    let everywhere =
        |intent: Intent| intent.also("every").flag("every | everywhere", "everywhere", true);
    let phrase = |intent: Intent, preps: &str| intent.said("phrase", preps, TextKind::Phrase);
    let old = |intent: Intent, preps: &str, kind| intent.said("old", preps, kind).needs("old");
    let text = |intent: Intent, preps: &str, kind| intent.said("text", preps, kind).needs("text");
    let replace = || Intent::verbs("replace | fix | change | spell");
    let (by, should) = ("by | with | to", "should say");
    let words = |intent: Intent, preps: &str| {
        text(old(intent, "-", TextKind::Words), preps, TextKind::Text)
    };
    let quotes = |intent: Intent, preps: &str| {
        text(old(intent, "-", TextKind::Quote), preps, TextKind::Quote)
    };
    let instead = text(phrase(Intent::default(), "- | in"), should, TextKind::Text);
    let spelling = old(Intent::verbs("fix | change").about("spelling"), "of", TextKind::Words);
    let rewritten = |intent: Intent, preps: &str| {
        let intent = intent.said("phrase", "-", TextKind::EachPhrase).needs("phrase");
        text(intent, preps, TextKind::Quote)
    };
    [
        words(phrase(everywhere(replace().about("word")), "in | of"), by),
        quotes(phrase(everywhere(replace()), "in | of"), by),
        words(phrase(replace(), "in"), by).needs("phrase"),
        words(everywhere(Intent::verbs("spell")), "to | as | like"),
        text(spelling, "to | as", TextKind::Text).sets("everywhere", true),
        quotes(phrase(Intent::verbs("make"), "in"), "-"),
        quotes(phrase(Intent::default(), "in"), should),
        old(instead, "instead of | not", TextKind::Words).needs("phrase"),
        rewritten(Intent::default(), should),
        rewritten(Intent::verbs("spell | change | fix"), "to"),
    ]
}

impl Command for SetWords {
    type Params = Written;

    fn spec() -> ToolSpec {
        command(
            "cmd_set_words",
            "Correct words",
            "Corrects misheard words of a transcript. The sound stays unchanged.",
            Category::Organize,
            Trust::Suggest,
            json!({"old": "dash would", "text": "Dashwood", "everywhere": true}),
        )
        .says(says_words())
        .offers(Offers::used("F2 in Words").by(Gesture::SetWords))
    }

    fn plan(params: Written, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let places = misheard::places(call.session, &params)?;
        let mut draft = Draft::default();
        for (id, ranges) in &places {
            write(call.session, *id, ranges, &params, &mut draft)?;
        }
        let many = places.iter().map(|(_, ranges)| ranges.len()).sum();
        if let (Some(old), 2..) = (&params.old, many) {
            let what = format!("Write \"{}\" for \"{old}\"", params.text.trim());
            draft.summary = format!("{what} in {}", count(many, "place"));
        }
        Ok(draft)
    }
}

/// Plans new text for words of a segment.
fn write(
    session: &Session,
    id: SegmentId,
    ranges: &[Range<usize>],
    params: &Written,
    draft: &mut Draft,
) -> Result<(), ToolError> {
    let Some(before) = session.segments.get(&id) else { return Ok(()) };
    let (mut after, mut pairs) = (before.clone(), Vec::new());
    // From the end, so that the places of the others stay.
    for range in ranges.iter().rev() {
        let old: Vec<Word> = before.words.get(range.clone()).unwrap_or_default().to_vec();
        let said = misheard::text(&old);
        let new = match params.old {
            Some(_) => misheard::dressed(&said, &params.text),
            None => params.text.clone(),
        };
        let texts: Vec<String> = new.split_whitespace().map(str::to_owned).collect();
        draft.summary = format!("Write \"{}\" for \"{said}\"", texts.join(" "));
        after.words.splice(range.clone(), timed(&old, &texts));
        pairs.push((old, texts));
    }
    if after.words.is_empty() {
        let message = "no word of the segment would be left";
        return Err(refuse(Code::BadParams, message, "leave a word, or cut the sound instead"));
    }
    let name = session.name_of(id.into());
    let edit = Edit::new(id, Some(before.clone()), Some(after.clone()));
    let written = draft.change(Change::SetSegment(edit), name, "corrected");
    assembly::renamed(session, id, &after, &written, draft);
    copies::written(session, before, &pairs, &written, draft);
    Ok(())
}

/// New words in the time of old ones. What somebody wrote is sure.
pub(super) fn timed(old: &[Word], texts: &[String]) -> Vec<Word> {
    if old.len() == texts.len() {
        let write = |(word, text): (&Word, &String)| Word {
            text: text.clone(),
            confidence: if word.text == *text { word.confidence } else { None },
            ..word.clone()
        };
        return old.iter().zip(texts).map(write).collect();
    }
    let (Some(first), Some(last)) = (old.first(), old.last()) else { return Vec::new() };
    let letters = |text: &String| text.chars().count().max(1) as i64;
    let all: i64 = texts.iter().map(letters).sum();
    let span = last.end.0 - first.start.0;
    let mut said = 0;
    let spread = |text: &String| {
        let place = |letters: i64| Frames(first.start.0 + span * letters / all.max(1));
        let start = place(said);
        said += letters(text);
        Word { text: text.clone(), start, end: place(said), confidence: None }
    };
    texts.iter().map(spread).collect()
}

fn says() -> [Intent; 3] {
    let rename = |intent: Intent, kind: TextKind| {
        intent
            .said("speaker", "-", kind)
            .name("- | to | called | as")
            .needs("speaker")
            .needs("name")
    };
    [
        rename(Intent::verbs("rename speaker"), TextKind::Speaker),
        rename(Intent::verbs("rename | call | name"), TextKind::OnlySpeaker),
        rename(Intent::default().about("is").also("really"), TextKind::OnlySpeaker),
    ]
}

impl Command for SetSpeaker {
    type Params = Speaks;

    fn spec() -> ToolSpec {
        command(
            "cmd_set_speaker",
            "Name a speaker",
            "Renames a speaker everywhere, or sets the speaker of single transcript segments.",
            Category::Organize,
            Trust::Suggest,
            json!({"speaker": "Speaker 1", "name": "Anna"}),
        )
        .command("words rename", "Rename a speaker everywhere")
        .arg("SPEAKER", "speaker", "The current name, such as \"Speaker 1\"")
        .arg("NAME", "name", "The new name")
        .offers(Gesture::SetSpeaker)
        .says(says())
    }

    fn plan(params: Speaks, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let session = call.session;
        let name = params.name.trim().to_owned();
        let mut ids: Vec<SegmentId> = match (&params.speaker, params.segment_ids) {
            (Some(speaker), None) => of_speaker(session, speaker)?,
            (None, Some(ids)) if !ids.is_empty() => {
                let found = ids.iter().map(|id| segment(session, id).map(|(id, _)| id));
                found.collect::<Result<_, _>>()?
            }
            (Some(_) | None, _) => {
                let fix = "give either `speaker` or `segment_ids`";
                return Err(refuse(Code::BadParams, "it says not whose name to set", fix));
            }
        };
        let place = |id: &SegmentId| session.segments.get(id).map(|it| (it.source, it.start, *id));
        ids.sort_by_key(place);
        ids.dedup();
        let shown = if name.is_empty() { "nobody known" } else { &name };
        let mut draft = Draft::new(match &params.speaker {
            Some(speaker) => format!("Call {speaker} {shown}"),
            None => format!("{} said by {shown}", count(ids.len(), "phrase")),
        });
        draft.warnings.extend(becomes_one(session, params.speaker.as_deref(), &name));
        for id in ids {
            let Some(before) = session.segments.get(&id) else { continue };
            let after = spoken_by(session, before, &name, params.speaker.as_deref());
            if after != *before {
                let edit = Edit::new(id, Some(before.clone()), Some(after));
                draft.change(Change::SetSegment(edit), session.name_of(id.into()), "as asked");
            }
        }
        Ok(draft)
    }
}

/// The warning that a speaker's new name is another speaker's: afterwards nothing distinguishes the two.
fn becomes_one(session: &Session, speaker: Option<&str>, name: &str) -> Option<String> {
    let mut known = session.segments.values().filter_map(|segment| segment.speaker.as_deref());
    let is_other = speaker.is_some_and(|speaker| !is_same(speaker, name));
    (is_other && known.any(|other| is_same(other, name))).then(|| {
        format!(
            "\"{name}\" is another speaker: the two become one, and only undo parts them again."
        )
    })
}

/// A segment with another speaker, renamed if there is an `old` name. Bleed stays bleed under any name,
/// unless that speaker is now said to speak in this very segment and no other microphone.
fn spoken_by(session: &Session, before: &Segment, name: &str, old: Option<&str>) -> Segment {
    let speaker = Some(name.to_owned()).filter(|name| !name.is_empty());
    let mut after = Segment { speaker, ..before.clone() };
    if after.speaker == before.speaker {
        return after;
    }
    let facts = &mut after.description.facts;
    if old.is_none() && is_own_microphone(session, before.source, name) {
        facts.remove(BLEED_OF);
    } else if let (Some(name), Some(fact)) = (&after.speaker, facts.get_mut(BLEED_OF)) {
        fact.value = json!(name);
    }
    after
}

/// Whether a source may be the microphone of a speaker: they are heard by it elsewhere, or by no other one.
fn is_own_microphone(session: &Session, source: SourceId, name: &str) -> bool {
    let said = session.segments.values().filter(|it| !it.words.is_empty() && !it.is_bleed());
    let own = said.filter(|it| it.speaker.as_deref() == Some(name));
    let own: BTreeSet<SourceId> = own.map(|it| it.source).collect();
    !name.is_empty() && (own.is_empty() || own.contains(&source))
}

fn of_speaker(session: &Session, speaker: &str) -> Result<Vec<SegmentId>, ToolError> {
    let of = |is_theirs: &dyn Fn(&str) -> bool| -> Vec<SegmentId> {
        let named =
            session.segments.iter().filter(|(_, it)| it.speaker.as_deref().is_some_and(is_theirs));
        named.map(|(id, _)| *id).collect()
    };
    // "Ann" and "ANN" may be two; where they are not, capitals do not count.
    let found = [of(&|name| name == speaker), of(&|name| is_same(name, speaker))];
    let found = found.into_iter().find(|found| !found.is_empty());
    found.ok_or_else(|| nobody_called(session, speaker))
}

#[cfg(test)]
mod tests;
