//! Stretches that an imported transcript leaves out, although the session had words there before. A segment
//! without words marks each stretch. No later run listens to it unless somebody asks for a full new
//! transcription.

use crate::retranscribe::fresh;
use crate::transcribe::Region;
use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::{
    Change, Description, Edit, Fact, IdSeed, Segment, SegmentId, Session, SourceId,
};
use deskhand_toolkit::Draft;
use serde_json::json;
use std::collections::BTreeMap;
use std::ops::Range;

/// The fact that names the file.
const LEFT_OUT_OF: &str = "left_out_of";
/// What a file has a part of is left out where more than this is missing, in seconds: no two agree to the word on where
/// somebody begins.
const MARGIN_S: f64 = 0.5;

/// A left-out stretch, and the segment that was there.
pub(crate) struct Stretch {
    before: SegmentId,
    source: SourceId,
    frames: Range<Frames>,
}

/// The left-out markers that overlap a region, in order of time.
pub(crate) fn of<'a>(session: &'a Session, region: &Region) -> Vec<(SegmentId, &'a Segment)> {
    marked(session, region, LEFT_OUT_OF)
}

/// The segments without words that have a fact of this name and overlap a region, in order of time.
pub(crate) fn marked<'a>(
    session: &'a Session,
    region: &Region,
    fact: &str,
) -> Vec<(SegmentId, &'a Segment)> {
    let range = &region.range;
    let mut all = session.segments_of(region.source);
    all.retain(|(_, it)| {
        it.words.is_empty()
            && it.description.facts.contains_key(fact)
            && it.start < range.end
            && range.start < it.end()
    });
    all
}

/// The markers of stretches where something is said after all.
pub(crate) fn said_after_all<'a>(
    session: &'a Session,
    region: &Region,
    said: &[Range<Frames>],
) -> Vec<(SegmentId, &'a Segment)> {
    let mut all = of(session, region);
    all.retain(|(_, it)| without(it.start..it.end(), said) != [it.start..it.end()]);
    all
}

/// What of that which goes for a file is left out of it; its phrases are `said` at these times.
pub(crate) fn stretches(
    gone: &[(SegmentId, &Segment)],
    said: &[Range<Frames>],
    rate: SampleRate,
) -> Vec<Stretch> {
    let mut found = Vec::new();
    for (before, segment) in gone {
        let whole = segment.start..segment.end();
        let is_enough = |part: &Range<Frames>| {
            *part == whole || (part.end - part.start).seconds(rate).0 > MARGIN_S
        };
        let parts = without(whole.clone(), said).into_iter().filter(is_enough);
        let (before, source) = (*before, segment.source);
        found.extend(parts.map(|frames| Stretch { before, source, frames }));
    }
    found
}

/// Plans the marker segments, each with the change that removes the old words.
pub(crate) fn plan(
    draft: &mut Draft,
    ids: &mut IdSeed,
    session: &Session,
    stretches: Vec<Stretch>,
    (file, name): (&str, &str),
) {
    let changes = draft.changes.iter().filter_map(|planned| match &planned.change {
        Change::SetSegment(edit) => Some((edit.target, planned.id.clone())),
        _ => None,
    });
    let changes: BTreeMap<SegmentId, String> = changes.collect();
    for Stretch { before, source, frames } in stretches {
        let by = "tool_import_transcript".to_owned();
        let fact = Fact { value: json!(file), unit: None, confidence: None, by };
        let facts = BTreeMap::from([(LEFT_OUT_OF.to_owned(), fact)]);
        let description = Description { facts };
        let own = Segment::new(source, frames.start, frames.end - frames.start);
        let edit = Edit::create(fresh(session, ids), Segment { description, ..own });
        let needs = changes.get(&before).cloned().into_iter().collect();
        let reason = "the file leaves it out, so it is not listened to again";
        draft.dependent(Change::SetSegment(edit), name.to_owned(), reason, needs);
    }
}

/// Times in order, those that meet as one.
pub(crate) fn joined(mut times: Vec<Range<Frames>>) -> Vec<Range<Frames>> {
    times.sort_by_key(|time| (time.start, time.end));
    let mut joined: Vec<Range<Frames>> = Vec::with_capacity(times.len());
    for time in times {
        match joined.last_mut() {
            Some(last) if time.start <= last.end => last.end = last.end.max(time.end),
            _ => joined.push(time),
        }
    }
    joined
}

/// The parts of a time outside of others, which are sorted and disjoint.
fn without(time: Range<Frames>, others: &[Range<Frames>]) -> Vec<Range<Frames>> {
    let first = others.partition_point(|other| other.end <= time.start);
    let (mut from, mut parts) = (time.start, Vec::new());
    let met = others.iter().skip(first).take_while(|other| other.start < time.end);
    for other in met {
        parts.extend((from < other.start).then_some(from..other.start));
        from = other.end;
    }
    parts.extend((from < time.end).then_some(from..time.end));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(from: i64, to: i64) -> Range<Frames> {
        Frames(from)..Frames(to)
    }

    #[test]
    fn what_no_other_time_has_is_left() {
        let said = joined(vec![range(50, 60), range(10, 20), range(15, 30)]);
        assert_eq!(said, [range(10, 30), range(50, 60)]);
        assert_eq!(without(range(0, 100), &said), [range(0, 10), range(30, 50), range(60, 100)]);
        assert_eq!(without(range(12, 28), &said), []);
        assert_eq!(without(range(30, 50), &said), [range(30, 50)]);
        assert_eq!(without(range(20, 55), &said), [range(30, 50)]);
    }

    #[test]
    fn a_sliver_beside_a_phrase_of_the_file_is_not_left_out() {
        let source = SourceId::new(1);
        let segments = [range(0, 1_000), range(2_000, 2_300), range(5_000, 7_000)];
        let segments = segments.map(|at| Segment::new(source, at.start, at.end - at.start));
        let gone: Vec<_> = (1u64..).map(SegmentId::new).zip(&segments).collect();
        let said = joined(vec![range(200, 1_100), range(5_000, 6_000)]);
        let found = stretches(&gone, &said, SampleRate(1_000));
        let told: Vec<_> = found.into_iter().map(|one| (one.before, one.frames)).collect();
        let expected = [(2, range(2_000, 2_300)), (3, range(6_000, 7_000))];
        assert_eq!(told, expected.map(|(id, at)| (SegmentId::new(id), at)));
    }
}
