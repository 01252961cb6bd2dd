//! A turn without a model: the words are read by the planner, and its calls go the same way as a model's.

use super::calls::{Calls, of_decision};
use super::desk::{Desk, Gone, Outcome};
use super::found;
use super::half;
use super::progress::{Ended, Progress};
use super::refusals::{meant, not_done, offers, tries};
use super::result::for_model;
use super::still_to_come::{About, StillToCome, Wish};
use crate::answers::{AnswerSource, answer as answer_question, last_step};
use crate::planner::{nearest, plan_words, sayable};
use crate::provider::{Arguments, Message, Part, Role};
use crate::reader::Vocabulary;
use crate::reading::{Question, Request, RequestKind};
use deskhand_protocol::desk::TurnReason;
use deskhand_protocol::{Apply, Op, Read, Speech};
use deskhand_session::offers::{Gesture, Instead};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Author, ObjectId, PlanId, RevisionId, Said, Session, ToolEffect};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// How ids of the planner's calls begin. What came of them it says in words of its own.
pub const OFFLINE_CALL: &str = "offline_";

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
    let mut turn = Turn::over(&mut *desk, attended, said.len())?;
    let ended = match still.asked_about(&words) {
        Some(About::GoingOn) => turn.carry_out_all(still.take(), still, progress)?,
        Some(About::Forgetting) => {
            tell(turn.desk, progress, &format!("Forgotten: {}.", still.names()));
            still.take();
            finished()
        }
        None => turn.read(words, still, progress)?,
    };
    if let Some((text, offers)) = still.told() {
        tell_offering(desk, progress, &text, &offers);
    }
    Ok(ended)
}

pub(super) fn finished() -> Ended {
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
pub(super) fn tell(desk: &Desk, progress: &mut Progress, text: &str) {
    tell_offering(desk, progress, text, &[]);
}

/// Says something that has a line for each of `offers`: a window makes buttons of them.
pub(super) fn tell_offering(desk: &Desk, progress: &mut Progress, text: &str, offers: &[String]) {
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
pub(super) struct Turn<'a> {
    pub(super) desk: &'a mut Desk,
    /// Its calls never wait: several plans may be open at once.
    calls: Calls,
    /// Whether somebody is there to decide on plans.
    pub(super) attended: bool,
    /// What the ids of its calls go on from: so many messages were there.
    number: usize,
    /// What the tools say of themselves.
    pub(super) vocabulary: Vocabulary,
    /// Tools whose calls may move what stands behind what they take away.
    pub(super) cutting: BTreeSet<String>,
    /// How tools are asked for that others send people to.
    said: BTreeMap<String, String>,
}

/// What came of a request.
pub(super) enum Made {
    /// It is over: what to say, and what can be said next.
    Over(String, Vec<String>),
    /// Its plan waits for the person.
    Plan(OpenPlan),
}

/// A plan that waits, and the call that made it.
pub(super) struct OpenPlan {
    pub(super) plan: PlanId,
    call: String,
    pub(super) request: Request,
    result: Value,
}

impl<'a> Turn<'a> {
    fn over(desk: &'a mut Desk, attended: bool, number: usize) -> Result<Self, Gone> {
        let tools = desk.tools()?;
        let cuts = tools.iter().filter(|tool| tool.effects.contains(&ToolEffect::Cuts));
        let cutting = cuts.map(|tool| tool.name.clone()).collect();
        let said = tools.iter().filter_map(|tool| match &tool.offers.instead {
            Some(Instead::Say(words)) => Some((tool.name.clone(), words.clone())),
            Some(Instead::Use(_)) | None => None,
        });
        let said = said.collect();
        let (calls, vocabulary) = (Calls::unattended(), Vocabulary::of(&tools));
        Ok(Self { desk, calls, attended, number, vocabulary, cutting, said })
    }

    /// Does what the words ask for, where all of it is understood; else plans what stands ahead of what is not.
    fn read(
        &mut self,
        words: String,
        still: &mut StillToCome,
        progress: &mut Progress,
    ) -> Result<Ended, Gone> {
        let session = self.desk.session()?;
        let selection = session.selection.clone();
        let reading = plan_words(&words, session, &self.vocabulary);
        if reading.unclear.is_empty() {
            let wish = Wish::new(words, reading.understood, selection);
            return self.carry_out_all(wish, still, progress);
        }
        let ahead = half::ahead(&words, &reading);
        let left = reading.understood.iter().skip(ahead.len()).map(|left| left.text.clone());
        let left = sayable(&left.collect::<Vec<_>>(), &words, session, &self.vocabulary);
        let text = not_done(&reading, &ahead, &left);
        let each = reading.unclear.iter().flat_map(|unclear| offers(unclear, meant(&ahead)));
        let each: Vec<String> = each.chain(left).collect();
        tell_offering(self.desk, progress, &text, &each);
        self.calls.have_plans_wait();
        self.carry_out_all(Wish::new(words, ahead, selection), still, progress)
    }

    /// Does it; what came of it, and what can be asked for next.
    pub(super) fn carry_out(
        &mut self,
        request: Request,
        progress: &mut Progress,
    ) -> Result<Made, Gone> {
        if let RequestKind::Question(question) = request.kind {
            return self.answer(&request, question);
        }
        let Some((tool, params)) = self.vocabulary.call_of(&request.kind) else {
            return Ok(Made::Over(String::new(), Vec::new()));
        };
        if let Some(text) = taken_for(&request) {
            tell(self.desk, progress, &text);
        }
        let arguments = Arguments::Object(params.as_object().cloned().unwrap_or_default());
        let (id, open) = (self.next_id(), progress.pending.len());
        begins(self.desk, (&id, &tool), &arguments);
        let part = self.calls.run(self.desk, (&id, &tool, &arguments), progress)?;
        if let (true, Some(plan), Part::ToolResult { content, .. }) =
            (self.attended, progress.pending.get(open), &part)
        {
            let (plan, result) = (*plan, content.clone());
            return Ok(Made::Plan(OpenPlan { plan, call: id, request, result }));
        }
        ends(self.desk, &part);
        let (text, offers) = self.came_of(&request, &part)?;
        Ok(Made::Over(text, offers))
    }

    fn answer(&mut self, request: &Request, question: Question) -> Result<Made, Gone> {
        let (session, id) = (self.desk.session()?.clone(), self.next_id());
        let tool = self.vocabulary.tool_of(Gesture::MeasureLevels);
        let mut asked = Questions { desk: &mut *self.desk, session, id, tool };
        match answer_question(&mut asked, question, &request.targets) {
            Ok(answer) => {
                let session = self.desk.session()?;
                let offers = sayable(&answer.offers, "", session, &self.vocabulary);
                Ok(Made::Over(answer.text, offers))
            }
            Err(error) => {
                let text = error.to_string();
                let offers = self.ways_out(&request.text, &text)?;
                Ok(Made::Over(text, offers))
            }
        }
    }

    /// What the person is told of a result, and what can be said next.
    fn came_of(&mut self, request: &Request, part: &Part) -> Result<(String, Vec<String>), Gone> {
        let Part::ToolResult { content, is_error, .. } = part else {
            return Ok(Default::default());
        };
        let answer = content.get("answer").unwrap_or(&Value::Null);
        let text = in_words(&request.text, content) + &found::lines(answer);
        let status = content.get("status").and_then(Value::as_str).unwrap_or_default();
        let mut offers = found::fixes(answer);
        if status == "conflict" {
            // The same again, on the session as it is now.
            let (again, session) = ([request.text.clone()], self.desk.session()?);
            offers = sayable(&again, "", session, &self.vocabulary);
        }
        if offers.is_empty() {
            offers = sayings(&text);
        }
        if offers.is_empty() && *is_error && status != "rejected" {
            offers = self.ways_out(&request.text, &text)?;
        }
        Ok((text + &warnings(content), offers))
    }

    /// What can be said instead of what failed: how the tools that the text names are asked for, else the nearest requests;
    /// never nothing.
    fn ways_out(&mut self, asked: &str, told: &str) -> Result<Vec<String>, Gone> {
        let session = self.desk.session()?;
        let named = self.said.iter().filter(|(tool, _)| told.contains(tool.as_str()));
        let named: Vec<String> = named.map(|(_, said)| said.clone()).collect();
        let found = sayable(&named, asked, session, &self.vocabulary);
        if !found.is_empty() {
            return Ok(found);
        }
        Ok(nearest(asked, session, &self.vocabulary))
    }

    /// The person decided: the call has its result, and they are told what came of it.
    pub(super) fn close(
        &mut self,
        open: OpenPlan,
        outcome: &Outcome,
        progress: &mut Progress,
    ) -> Result<(), Gone> {
        let OpenPlan { plan, call, request, result } = open;
        progress.pending.retain(|pending| *pending != plan);
        let part = of_decision(&call, result, outcome);
        ends(self.desk, &part);
        let (text, offers) = self.came_of(&request, &part)?;
        tell_offering(self.desk, progress, &(text + &tries(&offers)), &offers);
        Ok(())
    }

    /// The turn ends while the plan waits: the call has its result.
    pub(super) fn leave(&self, open: &OpenPlan) {
        ends(self.desk, &Part::result(&open.call, open.result.clone()));
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

/// The requests that a text names with "say".
fn sayings(text: &str) -> Vec<String> {
    let after = text.split("say \"").skip(1);
    after.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect()
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
    /// What measures levels.
    tool: &'a str,
}

impl AnswerSource for Questions<'_> {
    fn session(&self) -> &Session {
        &self.session
    }

    fn measure(&mut self, targets: &[ObjectId]) -> Result<Value, ToolError> {
        let params = json!({"targets": targets});
        let arguments = Arguments::Object(params.as_object().cloned().unwrap_or_default());
        begins(self.desk, (&self.id, self.tool), &arguments);
        let op = Op::Call { tool: self.tool.into(), params, apply: Apply::Never };
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
    fn what_a_text_says_can_be_said_is_offered() {
        let text = "\"Music\" never pauses. To cut the others, say \"strip Host\"; for both: say \"mute it\"";
        assert_eq!(sayings(text), ["strip Host", "mute it"]);
        assert_eq!(sayings("nothing to change, say \"half"), Vec::<String>::new());
    }
}
