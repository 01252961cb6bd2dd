//! Offers that can be said as they stand: an offer that is no sentence yet, such as the name of a track, is put
//! into the sentence that was not understood, and what would not be understood either is not offered.

use crate::known_words::is_grammar;
use crate::names::{Names, words_of};
use crate::offered_times;
use crate::reader::Vocabulary;
use crate::reading::Reading;
use crate::targets::ANY;
use deskhand_session::Session;

/// Relations in which a name can follow a request.
const BEHIND: [&str; 5] = ["on ", "in ", "of ", "to ", ""];

/// What an offer begins with that follows a request as it stands: "to -16 LUFS".
const RELATED: [&str; 7] = ["to ", "on ", "in ", "of ", "as ", "at ", "for "];

/// Most offers with one unclear part.
const MOST: usize = 8;

/// Most ways to say offers that are tried with one unclear part: each is a reading of its own.
const MOST_TRIED: usize = 150;

/// Most names that an example is tried with.
const MOST_NAMES: usize = 6;

/// How an example begins that takes a whole thing away.
const REMOVES: &str = "remove ";

/// Words that are longer than this, in bytes, are not said again with something else in their place.
const LONGEST: usize = 160;

/// The words that were not understood, and where in them something else could stand.
pub(crate) struct Asked<'a> {
    pub text: &'a str,
    /// Places in `text`, in bytes.
    pub open: &'a [(usize, usize)],
}

impl Asked<'_> {
    /// Whether a name is among the words, which is no word of the language: "show" may be a verb there.
    fn says(&self, name: &str) -> bool {
        let (said, words) = (words_of(self.text), words_of(name));
        let is_there = || said.windows(words.len()).any(|part| part == words);
        !words.is_empty() && !is_grammar(&name.to_lowercase()) && is_there()
    }
}

/// What offers are held against.
pub(crate) struct Ground<'a> {
    pub session: &'a Session,
    pub names: &'a Names,
    pub vocabulary: &'a Vocabulary,
    /// Reads words without a look at what is offered.
    pub read: &'a dyn Fn(&str) -> Reading,
}

impl Ground<'_> {
    fn understands(&self, text: &str) -> bool {
        let reading = (self.read)(text);
        reading.unclear.is_empty() && !reading.understood.is_empty()
    }

    /// Whether it is a name alone, which asks for nothing whatever its words mean: "show (assembly)".
    fn is_name(&self, text: &str) -> bool {
        ANY.iter().any(|kind| self.names.of_kind(*kind).any(|name| name.text == text))
    }

    /// The offer with times that are in the session.
    fn in_time(&self, offer: String, asked: &Asked<'_>) -> String {
        let moved = offered_times::moved(&offer, asked.text, self);
        moved.filter(|moved| self.understands(moved)).unwrap_or(offer)
    }
}

/// The offers as whole requests, in their order, none twice.
pub(crate) fn whole(offers: &[String], asked: &Asked<'_>, ground: &Ground<'_>) -> Vec<String> {
    let mut whole: Vec<String> = Vec::new();
    let mut left = MOST_TRIED;
    for offer in offers.iter().filter(|offer| !offer.trim().is_empty()) {
        let forms = forms(offer, asked, ground);
        let tried = forms.len().min(left);
        let as_it_stands = || forms.into_iter().take(tried).find(|form| ground.understands(form));
        let found = about_said(offer, asked, ground).or_else(as_it_stands);
        left -= tried;
        let found = found.or_else(|| with_names(offer, asked, ground));
        let found = found.map(|found| ground.in_time(found, asked));
        if let Some(found) = found.filter(|found| !whole.contains(found)) {
            whole.push(found);
        }
        if whole.len() == MOST {
            break;
        }
    }
    whole
}

/// The ways to say an offer: by itself, in the place of what was not understood, and behind the request.
fn forms(offer: &str, asked: &Asked<'_>, ground: &Ground<'_>) -> Vec<String> {
    let text = asked.text.trim_end_matches(['.', '!', '?', ' ']);
    let quoted = format!("\"{offer}\"");
    let mut forms = if ground.is_name(offer) { Vec::new() } else { vec![offer.to_owned()] };
    if text.len() > LONGEST {
        return forms;
    }
    if RELATED.iter().any(|relation| offer.starts_with(relation)) {
        forms.push(format!("{text} {offer}"));
    }
    for name in [offer, &quoted] {
        for (from, to) in asked.open {
            let (Some(before), Some(behind)) = (text.get(..*from), text.get(*to..)) else {
                continue;
            };
            forms.push(format!("{before}{name}{behind}"));
        }
        if !text.contains(' ') {
            forms.push(format!("{text} {name}"));
        }
        forms.extend(BEHIND.map(|relation| format!("{text} {relation}{name}")));
    }
    forms
}

/// An example with the names of this session, those first that were said: "mute the drums" is "mute Guest" where there
/// are no drums. Nothing is removed that was not named.
fn with_names(example: &str, asked: &Asked<'_>, ground: &Ground<'_>) -> Option<String> {
    let names = names_in(ground.session, ground.names);
    let (mut names, others): (Vec<String>, Vec<String>) =
        names.into_iter().partition(|name| asked.says(name));
    if !example.starts_with(REMOVES) {
        names.extend(others);
    }
    names.truncate(MOST_NAMES);
    let things = THINGS.iter().filter(|thing| example.contains(**thing));
    let mut forms =
        things.flat_map(|thing| names.iter().map(|name| example.replacen(*thing, name, 1)));
    forms.find(|form| ground.understands(form))
}

/// An example about one thing, with a name that was said in its place: "solo the drums" is no help for the vocals.
fn about_said(example: &str, asked: &Asked<'_>, ground: &Ground<'_>) -> Option<String> {
    let mut things = THINGS.iter().filter(|thing| example.contains(**thing));
    let (Some(thing), None) = (things.next(), things.next()) else {
        return None;
    };
    if asked.says(thing) {
        return None;
    }
    let names = names_in(ground.session, ground.names).into_iter().filter(|name| asked.says(name));
    let mut forms = names.take(MOST_NAMES).map(|name| example.replacen(*thing, &name, 1));
    forms.find(|form| ground.understands(form))
}

/// Tracks first: an example is about a track more often than about a clip.
fn names_in(session: &Session, names: &Names) -> Vec<String> {
    let clips = session.clips.keys().filter_map(|id| names.text((*id).into()));
    let tracks = session.track_order.iter().filter_map(|id| names.text((*id).into()));
    tracks.chain(clips).map(str::to_owned).collect()
}

/// What the examples speak of, longer ones first.
#[rustfmt::skip]
const THINGS: [&str; 17] = [
    "the guest mic", "the host mic", "the lead vocal", "the backing vox track", "clip 2 on Lead Vocal",
    "the drum bus", "the dialogue", "the vocals", "the guitars", "the guitar", "the drums", "the snare", "the music",
    "the bass", "take 1", "take 2", "take 3",
];
