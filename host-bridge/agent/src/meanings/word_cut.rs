//! Words that are to be cut out of what is said, or not heard: no tool does it by the word, so each is offered by its
//! time.

use super::placed::clips_of;
use super::spoken::{Among, is_named, phrases};
use super::text::{plain, says, text_of};
use crate::lexer::{Token, TokenKind};
use crate::resolve::{Context, Trouble};
use crate::times::clock_text;
use deskhand_dsp::Frames;
use deskhand_session::{Clip, PhraseId, Segment, Session, TrackId, Word};

/// At most so many places are offered.
const MOST: usize = 4;

/// What people say while they think.
#[rustfmt::skip]
pub(super) const FILLERS: &[&str] = &[
    "um", "ums", "umms", "uh", "uhs", "uhm", "uhms", "er", "ers", "erm", "erms", "ah", "ahs", "filler", "fillers",
    "hesitations", "umming", "errs", "hmm", "hmms",
];

/// Words that people say by habit, and that also mean something: who removes them removes no phrase.
#[rustfmt::skip]
const HABITS: &[&str] = &[
    "basically", "actually", "literally", "honestly", "obviously", "essentially", "you know", "i mean", "sort of",
    "kind of", "kinda", "sorta", "like",
];

/// What is wanted of a word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    /// That it is gone, with its time.
    Gone,
    /// That it is not heard.
    Silent,
}

/// Where a word is heard.
struct Place {
    track: TrackId,
    from: f64,
    to: f64,
}

/// Whether tokens are words that are said by habit, in quotes or not.
pub(crate) fn is_habit(tokens: &[Token]) -> bool {
    let words = match tokens {
        [Token { kind: TokenKind::Quote(text), .. }] => plain(text),
        words => words.iter().map(|it| it.word().unwrap_or("?")).collect::<Vec<_>>().join(" "),
    };
    HABITS.contains(&words.as_str())
}

/// "ums", "filler words", "ums and uhs".
pub(super) fn is_filler(tokens: &[Token]) -> bool {
    let mut words = tokens.iter().map(|token| token.word().unwrap_or_default());
    let known = |word: &str| FILLERS.contains(&word) || matches!(word, "and" | "words" | "sounds");
    FILLERS.contains(&words.clone().next().unwrap_or_default()) && words.all(known)
}

/// Whether tokens are words in quotes that somebody says among others: what takes them away takes no whole phrase.
pub(super) fn is_part(tokens: &[Token], session: &Session) -> bool {
    let [Token { kind: TokenKind::Quote(text), .. }] = tokens else { return false };
    let wanted = plain(text);
    // A phrase may be quoted by its first words: "Today we talk…".
    let breaks_off = text.trim_end().ends_with('…') || text.trim_end().ends_with("...");
    let is_whole =
        |id: &PhraseId| session.spoken(*id).is_some_and(|spoken| plain(&spoken.text) == wanted);
    let is_said = |segment: &Segment| {
        format!(" {} ", plain(&segment.text())).contains(&format!(" {wanted} "))
    };
    !wanted.is_empty()
        && !breaks_off
        && !is_named(&wanted, session)
        && session.segments.values().any(is_said)
        && !session.phrases.keys().any(is_whole)
}

/// Phrases go where they are said whole: words out of one go by their time, one place after another.
pub(super) fn no_phrase(part: &[Token], context: &Context<'_>) -> Trouble {
    let text = text_of(part, context);
    let reason = format!("\"{text}\" is a part of what is said, and cut by its time");
    Trouble::new(reason, [format!("search for \"{text}\"")])
}

/// The phrases that say the words, to go as a whole.
fn phrases_with(wanted: &str, session: &Session) -> Vec<String> {
    let numbered = (1..).zip(&session.assembly.order);
    let saying = numbered.filter(|(_, id)| says(**id, wanted, session));
    saying.take(2).map(|(number, _)| format!("remove phrase {number}")).collect()
}

/// The phrases that tokens point at.
pub(crate) fn phrases_named(tokens: &[Token], context: &Context<'_>) -> Option<Vec<PhraseId>> {
    phrases(tokens, Among::Playing, context)?.ok()
}

/// Where the words are heard, in some phrases or in all that plays, each to be cut or turned down there.
pub(crate) fn where_said(
    words: &[Token],
    within: Option<&[PhraseId]>,
    wish: Wish,
    context: &Context<'_>,
) -> Trouble {
    let session = context.scope.session;
    let text = text_of(words, context);
    let wanted = plain(&text);
    let places = places(session, &wanted, within);
    let search = format!("search for \"{text}\"");
    if FILLERS.contains(&wanted.as_str()) && within.is_none() {
        let reason = "um, uh, er and hmm are cut together, as fillers";
        return Trouble::new(reason, ["cut the ums".to_owned(), search]);
    }
    let reason = match (&places[..], wish) {
        ([], _) => format!("\"{text}\" is not heard there"),
        (_, Wish::Gone) => "a word is cut by its time, and what follows moves up".to_owned(),
        (_, Wish::Silent) => "a word is turned down by its time".to_owned(),
    };
    let offers = places.iter().take(MOST).map(|place| offer(place, wish, session));
    let whole = match wish {
        Wish::Gone => phrases_with(&wanted, session),
        Wish::Silent => Vec::new(),
    };
    Trouble::new(reason, offers.chain(whole).chain([search]).collect::<Vec<_>>())
}

/// What takes one place away; of tracks that are cut together, all.
fn offer(place: &Place, wish: Wish, session: &Session) -> String {
    let (from, to) = (clock_text(place.from), clock_text(place.to));
    let track = session.name_of(place.track.into());
    match wish {
        Wish::Gone => {
            let group = session.group_of(place.track).map(|(_, group)| group.name.clone());
            format!("ripple delete from {from} to {to} on {}", group.unwrap_or(track))
        }
        Wish::Silent => format!("turn {track} down by 60 dB from {from} to {to}"),
    }
}

/// Wherever the words are heard, in some phrases or in all that plays.
fn places(session: &Session, wanted: &str, within: Option<&[PhraseId]>) -> Vec<Place> {
    let clips: Vec<&Clip> = match within {
        Some(ids) => {
            let clips = ids.iter().flat_map(|id| clips_of(session, *id));
            clips.map(|(_, clip)| clip).collect()
        }
        None => session.clips.values().filter(|clip| session.is_clip_audible(clip)).collect(),
    };
    let mut places: Vec<Place> =
        clips.into_iter().flat_map(|clip| heard_in(session, clip, wanted)).collect();
    places.sort_by(|a, b| a.from.total_cmp(&b.from));
    places
}

/// The places of the words in what one clip plays.
fn heard_in(session: &Session, clip: &Clip, wanted: &str) -> Vec<Place> {
    let seconds = |at: Frames| (clip.position + (at - clip.start)).seconds(session.rate).0;
    let is_played = |(start, end): &(Frames, Frames)| {
        clip.start <= *start && *end <= clip.start + clip.length && start < end
    };
    let said = session.transcript_of(clip.source);
    let spans = said.iter().flat_map(|(_, segment)| spans(segment, wanted));
    let played = spans.filter(is_played);
    let place = |(start, end)| Place { track: clip.track, from: seconds(start), to: seconds(end) };
    played.map(place).collect()
}

/// From when to when the words stand in a segment; punctuation and case do not count.
fn spans(segment: &Segment, wanted: &str) -> Vec<(Frames, Frames)> {
    let count = wanted.split(' ').count();
    let is_it = |words: &&[Word]| {
        let texts: Vec<String> = words.iter().map(|word| plain(&word.text)).collect();
        !wanted.is_empty() && texts.join(" ") == wanted
    };
    let ends = |words: &[Word]| Some((words.first()?.start, words.last()?.end));
    segment.words.windows(count).filter(is_it).filter_map(ends).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::lex;
    use deskhand_session::SourceId;

    #[test]
    fn words_are_found_by_what_they_are_without_punctuation() {
        let word = |text: &str, at: i64| Word {
            text: text.into(),
            start: Frames(at),
            end: Frames(at + 10),
            confidence: None,
        };
        let words = vec![word("Money,", 0), word("you", 10), word("know,", 20), word("money.", 30)];
        let segment = Segment::new(SourceId::new(1), Frames::ZERO, Frames(40));
        let segment = Segment { words, ..segment };
        let starts = |wanted: &str| {
            spans(&segment, wanted).into_iter().map(|(start, _)| start.0).collect::<Vec<_>>()
        };
        assert_eq!(starts("money"), [0, 30]);
        assert_eq!(starts("you know"), [10]);
        assert_eq!(starts("mon"), [0; 0]);
        assert_eq!(starts(""), [0; 0]);
    }

    #[test]
    fn habits_are_words_that_say_nothing_there() {
        let is = |text: &str| is_habit(&lex(text));
        assert!(is("basically") && is("\"you know\"") && is("sort of"));
        assert!(!is("money") && !is("the kind of music") && !is(""));
    }
}
