//! A recording of a project: its transcript with points where text and time meet, and the codings of both.

use super::guid::guid;
use super::project::Project;
use super::transcript::Script;
use super::write::{Xml, note};
use crate::text::Talk;
use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::{Segment, SegmentId, Session, Source, SourceId};
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;

/// Something coded that is words and nothing else, as a range of words.
type Said<'a> = (SegmentId, &'a Segment, Range<usize>);

/// Writes a recording; returns the text of its transcript, with the name of its file.
pub(super) fn write(
    xml: &mut Xml,
    project: &Project<'_>,
    id: SourceId,
    source: &Source,
) -> io::Result<Option<(String, String)>> {
    let session = project.session;
    let own = guid(session.id, &id.to_string());
    let path = format!("relative:///{}", beside(session, source));
    xml.open("AudioSource", &[("guid", &own), ("name", &source.name), ("path", &path)])?;
    let talk = project.talks.iter().find(|talk| talk.source == id);
    let coded = project.coded.get(&id).map(Vec::as_slice).unwrap_or_default();
    let mut said: Vec<Said<'_>> = Vec::new();
    let mut heard = Vec::new();
    for (segment_id, segment) in coded {
        match talk.and_then(|talk| words(talk, segment)) {
            Some(range) => said.push((*segment_id, segment, range)),
            None => heard.push((*segment_id, *segment)),
        }
    }
    let script = match talk {
        Some(talk) => Some(transcript(xml, project, talk, &said)?),
        None => None,
    };
    for (segment_id, segment) in heard {
        selection(xml, project, segment_id, segment)?;
    }
    note(xml, &project.notes, id.into())?;
    xml.close("AudioSource")?;
    Ok(script)
}

/// The place of a recording next to the file: its name, after as many of its folders as make it unique.
pub(super) fn beside(session: &Session, source: &Source) -> String {
    let parts = |path: &str| -> Vec<String> {
        path.split(['/', '\\']).filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let own = parts(&source.path);
    let others = session.sources.values().filter(|other| other.path != source.path);
    let others: Vec<Vec<String>> = others.map(|other| parts(&other.path)).collect();
    let is_alone = |tail: &&[String]| !others.iter().any(|other| other.ends_with(tail));
    let mut tails = (0..own.len()).rev().filter_map(|from| own.get(from..));
    match tails.find(is_alone) {
        Some(tail) => tail.join("/"),
        None if own.is_empty() => source.name.clone(),
        None => own.join("/"),
    }
}

/// Something coded that is a stretch of sound.
fn selection(
    xml: &mut Xml,
    project: &Project<'_>,
    id: SegmentId,
    segment: &Segment,
) -> io::Result<()> {
    let session = project.session;
    let guid = guid(session.id, &id.to_string());
    let [begin, end] = [segment.start, segment.end()].map(|at| ms(at, session.rate));
    let attributes = [("guid", guid.as_str()), ("begin", &begin), ("end", &end)];
    xml.open("AudioSelection", &attributes)?;
    xml.text("Description", &described(segment))?;
    codings(xml, project, id, segment)?;
    note(xml, &project.notes, id.into())?;
    xml.close("AudioSelection")
}

/// What the format has no element for: frequencies, and whether it is important.
fn described(segment: &Segment) -> String {
    let band = segment.band.map(|band| format!("{} to {} Hz", band.low_hz, band.high_hz));
    let mark = segment.important.then(|| "Important".to_owned());
    mark.into_iter().chain(band).collect::<Vec<_>>().join(", ")
}

/// The words of a segment, if they are consecutive, the segment begins and ends with them, and it has no
/// frequency band.
fn words(talk: &Talk<'_>, segment: &Segment) -> Option<Range<usize>> {
    let frames = segment.start..segment.end();
    let said = talk.said.within(&frames, segment.speaker.as_deref());
    let range = *said.first()?..said.last()? + 1;
    let fits = range.len() == said.len() && talk.frames(&range) == frames;
    (fits && segment.band.is_none()).then_some(range)
}

fn transcript(
    xml: &mut Xml,
    project: &Project<'_>,
    talk: &Talk<'_>,
    said: &[Said<'_>],
) -> io::Result<(String, String)> {
    let session = project.session;
    let own = guid(session.id, &format!("{} transcript", talk.source));
    let file = format!("{own}.txt");
    let script = Script::new(talk);
    let points = points(project, talk, &script, said);
    let path = format!("internal://{file}");
    xml.open("Transcript", &[("guid", &own), ("plainTextPath", &path)])?;
    for (position, (guid, at)) in &points {
        let (position, at) = (position.to_string(), ms(*at, session.rate));
        let attributes = [("guid", guid.as_str()), ("timeStamp", &at), ("position", &position)];
        xml.empty("SyncPoint", &attributes)?;
    }
    for (id, segment, range) in said {
        let own = guid(session.id, &id.to_string());
        let [from, to] =
            ends(&script, range).map(|at| points.get(&at).map_or("", |(guid, _)| guid));
        let attributes = [("guid", own.as_str()), ("fromSyncPoint", from), ("toSyncPoint", to)];
        xml.open("TranscriptSelection", &attributes)?;
        xml.text("Description", &described(segment))?;
        codings(xml, project, *id, segment)?;
        note(xml, &project.notes, (*id).into())?;
        xml.close("TranscriptSelection")?;
    }
    xml.close("Transcript")?;
    Ok((file, script.text))
}

/// Where text and time meet, by position: at the start of each turn, and where selections begin and end.
fn points(
    project: &Project<'_>,
    talk: &Talk<'_>,
    script: &Script,
    said: &[Said<'_>],
) -> BTreeMap<usize, (String, Frames)> {
    let mut points = BTreeMap::new();
    let mut add = |position: usize, at: Frames| {
        let name = format!("{} at {position}", talk.source);
        points.entry(position).or_insert_with(|| (guid(project.session.id, &name), at));
    };
    let turns = talk.turns.iter();
    for range in turns.chain(said.iter().map(|(_, _, range)| range)) {
        let ([from, to], frames) = (ends(script, range), talk.frames(range));
        add(from, frames.start);
        add(to, frames.end);
    }
    points
}

/// Where a range of words begins and ends in the text.
fn ends(script: &Script, range: &Range<usize>) -> [usize; 2] {
    let words = script.words.get(range.clone()).unwrap_or_default();
    let start = words.first().map_or(0, |word| word.start);
    [start, words.last().map_or(start, |word| word.end)]
}

fn codings(
    xml: &mut Xml,
    project: &Project<'_>,
    id: SegmentId,
    segment: &Segment,
) -> io::Result<()> {
    let session = project.session;
    for coding in &segment.codings {
        let coder = project.user(coding.coder.as_deref());
        let own = guid(session.id, &format!("{id} {} {coder}", coding.code));
        xml.open("Coding", &[("guid", &own), ("creatingUser", &coder)])?;
        let code = guid(session.id, &coding.code.to_string());
        xml.empty("CodeRef", &[("targetGUID", &code)])?;
        xml.close("Coding")?;
    }
    Ok(())
}

fn ms(at: Frames, rate: SampleRate) -> String {
    format!("{:.0}", at.seconds(rate).0 * 1000.0)
}
