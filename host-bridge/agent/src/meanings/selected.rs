//! The segments of a transcript that are selected: "mark this as important".

use crate::resolve::Trouble;
use deskhand_dsp::Frames;
use deskhand_session::{Clip, ClipId, Segment, SegmentId, Session};
use std::ops::Range;

/// The most segments that "this" is: each is a step of its own.
const MOST: usize = 20;

/// What is said in the selected time, or in the selected clip where that is one segment.
pub(super) fn segments(session: &Session) -> Result<Vec<SegmentId>, Trouble> {
    let time = session.selection.range.map(|range| range.start..range.end);
    let clips = clips(session, time.is_some());
    let heard = |segment: &Segment| {
        !segment.words.is_empty() && clips.iter().any(|clip| plays(clip, segment, time.as_ref()))
    };
    let mut found: Vec<_> = session.segments.iter().filter(|(_, segment)| heard(segment)).collect();
    found.sort_by_key(|(id, segment)| (segment.source, segment.start, **id));
    let most = if time.is_some() { MOST } else { 1 };
    match found.len() {
        0 => Err(which("no words are selected", session)),
        many if many > most => {
            let told = format!("{many} phrases are said in what is selected");
            Err(which(&told, session))
        }
        _ => Ok(found.into_iter().map(|(id, _)| *id).collect()),
    }
}

fn which(told: &str, session: &Session) -> Trouble {
    let reason = format!("{told}; select the words that are meant, or name them");
    let some = ["mark the first phrase as important", "mark the last phrase as important"];
    let offers = some.into_iter().filter(|_| !session.phrases.is_empty());
    Trouble::new(reason, offers.map(str::to_owned))
}

/// The selected clips, or those of selected tracks. Where nothing but time is selected, all that is heard: not the
/// recording below phrases that were laid out.
fn clips(session: &Session, has_time: bool) -> Vec<&Clip> {
    let chosen = &session.selection;
    let is_meant = |id: &ClipId, clip: &Clip| match (&chosen.clips[..], &chosen.tracks[..]) {
        ([], []) => has_time && !session.is_clip_muted(clip),
        ([], tracks) => tracks.contains(&clip.track),
        (clips, _) => clips.contains(id),
    };
    let clips = session.clips.iter().filter(|(id, clip)| is_meant(id, clip));
    clips.map(|(_, clip)| clip).collect()
}

/// Whether a clip plays some of a segment, within a time of the timeline where one is given.
fn plays(clip: &Clip, segment: &Segment, time: Option<&Range<Frames>>) -> bool {
    let at = |frame: Frames| clip.position + (frame - clip.start);
    let (from, to) = (segment.start.max(clip.start), segment.end().min(clip.start + clip.length));
    let is_in = time.is_none_or(|time| at(from) < time.end && time.start < at(to));
    segment.source == clip.source && from < to && is_in
}
