//! Writing XML: elements with attributes and texts, and the codebook.

use super::guid::guid;
use deskhand_session::{Code, CodeId, ObjectId, Session};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};
use std::collections::BTreeMap;
use std::io;

/// The namespace of codebooks.
const CODEBOOK: &str = "urn:QDA-XML:codebook:1.0";
/// Which program wrote a file.
pub(super) const ORIGIN: &str = concat!("Deskhand ", env!("CARGO_PKG_VERSION"));

/// An XML document in memory.
pub(super) struct Xml(Writer<Vec<u8>>);

impl Xml {
    pub(super) fn new() -> io::Result<Self> {
        let mut writer = Writer::new_with_indent(Vec::new(), b' ', 1);
        writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("utf-8"), None)))?;
        Ok(Self(writer))
    }

    pub(super) fn finish(self) -> Vec<u8> {
        let mut bytes = self.0.into_inner();
        bytes.push(b'\n');
        bytes
    }

    /// Opens an element.
    pub(super) fn open(&mut self, name: &str, attributes: &[(&str, &str)]) -> io::Result<()> {
        self.0.write_event(Event::Start(element(name, attributes)))
    }

    pub(super) fn close(&mut self, name: &str) -> io::Result<()> {
        self.0.write_event(Event::End(BytesEnd::new(name)))
    }

    /// An element without content.
    pub(super) fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) -> io::Result<()> {
        self.0.write_event(Event::Empty(element(name, attributes)))
    }

    /// An element with a text; no element for an empty text.
    pub(super) fn text(&mut self, name: &str, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.0.write_event(Event::Start(BytesStart::new(name)))?;
        self.0.write_event(Event::Text(BytesText::new(&legal(text))))?;
        self.close(name)
    }
}

fn element<'a>(name: &'a str, attributes: &[(&str, &str)]) -> BytesStart<'a> {
    let mut element = BytesStart::new(name);
    for (key, value) in attributes {
        element.push_attribute((*key, legal(value).as_str()));
    }
    element
}

/// A text without the characters that XML 1.0 cannot hold.
fn legal(text: &str) -> String {
    let allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    text.chars().map(|c| if allowed(c) { c } else { '\u{fffd}' }).collect()
}

/// The codebook as a file of its own.
pub(super) fn codebook(session: &Session) -> io::Result<Vec<u8>> {
    let mut xml = Xml::new()?;
    xml.open("CodeBook", &[("xmlns", CODEBOOK), ("origin", ORIGIN)])?;
    codes(&mut xml, session, &BTreeMap::new())?;
    xml.close("CodeBook")?;
    Ok(xml.finish())
}

/// The rest to write of a tree of codes. It is no recursion: codes may be nested to any depth.
enum Step<'a> {
    Open(CodeId, &'a Code),
    Close,
}

/// The codes as a tree, each with the notes on it.
pub(super) fn codes(
    xml: &mut Xml,
    session: &Session,
    notes: &BTreeMap<ObjectId, String>,
) -> io::Result<()> {
    let mut children: BTreeMap<Option<CodeId>, Vec<(CodeId, &Code)>> = BTreeMap::new();
    for (id, code) in &session.codes {
        children.entry(code.parent).or_default().push((*id, code));
    }
    for codes in children.values_mut() {
        // The first comes off the end.
        codes.sort_by_key(|(id, code)| std::cmp::Reverse((code.name.to_lowercase(), *id)));
    }
    let open = |(id, code)| Step::Open(id, code);
    let mut steps: Vec<Step<'_>> =
        children.remove(&None).unwrap_or_default().into_iter().map(open).collect();
    xml.open("Codes", &[])?;
    while let Some(step) = steps.pop() {
        match step {
            Step::Close => xml.close("Code")?,
            Step::Open(id, code) => {
                let guid = guid(session.id, &id.to_string());
                let color = code.color.clone().map(String::from);
                let mut attributes =
                    vec![("guid", guid.as_str()), ("name", &code.name), ("isCodable", "true")];
                attributes.extend(color.as_deref().map(|color| ("color", color)));
                xml.open("Code", &attributes)?;
                xml.text("Description", &code.description)?;
                note(xml, notes, id.into())?;
                steps.push(Step::Close);
                steps.extend(children.remove(&Some(id)).unwrap_or_default().into_iter().map(open));
            }
        }
    }
    xml.close("Codes")
}

/// The reference to the note on an object, if there is one.
pub(super) fn note(
    xml: &mut Xml,
    notes: &BTreeMap<ObjectId, String>,
    on: ObjectId,
) -> io::Result<()> {
    match notes.get(&on) {
        Some(guid) => xml.empty("NoteRef", &[("targetGUID", guid)]),
        None => Ok(()),
    }
}
