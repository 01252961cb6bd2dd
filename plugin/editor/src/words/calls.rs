//! What the words ask of the session, each as one call; and what is heard.

use super::lines::{Piece, Region};
use super::place::{Heard, Places};
use crate::action::Action;
use crate::live::Motion;
use crate::model::Scene;
use crate::timeline::{delete_time, unselect_time};
use deskhand_dsp::Frames;
use deskhand_protocol::desk::Play;
use deskhand_session::{Session, SourceId, TrackId};
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub(super) fn call(tool: &'static str, params: Value) -> Action {
    Action::Call { tool, params }
}

/// Writes what is known of a segment; null takes it away.
pub(super) fn describe(segment: deskhand_session::SegmentId, fact: &str, value: &Value) -> Action {
    call("cmd_set_description", json!({"segment_ids": [segment], "facts": {fact: value}}))
}

/// Frames as milliseconds.
fn ms(session: &Session, at: Frames) -> f64 {
    at.0 as f64 * 1000.0 / f64::from(session.rate.0)
}

fn seconds(session: &Session, at: Frames) -> f64 {
    at.0 as f64 / f64::from(session.rate.0)
}

/// Brings the playhead to a moment of a source and lets it be heard from there; where no clip plays it, or a host has
/// the transport, the source alone is heard until `to`.
pub(super) fn hear(
    scene: Scene<'_>,
    places: &Places,
    source: SourceId,
    (from, to): (Frames, Frames),
    out: &mut Vec<Action>,
) {
    if scene.live.is_hosted() {
        out.extend(audition(scene, source, (from, to)));
        return;
    }
    // A cut may lie a little behind the first word.
    let heard = places.of(source, from).map(|(_, at)| at);
    let Some(at) = heard.or_else(|| places.first_of(source, from, to)) else {
        out.extend(audition(scene, source, (from, to)));
        return;
    };
    out.push(Action::Play(Play::Seek { at }));
    if scene.live.has_transport() && scene.live.motion == Motion::Stopped {
        out.push(Action::Play(Play::Start));
    }
}

/// Lets a stretch of a source be heard by itself; none where there is no sound.
pub(super) fn audition(
    scene: Scene<'_>,
    source: SourceId,
    (from, to): (Frames, Frames),
) -> Option<Action> {
    let heard = Action::Audition(Some((source, from, to.max(from + Frames(1)))));
    scene.live.has_voice().then_some(heard)
}

/// The stretches of the timeline that words take, in order; those that meet or overlap, on whatever tracks, are one.
fn stretches(places: &Places, region: &Region) -> Vec<(BTreeSet<TrackId>, Frames, Frames)> {
    let pieces = region.pieces.iter();
    let mut all: Vec<Heard> =
        pieces.flat_map(|it| places.stretches(it.source, it.from, it.to)).collect();
    all.sort_by_key(|heard| heard.from);
    let mut found: Vec<(BTreeSet<TrackId>, Frames, Frames)> = Vec::new();
    for heard in all {
        match found.last_mut() {
            Some((tracks, _, to)) if heard.from <= *to => {
                tracks.insert(heard.track);
                *to = heard.to.max(*to);
            }
            Some(_) | None => found.push(([heard.track].into(), heard.from, heard.to)),
        }
    }
    found
}

/// Selects the stretch of the timeline that words take, from the first to the last.
pub(super) fn select(session: &Session, places: &Places, region: &Region) -> Option<Action> {
    let found = stretches(places, region);
    let (from, to) = (found.first()?.1, found.iter().map(|it| it.2).max()?);
    let tracks: BTreeSet<TrackId> = found.iter().flat_map(|it| it.0.iter().copied()).collect();
    let params = json!({
        "targets": tracks, "start_s": seconds(session, from), "end_s": seconds(session, to),
    });
    Some(call("cmd_set_selection", params))
}

/// Cuts what words take out of the timeline and closes the gap, on all tracks of the group. From the last stretch
/// on, so that those ahead stay where they are.
pub(super) fn cut(session: &Session, places: &Places, region: &Region) -> Vec<Action> {
    let mut found = stretches(places, region);
    found.reverse();
    let delete = |(mut tracks, from, to): (BTreeSet<TrackId>, Frames, Frames)| {
        let groups = session.groups.values();
        let met = groups.filter(|group| group.tracks.iter().any(|track| tracks.contains(track)));
        let all: Vec<TrackId> = met.flat_map(|group| group.tracks.iter().copied()).collect();
        tracks.extend(all);
        delete_time(session, tracks, from, to)
    };
    let unselected = unselect_time(session).filter(|_| !found.is_empty());
    unselected.into_iter().chain(found.into_iter().map(delete)).collect()
}

/// Codes the stretches of sources that words take; a code goes by its id or, where it is new, by its name.
pub(super) fn code(session: &Session, region: &Region, code: &str) -> Vec<Action> {
    let one = |piece: &Piece| {
        let params = json!({
            "code_id": code,
            "target": piece.source,
            "start_ms": ms(session, piece.from),
            "end_ms": ms(session, piece.to),
        });
        call("tool_code_region", params)
    };
    region.pieces.iter().map(one).collect()
}

/// Marks a segment as important, or not any more.
pub(super) fn importance(segment: deskhand_session::SegmentId, is_important: bool) -> Action {
    let importance = u8::from(is_important);
    call("tool_set_importance", json!({"segment_id": segment, "importance": importance}))
}
