//! Reads a codebook from elsewhere, or that of a project: nothing in it is trusted.

mod project_contents;

pub(super) use project_contents::{Counted, Rest};

use deskhand_session::{Code, Color};
use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};

/// The most codes, and the most sets.
const MOST_CODES: usize = 20_000;
/// How deep elements may lie in one another.
const DEEPEST: usize = 64;
/// The longest name, in characters.
const NAME_CHARS: usize = 200;
/// The longest description or memo, in bytes.
pub(super) const TEXT_BYTES: usize = 65_536;

/// A code as in the file, before its children.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ReadCode {
    /// Its own parent is not set: that is an id of a session.
    pub(super) code: Code,
    /// The index of the one it is in.
    pub(super) parent: Option<usize>,
    /// The GUIDs of the notes on it.
    pub(super) notes: Vec<String>,
}

/// What a file holds of a codebook.
#[derive(Debug, Default)]
pub(super) struct Book {
    pub(super) codes: Vec<ReadCode>,
    /// The names of sets of codes, "" for a set without one.
    pub(super) sets: Vec<String>,
    /// Other contents of a project.
    pub(super) rest: Rest,
}

/// Why a file is no codebook, and where.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub(super) struct ReadError {
    /// From 1.
    pub(super) line: usize,
    pub(super) problem: Problem,
}

/// The problems of a codebook.
#[derive(Debug, thiserror::Error)]
pub(super) enum Problem {
    /// It is binary, or of another encoding.
    #[error("the text is not UTF-8")]
    Encoding,
    /// Entities could grow to any size.
    #[error("it has a document type, which is not read")]
    DocType,
    /// An entity that XML does not know by itself.
    #[error("it uses the entity &{0};, which is not read")]
    Entity(String),
    /// Elements in elements.
    #[error("its elements lie more than {DEEPEST} deep")]
    Deep,
    /// Too many codes.
    #[error("it has more than {MOST_CODES} codes")]
    Many,
    /// Too many sets.
    #[error("it has more than {MOST_CODES} sets")]
    ManySets,
    /// Too many notes.
    #[error("it has more than {MOST_CODES} notes")]
    ManyNotes,
    /// No XML.
    #[error("it is not well-formed: {0}")]
    Malformed(String),
    /// XML of something else.
    #[error("its root is <{0}>, not <CodeBook> or <Project>")]
    Root(String),
    /// A code without a name.
    #[error("a code has no name, or one that is longer than {NAME_CHARS} characters")]
    Name,
    /// A description that is a book.
    #[error("a description has more than {TEXT_BYTES} bytes")]
    Long,
    /// No code at all.
    #[error("it holds no codes")]
    Empty,
}

impl Problem {
    /// What to do about it.
    pub(super) fn way_out(&self) -> &'static str {
        match self {
            Self::Encoding => "save it as UTF-8",
            Self::DocType | Self::Entity(_) => "export it again as plain REFI-QDA",
            Self::Deep
            | Self::Many
            | Self::ManySets
            | Self::ManyNotes
            | Self::Long
            | Self::Name => "make it smaller and export it again",
            Self::Malformed(_) | Self::Root(_) | Self::Empty => {
                "choose a REFI-QDA codebook (.qdc) or project (.qdpx)"
            }
        }
    }
}

/// The codebook of a file, which is one or a project with one. Each code comes before its children.
pub(super) fn codebook(bytes: &[u8]) -> Result<Book, ReadError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let ahead = bytes.get(..error.valid_up_to()).unwrap_or_default();
        ReadError { line: line(ahead), problem: Problem::Encoding }
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader::from_str(text);
    let mut codes = Codes::default();
    loop {
        let event = reader.read_event().map_err(|error| Problem::Malformed(plain(&error)));
        let is_end = matches!(event, Ok(Event::Eof));
        let taken = event.and_then(|event| codes.take(&event));
        if let Err(problem) = taken {
            let at = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
            let ahead = text.as_bytes().get(..at).unwrap_or(text.as_bytes());
            return Err(ReadError { line: line(ahead), problem });
        }
        if is_end {
            return Ok(Book { codes: codes.found, sets: codes.sets, rest: codes.rest });
        }
    }
}

/// The number of the line that follows these bytes.
fn line(ahead: &[u8]) -> usize {
    ahead.iter().filter(|byte| **byte == b'\n').count() + 1
}

/// The codes read so far.
#[derive(Default)]
struct Codes {
    found: Vec<ReadCode>,
    sets: Vec<String>,
    rest: Rest,
    /// The elements that are open, with the code that each is.
    open: Vec<(Kind, Option<usize>)>,
    had_root: bool,
    /// The description or note that is being read.
    text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Project,
    Root,
    Code,
    Description,
    Sets,
    Set,
    Sources,
    Source,
    /// Anything in a source but a coding.
    Inside,
    Coding,
    Notes,
    Note,
    NoteText,
    NoteRef,
    /// What other programs add, and all in it.
    Other,
}

impl Codes {
    fn take(&mut self, event: &Event<'_>) -> Result<(), Problem> {
        match event {
            Event::Start(start) => self.start(start),
            Event::Empty(start) => {
                self.start(start)?;
                self.end();
                Ok(())
            }
            Event::End(_) => {
                self.end();
                Ok(())
            }
            Event::Text(text) => {
                let text = text.xml10_content().map_err(|error| malformed(&error))?;
                self.add(&text)
            }
            Event::CData(text) => {
                let text = text.xml10_content().map_err(|error| malformed(&error))?;
                self.add(&text)
            }
            Event::GeneralRef(entity) => {
                let name = entity.decode().map_err(|error| malformed(&error))?;
                let character = entity.resolve_char_ref().map_err(|error| malformed(&error))?;
                let known = quick_xml::escape::resolve_predefined_entity(&name);
                match (character, known) {
                    (Some(character), _) => self.add(character.encode_utf8(&mut [0; 4])),
                    (None, Some(text)) => self.add(text),
                    (None, None) => Err(Problem::Entity(name.chars().take(40).collect())),
                }
            }
            Event::DocType(_) => Err(Problem::DocType),
            Event::Eof if !self.open.is_empty() => {
                Err(Problem::Malformed("it ends in the middle".into()))
            }
            Event::Eof if self.found.is_empty() => Err(Problem::Empty),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::Eof => Ok(()),
        }
    }

    fn start(&mut self, start: &BytesStart<'_>) -> Result<(), Problem> {
        if self.open.len() == DEEPEST {
            return Err(Problem::Deep);
        }
        let kind = self.kind(start.local_name().as_ref())?;
        let above = self.open.iter().rev().find_map(|(_, code)| *code);
        let mut code = None;
        match kind {
            Kind::Code => code = Some(self.code(start, above)?),
            Kind::Set => self.set(start)?,
            Kind::Description | Kind::NoteText => self.text.clear(),
            Kind::Source => self.rest.source(start)?,
            Kind::Coding => self.rest.codings += 1,
            Kind::Note => self.rest.note(start)?,
            Kind::NoteRef => self.refer(start, above)?,
            Kind::Project
            | Kind::Root
            | Kind::Sets
            | Kind::Sources
            | Kind::Inside
            | Kind::Notes
            | Kind::Other => {}
        }
        self.had_root = true;
        self.open.push((kind, code));
        Ok(())
    }

    /// The kind of an element, by its name and its parent.
    fn kind(&self, name: &[u8]) -> Result<Kind, Problem> {
        let Some((inside, _)) = self.open.last() else {
            return match name {
                b"CodeBook" if !self.had_root => Ok(Kind::Root),
                b"Project" if !self.had_root => Ok(Kind::Project),
                other => {
                    Err(Problem::Root(String::from_utf8_lossy(other).chars().take(40).collect()))
                }
            };
        };
        Ok(match (inside, name) {
            (Kind::Project, b"CodeBook") | (Kind::Root, b"Codes") => Kind::Root,
            (Kind::Project | Kind::Root, b"Sets") => Kind::Sets,
            (Kind::Sets, b"Set") => Kind::Set,
            (Kind::Root | Kind::Code, b"Code") => Kind::Code,
            (Kind::Code, b"Description") => Kind::Description,
            (Kind::Code, b"NoteRef") => Kind::NoteRef,
            (Kind::Project, b"Notes") => Kind::Notes,
            (Kind::Notes, b"Note") => Kind::Note,
            (Kind::Note, b"PlainTextContent") => Kind::NoteText,
            (Kind::Project, b"Sources") => Kind::Sources,
            (Kind::Sources, _) => Kind::Source,
            (Kind::Source | Kind::Inside | Kind::Coding, b"Coding") => Kind::Coding,
            (Kind::Source | Kind::Inside | Kind::Coding, _) => Kind::Inside,
            (_, _) => Kind::Other,
        })
    }

    /// A new code with the attributes of its element; its index.
    fn code(&mut self, start: &BytesStart<'_>, parent: Option<usize>) -> Result<usize, Problem> {
        if self.found.len() == MOST_CODES {
            return Err(Problem::Many);
        }
        let (name, color) = name_and_color(start)?;
        if name.is_empty() || name.chars().count() > NAME_CHARS {
            return Err(Problem::Name);
        }
        let code = Code { color, ..Code::new(name) };
        self.found.push(ReadCode { code, parent, notes: Vec::new() });
        Ok(self.found.len() - 1)
    }

    /// That a note is on the code that is open.
    fn refer(&mut self, start: &BytesStart<'_>, code: Option<usize>) -> Result<(), Problem> {
        let note = project_contents::guid(&attribute(start, b"targetGUID")?);
        if let Some(code) = code.and_then(|code| self.found.get_mut(code)) {
            code.notes.push(note);
        }
        Ok(())
    }

    /// A set is only reported: Deskhand has no sets of codes.
    fn set(&mut self, start: &BytesStart<'_>) -> Result<(), Problem> {
        if self.sets.len() == MOST_CODES {
            return Err(Problem::ManySets);
        }
        let (name, _) = name_and_color(start)?;
        self.sets.push(name.chars().take(NAME_CHARS).collect());
        Ok(())
    }

    fn add(&mut self, text: &str) -> Result<(), Problem> {
        match self.open.last() {
            Some((Kind::Description, _)) if self.text.len() + text.len() > TEXT_BYTES => {
                Err(Problem::Long)
            }
            // Of a note that is too long for a memo no more is kept than says so.
            Some((Kind::NoteText, _)) if self.text.len() > TEXT_BYTES => Ok(()),
            Some((Kind::Description | Kind::NoteText, _)) => {
                self.text.push_str(text);
                Ok(())
            }
            Some(_) | None => Ok(()),
        }
    }

    fn end(&mut self) {
        match self.open.pop() {
            Some((Kind::NoteText, _)) => {
                self.rest.text(&legal(&self.text));
            }
            Some((Kind::Description, _)) => {
                let code = self.open.last().and_then(|(_, code)| *code);
                if let Some(read) = code.and_then(|code| self.found.get_mut(code)) {
                    read.code.description = legal(&self.text);
                }
            }
            Some(_) | None => {}
        }
    }
}

/// A text as a session takes it.
fn legal(text: &str) -> String {
    let legal = |c: char| if c.is_control() && c != '\n' && c != '\t' { ' ' } else { c };
    text.trim().replace("\r\n", "\n").chars().map(legal).collect()
}

/// The name of an element, "" without one, and its color.
fn name_and_color(start: &BytesStart<'_>) -> Result<(String, Option<Color>), Problem> {
    let (mut name, mut color) = (String::new(), None);
    // A check for doubles would take the square of a million attributes.
    for attribute in start.attributes().with_checks(false) {
        let attribute = attribute.map_err(|error| malformed(&error))?;
        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
        let value = value.map_err(|error| malformed(&error))?;
        match attribute.key.local_name().as_ref() {
            b"name" => name = one_line(&value),
            b"color" => color = self::color(value.trim()),
            _ => {}
        }
    }
    Ok((name, color))
}

/// One attribute of an element in one line, "" without it.
fn attribute(start: &BytesStart<'_>, wanted: &[u8]) -> Result<String, Problem> {
    for attribute in start.attributes().with_checks(false) {
        let attribute = attribute.map_err(|error| malformed(&error))?;
        if attribute.key.local_name().as_ref() == wanted {
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            return value.map(|value| one_line(&value)).map_err(|error| malformed(&error));
        }
    }
    Ok(String::new())
}

fn one_line(text: &str) -> String {
    let spaced: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `#rgb` or `#rrggbb`; any other text is no color.
fn color(text: &str) -> Option<Color> {
    let long = match text.strip_prefix('#') {
        Some(short) if short.len() == 3 => {
            let doubled: String = short.chars().flat_map(|digit| [digit, digit]).collect();
            format!("#{doubled}")
        }
        Some(_) | None => text.to_owned(),
    };
    Color::try_from(long).ok()
}

fn malformed(error: &impl std::fmt::Display) -> Problem {
    Problem::Malformed(plain(error))
}

/// An error in one short line.
fn plain(error: &impl std::fmt::Display) -> String {
    one_line(&error.to_string()).chars().take(160).collect()
}
