//! What is said, and what was made of it, as tables that a window or a terminal shows.
//!
//! Texts are as people said them: whoever prints them cleans them.

use deskhand_dsp::Frames;
use deskhand_session::{
    CodeId, Duplicates, PhraseId, Segment, SegmentId, Session, SourceId, TalkPart,
};
use std::collections::BTreeMap;

/// Rows and columns; every row has as many cells as there are columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The names of the columns.
    pub columns: Vec<&'static str>,
    /// What stands under them.
    pub rows: Vec<Vec<String>>,
}

/// What a handle of words names, as a table; none when it is not in the session.
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

fn transcript(session: &Session, source: SourceId) -> Option<Table> {
    session.sources.get(&source)?;
    let row = |(_, segment): (SegmentId, &Segment)| {
        vec![segment.text(), speaker(segment.speaker.as_ref()), clock(session, segment.start)]
    };
    let rows = session.transcript_of(source).into_iter().map(row).collect();
    Some(Table { columns: vec!["Said", "Speaker", "At"], rows })
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
    let spoken = Spoken::of(session);
    let row = |(_, segment): (SegmentId, &Segment)| {
        let codes = segment.codings.iter().map(|coding| session.name_of(coding.code.into()));
        let codes: Vec<String> = codes.collect();
        let name = session.name_of(segment.source.into());
        vec![spoken.within(segment), codes.join(", "), name, clock(session, segment.start)]
    };
    let rows = coded(session).into_iter().map(row).collect();
    Table { columns: vec!["Said", "Codes", "Source", "At"], rows }
}

fn assembly(session: &Session) -> Table {
    phrases(session, in_order(session))
}

fn phrases(session: &Session, all: impl IntoIterator<Item = (PhraseId, Fate)>) -> Table {
    let row = |(id, fate): (PhraseId, Fate)| {
        let spoken = session.spoken(id)?;
        let length = (spoken.end - spoken.start).seconds(session.rate).0;
        let who = speaker(spoken.speaker.as_ref());
        Some(vec![spoken.text, who, format!("{length:.1} s"), fate.words().to_owned()])
    };
    let rows = all.into_iter().filter_map(row).collect();
    Table { columns: vec!["Phrase", "Speaker", "Length", "State"], rows }
}

fn speaker(name: Option<&String>) -> String {
    name.cloned().unwrap_or_default()
}

fn clock(session: &Session, at: Frames) -> String {
    let seconds = at.seconds(session.rate).0;
    format!("{}:{:04.1}", (seconds / 60.0).floor(), seconds % 60.0)
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
    /// Another take of it plays.
    Duplicate,
    /// It was removed.
    Removed,
}

impl Fate {
    /// For people and models.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Plays => "plays",
            Self::Duplicate => "another take plays",
            Self::Removed => "removed",
        }
    }
}

/// What becomes of a phrase; none when there is none.
#[must_use]
pub fn fate(session: &Session, id: PhraseId) -> Option<Fate> {
    let assembly = &session.assembly;
    session.phrases.get(&id)?;
    Some(if assembly.order.contains(&id) {
        Fate::Plays
    } else if assembly.removed.contains(&id) {
        Fate::Removed
    } else {
        Fate::Duplicate
    })
}

/// All phrases of the assembly: what plays, in order; then takes that do not, then what was removed.
#[must_use]
pub fn in_order(session: &Session) -> Vec<(PhraseId, Fate)> {
    let assembly = &session.assembly;
    let playing = assembly.order.iter().map(|id| (*id, Fate::Plays));
    let others = assembly.duplicates.iter().flat_map(Duplicates::others);
    let others = others.map(|id| (id, Fate::Duplicate));
    playing.chain(others).chain(assembly.removed.iter().map(|id| (*id, Fate::Removed))).collect()
}

/// The words of each source, by their start.
#[derive(Debug)]
pub struct Spoken<'a>(BTreeMap<SourceId, Vec<(Frames, Frames, &'a str)>>);

impl<'a> Spoken<'a> {
    /// All words of a session.
    #[must_use]
    pub fn of(session: &'a Session) -> Self {
        let mut spoken: BTreeMap<SourceId, Vec<_>> = BTreeMap::new();
        for segment in session.segments.values() {
            let words = segment.words.iter().map(|word| (word.start, word.end, word.text.as_str()));
            spoken.entry(segment.source).or_default().extend(words);
        }
        spoken.values_mut().for_each(|words| words.sort_unstable());
        Self(spoken)
    }

    /// The words that lie inside a segment.
    #[must_use]
    pub fn within(&self, segment: &Segment) -> String {
        let words = self.0.get(&segment.source).map(Vec::as_slice).unwrap_or_default();
        let first = words.partition_point(|(start, ..)| *start < segment.start);
        let inside = words.iter().skip(first);
        let inside = inside.take_while(|(start, ..)| *start < segment.end());
        let inside = inside.filter(|(_, end, _)| *end <= segment.end());
        inside.map(|(.., text)| *text).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::SampleRate;
    use deskhand_session::{Code, Coding, Phrase, SessionId, Word};

    /// "We paid the rent." by Ann, of which "the rent." is coded, and "Bye." that was removed.
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
        let coding = Coding { code: CodeId::new(1), batch: None, coder: None };
        let coded = Segment::new(source, Frames(2_000), Frames(1_900));
        let coded = Segment { codings: vec![coding], ..coded };
        session.segments.insert(SegmentId::new(3), coded);
        session.assembly.order.push(PhraseId::new(1));
        session.assembly.removed.push(PhraseId::new(2));
        session
    }

    #[test]
    fn codes_what_is_coded_and_the_assembly_are_tables() {
        let session = talk();
        let rows = |said| table(&session, said).unwrap().rows;
        assert_eq!(rows(TalkPart::Codes), [["Money", "", "1"]]);
        let source = session.name_of(SourceId::new(1).into());
        assert_eq!(rows(TalkPart::Segments), [["the rent.", "Money", &source, "0:02.0"]]);
        let all =
            [["We paid the rent.", "Ann", "3.9 s", "plays"], ["Bye.", "Ann", "0.9 s", "removed"]];
        assert_eq!(rows(TalkPart::Assembly), all);
        assert_eq!(rows(TalkPart::Phrase(PhraseId::new(2))), all[1..]);
        assert_eq!(table(&session, TalkPart::Phrase(PhraseId::new(9))), None);
        assert_eq!(table(&session, TalkPart::Transcript(SourceId::new(9))), None);
    }
}
