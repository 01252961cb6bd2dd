//! Words that play on assembled tracks but belong to no block. They are not heard any more, so a person is
//! warned.

use super::places::{common, span, total};
use super::unit::{Built, Unit};
use deskhand_dsp::Frames;
use deskhand_dsp::silence::gaps;
use deskhand_session::text::{clock, quoted};
use deskhand_session::{Clip, PhraseId, Playing, Segment, SegmentId, Session, SourceId, Word};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The most runs of words that are named.
const NAMED: usize = 3;
/// A shorter part of a word, in ms, is the fade at a cut; at most half of the word.
const LEAST_MS: i64 = 60;

/// Words that follow each other in a clip.
struct Run {
    words: Vec<String>,
    /// Where they begin on the timeline, and the track.
    at: Frames,
    track: String,
    /// Whether another clip plays them in the assembly.
    is_again: bool,
}

/// The warnings about words that play on `units` and are not taken over, at the `new` phrases, and about
/// phrases whose parts are joined.
pub(super) fn told(
    session: &Session,
    units: &[Unit],
    new: &BTreeSet<PhraseId>,
    built: &Built,
) -> Vec<String> {
    let said = said(session, new);
    let blocks = built.blocks.iter().flat_map(|block| &block.clips);
    let plays = Playing::of_clips(blocks.map(|(_, clip)| clip));
    let mut runs = Vec::new();
    for taken in &built.taken {
        let finder = Finder { session, stretches: &taken.stretches, plays: &plays };
        let clips = units.get(taken.unit).into_iter().flat_map(|unit| unit.clips(session));
        for clip in clips {
            let words = said.get(&clip.source).map(Vec::as_slice).unwrap_or_default();
            finder.add(clip, words, &mut runs);
        }
    }
    let (again, alone): (Vec<Run>, Vec<Run>) = runs.into_iter().partition(|run| run.is_again);
    let again = named(session, &again).map(|told| {
        let why = "the same words play elsewhere and are taken over once";
        format!("{told}: {why}; to hear them twice, copy the clip on the assembly track")
    });
    let alone = named(session, &alone).map(|told| {
        let why = "in no phrase of this assembly, so not heard any more";
        format!("{told}: {why}; unmute the track, or give all of its clips as targets")
    });
    joined(session, &built.joined).into_iter().chain(again).chain(alone).collect()
}

/// The words of each source that were in no assembly before, as they are said.
fn said<'a>(session: &'a Session, new: &BTreeSet<PhraseId>) -> BTreeMap<SourceId, Vec<&'a Word>> {
    let before = session.phrases.iter().filter(|(id, _)| !new.contains(id));
    let before: BTreeSet<&SegmentId> = before.flat_map(|(_, phrase)| &phrase.segments).collect();
    let is_free = |id: &SegmentId, segment: &Segment| !segment.is_bleed() && !before.contains(id);
    let mut said: BTreeMap<SourceId, Vec<&Word>> = BTreeMap::new();
    for (id, segment) in &session.segments {
        if is_free(id, segment) {
            said.entry(segment.source).or_default().extend(&segment.words);
        }
    }
    for words in said.values_mut() {
        words.sort_by_key(|word| (word.start, word.end));
    }
    said
}

/// Looks for words that are not taken over.
struct Finder<'a> {
    session: &'a Session,
    /// The parts of the timeline that are taken over.
    stretches: &'a [Range<Frames>],
    /// The playing parts of the assembly.
    plays: &'a Playing,
}

impl Finder<'_> {
    /// Adds those that a clip plays, `words` of its source in order.
    fn add(&self, clip: &Clip, words: &[&Word], runs: &mut Vec<Run>) {
        let window = clip.start..clip.start + clip.length;
        let shift = clip.position - clip.start;
        let mut goes_on = false;
        for word in words {
            let Some(own) = common(&span(word), &window) else { continue };
            let at = own.start + shift..own.end + shift;
            if !self.is_left(word, &at) {
                goes_on = false;
                continue;
            }
            let is_again = self.plays.plays(clip.source, word);
            match runs.last_mut().filter(|run| goes_on && run.is_again == is_again) {
                Some(run) => run.words.push(word.text.clone()),
                None => runs.push(Run {
                    words: vec![word.text.clone()],
                    at: at.start,
                    track: self.session.name_of(clip.track.into()),
                    is_again,
                }),
            }
            goes_on = true;
        }
    }

    /// Whether the assembly leaves out more than a fade of a word that plays `at` a time.
    fn is_left(&self, word: &Word, at: &Range<Frames>) -> bool {
        let whole = span(word);
        let half = Frames((whole.end - whole.start).0 / 2);
        let least = Frames(LEAST_MS * i64::from(self.session.rate.0) / 1000).min(half);
        let first = self.stretches.partition_point(|own| own.end <= at.start);
        let near = self.stretches.iter().skip(first).take_while(|own| own.start < at.end);
        let near: Vec<Range<Frames>> = near.cloned().collect();
        total(&gaps(&near, at.clone())) > least
    }
}

/// The first runs by their words, time and track, and how many more there are; `None` if there are none.
fn named(session: &Session, runs: &[Run]) -> Option<String> {
    let shown = runs.iter().take(NAMED).map(|run| {
        let at = clock(run.at, session.rate);
        format!("{} at {at} on {}", quoted(&run.words.join(" ")), quoted(&run.track))
    });
    let more = runs.len().saturating_sub(NAMED);
    let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!runs.is_empty()).then(|| shown.collect::<Vec<_>>().join(", ") + &tail)
}

/// That parts of phrases come together which others are said between.
fn joined(session: &Session, phrases: &[PhraseId]) -> Option<String> {
    let names: Vec<String> = phrases.iter().map(|id| session.name_of((*id).into())).collect();
    let told = "said in parts with others between them, which play one after the other now";
    (!names.is_empty()).then(|| format!("{}: {told}", deskhand_session::text::names(&names)))
}
