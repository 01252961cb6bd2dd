//! The connection to the hub of the open session: calls and their answers, and the events meanwhile.
//!
//! A link blocks, so one thread of its own listens to it and hands each event to whoever waits for it.

use crate::host_program::Opened;
use deskhand_protocol::{Apply, CallId, Event, Link, News, Op, Read, ToolInfo, ToolResult};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Author, PlanId, RevisionId};
use parking_lot::Mutex;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::{broadcast, watch};

/// The number of events that a reader may lag before it reads everything again.
const HEARD: usize = 1_024;

/// Events that `deskhand://events` shows.
const REMEMBERED: usize = 200;

/// The longest that an answer to a read is waited for.
const READING: Duration = Duration::from_secs(30);

/// A connection to the hub of a session.
pub(crate) struct Line {
    /// The session folder.
    pub(crate) dir: PathBuf,
    state: Mutex<State>,
    heard: broadcast::Sender<Arc<Event>>,
}

struct State {
    link: Box<dyn Link>,
    /// Calls that are not answered yet.
    waiting: HashMap<CallId, watch::Sender<Progress>>,
    events: VecDeque<Value>,
    /// Plans that go on in another one.
    follows: BTreeMap<PlanId, PlanId>,
    is_gone: bool,
}

/// How far a call is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress {
    /// 0 to 1.
    pub(crate) fraction: f64,
    /// The current object.
    pub(crate) what: String,
    /// Its answer, once it is there.
    pub(crate) result: Option<Arc<ToolResult>>,
}

/// A submission that was made.
#[derive(Clone)]
pub(crate) struct Call {
    line: Arc<Line>,
    id: CallId,
    progress: watch::Receiver<Progress>,
}

impl Line {
    /// A line over `opened`, with its listening thread.
    pub(crate) fn new(opened: Opened) -> Result<Arc<Self>, ToolError> {
        let events = opened.link.events().clone();
        let state = State {
            link: opened.link,
            waiting: HashMap::new(),
            events: VecDeque::new(),
            follows: BTreeMap::new(),
            is_gone: false,
        };
        let heard = broadcast::Sender::new(HEARD);
        let line = Arc::new(Self { dir: opened.dir, state: Mutex::new(state), heard });
        let weak = Arc::downgrade(&line);
        let listen = move || listen(&events, &weak);
        let thread = std::thread::Builder::new().name("deskhand-mcp".into()).spawn(listen);
        thread.map(|_| Arc::clone(&line)).map_err(|error| {
            let fix = "end other programs, and try again";
            ToolError::prepare(Code::Refused, format!("no thread can be started: {error}"), fix)
        })
    }

    pub(crate) fn submit(self: &Arc<Self>, op: Op) -> Call {
        let (sender, progress) = watch::channel(Progress::default());
        let mut state = self.state.lock();
        let id = state.link.submit(op);
        if !state.is_gone {
            state.waiting.insert(id, sender);
        }
        Call { line: Arc::clone(self), id, progress }
    }

    /// Reads something of the session.
    pub(crate) async fn read<T: DeserializeOwned>(
        self: &Arc<Self>,
        what: Read,
    ) -> Result<T, ToolError> {
        let mut call = self.submit(Op::Read { what });
        let result = tokio::time::timeout(READING, call.done()).await.map_err(|_| slow())?;
        if let Some(error) = &result.error {
            return Err(error.clone());
        }
        let answer = result.answer.clone().unwrap_or(Value::Null);
        serde_json::from_value(answer).map_err(|error| {
            let fix = "let the hub and this server be of one version of Deskhand";
            ToolError::run(
                Code::Invalid,
                format!("the hub's answer is not understood: {error}"),
                fix,
            )
        })
    }

    /// What a tool that only reads finds, called without parameters.
    pub(crate) async fn ask(self: &Arc<Self>, tool: &str) -> Result<Value, ToolError> {
        let (tool, params) = (tool.to_owned(), json!({}));
        let mut call = self.submit(Op::Call { tool, params, apply: Apply::Never });
        let result = tokio::time::timeout(READING, call.done()).await.map_err(|_| slow())?;
        match &result.error {
            Some(error) => Err(error.clone()),
            None => Ok(result.answer.clone().unwrap_or(Value::Null)),
        }
    }

    /// Every tool of the session, by name.
    pub(crate) async fn tools(self: &Arc<Self>) -> Result<Vec<ToolInfo>, ToolError> {
        let mut tools: Vec<ToolInfo> = self.read(Read::Tools).await?;
        tools.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(tools)
    }

    pub(crate) fn hear(&self) -> broadcast::Receiver<Arc<Event>> {
        self.heard.subscribe()
    }

    /// The last events, oldest first.
    pub(crate) fn events(&self) -> Vec<Value> {
        self.state.lock().events.iter().cloned().collect()
    }

    pub(crate) fn follower(&self, plan: PlanId) -> Option<PlanId> {
        self.state.lock().follows.get(&plan).copied()
    }

    /// Whether the hub has ended.
    pub(crate) fn is_gone(&self) -> bool {
        self.state.lock().is_gone
    }

    fn take(&self, event: Event) {
        let event = Arc::new(event);
        let mut state = self.state.lock();
        state.answer(&event);
        match &event.news {
            News::Decided { plan, follows: Some(next), .. } => {
                state.follows.insert(*plan, *next);
            }
            News::Decided { plan, follows: None, .. } => {
                state.follows.remove(plan);
            }
            _ => {}
        }
        if let Some(note) = noted(&event) {
            state.events.push_back(note);
            if state.events.len() > REMEMBERED {
                state.events.pop_front();
            }
        }
        drop(state);
        // Nobody may be listening.
        drop(self.heard.send(event));
    }

    fn end(&self) {
        let mut state = self.state.lock();
        state.is_gone = true;
        state.waiting.clear();
        drop(state);
        // Waiting readers look again, and find that the hub is gone.
        let event = Event { number: 0, author: Author::User, call: None, news: News::Lagged };
        drop(self.heard.send(Arc::new(event)));
    }
}

impl State {
    fn answer(&mut self, event: &Event) {
        let Some(call) = event.call else {
            return;
        };
        match &event.news {
            News::Done { result } => {
                if let Some(sender) = self.waiting.remove(&call) {
                    let result = Arc::new((**result).clone());
                    sender.send_modify(|progress| progress.result = Some(result));
                }
            }
            News::Progress { fraction, what } => {
                if let Some(sender) = self.waiting.get(&call) {
                    sender.send_modify(|progress| {
                        progress.fraction = progress.fraction.max(*fraction);
                        progress.what.clone_from(what);
                    });
                }
            }
            _ => {}
        }
    }
}

impl Call {
    pub(crate) fn progress(&self) -> Progress {
        self.progress.borrow().clone()
    }

    /// Its answer, when it comes.
    pub(crate) async fn done(&mut self) -> Arc<ToolResult> {
        let found = self.progress.wait_for(|progress| progress.result.is_some()).await;
        let result = found.ok().and_then(|progress| progress.result.clone());
        result.unwrap_or_else(|| Arc::new(ToolResult::failed(gone(), RevisionId(0))))
    }

    /// Waits until it is answered or further on. Returns at once when the hub is gone.
    pub(crate) async fn changed(&mut self) {
        if self.progress.changed().await.is_err() && self.progress().result.is_none() {
            // The sender is gone: nothing more comes.
            self.done().await;
        }
    }

    /// Whether it is answered, or never will be.
    pub(crate) fn is_over(&self) -> bool {
        self.progress().result.is_some() || self.progress.has_changed().is_err()
    }

    /// Asks the hub to stop it.
    pub(crate) fn cancel(&self) {
        // The call itself is answered as cancelled; this needs no answer of its own.
        drop(self.line.submit(Op::Cancel { call: self.id }));
    }

    pub(crate) fn line(&self) -> &Arc<Line> {
        &self.line
    }
}

/// Runs until the hub, or the line, is gone.
fn listen(events: &crossbeam_channel::Receiver<Event>, line: &Weak<Line>) {
    while let Ok(event) = events.recv() {
        let Some(line) = line.upgrade() else {
            return;
        };
        line.take(event);
    }
    if let Some(line) = line.upgrade() {
        line.end();
    }
}

/// An event as `deskhand://events` shows it, small; `None` if it does not matter later.
fn noted(event: &Event) -> Option<Value> {
    let news = match &event.news {
        News::Progress { .. }
        | News::Provisional { .. }
        | News::Saying { .. }
        | News::Done { .. }
        | News::Lagged => return None,
        News::Review { plan } => {
            json!({"news": "review", "plan": plan.id, "tool": plan.tool, "summary": plan.summary})
        }
        News::Moved { from, to, label, changes, .. } => {
            json!({"news": "moved", "from": from, "to": to, "label": label, "changes": changes.len()})
        }
        news => serde_json::to_value(news).ok()?,
    };
    Some(json!({"number": event.number, "author": event.author, "event": news}))
}

fn gone() -> ToolError {
    let fix = "try again: the session is opened again";
    ToolError::run(Code::Refused, "the hub of this session has ended", fix)
}

fn slow() -> ToolError {
    let fix = "try again in a moment";
    ToolError::run(Code::TimedOut, "the hub of this session did not answer in 30 s", fix)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{link, mortal, plan};

    fn opened(link: Box<dyn Link>) -> Arc<Line> {
        Line::new(Opened { dir: "one.deskhand".into(), link }).unwrap()
    }

    #[tokio::test]
    async fn a_hub_that_ended_answers_with_the_way_out() {
        let (link, sender) = mortal();
        let line = opened(link);
        let (mut call, mut heard) = (line.submit(Op::Undo), line.hear());
        drop(sender);
        let error = call.done().await.error.clone().unwrap();
        assert_eq!(error.fix, "try again: the session is opened again");
        assert!(call.is_over());
        assert!(line.read::<Value>(Read::History).await.is_err());
        assert_eq!(heard.recv().await.unwrap().news, News::Lagged);
    }

    #[tokio::test]
    async fn events_are_remembered_small_and_not_for_ever() {
        let (link, hub) = link(|_, _, _| {});
        let line = opened(link);
        let mut heard = line.hear();
        for number in 0..250 {
            hub.tell(None, News::Review { plan: Box::new(plan(number, "it")) });
            hub.tell(None, News::Saying { text: "x".into() });
        }
        for _ in 0..500 {
            heard.recv().await.unwrap();
        }
        let events = line.events();
        assert_eq!(events.len(), REMEMBERED);
        assert_eq!(events[0]["event"]["plan"], json!(PlanId::new(50)));
        assert_eq!(events[0]["author"], json!(Author::Agent));
        assert_eq!(line.follower(PlanId::new(1)), None);
    }
}
