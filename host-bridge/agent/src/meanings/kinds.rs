//! Phrases by what they are: whose they are, what asks something, what is marked as important.

use super::pattern::Pattern;
use super::transcripts::voice;
use crate::lexer::Token;
use crate::resolve::Trouble;
use deskhand_session::{PhraseId, Session};
use std::sync::LazyLock;

/// Words that point, join or ask: a phrase is not told by these alone, whoever says them.
// tidy: table
#[rustfmt::skip]
pub(super) const POINTING: &[&str] = &[
    "it", "this", "that", "these", "those", "them", "they", "he", "she", "him", "her", "i", "me", "my", "we", "us", "you",
    "your", "what", "which", "who", "whose", "where", "when", "why", "how", "here", "there", "a", "an", "the", "and", "or",
    "but", "not", "is", "are", "was", "were", "be", "do", "does", "did", "to", "of", "in", "on", "at", "for", "with", "all",
    "everything", "anything", "nothing", "everyone", "somebody", "so", "then", "again", "most", "least",
];

/// How all that somebody says is pointed at.
// tidy: table
#[rustfmt::skip]
const WHOSE: &[&str] = &[
    "everything|all|anything that? {voice} says|said|speaks|spoke", "everything|all|anything of|by|from {voice}",
    "what|whatever {voice} says|said", "all|every? of? the? phrase|phrases|sentence|sentences|line|lines of|by|from {voice}",
    "all|every? of? the? phrase|phrases|sentence|sentences|line|lines that? {voice} says|said|speaks",
    "all|every? of? the? {voice} phrases|sentences|lines|words",
];

static PATTERNS: LazyLock<Vec<Pattern>> =
    LazyLock::new(|| WHOSE.iter().map(|text| Pattern::read(text)).collect());

/// Whether tokens only point, join or ask.
pub(super) fn only_point(tokens: &[Token]) -> bool {
    tokens.iter().all(|token| token.word().is_some_and(|word| POINTING.contains(&word)))
}

/// Who says all that tokens point at: "the guest's phrases"; none where they name nobody who speaks here.
pub(super) fn speaker(tokens: &[Token], session: &Session) -> Option<String> {
    let speaks = |_: &str, tokens: &[Token]| voice(tokens, session).is_some();
    PATTERNS.iter().find_map(|pattern| {
        let slots = pattern.fit(tokens, &speaks)?;
        let (_, from, to) = *slots.first()?;
        voice(tokens.get(from..to)?, session)
    })
}

/// Whether tokens ask for a phrase in place of pointing at one: "which phrase", "what".
pub(super) fn ask_which(tokens: &[Token]) -> bool {
    const ASKING: [&str; 4] = ["which", "what", "whose", "who"];
    const NOUNS: [&str; 7] = ["phrase", "phrases", "sentence", "sentences", "line", "lines", "one"];
    let is_of = |words: &[&str], token: &Token| words.iter().any(|word| token.is(word));
    match tokens {
        [ask, rest @ ..] => {
            is_of(&ASKING, ask) && rest.first().is_none_or(|token| is_of(&NOUNS, token))
        }
        [] => false,
    }
}

type Found = Result<Vec<PhraseId>, Trouble>;

/// The phrases among these that one speaker says.
pub(super) fn said_by(speaker: &str, order: &[PhraseId], session: &Session) -> Found {
    let is_theirs = |id: &PhraseId| {
        let by = session.spoken(*id).and_then(|spoken| spoken.speaker);
        by.is_some_and(|name| name == speaker)
    };
    some(order.iter().copied().filter(is_theirs).collect(), || {
        Trouble::new(format!("{speaker} says none of these phrases"), ["show the phrases"])
    })
}

/// The phrases among these that end with a question mark, as a transcript writes what is asked.
pub(super) fn questions(order: &[PhraseId], session: &Session) -> Found {
    let asks = |id: &PhraseId| {
        session.spoken(*id).is_some_and(|spoken| spoken.text.trim_end().ends_with('?'))
    };
    some(order.iter().copied().filter(asks).collect(), || {
        Trouble::new("no phrase that is there asks anything", ["show the phrases"])
    })
}

/// The phrases among these of which somebody marked a part as important.
pub(super) fn important(order: &[PhraseId], session: &Session) -> Found {
    let is_marked = |id: &PhraseId| {
        let segments = session.phrases.get(id).map(|it| &it.segments).into_iter().flatten();
        segments.filter_map(|it| session.segments.get(it)).any(|segment| segment.important)
    };
    some(order.iter().copied().filter(is_marked).collect(), || {
        Trouble::new("no phrase is marked as important", ["show the phrases"])
    })
}

fn some(found: Vec<PhraseId>, none: impl Fn() -> Trouble) -> Found {
    if found.is_empty() { Err(none()) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::lex;
    use deskhand_dsp::{Frames, SampleRate};
    use deskhand_session::{Segment, SegmentId, SessionId, SourceId};

    #[test]
    fn all_that_somebody_says_is_told_from_other_words() {
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        let segment = Segment::new(SourceId::new(1), Frames::ZERO, Frames(9));
        let segment = Segment { speaker: Some("Anna Lee".into()), ..segment };
        session.segments.insert(SegmentId::new(1), segment);
        let said = |text: &str| speaker(&lex(text), &session);
        for text in ["Anna's phrases", "everything Anna Lee says", "all of the lines by Anna"] {
            assert_eq!(said(text).as_deref(), Some("Anna Lee"), "{text}");
        }
        for text in ["everything Ben says", "the money phrases", "Anna", "what she says"] {
            assert_eq!(said(text), None, "{text}");
        }
    }

    #[test]
    fn who_asks_for_a_phrase_points_at_none() {
        let asks = |text: &str| ask_which(&lex(text));
        assert!(asks("which phrase") && asks("what") && asks("which sentence about money"));
        assert!(!asks("what does it cost") && !asks("the phrase") && !asks(""));
    }
}
