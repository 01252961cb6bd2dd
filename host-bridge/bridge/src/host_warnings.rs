//! Warnings of a plan where hosts play: changes that they do not follow, and changes that cannot be heard
//! there.

use crate::host_words::{OnHosts, Touch, placed_on};
use crate::hosts::Live;
use deskhand_dsp::Frames;
use deskhand_session::{
    Change, Clip, Finding, InsertOwner, ObjectId, PlannedChange, Prediction, Session, SourceId,
    TrackId,
};
use std::collections::{BTreeMap, BTreeSet};

/// The most tracks that are named; others are counted.
const NAMED: usize = 3;

impl OnHosts<'_> {
    /// The problems of a plan with these changes where hosts play; empty while no instance is there.
    pub(crate) fn warnings(
        &self,
        changes: &[PlannedChange],
        findings: &[Finding],
        predicted: &[Prediction],
    ) -> Vec<String> {
        if self.hosts.is_empty() {
            return Vec::new();
        }
        let found = findings.iter().map(|it| it.target);
        let measured = found.chain(predicted.iter().map(|it| it.target)).collect();
        let all = [
            self.warn_of_time(changes),
            self.warn_of_mix(changes),
            self.warn_of_unheard(changes),
            self.warn_of_bypass(changes),
            self.warn_of_what_comes_behind(changes, &measured),
        ];
        all.into_iter().flatten().collect()
    }

    /// Hosts move no time of their own.
    fn warn_of_time(&self, changes: &[PlannedChange]) -> Option<String> {
        let host = self.hosts.names();
        let is_time = |planned: &PlannedChange| {
            matches!(planned.change, Change::RippleDelete(_) | Change::RippleInsert(_))
        };
        if changes.iter().any(is_time) {
            let what = "time is closed or put in";
            return Some(format!("{what}: tracks of {host} without Deskhand will not move"));
        }
        let moved = self.moved_in_time(changes);
        let who = self.named(moved.iter().copied())?;
        Some(format!(
            "{who}: sound moves along time; tracks of {host} without Deskhand will not move with it"
        ))
    }

    fn warn_of_mix(&self, changes: &[PlannedChange]) -> Option<String> {
        let host = self.hosts.names();
        changes.iter().any(|planned| is_of_mix(&planned.change)).then(|| {
            format!(
                "the mix of {host} is its own: no instance plays the session's master and buses, so nothing of this is \
                 heard there; ask for the tracks"
            )
        })
    }

    fn warn_of_unheard(&self, changes: &[PlannedChange]) -> Option<String> {
        let touched = self.touched(changes);
        let unheard = touched.iter().filter(|(touch, _)| *touch == Touch::Unheard);
        let who = self.named(unheard.map(|(_, track)| *track))?;
        Some(format!(
            "clip gains on {who} are not heard in {}, which plays its own input there: ask for the gain of the \
             track, or set Output to Session in its Deskhand",
            self.hosts.names()
        ))
    }

    /// A warning for instances that the sound bypasses: changes to their tracks are not audible.
    pub(crate) fn warn_of_bypass(&self, changes: &[PlannedChange]) -> Option<String> {
        let touched = self.touched(changes);
        let is_touched = |touch, live: &&Live| touched.contains(&(touch, live.track()));
        let is_meant = |live: &&Live| {
            is_touched(Touch::Gain, live) || (live.plays() && is_touched(Touch::Clips, live))
        };
        let live = self.hosts.all().filter(|live| live.switches().bypass);
        let who = self.named(live.filter(is_meant).map(Live::track))?;
        Some(format!(
            "Bypass is on in Deskhand on {who}: nothing of this is heard there, and no pass is compared with it, \
             until it is off"
        ))
    }

    /// Warns that a track was measured before its instance's own processing, apart from gain.
    fn warn_of_what_comes_behind(
        &self,
        changes: &[PlannedChange],
        measured: &BTreeSet<ObjectId>,
    ) -> Option<String> {
        let touched = self.touched(changes);
        let is_meant = |live: &&Live| {
            touched.contains(&(Touch::Gain, live.track()))
                && measured.contains(&ObjectId::from(live.track()))
        };
        let has_more = |live: &&Live| live.switches().low_cut || live.switches().mono;
        let live: Vec<&Live> = self.hosts.all().filter(is_meant).filter(has_more).collect();
        let who = self.named(live.iter().map(|live| live.track()))?;
        let low_cut = live.iter().any(|live| live.switches().low_cut).then_some("Low Cut");
        let mono = live.iter().any(|live| live.switches().mono).then_some("Mono");
        let what: Vec<&str> = low_cut.into_iter().chain(mono).collect();
        let verb = if what.len() == 1 { "comes" } else { "come" };
        Some(format!(
            "{} in Deskhand on {who} {verb} after the point that was measured: the levels heard there differ, and \
             change by as much",
            what.join(" and ")
        ))
    }

    /// The host's tracks on which something moves in time.
    fn moved_in_time(&self, changes: &[PlannedChange]) -> BTreeSet<TrackId> {
        if !changes.iter().any(|planned| places_clips(&planned.change)) {
            return BTreeSet::new();
        }
        // A change that no longer fits the session reports that when it is applied.
        let after = self.session.with(changes.iter().map(|planned| &planned.change));
        let Ok(after) = after else { return BTreeSet::new() };
        let there = pieces(after.clips.values());
        let tracks = self.hosts.all().map(Live::track);
        tracks.filter(|track| is_moved(self.session, *track, &there)).collect()
    }

    /// The names of tracks for people; `None` if there are none.
    pub(crate) fn named(&self, tracks: impl Iterator<Item = TrackId>) -> Option<String> {
        let all: Vec<String> =
            tracks.map(|track| format!("\"{}\"", self.session.name_of(track.into()))).collect();
        let more = all.len().saturating_sub(NAMED);
        let named = all.get(..all.len() - more)?.join(", ");
        match (all.len(), more) {
            (0, _) => None,
            (_, 0) => Some(named),
            (_, more) => Some(format!("{named} and {more} more")),
        }
    }
}

/// Parts of sources and where on the timeline their sources would begin.
type Pieces = BTreeMap<SourceId, Vec<Piece>>;

/// The part of a source that a clip plays, and the place on the timeline of the beginning of the source.
#[derive(Clone, Copy)]
struct Piece {
    start: Frames,
    end: Frames,
    origin: Frames,
}

impl Piece {
    fn meets(&self, other: &Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// What both play of the source.
    fn shared(&self, other: &Self) -> Self {
        let (start, end) = (self.start.max(other.start), self.end.min(other.end));
        Self { start, end, origin: self.origin }
    }
}

fn pieces<'a>(clips: impl Iterator<Item = &'a Clip>) -> Pieces {
    let mut all = Pieces::new();
    for clip in clips {
        let (start, end) = (clip.start, clip.start + clip.length);
        let piece = Piece { start, end, origin: clip.position - clip.start };
        all.entry(clip.source).or_default().push(piece);
    }
    all
}

/// Whether a part of the track's material in `before` plays at another time in `after`, and no longer at
/// its old time.
fn is_moved(before: &Session, track: TrackId, after: &Pieces) -> bool {
    let clips = before.clips_on(track).into_iter().map(|(_, clip)| clip);
    let mut sources = pieces(clips).into_iter();
    sources.any(|(source, old)| {
        let there = after.get(&source).map_or(&[][..], Vec::as_slice);
        let known: BTreeSet<Frames> = old.iter().map(|piece| piece.origin).collect();
        // Most clips stay, and need no second look.
        let mut new = there.iter().filter(|piece| !known.contains(&piece.origin));
        new.any(|new| {
            let mut was = old.iter().filter(|was| was.meets(new)).map(|was| was.shared(new));
            was.any(|was| !there.iter().any(|it| it.origin == was.origin && it.meets(&was)))
        })
    })
}

/// Whether it may put sound of a clip elsewhere in time.
fn places_clips(change: &Change) -> bool {
    matches!(change, Change::AddClip(_) | Change::MoveClip(_) | Change::TrimClip(_))
}

/// Whether the change affects the mix: master gain or master inserts.
fn is_of_mix(change: &Change) -> bool {
    match change {
        Change::SetMasterGain(_) => true,
        Change::SetInsert(edit) => placed_on(edit) == Some(InsertOwner::Master),
        _ => false,
    }
}
