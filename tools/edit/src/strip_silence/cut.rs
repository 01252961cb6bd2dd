//! The changes that cut silences out of the clips of a unit.

use super::Unit;
use crate::commands::ripple::along::Beside;
use crate::commands::ripple::{LENT, Together};
use deskhand_dsp::silence::gaps;
use deskhand_dsp::{Fade, FadeCurve, Frames};
use deskhand_session::text::clock;
use deskhand_session::{Change, Clip, ClipId, Edit, IdSeed, MarkerSpan, Ripple, Session, TrackId};
use deskhand_toolkit::{Draft, PlanContext};
use std::ops::Range;

/// The cut of one clip.
struct Cut {
    /// Where the whole clip lay.
    extent: Range<Frames>,
    /// Id of the last change of the cut. It is refused if any change before it is.
    last: String,
}

impl Cut {
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
        let mut cuts = Vec::new();
        for id in &unit.clips {
            let before = self.draft.changes.len();
            self.clip(*id, silences);
            self.tie(before);
            cuts.extend(self.cut_since(before, *id));
        }
        if self.close_gaps {
            self.close(unit, silences, &cuts);
        }
    }

    fn clip(&mut self, id: ClipId, silences: &[Range<Frames>]) {
        let Some(clip) = self.session().clips.get(&id) else {
            return;
        };
        let kept = gaps(silences, clip.position..clip.end());
        if kept == [clip.position..clip.end()] {
            return;
        }
        self.cut.push(clip.name.clone());
        let pieces: Vec<Clip> = kept.into_iter().map(|range| self.piece(clip, range)).collect();
        let mut pieces = pieces.into_iter();
        match pieces.next() {
            None => {
                self.removed.push(clip.name.clone());
                let change = Change::RemoveClip(Edit::remove(id, clip.clone()));
                self.draft.change(change, clip.name.clone(), "silent throughout");
            }
            Some(piece) => self.keep_first(id, clip, &piece),
        }
        for piece in pieces {
            let at = clock(piece.position, self.session().rate);
            let id = ClipId::new(self.ids.next_bits());
            let change = Change::AddClip(Edit::create(id, piece));
            self.draft.change(change, clip.name.clone(), format!("sounds again at {at}"));
        }
    }

    /// The part of a clip in `range`.
    fn piece(&self, clip: &Clip, range: Range<Frames>) -> Clip {
        let length = range.end - range.start;
        let mut piece = Clip {
            start: clip.start + (range.start - clip.position),
            length,
            position: range.start,
            ..clip.clone()
        };
        if range.start > clip.position {
            piece.fade_in = self.fade;
        }
        if range.end < clip.end() {
            piece.fade_out = self.fade;
        }
        let fades = piece.fades().fitted(length);
        Clip { fade_in: fades.fade_in, fade_out: fades.fade_out, ..piece }
    }

    /// The first piece keeps the clip's id. Fades first: what fits the piece fits the whole clip.
    fn keep_first(&mut self, id: ClipId, clip: &Clip, piece: &Clip) {
        let fades = Change::SetClipFades(Edit::new(id, clip.fades(), piece.fades()));
        if !fades.is_identity() {
            self.draft.change(fades, clip.name.clone(), "a fade at the cut");
        }
        let rate = self.session().rate;
        let (from, length) =
            (clock(clip.position + (piece.start - clip.start), rate), piece.length);
        let reason = format!("sounds for {:.2} s from {from}", length.seconds(rate).0);
        let trim = Change::TrimClip(Edit::new(id, clip.window(), piece.window()));
        if !trim.is_identity() {
            self.draft.change(trim, clip.name.clone(), reason);
        }
    }

    /// Makes the changes from `first` on need each other in a ring: each needs the previous one, and the
    /// first needs the last. Without it, a part of a cut would lose audio.
    fn tie(&mut self, first: usize) {
        let Some(ring) = self.draft.changes.get_mut(first..) else {
            return;
        };
        let ids: Vec<String> = ring.iter().map(|change| change.id.clone()).collect();
        if ids.len() < 2 {
            return;
        }
        for (change, ahead) in ring.iter_mut().zip(ids.iter().cycle().skip(ids.len() - 1)) {
            change.needs = vec![ahead.clone()];
        }
    }

    /// The cut of a clip by the changes from `first` on; `None` if there are none.
    fn cut_since(&self, first: usize, id: ClipId) -> Option<Cut> {
        let clip = self.session().clips.get(&id)?;
        let last = self.draft.changes.get(first..)?.last()?;
        Some(Cut { extent: clip.position..clip.end(), last: last.id.clone() })
    }

    /// Closes the gaps of a unit, the last first, so that earlier ones stay in place. Each needs the clips
    /// cut that reach into it; the other clips move as they are.
    fn close(&mut self, unit: &Unit, silences: &[Range<Frames>], cuts: &[Cut]) {
        let groups = Together::all(self.session(), &unit.tracks, &mut self.ids);
        let beside = Beside::of(self.session(), &unit.tracks);
        let lent = groups.iter().filter_map(|group| Some(self.lend(group, group.lent()?)));
        let lent: Vec<String> = lent.collect();
        for silence in silences.iter().rev() {
            let own = cuts.iter().filter(|cut| cut.reaches(silence));
            let mut needs: Vec<String> = own.map(|cut| cut.last.clone()).collect();
            needs.extend(lent.iter().cloned());
            let mut open = open(silence);
            if beside.is_all {
                needs.extend(self.markers(&mut open, silences));
            }
            let seconds = open.length.seconds(self.session().rate).0;
            let at = clock(silence.start, self.session().rate);
            let reason = format!("{seconds:.2} s at {at} in which all tracks are silent");
            let first = self.draft.changes.len();
            for (number, group) in groups.iter().enumerate() {
                let (time, more) = match number {
                    0 => (open.clone(), &beside.lines[..]),
                    _ => (self::open(silence), &[][..]),
                };
                let change = closing(self.session(), group, time, more);
                let name = group.group.name.clone();
                self.draft.dependent(change, name, reason.clone(), needs.clone());
            }
            self.tie_more(first);
        }
        for group in &groups {
            if let Some(returned) = group.returned() {
                self.draft.dependent(returned, group.group.name.clone(), LENT, lent.clone());
            }
        }
    }

    fn lend(&mut self, group: &Together, lent: Change) -> String {
        self.draft.change(lent, group.group.name.clone(), LENT)
    }

    /// Makes the changes from `first` on also need each other: groups that move alike close together or not
    /// at all.
    fn tie_more(&mut self, first: usize) {
        let Some(ring) = self.draft.changes.get_mut(first..).filter(|ring| ring.len() > 1) else {
            return;
        };
        let ids: Vec<String> = ring.iter().map(|change| change.id.clone()).collect();
        for (change, ahead) in ring.iter_mut().zip(ids.iter().cycle().skip(ids.len() - 1)) {
            change.needs.push(ahead.clone());
        }
    }

    /// Moves all markers of the session along with a silence that closes. Returns the changes that move
    /// markers inside it to its start. A marker that begins in a silence keeps its length, whichever others
    /// close.
    fn markers(&mut self, open: &mut Ripple, silences: &[Range<Frames>]) -> Vec<String> {
        let mut out = Vec::new();
        for (id, marker) in &self.session().markers {
            let at = marker.position;
            let is_in = |time: &Range<Frames>| time.start < at && at < time.end;
            if at >= open.end() {
                open.markers.insert(*id);
            } else if is_in(&(open.at..open.end())) {
                let span = MarkerSpan { position: open.at, ..marker.span() };
                let change = Change::MoveMarker(Edit::new(*id, marker.span(), span));
                out.push(self.draft.change(change, marker.name.clone(), "what it stands in goes"));
            } else if open.is_under(marker) && !silences.iter().any(is_in) {
                open.across.insert(*id);
            }
        }
        out
    }
}

/// A silence as time that is still there.
fn open(silence: &Range<Frames>) -> Ripple {
    let length = silence.end - silence.start;
    Ripple { at: silence.start, length, ..Ripple::default() }
}

/// Removes time from a group where none of its clips plays, with the gain over time of its tracks and of
/// `more`.
fn closing(session: &Session, group: &Together, open: Ripple, more: &[TrackId]) -> Change {
    let tracks = &group.group.tracks;
    let open = Ripple { tracks: tracks.clone(), ..open };
    let closed = Ripple { length: Frames::ZERO, ..open.clone() };
    let lines = [&tracks[..], more].concat();
    let edit = Edit::new(group.id, open, closed);
    Change::RippleDelete(Ripple::with_lines(session, edit, &lines, Frames::ZERO))
}

#[cfg(test)]
mod tests;
