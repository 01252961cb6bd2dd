//! `tool_strip_silence`: cuts clips where nothing sounds. Where gaps close all tracks that move alike are cut alike.

mod cut;
pub mod sound;
#[cfg(test)]
mod tests;

use crate::sync::{self, Sync, SyncSet, Why};
use cut::Cutting;
use deskhand_dsp::silence::{gaps, union};
use deskhand_dsp::{Decibels, Frames};
use deskhand_session::intent::{self, Intent, Kinds, Slot};
use deskhand_session::text::{names, subject, trimmed};
use deskhand_session::{Clip, ClipId, Finding, Measure, ObjectId, Read, Session, TrackId};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::find::millis;
use deskhand_toolkit::{
    Category, Draft, Offers, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use sound::{Listener, Wanted};
use std::collections::BTreeSet;
use std::ops::Range;

/// `tool_strip_silence`.
pub(crate) struct StripSilence;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The clips. With `close_gaps`, a clip on a grouped track means the whole group.
    #[serde(default = "Targets::heard")]
    targets: Targets,
    /// RMS of 10 ms where sound starts, in dBFS after the clip gain; it ends 6 dB below. Omitted: 12 dB above
    /// the source's noise floor.
    #[schemars(range(min = -100.0, max = 0.0))]
    threshold_dbfs: Option<f64>,
    /// Shorter silences stay, in ms.
    #[serde(default = "half_a_second")]
    #[schemars(range(min = 10.0, max = 600000.0))]
    min_silence_ms: f64,
    /// Time to keep before each sound, in ms.
    #[serde(default = "attack")]
    #[schemars(range(min = 0.0, max = 10000.0))]
    pre_roll_ms: f64,
    /// Time to keep after each sound, in ms.
    #[serde(default = "decay")]
    #[schemars(range(min = 0.0, max = 60000.0))]
    post_roll_ms: f64,
    /// Fade at each cut, in ms.
    #[serde(default = "short")]
    #[schemars(range(min = 0.0, max = 1000.0))]
    fade_ms: f64,
    /// Close the gaps.
    #[serde(default)]
    close_gaps: bool,
    /// Tracks to cut and move together when gaps close.
    #[serde(default)]
    sync: Sync,
}

fn half_a_second() -> f64 {
    500.0
}

fn attack() -> f64 {
    30.0
}

fn decay() -> f64 {
    120.0
}

fn short() -> f64 {
    5.0
}

/// Tracks that are cut together.
struct Unit {
    tracks: Vec<TrackId>,
    /// Clips that are cut, in the order of tracks and time.
    clips: Vec<ClipId>,
    /// Other clips on the chosen tracks that were not chosen. They count as sound.
    others: Vec<ClipId>,
    /// Where it is cut, in order.
    extents: Vec<Range<Frames>>,
}

/// How people ask for it.
fn says() -> [Intent; 3] {
    let threshold = Slot::of("threshold_dbfs").unit(intent::Unit::Dbfs).unit(intent::Unit::Db);
    let silence = |verbs: &str| {
        let it = Intent::verbs(verbs).about("silence").also("out");
        let it = it.slot(Slot::of("min_silence_ms").preps("longer than"));
        let it = it.slot(threshold.clone().nouns("threshold"));
        let it = it.slot(threshold.clone().preps("below | at"));
        let it = it.flag("close gaps | in sync", "close_gaps", true).flag(
            "keep gaps",
            "close_gaps",
            false,
        );
        it.on(Kinds::Sound)
    };
    // "Cut the pauses" is about speech where nothing is named.
    let cut = || silence("remove | cut | take+out");
    [
        silence("strip").or_everything(),
        cut().or_everything_later(),
        cut().needs("close_gaps").or_everything(),
    ]
}

/// The call against the session.
pub(crate) struct Resolved {
    units: Vec<Unit>,
    wanted: Wanted,
    fade: Frames,
    close_gaps: bool,
    told: sync::Told,
}

impl Params {
    /// What moves alike where gaps close, and what a person should know of it.
    fn closing(&self, session: &Session, clips: &[ClipId]) -> (Option<Vec<SyncSet>>, sync::Told) {
        if !self.close_gaps {
            return (None, sync::Told::default());
        }
        let on: BTreeSet<TrackId> =
            clips.iter().filter_map(|id| session.clips.get(id)).map(|clip| clip.track).collect();
        let on: Vec<TrackId> = on.into_iter().collect();
        let sets = sync::sets(session, &on, self.sync);
        let told = sync::told(session, &sets, &on, self.sync);
        (Some(sets), told)
    }
}

impl TypedTool for StripSilence {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_strip_silence",
            "Strip silence",
            "Cuts silence out of clips, at zero crossings and with short fades. Sound starts at a threshold \
             (absolute, or above the noise floor) and ends 6 dB below it. Leaves gaps, or closes them where \
             all tracks that move together are silent. Silent clips are removed and named.",
            Category::Edit,
            Trust::Suggest,
            vec![
                json!({"targets": "Interview*", "min_silence_ms": 700}),
                json!({"targets": "Vocal", "threshold_dbfs": -45, "close_gaps": true}),
            ],
        )
        .on_the_whole()
        .core()
        .cuts()
        .offers(Offers::default().dial("min_silence_ms", "Shortest silence", "ms"))
        .says(says())
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let clips = params.targets.clips(session)?;
        let (sets, told) = params.closing(session, &clips);
        let units = units(session, &clips, sets.as_deref());
        let frames = |ms| millis(ms, session.rate);
        let wanted = Wanted {
            threshold: params.threshold_dbfs.map(Decibels),
            min_silence: frames(params.min_silence_ms),
            pre_roll: frames(params.pre_roll_ms),
            post_roll: frames(params.post_roll_ms),
        };
        let (fade, close_gaps) = (frames(params.fade_ms), params.close_gaps);
        Ok(Resolved { units, wanted, fade, close_gaps, told })
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.units.iter().flat_map(|unit| &unit.clips).map(|id| (*id).into()).collect()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let mut cutting = Cutting::new(context, call.fade, call.close_gaps);
        call.told.clone().put(&mut cutting.draft);
        let mut listener = Listener::new(context, call.wanted);
        let clips: usize = call.units.iter().map(|unit| unit.clips.len()).sum();
        for unit in &call.units {
            let silences = silences(unit, &mut listener, clips)?;
            note(&mut cutting.draft, context, unit, &silences, &listener);
            cutting.unit(unit, &silences);
        }
        let mut draft = finish(cutting, &call);
        if draft.changes.is_empty() {
            draft.summary += &longest(&call, context, clips)?;
            draft.summary += &without_pause(&call, &mut listener, clips)?;
        }
        Ok(draft)
    }
}

/// A hint if no silence is found: the length of the longest one that was too short.
fn longest(call: &Resolved, context: &PlanContext, clips: usize) -> Result<String, ToolError> {
    let wanted = Wanted { min_silence: Frames(1), ..call.wanted };
    let mut listener = Listener::new(context, wanted);
    let mut longest = Frames::ZERO;
    for unit in &call.units {
        let found = silences(unit, &mut listener, clips)?.into_iter();
        longest = found.map(|silence| silence.end - silence.start).fold(longest, Frames::max);
    }
    if longest == Frames::ZERO {
        return Ok(String::new());
    }
    let seconds = (longest + wanted.pre_roll + wanted.post_roll).seconds(context.session.rate).0;
    Ok(format!("; the longest lasts {} s", trimmed(seconds, 2)))
}

/// A hint if no gap closes because some tracks sound without a pause: how to leave them as they are.
fn without_pause(
    call: &Resolved,
    listener: &mut Listener<'_>,
    clips: usize,
) -> Result<String, ToolError> {
    let session = &*listener.context.session;
    for unit in call.units.iter().filter(|unit| call.close_gaps && unit.tracks.len() > 1) {
        let (mut steady, mut others) = (Vec::new(), Vec::new());
        for track in &unit.tracks {
            let is_on = |id: &&ClipId| session.clips.get(id).is_some_and(|it| it.track == *track);
            let on: Vec<ClipId> = unit.clips.iter().filter(is_on).copied().collect();
            let alone = Unit::of(session, &[*track], &on, Reach::Meant);
            let side = if silences(&alone, listener, clips)?.is_empty() {
                &mut steady
            } else {
                &mut others
            };
            side.push(*track);
        }
        if !others.is_empty() && !steady.is_empty() {
            return Ok(way_out(session, &steady, &others));
        }
    }
    Ok(String::new())
}

/// What to say so that `steady` tracks stay as they are: the others must move without them first.
fn way_out(session: &Session, steady: &[TrackId], others: &[TrackId]) -> String {
    let of = |tracks: &[TrackId]| {
        let names = tracks.iter().map(|id| session.name_of((*id).into()));
        names.collect::<Vec<_>>().join(" and ")
    };
    let pauses = if steady.len() == 1 { "never pauses" } else { "never pause" };
    let moved = sync::tracks_of(&sync::sets(session, others, Sync::Set));
    let is_apart = steady.iter().all(|track| !moved.contains(track));
    let way = match (is_apart, of(others)) {
        (true, others) => {
            format!("To cut the others, say \"strip the silence from {others} and close the gaps\"")
        }
        (false, others) => format!(
            "To let the others move without it, say \"group {others} as Talk\", then ask again"
        ),
    };
    format!("; {} {pauses}. {way}", of(steady))
}

/// The units of the chosen clips. If gaps stay, each track is a unit. If they close, a unit is all that
/// moves alike: a whole group, else the part where the clips are.
fn units(session: &Session, clips: &[ClipId], closing: Option<&[SyncSet]>) -> Vec<Unit> {
    let Some(sets) = closing else {
        let tracks = session.tracks_in_order().map(|(track, _)| track);
        let each = tracks.map(|track| Unit::of(session, &[track], clips, Reach::Meant));
        return each.filter(|unit| !unit.clips.is_empty()).collect();
    };
    let unit = |set: &SyncSet| {
        let reach = if matches!(set.why, Why::Group(_)) { Reach::Whole } else { Reach::Meant };
        Unit::of(session, &set.tracks, clips, reach)
    };
    sets.iter().map(unit).collect()
}

/// How much of the tracks of a unit is cut.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// The places of the chosen clips.
    Meant,
    /// All of it.
    Whole,
}

impl Unit {
    fn of(session: &Session, tracks: &[TrackId], meant: &[ClipId], reach: Reach) -> Self {
        let on = tracks.iter().flat_map(|track| session.clips_on(*track));
        let all: Vec<(ClipId, &Clip)> = on.collect();
        let is_meant = |id: &ClipId| reach == Reach::Whole || meant.contains(id);
        let own = all.iter().filter(|(id, _)| is_meant(id));
        let extents = union(own.map(|(_, clip)| clip.position..clip.end()));
        let named: BTreeSet<TrackId> =
            all.iter().filter(|(id, _)| meant.contains(id)).map(|(_, clip)| clip.track).collect();
        let is_there =
            |clip: &Clip| extents.iter().any(|it| it.start < clip.end() && clip.position < it.end);
        let there = all.iter().filter(|(_, clip)| is_there(clip));
        let (cut, others): (Vec<_>, Vec<_>) =
            there.partition(|(id, clip)| is_meant(id) || !named.contains(&clip.track));
        let ids = |clips: Vec<&(ClipId, &Clip)>| clips.into_iter().map(|(id, _)| *id).collect();
        Self { tracks: tracks.to_vec(), clips: ids(cut), others: ids(others), extents }
    }
}

/// The stretches of the timeline to remove: where the unit has clips and none of them sounds.
fn silences(
    unit: &Unit,
    listener: &mut Listener<'_>,
    all: usize,
) -> Result<Vec<Range<Frames>>, ToolError> {
    let session = &listener.context.session;
    let values = |ids: &[ClipId]| -> Vec<(ClipId, Clip)> {
        ids.iter().filter_map(|id| Some((*id, session.clips.get(id)?.clone()))).collect()
    };
    let (clips, others) = (values(&unit.clips), values(&unit.others));
    let extent = |clip: &Clip| clip.position..clip.end();
    let mut sounds: Vec<_> = others.iter().map(|(_, clip)| extent(clip)).collect();
    for (id, clip) in &clips {
        listener.context.step(listener.heard(), all, &clip.name)?;
        sounds.extend(listener.sounds(*id, clip)?);
    }
    let sounds = union(sounds);
    let silent = unit.extents.iter().flat_map(|extent| gaps(&sounds, extent.clone()));
    let least = listener.wanted.least();
    Ok(silent.filter(|silence| silence.end - silence.start >= least).collect())
}

/// Findings and reads of the clips of a unit.
fn note(
    draft: &mut Draft,
    context: &PlanContext,
    unit: &Unit,
    silences: &[Range<Frames>],
    listener: &Listener<'_>,
) {
    for id in &unit.clips {
        let Some(clip) = context.session.clips.get(id) else {
            continue;
        };
        let inside =
            silences.iter().map(|s| (s.end.min(clip.end()) - s.start.max(clip.position)).0.max(0));
        let share = inside.sum::<i64>() as f64 * 100.0 / clip.length.0.max(1) as f64;
        draft.findings.push(Finding::new(*id, Measure::NoiseFloor, listener.floor(*id)));
        draft.findings.push(Finding::new(*id, Measure::Silence, Some(share)));
        if !silences.is_empty() {
            draft.reads.push(Read::audio(&context.session, *id));
        }
    }
}

fn finish(cutting: Cutting<'_>, call: &Resolved) -> Draft {
    let Cutting { mut draft, stretches, removed, cut, .. } = cutting;
    if !removed.is_empty() {
        draft.warnings.push(format!("{}: no sound at all, removed", names(&removed)));
    }
    let rate = cutting.context.session.rate;
    let seconds = |frames: Frames| frames.seconds(rate).0;
    draft.summary = if stretches.is_empty() {
        let least = trimmed(seconds(call.wanted.min_silence), 3);
        let session = &cutting.context.session;
        let clips = call.units.iter().flat_map(|unit| &unit.clips);
        let clips: Vec<String> = clips.map(|id| session.name_of((*id).into())).collect();
        format!("Nothing to change: no silence of {least} s in {}", subject(&clips, "clip"))
    } else {
        let total = stretches.iter().fold(Frames::ZERO, |sum, s| sum + (s.end - s.start));
        let total = seconds(total);
        let number = match stretches.len() {
            1 => "1 stretch".into(),
            many => format!("{many} stretches"),
        };
        let gaps = if call.close_gaps { "closing the gaps" } else { "leaving gaps" };
        format!("Strip {total:.1} s of silence in {number} from {}, {gaps}", subject(&cut, "clip"))
    };
    draft
}
