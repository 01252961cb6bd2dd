//! Phrases with parts on tracks of several units. Each unit plays the parts that no other one plays.

use super::extent::Extents;
use super::places::{common, span, total};
use deskhand_dsp::Frames;
use deskhand_dsp::silence::union;
use deskhand_edit::assembly::block::{Block, crossfade};
use deskhand_session::{PhraseId, Segment, Session};
use std::collections::BTreeMap;
use std::ops::Range;

/// The part of a phrase that one unit plays.
struct Part {
    /// Where it is cut out of the timeline, in order.
    stretches: Vec<Range<Frames>>,
    block: Block,
}

/// The blocks of phrases, part by part as units give them.
pub(super) struct Parts<'a> {
    session: &'a Session,
    of: BTreeMap<PhraseId, Vec<Part>>,
}

impl<'a> Parts<'a> {
    pub(super) fn new(session: &'a Session) -> Self {
        Self { session, of: BTreeMap::new() }
    }

    /// Takes a block that a unit cut out, if it is the first of its phrase. It also takes one that plays
    /// more words of the phrase and none that other units play: words heard in several units play once.
    pub(super) fn take(&mut self, block: Block, extents: &Extents) -> Option<PhraseId> {
        let phrase = block.phrase;
        let (known, new) = (self.known(phrase), heard(self.session, &block));
        let all = union(known.iter().chain(&new).cloned());
        let both = total(&known) + total(&new) - total(&all);
        let least = self.least();
        if self.of.contains_key(&phrase) && (total(&new) <= least || both > least) {
            return None;
        }
        let stretches = extents.get(&phrase).cloned().unwrap_or_default();
        self.of.entry(phrase).or_default().push(Part { stretches, block });
        Some(phrase)
    }

    /// Whether words of a phrase do not play in its parts yet.
    pub(super) fn is_open(&self, phrase: PhraseId) -> bool {
        total(&words(self.session, phrase)) - total(&self.known(phrase)) > self.least()
    }

    /// The phrases of several units with other phrases between their parts.
    pub(super) fn joined(&self) -> Vec<PhraseId> {
        let is_joined = |(phrase, parts): &(&PhraseId, &Vec<Part>)| {
            let own = || parts.iter().flat_map(|part| &part.stretches);
            let (Some(end), Some(start)) =
                (own().map(|it| it.end).min(), own().map(|it| it.start).max())
            else {
                return false;
            };
            let others = self.of.iter().filter(|(other, _)| other != phrase);
            let mut begun = others.flat_map(|(_, parts)| parts).flat_map(|part| &part.stretches);
            parts.len() > 1 && begun.any(|it| end <= it.start && it.start < start)
        };
        self.of.iter().filter(is_joined).map(|(phrase, _)| *phrase).collect()
    }

    /// A block for each phrase: its parts in the order they are said.
    pub(super) fn blocks(self) -> Vec<Block> {
        let rate = self.session.rate;
        let block = |(phrase, mut parts): (PhraseId, Vec<Part>)| {
            parts.sort_by_key(|part| part.stretches.first().map(|stretch| stretch.start));
            let blocks = parts.into_iter().map(|part| part.block).collect();
            Block::of_parts(phrase, blocks, rate)
        };
        self.of.into_iter().map(block).collect()
    }

    /// The playing parts of a phrase's words, in its source.
    fn known(&self, phrase: PhraseId) -> Vec<Range<Frames>> {
        let parts = self.of.get(&phrase).into_iter().flatten();
        union(parts.flat_map(|part| heard(self.session, &part.block)))
    }

    /// Less is what fades on both sides of a cut.
    fn least(&self) -> Frames {
        crossfade(self.session.rate) + crossfade(self.session.rate)
    }
}

fn segments(session: &Session, phrase: PhraseId) -> impl Iterator<Item = &Segment> {
    let ids = session.phrases.get(&phrase).map(|phrase| phrase.segments.as_slice());
    ids.unwrap_or_default().iter().filter_map(move |id| session.segments.get(id))
}

/// When the words of a phrase are said, in its source.
fn words(session: &Session, phrase: PhraseId) -> Vec<Range<Frames>> {
    union(segments(session, phrase).flat_map(|segment| &segment.words).map(span))
}

/// What a block plays of the words of its phrase, in their source.
fn heard(session: &Session, block: &Block) -> Vec<Range<Frames>> {
    let source = segments(session, block.phrase).next().map(|segment| segment.source);
    let words = words(session, block.phrase);
    let mut heard = Vec::new();
    for (_, clip) in block.clips.iter().filter(|(_, clip)| Some(clip.source) == source) {
        let window = clip.start..clip.start + clip.length;
        heard.extend(words.iter().filter_map(|word| common(word, &window)));
    }
    union(heard)
}
