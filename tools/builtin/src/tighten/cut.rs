//! The changes that take cuts out of a unit.
//!
//! First all clips are split at the edges of all cuts, which nobody hears. Then each cut is one change, the last one
//! first, so that any of them can be left out: what is ahead of it has not moved yet, and what is behind it is named
//! by none; what of an assembly moves or goes with it is in that change, so that it holds whatever else is taken. The
//! two ends of what is cut out stay as a crossfade between what is ahead and what is behind, so that
//! those need no fades of their own.

use super::find::{Cut, Kind};
use super::room::Rooms;
use crate::assembly::unit::Unit;
use crate::assembly::{marked_removed, marker_of, markers_of, phrases_on};
use crate::find::clock;
use deskhand_dsp::{Fade, FadeCurve, Frames};
use deskhand_session::{
    Assembly, Change, Clip, ClipId, ClipWindow, Edit, Fades, Group, GroupId, IdSeed, MarkerId,
    MarkerSpan, PhraseId, Ripple, Session, SplitState, TrackId,
};
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
    ids: IdSeed,
    fade: Frames,
}

/// What of the assembly goes along with the time.
#[derive(Default)]
struct Along {
    /// The markers of its phrases, and those of phrases of which nothing is left.
    markers: BTreeSet<MarkerId>,
    /// Each phrase, its place in the order and where it is heard.
    phrases: Vec<(PhraseId, usize, Range<Frames>)>,
    /// The change that takes back that it is finished.
    opened: Option<String>,
}

impl Along {
    /// Phrases of which a cut leaves nothing, each with its place in the order.
    fn gone(&self, cut: &Cut) -> impl Iterator<Item = (PhraseId, usize)> {
        let range = cut.range.clone();
        let phrases = self.phrases.iter();
        let gone = phrases.filter(move |(_, _, on)| range.start <= on.start && on.end <= range.end);
        gone.map(|(id, place, _)| (*id, *place))
    }
}

type Clips = BTreeMap<ClipId, Clip>;

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
    clips: Clips,
    splits: BTreeMap<ClipId, String>,
}

impl<'a> Cutting<'a> {
    pub(super) fn new(context: &'a PlanContext, room_tone: bool) -> Self {
        let fade = Frames(i64::from(context.session.rate.0) * CROSSFADE_MS / 1000);
        let (draft, rooms, ids) = (Draft::default(), Rooms::default(), context.ids());
        Self { draft, told: Vec::new(), context, room_tone, rooms, ids, fade }
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
        let along = self.along(unit, cuts);
        let pieces = self.split(unit, cuts);
        for cut in cuts.iter().rev() {
            if self.closes(cut) {
                self.close(&groups, cut, &pieces, &along);
            } else {
                self.fill(cut, &pieces, &along)?;
            }
        }
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

    fn closes(&self, cut: &Cut) -> bool {
        !self.room_tone || cut.kind == Kind::Pause
    }

    /// The groups of a unit, and the change that makes one of those tracks that are in none: only tracks of a group
    /// can be closed up.
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
            groups.push(self.made(super::named(session, unit), alone));
        }
        groups
    }

    fn made(&mut self, name: String, tracks: Vec<TrackId>) -> Together {
        let group = GroupId::new(self.ids.next_bits());
        let new = Group { name: name.clone(), tracks: tracks.clone() };
        let change = Change::SetGroup(Edit::create(group, new));
        let reason = match tracks.len() {
            1 => "a track closes up as a group of its own",
            _ => "they close up together",
        };
        let made = Some(self.draft.change(change, name.clone(), reason));
        Together { group, name, tracks, made }
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

    /// Closes the time of a cut but for its crossfade. All of it is one thing to take or leave.
    fn close(&mut self, groups: &[Together], cut: &Cut, pieces: &Pieces, along: &Along) {
        if Self::inside(pieces, &cut.range, None).next().is_none() {
            return;
        }
        let mut needs: Vec<String> = groups.iter().filter_map(|it| it.made.clone()).collect();
        let own = Self::inside(pieces, &cut.range, None);
        needs.extend(own.filter_map(|(id, _)| pieces.splits.get(&id).cloned()));
        // What lies on both sides of the cut stays whole only if its own splits are taken as well.
        needs.extend(pieces.edges(&cut.range));
        needs.extend(along.opened.clone());
        let first = self.draft.changes.len();
        let fade = self.overlap(cut);
        let (at, length) = (cut.range.start + fade, cut.length() - fade);
        self.markers_out(cut, along);
        for (n, together) in groups.iter().enumerate() {
            let [before, after] = self.closed(&together.tracks, cut, pieces);
            let phrases = along.gone(cut).filter(|_| n == 0).collect();
            let markers = if n == 0 { along.markers.clone() } else { BTreeSet::new() };
            let tracks = together.tracks.clone();
            let open = Ripple { tracks, at, length, clips: before, markers, phrases };
            let (length, phrases) = (Frames::ZERO, BTreeMap::new());
            let closed = Ripple { length, clips: after, phrases, ..open.clone() };
            let change = Change::RippleDelete(Edit::new(together.group, open, closed));
            let id = self.draft.change(change, together.name.clone(), self.reason(cut));
            if n == 0 {
                self.tell(cut, &id);
            }
        }
        let marked = &self.session().markers;
        for (phrase, _) in along.gone(cut).filter(|(id, _)| !marked.contains_key(&marker_of(*id))) {
            let name = self.session().name_of(phrase.into());
            for change in marked_removed(self.session(), phrase, cut.range.start) {
                self.draft.change(change, name.clone(), "nothing is left of it");
            }
        }
        self.tie(first, &needs);
        self.mark_to_hear(first, cut);
    }

    /// Nobody should take a filler unheard: one change of those from `first` on says so for all of them.
    fn mark_to_hear(&mut self, first: usize, cut: &Cut) {
        let reason = self.reason(cut);
        let mut ring = self.draft.changes.iter_mut().skip(first);
        let planned = ring.find(|planned| planned.reason == reason);
        if let Some(planned) = planned.filter(|_| cut.kind == Kind::Filler) {
            planned.to_hear = true;
        }
    }

    /// Markers inside of what goes stand at its start then.
    fn markers_out(&mut self, cut: &Cut, along: &Along) {
        let markers = along.markers.iter();
        let session = self.session();
        let known = markers.filter_map(|id| Some((*id, session.markers.get(id)?)));
        let is_inside = |at: Frames| cut.range.start < at && at < cut.range.end;
        for (id, marker) in known.filter(|(_, marker)| is_inside(marker.position)) {
            let span = MarkerSpan { position: cut.range.start, ..marker.span() };
            let change = Change::MoveMarker(Edit::new(id, marker.span(), span));
            self.draft.change(change, marker.name.clone(), "what it stands in goes");
        }
    }

    /// The clips inside of a cut on some tracks, and what stays of them.
    fn closed(&mut self, tracks: &[TrackId], cut: &Cut, pieces: &Pieces) -> [Clips; 2] {
        let fade = self.overlap(cut);
        let (at, length) = (cut.range.start + fade, cut.length() - fade);
        let (mut before, mut after) = (Clips::new(), Clips::new());
        let inside = Self::inside(pieces, &cut.range, None);
        for (id, clip) in inside.filter(|(_, clip)| tracks.contains(&clip.track)) {
            before.insert(id, clip.clone());
            let head = part(clip, &(cut.range.start..at)).map(|head| fading_out(head, fade));
            let tail = part(clip, &(cut.range.end - fade..cut.range.end));
            let tail =
                tail.map(|tail| fading_in(Clip { position: tail.position - length, ..tail }, fade));
            let tail_id = if head.is_some() { ClipId::new(self.ids.next_bits()) } else { id };
            after.extend(head.map(|head| (id, head)));
            after.extend(tail.map(|tail| (tail_id, tail)));
        }
        [before, after]
    }

    /// Tells of a cut, which `change` takes.
    fn tell(&mut self, cut: &Cut, change: &str) {
        let rate = self.session().rate;
        let seconds = |at: Frames| (at.seconds(rate).0 * 1000.0).round() / 1000.0;
        self.told.push(json!({
            "change": change,
            "kind": cut.kind.word(),
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
        if let Some(id) = self.draft.changes.get(first).map(|change| change.id.clone()) {
            self.tell(cut, &id);
        }
        let own = inside.iter().filter_map(|(id, _)| pieces.splits.get(id).cloned());
        let needs = own.chain(pieces.edges(&cut.range)).chain(along.opened.clone());
        let needs: Vec<String> = needs.collect();
        self.tie(first, &needs);
        self.mark_to_hear(first, cut);
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
