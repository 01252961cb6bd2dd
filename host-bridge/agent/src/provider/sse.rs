//! Server-sent events out of byte chunks, however they are cut.
//!
//! Thread: any. After the WHATWG HTML standard, section 9.2.6: lines end with LF, CRLF or CR; a comment
//! begins with `:`; several `data` fields of an event are joined with LF. Two tolerances: an event that no
//! empty line ends counts at the end of the stream, and bytes that are not UTF-8 become U+FFFD.

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SseEvent {
    /// Its `event` field; empty when there is none.
    pub(super) name: String,
    /// Its `data` lines, joined with LF.
    pub(super) data: String,
}

/// Cuts a stream into events.
#[derive(Debug, Default)]
pub(super) struct SseParser {
    /// The line so far, without its end.
    line: Vec<u8>,
    after_cr: bool,
    any_line: bool,
    has_data: bool,
    event: SseEvent,
}

impl SseParser {
    /// Takes more bytes; gives the events they end. Memory is bounded by the bytes that are fed: the caller
    /// bounds those.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Vec<SseEvent> {
        let mut events = Vec::new();
        for &byte in bytes {
            let ends_crlf = std::mem::take(&mut self.after_cr) && byte == b'\n';
            match byte {
                b'\n' if ends_crlf => {}
                b'\n' => events.extend(self.end_line()),
                b'\r' => {
                    self.after_cr = true;
                    events.extend(self.end_line());
                }
                _ => self.line.push(byte),
            }
        }
        events
    }

    /// The event that the end of the stream ends, if any.
    pub(super) fn finish(&mut self) -> Option<SseEvent> {
        if !self.line.is_empty() {
            self.end_line();
        }
        self.end_event()
    }

    fn end_line(&mut self) -> Option<SseEvent> {
        let bytes = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&bytes);
        let first = !std::mem::replace(&mut self.any_line, true);
        let line = if first { line.trim_start_matches('\u{feff}') } else { &line };
        if line.is_empty() {
            return self.end_event();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.event.name),
            "data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
            }
            // A comment (no field name), `id`, `retry`, or a field that we do not know.
            _ => {}
        }
        None
    }

    fn end_event(&mut self) -> Option<SseEvent> {
        let event = std::mem::take(&mut self.event);
        std::mem::take(&mut self.has_data).then_some(event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(chunks: &[&[u8]]) -> Vec<(String, String)> {
        let mut parser = SseParser::default();
        let mut events: Vec<_> = chunks.iter().flat_map(|chunk| parser.push(chunk)).collect();
        events.extend(parser.finish());
        events.into_iter().map(|event| (event.name, event.data)).collect()
    }

    fn pair(name: &str, data: &str) -> (String, String) {
        (name.to_owned(), data.to_owned())
    }

    #[test]
    fn lines_comments_and_fields() {
        let stream = "\u{feff}: keep-alive\n\nevent: a\r\ndata: one\r\ndata:two\rid: 7\n\n\
                      data\n\nevent: nothing\n\ndata: {\"x\": \": y\"}";
        assert_eq!(
            read(&[stream.as_bytes()]),
            [pair("a", "one\ntwo"), pair("", ""), pair("", "{\"x\": \": y\"}")]
        );
    }

    proptest! {
        #[test]
        fn any_cut_gives_the_same_events(
            text in "(event: [a-zé]{0,3}|data: [a-z🥁:]{0,4}|:|)((\r\n|\n|\r)(data:x|:c|é|)){0,12}",
            cuts in prop::collection::vec(0_usize..200, 0..8),
        ) {
            let bytes = text.as_bytes();
            let mut places: Vec<_> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            places.extend([0, bytes.len()]);
            places.sort_unstable();
            let chunks: Vec<&[u8]> =
                places.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
            prop_assert_eq!(read(&chunks), read(&[bytes]));
        }

        #[test]
        fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let events = read(&[&bytes]);
            let read: usize = events.iter().map(|(name, data)| name.len() + data.len()).sum();
            prop_assert!(read <= 3 * bytes.len());
        }
    }
}
