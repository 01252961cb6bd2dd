//! What no tool does, and what may mean several things: why, and what can be said instead. It is asked where no way to
//! ask explains a request, and changes nothing, so it needs some of the words and not all.

mod table;

use super::items::{Item, Kind};
use super::lexicon;
use crate::lexer::{Token, TokenKind};
use crate::meanings::{codes, is_voice};
use crate::part::{Pick, Thing};
use crate::resolve::{Context, Trouble, Want};
use crate::roles::stem;
use crate::times::{clock_text, rounded};
use deskhand_session::intent::Unit;
use deskhand_session::{Clip, ObjectId, Session, TrackKind};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;
use table::{HINTS, VAGUE};

/// Of how many tracks something is offered if none is named.
const FIRST: usize = 3;

/// A row of the table.
struct Hint {
    /// When it holds: sets of words between `&`, and of each set one is said. See [`Heard::word`].
    when: &'static [&'static str],
    reason: &'static str,
    /// What can be said; [`Heard::filled`] has the words that stand for what was said.
    offers: &'static [&'static str],
}

/// What is said of a request that no tool does.
pub(super) fn of(items: &[Item], context: &Context<'_>) -> Option<Trouble> {
    let heard = Heard { items, context };
    let found = HINTS.iter().filter_map(|hint| Some((heard.worth(hint)?, hint)));
    // The first of those of which most is said.
    let (_, hint) = found.rev().max_by_key(|(worth, _)| *worth)?;
    let offers = hint.offers.iter().flat_map(|offer| heard.filled(offer));
    let reason = heard.filled(hint.reason).into_iter().next()?;
    if let Some(trouble) =
        heard.beyond_end().filter(|_| hint.offers.iter().any(|it| it.contains("BEGIN")))
    {
        return Some(trouble);
    }
    Some(Trouble { is_understood: hint.reason != VAGUE, ..Trouble::new(reason, offers) })
}

/// Whether tokens only say what is wrong with what was spoken of: "because it's too quiet".
pub(crate) fn is_remark(tokens: &[Token]) -> bool {
    const SUBJECTS: [&str; 6] = ["it", "they", "he", "she", "that", "this"];
    const BE: [&str; 9] = ["is", "are", "was", "were", "sounds", "sound", "seems", "seem", "feels"];
    const HOW: [&str; 13] = [
        "a", "bit", "little", "way", "much", "far", "just", "really", "very", "still", "so",
        "quite", "too",
    ];
    let tokens: Vec<&Token> = tokens.iter().filter(|it| it.kind != TokenKind::Stop).collect();
    let words: Vec<&str> = tokens.iter().map(|it| it.word().unwrap_or("?")).collect();
    let words = match &words[..] {
        ["because" | "since" | "as", rest @ ..] => rest,
        all => all,
    };
    let [subject, be, how @ .., flaw] = words else { return false };
    let says = |hint: &Hint| {
        let sets = hint.when.iter().flat_map(|when| when.split('&'));
        hint.reason == VAGUE && sets.flat_map(|set| set.split('|')).any(|word| word.trim() == *flaw)
    };
    SUBJECTS.contains(subject)
        && BE.contains(be)
        && how.iter().all(|word| HOW.contains(word))
        && (lexicon::is_flaw(flaw) || HINTS.iter().any(says))
}

/// Every word of the table.
static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let sets = HINTS.iter().flat_map(|hint| hint.when);
    sets.flat_map(|when| when.split(['&', '|', '+', ' '])).collect()
});

/// Whether a word is one of the table, so that it is no misspelled one.
pub(crate) fn is_word(word: &str) -> bool {
    WORDS.contains(word)
}

/// A request, as hints look at it.
struct Heard<'a> {
    items: &'a [Item],
    context: &'a Context<'a>,
}

impl Heard<'_> {
    /// How many sets of a hint are said; `None` if it does not hold. What nobody knows is told of instead, unless the
    /// hint is about such words.
    fn worth(&self, hint: &Hint) -> Option<usize> {
        let of = |when: &&str| {
            let sets = when
                .split('&')
                .map(|set| set.split('|').find_map(|words| self.words(words.trim())));
            let said: Vec<Range<usize>> = sets.collect::<Option<Vec<_>>>()?.concat();
            let is_about = |item: &Item| {
                let overlaps =
                    |range: &Range<usize>| range.start < item.tokens.1 && item.own < range.end;
                said.iter().any(overlaps)
            };
            let mut unknown =
                self.items.iter().filter(|item| item.kind == Kind::Unknown).peekable();
            let holds = unknown.peek().is_none() || !self.lacks_name(hint) || unknown.any(is_about);
            holds.then(|| when.split('&').count())
        };
        hint.when.iter().filter_map(of).max()
    }

    /// Whether what nobody knows may be what the offers need the name of.
    fn lacks_name(&self, hint: &Hint) -> bool {
        let has = |word: &str| hint.offers.iter().any(|offer| offer.contains(word));
        !has("TEXT") && (has("NAME") || has("PLACE")) && self.named().next().is_none()
    }

    /// The tokens of all of several words: "take+out".
    fn words(&self, words: &str) -> Option<Vec<Range<usize>>> {
        words.split('+').map(|word| self.word(word)).collect()
    }

    /// The tokens of a word: a concept of the lexicon, words as they are written, or `@name` something of the session,
    /// `@other` a second one, `@pair` two in a list, `@bus` a bus, `@tracks` all tracks, `@time` from when to when, `@at`
    /// a place, `@numbers` two numbers without a unit, `@code` a code, `@voice` who speaks on no track of their own.
    fn word(&self, word: &str) -> Option<Range<usize>> {
        let nothing = |it: bool| it.then_some(0..0);
        let run = |is: fn(&[Token], &Session) -> bool| {
            self.runs().into_iter().find(|run| is(&self.tokens()[run.clone()], self.session()))
        };
        match word {
            "@name" => nothing(
                self.picks().any(|pick| matches!(pick, Pick::Objects(_) | Pick::Ambiguous(_))),
            ),
            "@other" => nothing(self.name_at(1).is_some()),
            "@pair" => nothing(self.pair().is_some()),
            "@bus" => nothing(self.picks().any(|pick| self.is_bus(pick))),
            "@tracks" => nothing(self.picks().any(|pick| *pick == Pick::All(Thing::Tracks))),
            "@time" => nothing(self.time().is_some()),
            "@at" => nothing(self.at().is_some()),
            "@numbers" => nothing(self.numbers().len() == 2),
            "@code" => run(codes::is_known),
            "@voice" => run(is_voice),
            concept if lexicon::is_known(concept) => {
                let is = |item: &&Item| item.is(concept) || item.prep == Some(concept);
                self.items.iter().find(is).map(|item| item.tokens.0..item.tokens.1)
            }
            plain => self.plain(plain),
        }
    }

    /// Words as they are written, in singular or plural, outside of names.
    fn plain(&self, words: &str) -> Option<Range<usize>> {
        let words: Vec<String> = words.split(' ').map(stem).collect();
        let is_at = |at: usize| {
            let said = self.tokens().get(at..at + words.len())?;
            let is = said
                .iter()
                .zip(&words)
                .all(|(token, word)| token.word().map(stem).as_ref() == Some(word));
            let in_name = |item: &Item| is_name(item) && item.own <= at && at < item.tokens.1;
            (is && !self.items.iter().any(in_name)).then_some(at..at + words.len())
        };
        let (first, last) = self.items.first().zip(self.items.last())?;
        (first.tokens.0..last.tokens.1).find_map(is_at)
    }

    /// An offer with what was said; nothing where that is missing. NAME is what is named, else what is selected, else the
    /// first tracks; PLACE the same, else all tracks; OTHER a second name; PAIR1 and PAIR2 two in a list; FIRST and SECOND
    /// the first two tracks. BEGIN and END are a stretch of time, UNTIL and SINCE the end of it that is inside the session,
    /// SPAN where NAME plays, LEN a length, AT a place, ONE and TWO numbers, TEXT words of the request's own.
    fn filled(&self, offer: &str) -> Vec<String> {
        let tracks = self.context.scope.track_names();
        let end = self.end();
        let time = self.time();
        let is_whole = self.picks().any(|pick| matches!(pick, Pick::All(_)));
        let clock = |at: Option<f64>| at.map(clock_text);
        let values = [
            ("OTHER", self.name_at(1)),
            ("PLACE", self.name_at(0).filter(|_| !is_whole).or_else(|| Some("all tracks".into()))),
            ("BEGIN", clock(time.map(|(from, _)| from))),
            ("END", clock(time.map(|(_, to)| to))),
            ("UNTIL", clock(time.filter(|(_, to)| *to >= end).map(|(from, _)| from))),
            ("SINCE", clock(time.filter(|(from, _)| *from <= 0.0).map(|(_, to)| to))),
            ("ONE", self.numbers().first().cloned()),
            ("TWO", self.numbers().get(1).cloned()),
            ("PAIR1", self.pair().map(|[one, _]| one)),
            ("PAIR2", self.pair().map(|[_, two]| two)),
            ("LEN", self.lengths().next().map(|item| self.text(item))),
            ("AT", self.at()),
            ("TEXT", self.own_words()),
            ("SPAN", self.span()),
            ("FIRST", tracks.first().cloned()),
            ("SECOND", tracks.get(1).cloned()),
        ];
        let mut filled = offer.to_owned();
        for (word, value) in values.iter().filter(|(word, _)| offer.contains(word)) {
            match value {
                Some(value) => filled = filled.replace(word, value),
                None => return Vec::new(),
            }
        }
        match filled.contains("NAME") {
            true => self.names().iter().map(|name| filled.replace("NAME", name)).collect(),
            false => vec![filled],
        }
    }

    /// What is named by more than "it".
    fn named(&self) -> impl Iterator<Item = &Item> {
        let is_own = |item: &&Item| match &item.kind {
            Kind::Names(phrase) => !phrase.parts.iter().any(|part| {
                matches!(part.pick, Pick::It | Pick::Selection | Pick::Selected | Pick::Rest)
            }),
            _ => false,
        };
        self.items.iter().filter(is_own).filter(|item| item.prep != Some("called"))
    }

    fn picks(&self) -> impl Iterator<Item = &Pick> {
        let parts = self.named().filter_map(|item| match &item.kind {
            Kind::Names(phrase) => Some(&phrase.parts),
            _ => None,
        });
        parts.flatten().map(|part| &part.pick)
    }

    fn is_bus(&self, pick: &Pick) -> bool {
        let is_bus = |id: &ObjectId| match id {
            ObjectId::Track(id) => {
                self.session().tracks.get(id).is_some_and(|it| it.kind == TrackKind::Bus)
            }
            _ => false,
        };
        matches!(pick, Pick::Objects(ids) if ids.iter().all(is_bus))
    }

    /// What is named first or second; where two are compared, "the kick and the snare" are two.
    fn name_at(&self, at: usize) -> Option<String> {
        self.named().nth(at).map(|item| self.text(item))
    }

    /// The two that are named as one list.
    fn pair(&self) -> Option<[String; 2]> {
        let objects = |pick: &Pick| match pick {
            Pick::Objects(ids) => ids.first().map(|id| self.session().name_of(*id)),
            _ => None,
        };
        let names: Vec<String> = self.picks().map(objects).collect::<Option<_>>()?;
        names.try_into().ok().filter(|_| self.named().count() == 1)
    }

    fn names(&self) -> Vec<String> {
        if let Some(name) = self.name_at(0) {
            return vec![name];
        }
        let names = |ids: &[ObjectId]| {
            let mut names: Vec<String> = Vec::new();
            for id in ids.iter().take(FIRST) {
                let track = self.session().track_of(*id).map(ObjectId::from);
                let both = [Some(*id), track].into_iter().flatten();
                names.extend(both.map(|id| self.session().name_of(id)));
            }
            names.dedup();
            names
        };
        match self.context.resolve(None, Want::Sound) {
            Ok(found) => names(&found.ids),
            Err(_) => self.context.scope.track_names().into_iter().take(FIRST).collect(),
        }
    }

    /// Quantities of time, those of a length or a place.
    fn lengths(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| seconds(item).is_some())
    }

    fn at(&self) -> Option<String> {
        self.lengths().find(|item| item.prep == Some("at")).map(|item| self.text(item))
    }

    /// From when to when: two times, or one with what is before, behind, or at an edge of the session.
    fn time(&self) -> Option<(f64, f64)> {
        let end = self.end();
        let times: Vec<&Item> = self.lengths().collect();
        let says =
            |words: [&str; 2]| self.items.iter().any(|item| words.iter().any(|it| item.is(it)));
        match times[..] {
            [from, to] if to.prep != Some("at") => {
                seconds(from).zip(seconds(to)).filter(|(from, to)| from < to)
            }
            [one] => {
                let at = seconds(one)?;
                match one.prep {
                    Some("before" | "until" | "to") => Some((0.0, at)),
                    Some("after" | "from") => Some((at, end)),
                    _ if says(["first", "start"]) => Some((0.0, at)),
                    _ if says(["last", "end"]) => Some((end - at, end)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What is said where one time cuts off nothing, or all of the session.
    fn beyond_end(&self) -> Option<Trouble> {
        let (from, to) = self.time().filter(|_| self.lengths().count() == 1)?;
        let end = self.end();
        let is_within = from < to && from < end && to - from < end && from >= 0.0;
        let reason =
            format!("the session ends at {}, and something of it must be left", clock_text(end));
        (!is_within).then(|| Trouble::new(reason, ["how long is the session?"]))
    }

    /// Where the session ends, in seconds.
    fn end(&self) -> f64 {
        rounded(self.session().end().seconds(self.session().rate).0)
    }

    fn numbers(&self) -> Vec<String> {
        let is_bare = |item: &&Item| matches!(&item.kind, Kind::Quantity(it) if it.unit.is_none());
        self.items.iter().filter(is_bare).map(|item| self.text(item)).collect()
    }

    /// Where the clips of what is named begin and end.
    fn span(&self) -> Option<String> {
        let Kind::Names(phrase) = &self.named().next()?.kind else { return None };
        let found = self.context.resolve(Some(phrase.clone()), Want::Clips).ok()?;
        let clips = found.ids.iter().filter_map(|id| match id {
            ObjectId::Clip(id) => self.session().clips.get(id),
            _ => None,
        });
        let seconds =
            |at: deskhand_dsp::Frames| clock_text(rounded(at.seconds(self.session().rate).0));
        let from = clips.clone().map(|clip| clip.position).min().map(seconds)?;
        let to = clips.map(Clip::end).max().map(seconds)?;
        Some(format!("{from} to {to}"))
    }

    /// Words of the request's own: a new name, a quote, or what nobody knows.
    fn own_words(&self) -> Option<String> {
        let is_text =
            |item: &&Item| item.prep == Some("called") || matches!(item.kind, Kind::Text(_));
        let text = self.items.iter().find(is_text).map(|item| self.text(item));
        let last = || self.runs().pop().and_then(|run| self.between(run));
        text.or_else(last).map(|text| text.trim_matches('"').to_owned())
    }

    /// Words next to each other that nobody knows.
    fn runs(&self) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for item in self.items.iter().filter(|item| item.kind == Kind::Unknown) {
            match runs.last_mut().filter(|last| last.end == item.tokens.0) {
                Some(last) => last.end = item.tokens.1,
                None => runs.push(item.own..item.tokens.1),
            }
        }
        runs
    }

    fn tokens(&self) -> &[Token] {
        self.context.scope.tokens
    }

    fn session(&self) -> &Session {
        self.context.scope.session
    }

    /// The words of an item without its preposition.
    fn text(&self, item: &Item) -> String {
        self.between(item.own..item.tokens.1).unwrap_or_default()
    }

    fn between(&self, tokens: Range<usize>) -> Option<String> {
        let own = self.tokens().get(tokens)?;
        Some(self.context.scope.text.get(own.first()?.start..own.last()?.end)?.to_owned())
    }
}

fn is_name(item: &Item) -> bool {
    matches!(item.kind, Kind::Names(_))
}

fn seconds(item: &Item) -> Option<f64> {
    match &item.kind {
        Kind::Quantity(it) if matches!(it.unit, Some(Unit::Seconds | Unit::Clock)) => {
            Some(it.value)
        }
        _ => None,
    }
}
