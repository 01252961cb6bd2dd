//! `deskhand ask`: plain words, understood without a network.

use super::apply::{exit, print_receipt, receipt_json};
use super::{ask_model, data, import, new, plan};
use crate::advance_approval::{self, Ahead};
use crate::desk::Desk;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::leave;
use crate::output::Output;
use deskhand_agent::answers::answer;
use deskhand_agent::talk::words_ahead;
use deskhand_agent::{Reading, Request, RequestKind, Vocabulary, plan_words, read_again, rests_on};
use deskhand_media::Opener;
use deskhand_protocol::{Apply, Decision, Status, ToolResult};
use deskhand_session::{Plan, Session, Source};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What was said, and what was understood of it.
struct Wish<'a> {
    words: &'a str,
    requests: &'a [Request],
    vocabulary: &'a Vocabulary,
}

/// The results so far.
#[derive(Default)]
struct Outcome {
    answers: Vec<Value>,
    plans: Vec<Plan>,
    receipts: Vec<Value>,
    warnings: Vec<String>,
    /// Plans that wait for a decision.
    left: Vec<Plan>,
    waiting: bool,
    failed: bool,
}

impl Outcome {
    /// Something was not done, because it needs a person's decision.
    fn wait_for(&mut self, needed: &Failure, output: Output) {
        self.waiting = true;
        self.warn(format!("{}; {}", needed.message, needed.fix), output);
    }

    fn warn(&mut self, told: String, output: Output) {
        output.warn(&told);
        self.warnings.push(told);
    }
}

/// Reads the words against the session, plans, and applies the changes that the person accepts.
pub(crate) fn run(
    target: &Path,
    words: &str,
    provider: Option<&str>,
    ahead: Ahead,
    output: Output,
) -> Result<Exit, Failure> {
    if let Some(provider) = provider {
        let dir = session_for(target, output)?;
        return ask_model::run(&dir, words, provider, ahead, output);
    }
    let dir = folder_of(target);
    let mut desk = open(target, output)?;
    let vocabulary = desk.vocabulary()?;
    let reading = plan_words(words, desk.session(), &vocabulary);
    tell_understood(words, &reading, output);
    let mut outcome = Outcome::default();
    let wish = Wish { words, requests: &reading.understood, vocabulary: &vocabulary };
    let result = if reading.unclear.is_empty() {
        carry_out((&mut desk, &dir), &wish, ahead, &mut outcome, output)
    } else {
        Ok(())
    };
    if result.is_ok() {
        output.json(&to_json(&reading, &outcome));
    }
    desk.close()?;
    result.map(|()| exit_code(&reading, &outcome))
}

fn exit_code(reading: &Reading, outcome: &Outcome) -> Exit {
    if !reading.unclear.is_empty() || outcome.waiting {
        Exit::Decision
    } else if outcome.failed {
        Exit::Failed
    } else {
        Exit::Done
    }
}

/// Opens a session folder; for an audio file, makes a session next to it.
pub(crate) fn open(target: &Path, output: Output) -> Result<Desk, Failure> {
    if !target.is_file() {
        return Desk::open(target, output);
    }
    let probe = Opener::in_process().probe(target);
    let probe = probe.map_err(|error| Failure::plain("media", error))?;
    let dir = beside(target);
    if dir.exists() {
        output.say(format!("using {}", dir.display()));
        let desk = Desk::open(&dir, output)?;
        if holds(desk.session(), target) {
            return Ok(desk);
        }
        desk.close()?;
        let message =
            format!("{} exists, but does not contain {}", dir.display(), target.display());
        let fix =
            "add the file with `deskhand import SESSION FILE`, then ask with the session folder";
        return Err(Failure::new("bad_params", message, fix));
    }
    let mut desk = Desk::create(&dir, &new::empty(probe.rate.0)?)?;
    let params = json!({"files": [import::absolute(target)?]});
    let imported = import::import(&mut desk, params);
    output.say(format!("made {}", dir.display()));
    imported?;
    desk.finish_media(output);
    Ok(desk)
}

/// Whether a session has a file among its sources, there or elsewhere.
fn holds(session: &Session, file: &Path) -> bool {
    let path = file.canonicalize().ok();
    let is_there = |source: &Source| path.as_deref() == Some(Path::new(&source.path));
    let hash = || deskhand_media::content_hash(file).ok();
    session.sources.values().any(is_there)
        || hash().is_some_and(|hash| session.sources.values().any(|one| one.hash.file() == hash.0))
}

/// The session folder for the target.
fn session_for(target: &Path, output: Output) -> Result<PathBuf, Failure> {
    if target.is_file() {
        open(target, output)?.close()?;
    }
    Ok(folder_of(target))
}

/// The session folder for the target, whether it exists yet or not.
fn folder_of(target: &Path) -> PathBuf {
    if target.is_file() { beside(target) } else { target.to_owned() }
}

/// `take.wav` gets `take.deskhand`.
fn beside(file: &Path) -> PathBuf {
    file.with_extension("deskhand")
}

fn tell_understood(words: &str, reading: &Reading, output: Output) {
    for request in &reading.understood {
        let names: Vec<_> = request.targets.iter().map(|target| target.name.as_str()).collect();
        let on = if names.is_empty() { String::new() } else { format!(" on {}", names.join(", ")) };
        output.say(format!("understood: {}{on}", describe(request)));
    }
    for unclear in &reading.unclear {
        let what = if unclear.is_understood { "cannot be done" } else { "not understood" };
        output.say(format!("{what}: \"{}\": {}", unclear.text, unclear.reason));
        for suggestion in &unclear.suggestions {
            output.say(format!("  try: {suggestion}"));
        }
    }
    if !reading.unclear.is_empty() {
        if let Some(ahead) = words_ahead(words, reading) {
            output.say(format!("this part was understood:\n  try: {ahead}"));
        }
        output.say("Nothing was changed.");
    }
}

fn describe(request: &Request) -> String {
    match &request.kind {
        RequestKind::Call { tool, .. } => format!("{} \"{}\"", tool, request.text),
        RequestKind::Question(_) | RequestKind::Undo | RequestKind::Redo => {
            format!("\"{}\"", request.text)
        }
    }
}

fn carry_out(
    (desk, dir): (&mut Desk, &Path),
    wish: &Wish<'_>,
    ahead: Ahead,
    outcome: &mut Outcome,
    output: Output,
) -> Result<(), Failure> {
    for (index, request) in wish.requests.iter().enumerate() {
        if let Some(plan) = outcome.left.iter().find(|plan| rests_on(request, plan, desk.session()))
        {
            let told = not_yet(request, plan);
            outcome.warn(told, output);
            continue;
        }
        // A request applied before it may have replaced the clips that it refers to.
        let request = &read_again(wish.words, index, request, desk.session(), wish.vocabulary);
        match &request.kind {
            RequestKind::Question(question) => {
                let found = answer(desk, *question, &request.targets)?;
                output.say(&found.text);
                outcome.answers.push(json!({"text": found.text, "values": found.values}));
            }
            RequestKind::Call { tool, params } => {
                call((&mut *desk, dir), (tool, params), ahead, outcome, output)?;
            }
            RequestKind::Undo | RequestKind::Redo
                if !may_step(ahead.yes, output, &format!("{}?", request.text)) =>
            {
                outcome.waiting = true;
                let way = if request.kind == RequestKind::Undo { "undo" } else { "redo" };
                output.say(format!("this waits for you: run `deskhand {way}`, or ask with --yes"));
            }
            RequestKind::Undo => stepped(desk.undo()?, outcome, output),
            RequestKind::Redo => stepped(desk.redo()?, outcome, output),
        }
        if outcome.failed {
            break;
        }
    }
    Ok(())
}

/// A request that depends on a plan that waits.
fn not_yet(request: &Request, plan: &Plan) -> String {
    format!(
        "\"{}\" depends on plan {}, so it is not planned yet; apply that plan, then ask again",
        request.text, plan.id
    )
}

/// Has a tool plan, unless it would reach outside of the session and nobody said yes.
fn call(
    (desk, dir): (&mut Desk, &Path),
    (tool, params): (&str, &Value),
    ahead: Ahead,
    outcome: &mut Outcome,
    output: Output,
) -> Result<(), Failure> {
    if let Err(needed) = leave::given(dir, desk, (tool, params), ahead.yes, output) {
        outcome.wait_for(&needed, output);
        return Ok(());
    }
    let result = desk.call(tool, params.clone(), Apply::Never)?;
    let (plans, receipts) = (outcome.plans.len(), outcome.receipts.len());
    take(desk, result, ahead, outcome, output)?;
    let made = outcome.plans.get(plans..).unwrap_or_default();
    match made.last().filter(|plan| interrupt::was_pressed() && !plan.changes.is_empty()) {
        Some(_) if outcome.receipts.len() > receipts => Err(stopped_and_kept()),
        Some(plan) => Err(plan::stopped(plan.id)),
        None => Ok(()),
    }
}

/// The failure of a call that Ctrl-C stopped after a part was taken.
fn stopped_and_kept() -> Failure {
    let message = "stopped: the results so far are kept in the session";
    let fix = "`deskhand undo DIR` removes them; ask again for all results";
    Failure::new("cancelled", message, fix)
}

fn may_step(yes: bool, output: Output, question: &str) -> bool {
    yes || (output.can_ask() && output.ask(question))
}

fn stepped(result: ToolResult, outcome: &mut Outcome, output: Output) {
    output.say(&result.summary);
    outcome.answers.push(json!({"text": result.summary, "values": []}));
}

/// Shows a plan and applies it, if the person said or says so.
fn take(
    desk: &mut Desk,
    result: ToolResult,
    ahead: Ahead,
    outcome: &mut Outcome,
    output: Output,
) -> Result<(), Failure> {
    let waits = result.status == Status::Waiting;
    let Some(plan) = result.plan else {
        tell_answer(result, outcome, output);
        return Ok(());
    };
    plan::print(&plan, desk.session(), output);
    if let Some(found) = result.answer {
        data::print(&found, output);
        outcome.answers.push(json!({"text": plan.summary, "values": found}));
    }
    outcome.plans.push(Plan::clone(&plan));
    if !waits {
        return Ok(());
    }
    let question = if plan.changes.is_empty() { "Let it run?" } else { "Apply it?" };
    if !may_step(ahead.yes, output, question) {
        outcome.waiting = true;
        outcome.left.push(Plan::clone(&plan));
        plan::print_waiting(&plan, output);
        return Ok(());
    }
    apply(desk, &plan, ahead, outcome, output)
}

/// Applies a plan that was decided on; what a call plans that was let run is decided on in its turn.
fn apply(
    desk: &mut Desk,
    plan: &Plan,
    ahead: Ahead,
    outcome: &mut Outcome,
    output: Output,
) -> Result<(), Failure> {
    let (result, left) = match advance_approval::take(desk, plan, ahead, Decision::Apply) {
        Err(needed) if needed.exit == Exit::Decision => {
            outcome.wait_for(&needed, output);
            return Ok(());
        }
        taken => taken?,
    };
    if result.status == Status::Waiting {
        return take(desk, result, ahead, outcome, output);
    }
    outcome.failed = exit(&result) != Exit::Done;
    match &result.receipt {
        Some(receipt) => {
            print_receipt(&result, receipt, output);
            outcome.receipts.push(receipt_json(receipt));
        }
        None => tell_answer(result, outcome, output),
    }
    if let Some(left) = left {
        outcome.warn(left, output);
    }
    desk.draw_made(plan, output);
    Ok(())
}

/// What a tool answers that changes nothing.
fn tell_answer(result: ToolResult, outcome: &mut Outcome, output: Output) {
    output.say(&result.summary);
    plan::warn_of_answer(&result, output);
    let values = result.answer.unwrap_or_default();
    data::print(&values, output);
    outcome.answers.push(json!({"text": result.summary, "values": values}));
}

/// `ask --json`.
fn to_json(reading: &Reading, outcome: &Outcome) -> Value {
    let understood: Vec<_> = reading
        .understood
        .iter()
        .map(|request| {
            let kind = serde_json::to_value(&request.kind).unwrap_or_default();
            let name = kind.get("kind").cloned().unwrap_or_default();
            let tool = kind.get("tool").cloned().unwrap_or(name);
            let params = kind.get("params").cloned().unwrap_or_else(|| json!({}));
            let targets = &request.targets;
            json!({"text": request.text, "tool": tool, "params": params, "targets": targets})
        })
        .collect();
    let unclear: Vec<_> = reading
        .unclear
        .iter()
        .map(|u| {
            json!({
                "text": u.text, "reason": u.reason, "is_understood": u.is_understood,
                "suggestions": u.suggestions,
            })
        })
        .collect();
    let mut told = json!({
        "understood": understood,
        "unclear": unclear,
        "answers": outcome.answers,
        "plans": outcome.plans,
        "receipts": outcome.receipts,
    });
    if !outcome.warnings.is_empty() {
        told["warnings"] = json!(outcome.warnings);
    }
    told
}
