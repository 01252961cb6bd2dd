//! The names in a session, and what a word or a few words in a row can mean among them.

use crate::lexer::{Token, TokenKind, lex};
use crate::roles::{ROLES, Role, is_plural, names_of, stem};
use deskhand_session::{ObjectId, Session, TrackKind};
use std::collections::BTreeSet;

/// What kind of object a name belongs to, the most likely first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum NameKind {
    Track,
    Bus,
    Clip,
    Group,
    Marker,
}

/// A name in the session.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    /// Whose.
    pub id: ObjectId,
    /// Of what kind.
    pub kind: NameKind,
    /// As written.
    pub text: String,
    /// Its words as they are compared.
    stems: Vec<String>,
    /// The same in alphabetical order: "left guitar" is "Guitar L".
    sorted: Vec<String>,
    /// Its words in lower case.
    words: Vec<String>,
}

impl Name {
    fn new(id: ObjectId, kind: NameKind, text: &str) -> Self {
        let words = words_of(text);
        let stems: Vec<String> = words.iter().map(|word| stem(word)).collect();
        let sorted = in_order(&stems);
        let text = text.to_owned();
        Self { id, kind, text, stems, sorted, words }
    }
}

/// All names of a session.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    entries: Vec<Name>,
    /// Every stem of every name.
    stems: BTreeSet<String>,
}

/// What a few words mean.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hit {
    /// The objects.
    pub ids: Vec<ObjectId>,
    /// Whether the words are the whole name.
    pub exact: bool,
    /// Whether several objects are what was meant: a plural, or a word for a whole.
    pub plural: bool,
}

/// The text of a token in a name.
fn name_word(token: &Token) -> Option<String> {
    match &token.kind {
        TokenKind::Word(word) => Some(word.clone()),
        TokenKind::Number { value, .. } => Some(format!("{}", value.abs())),
        _ => None,
    }
}

/// The words of a name, quotes inside it included.
pub(crate) fn words_of(name: &str) -> Vec<String> {
    let flat: String =
        name.chars().map(|c| if matches!(c, '"' | '\'') { ' ' } else { c }).collect();
    lex(&flat).iter().filter_map(name_word).collect()
}

fn in_order(stems: &[String]) -> Vec<String> {
    let mut sorted = stems.to_vec();
    sorted.sort();
    sorted
}

impl Names {
    /// Gathers the names of a session.
    pub(crate) fn new(session: &Session) -> Self {
        let mut entries = Vec::new();
        let mut add = |id, kind, text: &str| entries.push(Name::new(id, kind, text));
        for (id, track) in session.tracks_in_order() {
            let kind = match track.kind {
                TrackKind::Audio => NameKind::Track,
                TrackKind::Bus => NameKind::Bus,
            };
            add(id.into(), kind, &track.name);
        }
        for (track, _) in session.tracks_in_order() {
            for (id, clip) in session.clips_on(track) {
                add(id.into(), NameKind::Clip, &clip.name);
            }
        }
        session
            .groups
            .iter()
            .for_each(|(id, group)| add((*id).into(), NameKind::Group, &group.name));
        session
            .markers
            .iter()
            .for_each(|(id, marker)| add((*id).into(), NameKind::Marker, &marker.name));
        let stems = entries.iter().flat_map(|name| name.stems.iter().cloned()).collect();
        Self { entries, stems }
    }

    /// The objects of a kind, in order.
    pub(crate) fn of_kind(&self, kind: NameKind) -> impl Iterator<Item = &Name> {
        self.entries.iter().filter(move |name| name.kind == kind)
    }

    /// The name of an object.
    pub(crate) fn text(&self, id: ObjectId) -> Option<&str> {
        self.entries.iter().find(|name| name.id == id).map(|name| name.text.as_str())
    }

    /// Whether a word occurs in any name, in any of its forms.
    pub(crate) fn has_stem(&self, stem: &str) -> bool {
        self.stems.contains(stem)
    }

    /// Every word of every name, and the words of roles.
    pub(crate) fn vocabulary(&self) -> BTreeSet<String> {
        let names = self.entries.iter().flat_map(|name| name.words.iter().cloned());
        let roles = ROLES.iter().flat_map(|role| role.said.iter().map(|word| (*word).to_owned()));
        names.chain(roles).collect()
    }

    /// Objects with exactly this name, as it stands in quotes. The same spelling goes before other case.
    pub(crate) fn exactly(&self, text: &str, kinds: &[NameKind]) -> Vec<ObjectId> {
        let with = |same: &dyn Fn(&str) -> bool| -> Vec<ObjectId> {
            let fits = |name: &&Name| kinds.contains(&name.kind) && same(&name.text);
            self.entries.iter().filter(fits).map(|name| name.id).collect()
        };
        let spelled = with(&|name| name == text);
        let words = words_of(text);
        match spelled.is_empty() {
            true => with(&|name| !words.is_empty() && words_of(name) == words),
            false => spelled,
        }
    }

    /// What the words from `at` to `end` name, among `kinds`: whole names first, tracks first.
    pub(crate) fn find(&self, tokens: &[Token], kinds: &[NameKind]) -> Option<Hit> {
        let words: Vec<String> = tokens.iter().map(name_word).collect::<Option<_>>()?;
        let stems: Vec<String> = words.iter().map(|word| stem(word)).collect();
        if !stems.iter().all(|stem| self.stems.contains(stem)) {
            return None;
        }
        let last_plural = words.last().is_some_and(|word| is_plural(word));
        let whole = |kind| self.whole(&words, &stems, kind);
        for kind in kinds {
            let ids = whole(*kind);
            if !ids.is_empty() {
                return Some(Hit { ids, exact: true, plural: last_plural });
            }
        }
        if !worth_comparing(&words) {
            return None;
        }
        for kind in kinds.iter().filter(|kind| **kind != NameKind::Marker) {
            let ids = self.partly(&words, &stems, *kind);
            if !ids.is_empty() {
                return Some(Hit { ids, exact: false, plural: last_plural });
            }
        }
        None
    }

    fn whole(&self, words: &[String], stems: &[String], kind: NameKind) -> Vec<ObjectId> {
        let sorted = in_order(stems);
        let fits = |name: &&Name| name.sorted == sorted && !borrows_side(words, name);
        self.of_kind(kind).filter(fits).map(|name| name.id).collect()
    }

    fn partly(&self, words: &[String], stems: &[String], kind: NameKind) -> Vec<ObjectId> {
        let fits = |name: &&Name| {
            stems.iter().all(|stem| name.stems.contains(stem)) && !borrows_side(words, name)
        };
        self.of_kind(kind).filter(fits).map(|name| name.id).collect()
    }

    /// Tracks that have a role; buses only if no track has.
    pub(crate) fn in_role(&self, role: &Role) -> Vec<ObjectId> {
        let (names, otherwise) = names_of(role);
        let with = |wanted: &[&str], kind: NameKind| -> Vec<ObjectId> {
            let has = |name: &Name, list: &[&str]| {
                name.stems.iter().any(|stem| list.contains(&stem.as_str()))
            };
            let fits = |name: &&Name| has(name, wanted) && !has(name, role.but);
            self.of_kind(kind).filter(fits).map(|name| name.id).collect()
        };
        let tries =
            [(&names, NameKind::Track), (&otherwise, NameKind::Track), (&names, NameKind::Bus)];
        let found = tries.iter().map(|(list, kind)| with(list, *kind));
        found.into_iter().find(|ids| !ids.is_empty()).unwrap_or_default()
    }

    /// Whether the name of an object tells of any role.
    pub(crate) fn tells_role(&self, id: ObjectId) -> bool {
        let own = self.entries.iter().filter(|name| name.id == id);
        let stems: Vec<&str> = own.flat_map(|name| &name.stems).map(String::as_str).collect();
        let mut names = ROLES.iter().flat_map(|role| names_of(role).0);
        names.any(|name| stems.contains(&name))
    }

    /// Whether names differ in left and right only: the two sides of one thing.
    pub(crate) fn is_pair(&self, ids: &[ObjectId]) -> bool {
        let bare = |id: &ObjectId| {
            let name = self.entries.iter().find(|name| name.id == *id)?;
            let stems = name.stems.iter().filter(|stem| !matches!(stem.as_str(), "left" | "right"));
            let rest: Vec<String> = stems.cloned().collect();
            (rest.len() < name.stems.len()).then_some(rest)
        };
        let first = ids.first().and_then(bare);
        ids.len() == 2 && first.is_some() && ids.iter().all(|id| bare(id) == first)
    }
}

/// "guitar left" may be a guitar that goes to the left: the word counts as part of the name only in
/// front ("left guitar") or where the name itself spells it so.
fn borrows_side(words: &[String], name: &Name) -> bool {
    let behind = words.iter().skip(1);
    behind
        .into_iter()
        .any(|word| matches!(word.as_str(), "left" | "right") && !name.words.contains(word))
}

/// Whether words can stand for a part of a name: not only figures, sides or grammar.
fn worth_comparing(words: &[String]) -> bool {
    let side = |word: &str| matches!(word, "left" | "right" | "l" | "r" | "a" | "i");
    let figure = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
    let known = |word: &str| crate::known_words::is_grammar(word);
    let ends = words.first().is_some_and(|word| !known(word) || side(word))
        && words.last().is_some_and(|word| !known(word) || side(word));
    ends && words.iter().any(|word| {
        !side(word) && !figure(word) && !known(word) && crate::numbers::small(word).is_none()
    })
}

/// The role a word stands for, and whether it means one thing.
pub(crate) fn role_of(word: &str) -> Option<(&'static Role, bool)> {
    let stem = stem(word);
    let role = ROLES.iter().find(|role| role.said.contains(&stem.as_str()))?;
    let single = role.single.contains(&stem.as_str()) && !is_plural(word);
    Some((role, single))
}
