//! Finding the code that a call means: by its id, by its name, or by its path such as "Money/Rent".

use deskhand_session::{CodeId, Session};
use deskhand_toolkit::target::none_called;
use deskhand_toolkit::text;
use deskhand_toolkit::{Code, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

/// One or several.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Several {
    /// One.
    One(String),
    /// Several.
    Many(Vec<String>),
}

impl Several {
    pub(super) fn into_vec(self) -> Vec<String> {
        match self {
            Self::One(one) => vec![one],
            Self::Many(many) => many,
        }
    }
}

/// The longest name, in characters, as a session takes it.
const NAME_CHARS: usize = 200;

/// Between the names of a path.
pub(super) const SLASH: &str = "/";

/// The code that `wanted` means.
///
/// # Errors
/// When there is no such code, or several have the name.
pub(super) fn code(session: &Session, wanted: &str) -> Result<CodeId, ToolError> {
    match known(session, wanted)? {
        Some(id) => Ok(id),
        None => Err(none(session, wanted)),
    }
}

/// The code that `wanted` means, if there is one.
///
/// # Errors
/// When several are called so.
pub(super) fn known(session: &Session, wanted: &str) -> Result<Option<CodeId>, ToolError> {
    if let Ok(id) = wanted.parse::<CodeId>() {
        return Ok(Some(id).filter(|id| session.codes.contains_key(id)));
    }
    let named = called(session, wanted);
    let found = if named.is_empty() { with_path(session, wanted) } else { named };
    match found.as_slice() {
        [] => Ok(None),
        [id] => Ok(Some(*id)),
        several => {
            let paths: Vec<String> = several
                .iter()
                .map(|id| format!("{id} (\"{}\")", path(session, *id).join(SLASH)))
                .collect();
            let message = format!("{} codes are called \"{wanted}\"", several.len());
            let fix = format!("give an id: {}", paths.join(", "));
            Err(ToolError::prepare(Code::NoTarget, message, fix))
        }
    }
}

/// Looks whether no other code than `own` is called as `code` is under the same one: by its path a code is found, and
/// taken for the same in another session.
///
/// # Errors
/// When there is one.
pub(super) fn alone(
    session: &Session,
    own: &[CodeId],
    code: &deskhand_session::Code,
) -> Result<(), ToolError> {
    let is_twin = |other: &&CodeId| {
        let is_beside = session.codes.get(*other).is_some_and(|it| it.parent == code.parent);
        is_beside && !own.contains(other)
    };
    match called(session, &code.name).iter().find(is_twin) {
        None => Ok(()),
        Some(twin) => {
            let path = path(session, *twin).join(SLASH);
            let message = format!("there is a code \"{path}\" already ({twin})");
            let fix = "merge the two (cmd_merge_codes), or give one of them another name";
            Err(ToolError::prepare(Code::BadParams, message, fix))
        }
    }
}

/// The name of a code that is made or renamed.
///
/// # Errors
/// When it is empty, too long, or has control characters.
pub(super) fn name(wanted: &str) -> Result<String, ToolError> {
    let name = wanted.trim();
    let is_one = (1..=NAME_CHARS).contains(&name.chars().count());
    if is_one && !name.contains(char::is_control) {
        return Ok(name.to_owned());
    }
    let shown: String = name.chars().filter(|c| !c.is_control()).take(30).collect();
    let message = format!("\"{shown}\" is no name of a code");
    let fix = "a name has 1 to 200 characters and no control characters";
    Err(ToolError::prepare(Code::BadParams, message, fix))
}

/// The codes of that name, in any case.
pub(super) fn called(session: &Session, name: &str) -> Vec<CodeId> {
    let wanted = text::folded(name.trim());
    let named = session.codes.iter().filter(|(_, code)| text::folded(&code.name) == wanted);
    named.map(|(id, _)| *id).collect()
}

fn with_path(session: &Session, wanted: &str) -> Vec<CodeId> {
    if !wanted.contains(SLASH) {
        return Vec::new();
    }
    let wanted: Vec<String> = wanted.split(SLASH).map(|name| text::folded(name.trim())).collect();
    let fits = |id: &CodeId| folded(&path(session, *id)) == wanted;
    session.codes.keys().copied().filter(fits).collect()
}

/// The names from the top of the codebook down to the code.
pub(super) fn path(session: &Session, id: CodeId) -> Vec<String> {
    let up = |id: &CodeId| session.codes.get(id).and_then(|code| code.parent);
    // A codebook cannot go round in a circle; the limit is for one that does all the same.
    let steps = std::iter::successors(Some(id), up).take(session.codes.len());
    let mut names: Vec<String> =
        steps.filter_map(|id| Some(session.codes.get(&id)?.name.clone())).collect();
    names.reverse();
    names
}

/// A path by which codes of two codebooks are the same.
pub(super) fn folded(path: &[String]) -> Vec<String> {
    path.iter().map(|name| text::folded(name.trim())).collect()
}

fn none(session: &Session, wanted: &str) -> ToolError {
    let names = session.codes.values().map(|code| code.name.as_str());
    let error =
        none_called("code", wanted, names, "the codebook is empty: make a code with cmd_set_code");
    match session.codes.is_empty() {
        true => error,
        false => ToolError { fix: format!("{}, or make it with cmd_set_code", error.fix), ..error },
    }
}
