//! Timed Text (`.ttml`, `.dfxp`): paragraphs in XML with times of their own, or of the element around them.
//!
//! Source: the W3C's "Timed Text Markup Language 2". Elements that run one after another (`timeContainer="seq"`) are not
//! read as such.

mod clock;

use super::super::problems::{Kind, Problem};
use super::super::{Format, Micros};
use super::cue::{Cue, Line};
use clock::Clock;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::collections::BTreeMap;

/// How deep elements may be nested.
const DEEPEST: usize = 100;

/// Reads the paragraphs with their languages.
pub(super) fn cues(text: &str, problems: &mut Vec<Problem>) -> Vec<(String, Cue)> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let (mut body, mut line, mut counted) = (Body::default(), 1, 0);
    loop {
        let at = usize::try_from(reader.buffer_position()).unwrap_or(text.len());
        line += text.get(counted..at).unwrap_or_default().matches('\n').count();
        counted = at;
        body.line = line;
        let is_open = !body.open.is_empty();
        match reader.read_event() {
            Ok(Event::Eof) if !is_open => break,
            Ok(Event::Eof) | Err(_) => {
                problems.push(Problem::at(line, Kind::Broken, ""));
                break;
            }
            Ok(event) => body.take(&event),
        }
    }
    body.close();
    problems.append(&mut body.problems);
    body.cues
}

/// The parsed content of a file.
#[derive(Default)]
struct Body {
    line: usize,
    clock: Clock,
    open: Vec<Open>,
    paragraph: Option<Paragraph>,
    agents: BTreeMap<String, String>,
    cues: Vec<(String, Cue)>,
    problems: Vec<Problem>,
}

/// An element that is open.
#[derive(Clone, Default)]
struct Open {
    name: String,
    /// What times in it count from.
    base: Micros,
    start: Option<Micros>,
    end: Option<Micros>,
    agent: Option<String>,
    language: String,
    /// Whether it says a time that cannot be read.
    is_wrong: bool,
}

/// A phrase.
#[derive(Default)]
struct Paragraph {
    line: usize,
    text: String,
}

impl Body {
    fn take(&mut self, event: &Event<'_>) {
        match event {
            Event::Start(start) => self.start(start),
            Event::Empty(start) => {
                self.start(start);
                self.end();
            }
            Event::End(_) => self.end(),
            Event::Text(text) => self.add(text.decode().as_deref().unwrap_or_default()),
            Event::CData(text) => self.add(text.decode().as_deref().unwrap_or_default()),
            // Letters by their names are read with the styling.
            Event::GeneralRef(name) => {
                self.add(&format!("&{};", name.decode().as_deref().unwrap_or_default()));
            }
            _ => {}
        }
    }

    fn start(&mut self, start: &BytesStart<'_>) {
        let name = String::from_utf8_lossy(start.local_name().as_ref()).to_lowercase();
        let attributes = attributes(start);
        match name.as_str() {
            "tt" => self.clock = Clock::of(&attributes),
            "br" => self.add(" "),
            "p" => self.close(),
            _ => {}
        }
        let is_said = name == "p";
        let is_part = name == "span" && self.paragraph.is_some() && !self.has_times();
        if self.open.len() < DEEPEST {
            let open = self.element(name, &attributes);
            self.open.push(open);
        }
        if is_said || (is_part && self.has_times()) {
            self.paragraph = Some(Paragraph { line: self.line, text: String::new() });
        }
    }

    /// An element inside of those that are open.
    fn element(&self, name: String, attributes: &BTreeMap<String, String>) -> Open {
        let parent = self.open.last().cloned().unwrap_or_default();
        let given = |name: &str| attributes.get(name).map(|text| self.clock.time(text));
        let base = parent.start.unwrap_or(parent.base);
        let after = |from: Micros, by: Micros| Micros(from.0.saturating_add(by.0));
        let begin = given("begin").flatten().map(|at| after(base, at));
        let start = begin.or(parent.start);
        let length = given("dur").flatten().map(|by| after(start.unwrap_or(base), by));
        let end = given("end").flatten().map(|at| after(base, at));
        let is_wrong = ["begin", "end", "dur"].iter().any(|name| given(name) == Some(None));
        // An element with an end but no beginning begins with the element around it.
        let start = start.or_else(|| end.or(length).map(|_| base));
        let agent = attributes.get("agent").and_then(|ids| ids.split_whitespace().next());
        let language = attributes.get("lang").filter(|_| name == "div");
        Open {
            base: begin.unwrap_or(base),
            start,
            end: end.into_iter().chain(length).min().or(parent.end),
            agent: attributes
                .get("id")
                .filter(|_| name == "agent")
                .cloned()
                .or_else(|| agent.map(str::to_owned).or(parent.agent)),
            language: language.cloned().unwrap_or(parent.language),
            is_wrong: parent.is_wrong || is_wrong,
            name,
        }
    }

    /// Whether an open element has times, or tries to.
    fn has_times(&self) -> bool {
        self.open
            .last()
            .is_some_and(|open| open.is_wrong || (open.start.is_some() && open.end.is_some()))
    }

    fn add(&mut self, text: &str) {
        if let Some(paragraph) = &mut self.paragraph {
            paragraph.text += text;
        } else if let Some(open) = self.open.last().filter(|open| open.name == "name")
            && let Some(agent) = &open.agent
        {
            *self.agents.entry(agent.clone()).or_default() += text;
        }
    }

    fn end(&mut self) {
        let is_said = self.open.last().is_some_and(|open| open.name == "p" || open.name == "span");
        let is_over = self.open.iter().rev().skip(1).all(|open| open.name != "p");
        let is_part = self
            .open
            .iter()
            .rev()
            .nth(1)
            .is_some_and(|outer| outer.start.is_none() || outer.end.is_none());
        if is_said && (is_over || (is_part && self.has_times())) {
            self.say();
        }
        self.open.pop();
    }

    /// Ends an unclosed paragraph, with its open elements.
    fn close(&mut self) {
        if let Some(at) = self.open.iter().rposition(|open| open.name == "p") {
            self.open.truncate(at + 1);
            self.say();
            self.open.truncate(at);
        }
    }

    fn say(&mut self) {
        let Some(Paragraph { line, text }) = self.paragraph.take() else { return };
        let Some(open) = self.open.last() else { return };
        let times = open.start.zip(open.end).filter(|_| !open.is_wrong);
        let (start, end) = times.unwrap_or_default();
        let mut cue = Cue::of(Line { line, times: start..end, text: &text }, Format::Ttml);
        if cue.text.trim().is_empty() {
            return;
        }
        if times.is_none() {
            self.problems.push(Problem::at(line, Kind::NoTimes, cue.text.trim()));
            return;
        }
        let name = open.agent.as_ref().map(|id| self.agents.get(id).unwrap_or(id));
        cue.voice = name.map(|name| name.trim().to_owned()).or(cue.voice);
        self.cues.push((open.language.clone(), cue));
    }
}

/// The attributes of an element by their local names.
fn attributes(start: &BytesStart<'_>) -> BTreeMap<String, String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut attributes = start.attributes();
    let attributes = attributes.with_checks(false).flatten();
    attributes.map(|one| (text(one.key.local_name().as_ref()), text(&one.value))).collect()
}
