//! Words of a person's own in a request, a new name above all: which items they cover, and whether they may go on as
//! something else.

use super::items::{Item, Kind};
use crate::lexer::{Token, TokenKind};
use crate::resolve::{Context, Trouble};
use deskhand_session::intent::{Intent, TextKind, TextSlot};
use std::ops::Range;

/// The longest name that is taken from words without quotes.
const MOST_WORDS: usize = 6;

/// Words behind which a name has ended, and something else is said.
const GOES_ON: [&str; 10] =
    ["so", "because", "since", "if", "unless", "when", "while", "until", "please", "thanks"];
/// More words of the same kind: "as Intro with the code keep".
const FURTHER: [&[&str]; 2] = [&["with", "the", "code"], &["with", "code"]];

/// A name that is said.
pub(super) struct Said<'a> {
    pub slot: &'a TextSlot,
    pub text: String,
    /// The items that it covers.
    pub items: Range<usize>,
    /// Its tokens.
    pub tokens: (usize, usize),
    is_quoted: bool,
}

/// The names that a way to ask could find, the longest first; a name in quotes is the only one.
pub(super) fn names<'a>(
    intent: &'a Intent,
    items: &[&Item],
    context: &Context<'_>,
) -> Vec<Said<'a>> {
    let Some(slot) = intent.texts.iter().find(|slot| slot.kind == TextKind::Name) else {
        return Vec::new();
    };
    let is_open = |prep: &str| slot.preps.iter().any(|it| it == prep);
    let is_quote = |item: &Item| matches!(item.kind, Kind::Text(_));
    let is_word = |item: &Item| context.scope.tokens.get(item.own).and_then(Token::word).is_some();
    let follows = |at: usize| at > 0 && is_name(items[at - 1]) && is_word(items[at]);
    let starts = |at: &usize| match items[*at].prep {
        Some(prep) => is_open(prep),
        None => is_open("-") && (is_quote(items[*at]) || follows(*at)),
    };
    let from_here = |from: usize| {
        let ends = (from + 1..=items.len()).rev();
        ends.filter_map(move |end| said(slot, items, from..end, context))
    };
    let found: Vec<Said<'a>> = (0..items.len()).filter(starts).flat_map(from_here).collect();
    match found.iter().position(|said| said.is_quoted) {
        Some(at) => found.into_iter().skip(at).take(1).collect(),
        None => found,
    }
}

fn is_name(item: &Item) -> bool {
    matches!(item.kind, Kind::Names(_))
}

/// The words of some items as a name; `None` if another request begins inside them.
fn said<'a>(
    slot: &'a TextSlot,
    items: &[&Item],
    range: Range<usize>,
    context: &Context<'_>,
) -> Option<Said<'a>> {
    let (first, last) = (items[range.start], items[range.end - 1]);
    let begins = |pair: &[&Item]| pair[0].tokens.1 < pair[1].tokens.0 && pair[1].is_verb();
    if items[range.clone()].windows(2).any(begins) {
        return None;
    }
    let scope = context.scope;
    let (start, end) = (scope.tokens.get(first.own)?, scope.tokens.get(last.tokens.1 - 1)?);
    let quoted = match &start.kind {
        TokenKind::Quote(text) if first.own + 1 == last.tokens.1 => Some(text.clone()),
        _ => None,
    };
    let is_quoted = quoted.is_some();
    let text = quoted.or_else(|| Some(scope.text.get(start.start..end.end)?.to_owned()))?;
    Some(Said { slot, text, items: range, tokens: (first.tokens.0, last.tokens.1), is_quoted })
}

impl Said<'_> {
    /// Why it is asked about: it may go on as something else.
    pub(super) fn trouble(&self, context: &Context<'_>) -> Option<Trouble> {
        if self.is_quoted {
            return None;
        }
        let words: Vec<&str> = self.text.split_whitespace().collect();
        let is_joint =
            |at: &usize| words[*at] == "and" && names_something(context, &words[at + 1..]);
        let is_further = |at: &usize| FURTHER.iter().any(|it| words[*at..].starts_with(it));
        let goes_on = |at: &usize| GOES_ON.contains(&words[*at]) || is_joint(at) || is_further(at);
        let reason = match (1..words.len()).find(goes_on).map(|at| words[at]) {
            Some(word) => format!(
                "it is not clear whether \"{word}\" is part of the name; put the name in quotes"
            ),
            None if words.len() > MOST_WORDS => {
                "the name is long; put it in quotes if it is meant so".to_owned()
            }
            None => return None,
        };
        let before = context.scope.text.split(&self.text).next().unwrap_or_default();
        Some(Trouble::new(reason, [format!("{before}\"{}\"", self.text)]))
    }
}

/// Whether words begin with the name of a track or a clip: "Room and Kick_01 to Kick Main".
fn names_something(context: &Context<'_>, words: &[&str]) -> bool {
    let text = words.join(" ").to_lowercase();
    let session = context.scope.session;
    let tracks = session.tracks.values().map(|track| &track.name);
    let mut names = tracks.chain(session.clips.values().map(|clip| &clip.name));
    names.any(|name| text.starts_with(&format!("{} ", name.to_lowercase())))
}

/// The colors that are said: the one for a slot of that kind.
pub(super) fn color(intent: &Intent, left: &[(usize, &Item)]) -> Option<(String, usize, String)> {
    let slot = intent.texts.iter().find(|slot| slot.kind == TextKind::Color)?;
    left.iter().find_map(|(at, item)| match &item.kind {
        Kind::Color(hex) => Some((slot.param.clone(), *at, hex.clone())),
        _ => None,
    })
}
