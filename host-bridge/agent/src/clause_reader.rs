//! Taking a clause apart: each builder takes the pieces it understands, and what is left over makes
//! the request unclear.

use crate::clauses::Clause;
use crate::levels::{Level, Standard};
use crate::numbers::Number;
use crate::pieces::{Kind, Piece};
use crate::resolve::Phrase;
use crate::times::Time;
use crate::vocab::{Dir, Noun, Prep, Verb, Word};

/// The relations in which the object of a request stands.
pub(crate) const OBJECT: &[Option<Prep>] =
    &[None, Some(Prep::On), Some(Prep::Of), Some(Prep::In), Some(Prep::For), Some(Prep::From)];
/// The same, and "to".
pub(crate) const RECIPIENT: &[Option<Prep>] = &[
    None,
    Some(Prep::On),
    Some(Prep::Of),
    Some(Prep::In),
    Some(Prep::For),
    Some(Prep::From),
    Some(Prep::To),
    Some(Prep::At),
];

/// The pieces of a clause that are not used up yet.
#[derive(Clone, Debug)]
pub(crate) struct Reader {
    pieces: Vec<Piece>,
}

impl Reader {
    pub(crate) fn new(clause: &Clause) -> Self {
        Self { pieces: clause.pieces.clone() }
    }

    fn take<T>(&mut self, pick: impl Fn(&Piece) -> Option<T>) -> Option<T> {
        let (at, value) =
            self.pieces.iter().enumerate().find_map(|(at, piece)| Some((at, pick(piece)?)))?;
        self.pieces.remove(at);
        Some(value)
    }

    /// Whether there is such a word, which stays.
    pub(crate) fn has(&self, word: Word) -> bool {
        self.pieces.iter().any(|piece| piece.kind == Kind::Word(word))
    }

    /// Whether there is such a noun, which stays.
    pub(crate) fn has_noun(&self, noun: Noun) -> bool {
        self.has(Word::Noun(noun))
    }

    /// Takes a word; whether it was there.
    pub(crate) fn take_word(&mut self, word: Word) -> bool {
        self.take(|piece| (piece.kind == Kind::Word(word)).then_some(())).is_some()
    }

    /// Takes a word for which `pick` has a value.
    pub(crate) fn take_as<T>(&mut self, pick: impl Fn(Word) -> Option<T>) -> Option<T> {
        self.take(|piece| match piece.kind {
            Kind::Word(word) => pick(word),
            _ => None,
        })
    }

    pub(crate) fn take_noun(&mut self, noun: Noun) -> bool {
        self.take_word(Word::Noun(noun))
    }

    /// Takes all of some nouns.
    pub(crate) fn drop_nouns(&mut self, nouns: &[Noun]) {
        self.pieces.retain(
            |piece| !matches!(piece.kind, Kind::Word(Word::Noun(noun)) if nouns.contains(&noun)),
        );
    }

    /// Takes one verb.
    pub(crate) fn take_verb(&mut self, verb: Verb) -> bool {
        self.take_word(Word::Verb(verb))
    }

    /// Takes a direction among these.
    pub(crate) fn take_dir(&mut self, among: &[Dir]) -> Option<Dir> {
        self.take_as(|word| match word {
            Word::Dir(dir) if among.contains(&dir) => Some(dir),
            _ => None,
        })
    }

    /// Takes a standard.
    pub(crate) fn take_standard(&mut self) -> Option<Standard> {
        self.take_as(|word| match word {
            Word::Standard(standard) => Some(standard),
            _ => None,
        })
    }

    /// Takes a level that fits, with its relation.
    pub(crate) fn take_level(
        &mut self,
        fits: impl Fn(Level, Option<Prep>) -> bool,
    ) -> Option<(Level, Option<Prep>)> {
        self.take(|piece| match piece.kind {
            Kind::Level(level) if fits(level, piece.prep) => Some((level, piece.prep)),
            _ => None,
        })
    }

    /// The first level, which stays.
    pub(crate) fn level(&self) -> Option<(Level, Option<Prep>)> {
        self.pieces.iter().find_map(|piece| match piece.kind {
            Kind::Level(level) => Some((level, piece.prep)),
            _ => None,
        })
    }

    /// Takes a bare number in one of these relations.
    pub(crate) fn take_number(&mut self, preps: &[Option<Prep>]) -> Option<Number> {
        self.take(|piece| match piece.kind {
            Kind::Number(number) if preps.contains(&piece.prep) => Some(number),
            _ => None,
        })
    }

    /// Takes a time in one of these relations.
    pub(crate) fn take_time(&mut self, preps: &[Option<Prep>]) -> Option<Time> {
        self.take(|piece| match piece.kind {
            Kind::Time(time) if preps.contains(&piece.prep) => Some(time),
            _ => None,
        })
    }

    /// Takes a time that is a place by itself, whatever stands in front of it.
    pub(crate) fn take_place(&mut self) -> Option<Time> {
        self.take(|piece| match piece.kind {
            Kind::Time(time) if time.place && piece.prep.is_none() => Some(time),
            _ => None,
        })
    }

    pub(crate) fn take_ratio(&mut self) -> Option<(f64, f64)> {
        self.take(|piece| match piece.kind {
            Kind::Ratio(a, b) => Some((a, b)),
            _ => None,
        })
    }

    pub(crate) fn take_pan(&mut self) -> Option<f64> {
        self.take(|piece| match piece.kind {
            Kind::Pan(value) => Some(value),
            _ => None,
        })
    }

    pub(crate) fn take_color(&mut self) -> Option<String> {
        self.take(|piece| match &piece.kind {
            Kind::Color(hex) => Some(hex.clone()),
            _ => None,
        })
    }

    pub(crate) fn take_name(&mut self) -> Option<String> {
        self.take(|piece| match &piece.kind {
            Kind::Name(name) => Some(name.clone()),
            _ => None,
        })
    }

    /// Takes the targets that stand together in one of these relations, and all exceptions.
    pub(crate) fn take_phrase(&mut self, preps: &[Option<Prep>]) -> Option<Phrase> {
        let except = self.take_exceptions();
        let is_target = |piece: &Piece| matches!(piece.kind, Kind::Target(_));
        let from =
            self.pieces.iter().position(|piece| is_target(piece) && preps.contains(&piece.prep));
        let Some(from) = from else {
            self.put_back(except);
            return None;
        };
        let mut parts = Vec::new();
        while let Some(Piece { kind: Kind::Target(part), prep, .. }) = self.pieces.get(from) {
            if !parts.is_empty() && prep.is_some() {
                break;
            }
            parts.push(part.clone());
            self.pieces.remove(from);
        }
        let only = |piece: Piece| match piece.kind {
            Kind::Target(part) => Some(part),
            _ => None,
        };
        Some(Phrase { parts, except: except.into_iter().filter_map(only).collect() })
    }

    /// Takes "except" and the targets behind it.
    fn take_exceptions(&mut self) -> Vec<Piece> {
        let Some(at) = self.pieces.iter().position(|piece| piece.kind == Kind::Word(Word::Except))
        else {
            return Vec::new();
        };
        let behind = self.pieces[at + 1..]
            .iter()
            .take_while(|piece| matches!(piece.kind, Kind::Target(_)))
            .count();
        if behind == 0 {
            return Vec::new();
        }
        let taken: Vec<Piece> = self.pieces.drain(at..=at + behind).collect();
        taken.into_iter().skip(1).collect()
    }

    /// Exceptions from nothing stay, and make the clause unclear.
    fn put_back(&mut self, pieces: Vec<Piece>) {
        let unknown = |piece: Piece| Piece { kind: Kind::Unknown, ..piece };
        self.pieces.extend(pieces.into_iter().map(unknown));
    }

    /// Drops pieces that mean nothing here.
    pub(crate) fn ignore(&mut self, fits: impl Fn(Word) -> bool) {
        self.pieces.retain(|piece| !matches!(piece.kind, Kind::Word(word) if fits(word)));
    }

    /// What is left: its places in the text.
    pub(crate) fn leftovers(&self) -> Vec<(usize, usize)> {
        self.pieces.iter().map(|piece| (piece.start, piece.end)).collect()
    }

    /// The places of words that nobody knows.
    pub(crate) fn unknown(&self) -> Vec<(usize, usize)> {
        let unknown =
            self.pieces.iter().filter(|piece| matches!(piece.kind, Kind::Unknown | Kind::Name(_)));
        unknown.map(|piece| (piece.start, piece.end)).collect()
    }
}

impl Reader {
    /// Where a noun stands among the pieces.
    pub(crate) fn place_of(&self, noun: Noun) -> Option<usize> {
        self.pieces.iter().position(|piece| piece.kind == Kind::Word(Word::Noun(noun)))
    }

    /// Takes "it", "that" and the like, which point at nothing here.
    pub(crate) fn take_pronoun(&mut self) {
        use crate::part::{Part, Pick};
        let points =
            |piece: &Piece| matches!(piece.kind, Kind::Target(Part { pick: Pick::It, .. }));
        self.pieces.retain(|piece| !points(piece));
    }
}
