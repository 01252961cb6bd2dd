//! What a project holds beside its codebook: notes, of which those on codes are read, and what is only told of.

use super::{MOST_CODES, NAME_CHARS, Problem, TEXT_BYTES, attribute};
use crate::words::names;
use quick_xml::events::BytesStart;
use std::collections::BTreeMap;

/// So many are named.
const NAMED: usize = 3;

/// Things that are counted, and the first of them named.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::codes::refi) struct Counted {
    pub(in crate::codes::refi) count: usize,
    first: Vec<String>,
}

impl Counted {
    pub(in crate::codes::refi) fn add(&mut self, name: &str) {
        self.count += 1;
        if self.first.len() < NAMED {
            self.first.push(name.chars().take(NAME_CHARS).collect());
        }
    }

    /// `"a", "b", "c" and 4 more`.
    pub(in crate::codes::refi) fn named(&self) -> String {
        let more = self.count - self.first.len();
        let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
        names(&self.first) + &tail
    }
}

/// A note of a project.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::codes::refi) struct Note {
    pub(in crate::codes::refi) name: String,
    /// Plain, "" where it stands in a file of its own or is too long for a memo.
    pub(in crate::codes::refi) text: String,
}

/// What is there beside codes and sets.
#[derive(Debug, Default)]
pub(in crate::codes::refi) struct Rest {
    pub(in crate::codes::refi) sources: Counted,
    pub(in crate::codes::refi) codings: usize,
    /// By their GUIDs.
    pub(in crate::codes::refi) notes: BTreeMap<String, Note>,
    /// The note that is being read.
    open: String,
}

impl Rest {
    /// A source is only told of.
    pub(super) fn source(&mut self, start: &BytesStart<'_>) -> Result<(), Problem> {
        self.sources.add(&attribute(start, b"name")?);
        Ok(())
    }

    /// A note, whose text follows.
    pub(super) fn note(&mut self, start: &BytesStart<'_>) -> Result<(), Problem> {
        if self.notes.len() == MOST_CODES {
            return Err(Problem::ManyNotes);
        }
        self.open = guid(&attribute(start, b"guid")?);
        let name: String = attribute(start, b"name")?.chars().take(NAME_CHARS).collect();
        self.notes.insert(self.open.clone(), Note { name, text: String::new() });
        Ok(())
    }

    /// The text of the note that is open.
    pub(super) fn text(&mut self, text: &str) {
        let fits = text.len() <= TEXT_BYTES;
        if let Some(note) = self.notes.get_mut(&self.open).filter(|_| fits) {
            text.clone_into(&mut note.text);
        }
    }
}

/// A GUID as it is compared: some programs write it in braces, or in capitals.
pub(super) fn guid(text: &str) -> String {
    text.trim().trim_matches(['{', '}']).to_ascii_lowercase()
}
