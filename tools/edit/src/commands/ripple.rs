//! Tracks whose time moves together, and time put into them: all of a group at once.

pub(crate) mod moved_with_time;
#[cfg(test)]
mod tests;

use crate::assembly;
use crate::sync::{self, Sync};
use deskhand_dsp::Frames;
use deskhand_session::intent::{Intent, Kinds, Slot};
use deskhand_session::text::{clock, count, names, trimmed};
use deskhand_session::{
    Change, Clip, ClipId, Edit, Group, GroupId, IdSeed, Ripple, Session, TrackId,
};
use deskhand_toolkit::about::command;
use deskhand_toolkit::find::{frames, millis};
use deskhand_toolkit::{
    Category, Command, CommandCall, Draft, Gesture, Targets, ToolError, ToolSpec, Trust,
};
use moved_with_time::left_behind;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::ops::Range;

/// Why a marker is moved before time is removed.
pub(crate) const OUT: &str = "its place is cut";
/// Why tempo and meter change.
pub(super) const RETIMED: &str = "tempo and meter stay with what is heard";
/// How long a gain over time ramps from one value to another after a cut, in ms. Without the ramp, it would
/// click.
const RAMP_MS: f64 = 5.0;
/// Why a group comes and goes.
pub const LENT: &str = "time closes up in a group: this one is for the step alone";

/// The most tracks in the name of a group for one step; more are counted.
const NAMED: usize = 3;

/// `cmd_ripple_insert`.
pub(super) struct RippleInsert;

/// Which group, and how much time where.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Inserted {
    /// Groups or tracks; a track includes its group.
    #[serde(default)]
    targets: Targets,
    /// Time to insert at, in seconds.
    #[schemars(range(min = 0.0))]
    at_s: f64,
    /// Length in seconds.
    #[schemars(range(min = 0.0))]
    length_s: f64,
    /// Tracks that move together.
    #[serde(default)]
    sync: Sync,
}

/// Tracks whose time moves together.
pub struct Together {
    /// Their group.
    pub id: GroupId,
    /// What it is.
    pub group: Group,
    /// Whether they are a group for this step alone: what closes up is always a group.
    is_lent: bool,
    /// Whether the markers of an assembly on its tracks go along with it.
    takes_markers: bool,
    /// Tracks and buses whose gain over time goes along with it.
    lines: Vec<TrackId>,
    /// Whether all markers, tempo and meter go along with it: where no clip of the session stays.
    takes_all: bool,
}

impl Together {
    /// The groups of tracks; ungrouped tracks form one group for this step. The group that plays last in an
    /// assembly comes last. The assembly's markers, which belong to all tracks, move with that group only.
    pub fn all(session: &Session, tracks: &[TrackId], ids: &mut IdSeed) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        let mut alone = Vec::new();
        for track in tracks {
            match session.group_of(*track) {
                Some((id, _)) if all.iter().any(|known| known.id == id) => {}
                Some((id, group)) => all.push(Self::known(id, group.clone())),
                None => alone.push(*track),
            }
        }
        let has_clips = |track: &TrackId| session.clips.values().any(|it| it.track == *track);
        if alone.iter().any(has_clips) {
            alone.retain(has_clips);
        }
        if !alone.is_empty() {
            let names = alone.iter().map(|track| session.name_of((*track).into()));
            let name = match alone.len() {
                many if many > NAMED => count(many, "track"),
                _ => names.collect::<Vec<_>>().join(", "),
            };
            let group = Group { name, tracks: alone };
            let known = Self::known(GroupId::new(ids.next_bits()), group);
            all.push(Self { is_lent: true, ..known });
        }
        let assembled = assembly::tracks(session);
        all.sort_by_key(|one| one.end_on(session, &assembled));
        if let Some(last) = all.last_mut() {
            last.takes_markers = true;
        }
        moved_with_time::share(session, &mut all);
        all
    }

    fn known(id: GroupId, group: Group) -> Self {
        let (is_lent, takes_markers, lines, takes_all) = (false, false, Vec::new(), false);
        Self { id, group, is_lent, takes_markers, lines, takes_all }
    }

    /// Where the last of its clips on some tracks ends.
    fn end_on(&self, session: &Session, tracks: &[TrackId]) -> Option<Frames> {
        let is_own =
            |clip: &&Clip| tracks.contains(&clip.track) && self.group.tracks.contains(&clip.track);
        session.clips.values().filter(is_own).map(Clip::end).max()
    }

    /// Whether all its clips end before a time.
    pub fn is_behind_everything(&self, session: &Session, at: Frames) -> bool {
        let tracks = &self.group.tracks;
        let mut clips = session.clips.values().filter(|clip| tracks.contains(&clip.track));
        clips.all(|clip| clip.end() <= at)
    }

    /// Removes the time from `start` to `end`, and with it the phrases of an assembly that lose everything.
    /// The changes of [`Self::markers_out`] come before it.
    pub(super) fn close(
        &self,
        session: &Session,
        (start, end): (Frames, Frames),
        ids: &mut IdSeed,
    ) -> Change {
        let before = Ripple::now(session, &self.group.tracks, start, end - start);
        let after = before.closed(clip_ids(ids));
        let closes = assembly::closing(session, Edit::new(self.id, before, after));
        let ramp = millis(RAMP_MS, session.rate);
        let closes = Ripple::with_lines(session, closes, &self.lines, ramp);
        let out = self.markers_out(session, &(start..end));
        let placed = if out.is_empty() { None } else { session.with(&out).ok() };
        let placed = placed.as_ref().unwrap_or(session);
        Change::RippleDelete(self.with_markers(placed, closes, end))
    }

    /// Puts `length` frames of time into it at `at`; markers of an assembly from `from` on go along.
    pub fn open(
        &self,
        session: &Session,
        (at, length): (Frames, Frames),
        from: Frames,
        ids: &mut IdSeed,
    ) -> Change {
        let before = Ripple::now(session, &self.group.tracks, at, Frames::ZERO);
        let after = before.opened(length, clip_ids(ids));
        let opens = Edit::new(self.id, before, after);
        let opens = Ripple::with_lines(session, opens, &self.lines, Frames::ZERO);
        Change::RippleInsert(self.with_markers(session, opens, from))
    }

    fn with_markers(
        &self,
        session: &Session,
        ripple: Edit<GroupId, Ripple>,
        from: Frames,
    ) -> Edit<GroupId, Ripple> {
        if self.takes_all {
            return moved_with_time::with_markers(session, ripple, from);
        }
        if self.takes_markers { assembly::with_markers(session, ripple, from) } else { ripple }
    }

    /// The changes that follow a change of its time: tempo and meter, if they move along.
    pub fn retimed(&self, session: &Session, ripple: &Change) -> Vec<Change> {
        if self.takes_all { moved_with_time::retimed(session, ripple) } else { Vec::new() }
    }

    /// Changes before time closes: markers inside the range that move along go to its start.
    pub(super) fn markers_out(&self, session: &Session, time: &Range<Frames>) -> Vec<Change> {
        if self.takes_all {
            return moved_with_time::markers_out(session, time);
        }
        let tracks: &[TrackId] = if self.takes_markers { &self.group.tracks } else { &[] };
        assembly::markers_out(session, tracks, time)
    }

    /// The change that comes before the ripple.
    pub fn lent(&self) -> Option<Change> {
        let made = || Change::SetGroup(Edit::create(self.id, self.group.clone()));
        self.is_lent.then(made)
    }

    /// The change that comes after it.
    pub fn returned(&self) -> Option<Change> {
        let removed = || Change::SetGroup(Edit::remove(self.id, self.group.clone()));
        self.is_lent.then(removed)
    }

    /// Adds the ripple, with the group that it needs, and tempo and meter.
    fn add(&self, draft: &mut Draft, session: &Session, ripple: Change) {
        let name = &self.group.name;
        let lent = self.lent().map(|lent| draft.change(lent, name.clone(), LENT));
        let retimed = self.retimed(session, &ripple);
        let ripple = draft.dependent(ripple, name.clone(), "as asked", lent.into_iter().collect());
        for change in retimed {
            let what = if change.op() == "set_tempo" { "the tempo" } else { "the meter" };
            draft.dependent(change, what.into(), RETIMED, vec![ripple.clone()]);
        }
        if let Some(returned) = self.returned() {
            draft.dependent(returned, name.clone(), LENT, vec![ripple]);
        }
    }
}

/// The names of all of them.
pub(super) fn named(all: &[Together]) -> String {
    names(&all.iter().map(|one| one.group.name.clone()).collect::<Vec<_>>())
}

/// Makes ids for the second pieces of clips.
pub(crate) fn clip_ids(ids: &mut IdSeed) -> impl FnMut() -> ClipId {
    || ClipId::new(ids.next_bits())
}

impl Command for RippleInsert {
    type Params = Inserted;

    fn spec() -> ToolSpec {
        command(
            "cmd_ripple_insert",
            "Insert time",
            "Inserts silence into tracks and splits clips there. The other tracks of their groups move too; \
             without a group, tracks recorded together, else all. Automation moves along; where no clip stays, \
             markers and tempo move too.",
            Category::Edit,
            Trust::Suggest,
            json!({"targets": "Interview group", "at_s": 61.0, "length_s": 5.0}),
        )
        .says([Intent::verbs("ripple insert")
            .slot(Slot::place("at_s").preps("at"))
            .slot(Slot::of("length_s").preps("- | of"))
            .needs("at_s")
            .needs("length_s")
            .named("targets", "- | on | of | in", Kinds::Groups)
            .only_named()
            .lacks(
                "it does not say which time",
                "ripple insert 5 seconds at 0:30 on all tracks",
            )])
        .offers(Gesture::InsertTime)
    }

    fn plan(params: Inserted, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let tracks = params.targets.tracks(call.session)?;
        let sets = sync::sets(call.session, &tracks, params.sync);
        let all = Together::all(call.session, &sync::tracks_of(&sets), &mut call.ids);
        let rate = call.session.rate;
        let (at, length) = (frames(params.at_s, rate), frames(params.length_s, rate));
        let is_there = |one: &&Together| !one.is_behind_everything(call.session, at);
        if length <= Frames::ZERO || !all.iter().any(|one| is_there(&one)) {
            return Ok(Draft::new(format!("No clip of {} would move", named(&all))));
        }
        let (seconds, from) = (trimmed(params.length_s, 3), clock(at, rate));
        let mut draft = Draft::new(format!("Insert {seconds} s at {from} into {}", named(&all)));
        sync::told(call.session, &sets, &tracks, params.sync).put(&mut draft);
        draft.warnings.extend(left_behind(call.session, &all, at));
        for one in all.iter().filter(is_there) {
            let opens = one.open(call.session, (at, length), at, &mut call.ids);
            one.add(&mut draft, call.session, opens);
        }
        Ok(draft)
    }
}
