//! The runs of a track that play without a break in their source, and the phrases in them.

use deskhand_dsp::Frames;
use deskhand_session::Clip;
use std::cmp::Reverse;
use std::iter::once;
use std::ops::Range;

/// A clip in its written form.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece {
    /// By the name that it has in the file.
    pub(super) clip: Clip,
    /// Whether a phrase begins with it; else it goes on with one where it is called the same.
    pub(super) begins_phrase: bool,
}

/// Clips that play on in their source: no cut is heard between them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Run {
    /// All of them as one, called as the first.
    pub(super) clip: Clip,
    /// From where in it on it is called how, from its first frame on.
    names: Vec<(Frames, String)>,
}

impl Run {
    fn new(clip: &Clip) -> Self {
        Self { clip: clip.clone(), names: vec![(Frames::ZERO, clip.name.clone())] }
    }

    fn goes_on(&self, clip: &Clip) -> bool {
        let run = &self.clip;
        (run.source, run.start + run.length, run.end()) == (clip.source, clip.start, clip.position)
            && (run.gain, &run.envelope) == (clip.gain, &clip.envelope)
            && (run.mute, run.polarity) == (clip.mute, clip.polarity)
    }

    fn push(&mut self, piece: &Piece) {
        let Piece { clip, begins_phrase } = piece;
        let is_called_so = self.names.last().is_some_and(|(_, name)| *name == clip.name);
        if *begins_phrase || !is_called_so {
            self.names.push((self.clip.length, clip.name.clone()));
        }
        self.clip.length += clip.length;
        self.clip.fade_out = clip.fade_out;
    }

    /// The parts of a stretch, one for each phrase, without a gap. The first and the last are at least as
    /// long as the crossfades at the two ends reach. A shorter part joins its neighbor.
    pub(super) fn parts(
        &self,
        stretch: &Range<Frames>,
        [into, out]: [Frames; 2],
    ) -> Vec<(Range<Frames>, &str)> {
        let first = stretch.start + into.max(Frames(1));
        let last = stretch.end - out.max(Frames(1));
        let inner = self.names.iter().map(|(at, _)| *at).filter(|at| first <= *at && *at <= last);
        let edges: Vec<Frames> =
            once(stretch.start).chain(inner).chain(once(stretch.end)).collect();
        let part = |pair: &[Frames]| {
            let middle = Frames((pair[0].0 + pair[1].0) / 2);
            (pair[0]..pair[1], self.name_at(middle))
        };
        edges.windows(2).map(part).collect()
    }

    fn name_at(&self, at: Frames) -> &str {
        let begun = self.names.iter().rev().find(|(from, _)| *from <= at);
        begun.map_or(self.clip.name.as_str(), |(_, name)| name.as_str())
    }

    /// All of it, one a phrase.
    pub(super) fn whole(&self) -> Vec<(Range<Frames>, &str)> {
        self.parts(&(Frames::ZERO..self.clip.length), [Frames::ZERO; 2])
    }
}

/// What plays on a track, in order. Clips that continue each other in their source are one run, and a run
/// that fades out comes before the one that fades in over it. Runs hidden under others come second and are
/// left out. So each run begins and ends after the previous one, and the cuts between them are in order.
pub(super) fn seen(pieces: &[Piece]) -> (Vec<Run>, Vec<Run>) {
    let mut runs: Vec<Run> = Vec::new();
    for piece in pieces {
        match runs.iter_mut().rev().find(|run| run.goes_on(&piece.clip)) {
            Some(run) => run.push(piece),
            None => runs.push(Run::new(&piece.clip)),
        }
    }
    runs.sort_by_key(|Run { clip, .. }| (clip.position, Reverse(clip.end()), clip.fade_out.length));
    let mut end = Frames(i64::MIN);
    let (mut runs, mut hidden): (Vec<Run>, Vec<Run>) = runs.into_iter().partition(|run| {
        let is_heard = run.clip.end() > end;
        end = end.max(run.clip.end());
        is_heard
    });
    let is_under = |runs: &[Run], n: usize, run: &Run| {
        let (ahead, behind) = crossed(runs, n);
        run.clip.length <= Frames(ahead.0 / 2) + behind - Frames(behind.0 / 2)
    };
    while let Some(at) =
        (0..runs.len()).find(|n| runs.get(*n).is_some_and(|run| is_under(&runs, *n, run)))
    {
        hidden.push(runs.remove(at));
    }
    (runs, hidden)
}

/// How long a run overlaps the previous one, and the next one.
pub(super) fn crossed(runs: &[Run], n: usize) -> (Frames, Frames) {
    let over = |first: Option<&Run>, second: Option<&Run>| {
        first.zip(second).map_or(Frames::ZERO, |(first, second)| {
            let (first, second) = (&first.clip, &second.clip);
            let most = first.length.min(second.length);
            (first.end() - second.position).max(Frames::ZERO).min(most)
        })
    };
    let ahead = n.checked_sub(1).and_then(|n| runs.get(n));
    (over(ahead, runs.get(n)), over(runs.get(n), runs.get(n + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_session::{SourceId, TrackId};
    use serde_json::json;

    /// A clip of the source with a number: its start there, its position and its length.
    fn piece(name: &str, n: u64, [start, position, length]: [i64; 3]) -> Piece {
        let (track, source) = (TrackId::new(1), SourceId::new(n + 1));
        let clip = json!({"name": name, "track": track, "source": source, "start": start,
            "length": length, "position": position, "gain": 0.0});
        Piece { clip: serde_json::from_value(clip).unwrap(), begins_phrase: false }
    }

    #[test]
    fn what_lies_under_another_clip_is_left_out_and_cuts_come_in_order() {
        // The rest of a phrase under the beginning of the next, at both sides of its start.
        for rest in [1_000, 900, 1_010] {
            let pieces = [
                piece("", 0, [0, 0, 1_000]),
                piece("", 1, [0, rest, 740]),
                piece("", 2, [0, 900, 9_000]),
                piece("", 3, [0, 9_700, 500]),
            ];
            let (runs, hidden) = seen(&pieces);
            assert_eq!(hidden, [Run::new(&pieces[1].clip)]);
            let kept: Vec<Frames> = runs.iter().map(|run| run.clip.position).collect();
            assert_eq!(kept, [Frames(0), Frames(900), Frames(9_700)], "{rest}");
            let lengths = (0..runs.len()).map(|n| {
                let (ahead, behind) = crossed(&runs, n);
                runs[n].clip.length - Frames(ahead.0 / 2) - (behind - Frames(behind.0 / 2))
            });
            assert_eq!(lengths.fold(Frames::ZERO, |sum, one| sum + one), Frames(10_200));
        }
    }

    #[test]
    fn a_muted_clip_is_no_part_of_what_sounds_before_it() {
        let mut pieces = [piece("A", 0, [0, 0, 100]), piece("A", 0, [100, 100, 100])];
        assert_eq!(seen(&pieces).0.len(), 1);
        pieces[1].clip.mute = true;
        let (runs, _) = seen(&pieces);
        assert_eq!(runs.iter().map(|run| run.clip.mute).collect::<Vec<_>>(), [false, true]);
    }

    #[test]
    fn a_run_has_a_part_for_each_phrase_and_none_is_shorter_than_a_crossfade() {
        let mut pieces = [
            piece("A", 0, [50, 0, 100]),
            piece("A", 0, [150, 100, 300]),
            piece("A", 0, [450, 400, 400]),
            piece("B", 0, [850, 800, 200]),
        ];
        // The rest of a phrase that is cut in two, and another one that says the same.
        pieces[2].begins_phrase = true;
        let (runs, _) = seen(&pieces);
        let [run] = runs.as_slice() else { panic!("{runs:?}") };
        let part = |from: i64, to: i64, name: &'static str| (Frames(from)..Frames(to), name);
        assert_eq!(run.whole(), [part(0, 400, "A"), part(400, 800, "A"), part(800, 1_000, "B")]);
        let stretch = Frames(5)..Frames(990);
        let crossed = |into, out| run.parts(&stretch, [Frames(into), Frames(out)]);
        assert_eq!(
            crossed(395, 190),
            [part(5, 400, "A"), part(400, 800, "A"), part(800, 990, "B")]
        );
        assert_eq!(crossed(396, 191), [part(5, 990, "A")]);
    }
}
