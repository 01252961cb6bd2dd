//! Where phrases are heard.

use super::placed::{clips_of, heard};
use crate::resolve::Trouble;
use crate::times::rounded;
use deskhand_dsp::Frames;
use deskhand_session::{ObjectId, PhraseId, Session};
use std::ops::Range;

/// From when to when phrases are heard, in seconds.
pub(super) fn span(ids: &[PhraseId], session: &Session) -> Result<Range<f64>, Trouble> {
    let spans: Vec<Range<Frames>> = ids.iter().filter_map(|id| heard(session, *id)).collect();
    let start = spans.iter().map(|span| span.start).min();
    let end = spans.iter().map(|span| span.end).max();
    let seconds = |at: Frames| rounded(at.seconds(session.rate).0);
    start.zip(end).map(|(start, end)| seconds(start)..seconds(end)).ok_or_else(unheard)
}

/// The clips that play phrases.
pub(super) fn clips(ids: &[PhraseId], session: &Session) -> Result<Vec<ObjectId>, Trouble> {
    let clips = ids.iter().flat_map(|id| clips_of(session, *id));
    let clips: Vec<ObjectId> = clips.map(|(id, _)| id.into()).collect();
    if clips.is_empty() { Err(unheard()) } else { Ok(clips) }
}

fn unheard() -> Trouble {
    Trouble::new("no clip plays that phrase any more", ["show the phrases", "play"])
}
