//! `cmd_save_copy`: the session with its media, in a new folder.

use super::tool::{About, Act, HouseTool, parsed};
use crate::bridge::Bridge;
use deskhand_session::intent::Intent;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_store::{Copied, Copier, CopyError, Extra};
use deskhand_toolkit::{Category, Draft, PlanContext, PlanTask, Prepared, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

/// Hundreds of gigabytes of media.
const LIMIT: Duration = Duration::from_secs(3_600);

/// Where to.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CopyParams {
    /// The new folder; it must not exist. A relative path starts at the session's parent folder.
    #[schemars(length(min = 1, max = 4096))]
    path: String,
}

/// What was copied.
#[derive(Debug, Serialize, JsonSchema)]
struct CopyAnswer {
    /// The new folder.
    path: String,
    /// Number of copied media files.
    media_files: usize,
    /// Their size in bytes.
    media_bytes: u64,
    /// Sources that are not copied because their files are missing or changed.
    missing: Vec<String>,
}

pub(super) fn tool() -> HouseTool {
    let about = About {
        name: "cmd_save_copy",
        title: "Save a copy",
        description: "Saves the session with its history, plans, conversation and media as a new folder. Audio \
                      files outside the session are copied into it. Writes outside the session, so a model's \
                      call waits until the person lets it run. Returns {path, media_files, media_bytes, \
                      missing}.",
        category: Category::Library,
        trust: Trust::Require,
        example: json!({"path": "backup of today"}),
    };
    let mut spec = about.spec::<CopyParams, CopyAnswer>();
    spec.timeout = LIMIT;
    let says = Intent::verbs("save copy").also("of:session").text("path", "as | called | to");
    let tool = HouseTool { spec, act: Act::Work(prepared) };
    tool.and(|spec| spec.writes_files().says([says.sets("path", "backup")]))
}

struct CopyTask {
    copier: Copier,
    path: PathBuf,
}

fn prepared(bridge: &Bridge, params: Value) -> Result<Prepared, ToolError> {
    let CopyParams { path } = parsed(params)?;
    let path = bridge.new_path(&path)?;
    let task = CopyTask { copier: bridge.commits.store.copier(), path };
    Ok(Prepared::new(Box::new(task), Vec::new()))
}

impl PlanTask for CopyTask {
    fn run(self: Box<Self>, context: &PlanContext) -> Result<Draft, ToolError> {
        let mut go_on = |done: f64| {
            context.progress.report(done, "copying");
            match context.check() {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        };
        let (originals, missing) = originals(context);
        let copied = self.copier.copy_with(&self.path, &originals, &mut go_on).map_err(
            |error| match error {
                CopyError::Cancelled => context.check().err().unwrap_or_else(|| failed(&error)),
                _ => failed(&error),
            },
        )?;
        let Copied { dir, media_files, media_bytes } = copied;
        let mut draft = Draft::new(format!("Saved a copy in {}", dir.display()));
        if !missing.is_empty() {
            let (count, names) = (missing.len(), missing.join(", "));
            draft.summary += &format!("; {count} originals are missing or changed: {names}");
        }
        let path = dir.display().to_string();
        draft.answer = Some(json!(CopyAnswer { path, media_files, media_bytes, missing }));
        Ok(draft)
    }
}

/// The originals that are played in place, as files of a copy; and the names of sources whose original has
/// changed since the import.
fn originals(context: &PlanContext) -> (Vec<Extra>, Vec<String>) {
    let (mut files, mut missing) = (BTreeSet::new(), Vec::new());
    for source in context.session.sources.values() {
        let Some(to) = source.kept() else {
            continue;
        };
        // In a copy it lies in the folder already, and is copied with it.
        if context.folder.join(&to).is_file() {
            continue;
        }
        let file = PathBuf::from(&source.path);
        match file.metadata() {
            Ok(found) if found.is_file() && found.len() == source.size => {
                files.insert(Extra { to: to.into(), file, bytes: source.size });
            }
            Ok(_) | Err(_) => missing.push(source.name.clone()),
        }
    }
    (files.into_iter().collect(), missing)
}

fn failed(error: &CopyError) -> ToolError {
    ToolError::run(
        Code::Write,
        error.to_string(),
        "nothing is left of the copy; choose another path",
    )
}
