//! The state that all clients of one server share: the open session, the calls that outlive their request,
//! the options. Over HTTP a client may have no lasting connection, so nothing is kept per client.

use crate::calls::PATIENCE;
use crate::connection::Line;
use crate::elicit::Sealing;
use crate::fixtures;
use crate::host_program::{Door, Opened, Shown};
use crate::job::Jobs;
use crate::options::{Fixtures, Options};
use deskhand_session::PlanId;
use deskhand_session::tool_error::{Code, ToolError};
use parking_lot::Mutex;
use rmcp::task_manager::TaskManager;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// The state that all clients of one server share.
pub(crate) struct Desk {
    /// The program around.
    pub(crate) door: Arc<dyn Door>,
    /// How the server is run.
    pub(crate) options: Options,
    /// Calls that outlive their request.
    pub(crate) jobs: Jobs,
    /// The same for clients that speak Tasks.
    pub(crate) tasks: TaskManager,
    /// The state for the conformance suite, if it is served.
    pub(crate) fixtures: Option<fixtures::State>,
    /// Marks questions that were put to the person at a client.
    pub(crate) sealing: Sealing,
    /// How long a call may take before it goes on as a job.
    pub(crate) patience: Duration,
    line: Mutex<Option<Arc<Line>>>,
    opening: tokio::sync::Mutex<()>,
    /// Where plans were shown: no plan opens two windows.
    shown: Mutex<BTreeMap<PlanId, Shown>>,
    /// Counts how often another session was opened.
    switched: watch::Sender<u64>,
}

impl Desk {
    /// A desk with the session of the options open.
    pub(crate) fn new(door: impl Door, options: Options) -> Result<Arc<Self>, ToolError> {
        let fixtures = match options.fixtures {
            Fixtures::Absent => None,
            Fixtures::Served => Some(fixtures::State::default()),
        };
        let desk = Self {
            fixtures,
            door: Arc::new(door),
            options,
            jobs: Jobs::default(),
            tasks: TaskManager::new(),
            sealing: Sealing::new()?,
            patience: PATIENCE,
            line: Mutex::new(None),
            opening: tokio::sync::Mutex::default(),
            shown: Mutex::default(),
            switched: watch::Sender::new(0),
        };
        if let Some(dir) = desk.options.dir.clone() {
            desk.sit(desk.door.open(&dir)?)?;
        }
        Ok(Arc::new(desk))
    }

    /// Makes `opened` the session that everything is about.
    pub(crate) fn sit(&self, opened: Opened) -> Result<Arc<Line>, ToolError> {
        let line = Line::new(opened)?;
        *self.line.lock() = Some(Arc::clone(&line));
        self.switched.send_modify(|count| *count += 1);
        Ok(line)
    }

    /// The open session in its current state, if there is one; its hub may have ended.
    pub(crate) fn seat(&self) -> Option<Arc<Line>> {
        self.line.lock().clone()
    }

    /// The open session. If its hub has ended, it is reopened.
    pub(crate) async fn line(&self) -> Result<Arc<Line>, ToolError> {
        // One at a time: a session is not opened twice.
        let _opening = self.opening.lock().await;
        let line = self.seat().ok_or_else(|| {
            let fix = "call list_sessions, then open_session or new_session";
            ToolError::prepare(Code::NoTarget, "no session is open", fix)
        })?;
        if !line.is_gone() {
            return Ok(line);
        }
        let dir = line.dir.clone();
        self.sit(self.at_door(move |door| door.open(&dir)).await??)
    }

    /// Tells when another session is opened.
    pub(crate) fn switches(&self) -> watch::Receiver<u64> {
        self.switched.subscribe()
    }

    /// Runs something of the door on a thread of its own.
    pub(crate) async fn at_door<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&dyn Door) -> T + Send + 'static,
    ) -> Result<T, ToolError> {
        let door = Arc::clone(&self.door);
        let answer = tokio::task::spawn_blocking(move || ask(&*door)).await;
        answer.map_err(|error| {
            let message = format!("the program around this server failed: {error}");
            ToolError::run(Code::Panicked, message, "report this; the session is as it was")
        })
    }

    /// How a person decides on `plan`: shows it to them where that can be done.
    pub(crate) async fn show(&self, line: &Line, plan: PlanId) -> Value {
        let dir = line.dir.clone();
        if let Some(shown) = self.shown.lock().get(&plan).copied() {
            return decided_by(shown, &self.door.command(&dir, plan));
        }
        let shown = self.at_door(move |door| (door.show(&dir, plan), door.command(&dir, plan)));
        let Ok((shown, command)) = shown.await else {
            return self.command(line.dir.clone(), plan).await;
        };
        self.shown.lock().insert(plan, shown);
        decided_by(shown, &command)
    }

    /// How a person decides on `plan`, without showing it to them again.
    pub(crate) async fn command(&self, dir: PathBuf, plan: PlanId) -> Value {
        let command = self.at_door(move |door| door.command(&dir, plan)).await;
        decided_by(Shown::Terminal, &command.unwrap_or_default())
    }
}

fn decided_by(shown: Shown, command: &str) -> Value {
    let how = match shown {
        Shown::Attached => "The person sees it now, and decides there or in a terminal.",
        Shown::Window => "A window was opened on it; the person decides there or in a terminal.",
        Shown::Terminal => "Ask the person to run the command in a terminal.",
    };
    json!({"by": "person", "where": shown, "command": command, "how": how})
}
