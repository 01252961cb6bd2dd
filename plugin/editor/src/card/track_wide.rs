//! Where a change is heard that holds for all of a track or of the mix: a fader has no place in time.

use crate::describe::track_of;
use deskhand_dsp::Frames;
use deskhand_session::{
    Change, Clip, ClipId, Measure, ObjectId, Plan, Session, TrackId, TrackKind,
};

/// Why there is nothing to hear, worded to follow "is not heard:".
const NO_SOUND: &str = "it changes no sound";
const NOTHING_PLAYS: &str = "nothing plays there";

/// The start position for playing a change: the player's position while a part of the change plays there;
/// otherwise the start of its loudest measured clip, or of its first clip.
///
/// # Errors
/// Why there is nothing to hear.
pub(super) fn heard_from(
    plan: &Plan,
    change: &Change,
    session: &Session,
    playhead: Frames,
) -> Result<Frames, &'static str> {
    if !changes_sound(change) {
        return Err(NO_SOUND);
    }
    let own = track_of(change, session);
    let clips: Vec<(ClipId, &Clip)> = session
        .clips
        .iter()
        .filter(|(_, clip)| plays_into(session, own, clip.track))
        .map(|(id, clip)| (*id, clip))
        .collect();
    if clips.iter().any(|(_, clip)| clip.position <= playhead && playhead < clip.end()) {
        return Ok(playhead);
    }
    let measured = |(id, clip): &(ClipId, &Clip)| Some((loudness(plan, *id)?, clip.position));
    let measured = clips.iter().filter_map(measured);
    let loudest = measured.max_by(|(one, _), (other, _)| one.total_cmp(other));
    let first = || clips.iter().map(|(_, clip)| clip.position).min();
    loudest.map(|(_, at)| at).or_else(first).ok_or(NOTHING_PLAYS)
}

/// Whether a change without a place in time is one of sound.
fn changes_sound(change: &Change) -> bool {
    matches!(
        change,
        Change::SetTrackGain(_)
            | Change::SetTrackPan(_)
            | Change::SetTrackMute(_)
            | Change::SetTrackSolo(_)
            | Change::SetTrackOutput(_)
            | Change::SetTrackEnvelope(_)
            | Change::SetMasterGain(_)
            | Change::SetInsert(_)
    )
}

/// Whether a track's sound is also heard in `own`, or in the mix: it may go through a bus.
fn plays_into(session: &Session, own: Option<TrackId>, track: TrackId) -> bool {
    let Some(own) = own else { return true };
    let is_bus = session.tracks.get(&own).is_some_and(|it| it.kind == TrackKind::Bus);
    is_bus || own == track
}

/// What a plan measured of a clip, LUFS.
fn loudness(plan: &Plan, clip: ClipId) -> Option<f64> {
    let of_clip = |target: ObjectId| target == ObjectId::Clip(clip);
    let mut all = plan.findings.iter();
    all.find(|it| of_clip(it.target) && it.measure == Measure::IntegratedLoudness)?.value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{gain_plan, session};
    use deskhand_dsp::Decibels;
    use deskhand_session::{Edit, Finding, SessionId, Track};

    fn gain(track: u64) -> Change {
        Change::SetTrackGain(Edit::new(TrackId::new(track), Decibels(0.0), Decibels(-3.0)))
    }

    #[test]
    fn it_is_heard_where_the_player_is_or_where_its_clips_are() {
        let mut session = session();
        let first = session.clips[&ClipId::new(1)].clone();
        let at = |position| Clip { position: Frames(position), ..first.clone() };
        session.clips.insert(ClipId::new(1), at(1_000_000));
        session.clips.insert(ClipId::new(3), at(2_000_000));
        let mut plan = gain_plan();
        plan.findings.clear();
        let heard = |plan: &Plan, playhead| heard_from(plan, &gain(1), &session, Frames(playhead));
        assert_eq!(heard(&plan, 1_200_000), Ok(Frames(1_200_000)), "it plays there");
        assert_eq!(heard(&plan, 0), Ok(Frames(1_000_000)), "there only the guitar plays");
        let found = |id, value| Finding::new(ClipId::new(id), Measure::IntegratedLoudness, value);
        plan.findings = vec![found(1, Some(-20.0)), found(3, Some(-12.0))];
        assert_eq!(heard(&plan, 0), Ok(Frames(2_000_000)), "the loudest");
        let master = Edit::new(SessionId::new(1), Decibels(0.0), Decibels(-3.0));
        let master = Change::SetMasterGain(master);
        assert_eq!(heard_from(&plan, &master, &session, Frames(9)), Ok(Frames(9)));
    }

    #[test]
    fn where_there_is_nothing_to_hear_it_says_why() {
        let (plan, mut session) = (gain_plan(), session());
        let name = Edit::new(TrackId::new(1), "Vocal".to_owned(), "Voice".to_owned());
        let name = Change::RenameTrack(name);
        assert_eq!(heard_from(&plan, &name, &session, Frames(0)), Err(NO_SOUND));
        session.tracks.insert(TrackId::new(3), Track::audio("Empty"));
        assert_eq!(heard_from(&plan, &gain(3), &session, Frames(0)), Err(NOTHING_PLAYS));
        let bus = Track { kind: TrackKind::Bus, ..Track::audio("Bus") };
        session.tracks.insert(TrackId::new(3), bus);
        assert_eq!(heard_from(&plan, &gain(3), &session, Frames(7)), Ok(Frames(7)));
    }
}
