//! Finds the number of speakers. Small groups of voices are merged, the nearest first, while their means
//! are no further apart than two groups of one speaker can be. After each merge every voice moves to the
//! most similar group, so a voice that began in the wrong group, or in none, does not stay there.

use super::cluster::{mean, nearest, to_unit};

/// Two groups whose mean voices are nearer than this are one speaker's, as a squared distance. The words and
/// moods of one speaker differ by less; two speakers are 0.2 to 0.9 apart.
const SPREAD: f32 = 0.14;
/// Added to [`SPREAD`] after division by the number of voices in the smaller group, because the mean of a few
/// voices is uncertain. It adds 0.25 for 8 voices, which are 3.6 s.
const UNSURE: f32 = 2.0;
/// How often voices move to the nearest group before groups are compared. More rounds change hardly anything.
const ROUNDS: usize = 3;

/// The mean voices of the speakers, each of length 1, found by merging small groups. `voices` and `smooth`
/// describe the same moments. `smooth` decides who speaks; `voices` decides how far apart two groups are.
pub(super) fn speakers(
    voices: &[&[f32]],
    smooth: &[&[f32]],
    mut small: Vec<Vec<f32>>,
) -> Vec<Vec<f32>> {
    loop {
        for _ in 1..ROUNDS {
            small = members(smooth, smooth, &small).into_iter().map(|group| group.mean).collect();
            small.iter_mut().for_each(|mean| to_unit(mean));
        }
        let mut groups = members(voices, smooth, &small);
        let Some((one, other)) = same(&groups) else {
            groups.iter_mut().for_each(|group| to_unit(&mut group.mean));
            return groups.into_iter().map(|group| group.mean).collect();
        };
        let gone = groups.remove(other);
        if let Some(kept) = groups.get_mut(one) {
            kept.join(&gone);
        }
        small = groups.into_iter().map(|group| group.mean).collect();
        small.iter_mut().for_each(|mean| to_unit(mean));
    }
}

/// Voices that are counted as one speaker.
struct Group {
    count: usize,
    mean: Vec<f32>,
}

impl Group {
    fn join(&mut self, other: &Self) {
        let (own, others) = (self.count as f32, other.count as f32);
        for (mean, value) in self.mean.iter_mut().zip(&other.mean) {
            *mean = (*mean * own + value * others) / (own + others);
        }
        self.count += other.count;
    }

    /// How much further `other` is than two groups of one speaker can be; negative for one speaker.
    fn beyond(&self, other: &Self) -> f32 {
        let squares = self.mean.iter().zip(&other.mean).map(|(a, b)| (a - b).powi(2));
        squares.sum::<f32>() - SPREAD - UNSURE / self.count.min(other.count).max(1) as f32
    }
}

/// Puts each voice into the group nearest to its `smooth` version, and returns the groups that have voices.
fn members(voices: &[&[f32]], smooth: &[&[f32]], groups: &[Vec<f32>]) -> Vec<Group> {
    let of: Vec<usize> = smooth.iter().map(|voice| nearest(voice, groups)).collect();
    let group = |at: usize| {
        let own = of.iter().zip(voices).filter(|(of, _)| **of == at).map(|(_, voice)| *voice);
        Group { count: own.clone().count(), mean: mean(own) }
    };
    (0..groups.len()).map(group).filter(|group| group.count > 0).collect()
}

/// The pair of groups that most clearly belongs to one speaker, the lower index first.
fn same(groups: &[Group]) -> Option<(usize, usize)> {
    let pairs = (0..groups.len()).flat_map(|other| (0..other).map(move |one| (one, other)));
    let beyond = pairs.filter_map(|(one, other)| {
        Some(((one, other), groups.get(one)?.beyond(groups.get(other)?)))
    });
    let nearest = beyond.min_by(|a, b| a.1.total_cmp(&b.1));
    nearest.filter(|(_, beyond)| *beyond < 0.0).map(|(pair, _)| pair)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Voices of length 1 that lean from `(1, 0, …)` to the second axis, and by turns to the others.
    fn leaning(lean: f32, count: usize) -> Vec<Vec<f32>> {
        let voice = |at: usize| {
            let mut voice = vec![0.0; 8];
            (voice[0], voice[1], voice[2 + at % 6]) = (1.0, lean, 0.5);
            to_unit(&mut voice);
            voice
        };
        (0..count).map(voice).collect()
    }

    fn count(leans: &[(f32, usize)]) -> usize {
        let groups: Vec<Vec<Vec<f32>>> = leans.iter().map(|(lean, n)| leaning(*lean, *n)).collect();
        let voices: Vec<&[f32]> = groups.iter().flatten().map(Vec::as_slice).collect();
        let small = groups.iter().map(|group| {
            let mut mean = mean(group.iter().map(Vec::as_slice));
            to_unit(&mut mean);
            mean
        });
        speakers(&voices, &voices, small.collect()).len()
    }

    #[test]
    fn means_that_are_near_are_one_speaker_and_of_few_voices_the_farther_ones_too() {
        assert_eq!(count(&[(0.0, 40), (0.1, 40)]), 1);
        assert_eq!(count(&[(-0.4, 40), (0.4, 40)]), 2);
        assert_eq!(count(&[(-0.4, 40), (0.4, 5)]), 1, "five voices say too little");
        assert_eq!(count(&[(-0.4, 40), (-0.3, 40), (0.4, 40), (0.5, 40)]), 2);
        assert_eq!(count(&[(0.0, 3)]), 1);
        assert_eq!(speakers(&[], &[], vec![Vec::new()]).len(), 0);
    }
}
