//! One file a command, or a family of commands.

mod answers;
mod apply;
mod ask;
mod completions;
mod doctor;
mod history;
mod import;
mod measure;
mod new;
mod plan;
mod render;
mod show;
mod tools;

use crate::args::Command;
use crate::exit::{Exit, Failure};
use crate::output::Output;

/// Runs a command: one arm each.
// tidy: table
pub(crate) fn run(command: Command, output: &Output) -> Result<Exit, Failure> {
    let output = *output;
    match command {
        Command::Measure { files } => measure::run(&files, output),
        Command::New { dir, rate } => new::run(&dir, rate, output),
        Command::Import { dir, files, track, at, split_channels, library } => {
            let options = import::Options { track, at, split_channels, library };
            import::run(&dir, &files, options, output)
        }
        Command::Show { dir } => show::run(&dir, output),
        Command::Tools { name } => tools::run(name.as_deref(), output),
        Command::Plan { dir, tool, values, params, output: file } => {
            let params = plan::parse(params.as_deref(), &values)?;
            plan::run(&dir, &tool, params, file.as_deref(), output)
        }
        Command::Plans { dir, plan: None } => plan::list(&dir, output),
        Command::Plans { dir, plan: Some(plan) } => plan::one(&dir, &plan, output),
        Command::Apply { dir, plan, only, set, yes } => {
            apply::run(&dir, &plan, apply::Taken { only, set, yes }, output)
        }
        Command::Reject { dir, plan, reason } => apply::reject(&dir, &plan, reason, output),
        Command::Undo { dir } => history::undo(&dir, output),
        Command::Redo { dir } => history::redo(&dir, output),
        Command::Log { dir } => history::log(&dir, output),
        Command::Render { dir, out, plan, stems, bits, range } => {
            let options = render::Options { plan, stems, bits, range };
            render::run(&dir, &out, &options, output)
        }
        Command::Ask { target, words, yes } => ask::run(&target, &words, yes, output),
        Command::Doctor { dir, repair_to } => doctor::run(&dir, repair_to.as_deref(), output),
        Command::Completions { shell } => completions::run(shell),
    }
}
