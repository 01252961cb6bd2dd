//! Where phrases are played from, and chapters.

use super::codes;
use super::hear;
use super::said::{Built, One, Params, Said};
use crate::draft::Draft;
use crate::resolve::Trouble;
use crate::times::rounded;
use serde_json::{Value, json};

fn call(tool: &str, params: Params) -> Draft {
    Draft::call(tool, params)
}

/// Moves the player, and nothing else.
pub(super) fn seek(seconds: Value) -> Built {
    Ok(vec![call("cmd_seek", vec![("at_s", seconds)])])
}

/// Plays from a time.
pub(super) fn play_from(seconds: Value) -> Built {
    Ok(vec![call("cmd_play", vec![("from_s", seconds)])])
}

/// The time that is said in `from`.
pub(super) fn said_time(said: &Said<'_>) -> Result<Value, Trouble> {
    let missing =
        || Trouble::new("that is no place on the timeline", ["go to 1:30", "play from 0:10"]);
    said.time("from").map(|seconds| json!(seconds)).ok_or_else(missing)
}

/// "add a chapter at 0:10 called Opening": a marker with that name; with a length where both its ends are said.
pub(super) fn chapter(said: &Said<'_>) -> One {
    let number = said.session().markers.len() + 1;
    let name = ["quote", "text"].into_iter().find_map(|slot| said.text(slot));
    let name = json!(name.unwrap_or_else(|| format!("Marker {number}")));
    let Some((from, to)) = codes::times(said) else {
        let at = match said.tokens("plain") {
            Some(_) => json!(rounded(hear::span(said, "plain")?.start)),
            None => said_time(said)?,
        };
        return Ok(call("cmd_add_marker", vec![("name", name), ("at_s", at)]));
    };
    if from >= to {
        let offer = "add a marker from 1:00 to 1:15 called Break";
        return Err(Trouble::new("the end is not behind the start", [offer]));
    }
    let length = json!(rounded(to - from));
    let params = vec![("name", name), ("at_s", json!(from)), ("length_s", length)];
    Ok(call("cmd_add_marker", params))
}
