//! The changes that cut silences out of the clips of a unit.

use super::Unit;
use crate::commands::cuts::fitted;
use crate::commands::ripple::along::Beside;
use crate::find::clock;
use deskhand_dsp::silence::gaps;
use deskhand_dsp::{Fade, FadeCurve, Frames};
use deskhand_session::{
    Change, Clip, ClipId, ClipPlace, Edit, GroupId, IdSeed, MarkerSpan, Ripple, Session,
};
use deskhand_toolkit::{Draft, PlanContext};
use std::ops::Range;

/// The cut of one clip.
struct Cut {
    /// Where the whole clip lay.
    extent: Range<Frames>,
    /// Id of the last change of the cut, which is refused when any ahead of it is.
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
    /// What was cut out of the timeline.
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
        // Tracks of a group are closed up by a ripple, which moves all of them at once.
        let closes_here = self.close_gaps && unit.group.is_none();
        let first = self.draft.changes.len();
        let mut cuts = Vec::new();
        for id in &unit.clips {
            let before = self.draft.changes.len();
            self.clip(*id, silences, closes_here);
            if !closes_here {
                self.tie(before);
                cuts.extend(self.cut_since(before, *id));
            }
        }
        if closes_here {
            self.move_up(&unit.others, silences);
            self.take_along(unit, silences);
            self.tie(first);
        } else if let (true, Some(group)) = (self.close_gaps, unit.group) {
            self.ripple(group, unit, silences, &cuts);
        }
    }

    fn clip(&mut self, id: ClipId, silences: &[Range<Frames>], closes: bool) {
        let Some(clip) = self.session().clips.get(&id) else {
            return;
        };
        let kept = gaps(silences, clip.position..clip.end());
        if kept == [clip.position..clip.end()] {
            if closes {
                self.move_up(&[id], silences);
            }
            return;
        }
        self.cut.push(clip.name.clone());
        let pieces: Vec<Clip> = kept
            .into_iter()
            .map(|range| self.piece(clip, range, if closes { silences } else { &[] }))
            .collect();
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

    /// The part of a clip in `range`, moved up by the silences ahead of it that close.
    fn piece(&self, clip: &Clip, range: Range<Frames>, closing: &[Range<Frames>]) -> Clip {
        let length = range.end - range.start;
        let mut piece = Clip {
            start: clip.start + (range.start - clip.position),
            length,
            position: range.start - before(closing, range.start),
            ..clip.clone()
        };
        if range.start > clip.position {
            piece.fade_in = self.fade;
        }
        if range.end < clip.end() {
            piece.fade_out = self.fade;
        }
        let fades = fitted(piece.fades(), length);
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

    /// Moves whole clips up by the silences ahead of them.
    fn move_up(&mut self, clips: &[ClipId], silences: &[Range<Frames>]) {
        for id in clips {
            let Some(clip) = self.session().clips.get(id) else {
                continue;
            };
            let position = clip.position - before(silences, clip.position);
            let after = ClipPlace { position, ..clip.place() };
            let change = Change::MoveClip(Edit::new(*id, clip.place(), after));
            if !change.is_identity() {
                self.draft.change(change, clip.name.clone(), "moves up to close the gap");
            }
        }
    }

    /// Makes the changes from `first` on need each other, since a part of a cut would lose audio: a
    /// ring, in which each needs the one ahead of it and the first needs the last.
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

    /// The cut of a clip by the changes from `first` on; `None` when there are none.
    fn cut_since(&self, first: usize, id: ClipId) -> Option<Cut> {
        let clip = self.session().clips.get(&id)?;
        let last = self.draft.changes.get(first..)?.last()?;
        Some(Cut { extent: clip.position..clip.end(), last: last.id.clone() })
    }

    /// Closes the gaps of a group, the last first, so that the ones ahead stay where they are. Each
    /// needs the clips cut that reach into it; the other clips move as they are.
    fn ripple(&mut self, id: GroupId, unit: &Unit, silences: &[Range<Frames>], cuts: &[Cut]) {
        let name = self.session().name_of(id.into());
        let beside = Beside::of(self.session(), &unit.tracks);
        let lines = [&unit.tracks[..], &beside.lines].concat();
        for silence in silences.iter().rev() {
            let mut open = Ripple {
                tracks: unit.tracks.clone(),
                at: silence.start,
                length: silence.end - silence.start,
                ..Ripple::default()
            };
            let mut needs =
                if beside.is_all { self.markers(&mut open, silences) } else { Vec::new() };
            let closed = Ripple { length: Frames::ZERO, ..open.clone() };
            let seconds = open.length.seconds(self.session().rate).0;
            let at = clock(silence.start, self.session().rate);
            let reason = format!("{seconds:.2} s at {at} in which all tracks are silent");
            let edit = Edit::new(id, open, closed);
            let edit = Ripple::with_lines(self.session(), edit, &lines, Frames::ZERO);
            let own = cuts.iter().filter(|cut| cut.reaches(silence));
            needs.extend(own.map(|cut| cut.last.clone()));
            let change = Change::RippleDelete(edit);
            self.draft.dependent(change, name.clone(), reason, needs);
        }
    }
}

impl Cutting<'_> {
    /// Lets gain over time go along with clips that move up, and all markers of the session where no clip stays.
    fn take_along(&mut self, unit: &Unit, silences: &[Range<Frames>]) {
        let session = self.session();
        let beside = Beside::of(session, &unit.tracks);
        for id in unit.tracks.iter().chain(&beside.lines) {
            let Some(track) = session.tracks.get(id) else { continue };
            let now = &track.envelope;
            let then = silences.iter().rev();
            let then = then.fold(now.clone(), |line, time| Ripple::line_closed(&line, time));
            let change = Change::SetTrackEnvelope(Edit::new(*id, now.clone(), then));
            if !change.is_identity() {
                self.draft.change(change, track.name.clone(), "stays with what is heard");
            }
        }
        for (id, marker) in session.markers.iter().filter(|_| beside.is_all) {
            let position = closed_up(silences, marker.position);
            let end = closed_up(silences, marker.position + marker.length);
            let span = MarkerSpan { position, length: end - position };
            let change = Change::MoveMarker(Edit::new(*id, marker.span(), span));
            if !change.is_identity() {
                self.draft.change(change, marker.name.clone(), "stays with what is heard");
            }
        }
    }

    /// Lets all markers of the session go along with a silence that closes; gives the changes that let those inside stand
    /// where it begins. The length of one that begins in a silence stays, whichever others close.
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

/// Where a time is once `silences` have closed.
fn closed_up(silences: &[Range<Frames>], at: Frames) -> Frames {
    let ahead = silences.iter().filter(|silence| silence.start < at);
    ahead.fold(at, |sum, silence| sum - (silence.end.min(at) - silence.start))
}

/// How much of `silences` lies before `at`.
fn before(silences: &[Range<Frames>], at: Frames) -> Frames {
    let ahead = silences.iter().filter(|silence| silence.end <= at);
    ahead.fold(Frames::ZERO, |sum, silence| sum + (silence.end - silence.start))
}

#[cfg(test)]
mod tests;
