//! Lays the clips of a track on lanes whose clips play one after another, since most formats know no clip over another.

use super::timeline::Clip;
use deskhand_dsp::Frames;

/// Which clips may lie over each other on one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overlap {
    /// None.
    Never,
    /// Two of which the first fades out exactly while the second fades in.
    Crossfade,
    /// The end of one and the start of the next.
    Edges,
}

/// The clips on as few lanes as this order takes, each by position. There is at least one lane.
pub(super) fn lanes<'a>(
    clips: impl IntoIterator<Item = &'a Clip>,
    overlap: Overlap,
) -> Vec<Vec<&'a Clip>> {
    let mut clips: Vec<&Clip> = clips.into_iter().collect();
    clips.sort_by_key(|clip| clip.position);
    let mut lanes: Vec<Vec<&Clip>> = vec![Vec::new()];
    for clip in clips {
        match lanes.iter_mut().find(|lane| overlap.fits(lane, clip)) {
            Some(lane) => lane.push(clip),
            None => lanes.push(vec![clip]),
        }
    }
    lanes
}

/// How long two neighbors of a lane lie over each other.
pub(super) fn shared(first: &Clip, second: &Clip) -> Frames {
    (first.end() - second.position).max(Frames::ZERO)
}

impl Overlap {
    fn fits(self, lane: &[&Clip], clip: &Clip) -> bool {
        let Some(last) = lane.last() else { return true };
        let shared = shared(last, clip);
        // Two dissolves on one clip come one after the other.
        let before = lane.len().checked_sub(2).and_then(|n| lane.get(n));
        let apart = before.is_none_or(|before| before.end() <= clip.position);
        let edges = last.position < clip.position && last.end() < clip.end() && apart;
        let crosses = last.fade_out.length == shared && clip.fade_in.length == shared;
        shared == Frames::ZERO
            || match self {
                Self::Never => false,
                Self::Crossfade => edges && crosses,
                Self::Edges => edges,
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handoff::testing::clip;

    #[test]
    fn what_lies_over_another_clip_goes_to_a_lane_of_its_own() {
        let mut clips = [clip(0, 100), clip(90, 100), clip(120, 10)];
        let count = |clips: &[Clip], overlap| lanes(clips, overlap).len();
        assert_eq!(count(&clips, Overlap::Crossfade), 2);
        assert_eq!(lanes(&clips, Overlap::Edges)[0].len(), 2);
        clips[0].fade_out.length = Frames(10);
        clips[1].fade_in.length = Frames(10);
        assert_eq!(lanes(&clips, Overlap::Crossfade)[0].len(), 2);
        clips[2].position = Frames(95);
        assert_eq!(lanes(&clips, Overlap::Edges)[0].len(), 2);
        assert_eq!(count(&clips, Overlap::Never), 3);
        assert_eq!(count(&[], Overlap::Edges), 1);
    }
}
