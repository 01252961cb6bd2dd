//! Which phrase that was removed is meant: "the removed phrase", "the last deleted line".

use super::pattern::Pattern;
use super::phrase_numbers::number_of;
use super::phrase_patterns::{Way, is_number};
use super::text::quotes;
use crate::lexer::Token;
use crate::resolve::Trouble;
use deskhand_session::{PhraseId, Session};
use std::sync::LazyLock;

/// How what was removed is pointed at.
// tidy: table
#[rustfmt::skip]
const GONE: &[(Way, &[&str])] = &[
    (Way::Last, &["the? last|latest removed|deleted|cut phrase|sentence|line|one", "the? last phrase|sentence|line|one|thing that? i|we [have] [just] $dropped", "what i removed|cut|deleted last"]),
    (Way::Ordinal, &["the? {n} removed|deleted phrase|sentence|line|one", "removed phrase number? {n}"]),
    (Way::Every, &["all? of? the? removed|deleted|cut|dropped|missing phrases|sentences|lines|ones|parts", "all? of? the? phrases|sentences|lines|ones|parts that? i|we [have] [just] $dropped", "all? of? the? phrases|sentences|lines|ones|parts that? were|are $dropped"]),
    (Way::Only, &["the? removed|deleted|cut|missing phrase|sentence|line|one", "the? phrase|sentence|line|one that? i|we [have] [just] $dropped", "the? phrase|sentence|line|one that was $dropped"]),
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

/// The phrases that were removed: the only one, the last, the nth, or all.
pub(super) fn gone(tokens: &[Token], session: &Session) -> Result<Vec<PhraseId>, Trouble> {
    let removed = &session.assembly.removed;
    let way = gone_way(tokens);
    if matches!(way, Some((Way::Every, _))) && !removed.is_empty() {
        return Ok(removed.clone());
    }
    let found = match way {
        Some((Way::Last, _)) => removed.last(),
        Some((Way::Ordinal, Some(number))) => number.checked_sub(1).and_then(|at| removed.get(at)),
        _ => removed.first().filter(|_| removed.len() == 1),
    };
    found.map(|id| vec![*id]).ok_or_else(|| match removed.len() {
        0 => Trouble::new("nothing was removed", ["show the phrases"]),
        count => Trouble::new(
            format!("{count} phrases were removed; say which by its words"),
            back(removed, session),
        ),
    })
}

/// How the phrases that were removed are asked back.
pub(super) fn back(ids: &[PhraseId], session: &Session) -> Vec<String> {
    let restore = |text: String| match text.starts_with('"') {
        true => format!("restore {text}"),
        false => format!("restore \"{text}\""),
    };
    quotes(ids, session).into_iter().map(restore).collect()
}
