//! Whether two wordings may be the same words, one misheard: similar in letters, or in the sounds of these
//! letters.

/// Words with two spellings; the longer one has words of its own.
// tidy: table
const SPELLINGS: [(&str, &str); 15] = [
    ("gonna", "going to"),
    ("wanna", "want to"),
    ("gotta", "got to"),
    ("kinda", "kind of"),
    ("sorta", "sort of"),
    ("lemme", "let me"),
    ("cause", "because"),
    ("cuz", "because"),
    ("til", "until"),
    ("ok", "okay"),
    ("grey", "gray"),
    ("mr", "mister"),
    ("mrs", "missus"),
    ("dr", "doctor"),
    ("vs", "versus"),
];
/// How one word ends in its forms, longest first.
const ENDINGS: [&str; 7] = ["ing", "ed", "es", "er", "ly", "s", "d"];
/// The letters of a stem.
const LEAST_STEM: usize = 2;
/// What a contraction leaves out at most, in letters: "wouldn't" of "would not" one, "I'd" of "I would" four.
const CONTRACTED: usize = 4;
/// Share of the letters from which one wording may be the other, heard wrongly.
const NEAR: f64 = 0.7;
/// The same for sounds. There are fewer sounds, and all vowels count as alike: a long word may have one
/// error, a short one none.
const SOUNDS_NEAR: f64 = 0.85;

/// How near two wordings are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Nearness {
    /// One thing in two forms or spellings: "garden", "gardens"; "I am", "I'm".
    Same,
    /// One may be the other, heard wrongly: "tomatoes", "potatoes"; "right", "write".
    Near,
    /// Nobody takes one for the other: "mother", "father".
    Far,
}

/// A word in its full form: "gonna" gives two words.
pub(super) fn written_out(word: &str) -> &str {
    SPELLINGS.iter().find(|(short, _)| *short == word).map_or(word, |(_, long)| long)
}

/// How near two runs of words are, in lower case and without punctuation.
pub(super) fn nearness(a: &[&str], b: &[&str]) -> Nearness {
    let (own, other) = (a.concat(), b.concat());
    let is_form = |(a, b): (&&str, &&str)| stem(&american(a)) == stem(&american(b));
    let by_word = a.len() == b.len() && a.iter().zip(b).all(is_form);
    if own == other || by_word || is_contraction(a, b) || is_contraction(b, a) {
        return Nearness::Same;
    }
    let is_near =
        likeness(&own, &other) >= NEAR || likeness(&sounds(&own), &sounds(&other)) >= SOUNDS_NEAR;
    if is_near { Nearness::Near } else { Nearness::Far }
}

/// A word in American spelling: "color", "organized".
fn american(word: &str) -> String {
    word.replace("our", "or").replace("ise", "ize").replace("ising", "izing")
}

/// Whether two wordings read alike but for their vowels: "pear" and "pair", "bell" and "bull".
pub(super) fn read_alike(a: &str, b: &str) -> bool {
    sounds(a) == sounds(b)
}

/// Whether two wordings read nearly alike but for their vowels, of a long one all consonants but one.
pub(super) fn read_near(a: &str, b: &str) -> bool {
    likeness(&sounds(a), &sounds(b)) >= SOUNDS_NEAR
}

/// What forms of one word have in common: "make" and "making", "plan" and "planned".
fn stem(word: &str) -> String {
    let cut = ENDINGS.iter().find_map(|ending| {
        let stem = word.strip_suffix(ending)?;
        (stem.chars().count() >= LEAST_STEM && stem.contains(is_vowel)).then_some(stem)
    });
    let stem = cut.unwrap_or(word).trim_end_matches('e');
    let mut letters: Vec<char> = stem.chars().collect();
    letters.dedup();
    letters.into_iter().collect()
}

/// Whether one word is several others drawn together.
fn is_contraction(short: &[&str], long: &[&str]) -> bool {
    let [word] = short else { return false };
    let whole = long.concat();
    let left_out = whole.chars().count().checked_sub(word.chars().count());
    let mut rest = whole.chars();
    long.len() > 1
        && left_out.is_some_and(|count| count <= CONTRACTED)
        && word.chars().next() == whole.chars().next()
        && word.chars().last() == whole.chars().last()
        && word.chars().all(|letter| rest.any(|other| other == letter))
}

/// Share of the letters of the longer that need no change to make one the other.
fn likeness(a: &str, b: &str) -> f64 {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (at, own) in a.iter().enumerate() {
        let mut next = vec![at + 1];
        for (other, pair) in b.iter().zip(row.windows(2)) {
            let (replaced, left_out) = (pair[0] + usize::from(own != other), pair[1] + 1);
            let added = next.last().map_or(usize::MAX, |last| last + 1);
            next.push(replaced.min(left_out).min(added));
        }
        row = next;
    }
    let changes = row.last().copied().unwrap_or(0);
    1.0 - changes as f64 / a.len().max(b.len()).max(1) as f64
}

fn is_vowel(letter: char) -> bool {
    "aeiouyäöü".contains(letter)
}

/// How a letter or two at the start of `word` sound in English, and how many letters they are.
fn sound(word: &[char], is_first: bool) -> (&'static str, usize) {
    let at = |index: usize| word.get(index).copied().unwrap_or(' ');
    let is_soft = "eiy".contains(at(1));
    match (at(0), at(1)) {
        ('k' | 'g', 'n') if is_first => ("n", 2),
        ('w', 'r') if is_first => ("r", 2),
        ('w', 'h') if at(2) == 'o' => ("h", 2),
        ('w', 'h') => ("w", 2),
        ('p', 'h') => ("f", 2),
        ('g', 'h') => (if is_first { "g" } else { "" }, 2),
        ('t', 'h') => ("0", 2),
        ('s', 'h') => ("x", 2),
        ('c', 'h') => ("c", 2),
        ('c', 'k') => ("k", 2),
        ('s', 'c') if "eiy".contains(at(2)) => ("s", 2),
        ('m', 'b') if word.len() == 2 => ("m", 2),
        ('c', _) => (if is_soft { "s" } else { "k" }, 1),
        ('g', _) => (if is_soft { "j" } else { "g" }, 1),
        ('q', 'u') => ("kw", 2),
        ('x', _) => ("ks", 1),
        ('z' | 's', _) => ("s", 1),
        ('w' | 'h', _) if !is_first && !is_vowel(at(1)) => ("", 1),
        _ => ("?", 1),
    }
}

/// The sounds of a word in English, roughly: consonants as they sound, any vowels as one mark.
fn sounds(word: &str) -> String {
    let letters: Vec<char> = word.chars().collect();
    let (mut sounds, mut at) = (String::new(), 0);
    while let Some(letter) = letters.get(at) {
        let is_mute = *letter == 'e' && at > 0 && at + 1 == letters.len();
        let (said, count) = match sound(letters.get(at..).unwrap_or_default(), at == 0) {
            _ if is_mute => (String::new(), 1),
            ("?", count) if is_vowel(*letter) && (at > 0 || *letter != 'y') => {
                ("a".to_owned(), count)
            }
            ("?", count) => (letter.to_string(), count),
            (said, count) => (said.to_owned(), count),
        };
        if !sounds.ends_with(&said) {
            sounds += &said;
        }
        at += count;
    }
    sounds
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(a: &str, b: &str) -> Nearness {
        let (a, b): (Vec<&str>, Vec<&str>) = (a.split(' ').collect(), b.split(' ').collect());
        assert_eq!(nearness(&a, &b), nearness(&b, &a), "{a:?} {b:?}");
        nearness(&a, &b)
    }

    #[test]
    fn forms_and_spellings_are_the_same() {
        for (a, b) in [
            ("garden", "gardens"),
            ("make", "making"),
            ("plan", "planned"),
            ("talk", "talked"),
            ("im", "i am"),
            ("theyll", "they will"),
            ("ive", "i have"),
            ("green house", "greenhouse"),
            ("colour", "color"),
            ("organised", "organizing"),
        ] {
            assert_eq!(of(a, b), Nearness::Same, "{a} / {b}");
        }
    }

    #[test]
    fn short_forms_are_written_out() {
        assert_eq!(["gonna", "ok", "talk"].map(written_out), ["going to", "okay", "talk"]);
    }

    #[test]
    fn what_sounds_or_is_written_alike_is_near() {
        for (a, b) in [
            ("tomatoes", "potatoes"),
            ("their", "there"),
            ("right", "write"),
            ("through", "threw"),
            ("knew", "new"),
            ("peace", "piece"),
            ("whole", "hole"),
            ("scene", "seen"),
            ("ill disposed", "old sposed"),
            ("dashwood", "ashwood"),
            ("recognize", "wreck a nice"),
        ] {
            assert_eq!(of(a, b), Nearness::Near, "{a} / {b}");
        }
    }

    #[test]
    fn other_words_are_far() {
        for (a, b) in [
            ("mother", "father"),
            ("brother", "sister"),
            ("go", "stay here"),
            ("open", "close"),
            ("red", "blue"),
            ("he", "she"),
            ("london", "paris"),
            ("summer", "winter"),
        ] {
            assert_eq!(of(a, b), Nearness::Far, "{a} / {b}");
        }
    }
}
