//! Transcripts words, and data made of them, as tables for a window or a terminal.
//!
//! Texts are as people said them: whoever prints them cleans them.

use deskhand_session::text::tenths;
use deskhand_session::{
    Assembly, CodeId, Duplicates, Fact, PhraseId, PlanState, Playing, Segment, SegmentId, Session,
    SourceId, StoredPlan, TalkPart, ToolEffect, Transcript,
};
use serde_json::Value;
use std::collections::BTreeMap;

/// Rows and columns; every row has as many cells as there are columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The names of the columns.
    pub columns: Vec<&'static str>,
    /// The rows below them.
    pub rows: Vec<Vec<String>>,
}

/// The table for a handle of words; `None` if it is not in the session.
#[must_use]
pub fn table(session: &Session, said: TalkPart) -> Option<Table> {
    Some(match said {
        TalkPart::Transcript(id) => transcript(session, id)?,
        TalkPart::Codes => codes(session),
        TalkPart::Segments => segments(session),
        TalkPart::Assembly => assembly(session),
        TalkPart::Phrase(id) => phrases(session, [(id, fate(session, id)?)]),
    })
}

/// Whether a plan waits to run a tool that listens, or to go on with a run that was left with the session.
#[must_use]
pub fn is_unfinished(stored: &StoredPlan, effects: &[ToolEffect]) -> bool {
    let is_waiting = stored.state == PlanState::Waiting && stored.plan.changes.is_empty();
    is_waiting && effects.contains(&ToolEffect::Listens)
}

fn transcript(session: &Session, source: SourceId) -> Option<Table> {
    session.sources.get(&source)?;
    let row = |(_, segment): (SegmentId, &Segment)| {
        let who = speaker(segment.speaker.as_ref());
        vec![segment.text(), who, tenths(segment.start.seconds(session.rate).0), sounds(segment)]
    };
    let rows = session.transcript_of(source).into_iter().map(row).collect();
    Some(described(Table { columns: vec!["Said", "Speaker", "At", "Sounds"], rows }))
}

/// How a phrase sounds, in a few words: "-19.3 LUFS, 165 words/min, laughter 1.3 s".
fn sounds(segment: &Segment) -> String {
    let number = |name: &str| told(segment.description.facts.get(name)?);
    let numbers = ["level", "pace"].into_iter().filter_map(number);
    numbers.chain(standing_out(segment)).collect::<Vec<_>>().join(", ")
}

/// What few phrases have: "bleed", "laughter 1.3 s", "overlap 40 %", "off-mic".
#[must_use]
pub fn standing_out(segment: &Segment) -> Vec<String> {
    let words = |name: &str| {
        let fact = segment.description.facts.get(name)?;
        match fact.value {
            Value::Bool(false) => None,
            Value::Bool(true) => Some(name.replace('_', "-")),
            _ => Some(format!("{name} {}", told(fact)?)),
        }
    };
    let bleed = segment.is_bleed().then(|| "bleed".to_owned());
    let facts = ["laughter", "overlap", "off_mic"].into_iter().filter_map(words);
    bleed.into_iter().chain(facts).collect()
}

/// A fact with its unit, in a few words; `None` for lists, and for texts that are no words, such as
/// pictures.
#[must_use]
pub fn told(fact: &Fact) -> Option<String> {
    let text = match &fact.value {
        Value::Number(number) => number.to_string(),
        Value::String(text) if !text.contains('/') => text.clone(),
        Value::Bool(is) => (if *is { "yes" } else { "no" }).to_owned(),
        Value::String(_) | Value::Null | Value::Array(_) | Value::Object(_) => return None,
    };
    let unit = fact.unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
    let doubt = match fact.confidence {
        Some(sure) if sure < 0.5 => " (unsure)",
        Some(_) | None => "",
    };
    Some(format!("{text}{unit}{doubt}"))
}

fn codes(session: &Session) -> Table {
    let mut counts: BTreeMap<CodeId, usize> = BTreeMap::new();
    for coding in session.segments.values().flat_map(|segment| &segment.codings) {
        *counts.entry(coding.code).or_default() += 1;
    }
    let row = |(id, code): (&CodeId, &deskhand_session::Code)| {
        let above = code.parent.map(|parent| session.name_of(parent.into())).unwrap_or_default();
        let segments = counts.get(id).copied().unwrap_or_default();
        vec![code.name.clone(), above, segments.to_string()]
    };
    let rows = session.codes.iter().map(row).collect();
    Table { columns: vec!["Code", "Below", "Segments"], rows }
}

fn segments(session: &Session) -> Table {
    let spoken = Transcripts::of(session);
    let row = |(_, segment): (SegmentId, &Segment)| {
        let codes = segment.codings.iter().map(|coding| session.name_of(coding.code.into()));
        let codes: Vec<String> = codes.collect();
        let name = session.name_of(segment.source.into());
        vec![
            spoken.within(segment),
            codes.join(", "),
            name,
            tenths(segment.start.seconds(session.rate).0),
        ]
    };
    let rows = coded(session).into_iter().map(row).collect();
    Table { columns: vec!["Said", "Codes", "Source", "At"], rows }
}

fn assembly(session: &Session) -> Table {
    phrases(session, in_order(session))
}

fn phrases(session: &Session, all: impl IntoIterator<Item = (PhraseId, Fate)>) -> Table {
    let playing = Playing::of(session);
    let row = |(id, fate): (PhraseId, Fate)| {
        let spoken = playing.spoken(session, id)?;
        let length = playing.length(session, id)?.seconds(session.rate).0;
        let who = speaker(spoken.speaker.as_ref());
        let segments = &session.phrases.get(&id)?.segments;
        let known = segments.iter().filter_map(|id| session.segments.get(id)).map(sounds);
        let sounds: Vec<String> = known.filter(|known| !known.is_empty()).collect();
        let (length, state) = (format!("{length:.1} s"), fate.words().to_owned());
        Some(vec![spoken.text, who, length, state, sounds.join("; ")])
    };
    let rows = all.into_iter().filter_map(row).collect();
    described(Table { columns: vec!["Phrase", "Speaker", "Length", "State", "Sounds"], rows })
}

/// Removes the last column, the sound, if no row has a description of it.
fn described(mut table: Table) -> Table {
    if table.rows.iter().all(|row| row.last().is_some_and(String::is_empty)) {
        table.columns.pop();
        table.rows.iter_mut().for_each(|row| drop(row.pop()));
    }
    table
}

fn speaker(name: Option<&String>) -> String {
    name.cloned().unwrap_or_default()
}

/// The segments that are coded, source by source, in order of time.
#[must_use]
pub fn coded(session: &Session) -> Vec<(SegmentId, &Segment)> {
    let coded = session.segments.iter().filter(|(_, segment)| !segment.codings.is_empty());
    let mut coded: Vec<_> = coded.map(|(id, segment)| (*id, segment)).collect();
    coded.sort_by_key(|(id, segment)| (segment.source, segment.start, *id));
    coded
}

/// What becomes of a phrase of the assembly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It plays.
    Plays,
    /// It is in the order, and no word of it is left in the edit.
    Cut,
    /// Another take of it plays.
    Duplicate,
    /// Another take of it was chosen, which was removed.
    Unheard,
    /// It was removed.
    Removed,
}

impl Fate {
    /// For people and models.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Plays => "plays",
            Self::Cut => "cut out",
            Self::Duplicate => "another take plays",
            Self::Unheard => "no take of it plays",
            Self::Removed => "removed",
        }
    }
}

/// The fate of a phrase; `None` if it does not exist.
#[must_use]
pub fn fate(session: &Session, id: PhraseId) -> Option<Fate> {
    let assembly = &session.assembly;
    session.phrases.get(&id)?;
    Some(if assembly.order.contains(&id) {
        in_the_order(session, &Playing::of(session), id)
    } else if assembly.removed.contains(&id) {
        Fate::Removed
    } else {
        other_take(assembly, id)
    })
}

/// What becomes of a phrase that is in the order.
fn in_the_order(session: &Session, playing: &Playing, id: PhraseId) -> Fate {
    if playing.is_gone(session, id) { Fate::Cut } else { Fate::Plays }
}

/// What becomes of a take that was not chosen.
fn other_take(assembly: &Assembly, id: PhraseId) -> Fate {
    let mut sets = assembly.duplicates.iter().filter(|set| set.takes.contains(&id));
    let plays = sets.any(|set| assembly.order.contains(&set.chosen));
    if plays { Fate::Duplicate } else { Fate::Unheard }
}

/// All phrases of the assembly: playing ones, in order; then takes that do not play, then removed ones.
#[must_use]
pub fn in_order(session: &Session) -> Vec<(PhraseId, Fate)> {
    let (assembly, heard) = (&session.assembly, Playing::of(session));
    let playing = assembly.order.iter().map(|id| (*id, in_the_order(session, &heard, *id)));
    let others = assembly.duplicates.iter().flat_map(Duplicates::others);
    let others = others.map(|id| (id, other_take(assembly, id)));
    playing.chain(others).chain(assembly.removed.iter().map(|id| (*id, Fate::Removed))).collect()
}

/// The transcripts of a session.
#[derive(Debug)]
pub struct Transcripts<'a>(BTreeMap<SourceId, Transcript<'a>>);

impl<'a> Transcripts<'a> {
    /// All words of a session.
    #[must_use]
    pub fn of(session: &'a Session) -> Self {
        Self(session.transcripts())
    }

    /// The words that a segment is about.
    #[must_use]
    pub fn within(&self, segment: &Segment) -> String {
        let transcript = self.0.get(&segment.source);
        transcript.map_or_else(|| segment.text(), |transcript| transcript.said_in(segment))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::{Frames, SampleRate};
    use deskhand_session::{ClipId, Code, Coding, Phrase, SessionId, Track, TrackId, Word};

    /// "We paid the rent." by Ann, with "the rent." coded, and "Bye." that was removed.
    fn talk() -> Session {
        let mut session = Session::new(SessionId::new(1), SampleRate(1_000));
        let source = SourceId::new(1);
        let word = |at: i64, text: &str| Word {
            text: text.into(),
            start: Frames(at * 1_000),
            end: Frames(at * 1_000 + 900),
            confidence: None,
        };
        let lines = [(1, vec![word(0, "We"), word(1, "paid"), word(2, "the"), word(3, "rent.")])];
        let lines = lines.into_iter().chain([(2, vec![word(65, "Bye.")])]);
        for (id, words) in lines {
            let start = words[0].start;
            let length = words[words.len() - 1].end - start;
            let segment = Segment::new(source, start, length);
            let segment = Segment { words, speaker: Some("Ann".into()), ..segment };
            session.segments.insert(SegmentId::new(id), segment);
            let phrase = Phrase { segments: vec![SegmentId::new(id)] };
            session.phrases.insert(PhraseId::new(id), phrase);
        }
        session.codes.insert(CodeId::new(1), Code::new("Money"));
        let coding = Coding::new(CodeId::new(1), None);
        let coded = Segment::new(source, Frames(2_000), Frames(1_900));
        let coded = Segment { codings: vec![coding], ..coded };
        session.segments.insert(SegmentId::new(3), coded);
        session.assembly.order.push(PhraseId::new(1));
        session.assembly.removed.push(PhraseId::new(2));
        session
    }

    #[test]
    fn a_transcript_that_was_described_says_how_it_sounds() {
        let mut session = talk();
        let source = serde_json::json!({
            "name": "talk.wav", "hash": "0".repeat(64), "path": "/a/talk.wav", "size": 1, "modified_ns": 0,
            "format": "WAV 24 bit", "rate": 1_000, "channels": 1, "frames": 70_000, "media": "in_place",
        });
        session.sources.insert(SourceId::new(1), serde_json::from_value(source).unwrap());
        let shown =
            |session: &Session| table(session, TalkPart::Transcript(SourceId::new(1))).unwrap();
        assert_eq!(shown(&session).columns, ["Said", "Speaker", "At"]);
        let fact = |value: Value, unit: Option<&str>, confidence| Fact {
            value,
            unit: unit.map(str::to_owned),
            confidence,
            by: "tool_describe_speech".into(),
        };
        let facts = [
            ("level", fact((-19.3).into(), Some("LUFS"), None)),
            ("laughter", fact(1.2.into(), Some("s"), None)),
            ("off_mic", fact(true.into(), None, Some(0.7))),
            ("language", fact("en".into(), None, None)),
        ];
        let segment = session.segments.get_mut(&SegmentId::new(1)).unwrap();
        segment.description.facts = facts.map(|(name, fact)| (name.to_owned(), fact)).into();
        let table = shown(&session);
        assert_eq!(table.columns, ["Said", "Speaker", "At", "Sounds"]);
        assert_eq!(table.rows[0][3], "-19.3 LUFS, laughter 1.2 s, off-mic");
        assert_eq!(table.rows[1][3], "");
        // A phrase tells it of its segments.
        let phrase = session.phrases.iter().find(|(_, it)| it.segments[0] == SegmentId::new(1));
        let told = super::table(&session, TalkPart::Phrase(*phrase.unwrap().0)).unwrap();
        assert_eq!(told.columns, ["Phrase", "Speaker", "Length", "State", "Sounds"]);
        assert_eq!(told.rows[0][4], "-19.3 LUFS, laughter 1.2 s, off-mic");
    }

    #[test]
    fn a_take_of_which_the_chosen_one_was_removed_does_not_say_that_another_plays() {
        let mut session = talk();
        let takes = vec![PhraseId::new(1), PhraseId::new(2)];
        let (phrase, reason) = (String::new(), String::new());
        let set = Duplicates { phrase, takes, chosen: PhraseId::new(1), reason };
        session.assembly.removed.clear();
        session.assembly.duplicates.push(set);
        assert_eq!(fate(&session, PhraseId::new(2)), Some(Fate::Duplicate));
        session.assembly.order.clear();
        session.assembly.removed.push(PhraseId::new(1));
        let expected = [(PhraseId::new(2), Fate::Unheard), (PhraseId::new(1), Fate::Removed)];
        assert_eq!(in_order(&session), expected);
    }

    #[test]
    fn a_phrase_is_told_as_it_plays_and_as_cut_out_where_nothing_is_left_of_it() {
        let mut session = talk();
        session.tracks.insert(TrackId::new(1), Track::audio("Talk"));
        let rows = |session: &mut Session, start: i64| {
            let clip = serde_json::json!({
                "name": "Talk", "track": TrackId::new(1), "source": SourceId::new(1), "start": start,
                "length": 70_000 - start, "position": 0,
            });
            session.clips.insert(ClipId::new(1), serde_json::from_value(clip).unwrap());
            table(session, TalkPart::Assembly).unwrap().rows
        };
        let removed = ["Bye.", "Ann", "0.9 s", "removed"];
        let cut = ["paid the rent.", "Ann", "2.9 s", "plays"];
        assert_eq!(rows(&mut session, 1_000), [cut, removed]);
        let gone = ["We paid the rent.", "Ann", "3.9 s", "cut out"];
        assert_eq!(rows(&mut session, 4_000), [gone, removed]);
        assert_eq!(fate(&session, PhraseId::new(1)), Some(Fate::Cut));
    }

    #[test]
    fn codes_what_is_coded_and_the_assembly_are_tables() {
        let session = talk();
        let rows = |said| table(&session, said).unwrap().rows;
        assert_eq!(rows(TalkPart::Codes), [["Money", "", "1"]]);
        let source = session.name_of(SourceId::new(1).into());
        assert_eq!(rows(TalkPart::Segments), [["the rent.", "Money", &source, "0:02.0"]]);
        let mut at_once = session.clone();
        let ben =
            Segment { speaker: Some("Ben".into()), ..session.segments[&SegmentId::new(1)].clone() };
        let ben =
            Segment { words: vec![Word { text: "No!".into(), ..ben.words[2].clone() }], ..ben };
        at_once.segments.insert(SegmentId::new(4), ben);
        let said = |who: Option<&str>| {
            let mut session = at_once.clone();
            session.segments.get_mut(&SegmentId::new(3)).unwrap().speaker = who.map(Into::into);
            table(&session, TalkPart::Segments).unwrap().rows[0][0].clone()
        };
        let told = [None, Some("Ann"), Some("Ben")].map(said);
        assert_eq!(told, ["the rent. No!", "the rent.", "No!"]);
        let all =
            [["We paid the rent.", "Ann", "3.9 s", "plays"], ["Bye.", "Ann", "0.9 s", "removed"]];
        assert_eq!(rows(TalkPart::Assembly), all);
        assert_eq!(rows(TalkPart::Phrase(PhraseId::new(2))), all[1..]);
        assert_eq!(table(&session, TalkPart::Phrase(PhraseId::new(9))), None);
        assert_eq!(table(&session, TalkPart::Transcript(SourceId::new(9))), None);
    }
}
