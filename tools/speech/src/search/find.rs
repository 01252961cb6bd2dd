//! Finds places where words are said, exactly or nearly, and the nearest place if there is none.

use super::texts::{Text, Texts, is_word, parts};
use deskhand_toolkit::ToolError;
use std::collections::BTreeMap;
use std::ops::Range;

/// Words that are at least this similar match: 1 is the same.
pub(super) const ALIKE: f64 = 0.75;
/// Letters of a short word; shorter ones must be the same.
const SHORT: usize = 3;
/// In a query of at least this many words, one short word may differ by any one letter.
const COMPANY: usize = 3;
/// Words less alike than this on average are not near.
const NEAR: f64 = 0.7;
/// The search asks whether to go on after this many words.
const AT_ONCE: usize = 4096;

/// The query, and the text to search.
pub(super) struct Search<'a> {
    /// Words in the order in which they are said.
    pub(super) words: Vec<&'a str>,
    /// The words of the query, each with at least one letter.
    pub(super) query: &'a [String],
    /// Whether words are of one recording.
    pub(super) is_of_one: &'a dyn Fn(&Range<usize>) -> bool,
    /// Whether to go on.
    pub(super) check: &'a dyn Fn() -> Result<(), ToolError>,
}

/// A place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    /// How alike, up to 1.
    pub(super) score: f64,
    pub(super) words: Range<usize>,
}

/// Words or parts of words, and the index of the word that each belongs to.
struct Heard {
    texts: Texts,
    of: Vec<usize>,
}

impl Heard {
    /// The words. A dash alone is not a word.
    fn whole(words: &[&str]) -> Self {
        let heard = words.iter().enumerate().filter(|(_, word)| is_word(word));
        let (of, heard): (Vec<usize>, Vec<&str>) = heard.map(|(at, word)| (at, *word)).unzip();
        Self { texts: Texts::of(heard.into_iter()), of }
    }

    /// The parts of words between dashes: "cold-hearted" is "cold" and "hearted".
    fn parts(words: &[&str]) -> Self {
        let all = words.iter().enumerate();
        let heard = all.flat_map(|(at, word)| parts(word).map(move |part| (at, part)));
        let (of, heard): (Vec<usize>, Vec<&str>) = heard.unzip();
        Self { texts: Texts::of(heard.into_iter()), of }
    }
}

impl Search<'_> {
    /// All places, in order of time. If there are none, the nearest place, if one is near.
    pub(super) fn found(&self) -> Result<(Vec<Found>, Option<Found>), ToolError> {
        let (heard, query) =
            (Heard::whole(&self.words), Texts::of(self.query.iter().map(String::as_str)));
        let query_parts = Texts::of(self.query.iter().flat_map(|word| parts(word)));
        let mut found = BTreeMap::new();
        self.look(&heard, &query, &mut found)?;
        if query_parts.len() > 1 {
            self.look(&Heard::parts(&self.words), &query_parts, &mut found)?;
        }
        // A short word with another letter only counts if the exact word is not said.
        let is_said = found.values().any(|(is_other, _)| !is_other);
        found.retain(|_, (is_other, _)| !(is_said && *is_other));
        let nearest = if found.is_empty() { self.nearest(&heard, &query)? } else { None };
        let place = |((start, end), (_, score))| Found { score, words: start..end };
        Ok((found.into_iter().map(place).collect(), nearest))
    }

    /// Adds places by their words: whether a short word is another, and how alike they are.
    fn look(
        &self,
        heard: &Heard,
        query: &Texts,
        found: &mut BTreeMap<(usize, usize), (bool, f64)>,
    ) -> Result<(), ToolError> {
        for (at, words) in self.places(heard, query).enumerate() {
            if at % AT_ONCE == 0 {
                (self.check)()?;
            }
            let Some((score, is_other)) = alike(&heard.texts, at, query) else { continue };
            if (self.is_of_one)(&words) {
                let best = found.entry((words.start, words.end)).or_insert((is_other, score));
                if (!is_other, score) > (!best.0, best.1) {
                    *best = (is_other, score);
                }
            }
        }
        Ok(())
    }

    /// The nearest place; `None` if nothing is near.
    fn nearest(&self, heard: &Heard, query: &Texts) -> Result<Option<Found>, ToolError> {
        let mut best: Option<Found> = None;
        for (at, words) in self.places(heard, query).enumerate() {
            if at % AT_ONCE == 0 {
                (self.check)()?;
            }
            let least = best.as_ref().map_or(NEAR, |best| best.score);
            let is_better = |score: &f64| best.is_none() || *score > least;
            let score = near(&heard.texts, at, query, least).filter(is_better);
            if let Some(score) = score.filter(|_| (self.is_of_one)(&words)) {
                best = Some(Found { score, words });
            }
        }
        Ok(best)
    }

    /// The words of each place at which as many are heard as are looked for.
    fn places(&self, heard: &Heard, query: &Texts) -> impl Iterator<Item = Range<usize>> {
        let words = |of: &[usize]| of.first().copied().zip(of.last().copied());
        let range = |(first, last): (usize, usize)| first..last + 1;
        heard.of.windows(query.len().max(1)).map(move |of| words(of).map_or(0..0, range))
    }
}

/// How alike the words from the `at`th on are to those of a query, and whether a short one differs. `None`
/// if one of them is another word.
fn alike(texts: &Texts, at: usize, query: &Texts) -> Option<(f64, bool)> {
    let (mut sum, mut others) = (0.0, 0);
    for index in 0..query.len() {
        let (have, want) = (texts.get(at + index), query.get(index));
        if have.text == want.text {
            sum += 1.0;
            continue;
        }
        let is_short = have.text.len().min(want.text.len()) <= SHORT;
        others += usize::from(is_short);
        let score = if is_short { likeness_short(have, want) } else { likeness(have, want) };
        let is_in_company = is_short && query.len() >= COMPANY;
        if score == 0.0 || others > 1 || (score < ALIKE && !is_in_company) {
            return None;
        }
        sum += score;
    }
    Some((sum / query.len() as f64, others > 0))
}

/// How alike the words from the `at`th on are to those of a query, on average; `None` if that is less than
/// `least`.
fn near(texts: &Texts, at: usize, query: &Texts, least: f64) -> Option<f64> {
    let words = || (0..query.len()).map(move |index| (texts.get(at + index), query.get(index)));
    let most_lost = (1.0 - least) * query.len() as f64;
    let long = |(have, want): (Text<'_>, Text<'_>)| have.text.len().max(want.text.len()).max(1);
    let edits = |both: (Text<'_>, Text<'_>)| f64::from(least_edits(both.0, both.1));
    if words().map(|both| edits(both) / long(both) as f64).sum::<f64>() > most_lost {
        return None;
    }
    let mut lost = 0.0;
    for (have, want) in words() {
        lost += 1.0 - strsim::normalized_damerau_levenshtein(have.text, want.text);
        if lost > most_lost {
            return None;
        }
    }
    Some(1.0 - lost / query.len() as f64)
}

/// A word of three letters, and one of three or four that is another by one letter or by two that are swapped; else 0.
fn likeness_short(have: Text<'_>, want: Text<'_>) -> f64 {
    let letters = |text: Text<'_>| text.text.chars().count();
    let (long, short) = (letters(have).max(letters(want)), letters(have).min(letters(want)));
    if short != SHORT || long > SHORT + 1 || least_edits(have, want) > 1 {
        return 0.0;
    }
    match strsim::damerau_levenshtein(have.text, want.text) {
        1 => 1.0 - 1.0 / long as f64,
        _ => 0.0,
    }
}

/// Of words of four letters and more: lengths that differ much, or letters that the other has not, cannot be alike.
pub(super) fn likeness(have: Text<'_>, want: Text<'_>) -> f64 {
    let (long, short) =
        (have.text.len().max(want.text.len()), have.text.len().min(want.text.len()));
    if short * 4 < long * 3 {
        return 0.0;
    }
    if f64::from(least_edits(have, want)) > (1.0 - ALIKE) * long as f64 {
        return 0.0;
    }
    strsim::normalized_damerau_levenshtein(have.text, want.text)
}

/// Each letter that only one of them has takes an edit of its own, and an edit mends one of each at most.
fn least_edits(have: Text<'_>, want: Text<'_>) -> u32 {
    let only = |a: Text<'_>, b: Text<'_>| (a.letters & !b.letters).count_ones();
    only(have, want).max(only(want, have))
}
