//! The place of something in a file.

use std::fmt;

/// A line, counted from 1, and in JSON the segment too, for most of it is one line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub line: usize,
    /// The segment, counted from 1.
    pub segment: Option<usize>,
}

impl From<usize> for Place {
    fn from(line: usize) -> Self {
        Self { line, segment: None }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        self.segment.map_or(Ok(()), |segment| write!(f, ", segment {segment}"))
    }
}
