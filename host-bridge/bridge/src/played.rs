//! What a host plays next against what a plan promised: a pass over the same time as what the plan was measured on.
//!
//! Compares a plan with the next recording. A plan for tracks of a host is measured right after applying,
//! on their recordings. The host may play something else by then, if something before Deskhand changed. So
//! the next recording is compared with what the plan was measured on, over their common time. It is live
//! sound, so nothing is taken back for it.

use crate::bridge::Bridge;
use crate::commits::Commits;
use crate::effect::Effect;
use crate::hosts::gain_set;
use crate::ids::{Asker, HOUSE, JobId};
use crate::input::Input;
use crate::jobs::{Job, Work};
use crate::plans::decision;
use crate::receipt::compare;
use deskhand_dsp::{Decibels, Frames};
use deskhand_protocol::desk::{Notice, NoticeKind};
use deskhand_session::tool_error::ToolError;
use deskhand_session::{
    Clip, ObjectId, Plan, PlanId, PlanState, Played, Prediction, Receipt, RevisionId, Session,
    TrackId, Verify,
};
use deskhand_store::PlanDecided;
use deskhand_toolkit::PlanContext;
use deskhand_toolkit::levels::level_of;
use std::ops::Range;

/// What both passes must have at least in common to be compared, seconds: the window of short-term loudness.
const LEAST: i64 = 3;
/// How far a gain may be off what a plan set: hosts keep it as a parameter.
const SAME_GAIN: f64 = 0.005;
/// How long a notice of a miss stays, ms.
const NOTICE: u64 = 12_000;

/// The text about a plan whose prediction cannot be checked any more.
const REMOVED: &str =
    "not compared with what the host played next: the recording was removed to make room";

/// What a plan promised of a track.
struct Promise {
    plan: PlanId,
    /// The step that applied it.
    revision: RevisionId,
    predicted: Vec<Prediction>,
}

impl Bridge {
    /// Has a worker compare a pass of a track that was taken in, where an applied plan promised how it would play.
    pub(crate) fn compare_pass(&mut self, asker: Asker, track: TrackId, pass: &Range<Frames>) {
        let Some(Promise { plan, revision, predicted }) = self.promised(track) else { return };
        let Some(before) = self.commits.as_measured(track, revision) else { return };
        if is_removed(&before, track, pass) {
            return self.not_compared(asker, plan, revision);
        }
        let Some(range) = self.commits.in_common(&before, track, pass, revision) else { return };
        let work = Work::Compare { plan, revision, on: track, pass: pass.clone() };
        self.run(
            Job::new(asker, "receipt", work),
            move |context| compared(&context, &before, &predicted, &range),
            |job, outcome| Input::Compared { job, outcome },
        );
    }

    /// Writes into the receipt how it played.
    pub(crate) fn compared(&mut self, job: JobId, outcome: Result<Vec<Played>, ToolError>) {
        let Some(Job { asker, work: Work::Compare { plan, revision, on, pass }, .. }) =
            self.jobs.remove(job)
        else {
            return;
        };
        let before = self.commits.as_measured(on, revision).filter(|_| outcome.is_err());
        if before.is_some_and(|before| is_removed(&before, on, &pass)) {
            return self.not_compared(asker, plan, revision);
        }
        let Some(stored) = self.plans.get(plan).filter(|_| self.commits.read_only.is_none()) else {
            return;
        };
        // It may have been undone meanwhile, and perhaps applied again.
        let receipt = stored.receipt.clone().filter(|receipt| receipt.revision == revision);
        let (PlanState::Applied, Some(mut receipt)) = (stored.state, receipt) else { return };
        // What could not be measured is compared with the next pass.
        let news = news(&receipt, outcome.unwrap_or_default());
        if news.is_empty() {
            return;
        }
        let told = told(&stored.plan, &receipt, &news);
        receipt.played.retain(|old| !is_of(&news, old.measured.target));
        receipt.played.extend(news);
        let (reason, receipt, follows) = (stored.reason.clone(), Some(receipt), stored.follows);
        let decided = decision(plan, PlanState::Applied);
        let decided = PlanDecided { reason, receipt, follows, ..decided };
        self.commit_receipt(asker, decided);
        if let Some(message) = told {
            // A notice that cannot be shown is still in the receipt.
            let notice = Notice::new(String::new(), NoticeKind::Info, message, NOTICE);
            self.carry_out([Effect::Notify(HOUSE, notice)]);
        }
    }

    /// Writes to the receipt that nothing is left to compare with: there was no room for it.
    fn not_compared(&mut self, asker: Asker, plan: PlanId, revision: RevisionId) {
        let Some(stored) = self.plans.get(plan).filter(|_| self.commits.read_only.is_none()) else {
            return;
        };
        let receipt = stored.receipt.clone().filter(|receipt| receipt.revision == revision);
        let is_told = stored.reason.as_deref().is_some_and(|reason| reason.contains(REMOVED));
        if stored.state != PlanState::Applied || receipt.is_none() || is_told {
            return;
        }
        let reason = stored.reason.iter().map(String::as_str).chain([REMOVED]);
        let (reason, follows) = (Some(reason.collect::<Vec<_>>().join("; ")), stored.follows);
        let decided = decision(plan, PlanState::Applied);
        let decided = PlanDecided { reason, receipt, follows, ..decided };
        self.commit_receipt(asker, decided);
    }

    /// The last applied plan that promised how the track would play, if no recording has confirmed it yet,
    /// and the track still has its gain.
    fn promised(&self, track: TrackId) -> Option<Promise> {
        let gain = self.commits.session.tracks.get(&track)?.gain;
        let target = ObjectId::Track(track);
        let of_track = |prediction: &&Prediction| {
            prediction.target == target && prediction.verify == Verify::Playback
        };
        let standing = self.plans().iter().filter_map(|stored| {
            let receipt = stored.receipt.as_ref().filter(|_| stored.state == PlanState::Applied)?;
            let promises = stored.plan.predicted.iter().any(|it| of_track(&it));
            (promises && self.commits.stands(receipt.revision)).then_some((&stored.plan, receipt))
        });
        let (plan, receipt) = standing.max_by_key(|(_, receipt)| receipt.revision)?;
        let set = gain_set(&plan.changes, track)?;
        if receipt.is_kept(target) || (set.0 - gain.0).abs() > SAME_GAIN {
            return None;
        }
        let predicted = plan.predicted.iter().filter(of_track).cloned().collect();
        Some(Promise { plan: plan.id, revision: receipt.revision, predicted })
    }
}

impl Commits {
    /// The session with the track's content when the plan was applied, which was measured.
    fn as_measured(&self, track: TrackId, applied: RevisionId) -> Option<Session> {
        let step = self.history.go_to(applied)?;
        let then = self.session.with(&step.changes).ok()?;
        let mut session = Session::clone(&self.session);
        session.clips.retain(|_, clip| clip.track != track);
        session.clips.extend(then.clips.into_iter().filter(|(_, clip)| clip.track == track));
        Some(session)
    }

    /// The longest stretch that a recording shares with one measured clip; `None` if it is too short.
    /// Edited clips, and clips that are no recording of the host, do not count.
    fn in_common(
        &self,
        before: &Session,
        track: TrackId,
        pass: &Range<Frames>,
        applied: RevisionId,
    ) -> Option<Range<Frames>> {
        let takes = self.takes_until(applied);
        let is_take = |clip: &Clip| takes.get(&clip.source).is_some_and(|take| take.track == track);
        let clips: Vec<_> = before.clips_on(track).into_iter().map(|(_, clip)| clip).collect();
        let recorded = clips.iter().filter(|clip| is_take(clip) && is_as_recorded(before, clip));
        let shared = recorded.map(|clip| {
            let (start, end) =
                (clip.position + clip.fade_in.length, clip.end() - clip.fade_out.length);
            start.max(pass.start)..end.min(pass.end)
        });
        let range = shared.max_by_key(|range| range.end - range.start)?;
        let sound = clips.iter().filter(|it| it.position < range.end && it.end() > range.start);
        let least = Frames(LEAST * i64::from(before.rate.0));
        (range.end - range.start >= least && sound.count() == 1).then_some(range)
    }

    /// Whether a revision is in the line of the head.
    pub(crate) fn stands(&self, revision: RevisionId) -> bool {
        let line = std::iter::successors(self.history.get(self.history.head()), |step| {
            self.history.get(step.parent)
        });
        line.take_while(|step| step.id >= revision).any(|step| step.id == revision)
    }
}

/// Whether a measured source was removed from the library since.
fn is_removed(before: &Session, track: TrackId, pass: &Range<Frames>) -> bool {
    let clips = before.clips_on(track).into_iter().map(|(_, clip)| clip);
    let mut meant = clips.filter(|clip| clip.position < pass.end && clip.end() > pass.start);
    meant.any(|clip| !before.sources.contains_key(&clip.source))
}

/// Whether a clip of a recording plays it where and as it was recorded.
fn is_as_recorded(session: &Session, clip: &Clip) -> bool {
    let origin = session.sources.get(&clip.source).and_then(|source| source.origin);
    let is_in_place = origin == Some(clip.position - clip.start);
    is_in_place && clip.gain == Decibels::UNITY && clip.envelope.is_empty()
}

/// Measures a stretch of each target as it was `before`, and as it plays now.
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
        // Silence, such as that of a muted track, does not show the gain.
        let both = level(before)?.zip(level(&context.session)?);
        let both = both.filter(|(promised, found)| promised.is_finite() && found.is_finite());
        let Some((promised, found)) = both else { continue };
        let promised = (promised * 100.0).round() / 100.0;
        let prediction = Prediction { value: promised, ..prediction.clone() };
        let name = context.session.name_of(prediction.target);
        let measured = compare(&prediction, Some(found), &name);
        played.push(Played { start: range.start, end: range.end, measured });
    }
    Ok(played)
}

/// New facts from a pass: how a track plays, or that one plays as predicted after all. Of two passes at
/// once the first counts.
fn news(receipt: &Receipt, mut played: Vec<Played>) -> Vec<Played> {
    let missed: Vec<ObjectId> =
        played.iter().filter(|it| !it.measured.within).map(|it| it.measured.target).collect();
    played.retain(|it| {
        let target = it.measured.target;
        let settles = !receipt.is_kept(target) && !missed.contains(&target);
        settles || !receipt.is_heard(target)
    });
    played
}

fn is_of(played: &[Played], target: ObjectId) -> bool {
    played.iter().any(|it| it.measured.target == target)
}

/// The text about a recording that differs from the prediction, or that now agrees.
fn told(plan: &Plan, receipt: &Receipt, news: &[Played]) -> Option<String> {
    let settled = || {
        let old = receipt.played.iter().find(|old| is_of(news, old.measured.target))?;
        Some(format!("\"{}\" plays as \"{}\" promised now", old.measured.name, plan.summary))
    };
    missed(plan, news).or_else(settled)
}

fn missed(plan: &Plan, played: &[Played]) -> Option<String> {
    let missed = played.iter().find(|played| !played.measured.within)?;
    let it = &missed.measured;
    let found = it.measured?;
    Some(format!(
        "\"{}\" plays other than \"{}\" promised: {found:.1} {} in place of {:.1}. Something before Deskhand \
         in the host's chain changed since; measure again",
        it.name, plan.summary, it.unit, it.predicted
    ))
}
