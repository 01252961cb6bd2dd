//! Where two phrases say something else although most of their words are the same.

use super::alike::pairs;
use std::ops::Range;

/// How two phrases differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Difference {
    /// Not in what they say.
    None,
    /// They say something else.
    Other,
    /// In these words of the first, which may be heard wrongly in one of them.
    Doubtful(Vec<Range<usize>>),
}

/// Words that turn a sentence into its contrary.
// tidy: table
const NEGATIONS: [&str; 28] = [
    "not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "without", "cannot",
    "dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "werent", "wont", "wouldnt", "cant",
    "couldnt", "shouldnt", "hasnt", "havent", "hadnt", "nicht", "kein", "nie",
];
/// Numbers as words.
// tidy: table
const NUMBERS: [&str; 51] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
    "hundred",
    "thousand",
    "million",
    "billion",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "once",
    "twice",
    "half",
    "quarter",
    "dozen",
    "double",
    "percent",
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
pub(super) fn difference(a: &[String], b: &[String]) -> Difference {
    let mut pairs = pairs(a, b);
    pairs.push((a.len(), b.len()));
    let (mut from, mut doubtful) = ((0, 0), Vec::new());
    for (row, column) in pairs {
        let (own, other) = (from.0..row, from.1..column);
        let (x, y) = (a.get(own.clone()).unwrap_or_default(), b.get(other).unwrap_or_default());
        // What one of them has more at its end the other may have broken off ahead of.
        let is_end = row == a.len() && column == b.len() && (x.is_empty() || y.is_empty());
        match between(x, y) {
            Some(Gap::Other) if !is_end => return Difference::Other,
            Some(Gap::Doubtful) => doubtful.push(own),
            _ => {}
        }
        from = (row + 1, column + 1);
    }
    if doubtful.is_empty() { Difference::None } else { Difference::Doubtful(doubtful) }
}

enum Gap {
    Other,
    Doubtful,
}

/// What it means that `a` stands where the other phrase has `b`.
fn between(a: &[String], b: &[String]) -> Option<Gap> {
    let negations = |words: &[String]| words.iter().filter(|word| is_of(&NEGATIONS, word)).count();
    if negations(a) != negations(b)
        || differ(a, b, |word| is_of(&DATES, word) || is_of(&ANSWERS, word))
    {
        return Some(Gap::Other);
    }
    if differ(a, b, is_number) {
        // "400" and "four hundred" may be one number.
        let figures = |words: &[String]| words.iter().any(|word| is_figure(word));
        let is_either_way = figures(a) != figures(b);
        return Some(if is_either_way { Gap::Doubtful } else { Gap::Other });
    }
    let says = |words: &[String]| words.iter().any(|word| !is_of(&LITTLE, word));
    (says(a) && says(b)).then_some(Gap::Doubtful)
}

/// Whether both have words of a kind, and others.
fn differ(a: &[String], b: &[String], is_kind: impl Fn(&str) -> bool) -> bool {
    let of = |words: &[String]| -> Vec<String> {
        words.iter().filter(|word| is_kind(word)).cloned().collect()
    };
    let (a, b) = (of(a), of(b));
    !a.is_empty() && !b.is_empty() && a != b
}

fn is_of(words: &[&str], word: &str) -> bool {
    words.contains(&word)
}

fn is_figure(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
}

/// Whether a word is a number, in figures or not.
pub(super) fn is_number(word: &str) -> bool {
    is_figure(word) || is_of(&NUMBERS, word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(a: &str, b: &str) -> Difference {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        difference(&words(a), &words(b))
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
    fn another_word_is_in_doubt() {
        let gap = |at| Difference::Doubtful(vec![at]);
        assert_eq!(of("we grow tomatoes in a garden", "we grow potatoes in a garden"), gap(2..3));
        assert_eq!(of("do you want to go now", "do you want to stay here now"), gap(4..5));
        assert_eq!(
            of("it costs 400 dollars a day", "it costs four hundred dollars a day"),
            gap(2..3)
        );
    }
}
