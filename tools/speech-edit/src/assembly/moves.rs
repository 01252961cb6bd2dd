//! Moves phrases in the order of the edit: to a place, before or after another phrase, or by some places. Every move returns
//! each phrase once.

use deskhand_session::PhraseId;

/// Where phrases go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    /// To a place from 1; -1 is the end.
    To(i64),
    /// Before a phrase.
    Before(PhraseId),
    /// After a phrase.
    After(PhraseId),
    /// Between two neighbors.
    Between(PhraseId, PhraseId),
    /// By a number of places; negative is earlier.
    By(i64),
}

/// Why phrases cannot go there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum MoveError {
    /// The order has fewer places.
    #[error("there is no place {place}: {count} phrases play")]
    NoPlace {
        /// The place.
        place: i64,
        /// How many phrases play.
        count: usize,
    },
    /// The phrase that it should follow or precede moves too, or does not play.
    #[error("a phrase cannot play before or after itself")]
    BesideItself,
    /// Other phrases play between them.
    #[error("other phrases play between these two")]
    Apart,
    /// The phrase is first or last already.
    #[error("it is the {0} phrase already")]
    AtEnd(&'static str),
    /// Only two phrases can change places.
    #[error("two phrases change places, and {0} are given")]
    NotTwo(usize),
    /// Nothing would change.
    #[error("the phrases play in that order already")]
    Same,
}

impl MoveError {
    /// What to do instead.
    pub(super) fn fix(self) -> &'static str {
        match self {
            Self::NoPlace { .. } => "give a place that there is, or -1 for the end",
            Self::BesideItself => "name another phrase that plays: see tool_list_phrases",
            Self::Apart => "name the one that it plays after",
            Self::NotTwo(_) => "name two phrases",
            Self::AtEnd(_) | Self::Same => "see tool_list_phrases for what plays in which order",
        }
    }
}

/// The order with `ids` moved together.
///
/// # Errors
/// If they cannot go there, or are there already.
pub(super) fn moved(
    order: &[PhraseId],
    ids: &[PhraseId],
    to: Move,
) -> Result<Vec<PhraseId>, MoveError> {
    let rest: Vec<PhraseId> = order.iter().copied().filter(|id| !ids.contains(id)).collect();
    let place_of =
        |id: PhraseId| rest.iter().position(|other| *other == id).ok_or(MoveError::BesideItself);
    let at = match to {
        Move::To(place) => {
            let steps = usize::try_from(place.unsigned_abs()).ok();
            let found = steps.and_then(|steps| match place < 0 {
                true => (rest.len() + 1).checked_sub(steps),
                false => steps.checked_sub(1),
            });
            let no_place = MoveError::NoPlace { place, count: order.len() };
            found.filter(|at| *at <= rest.len()).ok_or(no_place)?
        }
        Move::Before(other) => place_of(other)?,
        Move::After(other) => place_of(other)? + 1,
        Move::Between(one, two) => match (place_of(one)?, place_of(two)?) {
            (a, b) if a.abs_diff(b) == 1 => a.max(b),
            _ => return Err(MoveError::Apart),
        },
        Move::By(0) => return Err(MoveError::Same),
        Move::By(steps) => {
            let first = order.iter().position(|id| ids.contains(id)).unwrap_or_default();
            let steps = isize::try_from(steps).unwrap_or_default();
            let at = first.saturating_add_signed(steps).min(rest.len());
            let end = if steps < 0 { "first" } else { "last" };
            Some(at).filter(|at| *at != first).ok_or(MoveError::AtEnd(end))?
        }
    };
    let (before, behind) = rest.split_at(at);
    changed(order, [before, ids, behind].concat())
}

/// The order with `ids` in this sequence at the places that they have.
///
/// # Errors
/// When that is the order already.
pub(super) fn among(order: &[PhraseId], ids: &[PhraseId]) -> Result<Vec<PhraseId>, MoveError> {
    let mut next = ids.iter().copied();
    let after = order.iter().map(|id| match ids.contains(id) {
        true => next.next().unwrap_or(*id),
        false => *id,
    });
    changed(order, after.collect())
}

fn changed(order: &[PhraseId], after: Vec<PhraseId>) -> Result<Vec<PhraseId>, MoveError> {
    if order == after { Err(MoveError::Same) } else { Ok(after) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn phrases(numbers: &[u64]) -> Vec<PhraseId> {
        numbers.iter().copied().map(PhraseId::new).collect()
    }

    fn after(ids: &[u64], to: Move) -> Result<Vec<u64>, MoveError> {
        let order = phrases(&[1, 2, 3, 4, 5, 6]);
        let found = moved(&order, &phrases(ids), to)?;
        Ok(found.into_iter().map(number).collect())
    }

    fn number(id: PhraseId) -> u64 {
        (1..100).find(|number| PhraseId::new(*number) == id).unwrap()
    }

    #[test]
    fn phrases_move_together_to_where_they_are_put() {
        let id = PhraseId::new;
        assert_eq!(after(&[5], Move::To(1)).unwrap(), [5, 1, 2, 3, 4, 6]);
        assert_eq!(after(&[1, 2, 5], Move::To(-1)).unwrap(), [3, 4, 6, 1, 2, 5]);
        assert_eq!(after(&[1], Move::To(-2)).unwrap(), [2, 3, 4, 5, 1, 6]);
        assert_eq!(after(&[6], Move::To(3)).unwrap(), [1, 2, 6, 3, 4, 5]);
        assert_eq!(after(&[4], Move::Before(id(2))).unwrap(), [1, 4, 2, 3, 5, 6]);
        assert_eq!(after(&[2, 3], Move::After(id(5))).unwrap(), [1, 4, 5, 2, 3, 6]);
        assert_eq!(after(&[4], Move::Between(id(2), id(1))).unwrap(), [1, 4, 2, 3, 5, 6]);
        assert_eq!(after(&[5], Move::By(-2)).unwrap(), [1, 2, 5, 3, 4, 6]);
        assert_eq!(after(&[2, 3], Move::By(1)).unwrap(), [1, 4, 2, 3, 5, 6]);
        assert_eq!(after(&[5], Move::By(9)).unwrap(), [1, 2, 3, 4, 6, 5], "to the end at most");
    }

    #[test]
    fn where_they_cannot_go_is_said() {
        let id = PhraseId::new;
        let told = |ids: &[u64], to: Move| after(ids, to).unwrap_err().to_string();
        assert_eq!(told(&[6], Move::To(9)), "there is no place 9: 6 phrases play");
        assert_eq!(told(&[6], Move::To(0)), "there is no place 0: 6 phrases play");
        assert_eq!(told(&[6], Move::To(-7)), "there is no place -7: 6 phrases play");
        assert_eq!(told(&[1], Move::By(-1)), "it is the first phrase already");
        assert_eq!(told(&[5, 6], Move::By(2)), "it is the last phrase already");
        assert_eq!(told(&[6], Move::Between(id(1), id(3))), "other phrases play between these two");
        assert_eq!(told(&[2], Move::After(id(2))), "a phrase cannot play before or after itself");
        assert_eq!(told(&[1], Move::To(1)), "the phrases play in that order already");
    }

    #[test]
    fn some_change_places_among_themselves() {
        let order = phrases(&[1, 2, 3, 4]);
        assert_eq!(among(&order, &phrases(&[4, 1])).unwrap(), phrases(&[4, 2, 3, 1]));
        assert_eq!(among(&order, &order), Err(MoveError::Same));
    }

    proptest! {
        #[test]
        fn every_move_plays_each_phrase_once(
            order in Just((1..9).collect::<Vec<u64>>()).prop_shuffle(),
            some in prop::sample::subsequence((1..9).collect::<Vec<u64>>(), 1..4).prop_shuffle(),
            way in 0..5,
            number in -10_i64..10,
            (one, two) in (1..9_u64, 1..9_u64),
        ) {
            let to = match way {
                0 => Move::To(number),
                1 => Move::Before(PhraseId::new(one)),
                2 => Move::After(PhraseId::new(one)),
                3 => Move::Between(PhraseId::new(one), PhraseId::new(two)),
                _ => Move::By(number),
            };
            let (order, some) = (phrases(&order), phrases(&some));
            for found in [moved(&order, &some, to), among(&order, &some)].into_iter().flatten() {
                let sorted = |ids: &[PhraseId]| {
                    let mut ids = ids.to_vec();
                    ids.sort();
                    ids
                };
                prop_assert_eq!(sorted(&found), sorted(&order));
                let moved: Vec<_> = found.iter().filter(|id| some.contains(id)).collect();
                prop_assert_eq!(moved, some.iter().collect::<Vec<_>>(), "in the sequence that is given");
            }
        }
    }
}
