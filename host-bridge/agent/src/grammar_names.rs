//! Names that are words of the grammar: tracks called "A" or "H", and when such a word is the name.

use crate::known_words::is_grammar;
use crate::lexer::{Token, TokenKind};
use crate::reader::lexicon;
use crate::targets::{ANY, Scope};
use crate::times;
use deskhand_session::ObjectId;

/// Words that stand behind a name and never behind an article.
const BEHIND_NAMES: &[&str] = &[
    "and", "but", "then", "or", "to", "by", "at", "from", "on", "in", "of", "for", "with", "until",
    "through", "over", "as", "into", "up", "down", "louder", "quieter", "softer",
];
/// The same, where the sentence ends behind them.
const STATES: &[&str] = &["muted", "soloed", "clipping", "panned", "routed", "peaking"];
/// The same, behind "pan".
const SIDES: &[&str] = &["left", "right", "hard", "center", "centre", "halfway"];
/// Words that are a name where something is called so: hardly anything else is asked of them by themselves.
const YIELDING: &str = "\
    air attack attacks beat beats bleed body bottom bounce buzz caption clarity clean clicks content \
    cd dc duck edit effect end ending episode faults glitches head highs hiss hits hum insert key \
    limit lows match mids moment mud noise onsets park part parts pause podcast point pop presence \
    problems processor recording release rumble section sections song spectrum speech spill spot \
    stem stems stick strength subtitle sync tail talk talking talks top transcript transients treble \
    voice warmth";
/// What may stand ahead of a word that begins what is asked.
const AHEAD_OF_OPENERS: &[&str] =
    &["and", "then", "please", "you", "to", "now", "also", "just", "first", "me", "that"];
/// What stands ahead of a name inside of a sentence: "mute the show".
const ARTICLES: &[&str] = &["the", "my", "our"];
/// Questions that end in a name.
const OPENINGS: &[&str] = &["how loud is", "how loud are", "how long is", "where is"];

fn is_track(id: &ObjectId) -> bool {
    matches!(id, ObjectId::Track(_))
}

impl Scope<'_> {
    /// "how loud is A": what is called exactly like a word of the grammar, where that word has no
    /// meaning of its own.
    pub(crate) fn grammar_name_at(&self, at: usize) -> Option<Vec<ObjectId>> {
        let word = self.word(at);
        if !is_grammar(word) || !self.has_no_other_meaning(at) {
            return None;
        }
        let mut ids = self.names.exactly(word, ANY);
        // A recording is often called as its track is, and the track stands for both.
        if ids.iter().any(is_track) {
            ids.retain(is_track);
        }
        (!ids.is_empty()).then_some(ids)
    }

    fn has_no_other_meaning(&self, at: usize) -> bool {
        let word = self.word(at);
        if YIELDING.split_whitespace().any(|it| it == word) {
            return true;
        }
        if matches!(word, "a" | "an") {
            return self.is_no_article(at);
        }
        // Words that begin what is asked are a name inside of it, where something is called so.
        if lexicon::begins_at(self.tokens, at) {
            return self.is_no_opener(at);
        }
        if times::unit_words().any(|unit| unit == word) {
            return !self.is_counted(at);
        }
        let opens = |words: &&str| self.stands_before(at, words);
        self.ends_at(at + 1) && OPENINGS.iter().any(opens)
    }

    /// "normalize show", "mute the show": something stands ahead of it that asks already. "The show" alone may be
    /// all that is said as well.
    fn is_no_opener(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return false };
        if ARTICLES.contains(&self.word(before)) {
            return before > 0 && !self.ends_at(before - 1);
        }
        let begins = matches!(
            self.kind_of_token(before),
            None | Some(TokenKind::Stop | TokenKind::Comma | TokenKind::Dash)
        );
        !begins && !AHEAD_OF_OPENERS.contains(&self.word(before)) && self.word(at + 1) != "me"
    }

    /// An article needs a noun behind it.
    fn is_no_article(&self, at: usize) -> bool {
        let owns =
            self.tokens.get(at).is_some_and(|token| token.end - token.start > self.word(at).len());
        let next = self.word(at + 1);
        let comma = matches!(self.kind_of_token(at + 1), Some(TokenKind::Comma));
        owns || comma
            || self.is_spelled_as_name(at)
            || self.ends_at(at + 1)
            || BEHIND_NAMES.contains(&next)
            || STATES.contains(&next) && self.ends_at(at + 2)
            || SIDES.contains(&next) && self.stands_before(at, "pan")
    }

    /// "color A red": a capital inside of a sentence, where something is spelled just so.
    fn is_spelled_as_name(&self, at: usize) -> bool {
        let inside = at.checked_sub(1).is_some_and(|before| !self.ends_at(before));
        let written = self.tokens.get(at).and_then(|token| self.text.get(token.start..token.end));
        let spelled = |written: &str| {
            written.starts_with(char::is_uppercase)
                && self
                    .names
                    .exactly(written, ANY)
                    .iter()
                    .any(|id| self.names.text(*id) == Some(written))
        };
        let shouted = !self.text.contains(char::is_lowercase);
        inside && !shouted && written.is_some_and(spelled)
    }

    /// A unit needs a number in front of it.
    fn is_counted(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.kind_of_token(before));
        before.is_some_and(|kind| match kind {
            TokenKind::Word(word) => crate::numbers::small(word).is_some(),
            kind => !matches!(kind, TokenKind::Comma | TokenKind::Stop),
        })
    }

    fn kind_of_token(&self, at: usize) -> Option<&TokenKind> {
        self.tokens.get(at).map(|token: &Token| &token.kind)
    }

    fn ends_at(&self, at: usize) -> bool {
        matches!(self.kind_of_token(at), None | Some(TokenKind::Stop))
    }

    fn stands_before(&self, at: usize, words: &str) -> bool {
        let words: Vec<&str> = words.split(' ').collect();
        at.checked_sub(words.len())
            .is_some_and(|from| (0..words.len()).all(|i| self.word(from + i) == words[i]))
    }
}
