//! `tool_tighten`: fillers, false starts and long pauses out of talk, all tracks that move alike together.

mod align;
mod believed;
mod cut;
mod fillers;
mod find;
mod listen;
#[cfg(test)]
mod part_tests;
mod pieces;
mod place;
#[cfg(test)]
mod place_tests;
#[cfg(test)]
mod rendered;
mod retimed;
mod room_tone;
mod says;
mod short_pauses;
mod spelled;
mod steady;
#[cfg(test)]
mod tests;

use crate::assembly::unit::Unit;
use cut::Cutting;
use deskhand_dsp::Frames;
use deskhand_edit::assembly::ids::originals;
use deskhand_edit::sync::{self, Sync, SyncSet};
use deskhand_session::text::{count, names};
use deskhand_session::{ClipId, ObjectId, Session, TrackId};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::find::frames;
use deskhand_toolkit::{
    Category, Code, Draft, Gesture, Offers, PlanContext, Targets, Tool, ToolError, ToolSpec, Trust,
    TypedTool,
};
use find::{Cut, Kind, Wanted};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The default limit above which pauses are shortened, in seconds, and their new length.
const LONG_PAUSE: f64 = 1.0;
const SHORT_PAUSE: f64 = 0.5;

/// Commands to copy.
const EXAMPLES: &str = "deskhand assemble tighten talk.deskhand
deskhand assemble tighten talk.deskhand --pauses-over 1.5 --pause-to 0.6
deskhand assemble tighten talk.deskhand --yes   # leaves out cuts that nobody heard
deskhand assemble tighten talk.deskhand --yes --unheard";

/// The tools that tighten.
pub(crate) fn all() -> Vec<Arc<dyn Tool>> {
    vec![Tighten::tool()]
}

/// `tool_tighten`.
struct Tighten;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Params {
    /// The clips.
    #[serde(default = "Targets::heard")]
    targets: Targets,
    /// Cut "um", "uh", "er", "hmm", transcribed or only heard.
    fillers: Option<bool>,
    /// Shorten longer pauses, in seconds, where all tracks that move together are silent.
    #[schemars(range(min = 0.1, max = 600.0))]
    pauses_longer_than_s: Option<f64>,
    /// New length of a pause, in seconds. Omitted: 0.5, or half of `pauses_longer_than_s` if shorter. Given
    /// alone, longer pauses get this length.
    #[schemars(range(min = 0.05, max = 60.0))]
    pause_to_s: Option<f64>,
    /// Cut the first of "I think I think" and of "th- the".
    false_starts: Option<bool>,
    /// Replace fillers and false starts with room tone, which keeps the timing; else the gap closes.
    #[serde(default)]
    room_tone: bool,
    /// Tracks to cut together.
    #[serde(default)]
    sync: Sync,
}

/// The call against the session.
struct Resolved {
    units: Vec<(Unit, Vec<ClipId>)>,
    wanted: Wanted,
    told: sync::Told,
}

impl TypedTool for Tighten {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_tighten",
            "Tighten talk",
            "Cuts fillers (um, uh, er, hmm: transcribed, or only heard between words), false starts (\"I think \
             I think\", \"th- the\") and long pauses, at quiet points with short crossfades, and closes the \
             gaps. Without options it does all three. Tracks of a group, else tracks recorded together, else \
             all are cut at the same sample. Nothing is cut under another track's speech; pauses only where \
             all are silent. Each cut is a separate change to hear and accept or skip. Needs a transcript from \
             tool_transcribe; `verbatim` keeps most fillers.",
            Category::Edit,
            Trust::Suggest,
            vec![
                json!({"targets": "Interview", "fillers": true}),
                json!({"targets": "all", "pauses_longer_than_s": 1.2, "pause_to_s": 0.6}),
            ],
        )
        .on_the_whole()
        .cuts()
        .command("assemble tighten", "Cut fillers, shorten long pauses, cut false starts")
        .arg("[TARGETS...]", "targets", "Clips or tracks (default: all)")
        .or("all")
        .flag("--keep-fillers", "fillers", false, "Keep \"um\" and \"uh\"")
        .flag("--keep-false-starts", "false_starts", false, "Keep false starts of sentences")
        .flag("--keep-pauses", "", true, "Keep long pauses")
        .also(&["fillers", "false_starts"])
        .excludes(&["pauses-over", "pause-to"])
        .arg("--pauses-over SECONDS", "pauses_longer_than_s", "")
        .also(&["fillers", "false_starts"])
        .arg("--pause-to SECONDS", "pause_to_s", "The new length of a long pause, in seconds")
        .flag("--room-tone", "room_tone", true, "")
        .flag("--alone", "sync", "named", "Cut only the named tracks and their groups")
        .unheard(EXAMPLES)
        .offers(
            Offers::from(Gesture::Tighten)
                .dial("pauses_longer_than_s", "Pauses longer than", "s")
                .dial("pause_to_s", "Shorten to", "s"),
        )
        .says(says::says())
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let rate = session.rate;
        let asked = [params.fillers, params.false_starts].contains(&Some(true));
        let all = !asked && params.pauses_longer_than_s.is_none();
        let pauses = pauses(&params, all)?;
        let wanted = Wanted {
            fillers: params.fillers.unwrap_or(all),
            false_starts: params.false_starts.unwrap_or(all),
            pauses: pauses.map(|(longer, left)| (frames(longer, rate), frames(left, rate))),
            room_tone: params.room_tone,
        };
        let clips = params.targets.clips(session)?;
        let (units, told) = meant(session, &clips, params.sync);
        Ok(Resolved { units, wanted, told })
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        let tracks = call.units.iter().flat_map(|(unit, _)| &unit.tracks);
        tracks.map(|id| (*id).into()).collect()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let mut cutting = Cutting::new(context, call.wanted.room_tone);
        call.told.clone().put(&mut cutting.draft);
        let mut all: Vec<Cut> = Vec::new();
        for (done, (unit, clips)) in call.units.iter().enumerate() {
            context.step(done, call.units.len(), &unit.name(&context.session))?;
            let found = find::cuts(context, unit, clips, call.wanted)?;
            cutting.draft.warnings.extend(found.warnings);
            cutting.unit(unit, &found.cuts)?;
            all.extend(found.cuts);
        }
        let Cutting { mut draft, mut told, .. } = cutting;
        told.sort_by(|a, b| {
            a["at_s"].as_f64().partial_cmp(&b["at_s"].as_f64()).unwrap_or(Ordering::Equal)
        });
        // Without any the plan that changes nothing is the answer.
        draft.answer = (!told.is_empty()).then(|| json!({"cuts": told}));
        draft.summary = summary(&context.session, &all, call.wanted);
        Ok(draft)
    }
}

/// The limit for pauses and their new length, in seconds; `all` if nothing in particular is requested.
fn pauses(params: &Params, all: bool) -> Result<Option<(f64, f64)>, ToolError> {
    Ok(match (params.pauses_longer_than_s, params.pause_to_s) {
        (Some(longer), Some(left)) if left >= longer => {
            let message = format!("a pause of {left} s would not become shorter");
            let fix = "give `pause_to_s` below `pauses_longer_than_s`";
            return Err(ToolError::prepare(Code::BadParams, message, fix));
        }
        (Some(longer), left) => Some((longer, left.unwrap_or(SHORT_PAUSE.min(longer / 2.0)))),
        (None, Some(left)) => Some((LONG_PAUSE.max(left), left)),
        (None, None) => all.then_some((LONG_PAUSE, SHORT_PAUSE)),
    })
}

/// The units of the chosen clips, with those clips, and warnings.
fn meant(
    session: &Session,
    clips: &[ClipId],
    sync: Sync,
) -> (Vec<(Unit, Vec<ClipId>)>, sync::Told) {
    let on: BTreeSet<TrackId> =
        clips.iter().filter_map(|id| session.clips.get(id)).map(|clip| clip.track).collect();
    let on: Vec<TrackId> = on.into_iter().collect();
    let (sets, left) = heard(session, sync::sets(session, &on, sync));
    let mut told = sync::told(session, &sets, &on, sync);
    if !left.is_empty() {
        let left: Vec<String> = left.iter().map(|set| Unit::from(set).name(session)).collect();
        told.warnings.push(format!("{}: muted, left as it is", names(&left)));
    }
    let units = sets.iter().map(|set| {
        let on_set = |id: &&ClipId| {
            session.clips.get(id).is_some_and(|clip| set.tracks.contains(&clip.track))
        };
        (Unit::from(set), clips.iter().filter(on_set).copied().collect())
    });
    (units.collect(), told)
}

/// The sets to tighten, and those to leave. The originals of an assembly stay, even if they do not play any
/// more. So do other muted sets next to audible ones.
fn heard(session: &Session, sets: Vec<SyncSet>) -> (Vec<SyncSet>, Vec<SyncSet>) {
    let is_heard = |set: &SyncSet| set.tracks.iter().any(|id| !session.is_muted(*id));
    let (mut heard, silent): (Vec<SyncSet>, Vec<SyncSet>) = sets.into_iter().partition(is_heard);
    let originals: BTreeSet<TrackId> = originals(session).into_values().collect();
    let is_original = |set: &SyncSet| set.tracks.iter().any(|id| originals.contains(id));
    let (mut left, other): (Vec<SyncSet>, Vec<SyncSet>) = silent.into_iter().partition(is_original);
    let same = if heard.is_empty() { &mut heard } else { &mut left };
    same.extend(other);
    (heard, left)
}

fn summary(session: &Session, cuts: &[Cut], wanted: Wanted) -> String {
    let of = |kind: Kind, noun: &str| {
        let number = cuts.iter().filter(|cut| cut.kind == kind).count();
        (number > 0).then(|| count(number, noun))
    };
    let parts = [
        of(Kind::Filler, "filler"),
        of(Kind::FalseStart, "false start"),
        of(Kind::Pause, "long pause"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        let looked = [
            wanted.fillers.then_some("filler"),
            wanted.false_starts.then_some("false start"),
            wanted.pauses.map(|_| "long pause"),
        ];
        let looked: Vec<&str> = looked.into_iter().flatten().collect();
        return format!("Nothing to change: no {} was found", looked.join(", no "));
    }
    let closes = |cut: &&Cut| !wanted.room_tone || cut.kind == Kind::Pause;
    let gone = cuts.iter().filter(closes).fold(Frames::ZERO, |sum, cut| sum + cut.length());
    let seconds = gone.seconds(session.rate).0;
    format!("Tighten by {seconds:.1} s: {}", parts.join(", "))
}
