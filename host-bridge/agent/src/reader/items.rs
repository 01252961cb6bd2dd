//! A sentence as items: words with their meaning, numbers, and names of the session; each with its preposition. Intents are
//! held against them.

use super::lexicon::{self, Part};
use super::quantity::{self, Quantity};
use super::{colors, files, item_groups, remarks};
use crate::lexer::{Token, TokenKind};
use crate::meanings::{codes, is_named};
use crate::part::{Part as TargetPart, Phrase, Pick, Thing, whole};
use crate::targets::Scope;
use crate::times::unit_of;
use deskhand_session::intent::Unit;

/// Verbs that ask for something to be done: "have the kick muted", "the kick needs to be muted".
const FRAMES: [&str; 4] = ["want", "have", "get", "make"];

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Item {
    pub kind: Kind,
    /// The preposition in front of it.
    pub prep: Option<&'static str>,
    /// Its tokens: the first, and the one behind the last.
    pub tokens: (usize, usize),
    /// The token behind the preposition.
    pub own: usize,
    /// What the name of everything can mean besides: "the project" is everything, or the project of the DAW.
    pub besides: Vec<&'static str>,
}

/// What an item is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// The concepts that the words can mean.
    Words(Vec<&'static str>),
    Quantity(Quantity),
    Names(Phrase),
    /// The name of a file.
    File(String),
    /// Text in quotes that names nothing in the session.
    Text(String),
    /// `#rrggbb`.
    Color(String),
    /// "and" or a comma: here a request may end.
    Join,
    /// "then" or a full stop: here a request ends.
    End,
    /// "except": names must follow.
    Except,
    /// "but": the same, or a further request.
    But,
    Unknown,
}

impl Item {
    /// What its words can mean.
    pub(super) fn concepts(&self) -> &[&'static str] {
        match &self.kind {
            Kind::Words(concepts) => concepts,
            Kind::Names(phrase) if is_everything(phrase) => &self.besides,
            _ => &[],
        }
    }

    /// Whether it has a concept.
    pub(super) fn is(&self, concept: &str) -> bool {
        self.concepts().contains(&concept)
    }

    /// Whether its words can say what to do.
    pub(super) fn is_verb(&self) -> bool {
        self.concepts().iter().any(|it| lexicon::is_verb(it))
    }
}

/// The items of a sentence.
pub(super) fn items_of(scope: Scope<'_>) -> Vec<Item> {
    let mut builder = Builder { scope, at: 0, prep: None, items: Vec::new() };
    while builder.at < scope.tokens.len() {
        builder.step();
    }
    builder.drop_prep();
    remarks::joined(item_groups::grouped(builder.items, scope))
}

/// The words that say what to do.
pub(crate) fn verbs(scope: Scope<'_>) -> Vec<&'static str> {
    let items = items_of(scope);
    let concepts = items.iter().flat_map(Item::concepts).copied();
    concepts.filter(|concept| lexicon::is_verb(concept)).collect()
}

struct Builder<'a> {
    scope: Scope<'a>,
    at: usize,
    /// A preposition that waits for its item, its first token, and the one behind it.
    prep: Option<(&'static str, usize, usize)>,
    items: Vec<Item>,
}

impl Builder<'_> {
    fn step(&mut self) {
        let tokens = self.scope.tokens;
        // "0:10-0:20".
        if (tokens[self.at].kind == TokenKind::Dash || tokens[self.at].is("-")) && self.is_range() {
            self.prep = Some(("until", self.at, self.at + 1));
            self.at += 1;
            return;
        }
        if let Some((file, end)) = files::at(self.scope.text, tokens, self.at) {
            return self.push(Kind::File(file), end);
        }
        let value = quantity::at(tokens, self.at);
        let named = self.scope.part_at(self.at).or_else(|| self.the_tracks());
        let named = named.filter(|(_, end)| {
            !self.is_anybody()
                && !self.is_quantifier(*end)
                && !self.is_code(*end)
                && !self.is_amount(*end)
        });
        let (end, concepts) = lexicon::at(tokens, self.at);
        let (besides, longer) = self.besides(named.as_ref());
        let named = named.filter(|(_, end)| longer <= *end);
        let value_end = value.map_or(self.at, |(_, end)| end);
        let named_end = named.as_ref().map_or(self.at, |(_, end)| *end);
        if let (Some((value, _)), true) = (value, value_end >= end.max(named_end)) {
            return self.quantity(value, value_end);
        }
        match named {
            Some((part, _)) if named_end >= end && !self.is_mixing(&part, &concepts, end) => {
                self.push(Kind::Names(Phrase { parts: vec![part], except: Vec::new() }), named_end);
                self.items
                    .last_mut()
                    .into_iter()
                    .for_each(|item| item.besides.clone_from(&besides));
            }
            _ if end > self.at => self.words(&concepts, end),
            _ => self.single(),
        }
    }

    /// What "the project" means as a word, and where the words end: "the project file" goes on.
    fn besides(&self, named: Option<&(TargetPart, usize)>) -> (Vec<&'static str>, usize) {
        let is_all = |it: &&(TargetPart, usize)| it.0.pick == Pick::All(Thing::Everything);
        let Some((_, named_end)) = named.filter(is_all) else { return (Vec::new(), 0) };
        let (end, concepts) = lexicon::at(self.scope.tokens, self.at + 1);
        let is_said = end >= *named_end && concepts.iter().any(|it| it.name == "project");
        let names = concepts.iter().map(|it| it.name).filter(|_| is_said).collect();
        (names, if is_said { end } else { 0 })
    }

    /// "whenever somebody speaks" means all who speak; "mute somebody" and "every time somebody says so" name nobody.
    fn is_anybody(&self) -> bool {
        let is_said =
            ["someone", "somebody", "anyone", "anybody"].contains(&self.scope.word(self.at));
        let (_, next) = lexicon::at(self.scope.tokens, self.at + 1);
        let speaks = next.iter().any(|concept| concept.name == "talking");
        is_said && !(speaks && self.prep.is_some_and(|(prep, ..)| prep == "while"))
    }

    /// "take three dB out": a unit behind the number says that it is no name of a clip.
    fn is_amount(&self, end: usize) -> bool {
        let is_verb = lexicon::has_verb_at(self.scope.tokens, self.at);
        let amount = quantity::at(self.scope.tokens, self.at + 1).filter(|_| is_verb);
        amount.is_some_and(|(amount, behind)| amount.unit.is_some() && behind > end)
    }

    /// Words that are the whole name of a code are no part of the name of something else.
    fn is_code(&self, end: usize) -> bool {
        let tokens = self.scope.tokens.get(self.at..end).unwrap_or_default();
        codes::is_known(tokens, self.scope.session)
            && !is_named(
                &tokens.iter().filter_map(Token::word).collect::<Vec<_>>().join(" "),
                self.scope.session,
            )
    }

    /// "all sentences": behind it stands a word that names a kind of thing.
    fn is_quantifier(&self, end: usize) -> bool {
        let is_all = end == self.at + 1 && matches!(self.scope.word(self.at), "all" | "any");
        let (_, concepts) = lexicon::at(self.scope.tokens, end);
        let next = self.scope.tokens.get(end);
        let is_quote = next.is_some_and(|next| matches!(next.kind, TokenKind::Quote(_)));
        is_all && (is_quote || concepts.iter().any(|concept| concept.part == Part::Noun))
    }

    /// "mix the guitars": where a request begins with the word, it says what to do.
    fn is_mixing(&self, part: &TargetPart, concepts: &[lexicon::Concept], end: usize) -> bool {
        let is_joint = |item: &Item| matches!(item.kind, Kind::Join | Kind::End);
        let is_first = self.items.last().is_none_or(is_joint) && self.prep.is_none();
        let is_verb = concepts.iter().any(|concept| concept.part == Part::Verb);
        let has_article =
            self.at > 0 && matches!(self.scope.word(self.at - 1), "the" | "my" | "our");
        let is_noun = |at| {
            let (_, concepts) = lexicon::at(self.scope.tokens, at);
            concepts.iter().any(|concept| concept.part == Part::Noun)
        };
        let has_purpose = matches!(self.scope.word(end), "to" | "for") && is_noun(end + 1);
        let goes_on = self.scope.part_at(end).is_some() || has_purpose;
        part.pick == Pick::Mix && is_first && is_verb && !has_article && goes_on
    }

    /// "two minutes in" is a place.
    fn quantity(&mut self, value: Quantity, end: usize) {
        let stops = ["called", "named", "and", "then"];
        let is_end = |at: usize| match self.scope.tokens.get(at).map(|token| &token.kind) {
            None | Some(TokenKind::Comma | TokenKind::Stop) => true,
            Some(TokenKind::Word(word)) => stops.contains(&word.as_str()),
            Some(_) => false,
        };
        let is_place = value.unit == Some(Unit::Seconds) && self.scope.word(end) == "in";
        match is_place && is_end(end + 1) {
            true => {
                self.prep.get_or_insert(("at", self.at, self.at));
                let value = Quantity { unit: Some(Unit::Clock), ..value };
                self.push(Kind::Quantity(value), end + 1);
            }
            false => self.push(Kind::Quantity(value), end),
        }
    }

    /// "the tracks" are all of them, where none are selected.
    fn the_tracks(&self) -> Option<(TargetPart, usize)> {
        let before = self.at.checked_sub(1).map(|at| self.scope.word(at));
        let is_definite = matches!(before, Some("the" | "my" | "our"));
        let is_all = self.scope.session.selection.tracks.is_empty();
        let fits = is_definite && is_all && self.scope.word(self.at) == "tracks";
        fits.then(|| (whole(Pick::All(Thing::Tracks)), self.at + 1))
    }

    fn words(&mut self, concepts: &[lexicon::Concept], end: usize) {
        let has = |part| concepts.iter().find(|concept| concept.part == part);
        // "Hello" alone asks who is there.
        let is_alone = concepts.len() > 1 && end - self.at == self.scope.tokens.len();
        if has(Part::Empty).is_some() && !is_alone {
            self.at = end;
        } else if let Some(prep) = has(Part::Prep).filter(|_| self.stands_before(end)) {
            self.drop_prep();
            self.prep = Some((prep.name, self.at, end));
            self.at = end;
        } else if let Some(except) = has(Part::Except) {
            self.push(if except.name == "but" { Kind::But } else { Kind::Except }, end);
        } else if let Some(join) = has(Part::Join) {
            let kind = if join.name == "then" { Kind::End } else { Kind::Join };
            self.push(kind, end);
        } else {
            let dangling = !concepts.iter().any(|it| !matches!(it.part, Part::Prep | Part::Done));
            let is_noun = has(Part::Noun).is_some() && self.ends_a_name();
            let is_own = |it: &&lexicon::Concept| match it.part {
                Part::Prep => dangling,
                Part::Verb => !is_noun,
                Part::Done => false,
                _ => true,
            };
            let own: Vec<_> = concepts.iter().filter(is_own).map(|concept| concept.name).collect();
            let otherwise = match own[..] {
                [] => Kind::Unknown,
                // "is the bass muted?" asks, and "the bass is muted" does not.
                ["is", ..] if self.items.is_empty() => Kind::Words(vec!["is it"]),
                _ => Kind::Words(own),
            };
            match has(Part::Done).filter(|_| has(Part::Verb).is_none()) {
                Some(done) => self.done(done.name, otherwise, end),
                None => self.push(otherwise, end),
            }
        }
    }

    /// "the guitar solo": right behind a name with an article a word names a thing, if it can.
    fn ends_a_name(&self) -> bool {
        let before = self.items.last().filter(|it| it.tokens.1 == self.at);
        let has_article = |it: &Item| matches!(self.scope.word(it.own), "the" | "my" | "our");
        before.is_some_and(|it| matches!(it.kind, Kind::Names(_)) && has_article(it))
    }

    /// "I want the kick muted" asks for the same as "mute the kick"; "muted" alone asks for nothing.
    fn done(&mut self, verb: &'static str, otherwise: Kind, end: usize) {
        let is_end = |item: &Item| matches!(item.kind, Kind::Join | Kind::End);
        let from = self.items.iter().rposition(is_end).map_or(0, |at| at + 1);
        let asks = |item: &Item| FRAMES.iter().any(|frame| item.is(frame));
        let frame = self.items.iter().skip(from).position(asks).map(|at| from + at);
        let has_other = |at: usize| self.items.iter().skip(at + 1).any(Item::is_verb);
        match frame.filter(|at| !has_other(*at)) {
            Some(at) => {
                self.items.remove(at);
                self.push(Kind::Words(vec![verb]), end);
            }
            None => self.push(otherwise, end),
        }
    }

    /// Whether something follows that a preposition can stand in front of.
    fn stands_before(&self, at: usize) -> bool {
        let next = self.scope.tokens.get(at);
        next.is_some_and(|token| !matches!(token.kind, TokenKind::Comma | TokenKind::Stop))
    }

    fn single(&mut self) {
        let token = &self.scope.tokens[self.at];
        match &token.kind {
            TokenKind::Comma => self.push(Kind::Join, self.at + 1),
            TokenKind::Stop => self.push(Kind::End, self.at + 1),
            TokenKind::Word(word) => match side(word) {
                None if colors::of(word).is_some() => {
                    let hex = colors::of(word).unwrap_or_default().to_owned();
                    self.push(Kind::Color(hex), self.at + 1);
                }
                Some((side, percent)) => {
                    let unit = Some(Unit::Percent);
                    let next = self.at + 1;
                    self.push(Kind::Words(vec![side]), next);
                    self.at = next - 1;
                    let value = Quantity { value: percent, is_signed: false, unit };
                    self.push(Kind::Quantity(value), next);
                }
                None => self.push(self.one_unit().unwrap_or(Kind::Unknown), self.at + 1),
            },
            TokenKind::Ratio(above, below) => {
                let at = self.at;
                for value in [*above, *below] {
                    self.at = at;
                    let value = Quantity { value, is_signed: false, unit: None };
                    self.push(Kind::Quantity(value), at + 1);
                }
            }
            TokenKind::Quote(text) => self.push(Kind::Text(text.clone()), self.at + 1),
            TokenKind::Color(hex) => self.push(Kind::Color(hex.clone()), self.at + 1),
            TokenKind::Number { .. } | TokenKind::Clock(_) | TokenKind::Id(_) | TokenKind::Dash => {
                self.push(Kind::Unknown, self.at + 1);
            }
        }
    }

    /// "the first minute".
    fn one_unit(&self) -> Option<Kind> {
        let is_edge = |item: &&Item| item.is("first") || item.is("last");
        let is_behind = self.items.last().filter(is_edge).is_some_and(|it| it.tokens.1 == self.at);
        let value = unit_of(self.scope.tokens.get(self.at..=self.at)?).filter(|_| is_behind)?;
        Some(Kind::Quantity(Quantity { value, is_signed: false, unit: Some(Unit::Seconds) }))
    }

    /// Whether a dash is between two numbers.
    fn is_range(&self) -> bool {
        let is_behind = self.items.last().is_some_and(|it| matches!(it.kind, Kind::Quantity(_)));
        is_behind && quantity::at(self.scope.tokens, self.at + 1).is_some()
    }

    fn push(&mut self, kind: Kind, end: usize) {
        // "… without touching the vocals" is a request of its own.
        let is_spare = |kind: &Kind| matches!(kind, Kind::Words(words) if words.contains(&"spare"));
        let is_joint = |it: &Item| matches!(it.kind, Kind::Join | Kind::End | Kind::But);
        let is_open = self.items.last().is_some_and(|last| !is_joint(last));
        if is_spare(&kind) && is_open {
            let (kind, tokens) = (Kind::Join, (self.at, self.at));
            let own = self.at;
            self.items.push(Item { kind, prep: None, tokens, own, besides: Vec::new() });
        }
        if matches!(kind, Kind::Join | Kind::End | Kind::Except | Kind::But) {
            self.drop_prep();
        }
        let prep = self.prep.take();
        let (from, own) = prep.map_or((self.at, self.at), |(_, from, to)| (from, to));
        let (prep, tokens) = (prep.map(|(prep, ..)| prep), (from, end));
        self.items.push(Item { kind, prep, tokens, own, besides: Vec::new() });
        self.at = end;
    }

    /// A preposition with nothing after it is a word of its own: "turn it on".
    fn drop_prep(&mut self) {
        if let Some((name, from, end)) = self.prep.take() {
            let (kind, tokens) = (Kind::Words(vec![name]), (from, end));
            self.items.push(Item { kind, prep: None, tokens, own: from, besides: Vec::new() });
        }
    }
}

fn is_everything(phrase: &Phrase) -> bool {
    phrase.is_all(Thing::Everything) && phrase.except.is_empty()
}

/// "L20", as panning is written down.
fn side(word: &str) -> Option<(&'static str, f64)> {
    let side = match word.chars().next()? {
        'l' => "left",
        'r' => "right",
        _ => return None,
    };
    let percent = word.get(1..)?.parse::<u8>().ok().filter(|percent| *percent <= 100)?;
    Some((side, f64::from(percent)))
}

/// Whether it is a question that is no request in the form of one.
pub(crate) fn is_question(text: &str, tokens: &[Token]) -> bool {
    let asks = |token: &Token| {
        token.kind == TokenKind::Stop && text.get(token.start..token.end) == Some("?")
    };
    let polite =
        |at: usize| lexicon::at(tokens, at).1.iter().any(|concept| concept.name == "polite");
    tokens.iter().any(asks) && !(0..tokens.len().min(4)).any(polite)
}
