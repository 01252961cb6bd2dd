//! The words that two phrases have in common, in order.

use super::numbers::is_number;
use super::token::Token;

/// The length of the longest sequence of words that both have, in order.
pub(super) fn common(a: &[Token], b: &[Token]) -> usize {
    pairs(a, b).len()
}

/// The longest sequence of words that both have, in order, by their places.
pub(super) fn pairs(a: &[Token], b: &[Token]) -> Vec<(usize, usize)> {
    let width = b.len() + 1;
    // How many words the rests from two places on have in common.
    let mut common = vec![0usize; (a.len() + 1) * width];
    let at = |common: &[usize], row: usize, column: usize| {
        common.get(row * width + column).copied().unwrap_or(0)
    };
    for (row, word) in a.iter().enumerate().rev() {
        for (column, other) in b.iter().enumerate().rev() {
            let longest = match same(&word.text, &other.text) {
                true => at(&common, row + 1, column + 1) + 1,
                false => at(&common, row + 1, column).max(at(&common, row, column + 1)),
            };
            if let Some(cell) = common.get_mut(row * width + column) {
                *cell = longest;
            }
        }
    }
    let (mut row, mut column, mut pairs) = (0, 0, Vec::new());
    while let (Some(word), Some(other)) = (a.get(row), b.get(column)) {
        if same(&word.text, &other.text) {
            pairs.push((row, column));
            (row, column) = (row + 1, column + 1);
        } else if at(&common, row + 1, column) >= at(&common, row, column + 1) {
            row += 1;
        } else {
            column += 1;
        }
    }
    pairs
}

/// Whether two words are the same, or one is heard wrongly by a letter.
pub(in crate::assembly) fn same(a: &str, b: &str) -> bool {
    let is_long = a.chars().count().min(b.chars().count()) >= 4;
    a == b || (is_long && !is_number(a) && !is_number(b) && is_one_off(a, b))
}

/// Whether one letter more, less or another makes one word the other.
fn is_one_off(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let (long, short) = if a.len() >= b.len() { (&a, &b) } else { (&b, &a) };
    if long.len() - short.len() > 1 {
        return false;
    }
    let same = long.iter().zip(short).take_while(|(a, b)| a == b).count();
    let behind = if long.len() == short.len() { same + 1 } else { same };
    long.get(same + 1..) == short.get(behind..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_may_be_heard_wrongly_in_long_words() {
        assert!(same("radio", "radios") && same("color", "colur") && same("mister", "mistar"));
        assert!(!same("eight", "eighty") && !same("25000", "250000"), "numbers are exact");
        assert!(!same("cat", "hat") && !same("radio", "ratios"));
        assert_eq!(common(&Token::all("a b c d"), &Token::all("b x d")), 2);
    }
}
