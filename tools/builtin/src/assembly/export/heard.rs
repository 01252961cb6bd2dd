//! What is heard of each phrase, and when: by the clips that play it.

use super::names::Names;
use crate::assembly::block::{Placed, standing};
use deskhand_dsp::Frames;
use deskhand_session::{Clip, PhraseId, Segment, Session, Word};

/// A phrase as it plays.
pub(super) struct Heard {
    /// Which.
    pub(super) phrase: PhraseId,
    /// First frame on the timeline.
    pub(super) start: Frames,
    /// First frame behind it.
    pub(super) end: Frames,
    /// What is heard, a cue a segment.
    pub(super) cues: Vec<Cue>,
}

/// Words that are shown together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cue {
    /// When the first begins.
    pub(super) start: Frames,
    /// When the last ends.
    pub(super) end: Frames,
    /// Who says them.
    pub(super) speaker: Option<String>,
    /// One line, without control characters.
    pub(super) text: String,
}

impl Heard {
    /// All that is heard of it.
    pub(super) fn text(&self) -> String {
        self.cues.iter().map(|cue| cue.text.as_str()).collect::<Vec<_>>().join(" ")
    }
}

/// What plays, in order. Words that were cut away within a phrase are left out.
pub(super) fn heard(session: &Session, names: &Names) -> Vec<Heard> {
    let placed = standing(session);
    let mut all: Vec<Heard> = placed.iter().map(|placed| one(session, placed, names)).collect();
    // Where phrases lie over each other by a crossfade, their cues still come one after another.
    for at in 1..all.len() {
        let (ahead, own) = all.split_at_mut(at);
        let start = own.first().and_then(|heard| heard.cues.first()).map(|cue| cue.start);
        if let (Some(start), Some(last)) = (start, ahead.last_mut().and_then(|h| h.cues.last_mut()))
        {
            last.end = last.end.min(start).max(last.start + Frames(1));
        }
    }
    all
}

fn one(session: &Session, placed: &Placed, names: &Names) -> Heard {
    let block = &placed.block;
    let segments = session.phrases.get(&block.phrase).map_or(&[][..], |phrase| &phrase.segments);
    let segments = segments.iter().filter_map(|id| session.segments.get(id));
    let mut cues: Vec<Cue> = Vec::new();
    for cue in segments.filter_map(|segment| cue(segment, placed, names)) {
        if let Some(last) = cues.last_mut() {
            last.end = last.end.min(cue.start).max(last.start + Frames(1));
        }
        cues.push(cue);
    }
    Heard { phrase: block.phrase, start: placed.start, end: placed.start + block.length, cues }
}

fn cue(segment: &Segment, placed: &Placed, names: &Names) -> Option<Cue> {
    let own = placed.block.clips.iter().map(|(_, clip)| clip);
    let clips: Vec<&Clip> = own.filter(|clip| clip.source == segment.source).collect();
    let times = segment.words.iter().filter_map(|word| Some((word, time(word, &clips)?)));
    let times: Vec<_> = times.collect();
    let start = times.first()?.1.0;
    let end = times.iter().map(|(_, (_, end))| *end).max()?;
    let words: Vec<&str> = times.iter().map(|(word, _)| word.text.as_str()).collect();
    let text: String =
        words.join(" ").chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    Some(Cue {
        start: placed.start + start,
        end: placed.start + end.max(start + Frames(1)),
        speaker: segment.speaker.as_deref().map(|speaker| names.of(speaker)),
        text: names.text(&text),
    })
}

/// When a word is heard in a block, if its middle is.
fn time(word: &Word, clips: &[&Clip]) -> Option<(Frames, Frames)> {
    let middle = Frames((word.start.0 + word.end.0) / 2);
    let plays = |clip: &&&Clip| clip.start <= middle && middle < clip.start + clip.length;
    let clip = clips.iter().find(plays)?;
    let shift = clip.position - clip.start;
    Some(((word.start + shift).max(clip.position), (word.end + shift).min(clip.end())))
}
