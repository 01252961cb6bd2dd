//! Reads a project's first sequence. Nothing in the file is trusted: no entity of its own, no depth, no number.

use super::super::timeline::Imported;
use super::assemble::Assembly;
use deskhand_dsp::SampleRate;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::collections::BTreeMap;

/// How deep elements may lie in one another.
const DEEPEST: usize = 64;
/// The most clips, files and markers.
pub(super) const MOST: usize = 100_000;

/// Why a file is no FCPXML project, and where.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct FcpxmlError {
    /// From 1.
    pub line: usize,
    /// What is wrong.
    pub problem: Problem,
}

/// The problems of a project.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// It is not well-formed.
    #[error("this is no XML: {0}")]
    Xml(String),
    /// Entities could grow to any size.
    #[error(
        "the document type declares entities, which Deskhand does not read; export the project again"
    )]
    Entities,
    /// Deeper than the limit.
    #[error("elements lie more than {DEEPEST} deep in one another; simplify the project")]
    Deep,
    /// More than the limit.
    #[error("there are more than {MOST} clips, files or markers; split the project")]
    Many,
    /// A value that is not of its kind.
    #[error("{0}=\"{1}\" of <{2}> is not a value that Deskhand reads; export the project again")]
    Value(&'static str, String, String),
    /// A reference to nothing.
    #[error("there is no {0} \"{1}\" in the resources; export the project again")]
    Missing(&'static str, String),
    /// A frame rate that is not known.
    #[error("a frame of {0} is of no rate that Deskhand reads: 23.976 to 60 frames a second are")]
    FrameRate(String),
    /// It has no sequence.
    #[error("there is no project with a sequence in it; export a project, not only clips")]
    NoSequence,
    /// It has picture only.
    #[error("no clip of the project has audio; export one with audio")]
    NoAudio,
}

/// An element with its attributes.
pub(super) struct Element {
    pub(super) name: String,
    values: BTreeMap<String, String>,
}

impl Element {
    fn of(start: &BytesStart<'_>) -> Result<Self, Problem> {
        let name = String::from_utf8_lossy(start.name().as_ref()).into_owned();
        let mut values = BTreeMap::new();
        for attribute in start.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| Problem::Xml(error.to_string()))?;
            let key = String::from_utf8_lossy(attribute.key.as_ref()).into_owned();
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            let value = value.map_err(|error| Problem::Xml(error.to_string()))?;
            values.insert(key, value.into_owned());
        }
        Ok(Self { name, values })
    }

    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.values.get(key).map(String::as_str)
    }

    /// A value read by `read`. `None` if there is no such attribute.
    pub(super) fn value<T>(
        &self,
        key: &'static str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, Problem> {
        let Some(text) = self.get(key) else { return Ok(None) };
        let bad = || Problem::Value(key, text.chars().take(40).collect(), self.name.clone());
        read(text).map(Some).ok_or_else(bad)
    }
}

/// A timeline at `rate` from the text of a project.
///
/// # Errors
/// The first place that cannot be read.
pub fn read(text: &str, rate: SampleRate) -> Result<Imported, FcpxmlError> {
    let mut reader = Reader::from_str(text);
    let mut assembly = Assembly::new(rate);
    let result = walk(&mut reader, &mut assembly).and_then(|()| assembly.finish());
    result.map_err(|problem| {
        let at = usize::try_from(reader.buffer_position()).unwrap_or(0).min(text.len());
        let line = text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        FcpxmlError { line, problem }
    })
}

fn walk(reader: &mut Reader<&[u8]>, assembly: &mut Assembly) -> Result<(), Problem> {
    let mut depth = 0_usize;
    loop {
        let event = reader.read_event().map_err(|error| Problem::Xml(error.to_string()))?;
        match event {
            Event::Start(start) => {
                depth += 1;
                if depth > DEEPEST {
                    return Err(Problem::Deep);
                }
                assembly.open(&Element::of(&start)?)?;
            }
            Event::Empty(start) => {
                assembly.open(&Element::of(&start)?)?;
                assembly.close();
            }
            Event::End(_) => {
                depth = depth.saturating_sub(1);
                assembly.close();
            }
            Event::DocType(text) if text.contains(&b'[') => return Err(Problem::Entities),
            Event::Eof if depth > 0 => return Err(Problem::Xml("it ends too early".into())),
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}
