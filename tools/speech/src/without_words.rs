//! Recordings in which nothing is said: a segment without words tells that one was listened to, so that nobody is sent to
//! transcribe it first.

use crate::left_out::marked;
use crate::retranscribe::fresh;
use crate::transcribe::{Region, spoken_in};
use deskhand_dsp::Frames;
use deskhand_session::{
    Change, Description, Edit, Fact, IdSeed, NOTHING_SAID, Segment, SegmentId, Session,
};
use deskhand_toolkit::{Code, Draft, ToolError};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// The segments that mark silence in a region, in order of time.
pub(crate) fn of<'a>(session: &'a Session, region: &Region) -> Vec<(SegmentId, &'a Segment)> {
    marked(session, region, NOTHING_SAID)
}

/// Plans the segment that tells it of a region, unless one does.
pub(crate) fn plan(
    draft: &mut Draft,
    ids: &mut IdSeed,
    session: &Session,
    region: &Region,
    by: &str,
) {
    if region.length() <= Frames::ZERO || is_known(session, region) {
        return;
    }
    let value = json!("no words were heard");
    let fact = Fact { value, unit: None, confidence: None, by: by.to_owned() };
    let facts = BTreeMap::from([(NOTHING_SAID.to_owned(), fact)]);
    let own = Segment::new(region.source, region.range.start, region.length());
    let segment = Segment { description: Description { facts }, ..own };
    let edit = Edit::create(fresh(session, ids), segment);
    let reason = "it was listened to, and nothing is said in it";
    draft.change(Change::SetSegment(edit), region.name.clone(), reason);
}

/// Whether all of a region was listened to, and nothing is said in it.
fn is_known(session: &Session, region: &Region) -> bool {
    let holds = |it: &Segment| it.start <= region.range.start && region.range.end <= it.end();
    of(session, region).iter().any(|(_, it)| holds(it))
}

/// The refusal of a call that needs words, of regions without any.
pub(crate) fn refusal(session: &Session, regions: &[Region]) -> ToolError {
    let is_silent = regions.iter().all(|region| is_known(session, region));
    let names: BTreeSet<&str> = regions.iter().map(|region| region.name.as_str()).collect();
    let names: Vec<&str> = names.into_iter().take(3).collect();
    let is_bleed = spoken_in(regions, session).iter().any(|(.., it)| it.is_bleed());
    let (message, fix) = if is_silent && !regions.is_empty() {
        let names = names.join(", ");
        (
            format!("nothing is said in {names}: it was transcribed, and no words were heard"),
            "if somebody speaks there, transcribe it with another `model`",
        )
    } else if is_bleed {
        let message = "what is written down there was heard of the speakers of other microphones";
        (message.to_owned(), "name the tracks of those, or say who speaks here: cmd_set_speaker")
    } else {
        let message = "nothing is written down there yet".to_owned();
        (message, "transcribe it first: tool_transcribe")
    };
    ToolError::prepare(Code::NoTarget, message, fix)
}
