//! Times in what is offered: an example that names a place behind the end gets one that is there.

use crate::lexer::{Token, TokenKind, lex};
use crate::offers::Ground;
use crate::reading::{Reading, RequestKind};
use crate::times::{clock_text, time_at};
use deskhand_dsp::Frames;
use deskhand_session::{Clip, ObjectId};
use std::ops::Range;

/// Words ahead of a time that is a place and no length.
const AHEAD_OF_PLACES: [&str; 5] = ["from", "to", "at", "until", "between"];

/// In less time than this, in seconds, no times stand apart that are easy to say.
const SHORTEST: f64 = 1.0;

/// Times are whole seconds where there is at least this from one to the next, in seconds; else tenths of one.
const APART: f64 = 2.0;

/// A place on the timeline, as an offer says it.
struct Place {
    /// Where it stands in the offer.
    bytes: Range<usize>,
    seconds: f64,
    /// Whether it is written as 1:30.
    is_clock: bool,
}

/// The offer with places that are in the session, or in the clip that it is about; none where its own are, or where
/// one of them was said by the person who `asked`.
pub(crate) fn moved(offer: &str, asked: &str, ground: &Ground<'_>) -> Option<String> {
    let places = places(offer);
    if places.is_empty() {
        return None;
    }
    let span = span(&(ground.read)(offer), ground);
    let is_there = |place: &Place| (span.start..=span.end).contains(&place.seconds);
    let text_of = |place: &Place| offer.get(place.bytes.clone());
    let is_said = |place: &Place| text_of(place).is_some_and(|text| asked.contains(text));
    let length = span.end - span.start;
    if places.iter().all(is_there) || places.iter().any(is_said) || length < SHORTEST {
        return None;
    }
    let step = length / places.iter().fold(1.0, |count, _| count + 1.0);
    let unit = if step < APART { 0.1 } else { 1.0 };
    let (mut text, mut end, mut at) = (String::new(), 0, span.start);
    for place in &places {
        at += step;
        text.push_str(offer.get(end..place.bytes.start)?);
        text.push_str(&place.said_as((at / unit).round() * unit));
        end = place.bytes.end;
    }
    Some(text + offer.get(end..)?)
}

impl Place {
    /// Another time, written as this one is.
    fn said_as(&self, seconds: f64) -> String {
        match self.is_clock {
            true => clock_text(seconds),
            false => format!("{} seconds", (seconds * 1000.0).round() / 1000.0),
        }
    }
}

/// The places in an offer, in their order.
fn places(offer: &str) -> Vec<Place> {
    let tokens = lex(offer);
    let mut places = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let Some((time, next)) = time_at(&tokens, at) else {
            at += 1;
            continue;
        };
        let is_clock = matches!(tokens[at].kind, TokenKind::Clock(_));
        let before = at.checked_sub(1).and_then(|before| tokens.get(before)).and_then(Token::word);
        if is_clock || before.is_some_and(|word| AHEAD_OF_PLACES.contains(&word)) {
            let bytes = tokens[at].start..tokens[next - 1].end;
            places.push(Place { bytes, seconds: time.seconds, is_clock });
        }
        at = next;
    }
    places
}

/// Where the times of a request can lie, in seconds.
fn span(reading: &Reading, ground: &Ground<'_>) -> Range<f64> {
    let session = ground.session;
    let seconds = |at: Frames| at.seconds(session.rate).0;
    match clip(reading, ground) {
        Some(clip) => seconds(clip.position)..seconds(clip.end()),
        None => 0.0..seconds(session.end()),
    }
}

/// The clip in which they lie.
fn clip<'s>(reading: &Reading, ground: &Ground<'s>) -> Option<&'s Clip> {
    reading.understood.iter().find_map(|request| match &request.kind {
        RequestKind::Call { tool, .. } if ground.vocabulary.is_inside_clips(tool) => {
            request.targets.iter().find_map(|target| match target.id {
                ObjectId::Clip(id) => ground.session.clips.get(&id),
                _ => None,
            })
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::places;

    #[test]
    fn places_are_told_from_lengths() {
        let shown = |offer: &str| {
            let found = places(offer);
            found.iter().map(|place| offer[place.bytes.clone()].to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(shown("trim it from 5 seconds to 20 seconds"), ["5 seconds", "20 seconds"]);
        assert_eq!(shown("ripple insert 5 seconds at 0:30 on it"), ["0:30"]);
        assert_eq!(shown("fade it out over 2 seconds"), [""; 0]);
        assert_eq!(shown("trim the first 2 seconds off it"), [""; 0]);
    }
}
