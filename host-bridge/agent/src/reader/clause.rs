//! A request while it is explained: its items, which of them are used up, what it hands on, and why one does not fit.

use super::items::{Item, Kind};
use super::texts::Meanings;
use crate::part::Phrase;
use crate::resolve::Trouble;
use deskhand_session::ObjectId;
use deskhand_session::intent::Unit;
use serde_json::{Map, Value};
use std::rc::Rc;

/// One request as it was said.
pub(super) struct Clause<'a> {
    pub items: Vec<&'a Item>,
    /// What other requests name, where this one names nothing.
    pub shared: Option<Phrase>,
    /// Whether another request says where: "cut the ums and shorten the pauses on both mics".
    pub is_beside_place: bool,
    pub meanings: Rc<Meanings>,
}

/// What a request without a verb takes over.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Heritage {
    pub(super) words: Vec<String>,
    pub(super) units: Vec<(String, Unit)>,
}

/// Why a way to ask does not explain a request.
pub(super) enum Miss {
    /// It is about something else.
    Other,
    /// It explains all but these items.
    Left(Vec<usize>),
    /// It does not say on what; another reader may know.
    Unsaid(Trouble),
    /// It is what was meant, and cannot be done.
    Trouble(Trouble),
}

impl From<Trouble> for Miss {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

/// Items that are used up one by one.
pub(super) struct Taking<'a> {
    pub items: &'a [&'a Item],
    pub used: Vec<bool>,
    pub words: Vec<String>,
    pub units: Vec<(String, Unit)>,
    pub score: u32,
    pub params: Map<String, Value>,
    /// What cannot be done, if the rest is explained.
    pub trouble: Option<Trouble>,
    /// The objects that words of a person's own name.
    pub named: Vec<ObjectId>,
    /// The tokens of words that say parameters by their names.
    pub params_said: Vec<(usize, usize)>,
}

impl<'a> Taking<'a> {
    pub(super) fn of(items: &'a [&'a Item]) -> Self {
        Self {
            items,
            used: vec![false; items.len()],
            words: Vec::new(),
            units: Vec::new(),
            score: 0,
            params: Map::new(),
            trouble: None,
            named: Vec::new(),
            params_said: Vec::new(),
        }
    }

    /// The items that are left, with their places.
    pub(super) fn left(&self) -> impl Iterator<Item = (usize, &Item)> {
        let items = self.items.iter().copied().enumerate();
        items.filter(|(at, _)| !self.used[*at])
    }

    /// Where a word is, in front of which there is no preposition but those that are allowed: "of:solo" is "of solo".
    fn place_of(&self, word: &str, any_prep: bool) -> Option<usize> {
        let (prep, concept) =
            word.split_once(':').map_or((None, word), |(prep, it)| (Some(prep), it));
        let fits = |(_, item): &(usize, &Item)| item.is(concept) && (any_prep || item.prep == prep);
        self.left().find(fits).map(|(at, _)| at)
    }

    /// Uses up a word; where it was.
    pub(super) fn word(&mut self, word: &str, any_prep: bool) -> Option<usize> {
        let at = self.place_of(word, any_prep)?;
        self.used[at] = true;
        // "The project" is understood better as what it says than as everything.
        self.score += u32::from(matches!(self.items[at].kind, Kind::Names(_)));
        // "every hum", "all overlaps".
        let before = at.checked_sub(1).filter(|it| self.items[*it].is("every") && !self.used[*it]);
        if let Some(before) = before.filter(|_| self.items[at].prep.is_none()) {
            self.used[before] = true;
            self.score += 1;
            self.words.push("every".to_owned());
        }
        self.words.push(word.to_owned());
        Some(at)
    }

    /// Uses up all words of an alternative, "take+off"; whether they are there.
    fn alternative(&mut self, words: &str) -> bool {
        let is_there = words.split('+').all(|word| self.place_of(word, false).is_some());
        if is_there {
            words.split('+').for_each(|word| {
                self.word(word, false);
            });
        }
        is_there
    }

    /// Uses up every alternative that is there; how many are.
    pub(super) fn all(&mut self, words: &[String]) -> u32 {
        words.iter().map(|word| u32::from(self.alternative(word))).sum()
    }
}
