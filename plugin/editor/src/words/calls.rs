//! The calls of the Words panel, and its playback.

use super::lines::{Piece, Region};
use super::place::{Heard, Places};
use crate::action::{Action, Actions, Gesture, call};
use crate::live::Motion;
use crate::scene::Scene;
use crate::timeline::unselect_time;
use deskhand_dsp::Frames;
use deskhand_protocol::desk::Play;
use deskhand_session::{Playing, Session, SourceId, TrackId, Word};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Writes a fact about a segment; null removes it.
pub(crate) fn describe(segment: deskhand_session::SegmentId, fact: &str, value: &Value) -> Action {
    call(Gesture::SetDescription, json!({"segment_ids": [segment], "facts": {fact: value}}))
}

fn seconds(session: &Session, at: Frames) -> f64 {
    at.0 as f64 / f64::from(session.rate.0)
}

/// Moves the playhead to a moment of a source and plays from there. If no clip plays it, or a host has the
/// transport, only the source plays, until `to`.
pub(crate) fn hear(
    scene: Scene<'_>,
    places: &Places,
    source: SourceId,
    (from, to): (Frames, Frames),
    out: &mut Actions,
) {
    if scene.live.is_hosted() {
        out.extend(audition(scene, source, (from, to)));
        return;
    }
    // A cut may lie a little after the first word.
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

/// The action that plays a stretch of a source alone; `None` if there is no sound.
pub(crate) fn audition(
    scene: Scene<'_>,
    source: SourceId,
    (from, to): (Frames, Frames),
) -> Option<Action> {
    let heard = Action::Audition(Some((source, from, to.max(from + Frames(1)))));
    scene.live.has_voice().then_some(heard)
}

/// The stretches of the timeline for words, in order. Stretches that meet or overlap, on any tracks, are
/// joined.
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
pub(crate) fn select(session: &Session, places: &Places, region: &Region) -> Option<Action> {
    let found = stretches(places, region);
    let (from, to) = (found.first()?.1, found.iter().map(|it| it.2).max()?);
    let tracks: BTreeSet<TrackId> = found.iter().flat_map(|it| it.0.iter().copied()).collect();
    let params = json!({
        "targets": tracks, "start_s": seconds(session, from), "end_s": seconds(session, to),
    });
    Some(call(Gesture::Select, params))
}

/// Cuts words out of the timeline and closes the gaps, on all tracks of the group, in one step. Each edge
/// is between a removed word and a kept one.
pub(crate) fn cut(session: &Session, places: &Places, region: &Region) -> Vec<Action> {
    let mut found: BTreeMap<BTreeSet<TrackId>, Vec<(Frames, Frames)>> = BTreeMap::new();
    for (mut tracks, from, to) in stretches(places, region) {
        let groups = session.groups.values();
        let met = groups.filter(|group| group.tracks.iter().any(|track| tracks.contains(track)));
        let all: Vec<TrackId> = met.flat_map(|group| group.tracks.iter().copied()).collect();
        tracks.extend(all);
        found.entry(tracks).or_default().push((from, to));
    }
    let unselected = unselect_time(session).filter(|_| !found.is_empty());
    let deleted = found.iter().filter_map(|(tracks, times)| delete(session, tracks, times));
    unselected.into_iter().chain(deleted).collect()
}

/// One step that takes stretches of time with words out of tracks.
fn delete(
    session: &Session,
    tracks: &BTreeSet<TrackId>,
    times: &[(Frames, Frames)],
) -> Option<Action> {
    let stretch = |(from, to): &(Frames, Frames)| json!({"start_s": seconds(session, *from), "end_s": seconds(session, *to)});
    let (first, more) = times.split_first()?;
    let mut params = stretch(first);
    params["targets"] = json!(tracks);
    params["between_words"] = json!(true);
    if !more.is_empty() {
        params["also"] = more.iter().map(stretch).collect();
    }
    Some(call(Gesture::DeleteTime, params))
}

/// Restores the cut ones of the words: a call for each segment that has some.
pub(crate) fn restore(session: &Session, pieces: &[Piece]) -> Vec<Action> {
    let playing = Playing::of(session);
    let of_piece = |piece: &Piece| {
        let segments = session.transcript_of(piece.source).into_iter();
        let back = segments.filter_map(|(id, segment)| {
            let is_meant = |word: &&(usize, &Word)| {
                let middle = word.1.middle();
                piece.from <= middle && middle < piece.to && playing.is_cut(piece.source, word.1)
            };
            let all: Vec<(usize, &Word)> = segment.words.iter().enumerate().collect();
            let cut: Vec<usize> = all.iter().filter(is_meant).map(|(at, _)| *at).collect();
            let (first, last) = (*cut.first()?, *cut.last()?);
            let params = json!({"segment_id": id, "first": first, "count": last - first + 1});
            Some(call(Gesture::RestoreWords, params))
        });
        back.collect::<Vec<_>>()
    };
    pieces.iter().flat_map(of_piece).collect()
}

/// Marks a segment as important, or not any more.
pub(crate) fn importance(segment: deskhand_session::SegmentId, is_important: bool) -> Action {
    let importance = u8::from(is_important);
    call(Gesture::SetImportance, json!({"segment_id": segment, "importance": importance}))
}

/// Asks for a plan that marks takes.
pub(crate) fn find_takes(params: Value) -> Action {
    Action::Plan { gesture: Gesture::MarkTakes, params }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::spoken;
    use deskhand_session::{ClipId, Group, GroupId};

    #[test]
    fn words_that_play_at_two_places_go_in_one_step_on_all_tracks_of_the_group() {
        let mut session = spoken();
        let first = session.clips.get_mut(&ClipId::new(1)).unwrap();
        let mut rest = first.clone();
        first.length = Frames(48_000);
        (rest.start, rest.length) = (Frames(48_000), Frames(48_000));
        rest.position = Frames(960_000);
        session.clips.insert(ClipId::new(9), rest);
        let tracks = [1, 2].map(TrackId::new);
        let group = Group { name: "Talk".into(), tracks: tracks.into() };
        session.groups.insert(GroupId::new(1), group);
        let piece = Piece { source: SourceId::new(1), from: Frames(24_000), to: Frames(67_200) };
        let region = Region { words: 1..3, pieces: vec![piece] };
        let cuts = cut(&session, &Places::new(&session), &region);
        let params = json!({
            "targets": tracks, "start_s": 0.5, "end_s": 1.0, "between_words": true,
            "also": [{"start_s": 20.0, "end_s": 20.4}],
        });
        assert_eq!(cuts, [call(Gesture::DeleteTime, params)]);
    }
}
