//! Which phrases say the same.

use super::common_words::{common, same};
use super::differ::{Difference, Doubt, difference};
use super::numbers;
use super::token::Token;
use crate::assembly::talk::{is_cut_off, is_filler, plain, repeated};
use deskhand_dsp::Frames;
use deskhand_edit::assembly::ids;
use deskhand_session::{Assembly, PhraseId, Session, SourceId, TrackId, Word};
use std::collections::{BTreeMap, BTreeSet};

/// Phrases with fewer words are answers, not takes.
const LEAST_WORDS: usize = 3;
/// Share of common words from which two phrases are takes of one another.
const ALIKE: f64 = 0.6;
/// Share of the shorter one from which it is a take that broke off, when it begins the same.
const BEGUN: f64 = 0.8;
/// Share of the pairs of words of the shorter recording that another says as well, from which both say one text.
const ONE_TEXT: f64 = 0.5;
/// Pairs of words that more phrases have in common say nothing.
const COMMON: usize = 64;

/// The words of a phrase that count: without fillers, cut-off words and the first of a restarted part.
/// Otherwise a take that stumbles would seem the fullest.
pub(super) fn tokens(session: &Session, phrase: PhraseId) -> Vec<Token> {
    let segments = session.phrases.get(&phrase).map_or(&[][..], |phrase| &phrase.segments);
    let words = segments.iter().filter_map(|id| session.segments.get(id)).flat_map(|s| &s.words);
    let said = words.filter(|word| !is_filler(&word.text) && !is_cut_off(&word.text));
    let said: Vec<Word> = said.cloned().collect();
    let (mut tokens, mut at) = (Vec::with_capacity(said.len()), 0);
    while let Some(word) = said.get(at) {
        match repeated(&said, at) {
            0 => {
                tokens.extend(Token::of(word));
                at += 1;
            }
            first => at += first,
        }
    }
    tokens.retain(|token: &Token| !token.text.is_empty());
    tokens.dedup_by(|next, first| next.text == first.text);
    numbers::merged(&tokens)
}

/// Whether one person can have said both: the same speaker where that is known, and never two microphones of a group.
/// Speakers that are called as their tracks may be takes on tracks of their own: then both recordings say one text.
fn may_be_one(session: &Session, a: PhraseId, b: PhraseId) -> bool {
    let (Some(a), Some(b)) = (session.spoken(a), session.spoken(b)) else { return false };
    let speakers = a.speaker.as_ref().zip(b.speaker.as_ref());
    if speakers.is_some_and(|(who, other)| who == other) {
        return true;
    }
    let made = ids::originals(session);
    let tracks = |source| -> BTreeSet<TrackId> {
        let clips = session.clips.values().filter(|clip| clip.source == source);
        clips.map(|clip| clip.track).filter(|track| !made.contains_key(track)).collect()
    };
    let (on_a, on_b) = (tracks(a.source), tracks(b.source));
    let is_track = |name: &String, tracks: &BTreeSet<TrackId>| {
        tracks.iter().any(|id| session.tracks.get(id).is_some_and(|track| track.name == *name))
    };
    let are_others = speakers.is_some_and(|(who, other)| {
        let are_tracks = is_track(who, &on_a) && is_track(other, &on_b);
        !are_tracks || !is_one_text(session, a.source, b.source)
    });
    if are_others {
        return false;
    }
    let group = |tracks: &BTreeSet<TrackId>| {
        tracks.iter().find_map(|track| session.group_of(*track)).map(|(id, _)| id)
    };
    on_a == on_b || group(&on_a).is_none() || group(&on_a) != group(&on_b)
}

/// Whether two recordings have about the same text, apart from bleed. People who talk with each other do
/// not.
fn is_one_text(session: &Session, a: SourceId, b: SourceId) -> bool {
    let pairs = |source| -> BTreeSet<(String, String)> {
        let mut said = session.transcript_of(source);
        said.retain(|(_, segment)| !segment.is_bleed());
        let words = said.iter().flat_map(|(_, segment)| &segment.words);
        let words: Vec<String> = words.map(|word| plain(&word.text)).collect();
        words.windows(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
    };
    let (own, other) = (pairs(a), pairs(b));
    let common = own.intersection(&other).count() as f64;
    a != b && common >= ONE_TEXT * own.len().min(other.len()) as f64
}

/// A phrase with its words that count.
type Words = (PhraseId, Vec<Token>);

/// Playing phrases that may be takes of one another by their words: each set has all phrases connected by
/// such pairs, in playing order.
pub(super) fn related(session: &Session, assembly: &Assembly) -> Vec<Vec<PhraseId>> {
    let is_marked =
        |id: &PhraseId| assembly.duplicates.iter().any(|group| group.takes.contains(id));
    let playing = assembly.order.iter().filter(|id| !is_marked(id));
    let said: Vec<Words> = playing
        .map(|id| (*id, tokens(session, *id)))
        .filter(|(_, t)| t.len() >= LEAST_WORDS)
        .collect();
    let near = candidates(&said);
    let mut open: BTreeSet<usize> = (0..said.len()).collect();
    let mut sets = Vec::new();
    while let Some(first) = open.pop_first() {
        let (mut set, mut reached) = (BTreeSet::from([first]), vec![first]);
        while let Some(at) = reached.pop() {
            let others = near.get(&at).into_iter().flatten().copied();
            let own = others.filter(|other| {
                open.contains(other) && may_be_takes(session, &said[at], &said[*other])
            });
            for other in own.collect::<Vec<usize>>() {
                open.remove(&other);
                set.insert(other);
                reached.push(other);
            }
        }
        if set.len() > 1 {
            sets.push(set.into_iter().map(|at| said[at].0).collect());
        }
    }
    sets
}

/// The sets of takes among possible phrases, each in order. The fullest remaining phrase leads, the first
/// of several. It takes all phrases with the same text. Where words may differ, `agree` decides from the
/// sound. The others are compared with the remaining phrases.
///
/// # Errors
/// When `agree` fails.
pub(super) fn sets<E>(
    session: &Session,
    related: &[PhraseId],
    mut agree: impl FnMut(PhraseId, PhraseId, &[Doubt<Frames>]) -> Result<bool, E>,
) -> Result<Vec<Vec<PhraseId>>, E> {
    let mut left: Vec<Words> = related.iter().map(|id| (*id, tokens(session, *id))).collect();
    let mut sets = Vec::new();
    while let Some(lead) = left.iter().rev().max_by_key(|(_, words)| words.len()).cloned() {
        let (mut set, mut rest) = (Vec::new(), Vec::new());
        for other in left {
            let is_take = other.0 == lead.0
                || may_be_takes(session, &lead, &other)
                    && agree(lead.0, other.0, &doubts(&lead.1, &other.1))?;
            if is_take {
                set.push(other.0);
            } else {
                rest.push(other);
            }
        }
        if set.len() > 1 {
            sets.push(set);
        }
        left = rest;
    }
    Ok(sets)
}

/// Whether two phrases may be takes of one another, by their words and their speakers.
fn may_be_takes(session: &Session, a: &Words, b: &Words) -> bool {
    are_takes(&a.1, &b.1) && may_be_one(session, a.0, b.0)
}

/// The words of a lead at which another take may say something else, by when they are said.
fn doubts(lead: &[Token], other: &[Token]) -> Vec<Doubt<Frames>> {
    let Difference::Doubtful(gaps) = difference(lead, other) else {
        return Vec::new();
    };
    let span = |doubt: &Doubt<usize>| {
        let own = lead.get(doubt.words.clone())?;
        let words = own.first()?.time.start..own.last()?.time.end;
        Some(Doubt { words, reading: doubt.reading })
    };
    gaps.iter().filter_map(span).collect()
}

/// For each phrase those that have two words in a row in common with it.
fn candidates(said: &[Words]) -> BTreeMap<usize, BTreeSet<usize>> {
    let mut pairs: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (at, (_, tokens)) in said.iter().enumerate() {
        for pair in tokens.windows(2) {
            pairs.entry((&pair[0].text, &pair[1].text)).or_default().push(at);
        }
    }
    let mut near: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for phrases in pairs.values().filter(|phrases| phrases.len() <= COMMON) {
        for a in phrases {
            near.entry(*a).or_default().extend(phrases.iter().filter(|b| *b != a));
        }
    }
    near
}

/// Whether two phrases are takes of one another, as far as their words tell.
pub(super) fn are_takes(a: &[Token], b: &[Token]) -> bool {
    let common = common(a, b) as f64;
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let alike = 2.0 * common / (a.len() + b.len()) as f64;
    let begins = long.iter().zip(short).take(2).all(|(a, b)| same(&a.text, &b.text));
    let share = alike >= ALIKE || (begins && common >= BEGUN * short.len() as f64);
    share && difference(a, b) != Difference::Other
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<Token> {
        Token::all(text)
    }

    #[test]
    fn takes_share_most_words_or_the_beginning() {
        let full = words("welcome to the show about old radios");
        assert!(are_takes(&full, &words("welcome to this show about old radio")));
        assert!(are_takes(&full, &words("welcome to the")));
        assert!(!are_takes(&full, &words("about the show we made")));
        assert!(!are_takes(&full, &words("thank you all for listening")));
    }
}
