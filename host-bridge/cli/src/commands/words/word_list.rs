//! `deskhand words`: the words, their places, and their speakers.

use super::edit;
use super::transcribe::{json_of, text_of};
use crate::args::words::WordsCommand;
use crate::declared::spec;
use crate::desk::Desk;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use deskhand_protocol::transcript_tables::is_unfinished;
use deskhand_session::{PlanId, Session, SourceId, StoredPlan};
use deskhand_toolkit::target::nearest;
use deskhand_toolkit::text::is_same;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// Prints transcripts, or what the edit plays of them.
pub(crate) fn run(command: WordsCommand, output: Output) -> Result<Exit, Failure> {
    match command {
        WordsCommand::Show { dir, sources, edit: false } => show(&dir, &sources, output),
        WordsCommand::Show { dir, sources, edit: true } => show_edit(&dir, &sources, output),
    }
}

/// Prints the transcript.
fn show(dir: &Path, names: &[String], output: Output) -> Result<Exit, Failure> {
    let mut desk = Desk::look(dir, output)?;
    let left = Left::of(&mut desk);
    let shown = sources(desk.session(), names).map(|sources| {
        let session = desk.session();
        let all: Vec<Value> = sources.iter().map(|source| json_of(session, *source)).collect();
        output.json(&Left::beside(left, json!({ "transcripts": all })));
        let texts: Vec<String> = sources.iter().map(|source| text_of(session, *source)).collect();
        output.say(match texts.is_empty() {
            true => {
                "there is no transcript yet; use `deskhand transcribe` or `deskhand words import`"
                    .into()
            }
            false => texts.join("\n\n"),
        });
        if edit::is_elsewhere(session, &sources) {
            output.say(
                "\ntimes count from the start of each recording; for times in the edit: `deskhand words show DIR --edit`",
            );
        }
        Left::say(left, output);
    });
    desk.close()?;
    shown.map(|()| Exit::Done)
}

/// Prints the transcript of what the edit plays.
fn show_edit(dir: &Path, names: &[String], output: Output) -> Result<Exit, Failure> {
    let mut desk = Desk::look(dir, output)?;
    let left = Left::of(&mut desk);
    let shown = sources(desk.session(), names).map(|sources| {
        let (lines, json) = edit::told(desk.session(), &sources);
        output.json(&Left::beside(left, json!({ "edit": json })));
        output.say(match lines.is_empty() {
            true => "the edit plays no words of a transcript; see `deskhand words show`".into(),
            false => lines.join("\n"),
        });
        Left::say(left, output);
    });
    desk.close()?;
    shown.map(|()| Exit::Done)
}

/// Whether a plan waits to transcribe.
fn is_transcription(stored: &StoredPlan) -> bool {
    spec(&stored.plan.tool).is_some_and(|spec| is_unfinished(stored, &spec.effects))
}

/// A transcription that is not done, so the transcript is incomplete.
#[derive(Clone, Copy)]
struct Left {
    /// The plan that waits to run it, or to go on with it.
    plan: PlanId,
    /// How much of it is done, 0 to 1, where it runs.
    done: Option<f64>,
}

impl Left {
    fn of(desk: &mut Desk) -> Option<Self> {
        let plans = desk.plans().ok()?;
        let plan = plans.iter().rev().find(|stored| is_transcription(stored))?.plan.id;
        Some(Self { plan, done: desk.running(plan) })
    }

    /// The words for programs, with a note about an unfinished transcription.
    fn beside(left: Option<Self>, mut words: Value) -> Value {
        match left {
            Some(Self { plan, done: Some(done) }) => {
                words["running"] = json!({"plan": plan, "done": done});
            }
            Some(Self { plan, done: None }) => words["unfinished"] = json!(plan),
            None => {}
        }
        words
    }

    fn say(left: Option<Self>, output: Output) {
        if let Some(left) = left {
            output.say(format!("\n{}", left.told()));
        }
    }

    fn told(self) -> String {
        let Self { plan, done } = self;
        let Some(percent) = done.map(|done| done * 100.0) else {
            return format!(
                "a stopped transcription waits: `deskhand apply DIR {plan} --yes` continues it"
            );
        };
        format!("a transcription is running ({percent:.0} % done); its words appear at the end")
    }
}

/// The sources with these names, or all that have a transcript.
fn sources(session: &Session, names: &[String]) -> Result<Vec<SourceId>, Failure> {
    let spoken = session.segments.values().filter(|segment| !segment.words.is_empty());
    let spoken: BTreeSet<SourceId> = spoken.map(|segment| segment.source).collect();
    if names.is_empty() {
        return Ok(spoken.into_iter().collect());
    }
    let one = |name: &String| {
        let is_meant = |id: &SourceId| {
            id.to_string() == *name || is_same(&session.name_of((*id).into()), name)
        };
        spoken.iter().copied().find(is_meant).ok_or_else(|| {
            let message = format!("\"{name}\" has no transcript");
            let known: Vec<_> = spoken.iter().map(|id| session.name_of((*id).into())).collect();
            let near = nearest(name, known.iter().map(String::as_str));
            let fix = match near.is_empty() {
                true => "use `deskhand transcribe` or `deskhand words import`".to_owned(),
                false => format!("recordings with a transcript: {near}"),
            };
            Failure::new("no_target", message, fix)
        })
    };
    names.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transcription_that_runs_is_not_told_to_wait() {
        let left = |done| Left { plan: PlanId::new(2), done }.told();
        let runs = left(Some(0.34));
        assert!(runs.contains("running (34 % done)") && !runs.contains("apply"), "{runs}");
        let waits = left(None);
        assert!(
            waits.contains(&format!("apply DIR {} --yes` continues it", PlanId::new(2))),
            "{waits}"
        );
    }
}
