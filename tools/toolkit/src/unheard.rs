//! What a plan does to tracks that are muted: nobody hears it, so nobody should be left to wonder.

use crate::task::Draft;
use deskhand_session::{Change, InsertOwner, Session, TrackId};
use std::collections::BTreeSet;

/// The most tracks that are named; others are counted.
const NAMED: usize = 3;

/// The warning that sound changes on muted tracks that stay muted; `None` if there is no such track.
pub(crate) fn told(session: &Session, draft: &Draft) -> Option<String> {
    let changes = || draft.changes.iter().map(|planned| &planned.change);
    let is_set = |track: &TrackId| {
        changes().any(|it| matches!(it, Change::SetTrackMute(edit) if edit.target == *track))
    };
    let is_muted = |track: &TrackId| session.is_muted(*track) && !is_set(track);
    let moves = Moves::of(draft);
    let tracks: BTreeSet<TrackId> =
        changes().filter_map(|it| sounding(session, it, moves)).collect();
    let order = session.track_order.iter().filter(|id| tracks.contains(id) && is_muted(id));
    let names: Vec<String> =
        order.map(|id| format!("\"{}\"", session.name_of((*id).into()))).collect();
    let shown: Vec<&str> = names.iter().take(NAMED).map(String::as_str).collect();
    let more = names.len() - shown.len();
    let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
    let is = if names.len() == 1 { "is" } else { "are" };
    let told =
        || format!("{}{tail} {is} muted: what changes there is not heard.", shown.join(", "));
    (!names.is_empty()).then(told)
}

/// The track that sounds otherwise after a change. Clips that are cut because others move along are no news of theirs.
fn sounding(session: &Session, change: &Change, moves: Moves) -> Option<TrackId> {
    match change {
        Change::SetClipGain(_)
        | Change::SetClipEnvelope(_)
        | Change::SetTrackGain(_)
        | Change::SetTrackEnvelope(_) => session.track_of(change.target()),
        Change::SetClipFades(_) | Change::TrimClip(_) | Change::RemoveClip(_)
            if moves == Moves::Nothing =>
        {
            session.track_of(change.target())
        }
        Change::AddClip(edit) if moves == Moves::Nothing => Some(edit.after.as_ref()?.track),
        Change::SetInsert(edit) => match edit.after.as_ref().or(edit.before.as_ref())?.on {
            InsertOwner::Track(track) => Some(track),
            InsertOwner::Master => None,
        },
        _ => None,
    }
}

/// Whether a plan closes or opens time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moves {
    Time,
    Nothing,
}

impl Moves {
    fn of(draft: &Draft) -> Self {
        let is_ripple =
            |it: &Change| matches!(it, Change::RippleDelete(_) | Change::RippleInsert(_));
        let moves = draft.changes.iter().any(|planned| is_ripple(&planned.change));
        if moves { Self::Time } else { Self::Nothing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::{Decibels, SampleRate};
    use deskhand_session::{Edit, SessionId, Track};

    #[test]
    fn what_changes_on_a_muted_track_is_told_and_what_is_unmuted_is_not() {
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        let [heard, muted] = [1, 2].map(TrackId::new);
        session.tracks.insert(heard, Track::audio("Host"));
        session.tracks.insert(muted, Track { mute: true, ..Track::audio("Guest") });
        session.track_order = vec![heard, muted];
        let mut draft = Draft::default();
        for track in [heard, muted] {
            let gain = Edit::new(track, Decibels(0.0), Decibels(-3.0));
            draft.change(Change::SetTrackGain(gain), "gain".into(), "as asked");
        }
        let found = told(&session, &draft);
        assert_eq!(found.as_deref(), Some("\"Guest\" is muted: what changes there is not heard."));
        let unmute = Change::SetTrackMute(Edit::new(muted, true, false));
        draft.change(unmute, "Guest".into(), "as asked");
        assert_eq!(told(&session, &draft), None);
    }
}
