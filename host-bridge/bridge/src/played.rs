//! What a host plays next against what a plan promised: a pass over the same time as what the plan was measured on.
//!
//! A plan for tracks of a host is measured right after applying, on what was recorded of them. The host may play
//! otherwise by then, where something ahead of Deskhand was changed. So the next pass is compared with what stood
//! in its place, over the time that both have; it is live sound, and nothing is taken back for it.

use crate::bridge::{Bridge, now_ms};
use crate::connection::Asker;
use crate::derive::MEASURING;
use crate::input::Input;
use crate::jobs::{HOUSE, Job, JobId, Work, panicked};
use crate::receipt::compare;
use deskhand_dsp::{Decibels, Frames};
use deskhand_protocol::desk::NoticeKind;
use deskhand_session::tool_error::ToolError;
use deskhand_session::{
    Change, ObjectId, Plan, PlanId, PlanState, PlannedChange, Played, Prediction, RevisionId,
    Session, StoredPlan, TrackId, Verify,
};
use deskhand_store::PlanDecided;
use deskhand_toolkit::levels::level_of;
use deskhand_toolkit::{CancelToken, PlanContext};
use std::ops::Range;
use std::sync::Arc;

/// What both passes must have at least in common to be compared, seconds.
const LEAST: i64 = 1;
/// How far a gain may be off what a plan set: hosts keep it as a parameter.
const SAME_GAIN: f64 = 0.005;
/// How long a notice of a miss stays, ms.
const NOTICE: u64 = 12_000;

impl Bridge {
    /// Marks predictions of tracks that a host plays and whose gain the plan changes: they are compared with what
    /// it plays next.
    pub(crate) fn to_be_played(
        &self,
        changes: &[PlannedChange],
        mut predicted: Vec<Prediction>,
    ) -> Vec<Prediction> {
        let is_played = |prediction: &Prediction| match prediction.target {
            ObjectId::Track(track) => {
                self.instances.values().any(|live| live.is_track(track) && !live.plays())
                    && gain_set(changes, track).is_some()
            }
            _ => false,
        };
        for prediction in predicted.iter_mut().filter(|prediction| is_played(prediction)) {
            prediction.verify = Verify::Playback;
        }
        predicted
    }

    /// Has a worker compare a pass of a track with what stood there `before`, where an applied plan promised how it
    /// would play.
    pub(crate) fn compare_pass(
        &mut self,
        asker: Asker,
        before: Arc<Session>,
        track: TrackId,
        pass: &Range<Frames>,
    ) {
        let Some((plan, predicted)) = self.promised(track) else { return };
        let Some(range) = in_common(&before, track, pass) else { return };
        let id = self.next_job();
        let cancel = CancelToken::waiting(MEASURING);
        let session = Arc::clone(&self.session);
        let params = serde_json::Value::Null;
        let context = self.context(id, session, "receipt", &params, cancel.clone());
        let (tool, targets, work) = ("receipt".to_owned(), Vec::new(), Work::Compare { plan });
        self.jobs.insert(id, Job { asker, tool, targets, cancel, work });
        let inbox = self.inbox.0.clone();
        self.parts.pool.submit(
            move || {
                context.cancel.start();
                compared(&context, &before, &predicted, &range)
            },
            move |outcome| {
                let outcome = outcome.unwrap_or_else(|message| Err(panicked(message)));
                drop(inbox.send(Input::Compared { job: id, outcome }));
            },
        );
    }

    /// Writes into the receipt how it played.
    pub(crate) fn compared(&mut self, job: JobId, outcome: Result<Vec<Played>, ToolError>) {
        let Some(Job { asker, work: Work::Compare { plan }, .. }) = self.jobs.remove(&job) else {
            return;
        };
        // What could not be measured is compared with the next pass.
        let played = outcome.unwrap_or_default();
        let Some(stored) = self.plans.get(plan).filter(|_| !played.is_empty()) else { return };
        let (PlanState::Applied, Some(mut receipt)) = (stored.state, stored.receipt.clone()) else {
            return;
        };
        let told = told(&stored.plan, &played);
        receipt.played.extend(played);
        let decided = PlanDecided {
            plan,
            state: PlanState::Applied,
            reason: stored.reason.clone(),
            receipt: Some(receipt),
            follows: stored.follows,
            time_ms: now_ms(),
        };
        self.commit_state(asker, decided, crate::commit::Then::Rest);
        if let Some(message) = told {
            // One that cannot be shown stands in the receipt.
            drop(self.notify(HOUSE, message, NoticeKind::Info, NOTICE, None));
        }
    }

    /// The last plan that stands and promised how the track would play, if that is still to be heard: with the gain
    /// that the track still has.
    fn promised(&self, track: TrackId) -> Option<(PlanId, Vec<Prediction>)> {
        let gain = self.session.tracks.get(&track)?.gain;
        let target = ObjectId::Track(track);
        let of_track = |prediction: &&Prediction| {
            prediction.target == target && prediction.verify == Verify::Playback
        };
        let is_open = |stored: &&StoredPlan| {
            let receipt = stored.receipt.as_ref().filter(|_| stored.state == PlanState::Applied);
            receipt.is_some_and(|receipt| {
                stored.plan.predicted.iter().any(|it| of_track(&it))
                    && self.stands(receipt.revision)
            })
        };
        let stored = self.plans().iter().rev().find(is_open)?;
        let set = gain_set(&stored.plan.changes, track)?;
        let receipt = stored.receipt.as_ref()?;
        let is_heard = receipt.played.iter().any(|played| played.measured.target == target);
        if is_heard || (set.0 - gain.0).abs() > SAME_GAIN {
            return None;
        }
        let predicted = stored.plan.predicted.iter().filter(of_track).cloned().collect();
        Some((stored.plan.id, predicted))
    }

    /// Whether a revision is in the line of the head.
    fn stands(&self, revision: RevisionId) -> bool {
        let line = std::iter::successors(self.history.get(self.history.head()), |step| {
            self.history.get(step.parent)
        });
        line.take_while(|step| step.id >= revision).any(|step| step.id == revision)
    }
}

/// The gain that changes set a track to.
fn gain_set(changes: &[PlannedChange], track: TrackId) -> Option<Decibels> {
    changes.iter().rev().find_map(|planned| match &planned.change {
        Change::SetTrackGain(edit) if edit.target == track => Some(edit.after),
        _ => None,
    })
}

/// The longest stretch that a pass has in common with one clip that stood there; none where that is too short.
fn in_common(before: &Session, track: TrackId, pass: &Range<Frames>) -> Option<Range<Frames>> {
    let clips = before.clips_on(track).into_iter();
    let shared = clips.map(|(_, clip)| clip.position.max(pass.start)..clip.end().min(pass.end));
    let longest = shared.max_by_key(|range| (range.end - range.start).0)?;
    let least = Frames(LEAST * i64::from(before.rate.0));
    (longest.end - longest.start >= least).then_some(longest)
}

/// Measures a stretch of each target as it was `before`, and as it is.
fn compared(
    context: &PlanContext,
    before: &Session,
    predicted: &[Prediction],
    range: &Range<Frames>,
) -> Result<Vec<Played>, ToolError> {
    let mut played = Vec::new();
    for prediction in predicted {
        let level = |session: &Session| {
            let profile = context.measure_within(session, prediction.target, range.clone())?;
            Ok::<_, ToolError>(level_of(&profile.levels(Decibels::UNITY), prediction.measure))
        };
        let Some(promised) = level(before)?.filter(|value| value.is_finite()) else { continue };
        let promised = (promised * 100.0).round() / 100.0;
        let prediction = Prediction { value: promised, ..prediction.clone() };
        let name = context.session.name_of(prediction.target);
        let measured = compare(&prediction, level(&context.session)?, &name);
        played.push(Played { start: range.start, end: range.end, measured });
    }
    Ok(played)
}

/// What is said of a pass that plays other than promised.
fn told(plan: &Plan, played: &[Played]) -> Option<String> {
    let missed = played.iter().find(|played| !played.measured.within)?;
    let it = &missed.measured;
    let found = it.measured.map_or_else(|| "silence".to_owned(), |value| format!("{value:.1}"));
    Some(format!(
        "\"{}\" plays other than \"{}\" promised: {found} {} in place of {:.1}. Something ahead of Deskhand was \
         changed since; measure again",
        it.name, plan.summary, it.unit, it.predicted
    ))
}
