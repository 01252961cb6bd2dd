//! Segments that are phrases of an assembly, transcribed again. Each keeps its id and its start, and takes
//! the new words in its time. So an edit keeps its order, takes and cuts.

use deskhand_dsp::Frames;
use deskhand_session::{ObjectId, Phrase, PhraseId, Segment, SegmentId, Session, Word};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The most phrases that a message names.
const NAMED: usize = 3;

/// What becomes of segments that stay in their place.
#[derive(Default)]
pub(crate) struct Followed<'a> {
    /// Those that have words now, as they were, and as they are now: each begins where it did.
    pub(crate) renewed: Vec<(SegmentId, &'a Segment, Segment)>,
    /// Those in whose time nothing is said any more: they stay as they are.
    pub(crate) unheard: Vec<(SegmentId, &'a Segment)>,
    /// Other segments that are said there.
    pub(crate) rest: Vec<Segment>,
}

/// Segments that phrases of the assembly are made of.
pub(crate) fn assembled(session: &Session) -> BTreeSet<SegmentId> {
    session.phrases.values().flat_map(|phrase| &phrase.segments).copied().collect()
}

/// Lets `held` take the words of `said` that lie in their time.
pub(crate) fn follow<'a>(held: &[(SegmentId, &'a Segment)], said: Vec<Segment>) -> Followed<'a> {
    let mut taken: Vec<Option<Segment>> = vec![None; held.len()];
    let mut followed = Followed::default();
    for one in said {
        let mut left: Vec<Word> = Vec::new();
        for word in &one.words {
            let owner = owner(held, &one, word);
            let own = owner.and_then(|at| taken.get_mut(at).zip(held.get(at)));
            let Some((taken, (_, held))) = own else {
                left.push(word.clone());
                continue;
            };
            followed.rest.extend(part(&one, std::mem::take(&mut left)));
            taken.get_or_insert_with(|| begun(held, &one)).words.push(word.clone());
        }
        followed.rest.extend(if left.len() == one.words.len() {
            Some(one)
        } else {
            part(&one, left)
        });
    }
    for ((id, before), taken) in held.iter().copied().zip(taken) {
        match taken {
            Some(taken) => followed.renewed.push((id, before, fitted(taken))),
            None => followed.unheard.push((id, before)),
        }
    }
    followed
}

/// Which of `held` a word is said in: the one of the same speaker first, then the one most of the word lies in.
fn owner(held: &[(SegmentId, &Segment)], said: &Segment, word: &Word) -> Option<usize> {
    let shared = |one: &Segment| {
        // A word of no length lies where it begins.
        let end = word.end.max(word.start + Frames(1));
        (end.min(one.end()) - word.start.max(one.start)).0
    };
    let here = held.iter().enumerate().map(|(at, (_, one))| (at, *one, shared(one)));
    let here = here.filter(|(_, one, shared)| *shared > 0 && one.source == said.source);
    let best = here.max_by_key(|(at, one, shared)| {
        (said.speaker.is_some() && one.speaker == said.speaker, *shared, Reverse(*at))
    });
    best.map(|(at, ..)| at)
}

/// A segment at the old place, with the facts of what is said there now.
fn begun(held: &Segment, said: &Segment) -> Segment {
    Segment {
        description: said.description.clone(),
        speaker: said.speaker.clone(),
        ..Segment::new(held.source, held.start, held.length)
    }
}

/// Puts the words in order and inside the segment. The start stays, because it is the start of a cut; the
/// end may move.
fn fitted(mut segment: Segment) -> Segment {
    let start = segment.start;
    segment.words.sort_by_key(|word| (word.start, word.end));
    for word in &mut segment.words {
        word.start = word.start.max(start);
        word.end = word.end.max(word.start);
    }
    let last = segment.words.iter().map(|word| word.end).max().unwrap_or(start);
    segment.length = segment.length.max(last - start);
    segment
}

/// A part of a segment by its words; `None` without words.
fn part(of: &Segment, words: Vec<Word>) -> Option<Segment> {
    let start = words.first()?.start;
    let end = words.iter().map(|word| word.end).max()?.max(start + Frames(1));
    Some(Segment { start, length: end - start, words, ..of.clone() })
}

/// The warning about phrases whose time has no words any more; `None` if there are none.
pub(crate) fn told(session: &Session, unheard: &BTreeSet<SegmentId>) -> Option<String> {
    let is_of = |phrase: &Phrase| phrase.segments.iter().any(|id| unheard.contains(id));
    let phrases = session.phrases.iter().filter(|(_, phrase)| is_of(phrase));
    let phrases: Vec<PhraseId> = phrases.map(|(id, _)| *id).collect();
    let name = |id: &PhraseId| format!("\"{}\"", session.name_of(ObjectId::from(*id)));
    let mut names: Vec<String> = phrases.iter().take(NAMED).map(name).collect();
    match phrases.len() {
        0 => return None,
        all if all > NAMED => names.push(format!("{} more", all - NAMED)),
        _ => {}
    }
    let (stay, it) =
        if phrases.len() == 1 { ("stays as it was", "it") } else { ("stay as they were", "them") };
    Some(format!(
        "{} {stay}: nothing is said there now, and the assembly is made of {it}; tool_remove_segments takes {it} out",
        names.join(", ")
    ))
}
