//! Words without case and punctuation, many of them in one piece of memory: ten hours of talk are looked through while a
//! person types.

use deskhand_toolkit::text::folded;

/// What joins words to one: hyphens, dashes and the stroke.
const DASHES: [char; 6] = ['-', '/', '\u{2010}', '\u{2011}', '\u{2013}', '\u{2014}'];

/// A list of words in one string.
#[derive(Default)]
pub(super) struct Texts {
    all: String,
    /// Where each ends in `all`, and its letters.
    ends: Vec<(usize, u64)>,
}

/// One of them.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    pub(super) text: &'a str,
    /// A bit for each letter it has; letters may share a bit.
    pub(super) letters: u64,
}

impl Texts {
    /// `words`, each made plain.
    pub(super) fn of<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let mut texts = Self::default();
        for word in words {
            let start = texts.all.len();
            push_plain(&mut texts.all, word);
            let letters = texts.all[start..].chars().fold(0, |bits, c| bits | bit(c));
            texts.ends.push((texts.all.len(), letters));
        }
        texts
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The word at `index`. An index after the last word gives an empty one.
    pub(super) fn get(&self, index: usize) -> Text<'_> {
        let start = index.checked_sub(1).and_then(|before| self.ends.get(before));
        let start = start.map_or(0, |(end, _)| *end);
        let (end, letters) = self.ends.get(index).copied().unwrap_or((start, 0));
        Text { text: self.all.get(start..end).unwrap_or_default(), letters }
    }
}

/// Whether anything of a word is left without its punctuation.
pub(super) fn is_word(word: &str) -> bool {
    word.chars().any(char::is_alphanumeric)
}

/// The parts of a word between its dashes.
pub(super) fn parts(word: &str) -> impl Iterator<Item = &str> {
    word.split(DASHES).filter(|part| is_word(part))
}

/// A word without case and punctuation, its accents with their letters.
pub(super) fn plain(word: &str) -> String {
    let mut plain = String::with_capacity(word.len());
    push_plain(&mut plain, word);
    plain
}

fn push_plain(to: &mut String, word: &str) {
    if word.is_ascii() {
        let kept = word.bytes().filter(u8::is_ascii_alphanumeric);
        to.extend(kept.map(|byte| char::from(byte.to_ascii_lowercase())));
    } else {
        to.extend(folded(word).chars().filter(|c| c.is_alphanumeric()));
    }
}

fn bit(c: char) -> u64 {
    1 << (u32::from(c) % 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kept_one_behind_the_other() {
        let texts = Texts::of(["Don't", "\u{2014}", "\u{c9}TUDE."].into_iter());
        let all: Vec<&str> = (0..4).map(|index| texts.get(index).text).collect();
        assert_eq!(all, ["dont", "", "\u{e9}tude", ""]);
        assert_eq!(texts.get(0).letters.count_ones(), 4);
        assert_eq!(plain("\u{c9}TUDE."), "\u{e9}tude");
        assert_eq!(plain("E\u{301}tude"), "\u{e9}tude", "an accent by itself");
    }
}
