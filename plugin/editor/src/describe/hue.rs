//! Which of the seven hues a track has.

use deskhand_session::{Change, Color, Revision, Session, SessionId, TrackId};
use std::cell::RefCell;
use std::collections::BTreeMap;

thread_local! {
    /// Of each session that this thread shows, what its history gave to each of its tracks.
    static GIVEN: RefCell<BTreeMap<SessionId, Hues>> = const { RefCell::new(BTreeMap::new()) };
}

type Hues = BTreeMap<TrackId, usize>;

/// The history of a session was read. The hues that it gave to tracks stay, whichever tracks come and go
/// later.
pub(crate) fn learn(session: &Session, history: &[Revision]) {
    let given = given(session, history);
    GIVEN.with_borrow_mut(|all| drop(all.insert(session.id, given)));
}

/// The place of a track's hue: the nearest to its color, else its own, wherever it is moved.
pub(crate) fn hue_of(track: Option<TrackId>, session: &Session) -> usize {
    let Some(track) = track else { return 6 };
    let color = session.tracks.get(&track).and_then(|track| track.color.as_ref());
    // Each row asks for its hue, so the hues of the others are only checked for a new track.
    if let Some(hue) = color.and_then(hue_for).or_else(|| given_to(track, session)) {
        return hue;
    }
    let hues = hues(session);
    // A plan would make it: it has the hue already that it has then.
    let new = || own_hue(track, [&counts(&hues), &counts(&known(session))]);
    hues.get(&track).copied().unwrap_or_else(new)
}

/// The places of the hues of all tracks. Tracks without a color and a history take the remaining ones.
pub(crate) fn hues(session: &Session) -> Hues {
    let known = known(session);
    let shown = session.tracks.iter().filter_map(|(id, track)| {
        let own = || known.get(id).copied();
        Some((*id, track.color.as_ref().and_then(hue_for).or_else(own)?))
    });
    let mut hues: Hues = shown.collect();
    for id in session.tracks.keys() {
        if !hues.contains_key(id) {
            let own = own_hue(*id, [&counts(&hues), &counts(&known)]);
            hues.insert(*id, own);
        }
    }
    hues
}

fn given_to(track: TrackId, session: &Session) -> Option<usize> {
    GIVEN.with_borrow(|all| all.get(&session.id)?.get(&track).copied())
}

fn known(session: &Session) -> Hues {
    GIVEN.with_borrow(|all| all.get(&session.id).cloned()).unwrap_or_default()
}

/// The hue of each track without a color, chosen when the track was made. The first ones are those from
/// before the history.
fn given(session: &Session, history: &[Revision]) -> Hues {
    let changes = move || history.iter().flat_map(|step| &step.changes);
    let mut is_made: BTreeMap<TrackId, bool> = BTreeMap::new();
    for change in changes() {
        if let Change::AddTrack(edit) | Change::RemoveTrack(edit) = change {
            is_made.entry(edit.target).or_insert(matches!(change, Change::AddTrack(_)));
        }
    }
    for id in session.tracks.keys() {
        is_made.entry(*id).or_insert(false);
    }
    let (mut own, mut shown) = (Hues::new(), Hues::new());
    for (id, _) in is_made.into_iter().filter(|(_, is_made)| !is_made) {
        let hue = own_hue(id, [&counts(&shown), &counts(&own)]);
        own.insert(id, hue);
        shown.insert(id, hue);
    }
    for change in changes() {
        step(change, &mut own, &mut shown);
    }
    own
}

/// Updates the hues of tracks without a color, and the hues that are visible, for a change.
fn step(change: &Change, own: &mut Hues, shown: &mut Hues) {
    let (track, color) = match change {
        Change::AddTrack(edit) => {
            let color = edit.after.as_ref().and_then(|placed| placed.track.color.as_ref());
            (edit.target, color)
        }
        Change::SetTrackColor(edit) => (edit.target, edit.after.as_ref()),
        Change::RemoveTrack(edit) => {
            shown.remove(&edit.target);
            return;
        }
        _ => return,
    };
    let counts = [counts(shown), counts(own)];
    let [now, ever] = &counts;
    let hue = *own.entry(track).or_insert_with(|| own_hue(track, [now, ever]));
    shown.insert(track, color.and_then(hue_for).unwrap_or(hue));
}

/// How many tracks have each hue.
fn counts(hues: &Hues) -> [usize; 7] {
    let mut counts = [0; 7];
    for hue in hues.values() {
        if let Some(count) = counts.get_mut(*hue) {
            *count += 1;
        }
    }
    counts
}

/// The hue of a track's id, or the next one that the fewest tracks have now, then the fewest ever had. No
/// two tracks share a hue while there are enough.
fn own_hue(track: TrackId, [now, ever]: [&[usize; 7]; 2]) -> usize {
    let first = (track.bits().wrapping_sub(1) % 7) as usize;
    let from_there = (0..7).map(|step| (first + step) % 7);
    let taken = |hue: &usize| (now.get(*hue).copied(), ever.get(*hue).copied());
    from_there.min_by_key(taken).unwrap_or(first)
}

fn hue_for(color: &Color) -> Option<usize> {
    nearest_hue(&String::from(color.clone()))
}

/// The nearest of the seven by hue; greys are mauve.
pub(crate) fn nearest_hue(hex: &str) -> Option<usize> {
    let bits = u32::from_str_radix(hex.strip_prefix('#')?, 16).ok()?;
    let wanted = egui::Color32::from_rgb((bits >> 16) as u8, (bits >> 8) as u8, bits as u8);
    let wanted = egui::epaint::Hsva::from(wanted);
    if wanted.s < 0.08 {
        return Some(6);
    }
    let distance = |color: egui::Color32| {
        let apart = (egui::epaint::Hsva::from(color).h - wanted.h).abs();
        apart.min(1.0 - apart)
    };
    let hues = crate::theme::Theme::DARK.hues.iter().enumerate();
    let nearest = hues.min_by(|(_, a), (_, b)| distance(a.strong).total_cmp(&distance(b.strong)));
    nearest.map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use deskhand_dsp::SampleRate;
    use deskhand_session::track::PlacedTrack;
    use deskhand_session::{Edit, Track};

    fn revision(number: u64, change: Change) -> Revision {
        testing::revision(number, vec![change])
    }

    fn added(id: u64) -> Change {
        let placed = PlacedTrack { index: 0, track: Track::audio("Track") };
        Change::AddTrack(Edit::create(TrackId::new(id), placed))
    }

    /// A session of these tracks after these changes.
    fn after(tracks: &[u64], changes: &[Change]) -> Session {
        let mut session = Session::new(SessionId::new(77), SampleRate(48_000));
        for id in tracks {
            session.tracks.insert(TrackId::new(*id), Track::audio("Track"));
        }
        let numbered = (1..).zip(changes.iter().cloned());
        let history: Vec<_> = numbered.map(|(number, change)| revision(number, change)).collect();
        learn(&session, &history);
        session
    }

    #[test]
    fn tracks_keep_their_hues_when_others_come_and_go() {
        let ids = [50, 43, 36];
        let hues = |session: &Session| ids.map(|id| hue_of(Some(TrackId::new(id)), session));
        let made: Vec<Change> = ids.map(added).into();
        let before = hues(&after(&ids, &made));
        assert_eq!(before, [0, 1, 2], "all of them stand for the first");
        let more = [&made[..], &[added(8), added(1)]].concat();
        let session = after(&[50, 43, 36, 8, 1], &more);
        assert_eq!(hues(&session), before);
        let [fourth, fifth] = [8, 1].map(|id| hue_of(Some(TrackId::new(id)), &session));
        assert_eq!([fourth, fifth], [3, 4], "and none has that of another");
        let placed = PlacedTrack { index: 0, track: Track::audio("Track") };
        let removed = Change::RemoveTrack(Edit::remove(TrackId::new(50), placed));
        let session = after(&[43, 36, 8, 1], &[&more[..], &[removed]].concat());
        assert_eq!(hues(&session), before, "the card of one that is gone has its hue, too");
    }

    #[test]
    fn a_track_that_a_plan_would_make_has_the_hue_that_it_gets_once_it_is_made() {
        let ids = [50, 43, 36, 29, 22, 15];
        let placed = PlacedTrack { index: 0, track: Track::audio("Track") };
        let removed = Change::RemoveTrack(Edit::remove(TrackId::new(50), placed));
        let made: Vec<Change> = ids.map(added).into_iter().chain([removed]).collect();
        let planned = Some(TrackId::new(8));
        let before = hue_of(planned, &after(&ids[1..], &made));
        let session = after(&[43, 36, 29, 22, 15, 8], &[&made[..], &[added(8)]].concat());
        assert_eq!((before, hue_of(planned, &session)), (6, 6), "and not that of one that is gone");
    }

    #[test]
    fn tracks_of_before_the_history_keep_theirs_and_a_color_changes_that_of_its_track_alone() {
        let session = after(&[1, 8], &[]);
        let hue = |session: &Session, id: u64| hue_of(Some(TrackId::new(id)), session);
        assert_eq!([hue(&session, 1), hue(&session, 8)], [0, 1]);
        let [red, green, blue, _] = crate::theme::Theme::DARK.hues[2].strong.to_array();
        let color: Color = format!("#{red:02x}{green:02x}{blue:02x}").try_into().unwrap();
        let colored = Change::SetTrackColor(Edit::new(TrackId::new(8), None, Some(color.clone())));
        let mut session = after(&[1, 8, 15], &[colored, added(15)]);
        session.tracks.get_mut(&TrackId::new(8)).unwrap().color = Some(color);
        assert_eq!([1, 8, 15].map(|id| hue(&session, id)), [0, 2, 3]);
    }

    #[test]
    fn a_track_keeps_its_hue_when_it_is_moved() {
        let mut session = crate::testing::session();
        let hues = |session: &Session| [1, 2].map(|id| hue_of(Some(TrackId::new(id)), session));
        let before = hues(&session);
        assert_ne!(before[0], before[1]);
        session.track_order.reverse();
        assert_eq!(hues(&session), before);
    }

    #[test]
    fn seven_tracks_have_seven_hues_whatever_their_ids() {
        let mut session = Session::new(SessionId::new(78), SampleRate(48_000));
        let ids = (0..14).map(|number| TrackId::new(7 * number + 1));
        for id in ids.clone() {
            session.tracks.insert(id, Track::audio("Track"));
        }
        let mut hues: Vec<_> = ids.map(|id| hue_of(Some(id), &session)).collect();
        hues.sort_unstable();
        assert_eq!(hues, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
    }

    #[test]
    fn without_a_history_a_hue_that_a_color_takes_is_left_to_it() {
        let mut session = crate::testing::session();
        session.id = SessionId::new(79);
        let ids = [1, 2].map(TrackId::new);
        let hues = |session: &Session| ids.map(|id| hue_of(Some(id), session));
        assert_eq!(hues(&session), [0, 1]);
        let [red, green, blue, _] = crate::theme::Theme::DARK.hues[0].strong.to_array();
        let hex = format!("#{red:02x}{green:02x}{blue:02x}");
        session.tracks.get_mut(&ids[1]).unwrap().color = Some(hex.try_into().unwrap());
        assert_eq!(hues(&session), [1, 0]);
    }
}
