//! Commands that tools declare: what was typed becomes a call of the tool.

use super::assemble;
use super::call::Call;
use crate::advance_approval::Ahead;
use crate::commands::import::absolute;
use crate::declared::{Called, Declared, number, value};
use crate::desk::Desk;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use deskhand_session::Session;
use deskhand_session::command_line::{Argument, Reads};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// Flags that leave a part of the work out.
const KEEP: &str = "keep-";

/// Runs a command that a tool declares.
pub(crate) fn run(called: &Called, output: Output) -> Result<Exit, Failure> {
    let declared = called.declared().map_err(|endings| unknown_ending(called, &endings))?;
    leaves_something(called, declared)?;
    let yes = called.has("yes");
    let unheard = if declared.line.has_unheard { called.has("unheard") } else { yes };
    let ahead = Ahead { yes, unheard };
    let mut desk = Desk::open(called.dir(), output)?;
    let params = params(called, declared, desk.session());
    let done = params.and_then(|params| Call { declared, params, ahead }.make(&mut desk, output));
    desk.close()?;
    done
}

fn unknown_ending(called: &Called, endings: &[&str]) -> Failure {
    let file = called.typed.get_one::<PathBuf>("FILE").cloned().unwrap_or_default();
    let message = format!("the ending of {} is not known", file.display());
    Failure::new("bad_params", message, format!("use .{}", endings.join(" or .")))
}

/// Whether not every part of the work is left out.
fn leaves_something(called: &Called, declared: Declared) -> Result<(), Failure> {
    let names = declared.line.arguments.iter().map(Argument::name);
    let mut keeps = names.filter(|name| name.starts_with(KEEP)).peekable();
    if keeps.peek().is_none() || !keeps.all(|name| called.has(name)) {
        return Ok(());
    }
    let fix = "omit one of the --keep options";
    Err(Failure::new("bad_params", "these options leave nothing to cut", fix))
}

/// The parameters of the call.
fn params(
    called: &Called,
    declared: Declared,
    session: &Session,
) -> Result<Map<String, Value>, Failure> {
    let (mut params, mut also) = (Map::new(), Vec::new());
    for argument in &declared.line.arguments {
        let Some(value) = read(called, declared, argument, session)? else { continue };
        also.extend(argument.also.iter().cloned());
        if !argument.param.is_empty() {
            params.insert(argument.param.to_owned(), value);
        }
    }
    for (param, value) in also {
        params.entry(param).or_insert(value);
    }
    Ok(params)
}

/// The value of a parameter, if the argument is given or has a default.
fn read(
    called: &Called,
    declared: Declared,
    argument: &Argument,
    session: &Session,
) -> Result<Option<Value>, Failure> {
    let typed = &called.typed;
    let text = || value(declared.spec, argument, typed);
    Ok(match &argument.reads {
        Reads::Value | Reads::Words | Reads::Flag(_) => text(),
        Reads::Path => {
            let path = typed.get_one::<PathBuf>(argument.name());
            path.map(|path| absolute(path)).transpose()?.map(|path| json!(path))
        }
        Reads::Times(times) => number(argument.name(), typed).map(|it| json!(it * times)),
        Reads::Length(start, times) => {
            range(called, start, argument.name())?.map(|length| json!(length * times))
        }
        Reads::Phrases => text().map(|it| assemble::phrases(session, &it)).transpose()?,
        Reads::AllPhrases => text().map(|it| assemble::order(session, &it)).transpose()?,
    })
}

/// The length of a range, or why it is none, in the words of the command line: tools have others for it.
fn range(called: &Called, start: &str, end: &str) -> Result<Option<f64>, Failure> {
    let ends = number(start, &called.typed).zip(number(end, &called.typed));
    match ends {
        Some((from, to)) if to <= from => {
            let message = format!("{end} is {to}, and {start} is {from}");
            Err(Failure::new("bad_params", message, format!("give {end} greater than {start}")))
        }
        ends => Ok(ends.map(|(from, to)| to - from)),
    }
}
