//! Sentences about clips: where they go, to a phrase; and what is done to the clips that play a phrase.

use super::clip_edges::Edge;
use super::placed::clips_of;
use super::said::{One, Said};
use super::spoken::Among;
use super::{amounts, hear};
use crate::draft::Draft;
use crate::resolve::{Resolved, Trouble, Want, list};
use crate::times::rounded;
use deskhand_session::ObjectId;
use serde_json::json;

/// The change in dB where no amount is said.
const SOME: f64 = 3.0;

fn clips(said: &Said<'_>) -> Result<Resolved, Trouble> {
    let names = || Trouble::new("it does not say which clips", said.context.scope.track_names());
    said.sound("on", Want::Clips)?.ok_or_else(names)
}

/// "start the music at phrase 2": the clip begins where the phrase begins or ends.
pub(super) fn to_phrase(said: &Said<'_>, edge: Edge) -> One {
    let span = hear::span(said, "plain")?;
    let clips = clips(said)?;
    let [ObjectId::Clip(_)] = clips.ids[..] else {
        let reason = "it does not say which one clip";
        return Err(Trouble::new(reason, said.context.scope.track_names()));
    };
    let at = if edge == Edge::Start { span.start } else { span.end };
    Ok(Draft::on("cmd_move_clip", clips, vec![("at_s", json!(rounded(at)))]))
}

/// The clips that play the phrases of the sentence.
fn playing(said: &Said<'_>) -> Result<Resolved, Trouble> {
    let session = said.session();
    let phrases = said.phrases("plain", Among::Playing)?;
    let clips = phrases.iter().flat_map(|id| clips_of(session, *id));
    let ids: Vec<ObjectId> = clips.map(|(id, _)| id.into()).collect();
    match ids.is_empty() {
        false => Ok(Resolved { param: list(&ids), ids }),
        true => Err(Trouble::new("no clip plays that phrase any more", ["show the phrases"])),
    }
}

/// "turn phrase 5 up by 2 dB".
pub(super) fn phrase_gain(said: &Said<'_>, way: amounts::Way) -> One {
    let by = amounts::amount(said).unwrap_or(SOME);
    Ok(Draft::on("cmd_set_clip_gain", playing(said)?, vec![("change_db", json!(way.of(by)))]))
}

/// "select phrase 2".
pub(super) fn select_phrase(said: &Said<'_>) -> One {
    Ok(Draft::on("cmd_set_selection", playing(said)?, Vec::new()))
}
