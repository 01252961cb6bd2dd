//! Warns about words that a person corrected and that a new transcription replaces.

use super::count;
use super::progress::clock;
use deskhand_dsp::Frames;
use deskhand_session::{Segment, SegmentId, Session, SourceId, Word};
use std::collections::BTreeSet;

/// The most words that a warning names.
const NAMED: usize = 5;

/// The warning about words that a person wrote and that differ in the new transcription; `None` if there
/// are none. A manual word has no confidence, while a model gives one to each word.
pub(super) fn warning(
    gone: &[(SegmentId, &Segment)],
    said: &[Segment],
    session: &Session,
) -> Option<String> {
    let is_heard = |segment: &&Segment| {
        let language = segment.description.facts.get("language");
        language.is_some_and(|fact| fact.by == super::NAME)
    };
    let mut heard: Vec<&Segment> = gone.iter().map(|(_, it)| *it).filter(is_heard).collect();
    heard.sort_by_key(|segment| (segment.source, segment.start));
    // A service may say of no word how sure it is.
    let is_sure = |segment: &&&Segment| segment.words.iter().any(|word| word.confidence.is_some());
    let sure: BTreeSet<SourceId> = heard.iter().filter(is_sure).map(|it| it.source).collect();
    let mut lost = Vec::new();
    for segment in heard.into_iter().filter(|segment| sure.contains(&segment.source)) {
        for word in segment.words.iter().filter(|word| word.confidence.is_none()) {
            let now = otherwise(word, segment.source, said);
            lost.extend(now.map(|now| told(word, &now, session)));
        }
    }
    let (are, them, their) = match lost.len() {
        0 => return None,
        1 => ("was", "it", "its phrase"),
        _ => ("were", "them", "their phrases"),
    };
    let words = count(lost.len(), "word");
    let more = lost.len().saturating_sub(NAMED);
    lost.truncate(NAMED);
    lost.extend((more > 0).then(|| format!("{more} more")));
    let lost = lost.join(", ");
    Some(format!(
        "{words} that {are} corrected by hand would be lost: {lost}; to keep {them} reject what changes {their}"
    ))
}

/// The new words in the time of a word; `None` if they equal it.
fn otherwise(word: &Word, source: SourceId, said: &[Segment]) -> Option<String> {
    // A word of no length lies where it begins.
    let end = |word: &Word| word.end.max(word.start + Frames(1));
    let time = word.start..end(word);
    let meets = |it: &&Segment| it.start < time.end && time.start < it.end();
    let near = said.iter().filter(|it| it.source == source).filter(meets);
    let here = near.flat_map(|it| &it.words).filter(|now| {
        time.contains(&now.middle()) || (now.start..end(now)).contains(&word.middle())
    });
    let texts: Vec<&str> = here.map(|now| now.text.as_str()).collect();
    (!texts.contains(&word.text.as_str())).then(|| texts.join(" "))
}

fn told(word: &Word, now: &str, session: &Session) -> String {
    let at = clock(word.start, session.rate);
    match now {
        "" => format!("\"{}\" at {at}", word.text),
        now => format!("\"{}\" at {at}, heard as \"{now}\"", word.text),
    }
}
