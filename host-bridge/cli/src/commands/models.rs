//! `deskhand models`: the installed and available models, with sizes and licenses. Only `install` uses the
//! network, and only after a yes.

use crate::args::ModelsCommand;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::progress::Bar;
use crate::{interrupt, table};
use comfy_table::Cell;
use deskhand_inference::{
    Card, InstallError, Installed, Library, LibraryError, Origin, Pin, card, catalog,
};
use serde_json::{Value, json};
use std::fmt::Display;
use std::ops::ControlFlow;
use std::path::Path;

/// Runs one of the commands.
pub(crate) fn run(command: &ModelsCommand, output: Output) -> Result<Exit, Failure> {
    let library = Library::of_this_user().map_err(failed)?;
    match command {
        ModelsCommand::List => list(&library, output),
        ModelsCommand::Show { id } => show(&library, id, output),
        ModelsCommand::Install { id, yes } => install(&library, id, *yes, output),
        ModelsCommand::Add { file } => add(&library, file, output),
        ModelsCommand::Remove { id } => remove(&library, id, output),
        ModelsCommand::Pin { id, off } => pin(&library, id, *off, output),
        ModelsCommand::Verify { id } => verify(&library, id.as_deref(), output),
    }
}

fn failed(error: impl Display) -> Failure {
    Failure::plain("model", error)
}

fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes.div_ceil(1_000_000))
}

/// The state of a model from the catalog, or of an added one.
fn state(found: Option<&Installed>) -> &'static str {
    if found.is_some_and(|found| !found.looks_whole()) {
        return "damaged";
    }
    match found.map(|found| (found.record.origin, found.record.pin)) {
        None => "not installed",
        Some((Origin::Catalog, Pin::Free)) => "installed",
        Some((Origin::Catalog, Pin::Pinned)) => "installed, pinned",
        Some((Origin::Added, Pin::Free)) => "added",
        Some((Origin::Added, Pin::Pinned)) => "added, pinned",
    }
}

fn list(library: &Library, output: Output) -> Result<Exit, Failure> {
    let installed = library.installed();
    let find = |id: &str| installed.iter().find(|one| one.record.id == id);
    let mut rows: Vec<(String, String, u64, String, Option<&Installed>)> = catalog()
        .iter()
        .map(|card| {
            let title = format!("{} ({})", card.title, card.task.title());
            (card.id.into(), title, card.size, card.license.into(), find(card.id))
        })
        .collect();
    rows.extend(installed.iter().filter(|one| card(&one.record.id).is_none()).map(|one| {
        let record = &one.record;
        let title = format!("{} ({})", record.title, record.task.title());
        (record.id.clone(), title, record.size, record.license.clone(), Some(one))
    }));
    let models: Vec<Value> = rows
        .iter()
        .map(|(id, title, size, license, found)| {
            let state = state(*found);
            json!({"id": id, "title": title, "bytes": size, "license": license, "state": state})
        })
        .collect();
    let folder = library.folder();
    output.json(&json!({"folder": folder, "quota_bytes": library.quota(), "models": models}));
    let mut shown = table::new(output, &["id", "what", "size", "license", "state"]);
    for (id, title, size, license, found) in &rows {
        let cells = [id, title, &megabytes(*size), license, &state(*found).to_owned()];
        shown.add_row(cells.map(Cell::new));
    }
    let taken: u64 = installed.iter().map(|one| one.record.size).sum();
    output.say(shown.to_string());
    let (taken, quota) = (megabytes(taken), megabytes(library.quota()));
    output.say(format!("\n{taken} of {quota} in {}", folder.display()));
    Ok(Exit::Done)
}

fn show(library: &Library, id: &str, output: Output) -> Result<Exit, Failure> {
    let installed = library.installed().into_iter().find(|one| one.record.id == id);
    match (card(id), installed) {
        (Some(card), installed) => {
            let record = installed.as_ref().map(|one| &one.record);
            output.json(&json!({"card": card, "installed": record}));
            output.say(described(card, installed.as_ref()));
        }
        (None, Some(found)) => {
            let Installed { record, path } = &found;
            output.json(&json!({"card": null, "installed": record}));
            output.say(format!(
                "{}: {}\n{}, {}, license {}\n{}file: {}\nsha256: {}",
                record.id,
                record.title,
                state(Some(&found)),
                megabytes(record.size),
                record.license,
                stems_line(&record.layout.stems()),
                path.display(),
                record.sha256
            ));
        }
        (None, None) => return Err(library.find(id).err().map_or_else(|| failed(id), failed)),
    }
    Ok(Exit::Done)
}

fn described(card: &Card, found: Option<&Installed>) -> String {
    format!(
        "{}: {}\n{}, version {}, {}\n\n\
         from PyPI: {}, {} to download, {} on the disk\n\
         memory while it runs: about {}\n\
         {}\
         quality: {}\n\
         sha256: {}\n\n\
         license: {}\n\n{}",
        card.id,
        card.title,
        card.task.title(),
        card.version,
        state(found),
        card.pinned(),
        megabytes(card.download()),
        megabytes(card.size),
        megabytes(card.memory),
        stems_line(&card.layout.stems()),
        card.quality,
        card.sha256,
        card.license,
        card.license_text.trim_end()
    )
}

/// A line with the stems that a model gives; empty for a model without stems.
fn stems_line(stems: &[&str]) -> String {
    if stems.is_empty() { String::new() } else { format!("stems: {}\n", stems.join(", ")) }
}

fn install(library: &Library, id: &str, yes: bool, output: Output) -> Result<Exit, Failure> {
    let Some(card) = card(id) else {
        return Err(library.find(id).err().map_or_else(
            || Failure::new("model", format!("{id} is your own file"), "add it with `models add`"),
            failed,
        ));
    };
    let what = format!(
        "{} {}: {} from PyPI ({}), license {}",
        card.id,
        card.version,
        megabytes(card.download()),
        card.pinned(),
        card.license
    );
    if !yes {
        output.say(format!("{what}\nthe license in full: `deskhand models show {id}`"));
        if !output.can_ask() {
            let fix = format!("to agree: `deskhand models install {id} --yes`");
            return Err(Failure::decision(format!("you must agree to install {what}"), fix));
        }
        if !output.ask("Download and install it?") {
            return Err(Failure::decision("not installed", "nothing was downloaded"));
        }
    }
    interrupt::listen();
    let bar = Bar::new(id);
    let mut told = |what: &str| {
        let done = match what {
            _ if what.starts_with("downloading") => 0.1,
            "checking" => 0.7,
            _ => 0.9,
        };
        bar.show(done, &format!("{id}: {what}"));
        if interrupt::take() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let before = library.installed();
    let installed = deskhand_inference::install(library, card, &mut told);
    drop(bar);
    kept(installed, "installed", &gone(&before, library), output)
}

fn add(library: &Library, file: &Path, output: Output) -> Result<Exit, Failure> {
    let before = library.installed();
    let added = deskhand_inference::add(library, file);
    kept(added, "added", &gone(&before, library), output)
}

/// The models that had to go for room.
fn gone(before: &[Installed], library: &Library) -> Vec<String> {
    let now = library.installed();
    let is_gone = |one: &&Installed| !now.iter().any(|other| other.record.id == one.record.id);
    before.iter().filter(is_gone).map(|one| one.record.id.clone()).collect()
}

fn kept(
    installed: Result<Installed, InstallError>,
    verb: &str,
    gone: &[String],
    output: Output,
) -> Result<Exit, Failure> {
    if !gone.is_empty() {
        output.say(format!("removed {} to free space", gone.join(", ")));
    }
    let Installed { record, path } = installed.map_err(failed)?;
    output.json(&json!({"installed": record, "path": path, "removed": gone}));
    let stems = match record.layout.stems() {
        none if none.is_empty() => String::new(),
        stems => format!(", stems: {}", stems.join(", ")),
    };
    output.say(format!("{verb} {} ({}{stems})", record.id, megabytes(record.size)));
    Ok(Exit::Done)
}

fn remove(library: &Library, id: &str, output: Output) -> Result<Exit, Failure> {
    let record = library.remove(id).map_err(failed)?;
    output.json(&json!({"removed": record.id, "bytes": record.size}));
    output.say(format!("removed {} ({} freed)", record.id, megabytes(record.size)));
    Ok(Exit::Done)
}

fn pin(library: &Library, id: &str, off: bool, output: Output) -> Result<Exit, Failure> {
    let pin = if off { Pin::Free } else { Pin::Pinned };
    let record = library.pin(id, pin).map_err(failed)?;
    output.json(&json!({"id": record.id, "pin": record.pin}));
    let told = match pin {
        Pin::Pinned => "is kept when space is needed",
        Pin::Free => "may be removed when space is needed",
    };
    output.say(format!("{} {told}", record.id));
    Ok(Exit::Done)
}

fn verify(library: &Library, id: Option<&str>, output: Output) -> Result<Exit, Failure> {
    let ids = match id {
        Some(id) => vec![id.to_owned()],
        None => library.installed().into_iter().map(|one| one.record.id).collect(),
    };
    let checked: Vec<(String, Result<Installed, LibraryError>)> =
        ids.into_iter().map(|id| (id.clone(), library.verify(&id))).collect();
    let told: Vec<Value> = checked
        .iter()
        .map(|(id, found)| {
            json!({"id": id, "whole": found.is_ok(), "problem": found.as_ref().err().map(ToString::to_string)})
        })
        .collect();
    output.json(&told);
    if checked.is_empty() {
        output.say("no model is installed");
    }
    let mut exit = Exit::Done;
    for (id, found) in checked {
        match found {
            Ok(_) => output.say(format!("{id}: intact")),
            Err(error) => {
                exit = Exit::Failed;
                output.complain(&failed(error));
            }
        }
    }
    Ok(exit)
}
