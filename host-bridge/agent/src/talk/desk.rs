//! The conversation's end of its connection: waits for answers and decisions, keeps a mirror, and notices
//! when the person says stop.

use super::edits::{Edits, Steps};
use deskhand_protocol::{
    CallId, Event, Followed, Link, Mirror, News, Op, Read, Snapshot, Speech, ToolInfo, ToolResult,
};
use deskhand_session::{Author, PlanId, PlanState, Receipt, Said, Session, StoredPlan};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::thread;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// The hub is gone: there is nobody to talk to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gone;

/// Something that was heard.
#[derive(Debug)]
pub(super) enum Heard {
    /// An answer to an own submission.
    Done(CallId, Box<ToolResult>),
    /// Anything else.
    News(Box<News>),
}

/// What became of a plan.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Outcome {
    pub(super) plan: PlanId,
    pub(super) state: PlanState,
    pub(super) reason: Option<String>,
    pub(super) receipt: Option<Receipt>,
}

/// Speaks for the model.
#[derive(Clone)]
pub(super) struct Speaker(Arc<dyn Link>);

impl Speaker {
    /// Says something; nobody waits for the answer.
    pub(super) fn speak(&self, speech: Speech) {
        self.0.submit(Op::Speak { speech });
    }

    /// Says a piece of text as it comes.
    pub(super) fn say(&self, text: &str) {
        self.speak(Speech::Piece { text: text.to_owned() });
    }
}

/// The connection with a mirror of the session.
pub(super) struct Desk {
    link: Arc<dyn Link>,
    inbox: UnboundedReceiver<Event>,
    mirror: Option<Mirror>,
    edits: Edits,
    /// Whether what was done ahead of this hub is among the edits.
    is_caught_up: bool,
    is_stopped: bool,
    /// A plan was decided, or another goes on in its place, since that was last looked at.
    has_news_of_plans: bool,
    /// Plans that go on in the place of others: the hub tells it before it is kept with the plan.
    follows: BTreeMap<PlanId, PlanId>,
    number: u64,
}

impl Desk {
    pub(super) fn over(link: Box<dyn Link>) -> io::Result<Self> {
        let (sender, inbox) = unbounded_channel();
        let events = link.events().clone();
        thread::Builder::new().name("deskhand-talk-events".into()).spawn(move || {
            for event in events {
                if sender.send(event).is_err() {
                    return;
                }
            }
        })?;
        let link = Arc::from(link);
        Ok(Self {
            link,
            inbox,
            mirror: None,
            edits: Edits::default(),
            is_caught_up: false,
            is_stopped: false,
            has_news_of_plans: false,
            follows: BTreeMap::new(),
            number: 0,
        })
    }

    /// Waits for what comes next.
    pub(super) fn next(&mut self) -> Result<Heard, Gone> {
        let event = self.inbox.blocking_recv().ok_or(Gone)?;
        Ok(self.take(event))
    }

    /// Waits, beside other work of a runtime, until the person says stop or the hub is gone.
    pub(super) async fn stopped(&mut self) {
        while !self.is_stopped {
            match self.inbox.recv().await {
                Some(event) => drop(self.take(event)),
                None => self.is_stopped = true,
            }
        }
    }

    fn take(&mut self, event: Event) -> Heard {
        if let Some(mirror) = &mut self.mirror
            && mirror.hear(&event) == Followed::Lost
        {
            self.mirror = None;
        }
        self.edits.hear(&event);
        self.number = event.number.max(self.number);
        let Event { call, news, .. } = event;
        match (call, news) {
            (Some(call), News::Done { result }) => Heard::Done(call, result),
            (_, news) => {
                match news {
                    News::StopTurn => self.is_stopped = true,
                    News::TurnAsked { .. } => self.is_stopped = false,
                    News::Decided { plan, follows, .. } => {
                        self.has_news_of_plans = true;
                        self.follows.extend(follows.map(|next| (plan, next)));
                    }
                    _ => {}
                }
                Heard::News(Box::new(news))
            }
        }
    }

    /// Whether the person said stop.
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Submits something and waits for its answer. When the person says stop it is cancelled, and its
    /// answer says so.
    pub(super) fn ask(&mut self, op: Op) -> Result<ToolResult, Gone> {
        let call = self.link.submit(op);
        let mut is_cancelled = self.is_stopped;
        loop {
            match self.next()? {
                Heard::Done(of, result) if of == call => return Ok(*result),
                Heard::Done(..) | Heard::News(_) => {}
            }
            if self.is_stopped && !is_cancelled {
                is_cancelled = true;
                self.link.submit(Op::Cancel { call });
            }
        }
    }

    /// Reads something; nothing when the hub does not have it.
    pub(super) fn read<T: DeserializeOwned>(&mut self, what: Read) -> Result<Option<T>, Gone> {
        let result = self.ask(Op::Read { what })?;
        Ok(result.answer.and_then(|answer| serde_json::from_value(answer).ok()))
    }

    /// Every tool there is.
    pub(super) fn tools(&mut self) -> Result<Vec<ToolInfo>, Gone> {
        Ok(self.read(Read::Tools)?.unwrap_or_default())
    }

    /// What was said so far.
    pub(super) fn conversation(&mut self) -> Result<Vec<Said>, Gone> {
        Ok(self.read(Read::Conversation)?.unwrap_or_default())
    }

    /// The session as it is.
    pub(super) fn session(&mut self) -> Result<&Session, Gone> {
        if self.mirror.is_none() {
            let call = self.link.submit(Op::Read { what: Read::Snapshot });
            let snapshot: Option<Snapshot> = loop {
                if let Heard::Done(of, result) = self.next()?
                    && of == call
                {
                    break result.answer.and_then(|answer| serde_json::from_value(answer).ok());
                }
            };
            self.mirror = snapshot.map(|snapshot| Mirror::new(snapshot, self.number));
        }
        self.mirror.as_ref().map(|mirror| &mirror.snapshot.session).ok_or(Gone)
    }

    /// Notes what was done since the model last said something, while no hub told of it.
    pub(super) fn catch_up(&mut self, said: &[Said]) -> Result<(), Gone> {
        let last = said.iter().rev().find(|said| said.author == Author::Agent);
        let was_caught_up = std::mem::replace(&mut self.is_caught_up, true);
        let Some(last) = last.filter(|_| !was_caught_up) else {
            return Ok(());
        };
        if let Some(steps) = self.read::<Steps>(Read::History)? {
            self.edits.missed(&steps, last.time_ms);
        }
        Ok(())
    }

    /// What the person did since the model last looked.
    pub(super) fn edits(&mut self) -> Option<serde_json::Value> {
        self.edits.report()
    }

    /// Says something; nobody waits for the answer.
    pub(super) fn speak(&self, speech: Speech) {
        self.speaker().speak(speech);
    }

    /// A way to speak while the desk waits for news.
    pub(super) fn speaker(&self) -> Speaker {
        Speaker(Arc::clone(&self.link))
    }

    /// Waits until a person has decided on a plan, following what takes its place. None when the person
    /// says stop first.
    pub(super) fn decision(&mut self, plan: PlanId) -> Result<Option<Outcome>, Gone> {
        Ok(self.first_decision(&[plan])?.map(|(_, outcome)| outcome))
    }

    /// Waits until a person has decided on one of these plans. None when the person says stop first.
    pub(super) fn first_decision(
        &mut self,
        plans: &[PlanId],
    ) -> Result<Option<(PlanId, Outcome)>, Gone> {
        loop {
            // A decision that comes while the plans are read is looked at in the next round.
            self.has_news_of_plans = false;
            for plan in plans {
                let known = self.last_behind(*plan)?;
                if let Some(outcome) = known.and_then(settled) {
                    return Ok(Some((*plan, outcome)));
                }
            }
            while !self.has_news_of_plans {
                if self.is_stopped {
                    return Ok(None);
                }
                self.next()?;
            }
        }
    }

    /// The plan that goes on in place of this one, as it is now.
    fn last_behind(&mut self, plan: PlanId) -> Result<Option<StoredPlan>, Gone> {
        let mut last = plan;
        loop {
            let known = self.read::<StoredPlan>(Read::Plan { plan: last })?;
            let stored = known.as_ref().and_then(|stored| stored.follows);
            match stored.or_else(|| self.follows.get(&last).copied()) {
                Some(next) => last = next,
                None => return Ok(known),
            }
        }
    }
}

/// What became of a plan that is decided and in whose place no other goes on.
fn settled(stored: StoredPlan) -> Option<Outcome> {
    let StoredPlan { plan, state, reason, receipt, follows, .. } = stored;
    let is_open = follows.is_some() || matches!(state, PlanState::Waiting | PlanState::Applying);
    (!is_open).then_some(Outcome { plan: plan.id, state, reason, receipt })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_plan_that_was_applied_before_it_was_awaited_is_waited_for_no_more() {
        let stored = |state: PlanState, follows: Option<PlanId>| {
            let plan = json!({
                "format": "deskhand.plan/1", "id": PlanId::new(2), "digest": "blake3:00", "tool": "tool_transcribe",
                "params": {}, "session": deskhand_session::SessionId::new(7), "base_revision": 1,
                "summary": "it", "changes": [],
            });
            let plan = serde_json::from_value(plan).unwrap();
            let (author, reason, receipt) = (Author::Agent, None, None);
            let (time_ms, decided_ms) = (0, None);
            StoredPlan { plan, state, author, reason, receipt, follows, time_ms, decided_ms }
        };
        let outcome = settled(stored(PlanState::Applied, None)).unwrap();
        assert_eq!((outcome.plan, outcome.state), (PlanId::new(2), PlanState::Applied));
        assert_eq!(settled(stored(PlanState::Waiting, None)), None);
        assert_eq!(settled(stored(PlanState::Applied, Some(PlanId::new(3)))), None);
    }
}
