//! The codebook: creating, changing and removing codes, and the memos on codes, segments and sources.

mod merge;
mod remove;
mod says;
#[cfg(test)]
mod tests;

pub(super) use merge::MergeCodes;
pub(super) use remove::RemoveCode;

use super::{find, quote};
use deskhand_session::{Change, CodeId, Color, Edit, ObjectId, Session};
use deskhand_toolkit::about::command;
use deskhand_toolkit::target::none_called;
use deskhand_toolkit::{
    Category, Code, Command, CommandCall, Draft, Gesture, Offers, ToolError, ToolSpec, Trust,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `cmd_set_code`.
pub(super) struct SetCode;
/// `cmd_set_memo`.
pub(super) struct SetMemo;

/// A code that is made or changed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CodeParams {
    /// The code to change: id, name or path ("Money/Rent"). Omitted: the code called `name`, made if needed.
    code_id: Option<String>,
    /// The new name, 1 to 200 characters.
    name: Option<String>,
    /// The color, #rrggbb; "" for none. Omitted: unchanged.
    color: Option<String>,
    /// When to use the code; "" for none. Omitted: unchanged.
    description: Option<String>,
    /// The parent code: id, name or path; "" for none. Omitted: unchanged.
    parent: Option<String>,
}

/// A memo.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MemoParams {
    /// A code, segment or source: its id. Codes and sources also by name.
    target: String,
    /// The memo; "" removes it.
    text: String,
    /// Keep the memo that is there, and write this below it.
    #[serde(default)]
    add: bool,
}

impl Command for SetCode {
    type Params = CodeParams;

    fn spec() -> ToolSpec {
        command(
            "cmd_set_code",
            "Make or change a code",
            "Makes a code, or renames, colors, describes or moves one. With `code_id` it changes that code; \
             without, it changes the code called `name` or makes it.",
            Category::Organize,
            Trust::Notify,
            json!({"name": "Budget", "color": "#4fc5fc", "description": "Anything about money"}),
        )
        .sets()
        .command("codes add", "Make a code, or change the code with this name")
        .arg("NAME", "name", "The name of the code")
        .arg("--color COLOR", "color", "Color as #rrggbb")
        .arg("--description DESCRIPTION", "description", "When to use the code")
        .arg("--parent CODE", "parent", "The parent code: name or id")
        .command("codes rename", "Rename a code")
        .arg("CODE", "code_id", "The code: name, path or id")
        .arg("NAME", "name", "The new name")
        .command("codes move", "Move a code under another code, or to the top level")
        .arg("CODE", "code_id", "The code: name, path or id")
        .arg("--under CODE", "parent", "The new parent code (default: the top level)")
        .or("")
        .offers(Offers::used("\"Show coding\" in the session's menu, then \"New code\"").by(Gesture::SetCode))
        .says(says::code())
    }

    fn plan(params: CodeParams, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let parent = parent(call.session, params.parent.as_deref())?;
        let id = match &params.code_id {
            Some(wanted) => Some(find::code(call.session, wanted)?),
            None => there(call.session, params.name.as_deref(), parent)?,
        };
        let before = id.and_then(|id| call.session.codes.get(&id).cloned());
        let id = id.unwrap_or_else(|| CodeId::new(call.ids.next_bits()));
        let known = before.clone();
        let mut after = known.unwrap_or_else(|| deskhand_session::Code::new(String::new()));
        if let Some(name) = &params.name {
            after.name = find::name(name)?;
        }
        if let Some(color) = params.color {
            after.color = self::color(color)?;
        }
        after.description = params.description.unwrap_or(after.description);
        after.parent = parent.unwrap_or(after.parent);
        not_under_itself(call.session, id, &after)?;
        find::alone(call.session, &[id], &after)?;
        let summary = summary(before.as_ref(), &after);
        let (name, is_new) = (after.name.clone(), before.is_none());
        let change = Change::SetCode(Edit::new(id, before, Some(after)));
        Ok(one(summary, &name, is_new, change))
    }
}

/// # Errors
/// When the parent of a code is the code itself, or under it.
fn not_under_itself(
    session: &Session,
    id: CodeId,
    after: &deskhand_session::Code,
) -> Result<(), ToolError> {
    let Some(parent) = after.parent else { return Ok(()) };
    let above = |id: &CodeId| session.codes.get(id).and_then(|code| code.parent);
    if std::iter::successors(Some(parent), above).all(|code| code != id) {
        return Ok(());
    }
    let [code, under] = [id, parent].map(|id| session.name_of(id.into()));
    let message = format!(
        "\"{code}\" cannot be under \"{under}\", which is the same code or a code under it"
    );
    let fix = "choose another code; `deskhand codes list DIR` lists them";
    Err(ToolError::prepare(Code::BadParams, message, fix))
}

/// The value of `parent`: `None` if it was not given, `Some(None)` for the top of the codebook.
fn parent(session: &Session, wanted: Option<&str>) -> Result<Option<Option<CodeId>>, ToolError> {
    match wanted {
        None => Ok(None),
        Some(name) if name.trim().is_empty() => Ok(Some(None)),
        Some(name) => find::code(session, name).map(|id| Some(Some(id))),
    }
}

/// The code of that name that is there; where a parent is named, only one that is under it.
fn there(
    session: &Session,
    name: Option<&str>,
    parent: Option<Option<CodeId>>,
) -> Result<Option<CodeId>, ToolError> {
    let Some(name) = name else {
        let message = "it says neither which code nor what to call a new one";
        return Err(ToolError::prepare(Code::BadParams, message, "give `code_id` or `name`"));
    };
    if name.trim().is_empty() {
        return find::name(name).map(|_| None);
    }
    let Some(parent) = parent else {
        return find::known(session, name);
    };
    let is_under = |id: &CodeId| session.codes.get(id).is_some_and(|code| code.parent == parent);
    Ok(find::called(session, name).into_iter().find(is_under))
}

fn color(text: String) -> Result<Option<Color>, ToolError> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let wrong = |why| ToolError::prepare(Code::BadParams, why, "give a color such as #4fc5fc");
    Color::try_from(text).map(Some).map_err(wrong)
}

fn summary(before: Option<&deskhand_session::Code>, after: &deskhand_session::Code) -> String {
    let name = &after.name;
    match before {
        None => format!("Make the code \"{name}\""),
        Some(before) if before.name != *name => {
            format!("Rename the code \"{}\" to \"{name}\"", before.name)
        }
        Some(before) if before.parent != after.parent => format!("Move the code \"{name}\""),
        Some(_) => format!("Change the code \"{name}\""),
    }
}

/// A draft of one change; empty if the change has no effect.
fn one(summary: String, name: &str, is_new: bool, change: Change) -> Draft {
    let target = change.target();
    let mut draft = if change.is_identity() {
        Draft::new(format!("\"{name}\" is that way already"))
    } else {
        let mut draft = Draft::new(summary);
        draft.change(change, name.to_owned(), "as asked");
        draft
    };
    draft.answer = Some(json!({"code_id": target, "created": is_new}));
    draft
}

impl Command for SetMemo {
    type Params = MemoParams;

    fn spec() -> ToolSpec {
        command(
            "cmd_set_memo",
            "Write a memo",
            "Writes, changes or removes the memo of a code, a segment or a source.",
            Category::Organize,
            Trust::Notify,
            json!({"target": "Budget", "text": "Includes fees, not salaries"}),
        )
        .sets()
        .command("codes memo", "Write a memo on a code, segment or source; without text, remove it")
        .arg("TARGET", "target", "A code, a segment or a source")
        .arg("[TEXT]", "text", "The memo")
        .or("")
        .offers(Gesture::SetMemo)
        .says(says::memo())
    }

    fn plan(params: MemoParams, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let session = call.session;
        let target = on(session, &params.target)?;
        let before = session.memos.get(&target);
        let text = match before.filter(|_| params.add) {
            Some(before) => format!("{before}\n\n{}", params.text),
            None => params.text,
        };
        let after = Some(text).filter(|text| !text.trim().is_empty());
        let name = quote::name_of(session, target);
        let verb = if after.is_some() { "Write a memo" } else { "Take away the memo" };
        let change = Change::SetMemo(Edit::new(target, before.cloned(), after));
        if change.is_identity() {
            return Ok(Draft::new(format!("The memo on \"{name}\" is that already")));
        }
        let mut draft = Draft::new(format!("{verb} on \"{name}\""));
        draft.change(change, name, "as asked");
        Ok(draft)
    }
}

/// The object of a memo: the one with that id, or the code or source with that name.
fn on(session: &Session, wanted: &str) -> Result<ObjectId, ToolError> {
    let no_memo = |what: &str| {
        let message = format!("{what} has no memos");
        ToolError::prepare(Code::NoTarget, message, "name a code, a segment or a source")
    };
    match wanted.parse::<ObjectId>() {
        Ok(ObjectId::Segment(id)) if session.segments.contains_key(&id) => return Ok(id.into()),
        Ok(ObjectId::Segment(_)) => {
            let message = "that segment does not exist";
            return Err(ToolError::prepare(Code::NoTarget, message, "list the codings again"));
        }
        Ok(
            id @ (ObjectId::Session(_)
            | ObjectId::Track(_)
            | ObjectId::Clip(_)
            | ObjectId::Marker(_)
            | ObjectId::Group(_)
            | ObjectId::Insert(_)
            | ObjectId::Phrase(_)),
        ) => return Err(no_memo(&id.to_string())),
        Ok(ObjectId::Code(_) | ObjectId::Source(_)) | Err(_) => {}
    }
    let source = deskhand_toolkit::find::source(session, wanted);
    match (find::known(session, wanted)?, source) {
        (Some(code), Err(_)) => Ok(code.into()),
        (None, Ok(source)) => Ok(source.into()),
        (Some(code), Ok(source)) => {
            let message = format!("a code and a source are called \"{wanted}\"");
            let fix = format!("give an id: {code} or {source}");
            Err(ToolError::prepare(Code::NoTarget, message, fix))
        }
        (None, Err(_)) => {
            let codes = session.codes.values().map(|code| code.name.as_str());
            let names = codes.chain(session.sources.values().map(|source| source.name.as_str()));
            let empty = "the session has none of them yet";
            Err(none_called("code, segment or source", wanted, names, empty))
        }
    }
}
