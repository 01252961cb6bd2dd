//! One file a command, or a family of commands.

mod apply;
mod ask;
mod ask_model;
mod chat;
mod completions;
mod data;
mod doctor;
mod history;
mod import;
mod install;
mod locate;
#[cfg(feature = "mcp")]
pub(crate) mod mcp;
mod measure;
mod models;
mod new;
mod open;
pub(crate) mod plan;
mod providers;
mod render;
pub(crate) mod serve;
pub(crate) mod show;
mod tools;
mod words;

pub(crate) use apply::receipt_json;
pub(crate) use words::declared as run_declared;

use crate::args::Command;
use crate::args::words::CodesCommand;
use crate::exit::{Exit, Failure};
use crate::output::Output;

/// Runs a command: one arm each.
// tidy: table
pub(crate) fn run(command: Command, output: &Output) -> Result<Exit, Failure> {
    let output = *output;
    match command {
        Command::Measure { files } => measure::run(&files, output),
        Command::New { dir, rate, example, seed } => {
            let content = match seed.as_deref() {
                Some(json) => new::Content::Seed(json),
                None if example => new::Content::Example,
                None => new::Content::Nothing,
            };
            new::run(&dir, rate, content, output)
        }
        Command::Locate { session, was } => locate::run(session, was.as_deref(), output),
        Command::Open { file, dir } => open::run(&file, dir.as_deref(), output),
        Command::Import { dir, files, track, at, split_channels, audio_tracks, library } => {
            let options =
                import::ImportOptions { track, at, split_channels, audio_tracks, library };
            import::run(&dir, &files, options, output)
        }
        Command::Show { dir } => show::run(&dir, output),
        Command::Tools { what: None, name } => tools::run(name.as_deref(), output),
        Command::Tools { what: Some(what), .. } => tools::manifests::run(what, output),
        Command::Plan { dir, tool, values, params, output: file, yes } => {
            let params = plan::parse(params.as_deref(), &values)?;
            plan::run(&dir, (&tool, params), file.as_deref(), yes, output)
        }
        Command::Models { command } => models::run(&command, output),
        Command::Providers { command } => providers::run(&command, output),
        Command::Plans { dir, plan: None } => plan::list(&dir, output),
        Command::Plans { dir, plan: Some(plan) } => plan::one(&dir, &plan, output),
        Command::Apply { dir, plan, only, set, ahead } => {
            apply::run(&dir, plan.as_deref(), apply::Taken { only, set, ahead }, output)
        }
        Command::Reject { dir, plan, reason } => {
            apply::reject(&dir, plan.as_deref(), reason, output)
        }
        Command::Undo { dir } => history::undo(&dir, output),
        Command::Redo { dir } => history::redo(&dir, output),
        Command::Log { dir } => history::log(&dir, output),
        Command::Render { dir, out, plan, stems, bits, range, .. } => {
            let options = render::RenderOptions { plan, stems, bits, range };
            render::run(&dir, &out, &options, output)
        }
        Command::Ask { target, words, provider, ahead } => {
            ask::run(&target, &words, provider.as_deref(), ahead, output)
        }
        Command::Chat { dir, provider, policy, local_only } => {
            chat::run(&dir, chat::ChatOptions { provider, policy, local_only }, output)
        }
        Command::Serve { background: true, .. } => serve::in_background(output),
        Command::Serve { dir, policy, linger, local_only, background: false } => {
            serve::run(&dir, serve::ServeOptions { policy, linger, local_only }, output)
        }
        Command::Transcribe(args) => words::transcribe(args, output),
        Command::Words { command } => words::said(command, output),
        Command::Codes { command: CodesCommand::List { dir } } => words::codes(&dir, output),
        Command::Assemble { command } => words::assemble(command, output),
        #[cfg(feature = "mcp")]
        Command::Mcp(args) => mcp::run(args, output),
        Command::Doctor { remove_unused: true, yes, .. } => doctor::remove_unused(yes, output),
        Command::Doctor { dir: None, .. } => doctor::here(output),
        Command::Doctor { dir: Some(dir), repair_to, .. } => {
            doctor::run(&dir, repair_to.as_deref(), output)
        }
        Command::Install { remove: false } => install::run(install::Direction::Install, output),
        Command::Install { remove: true } => install::run(install::Direction::Remove, output),
        Command::Completions { shell } => completions::run(shell),
    }
}
