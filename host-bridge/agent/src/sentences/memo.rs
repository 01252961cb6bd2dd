//! Sentences about memos: "write a memo on Budget: ask again".

use super::codes;
use super::said::{One, Said, about};
use crate::resolve::Trouble;
use deskhand_session::ObjectId;
use serde_json::json;

/// Writes a memo; what stands there already stays ahead of it.
pub(super) fn write(said: &Said<'_>) -> One {
    let target = target(said)?;
    let text = said.text("quote").map_or_else(|| said.words("text"), Ok)?;
    let text = match said.session().memos.get(&target) {
        Some(before) => format!("{before}\n\n{text}"),
        None => text,
    };
    let params = vec![("target", json!(target.to_string())), ("text", json!(text))];
    Ok(about(target, "cmd_set_memo", params))
}

/// Takes a memo away.
pub(super) fn remove(said: &Said<'_>) -> One {
    let target = target(said)?;
    let session = said.session();
    if !session.memos.contains_key(&target) {
        let name = session.name_of(target);
        let offer = format!("write a memo on {name} saying \"ask again\"");
        return Err(Trouble::new(format!("\"{name}\" has no memo"), [offer]));
    }
    let params = vec![("target", json!(target.to_string())), ("text", json!(""))];
    Ok(about(target, "cmd_set_memo", params))
}

/// The code, or the first segment of the phrase: phrases themselves have none.
fn target(said: &Said<'_>) -> Result<ObjectId, Trouble> {
    if let Some(slot) = codes::named(said) {
        return Ok(said.code(slot)?.into());
    }
    let phrase = said.phrase("p")?;
    let first = said.session().phrases.get(&phrase).and_then(|it| it.segments.first());
    let gone = || Trouble::new("nothing is written down of that phrase", ["show the phrases"]);
    first.map(|id| (*id).into()).ok_or_else(gone)
}
