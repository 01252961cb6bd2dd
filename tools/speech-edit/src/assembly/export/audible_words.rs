//! The words of each phrase that are heard, and when: according to the clips that play it.

use super::names::Names;
use deskhand_dsp::Frames;
use deskhand_edit::assembly::block::{Placed, standing};
use deskhand_session::{Clip, PhraseId, Segment, SegmentId, Session, SourceId, Word};
use std::collections::{BTreeMap, BTreeSet};

/// A phrase as it plays.
pub(super) struct Heard {
    /// Which.
    pub(super) phrase: PhraseId,
    /// First frame on the timeline.
    pub(super) start: Frames,
    /// The frame after its last.
    pub(super) end: Frames,
    /// The heard words, a cue a segment, sorted by start.
    pub(super) cues: Vec<Cue>,
}

/// Words that are shown together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cue {
    /// When the first begins.
    pub(super) start: Frames,
    /// When the last ends.
    pub(super) end: Frames,
    /// The speaker.
    pub(super) speaker: Option<String>,
    /// One line, without control characters.
    pub(super) text: String,
    /// Whether it belongs to the phrase, or is said along with it.
    pub(super) part: Part,
}

/// Whose a cue is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Of the phrase.
    Own,
    /// Said along with it, on another track or at its edge.
    Along,
}

impl Heard {
    /// All heard words of the phrase itself.
    pub(super) fn text(&self) -> String {
        let own = self.cues.iter().filter(|cue| cue.part == Part::Own);
        own.map(|cue| cue.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// The words said along with it.
    pub(super) fn along(&self) -> impl Iterator<Item = &Cue> {
        self.cues.iter().filter(|cue| cue.part == Part::Along)
    }

    fn own(&mut self) -> impl DoubleEndedIterator<Item = &mut Cue> {
        self.cues.iter_mut().filter(|cue| cue.part == Part::Own)
    }
}

/// The playing phrases, in order, with all heard words. Words that were cut within a phrase are left out.
pub(super) fn heard(session: &Session, names: &Names) -> Vec<Heard> {
    let placed = standing(session);
    let said = said(session);
    let mut all: Vec<Heard> =
        placed.iter().map(|placed| one(session, placed, &said, names)).collect();
    // Where phrases lie over each other by a crossfade, their cues still come one after another.
    for at in 1..all.len() {
        let (ahead, own) = all.split_at_mut(at);
        let start = own.first_mut().and_then(|heard| heard.own().next()).map(|cue| cue.start);
        let last = ahead.last_mut().and_then(|heard| heard.own().next_back());
        if let (Some(start), Some(last)) = (start, last) {
            last.end = last.end.min(start).max(last.start + Frames(1));
        }
    }
    all
}

/// The heard segments of each source: those of phrases, and those said along with one.
fn said(session: &Session) -> BTreeMap<SourceId, Vec<(SegmentId, &Segment)>> {
    let phrases = session.phrases.values().flat_map(|phrase| phrase.segments.iter().copied());
    let along = session.along().into_values().flatten();
    let known: BTreeSet<SegmentId> = phrases.chain(along).collect();
    let mut said: BTreeMap<SourceId, Vec<(SegmentId, &Segment)>> = BTreeMap::new();
    for id in known {
        if let Some(segment) = session.segments.get(&id) {
            said.entry(segment.source).or_default().push((id, segment));
        }
    }
    said
}

fn one(
    session: &Session,
    placed: &Placed,
    said: &BTreeMap<SourceId, Vec<(SegmentId, &Segment)>>,
    names: &Names,
) -> Heard {
    let block = &placed.block;
    let segments = session.phrases.get(&block.phrase).map_or(&[][..], |phrase| &phrase.segments);
    let sources: BTreeSet<SourceId> = block.clips.iter().map(|(_, clip)| clip.source).collect();
    let all = sources.iter().filter_map(|source| said.get(source)).flatten();
    let part = |id: &SegmentId| if segments.contains(id) { Part::Own } else { Part::Along };
    let mut cues: Vec<Cue> =
        all.filter_map(|(id, segment)| cue(segment, part(id), placed, names)).collect();
    cues.sort_by_key(|cue| (cue.start, cue.end));
    let mut heard =
        Heard { phrase: block.phrase, start: placed.start, end: placed.start + block.length, cues };
    let mut last: Option<&mut Cue> = None;
    for cue in heard.own() {
        if let Some(last) = last {
            last.end = last.end.min(cue.start).max(last.start + Frames(1));
        }
        last = Some(cue);
    }
    heard
}

fn cue(segment: &Segment, part: Part, placed: &Placed, names: &Names) -> Option<Cue> {
    let plays = |clip: &&Clip| {
        let end = clip.start + clip.length;
        clip.source == segment.source && segment.start < end && clip.start <= segment.end()
    };
    let clips: Vec<&Clip> = placed.block.clips.iter().map(|(_, clip)| clip).filter(plays).collect();
    if clips.is_empty() {
        return None;
    }
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
        part,
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
