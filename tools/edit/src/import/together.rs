//! Notes on what is imported which recordings carry the same sound, so that microphones of one room are kept in sync.

use super::files::Incoming;
use crate::cross_talk::{Heard, RATE, SHORTEST, delay};
use deskhand_dsp::correlation::{low, mono};
use deskhand_dsp::{FrameReader, Frames};
use deskhand_session::{SameSound, Session, Source, SourceId, TrackKind};
use deskhand_toolkit::audio::stretch;
use deskhand_toolkit::{PlanContext, ToolError};
use std::collections::BTreeMap;
use std::path::Path;

/// The most recordings and pairs of them that are compared, and how much of each: an import must stay quick. A pair takes
/// about 0.4 s.
const MOST: usize = 8;
const MOST_PAIRS: usize = 10;
const LONGEST_S: usize = 240;

/// A recording that is compared.
struct Recording {
    source: Source,
    /// Which of those that are imported it is; `None` for one of the session.
    index: Option<usize>,
    heard: Option<Heard>,
    /// Recordings of one set are not compared again.
    set: usize,
}

/// Compares what is imported with each other and with what is on tracks already. What is noted on `incoming` goes with
/// its source.
///
/// # Errors
/// When the run was stopped. A recording that cannot be read is not compared.
pub(super) fn note_same_sound(
    incoming: &mut [Incoming],
    context: &PlanContext,
) -> Result<(), ToolError> {
    let mut recordings = recordings(incoming, context)?;
    let step = step(context) as i64;
    let mut pairs_left = MOST_PAIRS;
    let count = recordings.len();
    for (first, second) in (0..count).flat_map(|second| (0..second).map(move |at| (at, second))) {
        context.check()?;
        let (Some(a), Some(b)) = (recordings.get(first), recordings.get(second)) else { continue };
        let Some(index) = b.index.filter(|_| pairs_left > 0 && !is_known(a, b)) else { continue };
        pairs_left -= 1;
        let Some(delay) = a.heard.as_ref().zip(b.heard.as_ref()).and_then(|(a, b)| delay(a, b))
        else {
            continue;
        };
        // The later a sound is in a recording, the earlier that recording began.
        let later = Frames(-delay * step);
        note(incoming, index, &SameSound { with: a.source.hash.clone(), later });
        let (from, to) = (b.set, a.set);
        let joined = recordings.iter_mut().filter(|recording| recording.set == from);
        joined.for_each(|recording| recording.set = to);
    }
    Ok(())
}

/// Notes it on all channels of a file.
fn note(incoming: &mut [Incoming], index: usize, same: &SameSound) {
    let hash = incoming.get(index).map(|file| file.source.hash.clone());
    let channels = incoming.iter_mut().filter(|file| Some(&file.source.hash) == hash.as_ref());
    channels.for_each(|file| file.source.same_sound.push(same.clone()));
}

/// Whether comparing two recordings would tell nothing new: they are in one set, are of one file, or have time stamps.
fn is_known(a: &Recording, b: &Recording) -> bool {
    a.set == b.set
        || a.source.hash.file() == b.source.hash.file()
        || (a.source.origin.is_some() && b.source.origin.is_some())
}

/// What is compared: of the session first.
fn recordings(incoming: &[Incoming], context: &PlanContext) -> Result<Vec<Recording>, ToolError> {
    let mut new: Vec<(Source, Option<usize>)> = Vec::new();
    for (index, file) in incoming.iter().enumerate() {
        let is_new = new.iter().all(|(source, _)| source.hash != file.source.hash);
        if is_new && is_long(&file.source, context) {
            new.push((file.source.clone(), Some(index)));
        }
    }
    new.truncate(MOST);
    let known = on_tracks(&context.session);
    let known = known.into_iter().filter(|(_, source)| is_long(source, context));
    let known: Vec<_> = known.take(MOST - new.len()).collect();
    if new.is_empty() || new.len() + known.len() < 2 {
        return Ok(Vec::new());
    }
    context.progress.report(1.0, "Comparing what the microphones hear");
    let mut all = Vec::new();
    let known = known.into_iter().map(|(id, source)| (source, None, Some(id)));
    for (source, index, id) in known.chain(new.into_iter().map(|(source, at)| (source, at, None))) {
        let reader = match id {
            Some(id) => context.audio.source(&context.session, id).ok(),
            None => opened(&source, context),
        };
        let heard = reader.and_then(|mut reader| heard(reader.as_mut(), context).ok());
        context.check()?;
        all.push(Recording { source, index, heard, set: all.len() });
    }
    Ok(all)
}

fn is_long(source: &Source, context: &PlanContext) -> bool {
    source.frames.index() >= SHORTEST * step(context)
}

/// The recordings on audio tracks that are in no group yet, each once. What a tool made of a recording is none.
fn on_tracks(session: &Session) -> BTreeMap<SourceId, Source> {
    let is_free = |track| {
        let known = session.tracks.get(&track);
        known.is_some_and(|track| track.kind == TrackKind::Audio)
            && session.group_of(track).is_none()
    };
    let clips = session.clips.values().filter(|clip| is_free(clip.track));
    let sources = clips.filter_map(|clip| Some((clip.source, session.sources.get(&clip.source)?)));
    let recorded = sources.filter(|(_, source)| !source.is_made());
    recorded.map(|(id, source)| (id, source.clone())).collect()
}

fn opened(source: &Source, context: &PlanContext) -> Option<Box<dyn FrameReader>> {
    let opener = context.opener.track(source.hash.track());
    opener.open_at(Path::new(&source.path), context.session.rate).ok()
}

fn heard(reader: &mut dyn FrameReader, context: &PlanContext) -> Result<Heard, ToolError> {
    let frames = reader.frames().index().min(LONGEST_S * context.session.rate.0 as usize);
    let mut read = |at: i64, count| {
        context.check()?;
        Ok(mono(&stretch(reader, Frames(at), count)?))
    };
    let range = 0..Frames::from_index(frames).0;
    Ok(Heard::new(&low::<ToolError>(&mut read, range, step(context))?))
}

/// How many frames become one sample of what is compared.
fn step(context: &PlanContext) -> usize {
    (context.session.rate.0 as usize / RATE).max(1)
}
