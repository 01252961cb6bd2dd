//! Sentences that write words of a transcript anew where they were misheard: "replace 'boat' by 'goat' in phrase 4".

use super::said::{Built, One, Said, about};
use super::spoken::{plain, says};
use crate::draft::Draft;
use crate::lexer::{Token, TokenKind};
use crate::resolve::Trouble;
use deskhand_session::{PhraseId, SegmentId, Session, Word};
use serde_json::json;

/// The most places that one sentence corrects: each is a step of its own.
const MOST: usize = 20;

/// Words that stand beside each other in a segment.
struct Place {
    segment: SegmentId,
    first: usize,
    count: usize,
}

/// Wherever they are said in a phrase.
pub(super) fn in_phrase(said: &Said<'_>) -> Built {
    let segments = segments_of(said.phrase("p")?, said.session());
    let old = old(said)?;
    let found = places(said.session(), &segments, &old);
    if found.is_empty() {
        let named = said.text("p").unwrap_or_default();
        let reason = format!("{named} does not say \"{old}\"");
        return Err(Trouble::new(reason, ["show the transcript", "show the phrases"]));
    }
    written(said, &found)
}

/// Where they are said once.
pub(super) fn at_once(said: &Said<'_>) -> Built {
    let old = old(said)?;
    let found = everywhere(said, &old)?;
    match found.len() {
        1 => written(said, &found),
        many => Err(where_of(said, &old, many)),
    }
}

/// Wherever they are said at all.
pub(super) fn throughout(said: &Said<'_>) -> Built {
    let old = old(said)?;
    let found = everywhere(said, &old)?;
    match found.len() {
        ..=MOST => written(said, &found),
        many => {
            let reason = format!(
                "\"{old}\" is said {many} times, and at most {MOST} are written anew at once; say in which phrases"
            );
            Err(Trouble::new(reason, [format!("search for \"{old}\"")]))
        }
    }
}

/// All words of a phrase.
pub(super) fn whole(said: &Said<'_>) -> One {
    let segments = segments_of(said.phrase("plain")?, said.session());
    let [segment] = segments[..] else {
        let reason = format!(
            "{} stands in {} pieces of the transcript; replace the words that are wrong",
            said.text("plain").unwrap_or_default(),
            segments.len()
        );
        return Err(Trouble::new(reason, ["replace \"money\" by \"honey\" in phrase 3"]));
    };
    let params = vec![("segment_id", json!(segment)), ("text", json!(said.words("quote")?))];
    Ok(about(segment.into(), "cmd_set_words", params))
}

/// Whether tokens are words alone, or one quote: what stands beside a quote is no part of it.
pub(super) fn are_words(tokens: &[Token]) -> bool {
    let is_quote = |token: &Token| matches!(token.kind, TokenKind::Quote(_));
    tokens.len() == 1 || !tokens.iter().any(is_quote)
}

/// Whether tokens are a quote that no phrase says, so that it names none.
pub(super) fn is_unsaid(tokens: &[Token], session: &Session) -> bool {
    match tokens {
        [Token { kind: TokenKind::Quote(text), .. }] => {
            !session.phrases.keys().any(|id| says(*id, &plain(text), session))
        }
        _ => false,
    }
}

/// The words that were misheard.
fn old(said: &Said<'_>) -> Result<String, Trouble> {
    said.wanted(if said.tokens("quoted").is_some() { "quoted" } else { "old" })
}

/// What is said instead.
fn new(said: &Said<'_>) -> Result<String, Trouble> {
    said.words(if said.tokens("unsaid").is_some() { "unsaid" } else { "instead" })
}

fn segments_of(phrase: PhraseId, session: &Session) -> Vec<SegmentId> {
    session.phrases.get(&phrase).map(|it| it.segments.clone()).unwrap_or_default()
}

/// Every place where words are said, at least one.
fn everywhere(said: &Said<'_>, old: &str) -> Result<Vec<Place>, Trouble> {
    let session = said.session();
    let told = session.segments.iter().filter(|(_, it)| !it.words.is_empty() && !it.is_bleed());
    let mut told: Vec<_> = told.collect();
    told.sort_by_key(|(id, segment)| (segment.source, segment.start, **id));
    let ids: Vec<SegmentId> = told.into_iter().map(|(id, _)| *id).collect();
    let found = places(session, &ids, old);
    if found.is_empty() {
        let offers = ["show the transcript".to_owned(), format!("search for \"{old}\"")];
        return Err(Trouble::new(format!("nobody says \"{old}\""), offers));
    }
    Ok(found)
}

/// Where words are said, punctuation and capitals aside; those of a segment from its end on, so that what is written
/// anew moves none that are still to come.
fn places(session: &Session, segments: &[SegmentId], old: &str) -> Vec<Place> {
    let wanted = plain(old);
    let count = old.split_whitespace().count();
    let mut found = Vec::new();
    for id in segments.iter().filter(|_| count > 0 && !wanted.is_empty()) {
        let words = session.segments.get(id).map(|it| &it.words[..]).unwrap_or_default();
        let mut end = words.len();
        while let Some(first) = end.checked_sub(count) {
            let is_here = plain(&text(&words[first..end])) == wanted;
            if is_here {
                found.push(Place { segment: *id, first, count });
            }
            end -= if is_here { count } else { 1 };
        }
    }
    found
}

fn text(words: &[Word]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// A call for each place.
fn written(said: &Said<'_>, places: &[Place]) -> Built {
    let new = new(said)?;
    let call = |place: &Place| {
        let words = said.session().segments.get(&place.segment).map(|it| &it.words[..]);
        let old = words.and_then(|words| words.get(place.first..place.first + place.count));
        let params = vec![
            ("segment_id", json!(place.segment)),
            ("first", json!(place.first)),
            ("count", json!(place.count)),
            ("text", json!(dressed(&text(old.unwrap_or_default()), &new))),
        ];
        about(place.segment.into(), "cmd_set_words", params)
    };
    Ok(places.iter().map(call).collect::<Vec<Draft>>())
}

/// New words with the punctuation around the old ones, and with their capital.
fn dressed(old: &str, new: &str) -> String {
    let is_mark = |c: char| !c.is_alphanumeric();
    let before = &old[..old.len() - old.trim_start_matches(is_mark).len()];
    let behind = &old[old.trim_end_matches(is_mark).len()..];
    let mut letters = new.chars();
    let is_capital = old.trim_start_matches(is_mark).starts_with(char::is_uppercase);
    let first: String = match letters.next() {
        Some(first) if is_capital => first.to_uppercase().collect(),
        first => first.into_iter().collect(),
    };
    let before = if new.starts_with(is_mark) { "" } else { before };
    let behind = if new.ends_with(is_mark) { "" } else { behind };
    format!("{before}{first}{}{behind}", letters.as_str())
}

/// Which of several places: each phrase by its number.
fn where_of(said: &Said<'_>, old: &str, many: usize) -> Trouble {
    let session = said.session();
    let new = new(said).unwrap_or_default();
    let numbered = (1..).zip(&session.assembly.order);
    let saying = numbered.filter(|(_, id)| says(**id, &plain(old), session));
    let one = |(number, _)| format!("replace \"{old}\" by \"{new}\" in phrase {number}");
    let mut offers: Vec<String> = saying.map(one).collect();
    offers.push(format!("replace \"{old}\" by \"{new}\" everywhere"));
    Trouble::new(format!("\"{old}\" is said {many} times; say where"), offers)
}

#[cfg(test)]
mod tests {
    use super::dressed;

    #[test]
    fn new_words_keep_the_marks_and_the_capital_of_the_old_ones() {
        assert_eq!(dressed("boat,", "goat"), "goat,");
        assert_eq!(dressed("(Boat", "goat"), "(Goat");
        assert_eq!(dressed("boat.", "goat!"), "goat!");
        assert_eq!(dressed("I", "we"), "We");
        assert_eq!(dressed("boat,", ""), ",");
    }
}
