//! The neighbors of a clip's edges on its track.

use deskhand_dsp::{FadeCurve, Frames};
use deskhand_session::{Clip, ClipId, Session};
use std::collections::BTreeSet;

/// Why nothing is to be done where clips overlap.
pub(super) const CROSSED: &str = "no overlap is without its crossfade";

/// One of the two edges of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Start,
    End,
}

/// What an edge borders on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    /// Nothing, or other audio: it needs a fade.
    Free,
    /// The continuation of its own audio: it needs no fade.
    Seam,
    /// It lies in another clip, whose opposite edge lies in this one.
    Cross { length: Frames, curve: FadeCurve },
}

/// What the edge of `clip` borders on.
pub(super) fn edge(session: &Session, id: ClipId, clip: &Clip, side: Side) -> Edge {
    let others = session
        .clips
        .iter()
        .filter(|(other_id, other)| **other_id != id && other.track == clip.track);
    let mut found = Edge::Free;
    for (other_id, other) in others {
        let (first, second) = match side {
            Side::Start => (other, clip),
            Side::End => (clip, other),
        };
        let other_is_first = side == Side::Start;
        if !is_before(first, second, (*other_id < id) == other_is_first) {
            continue;
        }
        found = longer(found, border(first, second));
    }
    found
}

/// Whether `first` starts and ends before `second`; for equal starts `tie` decides.
fn is_before(first: &Clip, second: &Clip, tie: bool) -> bool {
    let starts = first.position < second.position || (first.position == second.position && tie);
    starts && first.end() < second.end()
}

fn border(first: &Clip, second: &Clip) -> Edge {
    let overlap = first.end() - second.position;
    let in_step = first.source == second.source
        && first.start - first.position == second.start - second.position;
    if overlap > Frames::ZERO {
        let curve = if in_step { FadeCurve::Linear } else { FadeCurve::EqualPower };
        return Edge::Cross { length: overlap, curve };
    }
    if overlap == Frames::ZERO && in_step { Edge::Seam } else { Edge::Free }
}

/// The longest crossfade wins, then a seam.
fn longer(a: Edge, b: Edge) -> Edge {
    let rank = |edge: Edge| match edge {
        Edge::Free => Frames(-1),
        Edge::Seam => Frames::ZERO,
        Edge::Cross { length, .. } => length,
    };
    if rank(b) > rank(a) { b } else { a }
}

/// Whether two clips of a track lie over each other.
pub(super) fn overlapped(a: &Clip, b: &Clip) -> bool {
    a.track == b.track && a.position < b.end() && b.position < a.end()
}

/// Pairs among `ids` where the second begins at the end of the first, with other audio.
pub(super) fn touching(session: &Session, ids: &[ClipId]) -> Vec<(ClipId, ClipId)> {
    let known: BTreeSet<_> = ids.iter().copied().collect();
    let clips: Vec<_> = session.clips.iter().filter(|(id, _)| known.contains(id)).collect();
    let mut pairs = Vec::new();
    for (left_id, left) in &clips {
        let mut rights = clips.iter().filter(|(id, right)| {
            id != left_id && right.track == left.track && right.position == left.end()
        });
        let right = rights.find(|(_, right)| border(left, right) == Edge::Free);
        pairs.extend(right.map(|(right_id, _)| (**left_id, **right_id)));
    }
    pairs
}

/// Why no two of these clips can be crossfaded.
pub(super) fn why_uncrossed(session: &Session, ids: &[ClipId]) -> &'static str {
    let known: BTreeSet<_> = ids.iter().copied().collect();
    let clips: Vec<_> = session.clips.iter().filter(|(id, _)| known.contains(id)).collect();
    let pairs = || {
        let all = clips.iter().flat_map(|a| clips.iter().map(move |b| (*a, *b)));
        all.filter(|(a, b)| a.0 != b.0).map(|(a, b)| (a.1, b.1))
    };
    if pairs().any(|(a, b)| overlapped(a, b)) {
        return CROSSED;
    }
    let met = pairs().filter(|(a, b)| a.track == b.track && a.end() == b.position);
    let borders: Vec<Edge> = met.map(|(a, b)| border(a, b)).collect();
    if borders.is_empty() {
        "no two of the clips touch or overlap"
    } else if borders.iter().all(|edge| *edge == Edge::Seam) {
        "where the clips touch, the same audio goes on"
    } else {
        "where the clips touch, their sources have no more to fade with"
    }
}

/// Lets two clips that touch overlap by `length`, half from each side as far as their sources reach.
pub(super) fn overlap(session: &mut Session, left: ClipId, right: ClipId, length: Frames) {
    let Some((l, r)) = session.clips.get(&left).zip(session.clips.get(&right)) else {
        return;
    };
    let total = session.sources.get(&l.source).map_or(Frames::ZERO, |source| source.frames);
    // No further than half of the other clip, so that crossfades at both of its ends fit.
    let later = (total - l.start - l.length).min(Frames(r.length.0 / 2)).max(Frames::ZERO);
    let earlier = r.start.min(Frames(l.length.0 / 2)).max(Frames::ZERO);
    let first = Frames(length.0 / 2).min(later);
    let second = (length - first).min(earlier);
    let first = (length - second).min(later);
    if let Some(clip) = session.clips.get_mut(&left) {
        clip.length += first;
    }
    if let Some(clip) = session.clips.get_mut(&right) {
        clip.start -= second;
        clip.position -= second;
        clip.length += second;
    }
}
