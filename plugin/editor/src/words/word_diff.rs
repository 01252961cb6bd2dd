//! Compares the words of two takes: the words of both, in order, and whether the other take has them too.

/// The most words that are compared; longer texts are only compared that far.
const MOST: usize = 400;

/// Each word of `one`, and whether `other` says it too at its place.
pub(super) fn same_words(one: &[String], other: &[String]) -> Vec<bool> {
    let short = |words: &[String]| words.len().min(MOST);
    let (rows, columns) = (short(one), short(other));
    let wide = columns + 1;
    // The longest run of words that both say, from each place on.
    let mut longest = vec![0usize; (rows + 1) * wide];
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            let here = row * wide + column;
            longest[here] = if one[row] == other[column] {
                longest[here + wide + 1] + 1
            } else {
                longest[here + wide].max(longest[here + 1])
            };
        }
    }
    let mut same = vec![false; one.len()];
    let (mut row, mut column) = (0, 0);
    while row < rows && column < columns {
        let here = row * wide + column;
        if one[row] == other[column] {
            same[row] = true;
            (row, column) = (row + 1, column + 1);
        } else if longest[here + wide] >= longest[here + 1] {
            row += 1;
        } else {
            column += 1;
        }
    }
    same
}

/// A word in a form for comparison: its letters and digits, in lowercase.
pub(super) fn plain(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(plain).collect()
    }

    #[test]
    fn words_that_only_one_take_says_are_marked() {
        let (one, other) = (words("Today, um, we talk"), words("Today we talk about it"));
        assert_eq!(same_words(&one, &other), [true, false, true, true]);
        assert_eq!(same_words(&other, &one), [true, true, true, false, false]);
    }

    proptest! {
        #[test]
        fn both_say_the_same_number_of_words_alike(one in "[ab ]{0,40}", other in "[ab ]{0,40}") {
            let (one, other) = (words(&one), words(&other));
            let count = |a: &[String], b: &[String]| {
                let same = same_words(a, b);
                let kept: Vec<String> =
                    a.iter().zip(same).filter(|it| it.1).map(|it| it.0.clone()).collect();
                kept
            };
            prop_assert_eq!(count(&one, &other).len(), count(&other, &one).len());
        }
    }
}
