//! Hearing a plan in hosts: every instance of the plugin goes to the planned gain of its track at one frame of
//! the timeline, and back. Cuts and effects are heard where the output of an instance is the session.

use crate::bridge::Bridge;
use crate::host_words::OnHosts;
use crate::hosts::Live;
use crate::ids::{Asker, ConnectionId, HOUSE, JobId};
use crate::input::Input;
use crate::jobs::{Job, Work};
use crate::player::{Matching, Reach};
use deskhand_dsp::{Decibels, Frames};
use deskhand_protocol::desk::Which;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{InsertOwner, ObjectId, PlacedInsert, Plan, Session, Track, TrackId};
use deskhand_toolkit::PlanContext;
use std::collections::{BTreeMap, BTreeSet};

/// Further than this level match moves nothing: it would be noise, or silence.
const FURTHEST: f64 = 24.0;

impl Bridge {
    /// What a plan makes of the session, and in words what of it cannot be heard in the hosts.
    pub(crate) fn heard_in_hosts(&self, plan: &Plan) -> Result<(Session, Vec<String>), ToolError> {
        if !self.plans.can_be_taken(plan.id) {
            let message = format!("{} cannot be taken any more: hosts do not play it", plan.id);
            return Err(ToolError::prepare(Code::Refused, message, "plan again"));
        }
        let planned = plan.applied_to(&self.commits.session);
        let planned = planned.map_err(|refusal| {
            ToolError::prepare(Code::Conflict, refusal.to_string(), "plan again")
        })?;
        let reach = self.on_hosts().reach(&planned);
        if !reach.is_heard {
            return Err(not_heard(&reach.unheard));
        }
        Ok((planned, reach.unheard))
    }

    /// Plays a side of a plan in the hosts.
    pub(crate) fn hear_in_hosts(
        &mut self,
        asker: Asker,
        plan: Plan,
        which: Which,
        planned: Session,
    ) {
        let matching = match self.player.matching_of(&plan) {
            Matching::NotAsked => {
                let stopped = self.player.stop_matching();
                self.carry_out(stopped);
                if which == Which::LevelMatched {
                    Matching::Measuring(self.measure_match(asker, planned))
                } else {
                    Matching::NotAsked
                }
            }
            known @ (Matching::Known(_) | Matching::Measuring(_)) => known,
        };
        self.player.play(asker, plan, which, matching);
        self.renew_hearing(self.moment());
    }

    /// Brings the report up to date: the plan may be decided, the session changed, or an instance new.
    pub(crate) fn renew_hearing(&mut self, at: Option<Frames>) {
        let Some(plan) = self.player.plan() else { return };
        let planned = plan.applied_to(&self.commits.session).ok();
        match planned.filter(|_| self.plans.can_be_taken(plan.id)) {
            Some(planned) => {
                let reach = self.on_hosts().reach(&planned);
                let told = self.player.renew(reach, at);
                self.carry_out(told);
            }
            None => {
                let ended = self.player.end(at);
                self.carry_out(ended);
            }
        }
    }

    /// A front end left. If its plan is being heard, that ends, because nobody else could end it.
    pub(crate) fn hearer_left(&mut self, connection: ConnectionId) {
        if self.player.is_heard_by(connection) {
            let ended = self.player.end(self.moment());
            self.carry_out(ended);
        }
    }

    fn measure_match(&mut self, asker: Asker, planned: Session) -> JobId {
        // Its end is not reported: the call that asked for it is answered.
        self.run(
            Job::new(Asker { author: HOUSE, ..asker }, "hear", Work::Match),
            move |context| match_gain(&context, &planned),
            |job, outcome| Input::Matched { job, outcome },
        )
    }

    /// Takes the gain that makes a plan as loud as the session.
    pub(crate) fn matched(&mut self, job: JobId, outcome: Result<Option<Decibels>, ToolError>) {
        self.jobs.remove(job);
        let way = self.on_hosts().way_to_hear();
        let (gain, why) = match outcome {
            Ok(Some(gain)) => (gain, None),
            Ok(None) => (
                Decibels::UNITY,
                Some(format!("nothing was captured that could be measured: {way}")),
            ),
            Err(error) => (Decibels::UNITY, Some(error.message)),
        };
        if !self.player.set_matched(job, gain) {
            return;
        }
        if let Some(why) = why {
            self.notify_error(format!("the plan is heard without level match: {why}"));
        }
        self.renew_hearing(self.moment());
    }
}

impl OnHosts<'_> {
    fn reach(&self, planned: &Session) -> Reach {
        let bound: BTreeMap<TrackId, &Live> =
            self.hosts.all().map(|live| (live.track(), live)).collect();
        let now = self.session;
        let mut gains = BTreeMap::new();
        for (id, live) in &bound {
            let Some(track) = planned.tracks.get(id) else { continue };
            let before = now.tracks.get(id).map_or(track.gain, |track| track.gain);
            // If a track cannot play all of the plan, it stays as it is.
            let is_whole = live.plays() || !sounds_otherwise(now, planned, *id);
            gains.insert(*id, if is_whole { track.gain } else { before });
        }
        let plays = bound.values().any(|live| live.plays());
        let unheard = unheard(now, planned, &bound);
        let moves = |id: &TrackId, gain: &Decibels| {
            now.tracks.get(id).is_some_and(|track| track.gain != *gain)
        };
        let is_heard = gains.iter().any(|(id, gain)| moves(id, gain))
            || bound.iter().any(|(id, live)| live.plays() && sounds_otherwise(now, planned, *id));
        Reach { gains, plays, is_heard, unheard }
    }
}

/// What of a plan no instance can play, in words; each a sentence of its own.
fn unheard(now: &Session, then: &Session, bound: &BTreeMap<TrackId, &Live>) -> Vec<String> {
    let mut words = Vec::new();
    let ids: BTreeSet<&TrackId> = now.tracks.keys().chain(then.tracks.keys()).collect();
    for id in ids {
        let track = then.tracks.get(id).or_else(|| now.tracks.get(id));
        let name = track.map_or("", |track| track.name.as_str());
        let other = sounds_otherwise(now, then, *id);
        match bound.get(id) {
            None if other || gain_of(now, *id) != gain_of(then, *id) => {
                words.push(format!("{name} has no instance of Deskhand in the host"));
            }
            Some(live) if other && !live.plays() => words.push(format!(
                "{name} passes what its host plays, so only gains are heard there: set its output to session"
            )),
            Some(_) | None => {}
        }
        if host_side(now, *id) != host_side(then, *id) {
            words.push(format!("pan, mute, solo and routing of {name} are the host's"));
        }
    }
    if now.master_gain != then.master_gain
        || inserts(now, InsertOwner::Master) != inserts(then, InsertOwner::Master)
    {
        words.push("the master is the host's".to_owned());
    }
    words
}

fn gain_of(session: &Session, id: TrackId) -> Option<Decibels> {
    session.tracks.get(&id).map(|track| track.gain)
}

/// What a host does for a track, and no instance.
fn host_side(session: &Session, id: TrackId) -> Option<Track> {
    let track = session.tracks.get(&id)?;
    let Track { pan, mute, solo, output, .. } = track.clone();
    Some(Track { pan, mute, solo, output, ..Track::audio("") })
}

/// Whether a track sounds different before its fader.
fn sounds_otherwise(now: &Session, then: &Session, id: TrackId) -> bool {
    let clips = |session: &Session| -> Vec<_> {
        let own = session.clips.iter().filter(|(_, clip)| clip.track == id);
        own.map(|(id, clip)| (*id, clip.clone())).collect()
    };
    let envelope = |session: &Session| session.tracks.get(&id).map(|it| it.envelope.clone());
    let owner = InsertOwner::Track(id);
    clips(now) != clips(then)
        || envelope(now) != envelope(then)
        || inserts(now, owner) != inserts(then, owner)
}

fn inserts(session: &Session, owner: InsertOwner) -> Vec<PlacedInsert> {
    session.inserts_on(owner).into_iter().map(|(_, insert)| insert.clone()).collect()
}

fn not_heard(unheard: &[String]) -> ToolError {
    let message = match unheard {
        [] => "the plan changes nothing that is heard".to_owned(),
        words => format!("nothing of the plan can be heard in the host: {}", words.join("; ")),
    };
    let fix = "apply it and undo it, or render it to a file: cmd_render with `plan_id`";
    ToolError::prepare(Code::Refused, message, fix)
}

/// The gain that makes `planned` as loud as the session; `None` if one of them is silent. The master gain
/// belongs to the host and stays.
fn match_gain(context: &PlanContext, planned: &Session) -> Result<Option<Decibels>, ToolError> {
    let id = ObjectId::Session(context.session.id);
    let planned = Session { master_gain: context.session.master_gain, ..planned.clone() };
    let of = |session: &Session| -> Result<Option<f64>, ToolError> {
        let levels = context.measure(session, id)?.levels(Decibels::UNITY);
        Ok(levels.integrated.map(|loudness| loudness.0))
    };
    Ok(match (of(&context.session)?, of(&planned)?) {
        (Some(now), Some(then)) => {
            Some(Decibels((now - then).clamp(-FURTHEST, FURTHEST)).rounded())
        }
        (Some(_), None) | (None, Some(_)) | (None, None) => None,
    })
}
