//! The codes of a session in the order of the codebook, and the keys of the first.

use deskhand_session::{Code, CodeId, Session};
use std::collections::{BTreeMap, BTreeSet};

/// The number of codes that have a key.
pub(super) const KEYS: usize = 9;

/// The code that a key puts on words, by its place among the keys from 0.
pub(crate) fn keyed(session: &Session, place: usize) -> Option<CodeId> {
    in_order(session).into_iter().take(KEYS).nth(place).map(|(id, _)| id)
}

/// The text about the key of a code that has one.
pub(crate) fn key_of(session: &Session, id: CodeId) -> Option<String> {
    let mut codes = in_order(session).into_iter().take(KEYS);
    let place = codes.position(|(known, _)| known == id)?;
    Some(format!("{} puts it on the words that are picked", place + 1))
}

/// All codes with their depth, children after their parent, by name.
pub(crate) fn in_order(session: &Session) -> Vec<(CodeId, usize)> {
    let mut under: BTreeMap<Option<CodeId>, Vec<CodeId>> = BTreeMap::new();
    for (id, code) in &session.codes {
        let parent = code.parent.filter(|parent| session.codes.contains_key(parent));
        under.entry(parent).or_default().push(*id);
    }
    for codes in under.values_mut() {
        codes.sort_by_key(|id| session.codes[id].name.to_lowercase());
        codes.reverse();
    }
    let tops = under.remove(&None).unwrap_or_default();
    let mut open: Vec<(CodeId, usize)> = tops.into_iter().map(|id| (id, 0)).collect();
    let mut ordered = Vec::new();
    while let Some((id, depth)) = open.pop() {
        ordered.push((id, depth));
        let children = under.remove(&Some(id)).unwrap_or_default();
        open.extend(children.into_iter().map(|child| (child, depth + 1)));
    }
    ordered
}

/// Room before a name in a menu.
pub(crate) fn indent(depth: usize) -> String {
    "\u{2003}".repeat(depth)
}

/// The codes whose name or description matches; all without a filter.
pub(crate) fn hits(session: &Session, filter: &str) -> BTreeSet<CodeId> {
    let words = filter.trim().to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(&words);
    let fits = |code: &Code| has(&code.name) || has(&code.description);
    session.codes.iter().filter(|(_, code)| fits(code)).map(|(id, _)| *id).collect()
}

/// The codes in order with their depth: those that match, and their parents.
pub(crate) fn matching(session: &Session, hits: &BTreeSet<CodeId>) -> Vec<(CodeId, usize)> {
    let up = |id: &CodeId| session.codes.get(id).and_then(|code| code.parent);
    // A book that is broken has at most as many steps as codes.
    let most = session.codes.len();
    let kept: BTreeSet<CodeId> =
        hits.iter().flat_map(|id| std::iter::successors(Some(*id), up).take(most)).collect();
    in_order(session).into_iter().filter(|(id, _)| kept.contains(id)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::SampleRate;
    use deskhand_session::{Code, SessionId};

    #[test]
    fn children_stand_behind_their_parent_by_name() {
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        let codes =
            [(1, "Money", None), (2, "rent", Some(1)), (3, "Food", Some(1)), (4, "Art", None)];
        for (id, name, parent) in codes {
            let parent = parent.map(CodeId::new);
            session.codes.insert(CodeId::new(id), Code { parent, ..Code::new(name) });
        }
        let expected = [(4, 0), (1, 0), (3, 1), (2, 1)].map(|(id, depth)| (CodeId::new(id), depth));
        assert_eq!(in_order(&session), expected);
        assert_eq!(keyed(&session, 2), Some(CodeId::new(3)), "the third key");
        let told = key_of(&session, CodeId::new(2)).unwrap();
        assert!(told.starts_with("4 "), "{told}");
    }

    #[test]
    fn only_the_first_nine_codes_have_keys() {
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        for number in 1..=10 {
            session.codes.insert(CodeId::new(number), Code::new(format!("Code {number:02}")));
        }
        assert_eq!(keyed(&session, 8), Some(CodeId::new(9)));
        assert_eq!((keyed(&session, 9), key_of(&session, CodeId::new(10))), (None, None));
    }
}
