//! Where the words are that somebody corrects.

use super::{Written, refuse, segment};
use crate::assembly;
use deskhand_session::text::count;
use deskhand_session::{PhraseId, SegmentId, Session, Word};
use deskhand_toolkit::{Code, ToolError};
use std::ops::Range;

/// The words of a segment, in their order.
pub(super) type Places = Vec<(SegmentId, Vec<Range<usize>>)>;

/// The words that a call corrects.
pub(super) fn places(session: &Session, params: &Written) -> Result<Places, ToolError> {
    let phrase = params.phrase.as_deref().map(|id| assembly::phrase(session, id)).transpose()?;
    match (&params.segment_id, &params.old, phrase) {
        (Some(id), None, None) => by_number(session, id, params),
        (None, Some(old), Some(phrase)) => in_phrase(session, phrase, old),
        (None, Some(old), None) => everywhere(session, old, params.everywhere),
        (None, None, Some(phrase)) => whole(session, phrase),
        (None, None, None) | (Some(_), _, _) => {
            let fix = "give `old`, `phrase` or both; or `segment_id`";
            Err(refuse(Code::BadParams, "it does not say which words", fix))
        }
    }
}

/// Words by their number in a segment.
fn by_number(session: &Session, id: &str, params: &Written) -> Result<Places, ToolError> {
    let (id, segment) = segment(session, id)?;
    let held = segment.words.len();
    let length = params.count.unwrap_or(held.saturating_sub(params.first));
    let end = params.first.saturating_add(length);
    if length == 0 || end > held {
        let message = format!(
            "the segment has {}, and words {} to {} were asked for",
            count(held, "word"),
            params.first,
            end.saturating_sub(1)
        );
        return Err(refuse(Code::BadParams, message, "count the words of the segment from 0"));
    }
    Ok(vec![(id, std::iter::once(params.first..end).collect())])
}

/// All words of a phrase, if they are one segment.
fn whole(session: &Session, phrase: PhraseId) -> Result<Places, ToolError> {
    let segments = segments_of(session, phrase);
    let [id] = segments[..] else {
        let message =
            format!("the phrase has {} of the transcript", count(segments.len(), "segment"));
        return Err(refuse(Code::BadParams, message, "give `old`: only the words that are wrong"));
    };
    let words = session.segments.get(&id).map_or(0, |segment| segment.words.len());
    Ok(vec![(id, std::iter::once(0..words).collect())])
}

fn in_phrase(session: &Session, phrase: PhraseId, old: &str) -> Result<Places, ToolError> {
    let found = said(session, segments_of(session, phrase), old);
    if found.is_empty() {
        let name = session.name_of(phrase.into());
        let message = format!("\"{name}\" does not say \"{old}\"");
        return Err(refuse(Code::NoTarget, message, "see tool_list_phrases for what it says"));
    }
    Ok(found)
}

/// Wherever words are said: in one place, unless all are meant. What another microphone heard is none of its own.
fn everywhere(session: &Session, old: &str, is_every: bool) -> Result<Places, ToolError> {
    let own = session.segments.iter().filter(|(_, it)| !it.is_bleed());
    let found = said(session, own.map(|(id, _)| *id).collect(), old);
    match found.iter().map(|(_, ranges)| ranges.len()).sum() {
        0 => {
            let fix = "see tool_search_transcript for what is said";
            Err(refuse(Code::NoTarget, format!("nobody says \"{old}\""), fix))
        }
        1 => Ok(found),
        _ if is_every => Ok(found),
        many => {
            let message = format!("\"{old}\" is said {}", count(many, "time"));
            let fix = "say in which `phrase`, or correct it `everywhere`";
            Err(refuse(Code::BadParams, message, fix))
        }
    }
}

fn segments_of(session: &Session, phrase: PhraseId) -> Vec<SegmentId> {
    session.phrases.get(&phrase).map(|it| it.segments.clone()).unwrap_or_default()
}

/// Where words are said in segments, punctuation and capitals aside.
fn said(session: &Session, segments: Vec<SegmentId>, old: &str) -> Places {
    let (wanted, length) = (plain(old), old.split_whitespace().count());
    let in_segment = |id: SegmentId| {
        let words = session.segments.get(&id).map(|it| &it.words[..]).unwrap_or_default();
        let (mut ranges, mut at) = (Vec::new(), 0);
        while let Some(here) = words.get(at..at + length).filter(|_| !wanted.is_empty()) {
            let is_it = plain(&text(here)) == wanted;
            if is_it {
                ranges.push(at..at + length);
            }
            at += if is_it { length } else { 1 };
        }
        (id, ranges)
    };
    segments.into_iter().map(in_segment).filter(|(_, ranges)| !ranges.is_empty()).collect()
}

/// Lower case, without punctuation, one space between words.
fn plain(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let words: Vec<_> = words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    words.join(" ")
}

pub(super) fn text(words: &[Word]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// New words with the punctuation around the old ones, and with their capital.
pub(super) fn dressed(old: &str, new: &str) -> String {
    let is_mark = |c: char| !c.is_alphanumeric();
    let before = &old[..old.len() - old.trim_start_matches(is_mark).len()];
    let after = &old[old.trim_end_matches(is_mark).len()..];
    let mut letters = new.chars();
    let Some(first) = letters.next() else { return String::new() };
    let is_capital = old.trim_start_matches(is_mark).starts_with(char::is_uppercase);
    let first = if is_capital { first.to_uppercase().to_string() } else { first.to_string() };
    let before = if new.starts_with(is_mark) { "" } else { before };
    let after = if new.ends_with(is_mark) { "" } else { after };
    format!("{before}{first}{}{after}", letters.as_str())
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
        assert_eq!(dressed("boat,", ""), "", "the words go, and their marks");
    }
}
