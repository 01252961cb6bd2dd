//! The calls that put codes on words and take them off.

use crate::action::{Action, Gesture, call};
use crate::words::lines::{Piece, Region};
use deskhand_dsp::Frames;
use deskhand_session::{CodeId, SegmentId, Session};
use serde_json::json;
use std::collections::BTreeSet;

/// Frames as milliseconds.
fn ms(session: &Session, at: Frames) -> f64 {
    at.0 as f64 * 1000.0 / f64::from(session.rate.0)
}

/// Codes the stretches of sources that words take; a code goes by its id or, where it is new, by its name.
pub(crate) fn code(session: &Session, region: &Region, code: &str) -> Vec<Action> {
    let one = |piece: &Piece| {
        let params = json!({
            "code_id": code,
            "target": piece.source,
            "start_ms": ms(session, piece.from),
            "end_ms": ms(session, piece.to),
        });
        call(Gesture::CodeRegion, params)
    };
    region.pieces.iter().map(one).collect()
}

/// Takes a code off one place, whoever put it there.
pub(crate) fn uncode(segment: SegmentId, code: CodeId) -> Action {
    call(Gesture::Uncode, json!({"segment_id": segment, "code_id": code}))
}

/// The label of that action: it removes the code of everybody who put it there. `place` says where, as
/// "here".
pub(crate) fn uncodes(session: &Session, segment: SegmentId, code: CodeId, place: &str) -> String {
    let codings = session.segments.get(&segment).into_iter().flat_map(|it| &it.codings);
    let own = codings.filter(|coding| coding.code == code);
    let coders: BTreeSet<Option<&str>> = own.map(|coding| coding.coder.as_deref()).collect();
    let name = session.name_of(code.into());
    match coders.len() {
        0 | 1 => format!("Remove code {name} {place}"),
        many => format!("Remove code {name} {place} for all {many} coders"),
    }
}
