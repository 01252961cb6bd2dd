//! Words that point at something in place of words that are said: "code this as Laughter" looks for no "this".

use crate::lexer::{Token, TokenKind};
use crate::times::time_at;
use deskhand_session::Session;

/// What points by itself.
#[rustfmt::skip]
const ALONE: &[&str] = &[
    "this", "that", "these", "those", "it", "them", "everything", "anything", "all", "selection", "selected", "here",
    "there",
];
/// What points with something behind it.
const AHEAD: &[&str] = &[
    "this", "that", "these", "those", "selected", "first", "last", "next", "previous", "whole",
    "entire",
];
/// What may stand behind it.
#[rustfmt::skip]
const THINGS: &[&str] = &[
    "selection", "word", "words", "phrase", "phrases", "sentence", "sentences", "segment", "segments", "passage",
    "passages", "part", "parts", "bit", "clip", "clips", "region", "take", "interview", "recording", "track",
];

/// Whether tokens, which are no quote, point at a place or at a whole instead of naming words.
pub(super) fn is_pointer(tokens: &[Token], session: &Session) -> bool {
    let quotes = tokens.iter().filter(|token| matches!(token.kind, TokenKind::Quote(_))).count();
    if quotes > 0 {
        // Of several each is looked for by itself; "the sentence with "school" in it" is not what is said.
        let ends_in_quote =
            tokens.last().is_some_and(|token| matches!(token.kind, TokenKind::Quote(_)));
        return quotes > 1 || !ends_in_quote;
    }
    let words: Vec<String> = tokens.iter().filter_map(Token::word).map(str::to_lowercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (has_article, words) = match words.split_first() {
        Some((&"the", rest)) => (true, rest),
        _ => (false, &words[..]),
    };
    let is_of = |list: &[&str], word: &str| list.contains(&word);
    let points = match words[..] {
        [] => false,
        // "Phrase 2": a number is no word.
        [only] => is_of(ALONE, only) || is_of(THINGS, only) && tokens.len() > 1 && !has_article,
        [one, .., last] => {
            let is_all = is_of(&["what", "whatever", "everything", "anything", "all"], one);
            let says = is_all && is_of(&["say", "says", "said"], last);
            says || is_of(AHEAD, one) && is_of(THINGS, last)
        }
    };
    let is_timed = words.len() > 2 && (0..tokens.len()).any(|at| time_at(tokens, at).is_some());
    points || is_timed || is_named(words, session)
}

/// Whether tokens point at what is selected, and at nothing else.
pub(super) fn is_selection(tokens: &[Token]) -> bool {
    let words: Vec<&str> = tokens.iter().filter_map(Token::word).collect();
    let words = words.strip_prefix(&["the"]).unwrap_or(&words);
    match words {
        [only] => {
            matches!(*only, "this" | "that" | "these" | "those" | "it" | "them" | "selection")
        }
        [first, last] => {
            matches!(*first, "this" | "that" | "these" | "those" | "selected")
                && THINGS.contains(last)
        }
        _ => false,
    }
}

/// Whether a track or a speaker is called so: what is on it is no word.
fn is_named(words: &[&str], session: &Session) -> bool {
    let name = words.join(" ");
    let tracks = session.tracks.values().map(|track| &track.name);
    let speakers = session.segments.values().filter_map(|segment| segment.speaker.as_ref());
    tracks.chain(speakers).any(|known| known.eq_ignore_ascii_case(&name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::lex;
    use deskhand_dsp::SampleRate;
    use deskhand_session::{SessionId, Track, TrackId};

    #[test]
    fn what_points_is_told_from_words_that_are_said() {
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        session.tracks.insert(TrackId::new(1), Track::audio("micA"));
        let points = |text: &str| is_pointer(&lex(text), &session);
        for text in [
            "this",
            "the selection",
            "the selected words",
            "these words",
            "phrase 2",
            "the last sentence",
            "everything",
            "the whole interview",
            "what Anna says",
            "everything Anna says",
            "micA",
            "\"money\" and \"garden\"",
            "sentence with \"money\" in it",
            "stretch from 5 to 9 seconds",
        ] {
            assert!(points(text), "{text}");
        }
        for text in [
            "\"this\"",
            "money",
            "the price",
            "garden show",
            "interview",
            "the words of the song",
            "this project",
            "last year",
            "take care",
            "the phrase",
        ] {
            assert!(!points(text), "{text}");
        }
    }
}
