//! One turn: the model is asked, its calls are carried out, and it is asked again until it has nothing to call.

use super::calls::Calls;
use super::desk::{Desk, Gone};
use super::progress::{Ended, Progress};
use super::still_to_come::StillToCome;
use super::{Settings, later, offline, prompt::Prompt, selection};
use crate::provider::history::{repair, say, trimmed};
use crate::provider::{
    Chosen, Message, Part, Provider, Reach, Reply, StopReason, TurnEvent, TurnRequest,
    process_environment,
};
use deskhand_protocol::Speech;
use deskhand_protocol::desk::TurnReason;
use serde_json::Value;
use std::time::Duration;
use tokio::runtime::Runtime;

/// The most bytes of history that are sent: about 100,000 tokens.
const HISTORY_BYTES: usize = 400_000;

/// How long a connection gets to close.
const CLOSING: Duration = Duration::from_millis(2);

/// How the person asks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    /// Who is to answer; none is the one of the configuration.
    pub(super) provider: Option<&'a str>,
    /// Whether somebody is there to decide on plans.
    pub(super) attended: bool,
}

/// Answers what the person said last; the end of the turn is told in every case.
pub(super) fn answer(
    desk: &mut Desk,
    runtime: &Runtime,
    settings: &mut Settings,
    Asked { provider, attended }: Asked<'_>,
    still: &mut StillToCome,
) {
    let mut progress = Progress::default();
    let reach = if settings.is_local_only() { Reach::LocalOnly } else { Reach::Anywhere };
    // The person may have chosen another provider, or given a key, while the hub runs.
    let config = settings.config.again(&process_environment);
    let chosen = config.map_err(|error| error.to_string()).and_then(|config| {
        settings.config = config;
        let chosen = Provider::open(&settings.config, provider, reach, &process_environment);
        chosen.map_err(|error| error.to_string())
    });
    let ended = match chosen {
        Err(error) => Ok((TurnReason::Failed, error)),
        Ok(Chosen::Offline) => offline::answer(desk, attended, still, &mut progress),
        Ok(Chosen::Model(model)) => {
            let turn = Turn { desk, runtime, settings, model: &model, attended };
            let ended = turn.run(&mut progress);
            drop(model);
            let_go(runtime);
            ended
        }
    };
    if let Ok((reason, message)) = ended {
        desk.speak(Speech::End { end: progress.end(reason, message) });
    }
}

/// A connection is closed by a task that runs only while the runtime does. Without the moment a provider would
/// go on with an answer that nobody waits for.
fn let_go(runtime: &Runtime) {
    runtime.block_on(async { tokio::time::sleep(CLOSING).await });
}

struct Turn<'a> {
    desk: &'a mut Desk,
    runtime: &'a Runtime,
    settings: &'a mut Settings,
    model: &'a Provider,
    attended: bool,
}

/// What a person reads if the provider refuses to answer.
const REFUSED: &str = "the provider refused to answer; ask in other words";

impl Turn<'_> {
    fn run(mut self, progress: &mut Progress) -> Result<Ended, Gone> {
        let tools = self.desk.tools()?;
        let prompt = Prompt::of(&tools);
        let mut history = self.history()?;
        if let Some(selected) = selection::told(self.desk.session()?) {
            say(&mut history, &from_deskhand(&selected));
        }
        let mut calls = Calls::new(tools, self.attended);
        let budget = self.model.budget();
        loop {
            if progress.turns >= budget.turns || progress.usage.total() >= budget.tokens {
                return Ok((TurnReason::Budget, out_of_budget(budget.turns, budget.tokens)));
            }
            let reply = match self.ask(&prompt, &mut history) {
                Ok(Some(reply)) => reply,
                Ok(None) => return Ok((TurnReason::Stopped, "stopped".into())),
                Err(message) => return Ok((TurnReason::Failed, message)),
            };
            progress.turns += 1;
            progress.usage += reply.usage;
            let goes_on = self.take(reply.parts, &mut history, &mut calls, progress)?;
            if self.desk.is_stopped() {
                return Ok((TurnReason::Stopped, "stopped".into()));
            }
            match reply.stop {
                StopReason::Refusal => {
                    return Ok((TurnReason::Refused, REFUSED.into()));
                }
                StopReason::Paused if !goes_on => say(&mut history, "(go on)"),
                StopReason::Paused => {}
                StopReason::MaxTokens if !goes_on => {
                    let message =
                        "the answer is longer than the model may write; ask for less at a time";
                    return Ok((TurnReason::Budget, message.into()));
                }
                StopReason::EndTurn | StopReason::ToolUse | StopReason::MaxTokens if goes_on => {}
                StopReason::EndTurn | StopReason::ToolUse | StopReason::MaxTokens => {
                    return Ok((TurnReason::Finished, String::new()));
                }
            }
        }
    }

    /// The conversation so far, in the form that every provider accepts.
    fn history(&mut self) -> Result<Vec<Message>, Gone> {
        let said = self.desk.conversation()?;
        self.desk.catch_up(&said)?;
        let messages =
            said.into_iter().filter_map(|said| serde_json::from_value(said.message).ok());
        let mut history: Vec<Message> = messages.collect();
        repair(&mut history);
        later::amend(&mut history, self.desk)?;
        Ok(history)
    }

    /// Asks the model for a reply; none when the person said stop.
    fn ask(
        &mut self,
        prompt: &Prompt,
        history: &mut Vec<Message>,
    ) -> Result<Option<Reply>, String> {
        if let Some(report) = self.desk.edits() {
            say(history, &from_deskhand(&report));
        }
        let sent = trimmed(history, HISTORY_BYTES);
        let request = TurnRequest {
            system: &prompt.system,
            messages: &sent.messages,
            tools: &prompt.tools,
            max_tokens: self.model.max_tokens(),
        };
        let Self { desk, runtime, settings, model, .. } = self;
        let (speaker, on_sent) = (desk.speaker(), &mut settings.on_sent);
        let mut listener = |event: TurnEvent<'_>| match event {
            TurnEvent::Sent(sent) => on_sent(sent),
            TurnEvent::Text(text) => speaker.say(text),
            TurnEvent::Retrying(retrying) => speaker.say(&retry_note(&retrying.why)),
        };
        runtime.block_on(async {
            tokio::select! {
                reply = model.turn(&request, &mut listener) => {
                    reply.map(Some).map_err(|error| error.to_string())
                }
                () = desk.stopped() => Ok(None),
            }
        })
    }

    /// Keeps what the model said and carries out its calls. Whether it is to be asked again.
    fn take(
        &mut self,
        parts: Vec<Part>,
        history: &mut Vec<Message>,
        calls: &mut Calls,
        progress: &mut Progress,
    ) -> Result<bool, Gone> {
        for part in &parts {
            if let Part::Text { text } = part {
                progress.said(text);
            }
        }
        if parts.is_empty() {
            return Ok(false);
        }
        let message = Message::assistant(parts);
        self.keep(&message);
        let mut results = Vec::new();
        for (id, name, arguments) in message.calls() {
            results.push(calls.run(self.desk, (id, name, arguments), progress)?);
        }
        history.push(message);
        if results.is_empty() {
            return Ok(false);
        }
        let results = Message::results(results);
        self.keep(&results);
        history.push(results);
        Ok(true)
    }

    fn keep(&self, message: &Message) {
        // A message is plain data with string keys: it can be written.
        let message = serde_json::to_value(message).unwrap_or(Value::Null);
        self.desk.speak(Speech::Message { message });
    }
}

/// What the model is told beside the person's words.
fn from_deskhand(report: &Value) -> String {
    format!("[from Deskhand, not the person] {report}")
}

fn retry_note(why: &str) -> String {
    format!("\n[the provider is asked again: {why}]\n")
}

fn out_of_budget(turns: u32, tokens: u64) -> String {
    format!(
        "the budget of one message ({turns} answers, {tokens} tokens) is used up; say \"go on\", or raise \
         turn_budget or token_budget"
    )
}
