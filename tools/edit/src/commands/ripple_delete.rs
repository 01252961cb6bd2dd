//! `cmd_ripple_delete`: time taken out of tracks, all of a group at once, with a crossfade over each cut.

mod edges;
mod join;
#[cfg(test)]
mod tests;

use super::ripple::moved_with_time::left_behind;
use super::ripple::{LENT, OUT, RETIMED, Together, named};
use crate::assembly::{GONE, gone_with, marked_gone};
use crate::sync::{self, Sync};
use deskhand_dsp::silence::union;
use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::intent::{Intent, Kinds, Slot};
use deskhand_session::text::{clock, count};
use deskhand_session::{IdSeed, ObjectId, Session, TrackId};
use deskhand_toolkit::about::command;
use deskhand_toolkit::find::{frames, millis};
use deskhand_toolkit::growing_draft::Sketch;
use deskhand_toolkit::{
    Category, Code, Draft, Gesture, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use join::Join;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::iter::once;
use std::ops::Range;

/// After everything, but far enough from the last number that additions do not overflow.
const FAR: Frames = Frames(i64::MAX / 4);
/// A shorter part between two stretches, in ms, would only be the fades of both cuts, if they are as long.
const SLIVER_MS: f64 = 10.0;

/// `cmd_ripple_delete`.
pub(super) struct RippleDelete;

/// Which group, and which time.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Deleted {
    /// Groups or tracks; a track includes its group.
    #[serde(default)]
    targets: Targets,
    /// Start of the cut, in seconds.
    #[schemars(range(min = 0.0))]
    start_s: f64,
    /// End of the cut, in seconds.
    #[schemars(range(min = 0.0))]
    end_s: f64,
    /// More ranges to cut in the same step, at their times before any cut.
    #[serde(default)]
    #[schemars(length(max = 200))]
    also: Vec<Stretch>,
    /// The edges are word edges: each moves outward to the quietest point before the next kept word, by at most
    /// 150 ms. Without a gap it moves to a quiet point of the seam, if any.
    #[serde(default)]
    between_words: bool,
    /// Length of the crossfade over each cut, in ms; 0: none.
    #[serde(default = "usual_crossfade_ms")]
    #[schemars(range(min = 0.0, max = 1000.0))]
    crossfade_ms: f64,
    /// Tracks to cut together.
    #[serde(default)]
    sync: Sync,
}

fn usual_crossfade_ms() -> f64 {
    10.0
}

/// Time that goes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Stretch {
    /// Start of the cut, in seconds.
    #[schemars(range(min = 0.0))]
    start_s: f64,
    /// End of the cut, in seconds.
    #[schemars(range(min = 0.0))]
    end_s: f64,
}

/// The call against the session.
pub(super) struct Resolved {
    tracks: Vec<TrackId>,
    /// In order, without overlap.
    stretches: Vec<Range<Frames>>,
    between_words: bool,
    crossfade: Frames,
    sync: Sync,
}

impl Stretch {
    fn frames(&self, rate: SampleRate) -> Result<Range<Frames>, ToolError> {
        let [start, end] = [self.start_s, self.end_s].map(|at| frames(at, rate).min(FAR));
        if start >= end {
            let message = format!("the time ends at {} s, before it starts", self.end_s);
            let fix = "give `end_s` after `start_s`";
            return Err(ToolError::prepare(Code::BadParams, message, fix));
        }
        Ok(start..end)
    }
}

/// From when to when, and on what.
fn says(intent: Intent) -> Intent {
    intent
        .slot(Slot::place("start_s").preps("from | between | -"))
        .slot(Slot::place("end_s").preps("to | until | -"))
        .named("targets", "- | on | of | in | from", Kinds::Groups)
        .only_named()
}

impl TypedTool for RippleDelete {
    type Params = Deleted;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        command(
            "cmd_ripple_delete",
            "Delete time",
            "Removes one or more time ranges from tracks in one step, and closes each gap with a short \
             crossfade. The other tracks of their groups are cut too; without a group, tracks recorded \
             together, else all. Automation moves along; where no clip stays, markers and tempo move too. To \
             cut words, give their times and `between_words`. Sound between two ranges is cut too if it is \
             shorter than both the crossfade and 10 ms.",
            Category::Edit,
            Trust::Suggest,
            json!({"targets": "Interview group", "start_s": 61.0, "end_s": 75.5}),
        )
        .says([
            says(Intent::verbs("ripple delete")).lacks(
                "it does not say which time",
                "ripple delete from 1:00 to 1:30 on all tracks",
            ),
            says(Intent::verbs("remove | cut | drop | cut+out | take+out").about("close gaps").also("part"))
                .needs("start_s")
                .needs("end_s"),
        ])
        .cuts()
        .offers(Gesture::DeleteTime)
    }

    fn resolve(params: Deleted, session: &Session) -> Result<Resolved, ToolError> {
        let Deleted { targets, start_s, end_s, also, between_words, crossfade_ms, sync } = params;
        let first = Stretch { start_s, end_s };
        let all = once(&first).chain(&also).map(|it| it.frames(session.rate));
        let stretches = union(all.collect::<Result<Vec<_>, _>>()?);
        let crossfade = millis(crossfade_ms, session.rate);
        let tracks = targets.tracks(session)?;
        Ok(Resolved { tracks, stretches, between_words, crossfade, sync })
    }

    fn targets(_: &Resolved) -> Vec<ObjectId> {
        // Like every command it blocks nothing: it is done in an instant.
        Vec::new()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let session = &*context.session;
        let mut ids = context.ids();
        let sets = sync::sets(session, &call.tracks, call.sync);
        let all = Together::all(session, &sync::tracks_of(&sets), &mut ids);
        let (stretches, slivers) = call.joined(call.cut_at(context, &all)?, session.rate);
        let Some(first) = stretches.first() else { return Ok(Draft::default()) };
        let is_there = |one: &&Together| !one.is_behind_everything(session, first.start);
        if !all.iter().any(|one| is_there(&one)) {
            return Ok(Draft::new(format!("Nothing of {} is there to delete", named(&all))));
        }
        let summary = summary(session.rate, &stretches, &all);
        let mut sketch = Sketch::new(session, summary);
        sync::told(session, &sets, &call.tracks, call.sync).put(&mut sketch.draft);
        sketch.draft.warnings.extend(told(session.rate, &slivers));
        sketch.draft.warnings.extend(left_behind(session, &all, first.start));
        let mut closing = Closing { sketch, ids, crossfade: call.crossfade };
        for one in all.iter().filter(is_there) {
            closing.close(one, &stretches)?;
        }
        Ok(closing.sketch.draft)
    }
}

impl Resolved {
    /// The stretches to remove: as requested, or from gap to gap between words.
    fn cut_at(
        &self,
        context: &PlanContext,
        all: &[Together],
    ) -> Result<Vec<Range<Frames>>, ToolError> {
        if !self.between_words {
            return Ok(self.stretches.clone());
        }
        let tracks: Vec<TrackId> =
            all.iter().flat_map(|one| one.group.tracks.iter().copied()).collect();
        let wide = self.stretches.iter();
        let wide = wide.map(|it| edges::between_words(context, &tracks, it, self.crossfade));
        Ok(union(wide.collect::<Result<Vec<_>, _>>()?))
    }

    /// Joins stretches that are closer together than a crossfade. Also returns the slivers between them.
    fn joined(
        &self,
        stretches: Vec<Range<Frames>>,
        rate: SampleRate,
    ) -> (Vec<Range<Frames>>, Vec<Range<Frames>>) {
        let least = self.crossfade.min(millis(SLIVER_MS, rate));
        let (mut joined, mut slivers) = (Vec::<Range<Frames>>::new(), Vec::new());
        for stretch in stretches {
            match joined.last_mut() {
                Some(last) if stretch.start - last.end < least => {
                    slivers.push(last.end..stretch.start);
                    last.end = stretch.end;
                }
                _ => joined.push(stretch),
            }
        }
        (joined, slivers)
    }
}

/// The warning about slivers that are removed without a request.
fn told(rate: SampleRate, slivers: &[Range<Frames>]) -> Option<String> {
    let short = "shorter than a crossfade";
    match slivers {
        [] => None,
        [one] => {
            let (from, to) = (clock(one.start, rate), clock(one.end, rate));
            Some(format!("{from} to {to}, between two stretches, is {short} and goes as well"))
        }
        several => {
            let parts = count(several.len(), "part");
            Some(format!("{parts} between stretches are {short} and go as well"))
        }
    }
}

fn summary(rate: SampleRate, stretches: &[Range<Frames>], all: &[Together]) -> String {
    let names = named(all);
    match stretches {
        [one] => {
            let (from, to) = (clock(one.start, rate), clock(one.end, rate));
            format!("Delete {from} to {to} from {names} and close the gap")
        }
        several => {
            let many = several.len();
            format!("Delete {many} stretches of time from {names} and close the gaps")
        }
    }
}

/// The plan while it grows.
struct Closing {
    sketch: Sketch,
    ids: IdSeed,
    crossfade: Frames,
}

impl Closing {
    /// Removes all stretches from a group, the last first, because earlier ones have not moved yet. Each
    /// finds the clips as the one before left them, and needs all of it. Phrases of an assembly that lose
    /// everything count as removed.
    fn close(&mut self, one: &Together, stretches: &[Range<Frames>]) -> Result<(), ToolError> {
        let lent = self.sketch.add(one.lent(), LENT, &[])?;
        let (mut closed, mut needs) = (Vec::new(), lent);
        for stretch in stretches.iter().rev() {
            if one.is_behind_everything(&self.sketch.session, stretch.start) {
                continue;
            }
            let tracks = &one.group.tracks;
            let join = Join::ahead_of(&self.sketch.session, tracks, stretch);
            let first = self.sketch.draft.changes.len();
            let out = one.markers_out(&self.sketch.session, stretch);
            let out = self.sketch.add(out, OUT, &needs)?;
            needs.extend(out);
            let time = (stretch.start, stretch.end);
            let ripple = one.close(&self.sketch.session, time, &mut self.ids);
            let gone = gone_with(&ripple);
            let retimed = one.retimed(&self.sketch.session, &ripple);
            let ripple = self.sketch.add([ripple], "as asked", &needs)?;
            self.sketch.add(retimed, RETIMED, &ripple)?;
            if self.crossfade > Frames::ZERO {
                join.faded(&mut self.sketch, self.crossfade, &ripple)?;
            }
            let marks = marked_gone(&self.sketch.session, &gone);
            self.sketch.add(marks, GONE, &ripple)?;
            closed.extend(ripple);
            let made = self.sketch.draft.changes.iter().skip(first);
            needs = made.map(|planned| planned.id.clone()).collect();
        }
        self.sketch.add(one.returned(), LENT, &closed)?;
        Ok(())
    }
}
