//! Stretches of time that are named, and the clips at the outer edges of what is heard.

use super::clause::Miss;
use crate::in_time::Stretch;
use crate::part::{Phrase, Pick, Thing};
use crate::resolve::{Context, Resolved, Trouble, Want, list};
use crate::times::{clock_text, rounded};
use deskhand_dsp::{Frames, Seconds};
use deskhand_session::{Clip, ClipId, ObjectId, Session};
use serde_json::{Map, Value};

/// Where something starts or ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    Start,
    End,
}

/// The time that a phrase names: a marker with a length, a clip, what is selected, or everything.
/// Behind a preposition, "in the selection", the selected time alone is meant.
pub(super) fn of(phrase: &Phrase, is_object: bool, context: &Context<'_>) -> Result<Stretch, Miss> {
    let session = context.scope.session;
    if let Some(marker) = phrase.marker(session) {
        let stretch = between(session, marker.position, marker.position + marker.length);
        return stretch
            .ok_or_else(|| without_length(&marker.name, marker.position, session).into());
    }
    let is_whole =
        phrase.is_all(Thing::Everything) || phrase.is_all(Thing::Heard) || phrase.is_mix();
    let nothing = || Trouble::new("no time is selected", ["what is selected?"]);
    let found = match phrase.single() {
        _ if is_whole => between(session, Frames::ZERO, session.end()),
        Some(Pick::Selection | Pick::Selected | Pick::It) => {
            let clips = || of_clips(&context.chosen(), session);
            let time = Stretch::selected(session);
            return time.or_else(|| clips().filter(|_| is_object)).ok_or_else(|| nothing().into());
        }
        Some(Pick::Objects(ids)) => of_clips(ids, session),
        _ => None,
    };
    found.ok_or(Miss::Other)
}

fn between(session: &Session, from: Frames, to: Frames) -> Option<Stretch> {
    let seconds = |at: Frames| rounded(at.seconds(session.rate).0);
    (from < to).then(|| Stretch { from: seconds(from), to: seconds(to) })
}

/// From the start of the first clip to the end of the last one; nothing else has a time of its own.
fn of_clips(ids: &[ObjectId], session: &Session) -> Option<Stretch> {
    let clip = |id: &ObjectId| match id {
        ObjectId::Clip(id) => session.clips.get(id),
        _ => None,
    };
    let clips: Option<Vec<&Clip>> = ids.iter().map(clip).collect();
    let clips = clips?;
    let from = clips.iter().map(|clip| clip.position).min()?;
    between(session, from, clips.iter().map(|clip| clip.end()).max()?)
}

fn without_length(name: &str, at: Frames, session: &Session) -> Trouble {
    let clock = |at: Frames| clock_text(rounded(at.seconds(session.rate).0));
    let reason = format!("the marker \"{name}\" has no length: say from when to when");
    Trouble::new(reason, [format!("from {} to {}", clock(at), clock(session.end()))])
}

/// The clips that are heard first, or last, of what is named: all that sound within the fade must begin, or end,
/// together.
pub(super) fn outer(
    phrase: Option<Phrase>,
    edge: Edge,
    context: &Context<'_>,
    params: &Map<String, Value>,
) -> Result<Resolved, Miss> {
    let session = context.scope.session;
    // The end of the whole is meant, whatever is selected.
    let phrase = phrase.or_else(|| Some(Phrase::all(Thing::Heard)));
    let clips = context.resolve(phrase.clone(), Want::Clips);
    let found =
        clips.or_else(|trouble| context.resolve(phrase, Want::Tracks).map_err(|_| trouble))?;
    let is_meant = |id: &ClipId, clip: &Clip| {
        found.ids.contains(&(*id).into()) || found.ids.contains(&clip.track.into())
    };
    let heard: Vec<_> = session.clips.iter().filter(|(id, clip)| is_meant(id, clip)).collect();
    let param = if edge == Edge::Start { "fade_in_ms" } else { "fade_out_ms" };
    let length = params.get(param).and_then(Value::as_f64).ok_or(Miss::Other)? / 1000.0;
    let edges = heard.iter().map(|(_, clip)| edge_of(clip, edge));
    let at = if edge == Edge::Start { edges.min() } else { edges.max() }.ok_or(Miss::Other)?;
    let span = Seconds(length).frames(session.rate);
    let sounds = |clip: &Clip| match edge {
        Edge::Start => clip.position < at + span,
        Edge::End => at - span < clip.end(),
    };
    let there: Vec<_> = heard.into_iter().filter(|(_, clip)| sounds(clip)).collect();
    if there.iter().any(|(_, clip)| edge_of(clip, edge) != at) {
        let names = there.iter().map(|(_, clip)| clip.name.as_str());
        return Err(apart(names, edge, length).into());
    }
    let ids: Vec<ObjectId> = there.into_iter().map(|(id, _)| (*id).into()).collect();
    Ok(Resolved { param: list(&ids), ids })
}

fn edge_of(clip: &Clip, edge: Edge) -> Frames {
    if edge == Edge::Start { clip.position } else { clip.end() }
}

fn apart<'n>(names: impl Iterator<Item = &'n str>, edge: Edge, length: f64) -> Trouble {
    let (way, what) = if edge == Edge::Start { ("in", "begin") } else { ("out", "end") };
    let offers = names.map(|name| format!("fade {way} {name} over {length} seconds"));
    Trouble::new(format!("not all clips that are heard there {what} together"), offers)
}
