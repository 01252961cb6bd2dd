//! Patterns of sentences: `cut|take_out all? the? ums [in|from {on}]`.
//!
//! Words, a comma and a dash stand for themselves, `a|b_c` is "a" or "b c", `$dropped` for what is said of what was taken out, `?` makes one optional, `[…]` several, and `{name}` takes
//! one word or more of anything. All of a sentence must fit.

use crate::lexer::{Token, TokenKind};
use crate::reader::lexicon;

/// The words of a slot: first token, and the one behind the last.
pub(super) type Slot = (&'static str, usize, usize);

/// What `$dropped` means: that something was taken out of an edit.
const DROPPED: &str = "remove|removed|cut|cut_out|take_out|taken_out|took_out|delete|deleted|drop|dropped|throw_out|thrown_out|threw_out|throw_away|thrown_away|threw_away|kick_out|kicked_out|discard|discarded|lose|lost|leave_out|left_out|scrap|scrapped|ditch|ditched|cross_out|crossed_out";

/// The most words of a slot.
const LONGEST_SLOT: usize = 40;

/// Whether a slot takes these tokens.
pub(super) type Fair<'a> = &'a dyn Fn(&str, &[Token]) -> bool;

/// A pattern that was read.
#[derive(Debug)]
pub(super) struct Pattern {
    nodes: Vec<Node>,
}

#[derive(Debug)]
enum Node {
    /// One of these, each of one word or more.
    Words(Vec<Vec<&'static str>>),
    /// All of these, or nothing.
    Optional(Vec<Self>),
    /// Anything.
    Slot(&'static str),
}

impl Pattern {
    /// Reads a pattern; a mistake in one is found by the test that reads them all.
    pub(super) fn read(text: &'static str) -> Self {
        let mut stack: Vec<Vec<Node>> = vec![Vec::new()];
        for piece in text.split_whitespace() {
            let (opens, piece) = peel(piece, '[');
            let closes = piece.len() - piece.trim_end_matches(']').len();
            let piece = &piece[..piece.len() - closes];
            (0..opens).for_each(|_| stack.push(Vec::new()));
            push(&mut stack, node(piece));
            for _ in 0..closes {
                let inner = stack.pop().unwrap_or_default();
                push(&mut stack, Node::Optional(inner));
            }
        }
        Self { nodes: stack.swap_remove(0) }
    }

    /// The slots, if all tokens fit.
    pub(super) fn fit(&self, tokens: &[Token], fair: Fair<'_>) -> Option<Vec<Slot>> {
        let mut slots = Vec::new();
        let rest: Vec<&Node> = self.nodes.iter().collect();
        fits(&rest, tokens, 0, &mut slots, fair).then_some(slots)
    }
}

fn push(stack: &mut [Vec<Node>], node: Node) {
    if let Some(open) = stack.last_mut() {
        open.push(node);
    }
}

fn peel(text: &'static str, bracket: char) -> (usize, &'static str) {
    let rest = text.trim_start_matches(bracket);
    (text.len() - rest.len(), rest)
}

fn node(piece: &'static str) -> Node {
    if let Some(name) = piece.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        return Node::Slot(name);
    }
    let (piece, may_miss) = match piece.strip_suffix('?') {
        Some(piece) => (piece, true),
        None => (piece, false),
    };
    let dropped = |it| if it == "$dropped" { DROPPED } else { it };
    let words = piece.split('|').flat_map(|it| dropped(it).split('|'));
    let words = Node::Words(words.map(|it| it.split('_').collect()).collect());
    if may_miss { Node::Optional(vec![words]) } else { words }
}

/// Whether the nodes fit the tokens from `at` to their end; the slots of the first way are kept.
fn fits(
    nodes: &[&Node],
    tokens: &[Token],
    at: usize,
    slots: &mut Vec<Slot>,
    fair: Fair<'_>,
) -> bool {
    let Some((first, rest)) = nodes.split_first() else {
        return at == tokens.len();
    };
    match first {
        Node::Words(ways) => ways.iter().any(|words| {
            let stands = |token: &Token, word: &str| match word {
                "," => token.kind == TokenKind::Comma,
                "-" => token.kind == TokenKind::Dash || token.is(word),
                word => token.is(word),
            };
            let is =
                |(i, word): (usize, &&str)| tokens.get(at + i).is_some_and(|it| stands(it, word));
            words.iter().enumerate().all(is) && fits(rest, tokens, at + words.len(), slots, fair)
        }),
        Node::Optional(inner) => {
            let with: Vec<&Node> = inner.iter().chain(rest.iter().copied()).collect();
            let before = slots.len();
            if fits(&with, tokens, at, slots, fair) {
                return true;
            }
            slots.truncate(before);
            fits(rest, tokens, at, slots, fair)
        }
        Node::Slot(name) => {
            let longest = tokens.len().saturating_sub(at).min(LONGEST_SLOT);
            let unbroken = |length: &usize| goes_on(tokens, at, at + length - 1);
            (1..=longest).take_while(unbroken).any(|length| {
                let before = slots.len();
                slots.push((name, at, at + length));
                // What the session says of a slot takes longest, so it is asked last.
                let done = fits(rest, tokens, at + length, slots, fair)
                    && fair(name, &tokens[at..at + length]);
                if !done {
                    slots.truncate(before);
                }
                done
            })
        }
    }
}

/// Whether the token at `at` can go on a text that began at `from`: no other request begins there.
fn goes_on(tokens: &[Token], from: usize, at: usize) -> bool {
    let token = &tokens[at];
    let is_mark = matches!(token.kind, TokenKind::Stop | TokenKind::Comma);
    let is_joint = token.is("and") || token.kind == TokenKind::Comma;
    let ends = token.kind == TokenKind::Stop
        || token.is("but")
        || token.is("then")
        || is_joint && lexicon::begins_at(tokens, at + 1);
    at == from && !is_mark || !ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::lex;

    fn read(pattern: &'static str, text: &str) -> Option<Vec<(String, String)>> {
        let tokens = lex(text);
        let slots = Pattern::read(pattern).fit(&tokens, &|_, _| true)?;
        let shown = |(name, from, to): &Slot| {
            ((*name).to_owned(), text[tokens[*from].start..tokens[*to - 1].end].to_owned())
        };
        Some(slots.iter().map(shown).collect())
    }

    fn pair(name: &str, text: &str) -> (String, String) {
        (name.into(), text.into())
    }

    #[test]
    fn words_ways_options_and_slots() {
        let pattern = "cut|take_out all? the? ums [in|from {on}]";
        assert_eq!(read(pattern, "cut the ums"), Some(vec![]));
        assert_eq!(read(pattern, "take out all the ums"), Some(vec![]));
        assert_eq!(
            read(pattern, "Cut ums in the Host mic"),
            Some(vec![pair("on", "the Host mic")])
        );
        for other in ["cut the ums in", "cut the drums", "cut the ums now", "ums", ""] {
            assert_eq!(read(pattern, other), None, "{other}");
        }
    }

    #[test]
    fn a_slot_is_as_short_as_the_rest_allows() {
        let found = read("code {text} as {code}", "code good as gold as Praise as such");
        assert_eq!(found, Some(vec![pair("text", "good"), pair("code", "gold as Praise as such")]));
        assert_eq!(read("say {text}", "say one. two"), None, "a stop ends what is said");
    }

    #[test]
    fn classes_are_their_words() {
        let pattern = "$dropped|hushed all? {x}";
        for text in ["thrown out all hum", "hushed hum", "discarded hum"] {
            assert_eq!(read(pattern, text), Some(vec![pair("x", "hum")]), "{text}");
        }
        assert_eq!(read(pattern, "$dropped hum"), None);
    }

    #[test]
    fn brackets_nest() {
        let pattern = "a [b [c {x}]] d";
        for text in ["a d", "a b d", "a b c 3 d"] {
            assert!(read(pattern, text).is_some(), "{text}");
        }
        assert_eq!(read(pattern, "a c 3 d"), None);
        assert!(read("a ,? b", "a, b").is_some() && read("a ,? b", "a b").is_some());
    }
}
