//! The plan of a transcription.

use super::{Known, Region, Resolved, Written, confidence, corrected, shortest};
use crate::follow::{self, assembled, follow};
use crate::left_out;
use crate::listen::Wording;
use crate::retranscribe::{self, Anew, Why};
use crate::without_words;
use deskhand_session::text::{count, whole_seconds};
use deskhand_session::{ObjectId, Segment, SegmentId, Session};
use deskhand_toolkit::{Draft, PlanContext};
use std::collections::BTreeMap;

/// The advice for hearing a transcribed part again; a terminal shows its own command.
const AGAIN: &str = "set `known` to \"replace\"";

/// The plan of the transcription so far.
pub(super) fn draft(call: &Resolved, context: &PlanContext, written: &Written) -> Draft {
    let session = &context.session;
    let mut draft = Draft { warnings: written.left_out.clone(), ..Draft::default() };
    draft.warnings.extend(confidence::warnings(&written.segments, written.tongues, session));
    draft.warnings.extend(kept(call, session, written));
    draft.warnings.extend(not_heard(call, session));
    let (mut gone, said) = match call.known {
        Known::Keep => (Vec::new(), written.segments.clone()),
        Known::Replace => replaced(&mut draft, call, session, written),
    };
    gone.extend(said_after_all(call, session, &said));
    let replaced = gone.iter().filter(|(_, segment)| !segment.words.is_empty()).count();
    let said: Vec<Segment> =
        said.into_iter().map(|segment| spoken(segment, &gone, session)).collect();
    draft.warnings.extend(corrected::warning(&gone, &said, session));
    let name = |id| session.name_of(ObjectId::Source(id));
    let why = Why { name: &name, said: "it is said there", gone: "it is written down again" };
    let mut ids = context.ids();
    Anew::new(session, &mut ids, gone, said).plan(&mut draft, &why);
    for region in silent(call, session, written) {
        without_words::plan(&mut draft, &mut ids, session, region, super::NAME);
    }
    draft.summary = match replaced > 0 && draft.changes.is_empty() {
        true => format!("Write down nothing new: {}", as_before(call, written)),
        false => summary(call, session, written, replaced),
    };
    draft
}

/// The markers of silence in those regions where speech is found now (`said`).
fn said_after_all<'a>(
    call: &Resolved,
    session: &'a Session,
    said: &[Segment],
) -> BTreeMap<SegmentId, &'a Segment> {
    let is_said = |region: &&Region| {
        let Region { source, range, .. } = region;
        let is_in = |it: &Segment| it.start < range.end && range.start < it.end();
        said.iter().any(|it| it.source == *source && is_in(it))
    };
    let spoken = call.regions.iter().filter(is_said);
    spoken.flat_map(|region| without_words::of(session, region)).collect()
}

/// A segment with the speaker known there before, and no shorter than a file can express.
fn spoken(segment: Segment, gone: &[(SegmentId, &Segment)], session: &Session) -> Segment {
    let speaker = retranscribe::heir_of(&segment, gone).and_then(|before| before.speaker.clone());
    let room = session
        .sources
        .get(&segment.source)
        .map_or(segment.length, |source| (source.frames - segment.start).max(segment.length));
    let length = segment.length.max(shortest(session.rate).min(room));
    Segment { speaker, length, ..segment }
}

/// The regions that were heard to their end, and in which nothing is said, now or before.
fn silent<'a>(call: &'a Resolved, session: &Session, written: &Written) -> Vec<&'a Region> {
    let last = written.regions.saturating_sub(1);
    let is_done = |at: usize, region: &Region| at < last || written.heard >= region.range.end;
    let is_silent = |region: &Region| {
        region.touched(session).next().is_none()
            && left_out::of(session, region).is_empty()
            && !written.segments.iter().any(|it| it.source == region.source)
    };
    let heard = call.regions.iter().take(written.regions).enumerate();
    let silent = heard.filter(|(at, region)| is_done(*at, region) && is_silent(region));
    match written.left_out.is_empty() {
        true => silent.map(|(_, region)| region).collect(),
        false => Vec::new(),
    }
}

/// The message that a new transcription equals the old one.
fn as_before(call: &Resolved, written: &Written) -> String {
    let all: usize = written.segments.iter().map(|segment| segment.words.len()).sum();
    let heard = if all == 1 { "is heard as it was" } else { "are heard as they were" };
    format!("{} {heard}", what(call, written))
}

/// "128 words in 12 phrases in Guest".
fn what(call: &Resolved, written: &Written) -> String {
    let words: usize = written.segments.iter().map(|segment| segment.words.len()).sum();
    let phrases = count(written.segments.len(), "phrase");
    format!("{} in {phrases} in {}", count(words, "word"), shown(call))
}

/// The recording, or how many there are.
fn shown(call: &Resolved) -> String {
    match call.regions.as_slice() {
        [one] => one.name.clone(),
        several => format!("{} recordings", several.len()),
    }
}

fn summary(call: &Resolved, session: &Session, written: &Written, replaced: usize) -> String {
    let stays = |region: &Region| region.touched(session).next().is_some();
    let is_kept = call.known == Known::Keep && call.regions.iter().any(stays);
    let said = match written.segments.is_empty() {
        true if is_kept => format!("Write down nothing new in {}", shown(call)),
        true => format!("Write down nothing: no words were heard in {}", shown(call)),
        false => format!("Write down {}", what(call, written)),
    };
    let instead = match replaced {
        0 => String::new(),
        replaced => format!(", in place of {}", count(replaced, "segment")),
    };
    let before = before(call, session, written);
    format!("{said}{instead}{}", before.unwrap_or_default())
}

/// What an earlier run had heard, where this one went on from it once.
fn before(call: &Resolved, session: &Session, written: &Written) -> Option<String> {
    let [(number, at)] = written.goes_on.as_slice() else { return None };
    let region = call.regions.get(number.checked_sub(1)?)?;
    let of = if call.regions.len() > 1 { format!(" in {}", region.name) } else { String::new() };
    let at = whole_seconds(at.seconds(session.rate).0);
    Some(format!("; it went on at {at}{of}, and what is before that had been heard already"))
}

/// The note that an earlier transcript stays: if there is nothing else, or if more was requested.
fn kept(call: &Resolved, session: &Session, written: &Written) -> Option<String> {
    let asks_for_more = call.wording == Wording::Verbatim || written.segments.is_empty();
    if call.known == Known::Replace || !asks_for_more {
        return None;
    }
    let kept: usize = call.regions.iter().map(|region| region.touched(session).count()).sum();
    let listened = if kept == 1 { "stays as it is and was" } else { "stay as they are and were" };
    (kept > 0).then(|| {
        let kept = count(kept, "phrase");
        format!("{kept} that had been written down {listened} not listened to again; to hear all again {AGAIN}")
    })
}

/// What a transcript from a file leaves out was not listened to.
fn not_heard(call: &Resolved, session: &Session) -> Option<String> {
    let regions = call.regions.iter().filter(|_| call.known == Known::Keep);
    let parts: usize = regions.map(|region| left_out::of(session, region).len()).sum();
    let were = if parts == 1 { "was" } else { "were" };
    (parts > 0).then(|| {
        let parts = count(parts, "part");
        format!("{parts} that a transcript from a file leaves out {were} not listened to; to hear all again {AGAIN}")
    })
}

/// Plans the removal of old segments and the new ones. Segments of assembly phrases stay, with the new
/// words.
fn replaced<'a>(
    draft: &mut Draft,
    call: &Resolved,
    session: &'a Session,
    written: &Written,
) -> (Vec<(SegmentId, &'a Segment)>, Vec<Segment>) {
    let assembled = assembled(session);
    let (mut held, mut others) = (Vec::new(), Vec::new());
    for region in call.regions.iter().take(written.regions) {
        for (id, segment) in region.segments(session) {
            if assembled.contains(&id) { &mut held } else { &mut others }.push((id, segment));
        }
        let left_out = left_out::of(session, region).into_iter();
        others.extend(left_out.filter(|(_, segment)| region.begins(segment)));
    }
    // In the region that is still being heard, segments after this point stay.
    let last = call.regions.get(written.regions.saturating_sub(1));
    let is_heard = |segment: &Segment| {
        segment.end() <= written.heard || !last.is_some_and(|last| last.begins(segment))
    };
    let (mut gone, mut said) = (Vec::new(), Vec::new());
    let followed = follow(&held, written.segments.clone());
    for (id, before, now) in followed.renewed.into_iter().filter(|(_, it, _)| is_heard(it)) {
        gone.push((id, before));
        said.push(now);
    }
    let unheard = followed.unheard.into_iter().filter(|(_, it)| is_heard(it)).map(|(id, _)| id);
    draft.warnings.extend(follow::told(session, &unheard.collect()));
    gone.extend(others.into_iter().filter(|(_, it)| is_heard(it)));
    said.extend(followed.rest);
    (gone, said)
}
