//! `deskhand tools check`: a tool on a test tone, and what happened.

use super::manifests::{about, candidate, is_own};
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::output::Output;
use crate::tool_folder::launcher;
use deskhand_external::Candidate;
use deskhand_external::fixture::{Checked, Made, TONE, check};
use deskhand_protocol::clean::plain_text;
use deskhand_toolkit::{CancelToken, Draft, Progress};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;
use std::time::Duration;

/// How often Ctrl-C is looked for.
const STEP: Duration = Duration::from_millis(50);
/// No tenth was reported yet.
const UNTOLD: u8 = u8::MAX;
/// How much longer than its program the check may take.
const AROUND: Duration = Duration::from_secs(60);

/// Runs the tool of a manifest. A manifest outside the person's own folder needs permission first.
pub(crate) fn run(
    file: &Path,
    params: Option<&str>,
    yes: bool,
    output: Output,
) -> Result<Exit, Failure> {
    let candidate = candidate(file)?;
    let params = params.map(parse).transpose()?;
    output.say(about(&candidate));
    let may_run = yes || is_own(&candidate) || (output.can_ask() && output.ask("Run it?"));
    if !may_run {
        let message = "nothing was started: the tool is outside your own tools folder";
        return Err(Failure::decision(message, "read the program, then add --yes"));
    }
    let folder = tempfile::tempdir().map_err(|error| Failure::plain("check", error))?;
    let cancel = CancelToken::new(candidate.manifest.timeout + AROUND);
    watch(cancel.clone());
    let name = candidate.manifest.name.clone();
    output.say(format!("\ngiven      {}", given(&candidate)));
    let progress = Arc::new(Told { output, tenth: AtomicU8::new(UNTOLD) });
    let checked = check(candidate, &launcher()?, params, folder.path(), cancel, progress)?;
    output.json(&to_json(&name, &checked));
    output.say(report(&checked));
    Ok(Exit::Done)
}

fn given(candidate: &Candidate) -> &'static str {
    match candidate.manifest.takes {
        deskhand_external::Takes::Clips => TONE,
        deskhand_external::Takes::Nothing => "no audio",
    }
}

fn parse(text: &str) -> Result<Value, Failure> {
    let params = serde_json::from_str(text).ok().filter(Value::is_object);
    params.ok_or_else(|| {
        Failure::new("bad_params", "--params is not a JSON object", "write it like '{\"a\": 1}'")
    })
}

/// Ctrl-C ends the tool, with all that it started.
fn watch(cancel: CancelToken) {
    interrupt::listen();
    thread::spawn(move || {
        while !interrupt::is_interrupted() && cancel.check().is_ok() {
            thread::sleep(STEP);
        }
        cancel.cancel();
    });
}

/// Prints the tool's progress, each tenth once.
struct Told {
    output: Output,
    tenth: AtomicU8,
}

impl Progress for Told {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of 10, clamped"
    )]
    fn report(&self, fraction: f64, what: &str) {
        let tenth = (fraction.clamp(0.0, 1.0) * 10.0) as u8;
        if self.tenth.swap(tenth, Ordering::Relaxed) != tenth {
            self.output.say(format!("  {:>3} %    {}", tenth * 10, plain_text(what)));
        }
    }
}

fn report(checked: &Checked) -> String {
    let mut lines = vec![format!("parameters {}", checked.params)];
    lines.extend(checked.made.iter().map(|made| format!("gave       {}", shown(made))));
    if !checked.draft.changes.is_empty() {
        lines.push(format!("plan       {}", ops(&checked.draft)));
    }
    if let Some(answer) = &checked.draft.answer {
        lines.push(format!("answer     {answer}"));
    }
    lines.extend(checked.draft.warnings.iter().map(|warning| format!("warning    {warning}")));
    lines.push(format!("ok         {}", checked.draft.summary));
    plain_text(&lines.join("\n"))
}

/// "add_source, remove_clip, 12 add_marker": what the plan does, each kind of change in a row once.
fn ops(draft: &Draft) -> String {
    let mut runs: Vec<(&str, usize)> = Vec::new();
    for op in draft.changes.iter().map(|planned| planned.change.op()) {
        match runs.last_mut() {
            Some((last, count)) if *last == op => *count += 1,
            Some(_) | None => runs.push((op, 1)),
        }
    }
    let words = runs.into_iter().map(|(op, count)| match count {
        1 => op.to_owned(),
        _ => format!("{count} {op}"),
    });
    words.collect::<Vec<_>>().join(", ")
}

fn shown(made: &Made) -> String {
    let peak =
        made.peak.map_or_else(|| "silence".to_owned(), |peak| format!("peak {:.1} dBFS", peak.0));
    format!("{:.3} s, {} channels, {peak}", made.seconds, made.channels)
}

fn to_json(tool: &str, checked: &Checked) -> Value {
    let Checked { params, draft, made } = checked;
    let made = made.iter().map(|made| {
        json!({"seconds": made.seconds, "channels": made.channels, "peak_dbfs": made.peak.map(|peak| peak.0)})
    });
    json!({
        "tool": tool, "ok": true, "params": params, "summary": draft.summary, "made": made.collect::<Vec<_>>(),
        "changes": draft.changes.iter().map(|planned| planned.change.op()).collect::<Vec<_>>(),
        "answer": draft.answer, "warnings": draft.warnings,
    })
}
