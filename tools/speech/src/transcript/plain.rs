//! Plain text: a line a phrase, with its times in brackets and its speaker ahead of a colon; or paragraphs with the times
//! and names of others' kinds, or with times behind what is said. A start alone ends at the next; lines without any times
//! are spread over where somebody talks.

mod points;
mod stamp;

use super::{
    Micros, Place, Said, TimedWord, Times, Transcript, TranscriptError, lines, names, over, shown,
    spread,
};
use stamp::Clock;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

const WAY_OUT: &str = "a line looks like [00:00:01.250 --> 00:00:03.000] Name: text, or [00:00:01] Name: text, \
                       or all lines are without times";

/// The last phrase lasts so long at least, in us: speech is not always heard.
const LEAST: u64 = 500_000;

/// A phrase whose times may not be known yet.
struct Line {
    number: usize,
    clock: Clock,
    speaker: Option<String>,
    text: String,
}

/// Reads phrases with the numbers of their lines; `speech` finds where somebody talks in the recording.
pub(super) fn read<E: From<TranscriptError>>(
    text: &str,
    speech: &mut dyn FnMut() -> Result<Vec<Range<Micros>>, E>,
) -> Result<Transcript, E> {
    let lines = lines(text)?.into_iter().map(|(number, line)| (number, line.trim()));
    let lines: Vec<(usize, &str)> = lines.filter(|(_, line)| !line.is_empty()).collect();
    if let Some(stamped) = points::stamped(&lines)? {
        let phrases = points::read(stamped, speech)?;
        let told = "the file has times behind what is said: each ends what is ahead of it, which begins at the time before";
        return Ok(Transcript { phrases, warnings: vec![told.into()], is_timeless: false });
    }
    let lines = phrases(lines)?;
    let untimed = lines.iter().filter(|line| line.clock == Clock::None).count();
    if untimed == lines.len() && untimed > 0 {
        let marked = lines.iter().find_map(Line::marked);
        let said = placed(lines, &speech()?);
        let told = "the file has no times: its phrases and words are spread over where somebody talks, so all times \
                    are estimated";
        let warnings = std::iter::once(told.into()).chain(marked).collect();
        return Ok(Transcript { phrases: said, warnings, is_timeless: true });
    }
    if let Some(line) = lines.iter().find(|line| line.clock == Clock::None) {
        return Err(TranscriptError::at(line.number, "the line has no times", WAY_OUT).into());
    }
    let mut transcript = Transcript::default();
    if lines.iter().any(|line| matches!(line.clock, Clock::Start(_))) {
        let told = "the file has starts of phrases without their ends; each ends at the next";
        transcript.warnings.push(told.into());
    }
    transcript.phrases = timed(lines, speech)?;
    Ok(transcript)
}

/// The phrases of a file. A line without a time goes on with the one before, where that does not end by itself.
fn phrases(lines: Vec<(usize, &str)>) -> Result<Vec<Line>, TranscriptError> {
    let stamps = stamp::stamps(&lines)?;
    let has_names = stamps.iter().any(|stamp| stamp.name.is_some());
    let texts = stamps.iter().map(|stamp| match stamp.name {
        // Where names are ahead of the times, a colon is one of the text.
        None if has_names && stamp.clock == Clock::None => String::new(),
        None => stamp.text.strip_prefix(' ').unwrap_or(stamp.text).to_owned(),
        Some(_) if stamp.text.is_empty() => String::new(),
        Some(name) => format!("{name}:{}{}", names::MARK, stamp.text),
    });
    let named = names::named(texts.collect());
    let mut found: Vec<Line> = Vec::new();
    for (((number, whole), stamp), (speaker, text)) in lines.into_iter().zip(stamps).zip(named) {
        let speaker = stamp.name.map(str::to_owned).or(speaker);
        let line = Line { number, clock: stamp.clock, speaker, text };
        match found.last_mut().filter(|head| head.goes_on(&line)) {
            Some(head) => head.add(line, whole),
            None => found.push(line),
        }
    }
    Ok(carried(found))
}

impl Line {
    /// When it begins, where that is known.
    fn start(&self) -> Micros {
        match self.clock {
            Clock::Both(start, _) | Clock::Start(start) => start,
            Clock::None => Micros::default(),
        }
    }

    /// Tells of a word that looks like a time, in a file that has none where times are looked for.
    fn marked(&self) -> Option<String> {
        let word = self.text.split_whitespace().find(|word| stamp::is_marked(word))?;
        let (number, word) = (self.number, shown(word));
        Some(format!("line {number}: \"{word}\" is taken for a word that is said, not for a time"))
    }

    /// Who says it, or what may be a name on a line of its own.
    fn name(&self) -> Option<&str> {
        self.speaker.as_deref().or_else(|| self.heading())
    }

    /// The name above what is said.
    fn heading(&self) -> Option<&str> {
        names::alone(&self.text).filter(|_| self.speaker.is_none())
    }

    /// Whether the next line, which has no time, is said at the time of this one too.
    fn goes_on(&self, next: &Self) -> bool {
        let is_of_this = self.clock != Clock::None && next.clock == Clock::None;
        let is_empty = self.text.is_empty() || self.heading().is_some();
        let is_open = matches!(self.clock, Clock::Start(_)) && next.speaker.is_none();
        is_of_this && (is_empty || is_open)
    }

    /// Adds the next line, which is `whole` with the name in it.
    fn add(&mut self, next: Self, whole: &str) {
        if let Some(name) = self.heading().map(str::to_owned) {
            self.speaker = Some(name);
            self.text.clear();
        }
        if self.speaker.is_none() && self.text.is_empty() {
            (self.speaker, self.text) = (next.speaker, next.text);
            return;
        }
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(whole);
    }
}

/// Who is not named is who was named last, also on a line of their own. Phrases that end by themselves are written one by
/// one: nobody is named there.
fn carried(lines: Vec<Line>) -> Vec<Line> {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for name in lines.iter().filter_map(Line::name) {
        *times.entry(name.to_owned()).or_default() += 1;
    }
    let comes_again = |name: &&str| times.get(*name).is_some_and(|times| *times > 1);
    let (mut kept, mut last) = (Vec::with_capacity(lines.len()), None);
    for mut line in lines {
        let heading = line.heading().filter(|name| line.clock == Clock::None && comes_again(name));
        if heading.is_some() {
            last = heading.map(str::to_owned);
            continue;
        }
        let is_written = matches!(line.clock, Clock::Both(..));
        if line.speaker.is_none() && !is_written && !line.text.starts_with(names::MARK) {
            line.speaker.clone_from(&last);
        } else {
            last.clone_from(&line.speaker);
        }
        kept.push(line);
    }
    kept
}

/// Lines with their times. Those that start at once share the time up to the next; the last ends with the speech.
fn timed<E: From<TranscriptError>>(
    lines: Vec<Line>,
    speech: &mut dyn FnMut() -> Result<Vec<Range<Micros>>, E>,
) -> Result<Vec<(Place, Said)>, E> {
    let (mut said, mut rest) = (Vec::new(), lines.into_iter().peekable());
    while let Some(line) = rest.next() {
        if let Clock::Both(start, end) = line.clock {
            let words = spread(&line.text, start, end);
            let one = Said { start, end, speaker: line.speaker, words, times: Times::Spread };
            said.extend((!one.words.is_empty()).then_some((line.number.into(), one)));
            continue;
        }
        let from = line.start();
        let mut shared = vec![line];
        while let Some(next) = rest.next_if(|next| next.clock == Clock::Start(from)) {
            shared.push(next);
        }
        let end = match rest.peek() {
            Some(next) => ahead_of(next, from)?,
            None => last_end(from, speech)?,
        };
        said.extend(placed(shared, &[from..end]));
    }
    Ok(said)
}

/// Where what begins at `from` ends when nothing is behind it: with the speech.
fn last_end<E>(
    from: Micros,
    speech: &mut dyn FnMut() -> Result<Vec<Range<Micros>>, E>,
) -> Result<Micros, E> {
    let last = speech()?.last().map_or(from, |last| last.end);
    Ok(last.max(Micros(from.0 + LEAST)))
}

/// Where what begins at `from` ends: at the next line.
fn ahead_of(next: &Line, from: Micros) -> Result<Micros, TranscriptError> {
    let start = next.start();
    if start < from {
        let problem = format!("it begins at {start}, ahead of the one before at {from}");
        return Err(TranscriptError::at(next.number, problem, "sort the file by time"));
    }
    Ok(start)
}

/// Lines as phrases, one after another over where somebody talks.
fn placed(lines: Vec<Line>, speech: &[Range<Micros>]) -> Vec<(Place, Said)> {
    let speech: Vec<Range<u64>> = speech.iter().map(|one| one.start.0..one.end.0).collect();
    let words = lines.iter().flat_map(|line| line.text.split_whitespace());
    let lengths: Vec<u64> = words.map(|word| word.chars().count() as u64 + 1).collect();
    let mut ranges = over(&speech, &lengths).into_iter();
    let said = lines.into_iter().filter_map(|line| {
        let count = line.text.split_whitespace().count();
        let texts = line.text.split_whitespace().zip(ranges.by_ref().take(count));
        let word = |(text, range): (&str, Range<u64>)| {
            let (start, end) = (Micros(range.start), Micros(range.end));
            TimedWord { text: text.into(), start, end, confidence: None }
        };
        let words: Vec<TimedWord> = texts.map(word).collect();
        let (start, end) = (words.first()?.start, words.last()?.end);
        let said = Said { start, end, speaker: line.speaker, words, times: Times::Spread };
        Some((line.number.into(), said))
    });
    said.collect()
}

/// Writes phrases.
pub(super) fn write(said: &[Said]) -> String {
    let mut out = String::new();
    for one in said {
        let text = names::written(one.speaker.as_deref(), &one.text());
        // Writing to a string does not fail.
        let _written = writeln!(out, "[{} --> {}] {text}", one.start, one.end);
    }
    out
}
