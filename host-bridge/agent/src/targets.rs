//! What a request is about: "the vocals", "tracks 3 to 5", "the second clip on the guitar", "everything".

use crate::lexer::{Token, TokenKind};
use crate::names::{Hit, NameKind, Names, role_of};
use crate::numbers::count_at;
use crate::part::{Part, Pick, Thing, ambiguous, objects, one_of, whole};
use crate::pointers::POINTERS;
use crate::reader::quantity;
use crate::roles::Role;
use crate::{numbered, times};
use deskhand_session::{ObjectId, Session, SourceId, TrackId, TrackKind};
use std::collections::BTreeSet;

/// Tracks on which somebody speaks, as far as it is written down: what another microphone heard of them does not count.
fn speaking(session: &Session) -> impl Iterator<Item = TrackId> + '_ {
    let own = session.segments.values().filter(|it| !it.words.is_empty() && !it.is_bleed());
    let sources: BTreeSet<SourceId> = own.map(|segment| segment.source).collect();
    session.track_order.iter().copied().filter(move |track| {
        session.clips.values().any(|clip| clip.track == *track && sources.contains(&clip.source))
    })
}

/// How many were asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quantity {
    Unsaid,
    All,
    Each,
    Count(usize),
}

/// The words and the session they are about.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    /// The words as they were written.
    pub text: &'a str,
    pub session: &'a Session,
    pub names: &'a Names,
    pub tokens: &'a [Token],
    /// Whether this looks at the place of something already: "clips on clips on …" has no meaning.
    pub nested: bool,
}

pub(crate) const TRACKS: &[NameKind] = &[NameKind::Track, NameKind::Bus];
pub(crate) const ANY: &[NameKind] =
    &[NameKind::Track, NameKind::Bus, NameKind::Clip, NameKind::Group, NameKind::Marker];
const LONGEST_NAME: usize = 8;

/// The kinds that a noun next to a name restricts it to.
fn kinds_of(word: &str) -> Option<&'static [NameKind]> {
    Some(match word {
        "track" | "tracks" | "channel" | "channels" => TRACKS,
        "bus" | "buses" | "busses" => &[NameKind::Bus],
        "clip" | "clips" | "region" | "regions" => &[NameKind::Clip],
        "group" => &[NameKind::Group],
        "marker" | "markers" => &[NameKind::Marker],
        _ => return None,
    })
}

fn is_plural_noun(word: &str) -> bool {
    word.ends_with('s') && word != "bus"
}

impl<'a> Scope<'a> {
    pub(crate) fn word(&self, at: usize) -> &'a str {
        self.tokens.get(at).and_then(Token::word).unwrap_or_default()
    }

    fn skip(&self, mut at: usize, words: &[&str]) -> usize {
        while words.contains(&self.word(at)) {
            at += 1;
        }
        at
    }

    /// The thing that is named from `at` on, and the index behind it.
    pub(crate) fn part_at(&self, at: usize) -> Option<(Part, usize)> {
        if let Some(found) = self.pronoun_at(at) {
            return Some(found);
        }
        let (quantity, from) = self.quantity_at(at);
        let from = self.skip(
            from,
            &["of", "the", "my", "our", "other"]
                [..if quantity == Quantity::Unsaid { 0 } else { 4 }],
        );
        let from = self.skip(from, &["the", "my", "our"]);
        if let Some((part, next)) = self.core_at(from, quantity) {
            return Some((counted(part, quantity), next));
        }
        let faders = matches!(self.word(from), "faders" | "gains" | "volumes");
        let bare_all = self.word(at) == "all" && (from == at + 1 || faders);
        bare_all.then(|| (whole(Pick::All(Thing::Everything)), from))
    }

    fn quantity_at(&self, at: usize) -> (Quantity, usize) {
        match self.word(at) {
            "all" => (Quantity::All, at + 1),
            "every" | "each" => (Quantity::Each, at + 1),
            "both" => (Quantity::Count(2), at + 1),
            _ => self.count_of_nouns_at(at),
        }
    }

    /// "three takes": a count directly in front of a plural.
    fn count_of_nouns_at(&self, at: usize) -> (Quantity, usize) {
        let from = self.skip(at, &["the", "my", "our"]);
        match count_at(self.tokens, from) {
            Some((count, next)) if is_plural_noun(self.word(next)) && !self.is_unit(next) => {
                (Quantity::Count(count), next)
            }
            _ => (Quantity::Unsaid, at),
        }
    }

    fn is_unit(&self, at: usize) -> bool {
        let word = self.word(at);
        times::unit_words().chain(quantity::unit_words()).any(|unit| unit == word)
    }

    /// "it", "them", "these clips", "the rest", "everything", "the selection", "the mix".
    fn pronoun_at(&self, at: usize) -> Option<(Part, usize)> {
        let exact = self.longest_name_at(at);
        let is_said =
            |words: &&str| words.split(' ').enumerate().all(|(i, it)| self.word(at + i) == it);
        let said = |(all, pick): &'static (&'static str, Pick)| {
            Some((all.split('|').find(is_said)?, pick))
        };
        let (words, pick) = POINTERS.iter().find_map(said)?;
        let length = words.split(' ').count();
        (exact < length).then(|| (whole(pick.clone()), at + length))
    }

    /// How many words from `at` are the whole name of something.
    fn longest_name_at(&self, at: usize) -> usize {
        let exact = |n: &usize| {
            self.window(at, *n).and_then(|w| self.names.find(w, ANY)).is_some_and(|hit| hit.exact)
        };
        (2..=LONGEST_NAME).rev().find(exact).unwrap_or(0)
    }

    fn window(&self, at: usize, length: usize) -> Option<&'a [Token]> {
        self.tokens.get(at..at + length)
    }

    fn core_at(&self, at: usize, quantity: Quantity) -> Option<(Part, usize)> {
        match &self.tokens.get(at)?.kind {
            TokenKind::Quote(text) => {
                return self.quoted(text).map(|part| (part, self.skip_noun(at + 1)));
            }
            TokenKind::Id(id) => return self.by_id(*id).map(|part| (part, at + 1)),
            _ => {}
        }
        self.named_or_numbered_at(at, quantity)
            .or_else(|| numbered::numbered_at(self, at))
            .or_else(|| numbered::ordered_at(self, at))
            .or_else(|| numbered::takes_at(self, at).filter(|_| quantity != Quantity::Unsaid))
            .or_else(|| self.kind_at(at, quantity))
            .or_else(|| self.prefixed_at(at, quantity))
            .or_else(|| self.named_at(at, quantity, 1..=LONGEST_NAME))
            .or_else(|| self.role_at(at, quantity))
    }

    /// Whole names of two words or more go before everything else, but "track 3" may be the third track
    /// and the track of that name.
    fn named_or_numbered_at(&self, at: usize, quantity: Quantity) -> Option<(Part, usize)> {
        let (named, end) = self.longest_named_at(at, quantity)?;
        let row = matches!(self.word(at), "track" | "channel" | "bus")
            .then(|| numbered::numbered_at(self, at));
        let row = row.flatten().filter(|(_, next)| *next >= end);
        Some(row.unwrap_or((named, end)))
    }

    fn longest_named_at(&self, at: usize, quantity: Quantity) -> Option<(Part, usize)> {
        let length = self.longest_name_at(at);
        (length > 1).then(|| self.named_at(at, quantity, length..=length))?
    }

    fn skip_noun(&self, at: usize) -> usize {
        at + usize::from(kinds_of(self.word(at)).is_some())
    }

    fn quoted(&self, text: &str) -> Option<Part> {
        let ids = ANY
            .iter()
            .map(|kind| self.names.exactly(text, &[*kind]))
            .find(|ids| !ids.is_empty())?;
        Some(one_of(ids))
    }

    fn by_id(&self, id: ObjectId) -> Option<Part> {
        self.names.text(id).map(|_| objects(vec![id]))
    }

    /// "all tracks", "every clip", "all clips on the lead vocal", "the clips on …", "buses".
    fn kind_at(&self, at: usize, quantity: Quantity) -> Option<(Part, usize)> {
        let word = self.word(at);
        let thing = match kinds_of(word)? {
            [NameKind::Clip] => Thing::Clips,
            [NameKind::Bus] => Thing::Buses,
            [NameKind::Marker] => Thing::Markers,
            [NameKind::Group] => return None,
            _ => Thing::Tracks,
        };
        let all = matches!(quantity, Quantity::All | Quantity::Each);
        if thing == Thing::Clips
            && (all || is_plural_noun(word))
            && let Some((track, next)) = self.place_at(at + 1)
        {
            return Some((numbered::clips_on(self, &track), next));
        }
        all.then(|| (whole(Pick::All(thing)), at + 1))
    }

    /// "on the guitar": the thing behind a relation.
    pub(crate) fn place_at(&self, at: usize) -> Option<(Part, usize)> {
        let relation = matches!(self.word(at), "on" | "of" | "in" | "from");
        let inner = Self { nested: true, ..*self };
        (relation && !self.nested).then(|| inner.part_at(at + 1))?
    }

    /// "marker Chorus", "track Kick".
    fn prefixed_at(&self, at: usize, quantity: Quantity) -> Option<(Part, usize)> {
        let kinds = kinds_of(self.word(at))?;
        if let TokenKind::Quote(text) = &self.tokens.get(at + 1)?.kind {
            let ids = self.names.exactly(text, kinds);
            return (!ids.is_empty()).then(|| (one_of(ids), at + 2));
        }
        let found = |n: usize| Some((self.names.find(self.window(at + 1, n)?, kinds)?, at + 1 + n));
        let (hit, next) = (1..=LONGEST_NAME).rev().find_map(found)?;
        Some((self.chosen(hit.ids, hit.plural || quantity != Quantity::Unsaid), next))
    }

    /// Names of so many words, with the noun behind them if there is one.
    fn named_at(
        &self,
        at: usize,
        quantity: Quantity,
        lengths: std::ops::RangeInclusive<usize>,
    ) -> Option<(Part, usize)> {
        lengths.rev().find_map(|n| {
            let window = self.window(at, n)?;
            if n == 1
                && let Some(ids) = self.grammar_name_at(at)
            {
                return Some((one_of(ids), at + 1));
            }
            let alone = n == 1 && window[0].word().is_none_or(crate::known_words::is_grammar);
            let behind = kinds_of(self.word(at + n));
            let hit = self.names.find(window, behind.unwrap_or(ANY)).filter(|_| !alone);
            let role = n == 1 && role_of(self.word(at)).is_some();
            match hit {
                Some(hit) if role && !hit.exact && behind.is_none_or(|kinds| kinds == TRACKS) => {
                    None
                }
                Some(mut hit) => {
                    self.keep_spelling(window, &mut hit);
                    let several = hit.plural
                        || quantity != Quantity::Unsaid
                        || is_plural_noun(self.word(at + n)) && behind.is_some();
                    Some((self.chosen(hit.ids, several), at + n + usize::from(behind.is_some())))
                }
                None => self.clips_of_named(window, at + n),
            }
        })
    }

    /// Of "Host" and "host" the one that is written so.
    fn keep_spelling(&self, window: &[Token], hit: &mut Hit) {
        let ends = window.first().zip(window.last());
        let written = ends.and_then(|(first, last)| self.text.get(first.start..last.end));
        let is_written = |id: &ObjectId| self.names.text(*id) == written;
        if hit.exact && hit.ids.len() > 1 && hit.ids.iter().any(is_written) {
            hit.ids.retain(is_written);
        }
    }

    /// "the host mic clips": clips on the track of that name.
    fn clips_of_named(&self, window: &[Token], next: usize) -> Option<(Part, usize)> {
        let clips = kinds_of(self.word(next)).is_some_and(|kinds| kinds == [NameKind::Clip]);
        let hit = clips.then(|| self.names.find(window, TRACKS))??;
        let all = numbered::clips_on(self, &objects(hit.ids));
        let several = is_plural_noun(self.word(next));
        Some((if several { all } else { numbered::single(all) }, next + 1))
    }

    fn role_at(&self, at: usize, quantity: Quantity) -> Option<(Part, usize)> {
        let pair = (self.word(at), self.word(at + 1));
        if matches!(pair, ("bass", "drum")) {
            return self.named_as("kick").map(|part| (part, at + 2));
        }
        let double = matches!(pair, ("bass", "guitar") | ("drum", "kit") | ("drum", "set"));
        let (role, single) = role_of(pair.0)?;
        let ids = self.in_role(role);
        let mut next = at + 1 + usize::from(double);
        let noun = self.word(next);
        next += usize::from(matches!(
            noun,
            "track" | "tracks" | "channel" | "channels" | "mics" | "clips"
        ));
        let several = !single
            || double
            || quantity != Quantity::Unsaid
            || is_plural_noun(noun) && next > at + 1;
        let part = match ids.is_empty() {
            true => self.missing(pair.0),
            false => Part { role: true, ..self.chosen(ids, several) },
        };
        Some((if noun == "clips" { numbered::clips_on(self, &part) } else { part }, next))
    }

    /// Tracks that have a role, in the order of tracks: by what is said or was heard on them; those of which nothing is
    /// known, by name.
    fn in_role(&self, role: &Role) -> Vec<ObjectId> {
        let (session, named) = (self.session, self.names.in_role(role));
        let speaking: BTreeSet<TrackId> = speaking(session).collect();
        let is_unnamed = |track: TrackId| !self.names.tells_role(track.into());
        let is_known = |track: TrackId| match (role.content(), session.content_of(track)) {
            (Some("speech"), Some("speech")) => Some(true),
            (Some("music"), Some("music")) => is_unnamed(track).then_some(true),
            (Some(_), Some("speech" | "music")) => Some(false),
            _ if role.is_of_speech() && speaking.contains(&track) => {
                is_unnamed(track).then_some(true)
            }
            _ => None,
        };
        let tracks = session.tracks_in_order().filter(|(_, it)| it.kind == TrackKind::Audio);
        let ids = tracks
            .map(|(id, _)| id)
            .filter(|id| is_known(*id).unwrap_or_else(|| named.contains(&ObjectId::from(*id))));
        let ids: Vec<ObjectId> = ids.map(ObjectId::from).collect();
        // Buses are meant where no track is.
        let is_bus = |id: &ObjectId| {
            let track = session.track_of(*id).and_then(|track| session.tracks.get(&track));
            track.is_some_and(|track| track.kind == TrackKind::Bus)
        };
        if ids.is_empty() { named.into_iter().filter(is_bus).collect() } else { ids }
    }

    fn named_as(&self, word: &str) -> Option<Part> {
        let tokens = crate::lexer::lex(word);
        let hit = self.names.find(&tokens, TRACKS)?;
        Some(self.chosen(hit.ids, hit.plural))
    }

    /// Several objects for a word that means one are a question, unless they are the sides of a pair.
    fn chosen(&self, ids: Vec<ObjectId>, several: bool) -> Part {
        match several || self.names.is_pair(&ids) {
            true => objects(ids),
            false => one_of(ids),
        }
    }

    fn missing(&self, word: &str) -> Part {
        let reason = format!("no track is called \"{word}\" or sounds like it by its name");
        whole(Pick::Missing(reason, self.track_names()))
    }

    /// The names of all tracks and buses.
    pub(crate) fn track_names(&self) -> Vec<String> {
        let names = TRACKS.iter().flat_map(|kind| self.names.of_kind(*kind));
        names.map(|name| name.text.clone()).collect()
    }
}

/// "both mics" must be two.
fn counted(part: Part, quantity: Quantity) -> Part {
    match (&part.pick, quantity) {
        (Pick::Objects(ids), Quantity::Count(count)) if ids.len() != count => {
            ambiguous(ids.clone())
        }
        _ => part,
    }
}
