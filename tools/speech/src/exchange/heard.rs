//! What clips play of what is written down, at the time when they play it.

use crate::transcribe::regions;
use deskhand_dsp::Frames;
use deskhand_session::{Clip, Segment, Session, SourceId, Word};
use deskhand_toolkit::Targets;
use std::collections::BTreeSet;
use std::ops::Range;

/// A part of a source that is played without a cut.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Span {
    source: SourceId,
    /// Which frames of the source.
    range: Range<Frames>,
    /// How much later it is played than it stands in the source.
    pub(super) later: Frames,
}

/// What the clips that are meant play; a source means every clip of it. Clips on muted tracks play only where nothing
/// else that is meant by the same name does: the recordings behind an edit are not heard beside it. Clips that go on
/// where another ends are no cut, and what two tracks play at once is played once.
pub(super) fn spans(targets: &Targets, session: &Session) -> Vec<Span> {
    let mut clips: Vec<&Clip> = Vec::new();
    for entry in entries(targets) {
        let entry = Targets::One(entry.clone());
        let meant: Vec<&Clip> = match entry.clips(session) {
            Ok(ids) => ids.iter().filter_map(|id| session.clips.get(id)).collect(),
            Err(_) => {
                let regions = regions(session, &entry).into_iter().flatten();
                let sources: BTreeSet<SourceId> = regions.map(|region| region.source).collect();
                session.clips.values().filter(|clip| sources.contains(&clip.source)).collect()
            }
        };
        clips.extend(session.unmuted(meant, |clip| Some(clip.track)));
    }
    clips.sort_by_key(|clip| (clip.source, clip.position - clip.start, clip.start));
    let mut spans: Vec<Span> = Vec::new();
    for clip in clips {
        let (end, later) = (clip.start + clip.length, clip.position - clip.start);
        let goes_on = |span: &&mut Span| {
            (span.source, span.later) == (clip.source, later) && clip.start <= span.range.end
        };
        match spans.last_mut().filter(goes_on) {
            Some(span) => span.range.end = span.range.end.max(end),
            None => spans.push(Span { source: clip.source, range: clip.start..end, later }),
        }
    }
    spans
}

fn entries(targets: &Targets) -> &[String] {
    match targets {
        Targets::One(entry) => std::slice::from_ref(entry),
        Targets::Many(entries) => entries,
    }
}

impl Span {
    /// The segments of which words are played, with those words; times are those of the source. What a microphone heard
    /// of another's speaker is said at that one's own.
    pub(super) fn said(&self, session: &Session) -> impl Iterator<Item = Segment> {
        let of = |segment: &&Segment| {
            segment.source == self.source
                && segment.start < self.range.end
                && self.range.start < segment.end()
                && !segment.is_bleed()
        };
        session.segments.values().filter(of).filter_map(|segment| self.part(segment))
    }

    /// What is played of a segment: the words whose middle is.
    fn part(&self, segment: &Segment) -> Option<Segment> {
        let is_played = |word: &&Word| self.range.contains(&word.middle());
        let cut = |word: &Word| Word {
            start: word.start.max(self.range.start),
            end: word.end.min(self.range.end),
            ..word.clone()
        };
        let words: Vec<Word> = segment.words.iter().filter(is_played).map(cut).collect();
        // A phrase ends with its last word where it is cut.
        let start = match segment.words.first().filter(is_played) {
            Some(_) => segment.start.max(self.range.start),
            None => words.first()?.start,
        };
        let end = match segment.words.last().filter(is_played) {
            Some(_) => segment.end().min(self.range.end),
            None => words.iter().map(|word| word.end).max()?,
        };
        let length = (end - start).max(Frames(1));
        Some(Segment { words, start, length, ..segment.clone() })
    }
}
