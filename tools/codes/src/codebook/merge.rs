//! `cmd_merge_codes`: what several codes mark is marked by one of them.

use super::remove::{move_children, remove};
use crate::find;
use crate::loose::Taker;
use crate::quote::{self, Quotes};
use deskhand_session::intent::{Intent, TextKind};
use deskhand_session::text::count;
use deskhand_session::{Change, CodeId, Coding, Edit, Session};
use deskhand_toolkit::about::command;
use deskhand_toolkit::{
    Category, Code, Command, CommandCall, Draft, Gesture, Offers, ToolError, ToolSpec, Trust,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `cmd_merge_codes`.
pub(crate) struct MergeCodes;

/// The codes to merge.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Merge {
    /// The code to remove: id, name or path ("Money/Rent").
    from: String,
    /// The code that gets its codings, subcodes and memo.
    into: String,
}

fn says() -> [Intent; 2] {
    let into = |intent: Intent| {
        intent.said("into", "- | to | with", TextKind::Code).needs("from").needs("into")
    };
    let merge = Intent::verbs("merge").also("with:code | to:code");
    [
        into(merge.clone().about("code").said("from", "-", TextKind::Code)),
        into(merge.said("from", "-", TextKind::KnownCode)),
    ]
}

impl Command for MergeCodes {
    type Params = Merge;

    fn spec() -> ToolSpec {
        command(
            "cmd_merge_codes",
            "Merge two codes",
            "Merges the code `from` into `into`: moves the codings, subcodes and memo of `from`, then removes \
             `from`.",
            Category::Organize,
            Trust::Suggest,
            json!({"from": "Money", "into": "Budget"}),
        )
        .cuts()
        .command("codes merge", "Merge two codes: segments of the first get the second")
        .arg("FROM", "from", "The code to remove")
        .arg("INTO", "into", "The code to keep")
        .offers(Offers::used("\"Merge into\" in the menu of a code").by(Gesture::MergeCodes))
        .says(says())
    }

    fn plan(params: Merge, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let session = call.session;
        let (from, into) = (find::code(session, &params.from)?, find::code(session, &params.into)?);
        let [old, new] = [from, into].map(|id| session.name_of(id.into()));
        if from == into {
            let message = format!("\"{old}\" is the same code twice");
            return Err(ToolError::prepare(Code::BadParams, message, "name two codes"));
        }
        let mut draft = Draft::default();
        let mut needs = Vec::new();
        let (taker, talks) = (Taker::new(session), quote::all(session));
        let quotes = Quotes::new(session, &talks);
        let concerned = taker.concerned(|_, coding| coding.code == from);
        for (id, segment, _) in &concerned {
            let left = recoded(&segment.codings, from, into);
            let change = taker.leave(*id, segment, left);
            let reason = format!("\"{old}\" becomes \"{new}\"");
            needs.push(draft.change(change, quotes.of(segment), reason));
        }
        needs.extend(lift(&mut draft, session, from, into)?);
        needs.extend(move_children(&mut draft, session, from, Some(into), "its code is merged")?);
        needs.extend(join_memos(&mut draft, session, from, into));
        remove(&mut draft, session, from, needs);
        let segments = count(concerned.len(), "segment");
        draft.summary = format!("Merge the code \"{old}\" into \"{new}\", on {segments}");
        Ok(draft)
    }
}

/// Codings with `into` in place of `from`. If a coder gave both, one stays, and is shared with all who had
/// either.
fn recoded(codings: &[Coding], from: CodeId, into: CodeId) -> Vec<Coding> {
    let mut after: Vec<Coding> = Vec::with_capacity(codings.len());
    let is_into = |coding: &Coding, other: &Coding| {
        coding.code == into && other.code == into && coding.coder == other.coder
    };
    for coding in codings {
        let code = if coding.code == from { into } else { coding.code };
        let coding = Coding { code, ..coding.clone() };
        match after.iter_mut().find(|other| is_into(&coding, other)) {
            Some(known) => {
                let had = coding.shared_with.into_iter();
                let new: Vec<String> = had.filter(|who| !known.shared_with.contains(who)).collect();
                known.shared_with.extend(new);
            }
            None => after.push(coding),
        }
    }
    after
}

/// If `into` is somewhere under `from`, it moves to the place of `from`: a removed code cannot have codes
/// under it.
///
/// # Errors
/// When another one is called so there.
fn lift(
    draft: &mut Draft,
    session: &Session,
    from: CodeId,
    into: CodeId,
) -> Result<Option<String>, ToolError> {
    let above = |id: &CodeId| session.codes.get(id).and_then(|code| code.parent);
    let mut ancestors = std::iter::successors(Some(into), above).take(session.codes.len());
    let Some(code) = session.codes.get(&into).filter(|_| ancestors.any(|id| id == from)) else {
        return Ok(None);
    };
    let after = deskhand_session::Code { parent: above(&from), ..code.clone() };
    find::alone(session, &[into, from], &after)?;
    let change = Change::SetCode(Edit::new(into, Some(code.clone()), Some(after)));
    Ok(Some(draft.change(change, code.name.clone(), "the code above it is merged into it")))
}

fn join_memos(draft: &mut Draft, session: &Session, from: CodeId, into: CodeId) -> Option<String> {
    let said = session.memos.get(&from.into())?;
    let before = session.memos.get(&into.into());
    let after = match before {
        Some(before) => format!("{before}\n\n{said}"),
        None => said.clone(),
    };
    let change = Change::SetMemo(Edit::new(into.into(), before.cloned(), Some(after)));
    Some(draft.change(change, session.name_of(into.into()), "with the memo of the merged code"))
}
