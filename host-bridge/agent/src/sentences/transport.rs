//! Sentences about playing: from where, what is repeated, and where the player goes.

use super::clip_edges::Edge;
use super::codes;
use super::hear;
use super::said::{Built, One, Params, Said};
use crate::draft::Draft;
use crate::lexer::Token;
use crate::resolve::Trouble;
use crate::times::rounded;
use deskhand_dsp::Frames;
use deskhand_session::{Clip, Marker, Session};
use serde_json::{Value, json};

fn call(tool: &str, params: Params) -> Draft {
    Draft::call(tool, params)
}

pub(super) fn play() -> Built {
    Ok(vec![call("cmd_play", Params::new())])
}

pub(super) fn stop() -> Built {
    Ok(vec![call("cmd_stop", Params::new())])
}

/// Moves the player, and nothing else.
pub(super) fn seek(seconds: Value) -> Built {
    Ok(vec![call("cmd_seek", vec![("at_s", seconds)])])
}

/// Moves the player ahead of playing.
pub(super) fn play_from(seconds: Value) -> Built {
    Ok([seek(seconds)?, play()?].concat())
}

/// The time that is said in `from`.
pub(super) fn said_time(said: &Said<'_>) -> Result<Value, Trouble> {
    let missing =
        || Trouble::new("that is no place on the timeline", ["go to 1:30", "play from 0:10"]);
    said.time("from").map(|seconds| json!(seconds)).ok_or_else(missing)
}

/// Where the marker that is said begins.
pub(super) fn marker_start(said: &Said<'_>) -> Result<Value, Trouble> {
    let rate = said.session().rate;
    Ok(json!(marker(said, "marker")?.position.seconds(rate).0))
}

pub(super) fn repeat(said: &Said<'_>) -> Built {
    let times = said.time("from").zip(said.time("to")).or_else(|| codes::times(said));
    let (from, to) = times.filter(|(from, to)| from < to).ok_or_else(no_range)?;
    Ok(vec![call("cmd_set_loop", vec![("from_s", json!(from)), ("to_s", json!(to))])])
}

/// A marker with a length is a range.
pub(super) fn repeat_marker(said: &Said<'_>) -> Built {
    let rate = said.session().rate;
    let marker = marker(said, "marker")?;
    let end = marker.position + marker.length;
    if end <= marker.position {
        return Err(no_range());
    }
    let range = vec![
        ("from_s", json!(marker.position.seconds(rate).0)),
        ("to_s", json!(end.seconds(rate).0)),
    ];
    Ok(vec![call("cmd_set_loop", range)])
}

/// "loop this": the selected time, or that of the selected clips.
pub(super) fn repeat_selection(said: &Said<'_>) -> Built {
    let session = said.session();
    let chosen = &session.selection;
    let clips: Vec<&Clip> = chosen.clips.iter().filter_map(|id| session.clips.get(id)).collect();
    let first = || clips.iter().map(|clip| clip.position).min();
    let last = || clips.iter().map(|clip| clip.end()).max();
    let start = chosen.range.map(|range| range.start).or_else(first);
    let end = chosen.range.map(|range| range.end).or_else(last);
    let seconds = |at: Frames| at.seconds(session.rate).0;
    let (from, to) = start.zip(end).filter(|(from, to)| from < to).ok_or_else(no_range)?;
    let range = vec![("from_s", json!(seconds(from))), ("to_s", json!(seconds(to)))];
    Ok(vec![call("cmd_set_loop", range)])
}

/// "loop the first ten seconds", "loop the whole song": from the start, or up to the end.
pub(super) fn repeat_edge(said: &Said<'_>, edge: Edge) -> Built {
    let end = end(said);
    let length = said.time("len").unwrap_or(end);
    if length <= 0.0 || length > end {
        return Err(no_range());
    }
    let (from, to) = if edge == Edge::Start { (0.0, length) } else { (end - length, end) };
    Ok(vec![call("cmd_set_loop", vec![("from_s", json!(from)), ("to_s", json!(to))])])
}

/// "play the last ten seconds".
pub(super) fn play_last(said: &Said<'_>) -> Built {
    let length = said.time("len").unwrap_or_default();
    play_from(json!((end(said) - length).max(0.0)))
}

/// Where the session ends, in seconds.
fn end(said: &Said<'_>) -> f64 {
    let session = said.session();
    rounded(session.end().seconds(session.rate).0)
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

pub(super) fn repeat_nothing() -> Built {
    Ok(vec![call("cmd_set_loop", Params::new())])
}

fn no_range() -> Trouble {
    Trouble::new("it does not say from when to when", ["loop from 0:10 to 0:20", "stop looping"])
}

/// The one marker of a slot.
pub(super) fn marker<'a>(said: &Said<'a>, slot: &str) -> Result<&'a Marker, Trouble> {
    let text = said.text(slot).unwrap_or_default();
    let session = said.context.scope.session;
    let mut found = session.markers.values().filter(|marker| is_called(marker, &text));
    match (found.next(), found.next()) {
        (Some(marker), None) => Ok(marker),
        _ => {
            let offers = said.context.scope.names.of_kind(crate::names::NameKind::Marker);
            let offers: Vec<_> = offers.map(|name| name.text.clone()).collect();
            Err(Trouble::new(format!("several markers are called \"{text}\""), offers))
        }
    }
}

/// Whether a marker has this name; case does not count.
fn is_called(marker: &Marker, text: &str) -> bool {
    marker.name.to_lowercase() == text.trim().to_lowercase()
}

/// Whether tokens are the name of a marker.
pub(super) fn is_marker(tokens: &[Token], session: &Session) -> bool {
    let wanted: Option<Vec<_>> = tokens.iter().map(Token::word).collect();
    let wanted = wanted.map(|words| words.join(" ")).unwrap_or_default();
    session.markers.values().any(|marker| is_called(marker, &wanted))
}
