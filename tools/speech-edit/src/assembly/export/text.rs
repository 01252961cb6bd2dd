//! Labels, tables, transcripts and subtitles.

use super::audible_words::{Cue, Heard};
use super::names::Names;
use crate::assembly::list;
use deskhand_dsp::Frames;
use deskhand_edit::assembly::{ids, markers, tracks};
use deskhand_session::text::timestamp;
use deskhand_session::{PhraseId, Playing, Segment, SegmentId, Session, Spoken};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

fn seconds(at: Frames, session: &Session) -> f64 {
    at.seconds(session.rate).0
}

/// Audacity's labels: `start TAB end TAB text`, in seconds; removed phrases are points.
pub(super) fn audacity(session: &Session, heard: &[Heard], names: &Names) -> String {
    let mut rows: Vec<(Frames, Frames, String)> =
        heard.iter().map(|one| (one.start, one.end, one.text())).collect();
    let along = heard.iter().flat_map(Heard::along);
    rows.extend(along.map(|cue| (cue.start, cue.end, said_by(cue))));
    for id in session.phrases.keys() {
        let marker = session.markers.get(&ids::marker(*id));
        rows.extend(marker.map(|marker| {
            let name = names.text(&markers::marker_name(session, *id, marker));
            (marker.position, marker.position + marker.length, name)
        }));
    }
    rows.sort_by_key(|(start, end, _)| (*start, *end));
    let row = |(start, end, text): &(Frames, Frames, String)| {
        let text = text.replace(char::is_control, " ");
        format!("{:.6}\t{:.6}\t{text}\n", seconds(*start, session), seconds(*end, session))
    };
    rows.iter().map(row).collect()
}

/// The words, after the speaker's name.
fn said_by(cue: &Cue) -> String {
    let name = cue.speaker.as_ref().map_or(String::new(), |name| format!("{name}: "));
    format!("{name}{}", cue.text)
}

/// The words said along with a phrase: the heard ones, or if it does not play, the transcript's.
fn along(
    session: &Session,
    heard: Option<&Heard>,
    segments: Option<&Vec<SegmentId>>,
    names: &Names,
) -> String {
    let written = |segment: &Segment| {
        let name = segment.speaker.as_deref().map(|name| format!("{}: ", names.of(name)));
        name.unwrap_or_default() + &names.text(&segment.text())
    };
    let said: Vec<String> = match heard {
        Some(heard) => heard.along().map(said_by).collect(),
        None => {
            let segments = segments.into_iter().flatten();
            segments.filter_map(|id| session.segments.get(id)).map(written).collect()
        }
    };
    said.join(" / ")
}

/// The stretches of its source that a phrase plays, in seconds, without cuts: "1.000-2.500; …".
fn pieces(session: &Session, playing: &Playing, spoken: &Spoken) -> String {
    let whole = spoken.start..spoken.end;
    let piece = |part: Range<Frames>| {
        format!("{:.3}-{:.3}", seconds(part.start, session), seconds(part.end, session))
    };
    playing.parts(spoken.source, &whole).map(piece).collect::<Vec<_>>().join("; ")
}

/// A row a phrase: playing ones in order with their time on the markers, then the others.
pub(super) fn csv(session: &Session, heard: &[Heard], names: &Names) -> String {
    let mut out = String::from(
        "place,state,group_id,start_s,end_s,source,source_start_s,source_end_s,source_plays_s,speaker,confidence,text,along\r\n",
    );
    let (also, playing) = (session.along(), Playing::on(session, &tracks(session)));
    let places: BTreeMap<PhraseId, &Heard> = heard.iter().map(|one| (one.phrase, one)).collect();
    for (place, (id, state)) in list::all(session, &playing).into_iter().enumerate() {
        let Some(spoken) = playing.spoken(session, id) else { continue };
        let own = places.get(&id).filter(|_| state != list::CUT);
        let time = |at: Option<Frames>| {
            at.map_or(String::new(), |at| format!("{:.3}", seconds(at, session)))
        };
        let name = session.name_of(spoken.source.into());
        let speaker = spoken.speaker.as_deref().map_or(String::new(), |speaker| names.of(speaker));
        let text = own.map_or_else(|| names.text(&spoken.text), |own| own.text());
        let is_in_order = place < session.assembly.order.len();
        let number = if is_in_order { (place + 1).to_string() } else { String::new() };
        let cells = [
            number,
            state.into(),
            id.to_string(),
            time(own.map(|own| own.start)),
            time(own.map(|own| own.end)),
            cell(&name),
            time(Some(spoken.start)),
            time(Some(spoken.end)),
            cell(&own.map_or(String::new(), |_| pieces(session, &playing, &spoken))),
            cell(&speaker),
            spoken.confidence.map_or(String::new(), |sure| format!("{sure:.2}")),
            cell(&text),
            cell(&along(session, own.copied(), also.get(&id), names)),
        ];
        out.push_str(&cells.join(","));
        out.push_str("\r\n");
    }
    out
}

/// Text as a cell (RFC 4180); what a table program would take for a formula is marked as text.
fn cell(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let guard = if plain.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
    format!("\"{guard}{}\"", plain.replace('"', "\"\""))
}

/// Paragraphs with time and speaker, one for all that a speaker says in a row.
pub(super) fn transcript(session: &Session, heard: &[Heard]) -> String {
    let mut out = String::new();
    let mut last: Option<&Option<String>> = None;
    for cue in heard.iter().flat_map(|one| &one.cues) {
        if last == Some(&cue.speaker) && cue.speaker.is_some() {
            out.push(' ');
        } else {
            let time = timestamp(cue.start.seconds(session.rate).0, '.');
            let name = cue.speaker.as_ref().map_or(String::new(), |name| format!("{name}: "));
            let gap = if out.is_empty() { "" } else { "\n\n" };
            // Writing to a String does not fail.
            let _ = write!(out, "{gap}[{time}] {name}");
        }
        out.push_str(&cue.text);
        last = Some(&cue.speaker);
    }
    out.push('\n');
    out
}

/// SubRip: numbered cues, times with a comma.
pub(super) fn srt(session: &Session, heard: &[Heard]) -> String {
    let cue = |(n, cue): (usize, &Cue)| {
        let (from, to) = (
            timestamp(cue.start.seconds(session.rate).0, ','),
            timestamp(cue.end.seconds(session.rate).0, ','),
        );
        format!("{}\n{from} --> {to}\n{}\n\n", n + 1, said_by(cue).replace("-->", "->"))
    };
    heard.iter().flat_map(|one| &one.cues).enumerate().map(cue).collect()
}

/// WebVTT: cues with voices.
pub(super) fn vtt(session: &Session, heard: &[Heard]) -> String {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let cue = |cue: &Cue| {
        let (from, to) = (
            timestamp(cue.start.seconds(session.rate).0, '.'),
            timestamp(cue.end.seconds(session.rate).0, '.'),
        );
        let name = cue.speaker.as_ref();
        let voice = name.map_or(String::new(), |name| format!("<v {}>", escaped(name)));
        format!("{from} --> {to}\n{voice}{}\n\n", escaped(&cue.text))
    };
    let cues: String = heard.iter().flat_map(|one| &one.cues).map(cue).collect();
    format!("WEBVTT\n\n{cues}")
}
