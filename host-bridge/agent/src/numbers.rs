//! Numbers in figures and in words: "minus sixteen", "two and a half", "one hundred and twenty".

use crate::lexer::{Token, TokenKind};

/// A number as it was said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Number {
    /// Its value.
    pub value: f64,
    /// Whether a sign was said.
    pub signed: bool,
}

#[rustfmt::skip]
pub(crate) const SMALL: [&str; 20] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
];
const TENS: [&str; 8] =
    ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const ORDINALS: &[&str] = &[
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
];

/// The place of a word in a list, from 0.
fn place_of(word: &str, list: &[&str]) -> Option<f64> {
    (0_u8..).zip(list).find(|(_, name)| **name == word).map(|(place, _)| f64::from(place))
}

fn digit(token: Option<&Token>) -> Option<f64> {
    place_of(token?.word()?, &SMALL[..10])
}

/// Whether the word is part of a spelled number.
pub(crate) fn is_number_word(word: &str) -> bool {
    let scale = ["hundred", "thousand", "minus", "negative", "plus", "point", "half"];
    [&SMALL[..], &TENS, ORDINALS, &scale].iter().any(|list| list.contains(&word))
}

/// A small number word as a figure: "two" is 2.
pub(crate) fn small(word: &str) -> Option<f64> {
    place_of(word, &SMALL)
}

/// "second" or "2nd" as 2.
pub(crate) fn ordinal_at(tokens: &[Token], at: usize) -> Option<(usize, usize)> {
    let token = tokens.get(at)?;
    if let Some(place) = token.word().and_then(|word| ORDINALS.iter().position(|o| *o == word)) {
        return Some((place + 1, at + 1));
    }
    let suffix = tokens.get(at + 1).and_then(Token::word)?;
    let glued = tokens.get(at + 1).is_some_and(|next| next.start == token.end);
    let whole = whole(token)?;
    (glued && matches!(suffix, "st" | "nd" | "rd" | "th")).then_some((whole, at + 2))
}

/// A token that is a plain whole number.
fn whole(token: &Token) -> Option<usize> {
    match token.kind {
        TokenKind::Number { value, signed: false } if value.fract() == 0.0 => {
            format!("{value}").parse().ok()
        }
        _ => None,
    }
}

/// A whole number of at least 1 in figures or words, without sign.
pub(crate) fn count_at(tokens: &[Token], at: usize) -> Option<(usize, usize)> {
    let (number, next) = number_at(tokens, at)?;
    let fits = !number.signed && number.value >= 1.0 && number.value.fract() == 0.0;
    let count = fits.then(|| format!("{}", number.value).parse().ok())??;
    Some((count, next))
}

/// The number that starts at `at`, and the index behind it.
pub(crate) fn number_at(tokens: &[Token], at: usize) -> Option<(Number, usize)> {
    let sign = tokens.get(at).and_then(Token::word).and_then(|word| match word {
        "minus" | "negative" => Some(-1.0),
        "plus" => Some(1.0),
        _ => None,
    });
    let from = at + usize::from(sign.is_some());
    let (value, written, next) = unsigned_at(tokens, from)?;
    if written && sign.is_some() {
        return None;
    }
    let (extra, next) = and_a_half(tokens, next);
    let magnitude = if value < 0.0 { value - extra } else { value + extra };
    let number =
        Number { value: sign.unwrap_or(1.0) * magnitude, signed: written || sign.is_some() };
    number.value.is_finite().then_some((number, next))
}

/// Value, whether a sign was written in figures, and the index behind.
fn unsigned_at(tokens: &[Token], at: usize) -> Option<(f64, bool, usize)> {
    if let TokenKind::Number { value, signed } = tokens.get(at)?.kind {
        return Some((value, signed, at + 1));
    }
    let (mut value, mut next) = match spelled_at(tokens, at) {
        Some(found) => found,
        None if tokens.get(at)?.is("point") => (0.0, at),
        None => return None,
    };
    if tokens.get(next).is_some_and(|token| token.is("point")) {
        value += digit(tokens.get(next + 1))? / 10.0;
        next += 2;
        if let Some(digit) = digit(tokens.get(next)) {
            value += digit / 100.0;
            next += 1;
        }
    }
    Some((value, false, next))
}

fn and_a_half(tokens: &[Token], at: usize) -> (f64, usize) {
    let is =
        |offset: usize, word: &str| tokens.get(at + offset).is_some_and(|token| token.is(word));
    if is(0, "and") && is(1, "a") && is(2, "half") { (0.5, at + 3) } else { (0.0, at) }
}

/// Words up to 999 999: the sum of tens and units, times hundred or thousand.
fn spelled_at(tokens: &[Token], at: usize) -> Option<(f64, usize)> {
    let (mut value, mut next) = below_hundred(tokens, at)?;
    while let Some(scale) = tokens.get(next).and_then(scale) {
        value *= scale;
        next += 1;
        let skip = usize::from(tokens.get(next).is_some_and(|token| token.is("and")));
        if let Some((rest, behind)) = below_hundred(tokens, next + skip) {
            value += rest;
            next = behind;
        }
    }
    Some((value, next))
}

fn scale(token: &Token) -> Option<f64> {
    match token.word()? {
        "hundred" => Some(100.0),
        "thousand" => Some(1000.0),
        _ => None,
    }
}

fn below_hundred(tokens: &[Token], at: usize) -> Option<(f64, usize)> {
    let word = tokens.get(at)?.word()?;
    if let Some(tens) = place_of(word, &TENS) {
        let unit = digit(tokens.get(at + 1)).filter(|unit| *unit > 0.0);
        let value = 10.0 * (tens + 2.0) + unit.unwrap_or(0.0);
        return Some((value, at + 1 + usize::from(unit.is_some())));
    }
    small(word).map(|value| (value, at + 1))
}

/// "a", "one", "half a", "a couple of" in front of a unit.
pub(crate) fn article_at(tokens: &[Token], at: usize) -> Option<(Number, usize)> {
    const FORMS: &[(&[&str], f64)] = &[
        (&["a", "couple", "of"], 2.0),
        (&["a", "couple"], 2.0),
        (&["half", "a"], 0.5),
        (&["a", "half"], 0.5),
        (&["half"], 0.5),
        (&["a"], 1.0),
        (&["an"], 1.0),
    ];
    let fits = |words: &[&str]| {
        (0..words.len()).all(|i| tokens.get(at + i).is_some_and(|t| t.is(words[i])))
    };
    let (words, value) = FORMS.iter().find(|(words, _)| fits(words))?;
    let number = Number { value: *value, signed: false };
    Some((number, at + words.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::lex;

    fn number(text: &str) -> Option<f64> {
        let tokens = lex(text);
        let (number, next) = number_at(&tokens, 0)?;
        (next == tokens.len()).then_some(number.value)
    }

    #[test]
    fn figures_and_words() {
        let cases = [
            ("-16", -16.0),
            ("minus sixteen", -16.0),
            ("minus 1.5", -1.5),
            ("two and a half", 2.5),
            ("minus one and a half", -1.5),
            ("ninety six", 96.0),
            ("one hundred and twenty eight", 128.0),
            ("sixteen point five", 16.5),
            ("zero point two five", 0.25),
            ("point five", 0.5),
        ];
        for (text, expected) in cases {
            assert_eq!(number(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn two_signs_are_no_number() {
        assert_eq!(number("minus -3"), None);
        assert_eq!(number("loud"), None);
    }

    #[test]
    fn ordinals_in_both_forms() {
        assert_eq!(ordinal_at(&lex("second"), 0), Some((2, 1)));
        assert_eq!(ordinal_at(&lex("3rd"), 0), Some((3, 2)));
        assert_eq!(ordinal_at(&lex("3"), 0), None);
    }
}
