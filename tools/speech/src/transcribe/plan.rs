//! The plan of what was written down.

use super::{Known, Resolved, Written, count, sure};
use crate::anew::{self, Anew, Why};
use deskhand_session::{ObjectId, Segment, SegmentId, Session};
use deskhand_toolkit::{Draft, PlanContext};
use std::collections::BTreeSet;

/// The plan of what was written down so far.
pub(super) fn draft(call: &Resolved, context: &PlanContext, written: &Written) -> Draft {
    let session = &context.session;
    let mut draft = Draft { warnings: written.left_out.clone(), ..Draft::default() };
    draft.warnings.extend(sure::warnings(&written.segments, written.tongues, session));
    let gone = match call.known {
        Known::Keep => Vec::new(),
        Known::Replace => gone(&mut draft, call, session, written),
    };
    let replaced = gone.len();
    let words: usize = written.segments.iter().map(|segment| segment.words.len()).sum();
    let said = written.segments.iter().map(|segment| {
        let speaker = anew::heir_of(segment, &gone).and_then(|before| before.speaker.clone());
        Segment { speaker, ..segment.clone() }
    });
    let said: Vec<Segment> = said.collect();
    let name = |id| session.name_of(ObjectId::Source(id));
    let why = Why { name: &name, said: "it is said there", gone: "it is written down anew" };
    Anew::new(session, &mut context.ids(), gone, said).plan(&mut draft, &why);
    let said = match (written.segments.len(), words) {
        (0, _) => "Write down nothing new".to_owned(),
        (phrases, words) => {
            format!("Write down {} in {}", count(words, "word"), count(phrases, "phrase"))
        }
    };
    let names: Vec<&str> = call.regions.iter().map(|region| region.name.as_str()).collect();
    let shown = match names.as_slice() {
        [one] => (*one).to_owned(),
        several => format!("{} recordings", several.len()),
    };
    let instead =
        if replaced > 0 { format!(", in place of {replaced} segments") } else { String::new() };
    draft.summary = format!("{said} in {shown}{instead}");
    draft
}

/// Segments that phrases of the assembly are made of: those stay.
pub(super) fn assembled(session: &Session) -> BTreeSet<SegmentId> {
    session.phrases.values().flat_map(|phrase| &phrase.segments).copied().collect()
}

/// What is written down anew.
fn gone<'a>(
    draft: &mut Draft,
    call: &Resolved,
    session: &'a Session,
    written: &Written,
) -> Vec<(SegmentId, &'a Segment)> {
    let mut gone = Vec::new();
    let stays = assembled(session);
    for (index, region) in call.regions.iter().take(written.regions).enumerate() {
        // Of the region that is being listened to, what is behind stays.
        let is_last = index + 1 == written.regions;
        let here = region.touched(session).filter(|(id, _)| stays.contains(id)).count();
        if here > 0 {
            let stays = count(here, "segment");
            let told = "stays as it is: phrases of the assembly are made of it";
            draft.warnings.push(format!("{}: {stays} {told}", region.name));
        }
        let others = region.segments(session).filter(|(id, _)| !stays.contains(id));
        gone.extend(others.filter(|(_, it)| !is_last || it.end() <= written.heard));
    }
    gone
}
