//! Where two phrases say something else although most of their words are the same.

use super::common_words::pairs;
use super::near::{Nearness, nearness, read_alike, read_near};
use super::numbers::{is_figure, is_number};
use super::token::Token;
use std::ops::Range;

/// How two phrases differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Difference {
    /// Not in what they say.
    None,
    /// They say something else.
    Other,
    /// In these words of the first, which may be heard wrongly in one of them.
    Doubtful(Vec<Doubt<usize>>),
}

/// Words that may be heard wrongly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Doubt<At> {
    /// Which, by their places or by when they are said.
    pub(super) words: Range<At>,
    /// How the words read compared with those in their place.
    pub(super) reading: Reading,
}

/// How two wordings read aloud.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// With the same consonants: "pear" and "pair", but "bell" and "bull" as well.
    Alike,
    /// Otherwise.
    Otherwise,
}

/// Words that turn a sentence into its contrary.
// tidy: table
const NEGATIONS: [&str; 28] = [
    "not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "without", "cannot",
    "dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "werent", "wont", "wouldnt", "cant",
    "couldnt", "shouldnt", "hasnt", "havent", "hadnt", "nicht", "kein", "nie",
];
/// Days and months.
// tidy: table
const DATES: [&str; 22] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "yesterday",
    "today",
    "tomorrow",
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
/// Answers.
const ANSWERS: [&str; 6] = ["yes", "yeah", "no", "maybe", "ja", "nein"];
/// Words that say little: one in place of another changes nothing.
// tidy: table
const LITTLE: [&str; 46] = [
    "the", "a", "an", "this", "that", "these", "those", "of", "in", "on", "at", "for", "to",
    "with", "and", "or", "but", "so", "is", "was", "are", "were", "be", "it", "its", "there",
    "here", "then", "than", "as", "by", "from", "into", "about", "just", "really", "very", "well",
    "now", "do", "does", "did", "has", "have", "had", "will",
];

/// How the words of two phrases differ that have most of them in common.
pub(super) fn difference(a: &[Token], b: &[Token]) -> Difference {
    let mut pairs = pairs(a, b);
    pairs.push((a.len(), b.len()));
    let (mut from, mut doubtful) = ((0, 0), Vec::new());
    for (row, column) in pairs {
        let (own, other) = (from.0..row, from.1..column);
        let (x, y) = (words(a, &own), words(b, &other));
        let is_end = row == a.len() && column == b.len() && is_broken_off(x, y);
        let gap = if is_end { None } else { between(x, y) };
        // One letter may make of a word another form of it, a slip or another word: "horses", "colour", "house".
        let (pair, its) = (row..(row + 1).min(a.len()), column..(column + 1).min(b.len()));
        let twins = of_pair(words(a, &pair), words(b, &its));
        for (gap, words) in [(gap, own), (twins, pair)] {
            match gap {
                Some(Gap::Other) => return Difference::Other,
                Some(Gap::Doubtful(reading)) => doubtful.push(Doubt { words, reading }),
                None => {}
            }
        }
        from = (row + 1, column + 1);
    }
    if doubtful.is_empty() { Difference::None } else { Difference::Doubtful(doubtful) }
}

fn words<'a>(of: &'a [Token], range: &Range<usize>) -> &'a [Token] {
    of.get(range.clone()).unwrap_or_default()
}

enum Gap {
    Other,
    Doubtful(Reading),
}

/// What it means that two words differ in at most one letter. If both are sure and a consonant differs,
/// they are different words, unless the word is long.
fn of_pair(a: &[Token], b: &[Token]) -> Option<Gap> {
    let gap = between(a, b)?;
    let is_sure = a.iter().chain(b).all(|word| word.is_sure);
    let is_apart = is_sure && !read_near(&texts(a).concat(), &texts(b).concat());
    Some(if is_apart { Gap::Other } else { gap })
}

/// Whether one take may have broken off before the other's extra words, or in the middle of a word.
fn is_broken_off(a: &[Token], b: &[Token]) -> bool {
    let whole = |words: &[Token]| words.iter().map(|word| word.text.as_str()).collect::<String>();
    let (a, b) = (whole(a), whole(b));
    let is_number = [&a, &b].iter().any(|word| is_figure(word));
    a.is_empty() || b.is_empty() || (!is_number && (a.starts_with(&b) || b.starts_with(&a)))
}

/// What it means that `a` replaces `b` of the other phrase.
fn between(a: &[Token], b: &[Token]) -> Option<Gap> {
    let negations =
        |words: &[Token]| words.iter().filter(|word| is_of(&NEGATIONS, &word.text)).count();
    if negations(a) != negations(b)
        || differ(a, b, |word| is_of(&DATES, word) || is_of(&ANSWERS, word))
    {
        return Some(Gap::Other);
    }
    if differ(a, b, is_number) {
        // "50" and "half" may be one number.
        let figures = |words: &[Token]| words.iter().any(|word| is_figure(&word.text));
        let is_either_way = figures(a) != figures(b);
        let doubtful = Gap::Doubtful(Reading::Otherwise);
        return Some(if is_either_way { doubtful } else { Gap::Other });
    }
    let (own, other) = (telling(a), telling(b));
    if own.is_empty() || other.is_empty() {
        return None;
    }
    let all = |words: &[Token]| words.iter().all(|word| word.is_sure);
    match nearest(&texts(a), &texts(b), &own, &other) {
        Nearness::Same => None,
        // Both were well heard, and nobody hears one for the other: that is another line.
        Nearness::Far if all(a) && all(b) => Some(Gap::Other),
        Nearness::Near | Nearness::Far => {
            let is_alike = read_alike(&own.concat(), &other.concat());
            Some(Gap::Doubtful(if is_alike { Reading::Alike } else { Reading::Otherwise }))
        }
    }
}

/// The nearer of two ways to look at a gap: with all words, or with those alone that tell something.
fn nearest(a: &[&str], b: &[&str], own: &[&str], other: &[&str]) -> Nearness {
    nearness(a, b).min(nearness(own, other))
}

fn texts(words: &[Token]) -> Vec<&str> {
    words.iter().map(|word| word.text.as_str()).collect()
}

/// The words that do not say little.
fn telling(words: &[Token]) -> Vec<&str> {
    texts(words).into_iter().filter(|word| !is_of(&LITTLE, word)).collect()
}

/// Whether both have words of a kind, and others.
fn differ(a: &[Token], b: &[Token], is_kind: impl Fn(&str) -> bool) -> bool {
    let of = |words: &[Token]| -> Vec<String> {
        let kind = words.iter().filter(|word| is_kind(&word.text));
        kind.map(|word| word.text.clone()).collect()
    };
    let (a, b) = (of(a), of(b));
    !a.is_empty() && !b.is_empty() && a != b
}

fn is_of(words: &[&str], word: &str) -> bool {
    words.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembly::takes::numbers::merged;

    fn of(a: &str, b: &str) -> Difference {
        difference(&merged(&Token::all(a)), &merged(&Token::all(b)))
    }

    #[test]
    fn other_numbers_days_answers_and_negations_say_something_else() {
        for (a, b) in [
            ("i did not do that", "i did do that"),
            ("the first question is about work", "the second question is about work"),
            ("it costs ten dollars a day", "it costs twenty dollars a day"),
            ("on monday we went to the market", "on tuesday we went to the market"),
            ("yes i think so too", "no i think so too"),
            ("it costs 250 dollars a day", "it costs 350 dollars a day"),
        ] {
            assert_eq!(of(a, b), Difference::Other, "{a} / {b}");
        }
    }

    #[test]
    fn little_words_and_what_was_broken_off_do_not_count() {
        for (a, b) in [
            ("welcome to the show about old radios", "welcome to this show about old radio"),
            ("water in the morning never at night", "water in the morning"),
            ("welcome to the garden show", "welcome to the show"),
        ] {
            assert_eq!(of(a, b), Difference::None, "{a} / {b}");
        }
    }

    #[test]
    fn a_word_that_is_heard_for_another_is_in_doubt_and_one_that_is_not_says_something_else() {
        let reading = Reading::Otherwise;
        let gap = |words| Difference::Doubtful(vec![Doubt { words, reading }]);
        assert_eq!(of("we grow tomatoes in a garden", "we grow potatoes in a garden"), gap(2..3));
        let (a, b) = ("we grow tomatoes in a garden", "we grow flowers in a garden");
        assert_eq!(of(a, b), Difference::Other);
        let mut unsure = Token::all(b);
        unsure[2].is_sure = false;
        assert_eq!(difference(&Token::all(a), &unsure), gap(2..3), "it may be heard wrongly");
        assert_eq!(of("the house is on a hill", "the horse is on a hill"), Difference::Other);
        let mut unsure = Token::all("the horse is on a hill");
        unsure[1].is_sure = false;
        assert_eq!(difference(&Token::all("the house is on a hill"), &unsure), gap(1..2));
        assert_eq!(of("the bells rang at noon", "the bulls rang at noon"), {
            let reading = Reading::Alike;
            Difference::Doubtful(vec![Doubt { words: 1..2, reading }])
        });
        assert_eq!(of("they want go home", "they wont go home"), Difference::Other);
        assert_eq!(of("do you want to go now", "do you want to stay here now"), Difference::Other);
    }
}
