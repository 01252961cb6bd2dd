//! Front ends in this process. What a handle can send is decided by its type, and checked again by the
//! bridge against the connection.

use crate::bridge::Bridge;
use crate::input::Input;
use crate::policy::Authority;
use crossbeam_channel::{Receiver, Sender, bounded};
use deskhand_protocol::{Apply, CallId, Decision, Event, News, Op, Submission};
use deskhand_session::{Author, Plan, PlanId};
use serde_json::Value;
use std::sync::atomic::{AtomicU64, Ordering};

/// Events a front end may lag behind before it misses some.
const LAG: usize = 8_192;

/// Names a connection; the bridge keeps its authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionId(pub(crate) u64);

/// The bridge's side of a connection.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) id: ConnectionId,
    pub(crate) authority: Authority,
    events: Sender<Event>,
}

/// Who asked for something, and under which number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Asker {
    pub(crate) connection: ConnectionId,
    pub(crate) call: CallId,
    pub(crate) author: Author,
}

#[derive(Debug)]
struct Line {
    connection: ConnectionId,
    inbox: Sender<Input>,
    events: Receiver<Event>,
    calls: AtomicU64,
}

impl Line {
    fn submit(&self, op: Op) -> CallId {
        let id = CallId(self.calls.fetch_add(1, Ordering::Relaxed) + 1);
        let submission = Submission { id, op };
        let input = Input::Submitted { connection: self.connection, submission };
        // The bridge owns the other end; without a bridge there is nobody to tell.
        drop(self.inbox.send(input));
        id
    }
}

/// A front end that a person uses: it can decide.
#[derive(Debug)]
pub struct PersonFront(Line);

/// A front end that a model uses: it can call tools, and decide nothing.
#[derive(Debug)]
pub struct AgentFront(Line);

/// A front end that only looks on.
#[derive(Debug)]
pub struct ObserverFront(Line);

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
    };
}
common!(PersonFront);
common!(AgentFront);
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

impl Bridge {
    /// A connection with a person's authority.
    pub fn connect_person(&mut self) -> PersonFront {
        PersonFront(self.connect(Authority::Person))
    }

    /// A connection with a model's authority.
    pub fn connect_agent(&mut self) -> AgentFront {
        AgentFront(self.connect(Authority::Agent))
    }

    /// A connection that hears everything and may ask for nothing.
    pub fn connect_observer(&mut self) -> ObserverFront {
        ObserverFront(self.connect(Authority::Observer))
    }

    fn connect(&mut self, authority: Authority) -> Line {
        let (sender, events) = bounded(LAG);
        let connection = ConnectionId(self.next_number());
        self.connections.push(Connection { id: connection, authority, events: sender });
        Line { connection, inbox: self.inbox.0.clone(), events, calls: AtomicU64::new(0) }
    }

    /// Tells every front end; the call is named on the connection that made it.
    pub(crate) fn tell(&mut self, author: Author, asker: Option<Asker>, news: News) {
        self.events += 1;
        let number = self.events;
        for connection in &self.connections {
            let call = asker.filter(|a| a.connection == connection.id).map(|a| a.call);
            let event = Event { number, author, call, news: news.clone() };
            // A reader that lags finds a gap in the numbers and reads the session anew.
            drop(connection.events.try_send(event));
        }
    }

    pub(crate) fn authority_of(&self, id: ConnectionId) -> Authority {
        let mut connections = self.connections.iter();
        connections.find(|c| c.id == id).map_or(Authority::Observer, |c| c.authority)
    }
}
