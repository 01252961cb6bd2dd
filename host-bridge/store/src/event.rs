//! The records: one event per step, in the serde shapes of the session.

use deskhand_session::{
    Author, Plan, PlanId, PlanState, Receipt, Revision, RevisionId, Said, Session, StoredPlan,
};
use serde::{Deserialize, Serialize};

/// A step that the storage thread writes.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    Revision(Revision),
    /// Undo or redo moved the head.
    Head(HeadMoved),
    /// A plan was made, and waits for a decision.
    Plan(PlanMade),
    /// A decision, or its result.
    PlanState(PlanDecided),
    /// Something was said in the conversation.
    Said(Said),
}

/// Undo or redo.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeadMoved {
    /// Where the head is now.
    pub to: RevisionId,
    pub author: Author,
    /// When, ms since 1970.
    pub time_ms: i64,
}

/// A new plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanMade {
    pub plan: Plan,
    /// On whose behalf.
    pub author: Author,
    /// When, ms since 1970.
    pub time_ms: i64,
}

/// A plan's new state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanDecided {
    pub plan: PlanId,
    pub state: PlanState,
    /// Why: the words of a rejection, or what conflicts.
    pub reason: Option<String>,
    /// What applying did.
    pub receipt: Option<Receipt>,
    /// The plan that goes on in its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<PlanId>,
    /// When, ms since 1970.
    pub time_ms: i64,
}

impl PlanDecided {
    /// Sets a plan to the decided state. A receipt that only adds facts is not a new decision.
    pub fn settle(&self, stored: &mut StoredPlan) {
        if stored.state != self.state {
            stored.decided_ms = Some(self.time_ms);
        }
        stored.state = self.state;
        stored.reason.clone_from(&self.reason);
        if self.receipt.is_some() {
            stored.receipt.clone_from(&self.receipt);
        }
        stored.follows = self.follows;
    }
}

/// An event, or one of the two that the store writes by itself.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Record {
    /// The first: the session as it was created.
    Created(Session),
    /// What a front end did.
    Event(Event),
    /// A snapshot was written; its hash is in the chain, so that a damaged one is known.
    Snapshot(SnapshotMark),
}

/// Points to a row of the table of snapshots.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SnapshotMark {
    /// The session after this event is in the snapshot.
    pub(crate) of: i64,
    /// BLAKE3 of its JSON, hexadecimal.
    pub(crate) hash: String,
}

impl From<Event> for Record {
    fn from(event: Event) -> Self {
        Self::Event(event)
    }
}

impl From<SnapshotMark> for Record {
    fn from(mark: SnapshotMark) -> Self {
        Self::Snapshot(mark)
    }
}

/// Why a row is no event.
#[derive(Debug)]
pub(crate) enum ParseError {
    /// A newer version wrote it.
    UnknownKind,
    /// The body does not fit the kind.
    Body(String),
}

impl Record {
    /// The kind, as written in the table.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Created(_) => "created",
            Self::Event(Event::Revision(_)) => "revision",
            Self::Event(Event::Head(_)) => "head",
            Self::Event(Event::Plan(_)) => "plan",
            Self::Event(Event::PlanState(_)) => "plan_state",
            Self::Event(Event::Said(_)) => "said",
            Self::Snapshot(_) => "snapshot",
        }
    }

    /// The body, as written in the table.
    ///
    /// # Errors
    /// When reading it again would not give the same: a number that JSON cannot write.
    pub(crate) fn body(&self) -> Result<String, String> {
        let body = match self {
            Self::Created(session) => serde_json::to_string(session),
            Self::Event(Event::Revision(revision)) => serde_json::to_string(revision),
            Self::Event(Event::Head(head)) => serde_json::to_string(head),
            Self::Event(Event::Plan(plan)) => serde_json::to_string(plan),
            Self::Event(Event::PlanState(state)) => serde_json::to_string(state),
            Self::Event(Event::Said(said)) => serde_json::to_string(said),
            Self::Snapshot(mark) => serde_json::to_string(mark),
        };
        let body = body.map_err(|error| error.to_string())?;
        match Self::parse(self.kind(), &body) {
            Ok(again) if again == *self => Ok(body),
            Ok(_) => Err("it would read differently".into()),
            Err(ParseError::Body(why)) => Err(why),
            Err(ParseError::UnknownKind) => Err("its kind is unknown".into()),
        }
    }

    /// Reads a row.
    pub(crate) fn parse(kind: &str, body: &str) -> Result<Self, ParseError> {
        match kind {
            "created" => json(body).map(Self::Created),
            "revision" => json(body).map(|it| Event::Revision(it).into()),
            "head" => json(body).map(|it| Event::Head(it).into()),
            "plan" => json(body).map(|it| Event::Plan(it).into()),
            "plan_state" => json(body).map(|it| Event::PlanState(it).into()),
            "said" => json(body).map(|it| Event::Said(it).into()),
            "snapshot" => json(body).map(Self::Snapshot),
            _ => Err(ParseError::UnknownKind),
        }
    }
}

fn json<T: serde::de::DeserializeOwned>(body: &str) -> Result<T, ParseError> {
    serde_json::from_str(body).map_err(|error| ParseError::Body(error.to_string()))
}
