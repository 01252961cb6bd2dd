//! The changes that take cuts out of a unit.
//!
//! First all clips are split at the edges of all cuts, which nobody hears. Then each cut is one change, the last one
//! first, so that any of them can be left out: what is ahead of it has not moved yet, and what is behind it is named
//! by none. The two ends of what is cut out stay as a crossfade between what is ahead and what is behind, so that
//! those need no fades of their own.

use super::find::{Cut, Kind};
use super::room::Rooms;
use crate::assembly::unit::Unit;
use crate::assembly::{marked_removed, markers_of, phrases_on, without};
use crate::find::clock;
use deskhand_dsp::{Fade, FadeCurve, Frames};
use deskhand_session::{
    Change, Clip, ClipId, ClipWindow, Edit, Fades, Group, GroupId, IdSeed, MarkerSpan, PhraseId,
    Ripple, Session, SplitState, TrackId,
};
use deskhand_toolkit::{Draft, PlanContext, ToolError};
use std::collections::BTreeMap;
use std::ops::Range;

/// How long the crossfade over a cut is, in ms.
const CROSSFADE_MS: i64 = 10;

/// The plan while it grows.
pub(super) struct Cutting<'a> {
    pub(super) draft: Draft,
    context: &'a PlanContext,
    room_tone: bool,
    rooms: Rooms,
    ids: IdSeed,
    fade: Frames,
    gone: Vec<Gone>,
}

/// A phrase of the assembly of which nothing is left.
struct Gone {
    phrase: PhraseId,
    /// Where it was, once all is closed up.
    at: Frames,
    /// The change that cuts it out.
    cut: String,
}

/// The group whose tracks are closed up together.
struct Together {
    group: GroupId,
    name: String,
    tracks: Vec<TrackId>,
    /// The change that makes it.
    made: Option<String>,
}

/// The clips of a unit as the splits leave them, each with the last split it came from.
struct Pieces {
    clips: BTreeMap<ClipId, Clip>,
    splits: BTreeMap<ClipId, String>,
}

impl<'a> Cutting<'a> {
    pub(super) fn new(context: &'a PlanContext, room_tone: bool) -> Self {
        let fade = Frames(i64::from(context.session.rate.0) * CROSSFADE_MS / 1000);
        let (draft, rooms, ids) = (Draft::default(), Rooms::default(), context.ids());
        Self { draft, context, room_tone, rooms, ids, fade, gone: Vec::new() }
    }

    fn session(&self) -> &'a Session {
        &self.context.session
    }

    /// Takes `cuts`, in order and apart from each other, out of a unit.
    ///
    /// # Errors
    /// When audio cannot be read, or the run is stopped.
    pub(super) fn unit(&mut self, unit: &Unit, cuts: &[Cut]) -> Result<(), ToolError> {
        if cuts.is_empty() {
            return Ok(());
        }
        let closes = cuts.iter().any(|cut| self.closes(cut));
        let group = if closes { Some(self.group(unit)) } else { None };
        let pieces = self.split(unit, cuts);
        let phrases = phrases_on(self.session(), &unit.tracks);
        let mut ripples = Vec::new();
        for cut in cuts.iter().rev() {
            match (&group, self.closes(cut)) {
                (Some(group), true) => {
                    let Some(ripple) = self.close(group, cut, &pieces) else { continue };
                    let is_gone =
                        |on: &Range<Frames>| cut.range.start <= on.start && on.end <= cut.range.end;
                    let at = self.moved_up(cuts, cut.range.start);
                    let gone =
                        phrases.iter().filter(|(_, on)| is_gone(on)).map(|(phrase, _)| *phrase);
                    let gone = gone.map(|phrase| Gone { phrase, at, cut: ripple.clone() });
                    self.gone.extend(gone);
                    ripples.push(ripple);
                }
                (_, _) => self.fill(cut, &pieces)?,
            }
        }
        self.markers(unit, cuts, &ripples);
        Ok(())
    }

    /// The plan. Phrases of the assembly of which nothing is left are removed ones in it, with their markers.
    pub(super) fn done(mut self) -> Draft {
        let gone = std::mem::take(&mut self.gone);
        if gone.is_empty() {
            return self.draft;
        }
        let session = &self.context.session;
        let needs: Vec<String> = gone.iter().map(|gone| gone.cut.clone()).collect();
        let phrases: Vec<PhraseId> = gone.iter().map(|gone| gone.phrase).collect();
        let before = session.assembly.clone();
        let after = without(&before, &phrases);
        let change = Change::SetAssembly(Edit::new(session.id, before, after));
        let reason = "nothing is left of it";
        let out = self.draft.dependent(change, "Assembly".into(), reason, needs);
        for Gone { phrase, at, .. } in gone {
            for change in marked_removed(session, phrase, at) {
                let name = session.name_of(phrase.into());
                self.draft.dependent(change, name, reason, vec![out.clone()]);
            }
        }
        self.draft
    }

    fn closes(&self, cut: &Cut) -> bool {
        !self.room_tone || cut.kind == Kind::Pause
    }

    /// The group of a unit, its members, and the change that makes it where there is none: only tracks of a group
    /// can be closed up.
    fn group(&mut self, unit: &Unit) -> Together {
        let name = super::named(self.session(), unit);
        let known = unit.group.and_then(|id| Some((id, self.session().groups.get(&id)?)));
        if let Some((group, known)) = known {
            return Together { group, name, tracks: known.tracks.clone(), made: None };
        }
        let group = GroupId::new(self.ids.next_bits());
        let tracks = unit.tracks.clone();
        let new = Group { name: name.clone(), tracks: tracks.clone() };
        let change = Change::SetGroup(Edit::create(group, new));
        let made =
            self.draft.change(change, name.clone(), "a track closes up as a group of its own");
        Together { group, name, tracks, made: Some(made) }
    }

    /// Where clips are split, the last first; of one track alone where only that is cut.
    fn edges(&self, cuts: &[Cut]) -> Vec<(Frames, Option<TrackId>)> {
        let mut edges: Vec<(Frames, Option<TrackId>)> = cuts
            .iter()
            .flat_map(|cut| {
                let only = if self.closes(cut) { None } else { cut.track };
                [(cut.range.start, only), (cut.range.end, only)]
            })
            .collect();
        edges.sort_unstable_by_key(|(at, _)| std::cmp::Reverse(*at));
        edges
    }

    /// Splits all clips at the edges of cuts, each from its end to its start.
    fn split(&mut self, unit: &Unit, cuts: &[Cut]) -> Pieces {
        let edges = self.edges(cuts);
        let mut pieces = Pieces { clips: BTreeMap::new(), splits: BTreeMap::new() };
        let tracks = unit.tracks.iter().flat_map(|track| self.session().clips_on(*track));
        for (id, clip) in tracks.collect::<Vec<_>>() {
            let mut left = clip.clone();
            let (mut last, mut rights): (Option<String>, Vec<ClipId>) = (None, Vec::new());
            for (at, only) in &edges {
                let is_inside = left.position < *at && *at < left.end();
                if !is_inside || only.is_some_and(|track| track != clip.track) {
                    continue;
                }
                let right_id = ClipId::new(self.ids.next_bits());
                let parts = SplitState::parts(&left, right_id, *at - left.position);
                let SplitState::Parts { left: first, right, .. } = &parts else { continue };
                let (first, right) = (first.clone(), right.clone());
                let whole = SplitState::Whole { clip: left.clone(), right_id };
                let change = Change::SplitClip(Edit::new(id, whole, parts));
                let needs = last.iter().cloned().collect();
                let split =
                    self.draft.dependent(change, clip.name.clone(), "an edge of a cut", needs);
                pieces.clips.insert(right_id, right);
                rights.push(right_id);
                last = Some(split);
                left = first;
            }
            // The splits of a clip are taken together: each names what the one behind it left.
            rights.push(id);
            if let Some(last) = last {
                pieces.splits.extend(rights.into_iter().map(|id| (id, last.clone())));
            }
            pieces.clips.insert(id, left);
        }
        pieces
    }

    /// What the splits left inside of a range, on some tracks.
    fn inside<'p>(
        pieces: &'p Pieces,
        range: &Range<Frames>,
        only: Option<TrackId>,
    ) -> impl Iterator<Item = (ClipId, &'p Clip)> {
        let range = range.clone();
        let within = move |clip: &Clip| {
            clip.position >= range.start
                && clip.end() <= range.end
                && only.is_none_or(|track| track == clip.track)
        };
        pieces.clips.iter().filter(move |(_, clip)| within(clip)).map(|(id, clip)| (*id, clip))
    }

    fn overlap(&self, cut: &Cut) -> Frames {
        self.fade.min(Frames(cut.length().0 / 2))
    }

    /// Closes the time of a cut but for its crossfade. Gives the id of the change.
    fn close(&mut self, together: &Together, cut: &Cut, pieces: &Pieces) -> Option<String> {
        let Together { group, name, tracks, made } = together;
        let fade = self.overlap(cut);
        let (at, length) = (cut.range.start + fade, cut.length() - fade);
        let mut before = BTreeMap::new();
        let mut after = BTreeMap::new();
        let mut needs: Vec<String> = made.iter().cloned().collect();
        for (id, clip) in Self::inside(pieces, &cut.range, None) {
            before.insert(id, clip.clone());
            needs.extend(pieces.splits.get(&id).cloned());
            let head = part(clip, &(cut.range.start..at)).map(|head| fading_out(head, fade));
            let tail = part(clip, &(cut.range.end - fade..cut.range.end));
            let tail =
                tail.map(|tail| fading_in(Clip { position: tail.position - length, ..tail }, fade));
            let tail_id = if head.is_some() { ClipId::new(self.ids.next_bits()) } else { id };
            after.extend(head.map(|head| (id, head)));
            after.extend(tail.map(|tail| (tail_id, tail)));
        }
        if before.is_empty() {
            return None;
        }
        // What lies on both sides of the cut stays whole only if its own splits are taken as well.
        needs.extend(pieces.edges(&cut.range));
        needs.sort();
        needs.dedup();
        let open = Ripple { tracks: tracks.clone(), at, length, clips: before };
        let closed = Ripple { length: Frames::ZERO, clips: after, ..open.clone() };
        let change = Change::RippleDelete(Edit::new(*group, open, closed));
        let reason = self.reason(cut);
        Some(self.draft.dependent(change, name.clone(), reason, needs))
    }

    fn reason(&self, cut: &Cut) -> String {
        let rate = self.session().rate;
        let seconds = cut.length().seconds(rate).0;
        format!("{} at {}, {seconds:.2} s", cut.what, clock(cut.range.start, rate))
    }

    /// Puts room tone in place of a cut on its own track. All of it is one thing to take or leave.
    fn fill(&mut self, cut: &Cut, pieces: &Pieces) -> Result<(), ToolError> {
        let fade = self.overlap(cut);
        let first = self.draft.changes.len();
        let inside: Vec<(ClipId, Clip)> =
            Self::inside(pieces, &cut.range, cut.track).map(|(id, c)| (id, c.clone())).collect();
        let reason = self.reason(cut);
        for (id, clip) in &inside {
            let Some(tone) = self.rooms.tone(self.context, clip.source)? else {
                let name = self.session().name_of(clip.source.into());
                let told =
                    format!("\"{name}\": no quiet stretch for room tone, silence in its place");
                if !self.draft.warnings.contains(&told) {
                    self.draft.warnings.push(told);
                }
                self.replace(*id, clip, fade, Vec::new(), &reason);
                continue;
            };
            let tones = tiles(clip, &tone, fade);
            self.replace(*id, clip, fade, tones, &reason);
        }
        let own = inside.iter().filter_map(|(id, _)| pieces.splits.get(id).cloned());
        let splits: Vec<String> = own.chain(pieces.edges(&cut.range)).collect();
        self.tie(first, &splits);
        Ok(())
    }

    /// A clip becomes its first and last moments, with others between them.
    fn replace(&mut self, id: ClipId, clip: &Clip, fade: Frames, between: Vec<Clip>, reason: &str) {
        let fade = fade.min(Frames(clip.length.0 / 2));
        let head = fading_out(Clip { length: fade, ..clip.clone() }, fade);
        let tail = part(clip, &(clip.end() - fade..clip.end())).map(|tail| fading_in(tail, fade));
        let fades = Change::SetClipFades(Edit::new(id, clip.fades(), head.fades()));
        let window = ClipWindow { length: fade, ..clip.window() };
        let trim = Change::TrimClip(Edit::new(id, clip.window(), window));
        let name = clip.name.clone();
        for change in [fades, trim].into_iter().filter(|change| !change.is_identity()) {
            self.draft.change(change, name.clone(), reason);
        }
        for new in between.into_iter().chain(tail) {
            let id = ClipId::new(self.ids.next_bits());
            self.draft.change(Change::AddClip(Edit::create(id, new)), name.clone(), reason);
        }
    }

    /// Makes the changes from `first` on need each other in a ring, and the first of them the splits.
    fn tie(&mut self, first: usize, splits: &[String]) {
        let Some(ring) = self.draft.changes.get_mut(first..) else { return };
        let ids: Vec<String> = ring.iter().map(|change| change.id.clone()).collect();
        for (at, change) in ring.iter_mut().enumerate() {
            let ahead = ids.get((at + ids.len() - 1) % ids.len()).filter(|id| **id != change.id);
            change.needs.extend(ahead.cloned());
        }
        if let Some(change) = ring.first_mut() {
            change.needs.extend(splits.iter().cloned());
            change.needs.sort();
            change.needs.dedup();
        }
    }

    /// Where a time is once all cuts ahead of it are closed.
    fn moved_up(&self, cuts: &[Cut], at: Frames) -> Frames {
        let ahead = cuts.iter().filter(|cut| self.closes(cut) && cut.range.end <= at);
        ahead.map(|cut| cut.length() - self.overlap(cut)).fold(at, |at, gone| at - gone)
    }

    /// Moves the markers of an assembly up, where all of its cuts are taken.
    fn markers(&mut self, unit: &Unit, cuts: &[Cut], ripples: &[String]) {
        for (id, marker) in markers_of(self.session(), &unit.tracks) {
            let position = self.moved_up(cuts, marker.position);
            let span = MarkerSpan { position, ..marker.span() };
            let change = Change::MoveMarker(Edit::new(id, marker.span(), span));
            if !change.is_identity() {
                let (name, reason) = (marker.name.clone(), "moves up with what it stands at");
                self.draft.dependent(change, name, reason, ripples.to_vec());
            }
        }
    }
}

impl Pieces {
    /// The splits of clips that end where a range begins or begin where it ends.
    fn edges(&self, range: &Range<Frames>) -> Vec<String> {
        let beside = self
            .clips
            .iter()
            .filter(|(_, clip)| clip.end() == range.start || clip.position == range.end);
        beside.filter_map(|(id, _)| self.splits.get(id).cloned()).collect()
    }
}

/// The part of a clip in a range of the timeline, without fades.
fn part(clip: &Clip, range: &Range<Frames>) -> Option<Clip> {
    let (start, end) = (clip.position.max(range.start), clip.end().min(range.end));
    (start < end).then(|| Clip {
        start: clip.start + (start - clip.position),
        length: end - start,
        position: start,
        fade_in: Fade::default(),
        fade_out: Fade::default(),
        ..clip.clone()
    })
}

fn faded(length: Frames) -> Fade {
    Fade { length, curve: FadeCurve::EqualPower }
}

fn fading_out(clip: Clip, fade: Frames) -> Clip {
    Clip { fade_in: Fade::default(), fade_out: faded(fade.min(clip.length)), ..clip }
}

fn fading_in(clip: Clip, fade: Frames) -> Clip {
    Clip { fade_in: faded(fade.min(clip.length)), fade_out: Fade::default(), ..clip }
}

/// Clips of room tone over the time of a clip, each lying over the next by a crossfade.
fn tiles(clip: &Clip, tone: &Range<Frames>, fade: Frames) -> Vec<Clip> {
    let longest = tone.end - tone.start;
    let mut tiles: Vec<Clip> = Vec::new();
    let mut position = clip.position;
    while position < clip.end() && longest > fade + fade {
        let length = longest.min(clip.end() - position);
        let fade = fade.min(Frames(length.0 / 2));
        let fades = Fades { fade_in: faded(fade), fade_out: faded(fade) };
        tiles.push(Clip {
            start: tone.start,
            length,
            position,
            fade_in: fades.fade_in,
            fade_out: fades.fade_out,
            envelope: Vec::new(),
            ..clip.clone()
        });
        if position + length >= clip.end() {
            break;
        }
        position += length - fade;
    }
    tiles
}
