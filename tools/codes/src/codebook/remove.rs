//! `cmd_remove_code`: a code goes, with its codings; the codes under it move up.

use crate::coding::known;
use crate::find;
use crate::loose::Taker;
use crate::quote::{self, Quotes};
use deskhand_session::intent::{Intent, TextKind};
use deskhand_session::text::count;
use deskhand_session::{Change, CodeId, Edit, Session};
use deskhand_toolkit::about::command;
use deskhand_toolkit::{
    Category, Command, CommandCall, Draft, Gesture, ToolError, ToolSpec, Trust,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `cmd_remove_code`.
pub(crate) struct RemoveCode;

/// Which code.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Which {
    /// The code: id, name or path ("Money/Rent"). Or give `code`.
    code_id: Option<String>,
    /// The code's name, instead of `code_id`.
    code: Option<String>,
}

impl Command for RemoveCode {
    type Params = Which;

    fn spec() -> ToolSpec {
        command(
            "cmd_remove_code",
            "Remove a code",
            "Removes a code with its codings and its memo; the codes under it move up one level.",
            Category::Organize,
            Trust::Suggest,
            json!({"code_id": "Budget"}),
        )
        .cuts()
        .command("codes remove", "Remove a code from the codebook and from its segments")
        .arg("CODE", "code", "The code: name or id")
        .offers(Gesture::RemoveCode)
        .says([Intent::verbs("remove")
            .about("code")
            .also("codebook | from:codebook")
            .said("code_id", "- | of", TextKind::Code)
            .needs("code_id")])
    }

    fn plan(params: Which, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let session = call.session;
        let id = known(session, params.code_id.as_deref(), params.code.as_deref())?;
        let name = session.name_of(id.into());
        let mut draft = Draft::default();
        let (taker, talks) = (Taker::new(session), quote::all(session));
        let quotes = Quotes::new(session, &talks);
        let (mut needs, mut codings) = (Vec::new(), 0);
        for (segment_id, segment, count) in taker.concerned(|_, coding| coding.code == id) {
            let mut left = segment.codings.clone();
            left.retain(|coding| coding.code != id);
            let change = taker.leave(segment_id, segment, left);
            needs.push(draft.change(change, quotes.of(segment), "its code is removed"));
            codings += count;
        }
        let above = session.codes.get(&id).and_then(|code| code.parent);
        needs.extend(move_children(
            &mut draft,
            session,
            id,
            above,
            "the code above it is removed",
        )?);
        remove(&mut draft, session, id, needs);
        let children = session.codes.values().filter(|code| code.parent == Some(id)).count();
        let memo = if session.memos.contains_key(&id.into()) { ", its memo" } else { "" };
        let codings = count(codings, "coding");
        let mut told = format!("Remove the code \"{name}\"{memo} and its {codings}");
        if children > 0 {
            let moves = if children == 1 { "moves" } else { "move" };
            told += &format!("; {} under it {moves} up", count(children, "code"));
        }
        draft.summary = told;
        Ok(draft)
    }
}

/// Moves the codes under `from` to `to`; returns the ids of the changes.
///
/// # Errors
/// When one of them is called as one that is there.
pub(super) fn move_children(
    draft: &mut Draft,
    session: &Session,
    from: CodeId,
    to: Option<CodeId>,
    reason: &str,
) -> Result<Vec<String>, ToolError> {
    let children =
        session.codes.iter().filter(|(id, code)| code.parent == Some(from) && Some(**id) != to);
    let mut changes = Vec::new();
    for (id, code) in children {
        let after = deskhand_session::Code { parent: to, ..code.clone() };
        // The one that goes is not in the way.
        find::alone(session, &[*id, from], &after)?;
        let change = Change::SetCode(Edit::new(*id, Some(code.clone()), Some(after)));
        changes.push(draft.change(change, code.name.clone(), reason));
    }
    Ok(changes)
}

/// Removes a code that nothing uses once the changes in `needs` are made, and the memo on it.
pub(super) fn remove(draft: &mut Draft, session: &Session, id: CodeId, mut needs: Vec<String>) {
    if let Some(code) = session.codes.get(&id) {
        if let Some(memo) = session.memos.get(&id.into()) {
            let change = Change::SetMemo(Edit::new(id.into(), Some(memo.clone()), None));
            needs.push(draft.change(change, code.name.clone(), "its code is removed"));
        }
        let change = Change::SetCode(Edit::remove(id, code.clone()));
        draft.dependent(change, code.name.clone(), "as asked", needs);
    }
}
