//! Sentences about an edit: what comes back, what is cut out of it, and its end.

use super::gone::gone;
use super::said::{One, Params, Said, on_groups};
use crate::draft::Draft;
use crate::lexer::Token;
use crate::reading::{Question, RequestKind};
use crate::resolve::Trouble;
use crate::times::rounded;
use serde_json::json;

pub(super) fn restore_all(said: &Said<'_>) -> One {
    match &said.session().assembly.removed[..] {
        [] => Err(Trouble::new("nothing was removed", ["show the phrases"])),
        removed => Ok(on_groups("tool_restore_segments", "group_ids", removed)),
    }
}

/// "restore the removed phrase".
pub(super) fn restore_gone(said: &Said<'_>) -> One {
    let phrase = gone(said.tokens("gone").unwrap_or_default(), said.session())?;
    Ok(on_groups("tool_restore_segments", "group_ids", &[phrase]))
}

/// The phrases that are out of the edit.
pub(super) fn ask_removed() -> Draft {
    Draft { kind: RequestKind::Question(Question::Removed), targets: Vec::new() }
}

/// "find the phrases", "assemble it": where an edit is laid out, "it" is that edit, and nothing is left to assemble.
pub(super) fn find_phrases(said: &Said<'_>) -> One {
    let playing = said.session().assembly.order.len();
    let is_edit = said.tokens("on").is_some_and(means_edit);
    if playing == 0 || !is_edit {
        return said.talk("tool_find_phrases", Params::new());
    }
    let reason = format!("the edit is laid out already: {playing} phrases play");
    Err(Trouble::new(reason, ["show the phrases", "find the phrases"]))
}

/// "it", "the edit".
fn means_edit(tokens: &[Token]) -> bool {
    let is_edit = |token: &Token| {
        ["it", "this", "that", "edit", "assembly"].iter().any(|word| token.is(word))
    };
    match tokens {
        [article, rest @ ..] if article.is("the") => matches!(rest, [only] if is_edit(only)),
        all => matches!(all, [only] if is_edit(only)),
    }
}

/// Lays the phrases out, and keeps the best take of each.
pub(super) fn rough_cut_of_the_best() -> Vec<Draft> {
    let all = vec![("targets", json!("all"))];
    vec![Draft::call("tool_find_phrases", all), Draft::call("tool_mark_duplicates", Vec::new())]
}

/// "cut the ums and fill with room tone": nothing behind them moves.
pub(super) fn fillers_in_tone(said: &Said<'_>) -> One {
    let params =
        vec![("fillers", json!(true)), ("false_starts", json!(false)), ("room_tone", json!(true))];
    said.talk("tool_tighten", params)
}

/// "fill the gaps with room tone": it is laid where something is cut.
pub(super) fn tone_alone() -> One {
    let reason = "room tone is put where fillers are cut, so that the timing stays";
    Err(Trouble::new(reason, ["cut the ums and fill with room tone"]))
}

/// "cut the likes": words that also mean something.
pub(super) fn other_fillers() -> One {
    let reason = "um, uh, er and hmm are cut as fillers; other words also mean something, so each is cut by you where it \
                  is said";
    Err(Trouble::new(reason, ["cut the ums", "remove the false starts", "search for \"like\""]))
}

/// A pause is long from here on where nothing else is said, in seconds.
pub(super) const LONG_PAUSE: f64 = 1.0;
/// What is left of a long pause where nothing is said, in seconds.
const USUAL_PAUSE: f64 = 0.5;
/// A pause is longer than what is to be left of it by at least this, in seconds.
const LONGER: f64 = 0.1;

/// The one that is not said follows from the other: what is left is shorter than what is shortened.
pub(super) fn shorten_pauses(said: &Said<'_>) -> One {
    let mut params = vec![("fillers", json!(false)), ("false_starts", json!(false))];
    let over = length_of_pause(said, "m")?;
    let to = length_of_pause(said, "n")?;
    let over = over.or(to.filter(|to| *to >= LONG_PAUSE).map(|to| rounded(to + LONGER)));
    let short = over.filter(|over| *over <= USUAL_PAUSE);
    let to = to.or(short.map(|over| rounded(over / 2.0)));
    params.extend(over.map(|over| ("pauses_longer_than_s", json!(over))));
    params.extend(to.map(|to| ("pause_to_s", json!(to))));
    said.talk("tool_tighten", params)
}

fn length_of_pause(said: &Said<'_>, slot: &str) -> Result<Option<f64>, Trouble> {
    if said.tokens(slot).is_none() {
        return Ok(None);
    }
    let seconds = said.number(slot).filter(|seconds| (0.0..=60.0).contains(seconds));
    let offer = "shorten pauses longer than 2 seconds to 0.6 seconds";
    let no_length = || Trouble::new("that is no length of a pause", [offer]);
    seconds.map(Some).ok_or_else(no_length)
}
