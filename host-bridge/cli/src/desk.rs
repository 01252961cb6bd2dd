//! An open session, as the commands use it: its bridge in this process, a hub that serves it, or only a
//! look where it cannot be written.

mod hub_client;
mod open;
mod renderer;

pub(crate) use hub_client::{Guest, gone};
pub(crate) use open::{Found, OpenedDesk, find_or_open, open_own};

use crate::declared::by;
use crate::exit::Failure;
use crate::interrupt;
use crate::output::Output;
use crate::progress::Bar;
use deskhand_agent::Vocabulary;
use deskhand_agent::answers::AnswerSource;
use deskhand_bounce::SessionAudio;
use deskhand_bridge::{Bridge, PersonFront, tool_infos};
use deskhand_protocol::desk::{Notice, NoticeKind};
use deskhand_protocol::{Apply, Decision, Event, Link, News, Op, Read, ToolResult};
use deskhand_session::offers::Gesture;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Change, ObjectId, Plan, PlanId, Revision, RevisionId, Session, StoredPlan};
use deskhand_store::Loaded;
use deskhand_toolkit::MeasurementCache;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// An open session.
pub(crate) struct Desk {
    /// Audio of its sources, tracks and the mix, to read.
    pub(crate) audio: SessionAudio,
    cache: Arc<dyn MeasurementCache>,
    seat: Seat,
    /// What a person read of the last answer while it was made.
    told: Vec<String>,
}

/// How a desk reaches its session.
enum Seat {
    /// Its bridge runs on this thread.
    Own { bridge: Box<Bridge>, front: PersonFront },
    /// A hub serves it.
    Guest(Box<Guest>),
    /// It cannot be written, so it is as it was when it was looked into.
    Look { loaded: Box<Loaded>, why: Failure },
}

impl Desk {
    /// Opens the session in `dir` to work in it.
    pub(crate) fn open(dir: &Path, output: Output) -> Result<Self, Failure> {
        Ok(Self::seated(open::open(dir, output)?))
    }

    /// Opens the session in `dir` to look at it, which a folder that cannot be written allows too.
    pub(crate) fn look(dir: &Path, output: Output) -> Result<Self, Failure> {
        Ok(Self::seated(open::look(dir, output)?))
    }

    /// Makes a session in `dir`.
    pub(crate) fn create(dir: &Path, session: &Session) -> Result<Self, Failure> {
        Ok(Self::seated(open::create(dir, session)?))
    }

    fn seated(opened: OpenedDesk) -> Self {
        let OpenedDesk { audio, cache, by } = opened;
        let seat = match by {
            open::By::Bridge(mut bridge) => {
                let front = bridge.connect_person();
                Seat::Own { bridge, front }
            }
            open::By::Hub(guest) => Seat::Guest(guest),
            open::By::Look(loaded, why) => Seat::Look { loaded, why },
        };
        Self { audio, cache, seat, told: Vec::new() }
    }

    /// The current session.
    pub(crate) fn session(&self) -> &Session {
        match &self.seat {
            Seat::Own { bridge, .. } => bridge.session(),
            Seat::Guest(guest) => guest.session(),
            Seat::Look { loaded, .. } => &loaded.session,
        }
    }

    /// How the tools that are there can be asked for.
    pub(crate) fn vocabulary(&mut self) -> Result<Vocabulary, Failure> {
        let tools = match &mut self.seat {
            Seat::Own { bridge, .. } => tool_infos(bridge.registry()),
            Seat::Guest(guest) => guest.read(Read::Tools)?,
            Seat::Look { .. } => Vec::new(),
        };
        Ok(Vocabulary::of(&tools))
    }

    /// Its revision.
    pub(crate) fn head(&self) -> RevisionId {
        match &self.seat {
            Seat::Own { bridge, .. } => bridge.history().head(),
            Seat::Guest(guest) => guest.head(),
            Seat::Look { loaded, .. } => loaded.history.head(),
        }
    }

    /// Every plan, oldest first.
    pub(crate) fn plans(&mut self) -> Result<Vec<StoredPlan>, Failure> {
        match &mut self.seat {
            Seat::Own { bridge, .. } => Ok(bridge.plans().to_vec()),
            Seat::Guest(guest) => guest.read(Read::Plans),
            Seat::Look { loaded, .. } => Ok(loaded.plans.clone()),
        }
    }

    /// A plan by its id.
    pub(crate) fn plan(&mut self, id: PlanId) -> Result<StoredPlan, Failure> {
        let found = |plans: &[StoredPlan]| plans.iter().find(|it| it.plan.id == id).cloned();
        let found = match &mut self.seat {
            Seat::Own { bridge, .. } => found(bridge.plans()),
            Seat::Guest(guest) => {
                let read = guest.read(Read::Plan { plan: id });
                return read.map_err(|error| match error.code.as_str() {
                    "no_target" => no_plan(id),
                    _ => error,
                });
            }
            Seat::Look { loaded, .. } => found(&loaded.plans),
        };
        found.ok_or_else(|| no_plan(id))
    }

    /// How much of the call that a plan asked leave for is done, 0 to 1, where a hub runs it.
    pub(crate) fn running(&self, plan: PlanId) -> Option<f64> {
        match &self.seat {
            Seat::Guest(guest) => guest.snapshot().running.get(&plan).copied(),
            Seat::Own { .. } | Seat::Look { .. } => None,
        }
    }

    /// Every revision, oldest first.
    pub(crate) fn revisions(&mut self) -> Result<Vec<Revision>, Failure> {
        match &mut self.seat {
            Seat::Own { bridge, .. } => Ok(bridge.history().iter().cloned().collect()),
            Seat::Guest(guest) => guest.revisions(),
            Seat::Look { loaded, .. } => Ok(loaded.history.iter().cloned().collect()),
        }
    }

    /// Measurements and waveforms made before.
    pub(crate) fn cache(&self) -> Arc<dyn MeasurementCache> {
        Arc::clone(&self.cache)
    }

    /// Whether nothing can be changed or stored.
    pub(crate) fn only_looks(&self) -> bool {
        matches!(self.seat, Seat::Look { .. })
    }

    /// Calls a tool.
    pub(crate) fn call(
        &mut self,
        tool: &str,
        params: Value,
        apply: Apply,
    ) -> Result<ToolResult, Failure> {
        self.ask(Op::Call { tool: tool.into(), params, apply }, tool)
    }

    /// Decides on a plan.
    pub(crate) fn decide(
        &mut self,
        plan: PlanId,
        decision: Decision,
    ) -> Result<ToolResult, Failure> {
        self.ask(Op::Decide { plan, decision }, "applying")
    }

    /// Brings in a plan.
    pub(crate) fn add_plan(&mut self, plan: Plan) -> Result<ToolResult, Failure> {
        self.ask(Op::AddPlan { plan: Box::new(plan) }, "reading the plan")
    }

    /// Takes back the last step.
    pub(crate) fn undo(&mut self) -> Result<ToolResult, Failure> {
        self.ask(Op::Undo, "undo")
    }

    /// Does the last undone step again.
    pub(crate) fn redo(&mut self) -> Result<ToolResult, Failure> {
        self.ask(Op::Redo, "redo")
    }

    /// Submits `op` and waits for its answer. Ctrl-C cancels it; the answer then says so.
    fn ask(&mut self, op: Op, what: &str) -> Result<ToolResult, Failure> {
        let answered = expect_success(self.submit(op, what)?);
        answered.map_err(|failure| failure.by_name(self.session()))
    }

    fn submit(&mut self, op: Op, what: &str) -> Result<ToolResult, Failure> {
        let (bar, rate) = (Bar::new(what), self.session().rate);
        let answer = match &mut self.seat {
            Seat::Own { bridge, front } => Ok(pump(bridge, front, op, &bar)),
            Seat::Guest(guest) => guest.ask(op, &mut |event| bar.hear(event, rate)),
            Seat::Look { why, .. } => Err(why.clone()),
        };
        self.told = bar.told();
        answer
    }

    /// The phrases shown on the terminal while the last answer was made.
    pub(crate) fn told(&self) -> &[String] {
        &self.told
    }

    /// Waits until all media is conformed and drawn. Ctrl-C leaves the rest for the next import, and a hub that
    /// serves others goes on by itself; until then the originals are decoded.
    pub(crate) fn finish_media(&mut self, output: Output) {
        let bar = Bar::new("conforming");
        let (bridge, front) = match &mut self.seat {
            Seat::Own { bridge, front } => (bridge, front),
            Seat::Guest(guest) => {
                return guest.finish_media(&mut |event, session| {
                    bar.hear(event, session.rate);
                    warn_of_media(session, event, output);
                });
            }
            Seat::Look { .. } => return,
        };
        while bridge.conforming() > 0 && !interrupt::is_interrupted() {
            bridge.pump_next();
            for event in front.events() {
                bar.hear(&event, bridge.session().rate);
                warn_of_media(bridge.session(), &event, output);
            }
        }
    }

    /// Draws the waveforms of the sources that `plan` added before the session closes. A hub draws them by
    /// itself.
    pub(crate) fn draw_made(&mut self, plan: &Plan, output: Output) {
        let brings = plan.bare_changes().any(|change| matches!(change, Change::AddSource(_)));
        if brings && matches!(self.seat, Seat::Own { .. }) {
            self.finish_media(output);
        }
    }

    /// Closes the session; media that is still being conformed is left for the next import.
    pub(crate) fn close(self) -> Result<(), Failure> {
        match self.seat {
            Seat::Own { bridge, .. } => {
                bridge.close().map_err(|error| Failure::plain("storage", error))
            }
            Seat::Guest(_) | Seat::Look { .. } => Ok(()),
        }
    }
}

impl AnswerSource for Desk {
    fn session(&self) -> &Session {
        Self::session(self)
    }

    fn measure(&mut self, targets: &[ObjectId]) -> Result<Value, ToolError> {
        let (tool, params) = (by(Gesture::MeasureLevels), json!({"targets": targets}));
        let op = Op::Call { tool: tool.into(), params, apply: Apply::Never };
        let result = self.submit(op, tool).map_err(unreached)?;
        result.error.map_or_else(|| Ok(result.answer.unwrap_or_default()), Err)
    }

    fn last_step(&mut self) -> Option<(RevisionId, String)> {
        let head = self.head();
        let revisions = self.revisions().ok()?;
        let last = revisions.into_iter().find(|revision| revision.id == head)?;
        Some((last.id, last.label))
    }
}

/// Measuring did not even begin.
fn unreached(failure: Failure) -> ToolError {
    ToolError::run(Code::Media, failure.message, failure.fix)
}

/// The failure of a plan that is not there.
pub(crate) fn no_plan(id: impl std::fmt::Display) -> Failure {
    let fix = "list the plans with `deskhand plans DIR`";
    Failure::new("no_target", format!("there is no {id} in this session"), fix)
}

/// Runs the bridge until `op` is answered.
fn pump(bridge: &mut Bridge, front: &PersonFront, op: Op, bar: &Bar) -> ToolResult {
    let rate = bridge.session().rate;
    let call = Link::submit(front, op);
    let events = || -> Vec<Event> {
        if interrupt::take() {
            front.cancel(call);
        }
        front.events().collect()
    };
    bridge.pump_until_done(call, events, &mut |event| bar.hear(event, rate))
}

/// Turns an unsuccessful result into a failure.
fn expect_success(result: ToolResult) -> Result<ToolResult, Failure> {
    if result.status.is_failure() { Err(Failure::of_result(&result)) } else { Ok(result) }
}

fn warn_of_media(session: &Session, event: &Event, output: Output) {
    if let News::Media { source, failed: Some(why) } = &event.news {
        let name = session.name_of((*source).into());
        output.warn(format!("\"{name}\" was not conformed: {why}"));
    }
    // Damage that was read as silence, for one.
    if let News::Notice { notice: Notice { kind: NoticeKind::Error, message, .. } } = &event.news {
        output.warn(message);
    }
}
