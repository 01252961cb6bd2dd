//! An XML file as an index of its elements by where their bytes are, and changes of it by splicing.
//! The base of the formats that are XML.

use std::borrow::Cow;
use std::ops::Range;

use quick_xml::Reader;
use quick_xml::escape::{escape, unescape};
use quick_xml::events::{BytesStart, Event};

use crate::format::ReadError;
use crate::splice::Splices;

const MOST_BYTES: usize = 256 << 20;
const DEEPEST: usize = 200;
const MOST_ELEMENTS: usize = 1_000_000;
const MOST_ATTRIBUTES: usize = 4_000_000;
const LONGEST_ATTRIBUTE: usize = 1 << 20;
/// A number above it is damage.
const LARGEST: f64 = 1e18;

struct Element {
    name: Range<usize>,
    tag: Range<usize>,
    /// The tag that ends it; empty where the first tag does.
    end_tag: Range<usize>,
    parent: Option<usize>,
    /// The first element after all that is in it.
    next: usize,
    attributes: Range<usize>,
}

struct Attribute {
    name: Range<usize>,
    value: Range<usize>,
}

pub(crate) struct Document<'a> {
    bytes: &'a [u8],
    program: &'static str,
    elements: Vec<Element>,
    attributes: Vec<Attribute>,
}

impl<'a> Document<'a> {
    /// Indexes `bytes`; `program` is named in errors.
    pub(crate) fn parse(bytes: &'a [u8], program: &'static str) -> Result<Self, ReadError> {
        if bytes.len() > MOST_BYTES {
            return Err(too_large(format!("more than {} MB", MOST_BYTES >> 20)));
        }
        let mut document = Self { bytes, program, elements: Vec::new(), attributes: Vec::new() };
        if let Err(error) = std::str::from_utf8(bytes) {
            return Err(document.damaged(error.valid_up_to(), "a character that is not UTF-8"));
        }
        document.index()?;
        match document.elements.is_empty() {
            true => Err(ReadError::Kind(program)),
            false => Ok(document),
        }
    }

    fn index(&mut self) -> Result<(), ReadError> {
        let mark = if self.bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let mut reader = Reader::from_reader(&self.bytes[mark..]);
        reader.config_mut().check_comments = false;
        let mut open: Vec<usize> = Vec::new();
        loop {
            let start = mark + reader.buffer_position() as usize;
            let event = reader.read_event();
            let end = mark + reader.buffer_position() as usize;
            match event.map_err(|error| self.damaged(start, &error.to_string()))? {
                Event::Start(tag) => {
                    self.add(&tag, start..end, open.last().copied())?;
                    open.push(self.elements.len() - 1);
                    if open.len() > DEEPEST {
                        return Err(too_large(format!("more than {DEEPEST} elements nested")));
                    }
                }
                Event::Empty(tag) => self.add(&tag, start..end, open.last().copied())?,
                Event::End(_) => {
                    let closed = open.pop().ok_or_else(|| self.damaged(start, "ends nothing"))?;
                    let next = self.elements.len();
                    let element = &mut self.elements[closed];
                    (element.end_tag, element.next) = (start..end, next);
                }
                Event::DocType(_) => return Err(too_large("a document type".to_owned())),
                Event::Eof if open.is_empty() => return Ok(()),
                Event::Eof => return Err(self.damaged(start, "the file is cut off")),
                _ => {}
            }
        }
    }

    fn add(
        &mut self,
        tag: &BytesStart<'_>,
        place: Range<usize>,
        parent: Option<usize>,
    ) -> Result<(), ReadError> {
        if parent.is_none() && !self.elements.is_empty() {
            return Err(self.damaged(place.start, "a second document begins"));
        }
        let first = self.attributes.len();
        for attribute in tag.attributes().with_checks(false) {
            let attribute =
                attribute.map_err(|error| self.damaged(place.start, &error.to_string()))?;
            let name = self.range_of(attribute.key.as_ref());
            let value = self.range_of(&attribute.value);
            if value.len() > LONGEST_ATTRIBUTE {
                return Err(too_large("an attribute of more than 1 MB".to_owned()));
            }
            self.attributes.push(Attribute { name, value });
        }
        if self.elements.len() == MOST_ELEMENTS || self.attributes.len() > MOST_ATTRIBUTES {
            return Err(too_large(format!("more than {MOST_ELEMENTS} elements")));
        }
        self.elements.push(Element {
            name: self.range_of(tag.name().as_ref()),
            end_tag: place.end..place.end,
            tag: place,
            parent,
            next: self.elements.len() + 1,
            attributes: first..self.attributes.len(),
        });
        Ok(())
    }

    /// Where a part of the bytes that the reader borrowed from us is.
    fn range_of(&self, part: &[u8]) -> Range<usize> {
        let start = (part.as_ptr() as usize).saturating_sub(self.bytes.as_ptr() as usize);
        start..start + part.len()
    }

    pub(crate) fn damaged(&self, at: usize, what: &str) -> ReadError {
        let before = self.bytes.get(..at).unwrap_or(self.bytes);
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        ReadError::Damaged { program: self.program, line, what: what.to_owned() }
    }

    /// Damage in the tag of `element`.
    pub(crate) fn damaged_in(&self, element: usize, what: &str) -> ReadError {
        self.damaged(self.elements[element].tag.start, what)
    }

    pub(crate) const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    pub(crate) fn name(&self, element: usize) -> &'a str {
        std::str::from_utf8(&self.bytes[self.elements[element].name.clone()]).unwrap_or_default()
    }

    pub(crate) fn parent(&self, element: usize) -> Option<usize> {
        self.elements[element].parent
    }

    /// All elements inside of `element`, at any depth.
    pub(crate) fn inside(&self, element: usize) -> Range<usize> {
        element + 1..self.elements[element].next
    }

    pub(crate) fn children(&self, element: usize) -> impl Iterator<Item = usize> + '_ {
        let mut inside = self.inside(element);
        std::iter::from_fn(move || {
            let child = inside.next()?;
            inside.start = self.elements[child].next;
            Some(child)
        })
    }

    pub(crate) fn named<'d>(
        &'d self,
        element: usize,
        name: &'d str,
    ) -> impl Iterator<Item = usize> + 'd {
        self.children(element).filter(move |child| self.name(*child) == name)
    }

    pub(crate) fn child(&self, element: usize, name: &str) -> Option<usize> {
        self.named(element, name).next()
    }

    fn value(&self, element: usize, name: &str) -> Option<Range<usize>> {
        let attributes = &self.attributes[self.elements[element].attributes.clone()];
        let is = |attribute: &&Attribute| &self.bytes[attribute.name.clone()] == name.as_bytes();
        attributes.iter().find(is).map(|attribute| attribute.value.clone())
    }

    /// An attribute with its entities resolved; as written where an entity is not known.
    pub(crate) fn text(&self, element: usize, name: &str) -> Option<Cow<'a, str>> {
        let text = std::str::from_utf8(&self.bytes[self.value(element, name)?]).ok()?;
        Some(unescape(text).unwrap_or(Cow::Borrowed(text)))
    }

    pub(crate) fn owned(&self, element: usize, name: &str) -> Option<String> {
        self.text(element, name).map(Cow::into_owned)
    }

    pub(crate) fn is(&self, element: usize, name: &str, value: &str) -> bool {
        self.text(element, name).is_some_and(|text| text == value)
    }

    pub(crate) fn number(&self, element: usize, name: &str) -> Result<Option<f64>, ReadError> {
        let Some(text) = self.text(element, name) else { return Ok(None) };
        match text.trim().parse::<f64>() {
            Ok(number) if number.abs() <= LARGEST => Ok(Some(number)),
            _ => {
                let text = text.chars().take(40).collect::<String>();
                let element_name = self.name(element);
                let what = format!("{name} of {element_name} is {text:?}, not a number");
                Err(self.damaged_in(element, &what))
            }
        }
    }

    /// What is between the tags of an element that holds text only.
    pub(crate) fn content(&self, element: usize) -> &'a str {
        let range = self.content_range(element);
        std::str::from_utf8(&self.bytes[range]).unwrap_or_default()
    }

    pub(crate) fn content_range(&self, element: usize) -> Range<usize> {
        let Element { tag, end_tag, .. } = &self.elements[element];
        tag.end..end_tag.start
    }

    /// From the element's first byte to its last.
    pub(crate) fn range(&self, element: usize) -> Range<usize> {
        let Element { tag, end_tag, .. } = &self.elements[element];
        tag.start..end_tag.end
    }

    /// The same with the rest of its lines, if it has them for itself.
    pub(crate) fn lines(&self, element: usize) -> Range<usize> {
        let Range { start, end } = self.range(element);
        let indent = self.indent(element).len();
        let is_line_start = start == indent || self.bytes[..start - indent].ends_with(b"\n");
        let rest = &self.bytes[end..];
        let line_end = if rest.starts_with(b"\r\n") { 2 } else { 1 };
        match is_line_start && rest.get(line_end - 1) == Some(&b'\n') {
            true => start - indent..end + line_end,
            false => start..end,
        }
    }

    /// The blanks before an element.
    pub(crate) fn indent(&self, element: usize) -> &'a str {
        let before = &self.bytes[..self.elements[element].tag.start];
        let blanks = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        std::str::from_utf8(&before[before.len() - blanks..]).unwrap_or_default()
    }

    pub(crate) fn line_end(&self) -> &'static str {
        let first = self.bytes.iter().position(|byte| *byte == b'\n');
        match first.is_some_and(|at| self.bytes[..at].ends_with(b"\r")) {
            true => "\r\n",
            false => "\n",
        }
    }

    /// Sets an attribute, which the element need not have.
    pub(crate) fn set(&self, splices: &mut Splices, element: usize, name: &str, value: &str) {
        let value = escaped(value);
        match self.value(element, name) {
            Some(range) => splices.replace(range, value.as_bytes()),
            None => splices.insert(self.tag_end(element), format!(" {name}=\"{value}\"")),
        }
    }

    /// Takes an attribute away.
    pub(crate) fn unset(&self, splices: &mut Splices, element: usize, name: &str) {
        let attributes = &self.attributes[self.elements[element].attributes.clone()];
        let is = |attribute: &&Attribute| &self.bytes[attribute.name.clone()] == name.as_bytes();
        if let Some(Attribute { name, value }) = attributes.iter().find(is) {
            splices.delete(name.start..value.end + 1);
        }
    }

    /// Before the ">" or "/>" of the element's first tag.
    fn tag_end(&self, element: usize) -> usize {
        let tag = &self.elements[element].tag;
        let closes = if self.bytes[tag.clone()].ends_with(b"/>") { 2 } else { 1 };
        tag.end - closes
    }

    pub(crate) fn delete(&self, splices: &mut Splices, element: usize) {
        splices.delete(self.lines(element));
    }

    /// Adds lines at the end of an element. Each must end its last line.
    pub(crate) fn append(&self, splices: &mut Splices, element: usize, lines: &str) {
        if lines.is_empty() {
            return;
        }
        let end = self.line_end();
        let (tag, end_tag) = (&self.elements[element].tag, &self.elements[element].end_tag);
        let indent = self.indent(element);
        if end_tag.is_empty() {
            let name = self.name(element);
            let text = format!(">{end}{lines}{indent}</{name}>");
            return splices.replace(self.tag_end(element)..tag.end, text);
        }
        let before = &self.bytes[..end_tag.start];
        let blanks = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let at = end_tag.start - blanks;
        match self.bytes[..at].ends_with(b"\n") {
            true => splices.insert(at, lines),
            false => splices.insert(end_tag.start, format!("{end}{lines}{indent}")),
        }
    }

    /// Adds lines after an element.
    pub(crate) fn add_after(&self, splices: &mut Splices, element: usize, lines: &str) {
        let Range { end, .. } = self.lines(element);
        match self.bytes[..end].ends_with(b"\n") {
            true => splices.insert(end, lines),
            false => splices.insert(end, format!("{}{}", self.line_end(), lines.trim_end())),
        }
    }
}

fn too_large(what: String) -> ReadError {
    ReadError::TooLarge { what }
}

/// Text for an attribute.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    let text = escape(text);
    match text.contains(['\n', '\r', '\t']) {
        true => text.replace('\n', "&#10;").replace('\r', "&#13;").replace('\t', "&#9;").into(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Document::parse(text.as_bytes(), "Ardour").err().unwrap().to_string()
    }

    #[test]
    fn finds_elements_and_attributes_by_place() {
        let text = "\u{feff}<?xml version='1.0'?>\n<a b = \"1 &lt; 2\"\n  c='x'>\n  <d/>t<e><f g='&#65;'/></e>\n</a>";
        let document = Document::parse(text.as_bytes(), "Ardour").unwrap();
        assert_eq!(document.text(0, "b").unwrap(), "1 < 2");
        assert_eq!(
            document.children(0).map(|at| document.name(at)).collect::<Vec<_>>(),
            ["d", "e"]
        );
        assert_eq!(document.text(3, "g").unwrap(), "A");
        assert_eq!(&text[document.range(2)], "<e><f g='&#65;'/></e>");
    }

    #[test]
    fn changes_stay_well_formed() {
        let text = "<a>\r\n  <b x='1'/>\r\n  <c/>\r\n</a>\r\n";
        let document = Document::parse(text.as_bytes(), "Ardour").unwrap();
        let mut splices = Splices::default();
        document.set(&mut splices, 1, "x", "it's \"<2>\"\n");
        document.set(&mut splices, 1, "y", "3");
        document.append(&mut splices, 2, "    <d/>\r\n");
        document.append(&mut splices, 0, "  <e/>\r\n");
        let result = splices.apply(text.as_bytes(), 0..text.len()).unwrap();
        let result = String::from_utf8(result).unwrap();
        let expected = "<a>\r\n  <b x='it&apos;s &quot;&lt;2&gt;&quot;&#10;' y=\"3\"/>\r\n  <c>\r\n    <d/>\r\n  </c>\r\n  <e/>\r\n</a>\r\n";
        assert_eq!(result, expected);
        let document = Document::parse(result.as_bytes(), "Ardour").unwrap();
        assert_eq!(document.text(1, "x").unwrap(), "it's \"<2>\"\n");
    }

    #[test]
    fn harmful_files_are_refused() {
        assert!(error("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>").contains("a document type"));
        assert!(error(&"<a>".repeat(1000)).contains("nested"));
        assert!(error(&format!("<a b='{}'/>", "x".repeat(2 << 20))).contains("more than 1 MB"));
        assert!(error(&format!("<a>{}</a>", "<b/>".repeat(1_000_001))).contains("elements"));
        assert!(error("<a><b></a>").starts_with("line 1: "));
        assert!(error("<a>\n<b>").starts_with("line 2: the file is cut off"));
        assert!(error("<a/><b/>").contains("a second document"));
        assert!(error("").contains("no Ardour project"));
        assert!(Document::parse(b"<a b='\xff'/>", "Ardour").is_err());
    }

    #[test]
    fn an_entity_that_is_not_known_is_kept_as_written() {
        let document = Document::parse(b"<a b='&x;'/>", "Ardour").unwrap();
        assert_eq!(document.text(0, "b").unwrap(), "&x;");
    }
}
