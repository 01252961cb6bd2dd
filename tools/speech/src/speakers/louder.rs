//! Which microphone is a speaker's own, from how much louder one hears a moment than another.
//!
//! A microphone may be turned up, so the louder one is not always the nearer one. But two people who speak
//! in turn into two microphones make two groups of level differences. The middle between the groups
//! separates them, however seldom one person speaks.

use deskhand_session::TrackId;
use std::collections::BTreeMap;

/// Another microphone owns a phrase if it is louder than the border between the two by at least this much.
const MARGIN_DB: f64 = 6.0;
/// The means of two groups are at least this far apart: a microphone hears another's speaker 6 dB softer.
const APART_DB: f64 = 12.0;
/// The means must also lie this many times farther apart than each group spreads. The phrases of a single
/// speaker spread evenly.
const APART: f64 = 5.0;
/// Even a person who speaks seldom has this share of the phrases where one microphone is louder throughout.
const SHARE: f64 = 0.1;

/// A phrase: its track, and how much louder each other track hears it, in dB.
pub(super) type Heard = (TrackId, BTreeMap<TrackId, f64>);

/// The border between the speakers of two microphones.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Border {
    /// The gain of the second microphone over the first, in dB.
    at: f64,
    margin: f64,
}

/// The track of each phrase's speaker.
pub(super) fn owners(heard: &[Heard]) -> Vec<TrackId> {
    // Each pair is stored in one order: a phrase of the second track counts with the opposite sign.
    let mut pairs: BTreeMap<(TrackId, TrackId), Vec<f64>> = BTreeMap::new();
    for (own, others) in heard {
        for (other, louder) in others {
            let (pair, sign) = pair(*own, *other);
            pairs.entry(pair).or_default().push(sign * louder);
        }
    }
    let borders: BTreeMap<_, Border> =
        pairs.into_iter().map(|(pair, of)| (pair, border(of))).collect();
    let owner = |(own, others): &Heard| {
        let above = others.iter().filter_map(|(other, louder)| {
            let (pair, sign) = pair(*own, *other);
            let border = borders.get(&pair)?;
            let above = louder - sign * border.at;
            (above > border.margin).then_some((above, *other))
        });
        above.max_by(|one, two| one.0.total_cmp(&two.0)).map_or(*own, |(_, other)| other)
    };
    heard.iter().map(owner).collect()
}

fn pair(own: TrackId, other: TrackId) -> ((TrackId, TrackId), f64) {
    if own < other { ((own, other), 1.0) } else { ((other, own), -1.0) }
}

/// Half-way between the means of two heaps; where there are not two, microphones count as turned up alike.
fn border(mut of: Vec<f64>) -> Border {
    of.sort_by(f64::total_cmp);
    let alike = Border { at: 0.0, margin: MARGIN_DB };
    let (Some(least), Some(most)) = (of.first(), of.last()) else { return alike };
    let mut at = f64::midpoint(*least, *most);
    let (mut low, mut high) = (of.as_slice(), of.as_slice());
    // Each step moves the threshold toward the middle of the two means. It settles after a few steps.
    for _ in 0..of.len() {
        (low, high) = of.split_at(of.partition_point(|louder| *louder < at));
        let next = f64::midpoint(mean(low), mean(high));
        if low.is_empty() || high.is_empty() || next == at {
            break;
        }
        at = next;
    }
    let apart = mean(high) - mean(low);
    let spread = ((squares(low) + squares(high)) / of.len() as f64).sqrt();
    let are_two = !low.is_empty() && apart >= APART_DB && apart >= APART * spread;
    // A laugh into somebody's sentence makes a heap too, but not on the other side and not often.
    let fewer = low.len().min(high.len());
    let is_often = fewer > 1 && fewer as f64 >= SHARE * of.len() as f64;
    let is_turned = mean(low) < 0.0 && mean(high) > 0.0;
    match are_two && (is_turned || is_often) {
        true => Border { at, margin: MARGIN_DB.min(apart / 4.0) },
        false => alike,
    }
}

fn mean(of: &[f64]) -> f64 {
    of.iter().sum::<f64>() / of.len().max(1) as f64
}

/// The sum of the squares around the mean.
fn squares(of: &[f64]) -> f64 {
    let mean = mean(of);
    of.iter().map(|louder| (louder - mean).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOST: TrackId = TrackId::new(1);
    const GUEST: TrackId = TrackId::new(2);

    /// Ten moments on two microphones with a difference of 20 dB. The guest's is turned up by `gain`, and
    /// the guest speaks the last `guest` moments.
    fn heard(guest: usize, gain: f64) -> (Vec<Heard>, Vec<TrackId>) {
        let wobble = |at: usize| (at % 3) as f64 - 1.0;
        let phrases = (0..10).flat_map(|at| {
            let is_guest = at >= 10 - guest;
            let louder = gain + wobble(at) + if is_guest { 20.0 } else { -20.0 };
            let owner = if is_guest { GUEST } else { HOST };
            [
                ((HOST, BTreeMap::from([(GUEST, louder)])), owner),
                ((GUEST, BTreeMap::from([(HOST, -louder)])), owner),
            ]
        });
        phrases.unzip()
    }

    #[test]
    fn who_speaks_seldom_keeps_their_phrases_alone_however_microphones_are_turned_up() {
        for gain in [-26.0, -12.0, 0.0, 12.0, 26.0] {
            for guest in 1..10 {
                let (heard, owner) = heard(guest, gain);
                assert_eq!(owners(&heard), owner, "{guest} of 10, {gain} dB");
            }
        }
    }

    #[test]
    fn where_one_speaks_alone_the_louder_microphone_is_theirs() {
        for guest in [0, 10] {
            let (heard, owner) = heard(guest, 5.0);
            assert_eq!(owners(&heard), owner);
        }
        // Soft speech belongs to the same speaker, even if the other microphone only hears its noise.
        let soft: Vec<Heard> =
            (0..20).map(|at| (HOST, BTreeMap::from([(GUEST, -50.0 + f64::from(at))]))).collect();
        assert_eq!(owners(&soft), [HOST; 20]);
    }

    #[test]
    fn who_talks_at_the_same_time_keeps_their_own_words() {
        let (mut heard, mut owner) = heard(3, 12.0);
        heard.push((HOST, BTreeMap::from([(GUEST, 13.0)])));
        heard.push((GUEST, BTreeMap::from([(HOST, -13.0)])));
        owner.extend([HOST, GUEST]);
        assert_eq!(owners(&heard), owner);
    }

    #[test]
    fn of_three_microphones_the_nearest_is_the_speakers() {
        let all: Vec<TrackId> = (1..4).map(TrackId::new).collect();
        let (mut heard, mut owner): (Vec<Heard>, Vec<TrackId>) = (Vec::new(), Vec::new());
        for speaker in [0, 0, 0, 0, 0, 0, 0, 1, 0, 2] {
            let level = |at: usize| if at == speaker { 0.0 } else { -18.0 + at as f64 };
            for own in 0..3 {
                let others = (0..3).filter(|other| *other != own);
                let louder = others.map(|other| (all[other], level(other) - level(own)));
                heard.push((all[own], louder.collect()));
                owner.push(all[speaker]);
            }
        }
        assert_eq!(owners(&heard), owner);
    }
}
