//! `cmd_finish`: the end of the work on an assembly.

use super::state::{self, StepError};
use deskhand_session::intent::{Intent, TextKind};
use deskhand_session::text::count;
use deskhand_session::{Assembly, Change, Edit};
use deskhand_toolkit::about::command;
use deskhand_toolkit::{Category, Code, Command, CommandCall, Draft, ToolError, ToolSpec, Trust};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `cmd_finish`.
pub(super) struct Finish;

/// What was done.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Summary {
    /// What you did, in a few sentences for the person.
    #[schemars(length(min = 1, max = 20000))]
    summary: String,
}

fn says() -> [Intent; 2] {
    let finish = || {
        Intent::verbs("finish edit")
            .also("whole edit | session")
            .sets("summary", "The edit is done.")
    };
    [
        finish().said("summary", "says", TextKind::Text),
        finish().also("memo | with:memo | with:summary").said(
            "summary",
            "- | with",
            TextKind::Quote,
        ),
    ]
}

impl Command for Finish {
    type Params = Summary;

    fn spec() -> ToolSpec {
        command(
            "cmd_finish",
            "Finish the assembly",
            "Finishes an assembly with a summary for the person. A later step opens it again.",
            Category::Edit,
            Trust::Notify,
            json!({"summary": "12 phrases, the third take of the intro, digressions removed."}),
        )
        .sets()
        .also_called(&["finish"])
        .command("assemble finish", "Finish the edit with a summary")
        .arg("SUMMARY", "summary", "The summary of the edit, in a sentence or two")
        .says(says())
    }

    fn plan(params: Summary, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let before =
            state::begun(call.session).map_err(|error: StepError| ToolError::from(error))?;
        let summary = params.summary.trim();
        if summary.is_empty() {
            let fix = "say what was done";
            return Err(ToolError::prepare(Code::BadParams, "the summary is empty", fix));
        }
        let after = Assembly { finished: Some(summary.into()), ..before.clone() };
        let number = count(after.order.len(), "phrase");
        let change = Change::SetAssembly(Edit::new(call.session.id, before, after));
        if change.is_identity() {
            return Ok(Draft::new("Nothing to change: it is finished with these words"));
        }
        let mut draft = Draft::new(format!("Finish the assembly of {number}"));
        draft.change(change, "Assembly".into(), "as asked");
        Ok(draft)
    }
}
