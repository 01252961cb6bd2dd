//! `deskhand tools list|new|approve|forget`: manifests of tools that anyone adds.

use super::check;
use crate::args::{Like, ToolsCommand};
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::table;
use crate::tool_folder::{approvals, manifests, own};
use comfy_table::Cell;
use deskhand_external::launch::kept_from;
use deskhand_external::{Candidate, Entry, State, Template};
use deskhand_protocol::clean::plain_text;
use deskhand_session::tool_name::TOOL;
use deskhand_toolkit::Network;
use serde_json::{Value, json};
use std::path::Path;

/// Runs one of them.
pub(crate) fn run(what: ToolsCommand, output: Output) -> Result<Exit, Failure> {
    match what {
        ToolsCommand::List { dir } => list(dir.as_deref(), output),
        ToolsCommand::New { name, folder, like } => new(&name, folder.as_deref(), like, output),
        ToolsCommand::Check { file, params, yes } => {
            check::run(&file, params.as_deref(), yes, output)
        }
        ToolsCommand::Approve { file, yes } => approve(&file, yes, output),
        ToolsCommand::Forget { file } => forget(&file, output),
    }
}

fn list(dir: Option<&Path>, output: Output) -> Result<Exit, Failure> {
    let entries = manifests(dir).entries;
    output.json(&entries.iter().map(entry_json).collect::<Vec<_>>());
    if entries.is_empty() {
        output.say(format!("no manifests; put your own into {}", own().display()));
        return Ok(Exit::Done);
    }
    let mut table = table::new(output, &["tool", "state", "file"]);
    for entry in &entries {
        let name = entry.name.as_deref().unwrap_or("-");
        let file = plain_text(&entry.file.display().to_string());
        table.add_row([Cell::new(name), Cell::new(word(&entry.state)), Cell::new(file)]);
    }
    output.say(table.to_string());
    entries.iter().filter_map(Entry::warning).for_each(|why| output.warn(why));
    Ok(Exit::Done)
}

fn entry_json(entry: &Entry) -> Value {
    json!({
        "name": entry.name, "state": word(&entry.state), "file": entry.file, "why": entry.warning(),
    })
}

fn word(state: &State) -> &'static str {
    match state {
        State::Active => "active",
        State::Inert => "not approved",
        State::Changed => "changed",
        State::Refused(_) => "refused",
    }
}

fn new(name: &str, folder: Option<&Path>, like: Like, output: Output) -> Result<Exit, Failure> {
    let template = match like {
        Like::Plain => Template::Plain,
        Like::PitchAndTime => Template::PitchAndTime,
    };
    let own = own();
    let (manifest, program) = template
        .write(name, folder.unwrap_or(&own))
        .map_err(|error| Failure::plain("new", error))?;
    output
        .json(&json!({"tool": format!("{TOOL}{name}"), "manifest": manifest, "program": program}));
    output.say(format!("wrote {}\nwrote {}", manifest.display(), program.display()));
    output.say(format!("try it: deskhand tools check {:?}", manifest.display().to_string()));
    Ok(Exit::Done)
}

/// The manifest, if it can be used here.
pub(super) fn candidate(file: &Path) -> Result<Candidate, Failure> {
    Candidate::read(file).map_err(|error| Failure::plain("manifest", error))
}

fn approve(file: &Path, yes: bool, output: Output) -> Result<Exit, Failure> {
    let candidate = candidate(file)?;
    if is_own(&candidate) {
        output.json(&json!({"approved": false, "own": true}));
        output.say("it is in your own tools folder and needs no approval");
        return Ok(Exit::Done);
    }
    output.say(about(&candidate));
    let agrees = yes || output.can_ask() && output.ask("Allow this tool in its current form?");
    if !agrees {
        let message = "nothing was approved";
        let fix = "answer y on a terminal, or add --yes";
        return Err(Failure::decision(message, fix));
    }
    approvals().approve(&candidate).map_err(|error| Failure::plain("approve", error))?;
    let name = &candidate.manifest.name;
    output.json(&json!({"approved": true, "tool": name, "fingerprint": candidate.fingerprint}));
    output.say(format!("open the session again to use {name}; Deskhand asks before each run"));
    Ok(Exit::Done)
}

fn forget(file: &Path, output: Output) -> Result<Exit, Failure> {
    let was = approvals().forget(file).map_err(|error| Failure::plain("forget", error))?;
    output.json(&json!({"forgotten": was}));
    output.say(if was { "the approval is revoked" } else { "it was not approved" });
    Ok(Exit::Done)
}

/// Whether a manifest lies in the person's own folder.
pub(super) fn is_own(candidate: &Candidate) -> bool {
    let own = own().canonicalize();
    own.is_ok_and(|own| candidate.file.parent() == Some(&own))
}

/// The description of a manifest, and what its program can do, for the person who decides.
pub(super) fn about(candidate: &Candidate) -> String {
    let manifest = &candidate.manifest;
    let (kept, open) = kept_from(manifest.network);
    let network = match manifest.network {
        Network::Open => "yes",
        Network::Closed => "no",
    };
    let files =
        if manifest.files.is_empty() { "none".to_owned() } else { manifest.files.join(", ") };
    let kept = if kept.is_empty() { "nothing, on this system".to_owned() } else { kept.join(", ") };
    [
        format!("{}: {}", manifest.name, manifest.title),
        format!("  {}", manifest.description.replace('\n', "\n  ")),
        format!("  manifest   {}", candidate.file.display()),
        format!("  starts     {}", candidate.shown_command()),
        format!("  brings     {files}"),
        format!("  network    {network}"),
        format!(
            "  limits     {} s, {} MB",
            manifest.timeout.as_secs(),
            manifest.memory / 1_000_000
        ),
        format!("  blocked    {kept}"),
        format!("  open to    {}", open.join(", ")),
    ]
    .map(|line| plain_text(&line))
    .join("\n")
}
