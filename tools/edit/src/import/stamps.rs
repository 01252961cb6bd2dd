//! Where files that were recorded at the same time lie against each other, by their time stamps (BWF).

use deskhand_dsp::Frames;

/// How much later than the first of its set each file begins; `None` for a file without a stamp, or without another
/// file that was recorded at the same time. Each file is given by its stamp and its length.
pub(super) fn offsets(files: &[(Option<Frames>, Frames)]) -> Vec<Option<Frames>> {
    let stamped = files.iter().enumerate();
    let mut stamped: Vec<(Frames, Frames, usize)> = stamped
        .filter_map(|(index, (origin, length))| Some(((*origin)?, (*origin)? + *length, index)))
        .collect();
    stamped.sort_unstable();
    let mut offsets = vec![None; files.len()];
    let mut end = Frames(i64::MIN);
    for set in stamped.chunk_by(|a, b| {
        end = end.max(a.1);
        b.0 < end
    }) {
        if let [first, _, ..] = set {
            for (origin, _, index) in set {
                if let Some(offset) = offsets.get_mut(*index) {
                    *offset = Some(*origin - first.0);
                }
            }
        }
    }
    offsets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_were_recorded_at_the_same_time_keep_their_distance_and_others_have_none() {
        let file = |origin: i64, length: i64| (Some(Frames(origin)), Frames(length));
        let files = [
            file(1_000, 500),
            (None, Frames(900)),
            file(1_100, 100),
            file(1_400, 500),
            file(9_000, 500),
        ];
        let found = offsets(&files).into_iter().map(|offset| offset.map(|offset| offset.0));
        assert_eq!(found.collect::<Vec<_>>(), [Some(0), None, Some(100), Some(400), None]);
        assert_eq!(offsets(&[file(0, 10), file(10, 10)]), [None, None]);
    }
}
