//! What is to stay as it is: "don't touch the vocals", "leave the music alone".

use super::items::{Item, Kind};
use crate::resolve::{Context, Trouble, Want};
use deskhand_session::ObjectId;

/// Ways to say it: words of which all must be there.
const WAYS: [&[&str]; 3] = [&["spare"], &["leave", "as it is"], &["forbid"]];

/// Whether a request says to leave something as it is.
pub(super) fn is_said(part: &[Item]) -> bool {
    let says = |way: &&&[&str]| way.iter().all(|word| part.iter().any(|item| item.is(word)));
    WAYS.iter().any(|way| says(&way))
}

/// What stays as it is.
pub(super) fn kept(part: &[Item], context: &Context<'_>) -> Result<Vec<ObjectId>, Trouble> {
    let is_word = |item: &&Item| {
        WAYS.iter().any(|way| way.iter().any(|word| item.is(word)))
            || item.is_verb()
            || item.kind == Kind::Join
    };
    let rest: Vec<&Item> = part.iter().filter(|item| !is_word(item)).collect();
    match rest[..] {
        [Item { kind: Kind::Names(phrase), .. }] => {
            Ok(context.resolve(Some(phrase.clone()), Want::Sound)?.ids)
        }
        _ => Err(Trouble::not_understood(
            "it is not clear what must not be done",
            ["mute everything but the bass"],
        )),
    }
}

/// A request that only says what to leave as it is.
pub(super) fn nothing_to_do() -> Trouble {
    Trouble::new(
        "it asks for no edit; Deskhand changes only what is asked for, so nothing needs to be forbidden",
        ["normalize everything except the vocals to -16 LUFS", "mute everything but the bass"],
    )
}
