//! Replacing ranges of bytes in one pass, so that all other bytes stay. Called by the writers of
//! project files.

use std::ops::Range;

/// Two replacements cover the same bytes.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("two changes cover byte {0} of the project file; this is a defect of Deskhand")]
pub struct Overlap(pub usize);

/// Replacements, gathered in any order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Splices(Vec<(Range<usize>, Vec<u8>)>);

impl Splices {
    /// `text` in place of `range`.
    pub(crate) fn replace(&mut self, range: Range<usize>, text: impl Into<Vec<u8>>) {
        self.0.push((range, text.into()));
    }

    /// `text` before the byte `at`. Several at one place follow in the order they were asked for.
    pub(crate) fn insert(&mut self, at: usize, text: impl Into<Vec<u8>>) {
        self.replace(at..at, text);
    }

    /// Nothing in place of `range`.
    pub(crate) fn delete(&mut self, range: Range<usize>) {
        self.replace(range, Vec::new());
    }

    /// `bytes[within]` with all replacements made; each lies inside `within`.
    pub(crate) fn apply(mut self, bytes: &[u8], within: Range<usize>) -> Result<Vec<u8>, Overlap> {
        self.0.sort_by_key(|(range, _)| (range.start, range.end));
        let mut result = Vec::with_capacity(within.len());
        let mut done = within.start;
        for (range, text) in self.0 {
            let kept = bytes.get(done..range.start).ok_or(Overlap(range.start))?;
            result.extend_from_slice(kept);
            result.extend_from_slice(&text);
            done = range.end;
        }
        result.extend_from_slice(bytes.get(done..within.end).ok_or(Overlap(done))?);
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spliced(edits: &[(Range<usize>, &str)]) -> Result<String, Overlap> {
        let mut splices = Splices::default();
        for (range, text) in edits {
            splices.replace(range.clone(), *text);
        }
        Ok(String::from_utf8(splices.apply(b"0123456789", 0..10)?).unwrap())
    }

    #[test]
    fn replaces_in_any_order_and_keeps_the_order_of_insertions_at_one_place() {
        assert_eq!(
            spliced(&[(8..9, "x"), (2..4, ""), (5..5, "a"), (5..5, "b")]),
            Ok("014ab567x9".into())
        );
        assert_eq!(spliced(&[]), Ok("0123456789".into()));
        assert_eq!(spliced(&[(10..10, "end"), (0..0, "start")]), Ok("start0123456789end".into()));
    }

    #[test]
    fn refuses_what_covers_the_same_byte_or_lies_outside() {
        assert_eq!(spliced(&[(2..5, "x"), (4..6, "y")]), Err(Overlap(4)));
        assert_eq!(spliced(&[(2..5, "x"), (3..3, "y")]), Err(Overlap(3)));
        assert!(spliced(&[(8..12, "x")]).is_err());
    }

    #[test]
    fn a_part_can_be_spliced_alone() {
        let mut splices = Splices::default();
        splices.replace(4..5, "four");
        assert_eq!(splices.apply(b"0123456789", 3..6), Ok(b"3four5".to_vec()));
    }
}
