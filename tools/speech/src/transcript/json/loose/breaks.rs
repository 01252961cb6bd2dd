//! Breaks in JSON: everything before a break is kept, and reading goes on with the next segment.

use super::super::super::limits::MOST_PHRASES;
use super::super::super::lines::line_behind;
use super::super::file::{File, Part};
use super::Filling;
use serde::{Deserialize, Deserializer};

/// After this many breaks reading stops: each search may scan the whole rest.
const MOST: usize = 50;

/// A place that is no JSON.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct Break {
    pub(in super::super) line: usize,
    /// Whether nothing was read after it.
    pub(in super::super) is_last: bool,
}

impl File {
    /// Reads what can be read of a file, and where it is no JSON.
    pub(in super::super) fn fill(&mut self, file: &str) -> Vec<Break> {
        let mut json = serde_json::Deserializer::from_str(file);
        let read = json.deserialize_any(Filling(self)).and_then(|()| json.end());
        let Err(error) = read else { return Vec::new() };
        let mut at = place(file, &error);
        let mut breaks = vec![Break { line: error.line().max(1), is_last: true }];
        while let Some(next) = next(file, at)
            && self.read_segments(file, next, &mut breaks, &mut at)
        {}
        breaks
    }

    /// Reads segments one after another until the next break; whether there may be more.
    fn read_segments(
        &mut self,
        file: &str,
        from: usize,
        breaks: &mut Vec<Break>,
        at: &mut usize,
    ) -> bool {
        let Some(rest) = file.get(from..) else { return false };
        let mut line = line_behind(file.get(..from).unwrap_or_default().as_bytes());
        let mut counted = from;
        *at = from;
        while let Some(start) = next(file, *at) {
            let between = file.get(*at..start).unwrap_or_default().trim();
            line += file.get(counted..start).unwrap_or_default().matches('\n').count();
            counted = start;
            // Other lists follow the end of this list.
            if *at > from && !matches!(between, "" | ",") && !between.contains(']') {
                breaks.push(Break { line, is_last: true });
            }
            let Some(rest) = rest.get(start - from..) else { return false };
            let mut segments = serde_json::Deserializer::from_str(rest).into_iter::<Part>();
            match segments.next() {
                Some(Ok(part)) => {
                    *at = start + segments.byte_offset();
                    self.add(part, line, breaks);
                }
                Some(Err(error)) => {
                    let place = place(rest, &error);
                    *at = start + place.max(1);
                    let line = line + error.line().saturating_sub(1);
                    breaks.push(Break { line, is_last: true });
                    return !error.is_eof() && breaks.len() < MOST;
                }
                None => return false,
            }
        }
        false
    }

    fn add(&mut self, part: Part, line: usize, breaks: &mut [Break]) {
        let is_cpp = self.segments.is_none() && self.transcription.is_some();
        let list = if is_cpp { &mut self.transcription } else { &mut self.segments };
        if part.is_said() && list.as_ref().is_none_or(|list| list.len() <= MOST_PHRASES) {
            list.get_or_insert_default().push(Part { line: Some(line), ..part });
            breaks.iter_mut().for_each(|one| one.is_last = false);
        }
    }
}

impl<'de> Deserialize<'de> for Part {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        let mut part = Self::default();
        json.deserialize_any(Filling(&mut part))?;
        Ok(part)
    }
}

/// Where the next object begins.
fn next(file: &str, at: usize) -> Option<usize> {
    let found = file.as_bytes().get(at..)?.iter().position(|byte| *byte == b'{')?;
    Some(at + found)
}

fn place(text: &str, error: &serde_json::Error) -> usize {
    let line = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    let before: usize = line.map(str::len).sum();
    (before + error.column().saturating_sub(1)).min(text.len())
}
