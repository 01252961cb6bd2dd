//! The changes that take cuts out of a unit.
//!
//! Cuts in two steps. First all clips are split around all cuts, which is inaudible. Then each cut is one
//! change, the last one first. So any cut can be left out: the clips before it have not moved yet, and no
//! change names the clips after it. What moves or goes in an assembly is part of the same change, so it
//! holds whatever else is taken. The sound before and after a cut overlaps by a crossfade.

use super::find::{Cut, Kind};
use super::pieces::{Clips, Pieces, Role, Seam};
use super::retimed::Retimed;
use super::room_tone::{Rooms, tiles};
use crate::assembly::phrases_on;
use crate::assembly::unit::Unit;
use deskhand_dsp::{Fade, FadeCurve, Frames};
use deskhand_edit::Beside;
use deskhand_edit::LENT;
use deskhand_edit::assembly::ids::marker as marker_of;
use deskhand_edit::assembly::markers::marked_removed;
use deskhand_edit::assembly::markers_of;
use deskhand_session::plan::CutKind;
use deskhand_session::text::clock;
use deskhand_session::{
    Assembly, Change, Clip, ClipId, Edit, Fades, Group, GroupId, IdSeed, Marker, MarkerId,
    MarkerSpan, PhraseId, Ripple, Session, TrackId,
};
use deskhand_toolkit::find::seconds;
use deskhand_toolkit::{Draft, PlanContext, ToolError};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// How long the crossfade over a cut is, in ms.
const CROSSFADE_MS: i64 = 10;

/// The plan while it grows.
pub(super) struct Cutting<'a> {
    pub(super) draft: Draft,
    /// Each cut with the change that takes it, for whoever asked; the last is first.
    pub(super) told: Vec<Value>,
    context: &'a PlanContext,
    room_tone: bool,
    rooms: Rooms,
    retimed: Retimed<'a>,
    ids: IdSeed,
    fade: Frames,
}

/// The parts of the assembly that move with the time.
#[derive(Default)]
struct Along {
    /// The markers of its phrases, and those of phrases that lose everything.
    markers: BTreeSet<MarkerId>,
    /// Markers of some length that are shorter where time goes that they lie over.
    across: BTreeMap<MarkerId, Marker>,
    /// Each phrase, its place in the order and where it is heard.
    phrases: Vec<(PhraseId, usize, Range<Frames>)>,
    /// Tracks and buses outside the groups whose gain over time moves along.
    lines: Vec<TrackId>,
    /// The change that takes back that it is finished.
    opened: Option<String>,
}

impl Along {
    /// Phrases that a cut removes completely, each with its place in the order.
    fn gone(&self, cut: &Cut) -> impl Iterator<Item = (PhraseId, usize)> {
        let range = cut.range.clone();
        let phrases = self.phrases.iter();
        let gone = phrases.filter(move |(_, _, on)| range.start <= on.start && on.end <= range.end);
        gone.map(|(id, place, _)| (*id, *place))
    }
}

/// The group whose tracks are closed up together.
struct Together {
    group: GroupId,
    name: String,
    tracks: Vec<TrackId>,
    /// The change that makes it.
    made: Option<String>,
}

impl<'a> Cutting<'a> {
    pub(super) fn new(context: &'a PlanContext, room_tone: bool) -> Self {
        let fade = Frames(i64::from(context.session.rate.0) * CROSSFADE_MS / 1000);
        let (draft, rooms, ids) = (Draft::default(), Rooms::default(), context.ids());
        let (told, retimed) = (Vec::new(), Retimed::default());
        Self { draft, told, context, room_tone, rooms, retimed, ids, fade }
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
        let groups = if closes { self.groups(unit) } else { Vec::new() };
        let mut along = self.along(unit, cuts);
        self.all_along(&mut along, &groups, cuts);
        let pieces = self.split(unit, cuts);
        for cut in cuts.iter().rev() {
            if self.closes(cut) {
                self.close(&groups, cut, &pieces, &along);
            } else {
                self.fill(cut, &pieces, &along)?;
            }
        }
        self.give_back(&groups);
        Ok(())
    }

    /// What of the assembly goes along, where the unit plays it.
    fn along(&mut self, unit: &Unit, cuts: &[Cut]) -> Along {
        let session = self.session();
        let order = session.assembly.order.iter();
        let places: BTreeMap<PhraseId, usize> = order.enumerate().map(|(n, id)| (*id, n)).collect();
        let on = phrases_on(session, &unit.tracks).into_iter();
        let phrases = on.filter_map(|(id, on)| Some((id, *places.get(&id)?, on)));
        let mut along = Along { phrases: phrases.collect(), ..Along::default() };
        let known = markers_of(session, &unit.tracks);
        along.markers.extend(known.iter().map(|(id, _)| *id));
        let closing = cuts.iter().filter(|cut| self.closes(cut));
        let gone = closing.flat_map(|cut| along.gone(cut)).map(|(id, _)| marker_of(id));
        let gone: Vec<MarkerId> = gone.collect();
        along.markers.extend(&gone);
        if !along.phrases.is_empty() && session.assembly.finished.is_some() {
            let open = Assembly { finished: None, ..session.assembly.clone() };
            let change = Change::SetAssembly(Edit::new(session.id, session.assembly.clone(), open));
            let reason = "it is cut";
            along.opened = Some(self.draft.change(change, "Assembly".into(), reason));
        }
        along
    }

    /// Adds things that move when time closes: buses that nothing else feeds, and all markers if no clip of
    /// the session stays. A marker that begins in a cut keeps its length, whichever other cuts are taken.
    fn all_along(&self, along: &mut Along, groups: &[Together], cuts: &[Cut]) {
        let tracks: Vec<TrackId> = groups.iter().flat_map(|it| it.tracks.clone()).collect();
        if tracks.is_empty() {
            return;
        }
        let session = self.session();
        let Beside { lines, is_all } = Beside::of(session, &tracks);
        along.lines = lines;
        if !is_all {
            return;
        }
        along.markers.extend(session.markers.keys());
        let begins_in = |marker: &Marker, cut: &Cut| {
            cut.range.start < marker.position && marker.position < cut.range.end + self.fade
        };
        let over = session.markers.iter().filter(|(_, marker)| {
            marker.length > Frames::ZERO && !cuts.iter().any(|cut| begins_in(marker, cut))
        });
        along.across.extend(over.map(|(id, marker)| (*id, marker.clone())));
    }

    fn closes(&self, cut: &Cut) -> bool {
        !self.room_tone || cut.kind == Kind::Pause
    }

    /// The groups of a unit, and the change that groups its ungrouped tracks: only tracks of a group can
    /// close up.
    fn groups(&mut self, unit: &Unit) -> Vec<Together> {
        let session = self.session();
        let mut groups: Vec<Together> = Vec::new();
        let mut alone = Vec::new();
        for track in &unit.tracks {
            match session.group_of(*track) {
                None => alone.push(*track),
                Some((group, known)) if !groups.iter().any(|it| it.group == group) => {
                    let (name, tracks) = (known.name.clone(), known.tracks.clone());
                    groups.push(Together { group, name, tracks, made: None });
                }
                Some(_) => {}
            }
        }
        if !alone.is_empty() {
            groups.push(self.made(unit.name(session), alone));
        }
        groups
    }

    fn made(&mut self, name: String, tracks: Vec<TrackId>) -> Together {
        let group = GroupId::new(self.ids.next_bits());
        let new = Group { name: name.clone(), tracks: tracks.clone() };
        let change = Change::SetGroup(Edit::create(group, new));
        let made = Some(self.draft.change(change, name.clone(), LENT));
        Together { group, name, tracks, made }
    }

    /// Takes groups away that were made for the cuts alone.
    fn give_back(&mut self, groups: &[Together]) {
        for made in groups.iter().filter(|it| it.made.is_some()) {
            let (name, tracks) = (made.name.clone(), made.tracks.clone());
            let group = Group { name: name.clone(), tracks };
            let change = Change::SetGroup(Edit::remove(made.group, group));
            self.draft.dependent(change, name, LENT, made.made.clone().into_iter().collect());
        }
    }

    /// Splits the clips of a unit around cuts; only those of one track if only that is cut.
    fn split(&mut self, unit: &Unit, cuts: &[Cut]) -> Pieces {
        let session = &*self.context.session;
        let clips: Vec<(ClipId, &Clip)> =
            unit.tracks.iter().flat_map(|track| session.clips_on(*track)).collect();
        let (fade, room_tone) = (self.fade, self.room_tone);
        let closes = |cut: &Cut| !room_tone || cut.kind == Kind::Pause;
        let seams = |track: TrackId| {
            let own = cuts.iter().filter(|cut| closes(cut) || cut.track == Some(track));
            own.map(|cut| Seam::new(cut, fade)).collect()
        };
        Pieces::split(&clips, seams, &mut self.draft, &mut self.ids)
    }

    /// Closes the time of a cut but for its crossfade. All of it is one thing to take or leave.
    fn close(&mut self, groups: &[Together], cut: &Cut, pieces: &Pieces, along: &Along) {
        let seam = Seam::new(cut, self.fade);
        let tracks: Vec<TrackId> = groups.iter().flat_map(|it| it.tracks.clone()).collect();
        let is_role = |role: Role| move |(_, _, own): &(ClipId, &Clip, Role)| *own == role;
        if !pieces.beside(seam, seam.end, &tracks).any(|piece| is_role(Role::Gone)(&piece)) {
            return;
        }
        // If nothing continues after the cut, the next clip comes under the crossfade as a whole.
        let goes_on = pieces.beside(seam, seam.end, &tracks).any(|it| is_role(Role::Behind)(&it));
        let reach = if goes_on { seam.end } else { seam.end + seam.fade };
        let time = seam.head()..reach;
        let mut needs: Vec<String> = groups.iter().filter_map(|it| it.made.clone()).collect();
        // The neighbors of the cut exist only if their own splits are taken as well.
        needs.extend(pieces.splits(pieces.beside(seam, reach, &tracks).map(|(id, ..)| id)));
        needs.extend(along.opened.clone());
        let first = self.draft.changes.len();
        self.markers_out(cut, &time, along);
        for (n, together) in groups.iter().enumerate() {
            let clips = closed(&together.tracks, seam, &time, pieces);
            let along = (n == 0).then_some((along, cut));
            let change = self.closing(together, &time, clips, along);
            let id = self.draft.change(change, together.name.clone(), self.reason(cut));
            if n == 0 {
                self.tell(cut, &id);
            }
        }
        self.mark_removed(cut, along);
        self.retime(cut);
        self.tie(first, &needs);
        self.mark(first, cut);
    }

    /// Closes time on the tracks of a group, with the things that move along, if given.
    fn closing(
        &self,
        together: &Together,
        time: &Range<Frames>,
        [before, after]: [Clips; 2],
        along: Option<(&Along, &Cut)>,
    ) -> Change {
        let (at, length) = (time.start, time.end - time.start);
        let (tracks, mut lines) = (together.tracks.clone(), together.tracks.clone());
        let mut open = Ripple { tracks, at, length, clips: before, ..Ripple::default() };
        if let Some((along, cut)) = along {
            let across = along.across.iter().filter(|(_, marker)| open.is_under(marker));
            let across = across.map(|(id, _)| *id).collect();
            let (markers, phrases) = (along.markers.clone(), along.gone(cut).collect());
            open = Ripple { across, markers, phrases, ..open };
            lines.extend(&along.lines);
        }
        let (length, phrases) = (Frames::ZERO, BTreeMap::new());
        let closed = Ripple { length, clips: after, phrases, ..open.clone() };
        let edit = Edit::new(together.group, open, closed);
        Change::RippleDelete(Ripple::with_lines(self.session(), edit, &lines, Frames::ZERO))
    }

    /// Marks phrases that a cut removes completely, like removed ones.
    fn mark_removed(&mut self, cut: &Cut, along: &Along) {
        let marked = &self.session().markers;
        let gone = along.gone(cut).filter(|(id, _)| !marked.contains_key(&marker_of(*id)));
        for (phrase, _) in gone.collect::<Vec<_>>() {
            let name = self.session().name_of(phrase.into());
            for change in marked_removed(self.session(), phrase, cut.range.start) {
                self.draft.change(change, name.clone(), "nothing is left of it");
            }
        }
    }

    /// Moves fillers to where they sound, so that they and no other words count as cut.
    fn retime(&mut self, cut: &Cut) {
        let session = self.session();
        for said in &cut.said {
            if let Some(change) = self.retimed.change(session, said) {
                let name = session.name_of(change.target());
                self.draft.change(change, name, "where it sounds");
            }
        }
    }

    /// Chooses one of the changes from `first` on to represent them all. Its reason says what they cut.
    fn mark(&mut self, first: usize, cut: &Cut) {
        let reason = self.reason(cut);
        let mut ring = self.draft.changes.iter_mut().skip(first);
        if let Some(planned) = ring.find(|planned| planned.reason == reason) {
            planned.to_hear = cut.to_hear;
            planned.cut = Some(cut.out());
        }
    }

    /// Moves markers inside the removed time to the start of the cut.
    fn markers_out(&mut self, cut: &Cut, time: &Range<Frames>, along: &Along) {
        let markers = along.markers.iter();
        let session = self.session();
        let known = markers.filter_map(|id| Some((*id, session.markers.get(id)?)));
        let is_inside = |at: Frames| cut.range.start < at && at < time.end;
        let inside = known.filter(|(_, marker)| is_inside(marker.position));
        for (id, marker) in inside.map(|(id, marker)| (id, marker.clone())).collect::<Vec<_>>() {
            let span = MarkerSpan { position: cut.range.start, ..marker.span() };
            let change = Change::MoveMarker(Edit::new(id, marker.span(), span));
            self.draft.change(change, marker.name.clone(), "its place is cut");
        }
    }

    /// Reports a cut, which `change` makes.
    fn tell(&mut self, cut: &Cut, change: &str) {
        let rate = self.session().rate;
        let seconds = |at| seconds(at, rate);
        self.told.push(json!({
            "change": change,
            "kind": CutKind::from(cut.kind),
            "at_s": seconds(cut.range.start),
            "length_s": seconds(cut.length()),
            "what": cut.what,
            "between": [cut.around.before, cut.around.after],
        }));
    }

    fn reason(&self, cut: &Cut) -> String {
        let rate = self.session().rate;
        let seconds = cut.length().seconds(rate).0;
        let at = clock(cut.range.start, rate);
        format!("{} at {at}, {seconds:.2} s{}", cut.what, cut.around.told())
    }

    /// Puts room tone in place of a cut on its own track. All of it is one thing to take or leave.
    fn fill(&mut self, cut: &Cut, pieces: &Pieces, along: &Along) -> Result<(), ToolError> {
        let seam = Seam::new(cut, self.fade);
        let tracks: Vec<TrackId> = cut.track.into_iter().collect();
        let beside: Vec<(ClipId, &Clip, Role)> = pieces.beside(seam, seam.end, &tracks).collect();
        let gone = beside.iter().filter(|(.., role)| *role == Role::Gone);
        // What a phrase is known by stays, as the first of the room tone.
        let kept = gone.min_by_key(|(id, clip, _)| (!pieces.is_first(*id), clip.position));
        let Some((kept, clip, _)) = kept else { return Ok(()) };
        let first = self.draft.changes.len();
        let reason = self.reason(cut);
        let mut tones = self.tones(clip, seam, &beside)?.into_iter();
        self.replace(*kept, clip, tones.next(), &reason);
        for (id, clip, role) in beside.iter().filter(|(id, ..)| id != kept) {
            match role {
                Role::Ahead => self.refade(*id, clip, fading_out(clip, seam.fade), &reason),
                Role::Behind => self.refade(*id, clip, fading_in(clip, seam.fade), &reason),
                Role::Gone => self.replace(*id, clip, None, &reason),
                Role::Later => {}
            }
        }
        for tone in tones {
            let (id, name) = (ClipId::new(self.ids.next_bits()), tone.name.clone());
            self.draft.change(Change::AddClip(Edit::create(id, tone)), name, reason.clone());
        }
        if let Some(id) = self.draft.changes.get(first).map(|change| change.id.clone()) {
            self.tell(cut, &id);
        }
        let own = pieces.splits(beside.iter().map(|(id, ..)| *id)).into_iter();
        let needs: Vec<String> = own.chain(along.opened.clone()).collect();
        self.retime(cut);
        self.tie(first, &needs);
        self.mark(first, cut);
        Ok(())
    }

    /// Clips of room tone over a cut, from the source of the removed clip; empty if it has no quiet
    /// stretch.
    fn tones(
        &mut self,
        gone: &Clip,
        seam: Seam,
        beside: &[(ClipId, &Clip, Role)],
    ) -> Result<Vec<Clip>, ToolError> {
        let Some(tone) = self.rooms.tone(self.context, gone.source)? else {
            let name = self.session().name_of(gone.source.into());
            let told = format!("\"{name}\": no quiet stretch for room tone, silence in its place");
            if !self.draft.warnings.contains(&told) {
                self.draft.warnings.push(told);
            }
            return Ok(Vec::new());
        };
        let has = |role: Role| beside.iter().any(|(.., own)| *own == role);
        let goes = || beside.iter().filter(|(.., role)| *role == Role::Gone);
        let first = goes().map(|(_, clip, _)| clip.position).min();
        let from = first.filter(|_| !has(Role::Ahead)).unwrap_or(seam.start);
        let last = goes().map(|(_, clip, _)| clip.end()).max();
        let to = last.filter(|_| !has(Role::Behind)).unwrap_or(seam.end);
        Ok(tiles(gone, &(from..to), &tone, seam.fade))
    }

    fn refade(&mut self, id: ClipId, clip: &Clip, fades: Fades, reason: &str) {
        let change = Change::SetClipFades(Edit::new(id, clip.fades(), fades));
        if !change.is_identity() {
            self.draft.change(change, clip.name.clone(), reason);
        }
    }

    /// A clip that goes becomes the first clip of room tone, since it may be the one that a phrase is known by.
    fn replace(&mut self, id: ClipId, clip: &Clip, tone: Option<Clip>, reason: &str) {
        let Some(tone) = tone else {
            let change = Change::RemoveClip(Edit::remove(id, clip.clone()));
            self.draft.change(change, clip.name.clone(), reason);
            return;
        };
        let none = Fades::default();
        let steps = [
            Change::SetClipFades(Edit::new(id, clip.fades(), none)),
            Change::TrimClip(Edit::new(id, clip.window(), tone.window())),
            Change::SetClipFades(Edit::new(id, none, tone.fades())),
            Change::SetClipEnvelope(Edit::new(id, clip.envelope.clone(), tone.envelope.clone())),
        ];
        for change in steps.into_iter().filter(|change| !change.is_identity()) {
            self.draft.change(change, clip.name.clone(), reason);
        }
    }

    /// Makes the changes from `first` on need each other in a ring, and the first of them the splits.
    fn tie(&mut self, first: usize, splits: &[String]) {
        self.draft.tie(first);
        if let Some(change) = self.draft.changes.get_mut(first) {
            change.needs.extend(splits.iter().cloned());
            change.needs.sort();
            change.needs.dedup();
        }
    }
}

/// The clips in and next to a cut on some tracks, and what remains of them when `time` closes.
fn closed(tracks: &[TrackId], seam: Seam, time: &Range<Frames>, pieces: &Pieces) -> [Clips; 2] {
    let beside: Vec<_> = pieces.beside(seam, time.end, tracks).collect();
    let gone = beside.iter().filter(|(.., role)| *role == Role::Gone);
    let gone: Vec<ClipId> = gone.map(|(id, ..)| *id).collect();
    let length = time.end - time.start;
    let (mut before, mut after) = (Clips::new(), Clips::new());
    for (id, clip, role) in beside {
        before.insert(id, clip.clone());
        let moved = || Clip { position: clip.position - length, ..clip.clone() };
        let faded = |clip: Clip, fades: Fades| Clip {
            fade_in: fades.fade_in,
            fade_out: fades.fade_out,
            ..clip
        };
        match role {
            Role::Ahead => {
                after.insert(id, faded(clip.clone(), fading_out(clip, seam.fade)));
            }
            Role::Behind => {
                let id = pieces.heir_of(&gone, clip).unwrap_or(id);
                after.insert(id, faded(moved(), fading_in(clip, seam.fade)));
            }
            Role::Later => {
                after.insert(id, moved());
            }
            Role::Gone => {}
        }
    }
    [before, after]
}

fn faded(length: Frames) -> Fade {
    Fade { length, curve: FadeCurve::EqualPower }
}

/// The fades of a clip that ends in a crossfade; a longer one is somebody's own.
fn fading_out(clip: &Clip, fade: Frames) -> Fades {
    let fade_out = if clip.fade_out.length < fade { faded(fade) } else { clip.fade_out };
    Fades { fade_out, ..clip.fades() }.fitted(clip.length)
}

/// The fades of a clip that begins in one.
fn fading_in(clip: &Clip, fade: Frames) -> Fades {
    let fade_in = if clip.fade_in.length < fade { faded(fade) } else { clip.fade_in };
    Fades { fade_in, ..clip.fades() }.fitted(clip.length)
}
