//! How the session is looked at, kept for the window that opens it again.

use super::{Entry, Model};
use crate::saved_view::{DRAFT, EndedTurn, Seen, SeenCard};
use deskhand_session::PlanId;
use std::collections::BTreeMap;

impl Model {
    #[must_use]
    pub fn seen(&self) -> Seen {
        let timeline = &self.desk.timeline;
        let (kept, set) = (self.kept_cards.iter().cloned(), self.cards.values());
        let set = set.filter_map(SeenCard::of);
        let seen = Seen {
            zoom: timeline.zoom,
            left: timeline.left,
            down: timeline.down,
            has_library: self.desk.library.is_open,
            has_words: self.desk.words.is_open,
            position: self.live.position,
            cycle: self.live.cycle,
            last_loop: timeline.last_loop,
            draft: self.draft().to_owned(),
            ended: self.ended.clone(),
            cards: kept.chain(set).collect(),
            numbers: self.numbers(),
        };
        seen.checked()
    }

    /// The numbers of all plans that have a card, or will have one again.
    fn numbers(&self) -> BTreeMap<PlanId, usize> {
        let mut numbers = self.kept_numbers.clone();
        numbers.extend(self.cards.iter().map(|(id, card)| (*id, card.number)));
        numbers
    }

    /// The number of a plan without a card: its earlier number, or the next one.
    pub(crate) fn number_for(&mut self, plan: PlanId) -> usize {
        self.kept_numbers.remove(&plan).unwrap_or_else(|| {
            let (kept, shown) = (self.kept_numbers.values(), self.cards.values());
            let numbers = kept.copied().chain(shown.map(|card| card.number));
            numbers.max().map_or(1, |last| last.saturating_add(1))
        })
    }

    /// The text being typed to the model, up to the stored length.
    #[must_use]
    pub fn draft(&self) -> &str {
        &self.draft[..self.draft.floor_char_boundary(DRAFT)]
    }

    /// Restores the view of its session. Call it on an empty model: the next session that arrives is shown
    /// so.
    pub fn look_again(&mut self, seen: Seen) {
        let seen = seen.checked();
        self.live.position = seen.position;
        self.live.cycle = seen.cycle;
        self.desk.library.is_open = seen.has_library;
        self.desk.words.is_open = seen.has_words;
        self.desk.timeline.look_again(&seen);
        self.draft = seen.draft;
        self.ended = seen.ended;
        self.kept_cards = seen.cards;
        self.kept_numbers = seen.numbers;
    }

    /// A turn ended otherwise than by itself.
    pub(crate) fn end_turn(&mut self, words: String) {
        let asked = self.entries.iter().filter(|it| matches!(it, Entry::Asked(_))).count();
        self.ended.push(EndedTurn { asked, words: words.clone() });
        self.entries.push(Entry::Ended(words));
    }
}

/// A stored conversation with the reasons why its turns ended, which are stored elsewhere. Each reason
/// comes before the next request.
pub(crate) fn with_ends(entries: Vec<Entry>, ended: &[EndedTurn]) -> Vec<Entry> {
    let put = |all: &mut Vec<Entry>, asked: usize| {
        let ends = ended.iter().filter(|turn| turn.asked == asked);
        all.extend(ends.map(|turn| Entry::Ended(turn.words.clone())));
    };
    let mut all = Vec::with_capacity(entries.len() + ended.len());
    let mut asked = 0;
    for entry in entries {
        if matches!(entry, Entry::Asked(_)) {
            put(&mut all, asked);
            asked += 1;
        }
        all.push(entry);
    }
    put(&mut all, asked);
    all
}
