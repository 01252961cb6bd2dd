//! Speakers by other names.

use crate::assembly::takes::same;
use deskhand_session::Session;
use deskhand_toolkit::target::nearest;
use deskhand_toolkit::text::{composed, folded};
use deskhand_toolkit::{Code, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Shorter parts of a name are not searched for in the text. A name of one word may have a letter less, and
/// then only counts if it is capitalized.
const LEAST_LETTERS: usize = 3;

/// Names for speakers without a real name: they identify nobody.
const ROLES: [&str; 14] = [
    "host",
    "guest",
    "speaker",
    "voice",
    "interviewer",
    "interviewee",
    "moderator",
    "narrator",
    "caller",
    "reporter",
    "person",
    "man",
    "woman",
    "unknown",
];
/// Names that are words as well: written small they are those.
// tidy: table
const ALSO_WORDS: [&str; 60] = [
    "amber", "angel", "april", "art", "august", "autumn", "bill", "bishop", "brook", "brown",
    "carol", "chase", "chance", "chuck", "cook", "daisy", "dawn", "dean", "dick", "drew", "earl",
    "eve", "faith", "frank", "gene", "glen", "grace", "grant", "green", "guy", "hope", "iris",
    "ivy", "jack", "jean", "joy", "june", "king", "lane", "long", "mark", "may", "miles", "nick",
    "olive", "pat", "pearl", "ray", "rich", "rob", "rose", "ruby", "sky", "smith", "stone", "sue",
    "white", "will", "wood", "young",
];

/// Names of speakers.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(in crate::assembly) enum Pseudonyms {
    /// True: "Speaker 1", "Speaker 2", … in the order in which they speak.
    All(bool),
    /// A name per speaker; others keep their names.
    Each(BTreeMap<String, String>),
}

impl Default for Pseudonyms {
    fn default() -> Self {
        Self::All(false)
    }
}

/// The name under which each speaker is written.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    other: BTreeMap<String, String>,
}

impl Names {
    /// # Errors
    /// When a pseudonym is for an unknown speaker.
    pub(super) fn new(session: &Session, wanted: &Pseudonyms) -> Result<Self, ToolError> {
        let speakers = speakers(session);
        let other = match wanted {
            Pseudonyms::All(false) => BTreeMap::new(),
            Pseudonyms::All(true) => {
                let numbered = speakers.iter().enumerate();
                numbered.map(|(n, name)| (name.clone(), format!("Speaker {}", n + 1))).collect()
            }
            Pseudonyms::Each(names) => {
                if let Some(unknown) = names.keys().find(|name| !speakers.contains(name)) {
                    let message = format!("no speaker is called \"{unknown}\"");
                    let near = nearest(unknown, speakers.iter().map(String::as_str));
                    let fix = if near.is_empty() {
                        "mark the speakers first: tool_mark_speakers".into()
                    } else {
                        format!("give names for {near}")
                    };
                    return Err(ToolError::prepare(Code::BadParams, message, fix));
                }
                names.clone()
            }
        };
        Ok(Self { other })
    }

    /// Whether any speaker is written by another name.
    pub(super) fn are_hidden(&self) -> bool {
        !self.other.is_empty()
    }

    /// The name of a speaker.
    pub(super) fn of(&self, speaker: &str) -> String {
        self.other.get(speaker).cloned().unwrap_or_else(|| speaker.into())
    }

    /// The words, with the names of speakers replaced: in any case, in genitives and with hyphens.
    pub(super) fn text(&self, text: &str) -> String {
        if !self.are_hidden() {
            return text.into();
        }
        let (mut out, mut last, mut gap) = (String::new(), None, "");
        let text = composed(text);
        for piece in pieces(&text) {
            let is_word = piece.starts_with(char::is_alphanumeric);
            match self.hidden(piece) {
                // "Anna Berg" and "Anna-Maria" are one person.
                Some((other, rest)) if last == Some(other) && [" ", "-"].contains(&gap) => {
                    out.push_str(&rest);
                }
                Some((other, rest)) => {
                    out.extend([gap, other, rest.as_str()]);
                    last = Some(other);
                }
                None if is_word => {
                    out.extend([gap, piece]);
                    last = None;
                }
                None => {}
            }
            gap = if is_word { "" } else { piece };
        }
        out + gap
    }

    /// The pseudonym for a word that is part of a name, and the rest after it: the "s" of a genitive.
    fn hidden(&self, word: &str) -> Option<(&str, String)> {
        let is_small = word.starts_with(char::is_lowercase);
        let lower = word.to_lowercase();
        self.other.iter().find_map(|(name, other)| {
            let part = parts(name).into_iter().find(|part| is_name(&lower, part))?;
            let is_word = ROLES.iter().chain(&ALSO_WORDS).any(|word| *word == part);
            let is_short = part.chars().count() < LEAST_LETTERS;
            let stays = is_small && (is_word || is_short);
            let rest = word.chars().skip(part.chars().count()).collect();
            (!stays).then_some((other.as_str(), rest))
        })
    }

    /// Words of the text that still look like names of hidden speakers, each once.
    pub(super) fn left(&self, text: &str) -> Vec<String> {
        let mut left: Vec<String> = Vec::new();
        let text = composed(text);
        if self.are_hidden() {
            for word in pieces(&text).filter(|word| self.looks_like_one(word)) {
                if !left.iter().any(|known| known == word) {
                    left.push(word.to_owned());
                }
            }
        }
        left
    }

    fn looks_like_one(&self, word: &str) -> bool {
        let lower = word.to_lowercase();
        let is_given = self.other.values().any(|other| pieces(other).any(|part| part == word));
        let names = self.other.keys().flat_map(|name| parts(name));
        let mut names = names.filter(|part| !ROLES.contains(&part.as_str()));
        let is_like = |part: &str| {
            let is_misspelt = word.starts_with(char::is_uppercase) && same(&lower, part);
            let is_inside = part.chars().count() > LEAST_LETTERS && lower.contains(part);
            is_name(&lower, part) || is_inside || is_misspelt
        };
        !is_given && names.any(|part| is_like(&part))
    }
}

/// Words, and the text between them.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let is_word = rest.chars().next()?.is_alphanumeric();
        let end = rest.find(|c: char| c.is_alphanumeric() != is_word).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        rest = behind;
        Some(piece)
    })
}

/// The parts of a name that are looked for, written small.
fn parts(name: &str) -> Vec<String> {
    let name = folded(name);
    let words = pieces(&name).filter(|part| part.starts_with(char::is_alphanumeric));
    let words: Vec<&str> = words.collect();
    let least = if words.len() == 1 { LEAST_LETTERS - 1 } else { LEAST_LETTERS };
    let long = words.into_iter().filter(|part| part.chars().count() >= least);
    long.map(str::to_owned).collect()
}

/// The name itself or its genitive, both written small.
fn is_name(word: &str, name: &str) -> bool {
    word == name || word.strip_prefix(name) == Some("s")
}

/// All speakers, in playing order; then those who only speak over others, or nowhere in the edit, since
/// others may name them.
fn speakers(session: &Session) -> Vec<String> {
    let mut speakers: Vec<String> = Vec::new();
    let order = session.assembly.order.iter().chain(session.phrases.keys());
    let phrases = order.filter_map(|id| session.phrases.get(id));
    let said = phrases.flat_map(|phrase| &phrase.segments);
    let said = said.filter_map(|id| session.segments.get(id));
    for speaker in said.chain(session.segments.values()).filter_map(|it| it.speaker.as_ref()) {
        if !speakers.contains(speaker) {
            speakers.push(speaker.clone());
        }
    }
    speakers
}
