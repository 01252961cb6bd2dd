//! Sentences about how the whole, or a track, begins and ends: "add a two second fade out at the end".

use super::clip_edges::Edge;
use super::codes;
use super::said::{One, Said};
use crate::draft::Draft;
use crate::resolve::{Resolved, Trouble, Want, list};
use crate::times::rounded;
use deskhand_dsp::{Frames, Seconds};
use deskhand_session::{Clip, ClipId, ObjectId};
use serde_json::json;

/// "fade the music in for two seconds and out for three".
pub(super) fn both(said: &Said<'_>) -> One {
    let lengths = said.tokens("len").zip(said.tokens("till")).and_then(codes::ends);
    let Some((fade_in, fade_out)) = lengths else {
        let offer = "fade out take 1 over 2 seconds";
        return Err(Trouble::new("it does not say how long the fades are", [offer]));
    };
    let no_clip = || Trouble::new("it does not say which clips", said.context.scope.track_names());
    let targets = said.sound("on", Want::Clips)?.ok_or_else(no_clip)?;
    let ms = |seconds: f64| json!(rounded(seconds * 1000.0));
    let params = vec![("fade_in_ms", ms(fade_in)), ("fade_out_ms", ms(fade_out))];
    Ok(Draft::on("cmd_set_clip_fades", targets, params))
}

/// Fades what is heard first in, or what is heard last out, where all of it begins or ends together: of what is named,
/// or of all that plays.
pub(super) fn fade(said: &Said<'_>, edge: Edge) -> One {
    let session = said.session();
    let clips = said.sound("on", Want::Clips);
    // Of a track with several clips all are looked at.
    let tracks = |trouble| said.sound("on", Want::Tracks).map_err(|_| trouble);
    let chosen = clips.or_else(tracks)?.map(|found| found.ids);
    let is_meant = |id: ClipId, clip: &Clip| match &chosen {
        Some(ids) => ids.contains(&id.into()) || ids.contains(&clip.track.into()),
        None => session.is_audible(clip.track),
    };
    let clips = session.clips.iter().filter(|(id, clip)| is_meant(**id, clip));
    let heard: Vec<(&ClipId, &Clip)> = clips.collect();
    let Some(at) = outermost(&heard, edge) else {
        return Err(Trouble::new("nothing plays that could be faded", ["list the tracks"]));
    };
    let Some(length) = said.time("len").filter(|length| *length > 0.0) else {
        return Err(no_length(said, edge));
    };
    let span = Seconds(length).frames(session.rate);
    let sounds = |clip: &Clip| match edge {
        Edge::Start => clip.position < at + span,
        Edge::End => at - span < clip.end(),
    };
    let there: Vec<_> = heard.into_iter().filter(|(_, clip)| sounds(clip)).collect();
    if there.iter().any(|(_, clip)| own_edge(clip, edge) != at) {
        let names = there.iter().map(|(_, clip)| clip.name.as_str());
        return Err(apart(names, edge, length));
    }
    let ids: Vec<ObjectId> = there.into_iter().map(|(id, _)| (*id).into()).collect();
    let found = Resolved { param: list(&ids), ids };
    let param = if edge == Edge::Start { "fade_in_ms" } else { "fade_out_ms" };
    Ok(Draft::on("cmd_set_clip_fades", found, vec![(param, json!(rounded(length * 1000.0)))]))
}

fn own_edge(clip: &Clip, edge: Edge) -> Frames {
    if edge == Edge::Start { clip.position } else { clip.end() }
}

/// Where all that is heard begins or ends.
fn outermost(heard: &[(&ClipId, &Clip)], edge: Edge) -> Option<Frames> {
    let edges = heard.iter().map(|(_, clip)| own_edge(clip, edge));
    if edge == Edge::Start { edges.min() } else { edges.max() }
}

/// Why clips that begin or end at different times are not faded at once, with the fade of each.
fn apart<'n>(names: impl Iterator<Item = &'n str>, edge: Edge, length: f64) -> Trouble {
    let (way, what) = if edge == Edge::Start { ("in", "begin") } else { ("out", "end") };
    let offers = names.map(|name| format!("fade {way} {name} over {length} seconds"));
    Trouble::new(format!("not all clips that are heard there {what} together"), offers)
}

fn no_length(said: &Said<'_>, edge: Edge) -> Trouble {
    let on = said.text("on").map(|on| format!(" {on}")).unwrap_or_default();
    let offer = match edge {
        Edge::Start => format!("fade in{on} at the beginning over 2 seconds"),
        Edge::End => format!("fade out{on} at the end over 2 seconds"),
    };
    Trouble::new("it does not say how long the fade is", [offer])
}
