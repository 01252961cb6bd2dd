//! Types for the answers of house tools. Every name from the session is a JSON string of its own, so that
//! nobody can take it for words of this program.

use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::{ObjectId, Session};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Rows of a list when no limit was given.
const LIMIT: u32 = 100;
/// The most rows at once.
const MOST: u32 = 500;

/// Which part of a list.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Page {
    /// Most rows to return; omitted: 100.
    #[schemars(range(min = 1, max = 500))]
    pub(crate) limit: Option<u32>,
    /// Rows to skip first.
    pub(crate) offset: Option<u32>,
}

/// A part of a list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Listed<T> {
    /// The rows.
    pub(crate) items: Vec<T>,
    /// Number of all rows.
    pub(crate) total: usize,
    /// Number of skipped rows.
    pub(crate) offset: usize,
}

impl Page {
    /// The part of `all`, each made into a row.
    pub(crate) fn of<T, Row>(
        self,
        all: impl IntoIterator<Item = T>,
        row: impl FnMut(T) -> Row,
    ) -> Listed<Row> {
        let offset = self.offset.map_or(0, |offset| offset as usize);
        let limit = self.limit.unwrap_or(LIMIT).min(MOST) as usize;
        let mut total = 0;
        let counted = all.into_iter().inspect(|_| total += 1);
        let mut counted = counted.skip(offset);
        let items = counted.by_ref().take(limit).map(row).collect();
        counted.for_each(drop);
        Listed { items, total, offset }
    }
}

impl<T> Listed<T> {
    /// "3 tracks", "100 of 2310 clips".
    pub(crate) fn said(&self, noun: &str) -> String {
        let shown = self.items.len();
        let of = if shown < self.total {
            format!("{shown} of {}", self.total)
        } else {
            shown.to_string()
        };
        let plural = if self.total == 1 { "" } else { "s" };
        format!("{of} {noun}{plural}")
    }
}

/// Something with its name.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Named {
    /// Its id.
    id: String,
    /// Its name.
    name: String,
}

impl Named {
    pub(crate) fn new(session: &Session, object: ObjectId) -> Self {
        Self { id: object.to_string(), name: session.name_of(object) }
    }
}

/// A stretch of the timeline.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Span {
    /// Start in seconds.
    pub(crate) start_s: f64,
    /// End in seconds.
    pub(crate) end_s: f64,
}

/// Frames in seconds, to the microsecond.
pub(crate) fn seconds(frames: Frames, rate: SampleRate) -> f64 {
    rounded(frames.seconds(rate).0)
}

/// To six decimals.
pub(crate) fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_counts_what_it_leaves_out() {
        let page = |limit, offset| Page { limit, offset }.of(0..7, |n| n);
        let all = page(None, None);
        assert_eq!((all.items.len(), all.total, all.said("clip").as_str()), (7, 7, "7 clips"));
        let middle = page(Some(2), Some(3));
        assert_eq!((middle.items, middle.total, middle.offset), (vec![3, 4], 7, 3));
        let behind = page(Some(2), Some(9));
        assert_eq!((behind.said("clip"), behind.total), ("0 of 7 clips".into(), 7));
        assert_eq!(Page::default().of(0..1, |n| n).said("clip"), "1 clip");
    }
}
