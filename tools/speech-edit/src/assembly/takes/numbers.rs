//! Numbers as one word each, in figures. "ten thousand", "10,000" and "2000" are compared by value.

use super::token::Token;

/// From nought to nineteen.
// tidy: table
const UNITS: [&str; 20] = [
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
];
/// From twenty to ninety.
const TENS: [&str; 8] =
    ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
/// From the first to the twelfth.
// tidy: table
const ORDINALS: [&str; 12] = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
];
const SCALES: [(&str, u64); 4] =
    [("hundred", 100), ("thousand", 1_000), ("million", 1_000_000), ("billion", 1_000_000_000)];
/// Amounts that are no numbers.
const AMOUNTS: [&str; 7] = ["once", "twice", "half", "quarter", "dozen", "double", "percent"];
/// How the ends of ordinals are written.
const ENDINGS: [&str; 4] = ["st", "nd", "rd", "th"];

/// What a word adds to a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Value(u64),
    Scale(u64),
    /// Which one, rather than how many.
    Place(u64),
}

impl Part {
    fn of(word: &str) -> Option<Self> {
        let at = |words: &[&str]| words.iter().position(|it| *it == word).map(|at| at as u64);
        let scale = SCALES.iter().find(|(name, _)| *name == word);
        // "twenty-one", without its hyphen
        let joined = TENS.iter().find_map(|tens| Some((*tens, word.strip_prefix(tens)?)));
        if let Some((tens, rest)) = joined.filter(|(_, rest)| !rest.is_empty()) {
            return match (Self::of(tens)?, Self::of(rest)?) {
                (Self::Value(tens), Self::Value(one @ 1..10)) => Some(Self::Value(tens + one)),
                (Self::Value(tens), Self::Place(one @ 1..10)) => Some(Self::Place(tens + one)),
                _ => None,
            };
        }
        at(&UNITS)
            .map(Self::Value)
            .or(at(&TENS).map(|tens| Self::Value(20 + 10 * tens)))
            .or(at(&ORDINALS).map(|place| Self::Place(place + 1)))
            .or(scale.map(|(_, scale)| Self::Scale(*scale)))
            .or(word.parse().ok().map(Self::Value))
            .or_else(|| place(word).map(Self::Place))
    }
}

/// 21 of "21st".
fn place(word: &str) -> Option<u64> {
    ENDINGS.iter().find_map(|ending| word.strip_suffix(ending)?.parse().ok())
}

/// A number as far as it was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Number {
    /// What thousands, millions and billions are worth that were read.
    large: u64,
    /// The number after them, so far.
    small: u64,
    /// The least scale that was read, or nothing.
    scale: Option<u64>,
    is_place: bool,
}

impl Number {
    /// The number with one more part; `None` if that begins another.
    fn with(self, part: Part) -> Option<Self> {
        let Self { large, small, scale, is_place } = self;
        let fits = |value: u64| match small {
            0 => scale.is_none_or(|scale| value < scale),
            // "two hundred" takes up to 99, "twenty" up to nine.
            _ => {
                (small % 100 == 0 && value < 100)
                    || (small % 10 == 0 && small % 100 >= 20 && value < 10)
            }
        };
        match part {
            _ if is_place => None,
            Part::Value(value) => fits(value).then_some(Self { small: small + value, ..self }),
            Part::Place(value) => {
                fits(value).then_some(Self { small: small + value, is_place: true, ..self })
            }
            Part::Scale(100) => (small < 100).then_some(Self { small: small.max(1) * 100, ..self }),
            Part::Scale(new) => {
                let large = large.checked_add(small.max(1).checked_mul(new)?)?;
                let fits = scale.is_none_or(|scale| new < scale);
                fits.then_some(Self { large, small: 0, scale: Some(new), ..self })
            }
        }
    }

    fn worth(self) -> u64 {
        self.large.saturating_add(self.small)
    }

    /// Whether it may be a half of a year that is said in two: "nineteen eighty-four".
    fn is_half_of_year(self) -> bool {
        !self.is_place && (10..100).contains(&self.worth())
    }

    fn text(self) -> String {
        format!("{}{}", self.worth(), if self.is_place { "th" } else { "" })
    }
}

/// Whether a word is written in figures.
pub(super) fn is_figure(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
}

/// Whether a word is a number or a part of one, in figures or not, or an amount.
pub(super) fn is_number(word: &str) -> bool {
    is_figure(word) || Part::of(word).is_some() || AMOUNTS.contains(&word)
}

/// The words with each number as one, in figures.
pub(super) fn merged(words: &[Token]) -> Vec<Token> {
    let (mut merged, mut at) = (Vec::with_capacity(words.len()), 0);
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        let (text, count) = match number(rest) {
            Some((number, count)) => year(number, count, rest),
            None => (rest.first().map(|word| word.text.clone()).unwrap_or_default(), 1),
        };
        merged.extend(Token::joined(text, rest.get(..count).unwrap_or_default()));
        at += count;
    }
    merged
}

/// A number, or two that are one year, and how many words it takes.
fn year(first: Number, count: usize, words: &[Token]) -> (String, usize) {
    let second = number(words.get(count..).unwrap_or_default());
    match second.filter(|(second, _)| first.is_half_of_year() && second.is_half_of_year()) {
        Some((second, more)) => (format!("{}{}", first.text(), second.text()), count + more),
        None => (first.text(), count),
    }
}

/// The number that the words begin with, and how many they are.
fn number(words: &[Token]) -> Option<(Number, usize)> {
    let part = |at: usize| words.get(at).and_then(|word| Part::of(&word.text));
    let is = |at: usize, names: &[&str]| words.get(at).is_some_and(|it| names.contains(&&*it.text));
    // "a hundred" is one.
    let mut at = usize::from(is(0, &["a", "an"]) && matches!(part(1), Some(Part::Scale(_))));
    let mut number = Number::default().with(part(at)?)?;
    at += 1;
    loop {
        // "a hundred and five"
        let joint = usize::from(is(at, &["and"]) && matches!(part(at - 1), Some(Part::Scale(_))));
        let Some(more) = part(at + joint).and_then(|part| number.with(part)) else {
            return Some((number, at));
        };
        (number, at) = (more, at + joint + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_one_word_in_figures() {
        for (said, written) in [
            ("it costs ten thousand dollars", "it costs 10000 dollars"),
            ("two thousand and five hundred", "2500"),
            ("in nineteen eightyfour on the twentyfirst", "in 1984 on the 21th"),
            ("a hundred and five people", "105 people"),
            ("two million three hundred thousand and twenty one", "2300021"),
            ("in nineteen eighty four", "in 1984"),
            ("in twenty twenty and in two thousand twenty", "in 2020 and in 2020"),
            ("2 million", "2000000"),
            ("the twenty first and the 21st", "the 21th and the 21th"),
            ("nineteen hundred", "1900"),
            ("one two three", "1 2 3"),
            ("ten and twenty", "10 and 20"),
            ("a dog and an apple", "a dog and an apple"),
            ("the first second", "the 1th 2th"),
            ("hundred hundred", "100 100"),
        ] {
            let words = Token::all(said);
            let text: Vec<String> = merged(&words).into_iter().map(|word| word.text).collect();
            assert_eq!(text.join(" "), written, "{said}");
        }
    }

    #[test]
    fn no_number_is_too_large() {
        let words = Token::all("18446744073709551615 billion 99999999999999999999 million");
        assert!(!merged(&words).is_empty());
    }
}
