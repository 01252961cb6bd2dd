//! A copy of the session, kept by a front end from the events it hears.

use crate::approval_settings::{Asking, ToolRule};
use crate::desk::Window;
use crate::event::{Event, News};
use crate::hearing::Hearing;
use crate::instance::InstanceState;
use deskhand_session::{Change, PlanId, PlanState, RevisionId, Session, SourceId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a mirror starts from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The session.
    pub session: Session,
    /// Its revision.
    pub head: RevisionId,
    /// The states of its plans.
    pub plans: BTreeMap<PlanId, PlanState>,
    /// Why it takes no changes, if so.
    pub read_only: Option<String>,
    /// The session folder.
    pub folder: String,
    /// Whether somebody who can decide is connected.
    pub is_attended: bool,
    /// The model's turn is running.
    pub is_turn_running: bool,
    /// Instances of the plugin that are there.
    #[serde(default)]
    pub instances: Vec<InstanceState>,
    /// The plan that is heard in hosts.
    #[serde(default)]
    pub hearing: Option<Box<Hearing>>,
    /// Whether nothing may be sent off this machine.
    #[serde(default)]
    pub local_only: bool,
    /// Which plans of a model wait.
    #[serde(default)]
    pub asking: Asking,
    /// Every rule for a tool that holds, by tool.
    #[serde(default)]
    pub rules: Vec<ToolRule>,
    /// Sources whose media is still being looked after.
    #[serde(default)]
    pub conforming: Vec<SourceId>,
    /// Windows that are open.
    #[serde(default)]
    pub windows: Vec<Window>,
    /// Plans whose permitted call was running when the session was read, each with its progress, 0 to 1.
    #[serde(default)]
    pub running: BTreeMap<PlanId, f64>,
}

impl Snapshot {
    /// A session at its revision `head`, and nothing else: no folder, no plans, nobody connected.
    #[must_use]
    pub fn of(session: Session, head: RevisionId) -> Self {
        Self {
            session,
            head,
            plans: BTreeMap::new(),
            read_only: None,
            folder: String::new(),
            is_attended: false,
            is_turn_running: false,
            instances: Vec::new(),
            hearing: None,
            local_only: false,
            asking: Asking::default(),
            rules: Vec::new(),
            conforming: Vec::new(),
            windows: Vec::new(),
            running: BTreeMap::new(),
        }
    }

    fn decided(&mut self, plan: PlanId, state: PlanState) {
        self.plans.insert(plan, state);
        self.running.remove(&plan);
    }

    fn moved(&mut self, from: RevisionId, to: RevisionId, changes: &[Change]) -> Followed {
        // A reader of the session sees a step before its event.
        if self.head == to {
            return Followed::Yes;
        }
        let moved = (self.head == from).then(|| self.session.with(changes).ok()).flatten();
        let Some(session) = moved else { return Followed::Lost };
        (self.session, self.head) = (session, to);
        Followed::Yes
    }
}

/// A copy of the session as of the last event heard.
#[derive(Clone, Debug, PartialEq)]
pub struct Mirror {
    /// The copy.
    pub snapshot: Snapshot,
    number: u64,
}

/// Whether a mirror still follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Followed {
    /// It does.
    Yes,
    /// Events are missing: read the session again.
    Lost,
}

impl Mirror {
    /// A mirror as of the event that answered [`crate::Read::Snapshot`].
    #[must_use]
    pub fn new(snapshot: Snapshot, number: u64) -> Self {
        Self { snapshot, number }
    }

    /// Takes the next event. Events from before the snapshot change nothing.
    pub fn hear(&mut self, event: &Event) -> Followed {
        if event.news == News::Lagged {
            return Followed::Lost;
        }
        if event.number <= self.number {
            return Followed::Yes;
        }
        if event.number != self.number + 1 {
            return Followed::Lost;
        }
        self.number = event.number;
        self.take(&event.news)
    }

    fn take(&mut self, news: &News) -> Followed {
        let mirror = &mut self.snapshot;
        match news {
            News::Moved { from, to, changes, .. } => return mirror.moved(*from, *to, changes),
            News::Review { plan } => {
                mirror.plans.insert(plan.id, PlanState::Waiting);
            }
            News::Decided { plan, state, .. } => mirror.decided(*plan, *state),
            News::ReadOnly { reason } => mirror.read_only = Some(reason.clone()),
            News::Instances { instances } => mirror.instances.clone_from(instances),
            News::Hearing { hearing, .. } => mirror.hearing.clone_from(hearing),
            News::LocalOnly { on } => mirror.local_only = *on,
            News::Policy { asking, rules } => {
                mirror.asking = *asking;
                mirror.rules.clone_from(rules);
            }
            News::TurnAsked { .. } => mirror.is_turn_running = true,
            News::TurnEnded { .. } => mirror.is_turn_running = false,
            News::Media { source, .. } => mirror.conforming.retain(|id| id != source),
            News::Window { window } => {
                mirror.windows.retain(|known| known.window_id != window.window_id);
                mirror.windows.push(window.clone());
            }
            News::WindowClosed { window_id } => {
                mirror.windows.retain(|known| known.window_id != *window_id);
            }
            News::Planning { .. }
            | News::Progress { .. }
            | News::Provisional { .. }
            | News::Done { .. }
            | News::Said { .. }
            | News::Saying { .. }
            | News::StopTurn
            | News::Notice { .. }
            | News::NoticeAnswered { .. }
            | News::Play { .. }
            | News::Lagged => {}
        }
        Followed::Yes
    }
}
