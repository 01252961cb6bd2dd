//! The plan that is heard in hosts, and what they were told of it last.

use crate::effect::Effect;
use crate::ids::{Asker, ConnectionId, JobId};
use deskhand_dsp::{Decibels, Frames};
use deskhand_protocol::desk::Which;
use deskhand_protocol::{Hearing, News};
use deskhand_session::{Plan, TrackId};
use std::collections::BTreeMap;

/// What instances can play of a plan.
pub(crate) struct Reach {
    pub(crate) gains: BTreeMap<TrackId, Decibels>,
    /// Whether one of them plays the session.
    pub(crate) plays: bool,
    /// Whether anything sounds otherwise.
    pub(crate) is_heard: bool,
    /// What cannot be heard, in words.
    pub(crate) unheard: Vec<String>,
}

/// The gain of level match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Matching {
    NotAsked,
    Measuring(JobId),
    Known(Decibels),
}

/// A plan that somebody hears in hosts.
struct Heard {
    asker: Asker,
    /// What of it is heard, by the id of the plan that is decided on.
    plan: Plan,
    which: Which,
    matching: Matching,
    /// The last report.
    told: Hearing,
}

impl Heard {
    fn hearing(&self, reach: Reach) -> Hearing {
        let Self { plan, which, matching, .. } = self;
        let Reach { mut gains, plays, .. } = reach;
        let match_gain = match (which, matching) {
            (Which::LevelMatched, Matching::Known(gain)) => Some(*gain),
            (Which::LevelMatched | Which::Current | Which::Plan, _) => None,
        };
        let is_planned = *which == Which::Plan || match_gain.is_some();
        if !is_planned {
            gains.clear();
        }
        let offset = match_gain.unwrap_or_default();
        gains.values_mut().for_each(|gain| *gain = Decibels(gain.0 + offset.0).rounded());
        let changes = plan.bare_changes().filter(|_| plays).cloned().collect();
        Hearing { plan: plan.id, which: *which, gains, match_gain, changes }
    }
}

/// What is heard in hosts.
#[derive(Default)]
pub(crate) struct Player {
    heard: Option<Heard>,
}

impl Player {
    /// The known level of a plan that is heard already.
    pub(crate) fn matching_of(&self, plan: &Plan) -> Matching {
        let same = self.heard.as_ref().filter(|heard| heard.plan.changes == plan.changes);
        same.map_or(Matching::NotAsked, |heard| heard.matching)
    }

    /// Plays a side of a plan from the next report on.
    pub(crate) fn play(&mut self, asker: Asker, plan: Plan, which: Which, matching: Matching) {
        let told = self.heard.take().map(|heard| heard.told);
        let told = told.unwrap_or_else(|| Hearing {
            plan: plan.id,
            which: Which::Current,
            gains: BTreeMap::new(),
            match_gain: None,
            changes: Vec::new(),
        });
        self.heard = Some(Heard { asker, plan, which, matching, told });
    }

    /// The plan that is heard.
    pub(crate) fn plan(&self) -> Option<&Plan> {
        self.heard.as_ref().map(|heard| &heard.plan)
    }

    /// Stops a measurement that nobody waits for any more.
    pub(crate) fn stop_matching(&self) -> Option<Effect> {
        match self.heard.as_ref().map(|heard| heard.matching) {
            Some(Matching::Measuring(job)) => {
                Some(Effect::Work(Box::new(move |jobs| jobs.stop(job))))
            }
            Some(Matching::NotAsked | Matching::Known(_)) | None => None,
        }
    }

    /// Brings the report up to date. What is within reach of instances is heard from `at` on.
    pub(crate) fn renew(&mut self, reach: Reach, at: Option<Frames>) -> Option<Effect> {
        let heard = self.heard.as_mut()?;
        let hearing = heard.hearing(reach);
        (heard.told != hearing).then(|| {
            heard.told = hearing.clone();
            let news = News::Hearing { hearing: Some(Box::new(hearing)), at };
            Effect::Tell(heard.asker.author, None, news)
        })
    }

    /// Nothing but the session is heard from `at` on.
    pub(crate) fn end(&mut self, at: Option<Frames>) -> Vec<Effect> {
        let stop = self.stop_matching();
        let ended = self.heard.take().map(|heard| {
            Effect::Tell(heard.asker.author, None, News::Hearing { hearing: None, at })
        });
        stop.into_iter().chain(ended).collect()
    }

    /// Whether this connection hears a plan.
    pub(crate) fn is_heard_by(&self, id: ConnectionId) -> bool {
        self.heard.as_ref().is_some_and(|heard| heard.asker.connection == id)
    }

    /// The last report.
    pub(crate) fn now(&self) -> Option<Box<Hearing>> {
        self.heard.as_ref().map(|heard| Box::new(heard.told.clone()))
    }

    /// Takes the gain of level match, where it is waited for.
    pub(crate) fn set_matched(&mut self, job: JobId, gain: Decibels) -> bool {
        let waits = |heard: &&mut Heard| heard.matching == Matching::Measuring(job);
        let heard = self.heard.as_mut().filter(waits);
        heard.map(|heard| heard.matching = Matching::Known(gain)).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::HOUSE;
    use serde_json::json;

    fn plan() -> Plan {
        let written = json!({
            "format": deskhand_session::plan::FORMAT, "id": "plan_000000000001", "digest": "",
            "tool": "fake", "params": {}, "session": "session_000000000001", "base_revision": 0,
            "summary": "louder", "changes": [], "reads": [], "findings": [], "predicted": [],
            "artifacts": [], "warnings": [],
        });
        serde_json::from_value(written).unwrap()
    }

    fn reach(gain: f64) -> Reach {
        let gains = [(TrackId::new(1), Decibels(gain))].into();
        Reach { gains, plays: false, is_heard: true, unheard: Vec::new() }
    }

    #[test]
    fn a_report_is_told_once_and_ends_with_its_plan() {
        let (mut player, asker) = (Player::default(), Asker::nobody(HOUSE));
        assert!(player.renew(reach(-3.0), None).is_none(), "nothing is heard");
        player.play(asker, plan(), Which::LevelMatched, Matching::Measuring(JobId(7)));
        assert!(matches!(player.renew(reach(-3.0), None), Some(Effect::Tell(HOUSE, None, _))));
        assert!(player.renew(reach(-3.0), None).is_none(), "nothing is new");
        assert!(player.now().is_some_and(|it| it.gains.is_empty()), "the level is not known");
        assert!(
            !player.set_matched(JobId(8), Decibels(1.0))
                && player.set_matched(JobId(7), Decibels(1.0))
        );
        assert!(matches!(player.renew(reach(-3.0), None), Some(Effect::Tell(HOUSE, None, _))));
        assert_eq!(player.now().unwrap().gains[&TrackId::new(1)], Decibels(-2.0));
        assert!(matches!(player.end(None)[..], [Effect::Tell(..)]) && player.plan().is_none());
    }
}
