//! The conversation in a terminal: a prompt for words, cards with keys, and news in between.

use super::editor::{Editor, Typed};
use super::keys::{Keys, Pressed};
use super::story::Story;
use crate::card::{Key, read_key};
use crate::commands::plan::plans_table;
use crate::commands::show;
use crate::desk::{Guest, gone};
use crate::exit::Failure;
use crate::interrupt;
use crate::output::Output;
use crate::relay::Relay;
use crate::serving::history_file;
use crossbeam_channel::{RecvTimeoutError, TryRecvError};
use deskhand_protocol::desk::{Notice, NoticeKind};
use deskhand_protocol::{Apply, Decision, Event, News, Op, Read, ToolResult};
use deskhand_session::plan::Narrowed;
use deskhand_session::{Plan, PlanId, PlanState, Said, StoredPlan};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Messages of earlier that are shown at the start.
const TAIL: usize = 8;

/// How often keys are looked for while the model works.
const GLANCE: Duration = Duration::from_millis(25);

const HELP: &str = "say what you want, or:
  /plans          plans that wait       /plan ID    decide on one of them
  /undo, /redo    undo or redo a step
  /show           the session           /local      switch: send nothing off this machine
  /help, /quit    Ctrl-D leaves too; Esc or Ctrl-C stops the model";

/// Whether to continue after an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goes {
    On,
    Away,
}

/// A person at a terminal.
pub(super) struct Terminal {
    guest: Guest,
    story: Story,
    editor: Editor,
    output: Output,
    provider: Option<String>,
    /// Plans that wait for this person, the first one is decided on.
    cards: VecDeque<Plan>,
    /// Questions that wait for this person's words.
    queries: VecDeque<Notice>,
    /// The card or question that was shown last.
    shown: Option<String>,
    is_stopping: bool,
    /// Raised when something was heard.
    news: Arc<AtomicBool>,
}

impl Terminal {
    pub(super) fn new(
        guest: Guest,
        provider: Option<String>,
        output: Output,
    ) -> Result<Self, Failure> {
        let flag = Arc::new(AtomicBool::new(false));
        let raised = Arc::clone(&flag);
        interrupt::ring(Arc::clone(&flag));
        let guest = guest.rewired(|link| Ok(Box::new(Relay::over(link, raised)?)))?;
        let story = Story::new(output, &guest.snapshot().folder);
        Ok(Self {
            story,
            editor: Editor::new(history_file(), Arc::clone(&flag)),
            news: flag,
            guest,
            output,
            provider,
            cards: VecDeque::new(),
            queries: VecDeque::new(),
            shown: None,
            is_stopping: false,
        })
    }

    /// Talks until the person leaves.
    pub(super) fn run(&mut self) -> Result<(), Failure> {
        self.begin()?;
        loop {
            self.take_news()?;
            let goes = if self.is_working() { self.watch()? } else { self.prompt()? };
            if goes == Goes::Away {
                if self.guest.snapshot().is_turn_running {
                    self.guest.link().submit(Op::StopTurn);
                }
                return Ok(());
            }
        }
    }

    /// Prints the last messages, and the waiting plan.
    fn begin(&mut self) -> Result<(), Failure> {
        let said: Vec<Said> = self.guest.read(Read::Conversation)?;
        for said in said.iter().skip(said.len().saturating_sub(TAIL)) {
            self.story.said(said, false);
        }
        let mut waiting = self.waiting()?;
        let newest = waiting.pop();
        if !waiting.is_empty() {
            self.story.dim(format!("{} more plans wait: /plans", waiting.len()));
        }
        self.cards.extend(newest);
        self.story.dim("say what you want; /help lists the rest");
        Ok(())
    }

    fn waiting(&mut self) -> Result<Vec<Plan>, Failure> {
        let plans: Vec<StoredPlan> = self.guest.read(Read::Plans)?;
        let waiting = plans.into_iter().filter(|stored| stored.state == PlanState::Waiting);
        Ok(waiting.map(|stored| stored.plan).collect())
    }

    /// Whether the model works and nothing waits for the person.
    fn is_working(&self) -> bool {
        let asks_nothing = self.cards.is_empty() && self.queries.is_empty();
        self.guest.snapshot().is_turn_running && (asks_nothing || self.is_stopping)
    }

    /// Handles all events that arrived meanwhile.
    fn take_news(&mut self) -> Result<(), Failure> {
        // Cleared before the check: later news sets it again.
        self.news.store(false, Ordering::Relaxed);
        loop {
            match self.guest.link().events().try_recv() {
                Ok(event) => self.hear(&event)?,
                Err(TryRecvError::Empty) => return Ok(()),
                Err(TryRecvError::Disconnected) => return Err(gone()),
            }
        }
    }

    fn hear(&mut self, event: &Event) -> Result<(), Failure> {
        if self.guest.follow(event)? {
            let known = &self.guest.snapshot().plans;
            self.cards.retain(|plan| known.get(&plan.id) == Some(&PlanState::Waiting));
        }
        match &event.news {
            News::Review { plan } => self.cards.push_back(Plan::clone(plan)),
            News::Decided { plan, .. } => self.cards.retain(|card| card.id != *plan),
            News::Notice { notice } if notice.kind == NoticeKind::Query => {
                self.queries.push_back(notice.clone());
            }
            News::NoticeAnswered { notice_id, .. } => {
                self.queries.retain(|notice| notice.notice_id != *notice_id);
            }
            News::TurnEnded { .. } => self.is_stopping = false,
            _ => {}
        }
        self.story.tell(event, self.guest.session());
        Ok(())
    }

    /// While the model works: its words stream, Esc and Ctrl-C stop it.
    fn watch(&mut self) -> Result<Goes, Failure> {
        let keys = Keys::watch();
        while self.is_working() {
            match keys.next(GLANCE) {
                Pressed::Nothing => {}
                Pressed::Stop if !self.is_stopping => self.stop(),
                Pressed::Stop | Pressed::Leave => return Ok(Goes::Away),
            }
            self.take_news()?;
        }
        Ok(Goes::On)
    }

    fn stop(&mut self) {
        self.is_stopping = true;
        self.guest.link().submit(Op::StopTurn);
    }

    /// Shows what waits for the person, and reads a line.
    fn prompt(&mut self) -> Result<Goes, Failure> {
        let word = if let Some(query) = self.queries.front() {
            self.shown = Some(query.notice_id.clone());
            "answer "
        } else if let Some(plan) = self.cards.front().cloned() {
            if self.shown != Some(plan.id.to_string()) {
                self.show(&plan);
            }
            "decide "
        } else {
            ""
        };
        let _earlier = interrupt::take();
        let typed = self.editor.read(word)?;
        // In a prompt Ctrl-C is a key; a signal means that the program should end.
        if interrupt::take() {
            return Ok(Goes::Away);
        }
        match typed {
            Typed::Line(line) => self.take(&line),
            Typed::Leave => Ok(Goes::Away),
            Typed::News => {
                // The text typed so far is drawn again below the news.
                self.output.piece("\r\x1b[J");
                Ok(Goes::On)
            }
            Typed::Stop => {
                if self.guest.snapshot().is_turn_running {
                    self.stop();
                }
                Ok(Goes::On)
            }
        }
    }

    fn show(&mut self, plan: &Plan) {
        self.story.plan(plan, self.guest.session());
        self.story.dim(crate::card::keys(plan));
        self.shown = Some(plan.id.to_string());
    }

    /// Takes a line: a command, an answer, a key at the card, or words for the model.
    fn take(&mut self, line: &str) -> Result<Goes, Failure> {
        if let Some(command) = line.trim().strip_prefix('/') {
            return self.command(command);
        }
        if let Some(query) = self.queries.front() {
            match answer_to(query, line.trim()) {
                Ok(op) => drop(self.ask(op)?),
                Err(fix) => self.story.dim(fix),
            }
            return Ok(Goes::On);
        }
        let Some(plan) = self.cards.front().cloned() else {
            return self.say(line);
        };
        match read_key(line, &plan) {
            Key::Decide(decision) => self.decide(plan.id, decision)?,
            Key::Narrow(parts) => self.narrow(&plan, &parts)?,
            Key::Stop if self.guest.snapshot().is_turn_running => self.stop(),
            Key::Stop => self.story.dim("the model is not working on anything"),
            Key::Show => self.show(&plan),
            Key::Unclear(fix) => self.story.dim(fix),
            Key::Words if self.guest.snapshot().is_turn_running => {
                self.story.dim("decide first; to reject it with a reason: r WHY");
            }
            Key::Words => return self.say(line),
        }
        Ok(Goes::On)
    }

    fn decide(&mut self, plan: PlanId, decision: Decision) -> Result<(), Failure> {
        let result = self.ask(Op::Decide { plan, decision })?;
        if result.error.is_none() {
            self.cards.retain(|card| card.id != plan);
        }
        Ok(())
    }

    /// Requests a plan of some parts only. That plan replaces this one.
    fn narrow(&mut self, plan: &Plan, parts: &[String]) -> Result<(), Failure> {
        let Narrowed { params, reason } = match plan.narrowed(parts) {
            Ok(narrowed) => narrowed,
            Err(error) => {
                self.story.dim(error.to_string());
                return Ok(());
            }
        };
        let (tool, apply) = (plan.tool.clone(), Apply::Never);
        let result = self.ask(Op::Call { tool, params, apply })?;
        match result.plan.is_some() {
            true => self.decide(plan.id, Decision::Reject { reason }),
            false => Ok(()),
        }
    }

    fn say(&mut self, words: &str) -> Result<Goes, Failure> {
        if words.trim().is_empty() {
            return Ok(Goes::On);
        }
        let (text, provider) = (words.to_owned(), self.provider.clone());
        self.ask(Op::Say { text, provider, attended: true }).map(|_| Goes::On)
    }

    fn command(&mut self, command: &str) -> Result<Goes, Failure> {
        let (name, rest) = command.split_once(' ').unwrap_or((command, ""));
        match name {
            "quit" | "exit" | "q" => return Ok(Goes::Away),
            "undo" => drop(self.ask(Op::Undo)?),
            "redo" => drop(self.ask(Op::Redo)?),
            "show" => {
                let shown = show::overview(self.guest.session(), self.output);
                self.story.line(shown);
            }
            "plans" => self.list()?,
            "plan" => self.choose(rest.trim())?,
            "local" => self.switch_local()?,
            "help" => self.story.line(HELP),
            _ => self.story.dim(format!("there is no /{name}; /help lists the commands")),
        }
        Ok(Goes::On)
    }

    fn list(&mut self) -> Result<(), Failure> {
        let plans: Vec<StoredPlan> = self.guest.read(Read::Plans)?;
        let waiting = plans.into_iter().filter(|stored| stored.state == PlanState::Waiting);
        let waiting: Vec<_> = waiting.collect();
        let table = plans_table(&waiting, self.output);
        self.story.line(if waiting.is_empty() { "no plan waits".to_owned() } else { table });
        Ok(())
    }

    /// Takes a plan that waits to the front.
    fn choose(&mut self, id: &str) -> Result<(), Failure> {
        let waiting = self.waiting()?;
        match waiting.into_iter().find(|plan| plan.id.to_string() == id) {
            Some(plan) => {
                self.cards.retain(|card| card.id != plan.id);
                self.cards.push_front(plan);
                self.shown = None;
            }
            None => {
                self.story.dim(format!("no plan \"{id}\" waits; /plans lists the plans that wait"));
            }
        }
        Ok(())
    }

    /// Turns the session's switch; the change is printed like other news.
    fn switch_local(&mut self) -> Result<(), Failure> {
        let on = !self.guest.snapshot().local_only;
        self.ask(Op::LocalOnly { on }).map(drop)
    }

    /// Submits `op` and handles events until it is answered; an error is printed. Ctrl-C cancels it.
    fn ask(&mut self, op: Op) -> Result<ToolResult, Failure> {
        let call = self.guest.link().submit(op);
        loop {
            if interrupt::take() {
                self.guest.link().submit(Op::Cancel { call });
            }
            let event = match self.guest.link().events().recv_timeout(GLANCE) {
                Ok(event) => event,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
            };
            self.hear(&event)?;
            let (Some(of), News::Done { result }) = (event.call, event.news) else {
                continue;
            };
            if of == call {
                if let Some(error) = &result.error {
                    self.story.line(format!("  {}; {}", error.message, error.fix));
                }
                return Ok(*result);
            }
        }
    }
}

/// The answer in a line to a question: the choice with that number, or the words themselves; an empty line
/// closes the question. A number that is no choice is not an answer: it was probably mistyped.
fn answer_to(query: &Notice, line: &str) -> Result<Op, String> {
    let count = query.choices.len();
    let number = line.parse::<usize>().ok().filter(|_| count > 0);
    let answer = match number.map(|number| query.choices.get(number.wrapping_sub(1))) {
        Some(Some(choice)) => Some(choice.clone()),
        Some(None) => return Err(format!("the choices are 1 to {count}; or answer in words")),
        None => Some(line.to_owned()).filter(|words| !words.is_empty()),
    };
    Ok(Op::AnswerNotice { notice_id: query.notice_id.clone(), answer })
}
