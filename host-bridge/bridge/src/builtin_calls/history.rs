//! `get_history`, `cmd_undo` and `cmd_redo`.

use super::answers::{Listed, Page};
use super::tool::{About, Act, HouseTool, Silent, reads};
use crate::bridge::Bridge;
use crate::partial_undo::Direction;
use deskhand_session::tool_error::ToolError;
use deskhand_session::{Revision, Takes};
use deskhand_toolkit::{Category, Gesture, ToolSpec, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

pub(super) fn tools() -> Vec<HouseTool> {
    vec![
        get_history_tool().and(ToolSpec::core),
        step(Direction::Back).and(|spec| spec.core().command("undo", "Undo the last step")),
        step(Direction::Forth).and(|spec| spec.command("redo", "Redo the last undone step")),
    ]
}

/// Which step.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StepParams {
    /// Refuse unless the next step is this revision; omitted: any.
    pub(crate) revision: Option<u64>,
}

/// A revision in a row.
#[derive(Debug, Serialize, JsonSchema)]
struct RevisionRow {
    revision: u64,
    /// The revision before it.
    parent: u64,
    /// What it did.
    label: String,
    /// Who made it: "user", "agent", "host" or "capture".
    #[schemars(with = "String")]
    author: deskhand_session::Author,
    /// The plan it applied.
    plan: Option<String>,
    /// Number of changes.
    changes: usize,
    /// The revision it undoes, when recordings or host steps came between.
    #[serde(skip_serializing_if = "Option::is_none")]
    takes_back: Option<u64>,
    /// The undone revision it redoes.
    #[serde(skip_serializing_if = "Option::is_none")]
    does_again: Option<u64>,
}

/// The history.
#[derive(Debug, Serialize, JsonSchema)]
struct HistoryAnswer {
    /// The revision the session is at.
    head: u64,
    /// The revision that cmd_undo undoes.
    undo: Option<u64>,
    /// The revision that cmd_redo redoes.
    redo: Option<u64>,
    /// Revisions, newest first, with abandoned branches.
    revisions: Listed<RevisionRow>,
}

fn get_history_tool() -> HouseTool {
    let about = About::read(
        "get_history",
        "The history",
        "Revisions, newest first: the change, author and plan of each; the head, and the next undo and \
         redo.",
        Category::Organize,
        json!({"limit": 10}),
    );
    reads(about, get_history)
}

fn get_history(page: Page, bridge: &Bridge) -> Result<(String, HistoryAnswer), ToolError> {
    let history = bridge.history();
    let answer = HistoryAnswer {
        head: history.head().0,
        undo: history.undo().map(|step| step.named.0),
        redo: history.redo().map(|step| step.named.0),
        revisions: page.of(history.iter().rev(), row),
    };
    let summary = format!("at revision {}; {}", answer.head, answer.revisions.said("revision"));
    Ok((summary, answer))
}

fn row(revision: &Revision) -> RevisionRow {
    let (takes_back, does_again) = match revision.takes {
        Some(Takes::Back(of)) => (Some(of.0), None),
        Some(Takes::Again(of)) => (None, Some(of.0)),
        None => (None, None),
    };
    RevisionRow {
        revision: revision.id.0,
        parent: revision.parent.0,
        label: revision.label.clone(),
        author: revision.author,
        plan: revision.plan.map(|id| id.to_string()),
        changes: revision.changes.len(),
        takes_back,
        does_again,
    }
}

impl Direction {
    /// The tool that goes this way.
    pub(crate) fn tool(self) -> &'static str {
        match self {
            Self::Back => "cmd_undo",
            Self::Forth => "cmd_redo",
        }
    }

    /// The way that a tool goes, if it goes one.
    pub(crate) fn of_tool(name: &str) -> Option<Self> {
        [Self::Back, Self::Forth].into_iter().find(|way| way.tool() == name)
    }
}

fn step(way: Direction) -> HouseTool {
    let (gesture, title, description) = match way {
        Direction::Back => (
            Gesture::UndoStep,
            "Undo",
            "Undoes the last step, whoever made it. A model's call is a plan that names the revision and waits \
             for a person. With `revision`, it is refused unless that is the next step.",
        ),
        Direction::Forth => (
            Gesture::RedoStep,
            "Redo",
            "Redoes the last undone step. A model's call is a plan that names the revision and waits for a \
             person. With `revision`, it is refused unless that is the next step.",
        ),
    };
    let (category, trust, example) = (Category::Organize, Trust::Suggest, json!({}));
    let name = way.tool();
    let about = About { name, title, description, category, trust, example };
    let spec = about.spec::<StepParams, Silent>().offers(gesture);
    HouseTool { spec, act: Act::Step(way) }
}
