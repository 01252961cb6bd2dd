//! `deskhand ask --provider NAME`: plain words, answered by a model in one turn.

use super::apply::{print_receipt, receipt_json};
use super::chat::Story;
use super::plan::print_waiting;
use crate::advance_approval::Ahead;
use crate::desk::Guest;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::output::Output;
use crate::serving::{Place, Serving, Wishes, arrive};
use crate::turn::{Ask, Turn};
use deskhand_protocol::desk::TurnReason;
use deskhand_protocol::{Decision, News, Op, Read};
use deskhand_session::{Plan, PlanId, StoredPlan};
use serde_json::{Value, json};
use std::path::Path;

/// Says the words to `provider` and waits for the answer.
pub(super) fn run(
    dir: &Path,
    words: &str,
    provider: &str,
    ahead: Ahead,
    output: Output,
) -> Result<Exit, Failure> {
    interrupt::listen();
    let wishes =
        Wishes { policy: None, linger: None, local_only: false, on_sent: Box::new(|_| {}) };
    let Place { mut guest, own } = arrive(dir, wishes, output)?;
    let result = ask(&mut guest, words, provider, ahead, output);
    drop(guest);
    let closed = own.map_or(Ok(()), Serving::stop);
    let exit = result?;
    closed.map(|()| exit)
}

fn ask(
    guest: &mut Guest,
    words: &str,
    provider: &str,
    ahead: Ahead,
    output: Output,
) -> Result<Exit, Failure> {
    let ask = if ahead.yes {
        Ask::decided(words, Some(provider), ahead)
    } else {
        Ask::unattended(words, Some(provider))
    };
    let mut story = Story::new(output, &guest.snapshot().folder);
    let mut turn = Turn::take(guest, &ask, &mut |event, guest| match &event.news {
        // The reason is reported once, as the failure of the command.
        News::TurnEnded { end } if end.reason != TurnReason::Finished => story.break_off(),
        _ if event.call.is_none() => story.tell(event, guest.session()),
        _ => {}
    })?;
    expect_answer(&turn)?;
    let mut pending = turn.end.pending.clone();
    if !pending.is_empty() {
        decide(guest, &mut turn, &mut pending, output)?;
    }
    turn.left.iter().for_each(|left| output.warn(left));
    output.json(&to_json(guest, &turn, &pending)?);
    let is_done = pending.is_empty() && !turn.needs_decision;
    Ok(if is_done { Exit::Done } else { Exit::Decision })
}

/// A turn that did not come to its end is a failure, with the provider's own words.
fn expect_answer(turn: &Turn) -> Result<(), Failure> {
    let code = match turn.end.reason {
        TurnReason::Finished => return Ok(()),
        TurnReason::Stopped => "cancelled",
        TurnReason::Budget => "budget",
        TurnReason::Refused => "refused",
        TurnReason::Failed => "provider",
    };
    Err(Failure::plain(code, &turn.end.message))
}

/// Asks about each plan that waits, where somebody can be asked.
fn decide(
    guest: &mut Guest,
    turn: &mut Turn,
    pending: &mut Vec<PlanId>,
    output: Output,
) -> Result<(), Failure> {
    let mut waiting = Vec::new();
    for id in std::mem::take(pending) {
        let stored: StoredPlan = guest.read(Read::Plan { plan: id })?;
        output.say(crate::card::card(&stored.plan, guest.session(), output));
        if !output.can_ask() || !output.ask("Apply it?") {
            print_waiting(&stored.plan, output);
            waiting.push(id);
            continue;
        }
        let op = Op::Decide { plan: id, decision: Decision::Apply };
        let result = guest.ask(op, &mut |_| {})?;
        if result.error.is_some() || !result.conflicts.is_empty() {
            return Err(Failure::of_result(&result).by_name(guest.session()));
        }
        if let Some(receipt) = &result.receipt {
            print_receipt(&result, receipt, output);
            turn.receipts.push(receipt_json(receipt));
        }
    }
    *pending = waiting;
    Ok(())
}

/// `ask --json` with a provider: ask's object, and how the turn went.
fn to_json(guest: &mut Guest, turn: &Turn, pending: &[PlanId]) -> Result<Value, Failure> {
    let mut plans: Vec<Plan> = Vec::new();
    for plan in &turn.plans {
        plans.push(guest.read::<StoredPlan>(Read::Plan { plan: *plan })?.plan);
    }
    let end = &turn.end;
    let mut told = json!({
        "understood": [],
        "unclear": [],
        "answers": [],
        "plans": plans,
        "receipts": turn.receipts,
        "reply": end.reply,
        "turns": end.turns,
        "usage": {"input_tokens": end.input_tokens, "output_tokens": end.output_tokens},
        "pending": pending,
    });
    if !turn.left.is_empty() {
        told["warnings"] = json!(turn.left);
    }
    Ok(told)
}
