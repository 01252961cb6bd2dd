//! The changes that cut silences out of the clips of a unit.
//!
//! First all clips are split at the edges of all silences, which is inaudible. Then each silence is a ring of changes,
//! the last in time first: it can be taken or left whatever else is taken. A silence at the start of a clip is trimmed
//! instead, so that the first sound keeps the clip's id.

use super::Unit;
use crate::commands::ripple::moved_with_time::Beside;
use crate::commands::ripple::{LENT, OUT, Together};
use deskhand_dsp::silence::gaps;
use deskhand_dsp::{Fade, FadeCurve, Frames};
use deskhand_session::plan::{CutKind, CutOut};
use deskhand_session::text::clock;
use deskhand_session::{
    Change, Clip, ClipId, ClipWindow, Edit, Fades, IdSeed, MarkerSpan, PlannedChange, Ripple,
    Session, SplitState, TrackId,
};
use deskhand_toolkit::{Draft, PlanContext};
use std::ops::Range;

/// Why a clip is split.
const EDGE: &str = "an edge of silence";
/// Why a piece goes or fades.
const SILENT: &str = "the silence next to it is cut";

/// A part of a clip between two edges of silences.
struct Piece {
    id: ClipId,
    clip: Clip,
    /// What is left of it: nothing where it is silent, less where the whole clip begins with silence.
    sound: Range<Frames>,
}

/// A clip as splits leave it.
struct Pieces {
    all: Vec<Piece>,
    /// Where the whole clip lay.
    extent: Range<Frames>,
    /// The last of its splits, which needs all others.
    split: Option<String>,
}

impl Pieces {
    fn reaches(&self, silence: &Range<Frames>) -> bool {
        self.extent.start < silence.end && silence.start < self.extent.end
    }
}

/// The plan while it grows.
pub(super) struct Cutting<'a> {
    pub(super) context: &'a PlanContext,
    pub(super) draft: Draft,
    /// The stretches cut from the timeline.
    pub(super) stretches: Vec<Range<Frames>>,
    /// Names of clips without any sound.
    pub(super) removed: Vec<String>,
    /// Names of clips that are cut or removed.
    pub(super) cut: Vec<String>,
    fade: Fade,
    close_gaps: bool,
    ids: IdSeed,
}

/// What closes the time of silences.
struct Closing {
    groups: Vec<Together>,
    beside: Beside,
    /// The changes that make groups of tracks that have none.
    lent: Vec<String>,
}

impl<'a> Cutting<'a> {
    pub(super) fn new(context: &'a PlanContext, fade: Frames, close_gaps: bool) -> Self {
        Self {
            context,
            draft: Draft::default(),
            stretches: Vec::new(),
            removed: Vec::new(),
            cut: Vec::new(),
            fade: Fade { length: fade, curve: FadeCurve::EqualPower },
            close_gaps,
            ids: context.ids(),
        }
    }

    fn session(&self) -> &'a Session {
        &self.context.session
    }

    /// Cuts `silences` out of all clips of a unit.
    pub(super) fn unit(&mut self, unit: &Unit, silences: &[Range<Frames>]) {
        if silences.is_empty() {
            return;
        }
        self.stretches.extend(silences.iter().cloned());
        let closing = self.close_gaps.then(|| self.closing(unit));
        let clips: Vec<Pieces> =
            unit.clips.iter().filter_map(|id| self.split(*id, silences)).collect();
        for silence in silences.iter().rev() {
            let first = self.draft.changes.len();
            for pieces in &clips {
                self.silence_clip(pieces, silence);
            }
            self.mark(first, silence);
            if let Some(closing) = &closing {
                self.close(closing, silence, silences);
            }
            let touched = clips.iter().filter(|pieces| pieces.reaches(silence));
            let mut needs: Vec<String> = touched.filter_map(|it| it.split.clone()).collect();
            needs.extend(closing.iter().flat_map(|it| it.lent.iter().cloned()));
            self.tie(first, needs);
        }
        for group in closing.iter().flat_map(|it| &it.groups) {
            if let Some(returned) = group.returned() {
                let lent = closing.iter().flat_map(|it| it.lent.iter().cloned()).collect();
                self.draft.dependent(returned, group.group.name.clone(), LENT, lent);
            }
        }
    }

    fn closing(&mut self, unit: &Unit) -> Closing {
        let groups = Together::all(self.session(), &unit.tracks, &mut self.ids);
        let beside = Beside::of(self.session(), &unit.tracks);
        let lent = groups.iter().filter_map(|group| Some(self.lend(group, group.lent()?)));
        let lent = lent.collect();
        Closing { groups, beside, lent }
    }

    /// Splits a clip at the edges of silences; `None` if none reaches it.
    fn split(&mut self, id: ClipId, silences: &[Range<Frames>]) -> Option<Pieces> {
        let clip = self.session().clips.get(&id)?;
        let extent = clip.position..clip.end();
        let own: Vec<_> =
            silences.iter().filter(|it| it.start < extent.end && extent.start < it.end).collect();
        if own.is_empty() {
            return None;
        }
        self.cut.push(clip.name.clone());
        if gaps(silences, extent.clone()).is_empty() {
            self.removed.push(clip.name.clone());
        }
        let inside = own.iter().filter(|it| extent.start < it.start);
        let edges = inside.flat_map(|it| [it.start, it.end]).filter(|at| *at < extent.end);
        let edges: Vec<Frames> = edges.collect();
        let (mut left, mut split) = (clip.clone(), None);
        let mut all = Vec::new();
        for at in edges.into_iter().rev() {
            let right_id = ClipId::new(self.ids.next_bits());
            let parts = SplitState::parts(&left, right_id, at - left.position);
            let SplitState::Parts { left: first, right, .. } = parts.clone() else { continue };
            let whole = SplitState::Whole { clip: left, right_id };
            let change = Change::SplitClip(Edit::new(id, whole, parts));
            let needs = split.into_iter().collect();
            split = Some(self.draft.dependent(change, clip.name.clone(), EDGE, needs));
            all.push(Piece::new(right_id, right, silences));
            left = first;
        }
        all.push(Piece::new(id, left, silences));
        all.reverse();
        Some(Pieces { all, extent, split })
    }

    /// Takes a silence out of the pieces of a clip, with fades at the cut.
    fn silence_clip(&mut self, pieces: &Pieces, silence: &Range<Frames>) {
        for piece in &pieces.all {
            let clip = &piece.clip;
            let begins_in_it = silence.start <= clip.position && clip.position < silence.end;
            if piece.sound.is_empty() && begins_in_it {
                self.put(Change::RemoveClip(Edit::remove(piece.id, clip.clone())), clip);
            } else if begins_in_it {
                let start = clip.start + (piece.sound.start - clip.position);
                let (position, length) = (piece.sound.start, piece.length());
                let window = ClipWindow { start, length, position };
                self.put(piece.faded_in(self.fade), clip);
                self.put(Change::TrimClip(Edit::new(piece.id, clip.window(), window)), clip);
            } else if clip.end() == silence.start && clip.end() < pieces.extent.end {
                self.put(piece.faded_out(self.fade), clip);
            } else if clip.position == silence.end && pieces.extent.start < clip.position {
                self.put(piece.faded_in(self.fade), clip);
            }
        }
    }

    fn put(&mut self, change: Change, clip: &Clip) {
        if !change.is_identity() {
            self.draft.change(change, clip.name.clone(), SILENT);
        }
    }

    /// Has one of the changes from `first` on stand for a silence.
    fn mark(&mut self, first: usize, silence: &Range<Frames>) {
        let (length, is_on_all) = (silence.end - silence.start, self.close_gaps);
        let rate = self.session().rate;
        let (at, seconds) = (clock(silence.start, rate), length.seconds(rate).0);
        let reason = format!("{seconds:.2} s of silence at {at}");
        let own = self.draft.changes.get_mut(first..).unwrap_or_default();
        let stands = |it: &&mut PlannedChange| {
            matches!(it.change, Change::RemoveClip(_) | Change::TrimClip(_))
        };
        let Some(planned) = own.iter_mut().find(stands) else { return };
        let what = match is_on_all {
            true => "silence".to_owned(),
            false => format!("silence in {}", planned.name),
        };
        let (kind, at) = (CutKind::Silence, silence.start);
        planned.cut = Some(CutOut { kind, what, at, length, before: None, after: None });
        planned.reason = reason;
    }

    /// Makes the changes from `first` on need each other in a ring, and the first of them what made the pieces.
    fn tie(&mut self, first: usize, needs: Vec<String>) {
        self.draft.tie(first);
        if let Some(change) = self.draft.changes.get_mut(first) {
            change.needs.extend(needs);
        }
    }

    /// Closes the time of a silence on all tracks that move alike; other clips move as they are.
    fn close(&mut self, closing: &Closing, silence: &Range<Frames>, silences: &[Range<Frames>]) {
        let mut open = open(silence);
        if closing.beside.is_all {
            self.markers(&mut open, silences);
        }
        for (number, group) in closing.groups.iter().enumerate() {
            let (time, more) = match number {
                0 => (open.clone(), &closing.beside.lines[..]),
                _ => (self::open(silence), &[][..]),
            };
            let change = closes(self.session(), group, time, more);
            self.draft.change(change, group.group.name.clone(), "all tracks are silent");
        }
    }

    fn lend(&mut self, group: &Together, lent: Change) -> String {
        self.draft.change(lent, group.group.name.clone(), LENT)
    }

    /// Moves all markers of the session along with a silence that closes, and those inside it to its start. A marker
    /// that begins in a silence keeps its length, whichever others close.
    fn markers(&mut self, open: &mut Ripple, silences: &[Range<Frames>]) {
        for (id, marker) in &self.session().markers {
            let at = marker.position;
            let is_in = |time: &Range<Frames>| time.start < at && at < time.end;
            if at >= open.end() {
                open.markers.insert(*id);
            } else if is_in(&(open.at..open.end())) {
                let span = MarkerSpan { position: open.at, ..marker.span() };
                let change = Change::MoveMarker(Edit::new(*id, marker.span(), span));
                self.draft.change(change, marker.name.clone(), OUT);
            } else if open.is_under(marker) && !silences.iter().any(is_in) {
                open.across.insert(*id);
            }
        }
    }
}

impl Piece {
    fn new(id: ClipId, clip: Clip, silences: &[Range<Frames>]) -> Self {
        let sound = gaps(silences, clip.position..clip.end()).into_iter().next();
        let sound = sound.unwrap_or(clip.position..clip.position);
        Self { id, clip, sound }
    }

    fn length(&self) -> Frames {
        self.sound.end - self.sound.start
    }

    /// A fade that leaves room for one at the other end, which another silence may want.
    fn fitting(&self, fade: Fade) -> Fade {
        Fade { length: fade.length.min(Frames(self.length().0 / 2)), ..fade }
    }

    fn faded_in(&self, fade: Fade) -> Change {
        let (fade_in, mut fade_out) = (self.fitting(fade), self.clip.fade_out);
        fade_out.length = fade_out.length.min(self.length() - fade_in.length);
        Change::SetClipFades(Edit::new(self.id, self.clip.fades(), Fades { fade_in, fade_out }))
    }

    fn faded_out(&self, fade: Fade) -> Change {
        let (mut fade_in, fade_out) = (self.clip.fade_in, self.fitting(fade));
        fade_in.length = fade_in.length.min(self.length() - fade_out.length);
        Change::SetClipFades(Edit::new(self.id, self.clip.fades(), Fades { fade_in, fade_out }))
    }
}

/// A silence as time that is still there.
fn open(silence: &Range<Frames>) -> Ripple {
    let length = silence.end - silence.start;
    Ripple { at: silence.start, length, ..Ripple::default() }
}

/// Removes time from a group where none of its clips plays, with the gain over time of its tracks and of
/// `more`.
fn closes(session: &Session, group: &Together, open: Ripple, more: &[TrackId]) -> Change {
    let tracks = &group.group.tracks;
    let open = Ripple { tracks: tracks.clone(), ..open };
    let closed = Ripple { length: Frames::ZERO, ..open.clone() };
    let lines = [&tracks[..], more].concat();
    let edit = Edit::new(group.id, open, closed);
    Change::RippleDelete(Ripple::with_lines(session, edit, &lines, Frames::ZERO))
}

#[cfg(test)]
mod tests;
