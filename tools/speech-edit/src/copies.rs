//! Corrected words that another microphone heard as well.

use super::spoken::timed;
use crate::assembly;
use deskhand_dsp::Frames;
use deskhand_session::{Change, Clip, Edit, Segment, Session, SourceId, Word};
use deskhand_toolkit::Draft;
use deskhand_toolkit::text::folded;
use std::collections::BTreeSet;
use std::ops::Range;

/// The times of one word by two microphones differ by so much, in ms, or less.
const AT_ONCE_MS: i64 = 300;

/// Adds the changes that write new texts for old words of a segment wherever another microphone heard them.
/// Searches and exports leave those out, but the transcript has them. The changes need `because`.
pub(super) fn written(
    session: &Session,
    said: &Segment,
    pairs: &[(Vec<Word>, Vec<String>)],
    because: &str,
    draft: &mut Draft,
) {
    let is_copy = |it: &Segment| {
        let is_theirs = said.speaker.is_none() || it.speaker == said.speaker;
        it.is_bleed() && !said.is_bleed() && it.source != said.source && is_theirs
    };
    for (id, before) in session.segments.iter().filter(|(_, it)| is_copy(it)) {
        let mut after = before.clone();
        for (old, texts) in pairs {
            let Some(place) = heard(session, said.source, old, &after) else { continue };
            let anew = timed(&after.words[place.clone()], texts);
            after.words.splice(place, anew);
        }
        // A segment without words is something else, and one change of a segment is enough.
        let is_changed = draft.changes.iter().any(|it| it.change.target() == (*id).into());
        if after == *before || after.words.is_empty() || is_changed {
            continue;
        }
        let edit = Edit::new(*id, Some(before.clone()), Some(after.clone()));
        let (name, needs) = (session.name_of((*id).into()), vec![because.to_owned()]);
        let reason = "another microphone heard it";
        let change = draft.dependent(Change::SetSegment(edit), name, reason, needs);
        assembly::renamed(session, *id, &after, &change, draft);
    }
}

/// The words of a copy that equal those of a source, said at the same time; the nearest ones if there are
/// several.
fn heard(
    session: &Session,
    source: SourceId,
    old: &[Word],
    copy: &Segment,
) -> Option<Range<usize>> {
    let slack = AT_ONCE_MS * i64::from(session.rate.0) / 1000;
    let texts: Vec<String> = old.iter().map(plain).collect();
    if texts.iter().all(String::is_empty) {
        return None;
    }
    let lates = lates(session, source, old.first()?.middle(), copy.source);
    let off = |words: &[Word]| {
        let by = |late: &Frames| {
            let pairs = words.iter().zip(old);
            pairs.map(|(word, old)| (word.start - old.start - *late).0.abs()).max()
        };
        lates.iter().filter_map(by).min().filter(|off| *off <= slack)
    };
    let runs = copy.words.windows(old.len()).enumerate();
    let same = runs.filter(|(_, words)| words.iter().map(plain).eq(texts.iter().cloned()));
    let (_, at) = same.filter_map(|(at, words)| Some((off(words)?, at))).min()?;
    Some(at..at + old.len())
}

/// How much later a moment of a source comes in another, where clips play both at once.
fn lates(session: &Session, source: SourceId, at: Frames, other: SourceId) -> BTreeSet<Frames> {
    let window = |clip: &Clip| clip.start..clip.start + clip.length;
    let plays = |clip: &&Clip| clip.source == source && window(clip).contains(&at);
    let beside = |own: &Clip| {
        let (shift, now) = (own.position - own.start, at + (own.position - own.start));
        let others = session
            .clips
            .values()
            .filter(move |clip| clip.source == other && (clip.position..clip.end()).contains(&now));
        others.map(move |clip| shift - (clip.position - clip.start))
    };
    session.clips.values().filter(plays).flat_map(beside).collect()
}

/// A word without case and punctuation.
fn plain(word: &Word) -> String {
    folded(&word.text).chars().filter(|c| c.is_alphanumeric()).collect()
}
