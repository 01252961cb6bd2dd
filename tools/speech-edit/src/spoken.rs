//! Commands that correct words and speakers by hand.

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

/// `cmd_set_words`.
pub(super) struct SetWords;
/// `cmd_set_speaker`.
pub(super) struct SetSpeaker;

/// Words of a segment, and their new text.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    /// The segment of the transcript.
    segment_id: String,
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

impl Command for SetWords {
    type Params = Written;

    fn spec() -> ToolSpec {
        command(
            "cmd_set_words",
            "Correct words",
            "Corrects misheard words of a transcript. The sound stays unchanged.",
            Category::Organize,
            Trust::Suggest,
            json!({"segment_id": "seg_000000000001", "first": 3, "count": 1, "text": "Dashwood"}),
        )
        .offers(Offers::used("F2 in Words").by(Gesture::SetWords))
    }

    fn plan(params: Written, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let (id, before) = segment(call.session, &params.segment_id)?;
        let held = before.words.len();
        let length = params.count.unwrap_or(held.saturating_sub(params.first));
        let end = params.first.saturating_add(length);
        if length == 0 || end > held {
            let message = format!(
                "the segment has {}, and words {} to {} were asked for",
                count(held, "word"),
                params.first,
                end.saturating_sub(1)
            );
            return Err(refuse(Code::BadParams, message, "count the words of the segment from 0"));
        }
        let texts: Vec<&str> = params.text.split_whitespace().collect();
        if texts.is_empty() && length == held {
            let message = "no word of the segment would be left";
            return Err(refuse(Code::BadParams, message, "leave a word, or cut the sound instead"));
        }
        let mut after = before.clone();
        let old: Vec<Word> = after.words[params.first..end].to_vec();
        let said: Vec<&str> = old.iter().map(|word| word.text.as_str()).collect();
        let summary = format!("Write \"{}\" for \"{}\"", texts.join(" "), said.join(" "));
        after.words.splice(params.first..end, timed(&old, &texts));
        let mut draft = Draft::new(summary);
        let name = call.session.name_of(id.into());
        let edit = Edit::new(id, Some(before.clone()), Some(after.clone()));
        let written = draft.change(Change::SetSegment(edit), name, "written anew");
        assembly::renamed(call.session, id, &after, &written, &mut draft);
        copies::written(call.session, before, &old, &texts, &written, &mut draft);
        Ok(draft)
    }
}

/// New words in the time of old ones. What somebody wrote is sure.
pub(super) fn timed(old: &[Word], texts: &[&str]) -> Vec<Word> {
    if old.len() == texts.len() {
        let write = |(word, text): (&Word, &&str)| Word {
            text: (*text).to_owned(),
            confidence: if word.text == **text { word.confidence } else { None },
            ..word.clone()
        };
        return old.iter().zip(texts).map(write).collect();
    }
    let (Some(first), Some(last)) = (old.first(), old.last()) else { return Vec::new() };
    let letters = |text: &&str| text.chars().count().max(1) as i64;
    let all: i64 = texts.iter().map(letters).sum();
    let span = last.end.0 - first.start.0;
    let mut said = 0;
    let spread = |text: &&str| {
        let place = |letters: i64| Frames(first.start.0 + span * letters / all.max(1));
        let start = place(said);
        said += letters(text);
        Word { text: (*text).to_owned(), start, end: place(said), confidence: None }
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
