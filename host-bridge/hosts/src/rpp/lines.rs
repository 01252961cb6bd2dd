//! The lines, chunks and fields of an RPP file, by where their bytes are. The base of reading and
//! of splicing.

use std::borrow::Cow;
use std::ops::Range;

use crate::format::ReadError;

/// No project nests deeper than about 10 chunks.
const DEEPEST: usize = 100;
/// Twice `LONGEST` in samples at 192 kHz: a number above it is damage.
const LARGEST: f64 = 1e15;

/// One line without its indentation and line end.
pub(super) struct Line {
    pub(super) content: Range<usize>,
    /// Where its bytes begin, indentation and all.
    pub(super) start: usize,
    /// Where the next line begins.
    pub(super) next: usize,
    /// The chunk that it opens.
    opens: Option<usize>,
}

/// From a line `<TAG …` to the line `>` that closes it.
struct Chunk {
    first: usize,
    last: usize,
}

/// A line of a chunk, or a chunk in it by its first line.
#[derive(Clone, Copy)]
pub(super) struct Child {
    pub(super) line: usize,
    pub(super) chunk: Option<usize>,
}

/// One field: its bytes with quotes, and without.
pub(super) struct Field {
    pub(super) whole: Range<usize>,
    value: Range<usize>,
}

pub(super) struct Document<'a> {
    pub(super) bytes: &'a [u8],
    lines: Vec<Line>,
    chunks: Vec<Chunk>,
}

pub(super) fn damaged(line: usize, what: impl Into<String>) -> ReadError {
    ReadError::Damaged { program: "REAPER", line: line + 1, what: what.into() }
}

impl<'a> Document<'a> {
    pub(super) fn parse(bytes: &'a [u8]) -> Result<Self, ReadError> {
        let mut document = Self { bytes, lines: Vec::new(), chunks: Vec::new() };
        let mut open = Vec::new();
        let mut start = 0;
        while start < bytes.len() {
            let line = line_at(bytes, start);
            start = line.next;
            document.add(line, &mut open)?;
        }
        match open.last() {
            Some(&chunk) => {
                let first = document.chunks[chunk].first;
                Err(damaged(first, "this chunk is never closed: the file is cut off"))
            }
            None if document.chunks.is_empty() || document.tag(0) != b"REAPER_PROJECT" => {
                Err(ReadError::Kind("REAPER"))
            }
            None => Ok(document),
        }
    }

    fn add(&mut self, mut line: Line, open: &mut Vec<usize>) -> Result<(), ReadError> {
        let index = self.lines.len();
        match &self.bytes[line.content.clone()] {
            [b'<', ..] => {
                if open.len() == DEEPEST {
                    return Err(damaged(index, format!("more than {DEEPEST} chunks are nested")));
                }
                if open.is_empty() && !self.chunks.is_empty() {
                    return Err(damaged(index, "a second project begins here"));
                }
                line.opens = Some(self.chunks.len());
                open.push(self.chunks.len());
                self.chunks.push(Chunk { first: index, last: index });
            }
            [b'>'] => {
                let chunk = open.pop();
                let chunk = chunk.ok_or_else(|| damaged(index, "\">\" closes nothing"))?;
                self.chunks[chunk].last = index;
            }
            [] => {}
            _ if open.is_empty() && self.chunks.is_empty() => {
                return Err(ReadError::Kind("REAPER"));
            }
            _ => {}
        }
        self.lines.push(line);
        Ok(())
    }

    pub(super) fn line(&self, index: usize) -> &Line {
        &self.lines[index]
    }

    /// From the first byte of the chunk's first line to the end of its last.
    pub(super) fn chunk_bytes(&self, chunk: usize) -> Range<usize> {
        let Chunk { first, last } = self.chunks[chunk];
        self.lines[first].start..self.lines[last].next
    }

    /// The chunk's first line.
    pub(super) fn head(&self, chunk: usize) -> usize {
        self.chunks[chunk].first
    }

    /// Where the line that closes the chunk begins.
    pub(super) fn end(&self, chunk: usize) -> usize {
        self.lines[self.chunks[chunk].last].start
    }

    /// The lines between a chunk's first and last, all depths.
    pub(super) fn lines_in(&self, chunk: usize) -> Range<usize> {
        self.chunks[chunk].first + 1..self.chunks[chunk].last
    }

    /// What is directly in the chunk.
    pub(super) fn children(&self, chunk: usize) -> impl Iterator<Item = Child> + '_ {
        let mut lines = self.lines_in(chunk);
        std::iter::from_fn(move || {
            let line = lines.next()?;
            let chunk = self.lines[line].opens;
            if let Some(chunk) = chunk {
                lines.start = self.chunks[chunk].last + 1;
            }
            Some(Child { line, chunk })
        })
    }

    /// The first word, without "<".
    pub(super) fn tag(&self, line: usize) -> &'a [u8] {
        let content = &self.bytes[self.lines[line].content.clone()];
        let content = content.strip_prefix(b"<").unwrap_or(content);
        content.split(|byte| is_blank(*byte)).next().unwrap_or_default()
    }

    /// The tag, if the line opens a chunk.
    pub(super) fn tag_of_chunk(&self, line: usize) -> Option<&'a [u8]> {
        self.lines[line].opens.map(|_| self.tag(line))
    }

    /// All fields; the tag is field 0.
    pub(super) fn fields(&self, line: usize) -> impl Iterator<Item = Field> + '_ {
        let mut rest = self.lines[line].content.clone();
        rest.start += usize::from(self.bytes.get(rest.start) == Some(&b'<'));
        std::iter::from_fn(move || {
            let field = field_at(self.bytes, &rest)?;
            rest.start = field.whole.end;
            Some(field)
        })
    }

    pub(super) fn text(&self, line: usize, field: usize) -> Option<Cow<'a, str>> {
        let field = self.fields(line).nth(field)?;
        Some(String::from_utf8_lossy(&self.bytes[field.value]))
    }

    /// A number, or `missing` where the line has fewer fields.
    pub(super) fn number(&self, line: usize, field: usize, missing: f64) -> Result<f64, ReadError> {
        let Some(text) = self.text(line, field) else { return Ok(missing) };
        match text.parse::<f64>() {
            Ok(number) if number.abs() <= LARGEST => Ok(number),
            _ => {
                let tag = String::from_utf8_lossy(self.tag(line));
                let text = text.chars().take(40).collect::<String>();
                Err(damaged(line, format!("field {field} of {tag} is {text:?}, not a number")))
            }
        }
    }

    /// Like `number`, of a line that the chunk may not have.
    pub(super) fn number_of(
        &self,
        line: Option<usize>,
        field: usize,
        missing: f64,
    ) -> Result<f64, ReadError> {
        line.map_or(Ok(missing), |line| self.number(line, field, missing))
    }

    /// The spaces before a line.
    pub(super) fn indent(&self, line: usize) -> String {
        let line = &self.lines[line];
        String::from_utf8_lossy(&self.bytes[line.start..line.content.start]).into_owned()
    }

    /// What ends the file's lines.
    pub(super) fn line_end(&self) -> &'static str {
        match self.bytes[..self.lines[0].next].ends_with(b"\r\n") {
            true => "\r\n",
            false => "\n",
        }
    }
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn line_at(bytes: &[u8], start: usize) -> Line {
    let rest = &bytes[start..];
    let (end, next) = match rest.iter().position(|byte| *byte == b'\n') {
        Some(length) => (start + length, start + length + 1),
        None => (bytes.len(), bytes.len()),
    };
    let line = &bytes[start..end];
    let content = start + (line.len() - line.trim_ascii_start().len());
    Line { content: content..content + line.trim_ascii().len(), start, next, opens: None }
}

fn field_at(bytes: &[u8], rest: &Range<usize>) -> Option<Field> {
    let blanks = bytes[rest.clone()].iter().take_while(|byte| is_blank(**byte)).count();
    let start = rest.start + blanks;
    let text = &bytes[start..rest.end];
    let quote = text.first().filter(|byte| matches!(byte, b'"' | b'\'' | b'`'));
    let ends = |from: usize, is_end: &dyn Fn(u8) -> bool| {
        text[from..].iter().position(|byte| is_end(*byte)).map_or(text.len(), |at| from + at)
    };
    if let Some(&quote) = quote {
        let end = ends(1, &|byte| byte == quote);
        let whole = start..start + (end + 1).min(text.len());
        return Some(Field { whole, value: start + 1..start + end });
    }
    let whole = start..start + ends(0, &is_blank);
    (!whole.is_empty()).then(|| Field { value: whole.clone(), whole })
}

/// `text` as REAPER quotes it. A text with all three quotes loses its backticks, as in REAPER.
pub(super) fn quoted(text: &str) -> String {
    let text = text.replace(['\r', '\n'], " ");
    let is_plain = !text.is_empty()
        && !text.starts_with(['"', '\'', '`', '<', '>', '|', '#', ';'])
        && !text.contains([' ', '\t']);
    if is_plain {
        return text;
    }
    match ['"', '\'', '`'].into_iter().find(|quote| !text.contains(*quote)) {
        Some(quote) => format!("{quote}{text}{quote}"),
        None => format!("`{}`", text.replace('`', "'")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(line: &str) -> Vec<String> {
        let text = format!("<REAPER_PROJECT\n{line}\n>");
        let document = Document::parse(text.as_bytes()).unwrap();
        let count = document.fields(1).count();
        (0..count).map(|field| document.text(1, field).unwrap().into_owned()).collect()
    }

    #[test]
    fn fields_may_be_quoted_three_ways() {
        assert_eq!(
            fields("  NAME \"a 'b'\" 'c \"d\"' `e` f"),
            ["NAME", "a 'b'", "c \"d\"", "e", "f"]
        );
        assert_eq!(fields("NAME \"\" \"never closed"), ["NAME", "", "never closed"]);
        assert_eq!(fields("NAME  5.50\t6"), ["NAME", "5.50", "6"]);
    }

    #[test]
    fn what_is_quoted_reads_back() {
        for text in ["a", "a b", "", "\"", "it's", "\"it's\"", "`", "<a", ">", "two  blanks "] {
            assert_eq!(fields(&format!("NAME {}", quoted(text)))[1], text, "{text}");
        }
        assert_eq!(quoted("\"'` "), "`\"'' `");
    }

    #[test]
    fn chunks_close_and_lines_are_found_by_chunk() {
        let text = "<REAPER_PROJECT 0.1\r\n  A 1\r\n  <B\r\n    C\r\n  >\r\n  D\r\n>\r\n";
        let document = Document::parse(text.as_bytes()).unwrap();
        let tags = document.children(0).map(|child| document.tag(child.line)).collect::<Vec<_>>();
        assert_eq!(tags, [&b"A"[..], b"B", b"D"]);
        assert_eq!(&text[document.chunk_bytes(1)], "  <B\r\n    C\r\n  >\r\n");
        assert_eq!((document.line_end(), document.indent(3).as_str()), ("\r\n", "    "));
    }

    #[test]
    fn what_does_not_balance_is_named_by_line() {
        let error = |text: &str| Document::parse(text.as_bytes()).err().unwrap().to_string();
        assert!(error("<REAPER_PROJECT\n<A\n>").starts_with("line 1: "));
        assert!(error("<REAPER_PROJECT\n>\n>").starts_with("line 3: \">\" closes nothing"));
        assert!(error("<REAPER_PROJECT\n>\n<REAPER_PROJECT\n>").starts_with("line 3: "));
        assert!(error("RIFF....").contains("no REAPER project"));
        assert!(error("<OTHER\n>").contains("no REAPER project"));
        assert!(error("").contains("no REAPER project"));
        assert!(error(&"<REAPER_PROJECT\n".repeat(1000)).contains("nested"));
    }
}
