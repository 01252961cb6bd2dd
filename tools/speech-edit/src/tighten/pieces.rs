//! The clips of a unit as splits around its cuts leave them, and what each piece is to a cut.
//!
//! Splits clips around cuts. A clip that continues over a cut is split twice: where the crossfade ends on
//! one side, and where it begins on the other. So the sound before and after fades together without extra
//! clips. A stretch between two cuts is split in halves; each half belongs to one cut, which can be taken
//! without the other.

use super::find::Cut;
use deskhand_dsp::Frames;
use deskhand_session::{Change, Clip, ClipId, Edit, IdSeed, SplitState, TrackId};
use deskhand_toolkit::Draft;
use std::collections::{BTreeMap, BTreeSet};

/// Clips by their ids.
pub(super) type Clips = BTreeMap<ClipId, Clip>;

/// A cut and the crossfade over it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seam {
    pub(super) start: Frames,
    pub(super) end: Frames,
    pub(super) fade: Frames,
}

/// What a piece is to a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It ends with the crossfade.
    Ahead,
    /// It goes.
    Gone,
    /// It begins with the crossfade.
    Behind,
    /// It begins where the time closes by itself, and moves as a whole.
    Later,
}

/// The pieces, each with the last split of the clip that it came from.
#[derive(Default)]
pub(super) struct Pieces {
    clips: Clips,
    splits: BTreeMap<ClipId, String>,
    /// Those that keep the id of the clip they came from.
    first: BTreeSet<ClipId>,
}

impl Seam {
    pub(super) fn new(cut: &Cut, longest: Frames) -> Self {
        let fade = longest.min(Frames(cut.length().0 / 2));
        Self { start: cut.range.start, end: cut.range.end, fade }
    }

    /// The end of the sound before.
    pub(super) fn head(&self) -> Frames {
        self.start + self.fade
    }

    /// The start of the sound after.
    fn tail(&self) -> Frames {
        self.end - self.fade
    }

    /// Where a clip is split: at the end of the part that stays before the cut, and at the start of the
    /// part that stays after it. A part no longer than a crossfade does not stay.
    fn edges(&self, clip: &Clip) -> [Option<Frames>; 2] {
        let head = clip.position < self.start - self.fade && clip.end() > self.head();
        let tail = clip.position < self.tail() && clip.end() > self.end + self.fade;
        [head.then(|| self.head()), tail.then(|| self.tail())]
    }

    /// Whether a clip ends exactly at the cut.
    fn ends(&self, clip: &Clip) -> bool {
        clip.position < self.start && clip.end() == self.head()
    }

    /// Whether a clip begins exactly after the cut, or moves with it.
    fn begins(&self, clip: &Clip) -> bool {
        let under = self.tail()..self.end + self.fade;
        under.contains(&clip.position) && clip.end() > under.end
    }

    /// The role of a piece in or next to the cut. Times up to `reach` close.
    pub(super) fn role(&self, clip: &Clip, reach: Frames) -> Option<Role> {
        match clip {
            _ if self.ends(clip) => Some(Role::Ahead),
            _ if clip.end() <= self.head() || clip.position >= reach => None,
            _ if clip.position == self.tail() && clip.end() > self.end => Some(Role::Behind),
            _ if clip.position >= self.end => Some(Role::Later),
            _ if clip.end() <= self.end + self.fade => Some(Role::Gone),
            _ => Some(Role::Later),
        }
    }
}

impl Pieces {
    /// Splits `clips` around cuts, each from its end to its start; `seams` gives those of a track, in
    /// order.
    pub(super) fn split(
        clips: &[(ClipId, &Clip)],
        seams: impl Fn(TrackId) -> Vec<Seam>,
        draft: &mut Draft,
        ids: &mut IdSeed,
    ) -> Self {
        let mut pieces = Self::default();
        for (id, clip) in clips {
            let edges = edges(clip, &seams(clip.track));
            pieces.cut_up(*id, clip, &edges, draft, ids);
        }
        pieces
    }

    fn cut_up(
        &mut self,
        id: ClipId,
        clip: &Clip,
        edges: &[Frames],
        draft: &mut Draft,
        ids: &mut IdSeed,
    ) {
        let mut left = clip.clone();
        let (mut last, mut all): (Option<String>, Vec<ClipId>) = (None, vec![id]);
        for at in edges.iter().rev() {
            let right_id = ClipId::new(ids.next_bits());
            let parts = SplitState::parts(&left, right_id, *at - left.position);
            let SplitState::Parts { left: first, right, .. } = &parts else { continue };
            let (first, right) = (first.clone(), right.clone());
            let whole = SplitState::Whole { clip: left.clone(), right_id };
            let change = Change::SplitClip(Edit::new(id, whole, parts));
            let needs = last.iter().cloned().collect();
            last = Some(draft.dependent(change, clip.name.clone(), "an edge of a cut", needs));
            self.clips.insert(right_id, right);
            all.push(right_id);
            left = first;
        }
        // The splits of a clip are taken together: each names what the next one left.
        if let Some(last) = last {
            self.splits.extend(all.into_iter().map(|id| (id, last.clone())));
        }
        self.first.insert(id);
        self.clips.insert(id, left);
    }

    /// The pieces on some tracks that are anything to a cut, times up to `reach` closing.
    pub(super) fn beside<'a>(
        &'a self,
        seam: Seam,
        reach: Frames,
        tracks: &'a [TrackId],
    ) -> impl Iterator<Item = (ClipId, &'a Clip, Role)> {
        let on = self.clips.iter().filter(|(_, clip)| tracks.contains(&clip.track));
        on.filter_map(move |(id, clip)| Some((*id, clip, seam.role(clip, reach)?)))
    }

    /// Whether a piece keeps the id of the clip that it came from.
    pub(super) fn is_first(&self, id: ClipId) -> bool {
        self.first.contains(&id)
    }

    /// The splits that made pieces, which stay what they are only if these are taken as well.
    pub(super) fn splits(&self, ids: impl Iterator<Item = ClipId>) -> Vec<String> {
        ids.filter_map(|id| self.splits.get(&id).cloned()).collect()
    }

    /// The id of the clip whose only remaining part is this piece, when the parts before it are removed:
    /// other things refer to it by that id.
    pub(super) fn heir_of(&self, gone: &[ClipId], clip: &Clip) -> Option<ClipId> {
        let goes_on = |id: &&ClipId| {
            self.clips.get(id).is_some_and(|it| {
                (it.track, it.source) == (clip.track, clip.source)
                    && it.end() == clip.position
                    && it.start + it.length == clip.start
            })
        };
        gone.iter().filter(|id| self.is_first(**id)).find(goes_on).copied()
    }
}

/// Where a clip is split, in order.
fn edges(clip: &Clip, seams: &[Seam]) -> Vec<Frames> {
    let mut edges = Vec::new();
    let mut begins: Option<Frames> = None;
    for seam in seams {
        let [head, tail] = seam.edges(clip);
        let ends = head.or_else(|| seam.ends(clip).then(|| clip.end()));
        if let (Some(begins), Some(ends)) = (begins, ends) {
            edges.push(Frames((begins.0 + ends.0) / 2));
        }
        edges.extend(head.into_iter().chain(tail));
        begins = tail.or_else(|| seam.begins(clip).then_some(clip.position)).or(begins);
    }
    edges.dedup();
    edges
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::Fade;
    use deskhand_session::SourceId;

    #[test]
    fn a_clip_that_begins_behind_one_cut_and_ends_ahead_of_the_next_is_halved_between_them() {
        let seam = |start: i64, end: i64| Seam {
            start: Frames(start),
            end: Frames(end),
            fade: Frames(100),
        };
        let seams = [seam(500, 1_000), seam(5_000, 6_000)];
        let clip = |position: i64, length: i64| Clip {
            name: "Talk".into(),
            track: TrackId::new(1),
            source: SourceId::new(1),
            start: Frames::ZERO,
            length: Frames(length),
            position: Frames(position),
            gain: Default::default(),
            fade_in: Fade::default(),
            fade_out: Fade::default(),
            envelope: Vec::new(),
            polarity: deskhand_dsp::Polarity::Normal,
            mute: false,
        };
        let edges = |clip: &Clip| edges(clip, &seams).iter().map(|at| at.0).collect::<Vec<_>>();
        assert_eq!(edges(&clip(1_000, 8_000)), [3_050, 5_100, 5_900]);
        assert_eq!(edges(&clip(1_000, 4_100)), [3_050], "it fades out under the next as it is");
        assert_eq!(edges(&clip(0, 5_100)), [600, 900, 3_000]);
        assert_eq!(edges(&clip(2_000, 7_000)), [5_100, 5_900], "it is nothing to the first");
    }
}
