//! Front ends in this process. What a handle can send is decided by its type, and checked again by the
//! bridge against the connection.

use crate::ids::ConnectionId;
use crate::input::Input;
use crossbeam_channel::{Receiver, Sender};
use deskhand_protocol::{Apply, CallId, Decision, Event, Link, Op, Speech, Submission};
use deskhand_session::{Plan, PlanId};
use serde_json::Value;
use std::sync::atomic::{AtomicU64, Ordering};

/// A front end's end of a connection in this process.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) connection: ConnectionId,
    pub(crate) inbox: Sender<Input>,
    pub(crate) events: Receiver<Event>,
    calls: AtomicU64,
}

impl Line {
    pub(crate) fn new(
        connection: ConnectionId,
        inbox: Sender<Input>,
        events: Receiver<Event>,
    ) -> Self {
        Self { connection, inbox, events, calls: AtomicU64::new(0) }
    }

    fn submit(&self, op: Op) -> CallId {
        let id = CallId(self.calls.fetch_add(1, Ordering::Relaxed) + 1);
        let submission = Submission { id, op };
        let input = Input::Submitted { connection: self.connection, submission };
        // The bridge owns the other end; without a bridge there is nobody to tell.
        drop(self.inbox.send(input));
        id
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        drop(self.inbox.send(Input::Disconnected { connection: self.connection }));
    }
}

/// A front end that a person uses: it can decide.
#[derive(Debug)]
pub struct PersonFront(pub(crate) Line);

/// A front end that a model uses: it can call tools, and decide nothing.
#[derive(Debug)]
pub struct AgentFront(pub(crate) Line);

/// The model that the session's conversation is with: it can call tools and speak.
#[derive(Debug)]
pub struct ConversationFront(pub(crate) Line);

/// A front end that only looks on.
#[derive(Debug)]
pub struct ObserverFront(pub(crate) Line);

macro_rules! common {
    ($front:ident) => {
        impl $front {
            /// Events since the last look.
            pub fn events(&self) -> impl Iterator<Item = Event> {
                self.0.events.try_iter()
            }

            /// Which connection it is.
            #[must_use]
            pub fn connection(&self) -> ConnectionId {
                self.0.connection
            }

            /// Sends anything that the protocol knows; the bridge refuses what the connection may not.
            pub fn submit(&self, op: Op) -> CallId {
                self.0.submit(op)
            }
        }

        impl Link for $front {
            fn submit(&self, op: Op) -> CallId {
                self.0.submit(op)
            }

            fn events(&self) -> &Receiver<Event> {
                &self.0.events
            }
        }
    };
}
common!(PersonFront);
common!(AgentFront);
common!(ConversationFront);
common!(ObserverFront);

impl PersonFront {
    /// Calls a tool.
    pub fn call(&self, tool: &str, params: Value, apply: Apply) -> CallId {
        self.0.submit(Op::Call { tool: tool.into(), params, apply })
    }

    /// Decides on a plan.
    pub fn decide(&self, plan: PlanId, decision: Decision) -> CallId {
        self.0.submit(Op::Decide { plan, decision })
    }

    /// Brings in a plan from a file.
    pub fn add_plan(&self, plan: Plan) -> CallId {
        self.0.submit(Op::AddPlan { plan: Box::new(plan) })
    }

    /// Takes back the last step.
    pub fn undo(&self) -> CallId {
        self.0.submit(Op::Undo)
    }

    /// Does the last undone step again.
    pub fn redo(&self) -> CallId {
        self.0.submit(Op::Redo)
    }

    /// Stops a running call.
    pub fn cancel(&self, call: CallId) -> CallId {
        self.0.submit(Op::Cancel { call })
    }
}

impl AgentFront {
    /// Calls a tool; trust and policy say what follows.
    pub fn call(&self, tool: &str, params: Value) -> CallId {
        self.0.submit(Op::Call { tool: tool.into(), params, apply: Apply::ByPolicy })
    }
}

impl ConversationFront {
    /// Calls a tool; trust and policy say what follows.
    pub fn call(&self, tool: &str, params: Value) -> CallId {
        self.0.submit(Op::Call { tool: tool.into(), params, apply: Apply::ByPolicy })
    }

    /// Says something.
    pub fn speak(&self, speech: Speech) -> CallId {
        self.0.submit(Op::Speak { speech })
    }
}
