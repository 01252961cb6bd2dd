//! Groups voices by speaker, with agglomerative clusters of squared distances. If the number of speakers is given,
//! Ward's linkage reaches it: a few odd voices cost less than two speakers in one group. If the number is unknown,
//! average linkage makes small groups, which [`super::speaker_count`] merges by their means.
//!
//! Source: F. Murtagh, "A survey of recent advances in hierarchical clustering algorithms", 1983: the chain of
//! nearest neighbors, and the recurrences of Lance and Williams.

use super::speaker_count;

/// How many speakers there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// This many.
    Given(usize),
    /// As many as their voices say.
    Found,
}

/// Voices that are compared with each other, at most; the others go to the nearest speaker.
const MOST: usize = 2_000;
/// Voices that are further apart on average, as a squared distance, are not of one small group: a cosine of 0.75.
const ALIKE: f32 = 0.5;
/// The fewest voices of a speaker: 2.8 s.
const FEWEST: usize = 4;

/// A voice (of length 1), and its steadier average with its direct neighbors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heard<'a> {
    pub(super) voice: &'a [f32],
    pub(super) smooth: &'a [f32],
}

/// The speaker of each voice, counted from 0 in the order of their first voice.
pub(super) fn cluster(heard: &[Heard<'_>], count: Count) -> Vec<usize> {
    let step = heard.len().div_ceil(MOST).max(1);
    let some = || heard.iter().step_by(step);
    let voices: Vec<&[f32]> = some().map(|heard| heard.voice).collect();
    let speakers = match count {
        Count::Found => {
            let smooth: Vec<&[f32]> = some().map(|heard| heard.smooth).collect();
            let merges = merges(&smooth, Linkage::Average);
            let alike = merges.iter().filter(|merge| merge.height <= ALIKE);
            let small = means(&smooth, &groups(smooth.len(), alike), FEWEST);
            speaker_count::speakers(&voices, &smooth, small)
        }
        Count::Given(count) => {
            let merges = merges(&voices, Linkage::Ward);
            let rest = voices.len().saturating_sub(count.max(1));
            let mut speakers = means(&voices, &groups(voices.len(), merges.iter().take(rest)), 1);
            speakers.truncate(count.max(1));
            speakers
        }
    };
    let nearest = heard.iter().map(|heard| nearest(heard.voice, &speakers));
    in_order(nearest.collect())
}

/// What groups that become one are apart from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Linkage {
    /// The mean of all distances between their voices.
    Average,
    /// What taking them for one would cost in squared distances from their middles.
    Ward,
}

/// Two groups that become one.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Merge {
    /// A voice of each.
    pair: (usize, usize),
    /// How far apart they are.
    height: f32,
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// All merges, the nearest first.
fn merges(voices: &[&[f32]], linkage: Linkage) -> Vec<Merge> {
    let count = voices.len();
    let mut distances = Distances::new(voices, linkage);
    let mut sizes = vec![1usize; count];
    let mut chain: Vec<usize> = Vec::new();
    let mut merges = Vec::new();
    while merges.len() + 1 < count {
        let open = |sizes: &[usize]| sizes.iter().position(|size| *size > 0);
        let Some(last) = chain.last().copied().or_else(|| open(&sizes)) else { break };
        if chain.is_empty() {
            chain.push(last);
        }
        let before = chain.len().checked_sub(2).and_then(|at| chain.get(at)).copied();
        let Some((next, height)) = distances.nearest(last, before, &sizes) else { break };
        if Some(next) == before {
            chain.truncate(chain.len().saturating_sub(2));
            distances.merge((last, next), &sizes);
            if let (Some(gone), Some(kept)) = (sizes.get(last).copied(), sizes.get_mut(next)) {
                *kept += gone;
            }
            if let Some(gone) = sizes.get_mut(last) {
                *gone = 0;
            }
            merges.push(Merge { pair: (last, next), height });
        } else {
            chain.push(next);
        }
    }
    merges.sort_by(|a, b| a.height.total_cmp(&b.height));
    merges
}

/// How far groups are apart, each by one voice of it.
struct Distances {
    linkage: Linkage,
    count: usize,
    rows: Vec<f32>,
}

impl Distances {
    fn new(voices: &[&[f32]], linkage: Linkage) -> Self {
        let row = |a: &&[f32]| voices.iter().map(|b| 2.0 - 2.0 * dot(a, b)).collect::<Vec<_>>();
        Self { linkage, count: voices.len(), rows: voices.iter().flat_map(row).collect() }
    }

    fn row(&self, of: usize) -> &[f32] {
        self.rows.get(of * self.count..).and_then(|rows| rows.get(..self.count)).unwrap_or_default()
    }

    /// The nearest other group; `first` where it is as near as any.
    fn nearest(&self, of: usize, first: Option<usize>, sizes: &[usize]) -> Option<(usize, f32)> {
        let others = self.row(of).iter().copied().zip(sizes).enumerate();
        let others = others.filter(|(at, (_, size))| *at != of && **size > 0);
        let others = others.map(|(at, (distance, _))| (at, distance));
        others.min_by(|a, b| {
            let is_second = |at| Some(at) != first;
            a.1.total_cmp(&b.1).then(is_second(a.0).cmp(&is_second(b.0)))
        })
    }

    /// The second of a pair becomes both.
    fn merge(&mut self, (gone, kept): (usize, usize), sizes: &[usize]) {
        let size = |of: usize| sizes.get(of).copied().unwrap_or(0) as f32;
        let (a, b) = (size(gone), size(kept));
        let between = self.row(gone).get(kept).copied().unwrap_or(0.0);
        let linkage = self.linkage;
        let apart = |other: usize, gone: f32, kept: f32| match linkage {
            Linkage::Average => (a * gone + b * kept) / (a + b),
            Linkage::Ward => {
                let c = size(other);
                ((a + c) * gone + (b + c) * kept - c * between) / (a + b + c)
            }
        };
        let both = self.row(gone).iter().zip(self.row(kept)).enumerate();
        let both: Vec<f32> = both.map(|(other, (gone, kept))| apart(other, *gone, *kept)).collect();
        for (other, value) in both.into_iter().enumerate() {
            for at in [kept * self.count + other, other * self.count + kept] {
                if let Some(distance) = self.rows.get_mut(at) {
                    *distance = value;
                }
            }
        }
    }
}

/// The group of each of `count` voices, as one voice of it, after `merges`.
fn groups<'a>(count: usize, merges: impl Iterator<Item = &'a Merge>) -> Vec<usize> {
    let mut above: Vec<usize> = (0..count).collect();
    let root = |above: &[usize], mut of: usize| {
        while let Some(next) = above.get(of).filter(|next| **next != of) {
            of = *next;
        }
        of
    };
    for merge in merges {
        let (gone, kept) = (root(&above, merge.pair.0), root(&above, merge.pair.1));
        if let Some(above) = above.get_mut(gone) {
            *above = kept;
        }
    }
    (0..count).map(|of| root(&above, of)).collect()
}

/// The number of voices in each group, at the index of the voice that represents the group.
fn sizes(groups: &[usize]) -> Vec<usize> {
    let mut sizes = vec![0; groups.len()];
    for group in groups {
        if let Some(size) = sizes.get_mut(*group) {
            *size += 1;
        }
    }
    sizes
}

/// The mean voices, of length 1, of the groups of `fewest` at least, or of the largest; the largest first.
fn means(voices: &[&[f32]], groups: &[usize], fewest: usize) -> Vec<Vec<f32>> {
    let sizes = sizes(groups);
    let mut order: Vec<usize> =
        (0..sizes.len()).filter(|group| sizes.get(*group) > Some(&0)).collect();
    order.sort_by_key(|group| std::cmp::Reverse(sizes.get(*group).copied()));
    let large = order.iter().filter(|group| sizes.get(**group) >= Some(&fewest)).count().max(1);
    let mean = |group: usize| {
        let members = groups.iter().zip(voices).filter(|(of, _)| **of == group);
        let mut mean = mean(members.map(|(_, voice)| *voice));
        to_unit(&mut mean);
        mean
    };
    order.into_iter().take(large).map(mean).collect()
}

pub(super) fn mean<'a>(voices: impl Iterator<Item = &'a [f32]>) -> Vec<f32> {
    let mut sum: Vec<f32> = Vec::new();
    let mut count = 0usize;
    for voice in voices {
        sum.resize(voice.len(), 0.0);
        sum.iter_mut().zip(voice).for_each(|(sum, value)| *sum += value);
        count += 1;
    }
    sum.iter_mut().for_each(|value| *value /= count.max(1) as f32);
    sum
}

pub(super) fn to_unit(voice: &mut [f32]) {
    let length = dot(voice, voice).sqrt().max(1e-9);
    voice.iter_mut().for_each(|value| *value /= length);
}

/// The speaker (of length 1) that a voice is most like.
pub(super) fn nearest(voice: &[f32], speakers: &[Vec<f32>]) -> usize {
    let likeness = speakers.iter().map(|speaker| dot(voice, speaker)).enumerate();
    likeness.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(speaker, _)| speaker)
}

/// Counted from 0 in the order in which they come.
fn in_order(speakers: Vec<usize>) -> Vec<usize> {
    let mut seen: Vec<usize> = Vec::new();
    let place = |speaker| {
        seen.iter().position(|known| *known == speaker).unwrap_or_else(|| {
            seen.push(speaker);
            seen.len() - 1
        })
    };
    speakers.into_iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A voice near one axis, leaning a little to another.
    fn voice(axis: usize, lean: usize) -> Vec<f32> {
        let mut voice = vec![0.0; 8];
        voice[axis] += 1.0;
        voice[lean % 8] += 0.3;
        let length = dot(&voice, &voice).sqrt();
        voice.iter_mut().for_each(|value| *value /= length);
        voice
    }

    fn clustered(axes: &[usize], count: Count) -> Vec<usize> {
        let voices: Vec<Vec<f32>> =
            axes.iter().enumerate().map(|(at, axis)| voice(*axis, at)).collect();
        let heard = voices.iter().map(|voice| Heard { voice, smooth: voice });
        cluster(&heard.collect::<Vec<_>>(), count)
    }

    #[test]
    fn voices_that_are_alike_are_one_speaker() {
        let axes = [3, 3, 3, 3, 5, 5, 5, 5, 5, 3, 3, 1, 1, 1, 1];
        let found = clustered(&axes, Count::Found);
        assert_eq!(found, [0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 2, 2, 2, 2]);
        assert_eq!(clustered(&axes, Count::Given(3)), found);
        let two = clustered(&axes, Count::Given(2));
        assert_eq!(two.iter().max(), Some(&1));
        assert_eq!(clustered(&axes, Count::Given(1)), [0; 15]);
    }

    #[test]
    fn a_voice_like_no_other_is_no_speaker() {
        let axes = [3, 3, 3, 3, 7, 5, 5, 5, 5];
        assert_eq!(clustered(&axes, Count::Given(2)).iter().max(), Some(&1));
        assert_eq!(clustered(&axes, Count::Found).iter().max(), Some(&1));
        assert_eq!(clustered(&[], Count::Found), Vec::<usize>::new());
        assert_eq!(clustered(&[2], Count::Given(5)), [0]);
    }

    proptest! {
        #[test]
        fn speakers_are_counted_from_the_first(
            axes in prop::collection::vec(0usize..8, 0..60),
            count in 1usize..6,
        ) {
            for (count, most) in [(Count::Given(count), count), (Count::Found, 8)] {
                let found = clustered(&axes, count);
                prop_assert_eq!(found.len(), axes.len());
                let mut next = 0;
                for speaker in found {
                    prop_assert!(speaker <= next && speaker < most);
                    next = next.max(speaker + 1);
                }
            }
        }
    }
}
