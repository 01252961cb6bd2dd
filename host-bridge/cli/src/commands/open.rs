//! `deskhand open`: a DAW's project becomes a session of its own.

use super::{import, new};
use crate::declared;
use crate::desk::Desk;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use deskhand_protocol::{Apply, ToolResult};
use serde_json::json;
use std::path::{Path, PathBuf};

/// The rate of a session where the project has none, Hz.
const RATE: u32 = 48_000;

/// Makes a session from the project `file`, in `dir` or next to the project.
pub(crate) fn run(file: &Path, dir: Option<&Path>, output: Output) -> Result<Exit, Failure> {
    let path = import::absolute(file)?;
    let dir = dir.map_or_else(|| beside(file), Path::to_path_buf);
    let rate = deskhand_hosts::rate_of(file).unwrap_or(RATE);
    let mut desk = Desk::create(&dir, &new::empty(rate)?)?;
    // The command itself is the person's decision.
    let opened = desk.call(declared::tool("open"), json!({"path": path}), Apply::Now);
    if let Ok(result) = &opened {
        show(result, &dir, output);
    }
    desk.finish_media(output);
    desk.close()?;
    if opened.is_err() {
        // It was made for this project alone.
        drop(std::fs::remove_dir_all(&dir));
    }
    opened.map(|_| Exit::Done)
}

/// "song.deskhand" for song.RPP.
fn beside(file: &Path) -> PathBuf {
    file.with_extension("deskhand")
}

fn show(result: &ToolResult, dir: &Path, output: Output) {
    let plan = result.plan.as_ref();
    output.json(
        &json!({"dir": dir, "opened": result.answer, "warnings": plan.map(|it| &it.warnings)}),
    );
    output.say(format!("{}, as {}", result.summary, dir.display()));
    for told in plan.iter().flat_map(|plan| plan.warnings.iter().chain(&plan.notes)) {
        output.warn(told);
    }
}
