//! Speakers by other names.

use crate::assembly::talk::plain;
use deskhand_session::Session;
use deskhand_toolkit::target::nearest;
use deskhand_toolkit::{Code, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Shorter parts of a name are not looked for in what is said.
const LEAST_LETTERS: usize = 3;

/// How speakers are called.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(in crate::assembly) enum Pseudonyms {
    /// True: "Speaker 1", "Speaker 2", … in the order in which they speak.
    All(bool),
    /// A name for each speaker; the others keep theirs.
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
    /// When a pseudonym is for nobody who speaks.
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

    /// What is said, with the names of speakers replaced where they are written like them.
    pub(super) fn text(&self, text: &str) -> String {
        if !self.are_hidden() {
            return text.into();
        }
        let words: Vec<String> = text.split(' ').map(|word| self.word(word)).collect();
        words.join(" ")
    }

    fn word(&self, word: &str) -> String {
        let is_part = |name: &str| {
            name.split_whitespace()
                .filter(|part| plain(part).chars().count() >= LEAST_LETTERS)
                .any(|part| word.starts_with(part) && is_name(&plain(word), &plain(part)))
        };
        let found = self.other.iter().find(|(name, _)| is_part(name));
        found.map_or_else(
            || word.to_owned(),
            |(_, other)| {
                let tail = word.trim_end_matches(|c: char| !c.is_alphanumeric());
                format!("{other}{}", &word[tail.len()..])
            },
        )
    }
}

/// The name itself or its genitive, both without punctuation.
fn is_name(word: &str, name: &str) -> bool {
    word == name || word.strip_prefix(name) == Some("s")
}

/// Everybody who speaks, in the order in which they play.
fn speakers(session: &Session) -> Vec<String> {
    let mut speakers: Vec<String> = Vec::new();
    let order = session.assembly.order.iter().chain(session.phrases.keys());
    for phrase in order.filter_map(|id| session.phrases.get(id)) {
        let segments = phrase.segments.iter().filter_map(|id| session.segments.get(id));
        for speaker in segments.filter_map(|segment| segment.speaker.as_ref()) {
            if !speakers.contains(speaker) {
                speakers.push(speaker.clone());
            }
        }
    }
    speakers
}
