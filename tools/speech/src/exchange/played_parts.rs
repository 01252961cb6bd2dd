//! The transcript of the parts that clips play, at the time when they play.

use crate::transcribe::regions;
use deskhand_dsp::Frames;
use deskhand_session::{Clip, ClipId, Segment, Session, SourceId, Word};
use deskhand_toolkit::Targets;
use std::collections::BTreeSet;
use std::ops::Range;

/// A part of a source that is played without a cut.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Span {
    source: SourceId,
    /// Which frames of the source.
    range: Range<Frames>,
    /// The offset from the time in the source to the time on the timeline.
    pub(super) later: Frames,
}

/// The spans that the chosen clips play. A source means all of its clips. Muted clips count only
/// if no other clip of the same name plays, so the recordings under an edit are not heard twice. Clips that
/// continue each other form no cut. What two tracks play at once is played once.
pub(super) fn spans(targets: &Targets, session: &Session) -> Vec<Span> {
    let mut clips: Vec<&Clip> = Vec::new();
    for entry in entries(targets) {
        let entry = Targets::One(entry.clone());
        let meant: Vec<ClipId> = entry.clips(session).unwrap_or_else(|_| {
            let regions = regions(session, &entry).into_iter().flatten();
            let sources: BTreeSet<SourceId> = regions.map(|region| region.source).collect();
            let plays = |clip: &Clip| sources.contains(&clip.source);
            session.clips.iter().filter(|(_, clip)| plays(clip)).map(|(id, _)| *id).collect()
        });
        let meant = session.unmuted(meant, |id| (*id).into());
        clips.extend(meant.iter().filter_map(|id| session.clips.get(id)));
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
    /// The segments that have played words, with those words. Times are in the source. Bleed from another
    /// speaker counts only at the microphone of that speaker.
    pub(super) fn said(&self, session: &Session) -> impl Iterator<Item = Segment> {
        let of = |segment: &&Segment| {
            segment.source == self.source
                && segment.start < self.range.end
                && self.range.start < segment.end()
                && !segment.is_bleed()
        };
        session.segments.values().filter(of).filter_map(|segment| self.part(segment))
    }

    /// The played part of a segment: words whose middle plays.
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
