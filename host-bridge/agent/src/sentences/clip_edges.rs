//! Sentences about where clips start and end: after another clip, or without a stretch of time.

use super::codes;
use super::said::{Built, Said};
use crate::draft::Draft;
use crate::resolve::{Resolved, Trouble, Want};
use crate::times::clock_text;
use deskhand_dsp::Frames;
use deskhand_session::{Clip, ClipId, ObjectId};
use serde_json::json;

/// At most so many clips are offered to be trimmed.
const MOST: usize = 3;

/// The one clip of a slot, and the clip as a target.
fn one_clip<'a>(said: &Said<'a>, slot: &str) -> Result<(&'a Clip, Resolved), Trouble> {
    let session = said.context.scope.session;
    let found = said.sound(slot, Want::Clips)?;
    let clip = found.and_then(|found| match found.ids[..] {
        [ObjectId::Clip(id)] => Some((session.clips.get(&id)?, found)),
        _ => None,
    });
    clip.ok_or_else(|| {
        Trouble::new("it does not say which one clip", said.context.scope.track_names())
    })
}

/// "put the outro behind the interview": the clip begins where the other ends.
pub(super) fn behind(said: &Said<'_>) -> Built {
    let (other, _) = one_clip(said, "ref")?;
    let (_, moved) = one_clip(said, "on")?;
    let at = other.end().seconds(said.session().rate).0;
    Ok(vec![Draft::on("cmd_move_clip", moved, vec![("at_s", json!(at))])])
}

/// An edge of a clip that loses some of its length.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    Start,
    End,
}

/// Time that is taken out of one track leaves a gap, or moves what follows: which, it does not say.
pub(super) fn cut_range(said: &Said<'_>) -> Built {
    let on = said.text("on").unwrap_or_else(|| "all tracks".into());
    let (from, to) = match (codes::times(said), said.text("from").zip(said.text("to"))) {
        (Some((from, to)), _) => (clock_text(from), clock_text(to)),
        (None, Some(told)) => told,
        (None, None) => return Err(unitless(said, &on)),
    };
    let offers =
        [format!("ripple delete from {from} to {to} on {on}"), format!("split {on} at {from}")];
    Err(Trouble::new(
        "it does not say whether what follows moves up, as a ripple delete does",
        offers,
    ))
}

/// "remove 2 to 4": of what, it does not say.
fn unitless(said: &Said<'_>, on: &str) -> Trouble {
    let text = |slot: &str| said.text(slot).unwrap_or_default();
    let (from, to) = (text("since"), text("till"));
    let offers = [
        format!("ripple delete from {from} seconds to {to} seconds on {on}"),
        format!("remove phrases {from} to {to}"),
    ];
    Trouble::new("it does not say whether those are seconds or phrases", offers)
}

/// "cut everything after 0:20", "cut the first ten seconds", "cut the drums after 0:20": of all tracks at once, or of
/// one clip.
pub(super) fn cut_off(said: &Said<'_>, edge: Edge) -> Built {
    let session = said.session();
    let chosen = said.sound("on", Want::Clips)?.map(|found| found.ids);
    let seconds = |at: Frames| at.seconds(session.rate).0;
    let end = seconds(session.end());
    let at = match (said.time("from"), said.time("len"), edge) {
        (Some(at), _, _) | (None, Some(at), Edge::Start) => at,
        (None, Some(length), Edge::End) => end - length,
        (None, None, _) => 0.0,
    };
    let is_within = 0.0 < at && at < end;
    if !is_within {
        let end = clock_text(end);
        let reason = format!("the session ends at {end}, and something of it must be left");
        return Err(Trouble::new(reason, ["how long is the session?"]));
    }
    let (from, to) = if edge == Edge::Start { (0.0, at) } else { (at, end) };
    let (from, to) = (clock_text(from), clock_text(to));
    let is_meant = |id: ClipId| chosen.as_ref().is_none_or(|ids| ids.contains(&id.into()));
    let across = |clip: &Clip| seconds(clip.position) < at && at < seconds(clip.end());
    let there = session.clips.iter().filter(|(id, clip)| is_meant(**id) && across(clip));
    let trimmed = |clip: &Clip| match edge {
        Edge::Start => format!("trim {} to start at {to}", clip.name),
        Edge::End => format!("trim {} to end at {from}", clip.name),
    };
    let clips = there.map(|(_, clip)| trimmed(clip)).take(MOST);
    let (reason, all) = match chosen {
        Some(_) => ("a clip is trimmed to where it starts or ends", None),
        None => (
            "it does not say whether all tracks lose that time, or one clip is trimmed",
            Some(format!("ripple delete from {from} to {to} on all tracks")),
        ),
    };
    Err(Trouble::new(reason, all.into_iter().chain(clips)))
}
