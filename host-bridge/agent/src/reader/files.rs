//! Names of files in a sentence: in quotes, as a path, or as a word with an ending.

use crate::lexer::{Token, TokenKind};
use deskhand_session::{Session, Source, SourceId};

/// The most characters of an ending: `srt`, `mp3`, `wav`.
const LONGEST_ENDING: usize = 5;
/// Longer ones, of projects and timelines.
const LONG_ENDINGS: [&str; 3] = ["ardour", "dawproject", "fcpxml"];

/// The file that is named from a token on, and the index of the token behind it.
pub(super) fn at(text: &str, tokens: &[Token], at: usize) -> Option<(String, usize)> {
    let first = tokens.get(at)?;
    if let TokenKind::Quote(written) = &first.kind {
        return ending(written).map(|_| (written.clone(), at + 1));
    }
    let is_start = text.get(..first.start)?.chars().next_back().is_none_or(char::is_whitespace);
    let word = text.get(first.start..)?.split(char::is_whitespace).next()?;
    let word = word.trim_end_matches([',', '.', ';', '!', '?', ')']);
    ending(word).filter(|_| is_start)?;
    let end = first.start + word.len();
    let next = tokens.iter().skip(at).position(|token| token.start >= end);
    Some((word.to_owned(), next.map_or(tokens.len(), |more| at + more)))
}

/// The ending of a file name; `None` if the text is no file name: "2.5dB", "fine.Then".
pub(super) fn ending(name: &str) -> Option<String> {
    let (stem, ending) = name.rsplit_once('.')?;
    let is_of = |case: fn(&char) -> bool| ending.chars().all(|c| case(&c) || c.is_ascii_digit());
    // "SONG.RPP" is a file, and "fine.Then" is none.
    let is_word = is_of(char::is_ascii_lowercase) || is_of(char::is_ascii_uppercase);
    let has_letter = |text: &str| text.chars().any(char::is_alphabetic);
    // "4.5s" is a time.
    let is_number = stem.parse::<f64>().is_ok() && ending.starts_with(|c: char| c.is_ascii_digit());
    let has_length = (2..=LONGEST_ENDING).contains(&ending.len()) || LONG_ENDINGS.contains(&ending);
    let fits = !is_number && has_length && is_word && has_letter(ending);
    let is_file = fits && !stem.is_empty() && !stem.ends_with(char::is_whitespace);
    is_file.then(|| ending.to_ascii_lowercase())
}

/// A source by the name of its file.
pub(super) fn source_of(session: &Session, text: &str) -> Option<SourceId> {
    let wanted = text.trim().to_lowercase();
    if !wanted.contains('.') {
        return None;
    }
    let sources = session.sources.iter();
    let is_called = |name: &str| name.to_lowercase() == wanted;
    let mut named =
        sources.filter(|(_, source)| is_called(&source.name) || is_called(file_of(source)));
    let (id, _) = named.next()?;
    named.next().is_none().then_some(*id)
}

/// The name of the file of a source, with its ending.
fn file_of(source: &Source) -> &str {
    source.path.rsplit(['/', '\\']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::lex;

    #[test]
    fn a_file_is_a_word_with_an_ending_a_path_or_a_quote() {
        let found = |text: &str| at(text, &lex(text), 0);
        assert_eq!(found("rough-mix_2.wav, then"), Some(("rough-mix_2.wav".into(), 5)));
        assert_eq!(found("/a b/c.srt"), None);
        assert_eq!(found("/tmp/c.d/e.srt."), Some(("/tmp/c.d/e.srt".into(), 1)));
        assert_eq!(found("\"my show.mp3\" and"), Some(("my show.mp3".into(), 1)));
        assert_eq!(found("~/a/Song.RPP"), Some(("~/a/Song.RPP".into(), 1)));
        assert_eq!(found("band.dawproject"), Some(("band.dawproject".into(), 3)));
        assert_eq!(found("-2.5dB"), None);
        assert_eq!(found("4.5s on"), None);
        assert_eq!(found("kick.Then"), None);
        assert_eq!(found("kick. Then"), None);
    }
}
