//! Names of speakers at the front of phrases.

use deskhand_session::Word;

const MOST_WORDS: usize = 4;

/// Words for sounds; they name nobody.
// tidy: table
const SOUNDS: [&str; 40] = [
    "applaus",
    "applause",
    "applaudissements",
    "background noise",
    "beep",
    "blank audio",
    "bleep",
    "cheering",
    "clapping",
    "cough",
    "coughing",
    "coughs",
    "cross talk",
    "crosstalk",
    "gelächter",
    "inaudible",
    "lachen",
    "laughing",
    "laughs",
    "laughter",
    "music",
    "music playing",
    "musik",
    "musique",
    "música",
    "musica",
    "no audio",
    "noise",
    "overlapping",
    "pause",
    "phone ringing",
    "rires",
    "risas",
    "sigh",
    "sighs",
    "silence",
    "sound",
    "static",
    "unintelligible",
    "unverständlich",
];

/// How a name is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Convention {
    /// `Name:`
    Colon,
    /// `[Name]`
    Bracket,
    /// `{Name}`
    Brace,
}

impl Convention {
    pub(super) const ALL: [Self; 3] = [Self::Brace, Self::Bracket, Self::Colon];

    /// What opens and closes a name.
    fn marks(self) -> (&'static str, &'static str) {
        match self {
            Self::Colon => ("", ":"),
            Self::Bracket => ("[", "]"),
            Self::Brace => ("{", "}"),
        }
    }
}

/// The name at the front of words, and the words after it; also from "Ben:hi".
pub(super) fn taken(words: &[Word], convention: Convention) -> Option<(String, Vec<Word>)> {
    let behind = |words: &[Word]| {
        let (name, count) = split(words, convention)?;
        Some((name, words.get(count..)?.to_vec()))
    };
    let close = || behind(&spaced(words).filter(|_| convention == Convention::Colon)?);
    behind(words).or_else(close)
}

/// The words with the first one split after its colon, if a capitalized word comes before the colon and
/// letters follow.
fn spaced(words: &[Word]) -> Option<Vec<Word>> {
    let (first, rest) = words.split_first()?;
    let (name, text) = first.text.split_once(':')?;
    let is_close = name.starts_with(char::is_uppercase)
        && name.chars().all(char::is_alphabetic)
        && text.starts_with(char::is_alphabetic);
    let name = Word { text: format!("{name}:"), ..first.clone() };
    let said = Word { text: text.to_owned(), ..first.clone() };
    is_close.then(|| [name, said].into_iter().chain(rest.iter().cloned()).collect())
}

/// The name at the front of words, and how many words it takes. Some words follow it.
fn split(words: &[Word], convention: Convention) -> Option<(String, usize)> {
    let (open, close) = convention.marks();
    let front = words.iter().take(MOST_WORDS);
    // "[Ann]:" closes a name as well as "[Ann]".
    let closes = |word: &Word| word.text.trim_end_matches([':', ',']).ends_with(close);
    let closes = |word: &Word| if close == ":" { word.text.ends_with(':') } else { closes(word) };
    let count = 1 + front.clone().position(closes)?;
    let parts: Vec<&str> = front.take(count).map(|word| word.text.as_str()).collect();
    let text = parts.join(" ");
    let inside = text.trim_end_matches([':', ',']).strip_prefix(open)?;
    let inside =
        if convention == Convention::Colon { inside } else { inside.strip_suffix(close)? };
    let name = inside.trim();
    let mut letters = name.chars();
    let begins = letters.next().is_some_and(|c| c.is_uppercase() || c.is_ascii_digit());
    let is_name = begins
        && name.chars().count() <= 60
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '.' | '-' | '\'' | '_'));
    let sound = name.to_lowercase().replace(['_', '-'], " ");
    let is_sound = SOUNDS.contains(&sound.as_str());
    (is_name && !is_sound && words.len() > count).then(|| (name.to_owned(), count))
}
