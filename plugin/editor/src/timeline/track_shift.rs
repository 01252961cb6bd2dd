//! Clips that are dragged to other tracks: all move down by the same number of audio tracks, as far as each has one.

use deskhand_session::{Clip, ClipId, Session, TrackId, TrackKind};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The target places of clips that move down or up together.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Down {
    /// The number of audio tracks to go down; a negative number goes up.
    by: i64,
    /// The track that each comes to, by the one that it is on.
    tracks: BTreeMap<TrackId, TrackId>,
}

impl Down {
    /// With the one on `home` dragged to `to`; nowhere where that is no audio track.
    pub(super) fn between(session: &Session, clips: &[ClipId], home: TrackId, to: TrackId) -> Self {
        let is_audio = |id: &&TrackId| {
            session.tracks.get(*id).is_some_and(|track| track.kind == TrackKind::Audio)
        };
        let audio: Vec<TrackId> = session.track_order.iter().filter(is_audio).copied().collect();
        let place = |track: TrackId| {
            let place = audio.iter().position(|id| *id == track)?;
            i64::try_from(place).ok()
        };
        let (Some(from), Some(wanted)) = (place(home), place(to)) else { return Self::default() };
        let tracks = clips.iter().filter_map(|id| session.clips.get(id)).map(|clip| clip.track);
        let homes: BTreeMap<TrackId, i64> =
            tracks.filter_map(|track| Some((track, place(track)?))).collect();
        let first = homes.values().min().copied().unwrap_or(from);
        let last = homes.values().max().copied().unwrap_or(from);
        let below = i64::try_from(audio.len()).unwrap_or(i64::MAX) - 1 - last;
        let by = (wanted - from).min(below).max(-first);
        let there = |(track, place): (TrackId, i64)| {
            let place = usize::try_from(place + by).ok()?;
            Some((track, *audio.get(place)?))
        };
        Self { by, tracks: homes.into_iter().filter_map(there).collect() }
    }

    /// Whether clips change their track.
    pub(super) fn is_any(&self) -> bool {
        self.by != 0
    }

    pub(super) fn of(&self, clip: &Clip) -> TrackId {
        self.tracks.get(&clip.track).copied().unwrap_or(clip.track)
    }

    /// Adds the target tracks to the parameters of a call: by name if all go to one track.
    pub(super) fn add_to(&self, params: &mut Value) {
        let mut tracks = self.tracks.values();
        match (self.is_any(), tracks.next(), tracks.next()) {
            (true, Some(track), None) => params["track"] = json!(track),
            (true, ..) => params["down"] = json!(self.by),
            (false, ..) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::session;
    use deskhand_session::Track;

    #[test]
    fn clips_on_several_tracks_go_down_together_past_a_bus_and_none_leaves_the_desk() {
        let mut session = session();
        let [first, second, bus, last] = [1, 2, 8, 3].map(TrackId::new);
        session.track_order.extend([bus, last]);
        session.tracks.insert(bus, Track::bus("Bus"));
        session.tracks.insert(last, Track::audio("Bass"));
        let both = [1, 2].map(ClipId::new);
        let there = |clips: &[ClipId], home, to| {
            let down = Down::between(&session, clips, home, to);
            let mut params = json!({});
            down.add_to(&mut params);
            (both.map(|id| down.of(&session.clips[&id])), params)
        };
        assert_eq!(there(&both, first, second), ([second, last], json!({"down": 1})));
        assert_eq!(there(&both, first, last), ([second, last], json!({"down": 1})), "no further");
        assert_eq!(there(&both, second, first), ([first, second], json!({})), "no higher");
        assert_eq!(there(&both, first, bus), ([first, second], json!({})));
        let alone = there(&both[..1], first, last);
        assert_eq!(alone, ([last, second], json!({"track": last})));
    }
}
