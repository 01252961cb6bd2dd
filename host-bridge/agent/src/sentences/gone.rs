//! Which phrase that was removed is meant: "the removed phrase", "the last deleted line".

use super::pattern::Pattern;
use super::spoken::{Way, back, is_number, number_of};
use crate::lexer::Token;
use crate::resolve::Trouble;
use deskhand_session::{PhraseId, Session};
use std::sync::LazyLock;

/// How what was removed is pointed at.
// tidy: table
#[rustfmt::skip]
const GONE: &[(Way, &[&str])] = &[
    (Way::Last, &["the? last|latest removed|deleted|cut phrase|sentence|line|one", "the? last phrase|sentence|line|one|thing that? i|we removed|cut|deleted|took_out|dropped", "what i removed|cut|deleted last"]),
    (Way::Ordinal, &["the? {n} removed|deleted phrase|sentence|line|one", "removed phrase number? {n}"]),
    (Way::Only, &["the? removed|deleted|cut|missing phrase|sentence|line|one", "the phrase|sentence|line|one that? i|we removed|cut|deleted|took_out|dropped", "the phrase|sentence|line|one that was removed|cut|deleted"]),
];

static GONE_PATTERNS: LazyLock<Vec<(Way, Pattern)>> = LazyLock::new(|| {
    GONE.iter().flat_map(|(way, all)| all.iter().map(|it| (*way, Pattern::read(it)))).collect()
});

fn gone_way(tokens: &[Token]) -> Option<(Way, Option<usize>)> {
    GONE_PATTERNS.iter().find_map(|(way, pattern)| {
        let slots = pattern.fit(tokens, &is_number)?;
        let number = slots.first().and_then(|slot| number_of(&tokens[slot.1..slot.2]));
        Some((*way, number))
    })
}

/// Whether tokens point at what was removed, by when or as what alone.
pub(super) fn is_gone(tokens: &[Token]) -> bool {
    gone_way(tokens).is_some()
}

/// The phrase that was removed: the only one, the last, or the nth.
pub(super) fn gone(tokens: &[Token], session: &Session) -> Result<PhraseId, Trouble> {
    let removed = &session.assembly.removed;
    let found = match gone_way(tokens) {
        Some((Way::Last, _)) => removed.last(),
        Some((Way::Ordinal, Some(number))) => number.checked_sub(1).and_then(|at| removed.get(at)),
        _ => removed.first().filter(|_| removed.len() == 1),
    };
    found.copied().ok_or_else(|| match removed.len() {
        0 => Trouble::new("nothing was removed", ["show the phrases"]),
        count => Trouble::new(
            format!("{count} phrases were removed; say which by its words"),
            back(removed, session),
        ),
    })
}
