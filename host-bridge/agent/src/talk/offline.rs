//! A turn without a model: the words are read by the planner, and its calls go the same way as a model's.

use super::calls::Calls;
use super::desk::{Desk, Gone};
use super::found;
use super::half;
use super::later::last_of;
use super::progress::{Ended, Progress};
use super::result::for_model;
use super::still_to_come::{About, StillToCome, Wish};
use crate::answers::{AnswerSource, answer as answer_question, last_step};
use crate::in_order::{read_again, rests_on};
use crate::planner::plan_words;
use crate::provider::{Arguments, Message, Part, Role};
use crate::reader::Vocabulary;
use crate::reading::{Reading, Request, RequestKind, Target, Unclear};
use deskhand_protocol::desk::TurnReason;
use deskhand_protocol::{Apply, Op, Read, Speech};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Author, PlanId, PlanState, RevisionId, Said, Session};
use serde_json::{Value, json};

/// How ids of the planner's calls begin. What came of them it says in words of its own.
pub const OFFLINE_CALL: &str = "offline_";

/// The most offers for one request.
const OFFERED: usize = 4;

/// The most tracks or clips that are named.
const NAMED: usize = 6;

/// Answers what the person said last.
pub(super) fn answer(
    desk: &mut Desk,
    attended: bool,
    still: &mut StillToCome,
    progress: &mut Progress,
) -> Result<Ended, Gone> {
    desk.speak(Speech::Unaided);
    progress.turns = 1;
    let said = desk.conversation()?;
    let words = last_words(&said);
    let calls = Calls::new(Vec::new(), attended);
    let vocabulary = Vocabulary::of(&desk.tools()?);
    let mut turn = Turn { desk: &mut *desk, calls, number: said.len(), vocabulary };
    let ended = match still.asked_about(&words) {
        Some(About::GoingOn) => turn.carry_out_all(still.take(), still, progress)?,
        Some(About::Forgetting) => {
            tell(turn.desk, progress, &format!("Forgotten: {}.", still.names()));
            still.take();
            finished()
        }
        None => turn.read(words, still, progress)?,
    };
    if let Some(text) = still.told() {
        tell(desk, progress, &text);
    }
    Ok(ended)
}

fn finished() -> Ended {
    (TurnReason::Finished, String::new())
}

fn last_words(said: &[Said]) -> String {
    let last = said.iter().rev().find(|said| said.author == Author::User);
    let message: Option<Message> =
        last.and_then(|said| serde_json::from_value(said.message.clone()).ok());
    let parts = message.filter(|message| message.role == Role::User).map(|message| message.parts);
    let words = parts.into_iter().flatten().filter_map(|part| match part {
        Part::Text { text } => Some(text),
        Part::ToolCall { .. } | Part::ToolResult { .. } => None,
    });
    words.collect::<Vec<_>>().join("\n")
}

/// Says something, and keeps it.
fn tell(desk: &Desk, progress: &mut Progress, text: &str) {
    tell_offering(desk, progress, text, &[]);
}

/// Says something that has a line for each of `offers`: a window makes buttons of them.
fn tell_offering(desk: &Desk, progress: &mut Progress, text: &str, offers: &[String]) {
    progress.said(text);
    desk.speaker().say(&format!("{text}\n"));
    let message = Message::assistant(vec![Part::text(text)]);
    let mut message = serde_json::to_value(message).unwrap_or(Value::Null);
    if !offers.is_empty() {
        message["parts"][0]["offers"] = json!(offers);
    }
    desk.speak(Speech::Message { message });
}

fn keep(desk: &Desk, message: &Message) {
    let message = serde_json::to_value(message).unwrap_or(Value::Null);
    desk.speak(Speech::Message { message });
}

/// Says that a call begins, as a model's call is said.
fn begins(desk: &Desk, (id, name): (&str, &str), arguments: &Arguments) {
    let (id, name, arguments) = (id.to_owned(), name.to_owned(), arguments.clone());
    keep(desk, &Message::assistant(vec![Part::ToolCall { id, name, arguments }]));
}

fn ends(desk: &Desk, result: &Part) {
    keep(desk, &Message::results(vec![result.clone()]));
}

/// Why what was asked is not done, and what is planned all the same because it was asked `ahead` of that.
fn not_done(reading: &Reading, ahead: &[Request]) -> String {
    let mut lines: Vec<_> =
        reading.unclear.iter().map(|unclear| why_not(unclear, meant(ahead))).collect();
    let left = reading.understood.iter().skip(ahead.len());
    if let Some(left) = quoted(left) {
        lines.push(format!("Understood, and not done because of that: {left}."));
    }
    lines.push(match quoted(ahead.iter()) {
        Some(ahead) => format!("Only this is planned, and waits for you: {ahead}."),
        None => "Nothing was changed.".to_owned(),
    });
    lines.join("\n")
}

/// What the last of these requests is about.
fn meant(ahead: &[Request]) -> &[Target] {
    ahead.last().map_or(&[], |request| &request.targets)
}

/// What could be said instead; first what is about what was `meant`.
fn offers(unclear: &Unclear, meant: &[Target]) -> Vec<String> {
    let is_about = |offer: &String| meant.iter().any(|target| offer.ends_with(&target.name));
    let mut offers = unclear.suggestions.clone();
    offers.sort_by_key(|offer| !is_about(offer));
    offers.truncate(OFFERED);
    offers
}

/// A line for each offer.
fn tries(offers: &[String]) -> String {
    offers.iter().map(|offer| format!("\n  try: {offer}")).collect()
}

/// Why words are not done, and what could be said.
fn why_not(unclear: &Unclear, meant: &[Target]) -> String {
    let tries = tries(&offers(unclear, meant));
    let what = if unclear.is_understood { "cannot be done" } else { "is not understood" };
    format!("\"{}\" {what}: {}.{tries}", unclear.text, unclear.reason)
}

/// The words of requests, in quotes; none where there are none.
fn quoted<'r>(requests: impl Iterator<Item = &'r Request>) -> Option<String> {
    let all: Vec<_> = requests.map(|request| format!("\"{}\"", request.text)).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

/// What is worked on, where the words do not name it themselves: "the dialogue" is what it is taken for.
fn taken_for(request: &Request) -> Option<String> {
    let words = request.text.to_lowercase();
    let is_named = |name: &str| words.contains(&name.to_lowercase());
    if request.targets.iter().all(|target| is_named(&target.name)) {
        return None;
    }
    let named = request.targets.iter().take(NAMED).map(|target| target.name.as_str());
    let named = named.collect::<Vec<_>>().join(", ");
    let more = match request.targets.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!("Understood: \"{}\" on {named}{more}.", request.text))
}

/// A turn, and what its calls need.
struct Turn<'a> {
    desk: &'a mut Desk,
    calls: Calls,
    /// What the ids of its calls go on from: so many messages were there.
    number: usize,
    /// What the tools say of themselves.
    vocabulary: Vocabulary,
}

impl Turn<'_> {
    /// Does what the words ask for, where all of it is understood; else plans what stands ahead of what is not.
    fn read(
        &mut self,
        words: String,
        still: &mut StillToCome,
        progress: &mut Progress,
    ) -> Result<Ended, Gone> {
        let reading = plan_words(&words, self.desk.session()?, &self.vocabulary);
        if reading.unclear.is_empty() {
            let wish = Wish { words, requests: reading.understood, ..Wish::default() };
            return self.carry_out_all(wish, still, progress);
        }
        let ahead = half::ahead(&words, &reading);
        let each = reading.unclear.iter().flat_map(|unclear| offers(unclear, meant(&ahead)));
        let each: Vec<String> = each.collect();
        tell_offering(self.desk, progress, &not_done(&reading, &ahead), &each);
        self.calls.have_plans_wait();
        let wish = Wish { words, requests: ahead, ..Wish::default() };
        self.carry_out_all(wish, still, progress)
    }

    /// Carries out one after another. What is left when the person says stop, or rests on a plan that waits, is still
    /// to come.
    fn carry_out_all(
        &mut self,
        mut wish: Wish,
        still: &mut StillToCome,
        progress: &mut Progress,
    ) -> Result<Ended, Gone> {
        while let Some(request) = wish.requests.first().cloned() {
            if self.desk.is_stopped() {
                still.keep(wish);
                return Ok((TurnReason::Stopped, "stopped".into()));
            }
            let waiting = [wish.waiting.as_slice(), &progress.pending].concat();
            if let Some(text) = self.rests(&request, &waiting)? {
                tell(self.desk, progress, &text);
                still.keep(Wish { waiting, ..wish });
                return Ok(finished());
            }
            let request = self.read_again(&wish, &request)?;
            let (text, fixes) = self.carry_out(&request, progress)?;
            tell_offering(self.desk, progress, &(text + &tries(&fixes)), &fixes);
            wish.requests.remove(0);
            wish.from += 1;
        }
        Ok(finished())
    }

    /// A request as it reads now.
    fn read_again(&mut self, wish: &Wish, request: &Request) -> Result<Request, Gone> {
        let session = self.desk.session()?;
        Ok(read_again(&wish.words, wish.from, request, session, &self.vocabulary))
    }

    /// What is told of a request that rests on one of these plans, while that waits.
    fn rests(&mut self, request: &Request, plans: &[PlanId]) -> Result<Option<String>, Gone> {
        for plan in plans {
            let stored = last_of(*plan, self.desk)?;
            let waits = stored.filter(|stored| stored.state == PlanState::Waiting);
            let session = self.desk.session()?;
            if let Some(stored) = waits.filter(|stored| rests_on(request, &stored.plan, session)) {
                return Ok(Some(format!(
                    "\"{}\" works on what another plan changes, so it is not planned yet. First decide on that plan: {}.",
                    request.text, stored.plan.summary
                )));
            }
        }
        Ok(None)
    }

    /// Does it; what came of it, and what can be asked for next.
    fn carry_out(
        &mut self,
        request: &Request,
        progress: &mut Progress,
    ) -> Result<(String, Vec<String>), Gone> {
        if let RequestKind::Question(question) = &request.kind {
            let (session, id) = (self.desk.session()?.clone(), self.next_id());
            let mut asked = Questions { desk: &mut *self.desk, session, id };
            let found = answer_question(&mut asked, *question, &request.targets);
            let text = found.map_or_else(|error| error.to_string(), |answer| answer.text);
            return Ok((text, Vec::new()));
        }
        let Some((tool, params)) = request.kind.call() else { return Ok(Default::default()) };
        if let Some(text) = taken_for(request) {
            tell(self.desk, progress, &text);
        }
        let arguments = Arguments::Object(params.as_object().cloned().unwrap_or_default());
        let id = self.next_id();
        begins(self.desk, (&id, tool), &arguments);
        let part = self.calls.run(self.desk, (&id, tool, &arguments), progress)?;
        ends(self.desk, &part);
        Ok(match part {
            Part::ToolResult { content, .. } => {
                let answer = content.get("answer").unwrap_or(&Value::Null);
                let text = in_words(&request.text, &content) + &found::lines(answer);
                (text + &warnings(&content), found::fixes(answer))
            }
            Part::Text { .. } | Part::ToolCall { .. } => Default::default(),
        })
    }

    fn next_id(&mut self) -> String {
        self.number += 1;
        format!("{OFFLINE_CALL}{}", self.number)
    }
}

/// What came of a request, in a sentence or two.
fn in_words(asked: &str, result: &Value) -> String {
    let field = |name: &str| result.get(name).and_then(Value::as_str).unwrap_or_default();
    let summary = field("summary");
    match field("status") {
        "waiting" => format!("{summary}: this waits for you."),
        "applied" => format!("Done: {}.{}", or(taken(result), summary), promised(result)),
        "rejected" => format!("Rejected: {}. Nothing was changed.", field("reason")),
        "rolled_back" => format!("{summary}: it missed what it promised, and was taken back."),
        "conflict" => format!("Not applied: {}. Ask again.", or(field("reason"), summary)),
        "error" => format!("\"{asked}\" failed: {}; {}.", field("message"), field("fix")),
        _ => summary.to_owned(),
    }
}

/// What a person should know of an answer, a line each; a plan shows its own.
fn warnings(result: &Value) -> String {
    let rows = result.get("warnings").and_then(Value::as_array).into_iter().flatten();
    rows.filter_map(Value::as_str).map(|row| format!("\nWarning: {row}.")).collect()
}

/// What was done, which may be a part of what was planned.
fn taken(result: &Value) -> &str {
    result.pointer("/receipt/undo_label").and_then(Value::as_str).unwrap_or_default()
}

fn or<'a>(first: &'a str, second: &'a str) -> &'a str {
    if first.is_empty() { second } else { first }
}

/// What the receipt measured against what was promised.
fn promised(result: &Value) -> String {
    let rows = result.pointer("/receipt/measured").and_then(Value::as_array);
    let Some(rows) = rows.filter(|rows| !rows.is_empty()) else {
        return String::new();
    };
    let kept = rows.iter().filter(|row| row.get("within") == Some(&Value::Bool(true))).count();
    format!(" Measured afterwards: {kept} of {} as promised.", rows.len())
}

/// The desk, as questions see it.
struct Questions<'a> {
    desk: &'a mut Desk,
    session: Session,
    /// The id of what is measured for it.
    id: String,
}

impl AnswerSource for Questions<'_> {
    fn session(&self) -> &Session {
        &self.session
    }

    fn ask(&mut self, tool: &str, params: Value) -> Result<Value, ToolError> {
        let arguments = Arguments::Object(params.as_object().cloned().unwrap_or_default());
        begins(self.desk, (&self.id, tool), &arguments);
        let op = Op::Call { tool: tool.into(), params, apply: Apply::Never };
        let result = self.desk.ask(op).map_err(|Gone| gone())?;
        let (id, told, is_error) = (self.id.clone(), for_model(&result), result.error.is_some());
        ends(self.desk, &Part::ToolResult { id, content: told, is_error });
        match result.error {
            Some(error) => Err(error),
            None => Ok(result.answer.unwrap_or_default()),
        }
    }

    fn last_step(&mut self) -> Option<(RevisionId, String)> {
        last_step(&self.desk.read(Read::History).ok()??)
    }
}

fn gone() -> ToolError {
    ToolError::run(Code::Cancelled, "the hub is gone", "open the session again")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_understood_is_not_called_otherwise() {
        let told = |is_understood: bool| {
            let text = "put the intro last".to_owned();
            let reason = "there is no assembly yet".to_owned();
            let suggestions = vec!["find the phrases".to_owned()];
            let unclear = Unclear { text, reason, is_understood, suggestions, open: Vec::new() };
            not_done(&Reading { understood: Vec::new(), unclear: vec![unclear] }, &[])
        };
        let now = "\"put the intro last\" cannot be done: there is no assembly yet.\n  try: find the phrases\n\
                   Nothing was changed.";
        assert_eq!(told(true), now);
        assert!(told(false).starts_with("\"put the intro last\" is not understood: "));
    }
}
