//! Sentences about hearing a phrase where it plays.

use super::placed::{heard, longest_track};
use super::said::{Built, One, Said};
use super::spoken::Among;
use super::transport;
use crate::draft::Draft;
use crate::reading::{Question, RequestKind};
use crate::resolve::Trouble;
use deskhand_dsp::Frames;
use serde_json::json;
use std::ops::Range;

/// From when to when the phrases of a slot are heard, in seconds.
pub(super) fn span(said: &Said<'_>, slot: &str) -> Result<Range<f64>, Trouble> {
    let session = said.session();
    let ids = said.phrases(slot, Among::Playing)?;
    let spans: Vec<Range<Frames>> = ids.iter().filter_map(|id| heard(session, *id)).collect();
    let start = spans.iter().map(|span| span.start).min();
    let end = spans.iter().map(|span| span.end).max();
    let seconds = |at: Frames| at.seconds(session.rate).0;
    let span = start.zip(end).map(|(start, end)| seconds(start)..seconds(end));
    span.ok_or_else(|| {
        Trouble::new("no clip plays that phrase any more", ["show the phrases", "play"])
    })
}

pub(super) fn play(said: &Said<'_>) -> Built {
    transport::play_from(json!(span(said, "r")?.start))
}

pub(super) fn seek(said: &Said<'_>) -> Built {
    transport::seek(json!(span(said, "r")?.start))
}

pub(super) fn repeat(said: &Said<'_>) -> Built {
    let span = span(said, "r")?;
    let range = vec![("from_s", json!(span.start)), ("to_s", json!(span.end))];
    Ok(vec![Draft::call("cmd_set_loop", range)])
}

/// "how long is the edit?": to where its longest track plays.
pub(super) fn how_long(said: &Said<'_>) -> One {
    let track = longest_track(said.session());
    let track =
        track.ok_or_else(|| Trouble::new("no phrases are laid out yet", ["find the phrases"]))?;
    Ok(Draft { kind: RequestKind::Question(Question::Length), targets: vec![track.into()] })
}
