//! The events as a person reads them: the model's words as they come, calls as one line each, decisions,
//! steps.

use super::windows;
use crate::card::card;
use crate::commands::serve::who;
use crate::output::Output;
use crate::progress::Bar;
use crate::table;
use deskhand_agent::talk::OFFLINE_CALL;
use deskhand_protocol::clean::clean;
use deskhand_protocol::desk::{Notice, NoticeKind, TurnEnd, TurnReason};
use deskhand_protocol::{Asking, Event, News};
use deskhand_session::{
    Author, PartKind, Plan, PlanState, Provisional, Receipt, Said, Session, plain_words,
};
use serde_json::Value;
use std::path::PathBuf;

/// The longest arguments of a call that are shown, in characters.
const ARGUMENTS: usize = 160;

/// Everything a person says or hears is shown whole.
const WHOLE: usize = usize::MAX;

/// Prints what happens.
pub(crate) struct Story {
    output: Output,
    folder: PathBuf,
    is_mid_line: bool,
    /// The model's text that was shown while it streamed. The whole message arrives once it is stored,
    /// perhaps after the end of the turn.
    streamed: String,
    bar: Option<Bar>,
}

/// The text for the state of the switch.
fn local_only(on: bool) -> &'static str {
    if on {
        "  local only: nothing is sent off this machine"
    } else {
        "  your providers may be reached over the network"
    }
}

/// The text after the asking mode or a rule was changed.
fn asked(asking: Asking) -> &'static str {
    match asking {
        Asking::Always => "  plans wait for you, except where your rules decide",
        Asking::BiggerChanges => "  changes of one number are applied and shown; bigger plans wait",
    }
}

impl Story {
    /// A story of the session in `folder`.
    pub(crate) fn new(output: Output, folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        Self { output, folder, is_mid_line: false, streamed: String::new(), bar: None }
    }

    /// A line of its own.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) {
        self.break_off();
        self.output.say(text);
    }

    /// A dimmed line.
    pub(crate) fn dim(&mut self, text: impl AsRef<str>) {
        let text = self.output.dim(text.as_ref());
        self.line(text);
    }

    /// Ends a line that was begun.
    pub(crate) fn break_off(&mut self) {
        self.bar = None;
        if std::mem::take(&mut self.is_mid_line) {
            self.output.say("");
        }
    }

    fn piece(&mut self, text: &str) {
        self.bar = None;
        let text = clean(text, WHOLE);
        if let Some(last) = text.chars().last() {
            self.is_mid_line = last != '\n';
            self.streamed.push_str(&text);
            self.output.piece(&text);
        }
    }

    /// Tells an event. Plans that wait are no part of it: they are cards.
    pub(crate) fn tell(&mut self, event: &Event, session: &Session) {
        let is_mine = event.call.is_some();
        match &event.news {
            News::Progress { fraction, what } => self.progress(*fraction, what),
            News::Provisional { found } => self.found(found, session),
            News::Saying { text } => self.piece(text),
            News::Said { said } => self.said(said, is_mine),
            News::Moved { from, to, label, .. } => {
                let undone = if to < from { "undone: " } else { "" };
                let who = who(event.author);
                self.dim(format!("  revision {to} ({who}): {undone}{label}"));
            }
            News::Decided { state, reason, receipt, .. } => {
                let who = who(event.author);
                self.decided((*state, who), reason.as_deref(), receipt.as_ref());
            }
            News::Media { source, failed: Some(why) } => {
                let name = session.name_of((*source).into());
                self.line(format!("  \"{name}\" was not conformed: {why}"));
            }
            News::ReadOnly { reason } => self.line(format!("  read-only: {reason}")),
            News::StopTurn => self.dim("  stopping"),
            News::TurnEnded { end } => self.turn_ended(end),
            News::Window { window } => {
                self.line(windows::text(window, session, &self.folder, self.output));
            }
            News::Notice { notice } => self.notice(notice),
            News::NoticeAnswered { answer, .. } => self.answered(answer.as_deref()),
            News::LocalOnly { on } => self.dim(local_only(*on)),
            News::Policy { asking, .. } => self.dim(asked(*asking)),
            News::Planning { .. }
            | News::Done { .. }
            | News::Review { .. }
            | News::Media { failed: None, .. }
            | News::TurnAsked { .. }
            | News::WindowClosed { .. }
            | News::Play { .. }
            | News::Instances { .. }
            | News::Hearing { .. }
            | News::Lagged => {}
        }
    }

    fn decided(
        &mut self,
        (state, who): (PlanState, &str),
        reason: Option<&str>,
        receipt: Option<&Receipt>,
    ) {
        let because =
            reason.map(|why| format!(": {}", clean(&without_ids(why), WHOLE))).unwrap_or_default();
        match state {
            PlanState::Applied | PlanState::RolledBack => self.receipt(receipt),
            PlanState::Rejected => self.dim(format!("  rejected ({who}){because}")),
            PlanState::Conflict => self.line(format!("  the plan was not applied{because}")),
            // A part of it was taken.
            PlanState::Waiting if !because.is_empty() => {
                self.dim(format!("  the plan waits{because}"));
            }
            PlanState::Waiting | PlanState::Applying | PlanState::Undone => {}
        }
    }

    fn progress(&mut self, fraction: f64, what: &str) {
        if self.is_mid_line || self.output.is_json() {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| Bar::new(what));
        bar.show(fraction, what);
    }

    /// What a call has found so far, above the bar of its progress.
    fn found(&self, found: &[Provisional], session: &Session) {
        if let Some(bar) = &self.bar {
            bar.found(found, session.rate);
        }
    }

    /// Prints a message: from the person, from the model, or the result of the model's calls.
    pub(crate) fn said(&mut self, said: &Said, is_mine: bool) {
        for (kind, part) in said.parts() {
            let text = part["text"].as_str().unwrap_or_default();
            match (kind, said.author) {
                (PartKind::Text, Author::User) if is_mine => {}
                (PartKind::Text, Author::User) => self.line(format!("› {}", clean(text, WHOLE))),
                (PartKind::Text, _) if is_report(said) => {}
                (PartKind::Text, _) => self.told(&clean(text, WHOLE)),
                // The planner has its own words for the results of its calls.
                (PartKind::ToolCall | PartKind::ToolResult, _) if is_planners(part) => {}
                (PartKind::ToolCall, _) => self.dim(called(part)),
                (PartKind::ToolResult, _) => failed(part).iter().for_each(|line| self.dim(line)),
            }
        }
    }

    /// Prints the model's message, unless it was shown while it streamed.
    fn told(&mut self, text: &str) {
        match self.streamed.find(text.trim_end()) {
            Some(at) => drop(self.streamed.drain(..at + text.trim_end().len())),
            None => self.line(text),
        }
    }

    /// The card of a plan.
    pub(crate) fn plan(&mut self, plan: &Plan, session: &Session) {
        let card = card(plan, session, self.output);
        self.line(format!("\n{card}"));
    }

    fn receipt(&mut self, receipt: Option<&Receipt>) {
        let Some(receipt) = receipt else { return };
        if receipt.rolled_back {
            self.line("  rolled back: the result missed the prediction");
        }
        match receipt.plays_as_promised() {
            None => {}
            Some(true) => self.dim(format!("  played as promised: {}", receipt.undo_label)),
            Some(false) => {
                self.line(format!("  does not play as promised: {}", receipt.undo_label));
            }
        }
        if let Some(landed) = &receipt.landed {
            self.dim(format!("  {}", landed.words()));
        }
        if !receipt.measured.is_empty() {
            self.line(format!("\n{}\n", table::receipt(self.output, receipt)));
        }
        if !receipt.skipped.is_empty() {
            self.dim(format!("  left out: {}", receipt.skipped.join(", ")));
        }
    }

    fn turn_ended(&mut self, end: &TurnEnd) {
        match end.reason {
            TurnReason::Finished => {}
            TurnReason::Stopped => self.dim("  stopped"),
            TurnReason::Budget | TurnReason::Refused | TurnReason::Failed => {
                self.line(format!("  {}", clean(&end.message, WHOLE)));
            }
        }
        if end.input_tokens + end.output_tokens > 0 {
            let (read, wrote) = (end.input_tokens, end.output_tokens);
            let replies =
                if end.turns == 1 { "1 reply" } else { &format!("{} replies", end.turns) };
            self.dim(format!("  {replies}, {read} tokens read, {wrote} written"));
        } else {
            self.break_off();
        }
    }

    fn answered(&mut self, words: Option<&str>) {
        if let Some(words) = words {
            self.dim(format!("  answered: {}", clean(words, WHOLE)));
        }
    }

    fn notice(&mut self, notice: &Notice) {
        let message = clean(&notice.message, WHOLE);
        let word = match notice.kind {
            NoticeKind::Info => "note",
            NoticeKind::Success => "done",
            NoticeKind::Error => "error",
            NoticeKind::Progress => "progress",
            NoticeKind::Query => "asked",
        };
        self.line(format!("  {word}: {message}"));
        for (number, choice) in (1..).zip(&notice.choices) {
            self.line(format!("    {number}  {}", clean(choice, WHOLE)));
        }
    }
}

/// What the application, not the person, puts into the person's place.
fn is_report(said: &Said) -> bool {
    said.message["role"] == "user"
}

fn is_planners(part: &Value) -> bool {
    part["id"].as_str().is_some_and(|id| id.starts_with(OFFLINE_CALL))
}

fn called(part: &Value) -> String {
    let name = clean(part["name"].as_str().unwrap_or_default(), ARGUMENTS);
    format!("  · {name} {}", clean(&part["arguments"].to_string(), ARGUMENTS))
}

/// The error of a failed call. A successful call shows as a card, a step, or in the model's message.
fn failed(part: &Value) -> Option<String> {
    let content = &part["content"];
    if content["decision"].is_string() {
        // It was printed when it was decided.
        return None;
    }
    let text = |key: &str| content[key].as_str().map(|text| clean(text, ARGUMENTS));
    let is_error = part["is_error"] == true || content["status"] == "error";
    let message = text("message").or_else(|| text("summary")).unwrap_or_default();
    is_error.then(|| format!("    failed: {message}"))
}
/// A reason without ids. A plan that replaced another is "another plan": the chat shows it anyway.
fn without_ids(why: &str) -> String {
    plain_words::without_ids(why, &|_| None, &|_| "another plan".to_owned())
}
