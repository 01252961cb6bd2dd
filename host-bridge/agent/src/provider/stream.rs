//! The body of an answer, as it comes: a stream of events, or one JSON document.
//!
//! Thread: any. Which of the two is seen in the first byte, for servers that answer whole to a request for
//! a stream, whatever their content type says.

use super::draft::{Draft, Fault, OnText};
use super::sse::{SseEvent, SseParser};
use super::{anthropic, openai};
use serde_json::Value;

/// Reads one of the wire formats.
#[derive(Debug)]
pub(super) enum Reader {
    Anthropic(anthropic::Reader),
    OpenAi(openai::Reader),
}

impl Reader {
    fn take(&mut self, event: &Value, on_text: OnText<'_>) -> Result<(), Fault> {
        match self {
            Self::Anthropic(reader) => reader.take(event, on_text),
            Self::OpenAi(reader) => reader.take(event, on_text),
        }
    }

    const fn draft(&self) -> &Draft {
        match self {
            Self::Anthropic(reader) => &reader.draft,
            Self::OpenAi(reader) => &reader.draft,
        }
    }

    const fn draft_mut(&mut self) -> &mut Draft {
        match self {
            Self::Anthropic(reader) => &mut reader.draft,
            Self::OpenAi(reader) => &mut reader.draft,
        }
    }
}

#[derive(Debug)]
enum Form {
    /// Nothing but white space so far.
    Unknown,
    Events(SseParser),
    Document(Vec<u8>),
}

/// Takes the bytes of one answer.
#[derive(Debug)]
pub(super) struct Intake {
    reader: Reader,
    form: Form,
}

impl Intake {
    /// Before the first byte.
    pub(super) const fn new(reader: Reader) -> Self {
        Self { reader, form: Form::Unknown }
    }

    /// The reply so far.
    pub(super) const fn draft(&self) -> &Draft {
        self.reader.draft()
    }

    /// Takes more bytes. The caller bounds how many there are.
    pub(super) fn push(&mut self, bytes: &[u8], on_text: OnText<'_>) -> Result<(), Fault> {
        if matches!(self.form, Form::Unknown) {
            match bytes.iter().find(|byte| !byte.is_ascii_whitespace()) {
                None => return Ok(()),
                Some(b'<') => {
                    return Err(Fault::Unreadable("it is a page for people".to_owned()));
                }
                Some(b'{') => self.form = Form::Document(Vec::new()),
                Some(_) => self.form = Form::Events(SseParser::default()),
            }
        }
        match &mut self.form {
            Form::Unknown => Ok(()),
            Form::Document(document) => {
                document.extend_from_slice(bytes);
                Ok(())
            }
            Form::Events(parser) => {
                let events = parser.push(bytes);
                events.iter().try_for_each(|event| self.event(event, &mut *on_text))
            }
        }
    }

    /// The end of the body: what is still waiting is read.
    pub(super) fn finish(mut self, on_text: OnText<'_>) -> Result<Draft, Fault> {
        match &mut self.form {
            Form::Unknown => {}
            Form::Document(document) => {
                let document = std::mem::take(document);
                let value = serde_json::from_slice(&document).map_err(|error| not_json(&error))?;
                self.reader.take(&value, on_text)?;
            }
            Form::Events(parser) => {
                // What is cut off in the middle is not an event.
                if let Some(event) = parser.finish().filter(|event| is_whole(&event.data)) {
                    self.event(&event, on_text)?;
                }
            }
        }
        Ok(std::mem::take(self.reader.draft_mut()))
    }

    fn event(&mut self, event: &SseEvent, on_text: OnText<'_>) -> Result<(), Fault> {
        let data = event.data.trim();
        if data == "[DONE]" {
            self.reader.draft_mut().ended = true;
        }
        if data.is_empty() || self.draft().ended {
            return Ok(());
        }
        let value = serde_json::from_str(data).map_err(|error| not_json(&error))?;
        self.reader.take(&value, on_text)
    }
}

fn is_whole(data: &str) -> bool {
    data.trim() == "[DONE]" || serde_json::from_str::<serde::de::IgnoredAny>(data).is_ok()
}

fn not_json(error: &serde_json::Error) -> Fault {
    Fault::Unreadable(format!("not JSON at line {} column {}", error.line(), error.column()))
}
