//! A code that is named, set or moved.

use crate::action::{Action, Gesture, call};
use crate::kit::name_field::NameField;
use deskhand_session::{CodeId, Session};
use serde_json::{Value, json};

/// A name that is being typed.
pub(super) struct Naming {
    /// The code to rename; `None` makes a new one.
    pub(super) code: Option<CodeId>,
    pub(super) parent: Option<CodeId>,
    pub(super) field: NameField,
}

impl Naming {
    /// A new code with the same parent as the chosen one.
    pub(super) fn new_code(beside: Option<CodeId>, session: &Session) -> Self {
        let parent = beside.and_then(|id| session.codes.get(&id)?.parent);
        Self { code: None, parent, field: NameField::new("") }
    }

    pub(super) fn under(parent: CodeId) -> Self {
        Self { code: None, parent: Some(parent), field: NameField::new("") }
    }

    pub(super) fn of(code: CodeId, session: &Session) -> Self {
        let field = NameField::new(&session.name_of(code.into()));
        Self { code: Some(code), parent: None, field }
    }
}

pub(super) fn set(id: CodeId, what: &str, value: Value) -> Action {
    call(Gesture::SetCode, json!({"code_id": id, what: value}))
}

/// A code may go under another that is not under it.
pub(super) fn may_move(session: &Session, moved: CodeId, under: CodeId) -> bool {
    let up = |id: &CodeId| session.codes.get(id).and_then(|code| code.parent);
    // A book that is broken has at most as many steps as codes.
    !std::iter::successors(Some(under), up).take(session.codes.len() + 1).any(|id| id == moved)
}
