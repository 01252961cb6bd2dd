//! The contents of a project other than its codebook. Notes on codes are read; the rest is only reported. A
//! note is in the project, or in a file of its own in the archive.

use super::{Book, MOST_CODES, NAME_CHARS, Problem, TEXT_BYTES, attribute, legal};
use deskhand_session::text::names;
use quick_xml::events::BytesStart;
use std::collections::{BTreeMap, BTreeSet};

/// The most that are named.
const NAMED: usize = 3;
/// The most that is read of notes in files of their own, in bytes.
const MOST_OF_NOTES: usize = 10_000_000;

/// Things that are counted, and the first of them named.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::refi) struct Counted {
    pub(in crate::refi) count: usize,
    first: Vec<String>,
}

impl Counted {
    pub(in crate::refi) fn add(&mut self, name: &str) {
        self.count += 1;
        if self.first.len() < NAMED {
            self.first.push(name.chars().take(NAME_CHARS).collect());
        }
    }

    /// `"a", "b", "c" and 4 more`.
    pub(in crate::refi) fn named(&self) -> String {
        let more = self.count - self.first.len();
        let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
        names(&self.first) + &tail
    }
}

/// A note of a project.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::refi) struct Note {
    pub(in crate::refi) name: String,
    /// Plain, "" where it is too long for a memo, or not read.
    pub(in crate::refi) text: String,
    /// The path of its file, "" without one.
    file: String,
}

/// The contents other than codes and sets.
#[derive(Debug, Default)]
pub(in crate::refi) struct Rest {
    pub(in crate::refi) sources: Counted,
    pub(in crate::refi) codings: usize,
    /// By their GUIDs.
    pub(in crate::refi) notes: BTreeMap<String, Note>,
    /// The note that is being read.
    open: String,
}

impl Rest {
    /// A source is only reported.
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
        let file = attribute(start, b"plainTextPath")?;
        self.notes.insert(self.open.clone(), Note { name, text: String::new(), file });
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

impl Book {
    /// Reads the notes on codes that have files of their own. `read` gives the text of a file by its path,
    /// if it has at most this many bytes.
    pub(in crate::refi) fn read_texts(
        &mut self,
        read: &mut dyn FnMut(&str, usize) -> Option<String>,
    ) {
        let on_codes: BTreeSet<&String> = self.codes.iter().flat_map(|code| &code.notes).collect();
        let mut left = MOST_OF_NOTES;
        for (guid, note) in &mut self.rest.notes {
            if note.file.is_empty() || !note.text.is_empty() || !on_codes.contains(guid) {
                continue;
            }
            if let Some(text) = read(&note.file, TEXT_BYTES.min(left)) {
                left = left.saturating_sub(text.len());
                note.text = legal(text.trim_start_matches('\u{feff}'));
            }
        }
    }
}

/// A GUID in a form for comparison: some programs write it in braces, or in capitals.
pub(super) fn guid(text: &str) -> String {
    text.trim().trim_matches(['{', '}']).to_ascii_lowercase()
}
