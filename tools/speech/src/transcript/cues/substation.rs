//! SubStation Alpha (`.ass`, `.ssa`): lines of dialogue, whose fields a line `Format:` names.
//!
//! Source: "Sub Station Alpha v4.00+ Script Format" (the "ASS specs").

use super::super::lines::lines;
use super::super::markup::plain;
use super::super::problems::{Kind, Problem};
use super::super::{Format, Micros};
use super::cue::{Cue, Line};

struct Fields {
    count: usize,
    start: usize,
    end: usize,
    name: Option<usize>,
}

/// As every program writes them, where the file does not say.
const USUAL: Fields = Fields { count: 10, start: 1, end: 2, name: Some(4) };

/// Reads the lines of dialogue; comments are not said.
pub(super) fn cues(text: &str, problems: &mut Vec<Problem>) -> Vec<Cue> {
    let (mut fields, mut cues) = (USUAL, Vec::new());
    for (number, line) in lines(text) {
        match line.trim_start().split_once(':') {
            Some((kind, named)) if kind.eq_ignore_ascii_case("format") => {
                fields = Fields::of(named).unwrap_or(fields);
            }
            Some((kind, values)) if kind.eq_ignore_ascii_case("dialogue") => {
                match fields.cue(number, values) {
                    Ok(cue) => cues.push(cue),
                    Err(problem) => problems.push(problem),
                }
            }
            _ => {}
        }
    }
    cues
}

impl Fields {
    /// `None` if these are the columns of styles.
    fn of(line: &str) -> Option<Self> {
        let names: Vec<String> = line.split(',').map(|it| it.trim().to_ascii_lowercase()).collect();
        let at = |name: &str| names.iter().position(|it| it == name);
        let name = at("name").or_else(|| at("actor"));
        Some(Self { count: names.len(), start: at("start")?, end: at("end")?, name })
    }

    /// The text is the last field, with its commas.
    fn cue(&self, line: usize, values: &str) -> Result<Cue, Problem> {
        let values: Vec<&str> = values.splitn(self.count, ',').collect();
        let text = spoken(values.last().unwrap_or(&""));
        let value = |at: usize| values.get(at).map(|it| it.trim()).filter(|_| at + 1 < self.count);
        let time = |at: usize| value(at).and_then(Micros::parse);
        let times = time(self.start).zip(time(self.end)).filter(|_| values.len() == self.count);
        let Some((start, end)) = times else {
            let (_, text) = plain(&text, Format::Ass);
            return Err(Problem::at(line, Kind::NoTimes, text.trim()));
        };
        let mut cue = Cue::of(Line { line, times: start..end, text: &text }, Format::Ass);
        let name = self.name.and_then(value).filter(|name| !name.is_empty());
        cue.voice = name.map(str::to_owned).or(cue.voice);
        Ok(cue)
    }
}

/// A text without its drawings, which are between `{\p1}` and `{\p0}`.
fn spoken(text: &str) -> String {
    let (mut words, mut is_drawn, mut rest) = (String::with_capacity(text.len()), false, text);
    while let Some((ahead, (block, behind))) =
        rest.split_once('{').and_then(|(ahead, behind)| Some((ahead, behind.split_once('}')?)))
    {
        words += if is_drawn { "" } else { ahead };
        let mut scales =
            block.split('\\').filter_map(|tag| tag.strip_prefix('p')?.trim().parse().ok());
        is_drawn = scales.next_back().map_or(is_drawn, |scale: u32| scale > 0);
        if block.len() < 1_000 {
            words.extend(["{", block, "}"]);
        }
        rest = behind;
    }
    words + if is_drawn { "" } else { rest }
}
