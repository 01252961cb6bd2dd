//! Clauses that forbid, and what they keep as it is.

use super::{Kept, Planner};
use crate::clause_reader::{OBJECT, Reader};
use crate::clauses::Clause;
use crate::lexer::Token;
use crate::requests::nothing_to_do;
use crate::resolve::{Context, Phrase, Protection, Trouble, Want};
use crate::sentences::Sentence;
use crate::suggest::help_suggestions;
use crate::vocab::{Verb, Word};

impl Planner<'_> {
    /// Whether a clause forbids: "don't touch the vocals", "leave the music alone".
    pub(super) fn keeps(&self, clause: &Clause) -> Option<Kept> {
        let verb = clause.verb();
        let leaves = verb == Some(Verb::Leave);
        if !leaves && !clause.forbids() {
            return None;
        }
        let mut reader = Reader::new(clause);
        let alone = reader.take_word(Word::Alone);
        let forbids = reader.take_word(Word::Not);
        let verb = verb.inspect(|verb| {
            reader.take_verb(*verb);
        });
        let phrase = reader.take_phrase(OBJECT);
        let sound = reader.leftovers().is_empty()
            && !clause.asks()
            && (forbids != leaves)
            && (alone || !leaves || self.spares(clause));
        let Some(phrase) = phrase.filter(|_| sound) else {
            if self.forbids_a_sentence(clause) {
                return Some(Err(nothing_to_do()));
            }
            let text = self.text_of(clause);
            return Some(Err(Trouble::not_understood(
                format!("\"{text}\": it is not clear what must not be done"),
                help_suggestions(&text),
            )));
        };
        Some(self.protection(verb, phrase))
    }

    /// Whether it forbids what would be a sentence by itself: "don't cut the ums".
    fn forbids_a_sentence(&self, clause: &Clause) -> bool {
        let (start, end) = clause.span.unwrap_or((0, 0));
        let is_in = |token: &&Token| start <= token.start && token.end <= end;
        let tokens: Vec<Token> = self.scope.tokens.iter().filter(is_in).cloned().collect();
        let not = tokens.iter().position(|token| token.is("not") || token.is("never"));
        let rest = not.and_then(|at| tokens.get(at + 1..)).unwrap_or_default();
        Sentence::of(rest, self.scope.session).is_some()
    }

    /// "ignore" and "skip" say it all; "keep" and "leave" need "as it is".
    fn spares(&self, clause: &Clause) -> bool {
        let text = self.text_of(clause).to_lowercase();
        ["ignore", "skip", "spare"].iter().any(|word| text.starts_with(word))
    }

    fn protection(&self, verb: Option<Verb>, phrase: Phrase) -> Kept {
        let context = Context {
            scope: self.scope,
            alone: false,
            previous: Vec::new(),
            mentioned: Vec::new(),
            protected: Vec::new(),
            verb: None,
        };
        let ids = context.resolve(Some(phrase), Want::Sound)?.ids;
        let verb = verb.filter(|verb| !matches!(verb, Verb::Touch | Verb::Leave | Verb::Change));
        Ok(Protection { verb, ids })
    }
}
