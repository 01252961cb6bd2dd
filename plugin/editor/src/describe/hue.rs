//! Which of the seven hues a track has.

use deskhand_session::{Session, TrackId};
use std::collections::BTreeMap;

/// The place of a track's hue: the nearest to its color, else its own, wherever it is moved.
pub(crate) fn hue_of(track: Option<TrackId>, session: &Session) -> usize {
    let Some(track) = track else { return 6 };
    let hues = hues(session);
    // A plan would make it.
    let new = || own_hue(track, &counts(&hues));
    hues.get(&track).copied().unwrap_or_else(new)
}

/// The places of the hues of all tracks. Those without a color take what is left.
pub(crate) fn hues(session: &Session) -> BTreeMap<TrackId, usize> {
    let colored = session.tracks.iter().filter_map(|(id, track)| {
        let color = String::from(track.color.clone()?);
        Some((*id, nearest_hue(&color)?))
    });
    let mut hues: BTreeMap<TrackId, usize> = colored.collect();
    let mut counts = counts(&hues);
    for id in session.tracks.keys() {
        if !hues.contains_key(id) {
            let own = own_hue(*id, &counts);
            hues.insert(*id, own);
            count(&mut counts, own);
        }
    }
    hues
}

/// How many tracks have each hue.
fn counts(hues: &BTreeMap<TrackId, usize>) -> [usize; 7] {
    let mut counts = [0; 7];
    hues.values().for_each(|hue| count(&mut counts, *hue));
    counts
}

fn count(counts: &mut [usize; 7], hue: usize) {
    if let Some(count) = counts.get_mut(hue) {
        *count += 1;
    }
}

/// The hue that an id stands for, or the next that fewer tracks have: no two are alike while there are enough.
fn own_hue(track: TrackId, counts: &[usize; 7]) -> usize {
    let first = (track.bits().wrapping_sub(1) % 7) as usize;
    let from_there = (0..7).map(|step| (first + step) % 7);
    from_there.min_by_key(|hue| counts.get(*hue).copied()).unwrap_or(first)
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
    use deskhand_dsp::SampleRate;
    use deskhand_session::{SessionId, Track};

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
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        let ids = (0..14).map(|number| TrackId::new(7 * number + 1));
        for id in ids.clone() {
            session.tracks.insert(id, Track::audio("Track"));
        }
        let mut hues: Vec<_> = ids.map(|id| hue_of(Some(id), &session)).collect();
        hues.sort_unstable();
        assert_eq!(hues, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
    }

    #[test]
    fn a_hue_that_a_color_takes_is_left_to_it() {
        let mut session = crate::testing::session();
        let ids = [1, 2].map(TrackId::new);
        let hues = |session: &Session| ids.map(|id| hue_of(Some(id), session));
        assert_eq!(hues(&session), [0, 1]);
        let [red, green, blue, _] = crate::theme::Theme::DARK.hues[0].strong.to_array();
        let hex = format!("#{red:02x}{green:02x}{blue:02x}");
        session.tracks.get_mut(&ids[1]).unwrap().color = Some(hex.try_into().unwrap());
        assert_eq!(hues(&session), [1, 0]);
    }
}
