//! `deskhand import`: files become sources, tracks and clips.

use crate::args::number::finite;
use crate::declared;
use crate::desk::Desk;
use crate::exit::{Exit, Failure, for_terminal};
use crate::output::Output;
use deskhand_protocol::{Apply, ToolResult};
use deskhand_session::{Change, Plan, Session};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// How files are placed.
pub(crate) struct ImportOptions {
    pub(crate) track: Option<String>,
    pub(crate) at: Option<String>,
    pub(crate) split_channels: bool,
    pub(crate) audio_tracks: Vec<u16>,
    pub(crate) library: bool,
}

/// Imports files into the session in `dir`.
pub(crate) fn run(
    dir: &Path,
    files: &[PathBuf],
    options: ImportOptions,
    output: Output,
) -> Result<Exit, Failure> {
    let params = params(files, options)?;
    let mut desk = Desk::open(dir, output)?;
    let result = import(&mut desk, params);
    if let Ok(result) = &result {
        show(result, desk.session(), output);
    }
    desk.finish_media(output);
    desk.close()?;
    result.map(|_| Exit::Done)
}

/// Imports by the tool that every front end uses; the command itself is the person's decision.
pub(crate) fn import(desk: &mut Desk, params: Value) -> Result<ToolResult, Failure> {
    desk.call(declared::tool("import"), params, Apply::Now)
}

fn params(files: &[PathBuf], options: ImportOptions) -> Result<Value, Failure> {
    let ImportOptions { track, at, split_channels, audio_tracks, library } = options;
    let files = files.iter().map(|file| absolute(file)).collect::<Result<Vec<_>, _>>()?;
    let mut params = json!({"files": files});
    if let Some(track) = track {
        params["track"] = json!(track);
    }
    if !audio_tracks.is_empty() {
        params["audio_tracks"] = json!(audio_tracks);
    }
    match at.as_deref() {
        None => {}
        Some("origin") => params["origin"] = json!(true),
        Some(text) => match finite(text) {
            Ok(seconds) => params["at_s"] = json!(seconds),
            Err(_) => {
                let message = format!("--at {text} is neither seconds nor `origin`");
                return Err(Failure::new("bad_params", message, "write --at 12.5"));
            }
        },
    }
    for (key, wanted) in [("split_channels", split_channels), ("library", library)] {
        if wanted {
            params[key] = json!(true);
        }
    }
    Ok(params)
}

/// Tools take absolute paths as text.
pub(crate) fn absolute(file: &Path) -> Result<String, Failure> {
    let path = std::path::absolute(file)
        .map_err(|error| Failure::plain("media", format!("{}: {error}", file.display())))?;
    path.into_os_string().into_string().map_err(|path| {
        let message = format!("the name {} is not valid UTF-8", path.display());
        Failure::new("media", message, "rename the file")
    })
}

fn show(result: &ToolResult, session: &Session, output: Output) {
    let made = result.plan.as_deref().map(made).unwrap_or_default();
    let of_plan = result.plan.iter().flat_map(|plan| &plan.warnings);
    let warnings: Vec<&String> = of_plan.chain(&result.warnings).collect();
    output.json(&json!({
        "sources": list(&made.sources, session),
        "tracks": list(&made.tracks, session),
        "clips": list(&made.clips, session),
        "warnings": warnings,
    }));
    output.say(&result.summary);
    warnings.iter().for_each(|warning| output.warn(warning));
    let notes = result.plan.iter().flat_map(|plan| &plan.notes);
    notes.for_each(|note| output.say(for_terminal(note)));
}

#[derive(Default)]
struct Made {
    sources: Vec<deskhand_session::ObjectId>,
    tracks: Vec<deskhand_session::ObjectId>,
    clips: Vec<deskhand_session::ObjectId>,
}

/// What a plan adds.
fn made(plan: &Plan) -> Made {
    let mut made = Made::default();
    for change in plan.bare_changes() {
        let list = match change {
            Change::AddSource(_) => &mut made.sources,
            Change::AddTrack(_) => &mut made.tracks,
            Change::AddClip(_) => &mut made.clips,
            _ => continue,
        };
        list.push(change.target());
    }
    made
}

fn list(ids: &[deskhand_session::ObjectId], session: &Session) -> Vec<Value> {
    ids.iter().map(|id| json!({"id": id, "name": session.name_of(*id)})).collect()
}
