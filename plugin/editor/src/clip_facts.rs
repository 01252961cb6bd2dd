//! What analysis knows of a clip, in a few lines: facts of the segments of its source that it shows.

use crate::kit::scale::minus;
use deskhand_protocol::transcript_tables::told;
use deskhand_session::text::clock_of;
use deskhand_session::{Clip, Fact, Segment, Session};
use serde_json::Value;

const LINES: usize = 12;

/// What is known about a clip, one line each; `None` if nothing is.
pub(crate) fn of_clip(session: &Session, clip: &Clip) -> Option<String> {
    let end = clip.start + clip.length;
    let overlaps = |s: &&Segment| s.source == clip.source && s.start < end && s.end() > clip.start;
    let mut segments: Vec<&Segment> = session.segments.values().filter(overlaps).collect();
    // The whole of the clip first, then its parts by time.
    segments.sort_by_key(|s| (s.start > clip.start || s.end() < end, s.start));
    let mut lines: Vec<String> = segments.iter().flat_map(|s| lines(session, clip, s)).collect();
    let more = lines.len().saturating_sub(LINES);
    lines.truncate(LINES);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn lines(session: &Session, clip: &Clip, segment: &Segment) -> Vec<String> {
    let is_whole = segment.start <= clip.start && segment.end() >= clip.start + clip.length;
    let at = (segment.start.max(clip.start) - clip.start + clip.position).seconds(session.rate).0;
    let place = if is_whole { String::new() } else { format!("{}  ", clock_of(at)) };
    of_segment(segment).into_iter().map(|line| format!("{place}{line}")).collect()
}

/// The facts about a segment, a line each.
pub(crate) fn of_segment(segment: &Segment) -> Vec<String> {
    segment.description.facts.iter().filter_map(|(name, fact)| line(name, fact)).collect()
}

/// "off mic: yes"; `None` if the fact has no line.
pub(crate) fn line(name: &str, fact: &Fact) -> Option<String> {
    Some(format!("{}: {}", name.replace('_', " "), minus(&told(fact)?)))
}

/// What few phrases have, by the names of the facts, and in words.
pub(crate) const RARE: [(&str, &str); 3] =
    [("laughter", "laughter"), ("overlap", "talked over"), ("off_mic", "off-mic")];

pub(crate) fn is_rare(segment: &Segment, name: &str) -> bool {
    segment.description.facts.get(name).is_some_and(|fact| fact.value != Value::Bool(false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::{Frames, SampleRate};
    use deskhand_session::{Description, SegmentId, SessionId, SourceId, TrackId};
    use serde_json::json;

    fn segment(start: i64, length: i64, name: &str, value: Value, sure: Option<f64>) -> Segment {
        let fact = Fact { value, unit: None, confidence: sure, by: "tool_x".into() };
        Segment {
            description: Description { facts: [(name.to_owned(), fact)].into() },
            ..Segment::new(SourceId::new(1), Frames(start), Frames(length))
        }
    }

    #[test]
    fn facts_of_the_whole_come_first_and_parts_say_when() {
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        let clip = Clip {
            start: Frames(48_000),
            position: Frames(480_000),
            ..Clip::new("Take", TrackId::new(1), SourceId::new(1), Frames(96_000))
        };
        assert_eq!(of_clip(&session, &clip), None);
        let parts = [
            segment(96_000, 48_000, "content", json!("speech"), Some(0.3)),
            segment(48_000, 96_000, "key", json!("A minor"), Some(0.9)),
            segment(48_000, 96_000, "problems", json!([1, 2]), None),
            segment(0, 48_000, "content", json!("noise"), None),
        ];
        for (n, part) in parts.into_iter().enumerate() {
            session.segments.insert(SegmentId::new(n as u64 + 1), part);
        }
        let known = of_clip(&session, &clip).unwrap();
        assert_eq!(known.lines().next(), Some("key: A minor"), "{known}");
        assert_eq!(known.lines().count(), 2, "{known}");
        assert!(known.ends_with("content: speech (unsure)"), "{known}");
    }
}
