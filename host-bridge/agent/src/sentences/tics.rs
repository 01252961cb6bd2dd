//! What is cut out of talk, as it is listed: "the ums, the false starts and the long pauses".

use super::said::{One, Said};
use super::takes::LONG_PAUSE;
use crate::lexer::{Token, TokenKind};
use crate::times::time_at;
use serde_json::json;

/// What people say while they think.
pub(super) const FILLERS: &[&str] = &[
    "um",
    "ums",
    "umms",
    "uh",
    "uhs",
    "uhm",
    "uhms",
    "er",
    "ers",
    "erm",
    "erms",
    "ah",
    "ahs",
    "filler",
    "fillers",
    "hesitations",
    "umming",
    "errs",
    "hmm",
    "hmms",
];

/// What is begun, broken off and said again.
const FALSE_STARTS: &[&str] = &[
    "false start",
    "false starts",
    "restarts",
    "stumbles",
    "stumbling",
    "stutters",
    "stuttering",
    "stammers",
    "stammering",
    "repeated words",
    "word repetitions",
    "repetitions of words",
    "doubled words",
    "double words",
    "slips",
    "slip ups",
    "fumbles",
];

/// Pauses that are too long.
const PAUSES: &[&str] = &["pauses", "silences", "gaps", "breaks", "dead air"];
const LONG: &[&str] = &["long", "longer", "big", "awkward", "overlong"];
const LONGER_THAN: &[&[&str]] = &[&["longer", "than"], &["over"], &["above"]];

/// What of it is listed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tics {
    fillers: bool,
    false_starts: bool,
    /// Pauses over this, in seconds.
    pauses_over: Option<f64>,
}

/// Whether tokens list fillers or false starts, and nothing else but pauses: those alone are shortened, not cut.
pub(super) fn are_tics(tokens: &[Token]) -> bool {
    listed(tokens).is_some_and(|tics| tics.fillers || tics.false_starts)
}

/// Cuts what is listed.
pub(super) fn cut(said: &Said<'_>) -> One {
    let tics = said.tokens("tics").and_then(listed);
    // "Where I stumble" lists nothing.
    let tics = tics.unwrap_or(Tics { false_starts: true, ..Tics::default() });
    let mut params =
        vec![("fillers", json!(tics.fillers)), ("false_starts", json!(tics.false_starts))];
    params.extend(tics.pauses_over.map(|over| ("pauses_longer_than_s", json!(over))));
    said.talk("tool_tighten", params)
}

fn listed(tokens: &[Token]) -> Option<Tics> {
    let is_joint = |token: &Token| {
        token.kind == TokenKind::Comma || ["and", "or", "plus"].iter().any(|word| token.is(word))
    };
    let mut tics = Tics::default();
    let mut items = tokens.split(is_joint).peekable();
    while let Some(item) = items.next() {
        // ", and"
        if item.is_empty() && items.peek().is_some() {
            continue;
        }
        add(bare(item), &mut tics)?;
    }
    Some(tics)
}

/// Without words that only say which or whose.
fn bare(mut item: &[Token]) -> &[Token] {
    const WHOSE: &[&str] =
        &["all", "every", "any", "the", "my", "his", "her", "their", "our", "those"];
    while let [first, rest @ ..] = item
        && WHOSE.iter().any(|word| first.is(word))
    {
        item = rest;
    }
    item
}

fn add(item: &[Token], tics: &mut Tics) -> Option<()> {
    let words: Vec<&str> = item.iter().map_while(Token::word).collect();
    let text = words.join(" ");
    let is_whole = words.len() == item.len() && !words.is_empty();
    let filler = text.strip_suffix(" words").or(text.strip_suffix(" sounds")).unwrap_or(&text);
    if is_whole && FILLERS.contains(&filler) {
        tics.fillers = true;
    } else if is_whole && FALSE_STARTS.contains(&text.as_str()) {
        tics.false_starts = true;
    } else {
        tics.pauses_over = Some(pauses(item)?);
    }
    Some(())
}

/// "the long pauses", "pauses longer than two seconds": from how many seconds on they are cut.
fn pauses(item: &[Token]) -> Option<f64> {
    let item = match item {
        [first, rest @ ..] if LONG.iter().any(|word| first.is(word)) => rest,
        all => all,
    };
    let begins = |words: &[&str], at: usize| {
        words.iter().enumerate().all(|(i, word)| item.get(at + i).is_some_and(|it| it.is(word)))
    };
    let nouns = PAUSES.iter().map(|noun| noun.split(' ').collect::<Vec<_>>());
    let at = nouns.into_iter().find(|noun| begins(noun, 0))?.len();
    if at == item.len() {
        return Some(LONG_PAUSE);
    }
    let at = at + LONGER_THAN.iter().find(|words| begins(words, at))?.len();
    let (time, end) = time_at(item, at)?;
    (end == item.len() && time.seconds > 0.0 && time.seconds <= 60.0).then_some(time.seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::lex;

    #[test]
    fn what_is_listed_is_cut_and_nothing_else() {
        let read = |text: &str| listed(&lex(text));
        let tics =
            |fillers, false_starts, pauses_over| Some(Tics { fillers, false_starts, pauses_over });
        assert_eq!(read("ums"), tics(true, false, None));
        assert_eq!(read("uhs, ers, and filler words"), tics(true, false, None));
        assert_eq!(read("ums and the false starts"), tics(true, true, None));
        assert_eq!(
            read("ums, the stutters and the long pauses"),
            tics(true, true, Some(LONG_PAUSE))
        );
        assert_eq!(read("ums and pauses longer than 2 seconds"), tics(true, false, Some(2.0)));
        for other in ["", "ums and drums", "words", "ums, ", "long", "pauses over", "the intro"] {
            assert_eq!(read(other), None, "{other}");
        }
        assert!(!are_tics(&lex("the long pauses")));
    }
}
