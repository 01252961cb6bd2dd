//! What the words ask of the session, each as one call; and what is heard.

use super::lines::Region;
use super::place::Places;
use crate::action::Action;
use crate::live::Motion;
use crate::model::Scene;
use deskhand_dsp::Frames;
use deskhand_protocol::desk::Play;
use deskhand_session::{Session, SourceId, TrackId};
use serde_json::{Value, json};

pub(super) fn call(tool: &'static str, params: Value) -> Action {
    Action::Call { tool, params }
}

/// Frames as milliseconds.
fn ms(session: &Session, at: Frames) -> f64 {
    at.0 as f64 * 1000.0 / f64::from(session.rate.0)
}

fn seconds(session: &Session, at: Frames) -> f64 {
    at.0 as f64 / f64::from(session.rate.0)
}

/// Brings the playhead to a moment of a source and lets it be heard from there; where no clip plays it, the source
/// alone is heard until `to`.
pub(super) fn hear(
    scene: Scene<'_>,
    places: &Places,
    source: SourceId,
    (from, to): (Frames, Frames),
    out: &mut Vec<Action>,
) {
    let Some((_, at)) = places.of(source, from) else {
        out.extend(audition(scene, source, (from, to)));
        return;
    };
    out.push(Action::Play(Play::Seek { at }));
    if scene.live.has_transport() && scene.live.motion == Motion::Stopped {
        out.push(Action::Play(Play::Start));
    }
}

/// Lets a stretch of a source be heard by itself; none where a host has the transport.
pub(super) fn audition(
    scene: Scene<'_>,
    source: SourceId,
    (from, to): (Frames, Frames),
) -> Option<Action> {
    let heard = Action::Audition(Some((source, from, to.max(from + Frames(1)))));
    scene.live.has_transport().then_some(heard)
}

/// Selects the stretch of the timeline that words take.
pub(super) fn select(session: &Session, places: &Places, region: &Region) -> Option<Action> {
    let found = places.stretches(region.source, region.from, region.to);
    let (first, last) = (found.first()?, found.last()?);
    let params = json!({
        "targets": [first.track],
        "start_s": seconds(session, first.from),
        "end_s": seconds(session, last.to),
    });
    Some(call("cmd_set_selection", params))
}

/// Cuts what words take out of the timeline and closes the gap, on all tracks of the group. From the last stretch
/// on, so that those ahead stay where they are.
pub(super) fn cut(session: &Session, places: &Places, region: &Region) -> Vec<Action> {
    let mut found = places.stretches(region.source, region.from, region.to);
    found.reverse();
    let delete = |heard: &super::place::Heard| {
        let group = session.group_of(heard.track).map(|(_, group)| group.tracks.clone());
        let targets: Vec<TrackId> = match group {
            Some(tracks) => tracks.into_iter().collect(),
            None => vec![heard.track],
        };
        let params = json!({
            "targets": targets,
            "start_s": seconds(session, heard.from),
            "end_s": seconds(session, heard.to),
        });
        call("cmd_ripple_delete", params)
    };
    found.iter().map(delete).collect()
}

/// Codes the stretch of the source that words take; a code goes by its id or, where it is new, by its name.
pub(super) fn code(session: &Session, region: &Region, code: &str) -> Action {
    let params = json!({
        "code_id": code,
        "target": region.source,
        "start_ms": ms(session, region.from),
        "end_ms": ms(session, region.to),
    });
    call("tool_code_region", params)
}

/// Marks a segment as important, or not any more.
pub(super) fn importance(segment: deskhand_session::SegmentId, is_important: bool) -> Action {
    let importance = u8::from(is_important);
    call("tool_set_importance", json!({"segment_id": segment, "importance": importance}))
}
