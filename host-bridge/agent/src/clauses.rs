//! Pieces to clauses: where one request ends and the next begins, and what it leaves unsaid.

use crate::levels::Level;
use crate::pieces::{Kind, Piece};
use crate::resolve::Phrase;
use crate::vocab::{Noun, Verb, Word};

/// The pieces of one request.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Clause {
    /// Its pieces, separators left out.
    pub pieces: Vec<Piece>,
    /// How it follows the one before.
    pub lead: Lead,
    /// Where its own words are, even if pieces were taken over from a neighbor.
    pub span: Option<(usize, usize)>,
}

/// How a clause follows the one before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Lead {
    /// It is the first, or a new sentence.
    #[default]
    Sentence,
    /// Joined by "and", "but", "then" or a comma.
    Joined,
}

impl Clause {
    fn add(&mut self, piece: Piece) {
        let start = self.span.map_or(piece.start, |(start, _)| start);
        self.span = Some((start, piece.end));
        self.pieces.push(piece);
    }

    fn words(&self) -> impl Iterator<Item = Word> {
        self.pieces.iter().filter_map(|piece| match piece.kind {
            Kind::Word(word) => Some(word),
            _ => None,
        })
    }

    /// Its verb: the first one that is no afterthought.
    pub(crate) fn verb(&self) -> Option<Verb> {
        self.words().find_map(|word| match word {
            Word::Verb(verb) if !is_afterthought(verb) => Some(verb),
            _ => None,
        })
    }

    /// Whether it is a question by its form.
    pub(crate) fn asks(&self) -> bool {
        let first = self.pieces.first().map(|piece| &piece.kind);
        matches!(first, Some(Kind::Word(Word::Ask(_) | Word::Rank(_))))
    }

    /// What a clause behind it names, which it takes over.
    pub(crate) fn shared(&self) -> Option<Phrase> {
        let (_, end) = self.span?;
        let part = |piece: &Piece| match &piece.kind {
            Kind::Target(part) if piece.start >= end => Some(part.clone()),
            _ => None,
        };
        let parts: Vec<_> = self.pieces.iter().filter_map(part).collect();
        (!parts.is_empty()).then(|| Phrase { parts, except: Vec::new() })
    }

    /// Whether something is forbidden in it.
    pub(crate) fn forbids(&self) -> bool {
        self.words().any(|word| word == Word::Not)
    }

    fn targets(&self) -> impl Iterator<Item = &Piece> {
        self.pieces.iter().filter(|piece| matches!(piece.kind, Kind::Target(_)))
    }

    /// The places of what was named or is not known, counted from where its words begin.
    pub(crate) fn open(&self) -> Vec<(usize, usize)> {
        let (start, end) = self.span.unwrap_or_default();
        let own = |piece: &&Piece| (start..end).contains(&piece.start);
        let open = |piece: &&Piece| {
            matches!(piece.kind, Kind::Unknown | Kind::Target(_) | Kind::Number(_) | Kind::Level(_))
        };
        let pieces = self.pieces.iter().filter(own).filter(open);
        pieces.map(|piece| (piece.start - start, piece.end - start)).collect()
    }

    /// A sentence that ends in "and" or "but" is not complete.
    fn breaks_off(&mut self, piece: &Piece, separator: Separator) {
        if !matches!(separator, Separator::Comma | Separator::Stop) {
            self.add(Piece { kind: Kind::Unknown, ..piece.clone() });
        }
    }

    /// "to -16 LUFS, normalize …": what it says belongs to the verb behind the comma.
    fn opens_a_request(&self) -> bool {
        let only_values = self.pieces.iter().all(|piece| {
            piece.prep.is_some() && matches!(piece.kind, Kind::Level(_) | Kind::Time(_))
        });
        !self.pieces.is_empty() && only_values
    }

    fn ends_in_target(&self) -> bool {
        matches!(self.pieces.last(), Some(Piece { kind: Kind::Target(_), .. }))
    }

    fn lists_exceptions(&self) -> bool {
        self.ends_in_target() && self.words().any(|word| word == Word::Except)
    }
}

/// Verbs that add to the request in front of them.
pub(crate) fn is_afterthought(verb: Verb) -> bool {
    matches!(verb, Verb::CloseGaps | Verb::KeepGaps | Verb::RenameFromFiles)
}

/// Cuts pieces into clauses and fills in what they leave unsaid.
pub(crate) fn clauses_of(pieces: Vec<Piece>) -> Vec<Clause> {
    let mut clauses = Vec::new();
    let mut current = Clause::default();
    let mut rest = with_asides(pieces).into_iter().peekable();
    while let Some(piece) = rest.next() {
        let Some(separator) = Separator::of(&piece) else {
            if breaks_inside(&current, &piece) {
                flush(&mut clauses, &mut current, Lead::Joined);
            }
            current.add(piece);
            continue;
        };
        let mut strongest = separator;
        while let Some(next) = rest.peek().and_then(Separator::of) {
            strongest = strongest.max(next);
            rest.next();
        }
        let Some(next) = rest.peek() else {
            current.breaks_off(&piece, strongest);
            break;
        };
        match joint(&current, strongest, next) {
            Joint::Exception => {
                let except = Piece {
                    kind: Kind::Word(Word::Except),
                    prep: None,
                    start: piece.start,
                    end: piece.end,
                };
                current.add(except);
            }
            Joint::Within => {}
            Joint::New(lead) => flush(&mut clauses, &mut current, lead),
        }
    }
    flush(&mut clauses, &mut current, Lead::Joined);
    complete(&mut clauses);
    clauses
}

/// "the dialogue, not the music, to -16": what stands between commas behind a target is an exception.
fn with_asides(mut pieces: Vec<Piece>) -> Vec<Piece> {
    let is_aside = |window: &[Piece]| {
        let [object, opens, not, left_out, closes, value] = window else {
            return false;
        };
        let target = |piece: &Piece| matches!(piece.kind, Kind::Target(_));
        let level = matches!(value.kind, Kind::Level(_) | Kind::Number(_));
        target(object)
            && opens.kind == Kind::Comma
            && not.kind == Kind::Word(Word::Not)
            && target(left_out)
            && closes.kind == Kind::Comma
            && level
            && value.prep.is_some()
    };
    if let Some(at) = pieces.windows(6).position(is_aside) {
        pieces[at + 2].kind = Kind::Word(Word::Except);
        pieces.remove(at + 4);
        pieces.remove(at + 1);
    }
    pieces
}

/// Ends the current clause; `lead` is how the next one follows.
fn flush(clauses: &mut Vec<Clause>, current: &mut Clause, lead: Lead) {
    let done = std::mem::take(current);
    let lead = if done.pieces.is_empty() { done.lead } else { lead };
    if !done.pieces.is_empty() {
        clauses.push(done);
    }
    current.lead = lead;
}

/// "… without touching the vocals", "… undo that": a new request without a separator.
fn breaks_inside(current: &Clause, piece: &Piece) -> bool {
    let Kind::Word(word) = piece.kind else {
        return false;
    };
    let opened = current.verb().is_some() || current.targets().next().is_some();
    opened && word == Word::Not && !current.forbids()
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Separator {
    Comma,
    And,
    But,
    Then,
    Stop,
}

impl Separator {
    fn of(piece: &Piece) -> Option<Self> {
        match piece.kind {
            Kind::Comma => Some(Self::Comma),
            Kind::But => Some(Self::But),
            Kind::Stop => Some(Self::Stop),
            Kind::Word(Word::And) => Some(Self::And),
            Kind::Word(Word::Then) => Some(Self::Then),
            _ => None,
        }
    }
}

enum Joint {
    Within,
    Exception,
    New(Lead),
}

/// What a separator in front of `next` does.
fn joint(current: &Clause, separator: Separator, next: &Piece) -> Joint {
    match (separator, &next.kind) {
        (Separator::Stop, _) => Joint::New(Lead::Sentence),
        (Separator::Then, _) => Joint::New(Lead::Joined),
        (_, Kind::Word(Word::Verb(verb))) if is_afterthought(*verb) => Joint::Within,
        (Separator::Comma, Kind::Word(Word::Verb(_))) if current.opens_a_request() => Joint::Within,
        (_, Kind::Word(Word::Verb(_) | Word::Ask(_) | Word::Not)) => Joint::New(Lead::Joined),
        // "color" and "paint" are no verbs here, and begin a request all the same.
        (_, Kind::Word(Word::Noun(Noun::Color))) if current.verb().is_some() => {
            Joint::New(Lead::Joined)
        }
        (Separator::But, Kind::Target(_)) if current.ends_in_target() => Joint::Exception,
        (_, Kind::Target(_)) if next.prep.is_none() => joint_before_target(current),
        _ => Joint::Within,
    }
}

fn joint_before_target(current: &Clause) -> Joint {
    let lists = current.ends_in_target() || current.lists_exceptions();
    match lists || current.targets().next().is_none() {
        true => Joint::Within,
        false => Joint::New(Lead::Joined),
    }
}

/// Fills in what neighbors leave unsaid: "mute and solo the drums", "… and the drums to -18".
fn complete(clauses: &mut [Clause]) {
    for at in 1..clauses.len() {
        let (before, after) = clauses.split_at_mut(at);
        let (Some(earlier), Some(later)) = (before.last_mut(), after.first_mut()) else {
            continue;
        };
        if later.lead == Lead::Joined {
            share_target(earlier, later);
            inherit_verb(earlier, later);
        }
    }
}

/// A verb alone in front of "and" shares the target behind the next verb.
fn share_target(earlier: &mut Clause, later: &Clause) {
    let alone = earlier.pieces.len() == 1
        && matches!(
            earlier.verb(),
            Some(
                Verb::Mute | Verb::Unmute | Verb::Solo | Verb::Unsolo | Verb::Select | Verb::Stage
            )
        );
    let plain = later.targets().all(|piece| piece.prep.is_none()) && !later.forbids();
    if alone && plain && later.verb().is_some() {
        earlier.pieces.extend(later.targets().cloned());
    }
}

/// A clause that opens with its target does what the one before did, in the same unit.
fn inherit_verb(earlier: &Clause, later: &mut Clause) {
    let opens_with_target =
        matches!(later.pieces.first(), Some(Piece { kind: Kind::Target(_), .. }));
    let verb = earlier
        .pieces
        .iter()
        .find(|piece| matches!(piece.kind, Kind::Word(Word::Verb(verb)) if !is_afterthought(verb)));
    let silent =
        matches!(earlier.verb(), Some(Verb::Undo | Verb::Redo | Verb::Leave | Verb::Touch));
    if !opens_with_target || later.verb().is_some() || later.asks() || earlier.forbids() || silent {
        return;
    }
    inherit_unit(earlier, later);
    let gain = earlier.pieces.iter().find(|piece| piece.kind == Kind::Word(Word::Noun(Noun::Gain)));
    let taken: Vec<Piece> = verb.into_iter().chain(gain).cloned().collect();
    later.pieces.splice(0..0, taken);
}

fn inherit_unit(earlier: &Clause, later: &mut Clause) {
    let mut levels = earlier.pieces.iter().rev().filter_map(|piece| match piece.kind {
        Kind::Level(level) => Some(level.unit),
        _ => None,
    });
    let Some(unit) = levels.next() else { return };
    for piece in &mut later.pieces {
        if let Kind::Number(number) = piece.kind {
            piece.kind = Kind::Level(Level { value: number.value, signed: number.signed, unit });
        }
    }
}
