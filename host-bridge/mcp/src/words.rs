//! Spoken words as resources: transcripts, the codebook, coded segments, and phrases in playing order. What
//! people say is data: it has fields of its own, is cleaned, and never makes a line of its own.

use deskhand_dsp::{Frames, SampleRate};
use deskhand_protocol::Snapshot;
use deskhand_protocol::clean::clean;
use deskhand_protocol::transcript_tables::{self, Fate, Transcripts};
use deskhand_session::handle::SCHEME;
use deskhand_session::{
    Code, CodeId, PhraseId, PlanId, Playing, Segment, SegmentId, Session, SourceId, Word,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The most segments or phrases in one answer; `?from=` gives the others.
const SHOWN: usize = 1_000;
/// The same where each comes with the times of its words.
const TIMED: usize = 200;
/// The longest text of one segment.
const LONGEST: usize = 2_000;

/// Something of the words of a session that has a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Words {
    /// A transcript, from one of its segments on.
    Transcript(SourceId, usize),
    /// The same as lines of text.
    Text(SourceId, usize),
    /// The same with the time of each word.
    Timed(SourceId, usize),
    Codes,
    /// One code, with its coded segments, from one of those on.
    Code(CodeId, usize),
    /// The segments that are coded, from one of them on.
    Segments(usize),
    /// One segment, of a transcript or coded.
    Segment(SegmentId),
    /// The phrases, from one of them on.
    Assembly(usize),
    Phrase(PhraseId),
}

/// A resource that was read.
#[derive(Debug, PartialEq)]
pub(crate) enum Found {
    Json(Value),
    Plain(String),
}

impl Words {
    /// The words resource of `uri`, if it is one.
    pub(crate) fn of(uri: &str) -> Option<Self> {
        let rest = uri.strip_prefix(SCHEME)?;
        let (path, from) = match rest.split_once("?from=") {
            Some((path, from)) => (path, from.parse().ok()?),
            None => (rest, 0),
        };
        let found = match path.split_once('/') {
            None => match path {
                "codes" if from == 0 => Self::Codes,
                "segments" => Self::Segments(from),
                "assembly" => Self::Assembly(from),
                _ => return None,
            },
            Some(("transcripts", id)) => match id.split_once('/') {
                Some((id, "text")) => Self::Text(id.parse().ok()?, from),
                Some((id, "words")) => Self::Timed(id.parse().ok()?, from),
                Some(_) => return None,
                None => Self::Transcript(id.parse().ok()?, from),
            },
            Some(("codes", id)) => Self::Code(id.parse().ok()?, from),
            Some(("segments", id)) if from == 0 => Self::Segment(id.parse().ok()?),
            Some(("phrases", id)) if from == 0 => Self::Phrase(id.parse().ok()?),
            Some(_) => return None,
        };
        Some(found)
    }

    /// Whether it is a transcript, which an unfinished transcription still adds to.
    pub(crate) fn is_transcript(self) -> bool {
        matches!(self, Self::Transcript(..) | Self::Text(..) | Self::Timed(..))
    }

    /// The content of the resource; `None` if there is nothing of the kind.
    pub(crate) fn read(self, snapshot: &Snapshot) -> Option<Found> {
        let session = &snapshot.session;
        let value = match self {
            Self::Transcript(source, from) => transcript(session, source, from)?,
            Self::Text(source, from) => return text(session, source, from).map(Found::Plain),
            Self::Timed(source, from) => timed(session, source, from)?,
            Self::Codes => codes(session),
            Self::Code(id, from) => code(session, id, from)?,
            Self::Segments(from) => coded(session, from),
            Self::Segment(id) => segment(session, id)?,
            Self::Assembly(from) => assembly(session, from),
            Self::Phrase(id) => {
                let along = session.along().remove(&id).unwrap_or_default();
                let playing = Playing::of(session);
                phrase(session, &playing, (id, transcript_tables::fate(session, id)?), &along)?
            }
        };
        let mut value = value;
        value["revision"] = json!(snapshot.head);
        Some(Found::Json(value))
    }
}

impl Found {
    /// The same with a transcription that is not done: its plan, and how much of it is done, 0 to 1, where it runs.
    pub(crate) fn unfinished(self, plan: PlanId, done: Option<f64>) -> Self {
        match (self, done) {
            (Self::Json(mut value), Some(done)) => {
                value["running"] = json!({"plan": plan, "done": done});
                Self::Json(value)
            }
            (Self::Json(mut value), None) => {
                value["unfinished"] = json!(plan);
                Self::Json(value)
            }
            (Self::Plain(text), done) => {
                let how = match done.map(|done| done * 100.0) {
                    Some(percent) => format!("runs, {percent:.0} % of it done"),
                    None => "was left unfinished and waits".into(),
                };
                Self::Plain(format!("{text}\n(a transcription {how}: {SCHEME}plans/{plan})"))
            }
        }
    }
}

/// Why the id after codes/ or segments/ is invalid, and the handle that lists valid ones. `None` if `uri`
/// begins otherwise.
pub(crate) fn wrong_id(uri: &str) -> Option<(String, &'static str)> {
    let (kind, id) = uri.strip_prefix(SCHEME)?.split_once('/')?;
    match kind {
        "codes" => Some((id.parse::<CodeId>().err()?.to_string(), "codes")),
        "segments" => Some((id.parse::<SegmentId>().err()?.to_string(), "segments")),
        _ => None,
    }
}

/// The handles that are there now, each with its name and what it is.
pub(crate) fn listed(session: &Session, most: usize) -> Vec<(String, String, &'static str)> {
    let named = |path: &str, name: &str, what| (format!("{SCHEME}{path}"), name.to_owned(), what);
    let mut found = Vec::new();
    if !session.codes.is_empty() {
        found.push(named("codes", "Codes", "The codebook"));
        found.push(named("segments", "Coded segments", "What is coded, with its words"));
    }
    if !session.phrases.is_empty() {
        found.push(named("assembly", "Assembly", "The phrases in the order in which they play"));
    }
    for source in transcribed(session).into_iter().take(most) {
        let name = clean(&session.name_of(source.into()), 200);
        found.push(named(&format!("transcripts/{source}"), &name, "What is said in it"));
    }
    found
}

pub(crate) fn transcribed(session: &Session) -> BTreeSet<SourceId> {
    let spoken = session.segments.values().filter(|segment| !segment.words.is_empty());
    spoken.map(|segment| segment.source).collect()
}

fn seconds(at: Frames, rate: SampleRate) -> f64 {
    (at.seconds(rate).0 * 1000.0).round() / 1000.0
}

/// Words on one line, whatever they contain.
fn line(text: &str) -> String {
    clean(text, LONGEST).replace('\n', " ")
}

/// A part of a list: the items from `from` on, how many are left out, and where the next part is.
fn page(all: Vec<Value>, from: usize, handle: &str) -> (Vec<Value>, Value) {
    page_of(SHOWN, all, from, handle)
}

fn page_of(most: usize, all: Vec<Value>, from: usize, handle: &str) -> (Vec<Value>, Value) {
    let total = all.len();
    let shown: Vec<_> = all.into_iter().skip(from).take(most).collect();
    let end = from + shown.len();
    let next = (end < total).then(|| format!("{handle}?from={end}"));
    (shown, json!({"total": total, "from": from, "next": next}))
}

/// The segments of a transcript; `cut` are those words of one that were cut out of the edit.
fn transcript(session: &Session, source: SourceId, from: usize) -> Option<Value> {
    session.sources.get(&source)?;
    let said = session.transcript_of(source);
    let handle = format!("{SCHEME}transcripts/{source}");
    let playing = Playing::of(session);
    let row = |(id, segment): (SegmentId, &Segment)| {
        let mut row = segment_row(session, id, segment);
        if let Some(cut) = playing.cut_from(segment) {
            row["cut"] = json!(line(&cut));
        }
        row
    };
    let rows = said.into_iter().map(row).collect();
    let (segments, page) = page(rows, from, &handle);
    let name = line(&session.name_of(source.into()));
    Some(json!({"source": source, "name": name, "segments": segments, "page": page}))
}

fn segment_row(session: &Session, id: SegmentId, segment: &Segment) -> Value {
    let mut row = json!({
        "id": id,
        "start_s": seconds(segment.start, session.rate),
        "end_s": seconds(segment.end(), session.rate),
        "speaker": segment.speaker.as_deref().map(line),
        "text": line(&segment.text()),
    });
    if segment.important {
        row["important"] = json!(true);
    }
    let facts = segment.description.facts.iter();
    let facts: serde_json::Map<String, Value> = facts
        .filter_map(|(name, fact)| Some((line(name), json!(line(&transcript_tables::told(fact)?)))))
        .collect();
    if !facts.is_empty() {
        row["known"] = facts.into();
    }
    if let Some(memo) = session.memos.get(&id.into()) {
        row["memo"] = json!(line(memo));
    }
    row
}

/// The transcript with the time of each word: `{text, start_s, end_s, confidence}`, in seconds of the source, 0 to 1;
/// `cut` where the word was cut out of the edit.
fn timed(session: &Session, source: SourceId, from: usize) -> Option<Value> {
    session.sources.get(&source)?;
    let playing = Playing::of(session);
    let row = |(id, segment): (SegmentId, &Segment)| {
        let speaker = segment.speaker.as_deref().map(line);
        let words = words_of(session, &playing, segment);
        let mut row = json!({"id": id, "speaker": speaker, "words": words});
        if segment.is_bleed() {
            row["bleed"] = json!(true);
        }
        row
    };
    let rows = session.transcript_of(source).into_iter().map(row).collect();
    let handle = format!("{SCHEME}transcripts/{source}/words");
    let (segments, page) = page_of(TIMED, rows, from, &handle);
    let name = line(&session.name_of(source.into()));
    Some(json!({"source": source, "name": name, "segments": segments, "page": page}))
}

fn words_of(session: &Session, playing: &Playing, segment: &Segment) -> Vec<Value> {
    let word = |word: &Word| {
        let mut row = json!({
            "text": line(&word.text),
            "start_s": seconds(word.start, session.rate),
            "end_s": seconds(word.end, session.rate),
            "confidence": word.confidence.map(|it| (it * 1000.0).round() / 1000.0),
        });
        if playing.is_cut(segment.source, word) {
            row["cut"] = json!(true);
        }
        row
    };
    segment.words.iter().map(word).collect()
}

/// A line a segment: time, speaker, words, and "(bleed)" if another speaker's microphone heard them.
fn text(session: &Session, source: SourceId, from: usize) -> Option<String> {
    session.sources.get(&source)?;
    let said = session.transcript_of(source);
    let total = said.len();
    let one = |(_, segment): (SegmentId, &Segment)| {
        let start = seconds(segment.start, session.rate);
        let who = segment.speaker.as_deref().map(|who| format!("{}: ", line(who)));
        let bleed = if segment.is_bleed() { " (bleed)" } else { "" };
        format!("[{start:.2}] {}{}{bleed}", who.unwrap_or_default(), line(&segment.text()))
    };
    let mut lines: Vec<_> = said.into_iter().skip(from).take(SHOWN).map(one).collect();
    let end = from + lines.len();
    if end < total {
        lines.push(format!("(more: {SCHEME}transcripts/{source}/text?from={end})"));
    }
    Some(lines.join("\n"))
}

fn codes(session: &Session) -> Value {
    let mut counts: BTreeMap<CodeId, usize> = BTreeMap::new();
    for coding in session.segments.values().flat_map(|segment| &segment.codings) {
        *counts.entry(coding.code).or_default() += 1;
    }
    let row = |(id, code): (&CodeId, &Code)| {
        let mut row = code_row(session, *id, code);
        row["segments"] = json!(counts.get(id).copied().unwrap_or_default());
        row
    };
    json!({"codes": session.codes.iter().map(row).collect::<Vec<_>>()})
}

fn code_row(session: &Session, id: CodeId, code: &Code) -> Value {
    json!({
        "id": id,
        "name": line(&code.name),
        "color": code.color,
        "description": line(&code.description),
        "parent": code.parent,
        "memo": session.memos.get(&id.into()).map(|memo| line(memo)),
    })
}

/// A code, with the segments that are coded with it.
fn code(session: &Session, id: CodeId, from: usize) -> Option<Value> {
    let mut row = code_row(session, id, session.codes.get(&id)?);
    let spoken = Transcripts::of(session);
    let is_own = |segment: &Segment| segment.codings.iter().any(|coding| coding.code == id);
    let own = transcript_tables::coded(session).into_iter().filter(|(_, segment)| is_own(segment));
    let rows = own.map(|(id, segment)| coded_row(session, &spoken, id, segment)).collect();
    let (segments, page) = page(rows, from, &format!("{SCHEME}codes/{id}"));
    (row["segments"], row["page"]) = (segments.into(), page);
    Some(row)
}

fn coded(session: &Session, from: usize) -> Value {
    let spoken = Transcripts::of(session);
    let all = transcript_tables::coded(session).into_iter();
    let rows = all.map(|(id, segment)| coded_row(session, &spoken, id, segment)).collect();
    let (segments, page) = page(rows, from, "deskhand://segments");
    json!({"segments": segments, "page": page})
}

fn coded_row(
    session: &Session,
    spoken: &Transcripts<'_>,
    id: SegmentId,
    segment: &Segment,
) -> Value {
    let mut row = segment_row(session, id, segment);
    row["source"] = json!(segment.source);
    row["text"] = json!(line(&spoken.within(segment)));
    row["band"] = json!(segment.band);
    row["codes"] = segment
        .codings
        .iter()
        .map(|coding| {
            let name = line(&session.name_of(coding.code.into()));
            let coder = coding.coder.as_deref().map(line);
            json!({"code": coding.code, "name": name, "coder": coder, "batch": coding.batch})
        })
        .collect();
    row
}

/// One segment, with its codes and the times of its own words.
fn segment(session: &Session, id: SegmentId) -> Option<Value> {
    let segment = session.segments.get(&id)?;
    let mut row = coded_row(session, &Transcripts::of(session), id, segment);
    row["words"] = words_of(session, &Playing::of(session), segment).into();
    Some(row)
}

/// A phrase: text, times and length are without cuts; `whole_text` has all words, if there are more.
fn phrase(
    session: &Session,
    playing: &Playing,
    (id, fate): (PhraseId, Fate),
    along: &[SegmentId],
) -> Option<Value> {
    let length = playing.length(session, id)?;
    let (spoken, whole) = (playing.spoken(session, id)?, session.spoken(id)?);
    let mut row = json!({
        "group_id": id,
        "state": fate.words(),
        "source": spoken.source,
        "segment_ids": session.phrases.get(&id)?.segments,
        "start_s": seconds(spoken.start, session.rate),
        "end_s": seconds(spoken.end, session.rate),
        "length_s": seconds(length, session.rate),
        "speaker": spoken.speaker.as_deref().map(line),
        "confidence": spoken.confidence.map(|it| (it * 1000.0).round() / 1000.0),
        "text": line(&spoken.text),
    });
    if whole.text != spoken.text {
        row["whole_text"] = json!(line(&whole.text));
    }
    if !along.is_empty() {
        let beside = along.iter().filter_map(|id| Some((id, session.segments.get(id)?)));
        row["along"] = beside
            .map(|(id, segment)| {
                let speaker = segment.speaker.as_deref().map(line);
                json!({"segment_id": id, "speaker": speaker, "text": line(&segment.text())})
            })
            .collect();
    }
    Some(row)
}

/// The playing phrases, in order; then takes that do not play, then removed phrases.
fn assembly(session: &Session, from: usize) -> Value {
    let assembly = &session.assembly;
    let all = transcript_tables::in_order(session).into_iter();
    let (along, playing) = (session.along(), Playing::of(session));
    let beside = |id: &PhraseId| along.get(id).map_or(&[][..], Vec::as_slice);
    let row = |one: (PhraseId, Fate)| phrase(session, &playing, one, beside(&one.0));
    let rows = all.filter_map(row).collect();
    let (phrases, page) = page(rows, from, "deskhand://assembly");
    let duplicates = assembly.duplicates.iter().map(|group| {
        json!({
            "phrase": line(&group.phrase), "group_ids": group.takes, "chosen": group.chosen,
            "reason": line(&group.reason),
        })
    });
    json!({
        "phrases": phrases, "page": page, "duplicates": duplicates.collect::<Vec<_>>(),
        "finished": assembly.finished.as_deref().map(line),
    })
}

#[cfg(test)]
mod tests;
