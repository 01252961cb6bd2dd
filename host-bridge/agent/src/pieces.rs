//! Tokens to pieces: verbs, targets, levels, times and names, each with the relation it stands in.

use crate::known_words::phrases_from;
use crate::levels::{Level, level_at};
use crate::lexer::{Token, TokenKind};
use crate::numbers::{Number, number_at};
use crate::part::{Part, Pick};
use crate::targets::Scope;
use crate::times::{Time, time_at};
use crate::vocab::{COLORS, Noun, Prep, Verb, Word};
use deskhand_session::ObjectId;

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    /// What it is.
    pub kind: Kind,
    /// The relation in front of it.
    pub prep: Option<Prep>,
    /// First byte in the text.
    pub start: usize,
    /// First byte behind it.
    pub end: usize,
}

/// What a piece is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Word(Word),
    Level(Level),
    Number(Number),
    Percent(f64),
    Time(Time),
    Ratio(f64, f64),
    /// A pan position, -1 to 1.
    Pan(f64),
    Color(String),
    Target(Part),
    /// A new name, as written.
    Name(String),
    Comma,
    But,
    Stop,
    Unknown,
}

/// Cuts tokens into pieces. `text` is what they were read from.
pub(crate) fn pieces_of(text: &str, scope: Scope<'_>) -> Vec<Piece> {
    let mut chunker = Chunker { text, scope, at: 0, prep: None, pieces: Vec::new() };
    while chunker.at < scope.tokens.len() {
        chunker.step();
    }
    chunker.drop_relation();
    chunker.pieces
}

/// A relation that waits for its piece, and where it stands.
type Waiting = (Prep, usize, usize);

struct Chunker<'a> {
    text: &'a str,
    scope: Scope<'a>,
    at: usize,
    prep: Option<Waiting>,
    pieces: Vec<Piece>,
}

impl Chunker<'_> {
    fn token(&self, at: usize) -> Option<&Token> {
        self.scope.tokens.get(at)
    }

    fn push(&mut self, kind: Kind, next: usize) {
        let start = self.token(self.at).map_or(0, |token| token.start);
        let end = self.token(next - 1).map_or(start, |token| token.end);
        let breaks = matches!(
            kind,
            Kind::Comma
                | Kind::But
                | Kind::Stop
                | Kind::Word(Word::And | Word::Then | Word::Verb(_))
        );
        if breaks {
            self.drop_relation();
        }
        let prep = self.prep.take().map(|(prep, ..)| prep);
        self.pieces.push(Piece { kind, prep, start, end });
        self.at = next;
    }

    /// A relation without anything behind it means something that is not understood: "turn it on".
    fn drop_relation(&mut self) {
        if let Some((_, start, end)) = self.prep.take() {
            self.pieces.push(Piece { kind: Kind::Unknown, prep: None, start, end });
        }
    }

    fn step(&mut self) {
        if let Some((name, next)) = self.new_name() {
            return self.push(Kind::Name(name), next);
        }
        if let Some(noun) = self.fade_ends() {
            return self.push(Kind::Word(Word::Noun(noun)), self.at + 1);
        }
        let phrase = self.phrase_at(self.at);
        let value = self.value();
        let part = self.target();
        let longest = |length: usize| {
            length >= phrase.as_ref().map_or(0, |(_, next)| *next)
                && length >= part.as_ref().map_or(0, |(_, next)| *next)
        };
        match (value, &part, phrase) {
            (Some((kind, next)), ..) if longest(next) => self.push(kind, next),
            (_, Some((kind, next)), word) if word.is_none_or(|(_, end)| *next >= end) => {
                let (kind, next) = (kind.clone(), *next);
                self.push(kind, next);
            }
            (_, _, Some((word, next))) => self.push_word(word, next),
            _ => self.single(),
        }
    }

    /// "fade the music in": the direction stands last.
    fn fade_ends(&self) -> Option<Noun> {
        let noun = match self.scope.word(self.at) {
            "in" => Noun::FadeIn,
            "out" => Noun::FadeOut,
            _ => return None,
        };
        let closes = self
            .token(self.at + 1)
            .is_none_or(|token| matches!(token.kind, TokenKind::Comma | TokenKind::Stop));
        let fades =
            self.clause().iter().any(|piece| piece.kind == Kind::Word(Word::Noun(Noun::Fade)));
        let behind = matches!(self.pieces.last(), Some(Piece { kind: Kind::Target(_), .. }));
        (closes && fades && behind).then_some(noun)
    }

    fn push_word(&mut self, word: Word, next: usize) {
        match word {
            Word::Filler => self.at = next,
            Word::Prep(prep) => {
                let start = self.token(self.at).map_or(0, |token| token.start);
                let end = self.token(next - 1).map_or(start, |token| token.end);
                self.prep = Some((prep, start, end));
                self.at = next;
            }
            other => self.push(Kind::Word(other), next),
        }
    }

    fn single(&mut self) {
        let Some(token) = self.token(self.at) else {
            return;
        };
        let kind = match &token.kind {
            TokenKind::Comma => Kind::Comma,
            TokenKind::Stop => Kind::Stop,
            TokenKind::Quote(text) => Kind::Name(text.clone()),
            TokenKind::Word(word) if word == "but" => Kind::But,
            TokenKind::Word(word) => {
                let color = COLORS.iter().find(|(name, _)| name == word);
                color.map_or(Kind::Unknown, |(_, hex)| Kind::Color((*hex).into()))
            }
            TokenKind::Color(hex) => Kind::Color(hex.clone()),
            TokenKind::Ratio(a, b) => Kind::Ratio(*a, *b),
            TokenKind::Number { .. } | TokenKind::Clock(_) | TokenKind::Id(_) | TokenKind::Dash => {
                Kind::Unknown
            }
        };
        self.push(kind, self.at + 1);
    }

    fn phrase_at(&self, at: usize) -> Option<(Word, usize)> {
        let list = phrases_from(self.scope.word(at))?;
        let fits = |words: &[&str]| {
            words.iter().enumerate().all(|(i, word)| self.scope.word(at + i) == *word)
        };
        let takes_name = |words: &[&str]| {
            words.len() > 1
                && words.last() == Some(&"a")
                && self.scope.grammar_name_at(at + words.len() - 1).is_some()
        };
        let (words, word) = list.iter().find(|(words, _)| fits(words) && !takes_name(words))?;
        Some((*word, at + words.len()))
    }

    /// A level, a time, a pan position, a percentage or a number.
    fn value(&self) -> Option<(Kind, usize)> {
        let (tokens, at) = (self.scope.tokens, self.at);
        if let Some((level, next)) = level_at(tokens, at) {
            return Some((Kind::Level(level), next));
        }
        if let Some((time, next)) = time_at(tokens, at).or_else(|| self.named_place()) {
            return Some(self.placed_by_in(time, next));
        }
        if let Some(found) = self.pan_position() {
            return Some(found);
        }
        let (number, next) = number_at(tokens, at)?;
        Some(match self.scope.word(next) {
            "percent" => (Kind::Percent(number.value), next + 1),
            _ => (Kind::Number(number), next),
        })
    }

    /// "two minutes in" is a place.
    fn placed_by_in(&self, time: Time, next: usize) -> (Kind, usize) {
        let behind = self.token(next + 1);
        let closes = behind.is_none_or(|token| {
            matches!(token.kind, TokenKind::Comma | TokenKind::Stop)
                || matches!(self.scope.word(next + 1), "called" | "named" | "and" | "then")
        });
        match self.scope.word(next) == "in" && closes {
            true => (Kind::Time(Time { place: true, ..time }), next + 1),
            false => (Kind::Time(time), next),
        }
    }

    /// The start and the end of the session, behind "at", "to" and the like.
    fn named_place(&self) -> Option<(Time, usize)> {
        const PLACES: &[(&str, bool)] = &[
            ("the very beginning", true),
            ("the beginning of the session", true),
            ("the start of the session", true),
            ("the end of the session", false),
            ("the beginning", true),
            ("the start", true),
            ("the top", true),
            ("the end", false),
        ];
        let to = self.prep.is_some_and(|(prep, ..)| {
            matches!(prep, Prep::At | Prep::To | Prep::From | Prep::Until)
        });
        let fits = |place: &&(&str, bool)| {
            place.0.split(' ').enumerate().all(|(i, word)| self.scope.word(self.at + i) == word)
        };
        let (words, first) = PLACES.iter().find(fits).filter(|_| to)?;
        let end = self.scope.session.end().seconds(self.scope.session.rate).0;
        let time = Time { seconds: if *first { 0.0 } else { end }, place: true };
        Some((time, self.at + words.split(' ').count()))
    }

    /// "L20", "R30", "30L".
    fn pan_position(&self) -> Option<(Kind, usize)> {
        let word = self.scope.word(self.at);
        if let Some(amount) = word.strip_prefix(['l', 'r']).and_then(|rest| rest.parse::<u8>().ok())
        {
            return pan(amount.into(), word.starts_with('l')).map(|kind| (kind, self.at + 1));
        }
        let TokenKind::Number { value, signed: false } = self.token(self.at)?.kind else {
            return None;
        };
        let side = self
            .token(self.at + 1)
            .filter(|next| Some(next.start) == self.token(self.at).map(|token| token.end))?;
        let left = side.is("l");
        (left || side.is("r")).then(|| pan(value, left))?.map(|kind| (kind, self.at + 2))
    }

    /// A target; a marker behind "at" or "to" is a time.
    fn target(&self) -> Option<(Kind, usize)> {
        let (part, next) = self.scope.part_at(self.at)?;
        let places = self.prep.is_some_and(|(prep, ..)| {
            matches!(prep, Prep::At | Prep::To | Prep::From | Prep::Until | Prep::In)
        });
        let Pick::Objects(ids) = &part.pick else {
            return Some((Kind::Target(part), next));
        };
        let [ObjectId::Marker(id)] = ids[..] else {
            return Some((Kind::Target(part), next));
        };
        let marker = self.scope.session.markers.get(&id).filter(|_| places);
        let seconds = marker.map(|marker| marker.position.seconds(self.scope.session.rate).0);
        Some(match seconds {
            Some(seconds) => (Kind::Time(Time { seconds, place: true }), next),
            None => (Kind::Target(part), next),
        })
    }

    /// The pieces since the last verb, the verb included.
    fn clause(&self) -> &[Piece] {
        let verb = self
            .pieces
            .iter()
            .rposition(|piece| matches!(piece.kind, Kind::Word(Word::Verb(_)) | Kind::Stop));
        &self.pieces[verb.unwrap_or(0)..]
    }

    /// A name that is being given: behind "called", behind "rename … to", in quotes behind "add a marker".
    fn new_name(&self) -> Option<(String, usize)> {
        let clause = self.clause();
        let verb = clause.first().and_then(|piece| match piece.kind {
            Kind::Word(Word::Verb(verb)) => Some(verb),
            _ => None,
        });
        let has_target = clause.iter().any(|piece| matches!(piece.kind, Kind::Target(_)));
        let behind_target =
            clause.last().is_some_and(|piece| matches!(piece.kind, Kind::Target(_)));
        let makes = clause.iter().any(|piece| {
            matches!(piece.kind, Kind::Word(Word::Noun(Noun::Marker | Noun::Track | Noun::Bus)))
        });
        let prep = self.prep.map(|(prep, ..)| prep);
        let quoted = matches!(self.token(self.at)?.kind, TokenKind::Quote(_));
        let renames = matches!(verb, Some(Verb::Rename | Verb::Call)) && has_target;
        let given = match prep {
            Some(Prep::Named) => true,
            Some(Prep::To | Prep::As) if renames => true,
            Some(Prep::As) => matches!(verb, Some(Verb::Mark | Verb::Group | Verb::Add)),
            None if quoted => {
                renames || (verb == Some(Verb::Add) && makes) || verb == Some(Verb::Mark)
            }
            None => verb == Some(Verb::Call) && behind_target && self.phrase_at(self.at).is_none(),
            Some(_) => false,
        };
        given.then(|| self.name_from(self.at))?
    }

    fn name_from(&self, from: usize) -> Option<(String, usize)> {
        if let TokenKind::Quote(text) = &self.token(from)?.kind {
            return (!text.is_empty()).then(|| (text.clone(), from + 1));
        }
        let mut next = from;
        while self.token(next).is_some() && !self.ends_name(next) {
            next += 1;
        }
        let last = next.checked_sub(1).filter(|last| *last >= from)?;
        let text = self.text.get(self.token(from)?.start..self.token(last)?.end)?;
        Some((text.to_owned(), next))
    }

    fn ends_name(&self, at: usize) -> bool {
        let Some(token) = self.token(at) else {
            return true;
        };
        match &token.kind {
            TokenKind::Comma | TokenKind::Stop => true,
            TokenKind::Word(word) if word == "then" || word == "called" => true,
            TokenKind::Word(word) if word == "and" || word == "but" => self.opens_request(at + 1),
            TokenKind::Word(word) if matches!(word.as_str(), "at" | "from") => {
                time_at(self.scope.tokens, at + 1).is_some()
            }
            _ => false,
        }
    }

    /// Whether a new request starts here, so that "and" is no part of a name.
    fn opens_request(&self, at: usize) -> bool {
        match self.phrase_at(at) {
            Some((Word::Filler, next)) => self.opens_request(next),
            Some((word, _)) => {
                matches!(word, Word::Verb(_) | Word::Ask(_) | Word::Then | Word::Not)
            }
            None => false,
        }
    }
}

fn pan(amount: f64, left: bool) -> Option<Kind> {
    let value = amount / 100.0;
    (value <= 1.0).then_some(Kind::Pan(if left { -value } else { value }))
}
