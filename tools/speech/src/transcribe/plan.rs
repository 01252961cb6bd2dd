//! The plan of what was written down.

use super::written::clock;
use super::{Known, Region, Resolved, Written, count, shortest, sure};
use crate::anew::{self, Anew, Why};
use crate::follow::{self, assembled, follow};
use crate::left_out;
use crate::listen::Wording;
use deskhand_session::{ObjectId, Segment, SegmentId, Session};
use deskhand_toolkit::{Draft, PlanContext};

/// How what is written down already is heard again; a terminal says it as its command.
const AGAIN: &str = "set `known` to \"replace\"";

/// The plan of what was written down so far.
pub(super) fn draft(call: &Resolved, context: &PlanContext, written: &Written) -> Draft {
    let session = &context.session;
    let mut draft = Draft { warnings: written.left_out.clone(), ..Draft::default() };
    draft.warnings.extend(sure::warnings(&written.segments, written.tongues, session));
    draft.warnings.extend(kept(call, session, written));
    draft.warnings.extend(not_heard(call, session));
    let (gone, said) = match call.known {
        Known::Keep => (Vec::new(), written.segments.clone()),
        Known::Replace => replaced(&mut draft, call, session, written),
    };
    let replaced = gone.iter().filter(|(_, segment)| !segment.words.is_empty()).count();
    let said = said.into_iter().map(|segment| {
        let speaker = anew::heir_of(&segment, &gone).and_then(|before| before.speaker.clone());
        let room = session
            .sources
            .get(&segment.source)
            .map_or(segment.length, |source| (source.frames - segment.start).max(segment.length));
        let length = segment.length.max(shortest(session.rate).min(room));
        Segment { speaker, length, ..segment }
    });
    let said: Vec<Segment> = said.collect();
    let name = |id| session.name_of(ObjectId::Source(id));
    let why = Why { name: &name, said: "it is said there", gone: "it is written down anew" };
    Anew::new(session, &mut context.ids(), gone, said).plan(&mut draft, &why);
    draft.summary = summary(call, session, written, replaced);
    draft
}

fn summary(call: &Resolved, session: &Session, written: &Written, replaced: usize) -> String {
    let words: usize = written.segments.iter().map(|segment| segment.words.len()).sum();
    let stays = |region: &Region| region.touched(session).next().is_some();
    let is_kept = call.known == Known::Keep && call.regions.iter().any(stays);
    let said = match (written.segments.len(), words) {
        (0, _) if is_kept => "Write down nothing new".to_owned(),
        (0, _) => "Write down nothing: no words were heard".to_owned(),
        (phrases, words) => {
            format!("Write down {} in {}", count(words, "word"), count(phrases, "phrase"))
        }
    };
    let names: Vec<&str> = call.regions.iter().map(|region| region.name.as_str()).collect();
    let shown = match names.as_slice() {
        [one] => (*one).to_owned(),
        several => format!("{} recordings", several.len()),
    };
    let instead = match replaced {
        0 => String::new(),
        replaced => format!(", in place of {}", count(replaced, "segment")),
    };
    let before = before(call, session, written);
    format!("{said} in {shown}{instead}{}", before.unwrap_or_default())
}

/// What an earlier run had heard, where this one went on from it once.
fn before(call: &Resolved, session: &Session, written: &Written) -> Option<String> {
    let [(number, at)] = written.goes_on.as_slice() else { return None };
    let region = call.regions.get(number.checked_sub(1)?)?;
    let of = if call.regions.len() > 1 { format!(" in {}", region.name) } else { String::new() };
    let at = clock(*at, session.rate);
    Some(format!("; it went on at {at}{of}, and what is ahead of that had been heard before"))
}

/// What was written down before stays as it is: said where that is all there is, or where more of it was asked for.
fn kept(call: &Resolved, session: &Session, written: &Written) -> Option<String> {
    let asks_for_more = call.wording == Wording::Verbatim || written.segments.is_empty();
    if call.known == Known::Replace || !asks_for_more {
        return None;
    }
    let kept: usize = call.regions.iter().map(|region| region.touched(session).count()).sum();
    let listened = if kept == 1 { "stays as it is and was" } else { "stay as they are and were" };
    (kept > 0).then(|| {
        let kept = count(kept, "phrase");
        format!("{kept} that had been written down {listened} not listened to again; to hear all anew {AGAIN}")
    })
}

/// What a transcript from a file leaves out was not listened to.
fn not_heard(call: &Resolved, session: &Session) -> Option<String> {
    let regions = call.regions.iter().filter(|_| call.known == Known::Keep);
    let parts: usize = regions.map(|region| left_out::of(session, region).len()).sum();
    let were = if parts == 1 { "was" } else { "were" };
    (parts > 0).then(|| {
        let parts = count(parts, "part");
        format!("{parts} that a transcript from a file leaves out {were} not listened to; to hear all anew {AGAIN}")
    })
}

/// What goes, and what is said in its place; of phrases of the assembly the segments stay, with the words of now.
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
    // Of the region that is being listened to, what is behind stays.
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
