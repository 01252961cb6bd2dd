//! Lines that only start: each ends where the next starts, as lyrics and SAMI have them.

use super::super::estimated_times::last_end;
use super::super::lines::shown;
use super::super::markup::plain;
use super::super::problems::{Kind, Problem};
use super::super::{Format, Micros};
use super::cue::{Cue, Line};
use std::ops::Range;

/// A line with its start.
pub(super) struct Start {
    pub(super) line: usize,
    pub(super) at: Micros,
    /// Where it is empty, the line before ends.
    pub(super) text: String,
}

/// Lines as cues; the last ends with the speech.
pub(super) fn ended<E>(
    mut starts: Vec<Start>,
    format: Format,
    speech: &mut dyn FnMut() -> Result<Vec<Range<Micros>>, E>,
) -> Result<Vec<Cue>, E> {
    starts.sort_by_key(|one| one.at);
    let times: Vec<Micros> = starts.iter().map(|one| one.at).collect();
    let mut cues = Vec::with_capacity(starts.len());
    for Start { line, at, text } in starts {
        let mut cue = Cue::of(Line { line, times: at..at, text: &text }, format);
        if cue.text.trim().is_empty() {
            continue;
        }
        let next = times.get(times.partition_point(|time| *time <= at));
        cue.end = next.map_or_else(|| last_end(at, speech), |next| Ok(*next))?;
        cues.push(cue);
    }
    Ok(cues)
}

/// The problem of a text without a readable time.
pub(super) fn without(line: usize, text: &str, format: Format) -> Problem {
    let (_, text) = plain(text, format);
    Problem::at(line, Kind::NoTimes, text.trim())
}

/// The lines of the first language, if there are several, and a note about the others.
pub(super) fn of_one_language<T>(all: Vec<(String, T)>) -> (Vec<T>, Option<String>) {
    let mut languages: Vec<String> = Vec::new();
    for (language, _) in all.iter().filter(|(language, _)| !language.is_empty()) {
        if languages.len() < 20 && !languages.contains(language) {
            languages.push(language.clone());
        }
    }
    let first = languages.first().cloned().unwrap_or_default();
    let is_it = |language: &String| language.is_empty() || *language == first;
    let told = (languages.len() > 1).then(|| {
        let names: Vec<String> = languages.iter().map(|name| shown(name)).collect();
        format!("The file has several languages ({}). Only the first was read.", names.join(", "))
    });
    (all.into_iter().filter(|(it, _)| is_it(it)).map(|(_, one)| one).collect(), told)
}
