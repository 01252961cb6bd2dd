//! Blocks: what plays for one phrase on all tracks of its group, as it is or will be on the timeline.

use super::ids;
use deskhand_dsp::{Fade, FadeCurve, Frames, SampleRate};
use deskhand_session::{Clip, ClipId, Fades, PhraseId, Session, TrackId};
use std::collections::{BTreeMap, BTreeSet};

/// How long two blocks lie over each other, in ms.
const CROSSFADE_MS: i64 = 10;

/// The clips of a phrase.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Whose.
    pub phrase: PhraseId,
    /// How long it plays.
    pub length: Frames,
    /// Positions count from the start of the block.
    pub clips: Vec<(ClipId, Clip)>,
}

impl Block {
    /// The block of a phrase's clips. If the tracks have gaps, it begins and ends with the clips that
    /// exist.
    pub fn new(phrase: PhraseId, mut clips: Vec<(ClipId, Clip)>) -> Self {
        let first = clips.iter().map(|(_, clip)| clip.position).min().unwrap_or_default();
        for (_, clip) in &mut clips {
            clip.position -= first;
        }
        let length = clips.iter().map(|(_, clip)| clip.end()).max().unwrap_or_default();
        Self { phrase, length, clips }
    }

    /// Joins the blocks of a phrase's parts, said at several places, in sequence.
    pub fn of_parts(phrase: PhraseId, mut parts: Vec<Self>, rate: SampleRate) -> Self {
        if parts.len() < 2 {
            return parts.pop().unwrap_or_else(|| Self::new(phrase, Vec::new()));
        }
        let placed = laid(parts, rate).into_iter();
        let clips = placed.flat_map(|Placed { start, block }| {
            let clips = block.clips.into_iter();
            clips.map(move |(id, clip)| (id, Clip { position: clip.position + start, ..clip }))
        });
        Self::new(phrase, clips.collect())
    }
}

/// A block and where it begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// First frame on the timeline.
    pub start: Frames,
    /// The block.
    pub block: Block,
}

/// How long blocks lie over each other at a rate.
pub fn crossfade(rate: SampleRate) -> Frames {
    Frames(i64::from(rate.0) * CROSSFADE_MS / 1000)
}

/// The blocks on the assembly tracks as they are, by their start. All clips from the first one of a phrase
/// to the first of the next belong to it, so cuts and additions by hand move with it. Clips before all
/// phrases go with the first.
pub fn standing(session: &Session) -> Vec<Placed> {
    standing_on(session, &ids::originals(session))
}

/// The same on assembly tracks that are given, each with its original.
pub fn standing_on(session: &Session, originals: &BTreeMap<TrackId, TrackId>) -> Vec<Placed> {
    let mut clips: Vec<_> =
        session.clips.iter().filter(|(_, clip)| originals.contains_key(&clip.track)).collect();
    clips.sort_by_key(|(id, clip)| (clip.position, *id));
    let mut starts = known_starts(session, originals, &clips);
    starts.sort_unstable();
    if let (Some((start, _)), Some((_, clip))) = (starts.first_mut(), clips.first()) {
        *start = clip.position;
    }
    let mut blocks: Vec<Placed> = Vec::new();
    for (at, (start, phrase)) in starts.iter().enumerate() {
        let next = starts.get(at + 1).map(|(next, _)| *next);
        let from = clips.partition_point(|(_, clip)| clip.position < *start);
        let to = next
            .map_or(clips.len(), |next| clips.partition_point(|(_, clip)| clip.position < next));
        let own = clips.get(from..to).unwrap_or_default();
        let own: Vec<_> = own.iter().map(|(id, clip)| (**id, moved(clip, *start))).collect();
        let sounds = own.iter().map(|(_, clip)| clip.end()).max().unwrap_or(Frames::ZERO);
        // A gap that somebody left after a phrase belongs to it.
        let length = next.map_or(sounds, |next| sounds.max(next - *start));
        let block = Block { phrase: *phrase, length, clips: own };
        blocks.push(Placed { start: *start, block });
    }
    blocks
}

/// Where each phrase begins that has something on the assembly tracks, `clips` in order: the first of the clips made for
/// it or, where those were taken away by hand, of the pieces of them, which keep their name.
fn known_starts(
    session: &Session,
    originals: &BTreeMap<TrackId, TrackId>,
    clips: &[(&ClipId, &Clip)],
) -> Vec<(Frames, PhraseId)> {
    let places: BTreeMap<ClipId, Frames> =
        clips.iter().map(|(id, clip)| (**id, clip.position)).collect();
    let anchors =
        |phrase: PhraseId| originals.values().flat_map(move |track| ids::anchors(phrase, *track));
    let (mut starts, mut headless) = (Vec::new(), Vec::new());
    for phrase in &session.assembly.order {
        match anchors(*phrase).filter_map(|id| places.get(&id).copied()).min() {
            Some(start) => starts.push((start, *phrase)),
            None => headless.push(*phrase),
        }
    }
    if headless.is_empty() {
        return starts;
    }
    let made: BTreeSet<ClipId> =
        session.phrases.keys().flat_map(|phrase| anchors(*phrase)).collect();
    let free: Vec<&Clip> =
        clips.iter().filter(|(id, _)| !made.contains(*id)).map(|(_, clip)| *clip).collect();
    let rests = headless.into_iter().filter_map(|phrase| {
        let name = session.name_of(phrase.into());
        let is_rest = |clip: &Clip| clip.name == name && holds_word(session, clip, phrase);
        let rest = free.iter().find(|clip| is_rest(clip))?;
        Some((rest.position, phrase))
    });
    starts.extend(rests);
    starts
}

/// Whether a clip plays a word of a phrase.
pub fn holds_word(session: &Session, clip: &Clip, phrase: PhraseId) -> bool {
    let stretch = clip.start..clip.start + clip.length;
    let segments = session.phrases.get(&phrase).map(|phrase| phrase.segments.as_slice());
    let segments = segments.unwrap_or_default().iter().filter_map(|id| session.segments.get(id));
    let own = segments.filter(|segment| segment.source == clip.source);
    own.flat_map(|segment| &segment.words).any(|word| stretch.contains(&word.middle()))
}

fn moved(clip: &Clip, start: Frames) -> Clip {
    Clip { position: clip.position - start, ..clip.clone() }
}

/// The blocks in sequence from 0. Each overlaps the previous one by a crossfade. If it continues the sound
/// that plays there, it needs none.
///
/// The end of the last is the sum of all lengths less the sum of all crossfades.
pub fn laid(blocks: Vec<Block>, rate: SampleRate) -> Vec<Placed> {
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
    /// It continues the previous block's sound.
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
        let Fades { fade_in, fade_out } = clip.fades().fitted(clip.length);
        (clip.fade_in, clip.fade_out) = (fade_in, fade_out);
    }
}

/// Where each phrase begins, and where the last ends.
pub fn starts(placed: &[Placed]) -> (BTreeMap<PhraseId, Frames>, Frames) {
    let starts = placed.iter().map(|placed| (placed.block.phrase, placed.start)).collect();
    let end = placed.last().map_or(Frames::ZERO, |last| last.start + last.block.length);
    (starts, end)
}
