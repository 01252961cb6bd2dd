//! Blocks: what plays of one phrase on all tracks of its group, as it stands on the timeline or shall stand there.

use super::ids;
use deskhand_dsp::{Fade, FadeCurve, Frames, SampleRate};
use deskhand_session::{Clip, ClipId, Fades, PhraseId, Session};
use std::collections::BTreeMap;

/// How long two blocks lie over each other, in ms.
const CROSSFADE_MS: i64 = 10;

/// The clips of a phrase.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Block {
    /// Whose.
    pub(super) phrase: PhraseId,
    /// How long it plays.
    pub(super) length: Frames,
    /// Positions count from the start of the block.
    pub(super) clips: Vec<(ClipId, Clip)>,
}

/// A block and where it begins.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Placed {
    /// First frame on the timeline.
    pub(super) start: Frames,
    /// The block.
    pub(super) block: Block,
}

/// How long blocks lie over each other at a rate.
pub(super) fn crossfade(rate: SampleRate) -> Frames {
    Frames(i64::from(rate.0) * CROSSFADE_MS / 1000)
}

/// The blocks on the assembly tracks as they are, by their start. All clips from the first one of a phrase to the
/// first of the next belong to it, so that what was cut or added by hand goes along.
pub(super) fn standing(session: &Session) -> Vec<Placed> {
    let originals = ids::originals(session);
    let start = |phrase: &PhraseId| -> Option<(Frames, PhraseId)> {
        let anchors = originals.values().flat_map(|track| ids::anchors(*phrase, *track));
        let clips = anchors.filter_map(|id| session.clips.get(&id));
        let on_assembly = clips.filter(|clip| originals.contains_key(&clip.track));
        Some((on_assembly.map(|clip| clip.position).min()?, *phrase))
    };
    let mut starts: Vec<_> = session.assembly.order.iter().filter_map(start).collect();
    starts.sort_unstable();
    let mut clips: Vec<_> =
        session.clips.iter().filter(|(_, clip)| originals.contains_key(&clip.track)).collect();
    clips.sort_by_key(|(id, clip)| (clip.position, *id));
    let mut blocks: Vec<Placed> = Vec::new();
    for (at, (start, phrase)) in starts.iter().enumerate() {
        let next = starts.get(at + 1).map(|(next, _)| *next);
        let from = clips.partition_point(|(_, clip)| clip.position < *start);
        let to = next
            .map_or(clips.len(), |next| clips.partition_point(|(_, clip)| clip.position < next));
        let own = clips.get(from..to).unwrap_or_default();
        let own: Vec<_> = own.iter().map(|(id, clip)| (**id, moved(clip, *start))).collect();
        let sounds = own.iter().map(|(_, clip)| clip.end()).max().unwrap_or(Frames::ZERO);
        // A gap that somebody left behind a phrase is part of it.
        let length = next.map_or(sounds, |next| sounds.max(next - *start));
        let block = Block { phrase: *phrase, length, clips: own };
        blocks.push(Placed { start: *start, block });
    }
    blocks
}

fn moved(clip: &Clip, start: Frames) -> Clip {
    Clip { position: clip.position - start, ..clip.clone() }
}

/// The blocks one after another from 0, each lying over the one ahead of it by a crossfade, or going on from it
/// without any where it plays on what plays there.
///
/// The end of the last is the sum of all lengths less the sum of all crossfades.
pub(super) fn laid(blocks: Vec<Block>, rate: SampleRate) -> Vec<Placed> {
    let longest = crossfade(rate);
    let joins: Vec<Join> =
        blocks.windows(2).map(|pair| join(&pair[0], &pair[1], longest)).collect();
    let mut placed: Vec<Placed> = Vec::with_capacity(blocks.len());
    let mut start = Frames::ZERO;
    for (at, mut block) in blocks.into_iter().enumerate() {
        let ahead = at.checked_sub(1).and_then(|at| joins.get(at)).copied();
        let behind = joins.get(at).copied();
        start -= ahead.map_or(Frames::ZERO, Join::overlap);
        let edge = |join: Option<Join>, length: Frames| {
            join.map_or(longest.min(Frames(length.0 / 2)), Join::overlap)
        };
        let (fade_in, fade_out) = (edge(ahead, block.length), edge(behind, block.length));
        faded(&mut block, fade_in, fade_out, longest);
        let length = block.length;
        placed.push(Placed { start, block });
        start += length;
    }
    placed
}

/// How a block follows another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Join {
    /// It plays on what plays ahead of it.
    Seam,
    /// They lie over each other.
    Cross(Frames),
}

impl Join {
    fn overlap(self) -> Frames {
        match self {
            Self::Seam => Frames::ZERO,
            Self::Cross(length) => length,
        }
    }
}

fn join(first: &Block, second: &Block, longest: Frames) -> Join {
    let ends = first.clips.iter().filter(|(_, clip)| clip.end() == first.length);
    let ends: Vec<&Clip> = ends.map(|(_, clip)| clip).collect();
    let begin = second.clips.iter().filter(|(_, clip)| clip.position == Frames::ZERO);
    let begin: Vec<&Clip> = begin.map(|(_, clip)| clip).collect();
    let goes_on = |end: &&Clip| {
        begin.iter().any(|next| {
            (next.track, next.source, next.start) == (end.track, end.source, end.start + end.length)
                && next.gain == end.gain
        })
    };
    if !ends.is_empty() && ends.len() == begin.len() && ends.iter().all(goes_on) {
        return Join::Seam;
    }
    let half = first.length.min(second.length).0 / 2;
    Join::Cross(longest.min(Frames(half)))
}

/// Sets the fades of the clips at the edges of a block; longer ones were drawn by somebody and stay.
fn faded(block: &mut Block, fade_in: Frames, fade_out: Frames, longest: Frames) {
    let fade = |length| Fade { length, curve: FadeCurve::EqualPower };
    for (_, clip) in &mut block.clips {
        if clip.position == Frames::ZERO && clip.fade_in.length <= longest {
            clip.fade_in = fade(fade_in);
        }
        if clip.end() == block.length && clip.fade_out.length <= longest {
            clip.fade_out = fade(fade_out);
        }
        let Fades { fade_in, fade_out } = crate::commands::cuts::fitted(clip.fades(), clip.length);
        (clip.fade_in, clip.fade_out) = (fade_in, fade_out);
    }
}

/// Where each phrase begins, and where the last ends.
pub(super) fn starts(placed: &[Placed]) -> (BTreeMap<PhraseId, Frames>, Frames) {
    let starts = placed.iter().map(|placed| (placed.block.phrase, placed.start)).collect();
    let end = placed.last().map_or(Frames::ZERO, |last| last.start + last.block.length);
    (starts, end)
}
