//! `tool_merge_codings` adds the codings of a second coder, read from that coder's session. It is part of
//! the bridge because tools cannot open a store.
//!
//! Thread: worker.

use deskhand_session::tool_error::{Code, Phase, ToolError};
use deskhand_session::{ObjectId, Revision, Session};
use deskhand_store::{Loaded, Store};
use deskhand_toolkit::{Category, Draft, Offers, PlanContext, ToolSpec, Trust, TypedTool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;

/// A large session is read in seconds.
const LIMIT: Duration = Duration::from_secs(600);

pub(crate) struct MergeCodings;

/// Whose codings, and from where.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// Absolute path of the second coder's session folder. It is only read.
    #[schemars(length(min = 1, max = 4096))]
    session: PathBuf,
    /// The second coder's name, 1 to 200 characters.
    #[schemars(length(min = 1, max = 200))]
    coder: String,
}

impl TypedTool for MergeCodings {
    type Params = Params;
    type Resolved = Params;

    fn spec() -> ToolSpec {
        let spec = ToolSpec::new(
            "tool_merge_codings",
            "Merge a second coder's codings",
            "Imports the codings of a second coder from their own session, so that \
                 tool_report_codes can measure agreement. Codes match by path, recordings by content; \
                 missing codes are made. From a copy of this session, only codings made after the \
                 copy count. Memos on codes, segments and recordings, and marks of importance, come \
                 along. Returns {batch_id, codings_added, already_coded, inherited, memos_added, \
                 memos_left_out, codes_created, sources_missing}.",
            Category::Organize,
            Trust::Suggest,
        )
        .reads_files()
        .command("codes codings", "Import the codes a second person gave in a copy of the session")
        .path("FROM", "session", "The session folder of the other person")
        .arg("CODER", "coder", "The name of the other person")
        .offers(Offers::used("`deskhand codes codings` in a terminal"));
        let examples = vec![json!({"session": "/studies/interviews by Bea", "coder": "Bea"})];
        ToolSpec { examples, timeout: LIMIT, ..spec }
    }

    fn resolve(params: Params, _: &Session) -> Result<Params, ToolError> {
        if params.session.is_relative() {
            let message = format!("{:?} is no whole path", params.session);
            return Err(ToolError::prepare(Code::BadParams, message, "give it from the root on"));
        }
        Ok(params)
    }

    fn targets(_: &Params) -> Vec<ObjectId> {
        Vec::new()
    }

    fn outside(params: &Params) -> Vec<PathBuf> {
        vec![params.session.clone()]
    }

    fn run(params: Params, context: &PlanContext) -> Result<Draft, ToolError> {
        if params
            .session
            .canonicalize()
            .is_ok_and(|it| Some(it) == context.folder.canonicalize().ok())
        {
            let message = format!("{} is this session itself", params.session.display());
            let fix = "name the other person's copy of the session";
            return Err(ToolError::run(Code::BadParams, message, fix));
        }
        let look = Store::look(&params.session).map_err(|error| {
            let fix = "choose the folder of the second coder's session";
            ToolError {
                phase: Phase::Run,
                code: Code::Media,
                message: error.to_string(),
                fix: fix.into(),
            }
        })?;
        context.check()?;
        let loaded = &look.loaded;
        let shared = shared(loaded, context);
        deskhand_codes::merge_codings(context, &loaded.session, shared.as_ref(), &params.coder)
    }
}

/// The common state of both sessions before one was copied; `None` if neither is a copy. Ids prove nothing:
/// the same first call makes the same ids in both.
fn shared(theirs: &Loaded, context: &PlanContext) -> Option<Session> {
    let history = &theirs.history;
    let first = history.get(history.head());
    let mut line = std::iter::successors(first, |revision| history.get(revision.parent));
    let is_here = |of: &Revision| context.made_ms.get(&of.id) == Some(&of.time_ms);
    let last = line.find(|revision| is_here(revision))?;
    match history.go_to(last.id) {
        Some(back) => theirs.session.with(&back.changes).ok(),
        None => Some(theirs.session.clone()),
    }
}
