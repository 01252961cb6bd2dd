//! Sentences that take codes off again: "take the code Budget off phrase 3".

use super::codes;
use super::said::{One, Said};
use super::selected;
use super::spoken::Among;
use crate::draft::Draft;
use crate::resolve::Trouble;
use deskhand_dsp::Frames;
use deskhand_session::{CodeId, Segment, SegmentId, Session, SourceId};
use serde_json::json;

/// A stretch of a source.
struct Stretch {
    source: SourceId,
    start: Frames,
    end: Frames,
}

impl Stretch {
    /// Whether a coded segment is about it: the middle of one lies in the other. What only touches it is about what
    /// stands beside it.
    fn holds(&self, segment: &Segment) -> bool {
        let middle = |start: Frames, end: Frames| Frames(start.0 + (end.0 - start.0) / 2);
        let is_in = |at: Frames, start: Frames, end: Frames| start <= at && at < end;
        let own = middle(self.start, self.end);
        segment.source == self.source
            && (is_in(middle(segment.start, segment.end()), self.start, self.end)
                || is_in(own, segment.start, segment.end()))
    }
}

/// Off the phrases that are named.
pub(super) fn phrases(said: &Said<'_>) -> One {
    let session = said.session();
    let spoken = said.phrases("p", Among::Playing)?.into_iter().filter_map(|id| session.spoken(id));
    let stretches: Vec<Stretch> =
        spoken.map(|it| Stretch { source: it.source, start: it.start, end: it.end }).collect();
    take_off(said, Some(&stretches), &said.text("p").unwrap_or_default())
}

/// Off the words that are selected.
pub(super) fn selection(said: &Said<'_>) -> One {
    let session = said.session();
    let ids = selected::segments(session)?;
    let segments = ids.iter().filter_map(|id| session.segments.get(id));
    let stretches: Vec<Stretch> =
        segments.map(|it| Stretch { source: it.source, start: it.start, end: it.end() }).collect();
    take_off(said, Some(&stretches), "what is selected")
}

/// One code off everything; all codes at once are hardly meant.
pub(super) fn everything(said: &Said<'_>) -> One {
    if codes::named(said).is_none() {
        let names = said.session().codes.values().map(|code| code.name.clone());
        let offers = names.map(|name| format!("remove all codings of {name}"));
        let reason = "everything that is coded is taken back code by code; say which code";
        return Err(Trouble::new(reason, offers));
    }
    take_off(said, None, "nothing")
}

fn take_off(said: &Said<'_>, on: Option<&[Stretch]>, named: &str) -> One {
    let session = said.session();
    let code = codes::named(said).map(|slot| said.code(slot)).transpose()?;
    let is_there = |segment: &Segment| on.is_none_or(|on| on.iter().any(|it| it.holds(segment)));
    let is_meant = |segment: &Segment| is_coded(segment, code) && is_there(segment);
    let found = session.segments.iter().filter(|(_, segment)| is_meant(segment));
    let ids: Vec<SegmentId> = found.map(|(id, _)| *id).collect();
    if ids.is_empty() {
        return Err(not_coded(session, code, on.is_none(), named));
    }
    let mut params = vec![("segment_id", json!(ids))];
    params.extend(code.map(|code| ("code_id", json!(code))));
    let targets = ids.into_iter().map(Into::into).collect();
    Ok(Draft { targets, ..Draft::call("tool_uncode", params) })
}

fn is_coded(segment: &Segment, code: Option<CodeId>) -> bool {
    segment.codings.iter().any(|coding| code.is_none_or(|code| code == coding.code))
}

fn not_coded(session: &Session, code: Option<CodeId>, is_all: bool, named: &str) -> Trouble {
    let code = code.map(|code| session.name_of(code.into()));
    let not = if is_all { "" } else { "not " };
    let reason = match &code {
        Some(code) => format!("{named} is {not}coded as \"{code}\""),
        None => format!("{named} is {not}coded"),
    };
    let quotes = code.map(|code| format!("show the quotes for {code}"));
    Trouble::new(reason, quotes.into_iter().chain(["how often is each code used?".to_owned()]))
}
