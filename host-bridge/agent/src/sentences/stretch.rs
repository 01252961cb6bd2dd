//! Stretches of time by what they are called: the selected time, or a marker with a length.

use super::said::Said;
use super::transport::{is_marker, marker};
use crate::in_time::Stretch;
use crate::lexer::Token;
use crate::resolve::Trouble;
use crate::times::{clock_text, rounded};
use deskhand_dsp::Frames;
use deskhand_session::Session;

/// Words for the selected time.
const SELECTED: [&str; 5] =
    ["selection", "selected range", "selected time", "selected part", "selected section"];

/// Whether tokens call a stretch of time by a name.
pub(super) fn is_stretch(tokens: &[Token], session: &Session) -> bool {
    is_selected(tokens) || is_marker(tokens, session)
}

fn is_selected(tokens: &[Token]) -> bool {
    let words: Vec<&str> = tokens.iter().map(|token| token.word().unwrap_or("?")).collect();
    SELECTED.contains(&words.join(" ").as_str())
}

/// The stretch that is called so.
pub(super) fn stretch(said: &Said<'_>) -> Result<Stretch, Trouble> {
    let session = said.session();
    if said.tokens("stretch").is_some_and(is_selected) {
        let unselected = || Trouble::new("no time is selected", ["what is selected?"]);
        return Stretch::selected(session).ok_or_else(unselected);
    }
    let marker = marker(said, "stretch")?;
    let seconds = |at: Frames| rounded(at.seconds(session.rate).0);
    let (from, to) = (seconds(marker.position), seconds(marker.position + marker.length));
    if from < to {
        return Ok(Stretch { from, to });
    }
    let name = &marker.name;
    let reason = format!("the marker \"{name}\" has no length: say from when to when");
    let on = said.text("on").unwrap_or_else(|| "everything".into());
    let end = clock_text(seconds(session.end()));
    let offer = format!("turn {on} down by 3 dB from {} to {end}", clock_text(from));
    Err(Trouble::new(reason, [offer]))
}
