//! The conversation without a terminal: each line of the input is said, the answers are printed, and nothing is
//! decided.

use super::story::Story;
use crate::commands::plan::waiting;
use crate::desk::{Guest, gone};
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::output::Output;
use crate::turn::{Ask, Turn};
use crossbeam_channel::{Receiver, bounded, select};
use deskhand_protocol::desk::TurnReason;
use deskhand_protocol::{Event, News};
use std::io::BufRead;
use std::thread;
use std::time::Duration;

/// How often Ctrl-C is looked for while nothing is said.
const GLANCE: Duration = Duration::from_millis(100);

/// Says every line of the input.
pub(super) fn run(
    mut guest: Guest,
    provider: Option<String>,
    output: Output,
) -> Result<Exit, Failure> {
    let lines = input()?;
    let mut story = Story::new(output, &guest.snapshot().folder);
    let mut exit = Exit::Done;
    loop {
        let events = guest.link().events().clone();
        select! {
            recv(lines) -> line => match line {
                Ok(line) if line.trim().is_empty() => {}
                Ok(line) => {
                    let ask = Ask::unattended(&line, provider.as_deref());
                    let turn = Turn::take(&mut guest, &ask, &mut |event, guest| {
                        tell(&mut story, event, guest);
                    })?;
                    output.json_line(&turn.end);
                    exit = worse(exit, &turn);
                }
                Err(_) => return Ok(exit),
            },
            default(GLANCE) => if interrupt::take() {
                return Ok(exit);
            },
            recv(events) -> event => {
                let event = event.map_err(|_| gone())?;
                guest.follow(&event)?;
                tell(&mut story, &event, &guest);
            }
        }
    }
}

/// Prints an event. If somebody decides elsewhere, it says how to do so.
fn tell(story: &mut Story, event: &Event, guest: &Guest) {
    story.tell(event, guest.session());
    if let News::Review { plan } = &event.news {
        story.plan(plan, guest.session());
        story.line(waiting(plan));
    }
}

/// A failure outranks a plan that waits, and that a turn that simply ended.
fn worse(exit: Exit, turn: &Turn) -> Exit {
    let failed = !matches!(turn.end.reason, TurnReason::Finished);
    if failed || exit == Exit::Failed {
        Exit::Failed
    } else if turn.end.pending.is_empty() {
        exit
    } else {
        Exit::Decision
    }
}

/// The lines of the input, as they come.
fn input() -> Result<Receiver<String>, Failure> {
    let (sender, lines) = bounded(1);
    let named = thread::Builder::new().name("deskhand-input".into());
    let reading = named.spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    reading.map(|_| lines).map_err(|error| Failure::plain("input", error))
}
